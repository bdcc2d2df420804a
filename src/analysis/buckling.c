/* buckling.c - load factors at which a structure buckles, by linearized prebuckling.
 *
 * From a state in equilibrium, at the load factor s0, the linear response to the loads is
 *
 *     [K G'; G 0] [dq; dl] = [dQ/ds; 0]
 *
 * and the stiffness along it K + f S, S = dK/ds: what the forces do that the loads cause (geometric stiffness), by a
 * central difference along (dq, dl, 1), which is exact where K is a quadratic polynomial. The structure buckles at s0 +
 * f with a shape u:
 *
 *     (K + f S) u = 0  on  G u = 0,      f > 0,  lowest first
 *
 * This holds as long as the structure keeps its shape up to there. The stiffness at q0 + f dq, which is not linear in f,
 * is the judge of that: u'K u must be gone there.
 */
#include <math.h>
#include <string.h>

#include "analysis/mesh_error.h"
#include "analysis/modes.h"

typedef struct buckling_spec {
  sn_analysis_spec head;
  int count, method; /* 0 auto, 1 dense, 2 lanczos */
} buckling_spec;

typedef struct buckling {
  sn_simulation *simulation;
  double s0;
  sn_state rest;      /* in equilibrium at s0 */
  sn_state moved;     /* along the linear response */
  double shift;       /* of M in K, where something is free to move and no load acts there */
  double *z;          /* [n + m] linear response to the loads */
  double *force;      /* [n + m] dQ/ds */
  sn_matrix *general; /* S with its unsymmetric part */
} buckling;

/* The state with the load factor s0 + f. */
static sn_state *along(buckling *b, double f) {
  sn_system *sys = b->simulation->system;
  for (int i = 0; i < sys->n; i++) b->moved.q[i] = b->rest.q[i] + f * b->z[i];
  for (int i = 0; i < sys->m; i++) b->moved.l[i] = b->rest.l[i] + f * b->z[sys->n + i];
  b->moved.t = b->rest.t;
  sn_system_set_load(sys, b->s0 + f);
  return &b->moved;
}

static double largest(int n, const double *x) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

/* The state at rest with its reactions; what no reaction holds makes the outcome doubtful. */
static sn_status find_rest(buckling *b) {
  sn_simulation *s = b->simulation;
  sn_system *sys = s->system;
  sn_state_create(sys, &b->rest);
  sn_state_create(sys, &b->moved);
  sn_state_copy(sys, &b->rest, &s->state);
  memset(b->rest.v, 0, (size_t)sys->n * sizeof(double));
  sn_system_hold(sys, s->state.v);
  double *r = b->force;
  sn_system_set_load(sys, 1);
  sn_system_residual(sys, &b->rest, 0, r);
  sn_system_set_load(sys, 0);
  sn_system_residual(sys, &b->rest, 0, b->z);
  for (int i = 0; i < sys->n; i++) r[i] -= b->z[i];
  memset(r + sys->n, 0, (size_t)sys->m * sizeof(double));
  if (!(largest(sys->n, r) > 0))
    return sn_fail(s->context, SN_NUMERICS, "buckling needs loads: gravity, or prescribed forces or moments");
  sn_system_set_load(sys, b->s0);
  sn_status status = sn_solve_accelerations(sys, &b->rest);
  if (status) return status;
  sn_system_mass_times(sys, &b->rest, b->rest.a, b->z);
  if (largest(sys->n, b->z) > 1e-5 * largest(sys->n, r))
    sn_add_doubt(s, SN_DOUBTFUL,
                 "buckling: the state it begins with is not in equilibrium; a stage 'statics' before it finds the "
                 "equilibrium");
  if (s->model->small_coordinates)
    sn_add_doubt(s, SN_DOUBTFUL,
                 "buckling: deformations of floating bodies are small, and axial forces do not change their stiffness: "
                 "they do not buckle; cables and beams do");
  memset(b->rest.a, 0, (size_t)sys->n * sizeof(double));
  return SN_OK;
}

static sn_status find_response(buckling *b) {
  sn_simulation *s = b->simulation;
  sn_system *sys = s->system;
  int free = 0;
  sn_status status = sn_check_supports(s, &b->rest, &free);
  if (status) return status;
  if (free > 0) b->shift = 0.1 * s->pencil->zero;
  sn_system_set_load(sys, b->s0);
  if (!sn_system_factor(sys, &b->rest, 0, b->shift, 0, 1)) return SN_NUMERICS;
  for (int i = 0; i < sys->n + sys->m; i++) b->z[i] = -b->force[i];
  sn_system_solve_refined(sys, b->z);
  return SN_OK;
}

/* S into the pencil's `stress`, the pencil about the state at rest; NULL after a failure. */
static sn_pencil *find_stress(buckling *b) {
  const double small = 1e-4;
  sn_simulation *s = b->simulation;
  sn_pencil *p = NULL;
  const double most = largest(s->system->n, b->z), step = most > 0 ? small * fmin(1, s->evidence.size) / most : 1;
  for (int side = 1; side >= -1; side -= 2) {
    sn_state *x = along(b, side * step);
    p = sn_pencil_at(s, x);
    if (!p) return NULL;
    sn_system_assemble(s->system, x, 0, 0, 0, 1);
    const sn_matrix *K = sn_system_matrix(s->system);
    if (side > 0) p->stress = sn_matrix_like(p->stiff, &p->system->arena);
    if (side > 0) b->general = sn_matrix_like(K, &s->system->arena);
    if (p->stress->values != p->stiff->values || b->general->values != K->values) return NULL; /* contacts came */
    for (size_t i = 0; i < p->stress->values; i++) p->stress->value[i] += side * p->stiff->value[i] / (2 * step);
    for (size_t i = 0; i < K->values; i++) b->general->value[i] += side * K->value[i] / (2 * step);
  }
  if (!sn_matrix_is_symmetric(b->general))
    sn_add_doubt(
        s, SN_DOUBTFUL,
        "buckling: the loads are not conservative (followers, moments fixed in space), and load factors are those of "
        "the symmetric part of the stiffness, at which there need not be a second equilibrium: such a structure "
        "may not buckle, and become unstable by growing vibrations at another load; 'linearize' at several "
        "loads, or dynamics, shows it");
  along(b, 0);
  p = sn_pencil_at(s, &b->rest);
  if (p) p->shift = b->shift;
  for (size_t i = 0; p && i < p->stiff->values; i++) p->stiff->value[i] += b->shift * p->mass->value[i];
  return p;
}

/* u'K u of the first shape, at the load factor s0 + f. */
static double stiffness_along(buckling *b, double f, const double *u) {
  sn_simulation *s = b->simulation;
  const size_t n = (size_t)s->system->n, size = n + (size_t)s->system->m;
  sn_pencil *p = sn_pencil_at(s, along(b, f));
  double sum = 0;
  if (!p) return NAN;
  memcpy(p->work, u, n * sizeof(double));
  memset(p->work + n, 0, (size - n) * sizeof(double));
  sn_matrix_multiply(p->stiff, p->work, p->work + size);
  for (size_t i = 0; i < n; i++) sum += u[i] * p->work[size + i];
  return sum;
}

/* Has K along the response, which is not linear, lost the stiffness of the shape at f? Of what is left there, a tenth is a
 * load factor that is off by some percent, and as much as at the start one that may be several times too low. */
static void check_linearity(buckling *b, double f, const double *u) {
  const double margin = 0.05, start = stiffness_along(b, 0, u), end = stiffness_along(b, f, u);
  const double left = fabs(end) / fabs(start);
  if (left <= margin) return;
  sn_add_doubt(b->simulation, SN_DOUBTFUL,
               sn_format(&b->simulation->arena,
                         "buckling: the structure changes its shape before it buckles, and the lowest load factor may "
                         "be off by %s: at this load its shape has %.2g of the stiffness at the start, and should have "
                         "none; the analysis 'path' follows the change of shape",
                         left > 0.5 ? "a factor" : "more than 5 %", left));
}

static void check_mesh(buckling *b, const sn_modes *modes) {
  sn_simulation *s = b->simulation;
  double *energy = SN_NEW(&s->arena, double, modes->count + 1);
  for (int k = 0; k < modes->count; k++)
    energy[k] = stiffness_along(b, 0, modes->shape + (size_t)k * (size_t)s->system->n) / 2;
  sn_doubt_buckling_mesh(s, &b->rest, b->z, b->s0, modes, energy);
}

static void describe(buckling *b, sn_modes *modes) {
  sn_simulation *s = b->simulation;
  const int wanted = ((const buckling_spec *)(const void *)s->stage_spec[s->stage])->count;
  if (modes->count > 0) check_linearity(b, modes->factor[0], modes->shape);
  for (int k = 0; k < modes->count; k++) modes->factor[k] += b->s0;
  check_mesh(b, modes);
  if (modes->count == 0)
    sn_add_note(s,
                modes->reversed < 0
                    ? sn_format(&s->arena,
                                "buckling: the structure does not buckle under these loads; reversed, they buckle it "
                                "at a load factor of %.6g",
                                b->s0 + modes->reversed)
                    : "buckling: the structure does not buckle under these loads");
  else if (modes->count < wanted)
    sn_add_note(s, sn_format(&s->arena, "buckling: there are only %d positive load factors", modes->count));
}

static sn_status buckling_begin(sn_simulation *s, const sn_spec *spec) {
  (void)spec;
  s->load = s->stage == 0 ? 0 : 1;
  return SN_OK;
}

static sn_status buckling_step(sn_simulation *s) {
  const buckling_spec *spec = (const buckling_spec *)(const void *)s->stage_spec[s->stage];
  sn_system *sys = s->system;
  buckling b = {.simulation = s, .s0 = s->stage == 0 ? 0 : 1};
  b.z = SN_NEW(&sys->arena, double, sys->n + sys->m);
  b.force = SN_NEW(&sys->arena, double, sys->n + sys->m);
  sn_status status = sn_system_use_solver(sys, "klu");
  if (!status) status = find_rest(&b);
  if (!status) status = find_response(&b);
  if (status) return status;
  sn_pencil *p = find_stress(&b);
  if (!p) return sn_fail(s->context, SN_NUMERICS, "buckling: the stiffness under load could not be computed");
  if (sn_pencil_below(p, -p->zero) != 0)
    return sn_fail(
        s->context, SN_NUMERICS,
        "buckling: the state it begins with is unstable already\n  possible remedy: a stage 'statics' before "
        "it, or smaller loads there");
  sn_modes *modes = SN_NEW(&s->arena, sn_modes, 1);
  bool dense = spec->method == 1 || (spec->method == 0 && s->model->n <= SN_DENSE_UP_TO);
  status = (dense ? sn_buckling_dense : sn_buckling_lanczos)(p, &s->arena, spec->count, modes);
  if (status) return status;
  sn_modes_fix_signs(modes, sys->n);
  describe(&b, modes);
  sn_modes_keep(s, modes, "buckling");
  sn_system_set_load(sys, 1);
  sn_clear_message(s->context);
  s->finished = true;
  return SN_OK;
}

static const sn_field buckling_fields[] = {
    {"count", SN_INT, SN_AT(buckling_spec, count), .def = "4", .limits = SN_AT_LEAST(1),
     .help = "number of load factors, the lowest positive ones"},
    {"method", SN_CHOICE, SN_AT(buckling_spec, method), .def = "auto", .choices = "auto|dense|lanczos",
     .help = "dense: LAPACK; lanczos: ARPACK; auto: dense up to 400 coordinates"},
    {0},
};

const sn_analysis_ops sn_buckling = {
    .kind = {.name = "buckling",
             .category = SN_ANALYSES,
             .summary =
                 "load factors at which the structure buckles, and the shapes, by linearized prebuckling: gravity "
                 "and all prescribed forces and moments are multiplied by the factor; in a later stage they "
                 "act completely, and the stiffness is linearized there",
             .fields = buckling_fields,
             .spec_size = sizeof(buckling_spec)},
    .quasi_static = true,
    .begin = buckling_begin,
    .step = buckling_step,
};
