/* friction_ball.c - friction in spherical joints: a moment against the relative angular velocity w of the bodies.
 *
 *   w = sum_p s_p e_p x e_p'/2           e_p: axes of both bodies, s_p = -1 on the first and 1 on the second
 *   Q = -Z'(k w),   Z = dw/dv = sum_p s_p e_p x Y_p/2,   k = k(|w|)
 *   K = Z'd(k w)/dq + sum_p Y_p'(s_p/2 k w x Y_p) + H_p(s_p/2 k w x e_p),   D = Z'd(k w)/dv
 *   d(k w) = k dw + k'/|w| (w.dw) w + dk/dN dN w,   dw/dq = sum_p s_p (Y_p x e_p' + e_p x d(Y_p v)/dq)/2 */
#include <math.h>
#include <string.h>

#include "force/friction.h"
#include "math/vec3.h"

enum { N = SN_FORMULA_LOCAL, ND = SN_PROBE_COORDINATES };

static double half_sign(int side) {
  return side ? 0.5 : -0.5;
}

int sn_friction_speed(const sn_friction *x, const double *q, const double *v, double u[3]) {
  if (!x->ball) {
    sn_phi p;
    sn_phi_at(&x->phi, q, &p);
    u[0] = sn_phi_rate(&x->phi, &p, q, v);
    return 1;
  }
  u[0] = u[1] = u[2] = 0;
  for (int s = 0; s < 2; s++)
    for (int k = 0; k < 3; k++) {
      const sn_probe *p = &x->axis[s][k];
      double e[3], rate[3], c[3];
      p->ops->value(p, q, e);
      p->ops->rate(p, q, v, rate);
      sn_cross(c, e, rate);
      sn_axpy(u, half_sign(s), c);
    }
  return 3;
}

/* r += Z'm */
static void apply_moment(const sn_friction *x, const sn_eval *ev, const double m[3], double *r) {
  for (int s = 0; s < 2; s++)
    for (int k = 0; k < 3; k++) {
      const sn_probe *p = &x->axis[s][k];
      double e[3], f[3];
      sn_probe_mean(p, ev, e);
      sn_cross(f, m, e);
      sn_scale(f, half_sign(s), f);
      sn_probe_apply(p, ev, f, r);
    }
}

void sn_friction_apply(const sn_friction *x, const double *q, const double *f, double *r) {
  const sn_eval ev = {.q = q};
  sn_phi p;
  if (x->ball) {
    apply_moment(x, &ev, f, r);
    return;
  }
  sn_phi_at(&x->phi, q, &p);
  sn_phi_apply(&x->phi, &p, &ev, f[0], r);
}

static int ball_groups(const sn_batch *batch, int i, int *groups) {
  const sn_group_set *set = &((const sn_friction *)batch->data)[i].set;
  memcpy(groups, set->group, (size_t)set->count * sizeof(int));
  return set->count;
}

static void ball_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const sn_friction *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_friction *x = &item[i];
    double w[3];
    sn_friction_speed(x, ev->q, ev->v, w);
    const double force = x->mu > 0 ? sn_bearing_force(&x->bearing, ev) : 0;
    sn_scale(w, sn_friction_at(x, ev, sn_norm(w), force).k, w);
    apply_moment(x, ev, w, r);
  }
}

/* Z and ck dw/dq + cd dw/dv of all axes, and the part of K that goes with the moment m. */
static void spread_axes(const sn_friction *x, const sn_eval *ev, const double m[3], double Z[N][3], double dw[N][3],
                        double *T, int n) {
  for (int s = 0; s < 2; s++)
    for (int k = 0; k < 3; k++) {
      const sn_probe *p = &x->axis[s][k];
      const double half = half_sign(s);
      double e[3], rate[3], f[3], J[3 * ND], V[3 * ND] = {0}, H[ND * ND], c[3];
      int at[ND], count = 0;
      for (int g = 0; g < p->groups; g++)
        for (int i = 0; i < p->size[g]; i++) at[count++] = x->axis_at[s][k][g] + i;
      memset(H, 0, (size_t)count * (size_t)count * sizeof(double));
      p->ops->value(p, ev->q, e);
      p->ops->rate(p, ev->q, ev->v, rate);
      p->ops->jacobian(p, ev->q, J);
      if (p->ops->rate_jacobian) p->ops->rate_jacobian(p, ev->q, ev->v, V);
      sn_cross(f, m, e);
      sn_scale(f, half, f);
      if (p->ops->hessian) p->ops->hessian(p, ev->q, f, H, count);
      for (int i = 0; i < count; i++) {
        const double *Y = J + 3 * i;
        sn_cross(c, e, Y);
        sn_axpy(Z[at[i]], half, c);
        sn_axpy(dw[at[i]], half * ev->cd, c);
        sn_cross(c, Y, rate);
        sn_axpy(dw[at[i]], half * ev->ck, c);
        sn_cross(c, e, V + 3 * i);
        sn_axpy(dw[at[i]], half * ev->ck, c);
        sn_cross(c, m, Y);
        for (int d = 0; d < count; d++)
          T[at[d] + n * at[i]] += ev->ck * (H[d + count * i] + half * sn_dot(J + 3 * d, c));
      }
    }
}

static void ball_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const sn_friction *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_friction *x = &item[i];
    const bool presses = x->mu > 0 && !ev->set_valued;
    const int n = x->set.n;
    double Z[N][3], dw[N][3], row[N], T[N * N], w[3], m[3];
    if (!presses && ev->ck == 0 && ev->cd == 0) continue;
    memset(Z, 0, (size_t)n * sizeof Z[0]);
    memset(dw, 0, (size_t)n * sizeof dw[0]);
    memset(row, 0, (size_t)n * sizeof(double));
    memset(T, 0, (size_t)n * (size_t)n * sizeof(double));
    sn_friction_speed(x, ev->q, ev->v, w);
    const double force = presses ? sn_bearing_row(&x->bearing, ev, n, row) : 0;
    const sn_rub f = sn_friction_at(x, ev, sn_norm(w), force);
    sn_scale(m, f.k, w);
    spread_axes(x, ev, m, Z, dw, T, n);
    for (int c = 0; c < n; c++) {
      double dm[3];
      sn_scale(dm, f.k, dw[c]);
      sn_axpy(dm, f.bend * sn_dot(w, dw[c]) + f.by_N * row[c], w);
      for (int d = 0; d < n; d++) T[d + n * c] += sn_dot(Z[d], dm);
    }
    sn_matrix_add(A, x->set.count, x->set.group, batch->slots + (size_t)batch->slot_stride * (size_t)i, T, n);
  }
}

static void ball_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *power) {
  const sn_friction *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_friction *x = &item[i];
    double w[3];
    sn_friction_speed(x, ev->q, ev->v, w);
    const double force = x->mu > 0 ? sn_bearing_force(&x->bearing, ev) : 0, square = sn_dot(w, w);
    power->friction -= sn_friction_at(x, ev, sqrt(square), force).dry * square;
    power->damping -= x->viscous * square;
  }
}

const sn_batch_ops sn_ball_friction_batch = {
    .name = "friction of spherical joints",
    .max_groups = SN_FORMULA_GROUPS,
    .groups = ball_groups,
    .residual = ball_residual,
    .tangent = ball_tangent,
    .power = ball_power,
};

bool sn_make_ball_friction(sn_compiler *c, const sn_joint *joint, sn_friction *x) {
  for (int s = 0; s < 2; s++) {
    const sn_marker *m = &joint->marker[s];
    if (!m->has_frame || m->points > 1) {
      sn_field_error(&c->reader, joint->spec, "between", "rigid bodies, beams, floating bodies or the ground",
                     "%s '%s' has no orientation for friction of spherical '%s' to act against",
                     m->body->ops->kind.name, m->body->name, joint->name);
      return false;
    }
    for (int k = 0; k < 3; k++) {
      const double axis[3] = {k == 0, k == 1, k == 2};
      sn_marker_direction(m, axis, &x->axis[s][k]);
      for (int g = 0; g < x->axis[s][k].groups; g++) {
        const int at = sn_group_set_add(&x->set, x->axis[s][k].group[g], x->axis[s][k].size[g]);
        x->axis_at[s][k][g] = at;
        if (at < 0) {
          sn_field_error(&c->reader, joint->spec, "between", "rigid bodies or the ground",
                         "friction of spherical '%s' depends on too many coordinates", joint->name);
          return false;
        }
      }
    }
  }
  return true;
}
