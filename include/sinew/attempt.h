/* attempt.h - runs of a model that are compared with each other, and error bars from them. Part of program.h.
 *
 * An attempt is one run with one choice of method and settings, kept in memory: what it came to at the output times, and
 * what it cost. A run that fails is an attempt too: its status and message say why, and its rows end where it ended.
 */
#ifndef SINEW_ATTEMPT_H
#define SINEW_ATTEMPT_H

#include "sinew/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_attempt sn_attempt;

typedef struct sn_attempt_options {
  size_t size;          /* of the struct as the caller knows it */
  double cpu_limit;     /* stop after so many seconds of CPU time; 0: never */
  int still;            /* rows also at the end of stages in which time stands still */
  sn_progress progress; /* called after every step; NULL: none; only with `still` */
  void *user;
} sn_attempt_options;
/* Run all stages of the model. SN_OK: there is an attempt, however the run ended. It belongs to the caller; how may be
 * NULL. Messages are in the context of `options`, or of the model. */
SN_API sn_status sn_attempt_create(const sn_model *model, const sn_options *options, const sn_attempt_options *how,
                                   sn_attempt **attempt);
SN_API void sn_attempt_free(sn_attempt *attempt);

/* What it came to; all of it belongs to the attempt. */
typedef struct sn_attempt_info {
  size_t size;            /* of the struct as the caller knows it */
  const char *integrator; /* in force, as the settings are */
  double step, tolerance; /* step > 0: fixed [s] */
  sn_status status;
  int too_slow;        /* stopped at its limit of CPU time */
  const char *message; /* first line; "" when nothing failed */
  double reached;      /* [s] */
  size_t rows, columns, frequencies;
  const double *t, *output, *frequency;   /* [rows] [s]; [rows][columns] all outputs in the order of the model; [Hz] */
  double energy_error, kinetic, drift[3]; /* largest at the output times: [J]; position, velocity, acceleration */
  double energy_ratio;                    /* energy error over the energy exchanged */
  double noise;                           /* alternation of accelerations and multipliers from step to step */
  const char *trust, *reasons;            /* the verdict */
  double cpu;                             /* [s] of the start and all steps, without outputs */
  long steps, error_rejections, newton_rejections, iterations, jacobians;
  double local_error;
} sn_attempt_info;
/* info->size must be set. */
SN_API sn_status sn_attempt_about(const sn_attempt *attempt, sn_attempt_info *info);

/* ---- differences ---- */

typedef enum sn_measure {
  SN_POSITIONS,    /* of the outputs of type point; without any, all coordinates */
  SN_VELOCITIES,   /* of the same */
  SN_MULTIPLIERS,  /* outputs of type reaction; without any, all multipliers */
  SN_TOTAL_ENERGY, /* kinetic + strain + gravity + spring */
  SN_MEASURES
} sn_measure;
SN_API const char *sn_measure_name(sn_measure measure); /* "position", ...; NULL: there is none */

/* Largest distance at an output time; NaN where they have not the same times and columns. */
SN_API double sn_attempt_distance(const sn_attempt *a, const sn_attempt *b, sn_measure measure);
/* Scale of a distance: largest displacement of a point from its start; largest velocity, reaction, kinetic energy. */
SN_API double sn_attempt_scale(const sn_attempt *attempt, sn_measure measure);
/* Distance over the scale of `reference`; the distance itself where that is 0. */
SN_API double sn_attempt_relative(const sn_attempt *attempt, const sn_attempt *reference, sn_measure measure);
/* Largest error of the outputs at an output time, relative to the largest value of each in `reference`: of angles and
 * orientations (at least 1 rad) if `angles`, otherwise of all others but positions of points (SN_POSITIONS has those) and
 * accelerations. *column is the first column of that output, or vector of an output. NaN: there is none, or as above. */
SN_API double sn_attempt_output_error(const sn_model *model, const sn_attempt *attempt, const sn_attempt *reference,
                                      int angles, size_t *column);
/* Order p of x(h) = x + c h^p from |x(h1) - x(h2)| / |x(h2) - x(h3)|, with h1/h2 = r and h2/h3 = s, both > 1; NaN when
 * there is none. */
SN_API double sn_observed_order(double ratio, double r, double s);

/* ---- error bars of outputs, from repetitions with finer steps, by another method, on a finer mesh ---- */

typedef enum sn_source { SN_FROM_TIME, SN_FROM_METHOD, SN_FROM_MESH, SN_SOURCES } sn_source;
SN_API const char *sn_source_name(sn_source source); /* "time", "method", "mesh"; NULL: there is none */

/* Range of a column of outputs over a run, which deviations are relative to: that of the column of the same output and
 * unit that moves most; where nothing moves the largest size, and 1 where all is 0. */
SN_API double sn_attempt_range(const sn_model *model, const sn_attempt *base, size_t column);
typedef struct sn_deviation {
  double largest, final; /* |difference| over all rows that both have; of the last of them. NaN: there are none. */
  double agree;          /* time up to which it stays below a tenth of the range; NaN: it always does */
} sn_deviation;
SN_API sn_deviation sn_attempt_deviation(const sn_attempt *base, const sn_attempt *other, size_t column, double range);
/* The error bar of a column from deviations of all sources (NaN: not known): that of the mesh, plus the larger of those
 * of time and method, which see the same error. *from is the source of the largest part; NaN: nothing is known. */
SN_API double sn_attempt_bar(const sn_attempt *base, const double deviation[SN_SOURCES], sn_source *from);

#ifdef __cplusplus
}
#endif
#endif
