/* sample.h - the cases of a study: which values everything that varies takes. */
#ifndef SN_SAMPLE_H
#define SN_SAMPLE_H

#include "study/study.h"

/* Number of cases; *values is [cases * variations], those of a case one after the other. The same for the same study
 * on any machine. Memory from the arena. */
int sn_sample_cases(const sn_study *study, sn_arena *arena, const sn_value **values);
/* The case that has the values of case i, but for those that `from` names, NAME=VALUE; ...; -1: there is none. */
int sn_sample_other(const sn_study *study, const sn_value *values, int cases, int i, const char *from);

#endif
