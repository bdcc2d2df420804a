/* erk.c - explicit Runge-Kutta methods on the index-1 form (index1.h): 5(4) of Dormand and Prince, 4(3) (the classical
 * method), 3(2) of Bogacki and Shampine.
 *
 *   y = (q, v),   f = y' = (v, a):   Y_i = y + h sum_{j<i} a_ij f_j,   f_i = f(t + c_i h, Y_i)
 *
 *   y1 = Y_s:   the last stage is the end of the step, and its slope is the first of the next step
 *   e  = h sum e_i f_i:   the difference from the embedded method of the order below
 *
 * Steps of soft parts are limited by stability, not by accuracy: of vibrations with frequency w, 5(4) allows h w = 1 with
 * six evaluations, 4(3) h w = 2.8 with four, 3(2) 1.7 with three. `order: auto` begins with 5(4) and goes on with 4(3)
 * while that gets farther with an evaluation (find_table).
 *
 * Baumgarte's stabilization limits the step to about 3/alpha. A step is s - 1 evaluations of the residual and solutions
 * with [M G'; G 0], which is factorized once where it is constant; the vectors are added up in one pass for each stage.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "integrator/index1.h"
#include "integrator/step.h"

enum { STAGES = 7 };

typedef struct tableau {
  int stages, order; /* of the error estimate: e = O(h^order) */
  double c[STAGES], a[STAGES][STAGES], e[STAGES];
} tableau;

static const tableau dormand_prince = {
    7,
    5,
    {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1},
    {{0},
     {1. / 5},
     {3. / 40, 9. / 40},
     {44. / 45, -56. / 15, 32. / 9},
     {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
     {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
     {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}},
    {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40},
};

/* The slope at the end takes a part of that of the last stage: of third order for any part. */
static const tableau runge_kutta = {
    5,
    4,
    {0, 1. / 2, 1. / 2, 1, 1},
    {{0}, {1. / 2}, {0, 1. / 2}, {0, 0, 1}, {1. / 6, 1. / 3, 1. / 3, 1. / 6}},
    {0, 0, 0, 1. / 10, -1. / 10},
};

static const tableau bogacki_shampine = {
    4,
    3,
    {0, 1. / 2, 3. / 4, 1},
    {{0}, {1. / 2}, {0, 3. / 4}, {2. / 9, 1. / 3, 4. / 9}},
    {-5. / 72, 1. / 12, 1. / 9, -1. / 8},
};

typedef struct erk_spec {
  sn_index1_spec head;
  int order; /* 0 auto, 3, 4 or 5 by the list below */
} erk_spec;

static const tableau *const tables[] = {&dormand_prince, &bogacki_shampine, &runge_kutta, &dormand_prince};

/* What chooses between 5(4) and 4(3). */
typedef struct pace {
  bool chooses;
  bool long_steps; /* 4(3) */
  int steps;       /* since the last change */
  int limited;     /* looks in a row that found the step limited by stability */
  int patience;    /* steps with 4(3) until 5(4) is tried again */
  double mean;     /* of the steps */
  double before;   /* ... when 5(4) ended */
} pace;

typedef struct erk {
  sn_system *system;
  sn_index1_spec form; /* with the tolerances of one step */
  const tableau *table;
  sn_state at;           /* of the last evaluation */
  bool started;          /* slope[0] is that of the state */
  double *slope[STAGES]; /* [2 n] f_i: velocities, accelerations */
  double *phi;           /* [2 m] scratch */
  sn_step_control control;
  pace pace;
} erk;

/* ---- vectors ---- */

/* Y := y + h sum over j < `last` of weight[j] f_j, piece by piece. */
typedef struct stage_job {
  const erk *w;
  const sn_state *from;
  int last;
  double h;
  const double *weight;
} stage_job;

static void add_slopes(void *user, int first, int last) {
  const stage_job *j = user;
  const erk *w = j->w;
  const int n = w->system->n;
  double *restrict q = w->at.q, *restrict v = w->at.v;
  memcpy(q + first, j->from->q + first, (size_t)(last - first) * sizeof(double));
  memcpy(v + first, j->from->v + first, (size_t)(last - first) * sizeof(double));
  for (int k = 0; k < j->last; k++) {
    const double c = j->h * j->weight[k];
    const double *restrict rate = w->slope[k], *restrict a = w->slope[k] + n;
    for (int i = first; c != 0 && i < last; i++) {
      q[i] += c * rate[i];
      v[i] += c * a[i];
    }
  }
}

static double error_at(const erk *w, double h, int i) {
  double e = 0;
  for (int k = 0; k < w->table->stages; k++) e += w->table->e[k] * w->slope[k][i];
  return h * e;
}

static void add_errors(void *user, int first, int last, double sum[SN_MOST_SUMS]) {
  const stage_job *j = user;
  const sn_integrator_spec *settings = &j->w->form.head;
  const double *unit = j->w->system->model->unit;
  for (int i = first; i < last; i++) {
    const double q = error_at(j->w, j->h, i) / sn_allowed(settings, unit[i], j->from->q[i]);
    const double v = error_at(j->w, j->h, j->w->system->n + i) / sn_allowed(settings, unit[i], j->from->v[i]);
    sum[0] += q * q + v * v;
  }
}

/* Of the tolerance, as errors of steps add up. */
static const double LOCAL = 0.3;

/* Root mean square of the local error of q and v, 1 = just allowed. */
static double error_of(const erk *w, const sn_state *from, double h) {
  stage_job j = {.w = w, .from = from, .h = h};
  double sum[SN_MOST_SUMS];
  sn_threads_sum(w->system->threads, w->system->n, add_errors, &j, sum);
  return sqrt(sum[0] / (2 * w->system->n)) / LOCAL;
}

/* ---- stages ---- */

static bool evaluate(erk *w, double t, double *slope) {
  sn_system *s = w->system;
  w->at.t = t;
  if (!sn_index1_accelerations(s, &w->form, &w->at, w->phi)) return false;
  sn_threads_copy(s->threads, s->n, slope, w->at.v);
  sn_threads_copy(s->threads, s->n, slope + s->n, w->at.a);
  return true;
}

static bool take_stages(erk *w, const sn_state *from, double h) {
  for (int i = 1; i < w->table->stages; i++) {
    stage_job j = {.w = w, .from = from, .last = i, .h = h, .weight = w->table->a[i]};
    sn_threads_split(w->system->threads, w->system->n, add_slopes, &j);
    if (!evaluate(w, from->t + w->table->c[i] * h, w->slope[i])) return false;
  }
  return true;
}

/* Norms as those of errors: |x| of (q, v) or of slopes. */
static double size_of(const erk *w, const sn_state *at, const double *q, const double *v) {
  double sum = 0;
  for (int i = 0; i < w->system->n; i++) {
    const double unit = w->system->model->unit[i];
    const double x = q[i] / sn_allowed(&w->form.head, unit, at->q[i]);
    const double y = v[i] / sn_allowed(&w->form.head, unit, at->v[i]);
    sum += x * x + y * y;
  }
  return sqrt(sum / (2 * w->system->n));
}

/* First step (Hairer, Norsett and Wanner, II.4): one that changes y little, then one whose error h^order y'' allows,
 * with y'' by an explicit step of Euler. */
static double first_step(erk *w, const sn_state *state) {
  const int n = w->system->n;
  const double y = size_of(w, state, state->q, state->v), rate = size_of(w, state, w->slope[0], w->slope[0] + n);
  double h = y < 1e-5 || rate < 1e-5 ? 1e-6 : 0.01 * y / rate;
  h = fmax(fmin(h, w->control.largest), w->control.smallest);
  const double one = 1;
  stage_job j = {.w = w, .from = state, .last = 1, .h = h, .weight = &one};
  sn_threads_split(w->system->threads, n, add_slopes, &j);
  if (!evaluate(w, state->t + h, w->slope[1])) return h;
  for (int i = 0; i < 2 * n; i++) w->slope[1][i] -= w->slope[0][i];
  const double most = fmax(rate, size_of(w, state, w->slope[1], w->slope[1] + n) / h);
  return most <= 1e-15 ? fmax(1e-6, 1e-3 * h) : fmin(100 * h, pow(0.01 / most, 1. / w->table->order));
}

/* The slope of the state, and the first step of an adaptive run. */
static bool begin(erk *w, const sn_state *state) {
  sn_state_copy(w->system, &w->at, state);
  if (!evaluate(w, state->t, w->slope[0])) return false;
  if (w->control.h == 0) w->control.h = fmax(fmin(first_step(w, state), w->control.largest), w->control.smallest);
  return w->started = true;
}

/* ---- 5(4) or 4(3) ----
 * The last two stages of 5(4) are of one time. What differs between them are vibrations at the limit of stability if there
 * are any: dv = lambda dq, da = lambda^2 dq. Steps with h |lambda| near 1 time after time are as long as stability allows
 * (Hairer and Wanner, IV.2), or nearly as long as the motion allows; which of the two, the steps of 4(3) show. */

static void add_differences(void *user, int first, int last, double sum[SN_MOST_SUMS]) {
  const stage_job *j = user;
  const erk *w = j->w;
  const int end = w->table->stages - 1, n = w->system->n;
  const double *a = w->table->a[end], *b = w->table->a[end - 1];
  for (int i = first; i < last; i++) {
    const double da = w->slope[end][n + i] - w->slope[end - 1][n + i];
    double dq = 0;
    for (int k = 0; k < end; k++) dq += j->h * (a[k] - b[k]) * w->slope[k][i];
    sum[0] += dq * dq;
    sum[1] += da * da;
  }
}

static bool is_limited(const erk *w, double h) {
  const double limit = 0.8; /* 1 on the imaginary axis, 3.3 on the real one */
  stage_job j = {.w = w, .h = h};
  double sum[SN_MOST_SUMS];
  sn_threads_sum(w->system->threads, w->system->n, add_differences, &j, sum);
  return h * h * sqrt(sum[1] / sum[0]) > limit * limit;
}

enum { PATIENCE = 256 };

static void take_table(erk *w, bool long_steps) {
  w->pace.long_steps = long_steps;
  w->table = long_steps ? &runge_kutta : &dormand_prince;
  w->control.order = w->table->order;
}

/* After the step h, while its slopes are there: the method of the next one. 5(4) is tried again after `patience` steps with
 * 4(3), more each time that they are a gain. */
static void find_table(erk *w, double h) {
  enum { LOOK = 8, LOOKS = 4, FIRST = 24, LATE = 4096 };
  const double forget = 1. / 16, evaluations = (double)(runge_kutta.stages - 1) / (dormand_prince.stages - 1);
  pace *p = &w->pace;
  p->mean = p->steps++ == 0 ? h : p->mean + forget * (h - p->mean);
  if (!p->long_steps) {
    if (p->steps % LOOK != 0) return;
    p->limited = is_limited(w, h) ? p->limited + 1 : 0;
    if (p->limited < LOOKS) return;
    p->before = p->mean;
  } else {
    const bool gains = p->steps < FIRST || p->mean >= evaluations * p->before;
    if (gains && p->steps < p->patience) return;
    p->patience = !gains ? PATIENCE : p->patience < LATE ? 2 * p->patience : LATE;
    w->control.h = fmin(w->control.h, p->before);
  }
  p->steps = p->limited = 0;
  take_table(w, !p->long_steps);
}

/* ---- creation ---- */

static void *erk_create(sn_system *system, const sn_integrator_spec *settings, const sn_state *state) {
  const erk_spec *own = (const erk_spec *)(const void *)settings;
  erk *w = SN_NEW(&system->arena, erk, 1);
  *w = (erk){.system = system,
             .form = own->head,
             .table = tables[own->order],
             .pace = {.chooses = own->order == 0 && settings->step == 0, .patience = PATIENCE}};
  w->form.head = sn_settings_of_a_step(settings);
  w->control = settings->step > 0 ? sn_fixed_steps(settings->step, state->t)
                                  : (sn_step_control){.h = settings->initial_step > 0 ? settings->initial_step : 0,
                                                      .smallest = settings->min_step,
                                                      .largest = settings->max_step,
                                                      .order = w->table->order};
  sn_state_create(system, &w->at);
  w->phi = SN_NEW(&system->arena, double, 2 * system->m + 1);
  const int stages = w->table->stages; /* 4(3) takes those of 5(4) */
  for (int i = 0; i < stages; i++) w->slope[i] = SN_NEW(&system->arena, double, 2 * system->n);
  return w;
}

static void erk_history(void *self, sn_history *history) {
  erk *w = self;
  pace *p = &w->pace;
  sn_step_history(&w->control, history);
  if (!p->chooses) return;
  sn_history_bool(history, &p->long_steps);
  sn_history_int(history, &p->steps, 0, INT_MAX - 1);
  sn_history_int(history, &p->limited, 0, INT_MAX - 1);
  sn_history_int(history, &p->patience, 0, INT_MAX / 2);
  sn_history_at_least(history, &p->mean, 0);
  sn_history_at_least(history, &p->before, 0);
  if (history->loading) take_table(w, p->long_steps);
}

/* ---- one step ---- */

static const char *worst_of(const erk *w, const sn_state *from, double h) {
  const int n = w->system->n;
  double most = -1;
  int worst = 0;
  for (int i = 0; i < 2 * n && !isnan(most); i++) {
    const double x = i < n ? from->q[i] : from->v[i - n];
    const double e = fabs(error_at(w, h, i)) / sn_allowed(&w->form.head, w->system->model->unit[i % n], x);
    if (!(e <= most)) most = e, worst = i % n;
  }
  return sn_system_owner(w->system, worst);
}

/* The tolerance asks for more digits than numbers have. */
static bool below_rounding(const erk *w, const sn_state *state) {
  return !w->control.fixed && size_of(w, state, state->q, state->v) * 0x1p-52 > 1;
}

static sn_status report_failure(erk *w, const sn_state *state, double h, bool solved) {
  const bool fixed = w->control.fixed;
  return sn_index1_report(w->system, &w->form.head, "erk", state, h,
                          below_rounding(w, state) ? SN_BELOW_ROUNDING
                          : !solved                ? SN_NO_ACCELERATIONS
                                                   : SN_ERROR_TOO_LARGE,
                          worst_of(w, state, h),
                          solved  ? "an implicit integrator (hht-i3, ida)"
                          : fixed ? "a smaller step: an explicit method may have become unstable"
                                  : "check the model near that time");
}

static void accept(erk *w, sn_state *state, sn_state *before) {
  sn_state swap = *before; /* the old arrays of `before` take the new state */
  *before = *state;
  *state = swap;
  sn_state_copy(w->system, state, &w->at);
  const int last = w->table->stages - 1;
  const double h = state->t - before->t;
  if (w->pace.chooses) find_table(w, h);
  double *end = w->slope[last];
  w->slope[last] = w->slope[0];
  w->slope[0] = end;
  sn_step_count(w->system->count, h);
}

static sn_status erk_step(void *self, sn_state *state, sn_state *before, double limit) {
  erk *w = self;
  if (!w->started && (below_rounding(w, state) || !begin(w, state)))
    return report_failure(w, state, w->control.h, false);
  for (;;) {
    const double h = sn_step_begin(&w->control, state->t, limit);
    const bool solved = take_stages(w, state, h);
    const double error = solved && !w->control.fixed ? error_of(w, state, h) : 0;
    if (solved && isfinite(error)) {
      if (sn_step_judge(&w->control, state->t, h, error)) break;
      w->system->count->error_rejections++;
      if (h > w->control.smallest) continue;
      return report_failure(w, state, h, true);
    }
    /* the trial step led to where accelerations cannot be solved for */
    if (w->control.fixed || !sn_step_cut(&w->control, h)) return report_failure(w, state, h, false);
    w->system->count->error_rejections++;
  }
  accept(w, state, before);
  return SN_OK;
}

static void erk_restart(void *self, const sn_state *state) {
  erk *w = self;
  if (!w->control.fixed) w->control.h = w->control.last_error = 0;
  w->control.grid_start = state->t;
  w->control.grid_index = 0;
  w->started = false;
}

static const sn_field erk_fields[] = {
    SN_STEP_FIELDS,
    {"order", SN_CHOICE, SN_AT(erk_spec, order), .def = "auto", .choices = "auto|3|4|5",
     .help =
         "5: Dormand-Prince 5(4); 4: the classical method with an estimate of order 3, whose steps may be 2.8 times as "
         "long where vibrations limit them; 3: Bogacki-Shampine 3(2); auto: 5, and 4 while its longer steps get "
         "farther with the same work; 5 with a fixed step"},
    SN_BAUMGARTE_FIELDS("; the step stays below 3/alpha"),
    {0},
};

const sn_integrator_ops sn_erk = {
    .kind = {.name = "erk",
             .category = SN_INTEGRATORS,
             .summary = "explicit Runge-Kutta 5(4), 4(3) or 3(2) at index 1 with Baumgarte's stabilization",
             .fields = erk_fields,
             .spec_size = sizeof(erk_spec),
             .check = sn_check_steps},
    .quintic = true,
    .create = erk_create,
    .step = erk_step,
    .restart = erk_restart,
    .history = erk_history,
};
