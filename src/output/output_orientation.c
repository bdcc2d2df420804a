/* output_orientation.c - orientation, angular velocity and angular acceleration of the frame of a marker.
 *
 * Against the global axes, or as seen in the axes of the marker `relative_to`. Unit quaternion with e0 >= 0, rotation
 * vector of a length up to pi, Euler angles: all are functions of the present orientation (math/rotation.h). In planar
 * models the angle counts turns.
 */
#include <string.h>

#include "math/rotation.h"
#include "output/moving_frame.h"
#include "output/outputs.h"

static const char *const names[] = {"e0",         "e1",      "e2",      "e3",      "rotation_x", "rotation_y",
                                    "rotation_z", "euler_1", "euler_2", "euler_3", "omega_x",    "omega_y",
                                    "omega_z",    "alpha_x", "alpha_y", "alpha_z"};
static const char *const units[] = {"1",   "1",   "1",     "1",     "rad",   "rad",    "rad",    "rad",
                                    "rad", "rad", "rad/s", "rad/s", "rad/s", "rad/s2", "rad/s2", "rad/s2"};
static const char *const names2[] = {"angle", "omega", "alpha"};
static const char *const units2[] = {"rad", "rad/s", "rad/s2"};

/* The word of `sequence` as axes */
static void axes_of(const char *word, int axes[3]) {
  for (int k = 0; k < 3; k++) axes[k] = word[k] - 'x';
}

static void orientation_compile(sn_compiler *c, const sn_output_spec *spec, sn_output *out) {
  const sn_marker_ref *ref[2] = {&spec->orientation, &spec->relative_to};
  static const char *const key[2] = {"orientation", "relative_to"};
  sn_output_take(out, c->model->dim == 2 ? SN_HEADINGS_OF(names2, units2) : SN_HEADINGS_OF(names, units));
  out->sequence = spec->sequence;
  for (int k = 0; k < 2; k++) {
    sn_marker marker = {0};
    if (!sn_given(spec, key[k]) || !sn_resolve(c, ref[k], &marker)) continue;
    out->frame[k] = sn_moving_frame_of(c, &marker);
    if (!out->frame[k])
      sn_field_error(&c->reader, &spec->spec, key[k], "a marker with a frame, as of rigid bodies, beams and plates",
                     "%s '%s' has no frame", marker.body->ops->kind.name, marker.body->name);
    if (k == 0) out->marker = marker;
  }
}

static void motion_of(const sn_output *o, const sn_eval *ev, sn_frame_motion *m) {
  sn_frame_motion from;
  sn_frame_motion_at(o->frame[0], ev, m);
  if (!o->frame[1]) return;
  sn_frame_motion_at(o->frame[1], ev, &from);
  sn_frame_motion_relative(&from, m);
}

static void plane_fill(const sn_output *o, const sn_eval *ev, sn_output_memory *memory, double *y) {
  sn_frame_motion m;
  motion_of(o, ev, &m);
  y[0] = sn_output_unwrap(memory, ev->t, atan2(m.e[0][1], m.e[0][0]), m.w[2]);
  y[1] = m.w[2];
  y[2] = m.alpha[2];
}

static void orientation_fill(const sn_model *model, const sn_output *o, const sn_eval *ev, const sn_touching *touching,
                             sn_output_memory *memory, double *y) {
  sn_frame_motion motion;
  const sn_frame_motion *m = &motion;
  int axes[3];
  (void)touching;
  if (model->dim == 2) {
    plane_fill(o, ev, memory, y);
    return;
  }
  motion_of(o, ev, &motion);
  axes_of(sn_output_sequences + 4 * o->sequence, axes);
  sn_rotation_to_quat(m->e, y);
  sn_quat_to_vector(y, y + 4);
  sn_rotation_to_euler(m->e, axes, y + 7);
  memcpy(y + 10, m->w, sizeof m->w);
  memcpy(y + 13, m->alpha, sizeof m->alpha);
}

/* In planar models, so that no turn is missed between samples. */
static void orientation_follow(const sn_output *o, const sn_eval *ev, sn_output_memory *memory) {
  double y[3];
  if (o->columns == (int)SN_COUNT(names2)) plane_fill(o, ev, memory, y);
}

const sn_output_ops sn_output_orientation = {
    .about = "orientation of ", .compile = orientation_compile, .fill = orientation_fill, .follow = orientation_follow};
