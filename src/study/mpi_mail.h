/* mpi_mail.h - what the ranks of a study say to each other.
 *
 *   rank 0 (mpi_lead.c)       has the folder: it stores outcomes, and runs cases as the others do
 *   others (engine_mpi.c)     draw cases from the counter of rank 0, run them in a folder of their own, send outcomes
 */
#ifndef SN_MPI_MAIL_H
#define SN_MPI_MAIL_H

#include "study/engine.h"

typedef enum sn_mpi_tag {
  SN_MAIL_OUTCOME = 1, /* sn_mail_outcome and the text of an outcome */
  SN_MAIL_FILE,        /* number of a case (int32) and a piece of its result file; its outcome follows */
  SN_MAIL_BEAT,        /* a byte: 1, it has nothing to do any more; 0, it lives */
  SN_MAIL_BROKEN,      /* a text: why it cannot run cases; what it has drawn is not run */
  SN_MAIL_END,         /* from rank 0: that is all */
} sn_mpi_tag;

typedef struct sn_mail_outcome {
  int32_t number, failed;
  double seconds;
} sn_mail_outcome;

/* The cases to be run, in the order of the counter. */
typedef struct sn_mpi_order {
  int32_t *number;
  long count;
  long drawn; /* by all, when this rank last drew */
  bool empty; /* all have been drawn */
} sn_mpi_order;

/* Draw up to `want` cases. */
int sn_mpi_draw(const sn_team *team, sn_mpi_order *order, int want, int *list);
/* A rank's share of the cases that nobody had drawn then. */
long sn_mpi_left(const sn_team *team, const sn_mpi_order *order);

sn_status sn_mpi_lead(sn_engine_job *job, sn_mpi_order *order);

#endif
