/* variable.c - variables and inputs of expressions.
 *
 * A variable is a formula, u = f(t, s), or the solution of a differential equation,
 *
 *   z' = g(t, s),   z(0) = start
 *
 * which is integrated with the mechanics, by every method at its order and coupled with it: z is the velocity of a
 * coordinate of its own, zeta, of mass 1 and with the force g. Nothing depends on zeta itself, and it has no energy and
 * no momentum:
 *
 *   r = a - g,   M = 1,   K = -dg/dq,   D = -dg/dv
 *
 * or a number that only events change (control/event.c), among the discrete values of the model.
 *
 * In statics and modes z keeps its value (eval->hold): r = 0, and zeta stays where it is.
 */
#include <math.h>
#include <string.h>

#include "force/forces.h"
#include "joint/quantity.h"
#include "model/compile.h"
#include "model/tables.h"

typedef struct variable_spec {
  sn_spec spec;
  const sn_expr *value, *rate;
  double start, held;
  const char *unit;
} variable_spec;

static const sn_field variable_fields[] = {
    {"value", SN_FORMULA, SN_AT(variable_spec, value), .help = "its formula, an expression of t and of the motion",
     .example = "2*sin(t)"},
    {"rate", SN_FORMULA, SN_AT(variable_spec, rate),
     .help = "instead of 'value': its derivative in time, an expression of t and of the motion"},
    {"start", SN_REAL, SN_AT(variable_spec, start), .def = "0", .help = "value at the start, with 'rate'"},
    {"held", SN_REAL, SN_AT(variable_spec, held),
     .help = "instead of 'value': a number that events change (`set`) and that is constant between them; its value at "
             "the start"},
    {"unit", SN_TEXT, SN_AT(variable_spec, unit), .def = "", .help = "unit, for outputs"},
    {0},
};

static void variable_check(sn_reader *reader, const sn_spec *spec) {
  const bool value = sn_given(spec, "value"), rate = sn_given(spec, "rate"), held = sn_given(spec, "held");
  if (held && (value || rate))
    sn_field_error(reader, spec, "held", "one of: value, rate, held", "variable '%s' has a %s and is held", spec->name,
                   value ? "value" : "rate");
  else if (value == rate && !held)
    sn_field_error(reader, spec, value ? "rate" : NULL, "one of: value, rate, held",
                   value ? "variable '%s' has both a value and a rate" : "variable '%s' has neither a value nor a rate",
                   spec->name);
  else if (!rate && sn_given(spec, "start"))
    sn_field_error(reader, spec, "start", "a rate", "variable '%s' has a start but no rate", spec->name);
}

const sn_plain_ops sn_variable_kind = {
    .kind = {.name = "variable",
             .category = SN_VARIABLES,
             .summary = "named formula, solution of a differential equation, or number that events change, used in "
                        "expressions by its name",
             .fields = variable_fields,
             .spec_size = sizeof(variable_spec),
             .check = variable_check},
};

typedef struct input_spec {
  sn_spec spec;
  const sn_expr *standard;
  sn_reals range;
  const char *unit;
  const char *file, *time, *column;
  int interpolation, extrapolation;
  sn_formulas of;
} input_spec;

static const sn_field input_fields[] = {
    {"default", SN_FUNCTION, SN_AT(input_spec, standard), .def = "0",
     .help = "value while no program sets another: a number or a function of t, such as a table: name(t); "
             "`--set NAME=VALUE` on the command line replaces it"},
    {"file", SN_TEXT, SN_AT(input_spec, file),
     .help = "instead of 'default': CSV file with its values over time, relative to the folder of the model"},
    {"time", SN_TEXT, SN_AT(input_spec, time),
     .help = "column of the times [s]: its name in the first line, or its number; default: the first"},
    {"column", SN_TEXT, SN_AT(input_spec, column), .help = "column of the values, likewise; default: the second"},
    {"interpolation", SN_CHOICE, SN_AT(input_spec, interpolation), .def = "linear", .choices = "linear|cubic",
     .help = "between the times of the file, as for tables"},
    {"extrapolation", SN_CHOICE, SN_AT(input_spec, extrapolation), .def = "hold", .choices = "hold|linear|error",
     .help = "before and after the times of the file, as for tables"},
    {"range", SN_REALS, SN_AT(input_spec, range),
     .help =
         "smallest and largest value that a program may set; a constant default and the values of a file have to be "
         "within it too",
     .example = "[-10, 10]"},
    {"unit", SN_TEXT, SN_AT(input_spec, unit), .def = "", .help = "unit"},
    {"of", SN_FORMULAS, SN_AT(input_spec, of),
     .help =
         "expressions of t and of the motion: arguments of the function that a program may give in place of a value "
         "(sn_set_input_function)"},
    {0},
};

/* Keys of values over time without a file, and a file with a default. */
static bool input_is_one_thing(sn_reader *reader, const sn_spec *spec) {
  static const char *const keys[] = {"time", "column", "interpolation", "extrapolation"};
  const bool file = sn_given(spec, "file");
  if (file && sn_given(spec, "default")) {
    sn_field_error(reader, spec, "default", "one of: default, file", "input '%s' has both a default and a file",
                   spec->name);
    return false;
  }
  for (size_t k = 0; k < SN_COUNT(keys) && !file; k++) {
    if (!sn_given(spec, keys[k])) continue;
    sn_field_error(reader, spec, keys[k], "a file", "input '%s' has '%s' but no file", spec->name, keys[k]);
    return false;
  }
  return true;
}

static bool input_allows(sn_reader *reader, const input_spec *s, const char *field, double value) {
  if (!sn_given(s, "range") || (value >= s->range.value[0] && value <= s->range.value[1])) return true;
  sn_field_error(reader, &s->spec, field, sn_format(reader->arena, "%g to %g", s->range.value[0], s->range.value[1]),
                 "the value %g of input '%s' is outside its range", value, s->spec.name);
  return false;
}

static void input_check(sn_reader *reader, const sn_spec *spec) {
  const input_spec *s = (const input_spec *)(const void *)spec;
  if (sn_given(spec, "range") && (s->range.count != 2 || !(s->range.value[0] < s->range.value[1])))
    sn_field_error(reader, spec, "range", "[smallest, largest]", "the range of input '%s' is not one", spec->name);
  else if (s->of.count > SN_EXPR_VARIABLES)
    sn_field_error(reader, spec, "of", sn_format(reader->arena, "at most %d", (int)SN_EXPR_VARIABLES),
                   "the function of input '%s' has %d arguments", spec->name, s->of.count);
  else if (input_is_one_thing(reader, spec) && !s->file && sn_expr_is_constant(s->standard))
    input_allows(reader, s, sn_given(spec, "default") ? "default" : "range", sn_expr_value(s->standard, 0));
}

/* The value where none was set: name(t) of the table in the file, or the default. NULL after reporting. */
static const sn_expr *input_standard(sn_compiler *c, const input_spec *s) {
  sn_table table;
  sn_expr_error error;
  if (!s->file) return s->standard;
  if (!sn_make_signal(&c->reader, &s->spec, s->interpolation == 1, (sn_extrapolation)s->extrapolation, &table))
    return NULL;
  for (int i = 0; i < table.count; i++)
    if (!input_allows(&c->reader, s, "file", table.y[i])) return NULL;
  table.name = "signal";
  const sn_scope scope = {.tables = &table, .table_count = 1, .time_allowed = true};
  return sn_expr_compile(c->arena, "signal(t)", strlen("signal(t)"), &scope, &error);
}

const sn_plain_ops sn_input_kind = {
    .kind = {.name = "input",
             .category = SN_INPUTS,
             .summary = "value set by a program while the simulation runs (sn_simulation_set_input), used in "
                        "expressions by its name",
             .fields = input_fields,
             .spec_size = sizeof(input_spec),
             .check = input_check},
};

/* ---- differential equations ---- */

typedef struct equation {
  const sn_variable *z;
  const sn_formula *g;
  sn_group_set set; /* the group of zeta, then those of g */
  const int *at;    /* local coordinates of the groups of g */
} equation;

static int equation_groups(const sn_batch *batch, int i, int *groups) {
  const sn_group_set *set = &((const equation *)batch->data)[i].set;
  memcpy(groups, set->group, (size_t)set->count * sizeof(int));
  return set->count;
}

static void equation_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const equation *item = batch->data;
  for (int i = range.first; i < range.last && !ev->hold; i++) {
    const int zeta = item[i].z->index;
    r[zeta] += ev->ci * ev->a[zeta] - sn_formula_value(item[i].g, ev);
  }
}

static void equation_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const equation *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const equation *x = &item[i];
    double row[SN_FORMULA_LOCAL], T[SN_FORMULA_LOCAL * SN_FORMULA_LOCAL];
    const int n = x->set.n;
    const double one = 1;
    memset(T, 0, (size_t)n * (size_t)n * sizeof(double));
    T[0] = ev->hold ? 1 : ev->cm;
    if (!ev->hold && !A->positive && (ev->ck != 0 || ev->cd != 0 || x->g->reactive)) {
      sn_formula_row(x->g, ev, row);
      sn_formula_spread(x->g, x->at, row, 1, &one, -1, T, n);
    }
    sn_matrix_add(A, x->set.count, x->set.group, batch->slots + (size_t)batch->slot_stride * (size_t)i, T, n);
  }
}

static const sn_batch_ops equation_batch = {
    .name = "differential variables",
    .max_groups = SN_FORMULA_GROUPS,
    .groups = equation_groups,
    .residual = equation_residual,
    .tangent = equation_tangent,
};

/* ---- compile ---- */

static void declare_inputs(sn_compiler *c) {
  sn_model *m = c->model;
  const sn_list *list = &m->document->list[SN_INPUTS];
  m->inputs = list->count;
  m->input = SN_NEW(c->arena, sn_input, list->count + 1);
  for (int i = 0; i < list->count; i++) {
    const input_spec *s = (const input_spec *)(const void *)list->item[i];
    const bool bounded = sn_given(s, "range");
    const sn_expr *standard = input_standard(c, s);
    if (!standard) standard = sn_expr_constant(c->arena, 0);
    m->input[i] = (sn_input){.name = s->spec.name,
                             .unit = s->unit,
                             .standard = sn_make_formula(c, s->spec.name, standard, 0, NULL),
                             .arguments = s->of.count,
                             .argument = s->of.f,
                             .low = bounded ? s->range.value[0] : -INFINITY,
                             .high = bounded ? s->range.value[1] : INFINITY};
    sn_list_formula(c, m->input[i].standard);
  }
}

void sn_declare_variables(sn_compiler *c) {
  const sn_list *list = &c->model->document->list[SN_VARIABLES];
  declare_inputs(c);
  for (int i = 0; i < list->count; i++) {
    const variable_spec *s = (const variable_spec *)(const void *)list->item[i];
    const bool held = sn_given(s, "held");
    sn_variable *x = sn_add_variable(c, &(sn_variable){.name = s->spec.name,
                                                       .unit = s->unit,
                                                       .spec = &s->spec,
                                                       .f = s->rate ? s->rate : s->value,
                                                       .discrete = held,
                                                       .index = held ? sn_add_discrete(c, s->held) : 0});
    if (s->rate) sn_add_differential(c, x, s->start);
  }
}

void sn_compile_variables(sn_compiler *c) {
  sn_model *m = c->model;
  for (int i = 0; i < m->inputs; i++) sn_make_call(c, i);
  for (int i = 0; i < m->variables; i++) {
    sn_variable *z = &m->variable[i];
    if (!sn_make_variable(c, z) || !z->differential) continue;
    equation x = {.z = z, .g = z->formula};
    sn_group_set_add(&x.set, z->group, 1);
    x.at = sn_place_formula(c, x.g, &x.set);
    if (!x.at) continue;
    *(equation *)sn_batch_append(c, &equation_batch, sizeof x) = x;
    for (int g = 0; g < x.g->set.count; g++) m->unsymmetric |= x.g->set.group[g] != z->group;
  }
}
