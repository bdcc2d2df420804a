/* test_applications.c - the long models, to their end: satellite, elevator cable, spin-up of a curved beam. */
#include "support.h"

static void load(run *r, const char *path, const char *set) {
  *r = (run){.context = sn_context_create()};
  if (sn_model_load(r->context, path, &set, set ? 1 : 0, &r->model) ||
      sn_simulation_create(r->model, NULL, &r->simulation))
    fail_msg("%s", sn_message(r->context));
}

static const sn_body *body_of(const run *r, const char *name) {
  for (int i = 0; i < r->model->bodies; i++)
    if (strcmp(r->model->body[i].name, name) == 0) return &r->model->body[i];
  fail_msg("no body '%s'", name);
  return NULL;
}

static double value(run *r, const char *output, int column) {
  double y[16];
  assert_true(sn_read(r->simulation, output, y, 16) > (size_t)column);
  return y[column];
}

/* ---- D1 ---- */

/* step(t, t0, 0, t1, y1) */
static double smooth(double t, double t0, double t1, double y1) {
  double s = fmin(fmax((t - t0) / (t1 - t0), 0), 1);
  return y1 * s * s * s * (10 + s * (6 * s - 15));
}

/* Masses of one wing in the axes of the satellite: rods by two Gauss points (exact for their inertia), and the panel.
 */
static void wing(double t, double side, double m[5], double x[5], double y[5]) {
  const double L1 = 2.3, L2 = 2.5, line = 7800 * 2.1871e-4, g = 0.5 / sqrt(3);
  double late = side > 0 ? 0 : 2;
  double a = PI / 2 - smooth(t, 1 + late, 11 + late, PI / 2), b = a - PI + smooth(t, 13 + late, 24 + late, PI);
  double along[5] = {(0.5 - g) * L1, (0.5 + g) * L1, (0.5 - g) * L2, (0.5 + g) * L2, L2};
  for (int i = 0; i < 5; i++) {
    m[i] = i < 2 ? line * L1 / 2 : i < 4 ? line * L2 / 2 : 11;
    x[i] = side * (1 + (i < 2 ? along[i] * cos(a) : L1 * cos(a) + along[i] * cos(b)));
    y[i] = i < 2 ? along[i] * sin(a) : L1 * sin(a) + along[i] * sin(b);
  }
}

/* Moment of inertia about the common center of mass, and the angular momentum about it that the drivers alone make. */
static void rigid_momentum(double t, double *J, double *L) {
  double m[11] = {2267.96}, x[3][11] = {{0}}, y[3][11] = {{0}}, h = 1e-4, cx[3] = {0}, cy[3] = {0}, M = 0;
  for (int k = 0; k < 3; k++) {
    wing(t + (k - 1) * h, 1, m + 1, x[k] + 1, y[k] + 1);
    wing(t + (k - 1) * h, -1, m + 6, x[k] + 6, y[k] + 6);
  }
  for (int i = 0; i < 11; i++) {
    M += m[i];
    for (int k = 0; k < 3; k++) cx[k] += m[i] * x[k][i], cy[k] += m[i] * y[k][i];
  }
  *J = 1404.67 + 2 * 5.85e-5;
  *L = 0;
  for (int i = 0; i < 11; i++) {
    double X = x[1][i] - cx[1] / M, Y = y[1][i] - cy[1] / M;
    double vx = (x[2][i] - x[0][i] - (cx[2] - cx[0]) / M) / (2 * h);
    double vy = (y[2][i] - y[0][i] - (cy[2] - cy[0]) / M) / (2 * h);
    *J += m[i] * (X * X + Y * Y);
    *L += m[i] * (X * vy - Y * vx);
  }
}

/* Second method: with rigid arms the angle of the satellite follows from its angular momentum, which stays zero. */
static double rigid_attitude(double end) {
  double angle = 0, h = 0.01, J, L;
  for (double t = h / 2; t < end; t += h) {
    rigid_momentum(t, &J, &L);
    angle -= h * L / J;
  }
  return angle;
}

static void satellite(void **state) {
  (void)state;
  run r;
  double most = 0, momentum[6];
  load(&r, "models/satellite.yaml", NULL);
  while (!sn_all_finished(r.simulation)) {
    if (sn_step(r.simulation)) fail_msg("%s", sn_message(r.context));
    sn_system_momentum(r.simulation->system, &r.simulation->state, momentum);
    most = fmax(most, largest(momentum, 3));
    /* moving wings have up to 15 kg m2/s each */
    assert_below(fabs(momentum[5]), 0.01, "angular momentum at %g s", sn_time(r.simulation));
    assert_below(fabs(value(&r, "energy", SN_E_ERROR)), 0.006, "energy at %g s", sn_time(r.simulation)); /* of 18.8 J */
  }
  assert_below(fabs(sn_time(r.simulation) - 30), 1e-12, "end");
  assert_below(most, 1e-3, "linear momentum"); /* a panel has 15 kg m/s */
  double angle = value(&r, "attitude", 0), wanted = rigid_attitude(30);
  assert_true(fabs(wanted) > 0.01);
  assert_below(fabs(angle - wanted), 0.01 * fabs(wanted), "angle %g of the satellite, %g with rigid arms", angle,
               wanted);
  /* the arms are out: what is left is their vibration */
  double x = value(&r, "right", 0) - value(&r, "body", 0), y = value(&r, "right", 1) - value(&r, "body", 1);
  assert_below(fabs(x * cos(angle) + y * sin(angle) - 5.8), 2e-3, "right panel along the wing");
  assert_below(fabs(y * cos(angle) - x * sin(angle)), 0.02, "right panel across the wing");
  /* what the drivers gave they took back, but for that vibration */
  double driver = value(&r, "energy", SN_E_DRIVER),
         left = value(&r, "energy", SN_E_KINETIC) + value(&r, "energy", SN_E_STRAIN);
  assert_below(fabs(driver - left), 2e-3, "work %g J of the drivers, %g J left", driver, left);
  assert_below(left, 0.01, "vibration left [J]");
  close_run(&r);
}

/* ---- D2 ---- */

/* The run to its end; smallest distance of a node of the cable to the wall in the stages from `first` on. The wall
 * is `reach` behind the bracket. */
static double clearance(run *r, int first, double reach) {
  const sn_body *cable = body_of(r, "cable"), *wall = body_of(r, "wall");
  double least = INFINITY;
  while (!sn_all_finished(r->simulation)) {
    if (sn_step(r->simulation)) fail_msg("%s", sn_message(r->context));
    const double *q = r->simulation->state.q;
    if (r->simulation->stage < first) continue;
    for (int i = 0; i < cable->count; i += 4) least = fmin(least, q[cable->first + i] - q[wall->first] + reach);
  }
  return least;
}

static void elevator(void **state) {
  (void)state;
  run r;
  const double weight = 50.9 * 3.1457e-4 * 80 * 9.81;
  load(&r, "models/elevator.yaml", NULL);
  while (r.simulation->stage < 4) { /* at rest before the car goes */
    if (sn_step(r.simulation)) fail_msg("%s", sn_message(r.context));
    if (r.simulation->stage == 3)
      assert_below(largest(r.simulation->state.v, r.model->n), 1e-6, "speed at %g s", sn_time(r.simulation));
  }
  assert_below(fabs(sn_time(r.simulation) - 90), 1e-12, "start of the descent");
  /* the joints pull the cable up by its weight: the bracket at its leg and half of the loop, the hook at the rest */
  double bracket = value(&r, "bracket", 1), hook = value(&r, "hook", 1);
  assert_below(fabs(bracket + hook - weight), 1e-5, "weight of the cable");
  assert_below(fabs((hook - bracket) / weight * 80 - 35), 0.1, "difference of the legs: the car is 35 m above");
  double least = clearance(&r, 3, 0.5);
  assert_below(fabs(sn_time(r.simulation) - 128), 1e-12, "end");
  assert_below(fabs(value(&r, "car", 1) - (1.5 + 35 - 70)), 1e-9, "car below");
  /* second method: 200 elements leave 0.226 m, when the car has braked */
  assert_below(fabs(least - 0.226), 0.02, "clearance");
  assert_below(r.simulation->largest_energy_error, 2e-3 * r.simulation->largest_kinetic, "audit");
  double error = fabs(value(&r, "energy", SN_E_ERROR)), ride = fabs(value(&r, "energy", SN_E_DRIVER));
  assert_below(error, 1e-6 * ride, "energy at the end against the work of the drive, %g J", ride);
  close_run(&r);
}

/* "If too stiff a cable is used then the cable would contact the wall" (Khude, section 7.2.2). */
static void stiff_cable_touches(void **state) {
  (void)state;
  run r;
  load(&r, "models/elevator.yaml", "E=2e8");
  assert_below(clearance(&r, 3, 0.5), -0.5, "clearance");
  close_run(&r);
}

/* ---- B2, curved ---- */

/* Turning steadily: the root carries the centrifugal force of the beam, m w2 times the distance of its center of mass
 * from the axis, and the moment of the motor vanishes. The centrifugal field has straightened the beam. */
static void curved_spin_up(void **state) {
  (void)state;
  run r;
  double root[6], momentum[6];
  load(&r, "models/spin-up-curved.yaml", NULL);
  if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
  assert_below(fabs(sn_time(r.simulation) - 20), 1e-9, "end");
  sn_system_momentum(r.simulation->system, &r.simulation->state,
                     momentum); /* m w times that distance; the disk has none */
  sn_read(r.simulation, "root", root, 6);
  double pull = 4 * hypot(momentum[0], momentum[1]);
  assert_below(fabs(hypot(root[0], root[1]) - pull), 2e-3 * pull, "force at the root, %g N", pull);
  double along = value(&r, "along", 0), across = value(&r, "across", 0), R = 8 / (PI / 4);
  double x = R * sin(PI / 4) + along, y = R * (1 - cos(PI / 4)) + across;
  /* second method: 40 elements give 0.3997, -0.8295 at the same time */
  assert_below(fabs(along - 0.3997), 2e-3, "tip along");
  assert_below(fabs(across + 0.8295), 2e-3, "tip across");
  assert_below(hypot(x, y), 8, "distance of the tip: the beam is still bent");
  assert_below(r.simulation->largest_energy_error, 1e-3 * r.simulation->largest_kinetic, "audit");
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(satellite),
      cmocka_unit_test(elevator),
      cmocka_unit_test(stiff_cable_touches),
      cmocka_unit_test(curved_spin_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
