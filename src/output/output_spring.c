/* output_spring.c - length and force of a spring, angle and moment of a torsion spring, length and tensions of a rope. */
#include "force/forces.h"
#include "force/rope.h"
#include "output/outputs.h"

static const char *const spring_names[] = {"length", "force"};
static const char *const spring_units[] = {"m", "N"};
static const char *const torsion_names[] = {"angle", "moment"};
static const char *const torsion_units[] = {"rad", "N m"};

/* One tension, or one for each segment. */
static const char *const rope_names[] = {"length", "force1", "force2", "force3",  "force4",  "force5",  "force6",
                                         "force7", "force8", "force9", "force10", "force11", "force12", "force13"};
static const char *const rope_units[] = {"m", "N", "N", "N", "N", "N", "N", "N", "N", "N", "N", "N", "N", "N"};
static_assert(SN_COUNT(rope_names) == 1 + SN_ROPE_SPANS && SN_COUNT(rope_units) == SN_COUNT(rope_names), "segments");

static void take_rope(const sn_rope *rope, sn_output *out) {
  out->rope = rope;
  sn_output_take(out, rope->segments == 1 ? SN_HEADINGS_OF(spring_names, spring_units)
                                          : (sn_headings){1 + rope->segments, rope_names, rope_units});
}

static void spring_compile(sn_compiler *c, const sn_output_spec *spec, sn_output *out) {
  out->spring = sn_find_spring(c->model, spec->spring);
  out->torsion = sn_find_coordinate_spring(c->model, spec->spring);
  const sn_rope *rope = sn_find_rope(c->model, spec->spring);
  if (rope) {
    take_rope(rope, out);
    return;
  }
  const sn_spec *force = sn_find(c->model->document, SN_FORCES, spec->spring);
  if (!out->spring && (!out->torsion || force->kind != &sn_torsion_spring.kind))
    sn_field_error(&c->reader, &spec->spec, "spring", "a force of type spring, torsion-spring or reeving",
                   "force '%s' is not a spring", spec->spring);
  sn_output_take(
      out, out->spring ? SN_HEADINGS_OF(spring_names, spring_units) : SN_HEADINGS_OF(torsion_names, torsion_units));
}

static void spring_fill(const sn_model *m, const sn_output *o, const sn_eval *ev, const sn_touching *touching,
                        sn_output_memory *memory, double *y) {
  assert(o->spring || o->torsion || o->rope);
  (void)touching;
  (void)memory;
  if (o->rope)
    sn_rope_state(o->rope, ev, y);
  else if (o->spring)
    sn_spring_state(o->spring, ev->q, ev->v, &y[0], &y[1]);
  else
    sn_coordinate_spring_state(o->torsion, ev->q, ev->v, &y[0], &y[1]);
  if (!o->rope) y[1] += sn_law_force(m, o->spring ? o->spring->name : o->torsion->name, ev);
}

const sn_output_ops sn_output_spring = {.about = "spring ", .compile = spring_compile, .fill = spring_fill};
