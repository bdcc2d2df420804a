/* output_resultant.c - stress resultants and strains of a flexible body at a marker. */
#include "output/line_load.h"
#include "output/outputs.h"

static void resultant_compile(sn_compiler *c, const sn_output_spec *spec, sn_output *out) {
  if (!sn_resolve(c, &spec->resultant, &out->marker)) return;
  const sn_body_ops *ops = out->marker.body->ops;
  sn_output_about(c, spec, &out->marker);
  if (!ops->resultants) {
    sn_field_error(&c->reader, &spec->spec, "resultant", "a point of a flexible body",
                   "%s '%s' has no stress resultants", ops->kind.name, out->marker.body->name);
    return;
  }
  sn_output_take(out, *ops->resultant_headings);
}

static void resultant_fill(const sn_model *m, const sn_output *o, const sn_eval *ev, const sn_touching *touching,
                           sn_output_memory *memory, double *y) {
  double load[2][3];
  const bool known = sn_line_load(m, &o->marker, ev, touching, memory, load);
  o->marker.body->ops->resultants(&o->marker, ev, known ? (const double(*)[3])load : NULL, y);
}

const sn_output_ops sn_output_resultant = {
    .about = "stress resultants at ", .compile = resultant_compile, .fill = resultant_fill};
