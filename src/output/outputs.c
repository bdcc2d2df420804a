/* outputs.c - what is recorded besides the coordinates: the fields, and the quantities by their tables. */
#include "output/outputs.h"

static const sn_field output_fields[] = {
#define OUTPUT(of, key, field, c_type, text, shown) \
  {#key, field, SN_AT(sn_output_spec, key), .help = text, .example = shown},
#define OPTION(key, standard, words, text) \
  {#key, SN_CHOICE, SN_AT(sn_output_spec, key), .def = standard, .choices = words, .help = text},
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

static void output_check(sn_reader *reader, const sn_spec *spec) {
  int given = 0;
  const char *keys = "";
  for (int i = 0; i < SN_OUTPUT_TYPES; i++) {
    given += sn_given(spec, sn_output_keys[i]);
    keys = sn_format(reader->arena, "%s%s%s", keys, i ? ", " : "one of: ", sn_output_keys[i]);
  }
  if (given != 1)
    sn_field_error(reader, spec, NULL, keys, "output '%s' names %s", spec->name,
                   given ? "more than one quantity" : "nothing to record");
  else if (sn_given(spec, "frame") && !sn_given(spec, "reaction"))
    sn_field_error(reader, spec, "frame", "a reaction", "output '%s' has a frame but no reaction", spec->name);
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
  c->model->output = SN_NEW(c->arena, sn_output, list->count);
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
