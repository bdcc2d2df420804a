/* beam_resultant.c - what the part beyond a section of a beam exerts on the part before it.
 *
 * The stresses of an element swing about those that the equations of motion balance, most of all in curved elements,
 * where bending stretches the axis. What the equations balance are the forces between nodes, f_k = dU/de_k on the
 * vectors e_k = r, r_x, r_y, r_z of a node. As U does not change in rigid motion, f of both r are opposite, and the
 * moments
 *
 *   m1 = sum over node 1 of e_k x f_k,   m0 = -sum over node 0        (of r_x, r_y, r_z)
 *
 * satisfy m0 = m1 + (r1 - r0) x f. So, with the force f on r1, without rotary inertia and load,
 *
 *   n(x) = f,   m(x) = m1 + (r1 - r(x)) x f                                            m_x + r_x x n = 0
 *
 * continue from element to element where nothing acts, and end in the reactions of joints. A load per length is added
 * (sn_line_add_load). Where it is not known n has the slopes of the straight lines that fit N, Qy, Qz of the stresses at
 * the stations best; of timoshenko and elastic-line, where the section is tied to the tangent at the nodes only, of EA
 * (eps - eps0) |r_x| alone. With P the traction on the section per reference area
 * (dW/dr_x of beam_volume.h) these are int P dA.
 *
 * Axes: x normal to the section (r_y x r_z; timoshenko, elastic-line: t = r_x/|r_x|), y along r_y in that plane. Damping
 * stresses are not part of them. The strain is the fitted (r_x.r_x - 1)/2 of the axis less that at the start, the
 * curvatures are the turns of the section per reference length.
 */
#include <math.h>

#include "body/beam_line.h"
#include "body/beam_volume.h"
#include "body/bodies.h"
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

/* ---- volume ---- */

/* n of the stresses at a station */
static void station(const element *a, bool curved, bool axis, int i, double force[3]) {
  int n = a->n, points = sn_beam_points(n);
  const sn_beam_pack *p = &a->p;
  sn_svk D[2] = {sn_beam_material(p, SN_BEAM_VOLUME), sn_beam_material(p, SN_BEAM_AXIS)};
  sn_v3 X[SN_GRADIENTS], Q[SN_GRADIENTS], h[3], P[3];
  memset(Q, 0, sizeof Q);
  sn_beam_gradients(n, 2 * n - 1, sn_gauss5_points[i], a->x, X);
  for (int k = 0; k < points + axis; k++) {
    sn_beam_point point = sn_beam_point_at(p, n, curved, i, k);
    sn_beam_columns(&point, n, curved, X, h);
    sn_svk_force(&D[k == points], n, h, NULL, p->beta, 0, P);
    for (int j = 0; j < n; j++) P[j] = sn_v3_scale(point.weight, P[j]);
    sn_beam_uncolumns(&point, n, curved, P, Q); /* leaves the force on r_x in P[0] */
  }
  lane(Q[0], a->lane, force);
  sn_scale(force, 1 / (sn_gauss5_weights[i] * a->l), force); /* the points carry the length */
}

/* fit of n over the element, in the axes of its sections */
static void volume(const element *a, bool curved, bool axis, line3 *n) {
  double X[SN_GRADIENTS][3], A[3][3], force[3], own[3];
  for (int i = 0; i < SN_BEAM_STATIONS; i++) {
    station(a, curved, axis, i, force);
    gradients(a, sn_gauss5_points[i], X);
    axes(X, false, A);
    for (int k = 0; k < 3; k++) own[k] = sn_dot(force, A[k]);
    fit(n, sn_gauss5_points[i], sn_gauss5_weights[i], own);
  }
}

/* ---- timoshenko, elastic-line ---- */

/* fit of EA (eps - eps0) |r_x| */
static void elastic_line(const element *a, line3 *n) {
  sn_v3 X[SN_GRADIENTS];
  for (int i = 0; i < SN_BEAM_STATIONS; i++) {
    sn_beam_gradients(3, 1, sn_gauss5_points[i], a->x, X);
    sn_vd strain = sn_line_axial(X).e - sn_line_reference(&a->p, SN_LINE_EPS, i);
    sn_vd N = sn_line_stiffness(&a->p, SN_LINE_EPS, i) * strain * sn_vd_sqrt(sn_v3_dot(X[0], X[0]));
    double own[3] = {N[a->lane] / (sn_gauss5_weights[i] * a->l)};
    fit(n, sn_gauss5_points[i], sn_gauss5_weights[i], own);
  }
}

/* ---- forces between nodes ---- */

/* f on r1, m0 and m1 */
static void between_nodes(const element *a, sn_beam_sort sort, bool axis, double f[3], double m[2][3]) {
  const bool plane = sort == SN_BEAM_PLANE || sort == SN_BEAM_PLANE_CURVED;
  const bool curved = sort == SN_BEAM_CURVED || sort == SN_BEAM_PLANE_CURVED;
  sn_v3 F[SN_PARTS];
  memset(F, 0, sizeof F);
  memset(m, 0, sizeof(double[2][3]));
  if (sort == SN_BEAM_LINE)
    sn_beam_line_force(&a->p, a->x, NULL, F);
  else
    sn_beam_volume_force(&a->p, plane ? 2 : 3, curved, axis, a->x, NULL, F);
  lane(F[0], a->lane, f); /* on (r1 - r0)/l */
  sn_scale(f, 1 / a->l, f);
  for (int k = 0; k < 2 * a->n; k++) { /* r_x, r_y, r_z, each of both nodes */
    double e[3], on[3], turn[3];
    lane(a->x[1 + k], a->lane, e);
    lane(F[1 + k], a->lane, on);
    sn_cross(turn, e, on);
    sn_axpy(m[k % 2], k % 2 ? 1 : -1, turn);
  }
}

/* m at s: the same from both ends, but for what a rotation of the model by rounding leaves */
static void moment_at(const element *a, double s, const double f[3], const double m[2][3], double moment[3]) {
  double r[3], end[3], arm[3], turn[3];
  position(a, s, r);
  moment[0] = moment[1] = moment[2] = 0;
  for (int k = 0; k < 2; k++) {
    const double weight = k ? s : 1 - s;
    position(a, k, end);
    sn_sub(arm, end, r);
    sn_cross(turn, arm, f);
    sn_axpy(moment, weight, m[k]);
    sn_axpy(moment, weight, turn);
  }
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

/* Angle by which the sections turn about the line on the way through the element (beam_twist.h). */
static double twist_of(const element *a) {
  const sn_vd none[3] = {sn_vd_all(1), sn_vd_all(0), sn_vd_all(0)};
  return sn_twist_at(a->x, none).e[a->lane];
}

/* Volume: of the section, z_x = ky x, y_x = -kz x; elastic-line: of the tangent, r_x x r_xx/|r_x|^2; timoshenko:
 * with the lag of the sections. */
static void curvatures(const element *a, bool tangent, double X[SN_GRADIENTS][3], double A[3][3], double k[3]) {
  double c[3];
  k[0] = tangent ? twist_of(a) / a->l : (sn_dot(X[4], X[1]) - sn_dot(X[3], X[2])) / (2 * a->l);
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
                           const sn_beam_node rest[2], const double *load, double *values) {
  bool plane = sort == SN_BEAM_PLANE || sort == SN_BEAM_PLANE_CURVED;
  element a, start;
  line3 n = {0};
  double X[SN_GRADIENTS][3], A[3][3], force[3], ends[2][3], moment[3];
  open_element(e, i, plane ? 2 : 3, q, &a);
  open_rest(&a, rest, &start);
  gradients(&a, s, X);
  axes(X, sort == SN_BEAM_LINE, A);
  between_nodes(&a, sort, e->axis, force, ends);
  moment_at(&a, s, force, (const double(*)[3])ends, moment);
  if (load)
    sn_line_add_load(s, a.l, load, X[0], force, moment);
  else if (sort == SN_BEAM_LINE)
    elastic_line(&a, &n);
  else
    volume(&a, sort == SN_BEAM_CURVED || sort == SN_BEAM_PLANE_CURVED, e->axis, &n);
  for (int k = 0; k < 3; k++) {
    values[k] = sn_dot(force, A[k]) + (2 * s - 1) * n.slope[k];
    values[3 + k] = sn_dot(moment, A[k]);
  }
  values[6] = axial_strain(&a, &start, s);
  curvatures(&a, sort == SN_BEAM_LINE, X, A, values + 7);
}
