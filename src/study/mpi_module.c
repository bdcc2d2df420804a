/* mpi_module.c - the ranks of mpirun, behind the table of team.h: a module of its own, built where there is an MPI.
 *
 * Nothing here waits by spinning for longer than a message takes: a rank that has nothing to do sleeps (engine_mpi.c).
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#include "study/team.h"

static MPI_Comm world; /* a copy: no message of others is in it */
static MPI_Win window;
static long *counter;

static bool begin(int *rank, int *size) {
  int provided;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return false;
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Comm_rank(world, rank);
  MPI_Comm_size(world, size);
  MPI_Win_allocate(*rank == 0 ? (MPI_Aint)sizeof(long) : 0, sizeof(long), MPI_INFO_NULL, world, &counter, &window);
  if (*rank == 0) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    *counter = 0;
    MPI_Win_unlock(0, window);
  }
  MPI_Barrier(world);
  MPI_Win_lock_all(0, window);
  return true;
}

static void abandon(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
}

static void share(void *data, size_t length) {
  const size_t piece = 1 << 30;
  for (size_t at = 0; at < length; at += piece)
    MPI_Bcast((char *)data + at, (int)(length - at < piece ? length - at : piece), MPI_BYTE, 0, world);
}

static int worst(int value, int *rank) {
  struct {
    int value, rank;
  } mine = {value, 0}, all;
  MPI_Comm_rank(world, &mine.rank);
  MPI_Allreduce(&mine, &all, 1, MPI_2INT, MPI_MAXLOC, world);
  *rank = all.rank;
  return all.value;
}

static long draw(long add) {
  long before = 0;
  MPI_Fetch_and_op(&add, &before, MPI_LONG, 0, 0, MPI_SUM, window);
  MPI_Win_flush(0, window);
  return before;
}

static void send_mail(int rank, int tag, const void *data, size_t length) {
  MPI_Send(data, (int)length, MPI_BYTE, rank, tag, world);
}

static bool look(sn_mail *mail) {
  int there = 0, length = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world, &there, &status);
  if (!there) return false;
  MPI_Get_count(&status, MPI_BYTE, &length);
  *mail = (sn_mail){status.MPI_SOURCE, status.MPI_TAG, (size_t)length};
  return true;
}

static void receive(const sn_mail *mail, void *data) {
  MPI_Recv(data, (int)mail->length, MPI_BYTE, mail->rank, mail->tag, world, MPI_STATUS_IGNORE);
}

/* Wait for all ranks, of which the slowest may be long in coming. Messages that nobody wants any more are taken, as a
 * rank may wait for that. */
static void meet(void) {
  const struct timespec pause = {0, 5000000};
  MPI_Request request;
  int done = 0;
  MPI_Ibarrier(world, &request);
  while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done) {
    sn_mail mail;
    while (look(&mail)) {
      void *data = malloc(mail.length + 1);
      if (!data) MPI_Abort(MPI_COMM_WORLD, SN_MEMORY);
      receive(&mail, data);
      free(data);
    }
    nanosleep(&pause, NULL);
  }
}

static void end(void) {
  meet();
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Comm_free(&world);
  MPI_Finalize();
}

__attribute__((visibility("default"))) extern const sn_mpi_ops sn_mpi_module;
const sn_mpi_ops sn_mpi_module = {
    .version = SN_MPI_OPS_VERSION,
    .begin = begin,
    .end = end,
    .abandon = abandon,
    .share = share,
    .worst = worst,
    .draw = draw,
    .send = send_mail,
    .look = look,
    .receive = receive,
};
