/* sweep_ball.c - single spheres on rigid bodies that come near spheres and solids within a step (sweep.c).
 *
 * A sphere has no edges, so that this matters only where it moves by more than a small part of its radius: the normal then
 * turns within the step.
 */
#include <math.h>

#include "contact/solid.h"
#include "contact/sweep.h"
#include "math/vec3.h"

static const double SMALL = 0.02; /* part of the radius */
static const double TURNS = 1e-9;

static const sn_motion *motion_of(const sn_contacts *c, int item) {
  return &c->own->motion[c->surfaces->item[item].carrier];
}

static bool is_single(const sn_contacts *c, const sn_ball *ball) {
  const sn_item *item = &c->surfaces->item[ball->item];
  return item->count == 1 && sn_carrier_is_rigid(&c->surfaces->carrier[item->carrier]);
}

/* The way of a point at this distance from the origin of its body. */
static double way_of(const sn_contacts *c, int item, double arm) {
  const sn_motion *m = motion_of(c, item);
  return m->far + (m->angle > 0 ? m->angle * arm : 0);
}

/* ---- two balls ---- */

typedef struct ball_pair {
  const double *center; /* of the other */
  double sum;           /* of the radii */
} ball_pair;

static double balls_apart(const void *user, const sn_solid_place *place, double n[3]) {
  const ball_pair *b = user;
  sn_sub(n, place->center, b->center);
  return sn_normalize(n) - b->sum;
}

static double balls_along(const void *user, const sn_solid_place *place, const double n[3]) {
  const ball_pair *b = user;
  double d[3];
  sn_sub(d, place->center, b->center);
  return sn_dot(d, n) - b->sum;
}

void sn_sweep_balls(const sn_contacts *c, const sn_pair *pair, const sn_ball *a, const sn_ball *b, int feature,
                    sn_contact_list *list) {
  const ball_pair user = {b->center, a->radius + b->radius};
  const sn_swept_pair swept = {a->item, b->item, &user, TURNS, balls_apart, balls_along};
  const int first = list->count;
  sn_sweep sweep;
  double n[3];
  if (c->own->moves && c->surfaces->law[pair->law].dvi && is_single(c, a) && is_single(c, b) &&
      way_of(c, a->item, sn_norm(a->weight)) + way_of(c, b->item, sn_norm(b->weight)) >
          SMALL * fmin(a->radius, b->radius)) {
    sn_sub(n, a->center, b->center);
    if (sn_sweep_find(c, &swept, sn_normalize(n) - user.sum, n, &sweep)) {
      sn_ball there = *a;
      sn_copy(there.center, sweep.place.center);
      sn_touch_ball(c, pair, &there, b, feature, list);
      sn_sweep_back(c, &swept, &sweep, first, list);
      return;
    }
  }
  sn_touch_ball(c, pair, a, b, feature, list);
}

/* ---- a ball and a solid ---- */

typedef struct solid_pair {
  const sn_contacts *c;
  int solid;
  double radius;
  sn_core core; /* of the solid */
} solid_pair;

static double solid_apart(const void *user, const sn_solid_place *place, double n[3]) {
  const solid_pair *p = user;
  sn_view view;
  sn_see(&p->c->surfaces->item[p->solid], &p->c->own->solid[p->solid], place->center, &view);
  sn_copy(n, view.n);
  return view.distance - p->radius;
}

static double solid_along(const void *user, const sn_solid_place *place, const double n[3]) {
  const solid_pair *p = user;
  double x[3], d[3];
  sn_core_support(&p->core, n, &(sn_apart){.flat = 0}, x);
  sn_sub(d, place->center, x);
  return sn_dot(d, n) - p->core.margin - p->radius;
}

void sn_sweep_ball_solid(const sn_contacts *c, const sn_pair *pair, const sn_ball *ball, int solid, const sn_view *view,
                         int feature, sn_contact_list *list) {
  const sn_item *item = &c->surfaces->item[solid];
  const int first = list->count;
  sn_sweep sweep;
  if (c->own->moves && c->surfaces->law[pair->law].dvi && is_single(c, ball) && isfinite(item->reach) &&
      way_of(c, ball->item, sn_norm(ball->weight)) + way_of(c, solid, sn_norm(item->center) + item->reach) >
          SMALL * ball->radius) {
    solid_pair user = {.c = c, .solid = solid, .radius = ball->radius};
    sn_core_of(c, solid, SN_SHARP, &user.core);
    const sn_swept_pair swept = {ball->item, solid, &user, TURNS, solid_apart, solid_along};
    if (sn_sweep_find(c, &swept, view->distance - ball->radius, view->n, &sweep)) {
      sn_ball there = *ball;
      sn_view seen;
      sn_copy(there.center, sweep.place.center);
      sn_see(item, &c->own->solid[solid], there.center, &seen);
      sn_touch_solid(c, pair, &there, solid, &seen, feature, list);
      sn_sweep_back(c, &swept, &sweep, first, list);
      return;
    }
  }
  sn_touch_solid(c, pair, ball, solid, view, feature, list);
}
