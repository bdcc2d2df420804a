/* rolling.h - nonholonomic constraints, equations between velocities that no position level belongs to:
 *
 *   Psi = sum_p g_p(y).y_p' = 0          y_p: probes,   G = sum_p g_p'Y_p
 *
 * with the velocity u of a material point of the second body, at x from its point r_j, relative to that of the first
 * body at the same place, s = r_j - r_i + x from its point r_i:
 *
 *   u = r_j' - r_i' + sum_k (x.b_k) b_k' - sum_k (s.a_k) a_k'        a_k, b_k: orthonormal directions of the bodies
 *
 *   rolling     a_r.u = 0 along the plane, a_0 and a_1, n = a_2;  sphere: x = -R n
 *               disk with the axis b_2: x = -R m/|m|, m = n - (n.b_2) b_2, the lowest point of its rim
 *   knife edge  b_0.u = 0 across the edge, x = 0
 *
 * Then dPsi/dt = sum g_p.y_p'' + sum_pr y_p'.(dg_p/dy_r) y_r', and K = l (sum_p H_p(g_p) + sum_pr Y_p'(dg_p/dy_r) Y_r),
 * which is not symmetric.
 */
#ifndef SN_ROLLING_H
#define SN_ROLLING_H

#include "model/compile.h"

typedef enum sn_rolling_type { SN_ROLLS_SPHERE, SN_ROLLS_DISK, SN_KNIFE_EDGE } sn_rolling_type;

enum { SN_ROLLING_PROBES = 8, SN_ROLLING_ROWS = 2 };

typedef struct sn_rolling {
  sn_rolling_type type;
  double radius;
  int dim;                           /* directions of each body */
  sn_probe probe[SN_ROLLING_PROBES]; /* a_k, r_i, r_j, b_k (knife edge: one) */
  int row, group, group_size;
  int groups, local;
  int group_list[SN_ROLLING_PROBES * SN_PROBE_GROUPS], group_at[SN_ROLLING_PROBES * SN_PROBE_GROUPS];
} sn_rolling;

/* Add the rows as a group of multipliers of `joint`: one less than directions, or one for an edge. */
void sn_add_rolling(sn_compiler *compiler, sn_joint *joint, const sn_rolling *rolling);
/* Reaction on the second body, added; nothing if the joint has none of these in its groups. */
void sn_rolling_reaction(const sn_model *model, const sn_joint *joint, const sn_eval *eval, const double about[3],
                         double F[3], double M[3]);

#endif
