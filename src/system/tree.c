/* tree.c - accelerations of trees of rigid bodies: parts of the model, which are whole mechanisms, on all threads. */
#include "system/tree.h"

typedef struct tree_job {
  sn_tree *tree;
  const sn_eval *eval;
  double alpha, beta;
  const double *r;
  bool redundant;
  double *a, *l, *x;
  int n;
} tree_job;

/* Slots of mechanisms of part k. */
static int slot_first(const sn_tree *t, int k) {
  return t->part_loop[k] < t->part_loop[k + 1] ? t->loop[t->part_loop[k]].slot : 0;
}

static int slot_last(const sn_tree *t, int k) {
  return t->part_loop[k] < t->part_loop[k + 1] ? t->loop[t->part_loop[k + 1] - 1].end : 0;
}

/* Slots have the motion of their bodies. */
static void move_slots(const sn_tree *t, int first, int last) {
  for (int i = first; i < last; i++) t->motion[i] = t->motion[t->body[i].place];
}

static void factor_part(void *user, int k) {
  const tree_job *j = user;
  sn_tree *t = j->tree;
  const int first = t->part[k], last = t->part[k + 1], slot = slot_first(t, k), end = slot_last(t, k);
  sn_tree_move(t, j->eval, j->alpha, j->beta, j->r, first, last);
  sn_tree_join(t, j->eval, j->alpha, j->beta, first, last);
  if (slot < end) {
    move_slots(t, slot, end);
    sn_tree_join(t, j->eval, j->alpha, j->beta, slot, end);
  }
  for (int i = t->part_loop[k]; i < t->part_loop[k + 1]; i++) sn_tree_measure_loop(t, &t->loop[i]);
  t->broken[k] = sn_articulated_factor(&t->w, first, last);
  for (int i = t->part_loop[k]; t->broken[k] < 0 && i < t->part_loop[k + 1]; i++)
    if (!sn_tree_factor_loop(t, &t->loop[i], j->redundant)) t->broken[k] = t->loop[i].first;
}

bool sn_tree_factor(sn_tree *tree, sn_threads *threads, const sn_eval *ev, double alpha, double beta, const double *r,
                    bool redundant) {
  tree_job j = {.tree = tree, .eval = ev, .alpha = alpha, .beta = beta, .r = r, .redundant = redundant};
  sn_threads_run(threads, tree->parts, factor_part, &j);
  for (int k = 0; k < tree->parts; k++)
    if (tree->broken[k] >= 0) return false;
  return true;
}

static void give(const sn_tree *t, int k, double *a, double *l) {
  const int first = t->part[k], last = t->part[k + 1];
  sn_tree_give(t, a, l, first, last);
  sn_tree_give_rows(t, l, first, last);
  sn_tree_give_rows(t, l, slot_first(t, k), slot_last(t, k));
  sn_tree_give_units(t, l, first, last);
  for (int i = t->part_loop[k]; i < t->part_loop[k + 1]; i++) sn_tree_balance_loop(t, &t->loop[i], l);
}

static void give_part(void *user, int k) {
  const tree_job *j = user;
  const sn_tree *t = j->tree;
  sn_articulated_backward(&t->w, t->part[k], t->part[k + 1]);
  for (int i = t->part_loop[k]; i < t->part_loop[k + 1]; i++) sn_tree_close_loop(t, &t->loop[i]);
  give(t, k, j->a, j->l);
}

void sn_tree_accelerations(sn_tree *tree, sn_threads *threads, double *a, double *l) {
  tree_job j = {.tree = tree, .a = a, .l = l};
  sn_threads_run(threads, tree->parts, give_part, &j);
}

static void solve_part(void *user, int k) {
  const tree_job *j = user;
  const sn_tree *t = j->tree;
  const int first = t->part[k], last = t->part[k + 1], slot = slot_first(t, k), end = slot_last(t, k);
  sn_tree_take(t, j->n, j->x, first, last);
  sn_tree_take_rows(t, j->n, j->x, first, last);
  for (int i = slot; i < end; i++) t->motion[i].s = t->motion[t->body[i].place].s;
  sn_tree_take_rows(t, j->n, j->x, slot, end);
  sn_articulated_forward(&t->w, first, last);
  sn_articulated_backward(&t->w, first, last);
  for (int i = t->part_loop[k]; i < t->part_loop[k + 1]; i++) sn_tree_close_loop(t, &t->loop[i]);
  give(t, k, j->x, j->x + j->n);
}

void sn_tree_solve(sn_tree *tree, sn_threads *threads, int n, double *x) {
  tree_job j = {.tree = tree, .x = x, .n = n};
  sn_threads_run(threads, tree->parts, solve_part, &j);
}
