/* impulses.c - from contacts to the complementarity problem and back; see impulses.h. */
#include "system/impulses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact.h"
#include "math/vec3.h"

struct sn_impulses {
  sn_system *system;
  sn_impulse_settings settings;
  sn_contacts *contacts;
  sn_ccp *ccp;
  int count, capacity;   /* contacts of this sort */
  int *number;           /* [count] in the list of all contacts */
  double *r, *rate, *v1; /* [3 count] */
};

bool sn_impulses_needed(const sn_system *system) {
  return system->model->surfaces && system->model->surfaces->dvi;
}

sn_impulses *sn_impulses_create(sn_system *system, const sn_impulse_settings *settings) {
  sn_impulses *w = calloc(1, sizeof *w);
  if (!w) abort();
  w->system = system;
  w->settings = *settings;
  w->contacts = sn_contacts_create(system->model);
  w->ccp = sn_ccp_create(system->matrix, system->solver, system->threads);
  return w;
}

void sn_impulses_free(sn_impulses *w) {
  if (!w) return;
  sn_contacts_free(w->contacts);
  sn_ccp_free(w->ccp);
  free(w->number);
  free(w->r);
  free(w->rate);
  free(w->v1);
  free(w);
}

void sn_impulses_refactored(sn_impulses *w) {
  sn_ccp_refactored(w->ccp);
}

/* ---- contacts as rows ---- */

static void reserve(sn_impulses *w, int count) {
  if (count <= w->capacity) return;
  w->capacity = 2 * count + 64;
  size_t values = 3 * (size_t)w->capacity;
  w->number = realloc(w->number, (size_t)w->capacity * sizeof *w->number);
  w->r = realloc(w->r, values * sizeof *w->r);
  w->rate = realloc(w->rate, values * sizeof *w->rate);
  w->v1 = realloc(w->v1, values * sizeof *w->v1);
  if (!w->number || !w->r || !w->rate || !w->v1) abort();
}

/* n as given, and two tangents */
static void contact_frame(const double n[3], double frame[3][3]) {
  int k = fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2) : (fabs(n[1]) < fabs(n[2]) ? 1 : 2);
  double axis[3] = {k == 0, k == 1, k == 2};
  sn_copy(frame[0], n);
  sn_cross(frame[1], n, axis);
  sn_scale(frame[1], 1 / sn_norm(frame[1]), frame[1]);
  sn_cross(frame[2], n, frame[1]);
}

/* Rows of D' of one side: sign [n u w]'J; linear sides as vectors with weights. */
static void side_rows(const sn_impulses *w, const sn_side *from, const double *q, double sign, double frame[3][3],
                      double *rows, sn_ccp_side *to) {
  const sn_holder *holder = &w->contacts->surfaces->holder[from->holder];
  *to = (sn_ccp_side){.groups = holder->groups, .group = holder->group, .sign = sign};
  if (holder->type == SN_HOLD_LINEAR) {
    to->dim = holder->dim;
    to->vectors = holder->vectors;
    to->vector = holder->vector;
    to->weight = from->weight;
    return;
  }
  if (holder->type == SN_HOLD_GROUND) return;
  sn_probe probe;
  double J[3 * SN_PROBE_COORDINATES];
  sn_side_probe(w->contacts->surfaces, from, false, &probe);
  probe.ops->jacobian(&probe, q, J);
  for (int a = 0; a < 3; a++)
    for (int k = 0; k < probe.count; k++) rows[a * probe.count + k] = sign * sn_dot(frame[a], J + 3 * k);
  to->group = holder->group;
  to->rows = rows;
}

static void add_contact(sn_impulses *w, const sn_contact *c, int number, const double *q) {
  sn_ccp_contact row = {.key = c->key, .friction = w->contacts->surfaces->law[c->law].friction};
  double rows[2][3 * SN_PROBE_COORDINATES];
  contact_frame(c->normal, row.frame);
  for (int s = 0; s < 2; s++) side_rows(w, &c->side[s], q, s ? -1 : 1, row.frame, rows[s], &row.side[s]);
  if (row.side[0].groups + row.side[1].groups == 0) return;
  reserve(w, w->count + 1);
  w->number[w->count++] = number;
  sn_ccp_add(w->ccp, &row);
}

/* ---- the right-hand side ---- */

static void fill_right(sn_impulses *w, const double *v0, const double *v_free, double h) {
  const sn_impulse_settings *s = &w->settings;
  sn_ccp_rates(w->ccp, v0, w->rate);
  sn_ccp_rates(w->ccp, v_free, w->r);
  for (int i = 0; i < w->count; i++) {
    const sn_contact *c = &w->contacts->contact[w->number[i]];
    double e = w->contacts->surfaces->law[c->law].restitution, *r = w->r + 3 * i, approach = w->rate[3 * i];
    if (e > 0 && approach < -s->rebound && c->gap + h * r[0] < 0)
      r[0] += e * approach;
    else
      r[0] += fmax(c->gap / h, -s->recovery);
  }
}

static sn_status not_solved(const sn_impulses *w, const sn_state *state, double h, const sn_ccp_result *result) {
  const sn_contact *c = &w->contacts->contact[w->number[result->worst]];
  return sn_fail(w->system->context, SN_NUMERICS,
                 "contact by complementarity is not solved at t = %g s, h = %g s: after %d iterations a residual of "
                 "%.3g m/s is left (limit %g), worst between '%s' and '%s', gap %.3g m, of %d contacts\n"
                 "  what may help: a smaller step, more contact_iterations, another contact_solver, less friction",
                 state->t, h, result->iterations, result->residual, w->settings.limit,
                 sn_contact_body(w->contacts, c, 0), sn_contact_body(w->contacts, c, 1), c->gap, w->count);
}

static void count_solution(sn_impulses *w, const sn_state *state, const sn_ccp_result *result) {
  sn_contact_statistics *s = &w->system->count->contact;
  s->solutions++;
  s->contacts += w->count;
  if (w->count > s->most) s->most = w->count;
  s->iterations += result->iterations;
  if (!result->converged) s->misses++;
  if (!(result->residual > s->residual)) return;
  const sn_contact *c = &w->contacts->contact[w->number[result->worst]];
  s->residual = result->residual;
  s->time = state->t;
  for (int k = 0; k < 2; k++) s->between[k] = sn_contact_body(w->contacts, c, k);
}

sn_status sn_impulses_solve(sn_impulses *w, const sn_state *state, double h, const double *v_free, double *f,
                            int *count) {
  double start = sn_wall_time();
  w->count = 0;
  sn_contacts_detect(w->contacts, w->system->threads, state->q);
  sn_ccp_clear(w->ccp);
  for (int i = 0; i < w->contacts->count; i++) {
    const sn_contact *c = &w->contacts->contact[i];
    if (w->contacts->surfaces->law[c->law].dvi) add_contact(w, c, i, state->q);
  }
  double found = sn_wall_time();
  fill_right(w, state->v, v_free, h);
  sn_ccp_result result = sn_ccp_solve(w->ccp, w->r, &w->settings.solver);
  memset(f, 0, (size_t)w->system->n * sizeof *f);
  sn_ccp_forces(w->ccp, f);
  *count = w->count;
  count_solution(w, state, &result);
  w->system->count->contact.time_detect += found - start;
  w->system->count->contact.time_solve += sn_wall_time() - found;
  if (!(result.residual <= w->settings.limit)) return not_solved(w, state, h, &result);
  return SN_OK;
}

void sn_impulses_work(sn_impulses *w, const double *v0, const double *v1) {
  const double *g = sn_ccp_impulses(w->ccp);
  (void)v0; /* its rates are known from the right-hand side */
  sn_ccp_rates(w->ccp, v1, w->v1);
  for (int i = 0; i < 3 * w->count; i++) {
    double work = g[i] * (w->rate[i] + w->v1[i]) / 2;
    w->system->contact_work[i % 3 != 0] += work;
  }
}
