/* sliding.c - a point of a body slides along a flexible line: its place on the line is an unknown.
 *
 *   Phi = r_p(q) - r(S, q) = 0            S: reference arc length along the line, a coordinate without mass
 *   r(S, q) = sum_k w_k(S) e_k            cubic Hermite over the nodal vectors: r and r' = dr/dS are continuous
 *   Phi'  = r_p' - sum w e' - r_S S'
 *   Phi'' = r_p'' - sum w e'' - 2 S' sum w_S e' - r_SS S'^2 - r_S S''
 *
 * The row of S is r_S.l = f |r_S|: without friction the force between point and line is normal to the line. With
 * friction, at the sliding speed u = |r_S| S' and with the normal force N = |l - (l.t) t|, t = r_S/|r_S|,
 *
 *   f = friction N rho(u/creep) + damping u,   rho(x) = x (2 - |x|) for |x| < 1, sign(x) beyond
 *
 * At the ends of the line a spring may act on S, U = stop (S - L)^2/2 or stop S^2/2 beyond them.
 *
 * Every element of the line is an instance; the one where the point is answers for all. So the pattern of the matrix is
 * that of all elements. Over a step of an energy-momentum method
 *   r1 - r0 = sum (w0 + w1)/2 (e1 - e0) + (r(S1, qm) - r(S0, qm)),   qm in the middle. */
#include <math.h>
#include <string.h>

#include "joint/joints.h"
#include "joint/primitive.h"
#include "joint/slide.h"
#include "math/vec3.h"

typedef struct sliding_spec {
  sn_joint_spec head;
  double friction, creep, damping, stop;
} sliding_spec;

static const sn_field sliding_fields[] = {
    {"between", SN_MARKERS, SN_AT(sn_joint_spec, between), .required = true, .example = "[my_cable.at(0.5), my_body]",
     .help = "a point of a cable, beam or beam2d, then the point that slides along this line; they coincide at the "
             "start"},
    {"friction", SN_REAL, SN_AT(sliding_spec, friction), .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "coefficient of Coulomb friction; the normal force is the reaction"},
    {"creep_speed", SN_REAL, SN_AT(sliding_spec, creep), .def = "1e-3", .unit = "m/s", .limits = SN_POSITIVE,
     .help = "sliding speed from which friction has its full value; below it, the point creeps instead of sticking"},
    {"damping", SN_REAL, SN_AT(sliding_spec, damping), .def = "0", .unit = "N s/m", .limits = SN_NOT_NEGATIVE,
     .help = "viscous friction: force per sliding speed"},
    {"stop_stiffness", SN_REAL, SN_AT(sliding_spec, stop), .unit = "N/m", .limits = SN_POSITIVE,
     .help = "stiffness of elastic stops at both ends of the line; without them the run ends with a message where the "
             "point leaves the line"},
    {0},
};

enum { VECTORS = 4, WEIGHTS = 2 * VECTORS, LOCAL = 3 * WEIGHTS + SN_PROBE_COORDINATES + 1 + 3 };

typedef struct slide {
  const sn_body *line;
  int dim, vectors; /* components; nodal vectors */
  int elements;
  double l, C[WEIGHTS][4]; /* length of an element; w_k(s) = sum_j C[k][j] s^j */
  int S, S_group;          /* coordinate */
  int row, group;          /* multipliers */
  sn_probe point;
  double friction, creep, damping, stop;
} slide;

typedef struct slide_item {
  const slide *on;
  int element;
} slide_item;

/* ---- the line ---- */

static int element_of(const slide *x, double S) {
  double e = floor(S / x->l);
  return e >= x->elements ? x->elements - 1 : e > 0 ? (int)e : 0;
}

/* Derivatives of order d = 0..3 of the weights at S within element e */
static void weights(const slide *x, int e, double S, int d, double w[WEIGHTS]) {
  static const double factor[4][4] = {{1, 1, 1, 1}, {0, 1, 2, 3}, {0, 0, 2, 6}, {0, 0, 0, 6}};
  double s = S / x->l - e, scale = 1;
  for (int i = 0; i < d; i++) scale /= x->l;
  for (int k = 0; k < 2 * x->vectors; k++) {
    double sum = 0;
    for (int j = 3; j >= d; j--) sum = sum * s + factor[d][j] * x->C[k][j];
    w[k] = sum * scale;
  }
}

static int vector_at(const slide *x, int e, int k) {
  return x->line->first + x->dim * (x->vectors * e + k);
}

/* y = sum w_k e_k of q, or of velocities or accelerations */
static void combine(const slide *x, int e, const double w[WEIGHTS], const double *q, double y[3]) {
  y[0] = y[1] = y[2] = 0;
  for (int k = 0; k < 2 * x->vectors; k++)
    for (int i = 0; i < x->dim; i++) y[i] += w[k] * q[vector_at(x, e, k) + i];
}

static void line_at(const slide *x, int e, double S, int d, const double *q, double y[3]) {
  double w[WEIGHTS];
  weights(x, e, S, d, w);
  combine(x, e, w, q, y);
}

/* (r(S1) - r(S0))/(S1 - S0), element by element, without cancellation */
static void mean_slope(const slide *x, double S0, double S1, const double *q, double y[3]) {
  int e0 = element_of(x, fmin(S0, S1)), e1 = element_of(x, fmax(S0, S1));
  double low = fmin(S0, S1), high = fmax(S0, S1), length = high - low;
  y[0] = y[1] = y[2] = 0;
  for (int e = e0; e <= e1; e++) {
    double a = e == e0 ? low : e * x->l, b = e == e1 ? high : (e + 1) * x->l, w[WEIGHTS], part[3];
    double s = a / x->l - e, z = b / x->l - e;
    for (int k = 0; k < 2 * x->vectors; k++)
      w[k] = (x->C[k][1] + x->C[k][2] * (s + z) + x->C[k][3] * (s * s + s * z + z * z)) / x->l;
    combine(x, e, w, q, part);
    sn_axpy(y, e0 == e1 ? 1 : (b - a) / length, part);
  }
}

/* ---- friction and stops, on S ---- */

/* How far S is beyond an end */
static double beyond(const slide *x, double S) {
  double L = x->elements * x->l;
  return S < 0 ? S : S > L ? S - L : 0;
}

typedef struct rub {
  double R, u, f;           /* |r_S|, sliding speed, force along the line */
  double f_R, f_u, f_N;     /* its derivatives */
  double N, lt, t[3], n[3]; /* normal force, l.t, tangent, l - (l.t) t */
} rub;

static void rub_at(const slide *x, const double slope[3], double rate, const double l[3], rub *y) {
  y->R = sn_norm(slope);
  y->u = y->R * rate;
  sn_scale(y->t, 1 / y->R, slope);
  y->lt = sn_dot(l, y->t);
  sn_copy(y->n, l);
  sn_axpy(y->n, -y->lt, y->t);
  y->N = sn_norm(y->n);
  double z = y->u / x->creep, a = fabs(z), rho = a < 1 ? z * (2 - a) : copysign(1, z), rho_z = a < 1 ? 2 - 2 * a : 0;
  y->f = x->friction * y->N * rho + x->damping * y->u;
  y->f_u = x->friction * y->N * rho_z / x->creep + x->damping;
  y->f_N = x->friction * rho;
}

/* ---- the batch ---- */

static int slide_groups(const sn_batch *batch, int i, int *groups) {
  const slide_item *it = (const slide_item *)batch->data + i;
  const slide *x = it->on;
  int n = 0;
  for (int k = 0; k < 2; k++) groups[n++] = x->line->first_group + it->element + k;
  for (int g = 0; g < x->point.groups; g++) groups[n++] = x->point.group[g];
  groups[n++] = x->S_group;
  groups[n++] = x->group;
  return n;
}

static bool is_here(const slide_item *it, const double *q) {
  return it->element == element_of(it->on, q[it->on->S]);
}

static void multipliers(const slide *x, const sn_eval *ev, double s, double f[3]) {
  for (int k = 0; k < 3; k++) f[k] = k < x->dim ? s * ev->l[x->row + k] : 0;
}

/* r[nodes] -= c sum w l */
static void push_line(const slide *x, int e, double S, double c, const double l[3], double *r) {
  double w[WEIGHTS];
  weights(x, e, S, 0, w);
  for (int k = 0; k < 2 * x->vectors; k++)
    for (int i = 0; i < x->dim; i++) r[vector_at(x, e, k) + i] -= c * w[k] * l[i];
}

static double stop_force(const slide *x, const sn_eval *ev) {
  if (!ev->q0) return x->stop * beyond(x, ev->q[x->S]);
  double S0 = ev->q0[x->S], S1 = ev->q1[x->S], a = beyond(x, S0), b = beyond(x, S1);
  if (a * b >= 0 && (a != 0) == (b != 0)) return x->stop * (a + b) / 2;
  return x->stop * (b * b - a * a) / (2 * (S1 - S0));
}

static void slide_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const slide_item *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const slide *x = item[i].on;
    int e = item[i].element;
    double l[3], slope[3], S = ev->q[x->S];
    multipliers(x, ev, 1, l);
    if (ev->q0) {
      if (is_here(&item[i], ev->q0)) push_line(x, e, ev->q0[x->S], 0.5, l, r);
      if (is_here(&item[i], ev->q1)) push_line(x, e, ev->q1[x->S], 0.5, l, r);
      if (!is_here(&item[i], ev->q0)) continue;
      mean_slope(x, ev->q0[x->S], ev->q1[x->S], ev->q, slope);
    } else {
      if (!is_here(&item[i], ev->q)) continue;
      push_line(x, e, S, 1, l, r);
      line_at(x, e, S, 1, ev->q, slope);
    }
    sn_probe_apply(&x->point, ev, l, r);
    r[x->S] += stop_force(x, ev) - sn_dot(slope, l);
    if (x->friction == 0 && x->damping == 0) continue;
    rub y;
    line_at(x, element_of(x, S), S, 1, ev->q, slope);
    rub_at(x, slope, ev->v[x->S], l, &y);
    r[x->S] += y.f * y.R;
  }
}

/* Row of S: d(f R) = f dR + R (f_u du + f_N dN), du = S' dR + R dS', dR = t.dr_S,
 * dN = n.dl/N - (l.t) n.dr_S/(N R),   dr_S = sum w_S de + r_SS dS */
static void add_friction(const slide *x, const sn_eval *ev, int e, const double l[3], double *T, int n, int S,
                         int row) {
  double w1[WEIGHTS], slope[3], bend[3], of_slope[3], rate = ev->v[x->S];
  rub y;
  weights(x, e, ev->q[x->S], 1, w1);
  combine(x, e, w1, ev->q, slope);
  line_at(x, e, ev->q[x->S], 2, ev->q, bend);
  rub_at(x, slope, rate, l, &y);
  double N = y.N > 0 ? y.N : 1;
  sn_scale(of_slope, y.f + y.R * y.f_u * rate, y.t);
  sn_axpy(of_slope, -y.f_N * y.lt / N, y.n);
  for (int k = 0; k < 2 * x->vectors; k++)
    for (int i = 0; i < x->dim; i++) T[S + n * (x->dim * k + i)] += ev->ck * w1[k] * of_slope[i];
  T[S + n * S] += ev->ck * sn_dot(of_slope, bend) + ev->cd * y.R * y.f_u * y.R;
  for (int i = 0; i < x->dim; i++) T[S + n * (row + i)] += y.R * y.f_N * y.n[i] / N;
}

static void slide_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const slide_item *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const slide *x = item[i].on;
    if (!is_here(&item[i], ev->q)) continue;
    double w[2][WEIGHTS], slope[3], bend[3], l[3], J[3 * SN_PROBE_COORDINATES], T[LOCAL * LOCAL];
    int e = item[i].element, nodes = 2 * x->vectors * x->dim, S = nodes + x->point.count, row = S + 1;
    int n = row + x->dim, groups[SN_PROBE_GROUPS + 4];
    memset(T, 0, sizeof(double) * (size_t)n * (size_t)n);
    for (int d = 0; d < 2; d++) weights(x, e, ev->q[x->S], d, w[d]);
    combine(x, e, w[1], ev->q, slope);
    line_at(x, e, ev->q[x->S], 2, ev->q, bend);
    multipliers(x, ev, ev->ck, l);
    x->point.ops->jacobian(&x->point, ev->q, J);
    for (int y = 0; y < x->dim; y++) {
      for (int k = 0; k < 2 * x->vectors; k++) {
        int c = x->dim * k + y;
        T[row + y + n * c] = T[c + n * (row + y)] = -w[0][k];
        T[S + n * c] = T[c + n * S] = -w[1][k] * l[y];
      }
      for (int c = 0; c < x->point.count; c++)
        T[row + y + n * (nodes + c)] = T[nodes + c + n * (row + y)] = J[y + 3 * c];
      T[row + y + n * S] = T[S + n * (row + y)] = -slope[y];
    }
    T[S + n * S] = -sn_dot(bend, l) + (beyond(x, ev->q[x->S]) != 0 ? ev->ck * x->stop : 0);
    if (x->point.ops->hessian) x->point.ops->hessian(&x->point, ev->q, l, T + nodes * (n + 1), n);
    multipliers(x, ev, 1, l);
    if (x->friction > 0 || x->damping > 0) add_friction(x, ev, e, l, T, n, S, row);
    int count = slide_groups(batch, i, groups);
    sn_matrix_add(A, count, groups, batch->slots + (size_t)batch->slot_stride * (size_t)i, T, n);
  }
}

static void slide_position(const sn_batch *batch, sn_range range, const sn_eval *ev, double *phi) {
  const slide_item *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const slide *x = item[i].on;
    if (!is_here(&item[i], ev->q)) continue;
    double y[3], r[3];
    x->point.ops->value(&x->point, ev->q, y);
    line_at(x, item[i].element, ev->q[x->S], 0, ev->q, r);
    for (int k = 0; k < x->dim; k++) phi[x->row + k] = y[k] - r[k];
  }
}

static void slide_velocity(const sn_batch *batch, sn_range range, const sn_eval *ev, double *rate) {
  const slide_item *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const slide *x = item[i].on;
    if (!is_here(&item[i], ev->q)) continue;
    double S = ev->q[x->S], y[3], v[3], slope[3];
    x->point.ops->rate(&x->point, ev->q, ev->v, y);
    line_at(x, item[i].element, S, 0, ev->v, v);
    line_at(x, item[i].element, S, 1, ev->q, slope);
    for (int k = 0; k < x->dim; k++) rate[x->row + k] = y[k] - v[k] - slope[k] * ev->v[x->S];
  }
}

static void slide_acceleration(const sn_batch *batch, sn_range range, const sn_eval *ev, double *accel) {
  const slide_item *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const slide *x = item[i].on;
    if (!is_here(&item[i], ev->q)) continue;
    int e = item[i].element;
    double S = ev->q[x->S], u = ev->v[x->S], y[3], c[3], a[3], turn[3], bend[3], slope[3];
    x->point.ops->rate(&x->point, ev->q, ev->a, y);
    x->point.ops->convective(&x->point, ev->q, ev->v, c);
    line_at(x, e, S, 0, ev->a, a);
    line_at(x, e, S, 1, ev->v, turn);
    line_at(x, e, S, 1, ev->q, slope);
    line_at(x, e, S, 2, ev->q, bend);
    for (int k = 0; k < x->dim; k++)
      accel[x->row + k] = y[k] + c[k] - a[k] - 2 * u * turn[k] - bend[k] * u * u - slope[k] * ev->a[x->S];
  }
}

static void slide_energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *energy) {
  const slide_item *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    double d = beyond(item[i].on, ev->q[item[i].on->S]);
    if (is_here(&item[i], ev->q)) energy->spring += 0.5 * item[i].on->stop * d * d;
  }
}

static void slide_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *power) {
  const slide_item *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const slide *x = item[i].on;
    double slope[3], l[3];
    rub y;
    if (!is_here(&item[i], ev->q)) continue;
    multipliers(x, ev, 1, l);
    line_at(x, item[i].element, ev->q[x->S], 1, ev->q, slope);
    rub_at(x, slope, ev->v[x->S], l, &y);
    power->damping -= x->damping * y.u * y.u;
    power->friction -= (y.f - x->damping * y.u) * y.u;
  }
}

static const sn_batch_ops slide_batch = {
    .name = "sliding points",
    .max_groups = SN_PROBE_GROUPS + 4,
    .groups = slide_groups,
    .residual = slide_residual,
    .tangent = slide_tangent,
    .position = slide_position,
    .velocity = slide_velocity,
    .acceleration = slide_acceleration,
    .energy = slide_energy,
    .power = slide_power,
    .discrete = true,
};

/* ---- compile ---- */

/* w_k(s) from the probes of four points within an element: they are cubic. False: the line is no such line. */
static bool find_weights(const sn_marker *m, slide *x) {
  double s[4] = {0.2, 0.4, 0.6, 0.8}, V[WEIGHTS][4];
  for (int p = 0; p < 4; p++) {
    sn_marker at = *m;
    sn_probe probe;
    at.element = 0;
    at.local[0] = s[p];
    m->body->ops->point(&at, &probe);
    if (probe.ops != &sn_probe_linear || probe.groups != 2) return false;
    x->dim = probe.dim;
    x->vectors = probe.size[0] / probe.dim;
    if (x->vectors < 2 || x->vectors > VECTORS) return false; /* without slopes: a chain with corners */
    for (int k = 0; k < 2 * x->vectors; k++) V[k][p] = probe.weight[k];
  }
  for (int k = 0; k < 2 * x->vectors; k++) { /* Newton's divided differences, then powers of s */
    double d[4];
    memcpy(d, V[k], sizeof d);
    for (int j = 1; j < 4; j++)
      for (int p = 3; p >= j; p--) d[p] = (d[p] - d[p - 1]) / (s[p] - s[p - j]);
    double *C = x->C[k];
    C[0] = d[3], C[1] = C[2] = C[3] = 0;
    for (int p = 2; p >= 0; p--) {
      for (int j = 3; j > 0; j--) C[j] = C[j - 1] - s[p] * C[j];
      C[0] = d[p] - s[p] * C[0];
    }
  }
  return true;
}

/* The place on the line is a coordinate, which is made before all multipliers. */
static void sliding_coordinates(sn_compiler *c, sn_joint *joint) {
  const sliding_spec *spec = (const sliding_spec *)(const void *)joint->spec;
  sn_marker *m = joint->marker;
  slide *x = SN_NEW(c->arena, slide, 1);
  sn_geometry geometry = {0};
  if (!sn_joint_markers(c, joint)) return;
  if (m[0].body->ops->geometry) m[0].body->ops->geometry(m[0].body, &geometry);
  if (geometry.type != SN_GEOMETRY_LINE || !m[0].has_tangent || !find_weights(&m[0], x) || m[0].body == m[1].body) {
    sn_field_error(&c->reader, joint->spec, "between",
                   "first a point of a cable, beam or beam2d, then one of another body",
                   "%s '%s' is not a line along which a point of '%s' can slide", m[0].body->ops->kind.name,
                   m[0].body->name, m[1].body->name);
    return;
  }
  x->line = m[0].body;
  x->elements = geometry.elements;
  x->l = geometry.element_length;
  x->friction = spec->friction, x->creep = spec->creep, x->damping = spec->damping;
  x->stop = sn_given(spec, "stop_stiffness") ? spec->stop : 0;
  double S = (m[0].element + m[0].local[0]) * x->l, rest = 0;
  x->S = c->model->n;
  x->S_group = sn_add_coordinates(c, joint->name, 1, &S, &rest);
  c->model->massless = true;
  c->model->reactive |= x->friction > 0;
  c->model->reactive_laws |= x->friction > 0;
  c->model->unsymmetric |= x->friction > 0 || x->damping > 0;
  c->model->has_power |= x->friction > 0 || x->damping > 0;
  joint->slide = x;
}

static void sliding_compile(sn_compiler *c, sn_joint *joint) {
  if (!joint->slide) return;
  slide *x = (slide *)joint->slide;
  joint->has_translation = true;
  sn_joint_rows(c, joint, x->dim);
  x->row = joint->first;
  x->group = joint->group;
  sn_marker_point(&joint->marker[1], &x->point);
  for (int e = 0; e < x->elements; e++)
    *(slide_item *)sn_batch_append(c, &slide_batch, sizeof(slide_item)) = (slide_item){x, e};
}

/* ---- for others ---- */

void sn_slide_coordinate(const sn_joint *joint, const double *q0, sn_coordinate *coordinate) {
  const slide *x = joint->slide;
  static const double none[3] = {0, 0, 0};
  *coordinate = (sn_coordinate){.type = SN_PHI_TURN, .probes = 2, .sign = 1, .second = 1, .c = q0[x->S]};
  sn_constant_probe(none, &coordinate->probe[0]);
  coordinate->probe[1] =
      (sn_probe){.ops = &sn_probe_single, .groups = 1, .group = {x->S_group}, .first = {x->S}, .size = {1}, .count = 1};
}

void sn_slide_reaction(const sn_joint *joint, const sn_eval *ev, const double about[3], double F[3], double M[3]) {
  const slide *x = joint->slide;
  double l[3], r[3], m[3];
  multipliers(x, ev, -1, l);
  x->point.ops->value(&x->point, ev->q, r);
  sn_sub(r, r, about);
  sn_cross(m, r, l);
  sn_axpy(F, 1, l);
  sn_axpy(M, 1, m);
}

double sn_slide_creep(const sn_joint *joint, const double *q, const double *v) {
  const slide *x = joint->slide;
  double slope[3];
  if (x->friction == 0) return 0;
  line_at(x, element_of(x, q[x->S]), q[x->S], 1, q, slope);
  const double u = fabs(sn_norm(slope) * v[x->S]);
  return u < x->creep ? u : 0;
}

bool sn_slide_has_left(const sn_joint *joint, const double *q) {
  const slide *x = joint->slide;
  return x->stop == 0 && beyond(x, q[x->S]) != 0;
}

const sn_joint_ops sn_sliding = {
    .kind = {.name = "sliding",
             .category = SN_JOINTS,
             .summary = "a point slides along a flexible line, with friction",
             .fields = sliding_fields,
             .spec_size = sizeof(sliding_spec)},
    .coordinates = sliding_coordinates,
    .compile = sliding_compile,
};
