/* tree_order.h - which joints of rigid bodies make a tree, which close loops, and an order of the bodies for it.
 *
 * Private to src/system. Vertices are the bodies and the ground, edges are pairs of bodies that are joined, with all
 * their equations. The tree takes edges with many equations first, so that few are left to close loops. Bodies that
 * are joined, the ground left out, are one mechanism and follow each other.
 */
#ifndef SN_TREE_ORDER_H
#define SN_TREE_ORDER_H

#include "base/base.h"

/* A primitive or a relation between two bodies; end[1] -1: the ground. */
typedef struct sn_tree_link {
  int rows, end[2];
} sn_tree_link;

typedef struct sn_tree_order {
  int *order;  /* [bodies] by their place: parents before children */
  int *place;  /* [bodies] its inverse */
  int *parent; /* [bodies] by their numbers; -1: the ground, or none */
  bool *cut;   /* [links] it closes a loop */
  int mechanisms;
  int *first; /* [mechanisms + 1] places */
} sn_tree_order;

/* Everything is in the arena. False: bodies are joined by more than `most` equations. */
bool sn_tree_order_find(sn_arena *arena, int bodies, int links, const sn_tree_link *link, int most, sn_tree_order *out);

#endif
