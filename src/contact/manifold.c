/* manifold.c - contacts of two convex solids: one point, or several if faces and lines are in contact.
 *
 * The normal n comes from convex.c. For penalty see flats.c. For complementarity the support features decide:
 *
 *   a face       the other's nearest face or line, cut to the outline of this one (faces.c, lines_face.c)
 *   two lines    nearly parallel: contacts at both ends of the common part (lines.c)
 *   else         the closest points
 *
 * The turning of the normal needs the radii of curvature of both sides: see penalty.c.
 */
#include <math.h>
#include <string.h>

#include "contact/convex.h"
#include "contact/solid.h"
#include "contact/sweep.h"
#include "math/vec3.h"

/* A point x on the core of solid k, with m pointing out of it, against the other. */
sn_contact *sn_touch_smooth(const sn_meeting *y, int k, const double x[3], const double m[3], sn_view *view,
                            int feature) {
  sn_ball ball;
  double surface[3];
  sn_copy(surface, x);
  sn_axpy(surface, y->core[k].margin, m);
  sn_ball_at(y->c, y->core[k].item, surface, 0, &ball);
  sn_scale(view->n, -1, m);
  return sn_touch_solid(y->c, y->pair, &ball, y->core[1 - k].item, view, feature, y->list);
}

/* Radii of curvature of side 0, the rounding of edges included. */
static void roll(sn_contact *x, const sn_core *core, const sn_support_point *e) {
  double u[3], w[3];
  x->rolls = true;
  sn_frame(x->normal, u, w);
  sn_add_square(x->R, core->margin, u);
  sn_add_square(x->R, core->margin, w);
  for (int i = 0; i < 2; i++)
    if (e->round_radius[i] > 0) sn_add_square(x->R, e->round_radius[i], e->round[i]);
}

sn_contact *sn_touch_core(const sn_meeting *y, int k, const double x[3], const double n[3], sn_view *view,
                          int feature) {
  double into[3];
  sn_scale(into, -1, n);
  sn_contact *contact = sn_touch_smooth(y, k, x, into, view, feature);
  if (contact) roll(contact, &y->core[k], &y->apart.support[k]);
  return contact;
}

/* ---- one point ---- */

/* The closest points of the lines a + s e and b + t f. */
static void closest_of_lines(const double a[3], const double e[3], const double b[3], const double f[3], double p[3]) {
  double d[3], m = sn_dot(e, f);
  sn_sub(d, b, a);
  sn_copy(p, a);
  sn_axpy(p, (sn_dot(d, e) - m * sn_dot(d, f)) / fmax(1 - m * m, 1e-12), e);
}

/* P = (A + B + d)^-1; straight is a very large radius. Where cores overlap so far that it is not positive, only the
 * radii count. */
static void turn_of_normal(const sn_apart *apart, double straight, double P[6]) {
  const sn_support_point *e = apart->support;
  double t[2][3], sum[3], M[3], radii[6] = {0};
  sn_frame(apart->n, t[0], t[1]);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 2; i++)
      if (e[k].round_radius[i] > 0) sn_add_square(radii, e[k].round_radius[i], e[k].round[i]);
    for (int i = 0; i < e[k].flats; i++) sn_add_square(radii, straight, e[k].flat[i]);
  }
  for (int k = 0; k < 3; k++) {
    sum[k] = t[0][k] + t[1][k];
    const double *u = t[k / 2], *w = t[(k + 1) / 2];
    double z[3] = {radii[0] * w[0] + radii[3] * w[1] + radii[4] * w[2],
                   radii[3] * w[0] + radii[1] * w[1] + radii[5] * w[2],
                   radii[4] * w[0] + radii[5] * w[1] + radii[2] * w[2]};
    M[k] = sn_dot(u, z);
  }
  double d = apart->d;
  if (!(M[0] + d > 0) || !((M[0] + d) * (M[2] + d) > M[1] * M[1])) d = 1e-8 * straight;
  M[0] += d, M[2] += d;
  double det = M[0] * M[2] - M[1] * M[1];
  sn_add_square(P, (M[2] + M[1]) / det, t[0]);
  sn_add_square(P, (M[0] + M[1]) / det, t[1]);
  sn_add_square(P, -M[1] / det, sum);
}

void sn_closest_point(const sn_meeting *y, double a[3]) {
  const sn_apart *apart = &y->apart;
  const sn_support_point *e = apart->support;
  double minus[3], b[3];
  sn_scale(minus, -1, apart->n);
  sn_core_support(&y->core[0], minus, apart, a);
  sn_core_support(&y->core[1], apart->n, apart, b);
  if (e[0].flats == 1 && e[1].flats == 1) {
    double p[3];
    closest_of_lines(a, e[0].flat[0], b, e[1].flat[0], p);
    sn_copy(a, p);
  } else if (e[0].flats) {
    sn_copy(a, b);
    sn_axpy(a, apart->d, apart->n);
  }
}

void sn_touch_once(const sn_meeting *y) {
  const sn_apart *apart = &y->apart;
  double minus[3], a[3];
  sn_view view = {.distance = y->gap};
  sn_scale(minus, -1, apart->n);
  for (int k = 0; k < 2; k++) /* a face: its normal turns with it alone */
    if (apart->support[k].flats == 2) {
      sn_core_support(&y->core[1 - k], k ? minus : apart->n, apart, a);
      sn_touch_core(y, 1 - k, a, k ? apart->n : minus, &view, 0);
      return;
    }
  sn_closest_point(y, a);
  double straight = 1e7 * (fabs(apart->d) + y->core[0].margin + y->core[1].margin);
  turn_of_normal(apart, straight, view.P);
  sn_contact *x = sn_touch_smooth(y, 0, a, minus, &view, 0);
  if (!x) return;
  roll(x, &y->core[0], &apart->support[0]);
  for (int i = 0; i < apart->support[0].flats; i++) sn_add_square(x->R, straight, apart->support[0].flat[i]);
}

/* ---- all ---- */

static double gap_of(const sn_core core[2], double d) {
  return d - core[0].margin - core[1].margin;
}

static void move_core(const sn_solid_place *place, sn_core *core) {
  core->center = place->center;
  core->axis = place->axis;
}

static double apart_at(const void *user, const sn_solid_place *place, double n[3]) {
  const sn_core *at = user;
  sn_core core[2] = {at[0], at[1]};
  sn_apart apart;
  move_core(place, &core[0]);
  sn_cores_apart(core, &apart);
  sn_copy(n, apart.n);
  return gap_of(core, apart.d);
}

static double gap_along(const void *user, const sn_solid_place *place, const double n[3]) {
  const sn_core *at = user;
  sn_core core[2] = {at[0], at[1]};
  move_core(place, &core[0]);
  return gap_of(core, sn_core_separation(core, n));
}

void sn_touch_convex(const sn_contacts *c, const sn_pair *pair, int i, int j, sn_contact_list *list) {
  sn_meeting y = {.c = c, .pair = pair, .list = list};
  double rounded = c->surfaces->law[pair->law].dvi ? SN_SHARP : SN_ROUNDED;
  sn_core_of(c, i, rounded, &y.core[0]);
  sn_core_of(c, j, rounded, &y.core[1]);
  sn_cores_apart(y.core, &y.apart);
  y.gap = gap_of(y.core, y.apart.d);
  if (y.gap > sn_reach(c, &c->surfaces->law[pair->law])) return;
  if (!c->surfaces->law[pair->law].dvi) {
    sn_touch_flats(&y);
    return;
  }
  const sn_swept_pair swept = {i, j, y.core, SN_OTHER_FEATURE, apart_at, gap_along};
  const int first = list->count;
  sn_sweep sweep;
  const bool later = sn_sweep_find(c, &swept, y.gap, y.apart.n, &sweep);
  if (later) {
    move_core(&sweep.place, &y.core[0]);
    sn_cores_apart(y.core, &y.apart);
    y.gap = gap_of(y.core, y.apart.d);
  }
  if (!sn_touch_faces(&y) && !sn_touch_lines(&y)) sn_touch_once(&y);
  if (later) sn_sweep_back(c, &swept, &sweep, first, list);
}
