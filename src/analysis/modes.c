/* modes.c - natural frequencies and shapes about the state a stage begins with; the state itself stays as it is. */
#include "analysis/modes.h"

#include <math.h>
#include <string.h>

#include "analysis/formulation.h"
#include "analysis/mesh_error.h"
#include "analysis/reduction.h"
#include "analysis/tangent.h"
#include "analysis/trust.h"
#include "math/constants.h"

typedef struct modes_spec {
  sn_analysis_spec head;
  int count, method; /* 0 auto, 1 dense, 2 lanczos */
} modes_spec;

double sn_mode_frequency(const sn_modes *modes, int i) {
  assert(i >= 0 && i < modes->count);
  return copysign(sqrt(fabs(modes->w2[i])), modes->w2[i]) / (2 * SN_PI);
}

void sn_modes_fix_signs(sn_modes *modes, int n) {
  for (int k = 0; k < modes->count; k++) {
    double *u = modes->shape + (size_t)k * (size_t)n, most = 0;
    for (int i = 0; i < n; i++)
      if (fabs(u[i]) > fabs(most) * (1 + 1e-9)) most = u[i];
    for (int i = 0; i < n && most < 0; i++) u[i] = -u[i];
  }
}

void sn_modes_keep(sn_simulation *s, sn_modes *modes, const char *kind) {
  modes->kind = kind;
  modes->stage = s->stage;
  modes->next = s->modes;
  s->modes = modes;
}

/* Lowest first, zeros clean, signs fixed. */
static void tidy(sn_modes *modes, sn_pencil *p, sn_arena *arena) {
  int n = p->system->n;
  double *swap = SN_NEW(arena, double, n);
  for (int i = 1; i < modes->count; i++) /* ARPACK may give them in any order */
    for (int k = i; k > 0 && modes->w2[k] < modes->w2[k - 1]; k--) {
      double w = modes->w2[k], *a = modes->shape + (size_t)k * (size_t)n, *b = a - n;
      modes->w2[k] = modes->w2[k - 1];
      modes->w2[k - 1] = w;
      memcpy(swap, a, (size_t)n * sizeof(double));
      memcpy(a, b, (size_t)n * sizeof(double));
      memcpy(b, swap, (size_t)n * sizeof(double));
    }
  for (int k = 0; k < modes->count; k++) {
    const double *u = modes->shape + (size_t)k * (size_t)n;
    if (sn_pencil_is_rigid(p, modes->w2[k], u)) modes->w2[k] = 0, modes->rigid++;
    if (modes->w2[k] < 0) modes->unstable++;
  }
  sn_modes_fix_signs(modes, n);
}

/* With u'M u = 1 and D = -dQ/dv at rest, the part of the equation of one mode that acts on itself is
 *
 *   y'' + 2 zeta w y' + w2 y = 0,   zeta = u'D u/(2 w)
 *
 * the whole equation where D is diagonal in the modes (as a M + b K is), otherwise zeta of first order in D. */
static void find_damping(sn_modes *modes, sn_pencil *p, sn_arena *arena) {
  size_t n = (size_t)p->system->n, size = n + (size_t)p->system->m;
  double *x = SN_NEW(arena, double, 2 * size), *y = x + size;
  modes->damping = SN_NEW(arena, double, modes->count);
  sn_system_assemble(p->system, &p->at, 0, 0, 1, 0);
  for (int k = 0; k < modes->count; k++) {
    double sum = 0;
    memcpy(x, modes->shape + (size_t)k * n, n * sizeof(double));
    sn_matrix_multiply(sn_system_matrix(p->system), x, y);
    for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
    modes->damping[k] = modes->w2[k] > 0 ? sum / (2 * sqrt(modes->w2[k])) : NAN;
  }
}

static sn_status modes_begin(sn_simulation *s, const sn_spec *spec) {
  (void)s, (void)spec;
  return SN_OK;
}

/* Modes are those of the configuration at rest. Rotation shifts frequencies w by some (W/w)^2. */
static bool doubt_rotation(sn_simulation *s, const sn_modes *modes) {
  static const double none[3] = {0, 0, 0};
  const double counts = 1e-2;
  const sn_tangent *t = sn_tangent_create(s->model, &s->arena, none);
  double *work = SN_NEW(&s->arena, double, 2 * t->size + 1), lowest = INFINITY;
  for (int k = 0; k < modes->count; k++)
    if (modes->w2[k] > 0) lowest = fmin(lowest, sqrt(modes->w2[k]));
  const double turning = sn_tangent_turning(t, &s->state, s->evidence.size > 0 ? s->evidence.size : 1, work);
  if (turning <= counts * lowest) return false;
  sn_add_doubt(s, SN_DOUBTFUL,
               sn_format(&s->arena,
                         "modes: the model moves, at up to %.3g rad/s, and modes leave velocities out: gyroscopic and "
                         "centrifugal effects are missing; 'linearize' has them, with 'rotation' for a structure that "
                         "rotates",
                         turning));
  return true;
}

static double largest(int n, const double *x) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

double sn_rounding_of_forces(const sn_matrix *K, int n, const double *q) {
  double stiffness = 0;
  for (size_t i = 0; i < K->values; i++) stiffness = fmax(stiffness, fabs(K->value[i]));
  return 1e-14 * stiffness * largest(n, q);
}

/* Does the whole model fall freely, and has nothing a place in space? Then gravity strains nothing, and vibrations are those
 * about an equilibrium. The translation d with gravity changes no force, K d = 0, and beside it nothing accelerates. */
static bool falls_freely(sn_simulation *s, sn_system *system, const sn_state *at, const sn_matrix *K, double moved) {
  const int n = system->n;
  const double counts = 1e-6, zero[3] = {0, 0, 0}, *g = s->model->gravity;
  const sn_tangent *t = sn_tangent_create(s->model, &s->arena, zero);
  double *d = SN_NEW(&s->arena, double, 2 * ((size_t)n + (size_t)system->m) + 1), *y = d + n + system->m;
  sn_state rest = *at;
  if (!(largest(3, g) > 0)) return false;
  for (int b = 0; b < t->blocks; b++) {
    const double *a = at->a + t->block[b].q;
    double own = 0, off = 0;
    for (int k = 0; k < t->dim; k++) own += a[k] * a[k], off += (a[k] - g[k]) * (a[k] - g[k]);
    if (t->block[b].type == SN_TANGENT_VECTOR && off < own)
      memcpy(d + t->block[b].q, g, (size_t)t->dim * sizeof(double));
  }
  sn_matrix_multiply(K, d, y);
  if (largest(n + system->m, y) > 1e2 * sn_rounding_of_forces(K, n, d)) return false;
  rest.a = SN_NEW(&s->arena, double, n);
  for (int i = 0; i < n; i++) rest.a[i] = at->a[i] - d[i];
  sn_system_mass_times(system, &rest, rest.a, y);
  return largest(n, y) <= fmax(counts * moved, sn_rounding_of_forces(K, n, at->q));
}

/* In equilibrium reactions balance the forces, and M a is rounding of them. */
void sn_doubt_equilibrium(sn_simulation *s, sn_system *system, const sn_state *at, const sn_matrix *K, double *work,
                          const char *state) {
  const int n = system->n;
  const double counts = 1e-6, rounding = 1e-3; /* m/s^2 or rad/s^2, which stiff bodies make of rounding */
  sn_system_mass_times(system, at, at->a, work);
  const double moved = largest(n, work);
  sn_state still = *at;
  still.a = system->zero;
  still.l = system->zero + n;
  sn_system_residual(system, &still, 0, work);
  if (moved > counts * largest(n, work) && moved > sn_rounding_of_forces(K, n, at->q) && largest(n, at->a) > rounding &&
      !falls_freely(s, system, at, K, moved))
    sn_add_doubt(s, SN_DOUBTFUL,
                 sn_format(&s->arena,
                           "%s not in equilibrium; a stage 'statics' before it finds the "
                           "equilibrium",
                           state));
}

/* Of fine meshes: 5,000 elements of a rubber cable clamped at an end lose 0.17 Hz. */
static void doubt_rigid(sn_simulation *s, sn_pencil *p, const sn_modes *modes) {
  if (modes->rigid == 0 || !sn_pencil_is_dense(p)) return;
  sn_add_doubt(s, SN_DOUBTFUL,
               sn_format(&s->arena,
                         "modes: frequencies below %.2g Hz are lost in rounding, and what is called a rigid-body mode "
                         "may have one; possible remedy: fewer elements",
                         sqrt(sn_pencil_noise(p)) / (2 * SN_PI)));
}

static sn_status modes_step(sn_simulation *s) {
  const modes_spec *spec = (const modes_spec *)(const void *)s->stage_spec[s->stage];
  sn_state rest = s->sample; /* the reactions that hold the configuration at rest */
  sn_state_copy(s->system, &rest, &s->state);
  memset(rest.v, 0, (size_t)s->model->n * sizeof(double));
  if (sn_solve_accelerations(s->audit, &rest)) return SN_NUMERICS;
  sn_pencil *p = sn_pencil_at(s, &rest);
  if (!p) return SN_NUMERICS;
  sn_modes *modes = SN_NEW(&s->arena, sn_modes, 1);
  bool dense = spec->method == 1 || (spec->method == 0 && s->model->n <= SN_DENSE_UP_TO);
  sn_status status = (dense ? sn_modes_dense : sn_modes_lanczos)(p, &s->arena, spec->count, modes);
  if (status) return status;
  tidy(modes, p, &s->arena);
  doubt_rigid(s, p, modes);
  find_damping(modes, p, &s->arena);
  const char *rest_is = largest(s->model->n, s->state.v) > 0 ? "modes: the state, without its velocities, is"
                                                             : "modes: the state is at rest but";
  if (!doubt_rotation(s, modes))
    sn_doubt_equilibrium(s, s->audit, &rest, p->stiff, SN_NEW(&s->arena, double, s->audit->n + s->audit->m + 1),
                         rest_is);
  sn_doubt_modal_mesh(s, &rest, modes);
  sn_doubt_modal_formulation(s, &rest, modes);
  sn_doubt_modal_reduction(s, &rest, modes);
  sn_modes_keep(s, modes, "vibration");
  s->finished = true;
  return SN_OK;
}

static const sn_field modes_fields[] = {
    {"count", SN_INT, SN_AT(modes_spec, count), .def = "10", .limits = SN_AT_LEAST(1),
     .help = "number of modes, lowest first"},
    {"method", SN_CHOICE, SN_AT(modes_spec, method), .def = "auto", .choices = "auto|dense|lanczos",
     .help = "dense: LAPACK, all modes; lanczos: ARPACK, only the requested modes; auto: dense up to 400 coordinates"},
    {0},
};

const sn_analysis_ops sn_modes_kind = {
    .kind = {.name = "modes",
             .category = SN_ANALYSES,
             .summary = "natural frequencies and mode shapes about the start or the end of the previous stage, without "
                        "velocities; damping ratios of the undamped modes",
             .fields = modes_fields,
             .spec_size = sizeof(modes_spec)},
    .quasi_static = true,
    .begin = modes_begin,
    .step = modes_step,
};
