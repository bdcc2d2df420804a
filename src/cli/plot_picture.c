/* plot_picture.c - pictures, drawn by gnuplot.
 *
 * gnuplot reads its script from a pipe and writes the picture to its standard output, which is the file: no name given
 * by the user ever becomes part of a command. Texts are quoted and printable.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/temporary.h"
#include "base/whole_file.h"
#include "cli/plot.h"

extern char **environ;

enum {
  most_points = 20000, /* of a curve over time; more than any picture resolves */
  styles = 10,         /* colors before they repeat */
};

/* ---- the script ---- */

bool cli_series_range(const sn_series *series, double *low, double *high) {
  bool any = false;
  for (size_t i = 0; i < series->count; ++i) {
    const double value = series->value[i];
    if (!isfinite(value)) continue;
    if (!any || value < *low) *low = value;
    if (!any || value > *high) *high = value;
    any = true;
  }
  return any;
}

static bool is_time(const sn_series *x) {
  return !strcmp(x->name, "t");
}

/* A text in quotes. All but letters, digits and blanks are given by their numbers, so that nothing in it can mean
 * anything to gnuplot, which looks for quotes, backquotes and macros before it looks for texts. */
static void put_quoted(FILE *out, const char *text) {
  fputc('"', out);
  for (const unsigned char *at = (const unsigned char *)text; *at; ++at) {
    const bool letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9');
    if (letter || *at <= ' ') {
      fputc(letter ? *at : ' ', out);
    } else {
      fprintf(out, "\\%03o", (unsigned)*at);
    }
  }
  fputc('"', out);
}

static void put_label(FILE *out, const char *command, const char *text, const char *unit) {
  char label[256];
  snprintf(label, sizeof label, "%s%s[%s]", text, text[0] ? " " : "", unit);
  fprintf(out, "set %s ", command);
  put_quoted(out, unit[0] ? label : text);
  fputc('\n', out);
}

static void put_point(FILE *out, const sn_series *x, const sn_series *y, size_t i) {
  if (isfinite(x->value[i]) && isfinite(y->value[i])) {
    fprintf(out, "%.9g %.9g\n", x->value[i], y->value[i]);
  } else {
    fputc('\n', out); /* a gap */
  }
}

/* Least and largest value of each of `bins` stretches, in the order of time: the envelope survives. */
static void put_thinned(FILE *out, const sn_series *x, const sn_series *y, size_t bins) {
  for (size_t bin = 0; bin < bins; ++bin) {
    const size_t first = y->count * bin / bins, last = y->count * (bin + 1) / bins;
    size_t low = first, high = first;
    for (size_t i = first; i < last; ++i) {
      if (y->value[i] < y->value[low]) low = i;
      if (y->value[i] > y->value[high]) high = i;
    }
    put_point(out, x, y, low < high ? low : high);
    if (low != high) put_point(out, x, y, low < high ? high : low);
  }
}

static void put_data(FILE *out, const cli_plot_job *job) {
  int number = 0;
  for (int k = 0; k < job->axes; ++k) {
    for (int i = 0; i < job->axis[k].count; ++i) {
      const sn_series *y = job->axis[k].series[i];
      fprintf(out, "$data%d << END_OF_DATA\n", number++);
      if (is_time(job->x) && y->count > most_points) {
        put_thinned(out, job->x, y, most_points / 2);
      } else {
        for (size_t row = 0; row < y->count; ++row) put_point(out, job->x, y, row);
      }
      fputs("END_OF_DATA\n", out);
    }
  }
}

/* What stands beside an axis: the series itself when it is alone, otherwise what they have in common. */
static void put_axis_label(FILE *out, const char *command, const cli_axis *axis) {
  if (axis->label) {
    put_label(out, command, axis->label, axis->unit);
    return;
  }
  if (axis->count == 1) {
    put_label(out, command, axis->series[0]->name, axis->unit);
    return;
  }
  char group[128];
  const char *first = axis->series[0]->name;
  size_t length = strcspn(first, ".");
  for (int i = 1; i < axis->count; ++i) {
    if (strncmp(first, axis->series[i]->name, length + 1)) length = 0;
  }
  snprintf(group, sizeof group, "%.*s", (int)length, first);
  put_label(out, command, group, axis->unit);
}

static void put_curves(FILE *out, const cli_axis *axis, int first, int style, bool right) {
  for (int i = 0; i < axis->count; ++i) {
    char name[128];
    snprintf(name, sizeof name, "%s%s", axis->series[i]->name, right ? " (right)" : "");
    fprintf(out, "%s$data%d using 1:2 axes %s linestyle %d title ", right || i ? ", " : "plot ", first + i,
            right ? "x1y2" : "x1y1", (style + i) % styles + 1);
    put_quoted(out, name);
  }
}

/* One panel: an axis on the left and, if `right` is given, one on the right; `first` numbers its data. A curve that is
 * alone needs no key. */
static void put_panel(FILE *out, const cli_axis *left, const cli_axis *right, int first) {
  put_axis_label(out, "ylabel", left);
  fputs(right || left->count > 1 ? "set key\n" : "unset key\n", out);
  if (right) {
    fputs("set ytics nomirror\nset y2tics\n", out);
    put_axis_label(out, "y2label", right);
  }
  put_curves(out, left, first, 0, false);
  if (right) put_curves(out, right, first + left->count, left->count, true);
  fputc('\n', out);
}

static void put_terminal(FILE *out, const char *format, int width, int height) {
  if (!strcmp(format, "png")) {
    fprintf(out,
            "if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {\n"
            "set terminal pngcairo size %d,%d enhanced font 'sans,11' background rgb 'white'\n} else {\n"
            "set terminal png size %d,%d enhanced medium\n}\n",
            width, height, width, height);
  } else if (!strcmp(format, "svg")) {
    fprintf(out, "set terminal svg size %d,%d enhanced font 'sans,12' background rgb 'white'\n", width, height);
  } else {
    fprintf(out, "set terminal pdfcairo size %.4gin,%.4gin enhanced font 'sans,11'\n", width / 100.0, height / 100.0);
  }
}

static void put_style(FILE *out, bool over_time) {
  static const char *const colors[styles] = {"#1f6fb4", "#d95f0e", "#2c8c57", "#a03a8c", "#c0392b",
                                             "#7a5c3e", "#16a0a8", "#555555", "#e0a000", "#7fa8d0"};
  for (int i = 0; i < styles; ++i) {
    fprintf(out, "set style line %d linewidth 1.8 linecolor rgb '%s'\n", i + 1, colors[i]);
  }
  fputs(
      "set encoding utf8\nset border 3 linewidth 1 linecolor rgb '#666666'\nset tics nomirror textcolor rgb '#333333'\n"
      "set grid linetype 1 linewidth 0.6 linecolor rgb '#d4d4d4'\n"
      "set key tmargin center horizontal noenhanced samplen 2\n"
      "set title noenhanced\nset xlabel noenhanced\nset ylabel noenhanced\nset y2label noenhanced\n",
      out);
  if (over_time) fputs("set xrange [*:*] noextend\n", out); /* the curve fills the width */
}

/* Does it go over more than a decade, so that powers of ten alone can name its places? */
static bool has_decades(const sn_series *series) {
  double low = 0, high = 0;
  return cli_series_range(series, &low, &high) && low > 0 && high > 10 * low;
}

/* Decades on the axes; the style of all curves. */
static void put_scales(FILE *out, const cli_plot_job *job) {
  bool decades = false;
  for (int i = 0; i < job->axis[0].count; ++i) decades = decades || has_decades(job->axis[0].series[i]);
  fprintf(out, "set style data %s\n", job->scattered ? "points" : job->marked ? "linespoints" : "lines");
  if (job->marked) fputs("set pointsize 0.8\n", out);
  if (job->log_x) fputs("set logscale x\n", out);
  if (job->log_y) fputs("set logscale y\n", out);
  if (job->log_x && has_decades(job->x)) fputs("set format x '10^{%L}'\n", out);
  if (job->log_y && decades) fputs("set format y '10^{%L}'\n", out);
}

static void put_script(FILE *out, const cli_plot_job *job, const char *format) {
  const bool stacked = job->axes > 2;
  const int width = job->width ? job->width : 900;
  const int height = job->height ? job->height : stacked ? 120 + 230 * job->axes : 540;
  put_terminal(out, format, width, height);
  put_style(out, is_time(job->x));
  put_scales(out, job);
  put_data(out, job);
  if (stacked) {
    fprintf(out, "set multiplot layout %d,1", job->axes);
    if (job->title[0]) fputs(" title ", out), put_quoted(out, job->title), fputs(" noenhanced", out);
    fputs("\nset lmargin 12\nset rmargin 3\n", out);
    for (int k = 0, first = 0; k < job->axes; first += job->axis[k++].count) {
      if (k == job->axes - 1) put_label(out, "xlabel", job->x->name, job->x->unit);
      put_panel(out, &job->axis[k], NULL, first);
    }
    fputs("unset multiplot\n", out);
    return;
  }
  if (job->title[0]) fputs("set title ", out), put_quoted(out, job->title), fputc('\n', out);
  if (job->axes == 2) fputs("set border 11\n", out);
  put_label(out, "xlabel", job->x->name, job->x->unit);
  put_panel(out, &job->axis[0], job->axes == 2 ? &job->axis[1] : NULL, 0);
}

/* ---- the process ---- */

/* Start gnuplot with the three descriptors given; 0 or errno. */
static int start(pid_t *child, int in, int out, int err) {
  char *words[] = {"gnuplot", "--default-settings", "-", NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  const int error = posix_spawnp(child, "gnuplot", &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

static int cloexec(int descriptor) {
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
}

/* What gnuplot said last; the first lines only repeat the script. */
static void report_complaint(FILE *complaint) {
  char line[256], last[256] = "";
  rewind(complaint);
  while (fgets(line, sizeof line, complaint)) {
    line[strcspn(line, "\n")] = 0;
    if (line[strspn(line, " \t^")]) snprintf(last, sizeof last, "%s", line + strspn(line, " \t"));
  }
  cli_error("gnuplot failed%s%s", last[0] ? ": " : "", last);
}

static sn_status draw(const cli_plot_job *job, const char *format, int picture, FILE *complaint) {
  int ends[2];
  pid_t child;
  if (pipe(ends)) {
    cli_error("cannot start gnuplot: %s", strerror(errno));
    return SN_IO;
  }
  cloexec(ends[0]), cloexec(ends[1]);
  const int error = start(&child, ends[0], picture, fileno(complaint));
  close(ends[0]);
  if (error) {
    close(ends[1]);
    if (error == ENOENT) {
      cli_error(
          "plots to a file need gnuplot, which is not installed (Debian: apt install gnuplot-nox); without -o the plot "
          "is "
          "drawn in the terminal");
    } else {
      cli_error("cannot start gnuplot: %s", strerror(error));
    }
    return SN_IO;
  }
  FILE *script = fdopen(ends[1], "w");
  if (script) {
    put_script(script, job, format);
    fclose(script);
  } else {
    close(ends[1]); /* gnuplot ends by itself */
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (!script) {
    cli_error("cannot start gnuplot: %s", strerror(ENOMEM));
    return SN_IO;
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return SN_OK;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
    cli_error("plots to a file need gnuplot, which could not be started");
  } else {
    report_complaint(complaint);
  }
  return SN_IO;
}

sn_status cli_plot_picture(const cli_plot_job *job) {
  static const char *const formats[] = {"png", "svg", "pdf"};
  const char *dot = strrchr(job->path, '.'), *format = NULL;
  for (size_t i = 0; dot && i < SN_COUNT(formats); ++i) {
    if (!strcmp(dot + 1, formats[i])) format = formats[i];
  }
  if (!format) {
    cli_error("unknown format of '%s': the name must end in .png, .svg or .pdf", job->path);
    return SN_USAGE;
  }
  sn_whole_file file;
  if (!sn_whole_file_open(&file, job->path)) {
    cli_error("cannot write %s: %s", job->path, strerror(errno));
    return SN_IO;
  }
  const int picture = fileno(file.out);
  FILE *complaint = sn_temporary_file();
  if (!complaint) {
    cli_error("cannot create a temporary file (TMPDIR): %s", strerror(errno));
    sn_whole_file_close(&file, false);
    return SN_IO;
  }
  sn_status status = draw(job, format, picture, complaint);
  if (!status && lseek(picture, 0, SEEK_END) == 0) {
    report_complaint(complaint);
    status = SN_IO;
  }
  fclose(complaint);
  if (!sn_whole_file_close(&file, !status) && !status) {
    cli_error("cannot write %s: %s", job->path, strerror(errno));
    status = SN_IO;
  }
  return status;
}
