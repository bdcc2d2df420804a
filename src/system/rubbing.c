/* rubbing.c - see rubbing.h.
 *
 *   u = u(x) + W f,   W = R A^-1 R'          dense: models have few joints with friction
 *   f_i := P(f_i - W_ii^-1 u_i)               projected Gauss-Seidel; P onto |f| <= h b_i
 *
 * In blocks of three that slide, W_ii is replaced by a bound of it: f_i := P(f_i - u_i/s_i). Outer iterations take b from
 * the last p, until p agrees with b. */
#include "system/rubbing.h"

#include <math.h>
#include <string.h>

#include "force/friction.h"
#include "math/vec3.h"
#include "system/equations.h"

enum { SWEEPS = 2000, ROUNDS = 100 };
static const double ROUNDING = 1e-14; /* of the largest speed: what sweeps may leave */
static const double SETTLED = 1e-12;  /* of the largest bound: what rounds may leave */
static const double UNSETTLED = 1e-6; /* the same: what is counted as a failure */

typedef struct block {
  const sn_friction *friction;
  int first, rows;   /* of its speeds: 1 or 3 */
  double bound;      /* h b */
  double strength;   /* speed at the start of the step, for s */
  double scale;      /* s_i */
  double inverse[9]; /* of W_ii */
} block;

struct sn_rubbing {
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
  double h;
};

sn_rubbing *sn_rubbing_create(sn_system *s) {
  const int all = sn_frictions_of(s->model, NULL, 0);
  const sn_friction **list = SN_NEW(&s->arena, const sn_friction *, all + 1);
  sn_rubbing *w = SN_NEW(&s->arena, sn_rubbing, 1);
  *w = (sn_rubbing){.system = s, .block = SN_NEW(&s->arena, block, all + 1)};
  sn_frictions_of(s->model, list, all);
  for (int i = 0; i < all; i++) {
    if (list[i]->mu == 0 && list[i]->constant == 0) continue;
    w->block[w->count++] = (block){.friction = list[i], .first = w->rows, .rows = list[i]->ball ? 3 : 1};
    w->rows += list[i]->ball ? 3 : 1;
  }
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
static void prepare_block(const sn_rubbing *w, block *b, double least) {
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

void sn_rubbing_begin(sn_rubbing *w, const sn_state *state, double h) {
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
      const double one[3] = {k == 0, k == 1, k == 2};
      const int row = w->block[i].first + k;
      double *R = w->R + (size_t)row * (size_t)n, *Y = w->Y + (size_t)row * (size_t)all;
      sn_friction_apply(w->block[i].friction, state->q, one, R);
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
static double update_bounds(sn_rubbing *w, const double *x, double *largest) {
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
    const double bound = w->h * sn_friction_bound(w->block[i].friction, &ev, w->block[i].strength);
    change = fmax(change, fabs(bound - w->block[i].bound));
    *largest = fmax(*largest, bound);
    w->block[i].bound = bound;
  }
  return change;
}

/* f_i := P(...): the new impulse of a block, at most as long as its bound. */
static void new_impulse(const block *b, const double *f, const double *u, double y[3]) {
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

/* Sweeps until nothing changes; false: it still does. */
static bool sweep(sn_rubbing *w, const double *free) {
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

double sn_rubbing_solve(sn_rubbing *w, double *x) {
  sn_system *s = w->system;
  const int n = s->n, all = n + s->m;
  double *free = s->own->work, largest = 0, change = 0, moved = 0;
  bool settled = false;
  for (int i = 0; i < w->rows; i++) free[i] = w->u0[i] + product(n, w->R + (size_t)i * (size_t)n, x);
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

void sn_rubbing_end(sn_rubbing *w, const double *x) {
  const int n = w->system->n;
  for (int i = 0; i < w->rows; i++)
    w->system->contact_work[1] += w->f[i] * (w->u0[i] + product(n, w->R + (size_t)i * (size_t)n, x) / 2);
}
