/* plate_element.c - elastic, inertia and damping forces of thin ANCF plate elements, eight at a time.
 *
 *   r = sum S_k e_k, k = 1..12: r, r_x, r_y of four nodes (plate_shape.c)
 *   y = (r_x, r_y, r_xx, r_yy, r_xy), the five slots; n = r_x x r_y, N = n/|n|
 *   e = (exx, eyy, gxy) = ((r_x.r_x - 1)/2, (r_y.r_y - 1)/2, r_x.r_y) - e0
 *   k = (kxx, kyy, 2 kxy) = (r_xx.N, r_yy.N, 2 r_xy.N) - k0
 *   U = 1/2 int C e'P e + D k'P k dA,  P = [1 nu 0; nu 1 0; 0 0 (1-nu)/2],  C = E t/(1-nu^2), D = C t^2/12
 *
 * Kelvin-Voigt damping: e and k do not change in rigid motion, so neither do their rates act in it, and
 *   stress = C P (e + beta e'),  moment = D P (k + beta k')
 * is objective as it stands. With G_i = dk_i/dy (or de_i/dy), m_i the moments (stresses):
 *   force     F = sum_i m_i G_i
 *   tangent   K = sum_ij D_ij G_i (G_j + beta G_j')' + sum_i m_i dG_i/dy,    D = beta sum_ij D_ij G_i G_j'
 *
 * M = rho t a b times the exact matrix int S_i S_j; gravity enters as M (ci a - (g, 0, 0, g, ...)): exact.
 *
 * The kernels work with nodal slopes with respect to s = x/a and h = y/b, so that the coefficients are the same for all
 * elements; slot p then carries the factor scale[p].
 */
#include "body/plate_element.h"

#include "body/plate_step.h"

enum { SHAPES = SN_PLATE_SHAPES, SLOTS = SN_PLATE_SLOTS, X = 0, Y = 1, XX = 2 };

/* What is known of eight elements. */
typedef struct pack {
  const sn_plate_elements *e;
  int i, lanes; /* first element, how many are in use */
  sn_vd a, b, C, D, nu, mass, alpha, beta;
  sn_vd scale[SLOTS]; /* 1/a, 1/b, 1/a^2, 1/b^2, 1/(a b) */
  double step;        /* length of a step of an energy-momentum method, over which forces are wanted; 0: none */
} pack;

SN_INLINE pack pack_at(const sn_plate_elements *e, int i, int last) {
  pack p = {
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

/* x[0..11] = nodal vectors of eight elements from the vector q, slopes with respect to s and h */
static void gather(const pack *p, const double *q, sn_v3 x[SHAPES]) {
  double buffer[3 * SHAPES][SN_LANES] __attribute__((aligned(64)));
  for (int n = 0; n < 4; n++)
    for (int k = 0; k < SN_LANES; k++) {
      const double *from = q + p->e->first[n][p->i + k];
      for (int c = 0; c < 9; c++) buffer[9 * n + c][k] = from[c];
    }
  memcpy(x, buffer, sizeof buffer);
  for (int n = 0; n < 4; n++) {
    x[3 * n + 1] = sn_v3_scale(p->a, x[3 * n + 1]);
    x[3 * n + 2] = sn_v3_scale(p->b, x[3 * n + 2]);
  }
}

/* r += forces y on the nodal vectors */
static void scatter(const pack *p, const sn_v3 y[SHAPES], double *r) {
  double buffer[3 * SHAPES][SN_LANES] __attribute__((aligned(64)));
  memcpy(buffer, y, sizeof buffer);
  for (int k = 0; k < p->lanes; k++) {
    const double factor[3] = {1, p->a[k], p->b[k]};
    for (int n = 0; n < 4; n++) {
      double *to = r + p->e->first[n][p->i + k];
      for (int c = 0; c < 9; c++) to[c] += factor[c / 3] * buffer[9 * n + c][k];
    }
  }
}

SN_INLINE sn_v3 zero3(void) {
  return (sn_v3){sn_vd_all(0), sn_vd_all(0), sn_vd_all(0)};
}

/* y[p] = scale[p] sum_k d[p][k] x[k], the first `slots` of them */
SN_INLINE void slots_at(const pack *p, const sn_plate_point *point, int slots, const sn_v3 x[SHAPES], sn_v3 y[SLOTS]) {
  for (int s = 0; s < slots; s++) {
    sn_v3 sum = zero3();
    for (int k = 0; k < SHAPES; k++) sn_v3_axpy(&sum, point->d[s][k], x[k]);
    y[s] = sn_v3_scale(p->scale[s], sum);
  }
}

/* F += the forces f on the slots, spread over the nodal vectors */
SN_INLINE void spread(const pack *p, const sn_plate_point *point, int slots, const sn_v3 f[SLOTS], sn_v3 F[SHAPES]) {
  sn_v3 g[SLOTS];
  sn_vd w = point->weight * p->a * p->b;
  for (int s = 0; s < slots; s++) g[s] = sn_v3_scale(w * p->scale[s], f[s]);
  for (int k = 0; k < SHAPES; k++)
    for (int s = 0; s < slots; s++) sn_v3_axpy(&F[k], point->d[s][k], g[s]);
}

/* ---- membrane ---- */

SN_INLINE void membrane_strain(const pack *p, int point, const sn_v3 y[SLOTS], sn_vd e[3]) {
  e[0] = 0.5 * sn_v3_dot(y[X], y[X]) - 0.5;
  e[1] = 0.5 * sn_v3_dot(y[Y], y[Y]) - 0.5;
  e[2] = sn_v3_dot(y[X], y[Y]);
  if (!p->e->eps0) return;
  for (int i = 0; i < 3; i++) e[i] -= sn_vd_load(p->e->eps0 + (3 * point + i) * p->e->capacity + p->i);
}

SN_INLINE void membrane_rate(const sn_v3 y[SLOTS], const sn_v3 yd[SLOTS], sn_vd e[3]) {
  e[0] = sn_v3_dot(y[X], yd[X]);
  e[1] = sn_v3_dot(y[Y], yd[Y]);
  e[2] = sn_v3_dot(y[X], yd[Y]) + sn_v3_dot(yd[X], y[Y]);
}

/* What the mean of the strains at the ends of a step has more than those in the middle. */
SN_INLINE void membrane_step(double step, const sn_v3 yd[SLOTS], sn_vd e[3]) {
  double tt = step * step / 8;
  e[0] += tt * sn_v3_dot(yd[X], yd[X]);
  e[1] += tt * sn_v3_dot(yd[Y], yd[Y]);
  e[2] += 2 * tt * sn_v3_dot(yd[X], yd[Y]);
}

/* Stresses with their viscous part; xd NULL: undamped. yd is left for the tangent. */
SN_INLINE void membrane_stress(const pack *p, int g, const sn_v3 x[SHAPES], const sn_v3 *xd, sn_v3 y[SLOTS],
                               sn_v3 yd[SLOTS], sn_vd m[3]) {
  sn_vd e[3], rate[3];
  slots_at(p, &p->e->tables->membrane[g], 2, x, y);
  membrane_strain(p, g, y, e);
  if (xd) {
    slots_at(p, &p->e->tables->membrane[g], 2, xd, yd);
    membrane_rate(y, yd, rate);
    for (int i = 0; i < 3; i++) e[i] += p->beta * rate[i];
    if (p->step > 0) membrane_step(p->step, yd, e);
  }
  sn_plate_stress(p->C, p->nu, e, m);
}

/* ---- bending: the curvatures and their gradients ----
 *   g_i = (I - N N') r_i/|n|,   dk_i/dr_x = r_y x g_i,   dk_i/dr_y = g_i x r_x,   dk_i/dr_i = N
 * for r_i = r_xx, r_yy, 2 r_xy. */

typedef struct bend {
  sn_v3 N;
  sn_vd in; /* 1/|n| */
  sn_v3 r[3], g[3];
  sn_vd k[3];
} bend;

SN_INLINE sn_v3 third(int i, sn_v3 a) { /* the twist counts twice */
  return i == 2 ? sn_v3_scale(sn_vd_all(2), a) : a;
}

SN_INLINE bend bend_at(const sn_v3 y[SLOTS]) {
  bend b;
  sn_v3 n = sn_v3_cross(y[X], y[Y]);
  b.in = 1 / sn_vd_sqrt(sn_v3_dot(n, n));
  b.N = sn_v3_scale(b.in, n);
  for (int i = 0; i < 3; i++) {
    b.r[i] = third(i, y[XX + i]);
    b.k[i] = sn_v3_dot(b.r[i], b.N);
    b.g[i] = sn_v3_scale(b.in, sn_v3_sub(b.r[i], sn_v3_scale(b.k[i], b.N)));
  }
  return b;
}

/* Rates of N, k_i and g_i with the velocities yd of the slots. */
SN_INLINE void bend_rate(const bend *b, const sn_v3 y[SLOTS], const sn_v3 yd[SLOTS], sn_v3 *Nd, sn_vd kd[3],
                         sn_v3 gd[3]) {
  sn_v3 nd = sn_v3_add(sn_v3_cross(yd[X], y[Y]), sn_v3_cross(y[X], yd[Y]));
  sn_vd stretch = b->in * sn_v3_dot(b->N, nd); /* |n|'/|n| */
  *Nd = sn_v3_sub(sn_v3_scale(b->in, nd), sn_v3_scale(stretch, b->N));
  for (int i = 0; i < 3; i++) {
    sn_v3 rd = third(i, yd[XX + i]);
    kd[i] = sn_v3_dot(rd, b->N) + sn_v3_dot(b->r[i], *Nd);
    sn_v3 d = sn_v3_sub(rd, sn_v3_add(sn_v3_scale(kd[i], b->N), sn_v3_scale(b->k[i], *Nd)));
    gd[i] = sn_v3_sub(sn_v3_scale(b->in, d), sn_v3_scale(stretch, b->g[i]));
  }
}

SN_INLINE sn_vd reference_curvature(const pack *p, int point, int i) {
  return sn_vd_load(p->e->kappa0 + (3 * point + i) * p->e->capacity + p->i);
}

/* Moments with their viscous part; the rest is left for the tangent. */
SN_INLINE bend bending_moment(const pack *p, int g, const sn_v3 x[SHAPES], const sn_v3 *xd, sn_v3 y[SLOTS],
                              sn_v3 yd[SLOTS], sn_v3 *Nd, sn_v3 gd[3], sn_vd m[3]) {
  sn_vd k[3], kd[3];
  slots_at(p, &p->e->tables->bending[g], SLOTS, x, y);
  bend b = bend_at(y);
  for (int i = 0; i < 3; i++) {
    k[i] = p->step > 0 ? sn_vd_all(0) : b.k[i]; /* over a step: bending_step */
    if (p->e->kappa0 && p->step == 0) k[i] -= reference_curvature(p, g, i);
  }
  if (xd) {
    slots_at(p, &p->e->tables->bending[g], SLOTS, xd, yd);
    bend_rate(&b, y, yd, Nd, kd, gd);
    for (int i = 0; i < 3; i++) k[i] += p->beta * kd[i];
  }
  sn_plate_stress(p->D, p->nu, k, m);
  return b;
}

/* ---- forces ---- */

static void mass_times(const pack *p, const sn_v3 x[SHAPES], sn_v3 y[SHAPES]) {
  for (int i = 0; i < SHAPES; i++) {
    sn_v3 sum = zero3();
    for (int k = 0; k < SHAPES; k++) sn_v3_axpy(&sum, p->e->tables->mass[i][k], x[k]);
    y[i] = sn_v3_scale(p->mass, sum);
  }
}

/* f += elastic forces over a step */
static void bending_step(const pack *p, int point, const sn_v3 y[SLOTS], const sn_v3 yd[SLOTS], sn_v3 f[SLOTS]) {
  sn_v3 d[SLOTS];
  sn_vd k0[3];
  for (int s = 0; s < SLOTS; s++) d[s] = sn_v3_scale(sn_vd_all(0.5 * p->step), yd[s]);
  for (int i = 0; p->e->kappa0 && i < 3; i++) k0[i] = reference_curvature(p, point, i);
  sn_plate_step_bending(p->D, p->nu, p->e->kappa0 ? k0 : NULL, y, d, f);
}

/* F += elastic and (xd not NULL) viscous forces */
SN_INLINE void internal(const pack *p, const sn_v3 x[SHAPES], const sn_v3 *xd, sn_v3 F[SHAPES]) {
  sn_v3 y[SLOTS], yd[SLOTS], f[SLOTS], Nd, gd[3];
  sn_vd m[3];
  for (int g = 0; g < SN_PLATE_MEMBRANE; g++) {
    membrane_stress(p, g, x, xd, y, yd, m);
    f[X] = sn_v3_add(sn_v3_scale(m[0], y[X]), sn_v3_scale(m[2], y[Y]));
    f[Y] = sn_v3_add(sn_v3_scale(m[1], y[Y]), sn_v3_scale(m[2], y[X]));
    spread(p, &p->e->tables->membrane[g], 2, f, F);
  }
  for (int g = 0; g < SN_PLATE_BENDING; g++) {
    bend b = bending_moment(p, g, x, xd, y, yd, &Nd, gd, m);
    sn_v3 sum = zero3();
    for (int i = 0; i < 3; i++) {
      sum = sn_v3_add(sum, sn_v3_scale(m[i], b.g[i]));
      f[XX + i] = third(i, sn_v3_scale(m[i], b.N));
    }
    f[X] = sn_v3_cross(y[Y], sum);
    f[Y] = sn_v3_cross(sum, y[X]);
    if (p->step > 0) bending_step(p, g, y, yd, f);
    spread(p, &p->e->tables->bending[g], SLOTS, f, F);
  }
}

static void residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const sn_plate_elements *e = batch->data;
  for (int i = range.first; i < range.last; i += SN_LANES) {
    pack p = pack_at(e, i, range.last);
    sn_v3 x[SHAPES], v[SHAPES], a[SHAPES], F[SHAPES];
    gather(&p, ev->q, x);
    gather(&p, ev->a, a);
    for (int k = 0; k < SHAPES; k++) a[k] = sn_v3_scale(sn_vd_all(ev->ci), a[k]);
    if (ev->q0) p.step = ev->h;
    if (e->damped || ev->q0) {
      gather(&p, ev->v, v);
      for (int k = 0; k < SHAPES; k++) a[k] = sn_v3_add(a[k], sn_v3_scale(p.alpha, v[k]));
    }
    for (int k = 0; k < SHAPES; k += 3) {
      a[k].x -= ev->gravity[0];
      a[k].y -= ev->gravity[1];
      a[k].z -= ev->gravity[2];
    }
    mass_times(&p, a, F);
    if (e->damped || ev->q0)
      internal(&p, x, v, F);
    else
      internal(&p, x, NULL, F);
    scatter(&p, F, r);
  }
}

/* ---- tangent ---- */

typedef struct m33 {
  sn_vd m[3][3];
} m33;
typedef m33 slot_matrix[SLOTS][SLOTS];

SN_INLINE void add_outer(m33 *H, sn_v3 a, sn_v3 b) { /* H += a b' */
  sn_vd ax[3] = {a.x, a.y, a.z}, bx[3] = {b.x, b.y, b.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) H->m[i][j] += ax[i] * bx[j];
}
SN_INLINE void add_diagonal(m33 *H, sn_vd s) {
  for (int i = 0; i < 3; i++) H->m[i][i] += s;
}
SN_INLINE void add_skew(m33 *H, sn_vd s, sn_v3 a) { /* H += s skew(a) */
  H->m[0][1] -= s * a.z, H->m[0][2] += s * a.y;
  H->m[1][0] += s * a.z, H->m[1][2] -= s * a.x;
  H->m[2][0] -= s * a.y, H->m[2][1] += s * a.x;
}
SN_INLINE void add_scaled(m33 *H, sn_vd s, const m33 *A) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) H->m[i][j] += s * A->m[i][j];
}
SN_INLINE void add_transposed(m33 *H, sn_vd s, const m33 *A) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) H->m[i][j] += s * A->m[j][i];
}
/* rows of A x a, the product A skew(a): row i is row_i x a */
SN_INLINE m33 times_skew(const m33 *A, sn_v3 a) {
  m33 B;
  for (int i = 0; i < 3; i++) {
    sn_v3 c = sn_v3_cross((sn_v3){A->m[i][0], A->m[i][1], A->m[i][2]}, a);
    B.m[i][0] = c.x, B.m[i][1] = c.y, B.m[i][2] = c.z;
  }
  return B;
}
/* skew(a) A: column j is a x column_j */
SN_INLINE m33 skew_times(sn_v3 a, const m33 *A) {
  m33 B;
  for (int j = 0; j < 3; j++) {
    sn_v3 c = sn_v3_cross(a, (sn_v3){A->m[0][j], A->m[1][j], A->m[2][j]});
    B.m[0][j] = c.x, B.m[1][j] = c.y, B.m[2][j] = c.z;
  }
  return B;
}

/* T[i][j] += w sum_pq d[p][i] d[q][j] scale_p scale_q H[p][q]; only j <= i when H is symmetric (undamped) */
SN_INLINE void accumulate(const pack *p, const sn_plate_point *point, int slots, bool symmetric, slot_matrix H,
                          m33 T[SHAPES][SHAPES]) {
  sn_vd w = point->weight * p->a * p->b;
  for (int s = 0; s < slots; s++)
    for (int t = 0; t < slots; t++) {
      sn_vd f = w * p->scale[s] * p->scale[t];
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) H[s][t].m[i][j] *= f;
    }
  for (int j = 0; j < SHAPES; j++) {
    m33 column[SLOTS]; /* sum_q H[p][q] d[q][j] */
    for (int s = 0; s < slots; s++)
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
          sn_vd sum = point->d[0][j] * H[s][0].m[a][b];
          for (int t = 1; t < slots; t++) sum += point->d[t][j] * H[s][t].m[a][b];
          column[s].m[a][b] = sum;
        }
    for (int i = symmetric ? j : 0; i < SHAPES; i++)
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
          sn_vd sum = T[i][j].m[a][b];
          for (int s = 0; s < slots; s++) sum += point->d[s][i] * column[s].m[a][b];
          T[i][j].m[a][b] = sum;
        }
  }
}

/* Z_i = stiffness sum_j P_ij W_j over the slots */
SN_INLINE void stiffen(sn_vd stiffness, sn_vd nu, int slots, sn_v3 W[3][SLOTS], sn_v3 Z[3][SLOTS]) {
  for (int s = 0; s < slots; s++) {
    Z[0][s] = sn_v3_scale(stiffness, sn_v3_add(W[0][s], sn_v3_scale(nu, W[1][s])));
    Z[1][s] = sn_v3_scale(stiffness, sn_v3_add(W[1][s], sn_v3_scale(nu, W[0][s])));
    Z[2][s] = sn_v3_scale(stiffness * (0.5 - 0.5 * nu), W[2][s]);
  }
}

/* Factors of G_j and G_j' in the tangent: ck + cd beta and ck beta. */
typedef struct factors {
  sn_vd ck, still, moving;
} factors;

SN_INLINE void membrane_tangent(const pack *p, int g, const sn_v3 x[SHAPES], const sn_v3 *xd, const factors *f,
                                m33 T[SHAPES][SHAPES]) {
  sn_v3 y[SLOTS], yd[SLOTS], G[3][SLOTS], W[3][SLOTS], Z[3][SLOTS];
  sn_vd m[3];
  slot_matrix H = {0};
  membrane_stress(p, g, x, xd, y, yd, m);
  G[0][X] = y[X], G[0][Y] = zero3();
  G[1][X] = zero3(), G[1][Y] = y[Y];
  G[2][X] = y[Y], G[2][Y] = y[X];
  for (int i = 0; i < 3; i++)
    for (int s = 0; s < 2; s++) W[i][s] = sn_v3_scale(f->still, G[i][s]);
  if (xd) {
    W[0][X] = sn_v3_add(W[0][X], sn_v3_scale(f->moving, yd[X]));
    W[1][Y] = sn_v3_add(W[1][Y], sn_v3_scale(f->moving, yd[Y]));
    W[2][X] = sn_v3_add(W[2][X], sn_v3_scale(f->moving, yd[Y]));
    W[2][Y] = sn_v3_add(W[2][Y], sn_v3_scale(f->moving, yd[X]));
  }
  stiffen(p->C, p->nu, 2, W, Z);
  for (int s = 0; s < 2; s++) {
    add_outer(&H[X][s], G[0][X], Z[0][s]);
    add_outer(&H[Y][s], G[1][Y], Z[1][s]);
    add_outer(&H[X][s], G[2][X], Z[2][s]);
    add_outer(&H[Y][s], G[2][Y], Z[2][s]);
  }
  add_diagonal(&H[X][X], f->ck * m[0]);
  add_diagonal(&H[Y][Y], f->ck * m[1]);
  add_diagonal(&H[X][Y], f->ck * m[2]);
  add_diagonal(&H[Y][X], f->ck * m[2]);
  accumulate(p, &p->e->tables->membrane[g], 2, !xd, H, T);
}

/* H += ck sum_i m_i d2k_i/dy2. With R = sum m_i r_i, g = (I - N N') R/|n|, A = dn/dr_x = -skew(r_y), B = skew(r_x):
 *   d2(R.N)/dn2 = -(g N' + N g')/|n| - R.N (I - N N')/|n|^2 =: E
 *   xx: A'E A,   yy: B'E B,   xy: A'E B - skew(g)
 *   slot i and x, y:  m_i (I - N N')/|n| A,  m_i (I - N N')/|n| B                                               */
SN_INLINE void bending_geometric(const sn_v3 y[SLOTS], const bend *b, const sn_vd moment[3], sn_vd ck, slot_matrix H) {
  sn_vd m[3], RN = sn_vd_all(0), one = sn_vd_all(1);
  sn_v3 g = zero3();
  for (int i = 0; i < 3; i++) {
    m[i] = ck * moment[i];
    g = sn_v3_add(g, sn_v3_scale(m[i], b->g[i]));
    RN += m[i] * b->k[i];
  }
  m33 E = {0}, Pn = {0};
  sn_v3 u = sn_v3_scale(b->in, b->N);
  add_diagonal(&Pn, b->in);
  add_outer(&Pn, sn_v3_scale(-one, u), b->N);
  add_outer(&E, sn_v3_scale(-one, g), u);
  add_outer(&E, sn_v3_scale(-one, u), g);
  add_scaled(&E, -RN * b->in, &Pn);
  m33 Ex = times_skew(&E, y[Y]), Ey = times_skew(&E, y[X]); /* -E A and E B */
  m33 xx = skew_times(y[Y], &Ex), xy = skew_times(y[Y], &Ey), yy = skew_times(y[X], &Ey);
  add_scaled(&H[X][X], -one, &xx); /* A'E A = skew(r_y)' E skew(r_y) = -skew(r_y) E skew(r_y) */
  add_scaled(&H[X][Y], one, &xy);  /* A'E B = skew(r_y) E skew(r_x) */
  add_scaled(&H[Y][Y], -one, &yy);
  add_skew(&H[X][Y], -one, g);
  add_transposed(&H[Y][X], one, &xy);
  add_skew(&H[Y][X], one, g);
  m33 Px = times_skew(&Pn, y[Y]), Py = times_skew(&Pn, y[X]);
  for (int i = 0; i < 3; i++) {
    sn_vd f = i == 2 ? 2 * m[i] : m[i];
    add_scaled(&H[XX + i][X], -f, &Px);
    add_scaled(&H[XX + i][Y], f, &Py);
    add_transposed(&H[X][XX + i], -f, &Px);
    add_transposed(&H[Y][XX + i], f, &Py);
  }
}

SN_INLINE void bending_tangent(const pack *p, int point, const sn_v3 x[SHAPES], const sn_v3 *xd, const factors *f,
                               m33 T[SHAPES][SHAPES]) {
  sn_v3 y[SLOTS], yd[SLOTS], Nd, gd[3], G[3][SLOTS], W[3][SLOTS] = {0}, Z[3][SLOTS];
  sn_vd m[3];
  slot_matrix H = {0};
  bend b = bending_moment(p, point, x, xd, y, yd, &Nd, gd, m);
  for (int i = 0; i < 3; i++) {
    G[i][X] = sn_v3_cross(y[Y], b.g[i]);
    G[i][Y] = sn_v3_cross(b.g[i], y[X]);
    G[i][XX + i] = third(i, b.N);
    for (int s = 0; s < SLOTS; s++)
      if (s < XX || s == XX + i) W[i][s] = sn_v3_scale(f->still, G[i][s]);
    if (!xd) continue;
    sn_v3 dx = sn_v3_add(sn_v3_cross(yd[Y], b.g[i]), sn_v3_cross(y[Y], gd[i]));
    sn_v3 dy = sn_v3_add(sn_v3_cross(gd[i], y[X]), sn_v3_cross(b.g[i], yd[X]));
    W[i][X] = sn_v3_add(W[i][X], sn_v3_scale(f->moving, dx));
    W[i][Y] = sn_v3_add(W[i][Y], sn_v3_scale(f->moving, dy));
    W[i][XX + i] = sn_v3_add(W[i][XX + i], sn_v3_scale(f->moving, third(i, Nd)));
  }
  stiffen(p->D, p->nu, SLOTS, W, Z);
  for (int i = 0; i < 3; i++)
    for (int t = 0; t < SLOTS; t++) {
      add_outer(&H[X][t], G[i][X], Z[i][t]);
      add_outer(&H[Y][t], G[i][Y], Z[i][t]);
      add_outer(&H[XX + i][t], G[i][XX + i], Z[i][t]);
    }
  bending_geometric(y, &b, m, f->ck, H);
  accumulate(p, &p->e->tables->bending[point], SLOTS, !xd, H, T);
}

/* Lane by lane to the matrix, with mass; T holds j <= i only when symmetric. */
static void add_tangent(const sn_batch *batch, const pack *p, m33 T[SHAPES][SHAPES], bool symmetric, const sn_eval *ev,
                        sn_matrix *matrix) {
  enum { N = 3 * SHAPES };
  double K[N * N];
  for (int k = 0; k < p->lanes; k++) {
    const double slope[3] = {1, p->a[k], p->b[k]}, m = (ev->cm + ev->cd * p->alpha[k]) * p->mass[k];
    for (int i = 0; i < SHAPES; i++)
      for (int j = 0; j < SHAPES; j++) {
        bool mirror = symmetric && j > i;
        const m33 *B = mirror ? &T[j][i] : &T[i][j];
        double f = slope[i % 3] * slope[j % 3], *to = K + 3 * i + N * 3 * j;
        for (int c = 0; c < 3; c++)
          for (int r = 0; r < 3; r++) to[r + N * c] = f * (mirror ? B->m[c][r][k] : B->m[r][c][k]);
        for (int c = 0; c < 3; c++) to[c + N * c] += f * m * p->e->tables->mass[i][j];
      }
    int groups[4], element = p->i + k;
    for (int n = 0; n < 4; n++) groups[n] = p->e->group[n][element];
    sn_matrix_add(matrix, 4, groups, batch->slots + (size_t)batch->slot_stride * (size_t)element, K, N);
  }
}

SN_INLINE void tangent_pack(const pack *p, const sn_v3 x[SHAPES], const sn_v3 *xd, const sn_eval *ev,
                            m33 T[SHAPES][SHAPES]) {
  sn_vd ck = sn_vd_all(ev->ck);
  factors f = {ck, ck + ev->cd * p->beta, ev->ck * p->beta};
  for (int g = 0; g < SN_PLATE_MEMBRANE; g++) membrane_tangent(p, g, x, xd, &f, T);
  for (int g = 0; g < SN_PLATE_BENDING; g++) bending_tangent(p, g, x, xd, &f, T);
}

static void tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *matrix) {
  const sn_plate_elements *e = batch->data;
  for (int i = range.first; i < range.last; i += SN_LANES) {
    pack p = pack_at(e, i, range.last);
    sn_v3 x[SHAPES], v[SHAPES];
    m33 T[SHAPES][SHAPES];
    memset(T, 0, sizeof T);
    gather(&p, ev->q, x);
    if (e->damped) {
      gather(&p, ev->v, v);
      tangent_pack(&p, x, v, ev, T);
    } else {
      tangent_pack(&p, x, NULL, ev, T);
    }
    add_tangent(batch, &p, T, !e->damped, ev, matrix);
  }
}

/* ---- audit ---- */

SN_INLINE sn_vd quadratic(const sn_vd m[3], const sn_vd e[3]) {
  return m[0] * e[0] + m[1] * e[1] + m[2] * e[2];
}

static sn_vd strain_energy(const pack *p, const sn_v3 x[SHAPES]) {
  sn_v3 y[SLOTS];
  sn_vd e[3], m[3], U = sn_vd_all(0), A = p->a * p->b;
  for (int g = 0; g < SN_PLATE_MEMBRANE; g++) {
    slots_at(p, &p->e->tables->membrane[g], 2, x, y);
    membrane_strain(p, g, y, e);
    sn_plate_stress(p->C, p->nu, e, m);
    U += 0.5 * p->e->tables->membrane[g].weight * A * quadratic(m, e);
  }
  for (int g = 0; g < SN_PLATE_BENDING; g++) {
    slots_at(p, &p->e->tables->bending[g], SLOTS, x, y);
    bend b = bend_at(y);
    for (int i = 0; i < 3; i++)
      if (p->e->kappa0) b.k[i] -= sn_vd_load(p->e->kappa0 + (3 * g + i) * p->e->capacity + p->i);
    sn_plate_stress(p->D, p->nu, b.k, m);
    U += 0.5 * p->e->tables->bending[g].weight * A * quadratic(m, b.k);
  }
  return U;
}

static void energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *out) {
  const sn_plate_elements *e = batch->data;
  for (int i = range.first; i < range.last; i += SN_LANES) {
    pack p = pack_at(e, i, range.last);
    sn_v3 x[SHAPES], v[SHAPES], Mv[SHAPES], R = zero3();
    sn_vd T = sn_vd_all(0);
    gather(&p, ev->q, x);
    gather(&p, ev->v, v);
    mass_times(&p, v, Mv);
    for (int k = 0; k < SHAPES; k++) {
      T += 0.5 * sn_v3_dot(v[k], Mv[k]);
      sn_v3_axpy(&R, e->tables->mean[k], x[k]);
    }
    sn_vd V = -p.mass * (ev->gravity[0] * R.x + ev->gravity[1] * R.y + ev->gravity[2] * R.z);
    out->kinetic += sn_vd_sum(T, p.lanes);
    out->gravity += sn_vd_sum(V, p.lanes);
    out->strain += sn_vd_sum(strain_energy(&p, x), p.lanes);
  }
}

/* -alpha v'M v - beta int C e''P e' + D k''P k' dA, primes on e and k being rates */
static void damping_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *out) {
  const sn_plate_elements *e = batch->data;
  if (!e->damped) return;
  for (int i = range.first; i < range.last; i += SN_LANES) {
    pack p = pack_at(e, i, range.last);
    sn_v3 x[SHAPES], v[SHAPES], Mv[SHAPES], y[SLOTS], yd[SLOTS], Nd, gd[3];
    sn_vd rate[3], m[3], W = sn_vd_all(0), A = p.a * p.b * p.beta;
    gather(&p, ev->q, x);
    gather(&p, ev->v, v);
    mass_times(&p, v, Mv);
    for (int k = 0; k < SHAPES; k++) W -= p.alpha * sn_v3_dot(v[k], Mv[k]);
    for (int g = 0; g < SN_PLATE_MEMBRANE; g++) {
      slots_at(&p, &e->tables->membrane[g], 2, x, y);
      slots_at(&p, &e->tables->membrane[g], 2, v, yd);
      membrane_rate(y, yd, rate);
      sn_plate_stress(p.C, p.nu, rate, m);
      W -= e->tables->membrane[g].weight * A * quadratic(m, rate);
    }
    for (int g = 0; g < SN_PLATE_BENDING; g++) {
      slots_at(&p, &e->tables->bending[g], SLOTS, x, y);
      slots_at(&p, &e->tables->bending[g], SLOTS, v, yd);
      bend b = bend_at(y);
      bend_rate(&b, y, yd, &Nd, rate, gd);
      sn_plate_stress(p.D, p.nu, rate, m);
      W -= e->tables->bending[g].weight * A * quadratic(m, rate);
    }
    out->damping += sn_vd_sum(W, p.lanes);
  }
}

/* p = sum of the rows of r in M v; angular momentum = sum_k e_k x (M v)_k, as r = sum S_k e_k */
static void momentum(const sn_batch *batch, sn_range range, const sn_eval *ev, double out[6]) {
  const sn_plate_elements *e = batch->data;
  for (int i = range.first; i < range.last; i += SN_LANES) {
    pack p = pack_at(e, i, range.last);
    sn_v3 x[SHAPES], v[SHAPES], Mv[SHAPES], P = zero3(), L = zero3();
    gather(&p, ev->q, x);
    gather(&p, ev->v, v);
    mass_times(&p, v, Mv);
    for (int k = 0; k < SHAPES; k++) {
      L = sn_v3_add(L, sn_v3_cross(x[k], Mv[k]));
      if (k % 3 == 0) P = sn_v3_add(P, Mv[k]);
    }
    out[0] += sn_vd_sum(P.x, p.lanes), out[1] += sn_vd_sum(P.y, p.lanes), out[2] += sn_vd_sum(P.z, p.lanes);
    out[3] += sn_vd_sum(L.x, p.lanes), out[4] += sn_vd_sum(L.y, p.lanes), out[5] += sn_vd_sum(L.z, p.lanes);
  }
}

static int groups_of(const sn_batch *batch, int i, int *groups) {
  assert(i >= 0 && i < batch->count);
  const sn_plate_elements *e = batch->data;
  for (int n = 0; n < 4; n++) groups[n] = e->group[n][i];
  return 4;
}

const sn_batch_ops sn_plate_batch = {
    .name = "plate elements",
    .max_groups = 4,
    .groups = groups_of,
    .residual = residual,
    .tangent = tangent,
    .energy = energy,
    .power = damping_power,
    .momentum = momentum,
    .steady = sn_always_steady,
    .discrete = true,
};
