/* materials.h - what bodies are made of. */
#ifndef SN_MATERIALS_H
#define SN_MATERIALS_H

#include "model/model.h"

typedef struct sn_material_spec {
  sn_spec spec;
  double density, young, poisson;
} sn_material_spec;

/* Area and second moments of a cross section: x along the line, width along z, height along y. */
typedef struct sn_section_values {
  double A, Iyy, Izz, J;
  double Ryy, Rzz; /* second moments of its mass, per density: rotary inertia; 0 from `values`: as Iyy, Izz */
} sn_section_values;

enum { SN_SECTION_POINTS = 9 };

typedef struct sn_section_ops {
  sn_kind kind;
  sn_section_values (*values)(const sn_spec *spec);
  /* Quadrature over the area: (y, z, weight) of each point; returns their number, at most SN_SECTION_POINTS. */
  int (*points)(const sn_spec *spec, double (*point)[3]);
  /* Shear correction factor for Poisson's ratio nu. */
  double (*shear)(const sn_spec *spec, double nu);
  void (*geometry)(const sn_spec *spec, sn_geometry *geometry);
} sn_section_ops;

extern const sn_section_ops sn_section_rectangle; /* the only one of planar beams */

/* The section between a (f = 0) and b (f = 1), both of one kind: its sizes change linearly. `mix` makes it in `space`.
 */
typedef union sn_section_space {
  sn_spec spec;
  double space[32];
} sn_section_space;
const sn_spec *sn_section_mix(const sn_spec *a, const sn_spec *b, double f, sn_section_space *space);
/* A number that only one of the two gives; NULL: none. */
const char *sn_section_lacks(const sn_spec *a, const sn_spec *b);
/* Has that section an area, and no size below 0? */
bool sn_section_exists(const sn_spec *a, const sn_spec *b, double f);
sn_section_values sn_section_between(const sn_spec *a, const sn_spec *b, double f);

/* Volume and inertia (about the center, per unit density) of a solid. length: given by the body's from/to, or 0. */
typedef struct sn_solid {
  double volume, Jxx, Jyy, Jzz, Jxy, Jxz, Jyz;
} sn_solid;
typedef struct sn_shape_ops {
  sn_kind kind;
  sn_solid (*solid)(const sn_spec *spec, double length);
  void (*geometry)(const sn_spec *spec, double length, sn_geometry *geometry);
} sn_shape_ops;

static inline sn_section_values sn_section(const sn_spec *spec) {
  sn_section_values v = ((const sn_section_ops *)(const void *)spec->kind)->values(spec);
  if (!(v.Ryy > 0)) v.Ryy = v.Iyy;
  if (!(v.Rzz > 0)) v.Rzz = v.Izz;
  return v;
}

#endif
