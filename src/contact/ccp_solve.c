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
  double *y, *Ny, *r;
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

static double sum_of(const double lane[4]) {
  return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

/* Residual of g1 with its N1. */
static void judge(const pass *p, int first, int last, sums *sum) {
  const sn_ccp *c = p->c;
  for (int i = first; i < last; i++) {
    const double *N = p->N1 + 4 * i, *r = p->r + 4 * i;
    double d[4] = {N[0] + r[0], N[1] + r[1], N[2] + r[2], 0};
    double residual = sn_space_residual(&c->geometry[i], c->s[i], c->inverse_s[i], p->g1 + 4 * i, d);
    if (residual > sum->residual || isnan(residual)) sum->residual = residual, sum->worst = i;
  }
}

/* N1 = N g1, and with e = g1 - y: e'N e, e'S e, (N y + r)'(g1 - g0), g1'(N g1 + 2 r); the residual of g1.
 * Sums are kept direction by direction until the end; short loops keep them in registers. */
static void measure(const pass *p, int first, int last, sums *sum) {
  const sn_ccp *c = p->c;
  double e_N_e[4] = {0}, e_S_e[4] = {0}, slope[4] = {0}, f[4] = {0};
  for (int i = first; i < last; i++) sn_ccp_velocity(c, i, p->N1 + 4 * i);
  for (int i = first; i < last; i++) {
    const double *g1 = p->g1 + 4 * i, *g0 = p->g0 + 4 * i, *y = p->y + 4 * i, *Ny = p->Ny + 4 * i;
    const double *r = p->r + 4 * i, *N = p->N1 + 4 * i, s = c->s[i];
    for (int a = 0; a < 4; a++) {
      double e = g1[a] - y[a];
      e_N_e[a] += e * (N[a] - Ny[a]);
      e_S_e[a] += s * e * e;
      slope[a] += (Ny[a] + r[a]) * (g1[a] - g0[a]);
      f[a] += g1[a] * (N[a] + 2 * r[a]);
    }
  }
  sum->e_N_e = sum_of(e_N_e), sum->e_S_e = sum_of(e_S_e), sum->slope = sum_of(slope), sum->f = sum_of(f);
  if (p->judge) judge(p, first, last, sum);
}

/* g1 = P(y - step (N y + r)/s). A fresh y = g0 + b (g0 - g1) and N y likewise, from the last iterate g0 and the one
 * before it in g1. */
static void project(const pass *p, int first, int last, sums *sum) {
  const sn_ccp *c = p->c;
  (void)sum;
  for (int i = first; i < last; i++) {
    double *g1 = p->g1 + 4 * i, *y = p->y + 4 * i, *Ny = p->Ny + 4 * i, t = p->step * c->inverse_s[i], g[4];
    const double *g0 = p->g0 + 4 * i, *N0 = p->N0 + 4 * i, *N1 = p->N1 + 4 * i, *r = p->r + 4 * i;
    if (p->fresh) {
      double b = p->blend, at[4], N[4];
      for (int a = 0; a < 4; a++) at[a] = g0[a] + b * (g0[a] - g1[a]), N[a] = N0[a] + b * (N0[a] - N1[a]);
      memcpy(y, at, sizeof at);
      memcpy(Ny, N, sizeof N);
    }
    for (int a = 0; a < 4; a++) g[a] = y[a] - t * (Ny[a] + r[a]);
    sn_space_project(&c->geometry[i], g);
    memcpy(g1, g, sizeof g);
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

/* The iterate g1 is the result if it is the best so far: kept in vector[7]. */
static void keep_best(const pass *p, const sums *sum, int iterations, sn_ccp_result *best) {
  best->iterations = iterations;
  if (!p->judge || !(sqrt(sum->residual) < best->residual)) return;
  best->residual = sqrt(sum->residual);
  best->worst = (int)sum->worst;
  memcpy(p->c->vector[7], p->g1, 4 * (size_t)p->c->count * sizeof(double));
}

/* All into space; N g of the start, its residual; y = g. */
static sn_ccp_result begin(pass *p, sn_ccp *c, sums *sum) {
  size_t bytes = 4 * (size_t)c->count * sizeof(double);
  double **v = c->vector;
  *p = (pass){.c = c, .g1 = v[1], .g0 = v[2], .N0 = v[3], .N1 = v[4], .y = v[5], .Ny = v[6], .r = v[8], .judge = true};
  for (int i = 0; i < c->count; i++) {
    sn_to_space(c->geometry[i].frame, v[0] + 3 * i, p->g1 + 4 * i);
    sn_to_space(c->geometry[i].frame, c->r + 3 * i, p->r + 4 * i);
    p->g1[4 * i + 3] = p->r[4 * i + 3] = 0;
  }
  memcpy(p->g0, p->g1, bytes);
  memcpy(p->y, p->g1, bytes);
  memset(p->Ny, 0, bytes);
  memset(p->N0, 0, bytes); /* whatever its weight, it must be a number */
  sn_ccp_move(c, p->g1);
  run_pass(p, measure, sum);
  sn_ccp_result best = {.residual = INFINITY, .worst = (int)sum->worst};
  keep_best(p, sum, 0, &best);
  advance(p, 0);
  return best;
}

static sn_ccp_result finish(sn_ccp *c, sn_ccp_result best, const sn_ccp_settings *settings) {
  best.converged = best.residual <= settings->tolerance;
  for (int i = 0; i < c->count; i++) sn_from_space(c->geometry[i].frame, c->vector[7] + 4 * i, c->vector[0] + 3 * i);
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
