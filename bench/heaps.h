/* heaps.h - models of bench_contact.c: cables in heaps, and simulations of them. */
#ifndef SN_BENCH_HEAPS_H
#define SN_BENCH_HEAPS_H

#include "analysis/simulation.h"

typedef struct world {
  sn_context *context;
  sn_model *model;
  sn_simulation *simulation;
} world;

/* Prints the message of a failure and exits. */
void need(sn_context *context, sn_status status);
world open_world(char *text, int threads); /* takes the text */
void close_world(world *w);

enum { ROWS = 20 }; /* cables in a layer of DROP */
typedef enum way { DROP, POUR, MESH } way;

/* The text of a model of so many cables; damping: of their masses [1/s]. To be freed. */
#define CABLE_DAMPING 0.5
char *cables_text(int cables, bool dvi, way how, double damping);
/* Poured cables: in which cell, of how many in a row (`across`), a cable is, and which one in it. */
typedef struct cell_place {
  int cell, number;
  double corner[2]; /* x and z of the cell [m] */
} cell_place;
cell_place pour_place(int cables, int i);
int pour_index(int cables, int cell, int number); /* the cable again */

double noise(uint64_t *seed); /* from -1 to 1 */

/* N cables poured for `fall` steps on the most threads, then the same steps on each number of threads. 1: the results
 * have different bits. */
int heap_threads(const char *method, int n, int fall, int steps, int count, char **number);
/* The same for a heap at rest. */
int heap_at_rest(const char *method, int n, int steps, int count, char **number);

#endif
