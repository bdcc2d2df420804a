/* type_number.c - types of fields: numbers and what is made of them. */
#include <math.h>
#include <string.h>

#include "model/csv.h"
#include "model/field_type.h"
#include "model/tree.h"

/* ---- documents ---- */

static void put_limits(FILE *out, const sn_limits *l) {
  if (l->has_low) fprintf(out, ", \"%s\": %.15g", l->low_open ? "exclusiveMinimum" : "minimum", l->low);
  if (l->has_high) fprintf(out, ", \"%s\": %.15g", l->high_open ? "exclusiveMaximum" : "maximum", l->high);
}

static void put_one(FILE *out, const sn_field *field, const char *type) {
  fprintf(out, "\"anyOf\": [{\"type\": \"%s\"", type);
  put_limits(out, &field->limits);
  fprintf(out, "}, {\"$ref\": \"#/$defs/expression\"}]");
}

static void put_numbers(FILE *out, const sn_field *field, const char *type, int count) {
  fprintf(out, "\"type\": \"array\", \"items\": {");
  put_one(out, field, type);
  fprintf(out, "}");
  if (count) fprintf(out, ", \"minItems\": %d, \"maxItems\": %d", count, count);
}

/* A plain number within the limits. */
static double number_within(const sn_limits *l) {
  if (l->has_low && l->has_high) return l->low < 1 && l->high > 1 ? 1 : (l->low + l->high) / 2;
  if (l->has_low) return l->low < 1 ? 1 : l->low + 1;
  if (l->has_high) return l->high > 1 ? 1 : l->high - 1;
  return 1;
}

/* ---- one number ---- */

static bool read_real(sn_place p, const sn_node *node, void *at) {
  double *value = at;
  return sn_read_number(p.reader, node, p.field->name, value) &&
         sn_within_limits(p.reader, p.field, node, false, *value);
}

static void put_real(FILE *out, const sn_field *field) {
  put_one(out, field, "number");
}

static void show_real(const sn_field *field, sn_phrase *example) {
  snprintf(example->text, sizeof example->text, "%.10g", number_within(&field->limits));
}

static double number_of_real(const void *at) {
  return *(const double *)at;
}

const sn_type_ops sn_type_real = {
    .size = sizeof(double),
    .words = "number",
    .put_example = show_real,
    .put_schema = put_real,
    .number = number_of_real,
    .read = read_real,
};

static bool read_int(sn_place p, const sn_node *node, void *at) {
  int *value = at;
  double number;
  if (!read_real(p, node, &number)) return false;
  if (number != floor(number) || fabs(number) > 2147483647.0) {
    sn_node_error(p.reader, node, NULL, "expected an integer for '%s', found %.10g", p.field->name, number);
    return false;
  }
  *value = (int)number;
  return true;
}

static void put_int(FILE *out, const sn_field *field) {
  put_one(out, field, "integer");
}

static void show_int(const sn_field *field, sn_phrase *example) {
  snprintf(example->text, sizeof example->text, "%.10g", floor(number_within(&field->limits)));
}

static double number_of_int(const void *at) {
  return *(const int *)at;
}

const sn_type_ops sn_type_int = {
    .size = sizeof(int),
    .words = "integer",
    .put_example = show_int,
    .put_schema = put_int,
    .number = number_of_int,
    .read = read_int,
};

static bool read_grid(sn_place p, const sn_node *node, void *at) {
  int *value = at;
  if (node->type != SN_SEQUENCE || node->count != 2) return sn_fail_type(p, node, "a list of 2 integers");
  return read_int(p, node->item[0], &value[0]) && read_int(p, node->item[1], &value[1]);
}

static void put_grid(FILE *out, const sn_field *field) {
  put_numbers(out, field, "integer", 2);
}

const sn_type_ops sn_type_grid = {
    .size = sizeof(int[2]),
    .words = "[nx, ny], integers",
    .example = "[8, 8]",
    .put_schema = put_grid,
    .read = read_grid,
};

/* ---- vectors and lists ---- */

static bool read_numbers(sn_place p, const sn_node *node, int count, const char *wanted, double *value) {
  if (node->type != SN_SEQUENCE) return sn_fail_type(p, node, wanted);
  if (node->count != count) {
    sn_node_error(p.reader, node, sn_comma_hint(node), "expected %s for '%s', found a list of %d", wanted,
                  p.field->name, node->count);
    return false;
  }
  bool good = true;
  for (int i = 0; i < count && !sn_reader_full(p.reader); i++)
    good &= sn_read_number(p.reader, node->item[i], p.field->name, &value[i]) &&
            sn_within_limits(p.reader, p.field, node->item[i], true, value[i]);
  return good;
}

static bool read_vector(sn_place p, const sn_node *node, void *at) {
  return read_numbers(p, node, 3, "a list of 3 numbers", at);
}

static void put_vector(FILE *out, const sn_field *field) {
  put_numbers(out, field, "number", 3);
}

static void show_vector(const sn_field *field, sn_phrase *example) {
  double x = number_within(&field->limits);
  if (field->limits.has_low)
    snprintf(example->text, sizeof example->text, "[%.10g, %.10g, %.10g]", x, x, x);
  else
    snprintf(example->text, sizeof example->text, "[1, 0, 0]");
}

const sn_type_ops sn_type_vector = {
    .size = sizeof(double[3]),
    .words = "[x, y, z]",
    .put_example = show_vector,
    .put_schema = put_vector,
    .read = read_vector,
};

static bool read_inertia(sn_place p, const sn_node *node, void *at) {
  double *value = at;
  int count = node->type == SN_SEQUENCE && node->count == 3 ? 3 : 6;
  memset(value, 0, 6 * sizeof *value);
  return read_numbers(p, node, count, "a list of 3 or 6 numbers", value);
}

const sn_type_ops sn_type_inertia = {
    .size = sizeof(double[6]),
    .words = "3 or 6 numbers",
    .example = "[1, 1, 1]",
    .schema = "\"type\": \"array\", \"items\": " SN_SCHEMA_NUMBER
              ", \"anyOf\": [{\"minItems\": 3, \"maxItems\": 3}, "
              "{\"minItems\": 6, \"maxItems\": 6}]",
    .read = read_inertia,
};

static bool read_reals(sn_place p, const sn_node *node, void *at) {
  sn_reals *reals = at;
  if (node->type != SN_SEQUENCE) return sn_fail_type(p, node, "a list of numbers");
  double *value = SN_NEW(p.reader->arena, double, node->count);
  *reals = (sn_reals){node->count, value};
  return read_numbers(p, node, node->count, "a list of numbers", value);
}

static void put_reals(FILE *out, const sn_field *field) {
  put_numbers(out, field, "number", 0);
}

const sn_type_ops sn_type_reals = {
    .size = sizeof(sn_reals),
    .words = "list of numbers",
    .example = "[0, 1, 2]",
    .put_schema = put_reals,
    .read = read_reals,
};

static bool read_matrix(sn_place p, const sn_node *node, void *at) {
  sn_matrix_rows *matrix = at;
  if (node->type == SN_SCALAR && node->text[strspn(node->text, "0123456789+-.eE ")])
    return sn_read_csv_matrix(p.reader, node, matrix);
  if (node->type != SN_SEQUENCE || node->count == 0 || node->item[0]->type != SN_SEQUENCE)
    return sn_fail_type(p, node, "a list of rows, [[...], [...]], or the name of a CSV file");
  const int columns = node->item[0]->count;
  double *value = SN_NEW(p.reader->arena, double, (size_t)node->count *(size_t)columns + 1);
  *matrix = (sn_matrix_rows){node->count, columns, value};
  bool good = true;
  for (int i = 0; i < node->count && good; i++)
    good = read_numbers(p, node->item[i], columns, "rows of equal length", value + (size_t)i * (size_t)columns);
  return good;
}

const sn_type_ops sn_type_matrix = {
    .size = sizeof(sn_matrix_rows),
    .words = "list of rows of numbers, or CSV file",
    .example = "[[0, 1], [1, 2]]",
    .schema =
        "\"anyOf\": [{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"array\", "
        "\"items\": " SN_SCHEMA_NUMBER "}}, {\"type\": \"string\"}]",
    .read = read_matrix,
};

static bool read_points(sn_place p, const sn_node *node, void *at) {
  sn_points *points = at;
  if (node->type != SN_SEQUENCE) return sn_fail_type(p, node, "a list of points");
  if (node->count < 2) {
    sn_node_error(p.reader, node, NULL, "expected at least 2 points for '%s', found %d", p.field->name, node->count);
    return false;
  }
  double(*value)[3] = sn_alloc(p.reader->arena, (size_t)node->count, sizeof *value);
  bool good = true;
  for (int i = 0; i < node->count && !sn_reader_full(p.reader); i++) good &= read_vector(p, node->item[i], value[i]);
  *points = (sn_points){node->count, (const double(*)[3])value};
  return good;
}

const sn_type_ops sn_type_points = {
    .size = sizeof(sn_points),
    .words = "list of points",
    .example = "[[0, 0, 0], [1, 0, 0]]",
    .schema = "\"type\": \"array\", \"items\": " SN_SCHEMA_VECTOR ", \"minItems\": 2",
    .read = read_points,
};

static bool read_point_map(sn_place p, const sn_node *node, void *at) {
  sn_point_map *map = at;
  if (node->type != SN_MAPPING) return sn_fail_type(p, node, "a mapping {name: [x, y, z], ...}");
  const char **name = SN_NEW(p.reader->arena, const char *, node->count);
  double(*value)[3] = sn_alloc(p.reader->arena, (size_t)node->count, sizeof *value);
  bool good = true;
  for (int i = 0; i < node->count && !sn_reader_full(p.reader); i++) {
    name[i] = node->key[i]->text;
    if (!sn_is_name(name[i], true)) {
      sn_node_error(p.reader, node->key[i], "a letter, then letters, digits, _ and -", "'%s' cannot name a point",
                    name[i]);
      good = false;
    }
    good &= read_vector(p, node->item[i], value[i]);
  }
  *map = (sn_point_map){node->count, name, (const double(*)[3])value};
  return good;
}

const sn_type_ops sn_type_point_map = {
    .size = sizeof(sn_point_map),
    .words = "named points",
    .example = "{tip: [1, 0, 0]}",
    .schema = "\"type\": \"object\", \"propertyNames\": {\"pattern\": \"" SN_SCHEMA_NAME
              "\"}, "
              "\"additionalProperties\": " SN_SCHEMA_VECTOR,
    .read = read_point_map,
};

/* ---- rotations ---- */

static bool normalize(sn_place p, const sn_node *node, int count, double *value, const char *what) {
  double largest = 0, sum = 0;
  for (int i = 0; i < count; i++) largest = fmax(largest, fabs(value[i]));
  for (int i = 0; i < count && largest > 0; i++) sum += (value[i] / largest) * (value[i] / largest);
  if (!(largest > 0)) {
    sn_node_error(p.reader, node, NULL, "the %s of '%s' is zero", what, p.field->name);
    return false;
  }
  for (int i = 0; i < count; i++) value[i] = value[i] / largest / sqrt(sum);
  return true;
}

/* {axis: [x, y, z], angle: a}: e0 = cos(a/2), e = axis sin(a/2)/|axis| */
static bool read_axis_angle(sn_place p, const sn_node *node, double value[4]) {
  static const char *const keys[] = {"axis", "angle"};
  for (int i = 0; i < node->count; i++) {
    if (!strcmp(node->key[i]->text, keys[0]) || !strcmp(node->key[i]->text, keys[1])) continue;
    sn_node_error(p.reader, node->key[i], sn_suggest(p.reader->arena, node->key[i]->text, keys, 2),
                  "unknown key '%s' in '%s'", node->key[i]->text, p.field->name);
    return false;
  }
  const sn_node *axis = sn_value_of(node, "axis", NULL), *angle = sn_value_of(node, "angle", NULL);
  if (!axis || !angle) {
    sn_node_error(p.reader, node, "{axis: [x, y, z], angle: radians}", "missing key '%s' in '%s'", keys[axis != NULL],
                  p.field->name);
    return false;
  }
  double a, e[3];
  if (!read_vector(p, axis, e) || !normalize(p, axis, 3, e, "axis")) return false;
  if (!sn_read_number(p.reader, angle, "angle", &a)) return false;
  const double turn = 2 * acos(-1);
  if (fabs(a) > 2 * turn) { /* degrees, which turn a body to a place that nobody meant */
    sn_node_error(p.reader, angle, "an angle in rad, at most two turns; 90 degrees are pi/2",
                  "an angle of %g rad is %.3g turns", a, fabs(a) / turn);
    return false;
  }
  value[0] = cos(a / 2);
  for (int i = 0; i < 3; i++) value[1 + i] = sin(a / 2) * e[i];
  return true;
}

static bool read_rotation(sn_place p, const sn_node *node, void *at) {
  double *value = at;
  if (node->type == SN_MAPPING) return read_axis_angle(p, node, value);
  return read_numbers(p, node, 4, "a list of 4 numbers or {axis: [x, y, z], angle: radians}", value) &&
         normalize(p, node, 4, value, "quaternion");
}

const sn_type_ops sn_type_rotation = {
    .size = sizeof(double[4]),
    .words = "rotation",
    .example = "{axis: [0, 0, 1], angle: pi/2}",
    .schema = "\"anyOf\": [{\"type\": \"array\", \"items\": " SN_SCHEMA_NUMBER
              ", \"minItems\": 4, \"maxItems\": 4}, "
              "{\"type\": \"object\", \"properties\": {\"axis\": " SN_SCHEMA_VECTOR ", \"angle\": " SN_SCHEMA_NUMBER
              "}, "
              "\"required\": [\"axis\", \"angle\"], \"additionalProperties\": false}]",
    .read = read_rotation,
};
