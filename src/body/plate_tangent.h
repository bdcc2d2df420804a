/* plate_tangent.h - tangent of the elastic and viscous forces of plates.
 *
 * With G_i = dk_i/dy (or de_i/dy), m_i the moments (stresses), F = sum_i m_i G_i:
 *   K = sum_ij D_ij G_i (G_j + beta G_j')' + sum_i m_i dG_i/dy,    D = beta sum_ij D_ij G_i G_j'
 */
#ifndef SN_PLATE_TANGENT_H
#define SN_PLATE_TANGENT_H

#include "body/plate_strain.h"

typedef sn_m33 sn_plate_slot_matrix[SN_PLATE_SLOTS][SN_PLATE_SLOTS];

SN_INLINE void sn_plate_outer(sn_m33 *H, sn_v3 a, sn_v3 b) { /* H += a b' */
  sn_vd ax[3] = {a.x, a.y, a.z}, bx[3] = {b.x, b.y, b.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) H->m[i][j] += ax[i] * bx[j];
}
SN_INLINE void sn_plate_transposed(sn_m33 *H, sn_vd s, const sn_m33 *A) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) H->m[i][j] += s * A->m[j][i];
}
/* rows of A x a, the product A skew(a): row i is row_i x a */
SN_INLINE sn_m33 sn_plate_times_skew(const sn_m33 *A, sn_v3 a) {
  sn_m33 B;
  for (int i = 0; i < 3; i++) {
    sn_v3 c = sn_v3_cross((sn_v3){A->m[i][0], A->m[i][1], A->m[i][2]}, a);
    B.m[i][0] = c.x, B.m[i][1] = c.y, B.m[i][2] = c.z;
  }
  return B;
}
/* skew(a) A: column j is a x column_j */
SN_INLINE sn_m33 sn_plate_skew_times(sn_v3 a, const sn_m33 *A) {
  sn_m33 B;
  for (int j = 0; j < 3; j++) {
    sn_v3 c = sn_v3_cross(a, (sn_v3){A->m[0][j], A->m[1][j], A->m[2][j]});
    B.m[0][j] = c.x, B.m[1][j] = c.y, B.m[2][j] = c.z;
  }
  return B;
}

/* T[i][j] += w sum_pq d[p][i] d[q][j] scale_p scale_q H[p][q]; only j <= i when H is symmetric (undamped) */
SN_INLINE void sn_plate_accumulate(const sn_plate_pack *p, const sn_plate_point *point, int slots, bool symmetric,
                                   sn_plate_slot_matrix H, sn_m33 T[SN_PLATE_SHAPES][SN_PLATE_SHAPES]) {
  sn_vd w = point->weight * p->a * p->b;
  for (int s = 0; s < slots; s++)
    for (int t = 0; t < slots; t++) {
      sn_vd f = w * p->scale[s] * p->scale[t];
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) H[s][t].m[i][j] *= f;
    }
  for (int j = 0; j < SN_PLATE_SHAPES; j++) {
    sn_m33 column[SN_PLATE_SLOTS]; /* sum_q H[p][q] d[q][j] */
    for (int s = 0; s < slots; s++)
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
          sn_vd sum = point->d[0][j] * H[s][0].m[a][b];
          for (int t = 1; t < slots; t++) sum += point->d[t][j] * H[s][t].m[a][b];
          column[s].m[a][b] = sum;
        }
    for (int i = symmetric ? j : 0; i < SN_PLATE_SHAPES; i++)
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
          sn_vd sum = T[i][j].m[a][b];
          for (int s = 0; s < slots; s++) sum += point->d[s][i] * column[s].m[a][b];
          T[i][j].m[a][b] = sum;
        }
  }
}

/* Z_i = stiffness sum_j P_ij W_j over the slots */
SN_INLINE void sn_plate_stiffen(sn_vd stiffness, sn_vd nu, int slots, sn_v3 W[3][SN_PLATE_SLOTS],
                                sn_v3 Z[3][SN_PLATE_SLOTS]) {
  for (int s = 0; s < slots; s++) {
    Z[0][s] = sn_v3_scale(stiffness, sn_v3_add(W[0][s], sn_v3_scale(nu, W[1][s])));
    Z[1][s] = sn_v3_scale(stiffness, sn_v3_add(W[1][s], sn_v3_scale(nu, W[0][s])));
    Z[2][s] = sn_v3_scale(stiffness * (0.5 - 0.5 * nu), W[2][s]);
  }
}

/* Factors of G_j and G_j' in the tangent: ck + cd beta and ck beta. */
typedef struct sn_plate_factors {
  sn_vd ck, still, moving;
} sn_plate_factors;

SN_INLINE void sn_plate_membrane_tangent(const sn_plate_pack *p, int g, const sn_v3 x[SN_PLATE_SHAPES], const sn_v3 *xd,
                                         const sn_plate_factors *f, sn_m33 T[SN_PLATE_SHAPES][SN_PLATE_SHAPES]) {
  sn_v3 y[SN_PLATE_SLOTS], yd[SN_PLATE_SLOTS], G[3][SN_PLATE_SLOTS], W[3][SN_PLATE_SLOTS], Z[3][SN_PLATE_SLOTS];
  sn_vd m[3];
  sn_plate_slot_matrix H = {0};
  sn_plate_membrane_stress(p, g, x, xd, y, yd, m);
  G[0][SN_RX] = y[SN_RX], G[0][SN_RY] = sn_plate_zero();
  G[1][SN_RX] = sn_plate_zero(), G[1][SN_RY] = y[SN_RY];
  G[2][SN_RX] = y[SN_RY], G[2][SN_RY] = y[SN_RX];
  for (int i = 0; i < 3; i++)
    for (int s = 0; s < 2; s++) W[i][s] = sn_v3_scale(f->still, G[i][s]);
  if (xd) {
    W[0][SN_RX] = sn_v3_add(W[0][SN_RX], sn_v3_scale(f->moving, yd[SN_RX]));
    W[1][SN_RY] = sn_v3_add(W[1][SN_RY], sn_v3_scale(f->moving, yd[SN_RY]));
    W[2][SN_RX] = sn_v3_add(W[2][SN_RX], sn_v3_scale(f->moving, yd[SN_RY]));
    W[2][SN_RY] = sn_v3_add(W[2][SN_RY], sn_v3_scale(f->moving, yd[SN_RX]));
  }
  sn_plate_stiffen(p->C, p->nu, 2, W, Z);
  for (int s = 0; s < 2; s++) {
    sn_plate_outer(&H[SN_RX][s], G[0][SN_RX], Z[0][s]);
    sn_plate_outer(&H[SN_RY][s], G[1][SN_RY], Z[1][s]);
    sn_plate_outer(&H[SN_RX][s], G[2][SN_RX], Z[2][s]);
    sn_plate_outer(&H[SN_RY][s], G[2][SN_RY], Z[2][s]);
  }
  sn_m33_diagonal(&H[SN_RX][SN_RX], f->ck * m[0]);
  sn_m33_diagonal(&H[SN_RY][SN_RY], f->ck * m[1]);
  sn_m33_diagonal(&H[SN_RX][SN_RY], f->ck * m[2]);
  sn_m33_diagonal(&H[SN_RY][SN_RX], f->ck * m[2]);
  sn_plate_accumulate(p, &p->e->tables->membrane[g], 2, !xd, H, T);
}

/* H += ck sum_i m_i d2k_i/dy2. With R = sum m_i r_i, g = (I - N N') R/|n|, A = dn/dr_x = -skew(r_y), B = skew(r_x):
 *   d2(R.N)/dn2 = -(g N' + N g')/|n| - R.N (I - N N')/|n|^2 =: E
 *   xx: A'E A,   yy: B'E B,   xy: A'E B - skew(g)
 *   slot i and x, y:  m_i (I - N N')/|n| A,  m_i (I - N N')/|n| B                                               */
SN_INLINE void sn_plate_geometric(const sn_v3 y[SN_PLATE_SLOTS], const sn_plate_bend *b, const sn_vd moment[3],
                                  sn_vd ck, sn_plate_slot_matrix H) {
  sn_vd m[3], RN = sn_vd_all(0), one = sn_vd_all(1);
  sn_v3 g = sn_plate_zero();
  for (int i = 0; i < 3; i++) {
    m[i] = ck * moment[i];
    g = sn_v3_add(g, sn_v3_scale(m[i], b->g[i]));
    RN += m[i] * b->k[i];
  }
  sn_m33 E = {0}, Pn = {0};
  sn_v3 u = sn_v3_scale(b->in, b->N);
  sn_m33_diagonal(&Pn, b->in);
  sn_plate_outer(&Pn, sn_v3_scale(-one, u), b->N);
  sn_plate_outer(&E, sn_v3_scale(-one, g), u);
  sn_plate_outer(&E, sn_v3_scale(-one, u), g);
  sn_m33_add(&E, -RN * b->in, &Pn);
  sn_m33 Ex = sn_plate_times_skew(&E, y[SN_RY]), Ey = sn_plate_times_skew(&E, y[SN_RX]); /* -E A and E B */
  sn_m33 xx = sn_plate_skew_times(y[SN_RY], &Ex), xy = sn_plate_skew_times(y[SN_RY], &Ey),
         yy = sn_plate_skew_times(y[SN_RX], &Ey);
  sn_m33_add(&H[SN_RX][SN_RX], -one, &xx); /* A'E A = skew(r_y)' E skew(r_y) = -skew(r_y) E skew(r_y) */
  sn_m33_add(&H[SN_RX][SN_RY], one, &xy);  /* A'E B = skew(r_y) E skew(r_x) */
  sn_m33_add(&H[SN_RY][SN_RY], -one, &yy);
  sn_m33_skew(&H[SN_RX][SN_RY], -one, g);
  sn_plate_transposed(&H[SN_RY][SN_RX], one, &xy);
  sn_m33_skew(&H[SN_RY][SN_RX], one, g);
  sn_m33 Px = sn_plate_times_skew(&Pn, y[SN_RY]), Py = sn_plate_times_skew(&Pn, y[SN_RX]);
  for (int i = 0; i < 3; i++) {
    sn_vd f = i == 2 ? 2 * m[i] : m[i];
    sn_m33_add(&H[SN_RXX + i][SN_RX], -f, &Px);
    sn_m33_add(&H[SN_RXX + i][SN_RY], f, &Py);
    sn_plate_transposed(&H[SN_RX][SN_RXX + i], -f, &Px);
    sn_plate_transposed(&H[SN_RY][SN_RXX + i], f, &Py);
  }
}

SN_INLINE void sn_plate_bending_tangent(const sn_plate_pack *p, int point, const sn_v3 x[SN_PLATE_SHAPES],
                                        const sn_v3 *xd, const sn_plate_factors *f,
                                        sn_m33 T[SN_PLATE_SHAPES][SN_PLATE_SHAPES]) {
  sn_v3 y[SN_PLATE_SLOTS], yd[SN_PLATE_SLOTS], Nd, gd[3], G[3][SN_PLATE_SLOTS], W[3][SN_PLATE_SLOTS] = {0},
                                                                                Z[3][SN_PLATE_SLOTS];
  sn_vd m[3];
  sn_plate_slot_matrix H = {0};
  sn_plate_bend b = sn_plate_moment(p, point, x, xd, y, yd, &Nd, gd, m);
  for (int i = 0; i < 3; i++) {
    G[i][SN_RX] = sn_v3_cross(y[SN_RY], b.g[i]);
    G[i][SN_RY] = sn_v3_cross(b.g[i], y[SN_RX]);
    G[i][SN_RXX + i] = sn_plate_third(i, b.N);
    for (int s = 0; s < SN_PLATE_SLOTS; s++)
      if (s < SN_RXX || s == SN_RXX + i) W[i][s] = sn_v3_scale(f->still, G[i][s]);
    if (!xd) continue;
    sn_v3 dx = sn_v3_add(sn_v3_cross(yd[SN_RY], b.g[i]), sn_v3_cross(y[SN_RY], gd[i]));
    sn_v3 dy = sn_v3_add(sn_v3_cross(gd[i], y[SN_RX]), sn_v3_cross(b.g[i], yd[SN_RX]));
    W[i][SN_RX] = sn_v3_add(W[i][SN_RX], sn_v3_scale(f->moving, dx));
    W[i][SN_RY] = sn_v3_add(W[i][SN_RY], sn_v3_scale(f->moving, dy));
    W[i][SN_RXX + i] = sn_v3_add(W[i][SN_RXX + i], sn_v3_scale(f->moving, sn_plate_third(i, Nd)));
  }
  sn_plate_stiffen(p->D, p->nu, SN_PLATE_SLOTS, W, Z);
  for (int i = 0; i < 3; i++)
    for (int t = 0; t < SN_PLATE_SLOTS; t++) {
      sn_plate_outer(&H[SN_RX][t], G[i][SN_RX], Z[i][t]);
      sn_plate_outer(&H[SN_RY][t], G[i][SN_RY], Z[i][t]);
      sn_plate_outer(&H[SN_RXX + i][t], G[i][SN_RXX + i], Z[i][t]);
    }
  sn_plate_geometric(y, &b, m, f->ck, H);
  sn_plate_accumulate(p, &p->e->tables->bending[point], SN_PLATE_SLOTS, !xd, H, T);
}

SN_INLINE void sn_plate_tangent_of(const sn_plate_pack *p, const sn_v3 x[SN_PLATE_SHAPES], const sn_v3 *xd,
                                   const sn_eval *ev, sn_m33 T[SN_PLATE_SHAPES][SN_PLATE_SHAPES]) {
  sn_vd ck = sn_vd_all(ev->ck);
  sn_plate_factors f = {ck, ck + ev->cd * p->beta, ev->ck * p->beta};
  for (int g = 0; g < SN_PLATE_MEMBRANE; g++) sn_plate_membrane_tangent(p, g, x, xd, &f, T);
  for (int g = 0; g < SN_PLATE_BENDING; g++) sn_plate_bending_tangent(p, g, x, xd, &f, T);
}

#endif
