/* analyze.c - another analysis from the present state of a simulation, and what it found.
 *
 * It is the second stage of a simulation whose first one has ended in that state: loads are not raised from zero, and time
 * goes on. */
#include <math.h>
#include <string.h>

#include "analysis/hooks.h"
#include "analysis/linearize.h"
#include "force/applied.h"

/* What the host program has done to the one holds in the other. */
void sn_take_over(sn_simulation *s, const sn_simulation *of) {
  const sn_model *m = s->model;
  memcpy(s->inputs, of->inputs, (size_t)m->inputs * sizeof(double));
  memcpy(s->discrete, of->discrete, (size_t)m->discrete * sizeof(double));
  memcpy(s->host->function, of->host->function, (size_t)m->inputs * sizeof *s->host->function);
  memcpy(s->host->constraint, of->host->constraint, (size_t)m->constraints * sizeof *s->host->constraint);
  const int markers = of->host->markers;
  s->host->load = SN_NEW(&s->arena, sn_applied, markers + 1);
  for (int i = 0; i < markers; i++) {
    s->host->load[i] = of->host->load[i];
    s->host->load[i].at = sn_copy_text(&s->arena, of->host->load[i].at, strlen(of->host->load[i].at));
  }
  s->host->markers = s->host->capacity = markers;
  s->host->applied = of->host->applied;
  sn_state_copy(s->system, &s->state, &of->state);
  s->left = true;
  sn_system_copy_regularization(s->system, of->system);
  s->start = of->start;
  s->start.notes = NULL;
  s->evidence.size = of->evidence.size;
  s->evidence.unit = of->evidence.unit;
  s->evidence.velocity_change = of->evidence.velocity_change;
}

sn_status sn_analyze(sn_simulation *at, const char *analysis, sn_simulation **found) {
  *found = NULL;
  sn_status status = sn_alive(at);
  if (status == SN_OK) status = sn_simulation_create_at(at, analysis, found);
  if (status == SN_OK) status = sn_run(*found);
  if (status == SN_OK) return SN_OK;
  sn_simulation_free(*found);
  *found = NULL;
  return status;
}

sn_status sn_linear_model(const sn_simulation *s, sn_linear_info *info) {
  const sn_linear *x = s->linear;
  *info = (sn_linear_info){0};
  if (!x) return sn_fail(s->context, SN_USAGE, "there is no linear model: the analysis linearize makes one");
  *info = (sn_linear_info){.states = (size_t)x->states,
                           .inputs = (size_t)x->inputs,
                           .outputs = (size_t)x->outputs,
                           .A = x->A,
                           .B = x->B,
                           .C = x->C,
                           .D = x->D,
                           .re = x->re,
                           .im = x->im,
                           .state = x->state_name,
                           .input = x->input_name,
                           .output = x->output_name};
  return SN_OK;
}

sn_status sn_modes_found(const sn_simulation *s, sn_modes_info *info) {
  *info = (sn_modes_info){0};
  if (!s->modes)
    return sn_fail(s->context, SN_USAGE, "there are no modes: the analyses modes, buckling and linearize find them");
  sn_modes_describe(s->modes, info);
  return SN_OK;
}

void sn_modes_describe(const sn_modes *x, sn_modes_info *info) {
  *info = (sn_modes_info){.kind = x->kind,
                          .count = (size_t)x->count,
                          .rigid = (size_t)x->rigid,
                          .w2 = x->w2,
                          .factor = x->factor,
                          .re = x->re,
                          .im = x->im,
                          .damping = x->damping,
                          .shape = x->shape,
                          .imaginary = x->imaginary};
}
