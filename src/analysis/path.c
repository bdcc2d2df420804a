/* path.c - an equilibrium path around limit points, by arc-length continuation.
 *
 *     R(q, l; s) = -Q_s(q) + G'l = 0,   Phi(q) = 0          Q_s: gravity and prescribed forces times s
 *
 * is a curve (q, l, s). Its length is measured by dq'M dq / c + ds^2, with c = dq'M dq / ds^2 at the start, so that
 * displacements and the load factor count alike there. From a point with the unit tangent (t, ts) the next one lies on
 * the curve and at the arc length b along the tangent:
 *
 *     t'M (q - q0) / c + ts (s - s0) = b
 *
 * Newton for both, with A = [K G'; G 0] alone: dx = -A^-1 F + ds z, z = -A^-1 dF/ds, the last equation gives ds. The
 * tangent is (z, 1) over its length, on the side of the last one. At a limit point ts = 0: the root is found along the
 * arc and is a point of the result. Where the number of negative eigenvalues of K on G u = 0 changes otherwise, another
 * path branches off; the arc is bisected down to it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/mesh_error.h"
#include "analysis/modes.h"
#include "analysis/statics.h"
#include "analysis/trust.h"
#include "math/predicates.h"

typedef struct path_spec {
  sn_analysis_spec head;
  double largest, smallest, tolerance;
  int steps, points;
} path_spec;

typedef struct path {
  const path_spec *spec;
  sn_statics_work *w; /* w->trial is the point looked for */
  double begin;       /* load factor at the start */
  double lowest;      /* that the path ends at */
  double c;           /* scale of displacements */
  double arc, first;  /* next step, and the first one */
  double s, ts, *t;   /* the last point, whose state is the simulation's: load factor; tangent, t[n + m], of length 1 */
  double *Mt;         /* [n] M t / c */
  double new_s, new_ts, *new_t; /* the same of w->trial */
  double *Fs, *z;               /* [n + m] dF/ds, -A^-1 dF/ds */
  int unstable;                 /* directions at the last point that is no limit point; -1: not known */
  int limits;                   /* limit points since */
  int points;
  bool symmetric;
} path;

enum { MOST_ITERATIONS = 12, EASY = 5, SMALL = 200 };
static const double MOST_TURN = 0.94; /* cosine of the angle between the tangents of neighbors */

static double inner(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* dF/ds at w->trial: prescribed loads are linear in s. */
static void load_derivative(path *p) {
  sn_system *sys = p->w->system;
  sn_system_set_load(sys, 0);
  sn_system_residual(sys, &p->w->trial, 0, p->z);
  sn_system_set_load(sys, 1);
  sn_system_residual(sys, &p->w->trial, 0, p->Fs);
  for (int i = 0; i < sys->n; i++) p->Fs[i] -= p->z[i];
  memset(p->Fs + sys->n, 0, (size_t)sys->m * sizeof(double));
  sn_system_set_load(sys, p->new_s);
}

/* ---- the next point ---- */

static bool has_converged(path *p, double size, double ds) {
  sn_statics_work *w = p->w;
  const double tolerance = w->tolerance;
  double most = 0;
  if (size > tolerance || fabs(ds) > tolerance * fmax(1, fabs(p->new_s))) return false;
  double scale = sn_statics_force_scale(w, p->new_s, &w->trial);
  sn_statics_residual(w, p->new_s, &w->trial, w->F);
  for (int i = 0; i < w->system->n; i++) most = fmax(most, fabs(w->F[i]));
  return most <= tolerance * scale || size <= 1e-3 * tolerance;
}

/* w->trial and new_s at the arc length b from the last point. */
static bool correct(sn_simulation *s, path *p, double b) {
  sn_statics_work *w = p->w;
  int n = s->system->n;
  sn_statics_move(w, &w->trial, &s->state, b, p->t);
  p->new_s = p->s + b * p->ts;
  for (w->iterations = 1; w->iterations <= MOST_ITERATIONS; w->iterations++) {
    w->system->statistics.iterations++;
    sn_statics_place(w, p->new_s, &w->trial);
    sn_statics_residual(w, p->new_s, &w->trial, w->F);
    if (!sn_all_finite((size_t)n, w->F) || !sn_statics_correction(w, &w->trial)) break;
    load_derivative(p);
    if (!sn_statics_solve(w, p->Fs, p->z)) break;
    double off = p->ts * (p->new_s - p->s) - b;
    for (int i = 0; i < n; i++) off += p->Mt[i] * (w->trial.q[i] - s->state.q[i]);
    double ds = -(off + inner(n, p->Mt, w->dx)) / (p->ts + inner(n, p->Mt, p->z));
    for (int i = 0; i < n + s->system->m; i++) w->dx[i] += ds * p->z[i];
    double size = sn_statics_size(w, w->dx, &w->trial);
    if (!isfinite(size) || !isfinite(ds)) break;
    sn_statics_move(w, &w->trial, &w->trial, 1, w->dx);
    p->new_s += ds;
    sn_statics_place(w, p->new_s, &w->trial);
    if (has_converged(p, size, ds)) return true;
  }
  sn_statics_find_worst(w);
  return false;
}

/* The tangent at w->trial, on the side of the last one (there is none: of growing loads, or of falling ones). */
static bool find_tangent(sn_simulation *s, path *p, bool first) {
  sn_statics_work *w = p->w;
  int n = s->system->n, m = s->system->m;
  sn_statics_place(w, p->new_s, &w->trial);
  sn_pencil *pencil = sn_pencil_at(s, &w->trial);
  if (!pencil || !sn_system_factor(w->system, &w->trial, 0, w->shift, 0, 1)) return false;
  p->symmetric = sn_matrix_is_symmetric(sn_system_matrix(w->system));
  load_derivative(p);
  if (!sn_statics_solve(w, p->Fs, p->z)) return false;
  sn_pencil_mass(pencil, p->z, w->bar);
  double square = inner(n, p->z, w->bar);
  if (first) p->c = square;
  if (!(p->c > 0)) return false;
  double length = sqrt(square / p->c + 1), sign = first ? 1 : p->ts + inner(n, p->Mt, p->z);
  if (sign < 0) length = -length;
  for (int i = 0; i < n + m; i++) p->new_t[i] = p->z[i] / length;
  p->new_ts = 1 / length;
  return isfinite(length);
}

static bool find_point(sn_simulation *s, path *p, double b) {
  return correct(s, p, b) && find_tangent(s, p, false);
}

/* The root of ts, or of s - target, between the last point and w->trial at the arc length *b, which becomes that of the
 * root; by false position with halved ends (Illinois). The point found is w->trial. At a limit point the matrix is
 * singular: where rounding keeps Newton's method from coming closer, the closest point is taken, as the load factor is
 * wrong by the square of ts only. */
static bool locate(sn_simulation *s, path *p, double *b, bool limit, double target) {
  const double enough = limit ? 1e-7 : 1e-12 * fmax(1, fabs(target)), close = limit ? 1e-4 : 0;
  double lo = 0, hi = *b, g_lo = limit ? p->ts : p->s - target, g_hi = limit ? p->new_ts : p->new_s - target;
  double best = *b, g_best = fabs(g_hi);
  for (int k = 0; k < 60; k++) {
    double at = (lo * g_hi - hi * g_lo) / (g_hi - g_lo);
    if (!find_point(s, p, at)) {
      *b = best;
      return g_best < close && find_point(s, p, best);
    }
    *b = at;
    double g = limit ? p->new_ts : p->new_s - target;
    if (fabs(g) < g_best) best = at, g_best = fabs(g);
    if (fabs(g) <= enough || fabs(hi - lo) <= 1e-14 * fabs(hi)) return true;
    if (g * g_hi < 0) {
      lo = hi;
      g_lo = g_hi;
    } else {
      g_lo /= 2;
    }
    hi = at;
    g_hi = g;
  }
  return true;
}

/* ---- stability ---- */

/* The number of unstable directions at w->trial, by count. */
static int count_unstable(sn_simulation *s, path *p) {
  sn_statics_place(p->w, p->new_s, &p->w->trial);
  sn_pencil *pencil = sn_pencil_at(s, &p->w->trial);
  return pencil && p->symmetric ? sn_pencil_unstable(pencil) : -1;
}

/* The lowest modes about w->trial; work vectors of Lanczos do not stay in the system's arena. */
static bool find_modes(sn_simulation *s, path *p, int count, sn_arena *arena, sn_modes *modes) {
  sn_statics_place(p->w, p->new_s, &p->w->trial);
  sn_pencil *pencil = sn_pencil_at(s, &p->w->trial);
  *modes = (sn_modes){0};
  if (!pencil || !p->symmetric) return false;
  sn_arena kept = pencil->system->arena;
  pencil->system->arena = (sn_arena){0};
  sn_status status = (s->system->n <= SMALL ? sn_modes_dense : sn_modes_lanczos)(pencil, arena, count, modes);
  sn_arena_free(&pencil->system->arena);
  pencil->system->arena = kept;
  return !status && modes->count > 0;
}

static void judge_stability(sn_simulation *s, path *p, int unstable) {
  sn_arena arena = {0};
  sn_modes modes;
  s->stability[0] = find_modes(s, p, 1, &arena, &modes) ? modes.w2[0] : NAN;
  s->stability[1] = unstable < 0 ? (double)NAN : unstable;
  sn_clear_message(s->context);
  sn_arena_free(&arena);
}

/* A point near a bifurcation: its load factor, and the eigenvalue that changes its sign there, the k-th. */
typedef struct near_point {
  double b, s, w2;
} near_point;

static near_point look_near(sn_simulation *s, path *p, double b, int k, const char **bodies) {
  near_point near = {.b = b, .s = p->new_s, .w2 = NAN};
  sn_arena arena = {0};
  sn_modes modes;
  if (find_modes(s, p, k, &arena, &modes) && modes.count == k) {
    near.w2 = modes.w2[k - 1];
    *bodies = sn_name_bodies(s->model, &s->arena, modes.shape + (size_t)(k - 1) * (size_t)s->system->n);
  }
  sn_arena_free(&arena);
  return near;
}

/* From `near`, whose eigenvalue is no rounding, towards b, where it is. */
static void go_near(sn_simulation *s, path *p, near_point *near, double b, double noise, int k, const char **bodies) {
  for (int i = 0; i < 4; i++) {
    const double middle = (near->b + b) / 2;
    if (!find_point(s, p, middle)) return;
    const near_point x = look_near(s, p, middle, k, bodies);
    if (fabs(x.w2) < noise)
      b = middle;
    else
      *near = x;
  }
}

/* Between the last point and w->trial, at the arc length b, the number of unstable directions changes. Bisection comes
 * near, as close as is good for A, which is singular there, and as the eigenvalue is no rounding (of slender parts it soon
 * is, and would not count as unstable); then it is linear in the load factor. */
static void find_bifurcation(sn_simulation *s, path *p, near_point *lo, near_point *hi, int k, const char **bodies) {
  enum { halvings = 11 };
  const double noise = 4 * sn_pencil_noise(s->pencil);
  for (int i = 0; i < halvings; i++) {
    const double middle = (lo->b + hi->b) / 2;
    if (!find_point(s, p, middle)) break;
    const near_point near = look_near(s, p, middle, k, bodies);
    if (fabs(near.w2) < noise) {
      go_near(s, p, lo, middle, noise, k, bodies);
      go_near(s, p, hi, middle, noise, k, bodies);
      break;
    }
    if (count_unstable(s, p) == p->unstable)
      *lo = near;
    else
      *hi = near;
  }
}

static void note_bifurcation(sn_simulation *s, path *p, double b, int after) {
  const double wide = 0.01;
  const int k = p->unstable > after ? p->unstable : after;
  const char *bodies = "", *about = "";
  near_point lo = {.s = p->s, .w2 = NAN}, hi = look_near(s, p, b, k, &bodies);
  if (find_point(s, p, 0)) lo = look_near(s, p, 0, k, &bodies);
  find_bifurcation(s, p, &lo, &hi, k, &bodies);
  double at = (lo.s * hi.w2 - hi.s * lo.w2) / (hi.w2 - lo.w2);
  if (!(lo.w2 * hi.w2 < 0)) at = (lo.s + hi.s) / 2;
  if (fabs(hi.s - lo.s) > wide * fabs(at))
    about = sn_format(&s->arena, " (between %.4g and %.4g, where rounding hides it)", lo.s, hi.s);
  sn_add_note(
      s, sn_format(&s->arena,
                   "path: bifurcation point at a load factor of %.8g%s%s%s: from there on the path has %d "
                   "unstable direction%s (%d before); another path branches off",
                   at, about, *bodies ? ", by motion of " : "", bodies, after, after == 1 ? "" : "s", p->unstable));
}

/* ---- steps ---- */

static void accept(sn_simulation *s, path *p) {
  sn_statistics *st = &s->system->statistics;
  int n = s->system->n;
  double b = 0, *swap = p->t;
  for (int i = 0; i < n; i++) b += p->Mt[i] * (p->w->trial.q[i] - s->state.q[i]);
  b += p->ts * (p->new_s - p->s);
  sn_state_copy(s->system, &s->before, &s->state);
  sn_state_copy(s->system, &s->state, &p->w->trial);
  p->s = s->load = p->new_s;
  p->ts = p->new_ts;
  p->t = p->new_t;
  p->new_t = swap;
  sn_statics_place(p->w, p->s, &s->state);
  sn_pencil_mass(sn_pencil_at(s, &s->state), p->t, p->Mt);
  for (int i = 0; i < n; i++) p->Mt[i] /= p->c;
  if (p->points++ == 0) return;
  st->steps++;
  if (s->stages > 1) return; /* not among steps in time */
  if (st->smallest_step == 0 || b < st->smallest_step) st->smallest_step = b;
  if (b > st->largest_step) st->largest_step = b;
}

static sn_status path_begin(sn_simulation *s, const sn_spec *spec) {
  sn_system *sys = s->system;
  path *p = SN_NEW(&sys->arena, path, 1);
  p->spec = (const path_spec *)(const void *)spec;
  p->w = sn_statics_create(sys, p->spec->tolerance);
  p->w->raise = true;
  p->w->from = p->w->to = s->state.t;
  p->t = SN_NEW(&sys->arena, double, sys->n + sys->m);
  p->new_t = SN_NEW(&sys->arena, double, sys->n + sys->m);
  p->Mt = SN_NEW(&sys->arena, double, sys->n);
  p->Fs = SN_NEW(&sys->arena, double, sys->n + sys->m);
  p->z = SN_NEW(&sys->arena, double, sys->n + sys->m);
  s->progress = p;
  s->load = p->begin = p->new_s = s->stage == 0 ? 0 : 1;
  p->lowest = sn_given(p->spec, "smallest_load") ? p->spec->smallest : fmin(p->begin, -fabs(p->spec->largest));
  if (p->begin >= p->spec->largest || p->begin < p->lowest)
    return sn_fail(s->context, SN_USAGE,
                   "the path begins at a load factor of %g, which must lie below largest_load and above smallest_load",
                   p->begin);
  sn_status status = sn_system_use_solver(sys, "klu");
  if (status) return status;
  sn_statics_rest(s, p->w);
  memset(s->state.a, 0, (size_t)sys->n * sizeof(double));
  if (s->stage == 0) memset(s->state.l, 0, (size_t)sys->m * sizeof(double));
  sn_statics_place(p->w, p->begin, &s->state);
  sn_pencil *pencil = sn_pencil_at(s, &s->state);
  if (!pencil) return SN_NUMERICS;
  p->w->little = 10 * pencil->zero;
  if (sys->regularization > 0) sys->regularization = fmax(sys->regularization / pencil->scale, 1e-13);
  sn_state_copy(sys, &p->w->trial, &s->state);
  int free = 0;
  status = sn_check_supports(s, &s->state, &free);
  if (status) return status;
  if (free > 0) p->w->shift = p->w->little;
  if (!sn_statics_newton(p->w, p->begin, true))
    return sn_fail(
        s->context, SN_NUMERICS,
        "no equilibrium was found at the start of the path, at a load factor of %g; worst at '%s'\n  possible "
        "remedy: a stage 'statics' before it",
        p->begin, sn_system_owner(sys, p->w->worst));
  if (!find_tangent(s, p, true))
    return sn_fail(s->context, SN_NUMERICS,
                   "a path needs loads (gravity, prescribed forces) that deform the structure");
  accept(s, p);
  sn_state_copy(sys, &s->before, &s->state);
  p->arc = p->first = (p->spec->largest - p->begin) / p->spec->steps / p->ts;
  p->unstable = count_unstable(s, p);
  judge_stability(s, p, p->unstable);
  if (!p->symmetric)
    sn_add_note(s,
                "path: loads that are not conservative (followers, moments fixed in space): stability is not judged");
  return SN_OK;
}

/* The longest step that the corrector, the turn of the tangent and the load step allow. */
static bool take_step(sn_simulation *s, path *p) {
  const double shortest = 1e-10 * p->first, largest = (p->spec->largest - p->lowest) / p->spec->steps;
  if (fabs(p->ts) * p->arc > largest) p->arc = largest / fabs(p->ts);
  for (; p->arc >= shortest; p->arc /= 2, s->system->statistics.newton_rejections++) {
    if (!find_point(s, p, p->arc)) continue;
    double turn = p->ts * p->new_ts + inner(s->system->n, p->Mt, p->new_t);
    if (turn < MOST_TURN && p->arc > 1e-3 * p->first) continue;
    if (fabs(p->new_s - p->s) <= 2 * largest) return true;
  }
  return false;
}

static void note_limit(sn_simulation *s, path *p) {
  sn_add_note(s, sn_format(&s->arena, "path: limit point at a load factor of %.8g (a %s of the load)", p->new_s,
                           p->ts > 0 ? "maximum" : "minimum"));
  p->limits++;
}

/* A bifurcation between the last point and a limit point at the arc length b: directions are counted just before it, where
 * its own is still stable (or unstable). */
static void note_before_limit(sn_simulation *s, path *p, double b) {
  const double before = 0.99 * b;
  if (p->limits > 0 || p->unstable < 0 || !find_point(s, p, before)) return;
  const int unstable = count_unstable(s, p);
  if (unstable < 0 || unstable == p->unstable) return;
  note_bifurcation(s, p, before, unstable);
  p->unstable = unstable;
}

/* What lies within the step to w->trial: the end of the path, a limit point, which w->trial then is (true), or a
 * bifurcation. */
static bool meet_events(sn_simulation *s, path *p) {
  const double top = p->spec->largest;
  double b = p->arc;
  const bool limit = p->ts * p->new_ts < 0 && fabs(p->ts) > 1e-6 && locate(s, p, &b, true, 0);
  const double end = p->new_s >= top ? top : p->new_s <= p->lowest ? p->lowest : NAN;
  if (!isnan(end)) {
    s->finished = locate(s, p, &b, false, end);
    p->new_s = end;
  }
  if (limit && isnan(end)) {
    note_before_limit(s, p, b);
    find_point(s, p, b);
    note_limit(s, p);
    return true;
  }
  const int unstable = count_unstable(s, p), change = abs(unstable - p->unstable);
  if (unstable >= 0 && p->unstable >= 0 && (p->limits == 0 ? change != 0 : (change - p->limits) % 2 != 0)) {
    note_bifurcation(s, p, b, unstable);
    find_point(s, p, b);
  }
  p->unstable = unstable;
  p->limits = 0;
  return false;
}

static sn_status path_step(sn_simulation *s) {
  path *p = s->progress;
  if (!take_step(s, p))
    return sn_fail(s->context, SN_NUMERICS,
                   "the path could not be continued beyond a load factor of %.6g: the arc step is down to %.2g of the "
                   "first, worst at '%s'",
                   p->s, p->arc / p->first, sn_system_owner(s->system, p->w->worst));
  const bool easy = p->w->iterations <= EASY;
  const bool limit = meet_events(s, p);
  judge_stability(s, p, limit ? count_unstable(s, p) : p->unstable);
  accept(s, p);
  if (easy) p->arc *= 1.5;
  if (p->points > p->spec->points && !s->finished) {
    s->finished = true;
    sn_add_doubt(
        s, SN_DOUBTFUL,
        sn_format(&s->arena, "path: it ends after %d points, at a load factor of %.6g", p->spec->points, p->s));
  }
  if (s->finished) sn_doubt_static_mesh(s);
  if (s->finished && p->unstable > 0) sn_add_note(s, "path: the last equilibrium is unstable");
  sn_clear_message(s->context);
  return SN_OK;
}

static double path_rows(const sn_spec *spec) {
  return ((const path_spec *)(const void *)spec)->points;
}

static const sn_field path_fields[] = {
    {"largest_load", SN_REAL, SN_AT(path_spec, largest), .def = "1",
     .help = "load factor at which the path ends: gravity and all prescribed forces and moments are multiplied by it"},
    {"smallest_load", SN_REAL, SN_AT(path_spec, smallest),
     .help = "load factor at which it ends too; default: minus the largest"},
    {"steps", SN_INT, SN_AT(path_spec, steps), .def = "20", .limits = SN_AT_LEAST(1),
     .help = "smallest number of steps between the two; the size of the steps is adapted to the curvature of the path"},
    {"points", SN_INT, SN_AT(path_spec, points), .def = "500", .limits = SN_AT_LEAST(1),
     .help = "largest number of points; the path ends there"},
    {"tolerance", SN_REAL, SN_AT(path_spec, tolerance), .def = "1e-8", .limits = SN_POSITIVE,
     .help = "residual forces, relative to the largest force, and last correction of the coordinates, relative to "
             "max(1, |q|)"},
    {0},
};

const sn_analysis_ops sn_path = {
    .kind = {.name = "path",
             .category = SN_ANALYSES,
             .summary = "equilibrium path around limit points (arc-length continuation), with its stability; the load "
                        "factor begins at 0, in a later stage at 1",
             .fields = path_fields,
             .spec_size = sizeof(path_spec)},
    .quasi_static = true,
    .every_step = true,
    .begin = path_begin,
    .step = path_step,
    .rows = path_rows,
};
