/* sinew.c - Sinew's driver of bench/peers: the public interface alone.
 *
 * Methods of chain and fourbar: NAME with a fixed step, NAME-adaptive with a tolerance; NAME is one of Sinew's integrators.
 * Method of spheres: dvi-E, complementarity to a residual of E m/s.
 */
#define _POSIX_C_SOURCE 200809L
#include <sinew/sinew.h>

#include "problem.h"

const char *const peer_engine = "Sinew";

static int need(sn_context *context, sn_status status) {
  if (status) fprintf(stderr, "%s\n", sn_message(context));
  return status ? 3 : 0;
}

static int open_model(sn_context *context, char *text, const sn_options *options, sn_model **model,
                      sn_simulation **simulation) {
  int code = need(context, sn_model_parse(context, "peers", text, strlen(text), NULL, 0, model));
  if (!code) code = need(context, sn_simulation_create(*model, options, simulation));
  free(text);
  return code;
}

static char *chain_text(int n) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  fprintf(out, "sinew: 1\ngravity: [0, %g, 0]\nbodies:\n", -PEER_GRAVITY);
  for (int i = 0; i < n; i++)
    fprintf(out,
            "  rod%d: {type: rigid, from: [%g, 0, 0], to: [%g, 0, 0], mass: %g, shape: {type: cylinder, radius: %g}}\n",
            i, i * ROD_LENGTH, (i + 1) * ROD_LENGTH, ROD_MASS, ROD_RADIUS);
  fprintf(out, "joints:\n  j0: {type: spherical, between: [ground, rod0.start]}\n");
  for (int i = 1; i < n; i++)
    fprintf(out, "  j%d: {type: spherical, between: [rod%d.end, rod%d.start]}\n", i, i - 1, i);
  fprintf(out, "outputs: {point: {point: rod%d.end}}\n", n - 1);
  fprintf(out, "analysis: {type: dynamics, duration: %g}\n", DURATION);
  fclose(out);
  return text;
}

/* Run it to the end; the output `point` there, and `end` if it is wanted. */
static int run_text(const peer_task *task, char *text, double point[3], double end[3], peer_answer *answer) {
  char name[64];
  snprintf(name, sizeof name, "%s", task->method);
  char *adaptive = strstr(name, "-adaptive");
  if (adaptive) *adaptive = 0;
  sn_options options;
  sn_default_options(&options, sizeof options);
  options.integrator = name;
  *(adaptive ? &options.tolerance : &options.step) = task->setting;
  sn_context *context = sn_context_create();
  sn_model *model = NULL;
  sn_simulation *simulation = NULL;
  int code = open_model(context, text, &options, &model, &simulation);
  double start = peer_cpu();
  for (answer->steps = 0; !code && !sn_finished(simulation); answer->steps++) code = need(context, sn_step(simulation));
  answer->cpu = peer_cpu() - start;
  double value[16];
  if (!code && sn_read(simulation, "point", value, 16) < 3) code = 3;
  if (!code) memcpy(point, value, 3 * sizeof *point);
  if (!code && end && sn_read(simulation, "end", value, 16) < 3) code = 3;
  if (!code && end) memcpy(end, value, 3 * sizeof *end);
  sn_simulation_free(simulation);
  sn_model_free(model);
  sn_context_free(context);
  return code;
}

static int peer_chain(const peer_task *task, peer_answer *answer) {
  return run_text(task, chain_text(task->n), answer->tip, NULL, answer);
}

/* Four hinges in space: three of their equations are redundant, and Sinew finds that. */
static char *fourbar_text(const peer_bar bar[BARS]) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  fprintf(out, "sinew: 1\ngravity: [0, %g, 0]\nbodies:\n", -PEER_GRAVITY);
  for (int k = 0; k < BARS; k++)
    fprintf(
        out,
        "  bar%d: {type: rigid, from: [%.17g, %.17g, 0], to: [%.17g, %.17g, 0], mass: %.17g, inertia: [%.17g, %.17g, "
        "%.17g]}\n",
        k, bar[k].from[0], bar[k].from[1], bar[k].to[0], bar[k].to[1], bar[k].mass, bar[k].inertia, bar[k].inertia,
        bar[k].inertia);
  fprintf(out,
          "joints:\n  O: {type: revolute, between: [ground, bar0.start], axis: [0, 0, 1]}\n"
          "  A: {type: revolute, between: [bar0.end, bar1.start], axis: [0, 0, 1]}\n"
          "  B: {type: revolute, between: [bar1.end, bar2.start], axis: [0, 0, 1]}\n"
          "  D: {type: revolute, between: [ground, bar2.end], axis: [0, 0, 1]}\n"
          "forces: {motor: {type: actuator, joint: O, command: %g - %g*O.rate}}\n"
          "outputs: {point: {point: bar1.center}, end: {point: bar2.end}}\n"
          "analysis: {type: dynamics, duration: %g}\n",
          MOTOR_MOMENT, MOTOR_DROP, DURATION);
  fclose(out);
  return text;
}

static int peer_fourbar(const peer_task *task, peer_answer *answer) {
  peer_bar bar[BARS];
  double middle[3], end[3];
  peer_bars(bar);
  int code = run_text(task, fourbar_text(bar), middle, end, answer);
  if (!code) peer_linkage(bar, middle, end, answer);
  return code;
}

static char *spheres_text(int n, double step, const char *tolerance) {
  char *text = NULL;
  size_t size = 0;
  uint64_t seed = 1;
  FILE *out = open_memstream(&text, &size);
  fprintf(out, "sinew: 1\ngravity: [0, %g, 0]\nbodies:\n", -PEER_GRAVITY);
  for (int i = 0; i < n * n * n; i++) {
    double r[3];
    peer_place(n, i, &seed, r);
    fprintf(out, "  b%d: {type: rigid, position: [%.9f, %.9f, %.9f], mass: %g, shape: {type: sphere, radius: %g}}\n", i,
            r[0], r[1], r[2], SPHERE_MASS, SPHERE_RADIUS);
  }
  fprintf(out, "surfaces:\n");
  for (int i = 0; i < n * n * n; i++) fprintf(out, "  s%d: {type: sphere, on: b%d}\n", i, i);
  fprintf(out,
          "  floor: {type: plane, normal: [0, 1, 0]}\n  west: {type: plane, normal: [1, 0, 0]}\n"
          "  south: {type: plane, normal: [0, 0, 1]}\n  east: {type: plane, at: [%g, 0, 0], normal: [-1, 0, 0]}\n"
          "  north: {type: plane, at: [0, 0, %g], normal: [0, 0, -1]}\n",
          peer_side(n), peer_side(n));
  fprintf(
      out,
      "contacts: {all: {method: dvi, friction: %g, activation: 0.002}}\n"
      "analysis: {type: dynamics, duration: 100, integrator: {type: symplectic-euler, step: %g, contact_limit: 100, "
      "contact_tolerance: %s}}\n",
      SPHERE_FRICTION, step, tolerance);
  fclose(out);
  return text;
}

static int read_spheres(sn_context *context, sn_simulation *simulation, int n, peer_answer *answer) {
  for (int i = 0; i < n * n * n; i++) {
    char name[24];
    size_t marker;
    snprintf(name, sizeof name, "b%d.center", i);
    int code = need(context, sn_find_marker(simulation, name, &marker));
    if (!code) code = need(context, sn_marker_motion(simulation, marker, answer->place[i], answer->run[i]));
    if (code) return code;
  }
  return 0;
}

static int peer_spheres(const peer_task *task, peer_answer *answer) {
  if (strncmp(task->method, "dvi-", 4) != 0) return 2;
  sn_context *context = sn_context_create();
  sn_model *model = NULL;
  sn_simulation *simulation = NULL;
  char *text = spheres_text(task->n, task->setting, task->method + 4);
  int code = open_model(context, text, NULL, &model, &simulation);
  for (int i = 0; !code && i < SETTLE_STEPS; i++) code = need(context, sn_step(simulation));
  double start = peer_cpu();
  for (int i = 0; !code && i < TIMED_STEPS; i++) code = need(context, sn_step(simulation));
  answer->cpu = peer_cpu() - start;
  answer->steps = TIMED_STEPS;
  if (!code) code = read_spheres(context, simulation, task->n, answer);
  sn_simulation_free(simulation);
  sn_model_free(model);
  sn_context_free(context);
  return code;
}
