/* surfaces.h - surfaces and contacts in a model file, and functions for compiling kinds of surfaces. */
#ifndef SN_SURFACES_H
#define SN_SURFACES_H

#include "contact/contact.h"
#include "model/compile.h"

typedef struct sn_surface_spec {
  sn_spec spec;
  sn_marker_ref on;
  int count, grid[2];
  double spacing, radius;
  double at[3], from[3], to[3], normal[3], size[3], rotation[4];
  const sn_spec *material;
  const struct sn_hull *points;
} sn_surface_spec;

/* Growing while surfaces are compiled. */
typedef struct sn_surface_builder {
  sn_compiler *compiler;
  sn_surfaces *surfaces;
  sn_surface *surface; /* current */
  sn_probe *probe;
  int weights, probes;
  int item_capacity, sphere_capacity, carrier_capacity, weight_capacity, probe_capacity;
  int *rigid_carrier; /* [bodies] of rigid bodies and the ground, -1: none yet */
} sn_surface_builder;

typedef struct sn_surface_ops {
  sn_kind kind;
  void (*compile)(sn_surface_builder *builder, const sn_surface_spec *spec, const sn_body *body);
} sn_surface_ops;

/* A new item of the current surface. */
sn_item *sn_add_item(sn_surface_builder *builder, sn_item_shape shape);
/* The carrier a probe of a point belongs to: shared by all items of a rigid body or the ground, else a new one. */
int sn_add_carrier(sn_surface_builder *builder, const sn_body *body, const sn_probe *probe);
/* A sphere at the end of the last item, which holds spheres. */
void sn_add_sphere(sn_surface_builder *builder, const sn_body *body, const sn_probe *probe, double radius,
                   double place);
/* Probe of the point `local` in the axes of a rigid body or the ground; false where the body has no such axes. */
bool sn_solid_probe(const sn_body *body, const double local[3], sn_probe *probe);

/* contact/order.c: the order [count] in which surfaces of these names on these bodies (NULL: not known) are compiled.
 */
const int *sn_order_surfaces(sn_compiler *compiler, int count, const sn_body *const *body, const char *const *name);

#define SN_SURFACE_ON(text, ...) \
  { "on", SN_MARKER, SN_AT(sn_surface_spec, on), __VA_ARGS__.help = text }
#define SN_SURFACE_MATERIAL                                                                                    \
  {                                                                                                            \
    "material", SN_MATERIAL, SN_AT(sn_surface_spec, material),                                                 \
        .help = "material for the contact stiffness; default: that of the body, or rigid if the body has none" \
  }

/* contact/law.c: the entries of `contacts`, and which holds between which classes of surfaces. */
void sn_compile_laws(sn_compiler *compiler, sn_surfaces *surfaces);

#endif
