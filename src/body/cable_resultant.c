/* cable_resultant.c - what the part beyond a section of a cable exerts on the part before it.
 *
 * With u = r_x, w = r_xx, L = |u| and k = u x w/L^p the energy per reference length is
 *
 *   W = 1/2 EA (eps - eps0)^2 + 1/2 EI |k - k0|^2
 *
 * In terms of the stretch L and the derivative e_x of the unit tangent (|e_x| = |u x w|/L^2, so |k| = |e_x| L^(2-p)):
 *
 *   N = dW/dL    = EA (eps - eps0) L + (2 - p) EI (k - k0).k/L
 *   m = dW/de_x  = EI (k - k0) L^(2-p)                   moment vector
 *   Q = u x m_x/L^2                                       from m_x + u x n = 0: the cable has no rotary inertia
 *
 * The strain of a bent cubic element swings about its mean, which alone is accurate: eps - eps0 is the straight line
 * that fits the Gauss points of the element best. k0 is that of the reference element: as a vector (planar bending), or
 * |k0| in the direction of k (scalar), or 0. With a direction d that is given (in planar models z) M, Q and the curvature
 * have signs: m.d, k.d and Q.(d x tangent). Otherwise they are magnitudes. Damping stresses are not part of them.
 */
#include <math.h>

#include "body/cable_element.h"
#include "math/gauss.h"
#include "math/vec3.h"

/* r_x; k and dk/dx; L and dL/dx */
typedef struct shape {
  double u[3], k[3], kx[3], L, Lx;
} shape;

static void shape_at(const double q[12], double l, double s, int p, shape *y) {
  double w[3], wx[3], c[3], cx[3];
  for (int i = 0; i < 3; i++) {
    double d = (q[6 + i] - q[i]) / l, a = q[3 + i], b = q[9 + i];
    y->u[i] = 6 * s * (1 - s) * d + (1 - 4 * s + 3 * s * s) * a + (3 * s * s - 2 * s) * b;
    w[i] = ((6 - 12 * s) * d + (6 * s - 4) * a + (6 * s - 2) * b) / l;
    wx[i] = (-12 * d + 6 * a + 6 * b) / (l * l);
  }
  double uu = sn_dot(y->u, y->u), uw = sn_dot(y->u, w);
  y->L = sqrt(uu);
  y->Lx = uw / y->L;
  sn_cross(c, y->u, w);
  sn_cross(cx, y->u, wx);
  double P = pow(y->L, -p);
  for (int i = 0; i < 3; i++) {
    y->k[i] = P * c[i];
    y->kx[i] = P * (cx[i] - p * c[i] * uw / uu);
  }
}

/* dg/df of the scalar measure, 1 - 2 k0 S'(f), and its derivatives with respect to f and k0; S as in cable_bending.h:
 * sqrt(f), below f = k0^2 the series k0 P(f/k0^2 - 1) */
static double scalar_share(double f, double k0, double change[2]) {
  double z = f / (k0 * k0) - 1, P[3] = {0}; /* P, P', P''/2 */
  if (z >= 0) {
    double k = sqrt(f);
    change[0] = k0 / (2 * f * k), change[1] = -1 / k;
    return 1 - k0 / k;
  }
  for (int k = SN_CABLE_ROOT - 1; k >= 0; k--) {
    P[2] = P[2] * z + P[1];
    P[1] = P[1] * z + P[0];
    P[0] = P[0] * z + sn_cable_root[k];
  }
  change[0] = -4 * P[2] / (k0 * k0);
  change[1] = 8 / k0 * P[2] * (z + 1);
  return 1 - 2 * P[1];
}

/* d = k - k0 and its derivative along x */
static void bend_of(const sn_cable_station *x, const shape *now, const shape *start, double d[3], double dx[3]) {
  sn_copy(d, now->k);
  sn_copy(dx, now->kx);
  if (x->reference == SN_CABLE_PLANAR) {
    sn_sub(d, d, start->k);
    sn_sub(dx, dx, start->kx);
  } else if (x->reference == SN_CABLE_CURVED) {
    double f = sn_dot(now->k, now->k), k0 = sn_norm(start->k), change[2];
    if (!(k0 > 0)) return;
    double share = scalar_share(f, k0, change);
    double rate = 2 * change[0] * sn_dot(now->k, now->kx) + change[1] * sn_dot(start->k, start->kx) / k0;
    for (int i = 0; i < 3; i++) {
      d[i] = now->k[i] * share;
      dx[i] = now->kx[i] * share + now->k[i] * rate;
    }
  }
}

/* Least squares over the Gauss points: a + b (2s - 1), a = int eps ds, b = 3 int (2s - 1) eps ds. */
static double fitted_strain(const sn_cable_station *x) {
  double a = 0, b = 0;
  for (int g = 0; g < SN_CABLE_AXIAL; g++) {
    double s = sn_gauss5_points[g], w = sn_gauss5_weights[g];
    shape now, start = {.L = 1};
    shape_at(x->q, x->l, s, x->power, &now);
    if (x->reference != SN_CABLE_STRAIGHT) shape_at(x->q0, x->l, s, x->power, &start);
    double eps = (now.L * now.L - start.L * start.L) / 2;
    a += w * eps;
    b += 3 * w * (2 * s - 1) * eps;
  }
  return a + b * (2 * x->s - 1);
}

void sn_cable_resultants(const sn_cable_station *x, double values[SN_CABLE_RESULTANTS]) {
  assert(x->power == 2 || x->power == 3);
  shape now, start = {.L = 1};
  double d[3], dx[3], m[3], mx[3], Q[3], across[3];
  int p = x->power;
  shape_at(x->q, x->l, x->s, p, &now);
  if (x->reference != SN_CABLE_STRAIGHT) shape_at(x->q0, x->l, x->s, p, &start);
  bend_of(x, &now, &start, d, dx);
  double strain = fitted_strain(x), factor = pow(now.L, 2 - p);
  for (int i = 0; i < 3; i++) {
    m[i] = x->EI * factor * d[i];
    mx[i] = factor * (x->EI * (dx[i] + (2 - p) * d[i] * now.Lx / now.L) + x->EI_x * d[i]);
  }
  sn_cross(Q, now.u, mx);
  sn_scale(Q, 1 / (now.L * now.L), Q);
  values[0] = x->EA * strain * now.L + (2 - p) * x->EI * sn_dot(d, now.k) / now.L;
  values[1] = sn_norm(Q);
  values[2] = sn_norm(m);
  values[3] = strain;
  values[4] = sn_norm(now.k);
  if (!(sn_dot(x->about, x->about) > 0)) return;
  sn_cross(across, x->about, now.u);
  values[1] = sn_dot(Q, across) / now.L;
  values[2] = sn_dot(m, x->about);
  values[4] = sn_dot(now.k, x->about);
}
