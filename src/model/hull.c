/* hull.c - see hull.h.
 *
 * The hull grows from a tetrahedron: the farthest point above a triangle replaces all triangles that it sees by those
 * between it and their outline (Barber, Dobkin and Huhdanpaa's quickhull without lists of outside points). Triangles
 * in one plane are then joined to faces.
 *
 * The intersection of half spaces n_i.x <= b_i around the origin is the dual of the hull of the points n_i/b_i: a face
 * m.y = l of that hull is the vertex m/l.
 *
 * Mass properties are sums over the tetrahedra between the origin and triangles a, b, c, s = a + b + c:
 *   V = a.(b x c)/6,   int x = V s/4,   int x x' = V/20 (a a' + b b' + c c' + s s')
 */
#include "model/hull.h"

#include <math.h>
#include <string.h>

#include "math/vec3.h"

static const double FLAT = 1e-6;   /* of the extent: what counts as one plane */
static const double EXACT = 1e-13; /* above it a triangle is seen: what has grown is convex to rounding */

typedef struct triangle {
  int corner[3], beside[3]; /* beside[k]: the triangle across the edge from corner k to the next */
  double n[3], level;
  int farthest; /* point above it; -1: none */
  bool gone, seen;
  int face;
} triangle;

typedef struct growing {
  int points, count, capacity;
  const double (*point)[3];
  double near, exact;
  triangle *triangle;
  int *from;  /* [points] of an outline: the new triangle that begins at a point */
  bool *used; /* [points] is it a vertex? */
} growing;

/* ---- growing ---- */

static double above(const growing *g, const triangle *t, int point) {
  return sn_dot(t->n, g->point[point]) - t->level;
}

static int add_triangle(growing *g, int a, int b, int c) {
  if (g->count == g->capacity) {
    g->capacity = 2 * g->capacity + 64;
    g->triangle = sn_resized(g->triangle, (size_t)g->capacity, sizeof *g->triangle);
  }
  triangle *t = &g->triangle[g->count];
  *t = (triangle){.corner = {a, b, c}, .beside = {-1, -1, -1}, .farthest = -1, .face = -1};
  double u[3], w[3], most = g->near;
  sn_sub(u, g->point[b], g->point[a]);
  sn_sub(w, g->point[c], g->point[a]);
  sn_cross(t->n, u, w);
  sn_normalize(t->n);
  t->level = sn_dot(t->n, g->point[a]);
  for (int i = 0; i < g->points; i++) {
    double d = above(g, t, i);
    if (d > most && !g->used[i]) most = d, t->farthest = i;
  }
  return g->count++;
}

/* The point farthest from the first `count` of `corner`: from a point, a line, a plane. */
static int farthest_from(const growing *g, int count, const int *corner, double *distance) {
  double u[3] = {0, 0, 0}, w[3], n[3] = {0, 0, 0};
  int best = -1;
  const double *a = g->point[corner[0]];
  *distance = 0;
  if (count > 1) sn_sub(u, g->point[corner[1]], a), sn_normalize(u);
  if (count > 2) sn_sub(w, g->point[corner[2]], a), sn_cross(n, u, w), sn_normalize(n);
  for (int i = 0; i < g->points; i++) {
    double d[3], far;
    sn_sub(d, g->point[i], a);
    if (count == 3) {
      far = fabs(sn_dot(d, n));
    } else {
      sn_axpy(d, -sn_dot(d, u), u);
      far = sn_norm(d);
    }
    if (far > *distance) *distance = far, best = i;
  }
  return best;
}

static bool begin(growing *g) {
  int c[4] = {0};
  double size = 0;
  for (int k = 1; k < 4; k++) {
    double far;
    c[k] = farthest_from(g, k, c, &far);
    if (k == 1) { /* the far end of the first, then the far end of that */
      c[0] = c[1];
      if (c[1] >= 0) c[1] = farthest_from(g, 1, c, &size);
      far = size;
      g->near = FLAT * size, g->exact = EXACT * size;
    }
    if (c[k] < 0 || !(far > (k == 1 ? 0 : 2 * g->near))) return false;
  }
  double u[3], w[3], d[3], n[3];
  sn_sub(u, g->point[c[1]], g->point[c[0]]);
  sn_sub(w, g->point[c[2]], g->point[c[0]]);
  sn_sub(d, g->point[c[3]], g->point[c[0]]);
  sn_cross(n, u, w);
  if (sn_dot(n, d) > 0) { /* the fourth is below the first triangle */
    int swap = c[1];
    c[1] = c[2], c[2] = swap;
  }
  for (int k = 0; k < 4; k++) g->used[c[k]] = true;
  static const int corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  static const int beside[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  for (int t = 0; t < 4; t++) {
    int number = add_triangle(g, c[corners[t][0]], c[corners[t][1]], c[corners[t][2]]);
    memcpy(g->triangle[number].beside, beside[t], sizeof beside[t]);
  }
  return true;
}

/* Mark what the point sees, from a triangle that it is above: connected, whatever rounding says of others. */
static void mark_seen(growing *g, int start, int point, int *stack) {
  int depth = 0;
  stack[depth++] = start;
  g->triangle[start].seen = true;
  while (depth) {
    const triangle *t = &g->triangle[stack[--depth]];
    for (int k = 0; k < 3; k++) {
      triangle *next = &g->triangle[t->beside[k]];
      if (next->seen || !(above(g, next, point) > g->exact)) continue;
      next->seen = true;
      stack[depth++] = t->beside[k];
    }
  }
}

/* Triangles between the point and the outline of what it sees. */
static void add_point(growing *g, int start, int point) {
  int *stack = sn_new((size_t)g->count, sizeof *stack);
  g->used[point] = true;
  mark_seen(g, start, point, stack);
  sn_free(stack);
  int old = g->count;
  for (int i = 0; i < old; i++) {
    if (!g->triangle[i].seen) continue;
    for (int k = 0; k < 3; k++) {
      int other = g->triangle[i].beside[k], a = g->triangle[i].corner[k], b = g->triangle[i].corner[(k + 1) % 3];
      if (g->triangle[other].seen) continue;
      int number = add_triangle(g, a, b, point);
      g->triangle[number].beside[0] = other;
      for (int m = 0; m < 3; m++)
        if (g->triangle[other].beside[m] == i && g->triangle[other].corner[m] == b)
          g->triangle[other].beside[m] = number;
      g->from[a] = number;
    }
  }
  for (int i = old; i < g->count; i++) {
    int next = g->from[g->triangle[i].corner[1]];
    g->triangle[i].beside[1] = next;
    g->triangle[next].beside[2] = i;
  }
  for (int i = 0; i < old; i++)
    if (g->triangle[i].seen) g->triangle[i].seen = false, g->triangle[i].gone = true, g->triangle[i].farthest = -1;
}

/* Triangles that are added come behind. A point is added once, so that this ends whatever rounding does. */
static void grow(growing *g) {
  for (int i = 0; i < g->count; i++) {
    int point = g->triangle[i].farthest;
    if (!g->triangle[i].gone && point >= 0 && !g->used[point]) add_point(g, i, point);
  }
}

/* ---- faces ---- */

static bool in_one_plane(const growing *g, const triangle *a, const triangle *b) {
  for (int k = 0; k < 3; k++)
    if (fabs(above(g, a, b->corner[k])) > 2 * g->near || fabs(above(g, b, a->corner[k])) > 2 * g->near) return false;
  return sn_dot(a->n, b->n) > 0;
}

/* Number the faces: a triangle, and those beside it that lie in its plane. */
static int number_faces(growing *g) {
  int faces = 0, *stack = sn_new((size_t)g->count, sizeof *stack);
  for (int i = 0; i < g->count; i++) {
    if (g->triangle[i].gone || g->triangle[i].face >= 0) continue;
    int depth = 0;
    stack[depth++] = i;
    g->triangle[i].face = faces;
    while (depth) {
      const triangle *t = &g->triangle[stack[--depth]];
      for (int k = 0; k < 3; k++) {
        triangle *next = &g->triangle[t->beside[k]];
        if (next->face >= 0 || !in_one_plane(g, &g->triangle[i], next)) continue;
        next->face = faces;
        stack[depth++] = t->beside[k];
      }
    }
    faces++;
  }
  sn_free(stack);
  return faces;
}

/* The next edge around a face after the edge k of triangle t: about its end, inside the face, until another is beside. */
static void next_edge(const growing *g, int *t, int *k) {
  int face = g->triangle[*t].face;
  *k = (*k + 1) % 3;
  while (g->triangle[g->triangle[*t].beside[*k]].face == face) {
    int from = g->triangle[*t].corner[*k], other = g->triangle[*t].beside[*k];
    *t = other;
    for (int m = 0; m < 3; m++)
      if (g->triangle[other].corner[m] == from) *k = m;
  }
}

static void face_plane(const sn_hull *h, sn_hull_face *f) {
  double sum[3] = {0, 0, 0};
  for (int k = 1; k + 1 < f->count; k++) {
    const double *a = h->vertex[h->corner[f->first]];
    double u[3], w[3], n[3];
    sn_sub(u, h->vertex[h->corner[f->first + k]], a);
    sn_sub(w, h->vertex[h->corner[f->first + k + 1]], a);
    sn_cross(n, u, w);
    sn_axpy(sum, 1, n);
  }
  sn_copy(f->n, sum);
  sn_normalize(f->n);
  f->level = 0;
  for (int k = 0; k < f->count; k++) f->level += sn_dot(f->n, h->vertex[h->corner[f->first + k]]) / f->count;
}

/* Corners, faces and edges of what has grown. */
static void take_faces(sn_arena *arena, growing *g, sn_hull *h) {
  int faces = number_faces(g), corners = 0;
  int *corner = SN_NEW(arena, int, 3 * g->count), *number = SN_NEW(arena, int, g->points);
  sn_hull_face *face = SN_NEW(arena, sn_hull_face, faces);
  sn_hull_edge *edge = SN_NEW(arena, sn_hull_edge, 3 * g->count);
  double(*vertex)[3] = sn_alloc(arena, (size_t)g->points, sizeof *vertex);
  for (int i = 0; i < g->points; i++) number[i] = -1;
  for (int i = 0; i < g->count; i++) {
    triangle *t = &g->triangle[i];
    if (t->gone || face[t->face].count) continue;
    int k = 0;
    while (k < 3 && g->triangle[t->beside[k]].face == t->face) k++;
    if (k == 3) continue; /* within its face */
    sn_hull_face *f = &face[t->face];
    f->first = corners;
    int at = i, side = k;
    do {
      int a = g->triangle[at].corner[side], b = g->triangle[at].corner[(side + 1) % 3];
      if (number[a] < 0) number[a] = h->vertices++, sn_copy(vertex[number[a]], g->point[a]);
      corner[corners++] = a;
      if (t->face < g->triangle[g->triangle[at].beside[side]].face) edge[h->edges++] = (sn_hull_edge){.end = {a, b}};
      next_edge(g, &at, &side);
    } while ((at != i || side != k) && corners - f->first < g->count);
    f->count = corners - f->first;
  }
  for (int i = 0; i < corners; i++) corner[i] = number[corner[i]];
  for (int i = 0; i < h->edges; i++)
    for (int k = 0; k < 2; k++) edge[i].end[k] = number[edge[i].end[k]];
  h->faces = faces, h->face = face, h->edge = edge, h->corner = corner;
  h->vertex = vertex;
}

/* ---- mass ---- */

static void add_tetrahedron(const double *x[3], double *V, double S[3], double C[6]) {
  static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  double n[3], s[3];
  sn_cross(n, x[1], x[2]);
  double v = sn_dot(x[0], n) / 6;
  for (int k = 0; k < 3; k++) s[k] = x[0][k] + x[1][k] + x[2][k];
  *V += v;
  sn_axpy(S, v / 4, s);
  for (int m = 0; m < 6; m++) {
    int i = at[m][0], j = at[m][1];
    C[m] += v / 20 * (x[0][i] * x[0][j] + x[1][i] * x[1][j] + x[2][i] * x[2][j] + s[i] * s[j]);
  }
}

static void integrate(const sn_hull *h, double *V, double S[3], double C[6]) {
  *V = 0;
  memset(S, 0, 3 * sizeof *S);
  memset(C, 0, 6 * sizeof *C);
  for (int i = 0; i < h->faces; i++)
    for (int k = 1; k + 1 < h->face[i].count; k++) {
      const int *c = h->corner + h->face[i].first;
      const double *x[3] = {h->vertex[c[0]], h->vertex[c[k]], h->vertex[c[k + 1]]};
      add_tetrahedron(x, V, S, C);
    }
}

/* All places relative to `center`. */
static void move_to(const double center[3], sn_hull *h) {
  for (int i = 0; i < h->vertices; i++) sn_sub(h->vertex[i], h->vertex[i], center);
  sn_axpy(h->center, 1, center);
  h->inside = INFINITY, h->outside = 0;
  for (int i = 0; i < h->faces; i++) {
    face_plane(h, &h->face[i]);
    h->inside = fmin(h->inside, h->face[i].level);
  }
  for (int i = 0; i < h->vertices; i++) h->outside = fmax(h->outside, sn_norm(h->vertex[i]));
  for (int i = 0; i < h->edges; i++) {
    sn_hull_edge *e = &h->edge[i];
    sn_sub(e->along, h->vertex[e->end[1]], h->vertex[e->end[0]]);
    sn_normalize(e->along);
  }
}

static sn_hull *hull_about(sn_arena *arena, int count, const double (*point)[3], const double *center) {
  growing g = {.points = count, .point = point};
  sn_hull *h = NULL;
  g.from = sn_new((size_t)count, sizeof *g.from);
  g.used = sn_new((size_t)count, sizeof *g.used);
  if (count >= 4 && begin(&g)) {
    double S[3], C[6], V;
    grow(&g);
    h = SN_NEW(arena, sn_hull, 1);
    take_faces(arena, &g, h);
    move_to(point[0], h); /* sums about a point nearby lose no digits */
    integrate(h, &V, S, C);
    sn_scale(S, 1 / V, S);
    if (center) sn_sub(S, center, h->center);
    move_to(S, h);
    integrate(h, &V, S, C);
    h->volume = V;
    double trace = C[0] + C[1] + C[2];
    for (int k = 0; k < 6; k++) h->J[k] = (k < 3 ? trace : 0) - C[k];
  }
  sn_free(g.from);
  sn_free(g.used);
  sn_free(g.triangle);
  return h;
}

const sn_hull *sn_hull_of(sn_arena *arena, int count, const double (*point)[3]) {
  return hull_about(arena, count, point, NULL);
}

const sn_hull *sn_hull_inside(sn_arena *arena, const sn_hull *hull, double depth) {
  static const double origin[3] = {0, 0, 0};
  assert(depth < hull->inside);
  double(*dual)[3] = sn_new((size_t)hull->faces, sizeof *dual);
  for (int i = 0; i < hull->faces; i++) sn_scale(dual[i], 1 / (hull->face[i].level - depth), hull->face[i].n);
  const sn_hull *other = hull_about(arena, hull->faces, (const double(*)[3])dual, origin);
  sn_free(dual);
  if (!other) return NULL;
  double(*vertex)[3] = sn_new((size_t)other->faces, sizeof *vertex);
  for (int i = 0; i < other->faces; i++) sn_scale(vertex[i], 1 / other->face[i].level, other->face[i].n);
  const sn_hull *inner = hull_about(arena, other->faces, (const double(*)[3])vertex, origin);
  sn_free(vertex);
  return inner;
}
