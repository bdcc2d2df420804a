/* output_expression.c - the value of an expression, of a variable or of an input. */
#include <string.h>

#include "joint/quantity.h"
#include "output/outputs.h"

static const char *const names[] = {"value"};
static const char *const units[] = {""};

static void expression_compile(sn_compiler *c, const sn_output_spec *spec, sn_output *out) {
  sn_output_take(out, SN_HEADINGS_OF(names, units));
  const sn_formula *f = sn_make_formula(c, spec->spec.name, spec->expression, 0, NULL);
  if (!f) return;
  sn_quantity *s = SN_NEW(c->arena, sn_quantity, 1);
  *s = (sn_quantity){.type = SN_QUANTITY_FORMULA, .name = spec->spec.name, .formula = f};
  out->quantity = s;
}

static void expression_fill(const sn_model *m, const sn_output *o, const sn_eval *ev, const sn_touching *touching,
                            sn_output_memory *memory, double *y) {
  (void)m;
  (void)touching;
  (void)memory;
  y[0] = sn_quantity_value(o->quantity, ev);
}

const sn_output_ops sn_output_expression = {
    .about = "expression ", .compile = expression_compile, .fill = expression_fill};

/* ---- variables and inputs, which need not be asked for ---- */

static void add(sn_compiler *c, const char *name, const char *unit, const sn_quantity *s) {
  sn_model *m = c->model;
  for (int i = 0; i < m->outputs; i++)
    if (strcmp(m->output[i].name, name) == 0) return; /* the user has another thing of that name */
  sn_output *out = &m->output[m->outputs++];
  const char **text = SN_NEW(c->arena, const char *, 1);
  sn_quantity *copy = SN_NEW(c->arena, sn_quantity, 1);
  *text = unit;
  *copy = *s;
  *out = (sn_output){.name = name,
                     .type = SN_OUTPUT_EXPRESSION,
                     .joint = -1,
                     .columns = 1,
                     .column = names,
                     .unit = text,
                     .quantity = copy};
}

void sn_add_variable_outputs(sn_compiler *c) {
  const sn_model *m = c->model;
  for (int i = 0; i < m->variables; i++) {
    const sn_variable *z = &m->variable[i];
    sn_quantity s = {.name = z->name};
    sn_variable_quantity(c, z, &s);
    add(c, z->name, z->unit, &s);
  }
  for (int i = 0; i < m->inputs; i++)
    add(c, m->input[i].name, m->input[i].unit,
        &(sn_quantity){
            .type = SN_QUANTITY_INPUT, .name = m->input[i].name, .formula = m->input[i].standard, .index = i});
}
