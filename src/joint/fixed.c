/* fixed.c - weld: r_i - r_j = 0 and the orientations stay together. A cable has only its tangent to hold. On an edge
 * of a plate: all its nodes, one by one. */
#include "joint/joints.h"
#include "joint/primitive.h"
#include "math/vec3.h"

typedef struct fixed_spec {
  sn_joint_spec head;
  int slope; /* 0 direction, 1 full */
} fixed_spec;

static const sn_field fixed_fields[] = {
    SN_BETWEEN_FIELD,
    {"slope", SN_CHOICE, SN_AT(fixed_spec, slope), .def = "direction", .choices = "direction|full",
     .help = "cables and plates: fix the direction, or the whole slope vectors (no strain at the clamp); beams: fix "
             "the orientation of the section, or all slope vectors"},
    {0},
};

static void no_orientation(sn_compiler *c, const sn_joint *joint, const sn_marker *m) {
  sn_field_error(&c->reader, joint->spec, "between", "a spherical joint, or 'attach' of a point-mass",
                 "%s '%s' has no orientation to fix", m->body->ops->kind.name, m->body->name);
}

/* Two frames: x_i.y_j = y_i.z_j = z_i.x_j = 0 for axes that agree at the start, whichever they are; in the plane only
 * the first. The section of a beam keeps its right angle, but may grow, and the center line may shear. */
static void fix_frames(sn_compiler *c, sn_joint *joint, const sn_marker m[2], sn_probe r[2]) {
  static const double axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  sn_probe a, b;
  int dim = c->model->dim, turns = dim == 2 ? 1 : 3;
  sn_joint_rows(c, joint, dim + turns);
  sn_add_coincident(c, joint, 0, &r[0], &r[1], true);
  for (int k = 0; k < turns; k++) {
    sn_marker_direction(&m[0], axis[k], &a);
    sn_marker_direction(&m[1], axis[(k + 1) % 3], &b);
    sn_add_dot(c, joint, dim + k, &a, &b, 0);
  }
  for (int i = 0; i < 2; i++) sn_joint_hold(c, joint, i, &m[i]);
}

/* The combination of r_x, r_y, r_z that is `direction` at the start (Cramer's rule; in the plane r_z is global z); of
 * other bodies the direction itself. */
static void strained_direction(const sn_compiler *c, const sn_marker *m, const double direction[3], sn_probe *probe) {
  double F[3][3] = {{0}, {0}, {0, 0, 1}}, cross[3];
  int dim = c->model->dim;
  sn_probe slope[3];
  if (!m->has_slopes) {
    sn_marker_direction(m, direction, probe);
    return;
  }
  for (int k = 0; k < dim; k++) {
    m->body->ops->slope(m, k, &slope[k]);
    slope[k].ops->value(&slope[k], c->q0, F[k]);
  }
  sn_cross(cross, F[1], F[2]);
  double det = sn_dot(F[0], cross);
  *probe = slope[0];
  for (int w = 0; w < SN_PROBE_WEIGHTS; w++) probe->weight[w] = 0;
  for (int k = 0; k < dim; k++) {
    sn_cross(cross, F[(k + 1) % 3], F[(k + 2) % 3]);
    for (int w = 0; w < SN_PROBE_WEIGHTS; w++) probe->weight[w] += sn_dot(direction, cross) / det * slope[k].weight[w];
  }
}

/* The same with all slope vectors of a beam tied: y_i - y_j = 0 for each of them. */
static void fix_slopes(sn_compiler *c, sn_joint *joint, const sn_marker m[2], sn_probe r[2]) {
  const sn_marker *beam = &m[m[0].has_slopes ? 0 : 1];
  sn_probe a[2];
  double y[3];
  int dim = c->model->dim;
  sn_joint_rows(c, joint, dim * (dim + 1));
  sn_add_coincident(c, joint, 0, &r[0], &r[1], true);
  for (int k = 0; k < dim; k++) {
    beam->body->ops->slope(beam, k, &a[0]);
    a[0].ops->value(&a[0], c->q0, y);
    for (int i = 0; i < 2; i++) strained_direction(c, &m[i], y, &a[i]);
    sn_add_coincident(c, joint, dim * (k + 1), &a[0], &a[1], false);
  }
  for (int i = 0; i < 2; i++)
    if (!m[1 - i].has_slopes) sn_joint_held(c, &m[i]); /* two beams may still shear together */
}

/* A frame and a line: the tangent stays normal to two directions of the frame; with slope: full its component along
 * the third stays 1 too. */
static void fix_line(sn_compiler *c, sn_joint *joint, const sn_marker m[2], int base, bool full, sn_probe r[2]) {
  const sn_marker *frame = &m[base], *line = &m[1 - base];
  double direction[3][3];
  sn_probe a, b;
  int dim = c->model->dim, skip = dim == 2 ? 1 : 0; /* in the plane one normal is enough */
  sn_copy(direction[2], line->tangent);
  sn_frame(direction[2], direction[0], direction[1]);
  if (skip) {
    double z[3] = {0, 0, 1};
    sn_cross(direction[1], z, line->tangent);
  }
  sn_joint_rows(c, joint, dim + (full ? 3 : 2) - skip);
  sn_add_coincident(c, joint, 0, &r[0], &r[1], true);
  line->body->ops->tangent(line, &b);
  for (int k = skip; k < (full ? 3 : 2); k++) {
    sn_marker_direction(frame, direction[k], &a);
    sn_add_dot(c, joint, dim + k - skip, base ? &b : &a, base ? &a : &b, k == 2);
  }
}

/* A frame and a surface with slopes t (along the edge, where there is one) and u. With e1 = t/|t|, e3 normal to both at
 * the start and e2 = e3 x e1, the tangent plane and its turn in itself are held by
 *   a point  t.e2 = t.e3 = 0 and u.e3 = 0: strain stays free
 *   an edge  t whole, u.e3 = 0: the edge is one line with the other body, strain across it stays free
 * and slope: full holds t and u whole. */
static void fix_plane(sn_compiler *c, sn_joint *joint, const sn_marker m[2], int base, bool full, sn_probe r[2]) {
  const sn_marker *frame = &m[base], *plane = &m[1 - base];
  double e[3][3];
  int t = plane->along & 1;
  bool edge = joint->marker[1 - base].points > 1, whole[2] = {full || edge, full || plane->along > 1};
  sn_copy(e[0], plane->slope[t]);
  sn_normalize(e[0]);
  sn_cross(e[2], e[0], plane->slope[1 - t]);
  sn_normalize(e[2]);
  sn_cross(e[1], e[2], e[0]);
  sn_joint_rows(c, joint, 3 + (whole[0] ? 3 : 2) + (whole[1] ? 3 : 1));
  sn_add_coincident(c, joint, 0, &r[0], &r[1], true);
  for (int s = 0, row = 3; s < 2; s++) {
    int k = s ? 1 - t : t;
    if (whole[s]) {
      sn_joint_tie_slope(c, joint, row, m, 1 - base, k);
      row += 3;
      continue;
    }
    for (int d = 1 + s; d < 3; d++) {
      sn_probe a, b;
      sn_marker_direction(frame, e[d], &a);
      plane->body->ops->slope(plane, k, &b);
      sn_add_dot(c, joint, row++, base ? &b : &a, base ? &a : &b, 0);
    }
  }
}

static void fix_pair(sn_compiler *c, sn_joint *joint, const sn_marker m[2]) {
  const fixed_spec *spec = (const fixed_spec *)(const void *)joint->spec;
  sn_probe r[2], slope[2];
  for (int i = 0; i < 2; i++) {
    if (!m[i].has_frame && !m[i].has_tangent) {
      no_orientation(c, joint, &m[i]);
      return;
    }
    sn_marker_point(&m[i], &r[i]);
  }
  bool full = spec->slope == 1, beam = m[0].has_slopes || m[1].has_slopes;
  if (m[0].has_frame && m[1].has_plane) {
    fix_plane(c, joint, m, 0, full, r);
  } else if (m[1].has_frame && m[0].has_plane) {
    fix_plane(c, joint, m, 1, full, r);
  } else if (full && beam && m[0].has_frame && m[1].has_frame) {
    fix_slopes(c, joint, m, r);
  } else if (m[0].has_frame && m[1].has_frame) {
    fix_frames(c, joint, m, r);
  } else if (m[0].has_frame || m[1].has_frame) {
    fix_line(c, joint, m, m[0].has_frame ? 0 : 1, full, r);
  } else if (sn_dot(m[0].tangent, m[1].tangent) > 1 - 1e-9) { /* two lines: one smooth line */
    for (int i = 0; i < 2; i++) m[i].body->ops->tangent(&m[i], &slope[i]);
    sn_joint_rows(c, joint, 2 * c->model->dim);
    sn_add_coincident(c, joint, 0, &r[0], &r[1], true);
    sn_add_coincident(c, joint, c->model->dim, &slope[0], &slope[1], false);
  } else if (sn_dot(m[0].tangent, m[1].tangent) < -1 + 1e-9) {
    sn_field_error(&c->reader, joint->spec, "between",
                   "the end of one cable and the start of the other, from and to of one exchanged, or a rigid body "
                   "between them",
                   "fixed '%s' connects two cables that run against each other", joint->name);
  } else {
    sn_field_error(&c->reader, joint->spec, "between", "collinear cables, or a rigid body between them",
                   "fixed '%s' connects two cables at an angle", joint->name);
  }
}

static void fixed_compile(sn_compiler *c, sn_joint *joint) {
  sn_marker pair[2];
  int points = sn_joint_points(c, joint);
  for (int k = 0; k < points && !c->reader.errors; k++) {
    sn_joint_pair(c, joint, k, pair);
    fix_pair(c, joint, pair);
  }
}

const sn_joint_ops sn_fixed = {
    .kind = {.name = "fixed",
             .category = SN_JOINTS,
             .summary = "rigid connection of position and orientation",
             .fields = fixed_fields,
             .spec_size = sizeof(fixed_spec)},
    .compile = fixed_compile,
};
