/* test_mechanisms_slow.c - random mechanisms: what must hold of any of them, by methods that run everywhere.
 *
 * The same mechanism turned, or with its bodies, joints and forces in another order, moves the same way; free systems
 * keep momentum; a tighter tolerance is not worse; two methods agree, and no run is called good that is far off.
 */
#include "math/quat.h"
#include "mechanism.h"
#include "support.h"

static const family rigid[] = {CHAIN, BRANCHED, SPACE_LOOP, REPEATED, DRIVEN_CHAIN, FLYING};

static void run_method(family kind, uint64_t seed, const mechanism_options *options, const char *method,
                       double tolerance, sn_trial *t) {
  char integrator[80];
  snprintf(integrator, sizeof integrator, "{type: %s, tolerance: %g}", method, tolerance);
  mechanism_run(kind, seed, options, integrator, 0.5, t);
  if (t->status) fail_msg("%s %d by %s at %g: %s", family_names[kind], (int)seed, method, tolerance, t->message);
}

/* Vectors of all outputs back in the axes they had before the turn. */
static void turn_back(sn_trial *t, const double turn[4]) {
  for (int i = 0; i < t->rows * t->outputs; i += 3) {
    double x[3] = {t->output[i], t->output[i + 1], t->output[i + 2]};
    sn_quat_unrotate(turn, x, t->output + i);
  }
}

/* Of positions and velocities to their size, of reactions to theirs: the first `points` outputs have 9 columns. */
static double distance_of_outputs(const sn_trial *a, const sn_trial *b, bool reactions, int points) {
  double off = 0, size = reactions ? 0 : 1;
  if (a->rows != b->rows || a->outputs != b->outputs) return INFINITY;
  for (int i = 0; i < a->rows; i++)
    for (int k = 0; k < a->outputs; k++) {
      bool position = k < 9 * points && k % 9 < 3;
      if (reactions ? k < 9 * points : !position) continue;
      double x = a->output[i * a->outputs + k], y = b->output[i * b->outputs + k];
      off = fmax(off, fabs(x - y));
      size = fmax(size, fabs(y));
    }
  return off / size;
}

static int points_of(const sn_trial *t) {
  return t->columns[SN_POSITIONS] / 3;
}

/* Turned by any rotation, and in any order: to the tolerance, as steps differ by rounding and choices of it. */
static void test_invariance(void **state) {
  static const double turn[4] = {0.5, 0.1, -0.7, 0.5};
  const double tolerance = 1e-8;
  (void)state;
  for (size_t k = 0; k < SN_COUNT(rigid); k++)
    for (uint64_t seed = 100; seed < 104; seed++) {
      static const char *const methods[] = {"radau", "hht-i3"};
      for (size_t i = 0; i < SN_COUNT(methods); i++) {
        sn_trial plain, turned, mixed;
        run_method(rigid[k], seed, NULL, methods[i], tolerance, &plain);
        run_method(rigid[k], seed, &(mechanism_options){.turn = turn}, methods[i], tolerance, &turned);
        run_method(rigid[k], seed, &(mechanism_options){.shuffle = seed}, methods[i], tolerance, &mixed);
        turn_back(&turned, turn);
        int points = points_of(&plain);
        double factor = i == 0 ? 10 : 1000; /* hht-i3 has such errors at all, and its steps differ in number */
        assert_below(distance_of_outputs(&turned, &plain, false, points), factor * tolerance, "%s %d by %s, turned",
                     family_names[rigid[k]], (int)seed, methods[i]);
        assert_below(distance_of_outputs(&turned, &plain, true, points), 10 * factor * tolerance,
                     "reactions of %s %d by %s, turned", family_names[rigid[k]], (int)seed, methods[i]);
        assert_below(distance_of_outputs(&mixed, &plain, false, points), factor * tolerance,
                     "%s %d by %s, in another order", family_names[rigid[k]], (int)seed, methods[i]);
        assert_below(distance_of_outputs(&mixed, &plain, true, points), 10 * factor * tolerance,
                     "reactions of %s %d by %s, in another order", family_names[rigid[k]], (int)seed, methods[i]);
        sn_trial_free(&plain);
        sn_trial_free(&turned);
        sn_trial_free(&mixed);
      }
    }
}

/* Against adams: errors fall with the tolerance, or stay below it; no run is good whose error is beyond 30 tolerances
 * (ten, times three for mechanisms that part with their neighbors exponentially). */
static void test_tolerance(void **state) {
  static const char *const methods[] = {"radau", "gam", "ida", "erk"};
  static const double tolerances[] = {1e-4, 1e-6, 1e-8};
  (void)state;
  for (int kind = 0; kind < FAMILIES; kind++)
    for (uint64_t seed = 200; seed < 204 && kind != STIFF && kind != FLEXIBLE_LOOP && kind != SOFT; seed++) {
      sn_trial reference, t;
      run_method((family)kind, seed, NULL, "adams", 1e-10, &reference);
      for (size_t i = 0; i < SN_COUNT(methods); i++) {
        double before = INFINITY;
        for (size_t k = 0; k < SN_COUNT(tolerances); k++) {
          run_method((family)kind, seed, NULL, methods[i], tolerances[k], &t);
          double error =
              sn_trial_distance(&t, &reference, SN_POSITIONS) / fmax(1, sn_trial_scale(&reference, SN_POSITIONS));
          assert_below(error, fmax(1.5 * before, tolerances[k]), "%s %d by %s gets worse at %g", family_names[kind],
                       (int)seed, methods[i], tolerances[k]);
          if (t.trust == SN_GOOD)
            assert_below(error, 30 * tolerances[k], "%s %d by %s at %g is called good", family_names[kind], (int)seed,
                         methods[i], tolerances[k]);
          before = error;
          sn_trial_free(&t);
        }
      }
      sn_trial_free(&reference);
    }
}

/* Linear and angular momentum of what nothing holds. */
static void test_momentum(void **state) {
  (void)state;
  for (uint64_t seed = 300; seed < 312; seed++) {
    sn_arena arena = {0};
    run r;
    char *text = mechanism_text(&arena, FLYING, seed, NULL);
    text = sn_format(&arena,
                     "%sanalysis: {type: dynamics, duration: 0.5, integrator: {type: radau, tolerance: 1e-9}}\n", text);
    open_run(&r, text, NULL);
    double first[6], last[6];
    sn_system_momentum(r.simulation->audit, &r.simulation->state, first);
    advance(&r, 0.5);
    sn_system_momentum(r.simulation->audit, &r.simulation->state, last);
    assert_below(distance(first, last, 6), 1e-6 * fmax(1e-3, largest(first, 6)), "momentum of flying %d", (int)seed);
    close_run(&r);
    sn_arena_free(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_invariance), cmocka_unit_test(test_tolerance),
                                     cmocka_unit_test(test_momentum)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
