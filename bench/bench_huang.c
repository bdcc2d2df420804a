/* bench_huang.c - benchmark A7: the runs of tables 4.1, 4.2, 5.1 and 5.2 of Huang's thesis; a few seconds.
 *
 *   bench_huang [FILE.csv]
 *
 * Rigid pendulum and double pendulum, h = 0.01 s, 10 s and 100 s: three schemes, index 3, 2, 1, without stabilization,
 * with Baumgarte's (one method, whatever the index) and with projection. Run in the source directory. What a run is
 * called follows from numbers:
 *   fails        Newton does not converge with the step asked for, or |Phi| exceeds the length of a bar
 *   drifts       |Phi| exceeds 1 % of it, or twice what it was in the first 10 s
 *   oscillates   the noise of a and l (analysis/noise.h) is above 1 % of the largest
 *   stable       none of these
 * Exits 1 when V0(1,1,0) at index 3 is not stable over 100 s, U0(1,1,0) at index 3 does not fail within 10 s, or
 * projection leaves more than 1e-13 at any level.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/noise.h"
#include "study.h"

static const double STEP = 0.01, LENGTH = 1;
enum { MOST = 16, SCHEMES = 3, INDICES = 3, WAYS = 3 };

typedef struct verdict {
  bool fails;
  double failed_at;
  double level[SN_LEVELS]; /* largest |Phi|, |Phi'|, |Phi''| */
  double early;            /* largest |Phi| of the first 10 s */
  double noise;            /* relative */
  double energy;           /* largest error, relative to the largest kinetic energy */
  double iterations;       /* per step */
} verdict;

/* ---- one run ---- */

static void follow(sn_simulation *s, double until, verdict *v) {
  void (*const level[SN_LEVELS])(sn_system *, const sn_state *, double *) = {sn_system_position, sn_system_velocity,
                                                                             sn_system_acceleration};
  int m = s->system->m;
  double phi[MOST], energy[SN_ENERGIES];
  sn_watch_noise(s);
  while (sn_time(s) < until - STEP / 2 && !v->fails) {
    v->fails = sn_step(s) != SN_OK || s->system->statistics.newton_rejections > 0;
    if (v->fails) break;
    for (int k = 0; k < SN_LEVELS; k++) {
      level[k](s->audit, &s->state, phi);
      for (int i = 0; i < m; i++) v->level[k] = fmax(v->level[k], fabs(phi[i]));
    }
    v->fails = v->level[0] > LENGTH;
    if (sn_time(s) < 10 + STEP / 2) v->early = v->level[0];
    sn_noise_step(s);
    sn_read(s, "energy", energy, SN_ENERGIES);
  }
  v->failed_at = sn_time(s);
  v->noise = sn_noise(s);
  v->energy = s->largest_energy_error / s->largest_kinetic;
  v->iterations = (double)s->system->statistics.iterations / (double)s->system->statistics.steps;
}

static verdict run(const char *path, const char *settings, double until) {
  sn_context *context = sn_context_create();
  sn_model *model;
  sn_simulation *simulation;
  sn_options options = {.integrator = settings, .step = STEP, .until = until};
  verdict v = {0};
  if (sn_model_load(context, path, NULL, 0, &model) || sn_simulation_create(model, &options, &simulation) ||
      model->n + model->m > MOST) {
    fputs(sn_message(context), stderr);
    exit(2);
  }
  follow(simulation, until, &v);
  sn_simulation_free(simulation);
  sn_model_free(model);
  sn_context_free(context);
  return v;
}

static const char *name_of(const verdict *v) {
  const double rounding = 1e-12;
  bool drifts = v->level[0] > 0.01 * LENGTH || v->level[0] > 2 * v->early + rounding;
  return v->fails ? "fails" : drifts ? "drifts" : v->noise > 0.01 ? "oscillates" : "stable";
}

/* ---- the tables ---- */

static const char *const scheme_name[SCHEMES] = {"U0(1,1,0)", "V0(1,1,0)", "U0V0(1,1,1)"};
static const char *const scheme[SCHEMES] = {"newmark", "midpoint-v0", "midpoint"};
static const char *const way_name[WAYS] = {"original", "Baumgarte", "projection"};

typedef struct study {
  verdict run[INDICES][SCHEMES][WAYS][2]; /* index 3, 2, 1; 10 s, 100 s */
} study;

static void run_all(const char *path, study *s) {
  static const char *const way[WAYS] = {"none", "baumgarte", "projection"};
  for (int i = 0; i < INDICES; i++)
    for (int k = 0; k < SCHEMES; k++)
      for (int w = 0; w < WAYS; w++)
        for (int t = 0; t < 2; t++) {
          char settings[120];
          snprintf(settings, sizeof settings, "{type: gssss, scheme: %s, index: %d, stabilize: %s}", scheme[k],
                   w == 1 ? 1 : 3 - i, way[w]);
          s->run[i][k][w][t] = run(path, settings, t ? 100 : 10);
        }
}

/* Rows of the table, on the screen and in the file. */
static void show(const char *model, const study *s, FILE *csv) {
  printf("\n%s pendulum: |Phi|, relative noise, relative energy error, iterations per step\n", model);
  for (int i = 0; i < INDICES; i++)
    for (int k = 0; k < SCHEMES; k++)
      for (int w = 0; w < WAYS; w++)
        for (int t = 0; t < 2; t++) {
          const verdict *v = &s->run[i][k][w][t];
          printf("  %d %-12s %-10s %3d s: %-10s", 3 - i, scheme_name[k], way_name[w], t ? 100 : 10, name_of(v));
          if (v->fails)
            printf(" at %.4g s\n", v->failed_at);
          else
            printf(" %8.1e %8.1e %8.1e %6.2f\n", v->level[0], v->noise, v->energy, v->iterations);
          if (csv)
            fprintf(csv, "%s,%d,\"%s\",%s,%d,%s,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g\n", model, 3 - i, scheme_name[k],
                    way_name[w], t ? 100 : 10, name_of(v), v->failed_at, v->level[0], v->level[1], v->level[2],
                    v->noise, v->energy, v->iterations);
        }
}

/* Largest over the schemes, and with projection over the indices too. */
static void levels(const study *s, int way, int time, double *level) {
  memset(level, 0, SN_LEVELS * sizeof(double));
  for (int i = 0; i < (way == 1 ? 1 : INDICES); i++)
    for (int k = 0; k < SCHEMES; k++)
      for (int l = 0; l < SN_LEVELS; l++) level[l] = fmax(level[l], s->run[i][k][way][time].level[l]);
}

static int judge(const study *s) {
  int missed = 0;
  double level[SN_LEVELS], most = 0;
  levels(s, 2, 1, level);
  for (int l = 0; l < SN_LEVELS; l++) most = fmax(most, level[l]);
  const struct {
    bool held;
    const char *text;
  } list[] = {
      {strcmp(name_of(&s->run[0][1][0][1]), "stable") == 0, "V0(1,1,0) at index 3 is stable for 100 s"},
      {s->run[0][0][0][0].fails, "U0(1,1,0) at index 3 fails within 10 s"},
      {most <= 1e-13, "projection holds 1e-13 at all levels for 100 s"},
  };
  printf("\n");
  for (size_t k = 0; k < SN_COUNT(list); k++) {
    printf("  %-50s %s\n", list[k].text, list[k].held ? "met" : "MISSED");
    missed += !list[k].held;
  }
  return missed > 0;
}

int main(int argc, char **argv) {
  static const char *const path[] = {"models/rigid-pendulum.yaml", "models/rigid-double-pendulum.yaml"};
  static const char *const name[] = {"single", "double"};
  static study s[2];
  FILE *csv = study_csv(argc, argv, 1);
  if (csv)
    fprintf(csv,
            "model,index,scheme,way,duration,class,until,position,velocity,acceleration,noise,energy,iterations\n");
  for (int k = 0; k < 2; k++) {
    run_all(path[k], &s[k]);
    show(name[k], &s[k], csv);
  }
  if (csv) fclose(csv);
  return judge(&s[1]);
}
