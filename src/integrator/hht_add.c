/* hht_add.c - HHT-ADD: HHT for the applied forces, an additive pair of formulas for the reactions.
 *
 *   M1 x1 = Q1,   a1 = (1 + al) x1 - al x0        applied forces only
 *   M_i R_i + G_i'psi_i = 0,   i = 0, 1             psi0, psi1: of this step only
 *   q1 = q0 + h v0 + h^2/2 ((1 - 2b) a0 + 2b a1) + h^2/2 ((1 - c) R0 + c R1)
 *   v1 = v0 + h ((1 - g) a0 + g a1) + h/2 (R0 + R1)
 *   Phi_1 = 0,   G1 v1 + Phi_t = 0;   c = 0.3 (any but 1/2)
 *
 * Iteration. Let e be the change of a1 with the same effect on q1 as all changes together, dq = b h^2 e, and s defined
 * by e = da1 - M^-1 G's. With one M and G for both ends, and dv = g h e at first,
 *   [M/(1 + al) + g h D + b h^2 K, G'; G, 0] (e, s/(1 + al)) = -(M1 x1 - Q1, Phi_1/(b h^2))
 * which is the matrix of hht-i3. The velocity constraint follows with [M, G'; G, 0] (dv, mu) = -(0, G1 v1 + Phi_t), dq
 * = 0. Either is a pair of changes (1 - c) dpsi0 + c dpsi1 = y_q, dpsi0 + dpsi1 = y_v. At last R_i follow psi_i by
 * M^-1. The multipliers' diagonal -1/eps, eps -> 0, makes [M, G'; G, -1/eps] a matrix that solves with M alone.
 *
 * Energy at changes of the step (step_change.c). Expanded in h, with A = M^-1 Q, R the true reactions, a = A + R = a_t +
 * a_n along and across the constraints, steps of one length have R_i = R -+ h r/2 and velocities v = q' - h^2 u:
 *   u = P w,   r = 2/(1 - 2c) (1 - P) w,   w = c1 A' + c3 R',   c1 = b + al/2 - 1/6,   c3 = c/2 - 1/6
 *   E' = h^2 (v.M (c2 A'' + R''/12) - a_t.M w - a_n.M w/(1 - 2c)),   c2 = 1/12 - al^2/2
 * Where A does not change (weight), a' = R', and a_n has the factor c3/(1 - 2c) in place of c1 of the other methods.
 */
#include <math.h>
#include <string.h>

#include "integrator/low_order.h"

static const double SPLIT = 0.3; /* c */

typedef struct hht_add {
  sn_low_order base;
  sn_system *mass;                   /* M alone */
  sn_system *start;                  /* [M, G'; G, 0] at the start of the step */
  double *zero;                      /* [n + m] */
  double *padded;                    /* [n + m] a vector of coordinates, and zeros */
  double *a0, *x0;                   /* [n] of the applied forces, at the start of the step */
  double *a;                         /* [n] a1 */
  double *last_a;                    /* [n] a0 of the step before */
  double *total;                     /* [n] a + (R0 + R1)/2 of the step before */
  double *R[2];                      /* [n] */
  double *psi[2];                    /* [m] */
  double *start_R[2], *start_psi[2]; /* where the iteration starts: the result of the step before */
  double *y;                         /* [n + m] */
  double *x;                         /* [n + m] */
} hht_add;

/* q1, v1 of the formulas; a and l of the iterate: means over the step. */
static void place(hht_add *w) {
  sn_state *to = w->base.to;
  double h = w->base.h, c = SPLIT;
  for (int i = 0; i < w->base.system->n; i++) {
    double R0 = w->R[0][i], R1 = w->R[1][i], a = w->a[i];
    to->q[i] = w->base.qh[i] + w->base.cq * a + h * h / 2 * ((1 - c) * R0 + c * R1);
    to->v[i] = w->base.vh[i] + w->base.cv * a + h / 2 * (R0 + R1);
    to->a[i] = a + (R0 + R1) / 2;
  }
  for (int i = 0; i < w->base.system->m; i++) to->l[i] = (w->psi[0][i] + w->psi[1][i]) / 2;
}

/* a0 on the line through it and x0, as in newmark.c: of the applied forces alone. */
static void begin(sn_low_order *base) {
  hht_add *w = (hht_add *)base;
  double r = base->last_h > 0 ? base->h / base->last_h : 1;
  for (int i = 0; i < base->system->n; i++) base->room_a[i] = w->x0[i] + r * (w->a0[i] - w->x0[i]);
  sn_newmark_begin(base, base->room_a);
}

static void reset(sn_low_order *base) {
  hht_add *w = (hht_add *)base;
  size_t n = (size_t)base->system->n * sizeof(double), m = (size_t)base->system->m * sizeof(double);
  double s = base->previous_h > 0 ? base->h / base->previous_h : 0;
  for (int i = 0; i < base->system->n; i++) w->a[i] = w->a0[i] + s * (w->a0[i] - w->last_a[i]);
  for (int k = 0; k < 2; k++) {
    memcpy(w->R[k], w->start_R[k], n);
    memcpy(w->psi[k], w->start_psi[k], m);
  }
  place(w);
}

/* x[n] := M y at the start of the step, of which there is a matrix; the rest of x[n + m] is anything */
static void start_mass_times(hht_add *w, const double *y, double *x) {
  int n = w->base.system->n;
  memcpy(w->padded, y, (size_t)n * sizeof(double));
  sn_system_kept_mass_times(w->start, w->base.from, w->padded, x);
}

/* psi_i += k_i s_i, R_i += k_i y for a pair of changes y_q, y_v times y = -M^-1 G1's1. The same y has other multipliers
 * at the start, from [M, G0'; G0, 0] (x, -s0) = (M y, 0): near singular positions the one may be any multiple of the
 * other. */
static void spread(hht_add *w, double yq, double yv, const double *s, const double *y) {
  int n = w->base.system->n, m = w->base.system->m;
  double k1 = (yq - (1 - SPLIT) * yv) / (2 * SPLIT - 1), k[2] = {yv - k1, k1};
  start_mass_times(w, y, w->x);
  memset(w->x + n, 0, (size_t)m * sizeof(double));
  sn_system_solve(w->start, w->x);
  for (int i = 0; i < n; i++) {
    w->R[0][i] += k[0] * y[i];
    w->R[1][i] += k[1] * y[i];
  }
  for (int i = 0; i < m; i++) {
    w->psi[0][i] -= k[0] * w->x[n + i];
    w->psi[1][i] += k[1] * s[i];
  }
}

/* y := M^-1 y with the kept matrix */
static void divide_by_mass(hht_add *w, double *y) {
  memset(y + w->base.system->n, 0, (size_t)w->base.system->m * sizeof(double));
  sn_system_solve(w->mass, y);
}

/* R_i := -M_i^-1 G_i'psi_i, one correction; returns its norm. */
static double follow(hht_add *w) {
  sn_low_order *base = &w->base;
  double norm = 0;
  for (int k = 0; k < 2; k++) {
    const sn_state *at = k ? base->to : base->from;
    if (k)
      sn_system_mass_times(base->system, at, w->R[k], w->y);
    else
      start_mass_times(w, w->R[k], w->y);
    sn_system_reaction(base->system, at, w->psi[k], base->work);
    for (int i = 0; i < base->system->n; i++) w->y[i] += base->work[i];
    divide_by_mass(w, w->y);
    for (int i = 0; i < base->system->n; i++) w->R[k][i] -= w->y[i];
    norm += sn_low_order_norm(base, w->y);
  }
  return norm;
}

/* x := A^-1 x. With redundant constraints s must have nothing in the null space of G': that of G1 is not that of G0,
 * and what is nothing at the one end of the step would be a force at the other. Hence matrices of the start, which is
 * on its constraints. */
static void solve(sn_system *s, double *x) {
  if (s->regularization > 0)
    sn_system_solve_refined(s, x);
  else
    sn_system_solve(s, x);
}

static double close_velocity(hht_add *w) {
  sn_low_order *base = &w->base;
  sn_system *s = base->system;
  double *x = base->work;
  memset(x, 0, (size_t)s->n * sizeof(double));
  sn_system_velocity(s, base->to, x + s->n);
  for (int i = 0; i < s->m; i++) x[s->n + i] = -x[s->n + i];
  solve(base->twin, x);
  spread(w, 0, 2 / base->h, x + s->n, x);
  return sn_low_order_norm(base, x) / base->cv;
}

static double iterate(void *self, double *dx) {
  hht_add *w = self;
  sn_low_order *base = &w->base;
  sn_system *s = base->system;
  int n = s->n, m = s->m;
  double al = base->alpha, h = base->h;
  if (m > 0 && !base->twin_valid && !(sn_low_order_factor_twin(base) && sn_system_factor_mass(w->mass, base->to)))
    return NAN;
  sn_state at = *base->to;
  for (int i = 0; i < n; i++) base->x[i] = (w->a[i] + al * w->x0[i]) / (1 + al);
  at.a = base->x;
  at.l = w->zero;
  sn_system_residual(s, &at, 1, dx);
  sn_system_position(s, base->to, dx + n);
  for (int i = 0; i < n; i++) dx[i] = -dx[i];
  for (int i = 0; i < m; i++) dx[n + i] = -dx[n + i] / base->cq;
  solve(s, dx);
  double norm = sn_low_order_norm(base, dx);
  for (int i = 0; i < n; i++) w->a[i] += dx[i];
  if (m > 0) {
    for (int i = 0; i < m; i++) dx[n + i] *= 1 + al;
    sn_system_reaction(s, base->to, dx + n, w->y);
    divide_by_mass(w, w->y);
    for (int i = 0; i < n; i++) w->a[i] += w->y[i], w->y[i] = -w->y[i];
    spread(w, 2 * base->cq / (h * h), 2 * base->cv / h, dx + n, w->y);
    place(w);
    norm += close_velocity(w);
    norm += follow(w);
  }
  place(w);
  for (int i = 0; i < n; i++) w->y[i] = base->to->a[i] - w->total[i];
  base->error = sn_low_order_norm(base, w->y);
  return norm;
}

/* The state's a and l are those of the acceleration level, whose matrix is that of the next start. */
static void accept(sn_low_order *base) {
  hht_add *w = (hht_add *)base;
  size_t n = (size_t)base->system->n * sizeof(double), m = (size_t)base->system->m * sizeof(double);
  double al = base->alpha;
  memcpy(w->total, base->to->a, n);
  memcpy(w->last_a, w->a0, n);
  for (int i = 0; i < base->system->n; i++) w->x0[i] = (w->a[i] + al * w->x0[i]) / (1 + al);
  memcpy(w->a0, w->a, n);
  for (int k = 0; k < 2; k++) {
    memcpy(w->start_R[k], w->R[k], n);
    memcpy(w->start_psi[k], w->psi[k], m);
  }
  if (sn_system_factor_mass(w->start, base->to)) sn_system_accelerations(w->start, base->to, NULL);
}

static const sn_low_order_ops ops = {.primary = SN_POSITION_LEVEL,
                                     .secondary = SN_VELOCITY_LEVEL,
                                     .newmark = true,
                                     .begin = begin,
                                     .iterate = iterate,
                                     .reset = reset,
                                     .accept = accept};

static void add_history(void *self, sn_history *h) {
  hht_add *w = self;
  size_t n = (size_t)w->base.system->n, m = (size_t)w->base.system->m;
  double *of_coordinates[] = {w->a0, w->x0, w->last_a, w->total, w->start_R[0], w->start_R[1]};
  sn_low_order_history(w, h);
  for (size_t k = 0; k < SN_COUNT(of_coordinates); k++) sn_history_reals(h, of_coordinates[k], n);
  for (int k = 0; k < 2; k++) sn_history_reals(h, w->start_psi[k], m);
}

static void add_free(void *self) {
  hht_add *w = self;
  sn_system_free(w->mass);
  sn_system_free(w->start);
  sn_low_order_free(w);
}

/* a, x, R from a = M^-1 Q + R of the start; false: M is singular. */
static bool begin_at(hht_add *w, const sn_state *state) {
  sn_system *s = w->base.system;
  w->mass->regularization = 1e30;
  if (!sn_system_factor_mass(w->mass, state) || !sn_system_factor_mass(w->start, state)) return false;
  sn_system_reaction(s, state, state->l, w->y);
  divide_by_mass(w, w->y);
  for (int i = 0; i < s->n; i++) {
    if (!isfinite(w->y[i])) return false;
    w->start_R[0][i] = w->start_R[1][i] = -w->y[i];
    w->a0[i] = w->last_a[i] = w->x0[i] = state->a[i] + w->y[i];
    w->total[i] = state->a[i];
  }
  for (int k = 0; k < 2; k++) memcpy(w->start_psi[k], state->l, (size_t)s->m * sizeof(double));
  return true;
}

typedef struct add_spec {
  sn_integrator_spec head;
  double alpha;
} add_spec;

static void *create(sn_system *system, const sn_integrator_spec *s, const sn_state *state) {
  if (system->model->nonholonomic > 0) { /* reactions act over parts of the step in which only positions are met */
    sn_fail(
        system->context, SN_USAGE,
        "hht-add does not support joints without a position level (rolling, knife-edge)\n  possible remedy: another "
        "integrator");
    return NULL;
  }
  hht_add *w = SN_NEW(&system->arena, hht_add, 1);
  int n = system->n, m = system->m;
  double al = ((const add_spec *)(const void *)s)->alpha;
  *w = (hht_add){.base = {.elastic = true,
                          .alpha = al,
                          .beta = (1 - al) * (1 - al) / 4,
                          .gamma = 0.5 - al,
                          .share = 1e-6,
                          .on_start = true}};
  w->base.C = fabs(w->base.beta - 1 / (6 * (1 + al)));
  w->base.lag[0] = (SPLIT / 2 - 1.0 / 6) / (1 - 2 * SPLIT); /* see the head of this file */
  w->base.lag[1] = 1.0 / 12 - al * al / 2;
  double **sized[] = {&w->a0, &w->x0, &w->a, &w->last_a, &w->total, &w->R[0], &w->R[1], &w->start_R[0], &w->start_R[1]};
  for (size_t k = 0; k < SN_COUNT(sized); k++) *sized[k] = SN_NEW(&system->arena, double, n);
  double **of_constraints[] = {&w->psi[0], &w->psi[1], &w->start_psi[0], &w->start_psi[1], &w->zero};
  for (size_t k = 0; k < SN_COUNT(of_constraints); k++) *of_constraints[k] = SN_NEW(&system->arena, double, m);
  w->padded = SN_NEW(&system->arena, double, n + m);
  w->y = SN_NEW(&system->arena, double, n + m);
  w->x = SN_NEW(&system->arena, double, n + m);
  if (!sn_low_order_create(&w->base, system, s, state, &ops)) return NULL;
  w->base.newton.slow = 0.2; /* psi have a factor 1/h over errors of velocity: an early end of the iteration shows */
  w->base.newton.rounding = 1e-15;
  if (sn_system_twin(system, NULL, &w->mass) != SN_OK || sn_system_twin(system, NULL, &w->start) != SN_OK ||
      !begin_at(w, state)) {
    sn_fail(system->context, SN_NUMERICS,
            "hht-add needs the accelerations due to applied forces alone, but the mass matrix is singular\n  possible "
            "remedy: hht-si2, or mass and inertia for every body");
    add_free(w);
    return NULL;
  }
  return w;
}

static const sn_field fields[] = {
    SN_STEP_FIELDS,
    SN_NEWTON_TWO,
    {"alpha", SN_REAL, SN_AT(add_spec, alpha), .def = "-0.05", .limits = SN_BETWEEN(-0.3, 0),
     .help = "numerical damping: gamma = 1/2 - alpha, beta = (1 - alpha)^2/4"},
    {0},
};

const sn_integrator_ops sn_hht_add = {
    .kind = {.name = "hht-add",
             .category = SN_INTEGRATORS,
             .summary =
                 "Hilber-Hughes-Taylor with additive reactions, satisfies the velocity constraints (second order)",
             .fields = fields,
             .spec_size = sizeof(add_spec),
             .check = sn_check_steps},
    .inverts_mass = true,
    .damping_field = "alpha",
    .create = create,
    .step = sn_low_order_step,
    .history = add_history,
    .free = add_free,
};
