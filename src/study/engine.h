/* engine.h - what runs the cases of a study: the cores of this machine, the ranks of mpirun, the jobs of Slurm.
 *
 * One engine = one file = one table. All of them leave the same outcomes, bit for bit, in the folder of the study.
 */
#ifndef SN_ENGINE_H
#define SN_ENGINE_H

#include "study/cases.h"
#include "study/team.h"

typedef struct sn_slurm_options {
  const char *const
      *command;              /* words that repeat this sweep, NULL-terminated, without folder, jobs and these options */
  const char *const *option; /* of sbatch, NULL-terminated */
  int chunk;                 /* cases of a task of the job array; 0: chosen */
  bool wait;                 /* for the end of the job */
} sn_slurm_options;

typedef struct sn_engine_job {
  sn_sweep *cases;
  int jobs;        /* processes of this machine, or of this rank */
  int first, last; /* the cases first <= i < last are wanted */
  sn_team *team;
  sn_slurm_options slurm;
  /* What is going on. */
  void (*show)(void *user, int finished, int failed, int running);
  void (*say)(void *user, const char *text); /* a remark: a rank was lost, a job was submitted */
  void *user;
  /* filled in */
  int finished, failed; /* of all cases */
} sn_engine_job;

typedef struct sn_engine_ops {
  const char *name, *summary;
  /* SN_OK: all wanted cases have finished, or the engine goes on without us (a rank that helps, a job that is not
   * waited for). */
  sn_status (*run)(sn_engine_job *job);
} sn_engine_ops;

extern const sn_engine_ops sn_engine_cores, sn_engine_mpi, sn_engine_slurm;

/* The first thing each engine does: which cases have finished? done[count] gets 1 for them. */
void sn_engine_begin(sn_engine_job *job, unsigned char *done);

#endif
