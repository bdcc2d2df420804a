/* bench_sweep.c - what a sweep costs beside its cases.
 *
 *   bench_sweep [CASES] [JOBS] [FOLDER]
 *
 * Cases of about a millisecond run twice: by the engine of `sinew sweep`, with its processes, outcomes and tables; and
 * one after the other in this process, which costs what the cases cost. The difference is the overhead, in CPU time per
 * case. Other programs on the machine slow both down: each is the least of several rounds. Exits 1 when the overhead is
 * 0.2 ms or more.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/temporary.h"
#include "help.h"
#include "study/engine.h"

enum { rounds = 8 };
static const double most = 0.2e-3; /* [s] per case */

static const char model[] =
    "sinew: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "parameters: {L: 1}\n"
    "bodies: {bob: {type: point-mass, mass: 1, position: [-L, 0, 0]}}\n"
    "joints: {rod: {type: distance, between: ['ground.at(0, 0, 0)', bob]}}\n"
    "outputs: {bob: {point: bob}}\n"
    "analysis: {type: dynamics, duration: 0.1, output_step: 0.05, integrator: {type: hht-i3, tolerance: 1e-7}}\n";

/* [s] of this process and of its children that have ended. */
static double cpu_of(int who) {
  struct rusage r;
  getrusage(who, &r);
  return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) + 1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

static double cpu_of_all(void) {
  return cpu_of(RUSAGE_SELF) + cpu_of(RUSAGE_CHILDREN);
}

static void show_nothing(void *user, int finished, int failed, int running) {
  (void)user, (void)finished, (void)failed, (void)running;
}

static void say(void *user, const char *text) {
  (void)user;
  fprintf(stderr, "%s\n", text);
}

static int fail(const sn_context *context) {
  fprintf(stderr, "%s\n", sn_message(context));
  return 1;
}

/* The cases alone, [s] of CPU time each. */
static sn_status time_cases(sn_sweep *cases, int count, double *each) {
  sn_status status = SN_OK;
  const double begin = cpu_of(RUSAGE_SELF);
  for (int i = 0; i < count && !status; ++i) {
    sn_outcome outcome;
    status = sn_case_run(cases, i, NULL, NULL, &outcome);
  }
  *each = (cpu_of(RUSAGE_SELF) - begin) / count;
  return status;
}

static sn_status sweep(sn_sweep *cases, int jobs) {
  sn_team team = {.size = 1};
  sn_engine_job job = {
      .cases = cases, .jobs = jobs, .last = cases->count, .team = &team, .show = show_nothing, .say = say};
  sn_arena arena = {0};
  sn_columns table, times;
  sn_status status = sn_engine_cores.run(&job);
  if (!status) status = sn_sweep_table(cases, &arena, &table, &times);
  if (!status) status = sn_sweep_write_tables(cases, &table, &times);
  sn_arena_free(&arena);
  return status;
}

static sn_status read_study(sn_context *context, sn_arena *arena, int count, int round, sn_study **study) {
  const char *text = sn_format(arena,
                               "sinew: 1\nmodel: pendulum.yaml\nvary: {L: '%d:%d.9:%d'}\n"
                               "measures: {low: {type: minimum, of: bob.y}, energy: energy-error}\n",
                               round + 1, round + 1, count); /* other cases in every round */
  sn_model *made = NULL;
  sn_status status = sn_read_study(context, arena, "study", text, strlen(text), study);
  if (!status) status = sn_model_parse(context, "pendulum.yaml", model, strlen(model), NULL, 0, &made);
  if (!status) status = sn_check_study(context, arena, *study, made);
  sn_model_free(made);
  return status;
}

typedef struct call {
  sn_context *context;
  int count, jobs;
  const char *folder;
  bool temporary;
} call;

static void remove_all(const sn_sweep *cases) {
  static const char *const tables[] = {"table.csv", "table.h5", "times.csv", "times.h5"};
  char path[4096];
  for (size_t i = 0; i < SN_COUNT(tables); ++i) {
    snprintf(path, sizeof path, "%s/%s", cases->folder, tables[i]);
    remove(path);
  }
  sn_sweep_remove(cases);
}

/* Cases that have finished are not run again. */
static sn_status need_new(sn_sweep *cases) {
  sn_logs_read(cases->logs);
  for (int i = 0; i < cases->count; ++i)
    if (sn_case_finished(cases, i))
      return sn_fail(cases->context, SN_USAGE, "%s has outcomes of these cases: there is nothing to measure",
                     cases->folder);
  return SN_OK;
}

/* One round: [s] of CPU time and of wall time for each case by the engine, and of CPU time for the case alone. */
static sn_status run_round(const call *c, int round, double *all, double *wall, double *each) {
  sn_arena arena = {0};
  sn_study *study;
  sn_sweep *cases = NULL;
  sn_status status = read_study(c->context, &arena, c->count, round, &study);
  const double begin = sn_wall_time(), cpu = cpu_of_all();
  if (!status) status = sn_sweep_open(c->context, study, model, strlen(model), c->folder, &cases);
  if (!status) status = need_new(cases);
  if (!status) status = sweep(cases, c->jobs);
  *wall = (sn_wall_time() - begin) / c->count;
  *all = (cpu_of_all() - cpu) / c->count;
  if (!status) status = time_cases(cases, c->count, each);
  if (cases && c->temporary && round == rounds - 1) remove_all(cases);
  sn_sweep_free(cases);
  sn_arena_free(&arena);
  return status;
}

static sn_status measure(void *argument) {
  const call *c = argument;
  double all = INFINITY, wall = INFINITY, each = INFINITY;
  for (int round = 0; round < rounds; ++round) {
    double a = 0, w = 0, e = 0;
    const sn_status status = run_round(c, round, &a, &w, &e);
    if (status) return status;
    all = fmin(all, a), wall = fmin(wall, w), each = fmin(each, e);
  }
  printf(
      "%d rounds of %d cases, %d processes, least of each: %.3f ms of CPU time a case, %.3f ms of it the case itself, ",
      rounds, c->count, c->jobs, 1e3 * all, 1e3 * each);
  printf("overhead %.3f ms; wall %.3f ms\n", 1e3 * (all - each), 1e3 * wall);
  if (all - each < most) return SN_OK;
  return sn_fail(c->context, SN_NUMERICS, "the overhead is %.1f ms or more", 1e3 * most);
}

int main(int argc, char **argv) {
  bench_help(
      argc, argv,
      "Usage: bench_sweep [CASES] [JOBS] [FOLDER]\n"
      "What a sweep costs beside its cases (default: 8 rounds of 1000 cases on 2 processes, in a temporary folder).\n");
  char folder[SN_FOLDER_SIZE] = "";
  call c = {.context = sn_context_create(),
            .count = argc > 1 ? atoi(argv[1]) : 1000,
            .jobs = argc > 2 ? atoi(argv[2]) : 2,
            .folder = folder};
  c.temporary = argc <= 3;
  if (argc > 3) c.folder = argv[3];
  if (c.temporary && !sn_temporary_folder(folder)) return 1;
  const int failed = sn_guard(c.context, NULL, measure, &c) ? fail(c.context) : 0;
  sn_context_free(c.context);
  return failed;
}
