/* expr_taylor.c - compiled expressions evaluated on series: bounds of f and its derivatives over an interval.
 *
 * Where the argument of a comparison, of if, abs, sign, min, max, floor, ceil, mod, step or of a table may be on either
 * side of a place where the function is not smooth, the result is rough: the range of all sides. A place that merely
 * bounds the interval does not count unless the value there belongs to the other side (floor, comparisons).
 */
#include <math.h>

#include "base/expr_along.h"
#include "base/expr_program.h"
#include "base/jet.h"
#include "base/taylor.h"

/* ---- logic: [0, 0] false, [1, 1] true, [0, 1] not known ---- */

static sn_taylor certain(bool holds) {
  return sn_taylor_constant(holds ? 1 : 0);
}

static sn_taylor either(bool yes, bool no) {
  return yes ? certain(true) : no ? certain(false) : sn_taylor_rough((sn_span){0, 1});
}

static bool is_true(const sn_taylor *a) {
  return a->c[0].low > 0 || a->c[0].high < 0;
}

static bool is_false(const sn_taylor *a) {
  return a->c[0].low == 0 && a->c[0].high == 0;
}

static sn_taylor compare(sn_expr_op op, sn_span a, sn_span b) {
  const bool same = a.low == a.high && b.low == b.high && a.low == b.low, apart = a.high < b.low || b.high < a.low;
  switch (op) {
    case SN_OP_LT:
      return either(a.high < b.low, a.low >= b.high);
    case SN_OP_LE:
      return either(a.high <= b.low, a.low > b.high);
    case SN_OP_GT:
      return either(a.low > b.high, a.high <= b.low);
    case SN_OP_GE:
      return either(a.low >= b.high, a.high < b.low);
    case SN_OP_EQ:
      return either(same, apart);
    default:
      return either(apart, same);
  }
}

static sn_taylor logic(sn_expr_op op, const sn_taylor *a, const sn_taylor *b) {
  if (op == SN_OP_AND) return either(is_true(a) && is_true(b), is_false(a) || is_false(b));
  return either(is_true(a) || is_true(b), is_false(a) && is_false(b));
}

static sn_taylor choose(const sn_taylor *condition, const sn_taylor *a, const sn_taylor *b) {
  if (is_true(condition)) return *a;
  if (is_false(condition)) return *b;
  return sn_taylor_rough(sn_span_hull(a->c[0], b->c[0]));
}

/* ---- kinks and jumps ---- */

static sn_taylor magnitude(const sn_taylor *a) {
  const sn_span x = a->c[0];
  if (x.low >= 0) return *a;
  if (x.high <= 0) return sn_taylor_scale(-1, a);
  return sn_taylor_rough((sn_span){0, sn_span_size(x)});
}

static double sign_of(double x) {
  return (double)((x > 0) - (x < 0));
}

static sn_taylor sign(const sn_taylor *a) {
  const double low = sign_of(a->c[0].low), high = sign_of(a->c[0].high);
  return low == high ? sn_taylor_constant(low) : sn_taylor_rough((sn_span){low, high});
}

static sn_taylor smallest(const sn_taylor *a, const sn_taylor *b) {
  const sn_span x = a->c[0], y = b->c[0];
  if (x.high <= y.low) return *a;
  if (y.high <= x.low) return *b;
  return sn_taylor_rough((sn_span){fmin(x.low, y.low), fmin(x.high, y.high)});
}

static sn_taylor largest(const sn_taylor *a, const sn_taylor *b) {
  const sn_span x = a->c[0], y = b->c[0];
  if (x.low >= y.high) return *a;
  if (y.low >= x.high) return *b;
  return sn_taylor_rough((sn_span){fmax(x.low, y.low), fmax(x.high, y.high)});
}

static sn_taylor whole(double (*f)(double), const sn_taylor *a) {
  const double low = f(a->c[0].low), high = f(a->c[0].high);
  return low == high && isfinite(low) ? sn_taylor_constant(low) : sn_taylor_rough((sn_span){low, high});
}

/* a - n b, as long as n is the same at all corners of the two ranges */
static sn_taylor modulo(const sn_taylor *a, const sn_taylor *b) {
  const sn_span x = a->c[0], y = b->c[0];
  if (!(y.low > 0 || y.high < 0)) return sn_taylor_unknown();
  const double far = sn_span_size(y);
  const sn_span range = y.low > 0 ? (sn_span){0, far} : (sn_span){-far, 0};
  double n = NAN;
  for (int corner = 0; corner < 4; ++corner) {
    const double u = corner & 1 ? x.high : x.low, v = corner & 2 ? y.high : y.low;
    const double here = round((u - sn_jet_mod(sn_jet_constant(u), sn_jet_constant(v)).value) / v);
    if (corner > 0 && here != n) return sn_taylor_rough(range);
    n = here;
  }
  if (!isfinite(n)) return sn_taylor_rough(range);
  const sn_taylor jump = sn_taylor_scale(n, b);
  sn_taylor y1 = sn_taylor_subtract(a, &jump);
  y1.c[0] = (sn_span){fmax(y1.c[0].low, range.low), fmin(y1.c[0].high, range.high)};
  return y1;
}

static double rise_at(double s) {
  return s * s * s * (10.0 + s * (6.0 * s - 15.0));
}

/* y0 + (y1 - y0) h(s), s = (x - x0)/(x1 - x0), h = s^3 (10 - 15 s + 6 s^2) */
static sn_taylor step(int n, const sn_taylor *a) {
  const sn_span x = a[0].c[0], x0 = a[1].c[0], x1 = a[3].c[0];
  if (!(x0.high < x1.low)) return sn_taylor_unknown();
  if (x.high <= x0.low) return a[2];
  if (x.low >= x1.high) return a[4];
  if (x.low < x0.high || x.high > x1.low) return sn_taylor_rough(sn_span_hull(a[2].c[0], a[4].c[0]));
  const sn_taylor along = sn_taylor_subtract(&a[0], &a[1]), length = sn_taylor_subtract(&a[3], &a[1]);
  const sn_taylor s = sn_taylor_divide(n, &along, &length), three = sn_taylor_constant(3);
  const sn_taylor ten = sn_taylor_constant(10), fifteen = sn_taylor_constant(15);
  sn_taylor sum = sn_taylor_scale(6, &s);
  sum = sn_taylor_subtract(&sum, &fifteen);
  sum = sn_taylor_multiply(n, &s, &sum);
  sum = sn_taylor_add(&ten, &sum);
  const sn_taylor cube = sn_taylor_pow(n, &s, &three);
  sn_taylor rise = sn_taylor_multiply(n, &cube, &sum);
  if (rise.smooth) rise.c[0] = (sn_span){rise_at(fmax(s.c[0].low, 0)), rise_at(fmin(s.c[0].high, 1))};
  const sn_taylor height = sn_taylor_subtract(&a[4], &a[2]), part = sn_taylor_multiply(n, &height, &rise);
  return sn_taylor_add(&a[2], &part);
}

/* ---- tables ---- */

/* Range over the segments first .. last: that of the points, and how far a cubic can leave its chord, h^2 |m|/8. */
static sn_span range_of(const sn_table *table, int first, int last) {
  sn_span range = {table->y[first], table->y[first]};
  double beyond = 0;
  for (int i = first; i <= last + 1 && i < table->count; ++i) {
    range = sn_span_hull(range, (sn_span){table->y[i], table->y[i]});
    if (!table->m || i > last || i + 1 >= table->count) continue;
    const double h = table->x[i + 1] - table->x[i];
    beyond = fmax(beyond, h * h / 8 * fmax(fabs(table->m[i]), fabs(table->m[i + 1])));
  }
  return (sn_span){range.low - beyond, range.high + beyond};
}

/* Outside the points. */
static sn_taylor beyond(int n, const sn_table *table, const sn_taylor *u, bool behind) {
  const int end = behind ? table->count - 1 : 0;
  const sn_taylor y = sn_taylor_constant(table->y[end]), x = sn_taylor_constant(table->x[end]);
  if (table->outside == SN_EXTRAPOLATE_HOLD || table->count == 1) return y;
  if (table->outside == SN_EXTRAPOLATE_ERROR) return sn_taylor_unknown();
  const sn_taylor slope = sn_taylor_constant(sn_table_end_slope(table, behind)), s = sn_taylor_subtract(u, &x);
  const sn_taylor rise = sn_taylor_multiply(n, &slope, &s);
  return sn_taylor_add(&y, &rise);
}

/* Range where one end of x is outside. */
static sn_taylor across(const sn_table *table, const sn_taylor *u) {
  if (table->outside == SN_EXTRAPOLATE_ERROR) return sn_taylor_unknown();
  const int last = table->count - 1;
  sn_span range = range_of(table, 0, last - 1);
  for (int behind = 0; behind < 2; ++behind) {
    const double far = behind ? u->c[0].high - table->x[last] : u->c[0].low - table->x[0];
    if (behind ? far <= 0 : far >= 0) continue;
    const double y = table->y[behind ? last : 0] + sn_table_end_slope(table, behind) * far;
    range = sn_span_hull(range, (sn_span){y, y});
  }
  return sn_taylor_rough(range);
}

/* In a segment, s = u - x0, h = x1 - x0:
 *     y = y0 + s (b + s (m0/2 + s (m1 - m0)/(6h))),  b = (y1 - y0)/h - h (2 m0 + m1)/6 */
static sn_taylor look_up(int n, const sn_table *table, const sn_taylor *u) {
  const int last = table->count - 1;
  const sn_span x = u->c[0];
  if (last < 0) return sn_taylor_unknown();
  if (last == 0 || x.high <= table->x[0]) return beyond(n, table, u, false);
  if (x.low >= table->x[last]) return beyond(n, table, u, true);
  if ((x.low < table->x[0] || x.high > table->x[last]) && table->outside != SN_EXTRAPOLATE_HOLD)
    return across(table, u);
  const int i = x.low < table->x[0] ? 0 : sn_table_segment(table, x.low);
  const int j = x.high > table->x[last] ? last - 1 : sn_table_segment(table, x.high);
  const bool inside = x.low >= table->x[i] && x.high <= table->x[i + 1];
  if (!inside || !u->smooth) return sn_taylor_rough(range_of(table, i, j));
  const double h = table->x[i + 1] - table->x[i], y0 = table->y[i], m0 = table->m ? table->m[i] : 0;
  const double m1 = table->m ? table->m[i + 1] : 0, b = (table->y[i + 1] - y0) / h - h * (2 * m0 + m1) / 6;
  const double weight[4] = {y0, b, m0 / 2, (m1 - m0) / (6 * h)};
  const sn_taylor origin = sn_taylor_constant(table->x[i]), s = sn_taylor_subtract(u, &origin);
  sn_taylor y = sn_taylor_constant(weight[3]);
  for (int k = 2; k >= 0; --k) {
    const sn_taylor term = sn_taylor_constant(weight[k]);
    y = sn_taylor_multiply(n, &s, &y);
    y = sn_taylor_add(&term, &y);
  }
  return y;
}

/* ---- evaluation ---- */

static sn_taylor circular(int n, const sn_taylor *a, bool hyperbolic, bool cosine) {
  sn_taylor s, c;
  if (hyperbolic) {
    sn_taylor_sinh_cosh(n, a, &s, &c);
  } else {
    sn_taylor_sin_cos(n, a, &s, &c);
  }
  return cosine ? c : s;
}

/* clang-format off */
static sn_taylor apply(int n, const sn_expr_instruction *instruction, const sn_taylor *a) {
  const sn_expr_op op = (sn_expr_op)instruction->op;
  switch (op) {
    case SN_OP_CONSTANT:
    case SN_OP_TIME:
    case SN_OP_VARIABLE: break; /* no operations */
    case SN_OP_TABLE: return instruction->arity == 2 ? sn_grid_taylor(n, instruction->as.table, a) : look_up(n, instruction->as.table, a);
    case SN_OP_ADD: return sn_taylor_add(a, a + 1);
    case SN_OP_SUB: return sn_taylor_subtract(a, a + 1);
    case SN_OP_MUL: return sn_taylor_multiply(n, a, a + 1);
    case SN_OP_DIV: return sn_taylor_divide(n, a, a + 1);
    case SN_OP_NEG: return sn_taylor_scale(-1, a);
    case SN_OP_NOT: return either(is_false(a), is_true(a));
    case SN_OP_LT:
    case SN_OP_LE:
    case SN_OP_GT:
    case SN_OP_GE:
    case SN_OP_EQ:
    case SN_OP_NE: return compare(op, a[0].c[0], a[1].c[0]);
    case SN_OP_AND:
    case SN_OP_OR: return logic(op, a, a + 1);
    case SN_OP_SIN: return circular(n, a, false, false);
    case SN_OP_COS: return circular(n, a, false, true);
    case SN_OP_TAN: return sn_taylor_tan(n, a);
    case SN_OP_ASIN: return sn_taylor_asin(n, a);
    case SN_OP_ACOS: return sn_taylor_acos(n, a);
    case SN_OP_ATAN: return sn_taylor_atan(n, a);
    case SN_OP_ATAN2: return sn_taylor_atan2(n, a, a + 1);
    case SN_OP_SINH: return circular(n, a, true, false);
    case SN_OP_COSH: return circular(n, a, true, true);
    case SN_OP_TANH: return sn_taylor_tanh(n, a);
    case SN_OP_EXP: return sn_taylor_exp(n, a);
    case SN_OP_LOG: return sn_taylor_log(n, a);
    case SN_OP_LOG10: {
      const sn_taylor y = sn_taylor_log(n, a);
      return sn_taylor_scale(1 / log(10.0), &y);
    }
    case SN_OP_SQRT: return sn_taylor_sqrt(n, a);
    case SN_OP_ABS: return magnitude(a);
    case SN_OP_SIGN: return sign(a);
    case SN_OP_MIN: return smallest(a, a + 1);
    case SN_OP_MAX: return largest(a, a + 1);
    case SN_OP_FLOOR: return whole(floor, a);
    case SN_OP_CEIL: return whole(ceil, a);
    case SN_OP_MOD: return modulo(a, a + 1);
    case SN_OP_HYPOT: return sn_taylor_hypot(n, a, a + 1);
    case SN_OP_POW: return sn_taylor_pow(n, a, a + 1);
    case SN_OP_IF: return choose(a, a + 1, a + 2);
    case SN_OP_STEP: return step(n, a);
  }
  return sn_taylor_unknown();
}
/* clang-format on */

/* What is known at the middle of the interval sharpens the range: f(t) = f(m) + f'(s) (t - m), with one s between. Sums
 * of terms that cancel, as in t^2 - 2 t + 1, need it. */
static void sharpen(sn_taylor *x, double value, double half) {
  if (!x->smooth || x->top < 1 || !isfinite(value)) return;
  const double reach = 1.001 * half * sn_span_size(x->c[1]); /* a little more: values carry rounding */
  x->c[0].low = fmin(fmax(x->c[0].low, value - reach), value);
  x->c[0].high = fmax(fmin(x->c[0].high, value + reach), value);
}

sn_taylor sn_expr_taylor(const sn_expr *expr, double from, double to, int n) {
  return sn_expr_taylor_at(expr, NULL, from, to, n);
}

/* Variables x do not move, or have these series and these values at the middle. */
static sn_taylor evaluate(const sn_expr *expr, const double *x, const sn_taylor *series, const sn_jet *middles,
                          double from, double to, int n) {
  assert(!(from > to) && n >= 0 && n <= SN_TAYLOR_ORDER);
  sn_taylor stack[SN_EXPR_STACK];
  sn_jet at[SN_EXPR_STACK]; /* the same at the middle */
  const double middle = from + (to - from) / 2, half = fmax(to - middle, middle - from);
  int top = 0;
  for (int i = 0; i < expr->count; ++i) {
    const sn_expr_instruction *instruction = &expr->code[i];
    if (instruction->op == SN_OP_CONSTANT) {
      const double value = instruction->as.value;
      at[top] = sn_jet_constant(value);
      stack[top] = isnan(value) ? sn_taylor_unknown() : sn_taylor_constant(value);
    } else if (instruction->op == SN_OP_TIME) {
      at[top] = (sn_jet){middle, 1, 0};
      stack[top] = sn_taylor_time(from, to);
    } else if (instruction->op == SN_OP_VARIABLE && series) {
      at[top] = middles[instruction->as.variable];
      stack[top] = series[instruction->as.variable];
    } else if (instruction->op == SN_OP_VARIABLE) {
      const double value = x ? x[instruction->as.variable] : NAN;
      at[top] = sn_jet_constant(value);
      stack[top] = isfinite(value) ? sn_taylor_constant(value) : sn_taylor_unknown();
    } else {
      top -= instruction->arity;
      at[top] = sn_expr_apply(instruction, &at[top]);
      stack[top] = apply(n, instruction, &stack[top]);
      if (n > 0 && half > 1e-9 * fmax(fabs(middle), 1e-3)) sharpen(&stack[top], at[top].value, half);
    }
    ++top;
  }
  return stack[0];
}

sn_taylor sn_expr_taylor_at(const sn_expr *expr, const double *x, double from, double to, int n) {
  return evaluate(expr, x, NULL, NULL, from, to, n);
}

sn_taylor sn_expr_taylor_along(const sn_expr *expr, const sn_arguments *x, double from, double to, int n) {
  sn_taylor series[SN_EXPR_VARIABLES];
  sn_jet middles[SN_EXPR_VARIABLES];
  x->series(x->self, from, to, n, series);
  x->jets(x->self, from + (to - from) / 2, middles);
  return evaluate(expr, NULL, series, middles, from, to, n);
}
