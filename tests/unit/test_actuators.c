/* test_actuators.c - actuators against closed forms: motor, cylinder, servo, speed-torque curve. */
#include "analysis/linearize.h"
#include "support.h"

static double value(run *r, const char *output, int column) {
  double y[16] = {0};
  assert_true(sn_read(r->simulation, output, y, 16) > (size_t)column);
  return y[column];
}

static void open_text(run *r, const char *text, double tolerance) {
  const sn_options options = {.integrator = "radau", .tolerance = tolerance};
  open_run(r, text, &options);
}

#define DISK                                                                                                     \
  "bodies: {disk: {type: rigid, mass: 2, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0]}}\njoints:\n  hinge: " \
  "{type: revolute, between: [ground, disk.center], axis: [0, 0, 1]}\n"
#define RUN "outputs: {hinge: {joint: hinge}}\nanalysis: {type: dynamics, duration: 0.4, output_step: 0.1}\n"

/* ---- motor ---- */

/* L i' = V - R i - k N w, (J + N^2 Jr) w' = N k i - N^2 b w from rest: with the roots of the characteristic polynomial
 * w = W (1 + (l2 e^(l1 t) - l1 e^(l2 t))/(l1 - l2)); without L one exponential. In the plane and in space. */
static void motor_runs_up(void **state) {
  (void)state;
  const double V = 24, R = 1.2, k = 0.05, N = 10, Jr = 2e-5, b = 2e-5, J = 0.01 + N * N * Jr;
  for (int c = 0; c < 4; c++) {
    const double L = c < 2 ? 0.002 : 0, W = V * N * k / (R * N * N * b + N * N * k * k);
    char text[2048];
    snprintf(
        text, sizeof text,
        "sinew: 1\n%s" DISK
        "  rotor: {type: rotor, joint: hinge, inertia: 2e-5, ratio: 10}\nforces: {motor: {type: "
        "dc-motor, joint: hinge, voltage: 24, resistance: 1.2, inductance: %g, torque_constant: 0.05, friction: 2e-5, "
        "ratio: 10}}\n" RUN,
        c % 2 ? "" : "planar: true\n", L);
    run r;
    open_text(&r, text, 1e-8);
    for (int i = 1; i <= 8; i++) {
      const double t = go_to(&r, 0.05 * i);
      double w;
      if (L > 0) {
        const double p = R / L + N * N * b / J, q = (R * N * N * b + N * N * k * k) / (J * L),
                     root = sqrt(p * p / 4 - q);
        const double l1 = -p / 2 + root, l2 = -p / 2 - root;
        w = W * (1 + (l2 * exp(l1 * t) - l1 * exp(l2 * t)) / (l1 - l2));
      } else {
        w = W * (1 - exp(-(N * N * b + N * N * k * k / R) / J * t));
      }
      assert_below(fabs(value(&r, "hinge", 1) - w), 1e-5 * W, "case %d, speed at %g s", c, t);
      assert_below(fabs(value(&r, "motor", 1) * R - (V - k * N * w)), L > 0 ? 1e9 : 1e-3, "current");
    }
    close_run(&r);
  }
}

/* A rotor turns with its joint from the start: the speed that was given is kept, and the energy is that of both. */
static void rotor_starts_with_joint(void **state) {
  (void)state;
  run r;
  open_text(
      &r,
      "sinew: 1\nbodies: {disk: {type: rigid, mass: 2, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0], "
      "angular_velocity: [0, 0, 3]}}\njoints:\n  hinge: {type: revolute, between: [ground, disk.center], axis: [0, 0, "
      "1]}\n  rotor: {type: rotor, joint: hinge, inertia: 2e-5, ratio: -10}\n" RUN,
      1e-8);
  double e[SN_ENERGIES];
  read_output(&r, "energy", e, SN_ENERGIES);
  assert_below(fabs(value(&r, "hinge", 1) - 3), 1e-12, "speed");
  assert_below(fabs(e[SN_E_KINETIC] - 0.5 * (0.01 + 100 * 2e-5) * 9), 1e-12, "energy");
  close_run(&r);
}

/* A rotor on a satellite that nothing holds, in the plane: with the angles theta of the satellite (1 kg m2) and phi of
 * its wheel (0.01 kg m2),  T = (1 theta'^2 + 0.01 (theta' + phi')^2 + 0.04 (theta' + N phi')^2)/2.  dT/dtheta' stays zero
 * and dT/dphi' is 0.1 N m times t. */
static void rotor_turns_its_carrier(void **state) {
  (void)state;
  static const double ratios[] = {1, 3, -3};
  for (size_t k = 0; k < SN_COUNT(ratios); k++) {
    const double N = ratios[k], J = 0.04, I = 0.01;
    const double a = 1 + I + J, b = I + N * J, d = I + N * N * J; /* [a b; b d] (theta', phi') = (0, 0.1 t) */
    char text[1024];
    run r;
    snprintf(text, sizeof text,
             "sinew: 1\nplanar: true\nbodies: {sat: {type: rigid, position: [0, 0, 0], mass: 10, inertia: [1, 1, 1]}, "
             "wheel: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [0.01, 0.01, 0.01]}}\njoints: {hinge: {type: "
             "revolute, between: [sat.center, wheel.center]}, rotor: {type: rotor, joint: hinge, inertia: 0.04, ratio: "
             "%g}}\nforces: {m: {type: actuator, joint: hinge, command: 0.1}}\n"
             "outputs: {hinge: {joint: hinge}, sat: {orientation: sat.center}}\n"
             "analysis: {type: dynamics, duration: 1, integrator: {type: radau, tolerance: 1e-8}}\n",
             N);
    open_text(&r, text, 1e-8);
    const double p = 0.1 * go_to(&r, 1);
    assert_below(fabs(value(&r, "hinge", 1) - a * p / (a * d - b * b)), 1e-7, "speed of the wheel, ratio %g", N);
    assert_below(fabs(value(&r, "sat", 1) + b * p / (a * d - b * b)), 1e-7, "speed of the satellite, ratio %g", N);
    close_run(&r);
  }
}

/* The same in space, on an arm that swings about a ball joint: the rotor turns about an axis that turns. Against the rotor
 * as a rigid body of its own, with the mass and the inertia across the axis that are otherwise those of the arm, on a
 * revolute joint and tied to the elbow. By every method. */
static void rotor_on_an_arm_in_space(void **state) {
  (void)state;
  static const struct {
    const char *method;
    double tolerance, step, error;
  } methods[] = {
      {"radau", 1e-9, 0, 1e-7},  {"erk", 1e-8, 0, 1e-5},   {"adams", 1e-8, 0, 1e-5},
      {"hht-i3", 1e-7, 0, 1e-4}, {"gssss", 0, 2e-4, 1e-4}, {"symplectic-euler", 0, 2e-4, 1e-2},
  };
  static const double ratios[] = {1, -8};
  for (size_t k = 0; k < SN_COUNT(ratios); k++)
    for (size_t i = 0; i <= SN_COUNT(methods); i++) {
      static double reference[9], momentum[6];
      const bool first = i == 0;
      const double error = first ? 0 : methods[i - 1].error;
      double tip[9], L[6];
      char text[2048], own[512];
      run r;
      snprintf(own, sizeof own,
               first
                   ? "axle: {type: revolute, between: [arm.center, wheel.center], axis: [0, 1, 0]}, gear: {type: tie, "
                     "joints: [axle, elbow], factors: [1, %g]}"
                   : "rotor: {type: rotor, joint: elbow, inertia: 0.02, ratio: %g}",
               first ? -ratios[k] : ratios[k]);
      snprintf(
          text, sizeof text,
          "sinew: 1\ngravity: [0, 0, -9.81]\nbodies: {arm: {type: rigid, position: [0.4, 0, 0], mass: %g, inertia: "
          "[%g, 0.25, %g]}, fore: {type: rigid, from: [0.8, 0, 0], to: [1.4, 0, 0], mass: 1.5, inertia: [0.002, "
          "0.05, 0.05]}%s}\njoints: {ball: {type: spherical, between: ['ground.at(0, 0, 0)', 'arm.at(-0.4, 0, "
          "0)']}, elbow: {type: revolute, between: ['arm.at(0.4, 0, 0)', fore.start], axis: [0, 1, 0]}, %s}\n"
          "forces: {push: {type: moment, at: arm.center, moment: [0.5, 0, 6*sin(3*t)]}, motor: {type: actuator, "
          "joint: elbow, command: 10*cos(4*t)}}\noutputs: {tip: {point: fore.end}}\nanalysis: {type: dynamics, "
          "duration: 1, output_step: 0.1}\n",
          first ? 4.0 : 5.0, first ? 0.3 : 0.311, first ? 0.2 : 0.211,
          first ? ", wheel: {type: rigid, position: [0.4, 0, 0], mass: 1, inertia: [0.011, 0.02, 0.011]}" : "", own);
      open_run(&r, text,
               &(sn_options){.integrator = first ? "radau" : methods[i - 1].method,
                             .tolerance = first ? 1e-9 : methods[i - 1].tolerance,
                             .step = first ? 0 : methods[i - 1].step});
      go_to(&r, 1);
      read_output(&r, "tip", first ? reference : tip, 9);
      sn_system_momentum(r.simulation->system, &r.simulation->state, first ? momentum : L);
      for (int c = 0; !first && c < 6; c++) {
        assert_below(fabs(tip[c] - reference[c]), 8 * error, "ratio %g, %s: tip %d", ratios[k], methods[i - 1].method,
                     c);
        assert_below(fabs(L[c] - momentum[c]), 8 * error, "ratio %g, %s: momentum %d", ratios[k], methods[i - 1].method,
                     c);
      }
      close_run(&r);
    }
}

/* ---- speed-torque curve ---- */

/* A large command, limited by T = 5 - w: J w' = 5 - w; and a small one. */
static void speed_torque_curve(void **state) {
  (void)state;
  for (int small = 0; small < 2; small++) {
    char text[2048];
    snprintf(text, sizeof text,
             "sinew: 1\nplanar: true\ntables: {curve: {x: [0, 5], y: [5, 0]}}\n" DISK
             "forces: {drive: {type: actuator, joint: hinge, command: %s, limit: curve(abs(hinge.rate))}}\n" RUN,
             small ? "-0.1" : "10");
    run r;
    open_text(&r, text, 1e-8);
    for (int i = 1; i <= 4; i++) {
      const double t = go_to(&r, 0.01 * i), w = small ? -10 * t : 5 * (1 - exp(-t / 0.01));
      assert_below(fabs(value(&r, "hinge", 1) - w), 1e-6, "speed at %g s", t);
    }
    close_run(&r);
  }
}

/* ---- cylinder ---- */

#define PISTON                                                                                                    \
  "sinew: 1\nbodies: {mass: {type: rigid, mass: 200, inertia: [1, 1, 1], position: [0, 0, 0]}}\njoints: {slide: " \
  "{type: "                                                                                                       \
  "prismatic, between: [ground, mass.center], axis: [1, 0, 0]}}\noutputs: {slide: {joint: slide}}\n"

/* Closed chambers are a spring: w^2 = B (Aa^2/Va + Ab^2/Vb)/m. det(s I - A) = s^4 + w^2 s^2 */
static void cylinder_frequency(void **state) {
  (void)state;
  const double B = 1.2e9, Aa = 2e-3, Ab = 1.2e-3, Va = 3e-4, Vb = 8e-4, m = 200;
  const double w2 = B * (Aa * Aa / Va + Ab * Ab / Vb) / m;
  run r;
  run_to_end(&r, PISTON
             "forces: {c: {type: hydraulic-cylinder, joint: slide, area: 2e-3, rod_area: 1.2e-3, volume_a: 3e-4, "
             "volume_b: 8e-4, bulk_modulus: 1.2e9, pressure_a: 3e6, pressure_b: 5e6}}\nanalysis: linearize\n");
  const sn_linear *L = r.simulation->linear;
  assert_non_null(L);
  assert_int_equal(L->states, 4);
  double trace = 0, square = 0;
  for (int i = 0; i < 4; i++) {
    trace += L->A[5 * i];
    for (int j = 0; j < 4; j++) square += L->A[4 * i + j] * L->A[4 * j + i];
  }
  assert_below(fabs(trace), 1e-9, "trace"); /* eigenvalues 0, 0, +-i w */
  assert_below(fabs(square + 2 * w2), 1e-6 * w2, "trace of the square");
  close_run(&r);
}

/* An open valve, no load: both pressures are half of the supply's, v = k u sqrt(ps/2)/A */
static void cylinder_speed(void **state) {
  (void)state;
  for (int side = -1; side <= 1; side += 2) {
    char text[2048];
    snprintf(text, sizeof text,
             PISTON
             "forces: {c: {type: hydraulic-cylinder, joint: slide, area: 2e-3, volume_a: 1e-3, volume_b: 1e-3, "
             "supply: 1e7, valve: %g, flow_coefficient: 3e-7, pressure_a: 5e6, pressure_b: 5e6}, d: {type: spring, "
             "between: ['ground.at(-9, 0, 0)', mass.center], stiffness: 0, length: 9, damping: 2}}\nanalysis: {type: "
             "dynamics, duration: 1, output_step: 0.1}\n",
             0.5 * side);
    const double v = side * 3e-7 * 0.5 * sqrt(5e6) / 2e-3;
    run r;
    open_text(&r, text, 1e-7);
    go_to(&r, 1);
    assert_below(fabs(value(&r, "slide", 1) - v), 1e-4 * fabs(v), "speed");
    assert_below(fabs(value(&r, "c", 1) - 5e6), 1e3, "pressure");
    close_run(&r);
  }
}

/* A piston driven to the end of its travel, 0.1 m: the run ends there, with the chamber in its message. */
static void cylinder_end(void **state) {
  (void)state;
  run r;
  open_text(&r,
            PISTON
            "forces: {c: {type: hydraulic-cylinder, joint: slide, area: 1e-3, volume_a: 1e-4, volume_b: 1e-4, "
            "supply: 1e7, valve: 1, flow_coefficient: 1e-6}}\nanalysis: {type: dynamics, duration: 2}\n",
            1e-5);
  sn_status status = SN_OK;
  while (status == SN_OK && r.simulation->state.t < 2) status = r.simulation->analysis->step(r.simulation);
  assert_int_not_equal(status, SN_OK);
  assert_below(fabs(value(&r, "slide", 0)), 0.1 + 1e-9, "travel");
  close_run(&r);
}

/* A mass of 100 kg at 2 m/s pulls a closed chamber apart: about -16 MPa by the linear law, which no fluid bears. */
static void cylinder_vacuum(void **state) {
  (void)state;
  for (int fast = 0; fast < 2; fast++) {
    char text[1000];
    run r;
    snprintf(text, sizeof text,
             "sinew: 1\nplanar: true\nbodies: {p: {type: rigid, position: [0, 0, 0], mass: 100, inertia: [1, 1, 1], "
             "velocity: [%g, 0, 0]}}\njoints: {s: {type: prismatic, between: [ground, p.center], axis: [1, 0, 0]}}\n"
             "forces: {c: {type: hydraulic-cylinder, joint: s, area: 2e-3, volume_a: 1e-3, volume_b: 1e-3, pressure_a: "
             "1e5, pressure_b: 1e5}}\nanalysis: {type: dynamics, duration: 0.1, output_step: 5e-4}\n",
             fast ? 2 : 0.01);
    open_run(&r, text, NULL);
    const sn_verdict verdict = verdict_of(&r, SN_OK);
    assert_int_equal(verdict.level, fast ? SN_BAD : SN_GOOD);
    assert_true(!strstr(verdict.reasons, "pressure_a of 'c' falls below a vacuum") == !fast);
    close_run(&r);
  }
}

/* ---- servo ---- */

static void open_servo(run *r, const char *setpoint, const char *integrator, double step) {
  char text[2048];
  snprintf(
      text, sizeof text,
      "sinew: 1\nplanar: true\ngravity: [0, -9.81, 0]\nbodies: {arm: {type: rigid, from: [0, 0, 0], to: [0.5, 0, 0], "
      "mass: 1, shape: {type: box, size: [0.5, 0.05, 0.05]}}}\njoints: {hinge: {type: revolute, between: [ground, "
      "arm.start]}, drive: {type: servo, joint: hinge, setpoint: '%s', speed: 3, acceleration: 10, period: "
      "0.01}}\noutputs: {hinge: {joint: hinge}}\nanalysis: {type: dynamics, duration: 4, output_step: 0.01}\n",
      setpoint);
  const sn_options options = {.integrator = integrator, .tolerance = step > 0 ? 0 : 1e-7, .step = step};
  open_run(r, text, &options);
}

/* From rest to `goal`: trapezoid or triangle of speed. */
static double profile(double t, double goal, double *speed) {
  const double V = fmin(3, sqrt(10 * goal)), ramp = V / 10, end = goal / V + ramp;
  if (t > end) {
    *speed = 0;
    return goal;
  }
  *speed = fmin(V, 10 * fmin(t, end - t));
  if (t < ramp) return 5 * t * t;
  return t > end - ramp ? goal - 5 * (end - t) * (end - t) : 5 * ramp * ramp + V * (t - ramp);
}

static void servo_profile(void **state) {
  (void)state;
  static const struct {
    const char *setpoint, *method;
    double goal, step;
  } cases[] = {{"2", "radau", 2, 0},       {"0.5", "radau", 0.5, 0}, {"2", "hht-i3", 2, 0},
               {"2", "newmark", 2, 0.003}, {"0.5", "ida", 0.5, 0},   {"2", "erk", 2, 0}};
  for (size_t k = 0; k < SN_COUNT(cases); k++) {
    run r;
    open_servo(&r, cases[k].setpoint, cases[k].method, cases[k].step);
    for (int i = 1; i <= 30; i++) {
      const double t = go_to(&r, 0.04 * i);
      double w;
      const double s = profile(t, cases[k].goal, &w);
      assert_below(fabs(value(&r, "hinge", 0) - s), 1e-7, "%s to %g at %g s", cases[k].method, cases[k].goal, t);
      assert_below(fabs(value(&r, "hinge", 1) - w), 1e-6, "%s: speed to %g at %g s", cases[k].method, cases[k].goal, t);
    }
    close_run(&r);
  }
}

/* Goals that change on the way, also backwards: within the limits, and there in the end. */
static void servo_follows(void **state) {
  (void)state;
  static const struct {
    const char *setpoint;
    double goal;
  } cases[] = {{"if(t < 0.5, 2, -1)", -1},
               {"if(t < 0.25, 2, 0.3)", 0.3},
               {"if(t < 0.1, -1, if(t < 0.35, 2, 0.2))", 0.2},
               {"min(t, 2)", 2},
               {"if(t < 2.5, 1.5*sin(3*t), 1)", 1}};
  for (size_t k = 0; k < SN_COUNT(cases); k++) {
    run r;
    double before = 0, time = 0;
    open_servo(&r, cases[k].setpoint, "radau", 0);
    for (int i = 1; i <= 400; i++) {
      const double t = go_to(&r, 0.01 * i), w = value(&r, "hinge", 1);
      assert_below(fabs(w), 3 * (1 + 1e-9), "speed at %g s", t);
      assert_below(fabs(w - before), 10 * (t - time) * (1 + 1e-6) + 1e-9, "acceleration at %g s", t);
      before = w;
      time = t;
    }
    assert_below(fabs(value(&r, "hinge", 0) - cases[k].goal), 1e-8, "%s: goal", cases[k].setpoint);
    assert_below(fabs(before), 1e-8, "%s: at rest", cases[k].setpoint);
    close_run(&r);
  }
}

/* ---- the bundled pendulum ---- */

/* With its controller the poles are those its gains were made for: s^4 + 14 s^3 + 71 s^2 + 154 s + 120, whose sums of
 * powers are -14 and 54. */
static void feedback_poles(void **state) {
  (void)state;
  run r;
  FILE *file = fopen("models/cart-pole-feedback.yaml", "r");
  char text[4096];
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  char *analysis = strstr(text, "analysis: {"), *spin = strstr(text, ", angular_velocity: [0, 0, 0.8]");
  assert_true(analysis && spin);
  strcpy(analysis, "analysis: linearize\n");
  memmove(spin, spin + strlen(", angular_velocity: [0, 0, 0.8]"),
          strlen(spin + strlen(", angular_velocity: [0, 0, 0.8]")) + 1);
  run_to_end(&r, text);
  const sn_linear *L = r.simulation->linear;
  assert_int_equal(L->states, 4);
  double trace = 0, square = 0;
  for (int i = 0; i < 4; i++) {
    trace += L->A[5 * i];
    for (int j = 0; j < 4; j++) square += L->A[4 * i + j] * L->A[4 * j + i];
  }
  assert_below(fabs(trace + 14), 1e-4, "sum of the poles");
  assert_below(fabs(square - 54), 1e-3, "sum of their squares");
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(motor_runs_up),           cmocka_unit_test(rotor_starts_with_joint),
      cmocka_unit_test(rotor_turns_its_carrier), cmocka_unit_test(rotor_on_an_arm_in_space),
      cmocka_unit_test(speed_torque_curve),      cmocka_unit_test(cylinder_frequency),
      cmocka_unit_test(cylinder_speed),          cmocka_unit_test(cylinder_end),
      cmocka_unit_test(cylinder_vacuum),         cmocka_unit_test(servo_profile),
      cmocka_unit_test(servo_follows),           cmocka_unit_test(feedback_poles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
