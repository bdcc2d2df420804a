/* points.c - places on bodies: named points and at(x, y, z) where there is a frame; start, end and at(s) along lines.
 */
#include <string.h>

#include "body/bodies.h"
#include "math/vec3.h"
#include "model/compile.h"
#include "model/reader.h"

/* The points of the kind, then those that the model names. */
static const char *names_of(sn_compiler *c, const char *landmarks, const sn_point_map *points) {
  const char *text = landmarks ? sn_format(c->arena, "%s, at(x, y, z)", landmarks) : "at(x, y, z)";
  for (int i = 0; i < points->count; i++) text = sn_format(c->arena, "%s, %s", text, points->name[i]);
  return text;
}

const char *sn_near_point(sn_compiler *c, const char *word, const char *names) {
  enum { MOST = 64 };
  const char *name[MOST];
  int count = 0;
  for (const char *at = names; *at && count < MOST; at += strspn(at, ", ")) {
    const size_t n = strcspn(at, ",(");
    if (at[n] != '(') name[count++] = sn_format(c->arena, "%.*s", (int)n, at);
    at += at[n] == '(' ? strcspn(at, ")") + 1 : n;
  }
  const char *near = sn_nearest(word, name, count);
  return near ? sn_format(c->arena, "did you mean '%s'?", near) : NULL;
}

const char *sn_point_text(sn_compiler *c, const sn_marker_ref *ref) {
  const char *text = ref->point;
  for (int i = 0; i < ref->count; i++) text = sn_format(c->arena, "%s%s%g", text, i ? ", " : "(", ref->number[i]);
  return ref->count ? sn_format(c->arena, "%s)", text) : text;
}

/* In a planar model a place has no third coordinate: one that is dropped would change lengths without a word. */
static bool is_in_plane(sn_compiler *c, const sn_marker_ref *ref, const double local[3]) {
  if (c->model->dim == 3 || local[2] == 0) return true;
  sn_node_error(&c->reader, ref->node, "a third coordinate of 0", "'%s.%s' leaves the plane of this planar model",
                ref->body, ref->point);
  return false;
}

bool sn_local_point(sn_compiler *c, const sn_body *body, const sn_marker_ref *ref, const char *landmarks,
                    const sn_point_map *points, double local[3]) {
  const char *names = names_of(c, landmarks, points);
  if (!ref->point) {
    sn_node_error(&c->reader, ref->node, sn_format(c->arena, "%s.POINT with POINT one of: %s", body->name, names),
                  "'%s' does not specify a point", body->name);
    return false;
  }
  if (strcmp(ref->point, "at") == 0) {
    if (ref->count != 3) {
      sn_node_error(&c->reader, ref->node, "at(x, y, z), coordinates in body axes",
                    "'at' of '%s' takes 3 numbers, %d given", body->name, ref->count);
      return false;
    }
    sn_copy(local, ref->number);
    return is_in_plane(c, ref, local);
  }
  for (int i = 0; i < points->count; i++)
    if (strcmp(points->name[i], ref->point) == 0) {
      sn_copy(local, points->value[i]);
      return is_in_plane(c, ref, local);
    }
  const char *near = sn_near_point(c, ref->point, names);
  sn_node_error(&c->reader, ref->node, near ? near : sn_format(c->arena, "one of: %s", names),
                "%s '%s' has no point '%s'", body->ops->kind.name, body->name, ref->point);
  return false;
}

bool sn_line_point(sn_compiler *c, const sn_body *body, const sn_marker_ref *ref, int elements, int *element,
                   double *s) {
  const char *kind = body->ops->kind.name;
  const char *expected = sn_format(c->arena, "one of: start, end, at(s) with s from 0 to 1 along the %s", kind);
  double x;
  if (!ref->point) {
    sn_node_error(&c->reader, ref->node, expected, "'%s' does not specify a point of the %s", body->name, kind);
    return false;
  }
  if (strcmp(ref->point, "start") == 0 && ref->count == 0)
    x = 0;
  else if (strcmp(ref->point, "end") == 0 && ref->count == 0)
    x = 1;
  else if (strcmp(ref->point, "at") == 0 && ref->count == 1 && ref->number[0] >= 0 && ref->number[0] <= 1)
    x = ref->number[0];
  else {
    const char *near = ref->count ? NULL : sn_near_point(c, ref->point, body->ops->landmarks);
    sn_node_error(&c->reader, ref->node, near ? near : expected, "%s '%s' has no point '%s'", kind, body->name,
                  sn_point_text(c, ref));
    return false;
  }
  x *= elements;
  if (fabs(x - round(x)) < 1e-9) x = round(x); /* a node */
  *element = x >= elements ? elements - 1 : (int)x;
  assert(*element >= 0 && *element < elements);
  *s = x - *element;
  return true;
}

int sn_line_neighbor(const sn_marker *marker, int elements) {
  const int side = marker->local[0] == 0 ? -1 : marker->local[0] == 1 ? 1 : 0, next = marker->element + side;
  return side == 0 || next < 0 || next >= elements ? -1 : next;
}

void sn_line_resultants(const sn_marker *marker, int elements, const sn_eval *ev, const double (*load)[3], int columns,
                        sn_line_resultants_in *in, double *values) {
  const int next = sn_line_neighbor(marker, elements);
  double other[16] = {0};
  assert(columns > 0 && columns <= (int)SN_COUNT(other) && marker->element >= 0 && marker->element < elements);
  in(marker, marker->element, marker->local[0], ev, load ? load[0] : NULL, values);
  if (next < 0) return;
  in(marker, next, next < marker->element ? 1 : 0, ev, load ? load[1] : NULL, other);
  for (int k = 0; k < columns; k++) values[k] = (values[k] + other[k]) / 2;
}

void sn_line_add_load(double s, double l, const double p[3], const double u[3], double n[3], double m[3]) {
  double turn[3];
  sn_cross(turn, u, p);
  sn_axpy(n, -(s - 0.5) * l, p);
  sn_axpy(m, l * l * (s * s / 2 - s / 2 + 1.0 / 12), turn);
}

void sn_line_load_columns(const sn_marker *marker, int element, double s, double l, const double *q, const double p[3],
                          bool bends, double *values) {
  const sn_body_ops *ops = marker->body->ops;
  const bool space = ops->resultant_headings->count > 5;
  sn_marker place = *marker;
  sn_probe probe;
  double start[3][3], e[3][3], n[3] = {0}, m[3] = {0};
  place.element = element;
  place.local[0] = s;
  place.data = NULL;
  if (ops->axes) ops->axes(&place, start);
  for (int k = 0; k < (space ? 3 : 1); k++) {
    if (ops->tangent)
      ops->tangent(&place, &probe);
    else
      ops->direction(&place, start[k], &probe);
    e[k][2] = 0;
    probe.ops->value(&probe, q, e[k]);
    sn_normalize(e[k]);
  }
  if (!space) e[1][0] = -e[0][1], e[1][1] = e[0][0], e[1][2] = 0;
  sn_line_add_load(s, l, p, e[0], n, m);
  values[0] += sn_dot(n, e[0]);
  if (!bends) return;
  for (int k = 1; k < (space ? 3 : 2); k++) values[k] += sn_dot(n, e[k]);
  if (!space) values[2] += m[2];
  for (int k = 1; k < 3 && space; k++) values[3 + k] += sn_dot(m, e[k]);
}
