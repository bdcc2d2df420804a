/* guide.h - constraints between a curve that a body carries and a point or a flat face of another: functions
 *
 *   Phi(z),  z_a = e_a.D,  z_(axes+a) = e_a.m      D = r_j - r_i,  a < axes
 *
 * of the point r_j in the axes e_a of the carrier (2 or 3 of them), and, for a flat face, of its normal m.
 *
 *   normal   n_k(u).(d - c(u)) - R = 0      d = z, c(u) the point of the curve nearest to it: (d - c).c' = 0
 *   flat     m.(d - c(u)) = 0               c(u) the point farthest along m: m.c' = 0
 *
 * u is a function of z and not an unknown: with w = d - c, p = c'.c' - w.c'',
 *   du = c'.dd/p,     dPhi = n + (n'.w) du
 *   d2Phi = n' du' + du n'' + (n".w - n'.c') du du' + (n'.w) d2u      ( ' on vectors of numbers: transposed)
 *   d2u = (c" c'' + c' c"')/p^2 - (3 c'.c" - w.c"') c' c''/p^3
 *   flat: dPhi = (m, d - c),  d2Phi/dd dm = I,  d2Phi/dm2 = c' c''/(c".m)
 *   rim:  z_1 - R sqrt(1 - z_2^2) = 0, the lowest point of a disk on a plane; e_1 the normal, m the axis of the disk
 * In space the two normals turn with the tangent on the shortest way from a fixed direction, n_k = b_k - (t.b_k)/(1 +
 * t.b) (b + t), t = c'/|c'|; in the plane n = e_z x t.
 */
#ifndef SN_GUIDE_H
#define SN_GUIDE_H

#include "joint/curve.h"

enum { SN_GUIDE_PROBES = 6, SN_GUIDE_ROWS = 2, SN_GUIDE_ARGUMENTS = 4 };

typedef enum sn_guide_type { SN_GUIDE_SPACE, SN_GUIDE_PLANE, SN_GUIDE_FLAT, SN_GUIDE_RIM } sn_guide_type;

typedef struct sn_guide {
  sn_guide_type type;
  const sn_curve *curve;
  double base[3][3]; /* space: b, b_1, b_2, unit vectors */
  double side;       /* plane: n = side e_z x t */
  double radius;     /* R */
  int axes;
  sn_probe probe[SN_GUIDE_PROBES]; /* e_a, r_i, r_j, m_j */
  int row, group, group_size;      /* set by sn_add_guide */
  /* Groups of all probes, each once, and where the coordinates of each probe are among theirs. */
  int groups, local;
  int group_list[SN_GUIDE_PROBES * SN_PROBE_GROUPS], group_at[SN_GUIDE_PROBES * SN_PROBE_GROUPS];
} sn_guide;

/* Add the constraint as all rows of `joint`: 2 in space, otherwise 1. */
void sn_add_guide(sn_compiler *compiler, sn_joint *joint, const sn_guide *guide);
/* Those of a model, from 0 on; NULL: no more. And the place u of its point on the curve. */
const sn_guide *sn_guide_of(const sn_model *model, int i);
double sn_guide_place(const sn_guide *guide, const double *q);
/* Is the point beyond an end of an open curve? */
bool sn_guide_has_left(const sn_model *model, const sn_joint *joint, const double *q);
/* The `doubt` of joints with such a constraint: their warning beyond the ends of an open curve, and the run is bad. */
const char *sn_guide_beyond(const sn_model *model, const sn_joint *joint, const double *q, const double *l, bool *bad);
/* Reaction on the second body, added; nothing if the joint is none of these. */
void sn_guide_reaction(const sn_model *model, int group, const sn_eval *eval, const double about[3], double F[3],
                       double M[3]);
/* Points along the curve of such a joint at q, global, at most `most` of them, for drawing. Returns how many; 0: it has
 * none. */
int sn_guide_points(const sn_model *model, const sn_joint *joint, const double *q, int most, double (*points)[3]);

#endif
