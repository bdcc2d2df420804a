/* plate_pack.h - what all plate kernels share: several elements, their nodal vectors, and the derivatives at a point.
 *
 *   r = sum S_k e_k, k = 1..12: r, r_x, r_y of four nodes (plate_shape.c)
 *   y = (r_x, r_y, r_xx, r_yy, r_xy), the five slots
 *
 * The kernels work with nodal slopes with respect to s = x/a and h = y/b, so that the coefficients are the same for all
 * elements; slot p then carries the factor scale[p].
 */
#ifndef SN_PLATE_PACK_H
#define SN_PLATE_PACK_H

#include "body/plate_element.h"
#include "math/lanes33.h"
#include "math/lanes_rows.h"

enum { SN_RX = 0, SN_RY = 1, SN_RXX = 2 }; /* slots; r_yy and r_xy follow */

/* What is known of several elements. */
typedef struct sn_plate_pack {
  const sn_plate_elements *e;
  int i, lanes; /* first element, how many are in use */
  sn_vd a, b, C, D, nu, mass, alpha, beta;
  sn_vd scale[SN_PLATE_SLOTS]; /* 1/a, 1/b, 1/a^2, 1/b^2, 1/(a b) */
  double step; /* length of a step of an energy-momentum method, over which forces are wanted; 0: none */
} sn_plate_pack;

SN_INLINE sn_plate_pack sn_plate_pack_at(const sn_plate_elements *e, int i, int last) {
  sn_plate_pack p = {
      .e = e,
      .i = i,
      .lanes = last - i < SN_LANES ? last - i : SN_LANES,
      .a = sn_vd_load(e->a + i),
      .b = sn_vd_load(e->b + i),
      .C = sn_vd_load(e->C + i),
      .D = sn_vd_load(e->D + i),
      .nu = sn_vd_load(e->nu + i),
      .mass = sn_vd_load(e->mass + i),
      .alpha = sn_vd_load(e->alpha + i),
      .beta = sn_vd_load(e->beta + i),
  };
  sn_vd ia = 1 / p.a, ib = 1 / p.b;
  p.scale[0] = ia, p.scale[1] = ib, p.scale[2] = ia * ia, p.scale[3] = ib * ib, p.scale[4] = ia * ib;
  return p;
}

/* x[0..11] = nodal vectors of several elements from the vector q, slopes with respect to s and h */
static void sn_plate_gather(const sn_plate_pack *p, const double *q, sn_v3 x[SN_PLATE_SHAPES]) {
  for (int n = 0; n < 4; n++) {
    const double *row[SN_LANES];
    sn_vd c[9];
    for (int k = 0; k < SN_LANES; k++) row[k] = q + p->e->first[n][p->i + k];
    sn_rows_to_lanes(row, 9, c);
    for (int i = 0; i < 3; i++) x[3 * n + i] = (sn_v3){c[3 * i], c[3 * i + 1], c[3 * i + 2]};
  }
  for (int n = 0; n < 4; n++) {
    x[3 * n + 1] = sn_v3_scale(p->a, x[3 * n + 1]);
    x[3 * n + 2] = sn_v3_scale(p->b, x[3 * n + 2]);
  }
}

/* r += forces y on the nodal vectors */
static void sn_plate_scatter(const sn_plate_pack *p, const sn_v3 y[SN_PLATE_SHAPES], double *r) {
  double buffer[4][SN_LANES][12] __attribute__((aligned(64))), *row[SN_LANES]; /* 9 of a node, and room */
  for (int n = 0; n < 4; n++) {
    sn_vd c[9];
    for (int k = 0; k < SN_LANES; k++) row[k] = buffer[n][k];
    for (int i = 0; i < 3; i++) c[3 * i] = y[3 * n + i].x, c[3 * i + 1] = y[3 * n + i].y, c[3 * i + 2] = y[3 * n + i].z;
    sn_lanes_to_rows(c, 9, row);
  }
  for (int k = 0; k < p->lanes; k++) {
    const double factor[3] = {1, p->a[k], p->b[k]};
    for (int n = 0; n < 4; n++) {
      double *to = r + p->e->first[n][p->i + k];
      for (int c = 0; c < 9; c++) to[c] += factor[c / 3] * buffer[n][k][c];
    }
  }
}

SN_INLINE sn_v3 sn_plate_zero(void) {
  return (sn_v3){sn_vd_all(0), sn_vd_all(0), sn_vd_all(0)};
}

/* y[p] = scale[p] sum_k d[p][k] x[k], the first `slots` of them */
SN_INLINE void sn_plate_slots_at(const sn_plate_pack *p, const sn_plate_point *point, int slots,
                                 const sn_v3 x[SN_PLATE_SHAPES], sn_v3 y[SN_PLATE_SLOTS]) {
  for (int s = 0; s < slots; s++) {
    sn_v3 sum = sn_plate_zero();
    for (int k = 0; k < SN_PLATE_SHAPES; k++) sn_v3_axpy(&sum, point->d[s][k], x[k]);
    y[s] = sn_v3_scale(p->scale[s], sum);
  }
}

/* F += the forces f on the slots, spread over the nodal vectors */
SN_INLINE void sn_plate_spread(const sn_plate_pack *p, const sn_plate_point *point, int slots,
                               const sn_v3 f[SN_PLATE_SLOTS], sn_v3 F[SN_PLATE_SHAPES]) {
  sn_v3 g[SN_PLATE_SLOTS];
  sn_vd w = point->weight * p->a * p->b;
  for (int s = 0; s < slots; s++) g[s] = sn_v3_scale(w * p->scale[s], f[s]);
  for (int k = 0; k < SN_PLATE_SHAPES; k++)
    for (int s = 0; s < slots; s++) sn_v3_axpy(&F[k], point->d[s][k], g[s]);
}

static void sn_plate_mass_times(const sn_plate_pack *p, const sn_v3 x[SN_PLATE_SHAPES], sn_v3 y[SN_PLATE_SHAPES]) {
  for (int i = 0; i < SN_PLATE_SHAPES; i++) {
    sn_v3 sum = sn_plate_zero();
    for (int k = 0; k < SN_PLATE_SHAPES; k++) sn_v3_axpy(&sum, p->e->tables->mass[i][k], x[k]);
    y[i] = sn_v3_scale(p->mass, sum);
  }
}

#endif
