/* reeving.c - an elastic rope through pulleys, on drums, or closed as a belt: the force element.
 *
 *   r = dz/dq' f(z, z')          scalars z: rope_path.c, forces f: rope_law.c
 *   T = dz/dq' (ck df/dz + cd df/dz') dz/dq + ck dz/dq' df/dz' dz'/dq + ck f.d2z/dq2
 *
 * Over a pulley with friction a coordinate of its own, tau, counts the rope that runs over it. The mass of the rope is a
 * batch of its own: rope_mass.c.
 */
#include "force/reeving.h"

#include <math.h>
#include <string.h>

#include "force/forces.h"
#include "math/constants.h"
#include "math/vec3.h"

enum { S = SN_ROPE_SCALARS, N = SN_ROPE_LOCAL };

/* ---- instances ---- */

static int rope_groups(const sn_batch *batch, int i, int *groups) {
  const sn_rope *rope = (const sn_rope *)batch->data + i;
  memcpy(groups, rope->group, (size_t)rope->groups * sizeof *groups);
  return rope->groups;
}

static void rope_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const sn_rope *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_rope *rope = &item[i];
    sn_rope_path path;
    sn_rope_law law;
    if (ev->q0) {
      sn_rope_apply_step(rope, ev, r);
    } else {
      sn_rope_path_at(rope, ev->q, ev->v, false, &path);
      sn_rope_law_at(rope, ev->t, path.z, path.zd, &law, NULL, NULL);
      sn_rope_apply(rope, &path, law.f, ev, r);
    }
  }
}

/* M [S][N] = (ck K + cd D) Z + ck D R */
static void combine(const sn_rope *rope, const sn_eval *ev, double (*K)[S], double (*D)[S], double (*Z)[N],
                    double (*R)[N], double (*M)[N]) {
  for (int s = 0; s < rope->scalars; s++) {
    memset(M[s], 0, sizeof(double) * (size_t)rope->local);
    for (int t = 0; t < rope->scalars; t++) {
      const double a = ev->ck * K[s][t] + ev->cd * D[s][t], b = ev->ck * D[s][t];
      if (a == 0 && b == 0) continue;
      for (int k = 0; k < rope->local; k++) M[s][k] += a * Z[t][k] + b * R[t][k];
    }
  }
}

static void rope_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const sn_rope *item = batch->data;
  double Z[S][N], R[S][N], M[S][N], T[N][N], K[S][S], D[S][S];
  for (int i = range.first; i < range.last; i++) {
    const sn_rope *rope = &item[i];
    sn_rope_path path;
    sn_rope_law law;
    for (int j = 0; j < rope->local; j++) memset(T[j], 0, sizeof(double) * (size_t)rope->local);
    sn_rope_path_at(rope, ev->q, ev->v, false, &path);
    sn_rope_law_at(rope, ev->t, path.z, path.zd, &law, K, D);
    sn_rope_derivatives(rope, &path, ev->q, ev->v, ev->ck, law.f, Z, R, T);
    combine(rope, ev, K, D, Z, R, M);
    for (int s = 0; s < rope->scalars; s++)
      for (int j = 0; j < rope->local; j++)
        for (int k = 0; M[s][j] != 0 && k < rope->local; k++) T[j][k] += Z[s][k] * M[s][j];
    sn_matrix_add(A, rope->groups, rope->group, batch->slots + (size_t)batch->slot_stride * (size_t)i, T[0], N);
  }
}

static void rope_energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *energy) {
  const sn_rope *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    sn_rope_path path;
    sn_rope_law law;
    sn_rope_path_at(&item[i], ev->q, ev->v, false, &path);
    sn_rope_law_at(&item[i], ev->t, path.z, path.zd, &law, NULL, NULL);
    energy->spring += law.energy;
  }
}

static void rope_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *power) {
  const sn_rope *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    sn_rope_path path;
    sn_rope_law law;
    sn_rope_path_at(&item[i], ev->q, ev->v, false, &path);
    sn_rope_law_at(&item[i], ev->t, path.z, path.zd, &law, NULL, NULL);
    power->damping += law.damping;
    power->friction += law.friction;
    power->driver += law.driver;
  }
}

/* A path that the formulas do not describe: it lifts off a pulley, or a span has turned by half a turn; a segment that
 * is used up. */
static const char *rope_doubt(const sn_batch *batch, int i, const double *q, bool *bad) {
  const sn_rope *rope = (const sn_rope *)batch->data + i;
  sn_rope_path path;
  *bad = true;
  sn_rope_path_at(rope, q, q, false, &path);
  for (int k = 0; k < rope->stops; k++) {
    const int from = sn_rope_arriving(rope, k), to = sn_rope_leaving(rope, k);
    const double s = rope->stop[k].rho > 0 ? 1 : -1;
    if (rope->stop[k].rho == 0 || from < 0 || to < 0) continue;
    if (rope->stop[k].wrap + s * (path.z[2 * to + 1] - path.z[2 * from + 1]) < 0) return rope->doubt[0];
  }
  for (int k = 0; k < rope->spans; k++) {
    const bool free =
        rope->stop[k].rho == 0 && rope->stop[sn_rope_next(rope, k)].rho == 0; /* its direction is not used */
    if (!free && fabs(path.z[2 * k + 1]) > 0.98 * SN_PI) return rope->doubt[1];
  }
  for (int j = 0; j < rope->segments; j++) {
    double l0 = rope->segment[j].rest;
    for (int s = 0; s < rope->scalars; s++) l0 += rope->segment[j].l0[s] * path.z[s];
    if (l0 <= 0) return rope->doubt[2];
  }
  return NULL;
}

static const sn_batch_ops rope_batch = {
    .name = "ropes",
    .max_groups = SN_ROPE_GROUPS,
    .groups = rope_groups,
    .residual = rope_residual,
    .tangent = rope_tangent,
    .energy = rope_energy,
    .power = rope_power,
    .discrete = true,
    .doubt = rope_doubt,
};

const sn_rope *sn_find_rope(const sn_model *model, const char *name) {
  const sn_batch *batch = sn_batch_find(model, &rope_batch);
  const sn_rope *item = batch ? batch->data : NULL;
  for (int i = 0; batch && i < batch->count; i++)
    if (strcmp(item[i].name, name) == 0) return &item[i];
  return NULL;
}

/* The arc on a pulley without slip, R theta, which belongs to no segment. */
static double held_arc(const sn_rope *rope, int k, const double *z) {
  const sn_rope_stop *stop = &rope->stop[k];
  const int from = sn_rope_arriving(rope, k), to = sn_rope_leaving(rope, k);
  if (stop->grip != SN_ROPE_NO_SLIP || from < 0 || to < 0) return 0;
  return fabs(stop->rho) * stop->wrap + stop->rho * (z[2 * to + 1] - z[2 * from + 1]);
}

void sn_rope_state(const sn_rope *rope, const sn_eval *ev, double *values) {
  sn_rope_path path;
  sn_rope_law law;
  sn_rope_path_at(rope, ev->q, ev->v, false, &path);
  sn_rope_law_at(rope, ev->t, path.z, path.zd, &law, NULL, NULL);
  values[0] = 0;
  for (int k = 0; k < rope->stops; k++) values[0] += held_arc(rope, k, path.z);
  for (int j = 0; j < rope->segments; j++) {
    values[0] += law.strain[j].l;
    values[1 + j] = law.strain[j].N;
  }
}

double sn_rope_creep(const sn_model *model, const sn_eval *ev) {
  const sn_batch *batch = sn_batch_find(model, &rope_batch);
  double fastest = 0;
  for (int i = 0; batch && i < batch->count; i++) {
    const sn_rope *rope = (const sn_rope *)batch->data + i;
    sn_rope_path path;
    sn_rope_law law;
    sn_rope_path_at(rope, ev->q, ev->v, false, &path);
    sn_rope_law_at(rope, ev->t, path.z, path.zd, &law, NULL, NULL);
    fastest = fmax(fastest, law.creep);
  }
  return fastest;
}

sn_rope *sn_add_rope(sn_compiler *c) {
  return sn_batch_append(c, &rope_batch, sizeof(sn_rope));
}
