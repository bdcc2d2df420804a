/* simulation.h - a model in motion. Part of sinew.h.
 *
 * A simulation belongs to one thread at a time. Arrays that are returned belong to it, and are valid until it is stepped,
 * set or freed.
 */
#ifndef SINEW_SIMULATION_H
#define SINEW_SIMULATION_H

#include "sinew/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_simulation sn_simulation;

/* What a caller may override without editing the model; NULL or 0 keeps the model's own value. */
typedef struct sn_options {
  const char *integrator; /* name of an integrator, or {type: name, ...} as in a model file */
  double step;            /* fixed step [s] */
  double tolerance;       /* adaptive step with this tolerance */
  double until;           /* end time [s] */
  int threads;            /* threads that evaluate the system (default 1, at most 1024) */
  const char *solver;     /* linear solver: auto, ldl, klu */
  double finer;           /* fixed step, or tolerances, divided by this */
  sn_context *context; /* of its messages and interrupts, so that simulations of a model run on threads of their own */
  double checkpoint;   /* simulated time between checkpoints of a recorded run [s]; 0: only at its end */
} sn_options;

/* Make a consistent start and begin the model's analysis, or the first of its list of stages; stepping on goes from
 * stage to stage. The model must outlive the simulation. */
SN_API sn_status sn_simulation_create(const sn_model *model, const sn_options *options, sn_simulation **simulation);
SN_API void sn_simulation_free(sn_simulation *simulation);

/* ---- time ---- */

/* One step, as long as the method chooses. */
SN_API sn_status sn_step(sn_simulation *simulation);
/* Steps up to `time`: the last one ends there exactly. For control and for coupling with other programs. */
SN_API sn_status sn_advance(sn_simulation *simulation, double time);
/* Steps until `time` is reached or passed; none is shortened. sn_read_output_at gives outputs at `time`, by the method's own
 * polynomial. */
SN_API sn_status sn_advance_over(sn_simulation *simulation, double time);
/* All that the analysis of the model says. */
SN_API sn_status sn_run(sn_simulation *simulation);
/* Time at the end of the last step [s]. */
SN_API double sn_time(const sn_simulation *simulation);
/* Is everything done that the analysis of the model says? Steps do nothing then. */
SN_API int sn_finished(const sn_simulation *simulation);

/* ---- inputs ---- */

/* Set an input of the model from the end of the last step on; NaN: its default again. An unknown name or a value outside
 * its range is SN_USAGE, with a message. */
SN_API sn_status sn_simulation_set_input(sn_simulation *simulation, const char *name, double value);
/* The same by number (sn_model_find). */
SN_API sn_status sn_set_input(sn_simulation *simulation, size_t number, double value);

/* ---- outputs ---- */

/* Values of a named output of the model ("tip"), of "energy", or of "modes" (the frequencies found last, in Hz), at the
 * end of the last step: at most `size` numbers are written, the number available is returned (0: no such output, or out
 * of memory). */
SN_API size_t sn_read(sn_simulation *simulation, const char *output, double *values, size_t size);
/* An output by its number (sn_model_find), at the end of the last step: `values` has its columns (sn_model_output). All
 * outputs of a step take one solution for accelerations and reactions between them. */
SN_API sn_status sn_read_output(sn_simulation *simulation, size_t number, double *values);
/* The same at a time within the last step. */
SN_API sn_status sn_read_output_at(sn_simulation *simulation, size_t number, double time, double *values);
/* Energies and works [J] at the end of the last step, in the order of sn_energy_name. */
enum { SN_ENERGY_COUNT = 11 };
SN_API sn_status sn_energies(sn_simulation *simulation, double values[SN_ENERGY_COUNT]);
SN_API const char *sn_energy_name(size_t number); /* "kinetic", ...; NULL: there is no such number */

/* ---- state ---- */

/* At the end of the last step: positions q, velocities v and accelerations a (sn_model_coordinates; those of a body:
 * sn_model_body), multipliers l (sn_model_constraints). */
SN_API const double *sn_positions(const sn_simulation *simulation);
SN_API const double *sn_velocities(const sn_simulation *simulation);
SN_API const double *sn_accelerations(const sn_simulation *simulation);
SN_API const double *sn_multipliers(const sn_simulation *simulation);
/* Another state at the present time; NULL: q or v stay. They are projected onto the constraints, as at the start of a
 * run, and the method starts anew; energies are counted from here. On failure the state is as before. Dynamics only. */
SN_API sn_status sn_set_state(sn_simulation *simulation, const double *q, const double *v);

/* ---- snapshots: everything a simulation needs to continue bit by bit, in memory ---- */

typedef struct sn_snapshot sn_snapshot;
/* Dynamics only. It belongs to the caller. */
SN_API sn_status sn_snapshot_take(sn_simulation *simulation, sn_snapshot **snapshot);
/* Continue from it: the same simulation, or another one of the same model with the same options. */
SN_API sn_status sn_snapshot_restore(sn_simulation *simulation, const sn_snapshot *snapshot);
SN_API void sn_snapshot_free(sn_snapshot *snapshot);

/* ---- many at once: simulations of one model with inputs and starts of their own, on several threads ---- */

typedef struct sn_rollouts {
  size_t count, samples; /* simulations; intervals of each */
  double period;         /* of an interval [s]: inputs are held over it, outputs are read at its end */
  const double *inputs;  /* [count][samples][inputs of the model]; NaN, or NULL: their defaults */
  const double *q, *v;   /* [count][coordinates] starts, as in sn_set_state; NULL: that of the model */
  const size_t *output;  /* [outputs] numbers of those that are read */
  size_t outputs;
  int threads; /* 0: one */
} sn_rollouts;
/* values: [count][samples][columns of all that are read]; of a simulation that fails NaN from there on. statuses: [count],
 * may be NULL. Returns the first status that is not SN_OK, with its message; the bits do not depend on the threads. */
SN_API sn_status sn_roll_out(const sn_model *model, const sn_options *options, const sn_rollouts *what, double *values,
                             sn_status *statuses);

#ifdef __cplusplus
}
#endif
#endif
