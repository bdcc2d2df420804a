/* phases.h - to which phase of a run its time belongs.
 *
 *     const sn_phase_mark mark = sn_phase_begin(system, SN_PHASE_SOLVE);
 *     ...
 *     sn_phase_end(system, &mark);
 *
 * Phases nest: the time of an inner one is not part of the outer one's, so that all times add up to that of the run. With
 * a trace (base/trace.h) each is a span of the calling thread.
 *
 * Reading the clock takes as long as some phases of a small model. Where phases are that short, the phases of one step
 * in eight are told apart; the others are timed as a whole, and their time is divided in the same proportions. */
#ifndef SN_PHASES_H
#define SN_PHASES_H

#include "system/system.h"

/* With their times in sn_statistics. */
#define SN_ALL_PHASES(PHASE)                         \
  PHASE(RESIDUAL, time_residual, "residual")         \
  PHASE(JACOBIAN, time_jacobian, "Jacobian")         \
  PHASE(FACTOR, time_factor, "factor")               \
  PHASE(SOLVE, time_solve, "solve")                  \
  PHASE(DETECTION, contact.time_detect, "detection") \
  PHASE(CONTACT, contact.time_solve, "contact")      \
  PHASE(OUTPUT, time_output, "output")               \
  PHASE(METHOD, time_method, "integrator")           \
  PHASE(ANALYSIS, time_analysis, "analysis")         \
  PHASE(START, time_start, "start")                  \
  PHASE(COMPANION, time_companion, "companion")

#define SN_PHASE_ENUM(name, field, text) SN_PHASE_##name,
typedef enum sn_phase { SN_ALL_PHASES(SN_PHASE_ENUM) SN_PHASES } sn_phase;
#undef SN_PHASE_ENUM

extern const char *const sn_phase_names[SN_PHASES];

/* The clock of a system and its twins. */
typedef struct sn_phase_watch {
  double known;            /* [s] of all phases so far */
  double apart[SN_PHASES]; /* [s] in steps whose phases are told apart */
  double now[SN_PHASES];   /* [s] in the present one of them */
  double whole;            /* [s] of steps since then, which were timed as a whole and count as SN_PHASE_ANALYSIS */
  long steps, steps_apart, phases; /* so far; those that are told apart; phases in those */
  bool ignored, in_whole;          /* see sn_phases_ignore; in a step that is timed as a whole */
  bool in_apart;                   /* in one whose phases are told apart */
} sn_phase_watch;

typedef struct sn_phase_mark {
  sn_phase phase; /* SN_PHASES: not timed */
  double start;
  double inner;      /* time of all phases before it */
  const char *outer; /* name of the phase around */
} sn_phase_mark;

sn_phase_mark sn_phase_begin(sn_system *system, sn_phase phase);
void sn_phase_end(sn_system *system, const sn_phase_mark *mark);

/* A step as a whole; what is not an inner phase is SN_PHASE_ANALYSIS. */
sn_phase_mark sn_phase_begin_step(sn_system *system);
void sn_phase_end_step(sn_system *system, const sn_phase_mark *mark, bool last);
/* Nobody asks for the phases of this system: without a trace none is timed. */
void sn_phases_ignore(sn_system *system);
/* [s] without inner phases. */
double sn_phase_time(const sn_statistics *statistics, sn_phase phase);

#endif
