/* mesh_doubt.c - the analyses of mesh_error.h. */
#include <math.h>
#include <string.h>

#include "analysis/mesh_error.h"
#include "analysis/mesh_line.h"
#include "analysis/mesh_plate.h"

static double *memory_for_loads(sn_simulation *s) {
  int most = 1;
  for (int i = 0; i < s->model->bodies; i++) {
    const sn_geometry g = sn_body_geometry(&s->model->body[i]);
    if (g.elements > most) most = g.elements;
  }
  return SN_NEW(&s->arena, double, 3 * most + 1);
}

static sn_mesh_motion state_of(sn_simulation *s, const sn_state *x) {
  if (!s->evidence.mesh_loads) s->evidence.mesh_loads = memory_for_loads(s);
  return (sn_mesh_motion){.simulation = s, .ev = sn_eval_at(s, x), .load = s->evidence.mesh_loads};
}

static const char *remedy(const sn_simulation *s, const sn_mesh_line *x) {
  if (!x->g.flat) return "more elements";
  return s->model->dim == 2 ? "more elements (the error falls with their number squared), or a planar-beam or cable"
                            : "more elements (the error falls with their number squared), or elastic: timoshenko";
}

/* ---- analyses ---- */

static void doubt_static_plates(sn_simulation *s, const sn_mesh_motion *m) {
  const double most = 0.01; /* mesh_plate.h: it may be half of the error */
  for (int i = 0; i < s->model->bodies; i++) {
    double all;
    const double error = sn_mesh_plate(m, &s->model->body[i], &all);
    if (error > most * all)
      sn_add_model_doubt(s, SN_DOUBTFUL,
                         sn_format(&s->arena,
                                   "%s: the mesh of plate '%s' is too coarse for what acts on it: the energy of its "
                                   "deformation is off by about %.2g; possible remedy: more elements",
                                   s->analysis->kind.name, s->model->body[i].name, error / all));
  }
}

/* Strain energy that rounding of positions makes where nothing acts. */
static double energy_of_rounding(const sn_mesh_motion *m, const sn_mesh_line *x) {
  double most = 0;
  for (int i = x->body->first; i < x->body->first + x->body->count; i++) most = fmax(most, fabs(m->ev.q[i]));
  const double strain = 1e-14 * fmax(1, most / x->g.element_length);
  return 0.5 * x->g.stiffness * x->g.elements * x->g.element_length * strain * strain;
}

void sn_doubt_static_mesh(sn_simulation *s) {
  const double most = 0.02;
  sn_mesh_motion m = state_of(s, &s->state);
  m.ev.a = m.ev.v = s->audit->zero;
  m.ev.load = s->load;
  for (int i = 0; i < s->model->bodies; i++) {
    sn_mesh_line x;
    if (!sn_mesh_take(s->model, i, &x)) continue;
    const double missing = sn_mesh_missing(&m, &x), all = sn_mesh_strain(&m, &x) + (x.g.flat ? 0 : missing);
    if (!(missing > most * all) || all <= energy_of_rounding(&m, &x)) continue;
    sn_add_model_doubt(s, SN_DOUBTFUL,
                       sn_format(&s->arena, "%s: %s '%s' bends too little by about %.2g, as %s; possible remedy: %s",
                                 s->analysis->kind.name, x.body->spec->kind->name, x.body->name, missing / all,
                                 x.g.flat ? "each of its elements has one curvature"
                                          : "its elements are too long for what acts on them",
                                 remedy(s, &x)));
  }
  doubt_static_plates(s, &m);
}

/* Values of modes that are off by more than `most`, and the worst of them. */
typedef struct too_coarse {
  double most;
  int first, last;
  double worst;
  sn_mesh_line at;
} too_coarse;

/* What all elements lack in a motion, and the body that lacks most. */
static double missing_in(const sn_mesh_motion *m, sn_mesh_line *most) {
  const sn_model *model = m->simulation->model;
  double sum = 0, largest = 0;
  for (int i = 0; i < model->bodies; i++) {
    sn_mesh_line x;
    double all;
    const bool is_line = sn_mesh_take(model, i, &x);
    const double missing = is_line ? sn_mesh_missing(m, &x) : sn_mesh_plate(m, &model->body[i], &all);
    sum += missing;
    if (missing > largest) largest = missing, *most = x;
  }
  return sum;
}

static void note(too_coarse *c, int mode, double error, const sn_mesh_line *at) {
  if (!(error > c->most)) return;
  if (c->first == 0) c->first = mode + 1;
  c->last = mode + 1;
  if (error > c->worst) c->worst = error, c->at = *at;
}

static const char *tell(sn_simulation *s, const too_coarse *c, const char *analysis, const char *one,
                        const char *many) {
  const bool single = c->first == c->last, is_plate = c->at.g.type == SN_GEOMETRY_SURFACE; /* may be too soft */
  return sn_format(&s->arena,
                   "%s: %s %d%s %s by %.1g or more of %s, up to about %.2g: elements of %s '%s' are too long for "
                   "%s shape%s; possible remedy: %s",
                   analysis, single ? one : sn_format(&s->arena, "%s from", many), c->first, single ? " is" : " on are",
                   is_plate ? "off" : "too high", c->most, single ? "its value" : "their values", c->worst,
                   c->at.body->spec->kind->name, c->at.body->name, single ? "its" : "their", single ? "" : "s",
                   remedy(s, &c->at));
}

void sn_doubt_modal_mesh(sn_simulation *s, const sn_state *state, const sn_modes *modes) {
  too_coarse c = {.most = 0.01};
  sn_mesh_motion m = state_of(s, state);
  m.ev.v = m.ev.a = s->audit->zero;
  for (int k = 0; k < modes->count; k++) {
    sn_mesh_line here = {0};
    if (!(modes->w2[k] > 0)) continue;
    m.u = modes->shape + (size_t)k * (size_t)s->model->n;
    m.w2 = modes->w2[k];
    note(&c, k, missing_in(&m, &here) / modes->w2[k], &here); /* half of it over U = w2/2 */
  }
  if (c.at.body) sn_add_model_doubt(s, SN_DOUBTFUL, tell(s, &c, "modes", "frequency", "frequencies"));
}

/* The lowest ones alone: the highest of a mesh are always those of its elements. */
void sn_doubt_damped_mesh(sn_simulation *s, const sn_state *state, sn_system *system, const sn_modes *modes) {
  too_coarse c = {.most = 0.02};
  sn_mesh_motion m = state_of(s, state);
  double *Mu = SN_NEW(&s->arena, double, system->n + system->m);
  int vibrations = 0;
  m.ev.a = s->audit->zero;
  for (int k = 0; k < modes->count && vibrations < SN_LOWEST; k++) {
    sn_mesh_line here = {0};
    double norm = 0;
    if (!(modes->im[k] > 0)) continue;
    vibrations++;
    m.u = modes->shape + (size_t)k * (size_t)s->model->n;
    m.w2 = modes->w2[k];
    sn_system_mass_times(system, state, m.u, Mu);
    for (int i = 0; i < s->model->n; i++) norm += m.u[i] * Mu[i];
    if (norm > 0) note(&c, k, missing_in(&m, &here) / (modes->w2[k] * norm), &here);
  }
  if (c.at.body) sn_add_model_doubt(s, SN_DOUBTFUL, tell(s, &c, "linearize", "frequency", "frequencies"));
}

void sn_doubt_buckling_mesh(sn_simulation *s, const sn_state *state, const double *response, double load,
                            const sn_modes *modes, const double *energy) {
  too_coarse c = {.most = 0.02};
  sn_mesh_motion m = state_of(s, state);
  m.ev.v = m.ev.a = s->audit->zero;
  m.response = response;
  for (int k = 0; k < modes->count; k++) {
    sn_mesh_line here = {0};
    m.u = modes->shape + (size_t)k * (size_t)s->model->n;
    m.more = modes->factor[k] - load;
    const double missing = missing_in(&m, &here);
    if (energy[k] > 0) note(&c, k, missing / energy[k] * fabs(m.more / modes->factor[k]), &here);
  }
  if (c.at.body) sn_add_model_doubt(s, SN_DOUBTFUL, tell(s, &c, "buckling", "load factor", "load factors"));
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

/* What plates lack, of some rows if they have many elements: it takes the time of several steps of theirs. */
static double missing_in_plates(sn_simulation *s, const sn_mesh_motion *m, double *largest, int *coarse) {
  const int few = 64;
  sn_evidence *e = &s->evidence;
  int elements = 0;
  for (int i = 0; i < s->model->bodies; i++) {
    const sn_geometry g = sn_body_geometry(&s->model->body[i]);
    if (g.type == SN_GEOMETRY_SURFACE) elements += g.grid[0] * g.grid[1];
  }
  if (elements == 0 || e->rows % (1 + elements / few) != 0) return elements == 0 ? 0 : e->plates_missing;
  e->plates_missing = 0;
  for (int i = 0; i < s->model->bodies; i++) {
    double all;
    const double missing = sn_mesh_plate(m, &s->model->body[i], &all);
    e->plates_missing += missing;
    if (missing > *largest) *largest = missing, *coarse = i;
  }
  return e->plates_missing;
}

void sn_follow_mesh(sn_simulation *s, const sn_row *row) {
  sn_evidence *e = &s->evidence;
  double sum = 0, largest = 0;
  int coarse = 0;
  if (!s->ops || e->rows % (1 + s->model->n / 20000) != 0) return; /* large models: of some rows */
  sn_state at = s->sample;
  at.t = row->t, at.q = row->q, at.v = row->v;
  sn_mesh_motion m = state_of(s, &at);
  for (int i = 0; i < s->model->bodies; i++) {
    sn_mesh_line x;
    if (!sn_mesh_take(s->model, i, &x)) continue;
    const double missing = x.g.elements < 3 ? sn_mesh_missing(&m, &x) : sn_mesh_waves(&m, &x);
    sum += missing;
    if (missing > largest) largest = missing, coarse = i;
  }
  sum += missing_in_plates(s, &m, &largest, &coarse);
  follow_swings(e, sum);
  if (sum > e->missing) e->missing = sum, e->coarse = coarse;
}
