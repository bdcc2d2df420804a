/* pencil.c - small motions about a state: counts of eigenvalues, directions nothing holds; see pencil.h. */
#include "analysis/pencil.h"

#include <math.h>
#include <string.h>

static const double rounding = 2e-13; /* w2 below this share of the scale is zero */

sn_system *sn_pencil(sn_simulation *s) {
  if (!s->pencil && sn_system_create(s->model, 1, "ldl", &s->pencil)) return NULL;
  sn_system_set_load(s->pencil, s->system->load);
  s->pencil->regularization = s->system->regularization;
  return s->pencil;
}

/* The state with no velocity and no acceleration. */
static sn_state at_rest(const sn_system *p, const sn_state *x) {
  return (sn_state){.t = x->t, .q = x->q, .v = p->zero, .a = p->zero, .l = x->l};
}

static void diagonal(const sn_matrix *A, double *d) {
  for (int g = 0; g < A->groups; g++) {
    const double *block = A->value + A->lower[A->column[g]];
    for (int i = 0; i < A->size[g]; i++) d[A->first[g] + i] = block[i * (A->size[g] + 1)];
  }
}

double sn_pencil_scale(sn_system *p, const sn_state *x) {
  sn_state rest = at_rest(p, x);
  double *mass = p->refine, *stiffness = p->refine + p->n + p->m, scale = 1e-6;
  sn_system_assemble(p, &rest, 0, 1, 0, 0);
  diagonal(p->matrix, mass);
  sn_system_assemble(p, &rest, 0, 0, 0, 1);
  diagonal(p->matrix, stiffness);
  for (int i = 0; i < p->n; i++)
    if (mass[i] > 0) scale = fmax(scale, fabs(stiffness[i]) / mass[i]);
  return scale;
}

/* Factorize A(shift); a singular one is moved by a little. */
static bool factor(sn_system *p, const sn_state *x, double shift) {
  sn_state rest = at_rest(p, x);
  int group;
  sn_system_assemble(p, &rest, 0, -shift, 0, 1);
  return p->solver_ops->factor(p->solver, p->matrix, &group);
}

int sn_pencil_below(sn_system *p, const sn_state *x, double shift) {
  if (!factor(p, x, shift)) return -1;
  int negative = p->solver_ops->negative(p->solver);
  return negative < 0 ? -1 : negative - p->m;
}

void sn_pencil_mass(sn_system *p, const sn_state *x, const double *u, double *y) {
  /* the equations are linear in a: M u is the difference */
  sn_state rest = at_rest(p, x), moving = rest;
  double *r = p->refine;
  memcpy(p->work, u, (size_t)p->n * sizeof(double));
  moving.a = p->work;
  sn_system_residual(p, &moving, 1, y);
  sn_system_residual(p, &rest, 1, r);
  for (int i = 0; i < p->n; i++) y[i] -= r[i];
}

/* ---- what nothing holds ---- */

/* "'a', 'b' and 3 more": the bodies with the largest motion in any of the directions. */
static const char *name_bodies(sn_system *p, const double *motion) {
  const sn_model *m = p->model;
  double largest = 0;
  const char *text = "";
  int named = 0, more = 0;
  for (int i = 0; i < m->n; i++) largest = fmax(largest, motion[i]);
  for (int b = 0; b < m->bodies; b++) {
    double most = 0;
    for (int i = 0; i < m->body[b].count; i++) most = fmax(most, motion[m->body[b].first + i]);
    if (!(most > 1e-3 * largest)) continue;
    if (named == 6)
      more++;
    else
      text = sn_format(&p->arena, "%s%s'%s'", text, named++ ? ", " : "", m->body[b].name);
  }
  return more ? sn_format(&p->arena, "%s and %d more", text, more) : text;
}

/* Inverse iteration on A(shift) from noise, orthogonal to the directions found before (in the norm of M). */
static void free_direction(sn_system *p, const sn_state *x, double *U, int found, uint64_t *seed) {
  int n = p->n;
  double *u = U + (size_t)found * (size_t)n, *b = SN_NEW(&p->arena, double, n + p->m);
  for (int i = 0; i < n; i++) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    u[i] = (double)(*seed >> 11) / 9007199254740992.0 - 0.5;
  }
  for (int k = 0; k < 4; k++) {
    memset(b, 0, (size_t)(n + p->m) * sizeof(double));
    sn_pencil_mass(p, x, u, b);
    sn_system_solve(p, b);
    memcpy(u, b, (size_t)n * sizeof(double));
    for (int pass = 0; pass < 2; pass++) {
      for (int j = 0; j < found; j++) {
        const double *w = U + (size_t)j * (size_t)n;
        double dot = 0;
        sn_pencil_mass(p, x, u, b);
        for (int i = 0; i < n; i++) dot += w[i] * b[i];
        for (int i = 0; i < n; i++) u[i] -= dot * w[i];
      }
    }
    double norm = 0;
    sn_pencil_mass(p, x, u, b);
    for (int i = 0; i < n; i++) norm += u[i] * b[i];
    norm = norm > 0 ? 1 / sqrt(norm) : 1;
    for (int i = 0; i < n; i++) u[i] *= norm;
  }
}

sn_freedom sn_find_freedom(sn_system *p, const sn_state *x) {
  enum { most = 6 };
  double zero = rounding * sn_pencil_scale(p, x);
  int above = sn_pencil_below(p, x, zero), below = sn_pencil_below(p, x, -zero);
  sn_freedom f = {.count = above < 0 || below < 0 ? -1 : above - below, .bodies = ""};
  if (f.count <= 0) return f;
  int n = p->n, count = f.count < most ? f.count : most;
  double *U = SN_NEW(&p->arena, double, (size_t)n *(size_t)count), *motion = SN_NEW(&p->arena, double, n);
  double *r = SN_NEW(&p->arena, double, n), force = 0;
  sn_state rest = at_rest(p, x);
  uint64_t seed = 1;
  sn_system_residual(p, &rest, 0, r);
  for (int i = 0; i < n; i++) force = fmax(force, fabs(r[i]));
  for (int k = 0; k < count; k++) {
    double *u = U + (size_t)k * (size_t)n, size = 0, work = 0;
    free_direction(p, x, U, k, &seed);
    for (int i = 0; i < n; i++) size = fmax(size, fabs(u[i])), work += u[i] * r[i];
    for (int i = 0; i < n; i++) motion[i] = fmax(motion[i], fabs(u[i]) / size);
    if (force > 0) f.pull = fmax(f.pull, fabs(work) / (force * size));
  }
  f.bodies = name_bodies(p, motion);
  return f;
}
