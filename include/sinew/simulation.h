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
  size_t size;            /* of the struct as the caller knows it (sn_default_options); 0: that of version 0.2 */
  const char *integrator; /* name of an integrator, or {type: name, ...} as in a model file */
  double step;            /* fixed step [s] */
  double tolerance;       /* adaptive step with this tolerance */
  double until;           /* end time [s] */
  int threads;            /* threads that evaluate the system (default 1, at most 1024) */
  const char *solver;     /* linear solver: auto, ldl, klu */
  double finer;           /* fixed step, or tolerances, divided by this */
  sn_context *context;  /* of its messages and interrupts, so that simulations of a model run on threads of their own */
  const char *analysis; /* in place of those of the model, as in a model file: {type: modes, count: 5} */
  double checkpoint;    /* simulated time between checkpoints of a recorded run [s]; 0: only at its end */
} sn_options;
/* The model's own values. size: sizeof(sn_options), so that programs go on with later versions, which have more fields. */
SN_API void sn_default_options(sn_options *options, size_t size);

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

/* ---- points of bodies, and forces there ---- */

/* The number of a marker, written as in a model file: "ball", "beam.end", "rod.at(0.2, 0, 0)"; found once, it is used
 * without cost. SN_USAGE: there is none. */
SN_API sn_status sn_find_marker(sn_simulation *simulation, const char *text, size_t *number);
/* Its position [m] and velocity [m/s] at the end of the last step; either may be NULL. */
SN_API sn_status sn_marker_motion(sn_simulation *simulation, size_t marker, double position[3], double velocity[3]);
/* Force [N] and moment [N m] of the caller there, in global axes, from the end of the last step on until the next call;
 * NULL: zero. Their work is applied work in the energies. Snapshots have them. */
SN_API sn_status sn_apply_force(sn_simulation *simulation, size_t marker, const double force[3],
                                const double moment[3]);

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

/* What a joint exerts on its second body, at its point there: force [N] and moment [N m] in global axes, at the end of the
 * last step; the number is that of SN_LIST_JOINTS. SN_USAGE: a joint without a reaction, such as a relation between others. */
SN_API sn_status sn_read_reaction(sn_simulation *simulation, size_t joint, double force[3], double moment[3]);
/* A contact that carries a force. */
typedef struct sn_contact_info {
  size_t body[2];                  /* numbers of the bodies (SN_LIST_BODIES) */
  double point[3], normal[3], gap; /* global [m]; unit, into the first body; < 0: overlap [m] */
  double force[3];                 /* on the first body, global [N]; of impulses: their mean over the last step */
} sn_contact_info;
/* All of them at the end of the last step: at most `size` are written; *count is how many there are. contacts may be NULL
 * with size 0. */
SN_API sn_status sn_read_contacts(sn_simulation *simulation, sn_contact_info *contacts, size_t size, size_t *count);

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

/* ---- many at once: simulations of one model with parameters, inputs and starts of their own, on several threads ---- */

typedef struct sn_rollouts {
  size_t size;           /* of the struct as the caller knows it; 0: that of version 0.2 */
  size_t count, samples; /* simulations; intervals of each */
  double period;         /* of an interval [s]: inputs are held over it, outputs are read at its end */
  const double *inputs;  /* [count][samples][inputs of the model]; NaN, or NULL: their defaults */
  const double *q, *v;   /* [count][coordinates] starts, as in sn_set_state; NULL: that of the model */
  const size_t *output;  /* [outputs] numbers of those that are read */
  size_t outputs;
  int threads;                  /* 0: one */
  const char *const *parameter; /* [parameters] names of parameters that the simulations have values of their own of, */
  size_t parameters;            /* each then compiles a model of its own (sn_model_change) */
  const double *parameter_values; /* [count][parameters] */
} sn_rollouts;
/* values: [count][samples][columns of all that are read]; of a simulation that fails NaN from there on. statuses: [count],
 * may be NULL. Returns the first status that is not SN_OK, with its message; the bits do not depend on the threads. */
SN_API sn_status sn_roll_out(const sn_model *model, const sn_options *options, const sn_rollouts *what, double *values,
                             sn_status *statuses);

#ifdef __cplusplus
}
#endif
#endif
