/* test_control.c - controllers against closed forms, and sampled ones against the exact discretization of a linear model. */
#include <unistd.h>

#include "analysis/checkpoint.h"
#include "analysis/linearize.h"
#include "support.h"

static double value(run *r, const char *output, int column) {
  double y[16] = {0};
  assert_true(sn_read(r->simulation, output, y, 16) > (size_t)column);
  return y[column];
}

#define BALL \
  "sinew: 1\nbodies: {ball: {type: point-mass, mass: 1, position: [0, 0, 0]}}\noutputs: {ball: {point: ball}}\n"
#define PUSH "forces: {f: {type: force, at: ball, force: [c, 0, 0]}}\n"
#define RUN(duration) "analysis: {type: dynamics, duration: " #duration ", output_step: 0.1}\n"

/* ---- continuous ---- */

/* A mass with PID control and a measured rate: s^3 + kd s^2 + kp s + ki = (s + 1)(s + 2)(s + 3), and
 * x = 1 + 2.5 e^-t - 8 e^-2t + 4.5 e^-3t, by partial fractions of (kp s + ki)/(s (s^3 + ...)) */
static void pid_step_response(void **state) {
  (void)state;
  static const char *const methods[] = {"radau", "hht-i3", "ida", "erk"};
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    run r;
    const sn_options options = {.integrator = methods[k], .tolerance = 1e-8};
    open_run(
        &r,
        BALL
        "controllers: {c: {type: pid, measure: ball.x, setpoint: 1, rate: ball.vx, kp: 11, ki: 6, kd: 6}}\n" PUSH RUN(
            4),
        &options);
    for (int i = 1; i <= 8; i++) {
      const double t = go_to(&r, 0.5 * i), x = 1 + 2.5 * exp(-t) - 8 * exp(-2 * t) + 4.5 * exp(-3 * t);
      assert_below(fabs(value(&r, "ball", 0) - x), 2e-6, "%s at %g s", methods[k], t);
    }
    close_run(&r);
  }
}

/* Coefficients of det(s I - A), highest first, by Faddeev and LeVerrier. A row by row. */
static void characteristic(int n, const double *A, double *c) {
  double M[36] = {0}, AM[36];
  c[0] = 1;
  for (int k = 1; k <= n; k++) { /* M = A M + c[k-1] I */
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        AM[i * n + j] = i == j ? c[k - 1] : 0;
        for (int l = 0; l < n; l++) AM[i * n + j] += A[i * n + l] * M[l * n + j];
      }
    memcpy(M, AM, sizeof M);
    c[k] = 0;
    for (int i = 0; i < n; i++)
      for (int l = 0; l < n; l++) c[k] -= A[i * n + l] * M[l * n + i] / k;
  }
}

/* s^2 + kp + ki/s + kd s/(Tf s + 1) = 0: the states of the controller are states of linearize. */
static void pid_poles(void **state) {
  (void)state;
  const double kp = 11, ki = 6, kd = 6, Tf = 0.1, m = 1;
  const double known[5] = {1, 1 / Tf, (kp * Tf + kd) / (m * Tf), (kp + ki * Tf) / (m * Tf), ki / (m * Tf)};
  run r;
  open_run(
      &r,
      "sinew: 1\nbodies: {b: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}\njoints: {rail: {type: "
      "prismatic, between: [ground, b.center], axis: [1, 0, 0]}}\noutputs: {b: {point: b.center}}\ncontrollers: {c: "
      "{type: pid, measure: rail.position, kp: 11, ki: 6, kd: 6, filter_time: 0.1}}\nforces: {f: {type: force, at: "
      "b.center, force: [c, 0, 0]}}\nanalysis: linearize\n",
      NULL);
  if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
  const sn_linear *L = r.simulation->linear;
  assert_non_null(L);
  assert_int_equal(L->states, 4);
  double c[5];
  characteristic(4, L->A, c);
  for (int i = 0; i < 5; i++) assert_below(fabs(c[i] - known[i]), 1e-7 * fabs(known[i]), "coefficient %d", i);
  close_run(&r);
}

/* (s + 2)/(s + 5) of 1: y = 0.4 + 0.6 e^-5t; as matrices the same. */
static void transfer_function(void **state) {
  (void)state;
  static const char *const texts[] = {
      BALL
      "controllers: {c: {type: transfer-function, input: 1, numerator: [2, 4], denominator: [2, 10]}}\n" PUSH RUN(2),
      BALL
      "controllers: {c: {type: state-space, inputs: [1], A: [[-5]], B: [[1]], C: [[-3]], D: [[1]]}}\n" PUSH RUN(2)};
  for (size_t k = 0; k < SN_COUNT(texts); k++) {
    run r;
    const sn_options options = {.integrator = "radau", .tolerance = 1e-9};
    open_run(&r, texts[k], &options);
    for (int i = 0; i <= 10; i++) {
      const double t = go_to(&r, 0.2 * i);
      assert_below(fabs(value(&r, "c", 0) - 0.4 - 0.6 * exp(-5 * t)), 1e-8, "output at %g s", t);
    }
    close_run(&r);
  }
}

/* The same with matrices from a file, as export writes them and as bare numbers. */
static void matrices_from_files(void **state) {
  (void)state;
  static const char *const contents[] = {",x\nx,-5\n", "-5\n", "# comment\nx;-5\n"};
  for (size_t k = 0; k < SN_COUNT(contents); k++) {
    char path[] = "/tmp/sinew-matrix-XXXXXX", text[1024];
    const int file = mkstemp(path);
    assert_true(file >= 0 && write(file, contents[k], strlen(contents[k])) == (ssize_t)strlen(contents[k]));
    close(file);
    snprintf(text, sizeof text,
             BALL
             "controllers: {c: {type: state-space, inputs: [1], A: %s, B: [[1]], C: [[-3]], D: [[1]]}}\n" PUSH RUN(2),
             path);
    run r;
    const sn_options options = {.integrator = "radau", .tolerance = 1e-9};
    open_run(&r, text, &options);
    const double t = go_to(&r, 0.3);
    assert_below(fabs(value(&r, "c", 0) - 0.4 - 0.6 * exp(-5 * t)), 1e-8, "file %zu", k);
    close_run(&r);
    unlink(path);
  }
}

/* ---- rules of discretization ---- */

/* The same sampled: y_k = 0.4 + (y_0 - 0.4) p^k, with p and y_0 of each rule. */
static void rules(void **state) {
  (void)state;
  const double T = 0.05, a = 5, b0 = 1, b1 = 2;
  const struct {
    const char *rule;
    double p, y0;
  } known[] = {{"zero-order-hold", exp(-a * T), b0},
               {"tustin", (1 - a * T / 2) / (1 + a * T / 2), (b0 * 2 / T + b1) / (2 / T + a)},
               {"backward-euler", 1 / (1 + a * T), (b0 / T + b1) / (1 / T + a)},
               {"forward-euler", 1 - a * T, b0}};
  for (size_t k = 0; k < SN_COUNT(known); k++) {
    char text[1024];
    snprintf(text, sizeof text,
             BALL
             "controllers: {c: {type: transfer-function, input: 1, numerator: [1, 2], denominator: [1, 5], period: "
             "0.05, discretization: %s}}\n" PUSH RUN(1),
             known[k].rule);
    run r;
    open_run(&r, text, NULL);
    for (int i = 0; i < 20; i++) {
      go_to(&r, T * (i + 0.5)); /* held */
      assert_below(fabs(value(&r, "c", 0) - 0.4 - (known[k].y0 - 0.4) * pow(known[k].p, i)), 1e-12, "%s, sample %d",
                   known[k].rule, i);
    }
    close_run(&r);
  }
}

/* ---- sampled control of a flexible joint ---- */

enum { N = 4 };
static const double J1 = 0.2, J2 = 0.5, K = 30, D = 0.4, gain[N] = {25, 4, -15, 1.5};

/* x' = A x + b u of x = (motor angle, rate, twist, rate) */
static void robot(double A[N][N], double b[N]) {
  memset(A, 0, sizeof(double) * N * N);
  A[0][1] = A[2][3] = 1;
  A[1][2] = K / J1;
  A[1][3] = D / J1;
  A[3][2] = -K / J1 - K / J2;
  A[3][3] = -D / J1 - D / J2;
  b[0] = b[2] = 0;
  b[1] = 1 / J1;
  b[3] = -1 / J1;
}

/* x at the end of a time T with constant u: many steps of the Taylor series of order 8, which is exact to rounding */
static void flow(double T, double u, double x[N]) {
  enum { STEPS = 64, ORDER = 8 };
  double A[N][N], b[N];
  const double h = T / STEPS;
  robot(A, b);
  for (int step = 0; step < STEPS; step++) {
    double term[N], next[N], sum[N];
    memcpy(sum, x, sizeof sum);
    memcpy(term, x, sizeof term);
    for (int p = 1; p <= ORDER; p++) {
      for (int i = 0; i < N; i++) {
        next[i] = p == 1 ? b[i] * u : 0;
        for (int j = 0; j < N; j++) next[i] += A[i][j] * term[j];
      }
      for (int i = 0; i < N; i++) sum[i] += term[i] = next[i] * h / p;
    }
    memcpy(x, sum, sizeof sum);
  }
}

static double torque(const double x[N]) {
  double u = 0;
  for (int i = 0; i < N; i++) u -= gain[i] * x[i];
  return u;
}

static void open_robot(run *r, double T, double delay, const char *integrator) {
  char text[2048];
  snprintf(
      text, sizeof text,
      "sinew: 1\nplanar: true\nbodies: {motor: {type: rigid, mass: 1, inertia: [0.2, 0.2, 0.2], position: [0, 0, 0], "
      "angular_velocity: [0, 0, 1]}, arm: {type: rigid, mass: 1, inertia: [0.5, 0.5, 0.5], position: [0, 0, 0], "
      "angular_velocity: [0, 0, 1.5]}}\njoints: {hinge: {type: revolute, between: [ground, motor.center]}, flex: "
      "{type: "
      "revolute, between: [motor.center, arm.center]}}\nforces: {spring: {type: torsion-spring, joint: flex, "
      "stiffness: 30, damping: 0.4}, drive: {type: moment, at: motor.center, moment: [0, 0, c]}}\noutputs: {hinge: "
      "{joint: hinge}, flex: {joint: flex}}\ncontrollers: {c: {type: state-space, inputs: [hinge.angle, hinge.rate, "
      "flex.angle, flex.rate], D: [[-25, -4, 15, -1.5]], period: %.17g, delay: %.17g, discretization: "
      "none}}\nanalysis: {type: dynamics, duration: %.17g, output_step: %.17g}\n",
      T, delay, 40 * T, T);
  const sn_options options = {.integrator = integrator, .tolerance = 1e-9};
  open_run(r, text, &options);
}

static void read_robot(run *r, double x[N]) {
  read_output(r, "hinge", x, 2);
  read_output(r, "flex", x + 2, 2);
}

/* The map of a period that takes x[0..3] to x[1..4], and its characteristic polynomial. */
static void fit_poles(double x[N + 1][N], double c[N + 1]) {
  double M[N][N], B[N][2 * N]; /* [X0' | X1'], X0 = [x0 x1 x2 x3]: M' solves X0' M' = X1' */
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++) B[k][i] = x[k][i], B[k][N + i] = x[k + 1][i];
  for (int k = 0; k < N; k++) {
    int best = k;
    for (int i = k; i < N; i++)
      if (fabs(B[i][k]) > fabs(B[best][k])) best = i;
    for (int j = 0; j < 2 * N; j++) {
      const double swap = B[k][j];
      B[k][j] = B[best][j], B[best][j] = swap;
    }
    for (int i = 0; i < N; i++) {
      if (i == k) continue;
      const double f = B[i][k] / B[k][k];
      for (int j = 0; j < 2 * N; j++) B[i][j] -= f * B[k][j];
    }
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) M[j][i] = B[i][N + j] / B[i][i];
  characteristic(N, &M[0][0], c);
}

/* Poles in z from the run, by the map that takes states at instants to the next ones, against those of the exact
 * zero-order hold, which change with the period; the last one is unstable. */
static void sampled_poles(void **state) {
  (void)state;
  static const double periods[] = {0.02, 0.05, 0.1, 0.2};
  double first[N + 1] = {0};
  for (size_t k = 0; k < SN_COUNT(periods); k++) {
    const double T = periods[k];
    double x[N + 1][N], M[N][N], known[N + 1], found[N + 1];
    run r;
    open_robot(&r, T, 0, "radau");
    for (int i = 0; i <= N; i++) {
      go_to(&r, i * T);
      assert_below(fabs(sn_time(r.simulation) - i * T), 1e-12, "an instant is the end of a step");
      read_robot(&r, x[i]);
    }
    close_run(&r);
    for (int j = 0; j < N; j++) { /* columns of Ad - Bd gain */
      double e[N] = {0};
      e[j] = 1;
      flow(T, torque(e), e);
      for (int i = 0; i < N; i++) M[i][j] = e[i];
    }
    characteristic(N, &M[0][0], known);
    fit_poles(x, found);
    for (int i = 1; i <= N; i++) assert_below(fabs(found[i] - known[i]), 1e-4, "period %g s, coefficient %d", T, i);
    if (k == 0) memcpy(first, known, sizeof first);
    if (k > 0) assert_true(fabs(known[1] - first[1]) > 0.1); /* the period matters */
  }
}

/* All states at instants of a long run, with and without a delay, by methods of all sorts and by fixed steps. */
static void sampled_states(void **state) {
  (void)state;
  const double T = 0.02;
  static const struct {
    const char *method;
    double delay, limit;
  } cases[] = {{"radau", 0, 1e-7},   {"radau", 0.012, 1e-7}, {"radau", 0.02, 1e-7}, {"hht-i3", 0.012, 1e-5},
               {"ida", 0.012, 1e-5}, {"erk", 0.012, 1e-6},   {"adams", 0.02, 1e-5}};
  for (size_t k = 0; k < SN_COUNT(cases); k++) {
    double x[N] = {0, 1, 0, 0.5}, y[N], u = 0;
    run r;
    open_robot(&r, T, cases[k].delay, cases[k].method);
    for (int i = 1; i <= 40; i++) {
      const double next = torque(x);
      flow(cases[k].delay, u, x);
      u = next;
      flow(T - cases[k].delay, u, x);
      go_to(&r, i * T);
      read_robot(&r, y);
      for (int j = 0; j < N; j++)
        assert_below(fabs(x[j] - y[j]), cases[k].limit, "%s, delay %g s, instant %d, state %d", cases[k].method,
                     cases[k].delay, i, j);
    }
    close_run(&r);
  }
}

/* ---- pid, sampled ---- */

/* Its equations by hand over a measured signal that is known: sin(3 t). */
static void sampled_pid(void **state) {
  (void)state;
  const double T = 0.1, kp = 3, ki = 2, kd = 0.5, Tf = 0.05, low = -1, high = 2, Tt = 0.4;
  for (int clamping = 0; clamping < 2; clamping++) {
    char text[1024];
    snprintf(text, sizeof text,
             BALL
             "controllers: {c: {type: pid, measure: sin(3*t), setpoint: 0.7, kp: 3, ki: 2, kd: 0.5, filter_time: 0.05, "
             "limits: [-1, 2], anti_windup: %s, tracking_time: 0.4, period: 0.1, start: 0.3}}\n" PUSH RUN(3),
             clamping ? "clamping" : "back-calculation");
    run r;
    open_run(&r, text, NULL);
    double I = 0.3, d = 0, last = 0;
    for (int k = 0; k < 30; k++) {
      const double e = 0.7 - sin(3 * T * k), old = I;
      I += T * ki * e;
      d = k ? (Tf * d + e - last) / (Tf + T) : 0;
      last = e;
      double v = kp * e + I + kd * d, u = fmin(fmax(v, low), high);
      if (clamping && u != v && (v - u) * e > 0) I = old, v = kp * e + I + kd * d, u = fmin(fmax(v, low), high);
      if (!clamping) I += T / Tt * (u - v);
      go_to(&r, T * (k + 0.5));
      assert_below(fabs(value(&r, "c", 0) - u), 1e-12, "output %d", k);
      assert_below(fabs(value(&r, "c", 3) - I), 1e-12, "integral %d", k);
    }
    close_run(&r);
  }
}

/* Back-calculation keeps the integral where the output is limited: 1/s with limits, a large step, and little overshoot. */
static void no_windup(void **state) {
  (void)state;
  double overshoot[2];
  static const char *const rules[] = {"none", "back-calculation"};
  for (int k = 0; k < 2; k++) {
    char text[1024];
    snprintf(text, sizeof text,
             BALL
             "variables: {x: {rate: c}}\ncontrollers: {c: {type: pid, measure: x, setpoint: 10, kp: 2, ki: 1, limits: "
             "[-1, 1], anti_windup: %s, tracking_time: 0.5}}\n" RUN(40),
             rules[k]);
    run r;
    const sn_options options = {.integrator = "radau", .tolerance = 1e-7};
    open_run(&r, text, &options);
    overshoot[k] = 0;
    for (int i = 1; i <= 80; i++) {
      go_to(&r, 0.5 * i);
      overshoot[k] = fmax(overshoot[k], value(&r, "x", 0) - 10);
      assert_true(fabs(value(&r, "c", 0)) <= 1);
    }
    close_run(&r);
  }
  assert_true(overshoot[0] > 2);
  assert_below(overshoot[1], 0.6, "overshoot");
}

/* Later controllers see what earlier ones have put out at the same instant. */
static void cascade(void **state) {
  (void)state;
  run r;
  open_run(
      &r,
      BALL
      "controllers: {a: {type: pid, measure: -t, kp: 1, period: 0.1}, b: {type: pid, measure: -2*a, kp: 1, period: "
      "0.1}}\nforces: {f: {type: force, at: ball, force: [b, 0, 0]}}\n" RUN(1),
      NULL);
  for (int k = 0; k < 10; k++) {
    go_to(&r, 0.1 * k + 0.05);
    assert_below(fabs(value(&r, "a", 0) - 0.1 * k) + fabs(value(&r, "b", 0) - 0.2 * k), 1e-12, "instant %d", k);
  }
  close_run(&r);
}

/* ---- checkpoints ---- */

/* A run that goes on from a checkpoint is bitwise the run without; between an instant and its output, and at an instant. */
static void resumed(void **state) {
  (void)state;
  static const char *const methods[] = {"radau", "hht-i3", "ida"};
  static const double times[] = {0.1, 0.105, 0.112};
  for (size_t k = 0; k < SN_COUNT(methods) * SN_COUNT(times); k++) {
    run on, off;
    sn_history history = {0};
    open_robot(&on, 0.02, 0.012, methods[k % 3]);
    open_robot(&off, 0.02, 0.012, methods[k % 3]);
    go_to(&on, times[k / 3]);
    sn_checkpoint_save(on.simulation, &history);
    assert_int_equal(sn_checkpoint_load(on.simulation, &history), SN_OK);
    assert_int_equal(sn_checkpoint_load(off.simulation, &history), SN_OK);
    advance(&on, 0.6);
    advance(&off, 0.6);
    const sn_state *a = &on.simulation->state, *b = &off.simulation->state;
    const size_t size = (size_t)on.model->n * sizeof(double), count = (size_t)on.model->discrete * sizeof(double);
    assert_true(a->t == b->t && !memcmp(a->q, b->q, size) && !memcmp(a->v, b->v, size));
    assert_memory_equal(on.simulation->discrete, off.simulation->discrete, count);
    sn_history_free(&history);
    close_run(&on);
    close_run(&off);
  }
}

/* ---- the inverted pendulum ---- */

/* Rates of (x, a, x', a', integral, filter): a cart of 1 kg, a rod of 0.3 kg, 1 m and radius 0.015 m at the angle a
 * counterclockwise from the vertical; the PID of models/cart-pole-pid.yaml with its limits. */
static void cart_pole(const double y[6], double rate[6]) {
  const double M = 1, m = 0.3, l = 0.5, g = 9.81, J = m * (3 * 0.015 * 0.015 + 1) / 12 + m * l * l;
  const double kp = 60, ki = 20, kd = 12, filter_time = 0.01, limit = 20, tracking = sqrt(kd / ki);
  const double s = sin(y[1]), c = cos(y[1]), error = 0.06 * y[0] + 0.09 * y[2] - y[1];
  const double wanted = kp * error + y[4] + kd * (-y[1] - y[5]) / filter_time, F = fmin(fmax(wanted, -limit), limit);
  /* (M + m) x'' - m l c a'' = F - m l s a'^2,   J a'' - m l c x'' = m g l s */
  const double b = F - m * l * s * y[3] * y[3], d = (M + m) * J - m * l * c * m * l * c;
  rate[0] = y[2], rate[1] = y[3];
  rate[2] = (b * J + m * l * c * m * g * l * s) / d;
  rate[3] = ((M + m) * m * g * l * s + m * l * c * b) / d;
  rate[4] = ki * error + (F - wanted) / tracking;
  rate[5] = (-y[1] - y[5]) / filter_time;
}

/* It is kept up, and moves as the classic Runge-Kutta method says with steps of 0.1 ms. */
static void kept_up(void **state) {
  (void)state;
  const double h = 1e-4;
  double rail[2], hinge[2], y[6] = {0};
  run r;
  open_run(&r, "models/cart-pole-pid.yaml", NULL);
  read_output(&r, "rail", rail, 2);
  read_output(&r, "hinge", hinge, 2);
  y[2] = rail[1], y[3] = hinge[1];
  assert_true(fabs(y[3]) > 0.5); /* it would fall */
  for (int i = 1; i <= 60000; i++) {
    double k[4][6], z[6];
    for (int stage = 0; stage < 4; stage++) {
      const double step = stage == 0 ? 0 : stage == 3 ? h : h / 2;
      for (int j = 0; j < 6; j++) z[j] = y[j] + (stage ? step * k[stage - 1][j] : 0);
      cart_pole(z, k[stage]);
    }
    for (int j = 0; j < 6; j++) y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    if (i % 15000) continue;
    advance(&r, i * h);
    read_output(&r, "rail", rail, 2);
    read_output(&r, "hinge", hinge, 2);
    assert_below(fabs(rail[0] - y[0]) + fabs(hinge[0] - y[1]), 1e-4, "t = %g s", i * h);
  }
  assert_below(fabs(hinge[0]), 0.02, "angle at the end");
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pid_step_response), cmocka_unit_test(pid_poles),   cmocka_unit_test(kept_up),
      cmocka_unit_test(transfer_function), cmocka_unit_test(rules),       cmocka_unit_test(sampled_poles),
      cmocka_unit_test(sampled_states),    cmocka_unit_test(sampled_pid), cmocka_unit_test(no_windup),
      cmocka_unit_test(cascade),           cmocka_unit_test(resumed),     cmocka_unit_test(matrices_from_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
