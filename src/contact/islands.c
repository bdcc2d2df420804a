/* islands.c - connected components by union and find: every component points to another of its island or to itself. */
#include "contact/islands.h"

#include "base/base.h"

static void reserve(sn_islands *w, int components, int pairs) {
  if (components > w->components_capacity) {
    w->components_capacity = components;
    SN_RESIZE(w->parent, components);
    SN_RESIZE(w->island, components);
  }
  if (pairs > w->pairs_capacity || !w->start) {
    w->pairs_capacity = 2 * pairs + 64;
    SN_RESIZE(w->order, w->pairs_capacity);
    SN_RESIZE(w->of, w->pairs_capacity);
    SN_RESIZE(w->start, w->pairs_capacity + 2);
  }
}

static int root_of(int *parent, int component) {
  assert(component >= 0);
  while (parent[component] != component) component = parent[component] = parent[parent[component]];
  return component;
}

void sn_islands_find(sn_islands *w, int components, int pairs, const int *component) {
  reserve(w, components, pairs);
  int *parent = w->parent;
  for (int k = 0; k < 2 * pairs; k++)
    if (component[k] >= 0) parent[component[k]] = component[k], w->island[component[k]] = -1;
  for (int i = 0; i < pairs; i++)
    if (component[2 * i] >= 0 && component[2 * i + 1] >= 0)
      parent[root_of(parent, component[2 * i])] = root_of(parent, component[2 * i + 1]);
  w->count = 0;
  for (int i = 0; i < pairs; i++) {
    assert(component[2 * i] < components && component[2 * i + 1] < components);
    assert(component[2 * i] >= 0 || component[2 * i + 1] >= 0); /* the ground does not touch itself */
    int root = root_of(parent, component[2 * i] >= 0 ? component[2 * i] : component[2 * i + 1]);
    if (w->island[root] < 0) w->start[w->island[root] = w->count++] = 0;
    w->of[i] = w->island[root];
    w->start[w->of[i]]++;
  }
  for (int k = 0, at = 0; k <= w->count; k++) { /* from numbers of pairs to where they begin */
    int size = k < w->count ? w->start[k] : 0;
    w->start[k] = at;
    at += size;
  }
  for (int i = 0; i < pairs; i++) w->order[w->start[w->of[i]]++] = i;
  for (int k = w->count; k > 0; k--) w->start[k] = w->start[k - 1];
  w->start[0] = 0;
  assert(w->count == 0 || w->start[w->count] == pairs);
}

void sn_islands_free(sn_islands *w) {
  sn_free(w->parent);
  sn_free(w->island);
  sn_free(w->order);
  sn_free(w->of);
  sn_free(w->start);
}
