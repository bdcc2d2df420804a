/* test_callback.c - functions of a host program: forces as functions of the motion, controllers, ends of steps, forces at
 * markers; and what happens when they go wrong. References are the same forces written in the model, and closed forms.
 */
#include "all_methods.h"
#include "support.h"

/* Two masses on a stiff spring with damping, once as expressions of the file, once as functions of the host. */
#define MASSES                                                                                  \
  "sinew: 1\ngravity: [0, -9.81, 0]\n"                                                          \
  "bodies:\n"                                                                                   \
  "  a: {type: rigid, from: [0, 0, 0], to: [0.6, 0, 0], mass: 1.5, inertia: [0.1, 0.2, 0.2]}\n" \
  "joints: {hinge: {type: revolute, between: [ground, a.start], axis: [0, 0, 1]}}\n"            \
  "outputs: {tip: {point: a.end}, angle: {joint: hinge}}\n"
static const char host_model[] = MASSES
    "inputs: {u: {of: [hinge.angle, hinge.rate], unit: N m}}\n"
    "forces: {motor: {type: moment, at: a.center, moment: [0, 0, u]}}\n";
static const char file_model[] = MASSES
    "forces: {motor: {type: moment, at: a.center, moment: [0, 0, '-2e4*hinge.angle - 3*hinge.angle^3 - "
    "2*hinge.rate']}}\n";

typedef struct law {
  bool derivatives;
  long calls;
  int fail_at;      /* call */
  double no_number; /* from this time on */
} law;

static int spring(void *user, double t, const double *x, double *value, double *derivative) {
  law *l = user;
  if (++l->calls == l->fail_at) return 7;
  *value = -2e4 * x[0] - 3 * pow(x[0], 3) - 2 * x[1];
  if (l->no_number > 0 && t >= l->no_number) *value = NAN;
  if (l->derivatives) {
    derivative[0] = -2e4 - 9 * x[0] * x[0];
    derivative[1] = -2;
  }
  return 0;
}

/* Reference: the same law in the file, by the same method; iterations are as many, with derivatives or differences. */
static void test_force_of_the_motion(void **state) {
  (void)state;
  sn_options list[64];
  const int count = all_methods(list);
  for (int i = 0; i < count; i++) {
    double truth[9], y[9];
    run file;
    open_run(&file, file_model, &list[i]);
    advance(&file, 0.1);
    read_output(&file, "tip", truth, 9);
    const long steps = sn_simulation_statistics(file.simulation)->steps,
               iterations = sn_simulation_statistics(file.simulation)->iterations;
    for (int k = 0; k < 2; k++) {
      run r;
      law l = {.derivatives = k == 0};
      double e[SN_ENERGY_COUNT];
      open_run(&r, host_model, &list[i]);
      if (sn_set_input_function(r.simulation, 0, spring, &l)) fail_msg("%s", sn_message(r.context));
      advance(&r, 0.1);
      read_output(&r, "tip", y, 9);
      const sn_statistics *cost = sn_simulation_statistics(r.simulation);
      assert_below(distance(y, truth, 6), 2e-5, "%s, %d", list[i].integrator, k);
      assert_below((double)cost->steps, 1.5 * (double)steps + 20, "%s, %d: steps", list[i].integrator, k);
      assert_below((double)cost->iterations, 1.5 * (double)iterations + 40, "%s, %d: iterations", list[i].integrator,
                   k);
      sn_energies(r.simulation, e);
      double own[SN_ENERGY_COUNT];
      sn_energies(file.simulation, own);
      assert_below(fabs(e[SN_E_APPLIED] - own[SN_E_APPLIED]), 2e-3 * fabs(own[SN_E_APPLIED]) + 1e-5, "%s: work",
                   list[i].integrator);
      close_run(&r);
    }
    close_run(&file);
  }
}

/* A companion of the tangent: df/dx of the host is in the matrix, so that linear models have it: w^2 = k/I. */
static void test_wrong_functions(void **state) {
  (void)state;
  run r;
  law l = {.fail_at = 200};
  open_run(&r, host_model, &(sn_options){.integrator = "radau", .tolerance = 1e-7});
  assert_int_equal(sn_set_input_function(r.simulation, 3, spring, &l), SN_USAGE);
  assert_int_equal(sn_set_input_function(r.simulation, 0, spring, &l), SN_OK);
  assert_int_equal(sn_advance(r.simulation, 1), SN_CALLBACK);
  assert_non_null(strstr(sn_message(r.context), "'u'"));
  assert_non_null(strstr(sn_message(r.context), "error 7"));
  assert_int_equal(l.calls, 200); /* and it is not called again */
  const double t = sn_time(r.simulation);
  assert_true(t > 0 && t < 1);
  assert_int_equal(sn_advance(r.simulation, 0.2), SN_OK); /* it recovers when the function does */
  l.no_number = 0.25;
  assert_int_equal(sn_advance(r.simulation, 1), SN_CALLBACK);
  assert_non_null(strstr(sn_message(r.context), "not finite"));
  assert_true(sn_time(r.simulation) > 0.2 && sn_time(r.simulation) < 0.25 + 1e-6);
  l = (law){.fail_at = 1};
  assert_int_equal(sn_set_input_function(r.simulation, 0, spring, &l), SN_CALLBACK);
  double y[9];
  assert_int_equal(sn_read_output(r.simulation, 0, y), SN_OK); /* without the function */
  assert_int_equal(sn_set_input_function(r.simulation, 0, NULL, NULL), SN_OK);
  assert_int_equal(sn_advance(r.simulation, 0.3), SN_OK);
  close_run(&r);
}

/* A value outside of the range of its input is one that the input cannot have. */
static int large(void *user, double t, const double *x, double *value, double *derivative) {
  (void)user, (void)x, (void)derivative;
  *value = 10 * t;
  return 0;
}

static void test_range(void **state) {
  (void)state;
  run r;
  open_run(&r,
           "sinew: 1\ninputs: {u: {range: [-1, 1]}}\nbodies: {m: {type: point-mass, mass: 2, position: [0, 0, 0]}}\n"
           "forces: {f: {type: force, at: m, force: [u, 0, 0]}}\noutputs: {m: {point: m}}\n",
           &(sn_options){.integrator = "radau", .tolerance = 1e-8});
  assert_int_equal(sn_set_input_function(r.simulation, 0, large, NULL), SN_OK);
  assert_int_equal(sn_advance(r.simulation, 0.09), SN_OK);
  double y[9]; /* x = 10 t^3/12 */
  read_output(&r, "m", y, 9);
  assert_below(fabs(y[0] - 10 * pow(0.09, 3) / 12), 1e-9, "a force of time");
  assert_int_equal(sn_advance(r.simulation, 1), SN_CALLBACK);
  assert_non_null(strstr(sn_message(r.context), "range"));
  close_run(&r);
}

/* Arguments that cannot be. */
static void test_wrong_arguments(void **state) {
  (void)state;
  static const char *const wrong[][2] = {{"u: {of: [u]}", "depends on itself"},
                                         {"u: {of: [2*w]}, w: {of: ['sin(u)']}", "depends on itself"},
                                         {"u: {of: [nobody.x]}", "nobody"},
                                         {"u: {of: t}", "list"}};
  for (size_t k = 0; k < SN_COUNT(wrong); k++) {
    char text[400];
    sn_context *context = sn_context_create();
    sn_model *model;
    snprintf(text, sizeof text,
             "sinew: 1\ninputs: {%s}\nbodies: {m: {type: point-mass, mass: 2, position: [0, 0, 0]}}\n"
             "forces: {f: {type: force, at: m, force: [u, 0, 0]}}\n",
             wrong[k][0]);
    assert_int_equal(sn_model_parse(context, "wrong", text, strlen(text), NULL, 0, &model), SN_BAD_MODEL);
    if (!strstr(sn_message(context), wrong[k][1])) fail_msg("%s", sn_message(context));
    sn_context_free(context);
  }
}

/* ---- controllers ---- */

typedef struct controller {
  double x[64], v[64], t[64];
  int calls, ends, fail_at;
  sn_status nested;
} controller;

static int control(void *user, sn_simulation *s) {
  controller *c = user;
  double y[9];
  if (sn_read_output(s, 0, y)) return 1;
  assert_true(c->calls < 64);
  c->x[c->calls] = y[0], c->v[c->calls] = y[3], c->t[c->calls] = sn_time(s);
  c->nested = sn_step(s);
  if (++c->calls == c->fail_at) return 3;
  return sn_set_input(s, 0, -8 * y[0] - 3 * y[3]);
}

static int count_end(void *user, sn_simulation *s) {
  (void)s;
  ((controller *)user)->ends++;
  return 0;
}

static const char mass_model[] =
    "sinew: 1\ngravity: [0, 0, 0]\ninputs: {u: {default: 0}}\n"
    "bodies: {m: {type: point-mass, mass: 2, position: [1, 0, 0]}}\n"
    "forces: {f: {type: force, at: m, force: [u, 0, 0]}}\noutputs: {m: {point: m}}\n";

/* ---- events ---- */

/* A force of +-4 N on 2 kg, switched at x = 0.5 by the program: parabolas of 1/sqrt(2) s each. */
static const char switch_model[] =
    "sinew: 1\ngravity: [0, 0, 0]\ninputs: {u: {default: -4}, place: {of: [m.x, m.vx]}}\n"
    "bodies: {m: {type: point-mass, mass: 2, position: [1, 0, 0]}}\n"
    "forces: {f: {type: force, at: m, force: [u, 0, 0]}}\noutputs: {m: {point: m}}\n"
    "events: {never: {when: t + 1}, passes: {when: place}}\n";

typedef struct switches {
  sn_event_info list[16];
  int calls, fail_at;
} switches;

static int place(void *user, double t, const double *x, double *value, double *derivative) {
  (void)user, (void)t;
  *value = x[0] - 0.5;
  derivative[0] = 1, derivative[1] = 0;
  return 0;
}

static int change_force(void *user, sn_simulation *s, const sn_event_info *event) {
  switches *c = user;
  c->list[c->calls++] = *event;
  if (c->calls == c->fail_at) return 7;
  return sn_set_input(s, 0, event->direction > 0 ? -4 : 4);
}

static void open_switch(run *r, const sn_options *options, switches *c) {
  open_run(r, switch_model, options);
  assert_int_equal(sn_set_input_function(r->simulation, 1, place, NULL), SN_OK);
  assert_int_equal(sn_on_event(r->simulation, change_force, c), SN_OK);
}

static void test_events(void **state) {
  (void)state;
  sn_options list[64];
  const double quarter = sqrt(0.5);
  const int count = all_methods(list);
  for (int i = 0; i < count; i++) {
    run r;
    switches c = {0};
    double y[6];
    open_switch(&r, &list[i], &c);
    advance(&r, 6 * quarter);
    read_output(&r, "m", y, 6);
    const double order = list[i].step > 0 ? 8 * list[i].step : 1e-5; /* symplectic: of first order */
    assert_int_equal(c.calls, 3);
    for (int k = 0; k < 3; k++) {
      assert_int_equal(c.list[k].event, 1);
      assert_int_equal(c.list[k].direction, k % 2 ? 1 : -1);
      assert_below(fabs(c.list[k].t - (2 * k + 1) * quarter), order, "%s: event %d", list[i].integrator, k);
    }
    assert_below(fabs(y[0] - 0), order, "%s: place after one period and a half", list[i].integrator);
    close_run(&r);
  }
}

static void test_events_again(void **state) {
  (void)state;
  run r;
  switches c = {0};
  sn_snapshot *snapshot;
  sn_event_info some[2];
  size_t all = 0;
  open_switch(&r, NULL, &c);
  advance(&r, 1);
  assert_int_equal(sn_snapshot_take(r.simulation, &snapshot), SN_OK);
  advance(&r, 4);
  assert_int_equal(c.calls, 3);
  assert_int_equal(sn_snapshot_restore(r.simulation, snapshot), SN_OK);
  assert_int_equal(sn_read_events(r.simulation, NULL, 0, &all), SN_OK);
  assert_int_equal(all, 1);
  advance(&r, 4);
  assert_int_equal(c.calls, 5);
  for (int k = 1; k < 3; k++) assert_true(c.list[k].t == c.list[k + 2].t);
  assert_int_equal(sn_read_events(r.simulation, some, 2, &all), SN_OK);
  assert_int_equal(all, 3);
  assert_true(some[1].t == c.list[1].t);
  assert_int_equal(sn_on_event(r.simulation, NULL, NULL), SN_OK);
  advance(&r, 5);
  assert_int_equal(c.calls, 5);
  sn_snapshot_free(snapshot);
  close_run(&r);
  c = (switches){.fail_at = 2};
  open_switch(&r, NULL, &c);
  assert_int_equal(sn_advance(r.simulation, 4), SN_CALLBACK);
  assert_non_null(strstr(sn_message(r.context), "error 7"));
  assert_int_equal(sn_read_events(r.simulation, NULL, 3, &all), SN_USAGE);
  assert_int_equal(sn_read_events(r.simulation, some, 2, NULL), SN_USAGE);
  assert_int_equal(sn_model_find(r.model, SN_LIST_EVENTS, "passes"), 1);
  close_run(&r);
}

/* Closed form: a sampled controller on a mass, x' = x + v T + u T^2/4, v' = v + u T/2. */
static void test_controller(void **state) {
  (void)state;
  sn_options list[64];
  const int count = all_methods(list);
  for (int i = 0; i < count; i++) {
    run r;
    controller c = {.nested = SN_OK};
    const double T = 0.02;
    double x = 1, v = 0;
    open_run(&r, mass_model, &list[i]);
    assert_int_equal(sn_on_sample(r.simulation, T, control, &c), SN_OK);
    assert_int_equal(sn_on_step(r.simulation, count_end, &c), SN_OK);
    advance(&r, 0.2);
    advance(&r, 0.51);
    assert_int_equal(c.calls, 26);
    assert_int_equal(c.nested, SN_USAGE);
    assert_int_equal(c.ends, sn_simulation_statistics(r.simulation)->steps);
    const double order = list[i].step > 0 ? list[i].step : 1e-6; /* symplectic: of first order */
    for (int k = 0; k < c.calls; k++) {
      assert_below(fabs(c.t[k] - k * T), 1e-12, "%s: instant %d", list[i].integrator, k);
      assert_below(fabs(c.x[k] - x), order, "%s: instant %d", list[i].integrator, k);
      const double u = -8 * x - 3 * v;
      x += v * T + u * T * T / 4;
      v += u * T / 2;
    }
    close_run(&r);
  }
}

static void test_controller_again(void **state) {
  (void)state;
  run r;
  controller c = {.nested = SN_OK};
  sn_snapshot *snapshot;
  open_run(&r, mass_model, NULL);
  assert_int_equal(sn_on_sample(r.simulation, 0, control, &c), SN_USAGE);
  assert_int_equal(sn_on_sample(r.simulation, NAN, control, &c), SN_USAGE);
  assert_int_equal(sn_on_sample(r.simulation, 0.1, control, &c), SN_OK);
  advance(&r, 0.25);
  assert_int_equal(c.calls, 3);
  assert_int_equal(sn_snapshot_take(r.simulation, &snapshot), SN_OK);
  advance(&r, 0.45);
  assert_int_equal(c.calls, 5);
  const double x = sn_positions(r.simulation)[0];
  assert_int_equal(sn_snapshot_restore(r.simulation, snapshot), SN_OK);
  advance(&r, 0.45);
  assert_int_equal(c.calls, 7);
  assert_true(sn_positions(r.simulation)[0] == x);
  c.fail_at = 8;
  assert_int_equal(sn_advance(r.simulation, 1), SN_CALLBACK);
  assert_true(fabs(sn_time(r.simulation) - 0.5) < 1e-12);
  assert_non_null(strstr(sn_message(r.context), "error 3"));
  c.fail_at = 0;
  assert_int_equal(sn_on_sample(r.simulation, 1, NULL, NULL), SN_OK);
  advance(&r, 1);
  assert_int_equal(c.calls, 8);
  sn_snapshot_free(snapshot);
  close_run(&r);
}

/* ---- forces at markers ---- */

static const char beam_model[] =
    "sinew: 1\ngravity: [0, 0, 0]\n"
    "materials: {steel: {density: 1000, young: 1e7, poisson: 0.3}}\n"
    "sections: {s: {type: rectangle, width: 0.01, height: 0.02}}\n"
    "bodies:\n"
    "  beam: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 6, material: steel, section: s}\n"
    "  box: {type: rigid, position: [0, 2, 0], mass: 2, inertia: [0.1, 0.2, 0.3]}\n"
    "  ball: {type: point-mass, mass: 1, position: [0, 0, 5]}\n"
    "joints: {wall: {type: fixed, between: [ground, beam.start]}}\n"
    "outputs: {tip: {point: beam.end}, wall: {reaction: wall}, box: {point: box.center}}\n";

/* Reference: the same loads in the file, bit for bit but for the order of sums; and the impulse of the box. */
static void test_applied_force(void **state) {
  (void)state;
  static const double F[3] = {0.3, -0.4, 0.2}, M[3] = {0, 0.05, 0.08}, push[3] = {2, 0, 1}, turn[3] = {0, 0, 0.6};
  sn_options list[64];
  const int count = all_methods(list);
  char *text = malloc(sizeof beam_model + 400);
  sprintf(text,
          "%sforces:\n  f: {type: force, at: beam.end, force: [0.3, -0.4, 0.2]}\n"
          "  m: {type: moment, at: beam.end, moment: [0, 0.05, 0.08]}\n"
          "  p: {type: force, at: 'box.at(0.1, 0, 0)', force: [2, 0, 1]}\n"
          "  t: {type: moment, at: box.center, moment: [0, 0, 0.6]}\n",
          beam_model);
  for (int i = 0; i < count; i++) {
    if (strcmp(list[i].integrator, "erk") == 0 || strcmp(list[i].integrator, "adams") == 0) continue; /* stiff: slow */
    if (list[i].step > 0) list[i].step = 2e-5;
    run r, file;
    size_t end, box, place;
    double y[9], truth[9], e[SN_ENERGY_COUNT], own[SN_ENERGY_COUNT], p[3], v[3];
    const double T = list[i].step > 0 ? 0.002 : 0.01;
    open_run(&r, beam_model, &list[i]);
    open_run(&file, text, &list[i]);
    if (sn_find_marker(r.simulation, "beam.end", &end) || sn_find_marker(r.simulation, "box.center", &box) ||
        sn_find_marker(r.simulation, "box.at(0.1, 0, 0)", &place))
      fail_msg("%s", sn_message(r.context));
    if (sn_apply_force(r.simulation, end, F, M) || sn_apply_force(r.simulation, box, NULL, turn) ||
        sn_apply_force(r.simulation, place, push, NULL))
      fail_msg("%s", sn_message(r.context));
    advance(&r, T);
    advance(&file, T);
    static const char *const outputs[] = {"tip", "wall", "box"};
    for (int k = 0; k < 3; k++) {
      read_output(&r, outputs[k], y, 6);
      read_output(&file, outputs[k], truth, 6);
      assert_below(distance(y, truth, 3), k == 1 ? 2e-3 * largest(truth, 3) : 2e-5, "%s: %s", list[i].integrator,
                   outputs[k]);
    }
    sn_energies(r.simulation, e);
    sn_energies(file.simulation, own);
    assert_true(own[SN_E_APPLIED] > 1e-6);
    assert_below(fabs(e[SN_E_APPLIED] - own[SN_E_APPLIED]), 1e-4 * own[SN_E_APPLIED], "%s: work", list[i].integrator);
    assert_int_equal(sn_marker_motion(r.simulation, end, p, v), SN_OK);
    read_output(&r, "tip", y, 6);
    assert_below(distance(p, y, 3) + distance(v, y + 3, 3), 1e-12, "where it is");
    double f[3], m[3];
    assert_int_equal(sn_read_reaction(r.simulation, 0, f, m), SN_OK);
    read_output(&r, "wall", y, 6);
    assert_below(distance(f, y, 3) + distance(m, y + 3, 3), 1e-9, "reaction");
    close_run(&r);
    close_run(&file);
  }
  free(text);
}

static void test_applied_snapshots(void **state) {
  (void)state;
  run r;
  size_t ball, none;
  sn_snapshot *snapshot;
  const double F[3] = {1, 0, 0}, G[3] = {-2, 0, 0};
  double p[3], v[3];
  open_run(&r, beam_model, &(sn_options){.integrator = "radau", .tolerance = 1e-8});
  assert_int_equal(sn_find_marker(r.simulation, "ball", &ball), SN_OK);
  assert_int_equal(sn_apply_force(r.simulation, ball, F, NULL), SN_OK);
  advance(&r, 0.1);
  assert_int_equal(sn_snapshot_take(r.simulation, &snapshot), SN_OK);
  assert_int_equal(sn_apply_force(r.simulation, ball, G, NULL), SN_OK);
  advance(&r, 0.2);
  sn_marker_motion(r.simulation, ball, p, v);
  assert_below(fabs(v[0] - (0.1 - 0.2)), 1e-8, "two forces, one after the other");
  assert_int_equal(sn_snapshot_restore(r.simulation, snapshot), SN_OK);
  advance(&r, 0.2);
  sn_marker_motion(r.simulation, ball, p, v);
  assert_below(fabs(v[0] - 0.2) + fabs(p[0] - 0.02), 1e-8, "the first one again");
  run other;
  open_run(&other, beam_model, &(sn_options){.integrator = "radau", .tolerance = 1e-8});
  assert_int_equal(sn_snapshot_restore(other.simulation, snapshot), SN_USAGE);
  assert_int_equal(sn_find_marker(other.simulation, "ball", &ball), SN_OK);
  assert_int_equal(sn_snapshot_restore(other.simulation, snapshot), SN_OK);
  advance(&other, 0.2);
  double z[3];
  sn_marker_motion(other.simulation, ball, z, NULL);
  assert_true(z[0] == p[0]); /* bit for bit */
  close_run(&other);
  sn_snapshot_free(snapshot);
  static const char *const wrong[] = {"",           "nobody", "beam.nowhere", "beam.at(",         "beam.at(0.5",
                                      "beam.at(a)", ".end",   "beam.",        "beam.at(1,2,3,4)", "ball.end"};
  for (size_t k = 0; k < SN_COUNT(wrong); k++) {
    assert_int_equal(sn_find_marker(r.simulation, wrong[k], &none), SN_USAGE);
    assert_true(strlen(sn_message(r.context)) > 10);
  }
  const double bad[3] = {NAN, 0, 0};
  assert_int_equal(sn_apply_force(r.simulation, 99, F, NULL), SN_USAGE);
  assert_int_equal(sn_apply_force(r.simulation, ball, bad, NULL), SN_USAGE);
  assert_int_equal(sn_apply_force(r.simulation, ball, NULL, F), SN_USAGE); /* a point cannot turn */
  assert_int_equal(sn_find_marker(r.simulation, "ground.at(1, 0, 0)", &none), SN_OK);
  assert_int_equal(sn_apply_force(r.simulation, none, F, NULL), SN_USAGE);
  assert_int_equal(sn_marker_motion(r.simulation, 99, p, v), SN_USAGE);
  assert_int_equal(sn_read_reaction(r.simulation, 5, p, v), SN_USAGE);
  close_run(&r);
}

/* ---- contacts and remarks ---- */

/* A ball at rest on the ground: m g upward, at the lowest point. */
static void test_contacts(void **state) {
  (void)state;
  run r;
  size_t count;
  sn_contact_info info[4];
  open_run(&r,
           "sinew: 1\ngravity: [0, 0, -10]\n"
           "bodies: {ball: {type: rigid, position: [0, 0, 0.1], mass: 2, shape: {type: sphere, radius: 0.1}}}\n"
           "surfaces: {floor: {type: plane, on: ground, normal: [0, 0, 1]}, skin: {type: sphere, on: ball.center, "
           "radius: 0.1}}\n"
           "contacts: {c: {between: [floor, skin], method: penalty, stiffness: 1e5, exponent: 1, damping: 20}}\n",
           &(sn_options){.integrator = "radau", .tolerance = 1e-8});
  advance(&r, 2);
  assert_int_equal(sn_read_contacts(r.simulation, NULL, 0, &count), SN_OK);
  assert_int_equal(count, 1);
  assert_int_equal(sn_read_contacts(r.simulation, info, 4, &count), SN_OK);
  const double sign = strcmp(sn_model_name(r.model, SN_LIST_BODIES, info[0].body[0]), "ball") == 0 ? 1 : -1;
  assert_below(fabs(sign * info[0].force[2] - 20), 1e-2, "weight");
  assert_below(fabs(-info[0].gap - 20 / 1e5), 1e-6, "overlap");
  assert_below(fabs(info[0].point[2]), 1e-3, "place");
  assert_below(fabs(sign * info[0].normal[2] - 1), 1e-9, "normal");
  close_run(&r);
}

static void listen(void *user, sn_remark kind, const char *text) {
  int *heard = user;
  assert_true(text[0] != 0 && (kind == SN_NOTE || kind == SN_DOUBT));
  heard[kind]++;
}

/* Two fixed joints where one is enough: that is noted. */
static void test_remarks(void **state) {
  (void)state;
  static const char text[] =
      "sinew: 1\nbodies: {a: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 1, inertia: [1, 1, 1]}}\n"
      "joints:\n  one: {type: revolute, between: [ground, a.start], axis: [0, 0, 1]}\n"
      "  two: {type: revolute, between: [ground, a.end], axis: [1, 0, 0]}\n";
  int heard[2] = {0, 0};
  sn_context *context = sn_context_create();
  sn_model *model = parse(context, text);
  sn_simulation *simulation;
  sn_on_remark(context, listen, heard);
  assert_int_equal(sn_simulation_create(model, NULL, &simulation), SN_OK);
  assert_true(heard[SN_NOTE] > 0);
  sn_simulation_free(simulation);
  sn_model_free(model);
  sn_context_free(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_force_of_the_motion),
      cmocka_unit_test(test_wrong_functions),
      cmocka_unit_test(test_range),
      cmocka_unit_test(test_controller),
      cmocka_unit_test(test_controller_again),
      cmocka_unit_test(test_events),
      cmocka_unit_test(test_events_again),
      cmocka_unit_test(test_applied_force),
      cmocka_unit_test(test_applied_snapshots),
      cmocka_unit_test(test_contacts),
      cmocka_unit_test(test_remarks),
      cmocka_unit_test(test_wrong_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
