/* tree.c - accelerations of trees of rigid bodies: parts of the model, which are whole trees, on all threads. */
#include "system/tree.h"

typedef struct tree_job {
  sn_tree *tree;
  const sn_eval *eval;
  double alpha, beta;
  const double *r;
  double *a, *l, *x;
  int n;
} tree_job;

static void factor_part(void *user, int k) {
  const tree_job *j = user;
  const int first = j->tree->part[k], last = j->tree->part[k + 1];
  sn_tree_move(j->tree, j->eval, j->alpha, j->beta, j->r, first, last);
  sn_tree_join(j->tree, j->eval, j->alpha, j->beta, first, last);
  j->tree->broken[k] = sn_articulated_factor(&j->tree->w, first, last);
}

bool sn_tree_factor(sn_tree *tree, sn_threads *threads, const sn_eval *ev, double alpha, double beta, const double *r) {
  tree_job j = {.tree = tree, .eval = ev, .alpha = alpha, .beta = beta, .r = r};
  sn_threads_run(threads, tree->parts, factor_part, &j);
  for (int k = 0; k < tree->parts; k++)
    if (tree->broken[k] >= 0) return false;
  return true;
}

static void give_part(void *user, int k) {
  const tree_job *j = user;
  const int first = j->tree->part[k], last = j->tree->part[k + 1];
  sn_articulated_backward(&j->tree->w, first, last);
  sn_tree_give(j->tree, j->a, j->l, first, last);
}

void sn_tree_accelerations(sn_tree *tree, sn_threads *threads, double *a, double *l) {
  tree_job j = {.tree = tree, .a = a, .l = l};
  sn_threads_run(threads, tree->parts, give_part, &j);
}

static void solve_part(void *user, int k) {
  const tree_job *j = user;
  const int first = j->tree->part[k], last = j->tree->part[k + 1];
  sn_tree_take(j->tree, j->n, j->x, first, last);
  sn_articulated_forward(&j->tree->w, first, last);
  sn_articulated_backward(&j->tree->w, first, last);
  sn_tree_give(j->tree, j->x, j->x + j->n, first, last);
}

void sn_tree_solve(sn_tree *tree, sn_threads *threads, int n, double *x) {
  tree_job j = {.tree = tree, .x = x, .n = n};
  sn_threads_run(threads, tree->parts, solve_part, &j);
}
