/* evidence.c - see evidence.h. */
#include "analysis/evidence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/axial.h"
#include "analysis/differences.h"
#include "analysis/formulation.h"
#include "analysis/holes.h"
#include "analysis/mesh_error.h"
#include "analysis/rolling.h"
#include "analysis/spinning.h"
#include "analysis/trust.h"
#include "analysis/trust_remedy.h"
#include "analysis/twisting.h"
#include "joint/guide.h"
#include "math/constants.h"
#include "math/vec3.h"
#include "model/formula.h"

/* ---- energy ---- */

double sn_evidence_tolerance(const sn_simulation *s) {
  const sn_integrator_spec *x = sn_asked(s);
  if (!s->ops || x->step > 0) return 0;
  return fmax(x->relative > 0 ? x->relative : x->tolerance, x->absolute > 0 ? x->absolute : x->tolerance);
}

static double exchanged(const sn_evidence *e) {
  double most = e->high[SN_E_KINETIC], work = 0;
  for (int k = SN_E_KINETIC + 1; k < SN_E_APPLIED; k++) most = fmax(most, e->high[k] - e->low[k]);
  for (int k = SN_E_APPLIED; k < SN_E_TOTAL; k++) work += e->high[k] - e->low[k];
  return most + work;
}

/* Contact forces satisfy velocities to contact_tolerance: weights may do the corresponding work. */
static double work_of_contacts(const sn_simulation *s) {
  if (!s->ops->impulsive || !s->model->surfaces || !s->model->surfaces->dvi) return 0;
  const double *g = s->model->gravity;
  double weight = 2 * s->evidence.unit * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  return weight * sn_setting(s, "contact_tolerance") * (s->state.t - s->begin);
}

/* Weights at rest sink by as much as joints are open, less than the tolerance. Into penalty contacts they sink by
 * less than the tolerance too, which adaptive steps need not resolve: as much as the rules allow of the energy of a fall
 * by the size of the model. The estimate shows errors of smaller motions. */
static double work_of_weights(const sn_simulation *s, double at_rest) {
  const double *g = s->model->gravity, sunk = sn_evidence_tolerance(s) * s->evidence.size;
  const double weight = 2 * s->evidence.unit * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  if (s->model->surfaces && s->model->surfaces->penalty) return 5 * weight / s->model->dim * sunk;
  return s->evidence.high[SN_E_KINETIC] > at_rest ? 0 : weight * fmin(s->largest_constraint[0], sunk);
}

/* Energy of velocities below the tolerance (fixed steps: 1e-9), which bodies at rest have by rounding. */
static double energy_at_rest(const sn_simulation *s) {
  const double speed = fmax(sn_evidence_tolerance(s), 1e-9);
  return speed * speed * s->evidence.unit;
}

/* Of the current stage: error over the energy exchanged. Rounding of sums of large energies does not count as an error,
 * nor does that of bodies at rest. */
static double ratio(const sn_simulation *s) {
  const sn_evidence *e = &s->evidence;
  const double rounding = 1e-11;
  double size = 0;
  if (!s->ops || !e->rows)
    return 0; /* only dynamics has an energy error: elsewhere motion does not follow from forces */
  for (int k = 0; k < SN_E_TOTAL; k++) size = fmax(size, fmax(fabs(e->low[k]), fabs(e->high[k])));
  const double at_rest = energy_at_rest(s);
  if (fabs(e->error) <= rounding * size + at_rest + work_of_contacts(s) + work_of_weights(s, at_rest)) return 0;
  double all = exchanged(e);
  return all > 0 ? e->error / all : copysign(1, e->error);
}

/* The part of deflections; and of swings, each of which drifts in phase by pi/2 of what it lacks itself. */
static double missing(const sn_simulation *s) {
  const sn_evidence *e = &s->evidence;
  const double all = s->ops && e->rows ? exchanged(e) : 0;
  if (!(all > energy_at_rest(s))) return 0;
  return fmax(e->missing / fmax(all, e->high[SN_E_STRAIN]), e->swing_missing / all * SN_PI / 2);
}

static double larger(double a, double b) {
  return !(fabs(b) <= fabs(a)) ? b : a; /* NaN wins */
}

double sn_evidence_energy(const sn_simulation *s) {
  return larger(s->evidence.energy, ratio(s));
}

double sn_evidence_energy_tolerance(const sn_simulation *s) {
  double tolerance = sn_evidence_tolerance(s);
  return larger(s->evidence.energy_tolerance, tolerance > 0 ? ratio(s) / tolerance : 0);
}

double sn_evidence_exchanged(const sn_simulation *s) {
  return exchanged(&s->evidence);
}

double sn_evidence_mesh(const sn_simulation *s) {
  return larger(s->evidence.mesh, missing(s));
}

/* ---- size ---- */

/* Diagonal of the box around a curve that a joint follows: its point may be anywhere on it. */
static double curve_extent(const sn_simulation *s, const sn_joint *joint) {
  double points[9][3], sum = 0;
  const int count = joint->ops->doubt ? sn_guide_points(s->model, joint, s->state.q, SN_COUNT(points), points) : 0;
  for (int k = 0; k < s->model->dim && count > 0; k++) {
    double low = points[0][k], high = low;
    for (int i = 1; i < count; i++) low = fmin(low, points[i][k]), high = fmax(high, points[i][k]);
    sum += (high - low) * (high - low);
  }
  return sqrt(sum);
}

static double size_of(const sn_simulation *s) {
  double size = sn_model_extent(s->model, s->state.q);
  for (int j = 0; j < s->model->joints; j++) size = fmax(size, curve_extent(s, &s->model->joint[j]));
  return size;
}

/* ---- bending of elements ---- */

static double angle_between(const double *a, const double *b, int dim) {
  double x[3] = {a[0], a[1], dim > 2 ? a[2] : 0}, y[3] = {b[0], b[1], dim > 2 ? b[2] : 0}, z[3];
  sn_cross(z, x, y);
  return atan2(sqrt(sn_dot(z, z)), sn_dot(x, y));
}

static void note_bend(sn_evidence *e, double angle, int body) {
  if (angle > e->bend) e->bend = angle, e->bent = body;
}

/* Lines and surfaces of nodes r, r', ...: the turn of the slopes from node to node. */
static void bend_of_nodes(const sn_model *m, int index, const sn_geometry *geometry, const double *q, sn_evidence *e) {
  const sn_body *body = &m->body[index];
  const double *q0 = m->q0;
  const int dim = m->dim;
  int stride, nodes = sn_body_nodes(body, geometry, &stride);
  bool surface = geometry->type == SN_GEOMETRY_SURFACE, chain = geometry->type == SN_GEOMETRY_CHAIN;
  if (nodes < 2 || stride < (chain ? 3 : 2 * dim)) return;
  int columns = surface ? geometry->grid[0] + 1 : nodes;
  for (int edge = 0; edge < (surface ? 2 : 1); edge++) {
    int next = edge == 0 ? 1 : columns, slope = (1 + edge) * dim;
    for (int i = 0; i + next < nodes; i++) {
      if (edge == 0 && i % columns == columns - 1) continue;
      const size_t a = (size_t)body->first + (size_t)i * (size_t)stride, b = a + (size_t)next * (size_t)stride;
      double turn, at_start;
      if (chain) {
        turn = fabs(q[b + 2] - q[a + 2]), at_start = fabs(q0[b + 2] - q0[a + 2]);
      } else {
        turn = angle_between(q + a + slope, q + b + slope, dim);
        at_start = angle_between(q0 + a + slope, q0 + b + slope, dim);
      }
      note_bend(e, fmax(turn, at_start), index);
    }
  }
}

/* Floating bodies: the largest rotation of a node in the frame, which linear elasticity takes for small. */
static double turn_of_floating(const sn_model *m, int index, const sn_geometry *geometry, const double *q,
                               sn_evidence *e) {
  const sn_body *body = &m->body[index];
  const int dim = m->dim;
  const int frame = dim == 2 ? 3 : 7, freedoms = dim == 2 ? 3 : 6, rotation = dim == 2 ? 2 : 3;
  const double *own = q + body->first + frame;
  double most = 0;
  for (int i = 0; geometry->freedom && i < geometry->freedoms; i++) {
    int z = geometry->freedom[i];
    if (i % freedoms < rotation || z < 0) continue;
    double angle = 0;
    if (geometry->basis)
      for (int k = 0; k < geometry->reduced; k++)
        angle += geometry->basis[(size_t)z * (size_t)geometry->reduced + (size_t)k] * own[k];
    else
      angle = own[z];
    most = fmax(most, fabs(angle));
  }
  if (most > e->turn) e->turn = most, e->turned = index;
  return most;
}

static bool is_floating(const sn_model *m, int body) {
  return body >= 0 && m->body[body].groups > 1 && sn_body_geometry(&m->body[body]).type == SN_GEOMETRY_FLOATING;
}

static void look_at_shapes(sn_simulation *s, const double *q) {
  const sn_model *m = s->model;
  for (int i = 0; i < m->bodies; i++) {
    const sn_body *body = &m->body[i];
    if (body->groups < 2) continue;
    sn_geometry geometry = sn_body_geometry(body);
    if (geometry.type == SN_GEOMETRY_FLOATING) {
      const double turned = turn_of_floating(m, i, &geometry, q, &s->evidence);
      sn_axial_look(s, i, &geometry, q, turned);
    } else
      bend_of_nodes(m, i, &geometry, q, &s->evidence);
    sn_twisting_look(s, i, &geometry, q);
  }
}

/* ---- shift in time ---- */

static int count_points(const sn_model *m) {
  int count = 0;
  for (int i = 0; i < m->outputs; i++) count += m->output[i].type == SN_OUTPUT_POINT;
  return count;
}

static size_t size_of_points(const sn_model *m) {
  const int points = count_points(m);
  return (size_t)(points > 0 ? points * m->dim : m->n);
}

/* Made with the first row. */
static double *points_of(sn_simulation *s) {
  sn_evidence *e = &s->evidence;
  if (!e->points) e->points = SN_NEW(&s->arena, double, size_of_points(s->model) + 1);
  return e->points;
}

static double length_of(const double *x, const double *from, int dim) {
  double sum = 0;
  for (int k = 0; k < dim; k++) sum += (x[k] - (from ? from[k] : 0)) * (x[k] - (from ? from[k] : 0));
  return sqrt(sum);
}

/* One point, or coordinate, x with velocity v; x0: where it was at the start. */
static void follow_point(sn_evidence *e, int dim, const double *x, const double *v, double *x0) {
  if (e->rows == 0) memcpy(x0, x, (size_t)dim * sizeof(double));
  e->displacement = fmax(e->displacement, length_of(x, x0, dim));
  e->late = fmax(e->late, fabs(e->shift) * length_of(v, NULL, dim));
}

/* A motion with an energy error e is too fast by the factor e/(2 T): it is ahead by int e/(2 T) dt, and the error of
 * points is this time times their velocity. Below a twentieth of the largest T the motion reverses, and the estimate is
 * not valid. */
static void follow_shift(sn_simulation *s, const sn_row *row) {
  sn_evidence *e = &s->evidence;
  const sn_model *m = s->model;
  const double kinetic = row->energy[SN_E_KINETIC], error = row->energy[SN_E_ERROR];
  const double rate = kinetic > SN_TURNS * e->high[SN_E_KINETIC] ? error / (2 * kinetic) : 0;
  if (e->rows > 0) e->shift += (rate + e->rate) / 2 * (row->t - e->shift_t);
  e->rate = rate;
  e->shift_t = row->t;
  const double *values = row->values;
  double *x0 = points_of(s);
  for (int i = 0; i < m->outputs; values += m->output[i++].columns)
    if (m->output[i].type == SN_OUTPUT_POINT) follow_point(e, m->dim, values, values + m->dim, x0), x0 += m->dim;
  if (x0 == e->points)
    for (int i = 0; i < m->n; i++) follow_point(e, 1, row->q + i, row->v + i, x0 + i);
}

/* The current stage. In driven motion, or if the motion reverses, the error does not accumulate. */
static double late(const sn_simulation *s) {
  const sn_evidence *e = &s->evidence;
  const bool driven = e->high[SN_E_DRIVER] > e->low[SN_E_DRIVER];
  const bool turns = e->swings > 0 && e->slowest <= SN_TURNS * e->high[SN_E_KINETIC];
  const double tolerance = sn_evidence_tolerance(s);
  return tolerance > 0 && e->rows && !driven && !turns && ratio(s) != 0 && e->displacement > 0
             ? e->late / e->displacement / tolerance
             : 0;
}

double sn_evidence_late(const sn_simulation *s) {
  return larger(s->evidence.late_tolerance, late(s));
}

/* ---- the run ---- */

static double unit_energy(sn_simulation *s) {
  sn_energy energy;
  sn_state x = s->sample;
  sn_state_copy(s->audit, &x, &s->state);
  for (int i = 0; i < s->model->n; i++) x.v[i] = 1;
  sn_system_energy(s->audit, &x, &energy);
  return energy.kinetic;
}

void sn_evidence_begin(sn_simulation *s) {
  sn_evidence *e = &s->evidence;
  if (s->stage == 0) {
    e->unit = unit_energy(s);
    e->size = size_of(s);
    e->velocity_change = s->analysis->quasi_static ? 0 : s->start.written_change;
  }
  sn_axial_begin(s);
  sn_formulation_begin(s);
  sn_twisting_begin(s);
  sn_rolling_begin(s);
  sn_holes_begin(s);
  e->rows = 0;
  e->error = e->sound = e->diverged = e->missing = e->swing_missing = 0;
  e->displacement = e->late = e->shift = e->rate = 0;
  e->apart = e->variables_apart = 0;
}

/* The integrator of a stage goes when it ends, and the tolerance with it: what it came to is kept now. */
double sn_evidence_released(const sn_simulation *s) {
  const sn_evidence *e = &s->evidence;
  if (s->stage > 0 || e->rows == 0 || !(e->low[SN_E_CONTACT] < 0.1 * e->stored)) return e->released;
  return fmax(e->released, (e->stored - e->low[SN_E_CONTACT]) / exchanged(e));
}

void sn_evidence_end(sn_simulation *s) {
  s->evidence.released = sn_evidence_released(s);
  s->evidence.energy = sn_evidence_energy(s);
  s->evidence.energy_tolerance = sn_evidence_energy_tolerance(s);
  s->evidence.late_tolerance = sn_evidence_late(s);
  s->evidence.mesh = sn_evidence_mesh(s);
  sn_formulation_end(s);
  s->evidence.earlier = s->system->statistics.estimated_error;
  s->evidence.rows = 0;
}

/* In periodic motion an energy error accumulates from oscillation to oscillation as a shift in time. */
static void count_swings(sn_evidence *e, double kinetic) {
  const double part = 0.1 * e->high[SN_E_KINETIC];
  if (e->rows == 0) e->turning = kinetic, e->falling = true;
  if (e->falling ? kinetic < e->turning : kinetic > e->turning) e->turning = kinetic;
  if (e->falling && kinetic > e->turning + part && part > 0) {
    e->slowest = e->swings ? fmin(e->slowest, e->turning) : e->turning;
    e->falling = false, e->turning = kinetic, e->swings++;
  } else if (!e->falling && kinetic < e->turning - part)
    e->falling = true, e->turning = kinetic;
}

/* Bodies at rest exchange rounding errors: what has less energy than at 1 m/s has not diverged. */
static double most_error(const sn_evidence *e) {
  return fmax(SN_DIVERGED * e->sound, e->unit);
}

/* An error beyond all energy that the motion had while it was sound: it is no motion of the model any more. Statics and
 * kinematics have no energy error. */
static void look_at_growth(sn_simulation *s) {
  sn_evidence *e = &s->evidence;
  const double small = 0.1, all = exchanged(e), error = fabs(e->error);
  if (!s->ops) return;
  if (error <= small * all) e->sound = fmax(e->sound, all);
  const bool many = e->sound > 0 && error > most_error(e);
  if (many || e->blown_up) e->diverged = fmax(error, e->sound);
}

/* Where Newton's method fails, steps are cut, and no row may lie between them. */
static void look_after_failures(sn_simulation *s) {
  sn_evidence *e = &s->evidence;
  const long rejections = s->system->statistics.newton_rejections;
  if (rejections == e->rejections) return;
  e->rejections = rejections;
  const double error = fabs(sn_energy_error(s));
  if (e->sound > 0 && !(error <= most_error(e))) e->diverged = error;
}

sn_status sn_check_growth(sn_simulation *s) {
  const sn_evidence *e = &s->evidence;
  if (e->diverged == 0) return SN_OK;
  return sn_fail(s->context, SN_NUMERICS,
                 "the motion has diverged before t = %g s: the energy error of %.2g J is more than %g times the energy "
                 "that was exchanged before (%.2g J)\n  possible remedy: %s",
                 s->state.t, e->diverged, SN_DIVERGED, e->sound, sn_remedy_accuracy(s));
}

void sn_evidence_row(sn_simulation *s, const sn_row *row) {
  sn_evidence *e = &s->evidence;
  for (int k = 0; k < SN_E_TOTAL; k++) {
    e->low[k] = e->rows ? fmin(e->low[k], row->energy[k]) : row->energy[k];
    e->high[k] = e->rows ? fmax(e->high[k], row->energy[k]) : row->energy[k];
  }
  count_swings(e, row->energy[SN_E_KINETIC]);
  follow_shift(s, row);
  e->error = larger(e->error, row->energy[SN_E_ERROR]);
  if (!isfinite(row->energy[SN_E_TOTAL])) e->blown_up = true;
  look_at_growth(s);
  sn_doubt_row(s, row);
  for (int i = 0; i < row->touching.count; i++) e->depth = fmax(e->depth, -row->touching.contact[i]->gap);
  if (s->stage == 0 && e->rows == 0) e->stored = row->energy[SN_E_CONTACT];
  sn_holes_row(s);
  sn_rolling_row(s, row, e->rows > 0 ? row->t - e->spun_t : 0);
  sn_follow_spinning(s, row);
  sn_follow_mesh(s, row);
  sn_formulation_row(s, row);
  e->rows++;
  look_at_shapes(s, row->q);
}

/* Work may come and go between two rows: it is exchanged all the same. */
static void follow_work(sn_simulation *s) {
  sn_evidence *e = &s->evidence;
  for (int k = 0; k < SN_WORKS && e->rows > 0; k++) {
    e->low[SN_E_APPLIED + k] = fmin(e->low[SN_E_APPLIED + k], s->work[k]);
    e->high[SN_E_APPLIED + k] = fmax(e->high[SN_E_APPLIED + k], s->work[k]);
  }
}

/* So do the other energies, as of a vibration whose periods are those of the rows. Some steps show it; their number has
 * no rhythm of its own. */
static void follow_energies(sn_simulation *s) {
  enum { SELDOM = 61 };
  sn_evidence *e = &s->evidence;
  sn_energy x;
  if (e->rows == 0 || s->system->statistics.steps % SELDOM) return;
  sn_total_energy(s->audit, &s->state, &x);
  const double now[] = {[SN_E_KINETIC] = x.kinetic,
                        [SN_E_STRAIN] = x.strain,
                        [SN_E_GRAVITY] = x.gravity,
                        [SN_E_SPRING] = x.spring,
                        [SN_E_CONTACT] = x.contact};
  for (size_t k = 0; k < SN_COUNT(now); k++) {
    e->low[k] = fmin(e->low[k], now[k]);
    e->high[k] = fmax(e->high[k], now[k]);
  }
}

void sn_evidence_step(sn_simulation *s, double limit) {
  const sn_integrator_spec *x = s->settings;
  sn_statistics *count = &s->system->statistics;
  double h = s->state.t - s->before.t;
  follow_work(s);
  follow_energies(s);
  look_after_failures(s);
  if (s->finished) return; /* the last step ends where the run does */
  if (x->step > 0) {
    /* events, instants of controllers and the program divide a step in two */
    const bool limited = s->state.t >= limit;
    if (h < 0.999 * x->step && !limited && !s->evidence.limited) count->short_steps++;
    s->evidence.limited = limited;
  } else { /* one alone may be the first after a restart, which may be as short as any */
    const bool least = h <= 1.001 * x->min_step && s->state.t < limit && count->steps > 1;
    count->least_steps += least && s->evidence.least;
    s->evidence.least = least;
  }
}

void sn_evidence_overlap(sn_simulation *s, double radii, const char *const body[2]) {
  sn_evidence *e = &s->evidence;
  if (!(radii > e->overlap)) return;
  e->overlap = radii;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < s->model->bodies; i++)
      if (strcmp(s->model->body[i].name, body[k]) == 0) e->pair[k] = i;
}

void sn_evidence_history(sn_simulation *s, sn_history *h) {
  sn_evidence *e = &s->evidence;
  double *values[] = {&e->error,
                      &e->energy,
                      &e->energy_tolerance,
                      &e->size,
                      &e->unit,
                      &e->velocity_change,
                      &e->bend,
                      &e->turn,
                      &e->axial,
                      &e->axial_force,
                      &e->missing,
                      &e->most_missing,
                      &e->least_missing,
                      &e->swing_missing,
                      &e->mesh,
                      &e->depth,
                      &e->overlap,
                      &e->stored,
                      &e->released,
                      &e->spun,
                      &e->spun_t,
                      &e->displacement,
                      &e->late,
                      &e->shift,
                      &e->shift_t,
                      &e->rate,
                      &e->late_tolerance,
                      &e->far_from,
                      &e->finer_energy,
                      &e->apart,
                      &e->variables_apart,
                      &e->earlier,
                      &e->open[0],
                      &e->open[1],
                      &e->sound,
                      &e->locked,
                      &e->growth,
                      &e->plates_missing};
  int *bodies[] = {&e->bent,    &e->turned,      &e->pressed,     &e->coarse, &e->pair[0],
                   &e->pair[1], &e->spinning[0], &e->spinning[1], &e->locking};
  sn_history_long(h, &e->rows);
  sn_history_long(h, &e->swings);
  sn_history_long(h, &e->swings_before);
  sn_history_real(h, &e->slowest);
  sn_history_real(h, &e->turning);
  sn_history_bool(h, &e->falling);
  sn_history_reals(h, e->low, SN_E_TOTAL);
  sn_history_reals(h, e->high, SN_E_TOTAL);
  for (size_t k = 0; k < SN_COUNT(values); k++) sn_history_real(h, values[k]);
  for (size_t k = 0; k < SN_COUNT(bodies); k++) sn_history_int(h, bodies[k], -1, s->model->bodies - 1);
  if (e->axial > 0 && !is_floating(s->model, e->pressed)) h->failed = true, e->axial = 0;
  sn_history_reals(h, points_of(s), size_of_points(s->model));
  sn_formulation_history(s, h);
  sn_twisting_history(s, h);
  sn_rolling_history(s, h);
  sn_history_bool(h, &e->blown_up);
  sn_holes_history(s, h);
  sn_history_bool(h, &e->least);
  sn_history_bool(h, &e->limited);
  sn_history_bool(h, &e->not_compared);
  sn_history_bool(h, &e->far);
  sn_differences_history(s, h);
}
