/* mesh_plate.c - see mesh_plate.h. */
#include "analysis/mesh_plate.h"

#include <math.h>
#include <string.h>

enum { PAIRS = 6 }; /* forces and moments, then the strains they work on */

/* Resultants at a marker; of a motion their change, by differences over the step h. */
static void resultants_at(const sn_mesh_motion *m, const sn_body *body, const sn_marker *marker, double h,
                          double y[16]) {
  if (!m->u) {
    body->ops->resultants(marker, &m->ev, NULL, y);
    return;
  }
  double z[16], *q = m->simulation->scratch;
  sn_eval ev = m->ev;
  ev.q = q;
  memset(y, 0, 16 * sizeof(double));
  for (int side = -1; side <= 1; side += 2) {
    for (int i = body->first; i < body->first + body->count; i++) q[i] = m->ev.q[i] + side * h * m->u[i];
    body->ops->resultants(marker, &ev, NULL, z);
    for (int k = 0; k < 2 * PAIRS; k++) y[k] += side * z[k] / (2 * h);
  }
}

/* Work of resultants on strains, of both or of their difference. */
static double work_of(const double y[16], const double z[16]) {
  double sum = 0;
  for (int k = 0; k < PAIRS; k++) sum += (y[k] - z[k]) * (y[PAIRS + k] - z[PAIRS + k]);
  return sum;
}

double sn_mesh_plate(const sn_mesh_motion *m, const sn_body *body, double *energy) {
  static const double none[16] = {0}, inside = 1e-9;
  const sn_geometry g = body->ops->geometry && body->ops->resultants ? sn_body_geometry(body) : (sn_geometry){0};
  double error = 0, most = 0;
  *energy = 0;
  if (g.type != SN_GEOMETRY_SURFACE) return 0;
  for (int i = body->first; m->u && i < body->first + body->count; i++) most = fmax(most, fabs(m->u[i]));
  if (m->u && !(most > 0)) return 0;
  const double h = m->u ? 1e-5 * fmin(g.edge[0], g.edge[1]) / most : 0, eighth = g.edge[0] * g.edge[1] / 8;
  for (int e = 0; e < g.grid[0] * g.grid[1]; e++)
    for (int corner = 0; corner < 4; corner++) {
      const double s = corner & 1, t = corner >> 1;
      const sn_marker node = {.body = body, .element = e, .local = {s, t}};
      const sn_marker own = {.body = body, .element = e, .local = {fabs(s - inside), fabs(t - inside)}};
      double y[16], z[16];
      resultants_at(m, body, &own, h, y);
      resultants_at(m, body, &node, h, z);
      *energy += eighth * work_of(y, none);
      error += eighth * work_of(y, z);
    }
  return error;
}
