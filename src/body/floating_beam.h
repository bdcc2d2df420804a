/* floating_beam.h - straight beam elements along the x axis of a floating frame, with linear elasticity.
 *
 * Degrees of freedom of an element: (u, v, t) per node in the plane, (u, v, w, tx, ty, tz) in space: displacements and
 * small rotations of the sections, in the axes of the frame. Axial displacement and torsion are linear, bending as in
 * beam_shape.h. Z (rows: the element's degrees of freedom, columns: the coordinates z of an item) says how they follow
 * from z: a choice of them, or the shapes of a reduced body. */
#ifndef SN_FLOATING_BEAM_H
#define SN_FLOATING_BEAM_H

#include "body/floating_element.h"
#include "model/materials.h"

enum { SN_BEAM_FREEDOM = 12 };

typedef struct sn_frame_beam {
  int dim;
  int node;                /* degrees of freedom of a node: 3, or 6 in space */
  double l;                /* length of an element */
  double mass;             /* per length */
  double EA, EIz, EIy, GJ; /* Izz resists bending in the x-y plane */
  double Pz, Py;           /* shear, see beam_shape.h; 0: Euler-Bernoulli */
  double ry, rz;           /* squared radii of inertia of the section along y and z; 0: rotary inertia is left out */
} sn_frame_beam;

/* shear: factor k, 0 for Euler-Bernoulli; rotary: with the rotary inertia of the sections? */
sn_frame_beam sn_frame_beam_of(int dim, const sn_material_spec *material, const sn_section_values *section, double l,
                               double shear, bool rotary);
/* Displacement S and rotation W of the section at s in [0, 1], rows of SN_BEAM_FREEDOM. */
void sn_frame_beam_shape(const sn_frame_beam *beam, double s, double S[3][SN_BEAM_FREEDOM],
                         double W[3][SN_BEAM_FREEDOM]);
/* K[2 node][2 node], row by row with stride SN_BEAM_FREEDOM */
void sn_frame_beam_stiffness(const sn_frame_beam *beam, double K[SN_BEAM_FREEDOM][SN_BEAM_FREEDOM]);
/* Add mass and stiffness of the element that starts at x. */
void sn_frame_beam_add(const sn_frame_beam *beam, double x, const double *Z, sn_floating_item *item);
/* The section at s of that element. */
const sn_floating_place *sn_frame_beam_place(sn_arena *arena, const sn_frame_beam *beam, double x, double s,
                                             const double *Z, int nf);

/* Resultants on the part before the section at s for the degrees of freedom d of the element, in the axes of the frame:
 * in the plane N, Q = -M', M, strain, curvature; in space N, Qy = -Mz', Qz = My', Mx, My, Mz, strain, twist and
 * curvatures. */
enum { SN_RESULTANTS_PLANE = 5, SN_RESULTANTS_SPACE = 10 };
extern const sn_headings sn_resultants_plane, sn_resultants_space;
void sn_frame_beam_resultants(const sn_frame_beam *beam, double s, const double d[SN_BEAM_FREEDOM], double *values);

/* The lowest vibration shapes that a reduction leaves out: squares of frequencies, and shapes [count][all coordinates],
 * x'M x = 1; from the scratch. */
enum { SN_MOST_LEFT_MODES = 12 };
typedef struct sn_left_modes {
  int count;
  double *w2, *shape;
} sn_left_modes;

/* Craig and Bampton: the basis (count x (boundaries + modes), row by row, from the arena): static shapes of unit
 * boundary coordinates, then the lowest `modes` vibration shapes with the boundary fixed, of largest entry 1. More than
 * asked for, and at most `most`, where the last would be torn from others of the same frequency. M and K are destroyed.
 * left_out [count], zero before: the displacement of each coordinate by a unit force on it, boundary fixed, that the
 * modes which are not kept have. rest: zero before. NULL: the stiffness is not positive. */
const double *sn_craig_bampton(sn_arena *arena, sn_arena *scratch, int count, double *M, double *K,
                               const bool *boundary, int most, int *modes, double *left_out, sn_left_modes *rest);

#endif
