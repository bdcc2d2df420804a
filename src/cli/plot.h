/* plot.h - series to draw, sorted into panels; drawn by gnuplot or by ourselves in the terminal. */
#ifndef SN_PLOT_H
#define SN_PLOT_H

#include "cli/cli.h"

/* One axis: series of one unit. */
typedef struct cli_axis {
  const char *unit;
  int count;
  const sn_series **series;
  const char *label; /* NULL: made from the names of the series */
} cli_axis;

typedef struct cli_plot_job {
  const char *title; /* "" if none */
  const sn_series *x;
  const cli_axis *axis; /* in the order in which the units were first named */
  int axes;
  const char *path;  /* file to write; NULL: the terminal */
  bool log_x, log_y; /* pictures: decades */
  bool marked;       /* pictures: points are marked */
  bool scattered;    /* pictures: and not joined by lines */
  int width, height; /* pixels of a picture, characters in the terminal; 0: chosen */
} cli_plot_job;

sn_status cli_plot_picture(const cli_plot_job *job);
sn_status cli_plot_terminal(const cli_plot_job *job);

/* Least and largest finite value of a series; false: it has none. */
bool cli_series_range(const sn_series *series, double *low, double *high);

#endif
