/* sample.h - the cases of a study: which values everything that varies takes. */
#ifndef SN_SAMPLE_H
#define SN_SAMPLE_H

#include "model/study.h"

/* Number of cases; *values is [cases * variations], those of a case one after the other. The same for the same study
 * on any machine. Memory from the arena. */
int sn_sample_cases(const sn_study *study, sn_arena *arena, const sn_value **values);

#endif
