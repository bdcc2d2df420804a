/* tree_motion.c - motion of rigid bodies and rows of their joints in six components; see tree.h. */
#include <string.h>

#include "math/quat.h"
#include "system/tree.h"

/* ---- bodies ---- */

/* A(p) = (e0^2 - e.e) I + 2 e e' + 2 e0 skew(e), times `factor` */
static inline void turn_matrix(const double p[4], double factor, double A[9]) {
  const double d = factor * (p[0] * p[0] - p[1] * p[1] - p[2] * p[2] - p[3] * p[3]), two = 2 * factor;
  const double xy = two * p[1] * p[2], xz = two * p[1] * p[3], yz = two * p[2] * p[3];
  const double wx = two * p[0] * p[1], wy = two * p[0] * p[2], wz = two * p[0] * p[3];
  A[0] = d + two * p[1] * p[1], A[1] = xy - wz, A[2] = xz + wy;
  A[3] = xy + wz, A[4] = d + two * p[2] * p[2], A[5] = yz - wx;
  A[6] = xz - wy, A[7] = yz + wx, A[8] = d + two * p[3] * p[3];
}

/* Its derivative along x */
static inline void turn_rate(const double p[4], const double x[4], double A[9]) {
  const double d = 2 * (p[0] * x[0] - p[1] * x[1] - p[2] * x[2] - p[3] * x[3]);
  const double xy = 2 * (p[1] * x[2] + p[2] * x[1]), xz = 2 * (p[1] * x[3] + p[3] * x[1]);
  const double yz = 2 * (p[2] * x[3] + p[3] * x[2]);
  const double wx = 2 * (p[0] * x[1] + p[1] * x[0]), wy = 2 * (p[0] * x[2] + p[2] * x[0]);
  const double wz = 2 * (p[0] * x[3] + p[3] * x[0]);
  A[0] = d + 4 * p[1] * x[1], A[1] = xy - wz, A[2] = xz + wy;
  A[3] = xy + wz, A[4] = d + 4 * p[2] * x[2], A[5] = yz - wx;
  A[6] = xz - wy, A[7] = yz + wx, A[8] = d + 4 * p[3] * x[3];
}

static inline double dot4(const double a[4], const double b[4]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static inline void times(const double A[9], const double b[3], double y[3]) {
  for (int i = 0; i < 3; i++) y[i] = A[3 * i] * b[0] + A[3 * i + 1] * b[1] + A[3 * i + 2] * b[2];
}

static inline void inertia_times(const double J[6], const double x[3], double y[3]) {
  y[0] = J[0] * x[0] + J[3] * x[1] + J[4] * x[2];
  y[1] = J[3] * x[0] + J[1] * x[1] + J[5] * x[2];
  y[2] = J[4] * x[0] + J[5] * x[1] + J[2] * x[2];
}

/* E(p) x = -e x0 + e0 x + e x x */
static inline void times_E(const double p[4], const double x[4], double y[3]) {
  y[0] = -p[1] * x[0] + p[0] * x[1] + (p[2] * x[3] - p[3] * x[2]);
  y[1] = -p[2] * x[0] + p[0] * x[2] + (p[3] * x[1] - p[1] * x[3]);
  y[2] = -p[3] * x[0] + p[0] * x[3] + (p[1] * x[2] - p[2] * x[1]);
}

/* m I3 and A J A' */
static inline void set_inertia(const sn_tree_body *b, const double A[9], double *Y) {
  double AJ[3][3];
  memset(Y, 0, 6 * SN_TWIST * sizeof *Y);
  for (int i = 0; i < 3; i++) inertia_times(b->J, A + 3 * i, AJ[i]);
  for (int i = 0; i < 3; i++) {
    Y[(SN_TWIST + 1) * i] = b->m;
    for (int j = 0; j < 3; j++) Y[SN_TWIST * (3 + i) + 3 + j] = sn_dot(AJ[i], A + 3 * j);
  }
}

/* Gravity and gyroscopic moments: Q_p = 8 Gd'J Gd p - 4 J0 (p'.p') p of rigid.c is, in body axes,
 *   G Q_p/2 = -w x J w - 2 (p.p') J w,     p.Q_p = 2 w.J w - 4 J0 (p'.p') p.p */
static inline void set_force(const sn_tree_body *b, const sn_eval *ev, const double pd[4], sn_tree_motion *s,
                             double *f) {
  double w[3], Jw[3], n[3], gyro[3];
  sn_quat_G(s->p, pd, w);
  sn_scale(w, 2, w);
  inertia_times(b->J, w, Jw);
  sn_cross(n, Jw, w);
  sn_axpy(n, -2 * dot4(s->p, pd), Jw);
  times(s->A, n, gyro);
  for (int k = 0; k < 3; k++) f[k] = b->m * ev->gravity[k], f[3 + k] = gyro[k] / s->pp;
  s->along = 2 * sn_dot(w, Jw) - 4 * b->J0 * dot4(pd, pd) * s->pp;
}

/* A force on the coordinates: x[7] times `sign`. */
static inline void add_force(const double x[7], double sign, sn_tree_motion *s, double *f) {
  double n[3];
  times_E(s->p, x + 3, n);
  sn_axpy(f, sign, x);
  sn_axpy(f + 3, 0.5 * sign, n);
  s->along += sign * dot4(s->p, x + 3);
}

void sn_tree_move(const sn_tree *t, const sn_eval *ev, double alpha, double beta, const double *r, int first,
                  int last) {
  for (int i = first; i < last; i++) {
    const sn_tree_body *b = &t->body[i];
    sn_tree_motion *s = &t->motion[i];
    const double *pd = ev->v + b->first + 3;
    double *f = t->w.f + SN_TWIST * i;
    memcpy(s->p, ev->q + b->first + 3, sizeof s->p);
    s->pp = dot4(s->p, s->p);
    turn_matrix(s->p, 1, s->A);
    turn_rate(s->p, pd, s->rate);
    turn_matrix(pd, 2, s->bend);
    set_inertia(b, s->A, t->w.Y + 6 * SN_TWIST * i);
    set_force(b, ev, pd, s, f);
    if (r) add_force(r + b->first, -1, s, f);
    const double right = -2 * dot4(pd, pd) - 4 * alpha * dot4(s->p, pd) - beta * beta * (s->pp - 1);
    s->s = right / (2 * s->pp);
  }
}

/* ---- joints ---- */

typedef struct probe_motion {
  double arm[3];        /* A b */
  double y[3], rate[3]; /* its value and y' */
  double bend[3];       /* y'' with a = 0 */
} probe_motion;

static inline void look(const sn_tree *t, const sn_eval *ev, const sn_tree_side *side, probe_motion *m) {
  if (side->body < 0) {
    *m = (probe_motion){.y = {side->b[0], side->b[1], side->b[2]}};
    return;
  }
  const sn_tree_motion *s = &t->motion[side->body];
  const double *q = ev->q + t->body[side->body].first, *v = ev->v + t->body[side->body].first;
  times(s->A, side->b, m->arm);
  times(s->rate, side->b, m->rate);
  times(s->bend, side->b, m->bend);
  for (int k = 0; k < 3; k++) {
    m->y[k] = side->c * q[k] + m->arm[k];
    m->rate[k] += side->c * v[k];
  }
}

/* The row of gradient g: a column of C' on the body itself, a row of P on its parent. */
static inline void add_row(const sn_tree *t, int body, int row, const sn_tree_side *side, const double arm[3],
                           const double g[3]) {
  double moment[3];
  if (side->body < 0) return;
  sn_cross(moment, arm, g);
  if (side->on_parent) {
    double *P = t->w.V + SN_TWIST * row;
    sn_axpy(P, side->c, g);
    sn_axpy(P + 3, 1, moment);
    t->up_pull[row] += 2 * sn_dot(g, arm);
  } else {
    double *C = t->w.Z + 6 * SN_TWIST * body + (row - t->w.row[body]);
    for (int k = 0; k < 3; k++) {
      C[SN_TWIST * k] += side->c * g[k];
      C[SN_TWIST * (3 + k)] += moment[k];
    }
    t->own_pull[row] += 2 * sn_dot(g, arm);
  }
}

/* The same for three rows, with gradients of `sign` times the axes. */
static inline void add_rows(const sn_tree *t, int body, int row, const sn_tree_side *side, const double arm[3],
                            double sign) {
  const double x = sign * arm[0], y = sign * arm[1], z = sign * arm[2], c = sign * side->c;
  const double moment[3][3] = {{0, z, -y}, {-z, 0, x}, {y, -x, 0}};
  double *C = t->w.Z + 6 * SN_TWIST * body + (row - t->w.row[body]), *P = t->w.V + SN_TWIST * row;
  if (side->body < 0) return;
  for (int i = 0; i < 3; i++) {
    if (side->on_parent) {
      P[SN_TWIST * i + i] += c;
      for (int k = 0; k < 3; k++) P[SN_TWIST * i + 3 + k] += moment[i][k];
      t->up_pull[row + i] += 2 * sign * arm[i];
    } else {
      C[SN_TWIST * i + i] += c;
      for (int k = 0; k < 3; k++) C[SN_TWIST * (3 + k) + i] += moment[i][k];
      t->own_pull[row + i] += 2 * sign * arm[i];
    }
  }
}

static void join_points(const sn_tree *t, const sn_eval *ev, double alpha, double beta, int body,
                        const sn_tree_item *x) {
  probe_motion m[2];
  for (int k = 0; k < 2; k++) look(t, ev, &x->side[k], &m[k]);
  for (int i = 0; i < 3; i++) {
    const double value = m[0].y[i] - m[1].y[i], rate = m[0].rate[i] - m[1].rate[i];
    t->w.c[x->row + i] = m[1].bend[i] - m[0].bend[i] - 2 * alpha * rate - beta * beta * value;
  }
  for (int k = 0; k < 2; k++) add_rows(t, body, x->row, &x->side[k], m[k].arm, k ? -1 : 1);
}

/* Value, gradients and sum_pq W_pq y_p'.y_q' + Phi_tt of a scalar primitive, and Phi_t; see primitive.h. */
typedef struct scalar {
  double value, rate, bend;
  double g[SN_PRIMITIVE_PROBES][3];
} scalar;

static void scalar_of(const sn_tree_item *x, double t, const probe_motion m[SN_PRIMITIVE_PROBES], scalar *s) {
  double d[3], dd[3];
  *s = (scalar){0};
  if (x->type == SN_DOT) {
    s->value = sn_dot(m[0].y, m[1].y) - x->c;
    s->bend = 2 * sn_dot(m[0].rate, m[1].rate);
    sn_copy(s->g[0], m[1].y);
    sn_copy(s->g[1], m[0].y);
  } else if (x->type == SN_OFFSET) {
    const sn_jet f = x->f ? sn_expr_jet(x->f, t) : (sn_jet){0, 0, 0};
    sn_sub(d, m[2].y, m[1].y);
    sn_sub(dd, m[2].rate, m[1].rate);
    s->value = sn_dot(m[0].y, d) - x->c - f.value;
    s->rate = -f.rate;
    s->bend = 2 * sn_dot(m[0].rate, dd) - f.accel;
    sn_copy(s->g[0], d);
    sn_scale(s->g[1], -1, m[0].y);
    sn_copy(s->g[2], m[0].y);
  } else {
    sn_sub(d, m[1].y, m[0].y);
    sn_sub(dd, m[1].rate, m[0].rate);
    s->value = (sn_dot(d, d) - x->c * x->c) / (2 * x->c);
    s->bend = sn_dot(dd, dd) / x->c;
    sn_scale(s->g[0], -1 / x->c, d);
    sn_scale(s->g[1], 1 / x->c, d);
  }
}

static void join_scalar(const sn_tree *t, const sn_eval *ev, double alpha, double beta, int body,
                        const sn_tree_item *x) {
  probe_motion m[SN_PRIMITIVE_PROBES];
  scalar s;
  for (int k = 0; k < x->sides; k++) look(t, ev, &x->side[k], &m[k]);
  scalar_of(x, ev->t, m, &s);
  for (int k = 0; k < x->sides; k++) {
    s.rate += sn_dot(s.g[k], m[k].rate);
    s.bend += sn_dot(s.g[k], m[k].bend);
    add_row(t, body, x->row, &x->side[k], m[k].arm, s.g[k]);
  }
  t->w.c[x->row] = -s.bend - 2 * alpha * s.rate - beta * beta * s.value;
}

/* From the gradient in coordinates: (g_r, E g_p/2), and g_p.p along p. */
static void join_relation(const sn_tree *t, const sn_eval *ev, double alpha, double beta, int body,
                          const sn_tree_item *x) {
  const int parent = t->w.parent[body];
  double level[3], n[3], *own = t->gradient + t->body[body].first, *up = NULL, *P = t->w.V + SN_TWIST * x->row;
  double *C = t->w.Z + 6 * SN_TWIST * body + (x->row - t->w.row[body]);
  memset(own, 0, 7 * sizeof *own);
  if (parent >= 0) up = memset(t->gradient + t->body[parent].first, 0, 7 * sizeof *own);
  sn_relation_apply(x->relation, ev, 1, t->gradient);
  sn_relation_levels(x->relation, ev, level);
  times_E(t->motion[body].p, own + 3, n);
  for (int k = 0; k < 3; k++) C[SN_TWIST * k] = own[k], C[SN_TWIST * (3 + k)] = 0.5 * n[k];
  t->own_pull[x->row] = dot4(own + 3, t->motion[body].p);
  if (up) {
    times_E(t->motion[parent].p, up + 3, n);
    for (int k = 0; k < 3; k++) P[k] = up[k], P[3 + k] = 0.5 * n[k];
    t->up_pull[x->row] = dot4(up + 3, t->motion[parent].p);
  }
  t->w.c[x->row] = -level[2] - 2 * alpha * level[1] - beta * beta * level[0];
}

/* What the motion along p of the body and its parent, which is known, leaves to the right-hand sides. */
static inline void take_known(const sn_tree *t, int i) {
  const int parent = t->w.parent[i];
  const double own = t->motion[i].s, up = parent >= 0 ? t->motion[parent].s : 0;
  for (int k = t->w.row[i]; k < t->w.row[i + 1]; k++) t->w.c[k] -= own * t->own_pull[k] + up * t->up_pull[k];
}

void sn_tree_join(const sn_tree *t, const sn_eval *ev, double alpha, double beta, int first, int last) {
  const size_t start = (size_t)t->w.row[first], rows = (size_t)(t->w.row[last] - t->w.row[first]);
  memset(t->w.V + SN_TWIST * start, 0, SN_TWIST * rows * sizeof(double));
  memset(t->own_pull + start, 0, rows * sizeof(double));
  memset(t->up_pull + start, 0, rows * sizeof(double));
  memset(t->w.Z + 6 * SN_TWIST * (size_t)first, 0, 6 * SN_TWIST * (size_t)(last - first) * sizeof(double));
  for (int i = first; i < last; i++) {
    for (int k = t->item_first[i]; k < t->item_first[i + 1]; k++) {
      const sn_tree_item *x = &t->item[k];
      if (x->relation)
        join_relation(t, ev, alpha, beta, i, x);
      else if (x->type == SN_COINCIDENT)
        join_points(t, ev, alpha, beta, i, x);
      else
        join_scalar(t, ev, alpha, beta, i, x);
    }
    take_known(t, i);
  }
}

/* ---- right-hand sides and solutions ---- */

void sn_tree_take(const sn_tree *t, int n, const double *x, int first, int last) {
  for (int i = first; i < last; i++) {
    sn_tree_motion *s = &t->motion[i];
    double *f = t->w.f + SN_TWIST * i;
    memset(f, 0, SN_TWIST * sizeof *f);
    s->along = 0;
    add_force(x + t->body[i].first, 1, s, f);
    s->s = x[n + t->body[i].unit] / (2 * s->pp);
  }
}

void sn_tree_take_rows(const sn_tree *t, int n, const double *x, int first, int last) {
  for (int i = first; i < last; i++) {
    for (int k = t->w.row[i]; k < t->w.row[i + 1]; k++) t->w.c[k] = x[n + t->multiplier[k]];
    take_known(t, i);
  }
}

/* p''= E'w'/2 + s p; the multiplier of the normalization by the equations of the body along p:
 *   4 J0 (p.p)^2 s + sum l (row along p) + 2 p.p l = p.Q_p */
void sn_tree_give(const sn_tree *t, double *a, double *l, int first, int last) {
  for (int i = first; i < last; i++) {
    const sn_tree_motion *s = &t->motion[i];
    const double *u = t->w.u + SN_TWIST * i, *w = u + 3, *p = s->p;
    double *x = a + t->body[i].first;
    sn_copy(x, u);
    x[3] = s->s * p[0] - 0.5 * (p[1] * w[0] + p[2] * w[1] + p[3] * w[2]);
    x[4] = s->s * p[1] + 0.5 * (p[0] * w[0] - (p[2] * w[2] - p[3] * w[1]));
    x[5] = s->s * p[2] + 0.5 * (p[0] * w[1] - (p[3] * w[0] - p[1] * w[2]));
    x[6] = s->s * p[3] + 0.5 * (p[0] * w[2] - (p[1] * w[1] - p[2] * w[0]));
    l[t->body[i].unit] = s->along - 4 * t->body[i].J0 * s->pp * s->pp * s->s;
  }
}

void sn_tree_give_rows(const sn_tree *t, double *l, int first, int last) {
  for (int i = first; i < last; i++) {
    const int parent = t->w.parent[i];
    for (int k = t->w.row[i]; k < t->w.row[i + 1]; k++) {
      const double value = t->w.l[k];
      l[t->multiplier[k]] = value;
      l[t->body[i].unit] -= value * t->own_pull[k];
      if (parent >= 0) l[t->body[parent].unit] -= value * t->up_pull[k];
    }
  }
}

void sn_tree_give_units(const sn_tree *t, double *l, int first, int last) {
  for (int i = first; i < last; i++) l[t->body[i].unit] /= 2 * t->motion[i].pp;
}
