/* isa.h - instruction sets: kernels are compiled for several, and those of one set are chosen at start.
 *
 * cmake/kernels.cmake says which files are kernels. A build for one set alone (SINEW_NATIVE, or another processor than
 * x86-64) has one set, which is what the compiler was told.
 */
#ifndef SN_ISA_H
#define SN_ISA_H

#include <stdbool.h>

enum { SN_ISA_SETS = 3 }; /* at most */

/* Name of the set in use. */
const char *sn_isa(void);
/* Names of the sets that this machine has and the program was compiled for, the best last. Returns their number. */
int sn_isa_sets(const char *names[SN_ISA_SETS]);
/* Use another one, in simulations that are created from now on; false: there is none of this name. For tests. */
bool sn_isa_use(const char *name);
/* What the environment variable SINEW_ISA asks for in vain; NULL: nothing. The best set is in use then. */
const char *sn_isa_refused(void);

#endif
