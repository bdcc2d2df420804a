/* test_event_times.c - times of events are as accurate as the tolerance of the integrator demands, against closed forms.
 *
 * A constant moment M turns a body about a fixed axis, phi = M t^2/(2 J), until an event locks the joint at phi = 15, or at
 * a time. Its velocity of 20 m/s ends there, so that a time that is wrong by d moves it by 20 d: with tolerances of 1e-9
 * and less, a time that is good to 1e-9 of the run is not good enough.
 */
#include "support.h"

#define LOCKED(planar, axis, when)                                                                                \
  "sinew: 1\nplanar: " planar                                                                                     \
  "\ngravity: [0, 0, 0]\n"                                                                                        \
  "bodies: {b: {type: rigid, position: [1, 0, 0], mass: 2, inertia: [0.1, 0.2, 0.3], points: {p: [-1, 0, 0]}}}\n" \
  "joints: {h: {type: revolute, between: [ground, b.p]" axis                                                      \
  "}}\n"                                                                                                          \
  "forces: {m: {type: actuator, joint: h, command: 30}}\n"                                                        \
  "events: {latch: {when: " when                                                                                  \
  ", lock: h}}\n"                                                                                                 \
  "outputs: {p: {point: b.center}, h: {joint: h}, r: {reaction: h}}\n"                                            \
  "analysis: {type: dynamics, duration: 3, output_step: 0.05}\n"

static void test_locked_body(void **state) {
  (void)state;
  static const double J = 2.3, M = 30, t = 1.4;
  static const struct {
    const char *text;
    double angle;
  } models[] = {{LOCKED("true", "", "h.angle - 15"), 15},
                {LOCKED("false", ", axis: [0, 0, 1]", "h.angle - 15"), 15},
                {LOCKED("false", ", axis: [0, 0, 1]", "t - 1.4"), M * t * t / (2 * J)}};
  static const char *const methods[] = {"erk", "radau", "gam"};
  static const double tolerances[] = {1e-6, 1e-8, 1e-9};
  for (size_t k = 0; k < SN_COUNT(models); k++)
    for (size_t i = 0; i < SN_COUNT(methods); i++)
      for (size_t j = 0; j < SN_COUNT(tolerances); j++) {
        run r;
        double x[9];
        sn_options options = {.integrator = methods[i], .tolerance = tolerances[j]};
        open_run(&r, models[k].text, &options);
        const sn_verdict v = verdict_of(&r, SN_OK);
        read_output(&r, "p", x, 2);
        const double off = hypot(x[0] - cos(models[k].angle), x[1] - sin(models[k].angle));
        assert_below(off, 5 * tolerances[j], "model %zu, %s, %g: place of the lock", k, methods[i], tolerances[j]);
        if (v.level != SN_GOOD) fail_msg("model %zu, %s, %g: %s", k, methods[i], tolerances[j], v.reasons);
        close_run(&r);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_locked_body)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
