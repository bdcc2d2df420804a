/* linearize.c - the equations of motion about a state, in independent coordinates.
 *
 * Small changes of a motion q(t), v, a, l satisfy
 *
 *     M da + D dv + K dq + G'dl = B u,    K = d(M a - Q + G'l)/dq,  D = -dQ/dv
 *     G dq = 0,   (G v + Phi_t)_q dq + G dv = 0,   (G a - gamma)_q dq + (G a - gamma)_v dv + G da = 0
 *
 * With changes eta of vectors and rotations (tangent.h), dq = T eta, the null space of G T has a basis N in which some
 * of the eta themselves are the free parameters y: a pivoted QR factorization chooses them. Then eta = N y, eta' = N w +
 * P y, and
 *
 *     y' = w,    w' = the chosen entries of eta'' = A21 y + A22 w
 *
 * column by column from [M G'; G 0] [da; dl] = [-K dq - D dv; ...]. B and D have the inputs of the model; a differential
 * variable is one state. Derivatives of the constraints' rates, and those of
 * outputs, are differences of fourth order along each column. At an equilibrium or in steady motion A is constant;
 * otherwise it holds at this instant.
 */
#include "analysis/linearize.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "analysis/dense.h"
#include "analysis/formulation.h"
#include "analysis/mesh_error.h"
#include "analysis/tangent.h"
#include "analysis/trust.h"
#include "analysis/varying.h"
#include "math/vec3.h"
#include "model/formula.h"

enum { MOST_STATES = 2000 };
static const double UNSTEADY = 1e-2; /* forces of accelerations, over those of steady motion */

typedef struct linearize_spec {
  sn_analysis_spec head;
  double rotation[3];
} linearize_spec;

/* A change of the state. */
typedef struct change {
  double *dq, *dv, *da, *dl;
  int input; /* of the model, ... */
  double du; /* ... changed by this; 0: none */
} change;

typedef struct linearization {
  sn_simulation *simulation;
  sn_system *system; /* its own: unsymmetric */
  sn_arena arena;
  sn_state at, moved;
  sn_tangent *tangent;
  int free;
  int *chosen;      /* [free] entries of eta */
  int *state;       /* [states] which of (y, w) are states: all but the integrals of differential variables */
  double *N, *P;    /* [free][size] by columns */
  sn_matrix *K, *D; /* [K G'; G 0], [D G'; G 0] */
  double *eta[3];   /* [size] */
  double *x, *y;    /* [n + m] */
  change d;
  bool unsteady;  /* it moves, but not steadily, which has been said */
  double *rates;  /* [n + m], or as many as outputs have columns: a sample of a difference, a product */
  double *value;  /* [inputs] */
  double *column; /* [outputs] */
} linearization;

/* ---- differences ---- */

static double largest(int n, const double *x) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

/* to[size] = derivative of f along the change d, by f at +-h, +-2h */
static void differentiate(linearization *z, void (*f)(linearization *, const sn_state *, double *), int size,
                          const change *d, double *to) {
  const int n = z->system->n, m = z->system->m;
  const double dq = largest(n, d->dq), dv = largest(n, d->dv), dl = fmax(largest(n, d->da), largest(m, d->dl));
  const double small = 1e-3 * fmin(1, z->simulation->evidence.size);
  double *const input = z->simulation->inputs + d->input, set = *input, u = z->value[d->input];
  const double step = d->du != 0 ? 1e-2 * fmax(1, fabs(u)) : 1;
  const double h = dq > 0 ? small / dq : d->du != 0 ? step : dv > 0 ? 1 / dv : dl > 0 ? 1 / dl : 1;
  static const double at[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1};
  memset(to, 0, (size_t)size * sizeof(double));
  for (int k = 0; k < 4; k++) {
    sn_state *x = &z->moved;
    double *y = z->rates;
    for (int i = 0; i < n; i++) {
      x->q[i] = z->at.q[i] + at[k] * h * d->dq[i];
      x->v[i] = z->at.v[i] + at[k] * h * d->dv[i];
      x->a[i] = z->at.a[i] + at[k] * h * d->da[i];
    }
    for (int i = 0; i < m; i++) x->l[i] = z->at.l[i] + at[k] * h * d->dl[i];
    x->t = z->at.t;
    if (d->du != 0) *input = u + at[k] * h * d->du;
    f(z, x, y);
    for (int i = 0; i < size; i++) to[i] += weight[k] * y[i] / (12 * h);
  }
  *input = set;
}

static void all_forces(linearization *z, const sn_state *x, double *y) {
  sn_system_residual(z->system, x, 1, y);
}

static void position_level(linearization *z, const sn_state *x, double *y) {
  sn_system_position(z->system, x, y);
}

static void velocity_level(linearization *z, const sn_state *x, double *y) {
  sn_system_velocity(z->system, x, y);
}

static void acceleration_level(linearization *z, const sn_state *x, double *y) {
  sn_system_acceleration(z->system, x, y);
}

static void all_outputs(linearization *z, const sn_state *x, double *y) {
  sn_fill_outputs(z->simulation, x, y);
}

/* ---- independent coordinates ---- */

/* Columns of N from an orthonormal basis Z[free][size], so that chosen entries are the identity. */
static bool choose(linearization *z, double *Z) {
  const int size = z->tangent->size, free = z->free;
  const size_t square = (size_t)free * (size_t)free;
  double *R = sn_new((size_t)free * (size_t)size + square + (size_t)free + 1, sizeof(double)),
         *S = R + (size_t)free * (size_t)size, *tau = S + square;
  lapack_int *order = sn_new((size_t)size + 1, sizeof(lapack_int)),
             *pivot = sn_new((size_t)free + 1, sizeof(lapack_int));
  for (int i = 0; i < size; i++)
    for (int k = 0; k < free; k++) R[k + i * free] = Z[(size_t)i + (size_t)k * (size_t)size];
  int info = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, free, size, R, free, order, tau);
  for (int k = 0; !info && k < free; k++) { /* in the order of the model */
    int place = k;
    for (; place > 0 && z->chosen[place - 1] > order[k] - 1; place--) z->chosen[place] = z->chosen[place - 1];
    z->chosen[place] = order[k] - 1;
  }
  for (int j = 0; j < free; j++) /* N' = S'^-1 Z' with S = the chosen rows of Z */
    for (int k = 0; k < free; k++) S[k + j * free] = Z[(size_t)z->chosen[j] + (size_t)k * (size_t)size];
  for (int i = 0; i < size; i++)
    for (int k = 0; k < free; k++) R[k + i * free] = Z[(size_t)i + (size_t)k * (size_t)size];
  if (!info) info = LAPACKE_dgesv(LAPACK_COL_MAJOR, free, size, S, free, pivot, R, free);
  for (int i = 0; i < size; i++)
    for (int k = 0; k < free; k++) z->N[(size_t)i + (size_t)k * (size_t)size] = R[k + i * free];
  sn_free(R);
  sn_free(order);
  sn_free(pivot);
  return info == 0;
}

/* The null space of G T. */
static sn_status find_freedom(linearization *z) {
  sn_system *sys = z->system;
  const int n = sys->n, m = sys->m, size = z->tangent->size;
  double *G = sn_new((size_t)n * (size_t)m + 1, sizeof(double)), *GT, *Z = NULL;
  sn_dense_gradients(z->K, n, m, G);
  GT = sn_new((size_t)size * (size_t)m + 1, sizeof(double));
  for (int k = 0; k < m; k++)
    sn_tangent_pull(z->tangent, z->at.q, G + (size_t)k * (size_t)n, GT + (size_t)k * (size_t)size);
  z->free = sn_dense_complement(size, m, GT, &Z);
  sn_free(G);
  sn_free(GT);
  sn_status status = SN_OK;
  if (z->free < 0 || 2 * z->free > MOST_STATES) {
    status = sn_fail(sys->context, SN_NUMERICS,
                     z->free < 0 ? "linearize: the constraints could not be eliminated (%d)"
                                 : "linearize: %d degrees of freedom are too many for full matrices (at most 1000)\n  "
                                   "possible remedy: fewer elements, or floating bodies with few modes",
                     z->free);
  } else {
    z->N = SN_NEW(&z->arena, double, (size_t)size *(size_t)(z->free + 1));
    z->P = SN_NEW(&z->arena, double, (size_t)size *(size_t)(z->free + 1));
    z->chosen = SN_NEW(&z->arena, int, z->free + 1);
    if (z->free > 0 && !choose(z, Z))
      status = sn_fail(sys->context, SN_NUMERICS, "linearize: no independent coordinates");
  }
  sn_free(Z);
  return status;
}

/* The change with eta and eta'; eta'' is zero. */
static void lift(linearization *z) {
  memset(z->eta[2], 0, (size_t)z->tangent->size * sizeof(double));
  double *const d[3] = {z->d.dq, z->d.dv, z->d.da};
  sn_tangent_lift(z->tangent, &z->at, (const double *const[]){z->eta[0], z->eta[1], z->eta[2]}, d);
}

/* P: with eta = N y and the chosen rates zero, the others follow from the constraints' rates. [M G'; G 0] is factorized. */
static void find_rates(linearization *z) {
  const int n = z->system->n, m = z->system->m, size = z->tangent->size;
  for (int k = 0; k < z->free; k++) {
    double *P = z->P + (size_t)k * (size_t)size;
    memcpy(z->eta[0], z->N + (size_t)k * (size_t)size, (size_t)size * sizeof(double));
    memset(z->eta[1], 0, (size_t)size * sizeof(double));
    lift(z);
    memset(z->d.da, 0, (size_t)n * sizeof(double));
    memset(z->d.dl, 0, (size_t)m * sizeof(double));
    memset(z->x, 0, (size_t)n * sizeof(double));
    differentiate(z, velocity_level, m, &z->d, z->x + n);
    if (largest(m, z->x + n) == 0) continue;
    for (int i = 0; i < m; i++) z->x[n + i] = -z->x[n + i];
    sn_system_solve_refined(z->system, z->x);
    const sn_state rest = {.q = z->at.q, .v = z->system->zero, .a = z->system->zero};
    memset(z->eta[0], 0, (size_t)size * sizeof(double));
    sn_tangent_lower(z->tangent, &rest, z->x, z->eta[0], z->eta[0], P);
    for (int j = 0; j < z->free; j++) { /* of those that are chosen, none */
      const double off = P[z->chosen[j]], *N = z->N + (size_t)j * (size_t)size;
      for (int i = 0; i < size; i++) P[i] -= off * N[i];
    }
  }
}

/* ---- the matrices ---- */

/* The change of the whole state for one state x_k = 1: dq, dv, da, dl; eta'' is in z->eta[2]. */
static void respond(linearization *z, int k) {
  const int n = z->system->n, m = z->system->m, size = z->tangent->size, j = k % z->free;
  const double *N = z->N + (size_t)j * (size_t)size, *P = z->P + (size_t)j * (size_t)size;
  for (int i = 0; i < size; i++) {
    z->eta[0][i] = k < z->free ? N[i] : 0;
    z->eta[1][i] = k < z->free ? P[i] : N[i];
  }
  lift(z);
  memset(z->d.da, 0, (size_t)n * sizeof(double));
  memset(z->d.dl, 0, (size_t)m * sizeof(double));
  differentiate(z, acceleration_level, m, &z->d, z->x + n);
  for (int i = 0; i < m; i++) z->x[n + i] = -z->x[n + i];
  memset(z->x, 0, (size_t)n * sizeof(double));
  for (int b = 0; b < 2; b++) {
    memcpy(z->y, b ? z->d.dv : z->d.dq, (size_t)n * sizeof(double));
    memset(z->y + n, 0, (size_t)m * sizeof(double));
    sn_matrix_multiply(b ? z->D : z->K, z->y, z->rates);
    for (int i = 0; i < n; i++) z->x[i] -= z->rates[i];
  }
  sn_system_solve_refined(z->system, z->x);
  memcpy(z->d.da, z->x, (size_t)n * sizeof(double));
  memcpy(z->d.dl, z->x + n, (size_t)m * sizeof(double));
  sn_tangent_lower(z->tangent, &z->at, z->d.da, z->eta[0], z->eta[1], z->eta[2]);
}

/* The same for one input u = 1: at q and v, only accelerations and reactions change. */
static sn_status respond_to_input(linearization *z, int input) {
  const int n = z->system->n, m = z->system->m, size = z->tangent->size;
  double *const zero[] = {z->d.dq, z->d.dv, z->d.da};
  for (int k = 0; k < 3; k++) memset(zero[k], 0, (size_t)n * sizeof(double));
  for (int k = 0; k < 2; k++) memset(z->eta[k], 0, (size_t)size * sizeof(double));
  memset(z->d.dl, 0, (size_t)m * sizeof(double));
  z->d.input = input;
  z->d.du = 1;
  differentiate(z, position_level, m, &z->d, z->y);
  double off = largest(m, z->y);
  differentiate(z, velocity_level, m, &z->d, z->y);
  if (fmax(off, largest(m, z->y)) > 1e-9)
    return sn_fail(z->system->context, SN_USAGE,
                   "linearize: input '%s' moves a joint: states would depend on its derivatives\n  possible remedy: an "
                   "input that is a force or a moment",
                   z->simulation->model->input[input].name);
  differentiate(z, all_forces, n, &z->d, z->x);
  differentiate(z, acceleration_level, m, &z->d, z->x + n);
  for (int i = 0; i < n + m; i++) z->x[i] = -z->x[i];
  sn_system_solve_refined(z->system, z->x);
  memcpy(z->d.da, z->x, (size_t)n * sizeof(double));
  memcpy(z->d.dl, z->x + n, (size_t)m * sizeof(double));
  sn_tangent_lower(z->tangent, &z->at, z->d.da, z->eta[0], z->eta[1], z->eta[2]);
  return SN_OK;
}

/* w' of a response into a column of A or B, outputs into that of C or D; matrices have `width` columns. */
static void fill_column(linearization *z, const sn_linear *L, int k, int width, double *rates, double *outputs) {
  double *column = z->column;
  for (int i = 0; i < L->states; i++)
    if (z->state[i] >= z->free) rates[i * width + k] = z->eta[2][z->chosen[z->state[i] - z->free]];
  differentiate(z, all_outputs, L->outputs, &z->d, column);
  for (int i = 0; i < L->outputs; i++) outputs[i * width + k] = column[i];
}

static sn_status fill_matrices(linearization *z, sn_linear *L) {
  const int s = L->states;
  for (int k = 0; k < s; k++) {
    respond(z, z->state[k]);
    fill_column(z, L, k, s, L->A, L->C);
    for (int i = 0; i < s; i++) /* y' = w */
      if (z->state[i] < z->free && z->state[k] == z->state[i] + z->free) L->A[i * s + k] = 1;
  }
  for (int k = 0; k < L->inputs; k++) {
    sn_status status = respond_to_input(z, k);
    if (status) return status;
    fill_column(z, L, k, L->inputs, L->B, L->D);
  }
  z->d.du = 0;
  return SN_OK;
}

static void name_all(linearization *z, sn_linear *L) {
  sn_simulation *s = z->simulation;
  int at = 0;
  L->state_name = SN_NEW(&s->arena, const char *, L->states + 1);
  L->input_name = SN_NEW(&s->arena, const char *, L->inputs + 1);
  L->output_name = SN_NEW(&s->arena, const char *, L->outputs + 1);
  for (int i = 0; i < L->states; i++) {
    const int k = z->state[i], chosen = z->chosen[k % z->free];
    const bool plain = k < z->free || z->tangent->variable[chosen];
    L->state_name[i] = sn_format(&s->arena, "%s%s", plain ? "" : "rate of ", z->tangent->name[chosen]);
  }
  for (int i = 0; i < L->inputs; i++) L->input_name[i] = s->model->input[i].name;
  for (int i = 0; i < s->model->outputs; i++)
    for (int k = 0; k < s->model->output[i].columns; k++)
      L->output_name[at++] = sn_format(&s->arena, "%s.%s", s->model->output[i].name, s->model->output[i].column[k]);
}

static sn_linear *make_linear(linearization *z) {
  sn_simulation *s = z->simulation;
  sn_linear *L = SN_NEW(&s->arena, sn_linear, 1);
  *L = (sn_linear){.stage = s->stage, .inputs = s->model->inputs, .outputs = s->output_columns};
  z->state = SN_NEW(&z->arena, int, 2 * z->free + 1);
  for (int k = 0; k < 2 * z->free; k++)
    if (k >= z->free || !z->tangent->variable[z->chosen[k]]) z->state[L->states++] = k;
  L->A = SN_NEW(&s->arena, double, (size_t)L->states *(size_t)L->states + 1);
  L->C = SN_NEW(&s->arena, double, (size_t)L->outputs *(size_t)L->states + 1);
  L->B = SN_NEW(&s->arena, double, (size_t)L->states *(size_t)L->inputs + 1);
  L->D = SN_NEW(&s->arena, double, (size_t)L->outputs *(size_t)L->inputs + 1);
  L->re = SN_NEW(&s->arena, double, L->states + 1);
  L->im = SN_NEW(&s->arena, double, L->states + 1);
  name_all(z, L);
  return L;
}

/* ---- the analysis ---- */

static sn_status prepare(linearization *z) {
  sn_simulation *s = z->simulation;
  sn_status status = sn_system_create(s->model, 1, "klu", &z->system);
  if (status) return status;
  sn_system *sys = z->system;
  const linearize_spec *spec = (const linearize_spec *)(const void *)s->stage_spec[s->stage];
  const size_t both = (size_t)sys->n + (size_t)sys->m,
               rows = both > (size_t)s->output_columns ? both : (size_t)s->output_columns;
  sn_system_share(sys, s->system);
  sn_system_set_inputs(sys, s->inputs);
  sn_system_set_host(sys, s->host);
  sn_system_set_discrete(sys, s->discrete);
  z->value = SN_NEW(&z->arena, double, s->model->inputs + 1);
  const sn_eval ev = sn_eval_at(s, &s->state);
  for (int i = 0; i < s->model->inputs; i++) {
    const sn_input *x = &s->model->input[i];
    const sn_quantity u = {.type = SN_QUANTITY_INPUT, .formula = x->standard, .index = i, .call = x->call};
    z->value[i] = sn_quantity_value(&u, &ev);
  }
  z->column = SN_NEW(&z->arena, double, s->output_columns + 1);
  sn_system_copy_regularization(sys, s->system);
  sn_state_create(sys, &z->at);
  sn_state_create(sys, &z->moved);
  sn_state_copy(sys, &z->at, &s->state);
  z->tangent = sn_tangent_create(s->model, &z->arena, spec->rotation);
  for (int k = 0; k < 3; k++) z->eta[k] = SN_NEW(&z->arena, double, z->tangent->size + 1);
  z->x = SN_NEW(&z->arena, double, both + 1);
  z->y = SN_NEW(&z->arena, double, both + 1);
  z->rates = SN_NEW(&z->arena, double, rows + 1);
  z->d = (change){.dq = SN_NEW(&z->arena, double, sys->n + 1),
                  .dv = SN_NEW(&z->arena, double, sys->n + 1),
                  .da = SN_NEW(&z->arena, double, sys->n + 1),
                  .dl = SN_NEW(&z->arena, double, sys->m + 1)};
  if (!sn_system_prepare(sys, &z->at)) return SN_NUMERICS;
  status = sn_solve_accelerations(sys, &z->at);
  if (status) return status;
  z->K = sn_matrix_like(sn_system_matrix(sys), &sys->arena);
  z->D = sn_matrix_like(sn_system_matrix(sys), &sys->arena);
  sn_system_assemble(sys, &z->at, 1, 0, 0, 1);
  memcpy(z->K->value, sn_system_matrix(sys)->value, z->K->values * sizeof(double));
  sn_system_assemble(sys, &z->at, 1, 0, 1, 0);
  memcpy(z->D->value, sn_system_matrix(sys)->value, z->D->values * sizeof(double));
  return SN_OK;
}

/* It moves, but not as a rigid whole with the angular velocity of the axes: forces M (a - W x v) change what was linearized.
 * Without W any motion may have been meant. */
static void note_unsteady(linearization *z) {
  const int n = z->system->n;
  const double *const eta[3] = {z->eta[0], z->eta[1], z->eta[2]};
  double *work = SN_NEW(&z->arena, double, 3 * z->tangent->size + 1), *M = z->rates;
  const bool turns = largest(3, z->tangent->rate) > 0;
  memset(z->eta[0], 0, (size_t)z->tangent->size * sizeof(double));
  memset(z->eta[1], 0, (size_t)z->tangent->size * sizeof(double));
  /* Of all accelerations, without the p'' = -W^2/4 p of Euler parameters that turn steadily. */
  sn_tangent_lower(z->tangent, &z->at, z->at.a, z->eta[0], z->eta[1], z->eta[2]);
  sn_tangent_lift(z->tangent, &z->at, eta, (double *const[]){z->d.dq, z->d.dv, z->d.da});
  sn_system_mass_times(z->system, &z->at, z->d.da, M);
  double all = largest(n, M);
  sn_tangent_unsteady(z->tangent, &z->at, work, z->eta[2]);
  sn_tangent_lift(z->tangent, &z->at, eta, (double *const[]){z->d.dq, z->d.dv, z->d.da});
  sn_system_mass_times(z->system, &z->at, z->d.da, M);
  const double moved = largest(n, M), speed = sn_norm(z->tangent->rate) * z->simulation->evidence.size;
  const bool apart = turns && sn_tangent_apart(z->tangent, &z->at) > UNSTEADY * speed;
  all = fmax(all, moved);
  z->unsteady = apart || (moved > UNSTEADY * all && moved > sn_rounding_of_forces(z->K, n, z->at.q));
  if (!z->unsteady) return;
  if (turns)
    sn_add_doubt(
        z->simulation, SN_DOUBTFUL,
        "linearize: the motion is not a steady rotation with 'rotation': parts move or accelerate relative to these "
        "axes, and the eigenvalues hold for an instant; a stage before it lets the model find its steady state, "
        "stretched by its rotation");
  else
    sn_add_doubt(
        z->simulation, SN_DOUBTFUL,
        "linearize: the model accelerates: matrices and eigenvalues hold for this instant; of a structure that "
        "rotates steadily, 'rotation' measures along axes that rotate with it");
}

/* The smallest eigenvalue; those that are rounding do not count. */
static double lowest_of(const sn_linear *L) {
  double lowest = 0;
  for (int i = L->states - 1; i >= 0; i--)
    if (hypot(L->re[i], L->im[i]) > 1e-6 * hypot(L->re[L->states - 1], L->im[L->states - 1]))
      lowest = hypot(L->re[i], L->im[i]);
  return lowest;
}

static void note_imbalance(linearization *z) {
  const bool rests = !(largest(z->system->n, z->at.v) > 0);
  if (rests && largest(3, z->tangent->rate) > 0)
    sn_add_doubt(z->simulation, SN_DOUBTFUL,
                 "linearize: 'rotation' is given, but the model is at rest: gyroscopic and centrifugal effects are "
                 "missing; possible remedy: a stage of dynamics before it that brings the model to its speed");
  if (largest(z->system->n, z->at.v) > 0)
    note_unsteady(z);
  else
    sn_doubt_equilibrium(z->simulation, z->system, &z->at, z->K, z->rates, "linearize: the state is at rest but");
}

static void lift_states(void *user, const double *x, double *dq) {
  linearization *z = user;
  const int size = z->tangent->size;
  memset(z->eta[0], 0, (size_t)size * sizeof(double));
  memset(z->eta[1], 0, (size_t)size * sizeof(double));
  for (int k = 0; z->state[k] < z->free; k++) /* w follow */
    for (int i = 0; i < size; i++) z->eta[0][i] += x[k] * z->N[(size_t)i + (size_t)z->state[k] * (size_t)size];
  lift(z);
  memcpy(dq, z->d.dq, (size_t)z->system->n * sizeof(double));
}

static sn_status linearize(linearization *z) {
  sn_simulation *s = z->simulation;
  sn_status status = prepare(z);
  if (!status) status = find_freedom(z);
  if (status) return status;
  if (!sn_system_factor_mass(z->system, &z->at)) return SN_NUMERICS;
  note_imbalance(z);
  find_rates(z);
  sn_linear *L = make_linear(z);
  status = fill_matrices(z, L);
  if (status) return status;
  sn_modes *modes = SN_NEW(&s->arena, sn_modes, 1);
  status = sn_linear_eigen(s, L, modes, lift_states, z);
  if (status) return status;
  if (!z->unsteady) sn_doubt_varying(s, z->system, &z->at, z->tangent, lowest_of(L));
  L->next = s->linear;
  s->linear = L;
  sn_doubt_damped_mesh(s, &z->at, z->system, modes);
  sn_doubt_damped_formulation(s, &z->at, z->system, modes);
  sn_modes_keep(s, modes, "damped");
  return SN_OK;
}

static sn_status linearize_begin(sn_simulation *s, const sn_spec *spec) {
  (void)s, (void)spec;
  return SN_OK;
}

static sn_status linearize_step(sn_simulation *s) {
  linearization z = {.simulation = s};
  sn_status status = linearize(&z);
  sn_system_free(z.system);
  sn_arena_free(&z.arena);
  s->finished = !status;
  return status;
}

static const sn_field linearize_fields[] = {
    {"rotation", SN_VECTOR, SN_AT(linearize_spec, rotation), .unit = "rad/s", .def = "[0, 0, 0]",
     .help = "angular velocity of the axes along which changes of positions and rotations are measured: that of a "
             "structure that rotates as a whole; zero for rotors whose shafts and bearings do not rotate"},
    {0},
};

const sn_analysis_ops sn_linearize = {
    .kind = {.name = "linearize",
             .category = SN_ANALYSES,
             .summary = "state-space matrices A, B, C, D about the start or the end of the previous stage, in "
                        "independent coordinates, with the eigenvalues of A: damped frequencies, damping ratios, "
                        "complex mode shapes",
             .fields = linearize_fields,
             .spec_size = sizeof(linearize_spec)},
    .quasi_static = true,
    .begin = linearize_begin,
    .step = linearize_step,
};
