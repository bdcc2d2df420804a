/* trace.h - what every thread of a run did when, for `sinew run --profile`. */
#ifndef SN_TRACE_H
#define SN_TRACE_H

#include "base/base.h"
#include "base/threads.h"

typedef struct sn_trace sn_trace;

enum { SN_TRACE_SPANS = 1 << 20 }; /* of a thread: later ones are counted, not kept */

/* For so many threads. Memory is used as spans come. */
sn_trace *sn_trace_create(int threads);
/* The same that counts from an earlier time (sn_wall_time). */
sn_trace *sn_trace_create_at(int threads, double start);
void sn_trace_free(sn_trace *trace);
/* From `begin` to `end` (sn_wall_time); `name` lives on. One thread adds to its own spans only. */
void sn_trace_add(sn_trace *trace, int thread, const char *name, double begin, double end);
/* As JSON of Chrome and Perfetto: complete events in microseconds since the trace was made. */
sn_status sn_trace_write(sn_context *context, const sn_trace *trace, const char *path);

/* Threads of a pool add what they do to a trace (NULL: none), under the name of the phase that is set. Returns the name
 * before; NULL: none. */
void sn_threads_set_trace(sn_threads *threads, sn_trace *trace);
sn_trace *sn_threads_trace(const sn_threads *threads);
const char *sn_threads_set_phase(sn_threads *threads, const char *name);

#endif
