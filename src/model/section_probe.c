/* section_probe.c - directions fixed to the section of a beam or to the tangent plane of a plate.
 *
 * The frame of a section is made of vectors that are linear in the coordinates, a and b, c:
 *   e1 = n/|n|,   e3 = k/|k|,   e2 = e3 x e1
 *   n  = b x c  (beams whose bending acts on the section, plates), or a (beams whose bending acts on the tangent)
 *   k  = e1 x b + c - (e1.c) e1
 * e2, e3 is the rotation of the polar decomposition of b, c in the plane normal to e1: neither is preferred, so that a
 * moment about e1 acts on both alike. The frame is orthonormal, and turns with the body however that is strained.
 *
 *   y = c1 e1 + c2 e2 + c3 e3,   components from the direction at the start
 *
 * First derivatives: the gradient of f.y by the sweep backwards through the formulas above (see `gradient`). Second
 * derivatives: the same sweep with dual numbers, which carry the change of everything along a change of a, b, c. */
#include <string.h>

#include "math/vec3.h"
#include "model/model.h"

/* ---- vectors and numbers with their change ---- */

typedef struct dual {
  double v, d;
} dual;
typedef struct dual3 {
  double v[3], d[3];
} dual3;

static dual3 add(dual3 a, dual3 b) {
  sn_axpy(a.v, 1, b.v);
  sn_axpy(a.d, 1, b.d);
  return a;
}
static dual dot(dual3 a, dual3 b) {
  return (dual){sn_dot(a.v, b.v), sn_dot(a.v, b.d) + sn_dot(a.d, b.v)};
}
static dual3 scale(dual s, dual3 a) {
  for (int k = 0; k < 3; k++) a.d[k] = s.v * a.d[k] + s.d * a.v[k];
  sn_scale(a.v, s.v, a.v);
  return a;
}
static dual3 cross(dual3 a, dual3 b) {
  dual3 y;
  double x[3];
  sn_cross(y.v, a.v, b.v);
  sn_cross(y.d, a.v, b.d);
  sn_cross(x, a.d, b.v);
  sn_axpy(y.d, 1, x);
  return y;
}
static dual minus(dual s) {
  return (dual){-s.v, -s.d};
}
/* 1/|a| */
static dual one_over_length(dual3 a) {
  double aa = sn_dot(a.v, a.v), i = 1 / sqrt(aa);
  return (dual){i, -i * sn_dot(a.v, a.d) / aa};
}
/* a - (a.e) e */
static dual3 across(dual3 a, dual3 e) {
  return add(a, scale(minus(dot(a, e)), e));
}
static dual3 constant(double s, const double a[3]) {
  dual3 y = {{s * a[0], s * a[1], s * a[2]}, {0, 0, 0}};
  return y;
}

/* ---- the frame ---- */

enum { A, B, C };

typedef struct frame {
  dual3 x[3]; /* a, b, c */
  dual3 e1, e2, e3;
  dual in, ik; /* 1/|n|, 1/|k| */
  bool normal; /* n = b x c */
} frame;

static void set_frame(frame *s) {
  dual3 n = s->normal ? cross(s->x[B], s->x[C]) : s->x[A];
  s->in = one_over_length(n);
  s->e1 = scale(s->in, n);
  dual3 k = add(cross(s->e1, s->x[B]), across(s->x[C], s->e1));
  s->ik = one_over_length(k);
  s->e3 = scale(s->ik, k);
  s->e2 = cross(s->e3, s->e1);
}

/* g = d(f.y)/d(a, b, c), backwards: with y = c1 e1 + c2 e3 x e1 + c3 e3
 *   E3 = c3 f + c2 e1 x f,   E1 = c1 f + c2 f x e3,   K = (E3 - (E3.e3) e3)/|k|
 *   b: K x e1,   c: K - (K.e1) e1,   E1 += b x K - (K.e1) c - (e1.c) K
 *   N = (E1 - (E1.e1) e1)/|n|;   n = a: a: N;   n = b x c: b += c x N, c += N x b */
static void gradient(const frame *s, const double comp[3], const double f[3], dual3 g[3]) {
  dual3 e1 = s->e1, b = s->x[B], c = s->x[C], F = constant(1, f);
  dual3 E3 = add(constant(comp[2], f), scale((dual){comp[1], 0}, cross(e1, F)));
  dual3 E1 = add(constant(comp[0], f), scale((dual){comp[1], 0}, cross(F, s->e3)));
  dual3 K = scale(s->ik, across(E3, s->e3));
  g[B] = cross(K, e1);
  g[C] = across(K, e1);
  E1 = add(E1, cross(b, K));
  E1 = add(E1, scale(minus(dot(K, e1)), c));
  E1 = add(E1, scale(minus(dot(e1, c)), K));
  dual3 N = scale(s->in, across(E1, e1));
  g[A] = N;
  if (!s->normal) return;
  g[B] = add(g[B], cross(c, N));
  g[C] = add(g[C], cross(N, b));
}

static void direction_of(const frame *s, const double comp[3], double y[3]) {
  sn_scale(y, comp[0], s->e1.v);
  sn_axpy(y, comp[1], s->e2.v);
  sn_axpy(y, comp[2], s->e3.v);
}

/* ---- from and to coordinates ---- */

/* The probe has 1 (b; c is the normal of the plane), 2 (b, c) or 3 vectors (a, b, c). */
static int first_vector(const sn_probe *p) {
  return p->vectors == 3 ? A : B;
}
static int stride(const sn_probe *p) {
  return p->vectors == 3 ? 8 : 12;
}
static const double *components(const sn_probe *p) {
  return p->weight + 24;
}

static void gather(const sn_probe *p, const double *q, double x[3][3]) {
  memset(x, 0, 9 * sizeof(double));
  for (int i = 0; i < p->vectors; i++) {
    const double *w = p->weight + stride(p) * i;
    double *y = x[first_vector(p) + i];
    for (int g = 0; g < p->groups; g++)
      for (int c = 0; c < p->size[g]; c += p->dim, w++)
        for (int k = 0; k < p->dim; k++) y[k] += *w * q[p->first[g] + c + k];
  }
}

static void set_vectors(const sn_probe *p, double x[3][3], const double (*change)[3], frame *s) {
  s->normal = p->vectors < 3;
  for (int i = 0; i < 3; i++) {
    s->x[i] = constant(1, x[i]);
    if (change) sn_copy(s->x[i].d, change[i]);
  }
  if (p->vectors == 1) s->x[C] = constant(1, (double[3]){0, 0, 1});
  set_frame(s);
}

/* The frame at q, with its change along v (NULL: none) */
static void frame_at(const sn_probe *p, const double *q, const double *v, frame *s) {
  double x[3][3], change[3][3];
  gather(p, q, x);
  if (v) gather(p, v, change);
  set_vectors(p, x, v ? (const double(*)[3])change : NULL, s);
}

/* r += weights times g */
static void scatter(const sn_probe *p, double g[3][3], double *r) {
  for (int i = 0; i < p->vectors; i++) {
    const double *w = p->weight + stride(p) * i, *x = g[first_vector(p) + i];
    for (int m = 0; m < p->groups; m++)
      for (int c = 0; c < p->size[m]; c += p->dim, w++)
        for (int k = 0; k < p->dim; k++) r[p->first[m] + c + k] += *w * x[k];
  }
}

/* Row `axis` of J: 3 x nd */
static void set_row(const sn_probe *p, int axis, bool change, const dual3 g[3], double *J) {
  for (int k = 0; p->dim * k < p->count; k++)
    for (int c = 0; c < p->dim; c++) {
      double sum = 0;
      for (int i = 0; i < p->vectors; i++) {
        const dual3 *x = &g[first_vector(p) + i];
        sum += p->weight[stride(p) * i + k] * (change ? x->d[c] : x->v[c]);
      }
      J[axis + 3 * (p->dim * k + c)] = sum;
    }
}

/* ---- the probe ---- */

static void section_value(const sn_probe *p, const double *q, double y[3]) {
  frame s;
  frame_at(p, q, NULL, &s);
  direction_of(&s, components(p), y);
}

static void rows(const sn_probe *p, const double *q, const double *v, double *J) {
  frame s;
  frame_at(p, q, v, &s);
  for (int axis = 0; axis < 3; axis++) {
    double f[3] = {axis == 0, axis == 1, axis == 2};
    dual3 g[3];
    gradient(&s, components(p), f, g);
    set_row(p, axis, v != NULL, g, J);
  }
}
static void section_jacobian(const sn_probe *p, const double *q, double *J) {
  rows(p, q, NULL, J);
}
static void section_rate_jacobian(const sn_probe *p, const double *q, const double *v, double *J) {
  rows(p, q, v, J);
}

static void section_apply(const sn_probe *p, const double *q, const double f[3], double *r) {
  frame s;
  dual3 g[3];
  double x[3][3];
  frame_at(p, q, NULL, &s);
  gradient(&s, components(p), f, g);
  for (int i = 0; i < 3; i++) sn_copy(x[i], g[i].v);
  scatter(p, x, r);
}

static void section_rate(const sn_probe *p, const double *q, const double *v, double y[3]) {
  const double *c = components(p);
  frame s;
  frame_at(p, q, v, &s);
  for (int k = 0; k < 3; k++) y[k] = c[0] * s.e1.d[k] + c[1] * s.e2.d[k] + c[2] * s.e3.d[k];
}

static void section_convective(const sn_probe *p, const double *q, const double *v, double y[3]) {
  frame s;
  frame_at(p, q, v, &s);
  for (int axis = 0; axis < 3; axis++) {
    double f[3] = {axis == 0, axis == 1, axis == 2};
    dual3 g[3];
    gradient(&s, components(p), f, g);
    y[axis] = 0;
    for (int i = 0; i < p->vectors; i++) y[axis] += sn_dot(g[first_vector(p) + i].d, s.x[first_vector(p) + i].d);
  }
}

/* H of a, b, c first, one column after the other; then of the coordinates, whose vectors k and l enter a, b, c with
 * their weights. */
static void section_hessian(const sn_probe *p, const double *q, const double f[3], double *T, int ld) {
  double x[3][3], H[9][9] = {{0}};
  int from = first_vector(p), d = p->dim, vectors = p->count / d;
  gather(p, q, x);
  for (int j = 0; j < p->vectors; j++)
    for (int c = 0; c < d; c++) {
      double change[3][3] = {{0}};
      frame s;
      dual3 g[3];
      change[from + j][c] = 1;
      set_vectors(p, x, (const double(*)[3])change, &s);
      gradient(&s, components(p), f, g);
      for (int i = 0; i < p->vectors; i++) memcpy(&H[3 * j + c][3 * i], g[from + i].d, 3 * sizeof(double));
    }
  for (int k = 0; k < vectors; k++)
    for (int l = 0; l < vectors; l++)
      for (int i = 0; i < p->vectors; i++)
        for (int j = 0; j < p->vectors; j++) {
          double w = p->weight[stride(p) * i + k] * p->weight[stride(p) * j + l];
          if (w == 0) continue;
          for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++) T[d * k + a + (d * l + b) * ld] += w * H[3 * j + b][3 * i + a];
        }
}

/* ---- over a step of an energy-momentum method ----
 *
 * Z is Y in the middle, corrected so that Z (x1 - x0) = y1 - y0 (energy) and Z (w x xm) = w x (y0 + y1)/2 for every w
 * (angular momentum), x the vectors a, b, c and xm their mean. Rotations first: with the columns R_i = e_i x xm and
 * their Gram matrix M = R'R, a change x1 - x0 = R c + u has R'u = 0, so that for each f
 *   Z'f = Y'f + R M^-1 m + s u,   m_i = f.(e_i x (ym' - ym)),   ym' the mean of y0 and y1, ym = y(xm)
 *   s u.u = f.(y1 - y0 - c x ym') - (Y'f).u                                                                  */

typedef struct symmetric3 {
  double xx, yy, zz, xy, xz, yz;
} symmetric3;

/* M^-1 b; in the plane only turns about z */
static void solve(const symmetric3 *M, bool plane, const double b[3], double y[3]) {
  y[0] = y[1] = 0, y[2] = b[2] / M->zz;
  if (plane) return;
  double r0[3] = {M->xx, M->xy, M->xz}, r1[3] = {M->xy, M->yy, M->yz}, r2[3] = {M->xz, M->yz, M->zz}, c[3];
  sn_cross(c, r1, r2);
  double det = sn_dot(r0, c);
  y[0] = sn_dot(b, c) / det;
  sn_cross(c, r2, r0);
  y[1] = sn_dot(b, c) / det;
  sn_cross(c, r0, r1);
  y[2] = sn_dot(b, c) / det;
}

/* Rigid part of a change of the vectors: x1 - x0 = c x xm + u. */
typedef struct step_change {
  double xm[3][3], u[3][3], c[3], uu;
  symmetric3 M;
} step_change;

static void set_change(const sn_probe *p, const sn_eval *step, step_change *s) {
  assert(step->q0 && step->q1);
  int from = first_vector(p), to = from + p->vectors;
  double x0[3][3], x1[3][3], turn[3] = {0}, x[3];
  symmetric3 *M = &s->M;
  memset(s, 0, sizeof *s);
  gather(p, step->q0, x0);
  gather(p, step->q1, x1);
  for (int i = from; i < to; i++) {
    double *m = s->xm[i];
    for (int k = 0; k < 3; k++) m[k] = 0.5 * (x0[i][k] + x1[i][k]), s->u[i][k] = x1[i][k] - x0[i][k];
    double mm = sn_dot(m, m);
    M->xx += mm - m[0] * m[0], M->yy += mm - m[1] * m[1], M->zz += mm - m[2] * m[2];
    M->xy -= m[0] * m[1], M->xz -= m[0] * m[2], M->yz -= m[1] * m[2];
    sn_cross(x, m, s->u[i]);
    sn_axpy(turn, 1, x);
  }
  solve(M, p->dim == 2, turn, s->c);
  for (int i = from; i < to; i++) {
    sn_cross(x, s->c, s->xm[i]);
    sn_axpy(s->u[i], -1, x);
    s->uu += sn_dot(s->u[i], s->u[i]);
  }
}

static void section_apply_step(const sn_probe *p, const sn_eval *step, const double f[3], double *r) {
  int from = first_vector(p), to = from + p->vectors;
  double g[3][3] = {{0}}, y0[3], y1[3], mean[3], ym[3], moment[3], w[3], x[3], off = 0, size = 0;
  step_change d;
  frame s;
  dual3 gm[3];
  set_change(p, step, &d);
  section_value(p, step->q0, y0);
  section_value(p, step->q1, y1);
  set_vectors(p, d.xm, NULL, &s);
  gradient(&s, components(p), f, gm);
  direction_of(&s, components(p), ym);
  for (int k = 0; k < 3; k++) mean[k] = 0.5 * (y0[k] + y1[k]), x[k] = mean[k] - ym[k];
  sn_cross(moment, x, f);
  solve(&d.M, p->dim == 2, moment, w);
  sn_cross(x, d.c, mean);
  for (int k = 0; k < 3; k++) {
    off += f[k] * (y1[k] - y0[k] - x[k]);
    size += fabs(f[k]) * (fabs(y0[k]) + fabs(y1[k]));
  }
  for (int i = from; i < to; i++) {
    off -= sn_dot(gm[i].v, d.u[i]);
    sn_copy(g[i], gm[i].v);
    sn_cross(x, w, d.xm[i]);
    sn_axpy(g[i], 1, x);
  }
  for (int i = from; i < to && fabs(off) > 1e-15 * size; i++) sn_axpy(g[i], off / d.uu, d.u[i]);
  scatter(p, g, r);
}

const sn_probe_ops sn_probe_section = {
    .name = "section",
    .value = section_value,
    .jacobian = section_jacobian,
    .apply = section_apply,
    .rate = section_rate,
    .convective = section_convective,
    .rate_jacobian = section_rate_jacobian,
    .hessian = section_hessian,
    .apply_step = section_apply_step,
};

void sn_section_probe(const double (*start)[3], const double direction[3], sn_probe *probe) {
  assert(probe->vectors >= 1 && probe->vectors <= 3);
  double x[3][3] = {{0}};
  frame s;
  if (probe->vectors == 1 && direction[0] == 0 && direction[1] == 0) { /* the normal of the plane never turns */
    sn_constant_probe(direction, probe);
    return;
  }
  assert(probe->count <= stride(probe) * probe->dim); /* a weight for each vector of the coordinates */
  probe->ops = &sn_probe_section;
  for (int i = 0; i < probe->vectors; i++) sn_copy(x[first_vector(probe) + i], start[i]);
  set_vectors(probe, x, NULL, &s);
  probe->weight[24] = sn_dot(direction, s.e1.v);
  probe->weight[25] = sn_dot(direction, s.e2.v);
  probe->weight[26] = sn_dot(direction, s.e3.v);
}
