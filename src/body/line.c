/* line.c - reference lines, sampled at equal arc length. */
#include "body/line.h"

#include <string.h>

#include "base/expr.h"
#include "math/constants.h"
#include "math/gauss.h"
#include "math/vec3.h"

double sn_line_straight(const double from[3], const double to[3], int elements, double (*r)[3], double (*t)[3]) {
  assert(elements > 0);
  double u[3];
  sn_sub(u, to, from);
  double length = sn_normalize(u);
  for (int i = 0; i <= elements; i++) {
    sn_copy(r[i], from);
    sn_axpy(r[i], length * i / elements, u);
    sn_copy(t[i], u);
  }
  return length;
}

/* The circle through three points: with a = via - from, b = to - from, n = a x b, its center is
 *   from + (|a|^2 b x n - |b|^2 a x n)/(2 n.n) with the sign that makes it equidistant. */
double sn_line_arc(const double from[3], const double via[3], const double to[3], int elements, double (*r)[3],
                   double (*t)[3]) {
  assert(elements > 0);
  double a[3], b[3], n[3], bn[3], na[3], center[3], x[3], y[3], end[3];
  sn_sub(a, via, from);
  sn_sub(b, to, from);
  sn_cross(n, a, b);
  double nn = sn_dot(n, n), aa = sn_dot(a, a), bb = sn_dot(b, b);
  if (!(nn > 1e-20 * aa * bb)) return 0;
  sn_cross(bn, b, n);
  sn_cross(na, n, a);
  for (int k = 0; k < 3; k++) center[k] = from[k] + (aa * bn[k] + bb * na[k]) / (2 * nn);
  sn_scale(n, 1 / sqrt(nn), n);
  sn_sub(x, from, center);
  double radius = sn_normalize(x);
  sn_cross(y, n, x); /* the arc from-via-to turns about +n */
  sn_sub(end, to, center);
  double angle = atan2(sn_dot(end, y), sn_dot(end, x));
  if (angle <= 0) angle += 2 * SN_PI;
  for (int i = 0; i <= elements; i++) {
    double s = sin(angle * i / elements), c = cos(angle * i / elements);
    for (int k = 0; k < 3; k++) {
      r[i][k] = center[k] + radius * (c * x[k] + s * y[k]);
      t[i][k] = c * y[k] - s * x[k];
    }
  }
  return radius * angle;
}

/* ---- natural cubic spline over the chord length ---- */

typedef struct spline {
  int count;
  double *x, *y[3], *m[3]; /* parameter, coordinates, second derivatives */
} spline;

/* Position (p) and derivative (d) at parameter x in span i. */
static void spline_at(const spline *s, int i, double x, double p[3], double d[3]) {
  assert(i >= 0 && i < s->count - 1);
  double h = s->x[i + 1] - s->x[i], a = (s->x[i + 1] - x) / h, b = (x - s->x[i]) / h;
  for (int k = 0; k < 3; k++) {
    double y0 = s->y[k][i], y1 = s->y[k][i + 1], m0 = s->m[k][i], m1 = s->m[k][i + 1];
    p[k] = a * y0 + b * y1 + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * h * h / 6;
    d[k] = (y1 - y0) / h + ((3 * b * b - 1) * m1 - (3 * a * a - 1) * m0) * h / 6;
  }
}

/* Arc length between two parameters of span i, 5-point Gauss. */
static double spline_length(const spline *s, int i, double x0, double x1) {
  double sum = 0, p[3], d[3];
  for (int k = 0; k < 5; k++) {
    spline_at(s, i, x0 + sn_gauss5_points[k] * (x1 - x0), p, d);
    sum += sn_gauss5_weights[k] * sn_norm(d);
  }
  return sum * (x1 - x0);
}

double sn_line_spline(sn_arena *arena, int count, const double (*point)[3], int elements, double (*r)[3],
                      double (*t)[3]) {
  assert(elements > 0 && count >= 2);
  enum { PIECES = 32 }; /* of a span, so that Gauss is exact to rounding for smooth lines */
  spline s = {.count = count, .x = SN_NEW(arena, double, count)};
  for (int i = 1; i < count; i++) {
    double d[3];
    sn_sub(d, point[i], point[i - 1]);
    s.x[i] = s.x[i - 1] + sn_norm(d);
    if (!(s.x[i] > s.x[i - 1])) return 0; /* the same point, or one as near as rounding */
  }
  for (int k = 0; k < 3; k++) {
    s.y[k] = SN_NEW(arena, double, count);
    s.m[k] = SN_NEW(arena, double, count);
    for (int i = 0; i < count; i++) s.y[k][i] = point[i][k];
    sn_spline_fit(count, s.x, s.y[k], s.m[k]);
  }
  int pieces = PIECES * (count - 1);
  double *length = SN_NEW(arena, double, pieces + 1);
  for (int j = 0; j < pieces; j++) {
    int i = j / PIECES;
    double h = (s.x[i + 1] - s.x[i]) / PIECES, x0 = s.x[i] + h * (j % PIECES);
    length[j + 1] = length[j] + spline_length(&s, i, x0, x0 + h);
  }
  for (int e = 0, j = 0; e <= elements; e++) {
    double target = length[pieces] * e / elements, d[3];
    while (j < pieces - 1 && length[j + 1] < target) j++;
    int i = j / PIECES;
    double h = (s.x[i + 1] - s.x[i]) / PIECES, x0 = s.x[i] + h * (j % PIECES), x = x0;
    for (int k = 0; k < 20; k++) { /* Newton: dL/dx = |r'| */
      spline_at(&s, i, x, r[e], d);
      x += (target - length[j] - spline_length(&s, i, x0, x)) / sn_norm(d);
    }
    spline_at(&s, i, x, r[e], t[e]);
    sn_normalize(t[e]);
  }
  return length[pieces];
}

/* ---- what the user writes ---- */

/* A length stretches the straight shape only. */
static bool check_rest_length(sn_reader *reader, const sn_line_spec *line) {
  const sn_spec *spec = &line->spec;
  if (!sn_given(spec, "rest_length") || !sn_line_rests_curved(line)) return true;
  sn_field_error(reader, spec, "rest_length", "rest: straight, or a straight line",
                 "'rest_length' of %s '%s' needs a straight stress-free shape", spec->kind->name, spec->name);
  return false;
}

static bool check_line(sn_reader *reader, const sn_line_spec *line) {
  const sn_spec *spec = &line->spec;
  bool from = sn_given(spec, "from"), to = sn_given(spec, "to"), through = sn_given(spec, "through");
  if (through && (from || to || sn_given(spec, "via"))) {
    sn_field_error(reader, spec, "through", "either 'through' or 'from' and 'to'", "%s '%s' has two reference lines",
                   spec->kind->name, spec->name);
    return false;
  }
  if (!through && !(from && to)) {
    sn_field_error(reader, spec,
                   from ? "from"
                   : to ? "to"
                        : NULL,
                   "'from' and 'to', or 'through'", "%s '%s' has no reference line", spec->kind->name, spec->name);
    return false;
  }
  if (sn_given(spec, "rest_through") && (sn_given(spec, "rest") || sn_given(spec, "rest_length"))) {
    sn_field_error(reader, spec, "rest_through", "one of: rest, rest_through", "%s '%s' has two stress-free shapes",
                   spec->kind->name, spec->name);
    return false;
  }
  return check_rest_length(reader, line);
}

bool sn_line_check(sn_reader *reader, const sn_line_spec *line) {
  const sn_spec *spec = &line->spec;
  const sn_material_spec *m = (const sn_material_spec *)(const void *)line->material;
  bool good = check_line(reader, line);
  if (!good) return false;
  if (!(m->young > 0)) {
    good = false;
    sn_field_error(reader, spec, "material", "a material with 'young' above 0",
                   "material '%s' of %s '%s' has no stiffness", line->material->name, spec->kind->name, spec->name);
  }
  if (line->section_end && line->section_end->kind != line->section->kind) {
    good = false;
    sn_field_error(reader, spec, "section_end", sn_format(reader->arena, "a %s", line->section->kind->name),
                   "the sections of %s '%s' are of two types", spec->kind->name, spec->name);
  } else if (line->section_end && sn_section_lacks(line->section, line->section_end)) {
    good = false;
    const char *lack = sn_section_lacks(line->section, line->section_end);
    sn_field_error(reader, spec, "section_end", sn_format(reader->arena, "'%s' in both or in none", lack),
                   "only one of the sections of %s '%s' gives '%s'", spec->kind->name, spec->name, lack);
  } else if (sn_given(spec, "taper") && !line->section_end) {
    good = false;
    sn_field_error(reader, spec, "taper", "a 'section_end'", "%s '%s' has one section only", spec->kind->name,
                   spec->name);
  }
  return good;
}

/* Nodes of the line at the start; returns its length. */
static double nodes_at_start(const sn_line_spec *line, sn_arena *scratch, double (*r)[3], double (*t)[3]) {
  if (sn_given(line, "through"))
    return sn_line_spline(scratch, line->through.count, line->through.value, line->elements, r, t);
  if (sn_given(line, "via")) return sn_line_arc(line->from, line->via, line->to, line->elements, r, t);
  return sn_line_straight(line->from, line->to, line->elements, r, t);
}

bool sn_line_rests_curved(const sn_line_spec *line) {
  if (sn_given(line, "rest_through")) return true;
  return line->rest == SN_REST_CURVE && (sn_given(line, "via") || sn_given(line, "through"));
}

/* Nodes of the shape without stress of the line whose `length` and nodes r, t are those of the start. Returns its
 * length, 0 when it degenerates; t then has the stretch at the start as its length. */
static double nodes_at_rest(const sn_line_spec *line, sn_arena *scratch, double length, const sn_line_shape *shape) {
  double(*r)[3] = shape->r, (*t)[3] = shape->t, (*r0)[3] = shape->r0, (*t0)[3] = shape->t0;
  static const double zero[3] = {0};
  const int elements = line->elements;
  double rest = sn_given(line, "rest_length") ? line->rest_length : length, to[3] = {rest, 0, 0};
  if (sn_given(line, "rest_through")) {
    rest = sn_line_spline(scratch, line->rest_through.count, line->rest_through.value, elements, r0, t0);
  } else if (!sn_line_rests_curved(line)) {
    sn_line_straight(zero, to, elements, r0, t0);
  } else {
    memcpy(r0, r, sizeof *r * ((size_t)elements + 1));
    memcpy(t0, t, sizeof *t * ((size_t)elements + 1));
  }
  for (int i = 0; i <= elements && rest > 0 && rest != length; i++) sn_scale(t[i], length / rest, t[i]);
  return rest;
}

const sn_spec *sn_line_section(const sn_line_spec *line, double place, sn_section_space *space) {
  if (!line->section_end) return line->section;
  return sn_section_mix(line->section, line->section_end, sn_expr_value(line->taper, place), space);
}

bool sn_line_has_section(sn_reader *reader, const sn_line_spec *line) {
  for (int i = 0; line->section_end && i <= 4 * line->elements; i++) {
    double place = i / (4.0 * line->elements);
    if (sn_section_exists(line->section, line->section_end, sn_expr_value(line->taper, place))) continue;
    sn_field_error(reader, &line->spec, sn_given(line, "taper") ? "taper" : "section_end",
                   "a section larger than 0 everywhere", "the section of %s '%s' vanishes at s = %g",
                   line->spec.kind->name, line->spec.name, place);
    return false;
  }
  return true;
}

const sn_spec *sn_line_geometry(const sn_line_spec *line, double length, sn_section_space *space,
                                sn_geometry *geometry) {
  const sn_spec *section = sn_line_section(line, geometry->place, space);
  geometry->type = SN_GEOMETRY_LINE;
  geometry->elements = line->elements;
  geometry->element_length = length;
  ((const sn_section_ops *)(const void *)section->kind)->geometry(section, geometry);
  const sn_material_spec *m = (const sn_material_spec *)(const void *)line->material;
  const sn_section_values x = sn_section(section);
  geometry->stiffness = m->young * x.A;
  geometry->mass = m->density * x.A;
  geometry->EI[0] = m->young * x.Izz, geometry->EI[1] = m->young * x.Iyy;
  geometry->straight = !sn_line_rests_curved(line);
  geometry->rests_elsewhere = sn_given(&line->spec, "rest_through");
  return section;
}

/* Report a line without length. */
static void degenerate(sn_reader *reader, const sn_spec *spec) {
  bool via = sn_given(spec, "via");
  sn_field_error(reader, spec,
                 sn_given(spec, "through") ? "through"
                 : via                     ? "via"
                                           : "to",
                 via ? "three points that are not on one straight line" : "points that differ", "%s '%s' has no length",
                 spec->kind->name, spec->name);
}

double sn_line_lay_out(sn_reader *reader, const sn_line_spec *line, sn_arena *scratch, sn_line_shape *shape) {
  double(**part[])[3] = {&shape->r, &shape->t, &shape->r0, &shape->t0};
  for (size_t k = 0; k < SN_COUNT(part); k++)
    *part[k] = sn_alloc(scratch, (size_t)line->elements + 1, sizeof **part[k]);
  double length = nodes_at_start(line, scratch, shape->r, shape->t);
  double rest = length > 0 ? nodes_at_rest(line, scratch, length, shape) : 0;
  if (!(rest > 0)) degenerate(reader, &line->spec);
  return rest;
}
