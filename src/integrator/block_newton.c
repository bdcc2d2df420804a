/* block_newton.c - the points of a block, where they are predicted to be, and the simplified Newton iteration for them; see
 * block_implicit.h for the equations.
 */
#include <math.h>
#include <string.h>

#include "integrator/block_implicit.h"
#include "system/phases.h"

/* ---- points ---- */

double sn_block_norm(const sn_block *w, const double *weight, const double *x) {
  double sum = 0;
  for (int i = 0; i < w->system->n; i++) sum += (x[i] * weight[i]) * (x[i] * weight[i]);
  return sqrt(sum / w->system->n);
}

/* y_i = y0 + h (b_i f0 + sum A_ij f_j) for all points; returns the sum of squares of the weighted changes. */
static double sum_up(const sn_block *w, const double *weight, const double *y0, const double *f0, const double *f,
                     double *y) {
  const sn_tableau *t = sn_block_tableau(w);
  int n = w->system->n, s = t->stages;
  double change = 0;
  for (int i = 0; i < s; i++) {
    for (int k = 0; k < n; k++) {
      double sum = t->b[i] * f0[k];
      for (int j = 0; j < s; j++) sum += t->A[i][j] * f[j * n + k];
      double value = y0[k] + w->h * sum, d = (value - y[i * n + k]) * weight[k];
      change += d * d;
      y[i * n + k] = value;
    }
  }
  return change;
}

/* Velocities and positions that belong to the accelerations; root mean square of their changes, in Newton's norm. */
static double place_points(sn_block *w) {
  double v = sum_up(w, w->newton_weight, w->from->v, w->from->a, w->now.a, w->now.v);
  double q = sum_up(w, w->weight, w->from->q, w->from->v, w->now.v, w->now.q);
  return sqrt((q + v) / (2 * sn_block_tableau(w)->stages * w->system->n));
}

static sn_state point(const sn_block *w, int i) {
  assert(i >= 0 && i < sn_block_tableau(w)->stages);
  size_t n = (size_t)w->system->n, m = (size_t)w->system->m, k = (size_t)i;
  return (sn_state){.t = w->from->t + sn_block_tableau(w)->c[i] * w->h,
                    .q = w->now.q + k * n,
                    .v = w->now.v + k * n,
                    .a = w->now.a + k * n,
                    .l = w->now.l + k * m};
}

/* ---- start values ---- */

/* y = value at the point c of the present block of the polynomial through the last `count` points of the block before;
 * f: [stage][size] there. */
static void extrapolate(const sn_block *w, int count, double c, const double *f, int size, double *y) {
  assert(count > 0 && count <= w->tableau[w->before_use].stages);
  const sn_tableau *old = &w->tableau[w->before_use];
  int first = old->stages - count;
  double p[SN_STAGES];
  sn_lagrange(count, old->c + first, 1 + c * w->h / w->before_h, p);
  memset(y, 0, (size_t)size * sizeof(double));
  for (int j = 0; j < count; j++) {
    const double *fj = f + (size_t)(first + j) * (size_t)size;
    for (int k = 0; k < size; k++) y[k] += p[j] * fj[k];
  }
}

/* Longest extrapolation, in lengths of the block before. One that was cut short, to end at an output or where forces
 * change, says nothing about a block of thousands of times its length: its polynomial would predict any reaction, and
 * friction that depends on reactions has other solutions there. */
static const double AHEAD = 10;

/* a and l at the points: by the polynomial of the block before or, without one, as at the start. */
static void predict(sn_block *w) {
  const sn_tableau *t = sn_block_tableau(w);
  size_t n = (size_t)w->system->n, m = (size_t)w->system->m;
  int stages = w->tableau[w->before_use].stages, count = w->predict < stages ? w->predict : stages;
  for (int i = 0; i < t->stages; i++) {
    double *a = w->now.a + (size_t)i * n, *l = w->now.l + (size_t)i * m;
    if (w->before_h > 0 && w->h <= AHEAD * w->before_h) {
      extrapolate(w, count, t->c[i], w->before.a, (int)n, a);
      extrapolate(w, count, t->c[i], w->before.l, (int)m, l);
    } else {
      memcpy(a, w->from->a, n * sizeof(double));
      memcpy(l, w->from->l, m * sizeof(double));
    }
  }
}

/* Take as many points next time as would have predicted the end of this block best: high polynomials blow up what Newton
 * left in the accelerations. */
void sn_block_judge_prediction(sn_block *w) {
  const sn_tableau *t = sn_block_tableau(w);
  int n = w->system->n, stages = w->tableau[w->before_use].stages;
  const double *a = w->now.a + (t->stages - 1) * n;
  double best = INFINITY;
  for (int count = 1; w->before_h > 0 && count <= stages; count++) {
    extrapolate(w, count, 1, w->before.a, n, w->work);
    for (int k = 0; k < n; k++) w->work[k] -= a[k];
    double error = sn_block_norm(w, w->weight, w->work);
    if (error < best) best = error, w->predict = count;
  }
}

/* ---- simplified Newton ---- */

void sn_block_reset(void *self) {
  predict(self);
  place_points(self);
}

/* The systems for the pattern the twin has now. */
bool sn_block_make_shifted(sn_block *w) {
  sn_shifted_free(w->shifted);
  w->revision = sn_system_revision(w->twin);
  w->shifted =
      sn_shifted_create(sn_system_matrix(w->twin), (SN_STAGES + 1) / 2, sn_system_solver(w->system, NULL)->unsymmetric);
  if (!w->shifted)
    sn_fail(w->system->context, SN_NUMERICS,
            "the linear solver could not analyze the sparsity pattern of the equations");
  return w->shifted != NULL;
}

static bool block_factor(void *self) {
  sn_block *w = self;
  const sn_tableau *t = sn_block_tableau(w);
  static const double unit[SN_COEFFICIENTS][SN_COEFFICIENTS] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  sn_state at = point(w, t->stages / 2);
  sn_statistics *count = w->system->count;
  if (!sn_system_prepare(w->twin, &at) || (w->revision != sn_system_revision(w->twin) && !sn_block_make_shifted(w)))
    return false;
  for (int p = 0; p < SN_COEFFICIENTS; p++) {
    sn_system_assemble(w->twin, &at, 1, unit[p][0], unit[p][1], unit[p][2]);
    sn_shifted_take(w->shifted, (sn_coefficient)p, sn_system_matrix(w->twin));
  }
  count->jacobians -= SN_COEFFICIENTS - 1; /* the three make one */
  const sn_phase_mark mark = sn_phase_begin(w->system, SN_PHASE_FACTOR);
  int group = -1;
  bool good = true;
  for (int k = 0; k < t->shifts && good; k++) good = sn_shifted_factor(w->shifted, k, t->lambda[k] / w->h, &group);
  count->factorizations += t->shifts;
  sn_phase_end(w->system, &mark);
  w->matrix_h = w->h;
  w->matrix_use = w->use;
  if (!good)
    sn_fail(w->system->context, SN_NUMERICS, "the equations are singular at t = %g s, at '%s'", at.t,
            group >= 0 ? w->system->model->group_name[group] : "?");
  return good;
}

static void residuals(sn_block *w) {
  const sn_tableau *t = sn_block_tableau(w);
  int n = w->system->n, size = n + w->system->m;
  for (int i = 0; i < t->stages; i++) {
    sn_state at = point(w, i);
    sn_system_residual(w->system, &at, 1, w->r + i * size);
    sn_system_constraints(w->system, &at, 1, w->r + i * size + n);
  }
}

/* Corrections (da_i, dl_i) of all points from their residuals, one shift after the other; see block_implicit.h. */
static void solve_shifts(sn_block *w, double *dx) {
  const sn_tableau *t = sn_block_tableau(w);
  int n = w->system->n, size = n + w->system->m, s = t->stages;
  const sn_phase_mark mark = sn_phase_begin(w->system, SN_PHASE_SOLVE);
  memset(dx, 0, (size_t)(s * size) * sizeof(double));
  for (int k = 0; k < t->shifts; k++) {
    double complex mu = t->lambda[k] / w->h, mu2 = mu * mu;
    double twice = cimag(mu) == 0 ? 1 : 2; /* both members of a pair */
    for (int j = 0; j < size; j++) {
      double re = 0, im = 0;
      for (int i = 0; i < s; i++) {
        re -= creal(t->inverse[k][i]) * w->r[i * size + j];
        im -= cimag(t->inverse[k][i]) * w->r[i * size + j];
      }
      w->x[j] = j < n ? CMPLX(re, im) : mu2 * CMPLX(re, im);
    }
    for (int j = 0; j < w->system->model->nonholonomic; j++) w->x[n + w->system->model->nonholonomic_row[j]] /= mu;
    sn_shifted_solve(w->shifted, k, w->x);
    for (int i = 0; i < s; i++) {
      double re = twice * creal(t->T[i][k]), im = twice * cimag(t->T[i][k]);
      for (int j = 0; j < size; j++) dx[i * size + j] += re * creal(w->x[j]) - im * cimag(w->x[j]);
    }
  }
  w->system->count->solves += t->shifts;
  sn_phase_end(w->system, &mark);
}

double sn_block_iterate(void *self, double *worst) {
  sn_block *w = self;
  int n = w->system->n, m = w->system->m, size = n + m, s = sn_block_tableau(w)->stages;
  double *dx = w->r + SN_STAGES * size;
  residuals(w);
  solve_shifts(w, dx);
  for (int i = 0; i < s; i++) {
    for (int k = 0; k < n; k++) w->now.a[i * n + k] += dx[i * size + k];
    for (int k = 0; k < m; k++) w->now.l[i * m + k] += dx[i * size + n + k];
  }
  memcpy(worst, dx + (s - 1) * size, (size_t)size * sizeof(double));
  return place_points(w);
}

/* Newton's share of the tolerance, in positions and in velocities: where stiff parts bind the step, its own error is
 * far below the tolerance, and what Newton leaves adds up from step to step. */
static const double SHARE = 1e-4;
static const double LEAST = 1e-15; /* as far as rounding lets it */

static double goal(const sn_block *w) {
  return w->fixed ? LEAST : fmax(SHARE * w->tolerance, LEAST);
}

/* How much velocities count: by V, but less where that would ask for more than their rounding lets Newton reach (they
 * are differences of positions over parts of the step), and at least as much as the positions they move in the step. */
void sn_block_weigh_rates(sn_block *w) {
  double ratio = 0, rounding = 1e-2 * w->newton.rounding;
  int n = w->system->n;
  for (int i = 0; i < n; i++) ratio = fmax(ratio, w->rate_weight[i] / w->weight[i]);
  double unsharp = rounding * sn_block_fastest_shift(w) * ratio / w->h, share = fmin(1, goal(w) / unsharp);
  w->least = fmax(LEAST, share * unsharp);
  for (int i = 0; i < n; i++) w->newton_weight[i] = fmax(share * w->rate_weight[i], w->h * w->weight[i]);
}

/* What Newton may leave: its share, but never more than 1/1000 of what the accelerations move in the step, since they
 * predict the next. */
static double block_target(void *self) {
  const sn_block *w = self;
  double moved = 0;
  if (w->fixed) return LEAST;
  for (int i = 0; i < sn_block_tableau(w)->stages; i++) {
    const double *a = w->now.a + i * w->system->n;
    moved = fmax(moved, w->h * hypot(w->h * sn_block_norm(w, w->weight, a), sn_block_norm(w, w->newton_weight, a)));
  }
  return fmax(fmin(goal(w), 1e-3 * moved), w->least);
}

const sn_newton_ops sn_block_newton = {.reset = sn_block_reset, .factor = block_factor, .target = block_target};
