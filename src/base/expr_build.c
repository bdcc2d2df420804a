/* expr_build.c - grows a postfix program and folds constants while it grows.
 *
 * The stack of operands mirrors the evaluation stack at the end of the program built so far, so its limit is the limit
 * of the evaluation. A constant that cannot be computed (1/0) becomes an operand with a fault. The fault passes on to
 * all that is computed from it and is an error only if it reaches the result: if(n > 0, 1/n, 0), && and || leave it
 * behind.
 */
#include <math.h>
#include <string.h>

#include "base/expr_program.h"

/* Why the operation cannot work on x[], NULL if it can; x is NaN where it depends on t, and every comparison with that
 * is false. *culprit: the argument to blame, -1 for all of it. */
static const char *find_fault(sn_expr_op op, const double *x, int *culprit) {
  *culprit = 0;
  switch (op) {
    case SN_OP_DIV:
    case SN_OP_MOD:
      *culprit = 1;
      return x[1] == 0.0 ? "division by zero" : NULL;
    case SN_OP_SQRT:
      return x[0] < 0.0 ? "square root of a negative number" : NULL;
    case SN_OP_LOG:
    case SN_OP_LOG10:
      if (x[0] == 0.0) return "logarithm of zero";
      return x[0] < 0.0 ? "logarithm of a negative number" : NULL;
    case SN_OP_ASIN:
    case SN_OP_ACOS:
      return fabs(x[0]) > 1.0 ? "argument is not between -1 and 1" : NULL;
    case SN_OP_POW:
      if (x[0] == 0.0 && x[1] < 0.0) return "division by zero";
      return x[0] < 0.0 && !isnan(x[1]) && x[1] != floor(x[1]) ? "fractional power of a negative number" : NULL;
    case SN_OP_ATAN2:
      *culprit = -1;
      return x[0] == 0.0 && x[1] == 0.0 ? "the vector (0, 0) has no angle" : NULL;
    case SN_OP_STEP:
      *culprit = 3;
      return x[3] <= x[1] ? "the step must end later than it begins" : NULL;
    default:
      return NULL;
  }
}

/* The operands o[0..n) become one constant. */
static void settle(sn_expr_builder *builder, sn_expr_operand *o, int n, double value) {
  assert(n >= 1 && n <= builder->operand_count && o == &builder->operands[builder->operand_count - n]);
  o->constant = true;
  o->value = value;
  o->fault = NULL;
  builder->code[o->start] = (sn_expr_instruction){.op = SN_OP_CONSTANT, .as.value = value};
  builder->count = o->start + 1;
  builder->operand_count -= n - 1;
}

static void settle_fault(sn_expr_builder *builder, sn_expr_operand *o, int n, const char *fault, int begin, int end) {
  settle(builder, o, n, NAN);
  o->fault = fault;
  o->fault_begin = begin;
  o->fault_end = end;
}

static void pass_fault(sn_expr_builder *builder, sn_expr_operand *o, int n, const sn_expr_operand *from) {
  settle_fault(builder, o, n, from->fault, from->fault_begin, from->fault_end);
}

/* Of the three operands of `if` only o[kept] stays. */
static void keep_branch(sn_expr_builder *builder, sn_expr_operand *o, int kept) {
  assert(kept == 1 || kept == 2);
  const int from = o[kept].start, to = kept < 2 ? o[kept + 1].start : builder->count;
  const int start = o[0].start;
  memmove(&builder->code[start], &builder->code[from], (size_t)(to - from) * sizeof builder->code[0]);
  builder->count = start + to - from;
  o[0] = o[kept];
  o[0].start = start;
  builder->operand_count -= 2;
}

/* if, && and || need not know all their operands. True if that settles the matter. A fault behind a condition that
 * depends on t stays in the program as NaN: whether it is ever met, only the run can tell. */
static bool settle_lazily(sn_expr_builder *builder, sn_expr_op op, sn_expr_operand *o) {
  const int n = op == SN_OP_IF ? 3 : 2;
  const bool decisive = op == SN_OP_OR; /* this value on one side decides */
  if (o[0].fault) {
    pass_fault(builder, o, n, &o[0]);
  } else if (op == SN_OP_IF && o[0].constant) {
    keep_branch(builder, o, o[0].value != 0.0 ? 1 : 2);
  } else if (op == SN_OP_IF) {
    if (!o[1].fault || !o[2].fault) return false;
    pass_fault(builder, o, n, &o[1]);
  } else if (o[0].constant && (o[0].value != 0.0) == decisive) {
    settle(builder, o, n, decisive);
  } else if (o[1].constant && !o[1].fault && (o[1].value != 0.0) == decisive) {
    settle(builder, o, n, decisive);
  } else if (o[0].constant && o[1].fault) {
    pass_fault(builder, o, n, &o[1]);
  } else {
    return false;
  }
  return true;
}

/* All that can be known now about an operation on o[0..n). True if nothing is left to do at evaluation. */
static bool fold(sn_expr_builder *builder, const sn_expr_instruction *instruction, sn_expr_operand *o, int begin,
                 int end) {
  const sn_expr_op op = (sn_expr_op)instruction->op;
  const int n = instruction->arity;
  const bool lazy = op == SN_OP_IF || op == SN_OP_AND || op == SN_OP_OR;
  if (lazy && settle_lazily(builder, op, o)) return true;

  double x[5] = {0};
  assert(n >= 1 && n <= (int)SN_COUNT(x));
  sn_jet jets[5] = {{0}};
  bool constant = true;
  for (int i = 0; i < n; ++i) {
    if (o[i].fault && !lazy) {
      pass_fault(builder, o, n, &o[i]);
      return true;
    }
    constant = constant && o[i].constant;
    x[i] = o[i].constant ? o[i].value : NAN;
    jets[i] = (sn_jet){x[i], 0.0, 0.0};
  }
  int culprit;
  const char *fault = find_fault(op, x, &culprit);
  if (fault) {
    settle_fault(builder, o, n, fault, culprit < 0 ? begin : o[culprit].begin, culprit < 0 ? end : o[culprit].end);
    return true;
  }
  if (!constant) return false;
  const double value = sn_expr_apply(instruction, jets).value;
  if (isfinite(value)) {
    settle(builder, o, n, value);
  } else {
    settle_fault(builder, o, n, "result is not finite", begin, end);
  }
  return true;
}

const char *sn_expr_push(sn_expr_builder *builder, sn_expr_instruction instruction, int begin, int end) {
  assert(instruction.arity == 0 && begin <= end);
  assert(instruction.op != SN_OP_CONSTANT || isfinite(instruction.as.value));
  if (builder->operand_count == SN_EXPR_STACK) return "formula is nested too deeply";
  if (builder->count == builder->capacity) return "formula is too long";
  const bool constant = instruction.op == SN_OP_CONSTANT;
  builder->operands[builder->operand_count++] = (sn_expr_operand){.start = builder->count,
                                                                  .begin = begin,
                                                                  .end = end,
                                                                  .constant = constant,
                                                                  .value = constant ? instruction.as.value : NAN};
  builder->code[builder->count++] = instruction;
  return NULL;
}

const char *sn_expr_emit(sn_expr_builder *builder, sn_expr_instruction instruction, int begin, int end) {
  assert(instruction.arity >= 1 && instruction.arity <= builder->operand_count && begin <= end);
  sn_expr_operand *o = &builder->operands[builder->operand_count - instruction.arity];
  if (!fold(builder, &instruction, o, begin, end)) {
    if (builder->count == builder->capacity) return "formula is too long";
    builder->code[builder->count++] = instruction;
    builder->operand_count -= instruction.arity - 1;
    o->constant = false;
    o->value = NAN;
    o->fault = NULL;
  }
  o->begin = begin;
  o->end = end;
  return NULL;
}
