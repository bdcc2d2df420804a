/* copy.h - a result file written again from the contents of another one, so that HDF5 never writes to a file it has not
 * created. A resumed run continues with such a copy. */
#ifndef SN_RESULT_COPY_H
#define SN_RESULT_COPY_H

#include "base/base.h"

/* Groups, attributes, numbers and texts; `to` must not exist. `locked`: this process has locked `from`. */
sn_status sn_result_copy(sn_context *context, const char *from, bool locked, const char *to);

#endif
