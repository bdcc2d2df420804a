/* test_measured.c - stress resultants, reactions, energies, springs and outputs in expressions.
 *
 * References: closed forms, named at each test; the output that records the same quantity. Derivatives: tangents of
 * tests/unit/cases.c (test_conformance); here the order of methods and the convergence of Newton's method. */
#include "analysis/linearize.h"
#include "run/trial.h"
#include "support.h"

static void start(run *r, const char *text, const char *integrator, double tolerance, double step) {
  sn_options options = {.integrator = integrator, .tolerance = tolerance, .step = step};
  open_run(r, text, &options);
}

static double value(run *r, const char *output, int column) {
  double y[16] = {0};
  assert_true(sn_read(r->simulation, output, y, 16) > (size_t)column);
  return y[column];
}

#define ANALYSIS(duration) "analysis: {type: dynamics, duration: " #duration ", output_step: 0.01}\n"

/* A carriage on a rail, pushed by F and held back by mu N, N the reaction of the rail, which a force P(t) presses down:
 * 2 x'' = 30 - 0.3 (20 + 8 t) exactly while it moves, and no method has more than twice the error it has with that function of time. */
#define CARRIAGE(planar, force)                                                                                    \
  "sinew: 1\n" planar                                                                                              \
  "gravity: [0, -10, 0]\nbodies: {box: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [1, 1, 1]}}\njoints: " \
  "{rail: {type: prismatic, between: [ground, box.center], axis: [1, 0, 0]}}\nforces: {push: {type: force, at: "   \
  "box.center, force: ['" force                                                                                    \
  "', '-8*t', 0]}}\noutputs: {box: {point: box.center}, rail: {reaction: rail}}\n" ANALYSIS(1)
#define OF_REACTION "30 - 0.3*rail.reaction.fy"
#define OF_TIME "30 - 0.3*(20 + 8*t)"

static void force_of_a_reaction(void **state) {
  (void)state;
  static const char *const methods[] = {"radau",  "hht-i3",     "hht-si2", "ida",     "erk", "adams",
                                        "nstiff", "nstiff-si2", "gssss",   "newmark", "gam", "tr-bdf2"};
  static const char *const models[][2] = {
      {CARRIAGE("", OF_REACTION), CARRIAGE("", OF_TIME)},
      {CARRIAGE("planar: true\n", OF_REACTION), CARRIAGE("planar: true\n", OF_TIME)}};
  for (size_t i = 0; i < SN_COUNT(models); i++)
    for (size_t k = 0; k < SN_COUNT(methods); k++) {
      double x[2];
      for (int of = 0; of < 2; of++) {
        run r;
        start(&r, models[i][of], methods[k], 1e-8, 0);
        advance(&r, 1);
        assert_below(fabs(value(&r, "rail", 1) - 28), 1e-5, "%s: reaction", methods[k]);
        x[of] = value(&r, "box", 0);
        close_run(&r);
      }
      const double exact = 12 * 0.5 - 0.3 * 8 / 2.0 / 6;
      assert_below(fabs(x[0] - exact), 2 * fabs(x[1] - exact) + 1e-9, "%s: place", methods[k]);
    }
}

/* Errors of fixed steps on a pendulum whose hinge has a moment -mu |F| tanh(w) fall as those of the method, and of those
 * with stages at index 3 (radau, gam) as those of their multipliers, of third order. Reference: erk with short steps. */
static double pendulum(const char *method, double step) {
  run r;
  start(&r,
        "sinew: 1\nplanar: true\ngravity: [0, -9.81, 0]\nbodies: {rod: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], "
        "mass: 1, inertia: [0.01, 0.0833, 0.0833]}}\njoints: {pin: {type: revolute, between: [ground, rod.start]}}\n"
        "forces: {rub: {type: moment, at: rod.center, moment: [0, 0, -0.05*pin.reaction.force*tanh(pin.rate)]}}\n"
        "outputs: {pin: {joint: pin}}\n" ANALYSIS(0.5),
        method, 0, step);
  advance(&r, 0.5);
  const double angle = value(&r, "pin", 0);
  close_run(&r);
  return angle;
}

static void methods_keep_their_order(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double step, least;
  } method[] = {{"hht-i3", 0.0125, 3.6}, {"gssss", 0.0125, 3.6}, {"tr-bdf2", 0.0125, 3.6},
                {"radau", 0.025, 7},     {"gam", 0.025, 7},      {"erk", 0.025, 16}};
  const double exact = pendulum("erk", 0.003125);
  for (size_t k = 0; k < SN_COUNT(method); k++) {
    const double coarse = fabs(pendulum(method[k].name, method[k].step) - exact);
    const double fine = fabs(pendulum(method[k].name, method[k].step / 2) - exact);
    if (!(fine * method[k].least < coarse)) fail_msg("%s: errors %g and %g", method[k].name, coarse, fine);
  }
}

/* A cantilever whose tip moment is fed back from the moment at its root, M_tip = -g M_root + m: with M constant along
 * the beam (no other load) M = m/(1 + g), in statics to the accuracy of the element's moment. */
static void feedback_of_a_root_moment(void **state) {
  (void)state;
  static const char *const beams[] = {"cable, elements: 4", "beam, elements: 4"};
  for (size_t i = 0; i < SN_COUNT(beams); i++) {
    char text[1024];
    const bool cable = i == 0;
    snprintf(
        text, sizeof text,
        "sinew: 1\nmaterials: {m: {density: 1000, young: 1e7, poisson: 0}}\nsections: {s: {type: rectangle, width: "
        "0.02, height: 0.02}}\nbodies: {beam: {type: %s, from: [0, 0, 0], to: [1, 0, 0], material: m, section: s%s}}\n"
        "joints: {clamp: {type: fixed, between: [ground, beam.start]}}\noutputs: {root: {resultant: beam.start%s}, "
        "middle: {resultant: beam.at(0.5)%s}}\nforces: {tip: {type: moment, at: beam.end, moment: [0, 0, '0.02 - "
        "0.5*root.%s']}}\nanalysis: {type: statics}\n",
        beams[i], cable ? "" : ", elastic: elastic-line", cable ? ", about: [0, 0, 1]" : "",
        cable ? ", about: [0, 0, 1]" : "", cable ? "M" : "Mz");
    run r;
    open_run(&r, text, NULL);
    assert_int_equal(sn_run(r.simulation), SN_OK);
    assert_below(fabs(value(&r, "root", cable ? 2 : 5) - 0.02 / 1.5), 0.02 * 2e-3, "%s: root", beams[i]);
    assert_below(fabs(value(&r, "middle", cable ? 2 : 5) - 0.02 / 1.5), 0.02 * 2e-3, "%s: middle", beams[i]);
    close_run(&r);
  }
}

/* Energy shaping: a moment -k (E - E0) phi' makes E' = -k (E - E0) phi'^2; E ends at E0, and along the way
 * E - E0 = (E(0) - E0) exp(-k int phi'^2 dt), whose integral is a differential variable. */
static void energy_shaping(void **state) {
  (void)state;
  for (int planar = 0; planar < 2; planar++) {
    char text[2048];
    snprintf(
        text, sizeof text,
        "sinew: 1\n%sgravity: [0, -9.81, 0]\nparameters: {E0: 2}\nbodies: {rod: {type: rigid, from: [0, 0, 0], to: "
        "[0, -1, 0], mass: 1, inertia: [0.0833, 0.001, 0.0833], angular_velocity: [0, 0, 0.5]}}\njoints: {pin: "
        "{type: revolute, between: [ground, rod.start]}}\nvariables: {s: {rate: pin.rate^2}, E: {value: "
        "model.energy}, T: {value: rod.kinetic_energy}}\nforces: {swing: {type: moment, at: rod.center, moment: [0, "
        "0, '-0.4*(rod.energy - E0)*pin.rate']}}\noutputs: {pin: {joint: pin}}\n" ANALYSIS(3),
        planar ? "planar: true\n" : "");
    run r;
    start(&r, text, "radau", 1e-10, 0);
    const double E1 = value(&r, "E", 0);
    assert_below(fabs(E1 - (0.5 * (0.0833 + 0.25) * 0.25 - 9.81 * 0.5)), 1e-9, "energy at the start");
    advance(&r, 3);
    const double E = value(&r, "E", 0), s = value(&r, "s", 0), w = value(&r, "pin", 1);
    assert_below(fabs(value(&r, "T", 0) - 0.5 * (0.0833 + 0.25) * w * w), 1e-7, "kinetic energy");
    assert_below(fabs(E - 2 - (E1 - 2) * exp(-0.4 * s)), 1e-7, "energy along the way");
    close_run(&r);
  }
}

/* What expressions give is what outputs record: resultants, reactions, springs, in a moving model. Expressions do not know
 * the loads along an element: compared where these change no moment, at (1 - 1/sqrt(3))/2 of an element. */
static void expressions_are_outputs(void **state) {
  (void)state;
  run r;
  start(&r,
        "sinew: 1\ngravity: [0, -9.81, 0]\nmaterials: {m: {density: 1000, young: 1e7, poisson: 0.3}}\nsections: {s: "
        "{type: rectangle, width: 0.02, height: 0.03}}\nbodies: {arm: {type: beam, from: [0, 0, 0], to: [1, 0, 0], "
        "elements: 4, material: m, section: s}, box: {type: rigid, position: [1.2, 0, 0], mass: 0.1, inertia: [1e-3, "
        "1e-3, 2e-3]}, rope: {type: cable, from: [1.2, 0, 0], to: [1.2, 0, 0.5], elements: 3, material: m, section: "
        "s}}\njoints: {hinge: {type: revolute, between: [ground, arm.start], axis: [0, 0, 1]}, weld: {type: fixed, "
        "between: [arm.end, box]}, tie: {type: spherical, between: [box.center, rope.start]}}\nforces: {s: {type: "
        "spring, between: ['ground.at(0, 0.5, 0)', box.center], stiffness: 20, damping: 1, length: 1, force: "
        "5*stretch^3}, u: {type: torsion-spring, joint: hinge, stiffness: 2, damping: 0.1, angle: 0.1}}\noutputs: {w: "
        "{reaction: weld}, wj: {reaction: weld, frame: joint}, N: {resultant: arm.at(0.3028312163512968)}, k: "
        "{resultant: "
        "rope.at(0.4037749551350624), about: [1, 0, 0]}, s: {spring: s}, u: {spring: u}, a: {expression: "
        "'weld.reaction.mz - w.mz + "
        "weld.reaction.x'}, b: {expression: wj.my}, c: {expression: arm.at(0.3028312163512968).Mz}, d: {expression: "
        "k.M}, e: "
        "{expression: s.force}, f: {expression: s.length}, g: {expression: u.moment}, h: {expression: u.angle}, i: "
        "{expression: 2*c.value}}\n" ANALYSIS(0.2),
        "radau", 1e-7, 0);
  advance(&r, 0.2);
  static const struct {
    const char *expression, *output;
    int column;
    double factor;
  } pair[] = {{"a", "w", 0, 1}, {"b", "wj", 4, 1}, {"c", "N", 5, 1}, {"d", "k", 2, 1}, {"e", "s", 1, 1},
              {"f", "s", 0, 1}, {"g", "u", 1, 1},  {"h", "u", 0, 1}, {"i", "N", 5, 2}};
  for (size_t k = 0; k < SN_COUNT(pair); k++) {
    const double y = value(&r, pair[k].output, pair[k].column), x = value(&r, pair[k].expression, 0);
    assert_true(fabs(y) > 1e-9);
    assert_below(fabs(x - pair[k].factor * y), 1e-9 * fmax(1, fabs(y)), "%s and %s", pair[k].expression,
                 pair[k].output);
  }
  close_run(&r);
}

/* Energies of the bodies add up to that of the model, which is that of the audit; also where a batch has several bodies
 * whose elements do not begin at a multiple of eight. */
static void energies_add_up(void **state) {
  (void)state;
  run r;
  start(&r,
        "sinew: 1\ngravity: [0, -9.81, 0]\nmaterials: {m: {density: 1000, young: 1e6, poisson: 0.3}}\nsections: {s: "
        "{type: rectangle, width: 0.02, height: 0.03}}\nbodies: {a: {type: cable, from: [0, 0, 0], to: [1, 0, 0], "
        "elements: 5, material: m, section: s}, b: {type: cable, from: [1, 0, 0], to: [2, 0, 0], elements: 11, "
        "material: m, section: s}, c: {type: rigid, position: [2, 0, 0], mass: 1, inertia: [0.1, 0.2, 0.3]}, d: {type: "
        "point-mass, position: [0, 0, 1], velocity: [1, 2, 0], mass: 3}}\njoints: {p: {type: spherical, between: "
        "[ground, a.start]}, q: {type: spherical, between: [a.end, b.start]}, r: {type: spherical, between: [b.end, "
        "c.center]}}\noutputs: {sum: {expression: a.energy + b.energy + c.energy + d.energy}, all: {expression: "
        "model.energy}, T: {expression: a.kinetic_energy + b.kinetic_energy + c.kinetic_energy + "
        "d.kinetic_energy}}\n" ANALYSIS(0.3),
        "radau", 1e-6, 0);
  advance(&r, 0.3);
  double e[SN_ENERGIES];
  read_output(&r, "energy", e, SN_ENERGIES);
  const double all = value(&r, "all", 0);
  assert_below(fabs(all - value(&r, "sum", 0)), 1e-10 * fabs(all), "sum of the bodies");
  assert_below(fabs(value(&r, "T", 0) - e[0]), 1e-10 * e[0], "kinetic energy of the audit");
  close_run(&r);
}

/* Methods whose forces do not contain multipliers say so. */
static void others_refuse_reactions(void **state) {
  (void)state;
  static const char *const methods[] = {"symplectic-euler", "hht-add"};
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    sn_options options = {.integrator = methods[k], .step = 1e-3};
    sn_context *context = sn_context_create();
    sn_model *model = parse(context, CARRIAGE("", OF_REACTION));
    sn_simulation *simulation = NULL;
    const bool refused = sn_simulation_create(model, &options, &simulation) || sn_step(simulation);
    assert_true(refused);
    assert_non_null(strstr(sn_message(context), "depend on reactions"));
    sn_simulation_free(simulation);
    sn_model_free(model);
    sn_context_free(context);
  }
}

/* Linear models contain reactions: N = m g + k x of a rail, friction mu N: x'' = -mu (g + k x/m), w = sqrt(mu k/m). */
static void linearize_sees_reactions(void **state) {
  (void)state;
  run r;
  open_run(
      &r,
      "sinew: 1\nplanar: true\nbodies: {box: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [1, 1, 1]}}\n"
      "joints: {rail: {type: prismatic, between: [ground, box.center], axis: [1, 0, 0]}}\nforces: {press: {type: "
      "force, at: box.center, force: [-0.3*rail.reaction.fy, -50*box.center.x, 0]}}\nanalysis: {type: linearize}\n",
      NULL);
  assert_int_equal(sn_run(r.simulation), SN_OK);
  const sn_linear *linear = r.simulation->linear;
  assert_int_equal(linear->states, 2);
  double most = 0;
  for (int k = 0; k < linear->states; k++) most = fmax(most, fabs(linear->im[k]));
  assert_below(fabs(most - sqrt(0.3 * 50 / 2)), 1e-6, "frequency");
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(force_of_a_reaction),       cmocka_unit_test(methods_keep_their_order),
      cmocka_unit_test(feedback_of_a_root_moment), cmocka_unit_test(energy_shaping),
      cmocka_unit_test(others_refuse_reactions),   cmocka_unit_test(linearize_sees_reactions),
      cmocka_unit_test(expressions_are_outputs),   cmocka_unit_test(energies_add_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
