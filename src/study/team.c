/* team.c - find the other processes that mpirun started, and the module that talks to them. */
#include "study/team.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "study/rank_guard.h"

static bool number_of(const char *const *names, size_t count, int *number) {
  for (size_t i = 0; i < count; ++i) {
    const char *value = getenv(names[i]);
    if (value) return *number = abs((int)strtol(value, NULL, 10)), true;
  }
  return false;
}

/* ---- the module ---- */

static const sn_mpi_ops *load(const char *path, sn_team *team) {
  void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* its own modules look for its functions */
  const sn_mpi_ops *ops = module ? dlsym(module, "sn_mpi_module") : NULL;
  if (ops && ops->version == SN_MPI_OPS_VERSION) return ops;
  const char *why = ops ? "it belongs to another version of sinew" : dlerror();
  if (!team->missing[0] && (ops || !access(path, F_OK)))
    snprintf(team->missing, sizeof team->missing, "%s", why ? why : "?");
  return NULL;
}

/* Beside the program, where it was built; in ../lib/sinew, where it was installed; or where SINEW_MPI says. */
static const sn_mpi_ops *find_module(sn_team *team) {
  const char *given = getenv("SINEW_MPI");
  char program[3800], path[4096];
  if (given) return load(given, team);
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) return NULL;
  program[length] = 0;
  char *slash = strrchr(program, '/');
  if (slash) *slash = 0;
  static const char *const places[] = {"", "/../lib/sinew", "/../" SN_LIBRARY_FOLDER "/sinew"};
  for (size_t i = 0; i < SN_COUNT(places); ++i) {
    snprintf(path, sizeof path, "%s%s/sinew_mpi.so", program, places[i]);
    const sn_mpi_ops *ops = load(path, team);
    if (ops) return ops;
  }
  return NULL;
}

double sn_team_silence(void) {
  const char *given = getenv("SINEW_RANK_SILENCE");
  const double seconds = given ? strtod(given, NULL) : 0;
  return seconds > 0 ? seconds : 60;
}

/* ---- the team ---- */

bool sn_team_open(sn_context *context, sn_team *team) {
  static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
  static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
  int expected = 0;
  *team = (sn_team){.size = 1};
  team->given = number_of(ranks, SN_COUNT(ranks), &team->rank);
  if (!team->given) return true;
  if (!number_of(sizes, SN_COUNT(sizes), &expected)) return true; /* a single one that was told a rank */
  team->size = expected;
  team->mpi = find_module(team);
  if (!team->mpi) return true;
  int rank = team->rank, size = expected;
  sn_rank_guard guard;
  sn_rank_guard_begin(&guard, team->rank);
  const bool begun = team->mpi->begin(&rank, &size);
  sn_rank_guard_end(&guard);
  if (begun && rank == team->rank && size == expected) return true;
  sn_fail(context, SN_IO,
          "this mpirun and the module sinew_mpi.so are of different MPI libraries: rank %d of %d calls itself %d of %d",
          team->rank, expected, rank, size);
  return false;
}

void sn_team_close(sn_team *team, int code) {
  if (!team->mpi) return;
  fflush(stdout);
  fflush(stderr);
  if (team->lost) team->mpi->abandon(code);
  team->mpi->end();
  team->mpi = NULL;
}

sn_status sn_team_agree(const sn_team *team, sn_status status, int *rank) {
  *rank = team->rank;
  return team->mpi ? (sn_status)team->mpi->worst((int)status, rank) : status;
}
