/* test_memory.c - models that are too large are refused before they are compiled, and the estimate is what runs take. */
#define _DEFAULT_SOURCE

#include <glob.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/memory_need.h"
#include "run/record.h"
#include "support.h"

static sn_status load(sn_context *context, const char *path, const char *set, sn_model **model) {
  return sn_model_load(context, path, &set, set ? 1 : 0, model);
}

static void absurd_counts_are_refused(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"models/plate-pendulum.yaml", "n=10000"}, /* 1e8 elements */
      {"models/plate-pendulum.yaml", "n=3000"},
      {"models/pendulum.yaml", "n=1e6"},
      {"models/huang-pendulum.yaml", "n=1000"}, /* its largest number: allowed by 10 MB only without the rest */
  };
  for (size_t i = 0; i < SN_COUNT(cases); ++i) {
    sn_context *context = sn_context_create();
    sn_model *model;
    sn_limit_memory(context, i == 3 ? 10e6 : 2e9);
    const double begin = sn_cpu_time();
    assert_int_equal(load(context, cases[i][0], cases[i][1], &model), SN_USAGE);
    assert_null(model);
    assert_non_null(strstr(sn_message(context), "of memory ("));
    assert_non_null(strstr(sn_message(context), "allowed"));
    assert_below(sn_cpu_time() - begin, 0.5, "%s %s: CPU time", cases[i][0], cases[i][1]);
    sn_context_free(context);
  }
}

/* Without a limit, what the machine has is the limit; 35 TB are more. */
static void the_machine_is_the_limit(void **state) {
  (void)state;
  sn_context *context = sn_context_create();
  sn_model *model;
  assert_true(sn_memory_available(context) > 1e8);
  assert_int_equal(load(context, "models/plate-pendulum.yaml", "n=10000", &model), SN_USAGE);
  assert_non_null(strstr(sn_message(context), "available"));
  sn_context_free(context);
}

/* Every kind says how many coordinates its nodes have: a new one that does not is seen here. */
static void coordinates_are_counted(void **state) {
  (void)state;
  glob_t models;
  assert_int_equal(glob("models/*.yaml", 0, NULL, &models), 0);
  for (size_t i = 0; i < models.gl_pathc; ++i) {
    sn_context *context = sn_context_create();
    sn_model *model = parse(context, models.gl_pathv[i]);
    const double n = sn_memory_needed(model->document).coordinates;
    if (n < 0.4 * model->n || n > 2 * model->n + 20)
      fail_msg("%s: %g coordinates expected, it has %d", models.gl_pathv[i], n, model->n);
    sn_model_free(model);
    sn_context_free(context);
  }
  globfree(&models);
}

/* A few steps in a process of its own, recorded: its largest resident memory [bytes]. */
static double taken(const char *path, const char *set, const char *integrator) {
  const pid_t child = fork();
  if (child == 0) {
    sn_context *context = sn_context_create();
    sn_model *model;
    sn_simulation *simulation;
    sn_writer *writer;
    char result[] = "/tmp/memory-XXXXXX";
    sn_options options = {.integrator = integrator, .step = integrator ? 1e-4 : 0, .until = integrator ? 2e-4 : 0};
    if (mkstemp(result) < 0 || load(context, path, set, &model) || sn_simulation_create(model, &options, &simulation) ||
        sn_writer_open(simulation, result, &writer))
      _exit(1);
    const sn_status status = sn_record(simulation, writer, NULL, NULL), closed = sn_writer_close(writer, status, "");
    unlink(result);
    _exit(status || closed);
  }
  int how = 0;
  struct rusage usage;
  assert_int_equal(wait4(child, &how, 0, &usage), child);
  assert_int_equal(how, 0);
  return 1024.0 * (double)usage.ru_maxrss;
}

/* A file with 1,500 rigid bodies: free, hinged, or touching. */
static void write_many(const char *path, bool hinged, const char *contact) {
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  const int count = 1500;
  const double apart = hinged ? 1 : 1.3;
  fprintf(out, "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n");
  for (int i = 0; i < count; i++)
    fprintf(out,
            "  b%d: {type: rigid, from: [%g, 0, 0.1], to: [%g, 0, 0.1], density: 1, shape: {type: cylinder, radius: "
            "0.1}}\n",
            i, apart * i, apart * i + 1);
  if (hinged) fprintf(out, "joints:\n");
  for (int i = 1; i < count && hinged; i++)
    fprintf(out, "  j%d: {type: spherical, between: [b%d.end, b%d.start]}\n", i, i - 1, i);
  if (contact) fprintf(out, "surfaces:\n  floor: {type: plane, normal: [0, 0, 1]}\n");
  for (int i = 0; i < count && contact; i++) fprintf(out, "  s%d: {type: capsule, on: b%d, radius: 0.1}\n", i, i);
  if (contact) fprintf(out, "contacts: {all: {%s}}\n", contact);
  fprintf(out, "analysis: {type: dynamics, duration: 1, output_step: 0.001}\n");
  fclose(out);
}

static void runs_take_what_was_estimated(void **state) {
  (void)state;
#ifdef __SANITIZE_ADDRESS__
  skip();
#endif
  char folder[] = "/tmp/memory-XXXXXX", loose[64], chain[64], heap[64];
  assert_non_null(mkdtemp(folder));
  snprintf(loose, sizeof loose, "%s/loose.yaml", folder);
  snprintf(chain, sizeof chain, "%s/chain.yaml", folder);
  snprintf(heap, sizeof heap, "%s/heap.yaml", folder);
  write_many(loose, false, NULL);
  write_many(chain, true, NULL);
  write_many(heap, false, "friction: 0.3, method: dvi");
  const char *const cases[][3] = {
      {"models/pendulum.yaml", "n=4000", "radau"},
      {"models/beam-pendulum.yaml", "n=1500", "radau"},
      {"models/plate-pendulum.yaml", "n=32", "radau"},
      {"models/huang-pendulum.yaml", "n=4000", "radau"},
      {"models/cantilever-modes.yaml", "n=60", NULL},   /* modes, dense */
      {"models/cantilever-modes.yaml", "n=6000", NULL}, /* modes, Lanczos */
      {loose, NULL, "radau"},
      {chain, NULL, "radau"},
      {heap, NULL, "symplectic-euler"},
  };
  for (size_t i = 0; i < SN_COUNT(cases); ++i) {
    sn_context *context = sn_context_create();
    sn_model *model;
    if (load(context, cases[i][0], cases[i][1], &model)) fail_msg("%s", sn_message(context));
    const double need = sn_memory_needed(model->document).bytes, took = taken(cases[i][0], cases[i][1], cases[i][2]);
    print_message("%s %s: estimated %s, taken %s\n", cases[i][0], cases[i][1] ? cases[i][1] : "",
                  sn_bytes_text(need).text, sn_bytes_text(took).text);
    assert_below(need / took, 2, "%s: estimated over taken", cases[i][0]);
    assert_below(took / need, 2, "%s: taken over estimated", cases[i][0]);
    sn_model_free(model);
    sn_context_free(context);
  }
  unlink(loose), unlink(chain), unlink(heap), rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(absurd_counts_are_refused),
      cmocka_unit_test(the_machine_is_the_limit),
      cmocka_unit_test(coordinates_are_counted),
      cmocka_unit_test(runs_take_what_was_estimated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
