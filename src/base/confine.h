/* confine.h - restriction of the rights of a process before it reads a file that may be malicious. */
#ifndef SN_BASE_CONFINE_H
#define SN_BASE_CONFINE_H

#include <stddef.h>

/* In a child process, with the one descriptor it keeps: all others are closed, standard streams lead nowhere, and the
 * descriptor is `sn_kept` from now on. The child ends soon after its parent is gone, even if it hangs. */
enum { sn_kept = 3 };
void sn_confine_begin(int keep);
/* Then, with all files open that it needs: at most `memory` bytes more than it has, no new files, no network, no new
 * processes. On Linux every system call but a few is refused too. */
void sn_confine(size_t memory);

#endif
