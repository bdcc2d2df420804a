/* analysis.h - the analyses' table and what the user writes about them.
 *
 * A run is a list of stages, each an analysis that takes the simulation's state where the stage before left it. Once
 * begun, an analysis moves the state step by step: in time (dynamics, kinematics) or in load (statics).
 */
#ifndef SN_ANALYSIS_H
#define SN_ANALYSIS_H

#include "model/field.h"

struct sn_simulation;

/* What every analysis has. */
typedef struct sn_analysis_spec {
  sn_spec spec;
  double start; /* time it begins at; not given in a later stage: where the stage before ended */
} sn_analysis_spec;

typedef struct sn_dynamics_spec {
  sn_analysis_spec head;
  double duration, output_step;
  const sn_spec *integrator;
  bool companion;
} sn_dynamics_spec;

typedef struct sn_kinematics_spec {
  sn_analysis_spec head;
  double duration, output_step;
} sn_kinematics_spec;

typedef struct sn_analysis_ops {
  sn_kind kind;
  bool quasi_static; /* time does not run: states have no velocity, and their a and l are not solved for again */
  /* rows of the result in addition to that at the start: at each step, or on the grid of the output step; a
   * quasi-static analysis has none on a grid */
  bool every_step;
  /* Take over the state, which is consistent. `spec` is NULL where the model says nothing. */
  sn_status (*begin)(struct sn_simulation *simulation, const sn_spec *spec);
  /* Advance the state; set simulation->finished with the last step. On failure the state is unchanged and the context
   * says why. */
  sn_status (*step)(struct sn_simulation *simulation);
  /* Expected number of rows in addition to that at the start. */
  double (*rows)(const sn_spec *spec);
} sn_analysis_ops;

/* Those that others name: `dynamics` is what a model without an analysis means. */
extern const sn_analysis_ops sn_dynamics, sn_kinematics, sn_path;

#define SN_START_FIELD                                                                                         \
  {                                                                                                            \
    "start", SN_REAL, SN_AT(sn_analysis_spec, start),                                                          \
        .unit = "s", .def = "0", .help = "start time; default in a later stage: the end of the previous stage" \
  }

#endif
