/* reader.h - private to the reader of model files.
 *
 * Order of work: the tree; the head (version, title, gravity); parameters; names of all entries, so that anything
 * may refer to anything; tables; then every entry, field by field. What failed once is remembered and not
 * complained about again where it is used.
 */
#ifndef SN_READER_H
#define SN_READER_H

#include "model/field.h"
#include "model/map.h"

typedef struct sn_entry { /* one name under bodies, joints, ... */
  const char *name;
  const sn_node *key, *node;
  const sn_spec *spec; /* NULL: not read yet, or wrong */
} sn_entry;

typedef struct sn_entries {
  int count;
  sn_entry *entry;    /* in file order */
  sn_map map;         /* name -> sn_entry */
  const char **names; /* for suggestions */
  bool broken;        /* the whole category is wrong: nothing can be said about its names */
} sn_entries;

typedef struct sn_parameter {
  const char *name;
  const sn_node *key, *node;
  const char *set; /* the override "name=expression" in force; NULL: none */
  enum { SN_PARAMETER_NEW, SN_PARAMETER_OPEN, SN_PARAMETER_DONE, SN_PARAMETER_WRONG, SN_PARAMETER_WORD } state;
  double value;
  const char *word; /* SN_PARAMETER_WORD: its text */
} sn_parameter;

typedef struct sn_parameters {
  int count;
  sn_parameter *parameter;
  sn_map map;   /* name -> sn_parameter */
  sn_map words; /* name -> text of those used as $name */
  const char **names;
  int open_count;      /* being evaluated, outermost first: the chain of a cycle */
  sn_parameter **open; /* [count + 1] */
  bool broken;
} sn_parameters;

typedef struct sn_reading { /* sn_reader.state */
  sn_entries entries[SN_CATEGORIES];
  sn_parameters parameters;
  sn_scope scope;   /* of constant expressions */
  sn_arena scratch; /* programs of constant expressions, of which only the value is kept */
  int scratch_uses;
  const sn_node ***defaults; /* [kind][field], parsed when first needed */
  sn_map references;         /* text -> sn_reference (refer.h), of all expressions */
} sn_reading;

static inline sn_reading *sn_reading_of(const sn_reader *reader) {
  return reader->state;
}
enum { sn_max_errors = 20 }; /* that are shown; what follows is not */
static inline bool sn_reader_full(const sn_reader *reader) {
  return reader->errors > sn_max_errors;
}

/* ---- suggest.c ---- */
/* "did you mean 'elements'?", or "one of: a, b, c"; NULL when there are no names. */
const char *sn_suggest(sn_arena *arena, const char *word, const char *const *names, int count);
const char *sn_nearest(const char *word, const char *const *names, int count); /* NULL: none near */
const char *sn_join(sn_arena *arena, const char *const *names, int count, const char *before, const char *after);
/* "a list", "a mapping", "nothing" or "'text'" */
const char *sn_found(const sn_reader *reader, const sn_node *node);
/* Is it a name: a letter, then letters, digits, _ and, with `dashes`, -? */
bool sn_is_name(const char *text, bool dashes);
/* cable 'beam', integrator hht-i3: what a message is about */
const char *sn_label(const sn_reader *reader, const sn_kind *kind, const char *name);

/* Does the word mean something in expressions: a function, a constant, t? */
bool sn_is_expression_word(const char *word);
/* Cut "; did you mean 'x'?" off the error's text and return it, for a line of its own; NULL: there is none. */
const char *sn_cut_hint(sn_expr_error *error);

/* ---- diagnostic.c ---- */
/* An error in an override "name=expression"; length 0: in the whole of it. */
void sn_set_error(sn_reader *reader, const char *set, size_t offset, size_t length, const char *expected,
                  const char *text);

/* ---- parameters.c ---- */
/* Replace every value $name by the text of the parameter `name` (overrides included), which then is a word, not a
 * number. False after reporting. */
bool sn_place_words(sn_reader *reader, sn_node *root, const char *const *sets, size_t set_count);
void sn_read_parameters(sn_reader *reader, const sn_node *node, const char *const *sets, size_t set_count);

/* ---- set_input.c ---- */
/* Overrides of inputs go into the tree; returns the others, *count of them. */
const char *const *sn_set_inputs(sn_reader *reader, sn_node *root, const char *const *sets, size_t *count);

/* ---- settings.c ---- */
/* Does the override concern the integrator: "integrator=radau5", "integrator.alpha=-0.1"? */
bool sn_is_setting(const char *set);
/* Change the integrators of all stages that were read as those say. */
void sn_apply_settings(sn_reader *reader, const char *const *sets, size_t count);

/* ---- read.c: what all files share ---- */
/* Begin to read: the document, the state of the reader (in the arena), the tree. NULL after reporting. */
sn_node *sn_begin_reading(sn_reader *reader, const char *path, const char *text, size_t length);
/* The state of the reader ends with it. SN_OK, or SN_BAD_MODEL after errors. */
sn_status sn_end_reading(sn_reader *reader);
/* Is it a mapping whose key `sinew` names the version we read? `what` the file is: "a model". */
bool sn_check_root(sn_reader *reader, const sn_node *root, const char *what);

/* The analysis of a model: one, or a list of stages; `key`: what messages about all of it underline. */
void sn_read_analyses(sn_reader *reader, const sn_node *key, const sn_node *node);

/* ---- read_number.c: all return false after reporting ---- */
bool sn_read_number(sn_reader *reader, const sn_node *node, const char *what, double *value);
/* An expression of t, or of `variable` where one is given. */
const sn_expr *sn_read_function(sn_reader *reader, const sn_node *node, const char *what, const char *variable);
/* An expression of t and of the place: its variables are x, y and z. */
const sn_expr *sn_read_field_function(sn_reader *reader, const sn_node *node, const char *what);
/* An expression in a scope of its own; `wanted`: what it should be. */
const sn_expr *sn_read_in_scope(sn_reader *reader, const sn_node *node, const char *what, const char *wanted,
                                const sn_scope *scope);
/* A node for the bytes offset .. offset + length of a scalar's text, for a message. */
sn_node sn_part_of(const sn_reader *reader, const sn_node *node, size_t offset, size_t length);
/* The value of a piece of a scalar; `node` is only for messages. */
bool sn_evaluate(sn_reader *reader, const sn_node *node, size_t offset, size_t length, double *value);
bool sn_within_limits(sn_reader *reader, const sn_field *field, const sn_node *node, bool component, double value);

/* ---- read_quantity.c ---- */
/* An expression of t, of names of its own ("stretch|rate"; NULL: none) and, with `state`, of quantities of the model;
 * without it they are refused. */
const sn_expr *sn_read_formula(sn_reader *reader, const sn_node *node, const char *what, const char *locals,
                               bool state);

/* Names of variables and inputs that mean something else in expressions are errors. */
void sn_check_quantity_names(sn_reader *reader);

/* ---- field_type.c, read_names.c ---- */
bool sn_read_value(sn_reader *reader, const sn_field *field, const sn_node *node, void *at);
bool sn_read_marker(sn_reader *reader, const sn_node *node, sn_marker_ref *marker);
bool sn_read_markers(sn_reader *reader, const sn_field *field, const sn_node *node, sn_marker_ref marker[2]);
bool sn_read_body_coordinates(sn_reader *reader, const sn_field *field, const sn_node *node, sn_body_coordinates *list);
bool sn_read_coordinates(sn_reader *reader, const sn_field *field, const sn_node *node, sn_coordinate_refs *list);
/* Entry named by the scalar. *entry may have failed itself: its spec is then NULL. */
bool sn_read_reference(sn_reader *reader, sn_category category, const sn_node *node, const sn_entry **entry);

/* ---- read_entry.c ---- */
/* Fill a spec of a known kind from a mapping (NULL: defaults only). NULL after reporting. */
const sn_spec *sn_read_fields(sn_reader *reader, const sn_kind *kind, const char *name, const sn_node *label,
                              const sn_node *node, const char *const *more_keys, int more_count);
/* Fields of a mapping over those of a spec that was read; false after reporting. */
bool sn_read_more_fields(sn_reader *reader, sn_spec *spec, const sn_node *mapping);
/* Read something with a `type`; name "" for what has none. */
const sn_spec *sn_read_spec(sn_reader *reader, sn_category category, const char *name, const sn_node *label,
                            const sn_node *node);
bool sn_declare_entries(sn_reader *reader, sn_category category, const sn_node *node);
void sn_read_entries(sn_reader *reader, sn_category category);

#endif
