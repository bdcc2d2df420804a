/* moving_frame.c - motion of the frame of a marker, from the probes of its axes.
 *
 * The axes e_k are directions fixed to the body; with e_k' = w x e_k and |e_k| = 1
 *
 *   w = 1/2 sum e_k x e_k',   alpha = w' = 1/2 sum e_k x e_k''
 *
 * Probes may have another length (Euler parameters have length 1 up to a tolerance, tangents stretch): y = s e gives y x
 * y' = s^2 e x e' and y x y'' = s^2 e x e'' + 2 s s' e x e', s'/s = y.y'/y.y. In the plane one axis is enough, and the sum
 * is e x e'.
 */
#include "output/moving_frame.h"

#include "math/vec3.h"

static void at(const sn_probe *p, const sn_eval *ev, double y[3], double rate[3], double acceleration[3]) {
  double c[3];
  p->ops->value(p, ev->q, y);
  p->ops->rate(p, ev->q, ev->v, rate);
  p->ops->rate(p, ev->q, ev->a, acceleration);
  p->ops->convective(p, ev->q, ev->v, c);
  sn_axpy(acceleration, 1, c);
}

sn_moving_frame *sn_moving_point_of(sn_compiler *c, const sn_marker *marker) {
  sn_moving_frame *frame = SN_NEW(c->arena, sn_moving_frame, 1);
  sn_marker_point(marker, &frame->origin);
  return frame;
}

sn_moving_frame *sn_moving_frame_of(sn_compiler *c, const sn_marker *marker) {
  bool planar = c->model->dim == 2;
  double A[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const sn_body_ops *ops = marker->body->ops;
  if (!marker->has_frame && !(planar && marker->has_tangent)) return NULL;
  sn_moving_frame *frame = sn_moving_point_of(c, marker);
  frame->axes = planar ? 1 : 3;
  if (marker->has_frame && ops->axes) ops->axes(marker, A);
  for (int k = 0; k < frame->axes; k++) {
    if (marker->has_frame)
      ops->direction(marker, A[k], &frame->axis[k]);
    else
      ops->tangent(marker, &frame->axis[k]);
  }
  return frame;
}

static void turn_at(const sn_moving_frame *frame, const sn_eval *ev, sn_frame_motion *m) {
  double share = frame->axes == 1 ? 1 : 0.5;
  for (int k = 0; k < frame->axes; k++) {
    double y[3], rate[3], acceleration[3], c[3];
    at(&frame->axis[k], ev, y, rate, acceleration);
    double yy = sn_dot(y, y);
    sn_cross(c, y, rate);
    sn_axpy(m->w, share / yy, c);
    sn_axpy(m->alpha, -2 * share * sn_dot(y, rate) / (yy * yy), c);
    sn_cross(c, y, acceleration);
    sn_axpy(m->alpha, share / yy, c);
    sn_scale(m->e[k], 1 / sqrt(yy), y);
  }
  if (frame->axes != 1) return;
  sn_cross(m->e[1], m->e[2], m->e[0]);
}

void sn_frame_motion_at(const sn_moving_frame *frame, const sn_eval *ev, sn_frame_motion *m) {
  *m = (sn_frame_motion){.e = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  at(&frame->origin, ev, m->r, m->v, m->a);
  turn_at(frame, ev, m);
}

/* x to components along the axes */
static void into(const double e[3][3], double x[3]) {
  double y[3] = {sn_dot(e[0], x), sn_dot(e[1], x), sn_dot(e[2], x)};
  sn_copy(x, y);
}

/* With d = r - r0 and w0 of the frame from which it is seen, o: derivatives of components in it,
 *
 *   do/dt d = v - v0 - w0 x d
 *   do2/dt2 d = a - a0 - alpha0 x d - w0 x (w0 x d) - 2 w0 x do/dt d
 *   do/dt (w - w0) = alpha - alpha0 - w0 x w */
void sn_frame_motion_relative(const sn_frame_motion *o, sn_frame_motion *m) {
  double c[3], turned[3];
  sn_sub(m->r, m->r, o->r);
  sn_cross(turned, o->w, m->r);
  sn_sub(m->v, m->v, o->v);
  sn_sub(m->v, m->v, turned);
  sn_sub(m->a, m->a, o->a);
  sn_cross(c, o->alpha, m->r);
  sn_sub(m->a, m->a, c);
  sn_cross(c, o->w, turned);
  sn_sub(m->a, m->a, c);
  sn_cross(c, o->w, m->v);
  sn_axpy(m->a, -2, c);
  sn_cross(c, o->w, m->w);
  sn_sub(m->alpha, m->alpha, o->alpha);
  sn_sub(m->alpha, m->alpha, c);
  sn_sub(m->w, m->w, o->w);
  for (int k = 0; k < 3; k++) into(o->e, m->e[k]);
  into(o->e, m->r);
  into(o->e, m->v);
  into(o->e, m->a);
  into(o->e, m->w);
  into(o->e, m->alpha);
}
