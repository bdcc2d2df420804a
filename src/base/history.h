/* history.h - numbers saved and restored by one function.
 *
 * A component with state to save writes one function that lists its numbers in order. It both saves and loads:
 *
 *     static void remember(thing *w, sn_history *h) {
 *       sn_history_real(h, &w->h);
 *       sn_history_reals(h, w->q, n);
 *     }
 */
#ifndef SN_HISTORY_H
#define SN_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sn_history {
  double *data; /* [count] */
  size_t count, capacity;
  size_t at;    /* loading: next number */
  bool loading; /* otherwise saving: numbers are appended */
  bool failed;  /* loading: too few numbers, or one out of its range; what is missing keeps its value */
} sn_history;

void sn_history_reals(sn_history *history, double *x, size_t count);
void sn_history_real(sn_history *history, double *x);
void sn_history_at_least(sn_history *history, double *x, double least); /* finite and not below, or loading fails */
void sn_history_long(sn_history *history, long *x);                     /* up to 2^53 */
/* A number from least to most. Loading fails with another one, and *x keeps its value: a damaged checkpoint must not become
 * an index or a size that is out of range. */
void sn_history_int(sn_history *history, int *x, int least, int most);
void sn_history_bool(sn_history *history, bool *x);
/* Saving: begin anew. */
void sn_history_clear(sn_history *history);
/* Start loading the saved values, from the first number. */
void sn_history_rewind(sn_history *history);
void sn_history_free(sn_history *history);

#endif
