/* rigid_planar.c - rigid body of planar models: q = (x, y, angle), M = diag(m, m, J). What the user writes is the same
 * as in space; J is Jzz, the orientation the angle about z.
 *
 * Over a step of an energy-momentum method, as in space: h (w0 + w1)/2 = 2 tan(turn/2), so that with the mean rate
 * v = turn/h and t = tan(turn/2)/(turn/2), w1 = 2 t v - w0; a moment acts on the angle with the factor t.
 */
#include <math.h>
#include <string.h>

#include "body/rigid.h"
#include "math/quat.h"
#include "model/compile.h"

typedef struct rigid {
  int first, group;
  double m, J;
} rigid;

static int rigid_groups(const sn_batch *batch, int i, int *groups) {
  groups[0] = ((const rigid *)batch->data)[i].group;
  return 1;
}

/* t J (w1 - w0)/h, with w0 = v - h a/2 */
static double step_inertia(const rigid *b, const sn_eval *ev) {
  double v = ev->v[b->first + 2], t = sn_half_tangent(ev->h * v);
  return b->J * t * (ev->a[b->first + 2] + 2 * (t - 1) * v / ev->h);
}

static void rigid_end_velocity(const sn_batch *batch, sn_range range, const sn_eval *ev, double *v1) {
  const rigid *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    double v = ev->v[item[i].first + 2], a = ev->a[item[i].first + 2];
    v1[item[i].first + 2] = (2 * sn_half_tangent(ev->h * v) - 1) * v + 0.5 * ev->h * a;
  }
}

static void rigid_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const rigid *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const rigid *b = &item[i];
    for (int k = 0; k < 2; k++) r[b->first + k] += b->m * (ev->ci * ev->a[b->first + k] - ev->gravity[k]);
    r[b->first + 2] += ev->q0 ? step_inertia(b, ev) : b->J * ev->ci * ev->a[b->first + 2];
  }
}

static void rigid_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const rigid *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    double T[9] = {ev->cm * item[i].m, 0, 0, 0, ev->cm * item[i].m, 0, 0, 0, ev->cm * item[i].J};
    sn_matrix_add(A, 1, &item[i].group, batch->slots + batch->slot_stride * i, T, 3);
  }
}

static void rigid_energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *energy) {
  const rigid *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const rigid *b = &item[i];
    const double *q = ev->q + b->first, *v = ev->v + b->first;
    energy->kinetic += 0.5 * (b->m * (v[0] * v[0] + v[1] * v[1]) + b->J * v[2] * v[2]);
    energy->gravity -= b->m * (ev->gravity[0] * q[0] + ev->gravity[1] * q[1]);
  }
}

static void rigid_momentum(const sn_batch *batch, sn_range range, const sn_eval *ev, double out[6]) {
  const rigid *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const rigid *b = &item[i];
    const double *q = ev->q + b->first, *v = ev->v + b->first;
    out[0] += b->m * v[0];
    out[1] += b->m * v[1];
    out[5] += b->m * (q[0] * v[1] - q[1] * v[0]) + b->J * v[2];
  }
}

static const sn_batch_ops rigid_batch = {
    .name = "planar rigid bodies",
    .max_groups = 1,
    .groups = rigid_groups,
    .residual = rigid_residual,
    .tangent = rigid_tangent,
    .energy = rigid_energy,
    .momentum = rigid_momentum,
    .steady = sn_always_steady,
    .discrete = true,
    .end_velocity = rigid_end_velocity,
};

/* ---- body ---- */

typedef struct rigid_place {
  double r[3], angle, half; /* center, orientation, half the distance from-to */
} rigid_place;

/* y = R(sign angle) s */
static void turn(const rigid_place *place, double sign, const double s[3], double y[3]) {
  double co = cos(place->angle), si = sign * sin(place->angle), x = co * s[0] - si * s[1];
  y[1] = si * s[0] + co * s[1];
  y[0] = x;
  y[2] = s[2];
}

static void rigid_compile(sn_compiler *c, sn_body *body) {
  const sn_rigid_spec *s = (const sn_rigid_spec *)(const void *)body->spec;
  rigid_place *place = SN_NEW(c->arena, rigid_place, 1);
  static const char *const vectors[] = {"position", "from", "to", "velocity"};
  const double *value[] = {s->position, s->from, s->to, s->velocity};
  for (int k = 0; k < 4; k++) sn_check_plane(c, body->spec, vectors[k], value[k]);
  if (s->rotation[1] != 0 || s->rotation[2] != 0 || s->angular_velocity[0] != 0 || s->angular_velocity[1] != 0)
    sn_field_error(&c->reader, body->spec, s->rotation[1] != 0 || s->rotation[2] != 0 ? "rotation" : "angular_velocity",
                   "a turn about [0, 0, 1]", "'%s' rotates out of the plane of this planar model", body->name);
  body->data = place;
  place->angle = 2 * atan2(s->rotation[3], s->rotation[0]);
  sn_copy(place->r, s->position);
  if (sn_given(s, "from")) {
    double d[3];
    sn_sub(d, s->to, s->from);
    place->half = sn_norm(d) / 2;
    if (!(place->half > 0)) {
      sn_field_error(&c->reader, body->spec, "to", "a point different from 'from'", "rigid '%s' has no length",
                     body->name);
      return;
    }
    for (int k = 0; k < 3; k++) place->r[k] = (s->from[k] + s->to[k]) / 2;
    place->angle = atan2(d[1], d[0]);
  }
  double m, J[6];
  if (!sn_rigid_inertia(c, s, 2 * place->half, &m, J)) return;
  double q[3] = {place->r[0], place->r[1], place->angle},
         v[3] = {s->velocity[0], s->velocity[1], s->angular_velocity[2]};
  body->first = c->model->n;
  body->count = 3;
  body->groups = 1;
  body->first_group = sn_add_coordinates(c, body->name, 3, q, v);
  *(rigid *)sn_batch_append(c, &rigid_batch, sizeof(rigid)) = (rigid){body->first, body->first_group, m, J[2]};
}

static void rigid_locate(const sn_body *body, sn_marker *marker) {
  const rigid_place *place = body->data;
  double d[3];
  sn_sub(d, marker->position, place->r);
  turn(place, -1, d, marker->local);
}

static bool rigid_marker(sn_compiler *c, const sn_body *body, const sn_marker_ref *ref, sn_marker *marker) {
  const rigid_place *place = body->data;
  if (!sn_rigid_point(c, body, ref, place->half, marker->local)) return false;
  marker->has_frame = true;
  turn(place, 1, marker->local, marker->position);
  sn_axpy(marker->position, 1, place->r);
  return true;
}

static void rigid_probe(const sn_body *body, double w, const double s[3], sn_probe *probe) {
  assert(body->first >= 0 && body->count == 3);
  *probe = (sn_probe){.ops = &sn_probe_planar,
                      .groups = 1,
                      .group = {body->first_group},
                      .first = {body->first},
                      .size = {3},
                      .count = 3,
                      .weight = {w, s[0], s[1]}};
}

static void rigid_point(const sn_marker *marker, sn_probe *probe) {
  rigid_probe(marker->body, 1, marker->local, probe);
}

static void rigid_direction(const sn_marker *marker, const double direction[3], sn_probe *probe) {
  double s[3];
  if (direction[0] == 0 && direction[1] == 0) { /* the normal of the plane never turns */
    sn_constant_probe(direction, probe);
    return;
  }
  turn(marker->body->data, -1, direction, s);
  rigid_probe(marker->body, 0, s, probe);
}

static void rigid_axes(const sn_marker *marker, double A[3][3]) {
  static const double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < 3; k++) turn(marker->body->data, 1, e[k], A[k]);
}

static double rigid_angle(const sn_marker *marker, sn_probe *probe) {
  const sn_body *body = marker->body;
  *probe = (sn_probe){.ops = &sn_probe_single,
                      .groups = 1,
                      .group = {body->first_group},
                      .first = {body->first},
                      .size = {3},
                      .count = 3,
                      .dim = 2};
  return ((const rigid_place *)body->data)->angle;
}

static void rigid_geometry(const sn_body *body, sn_geometry *geometry) {
  sn_rigid_geometry((const sn_rigid_spec *)(const void *)body->spec, ((const rigid_place *)body->data)->half, geometry);
}

const sn_body_ops sn_rigid_planar = {
    .kind = {.name = "rigid", .category = SN_BODIES},
    .compile = rigid_compile,
    .marker = rigid_marker,
    .place = rigid_locate,
    .landmarks = "center, start, end",
    .point = rigid_point,
    .direction = rigid_direction,
    .axes = rigid_axes,
    .angle = rigid_angle,
    .geometry = rigid_geometry,
    .turn = 2,
    .turns = 1,
    .layout = &sn_layouts[SN_LAYOUT_RIGID_PLANAR],
    .node_coordinates = 3,
};
