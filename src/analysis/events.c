/* events.c - see events.h.
 *
 * At an event, in this order:
 *
 *   values     all expressions of `set` are evaluated, then the variables change; a change of stored energy is applied work
 *   joints     locks change at the same q. Velocities follow from the balance of momentum over the moment,
 *                M (v+ - v-) + G'mu = 0,   G v+ + Phi_t = 0
 *              with the impulses mu of all constraints; T+ - T- is the work of friction in the locks, never positive where
 *              nothing is driven
 *   the end    of the stage or of the run
 *
 * Then the accelerations are solved for and the method starts again (crossings.c).
 */
#include "analysis/events.h"

#include <math.h>
#include <string.h>

#include "analysis/crossings.h"
#include "analysis/evidence.h"
#include "analysis/hooks.h"
#include "joint/lock.h"
#include "model/formula.h"

/* Discrete values of an event: times that it happened, the last one, the time between the last two, how many such times
 * got shorter one after the other, and how many were next to nothing. */
enum { TIMES, LAST, SPAN, SHORTER, SOON };
enum { CHATTER = 1000, ZENO = 5 };
static const double QUICK = 20, SHORT = 1e5; /* tolerances */
static const double SHRINKS = 0.95;
static const double OF_STEPS = 0.01; /* error of the time of an event, of what the tolerance allows over the stage */

typedef struct watch {
  const sn_model *model;
  const sn_event *event;
  int number;
} watch;

struct sn_events {
  watch *watch;
  double *value; /* [most that one event sets] */
  double *mu;    /* [m] */
  int capacity;  /* of the list */
  sn_event_info *list;
  long total;
  bool told; /* of redundant equations */
};

static struct sn_events *events_of(sn_simulation *s) {
  const sn_model *m = s->model;
  if (s->events) return s->events;
  struct sn_events *x = s->events = SN_NEW(&s->arena, struct sn_events, 1);
  int most = 0;
  x->watch = SN_NEW(&s->arena, watch, m->events);
  for (int i = 0; i < m->events; i++) {
    x->watch[i] = (watch){m, &m->event[i], i};
    if (m->event[i].sets > most) most = m->event[i].sets;
  }
  x->value = SN_NEW(&s->arena, double, most + 1);
  x->mu = SN_NEW(&s->arena, double, m->m + 1);
  return x;
}

/* ---- the list ---- */

static void make_room(sn_simulation *s, long count) {
  struct sn_events *x = s->events;
  if (count <= x->capacity) return;
  const int capacity = count > SN_MOST_EVENTS / 2 ? SN_MOST_EVENTS : 2 * (int)count + 16;
  sn_event_info *more = SN_NEW(&s->arena, sn_event_info, capacity);
  if (x->capacity) memcpy(more, x->list, (size_t)x->capacity * sizeof *more);
  x->list = more;
  x->capacity = capacity;
}

static void add_record(sn_simulation *s, const sn_event_info *record) {
  struct sn_events *x = s->events;
  if (x->total < SN_MOST_EVENTS) {
    make_room(s, x->total + 1);
    x->list[x->total] = *record;
  }
  x->total++;
}

double sn_events_count(const sn_simulation *s) {
  double sum = 0;
  for (int i = 0; i < s->model->events; i++) sum += s->discrete[s->model->event[i].first + TIMES];
  return sum;
}

int sn_events_list(const sn_simulation *s, const sn_event_info **list) {
  *list = s->events ? s->events->list : NULL;
  if (!s->events) return 0;
  return s->events->total < SN_MOST_EVENTS ? (int)s->events->total : SN_MOST_EVENTS;
}

void sn_events_history(sn_simulation *s, sn_history *h) {
  if (s->model->events == 0) return;
  struct sn_events *x = events_of(s);
  long total = x->total;
  sn_history_long(h, &total);
  if (h->failed || total < 0) total = 0;
  const long count = total < SN_MOST_EVENTS ? total : SN_MOST_EVENTS;
  make_room(s, count);
  x->total = total;
  for (long i = 0; i < count && !h->failed; i++) {
    sn_event_info *r = &x->list[i];
    sn_history_real(h, &r->t);
    int event = (int)r->event;
    sn_history_int(h, &event, 0, s->model->events - 1);
    sn_history_int(h, &r->direction, -1, 1);
    sn_history_real(h, &r->impulse);
    sn_history_real(h, &r->energy);
    r->event = (size_t)event;
  }
  sn_history_bool(h, &s->stopped);
}

/* ---- what an event does ---- */

/* Is there anything that it would change? */
static bool is_idle(const sn_model *m, const sn_event *e, const double *discrete) {
  if (e->once && discrete[e->first + TIMES] > 0) return true;
  if (e->sets || e->stop || e->next_stage || e->locks + e->releases == 0) return false;
  for (int i = 0; i < e->locks; i++)
    if (!sn_is_locked(&m->lock[e->lock[i]], discrete)) return false;
  for (int i = 0; i < e->releases; i++)
    if (sn_is_locked(&m->lock[e->release[i]], discrete)) return false;
  return true;
}

static double event_value(const void *self, const sn_eval *ev) {
  const watch *w = self;
  return is_idle(w->model, w->event, ev->discrete) ? 0 : sn_formula_value(w->event->when, ev);
}

/* Differential variables are of any size. */
static double unit_of(const sn_model *m, int i) {
  for (int k = 0; k < m->variables; k++)
    if (m->variable[k].differential && m->variable[k].index == i) return 0;
  return m->unit[i];
}

/* sum over i of |dg/dq_i| u_i + |dg/dv_i| u_i/h, u_i = |q_i| or the unit; 0 where g has no derivatives. */
static double event_scale(const void *self, const sn_eval *ev, bool units, double h) {
  const watch *w = self;
  const sn_formula *g = w->event->when;
  double dq[SN_FORMULA_LOCAL], dv[SN_FORMULA_LOCAL], sum = 0;
  if (g->wide || g->set.count == 0 || is_idle(w->model, w->event, ev->discrete)) return 0;
  sn_formula_gradient(g, ev, dq, dv);
  for (int k = 0; k < g->set.count; k++) {
    const int first = w->model->group_first[g->set.group[k]], size = w->model->group_size[g->set.group[k]];
    for (int i = 0; i < size && first + i < w->model->n; i++) {
      const int at = g->set.first[k] + i;
      const double slope = fabs(dq[at]) + fabs(dv[at]) / h;
      const double least = units ? unit_of(w->model, first + i) : 0;
      if (slope > 0) sum += slope * fmax(least, fabs(ev->q[first + i]));
    }
  }
  return sum;
}

static double energy_of(sn_simulation *s) {
  sn_energy e;
  return sn_total_energy(s->audit, &s->state, &e);
}

static void set_values(sn_simulation *s, const sn_event *e) {
  const sn_eval ev = sn_eval_at(s, &s->state);
  double *value = s->events->value;
  for (int i = 0; i < e->sets; i++) value[i] = sn_formula_value(e->set[i].f, &ev);
  for (int i = 0; i < e->sets; i++) {
    const sn_variable *x = &s->model->variable[e->set[i].variable];
    if (x->discrete)
      s->discrete[x->index] = value[i];
    else
      s->state.v[x->index] = value[i];
  }
}

static sn_status check_values(const sn_simulation *s, const sn_event *e) {
  for (int i = 0; i < e->sets; i++)
    if (!isfinite(s->events->value[i]))
      return sn_fail(s->context, SN_NUMERICS,
                     "event '%s' sets '%s' to a value that is not finite at t = %g s\n  possible remedy: check its "
                     "expression",
                     e->name, s->model->variable[e->set[i].variable].name, s->state.t);
  return SN_OK;
}

static void tell_redundant(sn_simulation *s, const sn_event *e, const sn_start *start) {
  if (start->redundant <= s->start.redundant || s->events->told || s->is_fork) return;
  s->events->told = true;
  sn_add_note(s, sn_format(&s->arena, "from event '%s' at t = %g s on, %.*s", e->name, s->state.t,
                           (int)strcspn(start->notes, "\n"), start->notes));
}

static sn_status change_joints(sn_simulation *s, const sn_event *e) {
  const sn_model *m = s->model;
  sn_start start;
  if (e->locks + e->releases == 0) return SN_OK;
  for (int i = 0; i < e->releases; i++) sn_unlock(&m->lock[e->release[i]], s->discrete);
  for (int i = 0; i < e->locks; i++)
    if (!sn_is_locked(&m->lock[e->lock[i]], s->discrete)) sn_lock_here(&m->lock[e->lock[i]], s->state.q, s->discrete);
  sn_status status = sn_change_constraints(s->system, &s->state, s->events->mu, &start);
  sn_system_copy_regularization(s->audit, s->system);
  if (status == SN_OK) tell_redundant(s, e, &start);
  return status;
}

/* An event that causes itself again at once, or, as ever lower rebounds, after times that add up to a finite one, leaves
 * no time for the motion. */
static sn_status check_chatter(sn_simulation *s, const sn_event *e) {
  double *d = s->discrete + e->first;
  const double tolerance = e->tolerance > 0 ? e->tolerance : sn_crossing_tolerance(s);
  const double span = d[TIMES] > 0 ? s->state.t - d[LAST] : INFINITY;
  d[SOON] = span <= QUICK * tolerance ? d[SOON] + 1 : 0;
  d[SHORTER] = span <= SHORT * tolerance && span <= SHRINKS * d[SPAN] ? d[SHORTER] + 1 : 0;
  d[SPAN] = d[TIMES] > 0 ? span : 0;
  if (d[SOON] < CHATTER && d[SHORTER] < ZENO) return SN_OK;
  return sn_fail(s->context, SN_NUMERICS,
                 "event '%s' happens again and again at t = %g s, and no time passes between\n  possible remedy: "
                 "hysteresis (two events with different limits), or a lock in place of ever smaller rebounds",
                 e->name, s->state.t);
}

static void end_stage(sn_simulation *s, const sn_event *e) {
  if (!e->stop && !e->next_stage) return;
  s->finished = true;
  s->end = s->state.t;
  if (!e->stop || s->is_fork) return;
  s->stopped = s->cut = true;
  sn_add_note(s, sn_format(&s->arena, "event '%s' ended the run at t = %.9g s", e->name, s->state.t));
}

static sn_status event_reached(void *self, sn_simulation *s, int direction) {
  const watch *w = self;
  const sn_event *e = w->event;
  const sn_eval ev = sn_eval_at(s, &s->state);
  double *d = s->discrete + e->first;
  if (e->condition && !(sn_formula_value(e->condition, &ev) > 0)) return SN_OK;
  sn_status status = check_chatter(s, e);
  d[TIMES]++;
  d[LAST] = s->state.t;
  const double before = energy_of(s);
  set_values(s, e);
  if (status == SN_OK) status = check_values(s, e);
  const double between = energy_of(s);
  if (status == SN_OK) status = change_joints(s, e);
  const double after = energy_of(s);
  s->work[SN_E_APPLIED - SN_E_APPLIED] += between - before;
  s->work[SN_E_FRICTION - SN_E_APPLIED] += after - between;
  const double impulse = e->locks && status == SN_OK ? s->events->mu[s->model->lock[e->lock[0]].row] : 0;
  add_record(s, &(sn_event_info){s->state.t, (size_t)w->number, direction, impulse, after - before});
  end_stage(s, e);
  return status;
}

/* Of its time, where the model gives none: velocities may jump there, and positions are then off by the jump times the
 * error of the time. That must be small against what steps may add up to. */
static double tolerance_of_time(const sn_simulation *s) {
  const double usual = sn_crossing_tolerance(s), of_steps = sn_evidence_tolerance(s) * s->share;
  const double span = isfinite(s->end) ? s->end - s->begin : 1;
  return of_steps > 0 ? fmin(usual, OF_STEPS * of_steps * span) : usual;
}

void sn_add_event_crossings(sn_simulation *s) {
  for (int i = 0; i < s->model->events; i++) {
    const sn_event *e = &s->model->event[i];
    const double *d = s->discrete + e->first;
    sn_add_crossing(s, &(sn_crossing){.value = event_value,
                                      .scale = event_scale,
                                      .reached = event_reached,
                                      .self = &events_of(s)->watch[i],
                                      .direction = e->direction,
                                      .tolerance = e->tolerance > 0 ? e->tolerance : tolerance_of_time(s),
                                      .shown = !(e->stop || e->next_stage) || e->sets + e->locks + e->releases > 0,
                                      .was_passed = d[TIMES] > 0,
                                      .passed = d[LAST]});
  }
}

/* ---- for a host program ---- */

sn_status sn_read_events(sn_simulation *s, sn_event_info *events, size_t size, size_t *count) {
  const sn_event_info *list;
  const sn_status status = sn_alive(s);
  if (status) return status;
  if (!count || (!events && size > 0))
    return sn_fail(s->context, SN_USAGE, "sn_read_events: there is no array to write to");
  *count = (size_t)sn_events_list(s, &list);
  if (*count > 0 && size > 0) memcpy(events, list, (*count < size ? *count : size) * sizeof *list);
  return SN_OK;
}

/* ---- others ---- */

static const char *text_of(const sn_model *m, const sn_event_info *r, sn_arena *arena) {
  const sn_event *e = &m->event[r->event];
  const char *text = sn_format(arena, "t = %.9g s: %s (%s)", r->t, e->name, r->direction > 0 ? "rising" : "falling");
  for (int i = 0; i < e->sets; i++) text = sn_format(arena, "%s, %s set", text, m->variable[e->set[i].variable].name);
  for (int i = 0; i < e->releases; i++) text = sn_format(arena, "%s, %s released", text, m->lock[e->release[i]].joint);
  for (int i = 0; i < e->locks; i++) {
    const sn_phi_type type = m->lock[e->lock[i]].phi->type;
    text = sn_format(arena, "%s, %s locked", text, m->lock[e->lock[i]].joint);
    if (i > 0 || r->impulse == 0) continue;
    text = sn_format(arena, "%s by an impulse of %.3g %s", text, fabs(r->impulse),
                     type == SN_PHI_TURN || type == SN_PHI_ANGLE ? "N m s" : "N s");
  }
  if (fabs(r->energy) > 0) text = sn_format(arena, "%s, energy %+.3g J", text, r->energy);
  return sn_format(arena, "%s%s%s", text, e->next_stage ? ", next stage" : "", e->stop ? ", stop" : "");
}

const char *sn_events_text(const sn_simulation *s, sn_arena *arena) {
  enum { SHOWN = 8 };
  const sn_event_info *list;
  const int count = sn_events_list(s, &list);
  const char *text = "";
  for (int i = 0; i < count && i < SHOWN; i++)
    text = sn_format(arena, "%s%s\n", text, text_of(s->model, &list[i], arena));
  if (s->events && s->events->total > SHOWN)
    text = sn_format(arena, "%sand %ld more\n", text, s->events->total - SHOWN);
  return text;
}

void sn_note_events(sn_simulation *s) {
  if (s->model->events > 0 && s->analysis != &sn_dynamics)
    sn_add_note(s, sn_format(&s->arena, "events do not happen in %s", s->analysis->kind.name));
}
