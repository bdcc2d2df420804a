/* test_base.c - context, arena, names and clock. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* after the headers above, which it needs */
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "base/base.h"

static void message_is_replaced_and_appended(void **state) {
  (void)state;
  sn_context *context = sn_context_create();
  assert_string_equal(sn_message(context), "");
  assert_int_equal(sn_fail(context, SN_BAD_MODEL, "line %d", 7), SN_BAD_MODEL);
  assert_string_equal(sn_message(context), "line 7");
  sn_append(context, ", column %d", 3);
  assert_string_equal(sn_message(context), "line 7, column 3");
  assert_int_equal(sn_fail(context, SN_IO, "gone"), SN_IO);
  assert_string_equal(sn_message(context), "gone");
  sn_clear_message(context);
  assert_string_equal(sn_message(context), "");
  sn_append(context, "%s", "");
  sn_append(context, "first");
  assert_string_equal(sn_message(context), "first");
  sn_context_free(context);
  sn_context_free(NULL);
}

/* A caller wraps the message in a longer one. */
static void message_may_quote_itself(void **state) {
  (void)state;
  sn_context *context = sn_context_create();
  sn_fail(context, SN_IO, "no such file");
  sn_fail(context, SN_IO, "model.yaml: %s", sn_message(context));
  assert_string_equal(sn_message(context), "model.yaml: no such file");
  sn_append(context, " (%s)", sn_message(context));
  assert_string_equal(sn_message(context), "model.yaml: no such file (model.yaml: no such file)");
  sn_context_free(context);
}

static void message_grows(void **state) {
  (void)state;
  sn_context *context = sn_context_create();
  for (int i = 0; i < 5000; ++i) sn_append(context, "%04d\n", i);
  const char *message = sn_message(context);
  assert_int_equal(strlen(message), 25000);
  assert_int_equal(context->length, 25000);
  assert_memory_equal(message + 5 * 1234, "1234\n", 5);
  assert_memory_equal(message + 5 * 4999, "4999\n", 5);
  sn_context_free(context);
}

static void interrupt_sets_the_flag(void **state) {
  (void)state;
  sn_context *context = sn_context_create();
  assert_int_equal(context->interrupted, 0);
  sn_interrupt(context);
  assert_int_equal(context->interrupted, 1);
  sn_context_free(context);
}

/* Items of many sizes: zeroed, aligned, and none overlaps another (each keeps the byte it was filled with). */
static void arena_items_are_zero_aligned_apart(void **state) {
  (void)state;
  enum { items = 3000 };
  static unsigned char *item[items];
  static size_t size[items];
  sn_arena arena = {0};
  uint32_t random = 1;
  for (int i = 0; i < items; ++i) {
    random = random * 1664525u + 1013904223u;
    size[i] = (random >> 16) % (i % 50 == 0 ? 20000 : 200);
    item[i] = sn_alloc(&arena, size[i], 1);
    assert_non_null(item[i]);
    assert_int_equal((uintptr_t)item[i] % (size[i] >= 64 ? 64 : 16), 0);
    for (size_t k = 0; k < size[i]; ++k) assert_int_equal(item[i][k], 0);
    memset(item[i], i % 251 + 1, size[i]);
  }
  for (int i = 0; i < items; ++i) {
    for (size_t k = 0; k < size[i]; ++k) assert_int_equal(item[i][k], i % 251 + 1);
  }
  sn_arena_free(&arena);
  assert_null(arena.last);
}

static void arena_serves_large_and_empty_items(void **state) {
  (void)state;
  sn_arena arena = {0};
  double *large = SN_NEW(&arena, double, 3000000);
  assert_int_equal((uintptr_t)large % 64, 0);
  assert_true(large[0] == 0.0 && large[2999999] == 0.0);
  large[2999999] = 1.0;
  const char *none = SN_NEW(&arena, char, 0), *another = SN_NEW(&arena, char, 0);
  assert_non_null(none);
  assert_ptr_not_equal(none, another);
  sn_arena_free(&arena);

  char *small = SN_NEW(&arena, char, 10);
  double *second = SN_NEW(&arena, double, 3000000); /* goes behind the open block */
  char *next = SN_NEW(&arena, char, 10);
  assert_true(next - small > 0 && next - small < 100);
  assert_true(second[0] == 0.0);
  sn_arena_free(&arena);
  sn_arena_free(&arena);
}

static void arena_copies_and_formats(void **state) {
  (void)state;
  sn_arena arena = {0};
  assert_string_equal(sn_copy_text(&arena, "beam.start", 4), "beam");
  assert_string_equal(sn_copy_text(&arena, NULL, 0), "");
  assert_string_equal(sn_format(&arena, "%s.%d", "beam", 12), "beam.12");
  assert_string_equal(sn_format(&arena, "%s", ""), "");
  const char *wide = sn_format(&arena, "%9000d", 1);
  assert_int_equal(strlen(wide), 9000);
  sn_arena_free(&arena);
}

static void distance_counts_edits(void **state) {
  (void)state;
  assert_int_equal(sn_edit_distance("length", "length", 9), 0);
  assert_int_equal(sn_edit_distance("lenght", "length", 9), 1); /* swapped */
  assert_int_equal(sn_edit_distance("Length", "lENGTH", 9), 0); /* case folded */
  assert_int_equal(sn_edit_distance("lngth", "length", 9), 1);
  assert_int_equal(sn_edit_distance("lengtth", "length", 9), 1);
  assert_int_equal(sn_edit_distance("lemgth", "length", 9), 1);
  assert_int_equal(sn_edit_distance("kitten", "sitting", 9), 3);
  assert_int_equal(sn_edit_distance("ca", "abc", 9), 3); /* no edits inside a swapped pair */
  assert_int_equal(sn_edit_distance("", "abc", 9), 3);
  assert_int_equal(sn_edit_distance("abc", "", 9), 3);
  assert_int_equal(sn_edit_distance("", "", 9), 0);
}

static void distance_stops_at_the_limit(void **state) {
  (void)state;
  assert_int_equal(sn_edit_distance("kitten", "sitting", 2), 2);
  assert_int_equal(sn_edit_distance("kitten", "sitting", 3), 3);
  assert_int_equal(sn_edit_distance("a", "abcdefgh", 3), 3);
  assert_int_equal(sn_edit_distance("abc", "abc", 0), 0);
  char a[400], b[400];
  memset(a, 'a', sizeof a);
  memset(b, 'b', sizeof b);
  a[399] = b[399] = 0;
  assert_int_equal(sn_edit_distance(a, b, 5), 5);
  assert_int_equal(sn_edit_distance(a, b, 1000), 1000); /* longer than the rows: far apart */
  memcpy(b, a, sizeof a);
  b[200] = 'x';
  assert_int_equal(sn_edit_distance(a, b, 5), 1); /* long, but alike on both sides */
}

static void distance_is_symmetric(void **state) {
  (void)state;
  uint32_t random = 7;
  for (int i = 0; i < 20000; ++i) {
    char word[2][9] = {{0}};
    for (int w = 0; w < 2; ++w) {
      random = random * 1664525u + 1013904223u;
      const uint32_t length = (random >> 20) % 9;
      for (uint32_t k = 0; k < length; ++k) {
        random = random * 1664525u + 1013904223u;
        word[w][k] = (char)('a' + (random >> 20) % 3);
      }
    }
    const int d = sn_edit_distance(word[0], word[1], 20);
    assert_int_equal(d, sn_edit_distance(word[1], word[0], 20));
    assert_int_equal(d == 0, strcmp(word[0], word[1]) == 0);
    for (int limit = 0; limit < 10; ++limit) {
      assert_int_equal(sn_edit_distance(word[0], word[1], limit), d < limit ? d : limit);
    }
  }
}

static void clocks_advance(void **state) {
  (void)state;
  const double wall = sn_wall_time(), cpu = sn_cpu_time();
  volatile double work = 1.0;
  while (sn_cpu_time() - cpu < 0.01) {
    for (int i = 0; i < 1000; ++i) work = sqrt(work + i);
    assert_true(sn_wall_time() - wall < 10.0); /* a CPU clock that stands still must not hang the test */
  }
  assert_true(sn_wall_time() - wall > 0.009);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(message_is_replaced_and_appended),
      cmocka_unit_test(message_may_quote_itself),
      cmocka_unit_test(message_grows),
      cmocka_unit_test(interrupt_sets_the_flag),
      cmocka_unit_test(arena_items_are_zero_aligned_apart),
      cmocka_unit_test(arena_serves_large_and_empty_items),
      cmocka_unit_test(arena_copies_and_formats),
      cmocka_unit_test(distance_counts_edits),
      cmocka_unit_test(distance_stops_at_the_limit),
      cmocka_unit_test(distance_is_symmetric),
      cmocka_unit_test(clocks_advance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
