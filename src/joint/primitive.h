/* primitive.h - the few equations all joints are made of, as functions of probes.
 *
 *   coincident  y_i - y_j = 0                                      (3 rows; 2 in a planar model)
 *   dot         a_i . b_j - c = 0
 *   offset      a_i . (r_j - r_i) - c - f(t) = 0
 *   distance    ((r_j - r_i)^2 - L^2)/(2 L) = 0                    (unit gradient when satisfied)
 *
 * All but the first are scalar functions Phi(y_1 .. y_k, t) of up to three probes whose second derivatives are
 * multiples of the identity, d2Phi/dy_p dy_q = W_pq I. Given value, gradient g_p and W, everything else is common:
 *
 *   G      = sum_p g_p'Y_p
 *   Phi'   = sum_p g_p.y_p' + Phi_t
 *   Phi''  = sum_p g_p.y_p'' + sum_pq W_pq y_p'.y_q' + Phi_tt
 *   K      = l (sum_pq W_pq Y_p'Y_q + sum_p H_p(g_p))
 */
#ifndef SN_PRIMITIVE_H
#define SN_PRIMITIVE_H

#include "model/compile.h"

enum { SN_PRIMITIVE_PROBES = 3 };

typedef struct sn_primitive {
  int row;       /* of its (first) multiplier */
  int group;     /* of the joint's multipliers */
  int group_row; /* row within that group */
  int group_size;
  int rows; /* coincident: 3, or 2 in a planar model */
  int probes;
  sn_probe probe[SN_PRIMITIVE_PROBES];
  bool second[SN_PRIMITIVE_PROBES]; /* does the probe sit on the joint's second body? */
  bool point[SN_PRIMITIVE_PROBES];  /* a point, or a direction */
  double c;
  const sn_expr *f; /* NULL: 0 */
} sn_primitive;

/* Reserve a group of multipliers for the joint before adding its primitives; a joint of many points calls it once for
 * each of them. */
void sn_joint_rows(sn_compiler *compiler, sn_joint *joint, int rows);
/* Row `row` of the last group reserved: its multiplier, that group and its size. */
void sn_joint_row(const sn_compiler *compiler, const sn_joint *joint, int row, int *multiplier, int *group, int *size);
/* Each adds its equation(s) at row `row` of the last group reserved. Probes are in the order of the formulas above. */
void sn_add_coincident(sn_compiler *compiler, const sn_joint *joint, int row, const sn_probe *yi, const sn_probe *yj,
                       bool points);
void sn_add_dot(sn_compiler *compiler, const sn_joint *joint, int row, const sn_probe *ai, const sn_probe *bj,
                double c);
/* a_i and r_i sit on marker `carrier` of the joint (0: as in the formula), r_j on the other */
void sn_add_offset(sn_compiler *compiler, const sn_joint *joint, int row, int carrier, const sn_probe *ai,
                   const sn_probe *ri, const sn_probe *rj, double c, const sn_expr *f);
void sn_add_distance(sn_compiler *compiler, const sn_joint *joint, int row, const sn_probe *ri, const sn_probe *rj,
                     double L);
/* a . b - c = 0 of two directions of one marker: 0, 1 */
void sn_add_own_dot(sn_compiler *compiler, const sn_joint *joint, int row, int marker, const sn_probe *a,
                    const sn_probe *b, double c);

/* Force and moment (about the point `about`) a joint exerts on its second body: a rigid displacement (d, w) of that
 * side changes its points by d + w x (y - about) and its directions by w x y, so the virtual work of -G'l gives
 *   F = -sum l g_p (points),  M = -sum (y_p - about or y_p) x l g_p. */
void sn_joint_reaction(const sn_model *model, int joint, const sn_eval *eval, const double about[3], double F[3],
                       double M[3]);

typedef enum sn_primitive_type { SN_COINCIDENT, SN_DOT, SN_OFFSET, SN_DISTANCE } sn_primitive_type;
/* All primitives of a model. */
typedef void sn_primitive_visit(void *user, const sn_primitive *primitive, sn_primitive_type type);
void sn_each_primitive(const sn_model *model, sn_primitive_visit *visit, void *user);
/* The primitives of a joint with their types, copied to list and type (NULL: only counted); returns their number. */
int sn_joint_primitives(const sn_model *model, const sn_joint *joint, sn_primitive *list, sn_primitive_type *type);

/* The part of a point or direction y of the second body, on which the force f acts. */
void sn_add_reaction(bool point, const double y[3], const double f[3], const double about[3], double F[3], double M[3]);

#endif
