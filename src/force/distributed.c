/* distributed.c - load per reference length on a cable, fixed in space: f(t) p(s), s = 0 .. 1 along the line.
 *
 *   Q = int S'f p dx. Where points are linear in the coordinates the integral is that of S alone, so each element gets
 *   one force f(t) on the probe int S p dx: consistent, by 4 Gauss points (exact for p up to degree 4) on
 *   parts of the element, halved until the integral no longer changes: a profile may be narrower than an element.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "force/forces.h"
#include "force/load.h"
#include "math/gauss.h"
#include "model/compile.h"

typedef struct distributed_spec {
  sn_spec spec;
  sn_marker_ref on;
  const sn_expr *force[3], *profile;
  double from, to;
} distributed_spec;

static const sn_field distributed_fields[] = {
    {"on", SN_MARKER, SN_AT(distributed_spec, on), .required = true, .help = "the cable or ANCF beam",
     .example = "my_cable"},
    {"force", SN_FORMULA3, SN_AT(distributed_spec, force), .unit = "N/m", .required = true,
     .help = "force per reference length, expressions of t and of the motion"},
    {"profile", SN_PROFILE, SN_AT(distributed_spec, profile), .def = "1",
     .help = "distribution along the line, function of s from 0 to 1"},
    {"from", SN_REAL, SN_AT(distributed_spec, from), .def = "0", .limits = SN_BETWEEN(0, 1),
     .help = "start of the load, s"},
    {"to", SN_REAL, SN_AT(distributed_spec, to), .def = "1", .limits = SN_BETWEEN(0, 1), .help = "end of the load, s"},
    {0},
};

static void distributed_check(sn_reader *reader, const sn_spec *spec) {
  const distributed_spec *s = (const distributed_spec *)(const void *)spec;
  if (s->from >= s->to)
    sn_field_error(reader, spec, sn_given(spec, "to") ? "to" : "from", "a place behind 'from'",
                   "distributed '%s' has no length", spec->name);
}

/* ---- lines in general ---- */

bool sn_force_line(sn_compiler *c, const sn_spec *spec, const sn_marker_ref *on, const sn_body **body, int *elements,
                   double *element_length) {
  sn_geometry geometry = {0};
  *body = sn_find_body(c, on->body);
  if (!*body) return false; /* the reader has reported it */
  if ((*body)->ops->geometry && (*body)->data) (*body)->ops->geometry(*body, &geometry);
  if (geometry.type != SN_GEOMETRY_LINE || on->point) {
    sn_node_error(&c->reader, on->node, "the name of a cable, beam, beam2d or ancf-s planar-beam, without a point",
                  "%s '%s' needs a whole line", spec->kind->name, spec->name);
    return false;
  }
  *elements = geometry.elements;
  *element_length = geometry.element_length;
  return true;
}

bool sn_line_marker(sn_compiler *c, const sn_marker_ref *on, double s, sn_marker *marker) {
  assert(s >= 0 && s <= 1);
  sn_marker_ref *ref = SN_NEW(c->arena, sn_marker_ref, 1);
  *ref = (sn_marker_ref){.body = on->body, .point = "at", .count = 1, .number = {s}, .node = on->node};
  return sn_resolve(c, ref, marker);
}

/* ---- one element: places a .. b of it, s = (element + place)/elements ---- */

/* sum += int S p dx over a .. b by four points; size += the same of |p| alone. */
static bool add_piece(sn_compiler *c, const distributed_spec *s, int element, int elements, double l, double a,
                      double b, sn_probe *sum, double *size) {
  for (int g = 0; g < SN_LINE_POINTS; g++) {
    double place = (element + a + (b - a) * sn_gauss4_points[g]) / elements;
    double weight = sn_gauss4_weights[g] * (b - a) * l * sn_expr_value(s->profile, place);
    sn_marker marker;
    sn_probe probe;
    if (!sn_line_marker(c, &s->on, place, &marker)) return false;
    sn_marker_point(&marker, &probe);
    if (probe.ops != &sn_probe_linear) {
      sn_node_error(&c->reader, s->on.node, "a cable", "a distributed load cannot act on a %s",
                    marker.body->ops->kind.name);
      return false;
    }
    if (*size == 0) {
      *sum = probe;
      memset(sum->weight, 0, sizeof sum->weight);
    }
    for (int k = 0; k < probe.count / probe.dim; k++) sum->weight[k] += weight * probe.weight[k];
    *size += fabs(weight) + DBL_MIN;
  }
  return true;
}

/* A profile may be narrower than the element, or have a kink or jump in it: pieces are halved until two sums agree. The
 * first sums see what is wider than a thirtieth of the element. */
static void load_element(sn_compiler *c, const distributed_spec *s, int element, int elements, double l, double a,
                         double b) {
  enum { FIRST = 8, MOST = 512 };
  const double agree = 1e-8, enough = 1e-3;
  assert(element >= 0 && element < elements && a >= 0 && a < b && b <= 1);
  const bool constant = sn_expr_is_constant(s->profile);
  double left = INFINITY;
  sn_probe sum = {0};
  for (int pieces = constant ? 1 : FIRST; pieces <= (constant ? 1 : MOST) && left > agree; pieces *= 2) {
    double size = 0, off = 0;
    const sn_probe before = sum;
    for (int k = 0; k < pieces; k++)
      if (!add_piece(c, s, element, elements, l, a + (b - a) * k / pieces, a + (b - a) * (k + 1) / pieces, &sum, &size))
        return;
    for (int k = 0; k < sum.count / sum.dim; k++) off = fmax(off, fabs(sum.weight[k] - before.weight[k]));
    left = constant ? 0 : pieces == FIRST ? INFINITY : size > 1e-300 ? off / size : 0;
  }
  if (left > enough)
    sn_field_error(&c->reader, &s->spec, "profile", "a function with fewer changes, or more elements",
                   "the profile of distributed '%s' changes too often within element %d to be integrated", s->spec.name,
                   element + 1);
  sn_add_dead_load(c, s->spec.name, &sum, s->force);
}

static void distributed_compile(sn_compiler *c, const sn_spec *spec) {
  const distributed_spec *s = (const distributed_spec *)(const void *)spec;
  const sn_body *body;
  int elements;
  double l;
  if (!sn_force_line(c, spec, &s->on, &body, &elements, &l)) return;
  sn_check_plane_load(c, spec, "force", s->force, false);
  for (int e = 0; e < elements && !c->reader.errors; e++) {
    double a = fmax(0, s->from * elements - e), b = fmin(1, s->to * elements - e);
    if (a < b - 1e-12) load_element(c, s, e, elements, l, a, b);
  }
}

const sn_force_ops sn_distributed = {
    .kind = {.name = "distributed",
             .category = SN_FORCES,
             .summary = "distributed load on a cable or beam, fixed direction in space",
             .fields = distributed_fields,
             .spec_size = sizeof(distributed_spec),
             .check = distributed_check},
    .compile = distributed_compile,
};
