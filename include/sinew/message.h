/* message.h - messages and interrupts of a program's own in a context, and texts given to the caller. Part of program.h. */
#ifndef SINEW_MESSAGE_H
#define SINEW_MESSAGE_H

#include "sinew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Was sn_interrupt called since the start, or since sn_clear_interrupt? For work of the caller that is to stop with the rest. */
SN_API int sn_interrupted(const sn_context *context);
/* A message of the caller's own in place of the last error, so that whoever asks (sn_message) finds it in one place. Returns
 * `status`; SN_OK: there is no message any more. */
SN_API sn_status sn_set_message(sn_context *context, sn_status status, const char *text);
/* Free a text that a function has given to the caller; NULL: nothing happens. */
SN_API void sn_release(char *text);

#ifdef __cplusplus
}
#endif
#endif
