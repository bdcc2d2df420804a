/* bench_formulations.c - tables 5.3 and 5.8 of Huang's thesis: which parts of the equations of the flexible double
 * pendulum are linear in the coordinates, in three formulations; less than a second.
 *
 *   bench_formulations [FILE.csv]
 *
 * Measured, not asked of the code: each part f is evaluated at q, q + d and q + 2d, d random of the size of the bars,
 *   constant    f(q + d) = f(q)
 *   linear      f(q + 2d) - 2 f(q + d) + f(q) = 0
 * to rounding, else nonlinear. The parts are M(q) x for a fixed random x, the elastic forces (v = 0, no gravity), what
 * gravity adds to them, and Phi(q). Body coordinates are in use when some coordinates, those of the frame, do not enter
 * the elastic forces. Run in the source directory.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help.h"
#include "huang.h"
#include "trials.h"

enum { MOST = 64, TRIES = 5 };

typedef struct probe {
  sn_system *system;
  sn_state state;
  double x[MOST];
  unsigned long long random;
} probe;

typedef void part(probe *p, double *f);

/* Uniform in (-1, 1). */
static double shake(probe *p) {
  p->random = p->random * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(p->random >> 11) / 4503599627370496.0 - 1;
}

/* ---- the parts ---- */

static void mass(probe *p, double *f) {
  sn_system_mass_times(p->system, &p->state, p->x, f);
}
static void elastic(probe *p, double *f) {
  sn_system_set_load(p->system, 0);
  sn_system_residual(p->system, &p->state, 0, f);
}
static void external(probe *p, double *f) {
  double without[MOST];
  elastic(p, without);
  sn_system_set_load(p->system, 1);
  sn_system_residual(p->system, &p->state, 0, f);
  for (int i = 0; i < p->system->n; i++) f[i] -= without[i];
}
static void constraint(probe *p, double *f) {
  sn_system_position(p->system, &p->state, f);
}

/* ---- what they are ---- */

/* Largest of f and of its first and second differences, over a few random lines. */
static void differences(probe *p, part *of, int count, double *largest) {
  double start[MOST], d[MOST], f[3][MOST];
  int n = p->system->n;
  memcpy(start, p->state.q, (size_t)n * sizeof(double));
  largest[0] = largest[1] = largest[2] = 0;
  for (int k = 0; k < TRIES; k++) {
    for (int i = 0; i < n; i++) d[i] = shake(p);
    for (int j = 0; j < 3; j++) {
      for (int i = 0; i < n; i++) p->state.q[i] = start[i] + j * d[i];
      of(p, f[j]);
    }
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < 3; j++) largest[0] = fmax(largest[0], fabs(f[j][i]));
      largest[1] = fmax(largest[1], fabs(f[1][i] - f[0][i]));
      largest[2] = fmax(largest[2], fabs(f[2][i] - 2 * f[1][i] + f[0][i]));
    }
  }
  memcpy(p->state.q, start, (size_t)n * sizeof(double));
}

static const char *kind_of(probe *p, part *of, int count) {
  const double rounding = 1e-12;
  double largest[3];
  differences(p, of, count, largest);
  return largest[1] <= rounding * largest[0]   ? "constant"
         : largest[2] <= rounding * largest[0] ? "linear"
                                               : "nonlinear";
}

/* Does the elastic force stay as it is, whatever this coordinate is? */
static bool idle(probe *p, int at) {
  double q = p->state.q[at], f[2][MOST], largest = 0, change = 0;
  elastic(p, f[0]);
  p->state.q[at] = q + 0.7;
  elastic(p, f[1]);
  p->state.q[at] = q;
  for (int i = 0; i < p->system->n; i++) {
    largest = fmax(largest, fabs(f[0][i]));
    change = fmax(change, fabs(f[1][i] - f[0][i]));
  }
  return change <= 1e-12 * largest;
}

static const char *body_coordinates(probe *p) {
  double start[MOST];
  int n = p->system->n, found = 0;
  memcpy(start, p->state.q, (size_t)n * sizeof(double));
  for (int i = 0; i < n; i++) p->state.q[i] += 0.3 * shake(p);
  for (int i = 0; i < n; i++) found += idle(p, i);
  memcpy(p->state.q, start, (size_t)n * sizeof(double));
  return found ? "yes" : "no";
}

/* ---- the table ---- */

static void row(const char *theory, const char *formulation, const char *what, const char *word, FILE *csv) {
  printf("%-16s %-7s %-18s %s\n", theory, formulation, what, word);
  if (csv) fprintf(csv, "%s,%s,%s,%s\n", theory, formulation, what, word);
}

static void look(const char *theory, const char *formulation, FILE *csv) {
  char set[2][40];
  snprintf(set[0], sizeof set[0], "theory=%s", theory);
  snprintf(set[1], sizeof set[1], "formulation=%s", formulation);
  const char *sets[] = {set[0], set[1], "n=1", "mass=constant", "E=1e6"};
  sn_context *context = sn_context_create();
  sn_model *model;
  sn_simulation *simulation;
  sn_options options = {.step = 1e-3, .until = 1};
  if (sn_model_load(context, "models/huang-double-pendulum.yaml", sets, SN_COUNT(sets), &model) ||
      sn_simulation_create(model, &options, &simulation) || model->n > MOST) {
    fputs(sn_message(context), stderr);
    exit(2);
  }
  probe p = {.system = simulation->system, .random = 1};
  int n = p.system->n, m = p.system->m;
  sn_state_create(p.system, &p.state);
  memcpy(p.state.q, simulation->state.q, (size_t)n * sizeof(double));
  for (int i = 0; i < n; i++) p.x[i] = shake(&p);
  row(theory, formulation, "body coordinates", body_coordinates(&p), csv);
  row(theory, formulation, "mass", kind_of(&p, mass, n), csv);
  row(theory, formulation, "stiffness", kind_of(&p, elastic, n), csv);
  row(theory, formulation, "external force", kind_of(&p, external, n), csv);
  row(theory, formulation, "constraint", kind_of(&p, constraint, m), csv);
  sn_simulation_free(simulation);
  sn_model_free(model);
  sn_context_free(context);
}

int main(int argc, char **argv) {
  bench_help(argc, argv,
             "Usage: bench_formulations [FILE.csv]\n"
             "\n"
             "Tables 5.3 and 5.8 of Huang's thesis: which terms of the equations of the flexible double pendulum are "
             "constant,\n"
             "linear or nonlinear in the coordinates. Takes less than a second. Run it in the source directory.\n");
  static const char *const theory[] = {"bar", "euler-bernoulli", "timoshenko"}, *const formulation[] = {"irf", "ancf-s",
                                                                                                        "frf"};
  FILE *csv = study_csv(argc, argv, 1);
  if (csv) fprintf(csv, "theory,formulation,part,word\n");
  for (size_t i = 0; i < SN_COUNT(theory); i++)
    for (size_t k = 0; k < SN_COUNT(formulation); k++) look(theory[i], formulation[k], csv);
  if (csv) fclose(csv);
  return 0;
}
