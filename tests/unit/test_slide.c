/* test_slide.c - Coulomb's law by complementarity: what slides stays down and stops where the closed forms say. */
#include "support.h"

/* lemke: motion along x is along an edge of its pyramids */
static const char *const solvers[] = {"apgd", "gauss-seidel", "jacobi", "lemke", "interior-point"};

/* ---- a block is thrown along the floor ---- */

static const char block[] =
    "sinew: 1\nparameters: {slope: %.17g}\ngravity: [9.81*sin(slope), 0, -9.81*cos(slope)]\n"
    "bodies: {b: {type: rigid, position: [0, 0, 0.05], rotation: {axis: [0, 0, 1], angle: %g}, mass: 1, shape: {type: "
    "box, "
    "size: [0.2, 0.2, 0.1]}, velocity: [2, 0, 0]}}\n"
    "surfaces: {floor: {type: plane, normal: [0, 0, 1]}, skin: {type: box, on: b}}\n"
    "contacts: {all: {method: dvi, friction: %g}}\noutputs: {c: {point: b.center}}\n"
    "analysis: {type: dynamics, duration: 3, integrator: {type: symplectic-euler, step: %g, contact_solver: %s%s}}\n";

/* v^2/(2 a), a = g (mu cos - sin), less h v/2 of the first order; it never leaves the floor, and the relaxed law, which
 * throws it up at mu v, does. */
static void thrown_block_stops(void **state) {
  (void)state;
  for (size_t k = 0; k < SN_COUNT(solvers); k++)
    for (double mu = 0.3; mu < 1; mu += 0.3)
      for (double slope = 0; slope < 0.3; slope += 0.2)
        for (double h = 1e-3; h > 1e-4; h /= 4) {
          char text[1024];
          run r;
          double x[3], lift = 0, a = 9.81 * (mu * cos(slope) - sin(slope)), end = 2 / a;
          snprintf(text, sizeof text, block, slope, 0.4, mu, h, solvers[k], "");
          open_run(&r, text, NULL);
          for (int i = 1; i <= 100; i++) {
            advance(&r, 1.2 * end * i / 100);
            read_output(&r, "c", x, 3);
            lift = fmax(lift, fabs(x[2] - 0.05));
          }
          assert_below(lift, 1e-7, "lift of the block, %s, mu = %g", solvers[k], mu);
          assert_below(fabs(x[0] - 2 / a), 1.1 * h, "way of the block, %s, mu = %g, slope = %g, h = %g", solvers[k], mu,
                       slope, h);
          close_run(&r);
        }
  char text[1024];
  run r;
  double x[3], lift = 0;
  snprintf(text, sizeof text, block, 0., 0.4, 0.3, 1e-3, "apgd", ", friction_model: relaxed");
  open_run(&r, text, NULL);
  for (int i = 1; i <= 100; i++) {
    advance(&r, 2e-3 * i);
    read_output(&r, "c", x, 3);
    lift = fmax(lift, x[2] - 0.05);
  }
  assert_true(lift > 0.01); /* (0.3 2)^2/(2 9.81) = 18 mm */
  close_run(&r);
}

/* ---- a ring of contacts spins down: w' = -mu g R/k^2 for three feet at radius R, k^2 = J/m ---- */

static void spinning_feet_stop(void **state) {
  (void)state;
  run r;
  open_run(
      &r,
      "sinew: 1\ngravity: [0, 0, -9.81]\n"
      "bodies: {b: {type: rigid, position: [0, 0, 0.02], mass: 2, inertia: [0.02, 0.02, 0.03], angular_velocity: [0, "
      "0, "
      "20]}}\n"
      "surfaces: {floor: {type: plane, normal: [0, 0, 1]}, a: {type: sphere, on: b, at: [0.2, 0, 0], radius: 0.02},\n"
      "  c: {type: sphere, on: b, at: [-0.1, 0.17320508075688773, 0], radius: 0.02},\n"
      "  d: {type: sphere, on: b, at: [-0.1, -0.17320508075688773, 0], radius: 0.02}}\n"
      "contacts: {all: {method: dvi, friction: 0.25}}\n"
      "analysis: {type: dynamics, duration: 1, integrator: {type: symplectic-euler, step: 2e-4}}\n",
      NULL);
  double alpha = 0.25 * 2 * 9.81 * 0.2 / 0.03, p[6];
  for (int i = 1; i <= 10; i++) {
    double t = 0.08 * i;
    advance(&r, t);
    sn_system_momentum(r.simulation->system, &r.simulation->state, p);
    double w = p[5] / 0.03, expected = fmax(20 - alpha * t, 0);
    assert_below(fabs(w - expected), 0.01, "spin at %g s", t);
    assert_below(fabs(r.simulation->state.q[2] - 0.02), 1e-7, "the feet lift off");
  }
  close_run(&r);
}

/* ---- many bodies of all shapes slide over each other's floor: none rises, and energy falls ---- */

static void random_bodies_slide(void **state) {
  (void)state;
  static const char *const shapes[][2] = {{"{type: box, size: [0.1, 0.06, 0.04]}", "box"},
                                          {"{type: sphere, radius: 0.02}", "sphere"}};
  uint64_t seed = 11;
  for (size_t k = 0; k < SN_COUNT(solvers); k++) {
    static char text[16384];
    size_t n = (size_t)snprintf(text, sizeof text, "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n");
    for (int i = 0; i < 24; i++) {
      n += (size_t)snprintf(text + n, sizeof text - n,
                            "  b%d: {type: rigid, position: [%g, %g, 0.02], rotation: {axis: [0, 0, 1], angle: %g}, "
                            "density: 1000, shape: %s, "
                            "velocity: [%g, %g, 0], angular_velocity: [0, 0, %g]}\n",
                            i, 0.5 * (i % 5), 0.5 * (i / 5), 3 * noise(&seed), shapes[i % 2][0], 2 * noise(&seed),
                            2 * noise(&seed), 10 * noise(&seed));
    }
    n += (size_t)snprintf(text + n, sizeof text - n, "surfaces:\n  floor: {type: plane, normal: [0, 0, 1]}\n");
    for (int i = 0; i < 24; i++)
      n += (size_t)snprintf(text + n, sizeof text - n, "  s%d: {type: %s, on: b%d}\n", i, shapes[i % 2][1], i);
    snprintf(
        text + n, sizeof text - n,
        "contacts: {all: {method: dvi, friction: 0.4}}\nanalysis: {type: dynamics, duration: 1, integrator: {type: "
        "symplectic-euler, step: 1e-3, contact_tolerance: 1e-5, contact_iterations: 20000, contact_solver: %s}}\n",
        solvers[k]);
    run r;
    double e[SN_ENERGIES], last = INFINITY;
    open_run(&r, text, NULL);
    for (int i = 1; i <= 40; i++) {
      advance(&r, 0.01 * i);
      sn_read(r.simulation, "energy", e, SN_ENERGIES);
      assert_below(e[SN_E_TOTAL], last + 1e-8, "energy grows, %s", solvers[k]);
      last = e[SN_E_TOTAL];
    }
    assert_below((double)r.simulation->system->statistics.contact.misses, 0.5, "steps missed by %s", solvers[k]);
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(thrown_block_stops), cmocka_unit_test(spinning_feet_stop),
                                     cmocka_unit_test(random_bodies_slide)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
