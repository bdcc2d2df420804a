/* sweep.c - sinew sweep: many cases of one model, one table. */
#include "cli/sweep.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct sweep {
  const cli_arguments *arguments;
  sn_context *context;
  sn_arena arena;
  sn_cases *cases;
  sn_cases_info info;
  bool quiet;
} sweep;

/* Ranks that mpirun started say the same: one voice is enough. */
static sn_status report(const sweep *s, sn_status status) {
  return s->info.rank == 0 ? cli_report(s->context, status) : status;
}

/* ---- the study ---- */

/* Options that say what a study file says are for models. */
static bool options_fit(const sweep *s) {
  static const char *const of_models[] = {"measure", "plot", "sample", "seed", "cpu-limit", "keep"};
  if (cli_given(s->arguments, "vary")) return true;
  for (size_t i = 0; i < SN_COUNT(of_models); ++i) {
    if (!cli_given(s->arguments, of_models[i])) continue;
    cli_error("--%s needs --vary; in a study file, set it there", of_models[i]);
    return false;
  }
  return true;
}

static sn_status read_study_file(sweep *s, const char *path) {
  size_t length = 0;
  char *text = sn_read_file(path, SN_LARGEST_TEXT, &length);
  if (!text) return report(s, cli_fail(s->context, SN_IO, "cannot read %s: %s", path, strerror(errno)));
  const sn_status status = sn_cases_read(s->cases, path, text, length);
  sn_free(text);
  return status ? report(s, status) : SN_OK;
}

static sn_status read_options(sweep *s) {
  char *text = cli_sweep_text(s->arguments);
  if (!text) return SN_USAGE;
  const sn_status status = sn_cases_read(s->cases, "command line", text, strlen(text));
  sn_free(text);
  return status ? report(s, status) : SN_OK;
}

/* --set and --until come on top of what the study says. */
static sn_status add_options(sweep *s) {
  size_t count = 0;
  double until = 0;
  if (!cli_number(s->arguments, "until", &until)) return SN_USAGE;
  const char **given = cli_values(s->arguments, "set", &count);
  const sn_status status = sn_cases_set(s->cases, given, count, until);
  sn_free(given);
  return status ? report(s, status) : SN_OK;
}

/* models/pendulum.yaml is swept in pendulum.sweep in the current directory. */
static const char *folder_of(sweep *s) {
  const char *given = cli_value(s->arguments, "output"), *path = s->arguments->operand[0];
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  if (given) return given;
  return sn_format(&s->arena, "%.*s.sweep", dot && dot > name ? (int)(dot - name) : (int)strlen(name), name);
}

/* ---- the command ---- */

static void list_cases(const sweep *s) {
  for (size_t i = 0; i < s->info.count; ++i) {
    printf("%zu", i + 1);
    for (size_t k = 0; k < s->info.variations; ++k)
      printf("  %s=%s", sn_cases_variation(s->cases, k), sn_cases_value(s->cases, i, k));
    printf("%s\n", sn_cases_finished(s->cases, i) ? "  (done)" : "");
  }
}

static sn_status finish(sweep *s) {
  sn_status status = sn_cases_tabulate(s->cases);
  if (status) return report(s, status);
  if (!s->quiet) cli_sweep_print(s->cases);
  status = cli_sweep_plot(s->cases, s->quiet);
  if (status) return status;
  sn_column_info outcome;
  cli_sweep_column(s->cases, "status", &outcome);
  for (size_t i = 0; i < outcome.rows; ++i)
    if (!strcmp(outcome.text[i], "done")) return SN_OK;
  return SN_NUMERICS;
}

/* The study, the model, the cases: all that a rank may fail to have. */
static sn_status open_cases(sweep *s) {
  if (!options_fit(s)) return SN_USAGE;
  const bool vary = cli_given(s->arguments, "vary");
  sn_status status = vary ? read_options(s) : read_study_file(s, s->arguments->operand[0]);
  if (!status) status = add_options(s);
  if (status) return status;
  const char *folder = folder_of(s);
  if (cli_given(s->arguments, "resume") && s->info.rank == 0 && access(folder, F_OK))
    return report(s, cli_fail(s->context, SN_IO, "there is nothing to resume: no folder %s", folder));
  status = sn_cases_open(s->cases, folder);
  sn_cases_about(s->cases, &s->info);
  return status ? report(s, status) : SN_OK;
}

/* One rank that cannot begin ends all of them; it says why. */
static sn_status agree(sweep *s, sn_status status) {
  int rank;
  const sn_status worst = sn_cases_agree(s->cases, status, &rank);
  if (worst && rank > 0 && rank == s->info.rank && s->info.connected) {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    cli_error("rank %d on %s cannot begin:", rank, host);
    cli_report(s->context, status);
  }
  return worst;
}

static sn_status sweep_all(sweep *s) {
  sn_status status = agree(s, open_cases(s));
  if (status) return status;
  if (cli_given(s->arguments, "list")) {
    if (s->info.rank == 0) list_cases(s);
    return SN_OK;
  }
  bool complete = false;
  cli_catch_signals(s->context);
  status = cli_sweep_run(s->arguments, s->cases, s->quiet, &complete);
  if (status) return status == SN_INTERRUPTED || status == SN_USAGE ? status : report(s, status);
  return complete && s->info.rank == 0 ? finish(s) : SN_OK;
}

static sn_status run_sweep(const cli_arguments *arguments) {
  sweep s = {.arguments = arguments,
             .context = arguments->context,
             .info = {.size = sizeof s.info},
             .quiet = cli_given(arguments, "quiet")};
  sn_status status = sn_cases_create(s.context, &s.cases);
  if (s.cases) sn_cases_about(s.cases, &s.info);
  status = status ? report(&s, status) : sweep_all(&s);
  sn_arena_free(&s.arena);
  sn_cases_free(s.cases, status == SN_INTERRUPTED ? -1 : (int)status);
  return status;
}

static const cli_option sweep_options[] = {
    {"vary", 0, "NAME=VALUES", .help = "parameter to vary and its values: A,B,C or FROM:TO:COUNT or FROM:TO:logCOUNT",
     .repeats = true},
    {"sample", 0, "KIND[:COUNT]", .help = "grid (default), list, random:COUNT or latin-hypercube:COUNT"},
    {"seed", 0, "N", .help = "seed of random and latin-hypercube samples (default 1)"},
    {"measure", 0, "[NAME=]KIND[:SERIES]", .help = "column of the table, such as steps or top=maximum:tip.y",
     .repeats = true},
    {"plot", 0, "Y:X[:CURVES]", .help = "plot one column against another (needs gnuplot)", .repeats = true},
    {"keep", 0, NULL, .help = "keep the result file of every case"},
    {"cpu-limit", 0, "S", .help = "limit of CPU time for each case [s]"},
    {"set", 0, "NAME=VALUE", .help = "override a parameter of the model in all cases", .repeats = true},
    CLI_UNTIL_OPTION,
    {"output", 'o', "FOLDER",
     .help = "output folder (default: name of the study with .sweep, in the current directory)", .hint = CLI_FILE},
    {"jobs", 'j', "N",
     .help = "cases run in parallel, on one thread each (default: number of processors this process may use; 1 per "
             "rank under mpirun)"},
    {"cases", 0, "FROM:TO", .help = "run these cases only, by their numbers; no table is written"},
    {"resume", 0, NULL, .help = "continue a sweep: its folder must exist"},
    {"slurm", 0, NULL, .help = "run the cases as a job array of Slurm, and wait for it"},
    {"sbatch", 0, "OPTION", .help = "option for sbatch, such as --sbatch=--partition=short", .repeats = true},
    {"chunk", 0, "N", .help = "cases of a task of the job array (default: 1/100 of them)"},
    {"no-wait", 0, NULL, .help = "submit the job and return; --resume waits for it and writes the table"},
    {"list", 0, NULL, .help = "list the cases without running them"},
    {"quiet", 'q', NULL, .help = "print errors only"},
    {0},
};

const cli_command cli_sweep = {
    .name = "sweep",
    .summary = "run many cases of a model in parallel and tabulate measures",
    .usage = "STUDY|MODEL",
    .fewest = 1,
    .most = 1,
    .hint = CLI_MODEL,
    .options = sweep_options,
    .run = run_sweep,
    .details =
        "A study file gives the model, the varied parameters, the sampling, the measures and the plots. --vary and\n"
        "the related options do the same for a model. Parameters, integrator, integrator.FIELD, step, tolerance and\n"
        "until can be varied. 'sinew describe' lists the kinds of samples and measures.\n"
        "Cases run in processes of their own. A case that fails or crashes gives a row with the reason. The same\n"
        "command resumes a sweep that was interrupted or killed. The exit code is 3 if all cases fail.\n"
        "Under mpirun the ranks draw cases from one queue and send their outcomes to rank 0, the only one that needs\n"
        "the folder. With --slurm the machines share the folder. The table is the same in any case.\n"
        "\nexamples:\n"
        "  sinew sweep models/pendulum.yaml --vary E=2e5:2e11:log7 --vary integrator=hht-i3,adams\n"
        "  sinew sweep models/pendulum.yaml --vary step=1e-3,1e-4 --measure top=maximum:tip.y --plot cpu:step\n"
        "  mpirun -n 8 sinew sweep study.yaml\n"
        "  sinew sweep study.yaml --slurm --sbatch=--partition=short --sbatch=--time=30\n",
};
