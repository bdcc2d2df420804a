/* live_load.c - forces and moments whose components depend on the state.
 *
 *   Q = sum_k f_k(t, s) B_k(q)          f_k formulas (model/formula.h), B_k as for loads of time (load.c)
 *   K = -sum_k (f_k dB_k/dq + B_k df_k/dq),   D = -sum_k B_k df_k/dv
 *
 * Rows are those of the body it acts on, columns those of all bodies the formulas depend on: K is not symmetric. In steps
 * whose matrix has to be symmetric and positive (complementarity), they are explicit: K and D are left out.
 */
#include <string.h>

#include "force/load.h"
#include "joint/quantity.h"
#include "model/compile.h"

typedef struct live_load {
  sn_load load;
  const sn_formula *f[3];
  sn_group_set set; /* groups of the load, then of the formulas */
  const int *at[3]; /* local coordinates of the groups of each formula */
} live_load;

static int live_groups(const sn_batch *batch, int i, int *groups) {
  const sn_group_set *set = &((const live_load *)batch->data)[i].set;
  memcpy(groups, set->group, (size_t)set->count * sizeof(int));
  return set->count;
}

static void components(const live_load *x, const sn_eval *ev, double f[3]) {
  for (int k = 0; k < 3; k++) f[k] = ev->load * sn_formula_value(x->f[k], ev);
}

static void live_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const live_load *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    double f[3];
    components(&item[i], ev, f);
    sn_load_residual(&item[i].load, ev, f, r);
  }
}

static void live_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *power) {
  const live_load *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    double f[3];
    components(&item[i], ev, f);
    sn_load_power(&item[i].load, ev, f, &power->applied);
  }
}

static void live_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const live_load *item = batch->data;
  const bool mass_alone = ev->ck == 0 && ev->cd == 0;
  if (A->positive) return;
  for (int i = range.first; i < range.last; i++) {
    const live_load *x = &item[i];
    if (mass_alone && !x->f[0]->reactive && !x->f[1]->reactive && !x->f[2]->reactive) continue;
    enum { ND = SN_PROBE_COORDINATES, N = SN_FORMULA_LOCAL };
    double f[3], own[ND * ND] = {0}, B[3 * ND], row[N], T[N * N];
    const int nd = sn_load_probe(&x->load)->count, n = x->set.n;
    memset(T, 0, (size_t)n * (size_t)n * sizeof(double));
    sn_load_directions(&x->load, ev, B);
    for (int k = 0; k < 3; k++) {
      f[k] = ev->load * sn_formula_row(x->f[k], ev, row);
      sn_formula_spread(x->f[k], x->at[k], row, nd, B + nd * k, -ev->load, T, n);
    }
    sn_load_tangent(&x->load, ev, f, own);
    for (int c = 0; c < nd; c++)
      for (int d = 0; d < nd; d++) T[d + n * c] += own[d + nd * c];
    sn_matrix_add(A, x->set.count, x->set.group, batch->slots + (size_t)batch->slot_stride * (size_t)i, T, n);
  }
}

static const sn_batch_ops live_batch = {
    .name = "loads that depend on the state",
    .max_groups = SN_FORMULA_GROUPS,
    .groups = live_groups,
    .residual = live_residual,
    .tangent = live_tangent,
    .power = live_power,
};

void sn_add_live_load(sn_compiler *c, const char *owner, const sn_load *load) {
  live_load x = {.load = *load};
  const sn_probe *p = sn_load_probe(load);
  for (int g = 0; g < p->groups; g++) sn_group_set_add(&x.set, p->group[g], p->size[g]);
  for (int k = 0; k < 3; k++) {
    x.f[k] = sn_make_formula(c, owner, load->f[k], 0, NULL);
    if (!x.f[k]) return;
    sn_list_formula(c, x.f[k]);
    x.at[k] = sn_place_formula(c, x.f[k], &x.set);
    if (!x.at[k]) return;
  }
  *(live_load *)sn_batch_append(c, &live_batch, sizeof x) = x;
  c->model->unsymmetric = true;
}
