/* impulses_problem.h - shared by the files of contact by complementarity. Private. */
#ifndef SN_IMPULSES_PROBLEM_H
#define SN_IMPULSES_PROBLEM_H

#include "system/impulses.h"

struct sn_impulses {
  sn_system *system;
  sn_impulse_settings settings;
  sn_contacts *contacts;
  bool rebounds; /* some law has restitution */
  sn_ccp *ccp;
  int count, capacity;        /* contacts of the step ... */
  sn_contact *const *contact; /* [count] ... in the order of the problem */
  const sn_islands *islands;  /* which they form */
  sn_contact **selected;      /* [capacity] the same as they were detected */
  double *r;                  /* [3 count] right-hand side */
  double *rate0, *rate;       /* [3 count] D'v at the start of the step, and now */
  double *sum;                /* [3 count] impulses up to now */
  double *e_factor;           /* [count] factor of its restitution in the current impact */
  double *gain;               /* [2 islands] energy an impact would add */
  bool *struck;               /* [count] was hit in this step */
  bool *hits;                 /* [count] takes part in the current impact */
  bool missed;                /* some solution of the step is worse than the tolerance */
  bool again;                 /* in some, islands were solved once more */
  double *v;                  /* [n] velocities now */
  double *f;                  /* [n + m] */
  long revision;              /* of the system's matrix */
};

/* Add a solution to the statistics. */
void sn_impulses_count(sn_impulses *impulses, double t, const sn_ccp_result *result);
/* x[n + m] += A^-1 (D g, 0) with the impulses of the last solution; v, sum and rate follow. */
void sn_impulses_apply(sn_impulses *impulses, double *x);
/* Impacts within the step, until nothing approaches; see impacts.c. */
void sn_impulses_impacts(sn_impulses *impulses, double t, double h, double *x);

#endif
