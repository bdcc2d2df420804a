/* reader.c - result files, read: what they say about the run, and series by name. Columns are read when asked for. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "result/journal.h"
#include "result/layout.h"
#include "result/result.h"
#include "result/sums.h"

/* Where a series lies: a column of a dataset. */
typedef struct column {
  sn_series series;
  const char *dataset; /* path in the file */
  int index, columns;  /* columns 0: a dataset of rank 1 */
} column;

struct sn_result {
  sn_context *context;
  sn_arena arena;
  sn_h5 h5;
  const char *path;
  sn_result_info info;
  column *column;
  int count, capacity;
  const char **name; /* [count + 1] */
};

static sn_status unreadable(sn_result *result) {
  return sn_fail(result->context, SN_IO, "cannot read %s: %s", result->path, sn_h5_reason(&result->h5));
}

/* What was read so far may have been taken for missing. */
static sn_status damaged(sn_result *result) {
  return sn_fail(
      result->context, SN_IO,
      "cannot read %s: a part of it is not as it was written\n  what may help: 'sinew info --check' says what",
      result->path);
}

sn_status sn_result_check(sn_context *context, const char *path, sn_checked *checked,
                          void (*trouble)(void *user, uint64_t from, uint64_t to), void *user) {
  sn_sums sums;
  *checked = (sn_checked){0};
  if (!sn_is_result(path)) return sn_fail(context, SN_IO, "cannot read %s: not a result file", path);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return sn_fail(context, SN_IO, "cannot read %s: %s", path, strerror(errno));
  const bool summed = sn_sums_load(&sums, file, path);
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
  if (!summed)
    return sn_fail(context, SN_IO,
                   "%s has no checksums: they are damaged, or it was changed by another program or written by an "
                   "earlier version",
                   path);
  if (checked->damaged)
    return sn_fail(context, SN_IO, "%s is damaged: %ld of %ld blocks are not as they were written", path,
                   checked->damaged, checked->blocks);
  return SN_OK;
}

bool sn_is_result(const char *path) {
  static const char signature[8] = "\x89HDF\r\n\x1a\n";
  char head[8] = "";
  sn_journal_replay(path);
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  const bool same = fread(head, 1, sizeof head, file) == sizeof head && !memcmp(head, signature, sizeof head);
  fclose(file);
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

/* Rank, rows and columns of a dataset; false when it is missing or of another kind. */
static bool shape(const sn_result *result, const char *path, int rank, hsize_t size[2]) {
  if (H5Lexists(result->h5.file, path, H5P_DEFAULT) <= 0) return false;
  const hid_t dataset = H5Dopen2(result->h5.file, path, H5P_DEFAULT);
  if (dataset < 0) return false;
  const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
  size[1] = 1;
  const bool fits = H5Sget_simple_extent_ndims(space) == rank && H5Tget_class(type) == H5T_FLOAT &&
                    H5Sget_simple_extent_dims(space, size, NULL) == rank && size[1] < 1000000;
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(dataset);
  return fits;
}

/* One column per dataset; the name ends up as "GROUP.NAME". */
static void add_single(sn_result *result, const char *name, const char *path, const char *unit) {
  hsize_t size[2];
  if (!shape(result, path, 1, size)) return;
  column *c = add_column(result);
  c->series.name = name;
  c->series.unit = unit;
  c->dataset = path;
}

static void add_columns(sn_result *result, const char *group, const char *path, const char *const *names,
                        const char *const *units, int count) {
  hsize_t size[2];
  if (!shape(result, path, 2, size) || size[1] != (hsize_t)count) return;
  for (int i = 0; i < count; ++i) {
    column *c = add_column(result);
    c->series.name = sn_format(&result->arena, "%s.%s", group, names[i]);
    c->series.unit = units[i];
    c->dataset = path;
    c->index = i;
    c->columns = count;
  }
}

static herr_t add_output(hid_t group, const char *name, const H5L_info_t *link, void *user) {
  (void)link;
  sn_result *result = user;
  const hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
  if (dataset < 0) return 0;
  int columns = 0, units = 0;
  const char *const *column_names = sn_h5_get_texts(dataset, "columns", &result->arena, &columns);
  const char *const *column_units = sn_h5_get_texts(dataset, "units", &result->arena, &units);
  H5Dclose(dataset);
  if (!column_names || !column_units || columns != units) return 0;
  const char *own = sn_copy_text(&result->arena, name, strlen(name));
  add_columns(result, own, sn_format(&result->arena, "/outputs/%s", name), column_names, column_units, columns);
  return 0;
}

static void make_catalog(sn_result *result) {
  static const char *const axes[] = {"x", "y", "z"};
  static const char *const linear[] = {"kg m/s", "kg m/s", "kg m/s"};
  static const char *const angular[] = {"kg m2/s", "kg m2/s", "kg m2/s"};
  sn_arena *arena = &result->arena;
  add_single(result, "t", "/time", "s");
  if (H5Lexists(result->h5.file, "/outputs", H5P_DEFAULT) > 0) {
    H5Literate_by_name(result->h5.file, "/outputs", H5_INDEX_CRT_ORDER, H5_ITER_INC, NULL, add_output, result,
                       H5P_DEFAULT);
  }
  for (int i = 0; i < SN_ENERGIES; ++i) {
    add_single(result, sn_format(arena, "energy.%s", sn_energy_names[i]),
               sn_format(arena, "/energy/%s", sn_energy_names[i]), SN_ENERGY_UNIT);
  }
  for (int i = 0; i < SN_LEVELS; ++i) {
    add_single(result, sn_format(arena, "constraint.%s", sn_level_names[i]),
               sn_format(arena, "/constraints/%s", sn_level_names[i]), sn_level_units[i]);
  }
  add_columns(result, "momentum.linear", "/momentum/linear", axes, linear, 3);
  add_columns(result, "momentum.angular", "/momentum/angular", axes, angular, 3);
  add_single(result, "contacts.count", "/contacts/count", "");
  add_single(result, "contacts.penetration", "/contacts/penetration", "m");
  add_single(result, "step", "/step", "s");
  add_single(result, "stage", "/stage", "");
  add_single(result, "load", "/load", "");
  result->name = SN_NEW(arena, const char *, result->count + 1);
  for (int i = 0; i < result->count; ++i) result->name[i] = result->column[i].series.name;
}

/* ---- opening ---- */

static int members(hid_t file, const char *path) {
  H5G_info_t info;
  if (H5Lexists(file, path, H5P_DEFAULT) <= 0 || H5Gget_info_by_name(file, path, &info, H5P_DEFAULT) < 0) return 0;
  return (int)info.nlinks;
}

static void read_statistics(sn_result *result, hid_t group) {
  sn_result_info *info = &result->info;
  char *values = (char *)&info->statistics;
  for (const sn_statistic *s = sn_statistic_table; s->name; ++s) {
    if (s->real) {
      *(double *)(void *)(values + s->at) = sn_h5_get_real(group, s->name, 0);
    } else {
      *(long *)(void *)(values + s->at) = sn_h5_get_integer(group, s->name, 0);
    }
  }
  info->position_change = sn_h5_get_real(group, "start_position_change", 0);
  info->velocity_change = sn_h5_get_real(group, "start_velocity_change", 0);
  info->redundant = (int)sn_h5_get_integer(group, "redundant_constraints", 0);
  info->notes = sn_h5_get_text(group, "notes", &result->arena);
}

static void read_info(sn_result *result) {
  sn_result_info *info = &result->info;
  sn_arena *arena = &result->arena;
  const hid_t file = result->h5.file;
  info->version = sn_h5_get_text(file, "sinew_version", arena);
  info->title = sn_h5_get_text(file, "title", arena);
  info->model_path = sn_h5_get_text(file, "model_path", arena);
  info->created = sn_h5_get_text(file, "created", arena);
  info->integrator = sn_h5_get_text(file, "integrator", arena);
  info->analysis = sn_h5_get_text(file, "analysis", arena);
  info->status = sn_h5_get_text(file, "status", arena);
  info->message = sn_h5_get_text(file, "message", arena);
  info->trust = sn_h5_get_text(file, "trust", arena);
  info->reasons = sn_h5_get_text(file, "trust_reasons", arena);
  info->bodies = members(file, "/bodies");
  info->joints = members(file, "/joints");
  info->outputs = members(file, "/outputs");
  info->notes = "";
  if (H5Lexists(file, "/settings", H5P_DEFAULT) > 0) {
    const hid_t group = H5Gopen2(file, "/settings", H5P_DEFAULT);
    info->step = sn_h5_get_real(group, "step", 0);
    info->tolerance = sn_h5_get_real(group, "tolerance", 0);
    info->end = sn_h5_get_real(group, "end", 0);
    sn_h5_close(group);
  }
  if (H5Lexists(file, "/statistics", H5P_DEFAULT) > 0) {
    const hid_t group = H5Gopen2(file, "/statistics", H5P_DEFAULT);
    read_statistics(result, group);
    sn_h5_close(group);
  }
}

/* Open the file and see that it is one of ours. */
static sn_status open_file(sn_result *result) {
  sn_h5 *h5 = &result->h5;
  FILE *file = fopen(result->path, "rb");
  if (!file) return h5->error = errno, unreadable(result);
  fclose(file);
  if (!sn_is_result(result->path)) {
    return sn_fail(result->context, SN_IO, "cannot read %s: not a result file", result->path);
  }
  sn_journal_open(h5, result->path, H5F_ACC_RDONLY);
  if (h5->failed) {
    if (h5->error != EAGAIN) return unreadable(result);
    return sn_fail(result->context, SN_IO, "cannot read %s: a run is still writing it", result->path);
  }
  const long layout = sn_h5_get_integer(h5->file, "layout_version", 0);
  if (layout == SN_LAYOUT_VERSION) return SN_OK;
  return sn_fail(result->context, SN_IO, "cannot read %s: %s", result->path,
                 layout > SN_LAYOUT_VERSION ? "it was written by a newer version of sinew"
                                            : "it is an HDF5 file, but not a result of sinew");
}

static sn_result *create(sn_context *context, const char *path) {
  sn_result *result = calloc(1, sizeof *result);
  if (!result) {
    sn_fail(context, SN_IO, "cannot read %s: %s", path, strerror(ENOMEM));
    return NULL;
  }
  result->context = context;
  result->h5.file = H5I_INVALID_HID;
  result->path = sn_copy_text(&result->arena, path, strlen(path));
  return result;
}

/* What an open file holds. */
static sn_status read_contents(sn_result *result) {
  hsize_t size[2] = {0, 0};
  read_info(result);
  /* /time is written after everything else: its rows are the ones that can be trusted. */
  if (!shape(result, "/time", 1, size))
    return sn_fail(result->context, SN_IO, "cannot read %s: it has no /time", result->path);
  result->info.rows = (size_t)size[0];
  make_catalog(result);
  return SN_OK;
}

sn_status sn_result_open(sn_context *context, const char *path, sn_result **opened) {
  sn_result *result = *opened = create(context, path);
  if (!result) return SN_IO;
  sn_h5_begin(&result->h5);
  sn_status status = open_file(result);
  if (!status) status = read_contents(result);
  if (!status && sn_journal_damaged(result->h5.file)) status = damaged(result);
  sn_h5_end(&result->h5);
  if (status) sn_result_free(result), *opened = NULL;
  return status;
}

sn_status sn_result_watch(sn_context *context, sn_writer *writer, sn_result **opened) {
  sn_result *result = *opened = create(context, sn_writer_path(writer));
  if (!result) return SN_IO;
  sn_h5_begin(&result->h5);
  result->h5.file = H5Freopen(sn_writer_h5(writer)->file);
  sn_status status = sn_h5_ok(&result->h5, result->h5.file) ? read_contents(result) : unreadable(result);
  sn_h5_end(&result->h5);
  if (status) sn_result_free(result), *opened = NULL;
  return status;
}

sn_h5 *sn_result_h5(sn_result *result) {
  return &result->h5;
}

void sn_result_free(sn_result *result) {
  if (!result) return;
  sn_h5_begin(&result->h5);
  if (result->h5.file >= 0) H5Fclose(result->h5.file);
  sn_h5_end(&result->h5);
  for (int i = 0; i < result->count; ++i) free((void *)(uintptr_t)result->column[i].series.value);
  sn_arena_free(&result->arena);
  free(result);
}

const sn_result_info *sn_result_about(const sn_result *result) {
  return &result->info;
}

const char *const *sn_result_names(sn_result *result) {
  return result->name;
}

bool sn_series_in_group(const char *name, const char *group) {
  const size_t length = strlen(group);
  return !strncmp(name, group, length) && (name[length] == 0 || name[length] == '.');
}

/* ---- series ---- */

static bool read_column(sn_result *result, column *c, double *value) {
  sn_h5 *h5 = &result->h5;
  const hid_t dataset = H5Dopen2(h5->file, c->dataset, H5P_DEFAULT);
  if (!sn_h5_ok(h5, dataset)) return false;
  const hsize_t rows = result->info.rows;
  const hsize_t from[2] = {0, (hsize_t)c->index}, block[2] = {rows, 1};
  const hid_t memory = H5Screate_simple(1, &rows, NULL), file = H5Dget_space(dataset);
  const bool ok = sn_h5_ok(h5, H5Sselect_hyperslab(file, H5S_SELECT_SET, from, NULL, block, NULL)) &&
                  sn_h5_ok(h5, H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, value));
  H5Sclose(file);
  H5Sclose(memory);
  H5Dclose(dataset);
  return ok;
}

static const sn_series *load(sn_result *result, column *c) {
  if (c->series.value) return &c->series;
  const size_t rows = result->info.rows;
  double *value = malloc(sizeof(double) * (rows ? rows : 1));
  if (!value) {
    sn_fail(result->context, SN_IO, "cannot read %s: %s", result->path, strerror(ENOMEM));
    return NULL;
  }
  sn_h5_begin(&result->h5);
  const bool ok = !rows || read_column(result, c, value);
  sn_h5_end(&result->h5);
  if (!ok) {
    unreadable(result);
    free(value);
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
    if (d < distance) distance = d, nearest = candidate;
  }
  if (members_found) return;
  sn_fail(result->context, SN_USAGE, "%s has no series '%s'", result->path, name);
  if (nearest) sn_append(result->context, "; did you mean '%s'?", nearest);
}

const sn_series *sn_result_series(sn_result *result, const char *name) {
  for (int i = 0; i < result->count; ++i) {
    if (!strcmp(result->name[i], name)) return load(result, &result->column[i]);
  }
  explain_unknown(result, name);
  return NULL;
}

enum { most_stages = 1000 };

double sn_result_frequency(sn_result *result, int mode) {
  double value = NAN;
  char path[64] = "";
  hsize_t size[2];
  sn_h5_begin(&result->h5);
  for (int stage = 1; stage <= most_stages && H5Lexists(result->h5.file, "/modes", H5P_DEFAULT) > 0; ++stage) {
    char name[48];
    snprintf(name, sizeof name, "/modes/%d", stage);
    if (H5Lexists(result->h5.file, name, H5P_DEFAULT) > 0) snprintf(path, sizeof path, "%s/frequency", name);
  }
  if (path[0] && shape(result, path, 1, size) && mode >= 1 && (hsize_t)mode <= size[0]) {
    double *all = SN_NEW(&result->arena, double, size[0]);
    const hid_t dataset = H5Dopen2(result->h5.file, path, H5P_DEFAULT);
    if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0) value = all[mode - 1];
    H5Dclose(dataset);
  }
  sn_h5_end(&result->h5);
  return value;
}
