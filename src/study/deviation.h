/* deviation.h - errors of the outputs of a run, estimated from repeated runs with other settings.
 *
 * A run is repeated with finer steps, with another method and with a finer mesh. The difference of an output is nearly
 * its error: a repetition with errors 2^p times smaller differs by (1 - 2^-p) of the error.
 */
#ifndef SN_DEVIATION_H
#define SN_DEVIATION_H

#include "run/trial.h"

extern const char *const sn_source_names[SN_SOURCES]; /* "time", "method", "mesh" */

/* Range of a column of outputs over a run, which deviations are relative to: that of the column of the same output and
 * unit that moves most, so that a component at rest counts by the vector it belongs to; where nothing moves the largest
 * size, and 1 where all is 0. */
double sn_verify_range(const sn_model *model, const sn_trial *base, int column);

sn_deviation sn_verify_column(const sn_trial *base, const sn_trial *other, int column, double range);

/* Factor from a deviation to an error, for the source: 2 for steps halved, which is right for methods of first order
 * (some are, by their damping) and safe for others; 10/9 for a tenth of the tolerance; 1 for another method; all of them
 * times 1.25, since errors are not quite proportional to the step or the tolerance (erk at 1e-5 and 1e-6: 5 to 1). 4/3 for a
 * mesh of twice as many elements, of second order; most are of fourth. */
double sn_verify_factor(const sn_trial *base, sn_source source);

/* The error bar of a column from deviations of all sources (NaN: not known): that of the mesh, plus the larger of those
 * of time and method, which see the same error. *from is the source of the largest part; NaN: nothing is known. */
double sn_verify_bar(const sn_trial *base, const double deviation[SN_SOURCES], sn_source *from);

/* Largest error of the parts of outputs (analysis/parts.h) against `reference` at its output times, and the first column
 * of that part; -1: there is none. NaN where the times differ, or without a part.
 *   angles: angles and orientations, relative to the largest size of each, at least 1 rad
 *   others: but positions of points and accelerations, relative to the largest size of each; at least to a hundredth of
 *           the largest of the same unit, and to what rounding leaves of a part that is zero */
double sn_verify_angles(const sn_model *model, const sn_trial *trial, const sn_trial *reference, int *column);
double sn_verify_others(const sn_model *model, const sn_trial *trial, const sn_trial *reference, int *column);

#endif
