/* broyden.c - the kept inverse of Newton's matrix corrected by Broyden's good update, limited memory; see newton.h. */
#include "integrator/broyden.h"

#include <string.h>

static const double FLAT = 0.9; /* an update whose s'W z comes so near to s'W s would blow up the corrections */

void sn_broyden_create(sn_broyden *b, sn_system *system, const double *weight) {
  int size = system->n + system->m;
  *b = (sn_broyden){.size = size, .n = system->n, .weight = weight, .last = SN_NEW(&system->arena, double, size)};
  for (int k = 0; k < SN_PAIRS; k++) {
    b->w[k] = SN_NEW(&system->arena, double, size);
    b->s[k] = SN_NEW(&system->arena, double, size);
  }
}

void sn_broyden_forget(sn_broyden *b) {
  b->count = 0;
  b->last_square = 0;
}

/* x'W y */
static double inner(const sn_broyden *b, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < b->n; i++) sum += b->weight[i] * b->weight[i] * x[i] * y[i];
  return sum;
}

/* z += w (s'W z) */
static void apply(const sn_broyden *b, int k, double *z) {
  assert(k >= 0 && k < SN_PAIRS);
  double factor = inner(b, b->s[k], z);
  for (int i = 0; i < b->size; i++) z[i] += factor * b->w[k][i];
}

/* A new pair from the last correction s and what would follow it, z. */
static void add_pair(sn_broyden *b, double *z) {
  double along = inner(b, b->last, z), left = b->last_square - along;
  if (!(along < FLAT * b->last_square)) return;
  int k = (b->first + b->count) % SN_PAIRS;
  if (b->count == SN_PAIRS)
    b->first = (b->first + 1) % SN_PAIRS;
  else
    b->count++;
  memcpy(b->s[k], b->last, (size_t)b->size * sizeof(double));
  for (int i = 0; i < b->size; i++) b->w[k][i] = z[i] / left;
  apply(b, k, z);
}

void sn_broyden_correct(sn_broyden *b, double *z) {
  assert(b->count >= 0 && b->count <= SN_PAIRS && b->last);
  for (int j = 0; j < b->count; j++) apply(b, (b->first + j) % SN_PAIRS, z);
  if (b->last_square > 0) add_pair(b, z);
  memcpy(b->last, z, (size_t)b->size * sizeof(double));
  b->last_square = inner(b, z, z);
}
