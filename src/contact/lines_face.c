/* lines_face.c - contacts of a line, the side of a capsule or cylinder, that lies on a face of a box or on the end of a
 * cylinder.
 *
 * There are two: at the ends of what lies over the face. An end of the line touches the face, with its normal o. Where
 * the line goes on beyond the outline the contact is that of line and edge, with the normal n = a x t of both. Each has
 * a gap that is smooth as the solids move, and so a potential: which of the two is deeper, and whether the face or the
 * edge has the closest point, makes no difference. Two that come near each other become one (sn_apart_from).
 */
#include <math.h>

#include "contact/convex.h"
#include "math/vec3.h"

/* The face of a core and the line of the other. */
typedef struct lying {
  const sn_core *face, *line;
  const double *o, *a; /* normal of the face, axis of the line */
  double center[3];    /* of the face */
  double middle[3];    /* of the line on the side that looks to the face */
  const double *u, *w; /* box: edges of the face */
  double half[2];
} lying;

static void lie(const sn_meeting *y, int k, const double o[3], lying *p) {
  *p = (lying){.face = &y->core[k], .line = &y->core[1 - k], .o = o, .a = y->core[1 - k].axis[0]};
  const sn_core *f = p->face;
  int up = 0;
  for (int i = 1; f->shape == SN_ITEM_BOX && i < 3; i++)
    if (fabs(sn_dot(f->axis[i], o)) > fabs(sn_dot(f->axis[up], o))) up = i;
  sn_copy(p->center, f->center);
  sn_axpy(p->center, f->half[up], o);
  if (f->shape == SN_ITEM_BOX) {
    int i = (up + 1) % 3, j = (up + 2) % 3;
    p->u = f->axis[i], p->w = f->axis[j];
    p->half[0] = f->half[i], p->half[1] = f->half[j];
  }
  double out[3];
  sn_scale(out, -1, o);
  sn_axpy(out, sn_dot(o, p->a), p->a);
  sn_copy(p->middle, p->line->center);
  if (sn_normalize(out) > 0) sn_axpy(p->middle, p->line->radius, out);
}

/* One end of what lies over the face: at s along the line; edge: the outline ends it, there it goes along t through c.
 */
typedef struct end_over {
  double s;
  bool edge;
  double t[3], c[3];
} end_over;

/* Cut by |e.(x - center)| <= half, as seen along o; edges go along t. */
static void cut_by(const lying *p, const double e[3], double half, const double t[3], end_over end[2]) {
  double d[3];
  sn_sub(d, p->middle, p->center);
  double at = sn_dot(d, e), slope = sn_dot(p->a, e);
  for (int k = 0; k < 2; k++) {
    double sign = k ? 1 : -1; /* which edge */
    if (fabs(slope) < 1e-12) {
      if (sign * at > half) end[0].s = 1, end[1].s = -1; /* nothing is over the face */
      continue;
    }
    double s = (sign * half - at) / slope;
    int upper = sign * slope > 0;
    if (upper ? s < end[1].s : s > end[0].s) {
      end_over *x = &end[upper];
      *x = (end_over){.s = s, .edge = true};
      sn_copy(x->t, t);
      sn_copy(x->c, p->center);
      sn_axpy(x->c, sign * half, e);
    }
  }
}

/* Cut by the rim of a disk. */
static void cut_by_rim(const lying *p, end_over end[2]) {
  double d[3], a[3], R = p->face->radius;
  sn_sub(d, p->middle, p->center);
  sn_axpy(d, -sn_dot(d, p->o), p->o);
  sn_copy(a, p->a);
  sn_axpy(a, -sn_dot(a, p->o), p->o);
  double A = sn_dot(a, a), B = sn_dot(a, d), C = sn_dot(d, d) - R * R, root = B * B - A * C;
  if (!(root > 0)) {
    end[0].s = 1, end[1].s = -1;
    return;
  }
  for (int k = 0; k < 2; k++) {
    double s = (-B + (k ? 1 : -1) * sqrt(root)) / A, out[3];
    if (k ? s > end[1].s : s < end[0].s) continue;
    end[k] = (end_over){.s = s, .edge = true};
    sn_copy(out, d);
    sn_axpy(out, s, a);
    sn_cross(end[k].t, p->o, out);
    sn_normalize(end[k].t);
    sn_copy(end[k].c, p->center);
    sn_axpy(end[k].c, 1, out);
  }
}

static bool cut(const lying *p, end_over end[2]) {
  for (int k = 0; k < 2; k++) end[k] = (end_over){.s = k ? p->line->half[0] : -p->line->half[0]};
  if (p->u) {
    cut_by(p, p->u, p->half[0], p->w, end);
    cut_by(p, p->w, p->half[1], p->u, end);
  } else {
    cut_by_rim(p, end);
  }
  return end[0].s <= end[1].s;
}

/* A contact: x on the core of the line, n out of the face, gap without margins. */
typedef struct spot {
  double x[3], n[3], gap;
} spot;

/* The normal of line and edge; false: nearly parallel, or a normal far from that of the face. */
static bool normal_of(const lying *p, const double t[3], double n[3]) {
  sn_cross(n, p->a, t);
  if (sn_dot(n, p->o) < 0) sn_scale(n, -1, n);
  return sn_normalize(n) > 0.03 && sn_dot(n, p->o) > 0.95;
}

/* Where the rim is nearest to the axis of the line: c and t of an edge are moved along it, by Newton on the squared
 * distance f = |P (c - x)|^2/2, P across a. */
static bool nearest_on_rim(const lying *p, end_over *end) {
  double R = p->face->radius;
  for (int i = 0; i < 12; i++) {
    double w[3], out[3], along = sn_dot(end->t, p->a);
    sn_sub(w, end->c, p->line->center);
    sn_axpy(w, -sn_dot(w, p->a), p->a);
    sn_sub(out, end->c, p->center);
    double f_c = sn_dot(w, end->t), f_cc = 1 - along * along - sn_dot(w, out) / (R * R);
    if (!(f_cc > 0.01)) return false;
    double turn = fmax(-0.2, fmin(0.2, -f_c / f_cc / R)), t[3];
    sn_copy(t, end->t);
    sn_scale(end->t, cos(turn), t);
    sn_axpy(end->t, -sin(turn) / R, out);
    sn_copy(end->c, p->center);
    sn_axpy(end->c, cos(turn), out);
    sn_axpy(end->c, R * sin(turn), t);
    if (fabs(turn) < 1e-13) return true;
  }
  return false;
}

/* Line and edge, closest points. */
static bool meet_edge(const lying *p, end_over *end, spot *y) {
  const double *axis = p->line->center;
  if (!p->u && !nearest_on_rim(p, end)) return false;
  if (!normal_of(p, end->t, y->n)) return false;
  double d[3], m = sn_dot(p->a, end->t);
  sn_sub(d, end->c, axis);
  double s = (sn_dot(d, p->a) - m * sn_dot(d, end->t)) / (1 - m * m);
  if (fabs(s) > p->line->half[0]) return false;
  y->gap = -sn_dot(d, y->n) - p->line->radius;
  sn_copy(y->x, axis);
  sn_axpy(y->x, s, p->a);
  sn_axpy(y->x, -p->line->radius, y->n);
  return true;
}

/* The two points, and the closest one of the solids where it is none of them, as where the line passes close to a
 * corner or along the rim. */
static void touch_spots(const sn_meeting *y, int k, const spot spots[2]) {
  const sn_item *item = y->c->surfaces->item;
  double apart[3], margins = y->core[0].margin + y->core[1].margin;
  int deeper = spots[1].gap < spots[0].gap, first = y->list->count;
  sn_sub(apart, spots[1].x, spots[0].x);
  double part = sn_apart_from(y, sn_norm(apart));
  /* a line on a face or on an edge: nearly always one of the two, and the gap of the solids is as rough as straight is
   */
  bool listed = y->apart.extreme[0].flats + y->apart.extreme[1].flats > 1;
  double rough = listed ? 3e-4 * y->core[1 - k].half[0] : 1e-6 * sn_blunt(&item[y->core[1 - k].item]);
  if (spots[deeper].gap - margins > y->gap + rough) sn_touch_once(y);
  bool third = y->list->count > first;
  for (int i = 0; i < 2; i++) {
    sn_view view = {.distance = spots[i].gap - margins};
    sn_contact *contact = sn_touch_core(y, 1 - k, spots[i].x, spots[i].n, &view, 16 + i);
    if (!contact) continue;
    if (i != deeper) contact->stiffness *= part;
    if (!third) continue;
    sn_sub(apart, contact->point, y->list->contact[first].point);
    contact->stiffness *= sn_apart_from(y, sn_norm(apart));
  }
}

bool sn_touch_line_on_face(const sn_meeting *y, int k, const double o[3], bool edges) {
  lying p;
  end_over end[2];
  spot spots[2];
  lie(y, k, o, &p);
  if (fabs(sn_dot(o, p.a)) > 0.3 || !cut(&p, end)) return false;
  bool dvi = y->c->surfaces->law[y->pair->law].dvi, met = false;
  for (int i = 0; i < 2; i++) {
    if (!dvi && end[i].edge && meet_edge(&p, &end[i], &spots[i])) {
      met = true;
      continue;
    }
    double d[3];
    sn_copy(spots[i].x, p.middle);
    sn_axpy(spots[i].x, end[i].s, p.a);
    sn_copy(spots[i].n, o);
    sn_sub(d, spots[i].x, p.center);
    spots[i].gap = sn_dot(d, o);
  }
  if (edges && !met) return false;
  touch_spots(y, k, spots);
  return true;
}
