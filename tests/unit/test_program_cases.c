/* test_program_cases.c - studies for programs (sinew/cases.h): order of calls, wrong calls, the table. */
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sinew/program.h"

static const char pendulum[] =
    "sinew: 1\ntitle: Rod\ngravity: [0, -9.81, 0]\n"
    "parameters: {m: 2}\n"
    "bodies: {rod: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: m, inertia: [0.1, 0.1, 0.1]}}\n"
    "joints: {pin: {type: revolute, between: [ground, rod.start], axis: [0, 0, 1]}}\n"
    "outputs: {end: {point: rod.end}}\n"
    "analysis: {type: dynamics, duration: 0.2, integrator: {type: hht-i3, step: 1e-3}, output_step: 0.01}\n";

static void write_text(const char *path, const char *text) {
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fputs(text, out);
  assert_int_equal(fclose(out), 0);
}

/* A rod of constant inertia I falls faster the heavier it is: m g d/(I + m d^2) rises with m. 0.2 s in steps of 1 ms are
 * 200 steps. */
static void test_cases(void **state) {
  (void)state;
  static const char text[] =
      "sinew: 1\nmodel: model.yaml\nvary: {m: [1, 2, 3]}\n"
      "measures: {n: {type: steps}, low: {type: minimum, of: end.y}}\nplots: {p: {x: m, y: low, scale: log-x}}\n";
  char folder[] = "/tmp/sinew-cases-XXXXXX", path[64], study[64], into[64], command[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/model.yaml", folder);
  snprintf(study, sizeof study, "%s/study.yaml", folder);
  snprintf(into, sizeof into, "%s/out", folder);
  snprintf(command, sizeof command, "rm -r %s", folder);
  write_text(path, pendulum);
  sn_context *context = sn_context_create();
  sn_cases *cases = NULL;
  const sn_cases_options options = {.size = sizeof options, .jobs = 2}, wrong = {.size = sizeof wrong, .last = 4};
  sn_cases_info info = {.size = sizeof info};
  sn_column_info column;
  sn_plot_info plot;
  assert_int_equal(sn_cases_create(context, &cases), SN_OK);
  assert_int_equal(sn_cases_open(cases, into), SN_USAGE);
  assert_int_equal(sn_cases_run(cases, &options), SN_USAGE);
  assert_int_equal(sn_cases_tabulate(cases), SN_USAGE);
  assert_int_equal(sn_cases_read(cases, study, "sinew: 1\nnothing: 2\n", 20), SN_BAD_MODEL);
  assert_int_equal(sn_cases_read(cases, study, pendulum, strlen(pendulum)), SN_USAGE);
  if (sn_cases_read(cases, study, text, strlen(text))) fail_msg("%s", sn_message(context));
  assert_int_equal(sn_cases_read(cases, study, text, strlen(text)), SN_USAGE);
  if (sn_cases_open(cases, into)) fail_msg("%s", sn_message(context));
  sn_cases_about(cases, &info);
  assert_int_equal(info.count, 3);
  assert_int_equal(info.variations, 1);
  assert_true(info.grid && !info.random && info.plots == 1);
  assert_string_equal(sn_cases_variation(cases, 0), "m");
  assert_string_equal(sn_cases_value(cases, 1, 0), "2");
  assert_null(sn_cases_value(cases, 3, 0));
  assert_int_equal(sn_cases_run(cases, &wrong), SN_USAGE);
  assert_int_equal(sn_cases_tabulate(cases), SN_USAGE); /* none has finished */
  assert_int_equal(sn_cases_column(cases, 0, 0, &column), SN_USAGE);
  if (sn_cases_run(cases, &options) || sn_cases_tabulate(cases)) fail_msg("%s", sn_message(context));
  sn_cases_about(cases, &info);
  assert_int_equal(info.finished, 3);
  assert_true(sn_cases_finished(cases, 2) && !sn_cases_finished(cases, 3));
  int found = 0;
  for (size_t k = 0; !sn_cases_column(cases, 0, k, &column); k++) {
    assert_int_equal(column.rows, 3);
    if (!strcmp(column.name, "n")) assert_true(column.number[0] == 200 && column.number[2] == 200 && ++found);
    if (!strcmp(column.name, "low")) assert_true(column.number[0] > column.number[1] && ++found);
    if (!strcmp(column.name, "status")) assert_true(!strcmp(column.text[1], "done") && ++found);
  }
  assert_int_equal(found, 3);
  assert_int_equal(sn_cases_plot(cases, 0, &plot), SN_OK);
  assert_true(plot.log_x == 1 && plot.log_y == 0);
  assert_string_equal(plot.y, "low");
  assert_int_equal(sn_cases_plot(cases, 1, &plot), SN_USAGE);
  sn_cases_free(cases, 0);
  sn_context_free(context);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
