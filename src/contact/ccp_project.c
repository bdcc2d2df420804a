/* ccp_project.c - the step of a projected gradient and its residual, several contacts at once. */
#include "contact/ccp_problem.h"

/* Up to eight contacts at a time, their numbers side by side. */
enum { LANES = 8 };

/* f := P(f - step (dn/a n + dt/t)), the point of the cone nearest to it by the measure a gn^2 + t |gt|^2: with gt in
 * units of k = sqrt(t/a) that is the projection onto the cone of mu k. */
static inline void project_at(double step, double a, double t, double mu, double nx, double ny, double nz, double *fx,
                              double *fy, double *fz, double dx, double dy, double dz) {
  double rate = nx * dx + ny * dy + nz * dz, along = nx * *fx + ny * *fy + nz * *fz, h = step / t, k = sqrt(t / a);
  double x = *fx - along * nx - h * (dx - rate * nx), y = *fy - along * ny - h * (dy - rate * ny),
         z = *fz - along * nz - h * (dz - rate * nz);
  along -= step / a * rate;
  sn_cone_cut cut = sn_cut_to_cone(mu * k, along, k * sqrt(x * x + y * y + z * z));
  double to = cut.inside ? along : cut.to, scale = cut.inside ? 1 : cut.scale;
  *fx = to * nx + scale * x;
  *fy = to * ny + scale * y;
  *fz = to * nz + scale * z;
}

static void project_lanes(const sn_cone *restrict cone, int lanes, double step, double (*restrict f)[LANES],
                          double (*restrict d)[LANES]) {
  double n[3][LANES] = {{0}}, mu[LANES] = {0}, a[LANES], t[LANES], h[LANES] = {0};
  for (int k = 0; k < LANES; k++) a[k] = t[k] = 1;
  for (int k = 0; k < lanes; k++) {
    for (int j = 0; j < 3; j++) n[j][k] = cone[k].n[j];
    mu[k] = cone[k].mu, a[k] = cone[k].a, t[k] = cone[k].t;
    h[k] = cone[k].inverse_s == 0 ? 0 : step;
  }
  for (int k = 0; k < LANES; k++)
    project_at(h[k], a[k], t[k], mu[k], n[0][k], n[1][k], n[2][k], &f[0][k], &f[1][k], &f[2][k], d[0][k], d[1][k],
               d[2][k]);
}

void sn_ccp_project(const sn_cone *cone, int count, double step, double b, const double *at, const double *before,
                    const double *d, const double *d_before, double *to) {
  for (int i = 0; i < count; i += LANES) {
    int lanes = count - i < LANES ? count - i : LANES;
    double f[4][LANES] = {{0}}, rate[4][LANES] = {{0}};
    for (int k = 0; k < lanes; k++)
      for (int a = 0; a < 4; a++) {
        int j = 4 * (i + k) + a;
        f[a][k] = at[j] + b * (at[j] - before[j]);
        rate[a][k] = d[j] + b * (d[j] - d_before[j]);
      }
    project_lanes(cone + i, lanes, step, f, rate);
    for (int k = 0; k < lanes; k++)
      for (int a = 0; a < 4; a++) to[4 * (i + k) + a] = f[a][k];
  }
}

/* ---- residuals ---- */

/* Numbers of cones side by side. A fixed count of contacts lets compilers transpose within registers; fewer are filled
 * up with the first one. */
typedef struct cone_lanes {
  double nx[LANES], ny[LANES], nz[LANES], mu[LANES], s[LANES], inverse_s[LANES];
} cone_lanes;

static inline void load_cones(const sn_cone *restrict cone, cone_lanes *restrict to) {
  for (int k = 0; k < LANES; k++) {
    to->nx[k] = cone[k].n[0], to->ny[k] = cone[k].n[1], to->nz[k] = cone[k].n[2], to->mu[k] = cone[k].mu;
    to->s[k] = cone[k].s, to->inverse_s[k] = cone[k].inverse_s;
  }
}

static void fill_up(const double *from, int lanes, double to[4 * LANES]) {
  for (int k = 0; k < LANES; k++) memcpy(to + 4 * k, from + 4 * (k < lanes ? k : 0), 4 * sizeof *to);
}

static void fill_up_cones(const sn_cone *from, int lanes, sn_cone to[LANES]) {
  for (int k = 0; k < LANES; k++) to[k] = from[k < lanes ? k : 0];
}

static inline void residual_eight(const sn_cone *restrict cone, const double *restrict g, const double *restrict d,
                                  double *restrict square) {
  cone_lanes c;
  double f[4][LANES], rate[4][LANES];
  load_cones(cone, &c);
  for (int k = 0; k < LANES; k++)
    for (int a = 0; a < 4; a++) f[a][k] = g[4 * k + a], rate[a][k] = d[4 * k + a];
  for (int k = 0; k < LANES; k++) {
    const double h = c.inverse_s[k];
    double x = f[0][k] - h * rate[0][k], y = f[1][k] - h * rate[1][k], z = f[2][k] - h * rate[2][k];
    sn_space_project_at(c.mu[k], c.nx[k], c.ny[k], c.nz[k], &x, &y, &z);
    x -= f[0][k], y -= f[1][k], z -= f[2][k];
    square[k] = c.s[k] * c.s[k] * (x * x + y * y + z * z);
  }
}

void sn_ccp_residuals(const sn_cone *cone, int count, const double *g, const double *d, double *square) {
  int i = 0;
  for (; i + LANES <= count; i += LANES) residual_eight(cone + i, g + 4 * i, d + 4 * i, square + i);
  if (i == count) return;
  sn_cone last[LANES];
  double x[2][4 * LANES], result[LANES];
  fill_up_cones(cone + i, count - i, last);
  fill_up(g + 4 * i, count - i, x[0]);
  fill_up(d + 4 * i, count - i, x[1]);
  residual_eight(last, x[0], x[1], result);
  memcpy(square + i, result, (size_t)(count - i) * sizeof *square);
}
