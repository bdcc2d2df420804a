/* fuzz_expression.c - libFuzzer target: any bytes are an expression or refused, and what is compiled can be evaluated
 * anywhere. Its value is the same whether it is asked for alone or with its derivatives. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/expr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool lookup(void *user, const char *name, double *value, bool *failed) {
  (void)user, (void)failed;
  *value = strlen(name) == 1 ? name[0] - 'M' : 0.5;
  return strlen(name) <= 2;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const double x[] = {0, 1, 2.5}, y[] = {1, -1, 3}, times[] = {0, 0.25, -3, 1e9, NAN, INFINITY};
  const sn_table table = {.name = "table", .count = 3, .x = x, .y = y};
  const sn_scope scope = {.lookup = lookup, .tables = &table, .table_count = 1, .time_allowed = true};
  sn_arena arena = {0};
  sn_expr_error error = {0};
  const sn_expr *e = sn_expr_compile(&arena, size ? (const char *)data : "", size, &scope, &error);
  if (!e && (!error.text[0] || error.offset < 0 || (size_t)error.offset > size)) abort();
  for (size_t i = 0; e && i < sizeof times / sizeof times[0]; ++i) {
    const double value = sn_expr_value(e, times[i]);
    const sn_jet jet = sn_expr_jet(e, times[i]);
    if (!(jet.value == value || (isnan(jet.value) && isnan(value)))) abort();
  }
  if (e) sn_expr_taylor(e, 0, 0.1, 3), sn_expr_taylor(e, -1e3, 1e3, 2);
  sn_arena_free(&arena);
  return 0;
}
