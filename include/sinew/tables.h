/* tables.h - what can be written in a model or a study: the kinds and their fields. Part of program.h.
 *
 * Everything here comes from the tables that the reader of models uses. There is no state: all functions may be called from
 * any thread. Names and summaries are constants of the library.
 */
#ifndef SINEW_TABLES_H
#define SINEW_TABLES_H

#include "sinew/message.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- kinds: bodies, joints, forces, integrators, ... ---- */

typedef struct sn_kind_info {
  const char *name, *summary; /* "cable", "thin beam or cable, ..." */
  const char *list;           /* the key that its entries stand under: "bodies", "joints", "integrator" */
  int of_models;              /* does it stand in model files? Otherwise in study files */
} sn_kind_info;
/* In the order of the reference; two kinds of different lists may have the same name. */
SN_API size_t sn_kind_count(void);
/* SN_USAGE: there is no such number; *info is zero then. */
SN_API sn_status sn_kind_at(size_t number, sn_kind_info *info);

/* The integer distance of two names, for "did you mean": letters left out, added, wrong or swapped, without regard to case;
 * `limit` where it is that or more. */
SN_API int sn_name_distance(const char *a, const char *b, int limit);

/* ---- pages made from the tables ---- */

typedef enum sn_page_of {
  SN_PAGE_KINDS,          /* all kinds, a line each */
  SN_PAGE_KIND,           /* one kind: its fields, an example */
  SN_PAGE_EXAMPLE,        /* a model that runs, with an example of the kind; kinds of models only */
  SN_PAGE_MODEL_SCHEMA,   /* JSON Schema of model files */
  SN_PAGE_STUDY_SCHEMA,   /* and of study files */
  SN_PAGE_REFERENCE,      /* the reference of both, in Markdown */
  SN_PAGE_TRUST,          /* the rules of the verdict */
  SN_PAGE_TRUST_MARKDOWN, /* the same as a table */
  SN_PAGE_EXPRESSIONS,    /* functions and quantities of the motion that expressions may use */
} sn_page_of;
/* A page as text; kind: its number where the page is of one kind, else ignored. *text belongs to the caller (sn_release).
 * SN_USAGE: there is no such page; SN_MEMORY: it cannot be made. *text is NULL then. */
SN_API sn_status sn_page(sn_page_of page, size_t kind, char **text);

#ifdef __cplusplus
}
#endif
#endif
