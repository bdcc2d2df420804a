/* axial.c - see axial.h. */
#include "analysis/axial.h"

#include <math.h>
#include <string.h>

#include "math/constants.h"
#include "math/vec3.h"

/* ---- supports ---- */

static int root_of(int *parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/* All bodies that joints connect, without those of `left_out`. */
static void connect(const sn_model *m, int left_out, int *parent) {
  for (int i = 0; i < m->bodies; i++) parent[i] = i;
  for (int j = 0; j < m->joints; j++) {
    const sn_body *a = m->joint[j].marker[0].body, *b = m->joint[j].marker[1].body;
    if (!a || !b || a == &m->body[left_out] || b == &m->body[left_out]) continue;
    parent[root_of(parent, (int)(a - m->body))] = root_of(parent, (int)(b - m->body));
  }
}

static int ground_of(const sn_model *m) {
  for (int i = 0; i < m->bodies; i++)
    if (m->body[i].count == 0 && strcmp(m->body[i].ops->kind.name, "ground") == 0) return i;
  return -1;
}

/* Is the body held at one place only? Joints there lead to the ground, those elsewhere do not. */
static bool is_cantilever(const sn_simulation *s, int body, double length) {
  const sn_model *m = s->model;
  int *parent = s->evidence.parent, ground = ground_of(m);
  const double *at = NULL;
  connect(m, body, parent);
  for (int j = 0; j < m->joints; j++)
    for (int k = 0; k < 2; k++) {
      const sn_marker *own = &m->joint[j].marker[k], *other = &m->joint[j].marker[1 - k];
      if (own->body != &m->body[body] || !other->body || ground < 0) continue;
      if (root_of(parent, (int)(other->body - m->body)) != root_of(parent, ground)) continue;
      double apart[3] = {0, 0, 0};
      if (at) sn_sub(apart, own->position, at);
      if (sn_norm(apart) > 1e-6 * length) return false;
      at = own->position;
    }
  return at != NULL;
}

/* (pi/2)^2 EI/L^2 of a cantilever, pi^2 EI/L^2 between two supports and of a free body. */
static double euler_load(sn_simulation *s, int body, const sn_geometry *g) {
  double *known = &s->evidence.euler[body];
  const double L = g->elements * g->element_length, k = SN_PI / L;
  if (*known == 0) *known = k * k * g->bending * (is_cantilever(s, body, L) ? 0.25 : 1);
  return *known;
}

/* ---- forces ---- */

static double freedom_value(const sn_geometry *g, const double *own, int i) {
  const int z = g->freedom[i];
  double sum = 0;
  if (z < 0) return 0;
  if (!g->basis) return own[z];
  for (int k = 0; k < g->reduced; k++) sum += g->basis[(size_t)z * (size_t)g->reduced + (size_t)k] * own[k];
  return sum;
}

/* Mean of |N| over the elements, with the sign of the mean of N. */
static double axial_force(const sn_model *m, int body, const sn_geometry *g, const double *q) {
  const int frame = m->dim == 2 ? 3 : 7, node = m->dim == 2 ? 3 : 6;
  const double *own = q + m->body[body].first + frame;
  double sum = 0, size = 0, before = freedom_value(g, own, 0);
  for (int e = 1; e <= g->elements; e++) {
    const double u = freedom_value(g, own, e * node);
    sum += u - before;
    size += fabs(u - before);
    before = u;
  }
  return copysign(g->stiffness * size / (g->elements * g->element_length), sum);
}

void sn_axial_begin(sn_simulation *s) {
  sn_evidence *e = &s->evidence;
  bool any = false;
  for (int i = 0; i < s->model->bodies; i++) any = any || strcmp(s->model->body[i].ops->kind.name, "floating") == 0;
  if (e->euler || !any) return;
  e->euler = SN_NEW(&s->arena, double, s->model->bodies);
  e->parent = SN_NEW(&s->arena, int, s->model->bodies);
}

void sn_axial_look(sn_simulation *s, int body, const sn_geometry *g, const double *q, double turned) {
  sn_evidence *e = &s->evidence;
  if (!e->euler || !g->freedom || !(g->bending > 0)) return;
  const double N = axial_force(s->model, body, g, q), L = g->elements * g->element_length;
  const double least = SN_PI * SN_PI / 4 * g->bending / (L * L); /* of all supports: those matter above it only */
  if (!(fabs(N) > e->axial * least)) return;
  const bool straight = N > 0 && turned < 1e-6;
  const double all = fabs(N) / euler_load(s, body, g), ratio = straight ? fmin(all, 1) : all;
  const bool same = ratio == e->axial && body == e->pressed && fabs(N) > fabs(e->axial_force);
  if (ratio > e->axial || same) e->axial = ratio, e->pressed = body, e->axial_force = N;
}

const char *sn_axial_say(sn_simulation *s, double value) {
  const sn_evidence *e = &s->evidence;
  const sn_body *body = &s->model->body[e->pressed];
  sn_geometry g = {0};
  sn_axial_begin(s); /* the force may be that of a checkpoint */
  body->ops->geometry(body, &g);
  const double P = euler_load(s, e->pressed, &g);
  return sn_format(
      &s->arena,
      "floating body '%s' carries an axial force of %.3g N (%s), %.2g of its Euler load of %.3g N, and "
      "floating bodies leave out what axial forces change in bending: %s; possible remedy: 'type: beam' "
      "or 'cable', or several floating bodies",
      body->name, fabs(e->axial_force), e->axial_force > 0 ? "tension" : "compression", fabs(e->axial_force) / P, P,
      value > 1 && e->axial_force < 0 ? "it would buckle"
                                      : "deflections and squared frequencies are off by about this fraction");
}
