/* hull.h - convex hulls of points: their faces, and the mass properties of the solid. */
#ifndef SN_HULL_H
#define SN_HULL_H

#include "base/base.h"

typedef struct sn_hull_face {
  double n[3], level; /* unit, outward; n.x = level on the face */
  int first, count;   /* its corners, counterclockwise seen from outside: corner[first .. first + count - 1] */
} sn_hull_face;

typedef struct sn_hull_edge {
  int end[2];      /* vertices */
  double along[3]; /* unit */
} sn_hull_edge;

/* Places are relative to the center of mass. */
typedef struct sn_hull {
  double center[3];       /* that center, in the axes of the points */
  double volume, J[6];    /* of unit density, about the center: xx yy zz xy xz yz */
  double inside, outside; /* distance of the center from the nearest face, from the farthest vertex */
  int vertices, faces, edges;
  double (*vertex)[3];
  sn_hull_face *face;
  sn_hull_edge *edge;
  int *corner;
} sn_hull;

/* NULL: the points lie in a plane, to a millionth of their extent. Points nearer than that to the surface are left out,
 * and faces that are as nearly flat are one. */
const sn_hull *sn_hull_of(sn_arena *arena, int count, const double (*point)[3]);
/* What is at least `depth` below all faces, less than hull->inside, about the same center. */
const sn_hull *sn_hull_inside(sn_arena *arena, const sn_hull *hull, double depth);

enum { SN_HULL_POINTS = 5000 }; /* at most */

#endif
