/* program.h - the rest of the public interface, for programs around the engine.
 *
 * sinew.h has what a simulation needs. Here is what stands around it, as in the command line and the viewer, which are written
 * on these headers alone: the kinds and their fields, facts about models, recordings that are resumed and watched, summaries,
 * all that lies in result files, runs that are compared with each other, studies of many cases.
 */
#ifndef SINEW_PROGRAM_H
#define SINEW_PROGRAM_H

#include "sinew/about.h"
#include "sinew/attempt.h"
#include "sinew/cases.h"
#include "sinew/contents.h"
#include "sinew/machine.h"
#include "sinew/message.h"
#include "sinew/recording.h"
#include "sinew/sinew.h"
#include "sinew/summary.h"
#include "sinew/tables.h"

#endif
