/* crossings.h - functions g(t, q, v) of the motion whose zeros are ends of steps.
 *
 *   contact of a stop, a rope going taut, the zero of an event, ...
 *
 * Whoever has such functions adds them (sn_add_crossing) where a stage in time begins or goes on, in the function that
 * crossings.c lists under `sources`: simulations made for trials and companions get theirs in the same way. From then
 * on, for every adaptive step:
 *
 *   before    the step ends before a zero that the motion with constant acceleration has ahead
 *   after     a change of sign over the step is located on the step's own polynomial; the step is taken back, with the
 *             memory of the method, and repeated to end a little before it
 *   at it     when a step has ended within half the tolerance before the zero (state: the near side), its rows are
 *             recorded and the next step is to begin, the state goes on by about the tolerance with constant
 *             acceleration (the far side), `reached` is called, accelerations are solved for and the method starts
 *             again. With `smooth` the state stays where it is, and one-step methods just go on.
 *
 * `reached` may change what forces, constraints and variables depend on; it may end the stage (simulation->finished).
 * Other functions with `reached` that cross zero because of that are reached at the same time, each at most once.
 * Fixed steps are divided at functions with `reached`, and count from there; at others they stay as they are.
 * A g that is zero up to rounding has no sign, and one that is zero where it begins has not crossed it. Functions are continuous in time. Two zeros of one function
 * within a quarter of a step are found by the extremum between them, if g has only one there.
 */
#ifndef SN_CROSSINGS_H
#define SN_CROSSINGS_H

#include "sinew/sinew.h"
#include "system/system.h"

typedef struct sn_crossing {
  double (*value)(const void *self, const sn_eval *eval); /* g */
  /* The sign of g has changed: direction +1 up, -1 down. NULL: a change of forces and nothing else. */
  sn_status (*reached)(void *self, sn_simulation *simulation, int direction);
  void *self;
  int direction; /* +1: zeros where g rises, -1: where it falls, 0: both */
  /* What g changes by where every coordinate changes by its value, with `units` by its unit if that is larger, and every
   * velocity by that over h. With it rounding is known from zeros. NULL: not known. */
  double (*scale)(const void *self, const sn_eval *eval, bool units, double h);
  double tolerance; /* of the time of a zero [s]; 0: 1e-9 of the stage */
  bool smooth;      /* forces are continuous there: only their derivatives jump */
  bool shown;       /* both sides are recorded: the simulation stops at each of them */
  bool
      was_passed; /* a zero has been passed at the time `passed`, before the function was added: it is not passed again */
  double passed;
} sn_crossing;

/* At the begin of a stage in time, or where it goes on. */
void sn_begin_crossings(sn_simulation *simulation);
void sn_add_crossing(sn_simulation *simulation, const sn_crossing *crossing);
void sn_free_crossings(sn_simulation *simulation);

/* ---- for a step of dynamics ---- */

/* Is a zero here, both sides of which are recorded? */
bool sn_is_shown_crossing(const sn_simulation *simulation);
/* The state was set from outside: no zero lies between it and the last one. */
void sn_renew_crossings(sn_simulation *simulation);
/* A zero that is here is passed; then how far the next step may go, at most to *limit. */
sn_status sn_pass_crossings(sn_simulation *simulation);
void sn_limit_to_crossings(sn_simulation *simulation, double *limit);
/* Keep what is needed to take the coming step back. */
void sn_keep_step(sn_simulation *simulation);
/* After the step: *again: it has been taken back, and must end at *limit. */
sn_status sn_check_crossings(sn_simulation *simulation, double *limit, bool *again);

/* ---- for others that end steps (live.c) ---- */

/* Of the time of a zero, where none is given [s]. */
double sn_crossing_tolerance(const sn_simulation *simulation);
/* The end of a step from t towards a zero: a little before it, or, if that is near compared with the last step, by a
 * part of the tolerance. */
double sn_aim_at(double zero, double t, double last, double tolerance);

#endif
