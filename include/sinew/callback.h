/* callback.h - functions of a host program that a simulation calls. Part of sinew.h.
 *
 * A function that returns something else than 0 ends the call with SN_CALLBACK and a message. `user` is passed on
 * unchanged. Functions belong to one simulation, and are not part of its snapshots.
 */
#ifndef SINEW_CALLBACK_H
#define SINEW_CALLBACK_H

#include "sinew/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- forces: the value of an input as a function of the motion ----
 *
 * An input may stand in the expression of any force, moment, law of a spring or rate of a variable. Its field `of` lists the
 * arguments of its function, expressions of t and of the motion:
 *
 *     inputs: {u: {of: [hinge.angle, hinge.rate], unit: N m}}
 *     forces: {motor: {type: moment, at: arm.center, moment: [0, 0, u]}}
 *
 * It is then a force like any other: evaluated within the steps of every method, with exact derivatives of its arguments
 * in the iteration matrix, and with its work in the audit. An input without `of` has a function of time.
 */

/* value = f(t, x), x[arguments] in the order of `of`. derivative[arguments]: df/dx, where the function knows it; what it
 * leaves as it is (NaN) is found by differences. The function must depend on t and x alone, and change smoothly with them;
 * it is called many times in a step, also at trial states, where it may return a value that is not finite: the step is
 * then tried again shorter. With options.threads > 1 several threads may call it at once. It must not call the simulation. */
typedef int (*sn_input_function)(void *user, double t, const double *x, double *value, double *derivative);
/* From the end of the last step on; NULL: none. A value that was set (sn_set_input) comes before the function. */
SN_API sn_status sn_set_input_function(sn_simulation *simulation, size_t number, sn_input_function function,
                                       void *user);

/* ---- constraints: a function of coordinates of joints that stays zero ----
 *
 *     joints:
 *       hinge: {type: revolute, ...}
 *       slide: {type: prismatic, ...}
 *       lift: {type: constraint, joints: [hinge, slide]}     # its arguments: up to four coordinates, from the start
 *
 * It is then a constraint like any other, in every method and analysis: Phi, Phi' and Phi'' are kept as theirs are, its
 * multiplier is the reaction of the joint, and the work of functions that depend on t is work of drivers. Rollouts
 * (sn_roll_out) have no functions: there, and wherever none is set, the field `equation` of the joint holds.
 */

/* value = Phi(t, x), x[arguments] in the order of `joints`; angles count whole turns. first[1 + arguments]: derivatives
 * with respect to t, then to x; second[1 + arguments][1 + arguments]: second derivatives, by rows. What the function
 * leaves as it is (NaN) is found by differences of fourth order over 1e-3 (of t [s], angles [rad] and travels [m]):
 * functions that change much over a tenth should give theirs. Where Phi = 0 its derivatives with respect to x must not
 * all vanish. Otherwise as functions of inputs. */
typedef int (*sn_constraint_function)(void *user, double t, const double *x, double *value, double *first,
                                      double *second);
/* The number is that of SN_LIST_JOINTS. When the last constraint without a function gets one, or another one, the state is
 * projected onto the constraints: before the first step as the start of the file, with what that keeps, later as by
 * sn_set_state. Until then steps are refused (SN_USAGE). A simulation that continues
 * from a snapshot of another one has its functions set first. NULL: the equation of the file again. On failure all is as
 * before. Dynamics only: other analyses have the functions of the simulation they begin from (sn_analyze). */
SN_API sn_status sn_set_constraint_function(sn_simulation *simulation, size_t joint, sn_constraint_function function,
                                            void *user);

/* ---- between steps ---- */

/* It may read the simulation, set inputs and apply forces, but not step, restore or free it. */
typedef int (*sn_between_steps)(void *user, sn_simulation *simulation);
/* A controller: called at t = k period, k whole, before the step that starts there; steps end at these instants exactly.
 * Several are called in the order in which they were given. function NULL: none of them any more. Dynamics only. */
SN_API sn_status sn_on_sample(sn_simulation *simulation, double period, sn_between_steps function, void *user);
/* Called at the end of every step, also of those of sn_advance, sn_run and sn_record_run; NULL: none. sn_read_output_at
 * gives outputs within the step. */
SN_API sn_status sn_on_step(sn_simulation *simulation, sn_between_steps function, void *user);

/* ---- events ----
 *
 * The times of events are found by the simulation, where the expression `when` of the model crosses zero; it may contain
 * inputs with functions. What the program does then is its own matter: an event needs no action in the file.
 *
 *     inputs: {g: {of: [tip.x, tip.y]}}
 *     events: {passes: {when: g}}
 */

typedef struct sn_event_info {
  double t;       /* [s] */
  size_t event;   /* its number (SN_LIST_EVENTS) */
  int direction;  /* +1: its expression rises, -1: it falls */
  double impulse; /* of the first joint that it locks, about or along its coordinate [N m s, N s] */
  double energy;  /* change of the energy of the model [J] */
} sn_event_info;
/* Called when an event has happened and has done what the model says, before any time passes; it may do what functions
 * between steps may. */
typedef int (*sn_event_function)(void *user, sn_simulation *simulation, const sn_event_info *event);
SN_API sn_status sn_on_event(sn_simulation *simulation, sn_event_function function, void *user); /* NULL: none */
/* Those that have happened so far: at most `size` are written; *count is how many there are, 10,000 at most. events may be
 * NULL with size 0. */
SN_API sn_status sn_read_events(sn_simulation *simulation, sn_event_info *events, size_t size, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
