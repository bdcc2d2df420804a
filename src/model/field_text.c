/* field_text.c - fields in words. */
#include "model/field_text.h"

#include <string.h>

#include "model/model.h"
#include "model/registry.h"

static const char *const type_words[] = {
    [SN_REAL] = "number",
    [SN_FUNCTION] = "function of t",
    [SN_INT] = "integer",
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
    [SN_GRID] = "[nx, ny], integers",
    [SN_COORDINATES] = "list of joint, joint.rotation or joint.translation",
    [SN_REALS] = "list of numbers",
    [SN_SURFACE_NAMES] = "list of surfaces",
    [SN_BODY_NAMES] = "list of bodies",
    [SN_BODY_COORDINATES] = "list of body, body.position or body.rotation",
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

sn_phrase sn_points_phrase(const sn_kind *kind) {
  sn_phrase phrase = {""};
  if (kind->category != SN_BODIES) return phrase;
  const char *landmarks = ((const sn_body_ops *)(const void *)kind)->landmarks;
  bool named = sn_field_index(kind, "points") >= 0;
  snprintf(phrase.text, sizeof phrase.text, "%s%s%s", landmarks ? landmarks : "", landmarks && named ? ", " : "",
           named ? "at(x, y, z) in body axes, and those named in `points`" : "");
  return phrase;
}
