/* controller.c - see controller.h. */
#include "control/controller.h"

#include "joint/quantity.h"

bool sn_is_sampled(const sn_spec *spec) {
  return sn_given(spec, "period");
}

void sn_controller_check(sn_reader *reader, const sn_spec *spec) {
  const sn_controller_spec *s = (const sn_controller_spec *)(const void *)spec;
  if (sn_given(spec, "delay") && !sn_is_sampled(spec))
    sn_field_error(reader, spec, "delay", "a period", "controller '%s' has a delay but no period", spec->name);
  else if (sn_is_sampled(spec) && s->delay > s->period)
    sn_field_error(reader, spec, "delay", "at most the period",
                   "the delay of controller '%s' is longer than its period", spec->name);
}

sn_composer sn_controller_composer(sn_compiler *c, const sn_spec *spec) {
  return (sn_composer){.compiler = c, .spec = spec, .unit = ((const sn_controller_spec *)(const void *)spec)->unit};
}

/* ---- all of them ---- */

void sn_declare_controllers(sn_compiler *c) {
  const sn_list *list = &c->model->document->list[SN_CONTROLLERS];
  for (int i = 0; i < list->count; i++)
    ((const sn_controller_ops *)(const void *)list->item[i]->kind)->declare(c, list->item[i]);
}

void sn_compile_controllers(sn_compiler *c) {
  for (int i = 0; i < c->model->sampled; i++) {
    sn_sampled *x = &c->model->samples[i];
    const sn_formula **input = SN_NEW(c->arena, const sn_formula *, x->inputs + 1);
    for (int k = 0; k < x->inputs; k++) input[k] = sn_make_formula(c, x->name, x->f[k], 0, NULL);
    x->input = input;
  }
}
