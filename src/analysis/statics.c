/* statics.c - equilibrium at a time t:  F(q, l) = [-Q(q) + G'l; Phi] = 0,  v = a = 0.
 *
 * The equilibrium path is followed in the load factor s from 0 to 1:
 *
 *     R(q, l; s) = -Q_s(q) + G'l - (1 - s) r0 = 0,   Phi(q, t_s) = 0,   r0 = -Q_0(q0)
 *
 * In a first stage Q_s is Q with gravity and prescribed forces times s. In a later stage loads act completely, and t_s
 * varies from the time of the last state to t. In both cases q0, l = 0 solves s = 0 exactly; r0 are the initial forces
 * of springs and deformed parts, or the whole imbalance, and decreases to zero.
 *
 * Newton for each s with the matrix [K G'; G 0] at every iterate: first with full steps, which is best for slender
 * parts although their corrections grow at first (bending causes extension, which is a thousand times stiffer and is
 * removed by the next iterations). If this fails, it is repeated with a line search: steps are reduced until the next
 * correction with the same matrix is smaller than this one (natural monotonicity: residuals of extension and bending
 * cannot be compared, displacements can).
 */
#include "analysis/statics.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "analysis/mesh_error.h"
#include "analysis/sticking.h"
#include "math/predicates.h"

static const double CAREFUL = 2e-3; /* step in the load factor to find out with where stability ends */
enum { EASY = 10, HARD = 20 };      /* iterations */

/* ---- relaxation ----
 * Where the path in s ends at a limit point, or where Newton has found parts in compression that would rather go
 * sideways: from the last state the loads act at once, and the motion M q' = Q - G'l, on Phi = 0, slides down to a
 * stable equilibrium. A step of implicit Euler is a Newton step with K + g M. g is the least, in powers of 4, for which
 * that is positive definite (by count) and the step is not too long; it goes to zero at a stable equilibrium, where the
 * last steps are Newton's. */

/* The correction at w->trial with the least g >= *shift. */
static bool relaxing_step(sn_simulation *s, sn_statics_work *w, double *shift) {
  const double longest = 0.2;
  sn_pencil *p = sn_pencil_at(s, &w->trial);
  if (!p) return false;
  if (*shift < p->zero) *shift = 0;
  for (int k = 0; k < 40; k++, *shift = fmax(4 * *shift, p->zero)) {
    double largest = 0;
    if (sn_pencil_below(p, -*shift) != 0) continue;
    if (!sn_system_factor(w->system, &w->trial, 0, *shift, 0, 1) || !sn_statics_solve(w, w->F, w->dx)) continue;
    for (int i = 0; i < w->system->n; i++) largest = fmax(largest, fabs(w->dx[i]) / fmax(1, fabs(w->trial.q[i])));
    if (largest <= longest) return true;
  }
  return false;
}

/* Back to the last state; the first time with the reactions guessed for it. */
static void start_from(const sn_simulation *s, sn_statics_work *w) {
  memcpy(w->trial.q, s->state.q, (size_t)s->system->n * sizeof(double));
  memcpy(w->trial.l, w->s > 0 ? s->state.l : w->guess, (size_t)s->system->m * sizeof(double));
}

static bool relax(sn_simulation *s, sn_statics_work *w, double target, int most) {
  double shift = 0;
  start_from(s, w);
  sn_statics_place(w, target, &w->trial);
  sn_statics_residual(w, target, &w->trial, w->F);
  for (w->iterations = 1; w->iterations <= most && !s->context->interrupted; w->iterations++) {
    w->system->statistics.iterations++;
    if (!relaxing_step(s, w, &shift)) break;
    double norm = sn_statics_size(w, w->dx, &w->trial);
    sn_statics_move(w, &w->trial, &w->trial, 1, w->dx);
    sn_statics_residual(w, target, &w->trial, w->F);
    if (!sn_all_finite((size_t)w->system->n + (size_t)w->system->m, w->F)) break;
    if (shift <= 10 * s->pencil->zero && norm <= w->spec->tolerance) return true;
    shift /= 16;
  }
  sn_statics_find_worst(w);
  return false;
}

/* ---- stability ---- */

/* Equilibria that a structure does not stay in, or does not reach on one path. */
static void doubt(sn_simulation *s, const char *text) {
  sn_add_doubt(s, SN_DOUBTFUL, text);
}

/* Number of unstable directions of the equilibrium w->trial; not computed again after it was reported. Loads that are
 * not conservative (moments fixed in space, followers) make K unsymmetric: its symmetric part does not determine
 * stability. */
static int unstable_directions(sn_simulation *s, const sn_statics_work *w) {
  if (w->unstable || w->shift > 0 || !sn_matrix_is_symmetric(sn_system_matrix(s->system))) return 0;
  sn_pencil *p = sn_pencil_at(s, &w->trial);
  return p ? sn_pencil_below(p, -p->zero) : 0;
}

/* At the end: directions so soft that the count of every step takes them for rounding (slender parts). */
static void doubt_soft_directions(sn_simulation *s, const sn_statics_work *w) {
  if (w->unstable || w->shift > 0 || !sn_matrix_is_symmetric(sn_system_matrix(s->system))) return;
  sn_pencil *p = sn_pencil_at(s, &w->trial);
  const int count = p ? sn_pencil_unstable(p) : 0;
  sn_clear_message(s->context);
  if (count > 0)
    doubt(s, sn_format(&s->arena,
                       "statics: the equilibrium is unstable (%d direction%s): the structure has buckled or passed a "
                       "limit point at a smaller load; 'path' finds it",
                       count, count > 1 ? "s" : ""));
}

/* Newton's method may have found an unstable equilibrium. Try to relax to a stable one nearby; otherwise report it.
 */
static void prefer_stable(sn_simulation *s, sn_statics_work *w, int count) {
  sn_state_copy(s->system, &w->found, &w->trial);
  int iterations = w->iterations;
  if (w->spec->relax && relax(s, w, w->s + w->ds, 100)) {
    if (!w->buckled)
      doubt(s, sn_format(&s->arena,
                         "statics: the structure buckles at a load factor between %.4g and %.4g; it was relaxed to a "
                         "stable equilibrium nearby; the model does not determine the direction of buckling",
                         w->s, w->s + w->ds));
    w->buckled = true;
    return;
  }
  sn_state_copy(s->system, &w->trial, &w->found);
  sn_statics_place(w, w->s + w->ds, &w->trial);
  w->iterations = iterations;
  w->unstable = true;
  doubt(s, sn_format(&s->arena,
                     "statics: the equilibrium is unstable (%d direction%s) above a load factor between %.4g and %.4g: "
                     "the structure has buckled or passed a limit point",
                     count, count > 1 ? "s" : "", w->s, w->s + w->ds));
}

static sn_status mechanism(sn_simulation *s, const sn_freedom *f) {
  return sn_fail(
      s->context, SN_NUMERICS,
      "there is no equilibrium: the structure is a mechanism with %d free degree%s of freedom\n  free to move: %s\n  "
      "possible remedy: joints or springs that support it, or dynamics with damping until it is at rest",
      f->count, f->count > 1 ? "s" : "", f->bodies);
}

/* Is anything free to move at the start? Reactions may hold what nothing else does (a hanging pendulum). */
static sn_status check_freedom(sn_simulation *s, sn_statics_work *w, double first) {
  sn_statics_place(w, first, &s->state);
  memset(s->state.l, 0, (size_t)s->system->m * sizeof(double));
  sn_pencil *p = sn_pencil_at(s, &s->state);
  if (!p) return SN_NUMERICS;
  w->little = 10 * p->zero;
  sn_freedom f = sn_find_freedom(p);
  if (f.count != 0 && s->system->m > 0) {
    sn_status status = sn_solve_accelerations(s->system, &s->state);
    memset(s->state.a, 0, (size_t)s->system->n * sizeof(double));
    if (status) return status;
    f = sn_find_freedom(sn_pencil_at(s, &s->state));
  }
  if (f.count <= 0) return SN_OK;
  w->loose = f.pull > 1e-5;
  if (w->loose && !w->spec->relax) return mechanism(s, &f);
  w->free = f;
  if (w->loose) return SN_OK;
  w->shift = w->little;
  sn_add_note(s, sn_format(&s->arena, "statics: initially %s is unsupported in %d direction%s, and no load acts there",
                           f.bodies, f.count, f.count > 1 ? "s" : ""));
  return SN_OK;
}

/* ---- the analysis ---- */

static sn_status statics_begin(sn_simulation *s, const sn_spec *spec) {
  static const char *const solvers[] = {"klu", "ldl", "klu"};
  sn_system *sys = s->system;
  const sn_statics_spec *statics = (const sn_statics_spec *)(const void *)spec;
  sn_statics_work *w = sn_statics_create(sys, statics->tolerance);
  w->spec = statics;
  w->raise = s->stage == 0;
  w->from = s->state.t;
  w->to = s->end;
  w->ds = 1.0 / w->spec->steps;
  s->progress = w;
  s->load = w->raise ? 0 : 1;
  const char *solver =
      s->options.solver && strcmp(s->options.solver, "auto") != 0 ? s->options.solver : solvers[w->spec->solver];
  sn_status status = sn_system_use_solver(sys, solver);
  if (status) return status;
  sn_statics_rest(s, w);
  memset(s->state.a, 0, (size_t)sys->n * sizeof(double));
  if (sys->regularization > 0) { /* small compared with G K^-1 G', which is far smaller here than G M^-1 G' */
    sn_pencil *p = sn_pencil_at(s, &s->state);
    if (p) sys->regularization = fmax(sys->regularization / p->scale, 1e-13);
  }
  status = check_freedom(s, w, w->ds);
  sn_statics_place(w, 0, &s->state);
  memcpy(w->guess, s->state.l, (size_t)sys->m * sizeof(double));
  memcpy(w->trial.l, w->guess, (size_t)sys->m * sizeof(double));
  memset(s->state.l, 0, (size_t)sys->m * sizeof(double));
  sn_system_residual(sys, &s->state, 0, w->r0);
  memcpy(w->trial.q, s->state.q, (size_t)sys->n * sizeof(double));
  sn_state_copy(sys, &s->before, &s->state);
  return status;
}

static sn_status give_up(sn_simulation *s, sn_statics_work *w) {
  if (w->loose) return mechanism(s, &w->free);
  sn_statics_place(w, w->s, &s->state);
  sn_pencil *p = sn_pencil_at(s, &s->state);
  sn_freedom f = {0};
  if (p) f = sn_find_freedom(p);
  if (f.count > 0 && f.pull > 1e-5) return mechanism(s, &f);
  return sn_fail(
      s->context, SN_NUMERICS,
      "no equilibrium was found beyond a load factor of %.6g: the load step is down to %.2g, %d iterations, "
      "worst at '%s'\n  the structure may have reached a limit point (it snaps through) or may be "
      "unsupported; possible remedy: the analysis 'path', which goes around limit points, or dynamics from there",
      w->s, w->ds, w->iterations, sn_system_owner(s->system, w->worst));
}

/* What was free at the start may be held by the loads now. */
static void check_shift(sn_simulation *s, sn_statics_work *w) {
  if (w->shift == 0 || s->model->unsymmetric) return;
  sn_pencil *p = sn_pencil_at(s, &w->trial);
  if (p && sn_pencil_below(p, p->zero) == 0) w->shift = 0;
}

static void accept(sn_simulation *s, sn_statics_work *w) {
  sn_statistics *st = &s->system->statistics;
  check_shift(s, w);
  sn_state_copy(s->system, &s->before, &s->state);
  w->s = w->s + w->ds >= 1 - 1e-12 ? 1 : w->s + w->ds;
  s->load = w->raise ? w->s : 1;
  sn_state_copy(s->system, &s->state, &w->trial);
  st->steps++;
  if (s->stages == 1) { /* not among steps in time */
    if (st->smallest_step == 0 || w->ds < st->smallest_step) st->smallest_step = w->ds;
    if (w->ds > st->largest_step) st->largest_step = w->ds;
  }
  if (w->iterations <= EASY) w->ds *= 1.5;
  if (w->iterations >= HARD) w->ds *= 0.5;
  s->finished = w->s >= 1;
}

/* Are two equilibria connected by one path? Then the displacement from the one to the other is about the mean of what
 * the tangents at its two ends predict. Newton may also have gone across a limit point to another path, where the
 * structure snaps through; from there the tangent does not point back. Straight ropes leave their start with hardly any
 * stiffness and gain it on the way, as s^(1/3): in tiny steps the way may be shorter than the first tangent says. */
static bool has_jumped(sn_simulation *s, sn_statics_work *w) {
  const double half = 0.5, little = 100 * w->spec->tolerance, tiny = 100 * w->spec->min_step, third = 0.2;
  double *way = w->bar, *rest = w->F, *back = w->dx;
  int n = s->system->n;
  sn_statics_place(w, w->s, &w->trial);
  sn_statics_residual(w, w->s, &w->trial, w->F);
  bool solved = sn_statics_correction(w, &w->trial);
  sn_statics_place(w, w->s + w->ds, &w->trial);
  for (int i = 0; i < n; i++) {
    way[i] = w->trial.q[i] - s->state.q[i];
    rest[i] = way[i] - (w->ahead[i] - back[i]) / 2;
  }
  double size = sn_statics_size(w, way, &s->state), ahead = 0, behind = 0;
  if (size <= little || !solved) return !solved;
  if (sn_statics_size(w, rest, &s->state) <= half * size) return false;
  for (int i = 0; i < n; i++) ahead += way[i] * w->ahead[i], behind -= way[i] * back[i];
  bool stiffens = ahead > 0 && behind > 0 && sn_statics_size(w, w->ahead, &s->state) > size;
  return !(w->ds <= tiny && stiffens && sn_statics_size(w, back, &s->state) > third * size);
}

/* Whole steps, then damped ones, from the last state. */
static bool find_equilibrium(sn_simulation *s, sn_statics_work *w) {
  for (int search = 0; search < 2; search++) {
    start_from(s, w);
    if (sn_statics_newton(w, w->s + w->ds, search) && !has_jumped(s, w)) return true;
  }
  return false;
}

/* The path has come to an end: over the whole rest of it, or a good part of it where drivers have to be followed. */
static bool relax_onward(sn_simulation *s, sn_statics_work *w) {
  if (!w->spec->relax) return false;
  w->ds = w->raise ? 1 - w->s : fmin(1 - w->s, 1.0 / w->spec->steps);
  if (!relax(s, w, w->s + w->ds, 400)) return false;
  const char *text = sn_format(&s->arena,
                               "statics: the equilibrium path ends at a load factor of %.4g (a limit point, or "
                               "buckling); the structure was relaxed to another equilibrium",
                               w->s);
  const double at_once = 0.01; /* structures that yield to small loads are not meant to support them: slack ropes */
  if (w->loose)
    sn_add_note(s, sn_format(&s->arena,
                             "statics: initially %s is unsupported in %d direction%s in which loads act: it was "
                             "relaxed to a stable equilibrium",
                             w->free.bodies, w->free.count, w->free.count > 1 ? "s" : ""));
  if (!w->relaxed && !w->loose) {
    if (w->s < at_once)
      sn_add_note(s, text);
    else
      doubt(s, text);
  }
  w->relaxed = true;
  w->loose = false;
  w->shift = 0;
  return true;
}

/* The end of an unstable path: pushed a little, with the whole loads, the structure may find a stable equilibrium. The
 * push is the same every time, and as large in all coordinates. */
static void leave_unstable(sn_simulation *s, sn_statics_work *w) {
  uint64_t seed = 1;
  double size = 0;
  sn_state_copy(s->system, &w->found, &s->state);
  for (int i = 0; i < s->system->n; i++) size = fmax(size, fabs(s->state.q[i]));
  for (int i = 0; i < s->system->n; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    s->state.q[i] += 1e-4 * size * ((double)(seed >> 11) / 9007199254740992.0 - 0.5);
  }
  bool held = relax(s, w, 1, 400);
  sn_state_copy(s->system, &s->state, held ? &w->trial : &w->found);
  sn_statics_place(w, 1, &s->state);
  sn_clear_message(s->context);
  if (held)
    doubt(s,
          "statics: the final equilibrium was unstable; the structure was perturbed and relaxed to a stable one; the "
          "model does not determine which one");
}

/* Differential variables are kept at their values: that is an equilibrium only if they would stay there. In their rows
 * the residual is -z'. */
static void doubt_variables(sn_simulation *s, sn_statics_work *w) {
  const sn_model *m = s->model;
  if (m->variables == 0) return;
  sn_system_hold(w->system, NULL);
  sn_system_residual(w->system, &s->state, 0, w->F);
  sn_system_hold(w->system, s->state.v);
  for (int i = 0; i < m->variables; i++) {
    const sn_variable *z = &m->variable[i];
    if (!z->differential) continue;
    const double value = s->state.v[z->index], rate = -w->F[z->index];
    if (fabs(rate) > 1e-6 * fmax(1, fabs(value)))
      doubt(s, sn_format(&s->arena,
                         "statics: variable '%s' is kept at %.4g, where its rate is %.3g: it would not stay there",
                         z->name, value, rate));
  }
}

static sn_status statics_step(sn_simulation *s) {
  sn_statics_work *w = s->progress;
  for (;;) {
    w->ds = fmin(w->ds, 1 - w->s);
    if (w->loose) {
      if (!relax_onward(s, w)) return give_up(s, w);
      break;
    }
    if (find_equilibrium(s, w)) {
      int count = unstable_directions(s, w);
      if (count > 0 && w->ds > CAREFUL) { /* smaller steps stay on the stable side if there is one */
        s->system->statistics.newton_rejections++;
        w->ds /= 4;
        continue;
      }
      if (count > 0) prefer_stable(s, w, count);
      break;
    }
    s->system->statistics.newton_rejections++;
    if (w->ds / 4 >= w->spec->min_step) {
      w->ds /= 4;
      continue;
    }
    if (!relax_onward(s, w)) return give_up(s, w);
    break;
  }
  sn_clear_message(s->context);
  accept(s, w);
  if (s->finished && w->unstable && w->spec->relax) leave_unstable(s, w);
  if (s->finished) doubt_soft_directions(s, w);
  if (s->finished) doubt_variables(s, w);
  if (s->finished) sn_doubt_frictionless(s);
  if (s->finished) sn_doubt_static_mesh(s);
  if (s->finished) sn_doubt_lost_velocities(s);
  return SN_OK;
}

static double statics_rows(const sn_spec *spec) {
  return ((const sn_statics_spec *)(const void *)spec)->steps;
}

static const sn_field statics_fields[] = {
    {"start", SN_REAL, SN_AT(sn_analysis_spec, start), .unit = "s", .def = "0",
     .help = "time at which loads and drivers are evaluated; default in a later stage: the end of the previous stage"},
    {"steps", SN_INT, SN_AT(sn_statics_spec, steps), .def = "10", .limits = SN_AT_LEAST(1),
     .help = "initial number of load steps; the step size is adapted"},
    {"tolerance", SN_REAL, SN_AT(sn_statics_spec, tolerance), .def = "1e-8", .limits = SN_POSITIVE,
     .help = "residual forces, relative to the largest force, and last correction of the coordinates, relative to "
             "max(1, |q|)"},
    {"min_step", SN_REAL, SN_AT(sn_statics_spec, min_step), .def = "1e-6", .limits = SN_POSITIVE,
     .help = "smallest step of the load factor"},
    {"relax", SN_BOOL, SN_AT(sn_statics_spec, relax), .def = "true",
     .help = "continue to a stable equilibrium beyond a limit point or buckling; false: stop there"},
    {"solver", SN_CHOICE, SN_AT(sn_statics_spec, solver), .def = "auto", .choices = "auto|ldl|klu",
     .help = "linear solver; auto: klu; ldl switches to klu if the stiffness is too indefinite"},
    {0},
};

const sn_analysis_ops sn_statics = {
    .kind = {.name = "statics",
             .category = SN_ANALYSES,
             .summary = "static equilibrium",
             .fields = statics_fields,
             .spec_size = sizeof(sn_statics_spec)},
    .quasi_static = true,
    .every_step = true,
    .begin = statics_begin,
    .step = statics_step,
    .rows = statics_rows,
};
