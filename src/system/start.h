/* start.h - shared by the files of the consistent start (start.c). */
#ifndef SN_START_H
#define SN_START_H

#include "system/system.h"

/* ---- start_project.c: onto the constraints, with the smallest change in the mass norm ---- */

/* `keep`[n]: coordinates that stay as they are as far as the constraints allow; NULL: none. */
sn_status sn_project_position(sn_system *system, sn_state *state, const bool *keep, sn_start *start);
sn_status sn_project_velocity(sn_system *system, sn_state *state, const bool *keep, sn_start *start);

/* ---- start_notes.c ---- */

/* How the state differs from what the file wrote, where `open`[m] was the residual of the constraints and the
 * velocities were `velocity`[n]: notes. An error where something that was to be kept could not be. */
sn_status sn_note_start(sn_system *system, const sn_state *state, const double *open, const double *velocity,
                        sn_start *start);

#endif
