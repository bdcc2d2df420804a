/* advance.c - the free motion between two impulses; see sn_system_advance.
 *
 *   u = v0 + dv,   q1 = q0 + h u,   v1 = u
 *
 * and kinds with rotations replace their coordinates: each instance has its own, so that all can run in parallel.
 */
#include "system/equations.h"
#include "system/system.h"

typedef struct motion {
  const sn_batch *batch;
  const sn_eval *eval;
  const sn_state *to;
  void (*task)(const sn_batch *, sn_range, const sn_eval *, double *, double *);
} motion;

static void run_chunk(void *user, int k) {
  assert(k >= 0 && k < ((const motion *)user)->batch->chunks);
  const motion *w = user;
  const sn_batch *b = w->batch;
  sn_range range = {k * b->chunk, (k + 1) * b->chunk < b->count ? (k + 1) * b->chunk : b->count};
  w->task(b, range, w->eval, w->to->q, w->to->v);
}

typedef struct kick {
  const sn_state *from, *to;
  const double *dv;
  double h;
} kick;

static void move_piece(void *user, int first, int last) {
  const kick *w = user;
  const double *q = w->from->q, *v = w->from->v, *dv = w->dv, h = w->h;
  double *q1 = w->to->q, *v1 = w->to->v;
  for (int i = first; i < last; i++) {
    v1[i] = v[i] + dv[i];
    q1[i] = q[i] + h * v1[i];
  }
}
static void accelerate_piece(void *user, int first, int last) {
  const kick *w = user;
  const double *v = w->from->v, *v1 = w->to->v, h = w->h;
  double *a = w->to->a;
  for (int i = first; i < last; i++) a[i] = (v1[i] - v[i]) / h;
}

void sn_system_advance(sn_system *s, const sn_state *from, double h, const double *dv, sn_state *to) {
  assert(h != 0 && from != to && from->q != to->q);
  const sn_eval ev = {.t = from->t, .q = from->q, .v = from->v, .a = dv, .h = h};
  kick w = {from, to, dv, h};
  to->t = from->t + h;
  sn_threads_split(s->threads, s->n, move_piece, &w);
  for (int k = 0; k < s->model->batches; k++) {
    motion m = {&s->own->batch[k], &ev, to, s->own->batch[k].ops->advance};
    if (m.task) sn_threads_run(s->threads, m.batch->chunks, run_chunk, &m);
  }
  sn_threads_split(s->threads, s->n, accelerate_piece, &w);
}

void sn_system_shift(sn_system *s, const double *q0, double h, const double *w, sn_state *state) {
  assert(q0 != state->q && w != state->q);
  const sn_eval ev = {.t = state->t, .q = q0, .v = w, .h = h};
  for (int k = 0; k < s->model->batches; k++) {
    motion m = {&s->own->batch[k], &ev, state, s->own->batch[k].ops->shift};
    if (m.task) sn_threads_run(s->threads, m.batch->chunks, run_chunk, &m);
  }
  for (int i = 0; i < s->n; i++) state->q[i] += h * w[i];
}
