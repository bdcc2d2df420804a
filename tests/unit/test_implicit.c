/* test_implicit.c - symplectic Euler with `elastic: implicit`: whatever the step and the body, what is damped is lost
 * and nothing is gained. */
#include "support.h"

#define HEAD                                                                                      \
  "sinew: 1\ngravity: [0, -9.81, 0]\nmaterials: {m: {density: 7800, young: 2e9, poisson: 0.3}}\n" \
  "sections: {s: {type: circle, radius: 0.01}, r: {type: rectangle, width: 0.02, height: 0.01}}\n"

/* stable: no frequency limits the step; where sections turn and strain much within a step, the run may end with a
 * message above this one. */
static const struct {
  const char *name, *text;
  double stable;
} models[] = {
    {"straight cable",
     "bodies: {a: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 16, material: m, section: s}}\n"
     "joints: {pin: {type: spherical, between: [ground, a.start]}}\n",
     INFINITY},
    {"curved cable, scalar",
     "bodies: {a: {type: cable, from: [0, 0, 0], via: [0.5, 0.2, 0.1], to: [1, 0, 0], elements: "
     "16, material: m, section: s, bending: scalar}}\n"
     "joints: {pin: {type: spherical, between: [ground, a.start]}}\n",
     INFINITY},
    {"curved cable, planar",
     "bodies: {a: {type: cable, from: [0, 0, 0], via: [0.5, 0.2, 0.1], to: [1, 0, 0], elements: "
     "16, material: m, section: s, bending: planar}}\n"
     "joints: {pin: {type: spherical, between: [ground, a.start]}}\n",
     INFINITY},
    {"half ring, scalar",
     "bodies: {a: {type: cable, from: [0, 0, 0], via: [0.3, 0.3, 0], to: [0.6, 0, 0], elements: 20, "
     "material: m, section: s, bending: scalar}}\n"
     "joints: {pin: {type: spherical, between: [ground, a.start]}}\n",
     INFINITY},
    {"compressed cable",
     "bodies: {a: {type: cable, from: [0, 0, 0], to: [0.01, 1, 0], elements: 10, material: m, section: s}}\n"
     "joints: {pin: {type: fixed, between: [ground, a.start]}}\n"
     "forces: {push: {type: force, at: a.end, force: [0, -40, 0]}}\n",
     INFINITY},
    {"beam",
     "bodies: {a: {type: beam, from: [0, 0, 0], to: [1, 0, 0], elements: 6, material: m, section: r}}\n"
     "joints: {pin: {type: spherical, between: [ground, a.start]}}\n",
     1e-3},
    {"plate",
     "bodies: {a: {type: plate, at: [0, 0, 0], along: [0.6, 0, 0], across: [0, 0, 0.4], elements: [4, 3], "
     "thickness: 0.01, material: m}}\n"
     "joints: {pin: {type: spherical, between: [ground, \"a.at(0, 0)\"]}}\n",
     INFINITY},
    {"compressed spring",
     "bodies: {a: {type: rigid, position: [0, 0.5, 0], mass: 1, inertia: [0.01, 0.02, 0.02], "
     "angular_velocity: [3, 2, 1]}}\n"
     "forces: {s: {type: spring, between: [\"ground.at(0, 0, 0)\", a.center], stiffness: 1e6, length: 0.5}}\n",
     INFINITY},
};

/* Energy left after all work: the total less what forces and drivers brought. Nothing but the damping of the method
 * takes from it, so that it never exceeds its start. */
static void energy_is_never_gained(void **state) {
  (void)state;
  for (size_t m = 0; m < SN_COUNT(models); m++)
    for (double h = 5e-4; h < 5e-3; h *= 2.8)
      for (int k = 0; k < 2; k++) {
        char text[2048];
        run r;
        double e[SN_ENERGIES], most = -INFINITY, kinetic = 0;
        snprintf(
            text, sizeof text,
            "%s%sanalysis: {type: dynamics, duration: 1.5, integrator: {type: symplectic-euler, step: %g, elastic: "
            "implicit, rho: %g}}\n",
            HEAD, models[m].text, h, 0.5 * k);
        open_run(&r, text, NULL);
        bool failed = false;
        for (int i = 1; i <= 50; i++) {
          failed = sn_advance(r.simulation, 0.03 * i) != SN_OK;
          if (failed) break;
          sn_read(r.simulation, "energy", e, SN_ENERGIES);
          most = fmax(most, e[SN_E_ERROR]);
          kinetic = fmax(kinetic, e[SN_E_KINETIC]);
        }
        if (failed) {
          print_message("%s, h = %g, rho = %g: %s\n", models[m].name, h, 0.5 * k, sn_message(r.context));
          assert_true(h > models[m].stable);
          close_run(&r);
          continue;
        }
        print_message("%s, h = %g, rho = %g: error up to %.2e, at the end %.2e J, kinetic energy up to %.2e J\n",
                      models[m].name, h, 0.5 * k, most, e[SN_E_ERROR], kinetic);
        assert_below(most, 1e-3 * kinetic, "%s gains energy at h = %g, rho = %g", models[m].name, h, 0.5 * k);
        close_run(&r);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(energy_is_never_gained)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
