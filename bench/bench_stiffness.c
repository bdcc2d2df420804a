/* bench_stiffness.c - figure 8 of Hussein, Negrut & Shabana (2007), benchmark B3: cost of hht-i3 and of the explicit
 * adams against the modulus of elasticity, and how far their tips are apart, relative to the way of the tip.
 *
 *   bench_stiffness [FILE.csv [FILE.png]]
 *
 * Tolerance 1e-5, 1 s. The picture shows CPU time. Exits 1 when adams does not agree with hht-i3 for the soft beams, or
 * its work does not grow with stiffness while that of hht-i3 stays within a factor of 3.
 */
#include <math.h>
#include <stdlib.h>

#include "cli/plot.h"
#include "study.h"

enum { METHODS = 2, MODULI = 7 };
static const char *const methods[METHODS] = {"hht-i3", "adams"};

/* Evaluations of the equations: iterations of hht-i3, right-hand sides of adams. */
typedef struct cost {
  double cpu[MODULI], work[MODULI], steps[MODULI];
} cost;

static double compare(double E, int at, cost *c) {
  sn_trial trial[METHODS];
  for (int k = 0; k < METHODS; k++) {
    char integrator[100], set[40];
    snprintf(integrator, sizeof integrator, "{type: %s, tolerance: 1e-5}", methods[k]);
    snprintf(set, sizeof set, "E=%g", E);
    study_run run = {"hussein-pendulum", set, integrator, 1, 0.01, 0};
    study_trial(&run, &trial[k]);
    if (trial[k].status) {
      printf("%s, E = %g: %s\n", methods[k], E, trial[k].message);
      exit(3);
    }
    c[k].cpu[at] = trial[k].cpu;
    c[k].work[at] = (double)trial[k].statistics.residuals;
    c[k].steps[at] = (double)trial[k].statistics.steps;
  }
  double apart = sn_trial_relative(&trial[0], &trial[1], SN_POSITIONS);
  for (int k = 0; k < METHODS; k++) sn_trial_free(&trial[k]);
  return apart;
}

static sn_status draw(const char *path, const double *E, const cost *c) {
  sn_series x = {"E", "Pa", MODULI, E}, y[METHODS];
  const sn_series *list[METHODS];
  for (int k = 0; k < METHODS; k++) {
    y[k] = (sn_series){methods[k], "s", MODULI, c[k].cpu};
    list[k] = &y[k];
  }
  const cli_axis axis = {.unit = "s", .count = METHODS, .series = list, .label = "CPU time"};
  const cli_plot_job job = {.title = "Pendulum of two shear-deformable beams, 1 s",
                            .x = &x,
                            .axis = &axis,
                            .axes = 1,
                            .path = path,
                            .log_x = true,
                            .log_y = true,
                            .marked = true};
  return cli_plot_picture(&job);
}

int main(int argc, char **argv) {
  FILE *csv = study_csv(argc, argv, 1);
  double E[MODULI], apart[MODULI];
  cost c[METHODS];
  printf("%8s   %8s %9s %9s   %8s %9s %9s   %9s %8s\n", "E [Pa]", "hht-i3", "steps", "CPU [s]", "adams", "steps",
         "CPU [s]", "CPU ratio", "apart");
  printf("%8s   %8s %9s %9s   %8s %9s %9s\n", "", "evals", "", "", "evals", "", "");
  if (csv) fprintf(csv, "E,hht_evaluations,hht_steps,hht_cpu,adams_evaluations,adams_steps,adams_cpu,apart\n");
  for (int i = 0; i < MODULI; i++) {
    E[i] = 2 * pow(10, 5 + i);
    apart[i] = compare(E[i], i, c);
    printf("%8.0e   %8.0f %9.0f %9.4f   %8.0f %9.0f %9.4f   %9.2f %8.1e\n", E[i], c[0].work[i], c[0].steps[i],
           c[0].cpu[i], c[1].work[i], c[1].steps[i], c[1].cpu[i], c[1].cpu[i] / c[0].cpu[i], apart[i]);
    fflush(stdout);
    if (csv)
      fprintf(csv, "%g,%.0f,%.0f,%.4g,%.0f,%.0f,%.4g,%.4g\n", E[i], c[0].work[i], c[0].steps[i], c[0].cpu[i],
              c[1].work[i], c[1].steps[i], c[1].cpu[i], apart[i]);
  }
  if (csv) fclose(csv);
  if (argc > 2 && draw(argv[2], E, c)) return 4;
  double least = INFINITY, most = 0;
  bool grows = true;
  for (int i = 0; i < MODULI; i++) {
    least = fmin(least, c[0].work[i]);
    most = fmax(most, c[0].work[i]);
    grows = grows && (i == 0 || c[1].work[i] > c[1].work[i - 1]);
  }
  bool good =
      apart[0] < 1e-2 && apart[1] < 1e-2 && most <= 3 * least && grows && c[1].work[MODULI - 1] > 30 * c[1].work[0];
  printf("adams agrees for soft beams, its work grows, that of hht-i3 stays flat (%.2g): %s\n", most / least,
         good ? "met" : "MISSED");
  return !good;
}
