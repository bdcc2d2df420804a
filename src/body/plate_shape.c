/* plate_shape.c - shape functions, quadrature and exact mass of the thin plate element.
 *
 * With s = x/a, h = y/b and slopes taken with respect to s and h (a = b = 1):
 *
 *   S1  = -(s-1)(h-1)(2h^2-h+2s^2-s-1)   S2  = -s(s-1)^2(h-1)   S3  = -h(h-1)^2(s-1)
 *   S4  =  s(2h^2-h-3s+2s^2)(h-1)        S5  = -s^2(s-1)(h-1)   S6  =  s h(h-1)^2
 *   S7  = -s h(1-3s-3h+2h^2+2s^2)        S8  =  s^2 h(s-1)      S9  =  s h^2(h-1)
 *   S10 =  h(s-1)(2s^2-s-3h+2h^2)        S11 =  s h(s-1)^2      S12 = -h^2(s-1)(h-1)
 *
 * Nodes at (0,0), (1,0), (1,1), (0,1). All are sums of s^i h^j with i + j <= 3, and s^3 h, s h^3.
 */
#include <string.h>

#include "body/plate_element.h"
#include "math/gauss.h"
#include "math/vec3.h"

/* Coefficients of 1, s, s^2, s^3 and of 1, h, h^2, h^3: p(s) q(h) is one term. */
typedef struct term {
  double s[4], h[4];
} term;

/* Each shape function as at most three products p(s) q(h), multiplied out from the list above. With the corner
 * functions written as S = u + v + w: the part without mixed squares, the part cubic in s, the part cubic in h. */
static const term terms[SN_PLATE_SHAPES][3] = {
    /* (s-1)(h-1)(1+s+h-2s^2-2h^2) */
    {{{-1, 1}, {-1, 1}}, {{0, -1, 3, -2}, {-1, 1}}, {{-1, 1}, {0, -1, 3, -2}}},
    {{{0, 1, -2, 1}, {1, -1}}},
    {{{1, -1}, {0, 1, -2, 1}}},
    /* s(h-1)(2h^2-h-3s+2s^2) */
    {{{0, 0, -3, 2}, {-1, 1}}, {{0, 1}, {0, 1, -3, 2}}},
    {{{0, 0, -1, 1}, {1, -1}}},
    {{{0, 1}, {0, 1, -2, 1}}},
    /* -s h(1-3s-3h+2h^2+2s^2) */
    {{{0, -1}, {0, 1}}, {{0, 0, 3, -2}, {0, 1}}, {{0, 1}, {0, 0, 3, -2}}},
    {{{0, 0, -1, 1}, {0, 1}}},
    {{{0, 1}, {0, 0, -1, 1}}},
    /* h(s-1)(2s^2-s-3h+2h^2) */
    {{{0, 1, -3, 2}, {0, 1}}, {{-1, 1}, {0, 0, -3, 2}}},
    {{{0, 1, -2, 1}, {0, 1}}},
    {{{1, -1}, {0, 0, -1, 1}}},
};

/* p, p' and p'' at x */
static void cubic(const double c[4], double x, double p[3]) {
  p[0] = c[0] + x * (c[1] + x * (c[2] + x * c[3]));
  p[1] = c[1] + x * (2 * c[2] + x * 3 * c[3]);
  p[2] = 2 * c[2] + 6 * c[3] * x;
}

void sn_plate_shape_at(double s, double h, sn_plate_shape *shape) {
  memset(shape, 0, sizeof *shape);
  for (int k = 0; k < SN_PLATE_SHAPES; k++)
    for (int t = 0; t < 3; t++) {
      double p[3], q[3];
      cubic(terms[k][t].s, s, p);
      cubic(terms[k][t].h, h, q);
      shape->S[k] += p[0] * q[0];
      shape->d[0][k] += p[1] * q[0];
      shape->d[1][k] += p[0] * q[1];
      shape->d[2][k] += p[2] * q[0];
      shape->d[3][k] += p[0] * q[2];
      shape->d[4][k] += p[1] * q[1];
    }
}

void sn_plate_monomials(double C[SN_PLATE_SHAPES][SN_PLATE_SHAPES]) {
  static const int power[SN_PLATE_SHAPES][2] = {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2},
                                                {3, 0}, {2, 1}, {1, 2}, {0, 3}, {3, 1}, {1, 3}};
  for (int k = 0; k < SN_PLATE_SHAPES; k++)
    for (int m = 0; m < SN_PLATE_SHAPES; m++) {
      C[k][m] = 0;
      for (int t = 0; t < 3; t++) C[k][m] += terms[k][t].s[power[m][0]] * terms[k][t].h[power[m][1]];
    }
}

/* ---- quadrature on [0, 1] ---- */

/* Membrane: 4 x 4 points, exact for strains linear in the displacement (degree 6).
 *
 * Bending: 2 x 2 points, with r_xx taken at (s_i, h = 0 or 1) and r_yy at (s = 0 or 1, h_j): on the edges along x and
 * along y, trapezoidal across. Why: the shape functions leave a kink across edges (the normal slope is continuous at
 * nodes only), which makes plates too soft; 3 x 3 Gauss points give 1.65 % too much deflection of a simply supported
 * square with 8 x 8 elements, 3.0 % of a clamped one. On an edge r is the cubic of a beam that both elements share;
 * taking the curvatures there leaves 0.12 % and 0.18 %. Constant curvatures, bending along x or y alone and the order
 * of convergence stay what they are, and no curvature goes unseen: no spurious modes. */
static void fill_membrane(sn_plate_point *point) {
  sn_plate_shape shape;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++, point++) {
      sn_plate_shape_at(sn_gauss4_points[i], sn_gauss4_points[j], &shape);
      point->weight = sn_gauss4_weights[i] * sn_gauss4_weights[j];
      memcpy(point->d, shape.d, sizeof shape.d);
    }
}

static void fill_bending(sn_plate_point *point) {
  sn_plate_shape shape, along_x, along_y;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++, point++) {
      sn_plate_shape_at(sn_gauss2_points[i], sn_gauss2_points[j], &shape);
      sn_plate_shape_at(sn_gauss2_points[i], j, &along_x);
      sn_plate_shape_at(i, sn_gauss2_points[j], &along_y);
      point->weight = 0.25;
      memcpy(point->d, shape.d, sizeof shape.d);
      memcpy(point->d[2], along_x.d[2], sizeof shape.d[2]);
      memcpy(point->d[3], along_y.d[3], sizeof shape.d[3]);
    }
}

/* 4 x 4 points integrate degree 7 in s and in h: the mass is exact. */
void sn_plate_tables_fill(sn_plate_tables *t) {
  sn_plate_shape shape;
  fill_membrane(t->membrane);
  fill_bending(t->bending);
  memset(t->mass, 0, sizeof t->mass);
  memset(t->mean, 0, sizeof t->mean);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      double w = sn_gauss4_weights[i] * sn_gauss4_weights[j];
      sn_plate_shape_at(sn_gauss4_points[i], sn_gauss4_points[j], &shape);
      for (int k = 0; k < SN_PLATE_SHAPES; k++) {
        t->mean[k] += w * shape.S[k];
        for (int l = 0; l < SN_PLATE_SHAPES; l++) t->mass[k][l] += w * shape.S[k] * shape.S[l];
      }
    }
}

/* ---- the reference shape ---- */

void sn_plate_derivatives(const sn_plate_point *point, double a, double b, const double q[36],
                          double y[SN_PLATE_SLOTS][3]) {
  const double scale[SN_PLATE_SLOTS] = {1 / a, 1 / b, 1 / (a * a), 1 / (b * b), 1 / (a * b)}, slope[3] = {1, a, b};
  for (int p = 0; p < SN_PLATE_SLOTS; p++) {
    y[p][0] = y[p][1] = y[p][2] = 0;
    for (int k = 0; k < SN_PLATE_SHAPES; k++) sn_axpy(y[p], scale[p] * slope[k % 3] * point->d[p][k], q + 3 * k);
  }
}

void sn_plate_set_reference(sn_plate_elements *e, int i, const double q[36]) {
  assert(i >= 0 && i < e->capacity && e->eps0 && e->kappa0);
  double y[SN_PLATE_SLOTS][3], n[3];
  for (int g = 0; g < SN_PLATE_MEMBRANE; g++) {
    sn_plate_derivatives(&e->tables->membrane[g], e->a[i], e->b[i], q, y);
    double *eps0 = e->eps0 + 3 * g * e->capacity + i;
    eps0[0] = (sn_dot(y[0], y[0]) - 1) / 2;
    eps0[e->capacity] = (sn_dot(y[1], y[1]) - 1) / 2;
    eps0[2 * e->capacity] = sn_dot(y[0], y[1]);
  }
  for (int g = 0; g < SN_PLATE_BENDING; g++) {
    sn_plate_derivatives(&e->tables->bending[g], e->a[i], e->b[i], q, y);
    double *kappa0 = e->kappa0 + 3 * g * e->capacity + i;
    sn_cross(n, y[0], y[1]);
    sn_normalize(n);
    for (int k = 0; k < 3; k++) kappa0[k * e->capacity] = (k == 2 ? 2 : 1) * sn_dot(y[2 + k], n);
  }
}
