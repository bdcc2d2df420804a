/* rope_inertia.c - Lagrangian of a rope with mass: f = d/dt dT/dx' - dT/dx + dV/dx.
 *
 * Pulley k: center c, rope on it at the speed s = sigma + rho omega against the center, sigma a linear form of z', omega
 * the rate of the frame about its axis. Span from pulley a to b, direction e, mass m, velocities of its ends and between:
 *
 *   v_a = c_a' + s_a e,  v_b = c_b' + s_b e,   linear between;   p_a = m (2 v_a + v_b)/6,  p_b = m (v_a + 2 v_b)/6
 *   T = m (v_a.v_a + v_a.v_b + v_b.v_b)/6,     V = -m g.((c_a + c_b)/2 - (rho_a + rho_b) n/2)
 *
 * Rope of length y and density mu on a pulley, from the span `in` to the span `out` (none: wound on a drum, whose turns
 * have their center at c), with h = -rho (n_out - n_in) from its first to its last point:
 *
 *   T = mu (y (c'.c' + s^2)/2 + s c'.h),       V = -mu g.(y c - rho^2 (e_out - e_in))
 *
 * mu is the mass of unstretched length times l0/l of the segment, so that mass is conserved: what leaves one part of the
 * rope arrives at the next. M depends on x through the masses and directions, and so there are quadratic terms in x'.
 *
 * A span has three coordinates, functions of D (rope_path.c): lambda, gamma and the inclination H. In the axes of the
 * frame e = (cos gamma C, sin gamma C, k), k = H/lambda, C = sqrt(1 - k^2).
 */
#include <math.h>
#include <string.h>

#include "force/rope_mass.h"
#include "math/constants.h"

enum { S = SN_ROPE_SCALARS, X = SN_ROPE_MOTION };

static sn_cx dot(const sn_cx *a, const sn_cx *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static void axpy(sn_cx *y, sn_cx c, const sn_cx *x) {
  for (int k = 0; k < 3; k++) y[k] += c * x[k];
}
static sn_cx weigh(const double g[3], const sn_cx *r) {
  return g[0] * r[0] + g[1] * r[1] + g[2] * r[2];
}
static sn_cx form(int n, const double *row, const sn_cx *z) {
  sn_cx y = 0;
  for (int i = 0; i < n; i++)
    if (row[i] != 0) y += row[i] * z[i];
  return y;
}

/* ---- motion ---- */

typedef struct span {
  sn_cx d[3][3], D[3][3];               /* from center to center with two rates; in the axes of the frame */
  sn_cx lambda[3], gamma[3];            /* derivatives by D */
  sn_cx C, k;                           /* cosine and sine of the inclination */
  sn_cx u[3], n[3];                     /* direction in the plane and its normal, in the axes of the frame */
  sn_cx e[3], ed[3], N[3], Nd[3], U[3]; /* global: e and its rate, n and its rate, u */
  sn_cx m, md;                          /* mass and its rate */
  sn_cx f_lambda, f_gamma, f_H, f_axis[3][3];
} span;

typedef struct motion {
  const sn_rope_mass *mass;
  const sn_rope *rope;
  sn_cx (*x)[X];               /* [3] */
  const sn_cx *c[3], *axis[3]; /* centers and axes, with two rates */
  sn_cx *z[3];                 /* scalars */
  span span[SN_ROPE_SPANS];
  sn_cx stretch[SN_ROPE_SPANS], stretch_rate[SN_ROPE_SPANS], l[SN_ROPE_SPANS]; /* of segments: l0/l, its rate, l */
  sn_cx f_stretch[SN_ROPE_SPANS];
  sn_cx s[SN_ROPE_STOPS], sd[SN_ROPE_STOPS]; /* speed on pulleys, and its rate */
  sn_cx along_rate[SN_ROPE_STOPS];
} motion;

/* lambda, gamma, H with two rates. */
static void take_lengths(motion *w, int i) {
  span *y = &w->span[i];
  const sn_rope *rope = w->rope;
  const double b = rope->stop[sn_rope_next(rope, i)].rho - rope->stop[i].rho;
  const sn_cx *D = y->D[0], *v = y->D[1], *a = y->D[2];
  const sn_cx flat = D[0] * D[0] + D[1] * D[1], p = csqrt(flat - b * b), length = csqrt(p * p + D[2] * D[2]);
  y->u[0] = (p * D[0] + b * D[1]) / flat, y->u[1] = (p * D[1] - b * D[0]) / flat, y->u[2] = 0;
  y->n[0] = -y->u[1], y->n[1] = y->u[0], y->n[2] = 0;
  for (int k = 0; k < 3; k++) {
    y->lambda[k] = D[k] / length;
    y->gamma[k] = y->n[k] / p;
  }
  double turn = atan2(creal(D[1]), creal(D[0])) - atan2(b, creal(p)), off = 0;
  for (int k = 0; k < 2; k++) off += creal(y->gamma[k]) * cimag(D[k]);
  const sn_cx rate = dot(y->lambda, v), turning = dot(y->gamma, v), along = dot(y->u, v), across = dot(y->n, v);
  w->z[0][2 * i] = length;
  w->z[1][2 * i] = rate;
  w->z[2][2 * i] = dot(y->lambda, a) + (dot(v, v) - rate * rate) / length;
  w->z[0][2 * i + 1] = remainder(turn - rope->start[i], 2 * SN_PI) + I * off;
  w->z[1][2 * i + 1] = turning;
  w->z[2][2 * i + 1] = dot(y->gamma, a) - 2 * along * across / (p * p) - b * across * across / (p * p * p);
  y->k = D[2] / length;
  y->C = p / length;
}

static void take_span(motion *w, int i) {
  span *y = &w->span[i];
  const int next = sn_rope_next(w->rope, i);
  memset(y, 0, sizeof *y);
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < 3; k++) y->d[r][k] = w->c[r][3 * next + k] - w->c[r][3 * i + k];
  for (int a = 0; a < 3; a++) {
    const sn_cx *E = w->axis[0] + 3 * a, *Ed = w->axis[1] + 3 * a, *Edd = w->axis[2] + 3 * a;
    y->D[0][a] = dot(E, y->d[0]);
    y->D[1][a] = dot(E, y->d[1]) + dot(Ed, y->d[0]);
    y->D[2][a] = dot(E, y->d[2]) + 2 * dot(Ed, y->d[1]) + dot(Edd, y->d[0]);
  }
  take_lengths(w, i);
  /* e' = C n gamma' + (0, 0, 1) k' - (k/C) u k' */
  const sn_cx turning = w->z[1][2 * i + 1], kd = (y->D[1][2] - y->k * w->z[1][2 * i]) / w->z[0][2 * i];
  for (int a = 0; a < 3; a++) {
    const sn_cx *E = w->axis[0] + 3 * a, *Ed = w->axis[1] + 3 * a;
    const sn_cx e = y->C * y->u[a] + (a == 2 ? y->k : 0),
                ed = y->C * turning * y->n[a] + kd * ((a == 2) - y->k / y->C * y->u[a]);
    axpy(y->e, e, E);
    axpy(y->ed, e, Ed);
    axpy(y->ed, ed, E);
    axpy(y->U, y->u[a], E);
    axpy(y->N, y->n[a], E);
    axpy(y->Nd, y->n[a], Ed);
    axpy(y->Nd, -turning * y->u[a], E);
  }
}

static void take_segments(motion *w) {
  for (int j = 0; j < w->rope->segments; j++) {
    const sn_rope_segment *s = &w->rope->segment[j];
    const int n = w->rope->scalars;
    w->l[j] = s->arc + form(n, s->l, w->z[0]);
    w->stretch[j] = (s->rest + form(n, s->l0, w->z[0])) / w->l[j];
    w->stretch_rate[j] = (form(n, s->l0, w->z[1]) - w->stretch[j] * form(n, s->l, w->z[1])) / w->l[j];
    w->f_stretch[j] = 0;
  }
  for (int i = 0; i < w->rope->spans; i++) {
    const int j = w->mass->segment[i];
    const double mu = w->mass->per_length;
    w->span[i].m = mu * w->stretch[j] * w->z[0][2 * i];
    w->span[i].md = mu * (w->stretch_rate[j] * w->z[0][2 * i] + w->stretch[j] * w->z[1][2 * i]);
  }
}

/* omega = e_x'.e_y of the frame */
static void take_speeds(motion *w) {
  const sn_cx *Ed = w->axis[1], *Edd = w->axis[2];
  const sn_cx turn = dot(Ed, w->axis[0] + 3), turn_rate = dot(Edd, w->axis[0] + 3) + dot(Ed, w->axis[1] + 3);
  for (int k = 0; k < w->rope->stops; k++) {
    const double rho = w->rope->stop[k].rho;
    w->s[k] = form(w->rope->scalars, w->mass->flow[k], w->z[1]) + rho * turn;
    w->sd[k] = form(w->rope->scalars, w->mass->flow[k], w->z[2]) + rho * turn_rate;
    w->along_rate[k] = 0;
  }
}

/* ---- forces ---- */

/* On directions of a span, global: e, n and u. */
static void push_direction(motion *w, span *y, const sn_cx f[3], const sn_cx own[3], const sn_cx slope[3]) {
  for (int a = 0; a < 3; a++) {
    y->f_gamma += slope[a] * dot(f, w->axis[0] + 3 * a);
    axpy(y->f_axis[a], own[a], f);
  }
}
static void push_normal(motion *w, span *y, const sn_cx f[3]) {
  const sn_cx slope[3] = {-y->u[0], -y->u[1], 0};
  push_direction(w, y, f, y->n, slope);
}
static void push_along(motion *w, span *y, const sn_cx f[3], sn_cx length) {
  const sn_cx own[3] = {y->C * y->u[0], y->C * y->u[1], y->k}, slope[3] = {y->C * y->n[0], y->C * y->n[1], 0};
  const sn_cx fk = dot(f, w->axis[0] + 6) - y->k / y->C * dot(f, y->U);
  push_direction(w, y, f, own, slope);
  y->f_H += fk / length;
  y->f_lambda -= fk * y->k / length;
}

static void add_span(motion *w, int i, const double g[3], sn_rope_inertia *out) {
  span *y = &w->span[i];
  const int stop[2] = {i, sn_rope_next(w->rope, i)}, j = w->mass->segment[i];
  const double rho = (w->rope->stop[stop[0]].rho + w->rope->stop[stop[1]].rho) / 2, mu = w->mass->per_length;
  sn_cx v[2][3], a[2][3], middle[3], fe[3] = {0}, fn[3];
  for (int b = 0; b < 2; b++)
    for (int k = 0; k < 3; k++) {
      v[b][k] = w->c[1][3 * stop[b] + k] + w->s[stop[b]] * y->e[k];
      a[b][k] = w->c[2][3 * stop[b] + k] + w->sd[stop[b]] * y->e[k] + w->s[stop[b]] * y->ed[k];
    }
  for (int b = 0; b < 2; b++) {
    sn_cx p[3], pd[3];
    for (int k = 0; k < 3; k++) {
      const sn_cx mean = (2 * v[b][k] + v[1 - b][k]) / 6;
      p[k] = y->m * mean;
      pd[k] = y->md * mean + y->m * (2 * a[b][k] + a[1 - b][k]) / 6;
      out->f[3 * stop[b] + k] += pd[k] - y->m * g[k] / 2;
      out->p[stop[b]][k] += p[k];
    }
    out->along[stop[b]] += dot(y->e, p);
    w->along_rate[stop[b]] += dot(y->ed, p) + dot(y->e, pd);
    axpy(fe, -w->s[stop[b]], p);
  }
  for (int k = 0; k < 3; k++) {
    middle[k] = (w->c[0][3 * stop[0] + k] + w->c[0][3 * stop[1] + k]) / 2 - rho * y->N[k];
    fn[k] = y->m * rho * g[k];
  }
  const sn_cx square = (dot(v[0], v[0]) + dot(v[0], v[1]) + dot(v[1], v[1])) / 6, fm = -square - weigh(g, middle);
  out->kinetic += y->m * square;
  out->weight -= y->m * weigh(g, middle);
  w->f_stretch[j] += fm * mu * w->z[0][2 * i];
  y->f_lambda += fm * mu * w->stretch[j];
  push_along(w, y, fe, w->z[0][2 * i]);
  push_normal(w, y, fn);
}

/* Density of the rope on a pulley and its rate. */
static void density(const motion *w, const sn_rope_arc *arc, sn_cx y[2]) {
  const double mu = w->mass->per_length;
  y[0] = mu, y[1] = 0;
  if (arc->segment[0] < 0) return;
  y[0] = mu * (w->stretch[arc->segment[0]] + w->stretch[arc->segment[1]]) / 2;
  y[1] = mu * (w->stretch_rate[arc->segment[0]] + w->stretch_rate[arc->segment[1]]) / 2;
}

static void add_arc(motion *w, int stop, const double g[3], sn_rope_inertia *out) {
  const sn_rope_arc *arc = &w->mass->arc[stop];
  const double rho = w->rope->stop[stop].rho;
  const int side[2] = {sn_rope_arriving(w->rope, stop), sn_rope_leaving(w->rope, stop)}, n = w->rope->scalars;
  const sn_cx *c = w->c[0] + 3 * stop, *v = w->c[1] + 3 * stop, *a = w->c[2] + 3 * stop;
  const sn_cx s = w->s[stop], sd = w->sd[stop], y = arc->length + form(n, arc->row, w->z[0]),
              yd = form(n, arc->row, w->z[1]);
  sn_cx mu[2], h[3] = {0}, hd[3] = {0}, bow[3] = {0};
  density(w, arc, mu);
  for (int k = 0; k < 2; k++) { /* in, out */
    const double sign = k ? 1 : -1;
    if (side[k] < 0) continue;
    axpy(h, -sign * rho, w->span[side[k]].N);
    axpy(hd, -sign * rho, w->span[side[k]].Nd);
    axpy(bow, -sign * rho * rho, w->span[side[k]].U);
  }
  const sn_cx m = mu[0] * y, md = mu[1] * y + mu[0] * yd, square = (dot(v, v) + s * s) / 2, vh = dot(v, h);
  const sn_cx fm = -square - weigh(g, c), f_mu = fm * y - s * vh - weigh(g, bow);
  for (int k = 0; k < 3; k++) {
    out->p[stop][k] += m * v[k] + mu[0] * s * h[k];
    out->f[3 * stop + k] += md * v[k] + m * a[k] + (mu[1] * s + mu[0] * sd) * h[k] + mu[0] * s * hd[k] - m * g[k];
  }
  out->along[stop] += m * s + mu[0] * vh;
  w->along_rate[stop] += md * s + m * sd + mu[1] * vh + mu[0] * (dot(a, h) + dot(v, hd));
  out->kinetic += m * square + mu[0] * s * vh;
  out->weight -= m * weigh(g, c) + mu[0] * weigh(g, bow);
  for (int i = 0; i < n; i++) out->f[sn_rope_at_scalar(w->rope, i)] += fm * mu[0] * arc->row[i];
  for (int k = 0; k < 2 && arc->segment[0] >= 0; k++) w->f_stretch[arc->segment[k]] += w->mass->per_length * f_mu / 2;
  for (int k = 0; k < 2; k++) {
    const double sign = k ? 1 : -1;
    if (side[k] < 0) continue;
    span *x = &w->span[side[k]];
    sn_cx fn[3], fu[3];
    for (int b = 0; b < 3; b++) {
      fn[b] = sign * rho * mu[0] * s * v[b];
      fu[b] = sign * rho * rho * mu[0] * g[b];
    }
    push_normal(w, x, fn);
    push_direction(w, x, fu, x->u, x->n);
  }
}

/* From what is made of x to x itself: stretch and flow to scalars, the scalars of spans to centers and axes. */
static void hand_down(motion *w, sn_rope_inertia *out) {
  const sn_rope *rope = w->rope;
  sn_cx *f = out->f, *fz = f + sn_rope_at_scalar(rope, 0), *fx = f + sn_rope_at_axis(rope, 0), *fy = fx + 3;
  for (int j = 0; j < rope->segments; j++)
    for (int i = 0; i < rope->scalars; i++)
      fz[i] += w->f_stretch[j] * (rope->segment[j].l0[i] - w->stretch[j] * rope->segment[j].l[i]) / w->l[j];
  for (int k = 0; k < rope->stops; k++) {
    const double rho = rope->stop[k].rho;
    for (int i = 0; i < rope->scalars; i++) fz[i] += w->along_rate[k] * w->mass->flow[k][i];
    axpy(fx, rho * w->along_rate[k], w->axis[0] + 3);
    axpy(fx, rho * out->along[k], w->axis[1] + 3);
    axpy(fy, -rho * out->along[k], w->axis[1]);
  }
  for (int i = 0; i < rope->spans; i++) {
    const span *y = &w->span[i];
    sn_cx F[3] = {0};
    for (int a = 0; a < 3; a++) {
      const sn_cx g =
          (fz[2 * i] + y->f_lambda) * y->lambda[a] + (fz[2 * i + 1] + y->f_gamma) * y->gamma[a] + (a == 2 ? y->f_H : 0);
      axpy(F, g, w->axis[0] + 3 * a);
      axpy(f + sn_rope_at_axis(rope, a), g, y->d[0]);
      axpy(f + sn_rope_at_axis(rope, a), 1, y->f_axis[a]);
    }
    axpy(f + 3 * sn_rope_next(rope, i), 1, F);
    axpy(f + 3 * i, -1, F);
  }
}

void sn_rope_inertia_at(const sn_rope_mass *mass, const double gravity[3], sn_cx x[3][X], sn_rope_inertia *out) {
  motion w;
  w.mass = mass, w.rope = mass->rope, w.x = x;
  for (int r = 0; r < 3; r++) {
    w.c[r] = x[r];
    w.axis[r] = x[r] + sn_rope_at_axis(w.rope, 0);
    w.z[r] = x[r] + sn_rope_at_scalar(w.rope, 0);
  }
  memset(out, 0, sizeof *out);
  for (int i = 0; i < w.rope->spans; i++) take_span(&w, i);
  take_segments(&w);
  take_speeds(&w);
  for (int i = 0; i < w.rope->spans; i++) add_span(&w, i, gravity, out);
  for (int k = 0; k < w.rope->stops; k++)
    if (w.rope->stop[k].rho != 0) add_arc(&w, k, gravity, out);
  hand_down(&w, out);
}
