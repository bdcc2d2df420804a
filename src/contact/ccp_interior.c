/* ccp_interior.c - interior points: a primal-dual method with the scaling of Nesterov and Todd for the cone problem.
 *
 * With z = (xn, xt/mu) and w = (yn, mu yt), H = T N T, q = T r, T = diag(1, mu, mu), all cones are K: |zt| <= zn:
 *
 *     w = H z + q + b,   z in K,   w in K,   z'w = 0                  b = s n, see ccp.h
 *
 * Without friction a contact has its normal alone. Products of vectors of K are a o c = (a'c, a_n c_t + c_n a_t),
 * e = (1, 0, 0). Each contact has its W, symmetric, with W z = W^-1 w =: l. Newton's method for l o l = m e, m -> 0:
 *
 *     (H + W^2) dz = -(H z + q + b - w) + W (l \ c),      dw = W (l \ c) - W^2 dz
 *
 * Mehrotra's c: first c = -l o l; the step length reached determines the next m, m = (1 - a)^3 z'w/contacts, and
 * c = m e - l o l - (W^-1 dw) o (W dz). H + W^2 is positive definite whatever the rank of H, so that contacts may be
 * redundant; one Cholesky factorization, (3 contacts)^3/3, in each iteration.
 *
 * H + W^2 has 1e-13 more on its diagonal, or as much as a factorization needs: that changes the path, not the result.
 *
 * Coulomb's law: the problem is solved for given s, s is updated, and so on until the residual is small. After the
 * first solution, z and w are moved into the cones by the change of s, so that the next solution starts close to its
 * end.
 *
 * Rounding limits this to residuals of 1e-10 of the velocities, or 1e-6 where many contacts are redundant. So Newton's
 * method for the law itself (ccp_newton.c) is tried from the best result whenever that has become ten times better.
 */
#include <lapacke.h>

#include "contact/ccp_dense.h"

/* One cone: places 3 i .. 3 i + 2 of all vectors; without friction only the first counts. */
typedef struct interior {
  sn_dense *p;
  size_t size;           /* 3 contacts */
  double typical;        /* size of z and w at the start */
  double *A, *H;         /* [size][size]; of A, H + W^2 and its factor, the upper triangle of rows */
  double *z, *w, *b, *q; /* [size] each; of b only the normals count */
  double *dz, *dw, *c, *l, *rest, *best;
  double *room;   /* of newton */
  double (*W)[4]; /* [contacts] eta and the unit vector of the scaling */
} interior;

/* ---- vectors of K ---- */

static double det(const double *a) { /* a'J a, positive inside */
  double t = hypot(a[1], a[2]);
  return (a[0] - t) * (a[0] + t);
}

static void product(const double *a, const double *c, double *to) {
  double p[3] = {a[0] * c[0] + a[1] * c[1] + a[2] * c[2], a[0] * c[1] + c[0] * a[1], a[0] * c[2] + c[0] * a[2]};
  sn_copy(to, p);
}

/* to: l o to = c */
static void quotient(const double *l, const double *c, double *to) {
  double n = (l[0] * c[0] - l[1] * c[1] - l[2] * c[2]) / det(l);
  double u[3] = {n, (c[1] - n * l[1]) / l[0], (c[2] - n * l[2]) / l[0]};
  sn_copy(to, u);
}

/* How far one may go from a along d within K. */
static double reach(const double *a, const double *d) {
  double aa = det(a), ad = a[0] * d[0] - a[1] * d[1] - a[2] * d[2];
  double dd = d[0] * d[0] - d[1] * d[1] - d[2] * d[2], root = ad * ad - aa * dd; /* not below 0 but by rounding */
  double below = -ad + sqrt(fmax(root, 0));
  return below > 0 ? aa / below : INFINITY;
}

/* W = eta [u0 u1'; u1 I + u1 u1'/(1 + u0)]; its inverse has -u1 and 1/eta. */
static void scale(const double W[4], bool inverse, const double *a, double *to) {
  double eta = inverse ? 1 / W[0] : W[0], sign = inverse ? -1 : 1, u0 = W[1], u[2] = {sign * W[2], sign * W[3]};
  double along = u[0] * a[1] + u[1] * a[2], t = a[0] + along / (1 + u0);
  double v[3] = {eta * (u0 * a[0] + along), eta * (a[1] + u[0] * t), eta * (a[2] + u[1] * t)};
  sn_copy(to, v);
}

/* The W with W z = W^-1 w, and l. */
static void find_scaling(const double *z, const double *w, double W[4], double *l) {
  double dz = sqrt(det(z)), dw = sqrt(det(w)), a[3], c[3];
  for (int k = 0; k < 3; k++) a[k] = z[k] / dz, c[k] = w[k] / dw;
  double g = sqrt((1 + a[0] * c[0] + a[1] * c[1] + a[2] * c[2]) / 2);
  W[0] = sqrt(dw / dz);
  W[1] = (c[0] + a[0]) / (2 * g);
  for (int k = 1; k < 3; k++) W[1 + k] = (c[k] - a[k]) / (2 * g);
  scale(W, false, z, l);
}

/* ---- one iteration ---- */

static double T_of(const sn_dense *p, size_t i) {
  return i % 3 == 0 ? 1 : p->mu[i / 3];
}

/* rest = H z + q + b - w */
static void find_rest(interior *w) {
  for (size_t i = 0; i < w->size; i++) w->rest[i] = w->q[i] + w->b[i] - w->w[i];
  sn_dense_add(w->size, w->H, w->z, w->rest);
}

static bool factor(interior *w, double small) {
  size_t n = w->size;
  memcpy(w->A, w->H, n * n * sizeof *w->A);
  for (size_t i = 0; i < n; i += 3) { /* W^2 = eta^2 (2 u u' - J) */
    const double *W = w->W[i / 3], *u = W + 1;
    double square = W[0] * W[0];
    bool slides = w->p->mu[i / 3] > 0;
    for (size_t a = 0; a < 3; a++) {
      for (size_t b = a; b < 3 && (slides || b == 0); b++) w->A[(i + a) * n + i + b] += 2 * square * u[a] * u[b];
      w->A[(i + a) * n + i + a] += (a == 0 ? -square : slides ? square : 1) + small;
    }
  }
  return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)n, w->A, (lapack_int)n) == 0;
}

/* dz, dw for c */
static void direct(interior *w) {
  for (int i = 0; i < w->p->count; i++) {
    double *c = w->c + 3 * i;
    quotient(w->l + 3 * i, c, c);
    scale(w->W[i], false, c, c); /* W (l \ c) */
    for (int k = 0; k < 3; k++) w->dz[3 * i + k] = c[k] - w->rest[3 * i + k];
    if (w->p->mu[i] == 0) w->dz[3 * i + 1] = w->dz[3 * i + 2] = 0;
  }
  lapack_int n = (lapack_int)w->size;
  LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', n, 1, w->A, n, w->dz, n);
  for (int i = 0; i < w->p->count; i++) {
    double v[3];
    scale(w->W[i], false, w->dz + 3 * i, v);
    scale(w->W[i], false, v, v);
    for (int k = 0; k < 3; k++) w->dw[3 * i + k] = w->c[3 * i + k] - v[k];
    if (w->p->mu[i] == 0) w->dw[3 * i + 1] = w->dw[3 * i + 2] = 0;
  }
}

static double step_of(const interior *w) {
  double step = INFINITY;
  for (size_t i = 0; i < w->size; i += 3)
    step = fmin(step, fmin(reach(w->z + i, w->dz + i), reach(w->w + i, w->dw + i)));
  return step;
}

static bool is_inside(const double *a, const double *d, double step) {
  double b[3] = {a[0] + step * d[0], a[1] + step * d[1], a[2] + step * d[2]};
  return b[0] > 0 && det(b) > 0;
}

static bool stays_inside(const interior *w, double step) {
  for (size_t i = 0; i < w->size; i += 3)
    if (!is_inside(w->z + i, w->dz + i, step) || !is_inside(w->w + i, w->dw + i, step)) return false;
  return true;
}

static double gap_of(const interior *w) {
  double sum = 0;
  for (size_t i = 0; i < w->size; i++) sum += w->z[i] * w->w[i];
  return sum / w->p->count;
}

/* c = m e - l o l, less the products of the last dw and dz if they are wanted */
static void aim(interior *w, double m, bool products) {
  for (int i = 0; i < w->p->count; i++) {
    double *l = w->l + 3 * i, *c = w->c + 3 * i, u[3] = {0}, v[3];
    if (products) {
      scale(w->W[i], true, w->dw + 3 * i, u);
      scale(w->W[i], false, w->dz + 3 * i, v);
      product(u, v, u);
    }
    product(l, l, v);
    for (int k = 0; k < 3; k++) c[k] = (k == 0 ? m : 0) - v[k] - u[k];
  }
}

static void iterate(interior *w, bool center) {
  double gap = gap_of(w), small = 1e-13;
  for (int i = 0; i < w->p->count; i++) find_scaling(w->z + 3 * i, w->w + 3 * i, w->W[i], w->l + 3 * i);
  find_rest(w);
  while (!factor(w, small) && small < 1e-8) small *= 100;
  aim(w, center ? gap : 0, false);
  direct(w);
  if (!center) {
    double left = 1 - fmin(1, step_of(w));
    aim(w, left * left * left * gap, true);
    direct(w);
  }
  double step = fmin(1, 0.99 * step_of(w));
  while (step > 1e-12 && !stays_inside(w, step)) step /= 2; /* rounding at the boundary */
  for (size_t i = 0; i < w->size; i++) w->z[i] += step * w->dz[i], w->w[i] += step * w->dw[i];
}

/* ---- from a start to a solution ---- */

/* x of z, and one projected step from there */
static void show(interior *w) {
  sn_dense *p = w->p;
  for (size_t i = 0; i < w->size; i++) p->x[i] = T_of(p, i) * w->z[i];
  sn_dense_rates(p);
  sn_dense_step(p, w->b);
}

/* z and w as large as the velocities that have to change; w of those that are far off as large as they are. */
static void start(interior *w) {
  const sn_dense *p = w->p;
  w->typical = 0;
  memset(w->z, 0, w->size * sizeof *w->z);
  memset(w->w, 0, w->size * sizeof *w->w);
  for (int i = 0; i < p->count; i++) {
    const double *r = p->r + 3 * i;
    if (r[0] < p->mu[i] * hypot(r[1], r[2])) w->typical = fmax(w->typical, sn_norm(r));
  }
  for (int i = 0; i < p->count; i++) {
    w->z[3 * i] = w->typical;
    w->w[3 * i] = fmax(w->typical, sn_norm(p->r + 3 * i));
  }
}

/* s of Coulomb's law anew; z and w go inward by the largest change. */
static void renew_bias(interior *w) {
  const sn_dense *p = w->p;
  double most = 0;
  for (int i = 0; i < p->count; i++) {
    double s = p->mu[i] * hypot(p->y[3 * i + 1], p->y[3 * i + 2]);
    most = fmax(most, fabs(s - w->b[3 * i]));
    w->b[3 * i] = s;
  }
  for (size_t i = 0; i < w->size; i += 3) w->z[i] += most, w->w[i] += most;
}

static void open_interior(interior *w, sn_dense *p) {
  size_t n = 3 * (size_t)p->count;
  *w = (interior){.p = p, .size = n};
  sn_dense_room(p, 4 * n * n + 15 * n, 0);
  double *at = p->number, **vector[] = {&w->z, &w->w, &w->b, &w->q, &w->dz, &w->dw, &w->c, &w->l, &w->rest, &w->best};
  w->A = at, at += n * n;
  w->H = at, at += n * n;
  w->room = at, at += 2 * n * n + 3 * n;
  for (size_t k = 0; k < SN_COUNT(vector); k++) *vector[k] = at, at += n;
  w->W = (double(*)[4])(void *)at;
  memset(w->b, 0, n * sizeof *w->b);
  for (size_t i = 0; i < n; i++) {
    w->q[i] = T_of(p, i) * p->r[i];
    for (size_t j = 0; j < n; j++) w->H[i * n + j] = T_of(p, i) * T_of(p, j) * p->N[i * n + j];
  }
}

enum { PATIENCE = 50 }; /* iterations without a result that is better by a tenth */

/* The residuals for the present s, and of the law; x is kept if it is the best so far. True: by a tenth. */
static bool judge(interior *w, bool relaxed, sn_ccp_result *inner, sn_ccp_result *law, sn_ccp_result *best) {
  sn_dense_judge(w->p, w->b, inner);
  *law = *inner;
  if (!relaxed) sn_dense_judge(w->p, NULL, law);
  if (!(law->residual < best->residual)) return false;
  bool better = law->residual < 0.9 * best->residual;
  best->residual = law->residual, best->worst = law->worst;
  memcpy(w->best, w->p->x, w->size * sizeof *w->best);
  return better;
}

/* Newton's method on the residual, where the best result so far is near enough that it may get to the end. */
static void finish(interior *w, const sn_ccp_settings *settings, sn_ccp_result *result) {
  sn_ccp_result end;
  memcpy(w->p->x, w->best, w->size * sizeof *w->best);
  result->iterations += sn_dense_newton(w->p, settings->relaxed ? w->b : NULL, settings->tolerance, w->room, &end);
  if (!(end.residual < result->residual)) return;
  result->residual = end.residual, result->worst = end.worst;
  memcpy(w->best, w->p->x, w->size * sizeof *w->best);
}

/* Near the end the residual is the angle between zt and -wt, which falls with the root of z'w only. Centering (the same
 * z'w once more) takes it away. */
static void interior_island(sn_dense *p, const sn_ccp_settings *settings, sn_ccp_result *result) {
  interior w;
  sn_ccp_result law, inner = {0};
  int last = 0;
  bool center = false;
  open_interior(&w, p);
  sn_dense_rates(p);
  result->residual = INFINITY;
  judge(&w, settings->relaxed, &inner, &law, result);
  start(&w);
  if (w.typical == 0) { /* all contacts open by themselves */
    memset(p->x, 0, w.size * sizeof *p->x);
    sn_dense_rates(p);
    judge(&w, settings->relaxed, &inner, &law, result);
  }
  if (!settings->relaxed) renew_bias(&w);
  double near = 0.03 * result->residual;
  for (int k = 1; result->iterations < settings->iterations && k - last <= PATIENCE; k++) {
    if (!(result->residual > settings->tolerance)) break;
    center = !center && k > 1 && inner.residual * w.typical > 1e4 * gap_of(&w);
    iterate(&w, center);
    result->iterations++;
    show(&w);
    if (judge(&w, settings->relaxed, &inner, &law, result)) last = k;
    if (isnan(law.residual)) break;
    if (!settings->relaxed && inner.residual <= 0.1 * law.residual) renew_bias(&w);
    if (result->residual > near) continue;
    near = 0.1 * result->residual;
    if (result->residual > settings->tolerance) finish(&w, settings, result);
  }
  memcpy(p->x, w.best, w.size * sizeof *w.best);
}

/* Unknowns of an island above which its matrices of 72 MB become seconds for each solution, and more. */
enum { MOST = 3000 };

static sn_ccp_result solve(sn_ccp *c, const sn_ccp_settings *settings) {
  return sn_ccp_dense(c, settings, MOST / 3, interior_island);
}

int sn_ccp_interior_rest(sn_ccp *c, const sn_ccp_settings *settings) {
  enum { FEW = 40 }; /* contacts: some milliseconds */
  return sn_ccp_dense_rest(c, settings, FEW, interior_island);
}

const sn_ccp_solver_ops sn_ccp_interior_point = {.name = "interior-point", .solve = solve};
