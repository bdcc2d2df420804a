/* mesh_error.c - see mesh_error.h, mesh_line.h. */
#include <math.h>
#include <string.h>

#include "analysis/mesh_line.h"
#include "joint/primitive.h"
#include "math/gauss.h"
#include "math/vec3.h"
#include "output/line_load.h"

/* ---- a body, and what moves it ---- */

/* Columns of resultants: in the plane and of cables N, Q, M, ...; otherwise N, Qy, Qz, Mx, My, Mz, ... */
static bool is_spatial(const sn_body *body) {
  return body->ops->resultant_headings->count > 5;
}

bool sn_mesh_take(const sn_model *m, int index, sn_mesh_line *x) {
  const sn_body *body = &m->body[index];
  *x = (sn_mesh_line){.body = body, .index = index};
  if (!body->ops->geometry || !body->ops->resultants || !body->data) return false;
  x->g.place = 0.5;
  body->ops->geometry(body, &x->g);
  return x->g.mass > 0 && x->g.EI[0] > 0 && x->g.stiffness > 0 && !x->g.left_out;
}

static sn_marker at(const sn_mesh_line *x, int element, double s) {
  sn_marker marker = {.body = x->body, .element = element, .local = {s}};
  return marker;
}

/* What a probe is at the state or, of a motion, how it changes. */
static void value_of(const sn_mesh_motion *m, const sn_probe *p, double y[3]) {
  if (m->u)
    p->ops->rate(p, m->ev.q, m->u, y);
  else
    p->ops->value(p, m->ev.q, y);
}

/* Its acceleration; of a motion -w2 times its change. */
static void acceleration_of(const sn_mesh_motion *m, const sn_probe *p, double y[3]) {
  double c[3] = {0, 0, 0};
  p->ops->rate(p, m->ev.q, m->u ? m->u : m->ev.a, y);
  if (!m->u && p->ops->convective) p->ops->convective(p, m->ev.q, m->ev.v, c);
  for (int k = 0; k < 3; k++) y[k] = m->u ? -m->w2 * y[k] : y[k] + c[k];
}

void sn_mesh_resultants(const sn_mesh_motion *m, const sn_mesh_line *x, int element, double s, double y[16]) {
  const sn_marker marker = at(x, element, s);
  const sn_model *model = m->simulation->model;
  double *q = m->simulation->scratch, most = 0, z[16];
  memset(y, 0, 16 * sizeof(double));
  if (!m->u) {
    x->body->ops->resultants(&marker, &m->ev, NULL, y);
    return;
  }
  const int first = x->body->first, last = first + x->body->count;
  for (int i = first; i < last; i++) most = fmax(most, fabs(m->u[i]));
  if (!(most > 0)) return;
  const double h = 1e-5 * x->g.element_length / most;
  sn_eval ev = m->ev;
  ev.q = q;
  for (int side = -1; side <= 1; side += 2) {
    for (int i = 0; i < model->n; i++) q[i] = m->ev.q[i];
    for (int i = first; i < last; i++) q[i] += side * h * m->u[i];
    memset(z, 0, sizeof z);
    x->body->ops->resultants(&marker, &ev, NULL, z);
    for (int k = 0; k < x->body->ops->resultant_headings->count; k++) y[k] += side * z[k] / (2 * h);
  }
}

/* ---- loads along lines ---- */

static void find_loads(const sn_mesh_motion *m, const sn_mesh_line *x) {
  const sn_model *model = m->simulation->model;
  memset(m->load, 0, 3 * (size_t)x->g.elements * sizeof(double));
  if (m->u) return;
  sn_line_add_forces(model, x->body, 0, x->g.elements, &m->ev, m->simulation->scratch, (double(*)[3])m->load);
}

/* ---- an element ---- */

/* Axes of the section in the middle: tangent, y, z; both of the last are 0 where the section has none. */
typedef struct middle {
  double e[3][3];
  sn_probe y;
  bool has_axes;
} middle;

static middle middle_of(const sn_mesh_motion *m, const sn_mesh_line *x, int element) {
  const sn_body_ops *ops = x->body->ops;
  sn_marker marker = at(x, element, 0.5);
  sn_probe p;
  double start[3][3];
  middle c = {.has_axes = ops->direction && ops->axes && m->simulation->model->dim == 3};
  if (ops->tangent) {
    ops->tangent(&marker, &p);
    p.ops->value(&p, m->simulation->model->q0, marker.tangent);
    p.ops->value(&p, m->ev.q, c.e[0]);
    sn_normalize(marker.tangent);
  } else {
    static const double along[3] = {1, 0, 0};
    if (ops->axes) ops->axes(&marker, start);
    ops->direction(&marker, ops->axes ? start[0] : along, &p);
    p.ops->value(&p, m->ev.q, c.e[0]);
  }
  sn_normalize(c.e[0]);
  if (!c.has_axes) return c;
  ops->axes(&marker, start);
  ops->direction(&marker, start[1], &c.y);
  c.y.ops->value(&c.y, m->ev.q, c.e[1]);
  sn_cross(c.e[2], c.e[0], c.e[1]);
  return c;
}

/* f at the middle, with the axial force N. */
static void load_of(const sn_mesh_motion *m, const sn_mesh_line *x, int element, double N, double f[3]) {
  const sn_body_ops *ops = x->body->ops;
  const double l = x->g.element_length;
  sn_marker marker = at(x, element, 0.5);
  sn_probe p;
  double a[3] = {0, 0, 0}, t[2][3];
  ops->point(&marker, &p);
  acceleration_of(m, &p, a);
  for (int k = 0; k < 3; k++)
    f[k] = x->g.mass * ((m->u ? 0 : m->ev.gravity[k]) - a[k]) + (m->u ? 0 : m->load[3 * element + k] / l);
  if (!ops->tangent || x->g.type == SN_GEOMETRY_FLOATING) return;
  for (int k = 0; k < 2; k++) {
    marker = at(x, element, k);
    ops->tangent(&marker, &p);
    value_of(m, &p, t[k]);
  }
  for (int k = 0; k < 3; k++) f[k] += N * (t[1][k] - t[0][k]) / l;
}

/* Bending between the nodes by f across the line. */
static double bending_of(const sn_mesh_line *x, const middle *c, double N, const double f[3]) {
  const double l = x->g.element_length, along = sn_dot(f, c->e[0]), pull = fmax(0, N) * l * l / 42;
  double missing = 0, across[2] = {0, 0};
  if (c->has_axes)
    across[0] = sn_dot(f, c->e[1]), across[1] = sn_dot(f, c->e[2]);
  else
    across[0] = sqrt(fmax(0, sn_dot(f, f) - along * along));
  for (int k = 0; k < 2; k++)
    if (across[k] != 0 && x->g.EI[k] > 0)
      missing += across[k] * across[k] * l * l * l * l * l / (1440 * (x->g.EI[k] + pull));
  return missing;
}

/* Shear forces Q = EI k' of a shape of buckling, where those of the strains are not all that bends an element. */
static void shears_by_curvature(const sn_mesh_motion *m, const sn_mesh_line *x, int element, double y[16]) {
  const int first = element > 0 ? element - 1 : 0, last = element + 1 < x->g.elements ? element + 1 : element;
  double u[2][16];
  sn_mesh_resultants(m, x, first, 0.5, u[0]);
  sn_mesh_resultants(m, x, last, 0.5, u[1]);
  for (int k = 0; k < 2; k++) {
    const int c = is_spatial(x->body) ? 9 - k : 4;
    y[1 + k] = last > first ? x->g.EI[k] * (u[1][c] - u[0][c]) / ((last - first) * x->g.element_length) : 0;
  }
}

static double flat_bending_of(const sn_mesh_motion *m, const sn_mesh_line *x, int element) {
  const double l = x->g.element_length;
  double y[16], missing = 0;
  if (m->response)
    shears_by_curvature(m, x, element, y);
  else
    sn_mesh_resultants(m, x, element, 0.5, y);
  for (int k = 0; k < (is_spatial(x->body) ? 2 : 1); k++)
    missing += l * y[1 + k] * l * y[1 + k] * l / (24 * x->g.EI[k]);
  return missing;
}

/* Torque per length that is not taken up within an element: of inertia, and of bending moments about a curved line. */
static double twist_of(const sn_mesh_motion *m, const sn_mesh_line *x, const middle *c, int element) {
  const double l = x->g.element_length;
  double a[3], y[2][16];
  if (!(x->g.GJ > 0) || !c->has_axes) return 0;
  acceleration_of(m, &c->y, a);
  for (int i = 0; i < 2; i++) sn_mesh_resultants(m, x, element, sn_gauss2_points[i], y[i]);
  const double n = x->g.polar * sn_dot(a, c->e[2]);
  const double nl = n * l - (y[1][3] - y[0][3]) / (sn_gauss2_points[1] - sn_gauss2_points[0]);
  return nl * nl * l / (24 * x->g.GJ);
}

/* The axial force at the load factor of a shape of buckling: that of the state, N, and its response to the loads. */
static double stressed(const sn_mesh_motion *m, const sn_mesh_line *x, int element, double N) {
  double z[16];
  sn_mesh_motion response = *m;
  response.u = m->response;
  sn_mesh_resultants(&response, x, element, 0.5, z);
  return N + m->more * z[0];
}

/* Axial forces on the bow of an element, of which a strain of its chord knows nothing: |N|/2 int w'^2 dx, w' = k x. */
static double chord_of(const sn_mesh_motion *m, const sn_mesh_line *x, int element, double N) {
  const double l = x->g.element_length;
  double u[16];
  sn_mesh_resultants(m, x, element, 0.5, u);
  return fabs(N) * u[4] * u[4] * l * l * l / 24;
}

/* e at five points: without its mean and slope. */
static double locked_in(const sn_mesh_motion *m, const sn_mesh_line *x, int element) {
  const sn_body_ops *ops = x->body->ops;
  double e[5], mean = 0, slope = 0, norm = 0, sum = 0;
  if (!ops->tangent || x->g.type != SN_GEOMETRY_LINE || x->g.rests_elsewhere) return 0;
  for (int i = 0; i < 5; i++) {
    const double s = sn_gauss5_points[i], w = sn_gauss5_weights[i];
    const sn_marker marker = at(x, element, s);
    sn_probe p;
    double t[3], u[3];
    ops->tangent(&marker, &p);
    p.ops->value(&p, m->ev.q, t);
    value_of(m, &p, u);
    e[i] = sn_dot(t, u) / (m->u ? 1 : 2);
    if (!m->u && !x->g.straight) {
      p.ops->value(&p, m->simulation->model->q0, t);
      e[i] -= sn_dot(t, t) / 2;
    }
    mean += w * e[i];
    slope += w * e[i] * (s - 0.5);
    norm += w * (s - 0.5) * (s - 0.5);
  }
  for (int i = 0; i < 5; i++) {
    const double rest = e[i] - mean - slope / norm * (sn_gauss5_points[i] - 0.5);
    sum += sn_gauss5_weights[i] * rest * rest;
  }
  return x->g.stiffness * x->g.element_length * sum / 2;
}

/* Moments of the two elements at a node where nothing acts differ by J: both are off by J/2 there. */
static void mark(const sn_mesh_line *x, const sn_marker *y, double *loaded) {
  const double node = y->element + y->local[0];
  if (y->body == x->body && fabs(node - round(node)) < 1e-6) loaded[(int)round(node)] = 1;
}

static void mark_loaded(const sn_model *m, const sn_mesh_line *x, double *loaded) {
  memset(loaded, 0, (size_t)(x->g.elements + 1) * sizeof(double));
  for (int i = 0; i < m->joints; i++)
    for (int k = 0; k < 2; k++) mark(x, &m->joint[i].marker[k], loaded);
  for (int i = 0; i < m->forces; i++)
    for (int k = 0; k < m->force[i].markers; k++) mark(x, &m->force[i].marker[k], loaded);
}

/* Moments about z and y at the end of an element. Its resultants are balanced with the forces between its nodes; what
 * its own strains say is EI times the curvature, less that of the stress-free shape. */
static void end_moments(const sn_mesh_motion *m, const sn_mesh_line *x, int element, double s, double M[2]) {
  const bool spatial = is_spatial(x->body);
  double y[16], y0[16] = {0};
  sn_mesh_resultants(m, x, element, s, y);
  if (!m->u && !x->g.straight) {
    sn_mesh_motion start = *m;
    start.ev.q = m->simulation->model->q0;
    sn_mesh_resultants(&start, x, element, s, y0);
  }
  M[1] = 0;
  for (int k = 0; k < (spatial ? 2 : 1); k++) {
    const int c = spatial ? 9 - k : 4;
    M[k] = x->g.EI[k] * (y[c] - y0[c]);
  }
}

static double jumps_of(const sn_mesh_motion *m, const sn_mesh_line *x) {
  const double inside = 1e-6;
  double sum = 0, M[2][2];
  if (x->g.type != SN_GEOMETRY_LINE || x->g.flat || x->g.rests_elsewhere) return 0;
  mark_loaded(m->simulation->model, x, m->load);
  for (int e = 0; e + 1 < x->g.elements; e++) {
    if (m->load[e + 1] > 0) continue;
    end_moments(m, x, e, 1 - inside, M[0]);
    end_moments(m, x, e + 1, inside, M[1]);
    for (int k = 0; k < 2; k++)
      if (x->g.EI[k] > 0) sum += (M[1][k] - M[0][k]) * (M[1][k] - M[0][k]) / x->g.EI[k];
  }
  return sum * x->g.element_length / 12;
}

/* ---- forces and moments at places between the nodes ---- */

/* A beam of the length a + b, clamped at both ends, bent by P and M at a: half of their work. Positive M lifts the part
 * behind a. */
static double bent_by(double a, double b, double EI, double P, double M) {
  const double l = a + b, ab = a * b;
  const double w = ab * ab * ab * P / (3 * l * l * l) + ab * ab * (b - a) * M / (2 * l * l * l);
  const double turn = ab * ab * (b - a) * P / (2 * l * l * l) + ab * (l * l - 3 * ab) * M / (l * l * l);
  return EI > 0 ? (P * w + M * turn) / (2 * EI) : 0;
}

static bool is_inside(const sn_mesh_line *x, const sn_marker *marker) {
  const double near = 1e-6;
  return marker->body == x->body && marker->local[0] > near && marker->local[0] < 1 - near;
}

static double bent_at(const sn_mesh_motion *m, const sn_mesh_line *x, const sn_marker *place, const double F[3],
                      const double M[3]) {
  const double a = place->local[0] * x->g.element_length, b = x->g.element_length - a;
  const middle c = middle_of(m, x, place->element);
  if (c.has_axes)
    return bent_by(a, b, x->g.EI[0], sn_dot(F, c.e[1]), sn_dot(M, c.e[2])) +
           bent_by(a, b, x->g.EI[1], sn_dot(F, c.e[2]), -sn_dot(M, c.e[1]));
  if (m->simulation->model->dim == 2) return bent_by(a, b, x->g.EI[0], c.e[0][0] * F[1] - c.e[0][1] * F[0], M[2]);
  double across[3], about[3];
  sn_cross(across, c.e[0], F);
  sn_cross(about, c.e[0], M);
  return bent_by(a, b, x->g.EI[0], sn_norm(across), 0) + bent_by(a, b, x->g.EI[0], 0, sn_norm(about));
}

static void place_of(const sn_mesh_motion *m, const sn_marker *marker, double r[3]) {
  sn_probe p;
  r[2] = 0;
  sn_marker_point(marker, &p);
  p.ops->value(&p, m->ev.q, r);
}

/* What prescribed forces and springs, and in statics joints, bend within the elements. */
static double points_of(const sn_mesh_motion *m, const sn_mesh_line *x) {
  const sn_model *model = m->simulation->model;
  const double most = 1e7; /* each force takes a time of the size of the model, and dynamics has many rows */
  double sum = 0, r[3], F[3], M[3];
  if (m->u || (m->simulation->ops && (double)model->forces * model->n > most)) return 0;
  for (int i = 0; i < model->forces; i++)
    for (int k = 0; k < model->force[i].markers; k++) {
      const sn_marker *marker = &model->force[i].marker[k];
      if (!is_inside(x, marker)) continue;
      place_of(m, marker, r);
      sn_output_force_on(model, i, x->index, &m->ev, r, m->simulation->scratch, F, M);
      sum += bent_at(m, x, marker, F, M);
    }
  for (int j = 0; j < model->joints && !m->simulation->ops; j++)
    for (int k = 0; k < 2; k++) {
      const sn_marker *marker = &model->joint[j].marker[k];
      if (!is_inside(x, marker)) continue;
      place_of(m, marker, r);
      sn_joint_reaction(model, j, &m->ev, r, F, M);
      sum += bent_at(m, x, marker, F, M); /* quadratic: the same on both bodies */
    }
  return sum;
}

/* ---- a body ---- */

/* Its strain energy by its resultants; the moments of flat elements are those that balance their shear force. */
double sn_mesh_strain(const sn_mesh_motion *m, const sn_mesh_line *x) {
  const double l = x->g.element_length;
  double sum = 0, y[16];
  for (int e = 0; e < x->g.elements; e++)
    for (int i = 0; i < 2; i++) {
      sn_mesh_resultants(m, x, e, sn_gauss2_points[i], y);
      const int M = is_spatial(x->body) ? 5 : 2;
      double density = y[0] * y[0] / x->g.stiffness + y[M] * y[M] / x->g.EI[0];
      if (is_spatial(x->body) && x->g.EI[1] > 0) density += y[4] * y[4] / x->g.EI[1];
      if (is_spatial(x->body) && x->g.GJ > 0) density += y[3] * y[3] / x->g.GJ;
      sum += l / 2 * density / 2;
    }
  return sum;
}

double sn_mesh_missing(const sn_mesh_motion *m, sn_mesh_line *x) {
  const double l = x->g.element_length;
  sn_eval still = m->ev;
  double sum = 0;
  find_loads(m, x);
  for (int e = 0; e < x->g.elements; e++) {
    const sn_marker marker = at(x, e, 0.5);
    double y[16] = {0}, f[3];
    x->g.place = (e + 0.5) / x->g.elements;
    x->body->ops->geometry(x->body, &x->g);
    x->body->ops->resultants(&marker, &still, NULL, y);
    const middle c = middle_of(m, x, e);
    if (m->response) y[0] = stressed(m, x, e, y[0]);
    load_of(m, x, e, y[0], f);
    const double along = sn_dot(f, c.e[0]);
    sum += bending_of(x, &c, y[0], f) + (x->g.flat ? flat_bending_of(m, x, e) : locked_in(m, x, e));
    sum += twist_of(m, x, &c, e);
    if (m->response && x->g.chord) sum += chord_of(m, x, e, y[0]);
    if (x->g.linear) sum += along * along * l * l * l / (24 * x->g.stiffness);
  }
  return sum + (m->response ? 0 : fmax(points_of(m, x), jumps_of(m, x))); /* shapes of buckling: N bends the elements */
}

/* The same in motion, where accelerations may be those of vibrations that no step resolves: loads within the elements
 * from how resultants change from element to element, f = -M'', and n, f along the line by T' and N'. */
double sn_mesh_waves(const sn_mesh_motion *m, const sn_mesh_line *x) {
  const double l = x->g.element_length;
  const int M = is_spatial(x->body) ? 5 : 2;
  double sum = 0, y[3][16] = {{0}};
  for (int e = 0; e < x->g.elements; e++) {
    memcpy(y[0], y[1], sizeof y[0]);
    memcpy(y[1], y[2], sizeof y[1]);
    sn_mesh_resultants(m, x, e, 0.5, y[2]);
    if (e == 0) continue;
    const double dN = y[2][0] - y[1][0], dT = is_spatial(x->body) ? y[2][3] - y[1][3] : 0;
    if (x->g.linear) sum += dN * dN * l / (24 * x->g.stiffness);
    if (x->g.GJ > 0) sum += dT * dT * l / (24 * x->g.GJ);
    for (int k = 0; k < (is_spatial(x->body) ? 2 : 1) && e > 1 && !x->g.flat; k++) {
      const int c = k == 0 ? M : 4;
      const double f = (y[2][c] - 2 * y[1][c] + y[0][c]) / (l * l), pull = fmax(0, y[1][0]) * l * l / 42;
      if (x->g.EI[k] > 0) sum += f * f * l * l * l * l * l / (1440 * (x->g.EI[k] + pull));
    }
  }
  for (int e = 0; e < x->g.elements; e++) sum += x->g.flat ? flat_bending_of(m, x, e) : locked_in(m, x, e);
  return sum + fmax(points_of(m, x), jumps_of(m, x));
}
