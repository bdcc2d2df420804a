/* test_newton.c - the variants of Newton's method: one trajectory, and the costs that tell them apart. */
#include "support.h"

/* A model of the directory with another integrator; the caller closes the run. */
static void open_with(run *r, const char *path, const char *integrator, double until) {
  char text[1 << 14];
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  size_t length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[length] = 0;
  char *analysis = strstr(text, "\nanalysis:");
  assert_non_null(analysis);
  size_t left = sizeof text - (size_t)(analysis - text);
  int written =
      snprintf(analysis, left, "\nanalysis: {type: dynamics, duration: %g, integrator: {%s}}\n", until, integrator);
  assert_true(written > 0 && (size_t)written < left);
  open_run(r, text, NULL);
}

typedef struct outcome {
  int n;
  double x[400]; /* (q, v) at the end */
  sn_statistics cost;
} outcome;

static outcome result_of(const char *path, const char *integrator, double until) {
  run r;
  outcome o = {0};
  open_with(&r, path, integrator, until);
  sn_statistics start = *sn_simulation_statistics(r.simulation);
  advance(&r, until);
  o.n = r.model->n;
  assert_true(2 * o.n <= (int)SN_COUNT(o.x));
  memcpy(o.x, r.simulation->state.q, (size_t)o.n * sizeof(double));
  memcpy(o.x + o.n, r.simulation->state.v, (size_t)o.n * sizeof(double));
  o.cost = *sn_simulation_statistics(r.simulation);
  o.cost.jacobians -= start.jacobians; /* without the consistent start */
  o.cost.factorizations -= start.factorizations;
  close_run(&r);
  return o;
}

/* ---- one trajectory ---- */

typedef struct trial {
  const char *model;
  double step, until;
  bool stiff; /* no schur */
} trial;

static const trial trials[] = {{"models/andrews.yaml", 2e-5, 4e-3, false},
                               {"models/slider-crank.yaml", 1e-3, 0.2, false},
                               {"models/pendulum.yaml", 1e-3, 0.1, true}};

/* Newton leaves at most 1e-3 of the local error in positions, which shows more in velocities: variants differ by much
 * less than two steps do. */
static void check_trajectory(const trial *t, const char *method, double step, const char *const *variants) {
  char text[100];
  snprintf(text, sizeof text, "type: %s, step: %g", method, step);
  outcome base = result_of(t->model, text, t->until);
  snprintf(text, sizeof text, "type: %s, step: %g", method, step / 2);
  outcome fine = result_of(t->model, text, t->until);
  double error = distance(base.x, fine.x, 2 * base.n);
  assert_true(error > 0);
  for (; *variants; variants++) {
    if (t->stiff && strcmp(*variants, "schur") == 0) continue;
    snprintf(text, sizeof text, "type: %s, step: %g, newton: %s", method, step, *variants);
    outcome other = result_of(t->model, text, t->until);
    double share = strcmp(*variants, "broyden") == 0 ? 0.25 : 0.05; /* its errors add up where others alternate */
    assert_below(distance(base.x, other.x, 2 * base.n), share * error, "%s, %s with newton: %s", t->model, method,
                 *variants);
    if (strcmp(*variants, "full") == 0)
      assert_below((double)other.cost.iterations, (double)base.cost.iterations, "%s, %s, full: iterations", t->model,
                   method);
  }
}

static void test_same_trajectory(void **state) {
  (void)state;
  static const char *const all[] = {"modified", "full", "broyden", "schur", NULL}, *const two[] = {"full", NULL};
  static const char *const index3[] = {"newmark", "hht-i3", "nstiff"};
  static const char *const stabilized[] = {"hht-si2", "hht-add", "nstiff-si2"};
  static const char *const block[] = {"radau5", "radau", "gam"}; /* long steps, or there is only rounding to see */
  for (size_t k = 0; k < SN_COUNT(trials); k++) {
    const trial *t = &trials[k];
    for (size_t i = 0; i < 3; i++) {
      check_trajectory(t, index3[i], t->step, all);
      check_trajectory(t, stabilized[i], t->step, two);
      check_trajectory(t, block[i], 10 * t->step, two);
    }
  }
}

/* ---- costs ---- */

static void test_full_counts(void **state) {
  (void)state;
  static const char *const methods[] = {"newmark", "hht-i3", "nstiff"};
  for (size_t i = 0; i < SN_COUNT(methods); i++) {
    char text[100];
    snprintf(text, sizeof text, "type: %s, tolerance: 1e-5, newton: full", methods[i]);
    outcome o = result_of("models/pendulum.yaml", text, 0.3);
    assert_true(o.cost.iterations > o.cost.steps);
    assert_int_equal(o.cost.jacobians, o.cost.iterations);
    assert_int_equal(o.cost.factorizations, o.cost.iterations);
  }
}

/* Bodies that only turn: updates make up for a matrix that is old. */
static void test_broyden_saves(void **state) {
  (void)state;
  static const char *const models[] = {"models/simple-pendulum.yaml", "models/andrews.yaml"};
  static const double steps[] = {1e-3, 1e-5}, ends[] = {2, 0.02};
  outcome modified, broyden;
  for (int k = 0; k < 2; k++) {
    char text[100];
    snprintf(text, sizeof text, "type: hht-i3, step: %g, newton: broyden", steps[k]);
    broyden = result_of(models[k], text, ends[k]);
    *strstr(text, ", newton") = 0;
    modified = result_of(models[k], text, ends[k]);
    assert_true(broyden.cost.steps == modified.cost.steps);
    assert_true(broyden.cost.iterations < modified.cost.iterations);
    assert_true(broyden.cost.jacobians < modified.cost.jacobians);
  }
  /* beams: fewer matrices for more iterations */
  modified = result_of("models/pendulum.yaml", "type: hht-i3, step: 1e-3", 0.5);
  broyden = result_of("models/pendulum.yaml", "type: hht-i3, step: 1e-3, newton: broyden", 0.5);
  assert_true((double)broyden.cost.jacobians < 0.7 * (double)modified.cost.jacobians);
  assert_true((double)broyden.cost.iterations < 1.35 * (double)modified.cost.iterations);
}

/* [M, G'; G, 0] knows nothing of h: it serves many steps, whatever their length. */
static void test_schur_serves_many_steps(void **state) {
  (void)state;
  static const char *const steps[] = {"step: 1e-3", "tolerance: 1e-7"};
  for (size_t i = 0; i < SN_COUNT(steps); i++) {
    char text[100];
    snprintf(text, sizeof text, "type: hht-i3, %s", steps[i]);
    outcome modified = result_of("models/slider-crank.yaml", text, 0.5);
    snprintf(text, sizeof text, "type: hht-i3, %s, newton: schur", steps[i]);
    outcome schur = result_of("models/slider-crank.yaml", text, 0.5);
    assert_true(schur.cost.factorizations < schur.cost.steps / 10);
    assert_true(schur.cost.factorizations <= modified.cost.factorizations);
  }
}

/* ---- what schur cannot do ---- */

static void test_schur_needs_softness(void **state) {
  (void)state;
  run r;
  open_with(&r, "models/pendulum.yaml", "type: hht-i3, step: 1e-3, newton: schur", 1);
  assert_int_equal(sn_advance(r.simulation, 1), SN_NUMERICS);
  const char *message = sn_message(r.context);
  if (!strstr(message, "stiffness") || !strstr(message, "'beam'") || !strstr(message, "newton: modified"))
    fail_msg("%s", message);
  assert_true(sn_time(r.simulation) == 0 && r.simulation->state.q[0] == r.model->q0[0]);
  close_run(&r);
  /* adaptive steps become as short as it needs them */
  outcome exact = result_of("models/pendulum.yaml", "type: hht-i3, tolerance: 1e-10", 0.1);
  outcome modified = result_of("models/pendulum.yaml", "type: hht-i3, tolerance: 1e-6", 0.1);
  outcome schur = result_of("models/pendulum.yaml", "type: hht-i3, tolerance: 1e-6, newton: schur", 0.1);
  assert_true((double)schur.cost.steps > 1.5 * (double)modified.cost.steps);
  assert_below(distance(exact.x, schur.x, exact.n), distance(exact.x, modified.x, exact.n), "positions");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_trajectory),      cmocka_unit_test(test_full_counts),
      cmocka_unit_test(test_broyden_saves),        cmocka_unit_test(test_schur_serves_many_steps),
      cmocka_unit_test(test_schur_needs_softness),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
