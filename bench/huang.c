/* huang.c - one run of Huang's thesis; see huang.h. */
#include "huang.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/noise.h"
#include "integrator/low_order.h"

enum { MOST = 64 };

const char *const huang_scheme_names[HUANG_SCHEMES] = {"U0(1,1,0)", "V0(1,1,0)", "U0V0(1,1,1)"};

/* Second differences of what a and l differ from the acceleration level, and of a and l themselves. */
enum { NOISE, VIBRATION, SOUNDS };

typedef struct inner {
  int count;
  double e[SOUNDS][3][MOST]; /* of the last three steps */
  double sum[SOUNDS][2];     /* of second differences: a, l */
  double largest[2];
  sn_state end, middle; /* of the step, on the acceleration level */
} inner;

/* The acceleration level at the end of the step for a of U0 and U0V0 and l of U0, in its middle for a of V0 and l of V0
 * and U0V0. */
static void differences(sn_simulation *s, huang_scheme scheme, inner *w) {
  const sn_low_order *method = s->integrator;
  int n = s->system->n, m = s->system->m;
  sn_state_copy(s->system, &w->end, &s->state);
  sn_state_copy(s->system, &w->middle, &s->state);
  for (int i = 0; i < n; i++) {
    w->middle.q[i] = (s->before.q[i] + s->state.q[i]) / 2;
    w->middle.v[i] = (s->before.v[i] + s->state.v[i]) / 2;
  }
  w->middle.t = (s->before.t + s->state.t) / 2;
  sn_solve_accelerations(s->audit, &w->middle);
  sn_solve_accelerations(s->audit, &w->end);
  const double *a = scheme == HUANG_V0 ? w->middle.a : w->end.a, *l = scheme == HUANG_U0 ? w->end.l : w->middle.l;
  for (int i = 0; i < n + m; i++) {
    double own = i < n ? method->a0[i] : method->l0[i - n], level = i < n ? a[i] : l[i - n];
    w->e[NOISE][0][i] = own - level;
    w->e[VIBRATION][0][i] = own;
    w->largest[i >= n] = fmax(w->largest[i >= n], fabs(level));
  }
}

static void listen(sn_simulation *s, huang_scheme scheme, inner *w) {
  int n = s->system->n, m = s->system->m;
  for (int k = 0; k < SOUNDS; k++) memmove(w->e[k][1], w->e[k][0], 2 * sizeof w->e[k][0]);
  differences(s, scheme, w);
  if (++w->count <= 2) return;
  for (int k = 0; k < SOUNDS; k++) {
    double d[2] = {0};
    for (int i = 0; i < n + m; i++)
      d[i >= n] = fmax(d[i >= n], fabs(w->e[k][0][i] - 2 * w->e[k][1][i] + w->e[k][2][i]) / 4);
    for (int j = 0; j < 2; j++) w->sum[k][j] += d[j];
  }
}

static double loudness(const inner *w, int sound) {
  if (w->count <= 2) return NAN;
  return fmax(w->sum[sound][0] / w->largest[0], w->sum[sound][1] / w->largest[1]) / (w->count - 2);
}

static void measure_levels(sn_simulation *s, double *largest) {
  void (*const level[SN_LEVELS])(sn_system *, const sn_state *, double *) = {sn_system_position, sn_system_velocity,
                                                                             sn_system_acceleration};
  double phi[MOST];
  for (int k = 0; k < SN_LEVELS; k++) {
    level[k](s->audit, &s->state, phi);
    for (int i = 0; i < s->system->m; i++) largest[k] = fmax(largest[k], fabs(phi[i]));
  }
}

static void follow(sn_simulation *s, const huang_case *c, huang_verdict *v) {
  inner w = {0};
  double energy[SN_ENERGIES];
  sn_watch_noise(s);
  sn_state_create(s->audit, &w.end);
  sn_state_create(s->audit, &w.middle);
  while (sn_time(s) < c->until - c->step / 2 && !v->fails) {
    v->fails = sn_step(s) != SN_OK || s->system->statistics.newton_rejections > 0;
    if (v->fails) break;
    measure_levels(s, v->level);
    v->fails = !(v->level[0] <= c->length);
    if (sn_time(s) < c->first + c->step / 2) v->early = v->level[0];
    sn_noise_step(s);
    if (sn_time(s) > c->until - 1) listen(s, c->scheme, &w);
    sn_read(s, "energy", energy, SN_ENERGIES);
  }
  v->reached = sn_time(s);
  v->outer = sn_noise(s);
  v->noise = loudness(&w, NOISE);
  v->vibration = loudness(&w, VIBRATION);
  v->energy = s->largest_energy_error / s->largest_kinetic;
  v->iterations = (double)s->system->statistics.iterations / (double)s->system->statistics.steps;
}

static void forget_start(sn_simulation *s) {
  sn_low_order *method = s->integrator;
  size_t n = (size_t)s->system->n * sizeof(double), m = (size_t)s->system->m * sizeof(double);
  memset(method->a0, 0, n);
  memset(method->x0, 0, n);
  memset(method->l0, 0, m);
}

static const char *word_for(const huang_case *c, const huang_verdict *v) {
  double largest = v->level[0];
  bool drifts = largest > 0.01 * c->length || (largest > 1e-4 * c->length && largest > 2 * v->early);
  return v->fails ? "fails" : drifts ? "drifts" : v->noise > 0.01 ? "oscillates" : "stable";
}

huang_verdict huang_run(const huang_case *c) {
  static const char *const scheme[HUANG_SCHEMES] = {"newmark", "midpoint-v0", "midpoint"};
  sn_context *context = sn_context_create();
  sn_model *model;
  sn_simulation *simulation;
  char settings[200];
  sn_options options = {.integrator = settings, .step = c->step, .until = c->until};
  huang_verdict v = {0};
  size_t sets = 0;
  while (sets < HUANG_SETS && c->set[sets]) sets++;
  snprintf(settings, sizeof settings, "{type: gssss, scheme: %s, index: %d, stabilize: %s, newton: %s}",
           scheme[c->scheme], c->index, c->stabilize, c->newton);
  if (sn_model_load(context, c->model, c->set, sets, &model) || sn_simulation_create(model, &options, &simulation) ||
      model->n + model->m > MOST) {
    fputs(sn_message(context), stderr);
    exit(2);
  }
  if (c->from_zero) forget_start(simulation);
  follow(simulation, c, &v);
  v.word = word_for(c, &v);
  sn_simulation_free(simulation);
  sn_model_free(model);
  sn_context_free(context);
  return v;
}
