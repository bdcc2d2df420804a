/* measure.h - measured quantities of expressions (model/measured.h), made from what was written. */
#ifndef SN_MEASURE_H
#define SN_MEASURE_H

#include "model/compile.h"
#include "model/refer.h"

/* beam.at(0.5).N: column of the resultants at a marker, with signs about a direction if `about` is given. */
bool sn_measure_resultant(sn_compiler *compiler, const sn_reference *r, const sn_marker_ref *at, const double *about,
                          sn_quantity *s);
/* hinge.reaction.fx of a joint, in its own axes with `local`. */
bool sn_measure_reaction(sn_compiler *compiler, const sn_reference *r, const char *joint, bool local, sn_quantity *s);
/* box.energy, model.kinetic_energy */
bool sn_measure_energy(sn_compiler *compiler, const sn_reference *r, sn_quantity *s);

#endif
