/* outputs.h - what the user writes about outputs and tables. */
#ifndef SN_OUTPUTS_H
#define SN_OUTPUTS_H

#include "model/compile.h"
#include "model/field.h"

typedef struct sn_output_spec {
  sn_spec spec;
  sn_marker_ref point, resultant;
  const char *reaction, *spring, *joint;
  sn_names contact;
  int frame; /* reaction: 0 global, 1 joint */
} sn_output_spec;

typedef struct sn_table_spec {
  sn_spec spec;
  sn_reals x, y;
  int interpolation; /* 0 linear, 1 cubic */
} sn_table_spec;

/* Columns and probes of an output; errors through the compiler's reader. */
void sn_compile_output(sn_compiler *compiler, const sn_output_spec *spec, sn_output *output);

#endif
