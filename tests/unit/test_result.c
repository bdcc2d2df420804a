/* test_result.c - result files: what is written is read back, whatever happens to the run.
 *
 * The simulation is made by hand: two bodies, two outputs, rows with known numbers. Nothing here integrates.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "kinds/kinds.h"
#include "result/result.h"
#include "result/sums.h"

/* ---- a simulation made by hand ---- */

static void line_geometry(const sn_body *body, sn_geometry *geometry) {
  *geometry = (sn_geometry){
      .type = SN_GEOMETRY_LINE, .size = {0.02, 0.01}, .section = SN_OUTLINE_RECTANGLE, .element_length = 0.5};
  geometry->elements = body->count / 6 - 1;
}

static const sn_field no_fields[] = {{0}};
static const sn_body_ops nothing_ops = {.kind = {.name = "ground", .category = SN_BODIES, .fields = no_fields}};
static const sn_body_ops line_ops = {.kind = {.name = "cable", .category = SN_BODIES, .fields = no_fields},
                                     .geometry = line_geometry,
                                     .layout = &sn_layouts[SN_LAYOUT_CABLE]};
static const sn_spec spec_of_nothing = {.kind = &nothing_ops.kind}, spec_of_line = {.kind = &line_ops.kind};
static const sn_joint_ops pin_ops = {.kind = {.name = "spherical"}};

static const char source[] = "sinew: 1\ntitle: Made by hand \xc3\xa9\n";

typedef struct rig {
  sn_context *context;
  sn_document document;
  sn_model model;
  sn_body body[2];
  sn_joint joint[1];
  sn_output output[2];
  sn_system system;
  sn_simulation simulation;
  sn_row row;
  char directory[64], path[96], part[112];
} rig;

static void make_output(sn_output *output, const char *name, int columns, const char *const *names,
                        const char *const *units) {
  *output = (sn_output){.name = name, .columns = columns, .column = names, .unit = units};
}

static void make_model(rig *r, int nodes) {
  static const char *const names[] = {"x", "y", "z"}, *const units[] = {"m", "m", "m"};
  static const char *const force[] = {"force"}, *const newton[] = {"N"};
  static const char *const parameters[] = {"L", "E"};
  static const double values[] = {1.5, 2e7};
  r->body[0] = (sn_body){.ops = &nothing_ops, .spec = &spec_of_nothing, .name = "ground"};
  r->body[1] = (sn_body){.ops = &line_ops, .spec = &spec_of_line, .name = "beam", .count = 6 * nodes};
  r->joint[0] = (sn_joint){.ops = &pin_ops, .name = "pin", .count = 3};
  r->joint[0].marker[0].body = &r->body[0];
  r->joint[0].marker[1].body = &r->body[1];
  make_output(&r->output[0], "tip", 3, names, units);
  make_output(&r->output[1], "pull", 1, force, newton);
  r->document = (sn_document){.path = "hand.yaml",
                              .source = source,
                              .length = strlen(source),
                              .title = "Made by hand",
                              .parameter_count = 2,
                              .parameter_name = parameters,
                              .parameter_value = values};
  r->model = (sn_model){.context = r->context,
                        .document = &r->document,
                        .n = 6 * nodes,
                        .m = 3,
                        .bodies = 2,
                        .joints = 1,
                        .outputs = 2,
                        .body = r->body,
                        .joint = r->joint,
                        .output = r->output};
}

static void make_rig(rig *r, int nodes) {
  memset(r, 0, sizeof *r);
  r->context = sn_context_create();
  make_model(r, nodes);
  r->system.statistics = (sn_statistics){.steps = 42, .iterations = 84, .time_solve = 0.25};
  static const sn_spec *const nothing = NULL;
  r->simulation = (sn_simulation){.stages = 1,
                                  .stage_spec = &nothing,
                                  .analysis = &sn_dynamics,
                                  .model = &r->model,
                                  .context = r->context,
                                  .system = &r->system,
                                  .ops = &sn_hht_i3,
                                  .end = 2,
                                  .output_step = 0.001,
                                  .integrator_name = "hht-i3",
                                  .output_columns = 4};
  r->simulation.settings = sn_alloc(&r->simulation.arena, 1, sn_hht_i3.kind.spec_size);
  r->simulation.settings->tolerance = 1e-6;
  r->simulation.evidence.size = 1;
  static char notes[] = "joint pin: 1 of 3 equations is redundant";
  r->simulation.start = (sn_start){.position_change = 1e-9, .redundant = 1, .notes = notes};
  r->row.values = calloc(4, sizeof(double));
  r->row.q = calloc((size_t)r->model.n, sizeof(double));
  snprintf(r->directory, sizeof r->directory, "/tmp/sinew-result-XXXXXX");
  assert_non_null(mkdtemp(r->directory));
  snprintf(r->path, sizeof r->path, "%s/out.h5", r->directory);
  snprintf(r->part, sizeof r->part, "%s.part", r->path);
}

static void drop_rig(rig *r) {
  unlink(r->path);
  unlink(r->part);
  assert_int_equal(rmdir(r->directory), 0); /* fails when something else was left behind */
  free(r->row.values);
  free(r->row.q);
  sn_arena_free(&r->simulation.arena); /* the verdict */
  sn_context_free(r->context);
}

/* Numbers that tell row and column. */
static void fill_row(rig *r, int k) {
  r->row.t = 0.001 * k;
  r->row.step = 1e-3;
  for (int i = 0; i < 4; ++i) r->row.values[i] = k + 0.1 * i;
  for (int i = 0; i < r->model.n; ++i) r->row.q[i] = 1000.0 * k + i;
  for (int i = 0; i < SN_ENERGIES; ++i) r->row.energy[i] = 10.0 * k + i;
  for (int i = 0; i < SN_LEVELS; ++i) r->row.constraint[i] = pow(10, i - 12);
  for (int i = 0; i < 6; ++i) r->row.momentum[i] = k + 0.01 * i;
}

static sn_status write_rows(rig *r, sn_writer *writer, int first, int last) {
  for (int k = first; k < last; ++k) {
    fill_row(r, k);
    const sn_status status = sn_writer_row(writer, &r->row);
    if (status) return status;
  }
  return SN_OK;
}

static bool exists(const char *path) {
  struct stat info;
  return !stat(path, &info);
}

/* ---- tests ---- */

static void check_series(rig *r, sn_result *result, int rows) {
  static const char *const some[] = {"t",
                                     "tip.x",
                                     "tip.y",
                                     "tip.z",
                                     "pull.force",
                                     "energy.kinetic",
                                     "energy.total",
                                     "step",
                                     "constraint.velocity",
                                     "momentum.angular.y"};
  for (size_t i = 0; i < SN_COUNT(some); ++i) {
    const sn_series *series = sn_result_series(result, some[i]);
    assert_non_null(series);
    assert_int_equal(series->count, rows);
  }
  const double *x = sn_result_series(result, "tip.z")->value,
               *p = sn_result_series(result, "momentum.angular.y")->value;
  const double *total = sn_result_series(result, "energy.total")->value, *t = sn_result_time(result)->value;
  for (int k = 0; k < rows; ++k) {
    fill_row(r, k);
    assert_true(t[k] == r->row.t && x[k] == r->row.values[2] && p[k] == r->row.momentum[4]);
    assert_true(total[k] == r->row.energy[SN_E_TOTAL]);
  }
  assert_string_equal(sn_result_series(result, "pull.force")->unit, "N");
}

static void round_trip(void **state) {
  (void)state;
  rig r;
  make_rig(&r, 3);
  sn_writer *writer;
  assert_int_equal(sn_writer_open(&r.simulation, r.path, &writer), SN_OK);
  assert_true(exists(r.part) && !exists(r.path));
  assert_int_equal(write_rows(&r, writer, 0, 2001), SN_OK);
  r.system.statistics.steps = 43; /* what counts is the end of the run */
  assert_int_equal(sn_writer_close(writer, SN_OK, ""), SN_OK);
  assert_true(exists(r.path) && !exists(r.part));
  assert_true(sn_is_result(r.path));

  sn_result *result;
  assert_int_equal(sn_result_open(r.context, r.path, &result), SN_OK);
  const sn_result_info *info = sn_result_about(result);
  assert_string_equal(info->status, "done");
  assert_string_equal(info->version, SINEW_VERSION);
  assert_string_equal(info->title, "Made by hand");
  assert_string_equal(info->model_path, "hand.yaml");
  assert_string_equal(info->integrator, "hht-i3");
  assert_string_equal(info->notes, r.simulation.start.notes);
  assert_int_equal(info->rows, 2001);
  assert_int_equal(info->bodies, 2);
  assert_int_equal(info->joints, 1);
  assert_int_equal(info->outputs, 2);
  assert_int_equal(info->redundant, 1);
  assert_int_equal(info->statistics.steps, 43);
  assert_int_equal(info->statistics.iterations, 84);
  assert_true(info->statistics.time_solve == 0.25 && info->tolerance == 1e-6 && info->end == 2);
  assert_string_equal(sn_result_names(result)[1], "tip.x"); /* the model's order, not the alphabet's */
  check_series(&r, result, 2001);
  sn_result_free(result);
  drop_rig(&r);
}

/* Rows wider than a chunk and than the buffer. */
static void wide_rows(void **state) {
  (void)state;
  rig r;
  make_rig(&r, 20000);
  sn_writer *writer;
  assert_int_equal(sn_writer_open(&r.simulation, r.path, &writer), SN_OK);
  assert_int_equal(write_rows(&r, writer, 0, 5), SN_OK);
  assert_int_equal(sn_writer_close(writer, SN_OK, ""), SN_OK);
  sn_result *result;
  assert_int_equal(sn_result_open(r.context, r.path, &result), SN_OK);
  check_series(&r, result, 5);
  sn_result_free(result);
  drop_rig(&r);
}

static void check_status(rig *r, const char *path, const char *status, const char *message) {
  sn_result *result;
  assert_int_equal(sn_result_open(r->context, path, &result), SN_OK);
  assert_string_equal(sn_result_about(result)->status, status);
  assert_string_equal(sn_result_about(result)->message, message);
  sn_result_free(result);
}

static void status_tells_how_it_ended(void **state) {
  (void)state;
  rig r;
  make_rig(&r, 2);
  static const struct {
    sn_status status;
    const char *word, *message;
  } ends[] = {{SN_NUMERICS, "failed", "Newton did not converge at t = 0.3"},
              {SN_INTERRUPTED, "interrupted", "interrupted at t = 0.1"},
              {SN_OK, "done", ""}};
  for (size_t i = 0; i < SN_COUNT(ends); ++i) {
    sn_writer *writer;
    assert_int_equal(sn_writer_open(&r.simulation, r.path, &writer), SN_OK);
    assert_int_equal(write_rows(&r, writer, 0, 10), SN_OK);
    assert_int_equal(sn_writer_close(writer, ends[i].status, ends[i].message), SN_OK);
    check_status(&r, r.path, ends[i].word, ends[i].message);
  }
  drop_rig(&r);
}

static void killed_run_leaves_a_readable_file(void **state) {
  (void)state;
  rig r;
  make_rig(&r, 2);
  int ready[2];
  assert_int_equal(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    sn_writer *writer;
    if (sn_writer_open(&r.simulation, r.path, &writer)) _exit(1);
    write_rows(&r, writer, 0, 300);
    nanosleep(&(struct timespec){1, 100000000}, NULL); /* the next row is due for a flush */
    write_rows(&r, writer, 300, 310);
    if (write(ready[1], "", 1) != 1) _exit(1);
    pause();
  }
  close(ready[1]); /* a child that fails ends the read */
  char byte;
  assert_int_equal(read(ready[0], &byte, 1), 1);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  close(ready[0]);

  assert_false(exists(r.path));
  sn_result *result;
  assert_int_equal(sn_result_open(r.context, r.part, &result), SN_OK);
  assert_string_equal(sn_result_about(result)->status, "running");
  assert_int_equal(sn_result_about(result)->rows, 301);
  check_series(&r, result, 301);
  sn_result_free(result);
  sn_sums_forget(r.part); /* a killed run leaves its checksums beside its file */
  drop_rig(&r);
}

static void unwritable_paths(void **state) {
  (void)state;
  rig r;
  make_rig(&r, 2);
  sn_writer *writer;
  assert_int_equal(sn_writer_open(&r.simulation, "/nonexistent/out.h5", &writer), SN_IO);
  assert_string_equal(sn_message(r.context), "cannot write /nonexistent/out.h5: No such file or directory");
  assert_null(writer);
  assert_int_equal(sn_writer_open(&r.simulation, r.directory, &writer), SN_IO);
  assert_non_null(strstr(sn_message(r.context), "Is a directory"));
  assert_int_equal(sn_writer_open(&r.simulation, "/dev/null", &writer), SN_IO);
  assert_string_equal(sn_message(r.context), "cannot write /dev/null: not a regular file");
  drop_rig(&r);
}

/* Two runs with one result: the second must not destroy what the first writes. */
static void second_writer_is_refused(void **state) {
  (void)state;
  rig r;
  make_rig(&r, 2);
  sn_writer *first, *second;
  assert_int_equal(sn_writer_open(&r.simulation, r.path, &first), SN_OK);
  assert_int_equal(sn_writer_open(&r.simulation, r.path, &second), SN_IO);
  assert_non_null(strstr(sn_message(r.context), "another run is writing"));
  assert_int_equal(write_rows(&r, first, 0, 10), SN_OK);
  assert_int_equal(sn_writer_close(first, SN_OK, ""), SN_OK);
  check_status(&r, r.path, "done", "");
  drop_rig(&r);
}

/* A full disk, played by a limit on the size of files: the run ends with one line, the file with a reason. */
static void full_disk(void **state) {
  (void)state;
  rig r;
  make_rig(&r, 500); /* 24 KB a row */
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){4 << 20, 4 << 20});
    sn_writer *writer;
    if (sn_writer_open(&r.simulation, r.path, &writer)) _exit(1);
    if (write_rows(&r, writer, 0, 1000) != SN_IO) _exit(2);
    if (!strstr(sn_message(r.context), "out.h5: File too large")) _exit(3);
    if (sn_writer_close(writer, SN_IO, "") != SN_IO) _exit(4);
    if (!strstr(sn_message(r.context), "out.h5: File too large")) _exit(5);
    exit(77); /* through HDF5's own cleanup, which must not fail either */
  }
  int status = 0;
  waitpid(child, &status, 0);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 77);
  sn_result *result;
  assert_int_equal(sn_result_open(r.context, r.path, &result), SN_OK);
  assert_string_equal(sn_result_about(result)->status, "failed");
  assert_non_null(strstr(sn_result_about(result)->message, "File too large"));
  const int rows = (int)sn_result_about(result)->rows;
  assert_in_range(rows, 40, 174);
  check_series(&r, result, rows);
  sn_result_free(result);
  drop_rig(&r);
}

/* So little room that not even the header fits. */
static void no_room_at_all(void **state) {
  (void)state;
  rig r;
  make_rig(&r, 2);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){4096, 4096});
    sn_writer *writer;
    if (sn_writer_open(&r.simulation, r.path, &writer) != SN_IO) _exit(2);
    if (!strstr(sn_message(r.context), "out.h5: File too large")) _exit(3);
    exit(77);
  }
  int status = 0;
  waitpid(child, &status, 0);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 77);
  assert_false(exists(r.path) || exists(r.part));
  drop_rig(&r);
}

static void write_text(const char *path, const char *text, size_t length) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, length, file), length);
  fclose(file);
}

static void files_that_are_no_results(void **state) {
  (void)state;
  rig r;
  make_rig(&r, 2);
  sn_result *result;
  assert_int_equal(sn_result_open(r.context, r.path, &result), SN_IO);
  assert_non_null(strstr(sn_message(r.context), "No such file or directory"));
  char part[512]; /* of a run that goes on */
  snprintf(part, sizeof part, "%s.part", r.path);
  write_text(part, "", 0);
  assert_int_equal(sn_result_open(r.context, r.path, &result), SN_IO);
  assert_non_null(strstr(sn_message(r.context), "its run goes on, or was killed; the rows so far are in"));
  assert_non_null(strstr(sn_message(r.context), part));
  remove(part);
  write_text(r.path, "sinew: 1\n", 9);
  assert_int_equal(sn_result_open(r.context, r.path, &result), SN_IO);
  assert_non_null(strstr(sn_message(r.context), "not a result file"));
  assert_false(sn_is_result(r.path));
  write_text(r.path, "\x89HDF\r\n\x1a\n", 8);
  assert_int_equal(sn_result_open(r.context, r.path, &result), SN_IO);
  assert_null(result);
  drop_rig(&r);
}

/* A file cut anywhere is refused or read; it never crashes the reader. */
static void truncated_files(void **state) {
  (void)state;
  rig r;
  make_rig(&r, 2);
  sn_writer *writer;
  assert_int_equal(sn_writer_open(&r.simulation, r.path, &writer), SN_OK);
  assert_int_equal(write_rows(&r, writer, 0, 50), SN_OK);
  assert_int_equal(sn_writer_close(writer, SN_OK, ""), SN_OK);
  struct stat info;
  assert_int_equal(stat(r.path, &info), 0);
  for (off_t size = info.st_size - 1; size > 0; size -= info.st_size / 40) {
    sn_result *result;
    assert_int_equal(truncate(r.path, size), 0);
    if (sn_result_open(r.context, r.path, &result) == SN_OK) sn_result_free(result);
  }
  drop_rig(&r);
}

static void unknown_series_are_explained(void **state) {
  (void)state;
  rig r;
  make_rig(&r, 2);
  sn_writer *writer;
  assert_int_equal(sn_writer_open(&r.simulation, r.path, &writer), SN_OK);
  assert_int_equal(sn_writer_close(writer, SN_OK, ""), SN_OK);
  sn_result *result;
  assert_int_equal(sn_result_open(r.context, r.path, &result), SN_OK);
  assert_int_equal(sn_result_time(result)->count, 0); /* a run that ended before its first row */
  assert_null(sn_result_series(result, "tpi.x"));
  assert_non_null(strstr(sn_message(r.context), "did you mean 'tip.x'?"));
  assert_null(sn_result_series(result, "tip"));
  assert_string_equal(sn_message(r.context), "'tip' is a group of series: tip.x, tip.y, tip.z");
  assert_true(sn_series_in_group("energy.total", "energy") && !sn_series_in_group("energy.total", "ener"));
  sn_result_free(result);
  drop_rig(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(round_trip),
      cmocka_unit_test(wide_rows),
      cmocka_unit_test(status_tells_how_it_ended),
      cmocka_unit_test(killed_run_leaves_a_readable_file),
      cmocka_unit_test(unwritable_paths),
      cmocka_unit_test(second_writer_is_refused),
      cmocka_unit_test(full_disk),
      cmocka_unit_test(no_room_at_all),
      cmocka_unit_test(files_that_are_no_results),
      cmocka_unit_test(truncated_files),
      cmocka_unit_test(unknown_series_are_explained),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
