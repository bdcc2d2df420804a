/* plate_resultant.c - membrane forces and moments of a plate at a point of an element.
 *
 *   N = C P e,   M = D P k        with e, k and P of plate_strain.h
 *
 * N are second Piola-Kirchhoff stresses integrated over the thickness, per reference length, along r_x and r_y; M > 0
 * bends toward r_x x r_y. The strain of a bent element swings about its mean: e is the bilinear function that fits the
 * 4 x 4 Gauss points best. k is bilinear through the four points at which the element takes it: kxx on the edges along
 * x, kyy on the edges along y, kxy inside. Damping stresses are not part of them.
 */
#include <string.h>

#include "body/plate_element.h"
#include "math/gauss.h"
#include "math/vec3.h"

/* e[3] at (s, h): least squares, int (2s - 1)^2 ds = 1/3 */
static void fitted_strain(const sn_plate_elements *e, int i, double s, double h, const double q[36], double eps[3]) {
  double y[SN_PLATE_SLOTS][3];
  eps[0] = eps[1] = eps[2] = 0;
  for (int g = 0; g < SN_PLATE_MEMBRANE; g++) {
    const sn_plate_point *point = &e->tables->membrane[g];
    double x = 2 * sn_gauss4_points[g / 4] - 1, z = 2 * sn_gauss4_points[g % 4] - 1;
    double basis = (1 + 3 * x * (2 * s - 1)) * (1 + 3 * z * (2 * h - 1)) * point->weight;
    sn_plate_derivatives(point, e->a[i], e->b[i], q, y);
    double strain[3] = {(sn_dot(y[0], y[0]) - 1) / 2, (sn_dot(y[1], y[1]) - 1) / 2, sn_dot(y[0], y[1])};
    for (int c = 0; c < 3; c++) eps[c] += basis * (strain[c] - (e->eps0 ? e->eps0[(3 * g + c) * e->capacity + i] : 0));
  }
}

/* weight at x of the point k of two: at 0 and 1, or at the Gauss points */
static double between(double x, int k, int inside) {
  const double *p = sn_gauss2_points;
  double f = inside ? (x - p[0]) / (p[1] - p[0]) : x;
  return k ? f : 1 - f;
}

/* k[3] = (kxx, kyy, 2 kxy): change since the start, and all of it */
static void curvature(const sn_plate_elements *e, int i, double s, double h, const double q[36], double change[3],
                      double whole[3]) {
  double y[SN_PLATE_SLOTS][3], n[3];
  for (int c = 0; c < 3; c++) change[c] = whole[c] = 0;
  for (int g = 0; g < SN_PLATE_BENDING; g++) {
    sn_plate_derivatives(&e->tables->bending[g], e->a[i], e->b[i], q, y);
    sn_cross(n, y[0], y[1]);
    sn_normalize(n);
    for (int c = 0; c < 3; c++) {
      double weight = between(s, g / 2, c != 1) * between(h, g % 2, c != 0);
      double k = (c == 2 ? 2 : 1) * sn_dot(y[2 + c], n);
      whole[c] += weight * k;
      change[c] += weight * (k - (e->kappa0 ? e->kappa0[(3 * g + c) * e->capacity + i] : 0));
    }
  }
}

static void stress(double stiffness, double nu, const double e[3], double y[3]) {
  y[0] = stiffness * (e[0] + nu * e[1]);
  y[1] = stiffness * (e[1] + nu * e[0]);
  y[2] = stiffness * (1 - nu) / 2 * e[2];
}

void sn_plate_resultants_in(const sn_plate_elements *e, int i, double s, double h, const double *q,
                            double values[SN_PLATE_RESULTANTS]) {
  double nodes[36], k[3];
  for (int node = 0; node < 4; node++) memcpy(nodes + 9 * node, q + e->first[node][i], 9 * sizeof *q);
  fitted_strain(e, i, s, h, nodes, values + 6);
  curvature(e, i, s, h, nodes, k, values + 9);
  stress(e->C[i], e->nu[i], values + 6, values);
  stress(e->D[i], e->nu[i], k, values + 3);
  values[11] /= 2;
}
