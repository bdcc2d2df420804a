/* recovery.c - see recovery.h. */
#include "analysis/recovery.h"

#include <math.h>
#include <string.h>

#include "analysis/checkpoint.h"
#include "math/gauss.h"
#include "math/vec3.h"
#include "output/fiber.h"

enum { PLANE = 5, FORCES = 3, MOST = 6, WIDE = 9 }; /* columns: of lines in the plane, and N Qy Qz T My Mz */

/* An output: its elements, one or, at a node, on both sides of it, and the first and last with which each is compared. */
typedef struct sn_recovery {
  bool is_compared;
  int sides, element[2], first[2], last[2], elements;
  double s[2], length;
  double floor[2];              /* forces and moments of no strain to speak of */
  double size[MOST], off[MOST]; /* of a stress: the first */
} sn_recovery;

/* ---- places ---- */

/* Does something act at this node? */
static bool is_at(const sn_marker *y, const sn_body *body, int node) {
  return y->body == body && fabs(y->element + y->local[0] - node) < 1e-6;
}

static bool is_loaded(const sn_model *m, const sn_body *body, int node) {
  for (int i = 0; i < m->joints; i++)
    for (int k = 0; k < 2; k++)
      if (is_at(&m->joint[i].marker[k], body, node)) return true;
  for (int i = 0; i < m->forces; i++)
    for (int k = 0; k < m->force[i].markers; k++)
      if (is_at(&m->force[i].marker[k], body, node)) return true;
  return false;
}

/* Up to three elements around this one, or as many beside it as there are without a load between. */
static void take_side(const sn_model *m, const sn_body *body, sn_recovery *x, int element, double s) {
  const int k = x->sides++;
  int first = element, last = element;
  while (first > 0 && element - first < 2 && !is_loaded(m, body, first)) first--;
  while (last + 1 < x->elements && last - element < 2 && !is_loaded(m, body, last + 1)) last++;
  if (last - element > 1 && first < element) last = element + 1;
  if (last > element && element - first > 1) first = element - 1;
  x->element[k] = element, x->s[k] = s, x->first[k] = first, x->last[k] = last;
  if (last - first < 1) x->is_compared = false;
}

static void take_output(const sn_model *m, const sn_output *o, sn_recovery *x) {
  const sn_marker *at = &o->marker;
  const bool recorded = o->type == SN_OUTPUT_RESULTANT || o->type == SN_OUTPUT_STRESS;
  if (!recorded || !at->body || !at->body->data || !at->body->ops->geometry) return;
  sn_geometry g = {.place = 0.5};
  at->body->ops->geometry(at->body, &g);
  if (g.type == SN_GEOMETRY_SURFACE || g.elements < 2 || !(g.element_length > 0)) return;
  x->is_compared = true;
  x->elements = g.elements;
  x->length = g.elements * g.element_length;
  x->floor[0] = 1e-9 * g.stiffness;
  x->floor[1] = 1e-9 * fmax(g.EI[0], g.bending) / g.element_length;
  const int e = at->element, side = at->local[0] == 0 ? -1 : at->local[0] == 1 ? 1 : 0, next = e + side;
  take_side(m, at->body, x, e, at->local[0]);
  if (side && next >= 0 && next < g.elements) take_side(m, at->body, x, next, side < 0 ? 1 : 0);
}

static sn_recovery *memory_of(sn_simulation *s) {
  sn_evidence *e = &s->evidence;
  if (e->recovery) return e->recovery;
  e->recovery = SN_NEW(&s->arena, sn_recovery, s->model->outputs + 1);
  for (int i = 0; i < s->model->outputs; i++) take_output(s->model, &s->model->output[i], &e->recovery[i]);
  return e->recovery;
}

/* ---- values ---- */

/* Magnitudes have kinks where they pass zero: of a cable in space without `about` the components of vectors, for each of
 * N, Q, M three numbers. */
static bool is_signless(const sn_model *m, const sn_marker *at) {
  return m->dim == 3 && at->body->ops->resultant_headings->count == PLANE && !(sn_dot(at->about, at->about) > 0);
}

static void values_at(const sn_model *m, const sn_marker *at, const sn_eval *ev, double y[WIDE]) {
  double all[16] = {0};
  memset(y, 0, WIDE * sizeof *y);
  if (!is_signless(m, at)) {
    const bool plane = at->body->ops->resultant_headings->count == PLANE;
    at->body->ops->resultants(at, ev, all);
    memcpy(y, all, (plane ? 3 : 6) * sizeof *y);
    return;
  }
  for (int k = 0; k < 3; k++) {
    sn_marker marker = *at;
    marker.about[0] = marker.about[1] = marker.about[2] = 0;
    marker.about[k] = 1;
    at->body->ops->resultants(&marker, ev, all);
    if (k == 0) y[0] = all[0];
    y[3 + k] = all[1], y[6 + k] = all[2];
  }
}

static void mean_over(const sn_model *m, const sn_marker *at, int element, const sn_eval *ev, double y[WIDE]) {
  sn_marker marker = *at;
  double part[WIDE];
  memset(y, 0, WIDE * sizeof *y);
  marker.element = element;
  for (int i = 0; i < 2; i++) {
    marker.local[0] = sn_gauss2_points[i];
    values_at(m, &marker, ev, part);
    for (int k = 0; k < WIDE; k++) y[k] += part[k] / 2;
  }
}

/* R at s of an element, as weights of the means: with x in elements from the middle of the second of three,
 *   R = m1 + x (m2 - m0)/2 + (x^2/2 - 1/24) (m0 - 2 m1 + m2) */
static void weights_of(int count, double x, double w[3]) {
  const double bend = x * x / 2 - 1.0 / 24;
  if (count < 3) {
    w[0] = 0.5 - x, w[1] = 0.5 + x, w[2] = 0;
    return;
  }
  w[0] = -x / 2 + bend, w[1] = 1 - 2 * bend, w[2] = x / 2 + bend;
}

/* R, and the largest of the means it is made of */
static void recover(const sn_model *m, const sn_marker *at, const sn_recovery *x, const sn_eval *ev, double R[WIDE],
                    double around[WIDE]) {
  for (int side = 0; side < x->sides; side++) {
    const int first = x->first[side], count = x->last[side] - first + 1;
    const double middle = count < 3 ? 1 : 1.5;
    double w[3], mean[WIDE];
    weights_of(count, x->element[side] + x->s[side] - first - middle, w);
    for (int e = 0; e < count; e++) {
      mean_over(m, at, first + e, ev, mean);
      for (int k = 0; k < WIDE; k++) {
        R[k] += w[e] * mean[k] / x->sides;
        around[k] = fmax(around[k], fabs(mean[k]));
      }
    }
  }
}

/* Three numbers of each of N, Q, M, to magnitudes */
static void join(double y[WIDE]) {
  for (int k = 0; k < 3; k++) y[k] = sqrt(sn_dot(y + 3 * k, y + 3 * k));
}

/* ---- rows ---- */

/* The stress along the line, of the fiber where it is largest */
static double stress_of(const sn_output *o, int columns, const double y[WIDE]) {
  static const int place[2][MOST] = {{0, 1, 5, -1, -1, -1}, {0, 1, 2, 3, 4, 5}};
  double most = 0;
  for (int i = 0; i < o->fibers; i++) {
    double sum = 0;
    for (int k = 0; k < columns; k++) sum += o->fiber[i].s[place[columns == MOST][k]] * y[k];
    most = fmax(most, fabs(sum));
  }
  return most;
}

static void follow_output(const sn_model *m, const sn_output *o, const sn_eval *ev, sn_recovery *x) {
  const int columns = o->marker.body->ops->resultant_headings->count == PLANE ? 3 : MOST;
  double R[WIDE] = {0}, y[WIDE], around[WIDE] = {0}, off[WIDE];
  values_at(m, &o->marker, ev, y);
  recover(m, &o->marker, x, ev, R, around);
  for (int k = 0; k < WIDE; k++) off[k] = y[k] - R[k];
  if (is_signless(m, &o->marker)) join(y), join(around), join(off);
  if (o->type == SN_OUTPUT_STRESS) {
    x->size[0] = fmax(x->size[0], fmax(stress_of(o, columns, y), stress_of(o, columns, around)));
    x->off[0] = fmax(x->off[0], stress_of(o, columns, off));
    return;
  }
  for (int k = 0; k < columns; k++) {
    x->size[k] = fmax(x->size[k], fmax(fabs(y[k]), around[k]));
    x->off[k] = fmax(x->off[k], fabs(off[k]));
  }
}

void sn_follow_recovery(sn_simulation *s, const sn_row *row) {
  sn_recovery *x = memory_of(s);
  sn_state at = s->sample;
  at.t = row->t, at.q = row->q, at.v = row->v;
  const sn_eval ev = sn_eval_at(s, &at);
  for (int i = 0; i < s->model->outputs; i++)
    if (x[i].is_compared) follow_output(s->model, &s->model->output[i], &ev, &x[i]);
}

/* ---- the rule ---- */

/* The worst column of an output: forces are the first of three or six, moments the rest. */
static double worst_of(const sn_output *o, const sn_recovery *x, int *column) {
  const double small = 0.01;
  double worst = 0;
  *column = 0;
  if (!x->is_compared) return 0;
  if (o->type == SN_OUTPUT_STRESS) {
    double floor = 0;
    for (int k = 0; k < o->fibers; k++) floor = fmax(floor, fabs(o->fiber[k].s[0]) * x->floor[0]);
    return x->off[0] / fmax(x->size[0], floor + 1e-300);
  }
  const int columns = o->marker.body->ops->resultant_headings->count == PLANE ? 3 : MOST;
  const int forces = columns == MOST ? FORCES : 2;
  double most[2] = {0};
  for (int k = 0; k < columns; k++) most[k >= forces] = fmax(most[k >= forces], x->size[k]);
  most[0] = fmax(most[0], most[1] / x->length);
  for (int k = 0; k < columns; k++) {
    const int kind = k >= forces;
    const double size = fmax(fmax(x->size[k], small * most[kind]), x->floor[kind] + 1e-300);
    if (!(x->off[k] / size <= worst)) worst = x->off[k] / size, *column = k;
  }
  return worst;
}

static double worst_output(const sn_simulation *s, int *output, int *column) {
  const sn_recovery *x = s->evidence.recovery;
  double worst = 0;
  *output = -1;
  for (int i = 0; x && i < s->model->outputs; i++) {
    int k;
    const double value = worst_of(&s->model->output[i], &x[i], &k);
    if (!(value <= worst)) worst = value, *output = i, *column = k;
  }
  return worst;
}

double sn_evidence_recovery(const sn_simulation *s) {
  int output, column;
  return worst_output(s, &output, &column);
}

const char *sn_say_recovery(sn_simulation *s, double value) {
  int i, column = 0;
  worst_output(s, &i, &column);
  const sn_output *o = &s->model->output[i];
  const double place = (o->marker.element + o->marker.local[0]) / s->evidence.recovery[i].elements;
  return sn_format(&s->arena,
                   "%s.%s (%s '%s' at s = %.3g) differs from what the elements beside it give by %s%.1g of its "
                   "largest value: they are too long for it; possible remedy: more elements; 'sinew verify' estimates "
                   "the errors of the outputs",
                   o->name, o->column[column], o->marker.body->ops->kind.name, o->marker.body->name, place,
                   value > 1 ? "more than " : "about ", fmin(value, 1));
}

void sn_recovery_history(sn_simulation *s, sn_history *h) {
  sn_recovery *x = memory_of(s);
  for (int i = 0; i < s->model->outputs; i++) {
    sn_history_reals(h, x[i].size, MOST);
    sn_history_reals(h, x[i].off, MOST);
  }
}
