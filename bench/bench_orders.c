/* bench_orders.c - the low-order methods as in chapter 3 of Khude (2015): global orders by halving the step, velocity
 * drift and cost on A4, A5, A6 and B9, and the order of the mean energy error on the slider-crank without its damper.
 *
 *   bench_orders [FILE.csv]
 *
 * Orders are those of the largest difference over all output times between runs with h, h/2 and h/4. Exits 1 when one
 * is off by more than 0.15, or a stabilized method drifts.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/curve.h"
#include "help.h"
#include "trials.h"

enum { METHODS = 6, RUNS = 3 };
static const char *const methods[METHODS] = {"newmark", "hht-i3", "hht-add", "hht-si2", "nstiff", "nstiff-si2"};
static bool is_stabilized(int k) {
  return k == 2 || k == 3 || k == 5;
}

typedef struct problem {
  const char *name, *model, *set;
  double until, output_step;
  double step[METHODS]; /* coarsest */
} problem;

/* Steps that resolve what moves, the damper of A4 (rate 9e4/s) and the axial vibrations of the rod of B9, and stay
 * above rounding: the reactions of hht-add have a factor 1/h over it, newmark damps vibrations by an error of first
 * order. */
static const problem problems[] = {
    {"A4 double pendulum", "double-pendulum-springs", NULL, 0.02, 1e-3, {1e-6, 4e-6, 1e-5, 4e-6, 4e-6, 1e-6}},
    {"A5 slider-crank", "slider-crank", NULL, 1, 2e-3, {1e-3, 1e-3, 1e-3, 1e-3, 5e-4, 5e-4}},
    {"A6 seven bodies", "andrews", NULL, 0.01, 1e-4, {1e-5, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5}},
    {"B9 flexible rod", "flexible-slider-crank", "n=2", 0.002, 1e-4, {2e-7, 1e-6, 1e-6, 1e-6, 5e-7, 5e-7}},
};

static void run(const problem *p, int method, int halvings, sn_trial *trial) {
  char integrator[100];
  snprintf(integrator, sizeof integrator, "{type: %s, step: %.17g}", methods[method],
           p->step[method] / (1 << halvings));
  study_run it = {p->model, p->set, integrator, p->until, p->output_step, 0, NULL};
  study_trial(&it, trial);
  if (!trial->status) return;
  printf("%s, %s: %s\n", p->name, methods[method], trial->message);
  exit(3);
}

static double order(const sn_trial *trial, sn_measure measure) {
  return log2(sn_trial_distance(&trial[0], &trial[1], measure) / sn_trial_distance(&trial[1], &trial[2], measure));
}

static bool study_problem(const problem *p, FILE *csv) {
  bool good = true;
  double cpu[METHODS];
  printf("\n%s, until %g s\n", p->name, p->until);
  printf("  %-12s %8s %8s %8s   %10s   %9s %8s\n", "method", "h [s]", "q", "v", "velocity", "us/step", "/hht-i3");
  for (int k = 0; k < METHODS; k++) {
    sn_trial trial[RUNS];
    for (int j = 0; j < RUNS; j++) run(p, k, j, &trial[j]);
    double q = order(trial, SN_POSITIONS), v = order(trial, SN_VELOCITIES), want = k == 0 ? 1 : 2;
    double drift = trial[0].drift[1], scale = sn_trial_scale(&trial[0], SN_VELOCITIES);
    bool fine =
        fabs(q - want) <= 0.15 && fabs(v - want) <= 0.15 && (!is_stabilized(k) || drift < 1e-12 * fmax(scale, 1));
    cpu[k] = 1e6 * trial[RUNS - 1].cpu / (double)trial[RUNS - 1].statistics.steps;
    printf("  %-12s %8.0e %8.2f %8.2f   %10.1e   %9.2f", methods[k], p->step[k], q, v, drift, cpu[k]);
    if (k > 0)
      printf(" %8.2f", cpu[k] / cpu[1]);
    else
      printf(" %8s", "");
    puts(fine ? "" : "  OFF");
    if (csv) fprintf(csv, "%s,%s,%.6g,%.6g,%.6g,%.4g,,,,,\n", p->name, methods[k], q, v, drift, cpu[k]);
    for (int j = 0; j < RUNS; j++) sn_trial_free(&trial[j]);
    good = good && fine;
  }
  return good;
}

/* ---- energy of the slider-crank without its damper ----
 * Khude reports that the mean energy error goes like h^(p+1), p the order; his equation is lost. Three candidates: the
 * mean over time of |E - E(0)|, the same over the number of steps (a mean dissipation per step: one order more,
 * whatever E does), and the lasting loss: how far the peaks of E in the second half of the run lie below those of the
 * first. */

static double lasting_loss(const sn_trial *trial) {
  double peak[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < trial->rows; i++) {
    double *p = &peak[2 * i > trial->rows];
    *p = fmax(*p, trial->value[SN_TOTAL_ENERGY][i]);
  }
  return peak[0] - peak[1];
}

static double mean_error(const sn_trial *trial) {
  double *energy = trial->value[SN_TOTAL_ENERGY], start = energy[0];
  for (int i = 0; i < trial->rows; i++) energy[i] -= start;
  sn_curve curve = {(size_t)trial->rows, trial->t, energy};
  return sn_curve_mean_absolute(&curve);
}

static void study_energy(FILE *csv) {
  static const problem crank = {
      "A5 without damper", "slider-crank", "c=0", 2, 1e-3, {5e-4, 5e-4, 5e-4, 5e-4, 5e-4, 5e-4}};
  printf("\n%s: energy, h = %g s and half of it twice, until %g s; orders from the last two\n", crank.name,
         crank.step[0], crank.until);
  printf("  %-12s %10s %7s   %10s %7s   %10s %7s   Khude\n", "method", "mean [J]", "order", "per step", "order",
         "lasting", "order");
  for (int k = 0; k < METHODS; k++) {
    double mean[RUNS], step[RUNS], loss[RUNS];
    for (int j = 0; j < RUNS; j++) {
      sn_trial trial;
      run(&crank, k, j, &trial);
      mean[j] = mean_error(&trial);
      step[j] = mean[j] / (double)trial.statistics.steps;
      loss[j] = lasting_loss(&trial);
      sn_trial_free(&trial);
    }
    double order_mean = log2(mean[1] / mean[2]), order_step = log2(step[1] / step[2]),
           order_loss = log2(loss[1] / loss[2]);
    printf("  %-12s %10.3g %7.2f   %10.3g %7.2f   %10.3g %7.2f   %5d\n", methods[k], mean[2], order_mean, step[2],
           order_step, loss[2], order_loss, k == 0 ? 2 : 3);
    if (csv)
      fprintf(csv, "%s,%s,,,,,%.6g,%.4g,%.4g,%.6g,%.4g\n", crank.name, methods[k], mean[2], order_mean, order_step,
              loss[2], order_loss);
  }
}

int main(int argc, char **argv) {
  bench_help(argc, argv,
             "Usage: bench_orders [FILE.csv]\n"
             "\n"
             "Observed orders, velocity drift and cost of the low-order methods (Khude 2015, chapter 3). Run it in the "
             "source\n"
             "directory. Exits with 1 if an order is off by more than 0.15 or a stabilized method drifts.\n");
  FILE *csv = study_csv(argc, argv, 1);
  bool good = true;
  if (csv)
    fprintf(csv,
            "problem,method,order_q,order_v,velocity_drift,us_per_step,energy_mean,order_mean,order_per_step,"
            "energy_loss,order_loss\n");
  for (size_t i = 0; i < SN_COUNT(problems); i++) good = study_problem(&problems[i], csv) && good;
  study_energy(csv);
  if (csv) fclose(csv);
  printf("\norders 1 (newmark) and 2 within 0.15, no velocity drift of hht-add, hht-si2, nstiff-si2: %s\n",
         good ? "met" : "MISSED");
  return !good;
}
