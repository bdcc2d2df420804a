/* place.c - positions: centers of spheres, poses of solids, bounds of items. */
#include <math.h>
#include <string.h>

#include "contact/set.h"
#include "contact/solid.h"
#include "math/quat.h"

/* ---- poses ---- */

static void pose_at(const sn_carrier *h, const double *q, sn_pose *pose) {
  *pose = (sn_pose){.A = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const double *x = q + h->first[0];
  if (h->type == SN_CARRIER_RIGID) {
    sn_copy(pose->r, x);
    for (int k = 0; k < 3; k++) {
      double e[3] = {k == 0, k == 1, k == 2};
      sn_quat_rotate(x + 3, e, pose->A[k]);
    }
  } else if (h->type == SN_CARRIER_PLANAR) {
    double c = cos(x[2]), s = sin(x[2]);
    pose->r[0] = x[0], pose->r[1] = x[1];
    pose->A[0][0] = pose->A[1][1] = c;
    pose->A[0][1] = s;
    pose->A[1][0] = -s;
  }
}

static void point_at(const sn_pose *pose, const double s[3], double x[3]) {
  for (int k = 0; k < 3; k++) x[k] = pose->r[k] + pose->A[0][k] * s[0] + pose->A[1][k] * s[1] + pose->A[2][k] * s[2];
}

static void place_solid(const sn_item *item, const sn_pose *pose, sn_solid_place *place) {
  point_at(pose, item->center, place->center);
  for (int a = 0; a < 3; a++)
    for (int k = 0; k < 3; k++)
      place->axis[a][k] =
          pose->A[0][k] * item->axis[a][0] + pose->A[1][k] * item->axis[a][1] + pose->A[2][k] * item->axis[a][2];
}

/* ---- spheres ---- */

static void place_linear(const sn_carrier *h, const sn_item *item, const double *w, const double *q, double *x,
                         double *y, double *z) {
  int flat = h->dim == 2;
  for (int k = 0; k < item->count; k++, w += h->vectors) {
    double r[3] = {0, 0, 0};
    for (int j = 0; j < h->vectors; j++) {
      const double *e = q + h->vector[j];
      r[0] += w[j] * e[0];
      r[1] += w[j] * e[1];
      if (!flat) r[2] += w[j] * e[2];
    }
    x[k] = r[0], y[k] = r[1], z[k] = r[2];
  }
}

static void place_patch(sn_contacts *c, int i, const double *q) {
  const sn_surfaces *s = c->surfaces;
  sn_contacts_private *o = c->own;
  const sn_item *item = &s->item[i];
  const sn_carrier *h = &s->carrier[item->carrier];
  double *x = o->x + item->first, *y = o->y + item->first, *z = o->z + item->first;
  if (h->type == SN_CARRIER_LINEAR) {
    place_linear(h, item, s->weight + item->data, q, x, y, z);
  } else {
    for (int k = 0; k < item->count; k++) {
      double r[3];
      const sn_probe *p = h->type == SN_CARRIER_PROBE ? &s->probe[item->data + k] : NULL;
      if (p)
        p->ops->value(p, q, r);
      else
        point_at(&o->pose[item->carrier], s->weight + item->data + 3 * k, r);
      x[k] = r[0], y[k] = r[1], z[k] = r[2];
    }
  }
  const double *centers[3] = {x, y, z};
  for (int a = 0; a < 3; a++) {
    double low = centers[a][0], high = low;
    for (int k = 1; k < item->count; k++) low = sn_lesser(low, centers[a][k]), high = sn_greater(high, centers[a][k]);
    o->low[i][a] = low - item->radius;
    o->high[i][a] = high + item->radius;
  }
  if (item->sheet) sn_sheet_bounds(c, item, o->low[i], o->high[i]);
}

/* Squared, the farthest way of a sphere since the last search. */
static double way_of_patch(const sn_contacts_private *o, const sn_item *item) {
  double worst = 0;
  for (int k = item->first; k < item->first + item->count; k++) {
    double dx = o->x[k] - o->x0[k], dy = o->y[k] - o->y0[k], dz = o->z[k] - o->z0[k];
    worst = sn_greater(worst, dx * dx + dy * dy + dz * dz);
  }
  return worst;
}

/* ---- all ---- */

typedef struct placing {
  sn_contacts *contacts;
  const double *q;
} placing;

enum { ITEMS = SN_ITEM_CHUNK };

static void place_items(void *user, int chunk) {
  const placing *p = user;
  sn_contacts *c = p->contacts;
  const sn_surfaces *s = c->surfaces;
  int last = (chunk + 1) * ITEMS < s->items ? (chunk + 1) * ITEMS : s->items;
  double way = 0;
  for (int i = chunk * ITEMS; i < last; i++) {
    const sn_item *item = &s->item[i];
    if (item->shape == SN_ITEM_SPHERES) {
      place_patch(c, i, p->q);
      double own = way_of_patch(c->own, item);
      if (!(own <= way)) way = own; /* what is not a number has moved */
      continue;
    }
    sn_solid_place *place = &c->own->solid[i];
    place_solid(item, &c->own->pose[item->carrier], place);
    if (isfinite(item->reach)) sn_solids[item->shape]->bound(item, place, c->own->low[i], c->own->high[i]);
  }
  c->own->way[chunk] = way;
}

void sn_contacts_place(sn_contacts *c, const double *q) {
  const sn_surfaces *s = c->surfaces;
  for (int k = 0; k < c->own->poses; k++) {
    int h = c->own->posed[k];
    pose_at(&s->carrier[h], q, &c->own->pose[h]);
  }
  placing p = {c, q};
  sn_threads_run(c->own->threads, (s->items + ITEMS - 1) / ITEMS, place_items, &p);
}

bool sn_contacts_moved(const sn_contacts *c) {
  const sn_surfaces *s = c->surfaces;
  const sn_contacts_private *o = c->own;
  double most = s->margin * s->margin / 4;
  for (int k = 0; k < (s->items + ITEMS - 1) / ITEMS; k++)
    if (!(o->way[k] < most)) return true;
  for (int solid = 0; solid < o->solids; solid++) {
    int i = o->solid_item[solid];
    const sn_item *item = &s->item[i];
    if (s->carrier[item->carrier].type == SN_CARRIER_GROUND) continue;
    const sn_solid_place *a = &o->solid[i], *b = &o->solid0[i];
    double d[3], turn = 0;
    for (int k = 0; k < 3; k++) {
      sn_sub(d, a->axis[k], b->axis[k]);
      turn = sn_greater(turn, sn_norm(d));
    }
    sn_sub(d, a->center, b->center);
    double reach = isfinite(item->reach) ? item->reach : 0; /* a plane that turns sweeps far: search again at once */
    double way = isinf(item->reach) && turn > 0 ? INFINITY : sn_norm(d) + 1.5 * turn * reach;
    if (!(way * way < most)) return true;
  }
  return false;
}
