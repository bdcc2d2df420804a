/* output_joint.c - angle and travel of a joint from the start, with their rates. */
#include "joint/relation.h"
#include "output/outputs.h"

static const char *const joint_names[] = {"angle", "angle_rate", "travel", "travel_rate"};
static const char *const joint_units[] = {"rad", "rad/s", "m", "m/s"};

static void joint_compile(sn_compiler *c, const sn_output_spec *spec, sn_output *out) {
  const sn_joint *joint = sn_find_joint(c->model, spec->joint);
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

static void joint_fill(const sn_model *m, const sn_output *o, const sn_eval *ev, const sn_touching *touching,
                       sn_output_memory *memory, double *y) {
  (void)m;
  (void)touching;
  for (int k = 0; 2 * k < o->columns; k++) {
    const sn_coordinate *x = &o->coordinate[k];
    sn_phi phi;
    sn_phi_at(x, ev->q, &phi);
    y[2 * k + 1] = sn_phi_rate(x, &phi, ev->q, ev->v);
    y[2 * k] = x->type == SN_PHI_ANGLE ? sn_output_unwrap(memory, ev->t, phi.value, y[2 * k + 1]) : phi.value;
  }
}

/* Angles, so that no turn is missed between samples. */
static void joint_follow(const sn_output *o, const sn_eval *ev, sn_output_memory *memory) {
  double y[4];
  if (o->coordinate[0].type == SN_PHI_ANGLE) joint_fill(NULL, o, ev, NULL, memory, y);
}

const sn_output_ops sn_output_joint = {
    .about = "coordinates of ", .compile = joint_compile, .fill = joint_fill, .follow = joint_follow};
