/* phases.c - see phases.h. */
#include "system/phases.h"

#include <stddef.h>

#include "base/trace.h"
#include "system/equations.h"

#define NAME(name, field, text) text,
const char *const sn_phase_names[SN_PHASES] = {SN_COUNTED_PHASES(NAME) SN_OTHER_PHASES(NAME)};
#undef NAME

#define PLACE(name, field, text) offsetof(sn_statistics, field),
static const size_t place[SN_PHASES_COUNTED] = {SN_COUNTED_PHASES(PLACE)};
#undef PLACE
static_assert((int)SN_PHASES - (int)SN_PHASES_COUNTED == (int)SN_PHASES_UNCOUNTED, "room for the others");

double sn_phase_time(const sn_statistics *s, const sn_system *system, sn_phase phase) {
  if (phase < SN_PHASES_COUNTED) return *(const double *)(const void *)((const char *)s + place[phase]);
  return system ? system->own->phase[phase - SN_PHASES_COUNTED] : 0;
}

static void add_time(sn_system *s, sn_phase phase, double time) {
  if (phase < SN_PHASES_COUNTED)
    *(double *)(void *)((char *)s->count + place[phase]) += time;
  else
    s->own->phase[phase - SN_PHASES_COUNTED] += time;
}

static double all_times(const sn_system *s) {
  double sum = 0;
  for (int k = 0; k < SN_PHASES; k++) sum += sn_phase_time(s->count, s, (sn_phase)k);
  return sum;
}

sn_phase_mark sn_phase_begin(sn_system *s, sn_phase phase) {
  return (sn_phase_mark){.phase = phase,
                         .start = sn_wall_time(),
                         .inner = all_times(s),
                         .outer = sn_threads_set_phase(s->threads, sn_phase_names[phase])};
}

void sn_phase_end(sn_system *s, const sn_phase_mark *mark) {
  const double end = sn_wall_time();
  add_time(s, mark->phase, end - mark->start - (all_times(s) - mark->inner));
  sn_threads_set_phase(s->threads, mark->outer);
  sn_trace *trace = sn_threads_trace(s->threads);
  if (trace) sn_trace_add(trace, 0, sn_phase_names[mark->phase], mark->start, end);
}
