/* actuator.c - force or moment on the coordinate of a joint by a command, within limits that may depend on its speed:
 *
 *   F = min(max(command, -limit), limit)
 *
 * A speed-torque curve is a table: limit: curve(abs(hinge.rate)). */
#include "force/actuators.h"
#include "force/forces.h"
#include "joint/relation.h"
#include "model/tree.h"

/* Kinds without the field act along a travel. */
static sn_coordinate_type coordinate_of(const sn_spec *spec) {
  const int *coordinate = sn_field_value(spec, "coordinate");
  return coordinate ? (sn_coordinate_type)*coordinate : SN_TRANSLATION_COORDINATE;
}

sn_composer sn_actuator_composer(sn_compiler *c, const sn_spec *spec) {
  const sn_actuator_spec *s = (const sn_actuator_spec *)(const void *)spec;
  sn_word *word = SN_NEW(c->arena, sn_word, 2);
  word[0] = (sn_word){
      "speed",
      sn_compose_joint(c, spec, s->joint, coordinate_of(spec) == SN_TRANSLATION_COORDINATE ? "velocity" : "rate")};
  word[1] = (sn_word){"position", sn_compose_joint(c, spec, s->joint, "position")};
  return (sn_composer){.compiler = c, .spec = spec, .unit = "", .words = 2, .word = word};
}

void sn_add_actuator_force(sn_compiler *c, const sn_spec *spec, const char *force) {
  static const char *const locals[] = {"place", "speed"};
  const sn_actuator_spec *s = (const sn_actuator_spec *)(const void *)spec;
  const sn_joint *joint = sn_find_joint(c->model, s->joint);
  const sn_composer composer = {.compiler = c, .spec = spec};
  sn_coordinate phi;
  if (c->reader.errors) return; /* perhaps that of its variables */
  if (!joint || joint->ops->after) {
    sn_field_error(&c->reader, spec, "joint", "a joint with a coordinate of its own",
                   "joint '%s' has no coordinate to drive", s->joint);
    return;
  }
  if (!sn_joint_coordinate(c, joint, coordinate_of(spec), sn_value_of(spec->node, "joint", NULL), &phi)) return;
  const sn_expr *f = sn_compose(&composer, locals, 2, sn_format(c->arena, "-(%s)", force));
  if (f) sn_add_law(c, spec->name, &phi, f);
}

/* ---- the plain one ---- */

typedef struct actuator_spec {
  sn_actuator_spec head;
  const sn_expr *command, *limit;
} actuator_spec;

static const sn_field actuator_fields[] = {
    SN_ACTUATOR_FIELDS,
    {"command", SN_FORMULA, SN_AT(actuator_spec, command), .required = true,
     .help = "wanted moment (N m) or force (N)"},
    {"limit", SN_FORMULA, SN_AT(actuator_spec, limit),
     .help = "largest size of it; a speed-torque curve is a table of the speed: curve(abs(hinge.rate)). Default: none",
     .example = "10"},
    {0},
};

static void actuator_reserve(sn_compiler *c, const sn_spec *spec) {
  const actuator_spec *s = (const actuator_spec *)(const void *)spec;
  const sn_composer x = sn_actuator_composer(c, spec);
  sn_compose_value(&x, "force", "", s->limit ? "min(max(command, -limit), limit)" : "command");
  sn_compose_given(&x, "command", "", s->command);
  if (s->limit) sn_compose_given(&x, "limit", "", s->limit);
}

static void actuator_compile(sn_compiler *c, const sn_spec *spec) {
  sn_add_actuator_force(c, spec, "force");
}

const sn_force_ops sn_actuator = {
    .kind = {.name = "actuator",
             .category = SN_FORCES,
             .summary = "moment or force on a joint by a command, with a limit or a speed-torque curve",
             .fields = actuator_fields,
             .spec_size = sizeof(actuator_spec)},
    .reserve = actuator_reserve,
    .compile = actuator_compile,
};
