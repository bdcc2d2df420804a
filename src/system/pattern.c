/* pattern.c - contacts in a matrix with a fixed sparsity pattern.
 *
 * The blocks of two bodies that touch are in the pattern as long as the two are candidates, that is from well before
 * they touch (contact/contact.h). A new pattern is made only when a candidate appears whose groups are not coupled yet;
 * contact with the ground, or within one element, never needs one.
 */
#include "system/pattern.h"

#include <stdlib.h>
#include <string.h>

bool sn_system_make_matrix(sn_system *s) {
  const sn_model *m = s->model;
  sn_arena old = s->matrix_arena;
  if (s->solver) s->solver_ops->free(s->solver);
  s->matrix_arena = (sn_arena){0};
  s->matrix = sn_model_matrix(m, &s->matrix_arena, s->solver_ops->unsymmetric, s->couplings, s->coupling);
  s->batch = m->batch;
  if (s->couplings > 0) {
    sn_batch *batch = SN_NEW(&s->matrix_arena, sn_batch, m->batches);
    memcpy(batch, m->batch, (size_t)m->batches * sizeof *batch);
    sn_find_slots(m, s->matrix, &s->matrix_arena, batch);
    s->batch = batch;
  }
  sn_arena_free(&old);
  s->revision++;
  s->solver = s->solver_ops->analyze(s->matrix);
  if (!s->solver)
    sn_fail(s->context, SN_NUMERICS, "the linear solver %s could not analyze the sparsity pattern of the equations",
            s->solver_ops->name);
  return s->solver != NULL;
}

static int compare(const void *a, const void *b) {
  const int *p = a, *q = b;
  if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
  return p[1] < q[1] ? -1 : p[1] > q[1];
}

/* Does the matrix have block (i, j)? */
static bool is_coupled(const sn_matrix *A, int i, int j) {
  if (i < j) {
    int swap = i;
    i = j;
    j = swap;
  }
  int low = A->column[j], high = A->column[j + 1];
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (A->row[middle] < i)
      low = middle + 1;
    else
      high = middle;
  }
  return low < A->column[j + 1] && A->row[low] == i;
}

static void add_coupling(sn_system *s, int i, int j) {
  if (s->couplings == s->coupling_capacity) {
    s->coupling_capacity = 2 * s->coupling_capacity + 64;
    SN_RESIZE(s->coupling, 2 * s->coupling_capacity);
  }
  s->coupling[2 * s->couplings] = i;
  s->coupling[2 * s->couplings++ + 1] = j;
}

/* Call for each pair of groups that a candidate couples; false when `each` does. */
static bool for_couplings(sn_system *s, bool (*each)(sn_system *, int, int)) {
  const sn_surfaces *t = s->model->surfaces;
  long version;
  const int *pair = sn_contacts_candidates(s->contacts, &version);
  for (int k = 0; k < s->contacts->candidates; k++) {
    const sn_carrier *a = &t->carrier[t->item[pair[2 * k]].carrier], *b = &t->carrier[t->item[pair[2 * k + 1]].carrier];
    for (int x = 0; x < a->groups; x++)
      for (int y = 0; y < b->groups; y++)
        if (a->group[x] != b->group[y] && !each(s, a->group[x], b->group[y])) return false;
  }
  return true;
}

static bool has_block(sn_system *s, int i, int j) {
  return is_coupled(s->matrix, i, j);
}
static bool take_block(sn_system *s, int i, int j) {
  add_coupling(s, i > j ? i : j, i > j ? j : i);
  return true;
}

bool sn_system_prepare(sn_system *s, const sn_state *state) {
  if (!s->contacts || !s->model->surfaces->penalty) return true;
  sn_contacts_detect(s->contacts, s->threads, state->q);
  long version;
  sn_contacts_candidates(s->contacts, &version);
  if (version == s->covered || for_couplings(s, has_block)) {
    s->covered = version;
    return s->solver != NULL;
  }
  s->couplings = 0;
  for_couplings(s, take_block);
  qsort(s->coupling, (size_t)s->couplings, 2 * sizeof *s->coupling, compare);
  int kept = 0;
  for (int k = 0; k < s->couplings; k++) {
    if (kept && compare(s->coupling + 2 * k, s->coupling + 2 * (kept - 1)) == 0) continue;
    memmove(s->coupling + 2 * kept++, s->coupling + 2 * k, 2 * sizeof *s->coupling);
  }
  s->couplings = kept;
  s->covered = version;
  return sn_system_make_matrix(s);
}
