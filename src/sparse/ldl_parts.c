/* ldl_parts.c - parts of the elimination tree that threads work on at the same time.
 *
 * The columns of a subtree depend on nothing outside it, and change outside it only the rows of its root's column, its
 * boundary. Parts are
 *   - whole trees, several together if they are small: a matrix of many bodies that no joint connects;
 *   - subtrees of a large tree, with similar work; what is left above them, the top, follows when all are done.
 * A chain has a tree without branches. The rows of column j separate the subtree of j from all other groups: where they
 * are few, they make a cut. The groups of such cuts are eliminated last, and leave the chain in pieces that are
 * subtrees. An inner piece has two boundaries, and one block of fill in each column (ldl_factor.c: where it vanishes).
 *
 * Parts follow from the pattern alone, never from the number of threads.
 */
#include <stdint.h>
#include <string.h>

#include "sparse/ldl.h"

enum { LARGE = 8192 };     /* groups: trees with fewer are not divided */
enum { PIECE = 1024 };     /* groups in a part of a divided tree, or more */
enum { FEWEST_PARTS = 8 }; /* of a large tree */
enum { MOST_PARTS = 64 };
enum { TOGETHER = 128 };                 /* groups in a part made of small trees, or more */
enum { LEAST = 32 };                     /* smaller subtrees belong to the top */
enum { CUT_GROUPS = 4, CUT_ROWS = 48 };  /* at most in a cut */
static const double uneven = 1.5;        /* work of a part, in shares of equal parts */
static const double most_on_top = 0.4;   /* of the work of a tree */
static const double most_boundary = 2.0; /* numbers of its contribution, in those of its columns */

/* ---- work ---- */

static int rows_below(const sn_ldl_data *f, int j) {
  int rows = 0;
  for (size_t b = f->column[j]; b < f->column[j + 1]; b++) rows += f->size[f->row[b]];
  return rows;
}

/* Multiplications of a column, about. */
static double work_of(const sn_ldl_data *f, int j) {
  double n = f->size[j], all = n + rows_below(f, j);
  return n * all * all;
}

/* work[j] and values[j] of L and D, of the subtree of j. */
static void sum_subtrees(const sn_ldl_data *f, double *work, double *values) {
  for (int j = 0; j < f->groups; j++) work[j] = values[j] = 0;
  for (int j = 0; j < f->groups; j++) {
    work[j] += work_of(f, j);
    values[j] += (double)f->size[j] * (f->size[j] + rows_below(f, j));
    if (f->parent[j] < 0) continue;
    work[f->parent[j]] += work[j];
    values[f->parent[j]] += values[j];
  }
}

static int groups_below(const sn_ldl_data *f, int j) {
  return j + 1 - f->youngest[j];
}

static int wanted_parts(const sn_ldl_data *f, int root) {
  int parts = groups_below(f, root) / PIECE;
  return parts < FEWEST_PARTS ? FEWEST_PARTS : parts > MOST_PARTS ? MOST_PARTS : parts;
}

/* ---- parts ---- */

static void add_part(sn_ldl_data *f, int first, int last) {
  assert(first < last);
  f->part[f->parts++] = (sn_ldl_part){.first = first, .last = last, .broken = -1};
}

/* Subtrees of the tree of `root` that are parts, in ascending order, and its top. False, and nothing added: it does not
 * divide well. end: [groups] zeros, for its use: of the part that begins at a position. */
static bool divide_tree(sn_ldl_data *f, int root, const double *work, const double *values, int *end) {
  const int wanted = wanted_parts(f, root), first = f->youngest[root];
  const double limit = uneven * work[root] / wanted;
  int found = 0;
  double below = 0;
  for (int j = root; j >= first;) {
    double rows = rows_below(f, j);
    bool good = work[j] <= limit && groups_below(f, j) >= LEAST && rows * (rows + 1) / 2 <= most_boundary * values[j];
    if (good) end[f->youngest[j]] = j + 1, found++, below += work[j];
    j = good ? f->youngest[j] - 1 : j - 1;
  }
  if (found < wanted / 2 || work[root] - below > most_on_top * work[root]) return false;
  for (int j = first; j <= root;) {
    if (end[j]) {
      add_part(f, j, end[j]);
      j = end[j];
    } else {
      f->top[f->tops++] = j++;
    }
  }
  return true;
}

bool sn_ldl_find_parts(sn_ldl_data *f) {
  size_t n = (size_t)f->groups;
  bool good = true;
  int *end = sn_new(n + 1, sizeof *end);
  double *work = sn_new(2 * n + 1, sizeof *work), *values = work + n;
  if (!f->part) f->part = SN_LDL_TAKE(f, sn_ldl_part, n / LEAST + 2);
  if (!f->top) f->top = SN_LDL_TAKE(f, int, n + 1);
  f->parts = f->tops = 0;
  sum_subtrees(f, work, values);
  int first = 0; /* of small trees that wait for others */
  for (int j = 0; j < f->groups; j++) {
    if (f->parent[j] >= 0) continue;
    bool large = groups_below(f, j) >= LARGE;
    if (large && first < f->youngest[j]) add_part(f, first, f->youngest[j]);
    if (large) first = f->youngest[j];
    if (large && divide_tree(f, j, work, values, end)) {
      first = j + 1;
      continue;
    }
    good = good && !large;
    if (j + 1 - first < TOGETHER && j + 1 < f->groups) continue;
    add_part(f, first, j + 1);
    first = j + 1;
  }
  sn_free(end);
  sn_free(work);
  return good;
}

/* ---- cuts ---- */

bool sn_ldl_find_cuts(const sn_ldl_data *f, bool *last) {
  size_t n = (size_t)f->groups;
  int cuts = 0;
  double *work = sn_new(2 * n + 1, sizeof *work), *share = work + n; /* share: of one part, by position */
  for (int r = 0; r < f->groups; r++) {
    if (f->parent[r] >= 0) continue;
    double all = 0;
    for (int j = f->youngest[r]; j <= r; j++) all += work_of(f, j);
    bool large = groups_below(f, r) >= LARGE;
    for (int j = f->youngest[r]; j <= r; j++) share[j] = large ? all / wanted_parts(f, r) : 2 * all;
  }
  for (int j = 0; j < f->groups; j++) { /* work[j]: of the subtree of j, without what is cut off */
    int up = f->parent[j];
    work[j] += work_of(f, j);
    if (up < 0) continue;
    if (work[j] >= share[j] && f->column[j + 1] - f->column[j] <= CUT_GROUPS && rows_below(f, j) <= CUT_ROWS) {
      for (size_t b = f->column[j]; b < f->column[j + 1]; b++) last[f->order[f->row[b]]] = true;
      cuts++;
    } else {
      work[up] += work[j];
    }
  }
  sn_free(work);
  return cuts > 0;
}

/* ---- memory ---- */

/* Most pieces of chains have no use for all their fill: where more than this share is not enough, cuts do not pay. */
static size_t room_for(const sn_ldl_data *f, size_t values, size_t block) {
  enum { SHARE = 4, LEAST_BLOCKS = 64 };
  const size_t room = values / SHARE + LEAST_BLOCKS * block;
  return f->cut && room < values ? room : values;
}

void sn_ldl_set_apart(sn_ldl_data *f, const bool *given) {
  const size_t blocks = f->column[f->groups];
  int *last = sn_new((size_t)f->groups + 1, sizeof *last); /* end of the part of a position */
  for (int j = 0; j < f->groups; j++) last[j] = f->groups;
  for (int k = 0; k < f->parts; k++)
    for (int j = f->part[k].first; j < f->part[k].last; j++) last[j] = f->part[k].last;
  f->at = SN_LDL_TAKE(f, size_t, blocks + 1);
  f->near = 0;
  for (int j = 0; j < f->groups; j++)
    for (size_t b = f->column[j]; b < f->column[j + 1]; b++) {
      const bool far = f->row[b] >= last[j] && !given[b];
      f->at[b] = far ? SIZE_MAX : f->near;
      if (!far) f->near += f->place[b + 1] - f->place[b];
    }
  f->values = f->near;
  for (int k = 0; k < f->parts; k++) {
    sn_ldl_part *p = &f->part[k];
    size_t values = 0, most = 0;
    for (size_t b = f->column[p->first]; b < f->column[p->last]; b++) {
      const size_t size = f->at[b] == SIZE_MAX ? f->place[b + 1] - f->place[b] : 0;
      values += size;
      if (size > most) most = size;
    }
    p->far = f->values;
    p->far_end = f->values += room_for(f, values, most);
  }
  f->at[blocks] = f->values;
  sn_free(last);
}

static void make_part(sn_ldl_data *f, sn_ldl_part *p) {
  int root = p->last - 1, largest = 1;
  if (f->parent[root] >= 0) {
    p->row = f->row + f->column[root];
    p->boundary = (int)(f->column[root + 1] - f->column[root]);
  }
  size_t most = 0;
  for (int j = p->first; j < p->last; j++) {
    size_t values = f->place[f->column[j + 1]] - f->place[f->column[j]];
    most = values > most ? values : most;
    largest = f->size[j] > largest ? f->size[j] : largest;
  }
  size_t values = 0;
  p->place = SN_LDL_TAKE(f, int, p->boundary + 1);
  for (int c = 0; c < p->boundary; c++) p->place[c + 1] = p->place[c] + f->size[p->row[c]];
  const int rows = p->place[p->boundary];
  for (int c = 0; c < p->boundary; c++) values += (size_t)f->size[p->row[c]] * (size_t)(rows - p->place[c]);
  p->U = SN_LDL_TAKE(f, double, values + 8);
  p->y = SN_LDL_TAKE(f, double, rows + 8);
  p->reach = SN_LDL_TAKE(f, double, p->boundary + 1);
  p->panel_half = most;
  p->panel = SN_LDL_TAKE(f, double, 2 * most + 8);
  p->small = SN_LDL_TAKE(f, double, 3 * largest * largest + largest + 8);
}

void sn_ldl_make_parts(sn_ldl_data *f) {
  if (!f->part) { /* not shared: one part */
    f->part = SN_LDL_TAKE(f, sn_ldl_part, 1);
    if (f->groups > 0) add_part(f, 0, f->groups);
  }
  for (int k = 0; k < f->parts; k++) make_part(f, &f->part[k]);
}

/* ---- fill ---- */

/* Blocks of a column with rows before `last`. */
static void list_column(sn_ldl_data *f, int j, int last, const bool *given) {
  for (size_t b = f->column[j]; b < f->column[j + 1] && f->row[b] < last; b++)
    if (!given[b]) f->fill[f->fills++] = b;
}

/* Those that are not fill with a boundary. */
static size_t count_fill(const sn_ldl_data *f, const bool *given) {
  size_t count = 0;
  for (size_t b = 0; b < f->column[f->groups]; b++) count += !given[b] && f->at[b] != SIZE_MAX;
  return count;
}

static bool meets_boundary(const sn_ldl_data *f, int j, int last, const bool *given) {
  for (size_t b = f->column[j]; b < f->column[j + 1]; b++)
    if (given[b] && f->row[b] >= last) return true;
  return false;
}

static void list_given(sn_ldl_data *f, sn_ldl_part *p, const bool *given) {
  int count = 0;
  for (int j = p->first; j < p->last; j++) count += meets_boundary(f, j, p->last, given);
  p->given = SN_LDL_TAKE(f, int, count + 1);
  for (int j = p->first; j < p->last; j++)
    if (meets_boundary(f, j, p->last, given)) p->given[p->givens++] = j;
}

void sn_ldl_list_fill(sn_ldl_data *f, const bool *given) {
  const size_t fills = count_fill(f, given);
  f->fill = SN_LDL_TAKE(f, size_t, fills + 1);
  f->reached = SN_LDL_TAKE(f, bool, f->groups + 1);
  for (int k = 0; k < f->parts; k++) {
    sn_ldl_part *p = &f->part[k];
    p->fill = f->fills;
    for (int j = p->first; j < p->last; j++) list_column(f, j, p->boundary ? p->last : f->groups, given);
    p->fill_end = f->fills;
    if (p->boundary) list_given(f, p, given);
  }
  f->top_fill = f->fills;
  for (int k = 0; k < f->tops; k++) list_column(f, f->top[k], f->groups, given);
  assert(f->fills == fills);
}
