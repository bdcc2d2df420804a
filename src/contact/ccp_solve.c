/* ccp_solve.c - solvers of the cone complementarity problem by products N g: projected Jacobi and accelerated projected
 * gradients. Both minimize f(g) = g'N g/2 + r'g over the cones, whose optimality condition the problem is; d = N g + r.
 *
 * jacobi (Khude 6.2.7):   g1 = P(g0 - w d0/s)             w is halved where f grows
 *
 * apgd (Nesterov, with restart, after Mazhar et al.); contact i is scaled by s_i, which leaves its cone as it is and
 * makes heavy and light bodies alike; S = diag(s):
 *
 *     g1 = P(y - dy/(L s)),   e = g1 - y
 *     t1 = (-t^2 + t sqrt(t^2 + 4))/2,   b = t (1 - t)/(t^2 + t1),   y = g1 + b (g1 - g0),   dy = d1 + b (d1 - d0)
 *     where dy'(g1 - g0) > 0:        y = g1, t1 = 1
 *     where e'N e > L e'S e:         L grows; otherwise L := 0.95 L
 *
 * A step that was too long is not taken back: the next one, shorter, mends it, and needs fewer iterations than steps
 * that are tried twice. One product N g is needed in each iteration.
 *
 * Heaps of thousands of bodies are solved as fast as memory is read. An iteration goes over the contacts once: it finds
 * d1, the sums above, and already the next g, as if L had not to grow and nothing to start again; where it has, the
 * last is done once more. The residual is looked at in the first iterations and then in every fourth: it costs a
 * projection.
 */
#include <string.h>

#include "contact/ccp_problem.h"
#include "math/four.h"

typedef struct pass {
  sn_ccp *c;
  const sn_island *island;
  double *g1, *g0, *g; /* this iterate, the last, the one before it; the last becomes the next */
  double *d0, *d;      /* of the last, of the one before it; the last becomes that of this iterate */
  double *r;
  double blend; /* b of the y from which g1 came */
  double next;  /* b of the next y */
  double step;  /* 1/L, or w, of the next iterate */
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
  double *sum; /* [chunks][SN_SUMS] */
} chunked;

static void run_chunk(void *user, int chunk) {
  const chunked *w = user;
  int first = w->p->island->first + chunk * SN_CCP_CHUNK, last = first + SN_CCP_CHUNK;
  sums sum = {.residual = -1};
  w->run(w->p, first, last < w->p->island->last ? last : w->p->island->last, &sum);
  memcpy(w->sum + chunk * SN_SUMS, &sum, sizeof sum);
}

/* Over all contacts of an island; sums of the chunks are added in their order: the same bits for any number of threads.
 */
static void run_pass(const pass *p, contact_pass run, sums *all) {
  const sn_island *island = p->island;
  /* an island has at most one chunk more than its share of all of them, and begins where the one before ends */
  chunked w = {p, run, p->c->sum + SN_SUMS * (island->first / SN_CCP_CHUNK + (int)(island - p->c->island))};
  int chunks = (island->last - island->first + SN_CCP_CHUNK - 1) / SN_CCP_CHUNK;
  sn_ccp_run(p->c, island->shared, chunks, run_chunk, &w);
  *all = (sums){.residual = -1};
  for (int k = 0; k < chunks; k++) {
    sums part;
    memcpy(&part, w.sum + k * SN_SUMS, sizeof part);
    if (part.residual > all->residual || isnan(part.residual)) all->residual = part.residual, all->worst = part.worst;
    all->e_N_e += part.e_N_e;
    all->e_S_e += part.e_S_e;
    all->slope += part.slope;
    all->f += part.f;
  }
}

/* sn_space_project of up to eight contacts at a time, their numbers side by side. */
enum { LANES = 8 };

static void project_lanes(const sn_cone *restrict cone, int lanes, double (*restrict f)[LANES]) {
  double n[3][LANES] = {{0}}, mu[LANES] = {0};
  for (int k = 0; k < lanes; k++) {
    for (int a = 0; a < 3; a++) n[a][k] = cone[k].n[a];
    mu[k] = cone[k].mu;
  }
  for (int k = 0; k < LANES; k++) {
    double along = n[0][k] * f[0][k] + n[1][k] * f[1][k] + n[2][k] * f[2][k];
    double x = f[0][k] - along * n[0][k], y = f[1][k] - along * n[1][k], z = f[2][k] - along * n[2][k];
    double side = sqrt(x * x + y * y + z * z), edge = (mu[k] * side + along) / (mu[k] * mu[k] + 1);
    double to = edge > 0 ? edge : 0, scale = mu[k] * to / (side + 1e-300);
    bool outside = (along < 0) | !(side <= mu[k] * along);
    f[0][k] = outside ? to * n[0][k] + scale * x : f[0][k];
    f[1][k] = outside ? to * n[1][k] + scale * y : f[1][k];
    f[2][k] = outside ? to * n[2][k] + scale * z : f[2][k];
  }
}

/* to = P(y - step dy/s) with y = at + b (at - before), dy = d + b (d - d_before), of `count` contacts. */
static void project(const sn_cone *cone, int count, double step, double b, const double *at, const double *before,
                    const double *d, const double *d_before, double *to) {
  for (int i = 0; i < count; i += LANES) {
    int lanes = count - i < LANES ? count - i : LANES;
    double f[4][LANES] = {{0}};
    for (int k = 0; k < lanes; k++) {
      double t = step * cone[i + k].inverse_s;
      for (int a = 0; a < 4; a++) {
        int j = 4 * (i + k) + a;
        f[a][k] = at[j] + b * (at[j] - before[j]) - t * (d[j] + b * (d[j] - d_before[j]));
      }
    }
    project_lanes(cone + i, lanes, f);
    for (int k = 0; k < lanes; k++)
      for (int a = 0; a < 4; a++) to[4 * (i + k) + a] = f[a][k];
  }
}

/* Of g1 with its d. */
static void judge(const pass *p, int first, int last, const double *d, sums *sum) {
  for (int i = first; i < last; i++) {
    double residual = sn_space_residual(&p->c->cone[i], p->g1 + 4 * i, d + 4 * (i - first));
    if (residual > sum->residual || isnan(residual)) sum->residual = residual, sum->worst = i;
  }
}

/* With e = g1 - y: e'N e, e'S e, dy'(g1 - g0), g1'(N g1 + 2 r). Sums are kept direction by direction until the end;
 * short loops keep them in registers. */
static void measure(const pass *p, int first, int last, const double *d1, sums *sum) {
  sn_four e_N_e = {0}, e_S_e = {0}, slope = {0}, f = {0};
  double b = p->blend;
  for (int i = first; i < last; i++) {
    sn_four g1 = sn_four_load(p->g1 + 4 * i), g0 = sn_four_load(p->g0 + 4 * i), g = sn_four_load(p->g + 4 * i);
    sn_four d0 = sn_four_load(p->d0 + 4 * i), d = sn_four_load(p->d + 4 * i), D = sn_four_load(d1 + 4 * (i - first));
    sn_four e = g1 - (g0 + b * (g0 - g)), dy = d0 + b * (d0 - d);
    e_N_e += e * (D - dy);
    e_S_e += p->c->cone[i].s * e * e;
    slope += dy * (g1 - g0);
    f += g1 * (D + sn_four_load(p->r + 4 * i));
  }
  sum->e_N_e = sn_four_sum(e_N_e), sum->e_S_e = sn_four_sum(e_S_e), sum->slope = sn_four_sum(slope);
  sum->f = sn_four_sum(f);
}

/* d1 of g1, whose motion of the parts is known, into the place of d; the next iterate into that of g. */
static void meet(const pass *p, int first, int last, sums *sum) {
  const sn_ccp *c = p->c;
  double d1[4 * SN_CCP_CHUNK];
  for (int i = first; i < last; i++) {
    const double *y = c->speed + 8 * (size_t)i, *r = p->r + 4 * i;
    sn_four_store(d1 + 4 * (i - first), sn_four_load(y) + sn_four_load(y + 4) + sn_four_load(r));
  }
  measure(p, first, last, d1, sum);
  if (p->judge) judge(p, first, last, d1, sum);
  size_t at = 4 * (size_t)first;
  project(c->cone + first, last - first, p->step, p->next, p->g1 + at, p->g0 + at, d1, p->d0 + at, p->g + at);
  memcpy(p->d + at, d1, 4 * (size_t)(last - first) * sizeof *d1);
}

/* The next iterate once more. */
static void again(const pass *p, int first, int last, sums *sum) {
  size_t at = 4 * (size_t)first;
  (void)sum;
  project(p->c->cone + first, last - first, p->step, p->next, p->g1 + at, p->g0 + at, p->d + at, p->d0 + at, p->g + at);
}

/* All that there is to know of g1, and the next iterate. */
static void iterate(pass *p, int k, const sn_ccp_settings *settings, sums *sum) {
  p->judge = k <= 3 || k % 4 == 0 || k >= settings->iterations;
  sn_ccp_move(p->c, p->island, p->g1);
  run_pass(p, meet, sum);
}

static void advance(pass *p) {
  double *next = p->g, *d1 = p->d;
  p->g = p->g0, p->g0 = p->g1, p->g1 = next;
  p->d = p->d0, p->d0 = d1;
  p->blend = p->next;
}

/* The iterate g1 is the result if it is the best so far: kept in vector[6]. */
static void keep_best(const pass *p, const sums *sum, int iterations, sn_ccp_result *best) {
  best->iterations = iterations;
  if (!p->judge || !(sqrt(sum->residual) < best->residual)) return;
  best->residual = sqrt(sum->residual);
  best->worst = (int)sum->worst;
  size_t at = 4 * (size_t)p->island->first, count = 4 * (size_t)(p->island->last - p->island->first);
  memcpy(p->c->vector[6] + at, p->g1 + at, count * sizeof(double));
}

static void begin_chunk(const pass *p, int first, int last, sums *sum) {
  const sn_ccp *c = p->c;
  size_t at = 4 * (size_t)first, bytes = 4 * (size_t)(last - first) * sizeof(double);
  (void)sum;
  for (int i = first; i < last; i++) {
    sn_to_space(c->frame[i], c->vector[0] + 3 * i, p->g1 + 4 * i);
    sn_to_space(c->frame[i], c->r + 3 * i, p->r + 4 * i);
    p->g1[4 * i + 3] = p->r[4 * i + 3] = 0;
  }
  memcpy(p->g0 + at, p->g1 + at, bytes);
  memcpy(p->g + at, p->g1 + at, bytes);
  memset(p->d0 + at, 0, bytes); /* whatever its weight, it must be a number */
  memset(p->d + at, 0, bytes);
}

/* All into space; the residual of the start, and the first step from it. */
static sn_ccp_result begin(pass *p, sn_ccp *c, const sn_island *island, double step, const sn_ccp_settings *settings,
                           sums *sum) {
  double **v = c->vector;
  *p = (pass){
      .c = c, .island = island, .g1 = v[1], .g0 = v[2], .g = v[3], .d0 = v[4], .d = v[5], .r = v[7], .step = step};
  run_pass(p, begin_chunk, sum);
  iterate(p, 0, settings, sum);
  sn_ccp_result best = {.residual = INFINITY, .worst = (int)sum->worst};
  keep_best(p, sum, 0, &best);
  advance(p);
  return best;
}

static void finish_chunk(const pass *p, int first, int last, sums *sum) {
  const sn_ccp *c = p->c;
  (void)sum;
  for (int i = first; i < last; i++) sn_from_space(c->frame[i], c->vector[6] + 4 * i, c->vector[0] + 3 * i);
}

static sn_ccp_result finish(const pass *p, sn_ccp_result best, const sn_ccp_settings *settings) {
  sums sum;
  best.converged = best.residual <= settings->tolerance;
  best.work = (long)best.iterations * (p->island->last - p->island->first);
  run_pass(p, finish_chunk, &sum);
  return best;
}

static sn_ccp_result apgd(sn_ccp *c, const sn_island *island, const sn_ccp_settings *settings) {
  pass p;
  sums sum;
  double t = 1, L0 = 1e-3;
  for (int k = island->part_first; k < island->part_last; k++) L0 = fmax(L0, c->L[c->active[k]]);
  sn_ccp_result best = begin(&p, c, island, 1 / L0, settings, &sum);
  for (int k = 1; k <= settings->iterations && !(best.residual <= settings->tolerance); k++) {
    double t1 = (-t * t + t * sqrt(t * t + 4)) / 2, L = fmax(0.95 * L0, 1e-3);
    p.next = t * (1 - t) / (t * t + t1);
    p.step = 1 / L;
    iterate(&p, k, settings, &sum);
    keep_best(&p, &sum, k, &best);
    bool restart = sum.slope > 0, longer = sum.e_N_e > L0 * sum.e_S_e * (1 + 1e-12);
    if (longer) L = fmin(2 * L0, fmax(1.2 * L0, sum.e_N_e / sum.e_S_e));
    if (restart) p.next = 0;
    if (restart || longer) {
      p.step = 1 / L;
      run_pass(&p, again, &sum);
    }
    t = restart ? 1 : t1;
    L0 = L;
    advance(&p);
  }
  for (int k = island->part_first; k < island->part_last; k++) c->L[c->active[k]] = L0;
  return finish(&p, best, settings);
}

static sn_ccp_result jacobi(sn_ccp *c, const sn_island *island, const sn_ccp_settings *settings) {
  pass p;
  sums sum;
  sn_ccp_result best = begin(&p, c, island, 1, settings, &sum);
  double f = sum.f;
  for (int k = 1; k <= settings->iterations && !(best.residual <= settings->tolerance); k++) {
    iterate(&p, k, settings, &sum);
    if (sum.f > f + 1e-14 * fabs(f) && p.step > 1e-6) { /* back to g0, and a shorter step from there */
      pass back = p;
      p.step /= 2;
      back.step = p.step, back.g1 = p.g0, back.d = p.d0, back.g = p.g1;
      run_pass(&back, again, &sum);
      best.iterations = k;
      continue;
    }
    f = sum.f;
    keep_best(&p, &sum, k, &best);
    advance(&p);
  }
  return finish(&p, best, settings);
}

/* ---- island by island ---- */

typedef struct archipelago {
  sn_ccp *c;
  const sn_ccp_settings *settings;
} archipelago;

static void solve_island(void *user, int number) {
  const archipelago *w = user;
  sn_island *island = &w->c->island[number];
  if (w->settings->method == SN_CCP_JACOBI)
    island->result = jacobi(w->c, island, w->settings);
  else
    island->result = apgd(w->c, island, w->settings);
}

static void solve_small(void *user, int number) {
  const archipelago *w = user;
  if (!w->c->island[number].shared) solve_island(user, number);
}

sn_ccp_result sn_ccp_gradients(sn_ccp *c, const sn_ccp_settings *settings) {
  archipelago w = {c, settings};
  sn_ccp_result all = {.residual = -1, .converged = true};
  for (int k = 0; k < c->islands; k++)
    if (c->island[k].shared) solve_island(&w, k);
  sn_ccp_run(c, true, c->islands, solve_small, &w);
  for (int k = 0; k < c->islands; k++) {
    const sn_ccp_result *r = &c->island[k].result;
    if (r->residual > all.residual || isnan(r->residual)) all.residual = r->residual, all.worst = r->worst;
    if (r->iterations > all.iterations) all.iterations = r->iterations;
    all.work += r->work;
    all.converged = all.converged && r->converged;
  }
  return all;
}
