/* reeving_compile.c - `reeving`: its fields, and the rope made of them. */
#include <math.h>
#include <string.h>

#include "force/forces.h"
#include "force/reeving.h"
#include "force/rope_mass.h"
#include "joint/relation.h"
#include "math/constants.h"
#include "math/vec3.h"

typedef struct reeving_spec {
  sn_spec spec;
  sn_marker_ref from, to;
  sn_marker_list pulleys;
  sn_reals radius, turn, friction, wound;
  sn_names no_slip;
  bool closed;
  double stiffness, stiffness_damping, length, tension, mass_per_length, slip, axis[3];
  sn_marker_ref frame;
  const sn_expr *feed;
} reeving_spec;

static const sn_field reeving_fields[] = {
    {"from", SN_MARKER, SN_AT(reeving_spec, from),
     .help = "first end; without it, the first pulley is a drum on which the rope is wound",
     .example = "\"ground.at(0, 1, 0)\""},
    {"to", SN_MARKER, SN_AT(reeving_spec, to), .help = "last end; without it, the last pulley is a drum",
     .example = "\"ground.at(2, 1, 0)\""},
    {"pulleys", SN_MARKER_LIST, SN_AT(reeving_spec, pulleys),
     .help = "centers of the pulleys, in the order in which the rope runs over them", .example = "[my_body.end]"},
    {"radius", SN_REALS, SN_AT(reeving_spec, radius), .unit = "m", .limits = SN_POSITIVE,
     .help = "radius of each pulley, to the middle of the rope; a list of one number: of all", .example = "[0.1]"},
    {"turn", SN_REALS, SN_AT(reeving_spec, turn), .def = "[1]", .limits = SN_BETWEEN(-1, 1),
     .help = "how the rope runs around each pulley, seen against the axis: 1 counterclockwise, -1 clockwise"},
    {"closed", SN_BOOL, SN_AT(reeving_spec, closed), .def = "false",
     .help = "a belt: a loop over the pulleys, without ends"},
    {"stiffness", SN_REAL, SN_AT(reeving_spec, stiffness), .unit = "N", .required = true, .limits = SN_POSITIVE,
     .help = "axial stiffness EA", .example = "1e5"},
    {"stiffness_damping", SN_REAL, SN_AT(reeving_spec, stiffness_damping), .unit = "s", .def = "0",
     .limits = SN_NOT_NEGATIVE, .help = "damping: the tension is EA (strain + this time * rate of strain)"},
    {"length", SN_REAL, SN_AT(reeving_spec, length), .unit = "m", .limits = SN_POSITIVE,
     .help = "unstretched length of all that is not on a drum; default: as it is at the start"},
    {"tension", SN_REAL, SN_AT(reeving_spec, tension), .unit = "N", .limits = SN_NOT_NEGATIVE,
     .help = "tension at the start, instead of a length"},
    {"feed", SN_FUNCTION, SN_AT(reeving_spec, feed), .unit = "m",
     .help = "length fed in at the first end (taken in if negative), function of t"},
    {"no_slip", SN_BODY_NAMES, SN_AT(reeving_spec, no_slip),
     .help = "bodies on whose pulleys the rope cannot slip: it turns them"},
    {"friction", SN_REALS, SN_AT(reeving_spec, friction), .def = "[0]", .limits = SN_NOT_NEGATIVE,
     .help = "coefficient of friction on each pulley; a list of one number: on all. V belts: divided by the sine of "
             "half the angle "
             "of the groove"},
    {"slip", SN_REAL, SN_AT(reeving_spec, slip), .unit = "m/s", .def = "1e-3", .limits = SN_POSITIVE,
     .help = "creep speed: friction increases with x/sqrt(x^2 + slip^2) of the speed x of slip"},
    {"mass_per_length", SN_REAL, SN_AT(reeving_spec, mass_per_length), .unit = "kg/m", .limits = SN_POSITIVE,
     .help = "mass of the rope per unstretched length: its inertia and weight, also of what runs over pulleys and is "
             "wound on drums. Without it the rope is weightless; friction, and in space no_slip and drums, need it"},
    {"wound", SN_REALS, SN_AT(reeving_spec, wound), .unit = "m", .def = "[0]", .limits = SN_NOT_NEGATIVE,
     .help = "with mass_per_length: length wound on each drum at the start; its mass adds to that of the drum"},
    {"axis", SN_VECTOR, SN_AT(reeving_spec, axis), .def = "[0, 0, 1]",
     .help = "initial axis of all pulleys, global; spans may be inclined to the plane normal to it"},
    {"frame", SN_MARKER, SN_AT(reeving_spec, frame), .def = "ground",
     .help = "body that carries the axis, and against which pulleys turn"},
    {0},
};

static bool one_for_each(sn_reader *reader, const sn_spec *spec, const char *field, const sn_reals *list, int count) {
  if (list->count == count || list->count == 1) return true;
  sn_field_error(reader, spec, field, "a list of one number, or of one for each pulley",
                 "'%s' of '%s' has %d numbers for %d pulley%s", field, spec->name, list->count, count,
                 count == 1 ? "" : "s");
  return false;
}

static double nth(const sn_reals *list, int i) {
  return list->value[list->count == 1 ? 0 : i];
}

static void check_ends(sn_reader *reader, const sn_spec *spec) {
  const reeving_spec *s = (const reeving_spec *)(const void *)spec;
  const bool from = sn_given(spec, "from"), to = sn_given(spec, "to");
  const int least = s->closed ? 2 : !from + !to;
  if (s->closed && (from || to))
    sn_field_error(reader, spec, from ? "from" : "to", "pulleys only", "belt '%s' is closed and has no ends",
                   spec->name);
  if (s->pulleys.count < least)
    sn_field_error(reader, spec, "pulleys", "'from' and 'to', or pulleys (the first and last are drums)",
                   "rope '%s' has no two ends", spec->name);
  if (s->pulleys.count > SN_ROPE_PULLEYS)
    sn_field_error(reader, spec, "pulleys", "several ropes, one after the other",
                   "rope '%s' runs over more than %d pulleys", spec->name, SN_ROPE_PULLEYS);
}

static void check_mass(sn_reader *reader, const sn_spec *spec) {
  const reeving_spec *s = (const reeving_spec *)(const void *)spec;
  const int drums = s->closed ? 0 : !sn_given(spec, "from") + !sn_given(spec, "to");
  if (sn_given(spec, "feed") && sn_given(spec, "mass_per_length"))
    sn_field_error(reader, spec, "feed", "a drum at this end, which winds the rope",
                   "rope '%s' has mass, and nothing carries what is fed in", spec->name);
  if (!sn_given(spec, "wound")) return;
  if (!sn_given(spec, "mass_per_length"))
    sn_field_error(reader, spec, "wound", "'mass_per_length' as well", "rope '%s' has no mass on its drums",
                   spec->name);
  if (drums == 0)
    sn_field_error(reader, spec, "wound", "a rope without 'from' or 'to'", "rope '%s' has no drum", spec->name);
  else if (s->wound.count != 1 && s->wound.count != drums)
    sn_field_error(reader, spec, "wound", "a list of one number, or of one for each drum",
                   "'wound' of '%s' has %d numbers for %d drum%s", spec->name, s->wound.count, drums,
                   drums == 1 ? "" : "s");
}

static void reeving_check(sn_reader *reader, const sn_spec *spec) {
  const reeving_spec *s = (const reeving_spec *)(const void *)spec;
  const int count = s->pulleys.count;
  bool rough = false;
  check_ends(reader, spec);
  if (count && !sn_given(spec, "radius"))
    sn_field_error(reader, spec, NULL, "a radius for each pulley", "rope '%s' has pulleys without radius", spec->name);
  else if (count)
    one_for_each(reader, spec, "radius", &s->radius, count);
  if (count && one_for_each(reader, spec, "turn", &s->turn, count))
    for (int i = 0; i < s->turn.count; i++)
      if (fabs(s->turn.value[i]) != 1)
        sn_field_error(reader, spec, "turn", "1 (counterclockwise) or -1 (clockwise)", "'turn' of '%s' is %g",
                       spec->name, s->turn.value[i]);
  if (count && one_for_each(reader, spec, "friction", &s->friction, count))
    for (int i = 0; i < s->friction.count; i++) rough |= s->friction.value[i] > 0;
  if (rough && !sn_given(spec, "mass_per_length"))
    sn_field_error(reader, spec, "friction", "'mass_per_length' as well",
                   "rope '%s' slips on pulleys, and has no inertia there", spec->name);
  if (sn_given(spec, "length") && sn_given(spec, "tension"))
    sn_field_error(reader, spec, "tension", "one of: length, tension", "rope '%s' has both a length and a tension",
                   spec->name);
  check_mass(reader, spec);
}

/* ---- stops ---- */

static bool is_named(const sn_names *names, const char *name) {
  for (int i = 0; i < names->count; i++)
    if (strcmp(names->name[i], name) == 0) return true;
  return false;
}

/* The pulley at a stop; -1: an end. */
static int pulley_at(const reeving_spec *s, int stop) {
  const int pulley = stop - (!s->closed && sn_given(s, "from"));
  return pulley >= 0 && pulley < s->pulleys.count ? pulley : -1;
}

static bool is_drum(const sn_rope *rope, int stop) {
  return !rope->closed && rope->stop[stop].rho != 0 && (stop == 0 || stop == rope->stops - 1);
}

static const sn_marker_ref *ref_at(const reeving_spec *s, int stop) {
  const int pulley = pulley_at(s, stop);
  return pulley >= 0 ? &s->pulleys.entry[pulley] : stop == 0 ? &s->from : &s->to;
}

/* Before constraints are compiled: the coordinates tau of pulleys with friction; in space, where angles are known only
 * modulo 2 pi, of all that grip. */
static void reeving_reserve(sn_compiler *c, const sn_spec *spec) {
  const reeving_spec *s = (const reeving_spec *)(const void *)spec;
  sn_rope *rope = sn_add_rope(c);
  *rope = (sn_rope){.name = spec->name,
                    .closed = s->closed,
                    .EA = s->stiffness,
                    .damping = s->stiffness_damping,
                    .slip = s->slip,
                    .per_length = s->mass_per_length,
                    .feed = s->feed};
  rope->stops = s->pulleys.count + (s->closed ? 0 : sn_given(s, "from") + sn_given(s, "to"));
  rope->spans = rope->closed ? rope->stops : rope->stops - 1;
  rope->scalars = 2 * rope->spans;
  for (int k = 0; k < rope->stops; k++) {
    sn_rope_stop *stop = &rope->stop[k];
    const int pulley = pulley_at(s, k);
    const double zero = 0;
    stop->w = stop->tau = stop->before = stop->after = -1;
    if (pulley < 0) continue;
    stop->rho = nth(&s->turn, pulley) * nth(&s->radius, pulley);
    stop->mu = nth(&s->friction, pulley);
    stop->grip = is_drum(rope, k) || is_named(&s->no_slip, s->pulleys.entry[pulley].body) ? SN_ROPE_NO_SLIP
                 : stop->mu > 0                                                           ? SN_ROPE_FRICTION
                                                                                          : SN_ROPE_SMOOTH;
    const bool tied = stop->grip == SN_ROPE_NO_SLIP && c->model->dim == 3;
    if (tied && !sn_given(s, "mass_per_length")) {
      sn_field_error(&c->reader, spec, sn_given(s, "no_slip") ? "no_slip" : "pulleys", "'mass_per_length' as well",
                     "rope '%s' turns pulleys in space, and has no inertia there", spec->name);
      return;
    }
    if (stop->grip != SN_ROPE_SMOOTH && !tied) stop->w = rope->scalars++;
    if (stop->grip != SN_ROPE_FRICTION && !tied) continue;
    stop->tau = rope->scalars++;
    stop->flow_group = sn_add_coordinates(c, spec->name, 1, &zero, &zero);
    stop->flow = c->model->n - 1;
  }
}

/* Unstretched lengths at the start: one strain everywhere. */
static bool make_rest(sn_compiler *c, const reeving_spec *s, sn_rope *rope, const double *z) {
  double total = 0, held = 0, length[SN_ROPE_SPANS];
  for (int j = 0; j < rope->segments; j++) {
    length[j] = rope->segment[j].arc;
    for (int i = 0; i < rope->scalars; i++) length[j] += rope->segment[j].l[i] * z[i];
    total += length[j];
  }
  for (int k = 0; k < rope->stops; k++)
    if (rope->stop[k].grip == SN_ROPE_NO_SLIP && !is_drum(rope, k))
      held += fabs(rope->stop[k].rho) * rope->stop[k].wrap;
  double factor = 1 / (1 + s->tension / rope->EA);
  if (!sn_given(s, "tension")) factor = sn_given(s, "length") ? (s->length - held) / total : 1;
  if (!(factor > 0)) {
    sn_field_error(&c->reader, &s->spec, "length", "a longer rope",
                   "rope '%s' is shorter than its part on pulleys on which it cannot slip, %g m", rope->name, held);
    return false;
  }
  for (int j = 0; j < rope->segments; j++) rope->segment[j].rest = factor * length[j];
  return true;
}

/* Rates of tau at the start: such that segments keep their strain, as far as that is possible, in the sense of least
 * squares; among equals nearest to those of a rope that does not slip. Elimination of (A'A + eps I) x = A'b + eps x0. */
static void start_flow(const sn_rope *rope, const double *zd, double *v0) {
  enum { P = SN_ROPE_PULLEYS };
  double A[P][P + 1] = {{0}};
  const sn_rope_stop *of[P];
  const double eps = 1e-9;
  int n = 0;
  for (int k = 0; k < rope->stops; k++)
    if (rope->stop[k].grip == SN_ROPE_FRICTION) of[n++] = &rope->stop[k];
  for (int j = 0; j < rope->segments; j++) {
    const sn_rope_segment *s = &rope->segment[j];
    double missing = 0;
    for (int i = 0; i < rope->scalars; i++) missing += (s->l[i] - s->l0[i]) * zd[i];
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < n; b++) A[a][b] += s->l0[of[a]->tau] * s->l0[of[b]->tau];
      A[a][n] += s->l0[of[a]->tau] * missing;
    }
  }
  for (int a = 0; a < n; a++) {
    A[a][a] += eps;
    A[a][n] += eps * of[a]->rho * zd[of[a]->w];
  }
  for (int a = 0; a < n; a++)
    for (int b = a + 1; b < n; b++)
      for (int k = n; k >= a; k--) A[b][k] -= A[b][a] / A[a][a] * A[a][k];
  for (int a = n - 1; a >= 0; a--) {
    for (int b = a + 1; b < n; b++) A[a][n] -= A[a][b] * A[b][n];
    A[a][n] /= A[a][a];
    v0[of[a]->flow] = A[a][n];
  }
}

/* ---- compile ---- */

static bool add_group(sn_rope *rope, int group, int size) {
  for (int g = 0; g < rope->groups; g++)
    if (rope->group[g] == group) return true;
  if (rope->groups == SN_ROPE_GROUPS || rope->local + size > SN_ROPE_LOCAL) return false;
  rope->group[rope->groups] = group;
  rope->offset[rope->groups++] = rope->local;
  rope->local += size;
  return true;
}

static bool add_probe(sn_rope *rope, const sn_probe *p) {
  bool fits = true;
  for (int g = 0; g < p->groups; g++) fits = fits && add_group(rope, p->group[g], p->size[g]);
  return fits;
}

static bool add_groups(sn_compiler *c, const sn_spec *spec, sn_rope *rope) {
  bool fits = true;
  for (int a = 0; a < 3; a++) fits &= add_probe(rope, &rope->axis[a]);
  for (int k = 0; k < rope->stops; k++) {
    const sn_rope_stop *stop = &rope->stop[k];
    fits &= add_probe(rope, &stop->center);
    if (stop->tau >= 0) fits &= add_group(rope, stop->flow_group, 1);
    for (int i = 0; stop->w >= 0 && i < stop->angle.probes; i++) fits &= add_probe(rope, &stop->angle.probe[i]);
    if (stop->w >= 0) fits &= sn_phi_count(&stop->angle) <= SN_ROPE_ANGLE;
  }
  if (!fits)
    sn_field_error(&c->reader, spec, "pulleys", "several ropes, one after the other",
                   "rope '%s' depends on more than %d coordinates", spec->name, SN_ROPE_LOCAL);
  return fits;
}

/* Axes of the frame, and rotations of the pulleys that the rope grips. */
static bool make_frame(sn_compiler *c, const reeving_spec *s, sn_rope *rope, const sn_marker *marker) {
  const bool planar = c->model->dim == 2;
  double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const sn_body *body = sn_find_body(c, s->frame.body);
  sn_marker frame = {.ref = &s->frame};
  if (!body) return false;
  sn_copy(e[2], s->axis);
  if (!(sn_normalize(e[2]) > 0) || (planar && !(e[2][2] > 0))) {
    sn_field_error(&c->reader, &s->spec, "axis", planar ? "[0, 0, 1]" : "a direction", "rope '%s' has no valid axis",
                   rope->name);
    return false;
  }
  if (!body->ops->place || !body->ops->direction) {
    sn_node_error(&c->reader, s->frame.node, "a rigid body or the ground", "'%s' has no frame for rope '%s'",
                  body->name, rope->name);
    return false;
  }
  if (!planar) sn_frame(e[2], e[0], e[1]);
  sn_marker_at(body, marker[0].position, &frame);
  for (int a = 0; a < 3; a++)
    if (planar && a == 2)
      sn_constant_probe(e[a], &rope->axis[a]);
    else
      body->ops->direction(&frame, e[a], &rope->axis[a]);
  for (int k = 0; k < rope->stops; k++) {
    sn_rope_stop *stop = &rope->stop[k];
    const sn_marker pair[2] = {frame, marker[k]};
    if (stop->grip == SN_ROPE_SMOOTH) continue;
    const char *why = marker[k].has_frame ? sn_make_rotation(c->model, pair, e[2], &stop->angle)
                                          : "a body without orientation cannot rotate";
    if (!why && stop->w >= 0 && stop->grip == SN_ROPE_NO_SLIP && stop->angle.type != SN_PHI_TURN)
      why = "its turns cannot be counted; fix a rigid body to it";
    if (!why) continue;
    sn_node_error(&c->reader, ref_at(s, k)->node, "a rigid body", "rope '%s' cannot turn '%s': %s", rope->name,
                  ref_at(s, k)->body, why);
    return false;
  }
  return true;
}

/* Directions and angles of wrap at the start; false after reporting spans that do not exist. */
static bool make_path(sn_compiler *c, const sn_spec *spec, sn_rope *rope, sn_rope_path *path) {
  sn_rope_path_at(rope, c->q0, c->v0, true, path);
  for (int i = 0; i < rope->spans; i++) {
    rope->start[i] = path->z[2 * i + 1];
    if (path->z[2 * i] > 0 && isfinite(rope->start[i])) continue;
    sn_field_error(&c->reader, spec, "pulleys", "ends and pulleys that do not overlap",
                   "rope '%s' has no free span between its stops %d and %d at the start", spec->name, i + 1, i + 2);
    return false;
  }
  for (int k = 0; k < rope->stops; k++) {
    const int from = sn_rope_arriving(rope, k), to = sn_rope_leaving(rope, k);
    if (rope->stop[k].rho == 0 || from < 0 || to < 0) continue;
    double wrap = (rope->stop[k].rho > 0 ? 1 : -1) * (rope->start[to] - rope->start[from]);
    wrap -= 2 * SN_PI * floor(wrap / (2 * SN_PI));
    rope->stop[k].wrap = 2 * SN_PI - wrap < 1e-9 ? 0 : wrap;
  }
  sn_rope_path_at(rope, c->q0, c->v0, false, path);
  return true;
}

/* In space: tau = rho w, modulo a turn, which a relation between coordinates keeps for any number of turns. */
static bool tie_pulleys(sn_compiler *c, const sn_spec *spec, sn_rope *rope) {
  static const double zero[3] = {0, 0, 0};
  for (int k = 0; k < rope->stops; k++) {
    const sn_rope_stop *stop = &rope->stop[k];
    if (stop->grip != SN_ROPE_NO_SLIP || stop->tau < 0) continue;
    sn_joint *joint = SN_NEW(c->arena, sn_joint, 1);
    sn_relation tie = {.terms = 2, .w = {1, -1 / stop->rho}};
    sn_phi phi;
    joint->name = spec->name;
    tie.phi[0] = stop->angle;
    tie.phi[1] = (sn_coordinate){.type = SN_PHI_TURN, .probes = 2, .second = 1, .sign = 1};
    sn_constant_probe(zero, &tie.phi[1].probe[0]);
    tie.phi[1].probe[1] = (sn_probe){.ops = &sn_probe_single,
                                     .groups = 1,
                                     .group = {stop->flow_group},
                                     .first = {stop->flow},
                                     .size = {1},
                                     .count = 1};
    sn_phi_at(&stop->angle, c->q0, &phi);
    c->v0[stop->flow] = stop->rho * sn_phi_rate(&stop->angle, &phi, c->q0, c->v0);
    if (!sn_add_relation(c, joint, &tie)) return false;
  }
  return true;
}

static bool weigh(sn_compiler *c, const reeving_spec *s, const sn_rope *rope) {
  const double wound[2] = {nth(&s->wound, 0), nth(&s->wound, s->wound.count - 1)};
  bool grips = !rope->closed;
  if (!sn_given(s, "mass_per_length")) return true;
  for (int k = 0; k < rope->stops; k++) grips |= rope->stop[k].grip != SN_ROPE_SMOOTH;
  if (!grips) {
    sn_field_error(&c->reader, &s->spec, "mass_per_length", "'no_slip' or 'friction' on a pulley",
                   "belt '%s' has mass, and no pulley says how fast it runs", rope->name);
    return false;
  }
  sn_add_rope_mass(c, rope, wound);
  return true;
}

static void reeving_compile(sn_compiler *c, const sn_spec *spec) {
  const reeving_spec *s = (const reeving_spec *)(const void *)spec;
  sn_rope *rope = (sn_rope *)(uintptr_t)sn_find_rope(c->model, spec->name); /* made by reeving_reserve */
  sn_marker marker[SN_ROPE_STOPS] = {0};
  sn_rope_path path;
  for (int k = 0; k < rope->stops; k++) {
    if (!sn_resolve(c, ref_at(s, k), &marker[k])) return;
    sn_marker_point(&marker[k], &rope->stop[k].center);
  }
  if (!make_frame(c, s, rope, marker) || !add_groups(c, spec, rope) || !make_path(c, spec, rope, &path)) return;
  sn_rope_make_segments(rope);
  if (!make_rest(c, s, rope, path.z)) return;
  if (rope->local == 0) {
    sn_field_error(&c->reader, spec, NULL, "a body that can move", "rope '%s' acts on the ground", spec->name);
    return;
  }
  if (!tie_pulleys(c, spec, rope)) return;
  start_flow(rope, path.zd, c->v0);
  if (!weigh(c, s, rope)) return;
  rope->doubt[0] = sn_format(c->arena,
                             "rope '%s' lifts off one of its pulleys, which the model does not describe: leave out the "
                             "pulley, or divide the run into stages",
                             spec->name);
  rope->doubt[1] = sn_format(c->arena,
                             "a span of rope '%s' has turned by half a turn from its start; beyond it angles are not "
                             "counted: choose a frame that turns with it",
                             spec->name);
  rope->doubt[2] = sn_format(c->arena, "rope '%s' is wound up completely", spec->name);
  bool rough = false;
  for (int k = 0; k < rope->stops; k++) rough |= rope->stop[k].grip == SN_ROPE_FRICTION;
  c->model->has_power |= rough || rope->damping > 0 || rope->feed;
  c->model->unsymmetric |= rough;
}

/* For drawing: all stops. */
static void reeving_place(sn_compiler *c, const sn_spec *spec, sn_force_place *place) {
  const reeving_spec *s = (const reeving_spec *)(const void *)spec;
  const sn_rope *rope = sn_find_rope(c->model, spec->name);
  sn_marker *marker = SN_NEW(c->arena, sn_marker, rope->stops);
  double *radius = SN_NEW(c->arena, double, rope->stops);
  for (int k = 0; k < rope->stops; k++) {
    sn_resolve(c, ref_at(s, k), &marker[k]);
    radius[k] = rope->stop[k].rho;
  }
  place->spec = spec;
  place->path = marker;
  place->radius = radius;
  place->stops = rope->stops;
  place->closed = rope->closed;
}

const sn_force_ops sn_reeving = {
    .kind =
        {.name = "reeving",
         .category = SN_FORCES,
         .summary =
             "elastic rope through pulleys, with or without mass: free or with friction, on drums, or closed as a belt",
         .fields = reeving_fields,
         .spec_size = sizeof(reeving_spec),
         .check = reeving_check},
    .reserve = reeving_reserve,
    .compile = reeving_compile,
    .place = reeving_place,
};
