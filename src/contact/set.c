/* set.c - a set of contacts: its memory, and detection from beginning to end. */
#include "contact/set.h"

#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"

static void *memory(size_t count, size_t size) {
  void *p = calloc(count ? count : 1, size);
  if (!p) abort();
  return p;
}

sn_contacts *sn_contacts_create(const sn_model *model) {
  const sn_surfaces *s = model->surfaces;
  sn_contacts *c = memory(1, sizeof *c);
  sn_contacts_private *o = c->own = memory(1, sizeof *o);
  size_t items = (size_t)s->items, spheres = (size_t)s->spheres;
  c->model = model;
  c->surfaces = s;
  o->q = memory((size_t)model->n, sizeof(double));
  double **array[] = {&o->x, &o->y, &o->z, &o->x0, &o->y0, &o->z0};
  for (size_t k = 0; k < SN_COUNT(array); k++) *array[k] = memory(spheres, sizeof(double));
  o->pose = memory((size_t)s->holders, sizeof *o->pose);
  o->solid = memory(items, sizeof *o->solid);
  o->solid0 = memory(items, sizeof *o->solid0);
  o->low = memory(items, sizeof *o->low);
  o->high = memory(items, sizeof *o->high);
  o->cell = memory(3 * items, sizeof(int));
  o->order = memory(items, sizeof(int));
  o->start = memory(items + 2, sizeof(int));
  if (s->monomials) o->last = memory(spheres, sizeof(int));
  o->chunk_room = 2 * SN_PAIR_CHUNK;
  o->buckets = 64;
  while (o->buckets < 2 * s->items) o->buckets *= 2;
  o->bucket = memory((size_t)o->buckets + 1, sizeof(int));
  return c;
}

void sn_contacts_free(sn_contacts *c) {
  if (!c) return;
  sn_contacts_private *o = c->own;
  for (int k = 0; k < o->chunks; k++) free(o->chunk[k].contact);
  void *all[] = {o->q,     o->x,      o->y,     o->z,     o->x0,      o->y0,    o->z0,    o->pose,
                 o->solid, o->solid0, o->low,   o->high,  o->cell,    o->order, o->start, o->bucket,
                 o->pair,  o->sorted, o->plain, o->chunk, c->contact, o,        o->touch, o->last};
  for (size_t k = 0; k < SN_COUNT(all); k++) free(all[k]);
  free(c);
}

/* ---- detection ---- */

static void make_room(sn_contact_list *list, int room) {
  if (list->capacity >= room) return;
  list->capacity = room;
  list->contact = realloc(list->contact, (size_t)room * sizeof *list->contact);
  if (!list->contact) abort();
}

sn_contact *sn_append_contact(sn_contact_list *list) {
  if (list->count == list->capacity) make_room(list, 2 * list->capacity + 8);
  return &list->contact[list->count++];
}

static void narrow_chunk(void *user, int k) {
  const sn_contacts *c = user;
  sn_contact_list *list = &c->own->chunk[k];
  int last = (k + 1) * SN_PAIR_CHUNK < c->own->pairs ? (k + 1) * SN_PAIR_CHUNK : c->own->pairs;
  list->count = 0;
  for (int p = k * SN_PAIR_CHUNK; p < last; p++) sn_narrow(c, &c->own->pair[p], list);
}

/* A sphere at an edge between two elements of a plate has been found by both: of two contacts with nearly the same
 * normal, the nearer counts. Contacts of a sphere with one plate come one after the other. */
static void drop_twins(sn_contacts *c) {
  const sn_surfaces *s = c->surfaces;
  int *last = c->own->last, kept = 0;
  for (int k = 0; k < s->spheres; k++) last[k] = -1;
  for (int k = 0; k < c->count; k++) {
    const sn_contact *x = &c->contact[k];
    int *before = x->slides ? &last[x->side[0].sphere] : NULL;
    sn_contact *twin = before && *before >= 0 ? &c->contact[*before] : NULL;
    if (twin && s->item[twin->side[1].item].surface == s->item[x->side[1].item].surface &&
        sn_dot(twin->normal, x->normal) > 0.5) {
      if (x->gap < twin->gap) *twin = *x;
      continue;
    }
    if (before) *before = kept;
    if (kept < k) c->contact[kept] = *x;
    kept++;
  }
  c->count = kept;
}

static void gather(sn_contacts *c, int chunks) {
  sn_contacts_private *o = c->own;
  int total = 0;
  for (int k = 0; k < chunks; k++) total += o->chunk[k].count;
  if (total > o->capacity) {
    o->capacity = 2 * total + 16;
    free(c->contact);
    c->contact = memory((size_t)o->capacity, sizeof *c->contact);
  }
  c->count = 0;
  for (int k = 0; k < chunks; k++) {
    if (o->chunk[k].count == 0) continue;
    memcpy(c->contact + c->count, o->chunk[k].contact, (size_t)o->chunk[k].count * sizeof *c->contact);
    c->count += o->chunk[k].count;
  }
  if (o->last) drop_twins(c);
}

void sn_contacts_forget(sn_contacts *c) {
  c->own->known = c->own->searched = false;
}

void sn_contacts_detect(sn_contacts *c, sn_threads *threads, const double *q) {
  sn_contacts_private *o = c->own;
  size_t n = (size_t)c->model->n * sizeof *q;
  if (o->known && memcmp(o->q, q, n) == 0) return;
  memcpy(o->q, q, n);
  o->threads = threads;
  sn_contacts_place(c, q);
  if (!o->searched || sn_contacts_moved(c)) sn_contacts_search(c);
  int chunks = (o->pairs + SN_PAIR_CHUNK - 1) / SN_PAIR_CHUNK;
  if (chunks > o->chunks) {
    int room = 2 * chunks + 4;
    o->chunk = realloc(o->chunk, (size_t)room * sizeof *o->chunk);
    if (!o->chunk) abort();
    memset(o->chunk + o->chunks, 0, (size_t)(room - o->chunks) * sizeof *o->chunk);
    o->chunks = room;
  }
  for (int k = 0; k < o->chunks; k++) make_room(&o->chunk[k], o->chunk_room);
  sn_threads_run(threads, chunks, narrow_chunk, c);
  for (int k = 0; k < chunks; k++)
    if (o->chunk[k].capacity > o->chunk_room) o->chunk_room = o->chunk[k].capacity;
  gather(c, chunks);
  o->known = true;
}

const int *sn_contacts_candidates(const sn_contacts *c, long *version) {
  *version = c->rebuilds;
  return c->own->plain;
}

const sn_contact *sn_contacts_deepest(const sn_contacts *c) {
  const sn_contact *worst = NULL;
  for (int i = 0; i < c->count; i++)
    if (!worst || c->contact[i].gap < worst->gap) worst = &c->contact[i];
  return worst;
}

static const sn_surface *surface_of(const sn_contacts *c, const sn_contact *contact, int side) {
  return &c->surfaces->surface[c->surfaces->item[contact->side[side].item].surface];
}

const char *sn_contact_surface(const sn_contacts *c, const sn_contact *contact, int side) {
  return surface_of(c, contact, side)->name;
}

const char *sn_contact_body(const sn_contacts *c, const sn_contact *contact, int side) {
  return c->model->body[surface_of(c, contact, side)->body].name;
}
