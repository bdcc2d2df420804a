/* overlap.h - contacts that go too deep, in words. */
#ifndef SN_OVERLAP_H
#define SN_OVERLAP_H

#include "analysis/simulation.h"

/* Surfaces that overlap at the start: a note, or an error where they do by a tenth of their radius. */
sn_status sn_check_start_overlap(sn_simulation *simulation);
/* After a step: a contact by penalty deeper than its radius is no longer one. */
sn_status sn_check_overlap(sn_simulation *simulation);
/* After a step that may have carried things through each other, a doubt where it has: contacts by penalty within it
 * that are there neither at its start nor at its end. `searches` is the contacts' count of rebuilds before the step. */
void sn_check_passing(sn_simulation *simulation, long searches);

/* "surfaces 'skin' of 'beam' and 'peg' of 'ground'", in the simulation's arena */
const char *sn_names_of_contact(sn_simulation *simulation, const sn_contact *contact);

#endif
