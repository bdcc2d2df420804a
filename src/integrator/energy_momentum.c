/* energy_momentum.c - the conserving members of the family, V0(1, 1, s): mid-point velocities, discrete gradients.
 *
 *   q1 = q0 + h (v0 + v1)/2
 *   M (v1 - v0)/h + DU + DG'l = Q(middle),   Phi(q1) = 0
 * with discrete gradients of the energies and constraints in place of those in the middle: see
 * sn_system_step_residual. Unknowns (a, l) of the middle, a = 2 (q1 - q0 - h v0)/h^2, which is (v1 - v0)/h except for
 * rigid bodies, whose v1 comes from their angular velocities.
 *   matrix: [M + h/2 D + h^2/4 K, G'; G, 0] in the middle. The difference of the discrete gradients from those at the
 *   midpoint, of second order in q1 - q0, is neglected, so that symmetric solvers can be used.
 *   local error: C h^2 (a1 - a0), C = 1/12, that of the trapezoidal rule for v
 * For V0(1, 1, s) the formulas of gssss_family.h are v1 = v0 + h a, q1 = q0 + h v0 + h^2/2 a, with the acceleration a
 * of the middle, for any s: positions, velocities and multipliers are those of V0(1, 1, 0). s is the root of the
 * acceleration variable of a member, which is not used here. Projection: q1 onto Phi = 0, then v1 onto G v + Phi_t = 0,
 * then the acceleration of the end onto its own, each with the smallest change in the mass norm. It does work, of the
 * order of the violation of G v. The energy error comes from the remaining residual of Newton's method and has the same
 * sign in every step, so the iteration continues until rounding stops it.
 */
#include "integrator/energy_momentum.h"

#include "integrator/low_order.h"

typedef struct conserving {
  sn_low_order base;
  double *q, *v; /* [n] of the middle */
  double past_h; /* length of the step before; 0: none */
  int projections;
} conserving;

static void begin(sn_low_order *w) {
  double h = w->h;
  const sn_state *s = w->from;
  ((conserving *)w)->past_h = w->last_h;
  w->cq = h * h / 2;
  w->cv = h;
  w->cm = 1;
  w->cd = h / 2;
  w->ck = h * h / 4;
  for (int i = 0; i < w->system->n; i++) {
    w->qh[i] = s->q[i] + h * s->v[i];
    w->vh[i] = s->v[i];
  }
}

static sn_state evaluate(sn_low_order *base) {
  conserving *w = (conserving *)base;
  const sn_state *s = base->from, *to = base->to;
  for (int i = 0; i < base->system->n; i++) {
    w->q[i] = 0.5 * (s->q[i] + to->q[i]);
    w->v[i] = s->v[i] + 0.5 * base->h * to->a[i];
  }
  return (sn_state){.t = s->t + 0.5 * base->h, .q = w->q, .v = w->v, .a = to->a, .l = to->l};
}

static void equations(sn_low_order *w, const sn_state *middle, double *r) {
  sn_system_step_residual(w->system, middle, w->from->q, w->to->q, w->h, r);
}

static void find_end(sn_low_order *w) {
  sn_state middle = evaluate(w);
  sn_system_end_velocity(w->system, &middle, w->from->q, w->to->q, w->h, w->to->v);
}

static bool project(sn_low_order *w) {
  int most = ((const conserving *)w)->projections;
  find_end(w);
  return sn_low_order_factor_twin(w) && sn_low_order_close(w, SN_POSITION_LEVEL, true, most) &&
         sn_low_order_close(w, SN_VELOCITY_LEVEL, true, most);
}

/* The state has the acceleration of the end, on the line through the last two (the first belongs to the start),
 * projected onto its constraints; the method continues with that of the middle. Without constraints there was no
 * `finish`. */
static void accept_projected(sn_low_order *w) {
  double past = ((conserving *)w)->past_h, s = past > 0 ? w->h / (w->h + past) : 1;
  if (w->system->m == 0) find_end(w);
  for (int i = 0; i < w->system->n; i++) w->to->a[i] += s * (w->a0[i] - w->previous[i]);
  if (w->system->m > 0) sn_low_order_close(w, SN_ACCELERATION_LEVEL, true, ((const conserving *)w)->projections);
}

static const sn_low_order_ops plain = {
    .primary = SN_POSITION_LEVEL, .begin = begin, .evaluate = evaluate, .equations = equations, .accept = find_end};
static const sn_low_order_ops projected = {.primary = SN_POSITION_LEVEL,
                                           .begin = begin,
                                           .evaluate = evaluate,
                                           .equations = equations,
                                           .finish = project,
                                           .accept = accept_projected};

/* In directions fixed by constraints the remaining G v at the ends of the steps is not damped: it changes its sign from
 * step to step and would dominate a1 - a0. */
static bool may_adapt(sn_system *system, const sn_gssss_spec *s) {
  if (s->head.step > 0 || system->m == 0) return true;
  sn_fail(system->context, SN_USAGE,
          "gssss: conserve: energy-momentum with constraints has no error estimate for adaptive steps\n  possible "
          "remedy: a fixed step");
  return false;
}

void *sn_energy_momentum_create(sn_system *system, const sn_gssss_spec *s, const sn_state *state) {
  conserving *w = SN_NEW(&system->arena, conserving, 1);
  if (!may_adapt(system, s) || !sn_system_supports_steps(system)) return NULL;
  w->base = (sn_low_order){.to_rounding = true, .of_middle = true, .C = 1.0 / 12};
  w->q = SN_NEW(&system->arena, double, system->n);
  w->v = SN_NEW(&system->arena, double, system->n);
  bool projects = s->stabilize != SN_STABILIZE_NONE;
  w->projections = s->projections;
  if (projects && sn_system_twin(system, NULL, &w->base.twin) != SN_OK) return NULL;
  if (!sn_low_order_create(&w->base, system, &s->head, state, projects ? &projected : &plain)) return NULL;
  w->base.newton.rounding = 1e-14;
  w->base.newton.patient = true;
  w->base.newton.slow = 0.2; /* many iterations: a good matrix pays */
  w->base.newton.most = 40;
  return w;
}
