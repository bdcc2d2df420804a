/* constraint.h - a relation between coordinates of joints, an expression of the file or a function of a host program.
 *
 *   Phi(t, s_1 .. s_n) = 0,    s_k = phi_k(q)
 *
 *   G     = sum_k Phi_k G_k                            Phi_k = dPhi/ds_k, G_k = dphi_k/dq
 *   Phi'  = Phi_t + sum_k Phi_k s_k'
 *   Phi'' = Phi_tt + 2 sum_k Phi_tk s_k' + sum_kj Phi_kj s_k' s_j' + sum_k Phi_k s_k''
 *   K     = l (sum_k Phi_k d2phi_k/dq2 + sum_kj Phi_kj G_k' G_j)
 *
 * Angles in space are known modulo 2 pi: those that are nearest to the values at the end of the last step count, which
 * are discrete values. Without an expression and without a function there is no equation: the multiplier is 0.
 */
#ifndef SN_CONSTRAINT_H
#define SN_CONSTRAINT_H

#include "model/compile.h"
#include "model/formula.h"

typedef struct sn_constraint {
  const char *name;
  int number, joint; /* among the constraints, and among the joints of the model */
  int row, group;    /* its multiplier and the group of it */
  int terms;
  sn_coordinate phi[SN_COORDINATE_REFS];
  int side[SN_COORDINATE_REFS];       /* see relation.h */
  const int *own[SN_COORDINATE_REFS]; /* local coordinates of the groups of each */
  sn_group_set set;                   /* groups of all */
  const sn_expr *f;                   /* NULL: it has none */
  int last;                           /* first of the discrete values: s at the end of the last step */
} sn_constraint;

/* Has it an equation? */
bool sn_constraint_holds(const sn_constraint *x, const struct sn_host *host);
/* Values s of its coordinates at the end of a step, for those that count turns. */
void sn_constraint_follow(const sn_constraint *x, const double *q, double *discrete);
/* Reaction on the second body of its last joint, added, of all coordinates that this body has; nothing if the joint is none
 * of these. */
void sn_constraint_reaction(const sn_model *model, int group, const sn_eval *eval, const double about[3], double F[3],
                            double M[3]);

#endif
