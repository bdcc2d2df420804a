/* host.h - what a host program adds to a simulation of a model: functions of inputs and constraints, forces at markers. */
#ifndef SN_HOST_H
#define SN_HOST_H

#include <stdatomic.h>

#include "sinew/sinew.h"

typedef struct sn_host_function {
  sn_input_function f; /* NULL: none */
  void *user;
  double low, high; /* range of the input */
} sn_host_function;

typedef struct sn_host_constraint {
  sn_constraint_function f; /* NULL: none */
  void *user;
} sn_host_constraint;

/* Phi of a constraint and its derivatives with respect to t (first) and its arguments. */
enum { SN_CONSTRAINT_VARIABLES = 5 };
typedef struct sn_constraint_value {
  double value, first[SN_CONSTRAINT_VARIABLES], second[SN_CONSTRAINT_VARIABLES][SN_CONSTRAINT_VARIABLES];
} sn_constraint_value;

typedef enum sn_host_fault {
  SN_HOST_FINE,
  SN_HOST_NO_NUMBER, /* it returned a value that is not finite, or outside of the range of its input */
  SN_HOST_ENDED,     /* it returned an error: no function is called until the next step */
} sn_host_fault;

typedef struct sn_host {
  sn_host_function *function;     /* [inputs of the model] */
  sn_host_constraint *constraint; /* [constraints of the model] */
  int markers, capacity;          /* points that it has named (force/applied.h) */
  struct sn_applied *load;        /* [markers] */
  int applied;                    /* of these, the first so many may have forces */
  /* The first fault since it was cleared. Evaluations may run on several threads. */
  atomic_int fault;
  int input, code; /* of the input, or -1 - the number of the constraint */
  double t, value;
} sn_host;

/* Has the input a function? */
static inline int sn_host_has(const sn_host *host, int input) {
  return host && host->function[input].f;
}
/* The function of an input at t and its arguments x[count]; NaN: it has no value there. */
double sn_host_value(sn_host *host, int input, double t, int count, const double *x);
/* The same with df/dx[count]: those of the function, or central differences. */
double sn_host_gradient(sn_host *host, int input, double t, int count, const double *x, double *df);

/* Note a fault of an input, or of a constraint: -1 - its number. */
void sn_host_note(sn_host *host, sn_host_fault fault, int input, int code, double t, double value);
/* The function of a constraint at t and its arguments x[count], with derivatives up to this order (0, 1, 2): its own, or
 * differences. The value is NaN where it has none. */
void sn_host_constrain(sn_host *host, int number, double t, int count, const double *x, int order,
                       sn_constraint_value *y);

#endif
