/* mesh_error.c - see mesh_error.h. */
#include "analysis/mesh_error.h"

#include <math.h>
#include <string.h>

#include "math/gauss.h"
#include "math/vec3.h"

/* ---- a body, and what moves it ---- */

/* The state, or small motions u about it as w2 of its mode; load: forces per element of loads along lines, or NULL. */
typedef struct motion {
  const sn_simulation *simulation;
  sn_eval ev;
  const double *u;
  double w2, *load;
} motion;

typedef struct line {
  const sn_body *body;
  sn_geometry g;
  int index;
} line;

/* Columns of resultants: in the plane and of cables N, Q, M, ...; otherwise N, Qy, Qz, Mx, My, Mz, ... */
static bool is_spatial(const sn_body *body) {
  return body->ops->resultant_headings->count > 5;
}

/* Bodies along lines whose elements are known; reduced ones have modes instead (analysis/reduction.h). */
static bool take_line(const sn_model *m, int index, line *x) {
  const sn_body *body = &m->body[index];
  *x = (line){.body = body, .index = index};
  if (!body->ops->geometry || !body->ops->resultants || !body->data) return false;
  x->g.place = 0.5;
  body->ops->geometry(body, &x->g);
  return x->g.mass > 0 && x->g.EI[0] > 0 && x->g.stiffness > 0 && !x->g.left_out;
}

static sn_marker at(const line *x, int element, double s) {
  sn_marker marker = {.body = x->body, .element = element, .local = {s}};
  return marker;
}

/* What a probe is at the state or, of a motion, how it changes. */
static void value_of(const motion *m, const sn_probe *p, double y[3]) {
  if (m->u)
    p->ops->rate(p, m->ev.q, m->u, y);
  else
    p->ops->value(p, m->ev.q, y);
}

/* Its acceleration; of a motion -w2 times its change. */
static void acceleration_of(const motion *m, const sn_probe *p, double y[3]) {
  double c[3] = {0, 0, 0};
  p->ops->rate(p, m->ev.q, m->u ? m->u : m->ev.a, y);
  if (!m->u && p->ops->convective) p->ops->convective(p, m->ev.q, m->ev.v, c);
  for (int k = 0; k < 3; k++) y[k] = m->u ? -m->w2 * y[k] : y[k] + c[k];
}

/* Resultants in the middle of an element; of a motion their change, by differences. */
static void resultants_of(const motion *m, const line *x, int element, double s, double y[16]) {
  const sn_marker marker = at(x, element, s);
  const sn_model *model = m->simulation->model;
  double *q = m->simulation->scratch, most = 0, z[16];
  memset(y, 0, 16 * sizeof(double));
  if (!m->u) {
    x->body->ops->resultants(&marker, &m->ev, y);
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
    x->body->ops->resultants(&marker, &ev, z);
    for (int k = 0; k < x->body->ops->resultant_headings->count; k++) y[k] += side * z[k] / (2 * h);
  }
}

/* ---- loads along lines ---- */

/* The force on each element by the weights of a load on it: on the positions of its two nodes. */
static void add_load(const motion *m, const line *x, const sn_force_part *part) {
  const sn_model *model = m->simulation->model;
  const int stride = x->body->count / (x->g.elements + 1), dim = model->dim;
  const sn_batch *b = NULL;
  double *r = m->simulation->scratch;
  for (int k = 0; k < model->batches && !b; k++)
    if (model->batch[k].ops == part->ops) b = &model->batch[k];
  for (int i = part->range.first; b && b->ops->residual && i < part->range.last; i++) {
    int group[16];
    const int groups = b->ops->groups(b, i, group), e = group[0] - x->body->first_group;
    if (groups != 2 || e < 0 || e >= x->g.elements) continue;
    double *own = r + x->body->first + e * stride;
    memset(own, 0, 2 * (size_t)stride * sizeof(double));
    b->ops->residual(b, (sn_range){i, i + 1}, &m->ev, r);
    for (int k = 0; k < dim; k++) m->load[3 * e + k] -= own[k] + own[stride + k];
  }
}

static void find_loads(const motion *m, const line *x) {
  const sn_model *model = m->simulation->model;
  memset(m->load, 0, 3 * (size_t)x->g.elements * sizeof(double));
  for (int i = 0; i < model->forces && x->g.type == SN_GEOMETRY_LINE && !m->u; i++) {
    const sn_force_place *f = &model->force[i];
    for (int k = 0; k < f->parts && f->markers == 0 && f->on && strcmp(f->on, x->body->name) == 0; k++)
      add_load(m, x, &f->part[k]);
  }
}

/* ---- an element ---- */

/* Axes of the section in the middle: tangent, y, z; both of the last are 0 where the section has none. */
typedef struct middle {
  double e[3][3];
  sn_probe y;
  bool has_axes;
} middle;

static middle middle_of(const motion *m, const line *x, int element) {
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

/* f at the middle, with the axial force N of the state. */
static void load_of(const motion *m, const line *x, int element, double N, double f[3]) {
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
static double bending_of(const line *x, const middle *c, double N, const double f[3]) {
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

static double flat_bending_of(const motion *m, const line *x, int element) {
  const double l = x->g.element_length;
  double y[16], missing = 0;
  resultants_of(m, x, element, 0.5, y);
  for (int k = 0; k < (is_spatial(x->body) ? 2 : 1); k++)
    missing += l * y[1 + k] * l * y[1 + k] * l / (24 * x->g.EI[k]);
  return missing;
}

static double twist_of(const motion *m, const line *x, const middle *c) {
  const double l = x->g.element_length;
  double a[3];
  if (!(x->g.GJ > 0) || !c->has_axes) return 0;
  acceleration_of(m, &c->y, a);
  const double n = x->g.polar * sn_dot(a, c->e[2]);
  return n * n * l * l * l / (24 * x->g.GJ);
}

/* e at five points: without its mean and slope. */
static double locked_in(const motion *m, const line *x, int element) {
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
static void mark(const line *x, const sn_marker *y, double *loaded) {
  const double node = y->element + y->local[0];
  if (y->body == x->body && fabs(node - round(node)) < 1e-6) loaded[(int)round(node)] = 1;
}

static void mark_loaded(const sn_model *m, const line *x, double *loaded) {
  memset(loaded, 0, (size_t)(x->g.elements + 1) * sizeof(double));
  for (int i = 0; i < m->joints; i++)
    for (int k = 0; k < 2; k++) mark(x, &m->joint[i].marker[k], loaded);
  for (int i = 0; i < m->forces; i++)
    for (int k = 0; k < m->force[i].markers; k++) mark(x, &m->force[i].marker[k], loaded);
}

/* Moments about z and y at the end of an element. Those of beams are balanced with its shear force; what its own strains
 * say is EI times the curvature, less that of the stress-free shape. */
static void end_moments(const motion *m, const line *x, int element, double s, double M[2]) {
  double y[16], y0[16] = {0};
  resultants_of(m, x, element, s, y);
  if (!is_spatial(x->body)) {
    M[0] = y[2], M[1] = 0;
    return;
  }
  if (!m->u && !x->g.straight) {
    motion start = *m;
    start.ev.q = m->simulation->model->q0;
    resultants_of(&start, x, element, s, y0);
  }
  for (int k = 0; k < 2; k++) M[k] = x->g.EI[k] * (y[9 - k] - y0[9 - k]);
}

static double jumps_of(const motion *m, const line *x) {
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

/* ---- a body ---- */

/* Its strain energy by its resultants; the moments of flat elements are those that balance their shear force. */
static double strain_of(const motion *m, const line *x) {
  const double l = x->g.element_length;
  double sum = 0, y[16];
  for (int e = 0; e < x->g.elements; e++)
    for (int i = 0; i < 2; i++) {
      resultants_of(m, x, e, sn_gauss2_points[i], y);
      const int M = is_spatial(x->body) ? 5 : 2;
      double density = y[0] * y[0] / x->g.stiffness + y[M] * y[M] / x->g.EI[0];
      if (is_spatial(x->body) && x->g.EI[1] > 0) density += y[4] * y[4] / x->g.EI[1];
      if (is_spatial(x->body) && x->g.GJ > 0) density += y[3] * y[3] / x->g.GJ;
      sum += l / 2 * density / 2;
    }
  return sum;
}

static double missing_of(const motion *m, line *x) {
  const double l = x->g.element_length;
  sn_eval still = m->ev;
  double sum = 0;
  find_loads(m, x);
  for (int e = 0; e < x->g.elements; e++) {
    const sn_marker marker = at(x, e, 0.5);
    double y[16] = {0}, f[3];
    x->g.place = (e + 0.5) / x->g.elements;
    x->body->ops->geometry(x->body, &x->g);
    x->body->ops->resultants(&marker, &still, y);
    const middle c = middle_of(m, x, e);
    load_of(m, x, e, y[0], f);
    const double along = sn_dot(f, c.e[0]);
    sum += x->g.flat ? flat_bending_of(m, x, e) : bending_of(x, &c, y[0], f) + locked_in(m, x, e);
    sum += twist_of(m, x, &c);
    if (x->g.linear) sum += along * along * l * l * l / (24 * x->g.stiffness);
  }
  return sum + jumps_of(m, x);
}

/* The same in motion, where accelerations may be those of vibrations that no step resolves: loads within the elements
 * from how resultants change from element to element, f = -M'', and n, f along the line by T' and N'. */
static double waves_of(const motion *m, const line *x) {
  const double l = x->g.element_length;
  const int M = is_spatial(x->body) ? 5 : 2;
  double sum = 0, y[3][16] = {{0}};
  for (int e = 0; e < x->g.elements; e++) {
    memcpy(y[0], y[1], sizeof y[0]);
    memcpy(y[1], y[2], sizeof y[1]);
    resultants_of(m, x, e, 0.5, y[2]);
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
  return sum + jumps_of(m, x);
}

static double *memory_for_loads(sn_simulation *s) {
  int most = 1;
  for (int i = 0; i < s->model->bodies; i++) {
    const sn_geometry g = sn_body_geometry(&s->model->body[i]);
    if (g.elements > most) most = g.elements;
  }
  return SN_NEW(&s->arena, double, 3 * most + 1);
}

static motion state_of(sn_simulation *s, const sn_state *x) {
  if (!s->evidence.mesh_loads) s->evidence.mesh_loads = memory_for_loads(s);
  return (motion){.simulation = s, .ev = sn_eval_at(s, x), .load = s->evidence.mesh_loads};
}

static const char *remedy(const sn_simulation *s, const line *x) {
  if (!x->g.flat) return "more elements";
  return s->model->dim == 2 ? "more elements (the error falls with their number squared), or a planar-beam or cable"
                            : "more elements (the error falls with their number squared), or elastic: timoshenko";
}

/* ---- analyses ---- */

void sn_doubt_static_mesh(sn_simulation *s) {
  const double most = 0.02;
  motion m = state_of(s, &s->state);
  m.ev.a = m.ev.v = s->audit->zero;
  for (int i = 0; i < s->model->bodies; i++) {
    line x;
    if (!take_line(s->model, i, &x)) continue;
    const double missing = missing_of(&m, &x), all = strain_of(&m, &x) + (x.g.flat ? 0 : missing);
    if (!(missing > most * all)) continue;
    sn_add_model_doubt(
        s, SN_DOUBTFUL,
        sn_format(
            &s->arena, "statics: %s '%s' bends too little by about %.2g, as %s; possible remedy: %s",
            x.body->spec->kind->name, x.body->name, missing / all,
            x.g.flat ? "each of its elements has one curvature" : "its elements are too long for what acts on them",
            remedy(s, &x)));
  }
}

void sn_doubt_modal_mesh(sn_simulation *s, const sn_state *state, const sn_modes *modes) {
  const double most = 0.01;
  double worst = 0;
  int first = 0, last = 0;
  line coarse = {0};
  motion m = state_of(s, state);
  m.ev.v = m.ev.a = s->audit->zero;
  for (int k = 0; k < modes->count; k++) {
    double sum = 0, largest = 0;
    line here = {0};
    if (!(modes->w2[k] > 0)) continue;
    m.u = modes->shape + (size_t)k * (size_t)s->model->n;
    m.w2 = modes->w2[k];
    for (int i = 0; i < s->model->bodies; i++) {
      line x;
      if (!take_line(s->model, i, &x)) continue;
      const double missing = missing_of(&m, &x);
      sum += missing;
      if (missing > largest) largest = missing, here = x;
    }
    const double error = sum / modes->w2[k]; /* half of it over U = w2/2 */
    if (!(error > most)) continue;
    if (first == 0) first = k + 1;
    last = k + 1;
    if (error > worst) worst = error, coarse = here;
  }
  if (!coarse.body) return;
  sn_add_model_doubt(
      s, SN_DOUBTFUL,
      sn_format(&s->arena,
                "modes: %s %d%s too high by %.1g or more of %s, up to about %.2g: elements of %s '%s' are too "
                "long for %s shape%s; possible remedy: %s",
                first == last ? "frequency" : "frequencies from", first, first == last ? " is" : " on are", most,
                first == last ? "its value" : "their values", worst, coarse.body->spec->kind->name, coarse.body->name,
                first == last ? "its" : "their", first == last ? "" : "s", remedy(s, &coarse)));
}

/* What a swing lacks is quadratic in it, also where it is about a deflection: U = c (w0 + w)^2, with c w^2 of its own.
 * Each swing counts by itself: loads and contacts may move along the elements without any vibration, or strike once. */
static void follow_swings(sn_evidence *e, double sum) {
  const bool over = e->rows > 0 && e->swings > e->swings_before;
  if (over) {
    const double swing = sqrt(e->most_missing) - sqrt(e->least_missing);
    e->swing_missing += swing * swing;
  }
  if (over || e->rows == 0) e->most_missing = e->least_missing = sum, e->swings_before = e->swings;
  e->most_missing = fmax(e->most_missing, sum);
  e->least_missing = fmin(e->least_missing, sum);
}

void sn_follow_mesh(sn_simulation *s, const sn_row *row) {
  sn_evidence *e = &s->evidence;
  double sum = 0, largest = 0;
  int coarse = 0;
  if (!s->ops || e->rows % (1 + s->model->n / 20000) != 0) return; /* large models: of some rows */
  sn_state at = s->sample;
  at.t = row->t, at.q = row->q, at.v = row->v;
  motion m = state_of(s, &at);
  for (int i = 0; i < s->model->bodies; i++) {
    line x;
    if (!take_line(s->model, i, &x)) continue;
    const double missing = x.g.elements < 3 ? missing_of(&m, &x) : waves_of(&m, &x);
    sum += missing;
    if (missing > largest) largest = missing, coarse = i;
  }
  follow_swings(e, sum);
  if (sum > e->missing) e->missing = sum, e->coarse = coarse;
}
