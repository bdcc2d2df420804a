/* test_modes.c - natural frequencies against Euler and Bernoulli and closed forms; the two methods against each other.
 */
#include "analysis/modes.h"
#include "support.h"

static void finish(run *r) {
  if (sn_run(r->simulation)) fail_msg("%s", sn_message(r->context));
}

/* Steel bar of length 1, 10 x 10 mm; unit of frequency sqrt(EI/(rho A L^4)). */
#define BAR(joints, analysis)                                                                            \
  "sinew: 1\nmaterials: {steel: {density: 7800, young: 2.1e11}}\n"                                       \
  "sections: {square: {type: rectangle, width: 0.01, height: 0.01}}\n"                                   \
  "bodies: {bar: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 10, material: steel, section: " \
  "square}}\n" joints "analysis: " analysis "\n"
#define UNIT (sqrt(2.1e11 * 1e-8 / 12 / (7800 * 1e-4)))

/* ---- B8: Euler-Bernoulli, x^2 of cos x cosh x = -1 (clamped), 1 (free), sin x = 0 (pinned) ---- */

static void beams(void **state) {
  (void)state;
  static const struct {
    const char *name, *text;
    int rigid;
    double x2[3]; /* each twice: two directions */
  } cases[] = {
      {"clamped",
       BAR("joints: {clamp: {type: fixed, between: [ground, bar.start]}}\n", "{type: modes, count: 12}"),
       0,
       {3.5160, 22.034, 61.697}},
      /* a cable has no twist: five ways to move as a whole */
      {"free", BAR("", "{type: modes, count: 12}"), 5, {22.373, 61.673, 120.90}},
      /* pinned at both ends, one of them free to slide: it can turn about its own axis only, which a cable does not
         show */
      {"pinned",
       BAR("joints:\n"
           "  a: {type: spherical, between: [ground, bar.start]}\n"
           "  y: {type: motion, between: [\"ground.at(1, 0, 0)\", bar.end], axis: [0, 1, 0], translation: 0}\n"
           "  z: {type: motion, between: [\"ground.at(1, 0, 0)\", bar.end], axis: [0, 0, 1], translation: 0}\n",
           "{type: modes, count: 12}"),
       0,
       {9.8696, 39.478, 88.826}},
  };
  for (int k = 0; k < 3; k++) {
    run r;
    open_run(&r, cases[k].text, NULL);
    finish(&r);
    const sn_modes *m = r.simulation->modes;
    assert_string_equal(m->method, "dense");
    assert_int_equal(m->rigid, cases[k].rigid);
    assert_int_equal(m->unstable, 0);
    for (int i = 0; i < 6; i++) {
      double w = sqrt(m->w2[m->rigid + i]), exact = cases[k].x2[i / 2] * UNIT;
      check_below(fabs(w / exact - 1), 0.005, __FILE__, __LINE__, "%s bar, 10 cables, mode %d", cases[k].name,
                  i / 2 + 1);
    }
    double hertz[1];
    assert_int_equal(sn_read(r.simulation, "modes", hertz, 1), 12);
    close_run(&r);
  }
}

/* Second method; and what both must satisfy: (K - w2 M) u + G'l = 0 is orthogonal to the other modes. */
static void two_methods_agree(void **state) {
  (void)state;
#define HELD \
  "joints: {a: {type: spherical, between: [ground, bar.start]}, b: {type: spherical, between: [ground, bar.end]}}\n"
  static const char *const texts[2][2] = {
      {BAR(HELD, "{type: modes, count: 10, method: dense}"), BAR(HELD, "{type: modes, count: 10, method: lanczos}")},
      {BAR("", "{type: modes, count: 10, method: dense}"), BAR("", "{type: modes, count: 10, method: lanczos}")},
  };
  for (int k = 0; k < 2; k++) {
    run dense, lanczos;
    open_run(&dense, texts[k][0], NULL);
    open_run(&lanczos, texts[k][1], NULL);
    finish(&dense);
    finish(&lanczos);
    const sn_modes *a = dense.simulation->modes, *b = lanczos.simulation->modes;
    assert_string_equal(b->method, "lanczos");
    assert_int_equal(a->rigid, b->rigid);
    for (int i = 0; i < 10; i++)
      check_below(fabs(a->w2[i] - b->w2[i]), 1e-8 * a->w2[9], __FILE__, __LINE__, "mode %d", i);
    int n = dense.model->n; /* the fifth and sixth span the same plane (two directions): compare by projection */
    sn_pencil *p = sn_pencil_at(lanczos.simulation, &lanczos.simulation->state);
    double *y = calloc((size_t)n, sizeof(double));
    int pair = a->rigid ? 5 : 0;
    for (int i = pair; i < pair + 2; i++) {
      sn_pencil_mass(p, b->shape + i * n, y);
      double c = inner(a->shape + pair * n, y, n), s = inner(a->shape + (pair + 1) * n, y, n);
      check_below(fabs(c * c + s * s - 1), 1e-6, __FILE__, __LINE__, "shapes span the same plane");
    }
    free(y);
    close_run(&dense);
    close_run(&lanczos);
  }
}

/* Large enough for Lanczos by itself; the mesh error is gone (Euler-Bernoulli, 1e-4 for the slenderness of the bar). */
static void large_model(void **state) {
  (void)state;
  run r;
  static const double x2[] = {3.5160153, 22.034492, 61.697214};
  *(&r) = (run){.context = sn_context_create()};
  const char *set = "n=300";
  if (sn_model_load(r.context, "models/cantilever-modes.yaml", &set, 1, &r.model))
    fail_msg("%s", sn_message(r.context));
  if (sn_simulation_create(r.model, NULL, &r.simulation)) fail_msg("%s", sn_message(r.context));
  finish(&r);
  const sn_modes *m = r.simulation->modes;
  assert_string_equal(m->method, "lanczos");
  for (int i = 0; i < 6; i++)
    check_below(fabs(sqrt(m->w2[i]) / (x2[i / 2] * UNIT) - 1), 1e-4, __FILE__, __LINE__, "mode %d", i);
  close_run(&r);
}

/* ---- rigid ---- */

#define PENDULUM(gravity)                                                                       \
  "sinew: 1\ngravity: " gravity                                                                 \
  "\n"                                                                                          \
  "bodies: {bar: {type: rigid, mass: 2, inertia: [0.49, 0.02, 0.5], position: [0, -0.7, 0]}}\n" \
  "joints: {pin: {type: revolute, between: [\"ground.at(0, 0, 0)\", bar], axis: [0, 0, 1]}}\n"  \
  "analysis: modes\n"

/* Analytic: w2 = m g s/(J + m s^2); hanging; upside down it is a growth; without gravity zero. */
static void rigid_pendulum(void **state) {
  (void)state;
  static const char *const texts[] = {PENDULUM("[0, -9.81, 0]"), PENDULUM("[0, 9.81, 0]"), PENDULUM("[0, 0, 0]")};
  double exact = 2 * 9.81 * 0.7 / (0.5 + 2 * 0.49);
  for (int k = 0; k < 3; k++) {
    run r;
    open_run(&r, texts[k], NULL);
    finish(&r);
    const sn_modes *m = r.simulation->modes;
    assert_int_equal(m->count, 1);
    assert_int_equal(m->rigid, k == 2);
    assert_int_equal(m->unstable, k == 1);
    check_below(fabs(m->w2[0] - (k == 0 ? exact : k == 1 ? -exact : 0)), 1e-10 * exact, __FILE__, __LINE__, "w2");
    close_run(&r);
  }
}

/* Analytic, Rayleigh: an axial force N raises the first frequency of a pinned beam, w2 = w0^2 (1 + N L^2/(pi^2 EI)),
 * exact for the pinned beam. Modes follow a static stage. */
static void stressed_by_a_static_stage(void **state) {
  (void)state;
  run r;
  double N = 200, EI = 2.1e11 * 1e-8 / 12, w0 = PI * PI * UNIT;
  open_run(&r,
           BAR("joints:\n"
               "  a: {type: spherical, between: [ground, bar.start]}\n"
               "  y: {type: motion, between: [\"ground.at(1, 0, 0)\", bar.end], axis: [0, 1, 0], translation: 0}\n"
               "  z: {type: motion, between: [\"ground.at(1, 0, 0)\", bar.end], axis: [0, 0, 1], translation: 0}\n"
               "forces: {pull: {type: force, at: bar.end, force: [200, 0, 0]}}\n",
               "[{type: modes, count: 2}, statics, {type: modes, count: 2}]"),
           NULL);
  finish(&r);
  const sn_modes *after = r.simulation->modes, *before = after->next;
  assert_non_null(before);
  assert_int_equal(before->stage, 0);
  assert_int_equal(after->stage, 2);
  check_below(fabs(before->w2[0] / (w0 * w0) - 1), 1e-3, __FILE__, __LINE__, "without force");
  check_below(fabs(after->w2[0] / (w0 * w0 * (1 + N / (PI * PI * EI))) - 1), 1e-3, __FILE__, __LINE__, "under tension");
  close_run(&r);
}

/* ---- free bodies ---- */

/* Six ways to move as a rigid body, none of them unstable, whatever the mesh and however thin. */
static void free_plates(void **state) {
  (void)state;
  static const double thickness[] = {0.1, 0.01, 1e-3, 1e-4}, side[] = {1, 0.3};
  static const int elements[] = {2, 5, 6, 9, 10};
  for (int i = 0; i < 4 * 2 * 5; i++) {
    run r;
    char text[500];
    double h = thickness[i % 4], a = side[i / 4 % 2];
    int n = elements[i / 8];
    snprintf(text, sizeof text,
             "sinew: 1\nmaterials: {m: {density: 2700, young: 7e10, poisson: 0.3}}\n"
             "bodies: {p: {type: plate, along: [%g, 0, 0], across: [0, 1, 0], elements: [%d, %d], thickness: %g,\n"
             "  material: m}}\nanalysis: {type: modes, count: 8}\n",
             a, n, n, h);
    open_run(&r, text, NULL);
    if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
    const sn_modes *m = r.simulation->modes;
    if (m->rigid != 6 || m->unstable != 0)
      fail_msg("%g x 1 x %g m, %d elements: %d rigid, %d unstable", a, h, n, m->rigid, m->unstable);
    close_run(&r);
  }
}

/* The same of beams in a floating frame with a mass at each end. */
static void free_frames(void **state) {
  (void)state;
  static const double height[] = {0.1, 0.02, 0.002};
  for (int i = 0; i < 2 * 3 * 7; i++) {
    run r;
    char text[700];
    const int n = 2 + 2 * (i / 6);
    snprintf(
        text, sizeof text,
        "sinew: 1\nmaterials: {m: {density: 2700, young: 7e10, poisson: 0.3}}\n"
        "sections: {s: {type: rectangle, width: 0.02, height: %g}}\nbodies:\n"
        "  b: {type: floating, from: [0, 0, 0], to: [2, 0, 0], elements: %d, material: m, section: s, reference: %s}\n"
        "  p: {type: point-mass, mass: 1, position: [0, 0, 0]}\n  q: {type: point-mass, mass: 1, position: [2, 0, "
        "0]}\njoints: {p: {type: spherical, between: [b.start, p]}, q: {type: spherical, between: [b.end, q]}}\n"
        "analysis: {type: modes, count: 8}\n",
        height[i / 2 % 3], n, i % 2 ? "tangent" : "simply-supported");
    open_run(&r, text, NULL);
    finish(&r);
    const sn_modes *m = r.simulation->modes;
    if (m->rigid != 6 || m->unstable != 0)
      fail_msg("height %g, %d elements: %d rigid, %d unstable", height[i / 2 % 3], n, m->rigid, m->unstable);
    close_run(&r);
  }
}

/* Rayleigh: with D = a M + b K every mode has zeta = a/(2 w) + b w/2, by both methods; and a mass on a spring-damper has c/(2
 * sqrt(k m)), its two other ways to move none. */
static void damping_ratios(void **state) {
  (void)state;
  static const char *const method[] = {"dense", "lanczos"};
  for (int k = 0; k < 2; k++) {
    char text[700];
    run r;
    snprintf(
        text, sizeof text,
        "sinew: 1\nmaterials: {steel: {density: 7800, young: 2.1e11}}\n"
        "sections: {square: {type: rectangle, width: 0.01, height: 0.01}}\n"
        "bodies: {bar: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 10, material: steel, section: square, "
        "mass_damping: 3, stiffness_damping: 2e-5}}\njoints: {clamp: {type: fixed, between: [ground, bar.start]}}\n"
        "analysis: {type: modes, count: 8, method: %s}\n",
        method[k]);
    open_run(&r, text, NULL);
    finish(&r);
    const sn_modes *m = r.simulation->modes;
    for (int i = 0; i < 8; i++) {
      double w = sqrt(m->w2[i]), zeta = 3 / (2 * w) + 2e-5 * w / 2;
      assert_below(fabs(m->damping[i] / zeta - 1), 1e-6, "%s, mode %d: %g", method[k], i + 1, m->damping[i]);
    }
    close_run(&r);
  }
  run r;
  open_run(&r,
           "sinew: 1\nbodies: {a: {type: point-mass, mass: 2, position: [1, 0, 0]}}\n"
           "forces: {s: {type: spring, between: ['ground.at(0, 0, 0)', a], stiffness: 50, damping: 3, length: 1}}\n"
           "analysis: {type: modes, count: 3}\n",
           NULL);
  finish(&r);
  const sn_modes *m = r.simulation->modes;
  assert_int_equal(m->rigid, 2);
  assert_true(isnan(m->damping[0]) && isnan(m->damping[1]));
  assert_below(fabs(m->damping[2] - 3 / (2 * sqrt(50.0 * 2))), 1e-12, "spring-damper");
  close_run(&r);
}

/* A clamped bar of rubber, 3.5160 by Euler and Bernoulli: with 1,000 elements the frequency is right, with 5,000 it is
 * below rounding, and the word is no longer good. What is free has zeros and nothing near them. */
static void lost_in_rounding(void **state) {
  (void)state;
#define RUBBER(elements, type)                                                                                        \
  "sinew: 1\nmaterials: {rubber: {density: 7200, young: 2e7}}\nsections: {s: {type: rectangle, width: 0.02, height: " \
  "0.02}}\nbodies: {bar: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: " elements                           \
  ", material: rubber, "                                                                                              \
  "section: s}}\njoints: {clamp: {type: " type ", between: [ground, bar.start]}}\nanalysis: {type: modes, count: 6}\n"
  static const struct {
    const char *text, *word;
    int rigid; /* -1: any */
  } cases[] = {{RUBBER("1000", "fixed"), "good", 0},
               {RUBBER("1000", "coordinate"), "good", 5},
               {RUBBER("5000", "fixed"), "doubtful", -1}};
  const double exact = 3.5160 * sqrt(2e7 * 0.02 * 0.02 / 12 / 7200);
  for (size_t k = 0; k < SN_COUNT(cases); k++) {
    run r;
    open_run(&r, cases[k].text, NULL);
    finish(&r);
    const sn_modes *m = r.simulation->modes;
    if (strcmp(sn_verdict_word(r.simulation), cases[k].word) != 0) fail_msg("%s", sn_verdict_reasons(r.simulation));
    if (cases[k].rigid >= 0) assert_int_equal(m->rigid, cases[k].rigid);
    if (k == 0) assert_below(fabs(sqrt(m->w2[0]) / exact - 1), 1e-4, "lowest frequency of 1,000 elements");
    if (k == 2) assert_non_null(strstr(sn_verdict_reasons(r.simulation), "lost in rounding"));
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(beams),
      cmocka_unit_test(two_methods_agree),
      cmocka_unit_test(large_model),
      cmocka_unit_test(rigid_pendulum),
      cmocka_unit_test(stressed_by_a_static_stage),
      cmocka_unit_test(free_plates),
      cmocka_unit_test(free_frames),
      cmocka_unit_test(damping_ratios),
      cmocka_unit_test(lost_in_rounding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
