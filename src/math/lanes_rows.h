/* lanes_rows.h - numbers of several instances, which lie in memory one instance after the other, to lanes and back.
 *
 *     row of instance k:  row_k[0], row_k[1], ...          lanes:  x[c] = (row_0[c], row_1[c], ...)
 *
 * Four columns at a time are read with as many loads as there are rows and turned over in registers. (Loops over numbers
 * become gather instructions, which take several times as long, and loads that wait for smaller stores.)
 */
#ifndef SN_LANES_ROWS_H
#define SN_LANES_ROWS_H

#include "math/four.h"
#include "math/lanes.h"

typedef double sn_two __attribute__((vector_size(16)));

/* x[0..3] = columns of the rows, four numbers of each. */
SN_INLINE void sn_turn_rows(const double *const row[SN_LANES], int c, sn_vd x[4]) {
#if SN_LANES == 8
  sn_vd a[4];
  for (int k = 0; k < 4; k++)
    a[k] = __builtin_shufflevector(sn_four_load(row[k] + c), sn_four_load(row[k + 4] + c), 0, 1, 2, 3, 4, 5, 6, 7);
  sn_vd even[2], odd[2]; /* columns 0 and 2, 1 and 3, of two rows of each half */
  for (int k = 0; k < 2; k++) {
    even[k] = __builtin_shufflevector(a[2 * k], a[2 * k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    odd[k] = __builtin_shufflevector(a[2 * k], a[2 * k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  x[0] = __builtin_shufflevector(even[0], even[1], 0, 1, 8, 9, 4, 5, 12, 13);
  x[1] = __builtin_shufflevector(odd[0], odd[1], 0, 1, 8, 9, 4, 5, 12, 13);
  x[2] = __builtin_shufflevector(even[0], even[1], 2, 3, 10, 11, 6, 7, 14, 15);
  x[3] = __builtin_shufflevector(odd[0], odd[1], 2, 3, 10, 11, 6, 7, 14, 15);
#elif SN_LANES == 4
  sn_vd even[2], odd[2];
  for (int k = 0; k < 2; k++) {
    const sn_vd a = sn_vd_load(row[2 * k] + c), b = sn_vd_load(row[2 * k + 1] + c);
    even[k] = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    odd[k] = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  }
  x[0] = __builtin_shufflevector(even[0], even[1], 0, 1, 4, 5);
  x[1] = __builtin_shufflevector(odd[0], odd[1], 0, 1, 4, 5);
  x[2] = __builtin_shufflevector(even[0], even[1], 2, 3, 6, 7);
  x[3] = __builtin_shufflevector(odd[0], odd[1], 2, 3, 6, 7);
#else
  for (int h = 0; h < 4; h += 2) {
    const sn_vd a = sn_vd_load(row[0] + c + h), b = sn_vd_load(row[1] + c + h);
    x[h] = __builtin_shufflevector(a, b, 0, 2);
    x[h + 1] = __builtin_shufflevector(a, b, 1, 3);
  }
#endif
}

/* The way back: row[k] + c = lane k of x[0..3]. */
SN_INLINE void sn_turn_columns(const sn_vd x[4], double *const row[SN_LANES], int c) {
#if SN_LANES == 8
  for (int h = 0; h < 2; h++) { /* rows 0, 1, 4, 5 and rows 2, 3, 6, 7 */
    sn_vd even, odd;
    if (h == 0) {
      even = __builtin_shufflevector(x[0], x[2], 0, 1, 8, 9, 4, 5, 12, 13);
      odd = __builtin_shufflevector(x[1], x[3], 0, 1, 8, 9, 4, 5, 12, 13);
    } else {
      even = __builtin_shufflevector(x[0], x[2], 2, 3, 10, 11, 6, 7, 14, 15);
      odd = __builtin_shufflevector(x[1], x[3], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    const sn_vd a = __builtin_shufflevector(even, odd, 0, 8, 2, 10, 4, 12, 6, 14),
                b = __builtin_shufflevector(even, odd, 1, 9, 3, 11, 5, 13, 7, 15);
    memcpy(row[2 * h] + c, &a, 32);
    memcpy(row[2 * h + 1] + c, &b, 32);
    memcpy(row[2 * h + 4] + c, (const char *)&a + 32, 32);
    memcpy(row[2 * h + 5] + c, (const char *)&b + 32, 32);
  }
#elif SN_LANES == 4
  for (int h = 0; h < 2; h++) {
    sn_vd even, odd;
    if (h == 0) {
      even = __builtin_shufflevector(x[0], x[2], 0, 1, 4, 5);
      odd = __builtin_shufflevector(x[1], x[3], 0, 1, 4, 5);
    } else {
      even = __builtin_shufflevector(x[0], x[2], 2, 3, 6, 7);
      odd = __builtin_shufflevector(x[1], x[3], 2, 3, 6, 7);
    }
    const sn_vd a = __builtin_shufflevector(even, odd, 0, 4, 2, 6), b = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
    memcpy(row[2 * h] + c, &a, 32);
    memcpy(row[2 * h + 1] + c, &b, 32);
  }
#else
  for (int h = 0; h < 4; h += 2) {
    const sn_vd a = __builtin_shufflevector(x[h], x[h + 1], 0, 2), b = __builtin_shufflevector(x[h], x[h + 1], 1, 3);
    memcpy(row[0] + c + h, &a, 16);
    memcpy(row[1] + c + h, &b, 16);
  }
#endif
}

/* x[c] for c < count, at least 4: the last four columns may overlap those before. */
SN_INLINE void sn_rows_to_lanes(const double *const row[SN_LANES], int count, sn_vd x[]) {
  for (int c = 0; c < count; c += 4) {
    const int at = c + 4 <= count ? c : count - 4;
    sn_turn_rows(row, at, x + at);
  }
}
SN_INLINE void sn_lanes_to_rows(const sn_vd x[], int count, double *const row[SN_LANES]) {
  for (int c = 0; c < count; c += 4) {
    const int at = c + 4 <= count ? c : count - 4;
    sn_turn_columns(x + at, row, at);
  }
}

/* to += from, n numbers, in pieces that the next element, which shares them, reads again as they are. */
SN_INLINE void sn_row_add(int n, double *to, const double *from) {
  int c = 0;
  for (; c + 4 <= n; c += 4) {
    const sn_four sum = sn_four_load(to + c) + sn_four_load(from + c);
    memcpy(to + c, &sum, sizeof sum);
  }
  for (; c + 2 <= n; c += 2) {
    sn_two a, b;
    memcpy(&a, to + c, sizeof a);
    memcpy(&b, from + c, sizeof b);
    a += b;
    memcpy(to + c, &a, sizeof a);
  }
  for (; c < n; c++) to[c] += from[c];
}

#endif
