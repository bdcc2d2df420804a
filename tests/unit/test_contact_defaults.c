/* test_contact_defaults.c - rigid bodies in contact as a beginner writes them: no integrator, no tolerance, no contact
 * settings but friction. The closed form holds, and the verdict is good. */
#include "run/trial.h"
#include "support.h"

#define G 9.81

typedef struct scene {
  const char *name, *slope, *body, *surface, *friction;
  double duration;
} scene;

static const char text[] =
    "sinew: 1\nparameters: {a: %s}\ngravity: [9.81*sin(a), 0, -9.81*cos(a)]\n"
    "materials: {wood: {density: 700, young: 1e10, poisson: 0.3}}\n"
    "bodies: {b: {type: rigid, density: 700, %s}}\n"
    "surfaces: {skin: {type: %s, on: b, material: wood}, floor: {type: plane, normal: [0, 0, 1], material: wood}}\n"
    "contacts: {touch: {friction: %s}}\noutputs: {b: {point: b.center}}\n"
    "analysis: {type: dynamics, duration: %g, output_step: 0.01}\n";

static const char box[] = "position: [0, 0, 0.05], shape: {type: box, size: [0.2, 0.15, 0.1]}";
static const char ball[] = "position: [0, 0, 0.05], shape: {type: sphere, radius: 0.05}";
static const char cue[] = "position: [0, 0, 0.03], velocity: [2, 0, 0], shape: {type: sphere, radius: 0.03}";

/* x of the center at the end of a run that is called good. */
static double ends_at(const scene *it) {
  char words[1024];
  sn_context *context = sn_context_create();
  sn_trial trial;
  snprintf(words, sizeof words, text, it->slope, it->body, it->surface, it->friction, it->duration);
  sn_model *model = parse(context, words);
  sn_trial_run(model, &(sn_options){0}, &trial);
  assert_int_equal(trial.status, SN_OK);
  if (trial.trust != SN_GOOD) fail_msg("%s: %s", it->name, trial.reasons);
  const double x = trial.output[(trial.rows - 1) * trial.outputs];
  sn_trial_free(&trial);
  sn_model_free(model);
  sn_context_free(context);
  return x;
}

/* a = g (sin - mu cos) */
static void block_slides(void **state) {
  (void)state;
  const double x = ends_at(&(scene){"block", "0.5", box, "box", "0.3", 1});
  assert_below(fabs(x - 0.5 * G * (sin(0.5) - 0.3 * cos(0.5))), 1e-5, "way of a block");
}

/* a = 5/7 g sin, and a creep below `slip` of 1e-3 m/s */
static void ball_rolls(void **state) {
  (void)state;
  const double x = ends_at(&(scene){"ball", "0.3", ball, "sphere", "0.5", 0.5});
  assert_below(fabs(x - 0.125 * 5 / 7 * G * sin(0.3)), 1e-3 * 0.5, "way of a ball");
}

/* v = 5/7 v0 after 2 v0/(7 mu g) */
static void billiard_ball_grips(void **state) {
  (void)state;
  const double end = 2 * 2 / (7 * 0.2 * G);
  const double x = ends_at(&(scene){"billiard ball", "0", cue, "sphere", "0.2", 0.6});
  assert_below(fabs(x - (2 * end - 0.1 * G * end * end + 10.0 / 7 * (0.6 - end))), 1e-4, "way of a billiard ball");
}

/* Three boxes at rest sink by micrometers, less than the tolerance: energy errors of this way are no errors. */
static void stack_at_rest(void **state) {
  (void)state;
  sn_context *context = sn_context_create();
  sn_trial trial;
  sn_model *model = parse(
      context,
      "sinew: 1\ngravity: [0, 0, -9.81]\nmaterials: {wood: {density: 700, young: 1e10, poisson: 0.3}}\n"
      "bodies: {a: {type: rigid, position: [0, 0, 0.05], density: 700, shape: {type: box, size: [0.1, 0.1, 0.1]}}, "
      "b: {type: rigid, position: [0, 0, 0.15], density: 700, shape: {type: box, size: [0.1, 0.1, 0.1]}}, "
      "c: {type: rigid, position: [0, 0, 0.25], density: 700, shape: {type: box, size: [0.1, 0.1, 0.1]}}}\n"
      "surfaces: {a: {type: box, on: a, material: wood}, b: {type: box, on: b, material: wood}, c: {type: box, "
      "on: c, material: wood}, floor: {type: plane, normal: [0, 0, 1], material: wood}}\n"
      "contacts: {all: {friction: 0.5, restitution: 0.3, impact_speed: 0.1}}\noutputs: {c: {point: c.center}}\n"
      "analysis: {type: dynamics, duration: 0.5, output_step: 0.01, companion: false}\n");
  sn_trial_run(model, &(sn_options){0}, &trial);
  assert_int_equal(trial.status, SN_OK);
  if (trial.trust != SN_GOOD) fail_msg("%s", trial.reasons);
  assert_below(fabs(trial.output[(trial.rows - 1) * trial.outputs + 2] - 0.25), 2e-5, "height of the third box");
  sn_trial_free(&trial);
  sn_model_free(model);
  sn_context_free(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(block_slides),
      cmocka_unit_test(ball_rolls),
      cmocka_unit_test(billiard_ball_grips),
      cmocka_unit_test(stack_at_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
