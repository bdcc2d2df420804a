/* start.c - a consistent start: q and v on the constraints, a and l from the equations.
 *
 *   position   repeat [M G'; G 0] [dq; x] = [0; -Phi]       the smallest change in the mass norm
 *   velocity   [M G'; G 0] [dv; x] = [0; -(G v + Phi_t)]
 *   level of a [M G'; G 0] [a; l] = [Q; gamma]
 *
 * Repeated equations make these singular. They are found by the rank of [M G'; G 0], named, and from then on every
 * matrix gets -eps on the diagonal of the multipliers: with right-hand sides in the range of G, Newton then converges
 * to the multipliers of least norm. Contradictory equations leave Phi outside that range: the projection cannot reach
 * 0.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "system/system.h"

static double largest(const double *x, int n, int *where) {
  double most = 0;
  for (int i = 0; i < n; i++)
    if (!(fabs(x[i]) <= most)) most = fabs(x[i]), *where = i;
  return most;
}

/* ---- redundancy ---- */

/* Is this the group of a joint (and not of the normalization of a body)? */
static bool is_joint(const sn_model *m, int group) {
  for (int j = 0; j < m->joints; j++)
    if (group >= m->joint[j].group && group < m->joint[j].group + m->joint[j].groups) return true;
  return false;
}

/* "joint hinge2: 1 of 5 equations repeats what loop hinge1-hinge3 already says" */
static void note_dependency(sn_system *s, const sn_dependency *d, sn_start *start) {
  const sn_model *m = s->model;
  const char *loop = "";
  int named = 0, more = 0;
  for (int k = 0; k < d->member_count; k++) {
    if (!is_joint(m, d->members[k])) continue;
    if (named == 6)
      more++;
    else
      loop = sn_format(&s->arena, "%s%s%s", loop, named++ ? "-" : "", m->group_name[d->members[k]]);
  }
  if (more) loop = sn_format(&s->arena, "%s and %d more", loop, more);
  start->notes = sn_format(&s->arena, "%s%s %s: %d of %d equations repeat%s what %s %s already says\n", start->notes,
                           is_joint(m, d->group) ? "joint" : "body", m->group_name[d->group], d->count,
                           m->group_size[d->group], d->count == 1 ? "s" : "", named == 1 ? "joint" : "loop", loop);
}

static void find_redundancy(sn_system *s, const sn_state *state, sn_start *start) {
  sn_arena scratch = {0};
  sn_dependency *list;
  s->regularization = 0;
  sn_system_assemble(s, state, 0, 1, 0, 0);
  int count = sn_ldl_rank(s->matrix, &scratch, &list);
  for (int i = 0; i < count; i++) {
    start->redundant += list[i].count;
    note_dependency(s, &list[i], start);
  }
  sn_arena_free(&scratch);
  if (count == 0) return;
  /* eps small against g M^-1 g' of a typical equation; any size between that and rounding gives the same answer */
  double mass = 0;
  for (int g = 0; g < s->matrix->groups; g++)
    for (int i = 0; !s->matrix->constraint[g] && i < s->matrix->size[g]; i++)
      mass =
          fmax(mass, s->matrix->value[s->matrix->lower[s->matrix->column[g]] + (size_t)(i * (s->matrix->size[g] + 1))]);
  s->regularization = 1e-9 / mass;
}

/* ---- projection ---- */

/* x := [M G'; G 0]^-1 [0; -phi]; false: singular */
static bool project(sn_system *s, const sn_state *state, const double *phi, double *x) {
  if (!sn_system_factor(s, state, 0, 1, 0, 0)) return false;
  memset(x, 0, (size_t)s->n * sizeof(double));
  for (int i = 0; i < s->m; i++) x[s->n + i] = -phi[i];
  sn_system_solve_refined(s, x);
  return true;
}

static double norm(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

static sn_status contradiction(sn_system *s, const double *phi, const sn_start *start) {
  int where = 0;
  double residual = largest(phi, s->m, &where);
  sn_fail(s->context, SN_NUMERICS,
          "the parts cannot be put together: '%s' stays off by %.3g\n"
          "  check positions, lengths and axes: joints that contradict each other cannot be met\n",
          sn_system_owner(s, s->n + where), residual);
  for (const char *line = start->notes; *line;) { /* what depends on what often shows where the contradiction is */
    int length = (int)strcspn(line, "\n");
    sn_append(s->context, "  %.*s\n", length, line);
    line += length + (line[length] == '\n');
  }
  return SN_NUMERICS;
}

/* Newton with halved steps while the residual does not fall. */
static sn_status project_position(sn_system *s, sn_state *state, double *phi, sn_start *start) {
  const double tolerance = 1e-12;
  int where = 0;
  double size = 1, *dq = s->project, *from = dq + s->n;
  memcpy(from, state->q, (size_t)s->n * sizeof(double));
  for (int i = 0; i < s->n; i++) size = fmax(size, fabs(state->q[i]));
  sn_system_position(s, state, phi);
  for (int k = 0; k < 50; k++) {
    if (largest(phi, s->m, &where) <= tolerance * size) return SN_OK;
    if (!project(s, state, phi, s->work)) return SN_NUMERICS;
    memcpy(dq, s->work, (size_t)s->n * sizeof(double));
    double before = norm(phi, s->m), step = 1, taken = 0;
    for (int cut = 0; cut < 12; cut++, step /= 2) {
      for (int i = 0; i < s->n; i++) state->q[i] += (step - taken) * dq[i];
      taken = step;
      sn_system_position(s, state, phi);
      if (norm(phi, s->m) < before) break;
    }
    start->position_change = 0;
    for (int i = 0; i < s->n; i++) start->position_change = fmax(start->position_change, fabs(state->q[i] - from[i]));
    if (!(norm(phi, s->m) < before)) break;
  }
  return largest(phi, s->m, &where) <= 1e3 * tolerance * size ? SN_OK : contradiction(s, phi, start);
}

static sn_status project_velocity(sn_system *s, sn_state *state, double *phi, sn_start *start) {
  int where = 0;
  sn_system_velocity(s, state, phi);
  double before = largest(phi, s->m, &where), speed = 1;
  if (before == 0) return SN_OK;
  if (!project(s, state, phi, s->work)) return SN_NUMERICS;
  for (int i = 0; i < s->n; i++) {
    state->v[i] += s->work[i];
    start->velocity_change = fmax(start->velocity_change, fabs(s->work[i]));
    speed = fmax(speed, fabs(state->v[i]));
  }
  sn_system_velocity(s, state, phi);
  double residual = largest(phi, s->m, &where);
  if (residual <= 1e-8 * fmax(before, speed)) return SN_OK;
  return sn_fail(s->context, SN_NUMERICS, "the start velocities contradict each other: '%s' is off by %.3g m/s",
                 sn_system_owner(s, s->n + where), residual);
}

bool sn_system_factor_mass(sn_system *s, const sn_state *state) {
  sn_state rest = {.t = state->t, .q = state->q, .v = state->v, .a = s->zero, .l = s->zero + s->n};
  return sn_system_factor(s, &rest, 0, 1, 0, 0);
}

void sn_system_accelerations(sn_system *s, sn_state *state, const double *extra) {
  /* r = -Q with a = l = 0; Phi'' with a = 0 is -gamma */
  sn_state rest = {.t = state->t, .q = state->q, .v = state->v, .a = s->zero, .l = s->zero + s->n};
  double *x = s->work;
  sn_system_residual(s, &rest, 0, x);
  sn_system_acceleration(s, &rest, x + s->n);
  for (int i = 0; i < s->n + s->m; i++) x[i] = -x[i];
  for (int i = 0; extra && i < s->m; i++) x[s->n + i] += extra[i];
  sn_system_solve_refined(s, x);
  memcpy(state->a, x, (size_t)s->n * sizeof(double));
  memcpy(state->l, x + s->n, (size_t)s->m * sizeof(double));
}

sn_status sn_solve_accelerations(sn_system *s, sn_state *state) {
  if (!sn_system_factor_mass(s, state)) return SN_NUMERICS;
  sn_system_accelerations(s, state, NULL);
  return SN_OK;
}

sn_status sn_project_rates(sn_system *s, sn_state *state) {
  if (!sn_system_factor_mass(s, state)) return SN_NUMERICS;
  memset(s->work, 0, (size_t)s->n * sizeof(double));
  sn_system_velocity(s, state, s->work + s->n);
  for (int i = 0; i < s->m; i++) s->work[s->n + i] = -s->work[s->n + i];
  sn_system_solve_refined(s, s->work);
  for (int i = 0; i < s->n; i++) state->v[i] += s->work[i];
  sn_system_accelerations(s, state, NULL);
  return SN_OK;
}

sn_status sn_make_consistent(sn_system *s, sn_state *state, sn_start *start) {
  memcpy(state->q, s->model->q0, (size_t)s->n * sizeof(double));
  memcpy(state->v, s->model->v0, (size_t)s->n * sizeof(double));
  sn_status status = sn_make_consistent_from(s, state, start);
  s->statistics = (sn_statistics){0}; /* the start is not part of the run's cost */
  return status;
}

sn_status sn_make_consistent_from(sn_system *s, sn_state *state, sn_start *start) {
  double *phi = s->project + 2 * s->n;
  *start = (sn_start){.notes = sn_format(&s->arena, "%s", "")};
  find_redundancy(s, state, start);
  sn_status status = project_position(s, state, phi, start);
  if (status == SN_OK && start->position_change > 0) { /* rank again where the parts really are */
    double change = start->position_change;
    *start = (sn_start){.notes = sn_format(&s->arena, "%s", ""), .position_change = change};
    find_redundancy(s, state, start);
  }
  if (status == SN_OK) status = project_velocity(s, state, phi, start);
  if (status == SN_OK) status = sn_solve_accelerations(s, state);
  return status;
}
