/* added_mass.c - inertia of the fluid that a line moves across itself, or a plate along its normal (Morison's equation):
 *
 *   M_a = int wet m S'P S dx,   P = I - e e' for a line with tangent e, n n' for a plate with normal n
 *   T_a = 1/2 v'M_a v,   and  M_a' does the work v'M_a'v/2, which the motion of the fluid gives or takes
 *
 * The acceleration of the fluid itself is a load (drag.c).
 */
#include "force/fluid.h"
#include "math/vec3.h"
#include "model/compile.h"

typedef struct added_mass {
  const sn_fluid_point *x;
} added_mass;

static int added_groups(const sn_batch *batch, int i, int *groups) {
  const sn_probe *p = &((const added_mass *)batch->data)[i].x->point;
  for (int g = 0; g < p->groups; g++) groups[g] = p->group[g];
  return p->groups;
}

static void added_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const added_mass *item = batch->data;
  for (int i = range.first; ev->ci != 0 && i < range.last; i++) {
    const sn_fluid_point *x = item[i].x;
    sn_flow y;
    double a[3], f[3];
    sn_flow_at(x, ev, false, &y);
    x->point.ops->value(&x->point, ev->a, a); /* linear: r'' = S a */
    sn_added_part(x, y.d, a, f);
    sn_scale(f, ev->ci * y.wet * x->added, f);
    x->point.ops->apply(&x->point, ev->q, f, r);
  }
}

static void added_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const added_mass *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_fluid_point *x = item[i].x;
    const sn_probe *p = &x->point;
    double S[3 * SN_PROBE_COORDINATES], U[2][3 * SN_PROBE_COORDINATES] = {{0}};
    double T[SN_PROBE_COORDINATES * SN_PROBE_COORDINATES], a[3], z[3];
    int n = p->count;
    sn_flow y;
    sn_flow_at(x, ev, true, &y);
    p->ops->jacobian(p, ev->q, S);
    for (int k = 0; k <= x->plate; k++) x->slope[k].ops->jacobian(&x->slope[k], ev->q, U[k]);
    p->ops->value(p, ev->a, a);
    sn_added_part(x, y.d, a, z);
    for (int c = 0; c < n; c++) {
      double dd[3], mass[3], turn[3], df[3], k = ev->ci * ev->ck, more = k * sn_dot(y.slant, S + 3 * c);
      sn_direction_change(x, &y, U[0] + 3 * c, U[1] + 3 * c, dd);
      sn_added_part(x, y.d, S + 3 * c, mass);
      sn_added_part_change(x, y.d, dd, a, turn);
      for (int j = 0; j < 3; j++) df[j] = x->added * (y.wet * (ev->cm * mass[j] + k * turn[j]) + more * z[j]);
      for (int d = 0; d < n; d++) T[d + n * c] = sn_dot(S + 3 * d, df);
    }
    sn_matrix_add(A, p->groups, p->group, batch->slots + (size_t)batch->slot_stride * (size_t)i, T, n);
  }
}

static void added_energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *energy) {
  const added_mass *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    sn_flow y;
    double z[3];
    sn_flow_at(item[i].x, ev, false, &y);
    sn_added_part(item[i].x, y.d, y.v, z);
    energy->kinetic += 0.5 * item[i].x->added * y.wet * sn_dot(y.v, z);
  }
}

static void added_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *power) {
  const added_mass *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_fluid_point *x = item[i].x;
    sn_flow y;
    double rate[2][3] = {{0}}, dd[3], z[3], turn[3];
    sn_flow_at(x, ev, false, &y);
    for (int k = 0; k <= x->plate; k++) x->slope[k].ops->rate(&x->slope[k], ev->q, ev->v, rate[k]);
    sn_direction_change(x, &y, rate[0], rate[1], dd);
    sn_added_part(x, y.d, y.v, z);
    sn_added_part_change(x, y.d, dd, y.v, turn);
    power->damping += 0.5 * x->added * (sn_wet_rate(x, ev, &y) * sn_dot(y.v, z) + y.wet * sn_dot(y.v, turn));
  }
}

static bool never(const sn_batch *batch) {
  (void)batch;
  return false;
}

static const sn_batch_ops added_mass_batch = {
    .name = "added mass",
    .max_groups = SN_PROBE_GROUPS,
    .groups = added_groups,
    .residual = added_residual,
    .tangent = added_tangent,
    .energy = added_energy,
    .power = added_power,
    .steady = never,
};

void sn_add_added_mass(sn_compiler *c, const sn_fluid_point *point) {
  assert(point->added > 0);
  *(added_mass *)sn_batch_append(c, &added_mass_batch, sizeof(added_mass)) = (added_mass){point};
}
