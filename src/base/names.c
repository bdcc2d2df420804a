/* names.c - how far apart two names are, to find the one that was meant.
 *
 * Optimal string alignment distance, d(i,j) between the first i letters of a and the first j of b:
 *
 *     d(i,j) = min  d(i-1,j) + 1                     letter left out
 *                   d(i,j-1) + 1                     letter too many
 *                   d(i-1,j-1) + [a_i != b_j]        wrong letter
 *                   d(i-2,j-2) + 1                   if a_i = b_(j-1) and a_(i-1) = b_j: swapped
 *
 * Three rows of d suffice. Equal beginnings and endings do not change the distance and are cut off first.
 */
#include <string.h>

#include "base/base.h"

enum { longest = 127 }; /* names that differ over more letters than this are simply far apart */

/* ASCII only: what toupper does would depend on the locale. */
static int fold(char c) {
  return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static int least(int a, int b) {
  return a < b ? a : b;
}

int sn_edit_distance(const char *a, const char *b, int limit) {
  assert(a && b && limit >= 0);
  while (*a && fold(*a) == fold(*b)) ++a, ++b;
  size_t a_length = strlen(a), b_length = strlen(b);
  while (a_length && b_length && fold(a[a_length - 1]) == fold(b[b_length - 1])) --a_length, --b_length;
  if (a_length > longest || b_length > longest) return limit;
  const int n = (int)a_length, m = (int)b_length;
  if ((n > m ? n - m : m - n) >= limit) return limit;

  int rows[3][longest + 1];
  int *before = rows[0], *above = rows[1], *row = rows[2]; /* rows i-2, i-1, i */
  for (int j = 0; j <= m; ++j) above[j] = before[j] = j;
  for (int i = 1; i <= n; ++i) {
    row[0] = i;
    int smallest = i;
    for (int j = 1; j <= m; ++j) {
      const bool same = fold(a[i - 1]) == fold(b[j - 1]);
      int d = least(above[j], row[j - 1]) + 1;
      d = least(d, above[j - 1] + !same);
      if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) && fold(a[i - 2]) == fold(b[j - 1])) {
        d = least(d, before[j - 2] + 1);
      }
      row[j] = d;
      smallest = least(smallest, d);
    }
    /* A swap reaches back two rows but adds one, so the distance cannot fall below smallest. */
    if (smallest >= limit) return limit;
    int *oldest = before;
    before = above, above = row, row = oldest;
  }
  return least(above[m], limit);
}
