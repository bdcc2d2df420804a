/* output_stress.c - stress on the surface of cables, beams and plates, from stress resultants and section.
 *
 * Lines: sigma along the line and tau on the surface of the section (fiber.c),
 *
 *   principal stresses sigma/2 + r, 0, sigma/2 - r,  r = sqrt(sigma^2/4 + tau^2),   von Mises sqrt(sigma^2 + 3 tau^2)
 *
 * Plates of thickness h: sigma = N/h - 6 M/h^2 on top, + below, for xx, yy and xy: M > 0 bends toward the normal. A stress is
 * linear over the thickness, and its von Mises stress is largest on top or below.
 */
#include <math.h>
#include <string.h>

#include "output/fiber.h"
#include "output/line_load.h"
#include "output/outputs.h"

enum { PLATE = 8, SPACE = 10 }; /* columns of plates; columns of resultants of beams in space */
static const char *const line_names[] = {"sigma",       "tau",         "von_mises", "principal_1",
                                         "principal_2", "principal_3", "y",         "z"};
static const char *const line_units[] = {"Pa", "Pa", "Pa", "Pa", "Pa", "Pa", "m", "m"};
static const char *const plate_names[PLATE] = {"sigma_xx",    "sigma_yy",    "sigma_xy",    "von_mises",
                                               "principal_1", "principal_2", "principal_3", "z"};
static const char *const plate_units[PLATE] = {"Pa", "Pa", "Pa", "Pa", "Pa", "Pa", "Pa", "m"};

/* The geometry at the marker; NULL: it has a surface, otherwise what is expected. */
static const char *geometry_at(const sn_marker *marker, sn_geometry *g) {
  const sn_body *body = marker->body;
  if (!body->ops->resultants) return "a point of a flexible body";
  body->ops->geometry(body, g);
  g->place = g->elements ? (marker->element + marker->local[0]) / g->elements : 0;
  body->ops->geometry(body, g);
  if (g->type == SN_GEOMETRY_SURFACE || (g->section != SN_OUTLINE_NONE && !g->only_drawn)) return NULL;
  return "a body with a section of type rectangle, circle or tube";
}

static void take_sides(sn_compiler *c, const sn_output_spec *spec, double thickness, sn_output *out) {
  if (spec->fiber >= SN_FIBER_LEFT)
    sn_field_error(&c->reader, &spec->spec, "fiber", "top, bottom or most", "a plate has no such side");
  sn_fiber *side = SN_NEW(c->arena, sn_fiber, 2);
  side[0].z = (spec->fiber == SN_FIBER_BOTTOM ? -0.5 : 0.5) * thickness;
  side[1].z = -0.5 * thickness;
  out->fiber = side;
  out->fibers = spec->fiber ? 1 : 2;
  sn_output_take(out, SN_HEADINGS_OF(plate_names, plate_units));
}

static void take_fibers(sn_compiler *c, const sn_output_spec *spec, const sn_geometry *g, sn_output *out) {
  bool signless = !out->marker.has_frame && c->model->dim == 3;
  if (spec->fiber && signless && !sn_given(spec, "about"))
    sn_field_error(&c->reader, &spec->spec, "fiber", "'about' in addition, the normal of the plane of bending",
                   "cable '%s' has no section axes", out->marker.body->name);
  if (!spec->fiber && signless && sn_given(spec, "about"))
    sn_field_error(&c->reader, &spec->spec, "about", "a named fiber in addition, or remove this key",
                   "the largest stress has no direction");
  sn_fiber *fiber = SN_NEW(c->arena, sn_fiber, sn_section_fibers(g, spec->fiber, NULL));
  out->fibers = sn_section_fibers(g, spec->fiber, fiber);
  out->fiber = fiber;
  sn_output_take(out, SN_HEADINGS_OF(line_names, line_units));
}

static void stress_compile(sn_compiler *c, const sn_output_spec *spec, sn_output *out) {
  sn_geometry g = {0};
  if (!sn_resolve(c, &spec->stress, &out->marker)) return;
  const sn_body *body = out->marker.body;
  const char *expected = geometry_at(&out->marker, &g);
  if (expected) {
    sn_field_error(&c->reader, &spec->spec, "stress", expected, "%s '%s' has no surface stress", body->ops->kind.name,
                   body->name);
    return;
  }
  sn_output_about(c, spec, &out->marker);
  if (g.type == SN_GEOMETRY_SURFACE)
    take_sides(c, spec, g.size[0], out);
  else
    take_fibers(c, spec, &g, out);
}

/* N, Qy, Qz, T, My, Mz */
static void line_resultants(const sn_output *o, const sn_eval *ev, const double (*load)[3], double R[6]) {
  double values[SN_OUTPUT_COLUMNS];
  o->marker.body->ops->resultants(&o->marker, ev, load, values);
  memset(R, 0, 6 * sizeof *R);
  if (o->marker.body->ops->resultant_headings->count == SPACE) {
    memcpy(R, values, 6 * sizeof *R);
  } else { /* N, Q, M */
    R[0] = values[0];
    R[1] = values[1];
    R[5] = values[2];
  }
}

static double product6(const double a[6], const double b[6]) {
  double sum = 0;
  for (int k = 0; k < 6; k++) sum += a[k] * b[k];
  return sum;
}

static void line_fill(const sn_output *o, const sn_eval *ev, const double (*load)[3], double *y) {
  double R[6], most = -1;
  line_resultants(o, ev, load, R);
  for (int k = 0; k < o->fibers; k++) {
    const sn_fiber *f = &o->fiber[k];
    double sigma = product6(f->s, R), tau = product6(f->t, R), mises = sqrt(sigma * sigma + 3 * tau * tau);
    if (!(mises > most) && k > 0) continue;
    double r = hypot(sigma / 2, tau), all[] = {sigma, tau, mises, sigma / 2 + r, 0, sigma / 2 - r, f->y, f->z};
    most = mises;
    memcpy(y, all, sizeof all);
  }
}

/* In the plane of the plate a >= b, and 0 normal to it */
static void plate_columns(const double s[3], double z, double y[PLATE]) {
  double mean = (s[0] + s[1]) / 2, r = hypot((s[0] - s[1]) / 2, s[2]), a = mean + r, b = mean - r;
  double all[PLATE] = {s[0],       s[1], s[2], sqrt(a * a - a * b + b * b), fmax(a, 0), a < 0 ? a : b > 0 ? b : 0,
                       fmin(b, 0), z};
  memcpy(y, all, sizeof all);
}

static void plate_fill(const sn_output *o, const sn_eval *ev, double *y) {
  double values[SN_OUTPUT_COLUMNS], s[3], side[PLATE];
  o->marker.body->ops->resultants(&o->marker, ev, NULL, values);
  for (int k = 0; k < o->fibers; k++) {
    double z = o->fiber[k].z, h = 2 * fabs(z);
    for (int i = 0; i < 3; i++) s[i] = values[i] / h - 12 * z * values[3 + i] / (h * h * h);
    plate_columns(s, z, side);
    if (k == 0 || side[3] > y[3]) memcpy(y, side, sizeof side);
  }
}

static void stress_fill(const sn_model *m, const sn_output *o, const sn_eval *ev, const sn_touching *touching,
                        sn_output_memory *memory, double *y) {
  double load[2][3];
  const bool known = sn_line_load(m, &o->marker, ev, touching, memory, load);
  if (o->column == plate_names)
    plate_fill(o, ev, y);
  else
    line_fill(o, ev, known ? (const double(*)[3])load : NULL, y);
}

const sn_output_ops sn_output_stress = {.about = "stress at ", .compile = stress_compile, .fill = stress_fill};
