/* host.c - functions of a host program, evaluated; see host.h.
 *
 *   df/dx_k = (f(x + h e_k) - f(x - h e_k))/(2 h),   h = eps^(1/3) max(1, |x_k|)
 *
 * Iterations converge with these as with exact ones: the error is about 1e-10.
 */
#include "model/host.h"

#include <math.h>
#include <string.h>

#include "model/formula.h"

/* The first fault counts, but an error before a value that is none. */
void sn_host_note(sn_host *host, sn_host_fault fault, int input, int code, double t, double value) {
  int none = SN_HOST_FINE;
  const bool first = fault == SN_HOST_ENDED ? atomic_exchange(&host->fault, SN_HOST_ENDED) != SN_HOST_ENDED
                                            : atomic_compare_exchange_strong(&host->fault, &none, (int)fault);
  if (!first) return;
  host->input = input;
  host->code = code;
  host->t = t;
  host->value = value;
}

/* NaN after noting what was wrong. df: as the function fills it. */
static double call(sn_host *host, int input, double t, const double *x, double *df) {
  const sn_host_function *function = &host->function[input];
  double value = NAN;
  if (atomic_load(&host->fault) == SN_HOST_ENDED) return NAN;
  const int code = function->f(function->user, t, x, &value, df);
  if (code == 0 && value >= function->low && value <= function->high && isfinite(value)) return value;
  sn_host_note(host, code ? SN_HOST_ENDED : SN_HOST_NO_NUMBER, input, code, t, value);
  return NAN;
}

double sn_host_value(sn_host *host, int input, double t, int count, const double *x) {
  double df[SN_EXPR_VARIABLES] = {0};
  assert(count <= SN_EXPR_VARIABLES);
  (void)count;
  return call(host, input, t, x, df);
}

double sn_host_gradient(sn_host *host, int input, double t, int count, const double *x, double *df) {
  double y[SN_EXPR_VARIABLES], ignored[SN_EXPR_VARIABLES];
  for (int k = 0; k < count; k++) df[k] = NAN;
  const double value = call(host, input, t, x, df);
  memcpy(y, x, (size_t)count * sizeof(double));
  for (int k = 0; k < count && isfinite(value); k++) {
    if (isfinite(df[k])) continue;
    const double h = cbrt(2.3e-16) * fmax(1, fabs(x[k]));
    y[k] = x[k] + h;
    const double ahead = call(host, input, t, y, ignored);
    y[k] = x[k] - h;
    const double behind = call(host, input, t, y, ignored);
    y[k] = x[k];
    df[k] = (ahead - behind) / (2 * h);
  }
  return value;
}
