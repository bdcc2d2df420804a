/* nstiff.c - NSTIFF and NSTIFF-SI2: BDF of second order with variable coefficients, r = h/h_-1.
 *
 *   v1 = ((1 + r)^2 v0 - r^2 v_-1)/(1 + 2r) + c a1,   c = h (1 + r)/(1 + 2r)
 *   q1 = ((1 + r)^2 q0 - r^2 q_-1)/(1 + 2r) + c (v1 [+ w])
 *   M1 a1 + (G'l - Q)_1 = 0
 *   nstiff:     Phi_1/c^2 = 0
 *   nstiff-si2: (G1 v1 + Phi_t)/c = 0, and Phi_1 = 0 by w, (M(qm) + c D + c^2 K) w + G1'mu = 0 (low_order.h)
 *   local error: C h^2 (a1 - a0), C = (1 + r)^2/(6 r (1 + 2r)), as q''' h = a1 - a0;
 *   where positions are given, the formula for q1 makes v1 = q' + C h^3/c q'''
 * The first step, and one much longer than the one before (BDF is not stable beyond r = 1 + sqrt(2)), is the
 * trapezoidal rule: v1 = v0 + h/2 (a0 + a1), q1 = q0 + h/2 (v0 + v1 [+ w]), C = 1/12.
 */
#include "integrator/low_order.h"

static void begin(sn_low_order *w) {
  const sn_state *s = w->from;
  double h = w->h, r = w->last_h > 0 ? h / w->last_h : INFINITY;
  bool bdf = r < 2.2;
  double c = bdf ? h * (1 + r) / (1 + 2 * r) : h / 2, past = bdf ? r * r / (1 + 2 * r) : 0;
  w->C = bdf ? (1 + r) * (1 + r) / (6 * r * (1 + 2 * r)) : 1.0 / 12;
  w->rate_C = w->C * h / c;
  w->cv = w->sq = c;
  w->cq = c * c;
  /* (1 + r)^2/(1 + 2r) = 1 + past: in differences, so that what is constant stays so */
  for (int i = 0; i < w->system->n; i++) {
    w->vh[i] = w->v0[i] + (bdf ? past * (s->v[i] - w->last_v[i]) : c * w->a0[i]);
    w->qh[i] = s->q[i] + (bdf ? past * (s->q[i] - w->last_q[i]) : c * w->v0[i]) + c * w->vh[i];
  }
}

/* lag: that of positions across constraints is in w where velocities are held */
static void *create(sn_system *system, const sn_integrator_spec *s, const sn_state *state,
                    const sn_low_order_ops *ops) {
  const bool held = ops->primary == SN_VELOCITY_LEVEL;
  sn_low_order *w = SN_NEW(&system->arena, sn_low_order, 1);
  *w = (sn_low_order){
      .C = 2.0 / 9, .beta = 4.0 / 9, .lag = {held ? 0 : 1.0 / 3, 1.0 / 3}, .elastic = true, .share = 1e-5};
  return sn_low_order_create(w, system, s, state, ops) ? w : NULL;
}

static const sn_low_order_ops index3 = {.primary = SN_POSITION_LEVEL, .two_steps = true, .begin = begin};
static const sn_low_order_ops stabilized = {
    .primary = SN_VELOCITY_LEVEL, .secondary = SN_POSITION_LEVEL, .two_steps = true, .begin = begin};

static void *create_nstiff(sn_system *system, const sn_integrator_spec *s, const sn_state *state) {
  return create(system, s, state, &index3);
}

static void *create_nstiff_si2(sn_system *system, const sn_integrator_spec *s, const sn_state *state) {
  return create(system, s, state, &stabilized);
}

static const sn_field nstiff_fields[] = {SN_STEP_FIELDS, SN_NEWTON_ALL, {0}};
static const sn_field nstiff_si2_fields[] = {SN_STEP_FIELDS, SN_NEWTON_TWO, {0}};

const sn_integrator_ops sn_nstiff = {
    .kind = {.name = "nstiff",
             .category = SN_INTEGRATORS,
             .summary = "BDF of second order at index 3",
             .fields = nstiff_fields,
             .spec_size = sizeof(sn_integrator_spec),
             .check = sn_check_steps},
    .damps = true,
    .create = create_nstiff,
    .step = sn_low_order_step,
    .history = sn_low_order_history,
    .free = sn_low_order_free,
};

const sn_integrator_ops sn_nstiff_si2 = {
    .kind = {.name = "nstiff-si2",
             .category = SN_INTEGRATORS,
             .summary = "BDF of second order at stabilized index 2, satisfies position and velocity constraints",
             .fields = nstiff_si2_fields,
             .spec_size = sizeof(sn_integrator_spec),
             .check = sn_check_steps},
    .damps = true,
    .create = create_nstiff_si2,
    .step = sn_low_order_step,
    .history = sn_low_order_history,
    .free = sn_low_order_free,
};
