/* outputs.c - what is recorded besides the coordinates. */
#include "output/outputs.h"

static const sn_field output_fields[] = {
    {"point", SN_MARKER, SN_AT(sn_output_spec, point), .help = "position, velocity and acceleration of a marker",
     .example = "my_body.end"},
    {"reaction", SN_JOINT_NAME, SN_AT(sn_output_spec, reaction),
     .help = "force and moment that a joint exerts on its second body"},
    {"frame", SN_CHOICE, SN_AT(sn_output_spec, frame), .def = "global", .choices = "global|joint",
     .help = "axes of a reaction: global, or those of the joint (z is its axis), fixed to its first body"},
    {"spring", SN_FORCE_NAME, SN_AT(sn_output_spec, spring),
     .help = "length and force of a spring, angle and moment of a torsion-spring"},
    {"joint", SN_JOINT_NAME, SN_AT(sn_output_spec, joint),
     .help = "angle and travel of a joint from the start, with their rates"},
    {"resultant", SN_MARKER, SN_AT(sn_output_spec, resultant),
     .help = "stress resultants and strains of a flexible body at a marker, of second order in the length h of its "
             "elements: at a node under a load of q per meter moments are too large by q h^2/12"},
    {"contact", SN_BODY_NAMES, SN_AT(sn_output_spec, contact),
     .help = "total contact force on the first body from the second, or from all bodies if none is given; number of "
             "contacts and largest overlap"},
    {0},
};

static void output_check(sn_reader *reader, const sn_spec *spec) {
  static const char *const things[] = {"point", "reaction", "spring", "joint", "resultant", "contact"};
  int given = 0;
  for (size_t i = 0; i < SN_COUNT(things); i++) given += sn_given(spec, things[i]);
  if (given != 1)
    sn_field_error(reader, spec, NULL, "one of: point, reaction, spring, joint, resultant, contact",
                   "output '%s' names %s", spec->name, given ? "more than one thing" : "nothing to record");
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
