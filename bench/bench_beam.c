/* bench_beam.c - the speed figure of fully parameterized beams: 10-element pendulum, h = 1e-3, 200 steps.
 *
 * One thread, default settings (hht-i3, alpha = -0.05). Prints CPU time per step and element; exits 1 when the allowed
 * 8 us of the default elastic model are exceeded. Best of five. Fastest peer on the same problem: 35 us.
 */
#include <stdio.h>

#include "cost.h"
#include "help.h"

/* Microseconds per step and element. */
static double cost(const char *body, const char *top, int elements, int steps) {
  char text[1000];
  snprintf(text, sizeof text,
           "sinew: 1\n%sgravity: [0, -9.81, 0]\nmaterials: {m: {density: 7200, young: 2e7, poisson: 0.3}}\n"
           "sections: {s: {type: rectangle, width: 0.02, height: 0.02}}\n"
           "bodies: {rod: {%s, from: [0, 0, 0], to: [%d/10, 0, 0], elements: %d, material: m, section: s}}\n"
           "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n",
           top, body, elements, elements);
  return sn_bench(text, steps, 5).seconds / steps / elements * 1e6;
}

int main(int argc, char **argv) {
  bench_help(
      argc, argv,
      "Usage: bench_beam\n"
      "\n"
      "CPU time per step and element of a pendulum of fully parameterized beams (10 to 1000 elements, h = 1e-3 s,\n"
      "200 steps, one thread). Exits with 1 if the default model needs more than 8 us.\n");
  static const char *const body[] = {"type: beam", "type: beam, elastic: selective", "type: beam, elastic: continuum",
                                     "type: beam2d"};
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
