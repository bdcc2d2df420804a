/* carried_rotor.c - inertia of a rotor on a body that turns in space, the carrier.
 *
 *   w = psi' + y1'.y2         speed of the rotor about its axis: psi is its angle against the carrier; y1, y2 and the axis
 *                             are orthonormal directions on the carrier, so that y1'.y2 is its speed about the axis
 *   T = J w^2/2
 *
 * Lagrange's equations, with y = y(q), Y = dy/dq (d/dt Y' = (y')_q' cancels):
 *
 *   psi:       J w'
 *   carrier:   Y1' F1 + Y2' F2,   F1 = J w' y2 + J w y2',   F2 = -J w y1'
 *   w' = psi'' + y1''.y2 + y1'.y2'
 *
 * J w' about the axis is the reaction to the acceleration of the rotor, the rest its gyroscopic moment. Mass and the
 * inertia across the axis belong to the carrier.
 */
#include "joint/carried_rotor.h"

#include <string.h>

#include "math/vec3.h"

enum { LOCAL = 1 + SN_PROBE_COORDINATES };

typedef struct carried_rotor {
  int index, group;
  double J;
  sn_probe y[2]; /* both on the same groups */
} carried_rotor;

typedef struct motion {
  double y[2][3], v[2][3], a[2][3]; /* directions, their rates and accelerations (those that ci asks for) */
  double w, rate;                   /* w, w' */
} motion;

static int rotor_groups(const sn_batch *batch, int i, int *groups) {
  const carried_rotor *x = (const carried_rotor *)batch->data + i;
  groups[0] = x->group;
  memcpy(groups + 1, x->y[0].group, sizeof(int) * (size_t)x->y[0].groups);
  return 1 + x->y[0].groups;
}

static double speed(const carried_rotor *x, const double *q, const double *v) {
  double rate[3], y[3];
  x->y[0].ops->rate(&x->y[0], q, v, rate);
  x->y[1].ops->value(&x->y[1], q, y);
  return v[x->index] + sn_dot(rate, y);
}

static void motion_at(const carried_rotor *x, const sn_eval *ev, motion *m) {
  for (int k = 0; k < 2; k++) {
    const sn_probe *p = &x->y[k];
    double accel[3];
    p->ops->value(p, ev->q, m->y[k]);
    p->ops->rate(p, ev->q, ev->v, m->v[k]);
    p->ops->rate(p, ev->q, ev->a, accel);
    p->ops->convective(p, ev->q, ev->v, m->a[k]);
    sn_axpy(m->a[k], ev->ci, accel);
  }
  m->w = ev->v[x->index] + sn_dot(m->v[0], m->y[1]);
  m->rate = ev->ci * ev->a[x->index] + sn_dot(m->a[0], m->y[1]) + sn_dot(m->v[0], m->v[1]);
}

static void forces_at(double J, const motion *m, double F[2][3]) {
  sn_scale(F[0], J * m->rate, m->y[1]);
  sn_axpy(F[0], J * m->w, m->v[1]);
  sn_scale(F[1], -J * m->w, m->v[0]);
}

static void rotor_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const carried_rotor *x = batch->data;
  for (int i = range.first; i < range.last; i++) {
    motion m;
    double F[2][3];
    motion_at(&x[i], ev, &m);
    forces_at(x[i].J, &m, F);
    r[x[i].index] += x[i].J * m.rate;
    for (int k = 0; k < 2; k++) x[i].y[k].ops->apply(&x[i].y[k], ev->q, F[k], r);
  }
}

/* ---- tangent ---- */

typedef struct slopes {                  /* of the directions over the coordinates of the carrier, 3 x nd each */
  double x[2][3 * SN_PROBE_COORDINATES]; /* Y */
  double v[2][3 * SN_PROBE_COORDINATES]; /* (Y v)_q */
  double a[2][3 * SN_PROBE_COORDINATES]; /* ci (Y a)_q + ((Y v)_q v)_q */
} slopes;

static void slopes_at(const carried_rotor *x, const sn_eval *ev, slopes *s) {
  for (int k = 0; k < 2; k++) {
    const sn_probe *p = &x->y[k];
    double M[3 * SN_PROBE_COORDINATES];
    p->ops->jacobian(p, ev->q, s->x[k]);
    sn_probe_convective_jacobian(p, ev->q, ev->v, s->a[k]);
    memset(s->v[k], 0, sizeof s->v[k]);
    if (!p->ops->rate_jacobian) continue;
    p->ops->rate_jacobian(p, ev->q, ev->v, s->v[k]);
    p->ops->rate_jacobian(p, ev->q, ev->a, M);
    for (int j = 0; j < 3 * p->count; j++) s->a[k][j] += ev->ci * M[j];
  }
}

/* The change of the motion with local coordinate j: 0 is psi, the others are those of the carrier. */
static void change_of(const sn_eval *ev, const slopes *s, const motion *m, int j, motion *d) {
  *d = (motion){.w = j == 0 ? ev->cd : 0, .rate = j == 0 ? ev->cm : 0};
  for (int k = 0; j > 0 && k < 2; k++) {
    const double *X = &s->x[k][3 * (j - 1)], *V = &s->v[k][3 * (j - 1)], *A = &s->a[k][3 * (j - 1)];
    for (int b = 0; b < 3; b++) {
      d->y[k][b] = ev->ck * X[b];
      d->v[k][b] = ev->ck * V[b] + ev->cd * X[b];
      d->a[k][b] = ev->ck * A[b] + 2 * ev->cd * V[b] + ev->cm * X[b];
    }
  }
  d->w += sn_dot(d->v[0], m->y[1]) + sn_dot(m->v[0], d->y[1]);
  d->rate += sn_dot(d->a[0], m->y[1]) + sn_dot(m->a[0], d->y[1]) + sn_dot(d->v[0], m->v[1]) + sn_dot(m->v[0], d->v[1]);
}

static void add_column(const carried_rotor *x, const slopes *s, const motion *m, const motion *d, double *T) {
  double dF[2][3];
  for (int b = 0; b < 3; b++) {
    dF[0][b] = d->rate * m->y[1][b] + m->rate * d->y[1][b] + d->w * m->v[1][b] + m->w * d->v[1][b];
    dF[1][b] = -d->w * m->v[0][b] - m->w * d->v[0][b];
  }
  T[0] += x->J * d->rate;
  for (int j = 0; j < x->y[0].count; j++)
    T[1 + j] += x->J * (sn_dot(&s->x[0][3 * j], dF[0]) + sn_dot(&s->x[1][3 * j], dF[1]));
}

static void rotor_tangent(const sn_batch *batch, sn_range range, const sn_eval *eval, sn_matrix *A) {
  const carried_rotor *x = batch->data;
  sn_eval ev = *eval;
  if (ev.kick) ev.cd = ev.ck = 0;
  for (int i = range.first; i < range.last; i++) {
    const int n = 1 + x[i].y[0].count;
    double T[LOCAL * LOCAL] = {0}, F[2][3];
    int groups[1 + SN_PROBE_GROUPS];
    slopes s;
    motion m, d;
    motion_at(&x[i], &ev, &m);
    slopes_at(&x[i], &ev, &s);
    for (int j = 0; j < n; j++) {
      change_of(&ev, &s, &m, j, &d);
      add_column(&x[i], &s, &m, &d, T + j * LOCAL);
    }
    forces_at(ev.ck * x[i].J, &m, F);
    for (int k = 0; ev.ck != 0 && k < 2; k++)
      if (x[i].y[k].ops->hessian) x[i].y[k].ops->hessian(&x[i].y[k], ev.q, F[k], T + 1 + LOCAL, LOCAL);
    sn_matrix_add(A, rotor_groups(batch, i, groups), groups, batch->slots + (size_t)batch->slot_stride * (size_t)i, T,
                  LOCAL);
  }
}

/* ---- audit ---- */

static void rotor_energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *energy) {
  const carried_rotor *x = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const double w = speed(&x[i], ev->q, ev->v);
    energy->kinetic += 0.5 * x[i].J * w * w;
  }
}

static void rotor_momentum(const sn_batch *batch, sn_range range, const sn_eval *ev, double p[6]) {
  const carried_rotor *x = batch->data;
  for (int i = range.first; i < range.last; i++) {
    double y[2][3], axis[3];
    for (int k = 0; k < 2; k++) x[i].y[k].ops->value(&x[i].y[k], ev->q, y[k]);
    sn_cross(axis, y[0], y[1]);
    sn_axpy(p + 3, x[i].J * speed(&x[i], ev->q, ev->v), axis);
  }
}

/* A step of symplectic-euler: the carrier has turned freely, and the rotor keeps the speed that the kick has left. Carriers
 * are bodies, whose batches come first. */
static void rotor_advance(const sn_batch *batch, sn_range range, const sn_eval *ev, double *q1, double *v1) {
  const carried_rotor *x = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const double w = speed(&x[i], ev->q, ev->v) + speed(&x[i], ev->q, ev->a);
    v1[x[i].index] += w - speed(&x[i], q1, v1);
  }
}

static const sn_batch_ops carried_rotor_batch = {
    .name = "rotors on bodies that turn",
    .max_groups = 1 + SN_PROBE_GROUPS,
    .groups = rotor_groups,
    .residual = rotor_residual,
    .tangent = rotor_tangent,
    .energy = rotor_energy,
    .momentum = rotor_momentum,
    .advance = rotor_advance,
    .no_steps = "rotors on bodies in space",
};

void sn_add_carried_rotor(sn_compiler *c, const sn_marker *carrier, const double axis[3], int index, int group,
                          double J) {
  carried_rotor *x = sn_batch_append(c, &carried_rotor_batch, sizeof(carried_rotor));
  double e[2][3];
  *x = (carried_rotor){.index = index, .group = group, .J = J};
  sn_frame(axis, e[0], e[1]);
  for (int k = 0; k < 2; k++) sn_marker_direction(carrier, e[k], &x->y[k]);
  assert(x->y[0].groups == x->y[1].groups && x->y[0].count == x->y[1].count);
}
