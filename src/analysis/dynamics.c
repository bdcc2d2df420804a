/* dynamics.c - motion from a start: an integrator, its settings, steps. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/choice.h"
#include "analysis/crossings.h"
#include "analysis/evidence.h"
#include "analysis/guided.h"
#include "analysis/impact.h"
#include "analysis/live.h"
#include "analysis/overlap.h"
#include "analysis/samples.h"
#include "analysis/simulation.h"
#include "analysis/sticking.h"
#include "analysis/stops.h"
#include "base/hash.h"
#include "contact/ccp.h"
#include "contact/contact.h"
#include "math/constants.h"
#include "model/settings.h"
#include "system/phases.h"

/* ---- settings: the model's, then the caller's ---- */

sn_integrator_spec *sn_copy_settings(sn_simulation *s, const sn_spec *method) {
  return memcpy(sn_alloc(&s->arena, 1, method->kind->spec_size), method, method->kind->spec_size);
}

/* A method chosen by name comes with its defaults, read from its table like any other; {type: name, ...} is read as in
 * a model file. */
static sn_status use_integrator_named(sn_simulation *s, const char *name) {
  sn_arena arena = {0};
  const sn_spec *method;
  sn_status status = sn_read_method(s->context, &arena, name, &method);
  if (status == SN_OK) {
    s->settings = sn_copy_settings(s, method);
    s->settings->spec.node = s->settings->spec.label = NULL; /* they go with the arena */
    s->settings->spec.name = "";
  }
  sn_arena_free(&arena);
  return status;
}

/* The accuracy of the file for another method, and a note of it. */
static void keep_accuracy(sn_simulation *s, const sn_integrator_spec *file) {
  sn_integrator_spec *now = s->settings;
  const sn_kind *from = file->spec.kind, *to = now->spec.kind;
  const bool own = sn_has_accuracy(&now->spec);
  sn_keep_accuracy(&file->spec, &now->spec);
  if (own || s->options.step > 0 || s->options.tolerance > 0) return;
  char kept[64];
  if (now->step > 0)
    snprintf(kept, sizeof kept, "fixed step %g s", now->step);
  else
    snprintf(kept, sizeof kept, "tolerance %g", now->tolerance);
  sn_add_note(s, sn_format(&s->arena, "integrator %s instead of %s in the model file, with %s %s", to->name, from->name,
                           (file->step > 0) == (now->step > 0) ? "the model's" : "its default", kept));
}

static sn_status choose_settings(sn_simulation *s, const sn_dynamics_spec *analysis) {
  const sn_options *options = &s->options;
  const sn_integrator_spec *given = analysis ? (const sn_integrator_spec *)(const void *)analysis->integrator : NULL;
  const char *name = options->integrator ? options->integrator : given ? given->spec.kind->name : "auto";
  sn_status status = SN_OK;
  bool same = given && strcmp(name, given->spec.kind->name) == 0;
  if (same)
    s->settings = sn_copy_settings(s, &given->spec);
  else
    status = use_integrator_named(s, name);
  if (status) return status;
  if (given && !same) keep_accuracy(s, given);
  sn_set_end(s, analysis ? s->begin + analysis->duration : INFINITY);
  s->output_step = analysis && sn_given(analysis, "output_step") ? analysis->output_step
                   : analysis                                    ? analysis->duration / 200
                                                                 : 0.01;
  sn_integrator_spec *in_force = s->settings;
  /* Forces of contact have corners, at which a step of low order errs by the same however short the others are. */
  const sn_integrator_ops *ops = (const sn_integrator_ops *)(const void *)in_force->spec.kind;
  if (!sn_given(in_force, "bounds") && (ops->bounds_steps || (s->model->surfaces && s->model->surfaces->penalty)))
    in_force->bounds = SN_BOUND_STEP;
  /* of the file, not of where the caller stops: a run that is stopped and resumed is the same run */
  if (!(in_force->horizon > 0)) in_force->horizon = analysis ? analysis->duration : 1;
  sn_set_accuracy(&in_force->spec, options->step, options->tolerance);
  status = sn_check_steps_in_force(s->context, &in_force->spec);
  if (status) return status;
  if (options->finer > 0) sn_refine_accuracy(&in_force->spec, options->finer);
  return SN_OK;
}

/* Do steps or tolerances, and the model's contacts, suit the method? */
static sn_status check_fit(sn_simulation *s) {
  const sn_integrator_ops *ops = (const sn_integrator_ops *)(const void *)s->settings->spec.kind;
  const char *name = ops->kind.name;
  const bool fixed_only = !sn_field_value(s->settings, "tolerance");
  if (!sn_field_value(s->settings, "step") && s->options.step > 0)
    return sn_fail(s->context, SN_USAGE, "%s has adaptive steps only: specify a tolerance, not a step", name);
  if (fixed_only && !(s->settings->step > 0) && s->chosen)
    return sn_fail(
        s->context, SN_USAGE,
        "auto selects %s for contacts of method dvi or rigid stops, which needs a fixed step: {type: %s, step: 1e-4}",
        name, name);
  if (fixed_only && !(s->settings->step > 0))
    return sn_fail(s->context, SN_USAGE,
                   "%s has no error control: specify a fixed step, for example {type: %s, step: 1e-4}", name, name);
  if (s->model->surfaces && s->model->surfaces->dvi && !ops->impulsive && !ops->choose)
    return sn_fail(s->context, SN_USAGE,
                   "%s does not support contacts of method dvi: use symplectic-euler, or method penalty", name);
  if (s->model->rigid_stops && !ops->impulsive && !ops->choose)
    return sn_fail(s->context, SN_USAGE,
                   "%s does not support stops with a restitution: use symplectic-euler, or a stiffness", name);
  if (s->model->massless && ops->inverts_mass)
    return sn_fail(s->context, SN_USAGE, "%s does not support sliding joints: use hht-i3 or radau", name);
  if (s->model->reactive &&
      (ops->inverts_mass ||
       (ops->mass_only && s->model->reactive_laws))) /* their forces are those without multipliers */
    return sn_fail(s->context, SN_USAGE,
                   "%s does not support friction in sliding joints and other forces that depend on reactions: use "
                   "hht-i3, radau or erk",
                   name);
  return SN_OK;
}

sn_status sn_use_method(sn_simulation *s, const char *name, const sn_integrator_spec *given, double share) {
  sn_status status = use_integrator_named(s, name);
  sn_integrator_spec *now = s->settings;
  if (status) return status;
  now->step = given->step;
  now->tolerance = share * given->tolerance;
  now->relative = share * given->relative;
  now->absolute = share * given->absolute;
  now->bounds = given->bounds;
  now->horizon = given->horizon;
  now->initial_step = given->initial_step;
  if (given->min_step > 0) now->min_step = given->min_step; /* 0: a method without adaptive steps */
  if (given->max_step > 0) now->max_step = given->max_step;
  now->solver = given->solver;
  return SN_OK;
}

/* Its time is that of runs beside this one. */
static sn_choice try_methods(sn_simulation *s) {
  const sn_phase_mark mark = sn_phase_begin(s->system, SN_PHASE_COMPANION);
  const sn_choice choice = sn_try_methods(s, s->given);
  sn_phase_end(s->system, &mark);
  return choice;
}

double sn_identity(const sn_integrator_spec *settings) {
  const sn_kind *kind = settings->spec.kind;
  uint64_t hash = sn_hash(sn_hash_begin, kind->name, strlen(kind->name));
  for (const sn_field *field = kind->fields; field->name; field++)
    hash = sn_hash(hash, (const char *)settings + field->at, sn_type_size(field->type));
  return (double)(hash >> 11);
}

static const char *in_words(double share) {
  return share > 0.5 ? "" : share > 0.05 ? " with a tenth of the tolerance" : " with a hundredth of the tolerance";
}

/* `auto`: another method takes its place, with the settings all of them share; decided from what is known of the model,
 * or by trial. A run that is resumed keeps the decision, unless a step or a tolerance of its own calls for another. */
static sn_status choose_method(sn_simulation *s) {
  const sn_integrator_ops *ops = (const sn_integrator_ops *)(const void *)s->settings->spec.kind;
  if (!ops->choose) { /* a checkpoint may be of a run in which `auto` had chosen */
    s->chosen = NULL, s->share = 1, s->trial_work = 0;
    return SN_OK;
  }
  s->given = s->settings;
  const double asked = sn_identity(s->given);
  const bool kept = s->chosen && asked == s->asked; /* from a checkpoint */
  if (!kept) {
    s->chosen = NULL, s->share = 1, s->asked = asked;
    s->trial_work = s->tried_at = s->tried_error = 0;
    sn_choice choice = {NULL, 1, NULL};
    choice.method = ops->choose(s->system, s->given, &choice.reason);
    if (!choice.method) choice = try_methods(s);
    s->chosen = choice.method;
    s->share = choice.share;
    sn_add_note(s, sn_format(&s->arena, "integrator %s: %s%s, because %s", ops->kind.name, s->chosen,
                             in_words(s->share), choice.reason));
  }
  sn_status status = sn_use_method(s, s->chosen, s->given, s->share);
  return status == SN_OK ? check_fit(s) : status;
}

/* Friction pyramids in place of cones are another law. */
static void tell_facets(sn_simulation *s) {
  bool friction = false;
  const sn_surfaces *surfaces = s->model->surfaces;
  if (!surfaces || !sn_field_value(s->settings, "contact_solver")) return;
  const sn_ccp_solver_ops *solver = sn_ccp_solver((int)sn_setting(s, "contact_solver"));
  const int facets = (int)sn_setting(s, "contact_facets");
  if (!solver->pyramids) return;
  for (int k = 0; k < surfaces->laws; k++) friction |= surfaces->law[k].dvi && surfaces->law[k].friction > 0;
  if (friction)
    sn_add_note(s, sn_format(&s->arena,
                             "contact_solver %s: friction pyramids with %d facets; between their edges friction is up "
                             "to %.1f %% below Coulomb's law",
                             solver->name, facets, 100 * (1 - cos(SN_PI / facets))));
}

static sn_status make_integrator(sn_simulation *s) {
  sn_status status = sn_make_integrator(s);
  if (s->chosen) s->integrator_name = sn_format(&s->arena, "%s (%s)", s->given->spec.kind->name, s->chosen);
  return status;
}

static sn_status go_on_with(sn_simulation *s, const sn_choice *choice) {
  s->chosen = choice->method;
  s->share = choice->share;
  sn_add_note(s, sn_format(&s->arena, "integrator %s: %s%s from t = %g s, because %s", s->given->spec.kind->name,
                           s->chosen, in_words(s->share), s->state.t, choice->reason));
  sn_status status = sn_use_method(s, s->chosen, s->given, s->share);
  return status == SN_OK ? make_integrator(s) : status;
}

/* Another trial during the run, and another method if it is much better. */
static sn_status choose_again(sn_simulation *s) {
  sn_choice choice = try_methods(s);
  bool same = strcmp(choice.method, s->chosen) == 0 && choice.share >= s->share;
  return same ? SN_OK : go_on_with(s, &choice);
}

/* The method that was chosen fails: the other one goes on, once, and no trial brings the first back. */
static sn_status step_otherwise(sn_simulation *s, double limit) {
  const bool high = strcmp(s->chosen, "radau") == 0;
  const sn_choice other = {high ? "hht-i3" : "radau", high ? 1 : s->share,
                           sn_format(&s->arena, "%s fails there", s->chosen)};
  s->trial_work = 0;
  sn_clear_message(s->context);
  sn_status status = go_on_with(s, &other);
  return status == SN_OK ? s->ops->step(s->integrator, &s->state, &s->before, limit) : status;
}

/* ---- the analysis ---- */

static sn_status dynamics_begin(sn_simulation *s, const sn_spec *spec) {
  static const char *const solvers[] = {NULL, "ldl", "klu"};
  sn_status status = choose_settings(s, (const sn_dynamics_spec *)(const void *)spec);
  if (status == SN_OK) status = check_fit(s);
  if (status) return status;
  const char *solver = s->options.solver ? s->options.solver : solvers[s->settings->solver];
  const sn_integrator_ops *ops = (const sn_integrator_ops *)(const void *)s->settings->spec.kind;
  if (s->model->massless && solver && strcmp(solver, "ldl") == 0)
    return sn_fail(s->context, SN_USAGE, "the linear solver ldl does not support sliding joints: use klu");
  if (ops->mass_only && !s->model->massless && (!solver || strcmp(solver, "auto") == 0)) solver = "ldl";
  status = sn_system_use_solver(s->system, solver);
  if (status == SN_OK) status = sn_system_use_solver(s->audit, solver);
  if (status) return status;
  status = choose_method(s);
  if (status == SN_OK) status = make_integrator(s);
  if (status) return status;
  s->finished = s->state.t >= s->end;
  if (sn_system_kick_damping(s->system) > 0 && sn_setting(s, "elastic") == 0)
    sn_add_note(s, "damping is implicit: explicit damping would need a shorter step");
  if (s->model->sampled && s->settings->step > 0 && !s->is_fork)
    sn_add_note(s, "fixed steps end at the instants of sampled controllers and servos, and count from there");
  s->impacts = sn_impacts_create(s);
  sn_begin_loads(s);
  sn_begin_crossings(s);
  tell_facets(s);
  return SN_OK;
}

/* Rounding leaves no remainder to step over: what is as good as the end is the end. A stage that ends where a load
 * jumps has ended before the jump, and its work is done. */
static void meet(sn_simulation *s, double end) {
  const double left = end - s->state.t;
  if (isfinite(end) && (left <= 1e-9 * (s->state.t - s->before.t) || left <= 1e-12 * fmax(fabs(end), end - s->begin)))
    s->state.t = end;
}

/* Many steps: reported once, when the step size has settled. Methods of low order add up their local errors. */
static void predict_cost(sn_simulation *s) {
  enum { look = 200 };
  const double many = 2e6;
  const sn_integrator_spec *x = s->settings;
  if (s->system->statistics.steps != look || x->step > 0 || !isfinite(s->end)) return;
  double steps = look * (s->end - s->begin) / (s->state.t - s->begin);
  if (steps > many)
    sn_add_note(s, sn_format(&s->arena,
                             "with steps like the first %d this run needs %.1g steps; possible remedy: %sa larger "
                             "tolerance, or a shorter horizon",
                             look, steps,
                             s->system->statistics.local_error > 0 ? "an integrator of high order (radau), " : ""));
}

static sn_status step_method(sn_simulation *s, double limit) {
  const sn_phase_mark mark = sn_phase_begin(s->system, SN_PHASE_METHOD);
  const sn_status status = s->ops->step(s->integrator, &s->state, &s->before, limit);
  sn_phase_end(s->system, &mark);
  if (status == SN_OK) sn_clear_message(s->context); /* of an attempt that was repeated with a shorter step */
  return status;
}

/* How far the next step may go at most; *impact: how long it may be for the impacts that go on. */
static sn_status limit_step(sn_simulation *s, double *limit, double *impact) {
  const bool adaptive = !(s->settings->step > 0);
  *limit = fmin(s->end, s->pause);
  *impact = INFINITY;
  sn_status status = s->model->sampled ? sn_take_samples(s) : SN_OK;
  if (status == SN_OK && adaptive) status = sn_limit_to_loads(s, limit); /* fixed steps are not changed */
  if (status) return status;
  if (adaptive && s->system->contacts) {
    double safe = sn_contacts_safe_time(s->system->contacts, s->system->threads, s->state.q, s->state.v);
    *impact = sn_impact_step(s);
    *limit = fmin(*limit, s->state.t + fmin(safe, *impact));
  }
  if (adaptive && s->stops) {
    *impact = fmin(*impact, sn_stop_step(s));
    *limit = fmin(*limit, s->state.t + *impact);
  }
  if (s->model->sampled) *limit = fmin(*limit, sn_next_sample(s)); /* fixed steps too */
  if (adaptive) status = sn_limit_to_live(s, limit);
  if (adaptive) sn_limit_to_guided(s, limit);
  sn_limit_to_crossings(s, limit);
  return status;
}

/* One step, which ends where the motion makes a step end, at the latest at *end. */
static sn_status take_step(sn_simulation *s, double *impact, double *end) {
  bool again = true;
  double cut = INFINITY, limit;
  sn_status status = SN_OK;
  while (again && status == SN_OK && !s->finished) {
    status = sn_pass_crossings(s);
    if (status == SN_OK && !s->finished) status = limit_step(s, &limit, impact);
    if (status || s->finished) return status;
    *end = limit = fmin(limit, cut);
    sn_keep_step(s);
    status = step_method(s, limit);
    if (status == SN_NUMERICS && s->trial_work > 0) status = step_otherwise(s, limit);
    if (status == SN_OK) status = sn_check_crossings(s, &cut, &again);
    if (again && sn_is_shown_crossing(s)) return status; /* no step: the near side of a jump is here */
  }
  return status;
}

/* To the far side of a jump, both sides of which are recorded; no time passes. */
static sn_status pass_jump(sn_simulation *s) {
  sn_status status = sn_pass_crossings(s);
  s->at_event = 2;
  return status;
}

static sn_status dynamics_step(sn_simulation *s) {
  double impact = INFINITY, limit = INFINITY;
  bool adaptive = !(s->settings->step > 0);
  s->at_event = 0;
  if (sn_is_shown_crossing(s)) return pass_jump(s);
  sn_status status = sn_check_growth(s);
  if (status == SN_OK && sn_choice_due(s)) status = choose_again(s);
  long searches = s->system->contacts ? s->system->contacts->rebuilds : 0;
  if (status == SN_OK) status = take_step(s, &impact, &limit);
  if (status || s->finished) return status;
  s->at_event = sn_is_shown_crossing(s);
  if (s->at_event && s->state.t <= s->before.t) {
    sn_end_work(s);
    return SN_OK;
  }
  sn_impact_followed(s, impact);
  if (!adaptive) sn_check_loads(s);
  if (!adaptive) sn_check_live_fixed(s);
  if (!adaptive) sn_check_guided_fixed(s);
  if (!adaptive) sn_check_impacts(s);
  if (!adaptive) sn_check_stops(s);
  predict_cost(s);
  sn_add_work(s);
  s->system->statistics.contact.crept += sn_creeping(s) * (s->state.t - s->before.t);
  if (s->audit->contacts) s->system->statistics.contact.crept += s->audit->contacts->creep * (s->state.t - s->before.t);
  if (s->state.t < s->pause) meet(s, s->pause);
  if (s->model->sampled) meet(s, sn_next_sample(s));
  meet(s, s->end);
  s->finished = s->state.t >= s->end;
  sn_evidence_step(s, limit);
  status = sn_check_overlap(s);
  if (status == SN_OK && !adaptive) sn_check_passing(s, searches);
  return status;
}

static double dynamics_rows(const sn_spec *spec) {
  const sn_dynamics_spec *d = (const sn_dynamics_spec *)(const void *)spec;
  return d && sn_given(d, "output_step") ? ceil(d->duration / d->output_step) : 200;
}

static const sn_field dynamics_fields[] = {
    SN_START_FIELD,
    {"duration", SN_REAL, SN_AT(sn_dynamics_spec, duration), .unit = "s", .required = true, .limits = SN_POSITIVE,
     .help = "simulated time"},
    {"output_step", SN_REAL, SN_AT(sn_dynamics_spec, output_step), .unit = "s", .limits = SN_POSITIVE,
     .help = "interval between recorded states; default: duration/200"},
    {"integrator", SN_INTEGRATOR_SPEC, SN_AT(sn_dynamics_spec, integrator), .def = "auto",
     .help = "integrator: a name, or {type: name, ...}"},
    {"companion", SN_BOOL, SN_AT(sn_dynamics_spec, companion), .def = "true",
     .help = "a second, finer simulation (a tenth of the tolerance; half the step beside complementarity) runs beside "
             "this one and estimates its error for the verdict; some seconds of work at most; false: no estimate"},
    {0},
};

const sn_analysis_ops sn_dynamics = {
    .kind = {.name = "dynamics",
             .category = SN_ANALYSES,
             .summary = "motion from initial conditions",
             .fields = dynamics_fields,
             .spec_size = sizeof(sn_dynamics_spec)},
    .begin = dynamics_begin,
    .step = dynamics_step,
    .rows = dynamics_rows,
};
