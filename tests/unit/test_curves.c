/* test_curves.c - points on curves, cams and followers against closed forms. */
#include "math/constants.h"
#include "run/trial.h"
#include "support.h"

#define G "gravity: [0, -9.81, 0]\n"
#define BEAD(q, v) "bodies: {bead: {type: point-mass, mass: 2, position: " q ", velocity: " v "}}\n"
#define OUT "outputs: {bead: {point: bead}, wire: {reaction: wire}}\n"
#define BY(duration, method) "analysis: {type: dynamics, duration: " duration ", integrator: {" method "}}\n"

/* ---- a circle is a pendulum ---- */

#define TIGHT "type: radau, tolerance: 1e-10"
#define CIRCLE                                                                                                     \
  "joints: {wire: {type: point-on-curve, between: [ground, bead], curve: [sin(2*pi*s), -cos(2*pi*s), 0], closed: " \
  "true}}\n"
#define ROD                                                                                                         \
  "joints: {wire: {type: distance, between: ['ground.at(0, 0, 0)', bead]}, plane: {type: point-on-plane, between: " \
  "['ground.at(0, 0, 0)', bead], axis: [0, 0, 1]}}\n"

/* Second method: the angle of a pendulum, p'' = -g sin p, by small Runge-Kutta steps. */
static void pendulum(double t, double *angle, double *rate) {
  int n = 20000;
  double h = t / n, p = *angle, w = *rate;
  for (int i = 0; i < n; i++) {
    double k1 = w, l1 = -9.81 * sin(p), k2 = w + h / 2 * l1, l2 = -9.81 * sin(p + h / 2 * k1), k3 = w + h / 2 * l2,
           l3 = -9.81 * sin(p + h / 2 * k2), k4 = w + h * l3, l4 = -9.81 * sin(p + h * k3);
    p += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    w += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  *angle = p;
  *rate = w;
}

/* The tension is m (w^2 + g cos p). Whole turns pass where the parameter starts again. */
static void circle_is_a_pendulum(void **state) {
  (void)state;
  static const char *const heads[] = {"sinew: 1\n", "sinew: 1\nplanar: true\n"};
  for (int p = 0; p < 2; p++) {
    char text[1000];
    run r;
    snprintf(text, sizeof text, "%s" G BEAD("[1, 0, 0]", "[0, -5, 0]") CIRCLE OUT BY("3", TIGHT), heads[p]);
    open_run(&r, text, NULL);
    for (int k = 1; k <= 6; k++) {
      double x[3], F[3], t = go_to(&r, 0.5 * k), angle = PI / 2, w = -5;
      size_t n = p ? 2 : 3;
      pendulum(t, &angle, &w);
      double tension = 2 * (w * w + 9.81 * cos(angle)), y[3] = {sin(angle), -cos(angle), 0},
             R[3] = {-tension * y[0], -tension * y[1], 0};
      read_output(&r, "bead", x, n);
      read_output(&r, "wire", F, n);
      assert_below(distance(x, y, (int)n), 1e-7, "bead on a circle against a pendulum, at %g s", t);
      assert_below(distance(F, R, (int)n), 1e-5, "its reaction");
    }
    assert_below(energy_error_of(&r), 1e-7, "energy");
    close_run(&r);
  }
}

/* ---- all methods ---- */

static double pendulum_error(const char *joints, const char *method, double *off) {
  char text[1500];
  double x[3], angle = PI / 2, w = -5;
  run r;
  snprintf(text, sizeof text, "sinew: 1\n" G BEAD("[1, 0, 0]", "[0, -5, 0]") "%s" OUT BY("1.5", "%s"), joints, method);
  open_run(&r, text, NULL);
  pendulum(go_to(&r, 0.9), &angle, &w);
  read_output(&r, "bead", x, 3);
  close_run(&r);
  *off = fabs(hypot(x[0], x[1]) - 1);
  return hypot(hypot(x[0] - sin(angle), x[1] + cos(angle)), x[2]);
}

/* Each is as exact with the curve as with a distance joint. */
static void every_method(void **state) {
  (void)state;
  static const char *const list[] = {"type: hht-i3, alpha: -0.05, tolerance: 1e-7",
                                     "type: newmark, tolerance: 1e-5",
                                     "type: hht-si2, tolerance: 1e-6",
                                     "type: hht-add, tolerance: 1e-6",
                                     "type: nstiff, tolerance: 1e-7",
                                     "type: nstiff-si2, tolerance: 1e-6",
                                     "type: gssss, step: 1e-3",
                                     "type: gssss, index: 1, step: 1e-3",
                                     "type: gssss, conserve: energy-momentum, step: 1e-3",
                                     "type: radau, tolerance: 1e-8",
                                     "type: radau5, tolerance: 1e-7",
                                     "type: gam, tolerance: 1e-7",
                                     "type: ida, tolerance: 1e-7",
                                     "type: adams, tolerance: 1e-7",
                                     "type: erk, tolerance: 1e-7",
                                     "type: tr-bdf2, tolerance: 1e-7",
                                     "type: symplectic-euler, step: 1e-3"};
  for (size_t i = 0; i < SN_COUNT(list); i++) {
    double off[2], rod = pendulum_error(ROD, list[i], &off[0]), wire = pendulum_error(CIRCLE, list[i], &off[1]);
    assert_below(wire, 1.5 * rod + 1e-6, "%s: bead on a circle", list[i]);
    assert_below(off[1], 1.5 * off[0] + 1e-9, "%s: distance from the curve", list[i]);
  }
}

/* ---- helix ---- */

/* Analytic: a bead on a helix of radius R and rise b per radian falls along it with s'' = g sin a, tan a = b/R. The
 * reaction is the inertia force m R p'^2 inward and m g cos a across, p the angle. */
static void helix(void **state) {
  (void)state;
  run r;
  double R = 0.5, b = 0.1, slope = b / hypot(R, b), g = 9.81;
  open_run(&r,
           "sinew: 1\ngravity: [0, 0, -9.81]\n" BEAD("[0.5, 0, 0]", "[0, 0, 0]")
           "joints: {wire: {type: point-on-curve, between: [ground, bead], curve: [0.5*cos(30*(s - 0.1)), 0.5*sin(30*(s - 0.1)), -3*(s - 0.1)]}}\n" OUT BY("2.5", TIGHT),
           NULL);
  for (int k = 1; k <= 4; k++) {
    double x[3], F[3], t = go_to(&r, 0.5 * k), p = 0.5 * g * slope * t * t / hypot(R, b),
                       w = g * slope * t / hypot(R, b);
    double exact[3] = {R * cos(p), R * sin(p), -b * p}, cosine = R / hypot(R, b);
    read_output(&r, "bead", x, 3);
    read_output(&r, "wire", F, 3);
    assert_below(distance(x, exact, 3), 1e-7, "bead on a helix at %g s", t);
    assert_below(fabs(hypot(2 * R * w * w, 2 * g * cosine) / sqrt(inner(F, F, 3)) - 1), 1e-6, "its reaction");
  }
  close_run(&r);
}

/* ---- cycloid ---- */

/* Analytic (Huygens): on x = R (p + sin p), y = R (1 - cos p), for any amplitude, s'' = -(g/4R) s, s = 4 R sin(p/2).
 * Near its cusps the curve hardly moves with its parameter: that is no crossing. */
static void cycloid_is_isochronous(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    char text[1000];
    double p0 = 0.4 + 0.9 * k, R = 0.3, w = sqrt(9.81 / (4 * R)), x[3];
    run r;
    snprintf(text, sizeof text,
             "sinew: 1\nplanar: true\nparameters: {R: 0.3, p: %.17g}\n" G BEAD("[R*(p + sin(p)), R*(1 - cos(p)), 0]", "[0, 0, 0]")
             "joints: {wire: {type: point-on-curve, between: [ground, bead], curve: [R*(6.2*(s - 0.5) + sin(6.2*(s - 0.5))), R*(1 - cos(6.2*(s - 0.5))), 0]}}\n" OUT BY("3", TIGHT),
             p0);
    open_run(&r, text, NULL);
    for (int i = 1; i <= 4; i++) {
      double t = go_to(&r, 0.7 * i), p = 2 * asin(sin(p0 / 2) * cos(w * t));
      read_output(&r, "bead", x, 2);
      assert_below(hypot(x[0] - R * (p + sin(p)), x[1] - R * (1 - cos(p))), 1e-7, "from p = %g, at %g s", p0, t);
    }
    close_run(&r);
  }
}

/* ---- points ---- */

/* The spline through n points of a circle converges with the fourth power of their distance: so does the motion. */
static void points_converge(void **state) {
  (void)state;
  double error[3];
  for (int i = 0; i < 3; i++) {
    char text[6000];
    int n = 12 << i, at;
    double x[3];
    run r;
    at = snprintf(
        text, sizeof text,
        "sinew: 1\nplanar: true\n" G BEAD(
            "[1, 0, 0]",
            "[0, 0, 0]") "joints: {wire: {type: point-on-curve, between: [ground, bead], closed: true, points: [");
    for (int k = 0; k < n; k++)
      at += snprintf(text + at, sizeof text - (size_t)at, "%s[%.17g, %.17g, 0]", k ? ", " : "", cos(2 * PI * k / n),
                     sin(2 * PI * k / n));
    snprintf(text + at, sizeof text - (size_t)at, "]}}\n" OUT BY("1.2", TIGHT));
    open_run(&r, text, NULL);
    double exact = PI / 2, rate = 0;
    pendulum(go_to(&r, 1), &exact, &rate);
    read_output(&r, "bead", x, 2);
    error[i] = hypot(x[0] - sin(exact), x[1] + cos(exact));
    close_run(&r);
  }
  assert_below(error[2], 1e-5, "48 points");
  for (int i = 0; i < 2; i++) assert_below(3.5, log2(error[i] / error[i + 1]), "order of convergence");
}

/* ---- a curve on a moving body ---- */

/* Conservation: a free box carries a wire with a bead; no forces from outside, so momenta and energy stay. */
static void curve_on_a_free_body(void **state) {
  (void)state;
  run r;
  double p0[6], p1[6];
  open_run(&r,
           "sinew: 1\ngravity: [0, 0, 0]\nbodies:\n  box: {type: rigid, position: [0, 0, 0], mass: 3, inertia: [0.3, "
           "0.4, 0.5], angular_velocity: [0.5, 1, 2]}\n  bead: {type: point-mass, mass: 2, position: [0.5, 0, 0], "
           "velocity: [0, 1, 0.5]}\njoints: {wire: {type: point-on-curve, between: [box.center, bead], closed: true, "
           "points: [[0.5, 0, 0], [0, 0.6, 0.2], [-0.5, 0, -0.1], [0.1, -0.5, 0.3]]}}\n" BY("2", TIGHT),
           NULL);
  advance(&r, 1e-3);
  sn_system_momentum(r.simulation->system, &r.simulation->state, p0);
  advance(&r, 2);
  sn_system_momentum(r.simulation->system, &r.simulation->state, p1);
  assert_below(distance(p0, p1, 6), 1e-7, "momentum and angular momentum");
  assert_below(energy_error_of(&r), 1e-7, "energy");
  close_run(&r);
}

/* ---- cams ---- */

/* Analytic: an eccentric disk of radius R, eccentricity e, driven at angle a = w t about z, follower along y above it.
 *   flat face normal to y:      y = R + e sin a
 *   roller of radius b in line: y = e sin a + sqrt((R + b)^2 - e^2 cos^2 a)
 * Forces at the follower of mass m: m (y'' + g) along y, over the cosine of the pressure angle. */
static void check_cam(const char *head, const char *follower, double b, bool flat) {
  char text[1500];
  double R = 0.1, e = 0.04, w = 3, g = 9.81, start = flat ? R : sqrt((R + b) * (R + b) - e * e);
  run r;
  snprintf(text, sizeof text,
           "%s" G
           "bodies:\n  disk: {type: rigid, position: [0.04, 0, 0], mass: 1, inertia: [0.01, 0.01, 0.01]}\n  rod: "
           "{type: rigid, position: [0, %.17g, 0], mass: 0.5, inertia: [0.01, 0.01, 0.01]}\njoints:\n  bearing: {type: "
           "revolute, between: ['ground.at(0, 0, 0)', disk]}\n  guide: {type: prismatic, between: ['ground.at(0, 0, "
           "0)', rod.center], axis: [0, 1, 0]}\n  drive: {type: motion, joint: bearing, rotation: 3*t}\n  cam: {type: "
           "cam, between: [disk.center, rod.center], curve: [0.04 + 0.1*cos(2*pi*s), 0.1*sin(2*pi*s), 0], "
           "%s}\noutputs: {rod: {joint: guide}, cam: {reaction: cam}}\n" BY("5", "type: radau, tolerance: 1e-9"),
           head, start, follower);
  open_run(&r, text, NULL);
  for (int k = 1; k <= 8; k++) {
    double t = go_to(&r, 0.5 * k), a = w * t, L = R + b, root = sqrt(L * L - e * e * cos(a) * cos(a)), x[2], F[3];
    double y = e * sin(a), v = e * w * cos(a), acc = -e * w * w * sin(a);
    if (!flat) { /* d(root)/dt and d2(root)/dt2 */
      double s = e * e * sin(a) * cos(a), d = s * w / root;
      acc += (e * e * cos(2 * a) * w * w - d * d) / root;
      y += root, v += d;
    } else {
      y += R;
    }
    read_output(&r, "rod", x, 2);
    read_output(&r, "cam", F, 2);
    assert_below(fabs(x[0] - (y - start)), 1e-8, "%s: lift at %g s", follower, t);
    assert_below(fabs(x[1] - v), 1e-7, "%s: speed", follower);
    assert_below(fabs(F[1] - 0.5 * (acc + g)), 1e-5, "%s: force along the guide", follower);
    assert_below(fabs(F[0] - (flat ? 0 : -F[1] * e * cos(a) / root)), 1e-5, "%s: force across", follower);
  }
  assert_below(energy_error_of(&r), 1e-6, "%s: energy", follower);
  close_run(&r);
}

static void cams(void **state) {
  (void)state;
  check_cam("sinew: 1\nplanar: true\n", "follower: flat, face: [0, 1, 0]", 0, true);
  check_cam("sinew: 1\nplanar: true\n", "radius: 0.03", 0.03, false);
  check_cam("sinew: 1\nplanar: true\n", "follower: roller", 0, false);
  check_cam("sinew: 1\n", "follower: flat, face: [0, 1, 0]", 0, true);
  check_cam("sinew: 1\n", "radius: 0.03", 0.03, false);
}

/* An eccentric cam, a disk of radius R, lifts a flat face by e sin(w t) against a spring that presses with P at the start:
 * the contact is N = P + (k - m w^2) e sin(w t), which pulls for w^2 > (P/e + k)/m, w > 193.65 1/s. A roller and a knife
 * edge leave the cam at such speeds, too. A groove holds them. */
static bool cam_pulls(const char *w, const char *follower, double foot, const char *turn, const char *analysis) {
  char text[2000];
  snprintf(
      text, sizeof text,
      "sinew: 1\nplanar: true\nparameters: {w: %s}\nbodies:\n  disk: {type: rigid, position: [0, 0, 0], mass: 1, "
      "inertia: [1e-3, 1e-3, 1e-3]}\n  rod: {type: rigid, position: [0, 0.1, 0], mass: 0.4, inertia: [1e-3, 1e-3, "
      "1e-3], points: {foot: [0, %g, 0]}}\njoints:\n  shaft: {type: revolute, between: ['ground.at(0, 0, 0)', "
      "disk.center]}\n  guide: {type: prismatic, between: ['ground.at(0, 0.1, 0)', rod.center], axis: [0, 1, 0]}\n  "
      "turn: {type: motion, joint: shaft, rotation: w*t}\n  lobe: {type: cam, between: [disk, rod.foot], %s, curve: "
      "['0.01 + 0.03*cos(2*pi*s)', '%s0.03*sin(2*pi*s)', '0']}\nforces: {spring: {type: spring, between: "
      "['ground.at(0, 0.3, 0)', rod.center], stiffness: 5000, length: 0.22}}\nanalysis: {type: %s, duration: 0.05, "
      "output_step: 0.0005}\n",
      w, foot - 0.1, follower, turn, analysis);
  sn_context *context = sn_context_create();
  sn_model *model = parse(context, text);
  sn_trial trial;
  sn_trial_run(model, NULL, &trial);
  assert_int_equal(trial.status, SN_OK);
  const bool pulls = strstr(trial.reasons, "cam 'lobe' pulls") && strstr(trial.reasons, "the first time at t = 0.0");
  if (pulls) assert_int_equal(trial.trust, SN_BAD);
  sn_trial_free(&trial);
  sn_model_free(model);
  sn_context_free(context);
  return pulls;
}

static void cams_push_only(void **state) {
  (void)state;
  static const char flat[] = "follower: flat, face: [0, 1, 0]",
                    held[] = "follower: flat, face: [0, 1, 0], groove: true";
  static const char *const analysis[] = {"kinematics", "dynamics"};
  const double edge = sqrt(0.03 * 0.03 - 0.01 * 0.01), roller = sqrt(0.05 * 0.05 - 0.01 * 0.01);
  for (int k = 0; k < 2; k++) {
    assert_false(cam_pulls("192", flat, 0.03, "", analysis[k]));
    assert_true(cam_pulls("195", flat, 0.03, "", analysis[k]));
    assert_false(cam_pulls("195", held, 0.03, "", analysis[k]));
  }
  for (int k = 0; k < 2; k++) {
    const char *turn = k ? "-" : "";
    assert_false(cam_pulls("100", "radius: 0.02", roller, turn, "kinematics"));
    assert_true(cam_pulls("400", "radius: 0.02", roller, turn, "kinematics"));
    assert_false(cam_pulls("100", "radius: 0", edge, turn, "kinematics"));
    assert_true(cam_pulls("400", "radius: 0", edge, turn, "kinematics"));
  }
}

/* A ramp of 5 m: from rest at s = 0.1 the bead is at its end when g sin(a) t^2/2 = 4.5 m. There the run ends, with the
 * reason. A start that is 2 cm beside the curve is small beside its length. */
static void run_ends_with_the_curve(void **state) {
  (void)state;
  run r;
  open_run(&r,
           "sinew: 1\nplanar: true\ngravity: [0, -10, 0]\n"
           "bodies: {bead: {type: point-mass, mass: 1, position: [0.4, -0.325, 0]}}\n"
           "joints: {ramp: {type: point-on-curve, between: [ground, bead], curve: [4*s, -3*s, 0]}}\n"
           "outputs: {bead: {point: bead}}\nanalysis: {type: dynamics, duration: 5}\n",
           NULL);
  const sn_verdict verdict = verdict_of(&r, SN_NUMERICS);
  assert_non_null(strstr(sn_message(r.context), "point-on-curve 'ramp': the point leaves the end of the curve"));
  assert_non_null(strstr(verdict.reasons, "doubtful: the initial positions"));
  assert_true(r.simulation->state.t >= sqrt(2 * 4.48 / 6) && r.simulation->state.t < 3);
  close_run(&r);
}

/* A cam that dwells but for a lift by a on 4 % of its turn, turned steadily, and its follower, which is at the radius of
 * the profile: 0.1 + a S((s - 0.48)/0.0133) (1 - S((s - 0.507)/0.0133)), S of fifth degree. */
static double rise(double from, double to, double s) {
  const double u = fmin(1, fmax(0, (s - from) / (to - from)));
  return u * u * u * (10 - 15 * u + 6 * u * u);
}

static void test_dwell(void **state) {
  (void)state;
  static const char text[] =
      "sinew: 1\nplanar: true\nparameters: {w: %g, a: 0.02}\nbodies:\n"
      "  cam: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 0.2]}\n"
      "  follower: {type: rigid, position: [0.1, 0, 0], mass: 1, inertia: [1, 1, 0.4]}\n"
      "joints:\n  hinge: {type: revolute, between: [ground, cam.center]}\n"
      "  slide: {type: prismatic, between: [ground, follower.center], axis: [1, 0, 0]}\n"
      "  cam: {type: cam, between: [cam, follower.center], groove: true, curve: ["
      "'(0.1 + a*step(s, 0.48, 0, 0.49, 1)*(1 - step(s, 0.51, 0, 0.52, 1)))*cos(2*pi*s)', "
      "'(0.1 + a*step(s, 0.48, 0, 0.49, 1)*(1 - step(s, 0.51, 0, 0.52, 1)))*sin(2*pi*s)', 0]}\n"
      "  drive: {type: motion, joint: hinge, rotation: -w*t}\n"
      "outputs: {follower: {point: follower.center}}\n"
      "analysis: {type: dynamics, duration: 10, output_step: 0.01, integrator: {type: %s, tolerance: 1e-5}}\n";
  static const char *const methods[] = {"radau", "gam", "erk", "hht-i3"};
  static const double speeds[] = {0.5, 2};
  for (size_t k = 0; k < SN_COUNT(methods); k++)
    for (size_t j = 0; j < SN_COUNT(speeds); j++) {
      char model[2000];
      run r;
      double x[1], worst = 0;
      snprintf(model, sizeof model, text, speeds[j], methods[k]);
      open_run(&r, model, NULL);
      for (int i = 1; i <= 500; i++) {
        const double t = go_to(&r, 0.02 * i), s = fmod(speeds[j] * t / (2 * SN_PI), 1);
        read_output(&r, "follower", x, 1);
        worst = fmax(worst, fabs(x[0] - 0.1 - 0.02 * rise(0.48, 0.49, s) * (1 - rise(0.51, 0.52, s))));
      }
      assert_below(worst, 2e-4, "%s, %g rad/s: place of the follower", methods[k], speeds[j]);
      close_run(&r);
    }
}

/* A bead at 1 m/s on a straight wire, which has a notch of 1 cm. It loses no energy in it; the way is longer by
 * int (sqrt(1 + y'^2) - 1) dx. */
static void test_notch(void **state) {
  (void)state;
  static const char text[] =
      "sinew: 1\nplanar: true\nbodies: {bead: {type: point-mass, mass: 1, position: [0, 0, 0], velocity: [1, 0, 0]}}\n"
      "joints: {wire: {type: point-on-curve, between: [ground, bead], curve: ['10*s - 1', "
      "'0.02*exp(-((10*s - 4.013)/0.01)^2)', 0]}}\noutputs: {bead: {point: bead}}\n"
      "analysis: {type: dynamics, duration: 6, integrator: {type: %s, tolerance: 1e-6}}\n";
  static const char *const methods[] = {"radau", "erk"};
  double longer = 0;
  for (int i = 0; i <= 2000; i++) {
    const double u = -10 + 0.01 * i, slope = 0.02 * -2 * u / 0.01 * exp(-u * u);
    longer += (i == 0 || i == 2000 ? 1 : i % 2 ? 4 : 2) * 0.01 * 0.01 / 3 * (sqrt(1 + slope * slope) - 1);
  }
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    char model[1000];
    run r;
    double x[1];
    snprintf(model, sizeof model, text, methods[k]);
    open_run(&r, model, NULL);
    advance(&r, 6);
    read_output(&r, "bead", x, 1);
    assert_true(longer > 1e-2);
    assert_below(fabs(x[0] - (6 - longer)), 6e-4, "%s: place of the bead", methods[k]);
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_dwell),
      cmocka_unit_test(test_notch),
      cmocka_unit_test(circle_is_a_pendulum),
      cmocka_unit_test(every_method),
      cmocka_unit_test(helix),
      cmocka_unit_test(cycloid_is_isochronous),
      cmocka_unit_test(points_converge),
      cmocka_unit_test(curve_on_a_free_body),
      cmocka_unit_test(cams),
      cmocka_unit_test(cams_push_only),
      cmocka_unit_test(run_ends_with_the_curve),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
