/* bench_printed.c - where the word Fail of Huang's thesis comes from: the double pendulum by the equations of its
 * appendix, apart from the engine; seconds.
 *
 *   bench_printed [FILE.csv]
 *
 * One element for each bar; the constraints in the inertial frame and in nodal coordinates are linear, so they are
 * eliminated, which is index 3, 2 and 1 at once: the unknowns are the elbow and the tip and, for beams, the angles at
 * both ends of each. h = 1e-3 s, Newton stops at 1e-8 max(1, |a|), a step has 100 iterations at most.
 *   bars     F = EA e n (irf) or EA e (d/L) n (ancf-s), e = d/L - 1, with n along the bar and d its length
 *   beams    (irf)  F = EA e n + 6 EI/(L d) (ei + ej) w, moments 2 EI/L (2 ei + ej), 2 EI/L (ei + 2 ej),
 *            ei = fi - al, ej = fj - al, al the angle of the bar
 * matrix tangent: dF/dq; secant: the K of F = K q, which eq. 2.13 prints.
 * equations right: w across the bar, al without jumps; printed: w of eq. A.54, whose x component has the other sign, al
 * of eq. A.56, a principal value; the loads of eq. A.57, whose moments have the other sign.
 * Masses are those printed, rho A for each element, and so are the loads: gravity comes out right.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help.h"
#include "trials.h"

static const double TURN = 6.283185307179586, L = 1.8, A = 2.5e-4, I = 1.3e-5, DENSITY = 2767, G = 9.81, H = 1e-3;
enum { NODAL = 6, MOST = 8, LIMIT = 100 };
enum { U0, V0, U0V0, SCHEMES };

typedef struct pendulum {
  bool beam, ancf, secant, printed;
  double E;
  int n;
  int at[2][NODAL]; /* coordinates (x, y, f) of both ends of both bars; -1: fixed */
  double angle[2];  /* of the bars, without jumps */
  double M[MOST][MOST], load[MOST];
} pendulum;

typedef struct outcome {
  bool fails;
  double reached, iterations;
} outcome;

/* ---- the equations ---- */

static void ends_of(const pendulum *p, const double *q, int bar, double *x) {
  for (int i = 0; i < NODAL; i++) x[i] = p->at[bar][i] < 0 ? 0 : q[p->at[bar][i]];
}

static double angle_of(const pendulum *p, int bar, double dx, double dy) {
  double al = atan2(dy, dx);
  return p->printed ? al : al + TURN * round((p->angle[bar] - al) / TURN);
}

/* F[n]; K with F = K q, where it is asked for. */
static void elastic(const pendulum *p, const double *q, double *F, double K[MOST][MOST]) {
  memset(F, 0, MOST * sizeof(double));
  if (K) memset(K, 0, MOST * sizeof K[0]);
  for (int bar = 0; bar < 2; bar++) {
    const int *at = p->at[bar];
    double x[NODAL], f[NODAL] = {0};
    ends_of(p, q, bar, x);
    double dx = x[3] - x[0], dy = x[4] - x[1], d = hypot(dx, dy), k = p->E * A * (d / L - 1) / (p->ancf ? L : d);
    f[3] = k * dx, f[4] = k * dy;
    if (p->beam) {
      double al = angle_of(p, bar, dx, dy), ei = x[2] - al, ej = x[5] - al, EI = p->E * I;
      double across = 6 * EI / (L * d) * (ei + ej);
      f[3] += across * (p->printed ? dy : -dy) / d, f[4] += across * dx / d;
      f[2] = 2 * EI / L * (2 * ei + ej), f[5] = 2 * EI / L * (ei + 2 * ej);
    }
    f[0] = -f[3], f[1] = -f[4];
    for (int i = 0; i < NODAL; i++) {
      if (at[i] < 0) continue;
      F[at[i]] += f[i];
      if (!K || i % 3 == 2) continue;
      K[at[i]][at[i]] += k;
      if (at[(i + 3) % NODAL] >= 0) K[at[i]][at[(i + 3) % NODAL]] -= k;
    }
  }
}

/* dF/dq by central differences. */
static void tangent(const pendulum *p, double *q, double K[MOST][MOST]) {
  const double step = 1e-6;
  double F[2][MOST];
  for (int j = 0; j < p->n; j++) {
    double was = q[j];
    for (int side = 0; side < 2; side++) {
      q[j] = was + (side ? step : -step);
      elastic(p, q, F[side], NULL);
    }
    q[j] = was;
    for (int i = 0; i < p->n; i++) K[i][j] = (F[1][i] - F[0][i]) / (2 * step);
  }
}

static void assemble(pendulum *p) {
  static const double bars[3] = {1.0 / 3, 0, 1.0 / 6}, beams[3] = {13.0 / 35, 1.0 / 105, 9.0 / 70};
  const double *c = p->beam ? beams : bars;
  double m = DENSITY * A, moment = (p->printed ? 1 : -1) * m * G * L / 12;
  const double load[NODAL] = {0, -m * G / 2, moment, 0, -m * G / 2, -moment};
  for (int bar = 0; bar < 2; bar++)
    for (int i = 0; i < NODAL; i++) {
      int a = p->at[bar][i], b = p->at[bar][(i + 3) % NODAL];
      bool turns = i % 3 == 2;
      if (a < 0) continue;
      p->load[a] += load[i];
      p->M[a][a] += m * (turns ? L * L * c[1] : c[0]);
      if (b >= 0) p->M[a][b] += m * (turns ? -L * L / 140 : c[2]);
    }
}

static void number(pendulum *p) {
  static const int bars[2][NODAL] = {{-1, -1, -1, 0, 1, -1}, {0, 1, -1, 2, 3, -1}};
  static const int beams[2][NODAL] = {{-1, -1, 0, 1, 2, 3}, {1, 2, 4, 5, 6, 7}};
  memcpy(p->at, p->beam ? beams : bars, sizeof p->at);
  p->n = p->beam ? 8 : 4;
}

/* ---- one run ---- */

/* x := J^-1 x by elimination with pivots. */
static void solve(int n, double J[MOST][MOST], double *x) {
  for (int c = 0; c < n; c++) {
    int p = c;
    for (int i = c; i < n; i++)
      if (fabs(J[i][c]) > fabs(J[p][c])) p = i;
    for (int j = 0; j < n; j++) {
      double t = J[p][j];
      J[p][j] = J[c][j], J[c][j] = t;
    }
    double t = x[p];
    x[p] = x[c], x[c] = t;
    for (int i = c + 1; i < n; i++) {
      double f = J[i][c] / J[c][c];
      for (int j = c; j < n; j++) J[i][j] -= f * J[c][j];
      x[i] -= f * x[c];
    }
  }
  for (int c = n - 1; c >= 0; c--) {
    for (int j = c + 1; j < n; j++) x[c] -= J[c][j] * x[j];
    x[c] /= J[c][c];
  }
}

static double norm(int n, const double *x) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* Equations of motion where the scheme meets them, and the correction of a1 from them. */
static void correction(const pendulum *p, int scheme, const double *q, const double *v, const double *a0,
                       const double *a1, double *r) {
  double q1[MOST], a[MOST], F[MOST], K[MOST][MOST];
  double cm = scheme == U0V0 ? 0.5 : 1, ck = scheme == U0V0 ? H * H / 8 : H * H / 4;
  for (int i = 0; i < p->n; i++) {
    double end = q[i] + H * v[i] + H * H / 4 * (a0[i] + a1[i]);
    q1[i] = scheme == U0 ? end : scheme == V0 ? q[i] + H / 2 * v[i] + H * H / 4 * a1[i] : (q[i] + end) / 2;
    a[i] = scheme == U0V0 ? (a0[i] + a1[i]) / 2 : a1[i];
  }
  elastic(p, q1, F, K);
  if (!p->secant) tangent(p, q1, K);
  for (int i = 0; i < p->n; i++) {
    r[i] = p->load[i] - F[i];
    for (int j = 0; j < p->n; j++) {
      r[i] -= p->M[i][j] * a[j];
      K[i][j] = cm * p->M[i][j] + ck * K[i][j];
    }
  }
  solve(p->n, K, r);
}

/* The number of iterations; more than LIMIT: no convergence. */
static int step(pendulum *p, int scheme, double *q, double *v, double *a) {
  const double tolerance = 1e-8;
  double a1[MOST], r[MOST], size = INFINITY;
  int k = 0;
  memcpy(a1, a, sizeof a1);
  while (k <= LIMIT && !(size <= tolerance * fmax(1, norm(p->n, a1)))) {
    correction(p, scheme, q, v, a, a1, r);
    for (int i = 0; i < p->n; i++) a1[i] += r[i];
    size = norm(p->n, r);
    k++;
  }
  for (int i = 0; i < p->n; i++) {
    double mean = scheme == V0 ? a1[i] : (a[i] + a1[i]) / 2;
    q[i] += H * v[i] + H * H / 2 * mean;
    v[i] += H * mean;
    a[i] = a1[i];
  }
  for (int bar = 0; bar < 2; bar++) {
    double x[NODAL];
    ends_of(p, q, bar, x);
    double al = atan2(x[4] - x[1], x[3] - x[0]);
    p->angle[bar] = al + TURN * round((p->angle[bar] - al) / TURN);
  }
  return k;
}

static outcome run(pendulum p, int scheme, double until) {
  double q[MOST] = {0}, v[MOST] = {0}, a[MOST] = {0}, M[MOST][MOST];
  number(&p);
  assemble(&p);
  for (int bar = 0; bar < 2; bar++) q[p.at[bar][3]] = (bar + 1) * L;
  memcpy(M, p.M, sizeof M);
  memcpy(a, p.load, sizeof a);
  solve(p.n, M, a);
  outcome o = {0};
  long steps = lround(until / H), total = 0, k = 0;
  for (; k < steps && !o.fails; k++) {
    int iterations = step(&p, scheme, q, v, a);
    total += iterations;
    o.fails = iterations > LIMIT;
  }
  o.reached = (double)k * H;
  o.iterations = (double)total / (double)k;
  return o;
}

/* ---- the table ---- */

static void row(const pendulum *p, const char *E, bool is_long, FILE *csv) {
  static const char *const name[SCHEMES] = {"U0(1,1,0)", "V0(1,1,0)", "U0V0(1,1,1)"};
  const char *theory = p->beam ? "euler-bernoulli" : "bar", *formulation = p->ancf ? "ancf-s" : "irf";
  const char *matrix = p->secant ? "secant" : "tangent", *equations = p->printed ? "printed" : "right";
  for (int k = 0; k < SCHEMES; k++) {
    outcome o = run(*p, k, is_long ? 100 : 5);
    printf("%-16s %-7s %-8s %-8s %-5s %-12s %-6s %-6s %8.4g s %6.2f\n", theory, formulation, matrix, equations, E,
           name[k], is_long ? "long" : "short", o.fails ? "fails" : "done", o.reached, o.iterations);
    if (csv)
      fprintf(csv, "%s,%s,%s,%s,%s,\"%s\",%s,%s,%.6g,%.6g\n", theory, formulation, matrix, equations, E, name[k],
              is_long ? "long" : "short", o.fails ? "fails" : "done", o.reached, o.iterations);
  }
}

int main(int argc, char **argv) {
  bench_help(argc, argv,
             "Usage: bench_printed [FILE.csv]\n"
             "\n"
             "Huang's flexible double pendulum by the equations printed in the appendix of the thesis, apart from the "
             "engine.\n"
             "Takes seconds.\n");
  static const char *const E[] = {"1e6", "1e10"};
  FILE *csv = study_csv(argc, argv, 1);
  if (csv) fprintf(csv, "theory,formulation,matrix,equations,E,scheme,run,class,until,iterations\n");
  for (int k = 0; k < 8; k++) {
    pendulum p = {.ancf = k & 1, .secant = k & 2, .E = strtod(E[k / 4], NULL)};
    row(&p, E[k / 4], false, csv);
  }
  for (int k = 0; k < 8; k++) {
    pendulum p = {.beam = true, .printed = k & 1, .E = strtod(E[k / 4], NULL)};
    row(&p, E[k / 4], k & 2, csv);
  }
  if (csv) fclose(csv);
  return 0;
}
