/* run.c - sinew run: simulate a model and record it. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/runs.h"
#include "cli/show.h"

typedef struct run {
  sn_context *context;
  const char *model_path, *path;
  sn_model *model;
  sn_simulation *simulation;
  sn_recording *recording;
  const char *from;     /* result whose run is resumed; NULL: none */
  double begin;         /* start time */
  bool quiet, streamed; /* streamed: the result goes to the standard output */
  sn_profile *profile;  /* what threads do; NULL: not asked for */
  sn_server *server;    /* shows the run; NULL: not wanted */
  sn_result *watched;
} run;

/* ---- progress ---- */

typedef struct meter {
  cli_progress progress;
  int stage;
  bool quiet;
  sn_server *server; /* pages that watch are told too; or NULL */
} meter;

static void show(void *user, const sn_simulation *simulation) {
  meter *m = user;
  sn_progress_info s = {.size = sizeof s};
  sn_simulation_progress(simulation, &s);
  if (m->server) sn_server_count_steps(m->server, s.steps);
  if (m->stage != s.stage) {
    cli_progress_end(&m->progress);
    cli_progress_begin(&m->progress, s.time, s.end, m->quiet);
    m->stage = s.stage;
  }
  if (s.quasi_static)
    cli_progress_load(&m->progress, s.load);
  else
    cli_progress_show(&m->progress, s.time, s.step);
}

/* ---- around it ---- */

static bool wants_auto_threads(const cli_arguments *arguments) {
  const char *threads = cli_value(arguments, "threads");
  return threads && strcmp(threads, "auto") == 0;
}

static bool read_options(const cli_arguments *arguments, sn_options *options) {
  options->solver = cli_value(arguments, "solver");
  if (options->solver && strcmp(options->solver, "auto") && strcmp(options->solver, "ldl") &&
      strcmp(options->solver, "klu")) {
    cli_error("unknown solver '%s'; choose auto, ldl or klu", options->solver);
    return false;
  }
  return cli_run_options(arguments, options) && cli_number(arguments, "checkpoint", &options->checkpoint) &&
         (wants_auto_threads(arguments) || cli_whole(arguments, "threads", 1, SN_THREADS_LIMIT, &options->threads));
}

/* Length of the name without ".part" at its end; 0: it is not the file of a run that was killed. */
static size_t length_of_part(const char *path) {
  const size_t length = strlen(path), part = strlen(".part");
  return length > part && strcmp(path + length - part, ".part") == 0 ? length - part : 0;
}

/* A run that is resumed goes into the file it was to make: pendulum.h5.part becomes pendulum.h5. */
static char *path_of_resumed(const char *from) {
  const size_t length = length_of_part(from) ? length_of_part(from) : strlen(from);
  char *path = sn_new(length + 1, 1);
  snprintf(path, length + 1, "%s", from);
  return path;
}

/* models/pendulum.yaml becomes pendulum.h5 in the current directory; the standard input model.h5. */
static char *default_path(const char *model) {
  if (strcmp(model, "-") == 0) model = "model";
  const char *slash = strrchr(model, '/'), *name = slash ? slash + 1 : model, *dot = strrchr(name, '.');
  const size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
  char *path = sn_new(length + 4, 1);
  snprintf(path, length + 4, "%.*s.h5", (int)length, name);
  return path;
}

static bool same_file(const char *a, const char *b) {
  struct stat one, two;
  return !stat(a, &one) && !stat(b, &two) && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

static void print_buckling(const sn_modes_info *modes) {
  printf("     mode      load factor\n");
  for (size_t i = 0; i < modes->count; ++i) printf("     %-8zu  %-.7g\n", i + 1, modes->factor[i]);
}

/* w/2pi in Hz; negative for unstable ones. */
static double frequency(const sn_modes_info *modes, size_t i) {
  const double two_pi = 6.283185307179586476925286766559;
  return copysign(sqrt(fabs(modes->w2[i])), modes->w2[i]) / two_pi;
}

static void print_vibrations(const sn_modes_info *modes) {
  printf("     mode      Hz             rad/s          period [s]     damping ratio\n");
  for (size_t i = 0; i < modes->count; ++i) {
    const double f = frequency(modes, i), w = sqrt(fabs(modes->w2[i]));
    if (f == 0) {
      printf("     %-8zu  0              0              rigid-body mode\n", i + 1);
    } else if (f < 0) {
      printf("     %-8zu  -              -              unstable: grows with exp(%.6g t)\n", i + 1, w);
    } else {
      printf("     %-8zu  %-13.7g  %-13.7g  %-13.7g  %-.4g\n", i + 1, f, w, 1 / f, modes->damping[i]);
    }
  }
}

static void print_damped(const sn_modes_info *modes) {
  printf("     mode      real [1/s]     imaginary      Hz             damping ratio\n");
  const size_t most = 20;
  size_t left = 0, unstable = 0;
  for (size_t i = 0; i < modes->count; ++i) {
    const bool grows = modes->re[i] > 1e-6 * sqrt(modes->w2[i]);
    if (i >= most && !grows) left++;
    if (i >= most && (!grows || ++unstable > most)) continue;
    printf("     %-8zu  %-13.7g  %-13.7g  %-13.7g  %-.7g%s\n", i + 1, modes->re[i], modes->im[i], frequency(modes, i),
           modes->damping[i], grows ? "  unstable" : "");
  }
  if (unstable > most) printf("     and %zu more unstable ones\n", unstable - most);
  if (left) printf("     and %zu more that are stable; all %zu are in the result file\n", left, modes->count);
}

/* Of every stage that looked for them, first stage first. */
static void print_modes(const sn_simulation *simulation) {
  sn_modes_info modes;
  size_t stage;
  const char *method;
  for (size_t i = 0; i < sn_modes_count(simulation); ++i) {
    sn_modes_at(simulation, i, &modes, &stage, &method);
    if (modes.factor) {
      printf("\nbuckling in stage %zu (%s)\n", stage + 1, method);
      print_buckling(&modes);
    } else if (modes.re) {
      printf("\nlinearized in stage %zu, eigenvalues\n", stage + 1);
      print_damped(&modes);
    } else {
      printf("\nmodes of stage %zu (%s)\n", stage + 1, method);
      print_vibrations(&modes);
    }
  }
}

static void print_end(const run *r, const sn_summary *summary, sn_status status) {
  cli_print_summary(stdout, summary);
  printf("  result          %s%s\n", r->streamed ? "to the standard output" : r->path,
         status == SN_OK ? "" : " (incomplete)");
  print_modes(r->simulation);
  if (r->streamed) return;
  sn_output_info output = {0};
  if (sn_model_count(r->model, SN_LIST_OUTPUTS)) sn_model_output(r->model, 0, &output);
  const cli_word path = cli_quoted(r->path);
  printf("\nnext:  sinew plot %s %s%s%s\n       sinew view %s\n", path.text, output.name ? output.name : "energy.total",
         output.name ? "." : "", output.name ? output.column[0] : "", path.text);
}

/* Before a run that may take hours. */
static sn_status check_profile(const run *r, const char *path) {
  FILE *file = path ? fopen(path, "ab") : NULL;
  if (path && !file) return cli_fail(r->context, SN_IO, "cannot write %s: %s", path, strerror(errno));
  if (file) fclose(file);
  return SN_OK;
}

static sn_status load(run *r, const cli_arguments *arguments, const sn_options *options) {
  size_t count = 0;
  const char **sets = cli_values(arguments, "set", &count);
  sn_status status = sn_model_load(r->context, r->model_path, sets, count, &r->model);
  sn_free(sets);
  if (!status) status = check_profile(r, cli_value(arguments, "profile"));
  if (status) return status;
  if (cli_given(arguments, "profile") && !(r->profile = sn_profile_create())) sn_out_of_memory(0);
  status = sn_simulation_create(r->model, options, &r->simulation);
  if (!status && r->profile) status = sn_profile_attach(r->profile, r->simulation);
  if (status) return status;
  sn_progress_info start = {.size = sizeof start};
  sn_simulation_progress(r->simulation, &start);
  r->begin = start.time;
  if (!isfinite(start.end))
    return cli_fail(r->context, SN_USAGE, "%s has no analysis: give the end time with --until", r->model_path);
  if (start.end <= r->begin && options->until > 0 && !start.quasi_static)
    return cli_fail(r->context, SN_USAGE, "--until %g must be later than the start at %g s", start.end, r->begin);
  return SN_OK;
}

/* ---- watched ---- */

/* Show the file while it is written. */
static sn_status watch(run *r, const cli_arguments *arguments) {
  int port;
  if (!cli_port(arguments, &port)) return SN_USAGE;
  sn_status status = sn_recording_watch(r->recording, &r->watched);
  cli_block_signals(); /* they are for this thread, not for the server's */
  if (!status) status = sn_server_start(r->context, &r->watched, &r->path, 1, port, &r->server);
  cli_unblock_signals();
  if (status) return cli_report(r->context, status);
  cli_show_address(r->server, !cli_given(arguments, "no-browser"));
  return SN_OK;
}

static void stop_watching(run *r) {
  if (r->server) sn_server_replace(r->server, 0, NULL);
  sn_result_free(r->watched);
  r->watched = NULL;
}

/* Show the finished file until someone ends it; what someone has ended, just long enough for pages to see how. */
static void keep_showing(run *r, sn_status status) {
  sn_result *result = NULL;
  if (!sn_result_open(r->context, r->path, &result)) {
    sn_server_replace(r->server, 0, result);
    if (status == SN_INTERRUPTED) {
      sn_server_let_see(r->server);
    } else {
      printf("\nstill serving at %s  (Ctrl-C to stop)\n", sn_server_address(r->server));
      fflush(stdout);
      cli_wait_for_signal();
    }
  }
  cli_stop_showing(r->server);
  sn_result_free(result);
}

/* Say what a good run does not need. */
static bool report_verdict(const run *r, const cli_arguments *arguments, const sn_summary *summary, sn_status status) {
  const bool bad = !status && !strcmp(summary->trust, "bad"), refused = bad && cli_given(arguments, "strict");
  if ((refused && r->streamed) || (bad && r->quiet)) /* the file has no name of its own; nothing else is said */
    cli_error("%sthe run is bad\n%s", refused ? "--strict: " : "", summary->reasons);
  else if (refused)
    cli_error("--strict: the run is bad; 'sinew info %s' gives the reasons", cli_quoted(r->path).text);
  return refused;
}

static sn_status simulate(run *r) {
  sn_progress_info start = {.size = sizeof start};
  sn_simulation_progress(r->simulation, &start);
  meter m = {.stage = start.stage, .quiet = r->quiet, .server = r->server};
  cli_progress_begin(&m.progress, start.time, start.end, r->quiet);
  const sn_status status = sn_recording_run(r->recording, show, &m);
  cli_signal_was_heard();
  cli_progress_end(&m.progress);
  return status ? cli_report(r->context, status) : SN_OK;
}

/* Simulate, close the result in any case, report. */
static sn_status run_and_close(run *r, const cli_arguments *arguments) {
  const sn_recording_options options = {.size = sizeof options, .path = r->path, .resume = r->from};
  sn_status status = sn_recording_open(r->simulation, &options, &r->recording);
  if (status) return cli_report(r->context, status);
  if (cli_given(arguments, "view") && (status = watch(r, arguments))) {
    stop_watching(r);
    return status;
  }
  cli_catch_signals(r->context); /* not before: until now there is nothing to save */
  status = simulate(r);
  stop_watching(r);
  const sn_status closed = sn_recording_close(r->recording);
  if (closed && status != SN_IO)
    status = cli_report(r->context, closed);
  else if (!closed && status && r->quiet)
    cli_error("partial results are in %s", r->path);
  sn_summary summary = {.size = sizeof summary};
  sn_recording_summary(r->recording, &summary);
  summary.model = r->model_path;
  if (!r->quiet && !closed) print_end(r, &summary, status);
  const bool refused = report_verdict(r, arguments, &summary, status);
  if (r->server) keep_showing(r, closed ? SN_INTERRUPTED : status);
  return refused ? SN_NUMERICS : status;
}

static sn_status run_run(const cli_arguments *arguments) {
  run r = {.context = arguments->context, .model_path = arguments->operand[0], .quiet = cli_given(arguments, "quiet")};
  sn_options options = {.threads = wants_auto_threads(arguments) ? SN_THREADS_AUTO : 0};
  if (!read_options(arguments, &options)) return SN_USAGE;
  r.from = cli_value(arguments, "resume");
  char *named = r.from ? path_of_resumed(r.from) : default_path(r.model_path);
  cli_output output;
  sn_status status = cli_output_open(&output, cli_value(arguments, "output"), ".h5");
  r.path = output.path ? output.path : named;
  r.streamed = output.temporary[0] != 0;
  if (!status && sn_is_result(r.model_path)) {
    cli_error("%s is a result, not a model; 'sinew view %s' shows it", r.model_path, cli_quoted(r.model_path).text);
    status = SN_USAGE;
  }
  if (!status && same_file(r.path, r.model_path)) {
    cli_error("the result would overwrite the model %s; choose another file with -o", r.model_path);
    status = SN_USAGE;
  }
  if (!status) {
    status = load(&r, arguments, &options);
    status = status ? cli_report(r.context, status) : run_and_close(&r, arguments);
  }
  sn_recording_free(r.recording);
  if (r.profile && r.simulation && sn_profile_write(r.profile, r.context, cli_value(arguments, "profile")))
    status = cli_report(r.context, SN_IO);
  sn_simulation_free(r.simulation);
  sn_model_free(r.model);
  sn_profile_free(r.profile);
  sn_free(named);
  status = cli_output_close(&output, status);
  if (!status && cli_given(arguments, "verify")) {
    putchar('\n');
    status = cli_verify_model(arguments, NULL);
  }
  return status;
}

static const cli_option run_options[] = {
    {"output", 'o', "RESULT.h5",
     .help = "result file, - for the standard output (default: name of the model with .h5, in this directory)",
     .hint = CLI_RESULT},
    CLI_RUN_OPTIONS,
    {"threads", 0, "N",
     .help = "number of threads, at most 1024 (default 1), or auto: the cores of the machine, fewer for small models; "
             "results do not depend on it"},
    {"profile", 0, "FILE.json", .help = "write what every thread did when, for Perfetto or chrome://tracing"},
    {"solver", 0, "NAME", .help = "linear solver: auto, ldl or klu", .hint = CLI_CHOICE, .choices = "auto|ldl|klu"},
    {"view", 0, NULL, .help = "show the run in a browser during and after the computation"},
    {"port", 0, "N", .help = "with --view: port (default: any free port)"},
    {"no-browser", 0, NULL, .help = "with --view: print the address, do not open a browser"},
    {"checkpoint", 0, "T", .help = "write a checkpoint to the result every T seconds of simulated time"},
    {"resume", 0, "RESULT.h5", .help = "resume from the last checkpoint of a result of this model", .hint = CLI_RESULT},
    {"verify", 0, NULL, .help = "afterwards, estimate error bars of the outputs ('sinew help verify')"},
    {"strict", 0, NULL, .help = "exit code 3 if the verdict on the run is bad ('sinew describe trust')"},
    {"quiet", 'q', NULL, .help = "print errors only, and why a run is bad"},
    {0},
};

const cli_command cli_run = {
    .name = "run",
    .summary = "simulate a model and record the result",
    .usage = "MODEL",
    .fewest = 1,
    .most = 1,
    .hint = CLI_MODEL,
    .options = run_options,
    .run = run_run,
    .details =
        "The result is written as RESULT.h5.part and renamed when the run ends, even if it fails or is interrupted;\n"
        "its status then gives the reason. Ctrl-C stops the run after the current step; a second Ctrl-C kills it.\n"
        "Every dynamic run writes a checkpoint at its end, and with --checkpoint also during the run. --resume\n"
        "continues from the last checkpoint of RESULT.h5 or RESULT.h5.part. The result is bitwise equal to that of an\n"
        "uninterrupted run if it resumes from a checkpoint written during the run.\n"
        "\nexamples:\n"
        "  sinew run models/pendulum.yaml\n"
        "  sinew run models/pendulum.yaml --set E=2e8 --step 1e-4 -o stiff.h5\n"
        "  sinew run models/pendulum.yaml --resume pendulum.h5 --until 5\n",
};
