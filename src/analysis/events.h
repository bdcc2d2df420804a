/* events.h - events of the model while it moves: what they do, and the list of those that happened.
 *
 * Times are found by crossings.h. Values, locked joints and counts are discrete values of the simulation, so that forks
 * and checkpoints have them. */
#ifndef SN_ANALYSIS_EVENTS_H
#define SN_ANALYSIS_EVENTS_H

#include "analysis/simulation.h"
#include "sinew/callback.h"

enum { SN_MOST_EVENTS = 10000 }; /* in the list; all are counted */

void sn_add_event_crossings(sn_simulation *simulation);
/* How many have happened up to now, all together; and the list of the first of them. */
double sn_events_count(const sn_simulation *simulation);
int sn_events_list(const sn_simulation *simulation, const sn_event_info **list);
/* The first of them in words, a line each, and how many more there are: "t = 0.5 s: latch (falling), hinge locked by an
 * impulse of 2 N m s". "": there are none. */
const char *sn_events_text(const sn_simulation *simulation, sn_arena *arena);
/* The values stored in a checkpoint. */
void sn_events_history(sn_simulation *simulation, sn_history *history);
/* A note where the stage has none of the events of the model. */
void sn_note_events(sn_simulation *simulation);

#endif
