/* convex.h - private to contact: two rounded convex solids and their support points. */
#ifndef SN_CONTACT_CONVEX_H
#define SN_CONTACT_CONVEX_H

#include "contact/set.h"
#include "model/hull.h"

/* A solid is its core and all that is nearer to it than the margin. A core is a box (three straight axes), a segment
 * (one, radius 0), a cylinder (one and the radius), or what of an ellipsoid or convex hull is deeper than the margin
 * (none). */
typedef struct sn_core {
  int item;
  const double *center;
  const double (*axis)[3];
  int straight;   /* axes along which it has straight edges: 3, 1 or 0 */
  double half[3]; /* along these; semi-axes of an ellipsoid; bounds of a hull */
  double radius;  /* about axis 0; else 0 */
  double margin;
  double shrunk;       /* by this part toward its center: no straight axes */
  const sn_hull *hull; /* NULL: another shape */
} sn_core;

/* A segment has none, and an ellipsoid. */
static inline bool sn_core_has_faces(const sn_core *core) {
  return core->straight == 3 || core->radius > 0 || core->hull;
}

/* Edges along its axes, or an axis. */
static inline bool sn_core_has_lines(const sn_core *core) {
  return core->straight > 0;
}
static inline bool sn_core_is_ellipsoid(const sn_core *core) {
  return core->straight == 0 && !core->hull;
}
/* Are all its faces polygons? */
static inline bool sn_core_is_polyhedron(const sn_core *core) {
  return core->straight == 3 || core->hull;
}

/* The part of a core that lies farthest along a unit vector m. */
typedef struct sn_support_point {
  int flats;         /* straight directions within it: 0 a point, 1 a line, 2 a face */
  double flat[2][3]; /* unit */
  /* Radii of curvature against m, sum r e e': side and rim of a cylinder have one, in the direction around the axis, an
   * ellipsoid two; 0: none. */
  double round[2][3], round_radius[2];
} sn_support_point;

typedef struct sn_apart {
  double n[3]; /* unit, from core 1 into core 0 */
  double d;    /* distance of the cores along n; < 0: they overlap */
  double flat; /* cosine below which a direction counts as straight */
  sn_support_point support[2];
} sn_apart;

/* Two solids that touch, and the list that gets their contacts. */
typedef struct sn_meeting {
  const sn_contacts *c;
  const sn_pair *pair;
  sn_core core[2];
  sn_apart apart;
  double gap;
  sn_contact_list *list;
} sn_meeting;

/* Its edges are rounded by this part of its size. */
void sn_core_of(const sn_contacts *contacts, int item, double rounded, sn_core *core);
/* The point farthest along m; where many are, their middle. What is straight is said by `apart`, or NULL. */
void sn_core_support(const sn_core *core, const double m[3], const sn_apart *apart, double x[3]);
/* Of an ellipsoid, without what is nearer to its surface than `margin`: the point farthest along m, and the radii of
 * curvature there. */
void sn_ellipsoid_farthest(const double center[3], const double half[3], const double axis[3][3], const double m[3],
                           double margin, double x[3]);
void sn_ellipsoid_radii(const double half[3], const double axis[3][3], const double m[3], double margin,
                        sn_support_point *point);
/* core_hull.c: faces and edges of a core that is a hull, by their numbers; all in space. */
enum { SN_FACE_CORNERS = 64 };
int sn_hull_face_along(const sn_core *core, const double m[3]);
int sn_hull_edge_across(const sn_core *core, const double m[3]);
void sn_hull_normal(const sn_core *core, int face, double n[3]);
/* Of a face with more than `most` corners so many are taken. */
int sn_hull_corners(const sn_core *core, int face, int most, double (*x)[3]);
double sn_hull_half_width(const sn_core *core, int face);
void sn_hull_along(const sn_core *core, int edge, double e[3]);
void sn_hull_ends(const sn_core *core, int edge, double (*x)[3]);
double sn_hull_half_edge(const sn_core *core, int edge);
double sn_hull_rise(const sn_core *core, int edge, const double m[3]);
void sn_hull_support(const sn_core *core, const double m[3], double middle, double x[3]);
void sn_hull_support_point(const sn_core *core, const double m[3], double flat, sn_support_point *point);
/* Distance of the cores along the unit vector n. */
double sn_core_separation(const sn_core core[2], const double n[3]);
/* The normal along which the cores are farthest apart, or overlap least. */
void sn_cores_apart(const sn_core core[2], sn_apart *apart);

/* The point of core 0 that is closest to core 1. */
void sn_closest_point(const sn_meeting *meeting, double x[3]);
/* The closest points alone. */
void sn_touch_once(const sn_meeting *meeting);
/* Lines that are nearly parallel; false: they are not. */
bool sn_touch_lines(const sn_meeting *meeting);
/* Faces and lines that lie on each other by penalty; else lines, or the closest points. */
void sn_touch_flats(const sn_meeting *meeting);
/* The line of the other on the face of solid k that looks along o, by complementarity; false: it does not lie on it. */
bool sn_touch_line_on_face(const sn_meeting *meeting, int k, const double o[3]);
/* Where a face is straight along the normal, by complementarity; false: there is none. */
bool sn_touch_faces(const sn_meeting *meeting);
/* Sine of the angle up to which a cylinder stands on its end rather than on a point of its rim. */
#define SN_STANDS 0.3
/* A point x on the core of solid k, with m pointing out of it, against the other; nothing rolls. */
sn_contact *sn_touch_smooth(const sn_meeting *meeting, int k, const double x[3], const double m[3], sn_view *view,
                            int feature);
/* A point x of the core of solid k, with the normal n of the other there. */
sn_contact *sn_touch_core(const sn_meeting *meeting, int k, const double x[3], const double n[3], sn_view *view,
                          int feature);

/* 1 at 0, smoothly less as x grows, 0 beyond the end. */
static inline double sn_fading(double x, double end) {
  double y = 1 - x * x / (end * end);
  return y > 0 ? y : 0;
}

#endif
