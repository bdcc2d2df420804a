/* fluid.c - see fluid.h.
 *
 *   a_i = du_i/dt + sum_j du_i/dx_j u_j = derivative of u_i along (1, u) in (t, x)
 *   da_i/dx_k = D2 u_i((1, u), e_k) + sum_j du_i/dx_j du_j/dx_k
 *
 * with D2 f(a, b) = (f''(a + b) - f''(a) - f''(b))/2 from second derivatives along straight paths.
 *
 * Wet part of a circular section whose center is s radii below the free surface, |s| < 1:
 *   wet = 1/2 + (s sqrt(1 - s^2) + asin s)/pi,   d wet/ds = 2 sqrt(1 - s^2)/pi
 */
#include "force/fluid.h"

#include <math.h>

#include "math/constants.h"
#include "math/vec3.h"

/* The second derivative of f along dt and dx. */
static double curvature(const sn_expr *f, double t, const double x[3], double dt, const double dx[3]) {
  const sn_jet y[3] = {{x[0], dx[0], 0}, {x[1], dx[1], 0}, {x[2], dx[2], 0}};
  return sn_expr_along(f, (sn_jet){t, dt, 0}, y).accel;
}

static void find_acceleration(const sn_fluid *fluid, const sn_eval *ev, bool derivatives, sn_flow *y) {
  for (int i = 0; i < 3; i++) {
    const sn_expr *f = fluid->velocity[i];
    const sn_jet x[3] = {{y->r[0], y->u[0], 0}, {y->r[1], y->u[1], 0}, {y->r[2], y->u[2], 0}};
    y->acceleration[i] = ev->load * sn_expr_along(f, (sn_jet){ev->t, 1, 0}, x).rate;
    if (!derivatives || !fluid->varies) continue;
    double own = curvature(f, ev->t, y->r, 1, y->u);
    for (int k = 0; k < 3; k++) {
      double e[3] = {k == 0, k == 1, k == 2}, both[3] = {y->u[0] + e[0], y->u[1] + e[1], y->u[2] + e[2]};
      double mixed = curvature(f, ev->t, y->r, 1, both) - own - curvature(f, ev->t, y->r, 0, e);
      y->H[i][k] = ev->load * mixed / 2;
      for (int j = 0; j < 3; j++) y->H[i][k] += y->G[i][j] * y->G[j][k];
    }
  }
}

/* s of the top, within -1 .. 1 */
static double immersion(const sn_fluid *fluid, double t, const double r[3], double gradient[3]) {
  double level = sn_expr_gradient(fluid->level, t, 3, r, gradient);
  return fmax(-1, fmin(1, (level - sn_dot(fluid->up, r)) / fluid->half));
}

static void find_wet(const sn_fluid *fluid, const sn_eval *ev, bool derivatives, sn_flow *y) {
  y->wet = 1;
  if (!fluid->level) return;
  double s = immersion(fluid, ev->t, y->r, derivatives ? y->slant : NULL), root = sqrt(1 - s * s);
  y->wet = 0.5 + (s * root + asin(s)) / SN_PI;
  if (!derivatives) return;
  sn_axpy(y->slant, -1, fluid->up);
  sn_scale(y->slant, 2 * root / (SN_PI * fluid->half), y->slant);
}

double sn_wet_rate(const sn_fluid_point *x, const sn_eval *ev, const sn_flow *y) {
  const sn_fluid *fluid = x->fluid;
  if (!fluid->level) return 0;
  double s = immersion(fluid, ev->t, y->r, NULL);
  const sn_jet place[3] = {{y->r[0], y->v[0], 0}, {y->r[1], y->v[1], 0}, {y->r[2], y->v[2], 0}};
  double rise = sn_expr_along(fluid->level, (sn_jet){ev->t, 1, 0}, place).rate - sn_dot(fluid->up, y->v);
  return 2 * sqrt(1 - s * s) / (SN_PI * fluid->half) * rise;
}

void sn_flow_at(const sn_fluid_point *x, const sn_eval *ev, bool derivatives, sn_flow *y) {
  const sn_fluid *fluid = x->fluid;
  *y = (sn_flow){.wet = 1};
  x->slope[0].ops->value(&x->slope[0], ev->q, y->slope[0]);
  sn_copy(y->d, y->slope[0]);
  if (x->plate) {
    x->slope[1].ops->value(&x->slope[1], ev->q, y->slope[1]);
    sn_cross(y->d, y->slope[0], y->slope[1]);
  }
  y->length = sn_normalize(y->d);
  x->point.ops->value(&x->point, ev->q, y->r);
  x->point.ops->rate(&x->point, ev->q, ev->v, y->v);
  for (int i = 0; i < 3; i++) {
    y->u[i] =
        ev->load * sn_expr_gradient(fluid->velocity[i], ev->t, 3, y->r, derivatives && fluid->varies ? y->G[i] : NULL);
    sn_scale(y->G[i], ev->load, y->G[i]);
  }
  if (fluid->accelerates) find_acceleration(fluid, ev, derivatives, y);
  find_wet(fluid, ev, derivatives, y);
}

/* d = n/|n|, n = r_x or r_x x r_y:  dd = (dn - d (d.dn))/|n| */
void sn_direction_change(const sn_fluid_point *x, const sn_flow *y, const double dx[3], const double dy[3],
                         double dd[3]) {
  double dn[3];
  sn_copy(dn, dx);
  if (x->plate) {
    double other[3];
    sn_cross(dn, dx, y->slope[1]);
    sn_cross(other, y->slope[0], dy);
    sn_axpy(dn, 1, other);
  }
  double along = sn_dot(y->d, dn);
  for (int k = 0; k < 3; k++) dd[k] = (dn[k] - along * y->d[k]) / y->length;
}

/* P = I - d d' of a line, d d' of a plate */
void sn_added_part(const sn_fluid_point *x, const double d[3], const double z[3], double y[3]) {
  double along = sn_dot(d, z);
  for (int k = 0; k < 3; k++) y[k] = x->plate ? along * d[k] : z[k] - along * d[k];
}

void sn_added_part_change(const sn_fluid_point *x, const double d[3], const double dd[3], const double z[3],
                          double y[3]) {
  double along = sn_dot(d, z), change = sn_dot(dd, z);
  for (int k = 0; k < 3; k++) y[k] = (x->plate ? 1 : -1) * (change * d[k] + along * dd[k]);
}
