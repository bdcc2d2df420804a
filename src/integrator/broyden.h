/* broyden.h - Broyden's good update of a kept inverse (Bulin), limited memory.
 *
 *   s: last correction, subtracted from the unknowns;   z = A^-1 r: the next one with the present matrix
 *   A^-1 := (I + w s'W) A^-1,   w = z/(s'W (s - z))
 *
 * after which A s is by how much the residual has decreased. W has the weights of Newton's norm for coordinates; multipliers, whose
 * size is not comparable with that of accelerations, have no weight. The pairs (w, s) are kept over steps; the oldest
 * is replaced.
 */
#ifndef SN_BROYDEN_H
#define SN_BROYDEN_H

#include "system/system.h"

enum { SN_PAIRS = 12 };

typedef struct sn_broyden {
  int size, n;          /* n + m, n */
  int first, count;     /* of the ring of pairs */
  double *w[SN_PAIRS];  /* [n + m] */
  double *s[SN_PAIRS];  /* [n + m] */
  const double *weight; /* [n] roots of W's diagonal */
  double *last;         /* [n + m] last correction of this solve, and ... */
  double last_square;   /* ... its s'W s; 0: there is none */
} sn_broyden;

void sn_broyden_create(sn_broyden *broyden, sn_system *system, const double *weight);
/* There is a new matrix. */
void sn_broyden_forget(sn_broyden *broyden);
/* The iterate was changed in another way, or another system begins: the last correction is not used. */
static inline void sn_broyden_break(sn_broyden *broyden) {
  broyden->last_square = 0;
}
/* z := A^-1 r with all pairs, from A^-1 r with the kept matrix alone; it is going to be applied. */
void sn_broyden_correct(sn_broyden *broyden, double *z);

#endif
