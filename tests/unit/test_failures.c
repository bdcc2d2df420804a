/* test_failures.c - every way to fail that has a name: the message tells when, where, why and possible remedy.
 *
 * That every integrator keeps its last good state when it fails: test_integrators.c; schur: test_newton.c.
 */
#include <unistd.h>

#include "analysis/trust_remedy.h"
#include "run/record.h"
#include "run/trial.h"
#include "support.h"

#define HEAD "sinew: 1\ngravity: [0, -9.81, 0]\n"
#define ROD \
  "  rod: {type: rigid, from: [0, 0, 0], to: [0.6, -0.8, 0], mass: 1, shape: {type: cylinder, radius: 0.05}}\n"

/* A driver that is somewhere else all at once. */
static const char jump[] = HEAD
    "bodies:\n" ROD
    "  arm: {type: rigid, from: [0.6, -0.8, 0], to: [1.6, -0.8, 0], mass: 1, shape: {type: cylinder, radius: 0.05}}\n"
    "joints:\n"
    "  hinge: {type: revolute, between: [ground, rod.start], axis: [0, 0, 1]}\n"
    "  elbow: {type: revolute, between: [rod.end, arm.start], axis: [0, 0, 1]}\n"
    "  pull: {type: motion, joint: elbow, rotation: 'if(t < 0.1, 0, 0.5)'}\n";

/* A driver that pulls the rod straight, where hinge and driver say the same, and beyond. */
static const char stretched[] =
    HEAD "bodies:\n" ROD
         "joints:\n"
         "  hinge: {type: revolute, between: [ground, rod.start], axis: [0, 0, 1]}\n"
         "  drag: {type: motion, between: ['ground.at(0, 0, 0)', rod.end], axis: [1, 0, 0], translation: 2*t}\n";

/* Two rods in a line that a third joint holds: it repeats the others at the start, and contradicts them later. */
static const char repeated[] = HEAD
    "bodies:\n"
    "  rod: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 1, shape: {type: cylinder, radius: 0.05}}\n"
    "  arm: {type: rigid, from: [1, 0, 0], to: [2, 0, 0], mass: 1, shape: {type: cylinder, radius: 0.05}}\n"
    "joints:\n"
    "  hinge: {type: revolute, between: [ground, rod.start]}\n"
    "  elbow: {type: revolute, between: [rod.end, arm.start]}\n"
    "  reach: {type: distance, between: ['ground.at(0, 0, 0)', arm.center]}\n";

typedef struct failure {
  const char *model, *integrator;
  const char *words[4]; /* all of them */
} failure;

#define JUMP_WORDS \
  { "t = 0.1 s", "'pull' jumps by 0.5", "possible remedy: a smooth driver" }
#define STRETCHED_WORDS \
  { "t = 0.2 s", "singular position: 'rod' is redundant", "possible remedy: initial positions or a driver" }
#define MIN_WORDS \
  { "t = 0 s", "0.001 s", "possible remedy: a min_step below 0.001 s" }
#define ROUND_WORDS \
  { "t = ", "possible remedy: a larger tolerance" }

static const failure failures[] = {
    {jump, "{type: newmark, bounds: step, tolerance: 1e-6}", JUMP_WORDS},
    {jump, "{type: hht-i3, tolerance: 1e-6}", JUMP_WORDS},
    {jump, "{type: hht-add, tolerance: 1e-6}", JUMP_WORDS},
    {jump, "{type: hht-si2, tolerance: 1e-6}", JUMP_WORDS},
    {jump, "{type: nstiff, tolerance: 1e-6}", JUMP_WORDS},
    {jump, "{type: gssss, tolerance: 1e-6}", JUMP_WORDS},
    {jump, "{type: ida, tolerance: 1e-6}", JUMP_WORDS},
    {jump, "{type: radau5, tolerance: 1e-6}", JUMP_WORDS},
    {jump, "{type: gam, tolerance: 1e-6}", JUMP_WORDS},
    {stretched, "{type: newmark, bounds: step, tolerance: 1e-6}", STRETCHED_WORDS},
    {stretched, "{type: hht-i3, bounds: step, tolerance: 1e-6}", STRETCHED_WORDS},
    {stretched, "{type: hht-add, bounds: step, tolerance: 1e-6}", STRETCHED_WORDS},
    {stretched, "{type: hht-si2, bounds: step, tolerance: 1e-6}", STRETCHED_WORDS},
    {stretched, "{type: nstiff, bounds: step, tolerance: 1e-6}", STRETCHED_WORDS},
    {stretched, "{type: nstiff-si2, bounds: step, tolerance: 1e-6}", STRETCHED_WORDS},
    {stretched, "{type: gssss, bounds: step, tolerance: 1e-6}", STRETCHED_WORDS},
    {stretched, "{type: ida, tolerance: 1e-6}", STRETCHED_WORDS},
    {stretched, "{type: erk, tolerance: 1e-6}", STRETCHED_WORDS},
    {stretched, "{type: radau5, tolerance: 1e-6}", STRETCHED_WORDS},
    {stretched, "{type: radau, tolerance: 1e-6}", STRETCHED_WORDS},
    {stretched, "{type: gam, tolerance: 1e-6}", STRETCHED_WORDS},
    {repeated,
     "{type: hht-si2, tolerance: 1e-6}",
     {"no convergence", "were redundant at the start", "possible remedy"}},
    {"models/pendulum.yaml", "{type: hht-i3, tolerance: 1e-9, min_step: 1e-3}", MIN_WORDS},
    {"models/pendulum.yaml", "{type: nstiff, tolerance: 1e-9, min_step: 1e-3}", MIN_WORDS},
    {"models/pendulum.yaml", "{type: gssss, tolerance: 1e-9, min_step: 1e-3}", MIN_WORDS},
    {"models/pendulum.yaml", "{type: radau5, tolerance: 1e-9, min_step: 1e-3}", MIN_WORDS},
    {"models/pendulum.yaml", "{type: ida, tolerance: 1e-9, min_step: 1e-3}", MIN_WORDS},
    {"models/pendulum.yaml", "{type: adams, tolerance: 1e-9, min_step: 1e-3}", MIN_WORDS},
    {"models/pendulum.yaml", "{type: erk, tolerance: 1e-9, min_step: 1e-3}", MIN_WORDS},
    {"models/pendulum.yaml", "{type: tr-bdf2, tolerance: 1e-9, min_step: 1e-3}", MIN_WORDS},
    {"models/simple-pendulum.yaml", "{type: hht-i3, tolerance: 1e-17}", ROUND_WORDS},
    {"models/simple-pendulum.yaml", "{type: gssss, tolerance: 1e-17}", ROUND_WORDS},
    {"models/simple-pendulum.yaml", "{type: ida, tolerance: 1e-17}", ROUND_WORDS},
    {"models/simple-pendulum.yaml", "{type: adams, tolerance: 1e-17}", ROUND_WORDS},
    {"models/simple-pendulum.yaml", "{type: erk, tolerance: 1e-17}", ROUND_WORDS},
    {"models/simple-pendulum.yaml", "{type: tr-bdf2, tolerance: 1e-17}", ROUND_WORDS},
    {"models/flexible-slider-crank.yaml",
     "{type: gam, order: 7, tolerance: 1e-13}",
     {"t = ", "order 7", "too high for index 3", "possible remedy: order: 3"}},
    {stretched, "{type: adams, tolerance: 1e-6}", {"t = 0.2 s", "constraints cannot be satisfied", "possible remedy"}},
    /* accelerations grow without bound before the position is singular */
    {stretched,
     "{type: tr-bdf2, tolerance: 1e-6}",
     {"t = 0.2 s", "local error exceeds the tolerance", "possible remedy"}},
    {"models/pendulum.yaml",
     "{type: symplectic-euler, step: 2e-3}",
     {"grows without bound", "'beam'", "possible remedy: a step below"}},
    {"models/pendulum.yaml",
     "{type: erk, step: 0.02}",
     {"no solution for the accelerations", "possible remedy: a smaller step"}},
};

static void test_failures(void **state) {
  (void)state;
  for (size_t k = 0; k < SN_COUNT(failures); k++) {
    const failure *f = &failures[k];
    size_t length = strlen(f->model);
    sn_context *context = sn_context_create();
    sn_model *model = NULL;
    sn_simulation *simulation = NULL;
    sn_options options = {.integrator = f->integrator, .until = 1};
    sn_status status = strcmp(f->model + length - 5, ".yaml") == 0
                           ? sn_model_load(context, f->model, NULL, 0, &model)
                           : sn_model_parse(context, "case", f->model, length, NULL, 0, &model);
    assert_int_equal(status, SN_OK);
    status = sn_simulation_create(model, &options, &simulation);
    if (!status) status = sn_advance(simulation, options.until);
    if (status != SN_NUMERICS) fail_msg("case %zu, %s: does not fail (%d)", k, f->integrator, (int)status);
    for (int i = 0; i < 4 && f->words[i]; i++)
      if (!strstr(sn_message(context), f->words[i]))
        fail_msg("case %zu, %s: no '%s' in:\n%s", k, f->integrator, f->words[i], sn_message(context));
    sn_simulation_free(simulation);
    sn_model_free(model);
    sn_context_free(context);
  }
}

/* Joints that come apart are a reason not to trust the run, and only then. */
static void test_drift_is_noted(void **state) {
  (void)state;
  static const struct {
    const char *integrator;
    bool drifts;
  } cases[] = {{"{type: erk, alpha: 0, beta: 0, tolerance: 1e-3}", true},
               {"{type: symplectic-euler, stabilize: none, step: 1e-3}", true},
               {"{type: symplectic-euler, step: 1e-3}", false},
               {"{type: hht-i3, tolerance: 1e-5}", false},
               {"{type: erk, tolerance: 1e-5}", false}};
  for (size_t k = 0; k < SN_COUNT(cases); k++) {
    char path[] = "/tmp/sinew-drift-XXXXXX";
    run r;
    sn_writer *writer;
    sn_options options = {.integrator = cases[k].integrator};
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    open_run(&r, "models/simple-pendulum.yaml", &options);
    assert_int_equal(sn_writer_open(r.simulation, path, &writer), SN_OK);
    assert_int_equal(sn_record(r.simulation, writer, NULL, NULL), SN_OK);
    assert_int_equal(sn_writer_close(writer, SN_OK, ""), SN_OK);
    sn_result *result;
    assert_int_equal(sn_result_open(r.context, path, &result), SN_OK);
    bool noted = strstr(sn_result_about(result)->reasons, "joints are violated") != NULL;
    if (noted != cases[k].drifts) fail_msg("%s: %s", cases[k].integrator, sn_result_about(result)->reasons);
    sn_result_free(result);
    close_run(&r);
    unlink(path);
  }
}

/* A run whose step is too long for its frequencies is told as such, not by what its huge numbers lead to. */
static void growth_is_told(void **state) {
  (void)state;
  const char *const set[] = {"n=32", "spheres=100", "yc=-0.1", "mu=0.1", "h=1e-3"};
  const sn_options options = {.integrator = "{type: symplectic-euler, step: 1e-3}"};
  sn_context *context = sn_context_create();
  sn_model *model = NULL;
  sn_simulation *simulation = NULL;
  assert_int_equal(sn_model_load(context, "models/pendulum-peg.yaml", set, SN_COUNT(set), &model), SN_OK);
  assert_int_equal(sn_simulation_create(model, &options, &simulation), SN_OK);
  assert_int_equal(sn_run(simulation), SN_NUMERICS);
  if (!strstr(sn_message(context), "grows without bound")) fail_msg("%s", sn_message(context));
  sn_simulation_free(simulation);
  sn_model_free(model);
  sn_context_free(context);
}

/* Steps so long that Newton's method cuts them make energy: a pendulum of 1 kg and 1 m exchanges 9.81 J, and no run goes
 * on to 1e24 J. */
static void divergence_ends_a_run(void **state) {
  (void)state;
  static const char *const models[] = {"models/simple-pendulum.yaml", "models/rigid-pendulum.yaml"};
  static const char *const methods[] = {"hht-i3", "newmark"};
  for (size_t k = 0; k < SN_COUNT(models) * SN_COUNT(methods); k++) {
    sn_context *context = sn_context_create();
    sn_model *model = parse(context, models[k / 2]);
    sn_trial trial;
    sn_trial_run(model, &(sn_options){.integrator = methods[k % 2], .step = 0.2, .until = 20}, &trial);
    assert_int_equal(trial.status, SN_NUMERICS);
    if (!strstr(trial.message, "has diverged before")) fail_msg("%s: %s", methods[k % 2], trial.message);
    assert_int_equal(trial.trust, SN_BAD);
    sn_trial_free(&trial);
    sn_model_free(model);
    sn_context_free(context);
  }
}

/* "or adaptive steps" is said to methods and settings that can have them, and only to these. */
static void remedies_are_possible(void **state) {
  (void)state;
  static const char *const settings[] = {"type: hht-i3",
                                         "type: radau",
                                         "type: erk",
                                         "type: tr-bdf2",
                                         "type: symplectic-euler",
                                         "type: gssss",
                                         "type: gssss, scheme: midpoint",
                                         "type: gssss, scheme: midpoint, index: 2",
                                         "type: gssss, scheme: newmark, index: 1",
                                         "type: gssss, scheme: midpoint, stabilize: projection",
                                         "type: gssss, conserve: symplectic",
                                         "type: gssss, conserve: energy-momentum",
                                         "type: gssss, scheme: midpoint-v0"};
  static const char *const models[] = {"models/simple-pendulum.yaml", HEAD
                                       "bodies: {bob: {type: point-mass, mass: 1, position: [1, 0, 0]}}\n"
                                       "analysis: {type: dynamics, duration: 1}\n"};
  for (size_t k = 0; k < 2 * SN_COUNT(settings); k++) {
    char fixed[200], adaptive[200];
    run r;
    snprintf(fixed, sizeof fixed, "{%s, step: 1e-3}", settings[k / 2]);
    snprintf(adaptive, sizeof adaptive, "{%s%s}", settings[k / 2],
             strstr(settings[k / 2], "euler") ? "" : ", tolerance: 1e-5");
    open_run(&r, models[k % 2], &(sn_options){.integrator = fixed});
    const bool said = strstr(sn_remedy_accuracy(r.simulation), "adaptive") != NULL;
    close_run(&r);
    sn_simulation *simulation = NULL;
    r = (run){.context = sn_context_create()};
    r.model = parse(r.context, models[k % 2]);
    const bool can = sn_simulation_create(r.model, &(sn_options){.integrator = adaptive}, &simulation) == SN_OK;
    if (said != can)
      fail_msg("{%s}, model %zu: said %d, can %d: %s", settings[k / 2], k % 2, said, can, sn_message(r.context));
    sn_simulation_free(simulation);
    sn_model_free(r.model);
    sn_context_free(r.context);
  }
}

/* Solvers with dense matrices refuse what is too large for them, with the way out. */
static void too_many_contacts_are_told(void **state) {
  (void)state;
  static const char text[] = HEAD
      "materials: {m: {density: 1000, young: 1e7}}\nsections: {s: {type: circle, radius: 0.005}}\n"
      "bodies: {line: {type: cable, from: [0, 0.005, 0], to: [1, 0.005, 0], elements: 10, material: m, section: s}}\n"
      "surfaces: {floor: {type: plane, normal: [0, 1, 0]}, skin: {type: spheres, on: line, count: 250}}\n"
      "contacts: {all: {method: dvi, friction: 0.3, points: all}}\n"
      "analysis: {type: dynamics, duration: 0.1, integrator: {type: symplectic-euler, step: 1e-4, contact_solver: "
      "lemke}}\n";
  run r;
  open_run(&r, text, NULL);
  assert_int_equal(sn_run(r.simulation), SN_NUMERICS);
  const char *message = sn_message(r.context);
  if (!strstr(message, "at most 200 connected contacts") || !strstr(message, "apgd")) fail_msg("%s", message);
  close_run(&r);
}

/* ---- singular positions ---- */

/* The double four-bar linkage passes its flat position every swing, in which its constraints lose rank, and so do
 * positions: they are known to the root of rounding. It has no losses (the energy of the start is exact, and the
 * couplers are never slower than at the top): each method at a step of 1 ms, with an energy error of its order. */
static void test_flat_position(void **state) {
  (void)state;
  static const struct {
    const char *integrator;
    double error; /* J, of 70 */
  } methods[] = {{"hht-i3", 0.01},
                 {"hht-si2", 0.01},
                 {"nstiff", 0.02},
                 {"nstiff-si2", 0.02},
                 {"newmark", 2},
                 {"gssss", 1e-3},
                 {"radau5", 1e-6},
                 {"radau", 1e-6},
                 {"gam", 1e-4},
                 {"erk", 1e-6},
                 {"hht-add", 0.01},
                 {"{type: gssss, stabilize: projection}", 1e-3},
                 {"{type: gssss, index: 2, stabilize: projection}", 1e-3},
                 {"{type: gssss, index: 1, stabilize: baumgarte}", 1e-3},
                 {"{type: gssss, scheme: midpoint}", 1e-3},
                 {"{type: gssss, scheme: midpoint-v0}", 1e-3},
                 {"{type: gssss, conserve: energy-momentum}", 1e-6}};
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    run r;
    double energy[SN_ENERGIES];
    sn_options options = {.integrator = methods[k].integrator, .step = 1e-3, .until = 3};
    open_run(&r, "models/double-four-bar.yaml", &options);
    advance(&r, 3);
    sn_read(r.simulation, "energy", energy, SN_ENERGIES);
    assert_below(fabs(energy[SN_E_ERROR]), methods[k].error, "%s: energy error", methods[k].integrator);
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_failures),         cmocka_unit_test(growth_is_told),
      cmocka_unit_test(test_drift_is_noted),   cmocka_unit_test(too_many_contacts_are_told),
      cmocka_unit_test(test_flat_position),    cmocka_unit_test(divergence_ends_a_run),
      cmocka_unit_test(remedies_are_possible),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
