/* expr_along.h - expressions whose variables are given functions of t: then they are functions of t, too. */
#ifndef SN_EXPR_ALONG_H
#define SN_EXPR_ALONG_H

#include "base/expr.h"

/* Series of the variables over an interval, and their jets at a time, into x[variables of the expression]. */
typedef struct sn_arguments {
  void (*series)(const void *self, double from, double to, int n, sn_taylor *x);
  void (*jets)(const void *self, double t, sn_jet *x);
  const void *self;
} sn_arguments;

sn_jet sn_expr_jet_along(const sn_expr *expr, const sn_arguments *x, double t);
/* As sn_expr_taylor. */
sn_taylor sn_expr_taylor_along(const sn_expr *expr, const sn_arguments *x, double from, double to, int n);

#endif
