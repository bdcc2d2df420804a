/* actuators.h - what actuators share: forces and moments on the coordinate of a joint, from equations written as
 * expressions (joint/compose.h) in which `speed` is the rate of the coordinate and `position` its travel. */
#ifndef SN_ACTUATORS_H
#define SN_ACTUATORS_H

#include "joint/compose.h"

typedef struct sn_actuator_spec { /* first member of every actuator's spec */
  sn_spec spec;
  const char *joint;
  int coordinate;
} sn_actuator_spec;

#define SN_ACTUATOR_FIELDS                                                                                             \
  {"joint", SN_JOINT_NAME, SN_AT(sn_actuator_spec, joint), .required = true,                                           \
   .help =                                                                                                             \
       "joint that it drives: a moment about its axis, or a force along it, on its second body and the opposite "      \
       "one on the first"},                                                                                            \
  {                                                                                                                    \
    "coordinate", SN_CHOICE, SN_AT(sn_actuator_spec, coordinate), .def = "any", .choices = "any|rotation|translation", \
                                                                  .help = "moment or force, on a joint with both"      \
  }

/* For its variables, in `reserve`. */
sn_composer sn_actuator_composer(sn_compiler *compiler, const sn_spec *spec);
/* In `compile`: the force along the coordinate, a text. */
void sn_add_actuator_force(sn_compiler *compiler, const sn_spec *spec, const char *force);

#endif
