/* test_beam_motion.c - fully parameterized beams in motion: locking on the flexible pendulum (B1), the stiff pendulum
 * of Hussein (B3), free flight. */
#include "kinds/kinds.h"
#include "support.h"

static char *format(const char *pattern, ...) SN_PRINTF(1, 2);
static char *format(const char *pattern, ...) {
  va_list arguments;
  char *text = malloc(2000);
  va_start(arguments, pattern);
  vsnprintf(text, 2000, pattern, arguments);
  va_end(arguments);
  return text;
}

static void open_text(run *r, char *text, const sn_options *options) {
  open_run(r, text, options);
  free(text);
}

/* ---- B1 ---- */

/* Tip of the flexible pendulum after 1 s. */
static void pendulum_tip(const char *type, int elements, double tip[3]) {
  run r;
  sn_options options = {.integrator = "{type: hht-i3, bounds: step}", .tolerance = 1e-6, .until = 1};
  open_text(&r,
            format("sinew: 1\ngravity: [0, -9.81, 0]\nmaterials: {m: {density: 7200, young: 2e7, poisson: 0.3}}\n"
                   "sections: {s: {type: rectangle, width: 0.02, height: 0.02}}\n"
                   "bodies: {rod: {%s, from: [0, 0, 0], to: [1, 0, 0], elements: %d, material: m, section: s}}\n"
                   "joints: {pin: {type: spherical, between: [ground, rod.start]}}\noutputs: {tip: {point: rod.end}}\n",
                   type, elements),
            &options);
  sn_row row;
  sn_row_create(r.simulation, &row);
  advance(&r, 1);
  sn_sample(r.simulation, 1, &row);
  memcpy(tip, row.values, 3 * sizeof(double));
  close_run(&r);
}

/* Far from the tip of a converged cable (-0.9267, 0.1043, itself within 3e-4 of the reference of B1 for 10 elements)?
 * The section's inertia and shear, which a cable lacks, move the tip by about 1e-3 (they vanish as h^2). */
static void test_locking(void **state) {
  (void)state;
  static const double reference[3] = {-0.926413692, 0.104542175, 0}; /* B1, 10 cables */
  double cable[3], tip[3], error[2];
  pendulum_tip("type: cable", 10, tip);
  assert_below(distance(tip, reference, 3), 5e-5, "10 cables against the reference");
  pendulum_tip("type: cable", 20, cable);
  for (int k = 0; k < 2; k++) {
    pendulum_tip("type: beam, elastic: selective", 10 << k, tip);
    error[k] = distance(tip, cable, 3);
  }
  assert_below(error[1], 2e-3, "selective against the cable, 20 elements");
  assert_below(error[1] / error[0], 0.5, "selective against the cable, 20 elements over 10");
  pendulum_tip("type: beam, elastic: elastic-line", 10, tip);
  assert_below(distance(tip, cable, 3), 1e-3, "elastic-line against the cable");
  pendulum_tip("type: beam", 10, tip);
  assert_below(distance(tip, cable, 3), 1e-3, "timoshenko against the cable");
  for (int k = 0; k < 2; k++) {
    pendulum_tip("type: beam, elastic: continuum", 10 << k, tip);
    error[k] = distance(tip, cable, 3);
    assert_below(6e-3, error[k], "continuum stays away from the cable");
  }
}

/* ---- B3: all moduli run, at a cost that hardly depends on them ---- */

static void test_hussein(void **state) {
  (void)state;
  double least = INFINITY, most = 0;
  for (int k = 5; k <= 11; k++) {
    char set[20];
    const char *sets[2] = {set, "bounds=step"};
    snprintf(set, sizeof set, "E=2e%d", k);
    sn_context *context = sn_context_create();
    sn_model *model;
    sn_simulation *simulation = NULL;
    if (sn_model_load(context, "models/hussein-pendulum.yaml", sets, 2, &model) ||
        sn_simulation_create(model, NULL, &simulation) || sn_advance(simulation, 1))
      fail_msg("%s: %s", set, sn_message(context));
    sn_row row;
    sn_row_create(simulation, &row);
    sn_sample(simulation, 1, &row);
    assert_below(fabs(row.energy[SN_E_ERROR]) / 10, 2e-3, "%s: energy error of 10 J", set);
    /* work, not seconds: residuals and matrices (a matrix costs about ten residuals) */
    const sn_statistics *s = sn_simulation_statistics(simulation);
    double work = (double)(s->residuals + 10 * s->jacobians);
    least = fmin(least, work), most = fmax(most, work);
    /* as good as rigid: angle of a physical pendulum, by integrating phi'' = -(3/2) g L cos phi/(L^2 + h^2/4) */
    if (k == 11) {
      double a = 0, w = 0, h = 1e-4, f = 1.5 * 9.81 * 0.4 / (0.16 + 0.0004);
      for (int i = 0; i < 10000; i++) { /* leapfrog */
        w -= h / 2 * f * cos(a);
        a += h * w;
        w -= h / 2 * f * cos(a);
      }
      assert_below(hypot(row.values[0] - 0.4 * cos(a), row.values[1] - 0.4 * sin(a)), 2e-3, "against a rigid rod [m]");
    }
    sn_simulation_free(simulation);
    sn_model_free(model);
    sn_context_free(context);
  }
  /* an explicit method needs steps as sqrt(1/E): 1,000 times the work */
  assert_below(most / least, 4, "work, most over least");
}

/* ---- free flight: momentum and energy are kept ---- */

static void test_free_flight(void **state) {
  (void)state;
  static const char *const type[] = {"beam, elastic: selective", "beam, elastic: continuum",
                                     "beam, elastic: elastic-line", "beam2d"};
  for (int which = 0; which < 4; which++) {
    run r;
    bool flat = which == 3;
    sn_options options = {.integrator = "{type: hht-i3, bounds: step}", .tolerance = 1e-7, .until = 0.5};
    open_text(&r,
              format("sinew: 1\n%sgravity: [0, 0, 0]\nmaterials: {m: {density: 1000, young: 2e5, poisson: 0.3}}\n"
                     "sections: {s: {type: rectangle, width: 0.03, height: 0.05}}\n"
                     "bodies:\n  rod: {type: %s, from: [0, 0, 0], via: [0.5, 0.1, 0], to: [1, 0, 0], elements: 4, "
                     "material: m, section: s, velocity: [1, 2, 0], angular_velocity: [%s, 5]}\n",
                     flat ? "planar: true\n" : "", type[which], flat ? "0, 0" : "3, 4"),
              &options);
    sn_row start, end;
    sn_row_create(r.simulation, &start);
    sn_row_create(r.simulation, &end);
    sn_sample(r.simulation, 0, &start);
    advance(&r, 0.5);
    sn_sample(r.simulation, 0.5, &end);
    assert_true(end.energy[SN_E_STRAIN] > 1e-3); /* it has bent and stretched */
    assert_below(distance(start.momentum, end.momentum, 3), 1e-9, "%s: linear momentum", type[which]);
    assert_below(distance(start.momentum + 3, end.momentum + 3, 3), 1e-5, "%s: angular momentum", type[which]);
    assert_below(fabs(end.energy[SN_E_ERROR]) / start.energy[SN_E_KINETIC], 1e-5, "%s: energy", type[which]);
    close_run(&r);
  }
}

/* ---- models that cannot be ---- */

static void expect_error(const char *text, const char *message) {
  sn_context *context = sn_context_create();
  sn_model *model;
  assert_int_equal(sn_model_parse(context, "wrong", text, strlen(text), NULL, 0, &model), SN_BAD_MODEL);
  if (!strstr(sn_message(context), message)) fail_msg("'%s' is not in: %s", message, sn_message(context));
  sn_context_free(context);
}

static void test_wrong(void **state) {
  (void)state;
#define WRONG(top, material, section, body)                                                        \
  "sinew: 1\n" top "materials: {m: {density: 1, young: 1e6" material "}}\nsections: {s: {" section \
  "}}\nbodies: {rod: {" body ", material: m, section: s}}\n"
#define SQUARE "type: rectangle, width: 1, height: 1"
#define STRAIGHT ", from: [0, 0, 0], to: [1, 0, 0]"
  expect_error(WRONG("", "", SQUARE, "type: beam2d" STRAIGHT), "a beam2d needs a planar model");
  expect_error(WRONG("planar: true\n", "", SQUARE, "type: beam" STRAIGHT), "a beam needs a model in space");
  expect_error(WRONG("planar: true\n", "", "type: circle, radius: 1", "type: beam2d" STRAIGHT),
               "cannot have a section of type circle");
  expect_error(WRONG("", ", poisson: 0.5", SQUARE, "type: beam, elastic: selective" STRAIGHT), "is incompressible");
  expect_error(WRONG("", "", SQUARE, "type: beam, up: [2, 0, 0]" STRAIGHT),
               "'up' of beam 'rod' is parallel to the line at its start");
  expect_error(WRONG("", "", SQUARE, "type: beam, elastic: continuum, k2: 1" STRAIGHT), "no shear factors");
  expect_error(WRONG("", "", "type: general, A: 1, Iyy: 0, Izz: 1", "type: beam" STRAIGHT), "has no height or width");
  expect_error(WRONG("", "", "type: general, A: 1, Iyy: 1, Izz: 1", "type: beam, elastic: elastic-line" STRAIGHT),
               "has no torsion constant");
  expect_error(WRONG("", "", SQUARE, "type: beam, from: [0, 0, 0], to: [0, 0, 0]"), "beam 'rod' has no length");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_locking),
      cmocka_unit_test(test_hussein),
      cmocka_unit_test(test_free_flight),
      cmocka_unit_test(test_wrong),
  };
  return cmocka_run_group_tests_name("beams in motion", tests, NULL, NULL);
}
