/* checkpoint_file.c - checkpoints in result files, and what a file must hold for a model to go on from it. */
#include "result/checkpoint_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/journal.h"
#include "result/result.h"

/* ---- the datasets ---- */

static hid_t make_dataset(sn_h5 *h5, hid_t group, const char *name, hsize_t count) {
  if (H5Lexists(group, name, H5P_DEFAULT) > 0) return H5Dopen2(group, name, H5P_DEFAULT);
  const hsize_t none = 0, any = H5S_UNLIMITED, chunk = count < 1 << 14 ? count : 1 << 14;
  const hid_t space = H5Screate_simple(1, &none, &any), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 1, &chunk);
  const hid_t dataset = H5Dcreate2(group, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  sn_h5_ok(h5, dataset);
  H5Pclose(creation);
  H5Sclose(space);
  return dataset;
}

int sn_checkpoint_write(sn_h5 *h5, const sn_history *history, long rows) {
  if (h5->failed) return 0;
  const hid_t group = sn_h5_group(h5, h5->file, "checkpoint");
  if (group < 0) return 0;
  const long current = sn_h5_get_integer(group, "current", 0);
  const int slot = current == 1 ? 2 : 1;
  const hsize_t count = history->count;
  const hid_t dataset = make_dataset(h5, group, slot == 1 ? "1" : "2", count);
  if (sn_h5_ok(h5, dataset) && sn_h5_ok(h5, H5Dset_extent(dataset, &count))) {
    sn_h5_ok(h5, H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, history->data));
    sn_h5_integer(h5, dataset, "rows", rows);
  }
  if (dataset >= 0) H5Dclose(dataset);
  sn_h5_integer(h5, group, "current", current); /* there from the first time on: no space is needed later */
  sn_h5_close(group);
  return h5->failed ? 0 : slot;
}

void sn_checkpoint_commit(sn_h5 *h5, int slot) {
  if (h5->failed || slot == 0) return;
  const hid_t group = sn_h5_group(h5, h5->file, "checkpoint");
  sn_h5_integer(h5, group, "current", slot);
  sn_h5_close(group);
}

bool sn_checkpoint_read(sn_h5 *h5, sn_history *history, long *rows) {
  enum { most = 1 << 28 }; /* a damaged file must not make us allocate the world */
  if (H5Lexists(h5->file, "checkpoint", H5P_DEFAULT) <= 0) return false;
  const hid_t group = H5Gopen2(h5->file, "checkpoint", H5P_DEFAULT);
  const long slot = group >= 0 ? sn_h5_get_integer(group, "current", 0) : 0;
  const char *name = slot == 1 ? "1" : "2";
  bool good = false;
  if ((slot == 1 || slot == 2) && H5Lexists(group, name, H5P_DEFAULT) > 0) {
    const hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
    const hid_t space = dataset >= 0 ? H5Dget_space(dataset) : H5I_INVALID_HID;
    hsize_t count = 0;
    if (space >= 0 && H5Sget_simple_extent_ndims(space) == 1) H5Sget_simple_extent_dims(space, &count, NULL);
    sn_history_clear(history);
    if (count > 0 && count < most) {
      history->data = realloc(history->data, count * sizeof(double));
      history->capacity = history->count = history->data ? count : 0;
      good = history->data && H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, history->data) >= 0;
      *rows = sn_h5_get_integer(dataset, "rows", -1);
    }
    if (space >= 0) H5Sclose(space);
    if (dataset >= 0) H5Dclose(dataset);
  }
  sn_h5_close(group);
  return good && *rows >= 0;
}

/* ---- does it belong to the model? ---- */

/* The text of the model, or NULL. */
static char *read_model(sn_h5 *h5, size_t *length) {
  char *text = NULL;
  if (H5Lexists(h5->file, "model", H5P_DEFAULT) <= 0) return NULL;
  const hid_t dataset = H5Dopen2(h5->file, "model", H5P_DEFAULT);
  const hid_t type = dataset >= 0 ? H5Dget_type(dataset) : H5I_INVALID_HID;
  if (type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0) {
    *length = H5Tget_size(type);
    text = malloc(*length + 1);
    if (text && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) {
      free(text);
      text = NULL;
    }
  }
  if (type >= 0) H5Tclose(type);
  if (dataset >= 0) H5Dclose(dataset);
  return text;
}

/* First parameter that had another value, or NULL. */
static const char *changed_parameter(sn_h5 *h5, const sn_document *document) {
  const char *changed = NULL;
  sn_arena arena = {0};
  const hid_t group = H5Gopen2(h5->file, "parameters", H5P_DEFAULT);
  for (int i = 0; group >= 0 && i < document->parameter_count && !changed; ++i) {
    const char *name = document->parameter_name[i];
    const char *word = document->parameter_word ? document->parameter_word[i] : NULL;
    const double value = document->parameter_value[i];
    const bool same = word ? strcmp(sn_h5_get_text(group, name, &arena), word) == 0
                           : sn_h5_get_real(group, name, value + 1) == value || value != value;
    if (!same) changed = name;
  }
  sn_h5_close(group);
  sn_arena_free(&arena);
  return changed;
}

static sn_status compare_models(sn_h5 *h5, const sn_model *model, const char *path) {
  const sn_document *document = model->document;
  size_t length = 0;
  char *text = read_model(h5, &length);
  const bool same = text && length == (document->length ? document->length : 1) &&
                    memcmp(text, document->source, document->length) == 0;
  free(text);
  if (!same)
    return sn_fail(model->context, SN_USAGE,
                   "%s is of another model than %s, or of an earlier text of it\n"
                   "  what may help: a new run; or the text in the file, h5dump -d model %s",
                   path, document->path, path);
  const char *changed = changed_parameter(h5, document);
  if (!changed) return SN_OK;
  return sn_fail(model->context, SN_USAGE,
                 "parameter %s had another value in %s\n  what may help: the same --set as in that run", changed, path);
}

sn_status sn_resume_read(const sn_model *model, const char *path, sn_resume *resume) {
  sn_h5 h5 = {.file = H5I_INVALID_HID};
  sn_checked checked;
  if (sn_result_check(model->context, path, &checked, NULL, NULL)) return SN_IO; /* nothing that is damaged goes on */
  sn_h5_begin(&h5);
  sn_journal_open(&h5, path, H5F_ACC_RDONLY);
  sn_status status = SN_OK;
  if (h5.failed) {
    status = sn_fail(model->context, SN_IO, "cannot read %s: %s", path, sn_h5_reason(&h5));
  } else {
    status = compare_models(&h5, model, path);
    if (!status && !sn_checkpoint_read(&h5, &resume->history, &resume->rows))
      status = sn_fail(model->context, SN_USAGE,
                       "%s has no checkpoint to go on from\n"
                       "  what may help: runs of dynamics leave one at their end, and with --checkpoint T on their way",
                       path);
    const hid_t settings = H5Gopen2(h5.file, "settings", H5P_DEFAULT);
    if (settings >= 0) resume->interval = sn_h5_get_real(settings, "checkpoint", 0);
    sn_h5_close(settings);
    H5Fclose(h5.file);
  }
  sn_h5_end(&h5);
  return status;
}
