/* start_project.c - q and v onto the constraints with the smallest change in the mass norm; see start.h.
 *
 *   [W  G'; G 0] [dq; x] = [0; -Phi]        W: M, its blocks of coordinates that are to be kept times a large number
 *
 * Kept coordinates move correspondingly less; they are restored and the rest is corrected again, until they do not
 * move. Large weights cost digits: the last correction is without them.
 */
#include <math.h>
#include <string.h>

#include "system/equations.h"
#include "system/start.h"

enum { SWEEPS = 4 };
static const double heavy = 1e6;

static double largest(const double *x, int n, int *where) {
  double most = 0;
  for (int i = 0; i < n; i++)
    if (!(fabs(x[i]) <= most)) most = fabs(x[i]), *where = i;
  return most;
}

static double norm(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

static void make_heavy(sn_matrix *A, const bool *keep) {
  assert(keep);
  for (int g = 0; g < A->groups; g++) {
    const bool *own = keep + A->first[g];
    double *block = A->value + A->lower[A->column[g]];
    for (int i = 0; !A->constraint[g] && i < A->size[g]; i++)
      for (int j = 0; j < A->size[g]; j++)
        if (own[i] && own[j]) block[i + j * A->size[g]] *= heavy;
  }
}

/* x := [W G'; G 0]^-1 [0; -phi]; false: singular */
static bool project(sn_system *s, const sn_state *state, const bool *keep, const double *phi, double *x) {
  sn_system_assemble(s, state, 0, 1, 0, 0);
  if (keep) make_heavy(s->own->matrix, keep);
  if (!sn_system_factor_assembled(s, state->t)) return false;
  memset(x, 0, (size_t)s->n * sizeof(double));
  for (int i = 0; i < s->m; i++) x[s->n + i] = -phi[i];
  sn_system_solve_refined(s, x);
  return true;
}

/* Put back what is to be kept; how far it had gone. */
static double put_back(const bool *keep, const double *written, double *x, int n) {
  double most = 0;
  for (int i = 0; keep && i < n; i++) {
    if (!keep[i]) continue;
    most = fmax(most, fabs(x[i] - written[i]));
    x[i] = written[i];
  }
  return most;
}

/* ---- positions ---- */

static sn_status fail_conflict(sn_system *s, const double *phi, const char *what, const char *unit) {
  int where = 0;
  const double residual = largest(phi, s->m, &where);
  const char *conflict = sn_conflict_text(s, &s->arena, phi);
  return sn_fail(s->context, SN_NUMERICS, "%s: '%s' remains violated by %.3g%s%s%s", what,
                 sn_system_owner(s, s->n + where), residual, unit, *conflict ? "\n  " : "", conflict);
}

static sn_status contradiction(sn_system *s, const double *phi, const sn_start *start) {
  fail_conflict(s, phi, "the mechanism cannot be assembled", "");
  sn_append(s->context, "\n  check positions, lengths and axes\n");
  for (const char *line = start->notes; *line;) { /* what depends on what often shows where the contradiction is */
    int length = (int)strcspn(line, "\n");
    sn_append(s->context, "  %.*s\n", length, line);
    line += length + (line[length] == '\n');
  }
  return SN_NUMERICS;
}

static double size_of(const sn_system *s, const double *q) {
  double size = 1;
  for (int i = 0; i < s->n; i++) size = fmax(size, fabs(q[i]));
  return size;
}

/* Newton with halved steps while the residual does not fall. */
static sn_status meet_positions(sn_system *s, sn_state *state, const bool *keep, double *phi, const sn_start *start) {
  const double tolerance = 1e-12;
  int where = 0;
  double size = size_of(s, state->q), *dq = s->room[1];
  sn_system_position(s, state, phi);
  for (int k = 0; k < 50; k++) {
    if (largest(phi, s->m, &where) <= tolerance * size) return SN_OK;
    if (!project(s, state, keep, phi, s->own->work)) return SN_NUMERICS;
    memcpy(dq, s->own->work, (size_t)s->n * sizeof(double));
    double before = norm(phi, s->m), step = 1, taken = 0;
    for (int cut = 0; cut < 12; cut++, step /= 2) {
      for (int i = 0; i < s->n; i++) state->q[i] += (step - taken) * dq[i];
      taken = step;
      sn_system_position(s, state, phi);
      if (norm(phi, s->m) < before) break;
    }
    if (!(norm(phi, s->m) < before)) break;
  }
  return largest(phi, s->m, &where) <= 1e3 * tolerance * size ? SN_OK : contradiction(s, phi, start);
}

sn_status sn_project_position(sn_system *s, sn_state *state, const bool *keep, sn_start *start) {
  double *from = s->room[1] + s->n, *phi = s->room[1] + 2 * s->n, rounding = 1e-12 * size_of(s, state->q);
  memcpy(from, state->q, (size_t)s->n * sizeof(double));
  sn_status status = meet_positions(s, state, keep, phi, start);
  for (int k = 0; k < SWEEPS && status == SN_OK && put_back(keep, from, state->q, s->n) > rounding; k++)
    status = meet_positions(s, state, keep, phi, start);
  if (keep && status == SN_OK) status = meet_positions(s, state, NULL, phi, start);
  for (int i = 0; i < s->n; i++) start->position_change = fmax(start->position_change, fabs(state->q[i] - from[i]));
  return status;
}

/* ---- velocities ---- */

/* Linear, but redundant equations are regularized, and what is kept makes some weak beside that: repeated as long as it
 * helps. */
static sn_status meet_velocities(sn_system *s, sn_state *state, const bool *keep, double *phi, double speed) {
  int where = 0;
  sn_system_velocity(s, state, phi);
  double first = largest(phi, s->m, &where), residual = first, before = INFINITY;
  const int most = keep || s->regularization > 0 ? 10 : 1;
  for (int k = 0; k < most && residual > (k ? 1e-14 * speed : 0) && residual < before; k++) {
    if (!project(s, state, keep, phi, s->own->work)) return SN_NUMERICS;
    for (int i = 0; i < s->n; i++) state->v[i] += s->own->work[i];
    sn_system_velocity(s, state, phi);
    before = residual;
    residual = largest(phi, s->m, &where);
  }
  if (residual <= 1e-8 * fmax(first, speed)) return SN_OK;
  return fail_conflict(s, phi, "the initial velocities contradict each other", " m/s");
}

sn_status sn_project_velocity(sn_system *s, sn_state *state, const bool *keep, sn_start *start) {
  double *from = s->room[1] + s->n, *phi = s->room[1] + 2 * s->n, speed = 1;
  memcpy(from, state->v, (size_t)s->n * sizeof(double));
  for (int i = 0; i < s->n; i++) speed = fmax(speed, fabs(from[i]));
  sn_status status = meet_velocities(s, state, keep, phi, speed);
  for (int k = 0; k < SWEEPS && status == SN_OK && put_back(keep, from, state->v, s->n) > 1e-14 * speed; k++)
    status = meet_velocities(s, state, keep, phi, speed);
  if (keep && status == SN_OK) status = meet_velocities(s, state, NULL, phi, speed);
  for (int i = 0; i < s->n; i++) start->velocity_change = fmax(start->velocity_change, fabs(state->v[i] - from[i]));
  return status;
}
