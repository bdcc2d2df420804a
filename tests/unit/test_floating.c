/* test_floating.c - bodies in a floating frame against beam theory, rigid bodies and each other. */
#include <lapacke.h>

#include "analysis/modes.h"
#include "support.h"

/* A slender steel-like beam of length 1 along x: rotary inertia and shear change frequencies by about (pi h/L)^2 ~
 * 1e-5. */
#define YOUNG 2e11
#define DENSITY 7800.0
#define WIDTH 0.002
#define HEIGHT 0.001
#define POISSON 0.25
#define AREA (WIDTH * HEIGHT)
#define IZZ (WIDTH * HEIGHT * HEIGHT * HEIGHT / 12)
#define IYY (HEIGHT * WIDTH * WIDTH * WIDTH / 12)

static void beam_text(char *text, size_t size, bool planar, const char *fields, const char *rest) {
  snprintf(text, size,
           "sinew: 1\nplanar: %s\n"
           "materials: {steel: {density: %g, young: %g, poisson: %g}}\n"
           "sections: {flat: {type: rectangle, width: %g, height: %g}}\n"
           "bodies: {beam: {type: floating, from: [0, 0, 0], to: [1, 0, 0], material: steel, section: flat%s}}\n%s",
           planar ? "true" : "false", DENSITY, YOUNG, POISSON, WIDTH, HEIGHT, fields, rest);
}

/* ---- frequencies ---- */

enum { MOST = 160 }; /* coordinates */

/* Angular frequencies, ascending, of the coordinates from `first` on, the others held. Returns how many. */
static int frequencies(bool planar, const char *fields, int first, double *w) {
  char text[1024];
  fixture f;
  beam_text(text, sizeof text, planar, fields, "");
  open_fixture(&f, text, "klu");
  int n = f.model->n - first, rows = f.model->n + f.model->m;
  sn_system_assemble(f.system, &f.state, 1, 1, 0, 0);
  double *all = dense(sn_system_matrix(f.system)), *M = malloc(sizeof(double) * (size_t)(n * n)),
         *K = malloc(sizeof(double) * (size_t)(n * n));
  for (int i = 0; i < n * n; i++) M[i] = all[first + i / n + rows * (first + i % n)];
  free(all);
  sn_system_assemble(f.system, &f.state, 1, 0, 0, 1);
  all = dense(sn_system_matrix(f.system));
  for (int i = 0; i < n * n; i++) K[i] = all[first + i / n + rows * (first + i % n)];
  free(all);
  assert_int_equal(LAPACKE_dsygv(LAPACK_ROW_MAJOR, 1, 'N', 'U', n, K, n, M, n, w), 0);
  for (int i = 0; i < n; i++) w[i] = sqrt(fmax(w[i], 0));
  free(M);
  free(K);
  close_fixture(&f);
  return n;
}

/* Is `value` among the frequencies, to the relative error given? */
static void assert_among(const double *w, int n, double value, double error, const char *what) {
  double best = 1;
  for (int i = 0; i < n; i++) best = fmin(best, fabs(w[i] / value - 1));
  assert_below(best, error, "%s, %g rad/s", what, value);
}

/* Cubic elements of length l raise a bending frequency of wave number b by (b l)^4/1440, linear ones that of a rod by
 * (b l)^2/24. */
static double bending_error(double b, int elements) {
  return pow(b / elements, 4) / 1440;
}

/* Roots of 1 + cos b cosh b = 0 (clamped-free) and sin b = 0 (pinned), w = b^2 sqrt(EI/(rho A)); rods: w = (pi/2) c/L.
 */
static void test_frequencies_in_the_plane(void **state) {
  (void)state;
  static const double clamped[] = {1.875104068711961, 4.694091132974175, 7.854757438237613};
  double w[MOST], unit = sqrt(YOUNG * IZZ / (DENSITY * AREA));
  int n = frequencies(true, ", elements: 8", 3, w);
  for (int k = 0; k < 3; k++) {
    double b = clamped[k], error = w[k] / (b * b * unit) - 1;
    assert_below(fabs(error - bending_error(b, 8)), 0.2 * bending_error(b, 8) + 1e-5, "cantilever %d", k + 1);
  }
  assert_among(w, n, PI / 2 * sqrt(YOUNG / DENSITY), pow(PI / 2 / 8, 2) / 20, "rod");
  frequencies(true, ", elements: 8, reference: simply-supported", 3, w);
  for (int k = 1; k <= 3; k++) {
    double b = k * PI, error = w[k - 1] / (b * b * unit) - 1;
    assert_below(fabs(error - bending_error(b, 8)), 0.2 * bending_error(b, 8) + 1e-5, "pinned %d", k);
  }
}

static void test_frequencies_in_space(void **state) {
  (void)state;
  double w[MOST], b = 1.875104068711961 * 1.875104068711961, mass = DENSITY * AREA;
  /* torsion of a rod: (pi/2) sqrt(GJ/(rho Ip))/L; J of St. Venant, three terms */
  double r = HEIGHT / WIDTH, J = 0;
  for (int k = 1; k < 7; k += 2) J += tanh(k * PI / 2 / r) / pow(k, 5);
  J = WIDTH * pow(HEIGHT, 3) * (1.0 / 3 - 64 * r / pow(PI, 5) * J);
  double torsion = PI / 2 * sqrt(YOUNG / (2 * (1 + POISSON)) * J / (DENSITY * (IYY + IZZ)));
  int n = frequencies(false, ", elements: 6", 7, w);
  assert_among(w, n, b * sqrt(YOUNG * IZZ / mass), 2e-5, "bending about z");
  assert_among(w, n, b * sqrt(YOUNG * IYY / mass), 2e-5, "bending about y");
  assert_among(w, n, torsion, 4e-3, "torsion");
}

/* A free body vibrates in the same way whatever its frame is tied to: free-free beam, cos b cosh b = 1. */
static void test_reference_does_not_matter(void **state) {
  (void)state;
  static const char *const reference[] = {", elements: 6", ", elements: 6, reference: simply-supported"};
  double w[2][MOST], b = 4.730040744862704, unit = sqrt(YOUNG * IZZ / (DENSITY * AREA));
  int n = 0;
  for (int k = 0; k < 2; k++) n = frequencies(true, reference[k], 0, w[k]);
  for (int i = 3; i < n; i++) assert_below(fabs(w[0][i] / w[1][i] - 1), 1e-7, "free frequency %d, two references", i);
  assert_below(fabs(w[0][3] / (b * b * unit) - 1), 1e-3, "first free-free frequency");
}

/* Shear lowers them: first order of Timoshenko's theory for a pinned beam,
 * w = w0 (1 - (pi k)^2/(2 L^2) (I/A) (1 + E/(k' G))) with the rotary inertia I/A. */
static void test_shear(void **state) {
  (void)state;
  double w0[MOST], w1[MOST], r = HEIGHT * HEIGHT / 12, ratio = 2 * (1 + POISSON) * 6 / 5;
  frequencies(true, ", elements: 40, reference: simply-supported", 3, w0);
  frequencies(true, ", elements: 40, reference: simply-supported, theory: timoshenko", 3, w1);
  double change = 1 - w1[2] / w0[2], expected = 9 * PI * PI / 2 * r * ratio;
  assert_below(fabs(change / expected - 1), 0.02, "lowering of the third frequency by shear");
}

/* ---- reduction ---- */

/* Kept in full, the reduced body is the unreduced one; with few modes its free frequencies converge from above. */
static void test_reduction(void **state) {
  (void)state;
  double full[MOST], part[MOST];
  int n = frequencies(true, ", elements: 5", 0, full);
  assert_int_equal(frequencies(true, ", elements: 5, modes: 12", 0, part), n);
  for (int i = 3; i < n; i++) assert_below(fabs(part[i] / full[i] - 1), 1e-7, "frequency %d with all modes", i);
  double before = INFINITY;
  for (int modes = 0; modes <= 4; modes += 2) {
    char fields[64];
    snprintf(fields, sizeof fields, ", elements: 5, modes: %d", modes);
    frequencies(true, fields, 0, part);
    double error = part[4] / full[4] - 1; /* the second free-free frequency */
    assert_true(error > -1e-9 && error < before / 3);
    before = error;
  }
  assert_below(before, 2e-3, "second free-free frequency with 4 modes");
}

/* A round section has its modes in pairs. Asked for an odd number, the body keeps the pair whole: it bends alike
 * whatever the direction of its load, where rounding would have chosen the one shape of the pair. */
static void test_pairs(void **state) {
  (void)state;
  static const char *const sections[] = {"type: circle, radius: 0.01", "type: rectangle, width: 0.02, height: 0.02"};
  for (int k = 0; k < 2; k++)
    for (int modes = 1; modes <= 3; modes += 2)
      for (int turn = 0; turn < 4; turn++) {
        char text[1000];
        run r;
        double a = 0.4 * turn, y[9], along, across;
        static double first;
        snprintf(
            text, sizeof text,
            "sinew: 1\ngravity: [0, %.17g, %.17g]\nmaterials: {m: {density: 1000, young: 1e7, poisson: 0.3}}\n"
            "sections: {s: {%s}}\nbodies: {b: {type: floating, from: [0, 0, 0], to: [1, 0, 0], elements: 6, modes: "
            "%d, material: m, section: s}}\n"
            "joints: {a: {type: fixed, between: [ground, b.start]}, b: {type: fixed, between: [ground, b.end]}}\n"
            "outputs: {middle: {point: b.at(0.5)}}\n"
            "analysis: {type: dynamics, duration: 0.02, integrator: {type: radau5, step: 1e-3}}\n",
            9.81 * cos(a), 9.81 * sin(a), sections[k], modes);
        open_run(&r, text, &(sn_options){.until = 0.02});
        assert_int_equal(r.model->n, 7 + 6 + modes + 1); /* frame, other end, modes */
        assert_non_null(strstr(r.simulation->start.notes, "modes of equal frequency are kept together"));
        advance(&r, 0.02);
        sn_read(r.simulation, "middle", y, 9);
        along = y[1] * cos(a) + y[2] * sin(a), across = y[2] * cos(a) - y[1] * sin(a);
        if (turn == 0) first = along;
        assert_below(1e-4, along, "deflection [m]");
        assert_below(fabs(along / first - 1), 1e-7, "%s, %d modes, load at %g rad", sections[k], modes, a);
        assert_below(fabs(across / first), 1e-7, "%s, %d modes, across", sections[k], modes);
        close_run(&r);
      }
}

/* ---- motion ---- */

/* The first output (a point) at a time. */
static void track(const char *text, double time, double y[3]) {
  run r;
  open_run(&r, text, &(sn_options){.until = time});
  advance(&r, time);
  const sn_probe *probe = &r.model->output[0].probe[0];
  probe->ops->value(probe, r.simulation->state.q, y);
  close_run(&r);
}

#define STEPS(h) "analysis: {type: dynamics, duration: 10, integrator: {type: hht-i3, alpha: -0.05, step: " #h "}}\n"

/* All modes or none left out: the same motion. Fixed steps, so that only Newton's target separates them. */
static void test_reduced_motion(void **state) {
  (void)state;
  static const char *const fields[] = {", elements: 3", ", elements: 3, modes: 6"};
  double tip[2][3];
  for (int k = 0; k < 2; k++) {
    char text[1024];
    beam_text(text, sizeof text, true, fields[k],
              "gravity: [0, -9.81, 0]\njoints: {pin: {type: revolute, between: [ground, beam.start]}}\n"
              "outputs: {tip: {point: beam.end}}\n" STEPS(2e-4));
    track(text, 0.4, tip[k]);
  }
  assert_below(distance(tip[0], tip[1], 2), 1e-7, "tip of the reduced and of the full body");
}

/* A stiff body moves like a rigid one with the same inertia: J = rho L (Iyy + Izz, ...), in space, with every rate. */
static void test_rigid_limit(void **state) {
  (void)state;
#define HEAD "sinew: 1\ngravity: [0.5, -9.81, 1]\n"
#define REST                                                          \
  "joints: {pin: {type: spherical, between: [ground, beam.start]}}\n" \
  "outputs: {tip: {point: beam.end}}\n" STEPS(2e-4)
#define MOTION "from: [0, 0, 0], to: [1, 0, 0]"
  static const char flexible[] = HEAD
      "materials: {stiff: {density: 1000, young: 1e13}}\nsections: {box: {type: rectangle, width: 0.3, height: 0.2}}\n"
      "bodies: {beam: {type: floating, " MOTION
      ", elements: 2, material: stiff, section: box, "
      "angular_velocity: [6, 2, -1]}}\n" REST;
  static const char rigid[] = HEAD "bodies: {beam: {type: rigid, " MOTION
                                   ", density: 1000, shape: {type: box, size: [1, 0.2, 0.3]}, "
                                   "velocity: [0, -0.5, -1], angular_velocity: [6, 2, -1]}}\n" REST;
  double a[3], b[3];
  track(flexible, 0.5, a);
  track(rigid, 0.5, b);
  assert_below(distance(a, b, 3), 2e-6, "tip of a stiff floating and of a rigid body");
}

/* Spun about its pinned start, the beam stretches by tan(bL)/b - L, b^2 = rho w^2/E: rho w^2 L^3/(3E) to first order
 * (benchmark B2). Eight linear elements are within 0.2 %. */
static void test_spinning_beam(void **state) {
  (void)state;
  static const char text[] =
      "sinew: 1\nplanar: true\nmaterials: {soft: {density: 1000, young: 1e7}}\n"
      "sections: {square: {type: rectangle, width: 0.1, height: 0.1}}\n"
      "bodies: {beam: {type: floating, from: [0, 0, 0], to: [1, 0, 0], elements: 8, material: soft, section: square, "
      "angular_velocity: [0, 0, 3], stiffness_damping: 0.01}}\n"
      "joints: {pin: {type: revolute, between: [ground, beam.start]}, "
      "spin: {type: motion, between: [ground, beam.start], rotation: 3*t}}\n"
      "outputs: {tip: {point: beam.end}}\n" STEPS(1e-3);
  double tip[3], b = 3 * sqrt(1000 / 1e7);
  track(text, 0.6, tip);
  assert_below(fabs((hypot(tip[0], tip[1]) - 1) / (tan(b) / b - 1) - 1), 2e-3, "stretch of a spinning beam");
}

/* Equilibrium of the part beyond a section at x: force F and moment (1 - x) e_x x F + m. Linear theory: exact. */
static void test_resultants(void **state) {
  (void)state;
  static const char *const variant[] = {"", ", reference: simply-supported", ", modes: 6", ", theory: timoshenko"};
  static const double exact[] = {5, 2, -3, 1.5, 2.25, 1.5};
  for (int k = 0; k < 4; k++) {
    char text[1024];
    run r;
    double y[10];
    snprintf(
        text, sizeof text,
        "sinew: 1\nmaterials: {m: {density: 1000, young: 1e11}}\n"
        "sections: {s: {type: rectangle, width: 0.2, height: 0.1}}\n"
        "bodies: {b: {type: floating, from: [0, 0, 0], to: [1, 0, 0], elements: 3, material: m, section: s%s}}\n"
        "joints: {clamp: {type: fixed, between: [ground, b.start]}}\n"
        "forces: {f: {type: force, at: b.end, force: [5, 2, -3]}, m: {type: moment, at: b.end, moment: [1.5, 0, 0]}}\n"
        "outputs: {b: {resultant: b.at(0.25)}}\nanalysis: {type: statics}\n",
        variant[k]);
    open_run(&r, text, NULL);
    if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
    assert_int_equal(sn_read(r.simulation, "b", y, 10), 10);
    for (int i = 0; i < 6; i++) assert_below(fabs(y[i] / exact[i] - 1), 2e-5, "resultant %d, variant %d", i, k);
    close_run(&r);
  }
}

/* ---- slider-crank (B9) ---- */

static double slider_at(const char *set, double time) {
  sn_context *context = sn_context_create();
  sn_model *model;
  sn_simulation *simulation;
  double y[3];
  if (sn_model_load(context, "models/flexible-slider-crank.yaml", &set, 1, &model)) fail_msg("%s", sn_message(context));
  if (sn_simulation_create(model, &(sn_options){.step = 5e-5, .until = time}, &simulation))
    fail_msg("%s", sn_message(context));
  if (sn_advance(simulation, time)) fail_msg("%s", sn_message(context));
  const sn_probe *probe = &model->output[2].probe[0];
  probe->ops->value(probe, simulation->state.q, y);
  sn_simulation_free(simulation);
  sn_model_free(model);
  sn_context_free(context);
  return y[0];
}

/* The rod made rigid, with the rotary inertia rho I L the sections of the flexible one have. */
static void test_slider_crank(void **state) {
  (void)state;
  static const char rigid[] =
      "sinew: 1\nplanar: true\ngravity: [0, -9.81, 0]\nparameters: {x: sqrt(0.27)}\n"
      "bodies:\n"
      "  crank: {type: rigid, from: [0, 0, 0], to: [0, -0.3, 0], mass: 3, inertia: [1, 1, 3*0.3^2/12], "
      "velocity: [4.5, 0, 0], angular_velocity: [0, 0, 30]}\n"
      "  rod: {type: rigid, from: [0, -0.3, 0], to: [x, 0, 0], mass: 0.9, "
      "inertia: [1, 1, 0.9*0.6^2/12 + 0.9/5.9e-4*2.765e-8], velocity: [9, 0, 0]}\n"
      "joints:\n"
      "  shaft: {type: revolute, between: [ground, crank.start]}\n"
      "  crankpin: {type: spherical, between: [crank.end, rod.start]}\n"
      "  slider: {type: motion, between: ['ground.at(0, 0, 0)', rod.end], axis: [0, 1, 0], translation: 0}\n"
      "outputs: {slider: {point: rod.end}}\n"
      "analysis: {type: dynamics, duration: 1, integrator: {type: hht-i3, alpha: -0.1, step: 5e-5}}\n";
  double y[3], T = 0.2;
  track(rigid, T, y);
  double flexible = fabs(slider_at("E=2e11", T) - y[0]), stiff = fabs(slider_at("E=2e13", T) - y[0]);
  assert_below(flexible, 2e-4, "slider with the flexible rod against the rigid one");
  assert_below(stiff, 5e-6, "the same with a hundred times the stiffness");
  assert_below(stiff, flexible / 10, "the flexible rod must show");
}

/* On two hinges, P L^3/(48 EI) under a force in the middle and 5 q L^4/(384 EI) under the weight. The static shapes of the
 * ends alone give 3/4 and 4/5 of them (9/768 of 11/768 under a force at a quarter), and the run is doubtful; the first mode brings all but 1 %, and ends may be loaded.
 * A moment at an end bends the middle by M L^2/(16 EI) whatever is kept. */
static void reduction_between_the_ends(void **state) {
  (void)state;
  static const struct {
    const char *modes, *load, *gravity;
    double deflection, error;
    bool doubtful;
  } list[] = {
      {", modes: 0", "{type: force, at: b.at(0.5), force: [0, -1, 0]}", "[0, 0, 0]", 1. / 48, 0.25, true},
      {", modes: 0", "{type: force, at: b.at(0.25), force: [0, -1, 0]}", "[0, 0, 0]", 11. / 768, 2. / 11, true},
      {", modes: 0", "{type: moment, at: b.end, moment: [0, 0, 1]}", "[0, 0, 0]", 1. / 16, 0, false},
      {", modes: 0", "{type: moment, at: b.end, moment: [0, 0, 0]}", "[0, -1e-3, 0]", 5. / 384, 0.2, true},
      {", modes: 1", "{type: force, at: b.at(0.5), force: [0, -1, 0]}", "[0, 0, 0]", 1. / 48, 0, false},
      {", modes: 1", "{type: moment, at: b.end, moment: [0, 0, 0]}", "[0, -1e-3, 0]", 5. / 384, 0, false},
      {"", "{type: force, at: b.at(0.5), force: [0, -1, 0]}", "[0, 0, 0]", 1. / 48, 0, false},
  };
  for (size_t k = 0; k < SN_COUNT(list); k++) {
    char text[1200];
    double y[2];
    run r;
    snprintf(text, sizeof text,
             "sinew: 1\nplanar: true\ngravity: %s\nmaterials: {m: {density: 1, young: 1e4}}\n"
             "sections: {s: {type: general, A: 1e3, Iyy: 1, Izz: 1}}\n"
             "bodies: {b: {type: floating, from: [0, 0, 0], to: [1, 0, 0], elements: 8, material: m, section: s%s}}\n"
             "joints:\n  a: {type: revolute, between: [ground, b.start]}\n"
             "  c: {type: point-on-line, between: ['ground.at(1, 0, 0)', b.end], axis: [1, 0, 0]}\n"
             "forces: {f: %s}\noutputs: {middle: {point: b.at(0.5)}}\nanalysis: {type: statics}\n",
             list[k].gravity, list[k].modes, list[k].load);
    open_run(&r, text, NULL);
    assert_int_equal(verdict_of(&r, SN_OK).level, list[k].doubtful ? SN_DOUBTFUL : SN_GOOD);
    read_output(&r, "middle", y, 2);
    const double error = 1 - fabs(y[1]) / (list[k].deflection * 1e-4);
    assert_below(fabs(error - list[k].error), 0.011, "case %zu: %g of the deflection is missing", k, error);
    close_run(&r);
  }
}

/* Modes with 0 to 8 kept, against the same model without reduction: told above 1 %, silent below 0.5 %, in space and with
 * a mass at the end; and where a mode of the unreduced model is missing. */
static void modes_of_reduced_bodies(void **state) {
  (void)state;
  static const struct {
    const char *more, *joints;
    int count;
  } list[] = {{"", "a: {type: fixed, between: [ground, b.start]}", 6},
              {"", "", 12},
              {"", "a: {type: spherical, between: [ground, b.start]}", 9},
              {"  w: {type: rigid, mass: 5, inertia: [0.01, 0.01, 0.01], position: [1, 0, 0]}\n",
               "a: {type: fixed, between: [ground, b.start]}, c: {type: fixed, between: [w, b.end]}", 5}};
  int told = 0, silent = 0;
  for (size_t k = 0; k < SN_COUNT(list); k++)
    for (int count = list[k].count; count >= list[k].count - 4; count -= 2) {
      double exact[12], most = 0;
      for (int modes = -2; modes <= 8; modes += 2) {
        char text[1200], field[40] = "";
        run r;
        if (modes >= 0) snprintf(field, sizeof field, ", modes: %d", modes);
        snprintf(text, sizeof text,
                 "sinew: 1\ngravity: [0, 0, 0]\nmaterials: {m: {density: 7800, young: 2.1e11, poisson: 0.3}}\n"
                 "sections: {s: {type: circle, radius: 0.01}}\nbodies:\n"
                 "  b: {type: floating, from: [0, 0, 0], to: [1, 0, 0], elements: 8, material: m, section: s%s}\n%s"
                 "joints: {%s}\nanalysis: {type: modes, count: %d}\n",
                 field, list[k].more, list[k].joints, count);
        open_run(&r, text, NULL);
        const sn_verdict v = verdict_of(&r, SN_OK);
        const sn_modes *m = r.simulation->modes;
        const bool says = strstr(v.reasons, "leaves out its vibrations") != NULL;
        most = 0;
        for (int i = 0; i < m->count; i++) {
          if (modes < 0)
            exact[i] = m->w2[i];
          else if (exact[i] > 1)
            most = fmax(most, sqrt(m->w2[i] / exact[i]) - 1);
        }
        if (most > 0.01 && !says) fail_msg("case %zu, %d modes: off by %g, and silent: %s", k, modes, most, v.reasons);
        if (most < 0.005 && says) fail_msg("case %zu, %d modes: off by %g, and told: %s", k, modes, most, v.reasons);
        if (modes >= 0) told += says, silent += !says;
        close_run(&r);
      }
    }
  assert_true(told >= 10 && silent >= 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_frequencies_in_the_plane),
      cmocka_unit_test(test_frequencies_in_space),
      cmocka_unit_test(test_reference_does_not_matter),
      cmocka_unit_test(test_shear),
      cmocka_unit_test(test_reduction),
      cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_reduced_motion),
      cmocka_unit_test(test_rigid_limit),
      cmocka_unit_test(test_spinning_beam),
      cmocka_unit_test(test_resultants),
      cmocka_unit_test(test_slider_crank),
      cmocka_unit_test(reduction_between_the_ends),
      cmocka_unit_test(modes_of_reduced_bodies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
