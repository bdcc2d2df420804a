/* huang.h - one run of Huang's thesis (GSSSS, 2014) and the word for it, the same for rigid and flexible bodies.
 *
 * What a run is called follows from numbers:
 *   fails        Newton does not converge with the step asked for, or |Phi| exceeds the length of a bar
 *   drifts       |Phi| exceeds 1 % of it; or 0.01 % of it, and twice what it was in the first part of the run
 *   oscillates   the noise (analysis/noise.h) of the a and l the method goes on with, in the last second, is above 1 %
 *   stable       none of these
 * Those a and l are not yet moved to the end of the step; they are compared with the acceleration level at the q and v
 * of the time they belong to.
 */
#ifndef SN_BENCH_HUANG_H
#define SN_BENCH_HUANG_H

#include "analysis/simulation.h"

enum { HUANG_SETS = 8 };
typedef enum huang_scheme { HUANG_U0, HUANG_V0, HUANG_U0V0, HUANG_SCHEMES } huang_scheme;
extern const char *const huang_scheme_names[HUANG_SCHEMES]; /* "U0(1,1,0)", ... */

typedef struct huang_case {
  const char *model;
  const char *set[HUANG_SETS]; /* "name=value"; the rest NULL */
  huang_scheme scheme;
  int index;
  const char *stabilize, *newton; /* settings of the integrator */
  bool from_zero;                 /* start with a = 0, l = 0 in place of those that fit q and v */
  double step, until;
  double first;  /* s: the first part of the run */
  double length; /* of a bar */
} huang_case;

typedef struct huang_verdict {
  const char *word; /* "stable", ... */
  bool fails;
  double reached;          /* s */
  double level[SN_LEVELS]; /* largest |Phi|, |Phi'|, |Phi''| */
  double early;            /* largest |Phi| of the first part */
  double noise;            /* relative; see above. NaN: failed */
  double vibration;        /* the same without the comparison: of a and l as they are */
  double outer;            /* the same of a and l at the ends of steps, as the engine has it */
  double energy;           /* largest error, relative to the largest kinetic energy */
  double iterations;       /* per step */
} huang_verdict;

/* A model that is wrong ends the program. */
huang_verdict huang_run(const huang_case *c);

#endif
