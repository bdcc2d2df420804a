/* guide.c - a point or a flat face on a curve; see guide.h for the formulas. */
#include "joint/guide.h"

#include <math.h>
#include <string.h>

#include "base/jet.h"
#include "joint/primitive.h"
#include "math/vec3.h"

enum { ARGUMENTS = SN_GUIDE_ARGUMENTS, PROBES = SN_GUIDE_PROBES, ROWS = SN_GUIDE_ROWS };
enum { COORDINATES = 2 * SN_PROBE_COORDINATES, LOCAL = COORDINATES + ROWS };

/* ---- Phi(z) and its derivatives ---- */

typedef struct row {
  double value, g[ARGUMENTS], H[ARGUMENTS][ARGUMENTS];
} row;

static int rows_of(const sn_guide *x) {
  return x->type == SN_GUIDE_SPACE ? 2 : 1;
}
/* Of the second body: the normal of a face, the axis of a disk. */
static bool has_direction(const sn_guide *x) {
  return x->type == SN_GUIDE_FLAT || x->type == SN_GUIDE_RIM;
}
static int arguments_of(const sn_guide *x) {
  return has_direction(x) ? 2 * x->axes : x->axes;
}

static sn_jet jet_dot(const sn_jet a[3], const sn_jet b[3]) {
  return sn_jet_add(sn_jet_add(sn_jet_mul(a[0], b[0]), sn_jet_mul(a[1], b[1])), sn_jet_mul(a[2], b[2]));
}
static sn_jet jet_along(const sn_jet a[3], const double b[3]) {
  return sn_jet_add(sn_jet_add(sn_jet_scale(b[0], a[0]), sn_jet_scale(b[1], a[1])), sn_jet_scale(b[2], a[2]));
}

/* n, n', n'' of row k at a point of the curve. */
static void normal_at(const sn_guide *x, int k, double c[4][3], double n[3][3]) {
  sn_jet t[3];
  for (int d = 0; d < 3; d++) t[d] = (sn_jet){c[1][d], c[2][d], c[3][d]};
  sn_jet length = sn_jet_sqrt(jet_dot(t, t));
  for (int d = 0; d < 3; d++) t[d] = sn_jet_div(t[d], length);
  sn_jet y[3] = {sn_jet_scale(-x->side, t[1]), sn_jet_scale(x->side, t[0]), sn_jet_constant(0)};
  if (x->type == SN_GUIDE_SPACE) {
    const double *b = x->base[0], *bk = x->base[1 + k];
    sn_jet cosine = jet_along(t, b);
    cosine.value += 1;
    sn_jet factor = sn_jet_div(jet_along(t, bk), cosine);
    for (int d = 0; d < 3; d++) {
      sn_jet sum = t[d];
      sum.value += b[d];
      y[d] = sn_jet_scale(-1, sn_jet_mul(factor, sum));
      y[d].value += bk[d];
    }
  }
  for (int d = 0; d < 3; d++) n[0][d] = y[d].value, n[1][d] = y[d].rate, n[2][d] = y[d].accel;
}

static void normal_row(const sn_guide *x, int k, const double d[3], double c[4][3], row *y) {
  double n[3][3], w[3], s[3], q[3];
  normal_at(x, k, c, n);
  sn_sub(w, d, c[0]);
  double p = sn_dot(c[1], c[1]) - sn_dot(w, c[2]), turn = sn_dot(n[1], w), bend = sn_dot(n[2], w) - sn_dot(n[1], c[1]),
         change = 3 * sn_dot(c[1], c[2]) - sn_dot(w, c[3]);
  sn_scale(s, 1 / p, c[1]);
  sn_scale(q, 1 / p, c[2]);
  y->value = sn_dot(n[0], w) - x->radius;
  for (int i = 0; i < x->axes; i++) {
    y->g[i] = n[0][i] + turn * s[i];
    for (int j = 0; j < x->axes; j++)
      y->H[i][j] = n[1][i] * s[j] + s[i] * n[1][j] + bend * s[i] * s[j] +
                   turn * (q[i] * s[j] + s[i] * q[j] - change / p * s[i] * s[j]);
  }
}

static void flat_row(const double z[ARGUMENTS], double c[4][3], row *y) {
  double w[2] = {z[0] - c[0][0], z[1] - c[0][1]}, bend = z[2] * c[2][0] + z[3] * c[2][1];
  y->value = z[2] * w[0] + z[3] * w[1];
  for (int i = 0; i < 2; i++) {
    y->g[i] = z[2 + i];
    y->g[2 + i] = w[i];
    y->H[i][2 + i] = y->H[2 + i][i] = 1;
    for (int j = 0; j < 2; j++) y->H[2 + i][2 + j] = c[1][i] * c[1][j] / bend;
  }
}

static void rim_row(double R, const double z[ARGUMENTS], row *y) {
  double root = sqrt(1 - z[1] * z[1]);
  y->value = z[0] - R * root;
  y->g[0] = 1;
  y->g[1] = R * z[1] / root;
  y->H[1][1] = R / (root * root * root);
}

static double place_of(const sn_guide *x, const double z[ARGUMENTS]) {
  double d[3] = {z[0], z[1], x->axes == 3 ? z[2] : 0}, m[3] = {z[2], z[3], 0};
  return x->type == SN_GUIDE_FLAT ? sn_curve_farthest(x->curve, m) : sn_curve_nearest(x->curve, d);
}

static void rows_at(const sn_guide *x, const double z[ARGUMENTS], row y[ROWS]) {
  double c[4][3], d[3] = {z[0], z[1], x->axes == 3 ? z[2] : 0};
  memset(y, 0, ROWS * sizeof *y);
  if (x->type == SN_GUIDE_RIM) {
    rim_row(x->radius, z, y);
    return;
  }
  sn_curve_at(x->curve, place_of(x, z), c);
  for (int k = 0; k < rows_of(x); k++)
    if (x->type == SN_GUIDE_FLAT)
      flat_row(z, c, &y[k]);
    else
      normal_row(x, k, d, c, &y[k]);
}

/* ---- z from probes ---- */

/* Values or rates of all probes, D in place of r_i. */
typedef struct vectors {
  double e[3][3], D[3], m[3];
} vectors;

static int probes_of(const sn_guide *x) {
  return x->axes + (has_direction(x) ? 3 : 2);
}

static void take(const sn_guide *x, double y[PROBES][3], vectors *v) {
  memset(v, 0, sizeof *v);
  for (int a = 0; a < x->axes; a++) sn_copy(v->e[a], y[a]);
  sn_sub(v->D, y[x->axes + 1], y[x->axes]);
  if (has_direction(x)) sn_copy(v->m, y[x->axes + 2]);
}

static void vectors_at(const sn_guide *x, const double *q, vectors *v) {
  double y[PROBES][3];
  for (int k = 0; k < probes_of(x); k++) x->probe[k].ops->value(&x->probe[k], q, y[k]);
  take(x, y, v);
}

static void rates_at(const sn_guide *x, const double *q, const double *rate, vectors *v) {
  double y[PROBES][3];
  for (int k = 0; k < probes_of(x); k++) x->probe[k].ops->rate(&x->probe[k], q, rate, y[k]);
  take(x, y, v);
}

/* Argument a is a product of two vectors: e_i and D or m. */
static const double *factor_of(const sn_guide *x, const vectors *v, int a) {
  return a < x->axes ? v->D : v->m;
}

static void arguments(const sn_guide *x, const vectors *v, double z[ARGUMENTS]) {
  for (int a = 0; a < arguments_of(x); a++) z[a] = sn_dot(v->e[a % x->axes], factor_of(x, v, a));
}

/* a'.b + a.b' */
static void argument_rates(const sn_guide *x, const vectors *v, const vectors *rate, double z[ARGUMENTS]) {
  for (int a = 0; a < arguments_of(x); a++) {
    int i = a % x->axes;
    z[a] = sn_dot(rate->e[i], factor_of(x, v, a)) + sn_dot(v->e[i], factor_of(x, rate, a));
  }
}

/* Forces on the probes that belong to forces f on the arguments. */
static void forces_on(const sn_guide *x, const vectors *v, const double f[ARGUMENTS], double on[PROBES][3]) {
  memset(on, 0, PROBES * sizeof *on);
  for (int a = 0; a < arguments_of(x); a++) {
    int i = a % x->axes;
    sn_axpy(on[i], f[a], factor_of(x, v, a));
    if (a < x->axes) {
      sn_axpy(on[x->axes], -f[a], v->e[i]);
      sn_axpy(on[x->axes + 1], f[a], v->e[i]);
    } else {
      sn_axpy(on[x->axes + 2], f[a], v->e[i]);
    }
  }
}

/* sum of l dPhi/dz over the rows */
static void loads_of(const sn_guide *x, const row *y, const double *l, double f[ARGUMENTS]) {
  for (int a = 0; a < ARGUMENTS; a++) f[a] = 0;
  for (int k = 0; k < rows_of(x); k++)
    for (int a = 0; a < arguments_of(x); a++) f[a] += l[k] * y[k].g[a];
}

/* ---- the batch ---- */

static const sn_guide *guide_of(const sn_batch *batch, int i) {
  return (const sn_guide *)batch->data + i;
}

static int guide_groups(const sn_batch *batch, int i, int *groups) {
  const sn_guide *x = guide_of(batch, i);
  memcpy(groups, x->group_list, (size_t)x->groups * sizeof *groups);
  groups[x->groups] = x->group;
  return x->groups + 1;
}

/* Over a step of an energy-momentum method: g at the mean of z, corrected so that g.(z1 - z0) = Phi1 - Phi0 (Gonzalez);
 * z is quadratic, its gradient at the mean of the probes is a discrete one. */
static void rows_over_step(const sn_guide *x, const sn_eval *ev, vectors *mean, row y[ROWS]) {
  vectors end[2];
  row at[2][ROWS];
  double z[3][ARGUMENTS] = {{0}}, square = 0;
  for (int e = 0; e < 2; e++) {
    vectors_at(x, e ? ev->q1 : ev->q0, &end[e]);
    arguments(x, &end[e], z[e]);
    rows_at(x, z[e], at[e]);
  }
  for (int a = 0; a < arguments_of(x); a++) {
    z[2][a] = 0.5 * (z[0][a] + z[1][a]);
    square += (z[1][a] - z[0][a]) * (z[1][a] - z[0][a]);
  }
  for (int k = 0; k < 3; k++) {
    for (int a = 0; a < 3; a++) mean->e[a][k] = 0.5 * (end[0].e[a][k] + end[1].e[a][k]);
    mean->D[k] = 0.5 * (end[0].D[k] + end[1].D[k]);
    mean->m[k] = 0.5 * (end[0].m[k] + end[1].m[k]);
  }
  rows_at(x, z[2], y);
  for (int k = 0; k < rows_of(x) && square > 0; k++) {
    double off = at[1][k].value - at[0][k].value;
    for (int a = 0; a < arguments_of(x); a++) off -= y[k].g[a] * (z[1][a] - z[0][a]);
    for (int a = 0; a < arguments_of(x); a++) y[k].g[a] += off / square * (z[1][a] - z[0][a]);
  }
}

static void guide_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  for (int i = range.first; i < range.last; i++) {
    const sn_guide *x = guide_of(batch, i);
    vectors v;
    row y[ROWS];
    double z[ARGUMENTS], f[ARGUMENTS], on[PROBES][3];
    if (ev->q0) {
      rows_over_step(x, ev, &v, y);
    } else {
      vectors_at(x, ev->q, &v);
      arguments(x, &v, z);
      rows_at(x, z, y);
    }
    loads_of(x, y, ev->l + x->row, f);
    forces_on(x, &v, f, on);
    for (int k = 0; k < probes_of(x); k++) sn_probe_apply(&x->probe[k], ev, on[k], r);
  }
}

/* Jacobian of probe k over the coordinates of all groups, added with a factor; H as well if it has curvature. */
static void scatter(const sn_guide *x, int k, const double *J, double factor, double *to) {
  const sn_probe *p = &x->probe[k];
  for (int g = 0, c = 0; g < p->groups; g++)
    for (int s = 0; s < p->size[g]; s++, c++)
      for (int d = 0; d < 3; d++) to[3 * (x->group_at[k * SN_PROBE_GROUPS + g] + s) + d] += factor * J[3 * c + d];
}

static void scatter_hessian(const sn_guide *x, int k, const double *q, const double f[3], double *T, int stride) {
  const sn_probe *p = &x->probe[k];
  double H[SN_PROBE_COORDINATES * SN_PROBE_COORDINATES];
  int at[SN_PROBE_COORDINATES], n = 0;
  if (!p->ops->hessian) return;
  for (int g = 0; g < p->groups; g++)
    for (int s = 0; s < p->size[g]; s++) at[n++] = x->group_at[k * SN_PROBE_GROUPS + g] + s;
  memset(H, 0, sizeof(double) * (size_t)(n * n));
  p->ops->hessian(p, q, f, H, n);
  for (int c = 0; c < n; c++)
    for (int d = 0; d < n; d++) T[at[d] + stride * at[c]] += H[d + n * c];
}

typedef struct jacobians { /* 3 x local each: of e_a, D, m; and rows of dz_a */
  double e[3][3 * COORDINATES], D[3 * COORDINATES], m[3 * COORDINATES], z[ARGUMENTS][COORDINATES];
} jacobians;

static void jacobians_at(const sn_guide *x, const double *q, const vectors *v, jacobians *y) {
  double J[3 * SN_PROBE_COORDINATES];
  memset(y, 0, sizeof *y);
  for (int k = 0; k < probes_of(x); k++) {
    double *to = k < x->axes ? y->e[k] : k <= x->axes + 1 ? y->D : y->m;
    x->probe[k].ops->jacobian(&x->probe[k], q, J);
    scatter(x, k, J, k == x->axes ? -1 : 1, to);
  }
  for (int a = 0; a < arguments_of(x); a++) {
    int i = a % x->axes;
    const double *J2 = a < x->axes ? y->D : y->m;
    for (int c = 0; c < x->local; c++)
      y->z[a][c] = sn_dot(factor_of(x, v, a), y->e[i] + 3 * c) + sn_dot(v->e[i], J2 + 3 * c);
  }
}

/* K = sum l (d2Phi/dz2 dz dz' + dPhi/dz_a d2z_a), d2z_a = de_a'dD + dD'de_a + curvature of the probes */
static void guide_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  for (int i = range.first; i < range.last; i++) {
    const sn_guide *x = guide_of(batch, i);
    int n = x->local + x->group_size, groups[PROBES * SN_PROBE_GROUPS + 1], count = arguments_of(x);
    double z[ARGUMENTS], l[ROWS] = {0}, f[ARGUMENTS], on[PROBES][3], T[LOCAL * LOCAL];
    vectors v;
    row y[ROWS];
    jacobians J;
    memset(T, 0, sizeof(double) * (size_t)(n * n));
    vectors_at(x, ev->q, &v);
    arguments(x, &v, z);
    rows_at(x, z, y);
    jacobians_at(x, ev->q, &v, &J);
    for (int k = 0; k < rows_of(x); k++) l[k] = ev->ck * ev->l[x->row + k];
    loads_of(x, y, l, f);
    forces_on(x, &v, f, on);
    for (int k = 0; k < probes_of(x); k++) scatter_hessian(x, k, ev->q, on[k], T, n);
    for (int a = 0; a < count; a++) {
      const double *e = J.e[a % x->axes], *other = a < x->axes ? J.D : J.m;
      double H[ARGUMENTS] = {0};
      for (int b = 0; b < count; b++)
        for (int k = 0; k < rows_of(x); k++) H[b] += l[k] * y[k].H[a][b];
      for (int c = 0; c < x->local; c++) {
        double w = 0;
        for (int b = 0; b < count; b++) w += H[b] * J.z[b][c];
        for (int d = 0; d < x->local; d++)
          T[d + n * c] += J.z[a][d] * w + f[a] * (sn_dot(e + 3 * d, other + 3 * c) + sn_dot(other + 3 * d, e + 3 * c));
      }
      for (int k = 0; k < rows_of(x); k++)
        for (int c = 0; c < x->local; c++) {
          double g = y[k].g[a] * J.z[a][c];
          T[x->local + k + n * c] += g;
          T[c + n * (x->local + k)] += g;
        }
    }
    sn_matrix_add(A, guide_groups(batch, i, groups), groups, batch->slots + (size_t)batch->slot_stride * (size_t)i, T,
                  n);
  }
}

static void guide_position(const sn_batch *batch, sn_range range, const sn_eval *ev, double *phi) {
  for (int i = range.first; i < range.last; i++) {
    const sn_guide *x = guide_of(batch, i);
    double z[ARGUMENTS];
    vectors v;
    row y[ROWS];
    vectors_at(x, ev->q, &v);
    arguments(x, &v, z);
    rows_at(x, z, y);
    for (int k = 0; k < rows_of(x); k++) phi[x->row + k] = y[k].value;
  }
}

static void guide_velocity(const sn_batch *batch, sn_range range, const sn_eval *ev, double *rate) {
  for (int i = range.first; i < range.last; i++) {
    const sn_guide *x = guide_of(batch, i);
    double z[ARGUMENTS], zd[ARGUMENTS];
    vectors v, vd;
    row y[ROWS];
    vectors_at(x, ev->q, &v);
    arguments(x, &v, z);
    rows_at(x, z, y);
    rates_at(x, ev->q, ev->v, &vd);
    argument_rates(x, &v, &vd, zd);
    for (int k = 0; k < rows_of(x); k++) {
      double sum = 0;
      for (int a = 0; a < arguments_of(x); a++) sum += y[k].g[a] * zd[a];
      rate[x->row + k] = sum;
    }
  }
}

static void guide_acceleration(const sn_batch *batch, sn_range range, const sn_eval *ev, double *accel) {
  for (int i = range.first; i < range.last; i++) {
    const sn_guide *x = guide_of(batch, i);
    double z[ARGUMENTS], zd[ARGUMENTS], zdd[ARGUMENTS], convective[PROBES][3];
    vectors v, vd, vdd, cv;
    row y[ROWS];
    vectors_at(x, ev->q, &v);
    arguments(x, &v, z);
    rows_at(x, z, y);
    rates_at(x, ev->q, ev->v, &vd);
    rates_at(x, ev->q, ev->a, &vdd);
    for (int k = 0; k < probes_of(x); k++) x->probe[k].ops->convective(&x->probe[k], ev->q, ev->v, convective[k]);
    take(x, convective, &cv);
    for (int a = 0; a < x->axes; a++) sn_axpy(vdd.e[a], 1, cv.e[a]);
    sn_axpy(vdd.D, 1, cv.D);
    sn_axpy(vdd.m, 1, cv.m);
    argument_rates(x, &v, &vd, zd);
    argument_rates(x, &v, &vdd, zdd);
    for (int a = 0; a < arguments_of(x); a++) zdd[a] += 2 * sn_dot(vd.e[a % x->axes], factor_of(x, &vd, a));
    for (int k = 0; k < rows_of(x); k++) {
      double sum = 0;
      for (int a = 0; a < arguments_of(x); a++) {
        sum += y[k].g[a] * zdd[a];
        for (int b = 0; b < arguments_of(x); b++) sum += y[k].H[a][b] * zd[a] * zd[b];
      }
      accel[x->row + k] = sum;
    }
  }
}

static const sn_batch_ops guide_batch = {
    .name = "constraints to curves",
    .max_groups = PROBES * SN_PROBE_GROUPS + 1,
    .groups = guide_groups,
    .residual = guide_residual,
    .tangent = guide_tangent,
    .position = guide_position,
    .velocity = guide_velocity,
    .acceleration = guide_acceleration,
    .discrete = true,
};

/* ---- building ---- */

static void list_groups(sn_guide *x) {
  int first[PROBES * SN_PROBE_GROUPS];
  for (int k = 0; k < probes_of(x); k++)
    for (int g = 0; g < x->probe[k].groups; g++) {
      int at = 0;
      while (at < x->groups && x->group_list[at] != x->probe[k].group[g]) at++;
      if (at == x->groups) {
        x->group_list[x->groups++] = x->probe[k].group[g];
        first[at] = x->local;
        x->local += x->probe[k].size[g];
      }
      x->group_at[k * SN_PROBE_GROUPS + g] = first[at];
    }
  assert(x->local <= COORDINATES); /* probes of two markers: one set of coordinates each */
}

void sn_add_guide(sn_compiler *c, sn_joint *joint, const sn_guide *given) {
  sn_joint_rows(c, joint, rows_of(given));
  sn_guide *x = sn_batch_append(c, &guide_batch, sizeof *x);
  *x = *given;
  x->groups = x->local = 0;
  sn_joint_row(c, joint, 0, &x->row, &x->group, &x->group_size);
  list_groups(x);
}

static const sn_guide *find_guide(const sn_model *model, int group) {
  const sn_batch *batch = sn_batch_find(model, &guide_batch);
  for (int i = 0; batch && i < batch->count; i++)
    if (guide_of(batch, i)->group == group) return guide_of(batch, i);
  return NULL;
}

const sn_guide *sn_guide_of(const sn_model *model, int i) {
  const sn_batch *batch = sn_batch_find(model, &guide_batch);
  return batch && i < batch->count ? guide_of(batch, i) : NULL;
}

double sn_guide_place(const sn_guide *x, const double *q) {
  double z[ARGUMENTS];
  vectors v;
  assert(x->curve);
  vectors_at(x, q, &v);
  arguments(x, &v, z);
  return place_of(x, z);
}

bool sn_guide_has_left(const sn_model *model, const sn_joint *joint, const double *q) {
  const sn_guide *x = find_guide(model, joint->group);
  return x && sn_curve_beyond(x->curve, sn_guide_place(x, q)) > 1e-9;
}

const char *sn_guide_beyond(const sn_model *model, const sn_joint *joint, const double *q, const double *l, bool *bad) {
  (void)l;
  if (!sn_guide_has_left(model, joint, q)) return NULL;
  *bad = true;
  return joint->warning;
}

int sn_guide_points(const sn_model *model, const sn_joint *joint, const double *q, int most, double (*points)[3]) {
  const sn_guide *x = joint->group < 0 ? NULL : find_guide(model, joint->group);
  if (!x || !x->curve || most < 2) return 0;
  const double first = x->curve->knot[0], range = x->curve->knot[x->curve->pieces] - first;
  double e[3][3], origin[3];
  for (int a = 0; a < x->axes; a++) x->probe[a].ops->value(&x->probe[a], q, e[a]);
  x->probe[x->axes].ops->value(&x->probe[x->axes], q, origin);
  for (int i = 0; i < most; i++) {
    double c[4][3];
    sn_curve_at(x->curve, first + range * i / (most - 1), c);
    sn_copy(points[i], origin);
    for (int a = 0; a < x->axes; a++) sn_axpy(points[i], c[0][a], e[a]);
  }
  return most;
}

void sn_guide_reaction(const sn_model *model, int group, const sn_eval *ev, const double about[3], double F[3],
                       double M[3]) {
  const sn_guide *x = find_guide(model, group);
  double z[ARGUMENTS], f[ARGUMENTS], on[PROBES][3], y[3];
  vectors v;
  row at[ROWS];
  if (!x) return;
  vectors_at(x, ev->q, &v);
  arguments(x, &v, z);
  rows_at(x, z, at);
  loads_of(x, at, ev->l + x->row, f);
  forces_on(x, &v, f, on);
  for (int k = x->axes + 1; k < probes_of(x); k++) {
    x->probe[k].ops->value(&x->probe[k], ev->q, y);
    sn_add_reaction(k == x->axes + 1, y, on[k], about, F, M);
  }
}
