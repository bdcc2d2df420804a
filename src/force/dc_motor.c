/* dc_motor.c - direct-current motor behind a gear of ratio N on the coordinate of a joint:
 *
 *   L i' = V - R i - ke N w,   moment on the joint  N (kt i - b N w),   w the rate of the joint
 *
 * Without an inductance the current is that of L = 0. The inertia of the rotor is a joint `rotor`. */
#include "force/actuators.h"

typedef struct motor_spec {
  sn_actuator_spec head;
  const sn_expr *voltage;
  double R, L, kt, ke, b, ratio, current;
} motor_spec;

static const sn_field motor_fields[] = {
    SN_ACTUATOR_FIELDS,
    {"voltage", SN_FORMULA, SN_AT(motor_spec, voltage), .required = true, .unit = "V", .help = "at the terminals",
     .example = "12"},
    {"resistance", SN_REAL, SN_AT(motor_spec, R), .required = true, .unit = "ohm", .limits = SN_POSITIVE,
     .help = "of the winding"},
    {"inductance", SN_REAL, SN_AT(motor_spec, L), .def = "0", .unit = "H", .limits = SN_NOT_NEGATIVE,
     .help = "of the winding; with it the current is a state"},
    {"torque_constant", SN_REAL, SN_AT(motor_spec, kt), .required = true, .unit = "N m/A", .limits = SN_POSITIVE,
     .help = "moment of the rotor for 1 A", .example = "0.05"},
    {"back_emf_constant", SN_REAL, SN_AT(motor_spec, ke), .unit = "V s", .limits = SN_NOT_NEGATIVE,
     .help = "voltage induced at 1 rad/s of the rotor; default: torque_constant"},
    {"friction", SN_REAL, SN_AT(motor_spec, b), .def = "0", .unit = "N m s", .limits = SN_NOT_NEGATIVE,
     .help = "viscous friction of the rotor"},
    {"ratio", SN_REAL, SN_AT(motor_spec, ratio), .def = "1",
     .help = "gear: revolutions of the rotor for one of the joint, or rad for 1 m. The inertia of the rotor is a joint "
             "of type rotor"},
    {"current", SN_REAL, SN_AT(motor_spec, current), .def = "0", .unit = "A",
     .help = "at the start, with an inductance"},
    {0},
};

static void motor_check(sn_reader *reader, const sn_spec *spec) {
  const motor_spec *s = (const motor_spec *)(const void *)spec;
  if (s->ratio == 0)
    sn_field_error(reader, spec, "ratio", "a ratio other than 0", "motor '%s' has a ratio of zero", spec->name);
  if (sn_given(spec, "current") && !(s->L > 0))
    sn_field_error(reader, spec, "current", "an inductance", "motor '%s' has a current at the start and no inductance",
                   spec->name);
}

static void motor_reserve(sn_compiler *c, const sn_spec *spec) {
  const motor_spec *s = (const motor_spec *)(const void *)spec;
  const sn_composer x = sn_actuator_composer(c, spec);
  const double ke = (sn_given(spec, "back_emf_constant") ? s->ke : s->kt) * s->ratio;
  sn_compose_value(&x, "force", "",
                   sn_format(c->arena, "%.17g*current - %.17g*speed", s->ratio * s->kt, s->ratio * s->ratio * s->b));
  if (s->L > 0)
    sn_compose_rate(&x, "current", "A", s->current,
                    sn_format(c->arena, "(voltage - %.17g*current - %.17g*speed)/%.17g", s->R, ke, s->L));
  else
    sn_compose_value(&x, "current", "A", sn_format(c->arena, "(voltage - %.17g*speed)/%.17g", ke, s->R));
  sn_compose_given(&x, "voltage", "V", s->voltage);
}

static void motor_compile(sn_compiler *c, const sn_spec *spec) {
  sn_add_actuator_force(c, spec, "force");
}

const sn_force_ops sn_dc_motor = {
    .kind = {.name = "dc-motor",
             .category = SN_FORCES,
             .summary = "direct-current motor with a gear on a joint: resistance, inductance, back-emf",
             .fields = motor_fields,
             .spec_size = sizeof(motor_spec),
             .check = motor_check},
    .reserve = motor_reserve,
    .compile = motor_compile,
};
