/* sweep.h - private to contact: two solids that come near each other within a step by complementarity (sweep.c). */
#ifndef SN_CONTACT_SWEEP_H
#define SN_CONTACT_SWEEP_H

#include "contact/set.h"

/* A face that turns within the step is the same one. */
#define SN_OTHER_FEATURE 1e-3

/* What a pair of solids knows of itself. */
typedef struct sn_swept_pair {
  int i, j; /* items; solid i moves against solid j, which stays where it is */
  const void *user;
  double turns; /* 1 - cosine of the angle by which the normal has to turn to be another one */
  /* Gap with solid i at another place, and the unit normal along which it is, from j into i. */
  double (*apart)(const void *user, const sn_solid_place *place, double n[3]);
  /* The same along a given normal. */
  double (*along)(const void *user, const sn_solid_place *place, const double n[3]);
} sn_swept_pair;

/* Where the pair is looked at: the motion x' = way + turn x x of solid i against j in the step, the part of the step that
 * has gone by, and solid i there. */
typedef struct sn_sweep {
  double way[3], turn[3];
  double part; /* 0: at its start */
  sn_solid_place place;
} sn_sweep;

/* From the gap and the normal at the start of the step. false: there is the place to look. */
bool sn_sweep_find(const sn_contacts *contacts, const sn_swept_pair *pair, double gap, const double n[3],
                   sn_sweep *sweep);
/* The contacts of the list from `first` on, found at that place, as they are at the start of the step. */
void sn_sweep_back(const sn_contacts *contacts, const sn_swept_pair *pair, const sn_sweep *sweep, int first,
                   sn_contact_list *list);

#endif
