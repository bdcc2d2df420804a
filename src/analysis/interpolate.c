/* interpolate.c - the state at any time within the last step.
 *
* Cubic Hermite in q from (q, v) and in v from (v, a), or quintic in q from (q, v, a) and its derivative for v; a and l
 * linear. (Low-order methods make an error of h^3 in each q1 - q0, so that the derivative of a cubic in q would be
 * several times worse in v than the steps themselves.) Weights of q0, q1, v0, v1, a0, a1 at t0 + u h, for q and for v.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "analysis/simulation.h"

static void hermite(bool quintic, double h, double u, double q[6], double v[6]) {
  assert(h > 0 && u >= 0 && u <= 1);
  double w = 1 - u;
  if (!quintic) {
    double c[4] = {(1 + 2 * u) * w * w, u * u * (3 - 2 * u), h * u * w * w, -h * u * u * w};
    memcpy(q, (double[]){c[0], c[1], c[2], c[3], 0, 0}, 6 * sizeof(double));
    memcpy(v, (double[]){0, 0, c[0], c[1], c[2], c[3]}, 6 * sizeof(double));
    return;
  }
  double u2 = u * u, u3 = u2 * u, w2 = w * w, w3 = w2 * w, bell = 30 * u2 * w2 / h;
  q[0] = w3 * (1 + 3 * u + 6 * u2);
  q[1] = u3 * (10 - 15 * u + 6 * u2);
  q[2] = h * u * w3 * (1 + 3 * u);
  q[3] = -h * u3 * w * (4 - 3 * u);
  q[4] = h * h / 2 * u2 * w3;
  q[5] = h * h / 2 * u3 * w2;
  v[0] = -bell;
  v[1] = bell;
  v[2] = w2 * (1 + 2 * u - 15 * u2);
  v[3] = u2 * (-12 + 28 * u - 15 * u2);
  v[4] = h / 2 * u * w2 * (2 - 5 * u);
  v[5] = h / 2 * u2 * w * (3 - 5 * u);
}

/* Velocities jump where there is contact by impulses: everything is linear then, and a and l are the means over the
 * step that the integrator has, contact included. */
bool sn_velocities_jump(const sn_simulation *s) {
  return s->ops && s->ops->impulsive &&
         ((s->model->surfaces && s->model->surfaces->dvi) || s->model->rubs || s->model->rigid_stops);
}

void sn_interpolate(const sn_simulation *s, double t, sn_state *x) {
  assert(x != &s->state && x != &s->before);
  const sn_state *a = &s->before, *b = &s->state;
  double h = b->t - a->t, q[6], v[6];
  if (h <= 0 || fabs(t - b->t) <= 1e-9 * h) {
    sn_state_copy(s->system, x, b);
    return;
  }
  if (t - a->t <= 1e-9 * h) { /* or a moment before, which the state has passed to the far side of a jump in */
    sn_state_copy(s->system, x, a);
    return;
  }
  x->t = t;
  if (s->ops && s->ops->interpolate) {
    s->ops->interpolate(s->integrator, x);
    return;
  }
  double u = (t - a->t) / h, w = 1 - u;
  if (sn_velocities_jump(s)) {
    for (int i = 0; i < s->system->n; i++) {
      x->q[i] = w * a->q[i] + u * b->q[i];
      x->v[i] = w * a->v[i] + u * b->v[i];
      x->a[i] = b->a[i];
    }
    memcpy(x->l, b->l, (size_t)s->system->m * sizeof(double));
    return;
  }
  hermite(sn_is_quintic(s), h, u, q, v);
  for (int i = 0; i < s->system->n; i++) {
    x->q[i] = q[0] * a->q[i] + q[1] * b->q[i] + q[2] * a->v[i] + q[3] * b->v[i] + q[4] * a->a[i] + q[5] * b->a[i];
    x->v[i] = v[0] * a->q[i] + v[1] * b->q[i] + v[2] * a->v[i] + v[3] * b->v[i] + v[4] * a->a[i] + v[5] * b->a[i];
    x->a[i] = w * a->a[i] + u * b->a[i];
  }
  for (int i = 0; i < s->system->m; i++) x->l[i] = w * a->l[i] + u * b->l[i];
}

void sn_continue(const sn_simulation *s, double t, sn_state *x) {
  const sn_state *from = &s->state;
  const double T = t - from->t;
  if (T <= 0) {
    sn_interpolate(s, t, x);
    return;
  }
  x->t = t;
  for (int i = 0; i < s->system->n; i++) {
    x->q[i] = from->q[i] + T * (from->v[i] + T / 2 * from->a[i]);
    x->v[i] = from->v[i] + T * from->a[i];
  }
  memcpy(x->a, from->a, (size_t)s->system->n * sizeof(double));
  memcpy(x->l, from->l, (size_t)s->system->m * sizeof(double));
}

bool sn_is_projected(const sn_simulation *s, const sn_state *x) {
  return s->ops && sn_setting(s, "project") != 0 && s->system->m > 0 && x->t > s->before.t && x->t < s->state.t;
}
