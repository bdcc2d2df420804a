/* expr.h - expressions: numbers written as formulas, functions of time and of variables with exact derivatives.
 *
 * Grammar (lowest precedence first), names and functions case sensitive:
 *     or      a || b          and     a && b
 *     compare a < b  <= > >= == !=   (value 1 or 0; a < b < c is refused)
 *     sum     a + b, a - b    product a * b, a / b
 *     unary   -a, +a, !a      power   a ^ b (right associative, binds tighter than unary minus)
 *     primary number, name, name(arguments), ( expression ), reference
 *     reference  name.name, name.name(...).name, name(...).name: only where the scope has references
 * Names: t (time, reserved), then parameters, then the constants pi and e; inf is not one. Functions: sin cos tan asin
 * acos atan atan2 sinh cosh tanh exp log log10 sqrt abs sign min max floor ceil mod hypot pow, if(condition, a, b),
 * step(t, t0, y0, t1, y1), and tables. min and max take two arguments or more. Where if, && and || do not need a value,
 * a fault in it (1/0) does not matter.
 *
 * A formula is compiled once into a postfix program and evaluated on second-order jets (f, f', f'') in t. It may also
 * depend on variables, named by the scope, whose values are given when it is evaluated; derivatives with respect to
 * them are exact too.
 */
#ifndef SN_EXPR_H
#define SN_EXPR_H

#include "base/base.h"
#include "base/taylor.h"

typedef struct sn_jet {
  double value, rate, accel; /* f, df/dt, d2f/dt2 */
} sn_jet;

/* Outside the points of a table: the end values are held (slope 0), the end slopes are, or there is no value (NaN). */
typedef enum sn_extrapolation { SN_EXTRAPOLATE_HOLD, SN_EXTRAPOLATE_LINEAR, SN_EXTRAPOLATE_ERROR } sn_extrapolation;

/* z(x, y) on a rectangular grid (expr_grid.c). */
typedef struct sn_grid {
  int count[2];       /* of the arguments x and y, at least 2 of each */
  const double *x[2]; /* strictly increasing */
  const double *z;    /* [count[0] * count[1]], those of one x together */
  const double *m[3]; /* cubic: z_xx, z_yy, z_xxyy at the points; NULL: linear */
} sn_grid;

/* y(x) through given points. The points must outlive every expression compiled with them, the struct and its name need
 * not. */
typedef struct sn_table {
  const char *name;
  int count;
  const double *x, *y; /* x strictly increasing */
  const double *m;     /* cubic: second derivatives y'' at the points (natural spline); NULL: linear */
  sn_extrapolation outside;
  const sn_grid *grid; /* a function of two arguments, in place of those points; NULL: of one */
} sn_table;

typedef struct sn_expr sn_expr; /* immutable once compiled, lives in an arena */

/* Where names come from. `lookup` returns true and the value of a parameter, or false (unknown), or
 * false with *failed = true (the parameter exists but is itself wrong or cyclic; error already reported). */
typedef struct sn_scope {
  bool (*lookup)(void *user, const char *name, double *value, bool *failed);
  void *user;
  const sn_table *tables;
  int table_count;
  bool time_allowed;            /* may `t` appear? */
  const char *variable;         /* a name that stands for the argument in place of `t`; NULL: t */
  const char *const *variables; /* names besides `t` whose values are given at evaluation, in this order */
  int variable_count;
  /* References are variables too, numbered behind those. `refer` gets what is written (names, dots and arguments,
   * text[0..length), `offset` bytes from the begin of the formula) and returns what it means, the same pointer for the
   * same thing, or NULL (unknown; *failed: error already reported). NULL: there are no references. */
  const void *(*refer)(void *user, const char *text, size_t offset, size_t length, bool *failed);
  void *refer_user;
  const char *const *calls; /* names of references with arguments: distance(a.end, b) */
  int call_count;
  int line, column;         /* of the formula in its file, for sn_expr_place; 0: it stands in none */
  const char *const *names; /* known parameter names, for "did you mean" (may be NULL) */
  int name_count;
} sn_scope;

typedef struct sn_expr_error {
  int offset, length; /* where in the text, in bytes */
  char text[200];     /* what is wrong and what was expected; "" when the failure was reported elsewhere */
} sn_expr_error;

/* Compile text[0..length); scope may be NULL. NULL and *error on failure. Never reads beyond length, never recurses
 * deeper than 64 levels, rejects programs over 4096 instructions. */
const sn_expr *sn_expr_compile(sn_arena *arena, const char *text, size_t length, const sn_scope *scope,
                               sn_expr_error *error);
const sn_expr *sn_expr_constant(sn_arena *arena, double value);
bool sn_expr_is_constant(const sn_expr *expr);   /* depends neither on t nor on variables */
bool sn_expr_has_variables(const sn_expr *expr); /* depends on variables: evaluate it with their values */
/* How many values the functions below read, and what the reference x_k means (NULL: a name of the scope). */
int sn_expr_variables(const sn_expr *expr);
const void *sn_expr_reference(const sn_expr *expr, int k);
bool sn_expr_uses(const sn_expr *expr, int k); /* does x_k occur? -1: does t? */
/* No allocation, no failure: an invalid operation gives NaN. */
double sn_expr_value(const sn_expr *expr, double t);
sn_jet sn_expr_jet(const sn_expr *expr, double t);
/* With variables: f and its derivatives along a path on which t and the variables x are jets. */
sn_jet sn_expr_along(const sn_expr *expr, sn_jet t, const sn_jet *x);
/* f(t, x), and df/dx into gradient[count] unless that is NULL. At most SN_EXPR_VARIABLES variables. */
enum { SN_EXPR_VARIABLES = 32 };
double sn_expr_gradient(const sn_expr *expr, double t, int count, const double *x, double *gradient);
/* Bounds of f and of its Taylor coefficients up to the n-th over [from, to]. */
sn_taylor sn_expr_taylor(const sn_expr *expr, double from, double to, int n);
/* The same with variables x that do not move with t. */
double sn_expr_value_at(const sn_expr *expr, double t, const double *x);
sn_jet sn_expr_jet_at(const sn_expr *expr, double t, const double *x);
sn_taylor sn_expr_taylor_at(const sn_expr *expr, const double *x, double from, double to, int n);
/* The formula as it was written, and where in its file (line 0: nowhere). */
const char *sn_expr_text(const sn_expr *expr, int *line, int *column);
/* Why it has no finite value there, "asin(1.2)" or "table 'curve' at 3, outside 0 to 2": the operation that has none,
 * into text. False: it has a value. */
bool sn_expr_fault(const sn_expr *expr, double t, const double *x, char *text, size_t size);
/* Constant folding at compile reports division by zero, log of a negative number and the like as errors
 * with their position; a compiled constant is always finite. Behind a condition that depends on t such a fault stays
 * in the program and gives NaN if it is met. */

/* Second derivatives of the natural cubic spline through (x, y): fills m[count]. */
void sn_spline_fit(int count, const double *x, const double *y, double *m);
/* The second derivatives of a grid. */
void sn_grid_fit(sn_arena *arena, sn_grid *grid);
/* How far its splines leave the values they go through, as a share of their range. */
double sn_grid_overshoot(const sn_table *table);

/* The names of the functions and constants, for documents and completion: NULL-terminated pairs name, help. */
const char *const *sn_expr_functions(void);

#endif
