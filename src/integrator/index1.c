/* index1.c - see index1.h. */
#include "integrator/index1.h"

#include <stdio.h>
#include <string.h>

#include "integrator/failure.h"

bool sn_index1_accelerations(sn_system *s, const sn_index1_spec *spec, sn_state *at, double *phi) {
  double sum = 0;
  if (!sn_system_stage(s, at, spec->alpha, spec->beta, phi)) return false;
  for (int i = 0; i < s->n; i++) sum += fabs(at->a[i]);
  return isfinite(sum);
}

sn_status sn_index1_report(sn_system *system, const sn_integrator_spec *settings, const char *name,
                           const sn_state *state, double h, sn_index1_failure failure, const char *worst,
                           const char *help) {
  char what[500], where[60];
  snprintf(where, sizeof where, "at t = %g s with step %g s", state->t, h);
  if (failure == SN_NO_ACCELERATIONS) {
    snprintf(what, sizeof what, "%s: no solution for the accelerations %s", name, where);
  } else if (failure == SN_BELOW_ROUNDING) {
    snprintf(what, sizeof what, "%s: the tolerance is below the rounding error %s", name, where);
    help = "a larger tolerance";
  } else {
    snprintf(what, sizeof what, "%s: %s %s, worst at '%s'", name,
             failure == SN_ERROR_TOO_LARGE ? "the local error exceeds the tolerance" : "no convergence", where, worst);
  }
  return sn_fail_step(system, settings, state, h, what, help);
}

/* ---- for the methods of ARKODE ---- */

bool sn_index1_begin(sn_index1 *w, sn_system *system, const sn_index1_spec *settings, const sn_state *state) {
  int n = system->n;
  w->spec = *settings;
  sn_state_create(system, &w->at);
  sn_state_copy(system, &w->at, state);
  w->phi = SN_NEW(&system->arena, double, 2 * system->m + 1);
  w->owner = SN_NEW(&system->arena, int, 2 * n);
  for (int i = 0; i < n; i++) w->owner[i] = w->owner[n + i] = i;
  if (!sn_sundials_begin(&w->base, system, &settings->head)) return false;
  w->y = N_VNew_Serial(2 * n, w->base.context);
  w->error = N_VNew_Serial(2 * n, w->base.context);
  w->weight = N_VNew_Serial(2 * n, w->base.context);
  if (!w->y || !w->error || !w->weight) sn_out_of_memory(0);
  sn_index1_set(w, state);
  return true;
}

void sn_index1_end(sn_index1 *w) {
  N_Vector *vectors[] = {&w->y, &w->error, &w->weight};
  for (size_t i = 0; i < SN_COUNT(vectors); i++)
    if (*vectors[i]) N_VDestroy(*vectors[i]);
  sn_sundials_end(&w->base);
}

void sn_index1_set(sn_index1 *w, const sn_state *state) {
  int n = w->base.system->n;
  double *y = N_VGetArrayPointer(w->y);
  memcpy(y, state->q, (size_t)n * sizeof(double));
  memcpy(y + n, state->v, (size_t)n * sizeof(double));
}

/* The last stage of a step is the first of the next, so the same question comes twice. */
bool sn_index1_evaluate(sn_index1 *w, double t, const double *y) {
  sn_system *s = w->base.system;
  size_t size = (size_t)s->n * sizeof(double);
  if (w->fresh && t == w->at.t && memcmp(w->at.q, y, size) == 0 && memcmp(w->at.v, y + s->n, size) == 0) return true;
  w->at.t = t;
  memcpy(w->at.q, y, size);
  memcpy(w->at.v, y + s->n, size);
  return w->fresh = sn_index1_accelerations(s, &w->spec, &w->at, w->phi);
}

typedef struct question {
  sn_index1 *w;
  double t;
  const double *y;
} question;

static int find_state(void *arguments) {
  const question *ask = arguments;
  return sn_index1_evaluate(ask->w, ask->t, ask->y) ? 0 : 1; /* 1: try a shorter step */
}

int sn_index1_slope(double t, N_Vector y, N_Vector rate, void *self) {
  sn_index1 *w = self;
  size_t size = (size_t)w->base.system->n * sizeof(double);
  double *d = N_VGetArrayPointer(rate);
  question ask = {w, t, N_VGetArrayPointer(y)};
  int flag = sn_sundials_answer(&w->base, find_state, &ask);
  if (flag) return flag;
  memcpy(d, w->at.v, size);
  memcpy(d + w->base.system->n, w->at.a, size);
  return 0;
}

sn_status sn_index1_fail(sn_index1 *w, const char *name, const sn_state *state, double h, sn_index1_failure failure,
                         const char *help) {
  return sn_index1_report(w->base.system, &w->base.settings, name, state, h, w->fresh ? failure : SN_NO_ACCELERATIONS,
                          sn_sundials_worst(&w->base, w->error, w->weight, w->owner), help);
}
