/* mesh_error.c - see mesh_error.h. */
#include "analysis/mesh_error.h"

/* Columns of the resultants of these beams: strains and what works on them, shear forces and the EI that they need. */
typedef struct columns {
  int force[4], strain[4], count, Q[2], shears;
} columns;

static const columns PLANE = {{0, 2}, {3, 4}, 2, {1}, 1};
static const columns SPACE = {{0, 3, 4, 5}, {6, 7, 8, 9}, 4, {1, 2}, 2};

/* The part of the deflection that is missing. */
static double missing_part(const sn_simulation *s, const sn_body *body, const sn_geometry *g) {
  const columns *c = s->model->dim == 2 ? &PLANE : &SPACE;
  const sn_eval ev = sn_eval_at(s, &s->state);
  const double l = g->element_length;
  double energy = 0, missing = 0;
  for (int e = 0; e < g->elements; e++) {
    const sn_marker middle = {.body = body, .element = e, .local = {0.5}};
    double y[16] = {0};
    body->ops->resultants(&middle, &ev, y);
    for (int k = 0; k < c->count; k++) energy += y[c->force[k]] * y[c->strain[k]] * l / 2;
    for (int k = 0; k < c->shears; k++)
      if (g->flat_bending[k] > 0) missing += l * y[c->Q[k]] * l * y[c->Q[k]] * l / (24 * g->flat_bending[k]);
  }
  return missing > 0 ? missing / (energy + missing) : 0;
}

void sn_doubt_flat_elements(sn_simulation *s) {
  const double most = 0.02;
  for (int i = 0; i < s->model->bodies; i++) {
    const sn_body *body = &s->model->body[i];
    sn_geometry g = {0};
    if (!body->ops->geometry || !body->ops->resultants || !body->data) continue;
    body->ops->geometry(body, &g);
    const double part = g.flat_bending[0] > 0 ? missing_part(s, body, &g) : 0;
    if (!(part > most)) continue;
    sn_add_doubt(
        s, SN_DOUBTFUL,
        sn_format(&s->arena,
                  "statics: %s '%s' bends too little by about %.2g, as each of its elements has one curvature; "
                  "possible remedy: more elements (the error falls with their number squared), or a %s",
                  body->spec->kind->name, body->name, part,
                  s->model->dim == 2 ? "planar-beam or cable" : "beam with elastic: timoshenko"));
  }
}
