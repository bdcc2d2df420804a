/* cable_pack.h - what all cable kernels share: several elements, their nodal vectors, and r_x and r_xx at a point.
 *
 *   s = x/l in [0, 1],  d = (r1 - r0)/l:
 *   u = r_x    =      6s(1-s) d + (1-4s+3s^2) r0' + (3s^2-2s) r1'
 *   w = r_xx l =     (6-12s) d + (6s-4) r0'      + (6s-2) r1'
 *
 * Since these depend on l only through d, the kernels work on the parts (d, r0', r1') and spread the result at the end.
 */
#ifndef SN_CABLE_PACK_H
#define SN_CABLE_PACK_H

#include "body/cable_element.h"
#include "math/lanes33.h"
#include "math/lanes_rows.h"

/* Called once in many steps: one copy serves all variants, where the residual has one for each. */
#define SN_CABLE_RARE static __attribute__((noinline))

enum { SN_CABLE_D, SN_CABLE_A, SN_CABLE_B, SN_CABLE_PARTS }; /* d, r0', r1' */

typedef struct sn_cable_coefficients {
  double u[SN_CABLE_PARTS], w[SN_CABLE_PARTS];
} sn_cable_coefficients;

SN_INLINE sn_cable_coefficients sn_cable_at(double s) {
  return (sn_cable_coefficients){{6 * s * (1 - s), 1 - 4 * s + 3 * s * s, 3 * s * s - 2 * s},
                                 {6 - 12 * s, 6 * s - 4, 6 * s - 2}};
}

/* What is known of several elements. */
typedef struct sn_cable_pack {
  sn_vd l, EA, EI, mass, alpha, beta;
  const double *eps0, *kappa0, *k0;      /* of the first lane */
  const double *EA_at, *EI_at, *mass_at; /* NULL: the same along the element */
  int capacity;
  int lanes; /* in use */
  int dim;
  const int *first;
  /* Tangents of a kick: (kappa - kappa0)^2 <= |k - k0|^2 for any direction of k0, so that the stiffness of kappa^2,
   * which is more, bounds its own wherever the curvature goes */
  bool convex;
} sn_cable_pack;

SN_INLINE sn_cable_pack sn_cable_pack_at(const sn_cable_elements *e, int i, int last) {
  assert(i >= 0 && i % SN_LANES == 0 && i < last && i + SN_LANES <= e->capacity);
  sn_cable_pack p = {
      .l = sn_vd_load(e->length + i),
      .EA = sn_vd_load(e->EA + i),
      .EI = sn_vd_load(e->EI + i),
      .mass = sn_vd_load(e->mass + i),
      .alpha = sn_vd_load(e->alpha + i),
      .beta = sn_vd_load(e->beta + i),
      .capacity = e->capacity,
      .dim = e->dim,
      .lanes = last - i < SN_LANES ? last - i : SN_LANES,
      .first = e->first + i,
  };
  if (e->eps0) p.eps0 = e->eps0 + i, p.kappa0 = e->kappa0 + i;
  if (e->k0) p.k0 = e->k0 + i;
  if (e->EA_at) p.EA_at = e->EA_at + i, p.EI_at = e->EI_at + i, p.mass_at = e->mass_at + i;
  return p;
}

/* Stiffness at a Gauss point. */
SN_INLINE sn_vd sn_cable_axial(const sn_cable_pack *p, int point) {
  return p->EA_at ? sn_vd_load(p->EA_at + point * p->capacity) : p->EA;
}
SN_INLINE sn_vd sn_cable_flexural(const sn_cable_pack *p, int point) {
  return p->EI_at ? sn_vd_load(p->EI_at + point * p->capacity) : p->EI;
}

/* Place of M_ab in the ten numbers of a mass block. */
static const int sn_cable_mass_index[4][4] = {{0, 1, 2, 3}, {1, 4, 5, 6}, {2, 5, 7, 8}, {3, 6, 8, 9}};

/* e[0..3] = r0 r0' r1 r1' of several elements from the vector x */
SN_INLINE void sn_cable_gather(const sn_cable_pack *p, const double *x, sn_v3 e[4]) {
  const double *row[SN_LANES];
  sn_vd c[12];
  for (int k = 0; k < SN_LANES; k++) row[k] = x + p->first[k];
  if (p->dim == 3) {
    sn_rows_to_lanes(row, 12, c);
    for (int i = 0; i < 4; i++) e[i] = (sn_v3){c[3 * i], c[3 * i + 1], c[3 * i + 2]};
  } else {
    sn_rows_to_lanes(row, 8, c);
    for (int i = 0; i < 4; i++) e[i] = (sn_v3){c[2 * i], c[2 * i + 1], sn_vd_all(0)};
  }
}

/* Element by element: each number is the sum in their order, however many lanes there are. */
SN_INLINE void sn_cable_scatter(const sn_cable_pack *p, const sn_v3 e[4], double *x) {
  double buffer[SN_LANES][12] __attribute__((aligned(64))), *row[SN_LANES];
  sn_vd c[12];
  for (int k = 0; k < SN_LANES; k++) row[k] = buffer[k];
  if (p->dim == 3) {
    for (int i = 0; i < 4; i++) c[3 * i] = e[i].x, c[3 * i + 1] = e[i].y, c[3 * i + 2] = e[i].z;
    sn_lanes_to_rows(c, 12, row);
    for (int k = 0; k < p->lanes; k++)
      for (int i = 0; i < 12; i += 6) sn_row_add(6, x + p->first[k] + i, buffer[k] + i);
  } else {
    for (int i = 0; i < 4; i++) c[2 * i] = e[i].x, c[2 * i + 1] = e[i].y;
    sn_lanes_to_rows(c, 8, row);
    for (int k = 0; k < p->lanes; k++)
      for (int i = 0; i < 8; i += 4) sn_row_add(4, x + p->first[k] + i, buffer[k] + i);
  }
}

/* (r0, r0', r1, r1') -> (d, r0', r1') */
SN_INLINE void sn_cable_parts(const sn_v3 e[4], sn_vd l, sn_v3 x[SN_CABLE_PARTS]) {
  sn_vd il = 1 / l;
  x[SN_CABLE_D] = sn_v3_scale(il, sn_v3_sub(e[2], e[0]));
  x[SN_CABLE_A] = e[1];
  x[SN_CABLE_B] = e[3];
}

SN_INLINE sn_v3 sn_cable_mix(const double c[SN_CABLE_PARTS], const sn_v3 x[SN_CABLE_PARTS]) {
  return sn_v3_mix(c[SN_CABLE_D], x[SN_CABLE_D], c[SN_CABLE_A], x[SN_CABLE_A], c[SN_CABLE_B], x[SN_CABLE_B]);
}
SN_INLINE void sn_cable_spread(sn_v3 F[SN_CABLE_PARTS], const double c[SN_CABLE_PARTS], sn_v3 f) {
  for (int k = 0; k < SN_CABLE_PARTS; k++) sn_v3_axpy(&F[k], c[k], f);
}

/* y += F spread back over (r0, r0', r1, r1') */
SN_INLINE void sn_cable_unparts(const sn_cable_pack *p, const sn_v3 F[SN_CABLE_PARTS], sn_v3 y[4]) {
  sn_v3 Fd = sn_v3_scale(1 / p->l, F[SN_CABLE_D]);
  y[0] = sn_v3_sub(y[0], Fd);
  y[1] = sn_v3_add(y[1], F[SN_CABLE_A]);
  y[2] = sn_v3_add(y[2], Fd);
  y[3] = sn_v3_add(y[3], F[SN_CABLE_B]);
}

/* T[a][b] += s ca cb H for all pairs of parts */
SN_INLINE void sn_cable_accumulate(sn_m33 T[SN_CABLE_PARTS][SN_CABLE_PARTS], const double ca[SN_CABLE_PARTS],
                                   const double cb[SN_CABLE_PARTS], const sn_m33 *H, bool transposed) {
  for (int a = 0; a < SN_CABLE_PARTS; a++)
    for (int b = 0; b < SN_CABLE_PARTS; b++) {
      double s = ca[a] * cb[b];
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) T[a][b].m[i][j] += s * (transposed ? H->m[j][i] : H->m[i][j]);
    }
}

/* ---- inertia ---- */

/* M x with a mass block of its own for each element */
SN_INLINE void sn_cable_mass_times_varying(const sn_cable_pack *p, const sn_v3 x[4], sn_v3 y[4]) {
  for (int a = 0; a < 4; a++) {
    y[a] = (sn_v3){0};
    for (int b = 0; b < 4; b++)
      y[a] = sn_v3_add(y[a], sn_v3_scale(sn_vd_load(p->mass_at + sn_cable_mass_index[a][b] * p->capacity), x[b]));
  }
}

/* M x for the four nodal vectors, M = mass times the Hermite block */
SN_INLINE void sn_cable_mass_times(const sn_cable_pack *p, const sn_v3 x[4], sn_v3 y[4]) {
  if (p->mass_at) {
    sn_cable_mass_times_varying(p, x, y);
    return;
  }
  sn_vd m = p->mass, ml = m * p->l, mll = ml * p->l;
  sn_vd a = m * (13.0 / 35), b = ml * (11.0 / 210), c = m * (9.0 / 70), d = ml * (13.0 / 420), e = mll * (1.0 / 105),
        f = mll * (1.0 / 140);
#define ROW(i, k0, k1, k2, k3)                                    \
  y[i].x = (k0)*x[0].x + (k1)*x[1].x + (k2)*x[2].x + (k3)*x[3].x; \
  y[i].y = (k0)*x[0].y + (k1)*x[1].y + (k2)*x[2].y + (k3)*x[3].y; \
  y[i].z = (k0)*x[0].z + (k1)*x[1].z + (k2)*x[2].z + (k3)*x[3].z
  ROW(0, a, b, c, -d);
  ROW(1, b, e, d, -f);
  ROW(2, c, d, a, -b);
  ROW(3, -d, -f, -b, e);
#undef ROW
}

#endif
