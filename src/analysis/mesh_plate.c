/* mesh_plate.c - see mesh_plate.h. */
#include "analysis/mesh_plate.h"

#include <math.h>
#include <string.h>

enum { PAIRS = 6, MXX = 3, MXY = 5 }; /* forces and moments, then the strains they work on */

/* Resultants at a marker, with the strains that made them: curvatures are total ones, and those of the start, that of a
 * shell without stress, do no work. Of a motion their change, by differences over the step h. */
static void resultants_at(const sn_mesh_motion *m, const sn_body *body, const sn_marker *marker, double h,
                          double y[16]) {
  if (!m->u) {
    double start[16] = {0};
    sn_eval ev = m->ev;
    ev.q = m->simulation->model->q0;
    body->ops->resultants(marker, &ev, NULL, start);
    body->ops->resultants(marker, &m->ev, NULL, y);
    for (int k = 0; k < PAIRS; k++) y[PAIRS + k] -= start[PAIRS + k];
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

/* ---- free edges ---- */

/* A motion of a plate, the step of its differences, and the energy per area below which an edge does not bend. */
typedef struct sheet {
  const sn_mesh_motion *m;
  const sn_body *body;
  sn_geometry g;
  double h, straight;
} sheet;

/* Of an edge of an element, side 0 to 3: south, east, north, west; at its ends and in its middle, from within. */
static double free_edge(const sheet *x, int element, int side) {
  static const double inside = 1e-9;
  const int along = side % 2; /* 0: x */
  double y[3][16];
  for (int k = 0; k < 3; k++) {
    sn_marker p = {.body = x->body, .element = element};
    p.local[along] = fabs(k / 2.0 - inside);
    p.local[1 - along] = side == 1 || side == 2 ? 1 - inside : inside;
    resultants_at(x->m, x->body, &p, x->h, y[k]);
  }
  if (!(y[1][MXX + along] * y[1][PAIRS + MXX + along] > x->straight)) return 0;
  return x->g.edge[0] * x->g.edge[1] / 2 * (y[2][MXY] - y[0][MXY]) * (y[2][PAIRS + MXY] - y[0][PAIRS + MXY]);
}

static double free_edges(const sheet *x) {
  const int nx = x->g.grid[0], ny = x->g.grid[1];
  double sum = 0;
  for (int i = 0; i < nx; i++) sum += free_edge(x, i, 0) + free_edge(x, (ny - 1) * nx + i, 2);
  for (int j = 0; j < ny; j++) sum += free_edge(x, j * nx + nx - 1, 1) + free_edge(x, j * nx, 3);
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
  const double small = 1e-6, area = g.grid[0] * g.grid[1] * g.edge[0] * g.edge[1];
  return error + free_edges(&(sheet){m, body, g, h, small * *energy / area});
}
