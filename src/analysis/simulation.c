/* simulation.c - a model in motion: consistent start, steps, work done, outputs at any time. */
#include "analysis/simulation.h"

#include <math.h>
#include <string.h>

#include "force/forces.h"
#include "joint/primitive.h"
#include "math/vec3.h"
#include "model/kinds.h"

const char *const sn_energy_names[SN_ENERGIES] = {"kinetic",     "strain",       "gravity", "spring", "applied_work",
                                                  "driver_work", "damping_work", "total",   "error"};
const char *const sn_level_names[SN_LEVELS] = {"position", "velocity", "acceleration"};

/* ---- settings: the model's, then the caller's ---- */

/* A method chosen by name comes with its defaults, read from its table like any other. */
static sn_status integrator_named(sn_context *context, const char *name, sn_integrator_spec *settings) {
  char text[160];
  sn_arena arena = {0};
  sn_document *document;
  int length =
      snprintf(text, sizeof text, "sinew: 1\nanalysis: {type: dynamics, duration: 1, integrator: \"%s\"}\n", name);
  sn_status status = SN_BAD_MODEL;
  if (strpbrk(name, "\"\\\n") == NULL && length > 0 && (size_t)length < sizeof text)
    status = sn_read_document(context, &arena, "integrator", text, (size_t)length, NULL, 0, &document);
  if (status == SN_OK) {
    const sn_dynamics_spec *analysis = (const sn_dynamics_spec *)(const void *)document->analysis;
    *settings = *(const sn_integrator_spec *)(const void *)analysis->integrator;
  } else {
    const char *names = "";
    for (const sn_kind *const *kind = sn_kinds; *kind; kind++)
      if ((*kind)->category == SN_INTEGRATORS)
        names = sn_format(&arena, "%s%s%s", names, *names ? ", " : "", (*kind)->name);
    sn_fail(context, SN_USAGE, "there is no integrator '%s'\n  one of: %s", name, names);
    status = SN_USAGE;
  }
  sn_arena_free(&arena);
  return status;
}

static sn_status choose_settings(sn_simulation *s, const sn_options *options, double *start) {
  const sn_dynamics_spec *analysis = (const sn_dynamics_spec *)(const void *)s->model->document->analysis;
  const sn_integrator_spec *given = analysis ? (const sn_integrator_spec *)(const void *)analysis->integrator : NULL;
  const char *name = options->integrator ? options->integrator : given ? given->spec.kind->name : "hht-i3";
  sn_status status = SN_OK;
  if (given && strcmp(name, given->spec.kind->name) == 0)
    s->settings = *given;
  else
    status = integrator_named(s->context, name, &s->settings);
  if (status) return status;
  *start = analysis ? analysis->start : 0;
  s->end = options->until > 0 ? options->until : analysis ? *start + analysis->duration : INFINITY;
  s->output_step = analysis && sn_given(analysis, "output_step") ? analysis->output_step
                   : analysis                                    ? analysis->duration / 200
                                                                 : 0.01;
  if (options->tolerance > 0) s->settings.tolerance = options->tolerance, s->settings.step = 0;
  if (options->step > 0) s->settings.step = options->step;
  s->ops = (const sn_integrator_ops *)(const void *)s->settings.spec.kind;
  s->integrator_name = s->ops->kind.name;
  return SN_OK;
}

/* ---- creation ---- */

static double total_energy(sn_system *system, const sn_state *state, sn_energy *e) {
  sn_system_energy(system, state, e);
  return e->kinetic + e->strain + e->gravity + e->spring;
}

sn_status sn_simulation_create(const sn_model *model, const sn_options *options, sn_simulation **out) {
  static const sn_options none = {0};
  static const char *const solvers[] = {NULL, "ldl", "klu"};
  sn_arena arena = {0};
  sn_simulation *s = SN_NEW(&arena, sn_simulation, 1);
  double start = 0;
  *out = NULL;
  if (!options) options = &none;
  sn_clear_message(model->context);
  s->arena = arena;
  s->model = model;
  s->context = model->context;
  sn_status status = choose_settings(s, options, &start);
  const char *solver = options->solver ? options->solver : solvers[s->settings.solver];
  if (status == SN_OK) status = sn_system_create(model, options->threads, solver, &s->system);
  if (status == SN_OK) status = sn_system_create(model, 1, solver, &s->audit);
  if (status == SN_OK) {
    sn_state_create(s->system, &s->state);
    sn_state_create(s->system, &s->before);
    sn_state_create(s->audit, &s->sample);
    s->state.t = start;
    status = sn_make_consistent(s->system, &s->state, &s->start);
  }
  if (status) {
    sn_simulation_free(s);
    return status;
  }
  sn_energy e;
  s->audit->regularization = s->system->regularization;
  sn_state_copy(s->system, &s->before, &s->state);
  s->energy_start = total_energy(s->audit, &s->state, &e);
  sn_system_power(s->audit, &s->state, &s->power);
  for (int i = 0; i < model->outputs; i++) s->output_columns += model->output[i].columns;
  s->cpu_start = sn_cpu_time();
  s->wall_start = sn_wall_time();
  s->integrator = s->ops->create(s->system, &s->settings, &s->state);
  if (!s->integrator) { /* the context says why */
    sn_simulation_free(s);
    return SN_NUMERICS;
  }
  *out = s;
  return SN_OK;
}

void sn_simulation_free(sn_simulation *s) {
  if (!s) return;
  if (s->integrator && s->ops->free) s->ops->free(s->integrator);
  sn_system_free(s->system);
  sn_system_free(s->audit);
  sn_arena arena = s->arena;
  sn_arena_free(&arena);
}

const sn_statistics *sn_simulation_statistics(sn_simulation *s) {
  s->system->statistics.cpu = sn_cpu_time() - s->cpu_start;
  s->system->statistics.wall = sn_wall_time() - s->wall_start;
  return &s->system->statistics;
}

/* ---- interpolation within the last step ----
 * the method's own polynomial; or else cubic Hermite in q from (q, v) at both ends, its derivative for v, a and l
 * linear */

static void interpolate(const sn_simulation *s, double t, sn_state *x) {
  const sn_state *a = &s->before, *b = &s->state;
  double h = b->t - a->t;
  if (h <= 0 || fabs(t - b->t) <= 1e-9 * h) {
    sn_state_copy(s->system, x, b);
    return;
  }
  x->t = t;
  if (s->ops->interpolate) {
    s->ops->interpolate(s->integrator, x);
    return;
  }
  double u = (t - a->t) / h, w = 1 - u;
  double q0 = (1 + 2 * u) * w * w, q1 = u * u * (3 - 2 * u), v0 = h * u * w * w, v1 = -h * u * u * w;
  double dq = 6 * u * w / h, d0 = w * (1 - 3 * u), d1 = u * (3 * u - 2);
  for (int i = 0; i < s->system->n; i++) {
    x->q[i] = q0 * a->q[i] + q1 * b->q[i] + v0 * a->v[i] + v1 * b->v[i];
    x->v[i] = dq * (b->q[i] - a->q[i]) + d0 * a->v[i] + d1 * b->v[i];
    x->a[i] = w * a->a[i] + u * b->a[i];
  }
  for (int i = 0; i < s->system->m; i++) x->l[i] = w * a->l[i] + u * b->l[i];
}

/* ---- steps ---- */

/* Work of forces, drivers and dampers over the last step: Simpson's rule, or four times over the long steps of methods
 * that have their own polynomial. */
static void add_work(sn_simulation *s) {
  int panels = s->ops->interpolate ? 4 : 1;
  double h = (s->state.t - s->before.t) / panels;
  memcpy(s->work_before, s->work, sizeof s->work);
  for (int k = 0; k < panels; k++) {
    double from = s->before.t + k * h;
    sn_power before = s->power, middle;
    interpolate(s, from + h / 2, &s->sample);
    sn_system_power(s->audit, &s->sample, &middle);
    interpolate(s, k + 1 < panels ? from + h : s->state.t, &s->sample);
    sn_system_power(s->audit, &s->sample, &s->power);
    s->work[0] += h / 6 * (before.applied + 4 * middle.applied + s->power.applied);
    s->work[1] += h / 6 * (before.driver + 4 * middle.driver + s->power.driver);
    s->work[2] += h / 6 * (before.damping + 4 * middle.damping + s->power.damping);
  }
}

sn_status sn_step(sn_simulation *s) {
  if (s->context->interrupted) return sn_fail(s->context, SN_INTERRUPTED, "interrupted at t = %g s", s->state.t);
  if (s->state.t >= s->end) return SN_OK;
  sn_status status = s->ops->step(s->integrator, &s->state, &s->before, s->end);
  if (status == SN_OK && s->model->has_power) add_work(s);
  return status;
}

sn_status sn_advance(sn_simulation *s, double time) {
  sn_status status = SN_OK;
  double slack = 1e-9 * (fabs(time) + s->settings.step);
  while (status == SN_OK && s->state.t < fmin(time, s->end) - slack) status = sn_step(s);
  return status;
}

double sn_time(const sn_simulation *s) {
  return s->state.t;
}

/* ---- outputs ---- */

static sn_eval eval_at(const sn_simulation *s, const sn_state *x) {
  return (sn_eval){.t = x->t, .q = x->q, .v = x->v, .a = x->a, .l = x->l, .gravity = s->model->gravity, .ci = 1};
}

static void fill_output(const sn_simulation *s, const sn_output *o, const sn_state *x, double *y) {
  int dim = s->model->dim;
  if (o->type == SN_OUTPUT_POINT) {
    double r[4][3]; /* position, velocity, acceleration, convective part of it */
    const sn_probe *p = &o->probe[0];
    p->ops->value(p, x->q, r[0]);
    p->ops->rate(p, x->q, x->v, r[1]);
    p->ops->rate(p, x->q, x->a, r[2]);
    p->ops->convective(p, x->q, x->v, r[3]);
    sn_axpy(r[2], 1, r[3]);
    for (int k = 0; k < 3; k++) memcpy(y + k * dim, r[k], (size_t)dim * sizeof(double));
  } else if (o->type == SN_OUTPUT_REACTION) {
    sn_probe p;
    double about[3], F[3], M[3];
    sn_eval ev = eval_at(s, x);
    sn_marker_point(&s->model->joint[o->joint].marker[1], &p);
    p.ops->value(&p, x->q, about);
    sn_joint_reaction(s->model, o->joint, &ev, about, F, M);
    memcpy(y, F, (size_t)dim * sizeof(double));
    memcpy(y + dim, dim == 3 ? M : M + 2, (dim == 3 ? 3 : 1) * sizeof(double));
  } else {
    sn_spring_state(o->spring, x->q, x->v, &y[0], &y[1]);
  }
}

static void audit_energy(sn_simulation *s, const sn_state *x, double *energy) {
  sn_energy e;
  double h = s->state.t - s->before.t, u = h > 0 ? (x->t - s->before.t) / h : 1;
  energy[SN_E_TOTAL] = total_energy(s->audit, x, &e);
  energy[SN_E_KINETIC] = e.kinetic;
  energy[SN_E_STRAIN] = e.strain;
  energy[SN_E_GRAVITY] = e.gravity;
  energy[SN_E_SPRING] = e.spring;
  energy[SN_E_ERROR] = energy[SN_E_TOTAL] - s->energy_start;
  for (int k = 0; k < 3; k++) {
    double work = s->work_before[k] + u * (s->work[k] - s->work_before[k]);
    energy[SN_E_APPLIED + k] = work;
    energy[SN_E_ERROR] -= work;
  }
  s->largest_energy_error = fmax(s->largest_energy_error, fabs(energy[SN_E_ERROR]));
  s->largest_kinetic = fmax(s->largest_kinetic, e.kinetic);
}

static void audit_constraints(sn_simulation *s, const sn_state *x, double *level) {
  void (*const function[SN_LEVELS])(sn_system *, const sn_state *, double *) = {sn_system_position, sn_system_velocity,
                                                                                sn_system_acceleration};
  for (int k = 0; k < SN_LEVELS; k++) {
    double *phi = s->audit->work;
    level[k] = 0;
    function[k](s->audit, x, phi);
    for (int i = 0; i < s->audit->m; i++) level[k] = fmax(level[k], fabs(phi[i]));
    s->largest_constraint[k] = fmax(s->largest_constraint[k], level[k]);
  }
}

void sn_row_create(sn_simulation *s, sn_row *row) {
  *row = (sn_row){.values = SN_NEW(&s->arena, double, s->output_columns), .q = s->sample.q, .v = s->sample.v};
}

void sn_sample(sn_simulation *s, double t, sn_row *row) {
  double begin = sn_wall_time();
  sn_state *x = &s->sample;
  interpolate(s, t, x);
  row->t = x->t;
  row->step = s->state.t - s->before.t;
  audit_constraints(s, x, row->constraint); /* of what the integrator gave, before a is solved for again */
  sn_solve_accelerations(s->audit, x);
  audit_energy(s, x, row->energy);
  sn_system_momentum(s->audit, x, row->momentum);
  double *y = row->values;
  for (int i = 0; i < s->model->outputs; i++) {
    fill_output(s, &s->model->output[i], x, y);
    y += s->model->output[i].columns;
  }
  s->system->statistics.time_output += sn_wall_time() - begin;
}

size_t sn_read(sn_simulation *s, const char *name, double *values, size_t size) {
  double buffer[16];
  size_t count = 0;
  sn_state *x = &s->sample;
  interpolate(s, s->state.t, x);
  if (strcmp(name, "energy") == 0) {
    audit_energy(s, x, buffer);
    count = SN_ENERGIES;
  }
  for (int i = 0; i < s->model->outputs && count == 0; i++) {
    const sn_output *o = &s->model->output[i];
    if (strcmp(o->name, name) != 0) continue;
    sn_solve_accelerations(s->audit, x);
    fill_output(s, o, x, buffer);
    count = (size_t)o->columns;
  }
  for (size_t i = 0; i < count && i < size; i++) values[i] = buffer[i];
  return count;
}
