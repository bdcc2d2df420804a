/* test_implicit_slow.c - symplectic Euler with `elastic: implicit` and with implicit damping: whatever the step and the
 * body, what is damped is lost and nothing is gained; and short steps come to what another method has. */
#include <math.h>

#include "support.h"

#define HEAD                                                                                                      \
  "sinew: 1\ngravity: [0, -9.81, 0]\nmaterials: {m: {density: 7800, young: 2e9, poisson: 0.3}, steel: {density: " \
  "7800, young: 2e11, poisson: 0.3}}\n"                                                                           \
  "sections: {s: {type: circle, radius: 0.01}, r: {type: rectangle, width: 0.02, height: 0.01}}\n"
#define PIN "joints: {pin: {type: spherical, between: [ground, a.start]}}\n"
#define RING "type: cable, from: [0, 0, 0], via: [0.3, 0.3, 0], to: [0.6, 0, 0], elements: 20, material: m, section: s"
#define CURVED \
  "type: cable, from: [0, 0, 0], via: [0.5, 0.2, 0.1], to: [1, 0, 0], elements: 16, material: m, section: s"
#define LINE "from: [0, 0, 0], to: [1, 0, 0], elements: 6, material: m, section: r"

static const struct {
  const char *name, *text;
} models[] = {
    {"straight cable",
     "bodies: {a: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 16, material: m, section: s}}\n" PIN},
    {"curved cable", "bodies: {a: {" CURVED "}}\n" PIN},
    {"curved cable, scalar", "bodies: {a: {" CURVED ", bending: scalar}}\n" PIN},
    {"curved cable, planar", "bodies: {a: {" CURVED ", bending: planar}}\n" PIN},
    {"half ring", "bodies: {a: {" RING "}}\n" PIN},
    {"damped half ring", "bodies: {a: {" RING ", bending: scalar, stiffness_damping: 0.01, mass_damping: 0.5}}\n" PIN},
    {"compressed cable",
     "bodies: {a: {type: cable, from: [0, 0, 0], to: [0.01, 1, 0], elements: 10, material: m, section: s}}\n"
     "joints: {pin: {type: fixed, between: [ground, a.start]}}\n"
     "forces: {push: {type: force, at: a.end, force: [0, -40, 0]}}\n"},
    {"beam", "bodies: {a: {type: beam, " LINE "}}\n" PIN},
    {"spinning beam", "bodies: {a: {type: beam, " LINE ", angular_velocity: [3, 5, 20]}}\n"},
    {"damped beam", "bodies: {a: {type: beam, " LINE ", stiffness_damping: 0.01}}\n" PIN},
    {"beam in the plane",
     "planar: true\nbodies: {a: {type: beam2d, " LINE "}}\njoints: {pin: {type: revolute, between: [ground, "
     "a.start]}}\n"},
    {"planar beam",
     "planar: true\nbodies: {a: {type: planar-beam, " LINE "}}\njoints: {pin: {type: revolute, between: [ground, "
     "a.start]}}\n"},
    {"plate",
     "bodies: {a: {type: plate, at: [0, 0, 0], along: [0.6, 0, 0], across: [0, 0, 0.4], elements: [4, 3], "
     "thickness: 0.01, material: m}}\njoints: {pin: {type: spherical, between: [ground, \"a.at(0, 0)\"]}}\n"},
    {"floating body",
     "bodies: {a: {type: floating, from: [0, 0, 0], to: [1, 0, 0], elements: 4, material: steel, section: r}}\n" PIN},
    {"compressed spring",
     "bodies: {a: {type: rigid, position: [0, 0.5, 0], mass: 1, inertia: [0.01, 0.02, 0.02], "
     "angular_velocity: [3, 2, 1]}}\n"
     "forces: {s: {type: spring, between: [\"ground.at(0, 0, 0)\", a.center], stiffness: 1e6, length: 0.5}}\n"},
};

/* The energy there is, less what forces have brought. Damping takes from it, that of the method and that of bodies, and
 * nothing gives, so that it exceeds its start by no more than a step's own swing, h/2 v.f (rho = 1: and by what the
 * balance of the method lets pass before it cuts). No step is refused. */
static void energy_is_never_gained(void **state) {
  (void)state;
  static const double steps[] = {1e-3, 3e-3, 1e-2}, rho[] = {0, 0.5, 1};
  for (size_t m = 0; m < SN_COUNT(models); m++)
    for (size_t k = 0; k < SN_COUNT(steps); k++)
      for (size_t j = 0; j < SN_COUNT(rho); j++) {
        char text[2048];
        run r;
        double e[SN_ENERGIES], most = -INFINITY, kinetic = 0, start = 0;
        snprintf(text, sizeof text,
                 "%s%sanalysis: {type: dynamics, duration: 0.9, integrator: {type: symplectic-euler, step: %g, "
                 "elastic: implicit, rho: %g}}\n",
                 HEAD, models[m].text, steps[k], rho[j]);
        open_run(&r, text, NULL);
        for (int i = 0; i <= 30; i++) {
          if (i > 0) advance(&r, 0.03 * i);
          sn_read(r.simulation, "energy", e, SN_ENERGIES);
          double left = e[SN_E_KINETIC] + e[SN_E_STRAIN] + e[SN_E_GRAVITY] + e[SN_E_SPRING] - e[SN_E_APPLIED];
          if (i == 0) start = left;
          most = fmax(most, left - start);
          kinetic = fmax(kinetic, e[SN_E_KINETIC]);
        }
        print_message("%s, h = %g, rho = %g: %.2e J gained, error at the end %.2e J, kinetic energy up to %.2e J\n",
                      models[m].name, steps[k], rho[j], most, e[SN_E_ERROR], kinetic);
        assert_below(most, (rho[j] < 1 ? 1e-3 : 0.15) * kinetic, "%s gains energy at h = %g, rho = %g", models[m].name,
                     steps[k], rho[j]);
        close_run(&r);
      }
}

/* ---- the motion ---- */

#define SOFT                                                                                                        \
  "sinew: 1\ngravity: [0, -9.81, 0]\nmaterials: {m: {density: 1000, young: 2e6, poisson: 0.3}, k: {density: 7800, " \
  "young: 2e10, poisson: 0.3}}\nsections: {s: {type: circle, radius: 0.01}, r: {type: rectangle, width: 0.02, "     \
  "height: "                                                                                                        \
  "0.02}}\n"
#define HELD "joints: {hold: {type: fixed, between: [ground, a.start]}}\noutputs: {x: {point: a.end}}\n"

/* rate: damping of the shape that is damped fastest, times the longest of the steps below, is beyond 2. */
static const struct {
  const char *name, *text;
} damped[] = {
    {"cable",
     "bodies: {a: {type: cable, from: [0, 0, 0], to: [0.5, 0, 0], elements: 8, material: m, section: s, "
     "stiffness_damping: 0.05}}\n" HELD},
    {"beam",
     "bodies: {a: {type: beam, from: [0, 0, 0], to: [0.5, 0, 0], elements: 4, material: m, section: r, "
     "stiffness_damping: 0.02}}\n" HELD},
    {"plate",
     "bodies: {a: {type: plate, at: [0, 0, 0], along: [0.5, 0, 0], across: [0, 0, 0.2], elements: [4, 2], thickness: "
     "0.02, material: m, stiffness_damping: 0.05}}\n"
     "joints: {p: {type: fixed, between: [ground, \"a.at(0, 0.5)\"]}}\noutputs: {x: {point: \"a.at(1, 0.5)\"}}\n"},
    {"floating body",
     "bodies: {a: {type: floating, from: [0, 0, 0], to: [1, 0, 0], elements: 2, material: k, section: r, "
     "stiffness_damping: 1e-3}}\njoints: {hold: {type: spherical, between: [ground, a.start]}}\noutputs: {x: {point: "
     "a.end}}\n"},
    {"spinning floating body",
     "bodies: {a: {type: floating, from: [0, 0, 0], to: [1, 0, 0], elements: 2, material: k, section: r, "
     "stiffness_damping: 1e-3, angular_velocity: [2, 3, 6]}}\noutputs: {x: {point: a.end}}\n"},
    {"dashpot",
     "bodies: {a: {type: rigid, position: [0.3, 0, 0], mass: 1, inertia: [0.01, 0.02, 0.02]}}\n"
     "forces: {s: {type: spring, between: [\"ground.at(0, 0, 0)\", a.center], stiffness: 100, length: 0.3, damping: "
     "1e5}}\noutputs: {x: {point: a.center}}\n"},
};

static void end_of(const char *text, const char *integrator, double x[3]) {
  char all[2048];
  run r;
  double value[9];
  snprintf(all, sizeof all, "%s%sanalysis: {type: dynamics, duration: 0.25, integrator: %s}\n", SOFT, text, integrator);
  open_run(&r, all, NULL);
  double e[SN_ENERGIES], last = INFINITY, kinetic = 0;
  for (int i = 1; i <= 25; i++) { /* T + U, which nothing but damping changes, never grows */
    advance(&r, 0.01 * i);
    sn_read(r.simulation, "energy", e, SN_ENERGIES);
    double sum = e[SN_E_KINETIC] + e[SN_E_STRAIN] + e[SN_E_GRAVITY] + e[SN_E_SPRING];
    kinetic = fmax(kinetic, e[SN_E_KINETIC]);
    assert_below(sum, last + 0.02 * kinetic, "%s: energy grows at %g s", integrator, 0.01 * i);
    last = sum;
  }
  sn_read(r.simulation, "x", value, 9);
  memcpy(x, value, 3 * sizeof *x);
  close_run(&r);
}

/* Against radau at 1e-8: the error is of the first order, for explicit and for implicit elastic forces. Dampers are
 * implicit in both: explicit ones of these rates are unstable with these steps. */
static void stiff_damping(void **state) {
  (void)state;
  for (size_t m = 0; m < SN_COUNT(damped); m++)
    for (int implicit = 0; implicit < 2; implicit++) {
      double exact[3], error[3];
      end_of(damped[m].text, "{type: radau, tolerance: 1e-8}", exact);
      double way = hypot(exact[1], 0.05);
      for (int k = 0; k < 3; k++) {
        char integrator[160];
        double x[3], h = 4e-4 / pow(2, k);
        snprintf(integrator, sizeof integrator, "{type: symplectic-euler, step: %g, elastic: %s}", h,
                 implicit ? "implicit" : "explicit");
        end_of(damped[m].text, integrator, x);
        error[k] = sqrt(pow(x[0] - exact[0], 2) + pow(x[1] - exact[1], 2) + pow(x[2] - exact[2], 2)) / way;
        print_message("damped %s, %s: error %.2e of its way\n", damped[m].name, integrator, error[k]);
      }
      assert_below(error[0], 0.02, "damped %s", damped[m].name);
      assert_below(error[2], 0.6 * error[0], "damped %s: order", damped[m].name);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(energy_is_never_gained), cmocka_unit_test(stiff_damping)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
