/* modes_lanczos.c - the lowest modes of a large system: ARPACK's implicitly restarted Lanczos method in shift-invert
 * mode.
 *
 *     A(s) [y; x] = [M u; 0]   =>   y = (K - s M)^-1 M u on the null space of G, eigenvalues 1/(w2 - s)
 *
 * s lies below all w2, so that the largest ones of the operator are the lowest modes; how far below is found by
 * counting: with s at a tenth of the range of the modes wanted, rigid ones do no harm and convergence is fast. Counting
 * also tells, at the end, that none was missed.
 */
#include <arpack/arpack.h>
#include <math.h>
#include <string.h>

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

typedef struct lanczos {
  int n, nev, ncv, lworkl;
  double *resid, *V, *workd, *workl, *x;
  a_int iparam[11], ipntr[14], info;
} lanczos;

/* Reverse communication: ARPACK requests products until it has converged. */
static void iterate(lanczos *z, sn_pencil *p) {
  a_int ido = 0;
  size_t n = (size_t)z->n;
  z->info = 1; /* a start vector is given */
  do {
    dsaupd_c(&ido, "G", z->n, "LM", z->nev, 0, z->resid, z->ncv, z->V, z->n, z->iparam, z->ipntr, z->workd, z->workl,
             z->lworkl, &z->info);
    double *from = z->workd + z->ipntr[0] - 1, *to = z->workd + z->ipntr[1] - 1;
    if (ido == 2) sn_pencil_mass(p, from, to);
    if (ido != -1 && ido != 1) continue;
    if (ido == -1)
      sn_pencil_mass(p, from, z->x);
    else
      memcpy(z->x, z->workd + z->ipntr[2] - 1, n * sizeof(double)); /* M u is there already */
    memset(z->x + n, 0, (size_t)p->system->m * sizeof(double));
    sn_system_solve_refined(p->system, z->x);
    memcpy(to, z->x, n * sizeof(double));
  } while (ido == -1 || ido == 1 || ido == 2);
}

static void prepare(lanczos *z, sn_pencil *p, int count, int most) {
  sn_arena *arena = &p->system->arena;
  size_t n = (size_t)p->system->n;
  *z = (lanczos){.n = p->system->n, .nev = count};
  z->ncv = 2 * count + 20 < most ? 2 * count + 20 : most;
  z->lworkl = z->ncv * (z->ncv + 8);
  z->resid = SN_NEW(arena, double, n);
  z->V = SN_NEW(arena, double, n *(size_t)z->ncv);
  z->workd = SN_NEW(arena, double, 3 * n);
  z->workl = SN_NEW(arena, double, z->lworkl);
  z->x = SN_NEW(arena, double, n + (size_t)p->system->m);
  z->iparam[0] = 1;   /* exact shifts */
  z->iparam[2] = 300; /* restarts */
  z->iparam[6] = 3;   /* shift and invert */
  start_vector(p, z->x, z->resid);
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
  lanczos z;
  prepare(&z, p, count, freedom);
  iterate(&z, p);
  modes->count = count;
  modes->w2 = SN_NEW(arena, double, count);
  modes->shape = SN_NEW(arena, double, (size_t)count *(size_t)sys->n);
  a_int *select = SN_NEW(&sys->arena, a_int, z.ncv), info = z.info;
  if (info == 0)
    dseupd_c(1, "A", select, modes->w2, modes->shape, sys->n, shift, "G", z.n, "LM", z.nev, 0, z.resid, z.ncv, z.V, z.n,
             z.iparam, z.ipntr, z.workd, z.workl, z.lworkl, &info);
  if (info)
    return sn_fail(sys->context, SN_NUMERICS, "the modes did not converge (ARPACK: %d, %d of %d found)", (int)info,
                   (int)z.iparam[4], count);
  int below = sn_pencil_below(p, modes->w2[count - 1] * (1 - 1e-6) - p->zero);
  if (below > count)
    return sn_fail(sys->context, SN_NUMERICS, "%d of %d modes were missed; request more modes", below - count, below);
  return SN_OK;
}
