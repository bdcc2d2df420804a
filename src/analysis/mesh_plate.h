/* mesh_plate.h - what the mesh of a plate gets wrong, by how far the moments and membrane forces of its elements are from
 * those that are continuous.
 *
 * At a node the elements around it have different resultants R. Their mean R* is closer to the truth than each of them
 * (Zienkiewicz and Zhu 1987), and so is what lies between the nodes. With the strains e of both, and four corners to an
 * element of the area A,
 *
 *   U_error = sum A/8 sum (R - R*) (e - e*),       U = sum A/8 sum R e
 *
 * U_error/U is about the error of a deflection, U_error/(2 U) that of a frequency: 0.7 to 1 of it on meshes of six
 * elements along an edge and more.
 *
 * The slope across an edge is linear along it in each element, and so is its twist constant: where the twist of the
 * interior changes along an edge that bends, by dk and the moment dM over an element, the element is too stiff. Other
 * elements behind the edge and supports along it have made up for it, and a free edge has not:
 *
 *   U_free = 1/2 sum A dM dk        over elements at free edges
 *
 * which is 0.6 to 1.4 times the error of plates on their corners and cantilevered ones that are twisted.
 */
#ifndef SN_MESH_PLATE_H
#define SN_MESH_PLATE_H

#include "analysis/mesh_line.h"

/* Of the state or a motion: U_error, and U into *energy; 0: the body is no plate. */
double sn_mesh_plate(const sn_mesh_motion *motion, const sn_body *body, double *energy);

#endif
