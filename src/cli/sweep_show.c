/* sweep_show.c - what a sweep came to: its table on the terminal, its plots. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/runs.h"
#include "cli/sweep.h"

/* ---- the table ---- */

enum { most_rows = 40 };

bool cli_sweep_column(const sn_cases *cases, const char *name, sn_column_info *column) {
  for (int of_times = 0; of_times < 2; ++of_times)
    for (size_t k = 0; !sn_cases_column(cases, of_times, k, column); ++k)
      if (!strcmp(column->name, name)) return true;
  return false;
}

static const char *cell(const sn_column_info *c, size_t row, char buffer[32]) {
  return c->number ? cli_figure(buffer, 5, c->number[row]) : c->text[row];
}

static int width_of(const sn_column_info *c, size_t rows) {
  char buffer[32];
  int width = (int)strlen(c->name);
  for (size_t i = 0; i < rows; ++i) {
    const int length = (int)strlen(cell(c, i, buffer));
    if (length > width) width = length;
  }
  return width;
}

/* A line of the table; row < 0: its head. All columns but the messages, which stand below; at the end the CPU time. */
static void print_row(const sn_cases *cases, const sn_column_info *cpu, size_t rows, long row) {
  char buffer[32];
  sn_column_info c;
  bool last = false;
  for (size_t k = 0; !last; ++k) {
    last = sn_cases_column(cases, 0, k, &c) != SN_OK;
    if (last) c = *cpu;
    if (!last && (!strcmp(c.name, "message") || !strcmp(c.name, "reached") || !strcmp(c.name, "audit"))) continue;
    printf("%s%*s", k ? "  " : "", c.number ? width_of(&c, rows) : -width_of(&c, rows),
           row < 0 ? c.name : cell(&c, (size_t)row, buffer));
  }
  putchar('\n');
}

/* The cases that are not done, those with one reason together; returns how many there are. */
static size_t print_failures(const sn_column_info *status, const sn_column_info *message) {
  enum { MOST_NUMBERS = 8 };
  size_t first[most_rows], of[most_rows], reasons = 0, failed = 0;
  for (size_t i = 0; i < status->rows; ++i) {
    if (!strcmp(status->text[i], "done")) continue;
    ++failed;
    size_t k = 0;
    while (k < reasons && (strcmp(message->text[first[k]], message->text[i]) != 0 ||
                           strcmp(status->text[first[k]], status->text[i]) != 0))
      ++k;
    if (k == most_rows) continue;
    if (k == reasons) first[reasons] = i, of[reasons++] = 0;
    ++of[k];
  }
  size_t told = 0;
  for (size_t k = 0; k < reasons; ++k) {
    const char *how = status->text[first[k]], *why = message->text[first[k]];
    told += of[k];
    printf("case%s %zu", of[k] > 1 ? "s" : "", first[k] + 1);
    size_t named = 1;
    for (size_t i = first[k] + 1; i < status->rows && named < of[k] && named < MOST_NUMBERS; ++i)
      if (!strcmp(message->text[i], why) && !strcmp(status->text[i], how)) printf(", %zu", i + 1), ++named;
    if (named < of[k]) printf(" and %zu more", of[k] - named);
    printf(" %s: %s\n", how, why);
  }
  if (told < failed) printf("... and %zu more\n", failed - told);
  return failed;
}

void cli_sweep_print(const sn_cases *cases) {
  sn_column_info status, message, cpu;
  sn_cases_info info = {.size = sizeof info};
  sn_cases_about(cases, &info);
  cli_sweep_column(cases, "status", &status);
  cli_sweep_column(cases, "message", &message);
  cli_sweep_column(cases, "cpu", &cpu);
  double total = 0;
  const size_t count = status.rows, rows = count > most_rows ? most_rows : count;
  for (long i = -1; i < (long)rows; ++i) print_row(cases, &cpu, rows, i);
  if (rows < count) printf("... and %zu more\n", count - rows);
  putchar('\n');
  for (size_t i = 0; i < count; ++i)
    if (cpu.number && !isnan(cpu.number[i])) total += cpu.number[i];
  const size_t failed = print_failures(&status, &message);
  printf("%s%zu cases, %zu failed, %.3g s of CPU\ntable  %s/table.csv, table.h5; times.csv, times.h5\n",
         failed ? "\n" : "", count, failed, total, info.folder);
}

/* ---- plots ---- */

typedef struct point {
  double x, y;
  const char *curve;
  int row;
} point;

static bool is_variation(const sn_cases *cases, const char *name) {
  const char *variation;
  for (size_t k = 0; (variation = sn_cases_variation(cases, k)); ++k)
    if (!strcmp(variation, name)) return true;
  return false;
}

/* The name of the curve a row belongs to: "hht-i3", or "hht-i3, n 8". */
static const char *curve_of(const sn_cases *cases, const sn_cases_info *info, const sn_plot_info *spec, size_t row,
                            sn_arena *arena) {
  const char *text = "";
  char buffer[32];
  for (size_t k = 0; k < info->variations; ++k) {
    const char *name = sn_cases_variation(cases, k);
    if (spec->curves ? strcmp(spec->curves, name) : !strcmp(spec->x, name) || !info->grid) continue;
    if (!spec->curves && !is_variation(cases, spec->x)) {
      /* x is measured: points of all values of the last variation make a curve */
      if (k == info->variations - 1 && info->variations > 1) continue;
    }
    sn_column_info c;
    cli_sweep_column(cases, name, &c);
    const char *value = c.number ? cli_figure(buffer, 6, c.number[row]) : c.text[row];
    text = sn_format(arena, "%s%s%s%s%s", text, text[0] ? ", " : "", c.number ? name : "", c.number ? " " : "", value);
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

static int collect(const sn_cases *cases, const sn_cases_info *info, const sn_plot_info *spec, sn_arena *arena,
                   point *p) {
  sn_column_info x, y;
  int count = 0;
  cli_sweep_column(cases, spec->x, &x);
  cli_sweep_column(cases, spec->y, &y);
  for (size_t i = 0; i < x.rows; ++i) {
    if (!isfinite(x.number[i]) || !isfinite(y.number[i])) continue;
    p[count++] = (point){x.number[i], y.number[i], curve_of(cases, info, spec, i, arena), (int)i};
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

static sn_status draw(const sn_cases *cases, const sn_plot_info *spec, sn_arena *arena, const char **path) {
  const char *const wanted[] = {spec->x, spec->y};
  sn_column_info column = {0};
  sn_cases_info info = {.size = sizeof info};
  sn_cases_about(cases, &info);
  for (int k = 0; k < 2; ++k)
    if (!cli_sweep_column(cases, wanted[k], &column) || !column.number) {
      cli_error("no plot '%s': the values of %s are not numbers; use it for the curves", spec->name, wanted[k]);
      return SN_USAGE;
    }
  point *p = SN_NEW(arena, point, column.rows);
  const int count = collect(cases, &info, spec, arena, p);
  if (count == 0) {
    cli_error("no plot '%s': no case has a value", spec->name);
    return SN_NUMERICS;
  }
  sn_series x = {.name = spec->x};
  const sn_series **list;
  const int curves = make_curves(p, count, spec->y, arena, &x, &list);
  const cli_axis axis = {.unit = "", .count = curves, .series = list, .label = spec->y};
  *path = sn_format(arena, "%s/%s.%s", info.folder, spec->name, spec->format);
  const cli_plot_job job = {.title = info.title,
                            .x = &x,
                            .axis = &axis,
                            .axes = 1,
                            .path = *path,
                            .log_x = spec->log_x < 0 ? wants_decades(p, count, false) : spec->log_x > 0,
                            .log_y = spec->log_y < 0 ? wants_decades(p, count, true) : spec->log_y > 0,
                            .marked = true,
                            .scattered = info.random};
  return cli_plot_picture(&job);
}

sn_status cli_sweep_plot(const sn_cases *cases, bool quiet) {
  sn_status status = SN_OK;
  sn_plot_info plot;
  for (size_t i = 0; !sn_cases_plot(cases, i, &plot); ++i) {
    sn_arena arena = {0};
    const char *path = NULL;
    const sn_status drawn = draw(cases, &plot, &arena, &path);
    if (!drawn && !quiet) printf("plot   %s\n", path);
    if (drawn) status = drawn;
    sn_arena_free(&arena);
  }
  return status;
}
