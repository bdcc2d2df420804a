/* stage_checks.c - what an analysis cannot do with a model is refused before the first stage begins; see simulation.h. */
#include <math.h>
#include <string.h>

#include "analysis/simulation.h"
#include "model/formula.h"
#include "model/registry.h"

/* Modes and buckling project the equations onto the constraints, which leaves out reactions. */
static sn_status check_reactions(sn_simulation *s) {
  const char *kind = s->analysis->kind.name;
  if (strcmp(kind, "modes") != 0 && strcmp(kind, "buckling") != 0) return SN_OK;
  for (int i = 0; i < s->model->formulas; i++)
    if (s->model->formula[i]->reactive)
      return sn_fail(s->context, SN_USAGE,
                     "%s does not support forces that depend on reactions, such as those of '%s'\n  possible remedy: "
                     "the analysis linearize",
                     kind, s->model->formula[i]->owner);
  return SN_OK;
}

/* Equilibria, modes and linear models are made for constraints of positions. */
static sn_status check_nonholonomic(sn_simulation *s) {
  if (s->model->nonholonomic == 0 || strcmp(s->analysis->kind.name, "dynamics") == 0) return SN_OK;
  return sn_fail(
      s->context, SN_USAGE,
      "%s does not support joints without a position level (rolling, knife-edge)\n  possible remedy: dynamics, "
      "or other joints",
      s->analysis->kind.name);
}

/* Nothing but impulses holds a rigid stop. */
static sn_status check_rigid_stops(sn_simulation *s) {
  if (!s->model->rigid_stops || strcmp(s->analysis->kind.name, "dynamics") == 0) return SN_OK;
  return sn_fail(
      s->context, SN_USAGE,
      "%s does not support stops with a restitution\n  possible remedy: dynamics with symplectic-euler, or a "
      "stiffness",
      s->analysis->kind.name);
}

/* Impulses need steps in time. */
static sn_status check_contacts(sn_simulation *s) {
  if (!s->analysis->quasi_static || !s->model->surfaces || !s->model->surfaces->dvi) return SN_OK;
  return sn_fail(s->context, SN_USAGE, "%s does not support contacts of method dvi: use method penalty",
                 s->analysis->kind.name);
}

static sn_status check_locks(sn_simulation *s) {
  static const char *const without[] = {"path", "buckling", "modes", "linearize", "kinematics"};
  const char *kind = s->analysis->kind.name;
  for (size_t k = 0; k < SN_COUNT(without) && s->model->locks > 0; k++)
    if (strcmp(kind, without[k]) == 0)
      return sn_fail(
          s->context, SN_USAGE,
          "%s does not support joints that events lock or release, such as '%s'\n  possible remedy: dynamics "
          "or statics, or a joint without freedom instead of one that is locked",
          kind, s->model->lock[0].joint);
  return SN_OK;
}

/* Constraints do not determine variables with a rate, and vibrations are those of mechanics. */
static sn_status check_variables(sn_simulation *s) {
  const char *kind = s->analysis->kind.name;
  for (int i = 0; i < s->model->variables; i++) {
    const sn_variable *x = &s->model->variable[i];
    if (x->differential && strcmp(kind, "kinematics") == 0)
      return sn_fail(
          s->context, SN_USAGE,
          "kinematics does not support differential variables: '%s' has a rate\n  possible remedy: dynamics, "
          "or a value in place of the rate",
          x->name);
    if (x->differential && strcmp(kind, "modes") == 0)
      return sn_fail(s->context, SN_USAGE,
                     "modes are those of the mechanics alone, and the model has the differential variable '%s'",
                     x->name);
  }
  return SN_OK;
}

static sn_status check_stage(sn_simulation *s) {
  static sn_status (*const checks[])(sn_simulation *) = {check_contacts,  check_nonholonomic, check_rigid_stops,
                                                         check_reactions, check_locks,        check_variables};
  for (size_t i = 0; i < SN_COUNT(checks); i++) {
    const sn_status status = checks[i](s);
    if (status) return status;
  }
  return SN_OK;
}

sn_status sn_check_stages(sn_simulation *s) {
  const sn_analysis_ops *now = s->analysis;
  sn_status status = SN_OK;
  for (int k = s->stage; k < s->stages && status == SN_OK; k++) {
    s->analysis = sn_stage_ops(s->stage_spec[k]);
    status = check_stage(s);
  }
  s->analysis = now;
  return status;
}

/* Is the vector given in the model file, and not zero? */
static bool gives(const sn_spec *spec, const char *field) {
  const double *v =
      sn_field_index(spec->kind, field) >= 0 && sn_given(spec, field) ? sn_field_value(spec, field) : NULL;
  return v && (v[0] != 0 || v[1] != 0 || v[2] != 0);
}

void sn_doubt_lost_velocities(sn_simulation *s) {
  static const char *const needing[] = {"dynamics", "linearize", "modes"}; /* modes: a rotation alone matters */
  const char *names = "", *next = NULL;
  for (int k = s->stage + 1; k < s->stages && !next; k++)
    for (size_t i = 0; i < SN_COUNT(needing) && s->stage_spec[k]; i++)
      if (strcmp(s->stage_spec[k]->kind->name, needing[i]) == 0) next = needing[i];
  if (s->stage > 0 || !next) return;
  for (int i = 0; i < s->model->bodies; i++) {
    const sn_spec *spec = s->model->body[i].spec;
    if (spec && (gives(spec, "angular_velocity") || (next != needing[2] && gives(spec, "velocity"))))
      names = sn_format(&s->arena, "%s%s'%s'", names, *names ? ", " : "", spec->name);
  }
  if (*names)
    sn_add_doubt(
        s, SN_DOUBTFUL,
        sn_format(&s->arena,
                  "%s ends at rest: velocities that the model gives to %s are lost, and %s begins without "
                  "them; possible remedy: %s alone, from positions in equilibrium, or a stage of dynamics that "
                  "brings the model to its speed",
                  s->analysis->kind.name, names, next, next));
}

sn_status sn_check_length(sn_simulation *s) {
  const double most_rows = 1e9, most_steps = 1e13, length = s->end - s->state.t;
  if (s->analysis->quasi_static || !isfinite(length) || length <= 0)
    return SN_OK; /* no end: the caller determines the duration */
  const double rows = s->analysis->every_step ? 0 : length / s->output_step;
  const double steps = s->settings->step > 0 ? length / s->settings->step : 0;
  if (rows > most_rows)
    return sn_fail(s->context, SN_USAGE,
                   "an output every %g s for %g s needs %.3g rows; a result can have %.0g\n  possible remedy: a longer "
                   "output_step",
                   s->output_step, length, rows, most_rows);
  if (steps > most_steps)
    return sn_fail(
        s->context, SN_USAGE,
        "steps of %g s for %g s are %.3g steps, more than any computer can perform\n  possible remedy: a longer step",
        s->settings->step, length, steps);
  if (steps > 0 && s->settings->step < 4e-16 * fmax(fabs(s->state.t), fabs(s->end)))
    return sn_fail(s->context, SN_USAGE, "steps of %g s are below the rounding error of t = %g s", s->settings->step,
                   fmax(fabs(s->state.t), fabs(s->end)));
  return SN_OK;
}
