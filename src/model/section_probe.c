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
#include "model/section_frame.h"

/* ---- from and to coordinates ---- */

/* The probe has 1 (b; c is the normal of the plane), 2 (b, c) or 3 vectors (a, b, c). */
static int first_vector(const sn_probe *p) {
  return p->vectors == 3 ? SN_A : SN_B;
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

static void set_vectors(const sn_probe *p, double x[3][3], const double (*change)[3], sn_section_frame *s) {
  if (p->vectors == 1) x[SN_C][2] = 1;
  sn_section_frame_of(p->vectors < 3, x, change, s);
}

/* The frame at q, with its change along v (NULL: none) */
static void frame_at(const sn_probe *p, const double *q, const double *v, sn_section_frame *s) {
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
static void set_row(const sn_probe *p, int axis, bool change, const sn_dual3 g[3], double *J) {
  for (int k = 0; p->dim * k < p->count; k++)
    for (int c = 0; c < p->dim; c++) {
      double sum = 0;
      for (int i = 0; i < p->vectors; i++) {
        const sn_dual3 *x = &g[first_vector(p) + i];
        sum += p->weight[stride(p) * i + k] * (change ? x->d[c] : x->v[c]);
      }
      J[axis + 3 * (p->dim * k + c)] = sum;
    }
}

/* ---- the probe ---- */

static void section_value(const sn_probe *p, const double *q, double y[3]) {
  sn_section_frame s;
  frame_at(p, q, NULL, &s);
  sn_section_direction(&s, components(p), y);
}

static void rows(const sn_probe *p, const double *q, const double *v, double *J) {
  sn_section_frame s;
  frame_at(p, q, v, &s);
  for (int axis = 0; axis < 3; axis++) {
    double f[3] = {axis == 0, axis == 1, axis == 2};
    sn_dual3 g[3];
    sn_section_gradient(&s, components(p), f, g);
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
  sn_section_frame s;
  sn_dual3 g[3];
  double x[3][3];
  frame_at(p, q, NULL, &s);
  sn_section_gradient(&s, components(p), f, g);
  for (int i = 0; i < 3; i++) sn_copy(x[i], g[i].v);
  scatter(p, x, r);
}

static void section_rate(const sn_probe *p, const double *q, const double *v, double y[3]) {
  const double *c = components(p);
  sn_section_frame s;
  frame_at(p, q, v, &s);
  for (int k = 0; k < 3; k++) y[k] = c[0] * s.e1.d[k] + c[1] * s.e2.d[k] + c[2] * s.e3.d[k];
}

static void section_convective(const sn_probe *p, const double *q, const double *v, double y[3]) {
  sn_section_frame s;
  frame_at(p, q, v, &s);
  for (int axis = 0; axis < 3; axis++) {
    double f[3] = {axis == 0, axis == 1, axis == 2};
    sn_dual3 g[3];
    sn_section_gradient(&s, components(p), f, g);
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
      sn_section_frame s;
      sn_dual3 g[3];
      change[from + j][c] = 1;
      set_vectors(p, x, (const double(*)[3])change, &s);
      sn_section_gradient(&s, components(p), f, g);
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

static void section_apply_step(const sn_probe *p, const sn_eval *step, const double f[3], double *r) {
  assert(step->q0 && step->q1);
  int from = first_vector(p), to = from + p->vectors;
  double x0[3][3], x1[3][3], g[3][3] = {{0}}, y0[3], y1[3];
  sn_step_change d;
  sn_section_frame s;
  gather(p, step->q0, x0);
  gather(p, step->q1, x1);
  sn_step_change_of(p->dim == 2, from, to, x0, x1, &d);
  section_value(p, step->q0, y0);
  section_value(p, step->q1, y1);
  set_vectors(p, d.xm, NULL, &s);
  sn_section_step_gradient(&d, &s, p->dim == 2, from, to, components(p), f, y0, y1, g);
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
  sn_section_frame s;
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
