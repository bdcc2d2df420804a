/* trust_remedy.c - see trust_remedy.h. */
#include "analysis/trust_remedy.h"

#include <string.h>

#include "analysis/evidence.h"
#include "model/registry.h"

/* Methods with numerical damping by design, as selected by the user, or that may gain energy. */
const char *sn_remedy_damping(sn_simulation *s) {
  const sn_integrator_ops *ops = s->ops;
  if (!ops) return "";
  const char *name = ops->kind.name, *field = ops->damping_field;
  const double setting = field ? sn_setting(s, field) : 0, rho = sn_setting(s, "rho");
  const bool implicit = ops->impulsive && sn_setting(s, "elastic") != 0;
  if (sn_evidence_energy(s) > 0)
    return implicit && rho >= 1 ? "; elastic: implicit with rho = 1 may gain energy, with 'rho' below 1 it never does"
                                : "";
  const bool damped = ops->damped ? ops->damped(s->settings) : field && setting != ops->undamped;
  if (damped && ops->damped && sn_given(s->settings, "rho"))
    return sn_format(&s->arena, "; %s with this 'rho' damps by design", name);
  if (damped) return sn_format(&s->arena, "; %s with %s = %g damps by design", name, field, setting);
  if (implicit && rho < 1) return sn_format(&s->arena, "; elastic: implicit with rho = %g damps by design", rho);
  if (!sn_has_flexible_bodies(s->model)) return ""; /* no vibrations that are not resolved */
  return ops->damps ? sn_format(&s->arena, "; %s damps vibrations that its steps do not resolve", name) : "";
}

/* A flexible body with surfaces that nothing in its material damps. NULL: none. */
static const sn_body *undamped_in_contact(const sn_model *model) {
  const sn_surfaces *surfaces = model->surfaces;
  for (int i = 0; surfaces && i < surfaces->surfaces; i++) {
    const sn_body *body = &model->body[surfaces->surface[i].body];
    if (body->spec && sn_field_index(body->spec->kind, "stiffness_damping") >= 0 &&
        !sn_given(body->spec, "stiffness_damping"))
      return body;
  }
  return NULL;
}

/* The setting that bounds the sum at a cost anybody pays, or the method. With friction, steps that bound it would follow
 * every wave of a body that has no damping. */
const char *sn_remedy_bounds(sn_simulation *s) {
  if (!s->ops || s->settings->bounds != SN_BOUND_STEP) return "";
  if (s->ops->bounds_steps) return sn_remedy_order(s);
  const sn_body *waves = s->model->surfaces && s->model->surfaces->friction ? undamped_in_contact(s->model) : NULL;
  if (waves)
    return sn_format(&s->arena,
                     "; '%s' has no damping, and its waves make contacts slip and stick without end; possible remedy: "
                     "'stiffness_damping' on it, such as 1e-4 s, which takes fewer steps as well",
                     waves->name);
  return sn_format(&s->arena,
                   "; 'integrator: {type: %s, bounds: run}' keeps their sum below the tolerance, at a higher cost%s",
                   s->ops->kind.name, strncmp(s->ops->kind.name, "radau", 5) == 0 ? "" : ", often less with 'radau'");
}

/* Methods of first order, whose tolerance is that of a step. */
const char *sn_remedy_order(sn_simulation *s) {
  if (!s->ops || !s->ops->bounds_steps || s->settings->bounds != SN_BOUND_STEP) return "";
  return sn_format(&s->arena,
                   "; %s is of first order, and its tolerance is that of a step; possible remedy: hht-i3 or radau",
                   s->ops->kind.name);
}

const char *sn_remedy_adaptive(const sn_simulation *s) {
  return sn_may_adapt(s->system, s->settings) ? ", or adaptive steps (tolerance)" : "";
}

const char *sn_remedy_method(sn_simulation *s, const char *one, const char *other) {
  const sn_surfaces *surfaces = s->model->surfaces;
  const char *name = s->ops->kind.name;
  if (s->model->rigid_stops || (surfaces && surfaces->dvi)) return ""; /* one method can do that */
  if (!other) return strcmp(name, one) == 0 ? "" : one;
  if (strcmp(name, one) == 0 || strcmp(name, other) == 0) return "";
  return sn_format(&s->arena, "%s, %s", one, other);
}

const char *sn_remedy_accuracy(sn_simulation *s) {
  if (s->settings->step > 0) return sn_format(&s->arena, "a smaller step%s", sn_remedy_adaptive(s));
  const char *method = sn_remedy_method(s, "radau", NULL);
  return *method ? sn_format(&s->arena, "a smaller tolerance, or another integrator (%s)", method)
                 : "a smaller tolerance";
}

/* Contacts that take no energy: what settles on them vibrates for ever, and steps follow that. */
static const char *remedy_settling(const sn_simulation *s) {
  const sn_surfaces *surfaces = s->model->surfaces;
  bool elastic = surfaces && surfaces->penalty && s->evidence.displacement < 1e-2 * s->evidence.size;
  for (int k = 0; elastic && k < surfaces->laws; k++) elastic = surfaces->law[k].dvi || !(surfaces->law[k].damping > 0);
  return elastic ? "; on contacts without 'damping' or 'restitution' nothing comes to rest, and steps follow its "
                   "vibrations"
                 : "";
}

/* Small motions: steps bound errors relative to max(1, |q|), and recorded points move by less. Their difference may be
 * many tolerances of their way, and what was asked for all the same. */
const char *sn_remedy_small_motion(sn_simulation *s) {
  const double way = s->evidence.displacement;
  const bool as_asked = way < 1 && s->evidence.apart <= 10 * sn_evidence_tolerance(s) &&
                        s->evidence.variables_apart < s->system->statistics.estimated_error;
  if (s->evidence.earlier >= s->system->statistics.estimated_error) return NULL; /* another stage, another way */
  if (!(way > 0 && (way < 1e-3 * s->evidence.size || as_asked) && sn_evidence_tolerance(s) > 0)) return NULL;
  return sn_format(&s->arena,
                   "recorded points move by %.2g m only, and differ by %.2g of this from those of a more accurate "
                   "companion run; possible remedy: a smaller absolute tolerance, 'integrator: {type: %s, absolute: "
                   "%.0e}'%s",
                   way, s->system->statistics.estimated_error * sn_evidence_tolerance(s), s->ops->kind.name,
                   sn_evidence_tolerance(s) * way, remedy_settling(s));
}
