/* linear_control.c - controllers x' = A x + B u, y = C x + D u, continuous or sampled, and rules that make the sampled
 * system of a continuous one. With the period T:
 *
 *   zero-order hold   [Ad Bd; 0 I] = exp([A B; 0 0] T),  C, D as they are
 *   others            Ad = E (I + (1 - a) T A),  Bd = E T B,  Cd = C E,  Dd = D + a C Bd,   E = (I - a T A)^-1
 *                     a = 1/2 Tustin, 1 backward Euler, 0 forward Euler
 */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "control/controller.h"

/* ---- rules ---- */

/* c = a b, all n by n, row by row */
static void multiply(int n, const double *a, const double *b, double *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

/* exp(X), by its series after halving X until its norm is below 1/2, then squaring */
static void exponential(sn_arena *arena, int n, const double *X, double *exp_X) {
  enum { TERMS = 18 }; /* (1/2)^18/18! < 1e-20 */
  const size_t size = (size_t)n * (size_t)n;
  double *Y = SN_NEW(arena, double, size), *term = SN_NEW(arena, double, size), *next = SN_NEW(arena, double, size);
  double norm = 0;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += fabs(X[i * n + j]);
    norm = fmax(norm, sum);
  }
  const int halvings = norm > 0.5 ? (int)ceil(log2(norm / 0.5)) : 0;
  for (size_t k = 0; k < size; k++) Y[k] = ldexp(X[k], -halvings);
  for (int i = 0; i < n; i++) exp_X[i * n + i] = term[i * n + i] = 1;
  for (int p = 1; p <= TERMS; p++) {
    multiply(n, term, Y, next);
    for (size_t k = 0; k < size; k++) exp_X[k] += term[k] = next[k] / p;
  }
  for (int p = 0; p < halvings; p++) {
    multiply(n, exp_X, exp_X, next);
    memcpy(exp_X, next, size * sizeof(double));
  }
}

static void hold_inputs(sn_arena *arena, sn_linear_control *x, double T) {
  const int n = x->states, m = x->inputs, size = n + m;
  double *X = SN_NEW(arena, double, (size_t)size *(size_t)size), *Y = SN_NEW(arena, double, (size_t)size *(size_t)size);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) X[i * size + j] = T * x->A[i * n + j];
    for (int j = 0; j < m; j++) X[i * size + n + j] = T * x->B[i * m + j];
  }
  exponential(arena, size, X, Y);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) x->A[i * n + j] = Y[i * size + j];
    for (int j = 0; j < m; j++) x->B[i * m + j] = Y[i * size + n + j];
  }
}

/* With E X = [I + (1 - a) T A, T B, I] solved for all columns together */
static bool make_bilinear(sn_arena *arena, sn_linear_control *x, double a, double T) {
  const int n = x->states, m = x->inputs, p = x->outputs, columns = 2 * n + m;
  double *E = SN_NEW(arena, double, (size_t)n *(size_t)n), *X = SN_NEW(arena, double, (size_t)n *(size_t)columns);
  double *C = SN_NEW(arena, double, (size_t)n *(size_t)p + 1);
  lapack_int *pivot = SN_NEW(arena, lapack_int, n);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      const double TA = T * x->A[i * n + j], one = i == j;
      E[i * n + j] = one - a * TA;
      X[i * columns + j] = one + (1 - a) * TA;
      X[i * columns + n + m + j] = one;
    }
    for (int j = 0; j < m; j++) X[i * columns + n + j] = T * x->B[i * m + j];
  }
  if (LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, columns, E, n, pivot, X, columns) != 0) return false;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) x->A[i * n + j] = X[i * columns + j];
    for (int j = 0; j < m; j++) x->B[i * m + j] = X[i * columns + n + j];
  }
  for (int i = 0; i < p; i++) {
    for (int k = 0; k < n; k++)
      for (int j = 0; j < m; j++) x->D[i * m + j] += a * x->C[i * n + k] * x->B[k * m + j];
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) C[i * n + j] += x->C[i * n + k] * X[k * columns + n + m + j];
  }
  memcpy(x->C, C, (size_t)n * (size_t)p * sizeof(double));
  return true;
}

bool sn_discretize(sn_arena *arena, sn_linear_control *x, sn_discretization rule, double T) {
  if (rule == SN_DISCRETE_NONE || x->states == 0) return true;
  if (rule != SN_ZERO_ORDER_HOLD)
    return make_bilinear(arena, x, rule == SN_TUSTIN ? 0.5 : rule == SN_BACKWARD_EULER ? 1 : 0, T);
  hold_inputs(arena, x, T);
  return true;
}

void sn_check_discretization(sn_reader *reader, const sn_spec *spec) {
  const bool given = sn_given(spec, "discretization");
  if (given && !sn_is_sampled(spec))
    sn_field_error(reader, spec, "discretization", "a period", "controller '%s' has a discretization but no period",
                   spec->name);
  else if (!given && sn_is_sampled(spec))
    sn_field_error(reader, spec, NULL, "one of: none, zero-order-hold, tustin, backward-euler, forward-euler",
                   "sampled controller '%s' has no discretization", spec->name);
}

/* ---- the controller ---- */

/* next x = A x + B u, y = C x + D u with the old x */
static void linear_sample(const sn_sampled *sampled, double t, const double *u, double *x, double *y) {
  const sn_linear_control *c = sampled->data;
  const int n = c->states, m = c->inputs;
  double *next = x + n; /* scratch behind the states */
  (void)t;
  for (int i = 0; i < c->outputs; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++) y[i] += c->C[i * n + j] * x[j];
    for (int j = 0; j < m; j++) y[i] += c->D[i * m + j] * u[j];
  }
  for (int i = 0; i < n; i++) {
    next[i] = 0;
    for (int j = 0; j < n; j++) next[i] += c->A[i * n + j] * x[j];
    for (int j = 0; j < m; j++) next[i] += c->B[i * m + j] * u[j];
  }
  memcpy(x, next, (size_t)n * sizeof(double));
}

/* "a1*x1 + ... + b1*u1 + ..." */
static const char *row(sn_arena *arena, const sn_linear_control *c, const double *a, const double *b) {
  const char *text = "0";
  for (int j = 0; j < c->states; j++)
    if (a[j] != 0) text = sn_format(arena, "%s + %.17g*x%d", text, a[j], j + 1);
  for (int j = 0; j < c->inputs; j++)
    if (b[j] != 0) text = sn_format(arena, "%s + %.17g*u%d", text, b[j], j + 1);
  return text;
}

static const char *output_part(sn_arena *arena, const sn_linear_control *c, int i) {
  return c->outputs == 1 ? NULL : sn_format(arena, "y%d", i + 1);
}

static void add_continuous(sn_compiler *c, const sn_spec *spec, const sn_linear_control *x,
                           const sn_expr *const *input) {
  const sn_composer composer = sn_controller_composer(c, spec);
  const int n = x->states, m = x->inputs;
  for (int i = 0; i < x->outputs; i++)
    sn_compose_value(&composer, output_part(c->arena, x, i), composer.unit,
                     row(c->arena, x, x->C + (size_t)i * (size_t)n, x->D + (size_t)i * (size_t)m));
  for (int i = 0; i < n; i++)
    sn_compose_rate(&composer, sn_format(c->arena, "x%d", i + 1), "", x->start ? x->start[i] : 0,
                    row(c->arena, x, x->A + (size_t)i * (size_t)n, x->B + (size_t)i * (size_t)m));
  for (int i = 0; i < m; i++) sn_compose_given(&composer, sn_format(c->arena, "u%d", i + 1), "", input[i]);
}

static void add_sampled(sn_compiler *c, const sn_spec *spec, const sn_linear_control *x, const sn_expr *const *input) {
  const int n = x->states, p = x->outputs;
  sn_sampled_part *part = SN_NEW(c->arena, sn_sampled_part, p + 2 * n);
  const sn_controller_spec *head = (const sn_controller_spec *)(const void *)spec;
  for (int i = 0; i < p; i++) part[i] = (sn_sampled_part){output_part(c->arena, x, i), head->unit, 0, false};
  for (int i = 0; i < n; i++)
    part[p + i] = (sn_sampled_part){sn_format(c->arena, "x%d", i + 1), "", x->start ? x->start[i] : 0, false};
  for (int i = 0; i < n; i++) part[p + n + i] = (sn_sampled_part){.hidden = true};
  sn_add_sampled(c, spec,
                 (sn_sampled){.period = head->period,
                              .delay = head->delay,
                              .inputs = x->inputs,
                              .outputs = p,
                              .states = 2 * n,
                              .f = input,
                              .sample = linear_sample,
                              .data = x},
                 part);
}

void sn_add_linear_control(sn_compiler *c, const sn_spec *spec, const sn_linear_control *given, sn_discretization rule,
                           const sn_expr *const *input) {
  sn_linear_control *x = SN_NEW(c->arena, sn_linear_control, 1);
  *x = *given;
  if (!sn_is_sampled(spec))
    add_continuous(c, spec, x, input);
  else if (sn_discretize(c->arena, x, rule, ((const sn_controller_spec *)(const void *)spec)->period))
    add_sampled(c, spec, x, input);
  else
    sn_field_error(&c->reader, spec, "discretization", "another rule or period",
                   "the discretization of controller '%s' has a singular matrix", spec->name);
}
