/* check_study.c - a study against its model: does what it speaks of exist? */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/simulation.h"
#include "model/reader.h"
#include "model/refer.h"
#include "study/sample.h"
#include "study/study.h"

typedef struct names {
  int count;
  const char **name;
} names;

static void add(names *list, const char *name) {
  list->name[list->count++] = name;
}

static bool holds(const names *list, const char *name) {
  for (int i = 0; i < list->count; i++)
    if (strcmp(list->name[i], name) == 0) return true;
  return false;
}

/* Names of the series of a result of the model. */
static names series_of(const sn_model *m, sn_arena *arena) {
  static const char *const others[] = {"t", "step", "stage", "load"};
  static const char axes[3] = {'x', 'y', 'z'};
  int count = SN_ENERGIES + SN_LEVELS + 6 + (int)SN_COUNT(others);
  for (int i = 0; i < m->outputs; i++) count += m->output[i].columns;
  names list = {.name = SN_NEW(arena, const char *, count)};
  for (int i = 0; i < m->outputs; i++)
    for (int k = 0; k < m->output[i].columns; k++)
      add(&list, sn_format(arena, "%s.%s", m->output[i].name, m->output[i].column[k]));
  for (int i = 0; i < SN_ENERGIES; i++) add(&list, sn_format(arena, "energy.%s", sn_energy_names[i]));
  for (int i = 0; i < SN_LEVELS; i++) add(&list, sn_format(arena, "constraint.%s", sn_level_names[i]));
  for (int i = 0; i < 3; i++) add(&list, sn_format(arena, "momentum.linear.%c", axes[i]));
  for (int i = 0; i < 3; i++) add(&list, sn_format(arena, "momentum.angular.%c", axes[i]));
  for (size_t i = 0; i < SN_COUNT(others); i++) add(&list, others[i]);
  return list;
}

/* ---- what varies ---- */

/* A step, tolerance or time is a positive number. */
static void check_option(sn_reader *reader, const sn_variation *v) {
  double smallest = v->count > 0 ? INFINITY : fmin(v->range.from, v->range.to);
  for (int i = 0; i < v->count; i++) smallest = isnan(v->value[i].number) ? NAN : fmin(smallest, v->value[i].number);
  if (!(smallest > 0)) sn_node_error(reader, v->node, "positive numbers", "'%s' cannot have these values", v->name);
}

/* Methods must exist; a setting must be one of some method. */
static void check_integrator(sn_reader *reader, const sn_variation *v) {
  names kinds = {.name = SN_NEW(reader->arena, const char *, 64)},
        fields = {.name = SN_NEW(reader->arena, const char *, 512)};
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++) {
    if ((*kind)->category != SN_INTEGRATORS || kinds.count == 64) continue;
    add(&kinds, (*kind)->name);
    for (const sn_field *f = (*kind)->fields; f->name && fields.count < 512; f++)
      if (!holds(&fields, f->name)) add(&fields, f->name);
  }
  const char *field = strchr(v->name, '.');
  if (field && !holds(&fields, field + 1))
    sn_node_error(reader, v->label, sn_suggest(reader->arena, field + 1, fields.name, fields.count),
                  "no integrator has a setting '%s'", field + 1);
  for (int i = 0; !field && i < v->count; i++)
    if (v->value[i].text[0] != '{' && !holds(&kinds, v->value[i].text))
      sn_node_error(reader, v->node->type == SN_SEQUENCE ? v->node->item[i] : v->node,
                    sn_suggest(reader->arena, v->value[i].text, kinds.name, kinds.count), "there is no integrator '%s'",
                    v->value[i].text);
  if (!field && v->count == 0) sn_node_error(reader, v->node, "a list of names", "'integrator' cannot be a range");
}

static void check_variations(sn_reader *reader, sn_study *study, const sn_document *model) {
  names known = {.name = SN_NEW(reader->arena, const char *, model->parameter_count + 8)};
  for (int i = 0; i < model->parameter_count; i++) add(&known, model->parameter_name[i]);
  for (int i = 0; i < study->variations; i++) {
    sn_variation *v = &study->variation[i];
    v->option = 0;
    for (int k = 0; sn_study_options[k] && !holds(&known, v->name); k++)
      if (strcmp(sn_study_options[k], v->name) == 0) v->option = k + 1;
    if (v->option) check_option(reader, v);
  }
  for (int i = 0; sn_study_options[i]; i++) add(&known, sn_study_options[i]);
  bool own = holds(&known, "integrator"); /* the name of a parameter */
  if (!own) add(&known, "integrator");
  for (int i = 0; i < study->variations; i++) {
    const sn_variation *v = &study->variation[i];
    bool setting = strncmp(v->name, "integrator.", 11) == 0;
    if (setting || (!own && strcmp(v->name, "integrator") == 0)) check_integrator(reader, v);
    if (setting || holds(&known, v->name)) continue;
    sn_node_error(reader, v->label, sn_suggest(reader->arena, v->name, known.name, known.count),
                  "the model has no parameter '%s'", v->name);
  }
}

/* ---- what is measured and drawn ---- */

/* A distance is that of a point or series, from a case there is, whose result is kept. */
static void check_distance(sn_reader *reader, const sn_study *study, const sn_measure_spec *spec) {
  const sn_value *value;
  int cases = sn_sample_cases(study, reader->arena, &value);
  if (!study->keep)
    sn_node_error(reader, spec->spec.label, "keep: true", "'%s' compares results: the study needs 'keep: true'",
                  spec->spec.name);
  for (int i = 0; i < cases; i++) {
    if (sn_sample_other(study, value, cases, i, spec->from) >= 0) continue;
    sn_field_error(reader, &spec->spec, "from",
                   "NAME=VALUE of what varies, such that all other values are those of the case",
                   "there is no case with %s beside case %d", spec->from, i + 1);
    return;
  }
}

static void check_measures(sn_reader *reader, const sn_study *study, const sn_model *model) {
  names series = series_of(model, reader->arena);
  bool sampled = reader->errors == 0; /* what varies is known */
  for (int i = 0; i < study->document->list[SN_MEASURED].count; i++) {
    const sn_measure_spec *spec = sn_study_measure(study, i);
    bool two = sn_measure_ops_of(spec)->between != NULL;
    if (two && sampled) check_distance(reader, study, spec);
    if (!spec->of || holds(&series, sn_series_meant(series.name, series.count, spec->of))) continue;
    if (two && holds(&series, sn_format(reader->arena, "%s.x", spec->of))) continue;
    const char *nearest = sn_nearest(spec->of, series.name, series.count);
    sn_field_error(
        reader, &spec->spec, "of",
        nearest ? sn_format(reader->arena, "did you mean '%s'?", nearest) : "OUTPUT.COLUMN, energy.total, ...",
        "the model records no series '%s'", spec->of);
  }
}

static void check_plots(sn_reader *reader, const sn_study *study) {
  const sn_list *measures = &study->document->list[SN_MEASURED], *plots = &study->document->list[SN_PLOTTED];
  names columns = {.name = SN_NEW(reader->arena, const char *, study->variations + measures->count + 4)};
  for (int i = 0; i < study->variations; i++) add(&columns, study->variation[i].name);
  for (int i = 0; i < measures->count; i++) add(&columns, measures->item[i]->name);
  add(&columns, "reached");
  add(&columns, "cpu");
  add(&columns, "wall");
  for (int i = 0; i < plots->count; i++) {
    const sn_plot_spec *p = (const sn_plot_spec *)(const void *)plots->item[i];
    const char *const fields[] = {"x", "y", "curves"}, *const used[] = {p->x, p->y, p->curves};
    for (int k = 0; k < 3; k++)
      if (used[k] && !holds(&columns, used[k]))
        sn_field_error(reader, &p->spec, fields[k], sn_suggest(reader->arena, used[k], columns.name, columns.count),
                       "the table has no column '%s'", used[k]);
  }
}

/* A column has one name only. */
static void check_columns(sn_reader *reader, const sn_study *study) {
  static const char *const taken[] = {"case", "status", "reached", "message", "cpu", "wall"};
  const sn_list *measures = &study->document->list[SN_MEASURED];
  for (int i = 0; i < measures->count; i++) {
    const char *name = measures->item[i]->name, *other = NULL;
    for (size_t k = 0; k < SN_COUNT(taken); k++)
      if (strcmp(name, taken[k]) == 0) other = "is a column of every table";
    for (int k = 0; k < study->variations; k++)
      if (strcmp(name, study->variation[k].name) == 0) other = "is the name of what varies";
    if (other) sn_node_error(reader, measures->item[i]->label, "another name", "'%s' %s", name, other);
  }
}

sn_status sn_check_study(sn_context *context, sn_arena *arena, sn_study *study, const sn_model *model) {
  sn_reader reader = sn_reader_for(context, arena, study->document);
  sn_clear_message(context);
  check_variations(&reader, study, model->document);
  check_measures(&reader, study, model);
  check_columns(&reader, study);
  check_plots(&reader, study);
  return reader.errors ? SN_BAD_MODEL : SN_OK;
}
