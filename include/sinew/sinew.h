/* sinew.h - the public interface of Sinew.
 *
 * A program loads a model, makes a simulation of it, advances it and reads it:
 *
 *     sn_context *context = sn_context_create();
 *     sn_model *model;
 *     if (sn_model_load(context, "pendulum.yaml", NULL, 0, &model)) puts(sn_message(context));
 *     sn_simulation *simulation;
 *     sn_simulation_create(model, NULL, &simulation);
 *     sn_advance(simulation, 1.0);
 *     double tip[3];
 *     sn_read(simulation, "tip", tip, 3);
 *
 * Units are SI, frames right-handed, quaternions scalar first. Objects are independent of each
 * other: there is no global state. One object must not be used by two threads at once.
 */
#ifndef SINEW_H
#define SINEW_H

#include "sinew/analysis.h"
#include "sinew/base.h"
#include "sinew/callback.h"
#include "sinew/draft.h"
#include "sinew/model.h"
#include "sinew/result.h"
#include "sinew/simulation.h"
#include "sinew/version.h"

#endif
