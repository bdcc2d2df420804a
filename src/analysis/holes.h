/* holes.h - bodies that fit between the spheres of cables, beams and plates.
 *
 * The spheres of a line or a grid leave holes. With spheres of radius r, s apart on a line or a and b on a grid, what is
 * narrower than 2 R passes between them, and no contact is ever found, if
 *
 *   R + r < s/2,   R + r < hypot(a, b)/2
 *
 * Pairs that come near each other while this holds are a doubt. Smooth contact (`exact: true`) has no holes for spheres.
 */
#ifndef SN_HOLES_H
#define SN_HOLES_H

#include "analysis/simulation.h"

/* The holes of the surfaces; at the start of a stage. */
void sn_holes_begin(sn_simulation *simulation);
/* After a row: are there pairs, near each other, of which one fits through the other? */
void sn_holes_row(sn_simulation *simulation);
/* What a checkpoint keeps of it. */
void sn_holes_history(sn_simulation *simulation, sn_history *history);
/* The reason in words. */
const char *sn_holes_say(sn_simulation *simulation, double value);

#endif
