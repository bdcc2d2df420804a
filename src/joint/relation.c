/* relation.c - linear relations between coordinates of joints; see relation.h.
 *
 * Every term is an instance of its own: it adds w_k dphi_k/dq to G and l w_k d2phi_k/dq2 to K. The instance of the
 * first term answers for the equation as a whole.
 */
#include "joint/relation.h"

#include <math.h>
#include <string.h>

#include "joint/joints.h"
#include "joint/primitive.h"
#include "joint/slide.h"
#include "math/constants.h"

typedef struct term {
  const sn_relation *relation;
  int k;
} term;

enum { LOCAL = SN_PHI_LOCAL + 1 };

/* What it is driven by, and its rates. */
static sn_jet drive(const sn_relation *x, const sn_eval *ev) {
  const double *d = ev->discrete ? ev->discrete + x->profile : NULL;
  if (x->f) return sn_expr_jet(x->f, ev->t);
  if (!x->profile || !d) return (sn_jet){0, 0, 0};
  const double t = ev->t - d[0];
  return (sn_jet){d[1] + t * (d[2] + t * d[3] / 2), d[2] + t * d[3], d[3]};
}

static int term_groups(const sn_batch *batch, int i, int *groups) {
  assert(i >= 0 && i < batch->count);
  const term *x = (const term *)batch->data + i;
  int n = sn_phi_groups(&x->relation->phi[x->k], groups);
  groups[n++] = x->relation->group;
  return n;
}

static void term_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const term *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_relation *x = item[i].relation;
    const sn_coordinate *phi = &x->phi[item[i].k];
    sn_phi p;
    sn_phi_mean(phi, ev, &p);
    sn_phi_apply(phi, &p, ev, ev->l[x->row] * x->w[item[i].k], r);
  }
}

static void term_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const term *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_relation *x = item[i].relation;
    const sn_coordinate *phi = &x->phi[item[i].k];
    double G[SN_PHI_LOCAL], T[LOCAL * LOCAL], w = x->w[item[i].k];
    int n = sn_phi_count(phi) + 1, groups[SN_PHI_PROBES * SN_PROBE_GROUPS + 1];
    sn_phi p;
    memset(T, 0, sizeof(double) * (size_t)n * (size_t)n);
    sn_phi_at(phi, ev->q, &p);
    sn_phi_derivatives(phi, &p, ev->q, ev->v, ev->ck * ev->l[x->row] * w, G, T, n, NULL);
    for (int c = 0; c < n - 1; c++) T[n - 1 + n * c] = T[c + n * (n - 1)] = w * G[c];
    int count = term_groups(batch, i, groups);
    sn_matrix_add(A, count, groups, batch->slots + (size_t)batch->slot_stride * (size_t)i, T, n);
  }
}

static void term_position(const sn_batch *batch, sn_range range, const sn_eval *ev, double *phi) {
  const term *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_relation *x = item[i].relation;
    if (item[i].k != 0) continue;
    double sum = -x->c - (x->f ? sn_expr_value(x->f, ev->t) : drive(x, ev).value);
    for (int k = 0; k < x->terms; k++) {
      sn_phi p;
      sn_phi_at(&x->phi[k], ev->q, &p);
      sum += x->w[k] * p.value;
    }
    phi[x->row] = x->period > 0 ? remainder(sum, x->period) : sum;
  }
}

static void term_velocity(const sn_batch *batch, sn_range range, const sn_eval *ev, double *rate) {
  const term *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_relation *x = item[i].relation;
    if (item[i].k != 0) continue;
    double sum = -drive(x, ev).rate;
    for (int k = 0; k < x->terms; k++) {
      sn_phi p;
      sn_phi_at(&x->phi[k], ev->q, &p);
      sum += x->w[k] * sn_phi_rate(&x->phi[k], &p, ev->q, ev->v);
    }
    rate[x->row] = sum;
  }
}

static void term_acceleration(const sn_batch *batch, sn_range range, const sn_eval *ev, double *accel) {
  const term *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_relation *x = item[i].relation;
    if (item[i].k != 0) continue;
    double sum = -drive(x, ev).accel;
    for (int k = 0; k < x->terms; k++) {
      sn_phi p;
      sn_phi_at(&x->phi[k], ev->q, &p);
      sum += x->w[k] * sn_phi_accel(&x->phi[k], &p, ev->q, ev->v, ev->a);
    }
    accel[x->row] = sum;
  }
}

/* l Phi_t, as for all drivers */
static void term_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *power) {
  const term *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_relation *x = item[i].relation;
    if (item[i].k == 0) power->driver -= ev->l[x->row] * drive(x, ev).rate;
  }
}

static const sn_batch_ops term_batch = {
    .name = "relations",
    .max_groups = SN_PHI_PROBES * SN_PROBE_GROUPS + 1,
    .groups = term_groups,
    .residual = term_residual,
    .tangent = term_tangent,
    .position = term_position,
    .velocity = term_velocity,
    .acceleration = term_acceleration,
    .power = term_power,
    .discrete = true,
};

void sn_each_relation(const sn_model *model, sn_relation_visit *visit, void *user) {
  const sn_batch *batch = sn_batch_find(model, &term_batch);
  const term *item = batch ? batch->data : NULL;
  for (int i = 0; batch && i < batch->count; i++)
    if (item[i].k == 0) visit(user, item[i].relation);
}

void sn_relation_levels(const sn_relation *x, const sn_eval *ev, double level[3]) {
  const sn_jet f = drive(x, ev);
  level[0] = -x->c - f.value, level[1] = -f.rate, level[2] = -f.accel;
  for (int k = 0; k < x->terms; k++) {
    sn_phi p;
    sn_phi_at(&x->phi[k], ev->q, &p);
    level[0] += x->w[k] * p.value;
    level[1] += x->w[k] * sn_phi_rate(&x->phi[k], &p, ev->q, ev->v);
    level[2] += x->w[k] * sn_phi_accel(&x->phi[k], &p, ev->q, ev->v, ev->a);
  }
  if (x->period > 0) level[0] = remainder(level[0], x->period);
}

void sn_relation_apply(const sn_relation *x, const sn_eval *ev, double f, double *r) {
  for (int k = 0; k < x->terms; k++) {
    sn_phi p;
    sn_phi_at(&x->phi[k], ev->q, &p);
    sn_phi_apply(&x->phi[k], &p, ev, f * x->w[k], r);
  }
}

void sn_relation_reaction(const sn_model *model, int group, const sn_eval *ev, const double about[3], double F[3],
                          double M[3]) {
  const sn_batch *batch = sn_batch_find(model, &term_batch);
  const term *item = batch ? batch->data : NULL;
  for (int i = 0; batch && i < batch->count; i++) {
    const sn_relation *x = item[i].relation;
    const int k = item[i].k;
    if (x->group != group || !x->side[k]) continue;
    sn_phi p;
    sn_phi_at(&x->phi[k], ev->q, &p);
    sn_phi_reaction(&x->phi[k], &p, x->side[k] * ev->l[x->row] * x->w[k], about, F, M);
  }
}

/* ---- building ---- */

bool sn_joint_coordinate(sn_compiler *c, const sn_joint *joint, sn_coordinate_type type, const sn_node *node,
                         sn_coordinate *x) {
  if (type == SN_ANY_COORDINATE && joint->has_rotation != joint->has_translation)
    type = joint->has_rotation ? SN_ROTATION_COORDINATE : SN_TRANSLATION_COORDINATE;
  bool rotation = type == SN_ROTATION_COORDINATE;
  const char *why = NULL, *expected = NULL;
  if (type == SN_ANY_COORDINATE && joint->has_rotation) {
    why = "has two coordinates";
    expected = sn_format(c->arena, "%s.rotation or %s.translation", joint->name, joint->name);
  } else if (type == SN_ANY_COORDINATE || !(rotation ? joint->has_rotation : joint->has_translation)) {
    why = rotation ? "has no angle" : type == SN_ANY_COORDINATE ? "has no coordinate" : "has no travel";
    expected = rotation                    ? "a revolute, cylindrical or coordinate joint"
               : type == SN_ANY_COORDINATE ? "a revolute, cylindrical, prismatic or coordinate joint"
                                           : "a prismatic, cylindrical, point-on-line or coordinate joint";
  } else if (joint->slide) {
    sn_slide_coordinate(joint, c->q0, x);
  } else {
    why = rotation ? sn_make_rotation(c->model, joint->marker, joint->axis, x)
                   : sn_make_travel(joint->marker, joint->axis, false, x);
    expected = "a joint with a rigid body or the ground on one side, its axis normal to a cable on the other";
  }
  if (why)
    sn_node_error(&c->reader, node, expected, "%s '%s'%s %s", joint->ops->kind.name, joint->name,
                  strncmp(why, "has", 3) == 0 ? "" : ":", why);
  return why == NULL;
}

bool sn_relation_coordinates(sn_compiler *c, sn_joint *joint, const sn_coordinate_refs *refs,
                             const sn_coordinate_type *wanted, sn_relation *x) {
  *x = (sn_relation){.terms = refs->count};
  assert(x->terms >= 1 && x->terms <= SN_COORDINATE_REFS);
  for (int k = 0; k < x->terms; k++) {
    const sn_joint *of = sn_find_joint(c->model, refs->item[k].joint);
    sn_coordinate_type type = refs->item[k].type;
    if (wanted && type == SN_ANY_COORDINATE) type = wanted[k];
    if (!of || of->ops->after) {
      sn_node_error(&c->reader, refs->item[k].node, "a joint with a coordinate of its own", "%s '%s' has no coordinate",
                    of ? of->ops->kind.name : "joint", refs->item[k].joint);
      return false;
    }
    for (int j = 0; j < k; j++) {
      if (strcmp(refs->item[j].joint, of->name) != 0 || refs->item[j].type != refs->item[k].type) continue;
      if (wanted && wanted[j] != wanted[k]) continue;
      sn_node_error(&c->reader, refs->item[k].node, "different coordinates", "%s '%s' names '%s' twice",
                    joint->spec->kind->name, joint->name, of->name);
      return false;
    }
    if (!sn_joint_coordinate(c, of, type, refs->item[k].node, &x->phi[k])) return false;
    sn_joint_as(joint, of);
  }
  const sn_body *body = joint->marker[1].body;
  for (int k = 0; k < x->terms; k++) {
    const sn_marker *marker = sn_find_joint(c->model, refs->item[k].joint)->marker;
    x->side[k] = (marker[1].body == body) - (marker[0].body == body);
  }
  return true;
}

/* The largest number all of |w| of periodic terms are whole multiples of; 0: none up to 10000 of it. */
static double common_measure(const sn_relation *x) {
  double g = 0, most = 0;
  for (int k = 0; k < x->terms; k++) {
    if (x->phi[k].type != SN_PHI_ANGLE) continue;
    double a = fabs(x->w[k]), b = g;
    most = fmax(most, a);
    while (b > 1e-9 * most) { /* Euclid */
      double r = fabs(remainder(a, b));
      a = b;
      b = r;
    }
    g = a;
  }
  return g > 1e-4 * most ? g : 0;
}

double sn_relation_period(const sn_relation *x) {
  bool periodic = false;
  for (int k = 0; k < x->terms; k++) periodic |= x->phi[k].type == SN_PHI_ANGLE;
  if (!periodic) return 0;
  double measure = common_measure(x);
  return measure > 0 ? 2 * SN_PI * measure : -1;
}

bool sn_add_relation(sn_compiler *c, sn_joint *joint, const sn_relation *given) {
  assert(given->terms >= 1 && given->terms <= SN_RELATION_TERMS && joint->groups == 0); /* the only equation */
  sn_relation *x = SN_NEW(c->arena, sn_relation, 1);
  *x = *given;
  x->side[x->terms - 1] = 1;
  x->period = sn_relation_period(x);
  if (x->period < 0) return false;
  sn_joint_rows(c, joint, 1);
  x->row = joint->first;
  x->group = joint->group;
  for (int k = 0; k < x->terms; k++) {
    term *item = sn_batch_append(c, &term_batch, sizeof *item);
    *item = (term){x, k};
  }
  c->model->has_power |= x->f || x->profile;
  c->model->has_drivers |= x->f || x->profile;
  return true;
}
