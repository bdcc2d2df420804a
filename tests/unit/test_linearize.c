/* test_linearize.c - state-space matrices against theory made by hand, and against differences of the flow. */
#include "analysis/linearize.h"
#include "result/state_space.h"
#include "support.h"

static const sn_linear *finish(run *r, const char *text) {
  open_run(r, text, NULL);
  if (sn_run(r->simulation)) fail_msg("%s", sn_message(r->context));
  assert_non_null(r->simulation->linear);
  return r->simulation->linear;
}

static int output_named(const sn_linear *L, const char *name) {
  for (int i = 0; i < L->outputs; i++)
    if (strcmp(L->output_name[i], name) == 0) return i;
  fail_msg("no output '%s'", name);
  return -1;
}

/* X := X A^-1, both 4 x 4 by rows */
static void divide(double X[4][4], double A[4][4]) {
  for (int k = 0; k < 4; k++) {
    int best = k; /* columns of A are eliminated: X A^-1 solves Y A = X */
    for (int j = k; j < 4; j++)
      if (fabs(A[k][j]) > fabs(A[k][best])) best = j;
    for (int i = 0; i < 4; i++) {
      double s = A[i][k], u = X[i][k];
      A[i][k] = A[i][best], A[i][best] = s;
      X[i][k] = X[i][best], X[i][best] = u;
    }
    for (int j = 0; j < 4; j++) {
      if (j == k) continue;
      const double f = A[k][j] / A[k][k];
      for (int i = 0; i < 4; i++) A[i][j] -= f * A[i][k], X[i][j] -= f * X[i][k];
    }
  }
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 4; i++) X[i][k] /= A[k][k];
}

/* ---- one degree of freedom ---- */

/* m x'' + d x' + c x = 0: m = 2, d = 3, c = 50, a mass on a rail. */
static void oscillator(void **state) {
  (void)state;
  run r;
  const sn_linear *L =
      finish(&r,
             "sinew: 1\nbodies: {m: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [0, 0, 0]}}\n"
             "joints: {rail: {type: prismatic, between: [ground, m.center], axis: [1, 0, 0]}}\n"
             "forces: {s: {type: spring, between: [\"ground.at(-1, 0, 0)\", m.center], stiffness: 50, damping: 3}}\n"
             "outputs: {m: {point: m.center}, s: {spring: s}}\nanalysis: linearize\n");
  const double A[4] = {0, 1, -25, -1.5};
  assert_int_equal(L->states, 2);
  assert_string_equal(L->state_name[0], "m.x");
  for (int i = 0; i < 4; i++) assert_below(fabs(L->A[i] - A[i]), 1e-10, "A[%d]", i);
  const sn_modes *m = r.simulation->modes;
  assert_int_equal(m->count, 1);
  assert_below(fabs(m->re[0] + 0.75) + fabs(m->im[0] - sqrt(25 - 0.75 * 0.75)), 1e-9, "eigenvalue");
  assert_below(fabs(m->damping[0] - 0.15), 1e-10, "damping ratio");
  assert_below(fabs(sn_mode_frequency(m, 0) - 5 / (2 * PI)), 1e-10, "frequency");
  const double *x = L->C + 2 * output_named(L, "m.x"), *a = L->C + 2 * output_named(L, "m.ax");
  assert_below(fabs(x[0] - 1) + fabs(x[1]), 1e-9, "C of the position");
  assert_below(fabs(a[0] + 25) + fabs(a[1] + 1.5), 1e-8, "C of the acceleration");
  close_run(&r);
}

/* A pendulum: J phi'' + m g s sin phi = 0, hanging and upside down; a rigid body in space, and one in the plane. */
static void pendulum(void **state) {
  (void)state;
#define PENDULUM(head, inertia, g)                                                                                   \
  "sinew: 1\n" head "gravity: [0, " g ", 0]\nbodies: {bar: {type: rigid, mass: 2, inertia: " inertia                 \
  ", position: [0, -0.7, 0]}}\njoints: {pin: {type: revolute, between: [\"ground.at(0, 0, 0)\", bar], axis: [0, 0, " \
  "1]}}\nanalysis: linearize\n"
  static const char *const texts[] = {PENDULUM("", "[0.49, 0.02, 0.5]", "-9.81"),
                                      PENDULUM("", "[0.49, 0.02, 0.5]", "9.81"),
                                      PENDULUM("planar: true\n", "[0.49, 0.02, 0.5]", "-9.81")};
  const double w2 = 2 * 9.81 * 0.7 / (0.5 + 2 * 0.49);
  for (int k = 0; k < 3; k++) {
    run r;
    const sn_linear *L = finish(&r, texts[k]);
    assert_int_equal(L->states, 2);
    assert_below(fabs(L->A[2] - (k == 1 ? w2 : -w2)), 1e-9 * w2, "A21 of case %d", k);
    assert_below(fabs(L->A[3]), 1e-9, "A22");
    assert_int_equal(r.simulation->modes->unstable, k == 1);
    close_run(&r);
  }
}

/* ---- several ---- */

/* Pendulum on a cart of mass M: rod without mass of length s, point mass m at its end, upright. Theory:
 * x'' = -m g/M phi, phi'' = (M + m) g/(M s) phi, phi from the top. */
static void pendulum_on_cart(void **state) {
  (void)state;
  run r;
  const double M = 3, m = 0.5, s = 0.8, g = 9.81;
  const sn_linear *L =
      finish(&r,
             "sinew: 1\ngravity: [0, -9.81, 0]\nbodies:\n"
             "  cart: {type: rigid, mass: 3, inertia: [1, 1, 1], position: [0, 0, 0]}\n"
             "  bob: {type: rigid, mass: 0.5, inertia: [1e-9, 1e-9, 1e-9], position: [0, 0.8, 0]}\n"
             "joints:\n  rail: {type: prismatic, between: [ground, cart.center], axis: [1, 0, 0]}\n"
             "  pin: {type: revolute, between: [cart.center, \"bob.at(0, -0.8, 0)\"], axis: [0, 0, 1]}\n"
             "outputs: {pin: {joint: pin}, cart: {point: cart.center}}\nanalysis: linearize\n");
  assert_int_equal(L->states, 4);
  const double grow = sqrt((M + m) * g / (M * s));
  assert_below(fabs(L->re[3] - grow) * fabs(L->re[3] + grow), 1e-6, "unstable eigenvalue %g", L->re[3]);
  assert_below(hypot(L->re[0], L->im[0]), 1e-6, "the cart is free");
  /* in outputs: x'' of the cart is -m g/M times the angle, whatever the states are */
  const int n = L->states, phi = output_named(L, "pin.angle"), ax = output_named(L, "cart.ax");
  for (int k = 0; k < n; k++)
    assert_below(fabs(fabs(L->C[ax * n + k]) - m * g / M * fabs(L->C[phi * n + k])), 1e-7, "cart, state %d", k);
  assert_int_equal(r.simulation->modes->unstable, 1);
  close_run(&r);
}

/* Two equal point pendulums in a chain: w^2 = (2 -+ sqrt 2) g/l. */
static void double_pendulum(void **state) {
  (void)state;
  run r;
  finish(
      &r,
      "sinew: 1\ngravity: [0, -9.81, 0]\nbodies:\n"
      "  a: {type: point-mass, mass: 1, position: [0, -1, 0]}\n  b: {type: point-mass, mass: 1, position: [0, -2, 0]}\n"
      "joints:\n  a: {type: distance, between: [\"ground.at(0, 0, 0)\", a]}\n  b: {type: distance, between: [a, b]}\n"
      "analysis: linearize\n");
  const sn_modes *m = r.simulation->modes;
  assert_int_equal(m->count, 4); /* each twice: two directions */
  for (int k = 0; k < 4; k++)
    assert_below(fabs(m->im[k] - sqrt((2 + (k < 2 ? -1 : 1) * sqrt(2)) * 9.81)) + fabs(m->re[k]), 1e-7, "mode %d", k);
  close_run(&r);
}

/* ---- inputs, variables, control ---- */

/* A cart with an upright rod, free of mass but for the point at its end, and a force u on the cart. */
#define CART(drive, more, analysis)                                                            \
  "sinew: 1\nplanar: true\ngravity: [0, -9.81, 0]\nbodies:\n"                                  \
  "  cart: {type: rigid, mass: 3, inertia: [1, 1, 1], position: [0, 0, 0]}\n"                  \
  "  bob: {type: rigid, mass: 0.5, inertia: [1e-9, 1e-9, 1e-9], position: [0, 0.8, 0]}\n"      \
  "joints:\n  rail: {type: prismatic, between: [ground, cart.center], axis: [1, 0, 0]}\n"      \
  "  pin: {type: revolute, between: [cart.center, \"bob.at(0, -0.8, 0)\"], axis: [0, 0, 1]}\n" \
  "inputs: {u: {default: 0}}\nforces: {drive: {type: force, at: cart.center, force: [" drive   \
  ", 0, 0]}}\n"                                                                                \
  "outputs: {rail: {joint: rail}, pin: {joint: pin}, cart: {point: cart.center}}\n" more "analysis: " analysis "\n"

/* X := A B, 4 x 4 by rows */
static void multiply(double X[4][4], double A[4][4], double B[4][4]) {
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++) {
      X[i][k] = 0;
      for (int j = 0; j < 4; j++) X[i][k] += A[i][j] * B[j][k];
    }
}

/* Ackermann: the last row of [B, AB, A2B, A3B]^-1 times (A + 2)(A + 3)(A + 4)(A + 5). */
static void place_poles(const sn_linear *L, double gain[4]) {
  double A[4][4], R[4][4], p[4][4] = {{0}}, row[4][4] = {{0}}, b[4];
  memcpy(A, L->A, sizeof A);
  memcpy(b, L->B, sizeof b);
  for (int k = 0; k < 4; k++) {
    double next[4] = {0};
    for (int i = 0; i < 4; i++) R[i][k] = b[i];
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) next[i] += A[i][j] * b[j];
    memcpy(b, next, sizeof b);
    p[k][k] = 1;
  }
  for (int k = 2; k <= 5; k++) {
    double factor[4][4], product[4][4];
    memcpy(factor, A, sizeof A);
    for (int i = 0; i < 4; i++) factor[i][i] += k;
    multiply(product, factor, p);
    memcpy(p, product, sizeof p);
  }
  row[0][3] = 1;
  divide(row, R);
  for (int k = 0; k < 4; k++) {
    gain[k] = 0;
    for (int j = 0; j < 4; j++) gain[k] += row[0][j] * p[j][k];
  }
}

/* State feedback from A and B: the closed loop has the poles asked for, and keeps the rod up. */
static void state_feedback(void **state) {
  (void)state;
  static const char *const measured[] = {"rail.travel", "pin.angle", "rail.travel_rate", "pin.angle_rate"};
  run r;
  double S[4][4], K[4][4] = {{0}};
  const sn_linear *L = finish(&r, CART("u", "", "linearize"));
  assert_int_equal(L->states, 4);
  assert_int_equal(L->inputs, 1);
  assert_string_equal(L->input_name[0], "u");
  assert_below(fabs(L->D[output_named(L, "cart.ax")] - 1 / 3.0), 1e-6, "u/M");
  place_poles(L, K[0]);
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++) S[i][k] = L->C[4 * output_named(L, measured[i]) + k];
  divide(K, S);
  close_run(&r);
  char law[400], text[2000];
  snprintf(law, sizeof law,
           "variables: {f: {value: -(%.17g)*rail.position - (%.17g)*pin.angle - (%.17g)*rail.velocity - "
           "(%.17g)*pin.rate}}\n",
           K[0][0], K[0][1], K[0][2], K[0][3]);
  snprintf(text, sizeof text, CART("f + u", "%s", "linearize"), law);
  L = finish(&r, text);
  for (int k = 0; k < 4; k++) assert_below(fabs(L->re[k] + 2 + k) + fabs(L->im[k]), 1e-5, "pole %d: %g", k, L->re[k]);
  close_run(&r);
  snprintf(text, sizeof text, CART("\"f + if(t < 0.2, 5, 0)\"", "%s", "{type: dynamics, duration: 8}"), law);
  open_run(&r, text, NULL);
  if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
  double angle[2], place[2];
  sn_read(r.simulation, "pin", angle, 2);
  sn_read(r.simulation, "rail", place, 2);
  assert_below(fabs(angle[0]) + fabs(place[0]), 1e-3, "upright again");
  close_run(&r);
}

/* A differential variable is one state: z' = -5 z + u, and a mass that it pushes. */
static void variable(void **state) {
  (void)state;
  run r;
  const sn_linear *L = finish(&r,
                              "sinew: 1\nplanar: true\nbodies: {m: {type: point-mass, mass: 2, position: [0, 0, 0]}}\n"
                              "joints: {y: {type: motion, between: [ground, m], axis: [0, 1, 0], translation: 0}}\n"
                              "inputs: {u: {default: 0.3}}\nvariables: {z: {rate: -5*z + u, start: 0.1}}\n"
                              "forces: {f: {type: force, at: m, force: [8*z, 0, 0]}}\nanalysis: linearize\n");
  const double A[] = {0, 1, 0, 0, 0, 4, 0, 0, -5}, B[] = {0, 0, 1};
  assert_int_equal(L->states, 3);
  assert_string_equal(L->state_name[0], "m.x");
  assert_string_equal(L->state_name[2], "z");
  for (int i = 0; i < 9; i++) assert_below(fabs(L->A[i] - A[i]), 1e-9, "A[%d]", i);
  for (int i = 0; i < 3; i++) assert_below(fabs(L->B[i] - B[i]), 1e-9, "B[%d]", i);
  close_run(&r);
}

/* The same frequencies as `modes` finds: a cantilever after statics, with damping. */
static void as_modes(void **state) {
  (void)state;
  run r;
  finish(&r,
         "sinew: 1\ngravity: [0, -9.81, 0]\nmaterials: {m: {density: 7200, young: 2e9}}\n"
         "sections: {s: {type: rectangle, width: 0.02, height: 0.02}}\n"
         "bodies: {beam: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 6, material: m, section: s, "
         "mass_damping: 0.4}}\n"
         "joints: {clamp: {type: fixed, between: [ground, beam.start]}}\nanalysis: [statics, {type: modes, count: 6}, "
         "linearize]\n");
  const sn_modes *damped = r.simulation->modes, *modes = damped->next;
  for (int k = 0; k < 6; k++) { /* mass damping: re = -0.2, |lambda| = w */
    assert_below(fabs(sqrt(damped->w2[k] / modes->w2[k]) - 1), 1e-6, "frequency %d", k);
    assert_below(fabs(damped->re[k] + 0.2), 1e-4, "decay %d: %g", k, damped->re[k]);
  }
  close_run(&r);
}

/* ---- in motion ---- */

/* Two bars in a chain with a spring and a damper, anywhere and in motion: angles p, r and angular velocities u, w in
 * space. Accelerations are functions of joint angles and rates, a = F(phi, phi'), in any coordinates: what the matrices
 * say of F is compared with differences between starts. */
#define CHAIN(head)                                                                                                  \
  "sinew: 1\n" head                                                                                                  \
  "gravity: [0, -9.81, 0]\nparameters: {p: 0.3, r: -0.5, u: 2, w: -1}\nbodies:\n"                                    \
  "  a: {type: rigid, mass: 2, inertia: [0.3, 0.2, 0.1], position: [0.5*cos(p), 0.5*sin(p), 0], rotation: {axis: "   \
  "[0, 0, 1], angle: p}, angular_velocity: [0, 0, u], velocity: [-0.5*u*sin(p), 0.5*u*cos(p), 0]}\n"                 \
  "  b: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.3], position: [cos(p) + 0.5*cos(r), sin(p) + 0.5*sin(r), 0], "  \
  "rotation: {axis: [0, 0, 1], angle: r}, angular_velocity: [0, 0, w], velocity: [-u*sin(p) - 0.5*w*sin(r), "        \
  "u*cos(p) + 0.5*w*cos(r), 0]}\n"                                                                                   \
  "joints:\n  pin: {type: revolute, between: [ground, \"a.at(-0.5, 0, 0)\"], axis: [0, 0, 1]}\n"                     \
  "  hinge: {type: revolute, between: [\"a.at(0.5, 0, 0)\", \"b.at(-0.5, 0, 0)\"], axis: [0, 0, 1]}\n"               \
  "forces: {s: {type: spring, between: [\"ground.at(0, 2, 0)\", \"b.at(0.5, 0, 0)\"], stiffness: 20, damping: 0.5, " \
  "length: 1}}\n"                                                                                                    \
  "outputs: {pin: {joint: pin}, hinge: {joint: hinge}, tip: {point: \"b.at(0.5, 0, 0)\"}, load: {reaction: pin}}\n"  \
  "analysis: linearize\n"

enum { ANGLES = 4, VALUES = 4 }; /* ax, ay of the tip; fx, fy of the pin */

static void start_values(const char *text, const double x[ANGLES], double y[VALUES]) {
  char set[ANGLES][40];
  const char *sets[ANGLES];
  for (int i = 0; i < ANGLES; i++) {
    snprintf(set[i], sizeof set[i], "%c=%.17g", "pruw"[i], x[i]);
    sets[i] = set[i];
  }
  run r = {.context = sn_context_create()};
  double tip[9], load[6];
  if (sn_model_parse(r.context, "chain", text, strlen(text), sets, ANGLES, &r.model) ||
      sn_simulation_create(r.model, NULL, &r.simulation))
    fail_msg("%s", sn_message(r.context));
  const size_t dim = sn_read(r.simulation, "tip", tip, 9) / 3;
  sn_read(r.simulation, "load", load, 6);
  y[0] = tip[2 * dim], y[1] = tip[2 * dim + 1], y[2] = load[0], y[3] = load[1];
  close_run(&r);
}

static void in_motion(void **state) {
  (void)state;
  static const char *const texts[] = {CHAIN(""), CHAIN("planar: true\n")};
  static const char *const angles[] = {"pin.angle", "hinge.angle", "pin.angle_rate", "hinge.angle_rate"};
  static const char *const values[] = {"tip.ax", "tip.ay", "load.fx", "load.fy"};
  for (int c = 0; c < 2; c++) {
    run r;
    const sn_linear *L = finish(&r, texts[c]);
    double F[4][4], S[4][4];
    assert_int_equal(L->states, 4);
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < 4; k++) {
        F[i][k] = L->C[4 * output_named(L, values[i]) + k];
        S[i][k] = L->C[4 * output_named(L, angles[i]) + k];
      }
    divide(F, S);
    const double at[4] = {0.3, -0.5, 2, -1}, h = 1e-4;
    for (int k = 0; k < 4; k++) { /* p moves the pin and, backwards, the hinge */
      double x[2][4], y[2][4];
      for (int side = 0; side < 2; side++) {
        memcpy(x[side], at, sizeof at);
        x[side][k] += side ? -h : h;
        start_values(texts[c], x[side], y[side]);
      }
      for (int i = 0; i < 4; i++) {
        const double flow = (y[0][i] - y[1][i]) / (2 * h), own = k % 2 ? F[i][k] : F[i][k] - F[i][k + 1];
        assert_below(fabs(flow - own), 1e-5 * (1 + fabs(flow)), "%s along %c: %g, %g", values[i], "pruw"[k], flow, own);
      }
    }
    close_run(&r);
  }
}

/* ---- rotors ---- */

/* A disk at the end of an elastic shaft that is clamped (Stodola), length 0.5, EI by a cable, which does not feel that it turns; the
 * disk turns with W. With the flexibility of the end (force and moment), u and theta = complex deflection and slope:
 *
 *   m u'' + k11 u + k12 th = 0,   Jt th'' - i Jp W th' + k21 u + k22 th = 0,   k = EI [12/L^3, -6/L^2; -6/L^2, 4/L]
 *
 * so that the frequencies w satisfy (k11 - m w^2)(k22 - Jt w^2 + Jp W w) - k12^2 = 0, forward whirl positive. */
#define ROTOR                                                                                                       \
  "sinew: 1\nparameters: {W: 100, L: 0.5, Jp: 0.05}\nmaterials: {steel: {density: 1, young: 2.1e11}}\n"             \
  "sections: {s: {type: circle, radius: 0.005}}\nbodies:\n"                                                         \
  "  shaft: {type: cable, from: [0, 0, 0], to: [L, 0, 0], elements: 6, material: steel, section: s}\n"              \
  "  disk: {type: rigid, mass: 4, inertia: [Jp, 0.025, 0.025], position: [L, 0, 0], angular_velocity: [W, 0, 0]}\n" \
  "joints:\n  clamp: {type: fixed, between: [ground, shaft.start]}\n"                                               \
  "  bearing: {type: fixed, between: [shaft.end, disk.center]}\nanalysis: linearize\n"

static double whirl(double W, double w) {
  const double I = PI * pow(0.005, 4) / 4, EI = 2.1e11 * I, L = 0.5, m = 4, Jp = 0.05, Jt = 0.025;
  const double k11 = 12 * EI / L / L / L, k12 = 6 * EI / L / L, k22 = 4 * EI / L;
  return (k11 - m * w * w) * (k22 - Jt * w * w + Jp * W * w) - k12 * k12;
}

/* All roots of the equation, from -top to top, ascending size. */
static int whirl_roots(double W, double *root) {
  int count = 0;
  const int steps = 400000;
  const double top = 2000;
  for (int i = 0; i < steps; i++) {
    double a = -top + 2 * top * i / steps, b = a + 2 * top / steps;
    if (!(whirl(W, a) * whirl(W, b) < 0)) continue;
    for (int k = 0; k < 60; k++) {
      double c = (a + b) / 2;
      if (whirl(W, a) * whirl(W, c) <= 0)
        b = c;
      else
        a = c;
    }
    root[count++] = fabs(a);
  }
  for (int i = 1; i < count; i++)
    for (int k = i; k > 0 && root[k] < root[k - 1]; k--) {
      double s = root[k];
      root[k] = root[k - 1], root[k - 1] = s;
    }
  return count;
}

static void rotor(void **state) {
  (void)state;
  for (int W = 0; W <= 400; W += 200) {
    char set[20];
    const char *sets[] = {set};
    double root[8];
    run r = {.context = sn_context_create()};
    snprintf(set, sizeof set, "W=%d", W);
    if (sn_model_parse(r.context, "rotor", ROTOR, strlen(ROTOR), sets, 1, &r.model) ||
        sn_simulation_create(r.model, NULL, &r.simulation) || sn_run(r.simulation))
      fail_msg("%s", sn_message(r.context));
    const sn_modes *m = r.simulation->modes;
    const int count = whirl_roots(W, root);
    assert_int_equal(count, 4);
    int at = 0;
    while (at < m->count && m->im[at] < 1) at++; /* the disk turns freely */
    for (int k = 0; k < 4; k++) {
      const double exact = root[k];
      assert_below(fabs(m->im[at + k] / exact - 1), 2e-3, "W = %d: whirl %d: %g, theory %g", W, k, m->im[at + k],
                   exact);
    }
    close_run(&r);
  }
}

/* The eigenvalue with the imaginary part nearest to w. */
static double nearest(const sn_modes *m, double w) {
  double best = INFINITY;
  for (int k = 0; k < m->count; k++)
    if (fabs(m->im[k] - w) < fabs(best - w)) best = m->im[k];
  return best;
}

/* Critical speeds, where forward whirl has the speed of the disk: (k11 - m W^2)(k22 - (Jt - Jp) W^2) = k12^2; found by
 * the secant method on the frequency of forward whirl. Jp = 0.01 here, so that there are two. */
static void critical_speeds(void **state) {
  (void)state;
  const double EI = 2.1e11 * PI * pow(0.005, 4) / 4, L = 0.5, m = 4, J = 0.025 - 0.01;
  const double k11 = 12 * EI / L / L / L, k12 = 6 * EI / L / L, k22 = 4 * EI / L;
  const double a = m * J, b = k11 * J + k22 * m, c = k11 * k22 - k12 * k12, root = sqrt(b * b - 4 * a * c);
  const double exact[2] = {sqrt((b - root) / (2 * a)), sqrt((b + root) / (2 * a))};
  for (int k = 0; k < 2; k++) {
    double W[2] = {0.97 * exact[k], 1.03 * exact[k]}, off[2];
    for (int i = 0; i < 7; i++) {
      char speed[40];
      const char *sets[] = {speed, "Jp=0.01"};
      run r = {.context = sn_context_create()};
      const int at = i < 2 ? i : 1;
      snprintf(speed, sizeof speed, "W=%.17g", W[at]);
      if (sn_model_parse(r.context, "rotor", ROTOR, strlen(ROTOR), sets, 2, &r.model) ||
          sn_simulation_create(r.model, NULL, &r.simulation) || sn_run(r.simulation))
        fail_msg("%s", sn_message(r.context));
      off[at] = nearest(r.simulation->modes, exact[k]) - W[at];
      close_run(&r);
      if (i == 0 || off[1] == off[0]) continue;
      const double next = W[1] - off[1] * (W[1] - W[0]) / (off[1] - off[0]);
      W[0] = W[1], off[0] = off[1], W[1] = next;
    }
    assert_below(fabs(W[1] / exact[k] - 1), 2e-3, "critical speed %d: %g, theory %g", k + 1, W[1], exact[k]);
  }
}

/* A sleeping top, upright with the spin W about z: J w^2 - Jp W w + m g l = 0, J about the point it stands on. Seen from
 * axes that turn with V, the frequencies are w - V. */
static void sleeping_top(void **state) {
  (void)state;
#define TOP(rotation)                                                                                         \
  "sinew: 1\ngravity: [0, 0, -9.81]\nbodies: {top: {type: rigid, mass: 0.5, inertia: [0.002, 0.002, 0.001], " \
  "position: [0, 0, 0.1], angular_velocity: [0, 0, 300]}}\n"                                                  \
  "joints: {tip: {type: spherical, between: [\"ground.at(0, 0, 0)\", \"top.at(0, 0, -0.1)\"]}}\n"             \
  "analysis: {type: linearize, rotation: " rotation "}\n"
  const double J = 0.002 + 0.5 * 0.01, b = 0.001 * 300, c = 0.5 * 9.81 * 0.1, root = sqrt(b * b - 4 * J * c);
  const double w[2] = {(b - root) / (2 * J), (b + root) / (2 * J)};
  static const char *const texts[] = {TOP("[0, 0, 0]"), TOP("[0, 0, 10]")};
  for (int k = 0; k < 2; k++) {
    run r;
    finish(&r, texts[k]);
    for (int i = 0; i < 2; i++) {
      const double exact = fabs(w[i] - (k ? 10 : 0));
      assert_below(fabs(nearest(r.simulation->modes, exact) - exact), 1e-5, "frequency %d, axes %d", i, k);
    }
    close_run(&r);
  }
}

/* A mass on a spring in a circular orbit: along axes that turn with it w^2 = k/m + 3 W^2, and W across its plane. */
static void orbit(void **state) {
  (void)state;
  run r;
  const double k = 40, m = 2, W = 3;
  finish(
      &r,
      "sinew: 1\nparameters: {r: 0.7, W: 3, k: 40, m: 2}\nbodies: {p: {type: point-mass, mass: m, position: [r, 0, 0], "
      "velocity: [0, W*r, 0]}}\nforces: {s: {type: spring, between: [\"ground.at(0, 0, 0)\", p], stiffness: k, length: "
      "r*(1 - m*W^2/k)}}\nanalysis: {type: linearize, rotation: [0, 0, W]}\n");
  const double exact[] = {sqrt(k / m + 3 * W * W), W};
  for (int i = 0; i < 2; i++)
    assert_below(fabs(nearest(r.simulation->modes, exact[i]) - exact[i]), 1e-7, "frequency %d", i);
  close_run(&r);
}

/* ---- MATLAB ---- */

static uint32_t word_at(const char *at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

/* The element at `at` within `end`: its type and data; where the next begins. */
static const char *element(const char *at, const char *end, uint32_t type, const char **data, uint32_t *bytes) {
  assert_true(at + 8 <= end);
  assert_int_equal(word_at(at), type);
  *bytes = word_at(at + 4);
  *data = at + 8;
  const char *next = at + 8 + (*bytes + 7) / 8 * 8;
  assert_true(next <= end);
  return next;
}

/* Every variable is read back by the rules of the format. */
static void matlab_file(void **state) {
  (void)state;
  static const double A[] = {1, 2, 3, 4}, B[] = {5, 6}, C[] = {7, 8, 9, 10, 11, 12}, D[] = {13, 14, 15};
  static const char *const x[] = {"a.x", "rate of a.x"}, *const u[] = {"drive"}, *const y[] = {"tip.x", "tip.y", ""};
  static const struct {
    const char *name;
    int class, rows, columns;
    const double *value;
  } all[] = {{"A", 6, 2, 2, A},         {"B", 6, 2, 1, B},         {"C", 6, 3, 2, C},         {"D", 6, 3, 1, D},
             {"states", 1, 2, 1, NULL}, {"inputs", 1, 1, 1, NULL}, {"outputs", 1, 3, 1, NULL}};
  const sn_state_space s = {2, 1, 3, x, u, y, A, B, C, D};
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  sn_write_matlab(out, &s);
  fclose(out);
  const char *at = text + 128, *end = text + length;
  assert_true(memcmp(text + 124, "\0\1IM", 4) == 0);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const char *in, *data;
    uint32_t bytes;
    const char *next = element(at, end, 14, &in, &bytes), *stop = in + bytes;
    in = element(in, stop, 6, &data, &bytes);
    assert_int_equal(word_at(data), all[i].class);
    in = element(in, stop, 5, &data, &bytes);
    assert_int_equal(word_at(data), all[i].rows);
    assert_int_equal(word_at(data + 4), all[i].columns);
    in = element(in, stop, 1, &data, &bytes);
    assert_int_equal(bytes, strlen(all[i].name));
    assert_memory_equal(data, all[i].name, bytes);
    for (int k = 0; !all[i].value && k < all[i].rows; k++) in = element(in, stop, 14, &data, &bytes);
    if (all[i].value) in = element(in, stop, 9, &data, &bytes);
    for (int k = 0; all[i].value && k < all[i].columns; k++)
      for (int j = 0; j < all[i].rows; j++, data += 8)
        assert_memory_equal(data, &all[i].value[j * all[i].columns + k], 8);
    assert_ptr_equal(in, stop);
    at = next;
  }
  assert_ptr_equal(at, end);
  free(text);
}

/* ---- steady and not ---- */

/* A blade on a driven hub. In steady rotation vibrations across and in the plane have frequencies with w1^2 - w2^2 = W^2
 * (the centrifugal force of a sideways displacement in the plane turns with it), up to the coupling with the stretch by
 * Coriolis forces, (2 W/wa)^2 = 6e-4 with wa = 8000 rad/s. While it is spun up nothing is steady. */
#define SPINNING(analysis)                                                                                            \
  "sinew: 1\nparameters: {W: 100, T: 0.5}\nmaterials: {m: {density: 2700, young: 7e10}}\nsections: {s: {type: tube, " \
  "radius: 0.01, inner: 0.009}}\nbodies: {hub: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}, "     \
  "blade: "                                                                                                           \
  "{type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 4, material: m, section: s}}\njoints: {shaft: {type: "     \
  "revolute, between: [ground, hub.center]}, root: {type: fixed, between: [hub.center, blade.start]}, motor: {type: " \
  "motion, joint: shaft, rotation: 'if(t < T, W/T*(t^2/2 + (T/(2*pi))^2*(cos(2*pi*t/T) - 1)), W*(t - T/2))'}}\n"      \
  "analysis: [{type: dynamics, duration: " analysis "]\n"

static void blade(void **state) {
  (void)state;
  run r;
  const sn_linear *L = finish(&r, SPINNING("0.6, integrator: radau}, {type: linearize, rotation: [0, 0, W]}"));
  const double plane = fabs(L->im[0]), across = fabs(L->im[2]);
  assert_below(fabs((across * across - plane * plane) / 1e4 - 1), 2e-3, "%g, %g rad/s", plane, across);
  assert_string_equal(sn_verdict_word(r.simulation), "good");
  close_run(&r);
  finish(&r, SPINNING("0.25, integrator: radau}, {type: linearize, rotation: [0, 0, W]}"));
  assert_string_equal(sn_verdict_word(r.simulation), "doubtful");
  assert_non_null(strstr(sn_verdict_reasons(r.simulation), "not a steady rotation"));
  close_run(&r);
  open_run(&r, SPINNING("0.6, integrator: radau}, {type: modes, count: 2}"), NULL);
  if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
  assert_string_equal(sn_verdict_word(r.simulation), "doubtful");
  assert_non_null(strstr(sn_verdict_reasons(r.simulation), "modes leave velocities out"));
  close_run(&r);
}

/* A shaft with a disk that turn as one, in bearings at rest. As a cable it does not turn, and all coefficients are constant.
 * Sections of a beam and the frame of a floating body turn, and so does a disk that is not round: in space their
 * coefficients have the period of the rotation. Nothing is strained yet, so that accelerations do not show it. Axes that
 * turn with a round shaft would see constant ones, if it were stretched by its rotation. */
#define SHAFT(kind, W, inertia, rotation)                                                                           \
  "sinew: 1\nparameters: {W: " W                                                                                    \
  "}\nmaterials: {m: {density: 7850, young: 2.1e11}}\nsections: {s: {type: circle, "                                \
  "radius: 0.015}}\nbodies: {shaft: {type: " kind                                                                   \
  ", from: [0, 0, 0], to: [0.8, 0, 0], elements: 4, material: m, "                                                  \
  "section: s, angular_velocity: [W, 0, 0]}, disk: {type: rigid, position: [0.8, 0, 0], mass: 5, inertia: " inertia \
  ", angular_velocity: [W, 0, 0]}}\njoints: {b: {type: spherical, between: [ground, shaft.start]}, c: {type: "      \
  "point-on-line, between: [\"ground.at(0.6, 0, 0)\", shaft.at(0.75)], axis: [1, 0, 0]}, hub: {type: fixed, "       \
  "between: [shaft.end, disk]}}\nanalysis: {type: linearize, rotation: " rotation "}\n"

static void turning_parts(void **state) {
  (void)state;
  static const struct {
    const char *text, *word, *reason;
  } all[] = {
      {SHAFT("cable", "100", "[0.02, 0.01, 0.01]", "[0, 0, 0]"), "good", ""},
      {SHAFT("cable", "100", "[0.02, 0.01, 0.015]", "[0, 0, 0]"), "doubtful", "'disk' turns against the axes"},
      {SHAFT("beam", "100", "[0.02, 0.01, 0.01]", "[0, 0, 0]"), "doubtful", "'shaft' turns against the axes"},
      {SHAFT("floating", "100", "[0.02, 0.01, 0.01]", "[0, 0, 0]"), "doubtful", "'shaft' turns against the axes"},
      {SHAFT("floating", "100", "[0.02, 0.01, 0.01]", "[50, 0, 0]"), "doubtful", "'shaft' turns against the axes"},
      {SHAFT("beam", "100", "[0.02, 0.01, 0.01]", "[100, 0, 0]"), "doubtful", "not a steady rotation"},
      {SHAFT("beam", "0", "[0.02, 0.01, 0.015]", "[0, 0, 0]"), "good", ""},
  };
  for (size_t i = 0; i < SN_COUNT(all); i++) {
    run r;
    finish(&r, all[i].text);
    const char *reasons = sn_verdict_reasons(r.simulation);
    if (strcmp(sn_verdict_word(r.simulation), all[i].word) != 0 || !strstr(reasons, all[i].reason))
      fail_msg("%zu: %s %s", i, sn_verdict_word(r.simulation), reasons);
    close_run(&r);
  }
}

/* Translation has no influence: modes of a free beam that flies are those at rest. */
static void flying_beam(void **state) {
  (void)state;
  run r;
  open_run(
      &r,
      "sinew: 1\nmaterials: {m: {density: 2700, young: 7e10}}\nsections: {s: {type: rectangle, width: 0.01, height: "
      "0.01}}\nbodies: {b: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 4, material: m, section: s, "
      "velocity: [300, 40, 0]}}\nanalysis: {type: modes, count: 8}\n",
      NULL);
  if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
  assert_string_equal(sn_verdict_word(r.simulation), "good");
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(oscillator),      cmocka_unit_test(pendulum),       cmocka_unit_test(pendulum_on_cart),
      cmocka_unit_test(double_pendulum), cmocka_unit_test(as_modes),       cmocka_unit_test(in_motion),
      cmocka_unit_test(rotor),           cmocka_unit_test(state_feedback), cmocka_unit_test(variable),
      cmocka_unit_test(critical_speeds), cmocka_unit_test(sleeping_top),   cmocka_unit_test(orbit),
      cmocka_unit_test(matlab_file),     cmocka_unit_test(blade),          cmocka_unit_test(flying_beam),
      cmocka_unit_test(turning_parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
