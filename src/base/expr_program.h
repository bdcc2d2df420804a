/* expr_program.h - what the compiler of expressions (expr_parse.c) and the evaluator (expr.c) share. */
#ifndef SN_EXPR_PROGRAM_H
#define SN_EXPR_PROGRAM_H

#include "base/expr.h"

enum {
  SN_EXPR_STACK = 64,          /* values on the evaluation stack */
  SN_EXPR_LEVELS = 64,         /* nested parentheses, functions, signs and powers */
  SN_EXPR_INSTRUCTIONS = 4096, /* of one program */
  SN_EXPR_MANY = -2,           /* arity: two arguments or more */
};

/* Every function once: operation, name, arguments, help. */
#define SN_EXPR_FUNCTIONS(X)                                                                                      \
  X(SIN, "sin", 1, "sine of an angle [rad]")                                                                      \
  X(COS, "cos", 1, "cosine of an angle [rad]")                                                                    \
  X(TAN, "tan", 1, "tangent of an angle [rad]")                                                                   \
  X(ASIN, "asin", 1, "arc sine [rad], argument from -1 to 1")                                                     \
  X(ACOS, "acos", 1, "arc cosine [rad], argument from -1 to 1")                                                   \
  X(ATAN, "atan", 1, "arc tangent [rad]")                                                                         \
  X(ATAN2, "atan2", 2, "atan2(y, x): angle of the vector (x, y) [rad]")                                           \
  X(SINH, "sinh", 1, "hyperbolic sine")                                                                           \
  X(COSH, "cosh", 1, "hyperbolic cosine")                                                                         \
  X(TANH, "tanh", 1, "hyperbolic tangent")                                                                        \
  X(EXP, "exp", 1, "exponential function")                                                                        \
  X(LOG, "log", 1, "natural logarithm")                                                                           \
  X(LOG10, "log10", 1, "decimal logarithm")                                                                       \
  X(SQRT, "sqrt", 1, "square root")                                                                               \
  X(ABS, "abs", 1, "absolute value")                                                                              \
  X(SIGN, "sign", 1, "-1, 0 or 1")                                                                                \
  X(MIN, "min", SN_EXPR_MANY, "smallest of two or more values")                                                   \
  X(MAX, "max", SN_EXPR_MANY, "largest of two or more values")                                                    \
  X(FLOOR, "floor", 1, "next whole number below")                                                                 \
  X(CEIL, "ceil", 1, "next whole number above")                                                                   \
  X(MOD, "mod", 2, "mod(a, b): a - b floor(a/b)")                                                                 \
  X(HYPOT, "hypot", 2, "hypot(a, b): sqrt(a^2 + b^2)")                                                            \
  X(POW, "pow", 2, "pow(a, b): a^b")                                                                              \
  X(IF, "if", 3, "if(condition, a, b): a where the condition holds, else b")                                      \
  X(STEP, "step", 5,                                                                                              \
    "step(t, t0, y0, t1, y1): smooth step from y0 at t0 to y1 at t1, constant before and after: a polynomial of " \
    "fifth degree, twice continuously differentiable (C2), with slope and curvature 0 at both ends")

typedef enum sn_expr_op {
  SN_OP_CONSTANT,
  SN_OP_TIME,
  SN_OP_VARIABLE,
  SN_OP_TABLE,
  SN_OP_ADD,
  SN_OP_SUB,
  SN_OP_MUL,
  SN_OP_DIV,
  SN_OP_NEG,
  SN_OP_NOT,
  SN_OP_LT,
  SN_OP_LE,
  SN_OP_GT,
  SN_OP_GE,
  SN_OP_EQ,
  SN_OP_NE,
  SN_OP_AND,
  SN_OP_OR,
#define X(op, name, arity, help) SN_OP_##op,
  SN_EXPR_FUNCTIONS(X)
#undef X
} sn_expr_op;

typedef struct sn_expr_instruction {
  uint16_t op, arity; /* takes `arity` values off the stack and puts one on it */
  union {
    double value;          /* SN_OP_CONSTANT */
    const sn_table *table; /* SN_OP_TABLE */
    int variable;          /* SN_OP_VARIABLE: its number */
  } as;
} sn_expr_instruction;

/* Postfix program. The compiler has made sure that it needs at most SN_EXPR_STACK values. */
struct sn_expr {
  int count;
  int variables;
  const void *const *reference; /* [variables] what they are */
  const char *text;             /* as written */
  int line, column;             /* where in its file; 0: nowhere */
  sn_expr_instruction code[];
};

/* One operation on its arguments a[0..arity). Folding and evaluation both come here, so they cannot differ. */
sn_jet sn_expr_apply(const sn_expr_instruction *instruction, const sn_jet *a);

/* Segment i with x[i] <= x < x[i+1], the last one closed, for x inside the table. */
int sn_table_segment(const sn_table *table, double x);
/* Slope at its first or last point. */
double sn_table_end_slope(const sn_table *table, bool last);

/* A table of two arguments (expr_grid.c). */
sn_jet sn_grid_jet(const sn_table *table, const sn_jet u[2]);
sn_taylor sn_grid_taylor(int n, const sn_table *table, const sn_taylor u[2]);

/* ---- names (expr_names.c) ---- */

typedef struct sn_function {
  const char *name, *help;
  int op, arity;
} sn_function;
const sn_function *sn_find_function(const char *name); /* NULL: none */
/* Of "atan2(y, x)" in its help "atan2(y, x): angle of ..."; 0: the help does not begin with a call. */
int sn_call_length(const sn_function *function);
const sn_table *sn_find_table(const sn_scope *scope, const char *name);
/* The known name that differs least from one that is unknown (of a function, with `call`); NULL: none is near. */
const char *sn_expr_nearest(const sn_scope *scope, const char *name, bool call);

/* ---- building a program (expr_build.c) ---- */

/* A value the program built so far leaves on the stack, made by code[start .. start of the next operand). */
typedef struct sn_expr_operand {
  int start;
  int begin, end;    /* where it stands in the text */
  bool constant;     /* one SN_OP_CONSTANT with this value */
  double value;      /* NaN where not constant */
  const char *fault; /* constant that cannot be computed: why, and where; an error only if its value is needed */
  int fault_begin, fault_end;
} sn_expr_operand;

typedef struct sn_expr_builder {
  sn_expr_instruction *code;
  int count, capacity;
  sn_expr_operand operands[SN_EXPR_STACK];
  int operand_count;
} sn_expr_builder;

/* Put a value without arguments, or an operation on the newest operands, at the end of the program; constants fold at
 * once. begin, end: where it stands in the text. NULL, or why the program cannot grow. */
const char *sn_expr_push(sn_expr_builder *builder, sn_expr_instruction instruction, int begin, int end);
const char *sn_expr_emit(sn_expr_builder *builder, sn_expr_instruction instruction, int begin, int end);

#endif
