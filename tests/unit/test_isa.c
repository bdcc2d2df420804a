/* test_isa.c - kernels are compiled for several instruction sets: they compute the same up to rounding, and within each
 * set the same to the bit for any number of threads. Sets that this machine does not have are not looked at.
 */
#include "base/isa.h"
#include "support.h"

/* ---- every kind: residual, tangent, energy, solution ---- */

typedef struct numbers {
  double *residual, *matrix, *solution;
  double energy[3];
  int n, rows;
} numbers;

static numbers evaluate(const char *text) {
  fixture f;
  uint64_t seed = 7;
  open_fixture(&f, text, "ldl");
  sn_state *s = &f.state;
  numbers y = {.n = f.model->n, .rows = f.model->n + f.model->m};
  s->t = 0.37;
  add_noise(&seed, 0.04, s->q, y.n);
  add_noise(&seed, 1, s->v, y.n);
  add_noise(&seed, 5, s->a, y.n);
  add_noise(&seed, 2, s->l, f.model->m);
  y.residual = calloc((size_t)y.n, sizeof(double));
  y.solution = calloc((size_t)y.rows, sizeof(double));
  sn_system_residual(f.system, s, 1, y.residual);
  sn_energy energy = {0};
  sn_system_energy(f.system, s, &energy);
  y.energy[0] = energy.kinetic, y.energy[1] = energy.gravity, y.energy[2] = energy.strain;
  assert_true(sn_system_factor(f.system, s, 1, 1, 0.01, 1e-4));
  y.matrix = dense(sn_system_matrix(f.system));
  memcpy(y.solution, y.residual, (size_t)y.n * sizeof(double));
  sn_system_solve_refined(f.system, y.solution);
  close_fixture(&f);
  return y;
}

static void release(numbers *y) {
  free(y->residual);
  free(y->matrix);
  free(y->solution);
}

static void every_kind_is_the_same_up_to_rounding(void **state) {
  (void)state;
  const char *sets[SN_ISA_SETS];
  const int count = sn_isa_sets(sets);
  for (int k = 0; k < sn_case_count; k++) {
    char *text = case_text(&sn_model_cases[k]);
    numbers first = {0};
    for (int i = 0; i < count; i++) {
      assert_true(sn_isa_use(sets[i]));
      assert_string_equal(sn_isa(), sets[i]);
      numbers y = evaluate(text);
      if (!i) {
        first = y;
        continue;
      }
      const char *name = sn_model_cases[k].name, *set = sets[i];
      int squared = y.rows * y.rows;
      assert_below(distance(y.residual, first.residual, y.n), 1e-12 * largest(first.residual, y.n),
                   "residual of %s by %s", name, set);
      assert_below(distance(y.matrix, first.matrix, squared), 1e-12 * largest(first.matrix, squared),
                   "matrix of %s by %s", name, set);
      assert_below(distance(y.energy, first.energy, 3), 1e-12 * largest(first.energy, 3), "energy of %s by %s", name,
                   set);
      assert_below(distance(y.solution, first.solution, y.rows), 1e-7 * largest(first.solution, y.rows),
                   "solution of %s by %s", name, set);
      release(&y);
    }
    release(&first);
    free(text);
  }
}

/* ---- runs, with contact ---- */

#define HEAP(law, integrator)                                                                                      \
  "sinew: 1\ngravity: [0, -9.81, 0]\nmaterials: {rubber: {density: 1100, young: 1e7}}\n"                           \
  "sections: {round: {type: circle, radius: 0.01}}\n"                                                              \
  "bodies:\n"                                                                                                      \
  "  a: {type: cable, from: [-0.5, 0.012, 0], to: [0.5, 0.0121, 0.003], elements: 10, material: rubber, section: " \
  "round}\n"                                                                                                       \
  "  b: {type: cable, from: [0.0071, 0.033, -0.43], to: [0.0271, 0.0332, 0.57], elements: 10, material: rubber, "  \
  "section: round}\n"                                                                                              \
  "  c: {type: rigid, position: [0.213, 0.08, 0.013], mass: 0.1, shape: {type: sphere, radius: 0.05}}\n"           \
  "surfaces:\n  floor: {type: plane, normal: [0, 1, 0]}\n  a: {type: spheres, on: a, radius: 0.01, count: 51}\n"   \
  "  b: {type: spheres, on: b, radius: 0.01, count: 51}\n  c: {type: sphere, on: c}\n"                             \
  "contacts: {all: {" law                                                                                          \
  "}}\n"                                                                                                           \
  "analysis: {type: dynamics, duration: 1, integrator: {" integrator "}}\n"

static const struct {
  const char *name, *model;
  double step, until;
  double rounding; /* of positions [m]: what a difference in rounding may have grown to */
} runs[] = {
    {"cable", "models/pendulum.yaml", 1e-3, 0.05, 1e-11},
    {"beam", "models/beam-pendulum.yaml", 1e-3, 0.02, 1e-11},
    {"plate", "models/plate-pendulum.yaml", 1e-3, 0.02, 1e-11},
    /* no friction: on a cable that lands straight it makes sideways motion of rounding */
    {"penalty", HEAP("method: penalty, stiffness: 1e6, friction: 0", "type: symplectic-euler, step: 1e-4"), 0, 0.03,
     1e-10},
    /* the solver stops at 1e-6 m/s, anywhere below */
    {"dvi", HEAP("method: dvi, friction: 0.3", "type: symplectic-euler, step: 2e-4, contact_tolerance: 1e-6"), 0, 0.03,
     1e-7},
};

static double *run_of(int k, int threads, int *n) {
  run r;
  sn_options options = {.step = runs[k].step, .until = runs[k].until, .threads = threads};
  open_run(&r, runs[k].model, &options);
  advance(&r, runs[k].until);
  *n = r.simulation->system->n;
  double *q = malloc((size_t)*n * sizeof(double));
  memcpy(q, r.simulation->state.q, (size_t)*n * sizeof(double));
  if (runs[k].step == 0) assert_true(q[1] > 0.009); /* the floor holds cable a; falling it would be at 0.0076 */
  close_run(&r);
  return q;
}

static void threads_do_not_matter_in_any_set(void **state) {
  (void)state;
  const char *sets[SN_ISA_SETS];
  const int count = sn_isa_sets(sets);
  for (int k = 0; k < (int)SN_COUNT(runs); k++) {
    double *first = NULL;
    for (int i = 0; i < count; i++) {
      int n;
      assert_true(sn_isa_use(sets[i]));
      double *one = run_of(k, 1, &n), *two = run_of(k, 2, &n);
      assert_memory_equal(one, two, (size_t)n * sizeof(double));
      free(two);
      if (first) {
        double off = distance(one, first, n);
        print_message("%s: %s is %.1e off %s\n", runs[k].name, sets[i], off, sets[0]);
        assert_below(off, runs[k].rounding, "%s by %s", runs[k].name, sets[i]);
        free(one);
      } else {
        first = one;
      }
    }
    free(first);
  }
}

static void unknown_sets_are_refused(void **state) {
  (void)state;
  const char *before = sn_isa();
  assert_false(sn_isa_use("mmx"));
  assert_string_equal(sn_isa(), before);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind_is_the_same_up_to_rounding),
                                     cmocka_unit_test(threads_do_not_matter_in_any_set),
                                     cmocka_unit_test(unknown_sets_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
