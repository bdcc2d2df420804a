/* state_space.c - linear controller by its matrices:  x' = A x + B u,  y = C x + D u. */
#include <string.h>

#include "control/controller.h"

typedef struct state_space_spec {
  sn_controller_spec head;
  sn_formulas inputs;
  sn_matrix_rows A, B, C, D;
  sn_reals start;
  int rule;
} state_space_spec;

static const sn_field state_space_fields[] = {
    {"inputs", SN_FORMULAS, SN_AT(state_space_spec, inputs), .required = true, .help = "u: one expression for each"},
    {"A", SN_MATRIX, SN_AT(state_space_spec, A),
     .help =
         "states by states; without it the controller has no states. CSV files are named relative to the folder of the "
         "model; names of rows and columns, as sinew export --matrix writes them, are skipped",
     .example = "[[-1, 0], [0, -2]]"},
    {"B", SN_MATRIX, SN_AT(state_space_spec, B), .help = "states by inputs", .example = "[[1, 0], [0, 1]]"},
    {"C", SN_MATRIX, SN_AT(state_space_spec, C), .help = "outputs by states", .example = "[[1, 1]]"},
    {"D", SN_MATRIX, SN_AT(state_space_spec, D), .help = "outputs by inputs; default: zeros"},
    {"start", SN_REALS, SN_AT(state_space_spec, start), .help = "states at the start; default: zeros",
     .example = "[0, 0]"},
    SN_DISCRETIZATION_FIELD(SN_AT(state_space_spec, rule)),
    SN_CONTROLLER_FIELDS,
    {0},
};

static void fail_size(sn_reader *reader, const sn_spec *spec, const char *field, const sn_matrix_rows *M, int rows,
                      int columns) {
  if (sn_given(spec, field) && (M->rows != rows || M->columns != columns))
    sn_field_error(reader, spec, field, sn_format(reader->arena, "%d rows of %d numbers", rows, columns),
                   "matrix %s of controller '%s' has %d rows of %d numbers", field, spec->name, M->rows, M->columns);
}

static void state_space_check(sn_reader *reader, const sn_spec *spec) {
  const state_space_spec *s = (const state_space_spec *)(const void *)spec;
  const bool A = sn_given(spec, "A"), B = sn_given(spec, "B"), C = sn_given(spec, "C"), D = sn_given(spec, "D");
  const int n = A ? s->A.rows : 0, m = s->inputs.count, p = C ? s->C.rows : s->D.rows;
  sn_controller_check(reader, spec);
  sn_check_discretization(reader, spec);
  if (A != B || A != C || (!A && !D)) {
    sn_field_error(reader, spec, NULL, "A, B and C, or D alone", "the matrices of controller '%s' are not complete",
                   spec->name);
    return;
  }
  fail_size(reader, spec, "A", &s->A, n, n);
  fail_size(reader, spec, "B", &s->B, n, m);
  fail_size(reader, spec, "C", &s->C, p, n);
  fail_size(reader, spec, "D", &s->D, p, m);
  if (sn_given(spec, "start") && s->start.count != n)
    sn_field_error(reader, spec, "start", sn_format(reader->arena, "%d numbers", n),
                   "controller '%s' has %d states and %d values of them", spec->name, n, s->start.count);
}

static double *copy_of(sn_arena *arena, const sn_matrix_rows *M, int rows, int columns) {
  const size_t size = (size_t)rows * (size_t)columns;
  double *copy = SN_NEW(arena, double, size + 1);
  if (M->value && size) memcpy(copy, M->value, size * sizeof(double));
  return copy;
}

static void state_space_declare(sn_compiler *c, const sn_spec *spec) {
  const state_space_spec *s = (const state_space_spec *)(const void *)spec;
  const int n = s->A.rows, m = s->inputs.count, p = n ? s->C.rows : s->D.rows;
  const sn_linear_control x = {.states = n,
                               .inputs = m,
                               .outputs = p,
                               .A = copy_of(c->arena, &s->A, n, n),
                               .B = copy_of(c->arena, &s->B, n, m),
                               .C = copy_of(c->arena, &s->C, p, n),
                               .D = copy_of(c->arena, &s->D, p, m),
                               .start = s->start.value};
  sn_add_linear_control(c, spec, &x, (sn_discretization)s->rule, s->inputs.f);
}

const sn_controller_ops sn_state_space = {
    .kind = {.name = "state-space",
             .category = SN_CONTROLLERS,
             .summary = "linear controller by its matrices: x' = A x + B u, y = C x + D u",
             .fields = state_space_fields,
             .spec_size = sizeof(state_space_spec),
             .check = state_space_check},
    .declare = state_space_declare,
};
