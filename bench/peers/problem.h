/* problem.h - the problems of bench/peers, the command line of every driver and its output. For C and C++.
 *
 *   DRIVER chain METHOD SETTING N      chain of N rods; SETTING is a step [s] or a tolerance, as the method has it
 *   DRIVER fourbar METHOD SETTING 3    four-bar linkage, driven by a motor on its crank
 *   DRIVER spheres METHOD SETTING N    N^3 spheres at rest in a box; SETTING is the step [s]
 *
 * One line of words: case, engine, method, setting, n, CPU time of all timed steps [s] (fastest of the repetitions),
 * their number, then for chain x y z of the tip [m]; for fourbar x y z of the middle of the coupler and the gap of the
 * joint that closes the loop [m]; for spheres the largest and the mean penetration of pairs and walls that overlap [m],
 * their number, and the root mean square of the speeds [m/s]. Making the model is not timed. Exit codes: 0 done, 2 no
 * such case or method, 3 the computation failed.
 *
 * A driver includes this file, defines peer_engine, peer_chain, peer_fourbar and peer_spheres, and leaves main to it.
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
  double tip[3];                 /* chain: the tip; fourbar: the middle of the coupler */
  double gap;                    /* fourbar [m] */
  double (*place)[3], (*run)[3]; /* spheres: positions and velocities of the n^3 centers; y is up */
} peer_answer;

/* What a driver defines. They return 0, or an exit code. */
extern const char *const peer_engine;
static int peer_chain(const peer_task *task, peer_answer *answer);
static int peer_fourbar(const peer_task *task, peer_answer *answer);
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
#define DURATION 1.0 /* of chain and fourbar [s] */

static inline long peer_steps(const peer_task *task) {
  return lround(DURATION / task->setting);
}

/* ---- fourbar: crank OA, coupler AB, rocker BD, uniform rods of 1 kg/m in the plane z = 0, all hinges along z; at rest.
 * Only the moment of inertia about z matters, so the others are the same. All frames are parallel at the start. ---- */

#define BAR_DENSITY 1.0  /* kg/m */
#define MOTOR_MOMENT 5.0 /* on the crank, about z: MOTOR_MOMENT - MOTOR_DROP * its angular velocity [N m] */
#define MOTOR_DROP 0.5   /* N m s */
enum { BARS = 3 };       /* bar k goes from pin k to pin k + 1 of O, A, B, D */

typedef struct peer_bar {
  double from[3], to[3], center[3], half[3]; /* half: from the center to the second pin */
  double mass, inertia;
} peer_bar;

static inline void peer_bars(peer_bar bar[BARS]) {
  /* B: at distances 1.5 m from A = (0, 0.5) and 1.2 m from D = (1.6, 0), above the line AD */
  const double A[2] = {0, 0.5}, D[2] = {1.6, 0}, long2 = 1.5 * 1.5, short2 = 1.2 * 1.2;
  const double e[2] = {D[0] - A[0], D[1] - A[1]}, e2 = e[0] * e[0] + e[1] * e[1];
  const double along = (long2 - short2 + e2) / (2 * e2), across = sqrt(long2 / e2 - along * along);
  const double pin[BARS + 1][2] = {
      {0, 0}, {A[0], A[1]}, {A[0] + along * e[0] - across * e[1], A[1] + along * e[1] + across * e[0]}, {D[0], D[1]}};
  for (int k = 0; k < BARS; k++) {
    peer_bar *b = &bar[k];
    double length2 = 0;
    for (int a = 0; a < 3; a++) {
      b->from[a] = a < 2 ? pin[k][a] : 0;
      b->to[a] = a < 2 ? pin[k + 1][a] : 0;
      b->center[a] = (b->from[a] + b->to[a]) / 2;
      b->half[a] = (b->to[a] - b->from[a]) / 2;
      length2 += 4 * b->half[a] * b->half[a];
    }
    b->mass = BAR_DENSITY * sqrt(length2);
    b->inertia = b->mass * (3 * ROD_RADIUS * ROD_RADIUS + length2) / 12;
  }
}

/* The answer from the middle of the coupler and the end of the rocker. */
static inline void peer_linkage(const peer_bar bar[BARS], const double middle[3], const double end[3],
                                peer_answer *answer) {
  double square = 0;
  for (int a = 0; a < 3; a++) {
    answer->tip[a] = middle[a];
    square += (end[a] - bar[BARS - 1].to[a]) * (end[a] - bar[BARS - 1].to[a]);
  }
  answer->gap = sqrt(square);
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
  if (strcmp(what, "fourbar") == 0) {
    printf(" %.15g %.15g %.15g %.3g\n", a->tip[0], a->tip[1], a->tip[2], a->gap);
    return;
  }
  int count = task->n * task->n * task->n;
  peer_overlap o = peer_overlaps(task->n, a->place);
  double square = 0;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) square += a->run[i][k] * a->run[i][k];
  printf(" %.6g %.6g %ld %.6g\n", o.most, o.count ? o.sum / (double)o.count : 0.0, o.count, sqrt(square / count));
}

/* Short runs of chain and fourbar are repeated, at most five times within 0.2 s; the fastest counts. */
int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: %s chain|fourbar|spheres METHOD SETTING N\n", argv[0]);
    return 2;
  }
  peer_task task = {argv[2], atof(argv[3]), atoi(argv[4])};
  peer_answer answer = {0, 0, {0, 0, 0}, 0, NULL, NULL}, again;
  int code = 2;
  int chain = strcmp(argv[1], "chain") == 0;
  if (chain || strcmp(argv[1], "fourbar") == 0) {
    double spent = 0, best = INFINITY;
    for (int k = 0; k < 5 && spent < 0.2; k++) {
      again = answer;
      code = chain ? peer_chain(&task, &again) : peer_fourbar(&task, &again);
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
