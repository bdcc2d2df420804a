/* model.h - a compiled model, and what it has. Part of sinew.h.
 *
 * A model does not change. Any number of simulations may be made of it, on several threads at once if each has a context
 * of its own (sn_options); it must outlive them, and its context must outlive it. Texts belong to the model.
 */
#ifndef SINEW_MODEL_H
#define SINEW_MODEL_H

#include "sinew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_model sn_model;

/* Read and compile a model file. sets: `count` strings "name=expression" that override parameters. */
SN_API sn_status sn_model_load(sn_context *context, const char *path, const char *const *sets, size_t count,
                               sn_model **model);
/* The same from memory; `name` stands for the file in messages. */
SN_API sn_status sn_model_parse(sn_context *context, const char *name, const char *text, size_t length,
                                const char *const *sets, size_t count, sn_model **model);
SN_API void sn_model_free(sn_model *model);
/* The same model with other parameters: `sets` as above, in place of those it was made with and besides them. It is a new
 * model, which belongs to the caller and may outlive the first; it is compiled from what the first one keeps: no model
 * file is read, and no text parsed again unless parameters are used as words ($name) or inputs were overridden; data files
 * of tables are. The result is that of sn_model_load with these parameters, bit by bit. context: of its messages; NULL: that of the first. */
SN_API sn_status sn_model_change(const sn_model *model, sn_context *context, const char *const *sets, size_t count,
                                 sn_model **changed);

/* ---- lists: things have numbers from 0, in the order of the file. The ground is a body too;
 * variables and inputs are outputs too ---- */

typedef enum sn_list_of {
  SN_LIST_BODIES,
  SN_LIST_JOINTS,
  SN_LIST_OUTPUTS,
  SN_LIST_INPUTS,
  SN_LIST_PARAMETERS,
  SN_LIST_EVENTS,
} sn_list_of;

SN_API size_t sn_model_count(const sn_model *model, sn_list_of list);
/* NULL: there is no such number. */
SN_API const char *sn_model_name(const sn_model *model, sn_list_of list, size_t number);
/* The number of a name; -1: there is none. */
SN_API long sn_model_find(const sn_model *model, sn_list_of list, const char *name);

/* Coordinates q and equations of constraints (and so reactions) of the whole model. */
SN_API size_t sn_model_coordinates(const sn_model *model);
SN_API size_t sn_model_constraints(const sn_model *model);
/* Of a body: its kind ("cable"), and its coordinates [first, first + count) among all. */
typedef struct sn_body_info {
  const char *name, *kind;
  size_t first, count;
} sn_body_info;
/* Of an output: its columns. */
typedef struct sn_output_info {
  const char *name;
  size_t columns;
  const char *const *column, *const *unit; /* [columns]: "x", "m" */
} sn_output_info;
/* Of an input: the values that may be set. */
typedef struct sn_input_info {
  const char *name, *unit;
  double low, high;
} sn_input_info;
/* SN_USAGE: there is no such number. */
SN_API sn_status sn_model_body(const sn_model *model, size_t number, sn_body_info *info);
SN_API sn_status sn_model_output(const sn_model *model, size_t number, sn_output_info *info);
SN_API sn_status sn_model_parameter(const sn_model *model, size_t number, double *value); /* NaN: it is a word */
SN_API sn_status sn_model_input(const sn_model *model, size_t number, sn_input_info *info);

#ifdef __cplusplus
}
#endif
#endif
