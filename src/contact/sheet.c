/* sheet.c - spheres against the middle surface of plates, without the bumps of a grid.
 *
 *   X(s, h) of an element, f = |x - X| least:    (X - x).X_s = (X - x).X_h = 0    by Newton, 0 <= s, h <= 1
 *
 * Beyond an edge that two elements share, the contact belongs to the neighbor; both report contacts at the edge, and
 * the closer one is kept (set.c). At edges of the plate the sphere touches the edge.
 *
 * For two plates, the spheres of each are tested against the surface of the other.
 */
#include <math.h>
#include <string.h>

#include "body/plate_element.h"
#include "contact/set.h"
#include "math/vec3.h"

typedef struct sheet {
  const sn_item *item;
  double c[SN_PLATE_SHAPES][3]; /* X = sum c_k m_k, the monomials of plate_shape.c */
} sheet;

/* X and its derivatives by s, h, ss, sh, hh */
typedef struct place {
  double X[6][3];
} place;

static void nodal_values(const sn_contacts *c, const sn_item *item, double e[SN_PLATE_SHAPES][3]) {
  const sn_carrier *h = &c->surfaces->carrier[item->carrier];
  const double slope[3] = {1, item->edge[0], item->edge[1]};
  for (int k = 0; k < SN_PLATE_SHAPES; k++) sn_scale(e[k], slope[k % 3], c->own->q + h->vector[k]);
}

static void sheet_of(const sn_contacts *c, int item, sheet *y) {
  double e[SN_PLATE_SHAPES][3];
  const double *C = c->surfaces->monomials;
  y->item = &c->surfaces->item[item];
  nodal_values(c, y->item, e);
  memset(y->c, 0, sizeof y->c);
  for (int k = 0; k < SN_PLATE_SHAPES; k++)
    for (int m = 0; m < SN_PLATE_SHAPES; m++, C++)
      if (*C != 0) sn_axpy(y->c[m], *C, e[k]);
}

static void evaluate(const sheet *y, double s, double h, place *p) {
  const double m[6][SN_PLATE_SHAPES] = {
      {1, s, h, s * s, s * h, h * h, s * s * s, s * s * h, s * h * h, h * h * h, s * s * s * h, s * h * h * h},
      {0, 1, 0, 2 * s, h, 0, 3 * s * s, 2 * s * h, h * h, 0, 3 * s * s * h, h * h * h},
      {0, 0, 1, 0, s, 2 * h, 0, s * s, 2 * s * h, 3 * h * h, s * s * s, 3 * s * h * h},
      {0, 0, 0, 2, 0, 0, 6 * s, 2 * h, 0, 0, 6 * s * h, 0},
      {0, 0, 0, 0, 1, 0, 0, 2 * s, 2 * h, 0, 3 * s * s, 3 * h * h},
      {0, 0, 0, 0, 0, 2, 0, 0, 2 * s, 6 * h, 0, 6 * s * h},
  };
  for (int d = 0; d < 6; d++) {
    double x[3] = {0, 0, 0};
    for (int k = 0; k < SN_PLATE_SHAPES; k++) sn_axpy(x, m[d][k], y->c[k]);
    sn_copy(p->X[d], x);
  }
}

/* ---- the closest point ---- */

enum { STEPS = 10 };

typedef struct slopes {
  double g[2], A[3]; /* of f^2/2: gradient, second derivatives ss, sh, hh */
} slopes;

static void slopes_of(const place *p, const double x[3], slopes *y) {
  double w[3];
  sn_sub(w, p->X[0], x);
  for (int k = 0; k < 2; k++) y->g[k] = sn_dot(w, p->X[1 + k]);
  for (int k = 0; k < 3; k++) {
    double flat = sn_dot(p->X[1 + k / 2], p->X[1 + (k + 1) / 2]);
    y->A[k] = flat + sn_dot(w, p->X[3 + k]);
    if (k != 1) y->A[k] = fmax(y->A[k], 0.1 * flat);
  }
  if (!(y->A[0] * y->A[2] > 1.01 * y->A[1] * y->A[1])) y->A[1] = 0;
}

static bool at_bound(double s, double g) {
  return (s <= 0 && g > 0) || (s >= 1 && g < 0);
}

/* Does the distance fall on beyond an edge behind which there is another element? By more than `part` of it. */
static bool leaves(const sn_item *item, const double at[2], const slopes *y, double part) {
  for (int k = 0; k < 2; k++)
    if (at_bound(at[k], y->g[k]) && !item->open[2 * k + (at[k] >= 1)] && fabs(y->g[k]) > part * y->A[2 * k])
      return true;
  return false;
}

/* One step within the element. */
static double step(double at[2], const slopes *y) {
  double d[2] = {0, 0}, before[2] = {at[0], at[1]};
  bool held[2] = {at_bound(at[0], y->g[0]), at_bound(at[1], y->g[1])};
  if (!held[0] && !held[1]) {
    double det = y->A[0] * y->A[2] - y->A[1] * y->A[1];
    d[0] = (y->A[1] * y->g[1] - y->A[2] * y->g[0]) / det;
    d[1] = (y->A[1] * y->g[0] - y->A[0] * y->g[1]) / det;
  } else {
    for (int k = 0; k < 2; k++)
      if (!held[k]) d[k] = -y->g[k] / y->A[2 * k];
  }
  for (int k = 0; k < 2; k++) at[k] = fmax(0, fmin(1, at[k] + d[k]));
  return fabs(at[0] - before[0]) + fabs(at[1] - before[1]);
}

/* From the guess `at`; false: not on this element. */
static bool closest(const sheet *y, const double x[3], double at[2], place *p) {
  slopes slope;
  for (int k = 0; k < STEPS; k++) {
    evaluate(y, at[0], at[1], p);
    slopes_of(p, x, &slope);
    if (leaves(y->item, at, &slope, 0.5)) return false;
    if (step(at, &slope) < 1e-12) break;
  }
  return !leaves(y->item, at, &slope, 0.1);
}

/* ---- contacts ---- */

/* Where the plane through the middle of the element has x. */
static void guess(const place *middle, const double x[3], double at[2]) {
  slopes slope;
  double flat[2] = {0.5, 0.5};
  slopes_of(middle, x, &slope);
  step(flat, &slope);
  at[0] = flat[0], at[1] = flat[1];
}

static void touch(const sn_contacts *c, const sn_pair *pair, const sn_ball *a, int sheet_item, const double at[2],
                  const place *p, int feature, sn_contact_list *list) {
  const sn_item *item = &c->surfaces->item[sheet_item];
  const double slope[3] = {1, item->edge[0], item->edge[1]};
  sn_ball b = {.item = sheet_item, .sphere = -1, .radius = item->radius};
  sn_plate_shape shape;
  sn_plate_shape_at(at[0], at[1], &shape);
  for (int k = 0; k < SN_PLATE_SHAPES; k++) b.weight[k] = slope[k % 3] * shape.S[k];
  sn_copy(b.center, p->X[0]);
  sn_contact *x = sn_touch_ball(c, pair, a, &b, feature, list);
  if (!x) return;
  x->slides = true;
  x->at[0] = at[0], x->at[1] = at[1];
  /* a plate is flat, for Hertz */
  if (!(c->surfaces->law[pair->law].stiffness > 0)) x->stiffness *= sqrt(a->radius / x->radius);
  x->radius = a->radius;
}

/* All spheres of item a, or the nearest, against the surface of item b. */
static void narrow_one_way(const sn_contacts *c, const sn_pair *pair, int a, int b, sn_contact_list *list) {
  const sn_contacts_private *o = c->own;
  const sn_law *law = &c->surfaces->law[pair->law];
  const sn_item *from = &c->surfaces->item[a];
  sheet y;
  place middle, p, best_place;
  sn_ball ball;
  double best = INFINITY, best_at[2] = {0, 0};
  int deepest = -1;
  sheet_of(c, b, &y);
  evaluate(&y, 0.5, 0.5, &middle);
  for (int k = 0; k < from->count; k++) {
    int sphere = from->first + k;
    double x[3] = {o->x[sphere], o->y[sphere], o->z[sphere]}, at[2], w[3];
    double reach = c->surfaces->radius[sphere] + sn_reach(c, law);
    if (sn_beyond_bounds(o, b, x[0], x[1], x[2]) > reach * reach) continue;
    guess(&middle, x, at);
    if (!closest(&y, x, at, &p)) continue;
    sn_sub(w, x, p.X[0]);
    double gap = sn_norm(w) - c->surfaces->radius[sphere] - y.item->radius;
    if (gap > sn_reach(c, law) || gap > best) continue;
    if (law->points != SN_POINTS_DEEPEST) {
      sn_ball_of(c, a, k, &ball);
      touch(c, pair, &ball, b, at, &p, 2 * k + (a > b), list);
    } else {
      best = gap, deepest = k, best_place = p;
      best_at[0] = at[0], best_at[1] = at[1];
    }
  }
  if (deepest < 0) return;
  sn_ball_of(c, a, deepest, &ball);
  touch(c, pair, &ball, b, best_at, &best_place, a > b, list);
}

bool sn_narrow_sheets(const sn_contacts *c, const sn_pair *pair, sn_contact_list *list) {
  const sn_surfaces *s = c->surfaces;
  const int item[2] = {pair->i, pair->j};
  const sn_law *law = &s->law[pair->law];
  if (!law->exact || (!s->item[pair->i].sheet && !s->item[pair->j].sheet)) return false;
  /* a ball that a plate may drape over touches its spheres */
  for (int k = 0; k < 2 && law->points == SN_POINTS_ALL; k++)
    if (s->carrier[s->item[item[k]].carrier].type != SN_CARRIER_LINEAR) return false;
  for (int k = 0; k < 2; k++)
    if (s->item[item[1 - k]].sheet) narrow_one_way(c, pair, item[k], item[1 - k], list);
  return true;
}

/* ---- for bounds and tangents ---- */

/* The cubics of the edges lie within the nodes and the ends of a third of their slopes. */
void sn_sheet_bounds(const sn_contacts *c, const sn_item *item, double low[3], double high[3]) {
  double e[SN_PLATE_SHAPES][3];
  static const double inward[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  nodal_values(c, item, e);
  for (int k = 0; k < SN_PLATE_SHAPES; k++)
    for (int a = 0; a < 3; a++) {
      double x = e[k - k % 3][a] + (k % 3 ? inward[k / 3][k % 3 - 1] / 3 * e[k][a] : 0);
      low[a] = sn_lesser(low[a], x - item->radius);
      high[a] = sn_greater(high[a], x + item->radius);
    }
}

int sn_contact_slide(const sn_contacts *c, const sn_contact *x, sn_slide *y) {
  const sn_item *item = &c->surfaces->item[x->side[1].item];
  const double slope[3] = {1, item->edge[0], item->edge[1]};
  sheet surface;
  place p;
  sn_plate_shape shape;
  int count = 0;
  sheet_of(c, x->side[1].item, &surface);
  evaluate(&surface, x->at[0], x->at[1], &p);
  sn_plate_shape_at(x->at[0], x->at[1], &shape);
  int index[2] = {0, 0};
  for (int k = 0; k < 2; k++) {
    if (!(x->at[k] > 0 && x->at[k] < 1)) continue; /* held by an edge */
    index[count] = k;
    sn_copy(y->X[count], p.X[1 + k]);
    for (int m = 0; m < SN_PLATE_SHAPES; m++) y->weight[count][m] = slope[m % 3] * shape.d[k][m];
    count++;
  }
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) sn_copy(y->XX[i][j], p.X[3 + index[i] + index[j]]);
  return count;
}
