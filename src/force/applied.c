/* applied.c - see applied.h. */
#include "force/applied.h"

#include "math/vec3.h"
#include "model/compile.h"
#include "model/host.h"

void sn_make_applied(const sn_model *model, const sn_marker *marker, sn_applied *x) {
  static const double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const bool planar = model->dim == 2;
  sn_load *force = &x->load[0], *moment = &x->load[1];
  *x = (sn_applied){.marker = *marker, .turns = marker->has_frame || marker->has_tangent};
  sn_marker_point(marker, &force->point);
  moment->moment = true;
  moment->planar = planar;
  moment->point = force->point;
  if (marker->has_frame) {
    moment->axes = planar ? 2 : 3;
    for (int k = 0; k < moment->axes; k++) sn_marker_direction(marker, e[k], &moment->axis[k]);
  } else if (marker->has_tangent) {
    moment->axes = 1;
    marker->body->ops->tangent(marker, &moment->axis[0]);
    sn_copy(moment->e0, marker->tangent);
  }
}

static bool acts(const sn_applied *x, int which, const sn_eval *ev, double f[3]) {
  const double *value = x->value[which];
  sn_scale(f, ev->load, value);
  return value[0] != 0 || value[1] != 0 || value[2] != 0;
}

void sn_applied_residual(const sn_eval *ev, double *r) {
  double f[3];
  for (int i = 0; i < ev->host->applied; i++)
    for (int k = 0; k < 2; k++)
      if (acts(&ev->host->load[i], k, ev, f)) sn_load_residual(&ev->host->load[i].load[k], ev, f, r);
}

void sn_applied_power(const sn_eval *ev, sn_power *power) {
  double f[3];
  for (int i = 0; i < ev->host->applied; i++)
    for (int k = 0; k < 2; k++)
      if (acts(&ev->host->load[i], k, ev, f)) sn_load_power(&ev->host->load[i].load[k], ev, f, &power->applied);
}

void sn_applied_tangent(const sn_eval *ev, sn_matrix *A) {
  double f[3];
  if (A->positive || ev->ck == 0) return;
  for (int i = 0; i < ev->host->applied; i++)
    for (int k = 0; k < 2; k++) {
      const sn_load *load = &ev->host->load[i].load[k];
      if (!acts(&ev->host->load[i], k, ev, f)) continue;
      const sn_probe *p = sn_load_probe(load);
      int slots[SN_PROBE_GROUPS * (SN_PROBE_GROUPS + 1) / 2];
      double T[SN_PROBE_COORDINATES * SN_PROBE_COORDINATES] = {0};
      sn_load_tangent(load, ev, f, T);
      sn_matrix_slots(A, p->groups, p->group, slots);
      sn_matrix_add(A, p->groups, p->group, slots, T, p->count);
    }
}
