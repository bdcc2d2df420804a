/* huang.c - one run of Huang's thesis; see huang.h. */
#include "huang.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, WINDOW = 1000 };

/* What a and l of the method differ from those of the acceleration level. */
static void differences(sn_simulation *s, sn_state *x, double *e, double *largest) {
  int n = s->system->n, m = s->system->m;
  sn_state_copy(s->system, x, &s->state);
  sn_solve_accelerations(s->audit, x);
  for (int i = 0; i < n; i++) e[i] = s->state.a[i] - x->a[i], largest[0] = fmax(largest[0], fabs(x->a[i]));
  for (int i = 0; i < m; i++) e[n + i] = s->state.l[i] - x->l[i], largest[1] = fmax(largest[1], fabs(x->l[i]));
}

/* Second difference of three in a row, the largest of a and of l. */
static void alternation(const double e[3][MOST], int n, int m, double *of) {
  of[0] = of[1] = 0;
  for (int i = 0; i < n + m; i++) of[i >= n] = fmax(of[i >= n], fabs(e[0][i] - 2 * e[1][i] + e[2][i]) / 4);
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
  int n = s->system->n, m = s->system->m, count = 0, window = (int)fmin(WINDOW, round(1 / c->step));
  double e[3][MOST] = {{0}}, of[WINDOW][2] = {{0}}, largest[2] = {1e-30, 1e-30}, energy[SN_ENERGIES];
  sn_state x;
  sn_state_create(s->audit, &x);
  while (sn_time(s) < c->until - c->step / 2 && !v->fails) {
    v->fails = sn_step(s) != SN_OK || s->system->statistics.newton_rejections > 0;
    if (v->fails) break;
    measure_levels(s, v->level);
    v->fails = !(v->level[0] <= c->length);
    if (sn_time(s) < c->first + c->step / 2) v->early = v->level[0];
    memmove(e[1], e[0], 2 * sizeof e[0]);
    differences(s, &x, e[0], largest);
    if (++count > 2) alternation((const double(*)[MOST])e, n, m, of[count % window]);
    sn_read(s, "energy", energy, SN_ENERGIES);
  }
  v->reached = sn_time(s);
  for (int k = 0; k < 2; k++) {
    double sum = 0;
    for (int i = 0; i < window; i++) sum += of[i][k];
    v->noise = fmax(v->noise, sum / window / largest[k]);
  }
  v->energy = s->largest_energy_error / s->largest_kinetic;
  v->iterations = (double)s->system->statistics.iterations / (double)s->system->statistics.steps;
}

huang_verdict huang_run(const huang_case *c) {
  sn_context *context = sn_context_create();
  sn_model *model;
  sn_simulation *simulation;
  sn_options options = {.integrator = c->integrator, .step = c->step, .until = c->until};
  huang_verdict v = {0};
  size_t sets = 0;
  while (sets < HUANG_SETS && c->set[sets]) sets++;
  if (sn_model_load(context, c->model, c->set, sets, &model) || sn_simulation_create(model, &options, &simulation) ||
      model->n + model->m > MOST) {
    fputs(sn_message(context), stderr);
    exit(2);
  }
  follow(simulation, c, &v);
  sn_simulation_free(simulation);
  sn_model_free(model);
  sn_context_free(context);
  return v;
}

const char *huang_word(double length, const huang_verdict *v) {
  double largest = v->level[0];
  bool drifts = largest > 0.01 * length || (largest > 1e-4 * length && largest > 2 * v->early);
  return v->fails ? "fails" : drifts ? "drifts" : v->noise > 0.01 ? "oscillates" : "stable";
}
