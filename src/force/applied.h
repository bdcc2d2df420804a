/* applied.h - forces and moments that a host program applies at markers while a simulation runs.
 *
 * They are held between steps, fixed in space: loads (load.h) with constant components. The coordinates of a marker are
 * those of one body or element, which the matrix couples already: its pattern stays as it is.
 */
#ifndef SN_APPLIED_H
#define SN_APPLIED_H

#include "force/load.h"

typedef struct sn_applied {
  const char *at; /* as the host program wrote it */
  sn_marker marker;
  sn_load load[2];    /* force, moment */
  bool turns;         /* a moment can act there */
  double value[2][3]; /* [N], [N m] */
} sn_applied;

/* The loads at a marker, both zero. */
void sn_make_applied(const sn_model *model, const sn_marker *marker, sn_applied *applied);

/* r -= Q; A += ck K; power += Q.v, of all that the host program applies */
void sn_applied_residual(const sn_eval *eval, double *r);
void sn_applied_tangent(const sn_eval *eval, sn_matrix *A);
void sn_applied_power(const sn_eval *eval, sn_power *power);

#endif
