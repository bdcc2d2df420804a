/* reduction.c - see reduction.h. */
#include "analysis/reduction.h"

#include <math.h>
#include <string.h>

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
