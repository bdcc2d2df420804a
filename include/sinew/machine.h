/* machine.h - what the library uses of this machine. Part of program.h. All functions may be called from any thread. */
#ifndef SINEW_MACHINE_H
#define SINEW_MACHINE_H

#include "sinew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The set of instructions that the kernels of new simulations use: "avx2". */
SN_API const char *sn_instructions(void);
/* Those that this machine has and the library was compiled for, the best last; NULL: there is no such number. */
SN_API const char *sn_instructions_at(size_t number);
/* What the environment variable SINEW_ISA asks for in vain; NULL: nothing. The best is in use then. */
SN_API const char *sn_instructions_refused(void);

/* The most threads of a simulation; and in sn_options.threads: as many as the model can use on the cores of this machine. */
enum { SN_THREADS_LIMIT = 1024, SN_THREADS_AUTO = -1 };

#ifdef __cplusplus
}
#endif
#endif
