/* case_access.c - studies, for programs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cores.h"
#include "base/sized.h"
#include "base/temporary.h"
#include "sinew/cases.h"
#include "study/engine.h"

struct sn_cases {
  sn_pool *pool;
  sn_context *context;
  sn_arena arena;
  sn_team team;
  char aside[SN_FOLDER_SIZE]; /* folder of a rank whose outcomes go to rank 0; "": none */
  const char *name;           /* of the study */
  sn_study *study;            /* NULL: not read */
  char *model_text;
  size_t model_length;
  sn_sweep *sweep; /* NULL: not open */
  int finished, failed;
  bool tabulated;
  sn_columns table, times;
};

static sn_status not_yet(const sn_cases *c, const char *what) {
  return sn_fail(c->context, SN_USAGE, "the cases are not %s", what);
}

/* ---- life ---- */

static sn_status make(void *argument) {
  sn_cases **cases = argument;
  *cases = sn_new(1, sizeof **cases);
  return SN_OK;
}

sn_status sn_cases_create(sn_context *context, sn_cases **cases) {
  sn_pool *pool = NULL;
  *cases = NULL;
  const sn_status status = sn_make_in_pool(context, make, cases, &pool);
  if (status) return status;
  (*cases)->pool = pool;
  (*cases)->context = context;
  return sn_team_open(context, &(*cases)->team) ? SN_OK : SN_IO;
}

void sn_cases_free(sn_cases *c, int code) {
  if (!c) return;
  sn_pool *pool = c->pool;
  sn_team team = c->team;
  if (c->aside[0] && c->sweep) sn_sweep_remove(c->sweep);
  sn_sweep_free(c->sweep);
  sn_free(c->model_text);
  sn_arena_free(&c->arena);
  sn_free(c);
  sn_pool_free(pool);
  if (code >= 0) sn_team_close(&team, code);
}

/* ---- the study ---- */

typedef struct reading {
  sn_cases *cases;
  const char *name, *text;
  size_t length;
} reading;

static void forget_context(void *context) {
  sn_context_free(context);
}

/* A model in place of a study: the messages about it would be many and of no use. */
static bool is_model(const reading *r) {
  sn_document *document;
  sn_context *quiet = sn_context_create();
  if (!quiet) sn_out_of_memory(0);
  sn_undo undo;
  sn_undo_begin(&undo, forget_context, quiet);
  const bool is = !sn_read_document(quiet, &r->cases->arena, r->name, r->text, r->length, NULL, 0, &document);
  sn_undo_end(&undo);
  sn_context_free(quiet);
  return is;
}

static sn_status read_text(void *argument) {
  const reading *r = argument;
  sn_cases *c = r->cases;
  c->name = sn_format(&c->arena, "%s", r->name);
  const sn_status status = sn_read_study(c->context, &c->arena, c->name, r->text, r->length, &c->study);
  if (status && is_model(r))
    return sn_fail(c->context, SN_USAGE, "%s is a model: give the variation, such as --vary E=2e5:2e11:log7", r->name);
  return status;
}

sn_status sn_cases_read(sn_cases *c, const char *name, const char *text, size_t length) {
  reading r = {c, name, text, length};
  if (c->study) return sn_fail(c->context, SN_USAGE, "the cases have a study");
  const sn_status status = sn_guard(c->context, c->pool, read_text, &r);
  if (status) c->study = NULL;
  return status;
}

typedef struct setting {
  sn_cases *cases;
  const char *const *sets;
  size_t count;
} setting;

static sn_status add_sets(void *argument) {
  const setting *s = argument;
  sn_study *study = s->cases->study;
  sn_arena *arena = &s->cases->arena;
  const char **all = SN_NEW(arena, const char *, (size_t)study->sets + s->count + 1);
  for (int i = 0; i < study->sets; ++i) all[i] = study->set[i];
  for (size_t i = 0; i < s->count; ++i) all[study->sets++] = sn_format(arena, "%s", s->sets[i]);
  study->set = all;
  return SN_OK;
}

sn_status sn_cases_set(sn_cases *c, const char *const *sets, size_t count, double until) {
  setting s = {c, sets, count};
  if (!c->study || c->sweep) return not_yet(c, c->study ? "to be changed any more" : "read");
  if (until > 0) c->study->until = until;
  return sn_guard(c->context, c->pool, add_sets, &s);
}

/* ---- the model and the folder ---- */

/* The path in a study file is seen from there. */
static const char *model_path(sn_cases *c) {
  const char *slash = strrchr(c->name, '/');
  if (!slash || c->study->model[0] == '/') return c->study->model;
  return sn_format(&c->arena, "%.*s/%s", (int)(slash - c->name), c->name, c->study->model);
}

/* The model with what all cases share must be right; so must be what the study says about it. */
static sn_status load_model(sn_cases *c) {
  const char *path = model_path(c);
  sn_model *model = NULL;
  c->model_text = sn_read_file(path, SN_LARGEST_TEXT, &c->model_length);
  if (!c->model_text) return sn_fail(c->context, SN_IO, "cannot read %s: %s", path, strerror(errno));
  sn_status status =
      sn_model_parse(c->context, path, c->model_text, c->model_length, c->study->set, (size_t)c->study->sets, &model);
  if (!status) status = sn_check_study(c->context, &c->arena, c->study, model);
  sn_model_free(model);
  return status;
}

typedef struct opening {
  sn_cases *cases;
  const char *folder;
} opening;

static sn_status open_cases(void *argument) {
  const opening *o = argument;
  sn_cases *c = o->cases;
  const sn_status status = load_model(c);
  if (status) return status;
  const char *folder = sn_format(&c->arena, "%s", o->folder);
  if (c->team.mpi && c->team.rank > 0) {
    if (!sn_temporary_folder(c->aside))
      return sn_fail(c->context, SN_IO, "cannot create a temporary folder: %s", strerror(errno));
    folder = c->aside;
  }
  return sn_sweep_open(c->context, c->study, c->model_text, c->model_length, folder, &c->sweep);
}

sn_status sn_cases_open(sn_cases *c, const char *folder) {
  opening o = {c, folder};
  if (!c->study || c->model_text) return not_yet(c, c->study ? "to be opened twice" : "read");
  const sn_status status = sn_guard(c->context, c->pool, open_cases, &o);
  if (status) c->sweep = NULL;
  return status;
}

sn_status sn_cases_agree(const sn_cases *c, sn_status status, int *rank) {
  return sn_team_agree(&c->team, status, rank);
}

/* ---- what they are ---- */

sn_status sn_cases_about(const sn_cases *c, sn_cases_info *info) {
  const sn_study *study = c->study;
  const sn_cases_info all = {.mpirun = c->team.given,
                             .rank = c->team.rank,
                             .ranks = c->team.size,
                             .connected = c->team.mpi != NULL,
                             .missing = c->team.missing,
                             .title = study && study->title ? study->title : "",
                             .folder = c->sweep ? c->sweep->folder : NULL,
                             .count = c->sweep ? (size_t)c->sweep->count : 0,
                             .variations = study ? (size_t)study->variations : 0,
                             .grid = study && study->sampling == SN_SAMPLE_GRID,
                             .random = study && study->sampling > SN_SAMPLE_LIST,
                             .plots = study ? (size_t)study->document->list[SN_PLOTTED].count : 0,
                             .finished = (size_t)c->finished,
                             .failed = (size_t)c->failed};
  sn_give(info, &all, sizeof all);
  return SN_OK;
}

const char *sn_cases_variation(const sn_cases *c, size_t k) {
  return c->study && k < (size_t)c->study->variations ? c->study->variation[k].name : NULL;
}

const char *sn_cases_value(const sn_cases *c, size_t i, size_t k) {
  if (!c->sweep || i >= (size_t)c->sweep->count || k >= (size_t)c->study->variations) return NULL;
  return c->sweep->value[i * (size_t)c->study->variations + k].text;
}

int sn_cases_finished(const sn_cases *c, size_t i) {
  return c->sweep && i < (size_t)c->sweep->count && sn_case_finished(c->sweep, (int)i);
}

/* ---- running ---- */

static void show_nothing(void *user, int finished, int failed, int running) {
  (void)user, (void)finished, (void)failed, (void)running;
}

static void say_nothing(void *user, const char *text) {
  (void)user, (void)text;
}

typedef struct running {
  const sn_engine_ops *engine;
  sn_engine_job job;
} running;

static sn_status run_engine(void *argument) {
  running *r = argument;
  const sn_status status = r->engine->run(&r->job);
  sn_logs_read(r->job.cases->logs); /* for sn_cases_finished */
  return status;
}

sn_status sn_cases_run(sn_cases *c, const sn_cases_options *given) {
  static const char *const nothing[] = {NULL};
  sn_cases_options o = {0};
  if (!c->sweep) return not_yet(c, "open");
  memcpy(&o, given, given->size < sizeof o ? given->size : sizeof o);
  const size_t count = (size_t)c->sweep->count, last = o.last ? o.last : count;
  if (o.first > last || last > count || o.jobs < 0 || (o.slurm && (!o.command || c->team.given)))
    return sn_fail(c->context, SN_USAGE, "the options do not fit the %zu cases", count);
  running r = {.engine = o.slurm       ? &sn_engine_slurm
                         : c->team.mpi ? &sn_engine_mpi
                                       : &sn_engine_cores,
               .job = {.cases = c->sweep,
                       .jobs = o.jobs > 0      ? o.jobs
                               : c->team.given ? 1
                                               : sn_processors(),
                       .first = (int)o.first,
                       .last = (int)last,
                       .team = &c->team,
                       .slurm = {o.command, o.sbatch ? o.sbatch : nothing, o.chunk, !o.no_wait},
                       .show = o.show ? o.show : show_nothing,
                       .say = o.say ? o.say : say_nothing,
                       .user = o.user}};
  const sn_status status = sn_guard(c->context, c->pool, run_engine, &r);
  c->finished = r.job.finished;
  c->failed = r.job.failed;
  return status;
}

/* ---- the table ---- */

static sn_status tabulate(void *argument) {
  sn_cases *c = argument;
  sn_logs_read(c->sweep->logs);
  for (int i = 0; i < c->sweep->count; ++i)
    if (!sn_case_finished(c->sweep, i)) return sn_fail(c->context, SN_USAGE, "case %d has not finished", i + 1);
  const sn_status status = sn_sweep_table(c->sweep, &c->arena, &c->table, &c->times);
  return status ? status : sn_sweep_write_tables(c->sweep, &c->table, &c->times);
}

sn_status sn_cases_tabulate(sn_cases *c) {
  if (!c->sweep) return not_yet(c, "open");
  const sn_status status = sn_guard(c->context, c->pool, tabulate, c);
  c->tabulated = status == SN_OK;
  return status;
}

sn_status sn_cases_column(const sn_cases *c, int of_times, size_t number, sn_column_info *info) {
  const sn_columns *columns = of_times ? &c->times : &c->table;
  *info = (sn_column_info){0};
  if (!c->tabulated || number >= (size_t)columns->count) return SN_USAGE;
  const sn_column *column = &columns->column[number];
  *info = (sn_column_info){column->name, (size_t)columns->rows, column->number, column->text};
  return SN_OK;
}

sn_status sn_cases_plot(const sn_cases *c, size_t number, sn_plot_info *info) {
  static const char *const formats[] = {"png", "svg", "pdf"};
  *info = (sn_plot_info){0};
  if (!c->study || number >= (size_t)c->study->document->list[SN_PLOTTED].count) return SN_USAGE;
  const sn_plot_spec *p = (const sn_plot_spec *)(const void *)c->study->document->list[SN_PLOTTED].item[number];
  const bool chosen = p->scale == 0;
  *info = (sn_plot_info){.name = p->spec.name,
                         .x = p->x,
                         .y = p->y,
                         .curves = p->curves,
                         .log_x = chosen ? -1 : p->scale == 2 || p->scale == 4,
                         .log_y = chosen ? -1 : p->scale >= 3,
                         .format = formats[p->format]};
  return SN_OK;
}
