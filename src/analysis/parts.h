/* parts.h - the parts of an output that are compared between two runs, each a vector of consecutive columns.
 *
 * Columns that follow from others and may jump (Euler angles, rotation vectors), numbers of contacts and places on a
 * section belong to no part. Of stresses only that of von Mises does: the others change their sign where the fiber of
 * the largest stress is another one.
 */
#ifndef SN_PARTS_H
#define SN_PARTS_H

#include "model/model.h"

typedef enum sn_part_kind {
  SN_PART_PLACE,        /* position of a recorded point: its displacement counts, not its size */
  SN_PART_ANGLE,        /* of a joint, an orientation in the plane, a torsion-spring; counts turns */
  SN_PART_ORIENTATION,  /* unit quaternion */
  SN_PART_ACCELERATION, /* of points and orientations */
  SN_PART_SIGNAL        /* all others: velocities, forces, stresses, strains, expressions */
} sn_part_kind;

typedef struct sn_part {
  int first, count; /* columns of the output */
  sn_part_kind kind;
} sn_part;

/* part[o->columns]; returns how many there are. */
int sn_output_parts(const sn_output *o, sn_part *part);

/* Length of a part of a row; 0 of an orientation. */
double sn_part_size(const sn_part *part, const double *row);
/* Length of a difference; of orientations the angle between them [rad]. NaN where one is not a number. */
double sn_part_distance(const sn_part *part, const double *x, const double *y);

#endif
