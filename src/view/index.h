/* index.h - a result file as the page sees it: a tree of everything in it, and rows of its datasets. */
#ifndef SN_VIEW_INDEX_H
#define SN_VIEW_INDEX_H

#include "sinew/program.h"
#include "view/text.h"

/* The whole file as JSON: a group is {"attributes": {...}, "groups": {...}, "datasets": {...}}, a dataset of numbers
 * {"shape": [rows, columns], "attributes": {...}}, a text {"text": "..."}. Links to elsewhere are left out.
 * False: not all of it could be read. */
bool sn_view_index(sn_result *result, sn_text *json);

/* A dataset of numbers that lies in the file itself, not in another one the file points to. */
typedef struct sn_view_shape {
  size_t rows, columns; /* of rank 1: one column */
} sn_view_shape;
bool sn_view_shape_of(sn_result *result, const char *path, sn_view_shape *shape);

/* Every such dataset of a file. The visitor may read from the result. */
void sn_view_each(sn_result *result, void (*visit)(void *user, const char *path, sn_view_shape shape), void *user);

/* Rows first, first + stride, ... (count of them) of a dataset, as 4-byte or 8-byte floats of this machine, row by row,
 * to `out`, which has room for them. False: there is no such dataset, or not so many rows. */
bool sn_view_rows(sn_result *result, const char *path, size_t first, size_t count, size_t stride, size_t width,
                  void *out);

/* The same of the coordinates of all bodies side by side, in the order of the file, and how many there are. */
size_t sn_view_width(sn_result *result);
bool sn_view_coordinates(sn_result *result, size_t first, size_t count, size_t stride, size_t width, void *out);

/* How many rows are complete, and the status of the run. */
size_t sn_view_state(sn_result *result, char status[16]);

#endif
