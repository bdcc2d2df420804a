/* joint.c - what the joint kinds share when they compile. */
#include "joint/joints.h"
#include "joint/primitive.h"
#include "math/vec3.h"
#include "model/compile.h"

/* A cable or a plate may close a loop. */
static bool two_bodies(sn_compiler *c, const sn_joint *joint) {
  const sn_marker *m = joint->marker;
  if (m[0].body != m[1].body || m[0].has_tangent || m[0].has_plane) return true;
  sn_field_error(&c->reader, joint->spec, "between", "two different bodies", "%s '%s' joins '%s' to itself",
                 joint->spec->kind->name, joint->name, m[0].body->name);
  return false;
}

bool sn_joint_markers(sn_compiler *c, sn_joint *joint) {
  const sn_joint_spec *spec = (const sn_joint_spec *)(const void *)joint->spec;
  return sn_resolve_pair(c, spec->between, joint->marker) && two_bodies(c, joint);
}

int sn_joint_points(sn_compiler *c, sn_joint *joint) {
  const sn_joint_spec *spec = (const sn_joint_spec *)(const void *)joint->spec;
  const sn_marker *m = joint->marker;
  if (!sn_resolve_rows(c, spec->between, joint->marker) || !two_bodies(c, joint)) return 0;
  int a = m[0].points, b = m[1].points, row = a > 1 ? 0 : 1;
  if (a == b) return a;
  if (a > 1 && b > 1) {
    sn_field_error(&c->reader, joint->spec, "between", "edges with the same number of elements",
                   "the edges of %s '%s' have %d and %d nodes", joint->spec->kind->name, joint->name, a, b);
    return 0;
  }
  if (m[1 - row].ref->point || !m[1 - row].body->ops->place) {
    sn_field_error(&c->reader, joint->spec, "between", "a rigid body or the ground without a point, or another edge",
                   "%s '%s' ties a whole edge to one point of '%s'", joint->spec->kind->name, joint->name,
                   m[1 - row].body->name);
    return 0;
  }
  return m[row].points;
}

/* Do two edges run against each other? Then the first node of one starts nearer to the last of the other. */
static bool opposed(const sn_compiler *c, const sn_marker m[2]) {
  sn_marker end[3];
  double near[3], far[3];
  m[0].body->ops->pick(c, &m[0], 0, &end[0]);
  m[1].body->ops->pick(c, &m[1], 0, &end[1]);
  m[1].body->ops->pick(c, &m[1], m[1].points - 1, &end[2]);
  sn_sub(near, end[1].position, end[0].position);
  sn_sub(far, end[2].position, end[0].position);
  return sn_norm(far) < sn_norm(near);
}

void sn_joint_pair(const sn_compiler *c, const sn_joint *joint, int k, sn_marker pair[2]) {
  const sn_marker *m = joint->marker;
  bool reverse = m[0].points > 1 && m[1].points > 1 && opposed(c, m);
  for (int i = 0; i < 2; i++) {
    pair[i] = m[i];
    if (m[i].points > 1) m[i].body->ops->pick(c, &m[i], i && reverse ? m[i].points - 1 - k : k, &pair[i]);
  }
  for (int i = 0; i < 2; i++)
    if (m[i].points == 1 && m[1 - i].points > 1) sn_marker_at(m[i].body, pair[1 - i].position, &pair[i]);
}

void sn_joint_tie_slope(sn_compiler *c, const sn_joint *joint, int row, const sn_marker pair[2], int side, int k) {
  const sn_marker *plane = &pair[side], *other = &pair[1 - side];
  sn_probe t, d;
  plane->body->ops->slope(plane, k, &t);
  other->body->ops->direction(other, plane->slope[k], &d);
  sn_add_coincident(c, joint, row, side ? &d : &t, side ? &t : &d, false);
}

bool sn_joint_axis(sn_compiler *c, const sn_joint *joint, const double given[3], double axis[3]) {
  sn_copy(axis, given);
  if (sn_normalize(axis) > 0) return true;
  sn_field_error(&c->reader, joint->spec, "axis", "a direction", "the axis of %s '%s' has no length",
                 joint->spec->kind->name, joint->name);
  return false;
}
