/* sinew.h - the public interface of Sinew.
 *
 * A program loads a model, makes a simulation of it, advances it and reads it:
 *
 *     sn_context *context = sn_context_create();
 *     sn_model *model;
 *     if (sn_model_load(context, "pendulum.yaml", NULL, 0, &model)) puts(sn_message(context));
 *     sn_simulation *simulation;
 *     sn_simulation_create(model, NULL, &simulation);
 *     sn_advance(simulation, 1.0);
 *     double tip[3];
 *     sn_read(simulation, "tip", tip, 3);
 *
 * Units are SI, frames right-handed, quaternions scalar first. Objects are independent of each
 * other: there is no global state. One object must not be used by two threads at once.
 */
#ifndef SINEW_H
#define SINEW_H

#include <stddef.h>

#include "sinew/version.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SN_API __attribute__((visibility("default")))
#else
#define SN_API
#endif

/* What a call can come to; also the exit codes of the program. */
typedef enum sn_status {
  SN_OK = 0,
  SN_USAGE = 1,         /* the call makes no sense */
  SN_BAD_MODEL = 2,     /* the model file is wrong; the message says where */
  SN_NUMERICS = 3,      /* the numerics failed; results so far stay valid */
  SN_IO = 4,            /* a file could not be read or written */
  SN_MEMORY = 5,        /* out of memory; results so far stay valid, objects of the call can only be freed */
  SN_INTERRUPTED = 130, /* sn_interrupt was called */
} sn_status;

typedef struct sn_context sn_context;
typedef struct sn_model sn_model;
typedef struct sn_simulation sn_simulation;

/* A context carries messages and the interrupt flag of the objects made with it. NULL: out of memory. */
SN_API sn_context *sn_context_create(void);
SN_API void sn_context_free(sn_context *context);
/* Text of the last error, several lines long where it quotes a model; "" if there was none. */
SN_API const char *sn_message(const sn_context *context);
/* Ask whatever runs to stop at the end of its step. Safe to call from a signal handler. */
SN_API void sn_interrupt(sn_context *context);
/* Refuse models that need more memory than this [bytes]; 0, as at the start: more than the machine has to give. */
SN_API void sn_limit_memory(sn_context *context, double bytes);

/* Read and compile a model file. sets: `count` strings "name=expression" that override parameters. */
SN_API sn_status sn_model_load(sn_context *context, const char *path, const char *const *sets, size_t count,
                               sn_model **model);
/* The same from memory; `name` stands for the file in messages. */
SN_API sn_status sn_model_parse(sn_context *context, const char *name, const char *text, size_t length,
                                const char *const *sets, size_t count, sn_model **model);
SN_API void sn_model_free(sn_model *model);

/* What a caller may override without editing the model; NULL or 0 keeps the model's own value. */
typedef struct sn_options {
  const char *integrator; /* name of an integrator, or {type: name, ...} as in a model file */
  double step;            /* fixed step [s] */
  double tolerance;       /* adaptive step with this tolerance */
  double until;           /* end time [s] */
  int threads;            /* threads that evaluate the system (default 1, at most 1024) */
  const char *solver;     /* linear solver: auto, ldl, klu */
  double finer;           /* fixed step, or tolerances, divided by this */
  double checkpoint;      /* simulated time between checkpoints of a recorded run [s]; 0: only at its end */
} sn_options;

/* Make a consistent start and begin the model's analysis, or the first of its list of stages; stepping on goes from
 * stage to stage. The model must outlive the simulation. */
SN_API sn_status sn_simulation_create(const sn_model *model, const sn_options *options, sn_simulation **simulation);
SN_API void sn_simulation_free(sn_simulation *simulation);

SN_API sn_status sn_step(sn_simulation *simulation);                 /* one internal step */
SN_API sn_status sn_advance(sn_simulation *simulation, double time); /* steps until `time` is reached or passed */
SN_API sn_status sn_run(sn_simulation *simulation);                  /* all that the analysis of the model says */
/* Set an input of the model from the end of the last step on; NaN: its default again. An unknown name or a value outside
 * its range is SN_USAGE, with a message. */
SN_API sn_status sn_simulation_set_input(sn_simulation *simulation, const char *name, double value);
SN_API double sn_time(const sn_simulation *simulation); /* time at the end of the last step [s] */

/* Values of a named output of the model ("tip"), of "energy", or of "modes" (the frequencies found last, in Hz), at the
 * end of the last step: at most `size` numbers are written, the number available is returned (0: no such output, or out
 * of memory). */
SN_API size_t sn_read(sn_simulation *simulation, const char *output, double *values, size_t size);

#ifdef __cplusplus
}
#endif
#endif
