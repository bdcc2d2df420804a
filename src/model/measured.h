/* measured.h - numbers of a state that are not made of probes: stress resultants, reactions, energies.
 *
 * Each is a function y(t, q, v, l) of the coordinates and multipliers of a few groups. Derivatives are differences of
 * fourth order over each coordinate x,
 *
 *   dy/dx = (8 (y(x + h) - y(x - h)) - (y(x + 2h) - y(x - 2h)))/(12 h)
 *
 * exact for polynomials up to the fourth degree (energies, strains, reactions of joints), otherwise with an error of
 * h^4, h = 1e-3 of the size of an element: ten digits.
 */
#ifndef SN_MEASURED_H
#define SN_MEASURED_H

#include "model/model.h"

/* A model with more coordinates has none of them in forces: differences work on a copy of its state. */
enum { SN_MEASURED_COORDINATES = 16384, SN_MEASURED_GROUPS = 24, SN_MEASURED_PARTS = 8 };

typedef struct sn_measured sn_measured;
struct sn_measured {
  double (*value)(const sn_measured *x, const sn_eval *eval);
  const sn_model *model;
  sn_marker marker; /* resultants */
  int column;       /* of them, or of the six components of a reaction; 6, 7: magnitudes of its force and moment */
  int joint;
  bool local;              /* reaction: in the axes of the joint */
  sn_probe frame[3];       /* those axes */
  bool kinetic, potential; /* energies */
  int parts;               /* energy of a body: its instances of these batches; 0: of the whole model */
  const sn_batch_ops *part[SN_MEASURED_PARTS];
  sn_range range[SN_MEASURED_PARTS];
  int groups;
  int group[SN_MEASURED_GROUPS], first[SN_MEASURED_GROUPS], size[SN_MEASURED_GROUPS]; /* `first` in (q, l) */
  bool wide;     /* it depends on more groups than that: it has a value, but no derivatives */
  bool of_rates; /* depends on v */
  bool reactive; /* depends on l */
  double length; /* of which coordinates change by 1e-3 */
};

/* Its derivatives over the coordinates of its groups, one after the other: by q and v, 0 where they are multipliers; and
 * by l, 0 where they are coordinates. */
void sn_measured_derivatives(const sn_measured *x, const sn_eval *eval, double *dq, double *dv, double *dl);

#endif
