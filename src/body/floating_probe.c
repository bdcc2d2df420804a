/* floating_probe.c - points of bodies in a floating frame, and directions in the plane.
 *
 *   y = R + A(p) (c + N z)               c = u0, N = S
 *   Y = [I, dA/dp_k (c + N z), A N]
 *   convective part  Q(p',p') (c + N z) + 2 A' N z'      (the part of A'' without p'')
 *   H(f): p_k p_l  f.d2A/dp_k dp_l (c + N z);   p_k z  N'(dA/dp_k)'f;   z z  0
 *
 * Directions in space: floating_direction.c. In the plane they turn by the whole angle a = angle + W z:  y = R(a) d,  Y
 * = y^ a_q,  H(f) = -f.y a_q a_q'.
 */
#include <math.h>
#include <string.h>

#include "body/floating_element.h"
#include "math/vec3.h"

enum { NF = SN_FLOATING_DEFORMATION };

typedef struct place {
  int dim, nf, nr;
  double c[3], N[3][NF], z[NF], zd[NF]; /* zd of the second vector given */
} place;

static void gather(const sn_probe *p, const double *x, double *z) {
  for (int g = 1; g < p->groups; g++)
    for (int k = 0; k < p->size[g]; k++) *z++ = x[p->first[g] + k];
}

/* The constants of the probe, u = c + N z at q; ud = N z' for v. */
static void place_at(const sn_probe *p, const double *q, const double *v, place *s, double u[3], double ud[3]) {
  const sn_floating_place *at = p->data;
  int n = s->nf = at->nf;
  s->dim = p->dim;
  s->nr = p->dim == 2 ? 3 : 7;
  gather(p, q, s->z);
  gather(p, v, s->zd);
  sn_copy(s->c, at->c);
  memset(s->N, 0, sizeof s->N);
  for (int i = 0; i < s->dim; i++) memcpy(s->N[i], at->S + i * n, sizeof(double) * (size_t)n);
  for (int i = 0; i < 3; i++) {
    u[i] = s->c[i], ud[i] = 0;
    for (int j = 0; j < n && i < s->dim; j++) u[i] += s->N[i][j] * s->z[j], ud[i] += s->N[i][j] * s->zd[j];
  }
}

static void turn_at(const sn_probe *p, const double *q, const double *v, sn_turn *t) {
  static const double zero[4] = {0};
  int at = p->first[0] + p->dim;
  sn_turn_set(t, p->dim, q + at, v ? v + at : zero, zero, 0);
}

static double row(int d, const double *A, int i, const double *u) {
  double sum = 0;
  for (int a = 0; a < d; a++) sum += A[i * d + a] * u[a];
  return sum;
}

static void point_value(const sn_probe *p, const double *q, double y[3]) {
  place s = {0};
  sn_turn t = {0};
  double u[3], ud[3];
  place_at(p, q, q, &s, u, ud);
  turn_at(p, q, NULL, &t);
  for (int i = 0; i < 3; i++) y[i] = i < p->dim ? q[p->first[0] + i] + row(p->dim, t.A, i, u) : 0;
}

static void point_jacobian(const sn_probe *p, const double *q, double *J) {
  place s = {0};
  sn_turn t = {0};
  double u[3], ud[3];
  int d = p->dim == 2 ? 2 : 3;
  place_at(p, q, q, &s, u, ud);
  turn_at(p, q, NULL, &t);
  memset(J, 0, sizeof(double) * 3 * (size_t)p->count);
  for (int i = 0; i < d; i++) {
    J[i + 3 * i] = 1;
    for (int k = 0; k < t.count; k++) J[i + 3 * (d + k)] = row(d, t.Ak[k], i, u);
    for (int j = 0; j < s.nf; j++)
      for (int a = 0; a < d; a++) J[i + 3 * (s.nr + j)] += t.A[i * d + a] * s.N[a][j];
  }
}

static void apply_jacobian(const sn_probe *p, const double *J, const double f[3], double *r) {
  for (int g = 0; g < p->groups; g++)
    for (int k = 0; k < p->size[g]; k++, J += 3) r[p->first[g] + k] += sn_dot(J, f);
}

static void point_apply(const sn_probe *p, const double *q, const double f[3], double *r) {
  double J[3 * SN_PROBE_COORDINATES] = {0};
  point_jacobian(p, q, J);
  apply_jacobian(p, J, f, r);
}

static void point_rate(const sn_probe *p, const double *q, const double *v, double y[3]) {
  place s = {0};
  sn_turn t = {0};
  double u[3], ud[3];
  place_at(p, q, v, &s, u, ud);
  turn_at(p, q, v, &t);
  for (int i = 0; i < 3; i++)
    y[i] = i < p->dim ? v[p->first[0] + i] + row(p->dim, t.Ad, i, u) + row(p->dim, t.A, i, ud) : 0;
}

static void point_convective(const sn_probe *p, const double *q, const double *v, double c[3]) {
  place s = {0};
  sn_turn t = {0};
  double u[3], ud[3];
  place_at(p, q, v, &s, u, ud);
  turn_at(p, q, v, &t); /* with p'' = 0: A'' is the convective part */
  for (int i = 0; i < 3; i++) c[i] = i < p->dim ? row(p->dim, t.Add, i, u) + 2 * row(p->dim, t.Ad, i, ud) : 0;
}

static void point_rate_jacobian(const sn_probe *p, const double *q, const double *v, double *J) {
  place s = {0};
  sn_turn t = {0};
  double u[3], ud[3];
  int d = p->dim == 2 ? 2 : 3;
  place_at(p, q, v, &s, u, ud);
  turn_at(p, q, v, &t);
  memset(J, 0, sizeof(double) * 3 * (size_t)p->count);
  for (int i = 0; i < d; i++) {
    for (int k = 0; k < t.count; k++) J[i + 3 * (d + k)] = row(d, t.Adk[k], i, u) + row(d, t.Ak[k], i, ud);
    for (int j = 0; j < s.nf; j++)
      for (int a = 0; a < d; a++) J[i + 3 * (s.nr + j)] += t.Ad[i * d + a] * s.N[a][j];
  }
}

static void point_hessian(const sn_probe *p, const double *q, const double f[3], double *T, int stride) {
  place s = {0};
  sn_turn t = {0};
  double u[3], ud[3], F[9], H[4][4];
  int d = p->dim == 2 ? 2 : 3;
  place_at(p, q, q, &s, u, ud);
  turn_at(p, q, NULL, &t);
  for (int i = 0; i < d; i++)
    for (int a = 0; a < d; a++) F[i * d + a] = f[i] * u[a];
  sn_turn_second(&t, F, H);
  for (int k = 0; k < t.count; k++) {
    double g[3] = {0};
    for (int l = 0; l < t.count; l++) T[d + k + (d + l) * stride] += H[k][l];
    for (int a = 0; a < d; a++)
      for (int i = 0; i < d; i++) g[a] += t.Ak[k][i * d + a] * f[i];
    for (int j = 0; j < s.nf; j++) {
      double x = 0;
      for (int a = 0; a < d; a++) x += g[a] * s.N[a][j];
      T[d + k + (s.nr + j) * stride] += x;
      T[s.nr + j + (d + k) * stride] += x;
    }
  }
}

static const sn_probe_ops point_ops = {
    .name = "floating point",
    .value = point_value,
    .jacobian = point_jacobian,
    .apply = point_apply,
    .rate = point_rate,
    .convective = point_convective,
    .rate_jacobian = point_rate_jacobian,
    .hessian = point_hessian,
    .apply_step = sn_probe_apply_corrected,
};

/* ---- directions in the plane ---- */

/* a = angle + W z of the vector x (q, or v for its rate), and a_q */
static double angle_of(const sn_probe *p, const double *x, double aq[SN_PROBE_COORDINATES]) {
  const sn_floating_place *at = p->data;
  double z[NF] = {0}, a = x[p->first[0] + 2];
  gather(p, x, z);
  aq[0] = aq[1] = 0, aq[2] = 1;
  for (int j = 0; j < at->nf; j++) {
    aq[3 + j] = at->W[2 * at->nf + j];
    a += aq[3 + j] * z[j];
  }
  return a;
}

static double direction_at(const sn_probe *p, const double *q, double aq[SN_PROBE_COORDINATES], double y[3]) {
  double a = angle_of(p, q, aq), c = cos(a), s = sin(a);
  y[0] = c * p->weight[1] - s * p->weight[2];
  y[1] = s * p->weight[1] + c * p->weight[2];
  y[2] = 0;
  return a;
}

static void direction_value(const sn_probe *p, const double *q, double y[3]) {
  double aq[SN_PROBE_COORDINATES] = {0};
  direction_at(p, q, aq, y);
}

static void direction_jacobian(const sn_probe *p, const double *q, double *J) {
  double aq[SN_PROBE_COORDINATES] = {0}, y[3];
  direction_at(p, q, aq, y);
  for (int k = 0; k < p->count; k++) J[3 * k] = -aq[k] * y[1], J[3 * k + 1] = aq[k] * y[0], J[3 * k + 2] = 0;
}

static void direction_apply(const sn_probe *p, const double *q, const double f[3], double *r) {
  double J[3 * SN_PROBE_COORDINATES] = {0};
  direction_jacobian(p, q, J);
  apply_jacobian(p, J, f, r);
}

static void direction_rate(const sn_probe *p, const double *q, const double *v, double rate[3]) {
  double aq[SN_PROBE_COORDINATES] = {0}, y[3];
  direction_at(p, q, aq, y);
  double w = angle_of(p, v, aq);
  rate[0] = -w * y[1], rate[1] = w * y[0], rate[2] = 0;
}

static void direction_convective(const sn_probe *p, const double *q, const double *v, double c[3]) {
  double aq[SN_PROBE_COORDINATES] = {0}, y[3];
  direction_at(p, q, aq, y);
  double w = angle_of(p, v, aq);
  c[0] = -w * w * y[0], c[1] = -w * w * y[1], c[2] = 0;
}

static void direction_rate_jacobian(const sn_probe *p, const double *q, const double *v, double *J) {
  double aq[SN_PROBE_COORDINATES] = {0}, y[3];
  direction_at(p, q, aq, y);
  double w = angle_of(p, v, aq);
  for (int k = 0; k < p->count; k++) J[3 * k] = -aq[k] * w * y[0], J[3 * k + 1] = -aq[k] * w * y[1], J[3 * k + 2] = 0;
}

static void direction_hessian(const sn_probe *p, const double *q, const double f[3], double *T, int stride) {
  double aq[SN_PROBE_COORDINATES] = {0}, y[3];
  direction_at(p, q, aq, y);
  double s = -sn_dot(f, y);
  for (int k = 0; k < p->count; k++)
    for (int l = 0; l < p->count; l++) T[k + l * stride] += s * aq[k] * aq[l];
}

static const sn_probe_ops direction_ops = {
    .name = "floating direction in the plane",
    .value = direction_value,
    .jacobian = direction_jacobian,
    .apply = direction_apply,
    .rate = direction_rate,
    .convective = direction_convective,
    .rate_jacobian = direction_rate_jacobian,
    .hessian = direction_hessian,
    .apply_step = sn_probe_apply_corrected,
};

/* ---- angles in the plane: y = (a, 0, 0), linear ---- */

static void angle_value(const sn_probe *p, const double *q, double y[3]) {
  double aq[SN_PROBE_COORDINATES] = {0};
  y[0] = angle_of(p, q, aq);
  y[1] = y[2] = 0;
}
static void angle_jacobian(const sn_probe *p, const double *q, double *J) {
  double aq[SN_PROBE_COORDINATES] = {0};
  angle_of(p, q, aq);
  for (int k = 0; k < p->count; k++) J[3 * k] = aq[k], J[3 * k + 1] = J[3 * k + 2] = 0;
}
static void angle_apply(const sn_probe *p, const double *q, const double f[3], double *r) {
  double J[3 * SN_PROBE_COORDINATES] = {0};
  angle_jacobian(p, q, J);
  apply_jacobian(p, J, f, r);
}
static void angle_rate(const sn_probe *p, const double *q, const double *v, double y[3]) {
  (void)q;
  angle_value(p, v, y);
}
static void angle_convective(const sn_probe *p, const double *q, const double *v, double y[3]) {
  (void)p, (void)q, (void)v;
  y[0] = y[1] = y[2] = 0;
}

static const sn_probe_ops angle_ops = {
    .name = "floating angle",
    .value = angle_value,
    .jacobian = angle_jacobian,
    .apply = angle_apply,
    .rate = angle_rate,
    .convective = angle_convective,
};

void sn_floating_angle_probe(const sn_floating_place *at, sn_probe *probe) {
  probe->ops = &angle_ops;
  probe->dim = 2;
  probe->data = at;
}

void sn_floating_point_probe(int dim, const sn_floating_place *at, sn_probe *probe) {
  probe->ops = &point_ops;
  probe->dim = dim;
  probe->data = at;
}

void sn_floating_direction_probe(int dim, const sn_floating_place *at, const double d[3], sn_probe *probe) {
  if (dim == 2 && d[0] == 0 && d[1] == 0) { /* the normal of the plane never turns */
    sn_constant_probe(d, probe);
    return;
  }
  probe->ops = dim == 2 ? &direction_ops : &sn_floating_direction_ops;
  probe->dim = dim;
  for (int k = 0; k < 3; k++) probe->weight[1 + k] = d[k];
  probe->data = at;
}
