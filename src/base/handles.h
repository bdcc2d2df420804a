/* handles.h - in debug builds: objects of the public interface that were freed, so that the use of one is an error with a
 * message and not a crash. The last ones are remembered until their memory is used again. Release builds do not ask.
 */
#ifndef SN_HANDLES_H
#define SN_HANDLES_H

#include "base/base.h"

#ifdef NDEBUG
static inline void sn_handle_made(const void *handle) {
  (void)handle;
}
static inline void sn_handle_freed(const void *handle, const char *what, sn_context *context) {
  (void)handle;
  (void)what;
  (void)context;
}
static inline sn_status sn_handle_check(const void *handle) {
  (void)handle;
  return SN_OK;
}
#else
/* A new object, perhaps where an old one was; and its end. `what` it is: "simulation". */
void sn_handle_made(const void *handle);
void sn_handle_freed(const void *handle, const char *what, sn_context *context);
/* SN_USAGE, with a message in the context it had if that is still there: it was freed. */
sn_status sn_handle_check(const void *handle);
#endif

#endif
