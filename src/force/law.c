/* law.c - forces on a coordinate phi(q) given by an expression: laws of springs, torsion springs and bushings.
 *
 *   Q = -F G,   F = f(t, phi, phi', other quantities),   G = dphi/dq
 *   K = F d2phi/dq2 + G dF/dq,   D = G dF/dv
 *
 * All of its work is counted as applied: what part of it is stored is not known. Steps whose matrix has to be positive
 * (complementarity) take K and D of laws of phi and phi' alone; others are explicit there.
 */
#include <string.h>

#include "force/forces.h"
#include "joint/quantity.h"
#include "model/compile.h"

typedef struct law {
  const char *name;
  sn_coordinate phi;
  const sn_formula *f;
  sn_group_set set;    /* groups of phi, then of the formula */
  const int *own, *at; /* local coordinates of the groups of phi, and of those of the formula */
  bool alone;          /* depends on phi and phi' only */
} law;

static int law_groups(const sn_batch *batch, int i, int *groups) {
  const sn_group_set *set = &((const law *)batch->data)[i].set;
  memcpy(groups, set->group, (size_t)set->count * sizeof(int));
  return set->count;
}

static void law_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const law *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    sn_phi p;
    sn_phi_mean(&item[i].phi, ev, &p);
    sn_phi_apply(&item[i].phi, &p, ev, sn_formula_value(item[i].f, ev), r);
  }
}

static void law_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *power) {
  const law *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    sn_phi p;
    sn_phi_at(&item[i].phi, ev->q, &p);
    power->applied -= sn_formula_value(item[i].f, ev) * sn_phi_rate(&item[i].phi, &p, ev->q, ev->v);
  }
}

/* Where each coordinate of the probes of phi is among the local ones. */
static void places(const law *x, int *place) {
  int group = 0, k = 0;
  for (int p = 0; p < x->phi.probes; p++)
    for (int g = 0; g < x->phi.probe[p].groups; g++, group++)
      for (int i = 0; i < x->phi.probe[p].size[g]; i++) place[k++] = x->own[group] + i;
}

static void law_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const law *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const law *x = &item[i];
    if ((A->positive && !x->alone) || (ev->ck == 0 && ev->cd == 0 && !x->f->reactive)) continue;
    enum { N = SN_FORMULA_LOCAL };
    double G[N], H[N * N], B[N], row[N], T[N * N];
    int place[N] = {0};
    const int np = sn_phi_count(&x->phi), n = x->set.n;
    sn_phi p;
    memset(H, 0, (size_t)np * (size_t)np * sizeof(double));
    memset(T, 0, (size_t)n * (size_t)n * sizeof(double));
    memset(B, 0, (size_t)n * sizeof(double));
    const double F = sn_formula_row(x->f, ev, row);
    sn_phi_at(&x->phi, ev->q, &p);
    sn_phi_derivatives(&x->phi, &p, ev->q, ev->v, ev->ck * F, G, H, np, NULL);
    places(x, place);
    for (int c = 0; c < np; c++) {
      B[place[c]] += G[c];
      for (int d = 0; d < np; d++) T[place[d] + n * place[c]] += H[d + np * c];
    }
    sn_formula_spread(x->f, x->at, row, n, B, 1, T, n);
    sn_matrix_add(A, x->set.count, x->set.group, batch->slots + (size_t)batch->slot_stride * (size_t)i, T, n);
  }
}

static const sn_batch_ops law_batch = {
    .name = "laws of coordinates",
    .max_groups = SN_FORMULA_GROUPS,
    .groups = law_groups,
    .residual = law_residual,
    .tangent = law_tangent,
    .power = law_power,
};

static_assert((int)SN_FORMULA_LOCAL >= (int)SN_PHI_LOCAL, "all coordinates of phi have a place");

void sn_add_law(sn_compiler *c, const char *name, const sn_coordinate *phi, const sn_expr *f) {
  const sn_quantity *const local[2] = {sn_phi_quantity(c, phi, false), sn_phi_quantity(c, phi, true)};
  law x = {.name = name, .phi = *phi};
  x.own = sn_place_quantity(c, name, local[0], &x.set);
  x.f = sn_make_formula(c, name, f, 2, local);
  if (!x.own || !x.f) return;
  sn_list_formula(c, x.f);
  x.at = sn_place_formula(c, x.f, &x.set);
  x.alone = x.f->variables == 2;
  if (!x.at) return;
  *(law *)sn_batch_append(c, &law_batch, sizeof x) = x;
  c->model->unsymmetric |= !x.alone; /* of its rate: as little as a damper */
  c->model->has_power = true;
}

double sn_law_force(const sn_model *model, const char *name, const sn_eval *ev) {
  const sn_batch *batch = sn_batch_find(model, &law_batch);
  const law *item = batch ? batch->data : NULL;
  for (int i = 0; batch && i < batch->count; i++)
    if (strcmp(item[i].name, name) == 0) return sn_formula_value(item[i].f, ev);
  return 0;
}
