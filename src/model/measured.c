/* measured.c - derivatives of measured quantities; see measured.h. */
#include "model/measured.h"

#include <math.h>
#include <string.h>

/* dy/dx for the entry *x of the state in `at`, with steps h */
static double difference(const sn_measured *m, const sn_eval *at, double *x, double h) {
  static const double shift[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1};
  const double x0 = *x;
  double sum = 0;
  for (int k = 0; k < 4; k++) {
    *x = x0 + shift[k] * h;
    sum += weight[k] * m->value(m, at);
  }
  *x = x0;
  return sum / (12 * h);
}

/* The largest of its multipliers: they are of one size, and its magnitude is not a polynomial of them. */
static double largest_multiplier(const sn_measured *m, const double *l) {
  double most = 1e-6;
  for (int g = 0; g < m->groups; g++)
    for (int i = m->first[g]; i < m->first[g] + m->size[g]; i++)
      if (i >= m->model->n) most = fmax(most, fabs(l[i - m->model->n]));
  return most;
}

void sn_measured_derivatives(const sn_measured *m, const sn_eval *ev, double *dq, double *dv, double *dl) {
  enum { N = SN_MEASURED_COORDINATES };
  const int n = m->model->n, rows = m->model->m;
  double q[N], v[N], l[N];
  assert(n <= N && rows <= N && !m->wide);
  memcpy(q, ev->q, (size_t)n * sizeof(double));
  if (m->of_rates) memcpy(v, ev->v, (size_t)n * sizeof(double));
  if (m->reactive) memcpy(l, ev->l, (size_t)rows * sizeof(double));
  sn_eval at = *ev;
  at.q = q;
  if (m->of_rates) at.v = v;
  if (m->reactive) at.l = l;
  const double reaction = m->reactive ? largest_multiplier(m, l) : 0;
  int c = 0;
  for (int g = 0; g < m->groups; g++)
    for (int i = m->first[g]; i < m->first[g] + m->size[g]; i++, c++) {
      dq[c] = dv[c] = dl[c] = 0;
      if (i >= n) {
        dl[c] = difference(m, &at, &l[i - n], 1e-3 * reaction);
        continue;
      }
      dq[c] = difference(m, &at, &q[i], 1e-3 * m->length);
      if (m->of_rates) dv[c] = difference(m, &at, &v[i], fmax(1, fabs(v[i])));
    }
}
