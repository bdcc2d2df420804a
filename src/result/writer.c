/* writer.c - result files while they grow.
 *
 * A file is written as "PATH.part" and renamed when closed, so that PATH is always whole. The part file is locked from
 * its first byte to its last name (writer_part.c). For the case that nobody lives to close it, it is brought up to date
 * about once a second, from one consistent state to the next (journal.h). The length of /time counts the rows that can
 * be trusted.
 *
 * HDF5 does not survive a full disk well: it cannot close a file whose cache it cannot write. So the space for the
 * rows is reserved before HDF5 hears of them, and what is written at the end overwrites fields that exist. A run that
 * fills the disk then still closes its file, with all rows up to there and the reason.
 */
#include "result/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/events.h"
#include "base/whole_file.h"
#include "model/formula.h"
#include "result/checkpoint_file.h"
#include "result/journal.h"
#include "result/layout.h"
#include "result/sums.h"

enum { longest_buffer = 256, buffer_bytes = 1 << 20, longest_touches = 1 << 14 };
static const double flush_interval = 1.0; /* [s] of wall time */

sn_status sn_writer_failure(sn_writer *w) {
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

/* Of a writer that was not closed: a file that has not begun goes, another one stays as after a crash. */
static void release(void *object) {
  sn_writer *w = object;
  sn_h5_begin(&w->h5);
  if (w->h5.file > 0) H5Fclose(w->h5.file);
  sn_h5_end(&w->h5);
  if (!w->begun && w->space >= 0 && !w->in_place && sn_writer_owns_part(w)) unlink(w->part), sn_sums_forget(w->part);
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
  if (w->resumed) { /* what is promised begins at its end, where its sums stood until it had others */
    flush_file(w);
    if (!w->h5.failed && sn_truncate(w->space, (long long)w->promised)) w->error = errno;
  }
  if (!reserve(w, sn_writer_head_bytes(w->simulation))) return;
  if (w->resumed)
    sn_layout_write_settings(&w->h5, w->simulation);
  else
    sn_layout_write(&w->h5, w->simulation);
  sn_writer_make_datasets(w);
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
  sn_status status = sn_writer_prepare(w);
  if (!status && from) status = sn_writer_copy(w, from);
  if (!status) {
    sn_h5_begin(&w->h5);
    begin_file(w);
    w->capacity = w->tracks.width ? buffer_bytes / (sizeof(double) * w->tracks.width) : 1;
    if (w->capacity < 1) w->capacity = 1;
    if (w->capacity > longest_buffer) w->capacity = longest_buffer;
    w->buffer = sn_new(w->capacity * (w->tracks.width ? w->tracks.width : 1), sizeof(double));
    w->flushed = sn_wall_time();
    if (w->h5.failed || w->error) {
      status = sn_writer_failure(w);
      if (w->h5.failed) sn_journal_abandon(w->h5.file);
      sn_tracks_close(&w->tracks);
      sn_tracks_close(&w->touches);
      if (w->h5.file >= 0) H5Fclose(w->h5.file);
    }
    sn_h5_end(&w->h5);
  }
  if (status) {
    if (w->space >= 0 && !w->in_place && sn_writer_owns_part(w)) unlink(w->part), sn_sums_forget(w->part);
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
  assert(row->stage >= 0 && w->buffered < w->capacity);
  if (w->error || w->h5.failed) return sn_writer_failure(w);
  double *at = w->buffer + w->buffered * w->tracks.width;
  *at++ = row->t;
  *at++ = row->step;
  *at++ = row->stage + 1;
  *at++ = row->load;
  if (sn_has_path(w->simulation)) at = append(at, row->stability, SN_STABILITIES);
  at = append(at, row->values, (size_t)w->simulation->output_columns);
  at = append(at, row->q, (size_t)w->simulation->model->n);
  at = append(at, row->energy, SN_ENERGIES);
  at = append(at, row->constraint, SN_LEVELS);
  at = append(at, row->momentum, 6);
  sn_eval eval = sn_eval_at(w->simulation, &w->simulation->sample); /* which the row was made of */
  eval.t = row->t, eval.q = row->q, eval.v = row->v;
  for (int i = 0; i < w->vectors; ++i)
    for (int k = 0; k < 3; ++k) *at++ = sn_value_of_expression(w->simulation->model, w->vector[i][k], &eval);
  if (row->touching.contacts) append_touches(w, &row->touching, at);
  if (w->error) return sn_writer_failure(w);
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
  return w->error || w->h5.failed ? sn_writer_failure(w) : SN_OK;
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
  assert(!history->loading && rows >= 0 && rows <= sn_writer_rows(w));
  sn_h5_begin(&w->h5);
  write_rows(w, false);
  if (!w->error && reserve(w, sizeof(double) * history->count + 65536))
    sn_checkpoint_commit(&w->h5, sn_checkpoint_write(&w->h5, history, rows));
  flush_file(w);
  sn_h5_end(&w->h5);
}

void sn_writer_stage(sn_writer *w, int stage, double begin, long first_row) {
  assert(stage >= 0 && first_row >= 0 && first_row <= sn_writer_rows(w));
  const sn_modes *modes = w->simulation->modes;
  sn_h5_begin(&w->h5);
  if (modes && modes->stage == stage &&
      reserve(w, 2 * (size_t)modes->count * sizeof(double) * (size_t)w->simulation->model->n + 65536)) {
    sn_layout_write_modes(&w->h5, w->simulation->model, modes, first_row);
    flush_file(w);
  }
  const sn_linear *linear = w->simulation->linear;
  if (linear && linear->stage == stage) {
    const size_t s = (size_t)linear->states, all = (s + (size_t)linear->outputs) * (s + (size_t)linear->inputs);
    if (reserve(w, sizeof(double) * all + 65536)) sn_layout_write_linear(&w->h5, linear, first_row);
    flush_file(w);
  }
  const sn_event_info *list;
  if (w->simulation->model->events && reserve(w, sizeof *list * (size_t)sn_events_list(w->simulation, &list) + 65536)) {
    sn_layout_write_events(&w->h5, w->simulation);
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
  const int error = sn_writer_rename(w);
  if (error) w->h5.failed = true, w->h5.error = error;
}

sn_status sn_writer_close(sn_writer *w, sn_status status, const char *message) {
  if (!w) return SN_OK;
  const double begin = sn_wall_time();
  sn_h5_begin(&w->h5);
  write_rows(w, true);
  w->simulation->system->statistics.time_output += sn_wall_time() - begin;
  if (w->error || w->h5.failed) {
    status = sn_writer_failure(w);
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
