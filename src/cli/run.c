/* run.c - sinew run: simulate a model and record it. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/checkpoint.h"
#include "analysis/events.h"
#include "analysis/modes.h"
#include "base/cores.h"
#include "base/threads.h"
#include "base/trace.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/runs.h"
#include "cli/show.h"
#include "run/record.h"
#include "system/phases.h"

typedef struct run {
  sn_context *context;
  const char *model_path, *path;
  sn_model *model;
  sn_simulation *simulation;
  sn_writer *writer;
  const char *from; /* result whose run is resumed; NULL: none */
  sn_resume resume;
  double begin;         /* start time, or that of the checkpoint */
  bool quiet, streamed; /* streamed: the result goes to the standard output */
  bool auto_threads;    /* as many as the model can use */
  sn_trace *trace;      /* what threads do; NULL: not asked for */
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

static void show(void *user, const sn_simulation *s) {
  meter *m = user;
  if (m->server) sn_server_count_steps(m->server, s->system->statistics.steps);
  if (m->stage != s->stage) {
    cli_progress_end(&m->progress);
    cli_progress_begin(&m->progress, sn_time(s), s->end, m->quiet);
    m->stage = s->stage;
  }
  if (s->analysis->quasi_static)
    cli_progress_load(&m->progress, s->load);
  else
    cli_progress_show(&m->progress, sn_time(s), s->state.t - s->before.t);
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
         (wants_auto_threads(arguments) || cli_whole(arguments, "threads", 1, SN_MOST_THREADS, &options->threads));
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

/* "statics, dynamics" */
static const char *stage_names(sn_simulation *s) {
  const char *text = "";
  for (int i = 0; i < s->stages; ++i)
    text = sn_format(&s->arena, "%s%s%s", text, i ? ", " : "", sn_stage_ops(s->stage_spec[i])->kind.name);
  return text;
}

static void print_buckling(const sn_modes *modes) {
  printf("\nbuckling in stage %d (%s)\n     mode      load factor\n", modes->stage + 1, modes->method);
  for (int i = 0; i < modes->count; ++i) printf("     %-8d  %-.7g\n", i + 1, modes->factor[i]);
}

static void print_vibrations(const sn_modes *modes) {
  printf("\nmodes of stage %d (%s)\n     mode      Hz             rad/s          period [s]     damping ratio\n",
         modes->stage + 1, modes->method);
  for (int i = 0; i < modes->count; ++i) {
    const double f = sn_mode_frequency(modes, i), w = sqrt(fabs(modes->w2[i]));
    if (f == 0) {
      printf("     %-8d  0              0              rigid-body mode\n", i + 1);
    } else if (f < 0) {
      printf("     %-8d  -              -              unstable: grows with exp(%.6g t)\n", i + 1, w);
    } else {
      printf("     %-8d  %-13.7g  %-13.7g  %-13.7g  %-.4g\n", i + 1, f, w, 1 / f, modes->damping[i]);
    }
  }
}

static void print_damped(const sn_modes *modes) {
  printf(
      "\nlinearized in stage %d, eigenvalues\n     mode      real [1/s]     imaginary      Hz             damping "
      "ratio\n",
      modes->stage + 1);
  for (int i = 0; i < modes->count; ++i)
    printf("     %-8d  %-13.7g  %-13.7g  %-13.7g  %-.7g%s\n", i + 1, modes->re[i], modes->im[i],
           sn_mode_frequency(modes, i), modes->damping[i],
           modes->re[i] > 1e-6 * sqrt(modes->w2[i]) ? "  unstable" : "");
}

/* Of every stage that looked for them, first stage first. */
static void print_modes(const sn_modes *modes) {
  if (!modes) return;
  print_modes(modes->next);
  (modes->factor ? print_buckling : modes->re ? print_damped : print_vibrations)(modes);
}

static void print_end(const run *r, sn_status status) {
  sn_simulation *s = r->simulation;
  cli_summary summary = {
      .model = r->model_path,
      .title = r->model->document->title,
      .analysis = stage_names(s),
      .integrator = s->integrator_name,
      .step = s->settings->step,
      .tolerance = sn_asked(s)->tolerance,
      .begin = r->begin,
      .reached = fmin(sn_time(s), s->end),
      .end = s->end,
      .statistics = &s->system->statistics,
      .system = s->system,
      .energy_error = s->largest_energy_error,
      .kinetic = s->largest_kinetic,
      .position_change = s->start.position_change,
      .velocity_change = s->start.velocity_change,
      .redundant = s->start.redundant,
      .notes = s->start.notes,
      .events = sn_events_text(s, &s->arena),
      .trust = sn_trust_names[s->verdict.level],
      .reasons = s->verdict.reasons,
  };
  memcpy(summary.constraint, s->largest_constraint, sizeof summary.constraint);
  cli_print_summary(stdout, &summary);
  printf("  result          %s%s\n", r->streamed ? "to the standard output" : r->path,
         status == SN_OK ? "" : " (incomplete)");
  print_modes(s->modes);
  const char *output = r->model->outputs ? r->model->output[0].name : NULL;
  if (r->streamed) return;
  const cli_word path = cli_quoted(r->path);
  printf("\nnext:  sinew plot %s %s%s%s\n       sinew view %s\n", path.text, output ? output : "energy.total",
         output ? "." : "", output ? r->model->output[0].column[0] : "", path.text);
}

/* Continue where the other run stopped. */
static sn_status resume(run *r) {
  const sn_status status = sn_checkpoint_load(r->simulation, &r->resume.history);
  if (status) return status;
  r->begin = sn_time(r->simulation);
  /* A run that was killed after its last step lacks nothing but the name of its file. */
  if (sn_all_finished(r->simulation) && !length_of_part(r->from))
    return sn_fail(r->context, SN_USAGE, "%s is complete: it ends at %g s\n  possible remedy: a later end, --until T",
                   r->from, r->begin);
  return SN_OK;
}

/* With a trace the time until then is its first span. */
static sn_status create(run *r, const sn_options *options, bool traced) {
  if (traced) r->trace = sn_trace_create(options->threads > 0 ? options->threads : 1);
  const double begin = sn_wall_time();
  const sn_status status = sn_simulation_create(r->model, options, &r->simulation);
  if (status || !traced) return status;
  sn_trace_add(r->trace, 0, sn_phase_names[SN_PHASE_START], begin, sn_wall_time());
  sn_threads_set_trace(r->simulation->system->threads, r->trace);
  return SN_OK;
}

static void tell_threads(sn_simulation *s, int cores) {
  const int used = sn_threads_count(s->system->threads);
  sn_add_note(s, sn_format(&s->arena, "threads auto: %d of %d cores%s", used, cores,
                           used < cores ? ", as the model is too small for more" : ""));
}

static sn_status load(run *r, const cli_arguments *arguments, sn_options *options) {
  size_t count = 0;
  const char **sets = cli_values(arguments, "set", &count);
  sn_status status = sn_model_load(r->context, r->model_path, sets, count, &r->model);
  sn_free(sets);
  if (!status && r->from) status = sn_resume_read(r->model, r->from, &r->resume);
  if (options->checkpoint == 0) options->checkpoint = r->resume.interval;
  const int cores = r->auto_threads ? sn_physical_cores() : 0;
  if (!status && r->auto_threads) options->threads = sn_useful_threads(r->model->n, cores);
  if (!status) status = create(r, options, cli_given(arguments, "profile"));
  if (status) return status;
  if (r->auto_threads) tell_threads(r->simulation, cores);
  r->begin = sn_time(r->simulation);
  if (!isfinite(r->simulation->end)) {
    return sn_fail(r->context, SN_USAGE, "%s has no analysis: give the end time with --until", r->model_path);
  }
  if (r->simulation->end <= r->begin && options->until > 0 && !r->simulation->analysis->quasi_static) {
    return sn_fail(r->context, SN_USAGE, "--until %g must be later than the start at %g s", r->simulation->end,
                   r->begin);
  }
  return r->from ? resume(r) : SN_OK;
}

/* ---- watched ---- */

/* Show the file while it is written. */
static sn_status watch(run *r, const cli_arguments *arguments) {
  int port;
  if (!cli_port(arguments, &port)) return SN_USAGE;
  sn_status status = sn_result_watch(r->context, r->writer, &r->watched);
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

/* Simulate, close the result in any case, report. */
static sn_status run_and_close(run *r, const cli_arguments *arguments) {
  sn_status status = r->from ? sn_writer_resume(r->simulation, r->from, r->resume.rows, r->path, &r->writer)
                             : sn_writer_open(r->simulation, r->path, &r->writer);
  if (status) return cli_report(r->context, status);
  if (cli_given(arguments, "view") && (status = watch(r, arguments))) {
    stop_watching(r);
    sn_writer_close(r->writer, SN_INTERRUPTED, "");
    return status;
  }
  cli_catch_signals(r->context); /* not before: until now there is nothing to save */
  meter m = {.stage = r->simulation->stage, .quiet = r->quiet, .server = r->server};
  cli_progress_begin(&m.progress, r->begin, r->simulation->end, r->quiet);
  status = sn_record(r->simulation, r->writer, show, &m);
  cli_signal_was_heard();
  cli_progress_end(&m.progress);
  if (status) cli_report(r->context, status);
  sn_arena arena = {0};
  const char *message = status ? sn_format(&arena, "%s", sn_message(r->context)) : "";
  stop_watching(r);
  const sn_status closed = sn_writer_close(r->writer, status, message);
  sn_arena_free(&arena);
  if (closed && status != SN_IO)
    status = cli_report(r->context, closed);
  else if (!closed && status && r->quiet)
    cli_error("partial results are in %s", r->path);
  if (!r->quiet && !closed) print_end(r, status);
  const bool bad = !status && r->simulation->verdict.level == SN_BAD, refused = bad && cli_given(arguments, "strict");
  if ((refused && r->streamed) || (bad && r->quiet)) /* the file has no name of its own; nothing else is said */
    cli_error("%sthe run is bad\n%s", refused ? "--strict: " : "", r->simulation->verdict.reasons);
  else if (refused)
    cli_error("--strict: the run is bad; 'sinew info %s' gives the reasons", cli_quoted(r->path).text);
  if (r->server) keep_showing(r, closed ? SN_INTERRUPTED : status);
  return refused ? SN_NUMERICS : status;
}

static sn_status run_run(const cli_arguments *arguments) {
  run r = {.context = arguments->context,
           .model_path = arguments->operand[0],
           .quiet = cli_given(arguments, "quiet"),
           .auto_threads = wants_auto_threads(arguments)};
  sn_options options = {0};
  if (!read_options(arguments, &options)) return SN_USAGE;
  r.from = cli_value(arguments, "resume");
  char *named = r.from ? path_of_resumed(r.from) : default_path(r.model_path);
  cli_output output;
  sn_status status = cli_output_open(&output, cli_value(arguments, "output"), ".h5");
  r.path = output.path ? output.path : named;
  r.streamed = output.temporary[0] != 0;
  if (!status && same_file(r.path, r.model_path)) {
    cli_error("the result would overwrite the model %s; choose another file with -o", r.model_path);
    status = SN_USAGE;
  }
  if (!status) {
    status = load(&r, arguments, &options);
    status = status ? cli_report(r.context, status) : run_and_close(&r, arguments);
  }
  sn_simulation_free(r.simulation);
  sn_model_free(r.model);
  if (r.trace && sn_trace_write(r.context, r.trace, cli_value(arguments, "profile")))
    status = cli_report(r.context, SN_IO);
  sn_trace_free(r.trace);
  sn_history_free(&r.resume.history);
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
