/* Rows of numbers to lanes and back (math/lanes_rows.h), for all the sizes that elements have. */
#include "math/lanes_rows.h"
#include "support.h"

enum { MOST = 24, ROOM = 4 };

static double number(int k, int c) {
  return 100 * k + c + 1;
}

static void rows_become_lanes_and_come_back(void **state) {
  (void)state;
  for (int count = 4; count <= MOST; count++) {
    double from[SN_LANES][MOST + ROOM], to[SN_LANES][MOST + ROOM], *back[SN_LANES];
    const double *row[SN_LANES];
    sn_vd x[MOST];
    for (int k = 0; k < SN_LANES; k++) {
      for (int c = 0; c < MOST + ROOM; c++) from[k][c] = number(k, c), to[k][c] = 0;
      row[k] = from[(k * 3) % SN_LANES]; /* rows lie anywhere */
      back[k] = to[k];
    }
    sn_rows_to_lanes(row, count, x);
    sn_lanes_to_rows(x, count, back);
    for (int k = 0; k < SN_LANES; k++)
      for (int c = 0; c < MOST + ROOM; c++) {
        const double wanted = number(k * 3 % SN_LANES, c);
        if (c < count) assert_true(x[c][k] == wanted);
        assert_true(to[k][c] == (c < count ? wanted : 0)); /* nothing behind the row is written */
      }
  }
}

static void rows_are_added(void **state) {
  (void)state;
  for (int n = 1; n <= MOST; n++) {
    double to[MOST + ROOM], from[MOST + ROOM];
    for (int c = 0; c < MOST + ROOM; c++) to[c] = number(0, c), from[c] = number(2, c);
    sn_row_add(n, to, from);
    for (int c = 0; c < MOST + ROOM; c++) assert_true(to[c] == number(0, c) + (c < n ? number(2, c) : 0));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_become_lanes_and_come_back),
      cmocka_unit_test(rows_are_added),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
