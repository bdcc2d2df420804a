/* sweep_show.c - what a sweep came to: its table on the terminal, its plots. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/runs.h"
#include "cli/sweep.h"

/* ---- the table ---- */

enum { most_rows = 40 };

static const char *cell(const sn_column *c, int row, char buffer[32]) {
  return c->number ? cli_figure(buffer, 5, c->number[row]) : c->text[row];
}

static int width_of(const sn_column *c, int rows) {
  char buffer[32];
  int width = (int)strlen(c->name);
  for (int i = 0; i < rows; ++i) {
    const int length = (int)strlen(cell(c, i, buffer));
    if (length > width) width = length;
  }
  return width;
}

/* All columns but the messages, which stand below. */
void cli_sweep_print(const sn_sweep *cases, const sn_columns *table, const sn_columns *times) {
  const sn_column *status = sn_find_column(table, "status"), *message = sn_find_column(table, "message");
  const sn_column *cpu = sn_find_column(times, "cpu");
  int failed = 0;
  double total = 0;
  char buffer[32];
  const int rows = table->rows > most_rows ? most_rows : table->rows;
  for (int i = -1; i < rows; ++i) {
    for (int k = 0; k <= table->count; ++k) {
      const sn_column *c = k < table->count ? &table->column[k] : cpu;
      if (c == message || !strcmp(c->name, "reached") || !strcmp(c->name, "audit")) continue;
      printf("%s%*s", k ? "  " : "", c->number ? width_of(c, rows) : -width_of(c, rows),
             i < 0 ? c->name : cell(c, i, buffer));
    }
    putchar('\n');
  }
  if (rows < table->rows) printf("... and %d more\n", table->rows - rows);
  putchar('\n');
  for (int i = 0; i < table->rows; ++i) {
    if (cpu->number && !isnan(cpu->number[i])) total += cpu->number[i];
    if (!strcmp(status->text[i], "done")) continue;
    if (failed++ < most_rows) printf("case %d %s: %s\n", i + 1, status->text[i], message->text[i]);
  }
  printf("%s%d cases, %d failed, %.3g s of CPU\ntable  %s/table.csv, table.h5; times.csv, times.h5\n",
         failed ? "\n" : "", table->rows, failed, total, cases->folder);
}

/* ---- plots ---- */

typedef struct point {
  double x, y;
  const char *curve;
  int row;
} point;

static const sn_column *column_named(const sn_columns *table, const sn_columns *times, const char *name) {
  const sn_column *c = sn_find_column(table, name);
  return c ? c : sn_find_column(times, name);
}

static bool is_variation(const sn_study *study, const char *name) {
  for (int k = 0; k < study->variations; ++k)
    if (!strcmp(study->variation[k].name, name)) return true;
  return false;
}

/* The name of the curve a row belongs to: "hht-i3", or "hht-i3, n 8". */
static const char *curve_of(const sn_study *study, const sn_columns *table, const sn_plot_spec *spec, int row,
                            sn_arena *arena) {
  const char *text = "";
  char buffer[32];
  for (int k = 0; k < study->variations; ++k) {
    const char *name = study->variation[k].name;
    if (spec->curves ? strcmp(spec->curves, name) : !strcmp(spec->x, name) || study->sampling != SN_SAMPLE_GRID)
      continue;
    if (!spec->curves && !is_variation(study, spec->x)) {
      /* x is measured: points of all values of the last variation make a curve */
      if (k == study->variations - 1 && study->variations > 1) continue;
    }
    const sn_column *c = sn_find_column(table, name);
    const char *value = c->number ? cli_figure(buffer, 6, c->number[row]) : c->text[row];
    text =
        sn_format(arena, "%s%s%s%s%s", text, text[0] ? ", " : "", c->number ? name : "", c->number ? " " : "", value);
  }
  return text;
}

static int by_curve_and_x(const void *a, const void *b) {
  const point *p = a, *q = b;
  const int order = strcmp(p->curve, q->curve);
  if (order) return order;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  return p->row - q->row;
}

/* Positive values over a factor of 50 or more. */
static bool wants_decades(const point *p, int count, bool of_y) {
  double low = INFINITY, high = 0;
  for (int i = 0; i < count; ++i) {
    const double value = of_y ? p[i].y : p[i].x;
    low = fmin(low, value);
    high = fmax(high, value);
  }
  return low > 0 && high >= 50 * low;
}

static int collect(const sn_sweep *cases, const sn_columns *table, const sn_columns *times, const sn_plot_spec *spec,
                   sn_arena *arena, point *p) {
  const sn_column *x = column_named(table, times, spec->x), *y = column_named(table, times, spec->y);
  int count = 0;
  for (int i = 0; i < table->rows; ++i) {
    if (!isfinite(x->number[i]) || !isfinite(y->number[i])) continue;
    p[count++] = (point){x->number[i], y->number[i], curve_of(cases->study, table, spec, i, arena), i};
  }
  qsort(p, (size_t)count, sizeof *p, by_curve_and_x);
  return count;
}

/* All curves share the array of x; each has gaps where the points are those of others. */
static int make_curves(const point *p, int count, const char *name, sn_arena *arena, sn_series *x,
                       const sn_series ***list) {
  double *xs = SN_NEW(arena, double, count);
  int curves = 0;
  *x = (sn_series){x->name, "", (size_t)count, xs};
  *list = SN_NEW(arena, const sn_series *, count);
  for (int i = 0; i < count; ++i) {
    xs[i] = p[i].x;
    if (i > 0 && !strcmp(p[i].curve, p[i - 1].curve)) continue;
    double *ys = SN_NEW(arena, double, count);
    for (int k = 0; k < count; ++k) ys[k] = strcmp(p[k].curve, p[i].curve) ? NAN : p[k].y;
    sn_series *s = SN_NEW(arena, sn_series, 1);
    *s = (sn_series){p[i].curve[0] ? p[i].curve : name, "", (size_t)count, ys};
    (*list)[curves++] = s;
  }
  return curves;
}

static sn_status draw(const sn_sweep *cases, const sn_columns *table, const sn_columns *times, const sn_plot_spec *spec,
                      sn_arena *arena, const char **path) {
  static const char *const formats[] = {"png", "svg", "pdf"};
  const char *const wanted[] = {spec->x, spec->y};
  for (int k = 0; k < 2; ++k)
    if (!column_named(table, times, wanted[k])->number) {
      cli_error("no plot '%s': the values of %s are not numbers; use it for the curves", spec->spec.name, wanted[k]);
      return SN_USAGE;
    }
  point *p = SN_NEW(arena, point, table->rows);
  const int count = collect(cases, table, times, spec, arena, p);
  if (count == 0) {
    cli_error("no plot '%s': no case has a value", spec->spec.name);
    return SN_NUMERICS;
  }
  sn_series x = {.name = spec->x};
  const sn_series **list;
  const int curves = make_curves(p, count, spec->y, arena, &x, &list);
  const cli_axis axis = {.unit = "", .count = curves, .series = list, .label = spec->y};
  const char *title = cases->study->title;
  *path = sn_format(arena, "%s/%s.%s", cases->folder, spec->spec.name, formats[spec->format]);
  const cli_plot_job job = {
      .title = title ? title : "",
      .x = &x,
      .axis = &axis,
      .axes = 1,
      .path = *path,
      .log_x = spec->scale == 0 ? wants_decades(p, count, false) : spec->scale == 2 || spec->scale == 4,
      .log_y = spec->scale == 0 ? wants_decades(p, count, true) : spec->scale >= 3,
      .marked = true,
      .scattered = cases->study->sampling > SN_SAMPLE_LIST};
  return cli_plot_picture(&job);
}

sn_status cli_sweep_plot(const sn_sweep *cases, const sn_columns *table, const sn_columns *times, bool quiet) {
  const sn_list *plots = &cases->study->document->list[SN_PLOTTED];
  sn_status status = SN_OK;
  for (int i = 0; i < plots->count; ++i) {
    sn_arena arena = {0};
    const char *path = NULL;
    const sn_status drawn =
        draw(cases, table, times, (const sn_plot_spec *)(const void *)plots->item[i], &arena, &path);
    if (!drawn && !quiet) printf("plot   %s\n", path);
    if (drawn) status = drawn;
    sn_arena_free(&arena);
  }
  return status;
}
