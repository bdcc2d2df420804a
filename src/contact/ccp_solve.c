/* ccp_solve.c - solvers of the cone complementarity problem by products N g: projected Jacobi and accelerated projected
 * gradients. Both minimize f(g) = g'N g/2 + r'g over the cones, whose optimality condition the problem is.
 *
 * jacobi (Khude 6.2.7):   g := P(g - w (N g + r)/s)             w is halved where f grows
 *
 * apgd (Nesterov, with restart and backtracking, after Mazhar et al.); contact i is scaled by s_i, which leaves its
 * cone as it is and makes heavy and light bodies alike; S = diag(s): g1 = P(y - (N y + r)/(L s)),   L doubled until e'N
 * e <= L e'S e,  e = g1 - y t1 = (-t^2 + t sqrt(t^2 + 4))/2,   b = t (1 - t)/(t^2 + t1),   y = g1 + b (g1 - g0) where
 * (N y + r)'(g1 - g0) > 0:  y = g1, t1 = 1;   L := 0.9 L N y follows from N g1 and N g0, so that one product is needed
 * in each iteration.
 */
#include <string.h>

#include "contact/ccp_problem.h"

typedef struct pass {
  sn_ccp *c;
  double *g0, *N0; /* g of the last iteration and N g */
  double *g1, *N1; /* of this one */
  double *y, *Ny;
  double step;  /* 1/L, or w */
  double blend; /* b */
} pass;

typedef void (*contact_pass)(const pass *p, int first, int last, double sum[SN_SUMS]);

typedef struct chunked {
  const pass *p;
  contact_pass run;
} chunked;

static void run_chunk(void *user, int chunk) {
  const chunked *w = user;
  sn_ccp *c = w->p->c;
  int last = (chunk + 1) * SN_CCP_CHUNK < c->count ? (chunk + 1) * SN_CCP_CHUNK : c->count;
  double *sum = c->sum + chunk * SN_SUMS;
  memset(sum, 0, SN_SUMS * sizeof *sum);
  w->run(w->p, chunk * SN_CCP_CHUNK, last, sum);
}

/* Over all contacts; sums of the chunks are added in their order: the same bits for any number of threads. sum[0] and
 * sum[1] are a largest value and the contact it belongs to. */
static void run_pass(const pass *p, contact_pass run, double sum[SN_SUMS]) {
  sn_ccp *c = p->c;
  chunked w = {p, run};
  int chunks = (c->count + SN_CCP_CHUNK - 1) / SN_CCP_CHUNK;
  sn_ccp_chunks(c, chunks, run_chunk, &w);
  memset(sum, 0, SN_SUMS * sizeof *sum);
  for (int k = 0; k < chunks; k++) {
    const double *part = c->sum + k * SN_SUMS;
    if (part[0] > sum[0] || !(part[0] <= INFINITY)) sum[0] = part[0], sum[1] = part[1];
    for (int j = 2; j < SN_SUMS; j++) sum[j] += part[j];
  }
}

/* N1 = N g1, residual of g1, and (g1 - y)'N (g1 - y), (g1 - y)'S (g1 - y), (N y + r)'(g1 - g0), g1'(N g1 + 2 r) */
static void measure(const pass *p, int first, int last, double sum[SN_SUMS]) {
  const sn_ccp *c = p->c;
  double e_N_e = 0, e_S_e = 0, slope = 0, f = 0, largest = -1;
  for (int i = first; i < last; i++) {
    const double *g1 = p->g1 + 3 * i, *g0 = p->g0 + 3 * i, *y = p->y + 3 * i, *Ny = p->Ny + 3 * i, *r = c->r + 3 * i;
    double N[3], d[3], s = c->s[i];
    sn_ccp_gather(c, i, N);
    for (int a = 0; a < 3; a++) {
      double e = g1[a] - y[a];
      p->N1[3 * i + a] = N[a];
      d[a] = N[a] + r[a];
      e_N_e += e * (N[a] - Ny[a]);
      e_S_e += s * e * e;
      slope += (Ny[a] + r[a]) * (g1[a] - g0[a]);
      f += g1[a] * (N[a] + 2 * r[a]);
    }
    double residual = sn_cone_residual(c->mu[i], s, g1, d);
    if (residual > largest || !(residual <= INFINITY)) largest = residual, sum[1] = i;
  }
  sum[0] = largest, sum[2] = e_N_e, sum[3] = e_S_e, sum[4] = slope, sum[5] = f;
}

/* g1 = P(y - step (N y + r)/s) */
static void project(const pass *p, int first, int last, double sum[SN_SUMS]) {
  const sn_ccp *c = p->c;
  (void)sum;
  for (int i = first; i < last; i++) {
    double *g = p->g1 + 3 * i, t = p->step / c->s[i];
    for (int a = 0; a < 3; a++) g[a] = p->y[3 * i + a] - t * (p->Ny[3 * i + a] + c->r[3 * i + a]);
    sn_cone_project(c->mu[i], g);
  }
}

/* y = g1 + b (g1 - g0), and the same for N y */
static void extrapolate(const pass *p, int first, int last, double sum[SN_SUMS]) {
  double b = p->blend;
  (void)sum;
  for (int i = 3 * first; i < 3 * last; i++) {
    p->y[i] = p->g1[i] + b * (p->g1[i] - p->g0[i]);
    p->Ny[i] = p->N1[i] + b * (p->N1[i] - p->N0[i]);
  }
}

static void swap(double **a, double **b) {
  double *t = *a;
  *a = *b;
  *b = t;
}

/* N g of the start, its residual; y = g. */
static sn_ccp_result begin(pass *p, sn_ccp *c, const sn_ccp_settings *settings, double sum[SN_SUMS]) {
  size_t bytes = 3 * (size_t)c->count * sizeof(double);
  *p = (pass){.c = c, .g0 = c->vector[0], .g1 = c->vector[1], .N0 = c->vector[2], .N1 = c->vector[3]};
  p->y = c->vector[4], p->Ny = c->vector[5];
  memcpy(p->g1, p->g0, bytes);
  memcpy(p->y, p->g0, bytes);
  memset(p->Ny, 0, bytes);
  sn_ccp_spread(c, p->g1);
  run_pass(p, measure, sum);
  memcpy(p->Ny, p->N1, bytes);
  swap(&p->g0, &p->g1);
  swap(&p->N0, &p->N1);
  sn_ccp_result result = {.residual = sqrt(sum[0]), .worst = (int)sum[1]};
  result.converged = result.residual <= settings->tolerance;
  return result;
}

/* Take the iterate g1 as the result if it is the best so far: kept in vector[6]. */
static void keep_best(const pass *p, const double sum[SN_SUMS], int iterations, sn_ccp_result *best) {
  best->iterations = iterations;
  if (!(sqrt(sum[0]) < best->residual)) return;
  best->residual = sqrt(sum[0]);
  best->worst = (int)sum[1];
  memcpy(p->c->vector[6], p->g1, 3 * (size_t)p->c->count * sizeof(double));
}

static sn_ccp_result finish(sn_ccp *c, sn_ccp_result best, const sn_ccp_settings *settings) {
  best.converged = best.residual <= settings->tolerance;
  memcpy(c->vector[0], c->vector[6], 3 * (size_t)c->count * sizeof(double));
  return best;
}

sn_ccp_result sn_ccp_apgd(sn_ccp *c, const sn_ccp_settings *settings) {
  pass p;
  double sum[SN_SUMS], t = 1;
  sn_ccp_result best = begin(&p, c, settings, sum);
  memcpy(c->vector[6], p.g0, 3 * (size_t)c->count * sizeof(double));
  for (int k = 1; k <= settings->iterations && !(best.residual <= settings->tolerance); k++) {
    for (;;) { /* L grows at most to the number of contacts that meet: a few times */
      p.step = 1 / c->L;
      run_pass(&p, project, sum);
      sn_ccp_spread(c, p.g1);
      run_pass(&p, measure, sum);
      if (!(sum[2] > c->L * sum[3] * (1 + 1e-12)) || k >= settings->iterations) break;
      c->L = fmin(2 * c->L, fmax(1.2 * c->L, sum[2] / sum[3]));
      k++;
    }
    keep_best(&p, sum, k, &best);
    double t1 = (-t * t + t * sqrt(t * t + 4)) / 2;
    p.blend = t * (1 - t) / (t * t + t1);
    t = t1;
    if (sum[4] > 0) p.blend = 0, t = 1;
    run_pass(&p, extrapolate, sum);
    swap(&p.g0, &p.g1);
    swap(&p.N0, &p.N1);
    c->L = fmax(0.9 * c->L, 1e-3);
  }
  return finish(c, best, settings);
}

sn_ccp_result sn_ccp_jacobi(sn_ccp *c, const sn_ccp_settings *settings) {
  pass p;
  double sum[SN_SUMS];
  sn_ccp_result best = begin(&p, c, settings, sum);
  double f = sum[5];
  memcpy(c->vector[6], p.g0, 3 * (size_t)c->count * sizeof(double));
  p.step = 1;
  for (int k = 1; k <= settings->iterations && !(best.residual <= settings->tolerance); k++) {
    run_pass(&p, project, sum);
    sn_ccp_spread(c, p.g1);
    run_pass(&p, measure, sum);
    if (sum[5] > f + 1e-14 * fabs(f) && p.step > 1e-6) {
      p.step /= 2;
      continue;
    }
    f = sum[5];
    keep_best(&p, sum, k, &best);
    p.blend = 0;
    run_pass(&p, extrapolate, sum);
    swap(&p.g0, &p.g1);
    swap(&p.N0, &p.N1);
  }
  return finish(c, best, settings);
}
