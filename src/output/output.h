/* output.h - the numbers of an output at a state. */
#ifndef SN_OUTPUT_H
#define SN_OUTPUT_H

#include "contact/contact.h"
#include "model/model.h"

enum { SN_OUTPUT_COLUMNS = 16 }; /* no output has more */

/* Angles in space are known modulo a turn; an output keeps its branch from one sample to the next. */
typedef struct sn_output_memory {
  bool known;
  double t, angle, rate;
  double *work; /* [n] of the model, for forces; NULL: no output needs it */
} sn_output_memory;

/* The contacts that carry a force at a state. */
typedef struct sn_touching {
  const sn_contacts *contacts; /* NULL: nothing can */
  int count;
  const sn_contact *const *contact; /* [count] */
} sn_touching;

/* Fill values[output->columns] at the state of `eval` (with accelerations and multipliers). */
void sn_output_fill(const sn_model *model, const sn_output *output, const sn_eval *eval, const sn_touching *touching,
                    sn_output_memory *memory, double *values);

/* Memory [n] that forces need; NULL: the model has no such output. */
double *sn_output_work(const sn_model *model, sn_arena *arena);

/* Force and moment about c that entry `force` of the forces exerts on a body; -1: on all. work: [n]. */
void sn_output_force_on(const sn_model *model, int force, int body, const sn_eval *eval, const double c[3],
                        double *work, double F[3], double M[3]);

/* Follow the angles of all outputs; called after every step, so that no turn is missed between samples. */
void sn_output_follow(const sn_model *model, const sn_eval *eval, sn_output_memory *memory);

#endif
