/* trace.c - see trace.h.
 *
 * Each thread writes to its own array, so that nothing is locked. A span is noted when it ends; spans of a thread nest.
 */
#include "base/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct span {
  const char *name;
  double begin, end;
} span;

typedef struct track {
  span *span;
  long count; /* of all that came, also those that were not kept */
} track;

struct sn_trace {
  int threads;
  double start;
  track *track;
};

/* Large arrays: the system gives their pages when they are first written to. */
sn_trace *sn_trace_create(int threads) {
  return sn_trace_create_at(threads, sn_wall_time());
}

sn_trace *sn_trace_create_at(int threads, double start) {
  assert(threads >= 1);
  sn_trace *t = sn_new(1, sizeof *t);
  t->threads = threads;
  t->track = sn_new((size_t)threads, sizeof *t->track);
  for (int k = 0; k < threads; k++) t->track[k].span = sn_new_aligned(SN_TRACE_SPANS * sizeof(span));
  t->start = start;
  return t;
}

void sn_trace_free(sn_trace *t) {
  if (!t) return;
  for (int k = 0; k < t->threads; k++) sn_free(t->track[k].span);
  sn_free(t->track);
  sn_free(t);
}

void sn_trace_add(sn_trace *t, int thread, const char *name, double begin, double end) {
  assert(thread >= 0 && thread < t->threads && begin <= end);
  track *own = &t->track[thread];
  if (own->count < SN_TRACE_SPANS) own->span[own->count] = (span){name, begin, end};
  own->count++;
}

static void write_track(FILE *out, const sn_trace *t, int k) {
  const track *own = &t->track[k];
  const long kept = own->count < SN_TRACE_SPANS ? own->count : SN_TRACE_SPANS;
  fprintf(out, "{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": %d, \"args\": {\"name\": \"%s %d\"}}",
          k, k == 0 ? "main thread" : "thread", k);
  for (long i = 0; i < kept; i++)
    fprintf(out, ",\n{\"name\": \"%s\", \"ph\": \"X\", \"pid\": 1, \"tid\": %d, \"ts\": %.3f, \"dur\": %.3f}",
            own->span[i].name, k, 1e6 * (own->span[i].begin - t->start), 1e6 * (own->span[i].end - own->span[i].begin));
  fprintf(out, "%s\n", k + 1 < t->threads ? "," : "");
}

sn_status sn_trace_write(sn_context *context, const sn_trace *t, const char *path) {
  FILE *out = fopen(path, "w");
  long lost = 0;
  if (!out) return sn_fail(context, SN_IO, "cannot write %s", path);
  fprintf(out, "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n");
  for (int k = 0; k < t->threads; k++) {
    write_track(out, t, k);
    if (t->track[k].count > SN_TRACE_SPANS) lost += t->track[k].count - SN_TRACE_SPANS;
  }
  fprintf(out, "], \"otherData\": {\"phases not kept\": \"%ld\"}}\n", lost);
  const bool failed = ferror(out) != 0;
  return fclose(out) || failed ? sn_fail(context, SN_IO, "cannot write %s", path) : SN_OK;
}
