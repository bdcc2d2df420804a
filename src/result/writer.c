/* writer.c - result files while they grow.
 *
 * A file is written as "PATH.part" and renamed when closed, so that PATH is always whole. The part file is locked from
 * its first byte to its last name: of two runs with the same name the second gets an error before it begins. A lock
 * ends with its process; what a killed run leaves behind is nobody's. For the case that nobody lives to close it, the
 * part file is brought up to date about once a second, from one consistent state to the next (journal.h). The length of
 * /time counts the rows that can be trusted.
 *
 * HDF5 does not survive a full disk well: it cannot close a file whose cache it cannot write. So the space for the
 * rows is reserved before HDF5 hears of them, and what is written at the end overwrites fields that exist. A run that
 * fills the disk then still closes its file, with all rows up to there and the reason.
 */
#define _DEFAULT_SOURCE /* flock */

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "result/checkpoint_file.h"
#include "result/copy.h"
#include "result/drawing.h"
#include "result/journal.h"
#include "result/layout.h"
#include "result/result.h"
#include "result/sums.h"
#include "result/track.h"

enum { longest_buffer = 256, buffer_bytes = 1 << 20, longest_touches = 1 << 14, SN_TOUCH_COLUMNS = 12 };
static const double flush_interval = 1.0; /* [s] of wall time */

struct sn_writer {
  sn_h5 h5;
  sn_simulation *simulation;
  sn_context *context;
  sn_arena arena;
  const char *path, *part;
  int space;        /* descriptor of the part file, only to reserve space */
  sn_tracks tracks; /* datasets over time; the first is /time */
  double *buffer;   /* [capacity][width] rows not yet given to HDF5 */
  size_t capacity, buffered;
  hsize_t rows;      /* given to HDF5 */
  sn_tracks touches; /* datasets with a row for each contact of each row of time */
  double *touch;     /* [touch_capacity][SN_TOUCH_COLUMNS] not yet given to HDF5 */
  size_t touch_capacity, touch_buffered;
  hsize_t touch_rows;
  const sn_expr *const **vector; /* [vectors] of forces that change in time */
  int vectors;
  double flushed;    /* when */
  double flush_time; /* how long it took; a slow disk is flushed less often */
  hsize_t promised;  /* end of the part of the file whose space is reserved */
  int error;         /* errno of a reservation that failed; rows are refused since */
  bool begun;        /* its head is written */
  bool resumed;      /* it continues a file that has `rows` */
  bool in_place;     /* which was left as the part file: not to be removed when opening fails */
  bool unsummed;     /* it was finished without checksums */
};

static sn_status failure(sn_writer *w) {
  const char *reason = w->error ? strerror(w->error) : sn_h5_reason(&w->h5);
  return sn_fail(w->context, SN_IO, "cannot write %s: %s", w->path, reason);
}

/* ---- opening ---- */

/* Reserve `bytes` of disk beyond those promised so far. Where a file system cannot, writing is the test. */
static bool reserve(sn_writer *w, size_t bytes) {
  if (!bytes || w->h5.failed) return true;
  const int error = posix_fallocate(w->space, (off_t)w->promised, (off_t)bytes);
  w->promised += bytes;
  if (error != ENOSPC && error != EFBIG && error != EDQUOT && error != EIO) return true;
  w->error = error;
  return false;
}

/* Bring the file up to date. From here on, what is promised begins at its end: until now, chunks in HDF5's cache had no
 * place in the file yet, and the place reserved for them had to be kept. */
static void flush_file(sn_writer *w) {
  sn_h5 *h5 = &w->h5;
  if (!h5->failed && sn_h5_ok(h5, H5Fflush(h5->file, H5F_SCOPE_GLOBAL))) {
    sn_h5_ok(h5, H5Fget_filesize(h5->file, &w->promised));
  }
}

/* Is the part file still the one we have open? A run that ends gives it its last name. */
static bool is_ours(const sn_writer *w) {
  struct stat named, open;
  return !lstat(w->part, &named) && !fstat(w->space, &open) && named.st_dev == open.st_dev &&
         named.st_ino == open.st_ino;
}

/* Open the part file and lock it: 0, or errno; EWOULDBLOCK: another run has it. Never through a symbolic link. */
static int lock_part(sn_writer *w) {
  for (;;) {
    w->space = open(w->part, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (w->space < 0 && errno == EINTR) continue;
    if (w->space < 0) return errno;
    const int failed = flock(w->space, LOCK_EX | LOCK_NB);
    if (!failed && is_ours(w)) return 0;
    const int error = failed ? errno : 0;
    close(w->space);
    w->space = -1;
    if (error && error != EINTR) return error;
  }
}

/* Refuse what would end badly: a target that is no file, or a part file that another run is writing. */
static sn_status prepare(sn_writer *w) {
  struct stat there;
  if (!w->path[0]) return sn_fail(w->context, SN_IO, "cannot write the result: its name is empty");
  if (!stat(w->path, &there) && !S_ISREG(there.st_mode)) {
    return sn_fail(w->context, SN_IO, "cannot write %s: %s", w->path,
                   S_ISDIR(there.st_mode) ? strerror(EISDIR) : "not a regular file");
  }
  w->error = lock_part(w);
  if (!w->error) return SN_OK;
  switch (w->error) {
    case EWOULDBLOCK:
      return sn_fail(w->context, SN_IO, "cannot write %s: another run is writing %s\n  possible remedy: -o OTHER.h5",
                     w->path, w->part);
    case ELOOP:
      return sn_fail(w->context, SN_IO, "cannot write %s: %s is a symbolic link", w->path, w->part);
    case ENOLCK:
    case ENOSYS:
      return sn_fail(w->context, SN_IO,
                     "cannot write %s: this file system does not support locks, so another run could write to the file "
                     "at the same time\n  possible remedy: -o in another folder",
                     w->path);
    default:
      return failure(w);
  }
}

static void remove_file(void *path) {
  unlink(path);
}

/* The file to go on with, as our part file: a copy that we make, so that HDF5 writes into no file from elsewhere. It
 * takes the name of the part file, which may be the one to go on with, when it is whole. */
static sn_status copy_file(sn_writer *w, const char *from) {
  struct stat source, target;
  if (stat(from, &source)) return sn_fail(w->context, SN_IO, "cannot read %s: %s", from, strerror(errno));
  w->in_place = !fstat(w->space, &target) && source.st_dev == target.st_dev && source.st_ino == target.st_ino;
  const char *copy = sn_format(&w->arena, "%s.copy", w->part);
  unlink(copy);
  sn_undo undo;
  sn_undo_begin(&undo, remove_file, (void *)(uintptr_t)copy);
  sn_status status = sn_result_copy(w->context, from, w->in_place, copy);
  sn_undo_end(&undo);
  const int space = status ? -1 : open(copy, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (!status && (space < 0 || flock(space, LOCK_EX | LOCK_NB) || fsync(space))) w->error = errno;
  if (!status && !w->error) {
    sn_sums_forget(w->part);
    if (sn_rename(copy, w->part)) w->error = errno;
  }
  if (!status && w->error) status = failure(w);
  if (status) {
    unlink(copy);
    if (space >= 0) close(space);
    return status;
  }
  close(w->space);
  w->space = space;
  return SN_OK;
}

static void write_outputs(sn_writer *w) {
  const sn_model *model = w->simulation->model;
  const hid_t outputs = sn_h5_group(&w->h5, w->h5.file, "outputs");
  for (int i = 0; i < model->outputs && !w->h5.failed; ++i) {
    const sn_output *output = &model->output[i];
    const sn_track *track = sn_track_add(&w->tracks, &w->h5, outputs, output->name, output->columns, 2);
    if (track) sn_layout_write_output(&w->h5, track->dataset, model, output);
    const char *open = w->simulation->open ? w->simulation->open[i] : NULL;
    if (track && open) sn_h5_text(&w->h5, track->dataset, "not_unique", open);
  }
  sn_h5_close(outputs);
}

/* Bodies lie one after the other in q, in the order of the model; those without coordinates get a group only. */
static void write_bodies(sn_writer *w) {
  const sn_model *model = w->simulation->model;
  const hid_t bodies = sn_h5_group(&w->h5, w->h5.file, "bodies");
  const size_t q = w->tracks.width;
  for (int i = 0; i < model->bodies && !w->h5.failed; ++i) {
    const sn_body *body = &model->body[i];
    const hid_t group = sn_h5_group(&w->h5, bodies, body->name);
    sn_drawing_write_body(&w->h5, group, body);
    if (body->count) {
      w->tracks.width = q + (size_t)body->first;
      sn_track_add(&w->tracks, &w->h5, group, "coordinates", body->count, 2);
    }
    sn_h5_close(group);
  }
  w->tracks.width = q + (size_t)model->n;
  sn_h5_close(bodies);
}

/* A group of datasets with one column each. */
static void write_columns(sn_writer *w, const char *name, const char *const *columns, int count,
                          const char *const *units) {
  const hid_t group = sn_h5_group(&w->h5, w->h5.file, name);
  for (int i = 0; i < count && !w->h5.failed; ++i) {
    const sn_track *track = sn_track_add(&w->tracks, &w->h5, group, columns[i], 1, 1);
    if (track) sn_h5_text(&w->h5, track->dataset, "units", units[i]);
  }
  sn_h5_close(group);
}

static void write_momentum(sn_writer *w) {
  static const char *const names[] = {"linear", "angular"};
  static const char *const units[] = {"kg m/s", "kg m2/s"};
  const hid_t group = sn_h5_group(&w->h5, w->h5.file, "momentum");
  for (int i = 0; i < 2; ++i) {
    const sn_track *track = sn_track_add(&w->tracks, &w->h5, group, names[i], 3, 2);
    if (track) sn_h5_text(&w->h5, track->dataset, "units", units[i]);
  }
  sn_h5_close(group);
}

static double expected_rows(const sn_simulation *simulation) {
  if (simulation->stages == 1 && !simulation->analysis->every_step)
    return ceil((simulation->end - simulation->state.t) / simulation->output_step) + 2;
  double rows = 1;
  for (int i = 0; i < simulation->stages; ++i) {
    const sn_analysis_ops *ops = sn_stage_ops(simulation->stage_spec[i]);
    rows += 2 + (ops->rows ? ops->rows(simulation->stage_spec[i]) : 0);
  }
  return rows;
}

/* What touched: numbers over time, and a row for each contact of each row of time. */
static void write_contacts(sn_writer *w) {
  static const char *const names[] = {"count", "first", "penetration"}, *const units[] = {"", "", "m"};
  static const struct {
    const char *name, *unit;
    int columns;
  } data[] = {{"surfaces", "", 2}, {"points", "m", 3}, {"normals", "", 3}, {"forces", "N", 3}, {"gaps", "m", 1}};
  const sn_model *model = w->simulation->model;
  const sn_surfaces *s = model->surfaces;
  const hid_t group = sn_h5_group(&w->h5, w->h5.file, "contacts");
  for (int i = 0; i < 3; ++i) {
    const sn_track *track = sn_track_add(&w->tracks, &w->h5, group, names[i], 1, 1);
    if (track) sn_h5_text(&w->h5, track->dataset, "units", units[i]);
  }
  sn_tracks_create(&w->touches, &w->arena, (int)SN_COUNT(data), 10 * w->tracks.expected);
  for (size_t i = 0; i < SN_COUNT(data); ++i) {
    const int rank = data[i].columns > 1 ? 2 : 1;
    const sn_track *track = sn_track_add(&w->touches, &w->h5, group, data[i].name, data[i].columns, rank);
    if (track) sn_h5_text(&w->h5, track->dataset, "units", data[i].unit);
  }
  const char **name = SN_NEW(&w->arena, const char *, s->surfaces),
             **body = SN_NEW(&w->arena, const char *, s->surfaces);
  for (int i = 0; i < s->surfaces; ++i) {
    name[i] = s->surface[i].name;
    body[i] = model->body[s->surface[i].body].name;
  }
  sn_h5_texts(&w->h5, group, "surfaces", name, s->surfaces);
  sn_h5_texts(&w->h5, group, "bodies", body, s->surfaces);
  sn_drawing_write_solids(&w->h5, group, s);
  sn_h5_close(group);
}

/* Forces that are not the same all the time. */
static void write_forces(sn_writer *w) {
  const sn_model *model = w->simulation->model;
  const hid_t forces = sn_h5_group(&w->h5, w->h5.file, "forces");
  w->vector = SN_NEW(&w->arena, const sn_expr *const *, model->forces + 1);
  for (int i = 0; i < model->forces && !w->h5.failed; ++i) {
    const sn_expr *const *f = sn_layout_vector(model->force[i].spec);
    if (!f || (sn_expr_is_constant(f[0]) && sn_expr_is_constant(f[1]) && sn_expr_is_constant(f[2]))) continue;
    const hid_t group = sn_h5_group(&w->h5, forces, model->force[i].spec->name);
    if (sn_track_add(&w->tracks, &w->h5, group, "vectors", 3, 2)) w->vector[w->vectors++] = f;
    sn_h5_close(group);
  }
  sn_h5_close(forces);
}

/* The datasets over time, in the order in which sn_writer_row lays a row out. */
static void write_tracks(sn_writer *w) {
  const sn_simulation *simulation = w->simulation;
  const sn_model *model = simulation->model;
  sn_tracks_create(&w->tracks, &w->arena, model->outputs + model->bodies + model->forces + SN_ENERGIES + SN_LEVELS + 9,
                   expected_rows(simulation));
  const sn_track *time = sn_track_add(&w->tracks, &w->h5, w->h5.file, "time", 1, 1);
  if (time) sn_h5_text(&w->h5, time->dataset, "units", "s");
  const sn_track *step = sn_track_add(&w->tracks, &w->h5, w->h5.file, "step", 1, 1);
  if (step) sn_h5_text(&w->h5, step->dataset, "units", "s");
  sn_track_add(&w->tracks, &w->h5, w->h5.file, "stage", 1, 1);
  sn_track_add(&w->tracks, &w->h5, w->h5.file, "load", 1, 1);
  write_outputs(w);
  write_bodies(w);
  const char *joules[SN_ENERGIES];
  for (int i = 0; i < SN_ENERGIES; ++i) joules[i] = SN_ENERGY_UNIT;
  write_columns(w, "energy", sn_energy_names, SN_ENERGIES, joules);
  write_columns(w, "constraints", sn_level_names, SN_LEVELS, sn_level_units);
  write_momentum(w);
  write_forces(w);
  if (model->surfaces) write_contacts(w);
}

/* Generous: a group with its attributes takes 2 to 4 KiB. */
static size_t header_bytes(const sn_simulation *simulation) {
  const sn_model *model = simulation->model;
  const size_t objects = (size_t)model->bodies + (size_t)model->joints + (size_t)model->forces +
                         (size_t)model->outputs + 28 + (size_t)simulation->stages;
  const size_t bytes = objects * 4096 + model->document->length + (size_t)model->document->parameter_count * 256;
  return bytes + sn_drawing_bytes(model);
}

/* Of a writer that was not closed: a file that has not begun goes, another one stays as after a crash. */
static void release(void *object) {
  sn_writer *w = object;
  sn_h5_begin(&w->h5);
  if (w->h5.file > 0) H5Fclose(w->h5.file);
  sn_h5_end(&w->h5);
  if (!w->begun && w->space >= 0 && !w->in_place && is_ours(w)) unlink(w->part), sn_sums_forget(w->part);
  if (w->space >= 0) close(w->space);
}

static void writer_free(sn_writer *w) {
  if (w->space >= 0) close(w->space);
  sn_arena_free(&w->arena);
  sn_free(w->buffer);
  sn_free(w->touch);
  sn_free(w);
}

/* One number of a dataset over time. */
static double number_at(sn_writer *w, const char *name, hsize_t row) {
  double value = 0;
  const hid_t dataset = H5Dopen2(w->h5.file, name, H5P_DEFAULT);
  if (!sn_h5_ok(&w->h5, dataset)) return 0;
  const hsize_t one = 1;
  const hid_t file = H5Dget_space(dataset), memory = H5Screate_simple(1, &one, NULL);
  H5Sselect_hyperslab(file, H5S_SELECT_SET, &row, NULL, &one, NULL);
  sn_h5_ok(&w->h5, H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, &value));
  H5Sclose(memory);
  H5Sclose(file);
  H5Dclose(dataset);
  return value;
}

/* Contacts up to the last row that stays; those of later rows go. */
static void resume_touches(sn_writer *w) {
  const double most = 9e15; /* whole numbers up to there are exact */
  double rows = 0;
  if (w->rows > 0) rows = number_at(w, "/contacts/first", w->rows - 1) + number_at(w, "/contacts/count", w->rows - 1);
  if (!(rows >= 0 && rows < most)) {
    w->error = EINVAL;
    return;
  }
  w->touch_rows = (hsize_t)rows;
  for (int i = 0; i < w->touches.count; ++i)
    sn_track_write(&w->touches, &w->touches.track[i], &w->h5, w->touch_rows, 0, NULL);
}

/* Everything before the first row of this run; HDF5 is entered. */
static void begin_file(sn_writer *w) {
  sn_journal_open(&w->h5, w->part, w->resumed ? H5F_ACC_RDWR : H5F_ACC_TRUNC);
  if (w->resumed) flush_file(w); /* what is promised begins at its end */
  if (!reserve(w, header_bytes(w->simulation))) return;
  if (w->resumed)
    sn_layout_write_settings(&w->h5, w->simulation);
  else
    sn_layout_write(&w->h5, w->simulation);
  write_tracks(w);
  if (w->resumed && w->touches.count) resume_touches(w);
  for (int i = 0; w->resumed && i < w->tracks.count; ++i)
    sn_track_write(&w->tracks, &w->tracks.track[i], &w->h5, w->rows, 0, NULL); /* rows after the checkpoint go */
  sn_layout_write_status(&w->h5, w->simulation, "running", "");
  flush_file(w);
}

static sn_status open_writer(sn_simulation *simulation, const char *from, long rows, const char *path,
                             sn_writer **writer) {
  *writer = NULL;
  sn_writer *w = sn_new_object(sizeof *w, release);
  w->space = -1;
  w->simulation = simulation;
  w->context = simulation->context;
  w->h5.file = H5I_INVALID_HID;
  w->path = sn_copy_text(&w->arena, path, strlen(path));
  w->part = sn_format(&w->arena, "%s.part", path);
  w->resumed = from != NULL;
  w->rows = (hsize_t)rows;
  sn_status status = prepare(w);
  if (!status && from) status = copy_file(w, from);
  if (!status) {
    sn_h5_begin(&w->h5);
    begin_file(w);
    w->capacity = w->tracks.width ? buffer_bytes / (sizeof(double) * w->tracks.width) : 1;
    if (w->capacity < 1) w->capacity = 1;
    if (w->capacity > longest_buffer) w->capacity = longest_buffer;
    w->buffer = sn_new(w->capacity * (w->tracks.width ? w->tracks.width : 1), sizeof(double));
    w->flushed = sn_wall_time();
    if (w->h5.failed || w->error) {
      status = failure(w);
      if (w->h5.failed) sn_journal_abandon(w->h5.file);
      sn_tracks_close(&w->tracks);
      sn_tracks_close(&w->touches);
      if (w->h5.file >= 0) H5Fclose(w->h5.file);
    }
    sn_h5_end(&w->h5);
  }
  if (status) {
    if (w->space >= 0 && !w->in_place && is_ours(w)) unlink(w->part), sn_sums_forget(w->part);
    writer_free(w);
    return status;
  }
  w->begun = true;
  *writer = w;
  return SN_OK;
}

sn_status sn_writer_open(sn_simulation *simulation, const char *path, sn_writer **writer) {
  return open_writer(simulation, NULL, 0, path, writer);
}

sn_status sn_writer_resume(sn_simulation *simulation, const char *from, long rows, const char *path,
                           sn_writer **writer) {
  return open_writer(simulation, from, rows, path, writer);
}

/* ---- rows ---- */

static void write_touches(sn_writer *w) {
  const size_t count = w->touch_buffered;
  if (!count || !reserve(w, sn_tracks_growth(&w->touches, w->touch_rows, count))) return;
  for (int i = 0; i < w->touches.count; ++i)
    sn_track_write(&w->touches, &w->touches.track[i], &w->h5, w->touch_rows, count, w->touch);
  w->touch_rows += count;
  w->touch_buffered = 0;
}

/* The contacts of a row, into the buffer; and their number, first and largest overlap. */
static double *append_touches(sn_writer *w, const sn_touching *t, double *at) {
  const size_t needed = w->touch_buffered + (size_t)t->count;
  double deepest = 0;
  if (needed > w->touch_capacity) {
    SN_RESIZE(w->touch, 2 * needed * SN_TOUCH_COLUMNS);
    w->touch_capacity = 2 * needed;
  }
  *at++ = t->count;
  *at++ = (double)(w->touch_rows + w->touch_buffered);
  for (int i = 0; i < t->count; ++i) {
    const sn_contact *x = t->contact[i];
    double *to = w->touch + SN_TOUCH_COLUMNS * w->touch_buffered++;
    for (int k = 0; k < 2; k++) to[k] = sn_contact_surface_number(t->contacts, x, k);
    memcpy(to + 2, x->point, sizeof x->point);
    memcpy(to + 5, x->normal, sizeof x->normal);
    memcpy(to + 8, x->force, sizeof x->force);
    to[11] = x->gap;
    deepest = fmax(deepest, -x->gap);
  }
  *at++ = deepest;
  return at;
}

/* Give the buffered rows to HDF5; with `flush` bring the file itself up to date. */
static void write_rows(sn_writer *w, bool flush) {
  sn_tracks *tracks = &w->tracks;
  const size_t count = w->buffered;
  if (w->error || w->h5.failed || !reserve(w, sn_tracks_growth(tracks, w->rows, count))) return;
  write_touches(w);
  if (count) {
    for (int i = 1; i < tracks->count; ++i)
      sn_track_write(tracks, &tracks->track[i], &w->h5, w->rows, count, w->buffer);
  }
  if (count) sn_track_write(tracks, &tracks->track[0], &w->h5, w->rows, count, w->buffer);
  if (flush) flush_file(w); /* all at once or not at all */
  w->rows += count;
  w->buffered = 0;
}

static double *append(double *at, const double *values, size_t count) {
  if (count) memcpy(at, values, sizeof(double) * count);
  return at + count;
}

sn_status sn_writer_row(sn_writer *w, const sn_row *row) {
  if (w->error || w->h5.failed) return failure(w);
  double *at = w->buffer + w->buffered * w->tracks.width;
  *at++ = row->t;
  *at++ = row->step;
  *at++ = row->stage + 1;
  *at++ = row->load;
  at = append(at, row->values, (size_t)w->simulation->output_columns);
  at = append(at, row->q, (size_t)w->simulation->model->n);
  at = append(at, row->energy, SN_ENERGIES);
  at = append(at, row->constraint, SN_LEVELS);
  at = append(at, row->momentum, 6);
  for (int i = 0; i < w->vectors; ++i)
    for (int k = 0; k < 3; ++k) *at++ = sn_expr_value(w->vector[i][k], row->t);
  if (row->touching.contacts) append_touches(w, &row->touching, at);
  if (w->error) return failure(w);
  ++w->buffered;

  const double now = sn_wall_time();
  const bool due = now - w->flushed >= fmax(flush_interval, 20 * w->flush_time);
  if (!due && w->buffered < w->capacity && w->touch_buffered < longest_touches) return SN_OK;
  sn_h5_begin(&w->h5);
  write_rows(w, due);
  sn_h5_end(&w->h5);
  if (due) {
    w->flushed = sn_wall_time();
    w->flush_time = w->flushed - now;
  }
  return w->error || w->h5.failed ? failure(w) : SN_OK;
}

const char *sn_writer_path(const sn_writer *w) {
  return w->path;
}

sn_h5 *sn_writer_h5(sn_writer *w) {
  return &w->h5;
}

long sn_writer_rows(const sn_writer *w) {
  return (long)w->rows + (long)w->buffered;
}

void sn_writer_checkpoint(sn_writer *w, const sn_history *history, long rows) {
  sn_h5_begin(&w->h5);
  write_rows(w, false);
  if (!w->error && reserve(w, sizeof(double) * history->count + 65536))
    sn_checkpoint_commit(&w->h5, sn_checkpoint_write(&w->h5, history, rows));
  flush_file(w);
  sn_h5_end(&w->h5);
}

void sn_writer_stage(sn_writer *w, int stage, double begin, long first_row) {
  const sn_modes *modes = w->simulation->modes;
  sn_h5_begin(&w->h5);
  if (modes && modes->stage == stage &&
      reserve(w, (size_t)modes->count * sizeof(double) * (size_t)w->simulation->model->n + 65536)) {
    sn_layout_write_modes(&w->h5, w->simulation->model, modes, first_row);
    flush_file(w);
  }
  sn_layout_end_stage(&w->h5, w->simulation, stage, begin, first_row, sn_writer_rows(w) - first_row);
  sn_h5_end(&w->h5);
}

/* ---- closing ---- */

static const char *status_word(sn_status status) {
  if (status == SN_OK) return "done";
  return status == SN_INTERRUPTED ? "interrupted" : "failed";
}

/* The name itself, to the disk; where a folder cannot be synchronized, nothing is lost but the promise. */
static void sync_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  char folder[4096] = ".";
  if (slash) snprintf(folder, sizeof folder, "%.*s", slash > path ? (int)(slash - path) : 1, path);
  const int opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return;
  fsync(opened);
  close(opened);
}

/* Close the file, cut off what was reserved and not used, and move it into place. */
static void finish(sn_writer *w) {
  flush_file(w);
  if (w->h5.failed) sn_journal_abandon(w->h5.file);
  sn_tracks_close(&w->tracks);
  sn_tracks_close(&w->touches);
  sn_h5_ok(&w->h5, H5Fclose(w->h5.file));
  w->h5.file = H5I_INVALID_HID;
  if (w->h5.failed) return;
  struct stat now;
  w->unsummed = !sn_sums_finish(w->space, w->part);
  if (w->unsummed && !fstat(w->space, &now) && now.st_size > (off_t)w->promised &&
      sn_truncate(w->space, (long long)w->promised)) {
    /* the tail stays; HDF5 ignores it */
  }
  if (fsync(w->space) && errno != EINVAL && errno != ENOSYS) w->h5.failed = true, w->h5.error = errno;
  if (!is_ours(w)) {
    w->h5.failed = true, w->h5.error = ENOENT; /* somebody has taken the part file away */
    return;
  }
  if (sn_rename(w->part, w->path)) w->h5.failed = true, w->h5.error = errno;
  sync_folder(w->path);
}

sn_status sn_writer_close(sn_writer *w, sn_status status, const char *message) {
  if (!w) return SN_OK;
  sn_h5_begin(&w->h5);
  write_rows(w, true);
  if (w->error || w->h5.failed) {
    status = failure(w);
    message = sn_message(w->context);
  }
  sn_simulation_statistics(w->simulation); /* brings times up to date */
  w->simulation->verdict = sn_judge(w->simulation, status);
  const bool full = w->error != 0;
  sn_layout_write_status(&w->h5, w->simulation, status_word(status), message);
  finish(w);
  sn_h5_end(&w->h5);
  sn_status outcome = SN_OK;
  if (w->h5.failed) {
    outcome = sn_fail(w->context, SN_IO, "cannot write %s: %s (rows so far may be in %s)", w->path,
                      full ? strerror(w->error) : sn_h5_reason(&w->h5), w->part);
  } else if (full) {
    outcome = SN_IO; /* the message is set */
  } else if (w->unsummed) {
    outcome = sn_fail(w->context, SN_IO,
                      "%s is complete, but has no checksums: there was not enough space or memory for them\n  possible "
                      "remedy: more space, and a new run",
                      w->path);
  }
  writer_free(w);
  return outcome;
}
