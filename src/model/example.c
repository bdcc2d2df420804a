/* example.c - an example of every kind, and a whole model around it that runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/field_type.h"
#include "model/registry.h"

bool sn_example_of(const sn_field *field, sn_phrase *example) {
  const sn_type_ops *type = sn_types[field->type];
  if (!field->required && !field->example) return false;
  if (!field->example && type->put_example)
    type->put_example(field, example);
  else
    snprintf(example->text, sizeof example->text, "%s", field->example ? field->example : type->example);
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

/* ---- a whole model around an example ----
 * What the examples speak of, each entry in one line. A model takes those that its example names, and those that they
 * name. */

static const struct {
  sn_category category;
  const char *name, *text;
} around[] = {
    {SN_MATERIALS, "my_material", "{density: 1000, young: 3e9}"},
    {SN_SECTIONS, "my_section", "{type: rectangle, width: 0.04, height: 0.04}"},
    {SN_BODIES, "my_body",
     "{type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 1, shape: {type: box, size: [1, 0.1, 0.1]}}"},
    {SN_BODIES, "my_other_body",
     "{type: rigid, from: [1, 1, 0], to: [2, 1, 0], mass: 1, shape: {type: box, size: [1, 0.1, 0.1]}}"},
    {SN_BODIES, "my_cable",
     "{type: cable, from: [0, 0, 0], to: [1, 0, 0], material: my_material, section: my_section}"},
    {SN_BODIES, "my_plate",
     "{type: plate, along: [1, 0, 0], across: [0, 0, -1], elements: [4, 4], thickness: 0.01, material: my_material}"},
    {SN_JOINTS, "my_hinge", "{type: revolute, between: [ground, my_body.start]}"},
    {SN_JOINTS, "my_other_hinge", "{type: revolute, between: [ground, my_other_body.start]}"},
    {SN_JOINTS, "my_slider", "{type: prismatic, between: [ground, my_other_body.center], axis: [1, 0, 0]}"},
    {SN_JOINTS, "my_ball", "{type: spherical, between: [ground, my_body.start]}"},
    {SN_JOINTS, "my_pin", "{type: spherical, between: [ground, my_cable.start]}"},
    {SN_JOINTS, "my_corner", "{type: spherical, between: [ground, \"my_body.at(0, 0)\"]}"},
    {SN_JOINTS, "my_rod", "{type: distance, between: [\"ground.at(1, 0, 0)\", my_body]}"},
    {SN_JOINTS, "my_drive", "{type: motion, joint: my_hinge, rotation: 2*pi*t}"},
    {SN_FORCES, "my_force", "{type: spring, between: [\"ground.at(1, 1, 0)\", my_body.end], stiffness: 100}"},
    {SN_FORCES, "my_push", "{type: force, at: my_body.end, force: [0, 10*my_table(t), 0]}"},
    {SN_FORCES, "my_shake", "{type: force, at: my_body.end, force: [0, 5*my_variable, 0]}"},
    {SN_FORCES, "my_motor", "{type: moment, at: my_body.end, moment: [0, 0, my_controller]}"},
    {SN_FORCES, "my_command", "{type: moment, at: my_body.end, moment: [0, 0, my_input]}"},
    {SN_SURFACES, "my_surface", "{type: sphere, on: my_body.end, radius: 0.1}"},
    {SN_SURFACES, "my_other_surface", "{type: plane, on: ground, at: [0, -0.5, 0], normal: [0, 1, 0]}"},
    {SN_SURFACES, "my_tip", "{type: sphere, on: my_body.end, radius: 0.1}"},
    {SN_CONTACTS, "my_touch", "{between: [my_surface, my_tip], stiffness: 1e7}"},
    /* Pulled over the ground that they lie on: they stick, then slide. */
    {SN_FORCES, "my_pull", "{type: force, at: my_cable.end, force: [100*t, 0, 0]}"},
    {SN_SURFACES, "my_floor", "{type: plane, on: ground, at: [0, -0.02, 0], normal: [0, 1, 0]}"},
    {SN_CONTACTS, "my_slide", "{between: [my_surface, my_floor], stiffness: 1e5, damping: 100, friction: 0.1}"},
    {SN_FORCES, "my_haul", "{type: force, at: \"my_plate.at(1, 0.5)\", force: [100*t, 0, 0]}"},
    {SN_SURFACES, "my_bench", "{type: plane, on: ground, at: [0, -0.005, 0], normal: [0, 1, 0]}"},
    {SN_CONTACTS, "my_glide", "{between: [my_surface, my_bench], stiffness: 1e5, damping: 100, friction: 0.1}"},
    {SN_CONTACTS, "my_contact", "{between: [my_surface, my_other_surface], stiffness: 1e7}"},
    {SN_OUTPUTS, "my_output", "{point: my_body.end}"},
};

/* Is the name in the text, not as part of a longer one? */
static bool is_named(const char *text, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
    char next = at[length];
    if (next != '_' && !(next >= 'a' && next <= 'z')) return true;
  }
  return false;
}

enum { AROUND = SN_COUNT(around) };

/* The entry of that name, and what it names itself. */
static void need(bool needed[AROUND], const char *own, const char *text) {
  for (int i = 0; i < AROUND; i++) {
    if (needed[i] || strcmp(around[i].name, own) == 0 || !is_named(text, around[i].name)) continue;
    needed[i] = true;
    need(needed, own, around[i].text);
  }
}

/* Entries of a category, the example among them. */
static void put_category(FILE *out, sn_category category, const bool needed[AROUND], const sn_kind *kind,
                         const char *example) {
  bool any = kind && kind->category == category;
  for (int i = 0; i < AROUND; i++) any |= needed[i] && around[i].category == category;
  if (!any) return;
  fprintf(out, "%s:\n", sn_category_key(category));
  for (int i = 0; i < AROUND; i++)
    if (needed[i] && around[i].category == category) fprintf(out, "  %s: %s\n", around[i].name, around[i].text);
  if (kind && kind->category == category) fputs(strchr(example, '\n') + 1, out); /* without its key */
}

/* What a model has besides what its example names, so that something is seen: bodies swing instead of falling, and what is
 * only a name is used. */
static const char *company(const sn_kind *kind, const char *example) {
  static const char *const of[][2] = {
      {"plate", "my_corner"},          {"point-mass", "my_rod"},    {"ground", "my_hinge"},    {"parallel", "my_ball"},
      {"moment", "my_hinge"},          {"coordinate", "my_ball"},   {"distributed", "my_pin"}, {"drag", "my_pin"},
      {"torsion-spring", "my_hinge"},  {"sliding", "my_pin"},       {"plane", "my_touch"},     {"newmark", "my_drive"},
      {"spheres", "my_slide my_pull"}, {"grid", "my_glide my_haul"}};
  for (size_t i = 0; i < SN_COUNT(of); i++)
    if (strcmp(kind->name, of[i][0]) == 0) return of[i][1];
  switch (kind->category) {
    case SN_MATERIALS:
    case SN_SECTIONS:
      return "my_pin";
    case SN_BODIES:
      return strstr(example, "from:") ? "my_hinge" : "";
    case SN_SURFACES:
      return "my_contact";
    case SN_CONTACTS:
      return "my_surface my_other_surface";
    case SN_TABLES:
      return "my_hinge my_push";
    case SN_VARIABLES:
      return "my_hinge my_shake";
    case SN_CONTROLLERS:
      return "my_hinge my_motor";
    case SN_INPUTS:
      return "my_hinge my_command";
    case SN_SHAPES:
    case SN_OUTPUTS:
    case SN_INTEGRATORS:
      return "my_hinge";
    case SN_ANALYSES:
      return strcmp(kind->name, "kinematics") == 0 ? "my_drive" : "my_hinge my_force"; /* held */
    default:
      return "";
  }
}

void sn_write_model(FILE *out, const sn_kind *kind) {
  bool needed[AROUND] = {false}, listed = sn_is_listed(kind->category);
  char *example = NULL, own[64] = "";
  size_t length;
  FILE *text = open_memstream(&example, &length);
  if (!text) sn_out_of_memory(0);
  sn_write_example(text, kind, 0);
  fclose(text);
  if (listed && strcmp(kind->name, "ground") != 0) snprintf(own, sizeof own, "my_%s", sn_category_noun(kind->category));
  if (kind->category == SN_SHAPES) snprintf(own, sizeof own, "my_body");
  need(needed, own, example);
  need(needed, own, company(kind, example));
  bool body = kind->category == SN_SHAPES || (kind->category == SN_BODIES && strcmp(kind->name, "ground") != 0);
  for (int i = 0; i < AROUND; i++) body |= needed[i] && around[i].category == SN_BODIES;
  if (!body) need(needed, own, "my_body");
  fprintf(out, "sinew: 1\n%sgravity: [0, -9.81, 0]\n", kind->planar_only ? "planar: true\n" : "");
  for (int c = 0; c < SN_CATEGORIES; c++)
    if (sn_is_listed((sn_category)c) && sn_is_key_of(SN_MODEL_FILE, (sn_category)c))
      put_category(out, (sn_category)c, needed, kind, example);
  if (kind->category == SN_SHAPES) {
    fputs("bodies:\n  my_body:\n    type: rigid\n    from: [0, 0, 0]\n    to: [1, 0, 0]\n    mass: 1\n", out);
    sn_write_example(out, kind, 4);
  }
  if (kind->category == SN_ANALYSES && (strcmp(kind->name, "linearize") == 0 || strcmp(kind->name, "modes") == 0)) {
    fprintf(out, "analysis:\n  - type: statics\n  - type: %s\n", kind->name); /* about an equilibrium */
  } else if (kind->category == SN_ANALYSES) {
    fputs(example, out);
  } else {
    fputs("analysis:\n  type: dynamics\n  duration: 0.32\n", out);
    if (kind->category == SN_INTEGRATORS) sn_write_example(out, kind, 2);
  }
  free(example);
}

void sn_write_model_for(FILE *out, const char *output) {
  bool needed[AROUND] = {false};
  need(needed, "", output);
  need(needed, "", "my_body my_contact");
  fputs("sinew: 1\n", out);
  for (int c = 0; c < SN_OUTPUTS; c++)
    if (sn_is_listed((sn_category)c) && sn_is_key_of(SN_MODEL_FILE, (sn_category)c))
      put_category(out, (sn_category)c, needed, NULL, NULL);
  fputs("analysis: {type: dynamics, duration: 0.1}\n", out);
}
