/* trust_model.c - the rules of trust about the model, whatever solves it: contacts, meshes, bodies beyond what they
 * describe, the start. */
#include <math.h>

#include "analysis/axial.h"
#include "analysis/evidence.h"
#include "analysis/formulation.h"
#include "analysis/holes.h"
#include "analysis/modes.h"
#include "analysis/reduction.h"
#include "analysis/rolling.h"
#include "analysis/spinning.h"
#include "analysis/trust.h"
#include "analysis/trust_rules.h"
#include "analysis/twisting.h"

/* ---- what is measured ---- */

static double overlap(const sn_simulation *s) {
  return s->evidence.overlap;
}

static double depth(const sn_simulation *s) {
  return s->evidence.depth / s->evidence.size;
}

/* What should stick has slid so far, or what slides was held by too little friction for so long. */
static double creep(const sn_simulation *s) {
  return s->system->statistics.contact.crept / fmax(s->evidence.size, s->evidence.displacement);
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

static double bending(const sn_simulation *s) {
  int body;
  return sn_bending_excess(s, &body);
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
      s->system->statistics.contact.crept, value);
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

const sn_rule sn_model_rules[SN_MODEL_RULES] = {
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
    {"bending",
     "strain energy of bending that a beam has too much because its formulation (`continuum`) has another bending "
     "stiffness than its section, relative to its strain energy, in dynamics to the energy exchanged or stored",
     0.01, INFINITY, "sections that stay plane resist the contraction across them that goes with bending", bending,
     sn_bending_say, A_MODEL},
    {"start positions", "change of coordinates by the initial assembly relative to the size of the model", 1e-3, 0.1,
     "the run does not start at the positions in the model file", start_positions, say_start_positions, A_MODEL},
    {"start velocities", "change of given initial velocities relative to the largest", 1e-2, 1,
     "the run does not start with the velocities in the model file", start_velocities, say_start_velocities, A_MODEL},
    {"modes", "unstable modes", 0, INFINITY, "vibration frequencies exist only about a stable equilibrium",
     unstable_modes, say_modes, A_MODEL},
};
