/* block_estimate.c - local error of a block, and the order of the next.
 *
 * Radau (Hairer & Wanner II, IV.8): the embedded formula of order s, filtered through the system of the real shift.
 * With mu = lambda_0/h, d_j = lambda_0 (b^_j - b_j):
 *
 *     rho_q = v0 + sum d_j V_j,   rho_v = a0 + sum d_j a_j
 *     (mu^2 M + mu D + K) e_q + G'e_l = M rho_v + (mu M + D) rho_q,   G e_q = 0,   e_v = mu e_q - rho_q
 *
 * It is of order s + 1 in h while the local error of the method at the end of the block is of order 2s. Therefore 0.1
 * tolerance^((s+1)/(2s)) is allowed, but at most twice the tolerance: within the block, where outputs may lie, the
 * order is s + 1, and the error is about a tenth of this estimate (measured).
 *
 * GAM: the formula of higher order on the same points leaves tau_q = h (dA V + db v0), tau_v = h (dA a + db a0); the
 * error of the points follows from the linearized equations, by shifts, hats as in block_implicit.h:
 *
 *     (mu^2 M + mu D + K) e_q^ + G'e_l^ = mu^2 M tau_q^ + mu M tau_v^ + mu D tau_q^,   G e_q^ = 0,
 *     e_v^ = mu (e_q^ - tau_q^)
 *
 * Norms: root mean square of e_q/Y and the larger of
 *     h e_v/Y,   max(sqrt(h/(Y V)), min(1/(w Y), 1/V)) P e_v,   with contacts P e_v/V
 * V is the largest velocity, as Y is of positions. An error in v across the constraints, of lower order at index 3,
 * does not persist, since v is projected at the end of a block: its weight is h. The persistent part is P e_v, with the
 * same projection P and unresolved deformations counted as constraints. It displaces slow motions by e_v Y/V and
 * vibrations at the limit of resolution by e_v h: its weight is the geometric mean of both, and the full weight if
 * bodies may touch and separate. If steps are short for another reason, as in a short force pulse, the mean is too
 * small: the frequency of the motion to which the error belongs, w^2 = e'K e/(e'M e) with e = P e_v, shows that it
 * persists for 1/w; without stiffness it has the full weight. Errors in l do not count: the reported l is solved for.
 */
#include <math.h>
#include <string.h>

#include "integrator/block_implicit.h"
#include "system/phases.h"

double sn_block_error_order(const sn_tableau *t) {
  return t->family == SN_RADAU ? t->stages + 1 : t->order + 1;
}

static const double LOCAL = 0.1;      /* gam: of the tolerance, as errors of steps add up */
static const double ROUNDING = 3e-14; /* gam: shorter steps would only add rounding errors */

/* What the norm of the estimate may be. */
static double allowed(const sn_block *w) {
  const sn_tableau *t = sn_block_tableau(w);
  const double seen = 1e-9; /* smaller differences of formulas may be rounding */
  int s = t->stages;
  if (t->family == SN_GAM) return fmax(LOCAL * w->tolerance, fmin(w->tolerance, ROUNDING));
  return fmin(0.1 * pow(w->tolerance, (s + 1) / (2.0 * s)), fmax(2 * w->tolerance, seen));
}

/* e_v is a difference of positions over parts of the step. With a larger weight its rounding error, 1e-16 Y lambda/h,
 * would matter. */
static double longest_time(const sn_block *w) {
  return allowed(w) * w->h / (1e-16 * sn_block_fastest_shift(w));
}

/* 1/w of the motion e, w^2 = e'K e/(e'M e); infinite where nothing brings it back. */
static double time_scale(sn_block *w, const double *e) {
  double *product = w->product, stiffness = 0, mass = 0;
  sn_shifted_multiply(w->shifted, SN_COEFFICIENT_STIFFNESS, e, product);
  for (int k = 0; k < w->system->n; k++) stiffness += e[k] * product[k];
  sn_shifted_multiply(w->shifted, SN_COEFFICIENT_MASS, e, product);
  for (int k = 0; k < w->system->n; k++) mass += e[k] * product[k];
  return fmin(stiffness > 0 && mass > 0 ? sqrt(mass / stiffness) : INFINITY, longest_time(w));
}

/* Norm of (e_q, P e_v). P, by the system of the first shift, which is real or nearly so:
 *     [M + D/mu + K/mu^2, G'; G, 0] (P e_v, .) = (M e_v, 0) */
static double norm(sn_block *w, const double *e_q, const double *e_v) {
  int n = w->system->n, size = n + w->system->m;
  double *rate = w->rate;
  double complex *x = w->x + size; /* what is in w->x is still needed */
  sn_shifted_multiply(w->shifted, SN_COEFFICIENT_MASS, e_v, rate);
  for (int k = 0; k < size; k++) x[k] = k < n ? rate[k] : 0;
  sn_shifted_solve(w->shifted, 0, x);
  w->system->count->solves++;
  for (int k = 0; k < n; k++) rate[k] = creal(x[k]);
  double lasting = 0, passing = 0, time = w->system->contacts ? INFINITY : time_scale(w, rate);
  for (int k = 0; k < n; k++) {
    double d = w->h * e_v[k] * w->weight[k], y = w->weight[k], v = w->rate_weight[k];
    double by = fmin(time * y, v);
    lasting += rate[k] * rate[k] * fmax(by * by, w->h * y * v);
    passing += d * d;
  }
  double q = sn_block_norm(w, w->weight, e_q);
  return sqrt((q * q + fmax(lasting, passing) / n) / 2);
}

/* ---- Radau ---- */

/* rho += sum_j d_j f_j */
static void add_embedded(const sn_block *w, const double *f, double *rho) {
  const sn_tableau *t = sn_block_tableau(w);
  int n = w->system->n;
  double lambda = creal(t->lambda[0]);
  for (int j = 0; j < t->stages; j++)
    for (int k = 0; k < n; k++) rho[k] += lambda * t->error_A[0][j] * f[j * n + k];
}

/* e_q and e_v from rho_q, with M rho_v and -Phi in x; the multipliers' error stays in x. */
static double filter(sn_block *w, const double *rho_q, double *e_q, double *e_v) {
  int n = w->system->n, m = w->system->m;
  double mu = creal(sn_block_tableau(w)->lambda[0]) / w->h, *product = w->r;
  sn_shifted_multiply(w->shifted, SN_COEFFICIENT_MASS, rho_q, product);
  for (int k = 0; k < n; k++) w->x[k] += mu * product[k];
  sn_shifted_multiply(w->shifted, SN_COEFFICIENT_DAMPING, rho_q, product);
  for (int k = 0; k < n; k++) w->x[k] += product[k];
  for (int k = 0; k < m; k++) w->x[n + k] *= mu * mu;
  sn_shifted_solve(w->shifted, 0, w->x);
  w->system->count->solves++;
  for (int k = 0; k < n; k++) {
    e_q[k] = creal(w->x[k]) / (mu * mu);
    e_v[k] = mu * e_q[k] - rho_q[k];
  }
  return norm(w, e_q, e_v);
}

/* Once more with the forces at y0 + e: in stiff models the first estimate does not vanish with the step as it should
 * (Hairer & Wanner, eq. 8.20). */
static double filter_again(sn_block *w, const double *force, double *rho_q, double *e_q, double *e_v) {
  int n = w->system->n, m = w->system->m, size = n + m;
  double *r = w->r + 2 * size, *l = r + size;
  for (int k = 0; k < n; k++) {
    rho_q[k] += e_v[k];
    e_q[k] += w->from->q[k];
    e_v[k] += w->from->v[k];
  }
  for (int k = 0; k < m; k++) l[k] = w->from->l[k] + creal(w->x[n + k]);
  sn_state at = {.t = w->from->t, .q = e_q, .v = e_v, .a = w->from->a, .l = l};
  sn_system_residual(w->system, &at, 0, r);
  sn_system_constraints(w->system, &at, w->h / creal(sn_block_tableau(w)->lambda[0]), r + n);
  for (int k = 0; k < size; k++) w->x[k] = k < n ? force[k] - r[k] : -r[k];
  return filter(w, rho_q, e_q, e_v);
}

static double radau_error(sn_block *w) {
  int n = w->system->n, size = n + w->system->m;
  double *rho_q = w->work, *rho_v = rho_q + size, *e_q = rho_v + size, *e_v = e_q + size;
  double *product = w->r, *force = product + size;
  memcpy(rho_q, w->from->v, (size_t)n * sizeof(double));
  add_embedded(w, w->now.v, rho_q);
  memset(rho_v, 0, (size_t)size * sizeof(double));
  add_embedded(w, w->now.a, rho_v);
  sn_shifted_multiply(w->shifted, SN_COEFFICIENT_MASS, rho_v, force); /* M sum d_j a_j */
  sn_shifted_multiply(w->shifted, SN_COEFFICIENT_MASS, w->from->a, product);
  for (int k = 0; k < size; k++) w->x[k] = k < n ? force[k] + product[k] : 0;
  double error = filter(w, rho_q, e_q, e_v);
  if (error >= allowed(w) && (w->rejected || w->system->count->steps == 0))
    error = filter_again(w, force, rho_q, e_q, e_v);
  return error / allowed(w);
}

/* ---- GAM ---- */

/* tau_i = h (db_i f0 + sum dA_ij f_j); root mean square of what it weighs over points and coordinates. */
static double defect(const sn_block *w, const double *weight, const double A[][SN_STAGES], const double *b,
                     const double *f0, const double *f, double *tau) {
  int n = w->system->n, s = sn_block_tableau(w)->stages;
  double sum = 0;
  for (int i = 0; i < s; i++) {
    for (int k = 0; k < n; k++) {
      double x = b[i] * f0[k];
      for (int j = 0; j < s; j++) x += A[i][j] * f[j * n + k];
      tau[i * n + k] = w->h * x;
      sum += (w->h * x * weight[k]) * (w->h * x * weight[k]);
    }
  }
  return sqrt(sum / (s * n));
}

/* x += f P y^, y^ = sum_i inverse[k][i] y_i */
static void add_product(sn_block *w, int shift, sn_coefficient which, double complex f, const double *y) {
  const sn_tableau *t = sn_block_tableau(w);
  int n = w->system->n, size = n + w->system->m;
  double *hat = w->work, *product = w->work + size;
  for (int c = 0; c < 2; c++) { /* real and imaginary parts */
    for (int j = 0; j < n; j++) {
      hat[j] = 0;
      for (int i = 0; i < t->stages; i++)
        hat[j] += (c ? cimag(t->inverse[shift][i]) : creal(t->inverse[shift][i])) * y[i * n + j];
    }
    sn_shifted_multiply(w->shifted, which, hat, product);
    for (int j = 0; j < n; j++) w->x[j] += (c ? f * I : f) * product[j];
  }
}

/* e_q of all points from tau_q and tau_v, and e_v = (A h)^-1 (e_q - tau_q) by the same shifts. */
static void gam_solve(sn_block *w, const double *tau_q, const double *tau_v, double *e_q, double *e_v) {
  const sn_tableau *t = sn_block_tableau(w);
  int n = w->system->n, s = t->stages;
  memset(e_q, 0, (size_t)(s * n) * sizeof(double));
  memset(e_v, 0, (size_t)(s * n) * sizeof(double));
  for (int k = 0; k < t->shifts; k++) {
    double complex mu = t->lambda[k] / w->h;
    double twice = cimag(mu) == 0 ? 1 : 2;
    memset(w->x, 0, (size_t)(n + w->system->m) * sizeof(double complex));
    add_product(w, k, SN_COEFFICIENT_MASS, mu * mu, tau_q);
    add_product(w, k, SN_COEFFICIENT_MASS, mu, tau_v);
    add_product(w, k, SN_COEFFICIENT_DAMPING, mu, tau_q);
    sn_shifted_solve(w->shifted, k, w->x);
    w->system->count->solves++;
    for (int j = 0; j < n; j++) {
      double complex tau = 0, e = w->x[j] / (mu * mu);
      for (int i = 0; i < s; i++) tau += t->inverse[k][i] * tau_q[i * n + j];
      for (int i = 0; i < s; i++) {
        e_q[i * n + j] += twice * creal(t->T[i][k] * e);
        e_v[i * n + j] += twice * creal(t->T[i][k] * mu * (e - tau));
      }
    }
  }
}

static double gam_error(sn_block *w) {
  const sn_tableau *t = sn_block_tableau(w);
  int n = w->system->n, s = t->stages, part = SN_STAGES * (n + w->system->m);
  double *tau_q = w->r, *tau_v = w->r + part, *e_q = w->r + 2 * part, *e_v = w->r + 3 * part, most = 0;
  const double *y = w->weight, *v = w->rate_weight;
  double low = defect(w, y, t->lower_A, t->lower_b, w->from->v, w->now.v, tau_q);
  low = hypot(low, defect(w, v, t->lower_A, t->lower_b, w->from->a, w->now.a, tau_v));
  double high = defect(w, y, t->error_A, t->error_b, w->from->v, w->now.v, tau_q);
  high = hypot(high, defect(w, v, t->error_A, t->error_b, w->from->a, w->now.a, tau_v));
  w->lower = low / fmax(high, 1e-300);
  gam_solve(w, tau_q, tau_v, e_q, e_v);
  for (int i = 0; i < s; i++) most = fmax(most, norm(w, e_q + i * n, e_v + i * n));
  return most / allowed(w);
}

double sn_block_error(sn_block *w) {
  const sn_phase_mark mark = sn_phase_begin(w->system, SN_PHASE_SOLVE);
  double error = sn_block_tableau(w)->family == SN_RADAU ? radau_error(w) : gam_error(w);
  sn_phase_end(w->system, &mark);
  return isfinite(error) ? error : 1e3;
}

/* ---- order ---- */

static void use_order(sn_block *w, int use) {
  w->use = use;
  w->since = 0;
  w->control.order = sn_block_error_order(sn_block_tableau(w));
  w->control.last_error = 1; /* of another formula: growth must be earned anew */
}

enum { HOLD = 50 }; /* steps before an order that failed is tried again */

void sn_block_lower_order(sn_block *w) {
  use_order(w, w->use - 1);
  w->hold = HOLD;
}

/* Residuals so far, a factorization counted as three. */
static double cost(const sn_block *w) {
  return (double)(w->system->count->residuals + 3 * w->system->count->factorizations);
}

/* After Hairer & Wanner (1999): a higher order is tried where simplified Newton contracts well; where it hardly does, a
 * lower one. Whether the higher one pays is measured: time gained per cost over some steps, after some to settle. An
 * order that did not pay is not tried again for a while. */
static void choose_radau(sn_block *w) {
  enum { SETTLE = 5, MEASURE = 10 };
  const double well = 0.2, poor = 0.8;
  double xi = w->newton.contraction;
  if (w->hold > 0) w->hold--;
  if (xi >= poor && w->use > 0) {
    sn_block_lower_order(w);
    return;
  }
  if (w->since == SETTLE) w->mark_time = w->to, w->mark_cost = cost(w);
  if (w->since < SETTLE + MEASURE) return;
  w->efficiency[w->use] = (w->to - w->mark_time) / (cost(w) - w->mark_cost);
  w->since = SETTLE;
  w->mark_time = w->to, w->mark_cost = cost(w);
  if (w->use > 0 && w->efficiency[w->use] < w->efficiency[w->use - 1]) {
    sn_block_lower_order(w);
  } else if (w->use + 1 < w->orders && w->hold == 0 && xi <= well) {
    use_order(w, w->use + 1);
  }
}

/* The order whose points may lie farthest apart: cost goes with the number of points. `lower` is the ratio of the
 * errors of neighboring orders; that to the next higher one is taken to be the same. */
static void choose_gam(sn_block *w, double error) {
  const sn_tableau *t = sn_block_tableau(w);
  const int wait = 3;
  double spacing = w->control.h / t->stages, best = spacing;
  int use = w->use;
  if (w->since < wait) return;
  double here = w->h / t->stages * pow(2 * fmax(error, 1e-12), -1 / sn_block_error_order(t));
  for (int k = w->use - 1; k <= w->use + 1; k += 2) {
    if (k < 0 || k >= w->orders) continue;
    const sn_tableau *other = &w->tableau[k];
    double e = fmax(error, 1e-12) * (k < w->use ? w->lower : 1 / w->lower);
    double x = w->h / t->stages * pow(2 * e, -1 / sn_block_error_order(other));
    if (x > 1.2 * here && x > best) best = x, use = k;
  }
  if (use == w->use) return;
  use_order(w, use);
  best = fmin(best, 2 * spacing);
  w->control.h = fmax(fmin(best * sn_block_tableau(w)->stages, w->control.largest), w->control.smallest);
}

void sn_block_choose_order(sn_block *w, double error) {
  w->since++;
  if (sn_block_tableau(w)->family == SN_RADAU)
    choose_radau(w);
  else
    choose_gam(w, error);
}
