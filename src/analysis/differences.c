/* differences.c - see differences.h.
 *
 * The errors of a run follow from its differences as those of positions do (companion.c):  d = |x - y|/(1 - 1/f),  f
 * times finer than the run is its companion.
 *
 * Velocities, forces and signals may jump, where an expression does or a body is struck. Two runs jump at times that
 * differ by their error in time, and a row between these times shows the whole jump. So the difference of such an output
 * is what two successive rows have: min(d(i-1), d(i)). A row alone counts by what it is outside all values that the
 * companion has had in its steps since the row before and has up to the next one. Of rows nearer to each other than two
 * fixed steps the first counts: a rebound takes place at the end of a step. Where nothing makes the motion jump, every
 * row counts.
 *
 * Vibrations of parts are out of step by an error that grows with time. Where the companion has ended before the run,
 * the differences are those that go on growing in proportion to time.
 *
 * An expression may be the difference of large numbers, such as energy that is conserved, which is nothing but errors.
 * What allowed errors of the coordinates and velocities make of it, f(q + dq, v + dv) - f(q, v), does not count.
 */
#include "analysis/differences.h"

#include <math.h>
#include <string.h>

#include "analysis/companion.h"
#include "analysis/evidence.h"
#include "analysis/parts.h"
#include "joint/quantity.h"
#include "model/materials.h"

static const double LITTLE = 0.01; /* of the largest alike in the model: below it none is compared with itself */
/* Of what forces, moments and kinetic energy make of each other over the size of the model: below it all forces are zero
 * up to rounding. */
static const double NO_FORCE = 1e-9;
static const double NO_STRAIN = 1e-7; /* on a surface; 1e-8 in the mean of a section: 20 times what Newton leaves */
/* In joints of flexible bodies, whose other loads may be moments alone: a hundredth of the above, as forces across a line are
 * far below EA. */
static const double NO_STRAIN_OF_JOINTS = 1e-10;
static const double NOTHING = 1e-9; /* SI units: of anything else */
static const double AT_REST = 1e-3; /* of the size of the model, or of 1 rad, in the time of the run */
/* Tolerances of complementarity: bodies at rest are slower than ten of them, two runs differ by twice that, half of their
 * errors, of which a twentieth is allowed. */
static const double OPEN = 800;
static const double ALLOWED = 10; /* tolerances, as of positions; fixed steps: */
static const double ALLOWED_FIXED = 1e-3;

typedef enum group { A_FORCE, A_MOMENT, A_STRESS, AN_ACCELERATION, A_SIGNAL, GROUPS } group;

typedef struct difference {
  sn_part part; /* columns of the row */
  group group;
  int output, column; /* of it: the first */
  double size, off;   /* largest */
  double before;      /* off in the row before */
} difference;

struct sn_differences {
  int count;
  difference *item;
  double from;                        /* time of the row before; NaN: there is none */
  double *mine;                       /* that row, and values of the companion: */
  double *low, *high;                 /* since then, */
  double *earlier_low, *earlier_high; /* from the row before it to that one */
  sn_state moved;                     /* by allowed errors; only where there are expressions */
  bool moves;
};

/* ---- the parts ---- */

static bool has_unit(const sn_output *o, const sn_part *part, const char *unit) {
  return strcmp(o->unit[part->first], unit) == 0;
}

/* Of plates, forces and moments per length. */
static bool is_sheet(const sn_output *o) {
  for (int k = 0; k < o->columns; k++)
    if (strcmp(o->unit[k], "N/m") == 0) return true;
  return false;
}

static group group_of(const sn_output *o, const sn_part *part) {
  const bool sheet = is_sheet(o);
  if (part->kind == SN_PART_ACCELERATION) return o->type == SN_OUTPUT_POINT ? AN_ACCELERATION : GROUPS;
  if (part->kind != SN_PART_SIGNAL) return GROUPS;
  if (o->type == SN_OUTPUT_STRESS) return A_STRESS;
  if (o->type == SN_OUTPUT_REACTION || o->type == SN_OUTPUT_FORCE || o->type == SN_OUTPUT_RESULTANT ||
      o->type == SN_OUTPUT_SPRING) {
    if (has_unit(o, part, sheet ? "N/m" : "N")) return A_FORCE;
    if (has_unit(o, part, sheet ? "N" : "N m")) return A_MOMENT;
  }
  return A_SIGNAL;
}

void sn_create_differences(sn_simulation *s) {
  const sn_model *m = s->model;
  int first = 0;
  struct sn_differences *d = s->differences = SN_NEW(&s->arena, struct sn_differences, 1);
  const size_t columns = (size_t)s->output_columns;
  d->item = SN_NEW(&s->arena, difference, columns + 1);
  d->mine = SN_NEW(&s->arena, double, 5 * columns + 1);
  d->low = d->mine + columns, d->high = d->low + columns;
  d->earlier_low = d->high + columns, d->earlier_high = d->earlier_low + columns;
  for (int i = 0; i < m->outputs; first += m->output[i++].columns) {
    sn_part part[SN_OUTPUT_COLUMNS];
    const int parts = sn_output_parts(&m->output[i], part);
    for (int k = 0; k < parts; k++) {
      difference x = {
          .part = part[k], .group = group_of(&m->output[i], &part[k]), .output = i, .column = part[k].first};
      x.part.first += first;
      if (x.group < GROUPS) d->item[d->count++] = x;
    }
  }
}

void sn_begin_differences(sn_simulation *s) {
  struct sn_differences *d = s->differences;
  const bool created = d->moves;
  for (int i = 0; i < s->model->outputs; i++) d->moves = d->moves || s->model->output[i].type == SN_OUTPUT_EXPRESSION;
  if (d->moves && !created) sn_state_create(s->audit, &d->moved);
  d->from = NAN;
}

/* ---- rows ---- */

static double allowed(const sn_simulation *s, double unit, double x) {
  return s->settings->step > 0 ? ALLOWED_FIXED * fmax(unit, fabs(x)) : ALLOWED * sn_allowed(sn_asked(s), unit, x);
}

/* Signs without a rhythm, so that errors of neighbors do not cancel. */
static double sign_of(int i) {
  const uint32_t mixed = (uint32_t)i * 2654435761U;
  return (mixed ^ mixed >> 15) & 1 ? 1 : -1;
}

/* The state of the companion with allowed errors. */
static void move(sn_simulation *s, const sn_simulation *companion) {
  sn_state *x = &s->differences->moved;
  sn_state_copy(s->audit, x, &companion->sample);
  for (int i = 0; i < s->model->n; i++) {
    x->q[i] += sign_of(2 * i) * allowed(s, s->model->unit[i], x->q[i]);
    x->v[i] += sign_of(2 * i + 1) * allowed(s, s->model->unit[i], x->v[i]);
  }
}

/* What is left of the difference of a part of an expression. */
static double beyond_allowed(sn_simulation *s, sn_simulation *companion, const difference *x, const sn_row *its,
                             double off) {
  const sn_eval ev = sn_eval_at(companion, &s->differences->moved);
  const double moved = sn_quantity_value(&s->model->output[x->output].quantity[x->column], &ev);
  return fmax(0, off - fabs(moved - its->values[x->part.first]));
}

/* Are there contacts, stops, events, ropes that go taut, samples, or expressions of the state? */
static bool may_jump(const sn_simulation *s) {
  return s->model->surfaces || s->crossings || s->live || s->model->sampled || s->hooks;
}

static bool item_may_jump(const sn_simulation *s, const difference *x) {
  return may_jump(s) || s->model->output[x->output].type == SN_OUTPUT_EXPRESSION;
}

/* Values of the companion. */
static void widen(const sn_simulation *s, const double *its) {
  struct sn_differences *d = s->differences;
  for (int k = 0; k < s->output_columns; k++) {
    d->low[k] = fmin(d->low[k], its[k]);
    d->high[k] = fmax(d->high[k], its[k]);
  }
}

/* Impulses act in single steps, and no other run has the same: with them a row alone says nothing. */
static bool has_impulses(const sn_simulation *s) {
  return s->ops->impulsive;
}

void sn_follow_companion(sn_simulation *s, sn_simulation *companion, sn_row *row) {
  if (has_impulses(s) || isnan(s->differences->from) || !(may_jump(s) || s->differences->moves)) return;
  sn_sample(companion, companion->state.t, row);
  widen(s, row->values);
}

/* The next interval begins with this row. */
static void begin_interval(const sn_simulation *s, const sn_row *mine, const sn_row *its) {
  struct sn_differences *d = s->differences;
  const size_t size = (size_t)s->output_columns * sizeof(double);
  memcpy(d->earlier_low, isnan(d->from) ? its->values : d->low, size);
  memcpy(d->earlier_high, isnan(d->from) ? its->values : d->high, size);
  memcpy(d->low, its->values, size);
  memcpy(d->high, its->values, size);
  memcpy(d->mine, mine->values, size);
  d->from = mine->t;
}

/* The row before: by how much it is outside the values of the companion around it. */
static double outside(const struct sn_differences *d, const sn_part *part) {
  double sum = 0;
  for (int k = part->first; k < part->first + part->count; k++) {
    const double low = fmin(d->low[k], d->earlier_low[k]), high = fmax(d->high[k], d->earlier_high[k]);
    const double off = fmax(0, fmax(low - d->mine[k], d->mine[k] - high));
    sum += off * off;
  }
  return sqrt(sum);
}

void sn_compare_outputs(sn_simulation *s, sn_simulation *companion, double part, const sn_row *mine,
                        const sn_row *its) {
  struct sn_differences *d = s->differences;
  const bool first = isnan(d->from), near = mine->t - d->from < (s->settings->step > 0 ? 2 * s->settings->step : 0);
  if (!first) widen(s, its->values);
  if (d->moves) move(s, companion);
  for (int i = 0; i < d->count; i++) {
    difference *x = &d->item[i];
    double off = sn_part_distance(&x->part, mine->values, its->values) / part;
    if (s->model->output[x->output].type == SN_OUTPUT_EXPRESSION && off > 0)
      off = beyond_allowed(s, companion, x, its, off);
    x->size = fmax(x->size, sn_part_size(&x->part, mine->values));
    if (!item_may_jump(s, x)) x->off = fmax(x->off, off);
    if (!item_may_jump(s, x) || near) continue;
    const double alone = first || has_impulses(s) ? 0 : outside(d, &x->part) / part;
    if (!first) x->off = fmax(x->off, fmin(x->before, fmax(off, alone)));
    x->before = off;
  }
  if (!near) begin_interval(s, mine, its);
}

void sn_follow_outputs(sn_simulation *s, const sn_row *row) {
  for (int i = 0; i < s->differences->count; i++) {
    difference *x = &s->differences->item[i];
    x->size = fmax(x->size, sn_part_size(&x->part, row->values));
  }
}

/* ---- what is nothing ---- */

static double largest_of(const sn_simulation *s, group kind) {
  double largest = 0;
  for (int i = 0; i < s->differences->count; i++)
    if (s->differences->item[i].group == kind) largest = fmax(largest, s->differences->item[i].size);
  return largest;
}

/* Force, moment and stress that a strain of 1 means where resultants or stresses are recorded: a tenth of EA and of EA times
 * the height, and E; of plates per length. */
static double elastic(const sn_simulation *s, group kind) {
  double most = 0;
  for (int i = 0; i < s->model->outputs; i++) {
    const sn_output *o = &s->model->output[i];
    if (o->type != SN_OUTPUT_STRESS && o->type != SN_OUTPUT_RESULTANT) continue;
    const sn_body *body = o->marker.body;
    const sn_spec *const *material = sn_field_value(body->spec, "material");
    const double E = ((const sn_material_spec *)(const void *)*material)->young;
    sn_geometry g = {0};
    body->ops->geometry(body, &g);
    const double EA = g.stiffness > 0 ? g.stiffness : E * g.size[0];
    if (kind == A_STRESS && o->type == SN_OUTPUT_STRESS) most = fmax(most, E);
    if (o->type != SN_OUTPUT_RESULTANT) continue;
    if (kind == A_FORCE) most = fmax(most, EA / 10);
    if (kind == A_MOMENT) most = fmax(most, EA / 10 * fmax(g.size[0], g.size[1]));
  }
  return most;
}

static double held(const sn_body *body, group kind) {
  sn_geometry g = {0};
  if (!body->ops->resultants || !body->ops->geometry) return 0;
  body->ops->geometry(body, &g);
  return g.stiffness * (kind == A_FORCE ? 1 : fmax(g.size[0], g.size[1]));
}

/* EA, or EA times the height, of the stiffest line at a joint whose reaction is recorded. */
static double stiffest_held(const sn_simulation *s, group kind) {
  double most = 0;
  for (int i = 0; i < s->model->outputs && kind != A_STRESS; i++) {
    const sn_output *o = &s->model->output[i];
    if (o->type != SN_OUTPUT_REACTION) continue;
    for (int k = 0; k < 2; k++) {
      const sn_body *body = s->model->joint[o->joint].marker[k].body;
      if (body) most = fmax(most, held(body, kind));
    }
  }
  return most;
}

/* What a kind of force is at least compared with: forces F = M/L and T/L, moments M = F L and T; and what a strain means
 * that is nothing. */
static double rounding_of(const sn_simulation *s, group kind) {
  const double L = s->evidence.size, T = s->evidence.high[SN_E_KINETIC],
               strain = fmax(NO_STRAIN * elastic(s, kind), NO_STRAIN_OF_JOINTS * stiffest_held(s, kind));
  if (kind == A_FORCE) return fmax(NO_FORCE * fmax(largest_of(s, A_MOMENT), T) / L, strain);
  if (kind == A_MOMENT) return fmax(NO_FORCE * fmax(largest_of(s, A_FORCE) * L, T), strain);
  return strain;
}

static const char *unit_of(const sn_simulation *s, const difference *x) {
  return s->model->output[x->output].unit[x->column];
}

static double largest_with(const sn_simulation *s, const char *unit) {
  double largest = 0;
  for (int i = 0; i < s->differences->count; i++)
    if (strcmp(unit_of(s, &s->differences->item[i]), unit) == 0) largest = fmax(largest, s->differences->item[i].size);
  return largest;
}

/* Contacts by complementarity leave speeds of their tolerance open: those of bodies at rest are nothing else. */
static double open_speed(const sn_simulation *s) {
  const sn_surfaces *surfaces = s->model->surfaces;
  return surfaces && surfaces->dvi && s->ops->impulsive ? OPEN * sn_setting(s, "contact_tolerance") : 0;
}

static double tolerance_of(const sn_simulation *s) {
  return s->settings->step > 0 ? ALLOWED_FIXED / ALLOWED : sn_evidence_tolerance(s);
}

/* Lengths may be off by what points may, of the way of points: a travel that stays zero is nothing but errors. Without
 * points, of the unit of tolerances. */
static double least_length(const sn_simulation *s) {
  const double way = sn_length_of_motion(s), unit = fmin(1, s->evidence.size);
  return ALLOWED * tolerance_of(s) * (way > 0 ? way : unit) / SN_OUTPUTS_OFF;
}

/* Of a velocity, which is zero up to errors: tolerances in 1 s, as those of methods. `unit` in 1 s. */
static double least_rate(const sn_simulation *s, double unit) {
  return ALLOWED * tolerance_of(s) * fmin(1, unit) / SN_OUTPUTS_OFF;
}

/* Of a strain and a curvature; in time t. */
static double least_signal(const sn_simulation *s, const difference *x) {
  const char *unit = unit_of(s, x);
  const sn_output *o = &s->model->output[x->output];
  const double alike = unit[0] && strcmp(unit, "1") != 0 ? LITTLE * largest_with(s, unit) : 0;
  const double L = s->evidence.size, t = s->system->statistics.estimated_until - s->begin;
  double nothing = NOTHING;
  if (strcmp(unit, "N") == 0) nothing = rounding_of(s, A_FORCE);
  if (strcmp(unit, "N m") == 0) nothing = rounding_of(s, A_MOMENT);
  if (strcmp(unit, "m") == 0) nothing = fmax(nothing, least_length(s));
  if (strcmp(unit, "m/s") == 0 && t > 0) nothing = fmax(fmax(AT_REST * L / t, open_speed(s)), least_rate(s, L));
  if (strcmp(unit, "rad/s") == 0 && t > 0) nothing = fmax(fmax(AT_REST / t, open_speed(s) / L), least_rate(s, 1));
  if (o->type == SN_OUTPUT_RESULTANT) {
    sn_geometry g = {0};
    o->marker.body->ops->geometry(o->marker.body, &g);
    nothing = NO_STRAIN / (strcmp(unit, "1") == 0 ? 1 : fmax(g.size[0], g.size[1]));
  }
  return fmax(alike, nothing);
}

/* ---- the worst ---- */

static double worst_of(const sn_simulation *s, group kind, int *output) {
  const double largest = largest_of(s, kind), least = fmax(LITTLE * largest, rounding_of(s, kind));
  double worst = 0;
  for (int i = 0; i < s->differences->count && largest > 0; i++) {
    const difference *x = &s->differences->item[i];
    if (x->group != kind) continue;
    const double off = x->off / fmax(x->size, kind == A_SIGNAL ? least_signal(s, x) : least);
    if (off > worst) worst = off, *output = x->output;
  }
  return worst;
}

double sn_reaction_difference(const sn_simulation *s, int *output) {
  double worst = 0;
  for (int kind = A_FORCE; kind <= A_STRESS; kind++) {
    int other = 0;
    const double of = worst_of(s, (group)kind, &other);
    if (of > worst && output) *output = other;
    worst = fmax(worst, of);
  }
  return worst;
}

double sn_signal_difference(const sn_simulation *s, int *output) {
  int other = 0;
  return worst_of(s, A_SIGNAL, output ? output : &other);
}

double sn_acceleration_difference(const sn_simulation *s) {
  int output = 0;
  return worst_of(s, AN_ACCELERATION, &output);
}

void sn_differences_history(sn_simulation *s, sn_history *h) {
  for (int i = 0; i < s->differences->count; i++) {
    difference *x = &s->differences->item[i];
    sn_history_real(h, &x->size);
    sn_history_real(h, &x->off);
  }
}
