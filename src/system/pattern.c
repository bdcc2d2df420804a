/* pattern.c - contacts in a matrix with a fixed sparsity pattern.
 *
 * The blocks of two bodies that touch are in the pattern as long as the two are candidates, that is from well before
 * they touch (contact/contact.h). A new pattern is made only when a candidate appears whose groups are not coupled yet;
 * contact with the ground, or within one element, never needs one.
 */
#include <stdlib.h>
#include <string.h>

#include "system/equations.h"

bool sn_system_make_matrix(sn_system *s) {
  const sn_model *m = s->model;
  sn_arena old = s->own->matrix_arena;
  if (s->own->solver) s->own->solver_ops->free(s->own->solver);
  s->own->matrix_arena = (sn_arena){0};
  s->own->matrix =
      sn_model_matrix(m, &s->own->matrix_arena, s->own->solver_ops->unsymmetric, s->own->couplings, s->own->coupling);
  s->own->batch = m->batch;
  if (s->own->couplings > 0) {
    sn_batch *batch = SN_NEW(&s->own->matrix_arena, sn_batch, m->batches);
    memcpy(batch, m->batch, (size_t)m->batches * sizeof *batch);
    sn_find_slots(m, s->own->matrix, &s->own->matrix_arena, batch);
    s->own->batch = batch;
  }
  sn_arena_free(&old);
  s->own->revision++;
  s->own->mass_kept = false;
  s->own->solver = s->own->solver_ops->analyze(s->own->matrix);
  if (!s->own->solver)
    sn_fail(s->context, SN_NUMERICS, "the linear solver %s could not analyze the sparsity pattern of the equations",
            s->own->solver_ops->name);
  return s->own->solver != NULL;
}

bool sn_system_need_matrix(sn_system *s) {
  return s->own->solver || sn_system_make_matrix(s);
}

static int compare(const void *a, const void *b) {
  const int *p = a, *q = b;
  if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
  return p[1] < q[1] ? -1 : p[1] > q[1];
}

/* Does the matrix have block (i, j)? */
static bool is_coupled(const sn_matrix *A, int i, int j) {
  assert(i >= 0 && i < A->groups && j >= 0 && j < A->groups);
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
  assert(i > j && j >= 0 && i < s->model->groups);
  if (s->own->couplings == s->own->coupling_capacity) {
    s->own->coupling_capacity = 2 * s->own->coupling_capacity + 64;
    SN_RESIZE(s->own->coupling, 2 * s->own->coupling_capacity);
  }
  s->own->coupling[2 * s->own->couplings] = i;
  s->own->coupling[2 * s->own->couplings++ + 1] = j;
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
  return is_coupled(s->own->matrix, i, j);
}
static bool take_block(sn_system *s, int i, int j) {
  add_coupling(s, i > j ? i : j, i > j ? j : i);
  return true;
}

bool sn_system_prepare(sn_system *s, const sn_state *state) {
  if (!s->contacts || !s->model->surfaces->penalty) return true;
  sn_contacts_detect(s->contacts, s->threads, state->q);
  if (!sn_system_need_matrix(s)) return false;
  long version;
  sn_contacts_candidates(s->contacts, &version);
  if (version == s->own->covered || for_couplings(s, has_block)) {
    s->own->covered = version;
    return s->own->solver != NULL;
  }
  s->own->couplings = 0;
  for_couplings(s, take_block);
  qsort(s->own->coupling, (size_t)s->own->couplings, 2 * sizeof *s->own->coupling, compare);
  int kept = 0;
  for (int k = 0; k < s->own->couplings; k++) {
    if (kept && compare(s->own->coupling + 2 * k, s->own->coupling + 2 * (kept - 1)) == 0) continue;
    memmove(s->own->coupling + 2 * kept++, s->own->coupling + 2 * k, 2 * sizeof *s->own->coupling);
  }
  s->own->couplings = kept;
  s->own->covered = version;
  return sn_system_make_matrix(s);
}
