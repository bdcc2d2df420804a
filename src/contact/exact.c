/* exact.c - closest points of center lines, by Newton from the deepest spheres.
 *
 *   r(s) = cubic of the element, f(s) = |r(s) - x|^2/2 least:    (r - x).r_s = 0
 *   two lines: r(s) - p(t) normal to r_s and p_t. Against a solid: n(r(s)).r_s = 0, n' = P r_s.
 *
 * At s = 0 or 1 the neighbor takes over, except at the ends of the body.
 */
#include <math.h>
#include <string.h>

#include "contact/set.h"
#include "contact/solid.h"
#include "math/vec3.h"

typedef struct line {
  const sn_item *item;
  double l;
  double e[4][3]; /* r, r', r, r' */
  double s, r[3], d[3], dd[3];
} line;

static bool line_of(const sn_contacts *c, const sn_ball *ball, line *x) {
  const sn_item *item = &c->surfaces->item[ball->item];
  *x = (line){.item = item, .l = item->length};
  if (!item->line) return false;
  const sn_carrier *h = &c->surfaces->carrier[item->carrier];
  for (int k = 0; k < 4; k++) memcpy(x->e[k], c->own->q + h->vector[k], (size_t)h->dim * sizeof(double));
  x->s = c->surfaces->place[ball->sphere];
  return true;
}

static void weights_at(double s, double l, double w[4]) {
  w[0] = 1 - 3 * s * s + 2 * s * s * s;
  w[1] = l * (s - 2 * s * s + s * s * s);
  w[2] = 3 * s * s - 2 * s * s * s;
  w[3] = l * (s * s * s - s * s);
}

/* Position and derivatives by s. */
static void evaluate(line *x) {
  double s = x->s, l = x->l, w[4];
  double d[4] = {6 * s * s - 6 * s, l * (1 - 4 * s + 3 * s * s), 6 * s - 6 * s * s, l * (3 * s * s - 2 * s)};
  double dd[4] = {12 * s - 6, l * (6 * s - 4), 6 - 12 * s, l * (6 * s - 2)};
  weights_at(s, l, w);
  memset(x->r, 0, sizeof x->r);
  memset(x->d, 0, sizeof x->d);
  memset(x->dd, 0, sizeof x->dd);
  for (int k = 0; k < 4; k++) {
    sn_axpy(x->r, w[k], x->e[k]);
    sn_axpy(x->d, d[k], x->e[k]);
    sn_axpy(x->dd, dd[k], x->e[k]);
  }
}

static void to_ball(const line *x, sn_ball *ball) {
  weights_at(x->s, x->l, ball->weight);
  sn_copy(ball->center, x->r);
}

/* One step within the element; the slope of the distance at a bound shows whether the minimum lies beyond. */
static void move(line *x, double step) {
  x->s = fmax(0, fmin(1, x->s + fmax(-0.5, fmin(0.5, step))));
}

/* At a bound, with the distance still falling beyond, and more of the body there? */
static bool leaves(const line *x, double slope) {
  double small = 1e-9 * sn_dot(x->d, x->d);
  return (x->s <= 0 && slope > small && !x->item->open[0]) || (x->s >= 1 && slope < -small && !x->item->open[1]);
}

enum { STEPS = 12 };

bool sn_refine(const sn_contacts *c, sn_ball *a, sn_ball *b) {
  line x, y;
  bool first = line_of(c, a, &x), second = line_of(c, b, &y);
  if (!first && !second) return true;
  if (!first) sn_copy(x.r, a->center);
  if (!second) sn_copy(y.r, b->center);
  double f = 0, g = 0;
  for (int k = 0; k <= STEPS; k++) {
    double w[3];
    if (first) evaluate(&x);
    if (second) evaluate(&y);
    sn_sub(w, x.r, y.r);
    f = sn_dot(w, x.d), g = -sn_dot(w, y.d);
    double A = sn_dot(x.d, x.d) + sn_dot(w, x.dd), C = sn_dot(y.d, y.d) - sn_dot(w, y.dd), B = -sn_dot(x.d, y.d);
    bool free_x = first && !(x.s <= 0 && f > 0) && !(x.s >= 1 && f < 0);
    bool free_y = second && !(y.s <= 0 && g > 0) && !(y.s >= 1 && g < 0);
    double det = A * C - B * B;
    if (k == STEPS) break;
    if (free_x && free_y && det > 1e-6 * sn_dot(x.d, x.d) * sn_dot(y.d, y.d)) {
      move(&x, (B * g - C * f) / det);
      move(&y, (B * f - A * g) / det);
    } else { /* one after the other; nearly parallel lines stay where they are along each other */
      if (free_x) move(&x, -f / fmax(A, 0.1 * sn_dot(x.d, x.d)));
      if (free_y && !free_x) move(&y, -g / fmax(C, 0.1 * sn_dot(y.d, y.d)));
      if (!free_x && !free_y) break;
    }
  }
  if (first) to_ball(&x, a);
  if (second) to_ball(&y, b);
  return !(first && leaves(&x, f)) && !(second && leaves(&y, g));
}

bool sn_refine_solid(const sn_contacts *c, sn_ball *a, int solid, sn_view *view) {
  const sn_item *item = &c->surfaces->item[solid];
  line x;
  if (!line_of(c, a, &x)) return true;
  double slope = 0;
  for (int k = 0; k <= STEPS; k++) {
    evaluate(&x);
    sn_see(item, &c->own->solid[solid], x.r, view);
    const double *P = view->P, *d = x.d;
    slope = sn_dot(view->n, d);
    double turn = P[0] * d[0] * d[0] + P[1] * d[1] * d[1] + P[2] * d[2] * d[2] +
                  2 * (P[3] * d[0] * d[1] + P[4] * d[0] * d[2] + P[5] * d[1] * d[2]);
    double curve = turn + sn_dot(view->n, x.dd);
    if (k == STEPS || (x.s <= 0 && slope > 0) || (x.s >= 1 && slope < 0)) break;
    move(&x, -slope / fmax(curve, 1e-3 * sn_norm(d)));
  }
  to_ball(&x, a);
  double size = sn_norm(x.d);
  return !leaves(&x, slope * size);
}
