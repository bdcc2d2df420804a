/* evaluate.c - the equations of a model, evaluated batch by batch: residual, constraints, energy, power, momentum. */
#include <math.h>
#include <string.h>

#include "contact/penalty.h"
#include "force/applied.h"
#include "model/formula.h"
#include "model/host.h"
#include "system/equations.h"
#include "system/phases.h"

/* ---- running over batches ---- */

static void run_chunk(void *user, int index) {
  const sn_job *j = user;
  const sn_batch *b = j->batch;
  int k = j->chunk[index];
  assert(k >= 0 && k < b->chunks);
  sn_range range = {k * b->chunk, (k + 1) * b->chunk < b->count ? (k + 1) * b->chunk : b->count};
  if (j->into_vector)
    j->into_vector(b, range, j->eval, j->vector);
  else
    b->ops->tangent(b, range, j->eval, j->matrix);
}

void sn_run_batch(sn_system *s, sn_job *j) {
  const sn_batch *b = j->batch;
  for (int c = 0; c < b->colors; c++) {
    j->chunk = b->color_chunk + b->color_first[c];
    sn_threads_run(s->threads, b->color_first[c + 1] - b->color_first[c], run_chunk, j);
  }
}

sn_eval sn_system_eval(const sn_system *s, const sn_state *state) {
  assert(state->q && state->v && state->a && (state->l || s->m == 0));
  return (sn_eval){.t = state->t,
                   .q = state->q,
                   .v = state->v,
                   .a = state->a,
                   .l = state->l,
                   .gravity = s->own->load == 1 ? s->model->gravity : s->own->gravity,
                   .load = s->own->load,
                   .ci = 1,
                   .h = s->own->kick ? s->own->kick_h : 0,
                   .kick = s->own->kick,
                   .set_valued = s->own->set_valued,
                   .inputs = s->own->inputs,
                   .discrete = s->own->discrete,
                   .hold = s->own->hold,
                   .host = s->own->host};
}

bool sn_system_fault(const sn_system *s, const sn_state *state, char *text, size_t size) {
  const sn_eval ev = sn_system_eval(s, state);
  return sn_explain_state(s->model, &ev, text, size);
}

/* ---- the equations ---- */

void sn_system_evaluate(sn_system *s, const sn_eval *ev, double *r) {
  sn_threads_zero(s->threads, s->n, r);
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *b = &s->own->batch[k];
    sn_job j = {.batch = b, .eval = ev, .into_vector = b->ops->residual, .vector = r};
    if (b->ops->residual) sn_run_batch(s, &j);
  }
  if (ev->host && ev->host->applied > 0) sn_applied_residual(ev, r);
  if (s->contacts) sn_penalty_residual(s->contacts, s->threads, ev, r);
}

void sn_system_residual(sn_system *s, const sn_state *state, double ci, double *r) {
  const sn_phase_mark mark = sn_phase_begin(s, SN_PHASE_RESIDUAL);
  sn_eval ev = sn_system_eval(s, state);
  ev.ci = ci;
  sn_system_evaluate(s, &ev, r);
  s->count->residuals++;
  sn_phase_end(s, &mark);
}

/* A power of two that makes small x large: M x would be lost beside forces, as corrections of Newton's method are. */
static double magnification(const double *x, int n) {
  const double small = 1e-6;
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most > 0 && most < small ? ldexp(1, 30 - (int)fmax(ilogb(most), -900)) : 1;
}

/* M x is what the residual gains when a = x. */
void sn_system_mass_times(sn_system *s, const sn_state *state, const double *x, double *y) {
  assert(x != y);
  const double by = magnification(x, s->n);
  sn_state at = {.t = state->t, .q = state->q, .v = state->v, .a = s->zero, .l = s->zero + s->n};
  sn_system_residual(s, &at, 1, s->own->work);
  for (int i = 0; i < s->n; i++) s->own->refine[i] = by * x[i];
  at.a = s->own->refine;
  sn_system_residual(s, &at, 1, y);
  for (int i = 0; i < s->n; i++) y[i] = (y[i] - s->own->work[i]) / by;
}

/* Trees of rigid bodies have factors, but no matrix. */
void sn_system_kept_mass_times(sn_system *s, const sn_state *state, const double *x, double *y) {
  if (sn_system_is_tree(s))
    sn_system_mass_times(s, state, x, y);
  else
    sn_matrix_multiply(s->own->matrix, x, y);
}

/* Batches with constraints have nothing but G'l in their residual. */
void sn_system_reaction(sn_system *s, const sn_state *state, const double *l, double *r) {
  sn_eval ev = sn_system_eval(s, state);
  ev.l = l;
  memset(r, 0, (size_t)s->n * sizeof(double));
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *b = &s->own->batch[k];
    sn_job j = {.batch = b, .eval = &ev, .into_vector = b->ops->residual, .vector = r};
    if (b->ops->position) sn_run_batch(s, &j);
  }
}

/* Which of the three constraint functions: chosen by its place in the ops table. */
#define LEVEL(name)                                                                        \
  void sn_system_##name(sn_system *s, const sn_state *state, double *result) {             \
    sn_eval ev = sn_system_eval(s, state);                                                 \
    for (int k = 0; k < s->model->batches; k++) {                                          \
      const sn_batch *b = &s->own->batch[k];                                               \
      sn_job j = {.batch = b, .eval = &ev, .into_vector = b->ops->name, .vector = result}; \
      if (b->ops->name) sn_run_batch(s, &j);                                               \
    }                                                                                      \
  }
LEVEL(position)
LEVEL(velocity)
LEVEL(acceleration)

void sn_system_constraints(sn_system *s, const sn_state *state, double r, double *phi) {
  sn_system_position(s, state, phi);
  if (s->model->nonholonomic == 0) return;
  sn_eval ev = sn_system_eval(s, state);
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *b = &s->own->batch[k];
    sn_job j = {.batch = b, .eval = &ev, .into_vector = b->ops->velocity, .vector = phi};
    if (b->ops->nonholonomic) sn_run_batch(s, &j);
  }
  for (int i = 0; i < s->model->nonholonomic; i++) phi[s->model->nonholonomic_row[i]] *= r;
}

/* ---- audit ---- */

/* Sums over instances in order: the same bits for any number of threads. */
void sn_system_energy(sn_system *s, const sn_state *state, sn_energy *energy) {
  sn_eval ev = sn_system_eval(s, state);
  memset(energy, 0, sizeof *energy);
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *b = &s->own->batch[k];
    if (b->ops->energy) b->ops->energy(b, (sn_range){0, b->count}, &ev, energy);
  }
  if (s->contacts) sn_penalty_energy(s->contacts, s->threads, &ev, energy);
}

typedef struct power_job {
  const sn_batch *batch;
  const sn_eval *eval;
  sn_power *part; /* of each chunk */
} power_job;

static void power_of_chunk(void *user, int k) {
  const power_job *j = user;
  const sn_batch *b = j->batch;
  sn_range range = {k * b->chunk, (k + 1) * b->chunk < b->count ? (k + 1) * b->chunk : b->count};
  j->part[k] = (sn_power){0};
  b->ops->power(b, range, j->eval, &j->part[k]);
}

/* Needed in every step: chunks on all threads, and their sums in order. */
void sn_system_power(sn_system *s, const sn_state *state, sn_power *power) {
  sn_eval ev = sn_system_eval(s, state);
  memset(power, 0, sizeof *power);
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *b = &s->own->batch[k];
    if (!b->ops->power) continue;
    power_job j = {b, &ev, s->own->powers};
    int chunks = (b->count + b->chunk - 1) / b->chunk;
    sn_threads_run(s->threads, chunks, power_of_chunk, &j);
    for (int i = 0; i < chunks; i++) {
      power->applied += s->own->powers[i].applied;
      power->driver += s->own->powers[i].driver;
      power->damping += s->own->powers[i].damping;
      power->friction += s->own->powers[i].friction;
    }
  }
  if (ev.host && ev.host->applied > 0) sn_applied_power(&ev, power);
  if (s->contacts) sn_penalty_power(s->contacts, s->threads, &ev, power);
}

void sn_system_momentum(sn_system *s, const sn_state *state, double p[6]) {
  sn_eval ev = sn_system_eval(s, state);
  memset(p, 0, 6 * sizeof(double));
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *b = &s->own->batch[k];
    if (b->ops->momentum) b->ops->momentum(b, (sn_range){0, b->count}, &ev, p);
  }
}
