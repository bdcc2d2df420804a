/* test_rolling.c - rolling without slip and knife edges against closed forms and an integration in minimal coordinates. */
#include "support.h"

#define BY(duration, method) "analysis: {type: dynamics, duration: " duration ", integrator: {" method "}}\n"
#define TIGHT "type: radau, tolerance: 1e-9"

/* Largest slip or violation on the velocity level. */
static double slip(run *r) {
  double rate[16] = {0};
  sn_system_velocity(r->simulation->system, &r->simulation->state, rate);
  return largest(rate, r->model->m);
}

/* ---- skate ---- */

/* Analytic: a skate turns with the rate w on an incline of acceleration g along -y, from rest along x:
 *   x = g/w (t/2 + sin(2 w t)/(4 w) - sin(w t)/w),   y = -g/(2 w^2) (1 - cos(w t))^2
 * loops across the slope, which do not go down on the average. */
static double skate_error(const char *method, double time, double *slips) {
  char text[1200];
  double w = 3, g = 2, x[2];
  run r;
  snprintf(text, sizeof text,
           "sinew: 1\nplanar: true\ngravity: [0, -2, 0]\n"
           "bodies: {skate: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [1, 1, 0.3], angular_velocity: [0, 0, "
           "3]}}\n"
           "joints: {blade: {type: knife-edge, between: [ground, skate.center], axis: [0, 1, 0]}}\n"
           "outputs: {skate: {point: skate.center}}\n" BY("5", "%s"),
           method);
  open_run(&r, text, NULL);
  double t = go_to(&r, time), exact[2] = {g / w * (t / 2 + sin(2 * w * t) / (4 * w) - sin(w * t) / w),
                                          -g / (2 * w * w) * (1 - cos(w * t)) * (1 - cos(w * t))};
  read_output(&r, "skate", x, 2);
  *slips = slip(&r);
  close_run(&r);
  return distance(x, exact, 2);
}

static void skate(void **state) {
  (void)state;
  static const struct {
    const char *method;
    double error, slip;
  } list[] = {
      {"type: radau, tolerance: 1e-8", 1e-7, 1e-12},     {"type: radau5, tolerance: 1e-7", 1e-6, 1e-12},
      {"type: gam, tolerance: 1e-7", 1e-6, 1e-12},       {"type: hht-i3, alpha: -0.05, tolerance: 1e-7", 1e-5, 1e-7},
      {"type: newmark, step: 1e-4", 1e-3, 1e-7},         {"type: hht-si2, tolerance: 1e-6", 1e-4, 1e-7},
      {"type: nstiff, tolerance: 1e-7", 1e-5, 1e-7},     {"type: nstiff-si2, tolerance: 1e-6", 1e-4, 1e-7},
      {"type: gssss, tolerance: 1e-7", 1e-5, 1e-7},      {"type: gssss, index: 2, step: 1e-3", 1e-5, 1e-7},
      {"type: gssss, index: 1, step: 1e-3", 1e-4, 1e-4}, {"type: ida, tolerance: 1e-7", 1e-5, 1e-7},
      {"type: adams, tolerance: 1e-8", 1e-6, 1e-12},     {"type: erk, tolerance: 1e-8", 1e-6, 1e-6},
      {"type: tr-bdf2, tolerance: 1e-7", 1e-4, 1e-5},    {"type: symplectic-euler, step: 1e-4", 1e-2, 1e-2}};
  for (size_t i = 0; i < SN_COUNT(list); i++) {
    double slips, error = skate_error(list[i].method, 4, &slips);
    assert_below(error, list[i].error, "%s: skate on an incline", list[i].method);
    assert_below(slips, list[i].slip, "%s: velocity across the blade", list[i].method);
  }
}

/* Observed order with fixed steps. */
static void orders(void **state) {
  (void)state;
  static const struct {
    const char *format;
    double h, order;
  } list[] = {{"type: hht-i3, alpha: -0.05, step: %g", 0.01, 2},
              {"type: gssss, step: %g", 0.01, 2},
              {"type: gssss, index: 1, step: %g", 0.01, 2},
              {"type: nstiff, step: %g", 0.01, 2},
              {"type: newmark, step: %g", 0.01, 1},
              {"type: symplectic-euler, step: %g", 0.01, 1},
              {"type: radau5, step: %g", 0.2, 5}};
  for (size_t i = 0; i < SN_COUNT(list); i++) {
    double error[2], slips;
    for (int k = 0; k < 2; k++) {
      char method[100];
      snprintf(method, sizeof method, list[i].format, list[i].h / (1 << k));
      error[k] = skate_error(method, 2, &slips);
    }
    assert_below(list[i].order - 0.3, log2(error[0] / error[1]), "order, %s", list[i].format);
  }
}

/* ---- sphere ---- */

/* Analytic: a homogeneous sphere rolls down an incline with 5/7 of the acceleration; the friction is 2/7 of m g sin(a).
 * On a turntable of rate W its center goes round a circle at the rate 2/7 W, wherever and however it starts. */
static void sphere(void **state) {
  (void)state;
  run r;
  double x[3], F[6], t, R = 0.1, m = 3;
  open_run(
      &r,
      "sinew: 1\ngravity: [3, 0, -9]\n"
      "bodies: {ball: {type: rigid, position: [0, 0, 0.1], mass: 3, inertia: [0.012, 0.012, 0.012]}}\n"
      "joints: {floor: {type: rolling, between: ['ground.at(0, 0, 0)', ball.center], normal: [0, 0, 1], radius: 0.1}}\n"
      "outputs: {ball: {point: ball.center}, floor: {reaction: floor}}\n" BY("2", TIGHT),
      NULL);
  t = go_to(&r, 1.5);
  read_output(&r, "ball", x, 3);
  read_output(&r, "floor", F, 6);
  double exact[3] = {5.0 / 14 * 3 * t * t, 0, R}, force[6] = {-2.0 / 7 * m * 3, 0, m * 9, 0, 2.0 / 7 * m * 3 * R, 0};
  assert_below(distance(x, exact, 3), 1e-7, "sphere on an incline");
  assert_below(distance(F, force, 6), 1e-6, "force and moment of the floor on its center");
  assert_below(energy_error_of(&r), 1e-7, "energy on an incline");
  close_run(&r);
  double W = 7, w = 2.0 / 7 * W, v0[2] = {0.3, 0.1};
  open_run(&r,
           "sinew: 1\ngravity: [0, 0, -9.81]\n"
           "bodies:\n"
           "  table: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 7]}\n"
           /* no slip at the start: v + w x (-R n) = W x r */
           "  ball: {type: rigid, position: [0.2, 0.1, 0.1], velocity: [0.3, 0.1, 0], mass: 3, inertia: [0.012, 0.012, "
           "0.012], angular_velocity: [\"(7*0.2 - 0.1)/0.1\", \"(7*0.1 + 0.3)/0.1\", 2]}\n"
           "joints:\n"
           "  bearing: {type: revolute, between: [ground, table.center]}\n"
           "  drive: {type: motion, joint: bearing, rotation: 7*t}\n"
           "  floor: {type: rolling, between: [table.center, ball.center], normal: [0, 0, 1], radius: 0.1}\n"
           "outputs: {ball: {point: ball.center}}\n" BY("4", TIGHT),
           NULL);
  for (int k = 1; k <= 3; k++) {
    t = go_to(&r, k);
    read_output(&r, "ball", x, 3);
    double s = sin(w * t) / w, c = (1 - cos(w * t)) / w;
    double circle[3] = {0.2 + v0[0] * s - v0[1] * c, 0.1 + v0[1] * s + v0[0] * c, R};
    assert_below(distance(x, circle, 3), 1e-6, "sphere on a turntable at %g s", t);
    assert_below(slip(&r), 1e-10, "its slip");
  }
  close_run(&r);
}

/* ---- disk ---- */

/* Second method: Euler angles (precession f, inclination h of the axis to the vertical) and the components p, s, w of
 * the angular velocity along e1 (horizontal), e2 (up the disk), e3 (its axis); the center moves with R (p e3 - w e1):
 *   (C + m R^2) w' = m R^2 p s,   A s' = p (C w - A r),   r = s cot h
 *   (A + m R^2) p' = -s (C w - A r) - m R^2 s w - m g R cos h,   h' = p,   f' = s/sin h
 * by small Runge-Kutta steps. y = (x, y, f, h, p, s, w). */
static const double disk_R = 0.2, disk_m = 2, disk_A = 0.02, disk_C = 0.04;

static void disk_rates(const double y[7], double d[7]) {
  double R = disk_R, m = disk_m, A = disk_A, C = disk_C, h = y[3], p = y[4], s = y[5], w = y[6], r = s / tan(h);
  d[0] = -R * w * cos(y[2]) + R * p * sin(h) * sin(y[2]);
  d[1] = -R * w * sin(y[2]) - R * p * sin(h) * cos(y[2]);
  d[2] = s / sin(h);
  d[3] = p;
  d[4] = (-s * (C * w - A * r) - m * R * R * s * w - m * 9.81 * R * cos(h)) / (A + m * R * R);
  d[5] = p * (C * w - A * r) / A;
  d[6] = m * R * R * p * s / (C + m * R * R);
}

static void disk_at(double t, double y[7]) {
  int n = 40000;
  double h = t / n, k[4][7], x[7];
  for (int i = 0; i < n; i++) {
    for (int stage = 0; stage < 4; stage++) {
      double c = stage == 0 ? 0 : stage == 3 ? h : h / 2;
      for (int j = 0; j < 7; j++) x[j] = y[j] + (stage ? c * k[stage - 1][j] : 0);
      disk_rates(x, k[stage]);
    }
    for (int j = 0; j < 7; j++) y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
  }
}

static void open_disk(run *r, const double y[7], const char *method) {
  char text[1500];
  double h = y[3], p = y[4], s = y[5], w = y[6], R = disk_R;
  snprintf(
      text, sizeof text,
      "sinew: 1\ngravity: [0, 0, -9.81]\n"
      "bodies: {disk: {type: rigid, position: [0, 0, %.17g], rotation: {axis: [1, 0, 0], angle: %.17g}, mass: 2, "
      "inertia: [0.02, 0.02, 0.04], velocity: [%.17g, %.17g, %.17g], angular_velocity: [%.17g, %.17g, %.17g]}}\n"
      "joints: {floor: {type: rolling, between: ['ground.at(0, 0, 0)', disk.center], normal: [0, 0, 1], radius: 0.2, "
      "axis: [0, %.17g, %.17g]}}\n"
      "outputs: {disk: {point: disk.center}}\n" BY("4", "%s"),
      R * sin(h), h, -R * w, -R * p * sin(h), R * p * cos(h), p, s * cos(h) - w * sin(h), s * sin(h) + w * cos(h),
      -sin(h), cos(h), method);
  open_run(r, text, NULL);
}

static void disk(void **state) {
  (void)state;
  /* a wobbling roll; nearly upright and fast; one that falls and spins like a coin */
  static const double starts[][7] = {
      {0, 0, 0, 1.2, 0.3, 2, -8}, {0, 0, 0, 1.5, 0.2, 0.5, -20}, {0, 0, 0, 0.6, 0, 5, 0.5}};
  static const struct {
    const char *method;
    double error;
  } list[] = {{TIGHT, 1e-6},
              {"type: gam, tolerance: 1e-8", 1e-5},
              {"type: ida, tolerance: 1e-8", 1e-5},
              {"type: adams, tolerance: 1e-8", 1e-5},
              {"type: erk, tolerance: 1e-8", 1e-5},
              {"type: hht-i3, alpha: -0.05, step: 2e-4", 1e-3}};
  for (size_t i = 0; i < SN_COUNT(starts); i++)
    for (size_t k = 0; k < SN_COUNT(list); k++) {
      run r;
      double y[7], x[3];
      memcpy(y, starts[i], sizeof y);
      open_disk(&r, y, list[k].method);
      disk_at(go_to(&r, 1), y);
      read_output(&r, "disk", x, 3);
      double exact[3] = {y[0], y[1], disk_R * sin(y[3])};
      assert_below(distance(x, exact, 3), list[k].error, "disk %zu, %s", i, list[k].method);
      if (k == 0) assert_below(energy_error_of(&r), 1e-6, "energy of disk %zu", i);
      close_run(&r);
    }
}

/* Analytic: steady rolling in a circle, p = 0: s (C w - A s cot h) + m R^2 s w + m g R cos h = 0. The center goes round
 * at constant height. */
static void steady_disk(void **state) {
  (void)state;
  run r;
  double R = disk_R, m = disk_m, A = disk_A, C = disk_C, h = 1.1, s = 2.5;
  double w = (A * s / tan(h) - m * 9.81 * R * cos(h) / s) / (C + m * R * R), rate = s / sin(h), radius = -R * w / rate;
  double y[7] = {0, 0, 0, h, 0, s, w}, x[3];
  open_disk(&r, y, TIGHT);
  for (int k = 1; k <= 3; k++) {
    double t = go_to(&r, k), exact[3] = {radius * sin(rate * t), radius * (1 - cos(rate * t)), R * sin(h)};
    read_output(&r, "disk", x, 3);
    assert_below(distance(x, exact, 3), 1e-6, "disk in a circle at %g s", t);
  }
  assert_below(energy_error_of(&r), 1e-7, "its energy");
  close_run(&r);
}

/* ---- what does not know them says so ---- */

static void refused(void **state) {
  (void)state;
  static const char *const analyses[] = {
      "{type: dynamics, duration: 1, integrator: {type: hht-add, step: 1e-3}}",
      "{type: dynamics, duration: 1, integrator: {type: gssss, step: 1e-3, conserve: "
      "energy-momentum}}",
      "{type: statics}", "{type: modes}", "{type: kinematics, duration: 1}"};
  for (size_t i = 0; i < SN_COUNT(analyses); i++) {
    char text[800];
    run r = {.context = sn_context_create()};
    snprintf(text, sizeof text,
             "sinew: 1\nplanar: true\ngravity: [0, -2, 0]\n"
             "bodies: {skate: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [1, 1, 0.3]}}\n"
             "joints: {blade: {type: knife-edge, between: [ground, skate.center], axis: [0, 1, 0]}}\nanalysis: %s\n",
             analyses[i]);
    r.model = parse(r.context, text);
    assert_true(sn_simulation_create(r.model, NULL, &r.simulation) != SN_OK);
    if (!strstr(sn_message(r.context), "without a position level")) fail_msg("%s", sn_message(r.context));
    sn_model_free(r.model);
    sn_context_free(r.context);
  }
}

/* A ball, a disk and a wheel in the plane under a lift of 20 sin(2 t) N, twice their weight: the plane pulls on them, and
 * the run is doubtful. With half of the weight it is good. */
static void planes_do_not_pull(void **state) {
  (void)state;
  static const char *const kinds[][2] = {{"false", ""}, {"false", ", axis: [0, 1, 0]"}, {"true", ""}};
  for (size_t k = 0; k < SN_COUNT(kinds); k++)
    for (int lifts = 0; lifts < 2; lifts++) {
      const bool planar = kinds[k][0][0] == 't';
      char text[1200];
      run r;
      snprintf(text, sizeof text,
               "sinew: 1\nplanar: %s\ngravity: %s\n"
               "bodies: {b: {type: rigid, position: %s, mass: 1, inertia: [0.004, 0.004, 0.004], velocity: [1, 0, 0], "
               "angular_velocity: %s}}\n"
               "joints: {r: {type: rolling, between: ['ground.at(0, 0, 0)', b.center], radius: 0.1, normal: %s%s}}\n"
               "forces: {f: {type: force, at: b.center, force: [0, %s]}}\n"
               "outputs: {b: {point: b.center}}\nanalysis: {type: dynamics, duration: 2}\n",
               kinds[k][0], planar ? "[0, -10, 0]" : "[0, 0, -10]", planar ? "[0, 0.1, 0]" : "[0, 0, 0.1]",
               planar ? "[0, 0, -10]" : "[0, 10, 0]", planar ? "[0, 1, 0]" : "[0, 0, 1]", kinds[k][1],
               planar ? (lifts ? "20*sin(2*t), 0" : "5*sin(2*t), 0") : (lifts ? "0, 20*sin(2*t)" : "0, 5*sin(2*t)"));
      open_run(&r, text, NULL);
      assert_int_equal(verdict_of(&r, SN_OK).level, lifts ? SN_DOUBTFUL : SN_GOOD);
      close_run(&r);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(skate),
      cmocka_unit_test(orders),
      cmocka_unit_test(sphere),
      cmocka_unit_test(disk),
      cmocka_unit_test(steady_disk),
      cmocka_unit_test(refused),
      cmocka_unit_test(planes_do_not_pull),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
