/* solid_convex.c - the convex hull of points.
 *
 * A sphere sees the nearest point of its faces, edges and corners; on planes every vertex may touch. Against other solids
 * the core is what is deeper than the margin below all faces: faces are exact, edges are rounded. */
#include <math.h>

#include "contact/solid.h"
#include "math/vec3.h"

static void convex_compile(sn_surface_builder *b, const sn_surface_spec *s, const sn_body *body) {
  sn_geometry geometry = sn_solid_of_body(body);
  const sn_hull *hull = s->points ? s->points : geometry.hull;
  if (!hull) {
    sn_field_error(&b->compiler->reader, &s->spec, NULL, "'points', or a body with the shape of a convex hull",
                   "surface '%s' has no points", s->spec.name);
    return;
  }
  sn_item *item = sn_add_solid(b, s, body, SN_ITEM_CONVEX);
  if (!item) return;
  item->hull = hull;
  static const double rounded[] = {SN_ROUNDED, SN_SHARP};
  for (int k = 0; k < 2; k++) {
    item->core[k] = sn_hull_inside(b->compiler->arena, hull, rounded[k] * hull->inside);
    if (!item->core[k]) item->core[k] = hull; /* it has hardly a volume */
  }
  if (s->points) sn_copy(item->center, hull->center);
  for (int i = 0; i < hull->vertices; i++)
    for (int k = 0; k < 3; k++) item->half[k] = sn_greater(item->half[k], fabs(hull->vertex[i][k]));
  item->reach = hull->outside;
}

static double convex_size(const sn_item *item) {
  return item->hull->inside;
}

static void to_space(const sn_solid_place *p, const double local[3], double x[3]) {
  sn_copy(x, p->center);
  for (int k = 0; k < 3; k++) sn_axpy(x, local[k], p->axis[k]);
}

static void convex_bound(const sn_item *item, const sn_solid_place *place, double low[3], double high[3]) {
  for (int k = 0; k < 3; k++) low[k] = INFINITY, high[k] = -INFINITY;
  for (int i = 0; i < item->hull->vertices; i++) {
    double x[3];
    to_space(place, item->hull->vertex[i], x);
    for (int k = 0; k < 3; k++) low[k] = sn_lesser(low[k], x[k]), high[k] = sn_greater(high[k], x[k]);
  }
}

/* ---- what a sphere sees ---- */

typedef struct sight { /* the nearest so far, in the axes of the hull */
  double square, away[3];
  int edge, corner; /* that it is on; -1: none */
} sight;

static void try_point(const double c[3], const double x[3], int edge, int corner, sight *s) {
  double away[3];
  sn_sub(away, c, x);
  double square = sn_dot(away, away);
  if (!(square < s->square)) return;
  *s = (sight){.square = square, .edge = edge, .corner = corner};
  sn_copy(s->away, away);
}

static void try_edges(const sn_hull *h, const double c[3], sight *s) {
  for (int i = 0; i < h->edges; i++) {
    const double *a = h->vertex[h->edge[i].end[0]], *b = h->vertex[h->edge[i].end[1]], *e = h->edge[i].along;
    double w[3], x[3], span[3];
    sn_sub(w, c, a);
    sn_sub(span, b, a);
    double t = sn_dot(w, e);
    if (t <= 0) {
      try_point(c, a, -1, h->edge[i].end[0], s);
    } else if (t >= sn_dot(span, e)) {
      try_point(c, b, -1, h->edge[i].end[1], s);
    } else {
      sn_copy(x, a);
      sn_axpy(x, t, e);
      try_point(c, x, i, -1, s);
    }
  }
}

/* Is the point c above the inside of a face? */
static bool is_over(const sn_hull *h, const sn_hull_face *f, const double c[3]) {
  for (int k = 0; k < f->count; k++) {
    const double *a = h->vertex[h->corner[f->first + k]], *b = h->vertex[h->corner[f->first + (k + 1) % f->count]];
    double e[3], out[3], w[3];
    sn_sub(e, b, a);
    sn_cross(out, e, f->n);
    sn_sub(w, c, a);
    if (sn_dot(w, out) > 0) return false;
  }
  return true;
}

/* The face whose plane is farthest below c. Where c is inside, or above that face, it is what is seen; else an edge or
 * a corner, or another face that c is above. */
static void convex_see(const sn_item *item, const sn_solid_place *place, const double c[3], sn_view *v) {
  const sn_hull *h = item->hull;
  double w[3], local[3], most = -INFINITY;
  int face = 0;
  sn_sub(w, c, place->center);
  for (int k = 0; k < 3; k++) local[k] = sn_dot(w, place->axis[k]);
  for (int i = 0; i < h->faces; i++) {
    double d = sn_dot(h->face[i].n, local) - h->face[i].level;
    if (d > most) most = d, face = i;
  }
  if (most > 0 && !is_over(h, &h->face[face], local)) {
    sight s = {.square = INFINITY, .edge = -1, .corner = -1};
    try_edges(h, local, &s);
    for (int i = 0; i < h->faces; i++) {
      double d = sn_dot(h->face[i].n, local) - h->face[i].level;
      if (d > 0 && d * d < s.square && is_over(h, &h->face[i], local)) {
        s = (sight){.square = d * d, .edge = -1, .corner = -1};
        face = i, most = d;
      }
    }
    if (s.edge >= 0 || s.corner >= 0) {
      double e[3] = {0, 0, 0};
      v->distance = sqrt(s.square);
      for (int k = 0; k < 3; k++) sn_axpy(v->n, s.away[k] / v->distance, place->axis[k]);
      for (int k = 0; s.edge >= 0 && k < 3; k++) sn_axpy(e, h->edge[s.edge].along[k], place->axis[k]);
      if (s.edge >= 0)
        sn_see_about_line(v, e, v->distance);
      else
        sn_see_about_point(v, v->distance);
      return;
    }
  }
  for (int k = 0; k < 3; k++) sn_axpy(v->n, h->face[face].n[k], place->axis[k]);
  v->distance = most;
}

/* ---- others ---- */

static void convex_core(const sn_item *item, double rounded, sn_core *core) {
  core->hull = item->core[rounded == SN_ROUNDED ? 0 : 1];
  core->margin = core->hull == item->hull ? 0 : rounded * item->hull->inside;
}

static void convex_plane(const sn_contacts *c, const sn_pair *pair, int a, int b, sn_contact_list *list) {
  const sn_hull *h = c->surfaces->item[a].hull;
  const sn_solid_place *p = &c->own->solid[a], *plane = &c->own->solid[b];
  double reach = sn_reach(c, &c->surfaces->law[pair->law]);
  for (int i = 0; i < h->vertices; i++) {
    double x[3], w[3];
    to_space(p, h->vertex[i], x);
    sn_sub(w, x, plane->center);
    if (sn_dot(w, plane->axis[0]) <= reach) sn_touch_at(c, pair, a, b, x, 0, i, list);
  }
}

static const sn_field convex_fields[] = {
    SN_SURFACE_ON("rigid body, or the ground", .def = "ground", .example = "my_body", ),
    {"points", SN_HULL, SN_AT(sn_surface_spec, points), .unit = "m",
     .example = "[[0, 0, 0], [0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.2]]",
     .help =
         "points whose convex hull it is, in body axes, or the name of a CSV, OBJ or STL file with them, relative to "
         "the folder of the model; default: those of the convex shape of the body"},
    SN_SURFACE_MATERIAL,
    {0},
};

const sn_surface_ops sn_surface_convex = {
    .kind = {.name = "convex",
             .category = SN_SURFACES,
             .summary = "convex hull of points",
             .fields = convex_fields,
             .spec_size = sizeof(sn_surface_spec)},
    .compile = convex_compile,
};

const sn_solid_ops sn_solid_convex = {
    .blunt = true,
    .size = convex_size,
    .bound = convex_bound,
    .see = convex_see,
    .core = convex_core,
    .on_plane = convex_plane,
};
