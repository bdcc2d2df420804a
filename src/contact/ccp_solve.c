/* ccp_solve.c - solvers of the cone complementarity problem by products N g: projected Jacobi and accelerated projected
 * gradients. Both minimize f(g) = g'N g/2 + r'g over the cones, whose optimality condition the problem is.
 *
 * jacobi (Khude 6.2.7):   g := P(g - w (N g + r)/s)             w is halved where f grows
 *
 * apgd (Nesterov, with restart and backtracking, after Mazhar et al.); contact i is scaled by s_i, which leaves its
 * cone as it is and makes heavy and light bodies alike; S = diag(s):
 *
 *     g1 = P(y - (N y + r)/(L s)),   L grows until e'N e <= L e'S e,  e = g1 - y
 *     t1 = (-t^2 + t sqrt(t^2 + 4))/2,   b = t (1 - t)/(t^2 + t1),   y = g1 + b (g1 - g0),   L := 0.98 L
 *     where (N y + r)'(g1 - g0) > 0:   y = g1, t1 = 1
 *
 * N y follows from N g1 and N g0, so that one product is needed in each iteration. The residual is looked at in the
 * first iterations and then in every fourth: it costs a projection.
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
  bool fresh;   /* y is still to be found */
  bool judge;   /* residual wanted */
} pass;

/* What a pass over all contacts finds. */
typedef struct sums {
  double residual; /* largest, squared; -1: not looked at */
  double worst;    /* its contact */
  double e_N_e, e_S_e, slope, f;
} sums;

typedef void (*contact_pass)(const pass *p, int first, int last, sums *sum);

typedef struct chunked {
  const pass *p;
  contact_pass run;
} chunked;

static void run_chunk(void *user, int chunk) {
  const chunked *w = user;
  sn_ccp *c = w->p->c;
  int last = (chunk + 1) * SN_CCP_CHUNK < c->count ? (chunk + 1) * SN_CCP_CHUNK : c->count;
  sums sum = {.residual = -1};
  w->run(w->p, chunk * SN_CCP_CHUNK, last, &sum);
  memcpy(c->sum + chunk * SN_SUMS, &sum, sizeof sum);
}

/* Over all contacts; sums of the chunks are added in their order: the same bits for any number of threads. */
static void run_pass(const pass *p, contact_pass run, sums *all) {
  sn_ccp *c = p->c;
  chunked w = {p, run};
  int chunks = (c->count + SN_CCP_CHUNK - 1) / SN_CCP_CHUNK;
  sn_ccp_run(c, chunks, run_chunk, &w);
  *all = (sums){.residual = -1};
  for (int k = 0; k < chunks; k++) {
    sums part;
    memcpy(&part, c->sum + k * SN_SUMS, sizeof part);
    if (part.residual > all->residual || isnan(part.residual)) all->residual = part.residual, all->worst = part.worst;
    all->e_N_e += part.e_N_e;
    all->e_S_e += part.e_S_e;
    all->slope += part.slope;
    all->f += part.f;
  }
}

/* N1 = N g1, and with e = g1 - y: e'N e, e'S e, (N y + r)'(g1 - g0), g1'(N g1 + 2 r); the residual of g1 */
static void measure(const pass *p, int first, int last, sums *total) {
  const sn_ccp *c = p->c;
  sums sum = *total;
  for (int i = first; i < last; i++) {
    const double *g1 = p->g1 + 3 * i, *g0 = p->g0 + 3 * i, *y = p->y + 3 * i, *Ny = p->Ny + 3 * i, *r = c->r + 3 * i;
    double *N = p->N1 + 3 * i, e[3], d[3], dN[3], dy[3], dg[3], fr[3];
    sn_ccp_velocity(c, i, N);
    for (int a = 0; a < 3; a++) {
      e[a] = g1[a] - y[a];
      dN[a] = N[a] - Ny[a];
      dg[a] = g1[a] - g0[a];
      dy[a] = Ny[a] + r[a];
      d[a] = N[a] + r[a];
      fr[a] = d[a] + r[a];
    }
    sum.e_N_e += sn_dot(e, dN);
    sum.e_S_e += c->s[i] * sn_dot(e, e);
    sum.slope += sn_dot(dy, dg);
    sum.f += sn_dot(g1, fr);
    if (!p->judge) continue;
    double residual = sn_cone_residual(c->geometry[i].mu, c->s[i], c->inverse_s[i], g1, d);
    if (residual > sum.residual || isnan(residual)) sum.residual = residual, sum.worst = i;
  }
  *total = sum;
}

/* y = g0 + b (g0 - g1), N y likewise, from the last iterate g0 and the one before it in g1; then project. */
static void extrapolate(const pass *p, int first, int last) {
  double b = p->blend;
  for (int i = 3 * first; i < 3 * last; i++) {
    p->y[i] = p->g0[i] + b * (p->g0[i] - p->g1[i]);
    p->Ny[i] = p->N0[i] + b * (p->N0[i] - p->N1[i]);
  }
}

/* g1 = P(y - step (N y + r)/s) and its force */
static void project(const pass *p, int first, int last, sums *sum) {
  const sn_ccp *c = p->c;
  (void)sum;
  if (p->fresh) extrapolate(p, first, last);
  for (int i = first; i < last; i++) {
    double *g = p->g1 + 3 * i, t = p->step * c->inverse_s[i];
    for (int a = 0; a < 3; a++) g[a] = p->y[3 * i + a] - t * (p->Ny[3 * i + a] + c->r[3 * i + a]);
    sn_cone_project(c->geometry[i].mu, g);
    sn_ccp_force(c, i, g);
  }
}

static void swap(double **a, double **b) {
  double *t = *a;
  *a = *b;
  *b = t;
}

/* The next iterate: projected, with its N g. */
static void iterate(pass *p, int k, const sn_ccp_settings *settings, sums *sum) {
  p->judge = k <= 3 || k % 4 == 0 || k >= settings->iterations;
  run_pass(p, project, sum);
  p->fresh = false;
  sn_ccp_move(p->c, p->g1);
  run_pass(p, measure, sum);
}

/* Go on from g1, with y = g1 + b (g1 - g0). */
static void advance(pass *p, double blend) {
  p->blend = blend;
  p->fresh = true;
  swap(&p->g0, &p->g1);
  swap(&p->N0, &p->N1);
}

/* The iterate g1 is the result if it is the best so far: kept in vector[6]. */
static void keep_best(const pass *p, const sums *sum, int iterations, sn_ccp_result *best) {
  best->iterations = iterations;
  if (!p->judge || !(sqrt(sum->residual) < best->residual)) return;
  best->residual = sqrt(sum->residual);
  best->worst = (int)sum->worst;
  memcpy(p->c->vector[6], p->g1, 3 * (size_t)p->c->count * sizeof(double));
}

/* N g of the start, its residual; y = g. */
static sn_ccp_result begin(pass *p, sn_ccp *c, sums *sum) {
  size_t bytes = 3 * (size_t)c->count * sizeof(double);
  *p = (pass){.c = c, .g0 = c->vector[0], .g1 = c->vector[1], .N0 = c->vector[2], .N1 = c->vector[3], .judge = true};
  p->y = c->vector[4], p->Ny = c->vector[5];
  memcpy(p->g1, p->g0, bytes);
  memset(p->Ny, 0, bytes);
  memset(p->N0, 0, bytes); /* whatever its weight, it must be a number */
  memcpy(p->y, p->g0, bytes);
  for (int i = 0; i < c->count; i++) sn_ccp_force(c, i, p->g0 + 3 * i);
  sn_ccp_move(c, p->g1);
  run_pass(p, measure, sum);
  sn_ccp_result best = {.residual = INFINITY, .worst = (int)sum->worst};
  keep_best(p, sum, 0, &best);
  advance(p, 0);
  return best;
}

static sn_ccp_result finish(sn_ccp *c, sn_ccp_result best, const sn_ccp_settings *settings) {
  best.converged = best.residual <= settings->tolerance;
  memcpy(c->vector[0], c->vector[6], 3 * (size_t)c->count * sizeof(double));
  return best;
}

sn_ccp_result sn_ccp_apgd(sn_ccp *c, const sn_ccp_settings *settings) {
  pass p;
  sums sum;
  double t = 1;
  sn_ccp_result best = begin(&p, c, &sum);
  for (int k = 1; k <= settings->iterations && !(best.residual <= settings->tolerance); k++) {
    for (;; k++) { /* L grows at most to the number of contacts that meet: a few times */
      p.step = 1 / c->L;
      iterate(&p, k, settings, &sum);
      if (!(sum.e_N_e > c->L * sum.e_S_e * (1 + 1e-12)) || k >= settings->iterations) break;
      c->L = fmin(2 * c->L, fmax(1.2 * c->L, sum.e_N_e / sum.e_S_e));
    }
    keep_best(&p, &sum, k, &best);
    double t1 = (-t * t + t * sqrt(t * t + 4)) / 2, blend = t * (1 - t) / (t * t + t1);
    bool restart = sum.slope > 0;
    advance(&p, restart ? 0 : blend);
    t = restart ? 1 : t1;
    c->L = fmax(0.98 * c->L, 1e-3);
  }
  return finish(c, best, settings);
}

sn_ccp_result sn_ccp_jacobi(sn_ccp *c, const sn_ccp_settings *settings) {
  pass p;
  sums sum;
  sn_ccp_result best = begin(&p, c, &sum);
  double f = sum.f;
  p.step = 1;
  for (int k = 1; k <= settings->iterations && !(best.residual <= settings->tolerance); k++) {
    iterate(&p, k, settings, &sum);
    if (sum.f > f + 1e-14 * fabs(f) && p.step > 1e-6) {
      p.step /= 2;
      best.iterations = k;
      continue;
    }
    f = sum.f;
    keep_best(&p, &sum, k, &best);
    advance(&p, 0);
  }
  return finish(c, best, settings);
}
