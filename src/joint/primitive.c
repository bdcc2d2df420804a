/* primitive.c - constraint primitives: equations, Jacobians, tangents; see primitive.h for the formulas. */
#include "joint/primitive.h"

#include <math.h>
#include <string.h>

#include "joint/constraint.h"
#include "joint/guide.h"
#include "joint/relation.h"
#include "joint/rolling.h"
#include "joint/slide.h"
#include "math/vec3.h"

enum { PROBES = SN_PRIMITIVE_PROBES, ROWS = 12, LOCAL = PROBES * SN_PROBE_COORDINATES + ROWS }; /* ROWS: of one group */

/* Value and derivatives of a scalar primitive at given probe values. */
typedef struct scalar {
  double value, value_t, value_tt;
  double g[PROBES][3];
  double W[PROBES][PROBES];
} scalar;

typedef void (*scalar_function)(const sn_primitive *p, double t, double y[PROBES][3], scalar *s);

/* ---- the functions ---- */

static void dot_at(const sn_primitive *p, double t, double y[PROBES][3], scalar *s) {
  (void)t;
  s->value = sn_dot(y[0], y[1]) - p->c;
  sn_copy(s->g[0], y[1]);
  sn_copy(s->g[1], y[0]);
  s->W[0][1] = s->W[1][0] = 1;
}

static void offset_at(const sn_primitive *p, double t, double y[PROBES][3], scalar *s) {
  sn_jet f = p->f ? sn_expr_jet(p->f, t) : (sn_jet){0, 0, 0};
  double d[3];
  sn_sub(d, y[2], y[1]);
  s->value = sn_dot(y[0], d) - p->c - f.value;
  s->value_t = -f.rate;
  s->value_tt = -f.accel;
  sn_copy(s->g[0], d);
  sn_scale(s->g[1], -1, y[0]);
  sn_copy(s->g[2], y[0]);
  s->W[0][1] = s->W[1][0] = -1;
  s->W[0][2] = s->W[2][0] = 1;
}

static void distance_at(const sn_primitive *p, double t, double y[PROBES][3], scalar *s) {
  (void)t;
  double d[3], L = p->c;
  sn_sub(d, y[1], y[0]);
  s->value = (sn_dot(d, d) - L * L) / (2 * L);
  sn_scale(s->g[0], -1 / L, d);
  sn_scale(s->g[1], 1 / L, d);
  s->W[0][0] = s->W[1][1] = 1 / L;
  s->W[0][1] = s->W[1][0] = -1 / L;
}

/* ---- what all scalar primitives share ---- */

static int primitive_groups(const sn_batch *batch, int i, int *groups) {
  const sn_primitive *p = (const sn_primitive *)batch->data + i;
  int n = 0;
  for (int k = 0; k < p->probes; k++)
    for (int g = 0; g < p->probe[k].groups; g++) groups[n++] = p->probe[k].group[g];
  groups[n++] = p->group;
  return n;
}

static void evaluate(const sn_primitive *p, const sn_eval *ev, scalar_function at, double y[PROBES][3], scalar *s) {
  memset(s, 0, sizeof *s);
  for (int k = 0; k < p->probes; k++) p->probe[k].ops->value(&p->probe[k], ev->q, y[k]);
  at(p, ev->t, y, s);
}

/* All are quadratic in the probes: over a step the gradient at their means is a discrete one. */
static void scalar_residual(const sn_batch *b, sn_range range, const sn_eval *ev, double *r, scalar_function at) {
  const sn_primitive *item = b->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_primitive *p = &item[i];
    double y[PROBES][3], f[3];
    scalar s = {0};
    for (int k = 0; k < p->probes; k++) sn_probe_mean(&p->probe[k], ev, y[k]);
    at(p, ev->t, y, &s);
    for (int k = 0; k < p->probes; k++) {
      sn_scale(f, ev->l[p->row], s.g[k]);
      sn_probe_apply(&p->probe[k], ev, f, r);
    }
  }
}

/* T over (coordinates of probe 1, 2, .., rows of the joint). */
static void scalar_tangent(const sn_batch *b, sn_range range, const sn_eval *ev, sn_matrix *A, scalar_function at) {
  const sn_primitive *item = b->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_primitive *p = &item[i];
    double y[PROBES][3], J[PROBES][3 * SN_PROBE_COORDINATES], T[LOCAL * LOCAL];
    int first[PROBES + 1] = {0}, groups[PROBES * SN_PROBE_GROUPS + 1];
    scalar s;
    evaluate(p, ev, at, y, &s);
    for (int k = 0; k < p->probes; k++) {
      first[k + 1] = first[k] + p->probe[k].count;
      p->probe[k].ops->jacobian(&p->probe[k], ev->q, J[k]);
    }
    int rows = first[p->probes], n = rows + p->group_size, row = rows + p->group_row;
    double l = ev->ck * ev->l[p->row];
    memset(T, 0, sizeof(double) * (size_t)n * (size_t)n);
    for (int k = 0; k < p->probes; k++) {
      const sn_probe *a = &p->probe[k];
      for (int c = 0; c < a->count; c++)
        T[row + n * (first[k] + c)] = T[first[k] + c + n * row] = sn_dot(s.g[k], J[k] + 3 * c);
      for (int m = 0; m < p->probes; m++) {
        if (s.W[k][m] == 0) continue;
        for (int c = 0; c < p->probe[m].count; c++)
          for (int d = 0; d < a->count; d++)
            T[first[k] + d + n * (first[m] + c)] += l * s.W[k][m] * sn_dot(J[k] + 3 * d, J[m] + 3 * c);
      }
      double f[3];
      sn_scale(f, l, s.g[k]);
      if (a->ops->hessian) a->ops->hessian(a, ev->q, f, T + first[k] * (n + 1), n);
    }
    int count = primitive_groups(b, i, groups);
    sn_matrix_add(A, count, groups, b->slots + (size_t)b->slot_stride * (size_t)i, T, n);
  }
}

static void scalar_position(const sn_batch *b, sn_range range, const sn_eval *ev, double *phi, scalar_function at) {
  const sn_primitive *item = b->data;
  for (int i = range.first; i < range.last; i++) {
    double y[PROBES][3];
    scalar s;
    evaluate(&item[i], ev, at, y, &s);
    phi[item[i].row] = s.value;
  }
}

static void scalar_velocity(const sn_batch *b, sn_range range, const sn_eval *ev, double *rate, scalar_function at) {
  const sn_primitive *item = b->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_primitive *p = &item[i];
    double y[PROBES][3], yd[3];
    scalar s;
    evaluate(p, ev, at, y, &s);
    double sum = s.value_t;
    for (int k = 0; k < p->probes; k++) {
      p->probe[k].ops->rate(&p->probe[k], ev->q, ev->v, yd);
      sum += sn_dot(s.g[k], yd);
    }
    rate[p->row] = sum;
  }
}

static void scalar_acceleration(const sn_batch *b, sn_range range, const sn_eval *ev, double *accel,
                                scalar_function at) {
  const sn_primitive *item = b->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_primitive *p = &item[i];
    double y[PROBES][3], yd[PROBES][3], ydd[3], c[3];
    scalar s;
    evaluate(p, ev, at, y, &s);
    double sum = s.value_tt;
    for (int k = 0; k < p->probes; k++) {
      const sn_probe *a = &p->probe[k];
      a->ops->rate(a, ev->q, ev->v, yd[k]);
      a->ops->rate(a, ev->q, ev->a, ydd);
      a->ops->convective(a, ev->q, ev->v, c);
      sn_axpy(ydd, 1, c);
      sum += sn_dot(s.g[k], ydd);
    }
    for (int k = 0; k < p->probes; k++)
      for (int m = 0; m < p->probes; m++) sum += s.W[k][m] * sn_dot(yd[k], yd[m]);
    accel[p->row] = sum;
  }
}

/* Power of a driver: the constraint force -G'l works at rate -l G v = l Phi_t. */
static void scalar_power(const sn_batch *b, sn_range range, const sn_eval *ev, sn_power *power, scalar_function at) {
  const sn_primitive *item = b->data;
  for (int i = range.first; i < range.last; i++) {
    double y[PROBES][3];
    scalar s;
    if (!item[i].f) continue;
    evaluate(&item[i], ev, at, y, &s);
    power->driver += ev->l[item[i].row] * s.value_t;
  }
}

#define SCALAR_BATCH(type)                                                                      \
  static void type##_residual(const sn_batch *b, sn_range r, const sn_eval *e, double *y) {     \
    scalar_residual(b, r, e, y, type##_at);                                                     \
  }                                                                                             \
  static void type##_tangent(const sn_batch *b, sn_range r, const sn_eval *e, sn_matrix *m) {   \
    scalar_tangent(b, r, e, m, type##_at);                                                      \
  }                                                                                             \
  static void type##_position(const sn_batch *b, sn_range r, const sn_eval *e, double *y) {     \
    scalar_position(b, r, e, y, type##_at);                                                     \
  }                                                                                             \
  static void type##_velocity(const sn_batch *b, sn_range r, const sn_eval *e, double *y) {     \
    scalar_velocity(b, r, e, y, type##_at);                                                     \
  }                                                                                             \
  static void type##_acceleration(const sn_batch *b, sn_range r, const sn_eval *e, double *y) { \
    scalar_acceleration(b, r, e, y, type##_at);                                                 \
  }                                                                                             \
  static void type##_power(const sn_batch *b, sn_range r, const sn_eval *e, sn_power *y) {      \
    scalar_power(b, r, e, y, type##_at);                                                        \
  }                                                                                             \
  static const sn_batch_ops type##_batch = {                                                    \
      .name = #type " constraints",                                                             \
      .max_groups = PROBES * SN_PROBE_GROUPS + 1,                                               \
      .groups = primitive_groups,                                                               \
      .residual = type##_residual,                                                              \
      .tangent = type##_tangent,                                                                \
      .position = type##_position,                                                              \
      .velocity = type##_velocity,                                                              \
      .acceleration = type##_acceleration,                                                      \
      .power = type##_power,                                                                    \
      .discrete = true,                                                                         \
  };
SCALAR_BATCH(dot)
SCALAR_BATCH(offset)
SCALAR_BATCH(distance)

/* ---- coincident: all rows at once, gradient +I and -I ---- */

/* f = s l, with 0 for the missing component of a planar model */
static void multipliers(const sn_primitive *p, const sn_eval *ev, double s, double f[3]) {
  for (int k = 0; k < 3; k++) f[k] = k < p->rows ? s * ev->l[p->row + k] : 0;
}

static void difference(const sn_primitive *p, double y[2][3], double *out) {
  for (int k = 0; k < p->rows; k++) out[p->row + k] = y[0][k] - y[1][k];
}

/* The gradient is constant: of two coordinates only those of one probe are coupled. */
static bool coincident_couples(const sn_batch *b, int i, int x, int y) {
  const sn_primitive *p = (const sn_primitive *)b->data + i;
  const int first = p->probe[0].groups, both = first + p->probe[1].groups;
  return x >= both || y >= both || (x < first) == (y < first);
}

static void coincident_residual(const sn_batch *b, sn_range range, const sn_eval *ev, double *r) {
  const sn_primitive *item = b->data;
  for (int i = range.first; i < range.last; i++) {
    double f[3];
    multipliers(&item[i], ev, 1, f);
    sn_probe_apply(&item[i].probe[0], ev, f, r);
    multipliers(&item[i], ev, -1, f);
    sn_probe_apply(&item[i].probe[1], ev, f, r);
  }
}

static void coincident_tangent(const sn_batch *b, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const sn_primitive *item = b->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_primitive *p = &item[i];
    double J[3 * SN_PROBE_COORDINATES], T[LOCAL * LOCAL];
    int n = p->probe[0].count + p->probe[1].count + p->group_size, first = 0, groups[2 * SN_PROBE_GROUPS + 1];
    int row = n - p->group_size + p->group_row;
    memset(T, 0, sizeof(double) * (size_t)n * (size_t)n);
    for (int k = 0; k < 2; k++) {
      const sn_probe *a = &p->probe[k];
      double sign = k ? -1 : 1, f[3];
      a->ops->jacobian(a, ev->q, J);
      for (int c = 0; c < a->count; c++)
        for (int x = 0; x < p->rows; x++)
          T[row + x + n * (first + c)] = T[first + c + n * (row + x)] = sign * J[x + 3 * c];
      multipliers(p, ev, sign * ev->ck, f);
      if (a->ops->hessian) a->ops->hessian(a, ev->q, f, T + first * (n + 1), n);
      first += a->count;
    }
    int count = primitive_groups(b, i, groups);
    sn_matrix_add(A, count, groups, b->slots + (size_t)b->slot_stride * (size_t)i, T, n);
  }
}

static void coincident_position(const sn_batch *b, sn_range range, const sn_eval *ev, double *phi) {
  const sn_primitive *item = b->data;
  for (int i = range.first; i < range.last; i++) {
    double y[2][3];
    for (int k = 0; k < 2; k++) item[i].probe[k].ops->value(&item[i].probe[k], ev->q, y[k]);
    difference(&item[i], y, phi);
  }
}

static void coincident_velocity(const sn_batch *b, sn_range range, const sn_eval *ev, double *rate) {
  const sn_primitive *item = b->data;
  for (int i = range.first; i < range.last; i++) {
    double y[2][3];
    for (int k = 0; k < 2; k++) item[i].probe[k].ops->rate(&item[i].probe[k], ev->q, ev->v, y[k]);
    difference(&item[i], y, rate);
  }
}

static void coincident_acceleration(const sn_batch *b, sn_range range, const sn_eval *ev, double *accel) {
  const sn_primitive *item = b->data;
  for (int i = range.first; i < range.last; i++) {
    double y[2][3], c[3];
    for (int k = 0; k < 2; k++) {
      item[i].probe[k].ops->rate(&item[i].probe[k], ev->q, ev->a, y[k]);
      item[i].probe[k].ops->convective(&item[i].probe[k], ev->q, ev->v, c);
      sn_axpy(y[k], 1, c);
    }
    difference(&item[i], y, accel);
  }
}

/* G is made of the weights of linear probes. */
static bool coincident_steady(const sn_batch *b) {
  const sn_primitive *item = b->data;
  for (int i = 0; i < 2 * b->count; i++)
    if (item[i / 2].probe[i % 2].ops->hessian) return false;
  return true;
}

static const sn_batch_ops coincident_batch = {
    .name = "coincident constraints",
    .max_groups = 2 * SN_PROBE_GROUPS + 1,
    .groups = primitive_groups,
    .couples = coincident_couples,
    .residual = coincident_residual,
    .tangent = coincident_tangent,
    .position = coincident_position,
    .velocity = coincident_velocity,
    .acceleration = coincident_acceleration,
    .steady = coincident_steady,
    .discrete = true,
};

/* ---- building ---- */

void sn_joint_rows(sn_compiler *c, sn_joint *joint, int rows) {
  assert(rows > 0 && rows <= ROWS);
  assert(joint->groups == 0 || joint->group + joint->groups == c->groups); /* its groups follow each other */
  int first = c->model->m, group = sn_add_multipliers(c, joint->name, rows);
  if (joint->groups++ == 0) joint->first = first, joint->group = group;
  joint->count += rows;
}

void sn_joint_row(const sn_compiler *c, const sn_joint *joint, int row, int *multiplier, int *group, int *size) {
  assert(joint->groups > 0 && joint->group + joint->groups <= c->groups); /* rows come first */
  *group = joint->group + joint->groups - 1;
  *size = c->group_size[*group];
  assert(row >= 0 && row < *size && c->group_is_constraint[*group]);
  *multiplier = joint->first + joint->count - *size + row;
}

static sn_primitive *append(sn_compiler *c, const sn_batch_ops *ops, const sn_joint *joint, int row) {
  sn_primitive *p = sn_batch_append(c, ops, sizeof *p);
  *p = (sn_primitive){.group_row = row};
  sn_joint_row(c, joint, row, &p->row, &p->group, &p->group_size);
  return p;
}

static void take(sn_primitive *p, const sn_probe *probe, bool second, bool point) {
  assert(p->probes < PROBES && sn_is_probe(probe));
  p->probe[p->probes] = *probe;
  p->second[p->probes] = second;
  p->point[p->probes++] = point;
}

void sn_add_coincident(sn_compiler *c, const sn_joint *joint, int row, const sn_probe *yi, const sn_probe *yj,
                       bool points) {
  sn_primitive *p = append(c, &coincident_batch, joint, row);
  p->rows = c->model->dim;
  assert(row + p->rows <= p->group_size);
  take(p, yi, false, points);
  take(p, yj, true, points);
}

void sn_add_dot(sn_compiler *c, const sn_joint *joint, int row, const sn_probe *ai, const sn_probe *bj, double value) {
  sn_primitive *p = append(c, &dot_batch, joint, row);
  take(p, ai, false, false);
  take(p, bj, true, false);
  p->c = value;
}

void sn_add_own_dot(sn_compiler *c, const sn_joint *joint, int row, int marker, const sn_probe *a, const sn_probe *b,
                    double value) {
  assert(marker == 0 || marker == 1);
  sn_primitive *p = append(c, &dot_batch, joint, row);
  take(p, a, marker == 1, false);
  take(p, b, marker == 1, false);
  p->c = value;
}

static void note_driver(sn_compiler *c, const sn_expr *f) {
  c->model->has_power |= f != NULL;
  c->model->has_drivers |= f != NULL;
}

void sn_add_offset(sn_compiler *c, const sn_joint *joint, int row, int carrier, const sn_probe *ai, const sn_probe *ri,
                   const sn_probe *rj, double value, const sn_expr *f) {
  assert(carrier == 0 || carrier == 1);
  sn_primitive *p = append(c, &offset_batch, joint, row);
  take(p, ai, carrier == 1, false);
  take(p, ri, carrier == 1, true);
  take(p, rj, carrier == 0, true);
  p->c = value;
  p->f = f;
  note_driver(c, f);
}

void sn_add_distance(sn_compiler *c, const sn_joint *joint, int row, const sn_probe *ri, const sn_probe *rj, double L) {
  sn_primitive *p = append(c, &distance_batch, joint, row);
  take(p, ri, false, true);
  take(p, rj, true, true);
  p->c = L;
}

/* ---- reactions ---- */

void sn_add_reaction(bool point, const double y[3], const double f[3], const double about[3], double F[3],
                     double M[3]) {
  double arm[3], m[3];
  if (point) {
    sn_sub(arm, y, about);
    sn_axpy(F, -1, f);
  } else {
    sn_copy(arm, y);
  }
  sn_cross(m, arm, f);
  sn_axpy(M, -1, m);
}

void sn_joint_reaction(const sn_model *model, int joint, const sn_eval *ev, const double about[3], double F[3],
                       double M[3]) {
  assert(joint >= 0 && joint < model->joints);
  static const struct {
    const sn_batch_ops *ops;
    scalar_function at;
  } kinds[] = {
      {&coincident_batch, NULL}, {&dot_batch, dot_at}, {&offset_batch, offset_at}, {&distance_batch, distance_at}};
  const sn_joint *own = &model->joint[joint];
  F[0] = F[1] = F[2] = M[0] = M[1] = M[2] = 0;
  sn_relation_reaction(model, own->group, ev, about, F, M);
  sn_constraint_reaction(model, own->group, ev, about, F, M);
  sn_guide_reaction(model, own->group, ev, about, F, M);
  if (own->slide && !own->ops->after) sn_slide_reaction(own, ev, about, F, M);
  sn_rolling_reaction(model, own, ev, about, F, M);
  for (int b = 0; b < model->batches; b++)
    for (size_t t = 0; t < SN_COUNT(kinds); t++) {
      if (model->batch[b].ops != kinds[t].ops) continue;
      const sn_primitive *item = model->batch[b].data;
      for (int i = 0; i < model->batch[b].count; i++) {
        const sn_primitive *p = &item[i];
        if (p->group < own->group || p->group >= own->group + own->groups) continue;
        double y[PROBES][3], f[3];
        scalar s = {0};
        for (int k = 0; k < p->probes; k++) p->probe[k].ops->value(&p->probe[k], ev->q, y[k]);
        if (kinds[t].at) kinds[t].at(p, ev->t, y, &s);
        for (int k = 0; k < p->probes; k++) {
          if (kinds[t].at)
            sn_scale(f, ev->l[p->row], s.g[k]);
          else
            multipliers(p, ev, k ? -1 : 1, f);
          if (p->second[k]) sn_add_reaction(p->point[k], y[k], f, about, F, M);
        }
      }
    }
}

void sn_each_primitive(const sn_model *model, sn_primitive_visit *visit, void *user) {
  static const sn_batch_ops *const ops[] = {[SN_COINCIDENT] = &coincident_batch,
                                            [SN_DOT] = &dot_batch,
                                            [SN_OFFSET] = &offset_batch,
                                            [SN_DISTANCE] = &distance_batch};
  for (size_t t = 0; t < SN_COUNT(ops); t++) {
    const sn_batch *batch = sn_batch_find(model, ops[t]);
    const sn_primitive *item = batch ? batch->data : NULL;
    for (int i = 0; batch && i < batch->count; i++) visit(user, &item[i], (sn_primitive_type)t);
  }
}

typedef struct selection {
  const sn_joint *joint;
  sn_primitive *list;
  sn_primitive_type *type;
  int count;
} selection;

static void select_primitive(void *user, const sn_primitive *p, sn_primitive_type type) {
  selection *s = user;
  if (p->group < s->joint->group || p->group >= s->joint->group + s->joint->groups) return;
  if (s->list) s->list[s->count] = *p, s->type[s->count] = type;
  s->count++;
}

int sn_joint_primitives(const sn_model *model, const sn_joint *joint, sn_primitive *list, sn_primitive_type *type) {
  selection s = {joint, list, type, 0};
  sn_each_primitive(model, select_primitive, &s);
  return s.count;
}
