/* test_crossings.c - steps end where functions of the motion are zero, against closed forms. */
#include "analysis/crossings.h"
#include "support.h"

/* x'' = -w^2 x from x = 0 with speed v: x = v/w sin(w t). */
static const double speed = 2, w = 5;
#define OSCILLATOR                                                                         \
  "sinew: 1\ngravity: [0, 0, 0]\n"                                                         \
  "bodies: {car: {type: point-mass, position: [0, 0, 0], mass: 2, velocity: [2, 0, 0]}}\n" \
  "forces: {pull: {type: force, at: car, force: ['-50*car.x', 0, 0]}}\n"                   \
  "outputs: {car: {point: car}}\n"
#define BY(method) "analysis: {type: dynamics, duration: 4, integrator: {" method "}}\n"

typedef struct watch {
  double level;
  bool turns; /* the velocity is turned there */
  int count;
  double t[32];
  int direction[32];
} watch;

static double above(const void *self, const sn_eval *ev) {
  return ev->q[0] - ((const watch *)self)->level;
}

static sn_status seen(void *self, sn_simulation *s, int direction) {
  watch *x = self;
  assert_true(x->count < 32);
  x->t[x->count] = s->state.t;
  x->direction[x->count++] = direction;
  if (x->turns) s->state.v[0] = -s->state.v[0];
  return SN_OK;
}

static const struct {
  const char *method;
  double tolerance;
} methods[] = {{"type: radau, tolerance: 1e-8", 1e-8},   {"type: hht-i3, tolerance: 1e-6", 1e-6},
               {"type: gam, tolerance: 1e-8", 1e-8},     {"type: erk, tolerance: 1e-8", 1e-8},
               {"type: ida, tolerance: 1e-8", 1e-8},     {"type: adams, tolerance: 1e-8", 1e-8},
               {"type: tr-bdf2, tolerance: 1e-7", 1e-7}, {"type: nstiff, tolerance: 1e-6", 1e-6},
               {"type: hht-i3, step: 1e-4", 1e-6},       {"type: gssss, step: 1e-4", 1e-6},
               {"type: radau, step: 0.01", 1e-8}};

static void open_oscillator(run *r, size_t method) {
  char text[1200];
  snprintf(text, sizeof text, OSCILLATOR BY("%s"), methods[method].method);
  open_run(r, text, NULL);
}

/* Times at which x = level, by any method: sin(w t) = level w/v. */
static void times(void **state) {
  (void)state;
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    run r;
    watch both = {.level = 0.3}, up = {.level = -0.1};
    open_oscillator(&r, k);
    sn_add_crossing(r.simulation, &(sn_crossing){.value = above, .reached = seen, .self = &both});
    sn_add_crossing(r.simulation, &(sn_crossing){.value = above, .reached = seen, .self = &up, .direction = 1});
    go_to(&r, 3.9);
    const double first = asin(0.3 * w / speed) / w, period = 2 * PI / w;
    assert_int_equal(both.count, 6);
    assert_int_equal(up.count, 3);
    for (int i = 0; i < both.count; i++) {
      const double t = i % 2 == 0 ? first + i / 2 * period : period / 2 - first + i / 2 * period;
      assert_below(fabs(both.t[i] - t), 300 * methods[k].tolerance, "%s: zero %d", methods[k].method, i);
      assert_int_equal(both.direction[i], i % 2 == 0 ? 1 : -1);
    }
    for (int i = 0; i < up.count; i++) {
      const double t = -asin(0.1 * w / speed) / w + (i + 1) * period;
      assert_below(fabs(up.t[i] - t), 300 * methods[k].tolerance, "%s: rising zero %d", methods[k].method, i);
    }
    close_run(&r);
  }
}

/* A level that the motion exceeds for a moment only, by 1e-4 of its amplitude, far from the ends of long steps: zeros
 * at sin(w t) = 1 - 1e-4. Both count, or one of them. The speed there is 0.014 of the largest, so that errors of the
 * position are 70 times larger in time. */
static void grazes(void **state) {
  (void)state;
  for (size_t k = 0; k < SN_COUNT(methods); k++)
    for (int direction = -1; direction <= 1; direction++) {
      run r;
      watch peak = {.level = (1 - 1e-4) * speed / w};
      open_oscillator(&r, k);
      sn_add_crossing(r.simulation,
                      &(sn_crossing){.value = above, .reached = seen, .self = &peak, .direction = direction});
      go_to(&r, 3.9);
      const double first = asin(1 - 1e-4) / w, period = 2 * PI / w;
      assert_int_equal(peak.count, direction == 0 ? 6 : 3);
      for (int i = 0; i < peak.count; i++) {
        const bool rises = direction == 0 ? i % 2 == 0 : direction > 0;
        const double t = (rises ? first : period / 2 - first) + (direction == 0 ? i / 2 : i) * period;
        assert_int_equal(peak.direction[i], rises ? 1 : -1);
        assert_below(fabs(peak.t[i] - t), 300 * 70 * methods[k].tolerance, "%s: zero %d", methods[k].method, i);
      }
      close_run(&r);
    }
}

/* A rigid wall at x = 0.3: the motion is that of the free oscillator between turns, of period 2 (pi/2 + asin(s))/w. */
static void turns(void **state) {
  (void)state;
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    run r;
    watch wall = {.level = 0.3, .turns = true};
    open_oscillator(&r, k);
    sn_add_crossing(r.simulation, &(sn_crossing){.value = above, .reached = seen, .self = &wall, .direction = 1});
    go_to(&r, 3.9);
    const double first = asin(0.3 * w / speed) / w, period = PI / w + 2 * first;
    assert_int_equal(wall.count, (int)floor((3.9 - first) / period) + 1);
    for (int i = 0; i < wall.count; i++)
      assert_below(fabs(wall.t[i] - first - i * period), 300 * methods[k].tolerance, "%s: turn %d", methods[k].method,
                   i);
    close_run(&r);
  }
}

/* A zero where it begins is none; one that is touched and not passed is none either. */
static void no_zeros(void **state) {
  (void)state;
  run r;
  watch start = {.level = 0, .turns = false}, top = {.level = 0.4 + 1e-9};
  open_oscillator(&r, 0);
  sn_add_crossing(r.simulation, &(sn_crossing){.value = above, .reached = seen, .self = &start});
  sn_add_crossing(r.simulation, &(sn_crossing){.value = above, .reached = seen, .self = &top});
  go_to(&r, 1);
  assert_int_equal(start.count, 1);
  assert_below(fabs(start.t[0] - PI / w), 1e-7, "back at the start");
  assert_int_equal(top.count, 0);
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(times),
      cmocka_unit_test(grazes),
      cmocka_unit_test(turns),
      cmocka_unit_test(no_zeros),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
