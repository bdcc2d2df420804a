/* rigid.c - spatial rigid body with Euler parameters: q = (r, p), r the center of mass, p.p = 1.
 *
 *   w_body = 2 G(p) p'                          G from math/quat.h
 *   M   = m I3  and  4 G'J G + 4 J0 p p'        J0 = trace(J)/3 makes M regular and changes only the multiplier
 *   Q_v = 8 Gd'J Gd p - 4 J0 (p'.p') p          Gd = G(p'); gravity m g
 *
 * Over a step of an energy-momentum method (Simo and Wong's, with Cayley's vector c of the turn from p0 to p1):
 *   c = h (w0 + w1)/2 in body axes, so w1 = 2 c/h - w0, c = 2 G(pm) (p1 - p0)/p0.p1
 *   A1 J w1 - A0 J w0 = h moment, as a force on p by sn_quat_add_moment
 *
 * Over a step that carries momentum (body axes; u the mean velocity after the kick, which has felt half of -w0 x J w0):
 *   P0 = J u + h/2 w0 x J w0,   w = J^-1 exp(-h w/2) P0,   A1 = A0 exp(h w),   w1 = J^-1 exp(-h w) P0
 * A1 J w1 = A0 P0: momentum is kept to rounding, and w in the middle makes the step the same in both directions of
 * time, so that energy does not drift.
 */
#include "body/rigid.h"

#include <string.h>

#include "math/quat.h"
#include "model/compile.h"
#include "model/materials.h"

static const sn_field rigid_fields[] = {
    {"position", SN_VECTOR, SN_AT(sn_rigid_spec, position), .unit = "m",
     .help = "initial position of the center of mass; the body then has no points 'start' and 'end'"},
    {"rotation", SN_ROTATION, SN_AT(sn_rigid_spec, rotation), .def = "[1, 0, 0, 0]",
     .help = "initial orientation: quaternion, scalar first, or {axis: [x, y, z], angle: rad}"},
    {"from", SN_VECTOR, SN_AT(sn_rigid_spec, from), .example = "[0, 0, 0]", .unit = "m",
     .help = "first end of the body, its point 'start'; with 'to': center of mass at the midpoint, body x axis from "
             "'from' to 'to'"},
    {"to", SN_VECTOR, SN_AT(sn_rigid_spec, to), .example = "[1, 0, 0]", .unit = "m",
     .help = "second end of the body, its point 'end'"},
    {"mass", SN_REAL, SN_AT(sn_rigid_spec, mass), .example = "1", .unit = "kg", .limits = SN_POSITIVE,
     .help = "mass; alternatively density and shape"},
    {"inertia", SN_INERTIA, SN_AT(sn_rigid_spec, inertia), .unit = "kg m2",
     .help = "moments of inertia about the center of mass in body axes: [Jxx, Jyy, Jzz] or [Jxx, Jyy, Jzz, Jxy, Jxz, "
             "Jyz], the elements of the tensor: Jxy is minus the integral of x y dm; alternatively shape"},
    {"density", SN_REAL, SN_AT(sn_rigid_spec, density), .unit = "kg/m3", .limits = SN_POSITIVE,
     .help = "mass density of the shape"},
    {"shape", SN_SHAPE, SN_AT(sn_rigid_spec, shape), .example = "{type: box, size: [1, 0.1, 0.1]}",
     .help = "shape that defines mass and inertia and is drawn"},
    {"velocity", SN_VECTOR, SN_AT(sn_rigid_spec, velocity), .unit = "m/s", .def = "[0, 0, 0]",
     .help = "initial velocity of the center of mass"},
    {"angular_velocity", SN_VECTOR, SN_AT(sn_rigid_spec, angular_velocity), .unit = "rad/s", .def = "[0, 0, 0]",
     .help = "initial angular velocity, global axes"},
    {"points", SN_POINT_MAP, SN_AT(sn_rigid_spec, points), .unit = "m",
     .help = "named points in body axes: {name: [x, y, z], ...}"},
    {0},
};

/* ---- instances ---- */

typedef sn_rigid_item rigid;

static int rigid_groups(const sn_batch *batch, int i, int *groups) {
  groups[0] = ((const rigid *)batch->data)[i].group;
  return 1;
}

/* y = J x */
static void inertia_times(const double J[6], const double x[3], double y[3]) {
  y[0] = J[0] * x[0] + J[3] * x[1] + J[4] * x[2];
  y[1] = J[3] * x[0] + J[1] * x[1] + J[5] * x[2];
  y[2] = J[4] * x[0] + J[5] * x[1] + J[2] * x[2];
}

/* Body angular velocities at the start and the end of a step. */
static void step_spin(const rigid *b, const sn_eval *ev, double w0[3], double w1[3]) {
  int first = b->first + 3;
  const double *p0 = ev->q0 + first, *p1 = ev->q1 + first;
  double v0[4], s = 0;
  for (int k = 0; k < 4; k++) v0[k] = ev->v[first + k] - 0.5 * ev->h * ev->a[first + k], s += p0[k] * p1[k];
  sn_quat_G(p0, v0, w0);
  sn_quat_G(ev->q + first, ev->v + first, w1);
  for (int k = 0; k < 3; k++) {
    w0[k] *= 2;
    w1[k] = 4 * w1[k] / s - w0[k];
  }
}

/* y[4] += rate of A J w, as a force on p */
static void step_inertia(const rigid *b, const sn_eval *ev, double *y) {
  const double *p0 = ev->q0 + b->first + 3, *p1 = ev->q1 + b->first + 3;
  double w0[3], w1[3], n[3], L0[3], L1[3];
  step_spin(b, ev, w0, w1);
  inertia_times(b->J, w0, n);
  sn_quat_rotate(p0, n, L0);
  inertia_times(b->J, w1, n);
  sn_quat_rotate(p1, n, L1);
  for (int k = 0; k < 3; k++) L1[k] = (L1[k] - L0[k]) / ev->h;
  sn_quat_add_moment(p0, p1, L1, y);
}

/* p' = G'w/2 */
static void rigid_end_velocity(const sn_batch *batch, sn_range range, const sn_eval *ev, double *v1) {
  const rigid *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    double w0[3], w1[3];
    step_spin(&item[i], ev, w0, w1);
    sn_scale(w1, 0.5, w1);
    sn_quat_Gt(ev->q1 + item[i].first + 3, w1, v1 + item[i].first + 3);
  }
}

/* w = J^-1 exp(-h w/2) P by fixed-point sweeps; with equal moments of inertia the first is the last. */
static void middle_spin(const rigid *b, double h, const double P[3], double w[3]) {
  enum { SWEEPS = 12 };
  inertia_times(b->inverse, P, w);
  for (int k = 0; k < SWEEPS; k++) {
    double c[4], turned[3], last[3], change = 0;
    sn_copy(last, w);
    sn_quat_of_turn(w, -h / 2, c);
    sn_quat_rotate(c, P, turned);
    inertia_times(b->inverse, turned, w);
    for (int j = 0; j < 3; j++) change = fmax(change, fabs(w[j] - last[j]));
    if (change <= 1e-15 * sn_norm(w)) return;
  }
}

static void rigid_advance(const sn_batch *batch, sn_range range, const sn_eval *ev, double *q1, double *v1) {
  const rigid *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const rigid *b = &item[i];
    int first = b->first + 3;
    const double *p0 = ev->q + first;
    double w0[3], u[3], P[3], Jw[3], gyro[3], w[3], c[4];
    sn_quat_G(p0, ev->v + first, w0);
    sn_quat_G(p0, v1 + first, u);
    sn_scale(w0, 2, w0);
    sn_scale(u, 2, u);
    inertia_times(b->J, u, P);
    inertia_times(b->J, w0, Jw);
    sn_cross(gyro, w0, Jw);
    sn_axpy(P, ev->h / 2, gyro);
    middle_spin(b, ev->h, P, w);
    sn_quat_turn(p0, w, ev->h, q1 + first);
    sn_quat_of_turn(w, -ev->h, c);
    sn_quat_rotate(c, P, Jw);
    inertia_times(b->inverse, Jw, w);
    sn_scale(w, 0.5, w);
    sn_quat_Gt(q1 + first, w, v1 + first);
  }
}

/* r += ci M a - Q */
static void rigid_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const rigid *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const rigid *b = &item[i];
    const double *p = ev->q + b->first + 3, *pd = ev->v + b->first + 3, *a = ev->a + b->first, *pdd = a + 3;
    double *y = r + b->first;
    for (int k = 0; k < 3; k++) y[k] += b->m * (ev->ci * a[k] - ev->gravity[k]);
    if (ev->q0) {
      step_inertia(b, ev, y + 3);
      continue;
    }
    double x[3], n[3], M[4], Qv[4], pp = 0, vv = 0;
    sn_quat_G(p, pdd, x);
    inertia_times(b->J, x, n);
    sn_quat_Gt(p, n, M);
    sn_quat_G(pd, p, x);
    inertia_times(b->J, x, n);
    sn_quat_Gt(pd, n, Qv);
    for (int k = 0; k < 4; k++) pp += p[k] * pdd[k], vv += pd[k] * pd[k];
    double gyro = ev->kick ? 4 : 8;
    for (int k = 0; k < 4; k++)
      y[3 + k] += 4 * ev->ci * (M[k] + b->J0 * pp * p[k]) - gyro * Qv[k] + 4 * b->J0 * vv * p[k];
  }
}

/* C = s X' J Y for 3x4 matrices */
static void add_congruence(double s, double X[3][4], const double J[6], double Y[3][4], double C[4][4]) {
  for (int j = 0; j < 4; j++) {
    double y[3] = {Y[0][j], Y[1][j], Y[2][j]}, n[3];
    inertia_times(J, y, n);
    for (int i = 0; i < 4; i++) C[i][j] += s * (X[0][i] * n[0] + X[1][i] * n[1] + X[2][i] * n[2]);
  }
}

/* The rotational 4x4 block of cm M + cd D + ck K:
 *   d(M p'')/dp  = 4 T(J G p'') - 4 G'J G(p'') + 4 J0 ((p.p'') I + p p''')
 *   dQ/dp        = 8 Gd'J Gd - 4 J0 (p'.p') I                      Gd = G(p')
 *   dQ/dp'       = 8 T(J Gd p) - 8 Gd'J G - 8 J0 p p''                                        */
static void rigid_block(const rigid *b, const sn_eval *ev, double C[4][4]) {
  const double *p = ev->q + b->first + 3, *pd = ev->v + b->first + 3, *pdd = ev->a + b->first + 3;
  double G[3][4], Gd[3][4], Gdd[3][4], x[3], n[3], T[4][4], pp = 0, vv = 0;
  sn_quat_G_matrix(p, G);
  sn_quat_G_matrix(pd, Gd);
  sn_quat_G_matrix(pdd, Gdd);
  for (int k = 0; k < 4; k++) pp += p[k] * pdd[k], vv += pd[k] * pd[k];
  double cm = ev->cm, cd = ev->cd, ck = ev->ck, ki = ev->ck * ev->ci;
  add_congruence(4 * cm, G, b->J, G, C);
  if (ev->kick || (cd == 0 && ck == 0)) {
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) C[i][j] += 4 * b->J0 * cm * p[i] * p[j];
    return;
  }
  add_congruence(-4 * ki, G, b->J, Gdd, C);
  add_congruence(-8 * ck, Gd, b->J, Gd, C);
  add_congruence(8 * cd, Gd, b->J, G, C);
  sn_quat_G(p, pdd, x);
  inertia_times(b->J, x, n);
  sn_quat_T(n, T);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      C[i][j] += 4 * ki * T[i][j] + 4 * b->J0 * (cm * p[i] * p[j] + ki * p[i] * pdd[j]) + 8 * cd * b->J0 * p[i] * pd[j];
  sn_quat_G(pd, p, x);
  inertia_times(b->J, x, n);
  sn_quat_T(n, T);
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) C[i][j] -= 8 * cd * T[i][j];
    C[i][i] += 4 * b->J0 * (ki * pp + ck * vv);
  }
}

static void rigid_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const rigid *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    double C[4][4] = {{0}}, T[49] = {0};
    rigid_block(&item[i], ev, C);
    for (int k = 0; k < 3; k++) T[8 * k] = ev->cm * item[i].m;
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 4; k++) T[3 + k + 7 * (3 + j)] = C[k][j];
    sn_matrix_add(A, 1, &item[i].group, batch->slots + batch->slot_stride * i, T, 7);
  }
}

/* body angular velocity w = 2 G p', momentum J w */
static void spin(const rigid *b, const sn_eval *ev, double w[3], double Jw[3]) {
  sn_quat_G(ev->q + b->first + 3, ev->v + b->first + 3, w);
  sn_scale(w, 2, w);
  inertia_times(b->J, w, Jw);
}

static void rigid_energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *energy) {
  const rigid *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const rigid *b = &item[i];
    double w[3], Jw[3];
    spin(b, ev, w, Jw);
    energy->kinetic += 0.5 * (b->m * sn_dot(ev->v + b->first, ev->v + b->first) + sn_dot(w, Jw));
    energy->gravity -= b->m * sn_dot(ev->gravity, ev->q + b->first);
  }
}

static void rigid_momentum(const sn_batch *batch, sn_range range, const sn_eval *ev, double out[6]) {
  const rigid *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const rigid *b = &item[i];
    double w[3], Jw[3], L[3], orbit[3];
    spin(b, ev, w, Jw);
    sn_quat_rotate(ev->q + b->first + 3, Jw, L);
    sn_cross(orbit, ev->q + b->first, ev->v + b->first);
    sn_axpy(out, b->m, ev->v + b->first);
    sn_axpy(out + 3, b->m, orbit);
    sn_axpy(out + 3, 1, L);
  }
}

static const sn_batch_ops rigid_batch = {
    .name = "rigid bodies",
    .max_groups = 1,
    .groups = rigid_groups,
    .residual = rigid_residual,
    .tangent = rigid_tangent,
    .energy = rigid_energy,
    .momentum = rigid_momentum,
    .discrete = true,
    .end_velocity = rigid_end_velocity,
    .advance = rigid_advance,
};

const sn_rigid_item *sn_rigid_items(const sn_model *model, int *count) {
  const sn_batch *batch = sn_batch_find(model, &rigid_batch);
  *count = batch ? batch->count : 0;
  return batch ? batch->data : NULL;
}

/* ---- body ---- */

typedef struct rigid_place {
  double r[3], p[4], half; /* center, orientation, half the distance from-to */
} rigid_place;

static void rigid_check(sn_reader *reader, const sn_spec *spec) {
  const sn_rigid_spec *s = (const sn_rigid_spec *)(const void *)spec;
  bool from = sn_given(spec, "from"), to = sn_given(spec, "to"), position = sn_given(spec, "position");
  bool mass = sn_given(spec, "mass"), inertia = sn_given(spec, "inertia"), density = sn_given(spec, "density");
  if (from != to)
    sn_field_error(reader, spec, from ? "from" : "to", "both 'from' and 'to'", "rigid '%s' has only one end",
                   spec->name);
  else if (from == position)
    sn_field_error(reader, spec, from ? "position" : NULL, "either 'position' or 'from' and 'to'",
                   from ? "rigid '%s' has two positions" : "rigid '%s' has no position", spec->name);
  else if (mass == density)
    sn_field_error(reader, spec, mass ? "density" : NULL, "one of: mass, density",
                   mass ? "rigid '%s' has both a mass and a density" : "rigid '%s' has neither a mass nor a density",
                   spec->name);
  else if (inertia == (s->shape != NULL))
    sn_field_error(
        reader, spec, inertia ? "inertia" : NULL, "one of: inertia, shape",
        inertia ? "rigid '%s' has both an inertia and a shape" : "rigid '%s' has neither an inertia nor a shape",
        spec->name);
  else if (density && !s->shape)
    sn_field_error(reader, spec, "density", "a shape", "rigid '%s' has a density but no shape", spec->name);
}

static bool positive_definite(const double J[6]) {
  double d1 = J[0], d2 = J[0] * J[1] - J[3] * J[3];
  double d3 =
      J[0] * (J[1] * J[2] - J[5] * J[5]) - J[3] * (J[3] * J[2] - J[5] * J[4]) + J[4] * (J[3] * J[5] - J[1] * J[4]);
  return d1 > 0 && d2 > 0 && d3 > 0;
}

static void invert(const double J[6], double Y[6]) {
  assert(positive_definite(J));
  double c[6] = {J[1] * J[2] - J[5] * J[5], J[0] * J[2] - J[4] * J[4], J[0] * J[1] - J[3] * J[3],
                 J[4] * J[5] - J[3] * J[2], J[3] * J[5] - J[4] * J[1], J[3] * J[4] - J[0] * J[5]};
  double d = J[0] * c[0] + J[3] * c[3] + J[4] * c[4];
  for (int k = 0; k < 6; k++) Y[k] = c[k] / d;
}

/* J_i <= J_j + J_k of the principal moments, as for any real body: P = tr(J)/2 1 - J, the sum of m x x', is not
 * negative. Moments are often typed with three digits. */
static bool is_real_body(const double J[6]) {
  const double digits = 1e-3, trace = J[0] + J[1] + J[2], half = (0.5 + digits) * trace;
  const double P[6] = {half - J[0], half - J[1], half - J[2], -J[3], -J[4], -J[5]};
  return positive_definite(P);
}

bool sn_rigid_inertia(sn_compiler *c, const sn_rigid_spec *s, double length, double *m, double J[6]) {
  for (int k = 0; k < 6; k++) J[k] = s->inertia[k];
  *m = s->mass;
  if (s->shape) {
    sn_solid solid = ((const sn_shape_ops *)(const void *)s->shape->kind)->solid(s->shape, length);
    if (!(solid.volume > 0)) {
      sn_field_error(&c->reader, &s->spec, "shape", "a length, or 'from' and 'to' of the body",
                     "the shape has no volume");
      return false;
    }
    if (sn_given(s, "density")) *m = s->density * solid.volume;
    double per_mass[6] = {solid.Jxx / solid.volume, solid.Jyy / solid.volume, solid.Jzz / solid.volume,
                          solid.Jxy / solid.volume, solid.Jxz / solid.volume, solid.Jyz / solid.volume};
    for (int k = 0; k < 6; k++) J[k] = per_mass[k] * *m;
  }
  const char *expected = NULL;
  if (c->model->dim == 2 ? !(J[2] > 0) : !positive_definite(J))
    expected = "a positive definite inertia";
  else if (c->model->dim == 3 && !is_real_body(J))
    expected = "principal moments none of which is larger than the other two together";
  if (expected) sn_field_error(&c->reader, &s->spec, "inertia", expected, "no rigid body can have this inertia");
  return !expected;
}

static void rigid_compile(sn_compiler *c, sn_body *body) {
  const sn_rigid_spec *s = (const sn_rigid_spec *)(const void *)body->spec;
  rigid_place *place = SN_NEW(c->arena, rigid_place, 1);
  body->data = place;
  for (int k = 0; k < 4; k++) place->p[k] = s->rotation[k];
  sn_copy(place->r, s->position);
  if (sn_given(s, "from")) {
    double u[3];
    sn_sub(u, s->to, s->from);
    place->half = sn_normalize(u) / 2;
    if (!(place->half > 0)) {
      sn_field_error(&c->reader, body->spec, "to", "a point different from 'from'", "rigid '%s' has no length",
                     body->name);
      return;
    }
    for (int k = 0; k < 3; k++) place->r[k] = (s->from[k] + s->to[k]) / 2;
    sn_quat_from_x(u, place->p);
  }
  rigid item = {.first = c->model->n};
  if (!sn_rigid_inertia(c, s, 2 * place->half, &item.m, item.J)) return;
  item.J0 = (item.J[0] + item.J[1] + item.J[2]) / 3;
  invert(item.J, item.inverse);
  assert(sn_is_unit_quat(place->p));
  /* p' = G' w_body/2, w_body = A' w */
  double q[7], v[7], w[3];
  sn_copy(q, place->r);
  sn_copy(v, s->velocity);
  for (int k = 0; k < 4; k++) q[3 + k] = place->p[k];
  sn_quat_unrotate(place->p, s->angular_velocity, w);
  sn_scale(w, 0.5, w);
  sn_quat_Gt(place->p, w, v + 3);
  body->first = c->model->n;
  body->count = 7;
  body->groups = 1;
  body->first_group = item.group = sn_add_coordinates(c, body->name, 7, q, v);
  *(rigid *)sn_batch_append(c, &rigid_batch, sizeof(rigid)) = item;
}

static void rigid_constrain(sn_compiler *c, sn_body *body) {
  sn_add_normalization(c, body->name, body->first, body->first_group, false);
}

static void rigid_locate(const sn_body *body, sn_marker *marker) { /* local from global */
  const rigid_place *place = body->data;
  double d[3];
  sn_sub(d, marker->position, place->r);
  sn_quat_unrotate(place->p, d, marker->local);
}

bool sn_rigid_point(sn_compiler *c, const sn_body *body, const sn_marker_ref *ref, double half, double local[3]) {
  const sn_rigid_spec *s = (const sn_rigid_spec *)(const void *)body->spec;
  bool start = ref->point && strcmp(ref->point, "start") == 0, end = ref->point && strcmp(ref->point, "end") == 0;
  local[0] = local[1] = local[2] = 0;
  if ((start || end) && half > 0) {
    local[0] = end ? half : -half;
    return true;
  }
  if (ref->point && strcmp(ref->point, "center") == 0) return true;
  bool named = false; /* by the user, like a landmark of other bodies */
  for (int i = 0; i < s->points.count && ref->point; i++) named |= strcmp(s->points.name[i], ref->point) == 0;
  if ((start || end) && !named) {
    sn_node_error(&c->reader, ref->node, "'from' and 'to' instead of 'position', or a point of 'points'",
                  "rigid '%s' has no '%s': it is given by its position", body->name, ref->point);
    return false;
  }
  return sn_local_point(c, body, ref, half > 0 ? body->ops->landmarks : "center", &s->points, local);
}

static bool rigid_marker(sn_compiler *c, const sn_body *body, const sn_marker_ref *ref, sn_marker *marker) {
  const rigid_place *place = body->data;
  if (!sn_rigid_point(c, body, ref, place->half, marker->local)) return false;
  marker->has_frame = true;
  sn_quat_rotate(place->p, marker->local, marker->position);
  sn_axpy(marker->position, 1, place->r);
  return true;
}

static void rigid_probe(const sn_body *body, double w, const double s[3], sn_probe *probe) {
  assert(body->first >= 0 && body->count == 7);
  *probe = (sn_probe){.ops = &sn_probe_rigid,
                      .groups = 1,
                      .group = {body->first_group},
                      .first = {body->first},
                      .size = {7},
                      .count = 7,
                      .weight = {w, s[0], s[1], s[2]}};
}

static void rigid_point(const sn_marker *marker, sn_probe *probe) {
  rigid_probe(marker->body, 1, marker->local, probe);
}

static void rigid_direction(const sn_marker *marker, const double direction[3], sn_probe *probe) {
  double s[3];
  sn_quat_unrotate(((const rigid_place *)marker->body->data)->p, direction, s);
  rigid_probe(marker->body, 0, s, probe);
}

static void rigid_axes(const sn_marker *marker, double A[3][3]) {
  static const double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < 3; k++) sn_quat_rotate(((const rigid_place *)marker->body->data)->p, e[k], A[k]);
}

void sn_rigid_geometry(const sn_rigid_spec *s, double half, sn_geometry *geometry) {
  geometry->is_solid = s->shape != NULL;
  if (s->shape) {
    ((const sn_shape_ops *)(const void *)s->shape->kind)->geometry(s->shape, 2 * half, geometry);
  } else {
    geometry->type = half > 0 ? SN_GEOMETRY_CYLINDER : SN_GEOMETRY_POINT;
    geometry->size[0] = half / 25;
    geometry->size[1] = 2 * half;
  }
}

static void rigid_geometry(const sn_body *body, sn_geometry *geometry) {
  sn_rigid_geometry((const sn_rigid_spec *)(const void *)body->spec, ((const rigid_place *)body->data)->half, geometry);
}

const sn_body_ops sn_rigid = {
    .kind = {.name = "rigid",
             .category = SN_BODIES,
             .summary = "rigid body, in space or (planar models) in the plane",
             .fields = rigid_fields,
             .spec_size = sizeof(sn_rigid_spec),
             .check = rigid_check},
    .planar = &sn_rigid_planar,
    .compile = rigid_compile,
    .constrain = rigid_constrain,
    .marker = rigid_marker,
    .place = rigid_locate,
    .landmarks = "center, start, end",
    .point = rigid_point,
    .direction = rigid_direction,
    .axes = rigid_axes,
    .geometry = rigid_geometry,
    .turn = 3,
    .turns = 4,
    .layout = &sn_layouts[SN_LAYOUT_RIGID],
    .node_coordinates = 7,
};
