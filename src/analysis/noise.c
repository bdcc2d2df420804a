/* noise.c - noise and drift at the ends of steps; see noise.h. */
#include "analysis/noise.h"

#include <math.h>
#include <string.h>

#include "system/phases.h"

enum { INTERVALS = 1000 };

struct sn_noise {
  int stage; /* what follows is about this one */
  int count; /* steps in e */
  double *e[3];
  double sum[2]; /* of d, over count - 2 steps: a, l */
  double largest[2];
  double cpu;       /* [s] of a step's noise, by the last look at the clock */
  size_t intervals; /* of the stage that have a step */
  double t[INTERVALS], phi[INTERVALS];
};

static const double LAST = 0.1; /* of the stage */

void sn_watch_noise(sn_simulation *s) {
  size_t size = (size_t)s->system->n + (size_t)s->system->m;
  s->noise = SN_NEW(&s->arena, struct sn_noise, 1);
  s->noise->stage = -1;
  for (int k = 0; k < 3; k++) s->noise->e[k] = SN_NEW(&s->arena, double, size + 1);
}

static void begin(struct sn_noise *w, int stage) {
  assert(stage >= 0);
  w->stage = stage;
  w->count = 0;
  w->intervals = 0;
  for (int k = 0; k < 2; k++) w->sum[k] = w->largest[k] = 0;
}

static double largest_of(double largest, const double *x, int size) {
  for (int i = 0; i < size; i++) largest = fmax(largest, fabs(x[i]));
  return largest;
}

/* e of the last step becomes the first of the three. */
static void add_deviation(sn_simulation *s) {
  struct sn_noise *w = s->noise;
  int n = s->system->n, m = s->system->m;
  sn_state *x = &s->sample;
  double *e = w->e[2];
  w->e[2] = w->e[1];
  w->e[1] = w->e[0];
  w->e[0] = e;
  sn_state_copy(s->system, x, &s->state);
  sn_solve_accelerations(s->audit, x);
  for (int i = 0; i < n; i++) e[i] = s->state.a[i] - x->a[i];
  for (int i = 0; i < m; i++) e[n + i] = s->state.l[i] - x->l[i];
  w->count++;
}

static double alternation(const struct sn_noise *w, int from, int to) {
  assert(from >= 0 && from <= to);
  double d = 0;
  for (int i = from; i < to; i++) d = fmax(d, fabs(w->e[0][i] - 2 * w->e[1][i] + w->e[2][i]) / 4);
  return d;
}

/* The end of each interval that has a step: the largest |Phi| there. */
static void add_drift(sn_simulation *s) {
  struct sn_noise *w = s->noise;
  double interval = floor((s->state.t - s->begin) / (s->end - s->begin) * INTERVALS * (1 - 1e-12));
  double end = s->begin + (fmax(interval, 0) + 1) / INTERVALS * (s->end - s->begin), *phi = s->scratch;
  sn_system_position(s->audit, &s->state, phi);
  double largest = largest_of(0, phi, s->audit->m);
  if (w->intervals < INTERVALS && (w->intervals == 0 || end > w->t[w->intervals - 1])) {
    w->t[w->intervals] = end;
    w->phi[w->intervals++] = largest;
  } else {
    w->phi[w->intervals - 1] = fmax(w->phi[w->intervals - 1], largest);
  }
}

/* Impulses are no accelerations. */
static bool has_noise(const sn_simulation *s) {
  return !(s->ops->impulsive && s->model->surfaces && s->model->surfaces->dvi);
}

static void add_noise(sn_simulation *s) {
  struct sn_noise *w = s->noise;
  int n = s->system->n, m = s->system->m;
  const sn_phase_mark mark = sn_phase_begin(s->system, SN_PHASE_OUTPUT);
  const bool look = !(w->cpu < 2e-5) || w->count % 8 == 0; /* a look at this clock takes 0.2 to 0.5 us */
  const double cpu = look ? sn_cpu_time() : 0;
  add_deviation(s);
  if (w->count > 2) {
    w->sum[0] += alternation(w, 0, n);
    w->sum[1] += alternation(w, n, n + m);
  }
  sn_phase_end(s->system, &mark);
  if (look) w->cpu = sn_cpu_time() - cpu;
  s->system->statistics.cpu_output += w->cpu;
}

/* Looking at the clock would cost more than all but the noise does. */
void sn_noise_step(sn_simulation *s) {
  struct sn_noise *w = s->noise;
  if (!w || !s->ops) return;
  if (w->stage != s->stage) begin(w, s->stage);
  w->largest[0] = largest_of(w->largest[0], s->state.a, s->system->n);
  w->largest[1] = largest_of(w->largest[1], s->state.l, s->system->m);
  add_drift(s);
  if (has_noise(s) && s->state.t > s->end - LAST * (s->end - s->begin)) add_noise(s);
}

double sn_noise(const sn_simulation *s) {
  const struct sn_noise *w = s->noise;
  double noise = 0;
  if (!w || w->count < 3) return NAN;
  for (int k = 0; k < 2; k++)
    if (w->sum[k] > 0) noise = fmax(noise, w->sum[k] / (w->count - 2) / w->largest[k]);
  return noise;
}

sn_curve sn_step_drift(const sn_simulation *s) {
  const struct sn_noise *w = s->noise;
  return w ? (sn_curve){w->intervals, w->t, w->phi} : (sn_curve){0};
}
