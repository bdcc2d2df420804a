/* cores.h - how many threads this machine runs at full speed. */
#ifndef SN_CORES_H
#define SN_CORES_H

/* Physical cores among the processors this process may use; at least 1. Where the system does not tell which processors
 * share a core, all count. */
int sn_physical_cores(void);

/* Threads for a model with so many coordinates on so many cores: each has enough work to be worth its wake-ups. */
int sn_useful_threads(int coordinates, int cores);

#endif
