/* test_noise.c - accelerations and multipliers that alternate, and the class of a run, on cases with known answers. */
#include "analysis/curve.h"
#include "analysis/noise.h"
#include "support.h"

#define DOUBLE_PENDULUM "models/rigid-double-pendulum.yaml"

/* An alternation of known size, put on top of accelerations that have none: radau5 solves for them at the end of every
 * step, so what is measured is what was put there. It must not depend on the sizes of steps. */
static void known_size(void **state) {
  (void)state;
  run r;
  const double size = 0.25;
  double before = 0, most = 0, a;
  int steps = 0;
  open_run(&r, "models/simple-pendulum.yaml", &(sn_options){.integrator = "radau5", .tolerance = 1e-9, .until = 2});
  sn_simulation *s = r.simulation;
  assert_true(isnan(sn_noise(s))); /* nobody watches */
  sn_watch_noise(s);
  while (sn_time(s) < 2) {
    assert_int_equal(sn_step(s), SN_OK);
    a = s->state.a[0];
    s->state.a[0] += steps++ % 2 ? size : -size;
    most = fmax(most, largest(s->state.a, r.model->n));
    sn_noise_step(s);
    s->state.a[0] = a;
    if (sn_time(s) < 1.7) assert_true(isnan(sn_noise(s))); /* the last tenth counts */
    before = sn_noise(s);
  }
  assert_below(fabs(before - size / most), 1e-6, "noise %g, put there %g", before, size / most);
  close_run(&r);
}

/* How a run ends, by the rules of tables 4.1 and 5.1 of Huang's thesis. */
typedef struct verdict {
  sn_class class;
  double noise;
} verdict;

static verdict judge(const char *integrator, double until) {
  enum { most = 20000 };
  static double t[most], phi[most];
  const sn_class_rule rule = {.apart = 1, .drift = 0.01, .early = 10, .noise = 0.01};
  double level[16];
  size_t count = 0;
  run r;
  sn_status status = SN_OK;
  open_run(&r, DOUBLE_PENDULUM, &(sn_options){.integrator = integrator, .until = until});
  sn_simulation *s = r.simulation;
  sn_watch_noise(s);
  while (!status && sn_time(s) < until - 1e-9 && count < most) {
    status = sn_step(s);
    if (status) break;
    sn_noise_step(s);
    sn_system_position(s->audit, &s->state, level);
    t[count] = sn_time(s);
    phi[count++] = largest(level, r.model->m);
  }
  verdict v = {.noise = sn_noise(s)};
  v.class = sn_classify(status == SN_OK, &(sn_curve){count, t, phi}, v.noise, &rule);
  close_run(&r);
  return v;
}

/* Table 5.1 of Huang's thesis, index 3, no stabilization: U0(1,1,0) fails, V0(1,1,0) is stable, U0V0(1,1,1) oscillates
 * within 100 s; V0(1,1,0) at index 1 drifts within 10 s. The noise of U0V0(1,1,1) has the double root -1 (theory.md):
 * it grows like t. Numerical damping, and projection, take it away. */
static void index_three(void **state) {
  (void)state;
  static const struct {
    const char *settings;
    double until;
    sn_class class;
  } list[] = {
      {"{type: gssss, scheme: newmark, index: 3, step: 0.01}", 10, SN_FAILS},
      {"{type: gssss, scheme: midpoint-v0, index: 3, step: 0.01}", 100, SN_STABLE},
      {"{type: gssss, scheme: midpoint, index: 3, step: 0.01}", 10, SN_STABLE},
      {"{type: gssss, scheme: midpoint, index: 3, step: 0.01}", 100, SN_OSCILLATES},
      {"{type: gssss, scheme: midpoint, index: 3, stabilize: projection, step: 0.01}", 100, SN_STABLE},
      {"{type: gssss, scheme: midpoint-v0, index: 1, step: 0.01}", 10, SN_DRIFTS},
      {"{type: gssss, scheme: midpoint-v0, index: 1, step: 0.01}", 30, SN_FAILS},
      {"{type: hht-i3, alpha: -0.3, step: 0.01}", 10, SN_STABLE},
      {"{type: radau5, tolerance: 1e-6}", 10, SN_STABLE},
  };
  double at[2] = {0};
  for (size_t i = 0; i < SN_COUNT(list); i++) {
    verdict v = judge(list[i].settings, list[i].until);
    if (v.class != list[i].class)
      fail_msg("%s, %g s: %s (noise %g)", list[i].settings, list[i].until, sn_class_names[v.class], v.noise);
    if (i == 2 || i == 3) at[i - 2] = v.noise;
  }
  assert_below(fabs(at[1] / at[0] / 10 - 1), 3, "noise grows from %g to %g", at[0], at[1]);
}

/* A motion that the steps do not resolve is no noise: a stiff spring over an undamped method, where the equations of
 * motion hold at every step, jumps up and down from step to step, and so it does at the same positions. */
static void unresolved_motion(void **state) {
  (void)state;
  run r;
  double before = 0;
  int jumps = 0, steps = 0;
  open_run(&r,
           "sinew: 1\ngravity: [0, 0, 0]\n"
           "bodies: {m: {type: point-mass, position: [1, 0, 0], mass: 1}}\n"
           "forces: {k: {type: spring, between: [\"ground.at(0, 0, 0)\", m], stiffness: 1e6, length: 0.999}}\n",
           &(sn_options){.integrator = "{type: gssss, scheme: newmark, step: 0.01}", .until = 1});
  sn_simulation *s = r.simulation;
  s->end = 1;
  sn_watch_noise(s);
  while (sn_time(s) < 1 - 1e-9) {
    assert_int_equal(sn_step(s), SN_OK);
    sn_noise_step(s);
    jumps += before * s->state.a[0] < 0;
    before = s->state.a[0];
    steps++;
  }
  assert_true(jumps > steps / 2);
  assert_below(sn_noise(s), 1e-6, "noise of a motion");
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_size), cmocka_unit_test(index_three),
                                     cmocka_unit_test(unresolved_motion)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
