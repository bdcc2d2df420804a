/* bench_matrix.c - every adaptive method on fourteen models with five tolerances: does the error follow the tolerance?
 *
 *   bench_matrix [models|all] [methods|all] [tolerances|all] [FILE.csv]     (names with commas between them)
 *
 * Errors are those of the outputs of type point and of the reactions at all output times, against a tight run by
 * another method: positions relative to the largest way, or to the size of the model (at most 1 m), as tolerances are;
 * reactions relative to the largest one, energy relative to the energy exchanged, as in the verdict of a run. Reactions of rigid mechanisms are
 * judged by the tolerance. Those of flexible ones swing with vibrations that a loose tolerance need not follow: `mean`,
 * their means over a fifth of the run, are judged, which every method has to find; rows are so close that they resolve
 * the vibrations, and the first line of a model says what its means lack of that. `rise` is the error over that with
 * the tolerance before: it says whether a tighter tolerance made it worse. The last word is the verdict of the run on
 * itself: a run that misses its tolerance must not be called good. Any cell can be run alone, and cells on any
 * number of cores. A run has so many seconds of CPU time, then it is stopped.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "help.h"
#include "trials.h"

static const double LIMIT = 20; /* s */

typedef struct problem {
  const char *model, *set;
  double duration, output_step;
  bool rigid;
  const char *what;
} problem;

static const problem problems[] = {
    {"simple-pendulum", NULL, 5, 0.05, true, "point mass on a rod, planar"},
    {"double-pendulum-springs", NULL, 2, 0.02, true, "rigid, planar, springs and dampers"},
    {"slider-crank", NULL, 1, 0.01, true, "rigid, planar, closed loop, driven by a moment"},
    {"andrews", NULL, 0.03, 5e-4, true, "rigid, planar, three closed loops"},
    {"physical-pendulum", NULL, 5, 0.05, true, "rigid, in space"},
    {"heavy-top", NULL, 2, 0.02, true, "rigid, in space, spinning"},
    {"governor", NULL, 2, 0.02, true, "rigid, in space, springs and dampers"},
    {"spatial-slider-crank", NULL, 1, 0.01, true, "rigid, in space, closed loop"},
    {"pendulum", NULL, 0.5, 0.01, false, "cable, soft"},
    {"pendulum", "E=2e10", 0.1, 0.002, false, "cable, stiff"},
    {"beam-pendulum", NULL, 0.2, 0.004, false, "beam"},
    {"huang-pendulum", "E=0.7e6", 0.5, 0.01, false, "planar beam"},
    {"plate-pendulum", "n=4", 0.1, 0.002, false, "plate"},
    {"flexible-slider-crank", NULL, 0.02, 1e-5, false, "beam and rigid body, planar, closed loop, driven"},
};

static const char *const methods[] = {"hht-i3", "hht-add", "hht-si2", "newmark", "nstiff", "nstiff-si2", "gssss",
                                      "radau5", "radau",   "gam",     "ida",     "adams",  "erk",        "tr-bdf2"};
static const double tolerances[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8};

static void run(const problem *p, const char *method, double tolerance, double limit, sn_trial *trial) {
  char integrator[80];
  snprintf(integrator, sizeof integrator, "{type: %s, tolerance: %g}", method, tolerance);
  study_run r = {p->model, p->set, integrator, p->duration, p->output_step, limit, NULL};
  study_trial(&r, trial);
}

/* Two tight runs; a method is measured by the one that is not of its family. */
static const char *const tight[] = {"radau", "adams"};

static int other_family(const char *method) {
  return strncmp(method, "radau", 5) == 0;
}

/* Largest distance of the means of reactions over a fifth of the run, relative to the largest reaction. */
static double distance_of_means(const sn_trial *a, const sn_trial *b) {
  int columns = a->columns[SN_MULTIPLIERS], window = a->rows / 5;
  double most = 0, size = sn_trial_scale(b, SN_MULTIPLIERS);
  if (a->rows != b->rows || window == 0) return NAN;
  for (int k = 0; k < columns; k++) {
    double sum = 0;
    for (int i = 0; i < a->rows; i++) {
      sum += a->value[SN_MULTIPLIERS][i * columns + k] - b->value[SN_MULTIPLIERS][i * columns + k];
      if (i >= window)
        sum -=
            a->value[SN_MULTIPLIERS][(i - window) * columns + k] - b->value[SN_MULTIPLIERS][(i - window) * columns + k];
      if (i + 1 >= window) most = fmax(most, fabs(sum) / window);
    }
  }
  return size > 0 ? most / size : most;
}

/* What these means change by if only every second row is taken, or the others: rows that are too far apart for a
 * vibration show it as a slow one, and their means are not those of the reaction. */
static double missed_by_means(const sn_trial *t) {
  const int columns = t->columns[SN_MULTIPLIERS], window = t->rows / 5 / 2 * 2;
  double most = 0, size = sn_trial_scale(t, SN_MULTIPLIERS);
  for (int k = 0; k < columns; k++) {
    double sum = 0; /* of the rows of a window, with signs that alternate */
    for (int i = 0; i < t->rows; i++) {
      const double sign = i % 2 ? -1 : 1, *l = t->value[SN_MULTIPLIERS] + k;
      sum += sign * l[i * columns];
      if (i >= window) sum -= sign * l[(i - window) * columns];
      if (i + 1 >= window && window > 0) most = fmax(most, fabs(sum) / window);
    }
  }
  return size > 0 ? most / size : most;
}

static const char *word(const problem *p, const sn_trial *t, double error, double tolerance, double rise,
                        double reaction, double mean, double energy) {
  if (t->status == SN_INTERRUPTED) return "slow";
  if (t->status) return "failed";
  if (!(rise <= 1.5) && error > tolerance) return "rises";
  if (!(error <= 10 * tolerance)) return "error";
  if (!(energy <= 10 * tolerance)) return "energy";
  if (p->rigid && !(reaction <= 100 * tolerance)) return "reaction";
  if (!p->rigid && !(mean <= fmax(0.05, 100 * tolerance))) return "mean";
  return "good";
}

static void row(FILE *csv, const problem *p, const char *method, double tolerance, const sn_trial *reference,
                double *before) {
  sn_trial t;
  run(p, method, tolerance, LIMIT, &t);
  double way = sn_trial_scale(reference, SN_POSITIONS);
  double error = sn_trial_distance(&t, reference, SN_POSITIONS) / fmax(reference->length, way);
  double velocity = sn_trial_relative(&t, reference, SN_VELOCITIES);
  double reaction = sn_trial_relative(&t, reference, SN_MULTIPLIERS);
  double energy = fabs(t.energy_ratio);
  double rise = *before > 0 ? error / *before : 0;
  double mean = distance_of_means(&t, reference);
  const char *is = word(p, &t, error, tolerance, rise, reaction, mean, energy);
  if (!t.status) *before = error;
  const char *trust = sn_trust_names[t.trust];
  printf("  %-11s %-6.0e %9.2e %9.2e %9.2e %9.2e %9.2e %8.2g %8ld %8.3f  %-8s %s\n", method, tolerance, error, velocity,
         reaction, mean, energy, rise, t.statistics.steps, t.cpu, is, trust);
  fflush(stdout);
  if (csv)
    fprintf(csv, "%s%s%s,%s,%g,%.3g,%.3g,%.3g,%.3g,%.3g,%ld,%.4g,%s,%s,%.3g,%s\n", p->model, p->set ? " " : "",
            p->set ? p->set : "", method, tolerance, error, velocity, reaction, energy, rise, t.statistics.steps, t.cpu,
            is, p->rigid ? "rigid" : "flexible", mean, trust);
  sn_trial_free(&t);
}

/* Is the name among those of the argument, which has commas between them? */
static bool wanted(int argc, char **argv, int at, const char *name) {
  size_t length = strlen(name);
  if (argc <= at || strcmp(argv[at], "all") == 0) return true;
  for (const char *x = argv[at]; (x = strstr(x, name)) != NULL; x += length)
    if ((x == argv[at] || x[-1] == ',') && (x[length] == ',' || x[length] == 0)) return true;
  return false;
}

static void table(FILE *csv, const problem *p, int argc, char **argv) {
  sn_trial reference[2];
  char name[100];
  snprintf(name, sizeof name, "%s%s%s", p->model, p->set ? " " : "", p->set ? p->set : "");
  if (!wanted(argc, argv, 1, name)) return;
  for (int k = 0; k < 2; k++) run(p, tight[k], k ? 1e-10 : 1e-11, 6 * LIMIT, &reference[k]);
  printf(
      "%s: %s; references apart by %.1e in positions, %.1e in reactions; means of reactions "
      "are off by %.1e between rows%s\n",
      name, p->what,
      sn_trial_distance(&reference[0], &reference[1], SN_POSITIONS) /
          fmax(reference[0].length, sn_trial_scale(&reference[0], SN_POSITIONS)),
      sn_trial_relative(&reference[1], &reference[0], SN_MULTIPLIERS), p->rigid ? 0 : missed_by_means(&reference[0]),
      reference[0].status || reference[1].status ? ", ONE FAILED" : "");
  printf(
      "  method      tol     position  velocity  reaction      mean    energy     rise    steps    CPU s  is       "
      "verdict\n");
  for (size_t i = 0; i < SN_COUNT(methods); i++) {
    double before = 0;
    if (!wanted(argc, argv, 2, methods[i])) continue;
    const sn_trial *r = &reference[other_family(methods[i])];
    if (r->status) r = &reference[!other_family(methods[i])];
    for (size_t k = 0; k < SN_COUNT(tolerances); k++) {
      char number[20];
      snprintf(number, sizeof number, "%.0e", tolerances[k]);
      number[3] = number[4]; /* 1e-4, as people write it */
      number[4] = 0;
      if (wanted(argc, argv, 3, number)) row(csv, p, methods[i], tolerances[k], r, &before);
    }
  }
  for (int k = 0; k < 2; k++) sn_trial_free(&reference[k]);
}

int main(int argc, char **argv) {
  bench_help(argc, argv,
             "Usage: bench_matrix [MODELS|all] [METHODS|all] [TOLERANCES|all] [FILE.csv]\n"
             "\n"
             "Errors of every adaptive method on fourteen models with five tolerances. Lists are separated by commas:\n"
             "bench_matrix heavy-top adams,radau 1e-6. Run it in the source directory.\n");
  FILE *csv = study_csv(argc, argv, 4);
  if (csv) fprintf(csv, "model,method,tolerance,error,velocity,reaction,energy,rise,steps,cpu,is,kind,mean,trust\n");
  for (size_t i = 0; i < SN_COUNT(problems); i++) table(csv, &problems[i], argc, argv);
  if (csv) fclose(csv);
  return 0;
}
