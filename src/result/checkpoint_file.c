/* checkpoint_file.c - checkpoints in result files, and the checks before a run is resumed. */
#include "result/checkpoint_file.h"

#include <stdlib.h>
#include <string.h>

#include "result/result.h"
#include "result/store.h"

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

/* The one that counts. False: there is none. */
static bool read_checkpoint(sn_store *store, sn_history *history, long *rows, sn_arena *arena) {
  const sn_object *group = sn_store_describe(store, "/checkpoint", true, arena);
  const long slot = sn_object_integer(group, "current", 0);
  const sn_object *node = sn_object_member(group, slot == 1 ? "1" : "2", SN_OBJECT_NUMBERS);
  if ((slot != 1 && slot != 2) || !node || node->rank != 1 || !node->rows) return false;
  sn_history_clear(history);
  double *data = SN_RESIZE(history->data, node->rows);
  history->capacity = history->count = node->rows;
  *rows = sn_object_integer(node, "rows", -1);
  const sn_object *time = sn_store_describe(store, "/time", false, arena);
  if (!time || time->kind != SN_OBJECT_NUMBERS || *rows < 0 || (size_t)*rows > time->rows) return false;
  const sn_rows all = {.path = slot == 1 ? "/checkpoint/1" : "/checkpoint/2",
                       .count = node->rows,
                       .stride = 1,
                       .columns = 1,
                       .width = sizeof *data};
  return sn_store_rows(store, &all, data);
}

/* ---- does it belong to the model? ---- */

/* First parameter that had another value, or NULL. */
static const char *changed_parameter(sn_store *store, const sn_document *document, sn_arena *arena) {
  const char *changed = NULL;
  const sn_object *group = sn_store_describe(store, "/parameters", false, arena);
  for (int i = 0; group && i < document->parameter_count && !changed; ++i) {
    const char *name = document->parameter_name[i];
    const char *word = document->parameter_word ? document->parameter_word[i] : NULL;
    const double value = document->parameter_value[i];
    const bool same = word ? strcmp(sn_object_text(group, name), word) == 0
                           : sn_object_real(group, name, value + 1) == value || value != value;
    if (!same) changed = name;
  }
  return changed;
}

static sn_status compare_models(sn_store *store, const sn_model *model, const char *path, sn_arena *arena) {
  const sn_document *document = model->document;
  size_t length = 0;
  char *text = sn_store_text(store, "/model", &length);
  const bool same = text && length == (document->length ? document->length : 1) &&
                    memcmp(text, document->source, document->length) == 0;
  sn_free(text);
  if (!same)
    return sn_fail(model->context, SN_USAGE,
                   "%s belongs to another model than %s, or to an earlier version of it\n  possible remedy: a new run, "
                   "or the model stored in the result (h5dump -d model %s)",
                   path, document->path, path);
  const char *changed = changed_parameter(store, document, arena);
  if (!changed) return SN_OK;
  return sn_fail(model->context, SN_USAGE,
                 "parameter %s had a different value in %s\n  possible remedy: use the same --set as in that run",
                 changed, path);
}

sn_status sn_resume_read(const sn_model *model, const char *path, sn_resume *resume) {
  sn_store *store = NULL;
  sn_arena arena = {0};
  sn_checked checked;
  sn_status status = sn_result_check(model->context, path, &checked, NULL, NULL);
  if (status) return status; /* a damaged file is not resumed */
  status = sn_store_open(model->context, path, false, &store);
  if (status) return status;
  status = compare_models(store, model, path, &arena);
  if (!status && !read_checkpoint(store, &resume->history, &resume->rows, &arena))
    status = sn_fail(
        model->context, SN_USAGE,
        "%s has no checkpoint\n  runs of dynamics write one at their end, and with --checkpoint T also during the run",
        path);
  resume->interval = sn_object_real(sn_store_describe(store, "/settings", false, &arena), "checkpoint", 0);
  const char *trouble = sn_store_trouble(store);
  if (trouble) status = sn_fail(model->context, SN_IO, "cannot read %s: %s", path, trouble);
  sn_store_close(store);
  sn_arena_free(&arena);
  return status;
}
