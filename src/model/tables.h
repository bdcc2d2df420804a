/* tables.h - what the user writes about tables. */
#ifndef SN_TABLES_H
#define SN_TABLES_H

#include "model/field.h"

typedef struct sn_table_spec {
  sn_spec spec;
  sn_reals x, y;
  int interpolation; /* 0 linear, 1 cubic */
  int extrapolation; /* sn_extrapolation */
} sn_table_spec;

#endif
