/* lock.h - coordinates of joints that can be locked and released while the model moves.
 *
 *   locked     phi(q) - c = 0
 *   released   z = 0              z: a coordinate of its own, of mass 1 and stiffness 1, to which nothing else is connected
 *
 * There is one equation in both states, and the pattern of the matrix, the rank of G and the signs of pivots are those
 * of ordinary constraints: analyses, integrators and linear solvers need nothing for it. Of a released lock the
 * multiplier is 0; of a locked one z stays 0, as nothing moves it. Which state it is in, and c, are discrete values.
 */
#ifndef SN_JOINT_LOCK_H
#define SN_JOINT_LOCK_H

#include "model/compile.h"
#include "model/coordinate.h"

/* The number of the lock of a coordinate of a joint, made on first use; before joints are compiled. */
int sn_add_lock(sn_compiler *compiler, const char *joint, sn_coordinate_type type, const sn_node *node);
/* It is locked at the start, where the model is then. */
void sn_lock_at_start(sn_compiler *compiler, int lock);
/* The equations of all locks; after joints are compiled. */
void sn_compile_locks(sn_compiler *compiler);

/* Its coordinate phi, and the place c from which it is measured in the discrete values. */
static inline bool sn_is_locked(const sn_lock *lock, const double *discrete) {
  return discrete[lock->first] != 0;
}
/* From now on it is locked where it is, or released. */
void sn_lock_here(const sn_lock *lock, const double *q, double *discrete);
void sn_unlock(const sn_lock *lock, double *discrete);

#endif
