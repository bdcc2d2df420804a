/* ldl_kernels.h - small dense kernels of the block LDL' factorization.
 *
 * Each kernel is one loop nest, forced inline. The function behind it switches on the shape of the block and calls the
 * nest with literals, so that the compiler unrolls and vectorizes for the shapes that matter: 6 (cable nodes), 7 (rigid
 * bodies), 9 and 12 (beams and plates), 1 and 3 (constraints), 2 to 4 (planar models). All blocks are column major
 * without gaps.
 */
#ifndef SN_LDL_KERNELS_H
#define SN_LDL_KERNELS_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define SN_INLINE static inline __attribute__((always_inline))

/* The shapes (rows, columns) compiled for: once here, for all kernels. */
#define SN_SHAPES(SHAPE)                                    \
  SHAPE(6, 6)                                               \
  SHAPE(1, 1)                                               \
  SHAPE(1, 3)                                               \
  SHAPE(1, 6)                                               \
  SHAPE(1, 7)                                               \
  SHAPE(3, 1)                                               \
  SHAPE(3, 3)                                               \
  SHAPE(3, 6)                                               \
  SHAPE(3, 7)                                               \
  SHAPE(6, 3)                                               \
  SHAPE(7, 1)                                               \
  SHAPE(7, 3)                                               \
  SHAPE(7, 7)                                               \
  SHAPE(5, 5)                                               \
  SHAPE(5, 7)                                               \
  SHAPE(9, 9)                                               \
  SHAPE(3, 9)                                               \
  SHAPE(12, 12)                                             \
  SHAPE(3, 12)                                              \
  /* planar models: nodes of 4, bodies of 3, joints of 2 */ \
  SHAPE(4, 4) SHAPE(2, 4) SHAPE(4, 2) SHAPE(2, 2) SHAPE(2, 3) SHAPE(3, 2)
#define SN_KEY(m, n) ((m) < 64 && (n) < 64 ? (m)*64 + (n) : 0)

/* Accumulators of the nests: the largest m they are called with. */
enum { SN_WIDEST = 12 };
#define SHAPE(M, N) static_assert((M) <= SN_WIDEST && (N) <= SN_WIDEST, "room for the shape");
SN_SHAPES(SHAPE)
#undef SHAPE

/* ---- matrix times matrix ---- */

/* C -= X Y' with C m x n, X m x k, Y n x k. */
SN_INLINE void update_nest(int m, int k, int n, double *restrict C, const double *X, const double *Y) {
  for (int c = 0; c < n; c++) {
    double sum[SN_WIDEST];
    for (int r = 0; r < m; r++) sum[r] = C[c * m + r];
    for (int l = 0; l < k; l++) {
      for (int r = 0; r < m; r++) sum[r] -= X[l * m + r] * Y[l * n + c];
    }
    for (int r = 0; r < m; r++) C[c * m + r] = sum[r];
  }
}

static inline void block_update(int m, int n, int k, double *restrict C, const double *X, const double *Y) {
  if (m == 6 && n == 6 && k == 6) {
    update_nest(6, 6, 6, C, X, Y);
    return;
  }
#define SHAPE(M, K)                \
  case SN_KEY(M, K):               \
    update_nest(M, K, n, C, X, Y); \
    return;
  switch (SN_KEY(m, k)) { SN_SHAPES(SHAPE) }
#undef SHAPE
  for (int c = 0; c < n; c++) {
    for (int l = 0; l < k; l++) {
      for (int r = 0; r < m; r++) C[c * m + r] -= X[l * m + r] * Y[l * n + c];
    }
  }
}

/* C -= X'Y with C n x n, X and Y m x n. */
SN_INLINE void inner_nest(int m, int n, double *restrict C, const double *X, const double *Y) {
  for (int c = 0; c < n; c++) {
    for (int k = 0; k < m; k++) {
      for (int r = 0; r < n; r++) C[c * n + r] -= X[r * m + k] * Y[c * m + k];
    }
  }
}

static inline void block_update_inner(int m, int n, double *restrict C, const double *X, const double *Y) {
#define SHAPE(M, N)            \
  case SN_KEY(M, N):           \
    inner_nest(M, N, C, X, Y); \
    return;
  switch (SN_KEY(m, n)) { SN_SHAPES(SHAPE) }
#undef SHAPE
  inner_nest(m, n, C, X, Y);
}

/* How V enters C = A V or C = A V': as a full matrix, or as an upper triangular one, plain or transposed. */
typedef enum sn_factor { SN_FULL, SN_UPPER, SN_UPPER_TRANSPOSED } sn_factor;

/* C = A V with C and A m x n, V n x n. */
SN_INLINE void product_nest(int m, int n, sn_factor kind, double *restrict C, const double *A, const double *V) {
  for (int c = 0; c < n; c++) {
    int low = kind == SN_UPPER_TRANSPOSED ? c : 0, high = kind == SN_UPPER ? c + 1 : n;
    double sum[SN_WIDEST];
    for (int r = 0; r < m; r++) sum[r] = 0.0;
    for (int l = low; l < high; l++) {
      double v = kind == SN_UPPER_TRANSPOSED ? V[l * n + c] : V[c * n + l];
      for (int r = 0; r < m; r++) sum[r] += A[l * m + r] * v;
    }
    for (int r = 0; r < m; r++) C[c * m + r] = sum[r];
  }
}

SN_INLINE void product(int m, int n, sn_factor kind, double *restrict C, const double *A, const double *V) {
#define SHAPE(M, N)                    \
  case SN_KEY(M, N):                   \
    product_nest(M, N, kind, C, A, V); \
    return;
  switch (SN_KEY(m, n)) { SN_SHAPES(SHAPE) }
#undef SHAPE
  for (int c = 0; c < n; c++) {
    int low = kind == SN_UPPER_TRANSPOSED ? c : 0, high = kind == SN_UPPER ? c + 1 : n;
    for (int r = 0; r < m; r++) C[c * m + r] = 0.0;
    for (int l = low; l < high; l++) {
      double v = kind == SN_UPPER_TRANSPOSED ? V[l * n + c] : V[c * n + l];
      for (int r = 0; r < m; r++) C[c * m + r] += A[l * m + r] * v;
    }
  }
}

static inline void block_times(int m, int n, double *C, const double *A, const double *V) {
  product(m, n, SN_FULL, C, A, V);
}
static inline void block_times_upper(int m, int n, double *C, const double *A, const double *V) {
  product(m, n, SN_UPPER, C, A, V);
}
static inline void block_times_upper_transposed(int m, int n, double *C, const double *A, const double *V) {
  product(m, n, SN_UPPER_TRANSPOSED, C, A, V);
}

/* ---- matrix times vector ---- */

/* y -= B x with B m x n. */
SN_INLINE void forward_nest(int m, int n, const double *B, const double *x, double *restrict y) {
  double sum[SN_WIDEST];
  for (int r = 0; r < m; r++) sum[r] = y[r];
  for (int c = 0; c < n; c++) {
    for (int r = 0; r < m; r++) sum[r] -= B[c * m + r] * x[c];
  }
  for (int r = 0; r < m; r++) y[r] = sum[r];
}

SN_INLINE void block_forward(int m, int n, const double *B, const double *x, double *restrict y) {
#define SHAPE(M, N)              \
  case SN_KEY(M, N):             \
    forward_nest(M, N, B, x, y); \
    return;
  switch (SN_KEY(m, n)) { SN_SHAPES(SHAPE) }
#undef SHAPE
  for (int c = 0; c < n; c++) {
    for (int r = 0; r < m; r++) y[r] -= B[c * m + r] * x[c];
  }
}

/* y -= B' x with B m x n. */
SN_INLINE void backward_nest(int m, int n, const double *B, const double *x, double *restrict y) {
  for (int c = 0; c < n; c++) {
    double sum = 0.0;
    for (int r = 0; r < m; r++) sum += B[c * m + r] * x[r];
    y[c] -= sum;
  }
}

SN_INLINE void block_backward(int m, int n, const double *B, const double *x, double *restrict y) {
#define SHAPE(M, N)               \
  case SN_KEY(M, N):              \
    backward_nest(M, N, B, x, y); \
    return;
  switch (SN_KEY(m, n)) { SN_SHAPES(SHAPE) }
#undef SHAPE
  backward_nest(m, n, B, x, y);
}

/* y := B y with B n x n. */
SN_INLINE void apply_nest(int n, const double *B, double *restrict y) {
  double sum[SN_WIDEST];
  for (int r = 0; r < n; r++) sum[r] = 0.0;
  for (int c = 0; c < n; c++) {
    for (int r = 0; r < n; r++) sum[r] += B[c * n + r] * y[c];
  }
  for (int r = 0; r < n; r++) y[r] = sum[r];
}

/* work: [n] */
SN_INLINE void block_apply(int n, const double *B, double *restrict y, double *restrict work) {
#define SHAPE(M, N)                  \
  case SN_KEY(M, N):                 \
    if (M == N) apply_nest(N, B, y); \
    return;
  switch (SN_KEY(n, n)) { SN_SHAPES(SHAPE) }
#undef SHAPE
  memcpy(work, y, (size_t)n * sizeof *y);
  for (int r = 0; r < n; r++) y[r] = 0.0;
  for (int c = 0; c < n; c++) {
    for (int r = 0; r < n; r++) y[r] += B[c * n + r] * work[c];
  }
}

/* ---- pivot blocks ---- */

/* sign D = C C' and V = C^-T (upper triangular), then D := D^-1 = sign V V'.
 *
 * Without square roots on the way: sign D = l d l', l unit lower triangular. Eliminating the columns of
 * [M | T] = [sign D | I] turns T into l^-T, and V = T d^-1/2. Columns are padded to `width` rows, a multiple of the
 * vector length; M and T have room for n * width values each, `inverse` (d^-1) for n.
 * False, with D untouched, when a pivot is not above `tiny` times the scale of its row: then sign D is not definite. */
SN_INLINE bool invert_nest(int n, int width, double sign, double tiny, const double *scale, double *restrict D,
                           double *restrict V, double *restrict M, double *restrict T, double *restrict inverse) {
  bool definite = true;
  for (int j = 0; j < n; j++) {
    for (int r = 0; r < width; r++) M[j * width + r] = r < n ? sign * D[j * n + r] : 0.0;
    for (int r = 0; r < width; r++) T[j * width + r] = r == j ? 1.0 : 0.0;
  }
  for (int j = 0; j < n; j++) {
    double pivot = M[j * width + j];
    definite = definite && pivot > tiny * scale[j];
    inverse[j] = 1.0 / pivot;
    for (int k = j + 1; k < n; k++) {
      double l = M[j * width + k] * inverse[j];
      for (int r = 0; r < width; r++) M[k * width + r] -= l * M[j * width + r];
      for (int r = 0; r < width; r++) T[k * width + r] -= l * T[j * width + r];
    }
  }
  if (!definite) return false;
  for (int j = 0; j < n; j++) {
    double root = sqrt(inverse[j]);
    for (int r = 0; r < n; r++) V[j * n + r] = root * T[j * width + r];
  }
  for (int j = 0; j < n; j++) {
    for (int r = 0; r < width; r++) M[j * width + r] = 0.0;
    for (int k = j; k < n; k++) {
      double factor = sign * inverse[k] * T[k * width + j];
      for (int r = 0; r < width; r++) M[j * width + r] += factor * T[k * width + r];
    }
    for (int r = 0; r < n; r++) D[j * n + r] = M[j * width + r];
  }
  return true;
}

/* n <= SN_WIDEST: everything on the stack, or in registers. */
SN_INLINE bool invert_sized(int n, int width, double sign, double tiny, const double *scale, double *D, double *V) {
  double M[SN_WIDEST * SN_WIDEST], T[SN_WIDEST * SN_WIDEST], inverse[SN_WIDEST];
  return invert_nest(n, width, sign, tiny, scale, D, V, M, T, inverse);
}

/* A free rigid body: its mass and, apart from it, four coordinates of its turning. */
static inline bool invert_body(double sign, double tiny, const double *scale, double *D, double *V) {
  double D4[16], V4[16], inverse[3];
  bool apart = true, definite = true;
  for (int c = 0; c < 3; c++) {
    for (int r = c + 1; r < 7; r++) apart = apart & (D[c * 7 + r] == 0.0);
    definite = definite & (sign * D[c * 8] > tiny * scale[c]);
    inverse[c] = 1.0 / (sign * D[c * 8]);
  }
  if (!apart) return invert_sized(7, 8, sign, tiny, scale, D, V);
  for (int k = 0; k < 16; k++) D4[k] = D[(3 + k / 4) * 7 + 3 + k % 4];
  if (!definite || !invert_sized(4, 4, sign, tiny, scale + 3, D4, V4)) return false;
  for (int k = 0; k < 49; k++) V[k] = 0.0;
  for (int c = 0; c < 3; c++) D[c * 8] = sign * inverse[c], V[c * 8] = sqrt(inverse[c]);
  for (int k = 0; k < 16; k++) {
    int at = (3 + k / 4) * 7 + 3 + k % 4;
    D[at] = D4[k];
    V[at] = V4[k];
  }
  return true;
}

/* V: [n^2], work: [2 n^2 + n]. */
static inline bool block_invert(int n, double sign, double tiny, const double *scale, double *D, double *V,
                                double *work) {
  switch (n) {
    case 1:
      return invert_sized(1, 1, sign, tiny, scale, D, V);
    case 2:
      return invert_sized(2, 2, sign, tiny, scale, D, V);
    case 4:
      return invert_sized(4, 4, sign, tiny, scale, D, V);
    case 3:
      return invert_sized(3, 4, sign, tiny, scale, D, V);
    case 5:
      return invert_sized(5, 8, sign, tiny, scale, D, V);
    case 6:
      return invert_sized(6, 8, sign, tiny, scale, D, V);
    case 7:
      return invert_body(sign, tiny, scale, D, V);
    case 9:
      return invert_sized(9, 12, sign, tiny, scale, D, V);
    case 12:
      return invert_sized(12, 12, sign, tiny, scale, D, V);
    default:
      return invert_nest(n, n, sign, tiny, scale, D, V, work, work + n * n, work + 2 * n * n);
  }
}

#endif
