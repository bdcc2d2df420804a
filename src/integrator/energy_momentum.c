/* energy_momentum.c - the conserving member of the family: mid-point velocities, discrete gradients.
 *
 *   q1 = q0 + h (v0 + v1)/2
 *   M (v1 - v0)/h + DU + DG'l = Q(middle),   Phi(q1) = 0
 * with discrete gradients of the energies and constraints in place of those in the middle: see
 * sn_system_step_residual. Unknowns (a, l) of the middle, a = 2 (q1 - q0 - h v0)/h^2, which is (v1 - v0)/h except for
 * rigid bodies, whose v1 comes from their angular velocities.
 *   matrix: [M + h/2 D + h^2/4 K, G'; G, 0] in the middle. It leaves out how the discrete gradients differ from those
 *   in the middle, of second order in q1 - q0, and symmetric solvers serve.
 *   local error: C h^2 (a1 - a0), C = 1/12, that of the trapezoidal rule for v
 * Energy is lost only where Newton stops too early, and in every step alike: it goes on until rounding stops it.
 */
#include "integrator/energy_momentum.h"

#include "integrator/low_order.h"

typedef struct conserving {
  sn_low_order base;
  double *q, *v; /* [n] of the middle */
} conserving;

static void begin(sn_low_order *w) {
  double h = w->h;
  const sn_state *s = w->from;
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

static void accept(sn_low_order *w) {
  sn_state middle = evaluate(w);
  sn_system_end_velocity(w->system, &middle, w->from->q, w->to->q, w->h, w->to->v);
}

static const sn_low_order_ops ops = {
    .primary = SN_POSITION_LEVEL, .begin = begin, .evaluate = evaluate, .equations = equations, .accept = accept};

/* Where constraints hold the coordinates, nothing damps what is left of G v at the ends of the steps: it changes its
 * sign from step to step, and would be most of a1 - a0. */
static bool may_adapt(sn_system *system, const sn_integrator_spec *s) {
  if (s->step > 0 || system->m == 0) return true;
  sn_fail(system->context, SN_USAGE,
          "gssss: with conserve: energy-momentum and constraints there is no error to choose steps by\n"
          "  what may help: a fixed step");
  return false;
}

void *sn_energy_momentum_create(sn_system *system, const sn_integrator_spec *s, const sn_state *state) {
  conserving *w = SN_NEW(&system->arena, conserving, 1);
  if (!may_adapt(system, s) || !sn_system_supports_steps(system)) return NULL;
  w->base = (sn_low_order){.to_rounding = true, .C = 1.0 / 12};
  w->q = SN_NEW(&system->arena, double, system->n);
  w->v = SN_NEW(&system->arena, double, system->n);
  if (!sn_low_order_create(&w->base, system, s, state, &ops)) return NULL;
  w->base.newton.rounding = 1e-14;
  w->base.newton.patient = true;
  w->base.newton.slow = 0.2; /* many iterations: a good matrix pays */
  w->base.newton.most = 40;
  return w;
}
