/* loaded.c - contacts that carry a force: for outputs and result files. */
#include <math.h>

#include "contact/penalty.h"
#include "contact/set.h"
#include "math/vec3.h"

/* Room for all contacts there may be before the set itself needs more. */
static void make_room(sn_contacts *c) {
  sn_contacts_private *o = c->own;
  int needed = o->all.capacity + c->solved_count;
  if (needed <= o->loaded_capacity) return;
  o->loaded_capacity = 2 * needed;
  SN_RESIZE(o->loaded, o->loaded_capacity);
}

int sn_contacts_loaded(sn_contacts *c, sn_threads *threads, const double *q, const double *v,
                       const sn_contact *const **list) {
  int count = 0;
  sn_contacts_detect(c, threads, q);
  make_room(c);
  for (int i = 0; i < c->count; i++) {
    sn_contact *x = c->contact[i];
    double normal;
    if (c->surfaces->law[x->law].dvi || !(x->gap < 0)) continue;
    sn_penalty_force(c, i, q, v, x->force, &normal);
    c->own->loaded[count++] = x;
  }
  for (int i = 0; i < c->solved_count; i++)
    if (sn_dot(c->solved[i]->force, c->solved[i]->force) > 0) c->own->loaded[count++] = c->solved[i];
  *list = c->own->loaded;
  return count;
}

void sn_contacts_sum(const sn_contacts *c, int count, const sn_contact *const *list, int first, int second,
                     sn_contact_sum *sum) {
  *sum = (sn_contact_sum){.number = 0};
  for (int i = 0; i < count; i++) {
    int body[2];
    for (int k = 0; k < 2; k++) body[k] = c->surfaces->surface[sn_contact_surface_number(c, list[i], k)].body;
    for (int k = 0; k < 2; k++) {
      if ((first >= 0 && body[k] != first) || (second >= 0 && body[1 - k] != second)) continue;
      if (first < 0 && k == 1) continue; /* all contacts: each once */
      sn_axpy(sum->force, k ? -1 : 1, list[i]->force);
      sum->number++;
      sum->penetration = fmax(sum->penetration, -list[i]->gap);
      if (first == second) break;
    }
  }
}
