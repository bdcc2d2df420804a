/* sticking.c - steps end where the speed of a joint with friction passes its creep speed: there the second derivative
 * of friction by the speed jumps, and below it friction is a stiff damper. A step that goes over it would see neither. */
#include "analysis/sticking.h"

#include <math.h>
#include <string.h>

#include "analysis/crossings.h"
#include "force/friction.h"
#include "force/rope.h"
#include "joint/slide.h"

typedef struct threshold {
  const sn_friction *friction;
  double speed; /* signed, of a coordinate; of a ball: the size */
} threshold;

static double excess(const void *self, const sn_eval *ev) {
  const threshold *x = self;
  double u[3];
  if (sn_friction_speed(x->friction, ev->q, ev->v, u) == 3) u[0] = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  return u[0] - x->speed;
}

static const double TOLERANCE = 1e-7; /* of the stage: forces and their slopes are continuous there */

void sn_add_sticking_crossings(sn_simulation *s) {
  const double tolerance = TOLERANCE * (isfinite(s->end) ? s->end - s->begin : 1);
  const int count = sn_frictions_of(s->model, NULL, 0);
  if (count == 0 || (s->ops && s->ops->impulsive)) return;
  const sn_friction **list = SN_NEW(&s->arena, const sn_friction *, count);
  sn_frictions_of(s->model, list, count);
  for (int i = 0; i < count; i++) {
    if (list[i]->mu == 0 && list[i]->constant == 0) continue;
    for (int sign = list[i]->ball ? 1 : -1; sign < 2; sign += 2) {
      threshold *self = SN_NEW(&s->arena, threshold, 1);
      *self = (threshold){list[i], sign * list[i]->creep};
      sn_add_crossing(s, &(sn_crossing){.value = excess, .self = self, .tolerance = tolerance, .smooth = true});
    }
  }
}

static double creep_of(const sn_simulation *s, const sn_friction *x) {
  double u[3];
  if (x->mu == 0 && x->constant == 0) return 0;
  const int n = sn_friction_speed(x, s->state.q, s->state.v, u);
  const double speed = n == 3 ? sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) : fabs(u[0]);
  const bool turns = x->ball || x->phi.type != SN_PHI_TRAVEL;
  return speed < x->creep ? speed * (turns ? s->evidence.size : 1) : 0;
}

double sn_creeping(const sn_simulation *s) {
  const sn_state *now = &s->state;
  const sn_friction *x;
  double fastest = 0;
  for (int i = 0; i < s->model->joints; i++)
    if (s->model->joint[i].slide) fastest = fmax(fastest, sn_slide_creep(&s->model->joint[i], now->q, now->v));
  fastest = fmax(fastest, sn_rope_creep(s->model, &(sn_eval){.t = now->t, .q = now->q, .v = now->v}));
  if (s->ops && s->ops->impulsive) return fastest; /* there other joints stick */
  for (int i = 0; (x = sn_friction_number(s->model, i)); i++) fastest = fmax(fastest, creep_of(s, x));
  return fastest;
}

/* ---- equilibria ---- */

/* In the first stage coordinates are those from the start; what has not moved needs no friction to stay. */
static bool has_moved(const sn_simulation *s, const sn_friction *x) {
  const double small = 1e-9;
  sn_phi p;
  if (x->ball || s->stage > 0) return true;
  sn_phi_at(&x->phi, s->state.q, &p);
  return fabs(p.value) > small * (x->phi.type == SN_PHI_TRAVEL ? s->evidence.size : 1);
}

/* Does a stage follow that has friction? */
static bool moves_later(const sn_simulation *s) {
  for (int k = s->stage + 1; k < s->stages; k++)
    if (s->stage_spec[k] && strcmp(s->stage_spec[k]->kind->name, "dynamics") == 0) return true;
  return false;
}

void sn_doubt_frictionless(sn_simulation *s) {
  const char *names = "";
  const sn_friction *x;
  for (int i = 0; (x = sn_friction_number(s->model, i)); i++)
    if ((x->mu > 0 || x->constant > 0) && has_moved(s, x))
      names = sn_format(&s->arena, "%s%s'%s'", names, *names ? ", " : "", x->name);
  for (int i = 0; i < s->model->joints; i++) {
    const sn_joint *joint = &s->model->joint[i];
    const double *mu = joint->slide ? sn_field_value(joint->spec, "friction") : NULL;
    if (mu && *mu > 0) names = sn_format(&s->arena, "%s%s'%s'", names, *names ? ", " : "", joint->name);
  }
  if (!*names) return;
  const char *text = sn_format(&s->arena, "%s is without dry friction: %s could hold other states as well",
                               s->analysis->kind.name, names);
  if (moves_later(s))
    sn_add_note(s, text);
  else
    sn_add_doubt(s, SN_DOUBTFUL,
                 sn_format(&s->arena, "%s; possible remedy: dynamics, with a load that grows slowly", text));
}
