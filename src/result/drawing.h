/* drawing.h - what a viewer draws bodies and markers from: the words and tables of numbers in a result file.
 *
 * docs/results.md tells it to users; web/src/data/layouts.ts is written from it (tests/unit/test_drawing.c). What the
 * coordinates themselves mean: model/body_layout.h. */
#ifndef SN_DRAWING_H
#define SN_DRAWING_H

#include "model/model.h"
#include "result/h5.h"

/* Rows of tables: one member after the other, each a column or several. */
typedef struct sn_place_row { /* attribute `places` of markers, for each of them */
  double element;
  double local[3]; /* lines: s in the element; surfaces: s, h; rigid bodies and the ground: place in body axes */
} sn_place_row;

typedef struct sn_section_row {        /* /bodies/NAME/sections, at every node of a line whose section varies */
  double size[2], stiffness, coupling; /* as in sn_geometry */
} sn_section_row;

struct sn_surfaces;
typedef struct sn_solid_row { /* /contacts/solids: what bodies touch with, in the axes of the body that carries it */
  double surface;             /* its number */
  double shape;               /* sn_item_shape */
  double center[3], axis[2][3], half[3];
} sn_solid_row;

/* /bodies/NAME/triangles, /contacts/triangles: three rows for each triangle of a convex hull, in the axes of its body. */
typedef struct sn_corner_row {
  double surface; /* its number; of bodies 0 */
  double x[3];
} sn_corner_row;

/* Words of the file; by sn_geometry_type, sn_outline (NULL: none) and sn_item_shape. */
extern const char *const sn_primitive_words[], *const sn_outline_words[], *const sn_item_words[];

/* Attributes and tables of the group of a body. */
void sn_drawing_write_body(sn_h5 *h5, hid_t object, const sn_body *body);
/* Where markers are: names of their bodies, places, and where they start. At most SN_DRAWN_MARKERS. */
enum { SN_DRAWN_MARKERS = 16, SN_DRAWN_CURVE = 385 }; /* points of a curve */
void sn_drawing_write_markers(sn_h5 *h5, hid_t object, const sn_marker *marker, int count);
/* The solids and single spheres of surfaces. */
void sn_drawing_write_solids(sn_h5 *h5, hid_t group, const struct sn_surfaces *surfaces);
/* The triangles of convex hulls among them. */
void sn_drawing_write_hulls(sn_h5 *h5, hid_t group, const struct sn_surfaces *surfaces);
/* At most this much of all tables. */
size_t sn_drawing_bytes(const sn_model *model);

#endif
