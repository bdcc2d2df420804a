/* integrator.h - the table of an integrator and its settings in a model file. */
#ifndef SN_INTEGRATOR_H
#define SN_INTEGRATOR_H

#include <math.h>

#include "base/history.h"
#include "system/system.h"

/* What all integrators share, the first member of their specs; fields of one method stand in its file. */
typedef struct sn_integrator_spec {
  sn_spec spec;
  double step, tolerance;    /* one of them: fixed or adaptive */
  double relative, absolute; /* parts of the error allowed; 0: tolerance */
  int bounds;                /* sn_bounds: what is allowed, the error of the run or of a step */
  double horizon;            /* time over which errors of steps add up; 0: the duration of the analysis */
  double initial_step, min_step, max_step;
  int solver;         /* 0 auto, 1 ldl, 2 klu */
  int newton;         /* sn_newton_variant */
  double residual[2]; /* of forces, of constraints: where Newton stops; 0: see sn_newton_stop */
} sn_integrator_spec;

typedef enum sn_bounds { SN_BOUND_RUN, SN_BOUND_STEP } sn_bounds; /* in the order of the choices of the field */

/* Error allowed in a coordinate or velocity of size |x|, by every method; its unit as in sn_model. */
static inline double sn_allowed(const sn_integrator_spec *s, double unit, double x) {
  double relative = (s->relative > 0 ? s->relative : s->tolerance) * fabs(x);
  double absolute = s->absolute > 0 ? s->absolute : s->tolerance * unit;
  return relative > absolute ? relative : absolute;
}

/* Weights of error norms follow the largest size that a value has had: w = min(w, tolerance / allowed(x)). */
static inline void sn_lower_weights(const sn_integrator_spec *s, double tolerance, int n, const double *restrict unit,
                                    const double *restrict x, double *restrict weight) {
  for (int i = 0; i < n; i++) {
    double w = tolerance / sn_allowed(s, s->step > 0 ? 1 : unit[i], x[i]); /* fixed steps have no tolerance */
    weight[i] = w < weight[i] ? w : weight[i];
  }
}

/* bounds: run, methods of high order. Their steps grow with the tolerance by a small power, so that a time scale of the
 * motion takes about as many of them at any tolerance, and what adds up goes with the number of time scales. The unit
 * of it is the 1 s of the tolerance, which is relative to 1 m and 1 m/s: a step may err by the tolerance over the
 * seconds of the horizon. */
static inline sn_integrator_spec sn_settings_of_a_step(const sn_integrator_spec *s) {
  sn_integrator_spec of_step = *s;
  double *const accuracy[] = {&of_step.tolerance, &of_step.relative, &of_step.absolute};
  double seconds = s->bounds == SN_BOUND_RUN && s->horizon > 1 ? s->horizon : 1;
  for (int i = 0; i < 3; i++) *accuracy[i] /= seconds;
  return of_step;
}

/* Do the lengths of steps contradict each other? `check` of every method with adaptive steps: what one mapping says; and
 * what is in force where a file and a caller have each given a part. */
void sn_check_steps(sn_reader *reader, const sn_spec *method);
sn_status sn_check_steps_in_force(sn_context *context, const sn_spec *method);

typedef struct sn_integrator_ops {
  sn_kind kind;
  bool bounds_steps; /* of first order: what a run adds up to cannot be bounded at a cost anybody pays */
  bool mass_only;    /* factorizes only [M G'; G 0], which is symmetric for any forces */
  bool inverts_mass; /* M alone: every coordinate needs a mass */
  bool quintic;      /* a is as good as q and v: outputs between steps use it */
  bool multistep;    /* it relies on steps before the last: those must not be much longer than the next */
  bool damps;        /* vibrations that its steps do not resolve */
  /* Numerical damping as chosen by the user: the field of its setting (NULL: none), and the value without damping. */
  const char *damping_field;
  double undamped;
  bool (*damped)(const sn_integrator_spec *settings); /* where that field does not say it; NULL: it does */
  bool impulsive; /* v may jump and a, l are means over the step: outputs take them as they are */
  /* Name of the method to use instead, and the reason; NULL: by trial. An integrator without this function is a method
   * itself and has the functions below. */
  const char *(*choose)(const sn_system *system, const sn_integrator_spec *settings, const char **reason);
  /* Could these settings do without a fixed step? NULL: yes, if there is a field `tolerance`. */
  bool (*adapts)(const sn_system *system, const sn_integrator_spec *settings);
  /* NULL: it cannot be made, the context says why. Memory from the system's arena. The state is consistent: q, v on the
   * constraints, a and l solved for. */
  void *(*create)(sn_system *system, const sn_integrator_spec *settings, const sn_state *state);
  /* One step from `state`, never beyond `limit`; `before` receives what `state` was. On failure the state is unchanged
   * and the context says why. */
  sn_status (*step)(void *self, sn_state *state, sn_state *before, double limit);
  /* The state at x->t within the last step by the method's own polynomial; NULL: Hermite serves. */
  void (*interpolate)(void *self, sn_state *x);
  /* [m] impulses that brought v onto its constraints in the last step, divided by its length: multipliers beside l.
   * NULL: there are none. */
  const double *(*stabilizing)(const void *self);
  /* Positions that stiffness holds are off by minus this times h^2 a, where the equations of motion are met within the
   * step: accelerations and reactions in outputs allow for it. NULL: they are not. */
  double (*held_error)(const void *self);
  /* Are the multipliers of the last step those of its middle, which act against all of the way that drivers prescribe? NULL:
   * they are those of its end. */
  bool (*of_middle)(const void *self);
  /* Restart: the state or a load has jumped. NULL: the integrator is created again. */
  void (*restart)(void *self, const sn_state *state);
  /* Values stored in a checkpoint: there the integrator is created again from the state, in a running simulation as in
   * a resumed one, and restores these values. NULL: none, it restarts. */
  void (*history)(void *self, sn_history *history);
  void (*free)(void *self); /* what is not in the arena; NULL: nothing */
} sn_integrator_ops;

static inline bool sn_may_adapt(const sn_system *system, const sn_integrator_spec *settings) {
  const sn_integrator_ops *ops = (const sn_integrator_ops *)(const void *)settings->spec.kind;
  return sn_field_value(settings, "tolerance") && (!ops->adapts || ops->adapts(system, settings));
}

#define SN_STEP_FIELDS SN_FIXED_FIELDS, SN_ADAPTIVE_FIELDS, SN_SOLVER_FIELD
#define SN_FIXED_FIELDS                                                                                                \
  {                                                                                                                    \
    "step", SN_REAL, SN_AT(sn_integrator_spec, step),                                                                  \
        .unit = "s", .limits = SN_POSITIVE,                                                                            \
        .help = "fixed step; the last step is shorter, or up to a hundredth longer, if the duration is not a multiple" \
  }
/* Methods without error control. */
#define SN_ONLY_FIXED_FIELDS                                                                                    \
  {                                                                                                             \
    "step", SN_REAL, SN_AT(sn_integrator_spec, step), .unit = "s", .limits = SN_POSITIVE, .help = "fixed step", \
                                                      .example = "1e-4"                                         \
  }
#define SN_ADAPTIVE_FIELDS                                                                                             \
  {"tolerance",                                                                                                        \
   SN_REAL,                                                                                                            \
   SN_AT(sn_integrator_spec, tolerance),                                                                               \
   .def = "1e-5",                                                                                                      \
   .limits = SN_POSITIVE,                                                                                              \
   .help =                                                                                                             \
       "tolerance of adaptive steps, relative to max(u, |q|), u = 1, for positions of a model below 1 m its size; "    \
       "ignored with a fixed step"},                                                                                   \
      {"relative", SN_REAL, SN_AT(sn_integrator_spec, relative), .limits = SN_POSITIVE,                                \
       .help = "relative tolerance: max(absolute, relative |q|) is allowed; default: tolerance"},                      \
      {"absolute", SN_REAL, SN_AT(sn_integrator_spec, absolute), .limits = SN_POSITIVE,                                \
       .help = "absolute tolerance; default: tolerance times u"},                                                      \
      {"bounds",                                                                                                       \
       SN_CHOICE,                                                                                                      \
       SN_AT(sn_integrator_spec, bounds),                                                                              \
       .def = "run",                                                                                                   \
       .choices = "run|step",                                                                                          \
       .help =                                                                                                         \
           "quantity that the tolerance bounds: the error accumulated over the horizon (run), or the local error of "  \
           "each step, as in most papers (step); default with penalty contact and for newmark: step"},                 \
      {"horizon",                                                                                                      \
       SN_REAL,                                                                                                        \
       SN_AT(sn_integrator_spec, horizon),                                                                             \
       .unit = "s",                                                                                                    \
       .limits = SN_POSITIVE,                                                                                          \
       .help =                                                                                                         \
           "bounds: run: time over which the errors of steps accumulate; default: the duration of the analysis, less " \
           "if damping or drivers make errors decay"},                                                                 \
      {"initial_step",                                                                                                 \
       SN_REAL,                                                                                                        \
       SN_AT(sn_integrator_spec, initial_step),                                                                        \
       .unit = "s",                                                                                                    \
       .limits = SN_POSITIVE,                                                                                          \
       .help = "first adaptive step; shorter where its error is too large; default: automatic"},                       \
      {"min_step",                                                                                                     \
       SN_REAL,                                                                                                        \
       SN_AT(sn_integrator_spec, min_step),                                                                            \
       .unit = "s",                                                                                                    \
       .def = "1e-12",                                                                                                 \
       .limits = SN_POSITIVE,                                                                                          \
       .help = "smallest step, at most max_step; a fixed step must not be below it if it is given"},                   \
  {                                                                                                                    \
    "max_step", SN_REAL, SN_AT(sn_integrator_spec, max_step),                                                          \
        .unit = "s", .def = "1e30", .limits = SN_POSITIVE,                                                             \
        .help = "largest step; a fixed step must not be above it if it is given"                                       \
  }
#define SN_SOLVER_FIELD                                                                   \
  {                                                                                       \
    "solver", SN_CHOICE, SN_AT(sn_integrator_spec, solver),                               \
        .def = "auto", .choices = "auto|ldl|klu",                                         \
        .help = "linear solver; auto: ldl, or klu if the tangents are far from symmetric" \
  }
/* Variants of Newton a method offers; see newton.h. */
#define SN_NEWTON_FIELD(options, meaning)                                                                      \
  {                                                                                                            \
    "newton", SN_CHOICE, SN_AT(sn_integrator_spec, newton),                                                    \
        .def = "modified", .choices = options,                                                                 \
        .help =                                                                                                \
            "Newton's method; modified: matrix kept while the convergence is fast; full: new matrix in every " \
            "iteration" meaning                                                                                \
  }
#define SN_NEWTON_TWO SN_NEWTON_FIELD("modified|full", "")
#define SN_NEWTON_ALL                                                                                                  \
  SN_NEWTON_FIELD("modified|full|broyden|schur",                                                                       \
                  "; broyden: matrix kept and updated by Broyden's method; schur: without stiffness and damping, for " \
                  "models that are not stiff"),                                                                        \
      {"force_residual",                                                                                               \
       SN_REAL,                                                                                                        \
       SN_AT(sn_integrator_spec, residual[0]),                                                                         \
       .unit = "N",                                                                                                    \
       .limits = SN_POSITIVE,                                                                                          \
       .help =                                                                                                         \
           "Newton's method stops when the norm of the residual of the equations of motion is below this value; "      \
           "default: it stops by the estimated remaining error, or by constraint_residual if given"},                  \
  {                                                                                                                    \
    "constraint_residual", SN_REAL, SN_AT(sn_integrator_spec, residual[1]),                                            \
        .limits = SN_POSITIVE,                                                                                         \
        .help =                                                                                                        \
            "with force_residual: limit for the norm of the constraints, at the level that the integrator enforces; "  \
            "default: the value of force_residual"                                                                     \
  }

#endif
