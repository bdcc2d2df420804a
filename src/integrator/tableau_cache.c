/* tableau_cache.c - tableaux that a process has computed. They are constants of the methods.
 *
 * No lock, which a fork could leave closed in the child: threads that come at the same time compute the same numbers, and
 * the first of them stores them.
 */
#include <assert.h>
#include <stdatomic.h>

#include "integrator/tableau.h"

typedef enum stage { EMPTY, FILLING, FULL } stage;

void sn_tableau_of(sn_block_family family, int size, sn_tableau *t) {
  static sn_tableau known[2][SN_STAGES + 1];
  static _Atomic int state[2][SN_STAGES + 1];
  assert((family == SN_RADAU || family == SN_GAM) && size > 0 && size <= SN_STAGES);
  if (atomic_load_explicit(&state[family][size], memory_order_acquire) == FULL) {
    *t = known[family][size];
    return;
  }
  if (family == SN_RADAU) {
    sn_tableau_radau(t, size);
  } else {
    sn_tableau_gam(t, size);
  }
  int empty = EMPTY;
  if (!atomic_compare_exchange_strong(&state[family][size], &empty, FILLING)) return;
  known[family][size] = *t;
  atomic_store_explicit(&state[family][size], FULL, memory_order_release);
}
