/* bearing.c - see bearing.h. */
#include "joint/bearing.h"

#include <math.h>
#include <string.h>

#include "math/vec3.h"

enum { PROBES = SN_PRIMITIVE_PROBES, N = SN_FORMULA_LOCAL };

/* ---- force and moment of a joint ---- */

/* f_p = sum_k l_k g_p^k of a primitive: `rows` multipliers, with W common to them (only scalar ones have one). */
typedef struct part {
  int rows;
  double y[PROBES][3], g[3][PROBES][3], f[PROBES][3], W[PROBES][PROBES];
} part;

static void part_at(const sn_primitive *p, sn_primitive_type type, const sn_eval *ev, part *x) {
  memset(x, 0, sizeof *x);
  x->rows = type == SN_COINCIDENT ? p->rows : 1;
  for (int k = 0; k < p->probes; k++) p->probe[k].ops->value(&p->probe[k], ev->q, x->y[k]);
  if (type == SN_COINCIDENT) {
    for (int i = 0; i < p->rows; i++) x->g[i][0][i] = 1, x->g[i][1][i] = -1;
  } else if (type == SN_DOT) {
    sn_copy(x->g[0][0], x->y[1]);
    sn_copy(x->g[0][1], x->y[0]);
    x->W[0][1] = x->W[1][0] = 1;
  } else {
    sn_sub(x->g[0][0], x->y[2], x->y[1]);
    sn_scale(x->g[0][1], -1, x->y[0]);
    sn_copy(x->g[0][2], x->y[0]);
    x->W[0][1] = x->W[1][0] = -1;
    x->W[0][2] = x->W[2][0] = 1;
  }
  for (int i = 0; i < x->rows; i++)
    for (int k = 0; k < p->probes; k++) sn_axpy(x->f[k], ev->l[p->row + i], x->g[i][k]);
}

typedef struct wrench {
  double F[3], M[3], r[3];
  double dF[N][3], dM[N][3]; /* by local coordinates; not used for the value alone */
  bool of_l[N];              /* which of them are multipliers */
} wrench;

/* (dF, dM) by a change of y_k and f_k */
static void add_change(const sn_primitive *p, const part *x, int k, const double r[3], const double *dy,
                       const double df[3], double dF[3], double dM[3]) {
  double arm[3], m[3];
  sn_copy(arm, x->y[k]);
  if (p->point[k]) {
    sn_sub(arm, arm, r);
    sn_axpy(dF, -1, df);
  }
  sn_cross(m, arm, df);
  sn_axpy(dM, -1, m);
  if (!dy) return;
  sn_cross(m, dy, x->f[k]);
  sn_axpy(dM, -1, m);
}

/* Derivatives of the part of one primitive. */
static void add_derivatives(const sn_bearing *b, int i, const part *x, const sn_eval *ev, wrench *w) {
  const sn_primitive *p = &b->primitive[i];
  for (int m = 0; m < p->probes; m++) {
    const sn_probe *probe = &p->probe[m];
    double J[3 * SN_PROBE_COORDINATES];
    probe->ops->jacobian(probe, ev->q, J);
    const double *dy = J;
    for (int g = 0; g < probe->groups; g++)
      for (int c = 0; c < probe->size[g]; c++, dy += 3)
        for (int k = 0; k < p->probes; k++) {
          const int at = b->at[i].probe[m][g] + c;
          double df[3];
          if (!p->second[k]) continue;
          sn_scale(df, ev->l[p->row] * x->W[k][m], dy); /* W = 0 where there are several l */
          add_change(p, x, k, w->r, k == m ? dy : NULL, df, w->dF[at], w->dM[at]);
        }
  }
  for (int row = 0; row < x->rows; row++) {
    const int at = b->at[i].row + row;
    w->of_l[at] = true;
    for (int k = 0; k < p->probes; k++)
      if (p->second[k]) add_change(p, x, k, w->r, NULL, x->g[row][k], w->dF[at], w->dM[at]);
  }
}

static void wrench_at(const sn_bearing *b, const sn_eval *ev, bool derivatives, int n, wrench *w) {
  static const double none[3] = {0, 0, 0};
  memset(w, 0, offsetof(wrench, dF));
  b->point.ops->value(&b->point, ev->q, w->r);
  for (int c = 0; derivatives && c < n; c++) sn_copy(w->dF[c], none), sn_copy(w->dM[c], none), w->of_l[c] = false;
  for (int i = 0; i < b->primitives; i++) {
    const sn_primitive *p = &b->primitive[i];
    part x;
    part_at(p, b->type[i], ev, &x);
    for (int k = 0; k < p->probes; k++)
      if (p->second[k]) sn_add_reaction(p->point[k], x.y[k], x.f[k], w->r, w->F, w->M);
    if (derivatives) add_derivatives(b, i, &x, ev, w);
  }
  if (!derivatives) return;
  double J[3 * SN_PROBE_COORDINATES], m[3]; /* the point moves: dM -= dr x F */
  b->point.ops->jacobian(&b->point, ev->q, J);
  const double *dr = J;
  for (int g = 0; g < b->point.groups; g++)
    for (int c = 0; c < b->point.size[g]; c++, dr += 3) {
      sn_cross(m, dr, w->F);
      sn_axpy(w->dM[b->point_at[g] + c], -1, m);
    }
}

/* ---- supports ---- */

/* S_1, S_2 (0 where there is one), or changes of them with F and M. */
static void supports(const sn_bearing *b, const double F[3], const double M[3], const double a[3], double S[2][3]) {
  double c[3];
  sn_copy(S[0], F);
  S[1][0] = S[1][1] = S[1][2] = 0;
  if (!b->has_axis) return;
  sn_axpy(S[0], -sn_dot(F, a), a);
  if (!(b->length > 0)) return;
  sn_cross(c, a, M);
  sn_scale(c, 1 / b->length, c);
  sn_scale(S[0], 0.5, S[0]);
  sn_copy(S[1], S[0]);
  sn_axpy(S[0], -1, c);
  sn_axpy(S[1], 1, c);
}

/* What the axis adds to the change of S_1,2: -((F.da) a + (F.a) da) (1 or 1/2) -+ da x M/L */
static void add_axis_change(const sn_bearing *b, const wrench *w, const double a[3], const double da[3],
                            double dS[2][3]) {
  const double share = b->length > 0 ? 0.5 : 1;
  double c[3];
  sn_cross(c, da, w->M);
  for (int k = 0; k < (b->length > 0 ? 2 : 1); k++) {
    sn_axpy(dS[k], -share * sn_dot(w->F, da), a);
    sn_axpy(dS[k], -share * sn_dot(w->F, a), da);
    if (b->length > 0) sn_axpy(dS[k], (k ? 1 : -1) / b->length, c);
  }
}

static void axis_at(const sn_bearing *b, const double *q, double a[3]) {
  a[0] = a[1] = a[2] = 0;
  if (b->has_axis) b->axis.ops->value(&b->axis, q, a);
}

double sn_bearing_force(const sn_bearing *b, const sn_eval *ev) {
  wrench w;
  double a[3], S[2][3];
  if (b->primitives == 0) return 0;
  wrench_at(b, ev, false, 0, &w);
  axis_at(b, ev->q, a);
  supports(b, w.F, w.M, a, S);
  return sn_norm(S[0]) + sn_norm(S[1]);
}

/* dN; n: directions of S_1, S_2 */
static double change_of(double n[2][3], double dS[2][3]) {
  return sn_dot(n[0], dS[0]) + sn_dot(n[1], dS[1]);
}

double sn_bearing_row(const sn_bearing *b, const sn_eval *ev, int n, double *row) {
  wrench w;
  double a[3], S[2][3] = {{0}}, dS[2][3] = {{0}}, J[3 * SN_PROBE_COORDINATES], sum = 0;
  memset(row, 0, (size_t)n * sizeof *row);
  if (b->primitives == 0) return 0;
  wrench_at(b, ev, true, n, &w);
  axis_at(b, ev->q, a);
  supports(b, w.F, w.M, a, S);
  for (int k = 0; k < 2; k++) {
    const double size = sn_norm(S[k]);
    sum += size;
    sn_scale(S[k], size > 0 ? 1 / size : 0, S[k]); /* its direction */
  }
  for (int c = 0; c < n; c++) {
    const double factor = w.of_l[c] ? 1 : ev->ck;
    if (factor == 0) continue;
    supports(b, w.dF[c], w.dM[c], a, dS);
    row[c] = factor * change_of(S, dS);
  }
  if (!b->has_axis || ev->ck == 0) return sum;
  b->axis.ops->jacobian(&b->axis, ev->q, J);
  const double *da = J;
  for (int g = 0; g < b->axis.groups; g++)
    for (int c = 0; c < b->axis.size[g]; c++, da += 3) {
      memset(dS, 0, sizeof dS);
      add_axis_change(b, &w, a, da, dS);
      row[b->axis_at[g] + c] += ev->ck * change_of(S, dS);
    }
  return sum;
}

/* ---- building ---- */

static bool add_groups(const sn_probe *probe, sn_group_set *set, int at[SN_PROBE_GROUPS]) {
  for (int g = 0; g < probe->groups; g++) {
    at[g] = sn_group_set_add(set, probe->group[g], probe->size[g]);
    if (at[g] < 0) return false;
  }
  return true;
}

bool sn_make_bearing(sn_compiler *c, const sn_joint *joint, bool has_axis, double length, sn_group_set *set,
                     sn_bearing *b) {
  const int count = joint->group < 0 ? 0 : sn_joint_primitives(c->model, joint, NULL, NULL);
  const int carrier = joint->marker[0].has_frame ? 0 : 1;
  if (count > SN_BEARING_PRIMITIVES || (has_axis && !joint->marker[carrier].has_frame)) return false;
  sn_primitive *list = SN_NEW(c->arena, sn_primitive, count + 1);
  sn_primitive_type *type = SN_NEW(c->arena, sn_primitive_type, count + 1);
  sn_bearing_places *at = SN_NEW(c->arena, sn_bearing_places, count + 1);
  int rows = 0;
  sn_joint_primitives(c->model, joint, list, type);
  *b = (sn_bearing){
      .primitives = count, .primitive = list, .type = type, .at = at, .has_axis = has_axis, .length = length};
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < list[i].probes; k++)
      if (!add_groups(&list[i].probe[k], set, at[i].probe[k])) return false;
    const int first = sn_group_set_add(set, list[i].group, list[i].group_size);
    if (first < 0 || type[i] == SN_DISTANCE) return false;
    at[i].row = first + list[i].group_row;
    rows += type[i] == SN_COINCIDENT ? list[i].rows : 1;
  }
  if (rows != joint->count) return false; /* it has equations of another sort, too */
  sn_marker_point(&joint->marker[1], &b->point);
  if (has_axis) sn_marker_direction(&joint->marker[carrier], joint->axis, &b->axis);
  return add_groups(&b->point, set, b->point_at) && (!has_axis || add_groups(&b->axis, set, b->axis_at));
}
