/* tree_find.c - is a model made of rigid bodies and joints between two of them? Then it is a tree, with loops that some
 * of the joints close (tree_order.h). */
#include "body/bodies.h"
#include "body/rigid.h"
#include "model/compile.h"
#include "system/tree.h"
#include "system/tree_order.h"

enum {
  COORDINATES = 7,
  PART = 256, /* bodies at least that a thread takes at once */
  CLOSE = 48  /* equations at most that close the loops of a mechanism: each costs a solution along its trees */
};

/* A primitive, or a relation, and the two bodies that it joins, in the order of the model; -1: the ground. */
typedef struct link {
  const sn_primitive *primitive;
  sn_primitive_type type;
  const sn_relation *relation;
  int rows, end[2];
} link;

typedef struct search {
  sn_arena scratch;
  int bodies, links, rows;
  int *body_of; /* [groups] body of a group of coordinates */
  link *link;
  sn_tree_order order;
  int cuts;      /* links that close loops */
  int *slot;     /* [links] of those: its number after the bodies */
  int *rows_cut; /* [mechanisms] their equations */
  bool good;
} search;

/* ---- which bodies a primitive joins ---- */

static void add_end(search *s, link *x, int body) {
  if (x->end[0] < 0 || x->end[0] == body)
    x->end[0] = body;
  else if (x->end[1] < 0 || x->end[1] == body)
    x->end[1] = body;
  else
    s->good = false;
}

static void keep_link(search *s, const link *x) {
  s->good &= x->end[0] >= 0;
  s->link[s->links++] = *x;
  s->rows += x->rows;
}

static void add_primitive(void *user, const sn_primitive *p, sn_primitive_type type) {
  search *s = user;
  link x = {.primitive = p, .type = type, .rows = type == SN_COINCIDENT ? p->rows : 1, .end = {-1, -1}};
  for (int k = 0; k < p->probes; k++) {
    if (p->probe[k].ops == &sn_probe_rigid)
      add_end(s, &x, p->probe[k].first[0] / COORDINATES);
    else
      s->good &= p->probe[k].ops == &sn_probe_constant;
  }
  keep_link(s, &x);
}

static void add_relation(void *user, const sn_relation *r) {
  search *s = user;
  link x = {.relation = r, .rows = 1, .end = {-1, -1}};
  for (int k = 0; k < r->terms; k++) {
    int group[SN_PHI_PROBES * SN_PROBE_GROUPS];
    const int count = sn_phi_groups(&r->phi[k], group);
    for (int g = 0; g < count; g++) add_end(s, &x, s->body_of[group[g]]);
  }
  keep_link(s, &x);
}

static void count_primitive(void *user, const sn_primitive *p, sn_primitive_type type) {
  (void)p, (void)type;
  ++*(int *)user;
}

static void count_relation(void *user, const sn_relation *r) {
  (void)r;
  ++*(int *)user;
}

/* Nothing has mass but rigid bodies, and all other equations are normalizations and primitives. */
static bool is_rigid(const sn_model *m, int bodies, const void *items) {
  if (bodies == 0 || m->n != COORDINATES * bodies || m->reactive || m->massless || m->nonholonomic > 0) return false;
  for (int k = 0; k < m->batches; k++) {
    const sn_batch *b = &m->batch[k];
    if ((b->ops->momentum || b->ops->steady) && !b->ops->position && b->data != items) return false;
  }
  return sn_normalizations(m, NULL, NULL) == bodies;
}

static void list_links(search *s, const sn_model *m, const sn_rigid_item *items) {
  int count = 0;
  sn_each_primitive(m, count_primitive, &count);
  sn_each_relation(m, count_relation, &count);
  s->body_of = SN_NEW(&s->scratch, int, m->groups);
  for (int i = 0; i < s->bodies; i++) s->body_of[items[i].group] = items[i].first / COORDINATES;
  s->link = SN_NEW(&s->scratch, link, count + 1);
  sn_each_primitive(m, add_primitive, s);
  sn_each_relation(m, add_relation, s);
}

/* ---- loops ---- */

static int mechanism_of(const search *s, int body) {
  int low = 0, high = s->order.mechanisms;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (s->order.first[middle] <= s->order.place[body])
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Links that close loops get slots behind the bodies, mechanism by mechanism. */
static void number_cuts(search *s) {
  int *next = SN_NEW(&s->scratch, int, s->order.mechanisms + 1);
  s->slot = SN_NEW(&s->scratch, int, s->links + 1);
  s->rows_cut = SN_NEW(&s->scratch, int, s->order.mechanisms + 1);
  for (int k = 0; k < s->links; k++) {
    if (!s->order.cut[k]) continue;
    const int mechanism = mechanism_of(s, s->link[k].end[0]);
    next[mechanism + 1]++;
    s->rows_cut[mechanism] += s->link[k].rows;
    s->good &= s->rows_cut[mechanism] <= CLOSE;
    s->cuts++;
  }
  for (int c = 0; c < s->order.mechanisms; c++) next[c + 1] += next[c];
  for (int k = 0; k < s->links; k++)
    if (s->order.cut[k]) s->slot[k] = s->bodies + next[mechanism_of(s, s->link[k].end[0])]++;
}

static void find_order(search *s) {
  sn_tree_link *links = SN_NEW(&s->scratch, sn_tree_link, s->links + 1);
  for (int k = 0; k < s->links; k++)
    links[k] = (sn_tree_link){.rows = s->link[k].rows, .end = {s->link[k].end[0], s->link[k].end[1]}};
  s->good &= sn_tree_order_find(&s->scratch, s->bodies, s->links, links, SN_JOINT_MOST, &s->order);
  if (s->good) number_cuts(s);
}

/* ---- the tree ---- */

/* Whose joint with its parent a link belongs to, or its slot. */
static int child_of(const search *s, int k) {
  const sn_tree_order *o = &s->order;
  const link *x = &s->link[k];
  if (o->cut[k]) return s->slot[k];
  if (x->end[1] < 0) return o->place[x->end[0]];
  return o->place[o->parent[x->end[0]] == x->end[1] ? x->end[0] : x->end[1]];
}

static void number_rows(const search *s, int *row, int *item) {
  for (int k = 0; k < s->links; k++) {
    const int i = child_of(s, k);
    row[i + 1] += s->link[k].rows;
    item[i + 1]++;
  }
  for (int i = 0; i < s->bodies + s->cuts; i++) {
    assert(row[i + 1] <= SN_JOINT_MOST);
    row[i + 1] += row[i];
    item[i + 1] += item[i];
  }
}

static void set_side(const search *s, const sn_probe *probe, int child, sn_tree_side *side) {
  if (probe->ops == &sn_probe_constant) {
    *side = (sn_tree_side){.body = -1, .b = {probe->weight[0], probe->weight[1], probe->weight[2]}};
    return;
  }
  side->body = s->order.place[probe->first[0] / COORDINATES];
  side->on_parent = side->body != child;
  side->c = probe->weight[0];
  for (int k = 0; k < 3; k++) side->b[k] = probe->weight[1 + k];
}

static void fill_items(search *s, sn_tree *t, sn_tree_item *item, int *multiplier) {
  const int all = s->bodies + s->cuts;
  int *used = SN_NEW(&s->scratch, int, 2 * all), *rows = used + all;
  for (int k = 0; k < s->links; k++) {
    const link *x = &s->link[k];
    const sn_primitive *p = x->primitive;
    const int i = child_of(s, k), own = s->order.cut[k] ? s->order.place[x->end[0]] : i;
    sn_tree_item *y = &item[t->item_first[i] + used[i]++];
    *y = (sn_tree_item){.relation = x->relation, .type = x->type, .row = t->w.row[i] + rows[i]};
    if (p) y->sides = p->probes, y->c = p->c, y->f = p->f;
    for (int e = 0; p && e < p->probes; e++) set_side(s, &p->probe[e], own, &y->side[e]);
    for (int r = 0; r < x->rows; r++) multiplier[y->row + r] = (p ? p->row : x->relation->row) + r;
    rows[i] += x->rows;
  }
}

/* Bodies, and slots with the bodies that they join. */
static void fill_bodies(search *s, const sn_model *m, const sn_rigid_item *items, int *parent, sn_tree_body *body) {
  const sn_tree_order *o = &s->order;
  int *first = SN_NEW(&s->scratch, int, 2 * s->bodies), *unit = first + s->bodies;
  sn_normalizations(m, first, unit);
  for (int k = 0; k < s->bodies; k++) {
    const sn_rigid_item *x = &items[k];
    sn_tree_body *b = &body[o->place[x->first / COORDINATES]];
    *b = (sn_tree_body){.first = x->first, .m = x->m, .J0 = x->J0};
    for (int j = 0; j < 6; j++) b->J[j] = x->J[j];
  }
  for (int k = 0; k < s->bodies; k++) body[o->place[first[k] / COORDINATES]].unit = unit[k];
  for (int i = 0; i < s->bodies; i++) {
    const int up = o->parent[o->order[i]];
    parent[i] = up >= 0 ? o->place[up] : -1;
  }
  for (int k = 0; k < s->links; k++) {
    if (!o->cut[k]) continue;
    const int *end = s->link[k].end;
    body[s->slot[k]] = body[o->place[end[0]]];
    body[s->slot[k]].place = o->place[end[0]];
    parent[s->slot[k]] = end[1] >= 0 ? o->place[end[1]] : -1;
  }
}

/* Parts are whole mechanisms; those with loops are listed. */
static void cut_parts(const search *s, sn_tree *t, int *part, int *part_loop, sn_tree_loop *loop) {
  int slot = s->bodies;
  for (int c = 0; c < s->order.mechanisms; c++) {
    const int first = s->order.first[c];
    if (c == 0 || first - part[t->parts - 1] >= PART) {
      part_loop[t->parts] = t->loops;
      part[t->parts++] = first;
    }
    if (s->rows_cut[c] == 0) continue;
    sn_tree_loop *x = &loop[t->loops++];
    *x = (sn_tree_loop){.first = first, .last = s->order.first[c + 1], .slot = slot, .rows = s->rows_cut[c]};
    for (int rows = 0; rows < x->rows; slot++) rows += t->w.row[slot + 1] - t->w.row[slot];
    x->end = slot;
  }
  part[t->parts] = t->w.bodies;
  part_loop[t->parts] = t->loops;
}

static void take_memory(sn_tree *t, const sn_model *m, sn_arena *arena, int slots, int rows) {
  const size_t n = (size_t)t->w.bodies, all = n + (size_t)slots, k = (size_t)rows + 1;
  sn_articulated *w = &t->w;
  w->Y = SN_NEW(arena, double, 6 * SN_TWIST * n);
  w->Z = SN_NEW(arena, double, 6 * SN_TWIST * all);
  w->f = SN_NEW(arena, double, SN_TWIST *n);
  w->D = SN_NEW(arena, double, SN_TWIST *n);
  w->u = SN_NEW(arena, double, SN_TWIST *n);
  w->V = SN_NEW(arena, double, SN_TWIST *k);
  w->S = SN_NEW(arena, double, SN_TWIST *k);
  w->c = SN_NEW(arena, double, k);
  w->E = SN_NEW(arena, double, k);
  w->l = SN_NEW(arena, double, k);
  t->own_pull = SN_NEW(arena, double, k);
  t->up_pull = SN_NEW(arena, double, k);
  t->gradient = SN_NEW(arena, double, m->n);
  t->motion = SN_NEW(arena, sn_tree_motion, all);
  t->broken = SN_NEW(arena, int, t->parts);
  bool *other = SN_NEW(arena, bool, m->batches + 1);
  for (int b = 0; b < m->batches; b++) {
    const sn_batch_ops *ops = m->batch[b].ops;
    other[b] = ops->residual && !ops->position && !ops->momentum;
    t->others |= other[b];
  }
  t->other_force = other;
}

static sn_tree *make(search *s, const sn_model *m, const sn_rigid_item *items, sn_arena *arena) {
  const int all = s->bodies + s->cuts;
  int *row = SN_NEW(arena, int, all + 1), *item_first = SN_NEW(arena, int, all + 1);
  sn_tree *t = SN_NEW(arena, sn_tree, 1);
  int *parent = SN_NEW(arena, int, all), *part = SN_NEW(arena, int, s->bodies / PART + 2);
  int *part_loop = SN_NEW(arena, int, s->bodies / PART + 2), *multiplier = SN_NEW(arena, int, s->rows + 1);
  sn_tree_body *body = SN_NEW(arena, sn_tree_body, all);
  sn_tree_item *item = SN_NEW(arena, sn_tree_item, s->links + 1);
  sn_tree_loop *loop = SN_NEW(arena, sn_tree_loop, s->order.mechanisms + 1);
  number_rows(s, row, item_first);
  *t = (sn_tree){.w = {.bodies = s->bodies, .parent = parent, .row = row},
                 .body = body,
                 .item = item,
                 .item_first = item_first,
                 .multiplier = multiplier,
                 .part = part,
                 .part_loop = part_loop,
                 .loop = loop};
  fill_bodies(s, m, items, parent, body);
  fill_items(s, t, item, multiplier);
  cut_parts(s, t, part, part_loop, loop);
  take_memory(t, m, arena, s->cuts, s->rows);
  for (int k = 0; k < t->loops; k++) sn_tree_take_loop(t, &loop[k], arena);
  return t;
}

sn_tree *sn_tree_find(const sn_model *model, sn_arena *arena) {
  search s = {.good = true};
  const sn_rigid_item *items = sn_rigid_items(model, &s.bodies);
  sn_tree *tree = NULL;
  if (is_rigid(model, s.bodies, items)) {
    list_links(&s, model, items);
    s.good &= s.rows + s.bodies == model->m;
    if (s.good) find_order(&s);
    if (s.good) tree = make(&s, model, items, arena);
  }
  sn_arena_free(&s.scratch);
  return tree;
}
