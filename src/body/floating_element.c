/* floating_element.c - inertia, gravity, elastic and damping forces of bodies in a floating frame.
 *
 *   r = R + A u,  u = u0 + S z:     r'' = R'' + A'' u + 2 A' u' + A u''          exact, nothing is left out
 *   virtual work of dm (r'' - g):   dr = dR + (dA/dp_k) u dp_k + A S dz
 *
 * With f0 = R'' - g, ^T the transpose, ' the time derivative, : the sum of products of all entries and
 *
 *   s = int u dm,   B = int u u^T dm,   C = int u u'^T dm,   D = int u u''^T dm
 *   P = A^T A'',    Pd = 2 A^T A',      Pa = A^T A
 *   w_ab = int S_a^T u_b dm = T_ba^T + N_ab z,   wd_ab = N_ab z',   wa_ab = N_ab z''
 *
 * the generalized forces are
 *
 *   on R     m f0 + A'' s + 2 A' s' + A s''
 *   on p_k   dA/dp_k : F,                   F = f0 s^T + A'' B + 2 A' C^T + A D^T
 *   on z     Sb^T (A^T f0) + sum_ab (P_ab w_ab + Pd_ab wd_ab + Pa_ab wa_ab) + K z
 *
 * Lagrange's equations give the same, as u is linear in z. Accelerations carry the factor ci of the residual.
 */
#include "body/floating_element.h"

#include <string.h>

enum { NF = SN_FLOATING_DEFORMATION, LOCAL = SN_PROBE_COORDINATES };

/* ---- building ---- */

void sn_floating_point(sn_floating_item *it, double dm, const double *u0, const double *S) {
  int d = it->dim, n = it->nf;
  it->m += dm;
  for (int a = 0; a < d; a++) {
    it->s0[a] += dm * u0[a];
    for (int j = 0; j < n; j++) it->Sb[a * n + j] += dm * S[a * n + j];
    for (int b = 0; b < d; b++) {
      double *T = it->T + (a * d + b) * n, *N = it->N + (a * d + b) * n * n;
      it->I0[a * d + b] += dm * u0[a] * u0[b];
      for (int j = 0; j < n; j++) {
        T[j] += dm * u0[a] * S[b * n + j];
        for (int k = 0; k < n; k++) N[j * n + k] += dm * S[a * n + j] * S[b * n + k];
      }
    }
  }
}

static int item_groups(const sn_batch *batch, int i, int *groups) {
  assert(i >= 0 && i < batch->count);
  const sn_floating_item *it = (const sn_floating_item *)batch->data + i;
  for (int g = 0; g < it->groups; g++) groups[g] = it->group[g];
  return it->groups;
}

/* ---- small matrices, d x d, row major ---- */

static double colon(int d, const double *X, const double *Y) {
  double sum = 0;
  for (int i = 0; i < d * d; i++) sum += X[i] * Y[i];
  return sum;
}
static void times(int d, const double *X, const double *v, double *y) { /* y = X v */
  for (int i = 0; i < d; i++) {
    y[i] = 0;
    for (int j = 0; j < d; j++) y[i] += X[i * d + j] * v[j];
  }
}
static void transposed_times(int d, const double *X, const double *v, double *y) { /* y = X'v */
  for (int i = 0; i < d; i++) {
    y[i] = 0;
    for (int j = 0; j < d; j++) y[i] += X[j * d + i] * v[j];
  }
}
/* Z += s X'Y */
static void add_product(int d, double s, const double *X, const double *Y, double *Z) {
  for (int a = 0; a < d; a++)
    for (int b = 0; b < d; b++)
      for (int i = 0; i < d; i++) Z[a * d + b] += s * X[i * d + a] * Y[i * d + b];
}
/* Z += s X Y, and with Y transposed */
static void add_plain(int d, double s, const double *X, const double *Y, double *Z) {
  for (int a = 0; a < d; a++)
    for (int b = 0; b < d; b++)
      for (int i = 0; i < d; i++) Z[a * d + b] += s * X[a * d + i] * Y[i * d + b];
}
static void add_mirror(int d, double s, const double *X, const double *Y, double *Z) {
  for (int a = 0; a < d; a++)
    for (int b = 0; b < d; b++)
      for (int i = 0; i < d; i++) Z[a * d + b] += s * X[a * d + i] * Y[b * d + i];
}

/* ---- motion of an item ---- */

typedef struct motion {
  int d, n, nr; /* axes, deformation coordinates, coordinates of the frame */
  sn_turn turn;
  double z[NF], zd[NF], zdd[NF];     /* zdd with the factor ci */
  double f0[3], s[3], sd[3], sdd[3]; /* as above; f0 = ci R'' - g */
  double B[9], C[9], D[9];
  double w[9][NF], wd[9][NF], wa[9][NF];
} motion;

static void gather(const sn_floating_item *it, const double *x, double *z) {
  for (int g = 1; g < it->groups; g++)
    for (int k = 0; k < it->size[g]; k++) *z++ = x[it->first[g] + k];
}

static double dot(int n, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

static void rows(const double *N, int n, const double *x, double *y) { /* y = N x */
  for (int j = 0; j < n; j++) y[j] = dot(n, N + j * n, x);
}

static void move(const sn_floating_item *it, const sn_eval *ev, motion *m) {
  int d = m->d = it->dim, n = m->n = it->nf, at = it->first[0];
  const double *q = ev->q + at, *v = ev->v + at, *a = ev->a + at;
  sn_turn_set(&m->turn, d, q + d, v + d, a + d, ev->ci);
  m->nr = d + m->turn.count;
  gather(it, ev->q, m->z);
  gather(it, ev->v, m->zd);
  gather(it, ev->a, m->zdd);
  for (int j = 0; j < n; j++) m->zdd[j] *= ev->ci;
  for (int i = 0; i < d; i++) {
    const double *Sb = it->Sb + i * n;
    m->f0[i] = ev->ci * a[i] - ev->gravity[i];
    m->s[i] = it->s0[i] + dot(n, Sb, m->z);
    m->sd[i] = dot(n, Sb, m->zd);
    m->sdd[i] = dot(n, Sb, m->zdd);
  }
  for (int i = 0; i < d; i++)
    for (int b = 0; b < d; b++) {
      int ab = i * d + b;
      const double *N = it->N + ab * n * n, *T = it->T + (b * d + i) * n;
      rows(N, n, m->z, m->w[ab]);
      rows(N, n, m->zd, m->wd[ab]);
      rows(N, n, m->zdd, m->wa[ab]);
      for (int j = 0; j < n; j++) m->w[ab][j] += T[j];
    }
  for (int i = 0; i < d; i++)
    for (int b = 0; b < d; b++) {
      int ab = i * d + b, ba = b * d + i;
      m->B[ab] = it->I0[ab] + dot(n, it->T + ab * n, m->z) + dot(n, m->w[ab], m->z);
      m->C[ab] = dot(n, m->w[ba], m->zd);
      m->D[ab] = dot(n, m->w[ba], m->zdd);
    }
}

/* F of the heading */
static void moments(const motion *m, double F[9]) {
  int d = m->d;
  for (int i = 0; i < d; i++)
    for (int a = 0; a < d; a++) F[i * d + a] = m->f0[i] * m->s[a];
  add_plain(d, 1, m->turn.Add, m->B, F);
  add_mirror(d, 2, m->turn.Ad, m->C, F);
  add_mirror(d, 1, m->turn.A, m->D, F);
}

/* y[n] += Sb'g + sum_ab X_ab w_ab + Y_ab wd_ab + Z_ab wa_ab */
static void project(const sn_floating_item *it, const motion *m, const double *g, const double *X, const double *Y,
                    const double *Z, double *y) {
  int d = m->d, n = m->n;
  for (int a = 0; a < d; a++)
    for (int j = 0; j < n; j++) y[j] += g[a] * it->Sb[a * n + j];
  for (int ab = 0; ab < d * d; ab++)
    for (int j = 0; j < n; j++) y[j] += X[ab] * m->w[ab][j] + Y[ab] * m->wd[ab][j] + Z[ab] * m->wa[ab][j];
}

/* y = K z + (alpha N + beta K) z' */
static void elastic(const sn_floating_item *it, const motion *m, double *y) {
  int n = m->n;
  for (int j = 0; j < n; j++) {
    y[j] += dot(n, it->K + j * n, m->z) + it->beta * dot(n, it->K + j * n, m->zd);
    for (int a = 0; a < m->d; a++) y[j] += it->alpha * m->wd[a * (m->d + 1)][j];
  }
}

static void scatter(const sn_floating_item *it, const double *y, double *r) {
  for (int g = 0; g < it->groups; g++)
    for (int k = 0; k < it->size[g]; k++) r[it->first[g] + k] += *y++;
}

static void floating_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const sn_floating_item *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    motion m;
    move(&item[i], ev, &m);
    int d = m.d;
    double y[LOCAL] = {0}, F[9], g[3], P[9] = {0}, Pd[9] = {0}, Pa[9] = {0}, x[3][3];
    times(d, m.turn.Add, m.s, x[0]);
    times(d, m.turn.Ad, m.sd, x[1]);
    times(d, m.turn.A, m.sdd, x[2]);
    for (int k = 0; k < d; k++) y[k] = item[i].m * m.f0[k] + x[0][k] + 2 * x[1][k] + x[2][k];
    moments(&m, F);
    for (int k = 0; k < m.turn.count; k++) y[d + k] = colon(d, m.turn.Ak[k], F);
    transposed_times(d, m.turn.A, m.f0, g);
    add_product(d, 1, m.turn.A, m.turn.Add, P);
    add_product(d, 2, m.turn.A, m.turn.Ad, Pd);
    add_product(d, 1, m.turn.A, m.turn.A, Pa);
    project(&item[i], &m, g, P, Pd, Pa, y + m.nr);
    elastic(&item[i], &m, y + m.nr);
    scatter(&item[i], y, r);
  }
}

/* ---- tangent ----
 * A column of the iteration matrix is the change of the residual when a coordinate, its rate and its acceleration
 * change by ck, cd, cm. R enters only through cm M. For p_k, with
 *
 *   X   = ck dA/dp_k
 *   Xd  = ck dA'/dp_k + cd dA/dp_k
 *   Xdd = ck dA''/dp_k + 2 cd dA'/dp_k + cm dA/dp_k
 *
 *   on R     Xdd s + 2 Xd s' + X s''
 *   on p_l   dA/dp_l : (Xdd B + 2 Xd C^T + X D^T) + ck d2A/(dp_k dp_l) : F
 *   on z     Sb^T (X^T f0) + sum (X^T A'' + A^T Xdd) w + 2 (X^T A' + A^T Xd) wd + (X^T A + A^T X) wa
 *
 * For z_j, with V = ck A'' + 2 cd A' + cm A and A_l = dA/dp_l,
 *
 *   on R     V Sb_j
 *   on p_l   sum_ab (A_l^T V)_ab w_ba
 *            + ck (Sb_a (A_l^T f0)_a + (A_l^T A'')_ab w_ab + 2 (A_l^T A')_ab wd_ab + (A_l^T A)_ab wa_ab)
 *   on z     sum_ab (A^T V)_ab N_ab */

typedef struct factors {
  double cm, cd, ck;
} factors;

static void frame_column(const sn_floating_item *it, const motion *m, factors c, int k, const double *F, double *y) {
  const sn_turn *t = &m->turn;
  int d = m->d;
  double X[9], Xd[9], Xdd[9], G[9] = {0}, P[9] = {0}, Pd[9] = {0}, Pa[9] = {0}, g[3], x[3][3], H[4][4];
  for (int i = 0; i < d * d; i++) {
    X[i] = c.ck * t->Ak[k][i];
    Xd[i] = c.ck * t->Adk[k][i] + c.cd * t->Ak[k][i];
    Xdd[i] = c.ck * t->Addk[k][i] + 2 * c.cd * t->Adk[k][i] + c.cm * t->Ak[k][i];
  }
  times(d, Xdd, m->s, x[0]);
  times(d, Xd, m->sd, x[1]);
  times(d, X, m->sdd, x[2]);
  for (int i = 0; i < d; i++) y[i] = x[0][i] + 2 * x[1][i] + x[2][i];
  add_plain(d, 1, Xdd, m->B, G);
  add_mirror(d, 2, Xd, m->C, G);
  add_mirror(d, 1, X, m->D, G);
  sn_turn_second(t, F, H);
  for (int l = 0; l < t->count; l++) y[d + l] = colon(d, t->Ak[l], G) + c.ck * H[k][l];
  transposed_times(d, X, m->f0, g);
  add_product(d, 1, X, t->Add, P);
  add_product(d, 1, t->A, Xdd, P);
  add_product(d, 2, X, t->Ad, Pd);
  add_product(d, 2, t->A, Xd, Pd);
  add_product(d, 1, X, t->A, Pa);
  add_product(d, 1, t->A, X, Pa);
  project(it, m, g, P, Pd, Pa, y + m->nr);
}

/* Rows of p_l in the columns of z. */
static void frame_row(const sn_floating_item *it, const motion *m, factors c, int l, const double *V, double *y) {
  const sn_turn *t = &m->turn;
  int d = m->d, n = m->n;
  double U[9] = {0}, P[9] = {0}, Pd[9] = {0}, Pa[9] = {0}, g[3];
  transposed_times(d, t->Ak[l], m->f0, g);
  for (int a = 0; a < d; a++) g[a] *= c.ck;
  add_product(d, 1, t->Ak[l], V, U);
  add_product(d, c.ck, t->Ak[l], t->Add, P);
  add_product(d, 2 * c.ck, t->Ak[l], t->Ad, Pd);
  add_product(d, c.ck, t->Ak[l], t->A, Pa);
  for (int a = 0; a < d; a++)
    for (int b = 0; b < d; b++) P[b * d + a] += U[a * d + b];
  memset(y, 0, sizeof(double) * (size_t)n);
  project(it, m, g, P, Pd, Pa, y);
}

static void deformation_block(const sn_floating_item *it, const motion *m, factors c, const double *V, double *T,
                              int ld) {
  int d = m->d, n = m->n;
  double W[9] = {0};
  add_product(d, 1, m->turn.A, V, W);
  for (int ab = 0; ab < d * d; ab++) {
    const double *N = it->N + ab * n * n;
    double f = W[ab] + (ab % (d + 1) == 0 ? c.cd * it->alpha : 0);
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) T[j + ld * k] += f * N[j * n + k];
  }
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++) T[j + ld * k] += (c.ck + c.cd * it->beta) * it->K[j * n + k];
}

/* T, column major with leading dimension ld = nr + n */
static void item_tangent(const sn_floating_item *it, const sn_eval *ev, double *T) {
  motion m;
  factors c = {ev->cm, ev->cd, ev->ck};
  move(it, ev, &m);
  int d = m.d, n = m.n, nr = m.nr, ld = nr + n;
  double F[9], V[9] = {0}, y[LOCAL];
  moments(&m, F);
  for (int i = 0; i < d * d; i++) V[i] = c.ck * m.turn.Add[i] + 2 * c.cd * m.turn.Ad[i] + c.cm * m.turn.A[i];
  for (int k = 0; k < m.turn.count; k++) {
    frame_column(it, &m, c, k, F, T + ld * (d + k));
    frame_row(it, &m, c, k, V, y);
    for (int j = 0; j < n; j++) T[d + k + ld * (nr + j)] = y[j];
    double x[3]; /* column of R: cm dA/dp_k s */
    times(d, m.turn.Ak[k], m.s, x);
    for (int i = 0; i < d; i++) T[d + k + ld * i] = c.cm * x[i];
  }
  for (int i = 0; i < d; i++) {
    T[i + ld * i] = c.cm * it->m;
    for (int j = 0; j < n; j++) {
      double direct = 0, mass = 0;
      for (int a = 0; a < d; a++) {
        direct += V[i * d + a] * it->Sb[a * n + j];
        mass += m.turn.A[i * d + a] * it->Sb[a * n + j];
      }
      T[i + ld * (nr + j)] = direct;
      T[nr + j + ld * i] = c.cm * mass;
    }
  }
  deformation_block(it, &m, c, V, T + nr * (1 + ld), ld);
}

static void floating_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const sn_floating_item *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_floating_item *it = &item[i];
    double T[LOCAL * LOCAL];
    int ld = it->nf + (it->dim == 2 ? 3 : 7);
    memset(T, 0, sizeof(double) * (size_t)(ld * ld));
    item_tangent(it, ev, T);
    sn_matrix_add(A, it->groups, it->group, batch->slots + (size_t)batch->slot_stride * (size_t)i, T, ld);
  }
}

/* ---- audit ---- */

static void floating_energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *energy) {
  const sn_floating_item *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_floating_item *it = &item[i];
    motion m;
    move(it, ev, &m);
    int d = m.d;
    const double *R = ev->q + it->first[0], *Rd = ev->v + it->first[0];
    double x[3], y[3], AB[9] = {0}, AC[9] = {0}, Pa[9] = {0}, stretch = 0;
    times(d, m.turn.Ad, m.s, x);
    times(d, m.turn.A, m.sd, y);
    for (int k = 0; k < d; k++) energy->kinetic += Rd[k] * (0.5 * it->m * Rd[k] + x[k] + y[k]);
    add_plain(d, 1, m.turn.Ad, m.B, AB); /* 1/2 A'B : A' + A'C : A + 1/2 z'(sum Pa_ab N_ab) z' */
    add_plain(d, 1, m.turn.Ad, m.C, AC);
    add_product(d, 1, m.turn.A, m.turn.A, Pa);
    for (int ab = 0; ab < d * d; ab++) stretch += Pa[ab] * dot(m.n, m.zd, m.wd[ab]);
    energy->kinetic += 0.5 * colon(d, AB, m.turn.Ad) + colon(d, AC, m.turn.A) + 0.5 * stretch;
    times(d, m.turn.A, m.s, x);
    for (int k = 0; k < d; k++) energy->gravity -= ev->gravity[k] * (it->m * R[k] + x[k]);
    for (int j = 0; j < m.n; j++) energy->strain += 0.5 * m.z[j] * dot(m.n, it->K + j * m.n, m.z);
  }
}

static void floating_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *power) {
  const sn_floating_item *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_floating_item *it = &item[i];
    motion m;
    if (!(it->alpha > 0 || it->beta > 0)) continue;
    move(it, ev, &m);
    for (int j = 0; j < m.n; j++) power->damping -= it->beta * m.zd[j] * dot(m.n, it->K + j * m.n, m.zd);
    for (int a = 0; a < m.d; a++) power->damping -= it->alpha * dot(m.n, m.zd, m.wd[a * (m.d + 1)]);
  }
}

/* P = m R' + A's + A s'; the moment from int r r'' dm = R P' + (A s) R'' + A (B A'' + C A') (primes right of a letter:
 * rate, at the end: transpose) */
static void floating_momentum(const sn_batch *batch, sn_range range, const sn_eval *ev, double out[6]) {
  const sn_floating_item *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_floating_item *it = &item[i];
    motion m;
    move(it, ev, &m);
    int d = m.d;
    const double *R = ev->q + it->first[0], *Rd = ev->v + it->first[0];
    double x[3], y[3], P[3] = {0}, inner[9] = {0}, L[9] = {0}, all[3][3] = {{0}};
    times(d, m.turn.Ad, m.s, x);
    times(d, m.turn.A, m.sd, y);
    for (int k = 0; k < d; k++) out[k] += P[k] = it->m * Rd[k] + x[k] + y[k];
    times(d, m.turn.A, m.s, x);
    add_mirror(d, 1, m.B, m.turn.Ad, inner);
    add_mirror(d, 1, m.C, m.turn.A, inner);
    add_plain(d, 1, m.turn.A, inner, L);
    for (int a = 0; a < d; a++)
      for (int b = 0; b < d; b++) all[a][b] = R[a] * P[b] + x[a] * Rd[b] + L[a * d + b];
    for (int k = 0; k < 3; k++) out[3 + k] += all[(k + 1) % 3][(k + 2) % 3] - all[(k + 2) % 3][(k + 1) % 3];
  }
}

static const sn_batch_ops table = {
    .name = "floating elements",
    .max_groups = 3,
    .groups = item_groups,
    .residual = floating_residual,
    .tangent = floating_tangent,
    .energy = floating_energy,
    .power = floating_power,
    .momentum = floating_momentum,
};

sn_floating_item *sn_floating_append(sn_compiler *c, int dim, int nf) {
  assert((dim == 2 || dim == 3) && nf >= 0 && nf <= SN_FLOATING_DEFORMATION);
  sn_floating_item *item = sn_batch_append(c, &table, sizeof *item);
  *item = (sn_floating_item){.dim = dim, .nf = nf};
  c->model->small_coordinates = true;
  item->Sb = SN_NEW(c->arena, double, dim *nf);
  item->T = SN_NEW(c->arena, double, dim *dim *nf);
  item->N = SN_NEW(c->arena, double, dim *dim *nf *nf);
  item->K = SN_NEW(c->arena, double, nf *nf);
  return item;
}
