/* host.h - what a host program adds to a simulation of a model: functions of inputs, forces at markers. */
#ifndef SN_HOST_H
#define SN_HOST_H

#include <stdatomic.h>

#include "sinew/sinew.h"

typedef struct sn_host_function {
  sn_input_function f; /* NULL: none */
  void *user;
  double low, high; /* range of the input */
} sn_host_function;

typedef enum sn_host_fault {
  SN_HOST_FINE,
  SN_HOST_NO_NUMBER, /* it returned a value that is not finite, or outside of the range of its input */
  SN_HOST_ENDED,     /* it returned an error: no function is called until the next step */
} sn_host_fault;

typedef struct sn_host {
  sn_host_function *function; /* [inputs of the model] */
  int markers, capacity;      /* points that it has named (force/applied.h) */
  struct sn_applied *load;    /* [markers] */
  int applied;                /* of these, the first so many may have forces */
  /* The first fault since it was cleared. Evaluations may run on several threads. */
  atomic_int fault;
  int input, code;
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

#endif
