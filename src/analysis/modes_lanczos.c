/* modes_lanczos.c - the lowest modes of a large system: ARPACK's implicitly restarted Lanczos method in shift-invert
 * mode.
 *
 *     A(s) [y; x] = [M u; 0]   =>   y = (K - s M)^-1 M u on the null space of G, eigenvalues 1/(w2 - s)
 *
 * s lies below all w2, so that the largest ones of the operator are the lowest modes; how far below is found by
 * counting: with s at a tenth of the range of the modes wanted, rigid ones do no harm and convergence is fast. Counting
 * also tells, at the end, that none was missed.
 */
#include <math.h>
#include <string.h>

#include "analysis/lanczos.h"
#include "analysis/modes.h"

/* A bound with at least `count` modes below it. 0: could not be found. */
static double upper_bound(sn_pencil *p, int count) {
  double s = 10 * p->zero;
  for (int k = 0; k < 60; k++, s *= 10) {
    int below = sn_pencil_below(p, s);
    if (below >= count) return s;
  }
  return 0;
}

/* A bound below zero without modes below it. */
static double lower_bound(sn_pencil *p, double upper) {
  double s = -0.1 * upper;
  for (int k = 0; k < 60; k++, s *= 4)
    if (sn_pencil_below(p, s) == 0) return s;
  return 0;
}

/* u := part of noise that the constraints allow */
static void start_vector(sn_pencil *p, double *x, double *u) {
  uint64_t seed = 7;
  int n = p->system->n, m = p->system->m;
  for (int i = 0; i < n; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    u[i] = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
  }
  sn_pencil_mass(p, u, x);
  memset(x + n, 0, (size_t)m * sizeof(double));
  sn_system_solve_refined(p->system, x);
  memcpy(u, x, (size_t)n * sizeof(double));
}

/* The operator of the vibrations; B is M, and where M u is known it serves. */
static void apply_shifted(void *user, const double *u, const double *Mu, double *y) {
  sn_pencil *p = user;
  size_t n = (size_t)p->system->n, m = (size_t)p->system->m;
  if (Mu)
    memcpy(p->right, Mu, n * sizeof(double));
  else
    sn_pencil_mass(p, u, p->right);
  memset(p->right + n, 0, m * sizeof(double));
  sn_system_solve_refined(p->system, p->right);
  memcpy(y, p->right, n * sizeof(double));
}

static void weigh_mass(void *user, const double *u, double *y) {
  sn_pencil_mass(user, u, y);
}

sn_status sn_modes_lanczos(sn_pencil *p, sn_arena *arena, int count, sn_modes *modes) {
  sn_system *sys = p->system;
  modes->method = "lanczos";
  int freedom = sys->n - sys->m; /* at least */
  if (count > freedom - 2) count = freedom - 2;
  if (count < 1) return sn_modes_dense(p, arena, count + 2, modes);
  double upper = upper_bound(p, count), shift = upper > 0 ? lower_bound(p, upper) : 0;
  if (!(shift < 0) || !sn_pencil_factor(p, shift))
    return sn_fail(sys->context, SN_NUMERICS,
                   "no bound for the lowest mode was found: the stiffness matrix is too ill-conditioned");
  modes->count = count;
  modes->w2 = SN_NEW(arena, double, count);
  modes->shape = SN_NEW(arena, double, (size_t)count *(size_t)sys->n);
  const sn_lanczos problem = {
      .n = sys->n, .user = p, .apply = apply_shifted, .weigh = weigh_mass, .shift = shift, .which = "LM"};
  double *start = SN_NEW(&sys->arena, double, sys->n);
  start_vector(p, p->right, start);
  sn_status status = sn_lanczos_solve(&problem, sys->context, start, count, freedom, modes->w2, modes->shape);
  if (status) return status;
  int below = sn_pencil_below(p, modes->w2[count - 1] * (1 - 1e-6) - p->zero);
  if (below > count)
    return sn_fail(sys->context, SN_NUMERICS, "%d of %d modes were missed; request more modes", below - count, below);
  return SN_OK;
}
