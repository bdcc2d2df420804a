/* joint.c - what the joint kinds share when they compile. */
#include "joint/joints.h"
#include "math/vec3.h"
#include "model/compile.h"

bool sn_joint_markers(sn_compiler *c, sn_joint *joint) {
  const sn_joint_spec *spec = (const sn_joint_spec *)(const void *)joint->spec;
  if (!sn_resolve_pair(c, spec->between, joint->marker)) return false;
  if (joint->marker[0].body == joint->marker[1].body && !joint->marker[0].has_tangent) { /* a cable may close a loop */
    sn_field_error(&c->reader, joint->spec, "between", "two different bodies", "%s '%s' joins '%s' to itself",
                   joint->spec->kind->name, joint->name, joint->marker[0].body->name);
    return false;
  }
  return true;
}

bool sn_joint_axis(sn_compiler *c, const sn_joint *joint, const double given[3], double axis[3]) {
  sn_copy(axis, given);
  if (sn_normalize(axis) > 0) return true;
  sn_field_error(&c->reader, joint->spec, "axis", "a direction", "the axis of %s '%s' has no length",
                 joint->spec->kind->name, joint->name);
  return false;
}
