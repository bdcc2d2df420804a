/* expr.c - evaluation of compiled expressions on jets, and tables. */
#include "base/expr.h"

#include "base/expr_along.h"
#include "base/expr_program.h"
#include "base/jet.h"
#include "math/predicates.h"

/* ---- logic: 1, 0, or NaN for "not known"; derivatives are zero ---- */

static sn_jet truth(bool known, bool holds) {
  return sn_jet_constant(known ? (double)holds : NAN);
}

/* clang-format off */
static sn_jet compare(sn_expr_op op, double a, double b) {
  const bool known = !isnan(a) && !isnan(b);
  switch (op) {
    case SN_OP_LT: return truth(known, a < b);
    case SN_OP_LE: return truth(known, a <= b);
    case SN_OP_GT: return truth(known, a > b);
    case SN_OP_GE: return truth(known, a >= b);
    case SN_OP_EQ: return truth(known, a == b);
    default: return truth(known, a != b);
  }
}
/* clang-format on */

/* False and anything is false, true or anything is true, whatever becomes of the other side. */
static sn_jet logic(sn_expr_op op, double a, double b) {
  const bool decides = op == SN_OP_OR;
  if ((!isnan(a) && (a != 0.0) == decides) || (!isnan(b) && (b != 0.0) == decides)) return truth(true, decides);
  return truth(!isnan(a) && !isnan(b), !decides);
}

static sn_jet choose(double condition, sn_jet a, sn_jet b) {
  if (isnan(condition)) return sn_jet_invalid();
  return condition != 0.0 ? a : b;
}

static double sign(double x) {
  return isnan(x) ? NAN : (double)((x > 0.0) - (x < 0.0));
}

/* ---- tables ---- */

int sn_table_segment(const sn_table *table, double x) {
  assert(table->count >= 2);
  int low = 0, high = table->count - 1;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (table->x[middle] <= x) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/* y' at an end: of the linear piece there, and of a natural spline, whose y'' is 0 there. */
double sn_table_end_slope(const sn_table *table, bool last) {
  assert(table->count >= 2);
  const int i = last ? table->count - 2 : 0;
  const double h = table->x[i + 1] - table->x[i], d = (table->y[i + 1] - table->y[i]) / h;
  if (!table->m) return d;
  return last ? d + h / 6.0 * (table->m[i] + 2.0 * table->m[i + 1])
              : d - h / 6.0 * (2.0 * table->m[i] + table->m[i + 1]);
}

/* Between points 0 and 1, h = x1 - x0, A = (x1 - x)/h, B = (x - x0)/h:
 *     y   = A y0 + B y1 + h^2/6 ((A^3 - A) m0 + (B^3 - B) m1)
 *     y'  = (y1 - y0)/h + h/6 ((3B^2 - 1) m1 - (3A^2 - 1) m0)
 *     y'' = A m0 + B m1 */
static sn_jet look_up(const sn_table *table, sn_jet u) {
  assert(table && table->x && table->y);
  const int last = table->count - 1;
  if (last < 0 || isnan(u.value)) return sn_jet_invalid();
  const bool before = u.value<table->x[0], behind = u.value> table->x[last];
  if (before || behind || last == 0) {
    const int end = behind ? last : 0;
    if (table->outside == SN_EXTRAPOLATE_HOLD || last == 0) return sn_jet_constant(table->y[end]);
    if (table->outside == SN_EXTRAPOLATE_ERROR) return sn_jet_invalid();
    const double slope = sn_table_end_slope(table, behind);
    return sn_jet_chain(u, table->y[end] + slope * (u.value - table->x[end]), slope, 0.0);
  }
  const int i = sn_table_segment(table, u.value);
  const double x0 = table->x[i], x1 = table->x[i + 1], y0 = table->y[i], y1 = table->y[i + 1], h = x1 - x0;
  const double A = (x1 - u.value) / h, B = (u.value - x0) / h;
  double y = A * y0 + B * y1, d1 = (y1 - y0) / h, d2 = 0.0;
  if (table->m) {
    const double m0 = table->m[i], m1 = table->m[i + 1];
    y += h * h / 6.0 * ((A * A * A - A) * m0 + (B * B * B - B) * m1);
    d1 += h / 6.0 * ((3.0 * B * B - 1.0) * m1 - (3.0 * A * A - 1.0) * m0);
    d2 = A * m0 + B * m1;
  }
  return sn_jet_chain(u, y, d1, d2);
}

/* Natural spline, h_i = x_(i+1) - x_i, s_i = (y_(i+1) - y_i)/h_i, m_0 = m_last = 0 and at the points between
 *     h_(i-1) m_(i-1) + 2 (h_(i-1) + h_i) m_i + h_i m_(i+1) = 6 (s_i - s_(i-1)),
 * tridiagonal and diagonally dominant: elimination without pivoting. */
void sn_spline_fit(int count, const double *x, const double *y, double *m) {
  assert(count > 0 && sn_is_rising(count, x));
  for (int i = 0; i < count; ++i) m[i] = 0.0;
  if (count < 3) return;
  sn_arena scratch = {0};
  double *upper = SN_NEW(&scratch, double, count); /* eliminated superdiagonal; upper[0] = 0 as m_0 = 0 */
  for (int i = 1; i < count - 1; ++i) {
    const double left = x[i] - x[i - 1], right = x[i + 1] - x[i];
    const double pivot = 2.0 * (left + right) - left * upper[i - 1];
    upper[i] = right / pivot;
    m[i] = (6.0 * ((y[i + 1] - y[i]) / right - (y[i] - y[i - 1]) / left) - left * m[i - 1]) / pivot;
  }
  for (int i = count - 2; i > 0; --i) m[i] -= upper[i] * m[i + 1];
  sn_arena_free(&scratch);
}

/* ---- evaluation ---- */

/* clang-format off */
sn_jet sn_expr_apply(const sn_expr_instruction *instruction, const sn_jet *a) {
  const sn_expr_op op = (sn_expr_op)instruction->op;
  const double x = a[0].value;
  switch (op) {
    case SN_OP_CONSTANT:
    case SN_OP_TIME:
    case SN_OP_VARIABLE: break; /* no operations: the caller puts them on the stack */
    case SN_OP_TABLE: return instruction->arity == 2 ? sn_grid_jet(instruction->as.table, a) : look_up(instruction->as.table, a[0]);
    case SN_OP_ADD: return sn_jet_add(a[0], a[1]);
    case SN_OP_SUB: return sn_jet_sub(a[0], a[1]);
    case SN_OP_MUL: return sn_jet_mul(a[0], a[1]);
    case SN_OP_DIV: return sn_jet_div(a[0], a[1]);
    case SN_OP_NEG: return sn_jet_scale(-1.0, a[0]);
    case SN_OP_NOT: return truth(!isnan(x), x == 0.0);
    case SN_OP_LT:
    case SN_OP_LE:
    case SN_OP_GT:
    case SN_OP_GE:
    case SN_OP_EQ:
    case SN_OP_NE: return compare(op, x, a[1].value);
    case SN_OP_AND:
    case SN_OP_OR: return logic(op, x, a[1].value);
    case SN_OP_SIN: return sn_jet_chain(a[0], sin(x), cos(x), -sin(x));
    case SN_OP_COS: return sn_jet_chain(a[0], cos(x), -sin(x), -cos(x));
    case SN_OP_TAN: return sn_jet_tan(a[0]);
    case SN_OP_ASIN: return sn_jet_asin(a[0]);
    case SN_OP_ACOS: return sn_jet_acos(a[0]);
    case SN_OP_ATAN: return sn_jet_atan(a[0]);
    case SN_OP_ATAN2: return sn_jet_atan2(a[0], a[1]);
    case SN_OP_SINH: return sn_jet_chain(a[0], sinh(x), cosh(x), sinh(x));
    case SN_OP_COSH: return sn_jet_chain(a[0], cosh(x), sinh(x), cosh(x));
    case SN_OP_TANH: return sn_jet_tanh(a[0]);
    case SN_OP_EXP: return sn_jet_chain(a[0], exp(x), exp(x), exp(x));
    case SN_OP_LOG: return sn_jet_log(a[0]);
    case SN_OP_LOG10: {
      const sn_jet u = sn_jet_scale(1.0 / log(10.0), sn_jet_log(a[0]));
      return (sn_jet){log10(x), u.rate, u.accel}; /* log10 itself is exact at powers of ten */
    }
    case SN_OP_SQRT: return sn_jet_sqrt(a[0]);
    case SN_OP_ABS: return sn_jet_chain(a[0], fabs(x), sign(x), 0.0);
    case SN_OP_SIGN: return sn_jet_constant(sign(x));
    case SN_OP_MIN: return choose(compare(SN_OP_LE, x, a[1].value).value, a[0], a[1]);
    case SN_OP_MAX: return choose(compare(SN_OP_GE, x, a[1].value).value, a[0], a[1]);
    case SN_OP_FLOOR: return sn_jet_constant(floor(x));
    case SN_OP_CEIL: return sn_jet_constant(ceil(x));
    case SN_OP_MOD: return sn_jet_mod(a[0], a[1]);
    case SN_OP_HYPOT: return sn_jet_hypot(a[0], a[1]);
    case SN_OP_POW: return sn_jet_pow(a[0], a[1]);
    case SN_OP_IF: return choose(x, a[1], a[2]);
    case SN_OP_STEP: return sn_jet_step(a[0], a[1], a[2], a[3], a[4]);
  }
  return sn_jet_invalid();
}
/* clang-format on */

static double finite_or_nan(double x) {
  return isfinite(x) ? x : NAN;
}

sn_jet sn_expr_along(const sn_expr *expr, sn_jet t, const sn_jet *x) {
  sn_jet stack[SN_EXPR_STACK];
  int top = 0; /* values on the stack */
  for (int i = 0; i < expr->count; ++i) {
    const sn_expr_instruction *instruction = &expr->code[i];
    assert(top >= instruction->arity && top - instruction->arity < SN_EXPR_STACK);
    if (instruction->op == SN_OP_CONSTANT) {
      stack[top] = sn_jet_constant(instruction->as.value);
    } else if (instruction->op == SN_OP_TIME) {
      stack[top] = t;
    } else if (instruction->op == SN_OP_VARIABLE) {
      assert(x && instruction->as.variable < expr->variables);
      stack[top] = x ? x[instruction->as.variable] : sn_jet_invalid();
    } else {
      top -= instruction->arity;
      stack[top] = sn_expr_apply(instruction, &stack[top]);
    }
    ++top;
  }
  const sn_jet f = stack[0];
  assert(top == 1);
  if (!isfinite(f.value)) return sn_jet_invalid();
  return (sn_jet){f.value, finite_or_nan(f.rate), finite_or_nan(f.accel)};
}

sn_jet sn_expr_jet(const sn_expr *expr, double t) {
  return sn_expr_along(expr, (sn_jet){t, 1.0, 0.0}, NULL);
}

double sn_expr_value(const sn_expr *expr, double t) {
  return sn_expr_jet(expr, t).value;
}

/* Variables that do not move. */
static void hold(int count, const double *x, sn_jet y[SN_EXPR_VARIABLES]) {
  assert(count >= 0 && count <= SN_EXPR_VARIABLES);
  for (int k = 0; k < count; ++k) y[k] = sn_jet_constant(x[k]);
}

sn_jet sn_expr_jet_at(const sn_expr *expr, double t, const double *x) {
  if (!x) return sn_expr_jet(expr, t);
  sn_jet y[SN_EXPR_VARIABLES];
  hold(expr->variables, x, y);
  return sn_expr_along(expr, (sn_jet){t, 1.0, 0.0}, y);
}

sn_jet sn_expr_jet_along(const sn_expr *expr, const sn_arguments *x, double t) {
  sn_jet y[SN_EXPR_VARIABLES];
  x->jets(x->self, t, y);
  return sn_expr_along(expr, (sn_jet){t, 1.0, 0.0}, y);
}

double sn_expr_value_at(const sn_expr *expr, double t, const double *x) {
  return sn_expr_jet_at(expr, t, x).value;
}

/* One pass for each variable that occurs: the derivative along x_k. */
double sn_expr_gradient(const sn_expr *expr, double t, int count, const double *x, double *gradient) {
  assert(count >= expr->variables);
  sn_jet y[SN_EXPR_VARIABLES];
  hold(count, x, y);
  double value = NAN;
  bool known = false;
  for (int k = 0; gradient && k < count; ++k) {
    gradient[k] = 0.0;
    if (!sn_expr_uses(expr, k)) continue;
    y[k].rate = 1.0;
    const sn_jet f = sn_expr_along(expr, sn_jet_constant(t), y);
    y[k].rate = 0.0;
    gradient[k] = f.rate;
    value = f.value;
    known = true;
  }
  return known ? value : sn_expr_along(expr, sn_jet_constant(t), y).value;
}

int sn_expr_variables(const sn_expr *expr) {
  return expr->variables;
}

const void *sn_expr_reference(const sn_expr *expr, int k) {
  assert(k >= 0 && k < expr->variables);
  return expr->reference[k];
}

bool sn_expr_uses(const sn_expr *expr, int k) {
  for (int i = 0; i < expr->count; ++i) {
    const sn_expr_instruction *instruction = &expr->code[i];
    if (k < 0 ? instruction->op == SN_OP_TIME : instruction->op == SN_OP_VARIABLE && instruction->as.variable == k)
      return true;
  }
  return false;
}

bool sn_expr_is_constant(const sn_expr *expr) {
  return expr->count == 1 && expr->code[0].op == SN_OP_CONSTANT;
}

bool sn_expr_has_variables(const sn_expr *expr) {
  for (int i = 0; i < expr->count; ++i) {
    if (expr->code[i].op == SN_OP_VARIABLE) return true;
  }
  return false;
}

const sn_expr *sn_expr_constant(sn_arena *arena, double value) {
  assert(isfinite(value));
  sn_expr *expr = sn_alloc(arena, 1, sizeof *expr + sizeof expr->code[0]);
  expr->count = 1;
  expr->code[0] = (sn_expr_instruction){.op = SN_OP_CONSTANT, .as.value = value};
  return expr;
}

const char *const *sn_expr_functions(void) {
  /* clang-format off */
  static const char *const list[] = {
      "t", "time [s], where a function of time may stand",
      "pi", "3.14159...",
      "e", "2.71828...",
#define X(op, name, arity, help) name, help,
      SN_EXPR_FUNCTIONS(X)
#undef X
      NULL, NULL};
  /* clang-format on */
  return list;
}
