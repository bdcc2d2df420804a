/* narrow.c - contacts of a pair of items where at least one is a patch of spheres; and how a contact is written down.
 */
#include <math.h>
#include <string.h>

#include "contact/set.h"
#include "contact/solid.h"
#include "math/vec3.h"

/* ---- balls ---- */

void sn_ball_of(const sn_contacts *c, int i, int k, sn_ball *ball) {
  const sn_surfaces *s = c->surfaces;
  const sn_item *item = &s->item[i];
  int sphere = item->first + k;
  *ball = (sn_ball){.item = i, .sphere = sphere, .radius = s->radius[sphere]};
  ball->center[0] = c->own->x[sphere], ball->center[1] = c->own->y[sphere], ball->center[2] = c->own->z[sphere];
  const sn_carrier *h = &s->carrier[item->carrier];
  const double *weight = s->weight + item->data;
  if (h->type == SN_CARRIER_LINEAR)
    for (int m = 0; m < h->vectors; m++) ball->weight[m] = weight[h->vectors * k + m];
  else if (h->type != SN_CARRIER_PROBE)
    sn_copy(ball->weight, weight + 3 * k);
}

void sn_side_to_body(const sn_contacts *c, int carrier, const double x[3], double s[3]) {
  const sn_pose *pose = &c->own->pose[carrier];
  double w[3];
  sn_sub(w, x, pose->r);
  for (int k = 0; k < 3; k++) s[k] = sn_dot(w, pose->A[k]);
}

void sn_ball_at(const sn_contacts *c, int i, const double center[3], double radius, sn_ball *ball) {
  *ball = (sn_ball){.item = i, .sphere = -1, .radius = radius};
  sn_copy(ball->center, center);
  sn_side_to_body(c, c->surfaces->item[i].carrier, center, ball->weight);
}

/* ---- contacts ---- */

/* `side` is empty before. */
static void side_of_ball(const sn_contacts *c, const sn_ball *ball, const double point[3], sn_side *side) {
  const sn_item *item = &c->surfaces->item[ball->item];
  const sn_carrier *h = &c->surfaces->carrier[item->carrier];
  side->carrier = item->carrier, side->item = ball->item, side->sphere = ball->sphere;
  if (h->type == SN_CARRIER_LINEAR) {
    memcpy(side->weight, ball->weight, sizeof side->weight);
  } else if (h->type == SN_CARRIER_PROBE) {
    side->probe = &c->surfaces->probe[item->data + ball->sphere - item->first];
  } else {
    sn_side_to_body(c, item->carrier, point, side->weight);
    sn_copy(side->weight + 3, ball->weight);
  }
}

static uint64_t key_of(const sn_pair *pair, int feature) {
  return ((uint64_t)pair->i << 24 | (uint64_t)pair->j) << SN_FEATURE_BITS |
         (uint64_t)(feature & ((1 << SN_FEATURE_BITS) - 1));
}

/* R of Hertz for a ball, or for a point of a solid, against a solid. One number for the pair, whatever faces, edges and
 * rims touch: with a stiffness that changed from one to the other, the force would have no potential, and a ball that
 * rolls over the rim of a cylinder would gain energy. Round shapes count by their radius (1/R = 1/R0 + 1/R1), planes
 * are flat, and so are boxes to what is round; else a box counts by half its smallest edge, of two boxes the smaller.
 */
static double radius_of(const sn_surfaces *s, const sn_ball *ball, int solid) {
  const sn_item *a = &s->item[ball->item], *b = &s->item[solid];
  bool solid_a = a->shape != SN_ITEM_SPHERES,
       blunt[2] = {solid_a && sn_solids[a->shape]->blunt, sn_solids[b->shape]->blunt};
  double R[2] = {ball->sphere >= 0 ? ball->radius : sn_solid_size(a), sn_solid_size(b)};
  if (blunt[0] && blunt[1]) return sn_lesser(R[0], R[1]);
  if (blunt[1] || isinf(b->reach)) return R[0];
  return blunt[0] ? R[1] : R[0] * R[1] / (R[0] + R[1]);
}

/* K = 4/(3 (s0 + s1)) sqrt(R) */
static double hertz(const sn_surfaces *s, const sn_law *law, int i, int j, double radius) {
  if (law->stiffness > 0) return law->stiffness;
  double sum = law->compliance;
  if (!(sum > 0)) sum = s->surface[s->item[i].surface].compliance + s->surface[s->item[j].surface].compliance;
  return sum > 0 ? 4 / (3 * sum) * sqrt(radius) : 0;
}

/* Where a contact acts, as the distance from the center of the ball (radius R on item i): halfway between both surfaces,
 * so that two bodies get opposite forces at one point and angular momentum is conserved. Where the ground closes an open
 * gap there is none to conserve, and the point of the moving surface is the one that will touch: a ball that is stopped
 * rolls with its own radius and not with that and half the way of a step. */
static double arm_of(const sn_surfaces *s, int i, int j, double R, double gap) {
  const bool still[2] = {s->carrier[s->item[i].carrier].type == SN_CARRIER_GROUND,
                         s->carrier[s->item[j].carrier].type == SN_CARRIER_GROUND};
  if (gap <= 0 || still[0] == still[1]) return R + gap / 2;
  return still[1] ? R : R + gap;
}

sn_contact *sn_touch_solid(const sn_contacts *c, const sn_pair *pair, const sn_ball *ball, int solid, const sn_view *v,
                           int feature, sn_contact_list *list) {
  const sn_surfaces *s = c->surfaces;
  const sn_law *law = &s->law[pair->law];
  double gap = v->distance - ball->radius;
  if (gap > sn_reach(c, law)) return NULL;
  sn_contact *x = sn_append_contact(list);
  *x = (sn_contact){.law = pair->law, .gap = gap, .carried = true, .key = key_of(pair, feature)};
  sn_copy(x->normal, v->n);
  memcpy(x->P, v->P, sizeof x->P);
  sn_copy(x->point, ball->center);
  x->arm = arm_of(s, ball->item, solid, ball->radius, gap);
  sn_axpy(x->point, -x->arm, v->n);
  x->radius = radius_of(s, ball, solid);
  x->stiffness = hertz(s, law, ball->item, solid, x->radius);
  side_of_ball(c, ball, x->point, &x->side[0]);
  int carrier = s->item[solid].carrier;
  x->side[1] = (sn_side){.carrier = carrier, .item = solid, .sphere = -1};
  sn_side_to_body(c, carrier, x->point, x->side[1].weight);
  sn_side_to_body(c, carrier, ball->center, x->side[1].weight + 3);
  return x;
}

sn_contact *sn_touch_ball(const sn_contacts *c, const sn_pair *pair, const sn_ball *a, const sn_ball *b, int feature,
                          sn_contact_list *list) {
  const sn_surfaces *s = c->surfaces;
  const sn_law *law = &s->law[pair->law];
  double n[3];
  sn_sub(n, a->center, b->center);
  double d = sn_norm(n), gap = d - a->radius - b->radius;
  if (gap > sn_reach(c, law)) return NULL;
  sn_contact *x = sn_append_contact(list);
  *x = (sn_contact){.law = pair->law, .gap = gap, .key = key_of(pair, feature)};
  x->normal[1] = 1; /* centers that coincide: any way out */
  if (d > 0) {
    double k = 1 / d;
    sn_scale(n, k, n);
    sn_copy(x->normal, n);
    x->P[0] = x->P[1] = x->P[2] = k;
    sn_add_square(x->P, -k, n);
  }
  sn_copy(x->point, a->center);
  x->arm = arm_of(s, a->item, b->item, a->radius, gap);
  sn_axpy(x->point, -x->arm, x->normal);
  x->radius = a->radius * b->radius / (a->radius + b->radius);
  x->stiffness = hertz(s, law, a->item, b->item, x->radius);
  side_of_ball(c, a, x->point, &x->side[0]);
  side_of_ball(c, b, x->point, &x->side[1]);
  return x;
}

/* ---- patches ---- */

double sn_beyond_bounds(const sn_contacts_private *o, int item, double x, double y, double z) {
  const double *low = o->low[item], *high = o->high[item];
  double dx = sn_greater(0, sn_greater(low[0] - x, x - high[0])),
         dy = sn_greater(0, sn_greater(low[1] - y, y - high[1]));
  double dz = sn_greater(0, sn_greater(low[2] - z, z - high[2]));
  return dx * dx + dy * dy + dz * dz;
}

enum { LANES = SN_SPHERE_LANES, BLOCK = 4 * LANES };

/* Squared distances of `count` points from the bounds of an item. */
static void beyond_all(const double low[3], const double high[3], int count, const double *restrict x,
                       const double *restrict y, const double *restrict z, double *restrict d) {
  for (int m = 0; m < count; m += LANES)
    for (int k = m; k < m + LANES; k++) {
      double dx = sn_greater(0, sn_greater(low[0] - x[k], x[k] - high[0]));
      double dy = sn_greater(0, sn_greater(low[1] - y[k], y[k] - high[1]));
      double dz = sn_greater(0, sn_greater(low[2] - z[k], z[k] - high[2]));
      d[k] = dx * dx + dy * dy + dz * dz;
    }
}

/* Distances of a point from `count` spheres, squared; returns the least. */
static double distances(int count, const double *restrict x, const double *restrict y, const double *restrict z,
                        const double point[3], double *restrict d) {
  double least[LANES];
  for (int k = 0; k < LANES; k++) least[k] = INFINITY;
  for (int m = 0; m < count; m += LANES)
    for (int k = 0; k < LANES; k++) {
      double dx = point[0] - x[m + k], dy = point[1] - y[m + k], dz = point[2] - z[m + k];
      d[m + k] = dx * dx + dy * dy + dz * dz;
    }
  for (int m = count; m < (count + LANES - 1) / LANES * LANES; m++) d[m] = INFINITY;
  for (int m = 0; m < count; m += LANES)
    for (int k = 0; k < LANES; k++) least[k] = sn_lesser(least[k], d[m + k]);
  for (int k = 1; k < LANES; k++) least[0] = sn_lesser(least[0], least[k]);
  return least[0];
}

/* Sphere k of a patch against those of item b, in blocks: distances first, then, rarely, which one it was. */
static bool nearest_of(const sn_contacts_private *o, const sn_item *b, const double point[3], double *best,
                       int *which) {
  double d[BLOCK];
  bool found = false;
  for (int from = 0; from < b->count; from += BLOCK) {
    int at = b->first + from, count = b->count - from < BLOCK ? b->count - from : BLOCK;
    if (!(distances(count, o->x + at, o->y + at, o->z + at, point, d) < *best)) continue;
    found = true;
    for (int m = 0; m < count; m++)
      if (d[m] < *best) *best = d[m], *which = from + m;
  }
  return found;
}

/* The two nearest spheres of two patches, if nearer than `reach` (surface to surface); returns the gap. Spheres too far
 * from the bounds of the other patch, which its largest sphere is within, are left out. */
static double nearest_spheres(const sn_contacts *c, int i, int j, double reach, int nearest[2]) {
  const sn_contacts_private *o = c->own;
  const sn_item *a = &c->surfaces->item[i], *b = &c->surfaces->item[j];
  double sum = a->radius + b->radius, best = (sum + reach) * (sum + reach), outside[BLOCK];
  double within = sn_greater(0, sum + reach - b->radius), most = within * within;
  nearest[0] = nearest[1] = -1;
  for (int from = 0; from < a->count; from += BLOCK) {
    int at = a->first + from, count = a->count - from < BLOCK ? a->count - from : BLOCK;
    beyond_all(o->low[j], o->high[j], count, o->x + at, o->y + at, o->z + at, outside);
    for (int k = 0; k < count; k++) {
      double point[3] = {o->x[at + k], o->y[at + k], o->z[at + k]};
      if (outside[k] > most || !nearest_of(o, b, point, &best, &nearest[1])) continue;
      nearest[0] = from + k;
      within = sn_greater(0, sqrt(best) - b->radius);
      most = within * within;
    }
  }
  return nearest[0] < 0 ? INFINITY : sqrt(best) - sum;
}

/* Between spheres the lines of an exact contact come nearer than the spheres, by less than a radius. */
static double exact_margin(const sn_surfaces *s, const sn_pair *pair) {
  if (!s->law[pair->law].exact) return 0;
  const sn_item *a = &s->item[pair->i], *b = &s->item[pair->j];
  return sn_greater(a->shape == SN_ITEM_SPHERES ? a->radius : 0, b->shape == SN_ITEM_SPHERES ? b->radius : 0);
}

/* Spheres k and m of the two patches of a pair. */
static void touch_spheres(const sn_contacts *c, const sn_pair *pair, int k, int m, sn_contact_list *list) {
  const sn_contacts_private *o = c->own;
  const sn_item *a = &c->surfaces->item[pair->i], *b = &c->surfaces->item[pair->j];
  int i = a->first + k, j = b->first + m;
  double apart = a->radius + b->radius + sn_reach(c, &c->surfaces->law[pair->law]);
  double dx = o->x[i] - o->x[j], dy = o->y[i] - o->y[j], dz = o->z[i] - o->z[j];
  if (dx * dx + dy * dy + dz * dz > apart * apart) return;
  sn_ball ball[2];
  sn_ball_of(c, pair->i, k, &ball[0]);
  sn_ball_of(c, pair->j, m, &ball[1]);
  sn_sweep_balls(c, pair, &ball[0], &ball[1], k * b->count + m, list);
}

static void all_spheres(const sn_contacts *c, const sn_pair *pair, sn_contact_list *list) {
  const sn_contacts_private *o = c->own;
  const sn_item *a = &c->surfaces->item[pair->i], *b = &c->surfaces->item[pair->j];
  double reach = a->radius + sn_reach(c, &c->surfaces->law[pair->law]);
  for (int k = 0; k < a->count; k++) {
    int i = a->first + k;
    if (sn_beyond_bounds(o, pair->j, o->x[i], o->y[i], o->z[i]) > reach * reach) continue;
    for (int m = 0; m < b->count; m++) touch_spheres(c, pair, k, m, list);
  }
}

/* One contact for the pair? */
static bool only_deepest(const sn_law *law, const sn_item *a, const sn_item *b) {
  if (law->points != SN_POINTS_USUAL) return law->points == SN_POINTS_DEEPEST;
  return a->count > 1 && b->count > 1 && !a->sheet && !b->sheet; /* spheres: a solid has none */
}

static void narrow_patches(const sn_contacts *c, const sn_pair *pair, sn_contact_list *list) {
  const sn_law *law = &c->surfaces->law[pair->law];
  const sn_item *a = &c->surfaces->item[pair->i], *b = &c->surfaces->item[pair->j];
  int nearest[2];
  sn_ball ball[2];
  if (sn_narrow_sheets(c, pair, list)) return;
  bool refined = law->exact && (a->line || b->line);
  if (a->count == 1 && b->count == 1 && !refined) {
    touch_spheres(c, pair, 0, 0, list);
    return;
  }
  double margin = exact_margin(c->surfaces, pair);
  double gap = nearest_spheres(c, pair->i, pair->j, sn_reach(c, law) + margin, nearest);
  if (!(gap <= sn_reach(c, law) + margin)) return;
  if (only_deepest(law, a, b) || refined) {
    sn_ball_of(c, pair->i, nearest[0], &ball[0]);
    sn_ball_of(c, pair->j, nearest[1], &ball[1]);
    if (refined && !sn_refine(c, &ball[0], &ball[1])) return;
    sn_touch_ball(c, pair, &ball[0], &ball[1], 0, list);
    return;
  }
  all_spheres(c, pair, list);
}

static void narrow_patch_solid(const sn_contacts *c, const sn_pair *pair, int patch, int solid, sn_contact_list *list) {
  const sn_law *law = &c->surfaces->law[pair->law];
  const sn_item *a = &c->surfaces->item[patch], *b = &c->surfaces->item[solid];
  /* by complementarity a line that lies on a solid needs all its spheres beside the closest point */
  bool refined = law->exact && a->line, one = only_deepest(law, a, b) || (refined && !law->dvi);
  double deepest = INFINITY;
  int best = -1;
  sn_ball ball;
  sn_view view;
  for (int k = 0; k < a->count; k++) {
    int sphere = a->first + k;
    double center[3] = {c->own->x[sphere], c->own->y[sphere], c->own->z[sphere]};
    sn_see(b, &c->own->solid[solid], center, &view);
    double gap = view.distance - c->surfaces->radius[sphere];
    if (gap < deepest) deepest = gap, best = k;
    if (one || gap > sn_reach(c, law)) continue;
    sn_ball_of(c, patch, k, &ball);
    sn_sweep_ball_solid(c, pair, &ball, solid, &view, k, list);
  }
  if (!(one || refined) || deepest > sn_reach(c, law) + exact_margin(c->surfaces, pair)) return;
  sn_ball_of(c, patch, best, &ball);
  sn_see(b, &c->own->solid[solid], ball.center, &view);
  if (refined && !sn_refine_solid(c, &ball, solid, &view)) return;
  sn_touch_solid(c, pair, &ball, solid, &view, one ? 0 : a->count, list);
}

void sn_narrow(const sn_contacts *c, const sn_pair *pair, sn_contact_list *list) {
  bool a = c->surfaces->item[pair->i].shape == SN_ITEM_SPHERES, b = c->surfaces->item[pair->j].shape == SN_ITEM_SPHERES;
  if (a && b)
    narrow_patches(c, pair, list);
  else if (a || b)
    narrow_patch_solid(c, pair, a ? pair->i : pair->j, a ? pair->j : pair->i, list);
  else
    sn_narrow_solids(c, pair, list);
}

double sn_nearest_gap(const sn_contacts *c, const sn_pair *pair) {
  const sn_surfaces *s = c->surfaces;
  bool a = s->item[pair->i].shape == SN_ITEM_SPHERES, b = s->item[pair->j].shape == SN_ITEM_SPHERES;
  double reach = s->margin + sn_greater(c->own->look, c->own->closing) + s->law[pair->law].activation, least = INFINITY;
  bool sheet = s->law[pair->law].exact && (s->item[pair->i].sheet || s->item[pair->j].sheet);
  if ((!a && !b) || (a && b && sheet)) return -INFINITY; /* their bounds say enough */
  if (a && b) {
    int nearest[2];
    least = nearest_spheres(c, pair->i, pair->j, reach + exact_margin(s, pair), nearest);
  } else {
    const sn_item *patch = &s->item[a ? pair->i : pair->j];
    int solid = a ? pair->j : pair->i;
    for (int k = patch->first; k < patch->first + patch->count; k++) {
      double center[3] = {c->own->x[k], c->own->y[k], c->own->z[k]};
      sn_view view;
      sn_see(&s->item[solid], &c->own->solid[solid], center, &view);
      least = sn_lesser(least, view.distance - s->radius[k]);
    }
  }
  return least - exact_margin(s, pair);
}
