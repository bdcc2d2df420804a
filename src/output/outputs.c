/* outputs.c - what is recorded besides the coordinates: the fields, and the quantities by their tables. */
#include "output/outputs.h"

#include <math.h>

#include "joint/turns.h"
#include "math/constants.h"
#include "math/vec3.h"

const char *const sn_output_sequences = SN_SEQUENCES;

void sn_output_about(sn_compiler *c, const sn_output_spec *spec, sn_marker *marker) {
  if (!sn_given(spec, "about") || !marker->body) return;
  sn_copy(marker->about, spec->about);
  if (marker->has_frame || !marker->has_tangent || c->model->dim == 2)
    sn_field_error(&c->reader, &spec->spec, "about", "a cable in space, or remove this key",
                   "resultants of %s '%s' have signs of their own", marker->body->ops->kind.name, marker->body->name);
  else if (!(sn_normalize(marker->about) > 0))
    sn_field_error(&c->reader, &spec->spec, "about", "a vector that is not zero", "output '%s' has no direction",
                   spec->spec.name);
  else if (fabs(sn_dot(marker->about, marker->tangent)) > 0.999)
    sn_field_error(&c->reader, &spec->spec, "about", "a direction across the cable",
                   "the direction of output '%s' is that of the cable", spec->spec.name);
}

static const sn_field output_fields[] = {
#define OUTPUT(of, key, field, c_type, text, shown) \
  {#key, field, SN_AT(sn_output_spec, key), .help = text, .example = shown},
#define OPTION(key, standard, words, text) \
  {#key, SN_CHOICE, SN_AT(sn_output_spec, key), .def = standard, .choices = words, .help = text},
#define DETAIL(key, field, c_type, text) {#key, field, SN_AT(sn_output_spec, key), .help = text},
#include "model/outputs.def"
    {0},
};

const char *const sn_output_keys[SN_OUTPUT_TYPES] = {
#define OUTPUT(of, key, field, c_type, text, shown) #key,
#include "model/outputs.def"
};
const sn_output_ops *const sn_output_tables[SN_OUTPUT_TYPES] = {
#define OUTPUT(of, key, field, c_type, text, shown) &sn_output_##key,
#include "model/outputs.def"
};

/* Which quantities use the other fields. */
static const struct {
  const char *key, *of[3];
} uses[] = {
    {"frame", {"reaction"}},
    {"sequence", {"orientation"}},
    {"relative_to", {"orientation", "relative"}},
    {"about", {"resultant", "stress"}},
    {"fiber", {"stress"}},
    {"on", {"force"}},
    {"unit", {"expression"}},
};

static void uses_check(sn_reader *reader, const sn_spec *spec) {
  for (size_t i = 0; i < SN_COUNT(uses); i++) {
    const char *of = "";
    bool used = !sn_given(spec, uses[i].key);
    for (int k = 0; k < 3 && uses[i].of[k]; k++) {
      used |= sn_given(spec, uses[i].of[k]);
      of = sn_format(reader->arena, "%s%s'%s'", of, k ? " or " : "", uses[i].of[k]);
    }
    if (!used)
      sn_field_error(reader, spec, uses[i].key, sn_format(reader->arena, "%s, or remove this key", of),
                     "'%s' has no meaning for the quantity of output '%s'", uses[i].key, spec->name);
  }
}

static void output_check(sn_reader *reader, const sn_spec *spec) {
  int given = 0;
  const char *keys = "";
  for (int i = 0; i < SN_OUTPUT_TYPES; i++) given += sn_given(spec, sn_output_keys[i]);
  for (int i = 0; i < SN_OUTPUT_TYPES && given != 1; i++)
    keys = sn_format(reader->arena, "%s%s%s", keys, i ? ", " : "one of: ", sn_output_keys[i]);
  if (given != 1)
    sn_field_error(reader, spec, NULL, keys, "output '%s' names %s", spec->name,
                   given ? "more than one quantity" : "nothing to record");
  else
    uses_check(reader, spec);
}

const sn_plain_ops sn_output_kind = {
    .kind = {.name = "output",
             .category = SN_OUTPUTS,
             .summary = "a recorded quantity",
             .fields = output_fields,
             .spec_size = sizeof(sn_output_spec),
             .check = output_check},
};

static_assert(SN_COUNT(sn_output_keys) == SN_OUTPUT_TYPES && SN_COUNT(sn_output_tables) == SN_OUTPUT_TYPES,
              "a key and a table for each quantity");

void sn_compile_outputs(sn_compiler *c) {
  const sn_list *list = &c->model->document->list[SN_OUTPUTS];
  c->model->output = SN_NEW(c->arena, sn_output, list->count + c->model->variables + c->model->inputs);
  c->model->outputs = list->count;
  for (int i = 0; i < list->count; i++) {
    const sn_output_spec *spec = (const sn_output_spec *)(const void *)list->item[i];
    sn_output *output = &c->model->output[i];
    int type = 0;
    while (type < SN_OUTPUT_TYPES - 1 && !sn_given(spec, sn_output_keys[type])) type++;
    *output = (sn_output){.name = spec->spec.name, .type = (sn_output_type)type, .joint = -1};
    sn_output_tables[type]->compile(c, spec, output);
    assert(c->reader.errors || (output->columns > 0 && output->columns <= SN_OUTPUT_COLUMNS));
  }
  sn_add_variable_outputs(c);
  sn_list_turns(c); /* no expression comes after them */
}

void sn_output_fill(const sn_model *m, const sn_output *o, const sn_eval *ev, const sn_touching *touching,
                    sn_output_memory *memory, double *y) {
  assert(o->type < SN_OUTPUT_TYPES && o->columns > 0 && o->columns <= SN_OUTPUT_COLUMNS);
  assert(ev->q && ev->v && ev->a);
  sn_output_tables[o->type]->fill(m, o, ev, touching, memory, y);
}

void sn_output_follow(const sn_model *m, const sn_eval *ev, sn_output_memory *memory) {
  for (int i = 0; i < m->outputs; i++) {
    const sn_output_ops *ops = sn_output_tables[m->output[i].type];
    if (ops->follow) ops->follow(&m->output[i], ev, &memory[i]);
  }
}

double sn_output_unwrap(sn_output_memory *memory, double t, double angle, double rate) {
  if (memory->known) {
    double expected = memory->angle + (memory->rate + rate) / 2 * (t - memory->t);
    angle += 2 * SN_PI * round((expected - angle) / (2 * SN_PI));
  }
  memory->known = true;
  memory->t = t, memory->angle = angle, memory->rate = rate;
  return angle;
}
