/* study.h - study files: a model, what varies, what is measured and drawn. */
#ifndef SN_STUDY_H
#define SN_STUDY_H

#include "study/measures.h"

/* A value as it is written behind "NAME=", and as a number: NaN for words. */
typedef struct sn_value {
  const char *text;
  double number;
} sn_value;

typedef struct sn_range_spec {
  sn_spec spec;
  double from, to;
  int count; /* 0: not given */
  int scale; /* 0 linear, 1 log */
  bool whole;
} sn_range_spec;

typedef struct sn_variation {
  const char *name; /* parameter, "integrator", "integrator.alpha", "step", "tolerance", "until" */
  const sn_node *label, *node;
  int count; /* values of a list; 0: a range */
  const sn_value *value;
  sn_range_spec range;
  int option; /* 1 + its place among sn_study_options; 0: an override. Known after sn_check_study */
} sn_variation;

typedef enum sn_sampling { SN_SAMPLE_GRID, SN_SAMPLE_LIST, SN_SAMPLE_RANDOM, SN_SAMPLE_HYPERCUBE } sn_sampling;

typedef struct sn_sampling_ops {
  sn_kind kind;
  sn_sampling sampling;
} sn_sampling_ops;

typedef struct sn_sample_spec {
  sn_spec spec;
  int count, seed;
} sn_sample_spec;

typedef struct sn_plot_spec {
  sn_spec spec;
  const char *x, *y, *curves; /* curves: NULL when not given */
  int scale;                  /* 0 auto, 1 linear, 2 log-x, 3 log-y, 4 log */
  int format;                 /* 0 png, 1 svg, 2 pdf */
} sn_plot_spec;

typedef struct sn_study {
  sn_document *document; /* list[SN_MEASURED], list[SN_PLOTTED] and the text, for messages */
  const char *title;
  const char *model; /* path as written, relative to the study */
  double until;      /* 0: as the model says */
  double cpu_limit;  /* s for each case; 0: none */
  bool keep;         /* result files of the cases */
  int sets;
  const char *const *set; /* "NAME=VALUE" of all cases */
  int variations;
  sn_variation *variation;
  sn_sampling sampling;
  int sample_count, seed;
} sn_study;

/* Read a study; on failure the context's message holds all errors found. Memory from the arena. */
sn_status sn_read_study(sn_context *context, sn_arena *arena, const char *path, const char *text, size_t length,
                        sn_study **study);
/* Does what varies, is measured and drawn exist in this model? SN_BAD_MODEL after reporting what does not. */
sn_status sn_check_study(sn_context *context, sn_arena *arena, sn_study *study, const sn_model *model);

static inline const sn_measure_spec *sn_study_measure(const sn_study *study, int i) {
  return (const sn_measure_spec *)(const void *)study->document->list[SN_MEASURED].item[i];
}

/* The options of a run that may vary, where the model has no parameter of that name; ends with NULL. */
enum { SN_VARY_STEP = 1, SN_VARY_TOLERANCE, SN_VARY_UNTIL };
extern const sn_field sn_study_fields[]; /* the scalar keys at the top of a study */
extern const char *const sn_study_options[];

#endif
