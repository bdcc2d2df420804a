/* choice.c - see choice.h.
 *
 * The cost of a method on a model and the sum of its local errors cannot be predicted from properties of the model.
 * They are measured in a trial. Two candidates, radau and hht-i3, integrate a tenth of the stage, or 40 steps of radau,
 * with the requested tolerance.
 *
 *   error of radau: its energy error; where that would pass a tenth of a tolerance at the end of the stage, its steps get a
 *     tenth or a hundredth of the tolerance (its order is high: that costs little)
 *   error of hht-i3: its distance from radau, its energy error and the sum of its local errors; where one of them
 *     would exceed three at the end of the stage, it is excluded (the rules of trust allow ten)
 *
 * as errors grow at least in proportion to time. Then the one with less work is selected.
 *
 * Rigid bodies whose accelerations are found along their tree have a third candidate, erk, a stage of which is as cheap
 * as a residual or two. It is selected if its energy error and its distance from radau stay small enough at the end of
 * the stage, with a fraction of the tolerance as for radau, and it needs less than half the work of the other one:
 * motions that become stiff later would stop it.
 *
 * Work is counted, not timed: the choice is the same on every machine and for any number of threads.
 *
 * The motion may change: the cost of a slow start is not representative of later motion. Whenever a multiple of the
 * work of the last trial has been done, or the sum of the local errors exceeds one tolerance plus twice its earlier
 * value, there is another trial from the current state. The other method takes over if it needs less than half the
 * work, or if the errors are too large.
 */
#include "analysis/choice.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "analysis/crossings.h"
#include "analysis/evidence.h"

enum { MOST_STEPS = 40 };
static const double PART = 0.1;            /* of the stage */
static const double MOST_WORK = 1e5;       /* of radau: a trial that needs more in 40 steps is abandoned */
static const double MOST_ERROR = 3;        /* of hht-i3, in tolerances at the end of the stage ... */
static const double NO_ERROR = 1;          /* ... and the possible error of radau itself */
static const double MOVED = 10;            /* displacement in tolerances below which nothing can be judged */
static const double GAIN = 0.5;            /* fraction of the work below which the other method takes over */
static const double WORK_OF_TRIALS = 0.03; /* of all work, at most */

static const char *const explicit_method = "erk";

typedef struct candidate {
  const char *method;
  bool done;
  double work;         /* in evaluations of the equations */
  double energy;       /* energy error at the end of the stage, in tolerances, if it grows with time */
  double local;        /* sum of the local errors of its steps, likewise */
  double error;        /* distance from radau, likewise; of the others */
  double displacement; /* largest distance from the start, in tolerances */
} candidate;

/* In evaluations of the equations. A Jacobian costs about 8 of them, a factorization 5 and a solution 0.5, on models
 * from rigid bodies to plates; complex matrices, as those of radau, take three times as long. Along trees of rigid
 * bodies all of it costs about 3. */
double sn_work_done(const sn_system *system, const char *method) {
  const sn_statistics *x = &system->statistics;
  const double along_tree = 3;
  if (strcmp(method, explicit_method) == 0 && sn_system_is_tree(system))
    return (double)x->residuals + along_tree * (double)x->factorizations;
  const double linear = strcmp(method, "radau") == 0 ? 3 : 1;
  return (double)x->residuals + 8 * (double)x->jacobians +
         linear * (5 * (double)x->factorizations + 0.5 * (double)x->solves);
}

/* From where `s` is to *end, or until steps or work are spent: *end is where they ended. */
static void go(sn_simulation *fork, const sn_simulation *s, candidate *c, double *end, long steps, double work) {
  const sn_statistics *count = &fork->system->statistics;
  sn_row row;
  sn_simulation_rewind(fork, s);
  fork->end = *end;
  if (sn_make_integrator(fork)) return;
  sn_begin_loads(fork);
  sn_begin_crossings(fork);
  sn_status status = SN_OK;
  while (status == SN_OK && !fork->finished && count->steps < steps && c->work < work) {
    status = fork->analysis->step(fork);
    sn_follow_angles(fork);
    c->work = sn_work_done(fork->system, c->method);
  }
  c->done = status == SN_OK && (fork->finished || count->steps >= steps);
  *end = fork->state.t;
  sn_row_create(fork, &row);
  sn_sample(fork, fork->state.t, &row);
  c->energy = fabs(sn_evidence_energy_tolerance(fork));
  c->local = count->local_error / sn_evidence_tolerance(fork);
}

static double distance(const sn_simulation *s, const sn_integrator_spec *settings, const double *a, const double *b) {
  double most = 0;
  for (int i = 0; i < s->system->n; i++)
    most = fmax(most, fabs(a[i] - b[i]) / sn_allowed(settings, s->model->unit[i], b[i]));
  return most;
}

/* Fraction of the tolerance for the steps of radau. A hundredth costs half as much again, and leaves a margin for
 * errors that grow faster than time, and for oscillations, in which an energy error accumulates. A repetition with finer
 * steps always takes it: otherwise it could choose a larger fraction, and the steps of the run that it repeats. */
static double share_of(const sn_simulation *s, const candidate *radau) {
  if (s->options.finer > 0) return 0.01;
  return radau->energy <= 0.1 ? 1 : radau->energy <= 1 ? 0.1 : 0.01;
}

static sn_choice decide(const sn_simulation *s, sn_arena *arena, const candidate *radau, const candidate *hht,
                        const char *tried) {
  const double times = hht->work / radau->work, off = fmax(fmax(hht->energy, hht->local), hht->error);
  const bool now_low = s->chosen && strcmp(s->chosen, hht->method) == 0, now_high = s->chosen && !now_low;
  if (!radau->done) return (sn_choice){hht->method, 1, sn_format(arena, "radau failed when %s", tried)};
  if (hht->done && !(off <= MOST_ERROR))
    return (sn_choice){radau->method, share_of(s, radau),
                       sn_format(arena, "hht-i3 would have an error of %.2g tolerances at the end (%s)", off, tried)};
  if (radau->displacement < MOVED && !s->chosen)
    return (sn_choice){radau->method, 1, sn_format(arena, "nothing moves initially (%s)", tried)};
  if (!hht->done || times > (now_high ? GAIN : now_low ? 1 / GAIN : 1))
    return (sn_choice){radau->method, share_of(s, radau),
                       sn_format(arena, "hht-i3 needs %.2g times the work%s (%s)", times,
                                 hht->done ? "" : " or more, or fails", tried)};
  return (sn_choice){hht->method, 1, sn_format(arena, "radau needs %.2g times the work (%s)", 1 / times, tried)};
}

/* Is the third candidate far better than what was chosen? With its tolerance its errors fall in proportion; its work
 * grows as by order 5, that of radau as by order 10. */
static bool is_better(const sn_simulation *s, const candidate *erk, const candidate *radau, const candidate *other) {
  const bool now = s->chosen && strcmp(s->chosen, erk->method) == 0;
  const double share = share_of(s, erk), work = erk->work * pow(share, -0.2);
  const double needed = other == radau ? radau->work * pow(share_of(s, radau), -0.1) : other->work;
  return erk->done && radau->done && radau->displacement >= MOVED && share * erk->energy <= 0.1 &&
         share * erk->error <= NO_ERROR && work < (now ? 1 / GAIN : GAIN) * needed;
}

static double local_errors(const sn_simulation *s) {
  return s->system->statistics.local_error / sn_evidence_tolerance(s);
}

void sn_choice_counts_from_here(sn_simulation *s) {
  if (!s->chosen || s->trial_work == 0) return;
  s->tried_at = sn_work_done(s->system, s->chosen);
  s->tried_error = local_errors(s);
}

sn_choice sn_try_methods(sn_simulation *s, const sn_integrator_spec *settings) {
  candidate radau = {.method = "radau"}, hht = {.method = "hht-i3"}, erk = {.method = explicit_method};
  const double from = s->state.t, horizon = isfinite(s->end) ? s->end - s->begin : 200 * s->output_step;
  double end = fmin(from + PART * horizon, s->end);
  sn_simulation *fork;
  if (sn_simulation_fork(s, &fork)) return (sn_choice){hht.method, 1, "no trial was possible"};
  double *q = SN_NEW(&fork->arena, double, s->system->n);
  if (!sn_use_method(fork, radau.method, settings, 1)) go(fork, s, &radau, &end, MOST_STEPS, MOST_WORK);
  memcpy(q, fork->state.q, (size_t)s->system->n * sizeof(double));
  radau.displacement = distance(s, settings, s->state.q, q);
  const double tried_to = end, grows = horizon / (tried_to - from);
  if (radau.done && !sn_use_method(fork, hht.method, settings, 1)) {
    go(fork, s, &hht, &end, LONG_MAX, radau.work / GAIN);
    hht.error = distance(s, settings, fork->state.q, q);
    hht.error = hht.error <= NO_ERROR ? 0 : hht.error * grows;
  }
  radau.energy *= grows;
  hht.energy *= grows;
  hht.local *= grows;
  const char *tried = sn_format(&s->arena, "tried over %.2g s from t = %g s", tried_to - from, from);
  sn_choice choice = decide(s, &s->arena, &radau, &hht, tried);
  const candidate *other = strcmp(choice.method, hht.method) == 0 ? &hht : &radau;
  if (radau.done && sn_system_is_tree(s->system) && !sn_use_method(fork, erk.method, settings, 1)) {
    end = tried_to;
    go(fork, s, &erk, &end, LONG_MAX, other->work / GAIN);
    erk.error = distance(s, settings, fork->state.q, q);
    erk.error = erk.error <= NO_ERROR ? 0 : erk.error * grows;
    erk.energy *= grows;
  }
  if (is_better(s, &erk, &radau, other))
    choice = (sn_choice){
        erk.method, share_of(s, &erk),
        sn_format(&s->arena, "%s needs %.2g times the work (%s)", other->method, other->work / erk.work, tried)};
  s->trial_work = radau.work + hht.work + erk.work;
  s->tried_at = sn_work_done(s->system, choice.method);
  s->tried_error = s->chosen ? local_errors(s) : 0;
  sn_simulation_free(fork);
  sn_clear_message(s->context);
  return choice;
}

bool sn_choice_due(const sn_simulation *s) {
  if (s->trial_work > 0 && s->system->statistics.local_error > 0 && local_errors(s) > 1 + 2 * s->tried_error)
    return true;
  return s->trial_work > 0 && WORK_OF_TRIALS * (sn_work_done(s->system, s->chosen) - s->tried_at) > s->trial_work;
}
