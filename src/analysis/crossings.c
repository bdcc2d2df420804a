/* crossings.c - see crossings.h. */
#include "analysis/crossings.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "analysis/events.h"
#include "analysis/guided.h"
#include "analysis/live.h"
#include "analysis/simulation.h"
#include "analysis/sticking.h"
#include "analysis/stops.h"
#include "base/history.h"

enum {
  PARTS = 4,     /* of a step, at whose ends signs are looked at */
  MOST_CUTS = 8, /* of one step; then the zero is passed late */
  HALVINGS = 60,
  MOST_PROBES = 40, /* of a search for an extremum beyond zero */
};
static const double TOLERANCE = 1e-9; /* of the stage */
static const double ROUNDING = 1e-13; /* of the largest |g| and of its scale over the stage: below it g has no sign */
static const double BLUR =
    64 * DBL_EPSILON;             /* likewise of its scale over a step, within it: velocities there follow from
                                              * differences of positions */
static const double ASIDE = 1e-4; /* of a part: distance of two times that give a slope */
static const double SHORT = 0.02; /* a step towards a zero ends before it by this part ... */
static const double NEAR = 0.05;  /* ... unless it is nearer than this part of the last step: then its time is known */

typedef struct item {
  sn_crossing crossing;
  int side;                            /* sign of g where the next step begins; 0: none yet */
  int now, next;                       /* likewise of a part of a step, and at its end */
  double g, g_next, slope, slope_next; /* likewise g and its rate */
  bool due;                            /* its zero is here */
  bool done;                           /* and has been passed */
  double size;                         /* largest |g| and scale of g at the ends of steps */
  double blur;                         /* rounding of g within the step that is looked at */
  double over; /* until then a zero that was passed counts as passed: the state may still be before it */
} item;

struct sn_crossings {
  int count, capacity;
  item *item;
  sn_state sample;
  sn_history memory; /* of the method, before the last step */
  sn_statistics before;
  int cuts;    /* of the coming step */
  double last; /* length of the last step that was not made for a zero */
  bool due;
};

/* All that have such functions. */
static void (*const sources[])(sn_simulation *) = {sn_add_stop_crossings, sn_add_sticking_crossings,
                                                   sn_add_event_crossings};

static int sign_of(double x) {
  return (x > 0) - (x < 0);
}

static double value_at(sn_simulation *s, const item *x, const sn_state *state) {
  const sn_eval ev = sn_eval_at(s, state);
  return x->crossing.value(x->crossing.self, &ev);
}

/* What is done at zeros is not done for rounding: a velocity that is 0 from there on has none. */
static int sign_of_value(const item *x, double g, double blur) {
  return x->crossing.reached && fabs(g) <= fmax(ROUNDING * x->size, blur) ? 0 : sign_of(g);
}

static int sign_at(sn_simulation *s, const item *x, const sn_state *state) {
  return sign_of_value(x, value_at(s, x, state), 0);
}

/* At a time within the step. */
static int sign_within(sn_simulation *s, const item *x, const sn_state *state) {
  return sign_of_value(x, value_at(s, x, state), x->blur);
}

static double scale_at(sn_simulation *s, const item *x, const sn_state *state, bool units, double h) {
  if (!x->crossing.scale) return 0;
  const sn_eval ev = sn_eval_at(s, state);
  const double scale = x->crossing.scale(x->crossing.self, &ev, units, h);
  return isfinite(scale) ? scale : 0;
}

static void measure(sn_simulation *s, item *x, const sn_state *state) {
  const double all = isfinite(s->end) ? s->end - s->begin : 1;
  x->size = fmax(x->size, fmax(fabs(value_at(s, x, state)), scale_at(s, x, state, true, all)));
}

static struct sn_crossings *crossings_of(sn_simulation *s) {
  if (!s->crossings) {
    s->crossings = SN_NEW(&s->arena, struct sn_crossings, 1);
    sn_state_create(s->audit, &s->crossings->sample);
  }
  return s->crossings;
}

double sn_crossing_tolerance(const sn_simulation *s) {
  const double all = isfinite(s->end) ? s->end - s->begin : 1;
  return fmax(TOLERANCE * all, 16 * DBL_EPSILON * fabs(s->state.t));
}

static double tolerance_of(const sn_simulation *s, const item *x) {
  if (!(x->crossing.tolerance > 0)) return sn_crossing_tolerance(s);
  return fmax(x->crossing.tolerance, 16 * DBL_EPSILON * fabs(s->state.t));
}

void sn_add_crossing(sn_simulation *s, const sn_crossing *crossing) {
  struct sn_crossings *c = crossings_of(s);
  if (c->count == c->capacity) {
    item *more = SN_NEW(&s->arena, item, 2 * c->capacity + 8);
    if (c->count > 0) memcpy(more, c->item, (size_t)c->count * sizeof *more);
    c->item = more;
    c->capacity = 2 * c->capacity + 8;
  }
  item *x = &c->item[c->count++];
  *x = (item){.crossing = *crossing, .over = -INFINITY};
  if (crossing->was_passed) x->over = crossing->passed + 2 * tolerance_of(s, x);
  measure(s, x, &s->state);
  x->side = sign_at(s, x, &s->state);
}

void sn_begin_crossings(sn_simulation *s) {
  if (s->crossings) {
    s->crossings->count = 0;
    s->crossings->due = false;
    s->crossings->cuts = 0;
    s->crossings->last = 0;
  }
  sn_begin_live(s);
  sn_begin_guided(s);
  if (s->live || s->guided) crossings_of(s); /* their steps are taken back, too */
  for (size_t k = 0; k < SN_COUNT(sources); k++) sources[k](s);
}

void sn_renew_crossings(sn_simulation *s) {
  for (int i = 0; s->crossings && i < s->crossings->count; i++) {
    item *x = &s->crossings->item[i];
    x->side = sign_at(s, x, &s->state);
    x->due = false;
  }
  if (s->crossings) s->crossings->due = false;
}

void sn_free_crossings(sn_simulation *s) {
  if (s->crossings) sn_history_free(&s->crossings->memory);
}

/* ---- zeros ---- */

/* Does the step end there? */
static bool is_followed(const sn_simulation *s, const item *x) {
  return x->crossing.reached || !(s->settings->step > 0);
}

static const sn_state *state_at(sn_simulation *s, double t) {
  sn_continue(s, t, &s->crossings->sample);
  return &s->crossings->sample;
}

/* The sign of g changes between a, where it is `side`, and b: the zero, from below, to within `width`. */
static double locate(sn_simulation *s, const item *x, int side, double a, double b, double width) {
  for (int k = 0; k < HALVINGS && b - a > width; k++) {
    const double middle = a + (b - a) / 2;
    const int here = sign_within(s, x, state_at(s, middle));
    if (here == -side)
      b = middle;
    else
      a = middle;
  }
  return a;
}

/* g and its rate at time t, the latter from a second time `aside`. */
static void sample(sn_simulation *s, double t, double aside) {
  struct sn_crossings *c = s->crossings;
  state_at(s, t + aside);
  for (int i = 0; i < c->count; i++)
    if (is_followed(s, &c->item[i])) c->item[i].slope_next = value_at(s, &c->item[i], &c->sample);
  state_at(s, t);
  for (int i = 0; i < c->count; i++) {
    item *x = &c->item[i];
    x->next = 0;
    if (!is_followed(s, x)) continue;
    x->g_next = value_at(s, x, &c->sample);
    x->slope_next = (x->slope_next - x->g_next) / aside;
    if (t >= x->over) x->next = sign_of_value(x, x->g_next, t == s->state.t ? 0 : x->blur);
  }
}

/* g has the same sign at both ends of a part, approaches zero at the first and leaves it at the second: between them
 * |g| has a minimum. A convex |g| is above both tangents; if they meet beyond zero, the minimum is searched for by
 * golden section, until a time is found at which the sign is the other one. NAN: there is none. */
static double beyond(sn_simulation *s, const item *x, double a, double b) {
  static const double GOLDEN = 0.6180339887498949;
  const int side = x->now;
  const double ga = side * x->g, gb = side * x->g_next, da = side * x->slope, db = side * x->slope_next;
  if (side == 0 || x->next != side || !(a >= x->over) || !(da < 0 && db > 0)) return NAN;
  const double meet = (gb - ga - db * (b - a)) / (da - db);
  if (ga + da * meet > 0) return NAN;
  double m[2] = {b - GOLDEN * (b - a), a + GOLDEN * (b - a)}, g[2];
  for (int k = 0; k < 2; k++) g[k] = side * value_at(s, x, state_at(s, m[k]));
  for (int n = 0; n < MOST_PROBES && b - a > tolerance_of(s, x); n++) {
    const int least = g[1] < g[0];
    if (sign_within(s, x, state_at(s, m[least])) == -side) return m[least];
    if (least)
      a = m[0], m[0] = m[1], g[0] = g[1], m[1] = a + GOLDEN * (b - a);
    else
      b = m[1], m[1] = m[0], g[1] = g[0], m[0] = b - GOLDEN * (b - a);
    g[least] = side * value_at(s, x, state_at(s, m[least]));
  }
  return NAN;
}

/* The zero of one of them in a part of a step, over which its sign changes, or changes twice; INFINITY: there is none
 * that counts. */
static double zero_of(sn_simulation *s, const item *x, double from, double to) {
  const double width = tolerance_of(s, x) / 8, a = fmax(from, x->over);
  if (x->next == 0 || x->now == 0) return INFINITY;
  if (x->next != x->now)
    return x->crossing.direction != -x->next ? locate(s, x, x->now, a, to, width) : (double)INFINITY;
  const double middle = beyond(s, x, from, to);
  if (isnan(middle)) return INFINITY;
  return x->crossing.direction != x->now ? locate(s, x, x->now, a, middle, width)
                                         : locate(s, x, -x->now, middle, to, width);
}

/* The first zero of any of them in [a, b], and whose; INFINITY: there is none. */
static double first_zero(sn_simulation *s, double a, double b, item **where) {
  struct sn_crossings *c = s->crossings;
  const double aside = ASIDE * (b - a) / PARTS;
  double first = INFINITY;
  *where = NULL;
  if (c->count == 0 || !(b > a)) return first;
  for (int i = 0; i < c->count; i++) c->item[i].blur = BLUR * scale_at(s, &c->item[i], &s->state, false, b - a);
  for (int k = 0; k <= PARTS; k++) {
    const double from = a + (k - 1.0) / PARTS * (b - a), to = k < PARTS ? a + (double)k / PARTS * (b - a) : b;
    sample(s, to, k < PARTS ? aside : -aside);
    for (int i = 0; i < c->count; i++) {
      item *x = &c->item[i];
      if (k == 0) x->next = x->side;
      const double zero = k > 0 ? zero_of(s, x, from, to) : (double)INFINITY;
      if (zero < first) first = zero, *where = x;
      if (k == 0 || x->next != 0) x->now = x->next;
      x->g = x->g_next;
      x->slope = x->slope_next;
    }
  }
  return first;
}

/* ---- before a step ---- */

/* The state goes over to the far side of the zero; forces do their work on the way. */
static void hop(sn_simulation *s, const item *x) {
  const double t = s->state.t;
  const double most = 2 * tolerance_of(s, x), end = fmin(s->end, s->pause);
  for (double T = most / 4; T <= most && sign_at(s, x, &s->state) == x->side && s->state.t + T <= end; T *= 2)
    if (sign_at(s, x, state_at(s, s->state.t + T)) == -x->side || T == most)
      sn_state_copy(s->system, &s->state, state_at(s, s->state.t + T));
  sn_add_work_until_now(s, t);
}

bool sn_is_shown_crossing(const sn_simulation *s) {
  for (int i = 0; s->crossings && s->crossings->due && i < s->crossings->count; i++)
    if (s->crossings->item[i].due && s->crossings->item[i].crossing.shown) return true;
  return false;
}

static sn_status reach(sn_simulation *s, item *x, int direction) {
  x->side = direction;
  x->over = s->state.t + 2 * tolerance_of(s, x);
  x->done = true;
  return x->crossing.reached ? x->crossing.reached(x->crossing.self, s, direction) : SN_OK;
}

/* Those that cross zero because of what was done at others. */
static sn_status reach_others(sn_simulation *s) {
  struct sn_crossings *c = s->crossings;
  sn_status status = SN_OK;
  for (int i = 0; i < c->count && status == SN_OK && !s->finished; i++) {
    item *x = &c->item[i];
    const int here = x->crossing.reached && !x->done ? sign_at(s, x, &s->state) : 0;
    if (here == 0 || here != -x->side || x->crossing.direction == -here) continue;
    status = reach(s, x, here);
    i = -1; /* look at all again */
  }
  return status;
}

sn_status sn_pass_crossings(sn_simulation *s) {
  struct sn_crossings *c = s->crossings;
  sn_status status = SN_OK;
  bool again = false, acted = false;
  if (!c || !c->due) return SN_OK;
  c->due = false;
  for (int i = 0; i < c->count; i++) c->item[i].done = false;
  for (int i = 0; i < c->count && status == SN_OK; i++) {
    item *x = &c->item[i];
    if (!x->due) continue;
    x->due = false;
    const int side = x->side != 0 ? x->side : -sign_at(s, x, &s->state);
    if (!x->crossing.smooth) hop(s, x);
    status = reach(s, x, -side);
    acted |= x->crossing.reached != NULL;
    again |= !x->crossing.smooth || x->crossing.reached || s->ops->multistep;
  }
  if (acted && status == SN_OK) status = reach_others(s);
  if (status || !again) return status;
  status = sn_follow_change(s);
  for (int i = 0; i < c->count; i++) { /* what was done may have changed them */
    const int here = sign_at(s, &c->item[i], &s->state);
    if ((!c->item[i].crossing.smooth || s->state.t >= c->item[i].over) && here != 0) c->item[i].side = here;
  }
  return status;
}

/* Before a zero at this time, of a step from t. */
double sn_aim_at(double zero, double t, double last, double tolerance) {
  const double near = zero - t <= NEAR * last ? tolerance / 4 : SHORT * (zero - t);
  return fmax(zero - near, t + (zero - t) / 2);
}

static double aim(const sn_simulation *s, const item *x, double t, double zero) {
  return sn_aim_at(zero, t, s->crossings->last, tolerance_of(s, x));
}

void sn_limit_to_crossings(sn_simulation *s, double *limit) {
  struct sn_crossings *c = s->crossings;
  item *where;
  if (!c || c->count == 0 || !(c->last > 0)) return;
  const double t = s->state.t, zero = first_zero(s, t, fmin(t + 2 * c->last, *limit), &where);
  if (where && zero - t > tolerance_of(s, where)) *limit = fmin(*limit, aim(s, where, t, zero)); /* else it is here */
}

void sn_keep_step(sn_simulation *s) {
  struct sn_crossings *c = s->crossings;
  if (!c) return;
  sn_history_clear(&c->memory);
  if (s->ops->history) s->ops->history(s->integrator, &c->memory);
  c->before = s->system->statistics;
}

/* ---- after a step ---- */

/* The step is taken back: state and method are what they were. */
static sn_status take_back(sn_simulation *s) {
  struct sn_crossings *c = s->crossings;
  sn_statistics *now = &s->system->statistics;
  now->steps = c->before.steps;
  now->smallest_step = c->before.smallest_step;
  now->largest_step = c->before.largest_step;
  now->local_error = c->before.local_error;
  now->cut_steps++;
  sn_state_copy(s->system, &s->state, &s->before);
  const char *name = s->integrator_name;
  sn_status status = sn_make_integrator(s);
  s->integrator_name = name;
  if (status || !s->ops->history) return status;
  sn_history_rewind(&c->memory);
  s->ops->history(s->integrator, &c->memory);
  assert(!c->memory.failed);
  return SN_OK;
}

/* Once: the first time. */
static void tell_late(sn_simulation *s) {
  static const char what[] =
      "the time at which the motion reaches a stop, sticks or slips, or an event, could not be found "
      "to its tolerance";
  for (int i = 0; i < s->doubts.count; i++)
    if (strncmp(s->doubts.doubt[i].text, what, sizeof what - 1) == 0) return;
  sn_add_doubt(s, SN_DOUBTFUL, sn_format(&s->arena, "%s, for the first time at t = %g s", what, s->state.t));
}

/* The step stays: zeros at its end are due, and signs are those of its end. */
static void keep_signs(sn_simulation *s) {
  struct sn_crossings *c = s->crossings;
  item *where;
  c->due = false;
  if (c->count == 0) return;
  first_zero(s, s->before.t, s->state.t, &where);
  for (int i = 0; i < c->count; i++) {
    item *x = &c->item[i];
    const int here = sign_at(s, x, &s->state);
    measure(s, x, &s->state);
    const double soon = s->state.t + tolerance_of(s, x) / 2;
    const int then = is_followed(s, x) && soon >= x->over ? sign_at(s, x, state_at(s, soon)) : 0;
    if (then != 0) x->now = then;
    x->due = x->now == -x->side && x->side != 0 && is_followed(s, x) && x->crossing.direction != -x->now;
    c->due |= x->due;
    if (!x->due && here != 0 && s->state.t >= x->over) x->side = here;
  }
}

sn_status sn_check_crossings(sn_simulation *s, double *limit, bool *again) {
  struct sn_crossings *c = s->crossings;
  const double from = s->before.t, to = s->state.t;
  item *where;
  *again = false;
  if (!c) return SN_OK;
  const double first = first_zero(s, from, to, &where);
  if (where && to - first > tolerance_of(s, where) && c->cuts < MOST_CUTS) {
    c->cuts++;
    c->last = fmax(c->last, to - from);
    *again = true;
    where->due = c->due = first - from <= tolerance_of(s, where); /* it is here, and passed before the next step */
    *limit = where->due ? INFINITY : aim(s, where, from, first);
    return take_back(s);
  }
  *limit = s->settings->step > 0 ? INFINITY : fmin(sn_check_live(s), sn_check_guided(s));
  if (*limit < to) {
    *again = true;
    return take_back(s);
  }
  if (c->cuts >= MOST_CUTS && where) tell_late(s);
  if (c->cuts == 0 || !(c->last > 0)) c->last = to - from;
  c->cuts = 0;
  keep_signs(s);
  return SN_OK;
}
