/* syntax.h - places in the text and errors of syntax; private to the tree and the messages. */
#ifndef SN_SYNTAX_H
#define SN_SYNTAX_H

#include "model/field.h"

/* A place in the text that moves cheaply to nearby places. Lines end with \n, \r\n or \r. */
typedef struct sn_cursor {
  size_t offset;    /* byte */
  int line, column; /* 1-based, in characters */
} sn_cursor;
void sn_move_cursor(sn_cursor *cursor, const char *text, size_t offset);

/* The bytes first..last of a line (1-based) without its end; false when there is no such line. */
bool sn_find_line(const char *text, size_t length, int line, size_t *first, size_t *last);

typedef struct sn_syntax_error {
  int line, column;    /* where the parser stopped, 1-based */
  const char *text;    /* what it said */
  const sn_node *open; /* innermost { or [ that was still open, NULL: none */
  bool open_mapping;
} sn_syntax_error;
/* Report it in the words of this project, at the place a person would look for it. */
void sn_report_syntax(sn_reader *reader, const char *text, size_t length, const sn_syntax_error *error);

#endif
