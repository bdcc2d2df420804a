/* auto.c - picks a method for the model at hand, and says why.
 *
 * How stiff a model is, is told by the highest frequency w of the motions its constraints leave, at the start,
 *   w^2 = largest |lambda| of  K x + G'mu = lambda M x,  G x = 0
 * found by power iteration with [M G'; G 0], against the time scale of what is asked for: the output step, or that of
 * the motion at the start where it is shorter. The rules are read from above; the first that holds decides. They follow
 * what the literature found and what is measured on the models of this repository (docs/choosing-an-integrator.md).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrator/integrator.h"
#include "model/kinds.h"

typedef struct situation {
  bool fixed;       /* the user gave a step */
  bool contact;     /* parts may touch */
  bool dvi;         /* ... by complementarity */
  double tolerance; /* the tightest of those in force */
  double scale;     /* time scale of what is asked for [s] */
  double frequency; /* w [rad/s]; NAN: could not be found */
} situation;

/* ---- stiffness ---- */

/* sqrt of the largest |lambda| of P x + G'mu = lambda M x, G x = 0, for the part P assembled in `part`; the system's
 * matrix is [M G'; G 0]. With M z = P x - G'mu and G z = 0, the square of z in the mass norm is z'P x. */
static double largest_root(sn_system *system, const sn_system *part, double *x, double *y) {
  enum { ITERATIONS = 20 }; /* an order of magnitude is enough */
  size_t n = (size_t)system->n, m = (size_t)system->m;
  uint64_t seed = 7;
  double lambda = 0;
  for (size_t i = 0; i < n; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    x[i] = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
  }
  for (int k = 0; k < ITERATIONS; k++) {
    double square = 0;
    memset(x + n, 0, m * sizeof(double));
    sn_matrix_multiply(part->matrix, x, y);
    memcpy(x, y, n * sizeof(double));
    memset(x + n, 0, m * sizeof(double));
    sn_system_solve(system, x);
    for (size_t i = 0; i < n; i++) square += x[i] * y[i];
    if (!isfinite(square) || square == 0) return square == 0 ? 0 : NAN;
    lambda = sqrt(fabs(square));
    for (size_t i = 0; i < n; i++) x[i] /= lambda;
  }
  return sqrt(lambda);
}

/* 1/max(|v|, sqrt|a|), in lengths of max(1, |q|). */
static double scale_of_motion(const sn_system *system, const sn_state *state) {
  double fastest = 0;
  for (int i = 0; i < system->n; i++) {
    double size = fmax(1, fabs(state->q[i]));
    fastest = fmax(fastest, fmax(fabs(state->v[i]) / size, sqrt(fabs(state->a[i]) / size)));
  }
  return 1 / fastest;
}

static double highest_frequency(sn_system *system, const sn_state *state) {
  sn_system *part;
  sn_arena scratch = {0};
  size_t size = (size_t)system->n + (size_t)system->m;
  if (sn_system_twin(system, NULL, &part)) return NAN;
  double frequency = NAN;
  if (sn_system_factor_mass(system, state)) {
    sn_system_assemble(part, state, 1, 0, 0, 1);
    frequency = largest_root(system, part, SN_NEW(&scratch, double, size), SN_NEW(&scratch, double, size));
  }
  sn_arena_free(&scratch);
  sn_system_free(part);
  return frequency;
}

/* ---- the rules ---- */

static const double FAST = 20;    /* w times the time scale: vibrations nobody asked to see */
static const double TIGHT = 1e-7; /* tolerances that resolve such vibrations all the same */

static bool steps_are_fixed(const situation *s) {
  return s->fixed;
}
static bool contact_is_complementary(const situation *s) {
  return s->dvi;
}
static bool parts_may_touch(const situation *s) {
  return s->contact;
}
static bool frequency_is_unknown(const situation *s) {
  return isnan(s->frequency);
}
static bool nothing_is_fast(const situation *s) {
  return s->frequency * s->scale < FAST;
}
static bool tolerance_is_tight(const situation *s) {
  return s->tolerance < TIGHT;
}
static bool otherwise(const situation *s) {
  (void)s;
  return true;
}

static const struct rule {
  bool (*holds)(const situation *s);
  const char *method, *why;
} rules[] = {
    {contact_is_complementary, "symplectic-euler", "it alone carries contact by complementarity"},
    /* Hussein et al., Khude: damping at high frequencies keeps index 3 stable with any step */
    {steps_are_fixed, "hht-i3", "steps are fixed, and it damps what they do not resolve"},
    /* Khude: low order and damping; forces of contact have corners that a high order does not see coming */
    {parts_may_touch, "hht-i3", "parts may touch, and high order does not pay where forces have corners"},
    {frequency_is_unknown, "hht-i3", "the mass matrix is singular, and it needs no inverse of it"},
    /* Orzechowski and Fraczek: high order for rigid bodies; ours: 30 times the accuracy for the same work */
    {nothing_is_fast, "radau", "nothing vibrates much faster than it moves or is looked at, and high order pays"},
    /* Orzechowski and Fraczek: high order with tight tolerances; ours: of variable order rather than of the fifth */
    {tolerance_is_tight, "radau",
     "the tolerance is tight enough to follow the fastest vibrations, and high order pays"},
    /* Hussein et al.: explicit methods follow the stiffness; Orzechowski and Fraczek: HHT-I3 is the most effective */
    {otherwise, "hht-i3", "it damps vibrations much faster than what is looked at"},
};

static const char *choose(sn_system *system, const sn_integrator_spec *settings, const sn_state *state,
                          double output_step, char *reason, size_t size) {
  situation s = {.fixed = settings->step > 0,
                 .contact = system->contacts != NULL,
                 .dvi = system->contacts && system->model->surfaces->dvi,
                 .tolerance = settings->tolerance,
                 .scale = fmin(output_step, scale_of_motion(system, state))};
  if (settings->relative > 0) s.tolerance = fmin(s.tolerance, settings->relative);
  if (settings->absolute > 0) s.tolerance = fmin(s.tolerance, settings->absolute);
  if (!s.fixed && !s.dvi) s.frequency = highest_frequency(system, state);
  const struct rule *rule = rules;
  while (!rule->holds(&s)) rule++;
  int length = snprintf(reason, size, "%s", rule->why);
  if (!s.fixed && !s.dvi && !isnan(s.frequency) && length > 0 && (size_t)length < size)
    snprintf(reason + length, size - (size_t)length, " (up to %.2g rad/s; time scale %.2g s; tolerance %.2g)",
             s.frequency, s.scale, s.tolerance);
  return rule->method;
}

static const sn_field fields[] = {SN_STEP_FIELDS, {0}};

const sn_integrator_ops sn_auto = {
    .kind = {.name = "auto",
             .category = SN_INTEGRATORS,
             .summary = "chooses one of the others for the model, and says why",
             .fields = fields,
             .spec_size = sizeof(sn_integrator_spec)},
    .choose = choose,
};
