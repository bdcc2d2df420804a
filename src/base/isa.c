/* isa.c - the choice among instruction sets.
 *
 * The build compiles the kernel files once per set and adds the name of the set to their functions: sn_ldl_update
 * becomes sn_ldl_update_sse2, _avx2 and _avx512. Under its own name stands a jump through a pointer, which is set
 * before main. Calls between kernels stay within their set.
 */
#include "base/isa.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

static const char *refused;

const char *sn_isa_refused(void) {
  return refused;
}

#ifdef SN_ISA_ONLY /* one set: its name */

const char *sn_isa(void) {
  return SN_ISA_ONLY;
}
int sn_isa_sets(const char *names[SN_ISA_SETS]) {
  names[0] = SN_ISA_ONLY;
  return 1;
}
static void use(int set) {
  (void)set;
}

#else

typedef void function(void);

static int in_use;
static const char *const set_names[SN_ISA_SETS] = {"sse2", "avx2", "avx512"};

/* The pointer to a kernel, at first that of the least set, and the jump. */
#define KERNEL(name)                                                                                    \
  extern function name##_sse2, name##_avx2, name##_avx512;                                              \
  __attribute__((used, visibility("hidden"))) function *name##_chosen = name##_sse2;                    \
  __asm__(".pushsection .text\n.globl " #name "\n.hidden " #name "\n.type " #name ", @function\n" #name \
          ": jmp *" #name "_chosen(%rip)\n.size " #name ", . - " #name "\n.popsection");
#include "names_sse2.h"
#undef KERNEL

static void use(int set) {
#define KERNEL(name) name##_chosen = (function *const[SN_ISA_SETS]){name##_sse2, name##_avx2, name##_avx512}[set];
#include "names_sse2.h"
#undef KERNEL
  in_use = set;
}

const char *sn_isa(void) {
  return set_names[in_use];
}

/* The instructions that cmake/kernels.cmake lets the compiler use in each set. */
int sn_isa_sets(const char *names[SN_ISA_SETS]) {
  __builtin_cpu_init();
  bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
              __builtin_cpu_supports("bmi2");
  bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  int count = 1 + avx2 + avx512;
  for (int i = 0; i < count; i++) names[i] = set_names[i];
  return count;
}

#endif

bool sn_isa_use(const char *name) {
  const char *names[SN_ISA_SETS];
  int count = sn_isa_sets(names);
  for (int i = 0; i < count; i++) {
    if (strcmp(names[i], name)) continue;
    use(i);
    return true;
  }
  return false;
}

__attribute__((constructor)) static void choose(void) {
  const char *names[SN_ISA_SETS], *wanted = getenv("SINEW_ISA");
  use(sn_isa_sets(names) - 1);
  if (wanted && *wanted && !sn_isa_use(wanted)) refused = wanted;
}
