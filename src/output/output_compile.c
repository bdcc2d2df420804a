/* output_compile.c - from what the user asked for to columns, units and probes. */
#include "force/forces.h"
#include "joint/relation.h"
#include "output/outputs.h"

typedef struct columns {
  int count;
  const char *const *name, *const *unit;
} columns;

#define COLUMNS(names, units)          \
  (columns) {                          \
    (int)SN_COUNT(names), names, units \
  }

static const char *const point_names[] = {"x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az"};
static const char *const point_units[] = {"m", "m", "m", "m/s", "m/s", "m/s", "m/s2", "m/s2", "m/s2"};
static const char *const reaction_names[] = {"fx", "fy", "fz", "mx", "my", "mz"};
static const char *const reaction_units[] = {"N", "N", "N", "N m", "N m", "N m"};
static const char *const point2_names[] = {"x", "y", "vx", "vy", "ax", "ay"};
static const char *const point2_units[] = {"m", "m", "m/s", "m/s", "m/s2", "m/s2"};
static const char *const reaction2_names[] = {"fx", "fy", "mz"};
static const char *const reaction2_units[] = {"N", "N", "N m"};
static const char *const spring_names[] = {"length", "force"};
static const char *const spring_units[] = {"m", "N"};
static const char *const torsion_names[] = {"angle", "moment"};
static const char *const torsion_units[] = {"rad", "N m"};
static const char *const joint_names[] = {"angle", "angle_rate", "travel", "travel_rate"};
static const char *const joint_units[] = {"rad", "rad/s", "m", "m/s"};

static const char *const contact_names[] = {"fx", "fy", "fz", "contacts", "penetration"};
static const char *const contact_units[] = {"N", "N", "N", "", "m"};
static const char *const contact2_names[] = {"fx", "fy", "contacts", "penetration"};
static const char *const contact2_units[] = {"N", "N", "", "m"};

static void take(sn_output *out, columns c) {
  out->columns = c.count;
  out->column = c.name;
  out->unit = c.unit;
}

static void compile_point(sn_compiler *c, const sn_output_spec *spec, sn_output *out) {
  bool planar = c->model->dim == 2;
  out->type = SN_OUTPUT_POINT;
  take(out, planar ? COLUMNS(point2_names, point2_units) : COLUMNS(point_names, point_units));
  if (sn_resolve(c, &spec->point, &out->marker)) sn_marker_point(&out->marker, &out->probe[0]);
}

/* The frame of a joint is carried by its first body with a frame; where none has one it stays as it was. */
static void compile_reaction(sn_compiler *c, const sn_output_spec *spec, sn_output *out) {
  bool planar = c->model->dim == 2;
  const sn_joint *joint = sn_find_joint(c->model, spec->reaction);
  out->type = SN_OUTPUT_REACTION;
  take(out, planar ? COLUMNS(reaction2_names, reaction2_units) : COLUMNS(reaction_names, reaction_units));
  if (!joint) return;
  if (!joint->marker[1].body) {
    sn_field_error(&c->reader, &spec->spec, "reaction", "another joint", "joint '%s' has no reaction", joint->name);
    return;
  }
  out->joint = (int)(joint - c->model->joint);
  out->local = spec->frame == 1;
  const sn_marker *carrier = joint->marker[0].has_frame   ? &joint->marker[0]
                             : joint->marker[1].has_frame ? &joint->marker[1]
                                                          : NULL;
  for (int k = 0; k < 3; k++) {
    if (carrier)
      carrier->body->ops->direction(carrier, joint->frame[k], &out->probe[k]);
    else
      sn_constant_probe(joint->frame[k], &out->probe[k]);
  }
}

static void compile_spring(sn_compiler *c, const sn_output_spec *spec, sn_output *out) {
  out->type = SN_OUTPUT_SPRING;
  out->spring = sn_find_spring(c->model, spec->spring);
  out->torsion = sn_find_coordinate_spring(c->model, spec->spring);
  const sn_spec *force = sn_find(c->model->document, SN_FORCES, spec->spring);
  if (!out->spring && (!out->torsion || force->kind != &sn_torsion_spring.kind))
    sn_field_error(&c->reader, &spec->spec, "spring", "a force of type spring or torsion-spring",
                   "force '%s' is not a spring", spec->spring);
  take(out, out->spring ? COLUMNS(spring_names, spring_units) : COLUMNS(torsion_names, torsion_units));
}

static void compile_joint(sn_compiler *c, const sn_output_spec *spec, sn_output *out) {
  const sn_joint *joint = sn_find_joint(c->model, spec->joint);
  out->type = SN_OUTPUT_JOINT;
  if (!joint) return;
  bool rotation = joint->has_rotation, translation = joint->has_translation;
  sn_coordinate *x = SN_NEW(c->arena, sn_coordinate, 2);
  out->coordinate = x;
  if (!rotation && !translation) { /* says which joints have one */
    sn_joint_coordinate(c, joint, SN_ANY_COORDINATE, spec->spec.node, x);
    return;
  }
  if (rotation) sn_joint_coordinate(c, joint, SN_ROTATION_COORDINATE, spec->spec.node, x++);
  if (translation) sn_joint_coordinate(c, joint, SN_TRANSLATION_COORDINATE, spec->spec.node, x);
  out->columns = 2 * (rotation + translation);
  out->column = joint_names + (rotation ? 0 : 2);
  out->unit = joint_units + (rotation ? 0 : 2);
}

static void compile_resultant(sn_compiler *c, const sn_output_spec *spec, sn_output *out) {
  out->type = SN_OUTPUT_RESULTANT;
  if (!sn_resolve(c, &spec->resultant, &out->marker)) return;
  const sn_body_ops *ops = out->marker.body->ops;
  if (!ops->resultants) {
    sn_field_error(&c->reader, &spec->spec, "resultant", "a point of a flexible body",
                   "%s '%s' has no stress resultants", ops->kind.name, out->marker.body->name);
    return;
  }
  take(out, (columns){ops->resultant_columns, ops->resultant_column, ops->resultant_unit});
}

static void compile_contact(sn_compiler *c, const sn_output_spec *spec, sn_output *out) {
  const sn_names *names = &spec->contact;
  out->type = SN_OUTPUT_CONTACT;
  take(out, c->model->dim == 2 ? COLUMNS(contact2_names, contact2_units) : COLUMNS(contact_names, contact_units));
  /* surfaces that are wrong have been told of */
  if (names->count > 2 || (!c->model->surfaces && c->reader.errors == 0))
    sn_field_error(
        &c->reader, &spec->spec, "contact", names->count > 2 ? "one or two bodies" : "'surfaces' and 'contacts'",
        names->count > 2 ? "output '%s' names more than two bodies" : "output '%s': nothing in this model can touch",
        spec->spec.name);
  for (int k = 0; k < 2; k++) {
    const sn_body *body = k < names->count ? sn_find_body(c, names->name[k]) : NULL;
    out->body[k] = body ? (int)(body - c->model->body) : -1;
  }
}

static void compile_output(sn_compiler *c, const sn_output_spec *spec, sn_output *out) {
  *out = (sn_output){.name = spec->spec.name, .joint = -1};
  if (sn_given(spec, "point"))
    compile_point(c, spec, out);
  else if (sn_given(spec, "reaction"))
    compile_reaction(c, spec, out);
  else if (sn_given(spec, "spring"))
    compile_spring(c, spec, out);
  else if (sn_given(spec, "joint"))
    compile_joint(c, spec, out);
  else if (sn_given(spec, "resultant"))
    compile_resultant(c, spec, out);
  else
    compile_contact(c, spec, out);
}

void sn_compile_outputs(sn_compiler *c) {
  const sn_list *list = &c->model->document->list[SN_OUTPUTS];
  c->model->output = SN_NEW(c->arena, sn_output, list->count);
  c->model->outputs = list->count;
  for (int i = 0; i < list->count; i++)
    compile_output(c, (const sn_output_spec *)(const void *)list->item[i], &c->model->output[i]);
}
