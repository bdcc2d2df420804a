/* formulation.c - see formulation.h. */
#include "analysis/formulation.h"

#include <math.h>
#include <string.h>

#include "analysis/evidence.h"
#include "analysis/mesh_error.h"
#include "analysis/trust.h"

/* Columns of resultants in space; in the plane N, Q, M. */
enum { N, MX = 3, MY, MZ, COLUMNS = 16 };
/* Of each body in evidence.formulation: most strain energy of torsion, of bending, and of all. */
enum { TORSION, BENDING, ALL, VALUES };

static bool is_off(double ratio) {
  const double counts = 0.02;
  return ratio > 0 && fabs(ratio - 1) > counts;
}

/* A beam that resists torsion or bending otherwise than its section. */
static bool take_beam(const sn_model *m, int index, sn_mesh_line *x) {
  return sn_mesh_take(m, index, x) && (is_off(x->g.torsion) || is_off(x->g.bends));
}

/* Strain energies, and the angle by which the sections turn in all. */
static double energies_of(const sn_mesh_motion *m, sn_mesh_line *x, double sum[VALUES]) {
  const bool space = x->body->ops->resultant_headings->count > 5;
  const double l = x->g.element_length, bends = x->g.bends > 0 ? x->g.bends : 1;
  double angle = 0, y[COLUMNS];
  memset(sum, 0, VALUES * sizeof(double));
  for (int e = 0; e < x->g.elements; e++) {
    x->g.place = (e + 0.5) / x->g.elements;
    x->body->ops->geometry(x->body, &x->g);
    sn_mesh_resultants(m, x, e, 0.5, y);
    const double Mz = y[space ? MZ : 2], My = space ? y[MY] : 0, T = space ? y[MX] : 0;
    double bending = l / 2 * Mz * Mz / (bends * x->g.EI[0]);
    if (My != 0) bending += l / 2 * My * My / (bends * x->g.EI[1]);
    const double twist = T != 0 ? l / 2 * T * T / x->g.GJ : 0;
    if (T != 0) angle += l * fabs(T) / x->g.GJ;
    sum[TORSION] += twist;
    sum[BENDING] += bending;
    sum[ALL] += twist + bending + l / 2 * y[N] * y[N] / x->g.stiffness;
  }
  return angle;
}

/* ---- rows ---- */

void sn_formulation_begin(sn_simulation *s) {
  sn_mesh_line x;
  for (int i = 0; i < s->model->bodies && !s->evidence.formulation; i++)
    if (take_beam(s->model, i, &x)) s->evidence.formulation = SN_NEW(&s->arena, double, VALUES * s->model->bodies);
}

void sn_formulation_row(sn_simulation *s, const sn_row *row) {
  const double rounding = 1e-9; /* rad */
  if (!s->evidence.formulation) return;
  sn_state at = s->sample;
  at.t = row->t, at.q = row->q, at.v = row->v;
  const sn_mesh_motion m = {.simulation = s, .ev = sn_eval_at(s, &at)};
  for (int i = 0; i < s->model->bodies; i++) {
    double *most = s->evidence.formulation + (size_t)VALUES * (size_t)i, now[VALUES];
    sn_mesh_line x;
    if (!take_beam(s->model, i, &x)) continue;
    const double angle = energies_of(&m, &x, now);
    if (!(angle > rounding)) now[TORSION] = 0;
    for (int k = 0; k < VALUES; k++) most[k] = fmax(most[k], now[k]);
  }
}

void sn_formulation_history(sn_simulation *s, sn_history *h) {
  sn_formulation_begin(s); /* the row may be that of a checkpoint */
  if (s->evidence.formulation) sn_history_reals(h, s->evidence.formulation, (size_t)VALUES * (size_t)s->model->bodies);
}

double sn_torsion_share(const sn_simulation *s, int *body) {
  double share = 0;
  for (int i = 0; s->evidence.formulation && i < s->model->bodies; i++) {
    const double *most = s->evidence.formulation + (size_t)VALUES * (size_t)i;
    sn_mesh_line x;
    if (most[TORSION] > share * most[ALL] && take_beam(s->model, i, &x) && is_off(x.g.torsion))
      share = most[TORSION] / most[ALL], *body = i;
  }
  return share;
}

/* Of the stage: in statics of the strain energy of the beam, in dynamics of the energy exchanged or stored. */
static double bending_of_stage(const sn_simulation *s, int *body) {
  double share = 0;
  for (int i = 0; s->evidence.formulation && s->evidence.rows > 0 && i < s->model->bodies; i++) {
    const double *most = s->evidence.formulation + (size_t)VALUES * (size_t)i;
    sn_mesh_line x;
    if (!(most[BENDING] > 0) || !take_beam(s->model, i, &x) || !is_off(x.g.bends)) continue;
    const double all = s->ops ? fmax(most[ALL], sn_evidence_exchanged(s)) : most[ALL];
    const double excess = (1 - 1 / x.g.bends) * most[BENDING] / all;
    if (excess > share) share = excess, *body = i;
  }
  return share;
}

double sn_bending_excess(const sn_simulation *s, int *body) {
  const double share = bending_of_stage(s, body);
  if (share >= s->evidence.locked) return share;
  *body = s->evidence.locking;
  return s->evidence.locked;
}

void sn_formulation_end(sn_simulation *s) {
  s->evidence.locked = sn_bending_excess(s, &s->evidence.locking);
}

/* ---- in words ---- */

static const char *const remedy =
    "elastic: timoshenko, the default, which has the torsion constant of the section and bends as it does";

static const char *remedy_in(const sn_simulation *s) {
  return s->model->dim == 2 ? "elastic: selective, the default" : remedy;
}

const char *sn_torsion_say(sn_simulation *s, double value) {
  int i = 0;
  sn_mesh_line x;
  sn_torsion_share(s, &i);
  take_beam(s->model, i, &x);
  return sn_format(&s->arena,
                   "beam '%s' twists too %s by %.2g of its twist: its formulation has no warping, and %.3g times the "
                   "torsion constant of its section; torsion stores %.2g of its strain energy; possible remedy: %s",
                   x.body->name, x.g.torsion > 1 ? "little" : "much", fabs(1 - 1 / x.g.torsion), x.g.torsion, value,
                   remedy_in(s));
}

const char *sn_bending_say(sn_simulation *s, double value) {
  int i = 0;
  sn_mesh_line x;
  sn_bending_excess(s, &i);
  take_beam(s->model, i, &x);
  return sn_format(&s->arena,
                   "%s '%s' bends too little by %.2g: its formulation (elastic: continuum) has %.3g times the bending "
                   "stiffness of its section, on any mesh, by Poisson's effect; this is %.1g of the energy; possible "
                   "remedy: %s",
                   x.body->spec->kind->name, x.body->name, 1 - 1 / x.g.bends, x.g.bends, value, remedy_in(s));
}

/* ---- motions ---- */

double sn_formulation_excess(const sn_mesh_motion *m, int *body) {
  const sn_model *model = m->simulation->model;
  double sum = 0, largest = 0, energy[VALUES];
  for (int i = 0; i < model->bodies; i++) {
    sn_mesh_line x;
    if (!take_beam(model, i, &x)) continue;
    energies_of(m, &x, energy);
    double excess = 0;
    if (is_off(x.g.torsion)) excess += (1 - 1 / x.g.torsion) * energy[TORSION];
    if (is_off(x.g.bends)) excess += (1 - 1 / x.g.bends) * energy[BENDING];
    sum += excess;
    if (fabs(excess) > largest) largest = fabs(excess), *body = i;
  }
  return sum;
}

/* Values of an analysis that are off by more than `most`, and the worst. */
typedef struct wrong {
  int count, mode, body;
  double worst;
} wrong;

static void note(wrong *w, int mode, double error, int body) {
  const double most = 0.01;
  if (!(fabs(error) > most)) return;
  w->count++;
  if (fabs(error) > fabs(w->worst)) w->worst = error, w->mode = mode, w->body = body;
}

static void tell(sn_simulation *s, const wrong *w, const char *analysis, const char *one, const char *many) {
  sn_mesh_line x;
  if (w->count == 0 || !take_beam(s->model, w->body, &x)) return;
  const char *torsion = is_off(x.g.torsion) ? "has no warping, and another torsion constant than its section" : "";
  const char *bends = is_off(x.g.bends) ? "bends less than its section by Poisson's effect" : "";
  sn_add_model_doubt(
      s, SN_DOUBTFUL,
      sn_format(
          &s->arena,
          "%s: %d %s off by more than 0.01 of %s, most %s %d, too %s by about %.2g or more: the formulation of %s '%s' "
          "%s%s%s; possible remedy: %s",
          analysis, w->count, w->count > 1 ? sn_format(&s->arena, "%s are", many) : sn_format(&s->arena, "%s is", one),
          w->count > 1 ? "their values" : "its value", one, w->mode, w->worst > 0 ? "high" : "low", fabs(w->worst),
          x.body->spec->kind->name, x.body->name, torsion, *torsion && *bends ? ", and " : "", bends, remedy_in(s)));
}

/* Of a frequency, by the part of w2 that is too much. */
static double error_of(double part) {
  return 1 / sqrt(fmax(1e-2, 1 - part)) - 1;
}

void sn_doubt_modal_formulation(sn_simulation *s, const sn_state *state, const sn_modes *modes) {
  wrong w = {0};
  sn_mesh_motion m = {.simulation = s, .ev = sn_eval_at(s, state)};
  for (int k = 0; k < modes->count && s->evidence.formulation; k++) {
    int body = 0;
    if (!(modes->w2[k] > 0)) continue;
    m.u = modes->shape + (size_t)k * (size_t)s->model->n;
    const double part = 2 * sn_formulation_excess(&m, &body) / modes->w2[k]; /* U = w2/2 */
    note(&w, k + 1, error_of(part), body);
  }
  tell(s, &w, "modes", "frequency", "frequencies");
}

/* The square of the third vibration: what would be below it counts, wherever it is by too much stiffness. */
static double lowest_of(const sn_modes *modes) {
  int vibrations = 0;
  for (int k = 0; k < modes->count; k++)
    if (modes->im[k] > 0 && ++vibrations == SN_LOWEST) return modes->w2[k];
  return INFINITY;
}

void sn_doubt_damped_formulation(sn_simulation *s, const sn_state *state, sn_system *system, const sn_modes *modes) {
  wrong w = {0};
  sn_mesh_motion m = {.simulation = s, .ev = sn_eval_at(s, state)};
  double *Mu = SN_NEW(&s->arena, double, system->n + system->m);
  const double highest = lowest_of(modes);
  for (int k = 0; k < modes->count && s->evidence.formulation; k++) {
    int body = 0;
    double norm = 0;
    if (!(modes->im[k] > 0)) continue;
    m.u = modes->shape + (size_t)k * (size_t)s->model->n;
    sn_system_mass_times(system, state, m.u, Mu);
    for (int i = 0; i < s->model->n; i++) norm += m.u[i] * Mu[i];
    const double part = 2 * sn_formulation_excess(&m, &body) / (modes->w2[k] * norm);
    if (norm > 0 && (1 - part) * modes->w2[k] <= highest) note(&w, k + 1, error_of(part), body);
  }
  tell(s, &w, "linearize", "frequency", "frequencies");
}

void sn_doubt_buckling_formulation(sn_simulation *s, const sn_state *state, double load, const sn_modes *modes,
                                   const double *energy) {
  wrong w = {0};
  sn_mesh_motion m = {.simulation = s, .ev = sn_eval_at(s, state)};
  for (int k = 0; k < modes->count && s->evidence.formulation; k++) {
    int body = 0;
    m.u = modes->shape + (size_t)k * (size_t)s->model->n;
    const double factor = modes->factor[k], part = sn_formulation_excess(&m, &body) / energy[k];
    const double right = load + (factor - load) * (1 - part); /* what is taken from K is taken from f */
    if (energy[k] > 0) note(&w, k + 1, fmin(100, factor / fmax(right, 1e-3 * factor) - 1), body);
  }
  tell(s, &w, "buckling", "load factor", "load factors");
}
