/* compare.c - sinew compare: one model, several methods and settings, one table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/runs.h"

typedef struct comparison {
  const cli_arguments *arguments;
  sn_arena arena;
  sn_model *model;
  const char **integrator;
  int integrators;
  double *setting; /* tolerances or steps; 0: what the model or the method says */
  int settings;
  bool steps;
  double until, cpu_limit;
  cli_trial reference;
  cli_trial *trial; /* [integrators * settings], those of an integrator one after the other */
  int trials;       /* so many are done */
} comparison;

/* ---- measures of a row; NaN: there is none ---- */

static double error_of(const comparison *c, const cli_trial *trial) {
  if (trial->info.status || c->reference.info.status) return NAN;
  return sn_attempt_relative(trial->attempt, c->reference.attempt, SN_POSITIONS);
}

static double energy_of(const cli_trial *trial) {
  return trial->info.rows ? trial->info.energy_error / (trial->info.kinetic > 0 ? trial->info.kinetic : 1) : NAN;
}

static double drift_of(const cli_trial *trial, int level) {
  return trial->info.rows ? trial->info.drift[level] : NAN;
}

/* Work against that of the first run that came to its end. */
static double work_of(const comparison *c, const cli_trial *trial) {
  if (trial->info.status) return NAN;
  for (int i = 0; i < c->trials; ++i)
    if (!c->trial[i].info.status) return c->trial[i].info.cpu > 0 ? trial->info.cpu / c->trial[i].info.cpu : NAN;
  return NAN;
}

static long rejections(const cli_trial *trial) {
  return trial->info.error_rejections + trial->info.newton_rejections;
}

/* ---- table ---- */

static void print_head(const comparison *c) {
  const cli_trial *r = &c->reference;
  if (!r->info.status && r->info.step > 0)
    printf("reference: %s, step %g s, %.3g s of CPU\n", r->info.integrator, r->info.step, r->info.cpu);
  if (!r->info.status && !(r->info.step > 0))
    printf("reference: %s, tolerance %g, %.3g s of CPU\n", r->info.integrator, r->info.tolerance, r->info.cpu);
  printf("\n%-17s %-14s %9s %9s  %9s %9s %9s %9s %9s %7s %9s %8s %8s %6s %s\n", "integrator", "setting", "error",
         "energy", "position", "velocity", "accel.", "noise", "steps", "reject", "iterations", "matrices", "CPU [s]",
         "work", "trust");
}

static void print_row(const comparison *c, const cli_trial *trial) {
  char text[8][32], setting[48];
  snprintf(setting, sizeof setting, "%s %.4g", trial->info.step > 0 ? "step" : "tol",
           trial->info.step > 0 ? trial->info.step : trial->info.tolerance);
  if (!(trial->info.step > 0) && !(trial->info.tolerance > 0)) snprintf(setting, sizeof setting, "default");
  printf("%-17s %-14s ", trial->info.integrator, setting);
  if (trial->info.status) {
    printf("failed: %s\n", trial->info.message);
  } else {
    const sn_attempt_info *s = &trial->info;
    printf("%9s %9s  %9s %9s %9s %9s %9ld %7ld %9ld %8ld %8s %6s %s\n", cli_figure(text[0], 3, error_of(c, trial)),
           cli_figure(text[1], 3, energy_of(trial)), cli_figure(text[2], 2, drift_of(trial, 0)),
           cli_figure(text[3], 2, drift_of(trial, 1)), cli_figure(text[4], 2, drift_of(trial, 2)),
           cli_figure(text[7], 2, trial->info.noise), s->steps, rejections(trial), s->iterations, s->jacobians,
           cli_figure(text[5], 3, trial->info.cpu), cli_figure(text[6], 3, work_of(c, trial)), trial->info.trust);
  }
  fflush(stdout);
}

/* Name of a column of the outputs, such as pin.fx. */
static void put_column(FILE *out, const sn_model *model, size_t column) {
  sn_output_info o = {0};
  size_t first = 0;
  for (size_t i = 0; !sn_model_output(model, i, &o) && column >= first + o.columns; ++i) first += o.columns;
  sn_arena arena = {0};
  cli_put_csv_text(out, sn_format(&arena, "%s.%s", o.name, o.column[column - first]));
  sn_arena_free(&arena);
}

/* Largest error of angles, of the other outputs, and which one that is. */
static void put_outputs(FILE *out, const comparison *c, const cli_trial *trial) {
  const bool known = !trial->info.status && !c->reference.info.status;
  size_t column;
  double error[2] = {NAN, NAN};
  for (int angles = 1; known && angles >= 0; --angles)
    error[angles] = sn_attempt_output_error(c->model, trial->attempt, c->reference.attempt, angles, &column);
  fprintf(out, ",%.9g,%.9g,", error[1], error[0]);
  if (isfinite(error[0])) put_column(out, c->model, column);
  fputc('\n', out);
}

/* On one line, with ";" between them. */
static void put_reasons(FILE *out, const char *reasons) {
  sn_arena arena = {0};
  char *text = sn_format(&arena, "%s", reasons ? reasons : "");
  for (char *at = text; *at; ++at)
    if (*at == '\n') *at = at[1] ? ';' : 0;
  cli_put_csv_text(out, text);
  sn_arena_free(&arena);
}

static void put_csv(FILE *out, const void *data) {
  const comparison *c = data;
  fputs(
      "integrator,step,tolerance,error,energy_error,drift_position,drift_velocity,drift_acceleration,noise,steps,"
      "rejections,iterations,jacobians,cpu,work,status,reached,message,trust,reasons,energy_exchanged,local_error,"
      "angle_error,output_error,output\n",
      out);
  for (int i = 0; i < c->trials; ++i) {
    const cli_trial *trial = &c->trial[i];
    const sn_attempt_info *s = &trial->info;
    const char *quote = strchr(trial->info.integrator, ',') ? "\"" : "";
    fprintf(out, "%s%s%s,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%ld,%ld,%ld,%ld,%.6g,%.6g,%s,%.9g,", quote,
            trial->info.integrator, quote, trial->info.step, trial->info.step > 0 ? 0 : trial->info.tolerance,
            error_of(c, trial), energy_of(trial), drift_of(trial, 0), drift_of(trial, 1), drift_of(trial, 2),
            trial->info.noise, s->steps, rejections(trial), s->iterations, s->jacobians, trial->info.cpu,
            work_of(c, trial), trial->info.status ? "failed" : "done", trial->info.reached);
    cli_put_csv_text(out, trial->info.message);
    fprintf(out, ",%s,", trial->info.trust);
    put_reasons(out, trial->info.reasons);
    fprintf(out, ",%.9g,%.9g", trial->info.energy_ratio, s->local_error);
    put_outputs(out, c, trial);
  }
}

/* ---- picture: error against CPU time, a curve for each integrator ----
 * All curves share the array of times; each has gaps where the runs are those of others. */

static sn_status draw(comparison *c, const char *path) {
  if (!path) return SN_OK;
  const size_t count = (size_t)c->trials;
  double *times = SN_NEW(&c->arena, double, count + 1);
  sn_series x = {"CPU time", "s", count, times};
  sn_series *curves = SN_NEW(&c->arena, sn_series, c->integrators);
  const sn_series **list = SN_NEW(&c->arena, const sn_series *, c->integrators);
  int drawn = 0;
  for (size_t i = 0; i < count; ++i) times[i] = c->trial[i].info.cpu;
  for (int k = 0; k < c->integrators; ++k) {
    double *values = SN_NEW(&c->arena, double, count + 1);
    bool any = false;
    for (size_t i = 0; i < count; ++i) {
      const double error = error_of(c, &c->trial[i]);
      values[i] = (int)i / c->settings == k && error > 0 ? error : NAN;
      any = any || isfinite(values[i]);
    }
    curves[k] = (sn_series){c->integrator[k] ? c->integrator[k] : c->trial[0].info.integrator, "", count, values};
    if (any) list[drawn++] = &curves[k];
  }
  if (!drawn) {
    cli_error("no plot: no run has an error");
    return SN_NUMERICS;
  }
  const cli_axis axis = {.unit = "", .count = drawn, .series = list, .label = "relative error"};
  const cli_plot_job job = {.title = sn_model_title(c->model),
                            .x = &x,
                            .axis = &axis,
                            .axes = 1,
                            .path = path,
                            .log_x = true,
                            .log_y = true,
                            .marked = true};
  return cli_plot_picture(&job);
}

/* ---- the runs ---- */

/* METHOD:TOLERANCE, where METHOD may be {type: name, ...}; false after printing an error. */
static bool read_reference(comparison *c, const char *text, sn_options *options) {
  const char *colon = strrchr(text, ':');
  if (colon && text[0] == '{' && (colon == text || colon[-1] != '}')) colon = NULL; /* one of the settings */
  char *end = NULL;
  if (colon) options->tolerance = strtod(colon + 1, &end);
  if (!colon || end == colon + 1 || *end || !isfinite(options->tolerance) || options->tolerance <= 0) {
    cli_error("option '--reference' needs METHOD:TOLERANCE, such as radau:1e-9, not '%s'", text);
    return false;
  }
  options->integrator = sn_copy_text(&c->arena, text, (size_t)(colon - text));
  return cli_knows_integrator(options->integrator);
}

/* The requested reference; otherwise radau at 1e-9 or, where that fails, hht-i3 a hundred times tighter than the
 * tightest run. */
static sn_status run_reference(comparison *c) {
  const char *text = cli_value(c->arguments, "reference");
  sn_options options = {.until = c->until, .integrator = "radau", .tolerance = 1e-9};
  if (text && !read_reference(c, text, &options)) return SN_USAGE;
  const sn_attempt_options how = {.size = sizeof how, .cpu_limit = 10 * c->cpu_limit};
  cli_try(c->model, &options, &how, &c->reference);
  if (c->reference.info.too_slow) {
    cli_error("the reference run exceeded ten times the limit of CPU time, %g s", 10 * c->cpu_limit);
    return SN_NUMERICS;
  }
  if (c->reference.info.status == SN_NUMERICS && !text) {
    cli_error("the reference run with radau failed: %s; using hht-i3", c->reference.info.message);
    cli_trial_free(&c->reference);
    options.integrator = "hht-i3";
    options.tolerance = 1e-8;
    for (int i = 0; i < c->settings && !c->steps; ++i)
      if (c->setting[i] > 0) options.tolerance = fmin(options.tolerance, c->setting[i] / 100);
    cli_try(c->model, &options, NULL, &c->reference);
  }
  if (c->reference.info.status && c->reference.info.status != SN_NUMERICS)
    return cli_report(c->arguments->context, c->reference.info.status);
  if (c->reference.info.status)
    cli_error("both reference runs failed, so errors are not available: %s", c->reference.info.message);
  if (!c->reference.info.status && c->reference.info.rows == 0) {
    cli_error("%s has no dynamic analysis: nothing to compare", c->arguments->operand[0]);
    return SN_USAGE;
  }
  return SN_OK;
}

/* With a tighter setting a method takes longer: what exceeded the limit with a looser one is not tried again. */
static bool is_too_slow(const comparison *c, int i) {
  for (int k = i - i % c->settings; k < i; ++k)
    if (c->trial[k].info.too_slow && c->setting[k % c->settings] >= c->setting[i % c->settings]) return true;
  return false;
}

static sn_status run_trials(comparison *c) {
  const sn_attempt_options how = {.size = sizeof how, .cpu_limit = c->cpu_limit};
  c->trial = SN_NEW(&c->arena, cli_trial, c->integrators * c->settings);
  for (int i = 0; i < c->integrators * c->settings; ++i) {
    const double setting = c->setting[i % c->settings];
    const sn_options options = {.integrator = c->integrator[i / c->settings],
                                .until = c->until,
                                .step = c->steps ? setting : 0,
                                .tolerance = c->steps ? 0 : setting};
    cli_trial *trial = &c->trial[i];
    if (is_too_slow(c, i))
      trial->info = (sn_attempt_info){.integrator = options.integrator,
                                      .step = options.step,
                                      .tolerance = options.tolerance,
                                      .status = SN_NUMERICS,
                                      .message = "not run: a looser setting exceeded the limit of CPU time",
                                      .noise = NAN,
                                      .trust = "bad",
                                      .reasons = "",
                                      .too_slow = true};
    else
      cli_try(c->model, &options, &how, trial);
    if (trial->info.status == SN_INTERRUPTED) {
      cli_signal_was_heard();
      cli_trial_free(trial);
      cli_error("interrupted after %d of %d runs", c->trials, c->integrators * c->settings);
      return SN_INTERRUPTED;
    }
    ++c->trials;
    print_row(c, trial);
  }
  for (int i = 0; i < c->trials; ++i)
    if (!c->trial[i].info.status) return c->reference.info.status;
  return SN_NUMERICS;
}

static bool read_arguments(comparison *c) {
  c->steps = cli_given(c->arguments, "step");
  c->integrators = cli_words(c->arguments, "integrators", &c->arena, &c->integrator);
  for (int i = 0; i < c->integrators; ++i)
    if (!cli_knows_integrator(c->integrator[i])) return false;
  if (c->integrators == 0) c->integrators = 1; /* the model's own, as NULL says */
  if (!cli_one_setting(c->arguments)) return false;
  c->settings = cli_numbers(c->arguments, c->steps ? "step" : "tolerance", &c->arena, &c->setting);
  if (c->settings < 0) return false;
  if (c->settings == 0) c->settings = 1;
  return cli_number(c->arguments, "until", &c->until) && cli_number(c->arguments, "cpu-limit", &c->cpu_limit);
}

/* Reference, rows; then the completed rows are written to the files. */
static sn_status compare(comparison *c) {
  sn_status status = cli_load_model(c->arguments, NULL, &c->model);
  if (status) return status;
  cli_catch_signals(c->arguments->context);
  status = run_reference(c);
  if (status) return status;
  print_head(c);
  status = run_trials(c);
  printf(
      "\nerror: largest error of the point outputs, relative to the largest displacement of a point; energy: energy\n"
      "error, relative to the largest kinetic energy; position, velocity, accel.: constraint drift; noise: "
      "alternation\n"
      "of accelerations and multipliers from step to step; matrices: evaluations of the iteration matrix;\n"
      "work: CPU time relative to the first row; trust: verdict ('sinew describe trust')\n");
  const sn_status table = cli_write_table(cli_value(c->arguments, "output"), put_csv, c);
  const sn_status picture = c->trials ? draw(c, cli_value(c->arguments, "plot")) : SN_OK;
  return status ? status : table ? table : picture;
}

static sn_status run_compare(const cli_arguments *arguments) {
  comparison c = {.arguments = arguments, .reference = {.info = {.message = ""}}};
  const sn_status status = read_arguments(&c) ? compare(&c) : SN_USAGE;
  for (int i = 0; i < c.trials; ++i) cli_trial_free(&c.trial[i]);
  cli_trial_free(&c.reference);
  sn_model_free(c.model);
  sn_arena_free(&c.arena);
  return status;
}

static const cli_option compare_options[] = {
    {"integrators", 0, "A,B,...", .help = "integrators (default: that of the model)", .hint = CLI_INTEGRATOR},
    {"tolerance", 0, "E1,E2,...", .help = "adaptive steps with each of these tolerances"},
    {"step", 0, "H1,H2,...", .help = "each of these fixed steps [s]"},
    {"reference", 0, "METHOD:TOL",
     .help = "reference run for the errors (default: radau:1e-9); METHOD may have settings, such as {type: gam, "
             "order: 5}:1e-9"},
    {"cpu-limit", 0, "S",
     .help =
         "limit of CPU time for each run [s], ten times as much for the reference; tighter settings of a method that "
         "exceeds it are not run"},
    CLI_SET_OPTION,
    CLI_UNTIL_OPTION,
    {"output", 'o', "FILE.csv", .help = "also write the table to this file", .hint = CLI_FILE},
    {"plot", 0, "FILE", .help = "plot error against CPU time: .png, .svg or .pdf (needs gnuplot)", .hint = CLI_FILE},
    {0},
};

const cli_command cli_compare = {
    .name = "compare",
    .summary = "run a model with several methods and compare error, drift and cost",
    .usage = "MODEL",
    .fewest = 1,
    .most = 1,
    .hint = CLI_MODEL,
    .options = compare_options,
    .run = run_compare,
    .details =
        "Every integrator runs with every tolerance or step. A run that fails gives a row with the reason. The exit\n"
        "code is 3 if all runs or the reference run fail. Ctrl-C stops after the current step and keeps the completed\n"
        "rows. Errors are evaluated at the output times of the model.\n"
        "\nexamples:\n"
        "  sinew compare models/simple-pendulum.yaml --integrators hht-i3,radau5,gam --tolerance 1e-4,1e-6,1e-8\n"
        "  sinew compare models/pendulum.yaml --integrators newmark,hht-i3 --step 2e-3,1e-3 --plot work.png\n",
};
