# heap.sh - rules for the sources. Who takes memory from the C library itself: base/memory.c, and those that a library calls or that answer
# without memory in their own way. Everybody else uses base/memory.h, so that running out of memory is an error code.
# shellcheck source=tests/checks.sh
source "$(dirname "${BASH_SOURCE[0]}")/../checks.sh"

own='base/(memory|context|whole_file)\.c|result/(journal|journal_replay|sums|disk)\.c|study/mpi_module\.c|view/clients\.c'
found=$(grep -rnE '\b(malloc|calloc|realloc|reallocarray|aligned_alloc|posix_memalign|strdup|strndup|asprintf)\(' "$root/src" |
  grep -vE "/src/($own):")
[[ -z $found ]] && say ok "memory comes from base/memory.h" || say no "memory comes from base/memory.h" "$found"

# Nobody ends the host of the library: abort stands where no guard is set, exit in children of the program.
found=$(grep -rnE '\b(abort|exit)\(' "$root/src" --include='*.[ch]' | grep -vE '/src/(base/memory\.c|cli/|view/browser\.c)')
[[ -z $found ]] && say ok "the library never ends its host" || say no "the library never ends its host" "$found"

# Temporary files and folders come from base/temporary.h, so that all heed TMPDIR.
found=$(grep -rnE '\b(mkdtemp|mkstemp|mkostemp|tmpfile|tempnam|tmpnam)\(|"/tmp' "$root/src" --include='*.[ch]' |
  grep -vE '/src/base/temporary\.c:')
[[ -z $found ]] && say ok "temporary files come from base/temporary.h" || say no "temporary files come from base/temporary.h" "$found"
exit "$failed"
