/* team.h - the processes that mpirun started for one study.
 *
 * The program itself needs no MPI. Where it runs under mpirun, it loads a module that was built with MPI (mpi_module.c)
 * and talks to the others by its table. Without the module the ranks share the folder of the study.
 */
#ifndef SN_TEAM_H
#define SN_TEAM_H

#include "base/base.h"

/* A message that has arrived. */
typedef struct sn_mail {
  int rank, tag;
  size_t length;
} sn_mail;

/* The table of the module, sn_mpi_module. Rank 0 has a counter that all of them draw numbers from. */
typedef struct sn_mpi_ops {
  int version; /* SN_MPI_OPS_VERSION of its build */
  bool (*begin)(int *rank, int *size);
  void (*end)(void);
  void (*abandon)(int code); /* end all ranks at once: one of them does not answer */
  /* Rank 0's bytes for all; the highest value of any rank and the lowest rank that has it. */
  void (*share)(void *data, size_t length);
  int (*worst)(int value, int *rank);
  /* Add to the counter of rank 0; what it was before. One-sided: rank 0 does not take part. */
  long (*draw)(long add);
  void (*send)(int rank, int tag, const void *data, size_t length);
  bool (*look)(sn_mail *mail);
  void (*receive)(const sn_mail *mail, void *data);
} sn_mpi_ops;
enum { SN_MPI_OPS_VERSION = 1 };

typedef struct sn_team {
  bool given; /* mpirun started us */
  int rank, size;
  const sn_mpi_ops *mpi; /* NULL: no module */
  bool lost;             /* a rank does not answer */
  char missing[200];     /* why there is no module */
} sn_team;

/* [s] after which a rank that does not answer is lost: SINEW_RANK_SILENCE, or 60. */
double sn_team_silence(void);
/* Find the others. False: mpirun and the module do not fit together; the context has the reason. */
bool sn_team_open(sn_context *context, sn_team *team);
/* With code: the exit code, where a rank was lost and all must be ended. */
void sn_team_close(sn_team *team, int code);
/* The worst status of all ranks, and the lowest rank that has it. Without MPI: our own. */
sn_status sn_team_agree(const sn_team *team, sn_status status, int *rank);

#endif
