/* listing.c - what a compiled model has, by number and by name: the lists of the public interface. */
#include <math.h>
#include <string.h>

#include "base/handles.h"
#include "model/model.h"
#include "sinew/model.h"

size_t sn_model_count(const sn_model *m, sn_list_of list) {
  if (sn_handle_check(m)) return 0;
  switch (list) {
    case SN_LIST_BODIES:
      return (size_t)m->bodies;
    case SN_LIST_JOINTS:
      return (size_t)m->joints;
    case SN_LIST_OUTPUTS:
      return (size_t)m->outputs;
    case SN_LIST_INPUTS:
      return (size_t)m->inputs;
    case SN_LIST_PARAMETERS:
      return (size_t)m->document->parameter_count;
    case SN_LIST_EVENTS:
      return (size_t)m->events;
  }
  return 0;
}

const char *sn_model_name(const sn_model *m, sn_list_of list, size_t i) {
  if (i >= sn_model_count(m, list)) return NULL;
  switch (list) {
    case SN_LIST_BODIES:
      return m->body[i].name;
    case SN_LIST_JOINTS:
      return m->joint[i].name;
    case SN_LIST_OUTPUTS:
      return m->output[i].name;
    case SN_LIST_INPUTS:
      return m->input[i].name;
    case SN_LIST_PARAMETERS:
      return m->document->parameter_name[i];
    case SN_LIST_EVENTS:
      return m->event[i].name;
  }
  return NULL;
}

long sn_model_find(const sn_model *m, sn_list_of list, const char *name) {
  const size_t count = name ? sn_model_count(m, list) : 0;
  for (size_t i = 0; i < count; i++)
    if (strcmp(sn_model_name(m, list, i), name) == 0) return (long)i;
  return -1;
}

size_t sn_model_coordinates(const sn_model *m) {
  return sn_handle_check(m) ? 0 : (size_t)m->n;
}

size_t sn_model_constraints(const sn_model *m) {
  return sn_handle_check(m) ? 0 : (size_t)m->m;
}

static sn_status check(const sn_model *m, sn_list_of list, size_t i) {
  static const char *const words[] = {"bodies", "joints", "outputs", "inputs", "parameters", "events"};
  const size_t count = sn_model_count(m, list);
  if (i < count) return SN_OK;
  if (sn_handle_check(m)) return SN_USAGE;
  return sn_fail(m->context, SN_USAGE, "there is no number %zu among the %s of the model, which has %zu", i,
                 words[list], count);
}

sn_status sn_model_body(const sn_model *m, size_t i, sn_body_info *info) {
  *info = (sn_body_info){0};
  if (check(m, SN_LIST_BODIES, i)) return SN_USAGE;
  const sn_body *body = &m->body[i];
  *info = (sn_body_info){body->name, body->ops->kind.name, (size_t)body->first, (size_t)body->count};
  return SN_OK;
}

sn_status sn_model_output(const sn_model *m, size_t i, sn_output_info *info) {
  *info = (sn_output_info){0};
  if (check(m, SN_LIST_OUTPUTS, i)) return SN_USAGE;
  const sn_output *output = &m->output[i];
  *info = (sn_output_info){output->name, (size_t)output->columns, output->column, output->unit};
  return SN_OK;
}

sn_status sn_model_parameter(const sn_model *m, size_t i, double *value) {
  *value = NAN;
  if (check(m, SN_LIST_PARAMETERS, i)) return SN_USAGE;
  if (!m->document->parameter_word || !m->document->parameter_word[i]) *value = m->document->parameter_value[i];
  return SN_OK;
}

sn_status sn_model_input(const sn_model *m, size_t i, sn_input_info *info) {
  *info = (sn_input_info){0};
  if (check(m, SN_LIST_INPUTS, i)) return SN_USAGE;
  const sn_input *input = &m->input[i];
  *info = (sn_input_info){input->name, input->unit, input->low, input->high};
  return SN_OK;
}
