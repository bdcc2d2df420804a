/* sample.c - the cases of a study: grid, list, random, Latin hypercube.
 *
 * Random numbers are a function of the seed, the number of what varies and the number of the case, so that they do not
 * depend on any order of drawing. Values of ranges are rounded to 12 digits: 2:16:log4 is 2, 4, 8, 16, and the last
 * bits of pow() do not matter.
 */
#include "study/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- random numbers ---- */

/* One round of SplitMix64: an even mix of all 64 bits. */
static uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/* In [0, 1), a multiple of 2^-53. */
static double uniform(int seed, int variation, int number) {
  uint64_t x = mix(mix(mix((uint64_t)seed) ^ (uint64_t)variation) ^ (uint64_t)number);
  return (double)(x >> 11) / 9007199254740992.0;
}

/* Places of a variation in a Latin hypercube: case i falls into part order[i] (Fisher and Yates). */
static int *shuffled(sn_arena *arena, int seed, int variation, int count) {
  assert(count > 0);
  int *order = SN_NEW(arena, int, count);
  for (int i = 0; i < count; i++) {
    int j = (int)(uniform(seed, -1 - variation, i) * (i + 1));
    order[i] = order[j];
    order[j] = i;
  }
  return order;
}

/* ---- values ---- */

/* The value at u in [0, 1] of a range. */
static sn_value range_value(const sn_range_spec *r, double u, sn_arena *arena) {
  assert(u >= 0 && u <= 1);
  double x = r->scale == 1 ? r->from * pow(r->to / r->from, u) : r->from + (r->to - r->from) * u;
  if (r->whole) x = round(x);
  const char *text = sn_format(arena, "%.12g", x);
  return (sn_value){text, strtod(text, NULL)};
}

/* Value i of a list, or of a range in `count` values. */
static sn_value value_at(const sn_variation *v, int i, sn_arena *arena) {
  if (v->count > 0) return v->value[i];
  return range_value(&v->range, v->range.count > 1 ? (double)i / (v->range.count - 1) : 0, arena);
}

static sn_value random_value(const sn_variation *v, double u, sn_arena *arena) {
  return v->count > 0 ? v->value[(int)(u * v->count)] : range_value(&v->range, u, arena);
}

static int count_of(const sn_variation *v) {
  return v->count > 0 ? v->count : v->range.count;
}

/* ---- cases ---- */

static int case_count(const sn_study *s) {
  int count = 1;
  if (s->sampling > SN_SAMPLE_LIST) return s->sample_count;
  if (s->sampling == SN_SAMPLE_LIST) return count_of(&s->variation[0]);
  for (int k = 0; k < s->variations; k++) count *= count_of(&s->variation[k]);
  return count;
}

int sn_sample_cases(const sn_study *s, sn_arena *arena, const sn_value **values) {
  int cases = case_count(s), n = s->variations, repeat = cases;
  sn_value *value = SN_NEW(arena, sn_value, (size_t)cases * (size_t)n);
  sn_arena scratch = {0};
  *values = value;
  for (int k = 0; k < n; k++) {
    const sn_variation *v = &s->variation[k];
    const int *order = s->sampling == SN_SAMPLE_HYPERCUBE ? shuffled(&scratch, s->seed, k, cases) : NULL;
    if (s->sampling == SN_SAMPLE_GRID) repeat /= count_of(v); /* cases in a row that share its value */
    for (int i = 0; i < cases; i++) {
      double u = s->sampling > SN_SAMPLE_LIST ? uniform(s->seed, k, i) : 0;
      sn_value *x = &value[(size_t)i * (size_t)n + (size_t)k];
      if (s->sampling == SN_SAMPLE_GRID) *x = value_at(v, i / repeat % count_of(v), arena);
      if (s->sampling == SN_SAMPLE_LIST) *x = value_at(v, i, arena);
      if (s->sampling == SN_SAMPLE_RANDOM) *x = random_value(v, u, arena);
      if (s->sampling == SN_SAMPLE_HYPERCUBE) *x = random_value(v, (order[i] + u) / cases, arena);
    }
  }
  sn_arena_free(&scratch);
  return cases;
}

/* ---- a case beside another ---- */

/* Is the text `length` long the value, as a number or word for word? */
static bool is_value(const sn_value *v, const char *text, size_t length) {
  char *end;
  double number = strtod(text, &end);
  if (end == text + length && length > 0 && !isnan(v->number)) return v->number == number;
  return strlen(v->text) == length && strncmp(v->text, text, length) == 0;
}

/* What `from` says of a name: the start of its value, *length long; NULL: nothing. */
static const char *said_of(const char *name, const char *from, size_t *length) {
  for (const char *at = from; *at; at += strcspn(at, ";"), at += *at == ';') {
    at += strspn(at, " ");
    size_t size = strlen(name);
    if (strncmp(at, name, size) || at[size] != '=') continue;
    at += size + 1;
    *length = strcspn(at, ";");
    while (*length > 0 && at[*length - 1] == ' ') --*length;
    return at;
  }
  return NULL;
}

/* Is every NAME=VALUE of something that varies, and said once? */
static bool all_vary(const sn_study *s, const char *from) {
  int entries = 0, known = 0;
  size_t length;
  for (const char *at = from; *at; at++) entries += *at == ';';
  for (int k = 0; k < s->variations; k++) known += said_of(s->variation[k].name, from, &length) != NULL;
  return entries + 1 == known;
}

int sn_sample_other(const sn_study *s, const sn_value *values, int cases, int i, const char *from) {
  int n = s->variations;
  const sn_value *mine = &values[(size_t)i * (size_t)n];
  for (int j = 0; j < cases && all_vary(s, from); j++) {
    const sn_value *its = &values[(size_t)j * (size_t)n];
    int same = 0;
    for (int k = 0; k < n; k++) {
      size_t length = strlen(mine[k].text);
      const char *text = said_of(s->variation[k].name, from, &length);
      same += is_value(&its[k], text ? text : mine[k].text, length);
    }
    if (same == n) return j;
  }
  return -1;
}
