/* articulated.c - see articulated.h. Rows of vectors are in registers: one each with AVX-512. */
#include "sparse/articulated.h"

#include <math.h>

#include "math/lanes.h"

enum { PIECES = SN_TWIST / SN_LANES, RIGHT = 6 }; /* RIGHT: the column of right-hand sides */

typedef struct row {
  sn_vd piece[PIECES];
} row;

SN_INLINE row load(const double *x) {
  row y;
  for (int k = 0; k < PIECES; k++) y.piece[k] = sn_vd_load(x + SN_LANES * k);
  return y;
}

SN_INLINE void store(double *y, const row *x) {
  memcpy(y, x, sizeof *x);
}

SN_INLINE double at(const row *x, int i) {
  return x->piece[i / SN_LANES][i % SN_LANES];
}

/* y += m x */
SN_INLINE void add(row *y, double m, const row *x) {
  for (int k = 0; k < PIECES; k++) y->piece[k] += m * x->piece[k];
}

/* ---- factorization ---- */

/* Y = L D L' by rows; Z := L^-1 Z; inverse[] of D. */
SN_INLINE bool eliminate_body(row Y[6], row Z[6], double inverse[6]) {
  bool good = true;
#pragma GCC unroll 6
  for (int j = 0; j < 6; j++) {
    const double d = at(&Y[j], j);
    good &= d > 0;
    inverse[j] = 1 / d;
#pragma GCC unroll 6
    for (int i = j + 1; i < 6; i++) {
      const double m = -at(&Y[j], i) * inverse[j];
      add(&Y[i], m, &Y[j]);
      add(&Z[i], m, &Z[j]);
    }
  }
  return good;
}

/* S = Z'D^-1 Z with its right-hand side, factorized: L_S, V := L_S^-1 V. k is a constant where it is inlined. */
SN_INLINE bool eliminate_joint(int k, const row Z[6], const double inverse[6], const double *c, row S[6], row V[6],
                               double pivot[6]) {
  const double least = 1e-13; /* of what a row of S was, below which it repeats others */
  bool good = true;
  double whole[6];
#pragma GCC unroll 6
  for (int a = 0; a < k; a++) {
    S[a] = (row){0};
#pragma GCC unroll 6
    for (int j = 0; j < 6; j++) add(&S[a], at(&Z[j], a) * inverse[j], &Z[j]);
    S[a].piece[RIGHT / SN_LANES][RIGHT % SN_LANES] -= c[a];
    whole[a] = at(&S[a], a);
  }
#pragma GCC unroll 6
  for (int a = 0; a < k; a++) {
    const double d = at(&S[a], a);
    good &= d > least * whole[a];
    pivot[a] = 1 / d;
#pragma GCC unroll 6
    for (int b = a + 1; b < k; b++) {
      const double m = -at(&S[a], b) * pivot[a];
      add(&S[b], m, &S[a]);
      add(&V[b], m, &V[a]);
    }
  }
  return good;
}

/* The articulated inertia and the force that the parent takes over. */
SN_INLINE void add_to_parent(int k, const row S[6], const row V[6], const double pivot[6], double *Yp, double *fp) {
  row Y[6], f = load(fp);
#pragma GCC unroll 6
  for (int r = 0; r < 6; r++) Y[r] = load(Yp + SN_TWIST * r);
#pragma GCC unroll 6
  for (int a = 0; a < k; a++) {
#pragma GCC unroll 6
    for (int r = 0; r < 6; r++) add(&Y[r], at(&V[a], r) * pivot[a], &V[a]);
    add(&f, -at(&S[a], RIGHT) * pivot[a], &V[a]);
  }
#pragma GCC unroll 6
  for (int r = 0; r < 6; r++) store(Yp + SN_TWIST * r, &Y[r]);
  store(fp, &f);
}

SN_INLINE bool factor_body(const sn_articulated *w, int i, int k) {
  double *Yi = w->Y + 6 * SN_TWIST * i, *Zi = w->Z + 6 * SN_TWIST * i, *D = w->D + SN_TWIST * i;
  const double *fi = w->f + SN_TWIST * i;
  const int first = w->row[i];
  row Y[6], Z[6], S[6], V[6];
  double inverse[6], pivot[6];
#pragma GCC unroll 6
  for (int j = 0; j < 6; j++) {
    Y[j] = load(Yi + SN_TWIST * j);
    Z[j] = load(Zi + SN_TWIST * j);
    Z[j].piece[RIGHT / SN_LANES][RIGHT % SN_LANES] = fi[j];
  }
#pragma GCC unroll 6
  for (int a = 0; a < k; a++) V[a] = load(w->V + SN_TWIST * (first + a));
  bool good = eliminate_body(Y, Z, inverse);
  good &= eliminate_joint(k, Z, inverse, w->c + first, S, V, pivot);
#pragma GCC unroll 6
  for (int j = 0; j < 6; j++) {
    store(Yi + SN_TWIST * j, &Y[j]);
    store(Zi + SN_TWIST * j, &Z[j]);
    D[j] = inverse[j];
  }
#pragma GCC unroll 6
  for (int a = 0; a < k; a++) {
    store(w->S + SN_TWIST * (first + a), &S[a]);
    store(w->V + SN_TWIST * (first + a), &V[a]);
    w->E[first + a] = pivot[a];
  }
  const int p = w->parent[i];
  if (p >= 0 && k > 0) add_to_parent(k, S, V, pivot, w->Y + 6 * SN_TWIST * p, w->f + SN_TWIST * p);
  return good;
}

/* Calls with the number of equations as a constant, for which the loops are unrolled. */
#define WITH_CONSTANT(k, call) \
  switch (k) {                 \
    case 0:                    \
      call(0);                 \
      break;                   \
    case 1:                    \
      call(1);                 \
      break;                   \
    case 2:                    \
      call(2);                 \
      break;                   \
    case 3:                    \
      call(3);                 \
      break;                   \
    case 4:                    \
      call(4);                 \
      break;                   \
    case 5:                    \
      call(5);                 \
      break;                   \
    default:                   \
      call(6);                 \
  }

int sn_articulated_factor(const sn_articulated *w, int first, int last) {
  for (int i = last - 1; i >= first; i--) {
    bool good = true;
    assert(w->parent[i] < i && w->row[i + 1] - w->row[i] <= SN_JOINT_MOST);
#define FACTOR(k) good = factor_body(w, i, k)
    WITH_CONSTANT(w->row[i + 1] - w->row[i], FACTOR)
    if (!good) return i;
  }
  return -1;
}

/* ---- solution ---- */

void sn_articulated_forward(const sn_articulated *w, int first, int last) {
  for (int i = last - 1; i >= first; i--) {
    const double *Y = w->Y + 6 * SN_TWIST * i, *D = w->D + SN_TWIST * i;
    double *Z = w->Z + 6 * SN_TWIST * i, z[6];
    const int start = w->row[i], k = w->row[i + 1] - start, p = w->parent[i];
    memcpy(z, w->f + SN_TWIST * i, sizeof z);
    for (int j = 0; j < 6; j++) {
      const double m = z[j] * D[j];
      for (int b = j + 1; b < 6; b++) z[b] -= Y[SN_TWIST * j + b] * m;
      Z[SN_TWIST * j + RIGHT] = z[j];
    }
    double t[SN_JOINT_MOST];
    for (int a = 0; a < k; a++) {
      t[a] = -w->c[start + a];
      for (int j = 0; j < 6; j++) t[a] += Z[SN_TWIST * j + a] * D[j] * z[j];
    }
    for (int a = 0; a < k; a++) {
      const double *S = w->S + SN_TWIST * (start + a), m = t[a] * w->E[start + a];
      for (int b = a + 1; b < k; b++) t[b] -= S[b] * m;
      w->S[SN_TWIST * (start + a) + RIGHT] = t[a];
      for (int b = 0; p >= 0 && b < 6; b++) w->f[SN_TWIST * p + b] -= w->V[SN_TWIST * (start + a) + b] * m;
    }
  }
}

/* l_i = S^-1 (C Y^-1 f - c + P u_p), u_i = Y^-1 (f - C'l) */
SN_INLINE void backward_body(const sn_articulated *w, int i, int k) {
  const double *Y = w->Y + 6 * SN_TWIST * i, *Z = w->Z + 6 * SN_TWIST * i, *D = w->D + SN_TWIST * i;
  const int first = w->row[i], p = w->parent[i];
  const double *S = w->S + SN_TWIST * first, *V = w->V + SN_TWIST * first;
  double l[6], u[6], up[6] = {0};
  if (p >= 0) memcpy(up, w->u + SN_TWIST * p, sizeof up);
#pragma GCC unroll 6
  for (int a = k - 1; a >= 0; a--) {
    double e = S[SN_TWIST * a + RIGHT];
    for (int b = 0; b < 6; b++) e += V[SN_TWIST * a + b] * up[b];
    for (int b = a + 1; b < k; b++) e -= S[SN_TWIST * a + b] * l[b];
    l[a] = e * w->E[first + a];
    w->l[first + a] = l[a];
  }
#pragma GCC unroll 6
  for (int j = 5; j >= 0; j--) {
    double x = Z[SN_TWIST * j + RIGHT];
    for (int a = 0; a < k; a++) x -= Z[SN_TWIST * j + a] * l[a];
    for (int b = j + 1; b < 6; b++) x -= Y[SN_TWIST * j + b] * u[b];
    u[j] = x * D[j];
  }
  memcpy(w->u + SN_TWIST * i, u, sizeof u);
}

void sn_articulated_backward(const sn_articulated *w, int first, int last) {
  for (int i = first; i < last; i++) {
#define BACKWARD(k) backward_body(w, i, k)
    WITH_CONSTANT(w->row[i + 1] - w->row[i], BACKWARD)
  }
}

/* ---- several loads ---- */

/* As sn_articulated_forward: f := L^-1 f; l := L_S^-1 C Y^-1 f; what the parent takes over. */
SN_INLINE void forward_loads(const sn_articulated *w, int i, int k, double *f, double *fp, double *l) {
  const double *Y = w->Y + 6 * SN_TWIST * i, *Z = w->Z + 6 * SN_TWIST * i, *D = w->D + SN_TWIST * i;
  const double *S = w->S + SN_TWIST * w->row[i], *V = w->V + SN_TWIST * w->row[i], *E = w->E + w->row[i];
  row z[6], t[6] = {{{{0}}}};
#pragma GCC unroll 6
  for (int j = 0; j < 6; j++) z[j] = load(f + SN_TWIST * j);
#pragma GCC unroll 6
  for (int j = 0; j < 6; j++) {
    for (int b = j + 1; b < 6; b++) add(&z[b], -Y[SN_TWIST * j + b] * D[j], &z[j]);
    for (int a = 0; a < k; a++) add(&t[a], Z[SN_TWIST * j + a] * D[j], &z[j]);
    store(f + SN_TWIST * j, &z[j]);
  }
#pragma GCC unroll 6
  for (int a = 0; a < k; a++) {
    for (int b = a + 1; b < k; b++) add(&t[b], -S[SN_TWIST * a + b] * E[a], &t[a]);
    store(l + SN_TWIST * a, &t[a]);
    for (int b = 0; fp && b < 6; b++) {
      row to = load(fp + SN_TWIST * b);
      add(&to, -V[SN_TWIST * a + b] * E[a], &t[a]);
      store(fp + SN_TWIST * b, &to);
    }
  }
}

/* As backward_body. */
SN_INLINE void backward_loads(const sn_articulated *w, int i, int k, const double *f, const double *up, double *u,
                              double *l) {
  const double *Y = w->Y + 6 * SN_TWIST * i, *Z = w->Z + 6 * SN_TWIST * i, *D = w->D + SN_TWIST * i;
  const double *S = w->S + SN_TWIST * w->row[i], *V = w->V + SN_TWIST * w->row[i], *E = w->E + w->row[i];
  row x[6], m[6];
#pragma GCC unroll 6
  for (int a = k - 1; a >= 0; a--) {
    row e = load(l + SN_TWIST * a);
    for (int b = 0; up && b < 6; b++) {
      const row of_parent = load(up + SN_TWIST * b);
      add(&e, V[SN_TWIST * a + b], &of_parent);
    }
    for (int b = a + 1; b < k; b++) add(&e, -S[SN_TWIST * a + b], &m[b]);
    for (int p = 0; p < PIECES; p++) m[a].piece[p] = e.piece[p] * E[a];
    store(l + SN_TWIST * a, &m[a]);
  }
#pragma GCC unroll 6
  for (int j = 5; j >= 0; j--) {
    row e = load(f + SN_TWIST * j);
    for (int a = 0; a < k; a++) add(&e, -Z[SN_TWIST * j + a], &m[a]);
    for (int b = j + 1; b < 6; b++) add(&e, -Y[SN_TWIST * j + b], &x[b]);
    for (int p = 0; p < PIECES; p++) x[j].piece[p] = e.piece[p] * D[j];
    store(u + SN_TWIST * j, &x[j]);
  }
}

void sn_articulated_answers(const sn_articulated *w, int first, int last, double *f, double *u, double *l) {
  const size_t wide = 6 * SN_TWIST;
  for (int i = last - 1; i >= first; i--) {
    const int p = w->parent[i];
    double *own = f + wide * (size_t)(i - first), *up = p >= 0 ? f + wide * (size_t)(p - first) : NULL;
    double *li = l + SN_TWIST * (w->row[i] - w->row[first]);
#define FORWARD_LOADS(k) forward_loads(w, i, k, own, up, li)
    WITH_CONSTANT(w->row[i + 1] - w->row[i], FORWARD_LOADS)
  }
  for (int i = first; i < last; i++) {
    const int p = w->parent[i];
    double *own = u + wide * (size_t)(i - first), *up = p >= 0 ? u + wide * (size_t)(p - first) : NULL;
    double *li = l + SN_TWIST * (w->row[i] - w->row[first]);
    const double *fi = f + wide * (size_t)(i - first);
#define BACKWARD_LOADS(k) backward_loads(w, i, k, fi, up, own, li)
    WITH_CONSTANT(w->row[i + 1] - w->row[i], BACKWARD_LOADS)
  }
}
