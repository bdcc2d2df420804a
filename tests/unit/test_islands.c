/* test_islands.c - contacts that hang together, against a search by brute force; heaps that do not touch do not know of
 * each other. */
#include "contact/islands.h"
#include "support.h"

enum { COMPONENTS = 40, PAIRS = 60 };

/* Labels spread from pair to pair until none changes. */
static void spread(const int component[2 * PAIRS], int pairs, int label[PAIRS]) {
  for (int i = 0; i < pairs; i++) label[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < pairs; i++)
      for (int j = 0; j < pairs; j++)
        for (int k = 0; k < 4; k++) {
          int a = component[2 * i + k / 2], b = component[2 * j + k % 2];
          if (a >= 0 && a == b && label[j] < label[i]) label[i] = label[j], changed = true;
        }
  }
}

static void islands_are_components(void **state) {
  (void)state;
  sn_islands islands = {0};
  uint64_t seed = 3;
  for (int trial = 0; trial < 50; trial++) {
    int component[2 * PAIRS], label[PAIRS], pairs = trial * PAIRS / 49, seen = 0;
    for (int i = 0; i < pairs; i++) {
      component[2 * i] = (int)(fabs(noise(&seed)) * COMPONENTS) % COMPONENTS;
      component[2 * i + 1] =
          i % 3 ? (int)(fabs(noise(&seed)) * COMPONENTS) % COMPONENTS : -1; /* every third on the ground */
    }
    spread(component, pairs, label);
    sn_islands_find(&islands, COMPONENTS, pairs, component);
    assert_int_equal(islands.start[0], 0);
    assert_int_equal(islands.start[islands.count], pairs);
    for (int k = 0; k < islands.count; k++) {
      int first = islands.order[islands.start[k]];
      assert_int_equal(label[first], first); /* the first of its component, and islands in their order */
      assert_true(k == 0 || first > islands.order[islands.start[k - 1]]);
      for (int i = islands.start[k]; i < islands.start[k + 1]; i++, seen++) {
        assert_int_equal(label[islands.order[i]], first);
        assert_true(i == islands.start[k] || islands.order[i] > islands.order[i - 1]);
      }
    }
    assert_int_equal(seen, pairs);
  }
  sn_islands_free(&islands);
}

/* Piles of balls in layers of 9, 4 and 1, dropped, `apart` from each other; the second one faster. */
enum { BALLS = 14, HEAPS = 2 };

static void piles(int heaps, char *text, size_t size) {
  static const double x[BALLS] = {-1, 0, 1, -1, 0, 1, -1, 0, 1, -0.5, 0.5, -0.5, 0.5, 0};
  static const double z[BALLS] = {-1, -1, -1, 0, 0, 0, 1, 1, 1, -0.5, -0.5, 0.5, 0.5, 0};
  int used = snprintf(text, size, "sinew: 1\ngravity: [0, -9.81, 0]\nbodies:\n");
  for (int i = 0; i < heaps * BALLS; i++) {
    int b = i % BALLS;
    used += snprintf(text + used, size - (size_t)used,
                     "  b%d: {type: rigid, position: [%g, %g, %g], velocity: [0, %d, 0], mass: 1, shape: {type: "
                     "sphere, radius: 0.05}}\n",
                     i, 0.102 * x[b] + 3 * (i / BALLS),
                     0.06 + (b < 9    ? 0
                             : b < 13 ? 0.085
                                      : 0.17),
                     0.102 * z[b], -(i / BALLS));
  }
  used += snprintf(text + used, size - (size_t)used, "surfaces:\n  floor: {type: plane, normal: [0, 1, 0]}\n");
  for (int i = 0; i < heaps * BALLS; i++)
    used += snprintf(text + used, size - (size_t)used, "  s%d: {type: sphere, on: b%d}\n", i, i);
  snprintf(text + used, size - (size_t)used,
           "contacts: {all: {method: dvi, friction: 0.3, activation: 0.002}}\n"
           "analysis: {type: dynamics, duration: 1, integrator: {type: symplectic-euler, step: 1e-3, "
           "contact_tolerance: 1e-2}}\n");
}

/* The solver stops at 1e-2 m/s: what it leaves would show in the other pile if both were one problem. */
static void heaps_do_not_know_of_each_other(void **state) {
  (void)state;
  static char text[16000];
  double q[1 + 3][7 * HEAPS * BALLS];
  for (int k = 0; k < 4; k++) { /* one pile; two piles with 1, 2 and 3 threads */
    run r;
    sn_options options = {.until = 0.3, .threads = k > 1 ? k : 1};
    piles(k ? 2 : 1, text, sizeof text);
    open_run(&r, text, &options);
    advance(&r, 0.3);
    print_message("%ld iterations\n", r.simulation->system->statistics.contact.iterations);
    assert_true(r.simulation->system->statistics.contact.iterations > 100);
    memcpy(q[k], r.simulation->state.q, (size_t)r.simulation->system->n * sizeof(double));
    close_run(&r);
  }
  assert_below(distance(q[0], q[1], 7 * BALLS), 1e-12, "the second pile moves the first");
  assert_memory_equal(q[1], q[2], sizeof q[1]);
  assert_memory_equal(q[1], q[3], sizeof q[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(islands_are_components),
                                     cmocka_unit_test(heaps_do_not_know_of_each_other)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
