/* test_threads.c - the pool of threads: every index once, sums whose bits do not depend on the threads, traces. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/cores.h"
#include "base/trace.h"

static const int counts[] = {1, 2, 3, 8, 16};

static void touch(void *user, int index) {
  atomic_fetch_add(&((atomic_int *)user)[index], 1);
}

/* Also with fewer indices than threads, and with uneven slices. */
static void test_every_index_once(void **state) {
  (void)state;
  enum { MOST = 1000 };
  static atomic_int hits[MOST];
  const int sizes[] = {0, 1, 2, 5, 15, 16, 17, 100, MOST};
  for (size_t c = 0; c < SN_COUNT(counts); c++) {
    sn_threads *pool = sn_threads_create(counts[c]);
    for (int round = 0; round < 20; round++)
      for (size_t k = 0; k < SN_COUNT(sizes); k++) {
        for (int i = 0; i < MOST; i++) atomic_store(&hits[i], 0);
        sn_threads_run(pool, sizes[k], touch, hits);
        for (int i = 0; i < MOST; i++) assert_int_equal(atomic_load(&hits[i]), i < sizes[k]);
      }
    sn_threads_free(pool);
  }
}

/* Summands of very different sizes: any other order of the sum has other bits. */
static void add_terms(void *user, int first, int last, double sum[SN_MOST_SUMS]) {
  const double *x = user;
  for (int i = first; i < last; i++) sum[0] += x[i], sum[1] += x[i] * x[i];
}
static void double_terms(void *user, int first, int last) {
  for (int i = first; i < last; i++) ((double *)user)[i] *= 2;
}

static void test_sums(void **state) {
  (void)state;
  enum { MOST = 3000000 }; /* more than pieces of the least size */
  const int sizes[] = {1, 100, 8192, 8193, 600000, MOST};
  double *x = malloc(MOST * sizeof *x), *y = malloc(MOST * sizeof *y);
  assert_non_null(x);
  assert_non_null(y);
  for (int i = 0; i < MOST; i++) x[i] = sin(0.1 * i) * pow(10, i % 17 - 8);
  for (size_t k = 0; k < SN_COUNT(sizes); k++) {
    double plain[SN_MOST_SUMS] = {0}, one[SN_MOST_SUMS] = {0};
    add_terms(x, 0, sizes[k], plain);
    for (size_t c = 0; c < SN_COUNT(counts); c++) {
      sn_threads *pool = sn_threads_create(counts[c]);
      double sum[SN_MOST_SUMS];
      sn_threads_sum(pool, sizes[k], add_terms, x, sum);
      if (c == 0) memcpy(one, sum, sizeof one);
      assert_memory_equal(sum, one, sizeof sum);
      if (sizes[k] <= 8192) assert_memory_equal(sum, plain, sizeof sum); /* small vectors: one sum */
      assert_true(fabs(sum[1] - plain[1]) <= 1e-12 * plain[1]);
      sn_threads_zero(pool, sizes[k], y);
      sn_threads_copy(pool, sizes[k], y, x);
      sn_threads_split(pool, sizes[k], double_terms, y);
      for (int i = 0; i < sizes[k]; i++) assert_true(y[i] == 2 * x[i]);
      sn_threads_free(pool);
    }
  }
  free(x);
  free(y);
}

static sn_least least_of(void *user, int first, int last) {
  const double *x = user;
  sn_least least = {INFINITY, -1};
  for (int i = first; i < last; i++)
    if (x[i] < least.value) least = (sn_least){x[i], i};
  return least;
}

/* Of equal values the first one, in whichever piece; and vectors that differ in one number, or in the sign of zero. */
static void test_least_and_equal(void **state) {
  (void)state;
  enum { N = 100000 };
  static double x[N], y[N];
  const int places[] = {0, 1, 8191, 8192, 50000, N - 1};
  for (size_t c = 0; c < SN_COUNT(counts); c++) {
    sn_threads *pool = sn_threads_create(counts[c]);
    for (int i = 0; i < N; i++) x[i] = y[i] = i % 7;
    for (int grain = 1; grain <= N; grain *= 10)
      assert_int_equal(sn_threads_least(pool, N, grain, least_of, x).index, 0);
    assert_int_equal(sn_threads_least(pool, 0, 10, least_of, x).index, -1);
    assert_true(sn_threads_equal(pool, N, x, y));
    for (size_t k = SN_COUNT(places); k-- > 0;) { /* backward: the earlier of equal ones counts */
      const int at = places[k];
      x[at] = -1;
      const sn_least least = sn_threads_least(pool, N, 100, least_of, x);
      assert_int_equal(least.index, at);
      assert_true(least.value == -1);
      y[at] = x[at];
      y[at] += 1e-15;
      assert_false(sn_threads_equal(pool, N, x, y));
      y[at] = x[at];
      assert_true(sn_threads_equal(pool, N, x, y));
    }
    x[5] = 0, y[5] = -0.0;
    assert_false(sn_threads_equal(pool, N, x, y));
    sn_threads_free(pool);
  }
}

static void test_useful_threads(void **state) {
  (void)state;
  assert_true(sn_physical_cores() >= 1);
  assert_int_equal(sn_useful_threads(63, 16), 1);
  assert_int_equal(sn_useful_threads(6000, 16), 4);
  assert_int_equal(sn_useful_threads(600000, 16), 16);
}

/* Workers add spans of their own under the name of the phase; without a trace nothing is noted. */
static void test_trace(void **state) {
  (void)state;
  static atomic_int hits[64];
  sn_threads *pool = sn_threads_create(4);
  sn_trace *trace = sn_trace_create(4);
  sn_context *context = sn_context_create();
  char path[] = "/tmp/sinew-trace-XXXXXX", text[4000];
  sn_threads_run(pool, 64, touch, hits);
  sn_threads_set_trace(pool, trace);
  assert_null(sn_threads_set_phase(pool, "solve"));
  sn_threads_run(pool, 64, touch, hits);
  assert_string_equal(sn_threads_set_phase(pool, NULL), "solve");
  sn_trace_add(trace, 0, "start", 0, 1);
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  assert_int_equal(sn_trace_write(context, trace, path), SN_OK);
  FILE *in = fopen(path, "r");
  assert_non_null(in);
  text[fread(text, 1, sizeof text - 1, in)] = 0;
  fclose(in);
  remove(path);
  int spans = 0;
  for (const char *at = text; (at = strstr(at, "\"solve\"")); at++) spans++;
  assert_int_equal(spans, 3); /* the caller's part is within the phase, which nobody has noted here */
  assert_non_null(strstr(text, "\"start\""));
  assert_int_equal(sn_trace_write(context, trace, "/nowhere/trace.json"), SN_IO);
  sn_threads_free(pool);
  sn_trace_free(trace);
  sn_context_free(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_index_once), cmocka_unit_test(test_sums),  cmocka_unit_test(test_least_and_equal),
      cmocka_unit_test(test_useful_threads),   cmocka_unit_test(test_trace),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
