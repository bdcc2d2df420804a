/* impulses.c - a step of contact by complementarity: detection, impacts, pressing, separation; see impulses.h. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "system/equations.h"
#include "system/impulses_problem.h"
#include "system/phases.h"

bool sn_impulses_needed(const sn_system *system) {
  return system->model->surfaces && system->model->surfaces->dvi;
}

sn_impulses *sn_impulses_create(sn_system *system, const sn_impulse_settings *settings) {
  assert(system->own->solver_ops->inverses);
  sn_impulses *w = sn_new(1, sizeof *w);
  w->system = system;
  w->settings = *settings;
  w->contacts = system->contacts;
  const sn_surfaces *surfaces = system->model->surfaces;
  for (int k = 0; k < surfaces->laws; k++)
    w->rebounds = w->rebounds || (surfaces->law[k].dvi && surfaces->law[k].restitution > 0);
  w->v = sn_new((size_t)system->n + 1, sizeof *w->v);
  w->f = sn_new((size_t)(system->n + system->m) + 1, sizeof *w->f);
  w->ccp = sn_ccp_create(surfaces, system->own->matrix, system->own->solver, system->threads);
  w->revision = system->own->revision;
  return w;
}

void sn_impulses_free(sn_impulses *w) {
  if (!w) return;
  sn_contacts_solved(w->contacts, 0, NULL);
  sn_ccp_free(w->ccp);
  sn_free(w->selected);
  sn_free(w->r);
  sn_free(w->rate);
  sn_free(w->rate0);
  sn_free(w->sum);
  sn_free(w->e_factor);
  sn_free(w->gain);
  sn_free(w->hits);
  sn_free(w->struck);
  sn_free(w->v);
  sn_free(w->f);
  sn_free(w);
}

/* With another pattern of the matrix the problem is another one too, and starts from nothing. */
void sn_impulses_refactored(sn_impulses *w) {
  if (w->revision == w->system->own->revision) {
    sn_ccp_refactored(w->ccp);
    return;
  }
  sn_contacts_solved(w->contacts, 0, NULL);
  sn_ccp_free(w->ccp);
  w->ccp = sn_ccp_create(w->contacts->surfaces, w->system->own->matrix, w->system->own->solver, w->system->threads);
  w->revision = w->system->own->revision;
}

/* ---- which contacts ---- */

static void reserve(sn_impulses *w, int count) {
  if (count <= w->capacity) return;
  w->capacity = 2 * count + 64;
  SN_RESIZE(w->selected, w->capacity);
  SN_RESIZE(w->r, 3 * w->capacity);
  SN_RESIZE(w->rate, 3 * w->capacity);
  SN_RESIZE(w->rate0, 3 * w->capacity);
  SN_RESIZE(w->sum, 3 * w->capacity);
  SN_RESIZE(w->e_factor, w->capacity);
  SN_RESIZE(w->gain, 2 * w->capacity);
  SN_RESIZE(w->hits, w->capacity);
  SN_RESIZE(w->struck, w->capacity);
}

/* Beyond their activation only those that will meet within the step take part: nothing thin is passed unseen. Turning
 * may bring them nearer than the velocity of the moment does: twice the way. */
static bool far_off(const sn_impulses *w, const sn_contact *c, const sn_state *state, double h) {
  double u[3];
  if (c->gap <= w->contacts->surfaces->law[c->law].activation) return false;
  sn_contact_velocity(w->contacts, c, state->q, state->v, u);
  return c->gap + 2 * h * sn_dot(u, c->normal) > 0;
}

/* What tasks over contacts need. */
typedef struct step_task {
  sn_impulses *w;
  const sn_state *state;
  double h;
} step_task;

enum { GRAIN = 256 }; /* contacts of a task */

static void select_piece(void *user, int first, int last) {
  const step_task *k = user;
  const sn_contacts *all = k->w->contacts;
  for (int i = first; i < last; i++) {
    sn_contact *c = all->contact[i];
    k->w->selected[i] = all->surfaces->law[c->law].dvi && !far_off(k->w, c, k->state, k->h) ? c : NULL;
  }
}

/* Contacts of this sort that take part in the step become the problem. */
static void take_contacts(sn_impulses *w, const sn_state *state, double h) {
  const sn_contacts *all = w->contacts;
  int count = 0;
  step_task task = {w, state, h};
  reserve(w, all->count);
  sn_threads_split_by(w->system->threads, all->count, GRAIN, select_piece, &task);
  for (int i = 0; i < all->count; i++)
    if (w->selected[i]) w->selected[count++] = w->selected[i];
  sn_ccp_take(w->ccp, count, w->selected, state->q);
  w->count = sn_ccp_count(w->ccp);
  w->contact = sn_ccp_contacts(w->ccp);
  w->islands = sn_ccp_islands(w->ccp);
}

/* ---- solutions ---- */

void sn_impulses_count(sn_impulses *w, double t, const sn_ccp_result *result) {
  sn_contact_statistics *s = &w->system->count->contact;
  s->iterations += result->iterations;
  s->work += (double)result->work;
  s->total += result->residual;
  if (!result->converged) w->missed = true;
  if (result->again > 0) w->again = true;
  if (!(result->residual > s->residual)) return;
  assert(result->worst >= 0 && result->worst < w->count);
  const sn_contact *c = w->contact[result->worst];
  s->residual = result->residual;
  s->time = t;
  for (int k = 0; k < 2; k++) s->between[k] = sn_contact_body(w->contacts, c, k);
}

typedef struct addition {
  double *to;
  const double *from;
} addition;

static void add_piece(void *user, int first, int last) {
  const addition *a = user;
  double *to = a->to;
  const double *from = a->from;
  for (int i = first; i < last; i++) to[i] += from[i];
}

static void add_to(sn_threads *threads, int count, double *to, const double *from) {
  sn_threads_split(threads, count, add_piece, &(addition){to, from});
}

void sn_impulses_apply(sn_impulses *w, double *x) {
  assert(w->count <= w->capacity);
  sn_system *s = w->system;
  sn_threads_zero(s->threads, s->n + s->m, w->f);
  sn_ccp_forces(w->ccp, w->f);
  sn_system_solve(s, w->f);
  add_to(s->threads, s->n + s->m, x, w->f);
  add_to(s->threads, s->n, w->v, w->f);
  add_to(s->threads, 3 * w->count, w->sum, sn_ccp_impulses(w->ccp));
  sn_ccp_rates(w->ccp, w->v, w->rate);
}

static sn_status not_solved(const sn_impulses *w, const sn_state *state, double h, const sn_ccp_result *result) {
  const sn_ccp_solver_ops *solver = sn_ccp_solver((int)w->settings.solver.method);
  if (result->too_many)
    return sn_fail(w->system->context, SN_NUMERICS,
                   "contact_solver %s can solve at most %d connected contacts; at t = %g s there are %d\n  possible "
                   "remedy: contact_solver: apgd, which has no such limit%s%s",
                   solver->name, result->most, state->t, result->too_many, solver->hint ? ", " : "",
                   solver->hint ? solver->hint : "");
  const sn_contact *c = w->contact[result->worst];
  return sn_fail(w->system->context, SN_NUMERICS,
                 "the complementarity problem was not solved at t = %g s, h = %g s: after %d iterations the residual "
                 "is %.3g m/s (limit %g), worst between '%s' and '%s', gap %.3g m, %d contacts\n  possible remedy: a "
                 "smaller step, more contact_iterations, another contact_solver, less friction",
                 state->t, h, result->iterations, result->residual, w->settings.limit,
                 sn_contact_body(w->contacts, c, 0), sn_contact_body(w->contacts, c, 1), c->gap, w->count);
}

/* Do both sides move as rigid bodies? Displacing a flexible one would strain it: its overlaps end by velocities. */
static bool is_rigid(const sn_impulses *w, const sn_contact *c) {
  const sn_carrier *carrier = w->contacts->surfaces->carrier;
  return sn_carrier_is_rigid(&carrier[c->side[0].carrier]) && sn_carrier_is_rigid(&carrier[c->side[1].carrier]);
}

/* The overlap d that the residual E of a solution leaves must not add up: rigid bodies come apart by velocities too, d/h
 * but not faster than E1 = sqrt(1 + mu^2) E, which is what a solution may leave along n (d - e is in C* for some |e| <= E,
 * so that u + gap/h >= en - mu |et|). A gap of -h E1 or more then stays so: gap + h u >= -h E1. */
static void press_piece(void *user, int first, int last) {
  const step_task *k = user;
  const sn_impulses *w = k->w;
  for (int i = first; i < last; i++) {
    const double mu = w->contacts->surfaces->law[w->contact[i]->law].friction;
    const double most = is_rigid(w, w->contact[i]) ? hypot(1, mu) * w->settings.solver.tolerance : w->settings.recovery;
    sn_copy(w->r + 3 * i, w->rate + 3 * i);
    w->r[3 * i] += fmax(w->contact[i]->gap / k->h, -most);
  }
}

/* All contacts close their gaps and no more. */
static sn_status press(sn_impulses *w, const sn_state *state, double h, double *x) {
  sn_threads_split_by(w->system->threads, w->count, GRAIN, press_piece, &(step_task){w, state, h});
  sn_ccp_result result = sn_ccp_solve(w->ccp, w->r, &w->settings.solver);
  sn_impulses_count(w, state->t, &result);
  if (!(result.residual <= w->settings.limit)) return not_solved(w, state, h, &result);
  sn_impulses_apply(w, x);
  return SN_OK;
}

/* Right-hand sides of contacts that come apart in positions; sum[0]: of how many that overlap. */
static void recover_piece(void *user, int first, int last, double sum[SN_MOST_SUMS]) {
  const step_task *k = user;
  const sn_impulses *w = k->w;
  const double tolerance = w->settings.solver.tolerance;
  for (int i = first; i < last; i++) {
    double *r = w->r + 3 * i, speed = fmax(w->contact[i]->gap / k->h, -w->settings.recovery);
    bool separates = w->rate[3 * i] > w->settings.rebound; /* by itself */
    r[0] = w->rate[3 * i] + speed;
    r[1] = r[2] = 0;
    if (separates || r[0] > -10 * tolerance || !is_rigid(w, w->contact[i])) r[0] = fmax(r[0], 0);
    sum[0] += r[0] < 0;
  }
}

/* What overlaps after all that comes apart in positions alone: shift[n], a velocity that ends with the step. Ten times
 * what a solution may leave is none; what 20 iterations leave is left to the next step. */
static bool recover(sn_impulses *w, double h, double *shift) {
  sn_ccp_settings settings = w->settings.solver;
  settings.relaxed = settings.apart = true;
  settings.iterations = 20;
  settings.tolerance = 5 * w->settings.solver.tolerance;
  double overlaps[SN_MOST_SUMS];
  sn_threads_sum_by(w->system->threads, w->count, GRAIN, recover_piece, &(step_task){w, NULL, h}, overlaps);
  if (overlaps[0] == 0) return false;
  sn_ccp_solve(w->ccp, w->r, &settings);
  memset(w->f, 0, (size_t)(w->system->n + w->system->m) * sizeof *w->f);
  sn_ccp_forces(w->ccp, w->f);
  sn_system_solve(w->system, w->f);
  memcpy(shift, w->f, (size_t)w->system->n * sizeof *shift);
  w->system->count->contact.recoveries++;
  return true;
}

/* Sums: along the normal, of friction. */
static void account_piece(void *user, int first, int last, double sum[SN_MOST_SUMS]) {
  const step_task *k = user;
  const sn_impulses *w = k->w;
  for (int i = first; i < last; i++) {
    const double *g = w->sum + 3 * i, *a = w->rate0 + 3 * i, *b = w->rate + 3 * i;
    sum[0] += g[0] * (a[0] + b[0]) / 2;
    sum[1] += (g[1] * (a[1] + b[1]) + g[2] * (a[2] + b[2])) / 2;
    sn_ccp_to_space(w->ccp, i, g, w->contact[i]->force);
    sn_scale(w->contact[i]->force, 1 / k->h, w->contact[i]->force);
  }
}

/* Work of all impulses over the mean velocities; and mean forces over the step, which the contacts keep for outputs. */
static void account(sn_impulses *w, double h) {
  assert(h > 0);
  double work[SN_MOST_SUMS];
  sn_threads_sum_by(w->system->threads, w->count, GRAIN, account_piece, &(step_task){w, NULL, h}, work);
  w->system->contact_work[0] += work[0];
  w->system->contact_work[1] += work[1];
  sn_contacts_solved(w->contacts, w->count, w->contact);
}

static sn_status solve(sn_impulses *w, const sn_state *state, double h, double *x) {
  sn_contact_statistics *s = &w->system->count->contact;
  sn_threads_copy(w->system->threads, w->system->n, w->v, state->v);
  add_to(w->system->threads, w->system->n, w->v, x);
  sn_threads_zero(w->system->threads, 3 * w->count, w->sum);
  sn_ccp_rates(w->ccp, state->v, w->rate0);
  sn_ccp_rates(w->ccp, w->v, w->rate);
  w->missed = w->again = false;
  if (w->rebounds) sn_impulses_impacts(w, state->t, h, x);
  sn_status status = press(w, state, h, x);
  s->solutions++;
  s->contacts += w->count;
  if (w->count > s->most) s->most = w->count;
  if (w->missed) s->misses++;
  if (w->again) s->again++;
  return status;
}

/* Overlaps of this many times what the residual leaves in a step are none for solids that pass each other. */
static const double SLACK = 30;

sn_status sn_impulses_solve(sn_impulses *w, const sn_state *state, double h, double *x, double *shift, bool *shifted) {
  sn_phase_mark mark = sn_phase_begin(w->system, SN_PHASE_DETECTION);
  double safe = sn_contacts_safe_time(w->contacts, w->system->threads, state->q, state->v);
  sn_contacts_solved(w->contacts, 0, NULL);
  sn_contacts_reach(w->contacts, h / safe * w->contacts->surfaces->margin); /* two that come nearer */
  sn_contacts_move(w->contacts, state->q, state->v, h, SLACK * h * w->settings.solver.tolerance);
  sn_contacts_detect(w->contacts, w->system->threads, state->q);
  sn_contacts_move(w->contacts, state->q, state->v, 0, 0);
  take_contacts(w, state, h);
  sn_phase_end(w->system, &mark);
  *shifted = false;
  if (w->count == 0) return SN_OK;
  mark = sn_phase_begin(w->system, SN_PHASE_CONTACT);
  sn_status status = solve(w, state, h, x);
  if (!status) {
    account(w, h);
    *shifted = recover(w, h, shift);
  }
  sn_phase_end(w->system, &mark);
  return status;
}
