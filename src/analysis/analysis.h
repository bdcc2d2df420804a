/* analysis.h - what the user writes about the analysis. */
#ifndef SN_ANALYSIS_H
#define SN_ANALYSIS_H

#include "model/field.h"

typedef struct sn_dynamics_spec {
  sn_spec spec;
  double start, duration, output_step;
  const sn_spec *integrator;
} sn_dynamics_spec;

#endif
