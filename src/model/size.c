/* size.c - how large a model is, and what a tolerance allows of each of its coordinates. */
#include <math.h>

#include "model/compile.h"

/* ---- size: the box around all points of the model ---- */

typedef struct box {
  double low[3], high[3];
} box;

static void include(box *b, const double *x, int dim) {
  for (int k = 0; k < dim; k++) {
    b->low[k] = fmin(b->low[k], x[k]);
    b->high[k] = fmax(b->high[k], x[k]);
  }
}

int sn_body_nodes(const sn_body *body, const sn_geometry *geometry, int *stride) {
  int nodes = 1;
  if (geometry->type == SN_GEOMETRY_LINE || geometry->type == SN_GEOMETRY_CHAIN) nodes = geometry->elements + 1;
  if (geometry->type == SN_GEOMETRY_SURFACE) nodes = (geometry->grid[0] + 1) * (geometry->grid[1] + 1);
  if (body->count % nodes != 0) nodes = 1;
  *stride = body->count / nodes;
  return nodes;
}

sn_geometry sn_body_geometry(const sn_body *body) {
  sn_geometry geometry = {0};
  if (body->ops->geometry) body->ops->geometry(body, &geometry);
  return geometry;
}

double sn_model_extent(const sn_model *m, const double *q) {
  box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  double solid = 0, sum = 0;
  for (int j = 0; j < m->joints; j++)
    for (int k = 0; k < 2; k++)
      if (m->joint[j].marker[k].body) include(&b, m->joint[j].marker[k].position, 3);
  for (int i = 0; i < m->outputs; i++)
    if (m->output[i].marker.body) include(&b, m->output[i].marker.position, 3);
  for (int i = 0; i < m->bodies; i++) {
    const sn_body *body = &m->body[i];
    sn_geometry geometry = sn_body_geometry(body);
    bool is_solid = geometry.type == SN_GEOMETRY_BOX || geometry.type == SN_GEOMETRY_SPHERE ||
                    geometry.type == SN_GEOMETRY_CYLINDER || geometry.type == SN_GEOMETRY_ELLIPSOID ||
                    geometry.type == SN_GEOMETRY_CONVEX;
    for (int k = 0; k < 3 && is_solid; k++) solid = fmax(solid, geometry.size[k]);
    int stride, nodes = sn_body_nodes(body, &geometry, &stride);
    for (int k = 0; k < nodes && stride >= m->dim; k++)
      include(&b, q + body->first + (size_t)k * (size_t)stride, m->dim);
  }
  for (int k = 0; k < 3; k++)
    if (b.high[k] > b.low[k]) sum += (b.high[k] - b.low[k]) * (b.high[k] - b.low[k]);
  double size = fmax(sqrt(sum), solid);
  return size > 0 ? size : 1;
}

/* ---- units of coordinates ---- */

static bool is_length(sn_layout_column c) {
  return c == SN_COLUMN_R || c == SN_COLUMN_U || c == SN_COLUMN_V || c == SN_COLUMN_W;
}

/* The columns that a layout repeats, for each node or element. Deformations of floating bodies follow once, and may be
 * reduced coordinates: they are left as they are. */
static void set_lengths(const sn_body_layout *layout, int dim, double length, int count, double *unit) {
  const int all = sn_layout_place(layout->column, SN_NO_COLUMN, dim);
  const int times = layout->owner == SN_OF_BODY ? 1 : count / all;
  for (int k = 0; k < times; k++)
    for (int c = 0, i = k * all; c < 8 && layout->column[c]; c++) {
      const int size = sn_layout_columns[layout->column[c]].size, columns = size ? size : dim;
      for (int e = 0; e < columns && i < count; e++, i++)
        if (is_length(layout->column[c])) unit[i] = length;
    }
}

/* Lengths are relative to the size of a mechanism that is smaller than 1 m: what is nothing to a crane is much to a
 * watch. Points that coincide but for rounding have no size. */
void sn_compile_units(sn_compiler *c) {
  const double none = 1e-9, least = 1e-5; /* m */
  sn_model *m = c->model;
  const double size = sn_model_extent(m, m->q0);
  double *unit = SN_NEW(c->arena, double, m->n);
  m->length = size > none ? fmin(fmax(size, least), 1) : 1;
  for (int i = 0; i < m->n; i++) unit[i] = 1;
  for (int i = 0; i < m->bodies; i++) {
    const sn_body *b = &m->body[i];
    const bool borrows = b->ops->attached && b->ops->attached(b->spec);
    if (b->ops->layout && b->count > 0 && !borrows)
      set_lengths(b->ops->layout, m->dim, m->length, b->count, unit + b->first);
  }
  m->unit = unit;
}
