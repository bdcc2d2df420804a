/* ccp_lemke.c - contact as a linear complementarity problem (LCP), solved by pivoting (Lemke).
 *
 * Friction cones are pyramids of k facets, with edges along t_1 .. t_k, k directions in the tangential plane, the first
 * along u. Friction is then less than mu gn between the edges, by 1 - cos(pi/k) at most. For each contact
 *
 *     x = B a,   a >= 0        relaxed:  B = [(1, mu t_1) .. (1, mu t_k)]
 *     B'y      _|_  a          Coulomb:  B = [(1, 0), (0, t_1) .. (0, t_k)],   B'y + (0, 1, .., 1) l  _|_ a  (Stewart,
 *                                        mu xn - sum(at)  _|_  l >= 0           Trinkle; l: the speed of sliding)
 *
 * and without friction the normal alone. All together 0 <= w = M a + q _|_ a >= 0, with the unknown l among the a.
 *
 * Lemke: w = M a + q + (1, .., 1) a0. a0, so large that w >= 0, comes into the basis first; then always the complement
 * of what left last, until a0 leaves. M is copositive, which is enough for that to end in a solution where one exists.
 * Redundant contacts can have impulses without effect, which may grow by rounding: q of normals is larger by 1e-10 of
 * the largest in the pivots, and if pivoting does not end, by ten times that, and once more. Ties, which are frequent
 * in contact problems, are broken by the lexicographic rule: the columns of w represent powers of a small number added
 * to q, so that no basis occurs twice. The tableau has rows of the basis and columns of the rest, exchanged in place.
 * At the end the basis is solved for once more, from M itself, which removes the rounding errors of the pivots.
 *
 * The residual is that of the LCP, at the worst contact the largest of sqrt(s) |min(w, a)|; the residual of initial
 * impulses is computed in the same way, with as few edges as possible. A pivoting method has no result before it ends:
 * `iterations` do not limit it, but 20 pivots for each unknown do.
 */
#include <lapacke.h>

#include "contact/ccp_dense.h"

typedef struct lemke {
  sn_dense *p;
  bool relaxed;
  int facets;
  int size;          /* unknowns */
  int *first;        /* [count + 1] of each contact */
  double *M, *q;     /* [size][size], [size] */
  double *A;         /* [size][size + 2]: tableau; columns of the rest, one of which was a0 first, then the constant */
  double *a;         /* [size] */
  double largest;    /* of |q| */
  double (*t)[2];    /* [facets] */
  int *row, *column; /* variable in each row and column: 0 .. size - 1 the w, size .. 2 size - 1 the a, 2 size a0 */
  int *column_of;    /* [2 size + 1] column, or -1 - row */
  int *order;        /* of a factorization */
} lemke;

static int unknowns_of(const lemke *w, int i) {
  return w->p->mu[i] == 0 ? 1 : w->relaxed ? w->facets : w->facets + 2;
}

/* Column k of B */
static void generator(const lemke *w, int i, int k, double b[3]) {
  double mu = w->p->mu[i];
  int edge = w->relaxed ? k : k - 1;
  bool slides = mu > 0 && edge >= 0 && edge < w->facets;
  b[0] = w->relaxed || k == 0;
  b[1] = slides ? (w->relaxed ? mu : 1) * w->t[edge][0] : 0;
  b[2] = slides ? (w->relaxed ? mu : 1) * w->t[edge][1] : 0;
}

/* ---- the LCP ---- */

static void fill_block(lemke *w, int i, int j) {
  size_t n = 3 * (size_t)w->p->count, size = (size_t)w->size;
  const double *N = w->p->N + 3 * (size_t)i * n + 3 * (size_t)j;
  for (int k = 0; k < unknowns_of(w, i); k++)
    for (int l = 0; l < unknowns_of(w, j); l++) {
      double b[3], c[3], sum = 0;
      generator(w, i, k, b);
      generator(w, j, l, c);
      for (size_t x = 0; x < 9; x++) sum += b[x / 3] * N[x / 3 * n + x % 3] * c[x % 3];
      w->M[(size_t)(w->first[i] + k) * size + (size_t)(w->first[j] + l)] = sum;
    }
}

static void fill(lemke *w) {
  const sn_dense *p = w->p;
  for (int i = 0; i < p->count; i++) {
    for (int j = 0; j < p->count; j++) fill_block(w, i, j);
    for (int k = 0; k < unknowns_of(w, i); k++) {
      double b[3];
      generator(w, i, k, b);
      w->q[w->first[i] + k] = sn_dot(b, p->r + 3 * i);
    }
    if (p->mu[i] == 0 || w->relaxed) continue;
    size_t size = (size_t)w->size, first = (size_t)w->first[i], l = first + (size_t)w->facets + 1;
    w->M[l * size + first] = p->mu[i];
    for (size_t k = first + 1; k < l; k++) w->M[k * size + l] = 1, w->M[l * size + k] = -1;
  }
}

/* ---- x from a, a from x ---- */

static void show(lemke *w) {
  for (int i = 0; i < w->p->count; i++) {
    double *x = w->p->x + 3 * i, b[3];
    x[0] = x[1] = x[2] = 0;
    for (int k = 0; k < unknowns_of(w, i); k++) {
      generator(w, i, k, b);
      sn_axpy(x, w->a[w->first[i] + k], b);
    }
  }
}

/* xt by the two adjacent edges; the remainder of a relaxed xn is distributed equally to all edges. l: the largest -t_k
 * y. */
static void split(lemke *w, int i) {
  const double *x = w->p->x + 3 * i, *y = w->p->y + 3 * i;
  double *a = w->a + w->first[i], mu = w->p->mu[i], angle = 8 * atan(1) / w->facets;
  for (int k = 0; k < unknowns_of(w, i); k++) a[k] = 0;
  a[0] = x[0];
  if (mu == 0 || w->facets < 3) return; /* 3 to 64, by the field */
  double *edge = w->relaxed ? a : a + 1, at = atan2(x[2], x[1]) / angle, size = hypot(x[1], x[2]), share[2];
  if (at < 0) at += w->facets;
  int k = (int)at % w->facets;
  share[0] = size * sin((1 - (at - floor(at))) * angle) / sin(angle);
  share[1] = size * sin((at - floor(at)) * angle) / sin(angle);
  if (!w->relaxed) {
    edge[k] = share[0], edge[(k + 1) % w->facets] += share[1];
    for (int j = 0; j < w->facets; j++)
      a[w->facets + 1] = fmax(a[w->facets + 1], -w->t[j][0] * y[1] - w->t[j][1] * y[2]);
    return;
  }
  double rest = (x[0] - (share[0] + share[1]) / mu) / w->facets;
  for (int j = 0; j < w->facets; j++) edge[j] = rest;
  edge[k] += share[0] / mu, edge[(k + 1) % w->facets] += share[1] / mu;
}

static void judge(lemke *w, sn_ccp_result *result) {
  result->residual = 0;
  result->worst = 0;
  for (int i = 0; i < w->p->count; i++)
    for (int k = w->first[i]; k < w->first[i + 1]; k++) {
      double speed = w->q[k];
      for (int j = 0; j < w->size; j++) speed += w->M[(size_t)k * (size_t)w->size + (size_t)j] * w->a[j];
      double residual = w->p->root[i] * fabs(fmin(speed, w->a[k]));
      if (residual > result->residual || isnan(residual)) result->residual = residual, result->worst = i;
    }
}

/* ---- pivots ---- */

#define PIVOT 1e-7 /* of the largest number of a column: below it is rounding */

static double *tableau(const lemke *w, int row) {
  return w->A + (size_t)row * (size_t)(w->size + 2);
}

static void begin(lemke *w, double more) {
  int n = w->size;
  for (int i = 0; i < n; i++) {
    double *A = tableau(w, i);
    memcpy(A, w->M + (size_t)i * (size_t)n, (size_t)n * sizeof *A);
    A[n] = 1;
    A[n + 1] = w->q[i];
    w->row[i] = i, w->column_of[i] = -1 - i;
    w->column[i] = n + i, w->column_of[n + i] = i;
  }
  w->column[n] = 2 * n, w->column_of[2 * n] = n;
  for (int i = 0; i < w->p->count; i++)
    for (int k = w->first[i]; k < (w->relaxed ? w->first[i + 1] : w->first[i] + 1); k++)
      tableau(w, k)[n + 1] += more * w->largest;
}

/* The variable of column c goes into the basis in place of that of row r. */
static void pivot(lemke *w, int r, int c) {
  int width = w->size + 2, in = w->column[c], out = w->row[r];
  double *R = tableau(w, r), inverse = 1 / R[c];
  R[c] = -1;
  for (int j = 0; j < width; j++) R[j] *= -inverse;
  for (int i = 0; i < w->size; i++) {
    double *A = tableau(w, i), f = A[c];
    if (i == r || f == 0) continue;
    A[c] = 0;
    for (int j = 0; j < width; j++) A[j] += f * R[j];
  }
  w->row[r] = in, w->column[c] = out;
  w->column_of[in] = -1 - r, w->column_of[out] = c;
}

/* What the k-th power of the small number adds to row i. */
static double power_of(const lemke *w, int i, int k) {
  int at = w->column_of[k];
  return at >= 0 ? -tableau(w, i)[at] : at == -1 - i ? 1 : 0;
}

/* Does row i reach 0 before row r, by the constants (k = -1) and then by powers 0 .. size - 1, as what enters along
 * column c grows? 0: equal within rounding. */
static int compare(const lemke *w, int i, int r, int c, int k) {
  const double *A = tableau(w, i), *B = tableau(w, r);
  double a = (k < 0 ? A[w->size + 1] : power_of(w, i, k)) / -A[c];
  double b = (k < 0 ? B[w->size + 1] : power_of(w, r, k)) / -B[c];
  if (fabs(a - b) <= 1e-12 * (fabs(a) + fabs(b) + (k < 0 ? w->largest : 1))) return 0;
  return a < b ? -1 : 1;
}

static bool before(const lemke *w, int i, int r, int c) {
  int order = 0;
  for (int k = -1; k < w->size && order == 0; k++) order = compare(w, i, r, c, k);
  return order < 0;
}

/* The row that reaches 0 first; -1: none does. a0 goes as soon as it may. */
static int leaving(const lemke *w, int c) {
  int best = -1, a0 = -1 - w->column_of[2 * w->size];
  double largest = 0;
  for (int i = 0; i < w->size; i++) largest = fmax(largest, fabs(tableau(w, i)[c]));
  for (int i = 0; i < w->size; i++) {
    if (!(-tableau(w, i)[c] > PIVOT * largest)) continue;
    if (best < 0 || before(w, i, best, c)) best = i;
  }
  if (best >= 0 && -tableau(w, a0)[c] > PIVOT * largest && compare(w, a0, best, c, -1) <= 0) return a0;
  return best;
}

/* From a0 in the basis until it leaves. False: no row ends the way of what enters, or pivots are too many. */
static bool pivots(lemke *w, int *count) {
  int n = w->size, r = 0, c = n, most = *count + 20 * n + 20;
  for (int i = 1; i < n; i++)
    if (tableau(w, i)[n + 1] <= tableau(w, r)[n + 1]) r = i; /* of equal ones the last: its power is the smallest */
  while (r >= 0 && *count < most) {
    int out = w->row[r];
    pivot(w, r, c);
    (*count)++;
    if (out == 2 * n) return true;
    c = w->column_of[out < n ? out + n : out - n];
    r = leaving(w, c);
  }
  return false;
}

/* a as the tableau has it */
static void read_basis(lemke *w) {
  for (int i = 0; i < w->size; i++) {
    int at = w->column_of[w->size + i];
    w->a[i] = at >= 0 ? 0 : fmax(tableau(w, -1 - at)[w->size + 1], 0);
  }
}

/* a of the last basis from M itself: M_BB a_B = -q_B. */
static void solve_basis(lemke *w) {
  size_t n = (size_t)w->size, count = 0;
  double *M = w->A, *to = w->A + n * n; /* the tableau is not needed any more */
  int *basis = w->row;
  for (int i = 0; i < w->size; i++) {
    w->a[i] = 0;
    if (w->column_of[w->size + i] < 0) basis[count++] = i;
  }
  for (size_t i = 0; i < count; i++) {
    to[i] = -w->q[basis[i]];
    for (size_t j = 0; j < count; j++) M[i * count + j] = w->M[(size_t)basis[i] * n + (size_t)basis[j]];
  }
  lapack_int size = (lapack_int)count;
  if (count == 0 || LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, size, size, M, size, w->order) != 0) return;
  LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', size, 1, M, size, w->order, to, size); /* rows are its columns */
  for (size_t i = 0; i < count; i++) w->a[basis[i]] = fmax(to[i], 0);
}

/* ---- from a start to a solution ---- */

static void open_lemke(lemke *w, sn_dense *p, const sn_ccp_settings *settings) {
  *w = (lemke){.p = p, .relaxed = settings->relaxed, .facets = settings->facets};
  for (int i = 0; i < p->count; i++) w->size += unknowns_of(w, i);
  size_t n = (size_t)w->size, facets = (size_t)w->facets;
  sn_dense_room(p, 2 * n * n + 6 * n + 2 * facets, 6 * n + 3 + (size_t)p->count);
  double *at = p->number;
  w->M = at, at += n * n;
  w->A = at, at += n * (n + 2);
  w->q = at, at += n;
  w->a = at, at += n;
  w->t = (double(*)[2])(void *)at;
  w->row = p->index, w->column = w->row + n, w->column_of = w->column + n + 1, w->order = w->column_of + 2 * n + 1;
  w->first = w->order + n;
  for (size_t k = 0; k < facets; k++) {
    double angle = 8 * atan(1) * (double)k / (double)facets;
    w->t[k][0] = cos(angle), w->t[k][1] = sin(angle);
  }
  w->first[0] = 0;
  for (int i = 0; i < p->count; i++) w->first[i + 1] = w->first[i] + unknowns_of(w, i);
  fill(w);
  for (int k = 0; k < w->size; k++) w->largest = fmax(w->largest, fabs(w->q[k]));
}

/* A basis in which a0 has nearly gone is looked at too: rounding may have it end there. */
static void lemke_island(sn_dense *p, const sn_ccp_settings *settings, sn_ccp_result *result) {
  lemke w;
  sn_ccp_result now = {0};
  open_lemke(&w, p, settings);
  sn_dense_rates(p);
  for (int i = 0; i < p->count; i++) split(&w, i);
  judge(&w, result);
  for (double more = 1e-10; more < 1e-7 && result->residual > settings->tolerance; more *= 10) {
    begin(&w, more);
    if (pivots(&w, &result->iterations))
      solve_basis(&w);
    else
      read_basis(&w);
    judge(&w, &now);
    if (!(now.residual < result->residual)) continue;
    result->residual = now.residual, result->worst = now.worst;
    show(&w);
  }
}

/* Unknowns of an island above which its matrices of 32 MB become seconds for each solution, and more. */
enum { MOST = 2000 };

static sn_ccp_result solve(sn_ccp *c, const sn_ccp_settings *settings) {
  return sn_ccp_dense(c, settings, MOST / (settings->facets + 2), lemke_island);
}

const sn_ccp_solver_ops sn_ccp_lemke = {
    .name = "lemke", .pyramids = true, .hint = "fewer contact_facets, or interior-point", .solve = solve};
