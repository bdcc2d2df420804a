/* probe.c - the sorts of probe: constant, linear in the coordinates, carried by a rigid body in space or in the plane.
 * Directions fixed to a section that strains: section_probe.c. */
#include <string.h>

#include "math/quat.h"
#include "math/vec3.h"
#include "model/model.h"

bool sn_is_probe(const sn_probe *p) {
  int count = 0;
  if (!p->ops || p->groups < 0 || p->groups > SN_PROBE_GROUPS) return false;
  for (int g = 0; g < p->groups; g++) {
    if (p->group[g] < 0 || p->first[g] < 0 || p->size[g] <= 0) return false;
    count += p->size[g];
  }
  return p->count == count && count <= SN_PROBE_COORDINATES;
}

/* ---- constant: points and directions of the ground ---- */

static void constant_value(const sn_probe *p, const double *q, double y[3]) {
  (void)q;
  sn_copy(y, p->weight);
}
static void constant_jacobian(const sn_probe *p, const double *q, double *J) {
  (void)p, (void)q, (void)J;
}
static void constant_apply(const sn_probe *p, const double *q, const double f[3], double *r) {
  (void)p, (void)q, (void)f, (void)r;
}
static void zero_rate(const sn_probe *p, const double *q, const double *v, double y[3]) {
  (void)p, (void)q, (void)v;
  y[0] = y[1] = y[2] = 0;
}

const sn_probe_ops sn_probe_constant = {
    .name = "constant",
    .value = constant_value,
    .jacobian = constant_jacobian,
    .apply = constant_apply,
    .rate = zero_rate,
    .convective = zero_rate,
};

void sn_constant_probe(const double value[3], sn_probe *probe) {
  *probe = (sn_probe){.ops = &sn_probe_constant};
  sn_copy(probe->weight, value);
}

/* ---- linear: y = sum_k w_k e_k, e_k the 3-vectors of the groups in turn (ANCF nodes, point masses) ---- */

static void linear_value(const sn_probe *p, const double *x, double y[3]) {
  const double *w = p->weight;
  y[0] = y[1] = y[2] = 0;
  for (int g = 0; g < p->groups; g++)
    for (int c = 0; c < p->size[g]; c += p->dim, w++)
      for (int k = 0; k < p->dim; k++) y[k] += *w * x[p->first[g] + c + k];
}
static void linear_jacobian(const sn_probe *p, const double *q, double *J) {
  (void)q;
  memset(J, 0, sizeof(double) * 3 * (size_t)p->count);
  for (int k = 0; p->dim * k < p->count; k++)
    for (int i = 0; i < p->dim; i++) J[i + 3 * (p->dim * k + i)] = p->weight[k];
}
static void linear_apply(const sn_probe *p, const double *q, const double f[3], double *r) {
  (void)q;
  const double *w = p->weight;
  for (int g = 0; g < p->groups; g++)
    for (int c = 0; c < p->size[g]; c += p->dim, w++)
      for (int k = 0; k < p->dim; k++) r[p->first[g] + c + k] += *w * f[k];
}
static void linear_rate(const sn_probe *p, const double *q, const double *v, double y[3]) {
  (void)q;
  linear_value(p, v, y);
}

const sn_probe_ops sn_probe_linear = {
    .name = "linear",
    .value = linear_value,
    .jacobian = linear_jacobian,
    .apply = linear_apply,
    .rate = linear_rate,
    .convective = zero_rate,
};

/* ---- rigid: y = w r + A(p) s, q = (r, p), w = 1 for a point and 0 for a direction ----
 *      Y = [w I, 2 B(p,s)],   c = 2 B(p',s) p',   H(f) = d(2 B(p,s)^T f)/dp, constant in p */

static void rigid_value(const sn_probe *p, const double *q, double y[3]) {
  const double *x = q + p->first[0];
  sn_quat_rotate(x + 3, p->weight + 1, y);
  sn_axpy(y, p->weight[0], x);
}
static void rigid_jacobian(const sn_probe *p, const double *q, double *J) {
  double B[3][4];
  sn_quat_B(q + p->first[0] + 3, p->weight + 1, B);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) J[i + 3 * j] = i == j ? p->weight[0] : 0;
    for (int j = 0; j < 4; j++) J[i + 3 * (3 + j)] = 2 * B[i][j];
  }
}
static void rigid_apply(const sn_probe *p, const double *q, const double f[3], double *r) {
  double *x = r + p->first[0];
  sn_axpy(x, p->weight[0], f);
  sn_quat_add_Bt(q + p->first[0] + 3, p->weight + 1, 2, f, x + 3);
}
static void rigid_rate(const sn_probe *p, const double *q, const double *v, double y[3]) {
  const double *u = v + p->first[0];
  double turn[3];
  sn_quat_B_times(q + p->first[0] + 3, p->weight + 1, u + 3, turn);
  for (int i = 0; i < 3; i++) y[i] = p->weight[0] * u[i] + 2 * turn[i];
}
static void rigid_convective(const sn_probe *p, const double *q, const double *v, double c[3]) {
  (void)q;
  const double *pd = v + p->first[0] + 3;
  sn_quat_rotate(pd, p->weight + 1, c); /* B(p',s) p' = A(p') s */
  sn_scale(c, 2, c);
}

/* Y v = w r' + 2 B(p,s) p' and B(p,s) p' = B(p',s) p */
static void rigid_rate_jacobian(const sn_probe *p, const double *q, const double *v, double *J) {
  (void)q;
  rigid_jacobian(p, v, J);
  memset(J, 0, 9 * sizeof(double));
}

/* f.A(p) s = p' N p with N = [f.s, (s x f)'; s x f, f s' + s f' - (f.s) I], so H(f) = 2 N. */
static void rigid_hessian(const sn_probe *p, const double *q, const double f[3], double *T, int stride) {
  (void)q;
  const double *s = p->weight + 1;
  double fs = sn_dot(f, s), c[3];
  sn_cross(c, s, f);
  T += 3 + 3 * stride;
  T[0] += 2 * fs;
  for (int i = 0; i < 3; i++) {
    T[1 + i] += 2 * c[i];
    T[(1 + i) * stride] += 2 * c[i];
    for (int j = 0; j < 3; j++) T[1 + i + (1 + j) * stride] += 2 * (f[i] * s[j] + s[i] * f[j] - (i == j ? fs : 0));
  }
}

/* Over a step y1 - y0 = w (r1 - r0) + c x ys, ys the mean of A s at the ends, with Cayley's vector c = 2 tan(turn/2) n
 * of the turn from p0 to p1: in quaternions p1 p0* = (p0.p1, E(pm) (p1 - p0)), so c = 2 E(pm) (p1 - p0)/p0.p1. Y in the
 * middle would do as well for y1 - y0, but its moment is not that of f at the mean of y, which momentum needs. */
static void rigid_apply_step(const sn_probe *p, const sn_eval *step, const double f[3], double *r) {
  assert(step->q0 && step->q1);
  const double *p0 = step->q0 + p->first[0] + 3, *p1 = step->q1 + p->first[0] + 3;
  double y0[3], y1[3], moment[3], *x = r + p->first[0];
  sn_quat_rotate(p0, p->weight + 1, y0);
  sn_quat_rotate(p1, p->weight + 1, y1);
  for (int k = 0; k < 3; k++) y0[k] = 0.5 * (y0[k] + y1[k]);
  sn_cross(moment, y0, f);
  sn_axpy(x, p->weight[0], f);
  sn_quat_add_moment(p0, p1, moment, x + 3);
}

const sn_probe_ops sn_probe_rigid = {
    .name = "rigid",
    .value = rigid_value,
    .jacobian = rigid_jacobian,
    .apply = rigid_apply,
    .rate = rigid_rate,
    .convective = rigid_convective,
    .rate_jacobian = rigid_rate_jacobian,
    .hessian = rigid_hessian,
    .apply_step = rigid_apply_step,
};

/* ---- planar: y = sum_g w r + R s, groups q = (x, y, angle), R s = (c sx - s sy, s sx + c sy) =: u,
 *      z x u = u^ = (-uy, ux):   Y = [w I, u^],   c = -angle'^2 u,   H(f) = -f.u in the angle */

static void planar_turn(const sn_probe *p, int g, const double *q, double u[2]) {
  const double *w = p->weight + 3 * g;
  double c = cos(q[p->first[g] + 2]), s = sin(q[p->first[g] + 2]);
  u[0] = c * w[1] - s * w[2];
  u[1] = s * w[1] + c * w[2];
}
static void planar_value(const sn_probe *p, const double *q, double y[3]) {
  double u[2];
  y[0] = y[1] = y[2] = 0;
  for (int g = 0; g < p->groups; g++) {
    planar_turn(p, g, q, u);
    for (int k = 0; k < 2; k++) y[k] += p->weight[3 * g] * q[p->first[g] + k] + u[k];
  }
}
static void planar_jacobian(const sn_probe *p, const double *q, double *J) {
  double u[2];
  for (int g = 0; g < p->groups; g++) {
    double w = p->weight[3 * g];
    planar_turn(p, g, q, u);
    double M[9] = {w, 0, 0, 0, w, 0, -u[1], u[0], 0};
    memcpy(J + 9 * g, M, sizeof M);
  }
}
static void planar_apply(const sn_probe *p, const double *q, const double f[3], double *r) {
  double u[2];
  for (int g = 0; g < p->groups; g++) {
    double *x = r + p->first[g];
    planar_turn(p, g, q, u);
    x[0] += p->weight[3 * g] * f[0];
    x[1] += p->weight[3 * g] * f[1];
    x[2] += u[0] * f[1] - u[1] * f[0];
  }
}
static void planar_rate(const sn_probe *p, const double *q, const double *v, double y[3]) {
  double u[2];
  y[0] = y[1] = y[2] = 0;
  for (int g = 0; g < p->groups; g++) {
    const double *x = v + p->first[g];
    planar_turn(p, g, q, u);
    y[0] += p->weight[3 * g] * x[0] - x[2] * u[1];
    y[1] += p->weight[3 * g] * x[1] + x[2] * u[0];
  }
}
static void planar_convective(const sn_probe *p, const double *q, const double *v, double c[3]) {
  double u[2];
  c[0] = c[1] = c[2] = 0;
  for (int g = 0; g < p->groups; g++) {
    double w = v[p->first[g] + 2];
    planar_turn(p, g, q, u);
    for (int k = 0; k < 2; k++) c[k] -= w * w * u[k];
  }
}
static void planar_rate_jacobian(const sn_probe *p, const double *q, const double *v, double *J) {
  double u[2];
  for (int g = 0; g < p->groups; g++) {
    double w = v[p->first[g] + 2];
    planar_turn(p, g, q, u);
    double M[9] = {0, 0, 0, 0, 0, 0, -w * u[0], -w * u[1], 0};
    memcpy(J + 9 * g, M, sizeof M);
  }
}
static void planar_hessian(const sn_probe *p, const double *q, const double f[3], double *T, int stride) {
  double u[2];
  for (int g = 0; g < p->groups; g++) {
    planar_turn(p, g, q, u);
    T[(3 * g + 2) * (1 + stride)] -= f[0] * u[0] + f[1] * u[1];
  }
}

/* Over a step R1 s - R0 s = 2 tan(turn/2) z x (mean of R s), as in space. */
static void planar_apply_step(const sn_probe *p, const sn_eval *step, const double f[3], double *r) {
  assert(step->q0 && step->q1);
  const double *q0 = step->q0, *q1 = step->q1;
  double u0[2], u1[2];
  for (int g = 0; g < p->groups; g++) {
    double *x = r + p->first[g], turn = q1[p->first[g] + 2] - q0[p->first[g] + 2];
    planar_turn(p, g, q0, u0);
    planar_turn(p, g, q1, u1);
    for (int k = 0; k < 2; k++) x[k] += p->weight[3 * g] * f[k];
    x[2] += sn_half_tangent(turn) * 0.5 * ((u0[0] + u1[0]) * f[1] - (u0[1] + u1[1]) * f[0]);
  }
}

const sn_probe_ops sn_probe_planar = {
    .name = "planar",
    .value = planar_value,
    .jacobian = planar_jacobian,
    .apply = planar_apply,
    .rate = planar_rate,
    .convective = planar_convective,
    .rate_jacobian = planar_rate_jacobian,
    .hessian = planar_hessian,
    .apply_step = planar_apply_step,
};

/* ---- single: y = (x, 0, 0), x the coordinate number `dim` of its group (the angle of a planar body) ---- */

static void single_value(const sn_probe *p, const double *x, double y[3]) {
  y[0] = x[p->first[0] + p->dim];
  y[1] = y[2] = 0;
}
static void single_jacobian(const sn_probe *p, const double *q, double *J) {
  (void)q;
  memset(J, 0, sizeof(double) * 3 * (size_t)p->count);
  J[3 * p->dim] = 1;
}
static void single_apply(const sn_probe *p, const double *q, const double f[3], double *r) {
  (void)q;
  r[p->first[0] + p->dim] += f[0];
}
static void single_rate(const sn_probe *p, const double *q, const double *v, double y[3]) {
  (void)q;
  single_value(p, v, y);
}

const sn_probe_ops sn_probe_single = {
    .name = "single",
    .value = single_value,
    .jacobian = single_jacobian,
    .apply = single_apply,
    .rate = single_rate,
    .convective = zero_rate,
};

/* ---- any sort, over a step of an energy-momentum method ---- */

void sn_probe_apply_corrected(const sn_probe *p, const sn_eval *step, const double f[3], double *r) {
  assert(step->q0 && step->q1 && step->h != 0);
  double y0[3], y1[3], rate[3], off = 0, size = 0, dd = 0;
  p->ops->apply(p, step->q, f, r);
  p->ops->value(p, step->q0, y0);
  p->ops->value(p, step->q1, y1);
  p->ops->rate(p, step->q, step->v, rate);
  for (int k = 0; k < 3; k++) {
    off += f[k] * (y1[k] - y0[k] - step->h * rate[k]);
    size += fabs(f[k]) * (fabs(y0[k]) + fabs(y1[k]));
  }
  if (fabs(off) <= 1e-15 * size) return; /* nothing but rounding */
  for (int pass = 0; pass < 2; pass++)
    for (int g = 0; g < p->groups; g++)
      for (int k = p->first[g]; k < p->first[g] + p->size[g]; k++) {
        double d = step->q1[k] - step->q0[k];
        if (pass == 0)
          dd += d * d;
        else
          r[k] += off / dd * d;
      }
}

/* ---- ((Y v)_q v)_q of any sort ---- */

/* y is at most quadratic: 0. In the plane R s turns by its angle, and the third derivative is that of -R s. Others:
 * differences of fourth order. */
void sn_probe_convective_jacobian(const sn_probe *p, const double *q, const double *v, double *C) {
  static const double weight[5] = {1, -8, 0, 8, -1};
  const double h = 1e-3;
  double x[SN_PROBE_COORDINATES], rate[SN_PROBE_COORDINATES], y[3];
  memset(C, 0, sizeof(double) * 3 * (size_t)p->count);
  if (!p->ops->hessian || p->ops == &sn_probe_rigid) return;
  if (p->ops == &sn_probe_planar) {
    double J[3 * SN_PROBE_COORDINATES];
    p->ops->jacobian(p, q, J);
    for (int g = 0; g < p->groups; g++) {
      const double w = v[p->first[g] + 2];
      for (int k = 0; k < 3; k++) C[9 * g + 6 + k] = -w * w * J[9 * g + 6 + k];
    }
    return;
  }
  sn_probe own = *p; /* the same on coordinates of its own */
  for (int g = 0, n = 0; g < p->groups; g++) {
    own.first[g] = n;
    for (int k = 0; k < p->size[g]; k++, n++) x[n] = q[p->first[g] + k], rate[n] = v[p->first[g] + k];
  }
  for (int j = 0; j < p->count; j++) {
    const double start = x[j];
    for (int k = 0; k < 5; k++) {
      if (k == 2) continue;
      x[j] = start + (k - 2) * h;
      own.ops->convective(&own, x, rate, y);
      for (int b = 0; b < 3; b++) C[b + 3 * j] += weight[k] * y[b] / (12 * h);
    }
    x[j] = start;
  }
}
