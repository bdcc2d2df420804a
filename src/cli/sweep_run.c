/* sweep_run.c - sinew sweep: the engine that the options ask for, its progress and its remarks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/progress.h"
#include "cli/sweep.h"

typedef struct showing {
  cli_sweep_progress progress;
  bool begun, quiet, silent; /* silent: no remarks either */
  int count;
} showing;

static void show(void *user, int finished, int failed, int running) {
  showing *s = user;
  if (!s->begun) cli_sweep_progress_begin(&s->progress, s->count, finished, s->quiet);
  s->begun = true;
  cli_sweep_progress_show(&s->progress, finished, failed, running);
}

static void say(void *user, const char *text) {
  const showing *s = user;
  if (!s->silent) fprintf(stderr, "%ssinew: %s\n", s->begun && s->progress.terminal ? "\r\033[K" : "", text);
}

/* ---- options ---- */

/* FROM:TO, from 1, both included. */
static bool read_part(const cli_arguments *arguments, int count, sn_cases_options *job) {
  const char *given = cli_value(arguments, "cases");
  if (!given) return true;
  char *end;
  const long from = strtol(given, &end, 10), to = *end == ':' && end != given ? strtol(end + 1, &end, 10) : 0;
  if (*end || from < 1 || to < from || to > count) {
    cli_error("option '--cases' needs FROM:TO from 1:1 to %d:%d, not '%s'", count, count, given);
    return false;
  }
  job->first = (size_t)from - 1;
  job->last = (size_t)to;
  return true;
}

/* ---- Slurm ---- */

static bool is_of_slurm(const char *option) {
  static const char *const names[] = {"slurm", "sbatch", "chunk", "no-wait", "resume",
                                      "jobs",  "output", "quiet", "cases"};
  for (size_t i = 0; i < SN_COUNT(names); ++i)
    if (!strcmp(names[i], option)) return true;
  return false;
}

/* This command for a task of the job, without what the engine adds. */
static const char *const *repeat_command(const cli_arguments *arguments, sn_arena *arena) {
  const char **words = SN_NEW(arena, const char *, arguments->values + 5);
  char program[4096];
  int count = 0;
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  words[count++] = length > 0 ? sn_copy_text(arena, program, (size_t)length) : "sinew";
  words[count++] = "sweep";
  words[count++] = arguments->operand[0];
  for (int i = 0; i < arguments->values; ++i) {
    const cli_option *option = arguments->value[i].option;
    if (is_of_slurm(option->name)) continue;
    words[count++] = option->argument ? sn_format(arena, "--%s=%s", option->name, arguments->value[i].value)
                                      : sn_format(arena, "--%s", option->name);
  }
  return words;
}

static const char *const *sbatch_options(const cli_arguments *arguments, sn_arena *arena) {
  size_t count = 0;
  const char **given = cli_values(arguments, "sbatch", &count);
  const char **words = SN_NEW(arena, const char *, count + 1);
  for (size_t i = 0; i < count; ++i) words[i] = given[i];
  sn_free(given);
  return words;
}

static bool read_slurm(const cli_arguments *arguments, const sn_cases_info *info, sn_arena *arena,
                       sn_cases_options *job) {
  static const char *const only[] = {"sbatch", "chunk", "no-wait"};
  const bool slurm = cli_given(arguments, "slurm");
  for (size_t i = 0; i < SN_COUNT(only); ++i)
    if (cli_given(arguments, only[i]) && !slurm) return cli_error("--%s needs --slurm", only[i]), false;
  if (!slurm) return true;
  if (cli_given(arguments, "cases")) return cli_error("--cases and --slurm exclude each other"), false;
  if (info->mpirun) return cli_error("--slurm and mpirun exclude each other"), false;
  if (!cli_whole(arguments, "chunk", 1, CLI_MOST, &job->chunk)) return false;
  job->slurm = 1;
  job->command = repeat_command(arguments, arena);
  job->sbatch = sbatch_options(arguments, arena);
  job->no_wait = cli_given(arguments, "no-wait");
  return true;
}

/* ---- the run ---- */

sn_status cli_sweep_run(const cli_arguments *arguments, sn_cases *cases, bool quiet, bool *complete) {
  sn_arena arena = {0};
  sn_cases_info info = {.size = sizeof info};
  sn_cases_about(cases, &info);
  const int count = (int)info.count;
  showing shown = {.count = count, .quiet = quiet || info.rank > 0, .silent = quiet};
  sn_cases_options job = {.size = sizeof job, .show = show, .say = say, .user = &shown};
  if (!cli_whole(arguments, "jobs", 1, SN_THREADS_LIMIT, &job.jobs) || !read_part(arguments, count, &job) ||
      !read_slurm(arguments, &info, &arena, &job)) {
    sn_arena_free(&arena);
    return SN_USAGE;
  }
  if (info.ranks > 1 && !info.connected && info.rank == 0) {
    char text[400];
    snprintf(text, sizeof text, "there is no MPI module (%s): the ranks share the folder %s",
             info.missing[0] ? info.missing : "sinew_mpi.so was not found", info.folder);
    say(&shown, text);
  }
  const sn_status status = sn_cases_run(cases, &job);
  sn_cases_about(cases, &info);
  if (status == SN_INTERRUPTED) cli_signal_was_heard();
  if (shown.begun) cli_sweep_progress_end(&shown.progress, (int)info.finished, (int)info.failed);
  if (status == SN_INTERRUPTED && info.rank == 0)
    cli_error("interrupted after %zu of %d cases; repeat the command to resume", info.finished, count);
  *complete = info.finished == info.count && !cli_given(arguments, "cases");
  sn_arena_free(&arena);
  return status;
}
