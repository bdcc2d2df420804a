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
  if (!sn_given(&spec->spec, "unit")) return;
  const char **unit = SN_NEW(c->arena, const char *, 1);
  *unit = spec->unit;
  out->unit = unit;
}

static void expression_fill(const sn_model *m, const sn_output *o, const sn_eval *ev, const sn_touching *touching,
                            sn_output_memory *memory, double *y) {
  (void)m;
  (void)touching;
  (void)memory;
  for (int k = 0; k < o->columns; k++) y[k] = sn_quantity_value(&o->quantity[k], ev);
}

const sn_output_ops sn_output_expression = {
    .about = "expression ", .compile = expression_compile, .fill = expression_fill};

/* ---- variables and inputs, which need not be asked for ---- */

/* Does the user ask for what is recorded anyway? */
static bool is_same(const sn_spec *output, const char *name) {
  int line, column;
  if (!output || !sn_given(output, "expression")) return output == NULL;
  return strcmp(sn_expr_text(((const sn_output_spec *)(const void *)output)->expression, &line, &column), name) == 0;
}

/* An output with a column for each quantity; NULL: the user asks for it, or has another thing of that name, an error. */
static sn_output *add(sn_compiler *c, const char *name, int columns, const char *const *part, const char *const *unit,
                      const sn_quantity *s) {
  sn_model *m = c->model;
  for (int i = 0; i < m->outputs; i++)
    if (strcmp(m->output[i].name, name) == 0) {
      const sn_spec *other = sn_find(m->document, SN_OUTPUTS, name);
      if (is_same(other, name)) return NULL;
      const bool force = sn_find(m->document, SN_FORCES, name) != NULL;
      sn_field_error(&c->reader, other, NULL,
                     force ? "another name for the output; variables of forces are recorded anyway"
                           : "another name for one of them; variables and inputs are recorded anyway",
                     "output '%s' has the name of a %s recorded under it", name,
                     force ? "force, whose variables are" : "variable, input or controller, which is");
      return NULL;
    }
  sn_output *out = &m->output[m->outputs++];
  *out = (sn_output){.name = name,
                     .type = SN_OUTPUT_EXPRESSION,
                     .joint = -1,
                     .columns = columns,
                     .column = part,
                     .unit = unit,
                     .quantity = s};
  return out;
}

/* Those of the same controller or actuator, one behind the other, are columns of one output. Returns how many. */
static int add_variables(sn_compiler *c, const sn_variable *z, int left) {
  int count = 1, columns;
  while (count < left && z->owner && z[count].owner == z->owner) count++;
  columns = count < SN_OUTPUT_COLUMNS ? count : SN_OUTPUT_COLUMNS;
  const char **part = SN_NEW(c->arena, const char *, columns), **unit = SN_NEW(c->arena, const char *, columns);
  sn_quantity *s = SN_NEW(c->arena, sn_quantity, columns);
  for (int k = 0; k < columns; k++) {
    part[k] = z[k].part ? z[k].part : names[0];
    unit[k] = z[k].unit;
    s[k].name = z[k].name;
    sn_variable_quantity(c, &z[k], &s[k]);
  }
  add(c, z->owner ? z->owner : z->name, columns, part, unit, s);
  return count;
}

void sn_add_variable_outputs(sn_compiler *c) {
  const sn_model *m = c->model;
  for (int i = 0; i < m->variables;) i += add_variables(c, &m->variable[i], m->variables - i);
  for (int i = 0; i < m->inputs; i++) {
    const char **unit = SN_NEW(c->arena, const char *, 1);
    sn_quantity *s = SN_NEW(c->arena, sn_quantity, 1);
    *unit = m->input[i].unit;
    *s = (sn_quantity){.type = SN_QUANTITY_INPUT,
                       .name = m->input[i].name,
                       .formula = m->input[i].standard,
                       .index = i,
                       .call = m->input[i].call};
    add(c, m->input[i].name, 1, names, unit, s);
  }
}
