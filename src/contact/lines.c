/* lines.c - contacts of two solids along lines: axes of capsules and cylinders, edges of boxes.
 *
 * The distance of two convex solids has a kink where lines are parallel: the closest point jumps from one end of the
 * common part to the other. A force at that point has no potential there. Therefore, as lines become parallel, the
 * stiffness moves from the closest point to the two ends of the common part, where balls around the one line touch the
 * other line, and the stored energy is
 *
 *     U = w (1 + g)/2 sum V(d_e) + (1 - w) V(d)     V = K d^(k+1)/(k+1), e: both ends, d: the closest point
 *     w = y^2 (3 - 2 y),  y = 1 - sin^2/sin0^2     of the angle between the lines
 *     g = 1 - z^2,        z = 1 - (b/b0)^2         of the length b of the common part: two points become one
 *
 * The kink of d then has a factor proportional to the fourth power of the angle. Forces are the gradient of U: in
 * addition to those at the points there are the terms of w and g, a couple that rotates the lines and a force along
 * them,
 *
 *     couple on body 0 = -U_cos a0 x a1,    force on body 0 = U_b db/dx a0,    x = a0.(c1 - c0)
 *
 * They are small, but without them energy would be gained or lost as angles change.
 */
#include <math.h>

#include "contact/convex.h"
#include "contact/law.h"
#include "contact/solid.h"
#include "math/vec3.h"

typedef struct line {
  double center[3], half;
  double core, margin; /* radius of the core, and what is around it */
  const double *along;
} line;

static double radius_of(const line *y) {
  return y->core + y->margin;
}

/* The line of a core that looks along m: the axis of a capsule or cylinder, an edge of a box. */
static void line_of(const sn_core *core, const double m[3], line *y) {
  int k = 0;
  for (int i = 1; core->straight == 3 && i < 3; i++)
    if (fabs(sn_dot(m, core->axis[i])) < fabs(sn_dot(m, core->axis[k]))) k = i;
  y->along = core->axis[k];
  y->half = core->half[k];
  y->core = core->radius, y->margin = core->margin;
  sn_copy(y->center, core->center);
  for (int i = 0; core->straight == 3 && i < 3; i++)
    if (i != k) sn_axpy(y->center, sn_dot(m, core->axis[i]) < 0 ? -core->half[i] : core->half[i], core->axis[i]);
}

/* Two lines side by side, and how far they share their length: along line 0, with the end of a line where it ends. */
typedef struct common {
  line l[2];
  double cosine, sine2, sine0;
  double x; /* a0.(c1 - c0) */
  double low, high;
  int of[2];      /* whose end is that: line 0 or 1 */
  double sign[2]; /* which of its ends */
} common;

static bool common_part(const sn_meeting *y, common *p) {
  double minus[3], d[3];
  sn_scale(minus, -1, y->apart.n);
  line_of(&y->core[0], minus, &p->l[0]);
  line_of(&y->core[1], y->apart.n, &p->l[1]);
  const line *a = &p->l[0], *b = &p->l[1];
  p->cosine = sn_dot(a->along, b->along);
  p->sine2 = fmax(0, 1 - p->cosine * p->cosine);
  double length = 2 * fmin(a->half, b->half);
  p->sine0 = fmin(0.2, 0.1 * (radius_of(a) + radius_of(b)) / length);
  if (!(p->sine2 < p->sine0 * p->sine0)) return false;
  sn_sub(d, b->center, a->center);
  p->x = sn_dot(d, a->along);
  double reach = fabs(p->cosine) * b->half, turn = p->cosine < 0 ? -1 : 1;
  p->of[0] = p->x - reach > -a->half, p->of[1] = p->x + reach < a->half;
  p->low = p->of[0] ? p->x - reach : -a->half;
  p->high = p->of[1] ? p->x + reach : a->half;
  p->sign[0] = p->of[0] ? -turn : -1, p->sign[1] = p->of[1] ? turn : 1;
  return p->high > p->low;
}

/* From the other line to the nearest point x of an end: that of the axis, or of the rim of a cylinder, on the side
 * `out`; returns the distance. */
static double across_lines(const common *p, int end, double x[3], double n[3], double out[3]) {
  const line *own = &p->l[p->of[end]], *other = &p->l[1 - p->of[end]];
  double d = 0;
  sn_scale(out, 0, own->along);
  for (int k = 0; k < (own->core > 0 ? 4 : 1); k++) {
    sn_copy(x, own->center);
    sn_axpy(x, p->sign[end] * own->half, own->along);
    sn_axpy(x, own->core, out);
    sn_sub(n, x, other->center);
    sn_axpy(n, -sn_dot(n, other->along), other->along);
    d = sn_normalize(n);
    sn_scale(out, sn_dot(n, own->along), own->along);
    sn_axpy(out, -1, n);
    sn_normalize(out);
  }
  return d;
}

/* A ball at an end of the common part, and the other line. */
static void touch_end(const sn_meeting *y, const common *p, int end) {
  int k = p->of[end];
  const line *own = &p->l[k], *other = &p->l[1 - k];
  double x[3], across[3], out[3];
  sn_ball ball;
  sn_view view = {.distance = 0};
  double d = across_lines(p, end, x, view.n, out);
  view.distance = d - radius_of(other);
  sn_cross(across, view.n, other->along);
  sn_add_square(view.P, 1 / (d + own->core), across);
  sn_ball_at(y->c, y->core[k].item, x, own->margin, &ball);
  sn_contact *contact = sn_touch_solid(y->c, y->pair, &ball, y->core[1 - k].item, &view, 1 + end, y->list);
  if (!contact || !(own->core > 0)) return;
  sn_cross(across, own->along, out);
  contact->rolls = true;
  sn_add_square(contact->R, own->core, across);
}

/* Give contacts from `first` on this part of their stiffness; returns what they would store with all of it. */
static double give_part(const sn_law *law, sn_contact_list *list, int first, double part) {
  double U = 0;
  for (int i = first; i < list->count; i++) {
    sn_contact *x = &list->contact[i];
    if (x->gap < 0) U += sn_press_energy(law, x->stiffness, -x->gap);
    x->stiffness *= part;
  }
  return U;
}

/* 1 where the normal of the solids is that of the lines, at both ends; 0 where ends, rims and faces touch, and where
 * another edge of a box looks as much along the normal. */
static double as_lines(const sn_meeting *y, const common *p) {
  double part = 1;
  for (int k = 0; k < 2; k++) {
    const sn_core *core = &y->core[k];
    double along = sn_dot(y->apart.n, p->l[k].along), least = INFINITY;
    for (int i = 0; core->straight == 3 && i < 3; i++)
      if (core->axis[i] != p->l[k].along) least = fmin(least, fabs(sn_dot(y->apart.n, core->axis[i])));
    part *= sn_fading(2 * along, least);
  }
  for (int end = 0; end < 2; end++) {
    double x[3], n[3], out[3], apart[3];
    across_lines(p, end, x, n, out);
    if (p->of[end]) sn_scale(n, -1, n);
    sn_sub(apart, n, y->apart.n);
    part *= sn_fading(fmax(0, sn_norm(apart) - 0.3), 0.2);
  }
  return part;
}

/* The couple and the force of w and g, with derivatives of U: on one of the contacts. The force acts at the center of
 * line 1, where x is that of both bodies. */
static void lead(const sn_meeting *y, const common *p, double U_cos, double U_b, sn_contact *x) {
  const double *a0 = p->l[0].along, *a1 = p->l[1].along;
  double arm[3], moment[3], sign = x->side[0].item == y->core[0].item ? 1 : -1;
  U_cos += U_b * (p->of[0] + p->of[1]) * p->l[1].half * (p->cosine < 0 ? -1 : 1);
  sn_scale(x->shift, sign * U_b * (p->of[1] - p->of[0]), a0);
  sn_cross(x->couple, a0, a1);
  sn_scale(x->couple, -sign * U_cos, x->couple);
  sn_sub(arm, p->l[1].center, x->point);
  sn_cross(moment, arm, x->shift);
  sn_axpy(x->couple, 1, moment);
  x->leads = true;
}

bool sn_touch_lines(const sn_meeting *y) {
  const sn_item *item = y->c->surfaces->item;
  const sn_law *law = &y->c->surfaces->law[y->pair->law];
  common p;
  if (!sn_core_has_lines(&y->core[0]) || !sn_core_has_lines(&y->core[1]) || !common_part(y, &p)) return false;
  double part = as_lines(y, &p);
  if (!(part > 0)) return false;
  double b = p.high - p.low,
         b0 = 0.25 * fmin(sn_solid_size(&item[y->core[0].item]), sn_solid_size(&item[y->core[1].item]));
  double f = 1 - p.sine2 / (p.sine0 * p.sine0), f_cos = 2 * p.cosine / (p.sine0 * p.sine0);
  double w = part * f * f * (3 - 2 * f), w_cos = part * 6 * f * (1 - f) * f_cos;
  double z = sn_fading(b, b0), g = 1 - z * z, g_b = 4 * z * b / (b0 * b0);
  int first = y->list->count;
  for (int end = 0; end < 2; end++) touch_end(y, &p, end);
  double ends = give_part(law, y->list, first, w * (1 + g) / 2);
  int last = y->list->count;
  if (w < (law->dvi ? 0.9 : 1)) sn_touch_once(y);
  double point = give_part(law, y->list, last, 1 - w);
  if (y->list->count > first)
    lead(y, &p, w_cos * ((1 + g) / 2 * ends - point), w * g_b / 2 * ends, &y->list->contact[first]);
  return true;
}
