/* tangent.c - see tangent.h. */
#include "analysis/tangent.h"

#include <math.h>
#include <string.h>

#include "math/vec3.h"

/* ---- which coordinates there are ---- */

static void add_block(sn_tangent *t, const sn_model *m, sn_arena *arena, const sn_body *body, int place,
                      sn_layout_column column, int at, const char *part) {
  static const char *const axes[] = {"x", "y", "z"};
  const sn_layout_column_meaning *meaning = &sn_layout_columns[column];
  sn_tangent_block *b = &t->block[t->blocks++];
  *b = (sn_tangent_block){.q = body->first + place, .eta = at};
  b->type = column == SN_COLUMN_P ? SN_TANGENT_ROTATION : meaning->size ? SN_TANGENT_SCALAR : SN_TANGENT_VECTOR;
  b->slope = b->type == SN_TANGENT_VECTOR && column != SN_COLUMN_R;
  b->turns = column == SN_COLUMN_ANGLE;
  const int count = b->type == SN_TANGENT_ROTATION ? 3 : b->type == SN_TANGENT_VECTOR ? m->dim : 1;
  for (int i = 0; i < count; i++) {
    const char *name = b->type == SN_TANGENT_ROTATION ? "rotation_"
                       : column == SN_COLUMN_R        ? ""
                       : b->type == SN_TANGENT_VECTOR ? sn_format(arena, "%s_", meaning->name)
                                                      : meaning->name;
    t->name[at + i] =
        sn_format(arena, "%s%s.%s%s", body->name, part, name, b->type == SN_TANGENT_SCALAR ? "" : axes[i]);
  }
  t->size += count;
}

/* One scalar without a name of its own: reduced coordinates, deformations of floating bodies. */
static void add_scalar(sn_tangent *t, sn_arena *arena, const sn_body *body, int place) {
  t->block[t->blocks++] = (sn_tangent_block){.type = SN_TANGENT_SCALAR, .q = body->first + place, .eta = t->size};
  t->name[t->size++] = sn_format(arena, "%s.deformation_%d", body->name, place + 1);
}

static void add_body(sn_tangent *t, const sn_model *m, sn_arena *arena, const sn_body *body) {
  const sn_body_layout *layout = body->ops->layout;
  const int width = layout ? sn_layout_place(layout->column, SN_NO_COLUMN, m->dim) : 0;
  int place = 0;
  for (int k = 0; width > 0 && place + width <= body->count; k++, place += width) {
    const char *part = layout->owner == SN_OF_BODY ? "" : sn_format(arena, ".%d", k);
    for (int c = 0; c < 8 && layout->column[c]; c++)
      add_block(t, m, arena, body, place + sn_layout_place(layout->column, layout->column[c], m->dim),
                layout->column[c], t->size, part);
    if (layout->owner == SN_OF_BODY) {
      place += width;
      break;
    }
  }
  for (; place < body->count; place++) add_scalar(t, arena, body, place);
}

sn_tangent *sn_tangent_create(const sn_model *m, sn_arena *arena, const double rate[3]) {
  sn_tangent *t = SN_NEW(arena, sn_tangent, 1);
  t->dim = m->dim;
  t->n = m->n;
  memcpy(t->rate, rate, sizeof t->rate);
  t->block = SN_NEW(arena, sn_tangent_block, m->n + 1);
  t->name = SN_NEW(arena, const char *, m->n + 1);
  bool *seen = SN_NEW(arena, bool, m->n + 1);
  for (int i = 0; i < m->bodies; i++) {
    add_body(t, m, arena, &m->body[i]);
    for (int k = 0; k < m->body[i].count; k++) seen[m->body[i].first + k] = true;
  }
  t->variable = SN_NEW(arena, bool, m->n + 1);
  for (int i = 0; i < m->n; i++) { /* of no body: differential variables */
    if (seen[i]) continue;
    t->block[t->blocks++] = (sn_tangent_block){.type = SN_TANGENT_SCALAR, .q = i, .eta = t->size};
    t->name[t->size] = sn_format(arena, "coordinate_%d", i + 1);
    for (int k = 0; k < m->variables; k++) {
      if (!m->variable[k].differential || m->variable[k].index != i) continue;
      t->name[t->size] = m->variable[k].name;
      t->variable[t->size] = true;
    }
    t->size++;
  }
  return t;
}

/* ---- what they do ---- */

/* The change w of a vector and its derivatives in space, from those along rotating axes. */
static void in_space(const sn_tangent *t, int i, const double *const eta[3], double w[3][3]) {
  double e[3][3] = {{0}}, spin[3], twice[3], again[3];
  for (int k = 0; k < 3; k++) memcpy(e[k], eta[k] + i, (size_t)(t->dim < 3 ? t->dim : 3) * sizeof(double));
  sn_cross(spin, t->rate, e[0]);
  sn_cross(twice, t->rate, e[1]);
  sn_cross(again, t->rate, spin);
  for (int k = 0; k < 3; k++) {
    w[0][k] = e[0][k];
    w[1][k] = e[1][k] + spin[k];
    w[2][k] = e[2][k] + 2 * twice[k] + again[k];
  }
}

/* y = a o b, quaternions */
static void multiply(const double a[4], const double b[4], double y[4]) {
  y[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  y[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  y[2] = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
  y[3] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
}

/* y = 1/2 (0, w) o p */
static void half_turn(const double w[3], const double *p, double y[4]) {
  const double u[4] = {0, w[0] / 2, w[1] / 2, w[2] / 2};
  multiply(u, p, y);
}

void sn_tangent_lift(const sn_tangent *t, const sn_state *x, const double *const eta[3], double *const d[3]) {
  for (int b = 0; b < t->blocks; b++) {
    const sn_tangent_block *block = &t->block[b];
    double w[3][3], y[4];
    const int q = block->q;
    if (block->type == SN_TANGENT_SCALAR) {
      for (int k = 0; k < 3; k++) d[k][q] = eta[k][block->eta];
      continue;
    }
    in_space(t, block->eta, eta, w);
    if (block->type == SN_TANGENT_VECTOR) {
      for (int k = 0; k < 3; k++) memcpy(d[k] + q, w[k], (size_t)t->dim * sizeof(double));
      continue;
    }
    static const double binomial[3][3] = {{1}, {1, 1}, {1, 2, 1}}; /* derivatives of theta o p */
    const double *const p[3] = {x->q + q, x->v + q, x->a + q};
    for (int k = 0; k < 3; k++) {
      memset(d[k] + q, 0, 4 * sizeof(double));
      for (int j = 0; j <= k; j++) {
        half_turn(w[k - j], p[j], y);
        for (int i = 0; i < 4; i++) d[k][q + i] += binomial[k][j] * y[i];
      }
    }
  }
}

void sn_tangent_lower(const sn_tangent *t, const sn_state *x, const double *da, const double *eta, const double *rate,
                      double *second) {
  for (int b = 0; b < t->blocks; b++) {
    const sn_tangent_block *block = &t->block[b];
    const int q = block->q, at = block->eta;
    if (block->type == SN_TANGENT_SCALAR) {
      second[at] = da[q];
      continue;
    }
    double w[3][3], y[4], left[4];
    const double zero[3] = {0};
    double here[3][3] = {{0}};
    const int count = block->type == SN_TANGENT_VECTOR ? t->dim : 3;
    memcpy(here[0], eta + at, (size_t)count * sizeof(double));
    memcpy(here[1], rate + at, (size_t)count * sizeof(double));
    const sn_tangent space = {.dim = 3, .rate = {t->rate[0], t->rate[1], t->rate[2]}};
    in_space(&space, 0, (const double *const[]){here[0], here[1], zero}, w); /* all but eta'' */
    if (block->type == SN_TANGENT_VECTOR) {
      for (int i = 0; i < count; i++) second[at + i] = da[q + i] - w[2][i];
      continue;
    }
    memcpy(left, da + q, sizeof left);
    half_turn(w[2], x->q + q, y);
    for (int i = 0; i < 4; i++) left[i] -= y[i];
    half_turn(w[1], x->v + q, y);
    for (int i = 0; i < 4; i++) left[i] -= 2 * y[i];
    half_turn(w[0], x->a + q, y);
    for (int i = 0; i < 4; i++) left[i] -= y[i];
    const double *p = x->q + q, back[4] = {p[0], -p[1], -p[2], -p[3]};
    multiply(left, back, y);
    for (int i = 0; i < 3; i++) second[at + i] = 2 * y[1 + i];
  }
}

void sn_tangent_pull(const sn_tangent *t, const double *q, const double *x, double *y) {
  for (int b = 0; b < t->blocks; b++) {
    const sn_tangent_block *block = &t->block[b];
    const double *g = x + block->q, *p = q + block->q;
    double *to = y + block->eta, turned[3];
    if (block->type == SN_TANGENT_SCALAR) to[0] = g[0];
    if (block->type == SN_TANGENT_VECTOR) memcpy(to, g, (size_t)t->dim * sizeof(double));
    if (block->type != SN_TANGENT_ROTATION) continue;
    sn_cross(turned, p + 1, g + 1); /* g.(theta x e) = theta.(e x g) */
    for (int i = 0; i < 3; i++) to[i] = (p[0] * g[1 + i] - g[0] * p[1 + i] + turned[i]) / 2;
  }
}

/* ---- of the motion itself ---- */

void sn_tangent_unsteady(const sn_tangent *t, const sn_state *x, double *work, double *second) {
  double *none = work, *rate = work + t->size;
  memset(none, 0, (size_t)t->size * sizeof(double));
  sn_tangent_lower(t, x, x->v, none, none, rate);
  sn_tangent_lower(t, x, x->a, none, none, second);
  for (int b = 0; b < t->blocks; b++) {
    const sn_tangent_block *block = &t->block[b];
    double v[3] = {0}, steady[3];
    if (block->type == SN_TANGENT_SCALAR) continue;
    memcpy(v, rate + block->eta, (size_t)t->dim * sizeof(double));
    sn_cross(steady, t->rate, v);
    for (int k = 0; k < t->dim; k++) second[block->eta + k] -= steady[k];
  }
}

/* u = r' - W x r of a vector block */
static void apart_of(const sn_tangent *t, const sn_state *x, const sn_tangent_block *block, double u[3]) {
  double r[3] = {0}, v[3] = {0}, steady[3];
  memcpy(r, x->q + block->q, (size_t)t->dim * sizeof(double));
  memcpy(v, x->v + block->q, (size_t)t->dim * sizeof(double));
  sn_cross(steady, t->rate, r);
  sn_sub(u, v, steady);
}

double sn_tangent_apart(const sn_tangent *t, const sn_state *x) {
  double c[3] = {0, 0, 0}, most = 0, u[3], off[3];
  for (int b = 0; b < t->blocks; b++) {
    if (t->block[b].type != SN_TANGENT_VECTOR) continue;
    apart_of(t, x, &t->block[b], u);
    if (sn_norm(u) > sn_norm(c)) sn_copy(c, u);
  }
  for (int b = 0; b < t->blocks; b++) {
    if (t->block[b].type != SN_TANGENT_VECTOR) continue;
    apart_of(t, x, &t->block[b], u);
    sn_sub(off, u, c);
    most = fmax(most, fmin(sn_norm(u), sn_norm(off)));
  }
  return most;
}

double sn_tangent_turning(const sn_tangent *t, const sn_state *x, double length, double *work) {
  double *none = work, *rate = work + t->size, most = 0;
  const double *first = NULL; /* vectors at rest and those that move alike do not turn */
  memset(none, 0, (size_t)t->size * sizeof(double));
  sn_tangent_lower(t, x, x->v, none, none, rate);
  for (int b = 0; b < t->blocks; b++) {
    const sn_tangent_block *block = &t->block[b];
    const double *v = rate + block->eta;
    double size = 0, off = 0;
    if (block->type == SN_TANGENT_SCALAR) continue;
    for (int k = 0; k < t->dim; k++) size += v[k] * v[k];
    if (block->type == SN_TANGENT_ROTATION) most = fmax(most, sqrt(size));
    if (block->type == SN_TANGENT_ROTATION || size == 0) continue;
    if (!first) first = v;
    for (int k = 0; k < t->dim; k++) off += (v[k] - first[k]) * (v[k] - first[k]);
    most = fmax(most, sqrt(off) / length);
  }
  return most;
}
