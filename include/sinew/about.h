/* about.h - what a model has, beyond the lists of model.h. Part of program.h. Texts belong to the model. */
#ifndef SINEW_ABOUT_H
#define SINEW_ABOUT_H

#include "sinew/message.h"
#include "sinew/model.h"

#ifdef __cplusplus
extern "C" {
#endif

SN_API const char *sn_model_title(const sn_model *model);               /* "" if it has none */
SN_API void sn_model_gravity(const sn_model *model, double gravity[3]); /* [m/s2] */
/* The word that a parameter stands for; NULL: it is a number (sn_model_parameter), or there is no such parameter. */
SN_API const char *sn_model_parameter_word(const sn_model *model, size_t number);

/* Of a joint: its kind, its equations of constraint, and the bodies it connects. */
typedef struct sn_joint_info {
  const char *name, *kind;
  size_t equations;
  const char *body[2]; /* names; NULL: a joint that is not between two bodies */
} sn_joint_info;
/* SN_USAGE: there is no such number. */
SN_API sn_status sn_model_joint(const sn_model *model, size_t number, sn_joint_info *info);

/* ---- the analysis: one stage, or several one after the other; none: dynamics, whose end the caller says ---- */

typedef struct sn_stage_info {
  size_t size;            /* of the struct as the caller knows it */
  const char *kind;       /* "dynamics", "statics", ... */
  int quasi_static;       /* time stands still */
  double duration;        /* [s]; 0: time stands still */
  const char *integrator; /* of dynamics; else NULL */
  double step, tolerance; /* of dynamics: step > 0: fixed [s] */
} sn_stage_info;
SN_API size_t sn_model_stages(const sn_model *model);
/* info->size must be set. SN_USAGE: there is no such number. */
SN_API sn_status sn_model_stage(const sn_model *model, size_t number, sn_stage_info *info);
/* Does it have contact by complementarity, which only some integrators support? */
SN_API int sn_model_has_impulses(const sn_model *model);

/* ---- sizes ---- */

typedef struct sn_size_info {
  size_t size;            /* of the struct as the caller knows it */
  size_t groups;          /* of coordinates that belong together, such as nodes */
  size_t flexible;        /* coordinates of bodies that have several groups */
  double memory;          /* of a run, about [bytes] */
  double memory_touching; /* more by an implicit method, if all bodies touch [bytes] */
} sn_size_info;
/* info->size must be set. */
SN_API sn_status sn_model_size(const sn_model *model, sn_size_info *info);

typedef struct sn_freedom_info {
  size_t size;    /* of the struct as the caller knows it */
  long freedom;   /* degrees of freedom, by the rank of the constraints */
  long redundant; /* equations that repeat others */
  char *notes;    /* which, a line each; belongs to the caller (sn_release) */
} sn_freedom_info;
/* Degrees of freedom at a consistent start, which is found for it. info->size must be set. On failure the context of the
 * model has the reason, and notes is NULL. */
SN_API sn_status sn_model_freedom(const sn_model *model, sn_freedom_info *info);

/* The same model with every number of elements times `times`: a new model, as by sn_model_change, which belongs to the caller.
 * *refined: bodies that have elements. context: of its messages; NULL: that of the first. */
SN_API sn_status sn_model_refine(const sn_model *model, sn_context *context, int times, int *refined, sn_model **finer);

#ifdef __cplusplus
}
#endif
#endif
