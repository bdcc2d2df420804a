/* cable_resultant.c - what the part beyond a section of a cable exerts on the part before it.
 *
 * The strains of a bent or curved cubic element swing about those that the equations of motion balance: its axial strain
 * changes sign, and EI k jumps at nodes. What the equations balance are the forces between nodes, f_k = dU/de_k on the
 * vectors e_k = r0 r0' r1 r1'. As U does not change in rigid motion, f of r0 and r1 are opposite, and the moments
 *
 *   m1 = r1' x f on r1',   m0 = -r0' x f on r0',   satisfy   m0 = m1 + (r1 - r0) x f
 *
 * So, with f on r1, without rotary inertia and load,
 *
 *   n(x) = f       m(x) = m1 + (r1 - r(x)) x f, across t = r_x/|r_x|       N = n.t,  Q = n - N t
 *
 * They continue from element to element where nothing acts, and end in the reactions of joints. A load per length is
 * added (sn_line_add_load). Where it is not known N has the slope of the straight line that fits EA (eps - eps0) |r_x| at
 * the Gauss points best. The strain is the line
 * that fits eps - eps0 best, the curvature k = u x w/|u|^p, u = r_x, w = r_xx. With a direction d that is given (in
 * planar models z) M, Q and the curvature have signs: m.d, k.d and Q.(d x t). Otherwise they are magnitudes. Damping
 * stresses are not part of them.
 */
#include <math.h>

#include "body/bodies.h"
#include "body/cable_element.h"
#include "math/gauss.h"
#include "math/hermite.h"
#include "math/vec3.h"

/* r_x = u and its length L; k */
typedef struct shape {
  double u[3], k[3], L;
} shape;

static void shape_at(const double q[12], double l, double s, int p, shape *y) {
  double w[3];
  for (int i = 0; i < 3; i++) {
    double d = (q[6 + i] - q[i]) / l, a = q[3 + i], b = q[9 + i];
    y->u[i] = 6 * s * (1 - s) * d + (1 - 4 * s + 3 * s * s) * a + (3 * s * s - 2 * s) * b;
    w[i] = ((6 - 12 * s) * d + (6 * s - 4) * a + (6 * s - 2) * b) / l;
  }
  y->L = sn_norm(y->u);
  sn_cross(y->k, y->u, w);
  sn_scale(y->k, pow(y->L, -p), y->k);
}

/* Least squares over the Gauss points, a + b (2s - 1): a = int y ds, b = 3 int (2s - 1) y ds. */
typedef struct line {
  double mean, slope;
} line;

static void fit(line *y, int point, double value) {
  y->mean += sn_gauss5_weights[point] * value;
  y->slope += 3 * sn_gauss5_weights[point] * (2 * sn_gauss5_points[point] - 1) * value;
}

/* Lines of eps - eps0 and of (eps - eps0) |r_x| */
static void fit_strain(const sn_cable_station *x, line *strain, line *pull) {
  for (int g = 0; g < SN_CABLE_AXIAL; g++) {
    shape now, start = {.L = 1};
    shape_at(x->q, x->l, sn_gauss5_points[g], x->power, &now);
    if (x->reference != SN_CABLE_STRAIGHT) shape_at(x->q0, x->l, sn_gauss5_points[g], x->power, &start);
    const double eps = (now.L * now.L - start.L * start.L) / 2;
    fit(strain, g, eps);
    fit(pull, g, eps * now.L);
  }
}

/* From both ends, which agree: U of a planar bending may change in rotations out of its plane. */
static void moment_at(const sn_cable_station *x, double m[3]) {
  double S[4], r[3] = {0};
  sn_hermite(x->s, x->l, S);
  for (int k = 0; k < 4; k++) sn_axpy(r, S[k], x->q + 3 * k);
  m[0] = m[1] = m[2] = 0;
  for (int end = 0; end < 2; end++) {
    double arm[3], turn[3];
    const double weight = end ? x->s : 1 - x->s;
    sn_sub(arm, x->q + 6 * end, r);
    sn_cross(turn, arm, x->f[2]);
    sn_axpy(m, weight, turn);
    sn_cross(turn, x->q + 6 * end + 3, x->f[2 * end + 1]);
    sn_axpy(m, end ? weight : -weight, turn);
  }
}

void sn_cable_resultants(const sn_cable_station *x, double values[SN_CABLE_RESULTANTS]) {
  assert(x->power == 2 || x->power == 3);
  shape now;
  line strain = {0}, pull = {0};
  double m[3], Q[3], t[3], across[3], slope = 0;
  shape_at(x->q, x->l, x->s, x->power, &now);
  fit_strain(x, &strain, &pull);
  moment_at(x, m);
  sn_scale(t, 1 / now.L, now.u);
  sn_copy(Q, x->f[2]);
  if (x->load)
    sn_line_add_load(x->s, x->l, x->load, now.u, Q, m);
  else
    slope = x->EA * pull.slope;
  const double along = sn_dot(Q, t);
  sn_axpy(Q, -along, t);
  sn_axpy(m, -sn_dot(m, t), t);
  values[0] = along + (2 * x->s - 1) * slope;
  values[1] = sn_norm(Q);
  values[2] = sn_norm(m);
  values[3] = strain.mean + (2 * x->s - 1) * strain.slope;
  values[4] = sn_norm(now.k);
  if (!(sn_dot(x->about, x->about) > 0)) return;
  sn_cross(across, x->about, t);
  values[1] = sn_dot(Q, across);
  values[2] = sn_dot(m, x->about);
  values[4] = sn_dot(now.k, x->about);
}
