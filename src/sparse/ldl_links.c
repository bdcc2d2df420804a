/* ldl_links.c - solutions along trees of rigid bodies.
 *
 * In the elimination of a tree of rigid bodies three columns follow each other: a body (7 rows), its normalization (1) and
 * the joint (k rows, at most 6) with the next body. Column by column they are seven small products with as many chains of
 * dependent operations. Here they are one link: the first two columns make one of 8 rows, and a row is a register.
 *
 *     y = (body, normalization),   l = joint,   x = next body
 *     forward:    l -= B y,   x -= N l
 *     backward:   l := E l - N'x,   y := D y - B'l
 *
 * With the blocks of the factorization (n: normalization, g = D_n^-1 L_n, which has the sign of D_n):
 *     B = [L_l - L_ln L_n, L_ln],   D = [D_b + L_n'g, -g'; -g, D_n],   E = D_l,   N = L_x
 * all of them inverses where ldl.h says so. Both directions must take the same columns for links.
 */
#include "math/lanes.h"
#include "sparse/ldl.h"

enum { BODY = 7, ROWS = 8, MOST = 6 }; /* MOST: rows of a joint */

typedef double eight __attribute__((vector_size(64)));
typedef double four __attribute__((vector_size(32)));
typedef double two __attribute__((vector_size(16)));

SN_INLINE eight load(const double *x) {
  eight y;
  memcpy(&y, x, sizeof y);
  return y;
}
SN_INLINE double sum(eight x) {
  const four a = __builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7);
  const two b = __builtin_shufflevector(a, a, 0, 1) + __builtin_shufflevector(a, a, 2, 3);
  return b[0] + b[1];
}
/* Rows of a body, of which the last is that of its normalization. Others follow those of a body: its own, at least. */
SN_INLINE eight load_body(const double *b, int body, int normalization) {
  eight y = load(b + body);
  y[BODY] = b[normalization];
  return y;
}
SN_INLINE void store_body(double *b, int body, eight y) {
  memcpy(b + body, &y, BODY * sizeof(double));
}

/* ---- finding them ---- */

static size_t values_of(int k) {
  return (size_t)ROWS * (size_t)(ROWS + 3 * k);
}

/* May columns j .. j + 2 be a link, by their sizes? Which of their blocks vanish is known after a factorization. */
static bool may_be_link(const sn_ldl_data *f, int j) {
  return j + 2 < f->groups && f->size[j] == BODY && !f->constraint[j] && f->size[j + 1] == 1 && f->constraint[j + 1] &&
         f->constraint[j + 2] && f->size[j + 2] <= MOST && f->parent[j] == j + 1 && f->parent[j + 1] == j + 2;
}

void sn_ldl_make_links(sn_ldl_data *f) {
  size_t values = 0;
  for (int j = 0; j < f->groups; j++) values += may_be_link(f, j) ? values_of(f->size[j + 2]) : 0;
  if (values == 0) return;
  f->link = SN_LDL_TAKE(f, const double *, f->groups + 1);
  f->link_place = SN_LDL_TAKE(f, size_t, f->groups + 1);
  f->link_values = SN_LDL_TAKE(f, double, values);
  values = 0;
  for (int j = 0; j < f->groups; j++) {
    f->link_place[j] = values;
    values += may_be_link(f, j) ? values_of(f->size[j + 2]) : 0;
  }
}

/* The column has these blocks, and others have vanished. */
static bool has_rows(const sn_ldl_data *f, int j, int count) {
  return f->live[j] - f->column[j] == (size_t)count && f->row[f->column[j]] == j + 1 &&
         (count < 2 || f->row[f->column[j] + 1] == j + 2);
}

static bool is_link(const sn_ldl_data *f, int j, int last) {
  if (j + 2 >= last || f->link_place[j + 1] == f->link_place[j]) return false;
  const size_t blocks = f->live[j + 2] - f->column[j + 2];
  const int next = blocks > 0 ? f->row[f->column[j + 2]] : -1;
  return has_rows(f, j, 2) && has_rows(f, j + 1, 1) && blocks <= 1 && next < last &&
         (next < 0 || f->size[next] == BODY);
}

/* D, B, E and N, each row, or column of a symmetric matrix, with 8 numbers. */
static void fill_link(const sn_ldl_data *f, int j, double *D) {
  const int k = f->size[j + 2];
  const double *Db = f->D + f->pivot[j], Dn = f->D[f->pivot[j + 1]], *Dl = f->D + f->pivot[j + 2];
  const double *Ln = f->L + f->at[f->column[j]], *Ll = f->L + f->at[f->column[j] + 1];
  const double *Lln = f->L + f->at[f->column[j + 1]];
  double *B = D + ROWS * ROWS, *E = B + ROWS * k, *N = E + ROWS * k;
  memset(D, 0, values_of(k) * sizeof *D);
  for (int c = 0; c < BODY; c++) {
    for (int r = 0; r < BODY; r++) D[ROWS * c + r] = Db[BODY * c + r] + Dn * (Ln[r] * Ln[c]);
    D[ROWS * c + BODY] = D[ROWS * BODY + c] = -Dn * Ln[c];
  }
  D[ROWS * BODY + BODY] = Dn;
  for (int r = 0; r < k; r++) {
    for (int c = 0; c < BODY; c++) B[ROWS * r + c] = Ll[k * c + r] - Lln[r] * Ln[c];
    B[ROWS * r + BODY] = Lln[r];
    for (int c = 0; c < k; c++) E[ROWS * r + c] = Dl[k * r + c];
  }
  if (f->live[j + 2] == f->column[j + 2]) return;
  const double *Lx = f->L + f->at[f->column[j + 2]];
  for (int r = 0; r < k; r++) memcpy(N + ROWS * r, Lx + BODY * r, BODY * sizeof *N);
}

void sn_ldl_find_links(sn_ldl_data *f, int first, int last) {
  if (!f->link) return;
  for (int j = first; j < last; j++) f->link[j] = NULL;
  for (int j = first; j < last; j++) {
    if (!is_link(f, j, last)) continue;
    double *values = f->link_values + f->link_place[j];
    fill_link(f, j, values);
    f->link[j] = values;
    j += 2;
  }
}

/* ---- solutions ---- */

/* Row of the next body, -1: none. */
SN_INLINE int next_of(const sn_ldl_data *f, int j) {
  return f->live[j + 2] > f->column[j + 2] ? f->row[f->column[j + 2]] : -1;
}

/* k is a constant where it is inlined. Returns the rows of the next body. */
SN_INLINE eight forward_link(int k, const double *D, eight y, double *l, eight x) {
  const double *B = D + ROWS * ROWS, *N = B + 2 * ROWS * k;
  for (int r = 0; r < k; r++) l[r] -= sum(load(B + ROWS * r) * y);
  for (int r = 0; r < k; r++) x -= load(N + ROWS * r) * l[r];
  return x;
}

SN_INLINE eight backward_link(int k, const double *D, eight y, double *l, eight x) {
  const double *B = D + ROWS * ROWS, *E = B + ROWS * k, *N = E + ROWS * k;
  double z[MOST];
  for (int r = 0; r < k; r++) {
    z[r] = -sum(load(N + ROWS * r) * x);
    for (int c = 0; c < k; c++) z[r] += E[ROWS * r + c] * l[c];
  }
  eight a = load(D) * y[0], b = load(D + ROWS) * y[1];
  for (int c = 2; c < ROWS; c += 2) a += load(D + ROWS * c) * y[c], b += load(D + ROWS * (c + 1)) * y[c + 1];
  a += b;
  for (int r = 0; r < k; r++) a -= load(B + ROWS * r) * z[r], l[r] = z[r];
  return a;
}

#define CASE(k, direction) \
  case k:                  \
    return direction##_link(k, D, y, l, x);
#define CASES(direction) CASE(1, direction) CASE(2, direction) CASE(3, direction) CASE(4, direction) CASE(5, direction)

static inline eight forward_sized(int k, const double *D, eight y, double *l, eight x) {
  switch (k) {
    CASES(forward)
    default:
      return forward_link(MOST, D, y, l, x);
  }
}
static inline eight backward_sized(int k, const double *D, eight y, double *l, eight x) {
  switch (k) {
    CASES(backward)
    default:
      return backward_link(MOST, D, y, l, x);
  }
}

/* The rows of a body stay in a register from link to link: numbers that were stored one by one are slow to load at once. */
int sn_ldl_forward_links(const sn_ldl_data *f, int j, int last, double *b) {
  eight y = load_body(b, f->first[j], f->first[j + 1]);
  while (j + 2 < last && f->link[j]) {
    const int next = next_of(f, j), ahead = j + 3;
    const bool linked = ahead + 2 < last && f->link[ahead];
    const eight coming = linked ? load_body(b, f->first[ahead], f->first[ahead + 1]) : (eight){0};
    eight x = coming;
    if (next >= 0 && !(linked && next == ahead)) memcpy(&x, b + f->first[next], BODY * sizeof(double));
    x = forward_sized(f->size[j + 2], f->link[j], y, b + f->first[j + 2], x);
    if (next >= 0) store_body(b, f->first[next], x);
    y = next == ahead ? x : coming;
    j = ahead;
  }
  return j;
}

int sn_ldl_backward_links(const sn_ldl_data *f, int first, int j, double *b) {
  eight x = {0};
  int known = -1; /* whose rows are in x */
  for (; j - 2 >= first && f->link[j - 2]; j -= 3) {
    const int body = j - 2, next = next_of(f, body);
    if (next >= 0 && next != known) memcpy(&x, b + f->first[next], BODY * sizeof(double));
    const eight y = load_body(b, f->first[body], f->first[body + 1]);
    x = backward_sized(f->size[j], f->link[body], y, b + f->first[j], x);
    store_body(b, f->first[body], x);
    b[f->first[body + 1]] = x[BODY];
    known = body;
  }
  return j;
}
