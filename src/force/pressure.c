/* pressure.c - pressure on a plate, function of time and place, on the deformed surface (follower) or as at the start
 * (dead). It pushes along n = r_x x r_y, the side that first edge x second edge points to.
 *
 *   follower   Q = int S'p n dx dy,    n dx dy the normal times the area of the deformed surface, p = p(r, t)
 *   dead       Q = int S'p n0 dx dy,   n0 and p(r0, t) of the place and the area at the start
 *
 *   dQ = int S'(p (dr_x x r_y + r_x x dr_y) + n dp/dr.dr) dx dy
 *
 * S and r_x x r_y are of degree 3 and 5 in x and in y: 5 x 5 Gauss points integrate a uniform pressure exactly. Its work
 * on a closed or clamped sheet is then p dV of the enclosed volume V = int r.n/3 dx dy, to rounding.
 */
#include <string.h>

#include "body/plate_element.h"
#include "force/forces.h"
#include "math/gauss.h"
#include "math/vec3.h"
#include "model/compile.h"

typedef struct pressure_spec {
  sn_spec spec;
  sn_marker_ref on;
  const sn_expr *pressure;
  bool follower;
} pressure_spec;

static const sn_field pressure_fields[] = {
    {"on", SN_MARKER, SN_AT(pressure_spec, on), .required = true, .help = "the plate", .example = "my_plate"},
    {"pressure", SN_FIELD, SN_AT(pressure_spec, pressure), .unit = "N/m2", .required = true,
     .help = "pressure; above 0 it pushes along first edge x second edge", .example = "100*t"},
    {"follower", SN_BOOL, SN_AT(pressure_spec, follower), .def = "true",
     .help = "it stays normal to the deformed surface and acts on its area; false: force per reference area along the "
             "normal at the start, with the pressure there"},
    {0},
};

/* ---- instances: elements ---- */

enum { POINTS = 25, SHAPES = SN_PLATE_SHAPES, N = 3 * SN_PLATE_SHAPES };

typedef struct quadrature { /* of elements with the same edges */
  double weight;
  double S[SHAPES], X[SHAPES], Y[SHAPES]; /* shape functions and their derivatives along the edges */
} quadrature;

typedef struct place {           /* of a quadrature point */
  double r[3], x[3], y[3], n[3]; /* position, r_x, r_y, r_x x r_y */
  double p, gradient[3];
} place;

typedef struct pressure {
  int first[4], group[4]; /* of its nodes */
  const quadrature *at;   /* [POINTS] */
  const sn_expr *p;
  const place *start; /* dead: [POINTS] */
} pressure;

static int pressure_groups(const sn_batch *batch, int i, int *groups) {
  memcpy(groups, ((const pressure *)batch->data)[i].group, 4 * sizeof *groups);
  return 4;
}

/* y = sum of weights times the vectors of the nodes */
static void combine(const pressure *x, const double weight[SHAPES], const double *q, double y[3]) {
  y[0] = y[1] = y[2] = 0;
  for (int k = 0; k < SHAPES; k++) sn_axpy(y, weight[k], q + x->first[k / 3] + 3 * (k % 3));
}

/* Position and normal at quadrature point g; with the pressure there, and its gradient if that is asked for. */
static void find_normal(const pressure *x, int g, const double *q, place *y) {
  combine(x, x->at[g].S, q, y->r);
  combine(x, x->at[g].X, q, y->x);
  combine(x, x->at[g].Y, q, y->y);
  sn_cross(y->n, y->x, y->y);
}
static void find(const pressure *x, int g, const sn_eval *ev, bool gradient, place *y) {
  if (x->start)
    *y = x->start[g];
  else
    find_normal(x, g, ev->q, y);
  y->p = ev->load * sn_expr_gradient(x->p, ev->t, 3, y->r, gradient ? y->gradient : NULL);
  if (gradient) sn_scale(y->gradient, ev->load, y->gradient);
}

static void pressure_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const pressure *item = batch->data;
  for (int i = range.first; i < range.last; i++)
    for (int g = 0; g < POINTS; g++) {
      const pressure *x = &item[i];
      place y;
      find(x, g, ev, false, &y);
      for (int k = 0; k < SHAPES; k++)
        sn_axpy(r + x->first[k / 3] + 3 * (k % 3), -x->at[g].weight * x->at[g].S[k] * y.p, y.n);
    }
}

/* Blocks of two vectors k, l of the nodes: dQ_k/dq_l = sum w S_k (p [c]x + S_l n dp/dr'),  c = Y_l r_x - X_l r_y, where
 * [c]x v = c x v. */
static void add_point(const quadrature *at, const place *y, bool varies, double factor, double T[N * N]) {
  for (int l = 0; l < SHAPES; l++) {
    double c[3], B[9] = {0}; /* column major, without S_k */
    for (int d = 0; d < 3; d++) c[d] = factor * at->weight * y->p * (at->Y[l] * y->x[d] - at->X[l] * y->y[d]);
    B[1] = c[2], B[2] = -c[1], B[3] = -c[2], B[5] = c[0], B[6] = c[1], B[7] = -c[0];
    for (int d = 0; varies && d < 9; d++) B[d] += factor * at->weight * at->S[l] * y->n[d % 3] * y->gradient[d / 3];
    for (int k = 0; k < SHAPES; k++)
      for (int d = 0; d < 9; d++) T[3 * k + d % 3 + N * (3 * l + d / 3)] += at->S[k] * B[d];
  }
}

static void pressure_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const pressure *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const pressure *x = &item[i];
    if (x->start) continue; /* dead loads have no tangent */
    double T[N * N] = {0};
    bool varies = sn_expr_has_variables(x->p);
    for (int g = 0; g < POINTS; g++) {
      place y;
      find(x, g, ev, varies, &y);
      add_point(&x->at[g], &y, varies, -ev->ck, T);
    }
    sn_matrix_add(A, 4, x->group, batch->slots + (size_t)batch->slot_stride * (size_t)i, T, N);
  }
}

static void pressure_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *power) {
  const pressure *item = batch->data;
  for (int i = range.first; i < range.last; i++)
    for (int g = 0; g < POINTS; g++) {
      place y;
      double v[3];
      find(&item[i], g, ev, false, &y);
      combine(&item[i], item[i].at[g].S, ev->v, v);
      power->applied += item[i].at[g].weight * y.p * sn_dot(y.n, v);
    }
}

static const sn_batch_ops pressure_batch = {
    .name = "pressures",
    .max_groups = 4,
    .groups = pressure_groups,
    .residual = pressure_residual,
    .tangent = pressure_tangent,
    .power = pressure_power,
};

/* ---- compile ---- */

/* For elements with edges a and b; slopes of the shape functions are with respect to x/a and y/b. */
static const quadrature *make_quadrature(sn_arena *arena, double a, double b) {
  quadrature *at = SN_NEW(arena, quadrature, POINTS);
  for (int g = 0; g < POINTS; g++) {
    int i = g % 5, j = g / 5;
    sn_plate_shape shape;
    sn_plate_shape_at(sn_gauss5_points[i], sn_gauss5_points[j], &shape);
    at[g].weight = sn_gauss5_weights[i] * sn_gauss5_weights[j] * a * b;
    for (int k = 0; k < SHAPES; k++) {
      double scale = k % 3 == 0 ? 1 : k % 3 == 1 ? a : b;
      at[g].S[k] = scale * shape.S[k];
      at[g].X[k] = scale * shape.d[0][k] / a;
      at[g].Y[k] = scale * shape.d[1][k] / b;
    }
  }
  return at;
}

static void add_element(sn_compiler *c, const pressure_spec *s, const sn_body *body, int sw, int row,
                        const quadrature *at) {
  int node[4] = {sw, sw + 1, sw + row + 1, sw + row}; /* counterclockwise */
  pressure x = {.at = at, .p = s->pressure};
  for (int k = 0; k < 4; k++) {
    x.first[k] = body->first + 9 * node[k];
    x.group[k] = body->first_group + node[k];
  }
  if (!s->follower) {
    place *start = SN_NEW(c->arena, place, POINTS);
    for (int g = 0; g < POINTS; g++) find_normal(&x, g, c->q0, &start[g]);
    x.start = start;
  }
  *(pressure *)sn_batch_append(c, &pressure_batch, sizeof x) = x;
}

static void pressure_compile(sn_compiler *c, const sn_spec *spec) {
  const pressure_spec *s = (const pressure_spec *)(const void *)spec;
  const sn_body *body = sn_find_body(c, s->on.body);
  sn_geometry geometry = {0};
  if (!body) return; /* the reader has reported it */
  if (body->ops->geometry && body->data) body->ops->geometry(body, &geometry);
  if (geometry.type != SN_GEOMETRY_SURFACE || s->on.point) {
    sn_node_error(&c->reader, s->on.node, "the name of a plate", "pressure '%s' needs a whole plate", spec->name);
    return;
  }
  const quadrature *at = make_quadrature(c->arena, geometry.edge[0], geometry.edge[1]);
  int row = geometry.grid[0] + 1;
  for (int j = 0; j < geometry.grid[1]; j++)
    for (int i = 0; i < geometry.grid[0]; i++) add_element(c, s, body, i + row * j, row, at);
  c->model->has_power = true;
  c->model->unsymmetric |= s->follower;
}

const sn_force_ops sn_pressure = {
    .kind = {.name = "pressure",
             .category = SN_FORCES,
             .summary = "pressure on a plate, function of time and place",
             .fields = pressure_fields,
             .spec_size = sizeof(pressure_spec)},
    .compile = pressure_compile,
};
