/* rope_path.c - the path of a rope over its pulleys: lengths and directions of the free spans with two derivatives.
 *
 * In the axes of the frame, D = (X, Y, H) from center to center, H along the axis, b = rho_2 - rho_1:
 *
 *   p     = sqrt(X^2 + Y^2 - b^2)              length in the plane
 *   lambda = sqrt(p^2 + H^2)                   dlambda = D/lambda,  d2lambda = (I - (D/lambda)(D/lambda)')/lambda
 *   gamma  = atan2(Y, X) - atan2(b, p)         with e = (cos gamma, sin gamma), n = (-sin gamma, cos gamma):
 *   dgamma = n/p,  d2gamma = -(e n' + n e')/p^2 - b n n'/p^3
 *
 * since D = p e + b n in the plane. The contact points are c_1 - rho_1 n and c_2 - rho_2 n, and the angle of wrap of a
 * pulley is the change of gamma over it.
 */
#include <math.h>
#include <string.h>

#include "force/rope.h"
#include "math/constants.h"
#include "math/vec3.h"

enum { N = SN_ROPE_LOCAL };

/* ---- values ---- */

static void make_span(const sn_rope *rope, int i, double start, const sn_rope_path *path, sn_rope_span *s, double z[2],
                      double zd[2]) {
  const double b = rope->stop[sn_rope_next(rope, i)].rho - rope->stop[i].rho;
  for (int a = 0; a < 3; a++) {
    s->D[a] = sn_dot(path->e[a], s->d);
    s->Dd[a] = sn_dot(path->e[a], s->dd) + sn_dot(path->ed[a], s->d);
  }
  const double p = sqrt(s->D[0] * s->D[0] + s->D[1] * s->D[1] - b * b), length = hypot(p, s->D[2]);
  const double angle = atan2(s->D[1], s->D[0]) - atan2(b, p);
  const double e[3] = {cos(angle), sin(angle), 0}, n[3] = {-e[1], e[0], 0};
  z[0] = length;
  z[1] = remainder(angle - start, 2 * SN_PI);
  for (int a = 0; a < 3; a++) {
    s->lambda[a] = s->D[a] / length;
    s->gamma[a] = n[a] / p;
  }
  for (int a = 0; a < 3; a++)
    for (int c = 0; c < 3; c++) {
      s->lambda2[a][c] = ((a == c) - s->lambda[a] * s->lambda[c]) / length;
      s->gamma2[a][c] = -(e[a] * n[c] + n[a] * e[c]) / (p * p) - b * n[a] * n[c] / (p * p * p);
    }
  zd[0] = sn_dot(s->lambda, s->Dd);
  zd[1] = sn_dot(s->gamma, s->Dd);
}

void sn_rope_path_at(const sn_rope *rope, const double *q, const double *v, bool at_start, sn_rope_path *path) {
  double c[SN_ROPE_STOPS][3], cd[SN_ROPE_STOPS][3];
  for (int a = 0; a < 3; a++) {
    rope->axis[a].ops->value(&rope->axis[a], q, path->e[a]);
    rope->axis[a].ops->rate(&rope->axis[a], q, v, path->ed[a]);
  }
  for (int k = 0; k < rope->stops; k++) {
    const sn_rope_stop *stop = &rope->stop[k];
    stop->center.ops->value(&stop->center, q, c[k]);
    stop->center.ops->rate(&stop->center, q, v, cd[k]);
    if (stop->w >= 0) {
      sn_phi phi;
      sn_phi_at(&stop->angle, q, &phi);
      path->z[stop->w] = phi.value;
      path->zd[stop->w] = sn_phi_rate(&stop->angle, &phi, q, v);
    }
    if (stop->tau >= 0) {
      path->z[stop->tau] = q[stop->flow];
      path->zd[stop->tau] = v[stop->flow];
    }
  }
  for (int i = 0; i < rope->spans; i++) {
    const int next = sn_rope_next(rope, i);
    sn_sub(path->span[i].d, c[next], c[i]);
    sn_sub(path->span[i].dd, cd[next], cd[i]);
    make_span(rope, i, at_start ? 0 : rope->start[i], path, &path->span[i], &path->z[2 * i], &path->zd[2 * i]);
  }
}

/* ---- forces ---- */

/* Forces f on the scalars of a span: g on D, F on the vector between the centers. */
static void span_force(const sn_rope_path *path, int i, const double *f, double g[3], double F[3]) {
  const sn_rope_span *s = &path->span[i];
  memset(F, 0, sizeof(double[3]));
  for (int a = 0; a < 3; a++) {
    g[a] = f[2 * i] * s->lambda[a] + f[2 * i + 1] * s->gamma[a];
    sn_axpy(F, g[a], path->e[a]);
  }
}

void sn_rope_apply(const sn_rope *rope, const sn_rope_path *path, const double *f, const sn_eval *ev, double *r) {
  for (int i = 0; i < rope->spans; i++) {
    double g[3], F[3], y[3];
    const sn_probe *ends[2] = {&rope->stop[i].center, &rope->stop[sn_rope_next(rope, i)].center};
    span_force(path, i, f, g, F);
    ends[1]->ops->apply(ends[1], ev->q, F, r);
    sn_scale(F, -1, F);
    ends[0]->ops->apply(ends[0], ev->q, F, r);
    for (int a = 0; a < 3; a++) {
      if (rope->axis[a].groups == 0) continue;
      sn_scale(y, g[a], path->span[i].d);
      rope->axis[a].ops->apply(&rope->axis[a], ev->q, y, r);
    }
  }
  for (int k = 0; k < rope->stops; k++) {
    const sn_rope_stop *stop = &rope->stop[k];
    if (stop->tau >= 0) r[stop->flow] += f[stop->tau];
    if (stop->w < 0) continue;
    sn_phi phi;
    sn_phi_at(&stop->angle, ev->q, &phi);
    sn_phi_apply(&stop->angle, &phi, ev, f[stop->w], r);
  }
}

/* ---- derivatives ---- */

int sn_rope_offset(const sn_rope *rope, int group) {
  int g = 0;
  while (rope->group[g] != group) g++;
  return rope->offset[g];
}

/* Local coordinate of each coordinate of a probe. */
static void places(const sn_rope *rope, const sn_probe *p, int *place) {
  int n = 0;
  for (int g = 0; g < p->groups; g++) {
    const int at = sn_rope_offset(rope, p->group[g]);
    for (int k = 0; k < p->size[g]; k++) place[n++] = at + k;
  }
}

void sn_rope_gather(const sn_rope *rope, const sn_probe *p, const double *J, double c, double (*to)[N]) {
  int place[SN_PROBE_COORDINATES] = {0};
  places(rope, p, place);
  for (int k = 0; k < p->count; k++)
    for (int a = 0; a < 3; a++) to[a][place[k]] += c * J[a + 3 * k];
}

typedef struct motion { /* of a point or direction, over the local coordinates */
  double J[3][N], V[3][N];
} motion;

static void add_motion(const sn_rope *rope, const sn_probe *p, const double *q, const double *v, double c, motion *m) {
  double J[3 * SN_PROBE_COORDINATES];
  if (p->groups == 0) return;
  p->ops->jacobian(p, q, J);
  sn_rope_gather(rope, p, J, c, m->J);
  if (!p->ops->rate_jacobian) return;
  p->ops->rate_jacobian(p, q, v, J);
  sn_rope_gather(rope, p, J, c, m->V);
}

void sn_rope_add_hessian(const sn_rope *rope, const sn_probe *p, const double *q, double c, const double F[3],
                         double (*T)[N]) {
  double H[SN_PROBE_COORDINATES * SN_PROBE_COORDINATES] = {0}, f[3];
  int place[SN_PROBE_COORDINATES] = {0};
  if (p->groups == 0 || !p->ops->hessian) return;
  sn_scale(f, c, F);
  p->ops->hessian(p, q, f, H, p->count);
  places(rope, p, place);
  for (int i = 0; i < p->count; i++)
    for (int j = 0; j < p->count; j++) T[place[j]][place[i]] += H[i + p->count * j];
}

/* dD = e.dd + d.de, and the rate of it. */
static void frame_motion(const sn_rope *rope, const sn_rope_path *path, const sn_rope_span *s, const motion *m,
                         const motion *axes, motion *D) {
  for (int a = 0; a < 3; a++)
    for (int k = 0; k < rope->local; k++) {
      double J = 0, V = 0;
      for (int b = 0; b < 3; b++) {
        J += path->e[a][b] * m->J[b][k] + s->d[b] * axes[a].J[b][k];
        V += path->e[a][b] * m->V[b][k] + path->ed[a][b] * m->J[b][k] + s->dd[b] * axes[a].J[b][k] +
             s->d[b] * axes[a].V[b][k];
      }
      D->J[a][k] = J;
      D->V[a][k] = V;
    }
}

/* T += c (dD' (f.d2) dD + what the axes add, g_a (dE_a' dd + dd' dE_a)) */
static void add_curvature(const sn_rope *rope, const sn_rope_span *s, const double f[2], const double g[3], double c,
                          const motion *m, const motion *axes, const motion *D, double (*T)[N]) {
  double H[3][3];
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) H[a][b] = c * (f[0] * s->lambda2[a][b] + f[1] * s->gamma2[a][b]);
  for (int j = 0; j < rope->local; j++) {
    double h[3];
    for (int a = 0; a < 3; a++) h[a] = H[a][0] * D->J[0][j] + H[a][1] * D->J[1][j] + H[a][2] * D->J[2][j];
    for (int i = 0; i < rope->local; i++) T[j][i] += D->J[0][i] * h[0] + D->J[1][i] * h[1] + D->J[2][i] * h[2];
  }
  for (int a = 0; a < 3; a++) {
    if (rope->axis[a].groups == 0) continue;
    for (int j = 0; j < rope->local; j++)
      for (int i = 0; i < rope->local; i++)
        for (int b = 0; b < 3; b++) T[j][i] += c * g[a] * (axes[a].J[b][i] * m->J[b][j] + m->J[b][i] * axes[a].J[b][j]);
  }
}

static void add_angle(const sn_rope *rope, const sn_rope_stop *stop, const double *q, const double *v, double f,
                      double *Z, double *R, double (*T)[N]) {
  enum { MOST = SN_ROPE_ANGLE };
  double G[MOST], V[MOST], H[MOST * MOST] = {0};
  int place[MOST] = {0}, n = 0, count = sn_phi_count(&stop->angle);
  sn_phi phi;
  assert(count <= MOST);
  sn_phi_at(&stop->angle, q, &phi);
  sn_phi_derivatives(&stop->angle, &phi, q, v, f, G, H, count, V);
  for (int p = 0; p < stop->angle.probes; p++) {
    places(rope, &stop->angle.probe[p], place + n);
    n += stop->angle.probe[p].count;
  }
  for (int i = 0; i < count; i++) {
    Z[place[i]] += G[i];
    R[place[i]] += V[i];
    for (int j = 0; j < count; j++) T[place[j]][place[i]] += H[i + count * j];
  }
}

void sn_rope_derivatives(const sn_rope *rope, const sn_rope_path *path, const double *q, const double *v, double c,
                         const double *f, double (*Z)[N], double (*R)[N], double (*T)[N]) {
  motion axes[3];
  memset(axes, 0, sizeof axes);
  memset(Z, 0, sizeof(double[N]) * (size_t)rope->scalars);
  memset(R, 0, sizeof(double[N]) * (size_t)rope->scalars);
  for (int a = 0; a < 3; a++) add_motion(rope, &rope->axis[a], q, v, 1, &axes[a]);
  for (int i = 0; i < rope->spans; i++) {
    const sn_rope_span *s = &path->span[i];
    const sn_probe *ends[2] = {&rope->stop[i].center, &rope->stop[sn_rope_next(rope, i)].center};
    double g[3], F[3], y[3];
    motion m, D;
    memset(&m, 0, sizeof m);
    for (int k = 0; k < 2; k++) add_motion(rope, ends[k], q, v, k ? 1 : -1, &m);
    frame_motion(rope, path, s, &m, axes, &D);
    for (int k = 0; k < rope->local; k++)
      for (int a = 0; a < 3; a++) {
        Z[2 * i][k] += s->lambda[a] * D.J[a][k];
        Z[2 * i + 1][k] += s->gamma[a] * D.J[a][k];
        R[2 * i][k] += sn_dot(s->lambda2[a], s->Dd) * D.J[a][k] + s->lambda[a] * D.V[a][k];
        R[2 * i + 1][k] += sn_dot(s->gamma2[a], s->Dd) * D.J[a][k] + s->gamma[a] * D.V[a][k];
      }
    span_force(path, i, f, g, F);
    add_curvature(rope, s, f + 2 * i, g, c, &m, axes, &D, T);
    for (int k = 0; k < 2; k++) sn_rope_add_hessian(rope, ends[k], q, k ? c : -c, F, T);
    for (int a = 0; a < 3; a++) {
      sn_scale(y, g[a], s->d);
      sn_rope_add_hessian(rope, &rope->axis[a], q, c, y, T);
    }
  }
  for (int k = 0; k < rope->stops; k++) {
    const sn_rope_stop *stop = &rope->stop[k];
    if (stop->tau >= 0) Z[stop->tau][sn_rope_offset(rope, stop->flow_group)] = 1;
    if (stop->w >= 0) add_angle(rope, stop, q, v, c * f[stop->w], Z[stop->w], R[stop->w], T);
  }
}
