/* sweep.c - two solids that come near each other within a step by complementarity.
 *
 * A step keeps bodies on one side of planes, along the normals of its contacts. Beside an edge the normal at the start
 * of the step is that of a plane which bodies need not stay behind: a box that slides from one block onto another of the
 * same height is in front of its side before it is above it, and a body that passes an edge closely goes around it.
 * Therefore solids that are apart, or just touch, and may meet are looked at later in the step, moved by their
 * velocities:
 *
 *   at its end     if the normal there separates them at the start too: they do not meet
 *   else           where they meet, or come nearest: t += gap/(greatest speed of approach along the normal)
 *
 * Contacts found there are then taken back to the start. With the motion d of solid 0 against 1 until then,
 *
 *   gap(start) = gap(there) - n.d
 */
#include "contact/sweep.h"

#include <math.h>

#include "math/quat.h"

/* ---- motion ---- */

/* Over the step: of the origin of a carrier, and its rotation. In space w = 2 E(p) p'. */
static void motion_of(const sn_carrier *h, const double *q, const double *v, double step, sn_motion *m) {
  *m = (sn_motion){.moves = h->type != SN_CARRIER_GROUND};
  if (!m->moves) return;
  const double *p = q + h->first[0] + 3, *rate = v + h->first[0];
  if (h->type == SN_CARRIER_PLANAR) {
    m->way[0] = step * rate[0], m->way[1] = step * rate[1];
    m->turn[2] = step * rate[2];
  } else {
    double w[3];
    sn_scale(m->way, step, rate);
    sn_cross(w, p + 1, rate + 4);
    for (int k = 0; k < 3; k++) m->turn[k] = 2 * step * (p[0] * rate[4 + k] - p[1 + k] * rate[3] + w[k]);
  }
  m->far = sn_norm(m->way), m->angle = sn_norm(m->turn);
}

void sn_contacts_move(sn_contacts *c, const double *q, const double *v, double h, double slack) {
  sn_contacts_private *o = c->own;
  o->moves = h > 0;
  if (!o->moves) return;
  o->known = false;
  o->slack = slack;
  for (int k = 0; k < o->poses; k++) motion_of(&c->surfaces->carrier[o->posed[k]], q, v, h, &o->motion[o->posed[k]]);
}

/* Of item i against item j. */
static void relative_motion(const sn_contacts *c, int i, int j, sn_sweep *s) {
  const int item[2] = {i, j};
  *s = (sn_sweep){.part = 0};
  for (int k = 0; k < 2; k++) {
    const int carrier = c->surfaces->item[item[k]].carrier;
    const sn_motion *m = &c->own->motion[carrier];
    double arm[3];
    sn_cross(arm, c->own->pose[carrier].r, m->turn);
    sn_axpy(s->way, k ? -1 : 1, m->way);
    sn_axpy(s->way, k ? -1 : 1, arm);
    sn_axpy(s->turn, k ? -1 : 1, m->turn);
  }
}

static void motion_at(const sn_sweep *s, const double x[3], double d[3]) {
  sn_cross(d, s->turn, x);
  sn_axpy(d, 1, s->way);
}

/* A single sphere has no axes. */
static const sn_solid_place *start_of(const sn_contacts *c, int i, sn_solid_place *ball) {
  const sn_item *item = &c->surfaces->item[i];
  if (item->shape != SN_ITEM_SPHERES) return &c->own->solid[i];
  *ball = (sn_solid_place){.center = {c->own->x[item->first], c->own->y[item->first], c->own->z[item->first]}};
  return ball;
}

static void place_at(const sn_contacts *c, int i, double part, sn_sweep *s) {
  sn_solid_place ball;
  const sn_solid_place *start = start_of(c, i, &ball);
  const double angle = part * sn_norm(s->turn);
  double d[3], p[4] = {cos(angle / 2)};
  motion_at(s, start->center, d);
  if (angle > 0) sn_scale(p + 1, sin(angle / 2) * part / angle, s->turn);
  s->part = part;
  sn_copy(s->place.center, start->center);
  sn_axpy(s->place.center, part, d);
  for (int k = 0; k < 3; k++) sn_quat_rotate(p, start->axis[k], s->place.axis[k]);
}

/* Greatest speed with which any point of solid i moves against the normal. */
static double approach(const sn_contacts *c, int i, const sn_sweep *s, const double n[3]) {
  const sn_item *item = &c->surfaces->item[i];
  double d[3], reach = item->shape == SN_ITEM_SPHERES ? 0 : item->reach;
  motion_at(s, s->place.center, d);
  return sn_norm(s->turn) * reach - sn_dot(d, n);
}

/* ---- where to look ---- */

static bool is_other(const sn_swept_pair *p, const double n[3], const double m[3]) {
  return sn_dot(n, m) < 1 - p->turns;
}

/* They do not meet: where in between they are nearest, by thirds. */
static void find_nearest(const sn_contacts *c, const sn_swept_pair *p, double low, double high, double n[3],
                         sn_sweep *s) {
  enum { ROUNDS = 50 };
  for (int k = 0; k < ROUNDS; k++) {
    const double part[2] = {(2 * low + high) / 3, (low + 2 * high) / 3};
    double gap[2];
    for (int i = 0; i < 2; i++) {
      place_at(c, p->i, part[i], s);
      gap[i] = p->apart(p->user, &s->place, n);
    }
    *(gap[0] < gap[1] ? &high : &low) = part[gap[0] < gap[1]];
  }
}

/* To where they meet, or come nearest, and the normal there. */
static void advance(const sn_contacts *c, const sn_swept_pair *p, double gap, double n[3], sn_sweep *s) {
  enum { ROUNDS = 40 };
  const double met = fmax(c->own->slack, 1e-3 * gap);
  double least = gap, part = 0, last = 0, low = 0, high = 1;
  bool meets = true;
  place_at(c, p->i, 0, s);
  for (int k = 0; k < ROUNDS && gap > met; k++) {
    const double speed = approach(c, p->i, s, n);
    meets = speed > 0 && part + gap / speed < 1;
    if (!meets) break;
    last = part;
    part += gap / speed;
    place_at(c, p->i, part, s);
    gap = p->apart(p->user, &s->place, n);
    if (gap < least)
      least = gap, low = last, high = 1;
    else if (high == 1)
      high = part;
  }
  if (!meets) find_nearest(c, p, low, high, n, s);
}

/* The normals at the start and at the end are compared first, which is cheap: most pairs stay apart along the one they
 * have, or meet along it. */
bool sn_sweep_find(const sn_contacts *c, const sn_swept_pair *p, double gap, const double n[3], sn_sweep *s) {
  const double slack = c->own->slack;
  double m[3];
  if (!c->own->moves || !(gap > -slack)) return false;
  relative_motion(c, p->i, p->j, s);
  place_at(c, p->i, 0, s);
  if (!(approach(c, p->i, s, n) > gap)) return false;
  place_at(c, p->i, 1, s);
  if (p->along(p->user, &s->place, n) >= -slack) return false;
  const double left = p->apart(p->user, &s->place, m);
  if (!is_other(p, n, m)) return false;
  sn_solid_place ball;
  if (left >= -slack && p->along(p->user, start_of(c, p->i, &ball), m) >= -slack) return true;
  if (!(gap > slack)) return false;
  sn_copy(m, n);
  advance(c, p, gap, m, s);
  return is_other(p, n, m);
}

/* ---- back to the start ---- */

/* Each body has its own point: a force that goes through the centers of two balls where they meet turns neither. */
static void take_back(const sn_contacts *c, const sn_swept_pair *p, const sn_sweep *s, sn_contact *x) {
  const int mover = x->side[0].item == p->i ? 0 : 1;
  double d[3], before[3];
  motion_at(s, x->point, d);
  sn_copy(before, x->point);
  sn_axpy(before, -s->part, d);
  motion_at(s, before, d);
  x->gap -= (mover ? -s->part : s->part) * sn_dot(x->normal, d);
  sn_axpy(x->point, -s->part / 2, d);
  x->later = true;
  for (int side = 0; side < 2; side++) {
    double own[3];
    sn_scale(x->from[side], side == mover ? -s->part / 2 : s->part / 2, d);
    sn_copy(own, x->point);
    sn_axpy(own, 1, x->from[side]);
    sn_side_to_body(c, x->side[side].carrier, own, x->side[side].weight);
  }
}

void sn_sweep_back(const sn_contacts *c, const sn_swept_pair *p, const sn_sweep *s, int first, sn_contact_list *list) {
  for (int k = first; k < list->count; k++) take_back(c, p, s, &list->contact[k]);
}
