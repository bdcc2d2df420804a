/* object.h - an object of a result file as it was described (contents.h): a group with its members, numbers, a text. */
#ifndef SN_RESULT_OBJECT_H
#define SN_RESULT_OBJECT_H

#include "base/base.h"
#include "sinew/contents.h"

typedef struct sn_attribute {
  const char *name;
  sn_value_kind kind;
  bool single;             /* not an array */
  size_t size;             /* of a text that has a field of fixed size */
  size_t count;            /* of values, at least 1 */
  const char *const *text; /* control characters replaced */
  const double *real;
  const int64_t *integer;
} sn_attribute;

struct sn_object {
  sn_object_kind kind;
  const char *name;
  size_t links; /* of a group: how many members the file says it has */
  int rank;
  size_t rows, columns; /* of numbers (columns 1 if the rank is 1); rows of a text: its bytes */
  size_t chunk[2];      /* rows and columns that are stored together; 0: not in chunks */
  sn_attribute *attribute;
  size_t attributes;
  struct sn_object *member;
  size_t members;
};

/* Parse a description, which may be malicious. NULL: invalid. The sizes it contains fit into `file_bytes`. */
const sn_object *sn_object_read(const unsigned char *bytes, size_t count, uint64_t file_bytes, sn_arena *arena);

const sn_object *sn_object_member(const sn_object *node, const char *name,
                                  sn_object_kind kind); /* NULL: there is none */
/* Attributes; what is missing, of another kind or not a single value reads as the value given. `node` may be NULL. */
const sn_attribute *sn_object_attribute(const sn_object *node, const char *name, sn_value_kind kind);
double sn_object_real(const sn_object *node, const char *name, double missing);
long sn_object_integer(const sn_object *node, const char *name, long missing);

#endif
