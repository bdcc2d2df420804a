/* trust_remedy.h - what reasons of a verdict add: the setting that is the cause, or the one that helps. */
#ifndef SN_TRUST_REMEDY_H
#define SN_TRUST_REMEDY_H

#include "analysis/simulation.h"

/* Texts begin with "; " or are empty. They are of the simulation's arena. */
const char *sn_remedy_damping(sn_simulation *simulation); /* an energy error that the method makes by design */
const char *sn_remedy_bounds(sn_simulation *simulation);  /* local errors that add up */
const char *sn_remedy_order(sn_simulation *simulation);   /* a method of first order with the tolerance of a step */
/* After "a smaller step": adaptive ones, where the method and its settings can have them. */
const char *sn_remedy_adaptive(const sn_simulation *simulation); /* ", or adaptive steps (tolerance)" or "" */
/* What helps against errors of any kind: of the step, the tolerance, the method. */
const char *sn_remedy_accuracy(sn_simulation *simulation);
/* Another integrator among those named, where the model allows it; "" where it is in use or none is possible. */
const char *sn_remedy_method(sn_simulation *simulation, const char *one, const char *other);
/* The whole reason where recorded points move little against the size that tolerances refer to; else NULL. */
const char *sn_remedy_small_motion(sn_simulation *simulation);

#endif
