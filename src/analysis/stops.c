/* stops.c - limits of the step before and at stops of joints; the reasons are those of impact.c.
 *
 *   m d'' = -k d^e:   d = ((e + 1) m v^2/(2 k))^(1/(e + 1)) deep,   T = b d/v long,   b = 2 int_0^1 dx/sqrt(1 - x^(e+1))
 *   1/m = g M^-1 g',  g = dx/dq
 *
 * m is that without constraints, which make it only larger and the impact longer. Steps end where a stop is touched and
 * where it is left (crossings.h); at the stop they are T/STEPS at most, and the error test does the rest.
 */
#include "analysis/stops.h"

#include <math.h>
#include <string.h>

#include "analysis/crossings.h"
#include "analysis/trust_remedy.h"
#include "force/stop.h"
#include "math/constants.h"

enum { STEPS = 40, FEWEST = 8, COORDINATES = 64 };

struct sn_stop_masses {
  int count;
  const sn_stop *stop;
  double *inverse; /* [count] 1/m */
};

/* g A^-1 g' of a positive definite matrix, by Cholesky; 0 if it is none. */
static double inverse_product(int n, double A[COORDINATES][COORDINATES], double *g) {
  double sum = 0;
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++) A[j][j] -= A[j][k] * A[j][k], g[j] -= A[j][k] * g[k];
    if (!(A[j][j] > 0)) return 0;
    A[j][j] = sqrt(A[j][j]);
    g[j] /= A[j][j];
    sum += g[j] * g[j];
    for (int i = j + 1; i < n; i++) {
      for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
  }
  return sum;
}

/* Of the bodies that the stop acts on: the coordinates of every group that g touches. */
static double inverse_mass(sn_simulation *s, const sn_stop *stop, double *g, double *Mx) {
  const sn_model *m = s->model;
  double A[COORDINATES][COORDINATES], own[COORDINATES];
  int at[COORDINATES], n = 0;
  memset(g, 0, (size_t)m->n * sizeof *g);
  sn_stop_gradient(stop, s->state.q, g);
  for (int b = 0; b < m->groups; b++) {
    bool touched = false;
    if (m->group_is_constraint[b]) continue;
    for (int i = 0; i < m->group_size[b]; i++) touched |= g[m->group_first[b] + i] != 0;
    for (int i = 0; touched && i < m->group_size[b] && n < COORDINATES; i++) at[n++] = m->group_first[b] + i;
  }
  for (int i = 0; i < n; i++) own[i] = g[at[i]];
  memset(g, 0, (size_t)m->n * sizeof *g);
  for (int j = 0; j < n; j++) {
    g[at[j]] = 1;
    sn_system_mass_times(s->system, &s->state, g, Mx);
    g[at[j]] = 0;
    for (int i = 0; i < n; i++) A[i][j] = Mx[at[i]];
  }
  return inverse_product(n, A, own);
}

struct sn_stop_masses *sn_stops_create(sn_simulation *s) {
  const sn_stop *list;
  int count = sn_stops_of(s->model, &list);
  if (count == 0) return NULL;
  struct sn_stop_masses *y = SN_NEW(&s->arena, struct sn_stop_masses, 1);
  double *g = SN_NEW(&s->arena, double, 2 * s->model->n);
  *y = (struct sn_stop_masses){count, list, SN_NEW(&s->arena, double, count)};
  for (int i = 0; i < count; i++) y->inverse[i] = inverse_mass(s, &list[i], g, g + s->model->n);
  if (!s->system->contacts) s->system->impact_speed = s->system->impact_depth = INFINITY;
  return y;
}

/* ---- where steps end ---- */

typedef struct limit {
  const sn_stop *stop;
  bool upper;
} limit;

static double gap_value(const void *self, const sn_eval *ev) {
  const limit *g = self;
  double x[3];
  sn_stop_motion(g->stop, ev->q, ev->v, ev->a, x);
  return g->upper ? g->stop->max - x[0] : x[0] - g->stop->min;
}

void sn_add_stop_crossings(sn_simulation *s) {
  for (int i = 0; s->stops && i < s->stops->count; i++)
    for (int upper = 0; upper < 2; upper++) {
      const sn_stop *stop = &s->stops->stop[i];
      if (!isfinite(upper ? stop->max : stop->min)) continue;
      limit *self = SN_NEW(&s->arena, limit, 1);
      *self = (limit){stop, upper == 1};
      sn_add_crossing(s, &(sn_crossing){.value = gap_value, .self = self, .smooth = true});
    }
}

/* ---- steps within an impact ---- */

typedef struct hit {
  double wait;  /* until the stop is touched [s] */
  double lasts; /* the impact [s] */
  double speed, depth;
  bool inside; /* it touches */
} hit;

/* False: the stop is not reached, or with less energy than counts. */
static bool is_hit(const sn_simulation *s, int i, double tolerance, hit *y) {
  const sn_stop *stop = &s->stops->stop[i];
  double x[3], inverse = s->stops->inverse[i];
  sn_stop_motion(stop, s->state.q, s->state.v, s->state.a, x);
  double side = x[0] - stop->max > stop->min - x[0] ? 1 : -1; /* passed, or the only one */
  if (isfinite(stop->min) && isfinite(stop->max) && x[0] > stop->min && x[0] < stop->max)
    side = x[1] > 0 || (x[1] == 0 && x[2] > 0) ? 1 : -1; /* between them: the one it goes to */
  double gap = side > 0 ? stop->max - x[0] : x[0] - stop->min, v = side * x[1], a = side * x[2];
  if (stop->rigid || !(inverse > 0) || !isfinite(gap)) return false;
  y->inside = gap <= 0;
  if (gap > 0) { /* gap - v t - a t^2/2 = 0 */
    double square = v * v + 2 * a * gap;
    if (!(square > 0) || !(v + sqrt(square) > 0)) return false;
    y->wait = 2 * gap / (v + sqrt(square));
    v = sqrt(square);
  } else {
    y->wait = 0;
    v = sqrt(v * v + 2 / (stop->e + 1) * -gap * stop->k * pow(-gap, stop->e) * inverse);
  }
  double energy = v * v / (2 * inverse), b = 1 / (stop->e + 1);
  if (!(energy > tolerance * s->largest_kinetic)) return false;
  y->speed = v;
  y->depth = pow((stop->e + 1) * energy / stop->k, b);
  y->lasts = 2 * sqrt(SN_PI) * tgamma(1 + b) / tgamma(0.5 + b) * y->depth / v;
  return true;
}

double sn_stop_step(sn_simulation *s) {
  double tolerance = s->settings->relative > 0 ? s->settings->relative : s->settings->tolerance, h = INFINITY;
  double *speed = &s->system->impact_speed, *depth = &s->system->impact_depth;
  hit y;
  if (!s->stops) return INFINITY;
  if (!s->impacts) *speed = *depth = INFINITY;
  for (int i = 0; i < s->stops->count; i++) {
    if (!is_hit(s, i, tolerance, &y)) continue;
    *speed = fmin(*speed, y.speed);
    *depth = fmin(*depth, y.depth);
    const double within = y.lasts / STEPS;
    if (y.wait <= within) h = fmin(h, y.wait + within);
  }
  return s->impact_step > 0 ? fmin(h, 3 * s->impact_step) : h;
}

void sn_check_stops(sn_simulation *s) {
  const double counts = 1e-3, h = s->settings->step;
  hit y;
  for (int i = 0; s->stops && i < s->stops->count; i++) {
    if (!is_hit(s, i, counts, &y) || !y.inside || h <= y.lasts / FEWEST) continue;
    if (s->system->statistics.unseen_impacts++ == 0)
      sn_add_doubt(s, SN_DOUBTFUL,
                   sn_format(&s->arena,
                             "impacts at stop '%s' last %.2g s, too short for fixed steps of %g s, first at t = %g s: "
                             "use steps of %.1g s or less%s",
                             s->stops->stop[i].name, y.lasts, h, s->state.t, y.lasts / FEWEST, sn_remedy_adaptive(s)));
  }
}
