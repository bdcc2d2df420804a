/* layout.c - the parts of a result file that do not grow: version, model, bodies, joints, statistics. */
#include "result/layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "analysis/events.h"
#include "base/isa.h"
#include "force/forces.h"
#include "joint/guide.h"
#include "model/formula.h"
#include "model/registry.h"
#include "output/outputs.h"
#include "result/drawing.h"

#define LONG(member) \
  { #member, offsetof(sn_statistics, member), false }
#define REAL(member) \
  { #member, offsetof(sn_statistics, member), true }
const sn_statistic sn_statistic_table[] = {
    LONG(steps),
    LONG(error_rejections),
    LONG(newton_rejections),
    LONG(iterations),
    LONG(residuals),
    LONG(jacobians),
    LONG(factorizations),
    LONG(solves),
    LONG(short_steps),
    LONG(least_steps),
    REAL(local_error),
    REAL(estimated_error),
    REAL(estimated_until),
    REAL(reaction_difference),
    REAL(acceleration_difference),
    REAL(output_difference),
    REAL(smallest_step),
    REAL(largest_step),
    REAL(time_residual),
    REAL(time_jacobian),
    REAL(time_factor),
    REAL(time_solve),
    REAL(time_output),
    {"time_detection", offsetof(sn_statistics, contact.time_detect), true},
    {"time_contact", offsetof(sn_statistics, contact.time_solve), true},
    {"time_integrator", offsetof(sn_statistics, time_method), true},
    REAL(time_analysis),
    REAL(time_start),
    REAL(time_companion),
    REAL(cpu),
    REAL(wall),
    REAL(cpu_output),
    LONG(unseen_loads),
    LONG(most_iterations),
    LONG(rounded_steps),
    LONG(unseen_impacts),
    LONG(unsettled),
    LONG(cut_steps),
    {"impacts", offsetof(sn_statistics, contact.impacts), false},
    {"impacts_left", offsetof(sn_statistics, contact.impacts_left), false},
    {"impacts_weakened", offsetof(sn_statistics, contact.weakened), false},
    {NULL, 0, false},
};

/* Constraints mix lengths and direction cosines; the units are those of the lengths. */
const char *const sn_level_units[SN_LEVELS] = {"m", "m/s", "m/s2"};

/* "statics, dynamics": the kinds of the stages. */
static void write_analysis(sn_h5 *h5, const sn_simulation *simulation) {
  sn_arena arena = {0};
  const char *text = "";
  for (int i = 0; i < simulation->stages; ++i) {
    text = sn_format(&arena, "%s%s%s", text, i ? ", " : "", sn_stage_ops(simulation->stage_spec[i])->kind.name);
  }
  sn_h5_text(h5, h5->file, "analysis", text);
  sn_arena_free(&arena);
}

static void write_identity(sn_h5 *h5, const sn_simulation *simulation) {
  const sn_document *document = simulation->model->document;
  char created[32] = "";
  const time_t now = time(NULL);
  struct tm utc;
  if (gmtime_r(&now, &utc)) strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", &utc);
  sn_h5_text(h5, h5->file, "sinew_version", SINEW_VERSION);
  sn_h5_text(h5, h5->file, "instruction_set", sn_isa());
  sn_h5_integer(h5, h5->file, "layout_version", SN_LAYOUT_VERSION);
  sn_h5_text(h5, h5->file, "title", document->title);
  sn_h5_text(h5, h5->file, "model_path", document->path);
  sn_h5_text(h5, h5->file, "created", created);
  sn_h5_text(h5, h5->file, "integrator", simulation->integrator_name);
  write_analysis(h5, simulation);
  sn_h5_integer(h5, h5->file, "dimension", simulation->model->dim);
  sn_h5_reals(h5, h5->file, "gravity", simulation->model->gravity, 3);
  sn_h5_text_dataset(h5, "model", document->source, document->length);

  const hid_t parameters = sn_h5_group(h5, h5->file, "parameters");
  for (int i = 0; i < document->parameter_count; ++i) {
    if (document->parameter_word && document->parameter_word[i])
      sn_h5_text(h5, parameters, document->parameter_name[i], document->parameter_word[i]);
    else
      sn_h5_real(h5, parameters, document->parameter_name[i], document->parameter_value[i]);
  }
  sn_h5_close(parameters);
}

/* One option of "a|b|c". */
static void write_choice(sn_h5 *h5, hid_t object, const sn_field *field, int index) {
  assert(index >= 0 && field->choices);
  char text[64] = "";
  const char *at = field->choices;
  for (int i = 0; at && i < index; ++i) {
    at = strchr(at, '|');
    if (at) ++at;
  }
  if (at) {
    const size_t length = strcspn(at, "|");
    assert(length < sizeof text);
    if (length < sizeof text) memcpy(text, at, length);
  }
  sn_h5_text(h5, object, field->name, text);
}

/* The plain fields of a spec, by its table. */
static void write_fields(sn_h5 *h5, hid_t group, const sn_field *field, const void *spec) {
  for (; field && field->name; ++field) {
    const void *value = (const char *)spec + field->at;
    if (field->type == SN_REAL) sn_h5_real(h5, group, field->name, *(const double *)value);
    if (field->type == SN_INT) sn_h5_integer(h5, group, field->name, *(const int *)value);
    if (field->type == SN_BOOL) sn_h5_integer(h5, group, field->name, *(const bool *)value);
    if (field->type == SN_CHOICE) write_choice(h5, group, field, *(const int *)value);
  }
}

/* One group per stage, "1", "2", ..., with what the model says about it. */
static void write_stages(sn_h5 *h5, const sn_simulation *simulation) {
  const hid_t stages = sn_h5_group(h5, h5->file, "stages");
  for (int i = 0; i < simulation->stages && !h5->failed; ++i) {
    char name[16];
    snprintf(name, sizeof name, "%d", i + 1);
    const sn_spec *spec = simulation->stage_spec[i];
    const hid_t group = sn_h5_group(h5, stages, name);
    sn_h5_text(h5, group, "analysis", sn_stage_ops(spec)->kind.name);
    if (spec) write_fields(h5, group, spec->kind->fields, spec);
    sn_h5_close(group);
    sn_layout_end_stage(h5, simulation, i, NAN, 0, 0);
  }
  sn_h5_close(stages);
}

void sn_layout_end_stage(sn_h5 *h5, const sn_simulation *simulation, int stage, double begin, long first_row,
                         long rows) {
  char name[32];
  if (h5->failed) return;
  snprintf(name, sizeof name, "stages/%d", stage + 1);
  const hid_t group = H5Gopen2(h5->file, name, H5P_DEFAULT);
  if (!sn_h5_ok(h5, group)) return;
  sn_h5_real(h5, group, "begin", begin);
  sn_h5_real(h5, group, "end", isnan(begin) ? NAN : simulation->state.t);
  sn_h5_integer(h5, group, "first_row", first_row);
  sn_h5_integer(h5, group, "rows", rows);
  sn_h5_close(group);
}

/* The settings in force of the first stage, overrides included. */
void sn_layout_write_settings(sn_h5 *h5, const sn_simulation *simulation) {
  const hid_t group = sn_h5_group(h5, h5->file, "settings");
  if (simulation->ops) {
    sn_arena arena = {0};
    const sn_kind *kind = &simulation->ops->kind;
    sn_integrator_spec *asked = memcpy(sn_alloc(&arena, 1, kind->spec_size), simulation->settings, kind->spec_size);
    asked->tolerance = sn_asked(simulation)->tolerance;
    asked->relative = sn_asked(simulation)->relative;
    asked->absolute = sn_asked(simulation)->absolute;
    write_fields(h5, group, kind->fields, asked);
    sn_arena_free(&arena);
  }
  if (simulation->chosen) sn_h5_real(h5, group, "share", simulation->share); /* of them, for the steps of its method */
  sn_h5_real(h5, group, "start", simulation->begin);
  sn_h5_real(h5, group, "end", simulation->end);
  sn_h5_real(h5, group, "output_step", simulation->output_step);
  sn_h5_real(h5, group, "checkpoint", simulation->options.checkpoint);
  sn_h5_close(group);
}

static void write_shapes(sn_h5 *h5, const sn_model *model, hid_t group, const char *name, const double *shape,
                         size_t count) {
  const hid_t shapes = sn_h5_group(h5, group, name);
  for (int i = 0; i < model->bodies && !h5->failed; ++i) {
    const sn_body *body = &model->body[i];
    if (body->count) {
      sn_h5_table(h5, shapes, body->name, shape + body->first, count, (size_t)body->count, (size_t)model->n);
    }
  }
  sn_h5_close(shapes);
}

void sn_layout_write_linear(sn_h5 *h5, const sn_linear *linear, long row) {
  char name[16];
  const size_t s = (size_t)linear->states, u = (size_t)linear->inputs, y = (size_t)linear->outputs;
  snprintf(name, sizeof name, "%d", linear->stage + 1);
  const hid_t all = sn_h5_group(h5, h5->file, "linear");
  if (all >= 0 && H5Lexists(all, name, H5P_DEFAULT) > 0) H5Ldelete(all, name, H5P_DEFAULT); /* of a run resumed */
  const hid_t group = sn_h5_group(h5, all, name);
  sn_h5_integer(h5, group, "row", row);
  if (s) sn_h5_texts(h5, group, "states", linear->state_name, (int)s);
  if (u) sn_h5_texts(h5, group, "inputs", linear->input_name, (int)u);
  if (y) sn_h5_texts(h5, group, "outputs", linear->output_name, (int)y);
  if (s) sn_h5_table(h5, group, "A", linear->A, s, s, s);
  if (s && u) sn_h5_table(h5, group, "B", linear->B, s, u, u);
  if (s && y) sn_h5_table(h5, group, "C", linear->C, y, s, s);
  if (y && u) sn_h5_table(h5, group, "D", linear->D, y, u, u);
  sn_h5_close(group);
  sn_h5_close(all);
}

void sn_layout_write_modes(sn_h5 *h5, const sn_model *model, const sn_modes *modes, long row) {
  char name[16];
  const size_t count = (size_t)modes->count;
  sn_arena arena = {0};
  double *hertz = SN_NEW(&arena, double, count + 1);
  for (int i = 0; i < modes->count; ++i) hertz[i] = modes->factor ? 0 : sn_mode_frequency(modes, i);
  snprintf(name, sizeof name, "%d", modes->stage + 1);
  const hid_t all = sn_h5_group(h5, h5->file, "modes");
  if (all >= 0 && H5Lexists(all, name, H5P_DEFAULT) > 0) H5Ldelete(all, name, H5P_DEFAULT); /* of a run resumed */
  const hid_t group = sn_h5_group(h5, all, name);
  sn_h5_text(h5, group, "kind", modes->kind);
  sn_h5_text(h5, group, "method", modes->method);
  sn_h5_integer(h5, group, "rigid", modes->rigid);
  sn_h5_integer(h5, group, "unstable", modes->unstable);
  sn_h5_integer(h5, group, "row", row);
  if (modes->factor) {
    sn_h5_table(h5, group, "load_factor", modes->factor, count, 0, 1);
  } else {
    sn_h5_table(h5, group, "frequency", hertz, count, 0, 1);
  }
  if (modes->re) {
    sn_h5_table(h5, group, "damping", modes->damping, count, 0, 1);
    sn_h5_table(h5, group, "real_part", modes->re, count, 0, 1);
    sn_h5_table(h5, group, "imaginary_part", modes->im, count, 0, 1);
  } else if (!modes->factor) {
    sn_h5_table(h5, group, "eigenvalue", modes->w2, count, 0, 1);
    sn_h5_table(h5, group, "damping", modes->damping, count, 0, 1);
  }
  write_shapes(h5, model, group, "shapes", modes->shape, count);
  if (modes->imaginary) write_shapes(h5, model, group, "imaginary", modes->imaginary, count);
  sn_h5_close(group);
  sn_h5_close(all);
  sn_arena_free(&arena);
}

/* The curve that a joint follows, and the radius of what rolls on it. */
static void write_guide(sn_h5 *h5, hid_t group, const sn_model *model, const sn_joint *joint, const double *q) {
  double points[SN_DRAWN_CURVE][3];
  const double *radius = joint->spec ? sn_field_value(joint->spec, "radius") : NULL;
  const double *axis = radius ? sn_field_value(joint->spec, "axis") : NULL;
  const int count = joint->ops->doubt ? sn_guide_points(model, joint, q, SN_DRAWN_CURVE, points) : 0;
  if (count) sn_h5_table(h5, group, "curve", points[0], (size_t)count, 3, 3);
  if (radius) sn_h5_real(h5, group, "radius", *radius);
  sn_h5_reals(h5, group, "axis", axis ? axis : joint->axis, 3);
}

static void write_joints(sn_h5 *h5, const sn_model *model, const double *q) {
  const hid_t joints = sn_h5_group(h5, h5->file, "joints");
  for (int i = 0; i < model->joints && !h5->failed; ++i) {
    const sn_joint *joint = &model->joint[i];
    const hid_t group = sn_h5_group(h5, joints, joint->name);
    sn_h5_text(h5, group, "kind", joint->ops->kind.name);
    sn_h5_integer(h5, group, "equations", joint->count);
    sn_h5_integer(h5, group, "points", (int)fmax(1, fmax(joint->marker[0].points, joint->marker[1].points)));
    sn_drawing_write_markers(h5, group, joint->marker, 2);
    write_guide(h5, group, model, joint, q);
    sn_h5_close(group);
  }
  sn_h5_close(joints);
}

const sn_expr *const *sn_layout_vector(const sn_spec *spec) {
  for (const sn_field *field = spec->kind->fields; field && field->name; ++field)
    if ((field->type == SN_FUNCTION3 || field->type == SN_FORMULA3 || field->type == SN_FIELD3) &&
        sn_given(spec, field->name)) {
      const sn_expr *const *f = (const sn_expr *const *)(const void *)((const char *)spec + field->at);
      bool field_of_place = field->type == SN_FIELD3 &&
                            (sn_expr_has_variables(f[0]) || sn_expr_has_variables(f[1]) || sn_expr_has_variables(f[2]));
      return field_of_place ? NULL : f;
    }
  return NULL;
}

static void write_vector(sn_h5 *h5, hid_t group, const sn_spec *spec, const sn_model *model, const sn_eval *eval) {
  const sn_expr *const *f = sn_layout_vector(spec);
  if (!f) return;
  double vector[3];
  for (int k = 0; k < 3; ++k) vector[k] = sn_value_of_expression(model, f[k], eval);
  sn_h5_reals(h5, group, "vector", vector, 3);
}

/* Of the kinds that can follow their body: do they? */
static void write_follower(sn_h5 *h5, hid_t group, const sn_spec *spec) {
  const bool *follower = sn_field_value(spec, "follower");
  if (follower) sn_h5_integer(h5, group, "follower", *follower);
}

/* Of a stop: the joints whose coordinates it limits, their factors, and the limits. */
static void write_stop(sn_h5 *h5, hid_t group, const sn_spec *spec) {
  const sn_coordinate_refs *joints = sn_field_value(spec, "joints");
  const sn_reals *factors = sn_field_value(spec, "factors");
  if (!joints || !factors) return;
  const char *names[SN_COORDINATE_REFS];
  for (int i = 0; i < joints->count; ++i) names[i] = joints->item[i].joint;
  sn_h5_texts(h5, group, "joints", names, joints->count);
  if (factors->count == joints->count) sn_h5_reals(h5, group, "factors", factors->value, factors->count);
  if (sn_given(spec, "min")) sn_h5_real(h5, group, "min", *(const double *)sn_field_value(spec, "min"));
  if (sn_given(spec, "max")) sn_h5_real(h5, group, "max", *(const double *)sn_field_value(spec, "max"));
}

static void write_forces(sn_h5 *h5, const sn_model *model, const sn_eval *eval) {
  const hid_t forces = sn_h5_group(h5, h5->file, "forces");
  for (int i = 0; i < model->forces && !h5->failed; ++i) {
    const sn_force_place *force = &model->force[i];
    const hid_t group = sn_h5_group(h5, forces, force->spec->name);
    sn_h5_text(h5, group, "kind", force->spec->kind->name);
    if (force->on) sn_h5_text(h5, group, "on", force->on);
    if (force->markers) sn_drawing_write_markers(h5, group, force->marker, force->markers);
    if (force->stops) {
      sn_drawing_write_markers(h5, group, force->path, force->stops);
      sn_h5_reals(h5, group, "radii", force->radius, force->stops);
      sn_h5_integer(h5, group, "closed", force->closed);
      sn_h5_reals(h5, group, "axis", sn_field_value(force->spec, "axis"), 3);
      sn_h5_text(h5, group, "frame", ((const sn_marker_ref *)sn_field_value(force->spec, "frame"))->body);
    }
    write_vector(h5, group, force->spec, model, eval);
    write_follower(h5, group, force->spec);
    write_stop(h5, group, force->spec);
    sn_h5_close(group);
  }
  sn_h5_close(forces);
}

void sn_layout_write(sn_h5 *h5, const sn_simulation *simulation) {
  write_identity(h5, simulation);
  sn_layout_write_settings(h5, simulation);
  write_stages(h5, simulation);
  write_joints(h5, simulation->model, simulation->state.q);
  const sn_eval eval = sn_eval_at(simulation, &simulation->state);
  write_forces(h5, simulation->model, &eval);
  const hid_t statistics = sn_h5_group(h5, h5->file, "statistics");
  sn_h5_real(h5, statistics, "start_position_change", simulation->start.position_change);
  sn_h5_real(h5, statistics, "start_velocity_change", simulation->start.velocity_change);
  sn_h5_integer(h5, statistics, "redundant_constraints", simulation->start.redundant);
  sn_h5_close(statistics);
}

void sn_layout_write_events(sn_h5 *h5, const sn_simulation *simulation) {
  static const char *const columns[] = {"time", "event", "direction", "impulse", "energy"};
  static const char *const units[] = {"s", "", "", "N s or N m s", "J"};
  enum { COLUMNS = SN_COUNT(columns) };
  const sn_model *model = simulation->model;
  const sn_event_info *list;
  const int count = sn_events_list(simulation, &list);
  sn_arena arena = {0};
  double *row = SN_NEW(&arena, double, COLUMNS *(size_t)count + 1);
  const char **name = SN_NEW(&arena, const char *, model->events + 1);
  for (int i = 0; i < model->events; ++i) name[i] = model->event[i].name;
  for (int i = 0; i < count; ++i) {
    const sn_event_info *r = &list[i];
    memcpy(row + COLUMNS * i, (double[COLUMNS]){r->t, (double)r->event + 1, r->direction, r->impulse, r->energy},
           COLUMNS * sizeof *row);
  }
  const hid_t group = sn_h5_group(h5, h5->file, "events");
  if (group >= 0 && H5Lexists(group, "list", H5P_DEFAULT) > 0) H5Ldelete(group, "list", H5P_DEFAULT);
  sn_h5_texts(h5, group, "names", name, model->events);
  sn_h5_texts(h5, group, "columns", columns, COLUMNS);
  sn_h5_texts(h5, group, "units", units, COLUMNS);
  sn_h5_real(h5, group, "count", sn_events_count(simulation));
  if (count) sn_h5_table(h5, group, "list", row, (size_t)count, COLUMNS, COLUMNS);
  sn_h5_close(group);
  sn_arena_free(&arena);
}

void sn_layout_write_status(sn_h5 *h5, const sn_simulation *simulation, const char *status, const char *message) {
  if (h5->failed) return;
  const char *values = (const char *)&simulation->system->statistics;
  const hid_t group = H5Gopen2(h5->file, "statistics", H5P_DEFAULT);
  if (!sn_h5_ok(h5, group)) return;
  for (const sn_statistic *s = sn_statistic_table; s->name; ++s) {
    if (s->real) {
      sn_h5_real(h5, group, s->name, *(const double *)(const void *)(values + s->at));
    } else {
      sn_h5_integer(h5, group, s->name, *(const long *)(const void *)(values + s->at));
    }
  }
  sn_h5_text_field(h5, group, "notes", simulation->start.notes, SN_NOTES_SIZE);
  if (simulation->model->events) {
    sn_arena arena = {0};
    sn_h5_text_field(h5, group, "events", sn_events_text(simulation, &arena), SN_EVENTS_SIZE);
    sn_arena_free(&arena);
  }
  sn_h5_close(group);
  const bool judged = simulation->verdict.reasons != NULL;
  sn_h5_text_field(h5, h5->file, "trust", judged ? sn_trust_names[simulation->verdict.level] : "", SN_STATUS_SIZE);
  sn_h5_text_field(h5, h5->file, "trust_reasons", judged ? simulation->verdict.reasons : "", SN_REASONS_SIZE);
  sn_h5_text_field(h5, h5->file, "message", message, SN_MESSAGE_SIZE);
  sn_h5_text_field(h5, h5->file, "status", status, SN_STATUS_SIZE);
}

/* What the value of a field names: a marker as it was written, a joint, a force, the first of a list of bodies. */
static const char *named_by(const sn_spec *spec, const char *field) {
  assert(sn_field_index(spec->kind, field) >= 0);
  const sn_field *f = &spec->kind->fields[sn_field_index(spec->kind, field)];
  const void *value = (const char *)spec + f->at;
  if (f->type == SN_BODY_NAMES) return ((const sn_names *)value)->name[0];
  if (f->type == SN_FORMULA) return ""; /* the name of the output says it */
  if (f->type != SN_MARKER) return *(const char *const *)value;
  const sn_marker_ref *marker = value;
  return marker->node && marker->node->text ? marker->node->text : marker->body;
}

void sn_layout_write_output(sn_h5 *h5, hid_t object, const sn_model *model, const sn_output *output) {
  assert(output->type < SN_OUTPUT_TYPES);
  sn_h5_texts(h5, object, "columns", output->column, output->columns);
  sn_h5_texts(h5, object, "units", output->unit, output->columns);
  const sn_output_spec *spec = (const sn_output_spec *)(const void *)sn_find(model->document, SN_OUTPUTS, output->name);
  const char *key = sn_output_keys[output->type], *of = spec ? named_by(&spec->spec, key) : "";
  sn_arena arena = {0};
  sn_h5_text(h5, object, "description", sn_format(&arena, "%s%s", sn_output_tables[output->type]->about, of ? of : ""));
  sn_arena_free(&arena);
  sn_h5_text(h5, object, "kind", key);
  sn_h5_text(h5, object, "of", of);
  if (output->marker.body) sn_drawing_write_markers(h5, object, &output->marker, 1);
}
