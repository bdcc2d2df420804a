/* bench_huang.c - benchmark A7: the runs of tables 4.1, 4.2, 5.1, 5.2, 5.6 and 5.7 of Huang's thesis; a few seconds.
 *
 *   bench_huang [FILE.csv]
 *
 * Rigid pendulum and double pendulum, h = 0.01 s, 10 s and 100 s: three schemes, index 3, 2, 1, without stabilization,
 * with Baumgarte's (one method, whatever the index) and with projection; by our Newton and by his. Run in the source
 * directory. What a run is called is told in huang.h. Exits 1 when V0(1,1,0) at index 3 is not stable over 100 s,
 * U0(1,1,0) at index 3 does not fail within 10 s, or projection leaves more than 1e-13 at any level.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help.h"
#include "huang.h"
#include "trials.h"

enum { SCHEMES = HUANG_SCHEMES, INDICES = 3, WAYS = 3, NEWTONS = 2 };

/* ---- the tables ---- */

static const char *const way_name[WAYS] = {"original", "Baumgarte", "projection"};

/* His stops where residuals are below 1e-8, with a new matrix in every iteration. */
static const char *const newton_name[NEWTONS] = {"ours", "his"};

typedef struct study {
  huang_verdict run[INDICES][SCHEMES][WAYS][2]; /* index 3, 2, 1; 10 s, 100 s */
} study;

static void run_all(const char *path, int newton, study *s) {
  static const char *const newtons[NEWTONS] = {"modified", "full, force_residual: 1e-8, constraint_residual: 1e-8"};
  static const char *const way[WAYS] = {"none", "baumgarte", "projection"};
  for (int i = 0; i < INDICES; i++)
    for (int k = 0; k < SCHEMES; k++)
      for (int w = 0; w < WAYS; w++)
        for (int t = 0; t < 2; t++) {
          huang_case c = {.model = path,
                          .scheme = (huang_scheme)k,
                          .index = w == 1 ? 1 : 3 - i,
                          .stabilize = way[w],
                          .newton = newtons[newton],
                          .step = 0.01,
                          .until = t ? 100 : 10,
                          .first = 10,
                          .length = 1};
          s->run[i][k][w][t] = huang_run(&c);
        }
}

/* Rows of the table, on the screen and in the file. */
static void show(const char *model, const char *newton, const study *s, FILE *csv) {
  printf("\n%s pendulum, %s Newton: |Phi|, relative noise, relative energy error, iterations per step\n", model,
         newton);
  for (int i = 0; i < INDICES; i++)
    for (int k = 0; k < SCHEMES; k++)
      for (int w = 0; w < WAYS; w++)
        for (int t = 0; t < 2; t++) {
          const huang_verdict *v = &s->run[i][k][w][t];
          printf("  %d %-12s %-10s %3d s: %-10s", 3 - i, huang_scheme_names[k], way_name[w], t ? 100 : 10, v->word);
          if (v->fails)
            printf(" at %.4g s\n", v->reached);
          else
            printf(" %8.1e %8.1e %8.1e %6.2f\n", v->level[0], v->noise, v->energy, v->iterations);
          if (csv)
            fprintf(csv, "%s,%s,%d,\"%s\",%s,%d,%s,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g\n", model, newton, 3 - i,
                    huang_scheme_names[k], way_name[w], t ? 100 : 10, v->word, v->reached, v->level[0], v->level[1],
                    v->level[2], v->noise, v->energy, v->iterations);
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
      {strcmp(s->run[0][1][0][1].word, "stable") == 0, "V0(1,1,0) at index 3 is stable for 100 s"},
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
  bench_help(
      argc, argv,
      "Usage: bench_huang [FILE.csv]\n"
      "\n"
      "Tables 4.1, 4.2, 5.1, 5.2, 5.6 and 5.7 of Huang's thesis: rigid pendulum and double pendulum (benchmark A7).\n"
      "Takes a few seconds. Run it in the source directory. Exits with 1 if a key result is missed.\n");
  static const char *const path[] = {"models/rigid-pendulum.yaml", "models/rigid-double-pendulum.yaml"};
  static const char *const name[] = {"single", "double"};
  static study s[2][NEWTONS];
  FILE *csv = study_csv(argc, argv, 1);
  if (csv)
    fprintf(
        csv,
        "model,newton,index,scheme,way,duration,class,until,position,velocity,acceleration,noise,energy,iterations\n");
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < NEWTONS; i++) {
      run_all(path[k], i, &s[k][i]);
      show(name[k], newton_name[i], &s[k][i], csv);
    }
  }
  if (csv) fclose(csv);
  return judge(&s[1][0]);
}
