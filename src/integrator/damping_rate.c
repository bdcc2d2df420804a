/* damping_rate.c - see damping_rate.h.
 *
 *   x := M^-1 D x / |M^-1 D x|,   D x = (r(v + z x) - r(v - z x))/(2 z)       z: small; forces need not be linear
 *
 * Power iteration, from a start that has something of all frequencies.
 */
#include "integrator/damping_rate.h"

#include <math.h>

enum { SWEEPS = 30 };

static double norm(int n, const double *x) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* x[n] := D x, and nothing on joints */
static void times_damping(sn_system *s, const sn_state *state, double *x) {
  const double z = 1e-3;
  sn_state at = {.t = state->t, .q = state->q, .v = s->project, .a = s->zero, .l = s->zero + s->n};
  for (int i = 0; i < s->n; i++) at.v[i] = state->v[i] + z * x[i];
  sn_system_residual(s, &at, 0, s->refine);
  for (int i = 0; i < s->n; i++) at.v[i] = state->v[i] - z * x[i];
  sn_system_residual(s, &at, 0, x);
  for (int i = 0; i < s->n; i++) x[i] = (s->refine[i] - x[i]) / (2 * z);
  for (int i = s->n; i < s->n + s->m; i++) x[i] = 0;
}

double sn_damping_rate(sn_system *s, const sn_state *state, double *x) {
  double rate = 0;
  for (int i = 0; i < s->n; i++) x[i] = (i * 37 % 17 - 8.3) / 8;
  for (int k = 0; k < SWEEPS; k++) {
    double size = norm(s->n, x);
    if (!(size > 0)) return 0;
    for (int i = 0; i < s->n; i++) x[i] /= size;
    times_damping(s, state, x);
    sn_system_solve(s, x);
    rate = norm(s->n, x);
  }
  return rate;
}
