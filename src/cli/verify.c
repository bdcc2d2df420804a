/* verify.c - sinew verify: repeat a run otherwise, and give every output an error bar and what it comes from. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"
#include "cli/runs.h"

typedef struct verification {
  const cli_arguments *arguments;
  sn_arena arena;
  sn_model *model;
  sn_options options;
  bool quiet;
  bool wanted[SN_SOURCES];
  cli_trial base, trial[SN_SOURCES];
  bool tried[SN_SOURCES];
  const char *what[SN_SOURCES]; /* how it was repeated, or why it was not */
} verification;

/* ---- the runs ---- */

typedef struct meter {
  cli_progress progress;
  int stage;
  bool quiet;
} meter;

static void show(void *user, const sn_simulation *simulation) {
  meter *m = user;
  sn_progress_info s = {.size = sizeof s};
  sn_simulation_progress(simulation, &s);
  if (m->stage != s.stage) {
    cli_progress_end(&m->progress);
    cli_progress_begin(&m->progress, s.begin, s.end, m->quiet);
    m->stage = s.stage;
  }
  if (s.quasi_static)
    cli_progress_load(&m->progress, s.load);
  else
    cli_progress_show(&m->progress, s.time, s.step);
}

/* False: it was interrupted. */
static bool run(verification *v, const sn_model *model, const sn_options *options, cli_trial *trial) {
  meter m = {.stage = -1, .quiet = v->quiet};
  const sn_attempt_options how = {.size = sizeof how, .still = 1, .progress = show, .user = &m};
  cli_try(model, options, &how, trial);
  cli_progress_end(&m.progress);
  return trial->info.status != SN_INTERRUPTED;
}

static sn_stage_info stage_at(const verification *v, size_t i) {
  sn_stage_info stage = {.size = sizeof stage, .kind = ""};
  sn_model_stage(v->model, i, &stage);
  return stage;
}

static const char *setting(verification *v, const cli_trial *trial) {
  const sn_attempt_info *t = &trial->info;
  if (!*t->integrator) return sn_model_stages(v->model) ? stage_at(v, 0).kind : "";
  return t->step > 0 ? sn_format(&v->arena, "%s, step %g s", t->integrator, t->step)
                     : sn_format(&v->arena, "%s, tolerance %g", t->integrator, t->tolerance);
}

static void print_run(const char *name, const char *what, const cli_trial *trial) {
  if (trial->info.status)
    printf("  %-8s  %s: failed at t = %g s: %s\n", name, what, trial->info.reached, trial->info.message);
  else
    printf("  %-8s  %s: %s, %.3g s of CPU\n", name, what, trial->info.trust, trial->info.cpu);
  fflush(stdout);
}

static bool moves(const verification *v) {
  const size_t stages = sn_model_stages(v->model);
  for (size_t i = 0; i < stages; ++i)
    if (stage_at(v, i).integrator) return true;
  return stages == 0;
}

/* Is there no stage in which time runs? */
static bool stands_still(const verification *v) {
  const size_t stages = sn_model_stages(v->model);
  for (size_t i = 0; i < stages; ++i)
    if (!stage_at(v, i).quasi_static) return false;
  return stages > 0;
}

/* Half the step, or a tenth of the tolerance. */
static bool repeat_in_time(verification *v) {
  cli_trial *trial = &v->trial[SN_FROM_TIME];
  if (!moves(v)) return v->what[SN_FROM_TIME] = "the model has no dynamic analysis", true;
  sn_options options = v->options;
  options.finer = v->base.info.step > 0 ? 2 : 10;
  v->tried[SN_FROM_TIME] = true;
  const bool whole = run(v, v->model, &options, trial);
  v->what[SN_FROM_TIME] = setting(v, trial);
  return whole;
}

/* Methods of other families, the best first: the base's own error shall be seen, not theirs. */
static bool repeat_by_method(verification *v) {
  static const char *const others[] = {"radau", "gam", "hht-i3"};
  cli_trial *trial = &v->trial[SN_FROM_METHOD];
  if (!moves(v)) return v->what[SN_FROM_METHOD] = "the model has no dynamic analysis", true;
  if (sn_model_has_impulses(v->model))
    return v->what[SN_FROM_METHOD] = "no other integrator supports contact by complementarity", true;
  const double tolerance = v->base.info.step > 0 ? 1e-7 : fmax(1e-10, v->base.info.tolerance / 10);
  for (size_t i = 0; i < SN_COUNT(others); ++i) {
    if (strstr(v->base.info.integrator, others[i])) continue;
    sn_options options = v->options;
    options.integrator = others[i];
    options.step = 0;
    options.tolerance = tolerance;
    if (v->tried[SN_FROM_METHOD]) cli_trial_free(trial);
    v->tried[SN_FROM_METHOD] = true;
    if (!run(v, v->model, &options, trial)) return false;
    v->what[SN_FROM_METHOD] = setting(v, trial);
    if (!trial->info.status) return true;
  }
  return true;
}

/* With the finer steps too, where these worked: what differs from those is the mesh alone. */
static bool repeat_on_finer_mesh(verification *v) {
  sn_options options = v->options;
  if (v->tried[SN_FROM_TIME] && !v->trial[SN_FROM_TIME].info.status) options.finer = v->base.info.step > 0 ? 2 : 10;
  int refined = 0;
  sn_model *model = NULL;
  const sn_status status = sn_model_refine(v->model, NULL, 2, &refined, &model);
  bool whole = true;
  if (status) {
    v->what[SN_FROM_MESH] =
        sn_format(&v->arena, "the mesh cannot be refined: %.*s", (int)strcspn(sn_message(v->arguments->context), "\n"),
                  sn_message(v->arguments->context));
  } else if (!refined) {
    v->what[SN_FROM_MESH] = "the model has no flexible bodies";
  } else {
    v->tried[SN_FROM_MESH] = true;
    whole = run(v, model, &options, &v->trial[SN_FROM_MESH]);
    v->what[SN_FROM_MESH] = sn_format(&v->arena, "twice the elements in %d bod%s", refined, refined > 1 ? "ies" : "y");
  }
  sn_model_free(model);
  return whole;
}

static sn_status run_all(verification *v) {
  static bool (*const repeat[SN_SOURCES])(verification *) = {repeat_in_time, repeat_by_method, repeat_on_finer_mesh};
  sn_status status = SN_OK;
  printf("%s\n", v->arguments->operand[0]);
  run(v, v->model, &v->options, &v->base);
  print_run("run", setting(v, &v->base), &v->base);
  if (v->base.info.status == SN_INTERRUPTED)
    return cli_error("interrupted before any comparison was possible"), SN_INTERRUPTED;
  if (v->base.info.status) return v->base.info.status;
  for (int k = 0; k < SN_SOURCES && !status; ++k) {
    if (!v->wanted[k])
      v->what[k] = "not requested";
    else if (!repeat[k](v))
      status = SN_INTERRUPTED;
    if (status) v->what[k] = v->what[k] ? v->what[k] : "interrupted";
    if (v->tried[k])
      print_run(sn_source_name((sn_source)k), v->what[k], &v->trial[k]);
    else
      printf("  %-8s  -: %s\n", sn_source_name((sn_source)k), v->what[k]);
  }
  if (status) cli_signal_was_heard();
  if (status) cli_error("interrupted: the table contains the completed runs only");
  return status;
}

/* ---- the table ---- */

/* What a repetition is compared with. */
static const cli_trial *partner(const verification *v, int source) {
  const bool finer = source == SN_FROM_MESH && v->tried[SN_FROM_TIME] && !v->trial[SN_FROM_TIME].info.status;
  return finer ? &v->trial[SN_FROM_TIME] : &v->base;
}

/* A column of an output, or a frequency behind the last of them. */
typedef struct line {
  const char *name, *unit;
  double range, swing, bar; /* swing: largest size of the column itself */
  sn_deviation d[SN_SOURCES];
  sn_source from;
} line;

static int line_count(const verification *v) {
  return (int)((v->base.info.rows ? v->base.info.columns : 0) + v->base.info.frequencies);
}

static void fill_bar(const verification *v, line *l) {
  double largest[SN_SOURCES];
  for (int k = 0; k < SN_SOURCES; ++k) largest[k] = l->d[k].largest;
  l->bar = sn_attempt_bar(v->base.attempt, largest, &l->from);
}

static line frequency_line(verification *v, int mode) {
  line l = {
      .name = sn_format(&v->arena, "mode.%d", mode + 1), .unit = "Hz", .range = fabs(v->base.info.frequency[mode])};
  if (!(l.range > 0)) l.range = 1;
  for (int k = 0; k < SN_SOURCES; ++k) {
    const bool known = v->tried[k] && (size_t)mode < v->trial[k].info.frequencies;
    const double d = known ? fabs(v->trial[k].info.frequency[mode] - v->base.info.frequency[mode]) : NAN;
    l.d[k] = (sn_deviation){d, d, NAN};
  }
  l.swing = l.range;
  fill_bar(v, &l);
  return l;
}

static line line_at(verification *v, int i) {
  const sn_attempt_info *base = &v->base.info;
  const int outputs = base->rows ? (int)base->columns : 0;
  if (i >= outputs) return frequency_line(v, i - outputs);
  const size_t column = (size_t)i;
  size_t first = 0;
  sn_output_info o = {0};
  for (size_t output = 0; !sn_model_output(v->model, output, &o) && column >= first + o.columns; ++output)
    first += o.columns;
  line l = {.name = sn_format(&v->arena, "%s.%s", o.name, o.column[column - first]),
            .unit = o.unit[column - first],
            .range = sn_attempt_range(v->model, v->base.attempt, column)};
  for (size_t row = 0; row < base->rows; ++row)
    l.swing = fmax(l.swing, fabs(base->output[row * base->columns + column]));
  for (int k = 0; k < SN_SOURCES; ++k)
    l.d[k] = v->tried[k] ? sn_attempt_deviation(partner(v, k)->attempt, v->trial[k].attempt, column, l.range)
                         : (sn_deviation){NAN, NAN, NAN};
  fill_bar(v, &l);
  return l;
}

/* Rates of a body in a model that stands still, and what is 0 in all runs, would only be in the way. */
static bool is_told(const verification *v, const line *l) {
  double most = 0;
  for (int k = 0; k < SN_SOURCES; ++k)
    if (v->tried[k]) most = fmax(most, l->d[k].largest);
  return (!stands_still(v) || !strstr(l->unit, "/s")) && (l->swing > 0 || most > 0);
}

static void print_line(const line *l) {
  char text[8][32], bar[48] = "-";
  if (isfinite(l->bar)) snprintf(bar, sizeof bar, "+-%.2g %s", l->bar, l->unit);
  printf(
      "%-20s %9s %-6s  %9s %9s %9s  %9s  %-16s %s\n", l->name, cli_figure(text[0], 3, l->range), l->unit,
      cli_figure(text[1], 2, l->d[SN_FROM_TIME].largest / l->range),
      cli_figure(text[2], 2, l->d[SN_FROM_METHOD].largest / l->range),
      cli_figure(text[3], 2, l->d[SN_FROM_MESH].largest / l->range),
      cli_figure(text[4], 2,
                 fmax(fmax(l->d[SN_FROM_TIME].final, l->d[SN_FROM_METHOD].final), l->d[SN_FROM_MESH].final) / l->range),
      bar, isfinite(l->bar) ? (l->bar > 0 ? sn_source_name(l->from) : "-") : "no repetition");
}

/* Runs that diverge: an error bar is meaningless there; the time until which they agree is reported instead. */
static void print_parting(verification *v) {
  bool any = false;
  for (int i = 0; i < line_count(v); ++i) {
    const line l = line_at(v, i);
    int first = -1;
    for (int k = 0; k < SN_SOURCES; ++k)
      if (isfinite(l.d[k].agree) && (first < 0 || l.d[k].agree < l.d[first].agree)) first = k;
    if (first < 0 || !is_told(v, &l)) continue;
    if (!any)
      printf("\nThese outputs differ by more than a tenth of their range. Do not use them beyond the given time.\n");
    printf("  %-20s agrees until t = %.4g s (%s)\n", l.name, l.d[first].agree, sn_source_name((sn_source)first));
    any = true;
  }
  if (any) printf("Differences that grow like this indicate chaotic motion or a mesh that is far too coarse.\n");
}

static void print_table(verification *v) {
  printf("\n%-20s %9s %-6s  %9s %9s %9s  %9s  %-16s %s\n", "output", "range", "", "time", "method", "mesh", "at end",
         "error bar", "dominated by");
  int hidden = 0;
  for (int i = 0; i < line_count(v); ++i) {
    const line l = line_at(v, i);
    if (is_told(v, &l))
      print_line(&l);
    else
      ++hidden;
  }
  if (hidden) printf("(%d more outputs are constant in all runs)\n", hidden);
  print_parting(v);
  printf(
      "\ntime, method, mesh: largest difference from the run with finer steps, with another integrator, on a finer\n"
      "mesh, relative to the range; at end: largest of these at the last time; error bar: estimated error\n");
}

static void put_csv(FILE *out, const void *data) {
  verification *v = (verification *)(uintptr_t)data;
  fputs("output,unit,range", out);
  for (int k = 0; k < SN_SOURCES; ++k)
    fprintf(out, ",%s,%s_final,%s_agree", sn_source_name((sn_source)k), sn_source_name((sn_source)k),
            sn_source_name((sn_source)k));
  fputs(",error_bar,from\n", out);
  for (int i = 0; i < line_count(v); ++i) {
    const line l = line_at(v, i);
    fprintf(out, "%s,%s,%.9g", l.name, l.unit, l.range);
    for (int k = 0; k < SN_SOURCES; ++k) fprintf(out, ",%.9g,%.9g,%.9g", l.d[k].largest, l.d[k].final, l.d[k].agree);
    fprintf(out, ",%.9g,%s\n", l.bar, isfinite(l.bar) ? sn_source_name(l.from) : "");
  }
}

static void put_number(FILE *out, const char *name, double value) {
  if (isfinite(value))
    fprintf(out, ", \"%s\": %.9g", name, value);
  else
    fprintf(out, ", \"%s\": null", name);
}

static void put_json(FILE *out, const void *data) {
  verification *v = (verification *)(uintptr_t)data;
  fputs("{\"outputs\": [", out);
  for (int i = 0; i < line_count(v); ++i) {
    const line l = line_at(v, i);
    fprintf(out, "%s\n  {\"name\": \"%s\", \"unit\": \"%s\"", i ? "," : "", l.name, l.unit);
    put_number(out, "range", l.range);
    put_number(out, "error_bar", l.bar);
    fprintf(out, ", \"from\": \"%s\"", isfinite(l.bar) ? sn_source_name(l.from) : "");
    for (int k = 0; k < SN_SOURCES; ++k) {
      fprintf(out, ", \"%s\": {\"unit\": \"%s\"", sn_source_name((sn_source)k), l.unit);
      put_number(out, "largest", l.d[k].largest);
      put_number(out, "final", l.d[k].final);
      put_number(out, "agree", l.d[k].agree);
      fputc('}', out);
    }
    fputc('}', out);
  }
  fputs("\n]}\n", out);
}

/* ---- around it ---- */

static bool read_parts(verification *v) {
  const char **words;
  const int count = cli_words(v->arguments, "parts", &v->arena, &words);
  for (int k = 0; k < SN_SOURCES; ++k) v->wanted[k] = count == 0;
  for (int i = 0; i < count; ++i) {
    int k = 0;
    while (k < SN_SOURCES && strcmp(words[i], sn_source_name((sn_source)k))) ++k;
    if (k == SN_SOURCES) {
      cli_error("option '--parts' accepts time, method and mesh, not '%s'", words[i]);
      return false;
    }
    v->wanted[k] = true;
  }
  return true;
}

static bool read_arguments(verification *v) {
  v->quiet = cli_given(v->arguments, "quiet");
  return read_parts(v) && cli_run_options(v->arguments, &v->options);
}

static sn_status verify(verification *v, const char *path) {
  sn_status status = cli_load_model(v->arguments, NULL, &v->model);
  if (status) return status;
  cli_catch_signals(v->arguments->context);
  status = run_all(v);
  if (v->base.info.status) {
    if (v->base.info.status == SN_USAGE) cli_error("%s", v->base.info.message);
    return v->base.info.status;
  }
  if (line_count(v) == 0) {
    cli_error("%s has no outputs to verify; list some under 'outputs'", v->arguments->operand[0]);
    return SN_USAGE;
  }
  print_table(v);
  const size_t length = path ? strlen(path) : 0;
  const bool json = length > 5 && !strcmp(path + length - 5, ".json");
  const sn_status table = cli_write_table(path, json ? put_json : put_csv, v);
  int repeated = 0, failed = 0;
  for (int k = 0; k < SN_SOURCES; ++k) repeated += v->tried[k], failed += v->tried[k] && v->trial[k].info.status;
  if (!status && repeated && failed == repeated) status = SN_NUMERICS;
  return status ? status : table;
}

sn_status cli_verify_model(const cli_arguments *arguments, const char *path) {
  verification v = {.arguments = arguments, .base = {.info = {.message = ""}}};
  const sn_status status = read_arguments(&v) ? verify(&v, path) : SN_USAGE;
  cli_trial_free(&v.base);
  for (int k = 0; k < SN_SOURCES; ++k) cli_trial_free(&v.trial[k]);
  sn_model_free(v.model);
  sn_arena_free(&v.arena);
  return status;
}

static sn_status run_verify(const cli_arguments *arguments) {
  return cli_verify_model(arguments, cli_value(arguments, "output"));
}

static const cli_option verify_options[] = {
    {"parts", 0, "A,B,...", .help = "repetitions: any of time, method, mesh (default: all)", .hint = CLI_CHOICE,
     .choices = "time|method|mesh"},
    CLI_RUN_OPTIONS,
    {"output", 'o', "FILE", .help = "also write the table to this file: .csv or .json", .hint = CLI_FILE},
    {"quiet", 'q', NULL, .help = "no progress"},
    {0},
};

const cli_command cli_verify = {
    .name = "verify",
    .summary = "estimate error bars of outputs: finer steps, another integrator, a finer mesh",
    .usage = "MODEL",
    .fewest = 1,
    .most = 1,
    .hint = CLI_MODEL,
    .options = verify_options,
    .run = run_verify,
    .details =
        "Runs the model unchanged, with half the step (or a tenth of the tolerance), with another integrator (radau,\n"
        "gam or hht-i3), and with twice the elements in every flexible body. The table lists the largest differences "
        "of\n"
        "each output and an error bar: that of the mesh plus the larger of those of time and method. Outputs that\n"
        "differ by more than a tenth of their range are listed with the time until which they agree. Ctrl-C stops "
        "after\n"
        "the current step and reports what is known. The exit code is 3 if the run or all repetitions fail.\n"
        "\nexamples:\n"
        "  sinew verify models/pendulum.yaml\n"
        "  sinew verify models/pendulum.yaml --tolerance 1e-6 --parts time,mesh -o bars.csv\n",
};
