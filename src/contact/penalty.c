/* penalty.c - contact by springs: forces, sums and tangents from the functions of a law.
 *
 *   d = -gap > 0,  u = x0' - x1',  d' = -n.u,  ut = u - (n.u) n,  s = |ut|
 *   F(d, d'), U(d), g(s): those of the law (law.h)
 *   f = F n - mu F g(s) ut
 *   (F - F0) n.u - mu F g s^2      dissipated power, F0 = F(d, 0)
 *
 * Tangents, with w between the anchors, W = dw/dq, Wc = du/dv at the contact point, N the part of dn that turns with
 * side 1:
 *
 *   gap_q = g' = n'W              gap_qq = H = n.w_qq + W'P W + N'W + W'N        n_q = P W + N
 *   Q = F g + Wc'ft
 *   Q_q = g F_q + F H + Wc'ft_q + (Wc'ft)_q,    F_q = -F_d g' - F_r (n.u)_q
 *   Q_v = g F_v + Wc'ft_v,                      F_v = -F_r n'Wc
 *   dft = -mu (g ut dF + F (g I + g'/s ut ut') dut),   dut = (I - n n') du - (n.u) dn - n (u.dn)
 *
 * and Wc changes as the contact point wanders over a rigid body. Where side 0 rolls (no sphere: the side or rim of a
 * cylinder, an edge), with its radii of curvature R about the anchor, N0 the turning of its body, D = N0 - N and
 * z = W + R D,
 *
 *   n_q = P z + N,   H = n.w_qq + z'P z + N'W + W'N - D'R D,   the anchor wanders by R (N0 - n_q)
 *
 * because (A + B + gap) dn = dw + A N0 + B N for any two surfaces with radii of curvature A = R and B; P is
 * (A + B + gap)^-1. Where side 1 is the nearest point X(s) of a sheet, s = (s, h) and so s_q follow from gap_s = 0:
 *
 *   C = gap_sq = -X_s'P W - n'J1_s,   F = gap_ss = X_s'P X_s - n.X_ss,   s_q = -F^-1 C,   H += C's_q,
 *   n_q += -P X_s s_q,   J1 changes by J1_s s_q
 *
 * Not exact for refined lines, whose points slide along both.
 */
#include "contact/penalty.h"

#include <math.h>
#include <string.h>

#include "contact/law.h"
#include "contact/set.h"
#include "math/vec3.h"

typedef struct press {
  sn_press normal;
  double u[3], un; /* n.u */
  double ut[3], s;
  double g, g_s; /* of friction, and its derivative by s */
  double mu;
} press;

/* The contact at this place of the list. */
static void press_at(const sn_contacts *c, int at, const double *q, const double *v, press *p) {
  const sn_contact *x = c->contact[at];
  const sn_law *law = &c->surfaces->law[x->law];
  double d = -x->gap;
  bool moves = law->damping > 0 || law->friction > 0;
  memset(p, 0, sizeof *p);
  p->normal.d = d, p->normal.K = x->stiffness;
  p->normal.F0 = sn_press_force(law, x->stiffness, d);
  p->normal.F = p->normal.F0;
  p->normal.F_d = sn_press_slope(law, x->stiffness, d);
  if (!moves) return;
  sn_contact_velocity(c, x, q, v, p->u);
  p->un = sn_dot(x->normal, p->u);
  law->ops->damp(law, -p->un, &p->normal);
  p->mu = law->friction;
  if (!(p->mu > 0)) return;
  sn_copy(p->ut, p->u);
  sn_axpy(p->ut, -p->un, x->normal);
  p->s = sn_norm(p->ut);
  law->ops->friction(law, p->s, &p->g, &p->g_s);
  if (c->own->held > 0 && c->own->watch[at].held) p->g = 2 / law->slip, p->g_s = 0;
}

static void force_of(const sn_contact *x, const press *p, double f[3]) {
  sn_scale(f, p->normal.F, x->normal);
  sn_axpy(f, -p->mu * p->normal.F * p->g, p->ut);
}

static bool pressed(const sn_contacts *c, const sn_contact *x) {
  return x->gap < 0 && !c->surfaces->law[x->law].dvi;
}

void sn_penalty_force(const sn_contacts *c, int at, const double *q, const double *v, double force[3], double *normal) {
  const sn_contact *x = c->contact[at];
  press p;
  force[0] = force[1] = force[2] = *normal = 0;
  if (!pressed(c, x)) return;
  press_at(c, at, q, v, &p);
  force_of(x, &p, force);
  if (x->leads) sn_axpy(force, 1, x->shift);
  *normal = p.normal.F;
}

/* ---- sums ---- */

/* Contacts of a chunk on one thread: F and the friction it exerts, and what all of them lose. Sums over them are taken
 * in the order of the contacts: the same bits for any number of threads. */
enum { CHUNK = SN_PUSH_CHUNK };

typedef struct pressing {
  const sn_contacts *c;
  const sn_eval *ev;
  bool shared; /* several threads will add the forces to bodies */
} pressing;

static void push_chunk(void *user, int chunk) {
  const pressing *w = user;
  const sn_contacts *c = w->c;
  int last = (chunk + 1) * CHUNK < c->count ? (chunk + 1) * CHUNK : c->count;
  double lost = 0, creep = 0;
  uint64_t touched = 0;
  for (int i = chunk * CHUNK; i < last; i++) {
    double *push = c->own->push[i];
    press p;
    push[0] = push[1] = push[2] = push[3] = 0;
    c->own->touched[i] = 0;
    if (!pressed(c, c->contact[i])) continue;
    if (w->shared) touched |= c->own->touched[i] = sn_shares_of(c, c->contact[i]);
    press_at(c, i, w->ev->q, w->ev->v, &p);
    push[0] = p.normal.F;
    if (p.mu > 0) sn_scale(push + 1, p.mu * p.normal.F * p.g, p.ut);
    lost += (p.normal.F - p.normal.F0) * p.un - p.mu * p.normal.F * p.g * p.s * p.s;
    if (p.s < c->surfaces->law[c->contact[i]->law].slip) creep = fmax(creep, p.s);
  }
  c->own->lost[chunk] = lost;
  c->own->creep[chunk] = creep;
  c->own->chunk_touched[chunk] = touched;
}

/* Known already where power is asked for at the end of a step and forces at the start of the next. */
static int push_all(sn_contacts *c, sn_threads *threads, const sn_eval *ev) {
  sn_contacts_private *o = c->own;
  pressing w = {c, ev, sn_threads_count(threads) > 1 && o->owner};
  int chunks = (c->count + CHUNK - 1) / CHUNK;
  if (o->pushed && sn_threads_equal(threads, c->model->n, o->v, ev->v)) return chunks;
  sn_threads_copy(threads, c->model->n, o->v, ev->v);
  sn_contacts_room(c);
  if (o->watching) sn_contacts_find_turned(c, ev);
  sn_threads_run(threads, chunks, push_chunk, &w);
  o->pushed = true;
  return chunks;
}

void sn_penalty_residual(sn_contacts *c, sn_threads *threads, const sn_eval *ev, double *r) {
  if (!c->surfaces->penalty) return;
  sn_contacts_detect(c, threads, ev->q);
  push_all(c, threads, ev);
  sn_shares_push(c, threads, ev->q, r);
}

void sn_penalty_energy(sn_contacts *c, sn_threads *threads, const sn_eval *ev, sn_energy *energy) {
  if (!c->surfaces->penalty) return;
  sn_contacts_detect(c, threads, ev->q);
  for (int i = 0; i < c->count; i++) {
    const sn_contact *x = c->contact[i];
    if (pressed(c, x)) energy->contact += sn_press_energy(&c->surfaces->law[x->law], x->stiffness, -x->gap);
  }
}

void sn_penalty_power(sn_contacts *c, sn_threads *threads, const sn_eval *ev, sn_power *power) {
  if (!c->surfaces->penalty || !c->surfaces->friction) return;
  sn_contacts_detect(c, threads, ev->q);
  int chunks = push_all(c, threads, ev);
  c->creep = 0;
  for (int k = 0; k < chunks; k++) {
    power->friction += c->own->lost[k];
    c->creep = fmax(c->creep, c->own->creep[k]);
  }
}

/* ---- tangent ---- */

enum { ND = SN_CONTACT_COORDINATES };

typedef struct sides {
  sn_probe anchor[2], point[2];
  int count, first[2]; /* local coordinates */
  int groups, group[2 * SN_PROBE_GROUPS];
} sides;

static void sides_of(const sn_contacts *c, const sn_contact *x, sides *s) {
  s->count = s->groups = 0;
  for (int k = 0; k < 2; k++) {
    sn_side_probe(c->surfaces, &x->side[k], true, &s->anchor[k]);
    sn_side_probe(c->surfaces, &x->side[k], false, &s->point[k]);
    s->first[k] = s->count;
    s->count += s->point[k].count;
    for (int g = 0; g < s->point[k].groups; g++) s->group[s->groups++] = s->point[k].group[g];
  }
}

/* J (3 x nd) = [J0, -J1] */
static void two_jacobians(const sides *s, const sn_probe probe[2], const double *q, double *J) {
  for (int k = 0; k < 2; k++) {
    double *part = J + 3 * s->first[k];
    probe[k].ops->jacobian(&probe[k], q, part);
    for (int i = 0; k == 1 && i < 3 * probe[k].count; i++) part[i] = -part[i];
  }
}

/* d(J0 v - J1 v)/dq */
static void two_rates(const sides *s, const double *q, const double *v, double *J) {
  memset(J, 0, (size_t)(3 * s->count) * sizeof *J);
  for (int k = 0; k < 2; k++) {
    const sn_probe *p = &s->point[k];
    double *part = J + 3 * s->first[k];
    if (p->ops->rate_jacobian) p->ops->rate_jacobian(p, q, v, part);
    for (int i = 0; k == 1 && i < 3 * p->count; i++) part[i] = -part[i];
  }
}

/* T += H0(f) - H1(f) */
static void two_hessians(const sides *s, const sn_probe probe[2], const double *q, const double f[3], double *T) {
  const double minus[3] = {-f[0], -f[1], -f[2]};
  for (int k = 0; k < 2; k++)
    if (probe[k].ops->hessian)
      probe[k].ops->hessian(&probe[k], q, k ? minus : f, T + s->first[k] * (s->count + 1), s->count);
}

static void times_P(const double P[6], const double a[3], double y[3]) {
  y[0] = P[0] * a[0] + P[3] * a[1] + P[4] * a[2];
  y[1] = P[3] * a[0] + P[1] * a[1] + P[5] * a[2];
  y[2] = P[4] * a[0] + P[5] * a[1] + P[2] * a[2];
}

typedef struct gap_derivatives {
  double W[3 * ND]; /* between the anchors */
  double n_q[3 * ND];
  double wander[3 * ND]; /* of an anchor that rolls, over its body */
  int slides;            /* of a point that slides over a sheet: parameters, ... */
  double J_s[2][3 * ND]; /* ... -J1_s, ... */
  double s_q[2][ND];     /* ... how they move */
  double g[ND];
  double H[ND * ND]; /* stride: count */
} gap_derivatives;

/* Turning of the normal with the body of side k, and relative to side 1 where side 0 rolls; z. */
typedef struct turning {
  double N[3 * ND], D[3 * ND], z[3 * ND];
  bool turns;
} turning;

static void turn_with(const sn_contacts *c, const sn_contact *x, const sides *s, const double *q, const double *W,
                      turning *t) {
  sn_probe direction;
  size_t size = (size_t)(3 * s->count) * sizeof *W;
  memset(t->N, 0, size);
  memcpy(t->z, W, size);
  t->turns = x->carried && sn_side_direction(c, &x->side[1], x->normal, &direction);
  if (t->turns) direction.ops->jacobian(&direction, q, t->N + 3 * s->first[1]);
  if (!x->rolls) return;
  memset(t->D, 0, size);
  if (sn_side_direction(c, &x->side[0], x->normal, &direction)) direction.ops->jacobian(&direction, q, t->D);
  for (int j = 0; j < s->count; j++) {
    double RD[3];
    sn_axpy(t->D + 3 * j, -1, t->N + 3 * j);
    times_P(x->R, t->D + 3 * j, RD);
    sn_axpy(t->z + 3 * j, 1, RD);
  }
}

/* F and its inverse: small, and definite at a nearest point. */
static bool invert(int count, double F[2][2]) {
  if (count == 1) {
    if (!(F[0][0] > 0)) return false;
    F[0][0] = 1 / F[0][0];
    return true;
  }
  double det = F[0][0] * F[1][1] - F[0][1] * F[1][0], first = F[0][0];
  if (!(det > 0)) return false;
  F[0][0] = F[1][1] / det, F[1][1] = first / det;
  F[0][1] = F[1][0] = -F[0][1] / det;
  return true;
}

/* What a point adds that slides over a sheet. */
static void derive_slide(const sn_contacts *c, const sn_contact *x, const sides *s, const double *q,
                         gap_derivatives *y) {
  sn_slide slide;
  int n = s->count, count = sn_contact_slide(c, x, &slide);
  double PX[2][3], F[2][2], C[2][ND];
  for (int a = 0; a < count; a++) {
    sn_side moved = x->side[1];
    sn_probe probe;
    memcpy(moved.weight, slide.weight[a], sizeof moved.weight);
    sn_side_probe(c->surfaces, &moved, false, &probe);
    memset(y->J_s[a], 0, (size_t)(3 * n) * sizeof(double));
    double *J = y->J_s[a] + 3 * s->first[1];
    probe.ops->jacobian(&probe, q, J);
    for (int i = 0; i < 3 * probe.count; i++) J[i] = -J[i];
    times_P(x->P, slide.X[a], PX[a]);
    for (int j = 0; j < n; j++) C[a][j] = sn_dot(x->normal, y->J_s[a] + 3 * j) - sn_dot(PX[a], y->W + 3 * j);
  }
  for (int a = 0; a < count; a++)
    for (int b = 0; b < count; b++) F[a][b] = sn_dot(PX[a], slide.X[b]) - sn_dot(x->normal, slide.XX[a][b]);
  if (count == 0 || !invert(count, F)) return;
  y->slides = count;
  for (int j = 0; j < n; j++)
    for (int a = 0; a < count; a++) {
      double move = 0;
      for (int b = 0; b < count; b++) move -= F[a][b] * C[b][j];
      y->s_q[a][j] = move;
      sn_axpy(y->n_q + 3 * j, -move, PX[a]);
      for (int i = 0; i < n; i++) y->H[i + n * j] += C[a][i] * move;
    }
}

/* g, n_q and H, as above */
static void derive_gap(const sn_contacts *c, const sn_contact *x, const sides *s, const double *q, gap_derivatives *y) {
  int n = s->count;
  turning t;
  memset(y->H, 0, (size_t)(n * n) * sizeof *y->H);
  two_jacobians(s, s->anchor, q, y->W);
  two_hessians(s, s->anchor, q, x->normal, y->H);
  turn_with(c, x, s, q, y->W, &t);
  for (int j = 0; j < n; j++) {
    const double *w = y->W + 3 * j, *N = t.N + 3 * j;
    double Pz[3], RD[3];
    times_P(x->P, t.z + 3 * j, Pz);
    y->g[j] = sn_dot(x->normal, w);
    for (int k = 0; k < 3; k++) y->n_q[3 * j + k] = Pz[k] + N[k];
    for (int i = 0; i < n; i++) {
      y->H[i + n * j] += sn_dot(t.z + 3 * i, Pz);
      if (t.turns) y->H[i + n * j] += sn_dot(y->W + 3 * i, N) + sn_dot(t.N + 3 * i, w);
    }
    if (!x->rolls) continue;
    times_P(x->R, t.D + 3 * j, RD);
    for (int i = 0; i < n; i++) y->H[i + n * j] -= sn_dot(t.D + 3 * i, RD);
    double behind[3]; /* N0 - n_q = D - P z */
    sn_sub(behind, t.D + 3 * j, Pz);
    times_P(x->R, behind, y->wander + 3 * j);
  }
  y->slides = 0;
  if (x->slides) derive_slide(c, x, s, q, y);
}

/* ---- friction and damping ---- */

typedef struct rubbing { /* what these need of a contact */
  const sn_contacts *c;
  const sn_contact *x;
  const sides *s;
  const sn_eval *ev;
  const press *p;
  const gap_derivatives *y;
  double Wc[3 * ND], U[3 * ND]; /* du/dv, du/dq */
  double ft[3];
} rubbing;

/* How the contact point moves within the body of side k when coordinate j does: a direction probe of that body; false
 * where the point does not depend on it. dx = dc - arm dn - dgap/2 n, less the motion of the material point. */
static bool slide(const rubbing *r, int k, int j, sn_probe *direction) {
  const sides *s = r->s;
  double dx[3];
  bool own = j >= s->first[k] && j < s->first[k] + s->point[k].count;
  for (int a = 0; a < 3; a++) {
    dx[a] = -r->x->arm * r->y->n_q[3 * j + a] - 0.5 * r->y->g[j] * r->x->normal[a];
    if (j < s->first[1]) dx[a] += r->y->W[3 * j + a];
    if (r->x->rolls) dx[a] += r->y->wander[3 * j + a];
    if (own) dx[a] -= k ? -r->Wc[3 * j + a] : r->Wc[3 * j + a];
  }
  return sn_side_direction(r->c, &r->x->side[k], dx, direction);
}

/* The part of a point that slides over a sheet: u_q += -J1_s v s_q, T -= ck (-J1_s)'ft s_q. */
static void rub_slide(rubbing *r, double *T) {
  const sides *s = r->s;
  const sn_probe *p = &s->point[1];
  int n = s->count;
  for (int a = 0; a < r->y->slides; a++) {
    double rate[3] = {0, 0, 0};
    const double *J = r->y->J_s[a] + 3 * s->first[1];
    for (int g = 0, i = 0; g < p->groups; g++)
      for (int k = 0; k < p->size[g]; k++, i++) sn_axpy(rate, r->ev->v[p->first[g] + k], J + 3 * i);
    for (int j = 0; j < n; j++) {
      double move = r->y->s_q[a][j];
      sn_axpy(r->U + 3 * j, move, rate);
      for (int i = s->first[1]; i < n; i++) T[i + n * j] -= r->ev->ck * move * sn_dot(r->y->J_s[a] + 3 * i, r->ft);
    }
  }
}

/* Wc, U and ft; and the part of T that comes from the contact point wandering: T -= ck (Wc'ft)_q. */
static void rub(rubbing *r, double *T) {
  const sides *s = r->s;
  const sn_eval *ev = r->ev;
  int n = s->count;
  double minus[3];
  two_jacobians(s, s->point, ev->q, r->Wc);
  two_rates(s, ev->q, ev->v, r->U);
  sn_scale(r->ft, -r->p->mu * r->p->normal.F * r->p->g, r->p->ut);
  sn_scale(minus, -ev->ck, r->ft);
  two_hessians(s, s->point, ev->q, minus, T);
  rub_slide(r, T);
  for (int j = 0; j < n; j++)
    for (int k = 0; k < 2; k++) {
      sn_probe direction;
      double J[3 * SN_PROBE_COORDINATES], rate[3], sign = k ? -1 : 1;
      if (!slide(r, k, j, &direction)) continue;
      direction.ops->rate(&direction, ev->q, ev->v, rate);
      direction.ops->jacobian(&direction, ev->q, J);
      sn_axpy(r->U + 3 * j, sign, rate);
      for (int i = 0; i < direction.count; i++) T[s->first[k] + i + n * j] -= sign * ev->ck * sn_dot(J + 3 * i, r->ft);
    }
}

/* Column j of ck ft_q + cd ft_v. */
static void friction_column(const rubbing *r, int j, double dF, double df[3]) {
  const press *p = r->p;
  const double *n = r->x->normal;
  double du[3], dn[3], stretch = p->s > 0 ? p->g_s / p->s : 0;
  for (int k = 0; k < 3; k++) du[k] = r->ev->ck * r->U[3 * j + k] + r->ev->cd * r->Wc[3 * j + k];
  sn_scale(dn, r->ev->ck, r->y->n_q + 3 * j);
  double across = sn_dot(n, du) + sn_dot(p->u, dn);
  for (int k = 0; k < 3; k++) du[k] -= across * n[k] + p->un * dn[k];
  double along = stretch * sn_dot(p->ut, du);
  for (int k = 0; k < 3; k++) df[k] = -p->mu * (p->g * p->ut[k] * dF + p->normal.F * (p->g * du[k] + along * p->ut[k]));
}

/* T -= ck Q_q + cd Q_v */
static void fill_tangent(const sn_contacts *c, int at, const sides *s, const sn_eval *ev, const gap_derivatives *y,
                         double *T) {
  const sn_contact *x = c->contact[at];
  press p;
  int n = s->count;
  press_at(c, at, ev->q, ev->v, &p);
  rubbing r = {.c = c, .x = x, .s = s, .ev = ev, .p = &p, .y = y};
  bool moves = p.mu > 0 || p.normal.F_r != 0;
  memset(T, 0, (size_t)(n * n) * sizeof *T);
  if (moves) rub(&r, T);
  for (int j = 0; j < n; j++) {
    double dF = -ev->ck * p.normal.F_d * y->g[j], *column = T + n * j, df[3];
    if (p.normal.F_r != 0) {
      double dun = sn_dot(x->normal, r.U + 3 * j) + sn_dot(p.u, y->n_q + 3 * j);
      dF -= p.normal.F_r * (ev->ck * dun + ev->cd * sn_dot(x->normal, r.Wc + 3 * j));
    }
    for (int i = 0; i < n; i++) column[i] -= dF * y->g[i] + ev->ck * p.normal.F * y->H[i + n * j];
    if (!(p.mu > 0)) continue;
    friction_column(&r, j, dF, df);
    for (int i = 0; i < n; i++) column[i] -= sn_dot(r.Wc + 3 * i, df);
  }
}

void sn_penalty_tangent(sn_contacts *c, sn_threads *threads, const sn_eval *ev, sn_matrix *A) {
  if (!c->surfaces->penalty) return;
  sn_contacts_detect(c, threads, ev->q);
  if (c->own->watching) push_all(c, threads, ev);
  gap_derivatives y;
  double T[ND * ND];
  for (int i = 0; i < c->count; i++)
    if (pressed(c, c->contact[i])) {
      sides s;
      int slots[SN_PROBE_GROUPS * (2 * SN_PROBE_GROUPS + 1)];
      sides_of(c, c->contact[i], &s);
      derive_gap(c, c->contact[i], &s, ev->q, &y);
      fill_tangent(c, i, &s, ev, &y, T);
      sn_matrix_slots(A, s.groups, s.group, slots);
      sn_matrix_add(A, s.groups, s.group, slots, T, s.count);
    }
}
