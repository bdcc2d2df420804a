/* rope_inertia.c - Lagrangian of a rope with mass: f = d/dt dT/dx' - dT/dx + dV/dx.
 *
 * Span from pulley a to b: centers c, direction e, mass m, rope at the speed s against the center at each end, velocity
 * linear between the ends:
 *
 *   v_a = c_a' + s_a e,  v_b = c_b' + s_b e,           p_a = m (2 v_a + v_b)/6,  p_b = m (v_a + 2 v_b)/6
 *   T = m (v_a.v_a + v_a.v_b + v_b.v_b)/6,             V = -m g.((c_a + c_b)/2 - (rho_a + rho_b) n/2)
 *
 * Rope of length y and density mu on a pulley, from the span `in` to the span `out` (none: wound on a drum, whose turns
 * have their center at c), with h = -rho (n_out - n_in) from its first to its last point:
 *
 *   T = mu (y (c'.c' + s^2)/2 + s c'.h),               V = -mu g.(y c - rho^2 (e_out - e_in))
 *
 * mu is the mass of unstretched length times l0/l of the segment, so that mass is conserved: what leaves one part of the
 * rope arrives at the next. A segment is stretched evenly, k = l/l0. With u, the unstretched length that enters it per
 * time, a piece of rope at the distance L from where it starts moves at k u + L k'/k along the path, so that
 *
 *   s = rho gamma' + k u + L k'/k - L' + rho omega     omega: rate of the frame about its axis
 *
 * on pulleys without slip s = sigma + rho omega. These are no time derivatives of coordinates: s = a(z).z' adds to f
 *   P' a_j + P (a_j' - ds/dz_j) = P' (k u_j + L (ln k)_j + ...) + P (k' u_j - u k_j + L' (ln k)_j - L_j (ln k)'),  P = dT/ds
 *
 * A span has three coordinates, functions of D (rope_path.c): lambda, gamma and the inclination H. In the axes of the
 * frame e = (cos gamma C, sin gamma C, i), i = H/lambda, C = sqrt(1 - i^2).
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
  sn_cx C, i;                           /* cosine and sine of the inclination */
  sn_cx u[3], n[3];                     /* direction in the plane and its normal, in the axes of the frame */
  sn_cx e[3], ed[3], N[3], Nd[3], U[3]; /* global: e and its rate, n and its rate, u */
  sn_cx m, md;                          /* mass and its rate */
  sn_cx f_lambda, f_gamma, f_H, f_axis[3][3];
} span;

typedef struct segment {
  sn_cx l0, k[3]; /* unstretched length; l/l0 with two rates */
  sn_cx u[2];     /* inflow and its rate */
  sn_cx f_k;      /* force on k */
} segment;

typedef struct node { /* an end of a span, or rope on a pulley */
  sn_cx s, sd;        /* speed against the center, and its rate */
  sn_cx P, Pd;        /* momentum, and its rate */
} node;

typedef struct motion {
  const sn_rope_mass *mass;
  const sn_rope *rope;
  const sn_cx *c[3], *axis[3]; /* centers and axes, with two rates */
  sn_cx *z[3];                 /* scalars */
  span span[SN_ROPE_SPANS];
  segment segment[SN_ROPE_SPANS];
  node node[SN_ROPE_SPANS][2], arc[SN_ROPE_STOPS];
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
  y->i = D[2] / length;
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
  /* e' = C n gamma' + (0, 0, 1) i' - (i/C) u i' */
  const sn_cx turning = w->z[1][2 * i + 1], id = (y->D[1][2] - y->i * w->z[1][2 * i]) / w->z[0][2 * i];
  for (int a = 0; a < 3; a++) {
    const sn_cx *E = w->axis[0] + 3 * a, *Ed = w->axis[1] + 3 * a;
    const sn_cx e = y->C * y->u[a] + (a == 2 ? y->i : 0),
                ed = y->C * turning * y->n[a] + id * ((a == 2) - y->i / y->C * y->u[a]);
    axpy(y->e, e, E);
    axpy(y->ed, e, Ed);
    axpy(y->ed, ed, E);
    axpy(y->U, y->u[a], E);
    axpy(y->N, y->n[a], E);
    axpy(y->Nd, y->n[a], Ed);
    axpy(y->Nd, -turning * y->u[a], E);
  }
}

/* l = k l0, l'' = k'' l0 + 2 k' l0' + k l0'' */
static void take_segments(motion *w) {
  const int n = w->rope->scalars;
  for (int j = 0; j < w->rope->segments; j++) {
    const sn_rope_segment *s = &w->rope->segment[j];
    segment *y = &w->segment[j];
    const sn_cx l0d = form(n, s->l0, w->z[1]);
    y->l0 = s->rest + form(n, s->l0, w->z[0]);
    y->k[0] = (s->arc + form(n, s->l, w->z[0])) / y->l0;
    y->k[1] = (form(n, s->l, w->z[1]) - y->k[0] * l0d) / y->l0;
    y->k[2] = (form(n, s->l, w->z[2]) - 2 * y->k[1] * l0d - y->k[0] * form(n, s->l0, w->z[2])) / y->l0;
    for (int r = 0; r < 2; r++) y->u[r] = form(n, w->mass->inflow[j], w->z[1 + r]);
    y->f_k = 0;
  }
  for (int i = 0; i < w->rope->spans; i++) {
    const sn_cx *k = w->segment[w->mass->segment[i]].k, length = w->z[0][2 * i];
    w->span[i].m = w->rope->per_length * length / k[0];
    w->span[i].md = w->rope->per_length * (w->z[1][2 * i] - length * k[1] / k[0]) / k[0];
  }
}

/* rope at both ends of span i */
static void take_nodes(motion *w, int i, sn_cx turn, sn_cx turn_rate) {
  const segment *y = &w->segment[w->mass->segment[i]];
  const int stop[2] = {i, sn_rope_next(w->rope, i)};
  const sn_cx stretching = y->k[1] / y->k[0], more = y->k[2] / y->k[0] - stretching * stretching;
  for (int b = 0; b < 2; b++) {
    const sn_rope_node *at = &w->mass->node[i][b];
    const double rho = w->rope->stop[stop[b]].rho;
    sn_cx L[3];
    for (int r = 0; r < 3; r++) L[r] = form(w->rope->scalars, at->row, w->z[r]);
    L[0] += at->length;
    w->node[i][b] = (node){
        .s = rho * (w->z[1][2 * i + 1] + turn) + y->k[0] * y->u[0] + L[0] * stretching - L[1],
        .sd = rho * (w->z[2][2 * i + 1] + turn_rate) + y->k[1] * y->u[0] + y->k[0] * y->u[1] + L[1] * stretching +
              L[0] * more - L[2],
    };
  }
}

/* The rate of the frame is omega = e_x'.e_y. */
static void take_speeds(motion *w) {
  const sn_cx *Ed = w->axis[1], *Edd = w->axis[2];
  const sn_cx turn = dot(Ed, w->axis[0] + 3), turn_rate = dot(Edd, w->axis[0] + 3) + dot(Ed, w->axis[1] + 3);
  for (int i = 0; i < w->rope->spans; i++) take_nodes(w, i, turn, turn_rate);
  for (int k = 0; k < w->rope->stops; k++) {
    const sn_rope_arc *arc = &w->mass->arc[k];
    const double rho = w->rope->stop[k].rho;
    w->arc[k] = (node){0};
    if (rho == 0) continue;
    if (arc->held) {
      w->arc[k].s = form(w->rope->scalars, arc->flow, w->z[1]) + rho * turn;
      w->arc[k].sd = form(w->rope->scalars, arc->flow, w->z[2]) + rho * turn_rate;
      continue;
    }
    const node *in = &w->node[sn_rope_arriving(w->rope, k)][1], *out = &w->node[sn_rope_leaving(w->rope, k)][0];
    w->arc[k].s = (in->s + out->s) / 2;
    w->arc[k].sd = (in->sd + out->sd) / 2;
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
  const sn_cx own[3] = {y->C * y->u[0], y->C * y->u[1], y->i}, slope[3] = {y->C * y->n[0], y->C * y->n[1], 0};
  const sn_cx fi = dot(f, w->axis[0] + 6) - y->i / y->C * dot(f, y->U);
  push_direction(w, y, f, own, slope);
  y->f_H += fi / length;
  y->f_lambda -= fi * y->i / length;
}

static void add_span(motion *w, int i, const double g[3], sn_rope_inertia *out) {
  span *y = &w->span[i];
  segment *own = &w->segment[w->mass->segment[i]];
  const int stop[2] = {i, sn_rope_next(w->rope, i)};
  const double rho = (w->rope->stop[stop[0]].rho + w->rope->stop[stop[1]].rho) / 2;
  sn_cx v[2][3], a[2][3], middle[3], fe[3] = {0}, fn[3];
  for (int b = 0; b < 2; b++)
    for (int k = 0; k < 3; k++) {
      const node *x = &w->node[i][b];
      v[b][k] = w->c[1][3 * stop[b] + k] + x->s * y->e[k];
      a[b][k] = w->c[2][3 * stop[b] + k] + x->sd * y->e[k] + x->s * y->ed[k];
    }
  for (int b = 0; b < 2; b++) {
    node *x = &w->node[i][b];
    sn_cx p[3], pd[3];
    for (int k = 0; k < 3; k++) {
      const sn_cx mean = (2 * v[b][k] + v[1 - b][k]) / 6;
      p[k] = y->m * mean;
      pd[k] = y->md * mean + y->m * (2 * a[b][k] + a[1 - b][k]) / 6;
      out->f[3 * stop[b] + k] += pd[k] - y->m * g[k] / 2;
      out->p[stop[b]][k] += p[k];
    }
    x->P = dot(y->e, p);
    x->Pd = dot(y->ed, p) + dot(y->e, pd);
    axpy(fe, -x->s, p);
  }
  for (int k = 0; k < 3; k++) {
    middle[k] = (w->c[0][3 * stop[0] + k] + w->c[0][3 * stop[1] + k]) / 2 - rho * y->N[k];
    fn[k] = y->m * rho * g[k];
  }
  const sn_cx square = (dot(v[0], v[0]) + dot(v[0], v[1]) + dot(v[1], v[1])) / 6, fm = -square - weigh(g, middle);
  out->kinetic += y->m * square;
  out->weight -= y->m * weigh(g, middle);
  own->f_k -= fm * y->m / own->k[0];
  y->f_lambda += fm * w->rope->per_length / own->k[0];
  push_along(w, y, fe, w->z[0][2 * i]);
  push_normal(w, y, fn);
}

/* Density of the rope on a pulley and its rate: mu of the mean of 1/k. */
static void density(const motion *w, const sn_rope_arc *arc, sn_cx y[2]) {
  const double mu = w->rope->per_length;
  y[0] = mu, y[1] = 0;
  if (arc->segment[0] < 0) return;
  y[0] = 0;
  for (int b = 0; b < 2; b++) {
    const sn_cx *k = w->segment[arc->segment[b]].k;
    y[0] += mu / (2 * k[0]);
    y[1] -= mu * k[1] / (2 * k[0] * k[0]);
  }
}

static void add_arc(motion *w, int stop, const double g[3], sn_rope_inertia *out) {
  const sn_rope_arc *arc = &w->mass->arc[stop];
  const double rho = w->rope->stop[stop].rho;
  const int side[2] = {sn_rope_arriving(w->rope, stop), sn_rope_leaving(w->rope, stop)}, n = w->rope->scalars;
  const sn_cx *c = w->c[0] + 3 * stop, *v = w->c[1] + 3 * stop, *a = w->c[2] + 3 * stop;
  const sn_cx s = w->arc[stop].s, sd = w->arc[stop].sd, y = arc->length + form(n, arc->row, w->z[0]),
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
  w->arc[stop].P = m * s + mu[0] * vh;
  w->arc[stop].Pd = md * s + m * sd + mu[1] * vh + mu[0] * (dot(a, h) + dot(v, hd));
  out->kinetic += m * square + mu[0] * s * vh;
  out->weight -= m * weigh(g, c) + mu[0] * weigh(g, bow);
  for (int i = 0; i < n; i++) out->f[sn_rope_at_scalar(w->rope, i)] += fm * mu[0] * arc->row[i];
  for (int k = 0; k < 2 && arc->segment[0] >= 0; k++) {
    segment *x = &w->segment[arc->segment[k]];
    x->f_k -= w->rope->per_length * f_mu / (2 * x->k[0] * x->k[0]);
  }
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

/* The momentum of the rope on a pulley belongs to it, or to the ends of the spans beside it. */
static void share_arcs(motion *w) {
  for (int k = 0; k < w->rope->stops; k++) {
    if (w->rope->stop[k].rho == 0 || w->mass->arc[k].held) continue;
    for (int b = 0; b < 2; b++) {
      node *x = b ? &w->node[sn_rope_leaving(w->rope, k)][0] : &w->node[sn_rope_arriving(w->rope, k)][1];
      x->P += w->arc[k].P / 2;
      x->Pd += w->arc[k].Pd / 2;
    }
    w->arc[k].P = w->arc[k].Pd = 0;
  }
}

/* To the scalars, of an end of span i. */
static void push_flow(const motion *w, int i, int end, sn_cx *fz) {
  const int j = w->mass->segment[i], stop = end ? sn_rope_next(w->rope, i) : i, n = w->rope->scalars;
  const sn_rope_segment *s = &w->rope->segment[j];
  const segment *y = &w->segment[j];
  const node *x = &w->node[i][end];
  const sn_rope_node *at = &w->mass->node[i][end];
  const double *u = w->mass->inflow[j];
  const sn_cx L = at->length + form(n, at->row, w->z[0]), Ld = form(n, at->row, w->z[1]), rate = y->k[1] / y->k[0];
  fz[2 * i + 1] += x->Pd * w->rope->stop[stop].rho;
  for (int m = 0; m < n; m++) {
    const sn_cx k = (s->l[m] - y->k[0] * s->l0[m]) / y->l0, log_k = k / y->k[0];
    fz[m] += x->Pd * (y->k[0] * u[m] + L * log_k - at->row[m]) +
             x->P * (y->k[1] * u[m] - y->u[0] * k + Ld * log_k - at->row[m] * rate);
  }
}

/* omega acts on the axes x and y of the frame. */
static void push_turn(const motion *w, int stop, const node *x, sn_rope_inertia *out) {
  const double rho = w->rope->stop[stop].rho;
  sn_cx *fx = out->f + sn_rope_at_axis(w->rope, 0);
  out->along[stop] += x->P;
  axpy(fx, rho * x->Pd, w->axis[0] + 3);
  axpy(fx, rho * x->P, w->axis[1] + 3);
  axpy(fx + 3, -rho * x->P, w->axis[1]);
}

/* From what is made of x to x itself: stretch and flow to scalars, the scalars of spans to centers and axes. */
static void hand_down(motion *w, sn_rope_inertia *out) {
  const sn_rope *rope = w->rope;
  sn_cx *f = out->f, *fz = f + sn_rope_at_scalar(rope, 0);
  share_arcs(w);
  for (int j = 0; j < rope->segments; j++)
    for (int i = 0; i < rope->scalars; i++)
      fz[i] +=
          w->segment[j].f_k * (rope->segment[j].l[i] - w->segment[j].k[0] * rope->segment[j].l0[i]) / w->segment[j].l0;
  for (int k = 0; k < rope->stops; k++) {
    for (int i = 0; i < rope->scalars; i++) fz[i] += w->arc[k].Pd * w->mass->arc[k].flow[i];
    push_turn(w, k, &w->arc[k], out);
  }
  for (int i = 0; i < rope->spans; i++)
    for (int b = 0; b < 2; b++) {
      push_flow(w, i, b, fz);
      push_turn(w, b ? sn_rope_next(rope, i) : i, &w->node[i][b], out);
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
  w.mass = mass, w.rope = mass->rope;
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
