/* flats.c - contacts of two solids by penalty where flat parts lie on each other: face on face, line on face.
 *
 * The distance of two convex solids has a kink where flat parts are parallel: the closest point jumps from corner to
 * corner, and a force there would not be continuous. Therefore, as the flats become parallel, the stiffness moves from
 * the closest point to the corners i of the common part, seen along n, the mean of both normals:
 *
 *     U = W sum w_i V(d_i) + (1 - W) U_rest        V = K d^(k+1)/(k+1),  d_i: how far the two planes overlap at i
 *
 *     w_i = m_i/M_i s(M_i)                         m_i: exterior angle of the common part at i
 *                                                  M_i = sum_j m_j k(|x_i - x_j|), the turn of the outline near i
 *                                                  k(x) = (1 - x^2/r^2)^2 for x < r = 3/4 of the smaller solid
 *                                                  s: from 0 to 1 at 1/2 rad
 *
 * An isolated corner has w_i = 1, and corners close together have 1 in total. Corners appear and vanish in two ways as
 * outlines cross: one is cut off and becomes two, whose angles have the same sum, or two edges on each other turn and
 * cross in their middle, at an angle that begins with 0. U is continuous in both. W decreases with the angle between
 * the flats and with the width of their common part. The rim of a disk is a polygon here, and round if the disk is
 * inclined: W then decreases with the angle over the depth.
 *
 * Forces are -dU/dq. The terms due to changes of w_i and W and to corners that move along outlines are a force and a
 * couple at one of them (sn_contact.shift), from central differences of U by the six relative motions.
 */
#include <math.h>
#include <string.h>

#include "contact/convex.h"
#include "contact/law.h"
#include "contact/solid.h"
#include "math/vec3.h"

enum { RIM = 16, FLAT_CORNERS = 2 * RIM + 8 };
static const double SINE = 0.2;    /* of the angle beyond which flats are not parallel */
static const double SPREAD = 0.75; /* r over the size of the smaller solid: eight corners' worth for a disk */
static const double TURN = 0.5;    /* angle of the outline from which on its corners count in full */
static const double NARROW = 0.1;  /* width of a common part that counts in full, over that size */

/* The flat parts in contact; constant for small motions of the solids. */
typedef struct flat {
  int solid;
  bool face;
  int axis;       /* normal of the face, or direction of the line; of a hull the number of the face or edge */
  double sign[3]; /* on which side, along each axis of the solid */
} flat;

typedef struct flats {
  flat of[2];   /* of[0] is cut to the outline of of[1], a face */
  double size;  /* of the smaller solid */
  double reach; /* half the width of the smaller face, half the length of the line */
} flats;

/* Energy and contact points for K = 1. */
typedef struct lying {
  double U, W;
  double frame[3][3]; /* the last axis is n, out of the outline */
  int count;
  double x[FLAT_CORNERS][3]; /* on of[0], in this frame */
  double gap[FLAT_CORNERS], part[FLAT_CORNERS];
} lying;

/* ---- outlines ---- */

static void normal_of(const sn_core *core, const flat *f, double o[3]) {
  if (core->hull) {
    sn_hull_normal(core, f->axis, o);
    return;
  }
  sn_scale(o, f->sign[f->axis], core->axis[f->axis]);
}

static void along_line(const sn_core *core, const flat *f, double e[3]) {
  if (core->hull)
    sn_hull_along(core, f->axis, e);
  else
    sn_copy(e, core->axis[f->axis]);
}

static int corners_of_face(const sn_core *core, const flat *f, double (*x)[3]) {
  double middle[3];
  if (core->hull) return sn_hull_corners(core, f->axis, RIM, x);
  int u = (f->axis + 1) % 3, w = (f->axis + 2) % 3;
  sn_copy(middle, core->center);
  sn_axpy(middle, f->sign[f->axis] * core->half[f->axis], core->axis[f->axis]);
  if (core->straight == 3) {
    for (int k = 0; k < 4; k++) {
      sn_copy(x[k], middle);
      sn_axpy(x[k], k == 0 || k == 3 ? -core->half[u] : core->half[u], core->axis[u]);
      sn_axpy(x[k], k < 2 ? -core->half[w] : core->half[w], core->axis[w]);
    }
    return 4;
  }
  for (int k = 0; k < RIM; k++) {
    double angle = 2 * acos(-1.0) * k / RIM;
    sn_copy(x[k], middle);
    sn_axpy(x[k], core->radius * cos(angle), core->axis[u]);
    sn_axpy(x[k], core->radius * sin(angle), core->axis[w]);
  }
  return RIM;
}

/* The edge of a box; the line of a cylinder's side that looks against o; the axis of a capsule. */
static int ends_of_line(const sn_core *core, const flat *f, const double o[3], double (*x)[3]) {
  double middle[3];
  if (core->hull) {
    sn_hull_ends(core, f->axis, x);
    return 2;
  }
  sn_copy(middle, core->center);
  if (core->straight == 3) {
    for (int k = 0; k < 3; k++)
      if (k != f->axis) sn_axpy(middle, f->sign[k] * core->half[k], core->axis[k]);
  } else if (core->radius > 0) {
    double out[3];
    sn_scale(out, -1, o);
    sn_axpy(out, sn_dot(o, core->axis[0]), core->axis[0]);
    if (sn_normalize(out) > 0) sn_axpy(middle, core->radius, out);
  }
  for (int k = 0; k < 2; k++) {
    sn_copy(x[k], middle);
    sn_axpy(x[k], k ? core->half[f->axis] : -core->half[f->axis], core->axis[f->axis]);
  }
  return 2;
}

/* Cut by the line a x + b y = c, all in the plane across n; z is carried along. */
static int cut(int count, const double (*x)[3], double a, double b, double c, double (*y)[3]) {
  double over[FLAT_CORNERS];
  int kept = 0;
  for (int k = 0; k < count; k++) over[k] = a * x[k][0] + b * x[k][1] - c;
  for (int k = 0; k < count; k++) {
    int next = k + 1 < count ? k + 1 : 0;
    if (over[k] <= 0) sn_copy(y[kept++], x[k]);
    if (count == 2 && k == 1) continue; /* a line has one side */
    if ((over[k] <= 0) == (over[next] <= 0)) continue;
    double f = over[k] / (over[k] - over[next]);
    for (int m = 0; m < 3; m++) y[kept][m] = x[k][m] + f * (x[next][m] - x[k][m]);
    kept++;
  }
  return kept;
}

/* What of x lies within the outline. */
static int common_part(int count, double (*x)[3], int corners, const double (*outline)[3]) {
  double room[FLAT_CORNERS][3], (*from)[3] = x, (*to)[3] = room, turn = 0;
  for (int k = 1; k + 1 < corners; k++)
    turn += (outline[k][0] - outline[0][0]) * (outline[k + 1][1] - outline[0][1]) -
            (outline[k][1] - outline[0][1]) * (outline[k + 1][0] - outline[0][0]);
  for (int k = 0; k < corners && count > 0; k++) {
    const double *p = outline[k], *q = outline[k + 1 < corners ? k + 1 : 0];
    double a = q[1] - p[1], b = p[0] - q[0]; /* out of an outline that turns left */
    if (turn < 0) a = -a, b = -b;
    count = cut(count, (const double(*)[3])from, a, b, a * p[0] + b * p[1], to);
    double(*swap)[3] = from;
    from = to, to = swap;
  }
  if (from != x) memcpy(x, from, (size_t)count * sizeof *x);
  return count;
}

/* ---- U and W ---- */

static double smooth(double y) { /* from 0 to 1 */
  return y <= 0 ? 0 : y * y * (3 - 2 * y);
}

static double apart2(const double a[3], const double b[3]) { /* squared, across n */
  double x = a[0] - b[0], y = a[1] - b[1];
  return x * x + y * y;
}

/* Directions of the edges, unit, edge i from corner i to the next; those shorter than `least`, which have none, go on
 * in that of the edge before. Returns the width of the common part, area over half its perimeter. */
static double edges_of(int n, const double (*x)[3], double least, double (*e)[2]) {
  double area = 0, around = 0;
  int known = -1;
  for (int i = 0; i < n; i++) {
    int next = i + 1 < n ? i + 1 : 0;
    double length = sqrt(apart2(x[i], x[next]));
    area += (x[i][0] - x[0][0]) * (x[next][1] - x[0][1]) - (x[i][1] - x[0][1]) * (x[next][0] - x[0][0]);
    around += length;
    for (int k = 0; k < 2; k++) e[i][k] = length > least ? (x[next][k] - x[i][k]) / length : 0;
    if (length > least) known = i;
  }
  for (int i = 0, last = known; i < n && known >= 0; i++) {
    if (e[i][0] == 0 && e[i][1] == 0) memcpy(e[i], e[last], sizeof *e);
    last = i;
  }
  return around > 0 ? fabs(area) / around : 0;
}

/* m_i, and the width of the common part: the length of a line. */
static double measure(const flats *f, int n, const double (*x)[3], double m[FLAT_CORNERS]) {
  if (n == 2) {
    m[0] = m[1] = acos(-1.0);
    return sqrt(apart2(x[0], x[1]));
  }
  double e[FLAT_CORNERS][2], width = edges_of(n, x, 1e-9 * f->size, e);
  for (int i = 0; i < n; i++) {
    const double *in = e[i > 0 ? i - 1 : n - 1], *out = e[i];
    m[i] = atan2(fabs(in[0] * out[1] - in[1] * out[0]), in[0] * out[0] + in[1] * out[1]);
  }
  return width;
}

/* w_i */
static void share(const flats *f, const double m[FLAT_CORNERS], lying *y) {
  double r2 = SPREAD * f->size * SPREAD * f->size, M[FLAT_CORNERS];
  for (int i = 0; i < y->count; i++) {
    M[i] = m[i];
    for (int j = 0; j < i; j++) {
      double near = 1 - apart2(y->x[i], y->x[j]) / r2;
      if (!(near > 0)) continue;
      M[i] += m[j] * near * near;
      M[j] += m[i] * near * near;
    }
  }
  for (int i = 0; i < y->count; i++) y->part[i] = m[i] > 0 ? m[i] / M[i] * smooth(fmin(1, M[i] / TURN)) : 0;
}

/* An edge of a box or hull lies on a face that leans about it, much more than along it: else other edges are as low. */
static double as_edge(const sn_core *core, const flat *line, const double o[3]) {
  if (!sn_core_is_polyhedron(core)) return 1;
  double e[3], m[3], least = INFINITY;
  along_line(core, line, e);
  double along = sn_dot(o, e);
  sn_scale(m, -1, o);
  if (core->hull) {
    least = sn_hull_rise(core, line->axis, m);
    return least > 0 ? smooth(1 - 4 * along * along / (least * least)) : 0;
  }
  for (int k = 0; k < 3; k++)
    if (k != line->axis) least = fmin(least, fabs(sn_dot(o, core->axis[k])));
  return least > 0 ? smooth(1 - 4 * along * along / (least * least)) : 0;
}

/* W. The depth d is that of the closest point: flats count only as far as they are as deep, else something else
 * touches.
 */
static double as_parallel(const flats *f, const lying *y, const sn_law *law, double sine2, double width, double d) {
  double narrow = sn_fading(width, NARROW * f->size);
  double depth = sn_press_depth(law, 1, y->U); /* of one corner that would hold as much */
  double W = smooth(1 - sine2 / (SINE * SINE)) * (1 - narrow * narrow);
  W *= smooth(fmin(1, (depth / d - 0.5) / 0.4));
  if (!(W > 0)) return 0;
  return W * smooth(1 - sine2 * f->reach * f->reach / (depth * depth));
}

/* In the frame of n, from the center of solid 1. */
static void see_along(const lying *y, const double origin[3], int count, double (*x)[3]) {
  for (int k = 0; k < count; k++) {
    double w[3];
    sn_sub(w, x[k], origin);
    for (int m = 0; m < 3; m++) x[k][m] = sn_dot(w, y->frame[m]);
  }
}

static void lay(const flats *f, const sn_core core[2], const sn_law *law, double d, lying *y) {
  const flat *a = &f->of[0], *b = &f->of[1];
  double o[3], other[3], outline[RIM][3], m[FLAT_CORNERS], sine, *n = y->frame[2];
  normal_of(&core[b->solid], b, o);
  sn_copy(n, o);
  if (a->face) {
    normal_of(&core[a->solid], a, other);
    sn_axpy(n, -1, other);
    sn_cross(other, o, other);
    sine = sn_norm(other);
    y->count = corners_of_face(&core[a->solid], a, y->x);
  } else {
    along_line(&core[a->solid], a, other);
    sine = sn_dot(o, other);
    y->count = ends_of_line(&core[a->solid], a, o, y->x);
  }
  y->U = y->W = 0;
  if (!(fabs(sine) < SINE)) return;
  sn_normalize(n);
  sn_frame(n, y->frame[0], y->frame[1]);
  int corners = corners_of_face(&core[b->solid], b, outline);
  see_along(y, core[1].center, y->count, y->x);
  see_along(y, core[1].center, corners, outline);
  y->count = common_part(y->count, y->x, corners, (const double(*)[3])outline);
  if (y->count < 2) return;
  double width = measure(f, y->count, (const double(*)[3])y->x, m), margins = core[0].margin + core[1].margin,
         normal[3];
  share(f, m, y);
  for (int k = 0; k < 3; k++) normal[k] = sn_dot(o, y->frame[k]);
  for (int i = 0; i < y->count; i++) {
    double w[3];
    sn_sub(w, y->x[i], outline[0]);
    y->gap[i] = sn_dot(w, normal) / normal[2] - margins;
    if (y->gap[i] < 0) y->U += y->part[i] * sn_press_energy(law, 1, -y->gap[i]);
  }
  y->W = as_parallel(f, y, law, sine * sine, width, d);
  if (!a->face) y->W *= as_edge(&core[a->solid], a, o);
}

/* ---- which flats ---- */

static int most_along(const sn_core *core, const double m[3]) {
  int face = 0;
  for (int k = 1; core->straight == 3 && k < 3; k++)
    if (fabs(sn_dot(core->axis[k], m)) > fabs(sn_dot(core->axis[face], m))) face = k;
  return face;
}

static int most_across(const sn_core *core, const double m[3]) {
  int line = 0;
  for (int k = 1; core->straight == 3 && k < 3; k++)
    if (fabs(sn_dot(core->axis[k], m)) < fabs(sn_dot(core->axis[line], m))) line = k;
  return line;
}

/* The face or line of a solid that looks along m; false: too far from it. */
static bool flat_along(const sn_core *core, int solid, bool face, const double m[3], flat *f) {
  if (core->hull) {
    double e[3];
    *f = (flat){.solid = solid, .face = face};
    f->axis = face ? sn_hull_face_along(core, m) : sn_hull_edge_across(core, m);
    if (face)
      normal_of(core, f, e);
    else
      along_line(core, f, e);
    return face ? sn_dot(e, m) > 0.7 : fabs(sn_dot(e, m)) < 0.7;
  }
  *f = (flat){.solid = solid, .face = face, .axis = face ? most_along(core, m) : most_across(core, m)};
  for (int k = 0; k < 3; k++) f->sign[k] = sn_dot(core->axis[k], m) < 0 ? -1 : 1;
  double along = fabs(sn_dot(core->axis[f->axis], m));
  return face ? sn_core_has_faces(core) && along > 0.7 : sn_core_has_lines(core) && along < 0.7;
}

/* Half the width of a face. */
static double reach_of(const sn_core *core, const flat *f) {
  if (core->hull) return sn_hull_half_width(core, f->axis);
  if (core->straight != 3) return core->radius;
  return fmin(core->half[(f->axis + 1) % 3], core->half[(f->axis + 2) % 3]);
}

static double half_of_line(const sn_core *core, const flat *f) {
  return core->hull ? sn_hull_half_edge(core, f->axis) : core->half[f->axis];
}

/* Face on face (kind 0), line of solid kind - 1 on the face of the other. */
static bool choose(const sn_meeting *y, int kind, flats *f) {
  const sn_item *item = y->c->surfaces->item;
  int b = kind == 2 ? 0 : 1, a = 1 - b;
  double into[2][3], o[3];
  sn_scale(into[0], -1, y->apart.n);
  sn_copy(into[1], y->apart.n);
  if (!flat_along(&y->core[b], b, true, into[b], &f->of[1])) return false;
  normal_of(&y->core[b], &f->of[1], o);
  sn_scale(o, -1, o);
  if (!flat_along(&y->core[a], a, kind == 0, o, &f->of[0])) return false;
  f->size = fmin(sn_solid_size(&item[y->core[0].item]), sn_solid_size(&item[y->core[1].item]));
  f->reach = kind ? half_of_line(&y->core[a], &f->of[0])
                  : fmin(reach_of(&y->core[a], &f->of[0]), reach_of(&y->core[b], &f->of[1]));
  return true;
}

/* ---- forces ---- */

/* Move solid 0 by `step` along direction k (0..2) or about it through `pivot` (3..5). */
static void moved(const sn_core *from, const double pivot[3], int k, double step, double center[3], double axis[3][3]) {
  double w[3] = {0, 0, 0}, arm[3];
  w[k % 3] = step;
  sn_copy(center, from->center);
  memcpy(axis, from->axis, 3 * sizeof *axis);
  if (k < 3) {
    sn_axpy(center, 1, w);
    return;
  }
  sn_sub(arm, center, pivot);
  double *turned[4] = {arm, axis[0], axis[1], axis[2]};
  for (int i = 0; i < 4; i++) {
    double once[3], twice[3];
    sn_cross(once, w, turned[i]);
    sn_cross(twice, w, once);
    sn_axpy(turned[i], 1, once);
    sn_axpy(turned[i], 0.5, twice);
  }
  sn_copy(center, pivot);
  sn_axpy(center, 1, arm);
}

/* Derivatives of U and W by motions of solid 0; rotations about the pivot. */
static void slopes(const sn_meeting *meeting, const flats *f, const double pivot[3], double U_q[6], double W_q[6]) {
  const sn_core *core = meeting->core;
  const sn_law *law = &meeting->c->surfaces->law[meeting->pair->law];
  double d_q[6], arm[3]; /* of the depth of the closest point */
  sn_closest_point(meeting, arm);
  sn_sub(arm, arm, pivot);
  sn_cross(d_q + 3, meeting->apart.n, arm);
  sn_scale(d_q, -1, meeting->apart.n);
  for (int k = 0; k < 6; k++) {
    double U[2], W[2], step = 2e-3 * -meeting->gap / (k < 3 ? 1 : f->size);
    for (int side = 0; side < 2; side++) {
      sn_core there[2] = {core[0], core[1]};
      double center[3], axis[3][3];
      lying y;
      double by = side ? step : -step;
      moved(&core[0], pivot, k, by, center, axis);
      there[0].center = center, there[0].axis = (const double(*)[3])axis;
      lay(f, there, law, -meeting->gap + by * d_q[k], &y);
      U[side] = y.U, W[side] = y.W;
    }
    U_q[k] = (U[1] - U[0]) / (2 * step);
    W_q[k] = (W[1] - W[0]) / (2 * step);
  }
}

/* A force and a moment about `pivot` on solid 0, the opposite on solid 1, by a contact that presses. */
static void lead(const sn_meeting *y, int first, const double force[3], const double moment[3], const double pivot[3]) {
  sn_contact *best = NULL;
  for (int i = first; i < y->list->count; i++)
    if (!best || y->list->contact[i].gap < best->gap) best = &y->list->contact[i];
  if (!best || !(best->gap < 0)) return;
  double arm[3], turn[3], sign = best->side[0].item == y->core[0].item ? 1 : -1;
  sn_sub(arm, pivot, best->point);
  sn_cross(turn, arm, force);
  sn_axpy(turn, 1, moment);
  sn_axpy(best->shift, sign, force);
  sn_axpy(best->couple, sign, turn);
  best->leads = true;
}

/* A corner in space. */
static void corner_at(const sn_meeting *y, const lying *l, int i, double x[3]) {
  sn_copy(x, y->core[1].center);
  for (int k = 0; k < 3; k++) sn_axpy(x, l->x[i][k], l->frame[k]);
}

/* The corners as contacts, with W of the stiffness: adds what they do themselves, and returns K. */
static double touch_corners(const sn_meeting *y, const flats *f, const lying *l, int kind, const double pivot[3],
                            double force[3], double moment[3]) {
  const sn_law *law = &y->c->surfaces->law[y->pair->law];
  double K = 0;
  sn_view view = {.distance = 0};
  sn_scale(view.n, f->of[1].solid ? 1 : -1, l->frame[2]); /* from solid 1 into solid 0 */
  for (int i = 0; i < l->count; i++) {
    double x[3], arm[3], push[3], turn[3];
    sn_ball ball;
    view.distance = l->gap[i];
    corner_at(y, l, i, x);
    sn_axpy(x, f->of[0].solid == 0 ? -y->core[0].margin : y->core[1].margin + l->gap[i], view.n);
    sn_ball_at(y->c, y->core[0].item, x, 0, &ball);
    sn_contact *contact = sn_touch_solid(y->c, y->pair, &ball, y->core[1].item, &view, 64 * (1 + kind) + i, y->list);
    if (!contact) continue;
    K = contact->stiffness;
    contact->stiffness *= l->W * l->part[i];
    if (!(contact->gap < 0)) continue;
    sn_scale(push, sn_press_force(law, contact->stiffness, -contact->gap), view.n);
    sn_sub(arm, contact->point, pivot);
    sn_cross(turn, arm, push);
    sn_axpy(force, 1, push);
    sn_axpy(moment, 1, turn);
  }
  return K;
}

static double stored(const sn_meeting *y, int first) {
  const sn_law *law = &y->c->surfaces->law[y->pair->law];
  double U = 0;
  for (int i = first; i < y->list->count; i++) {
    const sn_contact *x = &y->list->contact[i];
    if (x->gap < 0) U += sn_press_energy(law, x->stiffness, -x->gap);
  }
  return U;
}

/* Contacts from `first` on get this part of what they have. */
static void reduce(const sn_meeting *y, int first, double part) {
  for (int i = first; i < y->list->count; i++) {
    sn_contact *x = &y->list->contact[i];
    x->stiffness *= part;
    sn_scale(x->shift, part, x->shift);
    sn_scale(x->couple, part, x->couple);
  }
}

static void touch_from(const sn_meeting *y, int kind) {
  const sn_law *law = &y->c->surfaces->law[y->pair->law];
  flats f;
  lying l;
  while (kind < 3 && !choose(y, kind, &f)) kind++;
  if (kind == 3) {
    if (!sn_touch_lines(y)) sn_touch_once(y);
    return;
  }
  lay(&f, y->core, law, -y->gap, &l);
  if (!(l.W > 0)) {
    touch_from(y, kind + 1);
    return;
  }
  int first = y->list->count;
  double rest = 0, U_q[6], W_q[6], push[3] = {0, 0, 0}, turn[3] = {0, 0, 0}, force[3], moment[3];
  if (l.W < 1) {
    touch_from(y, kind + 1);
    rest = stored(y, first);
    reduce(y, first, 1 - l.W);
  }
  double pivot[3] = {0, 0, 0};
  for (int i = 0; i < l.count; i++) {
    double x[3];
    corner_at(y, &l, i, x);
    sn_axpy(pivot, 1.0 / l.count, x);
  }
  double K = touch_corners(y, &f, &l, kind, pivot, push, turn);
  slopes(y, &f, pivot, U_q, W_q);
  for (int k = 0; k < 3; k++) {
    force[k] = -l.W * K * U_q[k] - (K * l.U - rest) * W_q[k] - push[k];
    moment[k] = -l.W * K * U_q[3 + k] - (K * l.U - rest) * W_q[3 + k] - turn[k];
  }
  lead(y, first, force, moment, pivot);
}

void sn_touch_flats(const sn_meeting *y) {
  if (y->gap < 0)
    touch_from(y, 0);
  else
    sn_touch_once(y);
}
