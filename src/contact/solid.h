/* solid.h - private to contact: the table of each shape of solid, and what the files of shapes share. */
#ifndef SN_CONTACT_SOLID_H
#define SN_CONTACT_SOLID_H

#include <string.h>

#include "contact/convex.h"
#include "contact/surfaces.h"

/* Append the contacts of solids i and j. */
typedef void sn_touch_pair(const sn_contacts *contacts, const sn_pair *pair, int i, int j, sn_contact_list *list);

typedef struct sn_solid_pair {
  sn_item_shape with;
  sn_touch_pair *touch; /* NULL ends the list */
} sn_solid_pair;

/* What contact asks of a shape. Its compile function (sn_surface_ops) has made center, axes, half edges, radius and reach of
 * the item; an infinite reach is that of a half space, which needs `see` and `size` alone. */
typedef struct sn_solid_ops {
  bool blunt; /* it counts as flat against what is round (narrow.c, radius of Hertz) */
  /* Radius of Hertz: the radius of what is round, half the smallest edge of a box; INFINITY: flat. */
  double (*size)(const sn_item *item);
  /* Bounds along the global axes. */
  void (*bound)(const sn_item *item, const sn_solid_place *place, double low[3], double high[3]);
  /* What the center c of a sphere sees of it; `view` is zero before. */
  void (*see)(const sn_item *item, const sn_solid_place *place, const double c[3], sn_view *view);
  /* Core and margin of a convex solid: `straight`, `radius`, `margin`, and what the margin takes from `half`. Edges are
   * rounded by this part of the size. */
  void (*core)(const sn_item *item, double rounded, sn_core *core);
  /* Solid i on the plane j. */
  sn_touch_pair *on_plane;
  /* Other solids by functions of its own; NULL: none. By default two solids touch as convex ones (sn_touch_convex), that
   * with the smaller number of shape as the first. */
  const sn_solid_pair *pairs;
} sn_solid_ops;

#define SOLID(NAME, name) extern const sn_solid_ops sn_solid_##name;
#include "contact/solids.def"
extern const sn_solid_ops *const sn_solids[SN_ITEM_SHAPES]; /* NULL: SN_ITEM_SPHERES */

static inline double sn_solid_size(const sn_item *item) {
  return sn_solids[item->shape]->size(item);
}

static inline void sn_see(const sn_item *item, const sn_solid_place *place, const double c[3], sn_view *view) {
  memset(view, 0, sizeof *view);
  sn_solids[item->shape]->see(item, place, c, view);
}

/* The contacts of two solids. */
void sn_narrow_solids(const sn_contacts *contacts, const sn_pair *pair, sn_contact_list *list);

/* ---- for the files of shapes ---- */

/* Margin of edges: this part of the size. Penalty forces need normals that turn smoothly while edges overlap, so that they
 * have a potential. Complementarity does not let them overlap, and the point of an impact, or on which a solid tips, is
 * that of the sharp edge: only the direction between two edges or corners needs some distance of the cores. */
#define SN_ROUNDED 0.02
#define SN_SHARP 1e-3

/* A new solid with its carrier; NULL after reporting. */
sn_item *sn_add_solid(sn_surface_builder *builder, const sn_surface_spec *spec, const sn_body *body,
                      sn_item_shape shape);
/* The solid that a body is; none where it only has one to be drawn. */
sn_geometry sn_solid_of_body(const sn_body *body);
/* P of a view at the distance d from a point: (I - n n')/d; from a straight line along the unit vector a. */
void sn_see_about_point(sn_view *view, double d);
void sn_see_about_line(sn_view *view, const double a[3], double d);
/* A ball of this radius at x, fixed in solid a, against solid b. */
sn_contact *sn_touch_at(const sn_contacts *contacts, const sn_pair *pair, int a, int b, const double x[3],
                        double radius, int feature, sn_contact_list *list);
/* x = center + t axis 0 */
static inline void sn_on_axis(const sn_solid_place *place, double t, double x[3]) {
  for (int k = 0; k < 3; k++) x[k] = place->center[k] + t * place->axis[0][k];
}

/* solid_round.c: solids about an axis with a radius, from the ends of the axis or the cylinder that the body is. */
sn_item *sn_compile_round(sn_surface_builder *builder, const sn_surface_spec *spec, const sn_body *body,
                          sn_item_shape shape);
void sn_check_ends(sn_reader *reader, const sn_spec *spec);
double sn_round_size(const sn_item *item);
void sn_round_bound(const sn_item *item, const sn_solid_place *place, double low[3], double high[3]);
#define SN_ROUND_FIELDS(ends)                                                                    \
  SN_SURFACE_ON("rigid body, or the ground", .def = "ground", .example = "my_body", ),           \
      {"from",                                                                                   \
       SN_VECTOR,                                                                                \
       SN_AT(sn_surface_spec, from),                                                             \
       .unit = "m",                                                                              \
       .example = "[0, 0, -1]",                                                                  \
       .help = "first end of the axis" ends ", in the axes of the body"},                        \
      {"to",                                                                                     \
       SN_VECTOR,                                                                                \
       SN_AT(sn_surface_spec, to),                                                               \
       .unit = "m",                                                                              \
       .example = "[0, 0, 1]",                                                                   \
       .help = "second end of the reference line"},                                              \
      {"radius",                                                                                 \
       SN_REAL,                                                                                  \
       SN_AT(sn_surface_spec, radius),                                                           \
       .unit = "m",                                                                              \
       .limits = SN_POSITIVE,                                                                    \
       .example = "0.1",                                                                         \
       .help = "radius; default of the axis and the radius: the cylindrical shape of the body"}, \
      SN_SURFACE_MATERIAL, {                                                                     \
    0                                                                                            \
  }

#endif
