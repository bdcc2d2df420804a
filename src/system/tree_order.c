/* tree_order.c - see tree_order.h. */
#include "system/tree_order.h"

typedef struct edge {
  int rows, end[2]; /* end[1] = bodies: the ground */
} edge;

typedef struct search {
  sn_arena *arena;
  int bodies, links, edges;
  const sn_tree_link *link;
  int *near_first, *near; /* [bodies + 2], [2 links]: links of each body */
  edge *edge;
  int *edge_of; /* [links] */
  bool *chosen; /* [edges] in the tree */
  int *member;  /* [bodies] by mechanisms */
  int *waiting; /* [bodies] */
  int found;
  sn_tree_order *out;
} search;

/* ---- edges: links between the same two bodies ---- */

static void list_near(search *s) {
  s->near_first = SN_NEW(s->arena, int, s->bodies + 2);
  s->near = SN_NEW(s->arena, int, 2 * s->links + 1);
  for (int k = 0; k < s->links; k++)
    for (int e = 0; e < 2; e++)
      if (s->link[k].end[e] >= 0) s->near_first[s->link[k].end[e] + 2]++;
  for (int i = 1; i <= s->bodies; i++) s->near_first[i + 1] += s->near_first[i];
  for (int k = 0; k < s->links; k++)
    for (int e = 0; e < 2; e++)
      if (s->link[k].end[e] >= 0) s->near[s->near_first[s->link[k].end[e] + 1]++] = k;
}

/* Of body i those to bodies with larger numbers and to the ground. at[]: the last edge to a body, -1: none. */
static void list_edges_of(search *s, int i, int *at) {
  const int start = s->edges;
  for (int k = s->near_first[i]; k < s->near_first[i + 1]; k++) {
    const sn_tree_link *x = &s->link[s->near[k]];
    const int other = x->end[1] < 0 ? s->bodies : x->end[x->end[0] == i];
    if (other < i) continue;
    if (at[other] < start) {
      at[other] = s->edges;
      s->edge[s->edges++] = (edge){.end = {i, other}};
    }
    s->edge[at[other]].rows += x->rows;
    s->edge_of[s->near[k]] = at[other];
  }
}

static void list_edges(search *s) {
  int *at = SN_NEW(s->arena, int, s->bodies + 1);
  s->edge = SN_NEW(s->arena, edge, s->links + 1);
  s->edge_of = SN_NEW(s->arena, int, s->links + 1);
  s->chosen = SN_NEW(s->arena, bool, s->links + 1);
  for (int i = 0; i <= s->bodies; i++) at[i] = -1;
  for (int i = 0; i < s->bodies; i++) list_edges_of(s, i, at);
}

/* ---- sets of vertices that are connected ---- */

static int set_of(int *up, int i) {
  while (up[i] != i) i = up[i] = up[up[i]];
  return i;
}

static bool unite(int *up, int a, int b) {
  a = set_of(up, a), b = set_of(up, b);
  if (a == b) return false;
  up[a > b ? a : b] = a > b ? b : a;
  return true;
}

static int *single_sets(search *s) {
  int *up = SN_NEW(s->arena, int, s->bodies + 1);
  for (int i = 0; i <= s->bodies; i++) up[i] = i;
  return up;
}

static void choose_edges(search *s, int most) {
  int *up = single_sets(s);
  for (int rows = most; rows > 0; rows--)
    for (int k = 0; k < s->edges; k++)
      if (s->edge[k].rows == rows) s->chosen[k] = unite(up, s->edge[k].end[0], s->edge[k].end[1]);
  s->out->cut = SN_NEW(s->arena, bool, s->links + 1);
  for (int k = 0; k < s->links; k++) s->out->cut[k] = !s->chosen[s->edge_of[k]];
}

static void find_mechanisms(search *s) {
  int *up = single_sets(s), *number = SN_NEW(s->arena, int, s->bodies + 1);
  for (int k = 0; k < s->edges; k++)
    if (s->edge[k].end[1] < s->bodies) unite(up, s->edge[k].end[0], s->edge[k].end[1]);
  int *first = s->out->first = SN_NEW(s->arena, int, s->bodies + 2);
  s->member = SN_NEW(s->arena, int, s->bodies);
  for (int i = 0; i < s->bodies; i++) { /* the root of a set is its smallest number */
    if (set_of(up, i) == i) number[i] = s->out->mechanisms++;
    number[i] = number[set_of(up, i)];
    first[number[i] + 1]++;
  }
  for (int c = 0; c < s->out->mechanisms; c++) first[c + 1] += first[c];
  for (int i = s->bodies - 1; i >= 0; i--) s->member[--first[number[i] + 1]] = i;
  for (int c = 0; c < s->out->mechanisms; c++) first[c] = first[c + 1];
  first[s->out->mechanisms] = s->bodies;
}

/* ---- the order ---- */

static void walk(search *s, int root) {
  sn_tree_order *o = s->out;
  int waiting = 0;
  s->waiting[waiting++] = root;
  o->parent[root] = -1;
  while (waiting > 0) {
    const int body = s->waiting[--waiting];
    o->place[body] = s->found;
    o->order[s->found++] = body;
    for (int k = s->near_first[body]; k < s->near_first[body + 1]; k++) {
      const sn_tree_link *x = &s->link[s->near[k]];
      if (x->end[1] < 0 || o->cut[s->near[k]]) continue;
      const int other = x->end[x->end[0] == body];
      if (o->parent[other] != -2) continue; /* its parent, or joined by several links */
      o->parent[other] = body;
      s->waiting[waiting++] = other;
    }
  }
}

static bool stands_on_ground(const search *s, int body) {
  for (int k = s->near_first[body]; k < s->near_first[body + 1]; k++)
    if (s->link[s->near[k]].end[1] < 0 && !s->out->cut[s->near[k]]) return true;
  return false;
}

static void find_order(search *s) {
  sn_tree_order *o = s->out;
  o->parent = SN_NEW(s->arena, int, s->bodies);
  o->place = SN_NEW(s->arena, int, s->bodies);
  o->order = SN_NEW(s->arena, int, s->bodies);
  s->waiting = SN_NEW(s->arena, int, s->bodies);
  for (int i = 0; i < s->bodies; i++) o->parent[i] = -2;
  for (int c = 0; c < o->mechanisms; c++)
    for (int ground = 1; ground >= 0; ground--)
      for (int k = o->first[c]; k < o->first[c + 1]; k++)
        if (o->parent[s->member[k]] == -2 && (!ground || stands_on_ground(s, s->member[k]))) walk(s, s->member[k]);
}

bool sn_tree_order_find(sn_arena *arena, int bodies, int links, const sn_tree_link *link, int most,
                        sn_tree_order *out) {
  search s = {.arena = arena, .bodies = bodies, .links = links, .link = link, .out = out};
  *out = (sn_tree_order){0};
  list_near(&s);
  list_edges(&s);
  for (int k = 0; k < s.edges; k++)
    if (s.edge[k].rows > most) return false;
  choose_edges(&s, most);
  find_mechanisms(&s);
  find_order(&s);
  return true;
}
