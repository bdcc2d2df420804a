/* ldl_analyze.c - elimination order and structure of the block LDL' factorization.
 *
 * 1. Approximate minimum degree on the graph of the groups.
 * 2. A constraint group goes behind the last coordinate group it couples to. Why: let E be the groups eliminated
 *    before constraint group c, and let G hold the rows of c and of the constraints in E. All coordinates these rows
 *    touch are in E, so with A positive definite on E and G of full row rank the leading matrix [A_E G'; G 0] is
 *    nonsingular, and the pivot of c, the last block of the Schur complement -G A_E^-1 G', is negative
 *    definite. No pivoting is needed, the order depends on the pattern alone, and the signs of the pivots are known.
 *    A hub, that is a coordinate group with very many constraints (a disc with a thousand rods), would then couple all
 * of these constraints with each other. So a constraint between a hub and other groups only waits for the others: its
 *    pivot is -G A_E^-1 G' with what the others contribute to G, and definite if that has full row rank by itself.
 *    Whether it has only the numbers tell; when they say no, the factorization starts again in the safe order.
 *    The same holds in mechanisms that are trees (ldl_tree.c), whose order needs no minimum degree.
 * 3. Postorder of the elimination tree: the same fill, and every subtree is contiguous in memory. (It keeps 2, as the
 *    coordinates of c are descendants of c.)
 * 4. Structure of the columns of L: struct(j) = rows of A below j, and struct(children of j) without j.
 * 5. Large matrices: parts for threads (ldl_parts.c). Where the elimination tree does not divide, as that of a chain,
 *    a few groups that separate the others are eliminated last, and steps 1 to 4 are repeated.
 * All steps take time linear in the number of blocks of L, but for the ordering and for sorting columns.
 */
#include <stdlib.h>
#include <string.h>

#include "sparse/ldl.h"

void *sn_ldl_take(sn_ldl_data *f, size_t count, size_t size) {
  f->bytes += count * size;
  return sn_alloc(&f->arena, count, size);
}
#define TAKE SN_LDL_TAKE

/* ---- the graph in positions ---- */

typedef struct graph {
  int *start, *other; /* other[start[p] .. start[p + 1]): neighbors of position p on one side of it */
} graph;

static void graph_free(graph *g) {
  sn_free(g->start);
  sn_free(g->other);
}

/* Neighbors behind p (after = true) or before p. */
static void graph_build(const sn_matrix *matrix, const int *position, bool after, graph *g) {
  int n = matrix->groups, blocks = matrix->column[n];
  g->start = sn_new((size_t)n + 2, sizeof *g->start);
  g->other = sn_new((size_t)blocks + 1, sizeof *g->other);
  for (int pass = 0; pass < 2; pass++) { /* count, then fill */
    for (int j = 0; j < n; j++) {
      for (int b = matrix->column[j] + 1; b < matrix->column[j + 1]; b++) {
        int p = position[j], q = position[matrix->row[b]];
        bool keep_p = (p < q) == after;
        int from = keep_p ? p : q, to = keep_p ? q : p;
        if (pass) {
          g->other[g->start[from + 1]++] = to;
        } else {
          g->start[from + 2]++;
        }
      }
    }
    if (!pass) {
      for (int p = 0; p < n; p++) g->start[p + 2] += g->start[p + 1];
    }
  }
}

/* ---- 3: elimination tree and its postorder ---- */

/* Liu: the parent of a subtree is the first later row that meets it; `root` shortcuts the way up. */
static void elimination_tree(int n, const graph *before, int *parent, int *root) {
  for (int j = 0; j < n; j++) {
    parent[j] = root[j] = -1;
    for (int e = before->start[j]; e < before->start[j + 1]; e++) {
      for (int k = before->other[e], up; k >= 0 && k < j; k = up) {
        up = root[k];
        root[k] = j;
        if (up < 0) parent[k] = j;
      }
    }
  }
}

/* post[k] = node visited at step k. work: [3 n]. */
static void postorder(int n, const int *parent, int *post, int *work) {
  int *head = work, *next = work + n, *stack = work + 2 * n, count = 0;
  for (int j = 0; j < n; j++) head[j] = -1;
  for (int j = n - 1; j >= 0; j--) {
    if (parent[j] < 0) continue;
    next[j] = head[parent[j]];
    head[parent[j]] = j;
  }
  for (int r = 0; r < n; r++) {
    if (parent[r] >= 0) continue;
    int top = 0;
    stack[0] = r;
    while (top >= 0) {
      int j = stack[top], child = head[j];
      if (child < 0) {
        post[count++] = j;
        top--;
      } else {
        head[j] = next[child];
        stack[++top] = child;
      }
    }
  }
  assert(count == n);
}

/* Set order, position, parent and youngest. work: [5 groups]. */
static bool order_groups(sn_ldl_data *f, const sn_matrix *matrix, sn_ldl_caution caution, const sn_ldl_cut *cut,
                         int *position, int *work) {
  int n = matrix->groups, *tree = work, *post = work + n, *rest = work + 2 * n;
  graph before = {0};
  const bool safe = caution == SN_LDL_SAFE;
  f->tree =
      caution == SN_LDL_BOLD && !cut && sn_ldl_tree_order(matrix, f->order, f->early); /* early by group, for now */
  if (!f->tree && !sn_ldl_find_order(matrix, safe, cut, f->order, f->early, work)) return false;
  for (int p = 0; p < n; p++) position[f->order[p]] = p;
  graph_build(matrix, position, false, &before);
  elimination_tree(n, &before, tree, rest);
  postorder(n, tree, post, rest);
  int *old = rest, *rank = rest + n;
  memcpy(old, f->order, (size_t)n * sizeof *old);
  for (int k = 0; k < n; k++) rank[post[k]] = k;
  for (int k = 0; k < n; k++) {
    assert(tree[post[k]] < 0 || rank[tree[post[k]]] > k); /* parents come behind their children */
    f->order[k] = old[post[k]];
    f->parent[k] = tree[post[k]] < 0 ? -1 : rank[tree[post[k]]];
    position[f->order[k]] = k;
  }
  graph_free(&before);
  for (int k = 0; k < n; k++) f->youngest[k] = k;
  for (int k = 0; k < n; k++) {
    int up = f->parent[k];
    if (up >= 0 && f->youngest[k] < f->youngest[up]) f->youngest[up] = f->youngest[k];
  }
  return true;
}

/* ---- 4: structure of L ---- */

static int compare_int(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static void sort_rows(int *row, size_t count) {
  if (count > 24) {
    qsort(row, count, sizeof *row, compare_int);
    return;
  }
  for (size_t a = 1; a < count; a++) {
    int key = row[a];
    size_t b = a;
    for (; b > 0 && row[b - 1] > key; b--) row[b] = row[b - 1];
    row[b] = key;
  }
}

/* Fill column[] and row[]. The rows grow in ordinary memory first, as their number is not known before. */
static void find_structure(sn_ldl_data *f, const graph *after) {
  int n = f->groups, *mark = sn_new(3 * (size_t)n + 1, sizeof *mark), *head = mark + n, *next = mark + 2 * n;
  size_t capacity = 4 * (size_t)n + 64, count = 0;
  int *row = sn_new(capacity, sizeof *row);
  for (int j = 0; j < n; j++) mark[j] = head[j] = -1;
  for (int j = 0; j < n; j++) {
    f->column[j] = count;
    if (count + (size_t)(n - j) > capacity) {
      capacity = 2 * capacity + (size_t)n;
      SN_RESIZE(row, capacity);
    }
    mark[j] = j;
    for (int e = after->start[j]; e < after->start[j + 1]; e++) {
      int i = after->other[e];
      if (mark[i] != j) mark[i] = j, row[count++] = i;
    }
    for (int child = head[j]; child >= 0; child = next[child]) {
      for (size_t b = f->column[child]; b < f->column[child + 1]; b++) {
        int i = row[b];
        if (mark[i] != j) mark[i] = j, row[count++] = i;
      }
    }
    sort_rows(row + f->column[j], count - f->column[j]);
    f->column[j + 1] = count;
    int up = f->parent[j];
    assert(count > f->column[j] ? row[f->column[j]] == up : up < 0);
    if (up >= 0) next[j] = head[up], head[up] = j;
  }
  f->row = TAKE(f, int, count + 1);
  memcpy(f->row, row, count * sizeof *row);
  sn_free(mark);
  sn_free(row);
}

/* ---- memory and maps ---- */

/* A column of n scalar columns with r rows below its pivot takes n^3 + n^2 r + n r^2/2 multiplications to eliminate and
 * n^2 + 2 n r to solve with. */
static void count_work(sn_ldl_data *f) {
  double factor = 0, solve = 0;
  for (int j = 0; j < f->groups; j++) {
    double n = f->size[j], r = 0;
    for (size_t b = f->column[j]; b < f->column[j + 1]; b++) r += f->size[f->row[b]];
    factor += n * (n * n + n * r + r * r / 2);
    solve += n * (n + 2 * r);
  }
  f->factor_cost = solve > 0 ? factor / solve : 0;
}

static void place_values(sn_ldl_data *f, const bool *given) {
  int n = f->groups;
  size_t pivots = 0, largest = 1;
  count_work(f);
  f->pivot = TAKE(f, size_t, n + 1);
  f->live = TAKE(f, size_t, n + 1);
  f->at = TAKE(f, size_t, f->column[n] + 1);
  for (int j = 0; j < n; j++) {
    size_t size = (size_t)f->size[j], before = f->values;
    f->pivot[j] = pivots;
    f->live[j] = f->column[j + 1];
    pivots += size * size;
    for (size_t b = f->column[j]; b < f->column[j + 1]; b++) {
      f->at[b] = f->values;
      f->values += (size_t)f->size[f->row[b]] * size;
    }
    if (f->values - before > f->panel_values) f->panel_values = f->values - before;
    if (size > largest) largest = size;
  }
  f->at[f->column[n]] = f->values;
  f->place = f->at;
  f->near = f->values;
  if (f->tops > 0) sn_ldl_set_apart(f, given);
  f->L = TAKE(f, double, f->values + 8);
  f->D = TAKE(f, double, pivots + 8);
  f->scale = TAKE(f, double, f->rows + 1);
  if (f->tree && f->any_early) f->given = TAKE(f, double, f->rows + 1);
  f->panel = TAKE(f, double, 2 * f->panel_values + 8);
  f->small = TAKE(f, double, 3 * largest * largest + largest + 8);
  f->work = TAKE(f, double, f->rows + 1);
}

/* Index of block (i, j), i > j, in row[]. */
static size_t find_block(const sn_ldl_data *f, int i, int j) {
  assert(j >= 0 && j < i && i < f->groups && f->column[j] < f->column[j + 1]);
  size_t low = f->column[j], high = f->column[j + 1] - 1;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (f->row[middle] < i) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  assert(f->row[low] == i);
  return low;
}

/* The block of L that block b, in column j, of the matrix goes to. */
static size_t block_of(const sn_ldl_data *f, const sn_matrix *matrix, const int *position, int j, int b) {
  const int p = position[j], q = position[matrix->row[b]];
  return p < q ? find_block(f, q, p) : find_block(f, p, q);
}

static void find_given(const sn_ldl_data *f, const sn_matrix *matrix, const int *position, bool *given) {
  for (int j = 0; j < f->groups; j++)
    for (int b = matrix->column[j] + 1; b < matrix->column[j + 1]; b++)
      given[block_of(f, matrix, position, j, b)] = true;
}

static void map_values(sn_ldl_data *f, const sn_matrix *matrix, const int *position) {
  f->target = TAKE(f, size_t, matrix->column[f->groups] + 1);
  f->transpose = TAKE(f, bool, matrix->column[f->groups] + 1);
  for (int j = 0; j < f->groups; j++) {
    f->target[matrix->column[j]] = f->pivot[position[j]];
    for (int b = matrix->column[j] + 1; b < matrix->column[j + 1]; b++) {
      f->target[b] = f->at[block_of(f, matrix, position, j, b)];
      f->transpose[b] = position[matrix->row[b]] < position[j];
    }
  }
}

/* Order and structure. */
static sn_ldl_data *find_symbolic(const sn_matrix *matrix, sn_ldl_caution caution, const sn_ldl_cut *cut) {
  assert(matrix->groups >= 0 && matrix->first[matrix->groups] == matrix->rows);
  int n = matrix->groups;
  sn_arena arena = {0};
  sn_ldl_data *f = SN_NEW(&arena, sn_ldl_data, 1);
  f->arena = arena;
  f->bytes = sizeof *f;
  f->groups = n;
  f->rows = matrix->rows;
  f->order = TAKE(f, int, n + 1);
  f->size = TAKE(f, int, n + 1);
  f->first = TAKE(f, int, n + 1);
  f->constraint = TAKE(f, bool, n + 1);
  f->early = TAKE(f, bool, n + 1);
  f->parent = TAKE(f, int, n + 1);
  f->youngest = TAKE(f, int, n + 1);
  f->column = TAKE(f, size_t, n + 1);
  int *position = sn_new(6 * (size_t)n + 1, sizeof *position);
  if (!order_groups(f, matrix, caution, cut, position, position + n)) {
    sn_free(position);
    sn_ldl_free(f);
    return NULL;
  }
  bool *by_group = sn_new((size_t)n + 1, sizeof *by_group);
  memcpy(by_group, f->early, (size_t)n * sizeof *by_group);
  for (int p = 0; p < n; p++) {
    f->size[p] = matrix->size[f->order[p]];
    f->first[p] = matrix->first[f->order[p]];
    f->constraint[p] = matrix->constraint[f->order[p]];
    f->early[p] = by_group[f->order[p]];
    f->any_early |= f->early[p];
  }
  sn_free(by_group);
  graph after = {0};
  graph_build(matrix, position, true, &after);
  find_structure(f, &after);
  graph_free(&after);
  sn_free(position);
  return f;
}

/* The order with cuts, if it divides what the other does not. */
static sn_ldl_data *divide(sn_ldl_data *f, const sn_matrix *matrix, sn_ldl_caution caution, sn_ldl_sharing sharing) {
  if (sn_ldl_find_parts(f) || sharing != SN_LDL_PIECES) return f;
  bool *last = sn_new((size_t)f->groups + 1, sizeof *last);
  sn_ldl_cut cut = {last, f->order};
  sn_ldl_data *other = sn_ldl_find_cuts(f, last) ? find_symbolic(matrix, caution, &cut) : NULL;
  sn_free(last);
  if (other && sn_ldl_find_parts(other)) {
    other->cut = true;
    sn_ldl_free(f);
    return other;
  }
  sn_ldl_free(other);
  return f;
}

sn_ldl_data *sn_ldl_analyze(const sn_matrix *matrix, sn_ldl_caution caution, sn_ldl_sharing sharing) {
  sn_ldl_data *f = find_symbolic(matrix, caution, NULL);
  if (!f) return NULL;
  if (sharing != SN_LDL_WHOLE) f = divide(f, matrix, caution, sharing);
  int *position = sn_new((size_t)f->groups + 1, sizeof *position);
  for (int p = 0; p < f->groups; p++) position[f->order[p]] = p;
  bool *given = sn_new(f->column[f->groups] + 1, sizeof *given);
  find_given(f, matrix, position, given);
  place_values(f, given);
  sn_ldl_make_parts(f);
  sn_ldl_make_links(f);
  map_values(f, matrix, position);
  sn_ldl_list_fill(f, given);
  sn_free(given);
  sn_free(position);
  return f;
}

void sn_ldl_free(sn_ldl_data *f) {
  if (!f) return;
  sn_arena arena = f->arena; /* a copy: the data lies in its own arena */
  sn_arena_free(&arena);
}
