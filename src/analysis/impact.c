/* impact.c - limits of the step before and during impacts of rigid bodies.
 *
 * The forces of an impact act for a short time and change positions little during it, so an error test on positions may
 * not detect them: a step that is accurate before and after may skip the impact. Its duration follows from Hertz'
 * theory. For two rigid bodies that collide at speed v, with the effective mass m at the contact,
 *
 *   m d'' = -K d^k:   d = ((k + 1) m v^2/(2 K))^(1/(k + 1)) deep,   T = c d/v long, c = 2.94 for k = 1.5
 *   1/m = n.(1/m0 + 1/m1) n + (s x n).J^-1 (s x n) of both     s: from the center of mass to the contact
 *
 * A step ends where the gap closes. During the impact steps are T/STEPS at most, and the error test does the rest. v is
 * recovered at any time of an impact from the velocity and the stored energy: v^2 = un^2 + 2/(k + 1) d
 * |an|, which is constant while K d^k = m |an|, and 0 where a body rests.
 *
 * Methods that choose their order by their error estimate also get the speed and depth of the impact, so that the
 * estimate includes it (ida.c, adams.c). Otherwise BDF of order 1 is selected and loses a tenth of the speed.
 *
 * After the impact steps grow by a factor of 3 at most: methods that keep accelerations from step to step still contain
 * a part of those of the impact.
 *
 * Negligible impacts are not resolved: those with less energy than the tolerance times the largest kinetic energy so
 * far, or with a rebound lower than the tolerance times the radius.
 */
#include "analysis/impact.h"

#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "analysis/overlap.h"
#include "analysis/trust_remedy.h"
#include "contact/law.h"
#include "math/constants.h"
#include "math/quat.h"
#include "math/vec3.h"

enum { STEPS = 40, FEWEST = 8 };

typedef struct inertia {
  double inverse; /* 1/m */
  double J[3][3]; /* J^-1, body axes; only the last number in the plane */
} inertia;

typedef struct block {
  double M[7][7];
} block;

struct sn_impacts {
  inertia *of;    /* [carriers] rigid bodies */
  double *lumped; /* [n] mass at the points of flexible bodies; NULL: their impacts are not looked at */
};

/* ---- masses ---- */

static bool moves(const sn_carrier *h) {
  return h->type == SN_CARRIER_RIGID || h->type == SN_CARRIER_PLANAR;
}

/* J^-1 from J, by cofactors. */
static void invert(double J[3][3]) {
  double C[3][3], det = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      C[j][i] = J[a][c] * J[b][d] - J[a][d] * J[b][c];
    }
  for (int k = 0; k < 3; k++) det += J[0][k] * C[k][0];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) J[i][j] = det > 0 ? C[i][j] / det : 0;
}

/* J = G M G'/4 of Euler parameters (rigid.c). */
static void turning_inertia(const double *p, double M[7][7], double J[3][3]) {
  double G[3][4];
  sn_quat_G_matrix(p, G);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      J[i][j] = 0;
      for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++) J[i][j] += 0.25 * G[i][a] * M[3 + a][3 + b] * G[j][b];
    }
  invert(J);
}

static void take_inertia(const sn_carrier *h, const double *q, double M[7][7], inertia *y) {
  y->inverse = M[0][0] > 0 ? 1 / M[0][0] : 0;
  if (h->type == SN_CARRIER_RIGID)
    turning_inertia(q + h->first[0] + 3, M, y->J);
  else
    y->J[2][2] = M[2][2] > 0 ? 1 / M[2][2] : 0;
}

/* Row sums of M. For a Hermite element that is its mass by halves at the nodes, and next to nothing for slopes. */
static double *lumped_masses(sn_simulation *s) {
  double *one = SN_NEW(&s->arena, double, s->system->n), *mass = SN_NEW(&s->arena, double, s->system->n);
  const sn_surfaces *f = s->model->surfaces;
  for (int h = 0; h < f->carriers; h++)
    for (int k = 0; f->carrier[h].type == SN_CARRIER_LINEAR && k < f->carrier[h].vectors; k++)
      for (int i = 0; i < f->carrier[h].dim; i++) one[f->carrier[h].vector[k] + i] = 1;
  sn_system_mass_times(s->system, &s->state, one, mass);
  return mass;
}

struct sn_impacts *sn_impacts_create(sn_simulation *s) {
  const sn_surfaces *f = s->model->surfaces;
  const bool fixed = s->settings->step > 0;
  bool any = false;
  s->system->impact_speed = s->system->impact_depth = 0;
  for (int h = 0; f && h < f->carriers; h++)
    any |= moves(&f->carrier[h]) || (fixed && f->carrier[h].type == SN_CARRIER_LINEAR);
  if (!any || !f->penalty) return NULL;
  struct sn_impacts *y = SN_NEW(&s->arena, struct sn_impacts, 1);
  y->of = SN_NEW(&s->arena, inertia, f->carriers);
  double *x = SN_NEW(&s->arena, double, s->system->n), *Mx = SN_NEW(&s->arena, double, s->system->n);
  block *of = SN_NEW(&s->arena, block, f->carriers);
  for (int k = 0; k < 7; k++) { /* column k of all bodies at once: they are not coupled by M */
    memset(x, 0, (size_t)s->system->n * sizeof *x);
    for (int h = 0; h < f->carriers; h++)
      if (moves(&f->carrier[h]) && k < f->carrier[h].count) x[f->carrier[h].first[0] + k] = 1;
    sn_system_mass_times(s->system, &s->state, x, Mx);
    for (int h = 0; h < f->carriers; h++)
      for (int i = 0; moves(&f->carrier[h]) && i < f->carrier[h].count; i++)
        of[h].M[i][k] = Mx[f->carrier[h].first[0] + i];
  }
  for (int h = 0; h < f->carriers; h++)
    if (moves(&f->carrier[h])) take_inertia(&f->carrier[h], s->state.q, of[h].M, &y->of[h]);
  if (fixed) y->lumped = lumped_masses(s);
  return y;
}

/* ---- impacts ---- */

/* Of a point with these weights of vectors that have lumped masses. */
static double inverse_lumped(const sn_carrier *h, const double *weight, const double *mass) {
  double sum = 0, heaviest = 0;
  for (int k = 0; k < h->vectors; k++) heaviest = fmax(heaviest, fabs(mass[h->vector[k]]));
  for (int k = 0; k < h->vectors; k++) /* slopes carry no mass of their own */
    if (fabs(mass[h->vector[k]]) > 0.01 * heaviest) sum += weight[k] * weight[k] / fabs(mass[h->vector[k]]);
  return sum;
}

/* 1/m of one side along the normal. */
static double inverse_mass(const sn_simulation *s, const sn_contact *x, int side) {
  const sn_contacts *c = s->system->contacts;
  const sn_side *at = &x->side[side];
  const sn_carrier *carrier = &c->surfaces->carrier[at->carrier];
  const inertia *y = &s->impacts->of[at->carrier];
  if (carrier->type == SN_CARRIER_LINEAR && s->impacts->lumped)
    return inverse_lumped(carrier, at->weight, s->impacts->lumped);
  sn_probe direction;
  double sum = y->inverse, arm[3];
  if (!sn_side_direction(c, at, x->normal, &direction)) return 0; /* the ground */
  const double *n = direction.weight + 1;                         /* in body axes */
  if (carrier->type == SN_CARRIER_PLANAR) {
    double lever = at->weight[0] * n[1] - at->weight[1] * n[0];
    return sum + lever * lever * y->J[2][2];
  }
  sn_cross(arm, at->weight, n);
  for (int i = 0; i < 3; i++) sum += arm[i] * sn_dot(y->J[i], arm);
  return sum;
}

/* c of T = c d/v: 2 int_0^1 dx/sqrt(1 - x^(k+1)) */
static double lasting(double k) {
  double a = 1 / (k + 1);
  return k == 1.5 ? 2.94 : 2 * sqrt(SN_PI) * tgamma(1 + a) / tgamma(0.5 + a);
}

typedef struct hit {
  double wait, lasts; /* until it begins, and from then on [s] */
  double speed, depth;
} hit;

/* False: there is no impact that counts. */
static bool is_hit(const sn_simulation *s, const sn_contact *x, double tolerance, hit *y) {
  const sn_contacts *c = s->system->contacts;
  double k = c->surfaces->law[x->law].exponent, u[3], a[3], inverse = inverse_mass(s, x, 0) + inverse_mass(s, x, 1);
  if (!(inverse > 0) || !(x->stiffness > 0)) return false;
  sn_contact_velocity(c, x, s->state.q, s->state.v, u);
  sn_contact_velocity(c, x, s->state.q, s->state.a, a);
  double v = -sn_dot(x->normal, u), closing = -sn_dot(x->normal, a), m = 1 / inverse;
  y->wait = 0;
  if (x->gap > 0) { /* gap - v t - closing t^2/2 = 0 */
    double square = v * v + 2 * closing * x->gap;
    if (!(square > 0) || !(v + sqrt(square) > 0)) return false;
    y->wait = 2 * x->gap / (v + sqrt(square));
    v = sqrt(square);
  } else {
    v = sqrt(v * v - 2 / (k + 1) * x->gap * fabs(closing));
  }
  double g = sn_norm(s->model->gravity), energy = m * v * v / 2;
  if (!(energy > tolerance * fmax(s->largest_kinetic, m * g * x->radius))) return false;
  y->speed = v;
  y->depth = sn_press_depth(&c->surfaces->law[x->law], x->stiffness, energy);
  y->lasts = lasting(k) * y->depth / v;
  return true;
}

double sn_impact_step(sn_simulation *s) {
  const sn_contact *list;
  hit y;
  if (!s->impacts) return INFINITY;
  double tolerance = s->settings->relative > 0 ? s->settings->relative : s->settings->tolerance, h = INFINITY;
  double *speed = &s->system->impact_speed, *depth = &s->system->impact_depth;
  int count = sn_contacts_ahead(s->system->contacts, s->system->threads, s->state.q, &list);
  *speed = *depth = INFINITY;
  for (int i = 0; i < count; i++) {
    if (!is_hit(s, &list[i], tolerance, &y)) continue;
    *speed = fmin(*speed, y.speed);
    *depth = fmin(*depth, y.depth);
    h = fmin(h, fmax(y.wait, y.lasts / STEPS));
  }
  return s->impact_step > 0 ? fmin(h, 3 * s->impact_step) : h;
}

/* The first contact whose impact is too short for the steps. A piece of contacts after one that has been found already
 * is left out. */
typedef struct unseen_search {
  const sn_simulation *s;
  double counts, h;
  atomic_int found;
} unseen_search;

static sn_least first_unseen(void *user, int first, int last) {
  unseen_search *w = user;
  const sn_contacts *c = w->s->system->contacts;
  hit y;
  if (atomic_load_explicit(&w->found, memory_order_relaxed) < first) return (sn_least){INFINITY, -1};
  for (int i = first; i < last; i++) {
    const sn_contact *x = c->contact[i];
    if (c->surfaces->law[x->law].dvi || x->gap > 0 || !is_hit(w->s, x, w->counts, &y) || w->h <= y.lasts / FEWEST)
      continue;
    int before = atomic_load(&w->found);
    while (i < before && !atomic_compare_exchange_weak(&w->found, &before, i)) continue;
    return (sn_least){i, i};
  }
  return (sn_least){INFINITY, -1};
}

/* With fewer than 8 steps in an impact the rebound is arbitrary; with 8 a symplectic or implicit method has the
 * restitution to some percent. */
void sn_check_impacts(sn_simulation *s) {
  enum { ENOUGH = 1000, GRAIN = 128 }; /* limit of the count, to save computing time; contacts of a task */
  const double counts = 1e-3, h = s->settings->step;
  sn_contacts *c = s->system->contacts;
  long *unseen = &s->system->statistics.unseen_impacts;
  if (!s->impacts || *unseen >= ENOUGH) return;
  sn_contacts_detect(c, s->system->threads, s->state.q);
  unseen_search w = {.s = s, .counts = counts, .h = h, .found = INT_MAX};
  const sn_least first = sn_threads_least(s->system->threads, c->count, GRAIN, first_unseen, &w);
  if (first.index < 0 || (*unseen)++ > 0) return;
  hit y;
  is_hit(s, c->contact[first.index], counts, &y);
  sn_add_doubt(s, SN_DOUBTFUL,
               sn_format(&s->arena,
                         "impacts of %s last %.2g s, too short for fixed steps of %g s, first at t = %g s: use "
                         "steps of %.1g s or less%s",
                         sn_names_of_contact(s, c->contact[first.index]), y.lasts, h, s->state.t, y.lasts / FEWEST,
                         sn_remedy_adaptive(s)));
}

/* The step control divides the remainder in halves. */
void sn_impact_followed(sn_simulation *s, double bound) {
  double taken = s->state.t - s->before.t;
  s->impact_step = taken > 0.45 * bound ? taken : 0;
}
