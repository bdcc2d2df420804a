/* test_kinks.c - forces and rates that change within a short way of the motion: none is stepped over, kinks are ends of
 * steps.
 *
 * A force F(x) along the way of a mass m does the work W = int F dx, whatever its shape: v1^2 = v0^2 + 2 W/m.
 */
#include "support.h"

static const char *const methods[] = {"radau", "hht-i3", "gam", "erk", "ida", "adams", "tr-bdf2", "nstiff"};
static const double widths[] = {0.001, 0.004, 0.03};

/* With numbers w (width) and c (place). */
#define CAR                                                                                               \
  "sinew: 1\ngravity: [0, 0, 0]\nparameters: {w: %.17g, c: %.17g}\n"                                      \
  "tables: {peak: {x: [0, 1, 2], y: [0, 1, 0], interpolation: linear}}\n"                                 \
  "bodies: {car: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [2, 2, 2], velocity: [1, 0, 0]}}\n" \
  "joints: {guide: {type: prismatic, between: ['ground.at(0, 0, 0)', car.center], axis: [1, 0, 0]}}\n"    \
  "outputs: {car: {joint: guide}}\n"                                                                      \
  "analysis: {type: dynamics, duration: 1, integrator: radau}\n"

/* Pulses of work 10 J at x = c, w wide. */
#define BOX(x) "if(" x " > c && " x " < c + w, 10/w, 0)"
#define BELL(x) "10/(w*sqrt(pi))*exp(-((" x " - c)/w)^2)"
#define TENT(x) "20/w*peak(2*(" x " - c)/w)"
#define HAT(x) "20/w*max(0, 1 - abs(" x " - c)*2/w)"
#define PUSH(f) "forces: {push: {type: force, at: car.center, force: ['" f "', 0, 0]}}\n"

typedef struct pulse {
  const char *name, *text;
} pulse;

static const pulse pulses[] = {
    {"box", PUSH(BOX("guide.position"))},
    {"bell", PUSH(BELL("guide.position"))},
    {"tent of a table", PUSH(TENT("guide.position"))},
    {"hat of max and abs", PUSH(HAT("guide.position"))},
    {"bell in the place of a marker", PUSH(BELL("car.center.x"))},
    {"box in a variable", "variables: {p: {value: 'guide.position - c'}}\n" PUSH("if(p > 0 && p < w, 10/w, 0)")},
    {"law of a spring",
     "forces: {law: {type: spring, between: ['ground.at(-1, 0, 0)', car.center], length: 1, force: "
     "'-" BELL("stretch") "'}}\n"},
    {"box in a distance", PUSH(BOX("(distance(car.center, ground.at(-3, 0, 0)) - 3)"))},
};

static void start(run *r, const char *text, double w, double c, const char *method, double tolerance, double step) {
  char model[3000];
  const sn_options options = {.integrator = method, .tolerance = tolerance, .step = step};
  snprintf(model, sizeof model, text, w, c);
  open_run(r, model, &options);
}

static double value(run *r, const char *output, int column) {
  double y[16] = {0};
  assert_true(sn_read(r->simulation, output, y, 16) > (size_t)column);
  return y[column];
}

/* Every pulse, width and method; places at random. */
static void positions(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (size_t p = 0; p < SN_COUNT(pulses); p++)
    for (size_t i = 0; i < SN_COUNT(methods); i++) {
      const double w = widths[(p + i) % SN_COUNT(widths)], c = 0.5 + 0.2 * noise(&seed);
      char text[2500];
      run r;
      snprintf(text, sizeof text, "%s%s", CAR, pulses[p].text);
      start(&r, text, w, c, methods[i], 1e-5, 0);
      advance(&r, 1);
      assert_below(fabs(value(&r, "car", 1) - sqrt(1 + 10)), 3e-4, "%s, %g wide at %g, %s", pulses[p].name, w, c,
                   methods[i]);
      close_run(&r);
    }
}

/* Moment on a wheel: I w1^2 = I w0^2 + 2 W. */
static void angles(void **state) {
  (void)state;
  static const char *const text =
      "sinew: 1\ngravity: [0, 0, 0]\nparameters: {w: %.17g, c: %.17g}\n"
      "bodies: {wheel: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [2, 2, 2], angular_velocity: [0, 0, 1]}}\n"
      "joints: {pin: {type: revolute, between: ['ground.at(0, 0, 0)', wheel.center], axis: [0, 0, 1]}}\n"
      "forces: {push: {type: moment, at: wheel.center, moment: [0, 0, '" BELL("pin.angle") "']}}\n"
      "outputs: {wheel: {joint: pin}}\n"
      "analysis: {type: dynamics, duration: 1, integrator: radau}\n";
  for (size_t i = 0; i < SN_COUNT(methods); i++) {
    run r;
    start(&r, text, widths[i % 3], 0.37, methods[i], 1e-5, 0);
    advance(&r, 1);
    assert_below(fabs(value(&r, "wheel", 1) - sqrt(11)), 3e-4, "%s", methods[i]);
    close_run(&r);
  }
}

/* m v' = 1 + P inside a range w of velocities, 1 elsewhere: passing it takes m w/(1 + P) instead of m w. */
static void velocities(void **state) {
  (void)state;
  char text[2500];
  snprintf(text, sizeof text, "%s%s", CAR, PUSH("1 + if(guide.velocity > 1.2 && guide.velocity < 1.2 + w, 9, 0)"));
  for (size_t i = 0; i < SN_COUNT(methods); i++) {
    const double w = widths[i % 3], m = 2, gain = m * w * (1 - 1.0 / 10);
    run r;
    start(&r, text, w, 0.5, methods[i], 1e-5, 0);
    advance(&r, 1);
    assert_below(fabs(value(&r, "car", 1) - (1 + (1 + gain) / m)), 3e-5, "%s, %g wide", methods[i], w);
    close_run(&r);
  }
}

/* z' = pulse(x) where x passes with speed 1: z = 10; and a force that is a pulse of a variable u = t: m v = m + 10. */
static void rates(void **state) {
  (void)state;
  for (int force = 0; force < 2; force++)
    for (size_t i = 0; i < SN_COUNT(methods); i++) {
      char text[2500];
      run r;
      snprintf(text, sizeof text, "%s%s", CAR,
               force ? "variables: {u: {rate: 1}}\n" PUSH(BOX("u"))
                     : "variables: {z: {rate: '" BELL("guide.position") "'}}\n");
      start(&r, text, widths[i % 3], 0.6, methods[i], 1e-5, 0);
      advance(&r, 1);
      if (force)
        assert_below(fabs(value(&r, "car", 1) - 6), 3e-4, "%s: impulse", methods[i]);
      else
        assert_below(fabs(value(&r, "z", 0) - 10), 3e-3, "%s: z", methods[i]);
      close_run(&r);
    }
}

/* Two ropes of stiffness k that go slack: free flight and half oscillations, as between elastic stops. */
static void slack_ropes(void **state) {
  (void)state;
  char text[2500];
  snprintf(text, sizeof text, "%s%s", CAR,
           PUSH("-5e4*max(0, guide.position - c + 0*w) + 5e4*max(0, -c - guide.position)"));
  const double m = 2, k = 5e4, c = 0.05, half = 2 * c + PI / sqrt(k / m);
  for (size_t i = 0; i < SN_COUNT(methods); i++) {
    run r;
    start(&r, text, 0, c, methods[i], 1e-6, 0);
    const double t = go_to(&r, 4 * half); /* in the middle, as at the start */
    assert_below(fabs(value(&r, "car", 0) - (t - 4 * half)), 1e-4, "%s: place after four turns", methods[i]);
    assert_below(fabs(fabs(value(&r, "car", 1)) - 1), 3e-4, "%s: speed after four turns", methods[i]);
    close_run(&r);
  }
}

/* Fixed steps stay as they are, and the run is not called good. */
static void fixed_steps(void **state) {
  (void)state;
  static const char *const fixed[] = {"radau", "hht-i3", "newmark", "symplectic-euler"};
  for (size_t p = 0; p < SN_COUNT(pulses); p += 2)
    for (size_t i = 0; i < SN_COUNT(fixed); i++)
      for (int fine = 0; fine < 2; fine++) {
        char text[2500];
        run r;
        snprintf(text, sizeof text, "%s%s", CAR, pulses[p].text);
        start(&r, text, fine ? 0.03 : 0.004, 0.503, fixed[i], 0, fine ? 5e-4 : 0.01);
        advance(&r, 1);
        const long unseen = r.simulation->system->statistics.unseen_loads;
        if ((unseen > 0) != (fine == 0)) fail_msg("%s by %s: %ld steps unseen", pulses[p].name, fixed[i], unseen);
        close_run(&r);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positions), cmocka_unit_test(angles),      cmocka_unit_test(velocities),
      cmocka_unit_test(rates),     cmocka_unit_test(slack_ropes), cmocka_unit_test(fixed_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
