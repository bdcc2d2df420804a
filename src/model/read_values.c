/* read_values.c - the value of one field, by its type. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "model/reader.h"
#include "model/tree.h"

typedef struct place { /* what is being read, for messages */
  sn_reader *reader;
  const sn_field *field;
} place;

static bool fail_type(place p, const sn_node *node, const char *wanted) {
  sn_node_error(p.reader, node, NULL, "expected %s for '%s', found %s", wanted, p.field->name,
                sn_found(p.reader, node));
  return false;
}

/* ---- lists of numbers ---- */

/* In [ ] a comma ends a value, so that atan2(1, 2) falls apart into two. */
static const char *comma_hint(const sn_node *list) {
  for (int i = 0; i < list->count; i++)
    if (list->item[i]->type == SN_SCALAR && strchr(list->item[i]->text, '(') && !strchr(list->item[i]->text, ')'))
      return "is a value that contains a comma missing its quotes?";
  return NULL;
}

static bool read_numbers(place p, const sn_node *node, int count, const char *wanted, double *value) {
  if (node->type != SN_SEQUENCE) return fail_type(p, node, wanted);
  if (node->count != count) {
    sn_node_error(p.reader, node, comma_hint(node), "expected %s for '%s', found a list of %d", wanted, p.field->name,
                  node->count);
    return false;
  }
  bool good = true;
  for (int i = 0; i < count && !sn_reader_full(p.reader); i++)
    good &= sn_read_number(p.reader, node->item[i], p.field->name, &value[i]) &&
            sn_within_limits(p.reader, p.field, node->item[i], true, value[i]);
  return good;
}

static bool read_vector(place p, const sn_node *node, double value[3]) {
  return read_numbers(p, node, 3, "a list of 3 numbers", value);
}

static bool read_inertia(place p, const sn_node *node, double value[6]) {
  int count = node->type == SN_SEQUENCE && node->count == 3 ? 3 : 6;
  memset(value, 0, 6 * sizeof *value);
  return read_numbers(p, node, count, "a list of 3 or 6 numbers", value);
}

static bool read_reals(place p, const sn_node *node, sn_reals *reals) {
  if (node->type != SN_SEQUENCE) return fail_type(p, node, "a list of numbers");
  double *value = SN_NEW(p.reader->arena, double, node->count);
  *reals = (sn_reals){node->count, value};
  return read_numbers(p, node, node->count, "a list of numbers", value);
}

static bool read_points(place p, const sn_node *node, sn_points *points) {
  if (node->type != SN_SEQUENCE) return fail_type(p, node, "a list of points");
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

static bool read_point_map(place p, const sn_node *node, sn_point_map *map) {
  if (node->type != SN_MAPPING) return fail_type(p, node, "a mapping {name: [x, y, z], ...}");
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

/* ---- rotations ---- */

static bool normalize(place p, const sn_node *node, int count, double *value, const char *what) {
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
static bool read_axis_angle(place p, const sn_node *node, double value[4]) {
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
  value[0] = cos(a / 2);
  for (int i = 0; i < 3; i++) value[1 + i] = sin(a / 2) * e[i];
  return true;
}

static bool read_rotation(place p, const sn_node *node, double value[4]) {
  if (node->type == SN_MAPPING) return read_axis_angle(p, node, value);
  return read_numbers(p, node, 4, "a list of 4 numbers or {axis: [x, y, z], angle: radians}", value) &&
         normalize(p, node, 4, value, "quaternion");
}

/* ---- single values ---- */

static bool read_real(place p, const sn_node *node, double *value) {
  return sn_read_number(p.reader, node, p.field->name, value) &&
         sn_within_limits(p.reader, p.field, node, false, *value);
}

static bool read_int(place p, const sn_node *node, int *value) {
  double number;
  if (!read_real(p, node, &number)) return false;
  if (number != floor(number) || fabs(number) > 2147483647.0) {
    sn_node_error(p.reader, node, NULL, "expected an integer for '%s', found %.10g", p.field->name, number);
    return false;
  }
  *value = (int)number;
  return true;
}

static bool read_grid(place p, const sn_node *node, int value[2]) {
  if (node->type != SN_SEQUENCE || node->count != 2) return fail_type(p, node, "a list of 2 integers");
  return read_int(p, node->item[0], &value[0]) && read_int(p, node->item[1], &value[1]);
}

static bool read_bool(place p, const sn_node *node, bool *value) {
  if (node->type == SN_SCALAR) {
    *value = strcmp(node->text, "true") == 0;
    if (*value || strcmp(node->text, "false") == 0) return true;
  }
  return fail_type(p, node, "true or false");
}

static bool read_text(place p, const sn_node *node, const char **value) {
  if (node->type != SN_SCALAR) return fail_type(p, node, "a text");
  for (const char *at = node->text; *at;) { /* it will be printed */
    uint32_t code;
    at += sn_utf8_step(at, strlen(at), &code);
    if (sn_is_control(code) && code != '\n' && code != '\t') {
      sn_node_error(p.reader, node, NULL, "'%s' contains the control character 0x%02X", p.field->name, (unsigned)code);
      return false;
    }
  }
  *value = node->text;
  return true;
}

enum { most_choices = 32 };

/* The names in "a|b|c". */
static int split_choices(sn_arena *arena, const char *choices, const char *names[most_choices]) {
  int count = 0;
  while (count < most_choices) {
    size_t length = strcspn(choices, "|");
    names[count++] = sn_copy_text(arena, choices, length);
    if (!choices[length]) break;
    choices += length + 1;
  }
  return count;
}

static bool read_choice(place p, const sn_node *node, int *value) {
  const char *names[most_choices];
  int count = split_choices(p.reader->arena, p.field->choices, names);
  const char *list = sn_join(p.reader->arena, names, count, "", "");
  if (node->type != SN_SCALAR || sn_is_nothing(node))
    return fail_type(p, node, sn_format(p.reader->arena, "one of %s", list));
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], node->text) == 0) {
      *value = i;
      return true;
    }
  sn_node_error(p.reader, node, sn_suggest(p.reader->arena, node->text, names, count), "'%s' cannot be %s",
                p.field->name, sn_found(p.reader, node));
  return false;
}

/* ---- functions of time ---- */

static bool read_function(place p, const sn_node *node, const sn_expr **value) {
  *value = sn_read_function(p.reader, node, p.field->name, NULL);
  return *value != NULL;
}

static bool read_profile(place p, const sn_node *node, const sn_expr **value) {
  *value = sn_read_function(p.reader, node, p.field->name, "s");
  return *value != NULL;
}

static bool read_function3(place p, const sn_node *node, const sn_expr *value[3]) {
  const char *wanted = "a list of 3 functions of t";
  if (node->type != SN_SEQUENCE) return fail_type(p, node, wanted);
  if (node->count != 3) {
    sn_node_error(p.reader, node, comma_hint(node), "expected %s for '%s', found a list of %d", wanted, p.field->name,
                  node->count);
    return false;
  }
  bool good = true;
  for (int i = 0; i < 3; i++) good &= read_function(p, node->item[i], &value[i]);
  return good;
}

/* ---- references and nested kinds ---- */

static bool read_spec_name(place p, sn_category category, const sn_node *node, const sn_spec **spec) {
  const sn_entry *entry;
  if (!sn_read_reference(p.reader, category, node, &entry)) return false;
  *spec = entry->spec;
  return *spec != NULL; /* a wrong entry was reported where it stands */
}

static bool read_name(place p, sn_category category, const sn_node *node, const char **name) {
  const sn_entry *entry;
  if (!sn_read_reference(p.reader, category, node, &entry)) return false;
  *name = entry->name;
  return true;
}

static bool read_name_list(place p, sn_category category, const sn_node *node, sn_names *names) {
  if (node->type != SN_SEQUENCE || node->count == 0)
    return fail_type(p, node, category == SN_BODIES ? "a list of bodies" : "a list of surfaces");
  const char **name = SN_NEW(p.reader->arena, const char *, node->count);
  bool good = true;
  for (int i = 0; i < node->count && !sn_reader_full(p.reader); i++)
    good &= read_name(p, category, node->item[i], &name[i]);
  *names = (sn_names){node->count, name};
  return good;
}

static bool read_nested(place p, sn_category category, const sn_node *node, const sn_spec **spec) {
  *spec = sn_read_spec(p.reader, category, "", node, node);
  return *spec != NULL;
}

bool sn_read_value(sn_reader *reader, const sn_field *field, const sn_node *node, void *at) {
  place p = {reader, field};
  switch (field->type) {
    case SN_REAL:
      return read_real(p, node, at);
    case SN_FUNCTION:
      return read_function(p, node, at);
    case SN_INT:
      return read_int(p, node, at);
    case SN_BOOL:
      return read_bool(p, node, at);
    case SN_TEXT:
      return read_text(p, node, at);
    case SN_CHOICE:
      return read_choice(p, node, at);
    case SN_VECTOR:
      return read_vector(p, node, at);
    case SN_FUNCTION3:
      return read_function3(p, node, at);
    case SN_PROFILE:
      return read_profile(p, node, at);
    case SN_ROTATION:
      return read_rotation(p, node, at);
    case SN_INERTIA:
      return read_inertia(p, node, at);
    case SN_POINTS:
      return read_points(p, node, at);
    case SN_POINT_MAP:
      return read_point_map(p, node, at);
    case SN_MARKER:
      return sn_read_marker(reader, node, at);
    case SN_MARKERS:
      return sn_read_markers(reader, field, node, at);
    case SN_MATERIAL:
      return read_spec_name(p, SN_MATERIALS, node, at);
    case SN_SECTION:
      return read_spec_name(p, SN_SECTIONS, node, at);
    case SN_SHAPE:
      return read_nested(p, SN_SHAPES, node, at);
    case SN_INTEGRATOR_SPEC:
      return read_nested(p, SN_INTEGRATORS, node, at);
    case SN_JOINT_NAME:
      return read_name(p, SN_JOINTS, node, at);
    case SN_FORCE_NAME:
      return read_name(p, SN_FORCES, node, at);
    case SN_GRID:
      return read_grid(p, node, at);
    case SN_COORDINATES:
      return sn_read_coordinates(reader, field, node, at);
    case SN_REALS:
      return read_reals(p, node, at);
    case SN_SURFACE_NAMES:
      return read_name_list(p, SN_SURFACES, node, at);
    case SN_BODY_NAMES:
      return read_name_list(p, SN_BODIES, node, at);
    case SN_BODY_COORDINATES:
      return sn_read_body_coordinates(reader, field, node, at);
  }
  return false;
}
