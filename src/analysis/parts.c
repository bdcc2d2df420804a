/* parts.c - see parts.h. */
#include "analysis/parts.h"

#include <math.h>
#include <string.h>

/* What the columns of a type are, beyond their units. */
static bool is_compared(const sn_output *o, int k) {
  const char *name = o->column[k], *unit = o->unit[k];
  if (o->type == SN_OUTPUT_ORIENTATION) return strncmp(name, "rotation_", 9) != 0 && strncmp(name, "euler_", 6) != 0;
  if (o->type == SN_OUTPUT_CONTACT) return strcmp(unit, "N") == 0;
  if (o->type == SN_OUTPUT_LOCK) return strcmp(unit, "1") != 0;
  if (o->type == SN_OUTPUT_STRESS) return strcmp(name, "von_mises") == 0;
  return true;
}

static sn_part_kind kind_of(const sn_output *o, int k) {
  const char *name = o->column[k], *unit = o->unit[k];
  if (o->type == SN_OUTPUT_EXPRESSION) return SN_PART_SIGNAL;
  if (o->type == SN_OUTPUT_POINT && k == 0) return SN_PART_PLACE;
  if (strcmp(name, "angle") == 0) return SN_PART_ANGLE;
  if (o->type == SN_OUTPUT_ORIENTATION && strcmp(unit, "1") == 0) return SN_PART_ORIENTATION;
  if (strcmp(unit, "m/s2") == 0 || strcmp(unit, "rad/s2") == 0) return SN_PART_ACCELERATION;
  return SN_PART_SIGNAL;
}

/* Are the columns of the type components of vectors? Those of springs, joints, controllers and stresses are numbers. */
static bool has_vectors(const sn_output *o) {
  return o->type != SN_OUTPUT_SPRING && o->type != SN_OUTPUT_JOINT && o->type != SN_OUTPUT_EXPRESSION &&
         o->type != SN_OUTPUT_STRESS;
}

int sn_output_parts(const sn_output *o, sn_part *part) {
  int parts = 0;
  for (int k = 0; k < o->columns;) {
    const sn_part_kind kind = kind_of(o, k);
    const int most = !has_vectors(o) ? 1 : kind == SN_PART_ORIENTATION ? 4 : 3;
    int count = 1;
    while (count < most && k + count < o->columns && strcmp(o->unit[k + count], o->unit[k]) == 0) count++;
    if (!is_compared(o, k)) {
      k++;
      continue;
    }
    part[parts++] = (sn_part){k, count, kind};
    k += count;
  }
  return parts;
}

static double length(const double *x, int count) {
  double sum = 0;
  for (int k = 0; k < count; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

double sn_part_size(const sn_part *part, const double *row) {
  return part->kind == SN_PART_ORIENTATION ? 0 : length(row + part->first, part->count);
}

/* Rotation between two unit quaternions p and q of either sign: sin(angle/4) = |p - q|/2. */
static double between(const double p[4], const double q[4]) {
  double off[4], sum[4];
  for (int k = 0; k < 4; k++) off[k] = p[k] - q[k], sum[k] = p[k] + q[k];
  return 4 * asin(fmin(1, fmin(length(off, 4), length(sum, 4)) / 2));
}

double sn_part_distance(const sn_part *part, const double *x, const double *y) {
  double sum = 0;
  if (part->kind == SN_PART_ORIENTATION) return between(x + part->first, y + part->first);
  for (int k = part->first; k < part->first + part->count; k++) sum += (x[k] - y[k]) * (x[k] - y[k]);
  return sqrt(sum);
}
