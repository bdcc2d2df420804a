/* tree_text.h - a tree of nodes as YAML text that is read back as the same tree. */
#ifndef SN_TREE_TEXT_H
#define SN_TREE_TEXT_H

#include "model/tree.h"

typedef struct sn_text { /* grows */
  char *at;
  size_t length, capacity;
} sn_text;

/* A value in one line: {a: 1, b: [2, 3]}. */
void sn_write_flow(sn_text *text, const sn_node *node);
/* A whole file: the two outer levels of mappings with a line for each entry, what is inside of them in one line. */
void sn_write_file(sn_text *text, const sn_node *root);

#endif
