/* line_frame.c - directions fixed to a line that has no section axes of its own (cables, planar beams within an
 * element): a reference direction c completes its tangent a to a frame.
 *
 *   e1 = a/|a|,   e3 = (c - (e1.c) e1)/|...|,   e2 = e3 x e1
 *   y  = c1 e1 + c2 e2 + c3 e3
 *
 * c is a direction of a body with a frame, in a planar model the normal of the plane: the line does not twist against
 * that body. The frame exists while the tangent is not along c. Everything follows from the derivatives of a and c by
 * the chain rule, with g = d(f.y)/d(a, c) of section_frame.h:
 *
 *   Y'f = A'g_a + C'g_c,   y'' = ... + g'.(a', c') + g.(convective parts),   H = (A, C)'g_x (A, C) + H_a(g_a) + H_c(g_c) */
#include "model/compile.h"
#include "model/section_frame.h"

/* a and c, and where in the frame's vectors they stand */
enum { PARTS = 2 };
static const int vector_of[PARTS] = {SN_A, SN_C};

typedef struct sn_line_frame {
  sn_probe part[PARTS];
  double e[3][3]; /* the frame at the start */
  bool plane;
} line_parts;

static const line_parts *parts_of(const sn_probe *p) {
  return p->data;
}
static const double *components(const sn_probe *p) {
  return p->weight + 24;
}

/* a and c at q and their change along v (NULL: none) */
static void vectors_at(const sn_probe *p, const double *q, const double *v, double x[3][3], double change[3][3]) {
  memset(x, 0, 9 * sizeof(double));
  memset(change, 0, 9 * sizeof(double));
  for (int i = 0; i < PARTS; i++) {
    const sn_probe *a = &parts_of(p)->part[i];
    a->ops->value(a, q, x[vector_of[i]]);
    if (v) a->ops->rate(a, q, v, change[vector_of[i]]);
  }
}

static void frame_at(const sn_probe *p, const double *q, const double *v, sn_section_frame *s) {
  double x[3][3], change[3][3];
  vectors_at(p, q, v, x, change);
  sn_section_frame_of(false, x, (const double(*)[3])change, s);
}

static void line_value(const sn_probe *p, const double *q, double y[3]) {
  sn_section_frame s;
  frame_at(p, q, NULL, &s);
  sn_section_direction(&s, components(p), y);
}

/* Rows of J = (g.v)'(A, C), or with v those of d(Yv)/dq = (g.d)'(A, C) + (g.v)'d((A, C) v)/dq */
static void rows(const sn_probe *p, const double *q, const double *v, double *J) {
  double K[3 * SN_PROBE_COORDINATES];
  sn_section_frame s;
  sn_dual3 g[3][3];
  frame_at(p, q, v, &s);
  for (int axis = 0; axis < 3; axis++)
    sn_section_gradient(&s, components(p), (double[3]){axis == 0, axis == 1, axis == 2}, g[axis]);
  memset(J, 0, 3 * sizeof(double) * (size_t)p->count);
  for (int i = 0; i < PARTS; i++) {
    const sn_probe *a = &parts_of(p)->part[i];
    a->ops->jacobian(a, q, K);
    for (int c = 0; c < a->count; c++)
      for (int axis = 0; axis < 3; axis++) {
        const sn_dual3 *x = &g[axis][vector_of[i]];
        J[axis + 3 * c] = sn_dot(v ? x->d : x->v, K + 3 * c);
      }
    if (v && a->ops->rate_jacobian) {
      a->ops->rate_jacobian(a, q, v, K);
      for (int c = 0; c < a->count; c++)
        for (int axis = 0; axis < 3; axis++) J[axis + 3 * c] += sn_dot(g[axis][vector_of[i]].v, K + 3 * c);
    }
    J += 3 * a->count;
  }
}
static void line_jacobian(const sn_probe *p, const double *q, double *J) {
  rows(p, q, NULL, J);
}
static void line_rate_jacobian(const sn_probe *p, const double *q, const double *v, double *J) {
  rows(p, q, v, J);
}

static void line_apply(const sn_probe *p, const double *q, const double f[3], double *r) {
  sn_section_frame s;
  sn_dual3 g[3];
  frame_at(p, q, NULL, &s);
  sn_section_gradient(&s, components(p), f, g);
  for (int i = 0; i < PARTS; i++) {
    const sn_probe *a = &parts_of(p)->part[i];
    a->ops->apply(a, q, g[vector_of[i]].v, r);
  }
}

static void line_rate(const sn_probe *p, const double *q, const double *v, double y[3]) {
  const double *c = components(p);
  sn_section_frame s;
  frame_at(p, q, v, &s);
  for (int k = 0; k < 3; k++) y[k] = c[0] * s.e1.d[k] + c[1] * s.e2.d[k] + c[2] * s.e3.d[k];
}

static void line_convective(const sn_probe *p, const double *q, const double *v, double y[3]) {
  double c[PARTS][3];
  sn_section_frame s;
  frame_at(p, q, v, &s);
  for (int i = 0; i < PARTS; i++) {
    const sn_probe *a = &parts_of(p)->part[i];
    a->ops->convective(a, q, v, c[i]);
  }
  for (int axis = 0; axis < 3; axis++) {
    sn_dual3 g[3];
    sn_section_gradient(&s, components(p), (double[3]){axis == 0, axis == 1, axis == 2}, g);
    y[axis] = 0;
    for (int i = 0; i < PARTS; i++) {
      int k = vector_of[i];
      y[axis] += sn_dot(g[k].d, s.x[k].d) + sn_dot(g[k].v, c[i]);
    }
  }
}

static void line_hessian(const sn_probe *p, const double *q, const double f[3], double *T, int stride) {
  double x[3][3], change[3][3], K[PARTS][3 * SN_PROBE_COORDINATES], H[3 * PARTS][3 * PARTS];
  sn_section_frame s;
  sn_dual3 g[3];
  int first[PARTS + 1] = {0};
  vectors_at(p, q, NULL, x, change);
  for (int j = 0; j < 3 * PARTS; j++) {
    memset(change, 0, sizeof change);
    change[vector_of[j / 3]][j % 3] = 1;
    sn_section_frame_of(false, x, (const double(*)[3])change, &s);
    sn_section_gradient(&s, components(p), f, g);
    for (int i = 0; i < PARTS; i++) memcpy(&H[j][3 * i], g[vector_of[i]].d, 3 * sizeof(double));
  }
  for (int i = 0; i < PARTS; i++) {
    const sn_probe *a = &parts_of(p)->part[i];
    a->ops->jacobian(a, q, K[i]);
    first[i + 1] = first[i] + a->count;
    if (a->ops->hessian) a->ops->hessian(a, q, g[vector_of[i]].v, T + first[i] * (stride + 1), stride);
  }
  for (int i = 0; i < PARTS; i++)
    for (int j = 0; j < PARTS; j++)
      for (int d = 0; d < parts_of(p)->part[j].count; d++) {
        double h[3] = {0}; /* H (A, C) of this column */
        for (int b = 0; b < 3; b++) sn_axpy(h, K[j][b + 3 * d], &H[3 * j + b][3 * i]);
        for (int c = 0; c < parts_of(p)->part[i].count; c++)
          T[first[i] + c + (first[j] + d) * stride] += sn_dot(h, K[i] + 3 * c);
      }
}

static void line_apply_step(const sn_probe *p, const sn_eval *step, const double f[3], double *r) {
  assert(step->q0 && step->q1);
  bool plane = parts_of(p)->plane;
  double x0[3][3], x1[3][3], change[3][3], g[3][3] = {{0}}, y0[3], y1[3];
  sn_step_change d;
  sn_section_frame s;
  vectors_at(p, step->q0, NULL, x0, change);
  vectors_at(p, step->q1, NULL, x1, change);
  sn_step_change_of(plane, SN_A, SN_C + 1, x0, x1, &d);
  line_value(p, step->q0, y0);
  line_value(p, step->q1, y1);
  sn_section_frame_of(false, d.xm, NULL, &s);
  sn_section_step_gradient(&d, &s, plane, SN_A, SN_C + 1, components(p), f, y0, y1, g);
  for (int i = 0; i < PARTS; i++) sn_probe_apply(&parts_of(p)->part[i], step, g[vector_of[i]], r);
}

static const sn_probe_ops line_probe = {
    .name = "line frame",
    .value = line_value,
    .jacobian = line_jacobian,
    .apply = line_apply,
    .rate = line_rate,
    .convective = line_convective,
    .rate_jacobian = line_rate_jacobian,
    .hessian = line_hessian,
    .apply_step = line_apply_step,
};

/* ---- markers ---- */

void sn_complete_frame(sn_compiler *c, sn_marker *line, const double reference[3], const sn_marker *carrier) {
  assert(line->has_tangent && !line->has_frame && fabs(sn_dot(line->tangent, reference)) < 1e-6);
  line_parts *parts = SN_NEW(c->arena, line_parts, 1);
  parts->plane = c->model->dim == 2;
  sn_copy(parts->e[0], line->tangent);
  sn_copy(parts->e[2], reference);
  sn_cross(parts->e[1], reference, line->tangent);
  line->body->ops->tangent(line, &parts->part[0]);
  if (carrier)
    sn_marker_direction(carrier, reference, &parts->part[1]);
  else
    sn_constant_probe(reference, &parts->part[1]);
  line->frame = parts;
  line->has_frame = true;
}

static void line_direction(const sn_marker *line, const double direction[3], sn_probe *probe) {
  const line_parts *parts = line->frame;
  if (parts->plane && direction[0] == 0 && direction[1] == 0) { /* the normal of the plane never turns */
    sn_constant_probe(direction, probe);
    return;
  }
  *probe = (sn_probe){.ops = &line_probe, .data = parts};
  for (int i = 0; i < PARTS; i++)
    for (int g = 0; g < parts->part[i].groups; g++, probe->groups++) {
      assert(probe->groups < SN_PROBE_GROUPS);
      probe->group[probe->groups] = parts->part[i].group[g];
      probe->first[probe->groups] = parts->part[i].first[g];
      probe->count += probe->size[probe->groups] = parts->part[i].size[g];
    }
  for (int k = 0; k < 3; k++) probe->weight[24 + k] = sn_dot(direction, parts->e[k]);
}

void sn_marker_direction(const sn_marker *marker, const double direction[3], sn_probe *probe) {
  if (marker->frame)
    line_direction(marker, direction, probe);
  else
    marker->body->ops->direction(marker, direction, probe);
}
