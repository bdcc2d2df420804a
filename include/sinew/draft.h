/* draft.h - a model in memory that is read and changed before it is compiled. Part of sinew.h.
 *
 * A draft holds what a model file says. Places in it are paths of keys and of numbers in lists, from 0:
 * "bodies.beam.elements", "joints.pin.between.1", "gravity". Values are written as in a file: "20", "[0, 0, 1]",
 * "{type: rigid, mass: 2}". Fields, units and ranges are checked when it is compiled, by the same tables as files are. A
 * draft belongs to one thread at a time; its context must outlive it. Texts that are returned belong to the draft, and are
 * valid until the next call with it.
 */
#ifndef SINEW_DRAFT_H
#define SINEW_DRAFT_H

#include "sinew/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_draft sn_draft;

/* From a file, from a text (`name` stands for the file in messages, and tells where files that it names are), or with
 * nothing in it but its version. */
SN_API sn_status sn_draft_load(sn_context *context, const char *path, sn_draft **draft);
SN_API sn_status sn_draft_parse(sn_context *context, const char *name, const char *text, size_t length,
                                sn_draft **draft);
SN_API sn_status sn_draft_create(sn_context *context, const char *name, sn_draft **draft);
SN_API void sn_draft_free(sn_draft *draft);

/* Set or add a value; mappings on the way there are made, and a list grows by the number behind its last. SN_USAGE: the
 * path leads through a value, or into a list beyond its end; SN_BAD_MODEL: the value cannot be parsed. The draft is then
 * as before. */
SN_API sn_status sn_draft_set(sn_draft *draft, const char *path, const char *value);
/* SN_USAGE: there is nothing. */
SN_API sn_status sn_draft_remove(sn_draft *draft, const char *path);

/* The value in one line, as it could be written in a file; "" is the path of all. NULL: there is none, or no memory. */
SN_API const char *sn_draft_get(sn_draft *draft, const char *path);
/* Entries of a mapping or list at a path; 0: there are none. And the key of one, or its number in a list. */
SN_API size_t sn_draft_count(sn_draft *draft, const char *path);
SN_API const char *sn_draft_key(sn_draft *draft, const char *path, size_t number);

/* The whole model as a file has it; comments are not kept, and anchors are written out. NULL: no memory. */
SN_API const char *sn_draft_text(sn_draft *draft);
SN_API sn_status sn_draft_write(sn_draft *draft, const char *path);
/* Lines in messages are those of sn_draft_text. The draft stays as it is, and may be changed and compiled again. */
SN_API sn_status sn_draft_compile(sn_draft *draft, const char *const *sets, size_t count, sn_model **model);

#ifdef __cplusplus
}
#endif
#endif
