/* ldl_order.c - the order of elimination by minimum degree: steps 1 and 2 of ldl_analyze.c. */
#include <suitesparse/amd.h>

#include "sparse/ldl.h"

enum { HUB = 32 }; /* more constraints than this make a hub */

/* Calls visit(c, coordinate) for all pairs of a constraint and a coordinate group that couple. */
typedef void pair_visitor(void *self, const sn_matrix *matrix, int c, int coordinate);
static void for_pairs(const sn_matrix *matrix, pair_visitor *visit, void *self) {
  for (int j = 0; j < matrix->groups; j++) {
    for (int b = matrix->column[j]; b < matrix->column[j + 1]; b++) {
      int i = matrix->row[b];
      if (matrix->constraint[i] == matrix->constraint[j]) continue;
      visit(self, matrix, matrix->constraint[i] ? i : j, matrix->constraint[i] ? j : i);
    }
  }
}

typedef struct orderly {
  int *count;          /* [groups] constraints of a coordinate group */
  int *rows;           /* [groups] their equations */
  bool *hub;           /* [groups] constraint: does it touch one? */
  bool *early;         /* [groups] constraint: need it not wait for hubs? */
  const int *position; /* [groups] in the order of minimum degree */
  int *latest;         /* [groups] constraint: position of the last coordinate group it waits for, -1 if none */
} orderly;

static void count_pair(void *self, const sn_matrix *matrix, int c, int coordinate) {
  orderly *o = self;
  o->count[coordinate]++;
  o->rows[coordinate] += matrix->size[c];
}
static void find_hub(void *self, const sn_matrix *matrix, int c, int coordinate) {
  orderly *o = self;
  (void)matrix;
  if (o->count[coordinate] > HUB) o->hub[c] = true;
}
/* A group that carries more equations than it has coordinates cannot give full rank. */
static void find_early(void *self, const sn_matrix *matrix, int c, int coordinate) {
  orderly *o = self;
  if (o->hub[c] && o->count[coordinate] <= HUB && o->rows[coordinate] <= matrix->size[coordinate]) o->early[c] = true;
}
static void find_latest(void *self, const sn_matrix *matrix, int c, int coordinate) {
  orderly *o = self;
  (void)matrix;
  if (o->early[c] && o->count[coordinate] > HUB) return;
  if (o->position[coordinate] > o->latest[c]) o->latest[c] = o->position[coordinate];
}

/* Fill latest[] and early[]; safe: nothing is early. */
static void latest_coordinate(const sn_matrix *matrix, bool safe, const int *position, int *latest, bool *early) {
  size_t n = (size_t)matrix->groups;
  orderly o = {.early = early, .position = position, .latest = latest};
  o.count = sn_new(2 * n + 1, sizeof *o.count);
  o.hub = sn_new(n + 1, sizeof *o.hub);
  o.rows = o.count + n;
  for (size_t g = 0; g < n; g++) latest[g] = -1, early[g] = false;
  if (!safe) {
    for_pairs(matrix, count_pair, &o);
    for_pairs(matrix, find_hub, &o);
    for_pairs(matrix, find_early, &o);
  }
  for_pairs(matrix, find_latest, &o);
  sn_free(o.count);
  sn_free(o.hub);
}

SN_ASSERTED static bool is_inverse(int n, const int *permutation, const int *position) {
  for (int p = 0; p < n; p++)
    if (position[permutation[p]] != p) return false;
  return true;
}

static bool minimum_degree(int n, const int *column, const int *row, int *order) {
  int status = amd_order(n, column, row, order, NULL, NULL);
  if (status == AMD_OUT_OF_MEMORY) sn_out_of_memory(0);
  return status == AMD_OK || status == AMD_OK_BUT_JUMBLED;
}

/* The graph for the order: groups that have a constraint in common are neighbors, though the matrix may have no block of
 * them (joints that hold two points together). Orders of loops that do not know of it are less accurate. */
typedef struct neighbors {
  int *first, *group; /* coordinate groups of a constraint */
  bool counting;
} neighbors;

static void note_neighbor(void *self, const sn_matrix *matrix, int c, int coordinate) {
  neighbors *o = self;
  (void)matrix;
  if (o->counting)
    o->first[c + 2]++;
  else
    o->group[o->first[c + 1]++] = coordinate;
}

/* Neighbors behind or before each group, in column and *row, which is made. */
static void find_neighbors(const sn_matrix *matrix, int *column, int **row) {
  const int n = matrix->groups;
  neighbors o = {.first = sn_new((size_t)n + 3, sizeof(int)), .counting = true};
  for_pairs(matrix, note_neighbor, &o);
  for (int c = 0; c <= n; c++) o.first[c + 1] += o.first[c];
  o.group = sn_new((size_t)o.first[n + 1] + 1, sizeof(int));
  o.counting = false;
  for_pairs(matrix, note_neighbor, &o);
  size_t edges = (size_t)matrix->column[n];
  for (int c = 0; c < n; c++) {
    const size_t k = (size_t)(o.first[c + 1] - o.first[c]);
    edges += k * k / 2;
  }
  int count = 0, *next = sn_new((size_t)n + 1, sizeof(int));
  *row = sn_new(edges + 1, sizeof(int));
  for (int c = 0; c < n;
       c++) /* a constraint has its coordinates, and their pairs stand in the columns of constraints */
    for (int a = o.first[c]; a < o.first[c + 1]; a++)
      for (int b = a + 1; b < o.first[c + 1]; b++) next[o.group[a]]++;
  for (int j = 0; j < n; j++) {
    column[j] = count;
    for (int b = matrix->column[j]; b < matrix->column[j + 1]; b++) (*row)[count++] = matrix->row[b];
    const int own = next[j];
    next[j] = count;
    count += own;
  }
  column[n] = count;
  for (int c = 0; c < n; c++)
    for (int a = o.first[c]; a < o.first[c + 1]; a++)
      for (int b = a + 1; b < o.first[c + 1]; b++) (*row)[next[o.group[a]]++] = o.group[b];
  sn_free(o.first);
  sn_free(o.group);
  sn_free(next);
}

/* Without the groups that come last, if there are any: these follow, in the order of `before`. */
static bool minimum_degree_of(const sn_matrix *matrix, const sn_ldl_cut *cut, int *order) {
  int n = matrix->groups, blocks = 0, count = 0, *row;
  int *column = sn_new((size_t)n + 1, sizeof *column), *found = sn_new((size_t)n + 1, sizeof *found);
  find_neighbors(matrix, column, &row);
  for (int j = 0, b = 0; cut && j < n; j++) {
    for (; b < column[j + 1]; b++)
      if (!cut->last[j] && !cut->last[row[b]]) row[blocks++] = row[b];
    column[j + 1] = blocks;
  }
  bool good = minimum_degree(n, column, row, found);
  for (int p = 0; p < n && good; p++)
    if (!cut || !cut->last[found[p]]) order[count++] = found[p];
  for (int p = 0; cut && p < n && good; p++)
    if (cut->last[cut->before[p]]) order[count++] = cut->before[p];
  assert(!good || count == n);
  sn_free(column);
  sn_free(found);
  sn_free(row);
  return good;
}

bool sn_ldl_find_order(const sn_matrix *matrix, bool safe, const sn_ldl_cut *cut, int *order, bool *early, int *work) {
  int n = matrix->groups, *amd = work, *position = work + n, *latest = work + 2 * n, *next = work + 3 * n;
  if (!minimum_degree_of(matrix, cut, amd)) return false;
  for (int p = 0; p < n; p++) position[amd[p]] = p;
  assert(is_inverse(n, amd, position));
  latest_coordinate(matrix, safe, position, latest, early);

  /* Constraints to be moved wait in a list behind position latest[c]; filling it backward keeps their order. */
  bool *moves = sn_new((size_t)n + 1, sizeof *moves);
  for (int g = 0; g < n; g++) moves[g] = matrix->constraint[g] && latest[g] > position[g];
  int *head = position; /* that array has done its work */
  for (int p = 0; p < n; p++) head[p] = -1;
  for (int p = n - 1; p >= 0; p--) {
    int c = amd[p];
    if (!moves[c]) continue;
    next[c] = head[latest[c]];
    head[latest[c]] = c;
  }
  int count = 0;
  for (int p = 0; p < n; p++) {
    if (!moves[amd[p]]) order[count++] = amd[p];
    for (int c = head[p]; c >= 0; c = next[c]) order[count++] = c;
  }
  assert(count == n);
  sn_free(moves);
  return true;
}
