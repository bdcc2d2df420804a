/* progress.c - one line on a terminal that shows the progress of a run. */
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

/* ---- many cases ---- */

static const double line_interval = 10; /* [s] between lines in a log */

void cli_sweep_progress_begin(cli_sweep_progress *p, int count, int begun, bool quiet) {
  *p = (cli_sweep_progress){.on = !quiet, .terminal = isatty(STDERR_FILENO), .count = count, .begun = begun};
  p->started = p->shown = sn_wall_time();
  if (p->on && begun > 0 && begun < count) fprintf(stderr, "%d of %d cases were already complete\n", begun, count);
}

void cli_sweep_progress_show(cli_sweep_progress *p, int finished, int failed, int running) {
  const double now = sn_wall_time();
  if (!p->on || now - p->shown < (p->terminal ? interval : line_interval)) return;
  p->shown = now;
  fprintf(stderr, "%s%d of %d cases (%.0f %%), %d running", p->terminal ? "\r\033[K  " : "", finished, p->count,
          100.0 * finished / p->count, running);
  if (failed > 0) fprintf(stderr, ", %d failed", failed);
  if (finished > p->begun && finished < p->count) {
    fputs(", left ", stderr);
    print_duration((p->count - finished) * (now - p->started) / (finished - p->begun));
  }
  if (!p->terminal) fputc('\n', stderr);
  fflush(stderr);
}

void cli_sweep_progress_end(cli_sweep_progress *p, int finished, int failed) {
  if (p->on && p->terminal) fputs("\r\033[K", stderr);
  if (p->on && !p->terminal && finished > p->begun)
    fprintf(stderr, "%d of %d cases done, %d failed\n", finished, p->count, failed);
}
