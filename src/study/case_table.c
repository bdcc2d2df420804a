/* case_table.c - the table of a study: one row per case, in their order, independent of the process that ran them.
 *
 * Times differ from run to run, so they have a separate table: everything else is bitwise equal, also if a study was
 * killed and resumed or ran on several machines.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "study/cases.h"

static void add_numbers(sn_columns *columns, const char *name, const double *number) {
  columns->column[columns->count++] = (sn_column){.name = name, .number = number};
}

static void add_texts(sn_columns *columns, const char *name, const char *const *text) {
  columns->column[columns->count++] = (sn_column){.name = name, .text = text};
}

/* Numbers where all values are, as they are written otherwise. */
static void add_variation(const sn_sweep *c, int k, sn_arena *arena, sn_columns *table) {
  assert(k >= 0 && k < c->study->variations);
  double *number = SN_NEW(arena, double, c->count);
  const char **text = SN_NEW(arena, const char *, c->count);
  bool numbers = true;
  for (int i = 0; i < c->count; ++i) {
    const sn_value *v = &c->value[(size_t)i * (size_t)c->study->variations + (size_t)k];
    number[i] = v->number;
    text[i] = v->text;
    numbers = numbers && !isnan(v->number);
  }
  if (numbers) {
    add_numbers(table, c->study->variation[k].name, number);
  } else {
    add_texts(table, c->study->variation[k].name, text);
  }
}

static void add_measure(const sn_sweep *c, int k, const sn_outcome *outcome, sn_arena *arena, sn_columns *table) {
  assert(k >= 0 && k < c->measures);
  const sn_measure_spec *spec = sn_study_measure(c->study, k);
  const char *const *words = sn_measure_ops_of(spec)->words;
  double *number = SN_NEW(arena, double, c->count);
  const char **text = SN_NEW(arena, const char *, c->count);
  for (int i = 0; i < c->count; ++i) {
    number[i] = sn_measure_ops_of(spec)->between ? sn_case_between(c, i, spec) : outcome[i].value[k];
    text[i] = words && number[i] >= 0 ? words[(int)number[i]] : "";
  }
  if (words) {
    add_texts(table, spec->spec.name, text);
  } else {
    add_numbers(table, spec->spec.name, number);
  }
}

/* What every case has: members of its outcome. */
typedef struct common_columns {
  double *number, *reached, *cpu, *wall;
  const char **status, **message, **host, **trust, **audit;
} common_columns;

static sn_status read_common(sn_sweep *c, sn_arena *arena, sn_outcome *outcome, common_columns *common) {
  double **numbers[] = {&common->number, &common->reached, &common->cpu, &common->wall};
  const char ***texts[] = {&common->status, &common->message, &common->host, &common->trust, &common->audit};
  for (size_t i = 0; i < SN_COUNT(numbers); ++i) *numbers[i] = SN_NEW(arena, double, c->count);
  for (size_t i = 0; i < SN_COUNT(texts); ++i) *texts[i] = SN_NEW(arena, const char *, c->count);
  for (int i = 0; i < c->count; ++i) {
    sn_outcome *o = &outcome[i];
    if (!sn_case_read(c, i, arena, o)) {
      return sn_fail(c->context, SN_IO, "%s/cases has no outcome of case %d", c->folder, i + 1);
    }
    common->number[i] = i + 1;
    common->reached[i] = o->reached, common->cpu[i] = o->cpu, common->wall[i] = o->wall;
    common->status[i] = o->status, common->message[i] = o->message, common->host[i] = o->host;
    common->trust[i] = o->trust, common->audit[i] = o->audit;
  }
  return SN_OK;
}

sn_status sn_sweep_table(sn_sweep *c, sn_arena *arena, sn_columns *table, sn_columns *times) {
  const int n = c->study->variations;
  sn_outcome *outcome = SN_NEW(arena, sn_outcome, c->count);
  common_columns common;
  sn_logs_read(c->logs);
  const sn_status status = read_common(c, arena, outcome, &common);
  if (status) return status;
  *table = (sn_columns){.rows = c->count, .column = SN_NEW(arena, sn_column, n + c->measures + 6)};
  *times = (sn_columns){.rows = c->count, .column = SN_NEW(arena, sn_column, n + 4)};
  add_numbers(table, "case", common.number);
  for (int k = 0; k < n; ++k) add_variation(c, k, arena, table);
  add_texts(table, "status", common.status);
  add_texts(table, "trust", common.trust);
  add_texts(table, "audit", common.audit);
  add_numbers(table, "reached", common.reached);
  for (int k = 0; k < c->measures; ++k) add_measure(c, k, outcome, arena, table);
  add_texts(table, "message", common.message);
  for (int k = 0; k <= n; ++k) times->column[times->count++] = table->column[k];
  add_numbers(times, "cpu", common.cpu);
  add_numbers(times, "wall", common.wall);
  add_texts(times, "host", common.host);
  return SN_OK;
}

/* results/0001.h5 leads to the file of the first case, and so on. */
static sn_status link_results(sn_sweep *c) {
  for (int i = 0; i < c->count; ++i) {
    char link_path[4096], target[128], file[4096];
    snprintf(file, sizeof file, "%s/cases/%s.h5", c->folder, c->name[i]);
    snprintf(link_path, sizeof link_path, "%s/results/%04d.h5", c->folder, i + 1);
    snprintf(target, sizeof target, "../cases/%s.h5", c->name[i]);
    unlink(link_path);
    if (access(file, F_OK)) continue; /* a case that never began */
    if (symlink(target, link_path)) {
      return sn_fail(c->context, SN_IO, "cannot make %s: %s", link_path, strerror(errno));
    }
  }
  return SN_OK;
}

sn_status sn_sweep_write_tables(sn_sweep *c, const sn_columns *table, const sn_columns *times) {
  const char *title = c->study->title, *folder = c->folder;
  sn_status status = sn_write_csv(c->context, sn_format(&c->arena, "%s/table.csv", folder), table);
  if (!status) status = sn_write_hdf5(c->context, sn_format(&c->arena, "%s/table.h5", folder), title, table);
  if (!status) status = sn_write_csv(c->context, sn_format(&c->arena, "%s/times.csv", folder), times);
  if (!status) status = sn_write_hdf5(c->context, sn_format(&c->arena, "%s/times.h5", folder), title, times);
  if (!status && c->study->keep) status = link_results(c);
  return status;
}
