/* normalization.c - Euler parameters have the length 1: p.p - 1 = 0, the constraint of rigid bodies and of frames.
 *
 *   Phi = p.p - 1,   Phi' = 2 p.p',   Phi'' = 2 (p.p'' + p'.p')
 */
#include "body/bodies.h"
#include "math/quat.h"
#include "model/compile.h"

typedef struct unit {
  int first, group; /* of the body */
  int row, row_group;
  bool turns; /* the body does not advance by itself */
} unit;

static int unit_groups(const sn_batch *batch, int i, int *groups) {
  const unit *u = &((const unit *)batch->data)[i];
  groups[0] = u->group;
  groups[1] = u->row_group;
  return 2;
}

static double product4(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static void unit_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const unit *item = batch->data;
  for (int i = range.first; i < range.last; i++)
    for (int k = 3; k < 7; k++) r[item[i].first + k] += 2 * ev->l[item[i].row] * ev->q[item[i].first + k];
}

static void unit_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const unit *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    double T[64] = {0};
    for (int k = 3; k < 7; k++) {
      T[9 * k] = 2 * ev->ck * ev->l[item[i].row];
      T[7 + 8 * k] = T[k + 8 * 7] = 2 * ev->q[item[i].first + k];
    }
    int groups[2] = {item[i].group, item[i].row_group};
    sn_matrix_add(A, 2, groups, batch->slots + batch->slot_stride * i, T, 8);
  }
}

static void unit_position(const sn_batch *batch, sn_range range, const sn_eval *ev, double *phi) {
  const unit *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const double *p = ev->q + item[i].first + 3;
    phi[item[i].row] = product4(p, p) - 1;
  }
}

/* A kick of a frame that turns: rates p' start tangent to the sphere of p, as unit_advance leaves them, and end with
 * what the acceleration p.p'' = -p'.p' makes of it. Forces on bodies whose mass is not around the frame need it. */
static void unit_velocity(const sn_batch *batch, sn_range range, const sn_eval *ev, double *rate) {
  const unit *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const double *p = ev->q + item[i].first + 3, *pd = ev->v + item[i].first + 3;
    rate[item[i].row] = 2 * product4(p, pd);
    if (ev->kick && item[i].turns) rate[item[i].row] += 2 * ev->h * product4(pd, pd);
  }
}

static void unit_acceleration(const sn_batch *batch, sn_range range, const sn_eval *ev, double *accel) {
  const unit *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const double *p = ev->q + item[i].first + 3, *pd = ev->v + item[i].first + 3, *pdd = ev->a + item[i].first + 3;
    accel[item[i].row] = 2 * (product4(p, pdd) + product4(pd, pd));
  }
}

/* Frames of flexible bodies: turned by the mean angular velocity, which they keep in their own axes. */
static void unit_advance(const sn_batch *batch, sn_range range, const sn_eval *ev, double *q1, double *v1) {
  const unit *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    int first = item[i].first + 3;
    double w[3];
    if (!item[i].turns) continue;
    sn_quat_G(ev->q + first, v1 + first, w);
    sn_scale(w, 2, w);
    sn_quat_turn(ev->q + first, w, ev->h, q1 + first);
    sn_scale(w, 0.5, w);
    sn_quat_Gt(q1 + first, w, v1 + first);
  }
}

/* p1 so that p1 + h p' is the turned one; w stays in body axes */
static void unit_shift(const sn_batch *batch, sn_range range, const sn_eval *ev, double *q1, double *v1) {
  const unit *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    int first = item[i].first + 3;
    double w[3], turn[3], p[4];
    sn_quat_G(q1 + first, v1 + first, w);
    sn_quat_G(ev->q + first, ev->v + first, turn);
    if (turn[0] == 0 && turn[1] == 0 && turn[2] == 0) continue;
    sn_scale(turn, 2, turn);
    sn_quat_turn(q1 + first, turn, ev->h, p);
    sn_quat_Gt(p, w, v1 + first);
    for (int k = 0; k < 4; k++) q1[first + k] = p[k] - ev->h * ev->v[first + k];
  }
}

static const sn_batch_ops unit_batch = {
    .name = "normalization",
    .max_groups = 2,
    .groups = unit_groups,
    .residual = unit_residual,
    .tangent = unit_tangent,
    .position = unit_position,
    .velocity = unit_velocity,
    .acceleration = unit_acceleration,
    .discrete = true, /* quadratic: the gradient in the middle */
    .advance = unit_advance,
    .shift = unit_shift,
};

void sn_add_normalization(sn_compiler *c, const char *name, int first, int group, bool turns) {
  unit *u = sn_batch_append(c, &unit_batch, sizeof *u);
  *u = (unit){.first = first, .group = group, .row = c->model->m, .turns = turns};
  u->row_group = sn_add_multipliers(c, name, 1);
}

int sn_normalizations(const sn_model *model, int *first, int *row) {
  const sn_batch *batch = sn_batch_find(model, &unit_batch);
  const unit *item = batch ? batch->data : NULL;
  for (int i = 0; first && batch && i < batch->count; i++) first[i] = item[i].first, row[i] = item[i].row;
  return batch ? batch->count : 0;
}
