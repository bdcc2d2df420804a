/* simulation.c - a model in motion: consistent start, steps, work done, outputs at any time. */
#include "analysis/simulation.h"

#include <math.h>
#include <string.h>

#include "analysis/companion.h"
#include "analysis/crossings.h"
#include "analysis/differences.h"
#include "analysis/events.h"
#include "analysis/evidence.h"
#include "analysis/hooks.h"
#include "analysis/modes.h"
#include "analysis/overlap.h"
#include "analysis/samples.h"
#include "analysis/stops.h"
#include "analysis/unique.h"
#include "base/cores.h"
#include "base/handles.h"
#include "force/forces.h"
#include "joint/guide.h"
#include "joint/primitive.h"
#include "joint/slide.h"
#include "math/vec3.h"
#include "sinew/machine.h"
#include "system/phases.h"

const char *const sn_energy_names[SN_ENERGIES] = {"kinetic",       "strain",       "gravity",     "spring",
                                                  "contact",       "applied_work", "driver_work", "damping_work",
                                                  "friction_work", "total",        "error"};
const char *const sn_stability_names[SN_STABILITIES] = {"eigenvalue", "unstable"};
const char *const sn_stability_units[SN_STABILITIES] = {"1/s2", ""};
const char *const sn_level_names[SN_LEVELS] = {"position", "velocity", "acceleration"};

/* ---- creation ---- */

double sn_total_energy(sn_system *system, const sn_state *state, sn_energy *e) {
  sn_system_energy(system, state, e);
  return e->kinetic + e->strain + e->gravity + e->spring + e->contact;
}

/* The first stage starts at its own time, a later one at the end of the previous one unless specified otherwise. */
static double start_time(const sn_simulation *s, const sn_spec *spec) {
  const sn_analysis_spec *head = (const sn_analysis_spec *)(const void *)spec;
  if (!head) return s->state.t;
  return s->stage == 0 || sn_given(head, "start") ? head->start : s->state.t;
}

const sn_analysis_ops *sn_stage_ops(const sn_spec *spec) {
  return spec ? (const sn_analysis_ops *)(const void *)spec->kind : &sn_dynamics;
}

bool sn_has_path(const sn_simulation *s) {
  for (int i = 0; i < s->stages; i++)
    if (sn_stage_ops(s->stage_spec[i]) == &sn_path) return true;
  return false;
}

void sn_begin_audit(sn_simulation *s) {
  sn_energy e;
  sn_system_copy_regularization(s->audit, s->system);
  sn_system_set_load(s->audit, 1);
  sn_state_copy(s->system, &s->before, &s->state);
  s->energy_start = sn_total_energy(s->audit, &s->state, &e);
  for (int k = 0; k < SN_WORKS; k++) s->energy_start -= s->work[k];
  sn_begin_work(s);
}

static void end_integrator(sn_simulation *s) {
  if (s->ops && s->integrator && s->ops->free) s->ops->free(s->integrator);
  s->ops = NULL;
  s->integrator = NULL;
  sn_arena_free(&s->integrator_arena);
}

/* What it takes from the system's arena goes when it goes. */
sn_status sn_make_integrator(sn_simulation *s) {
  assert(s->settings->spec.kind && s->settings->spec.kind->category == SN_INTEGRATORS);
  sn_arena kept = s->system->arena;
  end_integrator(s);
  s->ops = (const sn_integrator_ops *)(const void *)s->settings->spec.kind;
  s->integrator_name = s->ops->kind.name;
  sn_system_set_set_valued(s->system, s->ops->impulsive);
  sn_system_set_set_valued(s->audit, s->ops->impulsive);
  s->system->arena = (sn_arena){0};
  s->integrator = s->ops->create(s->system, s->settings, &s->state);
  s->integrator_arena = s->system->arena;
  s->system->arena = kept;
  if (!s->stops) s->stops = sn_stops_create(s); /* trials and companions resolve impacts too */
  return s->integrator ? SN_OK : SN_NUMERICS;   /* the context says why */
}

/* Only where time runs by steps are there instants. */
static sn_status begin_samples(sn_simulation *s) {
  if (s->analysis == &sn_dynamics) {
    sn_begin_samples(s);
    return sn_solve_accelerations(s->system, &s->state);
  }
  sn_add_note(s,
              sn_format(&s->arena, "sampled controllers and servos hold their outputs in %s", s->analysis->kind.name));
  return SN_OK;
}

/* A consistent state, then the analysis itself. Statics goes from the time of the last state to its own by itself. */
static sn_status begin_stage(sn_simulation *s) {
  const sn_spec *spec = s->stage_spec[s->stage];
  assert(s->stage >= 0 && s->stage < s->stages);
  sn_start start = s->start;
  sn_status status;
  s->analysis = sn_stage_ops(spec);
  s->finished = s->cut = false;
  s->at_event = 0;
  s->load = 1;
  for (int k = 0; k < SN_STABILITIES; k++) s->stability[k] = NAN;
  sn_evidence_end(s);
  end_integrator(s);
  s->chosen = NULL;
  s->share = 1;
  s->trial_work = s->tried_at = s->tried_error = 0;
  if (sn_check_stages(s)) return SN_USAGE;
  sn_system_set_load(s->system, 1);
  if (s->stage == 0) {
    s->state.t = start_time(s, spec);
    status = sn_make_consistent(s->system, &s->state, &s->start);
  } else {
    if (!s->analysis->quasi_static) s->state.t = start_time(s, spec);
    status = sn_make_consistent_from(s->system, &s->state, &start);
  }
  if (status == SN_OK && s->model->sampled) status = begin_samples(s);
  for (int i = 0; i < s->model->bodies && s->stage == 0; i++)
    if (s->model->body[i].note) sn_add_note(s, s->model->body[i].note);
  for (int i = 0; i < s->model->joints && s->stage == 0; i++)
    if (s->model->joint[i].note) sn_add_note(s, s->model->joint[i].note);
  if (status == SN_OK && s->stage == 0) status = sn_check_start_overlap(s);
  if (status == SN_OK) sn_begin_audit(s);
  if (status == SN_OK) status = sn_note_open_reactions(s);
  if (status == SN_OK) sn_evidence_begin(s);
  s->begin = s->state.t;
  s->end = start_time(s, spec);
  s->output_step = 1;
  sn_note_events(s);
  sn_system_hold(s->system, NULL);
  if (status == SN_OK) status = s->analysis->begin(s, spec);
  return status ? status : sn_check_length(s);
}

static sn_status begin_stage_timed(sn_simulation *s) {
  const sn_phase_mark mark = sn_phase_begin(s->system, SN_PHASE_START);
  const sn_status status = begin_stage(s);
  sn_phase_end(s->system, &mark);
  return status;
}

void sn_default_options(sn_options *options, size_t size) {
  memset(options, 0, size);
  options->size = size;
}

sn_status sn_take_options(sn_context *context, const sn_options *given, sn_options *options) {
  const size_t size = !given ? 0 : given->size ? given->size : sizeof *options;
  *options = (sn_options){0};
  if (given && size <= offsetof(sn_options, integrator))
    return sn_fail(context, SN_USAGE, "options of size %zu: sn_default_options sets it", size);
  for (size_t i = sizeof *options; i < size; i++)
    if (((const char *)given)[i])
      return sn_fail(context, SN_USAGE, "options that this version of the library does not have (%s)", SINEW_VERSION);
  if (given) memcpy(options, given, size < sizeof *options ? size : sizeof *options);
  options->size = sizeof *options;
  return SN_OK;
}

static void copy_options(sn_simulation *s, const sn_options *options) {
  s->options = *options;
  if (options->integrator) s->options.integrator = sn_format(&s->arena, "%s", options->integrator);
  if (options->analysis) s->options.analysis = sn_format(&s->arena, "%s", options->analysis);
  if (options->solver) s->options.solver = sn_format(&s->arena, "%s", options->solver);
}

sn_eval sn_eval_at(const sn_simulation *s, const sn_state *x) {
  return (sn_eval){.t = x->t,
                   .q = x->q,
                   .v = x->v,
                   .a = x->a,
                   .l = x->l,
                   .gravity = s->model->gravity,
                   .load = 1,
                   .ci = 1,
                   .inputs = s->inputs,
                   .discrete = s->discrete,
                   .host = s->host};
}

/* Angles of outputs are followed from the start on. */
static void follow_outputs(sn_simulation *s) {
  sn_eval ev = sn_eval_at(s, &s->state);
  sn_output_follow(s->model, &ev, s->memory);
  sn_follow_angles(s);
}

static int most_inputs(const sn_model *m) {
  int most = 0;
  for (int i = 0; i < m->sampled; i++)
    if (m->samples[i].inputs > most) most = m->samples[i].inputs;
  return most;
}

/* The same model with messages elsewhere. */
static const sn_model *with_context(sn_arena *arena, const sn_model *model, sn_context *context) {
  sn_model *own = SN_NEW(arena, sn_model, 1);
  *own = *model;
  own->context = context;
  return own;
}

/* Stages of the caller in place of those of the model. */
static sn_status read_stages(sn_simulation *s) {
  sn_list list = {0};
  if (!s->options.analysis) return SN_OK;
  const sn_status status = sn_read_stages(s->context, &s->arena, s->options.analysis, &list);
  if (status) return status == SN_BAD_MODEL ? SN_USAGE : status;
  s->stages = list.count;
  s->stage_spec = list.item;
  return SN_OK;
}

/* Memory, systems and states; nothing has begun. */
static sn_status make(const sn_model *model, const sn_options *options, sn_simulation **out) {
  static const sn_options none = {0};
  static const sn_spec *const nothing = NULL;
  const sn_list *list = &model->document->list[SN_ANALYSES];
  sn_arena arena = {0};
  sn_simulation *s = SN_NEW(&arena, sn_simulation, 1);
  if (options && options->context) model = with_context(&arena, model, options->context);
  s->arena = arena;
  s->model = model;
  s->context = model->context;
  s->stages = list->count > 0 ? list->count : 1;
  s->stage_spec = list->count > 0 ? list->item : &nothing;
  s->integrator_name = "";
  s->settings = SN_NEW(&s->arena, sn_integrator_spec, 1); /* until a stage has some */
  copy_options(s, options ? options : &none);
  if (s->options.threads == SN_THREADS_AUTO) s->options.threads = sn_useful_threads(model->n, sn_physical_cores());
  for (int i = 0; i < model->outputs; i++) s->output_columns += model->output[i].columns;
  s->memory = SN_NEW(&s->arena, sn_output_memory, model->outputs);
  double *work = sn_output_work(model, &s->arena);
  for (int i = 0; i < model->outputs; i++) s->memory[i].work = work;
  sn_create_differences(s);
  sn_status status = read_stages(s);
  if (status == SN_OK) status = sn_system_create(model, s->options.threads, s->options.solver, &s->system);
  *out = s;
  sn_handle_made(s);
  if (status) return status;
  s->inputs = SN_NEW(&s->arena, double, model->inputs + 1);
  for (int i = 0; i < model->inputs; i++) s->inputs[i] = NAN;
  sn_system_set_inputs(s->system, s->inputs);
  s->host = SN_NEW(&s->arena, sn_host, 1);
  s->host->function = SN_NEW(&s->arena, sn_host_function, model->inputs + 1);
  s->host->constraint = SN_NEW(&s->arena, sn_host_constraint, model->constraints + 1);
  sn_system_set_host(s->system, s->host);
  s->discrete = SN_NEW(&s->arena, double, model->discrete + 1);
  s->samples = SN_NEW(&s->arena, double, model->discrete + most_inputs(model) + 1);
  for (int i = 0; i < model->discrete; i++) s->discrete[i] = model->discrete0[i];
  sn_system_set_discrete(s->system, s->discrete);
  s->audit = sn_system_beside(s->system);
  sn_phases_ignore(s->audit); /* it computes outputs, which are a phase */
  sn_state_create(s->system, &s->state);
  sn_state_create(s->system, &s->before);
  const int size = s->system->n + s->system->m;
  double *room = s->system->room[0];
  s->sample = (sn_state){.q = room, .l = room + s->system->n, .v = room + size, .a = room + 2 * size};
  s->scratch = s->system->room[1];
  s->pause = INFINITY;
  s->viewed = NAN;
  s->cpu_start = sn_cpu_time();
  s->wall_start = sn_wall_time();
  return SN_OK;
}

typedef struct creation {
  const sn_model *model;
  const sn_options *options;
  const sn_simulation *at; /* whose state it begins with; NULL: that of the model */
  sn_simulation *simulation;
} creation;

/* The first stage is over: it ended in the state of `at`. */
static void begin_behind(sn_simulation *s, const sn_simulation *at) {
  const sn_spec **spec = SN_NEW(&s->arena, const sn_spec *, s->stages + 1);
  memcpy(spec + 1, s->stage_spec, (size_t)s->stages * sizeof *spec);
  s->stage_spec = spec;
  s->stages++;
  s->stage = 1;
  sn_take_over(s, at);
}

static void tell_threads(sn_simulation *s, int used) {
  const int cores = sn_physical_cores();
  sn_add_note(s, sn_format(&s->arena, "threads auto: %d of %d cores%s", used, cores,
                           used < cores ? ", as the model is too small for more" : ""));
}

static sn_status create(void *argument) {
  creation *c = argument;
  sn_status status = make(c->model, c->options, &c->simulation);
  if (status == SN_OK && c->at) begin_behind(c->simulation, c->at);
  if (status == SN_OK) status = begin_stage_timed(c->simulation);
  if (status) {
    sn_simulation_free(c->simulation);
    return status;
  }
  follow_outputs(c->simulation);
  const int wanted = c->simulation->options.threads, there = sn_threads_count(c->simulation->system->threads);
  if (there < wanted)
    sn_add_note(c->simulation, sn_format(&c->simulation->arena, "%d of %d threads could be started", there, wanted));
  if (c->options->threads == SN_THREADS_AUTO) tell_threads(c->simulation, there);
  return SN_OK;
}

sn_status sn_simulation_create(const sn_model *model, const sn_options *options, sn_simulation **out) {
  sn_options own;
  creation c = {.model = model, .options = &own};
  sn_pool *pool;
  *out = NULL;
  if (sn_handle_check(model)) return SN_USAGE;
  sn_status status = sn_take_options(model->context, options, &own);
  if (status) return status;
  sn_context *context = own.context ? own.context : model->context;
  sn_clear_message(context);
  status = sn_make_in_pool(context, create, &c, &pool);
  if (status) return status;
  c.simulation->pool = pool;
  *out = c.simulation;
  return SN_OK;
}

sn_status sn_simulation_create_at(sn_simulation *at, const char *analysis, sn_simulation **out) {
  sn_options options = at->options;
  sn_pool *pool;
  options.analysis = analysis;
  options.until = 0;
  options.context = NULL; /* the model has it */
  creation c = {.model = at->model, .options = &options, .at = at};
  *out = NULL;
  sn_clear_message(at->context);
  const sn_status status = sn_make_in_pool(at->context, create, &c, &pool);
  if (status) return status;
  c.simulation->pool = pool;
  *out = c.simulation;
  return SN_OK;
}

/* ---- a copy to try something with ---- */

sn_status sn_simulation_fork(sn_simulation *of, sn_simulation **out) {
  sn_options options = of->options;
  options.threads = 1;
  options.context = NULL; /* the model has it */
  sn_status status = make(of->model, &options, out);
  sn_simulation *s = *out;
  const char *solver = sn_system_solver(of->system, NULL)->name;
  if (status == SN_OK) status = sn_system_use_solver(s->system, solver);
  if (status == SN_OK) status = sn_system_use_solver(s->audit, solver);
  if (status) {
    sn_simulation_free(s);
    return status;
  }
  sn_system_join(s->system, of->system);
  sn_system_share(s->audit, s->system);
  s->inputs = of->inputs;
  s->host = of->host;
  sn_system_set_discrete(s->system, s->discrete); /* it has events and samples of its own */
  sn_system_set_discrete(s->audit, s->discrete);
  sn_phases_ignore(s->system);
  s->is_fork = true;
  s->stage = of->stage;
  s->analysis = of->analysis;
  s->output_step = of->output_step;
  s->share = 1;
  return SN_OK;
}

void sn_simulation_rewind(sn_simulation *s, const sn_simulation *of) {
  assert(s->is_fork && s->model == of->model);
  sn_state_copy(s->system, &s->state, &of->state);
  memcpy(s->work, of->work, sizeof s->work);
  memcpy(s->discrete, of->discrete, (size_t)s->model->discrete * sizeof *s->discrete);
  for (int i = 0; i < s->model->outputs; i++) { /* turns of angles; its work stays its own */
    double *work = s->memory[i].work;
    s->memory[i] = of->memory[i];
    s->memory[i].work = work;
  }
  s->begin = of->begin;
  s->load = of->load;
  s->finished = s->cut = false;
  s->at_event = 0;
  sn_system_copy_regularization(s->system, of->system);
  s->system->statistics = (sn_statistics){0};
  s->evidence = (sn_evidence){0};
  sn_system_set_load(s->system, 1);
  sn_begin_audit(s);
  sn_evidence_begin(s);
}

void sn_add_note(sn_simulation *s, const char *text) {
  assert(text && text[0]);
  s->start.notes = sn_format(&s->system->arena, "%s%s\n", s->start.notes ? s->start.notes : "", text);
  if (!s->is_fork) sn_remark_on(s->context, SN_NOTE, text);
}

/* Without memory a step was left in the middle: its objects may be half done, and go with the pool. */
void sn_simulation_free(sn_simulation *s) {
  if (!s || sn_handle_check(s)) return;
  if (s->hooks && s->hooks->busy) return; /* not within a function that it calls */
  sn_handle_freed(s, "simulation", s->context);
  sn_pool *pool = s->pool;
  if (!sn_pool_failed(pool)) {
    sn_companion_end(s);
    sn_free_crossings(s);
    end_integrator(s);
    sn_system_free(s->system);
    sn_system_free(s->audit);
    sn_pencil_free(s->pencil);
    sn_arena arena = s->arena;
    sn_arena_free(&arena);
  }
  sn_pool_free(pool);
}

const sn_statistics *sn_simulation_statistics(sn_simulation *s) {
  s->system->statistics.cpu = sn_cpu_time() - s->cpu_start;
  s->system->statistics.wall = sn_wall_time() - s->wall_start;
  return &s->system->statistics;
}

/* ---- steps ---- */

void sn_set_end(sn_simulation *s, double end) {
  const double until = s->options.until;
  bool last = true, anew = false;
  for (int k = s->stage + 1; k < s->stages; k++) {
    if (sn_stage_ops(s->stage_spec[k])->quasi_static) continue;
    last = false;
    anew = anew || sn_given(s->stage_spec[k], "start");
  }
  s->cut = until > 0 && !last && !anew && until < end;
  s->end = until > 0 && (last || s->cut) ? until : end;
}

sn_status sn_next_stage(sn_simulation *s) {
  if (s->cut || s->stage + 1 >= s->stages) return SN_OK;
  s->stage++;
  return begin_stage_timed(s);
}

/* A point that slides along a line or a curve must stay on it: beyond its end there is none. */
static sn_status check_slides(const sn_simulation *s) {
  for (int i = 0; i < s->model->joints; i++) {
    const sn_joint *joint = &s->model->joint[i];
    if (joint->has_ends && sn_guide_has_left(s->model, joint, s->state.q))
      return sn_fail(
          s->context, SN_NUMERICS,
          "%s '%s': the point leaves the end of the curve at t = %g s\n  try: a longer curve, a closed one, or "
          "a shorter run\n",
          joint->spec->kind->name, joint->name, s->state.t);
    if (!joint->slide || !sn_slide_has_left(joint, s->state.q)) continue;
    return sn_fail(
        s->context, SN_NUMERICS,
        "sliding '%s': the point leaves the end of '%s' at t = %g s\n  try: a longer line, a shorter run, or "
        "stop_stiffness\n",
        joint->name, joint->marker[0].body->name, s->state.t);
  }
  return SN_OK;
}

static sn_status step(void *argument) {
  sn_simulation *s = argument;
  if (s->context->interrupted) return sn_fail(s->context, SN_INTERRUPTED, "interrupted at t = %g s", s->state.t);
  if (sn_all_finished(s)) return SN_OK;
  s->viewed = NAN;
  s->left = true;
  sn_status status = s->finished ? sn_next_stage(s) : s->analysis->step(s);
  follow_outputs(s);
  if (status == SN_NUMERICS) sn_explain_failure(s);
  return status == SN_OK ? check_slides(s) : status;
}

/* After a step that found no memory there is no other. */
static sn_status guarded_step(sn_simulation *s) {
  sn_status status = sn_check_constraints(s);
  if (status) return status;
  const sn_phase_mark mark = sn_phase_begin_step(s->system);
  sn_host_clear(s);
  status = sn_guard(s->context, s->pool, step, s);
  sn_phase_end_step(s->system, &mark, status || sn_all_finished(s));
  if (status == SN_MEMORY) return sn_fail(s->context, SN_MEMORY, "%s at t = %g s", sn_message(s->context), s->state.t);
  return sn_host_check(s, status);
}

/* Functions of the host program are called outside of the guard: they may call the simulation. */
sn_status sn_step(sn_simulation *s) {
  sn_status status = sn_alive(s);
  if (status) return status;
  if (!s->hooks) return guarded_step(s);
  const double pause = s->pause;
  double end;
  status = sn_all_finished(s) ? SN_OK : sn_hooks_before(s, &end);
  if (status || sn_all_finished(s)) return status;
  s->pause = fmin(pause, end);
  status = guarded_step(s);
  s->pause = pause;
  return status ? status : sn_hooks_after(s);
}
