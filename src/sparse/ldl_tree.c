/* ldl_tree.c - elimination order of mechanisms that are trees.
 *
 * Coordinate groups are the nodes of a graph, and what couples two of them its edges: constraints, or blocks of the matrix.
 * If it has no cycle, it is eliminated from the leaves to the roots: a group, the constraints it has alone, and those
 * with its parent, which need not wait for the parent. There is no fill beyond the blocks of parents, and a rigid body
 * leaves its inertia, as seen through its joint, to the next one (articulated bodies). A tree begins at the group that is
 * fixed to the ground, or anywhere.
 * A constraint with the parent has the pivot -G A^-1 G' with the G of the child, definite if the child can satisfy the
 * equation by itself: its constraints may not have more rows than it has coordinates. Whether it can only the numbers
 * tell; when they say no, the factorization starts again in the safe order (ldl_analyze.c).
 */
#include <string.h>

#include "sparse/ldl.h"

typedef struct forest {
  const sn_matrix *matrix;
  int (*ends)[2]; /* [groups] constraint: its coordinate groups; -1: none */
  int *start;     /* [groups + 1] edges of a coordinate group ... */
  int *other;     /* ... lead to these */
  int *parent;    /* [groups] of a coordinate group; itself: a root; -1: not yet found */
  int *rows;    /* [groups] of the constraints that a coordinate group has alone, then also of those with its parent */
  int *visited; /* [groups] coordinate groups, parents first */
  int count;
} forest;

/* False: a constraint has more than two coordinate groups, or is coupled with another one. */
static bool find_ends(forest *t) {
  const sn_matrix *A = t->matrix;
  for (int g = 0; g < A->groups; g++) t->ends[g][0] = t->ends[g][1] = -1;
  for (int j = 0; j < A->groups; j++) {
    for (int b = A->column[j] + 1; b < A->column[j + 1]; b++) {
      const int i = A->row[b], c = A->constraint[i] ? i : j;
      if (!A->constraint[c]) continue;
      if (A->constraint[i] && A->constraint[j]) return false;
      if (t->ends[c][1] >= 0) return false;
      t->ends[c][t->ends[c][0] >= 0] = c == i ? j : i;
    }
  }
  for (int g = 0; g < A->groups; g++) {
    if (!A->constraint[g]) continue;
    if (t->ends[g][0] < 0) return false;
    if (t->ends[g][1] < 0) t->rows[t->ends[g][0]] += A->size[g];
  }
  return true;
}

static void add_edge(forest *t, bool counting, int u, int v) {
  if (counting) {
    t->start[u + 2]++, t->start[v + 2]++;
  } else {
    t->other[t->start[u + 1]++] = v;
    t->other[t->start[v + 1]++] = u;
  }
}

/* Two groups may have several edges. */
static void find_edges(forest *t) {
  const sn_matrix *A = t->matrix;
  for (int pass = 0; pass < 2; pass++) {
    for (int j = 0; j < A->groups; j++) {
      if (A->constraint[j] && t->ends[j][1] >= 0) add_edge(t, pass == 0, t->ends[j][0], t->ends[j][1]);
      for (int b = A->column[j] + 1; b < A->column[j + 1]; b++)
        if (!A->constraint[j] && !A->constraint[A->row[b]]) add_edge(t, pass == 0, j, A->row[b]);
    }
    for (int g = 0; pass == 0 && g < A->groups; g++) t->start[g + 2] += t->start[g + 1];
  }
}

/* All groups that are connected with the root, parents first. False: there is a cycle. */
static bool visit(forest *t, int root) {
  t->parent[root] = root;
  int next = t->count;
  t->visited[t->count++] = root;
  for (; next < t->count; next++) {
    const int u = t->visited[next];
    for (int e = t->start[u]; e < t->start[u + 1]; e++) {
      const int v = t->other[e];
      if (v == t->parent[u] || t->parent[v] == u) continue;
      if (t->parent[v] >= 0) return false;
      t->parent[v] = u;
      t->visited[t->count++] = v;
    }
  }
  return true;
}

/* Trees begin at a group with more equations of its own than a normalization. A second one of a tree has too many rows
 * for its coordinates, or closes a loop through the ground. */
static bool find_parents(forest *t) {
  const sn_matrix *A = t->matrix;
  for (int g = 0; g < A->groups; g++) t->parent[g] = -1;
  for (int pass = 0; pass < 2; pass++)
    for (int g = 0; g < A->groups; g++)
      if (!A->constraint[g] && t->parent[g] < 0 && (pass == 1 || t->rows[g] > 1) && !visit(t, g)) return false;
  for (int g = 0; g < A->groups; g++)
    if (!A->constraint[g] && t->parent[g] != g && t->rows[g] > 1) return false;
  return true;
}

/* The coordinate group that a constraint follows: the child. */
static int waits_for(const forest *t, int c) {
  const int u = t->ends[c][0], v = t->ends[c][1];
  return v >= 0 && t->parent[v] == u ? v : u;
}

static bool can_satisfy(forest *t) {
  const sn_matrix *A = t->matrix;
  for (int c = 0; c < A->groups; c++)
    if (A->constraint[c] && t->ends[c][1] >= 0) t->rows[waits_for(t, c)] += A->size[c];
  for (int g = 0; g < A->groups; g++)
    if (!A->constraint[g] && t->parent[g] != g && t->rows[g] > A->size[g]) return false;
  return true;
}

/* Constraints wait in a list behind their group: those it has alone come first. */
static void write_order(const forest *t, int *order, bool *early, int *head, int *next) {
  const sn_matrix *A = t->matrix;
  int count = 0;
  for (int g = 0; g < A->groups; g++) head[g] = -1, early[g] = false;
  for (int pass = 0; pass < 2; pass++)
    for (int c = A->groups - 1; c >= 0; c--) {
      if (!A->constraint[c] || (t->ends[c][1] < 0) != (pass == 1)) continue;
      const int u = waits_for(t, c);
      early[c] = pass == 0;
      next[c] = head[u];
      head[u] = c;
    }
  for (int k = t->count - 1; k >= 0; k--) {
    order[count++] = t->visited[k];
    for (int c = head[t->visited[k]]; c >= 0; c = next[c]) order[count++] = c;
  }
  assert(count == A->groups);
}

bool sn_ldl_tree_order(const sn_matrix *matrix, int *order, bool *early) {
  const size_t n = (size_t)matrix->groups, blocks = (size_t)matrix->column[n];
  int *room = sn_new(8 * n + 2 * (blocks + n) + 4, sizeof *room);
  forest t = {.matrix = matrix, .ends = (int(*)[2])(void *)room};
  t.start = room + 2 * n;
  t.parent = t.start + n + 2;
  t.rows = t.parent + n;
  t.visited = t.rows + n;
  t.other = t.visited + n + 2 * n;
  bool is_tree = find_ends(&t);
  if (is_tree) find_edges(&t);
  is_tree = is_tree && find_parents(&t) && can_satisfy(&t);
  if (is_tree) write_order(&t, order, early, t.visited + n, t.visited + 2 * n);
  sn_free(room);
  return is_tree;
}
