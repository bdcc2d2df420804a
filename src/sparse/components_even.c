/* components_even.c - even components: A = a x I3, alike in all three directions and without coupling between them, as
 * the mass matrix of cables, beams and plates is, pinned or not. Its factors are even too, L = l x I3 and D = d x I3: a
 * ninth of the numbers, and one of them acts on a whole vector at once. Vectors are four numbers apart.
 *
 * Values of l and d stand at a ninth of the places those of L and D have: blocks of even components keep their
 * distance, whatever stands between them.
 */
#include "math/four.h"
#include "sparse/components.h"
#include "sparse/ldl.h"
#include "sparse/ldl_kernels.h"

/* b := the m/3 x n/3 numbers of B = b x I3, m x n; false: B is not like that. Equal means up to rounding. */
static bool reduce_block(int m, int n, const double *B, double *b) {
  if (m % 3 || n % 3 || m > 3 * SN_WIDEST) return false;
  for (int c = 0; c < n; c++) {
    for (int r = 0; r < m; r++) {
      double first = B[(c - c % 3) * m + r - r % 3], value = B[c * m + r];
      if (r % 3 != c % 3 ? value != 0 : fabs(value - first) > 1e-12 * fabs(first)) return false;
    }
  }
  for (int c = 0; c < n; c += 3)
    for (int r = 0; r < m; r += 3) b[c / 3 * (m / 3) + r / 3] = B[c * m + r];
  return true;
}

bool sn_component_reduce(const sn_components *p, int component) {
  assert(component >= 0 && component < p->count);
  const sn_ldl_data *f = p->ldl;
  p->chain[component] = true;
  for (int j = p->first[component]; j < p->last[component]; j++) {
    size_t below = f->column[j + 1] - f->column[j];
    if (f->size[j] != 6 || below != (j + 1 < p->last[component])) p->chain[component] = false;
    if (!reduce_block(f->size[j], f->size[j], f->D + f->pivot[j], p->even_D + f->pivot[j] / 9)) return false;
    for (size_t k = f->column[j]; k < f->column[j + 1]; k++)
      if (!reduce_block(f->size[f->row[k]], f->size[j], f->L + f->at[k], p->even_L + f->at[k] / 9)) return false;
  }
  return true;
}

/* The nests, once for nodes of cables (two vectors) and once for all. y -= B x, y -= B'x, y := B y */
SN_INLINE void forward_vectors(int m, int n, const double *B, const double *restrict x, double *restrict y) {
  for (int c = 0; c < n; c++)
    for (int r = 0; r < m; r++)
      for (int a = 0; a < 4; a++) y[4 * r + a] -= B[c * m + r] * x[4 * c + a];
}

SN_INLINE void backward_vectors(int m, int n, const double *B, const double *restrict x, double *restrict y) {
  for (int c = 0; c < n; c++)
    for (int r = 0; r < m; r++)
      for (int a = 0; a < 4; a++) y[4 * c + a] -= B[c * m + r] * x[4 * r + a];
}

SN_INLINE void apply_vectors(int n, const double *B, double *restrict y) {
  double sum[4 * SN_WIDEST] = {0};
  for (int c = 0; c < n; c++)
    for (int r = 0; r < n; r++)
      for (int a = 0; a < 4; a++) sum[4 * r + a] += B[c * n + r] * y[4 * c + a];
  for (int k = 0; k < 4 * n; k++) y[k] = sum[k];
}

static inline void even_forward(int m, int n, const double *B, const double *x, double *y) {
  if (m == 2 && n == 2)
    forward_vectors(2, 2, B, x, y);
  else
    forward_vectors(m, n, B, x, y);
}

static inline void even_backward(int m, int n, const double *B, const double *x, double *y) {
  if (m == 2 && n == 2)
    backward_vectors(2, 2, B, x, y);
  else
    backward_vectors(m, n, B, x, y);
}

static inline void even_apply(int n, const double *B, double *y) {
  if (n == 2)
    apply_vectors(2, B, y);
  else
    apply_vectors(n, B, y);
}

/* x_i := x_i - l x_j, and x_j := d x_j - l'x_i, for j < i = parent(j), blocks of 2 x 2 one after the other. Mostly i is
 * j + 1: then its vectors stay in registers. */
typedef struct chain {
  const int *parent;
  int first, n;
  const double *L, *D;
  double *x;
  sn_four a, b; /* of the node before */
} chain;

static chain begin_chain(const sn_components *p, int component, double *x) {
  assert(p->chain[component]);
  const sn_ldl_data *f = p->ldl;
  const int first = p->first[component];
  return (chain){f->parent + first,
                 first,
                 p->last[component] - first,
                 p->even_L + f->at[f->column[first]] / 9,
                 p->even_D + f->pivot[first] / 9,
                 x,
                 sn_four_load(x),
                 sn_four_load(x + 4)};
}

SN_INLINE void step_forward(chain *c, int j) {
  const int i = c->parent[j] - c->first;
  const double *l = c->L + 4 * j;
  double *x = c->x + 8 * i;
  const sn_four u = sn_four_load(x) - l[0] * c->a - l[2] * c->b, v = sn_four_load(x + 4) - l[1] * c->a - l[3] * c->b;
  sn_four_store(x, u);
  sn_four_store(x + 4, v);
  c->a = i == j + 1 ? u : sn_four_load(c->x + 8 * (j + 1));
  c->b = i == j + 1 ? v : sn_four_load(c->x + 8 * (j + 1) + 4);
}

SN_INLINE void step_back(chain *c, int j) {
  const double *l = c->L + 4 * j, *d = c->D + 4 * j;
  double *x = c->x + 8 * j;
  const sn_four s = sn_four_load(x), t = sn_four_load(x + 4);
  sn_four u = d[0] * s + d[2] * t, v = d[1] * s + d[3] * t;
  if (j < c->n - 1) {
    const int i = c->parent[j] - c->first;
    if (i != j + 1) c->a = sn_four_load(c->x + 8 * i), c->b = sn_four_load(c->x + 8 * i + 4);
    u = u - l[0] * c->a - l[1] * c->b;
    v = v - l[2] * c->a - l[3] * c->b;
  }
  sn_four_store(x, u);
  sn_four_store(x + 4, v);
  c->a = u;
  c->b = v;
}

static void solve_chain(const sn_components *p, int component, double *x) {
  chain c = begin_chain(p, component, x);
  for (int j = 0; j < c.n - 1; j++) step_forward(&c, j);
  for (int j = c.n - 1; j >= 0; j--) step_back(&c, j);
}

/* Each step waits for the one before: two chains take as long as one. */
static void solve_chains(const sn_components *p, const int component[2], double *const x[2]) {
  chain c = begin_chain(p, component[0], x[0]), d = begin_chain(p, component[1], x[1]);
  for (int j = 0; j < c.n - 1; j++) {
    step_forward(&c, j);
    step_forward(&d, j);
  }
  for (int j = c.n - 1; j >= 0; j--) {
    step_back(&c, j);
    step_back(&d, j);
  }
}

void sn_component_even_solve_two(const sn_components *p, const int component[2], double *const x[2]) {
  if (p->chain[component[0]] && p->chain[component[1]] &&
      p->last[component[0]] - p->first[component[0]] == p->last[component[1]] - p->first[component[1]]) {
    solve_chains(p, component, x);
    return;
  }
  for (int k = 0; k < 2; k++) sn_component_even_solve(p, component[k], x[k]);
}

void sn_component_even_solve(const sn_components *p, int component, double *x) {
  assert(component >= 0 && component < p->count);
  const sn_ldl_data *f = p->ldl;
  const int *at = p->even_first, before = at[p->first[component]];
  if (p->chain[component]) {
    solve_chain(p, component, x);
    return;
  }
  for (int j = p->first[component]; j < p->last[component]; j++) {
    const double *x_j = x + 4 * (at[j] - before);
    for (size_t k = f->column[j]; k < f->column[j + 1]; k++) {
      int i = f->row[k];
      even_forward(f->size[i] / 3, f->size[j] / 3, p->even_L + f->at[k] / 9, x_j, x + 4 * (at[i] - before));
    }
  }
  for (int j = p->last[component] - 1; j >= p->first[component]; j--) {
    double *x_j = x + 4 * (at[j] - before);
    even_apply(f->size[j] / 3, p->even_D + f->pivot[j] / 9, x_j);
    for (size_t k = f->column[j]; k < f->column[j + 1]; k++) {
      int i = f->row[k];
      even_backward(f->size[i] / 3, f->size[j] / 3, p->even_L + f->at[k] / 9, x + 4 * (at[i] - before), x_j);
    }
  }
}

void sn_component_even_fetch(const sn_components *p, int component) {
  if (!p->chain[component]) return;
  const sn_ldl_data *f = p->ldl;
  int first = p->first[component], values = 4 * (p->last[component] - first);
  const double *L = p->even_L + f->at[f->column[first]] / 9, *D = p->even_D + f->pivot[first] / 9;
  for (int k = 0; k < values; k += 8) {
    __builtin_prefetch(L + k);
    __builtin_prefetch(D + k);
  }
}

int sn_component_even_vectors(const sn_components *p, int component) {
  assert(component >= 0 && component < p->count);
  return p->even_first[p->last[component]] - p->even_first[p->first[component]];
}

int sn_component_even_place(const sn_components *p, int group, int coordinate) {
  assert(group >= 0 && group < p->ldl->groups && coordinate >= 0);
  return 4 * (p->even_first[p->position[group]] - p->even_first[p->first[p->of_group[group]]] + coordinate / 3);
}
