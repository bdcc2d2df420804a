/* test_buckling.c - load factors of buckling against Euler's loads and other closed forms. */
#include "analysis/modes.h"
#include "support.h"

/* A column of length 1 along x, 5 x 5 mm; the unit of the load is Euler's, pi^2 EI/L^2. */
#define COLUMN(kind, joints, forces, analysis)                             \
  "sinew: 1\nparameters: {P: pi^2*2.1e11*6.25e-10/12}\n"                   \
  "materials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3}}\n"     \
  "sections: {square: {type: rectangle, width: 0.005, height: 0.005}}\n"   \
  "bodies: {bar: {" kind                                                   \
  ", from: [0, 0, 0], to: [1, 0, 0], material: steel, section: square}}\n" \
  "joints:\n" joints "forces: {" forces "}\nanalysis: " analysis "\n"
#define PUSH "load: {type: force, at: bar.end, force: [-P, 0, 0]}"
#define CLAMP "  a: {type: fixed, between: [ground, bar.start]}\n"
#define PIN "  a: {type: spherical, between: [ground, bar.start]}\n"
#define ON_AXIS                                                                                        \
  "  y: {type: motion, between: [\"ground.at(1, 0, 0)\", bar.end], axis: [0, 1, 0], translation: 0}\n" \
  "  z: {type: motion, between: [\"ground.at(1, 0, 0)\", bar.end], axis: [0, 0, 1], translation: 0}\n"
#define GUIDE "  b: {type: prismatic, between: [\"ground.at(1, 0, 0)\", bar.end], axis: [1, 0, 0]}\n"
#define AXIS "  y: {type: point-on-line, between: [\"ground.at(1, 0, 0)\", bar.end], axis: [1, 0, 0]}\n"
#define CABLE "type: cable, elements: 16"

static const sn_modes *finish(run *r, const char *text) {
  open_run(r, text, NULL);
  if (sn_run(r->simulation)) fail_msg("%s", sn_message(r->context));
  assert_non_null(r->simulation->modes);
  return r->simulation->modes;
}

/* Euler: 1/k^2 with the effective length k L; tan x = x gives k = pi/4.493409. The strain of the column at its load,
 * 2e-5 times the factor, is neglected in theory. */
static void euler_columns(void **state) {
  (void)state;
  static const struct {
    const char *name, *text;
    double factor;
  } cases[] = {
      {"clamped-free", COLUMN(CABLE, CLAMP, PUSH, "{type: buckling, count: 2}"), 0.25},
      {"pinned", COLUMN(CABLE, PIN ON_AXIS, PUSH, "{type: buckling, count: 2}"), 1},
      {"clamped-pinned", COLUMN(CABLE, CLAMP ON_AXIS, PUSH, "{type: buckling, count: 2}"), 2.04575},
      {"clamped", COLUMN(CABLE, CLAMP GUIDE, PUSH, "{type: buckling, count: 2}"), 4},
      {"clamped-free, lanczos", COLUMN(CABLE, CLAMP, PUSH, "{type: buckling, count: 2, method: lanczos}"), 0.25},
      {"clamped, lanczos", COLUMN(CABLE, CLAMP GUIDE, PUSH, "{type: buckling, count: 2, method: lanczos}"), 4},
      {"clamped-free beam", COLUMN("type: beam, elements: 16", CLAMP, PUSH, "{type: buckling, count: 2}"), 0.25},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    run r;
    const sn_modes *m = finish(&r, cases[i].text);
    assert_int_equal(m->count, 2);
    assert_string_equal(m->kind, "buckling");
    for (int k = 0; k < 2; k++) /* two directions */
      assert_below(fabs(m->factor[k] / cases[i].factor - 1), 1e-3, "%s column, mode %d: %g", cases[i].name, k + 1,
                   m->factor[k]);
    assert_int_equal(sn_judge(r.simulation, SN_OK).level, SN_GOOD);
    close_run(&r);
  }
}

/* Planar beams with the default mesh of 8 elements. With the strain of the chord, axial forces act between elements only:
 * too stiff by N l^2/(12 EI), which is (2 pi/8)^2/12 of a clamped column. */
static void planar_columns(void **state) {
  (void)state;
  static const struct {
    const char *name, *strain, *joints;
    double factor, off;
  } cases[] = {
      {"clamped-free", "mean", CLAMP, 0.25, 0},
      {"pinned", "mean", "  a: {type: revolute, between: [ground, bar.start]}\n" AXIS, 1, 0},
      {"clamped-pinned", "mean", CLAMP AXIS, 2.04575, 0},
      {"clamped", "mean", CLAMP GUIDE, 4, 0},
      {"clamped", "chord", CLAMP GUIDE, 4, PI * PI / 16 / 12},
  };
  for (size_t i = 0; i < SN_COUNT(cases); i++) {
    char text[2048];
    run r;
    snprintf(text, sizeof text,
             COLUMN("type: planar-beam, axial_strain: %s", "%s", PUSH, "{type: buckling, count: 1}\nplanar: true"),
             cases[i].strain, cases[i].joints);
    const double factor = finish(&r, text)->factor[0] / cases[i].factor - 1;
    assert_below(fabs(factor - cases[i].off), cases[i].off > 0 ? 0.01 : 1e-3, "%s column, %s: %g", cases[i].name,
                 cases[i].strain, factor);
    close_run(&r);
  }
}

/* The shape of the clamped-free column is 1 - cos(pi x/2L). */
static void shape(void **state) {
  (void)state;
  run r;
  const sn_modes *m = finish(&r, COLUMN(CABLE, CLAMP, PUSH, "{type: buckling, count: 2}"));
  const double *u = m->shape; /* nodes of r, r' */
  double tip[2] = {u[16 * 6 + 1], u[16 * 6 + 2]}, size = hypot(tip[0], tip[1]);
  for (int i = 0; i <= 16; i++) {
    double w = (u[6 * i + 1] * tip[0] + u[6 * i + 2] * tip[1]) / size / size;
    assert_below(fabs(w - (1 - cos(PI / 2 * i / 16.0))), 1e-3, "node %d", i);
  }
  close_run(&r);
}

/* Greenhill: a clamped-free column buckles under its own weight at q L^3/EI = 7.8373. */
static void own_weight(void **state) {
  (void)state;
  run r;
  const sn_modes *m = finish(&r, COLUMN(CABLE, CLAMP, "", "{type: buckling, count: 2}\ngravity: [-9.81, 0, 0]"));
  assert_below(fabs(m->factor[0] * 7800 * 2.5e-5 * 9.81 / (2.1e11 * 6.25e-10 / 12) / 7.8373 - 1), 1e-3, "Greenhill");
  close_run(&r);
}

/* A rigid bar on a torsion spring c: P = c/L; in a later stage the loads act already, and the factor is the same. */
#define BAR(analysis)                                                                                  \
  "sinew: 1\nbodies: {bar: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.4, 0, 0]}}\n" \
  "joints: {pin: {type: revolute, between: [ground, \"bar.at(-0.4, 0, 0)\"], axis: [0, 0, 1]}}\n"      \
  "forces:\n  spring: {type: torsion-spring, joint: pin, stiffness: 40}\n"                             \
  "  load: {type: force, at: \"bar.at(0.4, 0, 0)\", force: [-20, 0, 0]}\nanalysis: " analysis "\n"
static void rigid_bar(void **state) {
  (void)state;
  static const char *const texts[] = {BAR("buckling"), BAR("[statics, buckling]")};
  for (int k = 0; k < 2; k++) {
    run r;
    const sn_modes *m = finish(&r, texts[k]);
    assert_int_equal(m->count, 1);
    assert_below(fabs(m->factor[0] - 40 / 0.8 / 20), 1e-7, "load factor");
    close_run(&r);
  }
}

/* Tension does not buckle; reversed it does. Followers make it doubtful: Beck's column flutters, and never buckles. */
static void says_so(void **state) {
  (void)state;
  run r;
  const sn_modes *m =
      finish(&r, COLUMN(CABLE, CLAMP, "load: {type: force, at: bar.end, force: [P, 0, 0]}", "buckling"));
  assert_int_equal(m->count, 0);
  assert_non_null(strstr(r.simulation->start.notes, "reversed, they buckle it at a load factor of -0.25"));
  close_run(&r);
  finish(&r,
         "sinew: 1\nmaterials: {m: {density: 1000, young: 2e9}}\nsections: {s: {type: rectangle, width: 0.01, height: "
         "0.01}}\nbodies:\n"
         "  beam: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 8, material: m, section: s}\n"
         "  tip: {type: rigid, mass: 0.1, inertia: [1e-4, 1e-4, 1e-4], position: [1, 0, 0]}\n"
         "joints:\n  clamp: {type: fixed, between: [ground, beam.start]}\n  hold: {type: fixed, between: [beam.end, "
         "tip.center]}\n"
         "forces: {push: {type: force, at: tip.center, force: [-5, 0, 0], follower: true}}\nanalysis: buckling\n");
  assert_int_equal(sn_judge(r.simulation, SN_OK).level, SN_DOUBTFUL);
  assert_non_null(strstr(sn_judge(r.simulation, SN_OK).reasons, "such a structure may not buckle"));
  close_run(&r);
  r = (run){.context = sn_context_create()};
  r.model = parse(r.context, COLUMN(CABLE, CLAMP, "", "buckling"));
  assert_int_equal(sn_simulation_create(r.model, NULL, &r.simulation), SN_OK);
  assert_int_equal(sn_run(r.simulation), SN_NUMERICS);
  assert_non_null(strstr(sn_message(r.context), "needs loads"));
  close_run(&r);
}

/* A strip on edge, clamped, with a force at its end, buckles sideways (Prandtl 1899) at
 *
 *     P L^2 = 4.0126 sqrt(EI GJ) / sqrt((1 - EI/EI1)(1 - GJ/EI1)),   EI the weak, EI1 the strong axis;
 *
 * the root is that of the strip that bends before (Reissner 1979). Linearized about the start some are at half of this. */
static void sideways(void **state) {
  (void)state;
  static const double size[][3] = {{0.1, 0.005, 1}, {0.03, 0.002, 2}, {0.06, 0.002, 0.6}, {0.05, 0.002, 2}};
  static const char *const methods[] = {"dense", "lanczos"};
  for (size_t i = 0; i < SN_COUNT(size); i++) {
    char text[1024];
    run r;
    const double h = size[i][0], b = size[i][1], L = size[i][2], E = 2.1e11, EI = E * h * b * b * b / 12;
    double series = 0;
    for (int k = 1; k < 40; k += 2) series += 64 / pow(PI * k, 5) * tanh(k * PI * h / (2 * b));
    const double GJ = E / 2.6 * h * b * b * b * (1.0 / 3 - b / h * series), EI1 = E * b * h * h * h / 12;
    const double P = 4.0126 * sqrt(EI * GJ) / (L * L) / sqrt((1 - EI / EI1) * (1 - GJ / EI1));
    snprintf(
        text, sizeof text,
        "sinew: 1\nmaterials: {m: {density: 7850, young: 2.1e11, poisson: 0.3}}\n"
        "sections: {s: {type: rectangle, width: %.10g, height: %.10g}}\n"
        "bodies: {strip: {type: beam, from: [0, 0, 0], to: [%.10g, 0, 0], elements: 16, material: m, section: s}}\n"
        "joints: {clamp: {type: fixed, between: [ground, strip.start]}}\n"
        "forces: {tip: {type: force, at: strip.end, force: [0, -1, 0]}}\n"
        "analysis: {type: buckling, count: 3, method: %s}\n",
        b, h, L, methods[i % 2]);
    const sn_modes *m = finish(&r, text);
    assert_below(fabs(m->factor[0] / P - 1), 3e-3, "strip %g x %g x %g: %g instead of %g", L, h, b, m->factor[0], P);
    assert_int_equal(sn_judge(r.simulation, SN_OK).level, SN_GOOD);
    close_run(&r);
  }
}

/* Limit points. A shallow truss (von Mises), whose first linearization is wrong by a factor; and a spring of force k (x -
 * x^2/2a), with its maximum k a/2 at x = a, where the linearization finds the stiffness gone at k a and nothing amiss. */
static void limits(void **state) {
  (void)state;
  static const double l0 = 1.0440306508910550; /* sqrt(1 + 0.3^2) */
  const double truss = 2e5 * pow(pow(l0, 2.0 / 3) - 1, 1.5);
  const struct {
    const char *name, *forces;
    double limit;
  } cases[] = {
      {"truss",
       "  a: {type: spring, between: [\"ground.at(-1, 0, 0)\", top], stiffness: 1e5}\n"
       "  b: {type: spring, between: [\"ground.at(1, 0, 0)\", top], stiffness: 1e5}\n"
       "  load: {type: force, at: top, force: [0, -1, 0]}\n",
       truss},
      {"spring",
       "  a: {type: spring, between: [\"ground.at(0, -1, 0)\", top], force: 1e3*stretch - 1e3*stretch^2/(2*0.1)}\n"
       "  load: {type: force, at: top, force: [0, 1, 0]}\n",
       50},
  };
  for (size_t i = 0; i < SN_COUNT(cases); i++) {
    char text[1024];
    run r;
    snprintf(text, sizeof text,
             "sinew: 1\nbodies: {top: {type: point-mass, mass: 1, position: [0, 0.3, 0]}}\n"
             "joints:\n  x: {type: motion, between: [ground, top], axis: [1, 0, 0], translation: 0}\n"
             "  z: {type: motion, between: [ground, top], axis: [0, 0, 1], translation: 0}\n"
             "forces:\n%sanalysis: buckling\n",
             cases[i].forces);
    const sn_modes *m = finish(&r, text);
    assert_int_equal(m->count, 1);
    assert_below(fabs(m->factor[0] / cases[i].limit - 1), 5e-3, "%s: %g instead of %g", cases[i].name, m->factor[0],
                 cases[i].limit);
    assert_int_equal(sn_judge(r.simulation, SN_OK).level, SN_GOOD);
    assert_non_null(strstr(r.simulation->start.notes, "its equilibrium was followed"));
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(euler_columns), cmocka_unit_test(planar_columns), cmocka_unit_test(shape),
      cmocka_unit_test(own_weight),    cmocka_unit_test(rigid_bar),      cmocka_unit_test(says_so),
      cmocka_unit_test(sideways),      cmocka_unit_test(limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
