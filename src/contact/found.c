/* found.c - the contacts of a detection.
 *
 * Candidates are divided into parts, each of which one task looks at. A part has its own stretch of one block of memory
 * and writes its contacts there, where they stay: nothing is copied. The list of all points to them, part by part, which
 * is the order of the candidates. All stretches are as long as any part has ever needed, and some longer; a part that
 * finds more takes memory of its own until all are done.
 */
#include <string.h>

#include "contact/set.h"

/* Enough parts for the threads of any machine to share evenly, and pairs in each to be worth a task. */
enum { MOST_PARTS = 512, FEWEST_PAIRS = 32 };

static int pairs_of_part(int pairs) {
  const int even = (pairs + MOST_PARTS - 1) / MOST_PARTS;
  return even > FEWEST_PAIRS ? even : FEWEST_PAIRS;
}

sn_contact *sn_append_contact(sn_contact_list *list) {
  if (list->count == list->capacity) {
    sn_contact *before = list->lent ? list->contact : NULL;
    if (list->lent) list->contact = NULL;
    list->lent = false;
    list->capacity = 2 * list->capacity + 8;
    SN_RESIZE(list->contact, list->capacity);
    if (before) memcpy(list->contact, before, (size_t)list->count * sizeof *before);
  }
  return &list->contact[list->count++];
}

/* Stretches of so many contacts; what was in the block is not needed any more. */
static void make_block(sn_found *w, int parts, int room) {
  const size_t size = (size_t)parts * (size_t)room;
  w->room = room;
  if (size <= w->block_capacity) return;
  sn_free(w->block);
  w->block = NULL;
  w->block_capacity = 0;
  SN_RESIZE(w->block, size);
  w->block_capacity = size;
}

static void lend(sn_found *w, int parts) {
  if (parts > w->part_capacity) {
    w->part_capacity = parts + parts / 4;
    SN_RESIZE(w->part, w->part_capacity);
  }
  make_block(w, parts, w->room);
  for (int k = 0; k < parts; k++)
    w->part[k] = (sn_contact_list){
        .capacity = w->room, .lent = true, .contact = w->room ? w->block + (size_t)k * (size_t)w->room : NULL};
}

static void find_part(void *user, int k) {
  const sn_contacts *c = user;
  const sn_contacts_private *o = c->own;
  const int size = pairs_of_part(o->pairs), last = (k + 1) * size < o->pairs ? (k + 1) * size : o->pairs;
  sn_contact_list list = o->all.part[k];
  for (int p = k * size; p < last; p++) sn_narrow(c, &o->pair[p], &list);
  o->all.part[k] = list;
}

/* Parts with memory of their own return to a block that has room for them. */
static void take_back(sn_found *w, int parts) {
  int most = 0;
  bool all = true;
  for (int k = 0; k < parts; k++) {
    if (w->part[k].count > most) most = w->part[k].count;
    all = all && w->part[k].lent;
  }
  if (all) return;
  sn_contact *before = w->block;
  w->block = NULL;
  w->block_capacity = 0;
  make_block(w, parts, most + most / 4 + 1);
  for (int k = 0; k < parts; k++) {
    sn_contact_list *list = &w->part[k];
    sn_contact *to = w->block + (size_t)k * (size_t)w->room;
    if (list->count) memcpy(to, list->contact, (size_t)list->count * sizeof *to);
    if (!list->lent) sn_free(list->contact);
    list->contact = to;
  }
  sn_free(before);
}

static void list_part(void *user, int k) {
  const sn_found *w = user;
  const sn_contact_list *list = &w->part[k];
  for (int i = 0; i < list->count; i++) w->contact[list->first + i] = &list->contact[i];
}

void sn_contacts_find(sn_contacts *c) {
  sn_contacts_private *o = c->own;
  sn_found *w = &o->all;
  const int size = pairs_of_part(o->pairs), parts = (o->pairs + size - 1) / size;
  lend(w, parts);
  sn_threads_run(o->threads, parts, find_part, c);
  take_back(w, parts);
  w->count = 0;
  for (int k = 0; k < parts; k++) {
    w->part[k].first = w->count;
    w->count += w->part[k].count;
  }
  if (w->count > w->capacity) sn_found_room(w, 2 * w->count);
  sn_threads_run(o->threads, parts, list_part, w);
}

void sn_found_room(sn_found *w, int count) {
  if (count <= w->capacity) return;
  w->capacity = count;
  SN_RESIZE(w->contact, w->capacity);
}

void sn_found_free(sn_found *w) {
  sn_free(w->contact);
  sn_free(w->block);
  sn_free(w->part);
}
