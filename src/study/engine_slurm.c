/* engine_slurm.c - the cases of a study as a job array of Slurm.
 *
 * A task of the array runs a chunk of the cases by the same program, `sinew sweep ... --cases FROM:TO`, on the folder of
 * the study, which the machines share. This process submits the job and watches the folder. Nothing is lost when it
 * ends: the job goes on, and the same command finds the job, or what is missing, by the folder.
 *
 *   FOLDER/slurm/job.sh      the script of a task
 *   FOLDER/slurm/job         number of the job
 *   FOLDER/slurm/A_T.log     what task T of job A says
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "study/command.h"
#include "study/engine.h"

enum { usual_tasks = 100, text_size = 4096 };
static const double answer_time = 60;    /* [s] for a command of Slurm */
static const double asking_interval = 2; /* [s] between questions to the scheduler */
static const double patience = 120;      /* [s] without an answer of the scheduler */
static const double settle_time = 2;     /* [s] for files of other machines to be seen here, after the end of the job */

typedef struct slurm {
  sn_engine_job *job;
  sn_arena arena;
  unsigned char *done; /* [cases] */
  int chunk, left;     /* left: wanted cases that have not finished */
  char number[32];     /* of the job */
} slurm;

static sn_context *context_of(const slurm *s) {
  return s->job->cases->context;
}

static void say(const slurm *s, const char *text) {
  s->job->say(s->job->user, text);
}

/* ---- the script ---- */

/* A word for the shell. */
static void put_word(FILE *out, const char *word) {
  fputc('\'', out);
  for (; *word; ++word) {
    if (*word == '\'')
      fputs("'\\''", out);
    else
      fputc(*word, out);
  }
  fputs("' ", out);
}

static void put_script(const slurm *s, FILE *out) {
  const sn_engine_job *job = s->job;
  fprintf(out,
          "#!/bin/sh\n"
          "# A task of a sweep: a chunk of %d of its cases. Written by sinew sweep --slurm.\n"
          "unset OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK\n"
          "first=$((SLURM_ARRAY_TASK_ID * %d + 1))\n"
          "last=$((first + %d - 1))\n"
          "[ $last -le %d ] || last=%d\n"
          "exec ",
          s->chunk, s->chunk, s->chunk, job->last, job->last);
  for (const char *const *word = job->slurm.command; *word; ++word) put_word(out, *word);
  fputs("--output ", out);
  put_word(out, job->cases->folder);
  fputs("--cases \"$first:$last\" --jobs \"${SLURM_CPUS_PER_TASK:-1}\" --quiet\n", out);
}

static sn_status write_text(const slurm *s, const char *path, void (*put)(const slurm *s, FILE *out)) {
  sn_whole_file file;
  if (sn_whole_file_open(&file, path)) {
    put(s, file.out);
    if (sn_whole_file_close(&file, !fflush(file.out))) return SN_OK;
  }
  return sn_fail(context_of(s), SN_IO, "cannot write %s: %s", path, strerror(errno));
}

static void put_number(const slurm *s, FILE *out) {
  fprintf(out, "%s\n", s->number);
}

/* ---- submission ---- */

/* The chunks that have open cases: "0-3,7,9-12". */
static char *list_chunks(slurm *s) {
  const sn_engine_job *job = s->job;
  const int chunks = (job->last + s->chunk - 1) / s->chunk;
  char *text = SN_NEW(&s->arena, char, 16 * (size_t)chunks + 16), *at = text;
  int from = -1;
  for (int k = 0; k <= chunks; ++k) {
    bool open = false;
    for (int i = k * s->chunk; i < (k + 1) * s->chunk && i < job->last && !open; ++i)
      open = i >= job->first && !s->done[i];
    if (open && from < 0) from = k;
    if (open || from < 0) continue;
    at += sprintf(at, from == k - 1 ? "%s%d" : "%s%d-%d", at > text ? "," : "", from, k - 1);
    from = -1;
  }
  return text;
}

static sn_status explain(const slurm *s, int code, const char *program, const char *text) {
  if (code == SN_COMMAND_MISSING)
    return sn_fail(context_of(s), SN_IO, "cannot start %s: %s; --slurm needs the commands of Slurm on this machine",
                   program, strerror(errno));
  if (code == SN_COMMAND_SILENT)
    return sn_fail(context_of(s), SN_IO, "%s did not answer within %g s: is the scheduler (slurmctld) running?",
                   program, answer_time);
  return sn_fail(context_of(s), SN_IO, "%s failed with exit code %d: %.*s", program, code, (int)strcspn(text, "\n"),
                 text);
}

static sn_status submit(slurm *s) {
  const sn_engine_job *job = s->job;
  const char *folder = job->cases->folder, *script = sn_format(&s->arena, "%s/slurm/job.sh", folder);
  int options = 0, count = 0;
  char text[text_size], *end;
  while (job->slurm.option[options]) ++options;
  sn_status status = write_text(s, script, put_script);
  if (status) return status;
  const char **words = SN_NEW(&s->arena, const char *, options + 10);
  words[count++] = "sbatch";
  words[count++] = "--parsable";
  words[count++] = "--job-name=sinew";
  words[count++] = sn_format(&s->arena, "--output=%s/slurm/%%A_%%a.log", folder);
  words[count++] = "--open-mode=append";
  words[count++] = sn_format(&s->arena, "--array=%s", list_chunks(s));
  for (int i = 0; i < options; ++i) words[count++] = job->slurm.option[i];
  words[count++] = script;
  const int code = sn_command_run(words, answer_time, text, sizeof text);
  if (code) return explain(s, code, "sbatch", text);
  const long number = strtol(text, &end, 10); /* "123" or "123;cluster" */
  if (number <= 0) return sn_fail(context_of(s), SN_IO, "sbatch did not give the number of the job, but: %.80s", text);
  snprintf(s->number, sizeof s->number, "%ld", number);
  return write_text(s, sn_format(&s->arena, "%s/slurm/job", folder), put_number);
}

/* ---- the job ---- */

typedef enum presence { THERE, GONE, UNKNOWN } presence;

/* Has the job tasks that wait or run? */
static presence ask(const slurm *s, char *text, size_t size) {
  const char *const words[] = {"squeue", "--noheader", "--jobs", s->number, "--format=%T", NULL};
  const int code = sn_command_run(words, answer_time, text, size);
  if (code == 0) {
    for (const char *c = text; *c; ++c)
      if (isalpha((unsigned char)*c)) return THERE;
    return GONE;
  }
  if (code == SN_COMMAND_MISSING) snprintf(text, size, "cannot start squeue: %s", strerror(errno));
  if (code == SN_COMMAND_SILENT) snprintf(text, size, "squeue did not answer within %g s", answer_time);
  return code > 0 && strstr(text, "Invalid job id") ? GONE : UNKNOWN;
}

/* A job of an earlier command that has not ended. */
static bool find_job(slurm *s) {
  char path[4096], text[text_size];
  size_t length = 0;
  snprintf(path, sizeof path, "%s/slurm/job", s->job->cases->folder);
  char *number = sn_read_file(path, sizeof s->number - 1, &length);
  if (!number) return false;
  snprintf(s->number, sizeof s->number, "%.*s", (int)strspn(number, "0123456789"), number);
  sn_free(number);
  return s->number[0] && ask(s, text, sizeof text) == THERE;
}

static void look(slurm *s) {
  sn_engine_job *job = s->job;
  sn_logs_read(job->cases->logs);
  for (int i = job->first; i < job->last; ++i) {
    if (s->done[i]) continue;
    sn_arena arena = {0};
    sn_outcome o;
    if (sn_case_read(job->cases, i, &arena, &o)) {
      s->done[i] = 1;
      --s->left;
      ++job->finished;
      job->failed += o.status[0] != 'd';
    }
    sn_arena_free(&arena);
  }
}

/* The job goes on: the folder has what is needed to find it. */
static sn_status leave(const slurm *s, sn_status status, const char *why) {
  return sn_fail(context_of(s), status,
                 "%s; job %s goes on (scancel %s ends it), and the same command with --resume waits for it", why,
                 s->number, s->number);
}

/* Until all cases have finished, or the job has ended. */
static sn_status watch(slurm *s) {
  sn_engine_job *job = s->job;
  char text[text_size];
  double now = sn_wall_time(), asked = now, answered = now, gone = 0, pause = 0.05;
  while (s->left > 0) {
    const struct timespec time = {pause >= 1 ? 1 : 0, pause >= 1 ? 0 : (long)(1e9 * pause)};
    nanosleep(&time, NULL);
    pause = pause < 1 ? 1.2 * pause : 1;
    look(s);
    job->show(job->user, job->finished, job->failed, 0);
    if (context_of(s)->interrupted) {
      snprintf(text, sizeof text, "interrupted; job %s goes on (scancel %s ends it)", s->number, s->number);
      say(s, text);
      return SN_INTERRUPTED;
    }
    now = sn_wall_time();
    if (gone > 0 && now - gone > settle_time) break;
    if (gone > 0 || now - asked < asking_interval) continue;
    const presence there = ask(s, text, sizeof text);
    asked = sn_wall_time();
    if (there != UNKNOWN) answered = asked;
    if (there == GONE) gone = asked;
    if (asked - answered > patience)
      return leave(s, SN_IO,
                   sn_format(&s->arena, "the scheduler does not answer: %.*s", (int)strcspn(text, "\n"), text));
  }
  return SN_OK;
}

/* ---- the engine ---- */

static sn_status submit_and_watch(slurm *s) {
  sn_engine_job *job = s->job;
  if (mkdir(sn_format(&s->arena, "%s/slurm", job->cases->folder), 0777) && errno != EEXIST)
    return sn_fail(context_of(s), SN_IO, "cannot create the folder %s/slurm: %s", job->cases->folder, strerror(errno));
  sn_status status = SN_OK;
  if (find_job(s)) {
    say(s, sn_format(&s->arena, "job %s is still in the queue: waiting for its cases", s->number));
    if (job->slurm.wait) status = watch(s);
    if (status || s->left == 0 || !job->slurm.wait) return status;
  }
  status = submit(s);
  if (!status) say(s, sn_format(&s->arena, "submitted as job %s", s->number));
  if (!status && job->slurm.wait) status = watch(s);
  if (status || s->left == 0 || !job->slurm.wait) return status;
  return sn_fail(
      context_of(s), SN_IO,
      "job %s has ended, and %d of %d cases have not finished; %s/slurm/*.log may say why\n  possible remedy: "
      "the same command again, or without --slurm",
      s->number, s->left, job->last - job->first, job->cases->folder);
}

static sn_status run_slurm(sn_engine_job *job) {
  slurm s = {.job = job};
  const int width = job->last - job->first;
  s.done = SN_NEW(&s.arena, unsigned char, job->cases->count);
  s.chunk = job->slurm.chunk > 0 ? job->slurm.chunk : (width + usual_tasks - 1) / usual_tasks;
  sn_engine_begin(job, s.done);
  for (int i = job->first; i < job->last; ++i) s.left += !s.done[i];
  job->show(job->user, job->finished, job->failed, 0);
  const sn_status status = s.left > 0 ? submit_and_watch(&s) : SN_OK;
  sn_arena_free(&s.arena);
  return status;
}

const sn_engine_ops sn_engine_slurm = {
    .name = "slurm",
    .summary = "a job array of Slurm; its machines share the folder of the study",
    .run = run_slurm,
};
