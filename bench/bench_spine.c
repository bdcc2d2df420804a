/* bench_spine.c - the speed figures of the spine: cable chain, flexible pendulum, rigid chain.
 *
 * One thread, hht-i3 with alpha = -0.05, h = 1e-3, default Newton. Prints CPU time per step and element or body, memory
 * per element, and whether each figure is met; exits 1 when one is not. Time is noisy: each case is the best of three.
 * Peers on the same problems: 6.3 to 9.0 us (cable chain), 148 ms (pendulum), 6.6 to 7.8 us (rigid chain).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bandwidth.h"
#include "cost.h"
#include "help.h"

static int missed;

static void judge(const char *what, double value, double allowed, const char *unit) {
  bool good = value <= allowed;
  missed += !good;
  printf("  %-52s %10.3f %-8s allowed %7.1f   %s\n", what, value, unit, allowed, good ? "met" : "MISSED");
}

/* ---- models ---- */

static void append(char **text, size_t *length, const char *format, ...) SN_PRINTF(3, 4);
static void append(char **text, size_t *length, const char *format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  *text = realloc(*text, *length + (size_t)n + 1);
  if (!*text) abort();
  memcpy(*text + *length, line, (size_t)n + 1);
  *length += (size_t)n;
}

static char *cable_chain(int n) {
  char *text = NULL;
  size_t length = 0;
  append(&text, &length,
         "sinew: 1\ngravity: [0, -9.81, 0]\nmaterials: {rubber: {density: 7200, young: 2e7}}\n"
         "sections: {square: {type: rectangle, width: 0.02, height: 0.02}}\n"
         "bodies: {chain: {type: cable, from: [0, 0, 0], to: [%d/10, 0, 0], elements: %d, material: rubber, section: "
         "square}}\n"
         "joints: {pin: {type: spherical, between: [ground, chain.start]}}\n",
         n, n);
  return text;
}

static char *rigid_chain(int n) {
  char *text = NULL;
  size_t length = 0;
  append(&text, &length, "sinew: 1\ngravity: [0, -9.81, 0]\nbodies:\n");
  for (int i = 0; i < n; i++)
    append(&text, &length,
           "  rod%d: {type: rigid, from: [%d, 0, 0], to: [%d, 0, 0], mass: 1, shape: {type: cylinder, radius: 0.05}}\n",
           i, i, i + 1);
  append(&text, &length, "joints:\n  j0: {type: spherical, between: [ground, rod0.start]}\n");
  for (int i = 1; i < n; i++)
    append(&text, &length, "  j%d: {type: spherical, between: [rod%d.end, rod%d.start]}\n", i, i - 1, i);
  return text;
}

static sn_cost run(char *text, int steps) {
  sn_cost cost = sn_bench(text, steps, 3);
  free(text);
  return cost;
}

int main(int argc, char **argv) {
  bench_help(argc, argv,
             "Usage: bench_spine\n"
             "\n"
             "CPU time, memory and memory traffic of a cable chain, a flexible pendulum and a rigid chain (hht-i3, h = "
             "1e-3 s, one thread),\n"
             "and of the pendulum by erk.\n"
             "Exits with 1 if a figure is missed.\n");
  char what[80];
  const double bandwidth = bench_bandwidth();
  printf("memory moves %.1f GB/s (triad, one thread)\n", bandwidth / 1e9);
  printf("cable chain, 200 steps\n");
  for (int n = 1000; n <= 100000; n *= 10) {
    sn_cost c = run(cable_chain(n), 200);
    snprintf(what, sizeof what, "%d elements: per step and element", n);
    judge(what, c.seconds / 200 / n * 1e6, 1.0, "us");
    snprintf(what, sizeof what, "%d elements: memory per element", n);
    judge(what, (double)c.bytes / n / 1024, 3.1, "KiB");
    printf("  %-52s %10.0f bytes, %.1f GB/s: %.0f %% of the bandwidth\n", "... bytes moved per step and element",
           c.traffic / n, c.traffic * 200 / c.seconds / 1e9, 100 * c.traffic * 200 / c.seconds / bandwidth);
  }
  printf("flexible pendulum (B1), 10 elements, 2000 steps\n");
  judge("whole run", run(cable_chain(10), 2000).seconds * 1e3, 35, "ms");
  char *pendulum = cable_chain(10);
  sn_options explicit = {.integrator = "erk", .step = 2e-4};
  judge("by erk, per step", sn_bench_with(pendulum, &explicit, 2000, 3).seconds / 2000 * 1e6, 10, "us");
  free(pendulum);
  printf("rigid chain, 200 steps\n");
  for (int n = 10; n <= 1000; n *= 10) {
    snprintf(what, sizeof what, "%d rods: per step and body", n);
    judge(what, run(rigid_chain(n), 200).seconds / 200 / n * 1e6, 3.0, "us");
  }
  if (missed) printf("%d figures missed\n", missed);
  return missed != 0;
}
