/* crafted.h - result files as an attacker would make them with HDF5 itself. */
#ifndef CRAFTED_H
#define CRAFTED_H

#include <hdf5.h>

typedef struct crafted {
  const char *what;
  void (*make)(hid_t file); /* change an open result */
} crafted;
extern const crafted crafted_files[];
extern const int crafted_count;

#endif
