/* test_gssss.c - the families U0 and V0: coefficients, orders at every index, constraint levels, forms, A7.
 *
 * Free fall and some orders: test_integrators.c. The whole of A7: bench_huang.
 */
#include "integrator/gssss_family.h"
#include "kinds/kinds.h"
#include "support.h"

#define HEAD "sinew: 1\ngravity: [0, -9.81, 0]\n"

/* ---- coefficients: known methods, from their own papers' formulas ---- */

static sn_gssss_family member(int scheme, double r) {
  sn_gssss_spec s = {.head.spec.kind = &sn_gssss.kind, .scheme = scheme - 1, .rho_infinity = r};
  return sn_gssss_choose(&s);
}

static void check_alpha(const sn_gssss_family *f, double am, double af, double g, double b, const char *name) {
  const double is[] = {f->W1, f->L6, f->l5, f->l3, f->L3, f->L5};
  const double must[] = {1 - af, 1 - am, g, b, (1 - af) * b, (1 - af) * g};
  assert_below(distance(is, must, 6), 1e-15, "coefficients of %s", name);
}

static void test_known_methods(void **state) {
  (void)state;
  for (double r = 0.5; r < 1.01; r += 0.1) {
    sn_gssss_family f = member(SN_GENERALIZED_ALPHA, r); /* Chung and Hulbert 1993 */
    double am = (2 * r - 1) / (r + 1), af = r / (r + 1);
    check_alpha(&f, am, af, 0.5 - am + af, (1 - am + af) * (1 - am + af) / 4, "generalized-alpha");
    f = member(SN_WBZ, r); /* Wood, Bossak and Zienkiewicz 1980 */
    am = (r - 1) / (r + 1);
    check_alpha(&f, am, 0, 0.5 - am, (1 - am) * (1 - am) / 4, "wbz");
    f = member(SN_GSSSS_HHT, r); /* Hilber, Hughes and Taylor 1977 */
    af = (1 - r) / (1 + r);
    check_alpha(&f, 0, af, 0.5 + af, (1 + af) * (1 + af) / 4, "hht");
  }
}

/* A member of a family by numbers. */
static sn_gssss_family by_numbers(int family, double a, double b, double c) {
  sn_gssss_spec s = {.head.spec.kind = &sn_gssss.kind, .family = family, .rho = {a, b, c}};
  for (const sn_field *f = sn_gssss.kind.fields; f->name; f++)
    if (strcmp(f->name, "rho") == 0) s.head.spec.given |= (uint64_t)1 << (f - sn_gssss.kind.fields);
  return sn_gssss_choose(&s);
}

/* The three numbers are the roots, with a minus, of an oscillator of infinite frequency: q~ = 0 in every step. With z
 * the root less 1 and the state (q, h v, h^2 a), a1 - a0 = z a0 leads to q z = v + a/2 + l3 z a, v z = a + l5 z a. */
static void test_roots(void **state) {
  (void)state;
  static const double rho[][3] = {{0.5, 0.8, 0.3}, {0.7, 1, 0.7}, {0.6, 0.6, 0.6}, {0.2, 1, 0}, {0.9, 0.95, 0.1}};
  for (int family = 0; family < 2; family++)
    for (size_t k = 0; k < SN_COUNT(rho); k++) {
      sn_gssss_family f = by_numbers(family, rho[k][0], rho[k][1], rho[k][2]);
      for (int i = 0; i < 3; i++) {
        double z = -rho[k][i] - 1, a = 1, v = (1 + f.l5 * z) / z, q = (v + 0.5 + f.l3 * z) / z;
        assert_below(fabs(q + f.L1 * v + f.L2 * a + f.L3 * z * a), 1e-14, "q~ at root %d of %zu, family %d", i, k,
                     family);
      }
    }
}

/* V0(1, 1, s): all of it at the middle of the step, as the mean of both ends. */
static void test_mid_point(void **state) {
  (void)state;
  for (double c = 0; c < 1.1; c += 0.25) {
    sn_gssss_family f = by_numbers(SN_V0, 1, 1, c);
    const double is[] = {f.L1, f.L2, f.L3, f.L4, f.L5}, must[] = {0.5, 0.25, f.l3 / 2, 0.5, f.l5 / 2};
    assert_below(distance(is, must, 5), 1e-15, "V0(1, 1, %g)", c);
  }
}

/* Second order: with a1 at t1 - g h, v1 takes a in the middle, and the three tilde quantities belong to one time. */
static void test_consistent(void **state) {
  (void)state;
  for (int family = 0; family < 2; family++)
    for (double b = 0; b < 1.01; b += 0.25)
      for (double a = 0; a <= b; a += 0.25)
        for (double c = 0; c <= a; c += 0.25) {
          sn_gssss_family f = by_numbers(family, a, b, c);
          double g = f.shift, W = f.W1;
          assert_below(fabs(f.l5 - g - 0.5), 1e-15, "v1 of %d(%g, %g, %g)", family, a, b, c);
          assert_below(fabs(f.L1 - W), 1e-15, "q~"); /* terms of h^2 in q~ count only in the third order */
          assert_below(fabs(f.L4 - W), 1e-15, "v~");
          assert_below(fabs(f.L6 - g - W), 1e-15, "a~");
        }
}

/* ---- orders ---- */

static const char spatial[] = HEAD
    "bodies:\n"
    "  a: {type: rigid, from: [0, 0, 0], to: [0.6, 0, 0.3], mass: 1.5, shape: {type: box, size: [0.6, 0.2, 0.1]}}\n"
    "  b: {type: rigid, from: [0.6, 0, 0.3], to: [1.1, 0.4, 0], mass: 1, shape: {type: box, size: [0.5, 0.1, 0.2]}}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, a.start]}\n"
    "  hinge: {type: revolute, between: [a.end, b.start], axis: [1, 0, 1]}\n"
    "forces:\n"
    "  damper: {type: spring, between: ['ground.at(1.5, 1, 0)', b.end], stiffness: 30, damping: 4}\n"
    "  push: {type: force, at: b.end, force: [0, 0, 20*sin(9*t)]}\n";

enum { MOST = 40 };

/* q and v at the end; returns the number of coordinates. */
static int end_of(const char *model, const sn_options *options, double x[2][MOST]) {
  run r;
  open_run(&r, model, options);
  int n = r.model->n;
  assert_true(n <= MOST);
  advance(&r, options->until);
  memcpy(x[0], r.simulation->state.q, (size_t)n * sizeof(double));
  memcpy(x[1], r.simulation->state.v, (size_t)n * sizeof(double));
  close_run(&r);
  return n;
}

static const char *const members[] = {"scheme: newmark", "scheme: midpoint-v0", "scheme: midpoint",
                                      "scheme: generalized-alpha, rho_infinity: 0.6", "rho: [0.7, 1, 0.7], family: v0"};

static void check_order(const char *settings) {
  double x[3][2][MOST];
  int n = 0;
  for (int k = 0; k < 3; k++) {
    sn_options options = {.integrator = settings, .step = 1e-3 / (1 << k), .until = 0.4};
    n = end_of(spatial, &options, x[k]);
  }
  for (int part = 0; part < 2; part++) {
    double order = log2(distance(x[0][part], x[1][part], n) / distance(x[1][part], x[2][part], n));
    assert_below(fabs(order - 2), 0.15, "order %.3f of %s in %c: off", order, settings, part ? 'v' : 'q');
  }
}

static void test_orders(void **state) {
  (void)state;
  for (size_t k = 0; k < SN_COUNT(members); k++)
    for (int index = 1; index <= 3; index++) {
      char settings[160];
      snprintf(settings, sizeof settings, "{type: gssss, %s, index: %d}", members[k], index);
      check_order(settings);
      snprintf(settings, sizeof settings, "{type: gssss, %s, index: %d, stabilize: projection}", members[k], index);
      check_order(settings);
    }
  check_order("{type: gssss, scheme: wbz, index: 1, stabilize: baumgarte}");
}

/* Steps h, 2h, 1.5h in turn: the time a0 belongs to changes with the step. */
static int end_of_uneven(const char *settings, double h, double x[2][MOST]) {
  static const double length[] = {1, 2, 1.5};
  run r;
  open_run(&r, spatial, &(sn_options){.integrator = settings, .step = 1, .until = 1});
  sn_simulation *s = r.simulation;
  int n = r.model->n;
  for (int k = 0; sn_time(s) < 0.45 - h / 10; k++) {
    s->end = sn_time(s) + h * length[k % 3];
    s->finished = false;
    if (sn_step(s)) fail_msg("%s: %s", settings, sn_message(r.context));
  }
  memcpy(x[0], s->state.q, (size_t)n * sizeof(double));
  memcpy(x[1], s->state.v, (size_t)n * sizeof(double));
  close_run(&r);
  return n;
}

static void test_uneven_steps(void **state) {
  (void)state;
  for (size_t m = 0; m < SN_COUNT(members); m++)
    for (int index = 1; index <= 3; index++) {
      char settings[160];
      double x[3][2][MOST];
      int n = 0;
      snprintf(settings, sizeof settings, "{type: gssss, %s, index: %d, stabilize: projection}", members[m], index);
      for (int k = 0; k < 3; k++) n = end_of_uneven(settings, 5e-4 / (1 << k), x[k]);
      for (int part = 0; part < 2; part++) {
        double order = log2(distance(x[0][part], x[1][part], n) / distance(x[1][part], x[2][part], n));
        assert_below(fabs(order - 2), 0.15, "order %.3f of %s in %c, uneven steps: off", order, settings,
                     part ? 'v' : 'q');
      }
    }
}

/* ---- constraint levels ---- */

/* Largest errors at the three levels over all steps, relative to the largest q, v, a (at least 1). */
static void drift(const char *model, const sn_options *options, double level[3]) {
  run r;
  double phi[MOST];
  memset(level, 0, 3 * sizeof(double));
  open_run(&r, model, options);
  assert_true(r.model->m > 0 && r.model->m <= MOST);
  while (sn_time(r.simulation) < options->until * (1 - 1e-9)) {
    if (sn_step(r.simulation)) fail_msg("%s: %s", options->integrator, sn_message(r.context));
    const sn_state *s = &r.simulation->state;
    void (*const of[])(sn_system *, const sn_state *, double *) = {sn_system_position, sn_system_velocity,
                                                                   sn_system_acceleration};
    const double *const x[] = {s->q, s->v, s->a};
    for (int k = 0; k < 3; k++) {
      of[k](r.simulation->system, s, phi);
      level[k] = fmax(level[k], largest(phi, r.model->m) / fmax(1, largest(x[k], r.model->n)));
    }
  }
  close_run(&r);
}

static void test_velocities_at_index_2(void **state) {
  (void)state;
  static const char *const models[] = {DRIVEN, "models/rigid-double-pendulum.yaml", "models/slider-crank.yaml"};
  for (size_t i = 0; i < SN_COUNT(models); i++)
    for (size_t k = 0; k < SN_COUNT(members); k++) {
      char settings[160];
      double level[3];
      snprintf(settings, sizeof settings, "{type: gssss, %s, index: 2}", members[k]);
      drift(models[i], &(sn_options){.integrator = settings, .step = 2e-3, .until = 0.5}, level);
      assert_below(level[1], 1e-13, "%s, model %zu: G v + Phi_t", settings, i);
      assert_true(level[0] > 1e-12); /* the test sees drift where there is */
    }
}

static void test_projection(void **state) {
  (void)state;
  static const char *const models[] = {DRIVEN, "models/rigid-double-pendulum.yaml", "models/slider-crank.yaml"};
  for (size_t i = 0; i < SN_COUNT(models); i++)
    for (size_t k = 0; k < SN_COUNT(members); k++)
      for (int index = 1; index <= 3; index++) {
        char settings[160];
        double level[3];
        snprintf(settings, sizeof settings, "{type: gssss, %s, index: %d, stabilize: projection}", members[k], index);
        drift(models[i], &(sn_options){.integrator = settings, .step = 5e-3, .until = 1}, level);
        for (int l = 0; l < 3; l++) assert_below(level[l], 1e-13, "%s, model %zu: level %d", settings, i, l);
      }
}

/* One correction at each level leaves the square of what there was; Baumgarte's leaves what Huang's table 5.2 says. */
static void test_other_stabilizations(void **state) {
  (void)state;
  static const char path[] = "models/rigid-double-pendulum.yaml";
  double plain[3], once[3], baumgarte[3];
  drift(path, &(sn_options){.integrator = "{type: gssss, index: 1}", .step = 0.01, .until = 10}, plain);
  drift(path,
        &(sn_options){
            .integrator = "{type: gssss, index: 1, stabilize: projection, projections: 1}", .step = 0.01, .until = 10},
        once);
  drift(path,
        &(sn_options){
            .integrator = "{type: gssss, scheme: newmark, index: 1, stabilize: baumgarte}", .step = 0.01, .until = 10},
        baumgarte);
  assert_true(plain[0] > 1e-3);
  assert_below(once[0], 1e-8, "Phi after one correction");
  assert_true(once[0] > 1e-13);
  assert_below(baumgarte[0], 1e-3, "Phi with Baumgarte's stabilization");
}

/* ---- forms ---- */

/* Two hinges on one axis: equations that repeat others must be met in every scaling. */
static const char redundant[] = HEAD
    "bodies:\n"
    "  a: {type: rigid, position: [0.5, 0, 0], mass: 1.5, inertia: [1, 1, 1],\n"
    "      points: {l: [-0.5, 0, -0.3], r: [-0.5, 0, 0.3]}}\n"
    "joints:\n"
    "  left: {type: revolute, between: [ground, a.l], axis: [0, 0, 1]}\n"
    "  right: {type: revolute, between: [ground, a.r], axis: [0, 0, 1]}\n";

static void test_forms_agree(void **state) {
  (void)state;
  for (int form = 0; form < 3; form++) {
    char settings[160];
    double level[3];
    snprintf(settings, sizeof settings, "{type: gssss, form: %c}", "avd"[form]);
    drift(redundant, &(sn_options){.integrator = settings, .step = 1e-3, .until = 0.2}, level);
    assert_below(level[0], 1e-13, "Phi of two hinges, form %c", "avd"[form]);
  }
  for (size_t k = 0; k < SN_COUNT(members); k++)
    for (int index = 1; index <= 3; index++) {
      double x[3][2][MOST];
      int n = 0;
      for (int form = 0; form < 3; form++) {
        char settings[160];
        snprintf(settings, sizeof settings, "{type: gssss, %s, index: %d, form: %c, stabilize: projection}", members[k],
                 index, "avd"[form]);
        n = end_of(spatial, &(sn_options){.integrator = settings, .step = 1e-3, .until = 0.2}, x[form]);
      }
      for (int form = 1; form < 3; form++)
        for (int part = 0; part < 2; part++)
          assert_below(distance(x[0][part], x[form][part], n), 1e-10, "%s, index %d: form %c against a, in %c",
                       members[k], index, "avd"[form], part ? 'v' : 'q');
    }
}

/* ---- A7: Huang's tables 4.1 and 5.1 ---- */

static const char double_pendulum[] = "models/rigid-double-pendulum.yaml";

static void test_v0_stable(void **state) {
  (void)state;
  double level[3], energy[SN_ENERGIES];
  sn_options options = {.integrator = "{type: gssss, scheme: midpoint-v0, index: 3}", .step = 0.01, .until = 100};
  drift(double_pendulum, &options, level);
  assert_below(level[0], 1e-13, "Phi over 100 s");
  assert_below(level[1], 1e-2, "its rate");
  run r;
  open_run(&r, double_pendulum, &options);
  for (double t = 1; t < 100.5; t++) {
    advance(&r, t);
    sn_read(r.simulation, "energy", energy, SN_ENERGIES);
  }
  assert_int_equal(sn_simulation_statistics(r.simulation)->newton_rejections, 0);
  assert_below(r.simulation->largest_energy_error / r.simulation->largest_kinetic, 1e-11, "energy over 100 s");
  close_run(&r);
}

static void test_u0_fails(void **state) {
  (void)state;
  run r;
  sn_options options = {.integrator = "{type: gssss, scheme: newmark, index: 3}", .step = 0.01, .until = 10};
  open_run(&r, double_pendulum, &options);
  assert_true(sn_advance(r.simulation, 10) == SN_NUMERICS);
  assert_true(sn_time(r.simulation) > 1 && sn_time(r.simulation) < 10);
  close_run(&r);
}

/* ---- adaptive steps ---- */

static void test_adaptive(void **state) {
  (void)state;
  static const char *const settings[] = {"{type: gssss, bounds: step}",
                                         "{type: gssss, bounds: step, scheme: wbz, rho_infinity: 0.5, index: 2}",
                                         "{type: gssss, bounds: step, rho: [0.7, 1, 0.7], family: v0, index: 2}",
                                         "{type: gssss, bounds: step, scheme: hht, stabilize: projection}",
                                         "{type: gssss, bounds: step, scheme: midpoint-v0, stabilize: projection}"};
  double exact[2][MOST], x[2][MOST], error[2];
  int n = end_of(spatial, &(sn_options){.integrator = "radau5", .tolerance = 1e-11, .until = 0.5}, exact);
  for (size_t k = 0; k < SN_COUNT(settings); k++) {
    for (int j = 0; j < 2; j++) {
      end_of(spatial, &(sn_options){.integrator = settings[k], .tolerance = j ? 1e-9 : 1e-6, .until = 0.5}, x);
      error[j] = distance(x[0], exact[0], n);
    }
    /* local error ~ h^3, global ~ h^2 */
    assert_below(error[1], error[0] / 20, "%s: error with 1e-9", settings[k]);
    assert_below(error[1], 1e-5, "%s: error with 1e-9", settings[k]);
  }
}

static void test_not_adaptive(void **state) {
  (void)state;
  static const char *const settings[] = {
      "{type: gssss, scheme: newmark, index: 3}", "{type: gssss, scheme: midpoint, index: 2}",
      "{type: gssss, scheme: optimal, family: v0, index: 3}", "{type: gssss, conserve: symplectic, index: 2}"};
  for (size_t k = 0; k < SN_COUNT(settings); k++) {
    sn_context *context = sn_context_create();
    sn_model *model = parse(context, spatial);
    sn_simulation *simulation;
    sn_options options = {.integrator = settings[k], .tolerance = 1e-6, .until = 1};
    assert_true(sn_simulation_create(model, &options, &simulation) != SN_OK);
    assert_non_null(strstr(sn_message(context), "a fixed step"));
    sn_model_free(model);
    sn_context_free(context);
  }
}

/* ---- what is kept ---- */

/* A mass on a stiffening spring, 2000 periods: the energy of symplectic members swings and stays, others lose it. */
static double energy_loss(const char *settings) {
  static const char text[] =
      "sinew: 1\ngravity: [0, 0, 0]\n"
      "bodies: {m: {type: point-mass, mass: 1, position: [1.5, 0, 0], velocity: [0, 0.5, 0]}}\n"
      "forces: {k: {type: spring, between: ['ground.at(0, 0, 0)', m], stiffness: 1, length: 1}}\n";
  run r;
  double energy[SN_ENERGIES];
  sn_options options = {.integrator = settings, .step = 0.2, .until = 10000};
  open_run(&r, text, &options);
  sn_read(r.simulation, "energy", energy, SN_ENERGIES);
  double first = energy[SN_E_TOTAL], sum = 0;
  advance(&r, 9900);
  for (int k = 0; k < 500; k++) {
    advance(&r, 9900 + 0.2 * k);
    sn_read(r.simulation, "energy", energy, SN_ENERGIES);
    sum += energy[SN_E_TOTAL] / 500;
  }
  close_run(&r);
  return fabs(sum / first - 1);
}

static void test_symplectic(void **state) {
  (void)state;
  assert_below(energy_loss("{type: gssss, conserve: symplectic}"), 3e-3, "energy lost");
  assert_below(energy_loss("{type: gssss, conserve: symplectic, scheme: newmark}"), 3e-3, "energy lost");
  assert_true(energy_loss("{type: gssss, rho_infinity: 0.5}") > 0.05);
}

/* A mass turns evenly on a spring so stiff that the steps do not follow its vibration: m v^2/r = 6 N. Members that satisfy the
 * equations within the step have it off by (L2 - W1^2/2) h^2 q'' (30 N in the spring); the reaction allows for that. */
static void test_held_by_stiffness(void **state) {
  (void)state;
  static const char *const settings[] = {"", ", rho_infinity: 0.3", ", scheme: wbz",
                                         ", scheme: optimal, rho_infinity: 0.3",
                                         ", conserve: energy-momentum, scheme: midpoint"};
  for (size_t k = 0; k < SN_COUNT(settings); k++) {
    char text[900];
    double force[3];
    run r;
    snprintf(
        text, sizeof text,
        "sinew: 1\nplanar: true\nbodies: {anchor: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}, "
        "mass: {type: point-mass, position: [0.5, 0, 0], mass: 3, velocity: [0, 1, 0]}}\njoints: {weld: {type: fixed, "
        "between: [ground, anchor.center]}}\nforces: {spring: {type: spring, between: [anchor.center, mass], "
        "stiffness: 1e7, length: 0.5-6/1e7}}\noutputs: {force: {reaction: weld}}\nanalysis: {type: dynamics, "
        "duration: 1, integrator: {type: gssss, step: 0.005%s}}\n",
        settings[k]);
    open_run(&r, text, NULL);
    advance(&r, 1);
    read_output(&r, "force", force, 3);
    assert_below(fabs(hypot(force[0], force[1]) / 6 - 1), 0.03, "tension%s", settings[k]);
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_methods),
      cmocka_unit_test(test_consistent),
      cmocka_unit_test(test_roots),
      cmocka_unit_test(test_mid_point),
      cmocka_unit_test(test_uneven_steps),
      cmocka_unit_test(test_orders),
      cmocka_unit_test(test_velocities_at_index_2),
      cmocka_unit_test(test_projection),
      cmocka_unit_test(test_other_stabilizations),
      cmocka_unit_test(test_forms_agree),
      cmocka_unit_test(test_v0_stable),
      cmocka_unit_test(test_u0_fails),
      cmocka_unit_test(test_adaptive),
      cmocka_unit_test(test_not_adaptive),
      cmocka_unit_test(test_symplectic),
      cmocka_unit_test(test_held_by_stiffness),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
