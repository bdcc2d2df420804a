/* test_conserve.c - gssss with conserve: energy-momentum.
 *
 * For every model of cases.c the work of all forces over a step is the change of energy, to rounding and for any step,
 * whether it meets the equations or not; free flights keep energy and momentum. Long runs: test_conserve_long.c.
 */
#include "support.h"

#define METHOD "{type: gssss, conserve: energy-momentum}"

static bool has(const char *text, const char *const list[], size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strstr(text, list[i])) return true;
  return false;
}
#define HAS(text, list) has(text, list, SN_COUNT(list))

static const char *const loads[] = {"type: force", "type: moment", "type: distributed", "type: drag", "type: pressure",
                                    "feed:",
                                    /* what they do follows from a supply: */
                                    "type: actuator", "type: dc-motor", "type: hydraulic-cylinder"};
/* Laws of springs by formulas: their work is that of loads, but between bodies they keep momentum. */
static const char *const laws[] = {"stretch", "angle^", "4*angle"};
static const char *const dampers[] = {"damping", "type: friction"}; /* stiffness_damping, mass_damping, ... */

/* ---- the balance of a step ---- */

/* Quaternions, by the layout of the bodies, are made unit and their velocities tangent. */
static void make_unit(const fixture *f, double *q, double *v) {
  for (int i = 0; i < f->model->bodies; i++) {
    const sn_body *body = &f->model->body[i];
    if (body->count == 0 || body->ops->layout->column[1] != SN_COLUMN_P) continue;
    double *p = q + body->first + 3, *pd = v + body->first + 3, length = sqrt(inner(p, p, 4));
    for (int k = 0; k < 4; k++) p[k] /= length;
    double along = inner(p, pd, 4);
    for (int k = 0; k < 4; k++) pd[k] -= along * p[k];
  }
}

static double energy_of(fixture *f, double *q, double *v) {
  sn_state x = {.t = f->state.t, .q = q, .v = v, .a = f->system->zero, .l = f->state.l};
  sn_energy e;
  sn_system_energy(f->system, &x, &e);
  return e.kinetic + e.strain + e.gravity + e.spring;
}

/* l.Phi at the time of the middle */
static double constraint_work(fixture *f, double *q) {
  double *phi = calloc((size_t)f->model->m + 1, sizeof(double));
  sn_state x = {.t = f->state.t, .q = q, .v = f->state.v, .a = f->state.a, .l = f->state.l};
  sn_system_position(f->system, &x, phi);
  double sum = inner(f->state.l, phi, f->model->m);
  free(phi);
  return sum;
}

/* A large step from a state near the start to another, with multipliers, all of noise. */
static void noisy_step(fixture *f, double h, double *q0, double *v0, double *q1, double *v1) {
  uint64_t seed = 17;
  int n = f->model->n;
  size_t size = (size_t)n * sizeof(double);
  memcpy(q0, f->state.q, size);
  memcpy(v0, f->state.v, size);
  add_noise(&seed, 0.03, q0, n);
  add_noise(&seed, 0.5, v0, n);
  make_unit(f, q0, v0);
  memcpy(q1, q0, size);
  memcpy(v1, v0, size);
  add_noise(&seed, 0.08, q1, n);
  make_unit(f, q1, v1);
  add_noise(&seed, 3, f->state.l, f->model->m);
  f->state.t = 0.3;
  for (int i = 0; i < n; i++) {
    f->state.q[i] = 0.5 * (q0[i] + q1[i]);
    f->state.v[i] = (q1[i] - q0[i]) / h;
    f->state.a[i] = 2 * (f->state.v[i] - v0[i]) / h;
  }
}

static void check_balance(const char *text) {
  fixture f;
  const double h = 0.02;
  open_fixture(&f, text, "ldl");
  int n = f.model->n;
  double *x = calloc(5 * (size_t)n, sizeof(double)), *q0 = x, *q1 = x + n, *v0 = x + 2 * n, *v1 = x + 3 * n,
         *r = x + 4 * n, done = 0;
  noisy_step(&f, h, q0, v0, q1, v1);
  sn_system_step_residual(f.system, &f.state, q0, q1, h, r);
  sn_system_end_velocity(f.system, &f.state, q0, q1, h, v1);
  for (int i = 0; i < n; i++) done += r[i] * (q1[i] - q0[i]);
  double e0 = energy_of(&f, q0, v0), e1 = energy_of(&f, q1, v1);
  double w0 = constraint_work(&f, q0), w1 = constraint_work(&f, q1);
  double scale = fabs(e0) + fabs(e1) + fabs(w0) + fabs(w1), lost = (done - (e1 - e0) - (w1 - w0)) / scale;
  assert_below(HAS(text, dampers) ? -lost : fabs(lost), 1e-13, "energy from nowhere, relative");
  free(x);
  close_fixture(&f);
}

/* ---- free flight ---- */

typedef struct drift {
  double linear, angular, energy; /* largest; energy: largest growth in a step where there is damping */
} drift;

static drift fly(const sn_case *it, const char *text, double h) {
  double zero[3] = {0, 0, 0}, p0[6], p[6], e0 = 0, last = 0;
  int plane = it->symmetry == PLANAR ? 2 : 0; /* only turns about z: only that component is kept */
  bool damped = HAS(text, dampers);
  drift d = {0};
  run r = {.context = sn_context_create()};
  sn_options options = {.integrator = METHOD, .step = h, .until = 0.2};
  r.model = parse(r.context, text);
  memcpy(r.model->gravity, zero, sizeof zero);
  if (sn_simulation_create(r.model, &options, &r.simulation)) fail_msg("%s", sn_message(r.context));
  for (int k = 0; k <= lround(0.2 / h); k++) {
    sn_energy x;
    if (k > 0 && sn_step(r.simulation)) fail_msg("%s", sn_message(r.context));
    sn_system_energy(r.simulation->system, &r.simulation->state, &x);
    sn_system_momentum(r.simulation->system, &r.simulation->state, p);
    double e = x.kinetic + x.strain + x.spring, scale = fmax(1, largest(p, 6));
    if (k == 0) {
      e0 = last = e;
      memcpy(p0, p, sizeof p);
    }
    d.linear = fmax(d.linear, distance(p, p0, 3) / scale);
    d.angular = fmax(d.angular, distance(p + 3 + plane, p0 + 3 + plane, 3 - plane) / scale);
    d.energy = fmax(d.energy, (damped ? e - last : fabs(e - e0)) / e0);
    last = e;
  }
  close_run(&r);
  return d;
}

/* Some gradients are not made of invariants: their moments balance to the second order of the step only; see
 * docs/theory.md. Of kinds with no gradients of their own, and of ropes with mass, not even the forces do. */
static void check_flight(const sn_case *it, const char *text) {
  static const char *const lines[] = {"timoshenko", "elastic-line"};
  static const char *const unknowing[] = {"type: floating", "formulation: frf", "mass_per_length"};
  bool own = !HAS(text, unknowing) && !(strstr(text, "planar-beam") && !strstr(text, "ancf-s"));
  bool twists = strstr(text, "type: beam,") && (HAS(text, lines) || !strstr(text, "elastic:"));
  bool exact = own && !twists && !strstr(text, "radius") && !strstr(text, "type: sliding");
  if (strstr(text, "mass_damping")) return; /* a force from nowhere */
  drift coarse = fly(it, text, 0.01);
  /* Rounding: up to 8e-15, but up to 7e-14 of a curve's point on a floating body, with this step or with a fourth of it,
   * where an error of the method would be 16 times smaller. */
  if (!strstr(text, "type: motion") && !HAS(text, laws)) assert_below(coarse.energy, 1e-13, "energy");
  if (own) assert_below(coarse.linear, 1e-13, "linear momentum");
  if (exact) assert_below(coarse.angular, 1e-13, "angular momentum");
  if (exact) return;
  coarse = fly(it, text, 1e-3); /* now all frequencies must be resolved */
  drift fine = fly(it, text, 5e-4);
  const double less = strstr(text, "mass_per_length") ? 0.6 : 0.3; /* of first order only */
  assert_below(fine.angular, fmax(less * coarse.angular, 2e-13), "angular momentum with half the step");
  assert_below(fine.linear, fmax(less * coarse.linear, 2e-13), "linear momentum with half the step");
}

static bool supported(const char *text) {
  fixture f;
  open_fixture(&f, text, "ldl");
  bool good = sn_system_supports_steps(f.system);
  if (!good)
    assert_non_null(
        strstr(sn_message(f.context), f.model->nonholonomic > 0 ? "without a position level" : "does not support"));
  close_fixture(&f);
  return good;
}

static void test_case(void **state) {
  const sn_case *it = *state;
  char *text = case_text(it);
  if (!supported(text))
    assert_true(strstr(text, "contacts:") || strstr(text, "type: rolling") || strstr(text, "type: knife-edge") ||
                strstr(text, "type: rotor"));
  else if (!HAS(text, loads)) {
    if (!HAS(text, laws)) check_balance(text);
    /* friction of joints creeps by a steep law: where Newton's method stops shows in momentum and energy */
    if (it->symmetry != GROUNDED && !strstr(text, "type: friction")) check_flight(it, text);
  }
  free(text);
}

/* ---- what it is compared with ---- */

/* Without it the energy of the same scheme is seen to change: the tests above can fail. */
static void test_plain_midpoint(void **state) {
  (void)state;
  static const char *const method[] = {METHOD, "{type: gssss, scheme: midpoint-v0}"};
  double off[2];
  for (int k = 0; k < 2; k++) {
    run r;
    sn_energy e;
    sn_options options = {.integrator = method[k], .step = 1e-3, .until = 0.5};
    open_run(&r, "models/pendulum.yaml", &options);
    advance(&r, 0.5);
    sn_system_energy(r.simulation->system, &r.simulation->state, &e);
    off[k] = fabs(e.kinetic + e.strain + e.gravity);
    close_run(&r);
  }
  assert_below(off[0], 1e-12, "energy of the pendulum, which starts from 0");
  assert_true(off[1] > 1e-6);
}

/* ---- the members, and projection ---- */

typedef struct levels {
  double at[3],
      energy; /* largest |Phi|, |Phi'|, |Phi''| at the ends of steps; largest energy error over kinetic energy */
} levels;

static levels follow(const char *model, const char *method, double h, double *q, int n) {
  void (*const level[])(sn_system *, const sn_state *, double *) = {sn_system_position, sn_system_velocity,
                                                                    sn_system_acceleration};
  double phi[40], start = 0, kinetic = 0;
  levels l = {0};
  run r;
  sn_options options = {.integrator = method, .step = h, .until = 1};
  open_run(&r, model, &options);
  sn_simulation *s = r.simulation;
  assert_true(r.model->m <= (int)SN_COUNT(phi) && r.model->n >= n);
  for (int step = 0; sn_time(s) < 1; step++) {
    sn_energy e;
    if (step > 0 && sn_step(s)) fail_msg("%s", sn_message(r.context));
    for (int k = 0; k < 3 && step > 0; k++) {
      level[k](s->audit, &s->state, phi);
      l.at[k] = fmax(l.at[k], largest(phi, r.model->m));
    }
    sn_system_energy(s->audit, &s->state, &e);
    double total = e.kinetic + e.strain + e.gravity + e.spring;
    if (step == 0) start = total;
    kinetic = fmax(kinetic, e.kinetic);
    l.energy = fmax(l.energy, fabs(total - start));
  }
  memcpy(q, s->state.q, (size_t)n * sizeof(double));
  l.energy /= kinetic;
  close_run(&r);
  return l;
}

/* V0(1, 1, s) is one motion for all s: the formulas need the acceleration of the middle alone. Without discrete
 * gradients, too, where each member has a code path of its own. */
static void test_members(void **state) {
  (void)state;
  static const char *const member[] = {"scheme: midpoint-v0", "scheme: midpoint", "rho: [1, 1, 0.4], family: v0"};
  static const char *const conserve[] = {"none", "energy-momentum"};
  for (int c = 0; c < 2; c++) {
    double q[3][6];
    for (int k = 0; k < 3; k++) {
      char method[120];
      snprintf(method, sizeof method, "{type: gssss, conserve: %s, %s}", conserve[c], member[k]);
      levels l = follow("models/rigid-double-pendulum.yaml", method, 0.01, q[k], 6);
      if (c) assert_below(l.energy, 1e-12, "%s: energy", method);
      assert_below(distance(q[k], q[0], 6), 1e-9, "%s: motion", method);
    }
  }
}

/* With projection all three levels hold to rounding, and energy to the second order (Huang, table 5.11). */
static void test_projection(void **state) {
  (void)state;
  static const char *const models[] = {"models/rigid-double-pendulum.yaml", "models/heavy-top.yaml",
                                       "models/slider-crank.yaml"};
  for (size_t i = 0; i < SN_COUNT(models); i++) {
    double q[1], energy[2];
    for (int k = 0; k < 2; k++) {
      levels l =
          follow(models[i], "{type: gssss, conserve: energy-momentum, stabilize: projection}", 2e-3 / (1 + k), q, 1);
      for (int j = 0; j < 3; j++) assert_below(l.at[j], j < 2 ? 1e-12 : 1e-10, "%s: level %d", models[i], j);
      energy[k] = l.energy;
    }
    if (i < 2) assert_below(energy[1], 0.35 * energy[0], "%s: energy with half the step", models[i]); /* no work done */
  }
}

/* ---- a refusal ---- */

static void test_refusal(void **state) {
  (void)state;
  static const char text[] =
      "sinew: 1\nbodies: {box: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}}\n";
  run r = {.context = sn_context_create()};
  sn_options options = {.integrator = METHOD, .tolerance = 1e-5, .until = 1};
  r.model = parse(r.context, text);
  assert_int_not_equal(sn_simulation_create(r.model, &options, &r.simulation), SN_OK);
  assert_non_null(strstr(sn_message(r.context), "a fixed step"));
  sn_model_free(r.model);
  sn_context_free(r.context);
}

int main(void) {
  struct CMUnitTest *tests = calloc((size_t)sn_case_count + 4, sizeof *tests);
  for (int i = 0; i < sn_case_count; i++) {
    void *it = (void *)(uintptr_t)&sn_model_cases[i]; /* cmocka's states may be written to; these are only read */
    tests[i] = (struct CMUnitTest){.name = sn_model_cases[i].name, .test_func = test_case, .initial_state = it};
  }
  tests[sn_case_count] = (struct CMUnitTest)cmocka_unit_test(test_plain_midpoint);
  tests[sn_case_count + 1] = (struct CMUnitTest)cmocka_unit_test(test_refusal);
  tests[sn_case_count + 2] = (struct CMUnitTest)cmocka_unit_test(test_members);
  tests[sn_case_count + 3] = (struct CMUnitTest)cmocka_unit_test(test_projection);
  int failed = _cmocka_run_group_tests("conserve", tests, (size_t)sn_case_count + 4, NULL, NULL);
  free(tests);
  return failed;
}
