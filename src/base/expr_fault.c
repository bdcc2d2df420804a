/* expr_fault.c - why an expression has no value: the first operation without one, of those that matter. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/expr_program.h"

enum { LENGTH = 120 };

typedef struct value {
  double x;
  char fault[LENGTH]; /* why it is not finite; "": it is */
} value;

const char *sn_expr_text(const sn_expr *expr, int *line, int *column) {
  *line = expr->line;
  *column = expr->column;
  return expr->text;
}

static const char *name_of(int op) {
  switch (op) {
#define X(of, name, arity, help) \
  case SN_OP_##of:               \
    return name;
    SN_EXPR_FUNCTIONS(X)
#undef X
    default:
      return "";
  }
}

static const char *symbol_of(int op) {
  switch (op) {
    case SN_OP_ADD:
      return "+";
    case SN_OP_SUB:
      return "-";
    case SN_OP_MUL:
      return "*";
    case SN_OP_DIV:
      return "/";
    case SN_OP_POW:
      return "^";
    default:
      return NULL;
  }
}

static void put_call(const sn_expr_instruction *instruction, const value *a, char *text) {
  const sn_table *table = instruction->as.table;
  const char *symbol = symbol_of(instruction->op);
  if (instruction->op == SN_OP_TABLE && table->grid) {
    snprintf(text, LENGTH, "table '%.40s' at %.10g, %.10g, outside its grid", table->name, a[0].x, a[1].x);
  } else if (instruction->op == SN_OP_TABLE) {
    snprintf(text, LENGTH, "table '%.40s' at %.10g, outside %.10g to %.10g", table->name, a[0].x, table->x[0],
             table->x[table->count - 1]);
  } else if (symbol && instruction->arity == 2) {
    snprintf(text, LENGTH, "%.10g %s %.10g", a[0].x, symbol, a[1].x);
  } else {
    int used = snprintf(text, LENGTH, "%s(", name_of(instruction->op));
    for (int k = 0; k < instruction->arity && used < LENGTH - 30; k++)
      used += snprintf(text + used, (size_t)(LENGTH - used), "%s%.10g", k ? ", " : "", a[k].x);
    snprintf(text + used, (size_t)(LENGTH - used), ")");
  }
}

/* The fault of the argument that spoils the result; NULL: the operation itself is at fault. */
static const char *inherited(const sn_expr_instruction *instruction, const value *a) {
  if (instruction->op == SN_OP_IF && !a[0].fault[0]) {
    const value *taken = &a[a[0].x != 0 ? 1 : 2];
    return taken->fault[0] ? taken->fault : NULL;
  }
  for (int k = 0; k < instruction->arity; k++)
    if (a[k].fault[0]) return a[k].fault;
  return NULL;
}

static value apply(const sn_expr_instruction *instruction, const value *a) {
  sn_jet argument[8] = {{0}};
  value y = {0};
  assert(instruction->arity <= SN_COUNT(argument));
  for (int k = 0; k < instruction->arity; k++) argument[k].value = a[k].x;
  y.x = sn_expr_apply(instruction, argument).value;
  if (isfinite(y.x)) return y;
  const char *before = inherited(instruction, a);
  if (before)
    memcpy(y.fault, before, LENGTH);
  else
    put_call(instruction, a, y.fault);
  return y;
}

bool sn_expr_fault(const sn_expr *expr, double t, const double *x, char *text, size_t size) {
  value stack[SN_EXPR_STACK];
  int top = 0;
  for (int i = 0; i < expr->count; i++) {
    const sn_expr_instruction *instruction = &expr->code[i];
    value y = {0};
    if (instruction->op == SN_OP_CONSTANT)
      y.x = instruction->as.value;
    else if (instruction->op == SN_OP_TIME)
      y.x = t;
    else if (instruction->op == SN_OP_VARIABLE)
      y.x = x ? x[instruction->as.variable] : NAN;
    else
      top -= instruction->arity, y = apply(instruction, &stack[top]);
    if (!isfinite(y.x) && !y.fault[0]) snprintf(y.fault, LENGTH, "one of its quantities has no value");
    stack[top++] = y;
  }
  if (isfinite(stack[0].x)) return false;
  snprintf(text, size, "%s", stack[0].fault);
  return true;
}
