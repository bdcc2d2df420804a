/* islands.h - groups of contacts that are connected by moving bodies, directly or through others. Heaps that do not
 * touch each other are independent problems, solved one by one. */
#ifndef SN_ISLANDS_H
#define SN_ISLANDS_H

typedef struct sn_islands {
  int count;  /* islands */
  int *order; /* [pairs] the pairs island by island, those of one in the order they were given */
  int *start; /* [count + 1] its pairs in `order` */
  int components_capacity, pairs_capacity;
  int *parent; /* [components] */
  int *island; /* [components] of a root */
  int *of;     /* [pairs] */
} sn_islands;

/* Pair i joins the components component[2 i] and component[2 i + 1]; -1: ground, which joins nothing. Not both are -1.
 * Islands are numbered by their first pair. */
void sn_islands_find(sn_islands *islands, int components, int pairs, const int *component);
void sn_islands_free(sn_islands *islands);

#endif
