/* test_phases.c - where the time of a run goes, by a clock of this program: every look at it takes the same time, so that
 * all times are counts. */
#define _POSIX_C_SOURCE 200809L
#include <sinew/summary.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "support.h"
#include "system/phases.h"

static long looks;        /* so far */
static double tick;       /* [s] from one look to the next */
static long wait_at = -1; /* the look before which the program waits for a processor ... */
static double wait_for;   /* ... so long [s] */

/* Instead of the system's, for the whole program. */
int clock_gettime(clockid_t clock, struct timespec *now) {
  (void)clock;
  const bool waited = ++looks > wait_at && wait_at >= 0;
  const double t = (double)looks * tick + (waited ? wait_for : 0);
  *now = (struct timespec){.tv_sec = (time_t)t, .tv_nsec = (long)(1e9 * (t - (double)(time_t)t))};
  return 0;
}

typedef struct times {
  double phase[SN_PHASES], sum, total; /* shares of the total; [s] */
  double looks, steps;                 /* looks in a step */
} times;

static times run_with(double seconds, const char *integrator) {
  run r;
  times x = {0};
  tick = seconds;
  looks = 0;
  open_run(&r, "models/rigid-double-pendulum.yaml", &(sn_options){.integrator = integrator, .step = 0.001, .until = 1});
  sn_simulation *s = r.simulation;
  const double begin = sn_wall_time();
  const long before = looks;
  double phase[SN_PHASES];
  for (int k = 0; k < SN_PHASES; k++) phase[k] = sn_phase_time(&s->system->statistics, (sn_phase)k);
  while (sn_time(s) < 1 - 1e-9) assert_int_equal(sn_step(s), SN_OK);
  x.steps = (double)s->system->statistics.steps;
  x.looks = (double)(looks - before) / x.steps;
  x.total = sn_wall_time() - begin;
  for (int k = 0; k < SN_PHASES; k++) {
    x.phase[k] = (sn_phase_time(&s->system->statistics, (sn_phase)k) - phase[k]) / x.total;
    x.sum += x.phase[k];
    if (x.phase[k] < -1e-12) fail_msg("%s: %s takes %g of the time", integrator, sn_phase_names[k], x.phase[k]);
  }
  close_run(&r);
  return x;
}

/* Phases of a microsecond: one step in eight is looked at in detail. Its proportions hold for all, and nothing is lost:
 * between two steps one tick is nobody's. */
static void short_phases(void **state) {
  (void)state;
  static const char *const methods[] = {"hht-i3", "radau5", "erk"};
  for (size_t i = 0; i < SN_COUNT(methods); i++) {
    const times all = run_with(1e-3, methods[i]), some = run_with(1e-6, methods[i]);
    assert_true(all.steps >= 1000 && some.steps == all.steps);
    assert_below(2 + all.looks / 6, all.looks, "%s: looks at the clock in a step with long phases", methods[i]);
    assert_below(some.looks, 2 + all.looks / 6, "%s: looks at the clock in a step", methods[i]);
    /* a step in detail has `looks` ticks and one before it; the one of a step as a whole is half nobody's */
    assert_below(1 - all.sum, 1.01 / all.looks, "%s: time of no phase", methods[i]);
    assert_below(1 - some.sum, 1.01 / some.looks, "%s: time of no phase", methods[i]);
    for (int k = 0; k < SN_PHASES; k++)
      assert_below(fabs(some.phase[k] / some.sum - all.phase[k] / all.sum), 0.02, "%s: share of %s", methods[i],
                   sn_phase_names[k]);
  }
}

/* A step that had to wait for a processor: in detail, what it waited belongs to one phase, and does not change the
 * proportions that hold for other steps; as a whole, it is divided as the rest. */
static void waiting(void **state) {
  (void)state;
  const times calm = run_with(1e-6, "hht-i3");
  int waits = 0;
  for (long at = 2000; at < 2100; at += 7) {
    wait_at = at;
    wait_for = 1e-3;
    const times x = run_with(1e-6, "hht-i3");
    wait_at = -1;
    int where = 0;
    double change[SN_PHASES], nobody = wait_for, spread = 0;
    for (int k = 0; k < SN_PHASES; k++) {
      change[k] = x.phase[k] * x.total - calm.phase[k] * calm.total;
      nobody -= change[k];
      spread = fmax(spread, fabs(change[k] - wait_for * calm.phase[k] / calm.sum));
      if (change[k] > change[where]) where = k;
    }
    /* between two steps; in one that is timed as a whole */
    if (nobody > 0.5 * wait_for || spread < 0.05 * wait_for) continue;
    waits++;
    assert_below(fabs(change[where] - wait_for), 0.1 * wait_for, "look %ld: wait in %s", at, sn_phase_names[where]);
    for (int k = 0; k < SN_PHASES; k++)
      if (k != where) assert_below(fabs(change[k]), 0.05 * wait_for, "look %ld: %s", at, sn_phase_names[k]);
  }
  assert_true(waits >= 3);
}

static void show(void *user, const sn_simulation *s) {
  (void)user, (void)s;
  for (int k = 0; k < 10; k++) sn_wall_time(); /* as long as a short step */
}

/* A run into a file: what happens between steps and rows belongs to a phase, too. */
static void nothing_is_left(void **state) {
  (void)state;
  run r;
  double sum = 0;
  char path[] = "/tmp/sinew-phases-XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  tick = 1e-6;
  looks = 0;
  wait_at = -1;
  open_run(&r, "models/rigid-double-pendulum.yaml",
           &(sn_options){.integrator = "symplectic-euler", .step = 0.001, .until = 1});
  sn_simulation *s = r.simulation;
  assert_int_equal(sn_record_run(s, path, show, NULL), SN_OK);
  const double all = sn_simulation_statistics(s)->wall;
  for (int k = 0; k < SN_PHASES; k++) sum += sn_phase_time(&s->system->statistics, (sn_phase)k);
  assert_below(all - sum, 0.05 * all, "time that belongs to no phase");
  /* and in the file */
  sn_result *result = NULL;
  sn_summary summary = {.size = sizeof summary};
  assert_int_equal(sn_result_open(r.context, path, &result), SN_OK);
  assert_int_equal(sn_result_summary(result, &summary), SN_OK);
  sum = 0;
  for (int k = 0; k < SN_PHASE_COUNT; k++) sum += summary.phase_time[k];
  assert_below(summary.wall - sum, 0.05 * summary.wall, "time that belongs to no phase of the result");
  sn_result_free(result);
  unlink(path);
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(short_phases), cmocka_unit_test(waiting),
                                     cmocka_unit_test(nothing_is_left)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
