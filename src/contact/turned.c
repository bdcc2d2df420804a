/* turned.c - contacts whose direction of sliding an iteration has turned.
 *
 * Friction has a step at the sliding speed 0, as narrow as the slip speed e. Newton's method, which sees full friction
 * against the sliding, carries a contact that comes to rest beyond it, where friction points the other way, and back: it
 * ends only where steps are so short that no velocity changes by more than e. A contact that an iteration carries across
 * is therefore held in the next one: its friction is the tangent at rest, -(2 mu F/e) ut without bound. That iteration
 * finds what friction would have to be for the contact to rest. After it the law itself applies again: where friction is
 * strong enough the contact is within e/2 of rest, where the iteration then converges; where it is not the contact slides
 * in the direction in which it is driven, and does not turn again.
 *
 * A solution is one of the law: no iteration ends while a contact is held.
 */
#include <string.h>

#include "contact/penalty.h"
#include "contact/set.h"
#include "math/vec3.h"

void sn_contacts_watch(sn_contacts *c, bool watch) {
  sn_contacts_private *o = c->own;
  o->watching = watch;
  o->watched = o->held = 0;
  o->pushed = false;
}

int sn_contacts_held(const sn_contacts *c) {
  return c->own->watching ? c->own->held : 0;
}

/* Of the last iteration; contacts are listed in the same order. NULL: it was open. */
static const sn_watched *last_of(const sn_contacts_private *o, uint64_t key, int *from) {
  enum { MOST = 1000 }; /* contacts that have opened since */
  for (int k = *from; k < o->watched && k < *from + MOST; k++)
    if (o->watch[k].key == key) {
      *from = k + 1;
      return &o->watch[k];
    }
  return NULL;
}

void sn_contacts_find_turned(sn_contacts *c, const sn_eval *ev) {
  sn_contacts_private *o = c->own;
  int from = 0;
  o->held = 0;
  for (int i = 0; i < c->count; i++) {
    const sn_contact *x = c->contact[i];
    const sn_law *law = &c->surfaces->law[x->law];
    sn_watched *now = &o->watch_next[i];
    double u[3];
    *now = (sn_watched){.key = x->key};
    if (law->dvi || !(x->gap < 0) || !(law->friction > 0)) continue;
    sn_contact_velocity(c, x, ev->q, ev->v, u);
    sn_axpy(u, -sn_dot(u, x->normal), x->normal);
    sn_copy(now->ut, u);
    const sn_watched *last = last_of(o, x->key, &from);
    now->held = last && !last->held && sn_dot(last->ut, u) < 0 && 2 * sn_norm(u) > law->slip;
    o->held += now->held;
  }
  sn_watched *swap = o->watch;
  o->watch = o->watch_next;
  o->watch_next = swap;
  o->watched = c->count;
}
