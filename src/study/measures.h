/* measures.h - the kinds of measures of a study: one number per run. */
#ifndef SN_MEASURES_H
#define SN_MEASURES_H

#include "analysis/curve.h"
#include "model/field.h"
#include "system/system.h"

/* A run that has ended, well or not, as a measure sees it. */
typedef struct sn_run_view {
  bool done;           /* it reached its end */
  bool fixed;          /* its steps were given */
  double noise;        /* see noise.h; NaN: not known */
  sn_curve constraint; /* |Phi| at the ends of steps, see noise.h; no rows: not known */
  const sn_statistics *statistics;
  /* A series by its name in the result file, *count rows of it; NULL: there is none. */
  const double *(*series)(void *user, const char *name, size_t *count);
  /* A quantity of a mode, from 1, of the last stage that found some: "frequency", "load_factor"; NaN: none */
  double (*mode)(void *user, const char *quantity, int mode);
  void *user;
} sn_run_view;

typedef struct sn_measure_spec {
  sn_spec spec;
  const char *of;
  const char *from;        /* of distances: NAME=VALUE; ... of the other case */
  double after, until;     /* s */
  double level, reference; /* of cycles; test with sn_given */
  int pick;
  int drift_level;
  int mode, part; /* of modes; real or imaginary */
  bool relative;
  double apart, drift, early, noise; /* of classes */
  bool cut;
} sn_measure_spec;

typedef struct sn_measure_ops {
  sn_kind kind;
  const char *const *words; /* the value is an index into these; NULL: a number */
  bool noise;               /* looks at the noise, which is watched only then */
  /* What says something of one run has `value`, what says something of two has `between`. */
  double (*value)(const sn_measure_spec *spec, const sn_run_view *run);
  double (*between)(const sn_measure_spec *spec, const sn_run_view *run, const sn_run_view *other);
} sn_measure_ops;

static inline const sn_measure_ops *sn_measure_ops_of(const sn_measure_spec *spec) {
  return (const sn_measure_ops *)(const void *)spec->spec.kind;
}

#endif
