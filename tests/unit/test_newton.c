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

/* Newton leaves at most 1e-3 of the local error in positions, which shows more in velocities: variants differ from the
 * full method, which leaves next to nothing, by much less than two steps do. */
static void check_trajectory(const trial *t, const char *method, double step, const char *const *variants) {
  char text[100];
  snprintf(text, sizeof text, "type: %s, step: %g, newton: full", method, step);
  outcome base = result_of(t->model, text, t->until);
  snprintf(text, sizeof text, "type: %s, step: %g, newton: full", method, step / 2);
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
    if (strcmp(*variants, "modified") == 0)
      assert_below((double)base.cost.iterations, (double)other.cost.iterations, "%s, %s, full: iterations", t->model,
                   method);
  }
}

static void test_same_trajectory(void **state) {
  (void)state;
  static const char *const all[] = {"modified", "broyden", "schur", NULL}, *const two[] = {"modified", NULL};
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
    /* steps of one length: a change of the step takes a matrix of its own */
    snprintf(text, sizeof text, "type: %s, step: 1e-3, newton: full", methods[i]);
    outcome o = result_of("models/pendulum.yaml", text, 0.3);
    assert_true(o.cost.iterations > o.cost.steps);
    assert_int_equal(o.cost.jacobians, o.cost.iterations);
    assert_int_equal(o.cost.factorizations, o.cost.iterations);
  }
}

/* Updates make up for a matrix that is old: fewer matrices for more iterations. Bodies that only turn: */
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
    assert_below((double)broyden.cost.iterations, 1.5 * (double)modified.cost.iterations, "iterations");
    assert_below((double)broyden.cost.jacobians, 0.5 * (double)modified.cost.jacobians, "matrices");
  }
  /* beams */
  modified = result_of("models/pendulum.yaml", "type: hht-i3, step: 1e-3", 0.5);
  broyden = result_of("models/pendulum.yaml", "type: hht-i3, step: 1e-3, newton: broyden", 0.5);
  assert_below((double)broyden.cost.jacobians, 0.5 * (double)modified.cost.jacobians, "beam: matrices");
  assert_below((double)broyden.cost.iterations, 5 * (double)broyden.cost.steps, "beam: iterations");
}

/* An old matrix is renewed when the iterations beyond the fewest have cost as much as a new one: over a run, all of these
 * iterations are at most what the matrices cost, and the excess of the last step of each. */
static void test_age_costs_no_more_than_matrices(void **state) {
  (void)state;
  static const char *const models[] = {"models/simple-pendulum.yaml", "models/pendulum.yaml", "models/andrews.yaml"};
  static const char *const settings[] = {"type: hht-i3, step: 1e-3", "type: newmark, step: 5e-4",
                                         "type: hht-i3, step: 1e-5"};
  static const double until[] = {2, 0.3, 0.02};
  for (size_t k = 0; k < SN_COUNT(models); k++) {
    char full[100];
    snprintf(full, sizeof full, "%s, newton: full", settings[k]);
    outcome fewest = result_of(models[k], full, until[k]), o = result_of(models[k], settings[k], until[k]);
    run r;
    open_with(&r, models[k], settings[k], until[k]);
    const double cost = 4 + sn_system_factor_cost(r.simulation->system) + (double)o.cost.most_iterations;
    assert_below(sn_system_factor_cost(r.simulation->system), 20, "%s: one factorization in solutions", models[k]);
    close_run(&r);
    assert_true(o.cost.steps == fewest.cost.steps);
    assert_below((double)(o.cost.iterations - fewest.cost.iterations), (double)(o.cost.jacobians + 1) * cost,
                 "%s: iterations for %ld matrices", models[k], o.cost.jacobians);
    assert_below((double)o.cost.jacobians, 0.2 * (double)o.cost.steps, "%s: matrices", models[k]);
  }
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
  outcome exact = result_of("models/pendulum.yaml", "type: hht-i3, bounds: step, tolerance: 1e-10", 0.1);
  outcome modified = result_of("models/pendulum.yaml", "type: hht-i3, bounds: step, tolerance: 1e-6", 0.1);
  outcome schur = result_of("models/pendulum.yaml", "type: hht-i3, bounds: step, tolerance: 1e-6, newton: schur", 0.1);
  assert_true((double)schur.cost.steps > 1.5 * (double)modified.cost.steps);
  assert_below(distance(exact.x, schur.x, exact.n), distance(exact.x, modified.x, exact.n), "positions");
}

/* ---- a stop by residuals ---- */

static double size_of(const double *x, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* Every step ends with residuals below the numbers asked for, found again from the state, and one of them within one
 * iteration of a kept matrix: they are what ends it. Methods whose equations are those of the end of the step. */
static void check_residuals(const char *model, const char *method, int index, const double stop[2]) {
  void (*const level[])(sn_system *, const sn_state *, double *) = {NULL, sn_system_acceleration, sn_system_velocity,
                                                                    sn_system_position};
  char text[200];
  run r;
  double found[2] = {0}, *x;
  snprintf(text, sizeof text, "type: %s, step: 1e-3, force_residual: %g, constraint_residual: %g", method, stop[0],
           stop[1]);
  open_with(&r, model, text, 0.2);
  sn_simulation *s = r.simulation;
  x = malloc((size_t)(r.model->n + r.model->m) * sizeof(double));
  while (sn_time(s) < 0.2) {
    double left[2];
    if (sn_step(s)) fail_msg("%s", sn_message(r.context));
    sn_system_residual(s->audit, &s->state, 1, x);
    left[0] = size_of(x, r.model->n);
    level[index](s->audit, &s->state, x);
    left[1] = size_of(x, r.model->m);
    for (int k = 0; k < 2; k++) {
      assert_below(left[k], 1.0001 * stop[k], "%s: residual %d at t = %g", text, k, sn_time(s));
      found[k] = fmax(found[k], left[k] / stop[k]);
    }
  }
  if (!strstr(method, "full")) /* one iteration with a new matrix may leave next to nothing */
    assert_below(1e-3, fmax(found[0], found[1]), "%s: the iteration goes on", text);
  free(x);
  close_run(&r);
}

static void test_residuals(void **state) {
  (void)state;
  static const struct {
    const char *method;
    int index;
  } list[] = {{"newmark", 3},
              {"newmark, newton: broyden", 3}, /* Bulin */
              {"newmark, newton: full", 3},
              {"nstiff, newton: broyden", 3},
              {"gssss, scheme: newmark, index: 2, newton: full", 2}, /* Huang */
              {"gssss, scheme: newmark, index: 2, form: v, newton: broyden", 2},
              {"gssss, scheme: newmark, index: 1, newton: full", 1}};
  static const double stops[][2] = {{1e-5, 1e-7}, {1e-2, 1e-10}, {1e-8, 1e-8}};
  static const double loose[2] = {1e2, 1e-9}; /* only constraints, which are not linear */
  for (size_t i = 0; i < SN_COUNT(list); i++) {
    for (size_t k = 0; k < SN_COUNT(stops); k++)
      check_residuals("models/bulin-pendulum.yaml", list[i].method, list[i].index, stops[k]);
    check_residuals("models/rigid-double-pendulum.yaml", list[i].method, list[i].index, loose);
  }
}

/* Residuals that are never met end the run, with their numbers. */
static void test_residuals_missed(void **state) {
  (void)state;
  run r;
  open_with(&r, "models/bulin-pendulum.yaml", "type: newmark, step: 1e-3, newton: full, force_residual: 1e-18", 1);
  assert_int_equal(sn_advance(r.simulation, 1), SN_NUMERICS);
  const char *message = sn_message(r.context);
  if (!strstr(message, "of forces (allowed 1e-18)") || !strstr(message, "of constraints (allowed 1e-18)"))
    fail_msg("%s", message);
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_trajectory),      cmocka_unit_test(test_full_counts),
      cmocka_unit_test(test_broyden_saves),        cmocka_unit_test(test_schur_serves_many_steps),
      cmocka_unit_test(test_schur_needs_softness), cmocka_unit_test(test_residuals),
      cmocka_unit_test(test_residuals_missed),     cmocka_unit_test(test_age_costs_no_more_than_matrices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
