/* start_notes.c - differences of the start from the model file: violated joints, bodies that were moved. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "system/start.h"

/* Smaller changes come from rounded input and are not reported. Fractions of the size of the model, or of the largest
 * given velocity. */
static const double told = 1e-6;
enum { NAMED = 4 };

/* The largest extent of the model along an axis: nodes, centers, joints. */
static double extent(const sn_model *m) {
  double low[3], high[3], most = 0;
  int count = 0;
  for (int g = 0; g < m->groups + 2 * m->joints; g++) {
    const double *r = g < m->groups ? m->q0 + m->group_first[g] : m->joint[(g - m->groups) / 2].marker[g & 1].position;
    if (g < m->groups && (m->group_is_constraint[g] || m->group_size[g] < m->dim)) continue;
    for (int k = 0; k < m->dim; k++) {
      low[k] = count ? fmin(low[k], r[k]) : r[k];
      high[k] = count ? fmax(high[k], r[k]) : r[k];
    }
    count++;
  }
  for (int k = 0; k < m->dim && count; k++) most = fmax(most, high[k] - low[k]);
  return most > 0 ? most : 1;
}

/* A list of names in the order of the model: "'a' (by 1 m), 'b' (...)", then how many more. */
typedef struct names {
  char text[600];
  int count;
} names;

static void add_name(names *list, const char *name, const char *what) {
  size_t used = strlen(list->text);
  if (list->count++ < NAMED)
    snprintf(list->text + used, sizeof list->text - used, "%s'%.60s' %s", used ? ", " : "", name, what);
}

static const char *all_names(names *list) {
  size_t used = strlen(list->text);
  if (list->count > NAMED) snprintf(list->text + used, sizeof list->text - used, " and %d more", list->count - NAMED);
  return list->text;
}

/* Largest difference of two vectors over some coordinates. */
static double change(const double *x, const double *y, int first, int count) {
  double most = 0;
  for (int i = first; i < first + count; i++) most = fmax(most, fabs(x[i] - y[i]));
  return most;
}

/* Bodies whose coordinates or velocities changed by more than `least`: "0.1 m, 0.02 rad". p' is w/2 in size, and p
 * half the angle. */
static void add_bodies(const sn_model *m, const double *now, const double *written, double least, bool rate,
                       names *list) {
  const char *per = rate ? "/s" : "";
  for (int b = 0; b < m->bodies; b++) {
    const sn_body *body = &m->body[b];
    const sn_body_ops *ops = body->ops;
    int places = ops->turns ? ops->turn : body->count;
    double way = change(now, written, body->first, places);
    double angle = change(now, written, body->first + ops->turn, ops->turns) * (ops->turns == 4 ? 2 : 1);
    char text[100];
    if (way > least && angle > least)
      snprintf(text, sizeof text, "by %.3g m%s and %.3g rad%s", way, per, angle, per);
    else if (way > least || angle > least)
      snprintf(text, sizeof text, "by %.3g %s%s", fmax(way, angle), way > least ? "m" : "rad", per);
    else
      continue;
    add_name(list, body->name, text);
  }
}

static void add_note(sn_system *s, sn_start *start, const char *line) {
  start->notes = sn_format(&s->arena, "%s%s\n", start->notes, line);
}

static void note_positions(sn_system *s, const sn_state *state, const double *open, double size, sn_start *start) {
  const sn_model *m = s->model;
  names joints = {.count = 0}, bodies = {.count = 0};
  double most = change(state->q, m->q0, 0, m->n);
  if (most <= told * size) return;
  for (int j = 0; j < m->joints; j++) {
    char text[40];
    double off = 0;
    for (int i = m->joint[j].first; i < m->joint[j].first + m->joint[j].count; i++) off = fmax(off, fabs(open[i]));
    snprintf(text, sizeof text, "(off by %.3g)", off);
    if (off > told * size) add_name(&joints, m->joint[j].name, text);
  }
  add_bodies(m, state->q, m->q0, told * size, false, &bodies);
  const char *line = sn_format(&s->arena, "start: the given positions do not satisfy the joints: %s; moved: %s",
                               joints.count ? all_names(&joints) : "bodies", all_names(&bodies));
  add_note(s, start, line);
}

/* Velocities that were written stay if they can; the rest follows, as it should. */
static void note_velocities(sn_system *s, const sn_state *state, const double *written, sn_start *start) {
  const sn_model *m = s->model;
  double speed = 0, most = 0;
  names bodies = {.count = 0};
  if (!m->keep_v) return; /* drivers move it */
  for (int i = 0; i < m->n; i++) {
    speed = fmax(speed, fabs(written[i]));
    if (m->keep_v && m->keep_v[i]) most = fmax(most, fabs(state->v[i] - written[i]));
  }
  if (speed == 0) speed = 1;
  start->written_change = most / speed;
  add_bodies(m, state->v, written, told * speed, true, &bodies);
  if (bodies.count == 0) return;
  const char *line = sn_format(&s->arena,
                               most > told * speed ? "start: the given velocities contradict the joints; changed: %s"
                                                   : "start: velocities that were not given follow from the others: %s",
                               all_names(&bodies));
  add_note(s, start, line);
}

sn_status sn_note_start(sn_system *s, const sn_state *state, const double *open, const double *velocity,
                        sn_start *start) {
  const sn_model *m = s->model;
  double size = extent(m);
  for (int b = 0; m->keep_q && b < m->bodies; b++) {
    const sn_body *body = &m->body[b];
    for (int i = body->first; i < body->first + body->count; i++)
      if (m->keep_q[i] && fabs(state->q[i] - m->q0[i]) > told * size)
        return sn_fail(s->context, SN_NUMERICS,
                       "'%s' cannot be kept in place: the joints require a change of %.3g\n  possible remedy: keep "
                       "fewer bodies, or correct the positions of the bodies",
                       body->name, fabs(state->q[i] - m->q0[i]));
  }
  note_positions(s, state, open, size, start);
  note_velocities(s, state, velocity, start);
  return SN_OK;
}
