/* deviation.c - see deviation.h. */
#include "study/deviation.h"

#include <math.h>
#include <string.h>

const char *const sn_source_names[SN_SOURCES] = {"time", "method", "mesh"};

static double value_at(const sn_trial *trial, int row, int column) {
  assert(row >= 0 && row < trial->rows && column >= 0 && column < trial->outputs);
  return trial->output[(size_t)row * (size_t)trial->outputs + (size_t)column];
}

/* Lengths count from where they began, also where time stands still: of a position, the displacement is computed. */
static double swing(const sn_trial *trial, int column, bool length, double *size) {
  double low = INFINITY, high = -INFINITY;
  if (length && trial->begin) low = high = trial->begin[column];
  for (int i = 0; i < trial->rows; i++) {
    low = fmin(low, value_at(trial, i, column));
    high = fmax(high, value_at(trial, i, column));
  }
  *size = trial->rows ? fmax(fabs(low), fabs(high)) : 0;
  return trial->rows ? high - low : 0;
}

double sn_verify_range(const sn_model *m, const sn_trial *base, int column) {
  double range = 0, most = 0;
  int first = 0, output = 0;
  while (column >= first + m->output[output].columns) first += m->output[output++].columns;
  const sn_output *o = &m->output[output];
  for (int k = 0; k < o->columns; k++) {
    double size;
    if (strcmp(o->unit[k], o->unit[column - first]) != 0) continue;
    range = fmax(range, swing(base, first + k, strcmp(o->unit[k], "m") == 0, &size));
    most = fmax(most, size);
  }
  if (range > 1e-12 * most) return range;
  return most > 0 ? most : 1;
}

sn_deviation sn_verify_column(const sn_trial *base, const sn_trial *other, int column, double range) {
  const double apart = 0.1;
  const int rows = base->rows < other->rows ? base->rows : other->rows;
  sn_deviation d = {.largest = rows ? 0 : NAN, .final = NAN, .agree = NAN};
  for (int i = 0; i < rows; i++) {
    d.final = fabs(value_at(base, i, column) - value_at(other, i, column));
    if (!(d.final <= d.largest)) d.largest = d.final;
    if (isnan(d.agree) && !(d.final <= apart * range)) d.agree = i > 0 ? base->t[i - 1] : base->t[0];
  }
  return d;
}

double sn_verify_factor(const sn_trial *base, sn_source source) {
  if (source == SN_FROM_METHOD) return 1;
  if (source == SN_FROM_MESH) return 4.0 / 3;
  return base->step > 0 ? 2 : 10.0 / 9;
}

double sn_verify_bar(const sn_trial *base, const double deviation[SN_SOURCES], sn_source *from) {
  double part[SN_SOURCES], most = -1;
  for (int k = 0; k < SN_SOURCES; k++) {
    part[k] = sn_verify_factor(base, (sn_source)k) * deviation[k];
    if (part[k] > most) most = part[k], *from = (sn_source)k;
    if (isnan(part[k])) part[k] = 0;
  }
  return most < 0 ? NAN : part[SN_FROM_MESH] + fmax(part[SN_FROM_TIME], part[SN_FROM_METHOD]);
}
