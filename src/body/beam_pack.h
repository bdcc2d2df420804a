/* beam_pack.h - what all beam kernels share: several elements, their nodal vectors, and how the gradients at a station of
 * the axis depend on them.
 *
 *   s = x/l, d = (r1 - r0)/l, and for the section directions j = y, z:
 *   u   = 6s(1-s) d + (1-4s+3s^2) r0_x + (3s^2-2s) r1_x        r_x on the axis
 *   w   = (6-12s) d + (6s-4) r0_x + (6s-2) r1_x                l u_x
 *   g_j = r1_j - r0_j                                          l r_xj
 *   r_j = (1-s) r0_j + s r1_j
 *   r_x = u + sum_j (X_j/l) g_j  at the point (X_y, X_z) of the section
 *
 * parts     d, r0_x, r1_x, r0_y, r1_y[, r0_z, r1_z]: the element without its translation
 * gradients u, g_y[, g_z], r_y[, r_z]; and w behind them (elastic-line)
 */
#ifndef SN_BEAM_PACK_H
#define SN_BEAM_PACK_H

#include "body/beam_element.h"
#include "math/lanes33.h"
#include "math/lanes_rows.h"

enum { SN_PARTS = 7, SN_GRADIENTS = 6, SN_W = 5 }; /* most of each; w is the last gradient */

typedef struct sn_beam_pack {
  sn_vd l, beta;
  const double *value; /* of the first lane */
  int capacity;
  int lanes; /* in use */
  const int *first;
  double step; /* length of a step of an energy-momentum method, over which forces are wanted; 0: none */
} sn_beam_pack;

SN_INLINE sn_vd sn_beam_number(const sn_beam_pack *p, int field) {
  return sn_vd_load(p->value + (size_t)field * (size_t)p->capacity);
}

SN_INLINE sn_beam_pack sn_beam_pack_at(const sn_beam_elements *e, int i, int last) {
  assert(i >= 0 && i % SN_LANES == 0 && i < last && i + SN_LANES <= e->capacity);
  sn_beam_pack p = {.value = e->value + i,
                    .capacity = e->capacity,
                    .lanes = last - i < SN_LANES ? last - i : SN_LANES,
                    .first = e->first + i};
  p.l = sn_beam_number(&p, SN_BEAM_LENGTH);
  p.beta = sn_beam_number(&p, SN_BEAM_BETA);
  return p;
}

/* e: the 2 (n + 1) nodal vectors of several elements */
SN_INLINE void sn_beam_gather(const sn_beam_pack *p, int n, const double *x, sn_v3 e[SN_BEAM_VECTORS]) {
  const double *row[SN_LANES];
  sn_vd c[3 * SN_BEAM_VECTORS];
  const int vectors = 2 * (n + 1);
  for (int k = 0; k < SN_LANES; k++) row[k] = x + p->first[k];
  sn_rows_to_lanes(row, n * vectors, c);
  for (int i = 0; i < vectors; i++) e[i] = (sn_v3){c[n * i], c[n * i + 1], n > 2 ? c[n * i + 2] : sn_vd_all(0)};
}

/* Element by element, as of cables. */
SN_INLINE void sn_beam_scatter(const sn_beam_pack *p, int n, const sn_v3 e[SN_BEAM_VECTORS], double *x) {
  double buffer[SN_LANES][3 * SN_BEAM_VECTORS] __attribute__((aligned(64))), *row[SN_LANES];
  sn_vd c[3 * SN_BEAM_VECTORS];
  const int vectors = 2 * (n + 1), node = n * (n + 1);
  for (int k = 0; k < SN_LANES; k++) row[k] = buffer[k];
  for (int i = 0; i < vectors; i++) {
    c[n * i] = e[i].x, c[n * i + 1] = e[i].y;
    if (n > 2) c[n * i + 2] = e[i].z;
  }
  sn_lanes_to_rows(c, n * vectors, row);
  for (int k = 0; k < p->lanes; k++)
    for (int i = 0; i < 2; i++) sn_row_add(node, x + p->first[k] + i * node, buffer[k] + i * node);
}

/* nodal vectors -> parts */
SN_INLINE void sn_beam_parts(int n, const sn_v3 e[], sn_vd l, sn_v3 x[SN_PARTS]) {
  const sn_v3 *f = e + n + 1;
  x[0] = sn_v3_scale(1 / l, sn_v3_sub(f[0], e[0]));
  for (int j = 0; j < n; j++) x[1 + 2 * j] = e[1 + j], x[2 + 2 * j] = f[1 + j];
}
/* y += forces on parts, spread over the nodal vectors */
SN_INLINE void sn_beam_unparts(int n, const sn_v3 F[SN_PARTS], sn_vd l, sn_v3 y[]) {
  sn_v3 *z = y + n + 1, Fd = sn_v3_scale(1 / l, F[0]);
  y[0] = sn_v3_sub(y[0], Fd);
  z[0] = sn_v3_add(z[0], Fd);
  for (int j = 0; j < n; j++)
    y[1 + j] = sn_v3_add(y[1 + j], F[1 + 2 * j]), z[1 + j] = sn_v3_add(z[1 + j], F[2 + 2 * j]);
}

/* Gradient m = sum of up to three parts. */
typedef struct sn_beam_mix {
  int count, part[3];
  double c[3];
} sn_beam_mix;

SN_INLINE sn_beam_mix sn_beam_mix_of(int n, int m, double s) {
  if (m == 0) return (sn_beam_mix){3, {0, 1, 2}, {6 * s * (1 - s), 1 - 4 * s + 3 * s * s, 3 * s * s - 2 * s}};
  if (m < n) return (sn_beam_mix){2, {1 + 2 * m, 2 + 2 * m, 0}, {-1, 1, 0}};
  if (m < 2 * n - 1) return (sn_beam_mix){2, {1 + 2 * (m - n + 1), 2 + 2 * (m - n + 1), 0}, {1 - s, s, 0}};
  return (sn_beam_mix){3, {0, 1, 2}, {6 - 12 * s, 6 * s - 4, 6 * s - 2}};
}

/* The first `count` gradients at s. */
SN_INLINE void sn_beam_gradients(int n, int count, double s, const sn_v3 x[SN_PARTS], sn_v3 X[SN_GRADIENTS]) {
  for (int m = 0; m < count; m++) {
    sn_beam_mix a = sn_beam_mix_of(n, m, s);
    X[m] = sn_v3_scale(sn_vd_all(a.c[0]), x[a.part[0]]);
    for (int k = 1; k < a.count; k++) sn_v3_axpy(&X[m], a.c[k], x[a.part[k]]);
  }
}
/* F += forces on gradients, spread over the parts */
SN_INLINE void sn_beam_ungradients(int n, int count, double s, const sn_v3 P[SN_GRADIENTS], sn_v3 F[SN_PARTS]) {
  for (int m = 0; m < count; m++) {
    sn_beam_mix a = sn_beam_mix_of(n, m, s);
    for (int k = 0; k < a.count; k++) sn_v3_axpy(&F[a.part[k]], a.c[k], P[m]);
  }
}
/* The same for a tangent between gradients. */
SN_INLINE void sn_beam_ungradients_tangent(int n, int count, double s, sn_m33 T[SN_GRADIENTS][SN_GRADIENTS],
                                           sn_m33 K[SN_PARTS][SN_PARTS]) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      sn_beam_mix a = sn_beam_mix_of(n, i, s), b = sn_beam_mix_of(n, j, s);
      for (int k = 0; k < a.count; k++)
        for (int m = 0; m < b.count; m++) sn_m33_add_plain(&K[a.part[k]][b.part[m]], a.c[k] * b.c[m], &T[i][j]);
    }
}

#endif
