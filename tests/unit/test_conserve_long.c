/* test_conserve_long.c - gssss with conserve: energy-momentum over 10,000 steps of 1 ms.
 *
 * Energy relative to the largest kinetic energy, momentum to what there is of it; positions at what Newton leaves.
 */
#include "support.h"

#define STEP 1e-3
enum { STEPS = 10000 };

typedef struct flight {
  const char *name, *model; /* file, or text */
  bool free;                /* no forces from outside: momentum is kept */
} flight;

#define HEAD "sinew: 1\ngravity: [0, -9.81, 0]\n"
#define WEIGHTLESS "sinew: 1\ngravity: [0, 0, 0]\n"
#define CHAIN(spin)                                                                                                   \
  "bodies:\n"                                                                                                         \
  "  a: {type: rigid, from: [0, 0, 0], to: [0.6, 0, 0.3], mass: 1.5, shape: {type: box, size: [0.6, 0.2, 0.1]}" spin  \
  "}\n"                                                                                                               \
  "  b: {type: rigid, from: [0.6, 0, 0.3], to: [1.1, 0.4, 0], mass: 1, shape: {type: box, size: [0.5, 0.1, 0.2]}}\n"  \
  "  c: {type: rigid, from: [1.1, 0.4, 0], to: [1.5, 0.4, 0.3], mass: 1, inertia: [0.02, 0.03, 0.04, 0.005, 0, 0]}\n" \
  "joints:\n"                                                                                                         \
  "  hinge: {type: revolute, between: [a.end, b.start], axis: [1, 0, 1]}\n"                                           \
  "  ball: {type: spherical, between: [b.end, c.start]}\n"

static const flight flights[] = {
    {"B1, flexible pendulum", "models/pendulum.yaml", false},
    {"A7, rigid pendulum", "models/rigid-pendulum.yaml", false},
    {"A7, rigid double pendulum", "models/rigid-double-pendulum.yaml", false},
    {"chain in space, hanging", HEAD CHAIN("") "  pin: {type: spherical, between: [ground, a.start]}\n", false},
    {"chain in space, flying", WEIGHTLESS CHAIN(", angular_velocity: [1, 3, 2], velocity: [1, 0.5, 0]"), true},
    {"cable with a ball on a spring, flying",
     WEIGHTLESS
     "materials: {soft: {density: 1200, young: 4e5}}\n"
     "sections: {thick: {type: rectangle, width: 0.05, height: 0.05}}\n"
     "bodies:\n"
     "  cable: {type: cable, from: [0, 0, 0], via: [0.5, 0.2, 0.3], to: [1, 0, 0.2], elements: 6, material: soft,\n"
     "    section: thick, angular_velocity: [1, 3, 5], velocity: [1, 0.3, 0]}\n"
     "  ball: {type: point-mass, mass: 1, position: [0, 1, 0], velocity: [0, 0, 3]}\n"
     "forces: {spring: {type: spring, between: [cable.start, ball], stiffness: 300}}\n",
     true},
};

static void test_flight(void **state) {
  const flight *it = *state;
  run r;
  double p0[6], p[6], phi[100], e0 = 0, most = 0, energy = 0, momentum = 0, position = 0;
  sn_options options = {.integrator = "{type: gssss, conserve: energy-momentum}", .step = STEP, .until = STEPS * STEP};
  open_run(&r, it->model, &options);
  assert_true(r.model->m <= 100);
  for (int k = 0; k <= STEPS; k++) {
    const sn_state *x = &r.simulation->state;
    sn_energy e;
    if (k > 0 && sn_step(r.simulation)) fail_msg("%s", sn_message(r.context));
    sn_system_energy(r.simulation->system, x, &e);
    sn_system_momentum(r.simulation->system, x, p);
    sn_system_position(r.simulation->system, x, phi);
    double total = e.kinetic + e.strain + e.gravity + e.spring;
    if (k == 0) {
      e0 = total;
      memcpy(p0, p, sizeof p);
    }
    most = fmax(most, e.kinetic);
    energy = fmax(energy, fabs(total - e0));
    momentum = fmax(momentum, distance(p, p0, 6) / largest(p, 6));
    position = fmax(position, largest(phi, r.model->m));
  }
  assert_int_equal(r.simulation->system->count->steps, STEPS);
  print_message("           energy %.1e, momentum %.1e, constraints %.1e\n", energy / most, it->free ? momentum : 0,
                position);
  assert_below(energy / most, 1e-10, "%s: energy", it->name);
  if (it->free) assert_below(momentum, 1e-10, "%s: momentum", it->name);
  assert_below(position, 1e-13, "%s: constraints", it->name);
  close_run(&r);
}

int main(void) {
  enum { COUNT = SN_COUNT(flights) };
  struct CMUnitTest tests[COUNT];
  for (int i = 0; i < COUNT; i++) {
    void *it = (void *)(uintptr_t)&flights[i]; /* cmocka's states may be written to; these are only read */
    tests[i] = (struct CMUnitTest){.name = flights[i].name, .test_func = test_flight, .initial_state = it};
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}
