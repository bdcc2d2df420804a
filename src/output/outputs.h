/* outputs.h - what the user writes about outputs. */
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

/* Columns and probes of all outputs; errors through the compiler's reader. */
void sn_compile_outputs(sn_compiler *compiler);

#endif
