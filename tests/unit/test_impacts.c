/* test_impacts.c - restitution by complementarity: energy at all phases of the step, rows of balls, no energy out of
 * nothing. */
#include "support.h"

static double energy_of(run *r) {
  double e[SN_ENERGIES];
  assert_int_equal(sn_read(r->simulation, "energy", e, SN_ENERGIES), SN_ENERGIES);
  return e[SN_E_TOTAL];
}

/* ---- a box lands nearly flat, e = 1, no friction ---- */

static const char box[] =
    "sinew: 1\ngravity: [0, 0, -9.81]\n"
    "bodies: {b: {type: rigid, position: [0, 0, %.17g], rotation: {axis: [1, %g, 0], angle: %g}, mass: 1, shape: "
    "{type: box, "
    "size: [0.2, 0.3, 0.1]}}}\n"
    "surfaces: {floor: {type: plane, normal: [0, 0, 1]}, skin: {type: box, on: b}}\n"
    "contacts: {all: {method: dvi, restitution: 1}}\n"
    "analysis: {type: dynamics, duration: 1, integrator: {type: symplectic-euler, step: %g, impact: %s, "
    "contact_tolerance: 1e-9}}\n";

/* Impacts come at the end of a step in place of their moment, and E swings by h/2 m g |v|: errors of first order, 1 %
 * at h = 1e-3 and a quarter of it at h/4; nothing else is lost, whatever the phase. */
static void flat_landing_keeps_energy(void **state) {
  (void)state;
  static const char *const law[] = {"simultaneous", "sequential"};
  for (int l = 0; l < 2; l++)
    for (int tilt = 0; tilt < 5; tilt++)
      for (int phase = 0; phase < 10; phase++)
        for (int fine = 0; fine < 2; fine++) {
          char text[1024];
          run r;
          double angle[] = {0, 1e-6, 1e-4, 3e-3, 0.05}, h = fine ? 2.5e-4 : 1e-3;
          snprintf(text, sizeof text, box, 0.1505 + 0.05 * tilt / 4 + 1e-4 * phase, 0.3 * tilt, angle[tilt], h, law[l]);
          open_run(&r, text, NULL);
          double start = energy_of(&r), worst = 0;
          for (int k = 1; k <= 50; k++) {
            advance(&r, 0.02 * k);
            worst = fmax(worst, fabs(energy_of(&r) - start));
          }
          assert_below(worst / start, fine ? 0.75e-2 : 3e-2, "%s, tilt %g, phase %d, h = %g: energy", law[l],
                       angle[tilt], phase, h);
          assert_int_equal(r.simulation->system->statistics.contact.impacts_left, 0);
          close_run(&r);
        }
}

/* ---- rows of balls ---- */

static void row_of_balls(const char *law, int count, double gap, double v[8]) {
  char text[4096];
  size_t n = (size_t)snprintf(text, sizeof text, "sinew: 1\ngravity: [0, 0, 0]\nbodies:\n");
  for (int i = 0; i < count; i++)
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "  b%d: {type: rigid, position: [%.17g, 0, 0], mass: 1, shape: {type: sphere, radius: 0.05}, "
                          "velocity: [%d, 0, 0]}\n",
                          i, i == 0 ? -0.15 : (0.1 + gap) * (i - 1), i == 0);
  n += (size_t)snprintf(text + n, sizeof text - n, "surfaces:\n");
  for (int i = 0; i < count; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "  s%d: {type: sphere, on: b%d}\n", i, i);
  snprintf(
      text + n, sizeof text - n,
      "contacts: {all: {method: dvi, restitution: 1}}\nanalysis: {type: dynamics, duration: 0.5, integrator: {type: "
      "symplectic-euler, step: 1e-3, contact_tolerance: 1e-9, impact: %s}}\n",
      law);
  run r;
  open_run(&r, text, NULL);
  advance(&r, 0.3);
  for (int i = 0; i < count; i++) v[i] = r.simulation->state.v[7 * i];
  close_run(&r);
}

static void balls_in_a_row(void **state) {
  (void)state;
  double v[8];
  row_of_balls("simultaneous", 3, 0, v); /* least kinetic norm with u1 = -e u0 at all contacts */
  const double together[] = {-1. / 3, 2. / 3, 2. / 3};
  assert_below(distance(v, together, 3), 1e-6, "simultaneous");
  for (int count = 3; count <= 6; count++) {
    double last[8] = {0};
    last[count - 1] = 1;
    row_of_balls("sequential", count, 0, v);
    assert_below(distance(v, last, count), 1e-6, "sequential, %d balls", count);
    /* with gaps the balls hit one after the other anyway */
    row_of_balls("simultaneous", count, 1e-4, v);
    assert_below(distance(v, last, count), 1e-6, "gaps, %d balls", count);
  }
}

/* ---- scenes at random: total energy never exceeds its start ---- */

static void add_body(char *text, size_t size, int i, uint64_t *seed, bool surfaces) {
  static const char *const shapes[] = {"box, size: [0.1, 0.07, 0.05]", "sphere, radius: 0.04",
                                       "cylinder, radius: 0.05, length: 0.06", "cylinder, radius: 0.03, length: 0.08"};
  static const char *const names[] = {"box", "sphere", "cylinder",
                                      "capsule, from: [-0.04, 0, 0], to: [0.04, 0, 0], radius: 0.03"};
  size_t n = strlen(text);
  if (surfaces) {
    snprintf(text + n, size - n, "  s%d: {type: %s, on: b%d}\n", i, names[i % 4], i);
    return;
  }
  snprintf(
      text + n, size - n,
      "  b%d: {type: rigid, position: [%g, %g, %g], rotation: {axis: [%g, %g, 1], angle: %g}, density: 1000, shape: "
      "{type: %s}, velocity: [%g, %g, %g], angular_velocity: [%g, %g, %g]}\n",
      i, 0.25 * (i % 3) + 0.02 * noise(seed), 0.25 * (i / 3 % 3) + 0.02 * noise(seed),
      0.15 + 0.2 * (i / 9) + 0.02 * noise(seed), noise(seed), noise(seed), 3 * noise(seed), shapes[i % 4], noise(seed),
      noise(seed), 2 * noise(seed), 9 * noise(seed), 9 * noise(seed), 9 * noise(seed));
}

/* Potential energy, and h/2 v.dV/dq of the method. */
static void random_scenes_gain_nothing(void **state) {
  (void)state;
  uint64_t seed = 5;
  static const double friction[] = {0, 0.2, 0.7}, restitution[] = {0, 0.5, 1};
  for (int scene = 0; scene < 18; scene++) {
    static char text[16384];
    double h = scene % 2 ? 1e-3 : 2.5e-4;
    int bodies = 4 + scene % 9;
    snprintf(text, sizeof text, "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n");
    for (int i = 0; i < bodies; i++) add_body(text, sizeof text, i, &seed, false);
    strcat(text, "surfaces:\n  floor: {type: plane, normal: [0, 0, 1]}\n");
    for (int i = 0; i < bodies; i++) add_body(text, sizeof text, i, &seed, true);
    size_t n = strlen(text);
    snprintf(text + n, sizeof text - n,
             "contacts: {all: {method: dvi, friction: %g, restitution: %g}}\nanalysis: {type: dynamics, duration: 1.5, "
             "integrator: {type: symplectic-euler, step: %g, impact: %s}}\n",
             friction[scene % 3], restitution[scene / 3 % 3], h, scene / 9 ? "sequential" : "simultaneous");
    run r;
    open_run(&r, text, NULL);
    double e[SN_ENERGIES], start = energy_of(&r), most = -INFINITY, mass = 0;
    sn_system *s = r.simulation->system;
    for (int i = 0; i < bodies; i++) mass += 0.35; /* an upper bound of the mean mass, kg */
    for (int k = 1; k <= 60; k++) {
      advance(&r, 0.025 * k);
      sn_read(r.simulation, "energy", e, SN_ENERGIES);
      double p[6];
      sn_system_momentum(s, &r.simulation->state, p);
      most = fmax(most, e[SN_E_TOTAL] - start - h / 2 * 9.81 * fmax(p[2], 0));
    }
    const sn_contact_statistics *c = &s->statistics.contact;
    print_message(
        "scene %d, %d bodies: %g J at the start, at most %+.2e, %.3g at the end; %ld impacts, %ld weakened, %ld "
        "left, %ld recoveries\n",
        scene, bodies, start, most, energy_of(&r), c->impacts, c->weakened, c->impacts_left, c->recoveries);
    assert_below(most, h * 9.81 * mass * 0.5, "scene %d gains energy", scene);
    if (restitution[scene / 3 % 3] < 1) assert_below(energy_of(&r), start, "scene %d does not lose any", scene);
    close_run(&r);
  }
}

/* ---- what stands comes to rest ---- */

static void cylinder_comes_to_rest(void **state) {
  (void)state;
  for (int k = 0; k < 8; k++) {
    char text[1024];
    run r;
    double tilt = 0.01 * (1 + k % 4), turn = 0.7 * k, e[SN_ENERGIES], last = INFINITY;
    snprintf(
        text, sizeof text,
        "sinew: 1\ngravity: [0, 0, -9.81]\nbodies: {b: {type: rigid, position: [0, 0, 0.056], rotation: {axis: [%g, "
        "%g, "
        "0], angle: %g}, mass: 1, inertia: [0.0033, 0.0033, 0.005]}}\n"
        "surfaces: {floor: {type: plane, normal: [0, 0, 1]}, skin: {type: cylinder, on: b, from: [0, 0, -0.05], to: "
        "[0, "
        "0, 0.05], radius: 0.1}}\n"
        "contacts: {all: {method: dvi, friction: 0.5}}\nanalysis: {type: dynamics, duration: 3, integrator: {type: "
        "symplectic-euler, step: 1e-3}}\n",
        cos(turn), sin(turn), tilt);
    open_run(&r, text, NULL);
    for (int i = 1; i <= 30; i++) {
      advance(&r, 0.1 * i);
      sn_read(r.simulation, "energy", e, SN_ENERGIES);
      assert_below(e[SN_E_TOTAL], last + 1e-6, "energy of a cylinder grows, tilt %g", tilt);
      last = e[SN_E_TOTAL];
    }
    assert_below(e[SN_E_KINETIC], 1e-9, "a cylinder does not come to rest, tilt %g", tilt);
    close_run(&r);
  }
}

/* ---- nothing thin is passed, however fast: 47 mm a step, a wall of 24 mm and of 2 mm ---- */

static void thin_walls_hold(void **state) {
  (void)state;
  static const char *const skins[] = {"sphere, radius: 0.02", "box, size: [0.04, 0.05, 0.06]",
                                      "cylinder, radius: 0.02, length: 0.05"};
  static const char *const names[] = {"sphere", "box", "cylinder"};
  for (int k = 0; k < 3; k++)
    for (int thin = 0; thin < 2; thin++)
      for (int phase = 0; phase < 6; phase++) {
        char text[1024];
        run r;
        snprintf(
            text, sizeof text,
            "sinew: 1\ngravity: [0, 0, 0]\nbodies: {b: {type: rigid, position: [%g, 0.01, 0.02], mass: 0.1, shape: "
            "{type: "
            "%s}, velocity: [47, 0, 0]}}\n"
            "surfaces: {wall: {type: box, size: [%g, 2, 2], at: [0.5, 0, 0]}, skin: {type: %s, on: b}}\n"
            "contacts: {all: {method: dvi, restitution: %g}}\nanalysis: {type: dynamics, duration: 0.05, integrator: "
            "{type: symplectic-euler, step: 1e-3}}\n",
            -0.3 - 0.0078 * phase, skins[k], thin ? 0.002 : 0.024, names[k], 0.5 * (phase % 2));
        open_run(&r, text, NULL);
        advance(&r, 0.05);
        assert_below(r.simulation->state.q[0], 0.5, "%s through a wall, phase %d", names[k], phase);
        if (phase % 2) assert_below(fabs(r.simulation->state.v[0] + 23.5), 8, "%s rebounds", names[k]);
        close_run(&r);
      }
}

/* ---- a ball with spin hits the floor ---- */

/* Impulses of a ball of radius R and inertia 2/5 m R^2 with the slip s = v_t + w x r: normal m (1 + e) |v_n|, friction
 * mu times that, or 2/7 m |s| if it sticks. They depend neither on the step nor on its phase. */
static void spinning_ball_rebounds(void **state) {
  (void)state;
  static const struct {
    double e, mu, v[3], w[3];
  } cases[] = {
      {0.8, 0.1, {2, 0, -1}, {0, 0, 0}}, {0.8, 0.6, {0.5, 0, -1}, {0, 0, 0}}, {1, 0.2, {1, 0.5, -2}, {5, -3, 7}}};
  static const char *const floors[] = {"type: plane, normal: [0, 0, 1]",
                                       "type: box, size: [9, 9, 1], at: [0, 0, -0.5]"};
  const double R = 0.05;
  for (int i = 0; i < 3 * 2 * 4; i++) {
    const double *v = cases[i % 3].v, *w = cases[i % 3].w, e = cases[i % 3].e;
    int shape = i / 3 % 2, phase = i / 6;
    char text[1024];
    run r;
    snprintf(
        text, sizeof text,
        "sinew: 1\ngravity: [0, 0, 0]\nbodies: {b: {type: rigid, position: [0, 0, %.17g], mass: 0.3, shape: {type: "
        "sphere, radius: %g}, velocity: [%g, %g, %g], angular_velocity: [%g, %g, %g]}}\nsurfaces: {skin: {type: "
        "sphere, on: b}, floor: {%s}}\ncontacts: {all: {method: dvi, friction: %g, restitution: %g}}\n"
        "outputs: {b: {point: b.center}}\n"
        "analysis: {type: dynamics, duration: 0.2, integrator: {type: symplectic-euler, step: 2e-3}}\n",
        0.1 + 0.0007 * phase, R, v[0], v[1], v[2], w[0], w[1], w[2], floors[shape], cases[i % 3].mu, e);
    double s[2] = {v[0] - w[1] * R, v[1] + w[0] * R}, slip = hypot(s[0], s[1]), x[9] = {0};
    double t = fmin(cases[i % 3].mu * (1 + e) * -v[2], 2.0 / 7 * slip) / slip;
    open_run(&r, text, NULL);
    advance(&r, 0.2);
    assert_true(sn_read(r.simulation, "b", x, 9) >= 6);
    assert_below(fabs(x[3] - v[0] + t * s[0]) + fabs(x[4] - v[1] + t * s[1]), 1e-5, "sideways, case %d", i);
    assert_below(fabs(x[5] + e * v[2]), 1e-5, "upward, case %d", i);
    close_run(&r);
  }
}

/* ---- edges and rims are sharp: the point of an impact is theirs ---- */

/* A solid of mass 1 tilted about y by a strikes at the lowest point of its outline (+-l/2, -r) in body axes, at the
 * distance x of its center. Without friction and spin, with the moment of inertia I about y, the impulse is
 * (1 + e) |v|/(1 + x^2/I). */
static void sharp_edges_strike(void **state) {
  (void)state;
  static const struct {
    const char *shape, *skin;
    double l, r, I;
  } solids[] = {{"cylinder, radius: 0.05, length: 0.12", "cylinder", 0.12, 0.05, (3 * 0.0025 + 0.0144) / 12},
                {"cylinder, radius: 0.1, length: 0.02", "cylinder", 0.02, 0.1, (3 * 0.01 + 0.0004) / 12},
                {"box, size: [0.12, 0.08, 0.1]", "box", 0.12, 0.05, (0.0144 + 0.01) / 12},
                {"convex, points: [[0.06, 0.04, 0.05], [0.06, 0.04, -0.05], [0.06, -0.04, 0.05], [0.06, -0.04, -0.05], "
                 "[-0.06, 0.04, 0.05], [-0.06, 0.04, -0.05], [-0.06, -0.04, 0.05], [-0.06, -0.04, -0.05]]",
                 "convex", 0.12, 0.05, (0.0144 + 0.01) / 12}};
  static const char *const floors[] = {
      "plane, normal: [0, 0, 1]", "box, size: [4, 4, 1], at: [0, 0, -0.5]",
      "cylinder, from: [0, 0, -1], to: [0, 0, 0], radius: 3",
      "convex, points: [[2, 2, 0], [-2, 2, 0], [2, -2, 0], [-2, -2, 0], [0, 0.1, -1], [0.1, 0, -1], [0, 0, -1]]"};
  for (size_t i = 0; i < SN_COUNT(solids) * SN_COUNT(floors); i++) {
    size_t k = i / SN_COUNT(floors);
    double a = 0.3, e = 0.5 * (double)(i % 3), l = solids[k].l, r = solids[k].r;
    double x = l / 2 * cos(a) - r * sin(a), z = l / 2 * sin(a) + r * cos(a), pz[9] = {0};
    char text[1500];
    run y;
    snprintf(text, sizeof text,
             "sinew: 1\ngravity: [0, 0, 0]\nbodies: {b: {type: rigid, position: [0, 0, %.17g], rotation: {axis: [0, 1, "
             "0], angle: %g}, mass: 1, velocity: [0, 0, -2], shape: {type: %s}}}\nsurfaces: {skin: {type: %s, on: b}, "
             "floor: {type: %s}}\ncontacts: {all: {method: dvi, restitution: %g}}\noutputs: {b: {point: b.center}}\n"
             "analysis: {type: dynamics, duration: 0.002, integrator: {type: symplectic-euler, step: 1e-5}}\n",
             z + 0.0013, a, solids[k].shape, solids[k].skin, floors[i % SN_COUNT(floors)], e);
    open_run(&y, text, NULL);
    advance(&y, 0.0015);
    assert_true(sn_read(y.simulation, "b", pz, 9) >= 6);
    double impulse = 2 * (1 + e) / (1 + x * x / solids[k].I);
    assert_below(fabs(pz[5] + 2 - impulse), 2e-3 * impulse, "%s on %s", solids[k].skin, floors[i % SN_COUNT(floors)]);
    close_run(&y);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flat_landing_keeps_energy),  cmocka_unit_test(balls_in_a_row),
      cmocka_unit_test(random_scenes_gain_nothing), cmocka_unit_test(thin_walls_hold),
      cmocka_unit_test(cylinder_comes_to_rest),     cmocka_unit_test(spinning_ball_rebounds),
      cmocka_unit_test(sharp_edges_strike)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
