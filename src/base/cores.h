/* cores.h - how many threads this machine runs at full speed. */
#ifndef SN_CORES_H
#define SN_CORES_H

/* Physical cores among the processors this process may use; at least 1. Where the system does not tell which processors
 * share a core, all count. */
int sn_physical_cores(void);

/* Processors this process may use, those that share a core included; at least 1. For processes that do not wait for each
 * other, such as the cases of a study. */
int sn_processors(void);

/* Threads for a model with so many coordinates on so many cores: each has enough work to be worth its wake-ups. */
int sn_useful_threads(int coordinates, int cores);

#endif
