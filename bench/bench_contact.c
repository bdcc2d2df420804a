/* bench_contact.c - the speed of contact: cables in a heap and spheres in a box.
 *
 *   bench_contact cables [METHOD [N [STEPS [THREADS]]]]   N cables of 10 elements, h = 5e-4; METHOD: penalty, dvi
 *   bench_contact spheres [N [RESIDUAL]]                  N^3 rigid spheres in a box, dvi, h = 1e-3
 *   bench_contact pour [METHOD [N [STEPS [THREADS]]]]     N cables of 10 elements poured into a box, heap beside heap
 *   bench_contact mesh [METHOD [N [STEPS [THREADS]]]]     the same, one heap
 *   bench_contact scale [METHOD [pour|mesh]]              100, 1000, 10000 cables; 1000 on two threads too
 *   bench_contact threads METHOD N FALL STEPS THREADS...  N poured cables after FALL steps, STEPS on so many threads
 *   bench_contact rest METHOD N STEPS THREADS...          the same for a heap that has come to rest
 *
 * Cables: five layers of 20 (length 1 m, radius 1 cm, a sphere every centimeter) dropped crosswise on a plane, between
 * walls and on each other; for more than 100 cables tiles of 100 side by side. Times are those of the last half of the
 * steps, when all has come down; that no cable has passed through another is checked. Spheres: the last third of the
 * steps.
 *
 * Pour: layers of 10 cables, turned at random, ten layers high, fall from up to 35 cm into a box whose floor grows with
 * their number: 1 cell of 100 cables, 2 x 5, 10 x 10, all filled alike. Cells are 15 cm wider than cables are long:
 * they do not touch. Mesh: layers are shifted by 25 cm against each other, so that cables bridge the cells. Dvi takes
 * steps of 5e-4 s; by penalty ends of cables, light as they are, that are pressed by several others at 2 m/s become
 * unstable with such steps, which take 2.5e-4 s.
 *
 * Without arguments: 100 cables by both methods and 1000 spheres, with the figures to meet: 4 ms per step at about 1500
 * contacts of cables by one of the methods (fastest peer: 25.8 ms), 6 ms per step at about 3000 contacts of spheres to
 * 1e-2 m/s, what the peer's 50 sweeps of gauss-seidel leave (30.8 ms). And against sweeps of our own, which leave ten
 * times less since they know the impulses of the last step: to the residual that 50 of them leave, apgd must take less
 * time than they do. Milliseconds are CPU time, the fastest of ten stretches, as other work on the machine disturbs,
 * when poured that of all; with threads, of the calling one. How many iterations it takes depends on how the heap has
 * come to lie, which rounding decides. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heaps.h"
#include "help.h"

typedef struct cost {
  double cpu, mean, wall;      /* ms per step: CPU time of the fastest stretch and of all, by the clock */
  double each;                 /* us of CPU time per element or contact */
  double contacts;             /* on average */
  double iterations, residual; /* dvi */
  double solve;                /* dvi: ns of complementarity per contact and iteration */
} cost;

static cost time_steps(world *w, int steps, int elements) {
  sn_contact_statistics *s = &w->simulation->system->statistics.contact;
  cost c = {.cpu = INFINITY};
  long contacts = 0, count = 0;
  double solve = s->time_solve;
  *s = (sn_contact_statistics){.time_detect = s->time_detect, .time_solve = s->time_solve};
  double wall = sn_wall_time(), all = sn_cpu_time();
  for (int k = 0; k < 10; k++) {
    double start = sn_cpu_time();
    int stretch = steps * (k + 1) / 10 - steps * k / 10;
    for (int i = 0; i < stretch; i++, count++) {
      need(w->context, sn_step(w->simulation));
      contacts += w->simulation->system->contacts->count;
    }
    c.cpu = fmin(c.cpu, 1e3 * (sn_cpu_time() - start) / stretch);
  }
  c.mean = 1e3 * (sn_cpu_time() - all) / (double)count;
  c.wall = 1e3 * (sn_wall_time() - wall) / (double)count;
  c.contacts = (double)contacts / (double)count;
  c.each = 1e3 * c.mean / (elements + c.contacts);
  if (s->solutions == 0) return c;
  c.iterations = s->work / (double)s->contacts; /* of a contact */
  c.residual = s->total / (double)s->solutions;
  c.solve = 1e9 * (s->time_solve - solve) / s->work;
  return c;
}

/* Where the time of all steps has gone. */
static void show_shares(const world *w) {
  const sn_statistics *s = &w->simulation->system->statistics;
  printf("  of %.2f s: residual %.2f, matrix %.2f, solve %.2f, detection of dvi %.2f, complementarity %.2f\n",
         sn_wall_time() - w->simulation->wall_start, s->time_residual, s->time_jacobian, s->time_solve,
         s->contact.time_detect, s->contact.time_solve);
}

/* ---- cables ---- */

/* The point of a cable where row k of the layer across it lies at the start: r at (k + 1/2)/ROWS of the length. */
static void crossing(const world *w, int cable, int k, double r[3]) {
  double x = 10 * (k + 0.5) / ROWS, t = x - floor(x), l = 0.1;
  const double *e = w->simulation->state.q + w->model->body[1 + cable].first + 6 * (int)x;
  double s[4] = {1 - 3 * t * t + 2 * t * t * t, l * (t - 2 * t * t + t * t * t), 3 * t * t - 2 * t * t * t,
                 l * (t * t * t - t * t)};
  for (int a = 0; a < 3; a++) r[a] = s[0] * e[a] + s[1] * e[3 + a] + s[2] * e[6 + a] + s[3] * e[9 + a];
}

/* Crossings of neighboring layers, still nearly in their places, where the cable of the upper layer is not above: it
 * has passed through. */
static int passed_through(const world *w, int cables, int *seen) {
  int tiles = cables > 100 ? cables / 100 : 1, wrong = 0;
  *seen = 0;
  for (int i = 0; i < cables; i++)
    for (int k = 0; k < ROWS; k++) {
      int row = i / tiles % ROWS, above = ((i / tiles / ROWS + 1) * ROWS + k) * tiles + i % tiles;
      double x[3], y[3];
      if (above >= cables) continue;
      crossing(w, i, k, x);
      crossing(w, above, row, y);
      if (hypot(x[0] - y[0], x[2] - y[2]) > 0.02) continue;
      (*seen)++;
      if (y[1] < x[1]) wrong++;
    }
  return wrong;
}

static int cables(const char *method, int n, int steps, int threads, way how, cost *found) {
  world w = open_world(cables_text(n, strcmp(method, "dvi") == 0, how, CABLE_DAMPING), threads);
  bool pour = how != DROP;
  for (int i = 0; i < steps / 2; i++) need(w.context, sn_step(w.simulation));
  cost c = time_steps(&w, steps - steps / 2, 10 * n);
  double spent = pour ? c.mean : c.cpu; /* a heap that grows has no fastest stretch */
  printf(
      "%d cables%s by %s, %d thread%s: %.2f ms per step (wall %.2f, %.1f steps/s), %.0f contacts, %.3f us per element, "
      "%.2f us per contact, %.3f us per element or contact\n",
      n,
      how == MESH ? " in one heap"
      : pour      ? " poured"
                  : "",
      method, threads, threads > 1 ? "s" : "", spent, c.wall, 1e3 / c.wall, c.contacts, 100 * spent / n,
      1e3 * spent / c.contacts, c.each);
  if (found) *found = c;
  if (c.iterations > 0)
    printf("  %.1f iterations, residual %.1e m/s on average, complementarity %.1f ns per contact and iteration\n",
           c.iterations, c.residual, c.solve);
  int seen = 0, wrong = pour ? 0 : passed_through(&w, n, &seen);
  show_shares(&w);
  if (!pour) printf("  crossings in the wrong order: %d of %d looked at\n", wrong, seen);
  close_world(&w);
  fflush(stdout);
  return wrong ? 1000 : c.cpu <= 4 ? 0 : 1;
}

/* 0.3 s; the last half of it counts. */
static void scale(const char *method, way how) {
  int steps = strcmp(method, "dvi") == 0 ? 600 : 1200;
  cost c[3], two;
  for (int k = 0, n = 100; k < 3; k++, n *= 10) cables(method, n, steps, 1, how, &c[k]);
  cables(method, 1000, steps, 2, how, &two);
  printf("%s: from 100 to 1000 cables %.1f, to 10000 %.1f times the time; per element or contact %.2f and %.2f times\n",
         method, c[1].mean / c[0].mean, c[2].mean / c[0].mean, c[1].each / c[0].each, c[2].each / c[0].each);
  printf(
      "  1000 cables on two threads: %.2f times as fast by the clock, %.2f times by the CPU time of the calling "
      "thread\n",
      c[1].wall / two.wall, c[1].mean / two.mean);
}

/* ---- spheres ---- */

static char *spheres_text(int n, const char *settings) {
  char *text = NULL;
  size_t size = 0;
  uint64_t seed = 1;
  double r = 0.05, side = 2.08 * r * n;
  FILE *out = open_memstream(&text, &size);
  fprintf(out, "sinew: 1\ngravity: [0, -9.81, 0]\nbodies:\n");
  for (int i = 0; i < n * n * n; i++)
    fprintf(out, "  b%d: {type: rigid, position: [%.6f, %.6f, %.6f], mass: 1, shape: {type: sphere, radius: %g}}\n", i,
            r * (1.04 * (2 * (i % n) + 1) + 0.03 * noise(&seed)), r * (1 + 2.1 * (double)(i / (n * n))),
            r * (1.04 * (2 * (i / n % n) + 1) + 0.03 * noise(&seed)), r);
  fprintf(out, "surfaces:\n");
  for (int i = 0; i < n * n * n; i++) fprintf(out, "  s%d: {type: sphere, on: b%d}\n", i, i);
  fprintf(out,
          "  floor: {type: plane, normal: [0, 1, 0]}\n  west: {type: plane, normal: [1, 0, 0]}\n"
          "  south: {type: plane, normal: [0, 0, 1]}\n  east: {type: plane, at: [%g, 0, 0], normal: [-1, 0, 0]}\n"
          "  north: {type: plane, at: [0, 0, %g], normal: [0, 0, -1]}\n",
          side, side);
  fprintf(
      out,
      "contacts: {all: {method: dvi, friction: 0.3, activation: 0.002}}\n"
      "analysis: {type: dynamics, duration: 10, integrator: {type: symplectic-euler, step: 1e-3, contact_limit: 100, "
      "%s}}\n",
      settings);
  fclose(out);
  return text;
}

/* Overlaps of spheres with each other and with walls [m], from positions alone: the largest, the mean of all that there
 * are; and the root mean square of the speeds [m/s]. */
typedef struct rest {
  double most, sum, square;
  long count;
} rest;

static void count_overlap(rest *r, double depth) {
  if (depth <= 0) return;
  r->most = fmax(r->most, depth);
  r->sum += depth;
  r->count++;
}

static rest find_rest(const world *w, int n) {
  const sn_state *state = &w->simulation->state;
  double radius = 0.05, side = 2.08 * radius * n;
  rest r = {0};
  for (int i = 0; i < n * n * n; i++) {
    const int at = w->model->body[1 + i].first;
    const double *x = state->q + at, *v = state->v + at;
    r.square += v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    for (int a = 0; a < 3; a++) {
      count_overlap(&r, radius - x[a]);
      if (a != 1) count_overlap(&r, radius - (side - x[a]));
    }
    for (int j = 0; j < i; j++) {
      const double *y = state->q + w->model->body[1 + j].first;
      double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
      count_overlap(&r, 2 * radius - sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    }
  }
  r.square /= n * n * n;
  return r;
}

static cost time_spheres(int n, const char *name, const char *settings) {
  world w = open_world(spheres_text(n, settings), 1);
  for (int i = 0; i < 1000; i++) need(w.context, sn_step(w.simulation));
  cost c = time_steps(&w, 500, n * n * n);
  printf("%d spheres, %s: %.2f ms per step, %.0f contacts, %.1f iterations, residual %.1e m/s on average\n", n * n * n,
         name, c.cpu, c.contacts, c.iterations, c.residual);
  rest r = find_rest(&w, n);
  printf("  penetration at most %.2f um, %.2f um on average; rms speed %.2f mm/s; recoveries %.2f of all steps\n",
         1e6 * r.most, r.count ? 1e6 * r.sum / (double)r.count : 0.0, 1e3 * sqrt(r.square),
         (double)w.simulation->system->statistics.contact.recoveries / 500);
  show_shares(&w);
  close_world(&w);
  fflush(stdout);
  return c;
}

static bool verdict(const char *what, const cost *c, double time, double residual) {
  bool met = c->cpu <= time && c->residual <= residual;
  printf("  %s: allowed %.1f ms, residual %.1e m/s: %s\n", what, time, residual, met ? "met" : "MISSED");
  return met;
}

static int spheres(int n, const char *tolerance) {
  char settings[60];
  if (tolerance) {
    snprintf(settings, sizeof settings, "contact_tolerance: %s", tolerance);
    time_spheres(n, settings, settings);
    return 0;
  }
  cost peer = time_spheres(n, "apgd to 1e-2 m/s", "contact_tolerance: 1e-2");
  bool met = n != 10 || verdict("the peer's residual", &peer, 6, 1e-2);
  cost sweeps = time_spheres(n, "50 sweeps of gauss-seidel",
                             "contact_solver: gauss-seidel, contact_tolerance: 1e-12, contact_iterations: 50");
  snprintf(settings, sizeof settings, "contact_tolerance: %.3e", sweeps.residual);
  cost same = time_spheres(n, "apgd to what the sweeps leave", settings);
  met = verdict("against the sweeps", &same, sweeps.cpu, sweeps.residual) && met;
  return !met;
}

int main(int argc, char **argv) {
  bench_help(
      argc, argv,
      "Usage: bench_contact [cables|pour|mesh [METHOD [N [STEPS [THREADS]]]]]\n"
      "       bench_contact spheres [N [RESIDUAL]]\n"
      "       bench_contact scale [METHOD [pour|mesh]]\n"
      "       bench_contact threads METHOD N FALL STEPS THREADS...\n"
      "       bench_contact rest METHOD N STEPS THREADS...\n"
      "\n"
      "Time per step of contact problems. METHOD is penalty (default) or dvi.\n"
      "  cables   N cables of 10 elements dropped crosswise on a plane\n"
      "  pour     N cables poured into a box as separate heaps\n"
      "  mesh     the same as one heap\n"
      "  spheres  N^3 rigid spheres in a box, dvi; to this residual [m/s] alone, where one is given\n"
      "  scale    100, 1000 and 10000 cables\n"
      "  threads  N poured cables after FALL steps: wall clock of STEPS on each number of threads; 1 if bits differ\n"
      "  rest     the same for N cables (100 to 1000, or thousands) that have come to rest\n"
      "Without arguments: cables by both methods, then spheres. Exits with 1 if the time allowed is exceeded.\n");
  const char *what = argc > 1 ? argv[1] : "", *method = argc > 2 ? argv[2] : "penalty";
  if (strcmp(what, "spheres") == 0) return spheres(argc > 2 ? atoi(argv[2]) : 10, argc > 3 ? argv[3] : NULL);
  way how = what[0] == 'p' ? POUR : what[0] == 'm' ? MESH : DROP;
  if (strcmp(what, "cables") == 0 || strcmp(what, "pour") == 0 || strcmp(what, "mesh") == 0)
    return cables(method, argc > 3 ? atoi(argv[3]) : 100, argc > 4 ? atoi(argv[4]) : 1000, argc > 5 ? atoi(argv[5]) : 1,
                  how, NULL);
  if (strcmp(what, "threads") == 0 && argc > 6)
    return heap_threads(method, atoi(argv[3]), atoi(argv[4]), atoi(argv[5]), argc - 6, argv + 6);
  if (strcmp(what, "rest") == 0 && argc > 5)
    return heap_at_rest(method, atoi(argv[3]), atoi(argv[4]), argc - 5, argv + 5);
  if (strcmp(what, "scale") == 0) return scale(method, argc > 3 && argv[3][0] == 'm' ? MESH : POUR), 0;
  int missed = cables("penalty", 100, 1000, 1, DROP, NULL) + cables("dvi", 100, 1000, 1, DROP, NULL);
  bool good = missed <= 1;
  printf("  allowed 4 ms by one of them: %s\n", good ? "met" : "MISSED");
  return !good + spheres(10, NULL);
}
