/* ccp_solve.c - solvers of the cone complementarity problem by products N g: projected Jacobi and accelerated projected
 * gradients. Both minimize f(g) = g'N g/2 + r'g over the cones, whose optimality condition the problem is; d = N g + r.
 *
 * jacobi (Khude 6.2.7):   g1 = P(g0 - w S^-1 d0)          w is halved where f grows
 *
 * apgd (Nesterov, with restart, after Mazhar et al.); contact i is scaled by S_i = diag(a, t, t), along its normal and
 * across, which compensates for different masses and for the mobility of what rolls (a sphere: t = 3.5 a); P projects
 * by the same measure:
 *
 *     g1 = P(y - S^-1 dy/L),   e = g1 - y
 *     t1 = (-t^2 + t sqrt(t^2 + 4))/2,   b = t (1 - t)/(t^2 + t1),   y = g1 + b (g1 - g0),   dy = d1 + b (d1 - d0)
 *     where dy'(g1 - g0) > 0:        y = g1, t1 = 1
 *     where e'N e > L e'S e:         L grows; otherwise L := 0.95 L
 *
 * Coulomb's law: whenever residuals are evaluated, s = mu |d_t| of each contact is updated. r and the d of all iterates
 * change by the same amount, so that the information about N remains valid, and the residual is that of the law.
 *
 * A step that was too long is not repeated: the next, shorter one corrects it, which needs fewer iterations than
 * repeating steps. One product N g is needed in each iteration.
 *
 * For heaps of thousands of bodies the speed is limited by memory access. An iteration has one loop over the contacts:
 * it computes d1, the sums above, and the next g under the assumption that L does not grow and there is no restart;
 * otherwise the last part is repeated.
 *
 * The worst residual grows with the number of contacts. Therefore contacts are grouped into blocks of neighbors (see
 * contact/order.c). L and t belong to a region of some blocks, with its own terms of the sums: if the tests hold in all
 * regions, they hold for the whole. Regions are large enough that their interaction at the borders is negligible. A
 * block whose residual is below a quarter of the tolerance sleeps: its impulses are constant, and only its residual is
 * computed, if a component it touches moves. When its neighbors have raised the residual above the tolerance, it wakes.
 * The problem is solved when the residuals of all blocks, at the same impulses, are small. They are evaluated in the
 * first iterations and then in every second one. A problem that takes very long is solved as one region without sleeping
 * blocks.
 */
#include <string.h>

#include "contact/ccp_problem.h"

typedef struct pass {
  sn_ccp *c;
  sn_island *island;
  double *g1, *g0, *g; /* this iterate, the last, the one before it; the last becomes the next */
  double *d0, *d;      /* of the last, of the one before it; the last becomes that of this iterate */
  double *r;
  double w;               /* jacobi: of the next step */
  int region;             /* apgd: blocks in a region */
  double tolerance, rest; /* of the residual: to be solved, to rest */
  bool judge;             /* residual wanted */
  bool start;             /* g1 is the start */
  bool coulomb;           /* and s */
} pass;

/* ---- over all blocks of an island ---- */

typedef void (*block_task)(const pass *p, sn_ccp_block *block, int first, int last);

typedef struct blocks_run {
  const pass *p;
  block_task task;
} blocks_run;

static sn_cones *cones_of(const pass *p, const sn_ccp_block *block) {
  const long number = block - p->c->block - p->island->block;
  return &p->c->cones[p->island->cones + number * (SN_CCP_CHUNK / SN_GROUP)];
}

static sn_ccp_block *block_at(const sn_ccp *c, const sn_island *island, int contact) {
  return &c->block[island->block + (contact - island->first) / SN_CCP_CHUNK];
}

static void run_block(void *user, int number) {
  const blocks_run *w = user;
  const sn_island *island = w->p->island;
  int first = island->first + number * SN_CCP_CHUNK, last = first + SN_CCP_CHUNK;
  w->task(w->p, &w->p->c->block[island->block + number], first, last < island->last ? last : island->last);
}

static void run_blocks(const pass *p, block_task task) {
  blocks_run w = {p, task};
  sn_ccp_run(p->c, p->island->shared, sn_island_blocks(p->island), run_block, &w);
}

/* ---- kernels ---- */

/* d1 = N g1 + r, after the components have moved */
static void find_rates(const pass *p, int first, int last, double *d1) {
  for (int i = first; i < last; i++)
    sn_four_store(d1 + 4 * (i - first), sn_ccp_velocity(p->c, i) + sn_four_load(p->r + 4 * i));
}

/* s changes: along n, in r and in all d. */
static void shift(const pass *p, int first, int last, const double *change, double *d1) {
  const sn_ccp *c = p->c;
  for (int i = first; i < last; i++) {
    const double *n = c->cone[i].n, s = change[i - first];
    double *to[4] = {p->r + 4 * i, p->d0 + 4 * i, p->d + 4 * i, d1 + 4 * (i - first)};
    const sn_four e = {s * n[0], s * n[1], s * n[2], 0};
    c->bias[i] += s;
    for (int k = 0; k < 4; k++) sn_four_store(to[k], sn_four_load(to[k]) + e);
  }
}

/* The largest residual, of g1 with its d; Coulomb's law: s = mu |d_t| anew. */
static void judge(const pass *p, sn_ccp_block *b, int first, int last, double *d1) {
  double largest = -1, residual[SN_CCP_CHUNK], change[SN_CCP_CHUNK];
  const double *bias = p->coulomb ? p->c->bias + first : NULL;
  sn_ccp_judge(cones_of(p, b), last - first, p->g1 + 4 * (size_t)first, d1, bias, change, residual);
  if (bias) shift(p, first, last, change, d1);
  for (int i = first; i < last; i++)
    if (residual[i - first] > largest || isnan(residual[i - first])) largest = residual[i - first], b->worst = i;
  b->residual = sqrt(largest);
}

/* Does a contact of the start open, g /= 0 with P(g - d/s) = 0? Its impulse is left over from former steps. It may be
 * within the tolerance, but would remain as long as the contact is found: the start is not accepted as the result. Where
 * its residual says so already, nothing needs to be found. */
static void find_leftovers(const pass *p, sn_ccp_block *b, int first, int last, const double *d1) {
  b->leftover = false;
  if (!(b->residual <= p->tolerance)) return;
  for (int i = first; i < last; i++) {
    const double *g = p->g1 + 4 * i, *d = d1 + 4 * (i - first);
    const double h = p->c->cone[i].inverse_s;
    double rest[4] = {g[0] - h * d[0], g[1] - h * d[1], g[2] - h * d[2], 0};
    sn_space_project(&p->c->cone[i], rest);
    b->leftover |= sn_dot(g, g) > 0 && sn_dot(rest, rest) == 0;
  }
}

/* ---- from given impulses to a result ---- */

/* The same impulses in all three places, which go round. */
static void forget_past(const pass *p, int first, int last) {
  size_t at = 4 * (size_t)first, bytes = 4 * (size_t)(last - first) * sizeof(double);
  memcpy(p->g0 + at, p->g1 + at, bytes);
  memcpy(p->g + at, p->g1 + at, bytes);
}

/* Into space. */
static void begin_block(const pass *p, sn_ccp_block *b, int first, int last) {
  const sn_ccp *c = p->c;
  size_t at = 4 * (size_t)first, bytes = 4 * (size_t)(last - first) * sizeof(double);
  *b = (sn_ccp_block){0};
  sn_cones_take(c->cone + first, last - first, cones_of(p, b));
  for (int i = first; i < last; i++) {
    sn_to_space(c->frame[i], c->vector[0] + 3 * i, p->g1 + 4 * i);
    sn_to_space(c->frame[i], c->r + 3 * i, p->r + 4 * i);
    p->g1[4 * i + 3] = p->r[4 * i + 3] = 0;
    c->bias[i] = 0;
  }
  forget_past(p, first, last);
  memset(p->d0 + at, 0, bytes); /* it must be finite for any weight */
  memset(p->d + at, 0, bytes);
}

static void begin(pass *p, sn_ccp *c, sn_island *island, const sn_ccp_settings *settings) {
  double **v = c->vector;
  *p = (pass){.c = c, .island = island, .g1 = v[1], .g0 = v[2], .g = v[3], .d0 = v[4], .d = v[5], .r = v[7], .w = 1};
  p->tolerance = settings->tolerance;
  p->coulomb = !settings->relaxed;
  island->result = (sn_ccp_result){.residual = INFINITY, .worst = island->first};
  run_blocks(p, begin_block);
}

/* Is this an iteration in which residuals are looked at? */
static bool judged(int k, const sn_ccp_settings *settings) {
  return k <= 3 || k % 2 == 0 || k >= settings->iterations;
}

/* What has been at rest since it was kept is the same. */
static void keep_block(const pass *p, sn_ccp_block *b, int first, int last) {
  size_t at = 4 * (size_t)first, bytes = 4 * (size_t)(last - first) * sizeof(double);
  if (!b->kept) memcpy(p->c->vector[6] + at, p->g1 + at, bytes);
  b->kept = b->asleep;
}

/* The iterate g1 is the result if it is the best so far: kept in vector[6]. True: it is good enough. */
static bool keep_best(const pass *p) {
  sn_ccp_result *best = &p->island->result;
  const sn_ccp_block *block = p->c->block + p->island->block, *worst = block;
  bool leftover = block->leftover;
  for (int k = 1; k < sn_island_blocks(p->island); k++) {
    if (block[k].residual > worst->residual || isnan(block[k].residual)) worst = &block[k];
    leftover = leftover || block[k].leftover;
  }
  if (!(worst->residual < best->residual)) return false;
  best->residual = worst->residual;
  best->worst = worst->worst;
  run_blocks(p, keep_block);
  return best->residual <= p->tolerance && !(p->start && leftover);
}

static void advance(pass *p) {
  double *next = p->g, *d1 = p->d;
  p->g = p->g0, p->g0 = p->g1, p->g1 = next;
  p->d = p->d0, p->d0 = d1;
}

static void finish_block(const pass *p, sn_ccp_block *b, int first, int last) {
  const sn_ccp *c = p->c;
  (void)b;
  for (int i = first; i < last; i++) sn_from_space(c->frame[i], c->vector[6] + 4 * i, c->vector[0] + 3 * i);
}

/* ---- apgd ---- */

enum { LONG = 200 }; /* iterations */

/* A block that wakes has no previous iterate. */
static void change_rest(const pass *p, sn_ccp_block *b, int first, int last, const double *d1) {
  size_t at = 4 * (size_t)first, bytes = 4 * (size_t)(last - first) * sizeof(double);
  bool asleep = b->residual <= (b->asleep ? p->tolerance : p->rest) && !(p->start && b->leftover);
  if (asleep == b->asleep) return;
  b->asleep = asleep;
  b->kept = false;
  forget_past(p, first, last);
  memcpy(p->d0 + at, d1, bytes);
  memcpy(p->d + at, d1, bytes);
}

/* d1 of g1 into the place of d; the next iterate into that of g. */
static void apgd_block(const pass *p, sn_ccp_block *b, int first, int last) {
  double d1[4 * SN_CCP_CHUNK];
  size_t at = 4 * (size_t)first;
  if (b->asleep && !(p->judge && b->disturbed)) return;
  const sn_cones *cones = cones_of(p, b);
  find_rates(p, first, last, d1);
  if (p->judge) {
    judge(p, b, first, last, d1);
    if (p->start) find_leftovers(p, b, first, last, d1);
    change_rest(p, b, first, last, d1);
  }
  if (b->asleep) return;
  const sn_iterates v = {p->g1 + at, p->g0 + at, p->g + at, p->d0 + at, p->d + at};
  sn_ccp_iterate(cones, last - first, d1, &v, b);
}

/* The next iterate once more. */
static void apgd_again(const pass *p, sn_ccp_block *b, int first, int last) {
  size_t at = 4 * (size_t)first;
  const sn_region *r = b->region;
  if (b->asleep || !r->again) return;
  sn_ccp_project(cones_of(p, b), last - first, r->step, r->next, p->g1 + at, p->g0 + at, p->d + at, p->d0 + at,
                 p->g + at);
}

static void disturb_chunk(void *user, int chunk) {
  const pass *p = user;
  sn_ccp *c = p->c;
  const sn_island *island = p->island;
  int first = island->component_first + chunk * SN_COMPONENT_CHUNK, last = first + SN_COMPONENT_CHUNK;
  for (int k = first; k < last && k < island->component_last; k++) {
    const sn_link *link = c->link + c->start[c->active[k]];
    const int sides = c->sides[c->active[k]];
    c->awake[k] = false;
    for (int j = 0; j < sides && !c->awake[k]; j++) c->awake[k] = !block_at(c, island, link[j].edge / 2)->asleep;
    for (int j = 0; j < sides && c->awake[k]; j++)
      __atomic_store_n(&block_at(c, island, link[j].edge / 2)->disturbed, true, __ATOMIC_RELAXED);
  }
}

/* Number of contacts not at rest. Components whose contacts all rest are not moved; the others disturb blocks, a block
 * perhaps several of them on several threads. Who moves and who is disturbed stays as it is while the same blocks sleep.
 */
static int find_awake(pass *p) {
  sn_ccp *c = p->c;
  const sn_island *island = p->island;
  const int blocks = sn_island_blocks(island);
  int awake = island->last - island->first;
  bool same = true;
  sn_ccp_block *block = c->block + island->block;
  for (int k = 0; k < blocks; k++) {
    same = same && block[k].slept == block[k].asleep;
    block[k].slept = block[k].asleep;
    if (block[k].asleep) awake -= k + 1 < blocks ? SN_CCP_CHUNK : island->last - island->first - k * SN_CCP_CHUNK;
  }
  if (same) return awake;
  for (int k = 0; k < blocks; k++) block[k].disturbed = false;
  sn_ccp_run(c, island->shared, sn_component_chunks(island), disturb_chunk, p);
  return awake;
}

/* The L of regions from those of their components, as they were after the last solution; and back. */
static void exchange_curvature(const pass *p, bool back) {
  sn_ccp *c = p->c;
  const sn_island *island = p->island;
  for (int k = island->component_first; k < island->component_last; k++) {
    const sn_link *link = c->link + c->start[c->active[k]];
    double *L = &c->L[c->active[k]];
    if (back) *L = 1e-3;
    for (int j = 0; j < c->sides[c->active[k]]; j++) {
      sn_region *region = block_at(c, island, link[j].edge / 2)->region;
      if (back)
        *L = fmax(*L, region->L);
      else
        region->L = fmax(*L, region->L);
    }
  }
}

static void begin_regions(const pass *p) {
  sn_ccp *c = p->c;
  const sn_island *island = p->island;
  for (int k = 0; k < sn_island_blocks(island); k++) {
    sn_region *region = &c->region[island->block + k / p->region];
    c->block[island->block + k].region = region;
    if (k % p->region == 0) *region = (sn_region){.t = 1, .L = 1e-3};
  }
  exchange_curvature(p, false);
}

/* The next y and step, unless the sums find otherwise. */
static void plan_regions(const pass *p, bool first) {
  for (int k = 0; k < sn_island_blocks(p->island); k += p->region) {
    sn_region *r = p->c->block[p->island->block + k].region;
    double t = r->t;
    r->t1 = first ? 1 : (-t * t + t * sqrt(t * t + 4)) / 2;
    r->next = t * (1 - t) / (t * t + r->t1);
    r->step = 1 / fmax(0.95 * r->L, 1e-3);
  }
}

/* L after a step that was too long for the curvature found in it. Doubled at most, as some terms belong to directions that
 * do not come again. Steps that are many times too long are another matter: each multiplies the error by that number, and
 * what they add to impulses that balance each other (two sides of a slot) only goes away bit by bit. */
static double grown(double L, double curvature) {
  const double MANY = 8;
  return curvature > MANY * L ? curvature : fmin(2 * L, fmax(1.2 * L, curvature));
}

/* Another L, or a new start, where the sums over all of a region that does not rest ask for it. */
static bool adapt_region(sn_region *r, const sn_ccp_block *block, int blocks) {
  double e_N_e = 0, e_S_e = 0, slope = 0;
  int awake = 0;
  for (int k = 0; k < blocks; k++) {
    if (block[k].asleep) continue;
    awake++;
    e_N_e += block[k].e_N_e, e_S_e += block[k].e_S_e, slope += block[k].slope;
  }
  if (awake == 0) { /* its state when it wakes is not known */
    r->t = 1, r->blend = 0, r->again = false;
    return false;
  }
  bool restart = slope > 0, longer = e_N_e > r->L * e_S_e * (1 + 1e-12);
  r->again = restart || longer;
  r->L = longer ? grown(r->L, e_N_e / e_S_e) : 1 / r->step;
  r->t = restart ? 1 : r->t1;
  r->step = 1 / r->L;
  if (restart) r->next = 0;
  r->blend = r->next;
  return r->again;
}

static void adapt(const pass *p) {
  bool again = false;
  int blocks = sn_island_blocks(p->island);
  for (int k = 0; k < blocks; k += p->region) {
    sn_ccp_block *block = &p->c->block[p->island->block + k];
    again = adapt_region(block->region, block, blocks - k < p->region ? blocks - k : p->region) || again;
  }
  if (again) run_blocks(p, apgd_again);
}

static void forget_block(const pass *p, sn_ccp_block *b, int first, int last) {
  b->asleep = b->kept = false;
  forget_past(p, first, last);
}

/* A problem that takes long continues as one region without sleeping blocks: this is safer for hard problems. */
static int join_regions(pass *p) {
  exchange_curvature(p, true);
  p->region = sn_island_blocks(p->island);
  begin_regions(p);
  run_blocks(p, forget_block);
  p->rest = -1;
  return find_awake(p);
}

static void apgd(pass *p, const sn_ccp_settings *settings) {
  sn_ccp_result *result = &p->island->result;
  int awake = p->island->last - p->island->first;
  bool solved = false;
  p->region = SN_REGION;
  p->rest = p->tolerance / 4;
  begin_regions(p);
  for (int k = 0; k <= settings->iterations && !solved; k++) {
    if (k == LONG && sn_island_blocks(p->island) > 1) awake = join_regions(p);
    p->judge = judged(k, settings);
    p->start = k == 0 && settings->iterations > 0;
    result->iterations = k;
    result->work += k > 0 ? awake : 0;
    plan_regions(p, k == 0);
    sn_ccp_move(p->c, p->island, p->g1);
    run_blocks(p, apgd_block);
    if (p->judge) {
      solved = keep_best(p);
      awake = find_awake(p);
    }
    adapt(p);
    advance(p);
  }
  if (result->iterations > 0) exchange_curvature(p, true); /* without a step nothing is known about L */
}

/* ---- jacobi ---- */

/* 2 f = g1'(N g1 + 2 r), and the next iterate into the place of g */
static void jacobi_block(const pass *p, sn_ccp_block *b, int first, int last) {
  double d1[4 * SN_CCP_CHUNK];
  size_t at = 4 * (size_t)first;
  sn_four f = {0};
  const sn_cones *cones = cones_of(p, b);
  find_rates(p, first, last, d1);
  if (p->judge) judge(p, b, first, last, d1);
  for (int i = first; i < last; i++)
    f += sn_four_load(p->g1 + 4 * i) * (sn_four_load(d1 + 4 * (i - first)) + sn_four_load(p->r + 4 * i));
  b->f = sn_four_sum(f);
  if (p->start) find_leftovers(p, b, first, last, d1);
  sn_ccp_project(cones, last - first, p->w, 0, p->g1 + at, p->g1 + at, d1, d1, p->g + at);
  memcpy(p->d + at, d1, 4 * (size_t)(last - first) * sizeof *d1);
}

/* From g0 once more, in place of g1. */
static void jacobi_again(const pass *p, sn_ccp_block *b, int first, int last) {
  size_t at = 4 * (size_t)first;
  sn_ccp_project(cones_of(p, b), last - first, p->w, 0, p->g0 + at, p->g0 + at, p->d0 + at, p->d0 + at, p->g1 + at);
}

static void jacobi(pass *p, const sn_ccp_settings *settings) {
  double before = INFINITY;
  bool solved = false;
  for (int k = 0; k <= settings->iterations && !solved; k++) {
    double f = 0;
    p->judge = judged(k, settings);
    p->start = k == 0 && settings->iterations > 0;
    p->island->result.iterations = k;
    p->island->result.work += k > 0 ? p->island->last - p->island->first : 0;
    sn_ccp_move(p->c, p->island, p->g1);
    run_blocks(p, jacobi_block);
    if (p->judge && p->coulomb) before = INFINITY; /* another f */
    for (int b = 0; b < sn_island_blocks(p->island); b++) f += p->c->block[p->island->block + b].f;
    if (f > before + 1e-12 * fabs(before) && p->w > 1e-6) { /* a shorter step */
      p->w /= 2;
      run_blocks(p, jacobi_again);
      continue;
    }
    before = f;
    if (p->judge) solved = keep_best(p);
    advance(p);
  }
}

/* ---- island by island ---- */

typedef struct island_batch {
  sn_ccp *c;
  const sn_ccp_settings *settings;
  void (*solve)(pass *p, const sn_ccp_settings *settings);
} island_batch;

static void solve_island(void *user, int number) {
  const island_batch *w = user;
  sn_island *island = &w->c->island[number];
  pass p;
  begin(&p, w->c, island, w->settings);
  w->solve(&p, w->settings);
  island->result.converged = island->result.residual <= w->settings->tolerance;
  run_blocks(&p, finish_block);
}

static void solve_small(void *user, int number) {
  const island_batch *w = user;
  if (!w->c->island[number].shared) solve_island(user, number);
}

static sn_ccp_result solve_islands(island_batch w) {
  sn_ccp *c = w.c;
  for (int k = 0; k < c->islands.count; k++)
    if (c->island[k].shared) solve_island(&w, k);
  if (c->threads) /* each takes long */
    sn_threads_run(c->threads, c->islands.count, solve_small, &w);
  else
    sn_ccp_run(c, false, c->islands.count, solve_small, &w);
  return sn_ccp_of_islands(c);
}

static sn_ccp_result solve_apgd(sn_ccp *c, const sn_ccp_settings *settings) {
  return solve_islands((island_batch){c, settings, apgd});
}
static sn_ccp_result solve_jacobi(sn_ccp *c, const sn_ccp_settings *settings) {
  return solve_islands((island_batch){c, settings, jacobi});
}

const sn_ccp_solver_ops sn_ccp_apgd = {.name = "apgd", .solve = solve_apgd};
const sn_ccp_solver_ops sn_ccp_jacobi = {.name = "jacobi", .solve = solve_jacobi};
