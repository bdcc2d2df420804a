/* system.c - the equations of a model, assembled batch by batch. */
#include "system/system.h"

#include <math.h>
#include <string.h>

#include "contact/penalty.h"
#include "system/pattern.h"

/* ---- creation ---- */

static const sn_linsolve_ops *choose_solver(const sn_model *model, const char *name) {
  if (name && strcmp(name, "klu") == 0) return &sn_klu;
  if (name && strcmp(name, "ldl") == 0) return &sn_ldl;
  return model->unsymmetric ? &sn_klu : &sn_ldl;
}

/* Chunks of the largest batch. */
static int most_chunks(const sn_model *model) {
  int most = 0;
  for (int k = 0; k < model->batches; k++) {
    const sn_batch *b = &model->batch[k];
    int chunks = b->chunk > 0 ? (b->count + b->chunk - 1) / b->chunk : 0;
    if (chunks > most) most = chunks;
  }
  return most;
}

static sn_status create(const sn_model *model, sn_threads *threads, const sn_linsolve_ops *solver, sn_system **out) {
  sn_arena arena = {0};
  sn_system *s = SN_NEW(&arena, sn_system, 1);
  s->model = model;
  s->context = model->context;
  s->n = model->n;
  s->m = model->m;
  s->count = &s->statistics;
  s->solver_ops = solver;
  s->matrix = sn_model_matrix(model, &s->matrix_arena, s->solver_ops->unsymmetric, 0, NULL);
  s->batch = model->batch;
  s->solver = s->solver_ops->analyze(s->matrix);
  s->threads = threads;
  s->load = 1;
  memcpy(s->gravity, model->gravity, sizeof s->gravity);
  s->work = SN_NEW(&arena, double, s->n + s->m);
  s->zero = SN_NEW(&arena, double, s->n + s->m);
  s->project = SN_NEW(&arena, double, 2 * s->n + s->m);
  s->refine = SN_NEW(&arena, double, 3 * ((size_t)s->n + (size_t)s->m));
  s->powers = SN_NEW(&arena, sn_power, most_chunks(model));
  s->arena = arena;
  *out = s;
  if (s->solver) return SN_OK;
  sn_system_free(s);
  *out = NULL;
  return sn_fail(model->context, SN_NUMERICS,
                 "the linear solver could not analyze the sparsity pattern of the equations");
}

sn_status sn_system_create(const sn_model *model, int threads, const char *solver, sn_system **out) {
  *out = NULL;
  if (threads > SN_MOST_THREADS)
    return sn_fail(model->context, SN_USAGE, "%d threads are too many: at most %d", threads, SN_MOST_THREADS);
  sn_threads *pool = sn_threads_create(threads > 0 ? threads : 1);
  sn_status status = create(model, pool, choose_solver(model, solver), out);
  if (status || !*out) {
    sn_threads_free(pool);
    return status;
  }
  (*out)->owns_threads = true;
  if (!model->surfaces) return SN_OK;
  (*out)->contacts = sn_contacts_create(model);
  (*out)->owns_contacts = true;
  return SN_OK;
}

void sn_system_share(sn_system *s, sn_system *with) {
  if (s->owns_contacts) sn_contacts_free(s->contacts);
  s->owns_contacts = false;
  s->contacts = with->contacts;
  if (s->owns_threads) sn_threads_free(s->threads);
  s->owns_threads = false;
  s->threads = with->threads;
}

sn_status sn_system_twin(sn_system *system, const sn_linsolve_ops *solver, sn_system **out) {
  sn_status status = create(system->model, system->threads, solver ? solver : system->solver_ops, out);
  if (!*out) return status;
  (*out)->count = system->count;
  (*out)->regularization = system->regularization;
  sn_system_share(*out, system);
  return SN_OK;
}

sn_status sn_system_use_solver(sn_system *s, const char *name) {
  const sn_linsolve_ops *ops = choose_solver(s->model, name);
  if (ops == s->solver_ops) return SN_OK;
  s->solver_ops->free(s->solver);
  s->solver_ops = ops;
  s->solver = NULL;
  return sn_system_make_matrix(s) ? SN_OK : SN_NUMERICS;
}

sn_status sn_system_refresh(sn_system *s) {
  s->couplings = 0;
  s->covered = -1;
  if (s->contacts) sn_contacts_forget(s->contacts);
  return sn_system_make_matrix(s) ? SN_OK : SN_NUMERICS;
}

void sn_system_set_load(sn_system *s, double load) {
  s->load = load;
  for (int k = 0; k < 3; k++) s->gravity[k] = load * s->model->gravity[k];
}

void sn_system_free(sn_system *s) {
  if (!s) return;
  if (s->solver) s->solver_ops->free(s->solver);
  if (s->owns_contacts) sn_contacts_free(s->contacts);
  sn_free(s->coupling);
  if (s->owns_threads) sn_threads_free(s->threads);
  sn_arena_free(&s->matrix_arena);
  sn_arena arena = s->arena; /* the system lives in its own arena */
  sn_arena_free(&arena);
}

void sn_state_create(sn_system *s, sn_state *state) {
  *state = (sn_state){.q = SN_NEW(&s->arena, double, s->n),
                      .v = SN_NEW(&s->arena, double, s->n),
                      .a = SN_NEW(&s->arena, double, s->n),
                      .l = SN_NEW(&s->arena, double, s->m)};
}

void sn_state_copy(const sn_system *s, sn_state *to, const sn_state *from) {
  size_t n = (size_t)s->n * sizeof(double), m = (size_t)s->m * sizeof(double);
  to->t = from->t;
  memcpy(to->q, from->q, n);
  memcpy(to->v, from->v, n);
  memcpy(to->a, from->a, n);
  memcpy(to->l, from->l, m);
}

const char *sn_system_owner(const sn_system *s, int index) {
  const sn_model *m = s->model;
  int low = 0, high = m->groups - 1;
  while (low < high) { /* last group that starts at or before index */
    int middle = (low + high + 1) / 2;
    if (m->group_first[middle] <= index)
      low = middle;
    else
      high = middle - 1;
  }
  return m->group_name[low];
}

/* ---- running over batches ---- */

/* A function on ranges with one result; the three signatures in use. */
typedef struct job {
  const sn_batch *batch;
  const sn_eval *eval;
  void (*into_vector)(const sn_batch *, sn_range, const sn_eval *, double *);
  double *vector;
  sn_matrix *matrix;
  const int *chunk;
} job;

static void run_chunk(void *user, int index) {
  const job *j = user;
  const sn_batch *b = j->batch;
  int k = j->chunk[index];
  assert(k >= 0 && k < b->chunks);
  sn_range range = {k * b->chunk, (k + 1) * b->chunk < b->count ? (k + 1) * b->chunk : b->count};
  if (j->into_vector)
    j->into_vector(b, range, j->eval, j->vector);
  else
    b->ops->tangent(b, range, j->eval, j->matrix);
}

static void run_batch(sn_system *s, job *j) {
  const sn_batch *b = j->batch;
  for (int c = 0; c < b->colors; c++) {
    j->chunk = b->color_chunk + b->color_first[c];
    sn_threads_run(s->threads, b->color_first[c + 1] - b->color_first[c], run_chunk, j);
  }
}

static sn_eval eval_of(const sn_system *s, const sn_state *state) {
  return (sn_eval){.t = state->t,
                   .q = state->q,
                   .v = state->v,
                   .a = state->a,
                   .l = state->l,
                   .gravity = s->load == 1 ? s->model->gravity : s->gravity,
                   .load = s->load,
                   .ci = 1,
                   .h = s->kick ? s->kick_h : 0,
                   .kick = s->kick};
}

/* ---- the equations ---- */

static void residual(sn_system *s, const sn_eval *ev, double *r) {
  memset(r, 0, (size_t)s->n * sizeof(double));
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *b = &s->batch[k];
    job j = {.batch = b, .eval = ev, .into_vector = b->ops->residual, .vector = r};
    if (b->ops->residual) run_batch(s, &j);
  }
  if (s->contacts) sn_penalty_residual(s->contacts, s->threads, ev, r);
}

void sn_system_residual(sn_system *s, const sn_state *state, double ci, double *r) {
  double start = sn_wall_time();
  sn_eval ev = eval_of(s, state);
  ev.ci = ci;
  residual(s, &ev, r);
  s->count->residuals++;
  s->count->time_residual += sn_wall_time() - start;
}

/* M x is what the residual gains when a = x. */
void sn_system_mass_times(sn_system *s, const sn_state *state, const double *x, double *y) {
  sn_state at = {.t = state->t, .q = state->q, .v = state->v, .a = s->zero, .l = s->zero + s->n};
  sn_system_residual(s, &at, 1, s->work);
  memcpy(s->refine, x, (size_t)s->n * sizeof(double));
  at.a = s->refine;
  sn_system_residual(s, &at, 1, y);
  for (int i = 0; i < s->n; i++) y[i] -= s->work[i];
}

/* Batches with constraints have nothing but G'l in their residual. */
void sn_system_reaction(sn_system *s, const sn_state *state, const double *l, double *r) {
  sn_eval ev = eval_of(s, state);
  ev.l = l;
  memset(r, 0, (size_t)s->n * sizeof(double));
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *b = &s->batch[k];
    job j = {.batch = b, .eval = &ev, .into_vector = b->ops->residual, .vector = r};
    if (b->ops->position) run_batch(s, &j);
  }
}

/* ---- steps of energy-momentum methods ---- */

static sn_eval eval_of_step(const sn_system *s, const sn_state *middle, const double *q0, const double *q1, double h) {
  sn_eval ev = eval_of(s, middle);
  ev.q0 = q0, ev.q1 = q1, ev.h = h;
  return ev;
}

/* Energy of instance i at one end of the step. */
static double energy_of(const sn_batch *b, int i, const sn_eval *step, const double *q, const double *v) {
  sn_eval ev = *step;
  sn_energy e = {0};
  ev.q = q, ev.v = v;
  b->ops->energy(b, (sn_range){i, i + 1}, &ev, &e);
  return e.kinetic + e.strain + e.gravity + e.spring;
}

/* Gonzalez' correction of instance i, for kinds without a step residual: with E = T + U, the residual r in the
 * middle and its power P of damping, r += (E1 - E0 - r.d - h P)/d.d d,   d = q1 - q0 of its coordinates */
static void correct_instance(sn_system *s, const sn_batch *b, int i, const sn_eval *ev, double *r) {
  enum { MOST_GROUPS = 32 };
  const sn_model *m = s->model;
  int groups[MOST_GROUPS], count = b->ops->groups(b, i, groups);
  sn_power power = {0};
  double *own = s->work, *v0 = s->project, *v1 = v0 + s->n, dd = 0, done = 0;
  double e0 = energy_of(b, i, ev, ev->q0, v0), e1 = energy_of(b, i, ev, ev->q1, v1);
  b->ops->residual(b, (sn_range){i, i + 1}, ev, own);
  if (b->ops->power) b->ops->power(b, (sn_range){i, i + 1}, ev, &power);
  for (int g = 0; g < count; g++)
    for (int k = m->group_first[groups[g]]; k < m->group_first[groups[g]] + m->group_size[groups[g]]; k++) {
      double d = ev->q1[k] - ev->q0[k];
      done += own[k] * d;
      dd += d * d;
      own[k] = 0;
    }
  double off = e1 - e0 - done - ev->h * power.damping;
  if (fabs(off) <= 1e-15 * (fabs(e0) + fabs(e1) + fabs(done))) return; /* nothing but rounding */
  for (int g = 0; g < count; g++)
    for (int k = m->group_first[groups[g]]; k < m->group_first[groups[g]] + m->group_size[groups[g]]; k++)
      r[k] += off / dd * (ev->q1[k] - ev->q0[k]);
}

void sn_system_step_residual(sn_system *s, const sn_state *middle, const double *q0, const double *q1, double h,
                             double *r) {
  double start = sn_wall_time();
  sn_eval ev = eval_of_step(s, middle, q0, q1, h);
  residual(s, &ev, r);
  memset(s->work, 0, (size_t)s->n * sizeof(double));
  for (int i = 0; i < s->n; i++) {
    s->project[i] = middle->v[i] - 0.5 * h * middle->a[i];
    s->project[s->n + i] = middle->v[i] + 0.5 * h * middle->a[i];
  }
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *b = &s->batch[k];
    for (int i = 0; !b->ops->discrete && b->ops->energy && i < b->count; i++) correct_instance(s, b, i, &ev, r);
  }
  s->count->residuals++;
  s->count->time_residual += sn_wall_time() - start;
}

void sn_system_end_velocity(sn_system *s, const sn_state *middle, const double *q0, const double *q1, double h,
                            double *v1) {
  sn_eval ev = eval_of_step(s, middle, q0, q1, h);
  for (int i = 0; i < s->n; i++) v1[i] = middle->v[i] + 0.5 * h * middle->a[i];
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *b = &s->batch[k];
    if (b->ops->end_velocity) b->ops->end_velocity(b, (sn_range){0, b->count}, &ev, v1);
  }
}

bool sn_system_supports_steps(sn_system *s) {
  if (!s->contacts) return true;
  sn_fail(s->context, SN_USAGE,
          "conserve: energy-momentum does not support contacts\n  possible remedy: no contacts, or another integrator");
  return false;
}

/* Which of the three constraint functions: chosen by its place in the ops table. */
#define LEVEL(name)                                                                     \
  void sn_system_##name(sn_system *s, const sn_state *state, double *result) {          \
    sn_eval ev = eval_of(s, state);                                                     \
    for (int k = 0; k < s->model->batches; k++) {                                       \
      const sn_batch *b = &s->batch[k];                                                 \
      job j = {.batch = b, .eval = &ev, .into_vector = b->ops->name, .vector = result}; \
      if (b->ops->name) run_batch(s, &j);                                               \
    }                                                                                   \
  }
LEVEL(position)
LEVEL(velocity)
LEVEL(acceleration)

/* ---- the iteration matrix ---- */

static void add_regularization(sn_system *s) {
  const sn_matrix *A = s->matrix;
  for (int g = 0; s->regularization > 0 && g < A->groups; g++) {
    if (!A->constraint[g]) continue;
    double *block = A->value + A->lower[A->column[g]];
    for (int i = 0; i < A->size[g]; i++) block[i * (A->size[g] + 1)] -= s->regularization;
  }
}

static void tangents(sn_system *s, const sn_eval *ev, bool constraints) {
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *b = &s->batch[k];
    job j = {.batch = b, .eval = ev, .matrix = s->matrix};
    if (b->ops->tangent && (constraints || !b->ops->position)) run_batch(s, &j);
  }
}

/* The positive semidefinite parts of cd D and ck K, at `kick_q`. D is that of the velocities of the moment; K is that
 * of bodies at rest: that dampers turn with the body belongs to no potential. */
static void kick_tangents(sn_system *s, const sn_eval *moving, bool touching) {
  const bool damped = s->model->has_power || s->contacts;
  s->matrix->positive = true;
  for (int k = damped && moving->cd != 0 ? 0 : 1; k < (moving->ck != 0 ? 2 : 1); k++) {
    sn_eval ev = *moving;
    ev.cm = 0, ev.cd = k == 0 ? moving->cd : 0, ev.ck = k == 1 ? moving->ck : 0;
    if (s->kick_q) ev.q = s->kick_q;
    if (k == 1) ev.v = s->zero;
    tangents(s, &ev, false);
    if (touching) sn_penalty_tangent(s->contacts, s->threads, &ev, s->matrix);
  }
  s->matrix->positive = false;
}

void sn_system_assemble(sn_system *s, const sn_state *state, double ci, double cm, double cd, double ck) {
  double start = sn_wall_time();
  bool kick = s->kick && (cd != 0 || ck != 0);
  sn_eval ev = eval_of(s, state);
  ev.ci = ci, ev.cm = cm, ev.cd = cd, ev.ck = ck;
  sn_state near = *state;
  if (kick && s->kick_q) near.q = s->kick_q;
  bool touching = s->contacts && (cd != 0 || ck != 0) && sn_system_prepare(s, &near);
  sn_matrix_zero(s->matrix);
  if (kick) {
    sn_eval mass = ev;
    mass.cd = mass.ck = 0;
    tangents(s, &mass, true);
    kick_tangents(s, &ev, touching);
  } else {
    tangents(s, &ev, true);
    if (touching) sn_penalty_tangent(s->contacts, s->threads, &ev, s->matrix);
  }
  add_regularization(s);
  s->count->jacobians++;
  s->count->time_jacobian += sn_wall_time() - start;
}

bool sn_system_factor(sn_system *s, const sn_state *state, double ci, double cm, double cd, double ck) {
  sn_system_assemble(s, state, ci, cm, cd, ck);
  return sn_system_factor_assembled(s, state->t);
}

bool sn_always_steady(const sn_batch *batch) {
  (void)batch;
  return true;
}

bool sn_system_steady(const sn_system *s) {
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *b = &s->model->batch[k];
    bool counts = b->ops->momentum || b->ops->position; /* the others are forces */
    if (counts && !(b->ops->steady && b->ops->steady(b))) return false;
  }
  return true;
}

bool sn_system_factor_assembled(sn_system *s, double t) {
  double start = sn_wall_time();
  int group = -1;
  bool good = s->solver_ops->factor(s->solver, s->matrix, &group);
  s->count->factorizations++;
  s->count->time_factor += sn_wall_time() - start;
  if (!good)
    sn_fail(s->context, SN_NUMERICS, "the equations are singular at t = %g s, at '%s'", t,
            group >= 0 ? s->model->group_name[group] : "?");
  return good;
}

void sn_system_solve(sn_system *s, double *x) {
  double start = sn_wall_time();
  if (s->solver_ops->solve_shared)
    s->solver_ops->solve_shared(s->solver, s->threads, x);
  else
    s->solver_ops->solve(s->solver, x);
  s->count->solves++;
  s->count->time_solve += sn_wall_time() - start;
}

/* x := A^-1 b, refined twice; `b` and `r` [n + m] are changed. */
static void refine(sn_system *s, double *b, double *r, double *x) {
  int size = s->n + s->m;
  memcpy(x, b, (size_t)size * sizeof(double));
  sn_system_solve(s, x);
  for (int k = 0; k < 2; k++) {
    sn_matrix_multiply(s->matrix, x, r);
    for (int i = 0; i < size; i++) r[i] = b[i] - r[i];
    sn_system_solve(s, r);
    for (int i = 0; i < size; i++) x[i] += r[i];
  }
}

/* Redundant constraints. With S = G A^-1 G' the solution has l = (S + eps)^-1 b. What b has outside the range of S,
 * because q and v are a little off their constraints, is in it as b/eps and means nothing. It goes by
 *
 *   A y + G'w = G'l,   G y - eps w = 0:      w = (S + eps)^-1 S l,   A (x + y) + G'w = A x + G'l
 */
static void keep_least_norm(sn_system *s, double *x) {
  int size = s->n + s->m;
  double *b = s->refine, *r = b + size, *y = r + size;
  memset(y, 0, (size_t)s->n * sizeof(double));
  memcpy(y + s->n, x + s->n, (size_t)s->m * sizeof(double));
  sn_matrix_multiply(s->matrix, y, b);
  memset(b + s->n, 0, (size_t)s->m * sizeof(double));
  refine(s, b, r, y);
  for (int i = 0; i < s->n; i++) x[i] += y[i];
  memcpy(x + s->n, y + s->n, (size_t)s->m * sizeof(double));
}

void sn_system_solve_refined(sn_system *s, double *x) {
  double *b = s->refine;
  memcpy(b, x, (size_t)(s->n + s->m) * sizeof(double));
  refine(s, b, b + s->n + s->m, x);
  if (s->regularization > 0) keep_least_norm(s, x);
}

/* ---- audit ---- */

/* Sums over instances in order: the same bits for any number of threads. */
void sn_system_energy(sn_system *s, const sn_state *state, sn_energy *energy) {
  sn_eval ev = eval_of(s, state);
  memset(energy, 0, sizeof *energy);
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *b = &s->batch[k];
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
  sn_eval ev = eval_of(s, state);
  memset(power, 0, sizeof *power);
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *b = &s->batch[k];
    if (!b->ops->power) continue;
    power_job j = {b, &ev, s->powers};
    int chunks = (b->count + b->chunk - 1) / b->chunk;
    sn_threads_run(s->threads, chunks, power_of_chunk, &j);
    for (int i = 0; i < chunks; i++) {
      power->applied += s->powers[i].applied;
      power->driver += s->powers[i].driver;
      power->damping += s->powers[i].damping;
      power->friction += s->powers[i].friction;
    }
  }
  if (s->contacts) sn_penalty_power(s->contacts, s->threads, &ev, power);
}

void sn_system_momentum(sn_system *s, const sn_state *state, double p[6]) {
  sn_eval ev = eval_of(s, state);
  memset(p, 0, 6 * sizeof(double));
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *b = &s->batch[k];
    if (b->ops->momentum) b->ops->momentum(b, (sn_range){0, b->count}, &ev, p);
  }
}
