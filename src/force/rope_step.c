/* rope_step.c - forces of a rope over a step of an energy-momentum method: see sn_system_step_residual.
 *
 * Scalars at both ends, z0 and z1. With the forces f and the power P in the middle of the step, forces on the scalars are
 *   f + (U1 - U0 - h P - f.dz) dz/dz.dz,   dz = z1 - z0
 * and derivatives of the scalars are such that they give dz exactly:
 *   lambda   (D0 + D1)/(lambda0 + lambda1)
 *   gamma    g + (gamma1 - gamma0 - g.dD) dD/dD.dD,  g in the middle
 *   D        means of the axes and of the vector between centers, as it is the product of both
 * All are functions of invariants of the motion as a whole, so that momentum is kept, too.
 */
#include <math.h>

#include "force/rope.h"
#include "math/vec3.h"

typedef struct step {
  sn_rope_path from, to, middle;
} step;

static void apply_span(const sn_rope *rope, const step *s, int i, const double *f, const sn_eval *ev, double *r) {
  const sn_rope_span *a = &s->from.span[i], *b = &s->to.span[i];
  const sn_probe *ends[2] = {&rope->stop[i].center, &rope->stop[sn_rope_next(rope, i)].center};
  const double length = s->from.z[2 * i] + s->to.z[2 * i];
  double dD[3], g[3], F[3] = {0}, y[3];
  sn_sub(dD, b->D, a->D);
  const double dd = sn_dot(dD, dD),
               off = s->to.z[2 * i + 1] - s->from.z[2 * i + 1] - sn_dot(s->middle.span[i].gamma, dD);
  for (int k = 0; k < 3; k++) {
    const double gamma = s->middle.span[i].gamma[k] + (dd > 0 ? off * dD[k] / dd : 0);
    g[k] = f[2 * i] * (a->D[k] + b->D[k]) / length + f[2 * i + 1] * gamma;
    sn_axpy(F, g[k] / 2, s->from.e[k]);
    sn_axpy(F, g[k] / 2, s->to.e[k]);
  }
  sn_probe_apply(ends[1], ev, F, r);
  sn_scale(F, -1, F);
  sn_probe_apply(ends[0], ev, F, r);
  for (int k = 0; k < 3; k++) {
    if (rope->axis[k].groups == 0) continue;
    for (int c = 0; c < 3; c++) y[c] = g[k] * (a->d[c] + b->d[c]) / 2;
    sn_probe_apply(&rope->axis[k], ev, y, r);
  }
}

void sn_rope_apply_step(const sn_rope *rope, const sn_eval *ev, double *r) {
  step s;
  sn_rope_law law, end;
  double dz[SN_ROPE_SCALARS], size = 0, off = 0;
  assert(ev->q0 && ev->q1);
  sn_rope_path_at(rope, ev->q0, ev->v, false, &s.from);
  sn_rope_path_at(rope, ev->q1, ev->v, false, &s.to);
  sn_rope_path_at(rope, ev->q, ev->v, false, &s.middle);
  sn_rope_law_at(rope, ev->t, s.to.z, s.to.zd, &end, NULL, NULL);
  off = end.energy;
  sn_rope_law_at(rope, ev->t, s.from.z, s.from.zd, &end, NULL, NULL);
  off -= end.energy;
  sn_rope_law_at(rope, ev->t, s.middle.z, s.middle.zd, &law, NULL, NULL);
  off -= ev->h * (law.damping + law.friction + law.driver);
  for (int i = 0; i < rope->scalars; i++) {
    dz[i] = s.to.z[i] - s.from.z[i];
    size += dz[i] * dz[i];
    off -= law.f[i] * dz[i];
  }
  for (int i = 0; i < rope->scalars && size > 0; i++) law.f[i] += off / size * dz[i];
  for (int i = 0; i < rope->spans; i++) apply_span(rope, &s, i, law.f, ev, r);
  for (int k = 0; k < rope->stops; k++) {
    const sn_rope_stop *stop = &rope->stop[k];
    if (stop->tau >= 0) r[stop->flow] += law.f[stop->tau];
    if (stop->w < 0) continue;
    sn_phi phi;
    sn_phi_mean(&stop->angle, ev, &phi);
    sn_phi_apply(&stop->angle, &phi, ev, law.f[stop->w], r);
  }
}
