/* beam_resultant.c - what the part beyond a section of a beam exerts on the part before it.
 *
 * Volume: with P the traction on the section per reference area (dW/dr_x of beam_volume.h),
 *
 *   n = int P dA,   m = int (y r_y + z r_z) x P dA
 *
 * r_y and r_z are linear in an element, so m can only follow its mean over the element (which the equations of motion
 * do balance), and n swings about the straight line that fits it best. Hence
 *
 *   n(x) = the straight line fitted to the stations
 *   m(x) = mean(m) - (r(x) - mean(r)) x mean(n)           m_x + r_x x n = 0, without the rotary inertia
 *
 * timoshenko, elastic-line: the section is tied to the tangent at the nodes only, so within an element the stresses
 * balance in the mean alone. mean(n) = dU/dr1, the force between the nodes; EA (eps - eps0) r_x adds its fitted slope;
 * and
 *
 *   m = E Iyy (ky - ky0) y + E Izz (kz - kz0) z + G J (tau - tau0) t,   t = r_x/|r_x|
 *
 * Axes: x normal to the section (r_y x r_z; timoshenko, elastic-line: t), y along r_y in that plane. Damping stresses
 * are not part of them. The strain is the fitted (r_x.r_x - 1)/2 of the axis less that at the start, the curvatures are
 * the turns of the section per reference length.
 */
#include <math.h>

#include "body/beam_line.h"
#include "math/gauss.h"
#include "math/hermite.h"
#include "math/vec3.h"

/* A value over an element: mean, and slope over 2s - 1. */
typedef struct line3 {
  double mean[3], slope[3];
} line3;

/* Least squares by Gauss points: int (2s - 1)^2 ds = 1/3. */
static void fit(line3 *y, double s, double weight, const double value[3]) {
  sn_axpy(y->mean, weight, value);
  sn_axpy(y->slope, 3 * weight * (2 * s - 1), value);
}

static void value_at(const line3 *y, double s, double value[3]) {
  sn_copy(value, y->mean);
  sn_axpy(value, 2 * s - 1, y->slope);
}

static void lane(sn_v3 v, int k, double y[3]) {
  y[0] = v.x[k], y[1] = v.y[k], y[2] = v.z[k];
}

/* One element: its lane of a pack, nodal vectors and parts. */
typedef struct element {
  sn_beam_pack p;
  int lane, n;
  double l;
  sn_v3 e[SN_BEAM_VECTORS], x[SN_PARTS];
} element;

static void position(const element *a, double s, double r[3]) {
  double S[4], v[3];
  sn_hermite(s, a->l, S);
  r[0] = r[1] = r[2] = 0;
  for (int k = 0; k < 4; k++) {
    lane(a->e[(k / 2) * (a->n + 1) + k % 2], a->lane, v);
    sn_axpy(r, S[k], v);
  }
}

/* Gradients at s in order u, g_y, g_z, r_y, r_z, w; in the plane r_z is global z. */
static void gradients(const element *a, double s, double X[SN_GRADIENTS][3]) {
  int n = a->n;
  sn_v3 V[SN_GRADIENTS];
  memset(X, 0, sizeof(double[SN_GRADIENTS][3]));
  sn_beam_gradients(n, 2 * n - 1, s, a->x, V);
  lane(V[0], a->lane, X[0]);
  for (int j = 0; j < n - 1; j++) {
    lane(V[1 + j], a->lane, X[1 + j]);
    lane(V[n + j], a->lane, X[3 + j]);
  }
  if (n == 2) X[4][2] = 1;
  if (n == 3) {
    sn_beam_gradients(n, SN_GRADIENTS, s, a->x, V);
    lane(V[SN_W], a->lane, X[SN_W]);
  }
}

/* ---- volume ---- */

/* n and m of the stresses at a station */
static void station(const element *a, bool curved, bool axis, int i, double force[3], double moment[3]) {
  int n = a->n, points = sn_beam_points(n);
  const sn_beam_pack *p = &a->p;
  sn_svk D[2] = {sn_beam_material(p, SN_BEAM_VOLUME), sn_beam_material(p, SN_BEAM_AXIS)};
  sn_v3 X[SN_GRADIENTS], Q[SN_GRADIENTS], h[3], P[3], M;
  memset(Q, 0, sizeof Q);
  memset(&M, 0, sizeof M);
  sn_beam_gradients(n, 2 * n - 1, sn_gauss5_points[i], a->x, X);
  for (int k = 0; k < points + axis; k++) {
    sn_beam_point point = sn_beam_point_at(p, n, curved, i, k);
    sn_beam_columns(&point, n, curved, X, h);
    sn_svk_force(&D[k == points], n, h, NULL, p->beta, 0, P);
    for (int j = 0; j < n; j++) P[j] = sn_v3_scale(point.weight, P[j]);
    sn_beam_uncolumns(&point, n, curved, P, Q); /* leaves the force on r_x in P[0] */
    for (int j = 0; j < n - 1; j++) M = sn_v3_add(M, sn_v3_scale(p->l * point.X[j], sn_v3_cross(X[n + j], P[0])));
  }
  lane(Q[0], a->lane, force);
  lane(M, a->lane, moment);
  double length = sn_gauss5_weights[i] * a->l; /* the points carry it */
  sn_scale(force, 1 / length, force);
  sn_scale(moment, 1 / length, moment);
}

/* fits of n and m over the element */
static void volume(const element *a, bool curved, bool axis, line3 *n, line3 *m) {
  double force[3], moment[3];
  for (int i = 0; i < SN_BEAM_STATIONS; i++) {
    station(a, curved, axis, i, force, moment);
    fit(n, sn_gauss5_points[i], sn_gauss5_weights[i], force);
    fit(m, sn_gauss5_points[i], sn_gauss5_weights[i], moment);
  }
}

/* ---- timoshenko, elastic-line ---- */

/* Stress of a strain at its Gauss point: stiffness (e - e0), curvatures with l taken out */
static double line_stress(const element *a, int which, int point) {
  double s = which == SN_LINE_EPS ? sn_gauss5_points[point] : sn_gauss3_points[point];
  double weight = which == SN_LINE_EPS ? sn_gauss5_weights[point] * a->l : sn_gauss3_weights[point];
  sn_v3 X[SN_GRADIENTS];
  sn_beam_gradients(3, SN_GRADIENTS, s, a->x, X);
  sn_vd strain = sn_line_strain_at(which, X).e - sn_line_reference(&a->p, which, point);
  if (which == SN_LINE_KY || which == SN_LINE_KZ) strain += sn_line_lag_at(&a->p, which, a->x, NULL).e;
  sn_vd stress = sn_line_stiffness(&a->p, which, point) * strain;
  return stress[a->lane] / weight;
}

/* x axis along the tangent (elastic-line) or normal to the section, y axis along r_y, z axis */
static void axes(double X[SN_GRADIENTS][3], bool tangent, double A[3][3]) {
  if (tangent)
    sn_copy(A[0], X[0]);
  else
    sn_cross(A[0], X[3], X[4]);
  sn_normalize(A[0]);
  sn_copy(A[1], X[3]);
  sn_axpy(A[1], -sn_dot(A[1], A[0]), A[0]);
  sn_normalize(A[1]);
  sn_cross(A[2], A[0], A[1]);
}

static void elastic_line(const element *a, double s, line3 *n, line3 *m) {
  double X[SN_GRADIENTS][3], A[3][3], v[3];
  line3 N = {0};
  sn_v3 F[SN_PARTS];
  for (int i = 0; i < SN_BEAM_STATIONS; i++) {
    double stress[3] = {line_stress(a, SN_LINE_EPS, i)};
    fit(&N, sn_gauss5_points[i], sn_gauss5_weights[i], stress);
  }
  for (int i = 0; i < SN_BEAM_BENDING; i++) {
    static const int strain[3] = {SN_LINE_TAU, SN_LINE_KY, SN_LINE_KZ};
    gradients(a, sn_gauss3_points[i], X);
    axes(X, true, A);
    v[0] = v[1] = v[2] = 0;
    for (int k = 0; k < 3; k++) sn_axpy(v, line_stress(a, strain[k], i), A[k]);
    fit(m, sn_gauss3_points[i], sn_gauss3_weights[i], v);
  }
  memset(F, 0, sizeof F);
  sn_beam_line_force(&a->p, a->x, NULL, F);
  lane(F[0], a->lane, n->mean); /* on (r1 - r0)/l */
  sn_scale(n->mean, 1 / a->l, n->mean);
  gradients(a, s, X);
  sn_scale(n->slope, N.slope[0], X[0]);
}

/* n and m at s, from the fits */
static void balance(const element *a, double s, const line3 *n, const line3 *m, double force[3], double moment[3]) {
  double center[3] = {0}, r[3], arm[3], turn[3];
  for (int i = 0; i < SN_BEAM_STATIONS; i++) {
    position(a, sn_gauss5_points[i], r);
    sn_axpy(center, sn_gauss5_weights[i], r);
  }
  value_at(n, s, force);
  position(a, s, r);
  sn_sub(arm, r, center);
  sn_cross(turn, arm, n->mean);
  sn_sub(moment, m->mean, turn);
}

/* ---- strain, twist, curvatures about y and z ---- */

static double axial_strain(const element *a, const element *start, double s) {
  line3 y = {0};
  double X[SN_GRADIENTS][3], X0[SN_GRADIENTS][3], all[3];
  for (int i = 0; i < SN_BEAM_STATIONS; i++) {
    gradients(a, sn_gauss5_points[i], X);
    gradients(start, sn_gauss5_points[i], X0);
    double strain[3] = {(sn_dot(X[0], X[0]) - sn_dot(X0[0], X0[0])) / 2};
    fit(&y, sn_gauss5_points[i], sn_gauss5_weights[i], strain);
  }
  value_at(&y, s, all);
  return all[0];
}

/* Volume: of the section, z_x = ky x, y_x = -kz x; elastic-line: of the tangent, r_x x r_xx/|r_x|^2; timoshenko:
 * with the lag of the sections. */
static void curvatures(const element *a, bool tangent, double X[SN_GRADIENTS][3], double A[3][3], double k[3]) {
  double c[3];
  k[0] = (sn_dot(X[4], X[1]) - sn_dot(X[3], X[2])) / (2 * a->l);
  k[1] = sn_dot(X[2], A[0]) / (a->l * sn_norm(X[4]));
  k[2] = -sn_dot(X[1], A[0]) / (a->l * sn_norm(X[3]));
  if (!tangent) return;
  sn_cross(c, X[0], X[SN_W]);
  sn_scale(c, 1 / (a->l * sn_dot(X[0], X[0])), c);
  k[1] = sn_dot(c, A[1]) + sn_line_lag_at(&a->p, SN_LINE_KY, a->x, NULL).e[a->lane] / a->l;
  k[2] = sn_dot(c, A[2]) + sn_line_lag_at(&a->p, SN_LINE_KZ, a->x, NULL).e[a->lane] / a->l;
}

static void open_element(const sn_beam_elements *e, int i, int n, const double *q, element *a) {
  int pack = i / SN_LANES * SN_LANES;
  a->p = sn_beam_pack_at(e, pack, i + 1);
  a->lane = i - pack;
  a->n = n;
  a->l = a->p.l[a->lane];
  sn_beam_gather(&a->p, n, q, a->e);
  sn_beam_parts(n, a->e, a->p.l, a->x);
}

/* The same element as it is without stress. */
static void open_rest(const element *a, const sn_beam_node rest[2], element *start) {
  *start = *a;
  for (int k = 0; k < 2 * (a->n + 1); k++) {
    const double *v = rest[k / (a->n + 1)].e[k % (a->n + 1)];
    start->e[k] = (sn_v3){sn_vd_all(v[0]), sn_vd_all(v[1]), sn_vd_all(v[2])};
  }
  sn_beam_parts(a->n, start->e, a->p.l, start->x);
}

void sn_beam_resultants_in(const sn_beam_elements *e, int i, sn_beam_sort sort, double s, const double *q,
                           const sn_beam_node rest[2], double *values) {
  bool plane = sort == SN_BEAM_PLANE || sort == SN_BEAM_PLANE_CURVED;
  element a, start;
  line3 n = {0}, m = {0};
  double X[SN_GRADIENTS][3], A[3][3], force[3], moment[3];
  open_element(e, i, plane ? 2 : 3, q, &a);
  open_rest(&a, rest, &start);
  gradients(&a, s, X);
  axes(X, sort == SN_BEAM_LINE, A);
  if (sort == SN_BEAM_LINE)
    elastic_line(&a, s, &n, &m);
  else
    volume(&a, sort == SN_BEAM_CURVED || sort == SN_BEAM_PLANE_CURVED, e->axis, &n, &m);
  balance(&a, s, &n, &m, force, moment);
  for (int k = 0; k < 3; k++) {
    values[k] = sn_dot(force, A[k]);
    values[3 + k] = sn_dot(moment, A[k]);
  }
  values[6] = axial_strain(&a, &start, s);
  curvatures(&a, sort == SN_BEAM_LINE, X, A, values + 7);
}
