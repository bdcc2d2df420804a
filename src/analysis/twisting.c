/* twisting.c - see twisting.h. */
#include "analysis/twisting.h"

#include <math.h>
#include <string.h>

#include "math/constants.h"
#include "math/vec3.h"

/* Of each body in evidence.free_twist: largest W, and largest U it is compared with [J]. */
enum { NEEDED, STORED, VALUES };

void sn_twisting_begin(sn_simulation *s) {
  bool any = false;
  for (int i = 0; i < s->model->bodies && !s->evidence.free_twist; i++) {
    const sn_body *body = &s->model->body[i];
    any = any || (body->groups > 1 && sn_body_geometry(body).turning);
  }
  if (any) s->evidence.free_twist = SN_NEW(&s->arena, double, VALUES * s->model->bodies);
}

void sn_twisting_history(sn_simulation *s, sn_history *h) {
  sn_twisting_begin(s); /* the row may be that of a checkpoint */
  if (s->evidence.free_twist) sn_history_reals(h, s->evidence.free_twist, (size_t)VALUES * (size_t)s->model->bodies);
}

/* ---- the plane of bending ---- */

typedef struct plane {
  double t[3], b[3];   /* unit tangent, and normal of the plane */
  double k, stretched; /* curvature; Green's strain */
} plane;

/* In the middle of the element with nodes r, r' at x. */
static plane plane_in(const double *x, double l) {
  plane p;
  double u[3], w[3];
  for (int i = 0; i < 3; i++) {
    u[i] = 1.5 * (x[6 + i] - x[i]) / l - (x[3 + i] + x[9 + i]) / 4;
    w[i] = (x[9 + i] - x[3 + i]) / l;
  }
  p.stretched = (sn_dot(u, u) - 1) / 2;
  sn_cross(p.b, u, w);
  const double length = sn_norm(u);
  p.k = length > 0 ? sn_norm(p.b) / (length * length * length) : 0;
  sn_copy(p.t, u);
  sn_normalize(p.t), sn_normalize(p.b);
  return p;
}

/* Turn x, across t, as a line that does not twist turns it on its way to the tangent at `to`, and return the angle from
 * there to the plane. */
static double angle_to(const plane *to, const double t[3], double x[3]) {
  double sum[3], side[3];
  for (int i = 0; i < 3; i++) sum[i] = t[i] + to->t[i];
  const double along = sn_dot(x, to->t), size = 1 + sn_dot(t, to->t);
  if (size > 1e-6) sn_axpy(x, -along / size, sum);
  sn_cross(side, to->t, x);
  return atan2(sn_dot(to->b, side), sn_dot(to->b, x));
}

/* ---- clamps ---- */

static bool holds(const sn_joint *j) {
  static const char *const kinds[] = {"fixed", "revolute", "prismatic"};
  for (size_t i = 0; i < SN_COUNT(kinds); i++)
    if (strcmp(j->ops->kind.name, kinds[i]) == 0) return true;
  return false;
}

/* The plane at the start, carried along by the body that a joint holds the cable to: the angle from it to the plane. */
static double angle_at(const sn_marker *carrier, const plane *start, const plane *now, const double *q) {
  double t[3], b[3];
  sn_probe probe;
  sn_marker_direction(carrier, start->t, &probe);
  probe.ops->value(&probe, q, t);
  sn_marker_direction(carrier, start->b, &probe);
  probe.ops->value(&probe, q, b);
  sn_normalize(t), sn_normalize(b);
  return angle_to(now, t, b);
}

/* ---- the least energy, station by station ---- */

/* What the line up to a station needs when the section there is at the angle a: least + stiffness (a - best)^2/2. */
typedef struct need {
  double stiffness, best, least;
} need;

/* Another part k (a - x)^2/2. */
static void add(need *n, double k, double x) {
  const double sum = n->stiffness + k;
  if (!(sum > 0)) return;
  n->least += n->stiffness * k / sum / 2 * (n->best - x) * (n->best - x);
  n->best = (n->stiffness * n->best + k * x) / sum;
  n->stiffness = sum;
}

/* On to the next station, over a spring k of torsion whose line turns by psi. */
static void pass(need *n, double k, double psi) {
  n->stiffness = n->stiffness * k / (n->stiffness + k);
  n->best -= psi;
}

typedef struct walk {
  const sn_simulation *s;
  int body;
  const sn_geometry *g;
  const double *q;
  int before;      /* the last station with a plane; -1: none */
  plane now, rest; /* there */
  bool back;       /* bent to the other side than at rest */
  need need;
  double stored, scale; /* strain energy, and that of bending by k0 */
} walk;

/* Joints that hold the cable behind the last station, up to this one; -1: none is left. */
static void clamp(walk *w, int station, const plane *start, const plane *now, bool last) {
  const sn_model *m = w->s->model;
  for (int j = 0; j < m->joints; j++)
    for (int k = 0; k < 2 && holds(&m->joint[j]); k++) {
      const sn_marker *own = &m->joint[j].marker[k], *carrier = &m->joint[j].marker[1 - k];
      if (own->body != &m->body[w->body] || !carrier->body || !carrier->has_frame) continue;
      if (own->element <= w->before || (own->element > station && !last)) continue;
      const double apart = fabs(station + 0.5 - own->element - own->local[0]) * w->g->element_length;
      plane seen = *now;
      if (w->back) sn_scale(seen.b, -1, seen.b);
      add(&w->need, w->g->turning_GJ / fmax(apart, 0.5 * w->g->element_length), -angle_at(carrier, start, &seen, w->q));
    }
}

/* Angle by which the plane of bending turns from the last station, less that at rest; it changes to the other side rather
 * than by more than a quarter of a turn. */
static double turn_to(walk *w, const plane *now, const plane *rest) {
  double x[3], x0[3];
  sn_copy(x, w->now.b), sn_copy(x0, w->rest.b);
  double psi = angle_to(now, w->now.t, x) - angle_to(rest, w->rest.t, x0);
  const bool was = w->back;
  psi = remainder(psi + (was ? SN_PI : 0), 2 * SN_PI);
  w->back = fabs(psi) > SN_PI / 2;
  return w->back ? psi - copysign(SN_PI, psi) : psi;
}

static bool is_last(const walk *w, int station) {
  const double l = w->g->element_length;
  for (int e = station + 1; e < w->g->elements; e++)
    if (plane_in(w->g->turning[e][0], l).k > 0.01 * w->scale) return false;
  return true;
}

static void step(walk *w, int e) {
  const double l = w->g->element_length, *q0 = w->s->model->q0;
  const size_t first = (size_t)w->s->model->body[w->body].first + 6 * (size_t)e;
  const plane now = plane_in(w->q + first, l), rest = plane_in(w->g->turning[e][0], l), start = plane_in(q0 + first, l);
  const double bent = now.k - rest.k, stretched = now.stretched - rest.stretched;
  w->stored += l / 2 * (w->g->EI[0] * bent * bent + w->g->stiffness * stretched * stretched);
  const double least = 0.01 * w->scale; /* below it, the line is straight there */
  if (!(now.k > least && rest.k > least && start.k > least)) return;
  if (w->before >= 0) {
    const double psi = turn_to(w, &now, &rest);
    pass(&w->need, w->g->turning_GJ / ((e - w->before) * l), psi);
  }
  add(&w->need, w->back ? 0 : l * w->g->EI[0] * now.k * rest.k, 0);
  clamp(w, e, &start, &now, is_last(w, e));
  w->before = e, w->now = now, w->rest = rest;
}

/* Of a straight cantilever bent as far as the cable has moved since the start, at most by its length. */
static double bent_as_far(const sn_simulation *s, int body, const sn_geometry *g, const double *q) {
  const double L = g->elements * g->element_length;
  double most = 0;
  for (int i = 0; i <= g->elements; i++) {
    const size_t at = (size_t)s->model->body[body].first + 6 * (size_t)i;
    double way[3];
    sn_sub(way, q + at, s->model->q0 + at);
    most = fmax(most, sn_norm(way));
  }
  most = fmin(most, L);
  return 1.5 * g->EI[0] * most * most / (L * L * L);
}

/* Less than a millionth of a radian of twist is rounding. */
void sn_twisting_look(sn_simulation *s, int body, const sn_geometry *g, const double *q) {
  if (!g->turning || !s->evidence.free_twist) return;
  double *own = s->evidence.free_twist + (size_t)VALUES * (size_t)body;
  walk w = {.s = s, .body = body, .g = g, .q = q, .before = -1};
  const double l = g->element_length;
  for (int e = 0; e < g->elements; e++) w.scale = fmax(w.scale, plane_in(g->turning[e][0], l).k);
  for (int e = 0; e < g->elements; e++) step(&w, e);
  const double rounding = 1e-12 * w.scale * w.scale * g->EI[0] * g->elements * l;
  own[NEEDED] = fmax(own[NEEDED], w.need.least - rounding);
  own[STORED] = fmax(own[STORED], w.stored + bent_as_far(s, body, g, q));
}

/* ---- the rule ---- */

double sn_twisting(const sn_simulation *s, int *body) {
  double most = 0;
  for (int i = 0; i < s->model->bodies && s->evidence.free_twist; i++) {
    const double *own = s->evidence.free_twist + (size_t)VALUES * (size_t)i;
    const double part = own[NEEDED] > 0 ? own[NEEDED] / (own[NEEDED] + own[STORED]) : 0;
    if (part > most) most = part, *body = i;
  }
  return most;
}

const char *sn_twisting_say(sn_simulation *s, double value) {
  int body = 0;
  sn_twisting(s, &body);
  return sn_format(
      &s->arena,
      "cable '%s', curved at rest, leaves its plane, and its sections turn freely about its line: a wire of this "
      "shape resists by its torsion, which would take %.2g of the energy of its deformation; possible remedy: 'type: "
      "beam', or 'rest: straight' "
      "if it is a rope without a shape of its own",
      s->model->body[body].name, value);
}
