/* rolling.c - nonholonomic constraints: rolling, knife edges; see rolling.h for the formulas. */
#include "joint/rolling.h"

#include <math.h>
#include <string.h>

#include "joint/primitive.h"
#include "math/vec3.h"

enum { PROBES = SN_ROLLING_PROBES, ROWS = SN_ROLLING_ROWS, COORDINATES = 2 * SN_PROBE_COORDINATES };
enum { LOCAL = COORDINATES + ROWS };

static int rows_of(const sn_rolling *x) {
  return x->type == SN_KNIFE_EDGE ? 1 : x->dim - 1;
}
static int probes_of(const sn_rolling *x) {
  return x->dim + 2 + (x->type == SN_KNIFE_EDGE ? 1 : x->dim);
}

/* ---- the coefficients g_p(y) and their derivatives ---- */

/* x, and its change with that of the probes. */
static void contact_of(const sn_rolling *w, const double y[PROBES][3], const double dy[PROBES][3], double x[3],
                       double dx[3]) {
  const double *n = y[w->dim - 1], *dn = dy[w->dim - 1], *d = y[w->dim + 4], *dd = dy[w->dim + 4];
  if (w->type != SN_ROLLS_DISK) {
    double R = w->type == SN_KNIFE_EDGE ? 0 : w->radius;
    sn_scale(x, -R, n);
    sn_scale(dx, -R, dn);
    return;
  }
  double c = sn_dot(n, d), dc = sn_dot(dn, d) + sn_dot(n, dd), m[3], dm[3];
  for (int k = 0; k < 3; k++) {
    m[k] = n[k] - c * d[k];
    dm[k] = dn[k] - dc * d[k] - c * dd[k];
  }
  double size = sn_norm(m);
  sn_scale(m, 1 / size, m);
  sn_axpy(dm, -sn_dot(m, dm), m);
  sn_scale(x, -w->radius, m);
  sn_scale(dx, -w->radius / size, dm);
}

/* g of all rows at y, and its change with dy. */
static void coefficients(const sn_rolling *w, const double y[PROBES][3], const double dy[PROBES][3],
                         double g[ROWS][PROBES][3], double dg[ROWS][PROBES][3]) {
  int dim = w->dim;
  double x[3], dx[3], s[3], ds[3];
  contact_of(w, y, dy, x, dx);
  for (int k = 0; k < 3; k++) {
    s[k] = y[dim + 1][k] - y[dim][k] + x[k];
    ds[k] = dy[dim + 1][k] - dy[dim][k] + dx[k];
  }
  for (int r = 0; r < rows_of(w); r++) {
    int along = w->type == SN_KNIFE_EDGE ? dim + 2 : r;
    const double *e = y[along], *de = dy[along];
    for (int k = 0; k < 3; k++) {
      g[r][dim][k] = -e[k], g[r][dim + 1][k] = e[k];
      dg[r][dim][k] = -de[k], dg[r][dim + 1][k] = de[k];
    }
    for (int p = 0; p < probes_of(w); p++) {
      if (p == dim || p == dim + 1) continue;
      bool first = p < dim;
      const double *to = first ? s : x, *dto = first ? ds : dx;
      double sign = first ? -1 : 1, c = sign * sn_dot(to, y[p]), dc = sign * (sn_dot(dto, y[p]) + sn_dot(to, dy[p]));
      for (int k = 0; k < 3; k++) {
        g[r][p][k] = c * e[k];
        dg[r][p][k] = dc * e[k] + c * de[k];
      }
    }
  }
}

static void values_at(const sn_rolling *w, const double *q, double y[PROBES][3]) {
  memset(y, 0, PROBES * sizeof *y);
  for (int p = 0; p < probes_of(w); p++) w->probe[p].ops->value(&w->probe[p], q, y[p]);
}

/* ---- the batch ---- */

static const sn_rolling *rolling_of(const sn_batch *batch, int i) {
  return (const sn_rolling *)batch->data + i;
}

static int rolling_groups(const sn_batch *batch, int i, int *groups) {
  const sn_rolling *w = rolling_of(batch, i);
  memcpy(groups, w->group_list, (size_t)w->groups * sizeof *groups);
  groups[w->groups] = w->group;
  return w->groups + 1;
}

static const double none[PROBES][3];

static void rolling_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  for (int i = range.first; i < range.last; i++) {
    const sn_rolling *w = rolling_of(batch, i);
    double y[PROBES][3], g[ROWS][PROBES][3], dg[ROWS][PROBES][3];
    values_at(w, ev->q, y);
    coefficients(w, (const double(*)[3])y, none, g, dg);
    for (int p = 0; p < probes_of(w); p++) {
      double f[3] = {0, 0, 0};
      for (int k = 0; k < rows_of(w); k++) sn_axpy(f, ev->l[w->row + k], g[k][p]);
      sn_probe_apply(&w->probe[p], ev, f, r);
    }
  }
}

/* Coordinates of probe p among those of all groups. */
static int places(const sn_rolling *w, int p, int at[SN_PROBE_COORDINATES]) {
  int n = 0;
  for (int g = 0; g < w->probe[p].groups; g++)
    for (int s = 0; s < w->probe[p].size[g]; s++) at[n++] = w->group_at[p * SN_PROBE_GROUPS + g] + s;
  return n;
}

typedef struct jacobians {
  int count[PROBES], at[PROBES][SN_PROBE_COORDINATES];
  double own[PROBES][3 * SN_PROBE_COORDINATES];
  double by[COORDINATES][PROBES][3]; /* dy_p by each coordinate */
} jacobians;

static void jacobians_at(const sn_rolling *w, const double *q, jacobians *J) {
  memset(J->by, 0, sizeof J->by[0] * (size_t)w->local);
  for (int p = 0; p < probes_of(w); p++) {
    w->probe[p].ops->jacobian(&w->probe[p], q, J->own[p]);
    J->count[p] = places(w, p, J->at[p]);
    for (int c = 0; c < J->count[p]; c++)
      for (int d = 0; d < 3; d++) J->by[J->at[p][c]][p][d] += J->own[p][3 * c + d];
  }
}

static void add_curvature(const sn_rolling *w, int p, const jacobians *J, const double *q, const double f[3], double *T,
                          int stride) {
  double H[SN_PROBE_COORDINATES * SN_PROBE_COORDINATES];
  int n = J->count[p];
  if (!w->probe[p].ops->hessian) return;
  memset(H, 0, sizeof(double) * (size_t)(n * n));
  w->probe[p].ops->hessian(&w->probe[p], q, f, H, n);
  for (int c = 0; c < n; c++)
    for (int d = 0; d < n; d++) T[J->at[p][d] + stride * J->at[p][c]] += H[d + n * c];
}

static void rolling_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  for (int i = range.first; i < range.last; i++) {
    const sn_rolling *w = rolling_of(batch, i);
    int n = w->local + w->group_size, groups[PROBES * SN_PROBE_GROUPS + 1];
    double y[PROBES][3], g[ROWS][PROBES][3], dg[ROWS][PROBES][3], l[ROWS] = {0}, T[LOCAL * LOCAL];
    jacobians J;
    memset(T, 0, sizeof(double) * (size_t)(n * n));
    values_at(w, ev->q, y);
    jacobians_at(w, ev->q, &J);
    for (int k = 0; k < rows_of(w); k++) l[k] = ev->ck * ev->l[w->row + k];
    for (int c = 0; c < w->local; c++) {
      coefficients(w, (const double(*)[3])y, (const double(*)[3])J.by[c], g, dg);
      for (int p = 0; p < probes_of(w); p++) {
        double f[3] = {0, 0, 0};
        for (int k = 0; k < rows_of(w); k++) sn_axpy(f, l[k], dg[k][p]);
        for (int d = 0; d < J.count[p]; d++) T[J.at[p][d] + n * c] += sn_dot(f, J.own[p] + 3 * d);
      }
    }
    for (int p = 0; p < probes_of(w); p++) {
      double f[3] = {0, 0, 0};
      for (int k = 0; k < rows_of(w); k++) {
        sn_axpy(f, l[k], g[k][p]);
        for (int c = 0; c < J.count[p]; c++) {
          double x = sn_dot(g[k][p], J.own[p] + 3 * c);
          T[w->local + k + n * J.at[p][c]] += x;
          T[J.at[p][c] + n * (w->local + k)] += x;
        }
      }
      add_curvature(w, p, &J, ev->q, f, T, n);
    }
    sn_matrix_add(A, rolling_groups(batch, i, groups), groups, batch->slots + (size_t)batch->slot_stride * (size_t)i, T,
                  n);
  }
}

/* There is no position level: nothing is violated. */
static void rolling_position(const sn_batch *batch, sn_range range, const sn_eval *ev, double *phi) {
  (void)ev;
  for (int i = range.first; i < range.last; i++)
    for (int k = 0; k < rows_of(rolling_of(batch, i)); k++) phi[rolling_of(batch, i)->row + k] = 0;
}

static void rolling_velocity(const sn_batch *batch, sn_range range, const sn_eval *ev, double *rate) {
  for (int i = range.first; i < range.last; i++) {
    const sn_rolling *w = rolling_of(batch, i);
    double y[PROBES][3], yd[3], g[ROWS][PROBES][3], dg[ROWS][PROBES][3], sum[ROWS] = {0};
    values_at(w, ev->q, y);
    coefficients(w, (const double(*)[3])y, none, g, dg);
    for (int p = 0; p < probes_of(w); p++) {
      w->probe[p].ops->rate(&w->probe[p], ev->q, ev->v, yd);
      for (int k = 0; k < rows_of(w); k++) sum[k] += sn_dot(g[k][p], yd);
    }
    for (int k = 0; k < rows_of(w); k++) rate[w->row + k] = sum[k];
  }
}

static void rolling_acceleration(const sn_batch *batch, sn_range range, const sn_eval *ev, double *accel) {
  for (int i = range.first; i < range.last; i++) {
    const sn_rolling *w = rolling_of(batch, i);
    double y[PROBES][3], yd[PROBES][3] = {{0}}, ydd[3], c[3], g[ROWS][PROBES][3], dg[ROWS][PROBES][3], sum[ROWS] = {0};
    values_at(w, ev->q, y);
    for (int p = 0; p < probes_of(w); p++) w->probe[p].ops->rate(&w->probe[p], ev->q, ev->v, yd[p]);
    coefficients(w, (const double(*)[3])y, (const double(*)[3])yd, g, dg);
    for (int p = 0; p < probes_of(w); p++) {
      w->probe[p].ops->rate(&w->probe[p], ev->q, ev->a, ydd);
      w->probe[p].ops->convective(&w->probe[p], ev->q, ev->v, c);
      sn_axpy(ydd, 1, c);
      for (int k = 0; k < rows_of(w); k++) sum[k] += sn_dot(g[k][p], ydd) + sn_dot(dg[k][p], yd[p]);
    }
    for (int k = 0; k < rows_of(w); k++) accel[w->row + k] = sum[k];
  }
}

static const sn_batch_ops rolling_batch = {
    .name = "rolling constraints",
    .max_groups = PROBES * SN_PROBE_GROUPS + 1,
    .groups = rolling_groups,
    .residual = rolling_residual,
    .tangent = rolling_tangent,
    .position = rolling_position,
    .velocity = rolling_velocity,
    .acceleration = rolling_acceleration,
    .nonholonomic = true,
};

/* ---- building ---- */

static void list_groups(sn_rolling *w) {
  int first[PROBES * SN_PROBE_GROUPS];
  for (int p = 0; p < probes_of(w); p++)
    for (int g = 0; g < w->probe[p].groups; g++) {
      int at = 0;
      while (at < w->groups && w->group_list[at] != w->probe[p].group[g]) at++;
      if (at == w->groups) {
        w->group_list[w->groups++] = w->probe[p].group[g];
        first[at] = w->local;
        w->local += w->probe[p].size[g];
      }
      w->group_at[p * SN_PROBE_GROUPS + g] = first[at];
    }
  assert(w->local <= COORDINATES);
}

/* Rows of the model that have no position level. */
static void list_rows(sn_compiler *c, int row, int count) {
  int *list = SN_NEW(c->arena, int, c->model->nonholonomic + count);
  for (int i = 0; i < c->model->nonholonomic; i++) list[i] = c->model->nonholonomic_row[i];
  for (int i = 0; i < count; i++) list[c->model->nonholonomic + i] = row + i;
  c->model->nonholonomic_row = list;
  c->model->nonholonomic += count;
}

void sn_add_rolling(sn_compiler *c, sn_joint *joint, const sn_rolling *given) {
  sn_joint_rows(c, joint, rows_of(given));
  sn_rolling *w = sn_batch_append(c, &rolling_batch, sizeof *w);
  *w = *given;
  w->groups = w->local = 0;
  sn_joint_row(c, joint, 0, &w->row, &w->group, &w->group_size);
  list_groups(w);
  list_rows(c, w->row, rows_of(w));
}

void sn_rolling_reaction(const sn_model *model, const sn_joint *joint, const sn_eval *ev, const double about[3],
                         double F[3], double M[3]) {
  const sn_batch *batch = sn_batch_find(model, &rolling_batch);
  for (int i = 0; batch && i < batch->count; i++) {
    const sn_rolling *w = rolling_of(batch, i);
    double y[PROBES][3], g[ROWS][PROBES][3], dg[ROWS][PROBES][3];
    if (w->group < joint->group || w->group >= joint->group + joint->groups) continue;
    values_at(w, ev->q, y);
    coefficients(w, (const double(*)[3])y, none, g, dg);
    for (int p = w->dim + 1; p < probes_of(w); p++)
      for (int k = 0; k < rows_of(w); k++) {
        double f[3];
        sn_scale(f, ev->l[w->row + k], g[k][p]);
        sn_add_reaction(p == w->dim + 1, y[p], f, about, F, M);
      }
  }
}
