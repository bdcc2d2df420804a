/* points.c - places on bodies with a frame: named points and at(x, y, z). */
#include <string.h>

#include "body/bodies.h"
#include "math/vec3.h"
#include "model/compile.h"

static const char *names_of(sn_compiler *c, const sn_body *body, const sn_point_map *points) {
  const char *text = "at(x, y, z)";
  if (body->ops->landmarks) text = sn_format(c->arena, "%s, %s", body->ops->landmarks, text);
  for (int i = 0; i < points->count; i++) text = sn_format(c->arena, "%s, %s", text, points->name[i]);
  return text;
}

bool sn_local_point(sn_compiler *c, const sn_body *body, const sn_marker_ref *ref, const sn_point_map *points,
                    double local[3]) {
  if (!ref->point) {
    sn_node_error(&c->reader, ref->node,
                  sn_format(c->arena, "%s.POINT with POINT one of: %s", body->name, names_of(c, body, points)),
                  "'%s' alone does not say which point", body->name);
    return false;
  }
  if (strcmp(ref->point, "at") == 0) {
    if (ref->count != 3) {
      sn_node_error(&c->reader, ref->node, "at(x, y, z), coordinates in body axes",
                    "'at' of '%s' takes 3 numbers, %d given", body->name, ref->count);
      return false;
    }
    sn_copy(local, ref->number);
    return true;
  }
  for (int i = 0; i < points->count; i++)
    if (strcmp(points->name[i], ref->point) == 0) {
      sn_copy(local, points->value[i]);
      return true;
    }
  sn_node_error(&c->reader, ref->node, sn_format(c->arena, "one of: %s", names_of(c, body, points)),
                "%s '%s' has no point '%s'", body->ops->kind.name, body->name, ref->point);
  return false;
}
