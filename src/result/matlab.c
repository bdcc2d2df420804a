/* matlab.c - MAT-files of level 5: a head of 128 bytes, then a data element for each variable. An element is its type,
 * its length in bytes, and the data, filled up to a multiple of eight; a matrix is an element of elements: flags with the
 * class, dimensions, name, values by columns. All numbers are written as they are here, and the head says in which order
 * of bytes. */
#include <stdint.h>
#include <string.h>

#include "result/state_space.h"

enum { INT8 = 1, UINT16 = 4, INT32 = 5, UINT32 = 6, DOUBLE = 9, MATRIX = 14 }; /* types of data */
enum { CELLS = 1, CHARACTERS = 4, NUMBERS = 6 };                               /* classes of matrices */

static size_t padded(size_t bytes) {
  return (bytes + 7) / 8 * 8;
}

static void put_tag(FILE *out, uint32_t type, size_t bytes) {
  const uint32_t tag[2] = {type, (uint32_t)bytes};
  fwrite(tag, sizeof tag, 1, out);
}

static void put_element(FILE *out, uint32_t type, const void *data, size_t bytes) {
  static const char zeros[8] = {0};
  put_tag(out, type, bytes);
  if (bytes) fwrite(data, 1, bytes, out);
  fwrite(zeros, 1, padded(bytes) - bytes, out);
}

/* Bytes of flags, dimensions and name. */
static size_t head_bytes(const char *name) {
  return 16 + 16 + 8 + padded(strlen(name));
}

static void put_head(FILE *out, uint32_t class, const char *name, size_t rows, size_t columns, size_t data) {
  const uint32_t flags[2] = {class, 0};
  const int32_t size[2] = {(int32_t)rows, (int32_t)columns};
  put_tag(out, MATRIX, head_bytes(name) + data);
  put_element(out, UINT32, flags, sizeof flags);
  put_element(out, INT32, size, sizeof size);
  put_element(out, INT8, name, strlen(name));
}

static void put_matrix(FILE *out, const char *name, const double *value, size_t rows, size_t columns) {
  const size_t bytes = rows * columns * sizeof(double);
  put_head(out, NUMBERS, name, rows, columns, 8 + bytes);
  put_tag(out, DOUBLE, bytes);
  for (size_t k = 0; k < columns; ++k)
    for (size_t i = 0; i < rows; ++i) fwrite(&value[i * columns + k], sizeof(double), 1, out);
}

/* Bytes of a text as a matrix of characters, with its tag. */
static size_t text_bytes(const char *text) {
  return 8 + head_bytes("") + 8 + padded(2 * strlen(text));
}

static void put_text(FILE *out, const char *text) {
  const size_t length = strlen(text);
  put_head(out, CHARACTERS, "", length ? 1 : 0, length, 8 + padded(2 * length));
  put_tag(out, UINT16, 2 * length);
  for (size_t i = 0; i < padded(2 * length) / 2; ++i) {
    const uint16_t letter = i < length ? (uint16_t)(unsigned char)text[i] : 0;
    fwrite(&letter, sizeof letter, 1, out);
  }
}

static void put_names(FILE *out, const char *name, const char *const *text, size_t count) {
  size_t bytes = 0;
  for (size_t i = 0; i < count; ++i) bytes += text_bytes(text[i]);
  put_head(out, CELLS, name, count, count ? 1 : 0, bytes);
  for (size_t i = 0; i < count; ++i) put_text(out, text[i]);
}

void sn_write_matlab(FILE *out, const sn_state_space *s) {
  static const char title[] = "MATLAB 5.0 MAT-file, written by sinew";
  char head[124];
  const uint16_t version[2] = {0x0100, ('M' << 8) | 'I'};
  for (size_t i = 0; i < sizeof head; ++i) head[i] = i < sizeof title - 1 ? title[i] : i < 116 ? ' ' : '\0';
  fwrite(head, 1, sizeof head, out);
  fwrite(version, sizeof version, 1, out);
  put_matrix(out, "A", s->A, s->states, s->states);
  put_matrix(out, "B", s->B, s->states, s->inputs);
  put_matrix(out, "C", s->C, s->outputs, s->states);
  put_matrix(out, "D", s->D, s->outputs, s->inputs);
  put_names(out, "states", s->state, s->states);
  put_names(out, "inputs", s->input, s->inputs);
  put_names(out, "outputs", s->output, s->outputs);
}
