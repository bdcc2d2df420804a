/* trial.h - runs of a model that are compared with each other: what they came to at the output times, what they cost.
 *
 * A trial is one run with one choice of method and settings, kept in memory. A run that fails is a trial too: its
 * status and message say why, and its rows end where it ended.
 */
#ifndef SN_TRIAL_H
#define SN_TRIAL_H

#include "analysis/simulation.h"
#include "sinew/attempt.h"

/* What trials are measured by, at every output time: sn_measure of sinew/attempt.h. */
extern const char *const sn_measure_names[SN_MEASURES];

typedef struct sn_trial {
  sn_arena arena;
  const char *integrator; /* in force, as the settings are */
  double step, tolerance; /* step > 0: fixed */
  sn_status status;
  bool too_slow;       /* stopped at its limit of CPU time */
  const char *message; /* first line; "" when nothing failed */
  double reached;      /* time */
  /* at the output times of all stages in which time runs; value[k] holds `columns[k]` numbers a row */
  int rows, room;
  double *t;
  int columns[SN_MEASURES],
      vector[SN_MEASURES]; /* vector: so many columns are one vector, of which lengths are taken */
  double *value[SN_MEASURES];
  int outputs; /* columns of all outputs, one after the other in the model's order */
  double *output;
  double *begin;   /* [outputs] before a first stage in which time stands still; NULL: there is none */
  int frequencies; /* of the modes found last */
  double *frequency;
  double energy_error, kinetic, drift[SN_LEVELS]; /* largest at the output times */
  double noise;                                   /* see noise.h */
  double length;                                  /* what tolerances of positions refer to at least [m] */
  double energy_ratio;                            /* energy error over the energy exchanged, see evidence.h */
  sn_trust trust;                                 /* the verdict, and */
  const char *reasons;
  sn_statistics statistics;
  double cpu; /* seconds for the start and all steps; outputs are not counted */
} sn_trial;

/* Run all stages of the model. A failure is recorded in the trial, which must be freed in any case. */
void sn_trial_run(const sn_model *model, const sn_options *options, sn_trial *trial);
/* The same, stopped after so many seconds of CPU time; 0: never. */
void sn_trial_run_within(const sn_model *model, const sn_options *options, double cpu_limit, sn_trial *trial);
/* The same with rows also at the end of stages in which time stands still, and `show` (may be NULL) called after every
 * step. */
void sn_trial_watch(const sn_model *model, const sn_options *options, void (*show)(void *, const sn_simulation *),
                    void *user, sn_trial *trial);
void sn_trial_free(sn_trial *trial);

/* Largest distance of two trials at an output time; NaN where they have not the same times and columns. */
double sn_trial_distance(const sn_trial *a, const sn_trial *b, sn_measure measure);
/* Scale of a distance: largest displacement of a point from its start; largest velocity, reaction, kinetic energy. */
double sn_trial_scale(const sn_trial *trial, sn_measure measure);
/* Distance over the scale of `reference`; the distance itself where that is 0. */
double sn_trial_relative(const sn_trial *trial, const sn_trial *reference, sn_measure measure);

#endif
