/* phases.c - see phases.h. */
#include "system/phases.h"

#include <stddef.h>
#include <stdint.h>

#include "base/trace.h"
#include "system/equations.h"

#define NAME(name, field, text) text,
const char *const sn_phase_names[SN_PHASES] = {SN_ALL_PHASES(NAME)};
#undef NAME

#define PLACE(name, field, text) offsetof(sn_statistics, field),
static const size_t place[SN_PHASES] = {SN_ALL_PHASES(PLACE)};
#undef PLACE

double sn_phase_time(const sn_statistics *s, sn_phase phase) {
  return *(const double *)(const void *)((const char *)s + place[phase]);
}

static void add_time(sn_system *s, sn_phase phase, double time) {
  sn_phase_watch *w = s->own->watch;
  *(double *)(void *)((char *)s->count + place[phase]) += time;
  w->known += time;
  if (w->in_apart) w->now[phase] += time;
}

sn_phase_mark sn_phase_begin(sn_system *s, sn_phase phase) {
  sn_phase_watch *w = s->own->watch;
  if ((w->ignored || w->in_whole) && !sn_threads_trace(s->threads)) return (sn_phase_mark){.phase = SN_PHASES};
  w->phases += w->in_apart;
  return (sn_phase_mark){.phase = phase,
                         .start = sn_wall_time(),
                         .inner = w->known,
                         .outer = sn_threads_set_phase(s->threads, sn_phase_names[phase])};
}

void sn_phase_end(sn_system *s, const sn_phase_mark *mark) {
  if (mark->phase == SN_PHASES) return;
  const double end = sn_wall_time();
  add_time(s, mark->phase, end - mark->start - (s->own->watch->known - mark->inner));
  sn_threads_set_phase(s->threads, mark->outer);
  sn_trace *trace = sn_threads_trace(s->threads);
  if (trace) sn_trace_add(trace, 0, sn_phase_names[mark->phase], mark->start, end);
}

/* ---- steps ---- */

enum { first_steps = 16 };             /* whose phases are told apart in any case */
static const double long_phase = 4e-6; /* [s] on average; two looks at the clock take 0.05e-6 */

static const double longest_step = 20; /* times the mean: what takes longer has waited for a processor */

static double sum_of(const double time[SN_PHASES]) {
  double sum = 0;
  for (int k = 0; k < SN_PHASES; k++) sum += time[k];
  return sum;
}

/* A step whose phases were told apart: it counts in the proportions, but not as more than so many usual ones. */
static void add_step(sn_phase_watch *w) {
  const double time = sum_of(w->now), most = longest_step * sum_of(w->apart) / (double)w->steps_apart;
  const double share = w->steps_apart > 0 && time > most ? most / time : 1;
  for (int k = 0; k < SN_PHASES; k++) w->apart[k] += share * w->now[k], w->now[k] = 0;
  w->steps_apart++;
}

/* One step in eight, without a period, since a matrix may be renewed every so many steps. */
static bool is_chosen(long step) {
  return ((uint32_t)step * 2654435761u) >> 29 == 0;
}

sn_phase_mark sn_phase_begin_step(sn_system *s) {
  sn_phase_watch *w = s->own->watch;
  const long step = w->steps++;
  w->in_whole = w->in_apart = false; /* a step without memory does not reach its end */
  const bool whole = step >= first_steps && !is_chosen(step) && sum_of(w->apart) < long_phase * (double)w->phases;
  const sn_phase_mark mark = sn_phase_begin(s, SN_PHASE_ANALYSIS);
  w->in_whole = whole && !sn_threads_trace(s->threads);
  w->in_apart = !w->in_whole;
  return mark;
}

/* Divide the time of the steps that were timed as a whole. */
static void divide(sn_system *s) {
  sn_phase_watch *w = s->own->watch;
  const double all = sum_of(w->apart), whole = w->whole;
  if (!(all > 0) || whole == 0) return;
  add_time(s, SN_PHASE_ANALYSIS, -whole);
  for (int k = 0; k < SN_PHASES; k++) add_time(s, (sn_phase)k, whole * (w->apart[k] / all));
  w->whole = 0;
}

void sn_phase_end_step(sn_system *s, const sn_phase_mark *mark, bool last) {
  sn_phase_watch *w = s->own->watch;
  const bool whole = w->in_whole;
  const double before = w->known;
  w->in_whole = false;
  sn_phase_end(s, mark);
  if (w->in_apart) add_step(w);
  w->in_apart = false;
  if (whole) w->whole += w->known - before;
  if (!whole || last) divide(s);
}

void sn_phases_ignore(sn_system *s) {
  s->own->watch->ignored = true;
}
