/* joint_impulses.c - see joint_impulses.h.
 *
 *   u = u(x) + W f,   W = R A^-1 R'          dense: models have few joints with friction or rigid stops
 *   f_i := P(f_i - W_ii^-1 (u_i + r_i))       projected Gauss-Seidel; P onto |f| <= h b_i, or f >= 0
 *
 * In blocks of three that slide, W_ii is replaced by a bound of it: f_i := P(f_i - u_i/s_i). Outer iterations take b from
 * the last p, until p agrees with b. */
#include "system/joint_impulses.h"

#include <math.h>
#include <string.h>

#include "force/friction.h"
#include "force/stop.h"
#include "math/vec3.h"
#include "system/equations.h"

enum { SWEEPS = 2000, ROUNDS = 100 };
static const double ROUNDING = 1e-14; /* of the largest speed: what sweeps may leave */
static const double SETTLED = 1e-12;  /* of the largest bound: what rounds may leave */
static const double UNSETTLED = 1e-6; /* the same: what is counted as a failure */

typedef struct block {
  const sn_friction *friction; /* NULL: a limit of a ... */
  const sn_stop *stop;
  double side;       /* 1: max, -1: min */
  double gap, r;     /* g, r */
  bool hits;         /* it rebounds in this step */
  int first, rows;   /* of its speeds: 1 or 3 */
  double bound;      /* h b */
  double strength;   /* speed at the start of the step, for s */
  double scale;      /* s_i */
  double inverse[9]; /* of W_ii */
} block;

struct sn_joint_impulses {
  sn_system *system;
  int count, rows;
  block *block;
  double *R, *Y; /* [rows][n] du/dv; [rows][n + m] A^-1 (R', 0) */
  double *W;     /* [rows][rows] */
  double *u0;    /* [rows] speeds at the start of the step */
  double *f, *u; /* [rows] impulses; speeds with them */
  double *last;  /* [rows] f of the last solution */
  double *l;     /* [m] */
  const sn_state *state;
  double h, rebound, recovery;
};

static void add_limits(sn_joint_impulses *w, const sn_stop *stop) {
  for (int upper = 0; stop->rigid && upper < 2; upper++)
    if (isfinite(upper ? stop->max : stop->min))
      w->block[w->count++] = (block){.stop = stop, .side = upper ? 1 : -1, .first = w->rows++, .rows = 1};
}

sn_joint_impulses *sn_joint_impulses_create(sn_system *s, double rebound, double recovery) {
  const sn_stop *stop;
  const int stops = sn_stops_of(s->model, &stop), all = sn_frictions_of(s->model, NULL, 0);
  const sn_friction **list = SN_NEW(&s->arena, const sn_friction *, all + 1);
  sn_joint_impulses *w = SN_NEW(&s->arena, sn_joint_impulses, 1);
  *w = (sn_joint_impulses){.system = s, .block = SN_NEW(&s->arena, block, all + 2 * stops + 1)};
  w->rebound = rebound;
  w->recovery = recovery;
  sn_frictions_of(s->model, list, all);
  for (int i = 0; i < all; i++) {
    if (list[i]->mu == 0 && list[i]->constant == 0) continue;
    w->block[w->count++] = (block){.friction = list[i], .first = w->rows, .rows = list[i]->ball ? 3 : 1};
    w->rows += list[i]->ball ? 3 : 1;
  }
  for (int i = 0; i < stops; i++) add_limits(w, &stop[i]);
  if (w->count == 0) return NULL;
  w->R = SN_NEW(&s->arena, double, w->rows * s->n);
  w->Y = SN_NEW(&s->arena, double, w->rows *(s->n + s->m));
  w->W = SN_NEW(&s->arena, double, w->rows * w->rows);
  w->u0 = SN_NEW(&s->arena, double, 4 * w->rows);
  w->f = w->u0 + w->rows;
  w->u = w->f + w->rows;
  w->last = w->u + w->rows;
  w->l = SN_NEW(&s->arena, double, s->m + 1);
  return w;
}

static double product(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* ---- a step ---- */

/* Inverse of the block W_ii, and a bound of its eigenvalues; a joint that nothing can move has a small one. */
static void prepare_block(const sn_joint_impulses *w, block *b, double least) {
  double T[3][3], c[3][3];
  b->scale = 0;
  for (int i = 0; i < b->rows; i++) {
    double sum = 0;
    for (int k = 0; k < b->rows; k++) {
      T[i][k] = w->W[(size_t)(b->first + i) * (size_t)w->rows + (size_t)(b->first + k)];
      sum += fabs(T[i][k]);
    }
    b->scale = fmax(b->scale, sum);
  }
  b->scale = fmax(b->scale, least);
  if (b->rows == 1) return;
  for (int i = 0; i < 3; i++) T[i][i] += least;
  for (int i = 0; i < 3; i++) sn_cross(c[i], T[(i + 1) % 3], T[(i + 2) % 3]);
  const double determinant = sn_dot(T[0], c[0]);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) b->inverse[3 * i + k] = c[k][i] / determinant;
}

/* R of row k of a block, added to R[n]; the distance of a limit. */
static void begin_row(const sn_joint_impulses *w, block *b, int k, double *R) {
  const double one[3] = {k == 0, k == 1, k == 2};
  const sn_state *state = w->state;
  double x[3];
  if (b->friction) {
    sn_friction_apply(b->friction, state->q, one, R);
    return;
  }
  sn_stop_gradient(b->stop, state->q, R);
  for (int i = 0; i < w->system->n; i++) R[i] *= -b->side;
  sn_stop_motion(b->stop, state->q, state->v, state->a, x);
  b->gap = b->side > 0 ? b->stop->max - x[0] : x[0] - b->stop->min;
  b->hits = false;
}

void sn_joint_impulses_begin(sn_joint_impulses *w, const sn_state *state, double h) {
  sn_system *s = w->system;
  const int n = s->n, all = n + s->m;
  double most = 0;
  w->state = state;
  w->h = h;
  memset(w->R, 0, (size_t)(w->rows * n) * sizeof(double));
  memset(w->Y, 0, (size_t)(w->rows * all) * sizeof(double));
  memset(w->f, 0, (size_t)w->rows * sizeof(double));
  memset(w->last, 0, (size_t)w->rows * sizeof(double));
  for (int i = 0; i < w->count; i++)
    for (int k = 0; k < w->block[i].rows; k++) {
      const int row = w->block[i].first + k;
      double *R = w->R + (size_t)row * (size_t)n, *Y = w->Y + (size_t)row * (size_t)all;
      begin_row(w, &w->block[i], k, R);
      memcpy(Y, R, (size_t)n * sizeof(double));
      sn_system_solve(s, Y);
      w->u0[row] = product(n, R, state->v);
    }
  for (int i = 0; i < w->rows; i++)
    for (int k = 0; k < w->rows; k++) {
      w->W[i * w->rows + k] = product(n, w->R + (size_t)i * (size_t)n, w->Y + (size_t)k * (size_t)all);
      if (i == k) most = fmax(most, w->W[i * w->rows + k]);
    }
  for (int i = 0; i < w->count; i++) {
    block *b = &w->block[i];
    prepare_block(w, b, most > 0 ? 1e-13 * most : 1);
    b->strength = sqrt(product(b->rows, w->u0 + b->first, w->u0 + b->first));
  }
}

/* p of the step with the friction found so far, as forces; bounds follow. Returns their largest change. */
static double update_bounds(sn_joint_impulses *w, const double *x, double *largest) {
  sn_system *s = w->system;
  const int all = s->n + s->m;
  double change = 0;
  *largest = 0;
  for (int i = 0; i < s->m; i++) {
    double p = x[s->n + i];
    for (int k = 0; k < w->rows; k++) p += w->f[k] * w->Y[(size_t)k * (size_t)all + (size_t)(s->n + i)];
    w->l[i] = p / w->h;
  }
  sn_eval ev = sn_system_eval(s, w->state);
  ev.l = w->l;
  for (int i = 0; i < w->count; i++) {
    if (w->block[i].stop) continue;
    const double bound = w->h * sn_friction_bound(w->block[i].friction, &ev, w->block[i].strength);
    change = fmax(change, fabs(bound - w->block[i].bound));
    *largest = fmax(*largest, bound);
    w->block[i].bound = bound;
  }
  return change;
}

/* f_i := P(...): the new impulse of a block, at most as long as its bound. */
static void new_impulse(const block *b, const double *f, const double *u, double y[3]) {
  if (b->stop) {
    y[0] = fmax(0, f[0] - (u[0] + b->r) / b->scale);
    return;
  }
  if (b->rows == 1) {
    y[0] = fmin(fmax(f[0] - u[0] / b->scale, -b->bound), b->bound);
    return;
  }
  for (int i = 0; i < 3; i++) y[i] = f[i] - sn_dot(b->inverse + 3 * i, u);
  if (sn_norm(y) <= b->bound) return; /* it sticks */
  for (int i = 0; i < 3; i++) y[i] = f[i] - u[i] / b->scale;
  const double length = sn_norm(y);
  if (length > b->bound) sn_scale(y, b->bound / length, y);
}

/* r of the limits, with the speeds without impulses of joints: those that hit, and those that close. */
static void aim_limits(sn_joint_impulses *w, const double *free) {
  for (int i = 0; i < w->count; i++) {
    block *b = &w->block[i];
    if (!b->stop) continue;
    const double before = w->u0[b->first];
    b->hits |= b->gap + w->h * free[b->first] < 0 && before < -w->rebound && b->stop->restitution > 0;
    b->r = b->hits ? b->stop->restitution * before : fmax(b->gap / w->h, -w->recovery);
  }
}

/* Sweeps until nothing changes; false: it still does. */
static bool sweep(sn_joint_impulses *w, const double *free) {
  double most = 0;
  for (int i = 0; i < w->rows; i++) {
    w->u[i] = free[i] + product(w->rows, w->W + (size_t)(i * w->rows), w->f);
    most = fmax(most, fmax(fabs(free[i]), fabs(w->u0[i])));
  }
  for (int k = 0; k < SWEEPS; k++) {
    double change = 0;
    for (int i = 0; i < w->count; i++) {
      const block *b = &w->block[i];
      double y[3];
      new_impulse(b, w->f + b->first, w->u + b->first, y);
      for (int c = 0; c < b->rows; c++) {
        const double d = y[c] - w->f[b->first + c];
        w->f[b->first + c] = y[c];
        change = fmax(change, fabs(d) * b->scale);
        for (int r = 0; d != 0 && r < w->rows; r++) w->u[r] += w->W[r * w->rows + b->first + c] * d;
      }
    }
    if (change <= ROUNDING * most) return true;
  }
  return false;
}

double sn_joint_impulses_solve(sn_joint_impulses *w, double *x) {
  sn_system *s = w->system;
  const int n = s->n, all = n + s->m;
  double *free = s->own->work, largest = 0, change = 0, moved = 0;
  bool settled = false;
  for (int i = 0; i < w->rows; i++) free[i] = w->u0[i] + product(n, w->R + (size_t)i * (size_t)n, x);
  aim_limits(w, free);
  for (int k = 0; k < ROUNDS && !settled; k++) {
    change = update_bounds(w, x, &largest);
    settled = k > 0 && change <= SETTLED * largest;
    if (!settled && !sweep(w, free)) break;
  }
  if (!settled && !(change <= UNSETTLED * largest)) s->count->unsettled++;
  for (int i = 0; i < w->rows; i++) {
    for (int k = 0; k < w->rows; k++) moved = fmax(moved, fabs(w->W[i * w->rows + k] * (w->f[k] - w->last[k])));
    for (int k = 0; k < all; k++) x[k] += w->f[i] * w->Y[(size_t)i * (size_t)all + (size_t)k];
  }
  memcpy(w->last, w->f, (size_t)w->rows * sizeof(double));
  return moved;
}

void sn_joint_impulses_end(sn_joint_impulses *w, const double *x) {
  const int n = w->system->n;
  for (int i = 0; i < w->count; i++)
    for (int k = w->block[i].first; k < w->block[i].first + w->block[i].rows; k++)
      w->system->contact_work[w->block[i].friction ? 1 : 0] +=
          w->f[k] * (w->u0[k] + product(n, w->R + (size_t)k * (size_t)n, x) / 2);
}
