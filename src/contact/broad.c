/* broad.c - candidates: pairs of items whose bounds come nearer than the margin.
 *
 * Items of usual size lie in the cells of a grid, hashed by the cell of their middle; the cell is as large as the
 * largest of them, so that partners are in the 27 cells around. The few that are much larger, and planes, are tried
 * against all. Pairs of patches are kept only when two of their spheres are near.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/set.h"
#include "math/vec3.h"

int sn_law_between(const sn_surfaces *s, int i, int j) {
  const sn_item *a = &s->item[i], *b = &s->item[j];
  const sn_surface *p = &s->surface[a->surface], *q = &s->surface[b->surface];
  if (p->body != q->body) {
    if (a->shape == SN_ITEM_PLANE && b->shape == SN_ITEM_PLANE) return -1;
    return s->law_of[p->class * s->classes + q->class];
  }
  if (s->holder[a->holder].type == SN_HOLD_GROUND || a->holder == b->holder || p != q) return -1;
  if (a->shape != SN_ITEM_SPHERES || b->shape != SN_ITEM_SPHERES) return -1;
  int dx = abs(a->element[0] - b->element[0]), dy = abs(a->element[1] - b->element[1]);
  if (dx <= a->neighbors[0] && dy <= a->neighbors[1]) return -1;
  return s->self_law_of[p->class];
}

/* ---- pairs ---- */

static void *grown(void *old, int *capacity, int needed, size_t size) {
  if (needed <= *capacity) return old;
  *capacity = 2 * needed + 64;
  void *bigger = realloc(old, (size_t)*capacity * size);
  if (!bigger) abort();
  return bigger;
}

static double largest_gap(const sn_surfaces *s, int law) {
  return s->margin + s->law[law].activation;
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
  const sn_contacts_private *o = c->own;
  const double *n = o->solid[plane].axis[0], *at = o->solid[plane].center;
  double lowest = 0;
  for (int k = 0; k < 3; k++) lowest += n[k] * ((n[k] > 0 ? o->low[item][k] : o->high[item][k]) - at[k]);
  return lowest;
}

static void try_pair(sn_contacts *c, int i, int j) {
  const sn_surfaces *s = c->surfaces;
  sn_contacts_private *o = c->own;
  if (i > j) {
    int swap = i;
    i = j;
    j = swap;
  }
  bool plane_i = s->item[i].shape == SN_ITEM_PLANE, plane_j = s->item[j].shape == SN_ITEM_PLANE;
  double apart = 0;
  if (plane_i != plane_j)
    apart = above_plane(c, plane_i ? j : i, plane_i ? i : j);
  else if (!plane_i)
    apart = bounds_apart(o, i, j);
  if (apart > o->reach) return;
  int law = sn_law_between(s, i, j);
  if (law < 0) return;
  sn_pair pair = {i, j, law};
  if (apart > largest_gap(s, law) || sn_nearest_gap(c, &pair) > largest_gap(s, law)) return;
  o->pair = grown(o->pair, &o->pair_capacity, o->pairs + 1, sizeof *o->pair);
  o->pair[o->pairs++] = pair;
}

/* By (i, j): counted by i, then by insertion within the few of one i, which come nearly sorted. */
static void sort_pairs(sn_contacts *c) {
  sn_contacts_private *o = c->own;
  int items = c->surfaces->items, *start = o->start;
  o->sorted = grown(o->sorted, &o->sorted_capacity, o->pairs, sizeof *o->sorted);
  memset(start, 0, ((size_t)items + 1) * sizeof *start);
  for (int k = 0; k < o->pairs; k++) start[o->pair[k].i + 1]++;
  for (int i = 0; i < items; i++) start[i + 1] += start[i];
  for (int k = 0; k < o->pairs; k++) o->sorted[start[o->pair[k].i]++] = o->pair[k];
  for (int k = 1; k < o->pairs; k++) {
    sn_pair pair = o->sorted[k];
    int at = k;
    for (; at > 0 && o->sorted[at - 1].i == pair.i && o->sorted[at - 1].j > pair.j; at--)
      o->sorted[at] = o->sorted[at - 1];
    o->sorted[at] = pair;
  }
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

/* Sizes above this are large: 4 times the mean. */
static double large_size(const sn_contacts *c) {
  double sum = 0;
  int count = 0;
  for (int i = 0; i < c->surfaces->items; i++)
    if (c->surfaces->item[i].shape == SN_ITEM_SPHERES) sum += extent(c->own, i), count++;
  if (count == 0) /* only solids */
    for (int i = 0; i < c->surfaces->items; i++)
      if (c->surfaces->item[i].shape != SN_ITEM_PLANE) sum += extent(c->own, i), count++;
  return count ? 4 * sum / count : 0;
}

static bool is_large(const sn_contacts *c, int i, double large) {
  return c->surfaces->item[i].shape == SN_ITEM_PLANE || extent(c->own, i) > large;
}

static unsigned hash(const int cell[3]) {
  return (unsigned)cell[0] * 73856093u ^ (unsigned)cell[1] * 19349663u ^ (unsigned)cell[2] * 83492791u;
}

static double cell_size(const sn_contacts *c, double large) {
  double size = 0;
  const sn_surfaces *s = c->surfaces;
  for (int i = 0; i < s->items; i++)
    if (!is_large(c, i, large)) size = sn_greater(size, extent(c->own, i));
  return size + c->own->reach;
}

/* Items into buckets; large ones are left out. Cells of far-flung items (a run that explodes) are clipped. */
static void fill_grid(sn_contacts *c, double large, double size) {
  const sn_surfaces *s = c->surfaces;
  sn_contacts_private *o = c->own;
  unsigned mask = (unsigned)o->buckets - 1;
  memset(o->bucket, 0, ((size_t)o->buckets + 1) * sizeof *o->bucket);
  for (int i = 0; i < s->items; i++) {
    if (is_large(c, i, large)) continue;
    for (int k = 0; k < 3; k++) {
      double x = floor(0.5 * (o->low[i][k] + o->high[i][k]) / size);
      o->cell[3 * i + k] = x > -1e9 ? x < 1e9 ? (int)x : 1000000000 : -1000000000;
    }
    o->bucket[(hash(o->cell + 3 * i) & mask) + 1]++;
  }
  for (int b = 0; b < o->buckets; b++) o->bucket[b + 1] += o->bucket[b];
  for (int i = s->items; i-- > 0;) /* backward: ascending within a bucket */
    if (!is_large(c, i, large)) o->order[--o->bucket[(hash(o->cell + 3 * i) & mask) + 1]] = i;
  /* bucket[b + 1] now is where bucket b begins */
}

static void search_around(sn_contacts *c, int i) {
  sn_contacts_private *o = c->own;
  unsigned mask = (unsigned)o->buckets - 1;
  for (int k = 0; k < 27; k++) {
    int cell[3] = {o->cell[3 * i] + k % 3 - 1, o->cell[3 * i + 1] + k / 3 % 3 - 1, o->cell[3 * i + 2] + k / 9 - 1};
    unsigned b = hash(cell) & mask;
    int last = (int)b + 2 <= o->buckets ? o->bucket[b + 2] : o->bucket[0];
    for (int e = o->bucket[b + 1]; e < last; e++) {
      int j = o->order[e];
      if (j > i && memcmp(o->cell + 3 * j, cell, sizeof cell) == 0) try_pair(c, i, j);
    }
  }
}

static void remember(sn_contacts *c) {
  const sn_surfaces *s = c->surfaces;
  sn_contacts_private *o = c->own;
  size_t n = (size_t)s->spheres * sizeof(double);
  memcpy(o->x0, o->x, n);
  memcpy(o->y0, o->y, n);
  memcpy(o->z0, o->z, n);
  memcpy(o->solid0, o->solid, (size_t)s->items * sizeof *o->solid);
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
    if (!s->law[k].none) o->reach = sn_greater(o->reach, largest_gap(s, k));
  double large = large_size(c), size = cell_size(c, large);
  int filled = 0;
  for (int i = 0; i < s->items; i++) filled += !is_large(c, i, large);
  if (size > 0 && filled > 1) {
    fill_grid(c, large, size);
    o->bucket[0] = filled; /* the end of the last bucket */
    for (int i = 0; i < s->items; i++)
      if (!is_large(c, i, large)) search_around(c, i);
  }
  for (int i = 0; i < s->items; i++) {
    if (!is_large(c, i, large)) continue;
    for (int j = 0; j < s->items; j++)
      if (j != i && (j > i || !is_large(c, j, large))) try_pair(c, i, j);
  }
  sort_pairs(c);
  remember(c);
}
