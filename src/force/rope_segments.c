/* rope_segments.c - pulleys that grip divide a rope into segments of one tension: their lengths over the scalars. */
#include <math.h>

#include "force/rope.h"

static void bound_slip(sn_rope *rope, sn_rope_stop *stop, int from, int to) {
  const double s = stop->rho > 0 ? 1 : -1;
  stop->u[stop->tau] = 1;
  stop->p[stop->w] = stop->rho;
  for (int side = 0; side < 2; side++) {
    const int gamma = 2 * (side ? to : from) + 1;
    stop->u[gamma] -= stop->rho / 2;
    stop->p[gamma] -= stop->rho / 2;
    stop->theta[gamma] += side ? s : -s;
  }
  for (int side = 0; side < 2; side++) {
    sn_rope_segment *segment = &rope->segment[side ? stop->after : stop->before];
    segment->arc += fabs(stop->rho) * stop->wrap / 2;
    for (int i = 0; i < rope->scalars; i++) {
      segment->l[i] += fabs(stop->rho) * stop->theta[i] / 2;
      segment->l0[i] += side ? stop->u[i] : -stop->u[i];
    }
  }
}

/* Rope leaves and reaches segments at pulleys that grip: without slip where it touches first and last, with friction in
 * the middle of the arc, half of which belongs to each side. */
static void bound_segment(sn_rope *rope, int k) {
  sn_rope_stop *stop = &rope->stop[k];
  const int from = sn_rope_arriving(rope, k), to = sn_rope_leaving(rope, k);
  const int flow = stop->tau >= 0 ? stop->tau : stop->w;
  const double unit = stop->tau >= 0 ? 1 : stop->rho;
  if (stop->grip == SN_ROPE_FRICTION) {
    bound_slip(rope, stop, from, to);
    return;
  }
  if (stop->after >= 0) {
    rope->segment[stop->after].l0[flow] += unit;
    rope->segment[stop->after].l0[2 * to + 1] -= stop->rho;
  }
  if (stop->before >= 0) {
    rope->segment[stop->before].l0[flow] -= unit;
    rope->segment[stop->before].l0[2 * from + 1] += stop->rho;
  }
}

void sn_rope_make_segments(sn_rope *rope) {
  int start = 0, j = 0;
  while (rope->closed && start < rope->stops && rope->stop[start].grip == SN_ROPE_SMOOTH) start++;
  const bool endless = start == rope->stops; /* a belt that no pulley grips */
  if (endless) start = 0;
  if (rope->stop[start].grip != SN_ROPE_SMOOTH) rope->stop[start].after = 0;
  for (int i = 0, span = start; i < rope->spans; i++, span = sn_rope_next(rope, span)) {
    const int k = sn_rope_next(rope, span), next = sn_rope_leaving(rope, k);
    sn_rope_stop *stop = &rope->stop[k];
    rope->segment[j].l[2 * span] += 1;
    if (stop->grip == SN_ROPE_SMOOTH) {
      if (stop->rho == 0) continue;
      rope->segment[j].l[2 * next + 1] += stop->rho;
      rope->segment[j].l[2 * span + 1] -= stop->rho;
      rope->segment[j].arc += fabs(stop->rho) * stop->wrap;
      continue;
    }
    stop->before = j;
    if (i + 1 < rope->spans) stop->after = ++j;
  }
  rope->segments = j + 1;
  for (int k = 0; k < rope->stops; k++)
    if (rope->stop[k].grip != SN_ROPE_SMOOTH) bound_segment(rope, k);
}
