/* registry.h - kinds and categories for the reader and for generated documents. */
#ifndef SN_REGISTRY_H
#define SN_REGISTRY_H

#include "model/field.h"

const char *sn_category_title(sn_category category); /* "Bodies": a heading */
const char *sn_category_help(sn_category category);  /* "what moves" */
/* The kind of an entry without `type`; NULL where the type must be said. */
const sn_kind *sn_unnamed_kind(sn_category category);
/* Is it a mapping of named entries at the top of its file? The others are nested or single. */
bool sn_is_listed(sn_category category);
/* Are its entries named in expressions? */
bool sn_is_word(sn_category category);
/* Does its key stand at the top of such a file? */
typedef enum sn_file { SN_MODEL_FILE, SN_STUDY_FILE } sn_file;
/* [sn_file] the scalar keys at the top of such a file; from kinds/, like sn_kinds. */
extern const sn_field *const sn_head_fields[];
bool sn_is_key_of(sn_file file, sn_category category);
/* Does it stand in such a file, at the top or nested? */
bool sn_belongs_to(sn_file file, sn_category category);
/* Compiles all entries of a category; NULL: the entries compile themselves, by the tables of their kinds. */
struct sn_compiler;
extern void (*const sn_compile_category[SN_CATEGORIES])(struct sn_compiler *compiler);
/* The same before joints, for those with coordinates of their own. */
extern void (*const sn_declare_category[SN_CATEGORIES])(struct sn_compiler *compiler);
/* Number of a field in the table of its kind, -1: none. */
int sn_field_index(const sn_kind *kind, const char *name);
/* For assertions: has the kind such a field, or another kind of its category? A name that none has is misspelt. */
bool sn_is_field(const sn_kind *kind, const char *name);
/* The first fields of the document's table, in struct sn_head. */
extern const sn_kind sn_head_kind;

#endif
