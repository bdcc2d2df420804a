/* tree.h - YAML text to a tree of nodes that remember where they stand. */
#ifndef SN_TREE_H
#define SN_TREE_H

#include "model/field.h"

enum {
  sn_max_file_size = 64 << 20, /* bytes */
  sn_max_depth = 32,           /* collections inside one another */
  sn_max_nodes = 2000000,      /* counting what aliases repeat */
};

/* Is the text fit for parsing: not empty, not too long, UTF-8, free of control characters? Reports what is not. */
bool sn_check_text(sn_reader *reader, const char *text, size_t length);

/* Parse text that passed sn_check_text; positions refer to it. NULL after reporting an error that leaves no tree;
 * duplicate keys are reported too, but the tree is made without them. An alias is the anchored node itself. */
sn_node *sn_parse_tree(sn_reader *reader, const char *text, size_t length);

/* A copy with all that it refers to; an alias becomes a node of its own. */
sn_node *sn_copy_tree(sn_arena *arena, const sn_node *tree);

/* Is the node the empty value: nothing written, '~' or 'null'? */
bool sn_is_nothing(const sn_node *node);
/* The value of a key of a mapping, NULL when it has none; *index (may be NULL) is its number. */
const sn_node *sn_value_of(const sn_node *mapping, const char *key, int *index);

#endif
