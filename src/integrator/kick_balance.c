/* kick_balance.c - see kick_balance.h. */
#include "integrator/kick_balance.h"

#include <math.h>
#include <string.h>

/* Of the energies there were: gains in a row, gains of one step that do not count, rounding. */
static const double ALLOWED = 0.01, SMALL = 1e-4, ROUNDING = 1e-10;

void sn_kick_balance_create(sn_kick_balance *b, sn_system *s) {
  *b = (sn_kick_balance){0};
  b->q = SN_NEW(&s->arena, double, s->n);
  b->f = SN_NEW(&s->arena, double, s->n);
  b->v = SN_NEW(&s->arena, double, s->n);
}

static double dot(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* v.f at q + z v */
static double power_at(sn_kick_balance *b, sn_system *s, double t, const sn_state *x, double z) {
  for (int i = 0; i < s->n; i++) b->q[i] = x->q[i] + z * x->v[i];
  sn_state still = {.t = t, .q = b->q, .v = s->zero, .a = s->zero, .l = s->zero + s->n};
  sn_system_residual(s, &still, 0, b->f);
  return dot(s->n, x->v, b->f);
}

static double mechanical(const sn_energy *e) {
  return e->kinetic + e->strain + e->gravity + e->spring + e->contact;
}

/* What H has beyond T + U at one end of the step, with the loads of its start. */
static double shifted(sn_kick_balance *b, sn_system *s, double e, double t, double h, const sn_state *x) {
  const double z = 1e-3 * h; /* of the difference */
  if (e == 1) return 0;
  double ahead = power_at(b, s, t, x, z), behind = power_at(b, s, t, x, -z);
  double vf = (ahead + behind) / 2, vKv = (ahead - behind) / (2 * z);
  return -h / 2 * vf + (1 + e * e) / 8 * h * h * vKv;
}

static sn_power power_with(sn_kick_balance *b, sn_system *s, const sn_state *a, const double *dv, double u, double w) {
  sn_power power;
  for (int i = 0; i < s->n; i++) b->v[i] = u * a->v[i] + w * dv[i];
  sn_state x = {.t = a->t, .q = sn_system_kick_place(s), .v = b->v, .a = s->zero, .l = s->zero + s->n};
  sn_system_power(s, &x, &power);
  return power;
}

/* Of dampers, whose force is linear in v, see replace_damping in analysis/work.c. */
static double work_of_forces(sn_kick_balance *b, sn_system *s, double e, const sn_state *a, const double *dv,
                             double h) {
  if (!sn_system_has_power(s)) return 0;
  const double c = sn_system_kick_damping(s);
  sn_power end = power_with(b, s, a, dv, 1, e == 1 ? 0.5 : 1), u = power_with(b, s, a, dv, 1, c),
           w = power_with(b, s, a, dv, 1, 0.5), z = power_with(b, s, a, dv, 1, 2 * c - 0.5);
  double damping = u.damping + (w.damping - z.damping) / 4, friction = u.friction + (w.friction - z.friction) / 4;
  return h * (end.applied + damping + friction);
}

static double work_of_joints(sn_kick_balance *b, sn_system *s, const sn_state *a, const double *x) {
  if (s->m == 0) return 0;
  sn_system_reaction(s, a, x + s->n, b->f);
  return -dot(s->n, b->f, a->v) - 0.5 * dot(s->n, b->f, x);
}

bool sn_kick_balance_settled(sn_kick_balance *b, sn_system *s, double e, const sn_state *x, double h) {
  return !b->backward || shifted(b, s, e, x->t, h, x) <= SMALL * b->scale;
}

void sn_kick_balance_begin(sn_kick_balance *b, const sn_system *s) {
  b->contacts = s->contact_work[0] + s->contact_work[1];
}

bool sn_kick_balance_holds(sn_kick_balance *b, sn_system *s, double e, const sn_state *from, const sn_state *to,
                           const double *x) {
  double h = to->t - from->t, t = from->t;
  sn_energy e0, e1;
  sn_system_energy(s, from, &e0);
  sn_system_energy(s, to, &e1);
  double H0 = mechanical(&e0) + shifted(b, s, e, t, h, from), H1 = mechanical(&e1) + shifted(b, s, e, t, h, to);
  double contacts = s->contact_work[0] + s->contact_work[1] - b->contacts;
  double gain = H1 - H0 - work_of_forces(b, s, e, from, x, h) - work_of_joints(b, s, from, x) - contacts;
  double stored = fabs(e1.strain - e0.strain) + fabs(e1.spring - e0.spring) + fabs(e1.contact - e0.contact);
  double rounding = ROUNDING * (fabs(H0) + fabs(H1) + fabs(e1.gravity) + e1.strain);
  b->trial[0] = fmax(b->gained + gain, 0);
  b->trial[1] = fmax(fmax(b->scale, e1.kinetic), stored);
  bool much = !(gain <= SMALL * b->trial[1] + rounding); /* or no number */
  return !much || b->trial[0] <= ALLOWED * b->trial[1];
}

void sn_kick_balance_accept(sn_kick_balance *b, double e) {
  b->backward = e == 1;
  b->gained = b->trial[0];
  b->scale = b->trial[1];
}

void sn_kick_balance_history(sn_kick_balance *b, sn_history *h) {
  sn_history_real(h, &b->gained);
  sn_history_real(h, &b->scale);
  sn_history_bool(h, &b->backward);
}
