/* field_text.c - fields in words. */
#include "model/field_text.h"

#include <math.h>
#include <string.h>

#include "model/registry.h"

static const char *const type_words[] = {
    [SN_REAL] = "number",
    [SN_FUNCTION] = "function of t",
    [SN_INT] = "whole number",
    [SN_BOOL] = "true or false",
    [SN_TEXT] = "text",
    [SN_CHOICE] = "",
    [SN_VECTOR] = "[x, y, z]",
    [SN_FUNCTION3] = "[f(t), f(t), f(t)]",
    [SN_PROFILE] = "function of s",
    [SN_ROTATION] = "rotation",
    [SN_INERTIA] = "3 or 6 numbers",
    [SN_POINTS] = "list of points",
    [SN_POINT_MAP] = "named points",
    [SN_MARKER] = "marker",
    [SN_MARKERS] = "[marker, marker]",
    [SN_MATERIAL] = "name of a material",
    [SN_SECTION] = "name of a section",
    [SN_SHAPE] = "shape",
    [SN_INTEGRATOR_SPEC] = "integrator",
    [SN_JOINT_NAME] = "name of a joint",
    [SN_FORCE_NAME] = "name of a force",
    [SN_GRID] = "[nx, ny], whole numbers",
    [SN_COORDINATES] = "list of joint, joint.rotation or joint.translation",
    [SN_REALS] = "list of numbers",
    [SN_SURFACE_NAMES] = "list of surfaces",
    [SN_BODY_NAMES] = "list of bodies",
    [SN_BODY_PARTS] = "list of body, body.position or body.rotation",
};

sn_phrase sn_type_phrase(const sn_field *field) {
  sn_phrase phrase = {""};
  if (field->type != SN_CHOICE) {
    snprintf(phrase.text, sizeof phrase.text, "%s", type_words[field->type]);
    return phrase;
  }
  size_t used = 0;
  for (const char *c = field->choices; *c && used + 8 < sizeof phrase.text; c++) {
    if (*c != '|') {
      phrase.text[used++] = *c;
      continue;
    }
    const char *joint = strchr(c + 1, '|') ? ", " : " or ";
    memcpy(phrase.text + used, joint, strlen(joint));
    used += strlen(joint);
  }
  return phrase;
}

sn_phrase sn_range_phrase(const sn_field *field) {
  const sn_limits *l = &field->limits;
  sn_phrase phrase = {""};
  if (l->has_low && l->has_high && !l->low_open && !l->high_open)
    snprintf(phrase.text, sizeof phrase.text, "%.10g to %.10g", l->low, l->high);
  else if (l->has_low && l->has_high)
    snprintf(phrase.text, sizeof phrase.text, "%s %.10g, %s %.10g", l->low_open ? ">" : ">=", l->low,
             l->high_open ? "<" : "<=", l->high);
  else if (l->has_low)
    snprintf(phrase.text, sizeof phrase.text, "%s %.10g", l->low_open ? ">" : ">=", l->low);
  else if (l->has_high)
    snprintf(phrase.text, sizeof phrase.text, "%s %.10g", l->high_open ? "<" : "<=", l->high);
  return phrase;
}

/* ---- examples ---- */

/* A plain number within the limits. */
static double number_within(const sn_limits *l) {
  if (l->has_low && l->has_high) return l->low < 1 && l->high > 1 ? 1 : (l->low + l->high) / 2;
  if (l->has_low) return l->low < 1 ? 1 : l->low + 1;
  if (l->has_high) return l->high > 1 ? 1 : l->high - 1;
  return 1;
}

bool sn_example_of(const sn_field *field, sn_phrase *example) {
  static const char *const values[] = {
      [SN_FUNCTION] = "sin(t)",
      [SN_BOOL] = "true",
      [SN_TEXT] = "text",
      [SN_VECTOR] = "[1, 0, 0]",
      [SN_FUNCTION3] = "[sin(t), 0, 0]",
      [SN_PROFILE] = "1 - s",
      [SN_ROTATION] = "{axis: [0, 0, 1], angle: pi/2}",
      [SN_INERTIA] = "[1, 1, 1]",
      [SN_POINTS] = "[[0, 0, 0], [1, 0, 0]]",
      [SN_POINT_MAP] = "{tip: [1, 0, 0]}",
      [SN_MARKER] = "my_body",
      [SN_MARKERS] = "[ground, my_body]",
      [SN_MATERIAL] = "my_material",
      [SN_SECTION] = "my_section",
      [SN_SHAPE] = "{type: sphere, radius: 1}",
      [SN_INTEGRATOR_SPEC] = "hht-i3",
      [SN_JOINT_NAME] = "my_joint",
      [SN_FORCE_NAME] = "my_force",
      [SN_GRID] = "[8, 8]",
      [SN_COORDINATES] = "[my_hinge, my_other_hinge]",
      [SN_REALS] = "[0, 1, 2]",
      [SN_SURFACE_NAMES] = "[my_surface, my_other_surface]",
      [SN_BODY_NAMES] = "[my_body, ground]",
      [SN_BODY_PARTS] = "[my_body.rotation]",
  };
  if (!field->required && !field->example) return false;
  double x = number_within(&field->limits);
  const char *value = field->example;
  if (!value && field->type < SN_COUNT(values)) value = values[field->type];
  if (value && !(field->type == SN_VECTOR && field->limits.has_low && !field->example))
    snprintf(example->text, sizeof example->text, "%s", value);
  else if (field->type == SN_VECTOR)
    snprintf(example->text, sizeof example->text, "[%.10g, %.10g, %.10g]", x, x, x);
  else if (field->type == SN_CHOICE)
    snprintf(example->text, sizeof example->text, "%.*s", (int)strcspn(field->choices, "|"), field->choices);
  else
    snprintf(example->text, sizeof example->text, "%.10g", field->type == SN_INT ? floor(x) : x);
  return true;
}

void sn_write_example(FILE *out, const sn_kind *kind, int indent) {
  bool listed = sn_is_listed(kind->category), typed = sn_unnamed_kind(kind->category) != kind;
  fprintf(out, "%*s%s:\n", indent, "", listed ? sn_category_key(kind->category) : sn_category_noun(kind->category));
  indent += 2;
  if (listed) {
    bool ground = strcmp(kind->name, "ground") == 0;
    fprintf(out, "%*s%s%s:\n", indent, "", ground ? "" : "my_", ground ? kind->name : sn_category_noun(kind->category));
    indent += 2;
  }
  if (typed) fprintf(out, "%*stype: %s\n", indent, "", kind->name);
  sn_phrase value;
  for (const sn_field *field = kind->fields; field->name; field++)
    if (sn_example_of(field, &value)) fprintf(out, "%*s%s: %s\n", indent, "", field->name, value.text);
}
