/* order.c - spatial order of surfaces: surfaces that may touch are close together in memory.
 *
 * Items, spheres, candidates and contacts all follow the order in which surfaces are compiled. A heap of thousands of
 * bodies does not fit into the cache. The data of both sides of a contact are in the cache if neighbors in space are
 * also neighbors in this order, as along a Z curve through the initial positions of the bodies. Few surfaces are
 * ordered by x, y and z, and by name if these are equal. Thus contacts, and all sums over them, do not depend on the
 * order of bodies in a model: if the solution of Coulomb's law is not unique (a box that rotates on four corners), it
 * would depend on rounding and therefore on the order.
 */
#include <stdlib.h>
#include <string.h>

#include "contact/surfaces.h"

enum { FEW = 256, BITS = 16 };

typedef struct placed {
  uint64_t code;
  double x[3];
  const char *name;
  int surface;
} placed;

/* Place of a body: its first coordinates, those of a point in all kinds; the ground has none. */
static void place_of(const sn_compiler *c, const sn_body *body, double x[3]) {
  for (int k = 0; k < 3; k++) x[k] = body && k < body->count ? c->q0[body->first + k] : 0;
}

static int compare(const void *a, const void *b) {
  const placed *p = a, *q = b;
  if (p->code != q->code) return p->code < q->code ? -1 : 1;
  for (int k = 0; k < 3; k++)
    if (p->x[k] != q->x[k]) return p->x[k] < q->x[k] ? -1 : 1;
  int order = strcmp(p->name, q->name);
  return order ? order : p->surface - q->surface;
}

/* Bits of three numbers in turn. */
static uint64_t code_of(const double x[3], const double low[3], double size) {
  uint64_t code = 0;
  for (int k = 0; k < 3; k++) {
    double share = (x[k] - low[k]) / size; /* not a number if all are in one place, or 1e308 apart */
    uint64_t number = share > 0 && share <= 1 ? (uint64_t)(share * ((1 << BITS) - 1)) : 0;
    for (int bit = 0; bit < BITS; bit++) code |= (number >> bit & 1) << (3 * bit + k);
  }
  return code;
}

const int *sn_order_surfaces(sn_compiler *c, int count, const sn_body *const *body, const char *const *name) {
  int *order = SN_NEW(c->arena, int, count);
  for (int i = 0; i < count; i++) order[i] = i;
  if (count < 2) return order;
  placed *all = sn_new((size_t)count, sizeof *all);
  double low[3], high[3], x[3], size = 0;
  place_of(c, body[0], low);
  memcpy(high, low, sizeof high);
  for (int i = 0; i < count; i++) {
    place_of(c, body[i], x);
    for (int k = 0; k < 3; k++) {
      if (x[k] < low[k]) low[k] = x[k];
      if (x[k] > high[k]) high[k] = x[k];
    }
  }
  for (int k = 0; k < 3; k++)
    if (high[k] - low[k] > size) size = high[k] - low[k];
  for (int i = 0; i < count; i++) {
    place_of(c, body[i], x);
    all[i] = (placed){count < FEW ? 0 : code_of(x, low, size), {x[0], x[1], x[2]}, name[i], i};
  }
  qsort(all, (size_t)count, sizeof *all, compare);
  for (int i = 0; i < count; i++) order[i] = all[i].surface;
  sn_free(all);
  return order;
}
