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
 * This holds as long as the structure keeps its shape up to there; where it does not, the same about an equilibrium
 * nearer to it (buckling_follow.c).
 */
#include "analysis/buckling.h"

#include <math.h>
#include <string.h>

#include "analysis/formulation.h"
#include "analysis/mesh_error.h"

typedef struct buckling_spec {
  sn_analysis_spec head;
  int count, method; /* 0 auto, 1 dense, 2 lanczos */
} buckling_spec;

typedef sn_buckling_work buckling;

static double largest(int n, const double *x) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

/* dQ/ds at the state at rest. */
static void find_force(buckling *b) {
  sn_system *sys = b->simulation->system;
  double *r = b->force;
  sn_system_set_load(sys, 1);
  sn_system_residual(sys, &b->rest, 0, r);
  sn_system_set_load(sys, 0);
  sn_system_residual(sys, &b->rest, 0, b->z);
  for (int i = 0; i < sys->n; i++) r[i] -= b->z[i];
  memset(r + sys->n, 0, (size_t)sys->m * sizeof(double));
  sn_system_set_load(sys, b->s0);
}

/* The state at rest with its reactions; what no reaction holds makes the outcome doubtful. */
static sn_status find_rest(buckling *b) {
  sn_simulation *s = b->simulation;
  sn_system *sys = s->system;
  sn_state_create(sys, &b->rest);
  sn_state_create(sys, &b->before);
  sn_state_create(sys, &b->moved);
  sn_state_copy(sys, &b->rest, &s->state);
  memset(b->rest.v, 0, (size_t)sys->n * sizeof(double));
  sn_system_hold(sys, s->state.v);
  find_force(b);
  if (!(largest(sys->n, b->force) > 0))
    return sn_fail(s->context, SN_NUMERICS, "buckling needs loads: gravity, or prescribed forces or moments");
  sn_status status = sn_solve_accelerations(sys, &b->rest);
  if (status) return status;
  sn_system_mass_times(sys, &b->rest, b->rest.a, b->z);
  b->follows = largest(sys->n, b->z) <= 1e-5 * largest(sys->n, b->force);
  if (!b->follows)
    sn_add_doubt(s, SN_DOUBTFUL,
                 "buckling: the state it begins with is not in equilibrium; a stage 'statics' before it finds the "
                 "equilibrium");
  if (s->model->small_coordinates)
    sn_add_doubt(s, SN_DOUBTFUL,
                 "buckling: deformations of floating bodies are small, and axial forces do not change their stiffness: "
                 "they do not buckle; cables and beams do");
  memset(b->rest.a, 0, (size_t)sys->n * sizeof(double));
  int free = 0;
  status = sn_check_supports(s, &b->rest, &free);
  if (free > 0) b->shift = 0.1 * s->pencil->zero;
  return status;
}

static sn_status find_response(buckling *b) {
  sn_system *sys = b->simulation->system;
  find_force(b);
  if (!sn_system_factor(sys, &b->rest, 0, b->shift, 0, 1)) return SN_NUMERICS;
  for (int i = 0; i < sys->n + sys->m; i++) b->z[i] = -b->force[i];
  sn_system_solve_refined(sys, b->z);
  return SN_OK;
}

static void clear_stress(buckling *b, sn_pencil *p, const sn_matrix *K) {
  if (!p->stress || p->stress->values != p->stiff->values) p->stress = sn_matrix_like(p->stiff, &p->system->arena);
  if (!b->general || b->general->values != K->values) b->general = sn_matrix_like(K, &b->simulation->system->arena);
  memset(p->stress->value, 0, p->stress->values * sizeof(double));
  memset(b->general->value, 0, K->values * sizeof(double));
}

/* S into the pencil's `stress`, the pencil about the state at rest; NULL after a failure. */
static sn_pencil *find_stress(buckling *b) {
  const double small = 1e-4;
  sn_simulation *s = b->simulation;
  sn_pencil *p = NULL;
  const double most = largest(s->system->n, b->z), step = most > 0 ? small * fmin(1, s->evidence.size) / most : 1;
  for (int side = 1; side >= -1; side -= 2) {
    sn_state *x = sn_buckling_along(b, side * step);
    p = sn_pencil_at(s, x);
    if (!p) return NULL;
    sn_system_assemble(s->system, x, 0, 0, 0, 1);
    const sn_matrix *K = sn_system_matrix(s->system);
    if (side > 0) clear_stress(b, p, K);
    if (p->stress->values != p->stiff->values || b->general->values != K->values) return NULL; /* contacts came */
    for (size_t i = 0; i < p->stress->values; i++) p->stress->value[i] += side * p->stiff->value[i] / (2 * step);
    for (size_t i = 0; i < K->values; i++) b->general->value[i] += side * K->value[i] / (2 * step);
  }
  if (!sn_matrix_is_symmetric(b->general)) b->follows = false;
  if (!sn_matrix_is_symmetric(b->general))
    sn_add_doubt(
        s, SN_DOUBTFUL,
        "buckling: the loads are not conservative (followers, moments fixed in space), and load factors are those of "
        "the symmetric part of the stiffness, at which there need not be a second equilibrium: such a structure "
        "may not buckle, and become unstable by growing vibrations at another load; 'linearize' at several "
        "loads, or dynamics, shows it");
  sn_buckling_along(b, 0);
  p = sn_pencil_at(s, &b->rest);
  if (p) p->shift = b->shift;
  for (size_t i = 0; p && i < p->stiff->values; i++) p->stiff->value[i] += b->shift * p->mass->value[i];
  return p;
}

/* Of what is left of the stiffness of the shape, a tenth is a load factor that is off by some percent, and as much as at
 * the start one that may be several times too low. */
static void doubt_linearity(buckling *b, const sn_buckling_quality *x) {
  sn_simulation *s = b->simulation;
  const char *off = x->left > 0.5 || x->own > 0.5 ? "a factor" : "more than 5 %";
  if (b->steps > 0)
    sn_add_doubt(s, SN_DOUBTFUL,
                 sn_format(&s->arena,
                           "buckling: the structure changes its shape before it buckles, and its equilibrium could not "
                           "be followed beyond a load factor of %.4g: the lowest load factor may be off by %s; the "
                           "analysis 'path' follows the change of shape",
                           b->s0, off));
  else
    sn_add_doubt(
        s, SN_DOUBTFUL,
        sn_format(&s->arena,
                  "buckling: the structure changes its shape before it buckles, and the lowest load factor may "
                  "be off by %s: at this load its shape has %.2g of the stiffness at the start, and should have "
                  "none; the analysis 'path' follows the change of shape",
                  off, x->left));
}

static void check_mesh(buckling *b, const sn_modes *modes) {
  sn_simulation *s = b->simulation;
  double *energy = SN_NEW(&s->arena, double, modes->count + 1);
  for (int k = 0; k < modes->count; k++)
    energy[k] = sn_buckling_stiffness(b, 0, modes->shape + (size_t)k * (size_t)s->system->n) / 2;
  sn_doubt_buckling_mesh(s, &b->rest, b->z, b->s0, modes, energy);
  sn_doubt_buckling_formulation(s, &b->rest, b->s0, modes, energy);
}

/* Load factors and shapes about the state at rest, and about the start first. */
static sn_status find_modes(buckling *b, const buckling_spec *spec, sn_modes *modes) {
  sn_simulation *s = b->simulation;
  sn_status status = find_response(b);
  if (status) return status;
  sn_pencil *p = find_stress(b);
  if (!p) return sn_fail(s->context, SN_NUMERICS, "buckling: the stiffness under load could not be computed");
  if (b->steps == 0 && sn_pencil_below(p, -p->zero) != 0)
    return sn_fail(
        s->context, SN_NUMERICS,
        "buckling: the state it begins with is unstable already\n  possible remedy: a stage 'statics' before "
        "it, or smaller loads there");
  const bool dense = spec->method == 1 || (spec->method == 0 && s->model->n <= SN_DENSE_UP_TO);
  return (dense ? sn_buckling_dense : sn_buckling_lanczos)(p, &s->arena, spec->count, modes);
}

/* Higher factors, too, are right only where the stiffness of their shapes is gone; the others are of no use. */
static void leave_out(buckling *b, int wanted, sn_modes *modes) {
  sn_simulation *s = b->simulation;
  const size_t n = (size_t)s->system->n;
  int count = 1;
  if (modes->count < wanted)
    sn_add_note(s, sn_format(&s->arena, "buckling: there %s only %d positive load factor%s",
                             modes->count > 1 ? "are" : "is", modes->count, modes->count > 1 ? "s" : ""));
  while (count < modes->count &&
         sn_buckling_left(b, modes->factor[count], modes->shape + (size_t)count * n) <= SN_BUCKLING_MARGIN)
    count++;
  if (count < modes->count)
    sn_add_note(s,
                sn_format(&s->arena,
                          "buckling: load factors from %.4g on are left out: the structure changes its shape before, "
                          "and linearized they may be off by more than 5 %%",
                          b->s0 + modes->factor[count]));
  modes->count = count;
}

/* The same, about a state from which the first of them is right. */
static sn_status find_right_modes(buckling *b, const buckling_spec *spec, sn_modes *modes) {
  sn_status status = find_modes(b, spec, modes);
  while (!status && modes->count > 0) {
    const sn_buckling_quality x = sn_buckling_judge(b, modes->factor[0], modes->shape);
    if (sn_buckling_holds(b, x, modes->factor[0])) {
      leave_out(b, spec->count, modes);
      break;
    }
    if (!sn_buckling_follow(b, x, modes->factor[0])) {
      doubt_linearity(b, &x);
      break;
    }
    status = find_modes(b, spec, modes);
    if (status && sn_buckling_retreat(b)) status = find_modes(b, spec, modes);
  }
  if (b->steps > 0 && modes->count > 0)
    sn_add_note(b->simulation,
                sn_format(&b->simulation->arena,
                          "buckling: the structure changes its shape before it buckles: its equilibrium was followed, "
                          "and load factors are those about it at a load factor of %.6g",
                          b->s0));
  return status;
}

static void describe(buckling *b, sn_modes *modes) {
  sn_simulation *s = b->simulation;
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
}

static sn_status buckling_begin(sn_simulation *s, const sn_spec *spec) {
  (void)spec;
  s->load = s->stage == 0 ? 0 : 1;
  return SN_OK;
}

static sn_status buckling_step(sn_simulation *s) {
  const buckling_spec *spec = (const buckling_spec *)(const void *)s->stage_spec[s->stage];
  sn_system *sys = s->system;
  buckling b = {.simulation = s, .s0 = s->stage == 0 ? 0 : 1, .top = INFINITY};
  b.z = SN_NEW(&sys->arena, double, sys->n + sys->m);
  b.force = SN_NEW(&sys->arena, double, sys->n + sys->m);
  sn_status status = sn_system_use_solver(sys, "klu");
  if (!status) status = find_rest(&b);
  sn_modes *modes = SN_NEW(&s->arena, sn_modes, 1);
  if (!status) status = find_right_modes(&b, spec, modes);
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
                 "load factors at which the structure buckles, and the shapes: gravity and all prescribed forces and "
                 "moments are multiplied by the factor. The stiffness is linearized about the start, in a later stage "
                 "with the loads acting completely; where the structure changes its shape before it buckles, about an "
                 "equilibrium nearer to it",
             .fields = buckling_fields,
             .spec_size = sizeof(buckling_spec)},
    .quasi_static = true,
    .begin = buckling_begin,
    .step = buckling_step,
};
