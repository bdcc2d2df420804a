/* cost.h - what all benchmarks of whole runs share. */
#ifndef SN_BENCH_COST_H
#define SN_BENCH_COST_H

#include "analysis/simulation.h"

typedef struct sn_cost {
  double seconds; /* CPU time of all steps */
  size_t bytes;   /* held by model and simulation at the end */
  double traffic; /* bytes that a step moves at the least (bandwidth.h); 0: not known */
  sn_statistics statistics;
} sn_cost;

/* `steps` steps of the model in `text` with hht-i3, h = 1e-3, one thread; the fastest of `times` runs. Exits on errors.
 */
sn_cost sn_bench(const char *text, int steps, int times);
/* The same with an integrator and steps of one's own. */
sn_cost sn_bench_with(const char *text, const sn_options *options, int steps, int times);

#endif
