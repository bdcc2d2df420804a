/* coordinate.c - angles and travels between bodies and their derivatives; see coordinate.h for the formulas. */
#include "model/coordinate.h"

#include <math.h>
#include <string.h>

#include "math/constants.h"
#include "math/quat.h"
#include "model/compile.h"

/* ---- the functions ---- */

/* c = x_i.x_j + y_i.y_j, s = y_i.x_j - x_i.y_j; y_j = 0 when the second is a line */
static void angle_products(const sn_phi *p, double *c, double *s) {
  *c = sn_dot(p->y[0], p->y[2]) + sn_dot(p->y[1], p->y[3]);
  *s = sn_dot(p->y[1], p->y[2]) - sn_dot(p->y[0], p->y[3]);
}

/* z = s/c: with r2 = c^2 + s^2,  phi_c = -s/r2, phi_s = c/r2,
 *   phi_cc = 2 c s/r2^2 = -phi_ss,  phi_cs = (s^2 - c^2)/r2^2 */
static void angle_at(sn_phi *p) {
  const double *x = p->y[0], *y = p->y[1], *xj = p->y[2], *yj = p->y[3];
  double c, s;
  angle_products(p, &c, &s);
  p->terms = 2;
  double r2 = c * c + s * s, Fc = -s / r2, Fs = c / r2;
  p->value = atan2(s, c);
  sn_copy(p->h[0][0], xj); /* dc */
  sn_copy(p->h[0][1], yj);
  sn_copy(p->h[0][2], x);
  sn_copy(p->h[0][3], y);
  sn_scale(p->h[1][0], -1, yj); /* ds */
  sn_copy(p->h[1][1], xj);
  sn_copy(p->h[1][2], y);
  sn_scale(p->h[1][3], -1, x);
  for (int k = 0; k < 4; k++)
    for (int d = 0; d < 3; d++) p->g[k][d] = Fc * p->h[0][k][d] + Fs * p->h[1][k][d];
  p->W[0][2] = p->W[2][0] = p->W[1][3] = p->W[3][1] = Fc;
  p->W[1][2] = p->W[2][1] = Fs;
  p->W[0][3] = p->W[3][0] = -Fs;
  p->C[0][0] = 2 * c * s / (r2 * r2);
  p->C[1][1] = -p->C[0][0];
  p->C[0][1] = p->C[1][0] = (s * s - c * c) / (r2 * r2);
}

static void travel_at(sn_phi *p) {
  double d[3];
  sn_sub(d, p->y[2], p->y[1]);
  p->value = sn_dot(p->y[0], d);
  sn_copy(p->g[0], d);
  sn_scale(p->g[1], -1, p->y[0]);
  sn_copy(p->g[2], p->y[0]);
  p->W[0][1] = p->W[1][0] = -1;
  p->W[0][2] = p->W[2][0] = 1;
}

/* f = theta/sin(theta) as a function of c = cos(theta), f' and f'':
 *
 *   (1 - c^2) f' = c f - 1,   (1 - c^2) f'' = f + 3 c f'
 *   f = sum_k a_k (1 - c)^k,  a_0 = 1,  a_k = k/(2 k + 1) a_k-1      near c = 1
 *
 * Trial states whose axes are not orthonormal may have any c. */
static void angle_over_sine(double c, double f[3]) {
  const double u = 1 - c, least = 1e-9;
  if (fabs(u) < 0.5) {
    double a = 1, power[3] = {1, 0, 0}; /* u^k, u^(k-1), u^(k-2) */
    f[0] = 1, f[1] = f[2] = 0;
    for (int k = 1; k < 32; k++) {
      a *= k / (2.0 * k + 1);
      power[2] = power[1], power[1] = power[0], power[0] *= u;
      f[0] += a * power[0];
      f[1] -= a * k * power[1];
      f[2] += a * k * (k - 1) * power[2];
    }
    return;
  }
  c = fmax(c, least - 1);
  const double s2 = 1 - c * c, s = sqrt(fabs(s2));
  f[0] = (c < 1 ? acos(c) : acosh(c)) / s;
  f[1] = (c * f[0] - 1) / s2;
  f[2] = (f[0] + 3 * c * f[1]) / s2;
}

/* P = (a_i.a_j, b_i.b_j, b_i.a_j, a_i.b_j) and cos(theta) = (trace - 1)/2; the axes are orthonormal, so that
 * (a x b)_i.(a x b)_j = P0 P1 - P2 P3 */
static double vector_products(const sn_phi *p, double P[4]) {
  static const int pair[4][2] = {{0, 2}, {1, 3}, {1, 2}, {0, 3}};
  for (int k = 0; k < 4; k++) P[k] = sn_dot(p->y[pair[k][0]], p->y[pair[k][1]]);
  return (P[0] + P[1] + P[0] * P[1] - P[2] * P[3] - 1) / 2;
}

/* phi = f(c) s, s = (P2 - P3)/2, with the derivatives F over P; C: second ones. Returns phi. */
static double vector_of_products(const double P[4], double F[4], double C[4][4]) {
  const double c = (P[0] + P[1] + P[0] * P[1] - P[2] * P[3] - 1) / 2, s = (P[2] - P[3]) / 2;
  const double dc[4] = {(1 + P[1]) / 2, (1 + P[0]) / 2, -P[3] / 2, -P[2] / 2}, ds[4] = {0, 0, 0.5, -0.5};
  double f[3];
  angle_over_sine(c, f);
  for (int k = 0; k < 4; k++) {
    F[k] = f[1] * s * dc[k] + f[0] * ds[k];
    for (int l = 0; l < 4; l++) C[k][l] = f[2] * s * dc[k] * dc[l] + f[1] * (ds[k] * dc[l] + dc[k] * ds[l]);
  }
  C[0][1] += f[1] * s / 2, C[1][0] += f[1] * s / 2;
  C[2][3] -= f[1] * s / 2, C[3][2] -= f[1] * s / 2;
  return f[0] * s;
}

static void vector_at(sn_phi *p) {
  static const int pair[4][2] = {{0, 2}, {1, 3}, {1, 2}, {0, 3}};
  double P[4], F[4];
  vector_products(p, P);
  p->terms = 4;
  p->value = vector_of_products(P, F, p->C);
  for (int k = 0; k < 4; k++) {
    const int a = pair[k][0], b = pair[k][1];
    sn_copy(p->h[k][a], p->y[b]);
    sn_copy(p->h[k][b], p->y[a]);
    sn_axpy(p->g[a], F[k], p->y[b]);
    sn_axpy(p->g[b], F[k], p->y[a]);
    p->W[a][b] = p->W[b][a] = F[k];
  }
}

/* With d = r_j - r_i, L = |d|, e = d/L:  dL = e.dd,  d2L = (dd.dd - (e.dd)^2)/L */
static void distance_at(sn_phi *p) {
  double e[3];
  sn_sub(e, p->y[1], p->y[0]);
  p->value = sn_normalize(e);
  if (!(p->value > 0)) return;
  p->terms = 1;
  sn_scale(p->g[0], -1, e);
  sn_copy(p->g[1], e);
  for (int k = 0; k < 2; k++) sn_copy(p->h[0][k], p->g[k]);
  p->W[0][0] = p->W[1][1] = 1 / p->value;
  p->W[0][1] = p->W[1][0] = -1 / p->value;
  p->C[0][0] = -1 / p->value;
}

/* All of it from the values of the probes. */
static void evaluate(const sn_coordinate *x, sn_phi *p) {
  switch (x->type) {
    case SN_PHI_TURN:
      p->value = p->y[1][0] - p->y[0][0];
      p->g[0][0] = -1;
      p->g[1][0] = 1;
      break;
    case SN_PHI_ANGLE:
      angle_at(p);
      break;
    case SN_PHI_TRAVEL:
      travel_at(p);
      break;
    case SN_PHI_VECTOR:
      vector_at(p);
      break;
    case SN_PHI_DISTANCE:
      distance_at(p);
      break;
  }
  p->value = x->sign * p->value - x->c;
  if (x->sign == 1) return;
  for (int k = 0; k < x->probes; k++) {
    sn_scale(p->g[k], x->sign, p->g[k]);
    for (int m = 0; m < x->probes; m++) p->W[k][m] *= x->sign;
  }
  for (int a = 0; a < p->terms; a++)
    for (int b = 0; b < p->terms; b++) p->C[a][b] *= x->sign;
}

void sn_phi_at(const sn_coordinate *x, const double *q, sn_phi *p) {
  assert(x->probes >= 2 && x->probes <= SN_PHI_PROBES);
  memset(p, 0, sizeof *p);
  for (int k = 0; k < x->probes; k++) x->probe[k].ops->value(&x->probe[k], q, p->y[k]);
  evaluate(x, p);
}

double sn_nearest_turn(double angle, double near) {
  return angle + 2 * SN_PI * nearbyint((near - angle) / (2 * SN_PI));
}

bool sn_phi_nears_jump(const sn_coordinate *x, const double *q) {
  sn_phi p;
  if (x->type != SN_PHI_ANGLE && x->type != SN_PHI_VECTOR) return false;
  sn_phi_at(x, q, &p);
  if (x->type == SN_PHI_VECTOR) {
    double P[4];
    return vector_products(&p, P) < -cos(0.15);
  }
  return fabs(p.value + x->c) > SN_PI - 0.15;
}

/* ---- over a step of an energy-momentum method: g.(y1 - y0) = phi1 - phi0 ---- */

/* c and s are sums of products; with their means, phi1 - phi0 = k (c (s1 - s0) - s (c1 - c0)),
 * k = atan(X/Y)/X, X = c0 s1 - s0 c1, Y = c0 c1 + s0 s1. Returns phi1 - phi0. */
static double angle_over_step(const sn_phi *p0, const sn_phi *p1, sn_phi *p) {
  double c[2], s[2];
  for (int e = 0; e < 2; e++) angle_products(e ? p1 : p0, &c[e], &s[e]);
  double X = c[0] * s[1] - s[0] * c[1], Y = c[0] * c[1] + s[0] * s[1], turn = atan2(X, Y);
  double k = X != 0 ? turn / X : 1 / Y, Fc = -k * 0.5 * (s[0] + s[1]), Fs = k * 0.5 * (c[0] + c[1]);
  for (int i = 0; i < 4; i++)
    for (int d = 0; d < 3; d++) p->g[i][d] = Fc * p->h[0][i][d] + Fs * p->h[1][i][d];
  return turn;
}

/* P is a sum of products, so that P1 - P0 = h.(y1 - y0) with the mean h; the derivatives over P at the mean of P are
 * corrected along P1 - P0 such that F.(P1 - P0) = phi1 - phi0. */
static void vector_over_step(const sn_phi *p0, const sn_phi *p1, sn_phi *p) {
  double P[2][4], mean[4], F[4], C[4][4], change = 0, square = 0;
  for (int e = 0; e < 2; e++) vector_products(e ? p1 : p0, P[e]);
  for (int k = 0; k < 4; k++) mean[k] = 0.5 * (P[0][k] + P[1][k]);
  vector_of_products(mean, F, C);
  for (int k = 0; k < 4; k++) {
    change += F[k] * (P[1][k] - P[0][k]);
    square += (P[1][k] - P[0][k]) * (P[1][k] - P[0][k]);
  }
  const double least = 1e-10; /* below it the correction, of the size of `square`, is rounding */
  const double factor = square > least ? (p1->value - p0->value - change) / square : 0;
  for (int k = 0; k < 4; k++) F[k] += factor * (P[1][k] - P[0][k]);
  for (int i = 0; i < 4; i++)
    for (int d = 0; d < 3; d++) {
      p->g[i][d] = 0;
      for (int k = 0; k < 4; k++) p->g[i][d] += F[k] * p->h[k][i][d];
    }
}

/* Moments on rigid bodies of a planar model act on their angles with the factor tan(a)/a, 2 a their turn in the step;
 * opposite moments do the work phi1 - phi0 with the factor (aj - ai)/(tan aj - tan ai). */
static double turn_over_step(const sn_phi *p0, const sn_phi *p1, sn_phi *p) {
  double a[2], t[2];
  for (int k = 0; k < 2; k++) {
    a[k] = 0.5 * (p1->y[k][0] - p0->y[k][0]);
    t[k] = sn_half_tangent(2 * a[k]);
  }
  double d = a[1] - a[0], f = cos(a[0]) * cos(a[1]) * (d != 0 ? d / sin(d) : 1);
  p->g[0][0] = -f * t[0];
  p->g[1][0] = f * t[1];
  return 2 * d;
}

/* L1 - L0 = (d0 + d1).(d1 - d0)/(L0 + L1) */
static void distance_over_step(const sn_coordinate *x, const sn_phi *p0, const sn_phi *p1, sn_phi *p) {
  double d[2][3], sum = 0;
  for (int e = 0; e < 2; e++) {
    sn_sub(d[e], (e ? p1 : p0)->y[1], (e ? p1 : p0)->y[0]);
    sum += sn_norm(d[e]);
  }
  for (int k = 0; k < 3; k++) {
    const double g = sum > 0 ? x->sign * (d[0][k] + d[1][k]) / sum : 0;
    p->g[0][k] = -g;
    p->g[1][k] = g;
  }
}

void sn_phi_mean(const sn_coordinate *x, const sn_eval *ev, sn_phi *p) {
  assert(!ev->q0 == !ev->q1);
  if (!ev->q0) {
    sn_phi_at(x, ev->q, p);
    return;
  }
  sn_phi end[2];
  memset(p, 0, sizeof *p);
  for (int e = 0; e < 2; e++) sn_phi_at(x, e ? ev->q1 : ev->q0, &end[e]);
  for (int k = 0; k < x->probes; k++)
    for (int d = 0; d < 3; d++) p->y[k][d] = 0.5 * (end[0].y[k][d] + end[1].y[k][d]);
  evaluate(x, p);
  p->value = 0.5 * (end[0].value + end[1].value);
  if (x->type == SN_PHI_DISTANCE) distance_over_step(x, &end[0], &end[1], p);
  if (x->type == SN_PHI_VECTOR) vector_over_step(&end[0], &end[1], p);
  if (x->type != SN_PHI_ANGLE && x->type != SN_PHI_TURN) return;
  double change = (x->type == SN_PHI_ANGLE ? angle_over_step : turn_over_step)(&end[0], &end[1], p);
  p->value = end[0].value + 0.5 * x->sign * change;
  for (int k = 0; k < x->probes; k++) sn_scale(p->g[k], x->sign, p->g[k]);
}

/* ---- what all share ---- */

int sn_phi_count(const sn_coordinate *x) {
  int n = 0;
  for (int k = 0; k < x->probes; k++) n += x->probe[k].count;
  return n;
}

int sn_phi_groups(const sn_coordinate *x, int *groups) {
  int n = 0;
  for (int k = 0; k < x->probes; k++)
    for (int g = 0; g < x->probe[k].groups; g++) groups[n++] = x->probe[k].group[g];
  return n;
}

/* y' of all probes */
static void rates(const sn_coordinate *x, const double *q, const double *v, double yd[SN_PHI_PROBES][3]) {
  for (int k = 0; k < x->probes; k++) x->probe[k].ops->rate(&x->probe[k], q, v, yd[k]);
}

double sn_phi_rate(const sn_coordinate *x, const sn_phi *p, const double *q, const double *v) {
  double yd[SN_PHI_PROBES][3], sum = 0;
  rates(x, q, v, yd);
  for (int k = 0; k < x->probes; k++) sum += sn_dot(p->g[k], yd[k]);
  return sum;
}

/* sum_a C_ba x_a */
static double term_product(const sn_phi *p, int b, const double *x) {
  double sum = 0;
  for (int a = 0; a < p->terms; a++) sum += p->C[b][a] * x[a];
  return sum;
}

double sn_phi_accel(const sn_coordinate *x, const sn_phi *p, const double *q, const double *v, const double *a) {
  double yd[SN_PHI_PROBES][3], hd[SN_PHI_TERMS] = {0}, sum = sn_phi_rate(x, p, q, a);
  rates(x, q, v, yd);
  for (int k = 0; k < x->probes; k++) {
    double c[3];
    x->probe[k].ops->convective(&x->probe[k], q, v, c);
    sum += sn_dot(p->g[k], c);
    for (int m = 0; m < x->probes; m++) sum += p->W[k][m] * sn_dot(yd[k], yd[m]);
    for (int b = 0; b < p->terms; b++) hd[b] += sn_dot(p->h[b][k], yd[k]);
  }
  for (int b = 0; b < p->terms; b++) sum += hd[b] * term_product(p, b, hd);
  return sum;
}

void sn_phi_apply(const sn_coordinate *x, const sn_phi *p, const sn_eval *ev, double f, double *r) {
  for (int k = 0; k < x->probes; k++) {
    double fk[3];
    sn_scale(fk, f, p->g[k]);
    sn_probe_apply(&x->probe[k], ev, fk, r);
  }
}

/* R: Y_p' dg_p/dt + g_p.d(Y v)/dq, with dg_p/dt = sum_q W_pq y_q' + sum_ab C_ab h_ap (h_b.y') */
static void rate_derivative(const sn_coordinate *x, const sn_phi *p, const double *q, const double *v,
                            double J[SN_PHI_PROBES][3 * SN_PROBE_COORDINATES], double *R) {
  double yd[SN_PHI_PROBES][3], hd[SN_PHI_TERMS] = {0}, V[3 * SN_PROBE_COORDINATES];
  rates(x, q, v, yd);
  for (int k = 0; k < x->probes; k++)
    for (int b = 0; b < p->terms; b++) hd[b] += sn_dot(p->h[b][k], yd[k]);
  for (int k = 0; k < x->probes; k++) {
    const sn_probe *a = &x->probe[k];
    double gd[3] = {0, 0, 0};
    for (int m = 0; m < x->probes; m++) sn_axpy(gd, p->W[k][m], yd[m]);
    for (int b = 0; b < p->terms; b++) sn_axpy(gd, term_product(p, b, hd), p->h[b][k]);
    for (int c = 0; c < a->count; c++) R[c] = sn_dot(gd, J[k] + 3 * c);
    if (a->ops->rate_jacobian) {
      a->ops->rate_jacobian(a, q, v, V);
      for (int c = 0; c < a->count; c++) R[c] += sn_dot(p->g[k], V + 3 * c);
    }
    R += a->count;
  }
}

void sn_phi_derivatives(const sn_coordinate *x, const sn_phi *p, const double *q, const double *v, double f, double *G,
                        double *T, int stride, double *R) {
  assert(stride >= sn_phi_count(x) && sn_phi_count(x) <= SN_PHI_LOCAL);
  double J[SN_PHI_PROBES][3 * SN_PROBE_COORDINATES], H[SN_PHI_TERMS][SN_PHI_LOCAL];
  int first[SN_PHI_PROBES + 1] = {0};
  for (int k = 0; k < x->probes; k++) {
    const sn_probe *a = &x->probe[k];
    a->ops->jacobian(a, q, J[k]);
    first[k + 1] = first[k] + a->count;
    for (int c = 0; c < a->count; c++) {
      G[first[k] + c] = sn_dot(p->g[k], J[k] + 3 * c);
      for (int b = 0; b < p->terms; b++) H[b][first[k] + c] = sn_dot(p->h[b][k], J[k] + 3 * c);
    }
  }
  int n = first[x->probes];
  for (int k = 0; k < x->probes && f != 0; k++) {
    const sn_probe *a = &x->probe[k];
    double fg[3];
    sn_scale(fg, f, p->g[k]);
    if (a->ops->hessian) a->ops->hessian(a, q, fg, T + first[k] * (stride + 1), stride);
    for (int m = 0; m < x->probes; m++) {
      if (p->W[k][m] == 0) continue;
      for (int c = 0; c < x->probe[m].count; c++)
        for (int d = 0; d < a->count; d++)
          T[first[k] + d + stride * (first[m] + c)] += f * p->W[k][m] * sn_dot(J[k] + 3 * d, J[m] + 3 * c);
    }
  }
  for (int c = 0; c < n && f != 0; c++) {
    double column[SN_PHI_TERMS];
    for (int b = 0; b < p->terms; b++) column[b] = H[b][c];
    for (int b = 0; b < p->terms; b++) {
      const double w = f * term_product(p, b, column);
      for (int d = 0; d < n; d++) T[d + stride * c] += H[b][d] * w;
    }
  }
  if (R) rate_derivative(x, p, q, v, J, R);
}

/* A rigid displacement (d, w) of one side changes its points by d + w x (y - about), its directions by w x y, its angle
 * by w_z; `sign` makes the side the second one. */
void sn_phi_reaction(const sn_coordinate *x, const sn_phi *p, double f, const double about[3], double F[3],
                     double M[3]) {
  assert(x->type >= SN_PHI_TURN && x->type <= SN_PHI_DISTANCE && (x->second == 0 || x->second == 1));
  static const int first_of_j[] = {
      [SN_PHI_TURN] = 1, [SN_PHI_ANGLE] = 2, [SN_PHI_TRAVEL] = 2, [SN_PHI_VECTOR] = 2, [SN_PHI_DISTANCE] = 1};
  int from = first_of_j[x->type], begin = x->second ? from : 0, end = x->second ? x->probes : from;
  for (int k = begin; k < end; k++) {
    double force[3], arm[3], m[3];
    sn_scale(force, -f, p->g[k]);
    if (x->type == SN_PHI_TURN) {
      M[2] += force[0];
      continue;
    }
    sn_copy(arm, p->y[k]);
    if ((x->type == SN_PHI_TRAVEL && k > 0) || x->type == SN_PHI_DISTANCE) {
      sn_sub(arm, arm, about);
      sn_axpy(F, 1, force);
    }
    sn_cross(m, arm, force);
    sn_axpy(M, 1, m);
  }
}

/* ---- building ---- */

const char *sn_make_rotation(const sn_model *model, const sn_marker marker[2], const double axis[3], sn_coordinate *x) {
  assert(sn_is_unit(axis));
  double e[2][3];
  *x = (sn_coordinate){.sign = 1, .second = 1};
  if (model->dim == 2 && fabs(axis[2]) < 1 - 1e-12) return "the axis is not normal to the plane of this planar model";
  if (model->dim == 2 && marker[0].body->ops->angle && marker[1].body->ops->angle) {
    x->type = SN_PHI_TURN;
    x->probes = 2;
    x->sign = axis[2] < 0 ? -1 : 1;
    double start[2];
    for (int i = 0; i < 2; i++) start[i] = marker[i].body->ops->angle(&marker[i], &x->probe[i]);
    x->c = x->sign * (start[1] - start[0]);
    return NULL;
  }
  int base = marker[0].has_frame ? 0 : 1; /* carries the axis; the other one turns against it */
  const sn_marker *i = &marker[base], *j = &marker[1 - base];
  if (!i->has_frame) return "neither side has a frame to carry the axis";
  x->type = SN_PHI_ANGLE;
  x->probes = 3;
  x->second = 1 - base;
  if (base) x->sign = -1;
  if (j->has_frame) {
    sn_frame(axis, e[0], e[1]);
    x->probes = 4;
    for (int k = 0; k < 2; k++) sn_marker_direction(j, e[k], &x->probe[2 + k]);
  } else if (j->has_tangent && fabs(sn_dot(j->tangent, axis)) < 1e-6) {
    sn_copy(e[0], j->tangent);
    sn_cross(e[1], axis, e[0]);
    j->body->ops->tangent(j, &x->probe[2]);
  } else {
    return j->has_tangent ? "the axis is not normal to the line" : "a body without orientation cannot rotate";
  }
  for (int k = 0; k < 2; k++) sn_marker_direction(i, e[k], &x->probe[k]);
  return NULL;
}

const char *sn_make_travel(const sn_marker marker[2], const double axis[3], bool absolute, sn_coordinate *x) {
  assert(sn_is_unit(axis));
  int base = marker[0].has_frame ? 0 : 1;
  const sn_marker *i = &marker[base], *j = &marker[1 - base];
  double d[3];
  if (!i->has_frame) return "neither side has a frame to carry the axis";
  *x = (sn_coordinate){.type = SN_PHI_TRAVEL, .probes = 3, .sign = base ? -1 : 1, .second = 1 - base};
  sn_marker_direction(i, axis, &x->probe[0]);
  sn_marker_point(i, &x->probe[1]);
  sn_marker_point(j, &x->probe[2]);
  sn_sub(d, marker[1].position, marker[0].position);
  if (!absolute) x->c = sn_dot(axis, d);
  return NULL;
}

void sn_make_distance(const sn_marker marker[2], sn_coordinate *x) {
  *x = (sn_coordinate){.type = SN_PHI_DISTANCE, .probes = 2, .sign = 1, .second = 1};
  for (int k = 0; k < 2; k++) sn_marker_point(&marker[k], &x->probe[k]);
}

void sn_make_vector(const sn_marker marker[2], const double a[3], const double b[3], sn_coordinate *x) {
  assert(marker[0].has_frame && marker[1].has_frame && sn_is_unit(a) && sn_is_unit(b));
  *x = (sn_coordinate){.type = SN_PHI_VECTOR, .probes = 4, .sign = 1, .second = 1};
  const double *axis[2] = {a, b};
  for (int k = 0; k < 2; k++) {
    sn_marker_direction(&marker[0], axis[k], &x->probe[k]);
    sn_marker_direction(&marker[1], axis[k], &x->probe[2 + k]);
  }
}
