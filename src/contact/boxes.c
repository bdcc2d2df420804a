/* boxes.c - contacts of two boxes: separating axes, then the common part of two faces.
 *
 * Of the 15 axes (faces of both, crossed edges) the one that separates most (overlaps least) is the normal. For a face
 * and the nearest face of the other box, the corners of their common part, seen along the normal, become contacts, each
 * with the distance of the two faces there; for two edges it is their closest points. If the faces are nearly parallel,
 * the normal is the mean of both, so that the result does not depend on the order of the boxes.
 */
#include <math.h>
#include <string.h>

#include "contact/set.h"
#include "contact/sweep.h"
#include "math/vec3.h"

typedef struct box {
  int item;
  const double *center, *half;
  const double (*axis)[3];
} box;

typedef struct axis_found {
  double gap, n[3]; /* n from box 1 into box 0 */
  int code;         /* 0..2 faces of box 0, 3..5 of box 1, 6 + 3 i + j: edge i of box 0 and j of box 1 */
} axis_found;

static double extent_along(const box *b, const double n[3]) {
  double sum = 0;
  for (int k = 0; k < 3; k++) sum += b->half[k] * fabs(sn_dot(b->axis[k], n));
  return sum;
}

/* Gap along a unit axis, if larger than what was found; edges must be clearly better than faces, the others by more
 * than rounding. */
static void try_axis(const box b[2], const double e[3], int code, double handicap, axis_found *best) {
  double d[3], n[3];
  sn_sub(d, b[0].center, b[1].center);
  double side = sn_dot(d, e), gap = fabs(side) - extent_along(&b[0], e) - extent_along(&b[1], e);
  if (!(gap - handicap > best->gap)) return;
  sn_scale(n, side < 0 ? -1 : 1, e);
  *best = (axis_found){.gap = gap, .code = code};
  sn_copy(best->n, n);
}

static axis_found separating_axis(const box b[2]) {
  axis_found best = {.gap = -INFINITY};
  double least = INFINITY;
  for (int k = 0; k < 6; k++) least = fmin(least, b[k / 3].half[k % 3]);
  double small = 1e-3 * least, rounding = 1e-12 * least;
  for (int k = 0; k < 6; k++) try_axis(b, b[k / 3].axis[k % 3], k, rounding, &best);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double e[3];
      sn_cross(e, b[0].axis[i], b[1].axis[j]);
      if (sn_normalize(e) > 1e-3) try_axis(b, e, 6 + 3 * i + j, small, &best);
    }
  return best;
}

/* ---- a face ---- */

/* Distance of p beyond the limit; 0 within rounding: edges that coincide do not cross.
 */
static double beyond(const double p[3], const double q[3], const double n[3], double limit) {
  double w[3], a = sn_dot(n, p) - limit;
  sn_sub(w, q, p);
  return fabs(a) < 1e-10 * sn_norm(w) ? 0 : a;
}

int sn_clip(int count, double (*x)[3], const double n[3], double limit) {
  assert(count >= 0 && count <= SN_CLIP_CORNERS); /* nothing of it may be left by the last side */
  double cut[SN_CLIP_CORNERS][3], over[SN_CLIP_CORNERS];
  int kept = 0;
  for (int k = 0; k < count; k++) over[k] = beyond(x[k], x[(k + 1) % count], n, limit);
  for (int k = 0; k < count; k++) {
    const double *p = x[k], *q = x[(k + 1) % count];
    double a = over[k], b = over[(k + 1) % count];
    if (a <= 0 && kept < SN_CLIP_CORNERS) sn_copy(cut[kept++], p);
    if (count == 2 && k == 1) continue; /* a line has one side */
    if ((a < 0) != (b < 0) && a != b && a != 0 && b != 0 && kept < SN_CLIP_CORNERS) {
      double f = a / (a - b);
      for (int m = 0; m < 3; m++) cut[kept][m] = p[m] + f * (q[m] - p[m]);
      kept++;
    }
  }
  memcpy(x, cut, (size_t)kept * sizeof *cut);
  return kept;
}

void sn_box_face(const double center[3], const double (*axis)[3], const double half[3], const double m[3],
                 double x[4][3]) {
  int face = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(sn_dot(axis[k], m)) > fabs(sn_dot(axis[face], m))) face = k;
  double sign = sn_dot(axis[face], m) < 0 ? -1 : 1;
  int u = (face + 1) % 3, w = (face + 2) % 3;
  for (int k = 0; k < 4; k++) {
    sn_copy(x[k], center);
    sn_axpy(x[k], sign * half[face], axis[face]);
    sn_axpy(x[k], k == 0 || k == 3 ? -half[u] : half[u], axis[u]);
    sn_axpy(x[k], k < 2 ? -half[w] : half[w], axis[w]);
  }
}

/* The face of a box that looks along m: its axis, with the sign that looks there. */
static int face_along(const box *b, const double m[3], double o[3]) {
  int face = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(sn_dot(b->axis[k], m)) > fabs(sn_dot(b->axis[face], m))) face = k;
  sn_scale(o, sn_dot(b->axis[face], m) < 0 ? -1 : 1, b->axis[face]);
  return face;
}

/* From x along n to the plane of a face with normal o. */
static double to_face(const box *b, const double o[3], double half, const double n[3], const double x[3]) {
  double d[3];
  sn_sub(d, b->center, x);
  return (sn_dot(d, o) + half) / sn_dot(n, o);
}

/* Two faces, n from box 1 into box 0. `best` is the box whose face n belongs to. */
static void touch_faces(const sn_contacts *c, const sn_pair *pair, const box b[2], int best, const double n0[3],
                        sn_contact_list *list) {
  double n[3], minus[3], o[2][3], x[SN_CLIP_CORNERS][3];
  int face[2];
  sn_copy(n, n0);
  sn_scale(minus, -1, n);
  face[0] = face_along(&b[0], minus, o[0]);
  face[1] = face_along(&b[1], n, o[1]);
  /* the mean of both, which becomes that of the one as the other leans by 0.01 rad: a box that tips over an edge would
   * otherwise be pushed along half its angle */
  double lean = 1 + sn_dot(o[0], o[1]), part = fmax(0, 1 - lean / 5e-5);
  sn_axpy(n, part * (best ? -1 : 1), o[1 - best]);
  sn_normalize(n);
  sn_scale(minus, -1, n);
  sn_box_face(b[1].center, b[1].axis, b[1].half, n, x);
  int count = 4;
  for (int k = 1; k < 3; k++) {
    double side[3];
    int a = (face[0] + k) % 3;
    /* along n, so that sides of the outline are as high as both faces */
    double middle[3];
    sn_copy(side, b[0].axis[a]);
    sn_axpy(side, -sn_dot(side, n) / sn_dot(o[0], n), o[0]);
    sn_copy(middle, b[0].center);
    sn_axpy(middle, b[0].half[face[0]], o[0]);
    double at = sn_dot(side, middle), half = b[0].half[a] * sn_dot(side, b[0].axis[a]);
    count = sn_clip(count, x, side, at + half);
    sn_scale(side, -1, side);
    count = sn_clip(count, x, side, half - at);
  }
  for (int k = 0; k < count; k++) {
    sn_ball ball;
    sn_view view = {.distance = 0};
    double up = to_face(&b[0], o[0], b[0].half[face[0]], n, x[k]);
    view.distance = up - to_face(&b[1], o[1], b[1].half[face[1]], n, x[k]);
    sn_copy(view.n, n);
    sn_axpy(x[k], up, n);
    sn_ball_at(c, b[0].item, x[k], 0, &ball);
    sn_touch_solid(c, pair, &ball, b[1].item, &view, 16 * (3 * face[0] + face[1]) + k, list);
  }
}

/* ---- two edges ---- */

/* The point in the middle of the edge of b along axis k that lies farthest along n. */
static void edge_middle(const box *b, int k, const double n[3], double x[3]) {
  sn_copy(x, b->center);
  for (int a = 0; a < 3; a++)
    if (a != k) sn_axpy(x, sn_dot(b->axis[a], n) > 0 ? b->half[a] : -b->half[a], b->axis[a]);
}

static void touch_edges(const sn_contacts *c, const sn_pair *pair, const box b[2], const axis_found *found,
                        sn_contact_list *list) {
  int i = (found->code - 6) / 3, j = (found->code - 6) % 3;
  double p[3], q[3], d[3], minus[3];
  sn_scale(minus, -1, found->n);
  edge_middle(&b[0], i, minus, p);
  edge_middle(&b[1], j, found->n, q);
  const double *u = b[0].axis[i], *w = b[1].axis[j];
  double m = sn_dot(u, w);
  sn_sub(d, q, p);
  double s = (sn_dot(d, u) - m * sn_dot(d, w)) / (1 - m * m);
  sn_axpy(p, fmax(-b[0].half[i], fmin(b[0].half[i], s)), u);
  sn_ball ball;
  sn_view view = {.distance = found->gap};
  sn_copy(view.n, found->n);
  sn_ball_at(c, b[0].item, p, 0, &ball);
  sn_touch_solid(c, pair, &ball, b[1].item, &view, 16 * (3 + found->code), list);
}

/* ---- both ---- */

static double apart_at(const void *user, const sn_solid_place *place, double n[3]) {
  const box *at = user, b[2] = {{at[0].item, place->center, at[0].half, place->axis}, at[1]};
  const axis_found found = separating_axis(b);
  sn_copy(n, found.n);
  return found.gap;
}

static double gap_along(const void *user, const sn_solid_place *place, const double n[3]) {
  const box *at = user, b[2] = {{at[0].item, place->center, at[0].half, place->axis}, at[1]};
  double d[3];
  sn_sub(d, b[0].center, b[1].center);
  return sn_dot(d, n) - extent_along(&b[0], n) - extent_along(&b[1], n);
}

void sn_box_box(const sn_contacts *c, const sn_pair *pair, int i, int j, sn_contact_list *list) {
  box b[2];
  int items[2] = {i, j};
  for (int k = 0; k < 2; k++) {
    const sn_solid_place *p = &c->own->solid[items[k]];
    b[k] = (box){items[k], p->center, c->surfaces->item[items[k]].half, p->axis};
  }
  axis_found found = separating_axis(b);
  if (found.gap > sn_reach(c, &c->surfaces->law[pair->law])) return;
  const sn_swept_pair swept = {i, j, b, SN_OTHER_FEATURE, apart_at, gap_along};
  const int first = list->count;
  sn_sweep sweep;
  const bool later = sn_sweep_find(c, &swept, found.gap, found.n, &sweep);
  if (later) {
    const sn_solid_place *there = &sweep.place;
    b[0].center = there->center, b[0].axis = there->axis;
    found = separating_axis(b);
  }
  if (found.code < 6)
    touch_faces(c, pair, b, found.code / 3, found.n, list);
  else
    touch_edges(c, pair, b, &found, list);
  if (later) sn_sweep_back(c, &swept, &sweep, first, list);
}
