/* test_integrators.c - what every integrator must satisfy: order, exactness, reference values.
 *
 * A new integrator is a new line in the table; a kind without one fails the test.
 */
#include "analysis/checkpoint.h"
#include "kinds/kinds.h"
#include "support.h"

typedef struct method {
  const char *name;
  const char *settings; /* {type: name, ...}; NULL: its defaults */
  double order;         /* in q and v */
  double step;          /* coarsest of the three the order is measured with, relative to that of second order methods */
  bool at_least;        /* the order seen may be higher */
  bool adaptive_only, fixed_only;
  bool restarts;          /* its memory ends at a checkpoint */
  double fall, fall_step; /* free fall: error allowed, 0: exact to rounding; fixed step, 0: any */
} method;

/* Those of low order with the local control, which is quicker; bounds: run: test_tolerance.c */
static const method methods[] = {
    {"auto", .order = 2, .step = 1}, /* with a fixed step: hht-i3 */
    {"newmark", .order = 1, .step = 0.25},
    {"hht-i3", "{type: hht-i3, bounds: step}", .order = 2, .step = 1},
    {"hht-add", "{type: hht-add, bounds: step}", .order = 2, .step = 1},
    {"hht-si2", "{type: hht-si2, bounds: step}", .order = 2, .step = 1},
    {"nstiff", "{type: nstiff, bounds: step}", .order = 2, .step = 1},
    {"nstiff-si2", "{type: nstiff-si2, bounds: step}", .order = 2, .step = 1},
    {"gssss", "{type: gssss, bounds: step}", .order = 2, .step = 1},
    {"gssss", "{type: gssss, scheme: midpoint-v0, index: 3}", .order = 2, .step = 1, .fixed_only = true},
    {"gssss", "{type: gssss, scheme: midpoint, index: 2}", .order = 2, .step = 1, .fixed_only = true},
    {"gssss", "{type: gssss, bounds: step, scheme: newmark, index: 1}", .order = 2, .step = 1},
    {"gssss", "{type: gssss, bounds: step, scheme: hht, rho_infinity: 0.7, index: 3, form: d}", .order = 2, .step = 1},
    {"gssss", "{type: gssss, bounds: step, rho: [0.7, 1, 0.7], family: v0, index: 2, form: v}", .order = 2, .step = 1},
    {"gssss", "{type: gssss, bounds: step, scheme: wbz, rho_infinity: 0.6, index: 1, stabilize: projection}",
     .order = 2, .step = 1},
    {"gssss", "{type: gssss, conserve: energy-momentum}", .order = 2, .step = 1, .fixed_only = true},
    {"gssss", "{type: gssss, conserve: energy-momentum, stabilize: projection}", .order = 2, .step = 1,
     .fixed_only = true},
    {"ida", .adaptive_only = true, .restarts = true, .fall = 1e-4},
    {"adams", .adaptive_only = true, .restarts = true, .fall = 1e-4},
    {"erk", .order = 5, .step = 3, .at_least = true, .fall_step = 1e-3} /* terms of order 6 still show */,
    {"erk", "{type: erk, order: 4}", .order = 4, .step = 1, .at_least = true, .fall_step = 1e-3},
    {"tr-bdf2", .restarts = true, .order = 2, .step = 1},
    /* a run that starts at rest is shifted by h/2 in time, which makes v second order; fall: g t h/2 */
    {"symplectic-euler", .order = 1, .step = 0.25, .at_least = true, .fixed_only = true, .fall_step = 1e-3,
     .fall = 1.001 * 9.81 / 2 * 2 * 1e-3},
    {"radau5", .order = 5, .step = 12.5},
    {"radau", .order = 5, .step = 12.5}, /* with a fixed step; its higher orders: test_block.c */
    {"gam", .order = 3, .step = 5},      /* the same */
};

#define HEAD "sinew: 1\ngravity: [0, -9.81, 0]\n"

/* What options.integrator takes. */
static const char *setting(const method *m) {
  return m->settings ? m->settings : m->name;
}

/* ---- order by step halving ---- */

/* Rigid bodies in space (their mass matrix depends on q), damped, swinging out of every plane of symmetry. */
static const char double_pendulum[] = HEAD
    "bodies:\n"
    "  a: {type: rigid, from: [0, 0, 0], to: [0.6, 0, 0.3], mass: 1.5, shape: {type: box, size: [0.6, 0.2, 0.1]}}\n"
    "  b: {type: rigid, from: [0.6, 0, 0.3], to: [1.1, 0.4, 0], mass: 1, shape: {type: box, size: [0.5, 0.1, 0.2]}}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, a.start]}\n"
    "  hinge: {type: revolute, between: [a.end, b.start], axis: [1, 0, 1]}\n"
    "forces: {damper: {type: spring, between: ['ground.at(1.5, 1, 0)', b.end], stiffness: 30, damping: 4}}\n";

/* Soft and damped, so that all of it is resolved by the steps used. */
static const char cable_pendulum[] = HEAD
    "materials: {soft: {density: 1200, young: 4e4}}\n"
    "sections: {thick: {type: rectangle, width: 0.12, height: 0.15}}\n"
    "bodies: {beam: {type: cable, from: [0, 0, 0], to: [1, 0, 0.2], elements: 4, material: soft, section: thick,\n"
    "  stiffness_damping: 0.005}}\n"
    "joints: {pin: {type: spherical, between: [ground, beam.start]}}\n";

typedef struct problem {
  const char *name, *model;
  double time, step;
  double sensitivity; /* restart: factor of the jump allowed */
} problem;

static const problem problems[] = {
    {"simple pendulum", "models/simple-pendulum.yaml", 1.5, 2e-3, 1},
    {"double pendulum", double_pendulum, 0.8, 1e-3, 1},
    {"cable pendulum", cable_pendulum, 0.4, 4e-4, 1},
};

/* State at the end of a run; the caller frees x. Returns the number of coordinates. */
static int solve(const char *model, const sn_options *options, double **x) {
  run r;
  open_run(&r, model, options);
  int n = r.model->n;
  advance(&r, options->until);
  assert_below(fabs(sn_time(r.simulation) - options->until), 1e-9, "end of the run");
  *x = malloc(2 * (size_t)n * sizeof(double));
  memcpy(*x, r.simulation->state.q, (size_t)n * sizeof(double));
  memcpy(*x + n, r.simulation->state.v, (size_t)n * sizeof(double));
  close_run(&r);
  return n;
}

static void check_order(const method *m, const problem *p) {
  double *x[3];
  int n = 0;
  for (int k = 0; k < 3; k++) {
    sn_options options = {.integrator = setting(m), .step = p->step * m->step / (1 << k), .until = p->time};
    n = solve(p->model, &options, &x[k]);
  }
  for (int part = 0; part < 2; part++) { /* q, then v */
    double coarse = distance(x[0] + n * part, x[1] + n * part, n), fine = distance(x[1] + n * part, x[2] + n * part, n);
    double order = log2(coarse / fine);
    double off = m->at_least ? m->order - order : fabs(order - m->order);
    assert_below(off, 0.15, "order %.3f of %s in %s, %s: off", order, setting(m), part ? "v" : "q", p->name);
  }
  for (int k = 0; k < 3; k++) free(x[k]);
}

static void test_order(void **state) {
  const method *m = *state;
  for (size_t k = 0; k < SN_COUNT(problems) && !m->adaptive_only; k++) check_order(m, &problems[k]);
}

/* ---- exactness ---- */

/* Under constant acceleration q is a parabola, which Newmark's formulas follow to rounding, with equal steps or not. */
static void test_free_fall(void **state) {
  const method *m = *state;
  static const char text[] = HEAD
      "materials: {soft: {density: 1200, young: 4e4}}\n"
      "sections: {thick: {type: rectangle, width: 0.12, height: 0.15}}\n"
      "bodies:\n"
      "  mass: {type: point-mass, mass: 1, position: [1, 2, 3], velocity: [1, 0.5, -1]}\n"
      "  body: {type: rigid, position: [0, 1, 0], mass: 1, inertia: [1, 2, 2.5], velocity: [1, 2, 3]}\n"
      "  beam: {type: cable, from: [0, 0, 0], to: [1, 0, 0.2], elements: 3, material: soft, section: thick, velocity: "
      "[0, "
      "1, 0]}\n";
  sn_options options[2] = {{.integrator = setting(m), .step = m->fall_step > 0 ? m->fall_step : 0.013, .until = 2},
                           {.integrator = setting(m), .tolerance = 1e-6, .until = 2}};
  for (int k = m->adaptive_only; k < (m->fixed_only ? 1 : 2); k++) {
    run r;
    open_run(&r, text, &options[k]);
    const sn_body *body = r.model->body;
    /* explicit and adaptive: at the edge of stability rounding grows until the tolerance sees it */
    double limit = m->fall > 0 ? m->fall : k == 1 && m->fall_step > 0 ? 1e-6 : 1e-11;
    advance(&r, 2);
    for (int i = 0; i < r.model->bodies; i++) { /* the first three coordinates of each are a point */
      if (body[i].count == 0) continue;
      const double *q = r.simulation->state.q + body[i].first, *q0 = r.model->q0 + body[i].first;
      const double *v0 = r.model->v0 + body[i].first, t = sn_time(r.simulation);
      double exact[3] = {q0[0] + v0[0] * t, q0[1] + v0[1] * t - 9.81 / 2 * t * t, q0[2] + v0[2] * t};
      assert_below(distance(q, exact, 3), limit, "fall of %s", body[i].name);
    }
    close_run(&r);
  }
}

/* ---- step changes ---- */

/* (q, v) at the end of a run in steps of h times a pattern: the method is told where each must end. */
static int solve_in_pattern(const method *m, const problem *p, double h, long rounds, double **x) {
  static const double pattern[] = {1, 1.7, 0.9, 0.6, 1.1, 1.5, 0.8};
  run r;
  sn_options options = {.integrator = setting(m), .step = 1e3, .until = 1e4};
  open_run(&r, p->model, &options);
  sn_simulation *s = r.simulation;
  for (long i = 0; i < rounds * (long)SN_COUNT(pattern); i++) {
    double limit = s->state.t + h * pattern[i % (long)SN_COUNT(pattern)];
    if (s->ops->step(s->integrator, &s->state, &s->before, limit)) fail_msg("%s", sn_message(r.context));
    assert_below(fabs(s->state.t - limit), 1e-12, "%s: end of a step", setting(m));
  }
  int n = r.model->n;
  *x = malloc(2 * (size_t)n * sizeof(double));
  memcpy(*x, s->state.q, (size_t)n * sizeof(double));
  memcpy(*x + n, s->state.v, (size_t)n * sizeof(double));
  close_run(&r);
  return n;
}

/* Steps that change all the time, by up to 1.8: the order of equal steps, or nearly. */
static void test_step_changes(void **state) {
  const method *m = *state;
  const problem p = {"double pendulum", double_pendulum, 0.76, 1e-3, 1};
  double *x[3];
  int n = 0;
  if (m->adaptive_only) return;
  long rounds = lround(p.time / (7.6 * p.step * m->step)); /* 7.6: sum of the pattern */
  for (int k = 0; k < 3; k++) n = solve_in_pattern(m, &p, p.step * m->step / (1 << k), rounds << k, &x[k]);
  for (int part = 0; part < 2; part++) {
    double coarse = distance(x[0] + n * part, x[1] + n * part, n), fine = distance(x[1] + n * part, x[2] + n * part, n);
    assert_below(m->order - log2(coarse / fine), 0.3, "order of %s in %s with changing steps %.3f: lost", setting(m),
                 part ? "v" : "q", log2(coarse / fine));
  }
  for (int k = 0; k < 3; k++) free(x[k]);
}

/* ---- outputs leave no trace ---- */

static void test_output_independence(void **state) {
  const method *m = *state;
  for (int kind = 0; kind < 2; kind++) {
    if (kind ? m->fixed_only : m->adaptive_only) continue;
    sn_options options = {.integrator = setting(m), .until = 0.2};
    if (kind)
      options.tolerance = 1e-6;
    else
      options.step = 1e-3;
    run plain, watched;
    sn_row row;
    open_run(&plain, double_pendulum, &options);
    open_run(&watched, double_pendulum, &options);
    sn_row_create(watched.simulation, &row);
    while (sn_time(plain.simulation) < 0.2) {
      sn_simulation *s = watched.simulation;
      if (sn_step(plain.simulation) || sn_step(s)) fail_msg("%s", sn_message(plain.context));
      for (double u = 0; u <= 1; u += 0.3) sn_sample(s, s->before.t + u * (s->state.t - s->before.t), &row);
    }
    const sn_state *a = &plain.simulation->state, *b = &watched.simulation->state;
    size_t size = (size_t)plain.model->n * sizeof(double);
    if (a->t != b->t || memcmp(a->q, b->q, size) != 0 || memcmp(a->v, b->v, size) != 0)
      fail_msg("%s, %s: outputs change the motion", setting(m), kind ? "adaptive" : "fixed");
    close_run(&plain);
    close_run(&watched);
  }
}

/* ---- failure and recovery ---- */

/* A force with a pole at t = 0.5, and no value after it: nothing can pass. The state stays the last good one, the
 * message names time, body, cause and remedy, and the next attempt says the same. */
static void test_failure(void **state) {
  const method *m = *state;
  static const char text[] =
      "sinew: 1\n"
      "bodies:\n"
      "  ball: {type: point-mass, mass: 1, position: [0, 0, 0]}\n"
      "  other: {type: point-mass, mass: 1, position: [1, 0, 0]}\n"
      "joints: {rope: {type: distance, between: [ball, other]}}\n"
      "forces: {blast: {type: force, at: ball, force: ['1/(0.5 - t)^2', 0, 'sqrt(0.5 - t)']}}\n"
      "outputs: {ball: {point: ball}}\n";
  run r;
  double y[9];
  sn_options options = {.integrator = setting(m), .tolerance = 1e-6, .until = 1};
  if (m->fixed_only) options.tolerance = 0, options.step = 1e-3;
  open_run(&r, text, &options);
  sn_status status = sn_advance(r.simulation, 1);
  if (status != SN_NUMERICS) fail_msg("%s passes a pole", setting(m));
  const char *message = sn_message(r.context);
  bool cause = strstr(message, "a force on 'ball' has grown") || strstr(message, "forces on 'ball' are not finite");
  bool time = strstr(message, "t = 0.5") || strstr(message, "t = 0.49");
  if (!cause || !time || !strstr(message, "possible remedy")) fail_msg("%s: poor message:\n%s", setting(m), message);
  double t = sn_time(r.simulation), q = r.simulation->state.q[0];
  assert_true(t > 0.45 && t < 0.51 && isfinite(q));
  if (sn_step(r.simulation) != SN_NUMERICS) fail_msg("%s goes on after a failure: %s", setting(m), message);
  assert_true(sn_time(r.simulation) == t && r.simulation->state.q[0] == q);
  assert_int_equal(sn_read(r.simulation, "ball", y, 9), 9);
  assert_true(isfinite(y[0]));
  close_run(&r);
}

/* A blow of 10 ms that steps chosen before it would miss or cannot follow: it is found, steps are repeated, and what it
 * leaves is right. Impulse: 4e3 N over two smooth halves of 5 ms, each half full. */
static void test_recovery(void **state) {
  const method *m = *state;
  static const char text[] = HEAD
      "bodies:\n"
      "  a: {type: point-mass, mass: 1, position: [0, -1, 0]}\n"
      "joints: {pin: {type: distance, between: ['ground.at(0, 0, 0)', a]}}\n"
      "forces:\n"
      "  push: {type: force, at: a, force: ['4e3*step(t, 0.2, 0, 0.205, 1)*step(t, 0.205, 1, 0.21, 0)', 0, 0]}\n"
      "analysis: {type: dynamics, duration: 0.3, integrator: auto}\n";
  run r;
  sn_options options = {.integrator = setting(m), .tolerance = 1e-6, .until = 0.21};
  if (m->fixed_only) options.tolerance = 0, options.step = 1e-4;
  open_run(&r, text, &options);
  /* so that none steps over it */
  if (!m->fixed_only) {
    close_run(&r);
    char limited[300];
    const char *given = setting(m);
    snprintf(limited, sizeof limited, given[0] == '{' ? "%.*s, max_step: 4e-3}" : "{type: %.*s, max_step: 4e-3}",
             (int)(given[0] == '{' ? strlen(given) - 1 : strlen(given)), given);
    options.integrator = limited;
    open_run(&r, text, &options);
    advance(&r, 0.21);
    assert_true(sn_simulation_statistics(r.simulation)->error_rejections > 0 ||
                sn_simulation_statistics(r.simulation)->smallest_step < 1e-3);
  } else {
    advance(&r, 0.21);
  }
  double *v = r.simulation->state.v;
  /* 20 Ns turn it by less than 0.1 meanwhile: speed 20 m/s to a few per mille */
  assert_below(fabs(sqrt(inner(v, v, 3)) / 20 - 1), 1e-2, "%s: speed after the blow", setting(m));
  close_run(&r);
}

/* ---- restart ---- */

static void step_until(run *r, double time) {
  while (sn_time(r->simulation) < time)
    if (sn_step(r->simulation)) fail_msg("%s", sn_message(r->context));
}

/* Everything a state has, and what it cost. */
static void assert_same(const sn_simulation *a, const sn_simulation *b, const char *what) {
  size_t n = (size_t)a->system->n * sizeof(double), m = (size_t)a->system->m * sizeof(double);
  const sn_statistics *x = &a->system->statistics, *y = &b->system->statistics;
  bool same = a->state.t == b->state.t && !memcmp(a->state.q, b->state.q, n) && !memcmp(a->state.v, b->state.v, n) &&
              !memcmp(a->state.a, b->state.a, n) && !memcmp(a->state.l, b->state.l, m) &&
              !memcmp(a->work, b->work, sizeof a->work) && x->steps == y->steps && x->iterations == y->iterations &&
              x->residuals == y->residuals && x->factorizations == y->factorizations;
  if (!same)
    fail_msg("%s: a run that was resumed is not the one that went on: q differs by %g after %ld and %ld steps", what,
             distance(a->state.q, b->state.q, a->system->n), x->steps, y->steps);
}

/* A run that goes on after a checkpoint, one that is resumed from it in a new simulation of a new model, and one that
 * never had it: the first two are the same bit by bit, the last is near: as the tolerance says where the method starts
 * afresh, else as Newton's share of it, and with the same steps. */
static void check_restart(const problem *p, const sn_options *options, bool fresh, const char *what) {
  const char *model = p->model;
  run on, resumed, plain;
  sn_history history = {0};
  open_run(&on, model, options);
  step_until(&on, options->until / 2);
  sn_checkpoint_save(on.simulation, &history);
  if (sn_checkpoint_load(on.simulation, &history)) fail_msg("%s", sn_message(on.context));
  step_until(&on, options->until);
  open_run(&resumed, model, options);
  if (sn_checkpoint_load(resumed.simulation, &history)) fail_msg("%s", sn_message(resumed.context));
  assert_true(sn_time(resumed.simulation) >= options->until / 2);
  step_until(&resumed, options->until);
  assert_same(on.simulation, resumed.simulation, what);
  open_run(&plain, model, options);
  step_until(&plain, options->until);
  assert_below(distance(on.simulation->state.q, plain.simulation->state.q, on.model->n),
               p->sensitivity * (fresh ? 2e-4 : 5e-6), "%s: jump", what);
  long more = on.simulation->system->statistics.steps - plain.simulation->system->statistics.steps;
  if (!fresh)
    assert_below(fabs((double)more), 2 + 0.02 * (double)plain.simulation->system->statistics.steps, "%s: steps more",
                 what);
  sn_history_free(&history);
  close_run(&on);
  close_run(&resumed);
  close_run(&plain);
}

/* The last one turns until pivots of old factorizations no longer fit. */
static const problem restarts[] = {
    {"simple pendulum", "models/simple-pendulum.yaml", 0.4, 2e-3, 1},
    {"double pendulum", double_pendulum, 0.2, 1e-3, 1},
    {"cable pendulum", cable_pendulum, 0.1, 4e-4, 1},
    {"Andrews", "models/andrews.yaml", 0.02, 2e-5, 300},
};

static void test_restart(void **state) {
  const method *m = *state;
  static const char *const solvers[] = {"ldl", "klu"};
  for (size_t k = 0; k < SN_COUNT(restarts); k++)
    for (int i = 0; i < 4; i++) {
      char what[200];
      const problem *p = &restarts[k];
      sn_options options = {.integrator = setting(m), .solver = solvers[i / 2], .until = p->time};
      if ((i % 2 ? m->fixed_only : m->adaptive_only) || (i / 2 == 1 && k % 2 == 0)) continue;
      if (i % 2)
        options.tolerance = 1e-6;
      else
        options.step = p->step * fmax(1, m->step / 2);
      snprintf(what, sizeof what, "%s, %s, %s, %s", setting(m), p->name, solvers[i / 2], i % 2 ? "adaptive" : "fixed");
      check_restart(p, &options, m->restarts, what);
    }
}

/* ---- reference values ---- */

typedef struct reference {
  double t, x[2];
} reference;

static void check_references(const char *model, const sn_options *options, const char *output, const reference *list,
                             int count, double limit) {
  run r;
  double y[9];
  open_run(&r, model, options);
  for (int k = 0; k < count; k++) {
    advance(&r, list[k].t);
    assert_true(sn_read(r.simulation, output, y, 9) > 0);
    assert_below(distance(y, list[k].x, 2), limit, "%s at t = %g", output, list[k].t);
  }
  close_run(&r);
}

/* A1. From the closed solution by elliptic functions (benchmarks page, values to all digits shown). */
static void test_simple_pendulum(void **state) {
  (void)state;
  static const reference list[] = {
      {1, {0.9862917511, -0.1650108531}}, {5, {-0.9423054350, -0.3347543384}}, {10, {-0.2750874626, -0.9614192051}}};
  sn_options options = {.integrator = "hht-i3", .step = 5e-5, .until = 10};
  check_references("models/simple-pendulum.yaml", &options, "bob", list, 3, 1e-6);
}

/* B1. Computed independently for the same ten elements with 5 + 3 Gauss points (benchmarks page). */
static void test_flexible_pendulum(void **state) {
  (void)state;
  static const reference list[] = {{0.25, {0.891041162, -0.286204029}},
                                   {0.50, {-0.193428113, -0.952584297}},
                                   {0.75, {-0.856683531, -0.445292499}},
                                   {1.00, {-0.926413692, 0.104542175}}};
  static const reference material[] = {{1.00, {-0.925860177, 0.105011259}}};
  static const char text[] = HEAD
      "materials: {rubber: {density: 7200, young: 2e7}}\n"
      "sections: {square: {type: rectangle, width: 0.02, height: 0.02}}\n"
      "bodies: {beam: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 10, material: rubber, section: square, "
      "curvature: material}}\n"
      "joints: {pin: {type: spherical, between: [ground, beam.start]}}\n"
      "outputs: {tip: {point: beam.end}}\n";
  sn_options options = {.integrator = "hht-i3", .step = 2e-5, .until = 1};
  check_references("models/pendulum.yaml", &options, "tip", list, 4, 2e-6);
  check_references(text, &options, "tip", material, 1, 2e-6);
}

/* B2. Steady extension of a spinning rod: rho w^2 L^3/(3 E). Bending still swings a little, which shortens the
 * radius to second order only; the mean over the last second is taken. */
static void test_spin_up(void **state) {
  (void)state;
  run r;
  double tip[9], mean = 0, expected = 2766.67 * 16 * 512 / (3 * 6.895e10);
  int count = 0;
  open_run(&r, "models/spin-up.yaml", NULL);
  for (double t = 19; t < 19.999; t += 0.02, count++) {
    advance(&r, t);
    sn_read(r.simulation, "tip", tip, 9);
    mean += sqrt(inner(tip, tip, 3)) - 8;
  }
  mean /= count;
  assert_below(fabs(mean / expected - 1), 0.01, "steady extension %g", mean);
  close_run(&r);
}

/* ---- the table itself ---- */

static void test_every_integrator_has_a_line(void **state) {
  (void)state;
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++) {
    bool found = (*kind)->category != SN_INTEGRATORS;
    for (size_t i = 0; i < SN_COUNT(methods); i++) found |= strcmp(methods[i].name, (*kind)->name) == 0;
    if (!found) fail_msg("integrator '%s' has no line in the table", (*kind)->name);
  }
}

int main(void) {
  enum { COUNT = SN_COUNT(methods) };
  static const struct {
    const char *name;
    void (*function)(void **state);
  } every[] = {{"test_order", test_order},
               {"test_free_fall", test_free_fall},
               {"test_restart", test_restart},
               {"test_step_changes", test_step_changes},
               {"test_output_independence", test_output_independence},
               {"test_failure", test_failure},
               {"test_recovery", test_recovery}};
  struct CMUnitTest tests[SN_COUNT(every) * COUNT + 4] = {
      cmocka_unit_test(test_every_integrator_has_a_line),
      cmocka_unit_test(test_simple_pendulum),
      cmocka_unit_test(test_flexible_pendulum),
      cmocka_unit_test(test_spin_up),
  };
  struct CMUnitTest *next = tests + 4;
  for (int i = 0; i < COUNT; i++) {
    void *m = (void *)(uintptr_t)&methods[i]; /* cmocka's states may be written to; these are only read */
    for (size_t k = 0; k < SN_COUNT(every); k++)
      *next++ = (struct CMUnitTest){.name = every[k].name, .test_func = every[k].function, .initial_state = m};
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}
