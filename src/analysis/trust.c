/* trust.c - the rules of trust, and the verdict by them; see trust.h. */
#include "analysis/trust.h"

#include <math.h>
#include <string.h>

#include "analysis/axial.h"
#include "analysis/companion.h"
#include "analysis/evidence.h"
#include "analysis/holes.h"
#include "analysis/modes.h"
#include "analysis/reduction.h"
#include "analysis/rolling.h"
#include "analysis/spinning.h"
#include "analysis/torsion.h"
#include "analysis/trust_remedy.h"
#include "analysis/twisting.h"

const char *const sn_trust_names[3] = {"good", "doubtful", "bad"};

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

static double reaction_difference(const sn_simulation *s) {
  return counted(s)->reaction_difference;
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

static double overlap(const sn_simulation *s) {
  return s->evidence.overlap;
}

static double depth(const sn_simulation *s) {
  return s->evidence.depth / s->evidence.size;
}

/* What should stick has slid so far, or what slides was held by too little friction for so long. */
static double creep(const sn_simulation *s) {
  return counted(s)->contact.crept / fmax(s->evidence.size, s->evidence.displacement);
}

static double spun(const sn_simulation *s) {
  return s->evidence.spun;
}

static double holes(const sn_simulation *s) {
  return s->evidence.fits ? 1 : 0;
}

static double rolling(const sn_simulation *s) {
  int body;
  return sn_rolling(s, &body) / fmax(s->evidence.size, s->evidence.displacement);
}

static double bend(const sn_simulation *s) {
  return s->evidence.bend;
}

static double turn(const sn_simulation *s) {
  return s->evidence.turn;
}

static double axial(const sn_simulation *s) {
  return s->evidence.axial;
}

static double twisting(const sn_simulation *s) {
  int body;
  return sn_twisting(s, &body);
}

static double reduction(const sn_simulation *s) {
  const sn_body *body;
  double at;
  return sn_left_out(s, &body, &at);
}

static double torsion(const sn_simulation *s) {
  int body;
  return sn_torsion_share(s, &body);
}

static double start_positions(const sn_simulation *s) {
  return s->start.position_change / s->evidence.size;
}

static double start_velocities(const sn_simulation *s) {
  return s->evidence.velocity_change;
}

/* Of undamped vibrations. The eigenvalues of `linearize` are right about any state: controllers are designed for
 * plants that are unstable. */
static double unstable_modes(const sn_simulation *s) {
  int count = 0;
  for (const sn_modes *m = s->modes; m; m = m->next)
    if (!m->re) count += m->unstable;
  return count;
}

/* ---- in words ---- */

static const char *name_of(const sn_simulation *s, int body) {
  return body >= 0 && body < s->model->bodies ? s->model->body[body].name : "";
}

static const char *say_energy(sn_simulation *s, double value) {
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

static const char *say_reactions(sn_simulation *s, double value) {
  const sn_output *o = &s->model->output[sn_companion_reaction(s)];
  const char *what = o->type == SN_OUTPUT_STRESS      ? "stresses"
                     : o->type == SN_OUTPUT_RESULTANT ? "stress resultants"
                     : o->type == SN_OUTPUT_REACTION  ? "reactions"
                                                      : "forces";
  return sn_format(
      &s->arena,
      "%s '%s' differ by %.2g of their largest value from those of a more accurate companion run; possible "
      "remedy: a smaller tolerance or step, or damping in parts that vibrate too fast for the steps",
      what, o->name, value);
}

static const char *say_constraint(sn_simulation *s, double value) {
  const char *conflict = sn_say_conflict(s, value);
  static const char remedy[] =
      "; possible remedy: an integrator that enforces positions at every step (hht-i3, radau5), a smaller step or "
      "tolerance, or stabilization if the integrator has it";
  if (*conflict) return conflict;
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

static const char *say_overlap(sn_simulation *s, double value) {
  return sn_format(&s->arena, "'%s' and '%s' penetrate each other by %.2g of the radius",
                   name_of(s, s->evidence.pair[0]), name_of(s, s->evidence.pair[1]), value);
}

static const char *say_depth(sn_simulation *s, double value) {
  return sn_format(&s->arena, "contacts overlap by up to %.2g m, %.2g of the size of the model", s->evidence.depth,
                   value);
}

static const char *say_released(sn_simulation *s, double value) {
  return sn_format(
      &s->arena,
      "contacts that overlap at the start stored %.2g J, which drives the bodies apart: %.2g of the energy "
      "exchanged; possible remedy: initial positions in which they only touch, or 'statics' as the first "
      "analysis",
      s->evidence.stored, value);
}

static const char *say_creep(sn_simulation *s, double value) {
  return sn_format(
      &s->arena,
      "contacts, joints or ropes slide by up to %.2g m below the speed 'slip' or 'creep_speed', where friction has "
      "not its full value, %.2g of the size of the model; possible remedy: a smaller one",
      counted(s)->contact.crept, value);
}

static const char *say_reduction(sn_simulation *s, double value) {
  const sn_body *body;
  double at;
  sn_left_out(s, &body, &at);
  return sn_format(
      &s->arena,
      "floating '%s' is loaded between its ends (s = %.3g), where the modes that it does not keep have up to "
      "%.2g of the deflection; possible remedy: more 'modes', or none of this field, which is no reduction",
      body->name, at, value);
}

static const char *say_bend(sn_simulation *s, double value) {
  return sn_format(&s->arena, "an element of '%s' bends by %.2g rad: use more elements", name_of(s, s->evidence.bent),
                   value);
}

static const char *say_mesh(sn_simulation *s, double value) {
  const sn_body *body = &s->model->body[s->evidence.coarse];
  return sn_format(
      &s->arena,
      "the elements of '%s' are too long for what acts on them, or for their curvature: deflections or their "
      "vibrations are off by %s%.1g of their size; possible remedy: more elements; 'sinew verify' "
      "estimates the errors of the outputs",
      body->name, value > 0.5 ? "more than " : "about ", fmin(value, 0.5));
}

static const char *say_turn(sn_simulation *s, double value) {
  return sn_format(&s->arena,
                   "floating body '%s' bends by %.2g rad, too much for the assumption of small deformations: divide it "
                   "into several bodies",
                   name_of(s, s->evidence.turned), value);
}

static const char *say_start_positions(sn_simulation *s, double value) {
  return sn_format(&s->arena,
                   "the initial positions were changed by %.2g, %.2g of the size of the model, to satisfy the joints",
                   s->start.position_change, value);
}

static const char *say_start_velocities(sn_simulation *s, double value) {
  return sn_format(&s->arena, "given initial velocities were changed by %.2g of the largest to satisfy the joints",
                   value);
}

static const char *say_modes(sn_simulation *s, double value) {
  return sn_format(&s->arena, "%g unstable mode%s: the configuration is not a stable equilibrium", value,
                   value > 1 ? "s" : "");
}

/* ---- the rules ---- */

/* Rules about the solution; indicators of position errors, which are not used if the companion shows that these are
 * small; rules about the model. */
typedef enum about { A_RUN, A_SIGN, A_MODEL } about;

typedef struct rule {
  const char *name, *measured;
  double doubtful, bad; /* limits: the run is, above them; INFINITY: never */
  const char *why;
  double (*value)(const sn_simulation *);
  const char *(*say)(sn_simulation *, double value);
  about about;
} rule;

static const rule rules[] = {
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
     "value",
     0.05, INFINITY,
     "forces may be wrong although positions are right: stiff parts vibrate with small displacements and large forces",
     reaction_difference, say_reactions, A_RUN},
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
    {"overlap", "largest overlap of penalty contacts relative to the radius", 0.1, 0.5,
     "contact laws are valid for small overlaps", overlap, say_overlap, A_MODEL},
    {"depth", "largest overlap of contacts relative to the size of the model", 1e-2, 0.1, "real bodies do not overlap",
     depth, say_depth, A_MODEL},
    {"start overlap",
     "energy of penalty contacts that overlap at the start and come apart, relative to the energy exchanged", 0.05,
     INFINITY, "real bodies do not overlap", sn_evidence_released, say_released, A_MODEL},
    {"creep",
     "distance that contacts, joints and ropes with friction slide below their speed `slip` or `creep_speed`, relative "
     "to the size of the model or the "
     "largest displacement of recorded points",
     1e-2, INFINITY, "real friction holds at rest", creep, say_creep, A_MODEL},
    {"spin", "angle by which flat parts of rigid bodies turn on each other about their normal, with friction [rad]",
     0.1, INFINITY, "the moment of friction depends on the distribution of pressure, which rigid bodies leave open",
     spun, sn_say_spinning, A_MODEL},
    {"holes", "surfaces near another that they fit through, between its spheres (1; else 0)", 0, INFINITY,
     "they may pass through it unseen", holes, sn_holes_say, A_MODEL},
    {"rolling",
     "distance that cables and beams, free to turn about their lines, would roll by friction across them, relative to "
     "the size of the model or the largest displacement of recorded points",
     1e-2, INFINITY, "friction acts on center lines, and does not turn cables and beams about them", rolling,
     sn_rolling_say, A_MODEL},
    {"mesh", "largest rotation of the slopes along an element [rad]", 0.8, 1.6,
     "a cubic element has the bending energy of an arc to 1e-3 at 0.8 rad and to 1e-2 at 1.6 rad", bend, say_bend,
     A_MODEL},
    {"mesh energy",
     "strain energy that elements lack between their nodes, relative to the energy exchanged or stored; its changes "
     "in all swings, times pi/2, relative to the energy exchanged (dynamics)",
     2e-2, INFINITY, "it makes the structure too stiff: waves that are short against the elements run too fast",
     sn_evidence_mesh, say_mesh, A_MODEL},
    {"floating", "largest rotation of a node in the frame of a floating body [rad]", 0.3, 1,
     "the relative error of linear elasticity is the square of the rotation", turn, say_turn, A_MODEL},
    {"axial force", "axial force of a floating body, mean along it, relative to its Euler load", 0.03, 1,
     "axial forces change deflections and squared frequencies by about this fraction, and floating bodies leave it out",
     axial, sn_axial_say, A_MODEL},
    {"twist",
     "energy that a wire would need to follow a curved cable without torsion (`bending: scalar`) out of its plane, "
     "relative to this, the strain energy of the cable and that of a straight cantilever bent as far as it moves",
     0.02, INFINITY,
     "torsion makes a deflection smaller by about this fraction; across its plane nothing else holds an arc", twisting,
     sn_twisting_say, A_MODEL},
    {"reduction",
     "deflection that a reduced floating body lacks where it is loaded between its ends, by the modes that it does not "
     "keep, relative to that of the same beam on two hinges",
     0.01, INFINITY, "the reduction is exact for forces at the ends only", reduction, say_reduction, A_MODEL},
    {"torsion",
     "share of torsion in the strain energy of a beam whose formulation (`selective`, `continuum`) has another torsion "
     "constant than its section, by more than 2 %",
     0.01, INFINITY, "plane sections do not warp, and twist too little", torsion, sn_torsion_say, A_MODEL},
    {"start positions", "change of coordinates by the initial assembly relative to the size of the model", 1e-3, 0.1,
     "the run does not start at the positions in the model file", start_positions, say_start_positions, A_MODEL},
    {"start velocities", "change of given initial velocities relative to the largest", 1e-2, 1,
     "the run does not start with the velocities in the model file", start_velocities, say_start_velocities, A_MODEL},
    {"modes", "unstable modes", 0, INFINITY, "vibration frequencies exist only about a stable equilibrium",
     unstable_modes, say_modes, A_MODEL},
};

/* The companion run reached the end, conserved its energy, and both agree; the companion itself has a part of the
 * difference as error. */
static bool is_confirmed(const sn_simulation *s) {
  const double most_energy = 5, tolerance = sn_evidence_tolerance(s);
  const sn_evidence *e = &s->evidence;
  return s->ops && !e->not_compared && counted(s)->estimated_error > 0 && counted(s)->estimated_error <= 5 &&
         e->finer_energy <= most_energy * (tolerance > 0 ? tolerance : 1e-3);
}

static sn_trust level_of(const rule *r, double value) {
  return !(value <= r->bad) ? SN_BAD : value > r->doubtful ? SN_DOUBTFUL : SN_GOOD;
}

/* "energy and tolerance" behind "energy": the same number, and one line is enough. */
static bool was_said(const double *value, size_t i) {
  for (size_t k = 0; k < i; k++)
    if (level_of(&rules[k], value[k]) != SN_GOOD && strncmp(rules[i].name, rules[k].name, strlen(rules[k].name)) == 0)
      return true;
  return false;
}

sn_verdict sn_judge(sn_simulation *s, sn_status status) {
  const bool failed = status != SN_OK && status != SN_INTERRUPTED;
  double value[SN_COUNT(rules)];
  const sn_trust told = failed ? SN_BAD : s->doubts.level;
  sn_verdict verdict = {told, failed ? SN_BAD : s->doubts.audit, failed ? "bad: the run did not reach its end\n" : ""};
  const bool confirmed = is_confirmed(s);
  for (size_t i = 0; i < SN_COUNT(rules); i++) value[i] = confirmed && rules[i].about == A_SIGN ? 0 : rules[i].value(s);
  for (int level = SN_BAD; level > SN_GOOD; level--) {
    const char *name = sn_trust_names[level];
    for (int i = 0; i < s->doubts.count; i++)
      if (s->doubts.doubt[i].level == (sn_trust)level)
        verdict.reasons = sn_format(&s->arena, "%s%s: %s\n", verdict.reasons, name, s->doubts.doubt[i].text);
    for (size_t i = 0; i < SN_COUNT(rules); i++) {
      if (level_of(&rules[i], value[i]) != (sn_trust)level) continue;
      if ((sn_trust)level > verdict.level) verdict.level = (sn_trust)level;
      if (rules[i].about != A_MODEL && (sn_trust)level > verdict.audit) verdict.audit = (sn_trust)level;
      if (!was_said(value, i))
        verdict.reasons = sn_format(&s->arena, "%s%s: %s\n", verdict.reasons, name, rules[i].say(s, value[i]));
    }
  }
  if (status == SN_INTERRUPTED)
    verdict.reasons = sn_format(&s->arena, "%s%s: interrupted at t = %g s; this is about the part before\n",
                                verdict.reasons, sn_trust_names[verdict.level], s->state.t);
  if (s->doubts.more)
    verdict.reasons =
        sn_format(&s->arena, "%s%s: and %d more\n", verdict.reasons, sn_trust_names[s->doubts.level], s->doubts.more);
  return verdict;
}

/* ---- for readers ---- */

static const char *limit(char text[32], double value) {
  if (isfinite(value))
    snprintf(text, 32, "%g", value);
  else
    snprintf(text, 32, "never");
  return text;
}

void sn_describe_trust(FILE *out, bool markdown) {
  char doubtful[32], bad[32];
  if (markdown) fputs("| rule | what is measured | doubtful above | bad above | why |\n|---|---|---|---|---|\n", out);
  for (size_t i = 0; i < SN_COUNT(rules); i++) {
    const rule *r = &rules[i];
    limit(doubtful, r->doubtful), limit(bad, r->bad);
    if (markdown)
      fprintf(out, "| %s | %s | %s | %s | %s |\n", r->name, r->measured, doubtful, bad, r->why);
    else
      fprintf(out, "%-20s  %s\n%22sdoubtful above %s, bad %s%s: %s\n", r->name, r->measured, "", doubtful,
              isfinite(r->bad) ? "above " : "", bad, r->why);
  }
}
