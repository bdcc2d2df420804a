/* reader.c - reading of result files: information about the run, and series by name. Columns are read on demand. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/refer.h"
#include "result/disk.h"
#include "result/journal.h"
#include "result/layout.h"
#include "result/result.h"
#include "result/state_space.h"
#include "result/store.h"
#include "result/sums.h"

/* Where a series lies: a column of a dataset. */
typedef struct column {
  sn_series series;
  const char *dataset; /* path in the file */
  size_t index;
} column;

struct sn_result {
  sn_context *context;
  sn_arena arena;
  sn_store *store;
  const char *path;
  sn_result_info info;
  column *column;
  int count, capacity;
  const char **name; /* [count + 1] */
};

static sn_status unreadable(sn_result *result) {
  const char *why = sn_store_trouble(result->store);
  return sn_fail(result->context, SN_IO, "cannot read %s: %s", result->path, why ? why : "it is incomplete");
}

sn_status sn_result_check(sn_context *context, const char *path, sn_checked *checked,
                          void (*trouble)(void *user, uint64_t from, uint64_t to), void *user) {
  sn_sums sums;
  *checked = (sn_checked){0};
  if (access(path, R_OK)) return sn_fail(context, SN_IO, "cannot read %s: %s", path, strerror(errno));
  if (!sn_is_result(path)) return sn_fail(context, SN_IO, "cannot read %s: not a result file", path);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return sn_fail(context, SN_IO, "cannot read %s: %s", path, strerror(errno));
  const bool summed = sn_sums_load(&sums, file, path), no_memory = !summed && errno == ENOMEM;
  checked->blocks = (long)sums.count;
  checked->bytes = (double)sums.end;
  for (size_t i = 0; i < sums.count; ++i) {
    const uint64_t from = (uint64_t)i * sn_sum_block;
    uint64_t bad;
    if (sn_sums_agree(&sums, file, from, 1, &bad)) continue;
    ++checked->damaged;
    if (trouble) trouble(user, from, from + sn_sums_size(&sums, i) - 1);
  }
  close(file);
  sn_sums_free(&sums);
  if (no_memory) return sn_fail(context, SN_MEMORY, "cannot read %s: out of memory", path);
  if (!summed)
    return sn_fail(context, SN_IO,
                   "%s has no valid checksums: they are damaged, or the file was changed by another program or written "
                   "by an earlier version",
                   path);
  if (checked->damaged)
    return sn_fail(context, SN_IO, "%s is damaged: the checksums of %ld of %ld blocks are wrong", path,
                   checked->damaged, checked->blocks);
  return SN_OK;
}

int sn_is_result(const char *path) {
  static const char signature[8] = "\x89HDF\r\n\x1a\n";
  char head[8] = "";
  struct stat now;
  sn_journal_replay(path);
  const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe is none, and is not waited for */
  if (file < 0) return false;
  const bool same = !fstat(file, &now) && S_ISREG(now.st_mode) && now.st_size > 0 &&
                    sn_disk_read(file, head, sizeof head, 0) && !memcmp(head, signature, sizeof head);
  close(file);
  return same;
}

/* ---- the catalog of series ---- */

static column *add_column(sn_result *result) {
  if (result->count == result->capacity) {
    const int capacity = result->capacity ? 2 * result->capacity : 64;
    column *grown = SN_NEW(&result->arena, column, capacity);
    if (result->count) memcpy(grown, result->column, sizeof(column) * (size_t)result->count);
    result->column = grown;
    result->capacity = capacity;
  }
  return &result->column[result->count++];
}

/* One column per dataset of a group. */
static void add_single(sn_result *result, const sn_object *group, const char *dataset, const char *name,
                       const char *path, const char *unit) {
  const sn_object *node = sn_object_member(group, dataset, SN_OBJECT_NUMBERS);
  if (!node || node->rank != 1) return;
  column *c = add_column(result);
  c->series.name = name;
  c->series.unit = unit;
  c->dataset = path;
}

static void add_columns(sn_result *result, const sn_object *node, const char *group, const char *path,
                        const char *const *names, const char *const *units, size_t count) {
  if (!node || node->rank != 2 || node->columns != count) return;
  for (size_t i = 0; i < count; ++i) {
    column *c = add_column(result);
    c->series.name = sn_format(&result->arena, "%s.%s", group, names[i]);
    c->series.unit = units[i];
    c->dataset = path;
    c->index = i;
  }
}

static void add_outputs(sn_result *result) {
  const sn_object *outputs = sn_store_describe(result->store, "/outputs", true, &result->arena);
  for (size_t i = 0; outputs && i < outputs->members; ++i) {
    const sn_object *node = &outputs->member[i];
    const sn_attribute *columns = sn_object_attribute(node, "columns", SN_TEXT_VALUE);
    const sn_attribute *units = sn_object_attribute(node, "units", SN_TEXT_VALUE);
    if (node->kind != SN_OBJECT_NUMBERS || !columns || !units || columns->count != units->count) continue;
    char *name = sn_copy_text(&result->arena, node->name, strlen(node->name));
    sn_make_plain(name, false); /* it will be printed */
    add_columns(result, node, name, sn_format(&result->arena, "/outputs/%s", node->name), columns->text, units->text,
                columns->count);
  }
}

/* The datasets of a group with one column each. */
static void add_group(sn_result *result, const char *group, const char *series, const char *const *names,
                      const char *const *units, int count) {
  sn_arena *arena = &result->arena;
  const sn_object *node = sn_store_describe(result->store, group, true, arena);
  for (int i = 0; node && i < count; ++i)
    add_single(result, node, names[i], sn_format(arena, "%s.%s", series, names[i]),
               sn_format(arena, "%s/%s", group, names[i]), units[i]);
}

static void make_catalog(sn_result *result, const sn_object *root) {
  static const char *const axes[] = {"x", "y", "z"};
  static const char *const linear[] = {"kg m/s", "kg m/s", "kg m/s"};
  static const char *const angular[] = {"kg m2/s", "kg m2/s", "kg m2/s"};
  static const char *const contacts[] = {"count", "penetration"}, *const contact_units[] = {"", "m"};
  const char *joules[SN_ENERGIES];
  for (int i = 0; i < SN_ENERGIES; ++i) joules[i] = SN_ENERGY_UNIT;
  sn_arena *arena = &result->arena;
  add_single(result, root, "time", "t", "/time", "s");
  add_outputs(result);
  add_group(result, "/energy", "energy", sn_energy_names, joules, SN_ENERGIES);
  add_group(result, "/constraints", "constraint", sn_level_names, sn_level_units, SN_LEVELS);
  const sn_object *momentum = sn_store_describe(result->store, "/momentum", true, arena);
  add_columns(result, sn_object_member(momentum, "linear", SN_OBJECT_NUMBERS), "momentum.linear", "/momentum/linear",
              axes, linear, 3);
  add_columns(result, sn_object_member(momentum, "angular", SN_OBJECT_NUMBERS), "momentum.angular", "/momentum/angular",
              axes, angular, 3);
  add_group(result, "/contacts", "contacts", contacts, contact_units, 2);
  add_single(result, root, "step", "step", "/step", "s");
  add_single(result, root, "stage", "stage", "/stage", "");
  add_single(result, root, "load", "load", "/load", "");
  add_group(result, "/path", "path", sn_stability_names, sn_stability_units, SN_STABILITIES);
  result->name = SN_NEW(arena, const char *, result->count + 1);
  for (int i = 0; i < result->count; ++i) result->name[i] = result->column[i].series.name;
}

/* ---- opening ---- */

static int members(const sn_object *root, const char *group) {
  const sn_object *node = sn_object_member(root, group, SN_OBJECT_GROUP);
  return node ? (int)node->links : 0;
}

static void read_statistics(sn_result *result) {
  sn_result_info *info = &result->info;
  const sn_object *group = sn_store_describe(result->store, "/statistics", false, &result->arena);
  char *values = (char *)&info->statistics;
  for (const sn_statistic *s = sn_statistic_table; s->name; ++s) {
    if (s->real) {
      *(double *)(void *)(values + s->at) = sn_object_real(group, s->name, 0);
    } else {
      *(long *)(void *)(values + s->at) = sn_object_integer(group, s->name, 0);
    }
  }
  info->position_change = sn_object_real(group, "start_position_change", 0);
  info->velocity_change = sn_object_real(group, "start_velocity_change", 0);
  info->redundant = (int)sn_object_integer(group, "redundant_constraints", 0);
  info->notes = sn_object_text(group, "notes");
  info->events = sn_object_text(group, "events");
}

static void read_info(sn_result *result, const sn_object *root) {
  sn_result_info *info = &result->info;
  info->version = sn_object_text(root, "sinew_version");
  info->title = sn_object_text(root, "title");
  info->model_path = sn_object_text(root, "model_path");
  info->created = sn_object_text(root, "created");
  info->integrator = sn_object_text(root, "integrator");
  info->analysis = sn_object_text(root, "analysis");
  info->status = sn_object_text(root, "status");
  info->message = sn_object_text(root, "message");
  info->trust = sn_object_text(root, "trust");
  info->reasons = sn_object_text(root, "trust_reasons");
  info->bodies = members(root, "bodies");
  info->joints = members(root, "joints");
  info->outputs = members(root, "outputs");
  const sn_object *settings = sn_store_describe(result->store, "/settings", false, &result->arena);
  info->step = sn_object_real(settings, "step", 0);
  info->tolerance = sn_object_real(settings, "tolerance", 0);
  info->end = sn_object_real(settings, "end", 0);
  read_statistics(result);
}

static sn_result *create(sn_context *context, const char *path) {
  sn_result *result = sn_new(1, sizeof *result);
  result->context = context;
  result->path = sn_copy_text(&result->arena, path, strlen(path));
  return result;
}

/* What the store holds. */
static sn_status read_contents(sn_result *result) {
  const sn_object *root = sn_store_describe(result->store, "/", true, &result->arena);
  const long layout = sn_object_integer(root, "layout_version", 0);
  if (!root) return unreadable(result);
  if (layout != SN_LAYOUT_VERSION)
    return sn_fail(result->context, SN_IO, "cannot read %s: %s", result->path,
                   layout > SN_LAYOUT_VERSION ? "it was written by a newer version of Sinew"
                                              : "it is an HDF5 file, but not a result of Sinew");
  read_info(result, root);
  /* /time is written after everything else: its rows are the ones that can be trusted. */
  const sn_object *time = sn_object_member(root, "time", SN_OBJECT_NUMBERS);
  if (!time || time->rank != 1)
    return sn_fail(result->context, SN_IO, "cannot read %s: it has no /time, or /time has an unexpected type or shape",
                   result->path);
  result->info.rows = time->rows;
  make_catalog(result, root);
  return sn_store_trouble(result->store) ? unreadable(result) : SN_OK;
}

/* A run writes PATH.part until it ends, see writer.c. */
static sn_status missing(sn_result *result) {
  const char *why = strerror(errno), *part = sn_format(&result->arena, "%s.part", result->path);
  if (errno == ENOENT && access(part, R_OK) == 0)
    return sn_fail(result->context, SN_IO, "cannot read %s: its run goes on, or was killed; the rows so far are in %s",
                   result->path, part);
  return sn_fail(result->context, SN_IO, "cannot read %s: %s", result->path, why);
}

sn_status sn_result_open(sn_context *context, const char *path, sn_result **opened) {
  sn_result *result = *opened = create(context, path);
  sn_status status = SN_OK;
  if (access(path, R_OK))
    status = missing(result);
  else if (!sn_is_result(path))
    status = sn_fail(context, SN_IO, "cannot read %s: not a result file", path);
  if (!status) status = sn_store_open(context, path, false, &result->store);
  if (!status) status = read_contents(result);
  if (status) sn_result_free(result), *opened = NULL;
  return status;
}

sn_status sn_result_watch(sn_context *context, sn_writer *writer, sn_result **opened) {
  sn_result *result = *opened = create(context, sn_writer_path(writer));
  sn_h5 h5 = {0};
  sn_h5_begin(&h5);
  const hid_t file = H5Freopen(sn_writer_h5(writer)->file);
  sn_h5_end(&h5);
  result->store = sn_store_of_run(file);
  sn_status status =
      file >= 0 ? read_contents(result) : sn_fail(context, SN_IO, "cannot read %s", sn_writer_path(writer));
  if (status) sn_result_free(result), *opened = NULL;
  return status;
}

sn_store *sn_result_store(sn_result *result) {
  return result->store;
}

void sn_result_free(sn_result *result) {
  if (!result) return;
  sn_store_close(result->store);
  for (int i = 0; i < result->count; ++i) sn_free((void *)(uintptr_t)result->column[i].series.value);
  sn_arena_free(&result->arena);
  sn_free(result);
}

const sn_result_info *sn_result_about(const sn_result *result) {
  return &result->info;
}

const char *const *sn_result_names(sn_result *result) {
  return result->name;
}

int sn_series_in_group(const char *name, const char *group) {
  const size_t length = strlen(group);
  return !strncmp(name, group, length) && (name[length] == 0 || name[length] == '.');
}

const char *sn_result_verdict(const sn_result *result) {
  return result->info.trust;
}

const char *sn_result_reasons(const sn_result *result) {
  return result->info.reasons;
}

int sn_result_failed(const sn_result *result) {
  return sn_store_trouble(result->store) != NULL;
}

/* ---- series ---- */

static const sn_series *load(sn_result *result, column *c) {
  if (c->series.value) return &c->series;
  const size_t rows = result->info.rows;
  double *value = sn_new(rows, sizeof *value);
  const sn_rows all = {
      .path = c->dataset, .count = rows, .stride = 1, .column = c->index, .columns = 1, .width = sizeof(double)};
  if (rows && !sn_store_rows(result->store, &all, value)) {
    unreadable(result);
    sn_free(value);
    return NULL;
  }
  c->series.value = value;
  c->series.count = rows;
  return &c->series;
}

const sn_series *sn_result_time(sn_result *result) {
  return load(result, &result->column[0]);
}

/* Say what was probably meant: the columns of a group, or the nearest name. */
static void explain_unknown(sn_result *result, const char *name) {
  enum { far = 4 };
  const char *nearest = NULL;
  int distance = far, members_found = 0;
  for (int i = 0; i < result->count; ++i) {
    const char *candidate = result->name[i];
    if (sn_series_in_group(candidate, name)) {
      if (!members_found++) {
        sn_fail(result->context, SN_USAGE, "'%s' is a group of series: %s", name, candidate);
      } else {
        sn_append(result->context, ", %s", candidate);
      }
    }
    const int d = sn_edit_distance(name, candidate, distance);
    if (d < distance && d < (int)strlen(name)) distance = d, nearest = candidate;
  }
  if (members_found) return;
  sn_fail(result->context, SN_USAGE, "%s has no series '%s'", result->path, name);
  if (nearest) sn_append(result->context, "; did you mean '%s'?", nearest);
}

const char *sn_result_meant(sn_result *result, const char *name) {
  return sn_series_meant(result->name, result->count, name);
}

const sn_series *sn_result_series(sn_result *result, const char *asked) {
  const char *name = sn_result_meant(result, asked);
  for (int i = 0; i < result->count; ++i) {
    if (!strcmp(result->name[i], name)) return load(result, &result->column[i]);
  }
  explain_unknown(result, name);
  return NULL;
}

/* The member of a group of stages with the highest number; 0: there is none. */
static long last_stage(sn_result *result, const char *group, sn_arena *arena) {
  long last = 0;
  const sn_object *stages = sn_store_describe(result->store, group, true, arena);
  for (size_t i = 0; stages && i < stages->members; ++i) {
    const long stage = strtol(stages->member[i].name, NULL, 10);
    if (stage > last) last = stage;
  }
  return last;
}

/* The names in an attribute of the group, and how many. */
static const char *const *names_in(const sn_object *node, const char *attribute, size_t *count) {
  const sn_attribute *a = sn_object_attribute(node, attribute, SN_TEXT_VALUE);
  *count = a ? a->count : 0;
  return a ? a->text : NULL;
}

/* A matrix of this size, by rows; zeros where there is none, as for one without inputs. */
static const double *matrix_of(sn_result *result, const sn_object *node, long stage, const char *name, size_t rows,
                               size_t columns) {
  double *value = SN_NEW(&result->arena, double, rows *columns + 1);
  const sn_object *there = sn_object_member(node, name, SN_OBJECT_NUMBERS);
  if (!there || there->rows != rows || there->columns != columns) return value;
  const sn_rows all = {.path = sn_format(&result->arena, "/linear/%ld/%s", stage, name),
                       .count = rows,
                       .stride = 1,
                       .columns = columns,
                       .width = sizeof(double)};
  sn_store_rows(result->store, &all, value);
  return value;
}

bool sn_result_state_space(sn_result *result, sn_state_space *s) {
  *s = (sn_state_space){0};
  const long stage = last_stage(result, "/linear", &result->arena);
  if (stage < 1) return false;
  const sn_object *node =
      sn_store_describe(result->store, sn_format(&result->arena, "/linear/%ld", stage), true, &result->arena);
  if (!node) return false;
  s->state = names_in(node, "states", &s->states);
  s->input = names_in(node, "inputs", &s->inputs);
  s->output = names_in(node, "outputs", &s->outputs);
  s->A = matrix_of(result, node, stage, "A", s->states, s->states);
  s->B = matrix_of(result, node, stage, "B", s->states, s->inputs);
  s->C = matrix_of(result, node, stage, "C", s->outputs, s->states);
  s->D = matrix_of(result, node, stage, "D", s->outputs, s->inputs);
  return !sn_result_failed(result);
}

double sn_result_mode(sn_result *result, const char *quantity, int mode) {
  double value = NAN;
  sn_arena arena = {0};
  const long last = last_stage(result, "/modes", &arena);
  const sn_rows one = {.path = sn_format(&arena, "/modes/%ld/%s", last, quantity),
                       .first = (size_t)mode - 1,
                       .count = 1,
                       .stride = 1,
                       .columns = 1,
                       .width = sizeof value};
  if (last < 1 || mode < 1 || !sn_store_rows(result->store, &one, &value)) value = NAN;
  sn_arena_free(&arena);
  return value;
}

/* The rows of the modes of a stage; without `row` only their number. */
static size_t read_modes(sn_result *result, const char *name, sn_arena *arena, sn_mode_row *row) {
  static const struct {
    const char *name;
    size_t at;
  } quantity[] = {
      {"frequency", offsetof(sn_mode_row, frequency)},           {"damping", offsetof(sn_mode_row, damping)},
      {"eigenvalue", offsetof(sn_mode_row, eigenvalue)},         {"real_part", offsetof(sn_mode_row, real_part)},
      {"imaginary_part", offsetof(sn_mode_row, imaginary_part)}, {"load_factor", offsetof(sn_mode_row, load_factor)}};
  const sn_object *stage = sn_store_describe(result->store, sn_format(arena, "/modes/%s", name), true, arena);
  size_t count = 0;
  for (size_t c = 0; c < SN_COUNT(quantity); ++c) {
    const sn_object *numbers = sn_object_member(stage, quantity[c].name, SN_OBJECT_NUMBERS);
    if (numbers && numbers->rows > count) count = numbers->rows;
  }
  double *values = SN_NEW(arena, double, count + 1);
  for (size_t i = 0; row && i < count; ++i)
    row[i] = (sn_mode_row){(int)strtol(name, NULL, 10), (int)i + 1, NAN, NAN, NAN, NAN, NAN, NAN};
  for (size_t c = 0; row && c < SN_COUNT(quantity); ++c) {
    const sn_object *numbers = sn_object_member(stage, quantity[c].name, SN_OBJECT_NUMBERS);
    const sn_rows all = {.path = sn_format(arena, "/modes/%s/%s", name, quantity[c].name),
                         .count = count,
                         .stride = 1,
                         .columns = 1,
                         .width = sizeof *values};
    if (!numbers || numbers->rows < count || !sn_store_rows(result->store, &all, values)) continue;
    for (size_t i = 0; i < count; ++i) memcpy((char *)(row + i) + quantity[c].at, &values[i], sizeof *values);
  }
  return count;
}

const sn_mode_row *sn_result_modes(sn_result *result, size_t *count) {
  sn_arena arena = {0};
  sn_mode_row *rows = NULL;
  size_t filled = 0;
  *count = 0;
  const sn_object *modes = sn_store_describe(result->store, "/modes", true, &arena);
  for (size_t i = 0; modes && i < modes->members; ++i)
    *count += read_modes(result, modes->member[i].name, &arena, NULL);
  if (*count) rows = SN_NEW(&result->arena, sn_mode_row, *count);
  for (size_t i = 0; rows && i < modes->members; ++i)
    filled += read_modes(result, modes->member[i].name, &arena, rows + filled);
  sn_arena_free(&arena);
  return rows;
}
