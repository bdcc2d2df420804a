/* bearing.h - the force with which a joint presses its bodies together across its axis a.
 *
 *   F, M   force of the joint on its second body, and moment about the point of that body
 *   N = |S|,              S = F - (F.a) a                         supported at a point
 *   N = |S_1| + |S_2|,    S_1,2 = (F - (F.a) a)/2 -+ a x M/L      by two supports at the distance L along the axis
 *   N = |F|                                                       joints without an axis: spherical
 *
 * F and M are linear in the multipliers l of the joint; with its primitives (primitive.h) and probes y,
 *
 *   f_p = l g_p,   df_p = dl g_p + l sum_q W_pq dy_q
 *   dF = -sum df_p,   dM = -sum (dy_p - dr) x f_p + (y_p - r) x df_p,   p over points and directions of the second body
 */
#ifndef SN_BEARING_H
#define SN_BEARING_H

#include "joint/primitive.h"
#include "model/formula.h"

enum { SN_BEARING_PRIMITIVES = 8 };

/* Local coordinates of the groups of the probes of a primitive, and of its first multiplier. */
typedef struct sn_bearing_places {
  int probe[SN_PRIMITIVE_PROBES][SN_PROBE_GROUPS], row;
} sn_bearing_places;

typedef struct sn_bearing {
  int primitives; /* 0: the joint has no reaction */
  const sn_primitive *primitive;
  const sn_primitive_type *type;
  const sn_bearing_places *at; /* [primitives] */
  bool has_axis;
  sn_probe axis, point; /* a; r, of the second body */
  int axis_at[SN_PROBE_GROUPS], point_at[SN_PROBE_GROUPS];
  double length; /* L; 0: a point */
} sn_bearing;

/* The bearing of a joint; its groups are added to those of `set`, which local coordinates belong to. False: the joint is
 * not made of these primitives, or touches too many coordinates. */
bool sn_make_bearing(sn_compiler *compiler, const sn_joint *joint, bool has_axis, double length, sn_group_set *set,
                     sn_bearing *bearing);
/* N; and N with row[set->n] = ck dN/dq + dN/dl. Where a support carries nothing its derivatives count as 0. */
double sn_bearing_force(const sn_bearing *bearing, const sn_eval *eval);
double sn_bearing_row(const sn_bearing *bearing, const sn_eval *eval, int n, double *row);

#endif
