/* bench_flexible.c - benchmark B6: words for runs of the flexible double pendulum of Huang's thesis; minutes.
 *
 *   bench_flexible [FILE.csv [SECONDS [PART]]]
 *
 * One element for each bar and, in the inertial frame, a constant mass matrix, as in the appendix of the thesis;
 * h = 1e-3 s. Short runs take 5 s, long ones SECONDS (100). Three schemes; without stabilization or with projection;
 * flexible (E = 1e6 Pa) and quasi-rigid (1e10 Pa); the second moment of area that is printed, 1.3e-5 m4, and one that
 * fits the area, 1.3e-10 m4; Newton as his: a new matrix in every iteration, and residuals below 1e-8; quasi-rigid runs
 * also from a = 0, l = 0, which fit no equation. PART (0 to 7) runs an eighth of all, for several processes; the parts one
 * after the other are the whole table. Run in the source directory. What a run is called is told in huang.h;
 * the first part of a short run is its first half, of a long run its first 5 s.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help.h"
#include "huang.h"
#include "trials.h"

typedef struct flexible {
  const char *theory, *formulation, *E, *I, *way;
  int lowest; /* index */
  bool is_long, from_zero;
} flexible;

static const char *const bar = "bar", *const beam = "euler-bernoulli", *const sheared = "timoshenko",
                         *const soft = "1e6", *const stiff = "1e10";
static const char *const none = "none", *const projection = "projection", *const printed = "1.3e-5",
                         *const fitting = "1.3e-10";

/* One run; a row of the table. */
static void run(const flexible *f, int index, huang_scheme scheme, double seconds, FILE *csv) {
  char set[4][40];
  snprintf(set[0], sizeof set[0], "theory=%s", f->theory);
  snprintf(set[1], sizeof set[1], "formulation=%s", f->formulation);
  snprintf(set[2], sizeof set[2], "E=%s", f->E);
  snprintf(set[3], sizeof set[3], "I=%s", f->I);
  double until = f->is_long ? seconds : 5;
  huang_case c = {.model = "models/huang-double-pendulum.yaml",
                  .set = {set[0], set[1], set[2], set[3], "n=1", "mass=constant"},
                  .scheme = scheme,
                  .index = index,
                  .stabilize = f->way,
                  .newton = "full, force_residual: 1e-8",
                  .from_zero = f->from_zero,
                  .step = 1e-3,
                  .until = until,
                  .first = f->is_long ? 5 : until / 2,
                  .length = 1.8};
  huang_verdict v = huang_run(&c);
  const char *length = f->is_long ? "long" : "short", *start = f->from_zero ? "zero" : "consistent";
  const char *mark = strcmp(v.word, "stable") == 0 ? "unmarked" : "*";
  printf("%-16s %-7s %-5s %-8s %d %-12s %-11s %-11s %-6s %-10s %8.4g s %8.1e %8.1e %8.1e %8.1e %8.1e %6.2f\n",
         f->theory, f->formulation, f->E, f->I, index, huang_scheme_names[scheme], f->way, start, length, v.word,
         v.reached, v.level[0], v.noise, v.vibration, v.outer, v.energy, v.iterations);
  fflush(stdout);
  if (csv)
    fprintf(csv, "%s,%s,%s,%s,%d,\"%s\",%s,%s,%s,%s,%s,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g\n", f->theory, f->formulation,
            f->E, f->I, index, huang_scheme_names[scheme], f->way, start, length, v.word, mark, v.reached, v.level[0],
            v.noise, v.vibration, v.outer, v.energy, v.iterations);
}

static void run_all(const flexible *f, double seconds, FILE *csv) {
  for (int index = 3; index >= f->lowest; index--)
    for (int k = 0; k < HUANG_SCHEMES; k++) run(f, index, (huang_scheme)k, seconds, csv);
}

/* The floating frame at all indices: marks of tables 4.3, 4.4, 4.6, 4.7; tables 5.4, 5.5. */
static void run_floating(const char *theory, const char *I, double seconds, FILE *csv) {
  const flexible list[] = {
      {theory, "frf", soft, I, none, 1, false, false},     {theory, "frf", stiff, I, none, 1, false, false},
      {theory, "frf", stiff, I, none, 1, false, true},     {theory, "frf", stiff, I, none, 1, true, false},
      {theory, "frf", stiff, I, none, 1, true, true},      {theory, "frf", stiff, I, projection, 1, true, false},
      {theory, "frf", stiff, I, projection, 1, true, true}};
  for (size_t k = 0; k < SN_COUNT(list); k++)
    if (I == printed || !list[k].from_zero) run_all(&list[k], seconds, csv);
}

/* Three formulations at index 3: tables 4.5, 4.8, 5.9. */
static void run_formulations(const char *theory, const char *I, double seconds, FILE *csv) {
  const flexible list[] = {{theory, "irf", soft, I, none, 3, true, false},
                           {theory, "ancf-s", soft, I, none, 3, true, false},
                           {theory, "frf", soft, I, none, 3, true, false},
                           {theory, "irf", stiff, I, none, 3, true, false},
                           {theory, "ancf-s", stiff, I, none, 3, true, false}};
  for (size_t k = 0; k < SN_COUNT(list); k++) run_all(&list[k], seconds, csv);
}

int main(int argc, char **argv) {
  bench_help(
      argc, argv,
      "Usage: bench_flexible [FILE.csv [SECONDS [PART]]]\n"
      "\n"
      "Stability of the flexible double pendulum of Huang's thesis (benchmark B6). SECONDS is the duration of "
      "long runs\n"
      "(default 100). PART, 0 to 7: only this eighth of the runs. Takes minutes. Run it in the source directory.\n");
  FILE *csv = study_csv(argc, argv, 1);
  double seconds = argc > 2 ? strtod(argv[2], NULL) : 100;
  const long part = argc > 3 ? strtol(argv[3], NULL, 10) : -1;
  const struct {
    const char *theory, *I;
  } list[] = {{bar, printed}, {beam, printed}, {beam, fitting}, {sheared, printed}};
  if (csv)
    fprintf(csv,
            "theory,formulation,E,I,index,scheme,way,start,run,class,mark,until,position,noise,vibration,outer_noise,"
            "energy,"
            "iterations\n");
  for (size_t k = 0; k < SN_COUNT(list); k++) {
    if (part < 0 || part == (long)(2 * k)) run_floating(list[k].theory, list[k].I, seconds, csv);
    if (part < 0 || part == (long)(2 * k + 1)) run_formulations(list[k].theory, list[k].I, seconds, csv);
  }
  if (csv) fclose(csv);
  return 0;
}
