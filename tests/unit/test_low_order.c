/* test_low_order.c - hht-add, hht-si2, nstiff, nstiff-si2: drift, orders on benchmark models, adaptive steps.
 *
 * Their orders on small problems: test_integrators.c.
 */
#include "analysis/checkpoint.h"
#include "support.h"

#define HEAD "sinew: 1\ngravity: [0, -9.81, 0]\n"

/* ---- drift ---- */

/* Largest |G v + Phi_t| over all steps, relative to the largest velocity (at least 1). */
static double velocity_drift(const char *model, const sn_options *options) {
  run r;
  double most = 0, phi[200];
  open_run(&r, model, options);
  assert_true(r.model->m > 0 && r.model->m <= 200);
  while (sn_time(r.simulation) < options->until) {
    if (sn_step(r.simulation)) fail_msg("%s: %s", options->integrator, sn_message(r.context));
    const sn_state *s = &r.simulation->state;
    sn_system_velocity(r.simulation->system, s, phi);
    most = fmax(most, largest(phi, r.model->m) / fmax(1, largest(s->v, r.model->n)));
  }
  close_run(&r);
  return most;
}

static void test_velocity_drift(void **state) {
  (void)state;
  static const char *const methods[] = {"{type: hht-add, bounds: step}", "{type: hht-si2, bounds: step}",
                                        "{type: nstiff-si2, bounds: step}"};
  static const char *const models[] = {DRIVEN, "models/double-pendulum-springs.yaml",
                                       "models/flexible-slider-crank.yaml"};
  for (size_t i = 0; i < SN_COUNT(models); i++) {
    for (size_t k = 0; k < SN_COUNT(methods); k++) {
      sn_options fixed = {.integrator = methods[k], .step = 1e-3, .until = 0.2}, adaptive = fixed;
      adaptive.step = 0;
      adaptive.tolerance = 1e-5;
      assert_below(velocity_drift(models[i], &fixed), 1e-12, "%s, model %zu, fixed: G v + Phi_t", methods[k], i);
      assert_below(velocity_drift(models[i], &adaptive), 1e-12, "%s, model %zu: G v + Phi_t", methods[k], i);
    }
    sn_options plain = {.integrator = "nstiff", .step = 1e-3, .until = 0.2}; /* the test sees drift where there is */
    assert_true(velocity_drift(models[i], &plain) > 1e-9);
  }
}

/* ---- orders ---- */

static void end_of(const char *model, const sn_options *options, double *x, int n) {
  run r;
  open_run(&r, model, options);
  assert_int_equal(r.model->n, n);
  advance(&r, options->until);
  memcpy(x, r.simulation->state.q, (size_t)n * sizeof(double));
  memcpy(x + n, r.simulation->state.v, (size_t)n * sizeof(double));
  close_run(&r);
}

typedef struct problem {
  const char *name, *model;
  int n;
  double step, time;
  double gain; /* tolerance 1e-9 in place of 1e-6 makes the error smaller by this at least */
} problem;

static const problem problems[] = {
    {"Andrews", "models/andrews.yaml", 21, 1e-5, 0.01, 20},
    /* A4: its stiff damper has a rate of 1e5/s, which fixed steps would have to resolve to show their order; adaptive
     * steps grow only slowly after that transient, so that a loose tolerance is met by far */
    {"double pendulum", "models/double-pendulum-springs.yaml", 6, 0, 0.2, 4},
};

static const char *const methods[] = {"hht-add", "hht-si2", "nstiff", "nstiff-si2"};

static void test_orders(void **state) {
  (void)state;
  for (size_t i = 0; i < SN_COUNT(problems) && problems[i].step > 0; i++)
    for (size_t k = 0; k < SN_COUNT(methods); k++) {
      const problem *p = &problems[i];
      double x[3][100];
      for (int j = 0; j < 3; j++) {
        sn_options options = {.integrator = methods[k], .step = p->step / (1 << j), .until = p->time};
        end_of(p->model, &options, x[j], p->n);
      }
      for (int part = 0; part < 2; part++) {
        int at = part * p->n;
        double order = log2(distance(x[0] + at, x[1] + at, p->n) / distance(x[1] + at, x[2] + at, p->n));
        assert_below(fabs(order - 2), 0.15, "order %.3f of %s in %c, %s: off", order, methods[k], part ? 'v' : 'q',
                     p->name);
      }
    }
}

/* ---- adaptive steps, against radau5 with a tight tolerance ---- */

static void test_adaptive(void **state) {
  (void)state;
  for (size_t i = 0; i < SN_COUNT(problems); i++) {
    const problem *p = &problems[i];
    double exact[100], x[100];
    sn_options reference = {.integrator = "radau5", .tolerance = 1e-11, .until = p->time};
    end_of(p->model, &reference, exact, p->n);
    for (size_t k = 0; k < SN_COUNT(methods); k++) {
      double error[2];
      for (int j = 0; j < 2; j++) {
        char of_step[60];
        snprintf(of_step, sizeof of_step, "{type: %s, bounds: step}", methods[k]);
        sn_options options = {.integrator = of_step, .tolerance = j ? 1e-9 : 1e-6, .until = p->time};
        end_of(p->model, &options, x, p->n);
        error[j] = distance(x, exact, p->n);
      }
      /* local error ~ h^3, global ~ h^2: a tolerance 1000 times smaller makes an error 100 times smaller */
      assert_below(error[1], error[0] / p->gain, "%s, %s: error with 1e-9", methods[k], p->name);
      assert_below(error[1], 1e-4, "%s, %s: error with 1e-9", methods[k], p->name);
    }
  }
}

/* A stiff rod: corrections of positions along M alone moved its deformations, and a third of all steps was rejected. */
static void test_few_rejections(void **state) {
  (void)state;
  static const char *const stabilized[] = {"{type: hht-si2, bounds: step}", "{type: nstiff-si2, bounds: step}"};
  for (int k = 0; k < 2; k++) {
    run r;
    sn_options options = {.integrator = stabilized[k], .tolerance = 1e-5, .until = 0.5};
    open_run(&r, "models/flexible-slider-crank.yaml", &options);
    advance(&r, 0.5);
    const sn_statistics *s = sn_simulation_statistics(r.simulation);
    assert_below((double)s->error_rejections / (double)s->steps, 0.1, "%s: steps rejected", stabilized[k]);
    close_run(&r);
  }
}

/* ---- local errors ---- */

/* bounds: run. Small steps do not each pay for an error estimate; a run that goes on from a checkpoint finds the errors of
 * the same steps. */
static void test_estimates(void **state) {
  (void)state;
  static const char *const models[] = {"models/pendulum.yaml", "models/bulin-pendulum.yaml"};
  for (int k = 0; k < 8; k++) { /* each with four steps in a row */
    const int i = k / 4;
    const sn_options options = {.integrator = "hht-i3", .tolerance = 1e-4, .until = 0.12};
    run r, again;
    sn_history history = {0};
    open_run(&r, models[i], &options);
    advance(&r, 0.1);
    while (r.simulation->system->statistics.steps % 4 != k % 4)
      if (sn_step(r.simulation)) fail_msg("%s", sn_message(r.context));
    sn_checkpoint_save(r.simulation, &history);
    open_run(&again, models[i], &options);
    assert_int_equal(sn_checkpoint_load(again.simulation, &history), SN_OK);
    assert_int_equal(sn_run(r.simulation), SN_OK);
    assert_int_equal(sn_run(again.simulation), SN_OK);
    const sn_statistics *x = &r.simulation->system->statistics, *y = &again.simulation->system->statistics;
    const double estimates = (double)(x->residuals - x->iterations) / (double)x->steps;
    assert_below(estimates, 0.6, "%s: estimates in a step", models[i]);
    /* a new matrix changes no more than rounding */
    assert_int_equal(x->steps, y->steps);
    assert_int_equal(x->residuals - x->iterations, y->residuals - y->iterations);
    assert_below(fabs(y->local_error / x->local_error - 1), 1e-6, "%s: sum of the local errors", models[i]);
    sn_history_free(&history);
    close_run(&r);
    close_run(&again);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_velocity_drift), cmocka_unit_test(test_orders),    cmocka_unit_test(test_adaptive),
      cmocka_unit_test(test_few_rejections), cmocka_unit_test(test_estimates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
