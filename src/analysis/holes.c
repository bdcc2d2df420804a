/* holes.c - see holes.h. */
#include "analysis/holes.h"

#include <math.h>

/* Half the width of the holes of a surface: from the length of its line, or the area of its grid, and the number of its
 * spheres. */
static double hole_of(const sn_surfaces *s, const sn_surface *surface) {
  double length = 0, area = 0;
  int spheres = 0;
  for (int i = surface->first; i < surface->first + surface->items; i++) {
    const sn_item *item = &s->item[i];
    if (item->shape != SN_ITEM_SPHERES) return 0;
    length += item->length;
    area += item->sheet ? item->edge[0] * item->edge[1] : 0;
    spheres += item->count;
  }
  if (spheres < 2) return 0;
  return area > 0 ? sqrt(area / (2 * spheres)) : length / (2 * (spheres - 1));
}

void sn_holes_begin(sn_simulation *s) {
  const sn_surfaces *surfaces = s->model->surfaces;
  if (!surfaces || s->evidence.hole) return;
  s->evidence.hole = SN_NEW(&s->arena, double, surfaces->surfaces);
  for (int i = 0; i < surfaces->surfaces; i++) s->evidence.hole[i] = hole_of(surfaces, &surfaces->surface[i]);
}

void sn_holes_history(sn_simulation *s, sn_history *h) {
  sn_evidence *e = &s->evidence;
  if (!s->model->surfaces) return;
  sn_holes_begin(s); /* the row may be that of a checkpoint */
  sn_history_bool(h, &e->fits);
  sn_history_real(h, &e->closed);
  for (int k = 0; k < 2; k++) sn_history_int(h, &e->through[k], 0, s->model->surfaces->surfaces - 1);
}

static double middle_of(const double x[3]) {
  return fmax(fmin(x[0], x[1]), fmin(fmax(x[0], x[1]), x[2]));
}

/* Half the width of the narrowest round hole that an item fits through, at least; INFINITY: it is a half space. */
static double half_width(const sn_item *item) {
  if (isinf(item->reach)) return INFINITY;
  switch (item->shape) {
    case SN_ITEM_BOX:
    case SN_ITEM_ELLIPSOID:
    case SN_ITEM_CONVEX:
      return middle_of(item->half);
    default:
      return item->radius;
  }
}

static const sn_law *law_of(const sn_surfaces *s, const sn_item *a, const sn_item *b) {
  const sn_surface *p = &s->surface[a->surface], *q = &s->surface[b->surface];
  const int law = p->body == q->body ? s->self_law_of[p->class] : s->law_of[p->class * s->classes + q->class];
  return law >= 0 ? &s->law[law] : NULL;
}

/* Does item j fit through the surface of item i? Exact contact sees lines and sheets between their spheres, by spheres. */
static bool fits(sn_simulation *s, int i, int j) {
  const sn_surfaces *all = s->model->surfaces;
  const sn_item *a = &all->item[i], *b = &all->item[j];
  const double width = half_width(b) + a->radius;
  if (!(width < s->evidence.hole[a->surface])) return false;
  const sn_law *law = law_of(all, a, b);
  if (!law || !law->ops || (law->exact && b->shape == SN_ITEM_SPHERES)) return false;
  s->evidence.fits = true;
  s->evidence.closed = width;
  s->evidence.through[0] = a->surface, s->evidence.through[1] = b->surface;
  return true;
}

void sn_holes_row(sn_simulation *s) {
  const sn_evidence *e = &s->evidence;
  if (!e->hole || e->fits || !s->audit->contacts) return;
  long version;
  const int *pair = sn_contacts_candidates(s->audit->contacts, &version);
  for (int k = 0; k < s->audit->contacts->candidates; k++)
    if (fits(s, pair[2 * k], pair[2 * k + 1]) || fits(s, pair[2 * k + 1], pair[2 * k])) return;
}

const char *sn_holes_say(sn_simulation *s, double value) {
  (void)value;
  const sn_evidence *e = &s->evidence;
  const sn_surface *surface = s->model->surfaces->surface, *sieve = &surface[e->through[0]];
  const double spacing = s->model->surfaces->item[sieve->first].sheet ? sqrt(2) : 2; /* over half a hole */
  return sn_format(
      &s->arena,
      "surface '%s' fits between the spheres of '%s', about %.2g m apart, and may pass through it "
      "unseen; possible remedy: 'spacing' of '%s' below %.2g m, or 'exact: true' if the other is a sphere, "
      "a cable or a beam",
      surface[e->through[1]].name, sieve->name, spacing * e->hole[e->through[0]], sieve->name, spacing * e->closed);
}
