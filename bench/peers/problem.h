/* problem.h - the problems of bench/peers, the command line of every driver and its output. For C and C++.
 *
 *   DRIVER chain METHOD SETTING N      chain of N rods; SETTING is a step [s] or a tolerance, as the method has it
 *   DRIVER spheres METHOD SETTING N    N^3 spheres at rest in a box; SETTING is the step [s]
 *
 * One line of words: case, engine, method, setting, n, CPU time of all timed steps [s] (fastest of the repetitions),
 * their number, then for chain x y z of the tip [m]; for spheres the largest and the mean penetration of pairs and walls
 * that overlap [m], their number, and the root mean square of the speeds [m/s]. Making the model is not timed. Exit
 * codes: 0 done, 2 no such case or method, 3 the computation failed.
 *
 * A driver includes this file, defines peer_engine, peer_chain and peer_spheres, and leaves main to it.
 */
#ifndef PEERS_PROBLEM_H
#define PEERS_PROBLEM_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct peer_task {
  const char *method;
  double setting; /* step [s] or tolerance */
  int n;
} peer_task;

typedef struct peer_answer {
  double cpu; /* [s], all timed steps */
  long steps;
  double tip[3];                 /* chain */
  double (*place)[3], (*run)[3]; /* spheres: positions and velocities of the n^3 centers; y is up */
} peer_answer;

/* What a driver defines. They return 0, or an exit code. */
extern const char *const peer_engine;
static int peer_chain(const peer_task *task, peer_answer *answer);
static int peer_spheres(const peer_task *task, peer_answer *answer);

#define PEER_GRAVITY 9.81 /* along -y */

static inline double peer_cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int peer_is(const peer_task *task, const char *method) {
  return strcmp(task->method, method) == 0;
}

/* ---- chain: rod i from (i, 0, 0) to (i + 1, 0, 0), a thin solid cylinder; the chain hangs from the origin, at rest ---- */

#define ROD_LENGTH 1.0
#define ROD_RADIUS 0.05
#define ROD_MASS 1.0
#define ROD_AXIAL (ROD_MASS * ROD_RADIUS * ROD_RADIUS / 2) /* moments of inertia about the center */
#define ROD_TRANSVERSE (ROD_MASS * (3 * ROD_RADIUS * ROD_RADIUS + ROD_LENGTH * ROD_LENGTH) / 12)
#define CHAIN_DURATION 1.0

static inline long peer_chain_steps(const peer_task *task) {
  return lround(CHAIN_DURATION / task->setting);
}

/* ---- spheres: n^3 in layers of n x n with small offsets, in a box open at the top, as in bench_contact.c ---- */

#define SPHERE_RADIUS 0.05
#define SPHERE_MASS 1.0
#define SPHERE_INERTIA (0.4 * SPHERE_MASS * SPHERE_RADIUS * SPHERE_RADIUS)
#define SPHERE_FRICTION 0.3
enum { SETTLE_STEPS = 1000, TIMED_STEPS = 200 }; /* of 1e-3 s */

static inline double peer_side(int n) {
  return 2.08 * SPHERE_RADIUS * n;
}

static inline double peer_noise(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 33) / 1073741824.0 - 1.0;
}

/* Center of sphere i; to be called for 0, 1, 2, ... with the same seed, 1 at first. */
static inline void peer_place(int n, int i, uint64_t *seed, double r[3]) {
  r[0] = SPHERE_RADIUS * (1.04 * (2 * (i % n) + 1) + 0.03 * peer_noise(seed));
  r[1] = SPHERE_RADIUS * (1 + 2.1 * (i / (n * n)));
  r[2] = SPHERE_RADIUS * (1.04 * (2 * (i / n % n) + 1) + 0.03 * peer_noise(seed));
}

typedef struct peer_overlap {
  double most, sum;
  long count;
} peer_overlap;

static inline void peer_count(peer_overlap *o, double depth) {
  if (depth <= 0) return;
  if (depth > o->most) o->most = depth;
  o->sum += depth;
  o->count++;
}

static inline peer_overlap peer_overlaps(int n, double (*r)[3]) {
  peer_overlap o = {0, 0, 0};
  double side = peer_side(n);
  for (int i = 0; i < n * n * n; i++) {
    for (int a = 0; a < 3; a++) {
      peer_count(&o, SPHERE_RADIUS - r[i][a]);
      if (a != 1) peer_count(&o, SPHERE_RADIUS - (side - r[i][a]));
    }
    for (int j = 0; j < i; j++) {
      double d[3] = {r[i][0] - r[j][0], r[i][1] - r[j][1], r[i][2] - r[j][2]};
      peer_count(&o, 2 * SPHERE_RADIUS - sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    }
  }
  return o;
}

/* ---- main ---- */

static inline void peer_print(const char *what, const peer_task *task, const peer_answer *a) {
  printf("%s %s %s %.10g %d %.9g %ld", what, peer_engine, task->method, task->setting, task->n, a->cpu, a->steps);
  if (strcmp(what, "chain") == 0) {
    printf(" %.15g %.15g %.15g\n", a->tip[0], a->tip[1], a->tip[2]);
    return;
  }
  int count = task->n * task->n * task->n;
  peer_overlap o = peer_overlaps(task->n, a->place);
  double square = 0;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) square += a->run[i][k] * a->run[i][k];
  printf(" %.6g %.6g %ld %.6g\n", o.most, o.count ? o.sum / (double)o.count : 0.0, o.count, sqrt(square / count));
}

/* Short runs of the chain are repeated, at most five times within 0.2 s; the fastest counts. */
int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: %s chain|spheres METHOD SETTING N\n", argv[0]);
    return 2;
  }
  peer_task task = {argv[2], atof(argv[3]), atoi(argv[4])};
  peer_answer answer = {0, 0, {0, 0, 0}, NULL, NULL}, again;
  int code = 2;
  if (strcmp(argv[1], "chain") == 0) {
    double spent = 0, best = INFINITY;
    for (int k = 0; k < 5 && spent < 0.2; k++) {
      again = answer;
      code = peer_chain(&task, &again);
      if (code) return code;
      spent += again.cpu;
      best = fmin(best, again.cpu);
    }
    answer = again;
    answer.cpu = best;
  } else if (strcmp(argv[1], "spheres") == 0) {
    size_t count = (size_t)(task.n * task.n * task.n);
    answer.place = (double(*)[3])calloc(count, sizeof *answer.place);
    answer.run = (double(*)[3])calloc(count, sizeof *answer.run);
    if (!answer.place || !answer.run) return 3;
    code = peer_spheres(&task, &answer);
  }
  if (!code) peer_print(argv[1], &task, &answer);
  free(answer.place);
  free(answer.run);
  return code;
}

#endif
