/* symplectic_euler.c - symplectic Euler with fixed step; constraints at the velocity level.
 *
 *   M dv + G'p = h Q(t0, q0, v0),   G (v0 + dv) + Phi_t + s Phi/h = 0        all at (t0, q0); p: impulses
 *   v1 = v0 + dv,   q1 = q0 + h v1
 *
 * s = 1 (`gap`): what a joint is open at t0 closes within the step, so that errors of position stay at h^2; the same
 * right-hand side a contact will have. s = 0: the velocity constraint alone, and Phi drifts. First order; energy
 * oscillates without drift where forces are conservative and the constraints linear, as long as h < 2/w of the highest
 * frequency w. [M G'; G 0] is assembled in every step and factorized again only where a value has changed.
 */
#include <stdio.h>
#include <string.h>

#include "integrator/failure.h"
#include "integrator/step.h"
#include "model/kinds.h"

typedef struct euler {
  sn_system *system;
  sn_integrator_spec settings;
  bool gap;
  sn_step_control control;
  bool valid;    /* the factorization is of `value` */
  double *value; /* the matrix it was made from */
  double *x;     /* [n + m] (dv, p) */
  double *phi;   /* [m] */
} euler;

static bool factor(euler *w, const sn_state *state) {
  sn_system *s = w->system;
  size_t size = s->matrix->values * sizeof(double);
  sn_state rest = {.t = state->t, .q = state->q, .v = state->v, .a = s->zero, .l = s->zero + s->n};
  sn_system_assemble(s, &rest, 0, 1, 0, 0);
  if (w->valid && memcmp(w->value, s->matrix->value, size) == 0) return true;
  memcpy(w->value, s->matrix->value, size);
  return w->valid = sn_system_factor_assembled(s, state->t);
}

/* x := (h Q, -(G v + Phi_t) - s Phi/h) at the start of the step. */
static void impulses(euler *w, const sn_state *state, double h) {
  sn_system *s = w->system;
  sn_state rest = {.t = state->t, .q = state->q, .v = state->v, .a = s->zero, .l = s->zero + s->n};
  double *x = w->x, *p = x + s->n;
  sn_system_residual(s, &rest, 0, x);
  for (int i = 0; i < s->n; i++) x[i] *= -h;
  sn_system_velocity(s, state, p);
  if (w->gap) sn_system_position(s, state, w->phi);
  for (int i = 0; i < s->m; i++) p[i] = -p[i] - (w->gap ? w->phi[i] / h : 0);
}

/* v1, q1 from (dv, p); a and l are means over the step. */
static void move(const euler *w, const sn_state *from, sn_state *to, double h) {
  int n = w->system->n, m = w->system->m;
  to->t = from->t + h;
  for (int i = 0; i < n; i++) {
    to->v[i] = from->v[i] + w->x[i];
    to->q[i] = from->q[i] + h * to->v[i];
    to->a[i] = w->x[i] / h;
  }
  for (int i = 0; i < m; i++) to->l[i] = w->x[n + i] / h;
}

static int not_finite(const euler *w) {
  for (int i = 0; i < w->system->n; i++)
    if (!isfinite(w->x[i])) return i;
  return -1;
}

static sn_status report_growth(euler *w, const sn_state *state, double h, int where) {
  char what[200], help[120];
  snprintf(what, sizeof what, "symplectic-euler: the motion grows without bound at t = %g s, first at '%s'", state->t,
           sn_system_owner(w->system, where));
  snprintf(help, sizeof help, "a step below %g s (the method is stable for h < 2/highest frequency), or hht-i3", h / 2);
  return sn_fail_step(w->system, &w->settings, state, h, what, help);
}

static sn_status euler_step(void *self, sn_state *state, sn_state *before, double limit) {
  euler *w = self;
  sn_statistics *count = w->system->count;
  double h = sn_step_begin(&w->control, state->t, limit);
  if (!factor(w, state)) return SN_NUMERICS;
  impulses(w, state, h);
  sn_system_solve(w->system, w->x);
  int bad = not_finite(w);
  if (bad >= 0) return report_growth(w, state, h, bad);
  move(w, state, before, h);
  sn_state swap = *before;
  *before = *state;
  *state = swap;
  sn_step_judge(&w->control, before->t, h, 0);
  count->steps++;
  if (count->smallest_step == 0 || h < count->smallest_step) count->smallest_step = h;
  if (h > count->largest_step) count->largest_step = h;
  return SN_OK;
}

static void euler_history(void *self, sn_history *h) {
  sn_step_history(&((euler *)self)->control, h);
}

static void *euler_create(sn_system *system, const sn_integrator_spec *s, const sn_state *state) {
  euler *w = SN_NEW(&system->arena, euler, 1);
  *w = (euler){.system = system, .settings = *s, .gap = s->stabilize == 0};
  w->control = (sn_step_control){.fixed = true, .nominal = s->step, .h = s->step, .smallest = s->step};
  w->control.grid_start = state->t;
  w->value = SN_NEW(&system->arena, double, system->matrix->values);
  w->x = SN_NEW(&system->arena, double, system->n + system->m);
  w->phi = SN_NEW(&system->arena, double, system->m + 1);
  return w;
}

static const sn_field euler_fields[] = {
    SN_FIXED_FIELDS,
    {"stabilize", SN_CHOICE, SN_AT(sn_integrator_spec, stabilize), .def = "gap", .choices = "gap|none",
     .help = "gap: errors of position are closed in the next step; none: they drift"},
    SN_SOLVER_FIELD,
    {0},
};

const sn_integrator_ops sn_symplectic_euler = {
    .kind = {.name = "symplectic-euler",
             .category = SN_INTEGRATORS,
             .summary = "symplectic Euler, fixed step, constraints at the velocity level (first order)",
             .fields = euler_fields,
             .spec_size = sizeof(sn_integrator_spec)},
    .fixed_only = true,
    .mass_only = true,
    .create = euler_create,
    .step = euler_step,
    .history = euler_history,
};
