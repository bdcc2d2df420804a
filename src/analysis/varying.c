/* varying.c - see varying.h.
 *
 * Along axes that rotate with W, a body that turns with another angular velocity w has constant coefficients only if it
 * is rigid and its inertia J about its center does not change, with u = w - W
 *
 *     J' = u x J - J x u = 0,
 *
 * that is, if it is round about u. Slopes of cables, beams and plates are vectors in space: they change with
 * r_x' - W x r_x. Deformations of floating bodies are measured in their frame, along axes that turn with it.
 * At the start of a model the accelerations do not show this: what is not strained yet does not know that it turns.
 */
#include "analysis/varying.h"

#include <math.h>
#include <string.h>

#include "analysis/trust.h"
#include "math/vec3.h"
#include "model/body_layout.h"

static const double ROUND = 1e-2;  /* change of the inertia in the time of 1 rad, relative to it */
static const double LITTLE = 1e-2; /* turning, over that of the fastest part */
static const double SLOW = 1e-3;   /* the same over the smallest eigenvalue */

static const sn_body *body_of(const sn_model *m, int q) {
  for (int i = 0; i < m->bodies; i++)
    if (q >= m->body[i].first && q < m->body[i].first + m->body[i].count) return &m->body[i];
  return NULL;
}

/* Moments of inertia of all rotations, T' M T of three unit rotations: J[3 size], the rows of a block are at its eta. */
static void find_inertias(sn_system *system, const sn_state *x, const sn_tangent *t, sn_arena *arena, double *J) {
  const size_t n = (size_t)system->n + 1, size = (size_t)t->size + 1;
  double *none = SN_NEW(arena, double, size), *unit = SN_NEW(arena, double, size), *back = SN_NEW(arena, double, size);
  double *const d[3] = {SN_NEW(arena, double, n), SN_NEW(arena, double, n), SN_NEW(arena, double, n)};
  const double *const eta[3] = {none, none, unit};
  for (int axis = 0; axis < 3; axis++) {
    memset(unit, 0, size * sizeof(double));
    for (int b = 0; b < t->blocks; b++)
      if (t->block[b].type == SN_TANGENT_ROTATION) unit[t->block[b].eta + axis] = 1;
    sn_tangent_lift(t, x, eta, d);
    sn_system_mass_times(system, x, d[2], d[0]);
    sn_tangent_pull(t, x->q, d[0], back);
    for (int i = 0; i < t->size; i++) J[3 * i + axis] = back[i];
  }
}

/* Does J change as the body turns with u? (u x J - J x u) e = u x (J e) - J (u x e) for each axis e. */
static bool is_round(const double J[9], const double u[3]) {
  double most = 0, size = 0;
  for (int axis = 0; axis < 3; axis++) {
    double e[3] = {0}, column[3], turned[3], change[3], first[3];
    e[axis] = 1;
    for (int i = 0; i < 3; i++) column[i] = J[3 * i + axis];
    sn_cross(change, u, column);
    sn_cross(turned, u, e);
    for (int i = 0; i < 3; i++) first[i] = sn_dot(J + 3 * i, turned);
    sn_sub(change, change, first);
    most = fmax(most, sn_norm(change));
    size = fmax(size, sn_norm(column));
  }
  return most <= ROUND * sn_norm(u) * size;
}

/* Deformations are measured in a frame that turns with the body. Angles alone, of planar bodies and sections, are without
 * a direction. */
static bool measures_in_frame(const sn_body *body) {
  const sn_body_layout *layout = body ? body->ops->layout : NULL;
  return layout && (layout->deformation[0] || sn_layout_place(layout->column, SN_COLUMN_U, 3) >= 0);
}

/* r and u = r' - W x r of a vector. */
static void motion_of(const sn_tangent *t, const sn_state *x, const sn_tangent_block *block, double r[3], double u[3]) {
  double steady[3], v[3] = {0};
  memset(r, 0, 3 * sizeof(double));
  memcpy(r, x->q + block->q, (size_t)t->dim * sizeof(double));
  memcpy(v, x->v + block->q, (size_t)t->dim * sizeof(double));
  sn_cross(steady, t->rate, r);
  sn_sub(u, v, steady);
}

/* A slope, or the line to another node of the body. */
static bool vector_turns(const sn_tangent *t, const sn_state *x, const sn_tangent_block *block,
                         const sn_tangent_block *node, double slow) {
  double r[3], u[3], from[3], with[3];
  motion_of(t, x, block, r, u);
  if (!block->slope) {
    motion_of(t, x, node, from, with);
    sn_sub(r, r, from);
    sn_sub(u, u, with);
  }
  return sn_norm(u) > slow * sn_norm(r);
}

static bool varies(const sn_tangent *t, const sn_tangent_block *block, const sn_body *body, const double *rate,
                   const double *J, double slow) {
  double u[3];
  if (block->type == SN_TANGENT_SCALAR)
    return block->turns && fabs(rate[0] - t->rate[2]) > slow && measures_in_frame(body);
  if (block->type != SN_TANGENT_ROTATION) return false;
  sn_sub(u, rate, t->rate);
  return sn_norm(u) > slow && (measures_in_frame(body) || !is_round(J, u));
}

/* The first body that turns faster than `slow` [rad/s]. */
static const sn_body *find_varying(const sn_model *m, sn_system *system, const sn_state *x, const sn_tangent *t,
                                   double slow, sn_arena *arena) {
  const size_t size = (size_t)t->size + 1;
  double *none = SN_NEW(arena, double, size), *rate = SN_NEW(arena, double, size);
  double *J = SN_NEW(arena, double, 3 * size);
  const sn_tangent_block *node = NULL;
  const sn_body *last = NULL;
  sn_tangent_lower(t, x, x->v, none, none, rate);
  find_inertias(system, x, t, arena, J);
  for (int b = 0; b < t->blocks; b++) {
    const sn_tangent_block *block = &t->block[b];
    const sn_body *body = body_of(m, block->q);
    if (!node || body != last) node = block;
    last = body;
    const bool vector = block->type == SN_TANGENT_VECTOR && block != node;
    if (vector ? vector_turns(t, x, block, node, slow)
               : varies(t, block, body, rate + block->eta, J + 3 * block->eta, slow))
      return body;
  }
  return NULL;
}

void sn_doubt_varying(sn_simulation *s, sn_system *system, const sn_state *x, const sn_tangent *t, double lowest) {
  sn_arena arena = {0};
  const double size = s->evidence.size > 0 ? s->evidence.size : 1;
  double *work = SN_NEW(&arena, double, 2 * t->size + 1);
  const double turning = fmax(sn_tangent_turning(t, x, size, work), sn_norm(t->rate));
  const sn_body *body = find_varying(s->model, system, x, t, fmax(LITTLE * turning, SLOW * lowest), &arena);
  sn_arena_free(&arena);
  if (!body) return;
  sn_add_doubt(s, SN_DOUBTFUL,
               sn_format(&s->arena,
                         "linearize: '%s' turns against the axes along which changes are measured and is not a rigid "
                         "body that is round about this axis: the coefficients change with time, and the eigenvalues "
                         "are not those of the motion; possible remedy: 'rotation' with the angular velocity of the "
                         "body, if nothing else turns otherwise, or a shaft as a 'cable', which does not turn",
                         body->name));
}
