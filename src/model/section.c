/* section.c - cross sections of lines: area, second moments, torsion constant.
 *
 * The line runs along x; the width lies along z, the height along y, so Izz resists bending in the x-y plane.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/constants.h"
#include "math/gauss.h"
#include "model/materials.h"

/* ---- rectangle: A = w h, Izz = w h^3/12, Iyy = h w^3/12,
 *      J = a b^3 (1/3 - 64 b/(pi^5 a) sum over odd k of tanh(x)/k^5), x = k pi a/(2 b), a the longer side (St. Venant)
 *      tanh(x) = 1 - 2/(exp(2 x) + 1), and the sum of 1/k^5 over odd k is 31/32 zeta(5) ---- */

typedef struct rectangle_spec {
  sn_spec spec;
  double width, height;
} rectangle_spec;

static const sn_field rectangle_fields[] = {
    {"width", SN_REAL, SN_AT(rectangle_spec, width), .unit = "m", .required = true, .limits = SN_POSITIVE,
     .help = "dimension along the local z axis"},
    {"height", SN_REAL, SN_AT(rectangle_spec, height), .unit = "m", .required = true, .limits = SN_POSITIVE,
     .help = "dimension along the local y axis"},
    {0},
};

static sn_section_values rectangle_values(const sn_spec *spec) {
  const rectangle_spec *s = (const rectangle_spec *)spec;
  const double w = s->width, h = s->height, a = fmax(w, h), b = fmin(w, h), zeta = 1.0369277551433699263;
  const double pi2 = SN_PI * SN_PI;
  double sum = 31.0 / 32 * zeta;
  for (int k = 1; k * a < 13 * b; k += 2) { /* exp(-2 x) is below rounding after: few terms, as every element asks */
    const double k2 = (double)k * k;
    sum -= 2 / ((exp(k * SN_PI * a / b) + 1) * k2 * k2 * k);
  }
  return (sn_section_values){
      .A = w * h,
      .Iyy = h * w * w * w / 12,
      .Izz = w * h * h * h / 12,
      .J = a * b * b * b * (1.0 / 3 - 64 * b / (a * pi2 * pi2 * SN_PI) * sum),
  };
}

/* 3 x 3 Gauss points: exact to degree 5 */
static int rectangle_points(const sn_spec *spec, double (*point)[3]) {
  static_assert(SN_COUNT(sn_gauss3_points) * SN_COUNT(sn_gauss3_points) <= SN_SECTION_POINTS, "room for the points");
  const rectangle_spec *s = (const rectangle_spec *)spec;
  const double *x = sn_gauss3_points, *w = sn_gauss3_weights;
  for (int k = 0; k < 9; k++) {
    point[k][0] = s->height * (x[k % 3] - 0.5);
    point[k][1] = s->width * (x[k / 3] - 0.5);
    point[k][2] = s->height * s->width * w[k % 3] * w[k / 3];
  }
  return 9;
}

static double rectangle_shear(const sn_spec *spec, double nu) {
  (void)spec, (void)nu;
  return 5.0 / 6;
}

static void rectangle_geometry(const sn_spec *spec, sn_geometry *geometry) {
  const rectangle_spec *s = (const rectangle_spec *)spec;
  geometry->section = SN_OUTLINE_RECTANGLE;
  geometry->size[0] = s->height;
  geometry->size[1] = s->width;
}

const sn_section_ops sn_section_rectangle = {
    .kind = {.name = "rectangle",
             .category = SN_SECTIONS,
             .summary = "solid rectangle",
             .fields = rectangle_fields,
             .spec_size = sizeof(rectangle_spec)},
    .values = rectangle_values,
    .points = rectangle_points,
    .shear = rectangle_shear,
    .geometry = rectangle_geometry,
};

/* ---- circle and tube: A = pi (R^2 - r^2), I = pi (R^4 - r^4)/4, J = 2 I ---- */

typedef struct round_spec {
  sn_spec spec;
  double radius, inner;
} round_spec;

static sn_section_values round_values(const sn_spec *spec) {
  const round_spec *s = (const round_spec *)spec;
  double R = s->radius, r = s->inner, I = SN_PI / 4 * (R * R * R * R - r * r * r * r);
  return (sn_section_values){.A = SN_PI * (R * R - r * r), .Iyy = I, .Izz = I, .J = 2 * I};
}

/* The center and six points on a circle of radius p: exact to degree 5 when
 *   6 w p^2 = int r^2 dA,  6 w p^4 = int r^4 dA */
static int round_points(const sn_spec *spec, double (*point)[3]) {
  const round_spec *s = (const round_spec *)spec;
  double R2 = s->radius * s->radius, r2 = s->inner * s->inner;
  double I2 = SN_PI / 2 * (R2 * R2 - r2 * r2), I4 = SN_PI / 3 * (R2 * R2 * R2 - r2 * r2 * r2);
  double p = sqrt(I4 / I2), weight = I2 * I2 / I4 / 6;
  point[0][0] = point[0][1] = 0;
  point[0][2] = SN_PI * (R2 - r2) - 6 * weight;
  for (int k = 0; k < 6; k++) {
    point[1 + k][0] = p * cos(SN_PI / 3 * k);
    point[1 + k][1] = p * sin(SN_PI / 3 * k);
    point[1 + k][2] = weight;
  }
  return 7;
}

/* Cowper 1966, m = r/R: 6 (1 + nu) (1 + m^2)^2/((7 + 6 nu) (1 + m^2)^2 + (20 + 12 nu) m^2) */
static double round_shear(const sn_spec *spec, double nu) {
  const round_spec *s = (const round_spec *)spec;
  double m = s->inner / s->radius, a = (1 + m * m) * (1 + m * m);
  return 6 * (1 + nu) * a / ((7 + 6 * nu) * a + (20 + 12 * nu) * m * m);
}

static void round_geometry(const sn_spec *spec, sn_geometry *geometry) {
  const round_spec *s = (const round_spec *)spec;
  geometry->section = SN_OUTLINE_CIRCLE;
  geometry->size[0] = s->radius;
  geometry->size[1] = s->inner;
}

static const sn_field circle_fields[] = {
    {"radius", SN_REAL, SN_AT(round_spec, radius), .unit = "m", .required = true, .limits = SN_POSITIVE,
     .help = "outer radius"},
    {0},
};

const sn_section_ops sn_section_circle = {
    .kind = {.name = "circle",
             .category = SN_SECTIONS,
             .summary = "solid circle",
             .fields = circle_fields,
             .spec_size = sizeof(round_spec)},
    .values = round_values,
    .points = round_points,
    .shear = round_shear,
    .geometry = round_geometry,
};

static const sn_field tube_fields[] = {
    {"radius", SN_REAL, SN_AT(round_spec, radius), .unit = "m", .required = true, .limits = SN_POSITIVE,
     .help = "outer radius"},
    {"inner", SN_REAL, SN_AT(round_spec, inner), .unit = "m", .required = true, .limits = SN_NOT_NEGATIVE,
     .help = "inner radius, smaller than the outer radius", .example = "0.5"},
    {0},
};

static void tube_check(sn_reader *reader, const sn_spec *spec) {
  const round_spec *s = (const round_spec *)spec;
  if (s->inner >= s->radius)
    sn_field_error(reader, spec, "inner", "a smaller inner radius",
                   "inner radius %g m is not below the outer radius %g m", s->inner, s->radius);
}

const sn_section_ops sn_section_tube = {
    .kind = {.name = "tube",
             .category = SN_SECTIONS,
             .summary = "hollow circle",
             .fields = tube_fields,
             .spec_size = sizeof(round_spec),
             .check = tube_check},
    .values = round_values,
    .points = round_points,
    .shear = round_shear,
    .geometry = round_geometry,
};

/* ---- between two sections ---- */

static_assert(sizeof(rectangle_spec) <= sizeof(sn_section_space) && sizeof(round_spec) <= sizeof(sn_section_space),
              "room for a section between two");

const sn_spec *sn_section_mix(const sn_spec *a, const sn_spec *b, double f, sn_section_space *space) {
  assert(a->kind == b->kind && a->kind->spec_size <= sizeof *space);
  memcpy(space, a, a->kind->spec_size);
  for (const sn_field *field = a->kind->fields; field->name; field++) {
    double x, y;
    if (field->type != SN_REAL) continue;
    memcpy(&x, (const char *)a + field->at, sizeof x);
    memcpy(&y, (const char *)b + field->at, sizeof y);
    x += f * (y - x);
    memcpy((char *)space + field->at, &x, sizeof x);
  }
  return &space->spec;
}

const char *sn_section_lacks(const sn_spec *a, const sn_spec *b) {
  for (const sn_field *field = a->kind->fields; field->name; field++)
    if (!field->required && !field->def && sn_given(a, field->name) != sn_given(b, field->name)) return field->name;
  return NULL;
}

bool sn_section_exists(const sn_spec *a, const sn_spec *b, double f) {
  sn_section_space space;
  const sn_spec *mix = sn_section_mix(a, b, f, &space);
  for (const sn_field *field = a->kind->fields; field->name; field++) {
    double x;
    if (field->type != SN_REAL) continue;
    memcpy(&x, (const char *)mix + field->at, sizeof x);
    if (!(x >= 0)) return false;
  }
  return sn_section(mix).A > 0;
}

sn_section_values sn_section_between(const sn_spec *a, const sn_spec *b, double f) {
  sn_section_space space;
  return sn_section(sn_section_mix(a, b, f, &space));
}

/* ---- general: the numbers themselves ---- */

typedef struct general_spec {
  sn_spec spec;
  sn_section_values values;
} general_spec;

static const sn_field general_fields[] = {
    {"A", SN_REAL, SN_AT(general_spec, values.A), .unit = "m2", .required = true, .limits = SN_POSITIVE,
     .help = "area"},
    {"Iyy", SN_REAL, SN_AT(general_spec, values.Iyy), .unit = "m4", .required = true, .limits = SN_NOT_NEGATIVE,
     .help = "second moment of area about y"},
    {"Izz", SN_REAL, SN_AT(general_spec, values.Izz), .unit = "m4", .required = true, .limits = SN_NOT_NEGATIVE,
     .help = "second moment of area about z"},
    {"J", SN_REAL, SN_AT(general_spec, values.J), .unit = "m4", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "torsion constant"},
    {"rotary_Iyy", SN_REAL, SN_AT(general_spec, values.Ryy), .unit = "m4", .limits = SN_POSITIVE, .example = "1e-8",
     .help =
         "second moment about y that the mass has, where it is not spread as the stiffness is: density times this is "
         "the rotary inertia per length; default: Iyy. Not for cables, which have none"},
    {"rotary_Izz", SN_REAL, SN_AT(general_spec, values.Rzz), .unit = "m4", .limits = SN_POSITIVE, .example = "1e-8",
     .help = "the same about z; default: Izz"},
    {0},
};

static sn_section_values general_values(const sn_spec *spec) {
  return ((const general_spec *)spec)->values;
}

/* Four points that have the area and the second moments. */
static int general_points(const sn_spec *spec, double (*point)[3]) {
  const sn_section_values *v = &((const general_spec *)spec)->values;
  double y = sqrt(v->Izz / v->A), z = sqrt(v->Iyy / v->A);
  for (int k = 0; k < 4; k++) {
    point[k][0] = k % 2 ? y : -y;
    point[k][1] = k / 2 ? z : -z;
    point[k][2] = v->A / 4;
  }
  return 4;
}

/* Drawn as the circle of the same area. */
static void general_geometry(const sn_spec *spec, sn_geometry *geometry) {
  geometry->section = SN_OUTLINE_CIRCLE;
  geometry->only_drawn = true;
  geometry->size[0] = sqrt(((const general_spec *)spec)->values.A / SN_PI);
}

const sn_section_ops sn_section_general = {
    .kind = {.name = "general",
             .category = SN_SECTIONS,
             .summary = "section given by area and second moments",
             .fields = general_fields,
             .spec_size = sizeof(general_spec)},
    .values = general_values,
    .points = general_points,
    .shear = rectangle_shear,
    .geometry = general_geometry,
};
