/* copy.h - a result file made anew from what another one holds, so that HDF5 never writes into a file it has not made.
 * A run that is resumed goes on with such a copy. */
#ifndef SN_RESULT_COPY_H
#define SN_RESULT_COPY_H

#include "base/base.h"

/* Groups, attributes, numbers and texts; `to` must not exist. `locked`: this process has locked `from`. */
sn_status sn_result_copy(sn_context *context, const char *from, bool locked, const char *to);

#endif
