/* start.c - a consistent start: q and v on the constraints, a and l from the equations.
 *
 *   position   repeat [M G'; G 0] [dq; x] = [0; -Phi]       the smallest change in the mass norm, start_project.c
 *   velocity   [M G'; G 0] [dv; x] = [0; -(G v + Phi_t)]
 *   level of a [M G'; G 0] [a; l] = [Q; gamma]
 *
 * Redundant equations make these singular. They are found by the rank of [M G'; G 0] and reported, and every matrix
 * then has -eps on the diagonal of the multipliers: with right-hand sides in the range of G, Newton then converges to
 * the multipliers of least norm. Contradictory equations leave Phi outside that range: the projection cannot reach 0.
 */
#include "system/start.h"

#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "system/equations.h"

/* ---- redundancy ---- */

/* Is this the group of a joint (and not of the normalization of a body)? */
static bool is_joint(const sn_model *m, int group) {
  for (int j = 0; j < m->joints; j++)
    if (group >= m->joint[j].group && group < m->joint[j].group + m->joint[j].groups) return true;
  for (int k = 0; k < m->locks; k++)
    if (m->group_first[group] == m->n + m->lock[k].row) return true;
  return false;
}

/* "joint hinge2: 1 of 5 equations is redundant with loop hinge1-hinge3" */
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
  start->notes = sn_format(&s->arena, "%s%s %s: %d of %d equations %s redundant with %s %s\n", start->notes,
                           is_joint(m, d->group) ? "joint" : "body", m->group_name[d->group], d->count,
                           m->group_size[d->group], d->count == 1 ? "is" : "are", named == 1 ? "joint" : "loop", loop);
}

static const double *diagonal(const sn_matrix *A, int g) {
  return A->value + A->lower[A->column[g]];
}

static double heaviest(const sn_matrix *A) {
  double mass = 0;
  for (int g = 0; g < A->groups; g++)
    for (int i = 0; !A->constraint[g] && i < A->size[g]; i++) mass = fmax(mass, diagonal(A, g)[i * (A->size[g] + 1)]);
  return mass;
}

/* unit[i] += sum g^2/m of equation i over the coordinates of one block, which is that of the equations or its mirror */
static void add_block(const sn_matrix *A, int rows, int coordinates, const double *block, bool mirror, double *unit) {
  const int many = A->size[rows], width = A->size[coordinates];
  for (int i = 0; i < many; i++)
    for (int j = 0; j < width; j++) {
      const double g = mirror ? block[j + width * i] : block[i + many * j];
      const double mass = diagonal(A, coordinates)[j * (width + 1)];
      if (mass > 0) unit[i] += g * g / mass;
    }
}

/* eps is to be small against g M^-1 g' of each equation, and above its rounding errors: any size between the two gives
 * the same answer. One size serves for equations that are not too far apart. In mechanisms of a millimeter or of a
 * kilometer those of directions, with 1/J, are 1e6 times larger or smaller than those of places, with 1/m. */
static void find_row_units(sn_system *s, double mass) {
  const double usual = 1e4;
  const sn_matrix *A = s->own->matrix;
  for (int i = 0; i < s->m; i++) s->row_unit[i] = 0;
  for (int j = 0; j < A->groups; j++)
    for (int k = A->column[j]; k < A->column[j + 1]; k++) {
      const int i = A->row[k];
      if (A->constraint[i] == A->constraint[j]) continue;
      const bool mirror = A->constraint[j];
      double *unit = s->row_unit + (A->first[mirror ? j : i] - s->n);
      add_block(A, mirror ? j : i, mirror ? i : j, A->value + A->lower[k], mirror, unit);
    }
  for (int i = 0; i < s->m; i++) {
    s->row_unit[i] *= mass;
    if (!(s->row_unit[i] < 1 / usual || s->row_unit[i] > usual) || s->row_unit[i] == 0) s->row_unit[i] = 1;
  }
}

static sn_status find_redundancy(sn_system *s, const sn_state *state, sn_start *start) {
  sn_arena scratch = {0};
  sn_dependency *list;
  s->regularization = 0;
  sn_system_assemble(s, state, 0, 1, 0, 0);
  int count = sn_ldl_rank(s->own->matrix, SN_REDUNDANT, &scratch, &list);
  for (int i = 0; i < count; i++) {
    start->redundant += list[i].count;
    note_dependency(s, &list[i], start);
  }
  sn_arena_free(&scratch);
  if (count < 0)
    return sn_fail(
        s->context, SN_NUMERICS,
        "masses or lengths of '%s' are too large or too small\n  possible remedy: use SI units and check these numbers",
        s->model->group_name[-1 - count]);
  if (count == 0) return SN_OK;
  const double mass = heaviest(s->own->matrix);
  find_row_units(s, mass);
  s->regularization = 1e-9 / mass;
  return SN_OK;
}

/* Whether the factors of a matrix that is kept solve to rounding. Tried on x = 1 for accelerations and the largest mass
 * for multipliers, a property of the matrix alone: the bits of a run that goes on and of one that is resumed are the
 * same. */
static bool solves_exactly(sn_system *s) {
  const double close = 1e-12;
  if (s->regularization > 0) return false;
  double mass = 0, *x = s->own->work, *b = s->own->refine, worst = 0;
  const sn_matrix *A = s->own->matrix;
  for (int g = 0; g < A->groups; g++)
    for (int i = 0; !A->constraint[g] && i < A->size[g]; i++)
      mass = fmax(mass, fabs(A->value[A->lower[A->column[g]] + (size_t)(i * (A->size[g] + 1))]));
  for (int i = 0; i < s->n + s->m; i++) x[i] = i < s->n ? 1 : mass;
  sn_matrix_multiply(A, x, b);
  sn_system_solve(s, b);
  for (int i = 0; i < s->n + s->m; i++) worst = fmax(worst, fabs(b[i] - x[i]) / x[i]);
  return worst <= close;
}

/* A matrix that never changes is factorized once, until another one takes its place. */
bool sn_system_factor_mass(sn_system *s, const sn_state *state) {
  assert(state->q && state->v);
  if (s->own->mass_kept && s->own->mass_regularization == s->regularization) return true;
  if (sn_system_factor_tree(s, state)) return true;
  double *l =
      s->model->reactive && state->l ? state->l : s->zero + s->n; /* forces that depend on it are in the matrix */
  sn_state rest = {.t = state->t, .q = state->q, .v = state->v, .a = s->zero, .l = l};
  if (!sn_system_factor(s, &rest, 0, 1, 0, 0)) return false;
  s->own->mass_kept = !s->model->reactive && sn_system_steady(s);
  s->own->mass_regularization = s->regularization;
  s->own->mass_exact = s->own->mass_kept && solves_exactly(s);
  return true;
}

/* A step of Newton's method from a = 0 and multipliers l; exact where forces do not depend on them. */
static void solve_once(sn_system *s, sn_state *state, double *l, const double *extra) {
  /* r = -Q + G'l with a = 0; Phi'' with a = 0 is -gamma */
  sn_state rest = {.t = state->t, .q = state->q, .v = state->v, .a = s->zero, .l = l};
  double *x = s->own->work;
  sn_system_residual(s, &rest, 0, x);
  sn_system_acceleration(s, &rest, x + s->n);
  for (int i = 0; i < s->n + s->m; i++) x[i] = -x[i];
  for (int i = 0; extra && i < s->m; i++) x[s->n + i] += extra[i];
  sn_system_solve_refined(s, x);
  memcpy(state->a, x, (size_t)s->n * sizeof(double));
  for (int i = 0; i < s->m; i++) state->l[i] = l[i] + x[s->n + i];
}

/* Forces that depend on multipliers are in the matrix with their derivatives at state->l: repeat until those are the
 * multipliers that were found. */
void sn_system_accelerations(sn_system *s, sn_state *state, const double *extra) {
  enum { SWEEPS = 20 };
  solve_once(s, state, s->zero + s->n, extra);
  for (int k = 0; s->model->reactive && k < SWEEPS; k++) {
    sn_state rest = {.t = state->t, .q = state->q, .v = state->v, .a = s->zero, .l = state->l};
    double *last = s->own->reactions, change = 0, size = 0;
    if (!sn_system_factor(s, &rest, 0, 1, 0, 0)) return;
    memcpy(last, state->l, (size_t)s->m * sizeof(double));
    solve_once(s, state, last, extra);
    for (int i = 0; i < s->m; i++) change = fmax(change, fabs(state->l[i] - last[i])), size = fmax(size, fabs(last[i]));
    if (change <= 1e-12 * size) return;
    if (k == SWEEPS - 1 && change > 1e-6 * size) s->count->unsettled++;
  }
}

sn_status sn_solve_accelerations(sn_system *s, sn_state *state) {
  return sn_system_stage(s, state, 0, 0, NULL) ? SN_OK : SN_NUMERICS;
}

/* v onto G v + Phi_t = 0; [M G'; G 0] is factorized then. */
static bool project_rates(sn_system *s, sn_state *state) {
  if (!sn_system_factor_mass(s, state)) return false;
  memset(s->own->work, 0, (size_t)s->n * sizeof(double));
  sn_system_velocity(s, state, s->own->work + s->n);
  for (int i = 0; i < s->m; i++) s->own->work[s->n + i] = -s->own->work[s->n + i];
  sn_system_solve_refined(s, s->own->work);
  for (int i = 0; i < s->n; i++) state->v[i] += s->own->work[i];
  return true;
}

sn_status sn_project_rates(sn_system *s, sn_state *state) {
  if (!project_rates(s, state)) return SN_NUMERICS;
  sn_system_accelerations(s, state, NULL);
  return SN_OK;
}

sn_status sn_change_constraints(sn_system *s, sn_state *state, double *mu, sn_start *start) {
  *start = (sn_start){.notes = sn_format(&s->arena, "%s", "")};
  sn_status status = find_redundancy(s, state, start);
  if (status) return status;
  if (!project_rates(s, state)) return SN_NUMERICS;
  memcpy(mu, s->own->work + s->n, (size_t)s->m * sizeof(double));
  sn_system_accelerations(s, state, NULL);
  return SN_OK;
}

/* room->q := q where stiffness would hold it. It is off there by -e h^2 a, with the held part d of e h^2 a:
 *   [M + h/2 D + h^2/4 K, G'; G 0] [d; mu] = [h^2/4 K e h^2 a; 0]
 * of which the matrix is factorized. */
static double *held_positions(sn_system *s, const sn_state *state, const sn_output_step *step) {
  double *x = s->own->work, h = step->h, *q = step->room->q, *f = step->room->a;
  sn_state at = *state;
  at.q = q;
  sn_system_residual(s, state, 1, f);
  for (int i = 0; i < s->n; i++) q[i] = state->q[i] + step->held_error * h * h * state->a[i];
  sn_system_residual(s, &at, 1, x);
  for (int i = 0; i < s->n; i++) x[i] = h * h / 4 * (x[i] - f[i]);
  memset(x + s->n, 0, (size_t)s->m * sizeof(double));
  sn_system_solve_refined(s, x);
  for (int i = 0; i < s->n; i++) q[i] = state->q[i] + x[i];
  return q;
}

/* Newton's correction of the a of a step of length h, and l:
 *   [M + h/2 D + h^2/4 K, G'; G 0] [da; l] = -[M a - Q; G a - gamma]
 * Motions slow beside h are solved for as by [M G'; G 0]. Forces of stiff parts are not taken from q, whose error times
 * the stiffness may be many times the force: they follow q by h^2/4 da, and are those that go with the a of the step.
 */
static sn_status correct_accelerations(sn_system *s, sn_state *state, const sn_output_step *step) {
  double *x = s->own->work, h = step->h;
  sn_state at = *state;
  memset(state->l, 0, (size_t)s->m * sizeof(double));
  if (!sn_system_factor(s, state, 1, 1, h / 2, h * h / 4)) return SN_NUMERICS;
  if (step->held_error != 0) at.q = held_positions(s, state, step);
  sn_system_residual(s, &at, 1, x);
  sn_system_acceleration(s, state, x + s->n);
  for (int i = 0; i < s->n + s->m; i++) x[i] = -x[i];
  sn_system_solve_refined(s, x);
  for (int i = 0; i < s->n; i++) state->a[i] += x[i];
  memcpy(state->l, x + s->n, (size_t)s->m * sizeof(double));
  return SN_OK;
}

sn_status sn_solve_reactions(sn_system *s, sn_state *state, const sn_output_step *step, sn_state *near) {
  assert(s->regularization == 0 || (near && near != state));
  sn_start start = {.notes = ""};
  sn_state *at = state;
  if (s->regularization > 0) {
    sn_state_copy(s, near, state);
    if (sn_project_position(s, near, NULL, &start) == SN_OK && project_rates(s, near)) at = near;
  }
  if (!(step->h > 0 && correct_accelerations(s, at, step) == SN_OK) && sn_solve_accelerations(s, at))
    return SN_NUMERICS;
  memmove(state->a, at->a, (size_t)s->n * sizeof(double));
  memmove(state->l, at->l, (size_t)s->m * sizeof(double));
  return SN_OK;
}

/* Bodies that were turned keep their angular velocity w: w = 2 A(p) G(p) p', p' = G(p)' A(p)' w/2. */
static void turn_velocities(const sn_model *m, sn_state *state) {
  for (int b = 0; b < m->bodies; b++) {
    int first = m->body[b].first + m->body[b].ops->turn;
    if (m->body[b].ops->turns != 4 || m->body[b].count == 0) continue;
    double w[3], local[3];
    sn_quat_G(m->q0 + first, m->v0 + first, local);
    sn_quat_rotate(m->q0 + first, local, w);
    sn_quat_unrotate(state->q + first, w, local);
    sn_quat_Gt(state->q + first, local, state->v + first);
  }
}

static sn_status fail_forces(sn_system *s, const sn_state *state, int i) {
  char why[600];
  const bool known = sn_system_fault(s, state, why, sizeof why);
  return sn_fail(s->context, SN_NUMERICS,
                 "forces on '%s' are not finite at the start, t = %g s%s%s\n  possible remedy: check the expressions "
                 "of its loads at that time",
                 sn_system_owner(s, i), state->t, known ? "\n  " : "", known ? why : "");
}

static sn_status check_forces(sn_system *s, const sn_state *state) {
  sn_state rest = {.t = state->t, .q = state->q, .v = state->v, .a = s->zero, .l = s->zero + s->n};
  sn_system_residual(s, &rest, 0, s->own->work);
  for (int i = 0; i < s->n; i++)
    if (!isfinite(s->own->work[i])) return fail_forces(s, &rest, i);
  return SN_OK;
}

/* `written`[n]: the velocities the file asks for, filled; NULL: the state is not that of the file. */
static sn_status make_consistent(sn_system *s, sn_state *state, double *written, sn_start *start) {
  const bool *keep_q = written ? s->model->keep_q : NULL, *keep_v = written ? s->model->keep_v : NULL;
  *start = (sn_start){.notes = sn_format(&s->arena, "%s", "")};
  sn_status status = find_redundancy(s, state, start);
  if (status == SN_OK) status = sn_project_position(s, state, keep_q, start);
  if (status == SN_OK && start->position_change > 0) { /* rank again where the parts really are */
    double change = start->position_change;
    *start = (sn_start){.notes = sn_format(&s->arena, "%s", ""), .position_change = change};
    status = find_redundancy(s, state, start);
  }
  if (written && start->position_change > 0) turn_velocities(s->model, state);
  if (written) memcpy(written, state->v, (size_t)s->n * sizeof(double));
  if (status == SN_OK) status = sn_project_velocity(s, state, keep_v, start);
  if (status == SN_OK) status = check_forces(s, state);
  if (status == SN_OK) status = sn_solve_accelerations(s, state);
  return status;
}

sn_status sn_make_consistent(sn_system *s, sn_state *state, sn_start *start) {
  const sn_model *m = s->model;
  memcpy(state->q, m->q0, (size_t)s->n * sizeof(double));
  memcpy(state->v, m->v0, (size_t)s->n * sizeof(double));
  double *open = SN_NEW(&s->arena, double, s->m), *velocity = SN_NEW(&s->arena, double, s->n);
  sn_system_position(s, state, open);
  sn_status status = make_consistent(s, state, velocity, start);
  if (status == SN_OK) status = sn_note_start(s, state, open, velocity, start);
  s->statistics = (sn_statistics){0}; /* the start is not part of the run's cost */
  return status;
}

sn_status sn_make_consistent_from(sn_system *s, sn_state *state, sn_start *start) {
  return make_consistent(s, state, NULL, start);
}
