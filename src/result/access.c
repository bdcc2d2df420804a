/* access.c - what lies in a result file, for programs: the file, its objects, rows and texts, and the summary of its run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "result/result.h"
#include "result/state_space.h"
#include "result/store.h"
#include "sinew/contents.h"
#include "sinew/summary.h"
#include "system/phases.h"

sn_status sn_result_file(const sn_result *result, sn_file_info *info) {
  const sn_result_info *about = sn_result_about(result);
  const sn_file_info all = {.title = about->title,
                            .version = about->version,
                            .created = about->created,
                            .status = about->status,
                            .message = about->message,
                            .rows = about->rows,
                            .bodies = (size_t)about->bodies,
                            .joints = (size_t)about->joints,
                            .outputs = (size_t)about->outputs};
  sn_give(info, &all, sizeof all);
  return SN_OK;
}

const char *sn_result_trouble(const sn_result *result) {
  return sn_store_trouble(sn_result_store((sn_result *)(uintptr_t)result));
}

/* ---- linear models ---- */

sn_status sn_result_linear(sn_result *result, sn_linear_info *info) {
  sn_state_space s;
  *info = (sn_linear_info){0};
  if (!sn_result_state_space(result, &s)) return sn_result_failed(result) ? SN_IO : SN_USAGE;
  *info = (sn_linear_info){.states = s.states,
                           .inputs = s.inputs,
                           .outputs = s.outputs,
                           .A = s.A,
                           .B = s.B,
                           .C = s.C,
                           .D = s.D,
                           .state = s.state,
                           .input = s.input,
                           .output = s.output};
  return SN_OK;
}

sn_status sn_linear_matlab(const sn_linear_info *i, char **bytes, size_t *length) {
  const sn_state_space s = {i->states, i->inputs, i->outputs, i->state, i->input, i->output, i->A, i->B, i->C, i->D};
  *bytes = NULL;
  *length = 0;
  FILE *out = open_memstream(bytes, length);
  if (!out) return SN_MEMORY;
  sn_write_matlab(out, &s);
  const bool failed = ferror(out) != 0;
  if (!fclose(out) && !failed) return SN_OK;
  free(*bytes);
  *bytes = NULL;
  return SN_MEMORY;
}

/* ---- objects ---- */

/* The root of a description owns it; members are part of it. */
typedef struct owner {
  sn_object root;
  sn_arena arena;
} owner;

sn_object *sn_result_object(sn_result *result, const char *path, int members) {
  sn_arena arena = {0};
  const sn_object *found = sn_store_describe(sn_result_store(result), path, members != 0, &arena);
  if (!found) {
    sn_arena_free(&arena);
    return NULL;
  }
  owner *o = sn_new(1, sizeof *o);
  *o = (owner){*found, arena};
  return &o->root;
}

void sn_object_free(sn_object *object) {
  owner *o = (owner *)(void *)object;
  if (!o) return;
  sn_arena_free(&o->arena);
  sn_free(o);
}

void sn_object_about(const sn_object *o, sn_object_info *info) {
  *info = (sn_object_info){o->kind, o->name, o->rows, o->columns, o->attributes, o->members};
}

const sn_object *sn_object_member_at(const sn_object *o, size_t number) {
  return number < o->members ? &o->member[number] : NULL;
}

sn_status sn_object_attribute_at(const sn_object *o, size_t number, sn_attribute_info *info) {
  *info = (sn_attribute_info){0};
  if (number >= o->attributes) return SN_USAGE;
  const sn_attribute *a = &o->attribute[number];
  *info = (sn_attribute_info){a->name, a->kind, a->single, a->count, a->text, a->real, a->integer};
  return SN_OK;
}

sn_status sn_result_rows(sn_result *result, const char *path, size_t first, size_t count, size_t stride, size_t width,
                         void *out) {
  sn_arena arena = {0};
  sn_store *store = sn_result_store(result);
  const sn_object *node = sn_store_describe(store, path, false, &arena);
  bool ok = node && node->kind == SN_OBJECT_NUMBERS && (width == sizeof(float) || width == sizeof(double));
  if (ok) {
    const sn_rows rows = {path, first, count, stride, 0, node->columns, width};
    ok = sn_store_rows(store, &rows, out);
  }
  sn_arena_free(&arena);
  return ok ? SN_OK : SN_IO;
}

char *sn_result_text(sn_result *result, const char *path, size_t *length) {
  *length = 0;
  char *text = sn_store_text(sn_result_store(result), path, length);
  char *own = text ? sn_give_text(text, *length) : NULL;
  sn_free(text);
  return own;
}

/* ---- summary ---- */

const char *sn_phase_name(size_t number) {
  return number < SN_PHASES ? sn_phase_names[number] : NULL;
}

void sn_summary_costs(sn_summary *to, const sn_statistics *s) {
  static_assert((int)SN_PHASE_COUNT == (int)SN_PHASES, "summary.h has all phases");
  const sn_contact_statistics *c = &s->contact;
  to->steps = s->steps, to->error_rejections = s->error_rejections, to->newton_rejections = s->newton_rejections;
  to->cut_steps = s->cut_steps, to->short_steps = s->short_steps, to->unseen_loads = s->unseen_loads;
  to->iterations = s->iterations, to->most_iterations = s->most_iterations, to->rounded_steps = s->rounded_steps;
  to->residuals = s->residuals, to->jacobians = s->jacobians, to->factorizations = s->factorizations;
  to->solves = s->solves;
  to->smallest_step = s->smallest_step, to->largest_step = s->largest_step;
  to->cpu = s->cpu, to->wall = s->wall;
  for (int i = 0; i < SN_PHASES; i++) to->phase_time[i] = sn_phase_time(s, (sn_phase)i);
  to->estimated_error = s->estimated_error, to->estimated_until = s->estimated_until;
  to->reaction_difference = s->reaction_difference, to->acceleration_difference = s->acceleration_difference;
  to->output_difference = s->output_difference;
  to->local_error = s->local_error;
  to->creep = c->crept;
  to->contact_solutions = c->solutions, to->contacts = c->contacts, to->most_contacts = c->most;
  to->contact_iterations = c->iterations;
  to->contact_residual = c->residual, to->contact_time = c->time;
  to->contact_between[0] = c->between[0], to->contact_between[1] = c->between[1];
  to->contact_misses = c->misses, to->contact_again = c->again;
  to->rebounds = c->impacts, to->rebounds_weakened = c->weakened, to->rebounds_left = c->impacts_left;
  to->recoveries = c->recoveries;
}

void sn_summary_give(sn_summary *to, const sn_summary *all) {
  sn_give(to, all, sizeof *all);
}

/* 0 where there is no such series, or none can be read any more: the first failure keeps its message. */
static double largest(sn_result *result, const char *name) {
  const sn_series *series = sn_result_failed(result) ? NULL : sn_result_series(result, name);
  double most = 0;
  for (size_t i = 0; series && i < series->count; i++) most = fmax(most, fabs(series->value[i]));
  return most;
}

sn_status sn_result_summary(sn_result *result, sn_summary *summary) {
  const sn_result_info *info = sn_result_about(result);
  const sn_series *time = sn_result_time(result);
  if (!time) return SN_IO;
  sn_summary all = {
      .model = info->model_path,
      .title = info->title,
      .analysis = info->analysis,
      .integrator = info->integrator,
      .step = info->step,
      .tolerance = info->tolerance,
      .begin = info->rows ? time->value[0] : 0,
      .reached = info->rows ? time->value[info->rows - 1] : 0,
      .end = info->end,
      .energy_error = largest(result, "energy.error"),
      .kinetic = largest(result, "energy.kinetic"),
      .constraint = {largest(result, "constraint.position"), largest(result, "constraint.velocity"),
                     largest(result, "constraint.acceleration")},
      .position_change = info->position_change,
      .velocity_change = info->velocity_change,
      .redundant = info->redundant,
      .notes = info->notes,
      .events = info->events,
      .trust = info->trust,
      .reasons = info->reasons,
  };
  sn_summary_costs(&all, &info->statistics);
  sn_summary_give(summary, &all);
  return sn_result_failed(result) ? SN_IO : SN_OK;
}
