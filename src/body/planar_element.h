/* planar_element.h - two-node bars and beams of planar models in nodal coordinates (Huang's IRF and ANCF-S). */
#ifndef SN_PLANAR_ELEMENT_H
#define SN_PLANAR_ELEMENT_H

#include "model/model.h"

enum { SN_PLANAR_GAUSS = 5 };

typedef struct sn_planar_item {
  int first[2], group[2]; /* of the nodes */
  double L, EA;
  bool constant;  /* irf beam: no coupling of positions and angles in M */
  double M[4][4]; /* mass over the nodal vectors; bars: over the two positions */
  double K[4][4]; /* ancf-s beam: bending over the nodal vectors; irf beam: over the end rotations, 2 x 2 */
  double H[2][2]; /* irf beam: int slope slope' dx/L over the end rotations; 0: the strain is that of the chord */
  double slope[SN_PLANAR_GAUSS][4]; /* ancf-s beam: derivatives of the shape functions at the Gauss points */
} sn_planar_item;

/* Coordinates per node: bars (x, y), irf beams (x, y, angle), ancf-s beams (r, r'). */
const sn_batch_ops *sn_planar_batch(bool beam, bool ancf);

/* What is nearest to the degrees of freedom (0, 0, c1; d - L, 0, c2) of a beam in the frame of the chord: elongation
 * and end rotations of an irf beam, elongation of an irf bar. */
void sn_planar_chord(const sn_planar_item *item, const double *q, bool beam, double *elongation, double c[2]);

#endif
