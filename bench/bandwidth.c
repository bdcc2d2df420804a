/* bandwidth.c - see bandwidth.h.
 *
 * Vectors of n + m numbers that pass per iteration and per step of hht-i3 (a store reads its line first and counts
 * twice), from low_order.c, newton.c and the residual of the elements:
 *
 *     iteration   residual, without damping: q, x read; r zeroed and accumulated (4)                6
 *                 sign: r read and written (2)                                                      2
 *                 solution: b read and written forward and backward, the work vector (2)            6
 *                 correction: dx, a0, x0, weight read; q, v, a read and written; x written (2)     12
 *     step        predictor: q, v, a0, previous, x0 read; q, v, a, x written                       13
 *                 acceptance: q twice, a, unit read; weight read and written; slope and a0 written 10
 */
#include "bandwidth.h"

#include <stdlib.h>

#include "sparse/ldl.h"

static double pass(size_t n, double *restrict a, const double *restrict b, const double *restrict c, double s) {
  const double start = sn_cpu_time();
  for (size_t i = 0; i < n; i++) a[i] = b[i] + s * c[i];
  return sn_cpu_time() - start;
}

double bench_bandwidth(void) {
  enum { PASSES = 12 };
  const size_t n = (size_t)64 << 17; /* numbers: 64 MiB */
  double *x[3], best = 1e300, check = 0;
  for (int k = 0; k < 3; k++) {
    x[k] = malloc(n * sizeof(double));
    if (!x[k]) abort();
    for (size_t i = 0; i < n; i++) x[k][i] = (double)k;
  }
  for (int k = 0; k < PASSES; k++) {
    const double time = pass(n, x[0], x[1], x[2], k);
    if (time < best) best = time;
    check += x[0][(size_t)k * 4096];
  }
  for (int k = 0; k < 3; k++) free(x[k]);
  return check >= 0 ? 4.0 * (double)n * sizeof(double) / best : 0;
}

double bench_bytes_per_step(const sn_simulation *simulation, long steps) {
  enum { PER_ITERATION = 6 + 2 + 6 + 12, PER_STEP = 13 + 10 };
  const sn_system *s = simulation->system;
  const sn_matrix *matrix = sn_system_matrix(s);
  void *solver;
  if (sn_system_solver(s, &solver) != &sn_ldl) return 0;
  const sn_ldl_data *f = sn_ldl_of(solver);
  double pivots = 0, below = 0;
  for (int j = 0; j < f->groups; j++) {
    pivots += (double)f->size[j] * f->size[j];
    for (size_t b = f->column[j]; b < f->live[j]; b++) below += (double)f->size[f->row[b]] * f->size[j];
  }
  const double vector = s->n + s->m, iterations = (double)s->statistics.iterations / (double)steps;
  const double matrices = (double)s->statistics.factorizations / (double)steps;
  return sizeof(double) * (iterations * (pivots + 2 * below + PER_ITERATION * vector) + PER_STEP * vector +
                           matrices * (3 * (double)matrix->values + 2 * (pivots + below)));
}
