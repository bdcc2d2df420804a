/* test_sliding.c - a point slides along a flexible line: closed forms, and a string computed by its modes. */
#include "support.h"

/* ---- a bead on an inclined wire that hardly bends: x = L cos(a), y = -L sin(a) ---- */

static const char wire[] =
    "sinew: 1\nplanar: %s\ngravity: [0, -9.81, 0]\n"
    "materials: {m: {density: 100, young: 2e12}}\nsections: {s: {type: rectangle, width: 0.04, height: 0.04}}\n"
    "parameters: {a: %.17g}\n"
    "bodies:\n"
    "  wire: {type: %s, from: [0, 0, 0], to: [2*cos(a), -2*sin(a), 0], elements: 5, material: m, section: s}\n"
    "  bead: {type: point-mass, mass: 0.1, position: [0.2*cos(a), -0.2*sin(a), 0]}\n"
    "joints:\n"
    "  start: {type: fixed, between: [ground, wire.start]}\n"
    "  end: {type: spherical, between: [ground, wire.end]}\n"
    "  slide: {type: sliding, between: [wire.at(0.1), bead]%s}\n"
    "outputs: {slide: {joint: slide}, force: {reaction: slide}, bead: {point: bead}}\n"
    "analysis: {type: dynamics, duration: 2, integrator: {type: %s, step: %g}}\n";

static void slide_down(const char *planar, const char *kind, double a, const char *more, const char *method, double h,
                       double time, double travel[2]) {
  char text[2000];
  run r;
  snprintf(text, sizeof text, wire, planar, a, kind, more, method, h);
  open_run(&r, text, NULL);
  advance(&r, time);
  read_output(&r, "slide", travel, 2);
  close_run(&r);
}

/* Travel g sin(a) t^2/2, past two borders of elements; every method, in the plane and in space, cables and beams. */
static void inclined_wire(void **state) {
  (void)state;
  static const char *const methods[] = {"hht-i3", "hht-si2", "newmark", "nstiff", "gssss", "radau", "gam", "tr-bdf2"};
  double a = 0.5, t = 0.6, exact = 9.81 * sin(a) * t * t / 2, x[2];
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    slide_down("false", "cable", a, "", methods[k], 5e-3, t, x);
    assert_below(fabs(x[0] - exact), 2e-3 * exact, "travel by %s", methods[k]);
    assert_below(fabs(x[1] - 9.81 * sin(a) * t), 5e-3 * 9.81 * t, "speed by %s", methods[k]);
  }
  slide_down("true", "cable", a, "", "radau", 5e-3, t, x);
  assert_below(fabs(x[0] - exact), 1e-3 * exact, "travel in the plane");
  slide_down("false", "beam", a, "", "radau", 5e-3, t, x);
  assert_below(fabs(x[0] - exact), 1e-3 * exact, "travel on a beam");
  slide_down("true", "beam2d", a, "", "radau", 5e-3, t, x);
  assert_below(fabs(x[0] - exact), 1e-3 * exact, "travel on a beam2d");
}

/* Coulomb: g (sin - mu cos) t^2/2; what would stick creeps with rho(u/creep) = tan(a)/mu. Viscous: speed m g sin(a)/c
 * (1 - exp(-c t/m)). */
static void friction(void **state) {
  (void)state;
  double a = 0.5, t = 0.6, mu = 0.3, c = 0.4, x[2];
  static const char *const methods[] = {"hht-i3", "radau", "nstiff"};
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    slide_down("false", "cable", a, ", friction: 0.3", methods[k], 5e-3, t, x);
    double exact = 9.81 * (sin(a) - mu * cos(a)) * t * t / 2;
    assert_below(fabs(x[0] - exact), 5e-3 * exact, "travel with friction by %s", methods[k]);
    slide_down("false", "cable", a, ", friction: 0.8, creep_speed: 1e-3", methods[k], 5e-3, t, x);
    double z = 1 - sqrt(1 - tan(a) / 0.8); /* z (2 - z) = tan(a)/mu */
    assert_below(fabs(x[1] - 1e-3 * z), 1e-4, "speed of creep by %s", methods[k]);
  }
  slide_down("false", "cable", a, ", damping: 0.4", "radau", 5e-3, t, x);
  double limit = 0.1 * 9.81 * sin(a) / c;
  assert_below(fabs(x[1] - limit * (1 - exp(-c * t / 0.1))), 2e-3 * limit, "speed in a viscous fluid");
}

/* A bead that friction would hold creeps at z (2 - z) = tan(a)/mu of the creep speed, 13 cm in 400 s: the run is
 * doubtful. One that slides is not. */
static void creep_is_told(void **state) {
  (void)state;
  for (int slides = 0; slides < 2; slides++) {
    const double a = 0.5, mu = slides ? 0.3 : 0.8, end = slides ? 0.5 : 400;
    char text[2000];
    run r;
    snprintf(text, sizeof text,
             "sinew: 1\nplanar: true\ngravity: [0, -9.81, 0]\n"
             "materials: {m: {density: 1000, young: 2e9}}\nsections: {s: {type: circle, radius: 0.04}}\n"
             "parameters: {a: %.17g}\n"
             "bodies:\n"
             "  wire: {type: cable, from: [0, 0, 0], to: [2*cos(a), -2*sin(a), 0], elements: 2, material: m, "
             "section: s, stiffness_damping: 0.01}\n"
             "  bead: {type: point-mass, mass: 0.1, position: [0.4*cos(a), -0.4*sin(a), 0]}\n"
             "joints:\n"
             "  start: {type: fixed, between: [ground, wire.start]}\n"
             "  end: {type: fixed, between: [ground, wire.end]}\n"
             "  slide: {type: sliding, between: [wire.at(0.2), bead], friction: %g}\n"
             "outputs: {slide: {joint: slide}}\n"
             "analysis: {type: dynamics, duration: %g, integrator: radau5}\n",
             a, mu, end);
    open_run(&r, text, NULL);
    assert_int_equal(verdict_of(&r, SN_OK).level, slides ? SN_GOOD : SN_DOUBTFUL);
    const double crept = r.simulation->system->statistics.contact.crept, z = slides ? 0 : 1 - sqrt(1 - tan(a) / mu);
    assert_below(fabs(crept - 1e-3 * z * end), slides ? 1e-6 : 0.03 * 1e-3 * z * end, "creep %g m", crept);
    close_run(&r);
  }
}

/* ---- the ends ---- */

/* Dropped on a stop of stiffness k the bead turns around and comes back to where it started: period of the flight and
 * of half an oscillation about the static deflection. */
static void stop(void **state) {
  (void)state;
  double a = 0.5, g = 9.81 * sin(a), way = 1.8, k = 2000, m = 0.1, fall = sqrt(2 * way / g), w = sqrt(k / m);
  double under = m * g / k, v = sqrt(2 * g * way), turn = 2 * (PI - atan(v / (w * under))) / w, x[2];
  slide_down("true", "cable", a, ", stop_stiffness: 2000", "radau", 1e-3, 2 * fall + turn - 0.001, x);
  assert_below(2 * fall + turn, 2, "duration");
  assert_below(fabs(x[0]), 5e-3, "back at the start");
}

static void leaving(void **state) {
  (void)state;
  char text[2000];
  run r;
  snprintf(text, sizeof text, wire, "true", 0.5, "cable", "", "radau", 1e-3);
  open_run(&r, text, NULL);
  assert_int_equal(sn_advance(r.simulation, 2), SN_NUMERICS);
  assert_non_null(strstr(sn_message(r.context), "the point leaves the end of 'wire'"));
  assert_below(fabs(sn_time(r.simulation) - sqrt(2 * 1.8 / (9.81 * sin(0.5)))), 2e-3, "time of leaving");
  close_run(&r);
}

/* Explicit methods solve for friction with the multipliers. The line is soft, their steps are short. */
static void explicit_methods(void **state) {
  (void)state;
  static const char *const methods[] = {"radau", "erk", "adams", "ida"};
  double x[4][2];
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    char text[2000];
    run r;
    snprintf(text, sizeof text,
             "sinew: 1\ngravity: [0, -9.81, 0]\n"
             "materials: {m: {density: 1000, young: 1e6}}\nsections: {s: {type: circle, radius: 0.02}}\n"
             "bodies:\n"
             "  wire: {type: cable, from: [0, 0, 0], to: [1, -0.5, 0], elements: 3, material: m, section: s}\n"
             "  bead: {type: point-mass, mass: 0.1, position: [0.2, -0.1, 0], velocity: [1, -0.5, 0.3]}\n"
             "joints:\n"
             "  start: {type: fixed, between: [ground, wire.start]}\n"
             "  end: {type: spherical, between: [ground, wire.end]}\n"
             "  slide: {type: sliding, between: [wire.at(0.2), bead], friction: 0.3}\n"
             "outputs: {slide: {joint: slide}}\n"
             "analysis: {type: dynamics, duration: 0.2, integrator: {type: %s, tolerance: 1e-6}}\n",
             methods[k]);
    open_run(&r, text, NULL);
    assert_int_equal(sn_run(r.simulation), SN_OK);
    read_output(&r, "slide", x[k], 2);
    assert_below(fabs(x[k][0] - x[0][0]), 1e-4, "travel by %s", methods[k]);
    close_run(&r);
  }
  assert_true(x[0][0] > 0.2);
}

/* What cannot be solved is said. */
static void unsupported(void **state) {
  (void)state;
  static const char *const wrong[][2] = {{"hht-add, step: 1e-3", "does not support sliding joints"},
                                         {"symplectic-euler, step: 1e-4", "does not support friction in sliding"},
                                         {"hht-i3, solver: ldl", "ldl does not support sliding"}};
  for (size_t k = 0; k < SN_COUNT(wrong); k++) {
    char text[2000], method[100];
    sn_context *context = sn_context_create();
    sn_simulation *simulation = NULL;
    snprintf(text, sizeof text, wire, "true", 0.5, "cable", ", friction: 0.1", "radau", 1e-3);
    sn_model *model = parse(context, text);
    snprintf(method, sizeof method, "{type: %s}", wrong[k][0]);
    assert_int_equal(sn_simulation_create(model, &(sn_options){.integrator = method}, &simulation), SN_USAGE);
    if (!strstr(sn_message(context), wrong[k][1])) fail_msg("%s", sn_message(context));
    sn_simulation_free(simulation);
    sn_model_free(model);
    sn_context_free(context);
  }
}

/* At rest the bead hangs at the lowest point of the rope, in its middle. */
static void equilibrium(void **state) {
  (void)state;
  char text[2000];
  run r;
  double x[3], R = (0.25 + 0.09) / 0.6, half = asin(0.5 / R), at = -PI / 2 - half + 0.2 * 2 * half;
  snprintf(text, sizeof text,
           "sinew: 1\nplanar: true\ngravity: [0, -9.81, 0]\n"
           "materials: {m: {density: 1200, young: 5e7}}\nsections: {s: {type: circle, radius: 0.005}}\n"
           "bodies:\n"
           "  rope: {type: cable, from: [0, 0, 0], via: [0.5, -0.3, 0], to: [1, 0, 0], rest: straight, elements: 12, "
           "material: m, section: s}\n"
           "  bead: {type: point-mass, position: [%.17g, %.17g, 0], mass: 0.1}\n"
           "joints:\n"
           "  left: {type: spherical, between: [ground, rope.start]}\n"
           "  right: {type: spherical, between: [ground, rope.end]}\n"
           "  slide: {type: sliding, between: [rope.at(0.2), bead]}\n"
           "outputs: {force: {reaction: slide}, bead: {point: bead}}\n"
           "analysis: {type: statics}\n",
           0.5 + R * cos(at), R - 0.3 + R * sin(at));
  open_run(&r, text, NULL);
  assert_int_equal(sn_run(r.simulation), SN_OK);
  read_output(&r, "bead", x, 2);
  assert_below(fabs(x[0] - 0.5), 1e-6, "lowest point");
  read_output(&r, "force", x, 2);
  assert_below(hypot(x[0], x[1] - 0.981), 1e-6, "weight");
  close_run(&r);
}

/* ---- a bead on a vibrating string ----
 *
 * y = sum q_n sin(n pi x/L), tension T, bending stiffness EI, mass per length p; bead of mass m at (X, y(X)):
 *   (p L/2) q_n'' + k_n q_n = -p g I_n - F sin(n pi X/L),  X'' = -y' F/m,  F = m (Y'' + g)
 *   Y'' = sum sin q'' + 2 X' y_x' + X'^2 y_xx + y' X''
 * for small slopes; by Runge and Kutta's method. */

enum { MODES = 60 };
typedef struct string {
  double L, T, EI, p, m, g;
} string;

static void string_rate(const string *s, const double *z, double *dz) {
  const double *q = z, *qd = z + MODES;
  double X = z[2 * MODES], Xd = z[2 * MODES + 1];
  double slope = 0, turn = 0, bend = 0, free = 0, give = 0, mass = s->p * s->L / 2;
  for (int n = 1; n <= MODES; n++) {
    double k = n * PI / s->L, sine = sin(k * X), cosine = cos(k * X);
    double stiff = s->L / 2 * (s->T * k * k + s->EI * k * k * k * k), weight = n % 2 ? 2 / k : 0;
    dz[n - 1] = qd[n - 1];
    dz[MODES + n - 1] = (-stiff * q[n - 1] - s->p * s->g * weight) / mass;
    slope += k * cosine * q[n - 1];
    turn += k * cosine * qd[n - 1];
    bend -= k * k * sine * q[n - 1];
    free += sine * dz[MODES + n - 1];
    give += sine * sine / mass;
  }
  double F = (s->g + free + 2 * turn * Xd + bend * Xd * Xd) / (1 / s->m + give + slope * slope / s->m);
  for (int n = 1; n <= MODES; n++) dz[MODES + n - 1] -= F * sin(n * PI * X / s->L) / mass;
  dz[2 * MODES] = Xd;
  dz[2 * MODES + 1] = -slope * F / s->m;
}

static void string_step(const string *s, double h, double *z) {
  enum { N = 2 * MODES + 2 };
  static const double at[4] = {0, 0.5, 0.5, 1}, share[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double k[N] = {0}, y[N], sum[N] = {0};
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < N; j++) y[j] = z[j] + h * at[i] * k[j];
    string_rate(s, y, k);
    for (int j = 0; j < N; j++) sum[j] += share[i] * k[j];
  }
  for (int j = 0; j < N; j++) z[j] += h * sum[j];
}

static double height(const string *s, const double *z) {
  double y = 0;
  for (int n = 1; n <= MODES; n++) y += z[n - 1] * sin(n * PI * z[2 * MODES] / s->L);
  return y;
}

/* The string starts in the shape of its second mode, which shakes the bead while it crosses the string. Slopes are
 * small beside the strain of the tension, 1e-3. */
static void vibrating_string(void **state) {
  (void)state;
  const string s = {.L = 1, .T = 100, .EI = 0.5, .p = 0.05, .m = 0.02, .g = 1};
  const double A = 5e-5;
  double z[2 * MODES + 2] = {0}, h = 2e-5, worst = 0, most = 0, drift = 0;
  char text[3000], points[1200];
  run r;
  z[1] = A, z[2 * MODES] = 0.2, z[2 * MODES + 1] = 4;
  for (int k = 0, at = 0; k <= 24; k++)
    at += snprintf(points + at, sizeof points - (size_t)at, "%s[%.17g, %.17g, 0]", k ? ", " : "", k / 24.0,
                   A * sin(2 * PI * k / 24.0));
  snprintf(text, sizeof text,
           "sinew: 1\nplanar: true\ngravity: [0, -1, 0]\n"
           "materials: {m: {density: 500, young: 1e9}}\n"
           "sections: {s: {type: general, A: 1e-4, Izz: 5e-10, Iyy: 5e-10}}\n"
           "bodies:\n"
           "  string: {type: cable, through: [%s], elements: 24, rest: straight, rest_length: 1/(1 + 1e-3), material: "
           "m, section: s}\n"
           "  bead: {type: point-mass, mass: 0.02, position: [0.2, %.17g, 0], velocity: [4, %.17g, 0]}\n"
           "joints:\n"
           "  start: {type: spherical, between: [ground, string.start]}\n"
           "  end: {type: spherical, between: [ground, string.end]}\n"
           "  slide: {type: sliding, between: [string.at(0.2), bead]}\n"
           "outputs: {bead: {point: bead}}\n"
           "analysis: {type: dynamics, duration: 0.15, integrator: {type: radau, step: 1e-3}}\n",
           points, A * sin(0.4 * PI), 4 * A * 2 * PI * cos(0.4 * PI));
  open_run(&r, text, NULL);
  for (int k = 1; k <= 15; k++) {
    double bead[2];
    for (int i = 0; i < 500; i++) string_step(&s, h, z);
    advance(&r, 0.01 * k);
    read_output(&r, "bead", bead, 2);
    worst = fmax(worst, fabs(bead[1] - height(&s, z)));
    most = fmax(most, fabs(bead[1]));
    drift = fmax(drift, fabs(bead[0] - z[2 * MODES]));
  }
  close_run(&r);
  assert_below(worst, 0.02 * most, "height of the bead, largest %g", most);
  assert_below(drift, 1e-3, "way of the bead");
}

/* ---- energy ---- */

/* A ring slides along a swinging cable, from element to element; no energy is lost. */
static void swinging_cable(void **state) {
  (void)state;
  double e[SN_ENERGIES], x[2];
  run r;
  open_run(&r,
           "sinew: 1\ngravity: [0, -9.81, 0]\n"
           "materials: {m: {density: 1000, young: 1e7}}\nsections: {s: {type: circle, radius: 0.01}}\n"
           "bodies:\n"
           "  cable: {type: cable, from: [0, 0, 0], to: [1, 0, 0.2], elements: 6, material: m, section: s}\n"
           "  ring: {type: rigid, position: [0.3, 0, 0.06], mass: 0.2, inertia: [1e-4, 1e-4, 2e-4], angular_velocity: "
           "[1, 2, 3]}\n"
           "joints:\n"
           "  pin: {type: spherical, between: [ground, cable.start]}\n"
           "  slide: {type: sliding, between: [cable.at(0.3), 'ring.at(0, 0, 0)'], stop_stiffness: 1e3}\n"
           "outputs: {slide: {joint: slide}}\n"
           "analysis: {type: dynamics, duration: 0.6, integrator: {type: gssss, conserve: energy-momentum, step: "
           "2e-3}}\n",
           NULL);
  advance(&r, 0.6);
  read_output(&r, "energy", e, SN_ENERGIES);
  read_output(&r, "slide", x, 2);
  assert_below(fabs(e[SN_E_ERROR]), 1e-10, "energy");
  assert_true(fabs(x[0]) > 0.2); /* it has crossed a border */
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inclined_wire),  cmocka_unit_test(friction),    cmocka_unit_test(creep_is_told),
      cmocka_unit_test(stop),           cmocka_unit_test(leaving),     cmocka_unit_test(explicit_methods),
      cmocka_unit_test(unsupported),    cmocka_unit_test(equilibrium), cmocka_unit_test(vibrating_string),
      cmocka_unit_test(swinging_cable),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
