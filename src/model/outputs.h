/* outputs.h - what the user writes about outputs and tables. */
#ifndef SN_OUTPUTS_H
#define SN_OUTPUTS_H

#include "model/field.h"

typedef struct sn_output_spec {
  sn_spec spec;
  sn_marker_ref point;
  const char *reaction, *spring;
} sn_output_spec;

typedef struct sn_table_spec {
  sn_spec spec;
  sn_reals x, y;
  int interpolation; /* 0 linear, 1 cubic */
} sn_table_spec;

#endif
