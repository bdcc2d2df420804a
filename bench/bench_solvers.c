/* bench_solvers.c - the solvers of contact by complementarity beside each other: heaps of 4 to 128 balls that fall
 * apart, 20 steps of 1 ms.
 *
 *   bench_solvers [FILE.csv] [largest number of balls]
 *
 * error: largest difference of a velocity after the first step, which has the same problem for all, from that of
 * interior-point to 1e-11 m/s; `other`: the same with apgd to 1e-10 m/s as the reference. A run has 60 s of CPU time.
 */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/simulation.h"
#include "help.h"
#include "trials.h"

enum { STEPS = 20, LIMIT = 60, MOST = 128 };

static double noise(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 33) / 1073741824.0 - 1.0;
}

/* Balls of 10 cm and 0.5 to 1.5 kg, one layer in the hollows of the other, that touch and slide. */
static char *heap(int balls, const char *settings) {
  char *text;
  size_t size;
  uint64_t seed = 17;
  FILE *out = open_memstream(&text, &size);
  int side = (int)ceil(cbrt(balls));
  fprintf(out, "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n");
  for (int i = 0; i < balls; i++) {
    int level = i / (side * side), x = i % side, y = i / side % side;
    double shift = 0.0525 * (level % 2);
    fprintf(out, "  b%d: {type: rigid, position: [%.9g, %.9g, %.9g], velocity: [%.9g, %.9g, 0], mass: %.9g, ", i,
            0.105 * x + shift, 0.105 * y + shift, 0.05 + 0.0676 * level, 0.3 * noise(&seed), 0.3 * noise(&seed),
            1 + 0.5 * noise(&seed));
    fprintf(out, "shape: {type: sphere, radius: 0.05}}\n");
  }
  fprintf(out, "surfaces:\n  floor: {type: plane, normal: [0, 0, 1]}\n");
  for (int i = 0; i < balls; i++) fprintf(out, "  s%d: {type: sphere, on: b%d}\n", i, i);
  fprintf(out,
          "contacts: {all: {method: dvi, friction: 0.4}}\n"
          "analysis: {type: dynamics, duration: 1, integrator: {type: symplectic-euler, step: 1e-3, %s}}\n",
          settings);
  fclose(out);
  return text;
}

typedef struct outcome {
  const char *status;
  double contacts, iterations, cpu, residual; /* per step; cpu in ms; the largest residual */
  long misses;
  double *v; /* [7 balls] after the first step */
} outcome;

static void run(int balls, const char *settings, int steps, outcome *o) {
  sn_context *context = sn_context_create();
  sn_model *model;
  sn_simulation *simulation;
  char *text = heap(balls, settings);
  if (sn_model_parse(context, "heap", text, strlen(text), NULL, 0, &model) ||
      sn_simulation_create(model, NULL, &simulation)) {
    fprintf(stderr, "%s\n", sn_message(context));
    exit(2);
  }
  free(text);
  double start = sn_cpu_time(), used = 0;
  int done = 0;
  o->status = "done";
  for (; done < steps && used < LIMIT; done++) {
    if (sn_step(simulation)) {
      o->status = "failed";
      break;
    }
    used = sn_cpu_time() - start;
    if (done == 0) memcpy(o->v, simulation->state.v, 7 * (size_t)balls * sizeof *o->v);
  }
  if (done < steps && strcmp(o->status, "done") == 0) o->status = "stopped";
  const sn_contact_statistics *s = &simulation->system->statistics.contact;
  double solutions = s->solutions > 0 ? (double)s->solutions : 1;
  o->contacts = (double)s->contacts / solutions;
  o->iterations = (double)s->iterations / solutions;
  o->cpu = 1e3 * used / (done > 0 ? done : 1);
  o->residual = s->residual;
  o->misses = s->misses;
  sn_simulation_free(simulation);
  sn_model_free(model);
  sn_context_free(context);
}

/* Velocities of centers. */
static double apart(int balls, const outcome *a, const outcome *b) {
  double most = 0;
  for (int i = 0; i < balls; i++)
    for (int k = 0; k < 3; k++) most = fmax(most, fabs(a->v[7 * i + k] - b->v[7 * i + k]));
  return most;
}

static void measure(FILE *csv, const char *law, int balls) {
  static const char *const solvers[] = {"apgd",
                                        "gauss-seidel",
                                        "jacobi",
                                        "interior-point",
                                        "lemke, contact_facets: 4",
                                        "lemke, contact_facets: 8",
                                        "lemke, contact_facets: 16"};
  double v[3][7 * MOST];
  outcome exact = {.v = v[0]}, other = {.v = v[1]}, o = {.v = v[2]};
  char settings[200];
  snprintf(settings, sizeof settings, "friction_model: %s, contact_tolerance: 1e-11, contact_solver: interior-point",
           law);
  run(balls, settings, 1, &exact);
  snprintf(settings, sizeof settings,
           "friction_model: %s, contact_tolerance: 1e-10, contact_iterations: 1000000, contact_solver: apgd", law);
  run(balls, settings, 1, &other);
  for (size_t k = 0; k < SN_COUNT(solvers); k++) {
    char name[40];
    snprintf(settings, sizeof settings, "friction_model: %s, contact_iterations: 100000, contact_solver: %s", law,
             solvers[k]);
    memset(o.v, 0, 7 * (size_t)balls * sizeof *o.v);
    run(balls, settings, STEPS, &o);
    snprintf(name, sizeof name, "%s", solvers[k]);
    if (strchr(name, ',')) snprintf(name, sizeof name, "lemke %s", strrchr(solvers[k], ' ') + 1);
    printf("%-8s %4d %-15s %-8s %6.1f contacts %8.1f iterations %10.3f ms  residual %.1e  error %.1e m/s\n", law, balls,
           name, o.status, o.contacts, o.iterations, o.cpu, o.residual, apart(balls, &o, &exact));
    if (csv)
      fprintf(csv, "%s,%d,%s,%s,%.4g,%.4g,%.6g,%.3g,%ld,%.3g,%.3g\n", law, balls, name, o.status, o.contacts,
              o.iterations, o.cpu, o.residual, o.misses, apart(balls, &o, &exact), apart(balls, &o, &other));
    fflush(stdout);
  }
}

int main(int argc, char **argv) {
  bench_help(argc, argv,
             "Usage: bench_solvers [FILE.csv] [BALLS]\n"
             "\n"
             "Iterations, time and accuracy of the complementarity solvers on heaps of 4 to BALLS balls (default 64, "
             "at most 128).\n");
  FILE *csv = study_csv(argc, argv, 1);
  int largest = argc > 2 ? atoi(argv[2]) : 64;
  if (largest > MOST) largest = MOST;
  if (csv) fprintf(csv, "law,balls,solver,status,contacts,iterations,cpu,residual,misses,error,other\n");
  for (int balls = 4; balls <= largest; balls *= 2) {
    measure(csv, "relaxed", balls);
    measure(csv, "coulomb", balls);
  }
  if (csv) fclose(csv);
  return 0;
}
