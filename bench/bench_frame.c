/* bench_frame.c - runs of Huang's flexible double pendulum in the floating frame by a second program, apart from the
 * engine: its words beside those of bench_flexible.
 *
 *   bench_frame FILE.csv [THEORY [E [I [SECONDS]]]]
 *
 * One element for each bar, r = R + A(th) p, p = (x + N1 u, N2 (v, f)); integrals by Gauss points, dense matrices, and
 * elimination with pivots. h = 1e-3 s, Newton until the residuals of forces and constraints are below 1e-8; the schemes,
 * the starts and the words are those of huang.h. THEORY: bar, euler-bernoulli.
 *   index 3, 2, 1    Phi(q1), G v1, G a* - gamma = 0 at the end of the step, forces within it
 *   projection       q1, v1, a* onto their constraints in the mass norm
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help.h"
#include "trials.h"

enum { M = 4, N = 12, S = N + M, LIMIT = 100, POINTS = 5 };
static const double L = 1.8, AREA = 2.5e-4, DENSITY = 2767, G = 9.81, H = 1e-3;

typedef struct pendulum {
  int flexible, each, n; /* coordinates of deformation, of a bar, of both */
  const char *E, *I;     /* as given */
  double K[4];           /* of u, (v, v), (v, f), (f, f) of one bar */
} pendulum;

typedef struct scheme {
  const char *name;
  double l3, l5, W1, L2, L3, L5, L6;
  bool v0, within; /* a, l belong to the middle of the step */
} scheme;
static const scheme schemes[] = {{"U0(1,1,0)", .25, .5, 1, .5, .25, .5, 1, false, false},
                                 {"V0(1,1,0)", .5, 1, .5, .25, .25, .5, 1, true, true},
                                 {"U0V0(1,1,1)", .25, .5, .5, .25, .125, .25, .5, false, true}};

typedef struct task {
  const char *theory;
  int index;
  const scheme *scheme;
  bool project, from_zero, is_long;
  double until, first;
} task;

typedef struct state {
  double q[N], v[N], a[N], l[M];
} state;

typedef struct equations {
  double mass[N][N], force[N], phi[M], G[M][N], gamma[M];
} equations;

/* ---- the equations ---- */

typedef struct point {
  double r[2], J[2][N], bias[2];
} point;

static void locate(const pendulum *p, const double *q, const double *v, int bar, double x, point *o) {
  const int k = bar * p->each;
  const double e = x / L, c = cos(q[k + 2]), s = sin(q[k + 2]), w = v[k + 2];
  const double shape[2][3] = {{e, 0, 0}, {0, 3 * e * e - 2 * e * e * e, L * (e * e * e - e * e)}};
  double at[2] = {x, 0}, rate[2] = {0};
  memset(o, 0, sizeof *o);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < p->flexible; j++) {
      at[i] += shape[i][j] * q[k + 3 + j];
      rate[i] += shape[i][j] * v[k + 3 + j];
    }
  const double turned[2] = {c * at[0] - s * at[1], s * at[0] + c * at[1]};
  const double moved[2] = {c * rate[0] - s * rate[1], s * rate[0] + c * rate[1]};
  for (int i = 0; i < 2; i++) {
    o->r[i] = q[k + i] + turned[i];
    o->J[i][k + i] = 1;
    for (int j = 0; j < p->flexible; j++)
      o->J[i][k + 3 + j] = i ? s * shape[0][j] + c * shape[1][j] : c * shape[0][j] - s * shape[1][j];
  }
  o->J[0][k + 2] = -turned[1], o->J[1][k + 2] = turned[0];
  o->bias[0] = -w * w * turned[0] - 2 * w * moved[1];
  o->bias[1] = -w * w * turned[1] + 2 * w * moved[0];
}

static void elastic(const pendulum *p, const double *q, double *force) {
  for (int bar = 0; bar < 2; bar++) {
    const int k = bar * p->each + 3;
    force[k] -= p->K[0] * q[k];
    if (p->flexible == 1) continue;
    force[k + 1] -= p->K[1] * q[k + 1] + p->K[2] * q[k + 2];
    force[k + 2] -= p->K[2] * q[k + 1] + p->K[3] * q[k + 2];
  }
}

static void evaluate(const pendulum *p, const double *q, const double *v, equations *o) {
  static const double x[POINTS] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831, 0.9061798459386640};
  static const double weight[POINTS] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665,
                                        0.2369268850561891};
  memset(o, 0, sizeof *o);
  elastic(p, q, o->force);
  for (int bar = 0; bar < 2; bar++)
    for (int g = 0; g < POINTS; g++) {
      const double c = DENSITY * AREA * L / 2 * weight[g];
      point t;
      locate(p, q, v, bar, L * (1 + x[g]) / 2, &t);
      for (int k = 0; k < 2; k++)
        for (int i = 0; i < p->n; i++) {
          o->force[i] += c * t.J[k][i] * ((k ? -G : 0) - t.bias[k]);
          for (int j = 0; j < p->n; j++) o->mass[i][j] += c * t.J[k][i] * t.J[k][j];
        }
    }
  point pin, upper, lower;
  locate(p, q, v, 0, 0, &pin);
  locate(p, q, v, 0, L, &upper);
  locate(p, q, v, 1, 0, &lower);
  for (int k = 0; k < 2; k++) {
    o->phi[k] = pin.r[k], o->phi[2 + k] = upper.r[k] - lower.r[k];
    o->gamma[k] = -pin.bias[k], o->gamma[2 + k] = lower.bias[k] - upper.bias[k];
    for (int i = 0; i < p->n; i++) o->G[k][i] = pin.J[k][i], o->G[2 + k][i] = upper.J[k][i] - lower.J[k][i];
  }
}

/* ---- linear algebra ---- */

static void solve(int n, double A[S][S], double *x) {
  for (int c = 0; c < n; c++) {
    int p = c;
    for (int i = c; i < n; i++)
      if (fabs(A[i][c]) > fabs(A[p][c])) p = i;
    for (int j = 0; j < n && p != c; j++) {
      const double t = A[p][j];
      A[p][j] = A[c][j], A[c][j] = t;
    }
    const double t = x[p];
    x[p] = x[c], x[c] = t;
    for (int i = c + 1; i < n; i++) {
      const double f = A[i][c] / A[c][c];
      if (f == 0) continue;
      for (int j = c; j < n; j++) A[i][j] -= f * A[c][j];
      x[i] -= f * x[c];
    }
  }
  for (int c = n - 1; c >= 0; c--) {
    for (int j = c + 1; j < n; j++) x[c] -= A[c][j] * x[j];
    x[c] /= A[c][c];
  }
}

/* [mass G'; G 0] x = (f, g) */
static void saddle(const pendulum *p, const equations *e, const double *f, const double *g, double *x) {
  double A[S][S] = {{0}};
  for (int i = 0; i < p->n; i++) {
    memcpy(A[i], e->mass[i], sizeof e->mass[i]);
    x[i] = f ? f[i] : 0;
    for (int k = 0; k < M; k++) A[i][p->n + k] = A[p->n + k][i] = e->G[k][i];
  }
  for (int k = 0; k < M; k++) x[p->n + k] = g[k];
  solve(p->n + M, A, x);
}

static double norm(int n, const double *x) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* ---- a step ---- */

typedef struct guess {
  state end;      /* q1, v1, a1, l1 */
  double star[N]; /* a at the end of the step */
  double r[N], c[M];
  equations within, after;
} guess;

static void predict(const pendulum *p, const task *t, const state *s, double star, guess *o) {
  const scheme *m = t->scheme;
  double q[N], v[N];
  for (int i = 0; i < p->n; i++) {
    const double d = o->end.a[i] - s->a[i];
    o->end.q[i] = s->q[i] + H * s->v[i] + H * H / 2 * s->a[i] + m->l3 * H * H * d;
    o->end.v[i] = s->v[i] + H * s->a[i] + m->l5 * H * d;
    q[i] = s->q[i] + m->W1 * H * s->v[i] + m->L2 * H * H * s->a[i] + m->L3 * H * H * d;
    v[i] = s->v[i] + m->W1 * H * s->a[i] + m->L5 * H * d;
    o->star[i] = s->a[i] + star * d;
  }
  evaluate(p, q, v, &o->within);
  evaluate(p, o->end.q, o->end.v, &o->after);
  for (int i = 0; i < p->n; i++) {
    o->r[i] = o->within.force[i];
    for (int j = 0; j < p->n; j++) o->r[i] -= o->within.mass[i][j] * (s->a[j] + m->L6 * (o->end.a[j] - s->a[j]));
    for (int k = 0; k < M; k++) o->r[i] -= o->within.G[k][i] * o->end.l[k];
  }
  for (int k = 0; k < M; k++) {
    double rate = 0, change = -o->after.gamma[k];
    for (int i = 0; i < p->n; i++) rate += o->after.G[k][i] * o->end.v[i], change += o->after.G[k][i] * o->star[i];
    o->c[k] = t->index == 3 ? o->after.phi[k] : t->index == 2 ? rate : change;
  }
}

static void correct(const pendulum *p, const task *t, double star, guess *o) {
  const scheme *m = t->scheme;
  const double scale = t->index == 3 ? m->l3 * H * H : t->index == 2 ? m->l5 * H : star, k = m->L3 * H * H;
  double A[S][S] = {{0}}, x[S];
  for (int i = 0; i < p->n; i++) {
    for (int j = 0; j < p->n; j++) A[i][j] = m->L6 * o->within.mass[i][j];
    for (int c = 0; c < M; c++) A[i][p->n + c] = o->within.G[c][i], A[p->n + c][i] = scale * o->after.G[c][i];
    x[i] = o->r[i];
  }
  for (int bar = 0; bar < 2; bar++) {
    const int f = bar * p->each + 3;
    A[f][f] += k * p->K[0];
    if (p->flexible == 1) continue;
    A[f + 1][f + 1] += k * p->K[1], A[f + 1][f + 2] += k * p->K[2];
    A[f + 2][f + 1] += k * p->K[2], A[f + 2][f + 2] += k * p->K[3];
  }
  for (int c = 0; c < M; c++) x[p->n + c] = -o->c[c];
  solve(p->n + M, A, x);
  for (int i = 0; i < p->n; i++) o->end.a[i] += x[i];
  for (int c = 0; c < M; c++) o->end.l[c] += x[p->n + c];
}

static void project(const pendulum *p, guess *o) {
  double x[S], g[M];
  equations *e = &o->after;
  for (int i = 0; i < 4; i++) {
    evaluate(p, o->end.q, o->end.v, e);
    for (int k = 0; k < M; k++) g[k] = -e->phi[k];
    saddle(p, e, NULL, g, x);
    for (int j = 0; j < p->n; j++) o->end.q[j] += x[j];
  }
  evaluate(p, o->end.q, o->end.v, e);
  for (int k = 0; k < M; k++) {
    g[k] = 0;
    for (int j = 0; j < p->n; j++) g[k] -= e->G[k][j] * o->end.v[j];
  }
  saddle(p, e, NULL, g, x);
  for (int j = 0; j < p->n; j++) o->end.v[j] += x[j];
  evaluate(p, o->end.q, o->end.v, e);
  for (int k = 0; k < M; k++) {
    g[k] = e->gamma[k];
    for (int j = 0; j < p->n; j++) g[k] -= e->G[k][j] * o->star[j];
  }
  saddle(p, e, NULL, g, x);
  for (int j = 0; j < p->n; j++) o->end.a[j] += x[j];
}

static bool step(const pendulum *p, const task *t, state *s, bool is_first) {
  const double g = t->scheme->l5 - 0.5, star = is_first && !t->from_zero ? 1 / (1 - g) : 1 + g;
  guess o = {.end = *s};
  for (int k = 0; k < LIMIT; k++) {
    predict(p, t, s, star, &o);
    const double forces = norm(p->n, o.r), constraints = norm(M, o.c);
    if (!isfinite(forces + constraints)) return false;
    if (k && forces < 1e-8 && constraints < 1e-8) {
      if (t->project) project(p, &o);
      *s = o.end;
      return true;
    }
    correct(p, t, star, &o);
  }
  return false;
}

/* ---- a run, and its word ---- */

typedef struct sounds {
  int count;
  double e[3][S], sum[2], largest[2];
} sounds;

/* What a and l differ from the accelerations and multipliers of the equations at the time they belong to. */
static void listen(const pendulum *p, const task *t, const state *before, const state *s, sounds *w) {
  double q[N], v[N], at_end[S], at_middle[S];
  equations e;
  for (int i = 0; i < p->n; i++) q[i] = (before->q[i] + s->q[i]) / 2, v[i] = (before->v[i] + s->v[i]) / 2;
  evaluate(p, s->q, s->v, &e);
  saddle(p, &e, e.force, e.gamma, at_end);
  evaluate(p, q, v, &e);
  saddle(p, &e, e.force, e.gamma, at_middle);
  memmove(w->e[1], w->e[0], 2 * sizeof w->e[0]);
  for (int i = 0; i < p->n + M; i++) {
    const bool l = i >= p->n, middle = l ? t->scheme->within : t->scheme->v0;
    const double level = middle ? at_middle[i] : at_end[i];
    w->e[0][i] = (l ? s->l[i - p->n] : s->a[i]) - level;
    w->largest[l] = fmax(w->largest[l], fabs(level));
  }
  if (++w->count <= 2) return;
  double d[2] = {0};
  for (int i = 0; i < p->n + M; i++)
    d[i >= p->n] = fmax(d[i >= p->n], fabs(w->e[0][i] - 2 * w->e[1][i] + w->e[2][i]) / 4);
  for (int j = 0; j < 2; j++) w->sum[j] += d[j];
}

static void run(const pendulum *p, const task *t, FILE *csv) {
  state s = {.q = {[0] = 0}}, before;
  sounds w = {0};
  equations e;
  double x[S], largest = 0, early = 0, time = 0;
  bool fails = false;
  s.q[p->each] = L;
  evaluate(p, s.q, s.v, &e);
  saddle(p, &e, e.force, e.gamma, x);
  if (!t->from_zero) {
    memcpy(s.a, x, (size_t)p->n * sizeof *x);
    memcpy(s.l, x + p->n, M * sizeof *x);
  }
  for (long k = 1; (double)k * H < t->until + H / 2 && !fails; k++) {
    before = s;
    time = (double)k * H;
    fails = !step(p, t, &s, k == 1);
    evaluate(p, s.q, s.v, &e);
    for (int c = 0; c < M; c++) largest = fmax(largest, fabs(e.phi[c]));
    fails = fails || !(largest <= L);
    if (time < t->first + H / 2) early = largest;
    if (time > t->until - 1 && !fails) listen(p, t, &before, &s, &w);
  }
  const double noise = w.count > 2 ? fmax(w.sum[0] / w.largest[0], w.sum[1] / w.largest[1]) / (w.count - 2) : NAN;
  const bool drifts = largest > 0.01 * L || (largest > 1e-4 * L && largest > 2 * early);
  fprintf(csv, "%s,%s,%s,%d,\"%s\",%s,%s,%s,%s,%.6g,%.3g,%.3g\n", t->theory, p->E, p->I, t->index, t->scheme->name,
          t->project ? "projection" : "none", t->from_zero ? "zero" : "consistent", t->is_long ? "long" : "short",
          fails          ? "fails"
          : drifts       ? "drifts"
          : noise > 0.01 ? "oscillates"
                         : "stable",
          time, largest, noise);
  fflush(csv);
}

/* From a = 0 only bars and beams as printed that are quasi-rigid; flexible ones without projection. */
static void run_all(const pendulum *p, const char *theory, double seconds, FILE *csv) {
  const bool flexible = strtod(p->E, NULL) < 1e9, fitting = strtod(p->I, NULL) < 1e-9;
  for (int k = 0; k < 6; k++) {
    task t = {.theory = theory, .is_long = k > 1, .project = k > 3, .from_zero = k % 2};
    t.until = t.is_long ? seconds : 5;
    t.first = t.is_long ? 5 : t.until / 2;
    if ((t.from_zero && (flexible || fitting)) || (t.project && flexible)) continue;
    for (t.index = 3; t.index > (flexible && t.is_long ? 2 : 0); t.index--)
      for (size_t j = 0; j < SN_COUNT(schemes); j++) {
        t.scheme = &schemes[j];
        run(p, &t, csv);
      }
  }
}

int main(int argc, char **argv) {
  bench_help(argc, argv,
             "Usage: bench_frame FILE.csv [THEORY [E [I [SECONDS]]]]\n"
             "\n"
             "Words for runs of Huang's flexible double pendulum in the floating frame by a second program, apart from "
             "the engine.\n"
             "THEORY: bar (default) or euler-bernoulli. E: default 1e10. I: 1.3e-5. SECONDS of long runs: 100.\n");
  FILE *csv = study_csv(argc, argv, 1);
  const char *theory = argc > 2 ? argv[2] : "bar";
  if (!csv) return 2;
  pendulum p = {
      .flexible = strcmp(theory, "bar") ? 3 : 1, .E = argc > 3 ? argv[3] : "1e10", .I = argc > 4 ? argv[4] : "1.3e-5"};
  const double E = strtod(p.E, NULL), I = strtod(p.I, NULL);
  p.each = 3 + p.flexible;
  p.n = 2 * p.each;
  p.K[0] = E * AREA / L;
  p.K[1] = 12 * E * I / (L * L * L), p.K[2] = -6 * E * I / (L * L), p.K[3] = 4 * E * I / L;
  fprintf(csv, "theory,E,I,index,scheme,way,start,run,class,until,position,noise\n");
  run_all(&p, theory, argc > 5 ? strtod(argv[5], NULL) : 100, csv);
  fclose(csv);
  return 0;
}
