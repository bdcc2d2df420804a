/* rope_law.c - forces of a rope on its scalars z: elasticity and damping of segments, friction of pulleys.
 *
 * Segment: lengths l and l0 (unstretched), both linear in z, l0 with what is fed in.
 *   e  = l/l0 - 1,  e' = (l' - (1 + e) l0')/l0,  N = EA (e + c e') >= 0,  W = EA e^2/2;  slack (e < 0): none of these
 *   f.dz = N dl + (W - (1 + e) N) dl0          energy l0 W, loss l0 (N - EA e) e' = l0 N_d e'
 *
 * Friction pulley between segments a and b, rope running from a to b at the speed u' relative to the points where it
 * touches first and last, surface of the pulley at p', s = u'/sqrt(u'^2 + v0^2):
 *   e_in = (e_a + e_b)/2 - s (e_b - e_a)/2                   strain where the rope runs on: it adheres there
 *   x    = (1 + e_in) u' - p'                                slip
 *   F    = (N_a + N_b) tanh(mu theta g/2),  g = x/sqrt(x^2 + v0^2)
 *   f.dz = (F (1 + e_in) + E s) du - F dp,  E = EA (e_b - e_a)^2/2      loss F x + E s u'
 * A rope with mass presses with N - mu tau'^2, which stands for N_a and N_b in F.
 *
 * In a steady state F = N_b - N_a for any speed, and then N_b/N_a = exp(mu theta g): the capstan. E is what the creep of
 * the rope on the pulley takes, so that torques are those of tensions and speeds those of strains (Euler).
 */
#include <math.h>
#include <string.h>

#include "force/rope.h"

enum { S = SN_ROPE_SCALARS };

static double sum(const sn_rope *rope, const double *row, const double *z) {
  double y = 0;
  for (int i = 0; i < rope->scalars; i++) y += row[i] * z[i];
  return y;
}

/* M += a b' */
static void add_product(const sn_rope *rope, const double *a, const double *b, double (*M)[S]) {
  for (int i = 0; i < rope->scalars; i++)
    for (int j = 0; a[i] != 0 && j < rope->scalars; j++) M[i][j] += a[i] * b[j];
}

/* ---- segments ---- */

static void strain_of(const sn_rope *rope, int j, double t, const double *z, const double *zd, sn_rope_strain *x,
                      double *fed) {
  const sn_rope_segment *s = &rope->segment[j];
  *fed = 0;
  x->l = s->arc + sum(rope, s->l, z);
  x->l0 = s->rest + sum(rope, s->l0, z);
  x->l0d = sum(rope, s->l0, zd);
  if (j == 0 && rope->feed) {
    const sn_jet feed = sn_expr_jet(rope->feed, t);
    *fed = feed.rate;
    x->l0 += feed.value;
    x->l0d += feed.rate;
  }
  x->e = x->l / x->l0 - 1;
  x->ed = (sum(rope, s->l, zd) - (1 + x->e) * x->l0d) / x->l0;
  x->taut = x->e >= 0; /* at rest length, too: statics start there, and need the stiffness */
  const double elastic = x->taut ? rope->EA * x->e : 0;
  x->Nd = x->taut ? rope->EA * rope->damping * x->ed : 0;
  x->clipped = elastic + x->Nd < 0;
  if (x->clipped) x->Nd = -elastic;
  x->N = elastic + x->Nd;
  x->W = elastic * x->e / 2;
}

typedef struct slopes { /* derivatives of strain and tension by z and z' */
  double e[S], Nz[S], Nd[S];
} slopes;

static void slopes_of(const sn_rope *rope, int j, const sn_rope_strain *x, slopes *y) {
  const sn_rope_segment *s = &rope->segment[j];
  const double pulls = x->taut && !x->clipped ? rope->EA : 0;
  for (int i = 0; i < rope->scalars; i++) {
    y->e[i] = (s->l[i] - (1 + x->e) * s->l0[i]) / x->l0;
    y->Nz[i] = pulls * (y->e[i] - rope->damping * (y->e[i] * x->l0d + x->ed * s->l0[i]) / x->l0);
    y->Nd[i] = pulls * rope->damping * y->e[i];
  }
}

static void stretch_stiffness(const sn_rope *rope, int j, const sn_rope_strain *x, const slopes *y, double (*K)[S],
                              double (*D)[S]) {
  const sn_rope_segment *s = &rope->segment[j];
  const double EA = x->taut ? rope->EA : 0;
  double Kz[S], Kd[S];
  for (int i = 0; i < rope->scalars; i++) {
    Kz[i] = (EA * x->e - x->N) * y->e[i] - (1 + x->e) * y->Nz[i];
    Kd[i] = -(1 + x->e) * y->Nd[i];
  }
  add_product(rope, s->l, y->Nz, K);
  add_product(rope, s->l, y->Nd, D);
  add_product(rope, s->l0, Kz, K);
  add_product(rope, s->l0, Kd, D);
}

/* ---- friction ---- */

enum { E_A, E_B, N_A, N_B, THETA, U, P, INPUTS };

typedef struct grip {
  double along, back; /* forces on u and -p */
  double d_along[INPUTS], d_back[INPUTS];
  double loss, slip;
} grip;

/* y/sqrt(y^2 + v^2) and its derivative */
static double smooth_sign(double y, double v, double *slope) {
  const double h = hypot(y, v);
  *slope = (v / h) * (v / h) / h;
  return y / h;
}

static void grip_of(const double x[INPUTS], double mu, double v0, double EA, grip *y) {
  double s1, g1;
  const double s = smooth_sign(x[U], v0, &s1), de = x[E_B] - x[E_A], e = (x[E_A] + x[E_B] - s * de) / 2;
  const double slip = (1 + e) * x[U] - x[P], g = smooth_sign(slip, v0, &g1);
  const double th = tanh(mu * x[THETA] * g / 2), sum_N = x[N_A] + x[N_B], F = sum_N * th, E = EA * de * de / 2;
  const double F1 = sum_N * (1 - th * th) / 2; /* dF/d(mu theta g) */
  const double d_e[INPUTS] = {[E_A] = (1 + s) / 2, [E_B] = (1 - s) / 2, [U] = -s1 * de / 2};
  y->along = F * (1 + e) + E * s;
  y->back = F;
  y->slip = slip;
  y->loss = F * slip + E * s * x[U];
  for (int i = 0; i < INPUTS; i++) {
    double d_slip = d_e[i] * x[U], d_F, d_E = 0;
    if (i == U) d_slip += 1 + e;
    if (i == P) d_slip -= 1;
    d_F = F1 * mu * x[THETA] * g1 * d_slip;
    if (i == N_A || i == N_B) d_F += th;
    if (i == THETA) d_F += F1 * mu * g;
    if (i == E_A || i == E_B) d_E = (i == E_A ? -1 : 1) * EA * de;
    y->d_back[i] = d_F;
    y->d_along[i] = d_F * (1 + e) + F * d_e[i] + d_E * s + (i == U ? E * s1 : 0);
  }
}

/* The speed of slip of a rope that should rest on its pulley; 0: it is taut nowhere, slides, or runs with the pulley. */
static double creep_of(const double x[INPUTS], double slip, double v0) {
  const double runs = 100; /* times the slip: what remains is below the limit of the verdict */
  const double size = fabs(slip);
  return x[N_A] + x[N_B] > 0 && size < v0 && runs * size > fmax(fabs(x[U]), fabs(x[P])) ? size : 0;
}

static void add_grip(const sn_rope *rope, const sn_rope_stop *stop, const double *z, const double *zd,
                     const slopes *slope, sn_rope_law *law, double (*K)[S], double (*D)[S]) {
  const sn_rope_strain *a = &law->strain[stop->before], *b = &law->strain[stop->after];
  const double theta = stop->wrap + sum(rope, stop->theta, z), lift = rope->per_length * zd[stop->tau] * zd[stop->tau];
  const double x[INPUTS] = {fmax(0, a->e),  fmax(0, b->e),          fmax(0, a->N - lift),  fmax(0, b->N - lift),
                            fmax(0, theta), sum(rope, stop->u, zd), sum(rope, stop->p, zd)};
  grip y;
  grip_of(x, stop->mu, rope->slip, rope->EA, &y);
  law->friction -= y.loss;
  law->creep = fmax(law->creep, creep_of(x, y.slip, rope->slip));
  for (int i = 0; i < rope->scalars; i++) law->f[i] += y.along * stop->u[i] - y.back * stop->p[i];
  if (!K) return;
  const slopes *sa = &slope[stop->before], *sb = &slope[stop->after];
  if (x[N_A] == 0) y.d_along[N_A] = y.d_back[N_A] = 0;
  if (x[N_B] == 0) y.d_along[N_B] = y.d_back[N_B] = 0;
  for (int side = 0; side < 2; side++) {
    const double *d = side ? y.d_back : y.d_along, *row = side ? stop->p : stop->u;
    double Kz[S], Kd[S];
    for (int i = 0; i < rope->scalars; i++) {
      Kz[i] = (a->taut ? d[E_A] * sa->e[i] : 0) + (b->taut ? d[E_B] * sb->e[i] : 0) + d[N_A] * sa->Nz[i] +
              d[N_B] * sb->Nz[i] + (theta > 0 ? d[THETA] * stop->theta[i] : 0);
      Kd[i] = d[N_A] * sa->Nd[i] + d[N_B] * sb->Nd[i] + d[U] * stop->u[i] + d[P] * stop->p[i];
      if (i == stop->tau) Kd[i] -= (d[N_A] + d[N_B]) * 2 * rope->per_length * zd[i];
      if (side) Kz[i] = -Kz[i], Kd[i] = -Kd[i];
    }
    add_product(rope, row, Kz, K);
    add_product(rope, row, Kd, D);
  }
}

void sn_rope_law_at(const sn_rope *rope, double t, const double *z, const double *zd, sn_rope_law *law, double (*K)[S],
                    double (*D)[S]) {
  slopes slope[SN_ROPE_SPANS];
  assert(!K == !D);
  memset(law->f, 0, sizeof law->f);
  law->energy = law->damping = law->friction = law->driver = law->creep = 0;
  for (int i = 0; K && i < rope->scalars; i++) {
    memset(K[i], 0, sizeof K[i]);
    memset(D[i], 0, sizeof D[i]);
  }
  for (int j = 0; j < rope->segments; j++) {
    const sn_rope_segment *s = &rope->segment[j];
    sn_rope_strain *x = &law->strain[j];
    double fed;
    strain_of(rope, j, t, z, zd, x, &fed);
    const double f0 = x->W - (1 + x->e) * x->N;
    for (int i = 0; i < rope->scalars; i++) law->f[i] += x->N * s->l[i] + f0 * s->l0[i];
    law->energy += x->l0 * x->W;
    law->damping -= x->l0 * x->Nd * x->ed;
    law->driver += f0 * fed;
    if (!K) continue;
    slopes_of(rope, j, x, &slope[j]);
    stretch_stiffness(rope, j, x, &slope[j], K, D);
  }
  for (int k = 0; k < rope->stops; k++)
    if (rope->stop[k].grip == SN_ROPE_FRICTION) add_grip(rope, &rope->stop[k], z, zd, slope, law, K, D);
}
