/* core_hull.c - the core of a convex hull: farthest points, faces and edges, in space. */
#include <math.h>

#include "contact/convex.h"
#include "math/vec3.h"

/* Cosine below which an edge counts as across a normal: the search for normals is exact here, and a hull has edges and
 * vertices close to each other. */
static const double ACROSS = 1e-6;

static void to_local(const sn_core *core, const double m[3], double local[3]) {
  for (int k = 0; k < 3; k++) local[k] = sn_dot(m, core->axis[k]);
}

static void direction(const sn_core *core, const double local[3], double m[3]) {
  m[0] = m[1] = m[2] = 0;
  for (int k = 0; k < 3; k++) sn_axpy(m, local[k], core->axis[k]);
}

static void place(const sn_core *core, const double local[3], double x[3]) {
  sn_copy(x, core->center);
  for (int k = 0; k < 3; k++) sn_axpy(x, (1 - core->shrunk) * local[k], core->axis[k]);
}

static int farthest(const sn_hull *h, const double m[3]) {
  int best = 0;
  double most = -INFINITY;
  for (int i = 0; i < h->vertices; i++) {
    double far = sn_dot(h->vertex[i], m);
    if (far > most) most = far, best = i;
  }
  return best;
}

int sn_hull_face_along(const sn_core *core, const double m[3]) {
  double local[3], most = -INFINITY;
  int best = 0;
  to_local(core, m, local);
  for (int i = 0; i < core->hull->faces; i++) {
    double along = sn_dot(core->hull->face[i].n, local);
    if (along > most) most = along, best = i;
  }
  return best;
}

/* At the farthest vertex the edge that is most across m. */
int sn_hull_edge_across(const sn_core *core, const double m[3]) {
  double local[3], least = INFINITY;
  int best = 0;
  to_local(core, m, local);
  int at = farthest(core->hull, local);
  for (int i = 0; i < core->hull->edges; i++) {
    const sn_hull_edge *e = &core->hull->edge[i];
    if (e->end[0] != at && e->end[1] != at) continue;
    double along = fabs(sn_dot(e->along, local));
    if (along < least) least = along, best = i;
  }
  return best;
}

void sn_hull_normal(const sn_core *core, int face, double n[3]) {
  direction(core, core->hull->face[face].n, n);
}

void sn_hull_along(const sn_core *core, int edge, double e[3]) {
  direction(core, core->hull->edge[edge].along, e);
}

void sn_hull_ends(const sn_core *core, int edge, double (*x)[3]) {
  for (int k = 0; k < 2; k++) place(core, core->hull->vertex[core->hull->edge[edge].end[k]], x[k]);
}

double sn_hull_half_edge(const sn_core *core, int edge) {
  double d[3];
  const sn_hull_edge *e = &core->hull->edge[edge];
  sn_sub(d, core->hull->vertex[e->end[1]], core->hull->vertex[e->end[0]]);
  return sn_norm(d) / 2;
}

int sn_hull_corners(const sn_core *core, int face, int most, double (*x)[3]) {
  const sn_hull_face *f = &core->hull->face[face];
  int count = f->count < most ? f->count : most;
  for (int k = 0; k < count; k++)
    place(core, core->hull->vertex[core->hull->corner[f->first + k * f->count / count]], x[k]);
  return count;
}

/* The smallest width of a face is that across one of its edges. */
double sn_hull_half_width(const sn_core *core, int face) {
  const sn_hull *h = core->hull;
  const sn_hull_face *f = &h->face[face];
  double least = INFINITY;
  for (int k = 0; k < f->count; k++) {
    const double *a = h->vertex[h->corner[f->first + k]], *b = h->vertex[h->corner[f->first + (k + 1) % f->count]];
    double e[3], in[3], width = 0;
    sn_sub(e, b, a);
    sn_cross(in, f->n, e);
    sn_normalize(in);
    for (int i = 0; i < f->count; i++) {
      double w[3];
      sn_sub(w, h->vertex[h->corner[f->first + i]], a);
      width = fmax(width, sn_dot(w, in));
    }
    least = fmin(least, width);
  }
  return least / 2;
}

/* How steeply the lowest of the other edges rises that begin at the ends of this one, seen along m: its sine. */
double sn_hull_rise(const sn_core *core, int edge, const double m[3]) {
  double local[3], least = INFINITY;
  to_local(core, m, local);
  const sn_hull_edge *own = &core->hull->edge[edge];
  for (int i = 0; i < core->hull->edges; i++) {
    const sn_hull_edge *e = &core->hull->edge[i];
    if (i == edge) continue;
    for (int k = 0; k < 4; k++)
      if (e->end[k % 2] == own->end[k / 2]) least = fmin(least, (k % 2 ? 1 : -1) * sn_dot(e->along, local));
  }
  return least;
}

/* The farthest vertex, or with `middle` the middle of those that are as far. */
void sn_hull_support(const sn_core *core, const double m[3], double middle, double x[3]) {
  const sn_hull *h = core->hull;
  double local[3], sum[3] = {0, 0, 0};
  int count = 0;
  to_local(core, m, local);
  int best = farthest(h, local);
  middle = fmin(middle, ACROSS);
  for (int i = 0; middle > 0 && i < h->vertices; i++) {
    double d[3];
    sn_sub(d, h->vertex[best], h->vertex[i]);
    if (sn_dot(d, local) > middle * sn_norm(d)) continue;
    sn_axpy(sum, 1, h->vertex[i]);
    count++;
  }
  if (count) sn_scale(sum, 1.0 / count, sum);
  place(core, count ? sum : h->vertex[best], x);
}

void sn_hull_support_point(const sn_core *core, const double m[3], double flat, sn_support_point *e) {
  double local[3], n[3], cross[3];
  to_local(core, m, local);
  int face = sn_hull_face_along(core, m);
  sn_cross(cross, core->hull->face[face].n, local);
  if (sn_norm(cross) <= flat && sn_dot(core->hull->face[face].n, local) > 0) {
    e->flats = 2;
    sn_hull_normal(core, face, n);
    sn_frame(n, e->flat[0], e->flat[1]);
    return;
  }
  int edge = sn_hull_edge_across(core, m);
  if (fabs(sn_dot(core->hull->edge[edge].along, local)) > fmin(flat, ACROSS)) return;
  e->flats = 1;
  sn_hull_along(core, edge, e->flat[0]);
}
