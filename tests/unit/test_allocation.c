/* test_allocation.c - between the first and the last step nothing is allocated, by us or by a library we call.
 *
 * The program brings its own malloc and its relatives, which count and pass on to those of the C library.
 */
#include <stdatomic.h>

#include "support.h"

#if defined(__SANITIZE_ADDRESS__)
#define COUNTED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COUNTED 0
#endif
#endif
#if !defined(COUNTED) && defined(__GLIBC__)
#define COUNTED 1
#elif !defined(COUNTED)
#define COUNTED 0
#endif

static atomic_bool counting;
static atomic_long allocations;

#if COUNTED
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static void count(void) {
  if (atomic_load(&counting)) atomic_fetch_add(&allocations, 1);
}

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count();
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count();
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : 12; /* ENOMEM */
}

void free(void *memory) {
  __libc_free(memory);
}
#endif

#define HEAD                                           \
  "sinew: 1\n"                                         \
  "gravity: [0, -9.81, 0]\n"                           \
  "materials: {rubber: {density: 7200, young: 2e7}}\n" \
  "sections: {square: {type: rectangle, width: 0.02, height: 0.02}}\n"

static const char cable[] = HEAD
    "bodies: {beam: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 40, material: rubber, section: square,\n"
    "  stiffness_damping: 1e-3}}\n"
    "joints: {pin: {type: spherical, between: [ground, beam.start]}}\n"
    "outputs: {tip: {point: beam.end}, pin: {reaction: pin}}\n";

#define ROD(name, from, to)                                    \
  "  " name ": {type: rigid, from: [" from ", 0, 0], to: [" to \
  ", 0, 0.1], mass: 1, shape: {type: cylinder, radius: 0.05}}\n"

static const char chain[] = HEAD
    "bodies:\n" ROD("a", "0", "1") ROD("b", "1", "2") ROD("c", "2", "3") ROD("d", "3", "4")
    "joints:\n"
    "  one: {type: spherical, between: [ground, a.start]}\n"
    "  two: {type: revolute, between: [a.end, b.start], axis: [0, 0, 1]}\n"
    "  three: {type: spherical, between: [b.end, c.start]}\n"
    "  four: {type: fixed, between: [c.end, d]}\n"
    "outputs: {end: {point: d.end}, two: {reaction: two}}\n";

static const char mixed[] = HEAD
    "bodies:\n"
    "  beam: {type: cable, from: [0, 0, 0], via: [0.5, 0.2, 0], to: [1, 0, 0], elements: 9, material: rubber, section: "
    "square}\n" ROD("bob", "1", "1.5")
    "  tip: {type: point-mass, mass: 0.1, attach: beam.at(0.5)}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, beam.start]}\n"
    "  ball: {type: spherical, between: [beam.end, bob.start]}\n"
    "forces:\n"
    "  spring: {type: spring, between: ['ground.at(1, 1, 0)', bob.end], stiffness: 20, damping: 1}\n"
    "  push: {type: force, at: bob.center, force: [sin(t), 0, 1], follower: true}\n"
    "outputs: {tip: {point: beam.end}, spring: {spring: spring}}\n";

static void check(const char *name, const char *text, const sn_options *options) {
  run r;
  sn_row row;
  open_run(&r, text, options);
  sn_row_create(r.simulation, &row);
  if (sn_step(r.simulation)) fail_msg("%s", sn_message(r.context));
  sn_sample(r.simulation, sn_time(r.simulation), &row); /* KLU makes its factors at the first use */
  sn_status status = SN_OK;
  atomic_store(&allocations, 0);
  atomic_store(&counting, true);
  while (status == SN_OK && sn_time(r.simulation) < options->until) {
    status = sn_step(r.simulation);
    sn_sample(r.simulation, 0.5 * (r.simulation->before.t + r.simulation->state.t), &row);
  }
  atomic_store(&counting, false);
  assert_int_equal(status, SN_OK);
  long steps = sn_simulation_statistics(r.simulation)->steps,
       factorizations = r.simulation->system->count->factorizations;
  assert_true(steps > 50 && factorizations > 1);
  if (atomic_load(&allocations))
    fail_msg("%s, %s, %s: %ld allocations in %ld steps", name, options->step > 0 ? "fixed" : "adaptive",
             options->solver ? options->solver : "auto", atomic_load(&allocations), steps);
  close_run(&r);
}

static void test_no_allocation(void **state) {
  (void)state;
  static const char *const names[] = {"cable", "chain", "mixed"}, *const texts[] = {cable, chain, mixed};
  static const char *const solvers[] = {NULL, "ldl", "klu"};
  if (!COUNTED) skip();
  for (int k = 0; k < 9; k++)
    for (int threads = 1; threads <= 2; threads++) {
      sn_options fixed = {.integrator = "{type: hht-i3, bounds: step}",
                          .step = 2e-3,
                          .until = 0.6,
                          .solver = solvers[k / 3],
                          .threads = threads};
      sn_options adaptive = fixed;
      adaptive.step = 0;
      adaptive.tolerance = 1e-6;
      check(names[k % 3], texts[k % 3], &fixed);
      check(names[k % 3], texts[k % 3], &adaptive);
    }
}

/* Block methods on symmetric equations; where these are not, KLU allocates at the first factorization of each shift. */
static void test_block_methods(void **state) {
  (void)state;
  static const char *const methods[] = {"radau5", "radau", "gam"};
  static const char text[] = HEAD
      "bodies: {beam: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 20, material: rubber, section: square}}\n"
      "joints: {pin: {type: spherical, between: [ground, beam.start]}}\n"
      "outputs: {tip: {point: beam.end}, pin: {reaction: pin}}\n";
  if (!COUNTED) skip();
  for (int k = 0; k < 3; k++) {
    sn_options fixed = {.integrator = methods[k], .step = 5e-3, .until = 0.5}, adaptive = fixed;
    adaptive.step = 0;
    adaptive.tolerance = 1e-7;
    check("undamped cable", text, &fixed);
    check("undamped cable", text, &adaptive);
  }
}

/* Two cables on the floor, one slides against the other: warm once there have been as many contacts before. With hht-i3
 * the two couple in the matrix from the warm-up on. */
static void test_contact(void **state) {
  (void)state;
  static const char format[] = HEAD
      "bodies:\n"
      "  a: {type: cable, from: [0, 0.0101, 0], to: [1, 0.0101, 0], elements: 10, material: rubber, section: square}\n"
      "  b: {type: cable, from: [0, 0.0101, 0.021], to: [1, 0.0101, 0.021], elements: 10, material: rubber, section: "
      "square, "
      "velocity: [0.1, 0, -0.05]}\n"
      "surfaces: {a: {type: spheres, on: a}, b: {type: spheres, on: b}, floor: {type: plane, normal: [0, 1, 0]}}\n"
      "contacts: {all: {friction: 0.3, points: all, %s}}\n"
      "outputs: {touch: {contact: [a, b]}}\n";
  static const char *const laws[] = {"slip: 0.01", "slip: 0.01", "method: dvi"};
  char text[2048];
  /* with KLU new pivots allocate */
  static const sn_options options[] = {{.integrator = "symplectic-euler", .step = 1e-4},
                                       {.integrator = "hht-i3", .step = 5e-4, .solver = "ldl"},
                                       {.integrator = "symplectic-euler", .step = 1e-4}};
  if (!COUNTED) skip();
  for (int k = 0; k < 3; k++) {
    run r;
    sn_row row;
    snprintf(text, sizeof text, format, laws[k]);
    open_run(&r, text, &options[k]);
    sn_row_create(r.simulation, &row);
    advance(&r, 0.2);
    sn_sample(r.simulation, sn_time(r.simulation), &row);
    atomic_store(&allocations, 0);
    atomic_store(&counting, true);
    sn_status status = SN_OK;
    while (status == SN_OK && sn_time(r.simulation) < 0.4) {
      status = sn_step(r.simulation);
      sn_sample(r.simulation, sn_time(r.simulation), &row);
    }
    atomic_store(&counting, false);
    assert_int_equal(status, SN_OK);
    assert_true(row.touching.count > 10);
    if (atomic_load(&allocations)) fail_msg("%s: %ld allocations", options[k].integrator, atomic_load(&allocations));
    close_run(&r);
  }
}

/* Methods with matrices of their own beside the system's. */
static void test_no_allocation_twins(void **state) {
  (void)state;
  static const char *const methods[] = {"{type: hht-add, bounds: step}", "{type: hht-si2, bounds: step}",
                                        "{type: nstiff-si2, bounds: step}"};
  static const char *const solvers[] = {"ldl", "klu"};
  if (!COUNTED) skip();
  for (int k = 0; k < 6; k++) {
    sn_options options = {.integrator = methods[k % 3], .tolerance = 1e-5, .until = 0.6, .solver = solvers[k / 3]};
    check(methods[k % 3], mixed, &options);
  }
  sn_options conserving = {.integrator = "{type: gssss, conserve: energy-momentum}", .step = 2e-3, .until = 0.6};
  check("energy-momentum", mixed, &conserving);
}

/* Broyden's pairs have their place before the first step. (A companion belongs to the rows, and radau allocates.) */
static void test_no_allocation_broyden(void **state) {
  (void)state;
  char text[4000];
  sn_options options = {.until = 0.6};
  if (!COUNTED) skip();
  snprintf(text, sizeof text,
           "%sanalysis: {type: dynamics, duration: 1, companion: false, integrator: {type: hht-i3, newton: broyden}}\n",
           mixed);
  check("broyden", text, &options);
}

/* The counter counts. */
static void test_counter(void **state) {
  (void)state;
  if (!COUNTED) skip();
  void *(*volatile take)(size_t) = malloc; /* so that no optimizer leaves it out */
  atomic_store(&allocations, 0);
  atomic_store(&counting, true);
  void *memory = take(10);
  atomic_store(&counting, false);
  free(memory);
  assert_int_equal(atomic_load(&allocations), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_counter),
                                     cmocka_unit_test(test_no_allocation),
                                     cmocka_unit_test(test_block_methods),
                                     cmocka_unit_test(test_contact),
                                     cmocka_unit_test(test_no_allocation_twins),
                                     cmocka_unit_test(test_no_allocation_broyden)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
