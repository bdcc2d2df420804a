/* test_assertions.c - assertions act where the library is built with them, and names of fields are spelled right. */
#include <glob.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "math/predicates.h"
#include "math/quat.h"
#include "model/model.h"
#include "model/registry.h"
#include "sparse/matrix.h"
#include "support.h"

/* ---- assertions ---- */

/* Is the process ended by an assertion in call()? */
static bool is_refused(void (*call)(void)) {
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stderr)) _exit(1);
    signal(SIGABRT, SIG_DFL); /* those of sanitizers and of the test program report */
    call();
    _exit(0);
  }
  int how = 0;
  assert_true(child > 0 && waitpid(child, &how, 0) == child);
  return WIFSIGNALED(how) && WTERMSIG(how) == SIGABRT;
}

static const sn_spec *a_cable(void) {
  static sn_spec spec = {.name = "rope"};
  spec.kind = sn_find_kind(SN_BODIES, "cable");
  return &spec;
}

static void ask_for_elements(void) {
  sn_given(a_cable(), "elements");
}
static void ask_for_elments(void) {
  sn_given(a_cable(), "elments");
}
static void value_of_elments(void) {
  sn_field_value(a_cable(), "elments");
}
/* Cables have none, rigid bodies do: it is spelled right. */
static void ask_for_inertia(void) {
  sn_given(a_cable(), "inertia");
}
static void report_at(const char *field) {
  sn_context *context = sn_context_create();
  sn_arena arena = {0};
  sn_document document = {.path = "rope.yaml", .source = ""};
  sn_reader reader = sn_reader_for(context, &arena, &document);
  sn_field_error(&reader, a_cable(), field, NULL, "wrong");
}
static void report_at_section(void) {
  report_at("section");
}
static void report_at_sektion(void) {
  report_at("sektion");
}
static void couple_what_is_not_there(void) {
  sn_pattern *pattern = sn_pattern_create();
  sn_pattern_couple(pattern, sn_pattern_group(pattern, 3, false), 1);
}
static void add_to_no_block(void) {
  sn_arena arena = {0};
  sn_pattern *pattern = sn_pattern_create();
  for (int g = 0; g < 3; g++) sn_pattern_group(pattern, 1, false);
  sn_pattern_couple(pattern, 1, 0);
  sn_matrix *A = sn_pattern_freeze(pattern, &arena, false);
  const int groups[2] = {2, 0}, slots[3] = {A->column[2], A->column[0] + 1, A->column[0]};
  const double T[4] = {1, 1, 1, 1};
  sn_matrix_add(A, 2, groups, slots, T, 2);
}
static void frame_about_a_long_vector(void) {
  double x[3], y[3];
  sn_frame((const double[3]){0, 0, 2}, x, y);
}
static void fail_with_success(void) {
  sn_fail(sn_context_create(), SN_OK, "nothing");
}

static void assertions_act(void **state) {
  (void)state;
#ifndef SINEW_ASSERTIONS
  skip();
#endif
  assert_false(is_refused(ask_for_elements));
  assert_false(is_refused(ask_for_inertia));
  assert_true(is_refused(ask_for_elments));
  assert_true(is_refused(value_of_elments));
  assert_false(is_refused(report_at_section));
  assert_true(is_refused(report_at_sektion));
  assert_true(is_refused(couple_what_is_not_there));
  assert_true(is_refused(add_to_no_block));
  assert_true(is_refused(frame_about_a_long_vector));
  assert_true(is_refused(fail_with_success));
}

/* ---- names of fields ---- */

/* Has any kind, or the head of a file, a field of this name? */
static bool is_a_field(const char *name) {
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++)
    if ((*kind)->fields && sn_field_index(*kind, name) >= 0) return true;
  return sn_field_index(&sn_head_kind, name) >= 0;
}

/* Argument `number` of a call, the text behind its parenthesis given. */
static const char *argument(const char *at, int number) {
  for (int depth = 0; *at && number > 0; at++) {
    depth += (*at == '(') - (*at == ')');
    number -= *at == ',' && depth == 0;
  }
  return at + strspn(at, " \n");
}

/* Every name written out as that argument of a function, whether a test comes by or not. Returns their number. */
static int check_names(const char *path, const char *source, const char *function, int number) {
  int count = 0;
  for (const char *at = source; (at = strstr(at, function)); at++) {
    const char *field = argument(at + strlen(function), number);
    char name[64];
    if (sscanf(field, "\"%63[^\"]\"", name) != 1) continue; /* a variable, or one of several: assertions look at it */
    if (!is_a_field(name)) fail_msg("%s: %s...): no kind has a field '%s'", path, function, name);
    count++;
  }
  return count;
}

static void names_of_fields_are_spelled_right(void **state) {
  (void)state;
  glob_t files;
  int given = 0, values = 0, errors = 0;
  assert_int_equal(glob("src/*/*.c", 0, NULL, &files), 0);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    size_t length;
    char *source = sn_read_file(files.gl_pathv[i], SN_LARGEST_TEXT, &length);
    assert_non_null(source);
    given += check_names(files.gl_pathv[i], source, "sn_given(", 1);
    values += check_names(files.gl_pathv[i], source, "sn_field_value(", 1);
    errors += check_names(files.gl_pathv[i], source, "sn_field_error(", 2);
    sn_free(source);
  }
  globfree(&files);
  assert_true(given > 100 && values > 0 && errors > 100);
}

/* What the reader and its messages rely on. */
static void kinds_are_in_order(void **state) {
  (void)state;
  int count = 0;
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++) {
    assert_true(kind == sn_kinds || kind[0]->category >= kind[-1]->category);
    count = kind > sn_kinds && kind[0]->category == kind[-1]->category ? count + 1 : 1;
    assert_true(count < 64);
    for (const sn_field *f = (*kind)->fields; f && f->name; f++)
      assert_int_equal(sn_field_index(*kind, f->name), f - (*kind)->fields); /* no name twice */
  }
}

/* ---- what assertions ask ---- */

static void predicates(void **state) {
  (void)state;
  const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1}, rising[3] = {0, 1, 3}, level[3] = {0, 1, 1};
  const double finite[2] = {1, -1e300}, infinite[2] = {1, INFINITY}, A[4] = {2, 1, 1, 3}, B[4] = {2, 1, 0, 3};
  assert_true(sn_all_finite(2, finite) && !sn_all_finite(2, infinite));
  assert_true(sn_is_frame(x, y, z) && !sn_is_frame(y, x, z));
  assert_true(sn_is_rising(3, rising) && !sn_is_rising(3, level));
  assert_true(sn_is_symmetric(2, A) && !sn_is_symmetric(2, B));
  assert_true(sn_is_unit(y) && !sn_is_unit(rising));
}

/* Lengths whose squares overflow or vanish: the direction stays exact to rounding. */
static void extreme_vectors_have_directions(void **state) {
  (void)state;
  static const double sizes[] = {1e-300, 1e-160, 1e-140, 1, 1e140, 1e160, 1e300};
  for (size_t i = 0; i < SN_COUNT(sizes); i++) {
    double a[3] = {3 * sizes[i], 0, -4 * sizes[i]};
    assert_true(fabs(sn_normalize(a) / sizes[i] - 5) < 1e-14);
    assert_true(fabs(a[0] - 0.6) < 1e-15 && a[1] == 0 && fabs(a[2] + 0.8) < 1e-15);
  }
  double zero[3] = {0, 0, 0};
  assert_true(sn_normalize(zero) == 0 && zero[0] == 0);
}

/* Debug builds know what was freed: a message, and no crash. */
static void freed_handles(void **state) {
  (void)state;
#ifndef SINEW_ASSERTIONS
  skip();
#endif
  static const char text[] = "sinew: 1\nbodies: {m: {type: point-mass, mass: 2, position: [0, 0, 0]}}\n";
  sn_context *context = sn_context_create();
  sn_model *model;
  sn_simulation *simulation, *none;
  sn_snapshot *snapshot;
  sn_draft *draft;
  assert_int_equal(sn_model_parse(context, "m", text, sizeof text - 1, NULL, 0, &model), SN_OK);
  assert_int_equal(sn_draft_parse(context, "m", text, sizeof text - 1, &draft), SN_OK);
  assert_int_equal(sn_simulation_create(model, NULL, &simulation), SN_OK);
  assert_int_equal(sn_snapshot_take(simulation, &snapshot), SN_OK);
  sn_snapshot_free(snapshot);
  assert_int_equal(sn_snapshot_restore(simulation, snapshot), SN_USAGE);
  assert_non_null(strstr(sn_message(context), "snapshot was freed"));
  sn_simulation_free(simulation);
  assert_int_equal(sn_step(simulation), SN_USAGE);
  assert_non_null(strstr(sn_message(context), "simulation was freed"));
  assert_int_equal(sn_advance(simulation, 1), SN_USAGE);
  assert_int_equal(sn_set_input(simulation, 0, 1), SN_USAGE);
  assert_int_equal(sn_on_step(simulation, NULL, NULL), SN_USAGE);
  assert_int_equal(sn_analyze(simulation, "{type: statics}", &none), SN_USAGE);
  assert_null(sn_positions(simulation));
  assert_true(isnan(sn_time(simulation)));
  sn_simulation_free(simulation); /* twice */
  sn_model_free(model);
  assert_int_equal(sn_simulation_create(model, NULL, &none), SN_USAGE);
  assert_non_null(strstr(sn_message(context), "model was freed"));
  assert_int_equal(sn_model_count(model, SN_LIST_BODIES), 0);
  sn_draft_free(draft);
  assert_int_equal(sn_draft_set(draft, "a", "1"), SN_USAGE);
  assert_null(sn_draft_get(draft, "a"));
  sn_context_free(context);
  assert_int_equal(sn_step(simulation), SN_USAGE); /* without a message */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(assertions_act),
      cmocka_unit_test(names_of_fields_are_spelled_right),
      cmocka_unit_test(kinds_are_in_order),
      cmocka_unit_test(predicates),
      cmocka_unit_test(extreme_vectors_have_directions),
      cmocka_unit_test(freed_handles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
