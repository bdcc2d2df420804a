/* test_event_times.c - times of events are as accurate as the tolerance of the integrator demands, against closed forms.
 *
 * A constant moment M turns a body about a fixed axis, phi = M t^2/(2 J), until an event locks the joint at phi = 15, or at
 * a time. Its velocity of 20 m/s ends there, so that a time that is wrong by d moves it by 20 d: with tolerances of 1e-9
 * and less, a time that is good to 1e-9 of the run is not good enough.
 *
 * And none is stepped over: expressions that cross zero and come back within much less than a step of a motion that
 * could be solved in one, counted by hand.
 */
#include "math/constants.h"
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

/* A slider at x is held until t = 0.5, is driven by a spring from one end of its travel to the other in half a period,
 * pi/w = 0.1 pi, and is held there. Before and after, its velocity is zero up to rounding, with either sign. */
#define HELD                                                                                                    \
  "sinew: 1\nplanar: true\nparameters: {x: %g, m: %g}\n"                                                        \
  "bodies: {a: {type: rigid, position: [x, 0, 0], mass: m, inertia: [1, 1, 1]}}\n"                              \
  "joints: {s: {type: prismatic, between: ['ground.at(x, 0, 0)', a.center], axis: [1, 0, 0]}}\n"                \
  "forces: {k: {type: spring, between: ['ground.at(x - 1, 0, 0)', a.center], stiffness: 100*m, length: 1.1}}\n" \
  "variables: {n: {held: 0}}\n"                                                                                 \
  "events:\n"                                                                                                   \
  "  go: {when: t - 0.5, release: s, locked_at_start: true}\n"                                                  \
  "  top: {when: s.velocity, direction: falling, if: 't > 0.51', lock: s, set: {n: n + 1}}\n"                   \
  "outputs: {s: {joint: s}, n: {expression: n}}\nanalysis: {type: dynamics, duration: 1.5, companion: false}\n"

static void no_events_at_rest(void **state) {
  (void)state;
  static const char *const methods[] = {"radau", "gam", "hht-i3", "nstiff", "gssss", "ida", "adams", "erk", "tr-bdf2"};
  static const double tolerances[] = {1e-5, 1e-6, 1e-8}, models[][2] = {{0, 2}, {1000, 2}, {0.3, 1e6}};
  for (size_t k = 0; k < SN_COUNT(models); k++)
    for (size_t i = 0; i < SN_COUNT(methods); i++)
      for (size_t j = 0; j < SN_COUNT(tolerances) - (i > 1 && i < 6); j++) {
        char text[2000];
        run r;
        double n, x[2];
        snprintf(text, sizeof text, HELD, models[k][0], models[k][1]);
        open_run(&r, text, &(sn_options){.integrator = methods[i], .tolerance = tolerances[j]});
        const sn_verdict v = verdict_of(&r, SN_OK);
        read_output(&r, "n", &n, 1);
        read_output(&r, "s", x, 2);
        if (strstr(v.reasons, "could not be found"))
          fail_msg("%zu, %s, %g: %s", k, methods[i], tolerances[j], v.reasons);
        assert_below(fabs(n - 1), 0, "%zu, %s, %g: events", k, methods[i], tolerances[j]);
        assert_below(fabs(x[0] - 0.2), 20 * tolerances[j] * fmax(1, models[k][0]), "%zu, %s, %g: place of the lock", k,
                     methods[i], tolerances[j]);
        assert_below((double)r.simulation->system->statistics.cut_steps, 60, "%zu, %s, %g: steps taken back", k,
                     methods[i], tolerances[j]);
        close_run(&r);
      }
}

/* Small is not at rest: an amplitude of 1e-9 m, and a variable of 1e-12. Zeros of the velocity at pi/20, ..., of the
 * variable at pi/20, too. */
static void small_motions_have_events(void **state) {
  (void)state;
  static const char text[] =
      "sinew: 1\nbodies: {a: {type: point-mass, position: [1e-9, 0, 0], mass: 1}}\n"
      "forces: {f: {type: force, at: a, force: [-400*a.x, 0, 0]}}\n"
      "variables: {c: {rate: 2e-11*cos(20*t)}, n: {held: 0}, m: {held: 0}, at: {held: 0}, of: {held: 0}}\n"
      "events:\n"
      "  turned: {when: a.vx, direction: rising, set: {n: n + 1, at: t}}\n"
      "  passed: {when: c, direction: falling, set: {m: m + 1, of: t}}\n"
      "outputs: {n: {expression: n}, m: {expression: m}, at: {expression: at}, of: {expression: of}}\n"
      "analysis: {type: dynamics, duration: 0.3, integrator: {type: radau, relative: 1e-8, absolute: 1e-15}}\n";
  run r;
  double x[4];
  open_run(&r, text, NULL);
  const sn_verdict v = verdict_of(&r, SN_OK);
  (void)v;
  static const char *const names[] = {"n", "m", "at", "of"};
  for (int k = 0; k < 4; k++) read_output(&r, names[k], &x[k], 1);
  assert_below(fabs(x[0] - 1) + fabs(x[1] - 1), 0, "events: one of each");
  assert_below(fabs(x[2] - SN_PI / 20), 1e-6, "time of the end of the swing [s]");
  assert_below(fabs(x[3] - SN_PI / 20), 1e-6, "time of the zero of the variable [s]");
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_locked_body), cmocka_unit_test(narrow_events_happen),
                                     cmocka_unit_test(no_events_at_rest), cmocka_unit_test(small_motions_have_events)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
