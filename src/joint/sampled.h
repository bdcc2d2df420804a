/* sampled.h - what is evaluated at instants and held between: sampled controllers, servos. */
#ifndef SN_SAMPLED_H
#define SN_SAMPLED_H

#include "model/compile.h"

/* Names and units of outputs (part NULL: the owner itself) and of states, and what they start with. */
typedef struct sn_sampled_part {
  const char *part, *unit;
  double start;
  bool hidden; /* no variable: a number between instants that nobody else needs */
} sn_sampled_part;
/* Add it to the model; its first discrete value is found here. */
void sn_add_sampled(sn_compiler *compiler, const sn_spec *spec, sn_sampled sampled, const sn_sampled_part *part);
/* The discrete value that is its first output. */
int sn_first_output(const sn_sampled *sampled);

#endif
