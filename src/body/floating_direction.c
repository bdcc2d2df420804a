/* floating_direction.c - directions of bodies in a floating frame, in space.
 *
 *   y = A(p) g(w),   w = W z,   g = exp(w) d
 *
 * The section turns by the whole vector w, so that its directions keep lengths and angles (in the plane too they turn
 * by the whole angle). With x = w.w, C1 = sin|w|/|w| and C2 = (1 - cos|w|)/x:
 *
 *   g = d + C1 u + C2 v,   u = w x d,   v = w x u = (w.d) w - x d
 *   g_i  = C1 u_i + C2 v_i + 2 w_i (C1' u + C2' v)                                       ' = d/dx
 *   g_ij = 2 C1'(w_j u_i + w_i u_j) + 2 C2'(w_j v_i + w_i v_j) + C2 v_ij
 *          + (2 C1' [i=j] + 4 C1'' w_i w_j) u + (2 C2' [i=j] + 4 C2'' w_i w_j) v
 *   u_i = e_i x d,   v_i = (w.d) e_i + d_i w - 2 w_i d,   v_ij = d_j e_i + d_i e_j - 2 [i=j] d
 *
 * Y = [0, dA/dp_k g, A g_i W_i];  the rest follows by the product rule, as for points (floating_probe.c).
 */
#include <math.h>
#include <string.h>

#include "body/floating_element.h"
#include "math/vec3.h"

enum { NF = SN_FLOATING_DEFORMATION, FRAME = 7 };

/* Cn = sum_k (-x)^k/(2 k + n)!: C0 = cos, C1, C2 as above; Cn = 1/n! - x C(n+2), Cn' = (n C(n+2) - C(n+1))/2 */
static void series(double x, double C[7]) {
  static const double one_over[] = {1, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720};
  for (int n = 5; n < 7; n++) {
    double term = one_over[n];
    C[n] = 0;
    for (int k = 0; fabs(term) > 1e-19 * fabs(C[n]) && k < 200; k++) {
      C[n] += term;
      term *= -x / ((2 * k + n + 1) * (2 * k + n + 2));
    }
  }
  for (int n = 4; n > 0; n--) C[n] = one_over[n] - x * C[n + 2];
}

typedef struct turned {
  double g[3], gi[3][3], gij[3][3][3];
} turned;

static void turn_by(const double w[3], const double d[3], bool second, turned *t) {
  double C[7], x = sn_dot(w, w), wd = sn_dot(w, d), u[3], v[3], ui[3][3], vi[3][3];
  series(x, C);
  double c1 = (C[3] - C[2]) / 2, c2 = (2 * C[4] - C[3]) / 2;
  double c11 = (3 * C[5] - 3 * C[4] + C[3]) / 4, c22 = (8 * C[6] - 5 * C[5] + C[4]) / 4;
  sn_cross(u, w, d);
  for (int k = 0; k < 3; k++) {
    v[k] = wd * w[k] - x * d[k];
    t->g[k] = d[k] + C[1] * u[k] + C[2] * v[k];
  }
  for (int i = 0; i < 3; i++) {
    double e[3] = {i == 0, i == 1, i == 2};
    sn_cross(ui[i], e, d);
    for (int k = 0; k < 3; k++) {
      vi[i][k] = wd * e[k] + d[i] * w[k] - 2 * w[i] * d[k];
      t->gi[i][k] = C[1] * ui[i][k] + C[2] * vi[i][k] + 2 * w[i] * (c1 * u[k] + c2 * v[k]);
    }
  }
  for (int i = 0; i < 3 && second; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        t->gij[i][j][k] = 2 * c1 * (w[j] * ui[i][k] + w[i] * ui[j][k]) + 2 * c2 * (w[j] * vi[i][k] + w[i] * vi[j][k]) +
                          C[2] * (d[j] * (k == i) + d[i] * (k == j) - 2 * (i == j) * d[k]) +
                          (2 * c1 * (i == j) + 4 * c11 * w[i] * w[j]) * u[k] +
                          (2 * c2 * (i == j) + 4 * c22 * w[i] * w[j]) * v[k];
}

/* ---- the probe ---- */

/* W x over the deformation part of a vector of all coordinates */
static void section_turn(const sn_probe *p, const double *x, double w[3]) {
  const sn_floating_place *at = p->data;
  w[0] = w[1] = w[2] = 0;
  for (int g = 1, j = 0; g < p->groups; g++)
    for (int k = 0; k < p->size[g]; k++, j++)
      for (int i = 0; i < 3; i++) w[i] += at->W[i * at->nf + j] * x[p->first[g] + k];
}

typedef struct place {
  sn_turn turn;
  turned t;
  double wd[3], gd[3], gdd[3]; /* rates along v: w', g' and g'' with w'' = 0 */
} place;

static void place_at(const sn_probe *p, const double *q, const double *v, bool second, place *s) {
  static const double zero[4] = {0};
  double w[3];
  memset(s, 0, sizeof *s);
  section_turn(p, q, w);
  sn_turn_set(&s->turn, 3, q + p->first[0] + 3, v ? v + p->first[0] + 3 : zero, zero, 0);
  turn_by(w, p->weight + 1, second, &s->t);
  if (!v) return;
  section_turn(p, v, s->wd);
  for (int i = 0; i < 3; i++) {
    sn_axpy(s->gd, s->wd[i], s->t.gi[i]);
    for (int j = 0; j < 3; j++) sn_axpy(s->gdd, s->wd[i] * s->wd[j], s->t.gij[i][j]);
  }
}

/* y += A u, A row by row */
static void add_times(const double *A, const double u[3], double y[3]) {
  for (int i = 0; i < 3; i++) y[i] += sn_dot(A + 3 * i, u);
}
static void transposed_times(const double *A, const double f[3], double y[3]) {
  for (int i = 0; i < 3; i++) y[i] = A[i] * f[0] + A[3 + i] * f[1] + A[6 + i] * f[2];
}

static void direction_value(const sn_probe *p, const double *q, double y[3]) {
  place s;
  place_at(p, q, NULL, false, &s);
  y[0] = y[1] = y[2] = 0;
  add_times(s.turn.A, s.t.g, y);
}

/* Columns of the deformation: sum_i h_i W_ij */
static void deformation_columns(const sn_probe *p, double h[3][3], double *J) {
  const sn_floating_place *at = p->data;
  for (int j = 0; j < at->nf; j++)
    for (int i = 0; i < 3; i++) sn_axpy(J + 3 * (FRAME + j), at->W[i * at->nf + j], h[i]);
}

static void direction_jacobian(const sn_probe *p, const double *q, double *J) {
  place s;
  double h[3][3] = {{0}};
  place_at(p, q, NULL, false, &s);
  memset(J, 0, sizeof(double) * 3 * (size_t)p->count);
  for (int k = 0; k < 4; k++) add_times(s.turn.Ak[k], s.t.g, J + 3 * (3 + k));
  for (int i = 0; i < 3; i++) add_times(s.turn.A, s.t.gi[i], h[i]);
  deformation_columns(p, h, J);
}

static void direction_apply(const sn_probe *p, const double *q, const double f[3], double *r) {
  double J[3 * SN_PROBE_COORDINATES], *column = J;
  direction_jacobian(p, q, J);
  for (int g = 0; g < p->groups; g++)
    for (int k = 0; k < p->size[g]; k++, column += 3) r[p->first[g] + k] += sn_dot(column, f);
}

static void direction_rate(const sn_probe *p, const double *q, const double *v, double y[3]) {
  place s;
  place_at(p, q, v, false, &s);
  y[0] = y[1] = y[2] = 0;
  add_times(s.turn.Ad, s.t.g, y);
  add_times(s.turn.A, s.gd, y);
}

static void direction_convective(const sn_probe *p, const double *q, const double *v, double c[3]) {
  place s;
  place_at(p, q, v, true, &s); /* with p'' = 0: A'' is the convective part */
  c[0] = c[1] = c[2] = 0;
  add_times(s.turn.Ad, s.gd, c);
  sn_scale(c, 2, c);
  add_times(s.turn.Add, s.t.g, c);
  add_times(s.turn.A, s.gdd, c);
}

static void direction_rate_jacobian(const sn_probe *p, const double *q, const double *v, double *J) {
  place s;
  double h[3][3] = {{0}};
  place_at(p, q, v, true, &s);
  memset(J, 0, sizeof(double) * 3 * (size_t)p->count);
  for (int k = 0; k < 4; k++) {
    add_times(s.turn.Adk[k], s.t.g, J + 3 * (3 + k));
    add_times(s.turn.Ak[k], s.gd, J + 3 * (3 + k));
  }
  for (int i = 0; i < 3; i++) {
    double change[3] = {0};
    for (int j = 0; j < 3; j++) sn_axpy(change, s.wd[j], s.t.gij[i][j]);
    add_times(s.turn.Ad, s.t.gi[i], h[i]);
    add_times(s.turn.A, change, h[i]);
  }
  deformation_columns(p, h, J);
}

static void direction_hessian(const sn_probe *p, const double *q, const double f[3], double *T, int stride) {
  const sn_floating_place *at = p->data;
  int n = at->nf;
  place s;
  double F[9], H[4][4], Af[3], second[3][3];
  place_at(p, q, NULL, true, &s);
  for (int i = 0; i < 3; i++)
    for (int a = 0; a < 3; a++) F[i * 3 + a] = f[i] * s.t.g[a];
  sn_turn_second(&s.turn, F, H);
  for (int k = 0; k < 4; k++) {
    double mixed[3];
    for (int l = 0; l < 4; l++) T[3 + k + (3 + l) * stride] += H[k][l];
    transposed_times(s.turn.Ak[k], f, Af);
    for (int i = 0; i < 3; i++) mixed[i] = sn_dot(Af, s.t.gi[i]);
    for (int j = 0; j < n; j++) {
      double x = mixed[0] * at->W[j] + mixed[1] * at->W[n + j] + mixed[2] * at->W[2 * n + j];
      T[3 + k + (FRAME + j) * stride] += x;
      T[FRAME + j + (3 + k) * stride] += x;
    }
  }
  transposed_times(s.turn.A, f, Af);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) second[i][j] = sn_dot(Af, s.t.gij[i][j]);
  for (int k = 0; k < n; k++)
    for (int l = 0; l < n; l++)
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          T[FRAME + k + (FRAME + l) * stride] += second[i][j] * at->W[i * n + k] * at->W[j * n + l];
}

const sn_probe_ops sn_floating_direction_ops = {
    .name = "floating direction",
    .value = direction_value,
    .jacobian = direction_jacobian,
    .apply = direction_apply,
    .rate = direction_rate,
    .convective = direction_convective,
    .rate_jacobian = direction_rate_jacobian,
    .hessian = direction_hessian,
    .apply_step = sn_probe_apply_corrected,
};
