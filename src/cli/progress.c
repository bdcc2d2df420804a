/* progress.c - one line on a terminal that tells how far a run is. */
#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/base.h"

static const double interval = 0.1; /* [s]: faster than anyone reads */

void cli_progress_begin(cli_progress *progress, double begin, double end, bool quiet) {
  const double now = sn_wall_time();
  *progress = (cli_progress){.on = !quiet && isatty(STDERR_FILENO), .begin = begin, .end = end, .started = now};
  progress->shown = now;
}

static void print_duration(double seconds) {
  if (seconds < 60) {
    fprintf(stderr, "%.0f s", seconds);
  } else if (seconds < 3600) {
    fprintf(stderr, "%d min %02d s", (int)seconds / 60, (int)seconds % 60);
  } else {
    fprintf(stderr, "%.0f h %02d min", seconds / 3600 - 0.5, (int)(seconds / 60) % 60);
  }
}

void cli_progress_show(cli_progress *progress, double time, double step) {
  if (!progress->on) return;
  const double now = sn_wall_time();
  if (now - progress->shown < interval) return;
  progress->shown = now;
  const double rate = (time - progress->begin) / (now - progress->started);
  const double percent = 100 * (time - progress->begin) / (progress->end - progress->begin);
  fprintf(stderr, "\r\033[K  t = %.4g of %.4g s (%.0f %%)  step %.2e s  %.3g s per s", time, progress->end, percent,
          step, rate);
  if (rate > 0) {
    fputs("  left ", stderr);
    print_duration((progress->end - time) / rate);
  }
  fflush(stderr);
}

void cli_progress_load(cli_progress *progress, double load) {
  if (!progress->on) return;
  const double now = sn_wall_time();
  if (now - progress->shown < interval) return;
  progress->shown = now;
  fprintf(stderr, "\r\033[K  load factor %.4g", load);
  fflush(stderr);
}

void cli_progress_end(cli_progress *progress) {
  if (progress->on) fputs("\r\033[K", stderr);
}
