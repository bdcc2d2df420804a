/* loads.c - see loads.h. */
#include "analysis/loads.h"

#include <math.h>

#include "analysis/simulation.h"
#include "analysis/trust.h"
#include "analysis/trust_remedy.h"
#include "model/formula.h"

static const double GAP = 1e-12;        /* of the run: times closer together are regarded as one */
static const double LEAST = 1e-3;       /* of that: times farther apart are distinct */
static const double DRIVER_JUMP = 1e-9; /* relative to max(1, |f|): a smaller one is rounding */
static const double UNBOUNDED = 0.01;   /* of the run, where nothing can be said about a formula */
static const double UNSEEN = 0.1;       /* of a load, between the ends of a fixed step */
static const double MISJUDGED = 0.2;    /* of a load, in the mean over a fixed step */

/* Times closer together are regarded as one. */
static double moment(const sn_simulation *s) {
  return GAP * fmax(fabs(s->state.t), isfinite(s->end) ? s->end - s->begin : 1);
}

/* ---- all functions of the model ---- */

/* Expressions of the state that depend on time alone; live.c has the others. */
static int collect_formulas(const sn_simulation *s, sn_load_function *item) {
  int count = 0;
  for (int i = 0; i < s->model->formulas; i++) {
    const sn_formula *f = s->model->formula[i];
    if (f->variables > 0) continue;
    if (item) item[count] = (sn_load_function){.resolution = {.f = f->f}, .owner = f->owner};
    count++;
  }
  return count;
}

/* Values for variables that are not quantities of the model, such as the place where a pressure acts: without symmetry, so
 * that no factor is zero by chance. */
static const double somewhere[SN_EXPR_VARIABLES] = {0.618, 0.414, 0.732, 0.236, 0.871, 0.303, 0.547, 0.159};

/* Every field that holds a function of time, by the tables of the kinds: what a joint prescribes matters by its second
 * derivative. Counts them, and fills the items where there are any to fill. */
static int collect(const sn_simulation *s, sn_load_function *item) {
  static const sn_category categories[] = {SN_JOINTS, SN_FORCES};
  int count = 0;
  for (size_t c = 0; c < SN_COUNT(categories); c++) {
    const sn_list *list = &s->model->document->list[categories[c]];
    for (int i = 0; i < list->count; i++) {
      const sn_spec *spec = list->item[i];
      for (const sn_field *field = spec->kind->fields; field->name; field++) {
        if (categories[c] == SN_JOINTS && field->type == SN_FORMULA) continue; /* read at instants, or listed below */
        const int functions = sn_type_functions(field->type);
        const sn_expr *const *f = (const sn_expr *const *)(const void *)((const char *)spec + field->at);
        for (int k = 0; k < functions; k++) {
          if (!f[k] || sn_expr_is_constant(f[k]) || sn_find_formula(s->model, f[k])) continue;
          if (sn_expr_has_variables(f[k]) && !sn_expr_uses(f[k], -1)) continue;
          if (item)
            item[count] = (sn_load_function){.resolution = {.f = f[k],
                                                            .x = sn_expr_has_variables(f[k]) ? somewhere : NULL,
                                                            .level = categories[c] == SN_JOINTS ? 2 : 0},
                                             .owner = spec->name};
          count++;
        }
      }
    }
  }
  return count + collect_formulas(s, item ? item + count : NULL);
}

/* Relative to the size of a function; the finest keeps steps of methods of high order as long as they can be. */
double sn_function_tolerance(const sn_simulation *simulation) {
  const sn_integrator_spec *s = simulation->settings;
  const double relative = s->relative > 0 ? s->relative : s->tolerance;
  const double absolute = s->absolute > 0 ? s->absolute : s->tolerance;
  return s->step > 0 ? 1e-3 : fmin(fmax(fmin(relative, absolute), 1e-7), 1e-3);
}

/* ---- tables ---- */

/* How far a cubic spline leaves the values it goes through, as a share of their range:
 *   y = A y0 + B y1 + ((A^3 - A) m0 + (B^3 - B) m1) h^2/6,   A = 1 - B */
static double overshoot(const sn_table *t) {
  enum { INTERVALS = 16 };
  double low = t->y[0], high = t->y[0], most = 0;
  for (int i = 1; i < t->count; i++) low = fmin(low, t->y[i]), high = fmax(high, t->y[i]);
  for (int i = 0; i + 1 < t->count; i++)
    for (int k = 1; k < INTERVALS; k++) {
      const double B = (double)k / INTERVALS, A = 1 - B, h = t->x[i + 1] - t->x[i];
      const double y =
          A * t->y[i] + B * t->y[i + 1] + ((A * A * A - A) * t->m[i] + (B * B * B - B) * t->m[i + 1]) * h * h / 6;
      most = fmax(most, fmax(low - y, y - high));
    }
  return high > low ? most / (high - low) : 0;
}

/* Splines through uneven points swing far beyond them. */
static void check_tables(sn_simulation *s) {
  const double much = 0.1, too_much = 1;
  const sn_document *d = s->model->document;
  for (int i = 0; i < d->table_count; i++) {
    const sn_table *t = &d->tables[i];
    const double over = t->m ? overshoot(t) : t->grid && t->grid->m[0] ? sn_grid_overshoot(t) : 0;
    if (over <= much) continue;
    sn_add_doubt(s, over > too_much ? SN_BAD : SN_DOUBTFUL,
                 sn_format(&s->arena,
                           "the cubic spline of table '%s' exceeds its values by %.2g of their range: use "
                           "interpolation: linear, or more evenly spaced points",
                           d->tables[i].name, over));
  }
}

void sn_begin_loads(sn_simulation *s) {
  sn_loads *loads = &s->loads;
  if (!loads->item) {
    check_tables(s);
    loads->count = collect(s, NULL);
    loads->item = SN_NEW(&s->arena, sn_load_function, loads->count + 1);
    collect(s, loads->item);
  }
  loads->until = loads->check = -INFINITY;
  for (int i = 0; i < loads->count; i++) {
    sn_resolution *r = &loads->item[i].resolution;
    const double t = s->state.t, near = moment(s);
    sn_resolution_begin(r, r->f, r->x, r->level, sn_function_tolerance(s), t, s->end);
    if (t > s->begin && !sn_expr_taylor_at(r->f, r->x, t - near, t + near, 0).smooth)
      r->next = t; /* goes on at a jump or kink */
  }
}

/* ---- jumps ---- */

typedef enum jump { NO_JUMP, ACCELERATION_JUMPS, VELOCITY_JUMPS, POSITION_JUMPS } jump;

static bool differ(double a, double b, double share, double least) {
  return fabs(a - b) > share * fmax(fmax(fabs(a), fabs(b)), least);
}

static jump jump_of(const sn_resolution *r, double from, double to) {
  const sn_jet a = sn_expr_jet_at(r->f, from, r->x), b = sn_expr_jet_at(r->f, to, r->x);
  if (r->level == 0) return differ(a.value, b.value, r->tolerance, r->least) ? ACCELERATION_JUMPS : NO_JUMP;
  if (differ(a.value, b.value, DRIVER_JUMP, 1)) return POSITION_JUMPS;
  if (differ(a.rate, b.rate, DRIVER_JUMP, 1)) return VELOCITY_JUMPS;
  return differ(a.accel, b.accel, r->tolerance, r->least) ? ACCELERATION_JUMPS : NO_JUMP;
}

static sn_status refuse_jump(sn_simulation *s, const sn_load_function *item, double from, double to) {
  const sn_resolution *r = &item->resolution;
  const double before = sn_expr_jet_at(r->f, from, r->x).value, after = sn_expr_jet_at(r->f, to, r->x).value;
  return sn_fail(s->context, SN_NUMERICS,
                 "the motion prescribed by '%s' jumps by %.3g, from %g to %g, at t = %g s: no motion can follow it\n  "
                 "possible remedy: a smooth driver, for example step(t, t0, 0, t1, 1)",
                 item->owner, fabs(after - before), before, after, to);
}

/* The impulse of the constraints does the work T1 - T0, all of it that of the drivers: the other constraints rest. */
static sn_status follow_impulse(sn_simulation *s, const char *owner) {
  sn_energy before, after;
  sn_system_energy(s->audit, &s->state, &before);
  sn_status status = sn_project_rates(s->system, &s->state);
  if (status) return status;
  sn_system_energy(s->audit, &s->state, &after);
  s->work[SN_E_DRIVER - SN_E_APPLIED] += after.kinetic - before.kinetic;
  sn_add_note(s, sn_format(&s->arena,
                           "the velocity prescribed by '%s' jumps at t = %g s: velocities change by an impulse, which "
                           "is not included in the recorded forces",
                           owner, s->state.t));
  return SN_OK;
}

static sn_status restart_integrator(sn_simulation *s) {
  if (s->ops->restart) {
    s->ops->restart(s->integrator, &s->state);
    return SN_OK;
  }
  const char *name = s->integrator_name;
  sn_status status = sn_make_integrator(s);
  s->integrator_name = name;
  return status;
}

/* From here on another piece of a function holds: the state of the far side, and a method without memory of this one.
 */
static sn_status start_again(sn_simulation *s, jump worst, const char *owner) {
  sn_status status = worst == VELOCITY_JUMPS ? follow_impulse(s, owner) : sn_solve_accelerations(s->system, &s->state);
  if (status == SN_OK) status = restart_integrator(s);
  if (status == SN_OK) sn_begin_work(s);
  sn_state_copy(s->system, &s->before, &s->state); /* no step to interpolate in */
  return status;
}

sn_status sn_follow_change(sn_simulation *s) {
  s->loads.check = -INFINITY;
  return s->ops ? start_again(s, NO_JUMP, NULL) : SN_OK;
}

static sn_status cross(sn_simulation *s, double to) {
  const double from = s->state.t;
  const sn_load_function *where = NULL;
  jump worst = NO_JUMP;
  for (int i = 0; i < s->loads.count; i++) {
    const jump here = jump_of(&s->loads.item[i].resolution, from, to);
    if (here > worst) worst = here, where = &s->loads.item[i];
  }
  if (worst == POSITION_JUMPS) return refuse_jump(s, where, from, to);
  s->state.t = to;
  return worst == NO_JUMP ? SN_OK : start_again(s, worst, where->owner);
}

/* ---- steps ---- */

static void tell_unbounded(sn_simulation *s, sn_load_function *item) {
  if (item->told) return;
  item->told = true;
  sn_add_doubt(s, SN_DOUBTFUL,
               sn_format(&s->arena,
                         "the expression of '%s' could not be bounded within steps up to t = %g s: short loads may be "
                         "missed; the cause is terms that cancel, or equal arguments of min, max, ==",
                         item->owner, s->state.t));
}

/* Up to where all functions are resolved; *beyond: a place where one is not smooth is here, and this is its far side.
 */
static void look_ahead(sn_simulation *s, double *beyond) {
  sn_loads *loads = &s->loads;
  const double t = s->state.t;
  loads->until = loads->check = s->end;
  *beyond = t;
  for (int i = 0; i < loads->count; i++) {
    sn_resolution *r = &loads->item[i].resolution;
    sn_resolution_update(r, t);
    const bool broken = !isnan(r->next);
    if (broken && r->until - t <= moment(s)) *beyond = fmax(*beyond, fmax(r->next, t + LEAST * moment(s)));
    if (r->unbounded > UNBOUNDED * (s->end - s->begin)) tell_unbounded(s, &loads->item[i]);
    loads->until = fmin(loads->until, r->until);
    loads->check = fmin(loads->check, broken ? r->until : (r->from + r->until) / 2);
  }
}

/* If earlier steps are much longer than the next one, local errors estimated from them are far too small. */
static bool outlives_memory(const sn_simulation *s) {
  const double much = 10, last = s->state.t - s->before.t;
  return s->ops->multistep && last > much * (s->loads.until - s->state.t) && s->loads.until < s->end;
}

sn_status sn_limit_to_loads(sn_simulation *s, double *limit) {
  enum { CROWD = 64 }; /* breaks within one moment */
  sn_loads *loads = &s->loads;
  if (loads->count == 0) return SN_OK;
  for (int k = 0; s->state.t >= loads->check && k < CROWD; k++) {
    double beyond;
    look_ahead(s, &beyond);
    if (!(beyond > s->state.t)) break;
    sn_status status = cross(s, beyond);
    if (status) return status;
    loads->check = -INFINITY;
  }
  *limit = fmin(*limit, fmax(loads->until, s->state.t + moment(s)));
  return outlives_memory(s) ? start_again(s, NO_JUMP, NULL) : SN_OK;
}

/* One step across a jump has an error of a part of it. If the mean of a load is wrong in two consecutive steps, the
 * load is narrower than the steps. */
static bool was_missed(sn_load_function *item, double from, double to) {
  const sn_resolution *r = &item->resolution;
  const bool before = item->doubtful;
  item->doubtful = to > r->until && sn_misjudged(r, from, to) > MISJUDGED;
  return (before && item->doubtful) || (to > r->until && sn_unseen(r, from, to) > UNSEEN);
}

/* A jump of a prescribed velocity takes an impulse, which a fixed step spreads over its length; work and reactions of
 * that step are not those of the jump. */
static void tell_jump(sn_simulation *s, const sn_load_function *item, double to) {
  const sn_resolution *r = &item->resolution;
  if (r->level == 0 || isnan(r->next) || r->until >= to) return;
  const jump here = jump_of(r, r->until, r->next + LEAST * moment(s));
  if (here < VELOCITY_JUMPS) return;
  sn_add_doubt(s, here == POSITION_JUMPS ? SN_BAD : SN_DOUBTFUL,
               sn_format(&s->arena, "the %s prescribed by '%s' jumps at t = %g s, within a fixed step: %s%s",
                         here == POSITION_JUMPS ? "motion" : "velocity", item->owner, r->next,
                         here == POSITION_JUMPS
                             ? "no motion can follow it"
                             : "work and reactions in this step are not those of an impulse; use a smooth driver",
                         here == POSITION_JUMPS ? "" : sn_remedy_adaptive(s)));
}

enum { ENOUGH = 1000 }; /* limit of the count, to save computing time */

void sn_check_loads(sn_simulation *s) {
  sn_loads *loads = &s->loads;
  const double from = s->before.t, to = s->state.t;
  if (loads->count == 0 || to <= loads->until || s->system->statistics.unseen_loads >= ENOUGH) return;
  loads->until = s->end;
  for (int i = 0; i < loads->count; i++) {
    sn_load_function *item = &loads->item[i];
    sn_resolution_update(&item->resolution, from);
    loads->until = fmin(loads->until, item->resolution.until);
    tell_jump(s, item, to);
    const bool missed = was_missed(item, from, to);
    if (item->doubtful) loads->until = -INFINITY; /* look at the next step, too */
    if (!missed || s->system->statistics.unseen_loads++ > 0) continue;
    sn_add_doubt(
        s, SN_DOUBTFUL,
        sn_format(&s->arena,
                  "the load, motion or event '%s' changes too much within one fixed step (%g s), first at t = %g "
                  "s: use a smaller step%s",
                  item->owner, to - from, from, sn_remedy_adaptive(s)));
  }
}
