/* pencil.c - small motions about a state: counts of eigenvalues, unsupported directions; see pencil.h. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "analysis/modes.h"

static const double rounding = 2e-13; /* w2 below this share of the scale may be zero */

static sn_pencil *pencil_create(const sn_simulation *s) {
  sn_system *system;
  if (sn_system_create(s->model, 1, "ldl", &system)) return NULL;
  sn_pencil *p = SN_NEW(&system->arena, sn_pencil, 1);
  p->system = system;
  p->work = SN_NEW(&system->arena, double, 2 * (system->n + system->m));
  p->right = SN_NEW(&system->arena, double, system->n + system->m);
  return p;
}

void sn_pencil_free(sn_pencil *p) {
  if (p) sn_system_free(p->system); /* it lives in the system's arena */
}

static double diagonal(const sn_matrix *A, int g, int i) {
  assert(g >= 0 && g < A->groups && i >= 0 && i < A->size[g]);
  return A->value[A->lower[A->column[g]] + (size_t)(i * (A->size[g] + 1))];
}

sn_pencil *sn_pencil_at(sn_simulation *s, const sn_state *x) {
  if (!s->pencil) s->pencil = pencil_create(s);
  sn_pencil *p = s->pencil;
  if (!p) return NULL;
  sn_system *sys = p->system;
  sn_system_set_load(sys, sn_system_load(s->system));
  sn_system_copy_regularization(sys, s->system);
  sn_system_set_inputs(sys, s->inputs);
  sn_system_set_host(sys, s->host);
  sn_system_set_discrete(sys, s->discrete);
  sn_system_hold(sys, s->state.v); /* differential variables */
  p->at = (sn_state){.t = x->t, .q = x->q, .v = sys->zero, .a = sys->zero, .l = x->l};
  if (!sn_system_prepare(sys, &p->at)) return NULL;
  if (!p->mass || p->revision != sn_system_revision(sys)) {
    p->mass = sn_matrix_like(sn_system_matrix(sys), &sys->arena);
    p->stiff = sn_matrix_like(sn_system_matrix(sys), &sys->arena);
    p->revision = sn_system_revision(sys);
  }
  sn_system_assemble(sys, &p->at, 0, 1, 0, 0);
  memcpy(p->mass->value, sn_system_matrix(sys)->value, sn_system_matrix(sys)->values * sizeof(double));
  sn_system_assemble(sys, &p->at, 0, 0, 0, 1);
  memcpy(p->stiff->value, sn_system_matrix(sys)->value, sn_system_matrix(sys)->values * sizeof(double));
  p->scale = 1;
  for (int g = 0; g < sn_system_matrix(sys)->groups; g++)
    for (int i = 0; !sn_system_matrix(sys)->constraint[g] && i < sn_system_matrix(sys)->size[g]; i++) {
      double mass = diagonal(p->mass, g, i);
      if (mass > 0) p->scale = fmax(p->scale, fabs(diagonal(sn_system_matrix(sys), g, i)) / mass);
    }
  p->zero = rounding * p->scale;
  return p;
}

bool sn_pencil_factor(sn_pencil *p, double shift) {
  assert(p->mass);
  sn_system *sys = p->system;
  int group;
  void *factors;
  sn_system_assemble(sys, &p->at, 0, -shift, 0, 1);
  const sn_linsolve_ops *solver = sn_system_solver(sys, &factors);
  return solver->factor(factors, sn_system_matrix(sys), &group);
}

int sn_pencil_below(sn_pencil *p, double shift) {
  if (!sn_pencil_factor(p, shift)) return -1;
  void *factors;
  const sn_linsolve_ops *solver = sn_system_solver(p->system, &factors);
  int negative = solver->negative(factors);
  return negative < 0 ? -1 : negative - p->system->m;
}

void sn_pencil_mass(sn_pencil *p, const double *x, double *y) {
  assert(p->mass && x != p->work && y != p->work);
  size_t n = (size_t)p->system->n, size = n + (size_t)p->system->m;
  memcpy(p->work, x, n * sizeof(double));
  memset(p->work + n, 0, (size - n) * sizeof(double));
  sn_matrix_multiply(p->mass, p->work, p->work + size);
  memcpy(y, p->work + size, n * sizeof(double));
}

/* ---- what nothing holds ---- */

const char *sn_name_bodies(const sn_model *m, sn_arena *arena, const double *motion) {
  double largest = 0;
  const char *text = "";
  int named = 0, more = 0;
  for (int i = 0; i < m->n; i++) largest = fmax(largest, fabs(motion[i]));
  for (int b = 0; b < m->bodies; b++) {
    double most = 0;
    for (int i = 0; i < m->body[b].count; i++) most = fmax(most, fabs(motion[m->body[b].first + i]));
    if (!(most > 1e-3 * largest)) continue;
    if (named == 6)
      more++;
    else
      text = sn_format(arena, "%s%s'%s'", text, named++ ? ", " : "", m->body[b].name);
  }
  return more ? sn_format(arena, "%s and %d more", text, more) : text;
}

/* |u'K u|, and the sum of the magnitudes of its terms */
static double strain_of(const sn_pencil *p, const double *u, double *magnitudes) {
  const sn_matrix *K = p->stiff;
  double sum = 0, terms = 0;
  for (int j = 0; j < K->groups; j++)
    for (int b = K->column[j]; b < K->column[j + 1]; b++) {
      int i = K->row[b], m = K->size[i];
      if (K->constraint[i] || K->constraint[j]) continue;
      const double *block = K->value + K->lower[b], *u_i = u + K->first[i], *u_j = u + K->first[j];
      double twice = i == j ? 1 : 2;
      for (int c = 0; c < K->size[j]; c++)
        for (int r = 0; r < m; r++) {
          double term = twice * u_i[r] * block[r + m * c] * u_j[c];
          sum += term;
          terms += fabs(term);
        }
    }
  *magnitudes = terms;
  return fabs(sum);
}

static double remaining(const sn_pencil *p, const double *u) {
  double terms, sum = strain_of(p, u, &terms);
  return terms > 0 ? sum / terms : 0;
}

/* Does u'K u cancel? */
bool sn_pencil_cancels(const sn_pencil *p, const double *u) {
  return remaining(p, u) <= 5e-15;
}

double sn_pencil_noise(const sn_pencil *p) {
  return 5e-16 * p->scale;
}

/* Below this noise no solver can distinguish w2 from zero, or its sign; above, up to `zero`, the shape decides. Where
 * inertias differ much (a bar that turns about its line), solvers make more of w2 = 0, but not of u'K u, u'M u = 1. */
bool sn_pencil_is_rigid(sn_pencil *p, double w2, const double *u) {
  const double noise = sn_pencil_noise(p);
  double terms;
  return fabs(w2) <= noise || strain_of(p, u, &terms) <= noise || (fabs(w2) <= p->zero && sn_pencil_cancels(p, u));
}

/* Modes that were sharpened are solutions of equations that are nearly singular: what that leaves of stiff ones cancels
 * to 1e-13 (a load on a slack rope under a trolley). */
static bool is_rigid(sn_pencil *p, bool sharp, const sn_modes *modes, int k) {
  const double solved = 1e-12, *u = modes->shape + (size_t)k * (size_t)p->system->n, size = fabs(modes->w2[k]);
  if (!sharp) return sn_pencil_is_rigid(p, modes->w2[k], u);
  return size <= DBL_EPSILON * sn_pencil_noise(p) || (size <= sn_pencil_noise(p) && remaining(p, u) <= solved) ||
         (size <= p->zero && sn_pencil_cancels(p, u));
}

/* Zeros lie far below the modes of what holds together. Where there are some at a few times the noise, others may lie
 * in it. */
bool sn_pencil_is_dense(sn_pencil *p) {
  const double noise = sn_pencil_noise(p);
  const int few = sn_pencil_below(p, 4 * noise), several = sn_pencil_below(p, 50 * noise);
  return few >= 0 && several > few;
}

int sn_pencil_unstable(sn_pencil *p) {
  enum { most = 10, small = 200 };
  const int below = sn_pencil_below(p, -p->zero), above = sn_pencil_below(p, p->zero), n = p->system->n;
  if (below < 0 || above <= below) return below;
  sn_modes modes = {0};
  sn_arena kept = p->system->arena, arena = {0};
  p->system->arena = (sn_arena){0};
  const int count = above < below + most ? above : below + most;
  const sn_status status = (n <= small ? sn_modes_dense : sn_modes_lanczos)(p, &arena, count, &modes);
  int unstable = 0;
  const bool sharp = !status && sn_pencil_sharpen(p, &arena, &modes);
  for (int k = 0; !status && k < modes.count; k++) unstable += modes.w2[k] < 0 && !is_rigid(p, sharp, &modes, k);
  sn_arena_free(&p->system->arena);
  sn_arena_free(&arena);
  p->system->arena = kept;
  return unstable > below ? unstable : below;
}

/* The lowest modes are looked at one by one. */
sn_freedom sn_find_freedom(sn_pencil *p) {
  enum { most = 40, small = 200 };
  sn_system *sys = p->system;
  int above = sn_pencil_below(p, p->zero), below = sn_pencil_below(p, -p->zero), n = sys->n;
  sn_freedom f = {.count = above < 0 || below < 0 ? -1 : above - below, .bodies = ""};
  if (f.count <= 0) return f;
  sn_modes modes = {0};
  int count = above < most ? above : most;
  if ((n <= small ? sn_modes_dense : sn_modes_lanczos)(p, &sys->arena, count, &modes)) return (sn_freedom){.count = -1};
  const bool sharp = sn_pencil_sharpen(p, &sys->arena, &modes);
  double *motion = SN_NEW(&sys->arena, double, n), *r = SN_NEW(&sys->arena, double, n), force = 0;
  sn_system_residual(sys, &p->at, 0, r);
  for (int i = 0; i < n; i++) force = fmax(force, fabs(r[i]));
  f.count = 0;
  for (int k = 0; k < modes.count; k++) {
    const double *u = modes.shape + (size_t)k * (size_t)n;
    double size = 0, work = 0;
    if (!is_rigid(p, sharp, &modes, k)) continue;
    f.count++;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(u[i])), work += u[i] * r[i];
    for (int i = 0; i < n; i++) motion[i] = fmax(motion[i], fabs(u[i]) / size);
    if (force > 0) f.pull = fmax(f.pull, fabs(work) / (force * size));
  }
  f.bodies = sn_name_bodies(sys->model, &sys->arena, motion);
  return f;
}

sn_status sn_check_supports(sn_simulation *s, const sn_state *x, int *free) {
  sn_system_set_load(s->system, 1);
  sn_pencil *p = sn_pencil_at(s, x);
  if (!p) return SN_NUMERICS;
  const sn_freedom f = sn_find_freedom(p);
  const char *plural = f.count > 1 ? "s" : "";
  *free = f.count;
  if (f.count > 0 && f.pull > 1e-5)
    return sn_fail(s->context, SN_NUMERICS,
                   "%s: the structure is a mechanism with %d free degree%s of freedom\n  free to move: %s\n  possible "
                   "remedy: joints or springs that support it",
                   s->analysis->kind.name, f.count, plural, f.bodies);
  if (f.count > 0)
    sn_add_note(s, sn_format(&s->arena, "%s: %s is unsupported in %d direction%s, and no load acts there",
                             s->analysis->kind.name, f.bodies, f.count, plural));
  return SN_OK;
}
