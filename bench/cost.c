/* cost.c - time and memory of a run; see cost.h. */
#include "cost.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bandwidth.h"

static size_t bytes_in_use(void) {
  struct mallinfo2 m = mallinfo2();
  return m.uordblks + m.hblkhd;
}

static void need(sn_context *context, sn_status status) {
  if (!status) return;
  fputs(sn_message(context), stderr);
  exit((int)status);
}

static sn_cost run(const char *text, const sn_options *options, int steps) {
  sn_context *context = sn_context_create();
  sn_model *model;
  sn_simulation *simulation;
  size_t before = bytes_in_use();
  need(context, sn_model_parse(context, "bench", text, strlen(text), NULL, 0, &model));
  need(context, sn_simulation_create(model, options, &simulation));
  double start = sn_cpu_time();
  for (int i = 0; i < steps; i++) need(context, sn_step(simulation));
  sn_cost cost = {.seconds = sn_cpu_time() - start, .bytes = bytes_in_use() - before};
  cost.statistics = simulation->system->statistics;
  cost.traffic = bench_bytes_per_step(simulation, steps);
  sn_simulation_free(simulation);
  sn_model_free(model);
  sn_context_free(context);
  return cost;
}

sn_cost sn_bench(const char *text, int steps, int times) {
  return sn_bench_with(text, &(sn_options){.integrator = "hht-i3", .step = 1e-3}, steps, times);
}

sn_cost sn_bench_with(const char *text, const sn_options *options, int steps, int times) {
  sn_cost best = run(text, options, steps);
  for (int i = 1; i < times; i++) {
    sn_cost cost = run(text, options, steps);
    if (cost.seconds < best.seconds) best = cost;
  }
  return best;
}
