/* rolling.h - rolling that cables and beams in contact do without.
 *
 * Friction acts on points of their center lines: its moment about the line is left out, and cables have no rotation about
 * it at all. A round rod on a slope sticks where a real one rolls. With f the friction of a contact, t the tangent of
 * the line and r the radius from the line to the contact, a body that nothing holds against it would turn by
 *
 *   M = sum t.(r x f),   (J + m |r|^2) w' = M,   J = m |r|^2/2
 *
 * and roll by x, x'' = |r| w' (on a slope 2/3 g sin a, that of a rod). Bodies with a joint that takes moments are left
 * out: only their twist is missing, which is small where they are stiff.
 */
#ifndef SN_ANALYSIS_ROLLING_H
#define SN_ANALYSIS_ROLLING_H

#include "analysis/simulation.h"

/* Memory of a model with friction of lines in space; at the start of a stage. */
void sn_rolling_begin(sn_simulation *simulation);
/* After a row, `since` the last one [s]. */
void sn_rolling_row(sn_simulation *simulation, const sn_row *row, double since);
/* The longest x up to now [m]; *body: of which. */
double sn_rolling(const sn_simulation *simulation, int *body);
/* What a checkpoint keeps of it. */
void sn_rolling_history(sn_simulation *simulation, sn_history *history);
/* The reason in words. */
const char *sn_rolling_say(sn_simulation *simulation, double value);

#endif
