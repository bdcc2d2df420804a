/* system.c - a system of equations as an object: creation, twins, states, what others may know of it. */
#include "system/system.h"

#include <string.h>

#include "contact/penalty.h"
#include "model/host.h"
#include "system/equations.h"

/* ---- creation ---- */

static const sn_linsolve_ops *choose_solver(const sn_model *model, const char *name) {
  if (name && strcmp(name, "klu") == 0) return &sn_klu;
  if (name && strcmp(name, "ldl") == 0) return &sn_ldl;
  return model->unsymmetric || model->massless ? &sn_klu : &sn_ldl;
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

/* Vectors that live within one call of one system: systems that are never used at the same time share them. */
static void make_scratch(sn_system *s, sn_arena *arena, const sn_system *with) {
  const size_t size = (size_t)s->n + (size_t)s->m;
  s->zero = with ? with->zero : SN_NEW(arena, double, size);
  s->own->work = with ? with->own->work : SN_NEW(arena, double, size);
  s->room[0] = with ? with->room[0] : SN_NEW(arena, double, 3 * size);
  s->room[1] = with ? with->room[1] : SN_NEW(arena, double, size + (size_t)s->n);
  s->own->refine = with ? with->own->refine : SN_NEW(arena, double, 3 * size);
  if (s->model->reactive) s->own->reactions = SN_NEW(arena, double, s->m);
}

/* with: shares its scratch, and lives no longer; NULL: none. */
static sn_system *create(const sn_model *model, sn_threads *threads, const sn_linsolve_ops *solver,
                         const sn_system *with) {
  assert(model && threads && solver && model->n > 0);
  sn_arena arena = {0};
  sn_system *s = SN_NEW(&arena, sn_system, 1);
  s->model = model;
  s->context = model->context;
  s->n = model->n;
  s->m = model->m;
  s->count = &s->statistics;
  s->own = SN_NEW(&arena, sn_equations, 1);
  s->own->watch = &s->own->own_watch;
  s->own->solver_ops = solver;
  s->own->batch = model->batch;
  s->threads = threads;
  s->own->load = 1;
  memcpy(s->own->gravity, model->gravity, sizeof s->own->gravity);
  make_scratch(s, &arena, with);
  s->row_unit = SN_NEW(&arena, double, s->m + 1);
  for (int i = 0; i < s->m; i++) s->row_unit[i] = 1;
  s->own->powers = SN_NEW(&arena, sn_power, most_chunks(model));
  s->arena = arena;
  return s;
}

static void find_tree(sn_system *s) {
  const sn_tree *tree = s->own->tree = sn_tree_find(s->model, &s->arena);
  if (tree && (tree->others || s->model->surfaces)) s->own->tree_force = SN_NEW(&s->arena, double, s->n);
}

sn_status sn_system_create(const sn_model *model, int threads, const char *solver, sn_system **out) {
  *out = NULL;
  if (threads > SN_MOST_THREADS)
    return sn_fail(model->context, SN_USAGE, "%d threads are too many: at most %d", threads, SN_MOST_THREADS);
  sn_threads *pool = sn_threads_create(threads > 0 ? threads : 1);
  *out = create(model, pool, choose_solver(model, solver), NULL);
  (*out)->own->owns_threads = true;
  find_tree(*out);
  if (!sn_system_need_matrix(*out)) {
    sn_system_free(*out);
    *out = NULL;
    return SN_NUMERICS;
  }
  if (!model->surfaces) return SN_OK;
  (*out)->contacts = sn_contacts_create(model);
  (*out)->own->owns_contacts = true;
  return SN_OK;
}

void sn_system_copy_regularization(sn_system *to, const sn_system *from) {
  assert(to != from && to->model == from->model);
  to->regularization = from->regularization;
  memcpy(to->row_unit, from->row_unit, (size_t)to->m * sizeof(double));
}

void sn_system_share(sn_system *s, sn_system *with) {
  if (s->own->owns_contacts) sn_contacts_free(s->contacts);
  s->own->owns_contacts = false;
  s->contacts = with->contacts;
  sn_system_join(s, with);
}

void sn_system_join(sn_system *s, sn_system *with) {
  assert(s != with && s->model == with->model);
  s->own->inputs = with->own->inputs;
  s->own->host = with->own->host;
  s->own->discrete = with->own->discrete;
  if (s->own->owns_threads) sn_threads_free(s->threads);
  s->own->owns_threads = false;
  s->threads = with->threads;
}

sn_status sn_system_twin(sn_system *system, const sn_linsolve_ops *solver, sn_system **out) {
  *out = create(system->model, system->threads, solver ? solver : system->own->solver_ops, system);
  (*out)->count = system->count;
  (*out)->own->watch = system->own->watch;
  sn_system_copy_regularization(*out, system);
  sn_system_share(*out, system);
  if (sn_system_need_matrix(*out)) return SN_OK;
  sn_system_free(*out);
  *out = NULL;
  return SN_NUMERICS;
}

sn_system *sn_system_beside(sn_system *system) {
  sn_system *s = create(system->model, system->threads, system->own->solver_ops, system);
  sn_system_share(s, system);
  find_tree(s);
  return s;
}

sn_status sn_system_use_solver(sn_system *s, const char *name) {
  const sn_linsolve_ops *ops = choose_solver(s->model, name);
  if (ops == s->own->solver_ops) return SN_OK;
  const bool needed = s->own->solver != NULL;
  if (needed) s->own->solver_ops->free(s->own->solver);
  s->own->solver_ops = ops;
  s->own->solver = NULL;
  return !needed || sn_system_make_matrix(s) ? SN_OK : SN_NUMERICS;
}

sn_status sn_system_refresh(sn_system *s) {
  s->own->couplings = 0;
  s->own->covered = -1;
  if (s->contacts) sn_contacts_forget(s->contacts);
  return !s->own->solver || sn_system_make_matrix(s) ? SN_OK : SN_NUMERICS;
}

void sn_system_set_inputs(sn_system *s, const double *inputs) {
  s->own->inputs = inputs;
}

void sn_system_set_host(sn_system *s, struct sn_host *host) {
  s->own->host = host;
}

bool sn_system_has_power(const sn_system *s) {
  return s->model->has_power || (s->own->host && s->own->host->applied > 0);
}

void sn_system_set_discrete(sn_system *s, const double *discrete) {
  s->own->discrete = discrete;
}

void sn_system_set_set_valued(sn_system *s, bool set_valued) {
  s->own->set_valued = set_valued;
}

bool sn_system_watch_contacts(sn_system *s, bool watch) {
  if (!s->contacts || !s->model->surfaces->friction) return false;
  sn_contacts_watch(s->contacts, watch);
  return true;
}

int sn_system_held_contacts(const sn_system *s) {
  return s->contacts ? sn_contacts_held(s->contacts) : 0;
}

void sn_system_hold(sn_system *s, const double *v) {
  s->own->hold = v;
}

void sn_system_set_load(sn_system *s, double load) {
  s->own->load = load;
  for (int k = 0; k < 3; k++) s->own->gravity[k] = load * s->model->gravity[k];
}

void sn_system_free(sn_system *s) {
  if (!s) return;
  if (s->own->solver) s->own->solver_ops->free(s->own->solver);
  if (s->own->owns_contacts) sn_contacts_free(s->contacts);
  sn_free(s->own->coupling);
  if (s->own->owns_threads) sn_threads_free(s->threads);
  sn_arena_free(&s->own->matrix_arena);
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
  assert(to != from && to->q && from->q);
  size_t n = (size_t)s->n * sizeof(double), m = (size_t)s->m * sizeof(double);
  to->t = from->t;
  memcpy(to->q, from->q, n);
  memcpy(to->v, from->v, n);
  memcpy(to->a, from->a, n);
  memcpy(to->l, from->l, m);
}

const char *sn_system_owner(const sn_system *s, int index) {
  assert(index >= 0 && index < s->n + s->m);
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

/* ---- what others may know and say of the inner part ---- */

sn_matrix *sn_system_matrix(const sn_system *s) {
  return s->own->matrix;
}
long sn_system_revision(const sn_system *s) {
  return s->own->revision;
}
const sn_linsolve_ops *sn_system_solver(const sn_system *s, void **factors) {
  if (factors) *factors = s->own->solver;
  return s->own->solver_ops;
}
double sn_system_load(const sn_system *s) {
  return s->own->load;
}

void sn_system_begin_kick(sn_system *s, double h, double *place) {
  s->own->kick = true;
  s->own->kick_h = h;
  s->own->kick_q = place;
}
void sn_system_end_kick(sn_system *s) {
  s->own->kick = false;
}
void sn_system_set_kick_damping(sn_system *s, double c) {
  s->own->kick_c = c;
}
double *sn_system_kick_place(const sn_system *s) {
  return s->own->kick_q;
}
double sn_system_kick_damping(const sn_system *s) {
  return s->own->kick_c;
}

bool sn_has_flexible_bodies(const sn_model *m) {
  bool any = false;
  for (int i = 0; i < m->bodies; i++) any = any || m->body[i].groups > 1;
  return any;
}
