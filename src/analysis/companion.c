/* companion.c - see companion.h.
 *
 * Energy, joints and local errors do not show how a motion amplifies errors. Near an unstable equilibrium and in
 * chaotic motion errors grow exponentially, and a run that is right in every step is wrong at its end; forces of stiff
 * parts may be wrong where positions are right. A second run with a tenth of the tolerance e shows this. If errors are
 * proportional to the tolerance,
 *
 *   x(e) - x = 10/9 (x(e) - x(e/10)),
 *
 * and if they decrease faster, as those of methods of high order, this is a little more than the error. The method is
 * radau, so errors specific to the method of the run show too.
 *
 * Its work is limited, counted in evaluations of the equations times their number, as in the trials of `auto`: the
 * verdict is the same on every machine.
 */
#include "analysis/companion.h"

#include <math.h>
#include <string.h>

#include "analysis/choice.h"
#include "analysis/crossings.h"
#include "analysis/differences.h"
#include "analysis/events.h"
#include "analysis/evidence.h"
#include "analysis/impact.h"
#include "system/phases.h"

static const double FINER = 10;
static const double FINER_STEPS = 2;        /* of the step, where the companion has the method of the run */
static const double OF_ITS_OWN = 2;         /* times the work of radau, with a tenth of the tolerance */
static const double LOOSE = 1e-3;           /* largest tolerance of a companion: with larger ones it, too, is wrong */
static const double INDEX_3 = 1e-10;        /* tolerance below which rounding of positions rules in radau: erk then */
static const double OF_STEPS = 1e-3;        /* what takes the place of a tolerance where steps are fixed */
static const double CONTACT = 1;            /* work of a contact in an iteration of its solver */
static const double MOST_WORK = 3e7;        /* some seconds */
static const double MOST_OF_STEPS = 3e8;    /* likewise, of steps with one matrix and without iterations */
static const double SMALL_WORK = 3e6;       /* a fraction of a second; beyond it no more than the run itself has done */
static const double DENSE = 60;             /* equations up to which a full matrix costs as much as evaluations */
static const double PAIR = 2;               /* surfaces, a body and what it touches */
static const double OF_RADAU = 10;          /* times the work of others, with a tenth of the tolerance */
static const double NO_DISPLACEMENT = 1e-3; /* of the size of the model: points at rest are compared with it */
static const double AT_REST = 0.1;          /* tolerances: points that go less, relative to the size, are at rest */
static const double AT_REST_FIXED = 1e-6;   /* the same with fixed steps */
static const double CREEP = 10;             /* tolerances of complementarity: slower bodies are at rest */
static const double A_WAY = 0.1; /* likewise: the time of the first deviation is only kept after this displacement
                                       */
static const double FAR = 10;    /* tolerances: the time after which the error may exceed this is kept */

struct sn_companion {
  sn_simulation *run;
  sn_row row;
  double *largest;   /* of each variable so far: with it differences are compared, as those of points with their way */
  double *turned;    /* of each output so far: its largest angle */
  double *velocity;  /* values of an earlier row, of which the velocities of points are used, ... */
  double velocity_t; /* and its time; NaN: there is none */
  double rebound_t;  /* of the last row without a rebound since */
  long impacts;      /* rebounds up to it */
  double from;       /* it began there */
  bool over;         /* nothing is compared any more in this stage */
  int stage;
};

/* ---- its run ---- */

static bool is_fixed(const sn_simulation *s) {
  return s->settings->step > 0;
}

/* Complementarity, rigid stops and dry friction that sticks: radau has none of them. Penalty contacts of large meshes:
 * radau needs many times the work of explicit steps, and rarely comes to the end with what it may do. The same method
 * with a fraction of the step goes beside such a run. */
static bool is_same_method(const sn_simulation *s) {
  const sn_model *m = s->model;
  const bool large = m->surfaces && s->system->n + s->system->m > DENSE;
  return s->ops->impulsive && (m->rubs || m->rigid_stops || (m->surfaces && m->surfaces->dvi) || large);
}

static double finer_than(const sn_simulation *s) {
  if (is_same_method(s)) return FINER_STEPS;
  return is_fixed(s) ? FINER : fmax(FINER, sn_evidence_tolerance(s) * s->share / LOOSE);
}

/* Errors of the run that its differences from the companion are. */
static double part_of_errors(const sn_simulation *s) {
  return 1 - 1 / finer_than(s);
}

static bool is_wanted(const sn_simulation *s) {
  const sn_dynamics_spec *spec = (const sn_dynamics_spec *)(const void *)s->stage_spec[s->stage];
  /* Functions of a program between steps act on its own simulation alone. */
  return spec && spec->companion && !s->hooks && s->system->n > 0 && isfinite(s->end) &&
         (is_fixed(s) || sn_evidence_tolerance(s) * s->share >= 0.999 * SN_LEAST_ESTIMATED);
}

/* Settings of its own where the file has a fixed step, or is about the errors of steps. */
static sn_status use_method(const sn_simulation *s, sn_simulation *fork, const char *method) {
  sn_integrator_spec asked = *sn_asked(s);
  if (is_fixed(s)) asked.step = asked.relative = asked.absolute = 0, asked.tolerance = OF_STEPS;
  asked.bounds = SN_BOUND_RUN;
  asked.initial_step = 0;
  return sn_use_method(fork, method, &asked, s->share / finer_than(s));
}

static sn_status choose_settings(const sn_simulation *s, sn_simulation *fork) {
  if (is_same_method(s)) {
    fork->settings = sn_copy_settings(fork, &s->settings->spec);
    fork->settings->step /= FINER_STEPS;
    return SN_OK;
  }
  const bool tight = !is_fixed(s) && sn_evidence_tolerance(s) * s->share < INDEX_3 * FINER;
  return use_method(s, fork, tight ? "erk" : "radau");
}

/* Singular positions, where constraints lose rank: methods of index 3 may fail there, one of index 1 passes them if its
 * steps do not meet them. The run would be without an estimate just where errors grow most. */
static bool goes_on_otherwise(const sn_simulation *s, sn_simulation *fork) {
  if (is_same_method(s) || s->model->massless || strcmp(fork->ops->kind.name, "erk") == 0) return false;
  sn_clear_message(fork->context);
  return use_method(s, fork, "erk") == SN_OK && sn_make_integrator(fork) == SN_OK;
}

/* State of a companion that a checkpoint ended. */
struct sn_kept {
  bool there;
  double t, work[SN_WORKS];
  double *q, *v, *a, *l, *discrete;
};

static struct sn_kept *kept_of(sn_simulation *s) {
  const sn_model *m = s->model;
  if (s->kept) return s->kept;
  struct sn_kept *k = s->kept = SN_NEW(&s->arena, struct sn_kept, 1);
  k->q = SN_NEW(&s->arena, double, 3 * m->n + m->m + m->discrete + 1);
  k->v = k->q + m->n;
  k->a = k->v + m->n;
  k->l = k->a + m->n;
  k->discrete = k->l + m->m;
  return k;
}

static void keep(sn_simulation *s) {
  const struct sn_companion *c = s->companion;
  struct sn_kept *k = kept_of(s);
  const size_t n = (size_t)s->model->n, m = (size_t)s->model->m;
  k->there = c && c->run && !c->over && c->stage == s->stage;
  if (!k->there) return;
  const sn_state *x = &c->run->state;
  k->t = x->t;
  memcpy(k->work, c->run->work, sizeof k->work);
  memcpy(k->q, x->q, n * sizeof(double));
  memcpy(k->v, x->v, n * sizeof(double));
  memcpy(k->a, x->a, n * sizeof(double));
  memcpy(k->l, x->l, m * sizeof(double));
  memcpy(k->discrete, c->run->discrete, (size_t)s->model->discrete * sizeof(double));
}

/* The fork of the run goes where the companion was. */
static void go_on_from_kept(sn_simulation *s, sn_simulation *fork) {
  struct sn_kept *k = s->kept;
  const size_t n = (size_t)s->model->n, m = (size_t)s->model->m;
  if (!k || !k->there) return;
  k->there = false;
  sn_state *x = &fork->state;
  x->t = k->t;
  memcpy(fork->work, k->work, sizeof k->work);
  memcpy(x->q, k->q, n * sizeof(double));
  memcpy(x->v, k->v, n * sizeof(double));
  memcpy(x->a, k->a, n * sizeof(double));
  memcpy(x->l, k->l, m * sizeof(double));
  memcpy(fork->discrete, k->discrete, (size_t)s->model->discrete * sizeof(double));
  sn_begin_audit(fork);
}

void sn_companion_history(sn_simulation *s, sn_history *h) {
  struct sn_kept *k = kept_of(s);
  const sn_model *m = s->model;
  if (!h->loading) keep(s);
  sn_history_bool(h, &k->there);
  if (!k->there) return;
  sn_history_at_least(h, &k->t, s->begin);
  sn_history_reals(h, k->work, SN_WORKS);
  sn_history_reals(h, k->q, 3 * (size_t)m->n + (size_t)m->m + (size_t)m->discrete);
}

static bool start(sn_simulation *s, struct sn_companion *c) {
  sn_simulation *fork;
  if (sn_simulation_fork(s, &fork)) return false;
  c->run = fork;
  sn_simulation_rewind(fork, s);
  go_on_from_kept(s, fork);
  c->from = fork->state.t;
  fork->end = s->end;
  if (choose_settings(s, fork) || sn_make_integrator(fork)) return false;
  fork->impacts = sn_impacts_create(fork);
  sn_begin_loads(fork);
  sn_begin_crossings(fork);
  sn_begin_differences(s);
  sn_row_create(fork, &c->row);
  c->largest = SN_NEW(&s->arena, double, s->model->variables + 1);
  c->turned = SN_NEW(&s->arena, double, s->model->outputs + 1);
  c->velocity = SN_NEW(&s->arena, double, s->output_columns + 1);
  c->velocity_t = NAN;
  return true;
}

void sn_companion_end(sn_simulation *s) {
  if (s->companion && s->companion->run) sn_simulation_free(s->companion->run);
  s->companion = NULL;
}

static double work_of(const sn_simulation *s) {
  const sn_statistics *x = &s->system->statistics;
  return sn_work_done(s->system, s->ops->kind.name) * (s->system->n + s->system->m) + CONTACT * x->contact.work;
}

static bool records_points(const sn_model *model) {
  for (int i = 0; i < model->outputs; i++)
    if (model->output[i].type == SN_OUTPUT_POINT) return true;
  return false;
}

/* Both runs are so far apart that nothing to come makes them agree, at a scale that does not change with the motion: at
 * first, when nothing has moved far yet, small vibrations of contacts count for much. Without points, coordinates are
 * compared, in tolerances. */
static bool has_parted(const sn_simulation *s) {
  const sn_evidence *e = &s->evidence;
  const double tolerance = is_fixed(s) ? OF_STEPS : sn_evidence_tolerance(s);
  return e->apart > FAR * FAR * (records_points(s->model) ? tolerance * fmax(e->displacement, e->size) : 1);
}

/* Beside penalty contacts a run without an estimate is doubtful, so that a few seconds are well spent: as much work as the
 * companion of a run like this usually needs, or a second or two. Of these less with many surfaces, whose contacts cost
 * more than the equations, and with many equations, as contacts fill their matrices, whose factorizations then take the
 * cube of their size. */
static double most_work(const sn_simulation *s) {
  const sn_surfaces *surfaces = s->model->surfaces;
  const bool same = is_same_method(s);
  const double dense = fmin(1, DENSE / (s->system->n + s->system->m));
  const bool by_radau = !is_fixed(s) && strncmp(s->ops->kind.name, "radau", 5) == 0;
  const double allowed = SMALL_WORK + (same ? FINER_STEPS : by_radau ? OF_ITS_OWN : 1) * work_of(s);
  if (same) return fmin(has_parted(s) ? MOST_WORK : MOST_OF_STEPS, allowed);
  if (!surfaces || has_parted(s)) return fmin(MOST_WORK, allowed);
  return fmin(MOST_WORK, fmax(SMALL_WORK + OF_RADAU * work_of(s),
                              allowed + MOST_WORK * dense * dense * fmin(1, PAIR / surfaces->items)));
}

/* To a time in its last step; false: it failed, or has done its work. */
static bool go_to(sn_simulation *s, sn_simulation *fork, double t, double most) {
  while (fork->state.t < t && !fork->finished) {
    if (fork->context->interrupted || work_of(fork) > most) return false;
    if (fork->analysis->step(fork) && !goes_on_otherwise(s, fork)) return false;
    sn_follow_angles(fork);
    sn_follow_companion(s, fork, &s->companion->row);
  }
  return true;
}

/* ---- distances ---- */

static double length(const double *x, int count) {
  double sum = 0;
  for (int k = 0; k < count; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

/* Coordinates, in what is allowed of each. */
static double apart_in_coordinates(const sn_simulation *s, const sn_row *mine, const sn_row *its) {
  double most = 0;
  for (int i = 0; i < s->system->n; i++) {
    double allowed =
        is_fixed(s) ? OF_STEPS * fmax(1, fabs(its->q[i])) : sn_allowed(sn_asked(s), s->model->unit[i], its->q[i]);
    most = fmax(most, fabs(mine->q[i] - its->q[i]) / allowed);
  }
  return most;
}

/* Recorded points [m]; negative: there are none. */
static double apart_in_points(const sn_simulation *s, const sn_row *mine, const sn_row *its) {
  const double *x = mine->values, *y = its->values;
  double most = -1, off[3];
  for (int i = 0; i < s->model->outputs; x += s->model->output[i].columns, y += s->model->output[i].columns, i++) {
    if (s->model->output[i].type != SN_OUTPUT_POINT) continue;
    for (int k = 0; k < s->model->dim; k++) off[k] = x[k] - y[k];
    most = fmax(most, length(off, s->model->dim));
  }
  return most;
}

/* Angle of a recorded orientation or joint; NAN: it has none, or is in space. */
static double angle_in(const sn_output *o, const double *x) {
  for (int k = 0; k < o->columns; k++)
    if (strcmp(o->column[k], "angle") == 0) return x[k];
  return NAN;
}

/* Rotation between two recorded orientations, unit quaternions p and q of either sign: sin(angle/4) = |p - q|/2. */
static double between_orientations(const double p[4], const double q[4]) {
  double off[4], sum[4];
  for (int k = 0; k < 4; k++) off[k] = p[k] - q[k], sum[k] = p[k] + q[k];
  return 4 * asin(fmin(1, fmin(length(off, 4), length(sum, 4)) / 2));
}

/* Recorded angles of joints and orientations, in what is allowed of the largest of each: points may be right beside
 * them. A pendulum on a train is off by radians where the way of the train is right to 1e-8. */
static double apart_in_angles(const sn_simulation *s, const sn_row *mine, const sn_row *its) {
  const double *x = mine->values, *y = its->values;
  double most = 0;
  for (int i = 0; i < s->model->outputs; x += s->model->output[i].columns, y += s->model->output[i].columns, i++) {
    const sn_output *o = &s->model->output[i];
    double *turned = &s->companion->turned[i], off = 0;
    if (o->type == SN_OUTPUT_ORIENTATION && s->model->dim == 3)
      off = between_orientations(x, y);
    else if (o->type == SN_OUTPUT_ORIENTATION || o->type == SN_OUTPUT_JOINT)
      off = fabs(angle_in(o, x) - angle_in(o, y)), *turned = fmax(*turned, fabs(angle_in(o, y)));
    if (isnan(off)) continue;
    most = fmax(most, off / (is_fixed(s) ? OF_STEPS * fmax(1, *turned) : sn_allowed(sn_asked(s), 1, *turned)));
  }
  return most;
}

/* A rebound takes place at the end of a step, on average h/2 late: a point whose velocity jumps by J is off by h J/2
 * after it. By chance both runs may be late by the same time, and their difference does not show it [m]. Rows within a
 * step have a part of the jump: velocities are compared with those of two steps after it. */
static double late_by_impacts(const sn_simulation *s, const sn_row *mine) {
  struct sn_companion *c = s->companion;
  const double h = s->settings->step, *x = mine->values, *last = c->velocity;
  const long impacts = s->system->statistics.contact.impacts;
  const bool rebounds = impacts > c->impacts;
  double most = 0;
  if (!is_same_method(s)) return 0;
  for (int i = 0; i < s->model->outputs && rebounds; i++) {
    const sn_output *o = &s->model->output[i];
    double jump[3] = {0};
    for (int k = 0; k < s->model->dim && o->type == SN_OUTPUT_POINT; k++)
      jump[k] = x[s->model->dim + k] - last[s->model->dim + k];
    most = fmax(most, length(jump, 3));
    x += o->columns, last += o->columns;
  }
  if (!rebounds) c->rebound_t = mine->t;
  if (!(mine->t - (rebounds ? c->rebound_t : c->velocity_t) < 2 * h)) {
    memcpy(c->velocity, mine->values, (size_t)s->output_columns * sizeof(double));
    c->velocity_t = mine->t;
    c->impacts = impacts;
  }
  return most * h / 2;
}

/* Differential variables, in what is allowed of the largest value of each: where a pressure of 1e7 Pa passes zero,
 * 10 Pa are nothing. */
static double apart_in_variables(const sn_simulation *s, const sn_row *mine, const sn_row *its) {
  double most = 0, *largest = s->companion->largest;
  for (int i = 0; i < s->model->variables; i++) {
    if (!s->model->variable[i].differential) continue;
    const double x = mine->v[s->model->variable[i].index], y = its->v[s->model->variable[i].index];
    largest[i] = fmax(largest[i], fabs(y));
    most = fmax(most,
                fabs(x - y) / (is_fixed(s) ? OF_STEPS * fmax(1, largest[i]) : sn_allowed(sn_asked(s), 1, largest[i])));
  }
  return most;
}

/* Contacts by complementarity leave a speed of their tolerance in every step: what stands creeps by it. */
static double creep_of_contacts(const sn_simulation *s) {
  const sn_surfaces *surfaces = s->model->surfaces;
  if (!(surfaces && surfaces->dvi && s->ops->impulsive)) return 0;
  return CREEP * sn_setting(s, "contact_tolerance") * (s->state.t - s->begin);
}

/* What differences of points are compared with: their largest displacement, however small against the model, since small
 * vibrations are motions too. */
static bool is_at_rest(const sn_simulation *s) {
  const double at_rest = is_fixed(s) ? AT_REST_FIXED : AT_REST * sn_evidence_tolerance(s);
  return !(s->evidence.displacement > fmax(at_rest * s->evidence.size, creep_of_contacts(s)));
}

double sn_length_of_motion(const sn_simulation *s) {
  if (!records_points(s->model)) return 0;
  return is_at_rest(s) ? NO_DISPLACEMENT * s->evidence.size : s->evidence.displacement;
}

/* Points relative to their largest displacement, or all coordinates if there are none, as in `sinew compare`; and
 * angles. Points at rest, as on the axis of a wheel, show nothing: coordinates then, too. */
static void compare_positions(sn_simulation *s, const sn_row *mine, const sn_row *its, bool variables_too) {
  sn_statistics *count = &s->system->statistics;
  sn_evidence *e = &s->evidence;
  const double tolerance = is_fixed(s) ? OF_STEPS : sn_evidence_tolerance(s), own = part_of_errors(s);
  const double points = apart_in_points(s, mine, its);
  const double unit = points < 0 ? 1 : tolerance * sn_length_of_motion(s);
  const double late = late_by_impacts(s, mine);
  const double apart = fmax((points < 0 ? apart_in_coordinates(s, mine, its) : points) / own, points < 0 ? 0 : late);
  const double hidden = points >= 0 && is_at_rest(s) ? apart_in_coordinates(s, mine, its) : 0;
  const double variables =
      fmax(variables_too ? apart_in_variables(s, mine, its) : 0, fmax(apart_in_angles(s, mine, its), hidden)) / own;
  e->apart = fmax(e->apart, apart);
  e->variables_apart = fmax(e->variables_apart, variables);
  count->estimated_error = fmax(e->earlier, fmax(e->apart / unit, e->variables_apart));
  count->estimated_until = mine->t;
  e->far =
      e->far || variables > FAR || (apart > FAR * unit && (points < 0 || apart > FAR * tolerance * A_WAY * e->size));
  if (!e->far) e->far_from = mine->t;
}

/* After the companion has ended, points go on: what they differed by then is compared with all of their displacement. With
 * contacts it is a doubt of its own that nothing is known of the rest. */
static void compare_with_longer_way(sn_simulation *s) {
  const sn_evidence *e = &s->evidence;
  const double tolerance = is_fixed(s) ? OF_STEPS : sn_evidence_tolerance(s);
  sn_statistics *count = &s->system->statistics;
  if (!s->model->surfaces || !s->companion || s->companion->stage != s->stage || !(tolerance > 0) ||
      !records_points(s->model))
    return;
  count->estimated_error =
      fmax(e->earlier,
           fmin(count->estimated_error, fmax(e->apart / (tolerance * sn_length_of_motion(s)), e->variables_apart)));
}

/* Forces and other outputs go on, too, and their differences grow in proportion to time: vibrations get out of step by an
 * error of their frequency. */
static void look_beyond(sn_simulation *s, const sn_row *row) {
  sn_statistics *count = &s->system->statistics;
  const double until = count->estimated_until;
  s->evidence.not_compared = true;
  if (s->model->surfaces || !s->companion || s->companion->stage != s->stage || !(until > s->begin)) return;
  s->evidence.growth = fmax(s->evidence.growth, (row->t - s->begin) / (until - s->begin));
  sn_follow_outputs(s, row);
  count->reaction_difference = sn_reaction_difference(s, NULL);
  count->output_difference = sn_signal_difference(s, NULL);
}

/* ---- rows ---- */

/* Compare a row with that of the companion. */
static void compare(sn_simulation *s, const sn_row *row, struct sn_companion *c) {
  sn_statistics *count = &s->system->statistics;
  /* between the times that two runs find for an event, forces and variables are those of different sides */
  const bool same = sn_events_count(s) == sn_events_count(c->run);
  compare_positions(s, row, &c->row, same);
  if (same) sn_compare_outputs(s, c->run, part_of_errors(s), row, &c->row);
  count->reaction_difference = sn_reaction_difference(s, NULL);
  count->output_difference = sn_signal_difference(s, NULL);
  count->acceleration_difference = sn_acceleration_difference(s);
  s->evidence.finer_energy = fmax(s->evidence.finer_energy, fabs(sn_evidence_energy(c->run)));
}

/* Begins where the stage is; false: there is none, or none any more. */
static bool is_there(sn_simulation *s) {
  struct sn_companion *c = s->companion;
  if (c && c->stage != s->stage) sn_companion_end(s), c = NULL;
  if (!is_wanted(s)) return false;
  if (!c) {
    c = s->companion = SN_NEW(&s->arena, struct sn_companion, 1);
    c->stage = s->stage;
    c->over = !start(s, c);
    sn_clear_message(s->context);
  }
  return !c->over;
}

static void follow(sn_simulation *s, const sn_row *row) {
  if (!is_there(s)) {
    look_beyond(s, row);
    compare_with_longer_way(s);
    return;
  }
  struct sn_companion *c = s->companion;
  if (row->t < c->from) return;
  c->over = !go_to(s, c->run, row->t, most_work(s));
  sn_clear_message(s->context);
  if (c->over) {
    look_beyond(s, row);
    sn_simulation_free(c->run);
    c->run = NULL;
    return;
  }
  sn_sample(c->run, row->t, &c->row);
  compare(s, row, c);
}

void sn_companion_row(sn_simulation *s, const sn_row *row) {
  if (!s->ops || s->is_fork) return;
  if (s->context->length > 0) { /* the run has failed: its message is kept */
    s->evidence.not_compared = true;
    return;
  }
  const sn_phase_mark mark = sn_phase_begin(s->system, SN_PHASE_COMPANION);
  follow(s, row);
  sn_phase_end(s->system, &mark);
}
