/* failure.c - causes of failed steps, in the order of the search:
 *
 *   constraints that jump:  |Phi(q, t + d) - Phi(q, t) - d Phi_t| >> d^2
 *   a singular position:    G has lost rank
 *   forces that are not finite shortly afterwards, or too large for any mechanism
 *   redundant joints
 */
#include "integrator/failure.h"

#include <stdio.h>
#include <string.h>

static const double MOMENT = 1e-6; /* d [s] */
static const double JUMP = 1e-4;   /* of a constraint within it */
static const double WILD = 1e11;   /* forces [N] of no machine */

typedef struct cause {
  char text[800];
  const char *remedy;
} cause;

const char *const sn_rounding_hint =
    "a larger step or tolerance, erk or ida, or other dimensions or initial positions (rounding errors stop the "
    "iteration, as near singular positions and with very short steps)";

static int largest(const double *x, int count) {
  int where = 0;
  for (int i = 0; i < count && !isnan(x[where]); i++)
    if (!(fabs(x[i]) <= fabs(x[where]))) where = i;
  return where;
}

/* If the force is as large a second earlier at the same q and v, its cause is q and v: an unstable method. */
static bool forces_are_wild(sn_system *s, const sn_state *next, double *r, cause *c) {
  sn_state earlier = *next;
  earlier.t -= 1;
  sn_system_residual(s, &earlier, 0, r);
  double usual = fabs(r[largest(r, s->n)]);
  if (!isfinite(usual)) return false;
  sn_system_residual(s, next, 0, r);
  int i = largest(r, s->n);
  if (!isfinite(r[i]))
    snprintf(c->text, sizeof c->text, "forces on '%s' are not finite there", sn_system_owner(s, i));
  else if (fabs(r[i]) > WILD && fabs(r[i]) > 1e3 * usual)
    snprintf(c->text, sizeof c->text, "a force on '%s' has grown to %.3g", sn_system_owner(s, i), fabs(r[i]));
  else
    return false;
  c->remedy = "forces without poles or jumps, for example step(t, t0, 0, t1, 1), or an end before that time";
  return true;
}

/* Change of Phi beyond its rate Phi_t, at constant q. */
static bool constraints_jump(sn_system *s, const sn_state *state, const sn_state *next, double *phi, cause *c) {
  double *after = phi + s->m, d = next->t - state->t;
  sn_state still = *state;
  if (s->m == 0) return false;
  still.v = s->zero;
  sn_system_velocity(s, &still, after);
  sn_system_position(s, state, phi);
  for (int i = 0; i < s->m; i++) phi[i] += d * after[i];
  sn_system_position(s, next, after);
  for (int i = 0; i < s->m; i++) phi[i] -= after[i];
  int i = largest(phi, s->m);
  if (fabs(phi[i]) < JUMP) return false;
  snprintf(c->text, sizeof c->text, "'%s' jumps by %.3g there", sn_system_owner(s, s->n + i), fabs(phi[i]));
  c->remedy = "a smooth driver, for example step(t, t0, 0, t1, 1)";
  return true;
}

static const char *const elsewhere =
    "initial positions or a driver that avoid this position, or slightly different dimensions";

static const char *const past_it =
    "initial positions or a driver that avoid this position, or slightly different dimensions; to pass it: hht-i3, "
    "radau5, gssss with stabilize: projection, or another step";

static bool position_is_singular(sn_system *s, const sn_state *state, sn_arena *arena, cause *c) {
  sn_dependency *list;
  if (s->m == 0 || s->regularization > 0) return false;
  sn_system_assemble(s, state, 0, 1, 0, 0);
  const double near = 1e-6; /* steps fail before the position itself is reached */
  if (sn_ldl_rank(sn_system_matrix(s), near, arena, &list) <= 0) return false;
  snprintf(c->text, sizeof c->text, "singular position: '%s' is redundant with '%s' there",
           s->model->group_name[list[0].group],
           list[0].member_count > 0 ? s->model->group_name[list[0].members[0]] : "other joints");
  c->remedy = past_it;
  return true;
}

static bool joints_repeat(sn_system *s, const sn_state *state, sn_arena *arena, double *phi, cause *c) {
  if (s->regularization == 0) return false;
  sn_system_position(s, state, phi);
  const char *conflict = sn_conflict_text(s, arena, phi);
  const double rounding = 1e-9;
  if (*conflict && fabs(phi[largest(phi, s->m)]) > rounding)
    snprintf(c->text, sizeof c->text, "%s", conflict);
  else
    snprintf(c->text, sizeof c->text,
             "joints that were redundant at the start (see the notes) may contradict each other here");
  c->remedy = elsewhere;
  return true;
}

static bool find_cause(sn_system *s, const sn_state *state, double h, cause *c) {
  sn_arena arena = {0};
  double *work = SN_NEW(&arena, double, s->n + 2 * s->m);
  sn_state next = *state, soon;
  next.t += fmax(h, MOMENT);
  next.a = s->zero;
  next.l = s->zero + s->n;
  soon = next;
  soon.t = state->t + h;
  bool found = constraints_jump(s, state, &next, work, c) || position_is_singular(s, state, &arena, c) ||
               forces_are_wild(s, &soon, work, c) || forces_are_wild(s, &next, work, c) ||
               joints_repeat(s, state, &arena, work, c);
  sn_arena_free(&arena);
  return found;
}

sn_status sn_fail_step(sn_system *s, const sn_integrator_spec *settings, const sn_state *state, double h,
                       const char *what, const char *help) {
  cause c = {.remedy = help};
  char remedy[120] = "";
  bool found = find_cause(s, state, h, &c);
  if (!found) c = (cause){.remedy = help};
  if (!found && settings->step == 0 && settings->tolerance < 1e-13)
    c.remedy = "a larger tolerance: this one is below the rounding error of positions";
  else if (!found && settings->min_step > 1e-9 && h <= 2 * settings->min_step) {
    snprintf(remedy, sizeof remedy, "a min_step below %g s", settings->min_step);
    c.remedy = remedy;
  }
  return sn_fail(s->context, SN_NUMERICS, "%s%s%s\n  possible remedy: %s", what, found ? "\n  " : "", c.text, c.remedy);
}
