/* confine.c - see confine.h.
 *
 * Limits of POSIX hold everywhere: without room for one more descriptor nothing can be opened or connected. On Linux a
 * filter in the kernel refuses every call but those that read, write what is open, and manage memory. Where the kernel
 * has no filters (an old one, a container that forbids them), the limits alone hold.
 */
#define _DEFAULT_SOURCE /* syscall */

#include "base/confine.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

static pid_t parent;

/* Every few seconds of computing. */
static void look_for_parent(int signal) {
  (void)signal;
  if (getppid() != parent) _exit(1);
}

static void close_others(void) {
#ifdef SYS_close_range
  if (!syscall(SYS_close_range, sn_kept + 1, ~0U, 0)) return;
#endif
  const long open_max = sysconf(_SC_OPEN_MAX), most = 1 << 16;
  for (int i = sn_kept + 1; i < (open_max > 0 && open_max < most ? open_max : most); ++i) close(i);
}

void sn_confine_begin(int keep) {
  static const int ignored[] = {SIGINT, SIGHUP, SIGQUIT, SIGPIPE}; /* it ends when its parent closes the descriptor */
  static const int plain[] = {SIGTERM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2};
  const struct itimerval every = {.it_interval.tv_sec = 5, .it_value.tv_sec = 5};
  sigset_t all;
  parent = getppid();
  for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; ++i) signal(ignored[i], SIG_IGN);
  for (size_t i = 0; i < sizeof plain / sizeof plain[0]; ++i) signal(plain[i], SIG_DFL);
  signal(SIGPROF, look_for_parent);
  sigfillset(&all);
  sigprocmask(SIG_UNBLOCK, &all, NULL);
  setitimer(ITIMER_PROF, &every, NULL);

  if (keep != sn_kept) dup2(keep, sn_kept);
  const int nowhere = open("/dev/null", O_RDWR);
  for (int i = 0; i < sn_kept; ++i) dup2(nowhere, i);
  close_others();
}

/* Bytes of the address space in use; 0: unknown. */
static size_t in_use(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return 0;
  if (fscanf(file, "%lu", &pages) != 1) pages = 0;
  fclose(file);
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void limit(int what, size_t most) {
  struct rlimit now;
  if (getrlimit(what, &now)) return;
  if (now.rlim_max == RLIM_INFINITY || now.rlim_max > most) now.rlim_max = most;
  now.rlim_cur = now.rlim_max;
  setrlimit(what, &now);
}

#ifdef __linux__
#if defined(__x86_64__)
#define THIS_MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_MACHINE AUDIT_ARCH_AARCH64
#endif
#endif

#ifdef THIS_MACHINE
#define ALLOW(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* Calls that are not in the list fail with EPERM: a library that tries one handles the error. */
static void refuse_calls(void) {
  static struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_MACHINE, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      ALLOW(SYS_read),
      ALLOW(SYS_pread64),
      ALLOW(SYS_write),
      ALLOW(SYS_writev),
      ALLOW(SYS_lseek),
      ALLOW(SYS_fstat),
      ALLOW(SYS_close),
      ALLOW(SYS_mmap),
      ALLOW(SYS_munmap),
      ALLOW(SYS_mremap),
      ALLOW(SYS_mprotect),
      ALLOW(SYS_madvise),
      ALLOW(SYS_brk),
      ALLOW(SYS_futex),
      ALLOW(SYS_sched_yield),
      ALLOW(SYS_clock_gettime),
      ALLOW(SYS_gettimeofday),
      ALLOW(SYS_getrandom),
      ALLOW(SYS_getpid),
      ALLOW(SYS_getppid),
      ALLOW(SYS_gettid),
      ALLOW(SYS_sigaltstack),
      ALLOW(SYS_rt_sigprocmask),
      ALLOW(SYS_rt_sigreturn),
      ALLOW(SYS_restart_syscall),
      ALLOW(SYS_exit),
      ALLOW(SYS_exit_group),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
  };
  const struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};
  if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
static void refuse_calls(void) {}
#endif

void sn_confine(size_t memory) {
  const size_t now = in_use();
  if (now) limit(RLIMIT_AS, now + memory);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NPROC, 0);
  limit(RLIMIT_NOFILE, 0);
  refuse_calls();
}
