/* history.c - see history.h. */
#include "base/history.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"

static void grow(sn_history *h, size_t more) {
  assert(h->count <= h->capacity);
  if (h->capacity - h->count >= more) return;
  const size_t capacity = 2 * h->capacity + more;
  SN_RESIZE(h->data, capacity);
  h->capacity = capacity;
}

void sn_history_reals(sn_history *h, double *x, size_t count) {
  assert(h && (x || count == 0) && h->at <= h->count);
  if (count == 0) return;
  if (!h->loading) {
    grow(h, count);
    memcpy(h->data + h->count, x, count * sizeof(double));
    h->count += count;
  } else if (!h->failed && h->count - h->at >= count) {
    memcpy(x, h->data + h->at, count * sizeof(double));
    h->at += count;
  } else {
    h->failed = true;
  }
}

void sn_history_real(sn_history *h, double *x) {
  sn_history_reals(h, x, 1);
}

void sn_history_at_least(sn_history *h, double *x, double least) {
  double value = *x;
  sn_history_reals(h, &value, 1);
  if (h->loading && !(value >= least && isfinite(value)))
    h->failed = true;
  else
    *x = value;
}

void sn_history_long(sn_history *h, long *x) {
  double value = (double)*x;
  sn_history_reals(h, &value, 1);
  const bool whole = value >= -9007199254740992.0 && value <= 9007199254740992.0; /* 2^53; no NaN */
  if (h->loading && !whole) h->failed = true;
  if (whole) *x = (long)value;
}

void sn_history_int(sn_history *h, int *x, int least, int most) {
  long value = *x;
  assert(h->loading || (*x >= least && *x <= most));
  sn_history_long(h, &value);
  if (h->loading && (value < least || value > most))
    h->failed = true;
  else
    *x = (int)value;
}

void sn_history_bool(sn_history *h, bool *x) {
  int value = *x;
  sn_history_int(h, &value, 0, 1);
  *x = value != 0;
}

void sn_history_clear(sn_history *h) {
  h->count = h->at = 0;
  h->loading = h->failed = false;
}

void sn_history_rewind(sn_history *h) {
  h->at = 0;
  h->loading = true;
  h->failed = false;
}

void sn_history_free(sn_history *h) {
  sn_free(h->data);
  *h = (sn_history){0};
}
