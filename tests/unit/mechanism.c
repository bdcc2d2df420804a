/* mechanism.c - random mechanisms; see mechanism.h.
 *
 * Links go from point to point and are put together where they start, so that every joint is met at the start.
 */
#include "mechanism.h"

#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "math/vec3.h"
#include "support.h"

const char *const family_names[FAMILIES] = {"chain", "branched", "plane-loop",    "space-loop", "repeated",
                                            "soft",  "stiff",    "flexible-loop", "driven",     "flying"};

enum { MOST = 24 };

typedef struct entries {
  int count;
  const char *text[MOST];
} entries;

typedef struct link {
  const char *name, *first, *last; /* markers of its ends */
  double from[3], to[3];
  bool frame;    /* any joint may hold it; else points only */
  bool flexible; /* nothing but joints may hold it */
} link;

typedef struct maker {
  sn_arena *arena;
  uint64_t seed;
  const mechanism_options *options;
  bool planar, stiff, flying;
  double normal[3]; /* of the plane in which loops lie */
  link link[MOST];
  int links;
  entries bodies, joints, forces;
} maker;

/* ---- numbers ---- */

static double within(maker *m, double low, double high) {
  return low + (high - low) * (noise(&m->seed) + 1) / 2;
}

static int one_of(maker *m, int count) {
  int k = (int)within(m, 0, count);
  return k < count ? k : count - 1;
}

static void direction(maker *m, double u[3]) {
  do
    for (int k = 0; k < 3; k++) u[k] = within(m, -1, 1);
  while (sn_dot(u, u) > 1 || sn_dot(u, u) < 0.05);
  double length = sqrt(sn_dot(u, u));
  for (int k = 0; k < 3; k++) u[k] /= length;
}

/* A direction normal to u. */
static void normal_to(maker *m, const double u[3], double n[3]) {
  double x[3];
  direction(m, x);
  sn_cross(n, u, x);
  double length = sqrt(sn_dot(n, n));
  if (length < 0.2) {
    normal_to(m, u, n);
    return;
  }
  for (int k = 0; k < 3; k++) n[k] /= length;
}

static void product(const double p[4], const double q[4], double r[4]) {
  double c[3];
  sn_cross(c, p + 1, q + 1);
  r[0] = p[0] * q[0] - sn_dot(p + 1, q + 1);
  for (int k = 0; k < 3; k++) r[1 + k] = p[0] * q[1 + k] + q[0] * p[1 + k] + c[k];
}

/* A vector of the mechanism in the axes of the file. */
static const char *vector(maker *m, const double x[3]) {
  double y[3] = {x[0], x[1], x[2]};
  if (m->options->turn) sn_quat_rotate(m->options->turn, x, y);
  return sn_format(m->arena, "[%.17g, %.17g, %.17g]", y[0], y[1], y[2]);
}

static void add(entries *list, const char *text) {
  if (list->count < MOST) list->text[list->count++] = text;
}

/* ---- bodies ---- */

static link *new_link(maker *m, const double from[3], const double to[3]) {
  link *x = &m->link[m->links];
  x->name = sn_format(m->arena, "b%d", m->links++);
  memcpy(x->from, from, sizeof x->from);
  memcpy(x->to, to, sizeof x->to);
  x->frame = true;
  x->flexible = false;
  return x;
}

static const char *point_in_body(maker *m, const double p[4], const double center[3], const double at[3]) {
  double d[3], local[3];
  for (int k = 0; k < 3; k++) d[k] = at[k] - center[k];
  sn_quat_unrotate(p, d, local);
  return sn_format(m->arena, "[%.17g, %.17g, %.17g]", local[0], local[1], local[2]);
}

/* A brick of any orientation whose center is not on the line between its ends. */
static link *add_rigid(maker *m, const double from[3], const double to[3]) {
  link *x = new_link(m, from, to);
  double p[4], turned[4], center[3], axis[3] = {0, 0, 1}, d[3];
  for (int k = 0; k < 3; k++) d[k] = to[k] - from[k];
  double length = sqrt(sn_dot(d, d)), angle = within(m, -3, 3), mass = exp(within(m, -1.5, 1.5));
  if (!m->planar) direction(m, axis);
  p[0] = cos(angle / 2);
  for (int k = 0; k < 3; k++) p[1 + k] = sin(angle / 2) * axis[k];
  for (int k = 0; k < 3; k++) center[k] = (from[k] + to[k]) / 2 + (m->planar && k == 2 ? 0 : within(m, -0.1, 0.1));
  double side[3] = {length, length * within(m, 0.2, 0.6), length * within(m, 0.2, 0.6)};
  memcpy(turned, p, sizeof p);
  if (m->options->turn) product(m->options->turn, p, turned);
  double w[3] = {0, 0, within(m, -2, 2)};
  if (!m->planar) {
    direction(m, w);
    for (int k = 0; k < 3; k++) w[k] *= 2;
  }
  bool spins = one_of(m, 3) == 0 || m->flying;
  x->first = sn_format(m->arena, "%s.a", x->name);
  x->last = sn_format(m->arena, "%s.b", x->name);
  add(&m->bodies,
      sn_format(m->arena,
                "  %s: {type: rigid, position: %s, rotation: [%.17g, %.17g, %.17g, %.17g], mass: %.17g, inertia: "
                "[%.17g, %.17g, %.17g], points: {a: %s, b: %s}%s%s}\n",
                x->name, vector(m, center), turned[0], turned[1], turned[2], turned[3], mass,
                mass / 12 * (side[1] * side[1] + side[2] * side[2]),
                mass / 12 * (side[0] * side[0] + side[2] * side[2]),
                mass / 12 * (side[0] * side[0] + side[1] * side[1]), point_in_body(m, p, center, from),
                point_in_body(m, p, center, to), spins ? ", angular_velocity: " : "", spins ? vector(m, w) : ""));
  return x;
}

static link *add_flexible(maker *m, const double from[3], const double to[3]) {
  static const char *const kinds[] = {"beam", "cable", "floating"};
  link *x = new_link(m, from, to);
  int kind = one_of(m, 3);
  double d[3], up[3];
  for (int k = 0; k < 3; k++) d[k] = to[k] - from[k];
  double length = sqrt(sn_dot(d, d));
  for (int k = 0; k < 3; k++) d[k] /= length;
  normal_to(m, d, up);
  x->frame = kind != 1;
  x->flexible = true;
  x->first = sn_format(m->arena, "%s.start", x->name);
  x->last = sn_format(m->arena, "%s.end", x->name);
  add(&m->bodies,
      sn_format(m->arena, "  %s: {type: %s, from: %s, to: %s%s%s, elements: %d, material: %s, section: %s%s%s}\n",
                x->name, kinds[kind], vector(m, from), vector(m, to),
                kind == 1 ? "" : ", up: ", kind == 1 ? "" : vector(m, up), 2 + one_of(m, 2),
                m->stiff ? "steel" : "soft", m->stiff ? "thin" : "thick",
                m->options->internal > 0 ? sn_format(m->arena, ", stiffness_damping: %g", m->options->internal) : "",
                m->options->damping > 0 ? sn_format(m->arena, ", mass_damping: %g", m->options->damping) : ""));
  return x;
}

static link *add_link(maker *m, const double from[3], const double to[3], bool flexible) {
  return flexible ? add_flexible(m, from, to) : add_rigid(m, from, to);
}

/* ---- joints ---- */

typedef struct joint_kind {
  const char *name;
  int equations;
  int axes;   /* it has so many */
  bool holds; /* the point stays where it is */
} joint_kind;

static const joint_kind spherical = {"spherical", 3, 0, true}, revolute = {"revolute", 5, 1, true};
static const joint_kind prismatic = {"prismatic", 5, 1, false}, weld = {"fixed", 6, 0, true};
static const joint_kind kinds[] = {
    {"revolute", 5, 1, true}, {"spherical", 3, 0, true},      {"universal", 4, 2, true},
    {"revolute", 5, 1, true}, {"cylindrical", 4, 1, false},   {"prismatic", 5, 1, false},
    {"planar", 3, 1, false},  {"point-on-line", 2, 1, false}, {"point-on-plane", 1, 1, false}};

/* `axis` NULL: any. The name of the joint. */
static const char *add_joint(maker *m, const joint_kind *kind, const char *first, const char *second,
                             const double axis[3]) {
  const char *name = sn_format(m->arena, "j%d", m->joints.count), *axes = "";
  double u[3], w[3];
  if (axis)
    memcpy(u, axis, sizeof u);
  else
    direction(m, u);
  if (kind->axes > 0 && !m->planar) axes = sn_format(m->arena, ", axis: %s", vector(m, u));
  if (kind->axes > 0 && m->planar && strcmp(kind->name, "revolute") != 0)
    axes = sn_format(m->arena, ", axis: %s", vector(m, u));
  if (kind->axes == 2) {
    normal_to(m, u, w);
    axes = sn_format(m->arena, "%s, axis2: %s", axes, vector(m, w));
  }
  add(&m->joints,
      sn_format(m->arena, "  %s: {type: %s, between: [%s, %s]%s}\n", name, kind->name, first, second, axes));
  return name;
}

static const char *ground_at(maker *m, const double x[3]) {
  const char *text = vector(m, x);
  return sn_format(m->arena, "'ground.at(%.*s)'", (int)strlen(text) - 2, text + 1);
}

/* ---- forces ---- */

static void add_spring(maker *m, const link *x) {
  double at[3], u[3];
  direction(m, u);
  if (m->planar) u[2] = 0;
  for (int k = 0; k < 3; k++) at[k] = x->to[k] + u[k] * within(m, 0.4, 0.8);
  if (m->planar) at[2] = 0;
  double damping = m->options->damping > 0 ? 2 * m->options->damping : one_of(m, 2) * within(m, 0, 2);
  add(&m->forces, sn_format(m->arena, "  f%d: {type: spring, between: [%s, %s], stiffness: %.17g, damping: %.17g}\n",
                            m->forces.count, ground_at(m, at), x->last, within(m, 5, 60), damping));
}

static void add_force(maker *m, const link *x) {
  double u[3], y[3], w = within(m, 1, 9);
  direction(m, u);
  if (m->planar) u[2] = 0;
  for (int k = 0; k < 3; k++) y[k] = 5 * u[k];
  if (m->options->turn) sn_quat_rotate(m->options->turn, (double[3]){5 * u[0], 5 * u[1], 5 * u[2]}, y);
  add(&m->forces,
      sn_format(m->arena,
                "  f%d: {type: force, at: %s, force: [%.17g*sin(%.17g*t), %.17g*sin(%.17g*t), %.17g*sin(%.17g*t)]}\n",
                m->forces.count, x->last, y[0], w, y[1], w, m->planar ? 0.0 : y[2], w));
}

static void add_forces(maker *m) {
  bool damped = m->options->damping > 0;
  for (int i = 0; i < m->links; i++) {
    int what = one_of(m, 5);
    if (what == 0 || damped) add_spring(m, &m->link[i]);
    if (what == 1 && !damped) add_force(m, &m->link[i]);
  }
}

/* ---- families ---- */

static void next_point(maker *m, const double from[3], double to[3]) {
  double u[3], length = within(m, 0.3, 0.8);
  direction(m, u);
  if (m->planar) u[2] = 0;
  for (int k = 0; k < 3; k++) to[k] = from[k] + length * u[k];
}

/* Of the kinds that both sides allow, or points alone; flexible bodies are not left to slide. */
static const joint_kind *any_joint(maker *m, const link *a, const link *b) {
  if ((a && !a->frame) || !b->frame) return &spherical;
  bool flexible = (a && a->flexible) || b->flexible;
  const joint_kind *kind = &kinds[one_of(m, flexible ? 4 : 9)];
  return kind->equations < 3 && one_of(m, 2) == 0 ? &revolute : kind;
}

/* A driver on the joint's rotation. */
static void drive(maker *m, const char *joint, const char *what) {
  add(&m->joints, sn_format(m->arena, "  j%d: {type: motion, joint: %s, %s: %.17g*sin(%.17g*t)}\n", m->joints.count,
                            joint, what, within(m, 0.2, 0.8), within(m, 2, 6)));
}

static void make_chain(maker *m, bool tree, bool flexible, bool driven) {
  double from[3] = {0}, to[3];
  int count = 2 + one_of(m, flexible ? 2 : 3);
  for (int i = 0; i < count; i++) {
    link *parent = NULL;
    if (i > 0) parent = &m->link[tree ? one_of(m, i) : i - 1];
    if (parent) memcpy(from, parent->to, sizeof from);
    next_point(m, from, to);
    link *x = add_link(m, from, to, flexible && (i == 0 || one_of(m, 2) == 0));
    const joint_kind *kind = i == 0 && driven ? (one_of(m, 3) ? &revolute : &prismatic) : any_joint(m, parent, x);
    const char *name = add_joint(m, kind, parent ? parent->last : "ground", x->first, NULL);
    if (i == 0 && driven) drive(m, name, kind == &revolute ? "rotation" : "translation");
  }
  if (!driven || m->links < 3) return;
  double other[3]; /* two wheels on the ground and a gear between them */
  next_point(m, (double[3]){0, 2, 0}, other);
  link *x = add_rigid(m, (double[3]){0, 2, 0}, other);
  const char *a = add_joint(m, &revolute, "ground", x->first, NULL);
  next_point(m, (double[3]){0, 3, 0}, other);
  x = add_rigid(m, (double[3]){0, 3, 0}, other);
  const char *b = add_joint(m, &revolute, "ground", x->first, NULL);
  add(&m->joints, sn_format(m->arena, "  j%d: {type: gear, joints: [%s, %s], teeth: [%d, 20]}\n", m->joints.count, a, b,
                            10 + one_of(m, 40)));
}

/* A closed polygon in the plane of `normal`, one side the ground, all corners hinges about it. */
static void make_plane_loop(maker *m, int flexible, bool slider) {
  double u[3], w[3], corner[6][3];
  int sides = 4 + one_of(m, 2);
  if (m->planar) {
    memcpy(u, (double[3]){1, 0, 0}, sizeof u);
    memcpy(m->normal, (double[3]){0, 0, 1}, sizeof u);
  } else {
    direction(m, m->normal);
    normal_to(m, m->normal, u);
  }
  sn_cross(w, m->normal, u);
  for (int i = 0; i < sides; i++) {
    double r = within(m, 0.4, 0.7), angle = 2 * PI * (i + within(m, -0.2, 0.2)) / sides;
    for (int k = 0; k < 3; k++) corner[i][k] = r * (cos(angle) * u[k] + sin(angle) * w[k]);
  }
  for (int i = 0; i + 1 < sides; i++) {
    link *x = add_link(m, corner[i], corner[i + 1], flexible == i);
    add_joint(m, x->frame && (i == 0 || x[-1].frame) ? &revolute : &spherical, i == 0 ? "ground" : x[-1].last, x->first,
              m->normal);
  }
  link *last = &m->link[m->links - 1];
  if (slider) {
    next_point(m, last->to, corner[0]);
    double along[3];
    for (int k = 0; k < 3; k++) along[k] = corner[0][k] - last->to[k];
    add_joint(m, m->planar ? &(joint_kind){"point-on-line", 1, 1, false} : &revolute, "ground", last->last,
              m->planar ? along : m->normal);
  } else {
    add_joint(m, last->frame ? &revolute : &spherical, last->last, "ground", m->normal);
  }
}

/* Freedom is counted: 6 per link less the equations of the joints. */
static void make_space_loop(maker *m) {
  double from[3] = {0}, to[3];
  int count = 2 + one_of(m, 2), free = 6 * count;
  for (int i = 0; i < count; i++) {
    next_point(m, from, to);
    link *x = add_rigid(m, from, to);
    const joint_kind *kind;
    do kind = &kinds[one_of(m, 7)];
    while (!kind->holds && i > 0);
    add_joint(m, kind, i == 0 ? "ground" : x[-1].last, x->first, NULL);
    free -= kind->equations;
    memcpy(from, to, sizeof from);
  }
  const joint_kind *kind = NULL;
  for (int k = 0; k < 20 && (!kind || free - kind->equations < 1); k++) kind = &kinds[one_of(m, 9)];
  if (free - kind->equations < 1) return;
  add_joint(m, kind, "ground", m->link[count - 1].last, NULL);
}

static void make_repeated(maker *m) {
  double from[3] = {0}, to[3], axis[3], shifted[3];
  int what = one_of(m, 5);
  if (what <= 1) {
    make_plane_loop(m, -1, false);
    return;
  }
  next_point(m, from, to);
  link *x = add_rigid(m, from, to);
  for (int k = 0; k < 3; k++) axis[k] = to[k] - from[k];
  if (what == 2) { /* a door on two hinges */
    add_joint(m, &revolute, "ground", x->first, axis);
    add_joint(m, &revolute, "ground", x->last, axis);
  } else if (what == 3) { /* a carriage on two rails */
    direction(m, axis);
    add_joint(m, &prismatic, "ground", x->first, axis);
    add_joint(m, &prismatic, "ground", x->last, axis);
    add_spring(m, x);
  } else { /* a bridge welded at both ends to bodies that turn about one axis */
    add_joint(m, &revolute, "ground", x->first, axis);
    for (int k = 0; k < 3; k++) shifted[k] = to[k] + 0.8 * axis[k];
    link *y = add_rigid(m, to, shifted);
    add_joint(m, &weld, x->last, y->first, NULL);
    add_joint(m, &revolute, "ground", y->last, axis);
  }
  x = &m->link[m->links - 1];
  next_point(m, x->to, shifted);
  link *y = add_rigid(m, x->to, shifted);
  add_joint(m, one_of(m, 2) ? &spherical : &revolute, x->last, y->first, NULL);
}

static void make_flying(maker *m) {
  double from[3] = {0}, to[3];
  int count = 2 + one_of(m, 3);
  for (int i = 0; i < count; i++) {
    next_point(m, from, to);
    link *x = add_link(m, from, to, i == 1 && one_of(m, 2) == 0);
    if (i > 0) add_joint(m, any_joint(m, &x[-1], x), x[-1].last, x->first, NULL);
    memcpy(from, to, sizeof from);
  }
  if (one_of(m, 2))
    add(&m->forces, sn_format(m->arena, "  f0: {type: spring, between: [%s, %s], stiffness: %.17g}\n", m->link[0].first,
                              m->link[count - 1].last, within(m, 5, 60)));
}

static void make(maker *m, family kind) {
  switch (kind) {
    case CHAIN:
    case BRANCHED:
    case DRIVEN_CHAIN:
      make_chain(m, kind == BRANCHED, false, kind == DRIVEN_CHAIN);
      break;
    case SOFT:
    case STIFF:
      make_chain(m, false, true, false);
      break;
    case PLANE_LOOP:
      make_plane_loop(m, -1, one_of(m, 3) == 0);
      break;
    case SPACE_LOOP:
      make_space_loop(m);
      break;
    case REPEATED:
      make_repeated(m);
      break;
    case FLEXIBLE_LOOP:
      make_plane_loop(m, 1, false);
      break;
    case FLYING:
    default:
      make_flying(m);
  }
  if (kind != FLYING) add_forces(m);
}

/* ---- the text ---- */

static char *section_text(maker *m, char *text, const char *name, const entries *list, uint64_t *order) {
  int place[MOST];
  if (list->count == 0) return text;
  text = sn_format(m->arena, "%s%s:\n", text, name);
  for (int i = 0; i < list->count; i++) place[i] = i;
  for (int i = list->count - 1; *order && i > 0; i--) {
    int k = (int)((noise(order) + 1) / 2 * (i + 1)) % (i + 1), kept = place[i];
    place[i] = place[k];
    place[k] = kept;
  }
  for (int i = 0; i < list->count; i++) text = sn_format(m->arena, "%s%s", text, list->text[place[i]]);
  return text;
}

char *mechanism_text(sn_arena *arena, family kind, uint64_t seed, const mechanism_options *options) {
  static const mechanism_options plain = {0};
  maker m = {.arena = arena, .seed = (seed + 1) * 0x9e3779b97f4a7c15u, .options = options ? options : &plain};
  uint64_t order = m.options->shuffle;
  for (int k = 0; k < 20; k++) noise(&m.seed);
  m.planar = kind == PLANE_LOOP;
  m.stiff = kind == STIFF || (kind == FLEXIBLE_LOOP && one_of(&m, 2));
  m.flying = kind == FLYING;
  make(&m, kind);
  double g[3] = {0, -9.81, 0}, none[3] = {0};
  char *text = sn_format(arena,
                         "sinew: 1\ntitle: %s %llu\n%sgravity: %s\n"
                         "materials: {soft: {density: 1100, young: 2e6, poisson: 0.3}, steel: {density: 7800, young: "
                         "2e11, poisson: 0.3}}\n"
                         "sections: {thick: {type: rectangle, width: 0.05, height: 0.04}, thin: {type: rectangle, "
                         "width: 0.02, height: 0.01}}\n",
                         family_names[kind], (unsigned long long)seed, m.planar ? "planar: true\n" : "",
                         vector(&m, kind == FLYING ? none : g));
  text = section_text(&m, text, "bodies", &m.bodies, &order);
  text = section_text(&m, text, "joints", &m.joints, &order);
  text = section_text(&m, text, "forces", &m.forces, &order);
  text = sn_format(arena, "%soutputs:\n", text);
  for (int i = 0; i < m.links; i++) text = sn_format(arena, "%s  p%d: {point: %s}\n", text, i, m.link[i].last);
  for (int i = 0; i < m.joints.count; i++) text = sn_format(arena, "%s  r%d: {reaction: j%d}\n", text, i, i);
  return text;
}

void mechanism_run(family kind, uint64_t seed, const mechanism_options *options, const char *integrator,
                   double duration, sn_trial *trial) {
  sn_arena arena = {0};
  sn_context *context = sn_context_create();
  char *text = mechanism_text(&arena, kind, seed, options);
  text = sn_format(&arena, "%sanalysis: {type: dynamics, duration: %.17g, output_step: %.17g, integrator: %s}\n", text,
                   duration, duration / 50, integrator);
  sn_model *model = parse(context, text);
  sn_trial_run(model, NULL, trial);
  sn_model_free(model);
  sn_context_free(context);
  sn_arena_free(&arena);
}
