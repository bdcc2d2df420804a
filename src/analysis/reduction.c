/* reduction.c - see reduction.h. */
#include "analysis/reduction.h"

#include <math.h>
#include <string.h>

#include "analysis/trust.h"
#include "math/constants.h"
#include "math/vec3.h"

typedef struct worst {
  const sn_body *body;
  double part, s;
} worst;

static void look(const sn_body *body, int element, double local, worst *most) {
  sn_geometry g = {0};
  if (!body || !body->ops->geometry || !body->data) return;
  body->ops->geometry(body, &g);
  if (g.type != SN_GEOMETRY_FLOATING || !g.left_out) return;
  if (element < 0) element = g.elements / 2, local = 0; /* the middle */
  const double part = g.left_out[element] +
                      (element < g.elements && local > 0 ? local * (g.left_out[element + 1] - g.left_out[element]) : 0);
  if (part > most->part) *most = (worst){body, part, (element + local) / g.elements};
}

double sn_left_out(const sn_simulation *s, const sn_body **body, double *at) {
  const sn_model *m = s->model;
  worst most = {0};
  for (int j = 0; j < m->joints; j++)
    for (int k = 0; k < 2; k++) {
      const sn_marker *x = &m->joint[j].marker[k];
      look(x->body, x->element, x->local[0], &most);
    }
  for (int i = 0; i < m->forces; i++)
    for (int k = 0; k < m->force[i].markers; k++) {
      const sn_marker *x = &m->force[i].marker[k];
      look(x->body, x->element, x->local[0], &most);
    }
  if (s->analysis && strcmp(s->analysis->kind.name, "statics") == 0 && sn_norm(m->gravity) > 0)
    for (int i = 0; i < m->bodies; i++) look(&m->body[i], -1, 0, &most);
  *body = most.body;
  *at = most.s;
  return most.part;
}

/* ---- modes ---- */

/* The axes of the body and the small motion u of the middle of an element in them, with the turn about x. */
static void motion_of(const sn_body *body, int element, const sn_eval *ev, int dim, const double *u, double y[4]) {
  const sn_marker middle = {.body = body, .element = element, .local = {0.5}};
  const sn_body_ops *ops = body->ops;
  double start[3][3], e[3][3] = {{0}}, moved[3] = {0}, turned[3] = {0};
  sn_probe p;
  ops->point(&middle, &p);
  p.ops->rate(&p, ev->q, u, moved);
  ops->axes(&middle, start);
  for (int k = 0; k < dim; k++) {
    ops->direction(&middle, start[k], &p);
    p.ops->value(&p, ev->q, e[k]);
    if (k == 1) p.ops->rate(&p, ev->q, u, turned);
  }
  for (int k = 0; k < 3; k++) y[k] = k < dim ? sn_dot(moved, e[k]) : 0;
  y[3] = dim == 3 ? sn_dot(turned, e[2]) : 0;
}

/* By how much w2 is too high, relative to it. */
static double excess_of(const sn_model *m, const sn_body *body, const sn_geometry *g, const sn_eval *ev,
                        const double *u, double w2) {
  double c[64] = {0}, sum = 0;
  assert(g->left_count <= (int)SN_COUNT(c));
  for (int e = 0; e < g->elements; e++) {
    double y[4];
    motion_of(body, e, ev, m->dim, u, y);
    for (int k = 0; k < g->left_count; k++) {
      const double *x = g->left_modes[k].at + 4 * e;
      c[k] += g->element_length * (g->mass * (x[0] * y[0] + x[1] * y[1] + x[2] * y[2]) + g->polar * x[3] * y[3]);
    }
  }
  for (int k = 0; k < g->left_count; k++) sum += c[k] * c[k] * w2 / fmax(g->left_modes[k].w2 - w2, 0.1 * w2);
  return sum;
}

static const char *const keep_more = "possible remedy: more 'modes', or none of this field, which is no reduction";

/* Frequencies from the lowest left out on: the list of modes has gaps there, and wrong ones. */
static bool is_beyond(sn_simulation *s, const sn_body *body, const sn_geometry *g, const sn_modes *modes) {
  const double lowest = g->left_modes[0].w2;
  for (int k = 0; k < modes->count; k++)
    if (modes->w2[k] > lowest) {
      sn_add_doubt(s, SN_DOUBTFUL,
                   sn_format(&s->arena,
                             "modes: frequencies from %d on are wrong, or others are missing: floating '%s' leaves out "
                             "its vibrations from %.4g Hz on; %s",
                             k + 1, body->name, sqrt(lowest) / (2 * SN_PI), keep_more));
      return true;
    }
  return false;
}

void sn_doubt_modal_reduction(sn_simulation *s, const sn_state *state, const sn_modes *modes) {
  const double most = 0.01;
  const sn_model *m = s->model;
  const sn_eval ev = sn_eval_at(s, state);
  for (int i = 0; i < m->bodies; i++) {
    const sn_body *body = &m->body[i];
    const sn_geometry g = sn_body_geometry(body);
    double largest = 0;
    int mode = 0;
    if (g.left_count == 0 || is_beyond(s, body, &g, modes)) continue;
    for (int k = 0; k < modes->count; k++) {
      if (!(modes->w2[k] > 0)) continue;
      const double *u = modes->shape + (size_t)k * (size_t)m->n;
      const double error = excess_of(m, body, &g, &ev, u, modes->w2[k]) / 2;
      if (error > largest) largest = error, mode = k + 1;
    }
    if (!(largest > most)) continue;
    sn_add_doubt(s, SN_DOUBTFUL,
                 sn_format(&s->arena,
                           "modes: frequency %d is too high by about %.2g, the most of all: floating '%s' leaves out "
                           "its vibrations from %.4g Hz on; %s",
                           mode, largest, body->name, sqrt(g.left_modes[0].w2) / (2 * SN_PI), keep_more));
  }
}
