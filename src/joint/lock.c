/* lock.c - see lock.h. */
#include "joint/lock.h"

#include <math.h>
#include <string.h>

#include "joint/relation.h"
#include "math/constants.h"

enum { LOCKED, PLACE }; /* discrete values */
enum { LOCAL = SN_PHI_LOCAL + 2, GROUPS = SN_PHI_PROBES * SN_PROBE_GROUPS + 2 };

typedef struct item {
  sn_coordinate phi;
  double period;          /* of an angle in space, else 0 */
  int slack, slack_group; /* z */
  int row, group;         /* l */
  int first;              /* discrete values */
  bool start;             /* locked at the start? */
} item;

static const item *item_of(const sn_batch *batch, int i) {
  assert(i >= 0 && i < batch->count);
  return (const item *)batch->data + i;
}

static bool is_locked(const item *x, const sn_eval *ev) {
  return ev->discrete ? ev->discrete[x->first + LOCKED] != 0 : x->start;
}

/* ---- z: M = 1, K = 1 ---- */

static int slack_groups(const sn_batch *batch, int i, int *groups) {
  groups[0] = ((const int *)batch->data)[2 * i + 1];
  return 1;
}

static void slack_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const int *slack = batch->data;
  for (int i = range.first; i < range.last; i++) r[slack[2 * i]] += ev->ci * ev->a[slack[2 * i]] + ev->q[slack[2 * i]];
}

static void slack_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  for (int i = range.first; i < range.last; i++) {
    const double T = ev->cm + ev->ck;
    int group;
    slack_groups(batch, i, &group);
    sn_matrix_add(A, 1, &group, batch->slots + (size_t)batch->slot_stride * (size_t)i, &T, 1);
  }
}

static void slack_energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *energy) {
  const int *slack = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const double z = ev->q[slack[2 * i]], v = ev->v[slack[2 * i]];
    energy->kinetic += v * v / 2;
    energy->spring += z * z / 2;
  }
}

static const sn_batch_ops slack_batch = {
    .name = "slack of locks",
    .max_groups = 1,
    .groups = slack_groups,
    .residual = slack_residual,
    .tangent = slack_tangent,
    .energy = slack_energy,
    .discrete = true, /* linear */
};

/* ---- the equation ---- */

static int lock_groups(const sn_batch *batch, int i, int *groups) {
  const item *x = item_of(batch, i);
  int n = sn_phi_groups(&x->phi, groups);
  groups[n++] = x->slack_group;
  groups[n++] = x->group;
  return n;
}

static void lock_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  for (int i = range.first; i < range.last; i++) {
    const item *x = item_of(batch, i);
    sn_phi p;
    if (!is_locked(x, ev)) {
      r[x->slack] += ev->l[x->row];
      continue;
    }
    sn_phi_mean(&x->phi, ev, &p);
    sn_phi_apply(&x->phi, &p, ev, ev->l[x->row], r);
  }
}

static void lock_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  for (int i = range.first; i < range.last; i++) {
    const item *x = item_of(batch, i);
    double G[SN_PHI_LOCAL], T[LOCAL * LOCAL];
    const int n = sn_phi_count(&x->phi) + 2, row = n - 1, slack = n - 2;
    int groups[GROUPS];
    sn_phi p;
    memset(T, 0, sizeof(double) * (size_t)n * (size_t)n);
    if (is_locked(x, ev)) {
      sn_phi_at(&x->phi, ev->q, &p);
      sn_phi_derivatives(&x->phi, &p, ev->q, ev->v, ev->ck * ev->l[x->row], G, T, n, NULL);
      for (int c = 0; c < slack; c++) T[row + n * c] = T[c + n * row] = G[c];
    } else {
      T[row + n * slack] = T[slack + n * row] = 1;
    }
    const int count = lock_groups(batch, i, groups);
    sn_matrix_add(A, count, groups, batch->slots + (size_t)batch->slot_stride * (size_t)i, T, n);
  }
}

static void lock_position(const sn_batch *batch, sn_range range, const sn_eval *ev, double *phi) {
  for (int i = range.first; i < range.last; i++) {
    const item *x = item_of(batch, i);
    sn_phi p;
    phi[x->row] = ev->q[x->slack];
    if (!is_locked(x, ev)) continue;
    sn_phi_at(&x->phi, ev->q, &p);
    const double off = p.value - (ev->discrete ? ev->discrete[x->first + PLACE] : 0);
    phi[x->row] = x->period > 0 ? remainder(off, x->period) : off;
  }
}

static void lock_velocity(const sn_batch *batch, sn_range range, const sn_eval *ev, double *rate) {
  for (int i = range.first; i < range.last; i++) {
    const item *x = item_of(batch, i);
    sn_phi p;
    rate[x->row] = ev->v[x->slack];
    if (!is_locked(x, ev)) continue;
    sn_phi_at(&x->phi, ev->q, &p);
    rate[x->row] = sn_phi_rate(&x->phi, &p, ev->q, ev->v);
  }
}

static void lock_acceleration(const sn_batch *batch, sn_range range, const sn_eval *ev, double *accel) {
  for (int i = range.first; i < range.last; i++) {
    const item *x = item_of(batch, i);
    sn_phi p;
    accel[x->row] = ev->a[x->slack];
    if (!is_locked(x, ev)) continue;
    sn_phi_at(&x->phi, ev->q, &p);
    accel[x->row] = sn_phi_accel(&x->phi, &p, ev->q, ev->v, ev->a);
  }
}

static const sn_batch_ops lock_batch = {
    .name = "locks",
    .max_groups = GROUPS,
    .groups = lock_groups,
    .residual = lock_residual,
    .tangent = lock_tangent,
    .position = lock_position,
    .velocity = lock_velocity,
    .acceleration = lock_acceleration,
    .discrete = true,
};

/* ---- building ---- */

int sn_add_lock(sn_compiler *c, const char *joint, sn_coordinate_type type, const sn_node *node) {
  sn_model *m = c->model;
  const double zero = 0;
  for (int i = 0; i < m->locks; i++)
    if (strcmp(m->lock[i].joint, joint) == 0 && m->lock[i].type == type) return i;
  sn_lock *list = SN_NEW(c->arena, sn_lock, m->locks + 1);
  if (m->locks) memcpy(list, m->lock, (size_t)m->locks * sizeof *list);
  const char *name = sn_format(c->arena, "lock of %s", joint);
  const int slack = m->n;
  list[m->locks] = (sn_lock){.joint = joint,
                             .name = name,
                             .type = type,
                             .node = node,
                             .slack = slack,
                             .group = sn_add_coordinates(c, name, 1, &zero, &zero),
                             .first = sn_add_discrete(c, 0)};
  sn_add_discrete(c, 0);
  m->lock = list;
  return m->locks++;
}

void sn_lock_at_start(sn_compiler *c, int lock) {
  c->discrete0[c->model->lock[lock].first + LOCKED] = 1;
}

static void compile_lock(sn_compiler *c, sn_lock *lock) {
  const sn_joint *joint = sn_find_joint(c->model, lock->joint);
  item x = {.slack = lock->slack, .slack_group = lock->group, .first = lock->first};
  if (!joint || joint->ops->after) {
    sn_node_error(&c->reader, lock->node, "a joint with a coordinate of its own", "%s '%s' has no coordinate to lock",
                  joint ? joint->ops->kind.name : "joint", lock->joint);
    return;
  }
  if (!sn_joint_coordinate(c, joint, lock->type, lock->node, &x.phi)) return;
  x.period = x.phi.type == SN_PHI_ANGLE ? 2 * SN_PI : 0;
  x.start = c->discrete0[lock->first + LOCKED] != 0;
  x.row = lock->row = c->model->m;
  x.group = sn_add_multipliers(c, lock->name, 1);
  item *own = sn_batch_append(c, &lock_batch, sizeof x);
  *own = x;
  sn_coordinate *phi = SN_NEW(c->arena, sn_coordinate, 1);
  *phi = x.phi;
  lock->phi = phi;
  int *slack = sn_batch_append(c, &slack_batch, 2 * sizeof *slack);
  slack[0] = x.slack, slack[1] = x.slack_group;
}

void sn_compile_locks(sn_compiler *c) {
  for (int i = 0; i < c->model->locks; i++) compile_lock(c, &c->model->lock[i]);
}

/* ---- in motion ---- */

void sn_lock_here(const sn_lock *lock, const double *q, double *discrete) {
  sn_phi p;
  sn_phi_at(lock->phi, q, &p);
  discrete[lock->first + LOCKED] = 1;
  discrete[lock->first + PLACE] = p.value;
}

void sn_unlock(const sn_lock *lock, double *discrete) {
  discrete[lock->first + LOCKED] = 0;
}
