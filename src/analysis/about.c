/* about.c - what a model has, for programs: title, joints, stages, sizes, degrees of freedom. */
#include "sinew/about.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/simulation.h"
#include "base/handles.h"
#include "base/sized.h"
#include "contact/surfaces.h"
#include "model/memory_need.h"

const char *sn_model_title(const sn_model *m) {
  return !sn_handle_check(m) && m->document->title ? m->document->title : "";
}

void sn_model_gravity(const sn_model *m, double gravity[3]) {
  for (int k = 0; k < 3; k++) gravity[k] = sn_handle_check(m) ? 0 : m->gravity[k];
}

const char *sn_model_parameter_word(const sn_model *m, size_t i) {
  if (i >= sn_model_count(m, SN_LIST_PARAMETERS) || !m->document->parameter_word) return NULL;
  return m->document->parameter_word[i];
}

sn_status sn_model_joint(const sn_model *m, size_t i, sn_joint_info *info) {
  *info = (sn_joint_info){0};
  const size_t count = sn_model_count(m, SN_LIST_JOINTS);
  if (sn_handle_check(m)) return SN_USAGE;
  if (i >= count) return sn_fail(m->context, SN_USAGE, "there is no joint number %zu: the model has %zu", i, count);
  const sn_joint *joint = &m->joint[i];
  const sn_body *a = joint->marker[0].body, *b = joint->marker[1].body;
  *info = (sn_joint_info){joint->name, joint->ops->kind.name, (size_t)joint->count, {NULL, NULL}};
  if (a && b) info->body[0] = a->name, info->body[1] = b->name;
  return SN_OK;
}

/* ---- stages ---- */

size_t sn_model_stages(const sn_model *m) {
  return sn_handle_check(m) ? 0 : (size_t)m->document->list[SN_ANALYSES].count;
}

sn_status sn_model_stage(const sn_model *m, size_t i, sn_stage_info *info) {
  if (sn_handle_check(m)) return SN_USAGE;
  if (i >= sn_model_stages(m))
    return sn_fail(m->context, SN_USAGE, "there is no stage number %zu: the analysis has %zu", i, sn_model_stages(m));
  const sn_spec *spec = m->document->list[SN_ANALYSES].item[i];
  sn_stage_info all = {.kind = spec->kind->name, .quasi_static = sn_stage_ops(spec)->quasi_static};
  if (spec->kind == &sn_dynamics.kind) {
    const sn_dynamics_spec *dynamics = (const sn_dynamics_spec *)(const void *)spec;
    const sn_integrator_spec *integrator = (const sn_integrator_spec *)(const void *)dynamics->integrator;
    all.duration = dynamics->duration;
    all.integrator = integrator->spec.kind->name;
    all.step = integrator->step;
    all.tolerance = integrator->tolerance;
  }
  if (spec->kind == &sn_kinematics.kind) all.duration = ((const sn_kinematics_spec *)(const void *)spec)->duration;
  sn_give(info, &all, sizeof all);
  return SN_OK;
}

int sn_model_has_impulses(const sn_model *m) {
  return !sn_handle_check(m) && m->surfaces && m->surfaces->dvi;
}

/* ---- sizes ---- */

sn_status sn_model_size(const sn_model *m, sn_size_info *info) {
  if (sn_handle_check(m)) return SN_USAGE;
  const sn_need need = sn_memory_needed(m->document);
  sn_size_info all = {.groups = (size_t)m->groups, .memory = need.bytes, .memory_touching = need.touching};
  for (int i = 0; i < m->bodies; i++)
    if (m->body[i].groups > 1) all.flexible += (size_t)m->body[i].count;
  sn_give(info, &all, sizeof all);
  return SN_OK;
}

typedef struct counting {
  const sn_model *model;
  sn_freedom_info info;
} counting;

/* Gruebler's count assumes independent equations; the rank of G gives the true number. */
static sn_status count_freedom(void *argument) {
  counting *c = argument;
  const sn_model *m = c->model;
  sn_system *system = NULL;
  sn_state state;
  sn_start start = {0};
  sn_status status = sn_system_create(m, 1, NULL, &system);
  if (status) return status;
  sn_state_create(system, &state);
  const sn_list *stages = &m->document->list[SN_ANALYSES];
  if (stages->count) state.t = ((const sn_analysis_spec *)(const void *)stages->item[0])->start;
  status = sn_make_consistent(system, &state, &start);
  if (!status) {
    c->info.freedom = m->n - m->m + start.redundant;
    c->info.redundant = start.redundant;
    const char *notes = start.notes ? start.notes : "";
    c->info.notes = sn_give_text(notes, strlen(notes));
    if (!c->info.notes) sn_out_of_memory(0);
  }
  sn_system_free(system);
  return status;
}

sn_status sn_model_freedom(const sn_model *m, sn_freedom_info *info) {
  counting c = {.model = m};
  sn_pool *pool = NULL;
  if (sn_handle_check(m)) return SN_USAGE;
  const sn_status status = sn_make_in_pool(m->context, count_freedom, &c, &pool);
  if (!status) sn_pool_free(pool);
  sn_give(info, &c.info, sizeof c.info);
  return status;
}
