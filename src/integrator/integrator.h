/* integrator.h - the integrators' table and what the user writes about them. */
#ifndef SN_INTEGRATOR_H
#define SN_INTEGRATOR_H

#include "system/system.h"

/* Settings every integrator has. */
typedef struct sn_integrator_spec {
  sn_spec spec;
  double step, tolerance; /* one of them: fixed or adaptive */
  double initial_step, min_step, max_step;
  int solver;          /* 0 auto, 1 ldl, 2 klu */
  double alpha, delta; /* hht-i3, newmark */
  int order;           /* radau, gam: 0 chosen on the run, 1 the lowest, ... */
  bool project;        /* radau5, radau, gam: velocities */
} sn_integrator_spec;

typedef struct sn_integrator_ops {
  sn_kind kind;
  /* Memory from the system's arena. The state is consistent: q, v on the constraints, a and l solved for. */
  void *(*create)(sn_system *system, const sn_integrator_spec *settings, const sn_state *state);
  /* One step from `state`, never beyond `limit`; `before` receives what `state` was. On failure the state is unchanged
   * and the context says why. */
  sn_status (*step)(void *self, sn_state *state, sn_state *before, double limit);
  /* The state at x->t within the last step by the method's own polynomial; NULL: cubic Hermite serves. */
  void (*interpolate)(void *self, sn_state *x);
  void (*free)(void *self); /* what is not in the arena; NULL: nothing */
} sn_integrator_ops;

#define SN_STEP_FIELDS                                                                                          \
  {"step", SN_REAL, SN_AT(sn_integrator_spec, step), .unit = "s", .limits = SN_POSITIVE, .help = "fixed step"}, \
      {"tolerance",                                                                                             \
       SN_REAL,                                                                                                 \
       SN_AT(sn_integrator_spec, tolerance),                                                                    \
       .def = "1e-5",                                                                                           \
       .limits = SN_POSITIVE,                                                                                   \
       .help = "local error allowed in the adaptive step, relative to max(1, |q|); ignored with a fixed step"}, \
      {"initial_step",                                                                                          \
       SN_REAL,                                                                                                 \
       SN_AT(sn_integrator_spec, initial_step),                                                                 \
       .unit = "s",                                                                                             \
       .limits = SN_POSITIVE,                                                                                   \
       .help = "first adaptive step; without it, chosen"},                                                      \
      {"min_step",                                                                                              \
       SN_REAL,                                                                                                 \
       SN_AT(sn_integrator_spec, min_step),                                                                     \
       .unit = "s",                                                                                             \
       .def = "1e-12",                                                                                          \
       .limits = SN_POSITIVE,                                                                                   \
       .help = "steps are never cut below"},                                                                    \
      {"max_step",                                                                                              \
       SN_REAL,                                                                                                 \
       SN_AT(sn_integrator_spec, max_step),                                                                     \
       .unit = "s",                                                                                             \
       .def = "1e30",                                                                                           \
       .limits = SN_POSITIVE,                                                                                   \
       .help = "steps never grow above"},                                                                       \
  {                                                                                                             \
    "solver", SN_CHOICE, SN_AT(sn_integrator_spec, solver),                                                     \
        .def = "auto", .choices = "auto|ldl|klu",                                                               \
        .help = "linear solver; auto: ldl, or klu where tangents are far from symmetric"                        \
  }

#endif
