/* lanczos.c - see lanczos.h. */
#include "analysis/lanczos.h"

#include <arpack/arpack.h>
#include <string.h>

typedef struct work {
  const sn_lanczos *problem;
  sn_arena arena;
  int nev, ncv, lworkl;
  double *resid, *V, *workd, *workl;
  a_int iparam[11], ipntr[14], info;
} work;

/* Reverse communication: ARPACK requests products until it has converged. */
static void iterate(work *z) {
  const sn_lanczos *p = z->problem;
  a_int ido = 0;
  z->info = 1; /* a start vector is given */
  do {
    dsaupd_c(&ido, "G", p->n, p->which, z->nev, 0, z->resid, z->ncv, z->V, p->n, z->iparam, z->ipntr, z->workd,
             z->workl, z->lworkl, &z->info);
    double *from = z->workd + z->ipntr[0] - 1, *to = z->workd + z->ipntr[1] - 1;
    if (ido == 2) p->weigh(p->user, from, to);
    if (ido == -1) p->apply(p->user, from, NULL, to);
    if (ido == 1) p->apply(p->user, from, z->workd + z->ipntr[2] - 1, to);
  } while (ido == -1 || ido == 1 || ido == 2);
}

static void prepare(work *z, int count, int most, const double *start) {
  size_t n = (size_t)z->problem->n;
  z->nev = count;
  z->ncv = 2 * count + 20 < most ? 2 * count + 20 : most;
  z->lworkl = z->ncv * (z->ncv + 8);
  z->resid = SN_NEW(&z->arena, double, n);
  z->V = SN_NEW(&z->arena, double, n *(size_t)z->ncv);
  z->workd = SN_NEW(&z->arena, double, 3 * n);
  z->workl = SN_NEW(&z->arena, double, z->lworkl);
  z->iparam[0] = 1;   /* exact shifts */
  z->iparam[2] = 300; /* restarts */
  z->iparam[6] = 3;   /* shift and invert */
  memcpy(z->resid, start, n * sizeof(double));
}

sn_status sn_lanczos_solve(const sn_lanczos *p, sn_context *context, const double *start, int count, int most,
                           double *values, double *vectors) {
  work z = {.problem = p};
  prepare(&z, count, most, start);
  iterate(&z);
  a_int *select = SN_NEW(&z.arena, a_int, z.ncv), info = z.info;
  if (info == 0)
    dseupd_c(1, "A", select, values, vectors, p->n, p->shift, "G", p->n, p->which, z.nev, 0, z.resid, z.ncv, z.V, p->n,
             z.iparam, z.ipntr, z.workd, z.workl, z.lworkl, &info);
  sn_arena_free(&z.arena);
  if (info == 0) return SN_OK;
  return sn_fail(context, SN_NUMERICS, "the modes did not converge (ARPACK: %d, %d of %d found)", (int)info,
                 (int)z.iparam[4], count);
}
