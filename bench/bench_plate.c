/* bench_plate.c - the speed of plates: n x n elements pinned at a corner under gravity (models/plate-pendulum.yaml).
 *
 * One thread, hht-i3, h = 1e-3, 200 steps, default Newton. Prints CPU time per step and element and what it is
 * spent on; the best of three. Figure to meet: 30 us at 10 x 10; the fastest peer takes 136 us. */
#include <stdio.h>

#include "cost.h"
#include "help.h"

static sn_cost run(int n, int steps) {
  char text[1024];
  snprintf(text, sizeof text,
           "sinew: 1\ngravity: [0, 0, -9.81]\n"
           "materials: {rubber: {density: 1100, young: 2e7, poisson: 0.4}}\n"
           "bodies: {sheet: {type: plate, along: [%d/10, 0, 0], across: [0, %d/10, 0], elements: [%d, %d], "
           "thickness: 0.01, material: rubber}}\n"
           "joints: {pin: {type: spherical, between: [ground, sheet.sw]}}\n",
           n, n, n, n);
  return sn_bench(text, steps, 3);
}

int main(int argc, char **argv) {
  bench_help(argc, argv,
             "Usage: bench_plate [all]\n"
             "\n"
             "CPU time per step and element of a plate pendulum of 10 x 10 elements (h = 1e-3 s, 200 steps, one "
             "thread); with\n"
             "any argument also 40 x 40. Exits with 1 if 10 x 10 elements need more than 30 us.\n");
  static const struct {
    int n, steps;
    double allowed;
  } cases[] = {{10, 200, 30}, {40, 20, 0}};
  int missed = 0;
  for (size_t k = 0; k < SN_COUNT(cases) && (k == 0 || argc > 1); k++) {
    int n = cases[k].n, steps = cases[k].steps;
    sn_cost cost = run(n, steps);
    sn_statistics s = cost.statistics;
    double best = cost.seconds;
    double us = 1e6 / steps / (n * n);
    printf("plate %d x %d: %.2f us per step and element", n, n, best * us);
    if (cases[k].allowed > 0) {
      bool good = best * us <= cases[k].allowed;
      missed += !good;
      printf(", allowed %.0f: %s", cases[k].allowed, good ? "met" : "MISSED");
    }
    printf("\n  %ld steps, %ld iterations, %ld residuals, %ld matrices\n", s.steps, s.iterations, s.residuals,
           s.jacobians);
    printf("  us per step and element: residual %.2f, matrix %.2f, factor %.2f, solve %.2f\n", s.time_residual * us,
           s.time_jacobian * us, s.time_factor * us, s.time_solve * us);
  }
  (void)argv;
  return missed;
}
