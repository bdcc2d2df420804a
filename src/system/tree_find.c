/* tree_find.c - is a model a tree of rigid bodies? Bodies in an order in which parents come before children. */
#include "body/bodies.h"
#include "body/rigid.h"
#include "model/compile.h"
#include "system/tree.h"

enum { COORDINATES = 7, PART = 256 }; /* PART: bodies at least that a thread takes at once */

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
  int *first, *near;    /* [bodies + 1], [2 links]: links of each body */
  int *parent, *place;  /* [bodies] in the order of the model; place: in the tree, -1: not reached */
  bool *grounded;       /* [bodies] joined with the ground */
  int *order, *waiting; /* [bodies] bodies by their place in the tree; scratch */
  int found;
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
  s->grounded = SN_NEW(&s->scratch, bool, s->bodies);
  s->first = SN_NEW(&s->scratch, int, s->bodies + 2);
  s->near = SN_NEW(&s->scratch, int, 2 * count + 1);
  sn_each_primitive(m, add_primitive, s);
  sn_each_relation(m, add_relation, s);
  for (int k = 0; s->good && k < s->links; k++) {
    s->grounded[s->link[k].end[0]] |= s->link[k].end[1] < 0;
    for (int e = 0; e < 2 && s->link[k].end[1] >= 0; e++) s->first[s->link[k].end[e] + 2]++;
  }
  for (int i = 1; i <= s->bodies; i++) s->first[i + 1] += s->first[i];
  for (int k = 0; s->good && k < s->links; k++)
    for (int e = 0; e < 2 && s->link[k].end[1] >= 0; e++) s->near[s->first[s->link[k].end[e] + 1]++] = k;
}

/* ---- the order ---- */

/* The tree of a root, parents first. A body that is reached by two ways closes a loop. */
static void walk(search *s, int root) {
  int waiting = 0;
  s->waiting[waiting++] = root;
  s->parent[root] = -1;
  while (s->good && waiting > 0) {
    const int body = s->waiting[--waiting];
    s->place[body] = s->found;
    s->order[s->found++] = body;
    s->good &= body == root || !s->grounded[body];
    for (int k = s->first[body]; k < s->first[body + 1]; k++) {
      const link *x = &s->link[s->near[k]];
      const int other = x->end[x->end[0] == body];
      if (other == s->parent[body] || s->parent[other] == body) continue; /* joined by several equations */
      s->good &= s->parent[other] == -2;
      if (!s->good) return;
      s->parent[other] = body;
      s->waiting[waiting++] = other;
    }
  }
}

static void find_order(search *s) {
  s->parent = SN_NEW(&s->scratch, int, s->bodies);
  s->place = SN_NEW(&s->scratch, int, s->bodies);
  s->order = SN_NEW(&s->scratch, int, s->bodies);
  s->waiting = SN_NEW(&s->scratch, int, s->bodies);
  for (int i = 0; i < s->bodies; i++) s->parent[i] = -2, s->place[i] = -1;
  for (int ground = 1; ground >= 0; ground--)
    for (int i = 0; s->good && i < s->bodies; i++)
      if (s->place[i] < 0 && (s->grounded[i] || !ground)) walk(s, i);
}

/* ---- the tree ---- */

/* Whose joint with its parent a link belongs to. */
static int child_of(const search *s, const link *x) {
  if (x->end[1] < 0) return s->place[x->end[0]];
  return s->place[s->parent[x->end[0]] == x->end[1] ? x->end[0] : x->end[1]];
}

static bool number_rows(const search *s, int *row, int *item) {
  for (int k = 0; k < s->links; k++) {
    const int i = child_of(s, &s->link[k]);
    row[i + 1] += s->link[k].rows;
    item[i + 1]++;
  }
  for (int i = 0; i < s->bodies; i++) {
    if (row[i + 1] > SN_JOINT_MOST) return false;
    row[i + 1] += row[i];
    item[i + 1] += item[i];
  }
  return true;
}

static void set_side(const search *s, const sn_probe *probe, int child, sn_tree_side *side) {
  if (probe->ops == &sn_probe_constant) {
    *side = (sn_tree_side){.body = -1, .b = {probe->weight[0], probe->weight[1], probe->weight[2]}};
    return;
  }
  side->body = s->place[probe->first[0] / COORDINATES];
  side->on_parent = side->body != child;
  side->c = probe->weight[0];
  for (int k = 0; k < 3; k++) side->b[k] = probe->weight[1 + k];
}

static void fill_items(search *s, sn_tree *t, sn_tree_item *item, int *multiplier) {
  int *used = SN_NEW(&s->scratch, int, 2 * s->bodies), *rows = used + s->bodies;
  for (int k = 0; k < s->links; k++) {
    const link *x = &s->link[k];
    const sn_primitive *p = x->primitive;
    const int i = child_of(s, x);
    sn_tree_item *y = &item[t->item_first[i] + used[i]++];
    *y = (sn_tree_item){.relation = x->relation, .type = x->type, .row = t->w.row[i] + rows[i]};
    if (p) y->sides = p->probes, y->c = p->c, y->f = p->f;
    for (int e = 0; p && e < p->probes; e++) set_side(s, &p->probe[e], i, &y->side[e]);
    for (int r = 0; r < x->rows; r++) multiplier[y->row + r] = (p ? p->row : x->relation->row) + r;
    rows[i] += x->rows;
  }
}

static void fill_bodies(search *s, const sn_model *m, const sn_rigid_item *items, int *parent, sn_tree_body *body) {
  int *first = SN_NEW(&s->scratch, int, 2 * s->bodies), *unit = first + s->bodies;
  sn_normalizations(m, first, unit);
  for (int k = 0; k < s->bodies; k++) {
    const sn_rigid_item *x = &items[k];
    sn_tree_body *b = &body[s->place[x->first / COORDINATES]];
    *b = (sn_tree_body){.first = x->first, .m = x->m, .J0 = x->J0};
    for (int j = 0; j < 6; j++) b->J[j] = x->J[j];
  }
  for (int k = 0; k < s->bodies; k++) body[s->place[first[k] / COORDINATES]].unit = unit[k];
  for (int i = 0; i < s->bodies; i++) {
    const int up = s->parent[s->order[i]];
    parent[i] = up >= 0 ? s->place[up] : -1;
  }
}

static void cut_parts(sn_tree *t, int *part) {
  for (int i = 0; i < t->w.bodies; i++)
    if (i == 0 || (t->w.parent[i] < 0 && i - part[t->parts - 1] >= PART)) part[t->parts++] = i;
  part[t->parts] = t->w.bodies;
}

static void take_memory(sn_tree *t, const sn_model *m, sn_arena *arena, int rows) {
  const size_t n = (size_t)t->w.bodies, k = (size_t)rows + 1;
  sn_articulated *w = &t->w;
  w->Y = SN_NEW(arena, double, 6 * SN_TWIST * n);
  w->Z = SN_NEW(arena, double, 6 * SN_TWIST * n);
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
  t->motion = SN_NEW(arena, sn_tree_motion, n);
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
  int *row = SN_NEW(arena, int, s->bodies + 1), *item_first = SN_NEW(arena, int, s->bodies + 1);
  if (!number_rows(s, row, item_first)) return NULL;
  sn_tree *t = SN_NEW(arena, sn_tree, 1);
  int *parent = SN_NEW(arena, int, s->bodies), *part = SN_NEW(arena, int, s->bodies / PART + 2);
  int *multiplier = SN_NEW(arena, int, s->rows + 1);
  sn_tree_body *body = SN_NEW(arena, sn_tree_body, s->bodies);
  sn_tree_item *item = SN_NEW(arena, sn_tree_item, s->links + 1);
  *t = (sn_tree){.w = {.bodies = s->bodies, .parent = parent, .row = row},
                 .body = body,
                 .item = item,
                 .item_first = item_first,
                 .multiplier = multiplier,
                 .part = part};
  fill_bodies(s, m, items, parent, body);
  fill_items(s, t, item, multiplier);
  cut_parts(t, part);
  take_memory(t, m, arena, s->rows);
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
