/* transfer_function.c - linear controller by a quotient of polynomials,
 *
 *   y(s) = (b0 s^n + ... + bn)/(a0 s^n + ... + an) u(s)
 *
 * as states in controllable form (with a0 = 1):
 *
 *   x1' = -a1 x1 - ... - an xn + u,  x2' = x1, ...,  y = sum (bk - ak b0) xk + b0 u
 *
 * With discretization none the polynomials are those of z.
 */
#include "control/controller.h"

typedef struct transfer_spec {
  sn_controller_spec head;
  const sn_expr *input;
  sn_reals numerator, denominator;
  int rule;
} transfer_spec;

static const sn_field transfer_fields[] = {
    {"input", SN_FORMULA, SN_AT(transfer_spec, input), .required = true, .help = "u"},
    {"numerator", SN_REALS, SN_AT(transfer_spec, numerator), .required = true,
     .help = "coefficients, the highest power first", .example = "[1, 2]"},
    {"denominator", SN_REALS, SN_AT(transfer_spec, denominator), .required = true,
     .help = "likewise; at least as many as the numerator", .example = "[0.01, 1]"},
    SN_DISCRETIZATION_FIELD(SN_AT(transfer_spec, rule)),
    SN_CONTROLLER_FIELDS,
    {0},
};

static void transfer_check(sn_reader *reader, const sn_spec *spec) {
  const transfer_spec *s = (const transfer_spec *)(const void *)spec;
  sn_controller_check(reader, spec);
  sn_check_discretization(reader, spec);
  if (s->denominator.count == 0 || s->denominator.value[0] == 0)
    sn_field_error(reader, spec, "denominator", "a first coefficient that is not zero",
                   "the denominator of controller '%s' has no highest power", spec->name);
  else if (s->numerator.count == 0 || s->numerator.count > s->denominator.count)
    sn_field_error(reader, spec, "numerator", "at most as many coefficients as the denominator",
                   "controller '%s' would differentiate its input", spec->name);
}

static void transfer_declare(sn_compiler *c, const sn_spec *spec) {
  const transfer_spec *s = (const transfer_spec *)(const void *)spec;
  const int n = s->denominator.count - 1, lead = s->denominator.count - s->numerator.count;
  const size_t size = (size_t)n + 1;
  sn_linear_control x = {.states = n,
                         .inputs = 1,
                         .outputs = 1,
                         .A = SN_NEW(c->arena, double, size *size),
                         .B = SN_NEW(c->arena, double, size),
                         .C = SN_NEW(c->arena, double, size),
                         .D = SN_NEW(c->arena, double, 1)};
  const double a0 = s->denominator.value[0], b0 = lead == 0 ? s->numerator.value[0] / a0 : 0;
  const sn_expr **input = SN_NEW(c->arena, const sn_expr *, 1);
  input[0] = s->input;
  for (int k = 1; k <= n; k++) {
    const double a = s->denominator.value[k] / a0, b = k >= lead ? s->numerator.value[k - lead] / a0 : 0;
    x.A[k - 1] = -a;
    x.C[k - 1] = b - a * b0;
    if (k < n) x.A[k * n + k - 1] = 1;
  }
  if (n) x.B[0] = 1;
  x.D[0] = b0;
  sn_add_linear_control(c, spec, &x, (sn_discretization)s->rule, input);
}

const sn_controller_ops sn_transfer_function = {
    .kind = {.name = "transfer-function",
             .category = SN_CONTROLLERS,
             .summary = "linear controller by numerator and denominator, functions of s or of z",
             .fields = transfer_fields,
             .spec_size = sizeof(transfer_spec),
             .check = transfer_check},
    .declare = transfer_declare,
};
