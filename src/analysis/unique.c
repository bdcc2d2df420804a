/* unique.c - which reactions the constraints do not determine; see unique.h.
 *
 * If G has redundant equations there are multipliers z with G'z = 0: internal forces between joints without effect on
 * the motion. A reaction is unique if no z has a part in it. With any l, z = l - w is such a vector, w of least norm
 * with G'w = G'l; of an l without pattern it has a part in everything the null space has a part in.
 */
#include "analysis/unique.h"

#include <math.h>
#include <string.h>

#include "force/friction.h"
#include "output/output.h"

/* z[m] from fixed numbers without pattern; false: the matrix is singular. */
static bool null_vector(sn_simulation *s, double *z) {
  sn_system *sys = s->audit;
  double *x = s->scratch;
  uint32_t noise = 12345;
  for (int i = 0; i < sys->m; i++) {
    noise = noise * 1664525u + 1013904223u;
    z[i] = 1 + noise / 4294967296.0;
  }
  const bool set_valued = s->ops && s->ops->impulsive;
  sn_system_set_set_valued(sys, true); /* G alone, without friction */
  const bool factored = sn_system_factor_mass(sys, &s->state);
  sn_system_set_set_valued(sys, set_valued);
  if (!factored) return false;
  sn_system_reaction(sys, &s->state, z, x);
  memset(x + sys->n, 0, (size_t)sys->m * sizeof(double));
  sn_system_solve_refined(sys, x);
  for (int i = 0; i < sys->m; i++) z[i] -= x[sys->n + i];
  return true;
}

/* "fx, mz", or NULL where all columns are unique. */
static const char *open_columns(sn_simulation *s, const sn_output *o, const double *z) {
  double y[SN_OUTPUT_COLUMNS];
  const char *text = NULL;
  sn_eval ev = {.t = s->state.t, .q = s->state.q, .v = s->state.v, .a = s->state.a, .l = z, .load = 1, .ci = 1};
  ev.gravity = s->model->gravity;
  sn_output_fill(s->model, o, &ev, NULL, NULL, y);
  for (int k = 0; k < o->columns; k++)
    if (fabs(y[k]) > 1e-5) text = sn_format(&s->arena, "%s%s%s", text ? text : "", text ? ", " : "", o->column[k]);
  return text;
}

/* Friction of joints whose normal force has a part in z. */
static void doubt_friction(sn_simulation *s, const double *z) {
  const int count = sn_frictions_of(s->model, NULL, 0);
  const sn_friction **list = SN_NEW(&s->arena, const sn_friction *, count + 1);
  const sn_eval ev = {.t = s->state.t, .q = s->state.q, .v = s->state.v, .a = s->state.a, .l = z};
  sn_frictions_of(s->model, list, count);
  for (int i = 0; i < count; i++)
    if (list[i]->mu > 0 && sn_bearing_force(&list[i]->bearing, &ev) > 1e-5)
      sn_add_doubt(
          s, SN_DOUBTFUL,
          sn_format(&s->arena,
                    "friction '%s' depends on reactions that redundant constraints leave open: those of least "
                    "norm press; possible remedy: joints that do not repeat each other, or a constant friction",
                    list[i]->name));
}

/* Methods of impulses solve for dry friction and rigid stops: forces are without them. */
static void doubt_impulses(sn_simulation *s) {
  const sn_model *m = s->model;
  for (int i = 0; s->ops && s->ops->impulsive && i < m->outputs; i++) {
    if (m->output[i].type != SN_OUTPUT_FORCE) continue;
    const char *kind = m->force[m->output[i].force].spec->kind->name;
    if (strcmp(kind, "friction") != 0 && strcmp(kind, "stop") != 0) continue;
    sn_add_doubt(s, SN_DOUBTFUL,
                 sn_format(&s->arena,
                           "output '%s' is without the impulses of dry friction or rigid stops, which %s solves for; "
                           "possible remedy: another integrator",
                           m->output[i].name, s->integrator_name));
  }
}

sn_status sn_note_open_reactions(sn_simulation *s) {
  const sn_model *m = s->model;
  const char *list = NULL;
  sn_arena scratch = {0};
  doubt_impulses(s);
  if (s->audit->regularization == 0) return SN_OK;
  s->open = SN_NEW(&s->arena, const char *, m->outputs + 1);
  double *z = SN_NEW(&scratch, double, m->m);
  bool known = null_vector(s, z);
  for (int i = 0; known && i < m->outputs; i++) {
    const sn_output *o = &m->output[i];
    if (o->type != SN_OUTPUT_REACTION && o->type != SN_OUTPUT_LOCK) continue;
    s->open[i] = open_columns(s, o, z);
    if (s->open[i]) list = sn_format(&s->arena, "%s%s%s (%s)", list ? list : "", list ? ", " : "", o->name, s->open[i]);
  }
  if (known) doubt_friction(s, z);
  if (list)
    sn_add_note(
        s, sn_format(
               &s->arena,
               "reactions that are not unique because of redundant constraints: %s; those of least norm are recorded",
               list));
  sn_arena_free(&scratch);
  return known ? SN_OK : SN_NUMERICS;
}
