/* base.h - status codes, contexts, messages. Part of sinew.h. */
#ifndef SINEW_BASE_H
#define SINEW_BASE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SN_API __attribute__((visibility("default")))
#else
#define SN_API
#endif

/* What a call can come to; also the exit codes of the program. */
typedef enum sn_status {
  SN_OK = 0,
  SN_USAGE = 1,         /* the call makes no sense */
  SN_BAD_MODEL = 2,     /* the model file is wrong; the message says where */
  SN_NUMERICS = 3,      /* the numerics failed; results so far stay valid */
  SN_IO = 4,            /* a file could not be read or written */
  SN_MEMORY = 5,        /* out of memory; results so far stay valid, objects of the call can only be freed */
  SN_CALLBACK = 6,      /* a function of the host program returned an error or no number; the message says which */
  SN_INTERRUPTED = 130, /* sn_interrupt was called */
} sn_status;

typedef struct sn_context sn_context;
/* A context carries messages and the interrupt flag of the objects made with it. NULL: out of memory. */
SN_API sn_context *sn_context_create(void);
SN_API void sn_context_free(sn_context *context);
/* Text of the last error, several lines long where it quotes a model; "" if there was none. */
SN_API const char *sn_message(const sn_context *context);
/* Ask whatever runs to stop at the end of its step. Safe to call from a signal handler. */
SN_API void sn_interrupt(sn_context *context);
/* What was interrupted may go on. */
SN_API void sn_clear_interrupt(sn_context *context);
/* What a simulation has to say while it runs, besides its errors: one line or several, without an end of line. Called on
 * the thread of the call that found it; the text is valid during the call. The function must not call the simulation. */
typedef enum sn_remark {
  SN_NOTE = 0,  /* a choice that was made, such as a redundant constraint that was left out */
  SN_DOUBT = 1, /* a reason not to trust the results */
} sn_remark;
typedef void (*sn_listener)(void *user, sn_remark kind, const char *text);
/* NULL: nobody listens. */
SN_API void sn_on_remark(sn_context *context, sn_listener listener, void *user);
/* Refuse models that need more memory than this [bytes]; 0, as at the start: more than the machine has to give. */
SN_API void sn_limit_memory(sn_context *context, double bytes);

#ifdef __cplusplus
}
#endif
#endif
