/* touch.c - what touches, with forces: for outputs and result files. */
#include <math.h>

#include "contact/penalty.h"
#include "contact/set.h"
#include "math/vec3.h"

/* Room for all contacts there may be before the set itself needs more. */
static void make_room(sn_contacts *c) {
  sn_contacts_private *o = c->own;
  int needed = o->all.capacity + c->impulses;
  if (needed <= o->touch_capacity) return;
  o->touch_capacity = 2 * needed;
  SN_RESIZE(o->touch, o->touch_capacity);
}

int sn_contacts_touches(sn_contacts *c, sn_threads *threads, const double *q, const double *v, const sn_touch **list) {
  const sn_surfaces *s = c->surfaces;
  int count = 0;
  sn_contacts_detect(c, threads, q);
  make_room(c);
  for (int i = 0; i < c->count; i++) {
    const sn_contact *x = &c->contact[i];
    double normal;
    if (s->law[x->law].dvi || !(x->gap < 0)) continue;
    sn_touch *t = &c->own->touch[count++];
    for (int k = 0; k < 2; k++) t->surface[k] = s->item[x->side[k].item].surface;
    sn_copy(t->point, x->point);
    sn_copy(t->normal, x->normal);
    t->gap = x->gap;
    sn_penalty_force(c, x, q, v, t->force, &normal);
  }
  for (int i = 0; i < c->impulses; i++)
    if (sn_dot(c->impulse[i].force, c->impulse[i].force) > 0) c->own->touch[count++] = c->impulse[i];
  *list = c->own->touch;
  return count;
}

void sn_touch_total(const sn_contacts *c, int count, const sn_touch *list, int first, int second, sn_touch_sum *sum) {
  *sum = (sn_touch_sum){.number = 0};
  for (int i = 0; i < count; i++) {
    int body[2];
    for (int k = 0; k < 2; k++) body[k] = c->surfaces->surface[list[i].surface[k]].body;
    for (int k = 0; k < 2; k++) {
      if ((first >= 0 && body[k] != first) || (second >= 0 && body[1 - k] != second)) continue;
      if (first < 0 && k == 1) continue; /* all contacts: each once */
      sn_axpy(sum->force, k ? -1 : 1, list[i].force);
      sum->number++;
      sum->penetration = fmax(sum->penetration, -list[i].gap);
      if (first == second) break;
    }
  }
}
