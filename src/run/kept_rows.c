/* kept_rows.c - the rows of a run in memory. */
#include "run/kept_rows.h"

#include <math.h>
#include <string.h>

#include "analysis/modes.h"
#include "model/refer.h"

/* ---- columns ---- */

typedef struct listing {
  sn_arena *arena;
  const char **name;
  int count;
} listing;

static void add_group(listing *l, const char *group, const char *const *names, int count) {
  for (int i = 0; i < count; ++i) l->name[l->count++] = sn_format(l->arena, "%s.%s", group, names[i]);
}

static int count_columns(const sn_simulation *s) {
  return 1 + s->output_columns + SN_ENERGIES + SN_LEVELS + 6 + 2 + 3 + SN_STABILITIES;
}

/* In the order of sn_kept_rows_add. */
static void list_columns(sn_kept_rows *kept) {
  static const char *const axes[] = {"x", "y", "z"}, *const contacts[] = {"count", "penetration"};
  const sn_simulation *s = kept->simulation;
  const sn_model *model = s->model;
  listing l = {&kept->arena, SN_NEW(&kept->arena, const char *, count_columns(s)), 0};
  l.name[l.count++] = "t";
  for (int i = 0; i < model->outputs; ++i)
    add_group(&l, model->output[i].name, model->output[i].column, model->output[i].columns);
  add_group(&l, "energy", sn_energy_names, SN_ENERGIES);
  add_group(&l, "constraint", sn_level_names, SN_LEVELS);
  add_group(&l, "momentum.linear", axes, 3);
  add_group(&l, "momentum.angular", axes, 3);
  if (model->surfaces) add_group(&l, "contacts", contacts, 2);
  l.name[l.count++] = "step";
  l.name[l.count++] = "stage";
  l.name[l.count++] = "load";
  if (sn_has_path(s)) add_group(&l, "path", sn_stability_names, SN_STABILITIES);
  kept->name = l.name;
  kept->columns = l.count;
}

/* ---- rows ---- */

double sn_kept_rows_bytes(const sn_simulation *s) {
  const double rows = s->output_step > 0 ? (s->end - s->state.t) / s->output_step : 1;
  return (double)sizeof(double) * count_columns(s) * (rows + 2);
}

void sn_kept_rows_begin(sn_kept_rows *kept, sn_simulation *simulation) {
  *kept = (sn_kept_rows){.simulation = simulation};
  list_columns(kept);
  kept->series = SN_NEW(&kept->arena, const double *, kept->columns);
}

void sn_kept_rows_free(sn_kept_rows *kept) {
  sn_free(kept->value);
  sn_arena_free(&kept->arena);
}

static double *append(double *at, const double *values, int count) {
  if (count) memcpy(at, values, sizeof(double) * (size_t)count);
  return at + count;
}

void sn_kept_rows_add(sn_kept_rows *kept, const sn_row *row) {
  const sn_simulation *s = kept->simulation;
  if (kept->rows == kept->room) {
    kept->room = kept->room ? 2 * kept->room : 64;
    SN_RESIZE(kept->value, kept->room * (size_t)kept->columns);
  }
  double *at = kept->value + kept->rows * (size_t)kept->columns;
  *at++ = row->t;
  at = append(at, row->values, s->output_columns);
  at = append(at, row->energy, SN_ENERGIES);
  at = append(at, row->constraint, SN_LEVELS);
  at = append(at, row->momentum, 6);
  if (s->model->surfaces) {
    const sn_touching *t = &row->touching;
    double deepest = 0;
    for (int i = 0; i < t->count; ++i) deepest = fmax(deepest, -t->contact[i]->gap);
    *at++ = t->count;
    *at++ = deepest;
  }
  *at++ = row->step;
  *at++ = row->stage + 1;
  *at++ = row->load;
  if (sn_has_path(s)) append(at, row->stability, SN_STABILITIES);
  ++kept->rows;
}

/* ---- what measures ask for ---- */

const double *sn_kept_rows_series(sn_kept_rows *kept, const char *asked, size_t *count) {
  const char *name = sn_series_meant(kept->name, kept->columns, asked);
  *count = 0;
  for (int k = 0; k < kept->columns; ++k) {
    if (strcmp(kept->name[k], name)) continue;
    if (!kept->series[k]) {
      double *series = SN_NEW(&kept->arena, double, kept->rows + 1);
      for (size_t i = 0; i < kept->rows; ++i) series[i] = kept->value[i * (size_t)kept->columns + (size_t)k];
      kept->series[k] = series;
    }
    *count = kept->rows;
    return kept->series[k];
  }
  return NULL;
}

double sn_kept_rows_mode(const sn_kept_rows *kept, const char *quantity, int mode) {
  const sn_modes *last = NULL;
  for (const sn_modes *m = kept->simulation->modes; m; m = m->next)
    if (!last || m->stage > last->stage) last = m;
  if (!last || mode < 1 || mode > last->count) return NAN;
  const int i = mode - 1;
  if (!strcmp(quantity, "load_factor")) return last->factor ? last->factor[i] : NAN;
  if (last->factor) return NAN;
  if (!strcmp(quantity, "frequency")) return sn_mode_frequency(last, i);
  if (!strcmp(quantity, "damping")) return last->damping[i];
  if (!strcmp(quantity, "real_part")) return last->re ? last->re[i] : NAN;
  assert(!strcmp(quantity, "imaginary_part"));
  return last->im ? last->im[i] : NAN;
}
