/* test_pendulum.c - the flexible pendulum (benchmark B1) in its variants: a weight at the tip, a push out of the plane,
 * beams. */
#include "support.h"

static void load(run *r, const char *path, const char *const *sets, size_t count, const sn_options *options) {
  *r = (run){.context = sn_context_create()};
  if (sn_model_load(r->context, path, sets, count, &r->model) ||
      sn_simulation_create(r->model, options, &r->simulation))
    fail_msg("%s", sn_message(r->context));
}

static void tip_of(const char *path, const char *const *sets, size_t count, const sn_options *options, double tip[3]) {
  run r;
  load(&r, path, sets, count, options);
  if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
  assert_true(sn_read(r.simulation, "tip", tip, 3) >= 3);
  close_run(&r);
}

/* ---- a weight of 1 kg ---- */

/* Errors against 64 elements with the same steps fall with the fourth power: cubic elements, static error of order 4.
 */
static void mesh_convergence(void **state) {
  (void)state;
  static const int mesh[] = {64, 1, 2, 4, 8, 16};
  const sn_options options = {.integrator = "hht-i3", .step = 1e-3, .until = 0.2};
  double tip[SN_COUNT(mesh)][3], error[SN_COUNT(mesh)];
  for (size_t i = 0; i < SN_COUNT(mesh); i++) {
    char text[20];
    const char *set = text;
    snprintf(text, sizeof text, "n=%d", mesh[i]);
    tip_of("models/pendulum-weight.yaml", &set, 1, &options, tip[i]);
    error[i] = distance(tip[i], tip[0], 3);
    if (i > 1) assert_below(error[i], error[i - 1] / 2, "error with %d elements", mesh[i]);
  }
  assert_below(error[1], 0.01, "error with one element [m]");
  assert_below(3.5, log2(error[2] / error[5]) / 3, "order from 2 to 16 elements");
  assert_below(1e-3, fabs(tip[0][1] + 9.81 / 2 * 0.04), "it is no free fall");
}

/* ---- 1 N out of the plane ---- */

/* The pin and gravity have no moment about the vertical through the pin, so the force alone changes the angular
 * momentum: L_y' = -x Fz. Energy is audited with the work of the force. Both errors are those of the method: of
 * order 2. */
typedef struct drift {
  double momentum, energy, z;
} drift;

static drift push(double h) {
  run r;
  drift d = {0};
  const char *set = "Fz=1";
  const sn_options options = {.integrator = "hht-i3", .step = h, .until = 1};
  double integral = 0, old[9], now[9], momentum[6], energy[SN_ENERGIES];
  load(&r, "models/pendulum-weight.yaml", &set, 1, &options);
  sn_read(r.simulation, "tip", old, 9);
  while (!sn_all_finished(r.simulation)) {
    if (sn_step(r.simulation)) fail_msg("%s", sn_message(r.context));
    sn_read(r.simulation, "tip", now, 9);
    integral -= h / 2 * (old[0] + now[0]) + h * h / 12 * (old[3] - now[3]); /* of x, with its velocities */
    memcpy(old, now, sizeof old);
    sn_system_momentum(r.simulation->system, &r.simulation->state, momentum);
    sn_read(r.simulation, "energy", energy, SN_ENERGIES);
    d.momentum = fmax(d.momentum, fabs(momentum[4] - integral));
    d.energy = fmax(d.energy, fabs(energy[SN_E_ERROR]));
    d.z = fmax(d.z, fabs(now[2]));
  }
  assert_below(fabs(energy[SN_E_APPLIED] - now[2]), 1e-3, "work of 1 N: the way in z"); /* Simpson's rule over steps */
  close_run(&r);
  return d;
}

static void out_of_plane(void **state) {
  (void)state;
  drift coarse = push(2e-3), fine = push(5e-4);
  assert_below(0.02, fine.z, "way out of the plane");
  assert_below(fine.momentum, 2e-5, "angular momentum about the vertical [kg m2/s]");
  assert_below(fine.energy, 1e-3, "energy error [J], of about 24 J in motion");
  assert_below(fine.momentum / coarse.momentum, 1.0 / 6, "momentum with a quarter of the step");
  assert_below(fine.energy / coarse.energy, 1.0 / 6, "energy with a quarter of the step");
}

/* ---- locking ---- */

/* Distances from the cable at t = 1 s with 20 and 40 elements: that of `selective` falls with the mesh, that of
 * `continuum`, which locks, does not (docs/locking.png). */
static void locking(void **state) {
  (void)state;
  static const char *const kinds[] = {"elastic=continuum", "elastic=selective", "elastic=elastic-line"};
  const sn_options options = {.integrator = "hht-i3", .step = 1e-3, .until = 1};
  const char *fine = "n=40";
  double cable[3], tip[3], away[SN_COUNT(kinds)][2];
  tip_of("models/pendulum.yaml", &fine, 1, &options, cable);
  for (size_t i = 0; i < SN_COUNT(kinds); i++)
    for (int k = 0; k < 2; k++) {
      const char *sets[] = {kinds[i], k ? "n=40" : "n=20"};
      tip_of("models/beam-pendulum.yaml", sets, 2, &options, tip);
      away[i][k] = distance(tip, cable, 3);
    }
  assert_below(0.9 * away[0][0], away[0][1], "continuum with a finer mesh");
  assert_below(away[1][1], away[1][0] / 2, "selective with a finer mesh");
  assert_below(away[1][1], away[0][1] / 4, "selective against continuum");
  assert_below(away[2][1], away[0][1] / 20, "elastic-line against continuum");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mesh_convergence),
      cmocka_unit_test(out_of_plane),
      cmocka_unit_test(locking),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
