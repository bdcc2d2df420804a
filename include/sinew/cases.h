/* cases.h - studies: many cases of one model in processes of their own, on this machine, under mpirun or by Slurm; one table.
 * Part of program.h.
 *
 *     sn_cases *cases;
 *     if (!sn_cases_create(context, &cases) && !sn_cases_read(cases, "study.yaml", text, length) &&
 *         !sn_cases_open(cases, "study.sweep")) {
 *       sn_cases_options options = {.size = sizeof options, .jobs = 4};
 *       if (!sn_cases_run(cases, &options)) sn_cases_tabulate(cases);
 *     }
 *     sn_cases_free(cases, 0);
 *
 * Cases belong to one thread at a time. What is returned belongs to them. Processes are made by fork: other threads of the
 * program must not hold locks that the library needs. Messages are in the context, which must outlive the cases.
 */
#ifndef SINEW_CASES_H
#define SINEW_CASES_H

#include "sinew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_cases sn_cases;

/* Under mpirun this process becomes one of its ranks. SN_IO: mpirun and the module for it do not fit together; there is an
 * object then, too, to be asked for its rank. NULL: out of memory. */
SN_API sn_status sn_cases_create(sn_context *context, sn_cases **cases);
/* code: the exit code of the program, for ranks that must be ended; < 0: it is about to end by a signal, and ranks are left
 * alone. NULL: nothing happens. */
SN_API void sn_cases_free(sn_cases *cases, int code);

/* The text of a study file; `name` stands for the file in messages, and its folder is where the path of the model begins. */
SN_API sn_status sn_cases_read(sn_cases *cases, const char *name, const char *text, size_t length);
/* "NAME=VALUE" for all cases, beside those of the study, and their end time [s]; 0: as it is. Before they are opened. */
SN_API sn_status sn_cases_set(sn_cases *cases, const char *const *sets, size_t count, double until);
/* Read the model, check the study against it, and make the folder, or take what is there: cases that have finished are not run
 * again. */
SN_API sn_status sn_cases_open(sn_cases *cases, const char *folder);
/* The worst status of all ranks, and the lowest rank that has it; without ranks its own. All ranks call it. */
SN_API sn_status sn_cases_agree(const sn_cases *cases, sn_status status, int *rank);

typedef struct sn_cases_info {
  size_t size;             /* of the struct as the caller knows it */
  int mpirun;              /* it has started this process */
  int rank, ranks;         /* without it: 0, 1 */
  int connected;           /* ranks talk to each other; otherwise they share the folder */
  const char *missing;     /* why not; "" if that is not known */
  const char *title;       /* of the study; "" if it has none */
  const char *folder;      /* NULL: not open */
  size_t count;            /* cases; 0: not open */
  size_t variations;       /* values of a case */
  int grid, random;        /* how they are sampled: all combinations; at random */
  size_t plots;            /* that the study asks for */
  size_t finished, failed; /* cases, at the end of sn_cases_run */
} sn_cases_info;
/* info->size must be set. */
SN_API sn_status sn_cases_about(const sn_cases *cases, sn_cases_info *info);
/* The name of what varies, and its value in a case as text; NULL: there is no such number. */
SN_API const char *sn_cases_variation(const sn_cases *cases, size_t number);
SN_API const char *sn_cases_value(const sn_cases *cases, size_t number, size_t variation);
SN_API int sn_cases_finished(const sn_cases *cases, size_t number);

/* ---- running ---- */

typedef struct sn_cases_options {
  size_t size;                /* of the struct as the caller knows it */
  int jobs;                   /* processes of this machine, or of this rank; 0: one for each processor
                               * that this process may use, under mpirun one */
  size_t first, last;         /* the cases first <= i < last; last 0: all */
  int slurm;                  /* as a job array of Slurm: */
  const char *const *command; /* words that repeat this study, NULL-terminated, without folder, jobs and cases */
  const char *const *sbatch;  /* options of sbatch, NULL-terminated; NULL: none */
  int chunk;                  /* cases of a task of the array; 0: chosen */
  int no_wait;                /* return when it is submitted */
  void (*show)(void *user, int finished, int failed, int running); /* called now and then; NULL: none */
  void (*say)(void *user, const char *text); /* a remark: a rank was lost, a job was submitted; NULL: none */
  void *user;
} sn_cases_options;
/* SN_OK: all of these have finished, or are finished by others (a rank that helps, a job that is not waited for). */
SN_API sn_status sn_cases_run(sn_cases *cases, const sn_cases_options *options);

/* ---- the table ---- */

/* Make it and write table.csv, table.h5, times.csv, times.h5 into the folder; all cases have finished. */
SN_API sn_status sn_cases_tabulate(sn_cases *cases);
typedef struct sn_column_info {
  const char *name;
  size_t rows;             /* cases */
  const double *number;    /* [rows]; NaN: no value. NULL: texts */
  const char *const *text; /* [rows] */
} sn_column_info;
/* A column of the table, or of the times that cases took. SN_USAGE: there is no such number, or no table yet. */
SN_API sn_status sn_cases_column(const sn_cases *cases, int of_times, size_t number, sn_column_info *info);

/* A plot that the study asks for: columns y over x. */
typedef struct sn_plot_info {
  const char *name, *x, *y;
  const char *curves; /* the variation that has a curve for each value; NULL: chosen */
  int log_x, log_y;   /* -1: chosen */
  const char *format; /* "png", "svg", "pdf" */
} sn_plot_info;
SN_API sn_status sn_cases_plot(const sn_cases *cases, size_t number, sn_plot_info *info);

#ifdef __cplusplus
}
#endif
#endif
