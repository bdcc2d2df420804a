/* huang.h - one run of Huang's thesis (GSSSS, 2014) and the word for it, the same for rigid and flexible bodies.
 *
 * What a run is called follows from numbers:
 *   fails        Newton does not converge with the step asked for, or |Phi| exceeds the length of a bar
 *   drifts       |Phi| exceeds 1 % of it; or 0.01 % of it, and twice what it was in the first part of the run
 *   oscillates   the second differences /4 of a and l, of what they differ from those of the acceleration level at the
 *                same q and v, have a mean over the last second above 1 % of the largest a or l
 *   stable       none of these
 */
#ifndef SN_BENCH_HUANG_H
#define SN_BENCH_HUANG_H

#include "analysis/simulation.h"

enum { HUANG_SETS = 8 };

typedef struct huang_case {
  const char *model, *integrator;
  const char *set[HUANG_SETS]; /* "name=value"; the rest NULL */
  double step, until;
  double first;  /* s: the first part of the run */
  double length; /* of a bar */
} huang_case;

typedef struct huang_verdict {
  bool fails;
  double reached;          /* s */
  double level[SN_LEVELS]; /* largest |Phi|, |Phi'|, |Phi''| */
  double early;            /* largest |Phi| of the first part */
  double noise;            /* relative; see above */
  double energy;           /* largest error, relative to the largest kinetic energy */
  double iterations;       /* per step */
} huang_verdict;

/* A model that is wrong ends the program. */
huang_verdict huang_run(const huang_case *c);
/* Of a run with bars of this length. */
const char *huang_word(double length, const huang_verdict *v);

#endif
