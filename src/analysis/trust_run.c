/* trust_run.c - the rules of trust about how a run was solved: energy, errors in time, joints, steps, impacts. */
#include <math.h>
#include <string.h>

#include "analysis/companion.h"
#include "analysis/differences.h"
#include "analysis/evidence.h"
#include "analysis/trust.h"
#include "analysis/trust_remedy.h"
#include "analysis/trust_rules.h"
#include "model/registry.h"

/* ---- what is measured ---- */

static const sn_statistics *counted(const sn_simulation *s) {
  return &s->system->statistics;
}

static double share(const sn_simulation *s, long count) {
  return (double)count / (double)(counted(s)->steps > 0 ? counted(s)->steps : 1);
}

static double energy(const sn_simulation *s) {
  return fabs(sn_evidence_energy(s));
}

/* If a motion oscillates and reverses, its period hardly depends on its energy: a quarter of the error accumulates in
 * each oscillation. */
static double carried_on(const sn_simulation *s) {
  return fmax(1, 0.25 * (double)s->evidence.swings);
}

static bool has_fixed_contacts(const sn_simulation *s) {
  return s->settings->step > 0 && s->model->surfaces;
}

/* Complementarity resolves impacts at the ends of steps, and a fixed step may meet the stiffness of a penalty contact
 * at any phase. Without rebounds a companion run shows what complementarity does: most of its energy error is that
 * positions and velocities of symplectic Euler are half a step apart, h/(2 t) after a fall of the time t. */
static double energy_of_contacts(const sn_simulation *s) {
  if (!has_fixed_contacts(s)) return 0;
  const bool compared = !s->evidence.not_compared && counted(s)->estimated_until >= s->state.t;
  const bool at_once = s->ops && s->ops->impulsive && !s->model->surfaces->penalty;
  return at_once && compared && counted(s)->contact.impacts == 0 ? 0 : energy(s);
}

static double energy_in_tolerances(const sn_simulation *s) {
  return fabs(sn_evidence_energy_tolerance(s)) * carried_on(s);
}

static double local_error(const sn_simulation *s) {
  return s->settings->step > 0 ? counted(s)->local_error : 0;
}

static double local_error_in_tolerances(const sn_simulation *s) {
  double tolerance = sn_evidence_tolerance(s);
  return tolerance > 0 ? counted(s)->local_error / tolerance : 0;
}

static double estimated_error(const sn_simulation *s) {
  return counted(s)->estimated_error;
}

/* Someone who asks for a tolerance of 1 gets it, but no motion that is worth the word good. */
static double estimated_part(const sn_simulation *s) {
  return estimated_error(s) * sn_evidence_tolerance(s);
}

/* With contacts and with tolerances near rounding the indicators have called wrong runs right. */
static double no_estimate(const sn_simulation *s) {
  const sn_dynamics_spec *spec = s->ops ? (const sn_dynamics_spec *)(const void *)s->stage_spec[s->stage] : NULL;
  const double tolerance = sn_evidence_tolerance(s);
  return spec && spec->companion && !s->hooks && s->evidence.not_compared && !(estimated_error(s) > 10) &&
         (s->model->surfaces || (tolerance > 0 && tolerance < 0.999 * SN_LEAST_ESTIMATED));
}

static double growth(const sn_simulation *s) {
  return fmax(1, s->evidence.growth);
}

static double reaction_difference(const sn_simulation *s) {
  return growth(s) * counted(s)->reaction_difference;
}

/* Where points are off as well, that is the reason. */
static double output_difference(const sn_simulation *s) {
  return estimated_error(s) > 10 ? 0 : growth(s) * counted(s)->output_difference;
}

/* Directions and unit quaternions are numbers without a length. */
static double constraint(const sn_simulation *s) {
  const double *open = s->evidence.open;
  return fmax(open[0] > 0 ? open[0] / s->evidence.size : 0, open[1]);
}

static double constraint_in_tolerances(const sn_simulation *s) {
  double tolerance = sn_evidence_tolerance(s);
  return tolerance > 0 ? s->largest_constraint[0] / (fmax(1, s->evidence.size) * tolerance) : 0;
}

static double not_finite(const sn_simulation *s) {
  return s->evidence.blown_up;
}

static double unsettled(const sn_simulation *s) {
  return share(s, counted(s)->unsettled);
}

static double least_steps(const sn_simulation *s) {
  return share(s, counted(s)->least_steps);
}

static double short_steps(const sn_simulation *s) {
  return share(s, counted(s)->short_steps);
}

/* Statics adapts its load steps by trial. */
static double newton_misses(const sn_simulation *s) {
  return s->analysis->quasi_static ? 0 : share(s, counted(s)->newton_rejections);
}

static double contact_misses(const sn_simulation *s) {
  return share(s, counted(s)->contact.misses);
}

static double impacts_left(const sn_simulation *s) {
  return share(s, counted(s)->contact.impacts_left);
}

/* ---- in words ---- */

static const char *say_energy(sn_simulation *s, double value) {
  if (isnan(value)) return "the energy is not a number: the motion has diverged";
  const char *contacts =
      ", with contacts and fixed steps: rebounds have about the same error; possible remedy: a smaller step (half the "
      "step gives about half the error)";
  return sn_format(&s->arena, "energy error of %.2g of the energy exchanged%s%s",
                   copysign(value, sn_evidence_energy(s)), has_fixed_contacts(s) ? contacts : "", sn_remedy_damping(s));
}

static const char *say_energy_tolerance(sn_simulation *s, double value) {
  const char *carried = "";
  (void)value;
  if (carried_on(s) > 1) carried = sn_format(&s->arena, ", accumulated over %ld oscillations", s->evidence.swings);
  return sn_format(&s->arena, "energy error of %.2g of the energy exchanged, %.2g times the tolerance%s%s",
                   sn_evidence_energy(s), fabs(sn_evidence_energy_tolerance(s)), carried, sn_remedy_damping(s));
}

static const char *say_late(sn_simulation *s, double value) {
  return sn_format(&s->arena,
                   "an energy error of %.2g tolerances shifts the motion in time: recorded points are off by about "
                   "%.2g tolerances relative to their largest displacement%s",
                   fabs(sn_evidence_energy_tolerance(s)), value, sn_remedy_damping(s));
}

static const char *say_local(sn_simulation *s, double value) {
  return sn_format(&s->arena,
                   "the local errors of all steps add up to %.2g; 'sinew verify' estimates the errors of the outputs",
                   value);
}

static const char *say_local_tolerance(sn_simulation *s, double value) {
  return sn_format(&s->arena, "the local errors of all steps add up to %.2g times the tolerance%s", value,
                   sn_remedy_bounds(s));
}

/* With fixed steps: thousandths instead of tolerances. */
static const char *say_estimate(sn_simulation *s, double value) {
  const bool fixed = !(sn_evidence_tolerance(s) > 0);
  const char *small = sn_remedy_small_motion(s), *order = fixed ? "" : sn_remedy_order(s);
  if (small) return small;
  if (order[0] == 0)
    order = sn_format(&s->arena, "; a smaller %s helps unless the motion is chaotic", fixed ? "step" : "tolerance");
  return sn_format(
      &s->arena,
      "a more accurate companion run differs from this one by %.2g %s, by more than ten after t = %.4g s: errors "
      "accumulate, or grow because the motion is unstable%s",
      value, fixed ? "thousandths" : "tolerances", s->evidence.far_from, order);
}

static const char *say_estimated_part(sn_simulation *s, double value) {
  return sn_format(
      &s->arena,
      "a more accurate companion run differs from this one by %.2g of the largest displacement of recorded "
      "points: a tolerance of %.2g is large",
      value, sn_evidence_tolerance(s));
}

static const char *say_no_estimate(sn_simulation *s, double value) {
  const char *why = s->model->surfaces ? "with contacts, a companion run would need more work than it may"
                                       : "the tolerance is too close to rounding for a companion run";
  (void)value;
  if (counted(s)->estimated_until > s->begin)
    return sn_format(&s->arena, "no error estimate after t = %.4g s: %s; 'sinew verify' estimates the errors",
                     counted(s)->estimated_until, why);
  return sn_format(&s->arena, "no error estimate: %s; 'sinew verify' estimates the errors", why);
}

/* Where the companion has ended before the run. */
static const char *until_when(sn_simulation *s, double value) {
  return growth(s) > 1 ? sn_format(&s->arena, " (by %.2g up to t = %.4g s, where that ended; in proportion to time)",
                                   value / growth(s), counted(s)->estimated_until)
                       : "";
}

static const char *say_reactions(sn_simulation *s, double value) {
  int output = 0;
  sn_reaction_difference(s, &output);
  const sn_output *o = &s->model->output[output];
  const char *what = o->type == SN_OUTPUT_STRESS      ? "stresses"
                     : o->type == SN_OUTPUT_RESULTANT ? "stress resultants"
                     : o->type == SN_OUTPUT_REACTION  ? "reactions"
                                                      : "forces";
  return sn_format(
      &s->arena,
      "%s '%s' differ by %.2g of their largest value from those of a more accurate companion run%s; possible "
      "remedy: a smaller tolerance or step, or damping in parts that vibrate too fast for the steps",
      what, o->name, value, until_when(s, value));
}

static const char *remedy_for_positions(sn_simulation *s) {
  if (!s->ops) return "";
  const char *method = sn_remedy_method(s, "hht-i3", "radau5");
  const int i = sn_field_index(&s->ops->kind, "stabilize");
  const bool projects = i >= 0 && strstr(s->ops->kind.fields[i].choices, "projection");
  return sn_format(&s->arena, "; possible remedy: %s%s%s%sa smaller %s",
                   *method ? "an integrator that enforces positions at every step (" : "", method, *method ? "), " : "",
                   projects && sn_setting(s, "stabilize") == 0 ? "stabilize: projection, or "
                   : *method                                   ? "or "
                                                               : "",
                   s->settings->step > 0 ? "step" : "tolerance");
}

static const char *say_outputs(sn_simulation *s, double value) {
  int output = 0;
  sn_signal_difference(s, &output);
  return sn_format(
      &s->arena,
      "output '%s' differs by %.2g of its largest value from that of a more accurate companion run%s, although "
      "recorded points agree; possible remedy: a smaller %s",
      s->model->output[output].name, value, until_when(s, value), s->settings->step > 0 ? "step" : "tolerance");
}

static const char *say_constraint(sn_simulation *s, double value) {
  const char *conflict = sn_say_conflict(s, value);
  if (*conflict) return conflict;
  const char *remedy = remedy_for_positions(s);
  if (s->evidence.open[1] >= value)
    return sn_format(&s->arena, "directions of joints are off by up to %.2g rad%s", value, remedy);
  return sn_format(&s->arena, "joints are violated by up to %.2g m, %.2g of the size of the model%s",
                   s->evidence.open[0], value, remedy);
}

static const char *say_constraint_tolerance(sn_simulation *s, double value) {
  return sn_format(&s->arena, "joints are violated by up to %.2g m, %.2g times the tolerance", s->largest_constraint[0],
                   value);
}

static const char *say_not_finite(sn_simulation *s, double value) {
  (void)value;
  return sn_format(&s->arena, "some energies are not finite");
}

static const char *say_unsettled(sn_simulation *s, double value) {
  return sn_format(&s->arena, "friction of joints and reactions do not agree in %.2g solutions per step", value);
}

static const char *say_least(sn_simulation *s, double value) {
  (void)value;
  return sn_format(&s->arena, "%ld of %ld steps have the minimum size of %g s", counted(s)->least_steps,
                   counted(s)->steps, s->settings->min_step);
}

static const char *say_short(sn_simulation *s, double value) {
  (void)value;
  return sn_format(&s->arena, "fixed steps of %g s had to be divided: %ld of %ld steps are shorter", s->settings->step,
                   counted(s)->short_steps, counted(s)->steps);
}

static const char *say_newton(sn_simulation *s, double value) {
  (void)value;
  const bool fixed_point = s->ops && strcmp(s->ops->kind.name, "adams") == 0;
  return sn_format(&s->arena, "%s failed %ld times in %ld steps",
                   fixed_point ? "the iteration of adams, which has no matrix," : "Newton's method",
                   counted(s)->newton_rejections, counted(s)->steps);
}

static const char *say_contact(sn_simulation *s, double value) {
  (void)value;
  return sn_format(&s->arena, "contact forces did not reach their tolerance in %ld of %ld steps",
                   counted(s)->contact.misses, counted(s)->steps);
}

static const char *say_impacts(sn_simulation *s, double value) {
  (void)value;
  return sn_format(
      &s->arena, "in %ld of %ld steps not all impacts were resolved: some bodies still approach each other after them",
      counted(s)->contact.impacts_left, counted(s)->steps);
}

/* ---- the rules ---- */

const sn_rule sn_run_rules[SN_RUN_RULES] = {
    {"energy", "largest energy error relative to the energy exchanged (dynamics)", 1e-2, 0.1,
     "this energy comes from the integrator, not from loads, drivers or dampers", energy, say_energy, A_RUN},
    {"energy and tolerance", "the same in tolerances, times a quarter of the number of oscillations (adaptive steps)",
     5, INFINITY, "in an oscillation the error due to wrong energy accumulates", energy_in_tolerances,
     say_energy_tolerance, A_SIGN},
    {"energy and contacts",
     "the same in models with contacts (fixed steps; complementarity: with rebounds, or without an estimate)", 2e-3,
     INFINITY, "the height of a rebound is proportional to its energy", energy_of_contacts, say_energy, A_RUN},
    {"shift in time",
     "displacement of recorded points due to the time shift, the integral of energy error/(2 T), relative to their "
     "largest displacement, in tolerances (adaptive steps; motion that is not driven and does not reverse)",
     7, INFINITY, "a motion with too much energy runs ahead; the limit leaves a third for the error of the estimate",
     sn_evidence_late, say_late, A_SIGN},
    {"local errors", "sum of the local errors relative to max(1, |q|), if the integrator estimates them (fixed steps)",
     1e-2, INFINITY, "the energy does not show errors in time; local errors do", local_error, say_local, A_SIGN},
    {"local errors and tolerance", "the same in tolerances (adaptive steps)", 10, INFINITY,
     "each step satisfies the tolerance, but the sum may not", local_error_in_tolerances, say_local_tolerance, A_SIGN},
    {"estimate",
     "difference of recorded points from a run with a tenth of the tolerance, relative to their largest displacement, "
     "and of recorded angles, relative to the largest (at least 1 rad), in tolerances; with fixed steps in thousandths "
     "(dynamics, up to some seconds of computing time)",
     10, INFINITY, "unstable or chaotic motion amplifies small errors", estimated_error, say_estimate, A_RUN},
    {"estimate of the whole", "the same relative to their largest displacement (adaptive steps)", 0.05, INFINITY,
     "a large tolerance may be met by a motion that is wrong", estimated_part, say_estimated_part, A_RUN},
    {"no estimate", "there is none up to the end: with contacts, or with tolerances below 1e-11 (dynamics)", 0,
     INFINITY, "energy and local errors alone do not show the errors of contacts", no_estimate, say_no_estimate, A_RUN},
    {"reactions",
     "the same for recorded reactions, stress resultants, stresses and forces of springs, relative to their largest "
     "value; after that run has ended, in proportion to time",
     SN_OUTPUTS_OFF, INFINITY,
     "forces may be wrong although positions are right: stiff parts vibrate with small displacements and large forces",
     reaction_difference, say_reactions, A_RUN},
    {"outputs",
     "the same for all other recorded outputs but accelerations (velocities, strains, contact forces, expressions), "
     "where the difference lasts for two recorded times or nothing can jump",
     SN_OUTPUTS_OFF, INFINITY, "velocities and signals may be wrong although positions are right", output_difference,
     say_outputs, A_RUN},
    {"joints", "largest position error of the constraints relative to the size of the model; of directions [rad]", 1e-3,
     1e-2, "a mechanism with open joints is a different one", constraint, say_constraint, A_RUN},
    {"joints and tolerance", "the same in tolerances, for a size of 1 m or more", 10, INFINITY,
     "positions cannot be more accurate than the joints", constraint_in_tolerances, say_constraint_tolerance, A_SIGN},
    {"numbers", "energies that are not finite", 0, 0, "the solution has diverged", not_finite, say_not_finite, A_RUN},
    {"friction of joints", "solutions for accelerations per step in which friction of joints did not settle", 1e-2, 0.1,
     "friction and reactions do not agree", unsettled, say_unsettled, A_RUN},
    {"smallest steps", "fraction of adaptive steps of size `min_step`, without single ones after kinks", 1e-2, 0.1,
     "their local error may be larger than allowed", least_steps, say_least, A_RUN},
    {"cut steps", "fraction of fixed steps that were divided because of Newton's method or contacts", 1e-2, 0.5,
     "the steps are not those that were requested", short_steps, say_short, A_RUN},
    {"Newton", "failures of Newton's method per step (dynamics)", 0.3, INFINITY,
     "steps are close to the limit of convergence", newton_misses, say_newton, A_SIGN},
    {"contact forces", "fraction of steps in which contact forces did not reach their tolerance", 1e-3, 0.1,
     "bodies may penetrate or stick to each other", contact_misses, say_contact, A_RUN},
    {"impacts", "fraction of steps in which not all impacts were resolved", 1e-3, 0.1,
     "the remaining approach velocity is removed without restitution", impacts_left, say_impacts, A_RUN},
};
