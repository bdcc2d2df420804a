/* bandwidth.h - what the memory of this machine moves, and what a step of a chain moves at least. */
#ifndef SN_BENCH_BANDWIDTH_H
#define SN_BENCH_BANDWIDTH_H

#include "analysis/simulation.h"

/* Bytes per second of a = b + s c on one thread over arrays of 64 MiB, twice the last-level cache of most machines: the
 * fastest of several passes, by CPU time. Counted as read, read, write, read of the line that is written. */
double bench_bandwidth(void);

/* Bytes that the steps of a low-order method move per step at the least, if no vector stays in a cache between two
 * passes: the factors in every solution, twice below the diagonal, and all vectors of the passes over them; matrices are
 * written and read once when they are made. */
double bench_bytes_per_step(const sn_simulation *simulation, long steps);

#endif
