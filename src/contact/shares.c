/* shares.c - forces of contacts on bodies, on all threads.
 *
 * Coordinates are divided into shares by the model alone: bodies whose surfaces are neighbors (order.c) have the same
 * share. A task adds what acts on its own coordinates, contact by contact in their order, so that each coordinate has
 * the same sum as with one thread. Contacts have bits for the shares that they touch; contacts of neighbors follow one
 * another, so that a task passes over most of them by chunks.
 */
#include <string.h>

#include "contact/set.h"

enum { SHARES = 64, NONE = 255 };

/* Coordinates of a carrier: places [first, first + size), one after the other; returns how many of them. */
static int places_of(const sn_carrier *h, int k, int *first, int *size) {
  if (h->type == SN_CARRIER_GROUND) return 0;
  const bool linear = h->type == SN_CARRIER_LINEAR;
  const int count = linear ? h->vectors : h->groups;
  if (k < count) *first = linear ? h->vector[k] : h->first[k], *size = linear ? h->dim : h->size[k];
  return count;
}

/* What moves as one has one share: all coordinates of a carrier that is not linear. False: some have two. */
static bool give(const sn_carrier *h, int share, unsigned char *owner) {
  const bool linear = h->type == SN_CARRIER_LINEAR;
  int first, size;
  for (int k = 0; !linear && k < places_of(h, k, &first, &size); k++)
    if (owner[first] != NONE) share = owner[first];
  for (int k = 0; k < places_of(h, k, &first, &size); k++) {
    if (!linear && owner[first] != NONE && owner[first] != share) return false;
    if (owner[first] == NONE) memset(owner + first, share, (size_t)size);
  }
  return true;
}

void sn_shares_create(sn_contacts *c) {
  const sn_surfaces *s = c->surfaces;
  unsigned char *owner = sn_new((size_t)c->model->n + 1, 1);
  bool good = true;
  memset(owner, NONE, (size_t)c->model->n + 1);
  for (int i = 0; i < s->items && good; i++)
    good = give(&s->carrier[s->item[i].carrier], (int)((long)i * SHARES / s->items), owner);
  if (good)
    c->own->owner = owner;
  else
    sn_free(owner);
}

uint64_t sn_shares_of(const sn_contacts *c, const sn_contact *x) {
  uint64_t shares = 0;
  for (int side = 0; side < 2; side++) {
    const sn_carrier *h = &c->surfaces->carrier[x->side[side].carrier];
    int first, size;
    for (int k = 0; k < places_of(h, k, &first, &size); k++) shares |= (uint64_t)1 << c->own->owner[first];
  }
  return shares;
}

typedef struct pushing {
  const sn_contacts *c;
  const double *q;
  double *r;
} pushing;

static void push_share(void *user, int share) {
  const pushing *w = user;
  const sn_contacts *c = w->c;
  const sn_contacts_private *o = c->own;
  const sn_share own = {o->owner, share};
  const uint64_t bit = (uint64_t)1 << share;
  for (int first = 0; first < c->count; first += SN_PUSH_CHUNK) {
    if (!(o->chunk_touched[first / SN_PUSH_CHUNK] & bit)) continue;
    const int last = c->count - first < SN_PUSH_CHUNK ? c->count : first + SN_PUSH_CHUNK;
    for (int i = first; i < last; i++)
      if (o->touched[i] & bit) sn_contact_push(c, c->contact[i], w->q, o->push[i], &own, w->r);
  }
}

void sn_shares_push(const sn_contacts *c, sn_threads *threads, const double *q, double *r) {
  enum { FEW = 512 }; /* contacts that are not worth a start of the threads */
  pushing w = {c, q, r};
  if (sn_threads_count(threads) > 1 && c->own->owner && c->count > FEW) {
    sn_threads_run(threads, SHARES, push_share, &w);
    return;
  }
  for (int i = 0; i < c->count; i++)
    if (!c->surfaces->law[c->contact[i]->law].dvi)
      sn_contact_push(c, c->contact[i], q, c->own->push[i], &(sn_share){0}, r);
}
