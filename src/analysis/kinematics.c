/* kinematics.c - a mechanism with drivers for all degrees of freedom: its motion follows from the constraints.
 *
 *     Phi(q, t) = 0,   G v = -Phi_t,   G a = gamma,   G'l = Q - M a  (forces of drivers and joints)
 *
 * The last is solved together with the third as [M G'; G 0] [a; l] = [Q; gamma], which allows redundant equations.
 * Newton's method for the position starts from q + h v + h^2/2 a; if the correction is not small compared with the
 * displacement, the step is halved: the mechanism must not change to another assembly.
 */
#include <math.h>
#include <string.h>

#include "analysis/pencil.h"

typedef struct kinematics {
  double begin;
  long next;     /* number of the next output time */
  sn_state from; /* where the substeps of one step stand */
} kinematics;

/* "'bob' (x, y, rotation)": the coordinates of a body that move, where they have such names. */
static const char *free_coordinates(const sn_model *m, sn_arena *arena, const sn_body *body, const double *x,
                                    double least) {
  const char *text = "", *gap = "";
  bool turns = false;
  if (body->ops->turns == 0 || body->ops->turn != m->dim || body->count != m->dim + body->ops->turns)
    return sn_format(arena, "'%s'", body->name);
  for (int k = 0; k < m->dim; k++)
    if (fabs(x[k]) > least) text = sn_format(arena, "%s%s%c", text, gap, "xyz"[k]), gap = ", ";
  for (int k = m->dim; k < body->count; k++) turns |= fabs(x[k]) > least;
  return sn_format(arena, "'%s' (%s%s%s)", body->name, text, turns ? gap : "", turns ? "rotation" : "");
}

/* A motion that the constraints allow: the part of a random vector in the null space of G. */
static const char *what_moves(sn_simulation *s) {
  enum { NAMED = 6 };
  sn_system *sys = s->system;
  const sn_model *m = s->model;
  double *x = SN_NEW(&sys->arena, double, sys->n + sys->m), largest = 0;
  uint64_t seed = 3;
  const char *text = "";
  int named = 0;
  if (!sn_system_factor(sys, &s->state, 0, 1, 0, 0)) return "";
  for (int i = 0; i < sys->n; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    x[i] = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
  }
  sn_system_solve_refined(sys, x);
  for (int i = 0; i < sys->n; i++) largest = fmax(largest, fabs(x[i]));
  for (int b = 0; b < m->bodies; b++) {
    const sn_body *body = &m->body[b];
    double most = 0;
    for (int i = 0; i < body->count; i++) most = fmax(most, fabs(x[body->first + i]));
    if (!(most > 1e-3 * largest) || ++named > NAMED) continue;
    text = sn_format(&sys->arena, "%s%s%s", text, named > 1 ? ", " : "",
                     free_coordinates(m, &sys->arena, body, x + body->first, 1e-3 * largest));
  }
  return named > NAMED ? sn_format(&sys->arena, "%s and %d more", text, named - NAMED) : text;
}

static sn_status check_freedom(sn_simulation *s, const sn_start *start) {
  int left = s->model->n - (s->model->m - start->redundant);
  if (left == 0) return SN_OK;
  if (s->analysis != &sn_kinematics || s->progress == NULL)
    return sn_fail(
        s->context, SN_BAD_MODEL,
        "%s: error: kinematics needs drivers for all degrees of freedom, but %d degree%s of freedom %s left\n  free to "
        "move: %s\n  possible remedy: motion drivers on joints of these bodies, or dynamics",
        s->model->document->path, left, left > 1 ? "s" : "", left > 1 ? "are" : "is", what_moves(s));
  return sn_fail(s->context, SN_NUMERICS,
                 "singular position at t = %g s: the drivers do not determine %d degree%s of freedom of the "
                 "mechanism\n  free to move: %s",
                 s->state.t, left, left > 1 ? "s" : "", what_moves(s));
}

static sn_status kinematics_begin(sn_simulation *s, const sn_spec *spec) {
  const sn_kinematics_spec *k = (const sn_kinematics_spec *)(const void *)spec;
  sn_start start = s->start;
  s->progress = NULL;
  if (s->stage > 0) { /* its own count of repeated equations */
    sn_status status = sn_make_consistent_from(s->system, &s->state, &start);
    if (status) return status;
  }
  sn_status status = check_freedom(s, &start);
  if (status) return status;
  kinematics *w = SN_NEW(&s->system->arena, kinematics, 1);
  w->begin = s->state.t;
  sn_state_create(s->system, &w->from);
  s->progress = w;
  sn_set_end(s, s->state.t + k->duration);
  s->finished = s->state.t >= s->end;
  s->output_step = sn_given(k, "output_step") ? k->output_step : k->duration / 200;
  return SN_OK;
}

static void predict(const sn_system *sys, const sn_state *from, double h, sn_state *to) {
  to->t = from->t + h;
  for (int i = 0; i < sys->n; i++) {
    to->q[i] = from->q[i] + h * from->v[i] + h * h / 2 * from->a[i];
    to->v[i] = from->v[i] + h * from->a[i];
  }
}

/* From w->from by h into s->state; false: not found, or too far from where it was looked for. Where a driver has a kink
 * velocities of before say nothing: a short step that is found near w->from itself is as good (angles and Euler
 * parameters of another branch are farther away). */
static bool substep(sn_simulation *s, kinematics *w, double h, bool shortest, sn_start *start, bool *found) {
  predict(s->system, &w->from, h, &s->state);
  const double near = 1e-3;
  double predicted = 0, way = 0;
  for (int i = 0; i < s->system->n; i++) predicted = fmax(predicted, fabs(s->state.q[i] - w->from.q[i]));
  *found = sn_make_consistent_from(s->system, &s->state, start) == SN_OK;
  if (!*found) return false;
  for (int i = 0; i < s->system->n; i++) way = fmax(way, fabs(s->state.q[i] - w->from.q[i]));
  return start->position_change <= 0.25 * way + 1e-9 || (shortest && way <= 4 * predicted + near);
}

static void count_step(sn_statistics *count, double h) {
  count->steps++;
  if (count->smallest_step == 0 || h < count->smallest_step) count->smallest_step = h;
  if (h > count->largest_step) count->largest_step = h;
}

static sn_status kinematics_step(sn_simulation *s) {
  kinematics *w = s->progress;
  sn_system *sys = s->system;
  double row = w->begin + (double)(w->next + 1) * s->output_step;
  if (row > s->end - 1e-9 * s->output_step) row = s->end;
  const double target = fmin(row, s->pause);
  sn_state_copy(sys, &s->before, &s->state);
  sn_state_copy(sys, &w->from, &s->state);
  double h = target - s->state.t, least = h / 4096;
  while (w->from.t < target) {
    sn_start start;
    bool found;
    h = fmin(h, target - w->from.t);
    if (substep(s, w, h, h < 2 * least, &start, &found)) {
      s->state.t = h == target - w->from.t ? target : s->state.t;
      sn_status status = check_freedom(s, &start);
      if (status) return status;
      sn_state_copy(sys, &w->from, &s->state);
      count_step(&sys->statistics, h);
      h *= 2;
      continue;
    }
    sys->statistics.error_rejections++; /* predicted too far away: no failure of what is found */
    h /= 2;
    if (h >= least) continue;
    char *message = sn_format(&sys->arena, "%s", found ? "" : sn_message(s->context));
    sn_state_copy(sys, &s->state, &s->before);
    return sn_fail(s->context, SN_NUMERICS,
                   "the mechanism cannot move beyond t = %g s: it locks or is in a singular position%s%s", w->from.t,
                   *message ? "\n  " : "", message);
  }
  sn_clear_message(s->context);
  sn_add_work(s);
  if (target == row) w->next++;
  s->finished = target >= s->end;
  return SN_OK;
}

static double kinematics_rows(const sn_spec *spec) {
  const sn_kinematics_spec *k = (const sn_kinematics_spec *)(const void *)spec;
  return sn_given(k, "output_step") ? ceil(k->duration / k->output_step) : 200;
}

static const sn_field kinematics_fields[] = {
    SN_START_FIELD,
    {"duration", SN_REAL, SN_AT(sn_kinematics_spec, duration), .unit = "s", .required = true, .limits = SN_POSITIVE,
     .help = "simulated time"},
    {"output_step", SN_REAL, SN_AT(sn_kinematics_spec, output_step), .unit = "s", .limits = SN_POSITIVE,
     .help = "interval between positions; default: duration/200"},
    {0},
};

const sn_analysis_ops sn_kinematics = {
    .kind = {.name = "kinematics",
             .category = SN_ANALYSES,
             .summary = "motion of a fully driven mechanism and the required forces (inverse dynamics)",
             .fields = kinematics_fields,
             .spec_size = sizeof(sn_kinematics_spec)},
    .every_step = true,
    .begin = kinematics_begin,
    .step = kinematics_step,
    .rows = kinematics_rows,
};
