/* bench_beam.c - the speed figure of fully parameterised beams: 10-element pendulum, h = 1e-3, 200 steps.
 *
 * One thread, default settings (hht-i3, alpha = -0.05). Prints CPU time per step and element; exits 1 when the allowed
 * 8 us of the default elastic model are exceeded. Best of five. Fastest peer on the same problem: 35 us.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

static double run_once(const char *text, int steps) {
  sn_context *context = sn_context_create();
  sn_model *model;
  sn_simulation *simulation;
  sn_options options = {.integrator = "hht-i3", .step = 1e-3};
  if (sn_model_parse(context, "bench", text, strlen(text), NULL, 0, &model) ||
      sn_simulation_create(model, &options, &simulation)) {
    fputs(sn_message(context), stderr);
    exit(2);
  }
  double start = sn_cpu_time();
  for (int i = 0; i < steps; i++)
    if (sn_step(simulation)) {
      fputs(sn_message(context), stderr);
      exit(3);
    }
  double seconds = sn_cpu_time() - start;
  sn_simulation_free(simulation);
  sn_model_free(model);
  sn_context_free(context);
  return seconds;
}

/* Microseconds per step and element. */
static double cost(const char *body, const char *top, int elements, int steps) {
  char text[1000];
  double best = 1e9;
  snprintf(text, sizeof text,
           "sinew: 1\n%sgravity: [0, -9.81, 0]\nmaterials: {m: {density: 7200, young: 2e7, poisson: 0.3}}\n"
           "sections: {s: {type: rectangle, width: 0.02, height: 0.02}}\n"
           "bodies: {rod: {%s, from: [0, 0, 0], to: [%d/10, 0, 0], elements: %d, material: m, section: s}}\n"
           "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n",
           top, body, elements, elements);
  for (int i = 0; i < 5; i++) {
    double seconds = run_once(text, steps);
    if (seconds < best) best = seconds;
  }
  return best / steps / elements * 1e6;
}

int main(void) {
  static const char *const body[] = {"type: beam", "type: beam, elastic: continuum",
                                     "type: beam, elastic: elastic-line", "type: beam2d"};
  double first = 0;
  printf("pendulum, h = 1e-3, 200 steps, one thread: us per step and element\n");
  for (int k = 0; k < 4; k++)
    for (int n = 10; n <= 1000; n *= 10) {
      double us = cost(body[k], k == 3 ? "planar: true\n" : "", n, 200);
      if (k == 0 && n == 10) first = us;
      printf("  %-34s %5d elements %8.3f\n", body[k], n, us);
    }
  printf("  allowed for 10 elements of type beam: 8   %s\n", first <= 8 ? "met" : "MISSED");
  return first > 8;
}
