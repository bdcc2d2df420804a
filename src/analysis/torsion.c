/* torsion.c - see torsion.h. */
#include "analysis/torsion.h"

#include <math.h>
#include <string.h>

#include "analysis/trust.h"

/* Columns of resultants in space. */
enum { N, MX = 3, MY, MZ, COLUMNS = 16 };

/* A beam whose torsion constant is not that of its section. */
static bool take_beam(const sn_model *m, int index, sn_geometry *g) {
  const double counts = 0.02;
  const sn_body *body = &m->body[index];
  if (!body->ops->geometry || !body->ops->resultants || !body->data) return false;
  *g = (sn_geometry){.place = 0.5};
  body->ops->geometry(body, g);
  return g->torsion > 0 && fabs(g->torsion - 1) > counts;
}

/* Resultants in the middle of an element at the coordinates q. */
static void resultants_at(const sn_body *body, int element, const sn_eval *ev, double y[COLUMNS]) {
  const sn_marker middle = {.body = body, .element = element, .local = {0.5}};
  memset(y, 0, COLUMNS * sizeof(double));
  body->ops->resultants(&middle, ev, NULL, y);
}

static void place(const sn_body *body, int element, sn_geometry *g) {
  g->place = (element + 0.5) / g->elements;
  body->ops->geometry(body, g);
}

/* Strain energy of torsion, and that of stretch, bending and torsion; the angle by which the sections turn in all. */
typedef struct energies {
  double torsion, all, angle;
} energies;

static energies energies_of(const sn_body *body, const sn_eval *ev, sn_geometry *g) {
  energies sum = {0};
  for (int e = 0; e < g->elements; e++) {
    double y[COLUMNS];
    place(body, e, g);
    resultants_at(body, e, ev, y);
    const double l = g->element_length, twist = l * y[MX] * y[MX] / (2 * g->GJ);
    sum.torsion += twist;
    sum.all += twist + l / 2 * (y[N] * y[N] / g->stiffness + y[MZ] * y[MZ] / g->EI[0] + y[MY] * y[MY] / g->EI[1]);
    sum.angle += l * fabs(y[MX]) / g->GJ;
  }
  return sum;
}

/* ---- rows ---- */

void sn_torsion_begin(sn_simulation *s) {
  sn_geometry g;
  for (int i = 0; i < s->model->bodies && !s->evidence.twisting; i++)
    if (take_beam(s->model, i, &g)) s->evidence.twisting = SN_NEW(&s->arena, double, 2 * s->model->bodies);
}

void sn_torsion_row(sn_simulation *s, const sn_row *row) {
  const double rounding = 1e-9; /* rad */
  if (!s->evidence.twisting) return;
  sn_state at = s->sample;
  at.t = row->t, at.q = row->q, at.v = row->v;
  const sn_eval ev = sn_eval_at(s, &at);
  for (int i = 0; i < s->model->bodies; i++) {
    double *most = s->evidence.twisting + 2 * i;
    sn_geometry g;
    if (!take_beam(s->model, i, &g)) continue;
    const energies now = energies_of(&s->model->body[i], &ev, &g);
    if (now.angle > rounding) most[0] = fmax(most[0], now.torsion);
    most[1] = fmax(most[1], now.all);
  }
}

double sn_torsion_share(const sn_simulation *s, int *body) {
  double share = 0;
  for (int i = 0; s->evidence.twisting && i < s->model->bodies; i++) {
    const double *most = s->evidence.twisting + 2 * i;
    if (most[0] > share * most[1]) share = most[0] / most[1], *body = i;
  }
  return share;
}

/* ---- in words ---- */

static const char *remedy = "elastic: timoshenko, the default, which has the torsion constant of the section";

const char *sn_torsion_say(sn_simulation *s, double value) {
  int i = 0;
  sn_geometry g;
  sn_torsion_share(s, &i);
  take_beam(s->model, i, &g);
  return sn_format(&s->arena,
                   "beam '%s' twists too %s by %.2g of its twist: its formulation has no warping, and %.3g times the "
                   "torsion constant of its section; torsion stores %.2g of its strain energy; possible remedy: %s",
                   s->model->body[i].name, g.torsion > 1 ? "little" : "much", fabs(1 - 1 / g.torsion), g.torsion, value,
                   remedy);
}

/* ---- modes ---- */

/* What the torsion of a body has too much of, (1 - 1/torsion) T^2/(2 GJ), for the small motion u; by differences. */
static double excess_of(const sn_simulation *s, const sn_body *body, sn_geometry *g, sn_eval ev, const double *u) {
  const double *q = ev.q;
  double *moved = s->scratch, most = 0, sum = 0, y[2][COLUMNS];
  for (int i = body->first; i < body->first + body->count; i++) most = fmax(most, fabs(u[i]));
  if (!(most > 0)) return 0;
  const double h = 1e-5 * g->element_length / most;
  ev.q = moved;
  for (int e = 0; e < g->elements; e++) {
    place(body, e, g);
    for (int side = 0; side < 2; side++) {
      for (int i = 0; i < s->model->n; i++) moved[i] = q[i] + (side ? h : -h) * u[i];
      resultants_at(body, e, &ev, y[side]);
    }
    const double T = (y[1][MX] - y[0][MX]) / (2 * h);
    sum += (1 - 1 / g->torsion) * g->element_length * T * T / (2 * g->GJ);
  }
  return sum;
}

void sn_doubt_modal_torsion(sn_simulation *s, const sn_state *state, const sn_modes *modes) {
  const double most = 0.01;
  double worst = 0;
  int mode = 0, twisted = 0, count = 0;
  sn_eval ev = sn_eval_at(s, state);
  for (int k = 0; k < modes->count; k++) {
    double sum = 0, largest = 0;
    int here = 0;
    if (!(modes->w2[k] > 0)) continue;
    for (int i = 0; i < s->model->bodies; i++) {
      sn_geometry g;
      if (!take_beam(s->model, i, &g)) continue;
      const double excess = excess_of(s, &s->model->body[i], &g, ev, modes->shape + (size_t)k * (size_t)s->model->n);
      sum += excess;
      if (fabs(excess) > largest) largest = fabs(excess), here = i;
    }
    const double error = 1 / sqrt(fmax(1e-2, 1 - 2 * sum / modes->w2[k])) - 1; /* U = w2/2 */
    count += fabs(error) > most;
    if (fabs(error) > most && fabs(error) > fabs(worst)) worst = error, mode = k + 1, twisted = here;
  }
  if (mode == 0) return;
  sn_add_model_doubt(
      s, SN_DOUBTFUL,
      sn_format(&s->arena,
                "modes: %d frequenc%s off by more than %.1g of %s, most frequency %d, too %s by about %.2g: the "
                "formulation of beam '%s' has no warping, and another torsion constant than its section; "
                "possible remedy: %s",
                count, count > 1 ? "ies are" : "y is", most, count > 1 ? "their values" : "its value", mode,
                worst > 0 ? "high" : "low", fabs(worst), s->model->body[twisted].name, remedy));
}
