/* lines_face.c - contacts by complementarity of a line, the side of a capsule or cylinder, that lies on a face of a box
 * or on the end of a cylinder: at both ends of the part above the face, with its normal o.
 */
#include <math.h>

#include "contact/convex.h"
#include "contact/solid.h"
#include "math/vec3.h"

/* The face of a core and the line of the other. */
typedef struct lying {
  const sn_core *face, *line;
  const double *o, *a; /* normal of the face, axis of the line */
  double center[3];    /* of the face */
  double middle[3];    /* of the line on the side that looks to the face */
  const double *u, *w; /* box: edges of the face */
  double half[2];
  int corners; /* hull: of the face */
  double outline[SN_FACE_CORNERS][3];
} lying;

static void lie(const sn_meeting *y, int k, const double o[3], lying *p) {
  *p = (lying){.face = &y->core[k], .line = &y->core[1 - k], .o = o, .a = y->core[1 - k].axis[0]};
  const sn_core *f = p->face;
  int up = 0;
  for (int i = 1; f->straight == 3 && i < 3; i++)
    if (fabs(sn_dot(f->axis[i], o)) > fabs(sn_dot(f->axis[up], o))) up = i;
  sn_copy(p->center, f->center);
  sn_axpy(p->center, f->half[up], o);
  if (f->straight == 3) {
    int i = (up + 1) % 3, j = (up + 2) % 3;
    p->u = f->axis[i], p->w = f->axis[j];
    p->half[0] = f->half[i], p->half[1] = f->half[j];
  }
  if (f->hull) {
    p->corners = sn_hull_corners(f, sn_hull_face_along(f, o), SN_FACE_CORNERS, p->outline);
    sn_copy(p->center, p->outline[0]);
  }
  double out[3];
  sn_scale(out, -1, o);
  sn_axpy(out, sn_dot(o, p->a), p->a);
  sn_copy(p->middle, p->line->center);
  if (sn_normalize(out) > 0) sn_axpy(p->middle, p->line->radius, out);
}

/* Cut s[0] .. s[1] along the line by |e.(x - center)| <= half, as seen along o. */
static void cut_by(const lying *p, const double e[3], double half, double s[2]) {
  double d[3];
  sn_sub(d, p->middle, p->center);
  double at = sn_dot(d, e), slope = sn_dot(p->a, e);
  for (int k = 0; k < 2; k++) {
    double sign = k ? 1 : -1; /* which edge */
    if (fabs(slope) < 1e-12) {
      if (sign * at > half) s[0] = 1, s[1] = -1; /* nothing is over the face */
      continue;
    }
    double there = (sign * half - at) / slope;
    int upper = sign * slope > 0;
    if (upper ? there < s[1] : there > s[0]) s[upper] = there;
  }
}

/* Cut by the edges of a polygon, counterclockwise about o. */
static void cut_by_outline(const lying *p, double s[2]) {
  for (int k = 0; k < p->corners; k++) {
    double e[3], out[3], d[3];
    sn_sub(e, p->outline[(k + 1) % p->corners], p->outline[k]);
    sn_cross(out, e, p->o);
    sn_sub(d, p->middle, p->outline[k]);
    double over = sn_dot(d, out), slope = sn_dot(p->a, out), size = sn_norm(out);
    if (fabs(slope) < 1e-12 * size) {
      if (over > 0) s[0] = 1, s[1] = -1;
    } else if (slope > 0) {
      s[1] = fmin(s[1], -over / slope);
    } else {
      s[0] = fmax(s[0], -over / slope);
    }
  }
}

/* Cut by the rim of a disk. */
static void cut_by_rim(const lying *p, double s[2]) {
  double d[3], a[3], R = p->face->radius;
  sn_sub(d, p->middle, p->center);
  sn_axpy(d, -sn_dot(d, p->o), p->o);
  sn_copy(a, p->a);
  sn_axpy(a, -sn_dot(a, p->o), p->o);
  double A = sn_dot(a, a), B = sn_dot(a, d), C = sn_dot(d, d) - R * R, root = B * B - A * C;
  if (!(root > 0)) {
    s[0] = 1, s[1] = -1;
    return;
  }
  s[0] = fmax(s[0], (-B - sqrt(root)) / A);
  s[1] = fmin(s[1], (-B + sqrt(root)) / A);
}

bool sn_touch_line_on_face(const sn_meeting *y, int k, const double o[3]) {
  lying p;
  lie(y, k, o, &p);
  if (fabs(sn_dot(o, p.a)) > 0.3) return false;
  double s[2] = {-p.line->half[0], p.line->half[0]}, margins = y->core[0].margin + y->core[1].margin;
  if (p.u) {
    cut_by(&p, p.u, p.half[0], s);
    cut_by(&p, p.w, p.half[1], s);
  } else if (p.corners) {
    cut_by_outline(&p, s);
  } else {
    cut_by_rim(&p, s);
  }
  if (!(s[0] <= s[1])) return false;
  double x[2][3], distance[2];
  for (int i = 0; i < 2; i++) {
    double d[3];
    sn_copy(x[i], p.middle);
    sn_axpy(x[i], s[i], p.a);
    sn_sub(d, x[i], p.center);
    distance[i] = sn_dot(d, o) - margins;
  }
  /* Where the line passes close to a corner or along the rim something else is deeper. Of what is listed as straight
   * the gap is as rough as straight is. */
  bool listed = y->apart.support[0].flats + y->apart.support[1].flats > 1;
  double rough = listed ? 3e-4 * p.line->half[0] : 1e-6 * sn_solid_size(&y->c->surfaces->item[p.line->item]);
  if (fmin(distance[0], distance[1]) > y->gap + rough) sn_touch_once(y);
  for (int i = 0; i < 2; i++) {
    sn_view view = {.distance = distance[i]};
    sn_touch_core(y, 1 - k, x[i], o, &view, 16 + i);
  }
  return true;
}
