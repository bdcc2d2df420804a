/* outputs.h - what the user writes about outputs, and the table of each quantity. */
#ifndef SN_OUTPUTS_H
#define SN_OUTPUTS_H

#include "model/compile.h"
#include "output/output.h"

typedef const char *sn_output_name, *sn_output_text; /* of a joint or force */
typedef double sn_output_vector[3];

/* Choices of `sequence`, four letters each. */
#define SN_SEQUENCES "xyz|xzy|yxz|yzx|zxy|zyx|xyx|xzx|yxy|yzy|zxz|zyz"
extern const char *const sn_output_sequences;
typedef const sn_expr *sn_output_formula;

typedef struct sn_output_spec {
  sn_spec spec;
#define OUTPUT(type, key, field, c_type, text, shown) c_type key;
#define OPTION(key, standard, words, text) int key;
#define DETAIL(key, field, c_type, text) c_type key;
#include "model/outputs.def"
} sn_output_spec;

typedef struct sn_output_ops {
  const char *about; /* "motion of ", before the name of what it is about */
  /* Columns, units and probes; errors through the compiler's reader. */
  void (*compile)(sn_compiler *compiler, const sn_output_spec *spec, sn_output *output);
  /* See sn_output_fill. */
  void (*fill)(const sn_model *model, const sn_output *output, const sn_eval *eval, const sn_touching *touching,
               sn_output_memory *memory, double *values);
  /* Called after every step, where it has something to follow between samples. NULL: nothing. */
  void (*follow)(const sn_output *output, const sn_eval *eval, sn_output_memory *memory);
} sn_output_ops;

#define OUTPUT(type, key, field, c_type, text, shown) extern const sn_output_ops sn_output_##key;
#include "model/outputs.def"

/* The key of a quantity: "point"; and its table. */
extern const char *const sn_output_keys[SN_OUTPUT_TYPES];
extern const sn_output_ops *const sn_output_tables[SN_OUTPUT_TYPES];

#define SN_HEADINGS_OF(names, units) ((sn_headings){(int)SN_COUNT(names), names, units})
static inline void sn_output_take(sn_output *output, sn_headings columns) {
  output->columns = columns.count;
  output->column = columns.name;
  output->unit = columns.unit;
}

/* Columns of the motion of a point. */
sn_headings sn_point_headings(int dim);

/* An angle known modulo a turn: the branch nearest to where the mean of the old and new rate leads. */
double sn_output_unwrap(sn_output_memory *memory, double t, double angle, double rate);

/* The direction `about` of a cable, for its marker. */
void sn_output_about(sn_compiler *compiler, const sn_output_spec *spec, sn_marker *marker);

/* Variables and inputs, behind the outputs that were asked for. */
void sn_add_variable_outputs(sn_compiler *compiler);
/* All outputs of a model. */
void sn_compile_outputs(sn_compiler *compiler);

#endif
