/* plot.c - sinew plot: which series, against what, on which axes. */
#include "cli/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- series and axes ---- */

typedef struct choice {
  const sn_series **series;
  int count;
  cli_axis *axis;
  int axes;
} choice;

static void choice_free(choice *c) {
  for (int i = 0; i < c->axes; ++i) sn_free(c->axis[i].series);
  sn_free(c->axis);
  sn_free(c->series);
}

static size_t name_count(const char *const *names) {
  size_t count = 0;
  while (names[count]) ++count;
  return count;
}

/* A name stands for a series, or for all series of a group. */
static bool choose(choice *c, sn_result *result, const char *asked, size_t room) {
  const char *const *name = sn_result_names(result), *wanted = sn_result_meant(result, asked);
  bool found = false;
  for (; *name; ++name) {
    if (!sn_series_in_group(*name, wanted)) continue;
    const sn_series *series = sn_result_series(result, *name);
    if (!series) return false;
    bool twice = false;
    for (int i = 0; i < c->count; ++i) twice = twice || c->series[i] == series;
    if (!twice && (size_t)c->count < room) c->series[c->count++] = series;
    found = true;
  }
  if (!found) sn_result_series(result, wanted); /* for its message */
  return found;
}

static void sort_by_unit(choice *c) {
  c->axis = sn_new((size_t)c->count + 1, sizeof *c->axis);
  for (int i = 0; i < c->count; ++i) {
    int k = 0;
    while (k < c->axes && strcmp(c->axis[k].unit, c->series[i]->unit)) ++k;
    cli_axis *axis = &c->axis[k];
    if (k == c->axes) {
      ++c->axes;
      axis->unit = c->series[i]->unit;
      axis->series = sn_new((size_t)c->count, sizeof *axis->series);
    }
    axis->series[axis->count++] = c->series[i];
  }
}

/* ---- the command ---- */

static sn_status list_series(sn_result *result, const char *path) {
  cli_error("name the series to plot; %s contains:", path);
  for (const char *const *name = sn_result_names(result); *name; ++name) {
    const sn_series *series = sn_result_series(result, *name);
    fprintf(stderr, "  %-24s  %s\n", *name, series ? series->unit : "");
  }
  return SN_USAGE;
}

static bool read_size(const cli_arguments *arguments, cli_plot_job *job) {
  const char *text = cli_value(arguments, "size");
  if (!text) return true;
  char rest;
  if (sscanf(text, "%dx%d%c", &job->width, &job->height, &rest) == 2 && job->width >= 20 && job->height >= 5 &&
      job->width <= 20000 && job->height <= 20000) {
    return true;
  }
  cli_error("option '--size' needs WIDTHxHEIGHT from 20x5 to 20000x20000, not '%s'", text);
  return false;
}

/* Time, or the load factor where time stood still. */
static const sn_series *default_against(sn_result *result) {
  const sn_series *time = sn_result_time(result), *load = sn_result_series(result, "load");
  double low = 0, high = 0;
  if (!time || !load || !cli_series_range(time, &low, &high) || high > low) return time;
  return cli_series_range(load, &low, &high) && high > low ? load : time;
}

static sn_status plot_result(const cli_arguments *arguments, sn_result *result, cli_plot_job *job) {
  const char *against = cli_value(arguments, "against"), *title = cli_value(arguments, "title");
  choice c = {0};
  if (arguments->operands < 2) return list_series(result, arguments->operand[0]);
  sn_file_info file = {.size = sizeof file};
  sn_result_file(result, &file);
  if (!file.rows) {
    cli_error("%s has no rows", arguments->operand[0]);
    return SN_USAGE;
  }
  const size_t room = name_count(sn_result_names(result));
  c.series = sn_new(room + 1, sizeof *c.series);
  job->x = against ? sn_result_series(result, against) : default_against(result);
  bool ok = job->x != NULL;
  for (int i = 1; ok && i < arguments->operands; ++i) ok = choose(&c, result, arguments->operand[i], room);
  sn_status status = SN_OK;
  if (!ok) {
    status = cli_report(arguments->context, sn_result_failed(result) ? SN_IO : SN_USAGE);
  } else {
    sort_by_unit(&c);
    job->axis = c.axis;
    job->axes = c.axes;
    job->title = title ? title : file.title;
    cli_output output;
    status = cli_output_open(&output, cli_value(arguments, "output"), ".png");
    job->path = output.path;
    if (!status) status = job->path ? cli_plot_picture(job) : cli_plot_terminal(job);
    status = cli_output_close(&output, status);
  }
  choice_free(&c);
  return status;
}

static sn_status run_plot(const cli_arguments *arguments) {
  cli_plot_job job = {0};
  sn_result *result = NULL;
  if (!read_size(arguments, &job)) return SN_USAGE;
  sn_status status = sn_result_open(arguments->context, arguments->operand[0], &result);
  if (status) return cli_report(arguments->context, status);
  status = plot_result(arguments, result, &job);
  sn_result_free(result);
  return status;
}

static const cli_option plot_options[] = {
    {"output", 'o', "FILE",
     .help = "write a picture: .png, .svg or .pdf (needs gnuplot); -: .png to the standard output", .hint = CLI_FILE},
    {"against", 0, "SERIES", .help = "series on the horizontal axis (default: t; the load factor in statics)"},
    {"title", 0, "TEXT", .help = "title (default: the title of the model)"},
    {"size", 0, "WxH", .help = "size in pixels, or in characters in the terminal"},
    {0},
};

const cli_command cli_plot = {
    .name = "plot",
    .summary = "plot series of a result, in the terminal or to a file",
    .usage = "RESULT.h5 SERIES...",
    .fewest = 1,
    .most = -1,
    .hint = CLI_RESULT,
    .options = plot_options,
    .run = run_plot,
    .details =
        "A series is a column of an output (tip.x) or of energy, constraint, momentum; step is the step size. The\n"
        "name of a group selects all its series. Series with the same unit share an axis. Two units use the left and\n"
        "the right axis; with more units there is one panel for each.\n"
        "\nexamples:\n"
        "  sinew plot pendulum.h5 tip.y\n"
        "  sinew plot pendulum.h5 tip.y --against tip.x -o path.svg\n"
        "  sinew plot pendulum.h5 energy.kinetic energy.gravity energy.total -o energy.png\n",
};
