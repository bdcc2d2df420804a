/* explicit_limit.c - see explicit_limit.h.
 *
 *   x := M^-1 D x / |M^-1 D x|,   D x = (r(q, v + z x) - r(q, v - z x))/(2 z)      z: small; forces need not be linear
 *   x := M^-1 K x / |M^-1 K x|,   K x = (r(q + z x, v) - r(q - z x, v))/(2 z)
 *
 * Power iteration, from a start that has something of all frequencies.
 */
#include "integrator/explicit_limit.h"

#include <math.h>

enum { SWEEPS = 30 };

static double norm(int n, const double *x) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* x[n] := K x, or D x with `velocities`; and nothing on joints; `work` [2 n] */
static void times_matrix(sn_system *s, const sn_state *state, bool velocities, double *work, double *x) {
  const double z = velocities ? 1e-3 : 1e-6;
  sn_state at = {.t = state->t, .q = state->q, .v = state->v, .a = s->zero, .l = s->zero + s->n};
  const double *base = velocities ? state->v : state->q;
  double *moved = work, *r = work + s->n;
  *(velocities ? &at.v : &at.q) = moved;
  for (int i = 0; i < s->n; i++) moved[i] = base[i] + z * x[i];
  sn_system_residual(s, &at, 0, r);
  for (int i = 0; i < s->n; i++) moved[i] = base[i] - z * x[i];
  sn_system_residual(s, &at, 0, x);
  for (int i = 0; i < s->n; i++) x[i] = (r[i] - x[i]) / (2 * z);
  for (int i = s->n; i < s->n + s->m; i++) x[i] = 0;
}

static double largest_eigenvalue(sn_system *s, const sn_state *state, bool velocities, double *x) {
  double value = 0;
  sn_arena scratch = {0};
  double *work = SN_NEW(&scratch, double, 2 * s->n);
  for (int i = 0; i < s->n; i++) x[i] = (i * 37 % 17 - 8.3) / 8;
  for (int k = 0; k < SWEEPS; k++) {
    double size = norm(s->n, x);
    if (!(size > 0)) {
      value = 0;
      break;
    }
    for (int i = 0; i < s->n; i++) x[i] /= size;
    times_matrix(s, state, velocities, work, x);
    sn_system_solve(s, x);
    value = norm(s->n, x);
  }
  sn_arena_free(&scratch);
  return value;
}

double sn_damping_rate(sn_system *s, const sn_state *state, double *x) {
  return largest_eigenvalue(s, state, true, x);
}

double sn_highest_frequency(sn_system *s, const sn_state *state, double *x) {
  return sqrt(largest_eigenvalue(s, state, false, x));
}
