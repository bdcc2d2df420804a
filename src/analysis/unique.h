/* unique.h - which reactions the constraints leave open, where they repeat each other. */
#ifndef SN_UNIQUE_H
#define SN_UNIQUE_H

#include "analysis/simulation.h"

/* At the start of a stage: columns of reaction outputs that are not unique, reported in a note and kept in
 * `simulation->open`. */
sn_status sn_note_open_reactions(sn_simulation *simulation);

#endif
