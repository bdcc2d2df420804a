/* test_loads.c - loads and motions that are short, or not smooth: every adaptive method sees all of them.
 *
 * A free mass m under F(t): m v(T) = J and m x(T) = T J - S with J = int F dt, S = int t F dt, both known in closed
 * form for each shape. Nothing else in the models tells the step control where to look.
 */
#include "support.h"

#define HEAD "sinew: 1\ngravity: [0, 0, 0]\n"
#define ANALYSIS(duration, tolerance) \
  "analysis: {type: dynamics, duration: " #duration ", integrator: {type: %s, tolerance: " #tolerance "}}\n"

/* Those of low order with the longer steps of `bounds: step`, which are the ones that could jump over a load. */
static const char *const methods[] = {"auto",
                                      "radau",
                                      "radau5",
                                      "hht-i3, bounds: step",
                                      "hht-add, bounds: step",
                                      "hht-si2, bounds: step",
                                      "newmark",
                                      "nstiff, bounds: step",
                                      "gssss, bounds: step",
                                      "nstiff-si2, bounds: step",
                                      "gam",
                                      "ida",
                                      "adams",
                                      "erk",
                                      "tr-bdf2"};

typedef struct shape {
  const char *name, *force;
  double J, S;
  double size; /* int |F| dt, where J is small beside it; 0: |J| */
} shape;

static const char TABLES[] =
    "tables:\n"
    "  pulse: {x: [0, 3, 3.01, 3.11, 3.12], y: [0, 0, 0.5, 0.5, 0], interpolation: linear}\n"
    "  bell: {x: [0, 1, 3, 4, 5, 7, 8], y: [0, 0, 0, 1, 0, 0, 0]}\n"; /* cubic */

/* S of a pulse symmetric about c is c J. */
#define SQRT_PI 1.7724538509055160
static const shape shapes[] = {
    {"smooth steps", "100*step(t, 3, 0, 3.05, 1)*step(t, 3.2, 1, 3.25, 0)", 20, 20 * 3.125, 0},
    {"short steps", "1e5*step(t, 7, 0, 7+5e-5, 1)*step(t, 7+5e-5, 1, 7+1e-4, 0)", 5, 5 * (7 + 5e-5), 0},
    {"if", "if(t > 3 && t < 3.01, 500, 0)", 5, 5 * 3.005, 0},
    {"if, else", "if(t <= pi, 1, -2)", PI - 2 * (10 - PI), PI *PI / 2 - (100 - PI * PI), 0},
    {"comparisons", "1e3*((t >= 4.1) - (t >= 4.102))", 2, 2 * 4.101, 0},
    {"sign", "sign(t - pi)*3", 3 * (10 - 2 * PI), 3 * (50 - PI * PI), 30},
    {"table", "50*pulse(t)", 2.75, 2.75 * 3.06, 0},
    {"gaussian", "1000*exp(-((t-3)/0.01)^2)", 10 * SQRT_PI, 30 * SQRT_PI, 0},
    {"two gaussians", "10*exp(-((t-2)/0.01)^2) + 1e3*exp(-((t-8)/1e-3)^2)", 1.1 * SQRT_PI, 8.2 * SQRT_PI, 0},
    {"tanh", "50*(tanh((t-3)/1e-3) - tanh((t-3.1)/1e-3))", 10, 10 * 3.05, 0},
    {"kinks", "200*max(0, 1 - abs(t-3)/0.02)", 4, 12, 0},
    {"saw", "10*(4*t - floor(4*t))", 50, 1.25 * 195 + 1600 / 192.0, 0},
    {"mod", "40*mod(t, 0.25)", 50, 1.25 * 195 + 1600 / 192.0, 0},
    {"train", "if(mod(t, 1) < 0.02, 100, 0)", 20, 90.2, 0},
    {"square", "5*sign(sin(2*pi*t/0.7))", 1, 9.9 - 14 * 0.6125, 50},
    {"root", "sqrt(max(0, t - 9))", 2.0 / 3, 6.4, 0},
    {"bump", "400*max(0, 1 - ((t-5)/0.01)^2)^2", 4.0 * 16 / 15, 20.0 * 16 / 15, 0},
    {"ceil", "100*(ceil(t/5) - ceil((t-0.1)/5))", 20, 51, 0},
};

static void open_shape(run *r, const char *force, const char *method) {
  char text[1200];
  snprintf(text, sizeof text,
           "sinew: 1\ngravity: [0, 0, 0]\n%sbodies: {ball: {type: point-mass, mass: 2, position: [0, 0, 0]}}\n"
           "forces: {push: {type: force, at: ball, force: ['%s', 0, 0]}}\n"
           "analysis: {type: dynamics, duration: 10, integrator: {type: %s, tolerance: 1e-8}}\n",
           TABLES, force, method);
  open_run(r, text, NULL);
}

/* Methods of higher order, which have polynomials of their own, are exact but for their tolerance in velocities, too;
 * the others control positions. The audit sees the work: T = J^2/(2 m). */
static void test_impulses(void **state) {
  (void)state;
  for (size_t i = 0; i < SN_COUNT(shapes); i++) {
    const shape *x = &shapes[i];
    const double size = x->size > 0 ? x->size : fabs(x->J);
    for (size_t k = 0; k < SN_COUNT(methods); k++) {
      run r;
      open_shape(&r, x->force, methods[k]);
      advance(&r, 10);
      const sn_simulation *s = r.simulation;
      const double mv = 2 * s->state.v[0], mx = 2 * s->state.q[0], allowed = s->ops->interpolate ? 1e-4 : 5e-3;
      assert_true(s->state.t == 10);
      assert_below(fabs(mv - x->J) / size, allowed, "%s, %s: impulse", x->name, methods[k]);
      assert_below(fabs(mx - 10 * x->J + x->S) / (10 * size), allowed, "%s, %s: way", x->name, methods[k]);
      assert_below(fabs(s->work[0] - mv * mv / 4), 4 * allowed * size * size / 4, "%s, %s: work", x->name, methods[k]);
      close_run(&r);
    }
  }
}

/* ---- what else may be a function of time ---- */

/* z'' = -w^2 (z - f), at rest before: z(T) = w int f sin(w (T - t)) dt, f there and back within 0.3 s of 10. */
static void test_driver(void **state) {
  (void)state;
  static const char model[] =
      "bodies:\n"
      "  cart: {type: rigid, position: [0, 0, 0], mass: 1, shape: {type: box, size: [0.1, 0.1, 0.1]}}\n"
      "  ball: {type: point-mass, mass: 1, position: [1, 0, 0]}\n"
      "joints:\n"
      "  rail: {type: prismatic, between: [ground, cart.center], axis: [1, 0, 0]}\n"
      "  drive: {type: motion, between: [ground, cart.center], axis: [1, 0, 0], translation: "
      "'0.1*step(t, 3, 0, 3.1, 1)*step(t, 3.2, 1, 3.3, 0)'}\n"
      "forces: {rope: {type: spring, between: [cart.center, ball], stiffness: 4, length: 1}}\n"
      "outputs: {ball: {point: ball}}\n";
  const double T = 9;
  double z = 0;
  const int n = 30000;
  for (int i = 0; i < n; i++) { /* midpoints: f and two derivatives vanish at the ends */
    const double t = 3 + 0.3 * (i + 0.5) / n, up = fmin((t - 3) / 0.1, 1), down = fmin(fmax((t - 3.2) / 0.1, 0), 1);
    const double rise = up * up * up * (10 + up * (6 * up - 15)),
                 fall = down * down * down * (10 + down * (6 * down - 15));
    z += 2 * 0.1 * rise * (1 - fall) * sin(2 * (T - t)) * 0.3 / n;
  }
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    char text[2000];
    double y[9];
    run r;
    snprintf(text, sizeof text, HEAD "%s" ANALYSIS(9, 1e-8), model, methods[k]);
    open_run(&r, text, NULL);
    advance(&r, T);
    sn_read(r.simulation, "ball", y, 9);
    close_run(&r);
    assert_below(fabs(y[0] - 1 - z), 3e-3 * 0.06, "%s: ball on a cart that goes there and back", methods[k]);
  }
}

/* Moments turn, line loads push: momentum is what they gave. */
static void test_other_loads(void **state) {
  (void)state;
  static const struct {
    const char *name, *model;
    int component;
    double momentum;
  } list[] = {
      {"moment",
       "bodies: {wheel: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [0.5, 0.5, 0.5]}}\n"
       "forces: {turn: {type: moment, at: wheel.center, moment: [0, 0, 'if(t > 2 && t < 2.01, 50, 0)']}}\n",
       5, 0.5},
      {"line load",
       "materials: {m: {density: 1000, young: 1e5, poisson: 0.3}}\n"
       "sections: {s: {type: circle, radius: 0.01}}\n"
       "bodies: {rope: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 2, material: m, section: s}}\n"
       "forces: {push: {type: distributed, on: rope, force: [0, '2*exp(-((t-1)/0.01)^2)', 0]}}\n",
       1, 0.02 * SQRT_PI},
  };
  for (size_t i = 0; i < SN_COUNT(list); i++)
    for (size_t k = 0; k < SN_COUNT(methods); k++) {
      char text[2000];
      double p[6];
      run r;
      snprintf(text, sizeof text, HEAD "%s" ANALYSIS(3, 1e-7), list[i].model, methods[k]);
      open_run(&r, text, NULL);
      advance(&r, 3);
      sn_system_momentum(r.simulation->system, &r.simulation->state, p);
      assert_below(fabs(p[list[i].component] / list[i].momentum - 1), 5e-3, "%s: %s", methods[k], list[i].name);
      close_run(&r);
    }
}

/* ---- motions that jump ---- */

#define SLIDER(f)                                                                                             \
  "bodies:\n  cart: {type: rigid, position: [0, 0, 0], mass: 2, shape: {type: box, size: [0.1, 0.1, 0.1]}}\n" \
  "  ball: {type: point-mass, mass: 1, position: [1, 0, 0]}\n" /* something that is free */                   \
  "joints:\n  rail: {type: prismatic, between: [ground, cart.center], axis: [1, 0, 0]}\n"                     \
  "  drive: {type: motion, between: [ground, cart.center], axis: [1, 0, 0], translation: '" f "'}\n"

/* A prescribed velocity that jumps, -0.5 to 0.5 m/s and to 0: the cart follows, by impulses that do the work T1 - T0.
 */
static void test_velocity_jumps(void **state) {
  (void)state;
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    char text[1000];
    run r;
    snprintf(text, sizeof text, HEAD SLIDER("if(t < 2, 0.5*abs(t - 1), 0.5)")
             "analysis: {type: dynamics, duration: 4, integrator: {type: %s, tolerance: 1e-6}}\n", methods[k]);
    open_run(&r, text, NULL);
    const sn_simulation *s = r.simulation;
    advance(&r, 1.5);
    assert_below(fabs(s->state.v[0] - 0.5), 1e-5, "%s: velocity after the first jump", methods[k]);
    assert_below(fabs(s->work[1]), 1e-5, "%s: work of the first jump", methods[k]);
    advance(&r, 4);
    assert_below(fabs(s->state.v[0]), 1e-5, "%s: velocity at the end", methods[k]);
    assert_below(fabs(s->state.q[0] - 0.5), 1e-5, "%s: place", methods[k]);
    assert_below(fabs(s->work[1] + 0.25), 1e-5, "%s: work of the second jump", methods[k]); /* -m v^2/2 */
    close_run(&r);
  }
}

static void test_position_jump(void **state) {
  (void)state;
  run r;
  open_run(&r, HEAD SLIDER("if(t < 1, 0, 0.2)") "analysis: {type: dynamics, duration: 4}\n", NULL);
  assert_int_equal(sn_run(r.simulation), SN_NUMERICS);
  assert_non_null(strstr(sn_message(r.context), "'drive' jumps by 0.2, from 0 to 0.2, at t = 1 s"));
  close_run(&r);
}

/* ---- fixed steps stay as they are, and tell what they cannot see ---- */

static void test_fixed_steps(void **state) {
  (void)state;
  static const struct {
    const char *force;
    double step;
    bool seen;
  } list[] = {
      {"100*step(t, 3, 0, 3.05, 1)*step(t, 3.2, 1, 3.25, 0)", 0.01, true},
      {"100*step(t, 3, 0, 3.05, 1)*step(t, 3.2, 1, 3.25, 0)", 0.5, false},
      {"1000*exp(-((t-3)/0.001)^2)", 0.01, false},
      {"1000*exp(-((t-3.004)/0.001)^2)", 0.01, false},
      {"if(t > 2.99 && t < 3.02, 1, 0)", 0.07, false},
      {"if(t > 3 && t < 3.3, 1, 0)", 0.07, true},
      {"if(t > 3, 1, 0)", 0.07, true},
      {"sin(t)", 0.1, true},
      {"sin(100*t)", 0.1, false},
  };
  for (size_t i = 0; i < SN_COUNT(list); i++) {
    char text[600];
    run r;
    snprintf(text, sizeof text,
             "sinew: 1\ngravity: [0, 0, 0]\nbodies: {ball: {type: point-mass, mass: 2, position: [0, 0, 0]}}\n"
             "forces: {push: {type: force, at: ball, force: ['%s', 0, 0]}}\n"
             "analysis: {type: dynamics, duration: 10, integrator: {type: hht-i3, step: %g}}\n",
             list[i].force, list[i].step);
    open_run(&r, text, NULL);
    advance(&r, 10);
    const sn_statistics *st = sn_simulation_statistics(r.simulation);
    if ((st->unseen_loads == 0) != list[i].seen) fail_msg("%s with step %g", list[i].force, list[i].step);
    assert_true((r.simulation->doubts.count == 0) == list[i].seen);
    assert_true(st->steps == (long)ceil(10 / list[i].step - 1e-9));
    close_run(&r);
  }
}

/* ---- cost: a function that is slow, or none, changes nothing ---- */

static void test_cost(void **state) {
  (void)state;
  long steps[2];
  for (int i = 0; i < 2; i++) {
    run r;
    open_shape(&r, i == 0 ? "3" : "3 + 0*sin(t/100)", "hht-i3, bounds: step");
    advance(&r, 10);
    steps[i] = sn_simulation_statistics(r.simulation)->steps;
    close_run(&r);
  }
  assert_int_equal(steps[0], steps[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_impulses),       cmocka_unit_test(test_driver),        cmocka_unit_test(test_other_loads),
      cmocka_unit_test(test_velocity_jumps), cmocka_unit_test(test_position_jump), cmocka_unit_test(test_fixed_steps),
      cmocka_unit_test(test_cost),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
