/* live.c - see live.h.
 *
 *   s(t) = sum_k c_k u^k,   u = (t - middle)/half,   through s at the seven points u_j = -cos(pi j/6)
 *
 * Over a part of the interval, with v = u - u_m, |v| <= w, and d_k the coefficients about u_m:
 *
 *   s^(k)/k! = half^-k (d_k + sum_{j>k} binomial(j, k) d_j v^(j-k))
 */
#include "analysis/live.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "analysis/crossings.h"
#include "analysis/simulation.h"
#include "analysis/trust_remedy.h"
#include "math/constants.h"
#include "model/formula.h"

enum {
  NODES = 7,
  MOST_CUTS = 20, /* of one step */
  CROWD = 16,     /* kinks at one time */
  CHATTER = 50,   /* kinks in a row without a way forward */
  ENOUGH = 1000,  /* fixed steps that are counted */
  WINDOW = 10000, /* steps after which progress is judged, ... */
  JUMPS = 500,    /* ... of which so many end at jumps, ... */
  PATIENCE = 10,  /* ... and that many more windows to the end are too many */
};
static const double RESOLVED = 1e-3;  /* of an expression: what its polynomial of degree 8 may leave out */
static const double TINY = 1e-4;      /* of the tolerance: values this small in the run are nothing */
static const double SMALL = 1e-2;     /* the same of the terms of an equation that stays zero */
static const double GROWTH = 8;       /* of the next step over the last, at most; ... */
static const double USUAL = 3;        /* ... usually no more than this */
static const double MARGIN = 0.9;     /* of a step that is resolved: the next attempt is another motion */
static const double SOON = 1e-7;      /* of the stage: kinks that follow each other so soon are chatter ... */
static const double PAUSE = 1e-3;     /* ... and are left alone for this part of it */
static const double UNBOUNDED = 0.01; /* of the stage, where nothing can be said about an expression */
static const double UNSEEN = 0.1, MISJUDGED = 0.2; /* of an expression, in a fixed step */

typedef struct source {
  int quantity; /* its polynomial, or ... */
  int nested;   /* ... that of another expression; -1: none */
} source;

typedef struct item {
  const sn_formula *formula;
  const source *source; /* [variables] */
  struct sn_live *all;
  sn_arguments motion;
  sn_resolution r;
  double largest;   /* value so far, by its bounds */
  double over;      /* kinks before this time are passed */
  double last_kink; /* time of the last one, ... */
  int chatter;      /* ... and how often they followed each other too soon */
  double unbounded; /* s without bounds */
  bool doubtful;    /* the last fixed step judged it badly */
  int jumps;        /* in the window */
  bool told, chatters;
} item;

struct sn_live {
  const sn_simulation *simulation;
  int count, quantities;
  item *item; /* [formulas of the model] */
  const sn_quantity **quantity;
  double (*c)[NODES]; /* [quantities] */
  double middle, half;
  double u[NODES], inverse[NODES][NODES]; /* c_k = sum_j inverse[k][j] s_j */
  sn_state sample;
  double last; /* length of the last step that was not made for a kink */
  int cuts;
  int steps;      /* of the window, ... */
  double stepped; /* ... which begins at this time */
};

/* ---- polynomials ---- */

/* Column j of the inverse: the coefficients of prod_{i != j} (u - u_i)/(u_j - u_i). */
static void make_nodes(struct sn_live *x) {
  for (int j = 0; j < NODES; j++) x->u[j] = -cos(SN_PI * j / (NODES - 1));
  for (int j = 0; j < NODES; j++) {
    double p[NODES] = {1};
    int degree = 0;
    for (int i = 0; i < NODES; i++) {
      if (i == j) continue;
      const double scale = 1 / (x->u[j] - x->u[i]);
      degree++;
      for (int k = degree; k >= 0; k--) p[k] = scale * ((k > 0 ? p[k - 1] : 0) - x->u[i] * p[k]);
    }
    for (int k = 0; k < NODES; k++) x->inverse[k][j] = p[k];
  }
}

static void fit(const struct sn_live *x, const double s[NODES], double c[NODES]) {
  bool constant = true;
  for (int j = 1; j < NODES; j++) constant &= s[j] == s[0];
  memset(c, 0, NODES * sizeof(double));
  if (constant) c[0] = s[0];
  for (int k = 0; k < NODES && !constant; k++)
    for (int j = 0; j < NODES; j++) c[k] += x->inverse[k][j] * s[j];
}

static sn_taylor series_of(const struct sn_live *x, const double c[NODES], double from, double to) {
  const double middle = ((to - x->middle) + (from - x->middle)) / (2 * x->half), w = (to - from) / (2 * x->half);
  double d[NODES], power[NODES] = {1}, unit = 1;
  sn_taylor y = {.smooth = true};
  memcpy(d, c, sizeof d);
  for (int i = 0; i < NODES - 1; i++)
    for (int k = NODES - 2; k >= i; k--) d[k] += middle * d[k + 1];
  for (int k = 1; k < NODES; k++) power[k] = power[k - 1] * w;
  for (int k = 0; k < NODES; k++, unit /= x->half) {
    double reach = 0, binomial = 1;
    for (int j = k + 1; j < NODES; j++) {
      binomial *= (double)j / (j - k);
      reach += binomial * fabs(d[j]) * power[j - k];
    }
    y.c[k] = (sn_span){(d[k] - reach) * unit, (d[k] + reach) * unit};
    if (y.c[k].low != 0 || y.c[k].high != 0) y.top = k;
  }
  return y;
}

static sn_jet jet_of(const struct sn_live *x, const double c[NODES], double t) {
  const double u = (t - x->middle) / x->half;
  double y = 0, d = 0, dd = 0;
  for (int k = NODES - 1; k >= 0; k--) {
    dd = dd * u + 2 * d;
    d = d * u + y;
    y = y * u + c[k];
  }
  return (sn_jet){y, d / x->half, dd / (x->half * x->half)};
}

/* ---- variables of expressions along the motion ---- */

static const item *nested_of(const item *x, int k) {
  const sn_quantity *s = x->formula->s[k];
  const double *inputs = x->all->simulation->inputs;
  if (x->source[k].nested < 0) return NULL;
  if (s->type == SN_QUANTITY_INPUT && inputs && !isnan(inputs[s->index])) return NULL;
  if (s->type == SN_QUANTITY_INPUT && sn_host_has(x->all->simulation->host, s->index)) return NULL;
  return &x->all->item[x->source[k].nested];
}

static void item_series(const void *self, double from, double to, int n, sn_taylor *y) {
  const item *x = self;
  for (int k = 0; k < x->formula->variables; k++) {
    if (!x->formula->s[k]) continue;
    const item *inner = nested_of(x, k);
    y[k] = inner ? sn_expr_taylor_along(inner->formula->f, &inner->motion, from, to, n)
                 : series_of(x->all, x->all->c[x->source[k].quantity], from, to);
  }
}

static void item_jets(const void *self, double t, sn_jet *y) {
  const item *x = self;
  for (int k = 0; k < x->formula->variables; k++) {
    y[k] = (sn_jet){0, 0, 0};
    if (!x->formula->s[k]) continue;
    const item *inner = nested_of(x, k);
    y[k] = inner ? sn_expr_jet_along(inner->formula->f, &inner->motion, t)
                 : jet_of(x->all, x->all->c[x->source[k].quantity], t);
  }
}

/* The motion over the last step, or, from its end on, at constant acceleration. */
static void follow(sn_simulation *s, double from, double to) {
  struct sn_live *x = s->live;
  double value[NODES];
  x->middle = from + (to - from) / 2;
  x->half = (to - from) / 2;
  for (int j = 0; j < NODES; j++) {
    const double t = j == 0 ? from : j == NODES - 1 ? to : x->middle + x->half * x->u[j];
    sn_continue(s, t, &x->sample);
    sn_eval ev = sn_eval_at(s, &x->sample);
    ev.l = s->state.l; /* reactions are known at the ends of steps alone */
    for (int i = 0; i < x->quantities; i++) x->c[i][j] = sn_quantity_value(x->quantity[i], &ev);
  }
  for (int i = 0; i < x->quantities; i++) {
    memcpy(value, x->c[i], sizeof value);
    fit(x, value, x->c[i]);
  }
}

/* ---- all expressions ---- */

static int place_of(struct sn_live *x, const sn_quantity *s) {
  for (int i = 0; i < x->quantities; i++)
    if (x->quantity[i] == s) return i;
  x->quantity[x->quantities] = s;
  return x->quantities++;
}

static int nested_place(const sn_model *m, const sn_quantity *s) {
  if (s->type != SN_QUANTITY_FORMULA && s->type != SN_QUANTITY_INPUT) return -1;
  for (int i = 0; i < m->formulas; i++)
    if (m->formula[i] == s->formula) return i;
  return -1;
}

static struct sn_live *create(sn_simulation *s) {
  const sn_model *m = s->model;
  struct sn_live *x = SN_NEW(&s->arena, struct sn_live, 1);
  int most = 0;
  for (int i = 0; i < m->formulas; i++) most += m->formula[i]->variables;
  if (most == 0) return NULL;
  *x = (struct sn_live){.simulation = s,
                        .count = m->formulas,
                        .item = SN_NEW(&s->arena, item, m->formulas),
                        .quantity = SN_NEW(&s->arena, const sn_quantity *, most)};
  for (int i = 0; i < m->formulas; i++) {
    const sn_formula *f = m->formula[i];
    source *from = SN_NEW(&s->arena, source, f->variables + 1);
    for (int k = 0; k < f->variables; k++)
      if (f->s[k]) from[k] = (source){place_of(x, f->s[k]), nested_place(m, f->s[k])};
    x->item[i] = (item){.formula = f, .source = from, .all = x};
    x->item[i].motion = (sn_arguments){item_series, item_jets, &x->item[i]};
  }
  x->c = sn_alloc(&s->arena, (size_t)x->quantities, sizeof *x->c);
  sn_state_create(s->audit, &x->sample);
  make_nodes(x);
  return x;
}

void sn_begin_live(sn_simulation *s) {
  if (!s->live) s->live = create(s);
  for (int i = 0; s->live && i < s->live->count; i++) {
    item *x = &s->live->item[i];
    x->over = x->last_kink = -INFINITY;
    x->chatter = x->jumps = 0;
    x->r = (sn_resolution){.f = x->formula->f, .motion = &x->motion, .tolerance = RESOLVED};
  }
  if (s->live) s->live->cuts = s->live->steps = 0, s->live->last = 0, s->live->stepped = s->state.t;
}

/* Functions of t alone are looked at by loads.c. */
static bool is_watched(const item *x) {
  return x->formula->variables > 0;
}

/* The least value that counts, from the largest so far: by bounds, since values may be nowhere near it yet. Bounds of
 * parts are sharper than those of the whole. */
static void set_least(item *x, double from, double to) {
  enum { PIECES = 16 };
  double most = sn_span_size(sn_resolution_range(&x->r, from, to));
  if (most > x->largest) {
    most = 0;
    for (int i = 0; i < PIECES; i++) {
      const double a = from + (to - from) * i / PIECES, b = i + 1 < PIECES ? from + (to - from) * (i + 1) / PIECES : to;
      most = fmax(most, sn_span_size(sn_resolution_range(&x->r, a, b)));
    }
    if (isfinite(most)) x->largest = fmax(x->largest, most);
  }
  x->r.least = (x->formula->stays_zero ? SMALL : TINY) * x->largest;
}

static double point_of(const sn_simulation *s) {
  return sn_crossing_tolerance(s);
}

/* ---- before a step ---- */

/* Before a kink at this time, of a step from t. */
static double aim(const sn_simulation *s, double t, double kink) {
  return sn_aim_at(kink, t, s->live->last, point_of(s));
}

/* An actuator has several expressions: f.command, f.force, f. One that chatters makes the others do so. */
static bool is_told_of_entry(const sn_simulation *s, const item *x) {
  const char *name = x->formula->owner;
  const size_t length = strcspn(name, ".");
  for (int i = 0; i < s->live->count; i++) {
    const item *y = &s->live->item[i];
    const char *other = y->formula->owner;
    if (y != x && y->chatters && strcspn(other, ".") == length && strncmp(name, other, length) == 0) return true;
  }
  return false;
}

static void tell_chatter(sn_simulation *s, item *x) {
  x->over = s->state.t + PAUSE * (isfinite(s->end) ? s->end - s->begin : 1);
  x->chatter = 0;
  if (x->chatters) return;
  x->chatters = true;
  if (is_told_of_entry(s, x)) return;
  sn_add_doubt(
      s, SN_DOUBTFUL,
      sn_format(&s->arena,
                "the expression of '%s' jumps to and fro from t = %g s on, and no motion between satisfies it: use "
                "a smooth one, such as tanh(x/small) instead of sign(x)",
                x->formula->owner, s->state.t));
}

/* The kink is at t + wait at most. */
static sn_status pass(sn_simulation *s, item *x, double far) {
  const double point = point_of(s), t = s->state.t;
  const double before = sn_expr_jet_along(x->formula->f, &x->motion, t).value;
  const double behind = sn_expr_jet_along(x->formula->f, &x->motion, far + point / 8).value;
  const double size = fmax(fmax(fabs(before), fabs(behind)), x->r.least);
  /* what has no value there is reported by the step that meets it */
  const bool jumps = isfinite(behind) && !(fabs(behind - before) <= sn_function_tolerance(s) * size);
  const double all = isfinite(s->end) ? s->end - s->begin : 1;
  x->chatter = t - x->last_kink < SOON * all ? x->chatter + 1 : 0;
  x->last_kink = t;
  x->over = far + point;
  x->jumps += jumps;
  if (x->chatter > CHATTER) tell_chatter(s, x);
  if (jumps && far + point / 8 < s->end) {
    sn_continue(s, far + point / 8, &s->live->sample);
    sn_state_copy(s->system, &s->state, &s->live->sample);
    sn_add_work_until_now(s, t);
  }
  return jumps || s->ops->multistep ? sn_follow_change(s) : SN_OK;
}

/* One look at what lies ahead; *passed: a kink was here, look again. */
static sn_status look_ahead(sn_simulation *s, double *limit, bool *passed) {
  struct sn_live *live = s->live;
  const double t = s->state.t, point = point_of(s);
  const double end = fmin(t + (live->last > 0 ? GROWTH * live->last : s->output_step), *limit);
  *passed = false;
  if (end - t <= 8 * point) return SN_OK;
  *limit = end;
  follow(s, t, end);
  for (int i = 0; i < live->count; i++) {
    item *x = &live->item[i];
    const double from = fmax(t, x->over);
    double next;
    if (!is_watched(x) || from >= end - 2 * point) continue;
    set_least(x, from, end);
    const double until = sn_resolved_until(&x->r, from, end, point / 16, &next);
    if (until >= end || (until - from <= point / 16 && isnan(next))) continue;
    if (!isnan(next) && until - t <= point) {
      *passed = true;
      return pass(s, x, next);
    }
    if (isnan(next) && until > t + USUAL * live->last && live->last > 0) continue;
    *limit = fmin(*limit, isnan(next) ? until : aim(s, t, until));
  }
  return SN_OK;
}

/* A force that jumps to and fro where the motion would have to stay, as -mu*sign(v) at rest, leaves no way forward but
 * steps without end. Jumps that are rare beside steps, or soon over, are none of this. */
static sn_status judge_progress(sn_simulation *s) {
  struct sn_live *live = s->live;
  const item *worst = NULL;
  if (++live->steps < WINDOW) return SN_OK;
  for (int i = 0; i < live->count; i++) {
    const item *x = &live->item[i];
    if ((x->chatters || x->jumps > JUMPS) && (!worst || x->jumps > worst->jumps)) worst = x;
  }
  const double t = s->state.t, windows = (s->end - t) / (t - live->stepped);
  for (int i = 0; i < live->count; i++) live->item[i].jumps = 0;
  live->steps = 0, live->stepped = t;
  if (!worst || !isfinite(s->end) || windows < PATIENCE) return SN_OK;
  return sn_fail(
      s->context, SN_NUMERICS,
      "no progress at t = %g s: the expression of '%s' jumps to and fro, and no motion between satisfies it; "
      "the run would need %.2g more steps\n  possible remedy: a smooth expression, such as tanh(x/small) "
      "instead of sign(x) or if; for dry friction a force of type friction, or contacts",
      t, worst->formula->owner, windows * WINDOW);
}

sn_status sn_limit_to_live(sn_simulation *s, double *limit) {
  if (!s->live) return SN_OK;
  sn_status status = judge_progress(s);
  bool passed = true;
  for (int k = 0; k < CROWD && passed && status == SN_OK; k++) status = look_ahead(s, limit, &passed);
  return status;
}

/* ---- after a step ---- */

static void tell_unbounded(sn_simulation *s, item *x) {
  if (x->told || x->unbounded <= UNBOUNDED * (isfinite(s->end) ? s->end - s->begin : 1)) return;
  x->told = true;
  sn_add_doubt(s, SN_DOUBTFUL,
               sn_format(&s->arena,
                         "the expression of '%s' could not be bounded within steps up to t = %g s: short forces may be "
                         "missed; the cause is terms that cancel, or equal arguments of min, max, ==",
                         x->formula->owner, s->state.t));
}

/* Its quantities, and df/ds there. */
static void gradient_at(const item *x, double t, sn_jet jet[SN_EXPR_VARIABLES], double gradient[SN_EXPR_VARIABLES]) {
  double value[SN_EXPR_VARIABLES];
  item_jets(x, t, jet);
  for (int k = 0; k < x->formula->variables; k++) value[k] = jet[k].value;
  sn_expr_gradient(x->formula->f, t, x->formula->variables, value, gradient);
}

/* By how much its value is uncertain, as the motion between the ends of a step is: |df/ds| times what the polynomial of
 * s has in its highest terms, and the tolerance. */
static double uncertainty(const sn_simulation *s, const item *x, double t) {
  double gradient[SN_EXPR_VARIABLES], sum = 0;
  sn_jet jet[SN_EXPR_VARIABLES];
  const int n = x->formula->variables;
  gradient_at(x, t, jet, gradient);
  for (int k = 0; k < n; k++) {
    if (!x->formula->s[k] || !isfinite(gradient[k])) continue;
    const double *c = x->all->c[x->source[k].quantity];
    sum += fabs(gradient[k]) * (fabs(c[NODES - 2]) + fabs(c[NODES - 1]) + sn_allowed(s->settings, 1, jet[k].value));
  }
  return sum;
}

/* Up to where the step is resolved; a kink where it begins is passed. */
static double resolved(sn_simulation *s, item *x, double from, double to, double *next) {
  const double point = point_of(s);
  double until = to;
  for (int k = 0; k < CROWD; k++) {
    const double begin = fmax(from, x->over);
    if (begin >= to - 2 * point) return to;
    set_least(x, begin, to);
    until = sn_resolved_until(&x->r, begin, to, point / 16, next);
    if (until >= to) return to;
    const double noise = fmax(uncertainty(s, x, begin), uncertainty(s, x, to));
    if (noise > x->r.tolerance * x->r.least) { /* stiff expressions amplify it */
      x->r.least = noise / x->r.tolerance;
      until = sn_resolved_until(&x->r, begin, to, point / 16, next);
    }
    if (until - begin > point / 16) return until;
    if (isnan(*next)) break;
    x->over = *next + point;
  }
  x->unbounded += to - from;
  tell_unbounded(s, x);
  return to;
}

double sn_check_live(sn_simulation *s) {
  struct sn_live *live = s->live;
  const double from = s->before.t, to = s->state.t, point = point_of(s);
  double earliest = INFINITY;
  if (!live || to - from <= 8 * point) return INFINITY;
  follow(s, from, to);
  for (int i = 0; i < live->count; i++) {
    double next;
    if (!is_watched(&live->item[i])) continue;
    const double until = resolved(s, &live->item[i], from, to, &next);
    if (until >= to) continue;
    if (!isnan(next) && to - until <= point) continue; /* it ends there */
    if (isnan(next) && to - until <= 2 * point) continue;
    if (live->last < to - from) live->last = to - from;
    earliest = fmin(earliest, isnan(next) ? from + MARGIN * (until - from) : aim(s, from, until));
  }
  if (isfinite(earliest) && live->cuts < MOST_CUTS) {
    live->cuts++;
    return earliest;
  }
  for (int i = 0; i < live->count; i++) {
    item *x = &live->item[i];
    if (!is_watched(x)) continue;
    if (isfinite(earliest)) x->unbounded += to - from, tell_unbounded(s, x);
  }
  if (live->cuts == 0 || live->last == 0) live->last = to - from;
  live->cuts = 0;
  return INFINITY;
}

/* ---- fixed steps ---- */

/* An equation that stays zero has no size of its own to compare with: that of its terms, but at least what a tenth of the
 * model, or of a radian, makes of it. */
static double size_of_equation(const sn_simulation *s, const item *x, double t) {
  double gradient[SN_EXPR_VARIABLES], sum = 0;
  sn_jet jet[SN_EXPR_VARIABLES];
  const int n = x->formula->variables;
  gradient_at(x, t, jet, gradient);
  for (int k = 0; k < n; k++)
    if (x->formula->s[k] && isfinite(gradient[k])) sum += fabs(gradient[k]);
  return fmax(x->largest, 0.1 * fmin(1, s->evidence.size) * sum);
}

void sn_check_live_fixed(sn_simulation *s) {
  struct sn_live *live = s->live;
  const double from = s->before.t, to = s->state.t, point = point_of(s);
  long *count = &s->system->statistics.unseen_loads;
  if (!live || to - from <= 8 * point || *count >= ENOUGH) return;
  follow(s, from, to);
  for (int i = 0; i < live->count; i++) {
    item *x = &live->item[i];
    const bool before = x->doubtful;
    double next;
    x->doubtful = false;
    if (!is_watched(x)) continue;
    set_least(x, from, to);
    if (x->formula->stays_zero) x->r.least = size_of_equation(s, x, to);
    if (sn_resolved_until(&x->r, from, to, point / 16, &next) >= to) continue;
    x->doubtful = sn_misjudged(&x->r, from, to) > MISJUDGED;
    if (!(before && x->doubtful) && !(sn_unseen(&x->r, from, to) > UNSEEN)) continue;
    if ((*count)++ > 0) continue;
    sn_add_doubt(
        s, SN_DOUBTFUL,
        sn_format(&s->arena,
                  "the expression of '%s' changes too much within one fixed step (%g s), first at t = %g s: use a "
                  "smaller step%s",
                  x->formula->owner, to - from, from, sn_remedy_adaptive(s)));
  }
}
