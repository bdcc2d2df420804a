/* field.h - the field tables: all that is known about what a kind reads from the model file.
 *
 * The table alone drives the reader, its messages, `sinew describe`, the JSON Schema and the reference page.
 * A kind declares a struct that starts with sn_spec and one row per field; the reader fills the struct.
 */
#ifndef SN_FIELD_H
#define SN_FIELD_H

#include "base/base.h"
#include "base/expr.h"

/* What a field holds, and the C type it is stored as: SN_REAL, ... */
typedef enum sn_type {
#define TYPE(NAME, name) SN_##NAME,
#include "model/types.def"
  SN_TYPES
} sn_type;
/* Size of the C type it fills; how many functions of time it holds, each a const sn_expr *. */
size_t sn_type_size(sn_type type);
int sn_type_functions(sn_type type);
/* The value at `at` as a number; false where it is none. */
bool sn_type_number(sn_type type, const void *at, double *number);

typedef struct sn_reals {
  int count;
  const double *value;
} sn_reals;
typedef struct sn_matrix_rows {
  int rows, columns;
  const double *value; /* row by row */
} sn_matrix_rows;
typedef struct sn_names {
  int count;
  const char *const *name;
} sn_names;
typedef struct sn_formulas {
  int count;
  const sn_expr *const *f;
} sn_formulas;
typedef struct sn_assignments { /* variables and their new values */
  int count;
  const char *const *name;
  const struct sn_node *const *node; /* of the names, for messages */
  const sn_expr *const *f;
} sn_assignments;
typedef struct sn_points {
  int count;
  const double (*value)[3];
} sn_points;
typedef struct sn_point_map {
  int count;
  const char *const *name;
  const double (*value)[3];
} sn_point_map;

/* Limits of a number (of each component where there are several; of nothing for functions of time). */
typedef struct sn_limits {
  bool has_low, low_open, has_high, high_open;
  double low, high;
} sn_limits;
#define SN_POSITIVE \
  { .has_low = true, .low_open = true, .low = 0 }
#define SN_NOT_NEGATIVE \
  { .has_low = true, .low = 0 }
#define SN_AT_LEAST(a) \
  { .has_low = true, .low = (a) }
#define SN_BETWEEN(a, b) \
  { .has_low = true, .low = (a), .has_high = true, .high = (b) }

typedef struct sn_field {
  const char *name;
  sn_type type;
  size_t at;        /* offsetof in the spec struct */
  const char *unit; /* "m", "kg/m3"; NULL: none */
  const char *def;  /* default, as it would be written in the file; NULL: none */
  bool required;    /* without a default: must it be given? (otherwise test with sn_given) */
  sn_limits limits;
  const char *choices; /* SN_CHOICE: "geometric|material" */
  const char *locals;  /* SN_FORMULA, SN_FORMULA3: names of its own, "stretch|rate" */
  const char *help;
  const char *example; /* value shown in the kind's example; only for fields that belong there without being required */
} sn_field;
#define SN_AT(spec, member) offsetof(spec, member)

/* ---- kinds: what a `type:` may name ---- */

typedef enum sn_category {
  SN_MATERIALS,
  SN_SECTIONS,
  SN_SHAPES,
  SN_BODIES,
  SN_JOINTS,
  SN_FORCES,
  SN_SURFACES,
  SN_CONTACTS,
  SN_OUTPUTS,
  SN_TABLES,
  SN_VARIABLES,
  SN_INPUTS,
  SN_CONTROLLERS,
  SN_EVENTS,
  SN_INTEGRATORS,
  SN_ANALYSES,
  SN_VARIATIONS, /* from here on: of study files */
  SN_SAMPLINGS,
  SN_MEASURED,
  SN_PLOTTED,
  SN_CATEGORIES
} sn_category;

typedef struct sn_spec sn_spec;
typedef struct sn_reader sn_reader;

/* The part of a kind that concerns the model file; the first member of every ops table. */
typedef struct sn_kind {
  const char *name; /* as written after `type:` */
  sn_category category;
  const char *summary;    /* one line */
  const sn_field *fields; /* ends with a row whose name is NULL */
  size_t spec_size;       /* of the struct the reader fills */
  bool planar_only;       /* only in planar models */
  /* Conditions between fields; reports with sn_field_error. NULL: none. */
  void (*check)(sn_reader *reader, const sn_spec *spec);
} sn_kind;

/* The ops table of kinds that are only data. */
typedef struct sn_plain_ops {
  sn_kind kind;
} sn_plain_ops;

/* ---- nodes: the YAML document as a tree that remembers where everything stands ---- */

typedef enum sn_node_type { SN_SCALAR, SN_SEQUENCE, SN_MAPPING } sn_node_type;
typedef struct sn_node sn_node;
struct sn_node {
  sn_node_type type;
  int line, column; /* 1-based position of the first character */
  int length;       /* characters to underline, within the line */
  const char *text; /* scalar: the text */
  bool quoted;      /* scalar: written in quotes */
  int count;        /* items, or pairs */
  sn_node **item;   /* sequence: items; mapping: values */
  sn_node **key;    /* mapping: keys (scalars) */
};

/* ---- specs: what the reader filled ---- */

struct sn_spec { /* first member of every kind's spec struct */
  const sn_kind *kind;
  const char *name;     /* the user's name of it; "" where it has none */
  const sn_node *node;  /* what was written: a mapping, or only the name of a kind; NULL: nothing was */
  const sn_node *label; /* its name or key in the file, which messages about the whole of it underline */
  uint64_t given;       /* bit i: field i was written in the file */
};

typedef struct sn_marker_ref {
  const char *body;  /* name of a body; always the name of an existing one after reading ("ground" always exists) */
  const char *point; /* "end", "at", name of a point; NULL when only the body is named */
  int count;         /* numbers in parentheses */
  double number[3];
  const sn_node *node;
} sn_marker_ref;
typedef struct sn_marker_list {
  int count;
  const sn_marker_ref *entry;
} sn_marker_list;
/* Of bodies: all of one, or with `point` "position" or "rotation" that much of it. */
typedef struct sn_body_coordinates {
  int count;
  const sn_marker_ref *entry;
} sn_body_coordinates;

/* One coordinate of a joint: the angle about its axis, the travel along it. */
typedef enum sn_coordinate_type {
  SN_ANY_COORDINATE,
  SN_ROTATION_COORDINATE,
  SN_TRANSLATION_COORDINATE
} sn_coordinate_type;
enum { SN_COORDINATE_REFS = 4 };
typedef struct sn_coordinate_refs {
  int count;
  struct {
    const char *joint;       /* name of an existing one */
    sn_coordinate_type type; /* ANY: the only one the joint has */
    const sn_node *node;
  } item[SN_COORDINATE_REFS];
} sn_coordinate_refs;

/* Was the field written in the file (as opposed to taking its default)? */
bool sn_given(const void *spec, const char *field);
/* Where the value of a field stands, of the C type that sn_type names; NULL: the kind has no such field. */
const void *sn_field_value(const void *spec, const char *field);

typedef struct sn_list { /* the entries of one category, in file order */
  int count;
  const sn_spec **item;
} sn_list;

/* The whole model file, read and checked field by field; not yet compiled. */
typedef struct sn_document {
  const char *path;   /* as given, for messages */
  const char *source; /* text of the file */
  size_t length;
  const char *title;
  double gravity[3];
  bool planar;
  sn_body_coordinates keep;    /* of the start, see model/keep.c */
  sn_list list[SN_CATEGORIES]; /* SN_SHAPES stays empty: shapes are nested; SN_ANALYSES: the stages, in order */
  const sn_table *tables;      /* compiled from list[SN_TABLES] */
  int table_count;
  const void *index;   /* private to sn_find */
  int parameter_count; /* values in force, overrides included */
  const char *const *parameter_name;
  const double *parameter_value;
  const char *const *set; /* [sets] overrides it was read with; and its elements times this (load_model.c) */
  size_t sets;
  int times;
  const sn_node *tree;               /* what was read, as the text has it; NULL: overrides have changed it */
  const char *const *parameter_word; /* text of those used as $name; NULL: a number */
} sn_document;

/* ---- reading ---- */

struct sn_reader {
  sn_context *context;
  sn_arena *arena;
  sn_document *document;
  int errors;  /* reported so far; reading continues to find more, up to 20 */
  void *state; /* private to the reader */
};

/* Read text into a document. On failure the context's message holds all errors found, each as
 *     FILE:LINE:COLUMN: error: TEXT
 *        LINE | the line of the file
 *             |     ^~~~~~
 *     EXPECTATION (optional line, indented)
 */
sn_status sn_read_document(sn_context *context, sn_arena *arena, const char *path, const char *text, size_t length,
                           const char *const *sets, size_t set_count, sn_document **document);
/* The same of a document that was read before, with other overrides: its tree is copied, in place of parsing its text. It
 * must have one. */
sn_status sn_reread_document(sn_context *context, sn_arena *arena, const sn_document *of, const char *const *sets,
                             size_t set_count, sn_document **document);

/* Report an error at a node (NULL: the file as a whole). `expected` (may be NULL) completes a line "expected ...";
 * a text that ends with a question mark stands there by itself. Usable by the compiler stage too. */
void sn_node_error(sn_reader *reader, const sn_node *node, const char *expected, const char *format, ...)
    SN_PRINTF(4, 5);
/* The same at the value of a field of a spec (at the entry itself when the field was not written). */
void sn_field_error(sn_reader *reader, const sn_spec *spec, const char *field, const char *expected, const char *format,
                    ...) SN_PRINTF(5, 6);
/* A reader for errors found after reading (by the compiler), on the same document. */
sn_reader sn_reader_for(sn_context *context, sn_arena *arena, sn_document *document);

const sn_spec *sn_find(const sn_document *document, sn_category category, const char *name); /* NULL: none */

/* ---- the registry, expanded from kinds/kinds.def ---- */
extern const sn_kind *const sn_kinds[]; /* ends with NULL; in order of category */
const sn_kind *sn_find_kind(sn_category category, const char *name);
const char *sn_category_key(sn_category category);  /* "bodies": the key in the model file */
const char *sn_category_noun(sn_category category); /* "body": in messages */
const char *sn_article(const char *noun);           /* "a" or "an" */
extern const sn_field sn_document_fields[];         /* the scalar keys at the top of a model: sinew, title, gravity */

/* ---- documents made from the tables ---- */
#include <stdio.h>
void sn_describe(FILE *out, const sn_kind *kind); /* one kind, for a terminal */
void sn_describe_all(FILE *out);                  /* a line each */
void sn_describe_expressions(FILE *out);          /* functions and quantities that expressions may use */
void sn_write_schema(FILE *out);                  /* JSON Schema of a model file */
void sn_write_study_schema(FILE *out);            /* of a study file */
void sn_write_reference(FILE *out);               /* docs/reference.md */

#endif
