/* test_dvi.c - contact by complementarity against closed forms. */
#include "math/constants.h"
#include "support.h"

#define EULER(rest) "{type: symplectic-euler" rest "}"
#define DYNAMICS(duration, integrator) \
  "analysis: {type: dynamics, duration: " duration ", integrator: " integrator "}\n"

static void read_point(run *r, const char *name, double x[3]) {
  double value[16] = {0};
  assert_true(sn_read(r->simulation, name, value, 16) >= 3);
  memcpy(x, value, 3 * sizeof(double));
}

/* Total energy less all work done, relative to the start: 0 but for errors of the method. */
static double energy_error(run *r) {
  double e[SN_ENERGIES];
  assert_int_equal(sn_read(r->simulation, "energy", e, SN_ENERGIES), SN_ENERGIES);
  return e[SN_E_ERROR];
}

/* ---- a ball bounces to e^2 h ---- */

static const char ball[] =
    "sinew: 1\ngravity: [0, -9.81, 0]\n%s"
    "bodies: {ball: {type: rigid, position: [0, 1.1, 0], mass: 2, shape: {type: sphere, radius: 0.1}}}\n"
    "surfaces: {floor: {type: plane, normal: [0, 1, 0]}, skin: {type: sphere, on: ball}}\n"
    "contacts: {all: {method: dvi, restitution: %g}}\n"
    "outputs: {center: {point: ball.center}}\n" DYNAMICS("2", EULER(", step: 1e-4"));

static void ball_bounces(void **state) {
  (void)state;
  static const char *const worlds[] = {"", "planar: true\n"};
  for (int k = 0; k < 2; k++)
    for (double e = 0; e <= 1; e += 0.5) {
      char text[1024];
      run r;
      double x[3] = {0}, top = 0, fall = sqrt(2 / 9.81);
      snprintf(text, sizeof text, ball, worlds[k], e);
      open_run(&r, text, NULL);
      advance(&r, fall + 1e-3);
      double stop = fall + 1e-3 + 1.9 * e * fall + 2e-3;
      for (double t = fall + 1e-3; t < stop; t += 1e-3) {
        advance(&r, t);
        read_point(&r, "center", x);
        top = fmax(top, x[1] - 0.1);
      }
      /* first order: the last step before the impact is cut short by up to h v = 4.4e-4 m */
      assert_below(fabs(top - e * e), 2e-3, "bounce with e = %g, world %d, to %g", e, k, top);
      if (e == 1) assert_below(fabs(energy_error(&r)) / (2 * 9.81), 2e-3, "energy at e = 1");
      assert_below(fabs(x[0]) + fabs(x[2]), 1e-9, "sideways");
      close_run(&r);
    }
}

/* ---- a block on an incline: gravity is turned, not the floor ---- */

static const char block[] =
    "sinew: 1\nparameters: {slope: %.17g}\ngravity: [9.81*sin(slope), -9.81*cos(slope), 0]\n%s"
    "bodies: {block: {type: rigid, position: [0, 0.05, 0], mass: 3, shape: {type: box, size: [0.3, 0.1, 0.2]}}}\n"
    "surfaces: {floor: {type: plane, normal: [0, 1, 0]}, skin: {type: box, on: block}}\n"
    "contacts: {all: {method: dvi, friction: 0.4}}\n"
    "outputs: {center: {point: block.center}}\n" DYNAMICS("1", EULER(", step: 1e-3, contact_tolerance: 1e-9"));

typedef struct slip {
  double way, speed[2]; /* after 1 s; speeds at 0.5 s and 1 s */
} slip;

static slip slide(const char *world, double slope, run *r) {
  char text[1024];
  double x[6];
  slip s;
  snprintf(text, sizeof text, block, slope, world);
  open_run(r, text, NULL);
  for (int k = 0; k < 2; k++) {
    advance(r, 0.5 * (k + 1));
    assert_true(sn_read(r->simulation, "center", x, 6) >= 6);
    s.speed[k] = x[*world ? 2 : 3]; /* behind x, y, and z where there is one */
  }
  s.way = x[0];
  assert_below(fabs(x[1] - 0.05), 2e-3, "the block left the floor, or sank");
  return s;
}

/* The relaxed problem lets a sliding block float at h mu |v|, and its first step presses harder by a part mu^2 h of the
 * way; from then on the acceleration is exact. */
static void block_sticks_and_slides(void **state) {
  (void)state;
  static const char *const worlds[] = {"", "planar: true\n"};
  double angle = atan(0.4);
  for (int k = 0; k < 2; k++) {
    run r;
    slip rest = slide(worlds[k], 0.97 * angle, &r);
    assert_below(fabs(rest.way), 1e-8, "below the friction angle, world %d", k);
    close_run(&r);
    double slope = 1.3 * angle, a = 9.81 * (sin(slope) - 0.4 * cos(slope)), e[SN_ENERGIES];
    slip s = slide(worlds[k], slope, &r);
    assert_below(fabs((s.speed[1] - s.speed[0]) / 0.5 / a - 1), 1e-6, "sliding acceleration, world %d", k);
    assert_below(fabs(s.way / (a / 2) - 1), 1.01e-3, "way, world %d", k); /* a t (t + h)/2 */
    sn_read(r.simulation, "energy", e, SN_ENERGIES);
    double friction = -0.4 * 3 * 9.81 * cos(slope) * s.way;
    /* h v/2 of the way and the lift mu h a: 3 h of the work */
    assert_below(fabs(e[SN_E_FRICTION] / friction - 1), 4e-3, "friction work %g for %g", e[SN_E_FRICTION], friction);
    assert_below(fabs(e[SN_E_ERROR] / friction), 2e-3, "energy error %g J", e[SN_E_ERROR]);
    close_run(&r);
  }
}

/* ---- stacks rest ---- */

static void stack(const char *shape, const char *skin, double height, char *text, size_t size) {
  size_t n = (size_t)snprintf(text, size, "sinew: 1\ngravity: [0, -9.81, 0]\nbodies:\n");
  for (int i = 0; i < 10; i++)
    n += (size_t)snprintf(text + n, size - n, "  b%d: {type: rigid, position: [0, %g, 0], mass: 1, shape: %s}\n", i,
                          height * (i + 0.5), shape);
  n += (size_t)snprintf(text + n, size - n, "surfaces:\n  floor: {type: plane, normal: [0, 1, 0]}\n");
  for (int i = 0; i < 10; i++) n += (size_t)snprintf(text + n, size - n, "  s%d: {type: %s, on: b%d}\n", i, skin, i);
  snprintf(
      text + n, size - n,
      "contacts: {all: {method: dvi, friction: 0.5}}\noutputs: {top: {point: b9.center}, low: {point: b0.center}}\n"
      "%s",
      DYNAMICS("1", EULER(", step: 1e-3, contact_tolerance: 1e-8, contact_iterations: 20000")));
}

static void stacks_rest(void **state) {
  (void)state;
  static const char *const shapes[][2] = {{"{type: sphere, radius: 0.05}", "sphere"},
                                          {"{type: box, size: [0.2, 0.1, 0.2]}", "box"}};
  for (int k = 0; k < 2; k++) {
    char text[4096];
    run r;
    double top[3], low[3];
    stack(shapes[k][0], shapes[k][1], 0.1, text, sizeof text);
    open_run(&r, text, NULL);
    advance(&r, 1);
    read_point(&r, "top", top);
    read_point(&r, "low", low);
    print_message("%s: top at %.9f, %.1f iterations a step, residual %.1e\n", shapes[k][1], top[1],
                  (double)r.simulation->system->statistics.contact.iterations / 1000,
                  r.simulation->system->statistics.contact.residual);
    assert_below(hypot(hypot(top[0], top[2]), top[1] - 0.95), 1e-5, "top of the stack of %s", shapes[k][1]);
    assert_below(hypot(hypot(low[0], low[2]), low[1] - 0.05), 1e-6, "foot of the stack of %s", shapes[k][1]);
    close_run(&r);
  }
}

/* ---- flexible bodies at rest: the floor carries the weight at all times ---- */

static void flexible_bodies_rest(void **state) {
  (void)state;
  static const struct {
    const char *name, *body, *skin, *law;
    double weight;
  } cases[] = {
      {"cable", "type: cable, from: [0, 0, 0.005], to: [0.5, 0, 0.005], elements: 8, section: round", "spheres", "",
       9.81e3 * SN_PI * 25e-6 * 0.5},
      {"cable, exact", "type: cable, from: [0, 0, 0.005], to: [0.5, 0, 0.005], elements: 8, section: round", "spheres",
       ", exact: true", 9.81e3 * SN_PI * 25e-6 * 0.5},
      {"plate",
       "type: plate, at: [0, 0, 0.005], along: [0.2, 0, 0], across: [0, 0.2, 0], elements: [2, 2], thickness: 0.01",
       "grid", "", 9.81e3 * 0.04 * 0.01},
  };
  for (size_t i = 0; i < SN_COUNT(cases); i++) {
    char text[1024];
    run r;
    snprintf(text, sizeof text,
             "sinew: 1\ngravity: [0, 0, -9.81]\nmaterials: {rubber: {density: 1000, young: 1e7, poisson: 0.3}}\n"
             "sections: {round: {type: circle, radius: 0.005}}\nbodies: {soft: {%s, material: rubber}}\n"
             "surfaces: {skin: {type: %s, on: soft}, floor: {type: plane, normal: [0, 0, 1]}}\n"
             "contacts: {touch: {method: dvi, friction: 0.3%s}}\noutputs: {floor: {contact: [soft]}}\n" DYNAMICS(
                 "0.2", EULER(", step: 5e-5")),
             cases[i].body, cases[i].skin, cases[i].law);
    open_run(&r, text, NULL);
    for (int k = 50; k <= 200; k++) {
      double force[8] = {0};
      advance(&r, 1e-3 * k);
      assert_true(sn_read(r.simulation, "floor", force, 8) >= 3);
      assert_below(fabs(force[2] / cases[i].weight - 1), 0.01, "force on a %s at rest, t = %g", cases[i].name,
                   1e-3 * k);
    }
    close_run(&r);
  }
}

/* ---- a block on a driven table: work of the driver ---- */

/* Over whole periods a driver does no work. The error is of first order in h and does not grow from period to period. */
static void driven_table_keeps_energy(void **state) {
  (void)state;
  static const char table[] =
      "sinew: 1\ngravity: [0, 0, -9.81]\nbodies: {block: {type: rigid, position: [0, 0, 0.05], mass: 1, shape: {type: "
      "box, size: [0.2, 0.1, 0.1]}}, table: {type: rigid, position: [0, 0, -0.05], mass: 50, shape: {type: box, size: "
      "[1, 1, 0.1]}}}\nsurfaces: {skin: {type: box, on: block}, top: {type: box, on: table}}\n"
      "joints: {rail: {type: prismatic, between: [ground, table.center], axis: [0, 0, 1]}, drive: {type: motion, "
      "joint: "
      "rail, translation: 0.005*(1 - cos(40*t))}}\ncontacts: {all: {method: dvi, friction: 0.2}}\n" DYNAMICS(
          "2", EULER(", step: 1e-3"));
  run r;
  double first = 0, late = 0; /* periods of 0.157 s */
  open_run(&r, table, NULL);
  for (int k = 1; k <= 320; k++) {
    double e[SN_ENERGIES];
    advance(&r, 5e-3 * k);
    assert_int_equal(sn_read(r.simulation, "energy", e, SN_ENERGIES), SN_ENERGIES);
    double *most = k <= 32 ? &first : k > 288 ? &late : NULL;
    if (most) *most = fmax(*most, fabs(e[SN_E_ERROR]));
  }
  /* m g h v/2 = 0.05 J with v = 0.2 m/s */
  assert_below(first, 0.1, "energy error in the first period");
  assert_below(late, 1.3 * first, "energy error in the tenth period");
  close_run(&r);
}

/* ---- overlaps of rigid bodies at rest: bounded by the residual E, -h E, for loose tolerances too ---- */

enum { EDGE = 4, BALLS = EDGE * EDGE * EDGE };

static char *box_of_balls(double tolerance) {
  char *text = NULL;
  size_t size = 0;
  uint64_t seed = 5;
  FILE *out = open_memstream(&text, &size);
  fprintf(out, "sinew: 1\ngravity: [0, -9.81, 0]\nbodies:\n");
  for (int i = 0; i < BALLS; i++)
    fprintf(out, "  b%d: {type: rigid, position: [%.6f, %.6f, %.6f], mass: 1, shape: {type: sphere, radius: 0.05}}\n",
            i, 0.05 * (1.04 * (2 * (i % EDGE) + 1) + 0.03 * noise(&seed)),
            0.05 * (1 + 2.1 * (double)(i / (EDGE * EDGE))),
            0.05 * (1.04 * (2 * (i / EDGE % EDGE) + 1) + 0.03 * noise(&seed)));
  fprintf(out, "surfaces:\n");
  for (int i = 0; i < BALLS; i++) fprintf(out, "  s%d: {type: sphere, on: b%d}\n", i, i);
  fprintf(
      out,
      "  floor: {type: plane, normal: [0, 1, 0]}\n  west: {type: plane, normal: [1, 0, 0]}\n"
      "  south: {type: plane, normal: [0, 0, 1]}\n  east: {type: plane, at: [0.416, 0, 0], normal: [-1, 0, 0]}\n"
      "  north: {type: plane, at: [0, 0, 0.416], normal: [0, 0, -1]}\n"
      "contacts: {all: {method: dvi, friction: 0.3, activation: 0.002}}\n"
      "analysis: {type: dynamics, duration: 1, integrator: {type: symplectic-euler, step: 1e-3, contact_limit: 100, "
      "contact_tolerance: %g}}\n",
      tolerance);
  fclose(out);
  return text;
}

/* The least distance of two balls or of a ball and the floor, less the radii, from positions alone. */
static double least_gap(const run *r) {
  double least = INFINITY;
  for (int i = 0; i < BALLS; i++) {
    const double *x = r->simulation->state.q + r->model->body[1 + i].first;
    least = fmin(least, x[1] - 0.05);
    for (int j = 0; j < i; j++) {
      const double *y = r->simulation->state.q + r->model->body[1 + j].first;
      least = fmin(least, sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2)) - 0.1);
    }
  }
  return least;
}

/* Where a contact slides, the residual is measured across the edge of the cone: along n it may be sqrt(1 + mu^2) E.
 * Balls that turn about each other in a step come apart, by (h u)^2/(4 R). */
static void overlaps_are_bounded(void **state) {
  (void)state;
  for (double tolerance = 1e-2; tolerance > 5e-4; tolerance /= 10) {
    run r;
    char *text = box_of_balls(tolerance);
    double least = 0;
    open_run(&r, text, NULL);
    free(text);
    for (double t = 0.5; t < 0.9; t += 1e-2) {
      advance(&r, t);
      least = fmin(least, least_gap(&r));
    }
    assert_below(-least, 1e-3 * tolerance * hypot(1, 0.3) + 1e-9, "overlap at a residual of %g m/s", tolerance);
    close_run(&r);
  }
}

/* ---- a driven pin in a slot ---- */

/* The impulses of both sides of a slot balance each other, so that any amount may be added to both without a motion. While
 * the pin touches neither, solutions take no iterations, and nothing is learned about the length of their steps; when it
 * meets a side, every problem must be solved nevertheless. One side alone carries, and the solution is known to exist. */
static void slots_are_solved(void **state) {
  (void)state;
  for (int acceleration = 8; acceleration <= 11; acceleration++) {
    run r;
    char text[2000];
    snprintf(text, sizeof text,
             "sinew: 1\nplanar: true\ngravity: [0, 0, 0]\nbodies:\n"
             "  wheel: {type: rigid, position: [0, 0, 0], mass: 0.5, inertia: [1e-3, 1e-3, 1e-3]}\n"
             "  pin: {type: rigid, position: [0, 0.05, 0], mass: 1, inertia: [1e-3, 1e-3, 1e-3]}\n"
             "joints:\n"
             "  arbor: {type: revolute, between: [ground, wheel.center]}\n"
             "  rail: {type: prismatic, between: ['ground.at(0, 0.05, 0)', pin.center], axis: [1, 0, 0]}\n"
             "  motor: {type: motion, joint: rail, translation: '%d*max(t - 0.2, 0)^2/2'}\n"
             "surfaces:\n"
             "  pin: {type: sphere, on: pin, radius: 0.01}\n"
             "  left: {type: box, on: wheel, size: [0.004, 0.06, 0.01], at: [-0.0121, 0.05, 0]}\n"
             "  right: {type: box, on: wheel, size: [0.004, 0.06, 0.01], at: [0.0121, 0.05, 0]}\n"
             "contacts: {slot: {between: [pin], against: [left, right], method: dvi}}\n"
             "outputs: {wheel: {joint: arbor}}\n" DYNAMICS("0.3", EULER(", step: 1e-4")),
             acceleration);
    open_run(&r, text, NULL);
    if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
    const sn_contact_statistics *count = &r.simulation->system->statistics.contact;
    assert_true(count->iterations > 0);
    assert_int_equal(count->misses, 0);
    assert_below(count->residual, 1e-6, "residual, %d m/s2", acceleration);
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball_bounces),
      cmocka_unit_test(block_sticks_and_slides),
      cmocka_unit_test(stacks_rest),
      cmocka_unit_test(flexible_bodies_rest),
      cmocka_unit_test(driven_table_keeps_energy),
      cmocka_unit_test(overlaps_are_bounded),
      cmocka_unit_test(slots_are_solved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
