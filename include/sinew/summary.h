/* summary.h - what a run came to: its cost, its audit, its verdict. Part of program.h. */
#ifndef SINEW_SUMMARY_H
#define SINEW_SUMMARY_H

#include "sinew/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Phases that the time of a run is counted by. */
enum { SN_PHASE_COUNT = 11 };
SN_API const char *sn_phase_name(size_t number); /* "residual", ...; NULL: there is no such number */

typedef struct sn_summary {
  size_t size; /* of the struct as the caller knows it */
  const char *model, *title;
  const char *analysis;       /* kinds of the stages, "statics, dynamics" */
  const char *integrator;     /* "": no stage moved in time */
  double step, tolerance;     /* step > 0: fixed [s] */
  double begin, reached, end; /* [s] */
  /* cost */
  long steps, error_rejections, newton_rejections;
  long cut_steps;                                  /* repeated to end where forces change with the motion */
  long short_steps;                                /* parts of fixed steps that had to be cut */
  long unseen_loads;                               /* fixed steps that do not resolve a load or a prescribed motion */
  long iterations, most_iterations, rounded_steps; /* most: in one attempt (SUNDIALS: step); rounded: limited by it */
  long residuals, jacobians, factorizations, solves;
  double smallest_step, largest_step; /* [s]; of a run in which time stands still: of the load factor */
  double cpu, wall;                   /* [s] */
  double phase_time[SN_PHASE_COUNT];  /* wall [s], without inner phases */
  /* estimate by a companion run; 0: there was none */
  double estimated_error; /* of positions: in tolerances; fixed steps: in thousandths of the displacement */
  double estimated_until; /* [s] */
  double reaction_difference, acceleration_difference; /* of their largest values */
  double local_error;                                  /* sum over all steps, of methods of low order; else 0 */
  /* contact */
  double creep; /* largest at a sticking contact or joint [m, rad] */
  long contact_solutions, contacts, most_contacts, contact_iterations; /* contacts: of all solutions */
  double contact_residual, contact_time;                               /* largest residual [m/s] and when [s], */
  const char *contact_between[2];                                      /* between these bodies; NULL: none */
  long contact_misses;                                                 /* steps that missed the tolerance */
  long rebounds, rebounds_weakened, rebounds_left,
      recoveries; /* left: steps; recoveries: steps that corrected overlaps */
  /* audit */
  double energy_error, kinetic;            /* largest [J] */
  double constraint[3];                    /* largest residual: position, velocity, acceleration */
  double position_change, velocity_change; /* by the consistent start */
  long redundant;                          /* equations of constraint */
  const char *notes, *events;              /* a line each */
  const char *trust, *reasons;             /* the verdict, "" where there is none; its reasons, a line each */
  double
      output_difference; /* of the estimate: outputs but positions, forces and accelerations, of their largest values */
  long contact_again;    /* steps in which interior-point solved small groups of contacts that apgd did not */
} sn_summary;

/* From a result file; texts belong to the result. summary->size must be set. SN_IO: a series cannot be read. */
SN_API sn_status sn_result_summary(sn_result *result, sn_summary *summary);

#ifdef __cplusplus
}
#endif
#endif
