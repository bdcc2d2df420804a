/* step_change.c - corrections at a change of the step in methods with Newmark's formulas; see low_order.h.
 *
 * With a at the time t - s h (hht: s = -al; gssss: shift) the formulas give, in any smooth motion,
 *   v = q' + f h^2 q''',   f = 1/6 - b + (g - 1/2)/2
 * After a change of the step they need a different v. In free directions positions follow v, and no correction is
 * needed. If positions are fixed by constraints or by a stiffness with b h^2 K >> M, q' is given: the difference is a
 * jump of v that excites the double root and changes the energy. Therefore v is corrected in these directions only:
 *   [M + b h^2 K, G'; G, 0] (dv, mu) = c (b h^2 K q''', G q'''),   c = f (h^2 - h_-1^2)
 * with 0 for G q''' in methods that keep velocities on their constraints. The acceleration is corrected with the whole
 * of q''':  a0 := a0 - s (h - h_-1) q'''. Each part of q''' is computed from smooth quantities:
 *   across constraints   G q''' = -d/dt (G a - gamma) at constant a, before and after t0, as it jumps where a driver
 *                        begins: h^2 and h_-1^2 each have their own
 *   stiff directions     the polynomial through the last five positions, at t0, by divided differences d_1 ... d_4:
 *                        q''' = 6 d_3 + 6 d_4 ((t0 - t_-1) + (t0 - t_-2) + (t0 - t_-3));
 *                        accelerations alternate there from step to step, positions do not
 *   free directions      the last two accelerations; velocities of positions jump there by what v does not
 *
 * With bounds: run and adaptive steps the energy is kept, too. Steps of one length follow
 *   q' = v + c1 h^2 v'',   v' = a + c2 h^2 a''        lag: c1, c2
 * and so keep E - h^2 F, F = c2 v.M q''' - (c1 + c2)/2 a.M a: a change of the step would change E by (h_-1^2 - h^2) F. Of
 * this,
 *   v += (h^2 - h_-1^2) P (c2 q''' + (c1 + c2)/2 (d/dt) a_n),   M a_n = G'mu,   M (d/dt) a_n ~ (d/dt G') mu
 * returns the part with v and with the acceleration a_n across the constraints, P: the part along them. It is that of
 * each body, and mechanisms that have nothing to do with each other share nothing. The part with a along the constraints
 * would have to be returned to positions: they would be off by h^2 a/12 where a is constant and steps are long, in free
 * fall without limit. With a turned by long steps it oscillates. A fixed step that is divided is followed by whole ones,
 * or, where it ends at an event, by a start with a whole one: what it takes comes back, and nothing is returned.
 * At the start all earlier positions coincide, with the v and a of the start. Members of gssss that satisfy the
 * equations of motion within the step (W1 < 1) have positions with errors of a fraction of h^2 q'' in stiff directions,
 * which cannot be corrected without straining the bodies: these are corrected across constraints only.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "integrator/low_order.h"

/* Differences of higher order are found where they are needed, from the slopes d_1 of the last four steps: steps of
 * constant length need none of them. At the start the slope is v and d_2 = a/2, which is kept until the third step. */
enum { START_A = SN_DIFFERENCES - 1 };

void sn_low_order_begin_history(sn_low_order *w, const sn_state *state) {
  for (int i = 0; i < w->system->n; i++) {
    w->slope[0][i] = state->v[i];
    w->slope[START_A][i] = state->a[i] / 2;
  }
}

/* Room for the slopes of this step: that of the oldest. */
void sn_low_order_begin_slopes(sn_low_order *w) {
  const int last = w->past[0] == 0 ? 1 : w->past[1] == 0 ? 2 : START_A;
  double *room = w->slope[last];
  for (int k = last; k > 0; k--) w->slope[k] = w->slope[k - 1];
  w->slope[0] = room;
}

void sn_low_order_add_slopes(sn_low_order *w, int first, int last) {
  const double h = w->h, *restrict q1 = w->to->q, *restrict q0 = w->from->q;
  double *restrict slope = w->slope[0];
  for (int i = first; i < last; i++) slope[i] = (q1[i] - q0[i]) / h;
}

void sn_low_order_end_slopes(sn_low_order *w) {
  if (w->rough > 0) w->rough--;
  for (int k = SN_DIFFERENCES - 1; k > 0; k--) w->past[k] = w->past[k - 1];
  w->past[0] = w->h;
}

/* Times over which differences of order 2, 3 and 4 are formed: of the last step, and of those before it. */
typedef struct spans {
  double second[SN_DIFFERENCES - 1], third[SN_DIFFERENCES - 2], fourth;
  int steps; /* since the start, or four */
} spans;

static spans find_spans(const double past[SN_DIFFERENCES]) {
  spans s = {0};
  for (int k = 0; k < SN_DIFFERENCES - 1; k++) s.second[k] = past[k] + past[k + 1];
  for (int k = 0; k < SN_DIFFERENCES - 2; k++) s.third[k] = s.second[k] + past[k + 2];
  s.fourth = s.third[0] + past[3];
  while (s.steps < SN_DIFFERENCES && past[s.steps] > 0) s.steps++;
  return s;
}

/* d_2 of the step k before the last one */
static double second_difference(const sn_low_order *w, const spans *s, int k, int i) {
  return s->steps > k ? (w->slope[k][i] - w->slope[k + 1][i]) / s->second[k] : w->slope[START_A][i];
}

static double third_difference(const sn_low_order *w, const spans *s, int k, int i) {
  return (second_difference(w, s, k, i) - second_difference(w, s, k + 1, i)) / s->third[k];
}

/* 6 d_3 with the end of this step, which is not yet part of the history:
 *   d_3 = sum_i q_i/prod_j (t_i - t_j),   with rounding errors e of q_i at most  e sum_i 1/|prod_j (t_i - t_j)| */
double sn_low_order_jerk(const sn_low_order *w, double *jerk) {
  const double e = 1e-15; /* several roundings of positions of size 1 */
  double h = w->h, p = w->past[0], p2 = w->past[1], h2 = h + p, h3 = h2 + p2;
  const spans s = find_spans(w->past);
  for (int i = 0; i < w->system->n; i++) {
    double d1 = (w->to->q[i] - w->from->q[i]) / h, d2 = (d1 - w->slope[0][i]) / h2;
    jerk[i] = 6 * (d2 - second_difference(w, &s, 0, i)) / h3;
  }
  return 6 * e * (1 / (h * h2 * h3) + 1 / (h * p * (p + p2)) + 1 / (h2 * p * p2) + 1 / (h3 * (p + p2) * p2));
}

/* q''' of the last positions, at the end of them; after one step there is no d_3 that its d_3 differs from */
static void find_jerk(const sn_low_order *w, double *jerk) {
  const double reach = 3 * w->past[0] + 2 * w->past[1] + w->past[2];
  const spans s = find_spans(w->past);
  for (int i = 0; i < w->system->n; i++) {
    const double d3 = third_difference(w, &s, 0, i);
    const double d4 = s.steps > 1 ? (d3 - third_difference(w, &s, 1, i)) / s.fourth : 0;
    jerk[i] = 6 * (d3 + reach * d4);
  }
}

/* The same of the last two accelerations, for directions that are free. */
static void of_accelerations(const sn_low_order *w, double *jerk) {
  double d = (1 - w->shift) * w->past[0] + w->shift * w->past[1];
  for (int i = 0; i < w->system->n; i++) jerk[i] = (w->a0[i] - w->previous[i]) / d;
}

/* rows[m] += factor G q''' = -factor d/dt (G a - gamma) at constant a, on the side of e: a difference between e and 2 e
 * along the motion. Where a driver begins or ends, q''' jumps. */
static void add_jerk_across(sn_low_order *w, double e, double factor, double *rows) {
  sn_system *s = w->system;
  int n = s->n, m = s->m;
  double *phi = w->work;
  const sn_state *from = w->from;
  const double *a = w->ops->evaluate ? from->a : w->x0;               /* of this time */
  sn_state at = {.q = w->qh, .v = w->vh, .a = w->room_a, .l = w->l0}; /* `begin` makes its own of the first two */
  for (int k = 1; k <= 2; k++) {
    double d = k * e;
    at.t = from->t + d;
    for (int i = 0; i < n; i++) {
      at.a[i] = a[i];
      at.v[i] = from->v[i] + d * a[i];
      at.q[i] = from->q[i] + d * (from->v[i] + d / 2 * a[i]);
    }
    sn_system_acceleration(s, &at, phi);
    for (int i = 0; i < m; i++) rows[i] += factor * (k == 1 ? phi[i] : -phi[i]) / e;
  }
}

/* rows[m] := (next G q''' of the coming step - before G q''' of the last one)/(next - before); a hundredth of a step is
 * small for the motion and large for rounding. */
static void jerk_across(sn_low_order *w, double next, double before, double *rows) {
  assert(next != before && w->past[0] > 0);
  memset(rows, 0, (size_t)w->system->m * sizeof(double));
  add_jerk_across(w, 0.01 * w->h, next / (next - before), rows);
  add_jerk_across(w, -0.01 * w->past[0], -before / (next - before), rows);
}

/* The part of x[n + m] that is held: [M + b h^2 K, G'; G, 0] (y, mu) = (b h^2 K x, rows); rows NULL: G x */
static const double *held_part(sn_low_order *w, double *x, const double *rows) {
  sn_system *s = w->system;
  double *y = w->work, *Mx = w->vh;
  memset(x + s->n, 0, (size_t)s->m * sizeof(double));
  sn_matrix_multiply(sn_system_matrix(s), x, y);
  sn_system_mass_times(s, w->from, x, Mx);
  for (int i = 0; i < s->n; i++) y[i] -= Mx[i];
  if (rows) memcpy(y + s->n, rows, (size_t)s->m * sizeof(double));
  sn_system_solve(s, y);
  return y;
}

static bool factor(sn_low_order *w) {
  sn_state at = *w->from;
  at.a = w->a0;
  at.l = w->l0;
  sn_newton_discard(&w->newton);            /* the matrix serves for this */
  bool stiff = w->elastic && w->rough == 0; /* otherwise positions do not give q''', and only the part across
                                             * constraints is corrected */
  return sn_system_factor(w->system, &at, 1, 1, 0, stiff ? w->beta * w->h * w->h : 0);
}

/* v0 and start_a for the step h after one of length `last` */
static void follow(sn_low_order *w, double h, double last) {
  int n = w->system->n, size = n + w->system->m;
  double *z = w->work + size, *x = w->work + 2 * size, *start_a = w->room_a, *rows = start_a + n;
  double *v0 = w->room_v;
  double dv = (1.0 / 6 - w->beta + (w->gamma - 0.5) / 2) * (h * h - last * last), da = w->shift * (h - last);
  sn_threads_copy(w->system->threads, n, v0, w->from->v);
  w->v0 = v0;
  w->start_a = start_a;
  find_jerk(w, z);
  jerk_across(w, h * h, last * last, rows);
  const double *y = held_part(w, z, rows);
  for (int i = 0; i < n && w->ops->drifts; i++) v0[i] += dv * y[i];
  jerk_across(w, h, last, rows);
  y = held_part(w, z, rows);
  of_accelerations(w, x);
  for (int i = 0; i < n; i++) start_a[i] = w->a0[i] - da * (x[i] + y[i]);
  y = held_part(w, x, NULL);
  for (int i = 0; i < n; i++) start_a[i] += da * y[i];
  if (w->ops->drifts) return;
  y = held_part(w, z, w->system->zero);
  for (int i = 0; i < n; i++) v0[i] += dv * y[i];
}

/* r[n] := d/dt (G'l) at constant l, along the motion */
static void reaction_rate(sn_low_order *w, const double *l, double *r) {
  const int n = w->system->n;
  const double d = 0.01 * w->h;
  double *other = w->vh;
  sn_state at = *w->from;
  at.q = w->qh;
  for (int i = 0; i < n; i++) at.q[i] = w->from->q[i] + d * w->from->v[i];
  sn_system_reaction(w->system, &at, l, r);
  for (int i = 0; i < n; i++) at.q[i] = w->from->q[i] - d * w->from->v[i];
  sn_system_reaction(w->system, &at, l, other);
  for (int i = 0; i < n; i++) r[i] = (r[i] - other[i]) / (2 * d);
}

/* v0 such that the energy goes on as it is, as the head of this file says. */
static void keep_energy(sn_low_order *w, double h, double last) {
  sn_system *s = w->system;
  const int n = s->n, size = n + s->m;
  const double change = h * h - last * last, mean = (w->lag[0] + w->lag[1]) / 2;
  double *y = w->work, *rate = w->work + size, *x = w->work + 2 * size;
  sn_system_mass_times(s, w->from, w->x0, y);
  memset(y + n, 0, (size_t)s->m * sizeof(double));
  sn_system_solve(s, y);
  reaction_rate(w, y + n, rate);
  of_accelerations(w, x);
  sn_system_mass_times(s, w->from, x, y);
  for (int i = 0; i < n; i++) y[i] = w->lag[1] * y[i] + mean * rate[i];
  memset(y + n, 0, (size_t)s->m * sizeof(double));
  sn_system_solve(s, y);
  for (int i = 0; i < n; i++) w->room_v[i] = w->v0[i] + change * y[i];
  w->v0 = w->room_v;
}

void sn_low_order_change_step(sn_low_order *w) {
  const double same = 1e-6;
  const bool keeps = w->lag[1] > 0 && w->horizon > 0 && !w->fixed && w->elastic && w->rough == 0;
  int n = w->system->n;
  double h = w->h, last = w->past[0], *x = w->work;
  w->v0 = w->from->v;
  w->start_a = w->a0;
  if (!(w->ops->newmark || keeps) || last == 0 || fabs(h / last - 1) < same) return;
  if (factor(w)) {
    if (w->ops->newmark) follow(w, h, last);
    if (keeps) keep_energy(w, h, last);
    return;
  }
  if (!w->ops->newmark) return;
  of_accelerations(w, x);
  for (int i = 0; i < n; i++) w->room_a[i] = w->a0[i] - w->shift * (h - last) * x[i];
  w->start_a = w->room_a;
}
