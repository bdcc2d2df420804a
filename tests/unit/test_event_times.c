/* test_event_times.c - times of events are as accurate as the tolerance of the integrator demands, against closed forms.
 *
 * A constant moment M turns a body about a fixed axis, phi = M t^2/(2 J), until an event locks the joint at phi = 15, or at
 * a time. Its velocity of 20 m/s ends there, so that a time that is wrong by d moves it by 20 d: with tolerances of 1e-9
 * and less, a time that is good to 1e-9 of the run is not good enough.
 *
 * And none is stepped over: expressions that cross zero and come back within much less than a step of a motion that
 * could be solved in one, counted by hand.
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

/* A body that goes from x = 1 at 1 m/s for 6 s. */
#define GOING(when, direction)                                                                                       \
  "sinew: 1\nbodies: {m: {type: rigid, position: [1, 0, 0], mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}}\n"    \
  "joints: {r: {type: prismatic, between: ['ground.at(1, 0, 0)', m.center], axis: [1, 0, 0]}}\n"                     \
  "tables: {b: {x: [0, 1, 1.001, 1.002, 4, 4.001, 4.002, 9], y: [0, 0, 1, 0, 0, 1, 0, 0], interpolation: linear}}\n" \
  "variables: {k: {held: 0}}\nevents: {e: {when: '" when "', direction: " direction                                  \
  ", set: {k: k + 1}}}\n"                                                                                            \
  "outputs: {m: {point: m.center}, k: {expression: k}}\nanalysis: {type: dynamics, duration: 6}\n"

static void narrow_events_happen(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double count;
  } models[] = {{GOING("exp(-((t - 3.217)/0.002)^2) - 0.5", "rising"), 1},
                {GOING("exp(-((t - 3.217)/0.002)^2) - 0.5", "both"), 2},
                {GOING("exp(-((m.center.x - 4)/0.001)^2) - 0.5", "falling"), 1},
                {GOING("if(m.center.x > 4.1 && m.center.x < 4.101, 1, -1)", "both"), 2},
                {GOING("if(t > 2.0005 && t < 2.001, 1, -1)", "both"), 2},
                {GOING("0.001 - mod(t, 0.5)", "rising"), 11},
                {GOING("b(t) - 0.5", "rising"), 2},
                {GOING("sin(3*t)*sin(1000*t) - 0.9995", "rising"), 20}};
  static const char *const methods[] = {"auto", "hht-i3", "erk"};
  for (size_t k = 0; k < SN_COUNT(models); k++)
    for (size_t i = 0; i < SN_COUNT(methods); i++) {
      run r;
      double x[1];
      open_run(&r, models[k].text, &(sn_options){.integrator = methods[i]});
      const sn_verdict v = verdict_of(&r, SN_OK);
      read_output(&r, "k", x, 1);
      if (x[0] != models[k].count) fail_msg("model %zu, %s: %g events", k, methods[i], x[0]);
      if (v.level != SN_GOOD) fail_msg("model %zu, %s: %s", k, methods[i], v.reasons);
      close_run(&r);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_locked_body), cmocka_unit_test(narrow_events_happen)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
