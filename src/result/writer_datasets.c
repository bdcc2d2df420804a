/* writer_datasets.c - the datasets of a result that grow with its rows. */
#include <math.h>

#include "result/drawing.h"
#include "result/layout.h"
#include "result/writer.h"

static void write_outputs(sn_writer *w) {
  const sn_model *model = w->simulation->model;
  const hid_t outputs = sn_h5_group(&w->h5, w->h5.file, "outputs");
  for (int i = 0; i < model->outputs && !w->h5.failed; ++i) {
    const sn_output *output = &model->output[i];
    const sn_track *track = sn_track_add(&w->tracks, &w->h5, outputs, output->name, output->columns, 2);
    if (track) sn_layout_write_output(&w->h5, track->dataset, model, output);
    const char *open = w->simulation->open ? w->simulation->open[i] : NULL;
    if (track && open) sn_h5_text(&w->h5, track->dataset, "not_unique", open);
  }
  sn_h5_close(outputs);
}

/* Bodies lie one after the other in q, in the order of the model; those without coordinates get a group only. */
static void write_bodies(sn_writer *w) {
  const sn_model *model = w->simulation->model;
  const hid_t bodies = sn_h5_group(&w->h5, w->h5.file, "bodies");
  const size_t q = w->tracks.width;
  for (int i = 0; i < model->bodies && !w->h5.failed; ++i) {
    const sn_body *body = &model->body[i];
    const hid_t group = sn_h5_group(&w->h5, bodies, body->name);
    sn_drawing_write_body(&w->h5, group, body);
    if (body->count) {
      w->tracks.width = q + (size_t)body->first;
      sn_track_add(&w->tracks, &w->h5, group, "coordinates", body->count, 2);
    }
    sn_h5_close(group);
  }
  w->tracks.width = q + (size_t)model->n;
  sn_h5_close(bodies);
}

/* A group of datasets with one column each. */
static void write_columns(sn_writer *w, const char *name, const char *const *columns, int count,
                          const char *const *units) {
  const hid_t group = sn_h5_group(&w->h5, w->h5.file, name);
  for (int i = 0; i < count && !w->h5.failed; ++i) {
    const sn_track *track = sn_track_add(&w->tracks, &w->h5, group, columns[i], 1, 1);
    if (track) sn_h5_text(&w->h5, track->dataset, "units", units[i]);
  }
  sn_h5_close(group);
}

static void write_momentum(sn_writer *w) {
  static const char *const names[] = {"linear", "angular"};
  static const char *const units[] = {"kg m/s", "kg m2/s"};
  const hid_t group = sn_h5_group(&w->h5, w->h5.file, "momentum");
  for (int i = 0; i < 2; ++i) {
    const sn_track *track = sn_track_add(&w->tracks, &w->h5, group, names[i], 3, 2);
    if (track) sn_h5_text(&w->h5, track->dataset, "units", units[i]);
  }
  sn_h5_close(group);
}

static double expected_rows(const sn_simulation *simulation) {
  if (simulation->stages == 1 && !simulation->analysis->every_step)
    return ceil((simulation->end - simulation->state.t) / simulation->output_step) + 2;
  double rows = 1;
  for (int i = 0; i < simulation->stages; ++i) {
    const sn_analysis_ops *ops = sn_stage_ops(simulation->stage_spec[i]);
    rows += 2 + (ops->rows ? ops->rows(simulation->stage_spec[i]) : 0);
  }
  return rows;
}

/* What touched: numbers over time, and a row for each contact of each row of time. */
static void write_contacts(sn_writer *w) {
  static const char *const names[] = {"count", "first", "penetration"}, *const units[] = {"", "", "m"};
  static const struct {
    const char *name, *unit;
    int columns;
  } data[] = {{"surfaces", "", 2}, {"points", "m", 3}, {"normals", "", 3}, {"forces", "N", 3}, {"gaps", "m", 1}};
  const sn_model *model = w->simulation->model;
  const sn_surfaces *s = model->surfaces;
  const hid_t group = sn_h5_group(&w->h5, w->h5.file, "contacts");
  for (int i = 0; i < 3; ++i) {
    const sn_track *track = sn_track_add(&w->tracks, &w->h5, group, names[i], 1, 1);
    if (track) sn_h5_text(&w->h5, track->dataset, "units", units[i]);
  }
  sn_tracks_create(&w->touches, &w->arena, (int)SN_COUNT(data), 10 * w->tracks.expected);
  for (size_t i = 0; i < SN_COUNT(data); ++i) {
    const int rank = data[i].columns > 1 ? 2 : 1;
    const sn_track *track = sn_track_add(&w->touches, &w->h5, group, data[i].name, data[i].columns, rank);
    if (track) sn_h5_text(&w->h5, track->dataset, "units", data[i].unit);
  }
  const char **name = SN_NEW(&w->arena, const char *, s->surfaces),
             **body = SN_NEW(&w->arena, const char *, s->surfaces);
  for (int i = 0; i < s->surfaces; ++i) {
    name[i] = s->surface[i].name;
    body[i] = model->body[s->surface[i].body].name;
  }
  sn_h5_texts(&w->h5, group, "surfaces", name, s->surfaces);
  sn_h5_texts(&w->h5, group, "bodies", body, s->surfaces);
  sn_drawing_write_solids(&w->h5, group, s);
  sn_drawing_write_hulls(&w->h5, group, s);
  sn_h5_close(group);
}

/* Forces that are not the same all the time. */
static void write_forces(sn_writer *w) {
  const sn_model *model = w->simulation->model;
  const hid_t forces = sn_h5_group(&w->h5, w->h5.file, "forces");
  w->vector = SN_NEW(&w->arena, const sn_expr *const *, model->forces + 1);
  for (int i = 0; i < model->forces && !w->h5.failed; ++i) {
    const sn_expr *const *f = sn_layout_vector(model->force[i].spec);
    if (!f || (sn_expr_is_constant(f[0]) && sn_expr_is_constant(f[1]) && sn_expr_is_constant(f[2]))) continue;
    const hid_t group = sn_h5_group(&w->h5, forces, model->force[i].spec->name);
    if (sn_track_add(&w->tracks, &w->h5, group, "vectors", 3, 2)) w->vector[w->vectors++] = f;
    sn_h5_close(group);
  }
  sn_h5_close(forces);
}

void sn_writer_make_datasets(sn_writer *w) {
  const sn_simulation *simulation = w->simulation;
  const sn_model *model = simulation->model;
  sn_tracks_create(&w->tracks, &w->arena,
                   model->outputs + model->bodies + model->forces + SN_ENERGIES + SN_LEVELS + SN_STABILITIES + 9,
                   expected_rows(simulation));
  const sn_track *time = sn_track_add(&w->tracks, &w->h5, w->h5.file, "time", 1, 1);
  if (time) sn_h5_text(&w->h5, time->dataset, "units", "s");
  const sn_track *step = sn_track_add(&w->tracks, &w->h5, w->h5.file, "step", 1, 1);
  if (step) sn_h5_text(&w->h5, step->dataset, "units", "s");
  sn_track_add(&w->tracks, &w->h5, w->h5.file, "stage", 1, 1);
  sn_track_add(&w->tracks, &w->h5, w->h5.file, "load", 1, 1);
  if (sn_has_path(simulation)) write_columns(w, "path", sn_stability_names, SN_STABILITIES, sn_stability_units);
  write_outputs(w);
  write_bodies(w);
  const char *joules[SN_ENERGIES];
  for (int i = 0; i < SN_ENERGIES; ++i) joules[i] = SN_ENERGY_UNIT;
  write_columns(w, "energy", sn_energy_names, SN_ENERGIES, joules);
  write_columns(w, "constraints", sn_level_names, SN_LEVELS, sn_level_units);
  write_momentum(w);
  write_forces(w);
  if (model->surfaces) write_contacts(w);
}

/* A group with its attributes takes 2 to 4 KiB. */
size_t sn_writer_head_bytes(const sn_simulation *simulation) {
  const sn_model *model = simulation->model;
  const size_t objects = (size_t)model->bodies + (size_t)model->joints + (size_t)model->forces +
                         (size_t)model->outputs + 28 + (size_t)simulation->stages;
  const size_t bytes = objects * 4096 + model->document->length + (size_t)model->document->parameter_count * 256;
  return bytes + sn_drawing_bytes(model);
}
