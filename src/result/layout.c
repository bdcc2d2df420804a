/* layout.c - the parts of a result file that do not grow: who made it, the model, bodies, joints, statistics. */
#include "result/layout.h"

#include <string.h>
#include <time.h>

#include "model/outputs.h"

#define LONG(member) \
  { #member, offsetof(sn_statistics, member), false }
#define REAL(member) \
  { #member, offsetof(sn_statistics, member), true }
const sn_statistic sn_statistic_table[] = {
    LONG(steps),         LONG(error_rejections), LONG(newton_rejections), LONG(iterations),
    LONG(residuals),     LONG(jacobians),        LONG(factorizations),    LONG(solves),
    REAL(smallest_step), REAL(largest_step),     REAL(time_residual),     REAL(time_jacobian),
    REAL(time_factor),   REAL(time_solve),       REAL(time_output),       REAL(cpu),
    REAL(wall),          {NULL, 0, false},
};

/* Constraints mix lengths and direction cosines; the units are those of the lengths. */
const char *const sn_level_units[SN_LEVELS] = {"m", "m/s", "m/s2"};

static void write_identity(sn_h5 *h5, const sn_simulation *simulation) {
  const sn_document *document = simulation->model->document;
  char created[32] = "";
  const time_t now = time(NULL);
  struct tm utc;
  if (gmtime_r(&now, &utc)) strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", &utc);
  sn_h5_text(h5, h5->file, "sinew_version", SINEW_VERSION);
  sn_h5_integer(h5, h5->file, "layout_version", SN_LAYOUT_VERSION);
  sn_h5_text(h5, h5->file, "title", document->title);
  sn_h5_text(h5, h5->file, "model_path", document->path);
  sn_h5_text(h5, h5->file, "created", created);
  sn_h5_text(h5, h5->file, "integrator", simulation->integrator_name);
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
  char text[64] = "";
  const char *at = field->choices;
  for (int i = 0; at && i < index; ++i) {
    at = strchr(at, '|');
    if (at) ++at;
  }
  if (at) {
    const size_t length = strcspn(at, "|");
    if (length < sizeof text) memcpy(text, at, length);
  }
  sn_h5_text(h5, object, field->name, text);
}

/* The integrator's settings in force, by its field table. */
static void write_settings(sn_h5 *h5, const sn_simulation *simulation) {
  const hid_t group = sn_h5_group(h5, h5->file, "settings");
  const char *settings = (const char *)&simulation->settings;
  for (const sn_field *field = simulation->ops->kind.fields; field && field->name; ++field) {
    const void *value = settings + field->at;
    if (field->type == SN_REAL) sn_h5_real(h5, group, field->name, *(const double *)value);
    if (field->type == SN_INT) sn_h5_integer(h5, group, field->name, *(const int *)value);
    if (field->type == SN_BOOL) sn_h5_integer(h5, group, field->name, *(const bool *)value);
    if (field->type == SN_CHOICE) write_choice(h5, group, field, *(const int *)value);
  }
  sn_h5_real(h5, group, "start", simulation->state.t);
  sn_h5_real(h5, group, "end", simulation->end);
  sn_h5_real(h5, group, "output_step", simulation->output_step);
  sn_h5_close(group);
}

static void write_joints(sn_h5 *h5, const sn_model *model) {
  const hid_t joints = sn_h5_group(h5, h5->file, "joints");
  for (int i = 0; i < model->joints && !h5->failed; ++i) {
    const sn_joint *joint = &model->joint[i];
    const char *bodies[2] = {"", ""};
    for (int k = 0; k < 2; ++k) {
      if (joint->marker[k].body) bodies[k] = joint->marker[k].body->name;
    }
    const hid_t group = sn_h5_group(h5, joints, joint->name);
    sn_h5_text(h5, group, "kind", joint->ops->kind.name);
    sn_h5_texts(h5, group, "bodies", bodies, 2);
    sn_h5_integer(h5, group, "equations", joint->count);
    sn_h5_close(group);
  }
  sn_h5_close(joints);
}

void sn_layout_write(sn_h5 *h5, const sn_simulation *simulation) {
  write_identity(h5, simulation);
  write_settings(h5, simulation);
  write_joints(h5, simulation->model);
  const hid_t statistics = sn_h5_group(h5, h5->file, "statistics");
  sn_h5_real(h5, statistics, "start_position_change", simulation->start.position_change);
  sn_h5_real(h5, statistics, "start_velocity_change", simulation->start.velocity_change);
  sn_h5_integer(h5, statistics, "redundant_constraints", simulation->start.redundant);
  sn_h5_text(h5, statistics, "notes", simulation->start.notes);
  sn_h5_close(statistics);
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
  sn_h5_close(group);
  sn_h5_text_field(h5, h5->file, "message", message, SN_MESSAGE_SIZE);
  sn_h5_text_field(h5, h5->file, "status", status, SN_STATUS_SIZE);
}

void sn_layout_write_body(sn_h5 *h5, hid_t object, const sn_body *body) {
  sn_h5_text(h5, object, "kind", body->ops->kind.name);
  sn_h5_text(h5, object, "layout", body->ops->layout);
  sn_draw draw = {.primitive = "none"};
  if (body->ops->draw) body->ops->draw(body, &draw);
  sn_h5_text(h5, object, "primitive", draw.primitive);
  sn_h5_reals(h5, object, "size", draw.size, 3);
  sn_h5_text(h5, object, "section", draw.section);
  sn_h5_integer(h5, object, "elements", draw.elements);
  sn_h5_real(h5, object, "element_length", draw.element_length);
}

void sn_layout_write_output(sn_h5 *h5, hid_t object, const sn_model *model, const sn_output *output) {
  sn_h5_texts(h5, object, "columns", output->column, output->columns);
  sn_h5_texts(h5, object, "units", output->unit, output->columns);
  const sn_output_spec *spec = (const sn_output_spec *)(const void *)sn_find(model->document, SN_OUTPUTS, output->name);
  const char *what = "", *of = "";
  if (spec && output->type == SN_OUTPUT_POINT) {
    what = "motion of ";
    of = spec->point.node && spec->point.node->text ? spec->point.node->text : spec->point.body;
  } else if (spec && output->type == SN_OUTPUT_REACTION) {
    what = "reaction of ", of = spec->reaction;
  } else if (spec && output->type == SN_OUTPUT_SPRING) {
    what = "spring ", of = spec->spring;
  }
  sn_arena arena = {0};
  sn_h5_text(h5, object, "description", sn_format(&arena, "%s%s", what, of ? of : ""));
  sn_arena_free(&arena);
}
