/* h5.h - the little of HDF5 that result files use, with failures that stick.
 *
 * After the first failure every later call on the same sn_h5 does nothing, so that a page of writing needs one test
 * at its end, and the reason kept is that of the first failure, not of its consequences.
 */
#ifndef SN_H5_H
#define SN_H5_H

#include <hdf5.h>

#include "base/base.h"

typedef struct sn_h5 sn_h5;
struct sn_h5 {
  hid_t file;
  bool failed;
  int error;         /* errno of the first failure; 0: unknown */
  char detail[160];  /* what HDF5 says about it, for when errno is unknown */
  H5E_auto2_t print; /* the program's own error printing, while ours is off */
  void *print_data;
  sn_undo undo; /* HDF5 is left when memory is missing inside */
};

/* Every entry into HDF5 stands between these two: HDF5 must not print, and a program that links the library keeps
 * its own setting. One thread at a time gets in; they do not nest. */
void sn_h5_begin(sn_h5 *h5);
void sn_h5_end(sn_h5 *h5);

/* For sn_undo: closes the file of an sn_h5. */
void sn_h5_drop_file(void *h5);

/* Take the result of an HDF5 call: false, and the failure noted, when it is negative. */
bool sn_h5_ok(sn_h5 *h5, hid_t result);
/* The reason of the first failure in words. */
const char *sn_h5_reason(const sn_h5 *h5);

/* ---- writing; an attribute that exists is overwritten in place ---- */
hid_t sn_h5_group(sn_h5 *h5, hid_t parent, const char *name); /* made or opened; to be closed with sn_h5_close */
void sn_h5_close(hid_t object);
void sn_h5_text(sn_h5 *h5, hid_t object, const char *name, const char *text); /* NULL is written as "" */
void sn_h5_texts(sn_h5 *h5, hid_t object, const char *name, const char *const *texts, int count);
/* Text in a field of fixed size, cut to fit, so that rewriting it takes no new space in the file. */
void sn_h5_text_field(sn_h5 *h5, hid_t object, const char *name, const char *text, size_t size);
void sn_h5_real(sn_h5 *h5, hid_t object, const char *name, double value);
void sn_h5_reals(sn_h5 *h5, hid_t object, const char *name, const double *values, int count);
void sn_h5_integer(sn_h5 *h5, hid_t object, const char *name, long value);
/* A dataset of numbers, rows x columns (columns 0: one index only), row after row `stride` numbers apart. */
void sn_h5_table(sn_h5 *h5, hid_t parent, const char *name, const double *values, size_t rows, size_t columns,
                 size_t stride);
/* A scalar dataset that holds one text. */
void sn_h5_text_dataset(sn_h5 *h5, const char *name, const char *text, size_t length);

/* A number of a file of our own, `missing` if there is none. Files from elsewhere are read by contents.h. */
long sn_h5_get_integer(hid_t object, const char *name, long missing);

#endif
