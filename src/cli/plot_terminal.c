/* plot_terminal.c - plots in the terminal.
 *
 * In a UTF-8 terminal a character is a raster of 2 x 4 Braille dots, otherwise one point. Series of one unit share a
 * panel when they can be told apart, by color or by letter; else each has its own.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/plot.h"

enum { margin = 11, plain_series = 6 }; /* characters left of the axis; letters and colors to tell series apart */
static const char letters[plain_series + 1] = "*+ox#@";
static const int colors[plain_series] = {34, 31, 32, 35, 36, 33};

typedef struct canvas {
  bool braille, color;
  int width, height;   /* characters */
  int dots_x, dots_y;  /* dots in a character */
  unsigned char *dots; /* [height][width] Braille pattern, or letter */
  signed char *owner;  /* [height][width] series that drew there last; -1: none */
} canvas;

typedef struct frame {
  double x_low, x_high, y_low, y_high;
} frame;

/* ---- the terminal ---- */

static bool is_utf8(void) {
  static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (size_t i = 0; i < SN_COUNT(variables); ++i) {
    const char *value = getenv(variables[i]);
    if (!value || !value[0]) continue;
    const char *dot = strchr(value, '.');
    return dot && (!strncasecmp(dot + 1, "utf-8", 5) || !strncasecmp(dot + 1, "utf8", 4));
  }
  return false;
}

static int terminal_width(void) {
  struct winsize size;
  if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col > 0) return size.ws_col;
  const char *columns = getenv("COLUMNS");
  const int width = columns ? atoi(columns) : 0;
  return width > 0 ? width : 80;
}

static bool has_color(void) {
  const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
  return isatty(STDOUT_FILENO) && !(no_color && no_color[0]) && term && strcmp(term, "dumb");
}

/* ---- drawing ---- */

static void canvas_clear(canvas *c) {
  const size_t size = (size_t)c->width * (size_t)c->height;
  memset(c->dots, 0, size);
  memset(c->owner, -1, size);
}

static void put_dot(canvas *c, int x, int y, int series) {
  static const unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  if (x < 0 || y < 0 || x >= c->width * c->dots_x || y >= c->height * c->dots_y) return;
  const size_t at = (size_t)(y / c->dots_y) * (size_t)c->width + (size_t)(x / c->dots_x);
  if (c->braille) {
    c->dots[at] |= bits[y % 4][x % 2];
  } else {
    c->dots[at] = (unsigned char)letters[series % plain_series];
  }
  c->owner[at] = (signed char)(series % plain_series);
}

static void draw_line(canvas *c, double x0, double y0, double x1, double y1, int series) {
  const double length = fmax(fabs(x1 - x0), fabs(y1 - y0));
  const int steps = (int)ceil(length);
  for (int i = 0; i <= steps; ++i) {
    const double u = steps ? (double)i / steps : 0;
    put_dot(c, (int)lround(x0 + u * (x1 - x0)), (int)lround(y0 + u * (y1 - y0)), series);
  }
}

static void draw_series(canvas *c, const frame *f, const sn_series *x, const sn_series *y, int series) {
  const double sx = (c->width * c->dots_x - 1) / (f->x_high - f->x_low);
  const double sy = (c->height * c->dots_y - 1) / (f->y_high - f->y_low);
  bool before = false;
  double x0 = 0, y0 = 0;
  for (size_t i = 0; i < y->count; ++i) {
    const bool here = isfinite(x->value[i]) && isfinite(y->value[i]);
    if (here) {
      const double x1 = (x->value[i] - f->x_low) * sx, y1 = (f->y_high - y->value[i]) * sy;
      draw_line(c, before ? x0 : x1, before ? y0 : y1, x1, y1, series);
      x0 = x1, y0 = y1;
    }
    before = here;
  }
}

/* ---- printing ---- */

static void print_cell(const canvas *c, size_t at) {
  const unsigned char dots = c->dots[at];
  if (!dots) {
    putchar(' ');
    return;
  }
  if (c->color) printf("\033[%dm", colors[(int)c->owner[at]]);
  if (c->braille) {
    printf("\xe2%c%c", 0xa0 | dots >> 6, 0x80 | (dots & 0x3f)); /* U+2800 + dots in UTF-8 */
  } else {
    putchar(dots);
  }
  if (c->color) fputs("\033[0m", stdout);
}

/* Labels with as many digits as the distance between them needs. */
static void print_y_label(const frame *f, double value) {
  const double range = f->y_high - f->y_low;
  if (fabs(value) < 1e-9 * range) value = 0;
  char text[32];
  snprintf(text, sizeof text, "%.4g", value);
  printf("%*s", margin - 1, text);
}

static void print_rows(const canvas *c, const frame *f) {
  const int middle = c->height / 2;
  for (int row = 0; row < c->height; ++row) {
    const bool labeled = row == 0 || row == middle || row == c->height - 1;
    const double u = c->height > 1 ? (double)row / (c->height - 1) : 0;
    if (labeled) {
      print_y_label(f, f->y_high + u * (f->y_low - f->y_high));
    } else {
      printf("%*s", margin - 1, "");
    }
    fputs(c->braille ? (labeled ? "\u2524" : "\u2502") : (labeled ? "+" : "|"), stdout);
    for (int column = 0; column < c->width; ++column) print_cell(c, (size_t)row * (size_t)c->width + (size_t)column);
    putchar('\n');
  }
}

static void print_x_axis(const canvas *c, const frame *f, const sn_series *x) {
  char low[32], high[32], name[96];
  snprintf(low, sizeof low, "%.4g", f->x_low);
  snprintf(high, sizeof high, "%.4g", f->x_high);
  snprintf(name, sizeof name, "%.60s%s%.20s%s", x->name, x->unit[0] ? " [" : "", x->unit, x->unit[0] ? "]" : "");
  printf("%*s%s", margin - 1, "", c->braille ? "\u2514" : "+");
  for (int i = 0; i < c->width; ++i) fputs(c->braille ? "\u2500" : "-", stdout);
  const int used = (int)(strlen(low) + strlen(high) + strlen(name));
  const int gap = c->width > used ? c->width - used : 2;
  printf("\n%*s%s%*s%s%*s%s\n", margin, "", low, gap / 2, "", name, gap - gap / 2, "", high);
}

static void print_legend(const canvas *c, const sn_series *const *series, int count) {
  printf("%*s", margin, "");
  for (int i = 0; i < count; ++i) {
    if (c->color) printf("\033[%dm", colors[i % plain_series]);
    if (c->braille) {
      fputs(c->color ? "\u2501 " : "", stdout);
    } else {
      printf("%c ", letters[i % plain_series]);
    }
    fputs(series[i]->name, stdout);
    if (c->color) fputs("\033[0m", stdout);
    fputs(i + 1 < count ? "   " : "", stdout);
  }
  if (series[0]->unit[0]) printf(" [%s]", series[0]->unit);
  putchar('\n');
}

/* A range that is not empty, with a little air if it was. */
static void widen(double *low, double *high) {
  if (*high > *low && isfinite(*high - *low)) return;
  const double around = *low != 0 ? 0.1 * fabs(*low) : 1;
  *low -= around, *high += around;
}

static void print_panel(canvas *c, const cli_plot_job *job, const sn_series *const *series, int count, bool last) {
  frame f = {0};
  bool any = false;
  for (int i = 0; i < count; ++i) {
    double low, high;
    if (!cli_series_range(series[i], &low, &high)) continue;
    f.y_low = any ? fmin(f.y_low, low) : low;
    f.y_high = any ? fmax(f.y_high, high) : high;
    any = true;
  }
  cli_series_range(job->x, &f.x_low, &f.x_high);
  widen(&f.x_low, &f.x_high);
  widen(&f.y_low, &f.y_high);
  canvas_clear(c);
  for (int i = 0; i < count; ++i) draw_series(c, &f, job->x, series[i], i);
  print_legend(c, series, count);
  print_rows(c, &f);
  if (last) print_x_axis(c, &f, job->x);
}

sn_status cli_plot_terminal(const cli_plot_job *job) {
  canvas c = {.braille = is_utf8(), .color = has_color()};
  const bool share = c.color || !c.braille; /* in dots of one color, curves cannot be told apart */
  int panels = 0;
  for (int k = 0; k < job->axes; ++k) panels += share ? 1 : job->axis[k].count;
  if (panels == 0) return SN_OK;
  const int width = job->width ? job->width : terminal_width();
  c.width = width > margin + 10 ? width - margin - 1 : 10;
  c.height = job->height ? (job->height - 2) / panels - 1 : panels == 1 ? 18 : panels == 2 ? 11 : 8;
  if (c.height < 3) c.height = 3;
  c.dots_x = c.braille ? 2 : 1;
  c.dots_y = c.braille ? 4 : 1;
  c.dots = sn_new((size_t)c.width, (size_t)c.height);
  c.owner = sn_new((size_t)c.width, (size_t)c.height);
  if (job->title[0]) printf("%*s%s\n", margin, "", job->title);
  for (int k = 0, panel = 0; k < job->axes; ++k) {
    const int together = share ? job->axis[k].count : 1;
    for (int i = 0; i < job->axis[k].count; i += together) {
      print_panel(&c, job, job->axis[k].series + i, together, ++panel == panels);
    }
  }
  sn_free(c.dots);
  sn_free(c.owner);
  return SN_OK;
}
