/* newmark.c - Newmark, HHT-I3 and HHT-SI2: unknowns (a1, l1), position level.
 *
 *   q1 = q0 + h v0 + h^2/2 ((1 - 2b) a0 + 2b a1),   v1 = v0 + h ((1 - g) a0 + g a1) [+ h w]
 *   M1 x1 + (G'l - Q)_1 = 0,   x1 = (a1 + al x0)/(1 + al),   Phi_1/(b h^2) = 0
 *   hht-i3:  al in [-0.3, 0], g = 1/2 - al, b = (1 - al)^2/4
 *   newmark: al = 0 above, g = 1/2 + d, b = (g + 1/2)^2/4: the same g and b with d = -al
 *   hht-si2: hht-i3 with w, M(qm) w + G1'mu = 0, such that G1 v1 + Phi_t = 0 (low_order.h)
 * x is the acceleration of the equations, a the one of Newmark's formulas: a1 = (1 + al) x1 - al x0. With a constant M
 * this is HHT-I3 as usually written, M a1/(1 + al) + (G'l - Q)_1 - al/(1 + al) (G'l - Q)_0 = 0; where M depends on q
 * (rigid bodies in space) that form takes M1 for M0 in the last term and is of first order only.
 * a1 = x1 + al (x1 - x0) is the acceleration of the time t1 + al h. A step of another length takes its a0 from the same
 * line at t0 + al h (step_change.c), or the order would be lost where steps change.
 *   local error (Hussein et al.): C = |b - 1/(6 (1 + al))|
 */
#include <math.h>

#include "integrator/low_order.h"

typedef struct newmark_spec {
  sn_integrator_spec head;
  double delta;
} newmark_spec;

typedef struct hht_spec {
  sn_integrator_spec head;
  double alpha;
  int control; /* hht-i3: 0 steady, 1 hussein */
} hht_spec;

typedef struct beginning {
  sn_low_order *w;
  const double *a0;
} beginning;

static void begin_piece(void *user, int first, int last) {
  const beginning *x = user;
  const sn_low_order *w = x->w;
  for (int i = first; i < last; i++) {
    w->qh[i] = sn_newmark_qh(w, w->from->q[i], w->v0[i], x->a0[i]);
    w->vh[i] = sn_newmark_vh(w, w->v0[i], x->a0[i]);
  }
}

static void find_factors(sn_low_order *w) {
  w->cq = w->beta * w->h * w->h;
  w->cv = w->gamma * w->h;
  w->sv = w->h;
}

void sn_newmark_begin(sn_low_order *w, const double *a0) {
  beginning x = {w, a0};
  find_factors(w);
  sn_threads_split(w->system->threads, w->system->n, begin_piece, &x);
}

/* Steps as long as the last one find qh and vh where the predictor needs them. */
static void begin(sn_low_order *w) {
  w->at_once = w->v0 == w->from->v && w->start_a == w->a0;
  if (w->at_once)
    find_factors(w);
  else
    sn_newmark_begin(w, w->start_a);
}

static void *create(sn_system *system, const sn_integrator_spec *s, const sn_state *state, double alpha, double d,
                    bool printed, const sn_low_order_ops *ops) {
  sn_low_order *w = SN_NEW(&system->arena, sn_low_order, 1);
  *w = (sn_low_order){.alpha = alpha,
                      .shift = -alpha,
                      .elastic = s->newton != SN_SCHUR,
                      .printed = printed,
                      .beta = (1 + d) * (1 + d) / 4,
                      .gamma = 0.5 + d,
                      .share = sn_low_order_share((1 - d) / (1 + d))};
  w->C = fabs(w->beta - 1 / (6 * (1 + alpha)));
  w->first = (d + alpha) / 2; /* 0 for hht, where a1 belongs to t1 + al h */
  if (!(w->first > 0)) {
    w->lag[0] = w->beta - w->shift / 2 - 1.0 / 6;
    w->lag[1] = 1.0 / 12 - w->shift * w->shift / 2;
  }
  return sn_low_order_create(w, system, s, state, ops) ? w : NULL;
}

/* ---- the methods ---- */

static const sn_low_order_ops index3 = {.primary = SN_POSITION_LEVEL, .newmark = true, .drifts = true, .begin = begin};
static const sn_low_order_ops stabilized = {
    .primary = SN_POSITION_LEVEL, .secondary = SN_VELOCITY_LEVEL, .newmark = true, .begin = begin};

static void *create_newmark(sn_system *system, const sn_integrator_spec *s, const sn_state *state) {
  return create(system, s, state, 0, ((const newmark_spec *)(const void *)s)->delta, false, &index3);
}

static void *create_hht(sn_system *system, const sn_integrator_spec *s, const sn_state *state) {
  const hht_spec *own = (const hht_spec *)(const void *)s;
  return create(system, s, state, own->alpha, -own->alpha, own->control == 1, &index3);
}

static void *create_hht_si2(sn_system *system, const sn_integrator_spec *s, const sn_state *state) {
  const hht_spec *own = (const hht_spec *)(const void *)s;
  return create(system, s, state, own->alpha, -own->alpha, false, &stabilized);
}

static const sn_field newmark_fields[] = {
    SN_STEP_FIELDS,
    SN_NEWTON_ALL,
    {"delta", SN_REAL, SN_AT(newmark_spec, delta), .def = "0.05", .limits = SN_BETWEEN(0, 1),
     .help = "numerical damping: gamma = 1/2 + delta, beta = (gamma + 1/2)^2/4; 0 is unstable with constraints"},
    {0},
};

const sn_integrator_ops sn_newmark = {
    .kind = {.name = "newmark",
             .category = SN_INTEGRATORS,
             .summary = "Newmark's method at index 3 (first order)",
             .fields = newmark_fields,
             .spec_size = sizeof(newmark_spec),
             .check = sn_check_steps},
    .bounds_steps = true,
    .create = create_newmark,
    .step = sn_low_order_step,
    .history = sn_low_order_history,
    .free = sn_low_order_free,
};

#define ALPHA                                                                                                          \
  {                                                                                                                    \
    "alpha", SN_REAL, SN_AT(hht_spec, alpha), .def = "-0.05", .limits = SN_BETWEEN(-0.3, 0),                           \
                                              .help = "numerical damping: gamma = 1/2 - alpha, beta = (1 - alpha)^2/4" \
  }
static const sn_field hht_fields[] = {
    SN_STEP_FIELDS,
    SN_NEWTON_ALL,
    ALPHA,
    {"control", SN_CHOICE, SN_AT(hht_spec, control), .def = "steady", .choices = "steady|hussein",
     .help = "step size control; steady: keeps the step while the tolerance is met; hussein: as published by Hussein, "
             "Negrut and Shabana, 0.9 h Theta^(-1/6), Theta = (error/tolerance)^2, after every step"},
    {0},
};
static const sn_field hht_si2_fields[] = {SN_STEP_FIELDS, SN_NEWTON_TWO, ALPHA, {0}};

const sn_integrator_ops sn_hht_i3 = {
    .kind = {.name = "hht-i3",
             .category = SN_INTEGRATORS,
             .summary = "Hilber-Hughes-Taylor at index 3 (second order)",
             .fields = hht_fields,
             .spec_size = sizeof(hht_spec),
             .check = sn_check_steps},
    .damping_field = "alpha",
    .create = create_hht,
    .step = sn_low_order_step,
    .history = sn_low_order_history,
    .free = sn_low_order_free,
};

const sn_integrator_ops sn_hht_si2 = {
    .kind = {.name = "hht-si2",
             .category = SN_INTEGRATORS,
             .summary = "Hilber-Hughes-Taylor at stabilized index 2, satisfies the velocity constraints (second order)",
             .fields = hht_si2_fields,
             .spec_size = sizeof(hht_spec),
             .check = sn_check_steps},
    .damping_field = "alpha",
    .create = create_hht_si2,
    .step = sn_low_order_step,
    .stabilizing = sn_low_order_stabilizing,
    .history = sn_low_order_history,
    .free = sn_low_order_free,
};
