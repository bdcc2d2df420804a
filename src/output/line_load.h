/* line_load.h - what acts along the elements of bodies along lines. */
#ifndef SN_LINE_LOAD_H
#define SN_LINE_LOAD_H

#include "output/output.h"

/* load[k] += the force on element first + k, k < count, of all entries of `forces` along the body. work: [n]. */
void sn_line_add_forces(const sn_model *model, const sn_body *body, int first, int count, const sn_eval *eval,
                        double *work, double (*load)[3]);

/* The load per length for sn_body_ops.resultants at a marker: weight, inertia and forces along the body, even over each
 * element. false: not known (not a line, or other bodies touch it, whose forces act at points within the elements). */
bool sn_line_load(const sn_model *model, const sn_marker *marker, const sn_eval *eval, const sn_touching *touching,
                  const sn_output_memory *memory, double load[2][3]);

#endif
