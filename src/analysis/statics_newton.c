/* statics_newton.c - the equations of an equilibrium at one load factor, and Newton's method for them: see statics.c. */
#include <math.h>
#include <string.h>

#include "analysis/statics.h"
#include "math/predicates.h"

enum { MOST_ITERATIONS = 40 };

sn_statics_work *sn_statics_create(sn_system *sys, double tolerance) {
  sn_statics_work *w = SN_NEW(&sys->arena, sn_statics_work, 1);
  *w = (sn_statics_work){.system = sys, .tolerance = tolerance};
  w->r0 = SN_NEW(&sys->arena, double, sys->n);
  w->guess = SN_NEW(&sys->arena, double, sys->m);
  w->product = SN_NEW(&sys->arena, double, sys->n + sys->m);
  w->F = SN_NEW(&sys->arena, double, sys->n + sys->m);
  w->dx = SN_NEW(&sys->arena, double, sys->n + sys->m);
  w->bar = SN_NEW(&sys->arena, double, sys->n + sys->m);
  w->ahead = SN_NEW(&sys->arena, double, sys->n);
  sn_state_create(sys, &w->trial);
  sn_state_create(sys, &w->test);
  sn_state_create(sys, &w->found);
  return w;
}

void sn_statics_rest(sn_simulation *s, sn_statics_work *w) {
  const sn_model *m = s->model;
  double *v = s->state.v, *kept = w->dx;
  memcpy(kept, v, (size_t)m->n * sizeof(double));
  memset(v, 0, (size_t)m->n * sizeof(double));
  for (int i = 0; i < m->variables; i++)
    if (m->variable[i].differential) v[m->variable[i].index] = kept[m->variable[i].index];
  sn_state *const states[] = {&w->trial, &w->test, &w->found};
  for (size_t i = 0; i < SN_COUNT(states); i++) memcpy(states[i]->v, s->state.v, (size_t)w->system->n * sizeof(double));
  sn_system_hold(w->system, s->state.v);
}

void sn_statics_place(sn_statics_work *w, double s, sn_state *x) {
  sn_system_set_load(w->system, w->raise ? s : 1);
  x->t = w->from + s * (w->to - w->from);
}

void sn_statics_residual(sn_statics_work *w, double s, const sn_state *x, double *F) {
  int n = w->system->n;
  sn_system_residual(w->system, x, 0, F);
  for (int i = 0; i < n; i++) F[i] -= (1 - s) * w->r0[i];
  sn_system_position(w->system, x, F + n);
}

double sn_statics_force_scale(sn_statics_work *w, double s, const sn_state *x) {
  int n = w->system->n;
  double scale = 0, *r = w->bar;
  sn_state loose = *x; /* without reactions */
  loose.l = w->system->zero + n;
  sn_system_residual(w->system, x, 0, r);
  sn_system_residual(w->system, &loose, 0, w->dx);
  for (int i = 0; i < n; i++) scale = fmax(scale, fmax(fabs(r[i] - w->dx[i]), fabs(1 - s) * fabs(w->r0[i])));
  if (!w->raise || s == 0) return scale;
  sn_system_set_load(w->system, 0);
  sn_system_residual(w->system, &loose, 0, r);
  sn_system_set_load(w->system, s);
  for (int i = 0; i < n; i++) scale = fmax(scale, fabs(w->dx[i] - r[i]));
  return scale;
}

/* Root mean square of the changes of q, each relative to max(1, |q|). */
double sn_statics_size(const sn_statics_work *w, const double *dx, const sn_state *x) {
  double sum = 0;
  for (int i = 0; i < w->system->n; i++) {
    double d = dx[i] / fmax(1, fabs(x->q[i]));
    sum += d * d;
  }
  return sqrt(sum / w->system->n);
}

/* dx := -A^-1 F. Indefinite matrices are hard on ldl, which does not choose its pivots: a look at how exact it is. */
bool sn_statics_solve(sn_statics_work *w, const double *F, double *dx) {
  sn_system *sys = w->system;
  int size = sys->n + sys->m;
  double error = 0, right = 0;
  for (int i = 0; i < size; i++) dx[i] = -F[i];
  sn_system_solve_refined(sys, dx);
  if (sn_system_solver(sys, NULL)->pivots) return sn_all_finite((size_t)size, dx);
  sn_matrix_multiply(sn_system_matrix(sys), dx, w->product);
  for (int i = 0; i < size; i++) {
    error = fmax(error, fabs(w->product[i] + F[i]));
    right = fmax(right, fabs(F[i]));
  }
  return error <= 1e-6 * right;
}

/* The matrix at x and the Newton correction. ldl gives up its place to klu where it fails; where that is singular, too
 * (followers can hide a free direction from the symmetric part of K), a little mass helps. */
bool sn_statics_correction(sn_statics_work *w, const sn_state *x) {
  sn_system *sys = w->system;
  for (;;) {
    if (sn_system_factor(sys, x, 0, w->shift, 0, 1) && sn_statics_solve(w, w->F, w->dx)) return true;
    if (!sn_system_solver(sys, NULL)->pivots) {
      if (sn_system_use_solver(sys, "klu")) return false;
    } else if (w->shift < w->little) {
      w->shift = w->little;
    } else {
      return false;
    }
  }
}

/* ---- Newton ---- */

void sn_statics_move(const sn_statics_work *w, sn_state *to, const sn_state *from, double damping, const double *dx) {
  int n = w->system->n, m = w->system->m;
  to->t = from->t;
  for (int i = 0; i < n; i++) to->q[i] = from->q[i] + damping * dx[i];
  for (int i = 0; i < m; i++) to->l[i] = from->l[i] + damping * dx[n + i];
}

void sn_statics_find_worst(sn_statics_work *w) {
  double most = -1;
  for (int i = 0; i < w->system->n + w->system->m; i++)
    if (!(fabs(w->F[i]) <= most)) most = fabs(w->F[i]), w->worst = i;
}

/* Apply the correction, whole or damped; w->F is the residual there. False: nowhere to go. */
static bool advance(sn_statics_work *w, double s, double norm, bool search) {
  int size = w->system->n + w->system->m;
  double damping = 1;
  for (int k = 0; k < (search ? 10 : 1); k++, damping /= 2) {
    sn_statics_move(w, &w->test, &w->trial, damping, w->dx);
    sn_statics_residual(w, s, &w->test, w->F);
    bool good = sn_all_finite((size_t)size, w->F);
    if (good && search) {
      for (int i = 0; i < size; i++) w->bar[i] = -w->F[i];
      sn_system_solve(w->system, w->bar);
      good = sn_statics_size(w, w->bar, &w->test) <= (1 - damping / 4) * norm;
    }
    if (!good) continue;
    sn_state swap = w->trial;
    w->trial = w->test;
    w->test = swap;
    return true;
  }
  return false;
}

bool sn_statics_newton(sn_statics_work *w, double s, bool search) {
  const double tolerance = w->tolerance;
  int n = w->system->n;
  sn_statics_place(w, s, &w->trial);
  sn_statics_residual(w, s, &w->trial, w->F);
  for (w->iterations = 1; w->iterations <= MOST_ITERATIONS; w->iterations++) {
    w->system->statistics.iterations++;
    if (!sn_statics_correction(w, &w->trial)) break;
    double norm = sn_statics_size(w, w->dx, &w->trial);
    if (!isfinite(norm)) break;
    if (w->iterations == 1) memcpy(w->ahead, w->dx, (size_t)n * sizeof(double));
    if (norm <= tolerance) { /* the rest of the error is of the order of norm^2, or rounding */
      sn_statics_move(w, &w->trial, &w->trial, 1, w->dx);
      sn_statics_residual(w, s, &w->trial, w->F);
      double scale = sn_statics_force_scale(w, s, &w->trial), most = 0;
      for (int i = 0; i < n; i++) most = fmax(most, fabs(w->F[i]));
      w->last_residual = scale > 0 ? most / scale : 0;
      if (w->last_residual <= tolerance || norm <= 1e-3 * tolerance) return true;
      continue;
    }
    if (!advance(w, s, norm, search)) break;
  }
  sn_statics_find_worst(w);
  return false;
}
