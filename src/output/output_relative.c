/* output_relative.c - position, velocity and acceleration of a marker as seen in the axes of another, `relative_to`.
 *
 * Markers without a frame are seen in global axes from the moving point.
 */
#include <string.h>

#include "output/moving_frame.h"
#include "output/outputs.h"

static void relative_compile(sn_compiler *c, const sn_output_spec *spec, sn_output *out) {
  sn_marker from = {0};
  sn_output_take(out, sn_point_headings(c->model->dim));
  if (sn_resolve(c, &spec->relative, &out->marker)) out->frame[0] = sn_moving_point_of(c, &out->marker);
  if (!sn_given(spec, "relative_to")) {
    sn_field_error(&c->reader, &spec->spec, "relative", "'relative_to', the other marker, in addition",
                   "output '%s' names one marker only", spec->spec.name);
    return;
  }
  if (!sn_resolve(c, &spec->relative_to, &from)) return;
  out->frame[1] = sn_moving_frame_of(c, &from);
  if (!out->frame[1]) out->frame[1] = sn_moving_point_of(c, &from);
}

static void relative_fill(const sn_model *model, const sn_output *o, const sn_eval *ev, const sn_touching *touching,
                          sn_output_memory *memory, double *y) {
  sn_frame_motion from, m;
  size_t dim = (size_t)model->dim;
  (void)touching;
  (void)memory;
  sn_frame_motion_at(o->frame[0], ev, &m);
  sn_frame_motion_at(o->frame[1], ev, &from);
  sn_frame_motion_relative(&from, &m);
  memcpy(y, m.r, dim * sizeof(double));
  memcpy(y + dim, m.v, dim * sizeof(double));
  memcpy(y + 2 * dim, m.a, dim * sizeof(double));
}

const sn_output_ops sn_output_relative = {
    .about = "relative motion of ", .compile = relative_compile, .fill = relative_fill};
