/* buckling_follow.c - does linearized prebuckling hold, and if not: the equilibrium path up to where it does.
 *
 * Of the stiffness along the response, K(f), the linearization knows K + f S. The rest of it is of no account where the
 * structure keeps its shape. Where it does not, K + f S may lose directions that K(f) keeps: a stiff and a soft
 * direction k1 >> k2 that turn by f w give
 *
 *     K + f S = [k1  f w k1; f w k1  k2],    singular at f w = sqrt(k2/k1)
 *
 * while the eigenvalues of K(f) stay k1, k2: strips that bend about their strong axis by little more than a hundredth of
 * their height seem to buckle sideways at a fraction of the load. So the equilibrium is followed by a part of the load
 * factor that is left, and K linearized again. Close to where the structure buckles the error of K + f S is of the second
 * order in what is left.
 *
 * Two signs that the linearization about the start is good enough: u'K u of the first shape is gone at q0 + f dq, and is so
 * because of what the loads do to the stiffness, not because the structure moves along u itself. The latter is a limit
 * point: with K(q) = 1 - q and loads that grow, q - q^2/2 = s, K + f S is singular at s = 1, and the limit is s = 1/2.
 */
#include <math.h>
#include <string.h>

#include "analysis/buckling.h"

/* What is left to go, relative to the load factor: to a bifurcation, to a limit point; or half the distance of a stable
 * and an unstable equilibrium, with the factor in between. */
static const double NEAR = 0.2, CLOSE = 0.005, BETWEEN = 0.005;

sn_state *sn_buckling_along(sn_buckling_work *b, double f) {
  sn_system *sys = b->simulation->system;
  for (int i = 0; i < sys->n; i++) b->moved.q[i] = b->rest.q[i] + f * b->z[i];
  for (int i = 0; i < sys->m; i++) b->moved.l[i] = b->rest.l[i] + f * b->z[sys->n + i];
  b->moved.t = b->rest.t;
  sn_system_set_load(sys, b->s0 + f);
  return &b->moved;
}

/* u'K u at a state */
static double stiffness_at(sn_buckling_work *b, const sn_state *x, const double *u) {
  sn_simulation *s = b->simulation;
  const size_t n = (size_t)s->system->n, size = n + (size_t)s->system->m;
  sn_pencil *p = sn_pencil_at(s, x);
  double sum = 0;
  if (!p) return NAN;
  memcpy(p->work, u, n * sizeof(double));
  memset(p->work + n, 0, (size - n) * sizeof(double));
  sn_matrix_multiply(p->stiff, p->work, p->work + size);
  for (size_t i = 0; i < n; i++) sum += u[i] * p->work[size + i];
  return sum;
}

double sn_buckling_stiffness(sn_buckling_work *b, double f, const double *u) {
  return stiffness_at(b, sn_buckling_along(b, f), u);
}

/* d(u'K u)/de along q0 + e u, by a central difference. */
static double change_along_itself(sn_buckling_work *b, const double *u) {
  const double small = 1e-4;
  double most = 0, change = 0;
  for (int i = 0; i < b->simulation->system->n; i++) most = fmax(most, fabs(u[i]));
  const double step = small * fmin(1, b->simulation->evidence.size) / most;
  for (int side = -1; side <= 1; side += 2) {
    sn_state *x = sn_buckling_along(b, 0);
    for (int i = 0; i < b->simulation->system->n; i++) x->q[i] += side * step * u[i];
    change += side * stiffness_at(b, x, u) / (2 * step);
  }
  return change;
}

double sn_buckling_left(sn_buckling_work *b, double f, const double *u) {
  return fabs(sn_buckling_stiffness(b, f, u) / sn_buckling_stiffness(b, 0, u));
}

sn_buckling_quality sn_buckling_judge(sn_buckling_work *b, double f, const double *u) {
  const double start = sn_buckling_stiffness(b, 0, u);
  double work = 0;
  for (int i = 0; i < b->simulation->system->n; i++) work += u[i] * b->force[i];
  return (sn_buckling_quality){.left = sn_buckling_left(b, f, u),
                               .own = fabs(f * work / start * change_along_itself(b, u) / start)};
}

/* ---- along the path ---- */

static bool make_statics(sn_buckling_work *b) {
  sn_simulation *s = b->simulation;
  const double tolerance = 1e-8; /* that of statics and paths by default */
  if (b->statics) return true;
  sn_pencil *p = sn_pencil_at(s, sn_buckling_along(b, 0));
  if (!p) return false;
  b->statics = sn_statics_create(s->system, tolerance);
  b->statics->raise = true;
  b->statics->from = b->statics->to = b->rest.t;
  b->statics->little = 10 * p->zero;
  b->statics->shift = b->shift > 0 ? b->statics->little : 0;
  sn_statics_rest(s, b->statics);
  return true;
}

/* Is what Newton found on the same path? Then it is about where the response points. */
static bool is_near(const sn_buckling_work *b, double f) {
  const sn_statics_work *w = b->statics;
  const double half = 0.5, little = 100 * w->tolerance;
  double *way = w->bar, *rest = w->F;
  for (int i = 0; i < b->simulation->system->n; i++) {
    way[i] = w->trial.q[i] - b->rest.q[i];
    rest[i] = way[i] - f * b->z[i];
  }
  const double size = sn_statics_size(w, way, &b->rest);
  return size <= little || sn_statics_size(w, rest, &b->rest) <= half * size;
}

/* At s0 + f, as w->trial. An unstable one is beyond the load factor looked for. */
static bool find_equilibrium(sn_buckling_work *b, double f) {
  sn_simulation *s = b->simulation;
  sn_statics_work *w = b->statics;
  sn_state_copy(s->system, &w->trial, sn_buckling_along(b, f));
  if (!sn_statics_newton(w, b->s0 + f, false) || !is_near(b, f)) return false;
  sn_statics_place(w, b->s0 + f, &w->trial);
  sn_pencil *p = sn_pencil_at(s, &w->trial);
  const int unstable = p ? sn_pencil_unstable(p) : -1;
  if (unstable > 0) b->top = b->s0 + f;
  return unstable == 0;
}

/* Between a stable and an unstable equilibrium, close together. Of slender parts K at the one is nothing but rounding, which
 * hides whether the linearization holds. */
static bool is_between(sn_buckling_work *b, double f) {
  const double most = 2 * BETWEEN * fabs(b->s0 + f);
  if (b->steps == 0) return false;
  if (f <= most / 2 && b->top > b->s0 + most) find_equilibrium(b, most);
  return b->s0 + f <= b->top && b->top - b->s0 <= most;
}

bool sn_buckling_holds(sn_buckling_work *b, sn_buckling_quality x, double f) {
  const bool turns = x.own > SN_BUCKLING_MARGIN;
  if (is_between(b, f)) return true;
  if (x.left > SN_BUCKLING_MARGIN) return false;
  return b->steps == 0 ? !turns : f <= (turns ? CLOSE : NEAR) * fabs(b->s0 + f);
}

/* Limit points are at half of the f that they seem to be at. A linearization that says nothing limits no step. */
static double first_step(const sn_buckling_work *b, sn_buckling_quality x, double f) {
  const double part = 0.4, nothing = 0.5;
  double step = part * f;
  if (x.left > nothing) step = fmax(step, 2 * b->step);
  return fmin(step, (b->top - b->s0) / 2);
}

bool sn_buckling_follow(sn_buckling_work *b, sn_buckling_quality x, double f) {
  enum { MOST = 40 };
  const double least = 1e-3;
  bool found = false;
  if (!b->follows || b->steps >= MOST || !make_statics(b)) return false;
  for (double step = first_step(b, x, f); step > least * fabs(b->s0 + step) && !found; step /= 2) {
    found = find_equilibrium(b, step);
    b->step = step;
  }
  sn_clear_message(b->simulation->context);
  if (!found) return false;
  sn_state swap = b->before;
  b->before = b->rest;
  b->rest = swap;
  sn_state_copy(b->simulation->system, &b->rest, &b->statics->trial);
  b->s0 += b->step;
  b->steps++;
  return true;
}

bool sn_buckling_retreat(sn_buckling_work *b) {
  if (b->steps == 0 || b->s0 >= b->top) return false;
  sn_state swap = b->before;
  b->before = b->rest;
  b->rest = swap;
  b->top = b->s0;
  b->s0 -= b->step;
  sn_clear_message(b->simulation->context);
  return true;
}
