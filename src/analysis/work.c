/* work.c - work of loads, drivers, dampers and friction over a step, and up to any time within it:
 *
 *     W(t) = W(t0) + int_t0^t P dt,   P through its values at the nodes of a rule of quadrature
 *
 * Methods with short steps of low order: Simpson's rule. Methods of higher order, whose steps may be long: the rule of
 * Gauss and Lobatto with 4 nodes and its extensions to 7 and 13 (Gander & Gautschi 2000), on as few parts of the step
 * as make two of them agree to a hundredth of the tolerance. There the power of drivers, and of forces that depend on
 * reactions, takes multipliers that are solved for at the acceleration level: those of the methods themselves are of
 * lower order than positions. At recorded times nothing is evaluated again: the polynomial of P is integrated.
 */
#include <math.h>
#include <string.h>

#include "analysis/simulation.h"
#include "integrator/tableau.h"

/* Nodes as fractions of a part, and weights. */
struct sn_work_rule {
  int count;
  double x[SN_WORK_NODES], w[SN_WORK_NODES];
};

/* Nodes of the nested rules on [-1, 1]: 4 have 1 and B, 7 have A and 0 too, 13 all of them. */
#define A 0.816496580927726 /* sqrt(2/3) */
#define B 0.447213595499958 /* 1/sqrt(5) */
#define C1 0.942882415695480
#define C2 0.641853342345781
#define C3 0.236383199662150
#define LEFT(z) ((1 - (z)) / 2)
#define RIGHT(z) ((1 + (z)) / 2)
#define W1 (0.0158271919734802 / 2)
#define W2 (0.0942738402188500 / 2)
#define W3 (0.155071987336585 / 2)
#define W4 (0.188821573960182 / 2)
#define W5 (0.199773405226859 / 2)
#define W6 (0.224926465333340 / 2)
#define W7 (0.242611071901408 / 2)

static const struct sn_work_rule trapezoid = {2, {0, 1}, {0.5, 0.5}};
static const struct sn_work_rule simpson = {3, {0, 0.5, 1}, {1.0 / 6, 4.0 / 6, 1.0 / 6}};
static const struct sn_work_rule four = {4, {0, LEFT(B), RIGHT(B), 1}, {1.0 / 12, 5.0 / 12, 5.0 / 12, 1.0 / 12}};
static const struct sn_work_rule seven = {
    7,
    {0, LEFT(A), LEFT(B), 0.5, RIGHT(B), RIGHT(A), 1},
    {77.0 / 2940, 432.0 / 2940, 625.0 / 2940, 672.0 / 2940, 625.0 / 2940, 432.0 / 2940, 77.0 / 2940}};
static const struct sn_work_rule thirteen = {
    13,
    {0, LEFT(C1), LEFT(A), LEFT(C2), LEFT(B), LEFT(C3), 0.5, RIGHT(C3), RIGHT(B), RIGHT(C2), RIGHT(A), RIGHT(C1), 1},
    {W1, W2, W3, W4, W5, W6, W7, W6, W5, W4, W3, W2, W1}};
static const int ends_of_four[] = {0, 3}, four_in_seven[] = {0, 2, 4, 6}, seven_in_thirteen[] = {0, 2, 4, 6, 8, 10, 12};

/* ---- power ---- */

static bool steps_are_long(const sn_simulation *s) {
  return s->ops && s->ops->interpolate;
}

/* Those of methods of low order are as good as the rest of them, and their steps many. */
static bool multipliers_are_solved_for(const sn_simulation *s) {
  return (s->model->has_drivers || s->model->reactive) && (steps_are_long(s) || sn_is_quintic(s));
}

static void power_of(sn_simulation *s, const sn_state *x, double p[SN_WORKS]) {
  sn_power power;
  sn_system_power(s->audit, x, &power);
  memcpy(p, (double[SN_WORKS]){power.applied, power.driver, power.damping, power.friction}, SN_WORKS * sizeof *p);
}

/* Velocities in the middle of a step with which Simpson's rule gives h/6 (v0 + 4 v + v1) = q1 - q0: the work of a force
 * that does not change is then exactly force times displacement. */
static void velocities_of_displacement(const sn_simulation *s, sn_state *x) {
  const sn_state *a = &s->before, *b = &s->state;
  double h = b->t - a->t;
  for (int i = 0; i < s->system->n; i++) x->v[i] = 1.5 * (b->q[i] - a->q[i]) / h - 0.25 * (a->v[i] + b->v[i]);
}

static void solve_for_multipliers(sn_simulation *s, sn_state *x) {
  if (sn_is_projected(s, x))
    sn_project_rates(s->audit, x);
  else
    sn_solve_accelerations(s->audit, x);
}

static void power_within(sn_simulation *s, const struct sn_work_rule *rule, double t, double p[SN_WORKS]) {
  sn_interpolate(s, t, &s->sample);
  if (rule == &simpson) velocities_of_displacement(s, &s->sample);
  if (multipliers_are_solved_for(s)) solve_for_multipliers(s, &s->sample);
  power_of(s, &s->sample, p);
}

static void power_at_end(sn_simulation *s, double p[SN_WORKS]) {
  const sn_state *x = &s->state;
  if (steps_are_long(s) && multipliers_are_solved_for(s)) {
    sn_state_copy(s->system, &s->sample, x);
    solve_for_multipliers(s, &s->sample);
    x = &s->sample;
  }
  power_of(s, x, p);
}

/* ---- pieces ---- */

/* Values at the inner nodes of a piece whose ends are known. */
static void fill_piece(sn_simulation *s, sn_work_piece *piece, const struct sn_work_rule *rule) {
  piece->rule = rule;
  for (int k = 1; k < rule->count - 1; k++)
    power_within(s, rule, piece->from + rule->x[k] * (piece->to - piece->from), piece->p[k]);
}

/* From 4 nodes to 7, or from 7 to 13: every second one is there. */
static void refine_piece(sn_simulation *s, sn_work_piece *piece, const struct sn_work_rule *rule) {
  assert(rule->count == 2 * piece->rule->count - 1 && rule->count <= SN_WORK_NODES);
  for (int k = piece->rule->count - 1; k > 0; k--) memcpy(piece->p[2 * k], piece->p[k], sizeof piece->p[k]);
  piece->rule = rule;
  for (int k = 1; k < rule->count; k += 2)
    power_within(s, rule, piece->from + rule->x[k] * (piece->to - piece->from), piece->p[k]);
}

/* (to - from) sum w_i p_i, the values at `place` (NULL: all of them) */
static double sum_of(const sn_work_piece *piece, int count, const double *w, const int *place, int k) {
  assert(count <= SN_WORK_NODES && k >= 0 && k < SN_WORKS);
  double sum = 0;
  for (int i = 0; i < count; i++) sum += w[i] * piece->p[place ? place[i] : i][k];
  return (piece->to - piece->from) * sum;
}

static double work_of(const sn_work_piece *piece, int k) {
  return sum_of(piece, piece->rule->count, piece->rule->w, NULL, k);
}

/* How far the rule of the piece is from a smaller one within it, relative to the energies there are. */
static double difference(const sn_simulation *s, const sn_work_piece *piece, const struct sn_work_rule *smaller,
                         const int *place) {
  double scale = s->largest_kinetic, sum = 0;
  for (int k = 0; k < SN_WORKS; k++) {
    double work = work_of(piece, k);
    scale = fmax(scale, fabs(s->work_before[k] + work));
    sum += fabs(work - sum_of(piece, smaller->count, smaller->w, place, k));
  }
  return sum > 0 ? sum / scale : 0;
}

/* [from, to] as one piece or, where P is not as smooth as a polynomial, as several. A difference is that of the smaller
 * rule from the truth; from 2 nodes to 4 the error falls from the third power of the step to the seventh, so that a
 * part of its root is enough there. */
static void add_pieces(sn_simulation *s, double from, double to, const double p0[SN_WORKS], const double p1[SN_WORKS],
                       int halvings) {
  double allowed = s->settings->step > 0 ? 1e-8 : fmin(fmax(1e-2 * s->settings->tolerance, 1e-13), 1e-5);
  sn_work_piece *piece = &s->piece[s->pieces];
  assert(s->pieces < (int)SN_COUNT(s->piece) && from <= to);
  piece->from = from, piece->to = to;
  memcpy(piece->p[0], p0, sizeof piece->p[0]);
  memcpy(piece->p[3], p1, sizeof piece->p[3]);
  fill_piece(s, piece, &four);
  bool good = difference(s, piece, &trapezoid, ends_of_four) <= 0.03 * sqrt(allowed);
  if (!good) {
    refine_piece(s, piece, &seven);
    good = difference(s, piece, &four, four_in_seven) <= allowed;
  }
  if (!good) {
    refine_piece(s, piece, &thirteen);
    good = difference(s, piece, &seven, seven_in_thirteen) <= allowed;
  }
  if (good || halvings == 0) {
    s->pieces++;
    return;
  }
  double start[SN_WORKS], middle[SN_WORKS], end[SN_WORKS]; /* the first half takes the place of the whole */
  memcpy(start, piece->p[0], sizeof start);
  memcpy(middle, piece->p[6], sizeof middle);
  memcpy(end, piece->p[12], sizeof end);
  add_pieces(s, from, (from + to) / 2, start, middle, halvings - 1);
  add_pieces(s, (from + to) / 2, to, middle, end, halvings - 1);
}

static void add_one_piece(sn_simulation *s, const struct sn_work_rule *rule, const double *p0, const double *p1) {
  sn_work_piece *piece = &s->piece[s->pieces++];
  assert(s->pieces == 1 && rule->count <= SN_WORK_NODES);
  piece->from = s->before.t, piece->to = s->state.t;
  memcpy(piece->p[0], p0, sizeof piece->p[0]);
  memcpy(piece->p[rule->count - 1], p1, sizeof piece->p[0]);
  fill_piece(s, piece, rule);
}

/* ---- work ---- */

enum {
  FRICTION = SN_E_FRICTION - SN_E_APPLIED,
  DAMPING = SN_E_DAMPING - SN_E_APPLIED,
  DRIVER = SN_E_DRIVER - SN_E_APPLIED
};

/* Symplectic Euler with implicit damping: over a step dampers act with the velocity u = v0 + c dv where the kick is, and
 * their work is that of the force along w = (v0 + v1)/2. The power P at both ends is not representative if contacts
 * change velocities suddenly. With d = w - u, exactly for linear dampers, force(u).w = P(u) + (P(u + d) - P(u - d))/4
 */
static void replace_damping(sn_simulation *s, sn_work_piece *piece) {
  const sn_state *a = &s->before, *b = &s->state;
  sn_state *x = &s->sample;
  double c = sn_system_kick_damping(s->system), p[3][SN_WORKS];
  sn_state_copy(s->system, x, a);
  if (sn_system_kick_place(s->system))
    memcpy(x->q, sn_system_kick_place(s->system), (size_t)s->system->n * sizeof *x->q);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < s->system->n; i++) {
      double dv = b->v[i] - a->v[i], u = a->v[i] + c * dv, d = (0.5 - c) * dv;
      x->v[i] = k == 0 ? u : k == 1 ? u + d : u - d;
    }
    power_of(s, x, p[k]);
  }
  double mean = p[0][DAMPING] + (p[1][DAMPING] - p[2][DAMPING]) / 4;
  for (int k = 0; k < piece->rule->count; k++) piece->p[k][DAMPING] = mean;
}

/* Symplectic Euler: the multipliers l1 of a step are its mean reactions, which act along (v0 + v1)/2. With position errors
 * corrected in the next step, v0 and v1 are the driven velocities half a step before and after t0, and their mean is that
 * at t0. The power at both ends, P(l0) and P(l1), is half a step late: work that sums up in every oscillation. */
static void replace_driver_work(sn_simulation *s, sn_work_piece *piece) {
  sn_state *x = &s->sample;
  double p[SN_WORKS];
  sn_state_copy(s->system, x, &s->before);
  memcpy(x->l, s->state.l, (size_t)s->system->m * sizeof *x->l);
  power_of(s, x, p);
  for (int k = 0; k < piece->rule->count; k++) piece->p[k][DRIVER] = p[DRIVER];
}

/* Multipliers of the middle of a step (conserve: energy-momentum) act against all of the way that drivers prescribe in it. The
 * power at both ends, P(l0) and P(l1), is half a step late, as above. */
static void spread_multipliers(sn_simulation *s, sn_work_piece *piece) {
  sn_state *x = &s->sample;
  for (int k = 0; k < piece->rule->count; k++) {
    double p[SN_WORKS];
    sn_interpolate(s, piece->from + piece->rule->x[k] * (piece->to - piece->from), x);
    memcpy(x->l, s->state.l, (size_t)s->system->m * sizeof *x->l);
    power_of(s, x, p);
    piece->p[k][DRIVER] = p[DRIVER];
  }
}

/* Velocities on their constraints (hht-si2): the impulses h mu do work against drivers, as the multipliers do. It is of
 * second order in a step, so that without it the balance is of first order in h. */
static void add_stabilizing_work(sn_simulation *s, sn_work_piece *piece) {
  sn_state *x = &s->sample;
  double p[SN_WORKS];
  sn_state_copy(s->system, x, &s->state);
  memcpy(x->l, s->ops->stabilizing(s->integrator), (size_t)s->system->m * sizeof *x->l);
  power_of(s, x, p);
  for (int k = 0; k < piece->rule->count; k++) piece->p[k][DRIVER] += p[DRIVER];
}

void sn_end_work(sn_simulation *s) {
  memcpy(s->work_before, s->work, sizeof s->work);
  s->pieces = 0;
  s->impulses = 0;
}

void sn_begin_work(sn_simulation *s) {
  sn_end_work(s);
  if (s->model->has_drivers || s->model->reactive) sn_system_need_matrix(s->audit); /* not in a step */
  power_at_end(s, s->power);
}

/* Work of the impulses of contact since they were last counted. */
static void add_impulses(sn_simulation *s) {
  double *work = s->system->contact_work;
  s->impulses = work[0] + work[1];
  s->work[FRICTION] += s->impulses;
  work[0] = work[1] = 0;
}

void sn_add_work(sn_simulation *s) {
  sn_end_work(s);
  add_impulses(s);
  if (!sn_system_has_power(s->system)) return;
  double before[SN_WORKS];
  memcpy(before, s->power, sizeof before);
  power_at_end(s, s->power);
  if (steps_are_long(s))
    add_pieces(s, s->before.t, s->state.t, before, s->power, SN_WORK_HALVINGS);
  else if (s->ops && s->ops->mass_only && s->model->surfaces) /* short steps of first order: what is known anyway */
    add_one_piece(s, &trapezoid, before, s->power);
  else
    add_one_piece(s, sn_is_quintic(s) ? &four : &simpson, before, s->power);
  if (s->ops && s->ops->impulsive && sn_system_kick_damping(s->system) > 0) replace_damping(s, &s->piece[0]);
  if (s->ops && s->ops->impulsive && s->model->has_drivers) replace_driver_work(s, &s->piece[0]);
  if (s->ops && s->ops->of_middle && s->ops->of_middle(s->integrator) && s->model->has_drivers)
    spread_multipliers(s, &s->piece[0]);
  if (s->ops && s->ops->stabilizing && s->model->has_drivers) add_stabilizing_work(s, &s->piece[0]);
  for (int i = 0; i < s->pieces; i++)
    for (int k = 0; k < SN_WORKS; k++) s->work[k] += work_of(&s->piece[i], k);
}

void sn_add_work_until_now(sn_simulation *s, double from) {
  if (!sn_system_has_power(s->system)) return;
  for (int k = 0; k < SN_WORKS; k++) s->work[k] += (s->state.t - from) * s->power[k];
}

/* Impulses have no times of their own: their work is spread evenly. */
void sn_work_at(const sn_simulation *s, double t, double work[SN_WORKS]) {
  double part[SN_WORK_NODES], h = s->state.t - s->before.t;
  bool within = h > 0 && t < s->state.t;
  memcpy(work, within ? s->work_before : s->work, sizeof s->work);
  if (!within) return;
  work[FRICTION] += (t - s->before.t) / h * s->impulses;
  for (int i = 0; i < s->pieces && s->piece[i].from < t; i++) {
    const sn_work_piece *piece = &s->piece[i];
    double share = fmin((t - piece->from) / (piece->to - piece->from), 1);
    if (share < 1)
      sn_quadrature_weights(piece->rule->count, piece->rule->x, 0, share, part);
    else
      memcpy(part, piece->rule->w, sizeof part);
    for (int k = 0; k < SN_WORKS; k++) work[k] += sum_of(piece, piece->rule->count, part, NULL, k);
  }
}
