/* relation.h - a linear relation between coordinates: gear, rack, tie and drivers of them, of joints; rope, of distances.
 *
 *   Phi = sum_k w_k phi_k - c - f(t) = 0          modulo `period`
 *
 * Angles in space are known only modulo 2 pi, so that Phi is known modulo 2 pi w_k for each of them. When all these
 * are whole multiples of one period, the remainder of Phi against it is a smooth function of q near Phi = 0, for any
 * number of turns and without a memory: like the teeth of a gear, each fits every gap. What is needed is that the
 * iterations start within half a tooth (half a period) of the solution.
 */
#ifndef SN_RELATION_H
#define SN_RELATION_H

#include "model/compile.h"
#include "model/coordinate.h"

enum { SN_RELATION_TERMS = 12 };
typedef struct sn_relation {
  int row, group; /* its multiplier and the group of it: one equation, one group */
  int terms;
  sn_coordinate phi[SN_RELATION_TERMS];
  double w[SN_RELATION_TERMS];
  int side
      [SN_RELATION_TERMS]; /* of its coordinate is the second body of the last joint the second (1), the first (-1), or
                                * none (0) */
  double c, period;        /* period 0: none */
  const sn_expr *f;        /* NULL: 0 */
  int profile; /* instead of f, number of the first of the discrete values t0, s, v, a: s + v (t - t0) + a (t - t0)^2/2;
                * 0: none (it is never the first of a model) */
} sn_relation;

/* The coordinate `type` of a joint; false after reporting at `node` that it has none. */
bool sn_joint_coordinate(sn_compiler *compiler, const sn_joint *joint, sn_coordinate_type type, const sn_node *node,
                         sn_coordinate *x);
/* Those of the joints that a relation names, of the types wanted (NULL: as written), into terms, phi and side of x; its
 * reaction is all that acts on the second body of the last joint. False after reporting. */
bool sn_relation_coordinates(sn_compiler *compiler, sn_joint *joint, const sn_coordinate_refs *refs,
                             const sn_coordinate_type *wanted, sn_relation *x);
/* Of the sum of terms, which angles in space give modulo 2 pi: 0 without such angles; -1: their factors have none. */
double sn_relation_period(const sn_relation *relation);
/* Add the only equation of `joint`: coordinates and factors in; period found here. false after reporting factors whose
 * ratio is not that of small whole numbers. */
bool sn_add_relation(sn_compiler *compiler, sn_joint *joint, const sn_relation *relation);

/* All relations of a model. Phi, Phi' and Phi'' (with eval->a) of one; r += f G'. */
typedef void sn_relation_visit(void *user, const sn_relation *relation);
void sn_each_relation(const sn_model *model, sn_relation_visit *visit, void *user);
void sn_relation_levels(const sn_relation *relation, const sn_eval *eval, double level[3]);
void sn_relation_apply(const sn_relation *relation, const sn_eval *eval, double f, double *r);

/* Reaction on the second body of the last joint of the relation, added: of all coordinates that this body has; of a rope
 * that of its last end. Nothing if `joint` is not a relation. */
void sn_relation_reaction(const sn_model *model, int group, const sn_eval *eval, const double about[3], double F[3],
                          double M[3]);

#endif
