/* plane.c - see plane.h.
 *
 * The field tables say what a model is made of. In a mirror image in the plane with normal n
 *   points      stay where they are when they lie in the plane
 *   vectors     (velocity, force) stay when v.n = 0
 *   turns       (axis, angular velocity, moment, rotation) stay when they are along n
 *   inertia     stays when n is a principal axis
 */
#include "model/plane.h"

#include <math.h>
#include <string.h>

#include "math/vec3.h"

static const double small = 1e-9; /* of the sizes compared */

typedef struct mirror {
  const double *point, *normal;
  double size; /* of the model */
} mirror;

static bool one_of(const char *name, const char *list) { /* "a b c" */
  size_t length = strlen(name);
  for (const char *at = list; (at = strstr(at, name)); at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
  return false;
}

static bool is_across(const mirror *m, const double v[3]) {
  return fabs(sn_dot(v, m->normal)) <= small * sn_norm(v);
}
static bool is_along(const mirror *m, const double v[3]) {
  double c[3];
  sn_cross(c, v, m->normal);
  return sn_norm(c) <= small * sn_norm(v);
}
static bool is_within(const mirror *m, const double p[3]) {
  double d[3];
  sn_sub(d, p, m->point);
  return fabs(sn_dot(d, m->normal)) <= small * fmax(m->size, sn_norm(d));
}

/* Vectors that are functions of time: at the start, and at times without a period. */
static bool is_function(const mirror *m, const sn_expr *const f[3], bool (*rule)(const mirror *, const double[3])) {
  for (int k = 0; k < 3; k++)
    if (sn_expr_has_variables(f[k])) return false; /* not known */
  bool constant = sn_expr_is_constant(f[0]) && sn_expr_is_constant(f[1]) && sn_expr_is_constant(f[2]);
  for (int i = 0; i < (constant ? 1 : 400); i++) {
    double v[3], t = i < 200 ? 0.0618033988749895 * i : 12.3 * (i - 199) / 7.389056;
    for (int k = 0; k < 3; k++) v[k] = sn_expr_value(f[k], t);
    if (!rule(m, v)) return false;
  }
  return true;
}

/* J n along n; written in axes that are turned about n only */
static bool is_principal(const mirror *m, const double J[6]) {
  const double *n = m->normal;
  double Jn[3] = {J[0] * n[0] + J[3] * n[1] + J[4] * n[2], J[3] * n[0] + J[1] * n[1] + J[5] * n[2],
                  J[4] * n[0] + J[5] * n[1] + J[2] * n[2]};
  return is_along(m, Jn);
}

static bool along_an_axis(const double n[3]) {
  return fmax(fabs(n[0]), fmax(fabs(n[1]), fabs(n[2]))) > 1 - small;
}

/* One field. What is not listed is no vector, or one of a kind that is not. */
static bool field_stays(const mirror *m, const sn_spec *spec, const sn_field *field) {
  const char *at = (const char *)spec + field->at;
  const double *v = (const double *)(const void *)at;
  if (field->type == SN_POINTS) {
    const sn_points *list = (const void *)at;
    for (int i = 0; i < list->count; i++)
      if (!is_within(m, list->value[i])) return false;
  } else if (field->type == SN_POINT_MAP) { /* in the axes of a rigid body, from its center */
    const sn_point_map *map = (const void *)at;
    bool (*lies)(const mirror *, const double[3]) = one_of(spec->kind->name, "ground") ? is_within : is_across;
    for (int i = 0; i < map->count; i++)
      if (!lies(m, map->value[i])) return false;
  } else if (field->type == SN_VECTOR) {
    if (one_of(field->name, "from to via position")) return is_within(m, v);
    if (one_of(field->name, "velocity")) return is_across(m, v);
    if (one_of(field->name, "axis") && sn_given(spec, "translation")) return is_across(m, v);
    return one_of(field->name, "axis angular_velocity") && is_along(m, v);
  } else if (field->type == SN_PROFILE3) {
    return false; /* a curve by formulas: not looked at */
  } else if (field->type == SN_FUNCTION3 || field->type == SN_FORMULA3 || field->type == SN_FIELD3) {
    return is_function(m, (const sn_expr *const *)(const void *)at,
                       one_of(field->name, "moment") ? is_along : is_across);
  } else if (field->type == SN_ROTATION) {
    return is_along(m, v + 1);
  } else if (field->type == SN_INERTIA) {
    return is_principal(m, v);
  } else if (field->type == SN_SHAPE) {
    const sn_spec *const *shape = (const void *)at;
    return along_an_axis(m->normal) && !one_of((*shape)->kind->name, "convex");
  }
  return true;
}

/* Points named by numbers, at(x, y, z): of rigid bodies from their center, of the ground where they are. */
static bool marker_stays(const mirror *m, const sn_marker_ref *ref) {
  return ref->count < 3 || (one_of(ref->body, "ground") ? is_within(m, ref->number) : is_across(m, ref->number));
}

static bool entry_stays(const mirror *m, const sn_spec *spec) {
  bool of_joint = one_of(spec->kind->name, "motion torsion-spring") && sn_given(spec, "joint");
  for (const sn_field *field = spec->kind->fields; field->name; field++) {
    const char *at = (const char *)spec + field->at;
    if (!sn_given(spec, field->name) && !field->def) continue;
    if (of_joint && one_of(field->name, "axis")) continue;
    if (one_of(spec->kind->name, "coordinate")) continue; /* measures, holds nothing */
    if (!field_stays(m, spec, field)) return false;
    if (field->type == SN_MARKERS && !marker_stays(m, (const sn_marker_ref *)(const void *)at + 1)) return false;
    if ((field->type == SN_MARKERS || field->type == SN_MARKER) && !marker_stays(m, (const void *)at)) return false;
  }
  return true;
}

/* A field of a surface, in the axes of its body, which is turned about n at most; those that are not given follow from
 * the body's shape and are not looked at. */
static const double *vector_of(const sn_spec *spec, const char *name) {
  for (const sn_field *field = spec->kind->fields; field->name; field++)
    if (one_of(field->name, name) && sn_given(spec, name)) return (const void *)((const char *)spec + field->at);
  return NULL;
}

/* Surfaces that bodies in the plane touch in the plane. A round one lies in it, or stands across it and reaches well
 * beyond it on both sides, its ends being out of reach. */
static bool surface_stays(const mirror *m, const sn_spec *spec) {
  const char *kind = spec->kind->name;
  const double *at = vector_of(spec, "at"), *from = vector_of(spec, "from"), *to = vector_of(spec, "to");
  const double *normal = vector_of(spec, "normal"), *rotation = vector_of(spec, "rotation");
  const sn_marker_ref *on = NULL;
  for (const sn_field *field = spec->kind->fields; field->name; field++)
    if (field->type == SN_MARKER && sn_given(spec, field->name)) on = (const void *)((const char *)spec + field->at);
  const bool ground = !on || one_of(on->body, "ground");
  bool (*lies)(const mirror *, const double[3]) = ground ? is_within : is_across;
  if (one_of(kind, "spheres")) return true;
  if (on && !marker_stays(m, on)) return false;
  if (one_of(kind, "sphere")) return at ? lies(m, at) : !ground || is_within(m, (double[3]){0, 0, 0});
  if (one_of(kind, "plane")) return is_across(m, normal);
  if (one_of(kind, "box ellipsoid"))
    return along_an_axis(m->normal) && (at ? lies(m, at) : !ground || is_within(m, (double[3]){0, 0, 0})) &&
           (!rotation || is_along(m, rotation + 1));
  if (!one_of(kind, "cylinder capsule") || !from || !to) return false;
  if (lies(m, from) && lies(m, to)) return true;
  const double quarter = 0.25;
  double axis[3], first[3];
  sn_sub(axis, to, from);
  sn_copy(first, from);
  if (ground) sn_axpy(first, -1, m->point);
  const double length = sn_dot(axis, m->normal), place = -sn_dot(first, m->normal) / length;
  return is_along(m, axis) && place > quarter && place < 1 - quarter;
}

bool sn_moves_in_plane(const sn_document *document, const double point[3], const double normal[3]) {
  assert(sn_is_unit(normal));
  static const struct {
    sn_category category;
    const char *kinds;
  } known[] = {
      {SN_BODIES, "ground rigid point-mass cable"},
      {SN_JOINTS, "revolute spherical fixed distance motion coordinate"},
      {SN_FORCES, "force moment spring torsion-spring distributed drag"},
      {SN_SURFACES, "spheres sphere plane box ellipsoid cylinder capsule"},
  };
  mirror m = {point, normal, sn_norm(point)};
  if (!is_across(&m, document->gravity)) return false;
  for (size_t c = 0; c < SN_COUNT(known); c++) {
    const sn_list *list = &document->list[known[c].category];
    bool (*stays)(const mirror *, const sn_spec *) = known[c].category == SN_SURFACES ? surface_stays : entry_stays;
    for (int i = 0; i < list->count; i++)
      if (!one_of(list->item[i]->kind->name, known[c].kinds) || !stays(&m, list->item[i])) return false;
  }
  return true;
}

bool sn_plane_of(int count, const double (*point)[3], double normal[3]) {
  assert(count > 0);
  double a[3] = {0}, b[3], c[3], size = 0, area = 0;
  for (int i = 1; i < count; i++) { /* the largest triangle at the first point and the one farthest from it */
    sn_sub(b, point[i], point[0]);
    if (sn_norm(b) > size) size = sn_norm(b), sn_copy(a, b);
  }
  for (int i = 1; i < count && size > 0; i++) {
    sn_sub(b, point[i], point[0]);
    sn_cross(c, a, b);
    if (sn_norm(c) > area) area = sn_norm(c), sn_copy(normal, c);
  }
  if (!(area > small * size * size)) return false;
  sn_scale(normal, 1 / area, normal);
  for (int i = 1; i < count; i++) {
    sn_sub(b, point[i], point[0]);
    if (fabs(sn_dot(b, normal)) > small * size) return false;
  }
  return true;
}
