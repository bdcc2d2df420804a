/* set.c - a set of contacts: its memory, and detection from beginning to end. */
#include "contact/set.h"

#include <string.h>

#include "math/vec3.h"

sn_contacts *sn_contacts_create(const sn_model *model) {
  assert(model->surfaces && model->surfaces->items > 0 && model->surfaces->margin >= 0);
  const sn_surfaces *s = model->surfaces;
  sn_contacts *c = sn_new(1, sizeof *c);
  sn_contacts_private *o = c->own = sn_new(1, sizeof *o);
  size_t items = (size_t)s->items, spheres = (size_t)s->spheres;
  c->model = model;
  c->surfaces = s;
  o->q = sn_new((size_t)model->n, sizeof(double));
  o->v = sn_new((size_t)model->n, sizeof(double));
  double **array[] = {&o->x, &o->y, &o->z, &o->x0, &o->y0, &o->z0};
  for (size_t k = 0; k < SN_COUNT(array); k++) *array[k] = sn_new(spheres + SN_SPHERE_LANES, sizeof(double));
  o->pose = sn_new((size_t)s->carriers, sizeof *o->pose);
  o->motion = sn_new((size_t)s->carriers, sizeof *o->motion);
  o->solid = sn_new(items, sizeof *o->solid);
  o->solid0 = sn_new(items, sizeof *o->solid0);
  o->low = sn_new(items, sizeof *o->low);
  o->high = sn_new(items, sizeof *o->high);
  o->cell = sn_new(3 * items, sizeof(int));
  o->order = sn_new(items, sizeof(int));
  o->start = sn_new(items + 2, sizeof(int));
  o->large_item = sn_new(items, sizeof(int));
  if (s->monomials) o->last = sn_new(spheres, sizeof(int));
  o->sort = sn_new(items, 1);
  o->extent = sn_new(items, sizeof(double));
  sn_sort_planes(c);
  o->posed = sn_new((size_t)s->carriers, sizeof(int));
  for (int h = 0; h < s->carriers; h++)
    if (sn_carrier_is_rigid(&s->carrier[h])) o->posed[o->poses++] = h;
  o->solid_item = sn_new(items, sizeof(int));
  for (int i = 0; i < s->items; i++)
    if (s->item[i].shape != SN_ITEM_SPHERES) o->solid_item[o->solids++] = i;
  o->way = sn_new(items / SN_ITEM_CHUNK + 1, sizeof(double));
  if (s->penalty) sn_shares_create(c);
  o->buckets = 64;
  while (o->buckets < 2 * s->items) o->buckets *= 2;
  o->bucket = sn_new((size_t)o->buckets + 1, sizeof(int));
  return c;
}

void sn_contacts_free(sn_contacts *c) {
  if (!c) return;
  sn_contacts_private *o = c->own;
  for (int k = 0; k < o->searches; k++) sn_free(o->found[k].pair);
  sn_found_free(&o->all);
  sn_found_free(&o->kept);
  sn_free(o->loaded);
  void *all[] = {o->q,
                 o->x,
                 o->y,
                 o->z,
                 o->x0,
                 o->y0,
                 o->z0,
                 o->pose,
                 o->motion,
                 o->solid,
                 o->solid0,
                 o->low,
                 o->high,
                 o->cell,
                 o->order,
                 o->start,
                 o->bucket,
                 o->pair,
                 o->sorted,
                 o->plain,
                 o->sort,
                 o->extent,
                 o->found,
                 o->large_item,
                 o->posed,
                 o->solid_item,
                 o->way,
                 o->last,
                 o->push,
                 o->v,
                 o->lost,
                 o->creep,
                 o->watch,
                 o->watch_next,
                 o->near.contact,
                 o->owner,
                 o->touched,
                 o->chunk_touched,
                 o};
  for (size_t k = 0; k < SN_COUNT(all); k++) sn_free(all[k]);
  sn_free(c);
}

/* ---- detection ---- */

/* A sphere at an edge between two elements of a plate has been found by both: of two contacts with nearly the same
 * normal, the nearer counts. Contacts of a sphere with one plate come one after the other. */
static void drop_twins(const sn_contacts *c, sn_found *found) {
  const sn_surfaces *s = c->surfaces;
  int *last = c->own->last, kept = 0;
  for (int k = 0; k < s->spheres; k++) last[k] = -1;
  for (int k = 0; k < found->count; k++) {
    sn_contact *x = found->contact[k];
    int *before = x->slides ? &last[x->side[0].sphere] : NULL;
    sn_contact **twin = before && *before >= 0 ? &found->contact[*before] : NULL;
    if (twin && s->item[(*twin)->side[1].item].surface == s->item[x->side[1].item].surface &&
        sn_dot((*twin)->normal, x->normal) > 0.5) {
      if (x->gap < (*twin)->gap) *twin = x;
      continue;
    }
    if (before) *before = kept;
    found->contact[kept++] = x;
  }
  found->count = kept;
}

void sn_contacts_room(sn_contacts *c) {
  sn_contacts_private *o = c->own;
  if (o->push_capacity >= o->all.capacity) return;
  o->push_capacity = o->all.capacity;
  sn_free(o->push);
  sn_free(o->lost);
  sn_free(o->creep);
  sn_free(o->watch_next);
  sn_free(o->touched);
  sn_free(o->chunk_touched);
  o->push = sn_new((size_t)o->push_capacity, sizeof *o->push);
  o->lost = sn_new((size_t)o->push_capacity / SN_PUSH_CHUNK + 1, sizeof *o->lost);
  o->creep = sn_new((size_t)o->push_capacity / SN_PUSH_CHUNK + 1, sizeof *o->creep);
  o->watch_next = sn_new((size_t)o->push_capacity, sizeof *o->watch_next);
  SN_RESIZE(o->watch, o->push_capacity);
  o->touched = sn_new((size_t)o->push_capacity, sizeof *o->touched);
  o->chunk_touched = sn_new((size_t)o->push_capacity / SN_PUSH_CHUNK + 1, sizeof *o->chunk_touched);
}

void sn_contacts_forget(sn_contacts *c) {
  c->own->known = c->own->searched = false;
}

/* In powers of two, so that candidates are seldom searched anew. */
void sn_contacts_reach(sn_contacts *c, double way) {
  double margin = c->surfaces->margin, reach = 0;
  if (way > margin / 2) /* activation of its own is half the margin */
    for (reach = margin; reach < way;) reach *= 2;
  if (reach == c->own->closing || (reach < c->own->closing && 4 * way > c->own->closing)) return;
  c->own->closing = reach;
  sn_contacts_forget(c);
}

void sn_contacts_solved(sn_contacts *c, int count, sn_contact *const *list) {
  c->solved_count = count;
  c->solved = list;
  c->own->kept_apart = false;
}

/* Before others are detected, solved contacts are set aside as they are: no copies, their list changes its place. */
static void keep_solved(sn_contacts *c) {
  sn_contacts_private *o = c->own;
  if (c->solved_count == 0 || o->kept_apart) return;
  sn_found solved = o->all;
  o->all = o->kept;
  o->kept = solved;
  o->kept_apart = true;
  sn_found_room(&o->all, solved.capacity);
  if (o->all.room < solved.room) o->all.room = solved.room;
}

void sn_contacts_detect(sn_contacts *c, sn_threads *threads, const double *q) {
  assert(threads && q);
  sn_contacts_private *o = c->own;
  if (o->known && sn_threads_equal(threads, c->model->n, o->q, q)) return;
  sn_threads_copy(threads, c->model->n, o->q, q);
  o->pushed = false;
  o->threads = threads;
  sn_contacts_place(c, q);
  if (!o->searched || sn_contacts_moved(c)) sn_contacts_search(c);
  keep_solved(c);
  sn_contacts_find(c);
  if (o->last) drop_twins(c, &o->all);
  c->count = o->all.count;
  c->contact = o->all.contact;
  o->known = true;
}

static bool is_rigid(const sn_surfaces *s, int item) {
  return sn_carrier_is_rigid(&s->carrier[s->item[item].carrier]);
}

int sn_contacts_ahead(sn_contacts *c, sn_threads *threads, const double *q, const sn_contact **list) {
  const sn_surfaces *s = c->surfaces;
  sn_contacts_private *o = c->own;
  if (o->look == 0) {
    o->look = s->margin;
    sn_contacts_forget(c);
  }
  sn_contacts_detect(c, threads, q);
  o->ahead = o->look;
  o->near.count = 0;
  for (int k = 0; k < o->pairs; k++)
    if (!s->law[o->pair[k].law].dvi && is_rigid(s, o->pair[k].i) && is_rigid(s, o->pair[k].j))
      sn_narrow(c, &o->pair[k], &o->near);
  o->ahead = 0;
  *list = o->near.contact;
  return o->near.count;
}

const int *sn_contacts_candidates(const sn_contacts *c, long *version) {
  *version = c->rebuilds;
  return c->own->plain;
}

const sn_contact *sn_contacts_deepest(const sn_contacts *c) {
  const sn_contact *worst = NULL;
  for (int i = 0; i < c->count; i++)
    if (!worst || c->contact[i]->gap < worst->gap) worst = c->contact[i];
  return worst;
}

int sn_contact_surface_number(const sn_contacts *c, const sn_contact *contact, int side) {
  assert(side == 0 || side == 1);
  return c->surfaces->item[contact->side[side].item].surface;
}

static const sn_surface *surface_of(const sn_contacts *c, const sn_contact *contact, int side) {
  return &c->surfaces->surface[sn_contact_surface_number(c, contact, side)];
}

const char *sn_contact_surface(const sn_contacts *c, const sn_contact *contact, int side) {
  return surface_of(c, contact, side)->name;
}

const char *sn_contact_body(const sn_contacts *c, const sn_contact *contact, int side) {
  return c->model->body[surface_of(c, contact, side)->body].name;
}
