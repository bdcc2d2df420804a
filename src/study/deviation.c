/* deviation.c - see deviation.h. */
#include "study/deviation.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "analysis/parts.h"

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
  const double margin = 1.25;
  if (source == SN_FROM_METHOD) return margin;
  if (source == SN_FROM_MESH) return 4.0 / 3;
  return margin * (base->step > 0 ? 2 : 10.0 / 9);
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

/* ---- errors of outputs against a reference ---- */

static const double LITTLE = 0.01;   /* of the largest of the same unit: below it none is compared with itself */
static const double ROUNDING = 1e-9; /* of what forces, moments and energies make of each other; SI units otherwise */
static const double AT_REST = 1e-3;  /* of the size of the model, or of 1 rad, in the time of the run */

/* A part of the outputs, and its largest size in the reference. */
typedef struct entry {
  sn_part part;     /* columns of the row */
  const char *unit; /* of its first column */
  double size;
} entry;

static int list_parts(const sn_model *m, const sn_trial *reference, entry *list) {
  int entries = 0, first = 0;
  for (int i = 0; i < m->outputs; first += m->output[i++].columns) {
    sn_part part[SN_OUTPUT_COLUMNS];
    const int parts = sn_output_parts(&m->output[i], part);
    for (int k = 0; k < parts; k++) {
      entry *e = &list[entries++];
      *e = (entry){.part = part[k], .unit = m->output[i].unit[part[k].first]};
      e->part.first += first;
      for (int row = 0; row < reference->rows; row++)
        e->size = fmax(e->size, sn_part_size(&e->part, reference->output + (size_t)row * (size_t)reference->outputs));
    }
  }
  return entries;
}

static double largest_with(const entry *list, int entries, const char *unit) {
  double most = 0;
  for (int i = 0; i < entries; i++)
    if (strcmp(list[i].unit, unit) == 0) most = fmax(most, list[i].size);
  return most;
}

/* Forces F = M/L and T/L, moments M = F L and T, velocities L/t. */
static double least_size(const entry *e, const entry *list, int entries, const sn_trial *reference) {
  const double L = reference->length, T = reference->kinetic, t = reference->t[reference->rows - 1] - reference->t[0];
  const double alike = e->unit[0] && strcmp(e->unit, "1") != 0 ? LITTLE * largest_with(list, entries, e->unit) : 0;
  double zero = ROUNDING;
  if (strcmp(e->unit, "N") == 0) zero = ROUNDING * fmax(largest_with(list, entries, "N m"), T) / L;
  if (strcmp(e->unit, "N m") == 0) zero = ROUNDING * fmax(largest_with(list, entries, "N") * L, T);
  if (strcmp(e->unit, "m/s") == 0) zero = AT_REST * L / t;
  if (strcmp(e->unit, "rad/s") == 0) zero = AT_REST / t;
  return fmax(fmax(alike, zero), DBL_MIN);
}

static bool is_angle(const entry *e) {
  return e->part.kind == SN_PART_ANGLE || e->part.kind == SN_PART_ORIENTATION;
}

/* NaN where one is not a number. */
static double largest_distance(const entry *e, const sn_trial *trial, const sn_trial *reference) {
  double most = 0;
  for (int i = 0; i < trial->rows; i++) {
    const size_t at = (size_t)i * (size_t)trial->outputs;
    const double off = sn_part_distance(&e->part, trial->output + at, reference->output + at);
    if (!(off <= most)) most = off;
    if (isnan(most)) break;
  }
  return most;
}

static bool has_same_times(const sn_trial *a, const sn_trial *b) {
  if (a->rows != b->rows || a->outputs != b->outputs || a->rows < 2) return false;
  for (int i = 0; i < a->rows; i++)
    if (!(fabs(a->t[i] - b->t[i]) <= 1e-9 * fabs(b->t[b->rows - 1]))) return false;
  return true;
}

static double largest_error(const sn_model *m, const sn_trial *trial, const sn_trial *reference, bool angles,
                            int *column) {
  double worst = NAN;
  *column = -1;
  if (!has_same_times(trial, reference)) return NAN;
  entry *list = sn_new((size_t)reference->outputs + 1, sizeof *list);
  const int entries = list_parts(m, reference, list);
  for (int i = 0; i < entries; i++) {
    const entry *e = &list[i];
    const bool other = e->part.kind == SN_PART_SIGNAL;
    if (angles ? !is_angle(e) : !other) continue;
    const double least = angles ? 1 : least_size(e, list, entries, reference);
    const double error = largest_distance(e, trial, reference) / fmax(e->size, least);
    if (!(error <= worst)) worst = error, *column = e->part.first;
    if (isnan(error)) break;
  }
  sn_free(list);
  return worst;
}

double sn_verify_angles(const sn_model *m, const sn_trial *trial, const sn_trial *reference, int *column) {
  return largest_error(m, trial, reference, true, column);
}

double sn_verify_others(const sn_model *m, const sn_trial *trial, const sn_trial *reference, int *column) {
  return largest_error(m, trial, reference, false, column);
}
