/* formula.h - expressions of the state: f(t, s_1, s_2, ...) of quantities s(t, q, v) that the model file names.
 *
 *   hinge.angle, hinge.rate, slide.position, tip.x, tip.vy, distance(a.end, b)     coordinates phi (coordinate.h) and rates
 *   beam.at(0.5).N, hinge.reaction.fx, model.energy                                 measured quantities (measured.h)
 *   names of `variables` and `inputs`
 *
 * Derivatives are exact, over the coordinates of the groups the quantities depend on, each group once:
 *
 *   df/dq = sum_k df/ds_k ds_k/dq,   df/dv = sum_k df/ds_k ds_k/dv
 *
 *   s = phi:    ds/dq = G,                ds/dv = 0
 *   s = phi':   ds/dq = d(G v)/dq,        ds/dv = G
 *
 * Reactions depend on multipliers l as well: their groups are among those of the formula, with derivatives df/dl.
 *
 * Where f has no finite derivative (sqrt at 0), the derivative counts as 0: convergence of iterations may suffer, results
 * do not.
 */
#ifndef SN_FORMULA_H
#define SN_FORMULA_H

#include "model/coordinate.h"
#include "model/measured.h"

enum { SN_FORMULA_GROUPS = 24, SN_FORMULA_LOCAL = 192 };

/* Groups of coordinates, each once; their coordinates, one after the other, are local coordinates 0 .. n-1. */
typedef struct sn_group_set {
  int count, n;
  int group[SN_FORMULA_GROUPS], first[SN_FORMULA_GROUPS]; /* first local coordinate of each */
} sn_group_set;
/* Its first local coordinate; added if it is new. -1: too many. */
int sn_group_set_add(sn_group_set *set, int group, int size);

typedef struct sn_formula sn_formula;

typedef enum sn_quantity_type {
  SN_QUANTITY_PHI,      /* phi(q) */
  SN_QUANTITY_RATE,     /* phi' */
  SN_QUANTITY_FORMULA,  /* another expression */
  SN_QUANTITY_STATE,    /* a differential variable: velocity of a coordinate of its own */
  SN_QUANTITY_INPUT,    /* set from outside */
  SN_QUANTITY_MEASURED, /* resultants, reactions, energies */
  SN_QUANTITY_DISCRETE, /* held between events or samples */
} sn_quantity_type;

typedef struct sn_quantity {
  sn_quantity_type type;
  const char *name;
  const void *reference; /* what was written; NULL: a name within the law of a force */
  sn_coordinate phi;
  const sn_formula *formula;
  const sn_measured *measured;
  int index, group;       /* state: its coordinate and its group; input, discrete value: its number */
  const sn_formula *call; /* input: arguments of a function of the host program; NULL: it has none */
  double start;           /* discrete value */
  int turns; /* angle in space: discrete values from turns - 1 on count its turns (joint/turns.h); 0: none */
} sn_quantity;

struct sn_formula {
  const char *owner; /* entry of the file, for messages */
  const sn_expr *f;  /* NULL: a function of the host program, that of this input */
  int input;
  int variables;
  const sn_quantity *const *s; /* [variables] NULL: does not occur */
  sn_group_set set;
  const int *const *at; /* [variables][groups of the quantity] their local coordinates in `set` */
  bool reactive;        /* depends on multipliers */
  bool stays_zero;      /* the equation of a constraint */
  bool wide;            /* depends on too many coordinates to have derivatives: outputs may use it, forces may not */
};

/* Groups of a quantity in the order of its coordinates (repeated ones too), and the sizes; at most 24. */
int sn_quantity_groups(const sn_quantity *s, const int *group_size, int *group, int *size);
double sn_quantity_value(const sn_quantity *s, const sn_eval *eval);

double sn_formula_value(const sn_formula *formula, const sn_eval *eval);
/* The same, and df/dq, df/dv into dq[n], dv[n] (0 where they are multipliers). */
double sn_formula_gradient(const sn_formula *formula, const sn_eval *eval, double *dq, double *dv);
/* The same, and a row of the tangent, ck df/dq + cd df/dv + df/dl, into row[n]. */
double sn_formula_row(const sn_formula *formula, const sn_eval *eval, double *row);
/* T[d + n (at + c)] += factor b[d] row[c]: a row vector over its local coordinates, whose groups are at[] in T. */
void sn_formula_spread(const sn_formula *formula, const int *at, const double *row, int rows, const double *b,
                       double factor, double *T, int stride);
/* The formula of a model with this expression; NULL: none. And the value of an expression of a model, of whichever sort. */
const sn_formula *sn_find_formula(const sn_model *model, const sn_expr *f);
double sn_value_of_expression(const sn_model *model, const sn_expr *f, const sn_eval *eval);
/* Why an expression, or the first one of the model that has none, has no finite value at a state: its place in the file, the
 * operation and its quantities. False: it has one. */
bool sn_explain_formula(const sn_model *model, const sn_formula *formula, const sn_eval *eval, char *text, size_t size);
bool sn_explain_state(const sn_model *model, const sn_eval *eval, char *text, size_t size);
/* Its variables at a state, into x[variables]. */
void sn_formula_arguments(const sn_formula *formula, const sn_eval *eval, double *x);

#endif
