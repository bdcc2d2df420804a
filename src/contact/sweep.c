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
    return;
  }
  sn_scale(m->way, step, rate);
  double w[3];
  sn_cross(w, p + 1, rate + 4);
  for (int k = 0; k < 3; k++) m->turn[k] = 2 * step * (p[0] * rate[4 + k] - p[1 + k] * rate[3] + w[k]);
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

static void place_at(const sn_contacts *c, int i, double part, sn_sweep *s) {
  const sn_solid_place *start = &c->own->solid[i];
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
  double d[3];
  motion_at(s, s->place.center, d);
  return sn_norm(s->turn) * c->surfaces->item[i].reach - sn_dot(d, n);
}

/* ---- where to look ---- */

/* Is it the normal of something else? A face that turns within the step is not. */
static bool is_other(const double n[3], const double m[3]) {
  return sn_dot(n, m) < 0.999;
}

/* Toward where they meet, or come nearest, and the normal there. */
static void advance(const sn_contacts *c, const sn_swept_pair *p, double gap, double nearest[3], sn_sweep *s) {
  enum { ROUNDS = 40 };
  const double met = fmax(c->own->slack, 1e-3 * gap);
  double least = gap, at = 0, part = 0, n[3];
  sn_copy(n, nearest);
  place_at(c, p->i, 0, s);
  for (int k = 0; k < ROUNDS && gap > met; k++) {
    const double speed = approach(c, p->i, s, n);
    if (!(speed > 0) || !((part += gap / speed) < 1)) break;
    place_at(c, p->i, part, s);
    gap = p->apart(p->user, &s->place, n);
    if (gap < least) least = gap, at = part, sn_copy(nearest, n);
  }
  place_at(c, p->i, at, s);
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
  if (!is_other(n, m)) return false;
  if (left >= -slack && p->along(p->user, &c->own->solid[p->i], m) >= -slack) return true;
  if (!(gap > slack)) return false;
  sn_copy(m, n);
  advance(c, p, gap, m, s);
  return s->part > 0 && is_other(n, m);
}

/* ---- back to the start ---- */

/* The material point of the ground does not matter; otherwise halfway between those of both. */
static double share_of(const sn_contacts *c, const sn_swept_pair *p) {
  const bool moves[2] = {c->own->motion[c->surfaces->item[p->i].carrier].moves,
                         c->own->motion[c->surfaces->item[p->j].carrier].moves};
  return moves[0] == moves[1] ? 0.5 : moves[0];
}

void sn_sweep_back(const sn_contacts *c, const sn_swept_pair *p, const sn_sweep *s, int first, sn_contact_list *list) {
  const double share = share_of(c, p);
  for (int k = first; k < list->count; k++) {
    sn_contact *x = &list->contact[k];
    double d[3], before[3];
    motion_at(s, x->point, d);
    sn_copy(before, x->point);
    sn_axpy(before, -s->part, d);
    motion_at(s, before, d);
    x->gap -= (x->side[0].item == p->i ? s->part : -s->part) * sn_dot(x->normal, d);
    sn_axpy(x->point, -share * s->part, d);
    for (int side = 0; side < 2; side++) sn_side_to_body(c, x->side[side].carrier, x->point, x->side[side].weight);
  }
}
