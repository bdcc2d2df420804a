/* output_point.c - position, velocity and acceleration of a marker. */
#include <string.h>

#include "math/vec3.h"
#include "output/outputs.h"

static const char *const point_names[] = {"x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az"};
static const char *const point_units[] = {"m", "m", "m", "m/s", "m/s", "m/s", "m/s2", "m/s2", "m/s2"};
static const char *const point2_names[] = {"x", "y", "vx", "vy", "ax", "ay"};
static const char *const point2_units[] = {"m", "m", "m/s", "m/s", "m/s2", "m/s2"};

sn_headings sn_point_headings(int dim) {
  return dim == 2 ? SN_HEADINGS_OF(point2_names, point2_units) : SN_HEADINGS_OF(point_names, point_units);
}

static void point_compile(sn_compiler *c, const sn_output_spec *spec, sn_output *out) {
  sn_output_take(out, sn_point_headings(c->model->dim));
  if (sn_resolve(c, &spec->point, &out->marker)) sn_marker_point(&out->marker, &out->probe[0]);
}

static void point_fill(const sn_model *m, const sn_output *o, const sn_eval *ev, const sn_touching *touching,
                       sn_output_memory *memory, double *y) {
  (void)touching;
  (void)memory;
  double r[4][3]; /* position, velocity, acceleration, convective part of it */
  const sn_probe *p = &o->probe[0];
  p->ops->value(p, ev->q, r[0]);
  p->ops->rate(p, ev->q, ev->v, r[1]);
  p->ops->rate(p, ev->q, ev->a, r[2]);
  p->ops->convective(p, ev->q, ev->v, r[3]);
  sn_axpy(r[2], 1, r[3]);
  for (int k = 0; k < 3; k++) memcpy(y + k * m->dim, r[k], (size_t)m->dim * sizeof(double));
}

const sn_output_ops sn_output_point = {.about = "motion of ", .compile = point_compile, .fill = point_fill};
