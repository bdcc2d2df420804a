/* fiber.h - stress at points of the surface of a section, from stress resultants. */
#ifndef SN_FIBER_H
#define SN_FIBER_H

#include "model/model.h"

enum { SN_FIBER_MOST, SN_FIBER_TOP, SN_FIBER_BOTTOM, SN_FIBER_LEFT, SN_FIBER_RIGHT }; /* choices of `fiber` */

/* At the point y, z of the surface of a section
 *   sigma = s.(N, Qy, Qz, T, My, Mz)      along the line
 *   tau   = t.(N, Qy, Qz, T, My, Mz)      along the surface, across the line */
typedef struct sn_fiber {
  double y, z, s[6], t[6];
} sn_fiber;

/* The fibers of a section among which `which` is sought, in `fiber` (NULL: only their number). The geometry has a section
 * with an outline. */
int sn_section_fibers(const sn_geometry *geometry, int which, sn_fiber *fiber);

#endif
