/* constraint.c - see constraint.h. */
#include "joint/constraint.h"

#include <math.h>
#include <string.h>

#include "joint/joints.h"
#include "joint/primitive.h"
#include "joint/quantity.h"
#include "joint/relation.h"
#include "math/constants.h"
#include "model/host.h"

enum { TERMS = SN_COORDINATE_REFS, LOCAL = SN_FORMULA_LOCAL };
static_assert((int)TERMS + 1 == (int)SN_CONSTRAINT_VARIABLES, "t and the coordinates");

static const sn_constraint *item_of(const sn_batch *batch, int i) {
  assert(i >= 0 && i < batch->count);
  return ((const sn_constraint *const *)batch->data)[i];
}

static bool is_called(const sn_constraint *x, const sn_host *host) {
  return host && host->constraint && host->constraint[x->number].f;
}

bool sn_constraint_holds(const sn_constraint *x, const sn_host *host) {
  return x->f || is_called(x, host);
}

/* Whole turns of an angle in space: those nearest to the last value. */
static double turned(const sn_constraint *x, int k, double s, const double *discrete) {
  if (x->phi[k].type != SN_PHI_ANGLE || !discrete) return s;
  return sn_nearest_turn(s, discrete[x->last + k]);
}

static void arguments(const sn_constraint *x, const sn_eval *ev, const double *q, sn_phi p[TERMS], double s[TERMS]) {
  for (int k = 0; k < x->terms; k++) {
    sn_phi_at(&x->phi[k], q, &p[k]);
    s[k] = turned(x, k, p[k].value, ev->discrete);
  }
}

/* Of an expression all derivatives are exact: along e_i they are f_i and f_ii, along e_i + e_j f_ii + 2 f_ij + f_jj. */
static double along(const sn_constraint *x, double t, const double *s, int i, int j, double *rate, double *value) {
  sn_jet time = {t, i == 0 || j == 0, 0}, z[TERMS] = {{0}};
  for (int k = 0; k < x->terms; k++) z[k] = (sn_jet){s[k], i == k + 1 || j == k + 1, 0};
  const sn_jet y = sn_expr_along(x->f, time, z);
  *rate = y.rate;
  *value = y.value;
  return y.accel;
}

static void evaluate(const sn_constraint *x, const sn_eval *ev, const double *s, int order, sn_constraint_value *y) {
  const int n = x->terms + 1;
  double ignored;
  if (is_called(x, ev->host)) {
    sn_host_constrain(ev->host, x->number, ev->t, x->terms, s, order, y);
    return;
  }
  for (int i = 0; i < n && (i == 0 || order > 0); i++)
    y->second[i][i] = along(x, ev->t, s, i, i, &y->first[i], &y->value);
  for (int i = 0; i < n && order > 1; i++)
    for (int j = 0; j < i; j++)
      y->second[i][j] = y->second[j][i] =
          (along(x, ev->t, s, i, j, &ignored, &ignored) - y->second[i][i] - y->second[j][j]) / 2;
}

/* Phi_k over a step of an energy-momentum method: at the mean of s, corrected so that Phi_k (s1 - s0) = Phi1 - Phi0
 * (Gonzalez); t stays. */
static void evaluate_step(const sn_constraint *x, const sn_eval *ev, sn_phi p[TERMS], sn_constraint_value *y) {
  double s[2][TERMS], mean[TERMS], square = 0;
  sn_constraint_value end[2];
  for (int e = 0; e < 2; e++) {
    arguments(x, ev, e ? ev->q1 : ev->q0, p, s[e]);
    evaluate(x, ev, s[e], 0, &end[e]);
  }
  for (int k = 0; k < x->terms; k++) {
    sn_phi_mean(&x->phi[k], ev, &p[k]);
    mean[k] = (s[0][k] + s[1][k]) / 2;
    square += (s[1][k] - s[0][k]) * (s[1][k] - s[0][k]);
  }
  evaluate(x, ev, mean, 1, y);
  double off = end[1].value - end[0].value;
  for (int k = 0; k < x->terms; k++) off -= y->first[k + 1] * (s[1][k] - s[0][k]);
  for (int k = 0; k < x->terms && square > 0; k++) y->first[k + 1] += off / square * (s[1][k] - s[0][k]);
}

/* ---- the batch ---- */

static int constraint_groups(const sn_batch *batch, int i, int *groups) {
  const sn_constraint *x = item_of(batch, i);
  memcpy(groups, x->set.group, (size_t)x->set.count * sizeof(int));
  groups[x->set.count] = x->group;
  return x->set.count + 1;
}

static void constraint_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  for (int i = range.first; i < range.last; i++) {
    const sn_constraint *x = item_of(batch, i);
    sn_phi p[TERMS];
    double s[TERMS];
    sn_constraint_value y;
    if (!sn_constraint_holds(x, ev->host)) continue;
    if (ev->q0) {
      evaluate_step(x, ev, p, &y);
    } else {
      arguments(x, ev, ev->q, p, s);
      evaluate(x, ev, s, 1, &y);
    }
    for (int k = 0; k < x->terms; k++) sn_phi_apply(&x->phi[k], &p[k], ev, ev->l[x->row] * y.first[k + 1], r);
  }
}

/* Where each coordinate of the probes of phi_k is among the local ones. */
static void places(const sn_constraint *x, int k, int *place) {
  int group = 0, c = 0;
  for (int p = 0; p < x->phi[k].probes; p++)
    for (int g = 0; g < x->phi[k].probe[p].groups; g++, group++)
      for (int i = 0; i < x->phi[k].probe[p].size[g]; i++) place[c++] = x->own[k][group] + i;
}

/* G_k[n], and T += f d2phi_k/dq2 */
static void add_curvature(const sn_constraint *x, int k, const sn_phi *p, const sn_eval *ev, double f, double *G,
                          double *T, int stride) {
  const int np = sn_phi_count(&x->phi[k]);
  double own[LOCAL], H[LOCAL * LOCAL];
  int place[LOCAL] = {0};
  memset(H, 0, (size_t)np * (size_t)np * sizeof(double));
  memset(G, 0, LOCAL * sizeof(double));
  sn_phi_derivatives(&x->phi[k], p, ev->q, ev->v, f, own, H, np, NULL);
  places(x, k, place);
  for (int c = 0; c < np; c++) {
    G[place[c]] += own[c];
    for (int d = 0; d < np; d++) T[place[d] + stride * place[c]] += H[d + np * c];
  }
}

static void fill_tangent(const sn_constraint *x, const sn_eval *ev, double *T, int stride) {
  const int n = x->set.n, row = n;
  const double l = ev->ck * ev->l[x->row];
  double s[TERMS], G[TERMS][LOCAL];
  sn_phi p[TERMS];
  sn_constraint_value y;
  if (!sn_constraint_holds(x, ev->host)) {
    T[row + stride * row] = -1; /* l = 0 */
    return;
  }
  arguments(x, ev, ev->q, p, s);
  evaluate(x, ev, s, l != 0 ? 2 : 1, &y);
  for (int k = 0; k < x->terms; k++) add_curvature(x, k, &p[k], ev, l * y.first[k + 1], G[k], T, stride);
  for (int k = 0; k < x->terms; k++) {
    for (int c = 0; c < n; c++) T[row + stride * c] += y.first[k + 1] * G[k][c];
    for (int j = 0; j < x->terms && l != 0; j++)
      for (int c = 0; c < n; c++)
        for (int d = 0; d < n && G[j][c] != 0; d++) T[d + stride * c] += l * y.second[k + 1][j + 1] * G[k][d] * G[j][c];
  }
  for (int c = 0; c < n; c++) T[c + stride * row] = T[row + stride * c];
}

static void constraint_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  for (int i = range.first; i < range.last; i++) {
    const sn_constraint *x = item_of(batch, i);
    const int n = x->set.n + 1;
    double T[(LOCAL + 1) * (LOCAL + 1)];
    int groups[SN_FORMULA_GROUPS + 1];
    memset(T, 0, (size_t)n * (size_t)n * sizeof(double));
    fill_tangent(x, ev, T, n);
    const int count = constraint_groups(batch, i, groups);
    sn_matrix_add(A, count, groups, batch->slots + (size_t)batch->slot_stride * (size_t)i, T, n);
  }
}

/* The function and its derivatives up to an order, and the coordinates p it is taken at; 0 where nothing holds. */
static sn_constraint_value value_at(const sn_constraint *x, const sn_eval *ev, int order, sn_phi p[TERMS]) {
  double s[TERMS];
  sn_constraint_value y = {0};
  arguments(x, ev, ev->q, p, s);
  if (sn_constraint_holds(x, ev->host)) evaluate(x, ev, s, order, &y);
  return y;
}

static void constraint_position(const sn_batch *batch, sn_range range, const sn_eval *ev, double *phi) {
  for (int i = range.first; i < range.last; i++) {
    const sn_constraint *x = item_of(batch, i);
    sn_phi p[TERMS];
    const sn_constraint_value y = value_at(x, ev, 0, p);
    phi[x->row] = y.value;
  }
}

static void constraint_velocity(const sn_batch *batch, sn_range range, const sn_eval *ev, double *rate) {
  for (int i = range.first; i < range.last; i++) {
    const sn_constraint *x = item_of(batch, i);
    sn_phi p[TERMS];
    const sn_constraint_value y = value_at(x, ev, 1, p);
    double sum = y.first[0];
    for (int k = 0; k < x->terms; k++) sum += y.first[k + 1] * sn_phi_rate(&x->phi[k], &p[k], ev->q, ev->v);
    rate[x->row] = sum;
  }
}

static void constraint_acceleration(const sn_batch *batch, sn_range range, const sn_eval *ev, double *accel) {
  for (int i = range.first; i < range.last; i++) {
    const sn_constraint *x = item_of(batch, i);
    sn_phi p[TERMS];
    double rate[TERMS + 1] = {1}, sum = 0; /* of t: 1 */
    const sn_constraint_value y = value_at(x, ev, 2, p);
    for (int k = 0; k < x->terms; k++) {
      rate[k + 1] = sn_phi_rate(&x->phi[k], &p[k], ev->q, ev->v);
      sum += y.first[k + 1] * sn_phi_accel(&x->phi[k], &p[k], ev->q, ev->v, ev->a);
    }
    for (int k = 0; k <= x->terms; k++)
      for (int j = 0; j <= x->terms; j++) sum += y.second[k][j] * rate[k] * rate[j];
    accel[x->row] = sum;
  }
}

/* l Phi_t, as for all drivers */
static void constraint_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *power) {
  for (int i = range.first; i < range.last; i++) {
    const sn_constraint *x = item_of(batch, i);
    sn_phi p[TERMS];
    const sn_constraint_value y = value_at(x, ev, 1, p);
    power->driver += ev->l[x->row] * y.first[0];
  }
}

static const sn_batch_ops constraint_batch = {
    .name = "constraints of joint coordinates",
    .max_groups = SN_FORMULA_GROUPS + 1,
    .groups = constraint_groups,
    .residual = constraint_residual,
    .tangent = constraint_tangent,
    .position = constraint_position,
    .velocity = constraint_velocity,
    .acceleration = constraint_acceleration,
    .power = constraint_power,
    .discrete = true,
};

void sn_constraint_follow(const sn_constraint *x, const double *q, double *discrete) {
  for (int k = 0; k < x->terms; k++) {
    sn_phi p;
    if (x->phi[k].type != SN_PHI_ANGLE) continue;
    sn_phi_at(&x->phi[k], q, &p);
    if (isfinite(p.value)) discrete[x->last + k] = turned(x, k, p.value, discrete);
  }
}

void sn_constraint_reaction(const sn_model *model, int group, const sn_eval *ev, const double about[3], double F[3],
                            double M[3]) {
  for (int i = 0; i < model->constraints; i++) {
    const sn_constraint *x = model->constraint[i];
    sn_phi p[TERMS];
    double s[TERMS];
    sn_constraint_value y;
    if (x->group != group || !sn_constraint_holds(x, ev->host)) continue;
    arguments(x, ev, ev->q, p, s);
    evaluate(x, ev, s, 1, &y);
    for (int k = 0; k < x->terms; k++)
      if (x->side[k]) sn_phi_reaction(&x->phi[k], &p[k], x->side[k] * ev->l[x->row] * y.first[k + 1], about, F, M);
  }
}

/* ---- building ---- */

typedef struct constraint_spec {
  sn_spec spec;
  sn_coordinate_refs joints;
  const sn_expr *equation;
} constraint_spec;

static const sn_field constraint_fields[] = {
    {"joints", SN_COORDINATES, SN_AT(constraint_spec, joints), .required = true,
     .help = "its arguments x1, x2, ...: up to four coordinates, joint, joint.rotation or joint.translation, each from "
             "its start; angles count whole turns",
     .example = "[my_hinge, my_other_hinge]"},
    {"equation", SN_FORMULA, SN_AT(constraint_spec, equation), .locals = "x1|x2|x3|x4",
     .help = "expression of x1, x2, ... and t that stays zero; without it, a program sets a function "
             "(sn_set_constraint_function, Simulation.set_constraint) before the first step",
     .example = "x2 - 0.5*sin(x1)"},
    {0},
};

static void constraint_check(sn_reader *reader, const sn_spec *spec) {
  const constraint_spec *s = (const constraint_spec *)(const void *)spec;
  if (!s->equation) return;
  bool any = false, other = sn_expr_variables(s->equation) > TERMS;
  for (int k = 0; k < TERMS; k++) {
    any |= k < s->joints.count && sn_expr_uses(s->equation, k);
    other |= k >= s->joints.count && sn_expr_uses(s->equation, k);
  }
  if (!any || other)
    sn_field_error(reader, spec, "equation", "an expression of t and of x1, x2, ..., the coordinates in 'joints'",
                   "the equation of constraint '%s' %s", spec->name,
                   other ? "has other quantities" : "has none of its coordinates");
}

static void list_constraint(sn_compiler *c, const sn_constraint *x) {
  sn_model *m = c->model;
  const sn_constraint **list = SN_NEW(c->arena, const sn_constraint *, m->constraints + 1);
  if (m->constraints) memcpy(list, m->constraint, (size_t)m->constraints * sizeof *list);
  list[m->constraints++] = x;
  m->constraint = list;
}

/* Steps resolve the equation as they do forces: what is narrow in it, in time or along a coordinate, is a motion that a
 * longer step does not see. */
static void list_equation(sn_compiler *c, const sn_constraint *x) {
  const sn_quantity *local[TERMS];
  if (!x->f) return;
  const int variables = sn_expr_variables(x->f);
  for (int k = 0; k < x->terms; k++) {
    sn_quantity *s = SN_NEW(c->arena, sn_quantity, 1);
    *s = (sn_quantity){.type = SN_QUANTITY_PHI, .phi = x->phi[k]};
    if (x->phi[k].type == SN_PHI_ANGLE) s->turns = x->last + k + 1;
    local[k] = s;
  }
  const sn_formula *f = sn_make_formula(c, x->name, x->f, variables < x->terms ? variables : x->terms, local);
  if (!f) return;
  sn_formula *equation = SN_NEW(c->arena, sn_formula, 1);
  *equation = *f;
  equation->stays_zero = true;
  sn_list_formula(c, equation);
}

static void constraint_compile(sn_compiler *c, sn_joint *joint) {
  const constraint_spec *spec = (const constraint_spec *)(const void *)joint->spec;
  sn_constraint *x = SN_NEW(c->arena, sn_constraint, 1);
  sn_relation r;
  if (!sn_relation_coordinates(c, joint, &spec->joints, NULL, &r)) return;
  *x = (sn_constraint){.name = joint->name, .f = spec->equation, .terms = r.terms, .number = c->model->constraints};
  x->joint = (int)(joint - c->model->joint);
  for (int k = 0; k < x->terms; k++) {
    x->phi[k] = r.phi[k];
    x->side[k] = r.side[k];
    x->own[k] = sn_place_quantity(c, joint->name, sn_phi_quantity(c, &x->phi[k], false), &x->set);
    const int at = sn_add_discrete(c, 0);
    if (k == 0) x->last = at;
    if (!x->own[k]) return;
  }
  sn_joint_rows(c, joint, 1);
  x->row = joint->first;
  x->group = joint->group;
  list_constraint(c, x);
  list_equation(c, x);
  *(const sn_constraint **)sn_batch_append(c, &constraint_batch, sizeof x) = x;
  c->model->has_power = c->model->has_drivers = true;
}

const sn_joint_ops sn_constraint_joint = {
    .kind = {.name = "constraint",
             .category = SN_JOINTS,
             .summary = "relation between coordinates of joints: an equation, or a function of a program",
             .fields = constraint_fields,
             .spec_size = sizeof(constraint_spec),
             .check = constraint_check},
    .after = true,
    .compile = constraint_compile,
};
