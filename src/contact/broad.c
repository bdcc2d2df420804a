/* broad.c - candidates: pairs of items whose bounds come nearer than the margin.
 *
 * Items of typical size are hashed by the grid cell of their center. A cell is as large as the largest of them, so that
 * partners are in the 27 cells around, of which 14 are visited (symmetry). The few items that are much larger, and
 * planes, are tested against all. Pairs of patches are kept only when two of their spheres are near.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/set.h"
#include "math/vec3.h"

enum { USUAL, LARGE, PLANE }; /* sorts of items */
enum { GRAIN = 1024 };        /* items of a task */

void sn_sort_planes(sn_contacts *c) {
  for (int i = 0; i < c->surfaces->items; i++) c->own->sort[i] = isinf(c->surfaces->item[i].reach) ? PLANE : USUAL;
}

int sn_law_between(const sn_surfaces *s, int i, int j) {
  assert(i >= 0 && i < s->items && j >= 0 && j < s->items);
  const sn_item *a = &s->item[i], *b = &s->item[j];
  const sn_surface *p = &s->surface[a->surface], *q = &s->surface[b->surface];
  if (p->body != q->body) {
    if (isinf(a->reach) && isinf(b->reach)) return -1;
    return s->law_of[p->class * s->classes + q->class];
  }
  if (s->carrier[a->carrier].type == SN_CARRIER_GROUND || a->carrier == b->carrier || p != q) return -1;
  if (a->shape != SN_ITEM_SPHERES || b->shape != SN_ITEM_SPHERES) return -1;
  int dx = abs(a->element[0] - b->element[0]), dy = abs(a->element[1] - b->element[1]);
  if (dx <= a->neighbors[0] && dy <= a->neighbors[1]) return -1;
  return s->self_law_of[p->class];
}

/* ---- pairs ---- */

static void *grown(void *old, int *capacity, int needed, size_t size) {
  if (needed <= *capacity) return old;
  *capacity = 2 * needed + 64;
  return sn_resized(old, (size_t)*capacity, size);
}

static double largest_gap(const sn_contacts *c, int law) {
  assert(law >= 0 && law < c->surfaces->laws);
  return c->surfaces->margin + sn_greater(c->own->look, c->own->closing) + c->surfaces->law[law].activation;
}

/* Distance of the bounds along each axis, the largest; < 0: they overlap. */
static double bounds_apart(const sn_contacts_private *o, int i, int j) {
  double apart = -INFINITY;
  for (int k = 0; k < 3; k++) {
    apart = sn_greater(apart, o->low[i][k] - o->high[j][k]);
    apart = sn_greater(apart, o->low[j][k] - o->high[i][k]);
  }
  return apart;
}

/* Lowest point of an item above a plane, at least. */
static double above_plane(const sn_contacts *c, int item, int plane) {
  assert(c->surfaces->item[plane].shape == SN_ITEM_PLANE);
  const sn_contacts_private *o = c->own;
  const double *n = o->solid[plane].axis[0], *at = o->solid[plane].center;
  double lowest = 0;
  for (int k = 0; k < 3; k++) lowest += n[k] * ((n[k] > 0 ? o->low[item][k] : o->high[item][k]) - at[k]);
  return lowest;
}

static void try_pair(const sn_contacts *c, int i, int j, sn_pair_list *list) {
  const sn_surfaces *s = c->surfaces;
  const sn_contacts_private *o = c->own;
  if (i > j) {
    int swap = i;
    i = j;
    j = swap;
  }
  bool plane_i = o->sort[i] == PLANE, plane_j = o->sort[j] == PLANE;
  double apart = 0;
  if (plane_i != plane_j)
    apart = above_plane(c, plane_i ? j : i, plane_i ? i : j);
  else if (!plane_i)
    apart = bounds_apart(o, i, j);
  if (apart > o->reach) return;
  int law = sn_law_between(s, i, j);
  if (law < 0) return;
  sn_pair pair = {i, j, law};
  if (apart > largest_gap(c, law) || sn_nearest_gap(c, &pair) > largest_gap(c, law)) return;
  list->pair = grown(list->pair, &list->capacity, list->count + 1, sizeof *list->pair);
  list->pair[list->count++] = pair;
}

/* The pairs of items first .. last - 1 by j: few of each, which come nearly sorted. start[i]: where those of i end. */
static void sort_piece(void *user, int first, int last) {
  sn_contacts_private *o = ((const sn_contacts *)user)->own;
  for (int i = first; i < last; i++) {
    const int begin = i > 0 ? o->start[i - 1] : 0;
    for (int k = begin + 1; k < o->start[i]; k++) {
      const sn_pair pair = o->sorted[k];
      int at = k;
      for (; at > begin && o->sorted[at - 1].j > pair.j; at--) o->sorted[at] = o->sorted[at - 1];
      o->sorted[at] = pair;
    }
  }
}

/* By (i, j): counted by i, then by insertion within those of one i. */
static void sort_pairs(sn_contacts *c) {
  sn_contacts_private *o = c->own;
  int items = c->surfaces->items, *start = o->start;
  o->sorted = grown(o->sorted, &o->sorted_capacity, o->pairs, sizeof *o->sorted);
  memset(start, 0, ((size_t)items + 1) * sizeof *start);
  for (int k = 0; k < o->pairs; k++) start[o->pair[k].i + 1]++;
  for (int i = 0; i < items; i++) start[i + 1] += start[i];
  for (int k = 0; k < o->pairs; k++) o->sorted[start[o->pair[k].i]++] = o->pair[k];
  sn_threads_split_by(o->threads, items, GRAIN, sort_piece, c);
  sn_pair *swap = o->pair;
  int capacity = o->pair_capacity;
  o->pair = o->sorted, o->pair_capacity = o->sorted_capacity;
  o->sorted = swap, o->sorted_capacity = capacity;
}

/* ---- the grid ---- */

static double extent(const sn_contacts_private *o, int i) {
  double e = 0;
  for (int k = 0; k < 3; k++) e = sn_greater(e, o->high[i][k] - o->low[i][k]);
  return e;
}

static bool is_large(const sn_contacts_private *o, int i) {
  return o->sort[i] >= LARGE;
}

static void find_extents(void *user, int first, int last) {
  const sn_contacts_private *o = ((const sn_contacts *)user)->own;
  for (int i = first; i < last; i++)
    if (o->sort[i] != PLANE) o->extent[i] = extent(o, i);
}

/* Sorts the items by size: large are those four times as large as they are on average. Returns the number of others,
 * and the size of the largest of them. */
static int sort_items(sn_contacts *c, double *size) {
  sn_contacts_private *o = c->own;
  double sum[2] = {0};
  int count[2] = {0}, others = 0;
  sn_threads_split_by(o->threads, c->surfaces->items, GRAIN, find_extents, c);
  for (int i = 0; i < c->surfaces->items; i++) {
    if (o->sort[i] == PLANE) continue;
    bool solid = c->surfaces->item[i].shape != SN_ITEM_SPHERES;
    sum[solid] += o->extent[i], count[solid]++;
  }
  int counted = count[0] == 0; /* solids, where there are only solids */
  double large = count[counted] ? 4 * sum[counted] / count[counted] : 0;
  *size = 0;
  for (int i = 0; i < c->surfaces->items; i++) {
    if (o->sort[i] == PLANE) continue;
    o->sort[i] = o->extent[i] > large ? LARGE : USUAL;
    if (o->sort[i] == LARGE) continue;
    others++;
    *size = sn_greater(*size, o->extent[i]);
  }
  return others;
}

/* Cells that differ in x alone are neighbors among the buckets. */
static unsigned hash(int x, int y, int z) {
  return (unsigned)x + ((unsigned)y * 19349663u ^ (unsigned)z * 83492791u);
}

typedef struct gridding {
  const sn_contacts_private *o;
  double size;
} gridding;

/* Cells of far-flung items (a run that explodes) are clipped. */
static void find_cells(void *user, int first, int last) {
  const gridding *w = user;
  const sn_contacts_private *o = w->o;
  for (int i = first; i < last; i++) {
    int *cell = o->cell + 3 * i;
    for (int k = 0; k < 3 && !is_large(o, i); k++) {
      double x = floor(0.5 * (o->low[i][k] + o->high[i][k]) / w->size);
      cell[k] = x > -1e9 ? x < 1e9 ? (int)x : 1000000000 : -1000000000;
    }
  }
}

/* Items into buckets; large ones are left out. */
static void fill_grid(sn_contacts *c, int filled, double size) {
  sn_contacts_private *o = c->own;
  int items = c->surfaces->items;
  unsigned mask = (unsigned)o->buckets - 1;
  sn_threads_split_by(o->threads, items, GRAIN, find_cells, &(gridding){o, size});
  memset(o->bucket, 0, ((size_t)o->buckets + 1) * sizeof *o->bucket);
  for (int i = 0; i < items; i++) {
    if (is_large(o, i)) continue;
    const int *cell = o->cell + 3 * i;
    o->bucket[(hash(cell[0], cell[1], cell[2]) & mask) + 1]++;
  }
  for (int b = 0; b < o->buckets; b++) o->bucket[b + 1] += o->bucket[b];
  for (int i = items; i-- > 0;) { /* backward: ascending within a bucket */
    const int *cell = o->cell + 3 * i;
    if (!is_large(o, i)) o->order[--o->bucket[(hash(cell[0], cell[1], cell[2]) & mask) + 1]] = i;
  }
  o->bucket[0] = filled; /* bucket[b + 1] now is where bucket b begins; this is where the last one ends */
}

/* The items of cells x0 .. x1 of a row y, z; of item i's own cell only those after it. */
static void search_row(const sn_contacts *c, int i, int x0, int x1, int y, int z, sn_pair_list *list) {
  const sn_contacts_private *o = c->own;
  const int *own = o->cell + 3 * i;
  unsigned mask = (unsigned)o->buckets - 1;
  for (int x = x0; x <= x1; x++) {
    unsigned b = hash(x, y, z) & mask, last = b;
    while (x < x1 && last < mask) x++, last++;
    int end = (int)last + 2 <= o->buckets ? o->bucket[last + 2] : o->bucket[0];
    for (int e = o->bucket[b + 1]; e < end; e++) {
      int j = o->order[e];
      const int *cell = o->cell + 3 * j;
      if (cell[1] != y || cell[2] != z || cell[0] < x0 || cell[0] > x1) continue;
      if (j > i || memcmp(cell, own, 3 * sizeof *cell) != 0) try_pair(c, i, j, list);
    }
  }
}

enum { ITEMS = 256 };

/* Large items and planes against items first .. last - 1. */
static void search_large(const sn_contacts *c, int first, int last, sn_pair_list *list) {
  const sn_contacts_private *o = c->own;
  for (int k = 0; k < o->larges; k++) {
    const int i = o->large_item[k];
    for (int j = first; j < last; j++)
      if (j != i && (j > i || !is_large(o, j))) try_pair(c, i, j, list);
  }
}

/* Of two neighboring cells one looks into the other. */
static void search_chunk(void *user, int chunk) {
  const sn_contacts *c = user;
  const sn_contacts_private *o = c->own;
  sn_pair_list *list = &o->found[chunk];
  int items = c->surfaces->items, last = (chunk + 1) * ITEMS < items ? (chunk + 1) * ITEMS : items;
  list->count = 0;
  search_large(c, chunk * ITEMS, last, list);
  for (int i = chunk * ITEMS; i < last && o->gridded; i++) {
    if (is_large(o, i)) continue;
    int x = o->cell[3 * i], y = o->cell[3 * i + 1], z = o->cell[3 * i + 2];
    search_row(c, i, x, x + 1, y, z, list);
    search_row(c, i, x - 1, x + 1, y, z + 1, list);
    for (int k = -1; k <= 1; k++) search_row(c, i, x - 1, x + 1, y + 1, z + k, list);
  }
}

static void take_pairs(void *user, int chunk) {
  const sn_contacts_private *o = ((const sn_contacts *)user)->own;
  const sn_pair_list *list = &o->found[chunk];
  if (list->count) memcpy(o->pair + list->first, list->pair, (size_t)list->count * sizeof *o->pair);
}

/* Every chunk has room for as many pairs as any has ever had. */
static void search_grid(sn_contacts *c) {
  sn_contacts_private *o = c->own;
  int chunks = (c->surfaces->items + ITEMS - 1) / ITEMS;
  if (!o->found) {
    o->found = sn_new((size_t)chunks, sizeof *o->found);
    o->searches = chunks;
  }
  for (int k = 0; k < chunks; k++)
    o->found[k].pair = grown(o->found[k].pair, &o->found[k].capacity, o->found_room, sizeof *o->found[k].pair);
  sn_threads_run(o->threads, chunks, search_chunk, c);
  for (int k = 0; k < chunks; k++) {
    if (o->found[k].count > o->found_room) o->found_room = o->found[k].count;
    o->found[k].first = o->pairs;
    o->pairs += o->found[k].count;
  }
  o->pair = grown(o->pair, &o->pair_capacity, o->pairs, sizeof *o->pair);
  sn_threads_run(o->threads, chunks, take_pairs, c);
}

static void remember(sn_contacts *c) {
  const sn_surfaces *s = c->surfaces;
  sn_contacts_private *o = c->own;
  sn_threads_copy(o->threads, s->spheres, o->x0, o->x);
  sn_threads_copy(o->threads, s->spheres, o->y0, o->y);
  sn_threads_copy(o->threads, s->spheres, o->z0, o->z);
  for (int k = 0; k < o->solids; k++) o->solid0[o->solid_item[k]] = o->solid[o->solid_item[k]];
  o->plain = grown(o->plain, &o->plain_capacity, 2 * o->pairs, sizeof *o->plain);
  for (int k = 0; k < o->pairs; k++) o->plain[2 * k] = o->pair[k].i, o->plain[2 * k + 1] = o->pair[k].j;
  o->searched = true;
  c->candidates = o->pairs;
  c->rebuilds++;
}

void sn_contacts_search(sn_contacts *c) {
  const sn_surfaces *s = c->surfaces;
  sn_contacts_private *o = c->own;
  o->pairs = 0;
  o->reach = 0;
  for (int k = 0; k < s->laws; k++)
    if (s->law[k].ops) o->reach = sn_greater(o->reach, largest_gap(c, k));
  double size;
  int filled = sort_items(c, &size);
  size += o->reach;
  o->gridded = size > 0 && filled > 1;
  if (o->gridded) fill_grid(c, filled, size);
  o->larges = 0;
  for (int i = 0; i < s->items && filled < s->items; i++)
    if (is_large(o, i)) o->large_item[o->larges++] = i;
  search_grid(c);
  sort_pairs(c);
  remember(c);
}
