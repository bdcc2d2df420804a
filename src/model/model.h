/* model.h - the compiled model: immutable, sized, indexed.
 *
 * Compiling turns the document into
 *   groups   the unknowns, a group per node, rigid body or joint (see sparse/matrix.h)
 *   batches  arrays of like things that add to the equations: cable elements, rigid bodies, constraint
 *            primitives, springs; each with one table of functions on ranges of instances
 *   probes   points and directions on bodies, as functions of the coordinates (see model/probe.h)
 */
#ifndef SN_MODEL_H
#define SN_MODEL_H

#include "base/base.h"
#include "model/body_layout.h"
#include "model/field.h"
#include "model/probe.h"
#include "sparse/matrix.h"

typedef struct sn_batch sn_batch;
typedef struct sn_body sn_body;
typedef struct sn_compiler sn_compiler;

/* ---- evaluation: arguments of batch functions ---- */

typedef struct sn_eval {
  double t;
  const double *q, *v, *a; /* [n] */
  const double *l;         /* [m] multipliers */
  const double *gravity;   /* [3], times `load` */
  double load;             /* factor of prescribed forces and moments; 1 except while statics raises loads */
  double ci;               /* factor of the inertia M a in the residual */
  double cm, cd, ck;       /* factors of M, D, K = d(ci M a - Q + G'l)/dq in the iteration matrix */
  /* A step of an energy-momentum method from q0 to q1 = q0 + h v (NULL: none). q is its middle, a = 2 (v - v0)/h, and
   * residuals are those of a discrete gradient: see sn_system_step_residual. */
  const double *q0, *q1; /* [n] */
  double h;
  /* A kick before `advance` over the time h: of gyroscopic forces of kinds that have it, half, and nothing of their
   * tangents. */
  bool kick;
  const double *inputs; /* [inputs of the model] values that were set, NaN: none; NULL: none of them */
  const double
      *discrete;   /* [discrete values of the model] held since the last event or sample; NULL: as at the start */
  bool set_valued; /* dry friction of joints is solved for by impulses (system/joint_impulses.h): forces leave it out */
  const double *hold;   /* [n] velocities whose differential variables are kept (statics, modes); NULL: none are */
  struct sn_host *host; /* what the host program adds (model/host.h); NULL: nothing */
} sn_eval;

/* What residuals make of probes: y(q) and Y'f, or over a step the mean of y at its ends and Z'f. */
static inline void sn_probe_mean(const sn_probe *probe, const sn_eval *eval, double y[3]) {
  probe->ops->value(probe, eval->q0 ? eval->q0 : eval->q, y);
  if (!eval->q0) return;
  double end[3];
  probe->ops->value(probe, eval->q1, end);
  for (int k = 0; k < 3; k++) y[k] = 0.5 * (y[k] + end[k]);
}
static inline void sn_probe_apply(const sn_probe *probe, const sn_eval *eval, const double f[3], double *r) {
  if (eval->q0 && probe->ops->apply_step)
    probe->ops->apply_step(probe, eval, f, r);
  else
    probe->ops->apply(probe, eval->q, f, r);
}

typedef struct sn_range {
  int first, last; /* instances first .. last-1 */
} sn_range;

/* Energies [J] and rates of work [W]; every batch adds its share. */
typedef struct sn_energy {
  double kinetic, strain, gravity, spring, contact;
} sn_energy;
typedef struct sn_power {
  double applied;  /* forces and moments prescribed in time */
  double driver;   /* motion drivers */
  double damping;  /* dampers and material damping: negative */
  double friction; /* friction and damping of contacts: negative */
} sn_power;

/* Functions on ranges of instances of one kind. NULL: the kind contributes nothing of that sort. */
typedef struct sn_batch_ops {
  const char *name;
  int max_groups; /* groups one instance touches at most */
  /* groups of instance i in the order of its local coordinates; returns their number */
  int (*groups)(const sn_batch *batch, int i, int *groups);
  /* Has the tangent of instance i a block of its groups x and y, as `groups` counts them? NULL: of any two. */
  bool (*couples)(const sn_batch *batch, int i, int x, int y);
  /* r += ci M a - Q + G'l */
  void (*residual)(const sn_batch *batch, sn_range range, const sn_eval *eval, double *r);
  /* A += cm M + cd D + ck K, and G, G' in the rows and columns of multipliers */
  void (*tangent)(const sn_batch *batch, sn_range range, const sn_eval *eval, sn_matrix *A);
  void (*energy)(const sn_batch *batch, sn_range range, const sn_eval *eval, sn_energy *energy);
  void (*power)(const sn_batch *batch, sn_range range, const sn_eval *eval, sn_power *power);
  /* Is instance i in a state that it does not describe? As `doubt` of bodies. */
  const char *(*doubt)(const sn_batch *batch, int i, const double *q, bool *bad);
  /* linear momentum p[0..2], angular momentum about the origin p[3..5], added */
  void (*momentum)(const sn_batch *batch, sn_range range, const sn_eval *eval, double p[6]);
  /* constraint batches, results in rows of multipliers: Phi; Phi' = G v + Phi_t; Phi'' = G a - gamma */
  void (*position)(const sn_batch *batch, sn_range range, const sn_eval *eval, double *phi);
  void (*velocity)(const sn_batch *batch, sn_range range, const sn_eval *eval, double *rate);
  void (*acceleration)(const sn_batch *batch, sn_range range, const sn_eval *eval, double *accel);
  /* Bodies and constraints: do M and G of the batch stay as they are? NULL: they may change. */
  bool (*steady)(const sn_batch *batch);
  bool nonholonomic; /* constraints between velocities: `position` writes 0, G is that of `velocity` */
  /* Energy-momentum methods: does the kind have a step residual? Otherwise the residual is evaluated at the midpoint
   * and, if there is an energy, corrected so that it does the work T1 + U1 - T0 - U0. */
  bool discrete;
  /* Neither: energy-momentum methods refuse it. What it is, in the plural; NULL: not so */
  const char *no_steps;
  /* Kinds whose v1 is not 2 v - v0: v1 at the end of the step */
  void (*end_velocity)(const sn_batch *batch, sn_range range, const sn_eval *eval, double *v1);
  /* Kinds that turn: from (q, v) over the time eval->h to (q1, v1), after a kick that
   * changed v by eval->a. In q1, v1: given, q + h u and u with the mean velocity u of the step; to be replaced by what
   * keeps the angular momentum that the kick has left. */
  void (*advance)(const sn_batch *batch, sn_range range, const sn_eval *eval, double *q1, double *v1);
  /* The same for a displacement by eval->h eval->v, a velocity at eval->q; what is not replaced is q1 + h v and v1. */
  void (*shift)(const sn_batch *batch, sn_range range, const sn_eval *eval, double *q1, double *v1);
} sn_batch_ops;
bool sn_always_steady(const sn_batch *batch);

struct sn_batch {
  const sn_batch_ops *ops;
  void *data; /* the kind's own arrays */
  int count;  /* instances */
  int chunk;  /* instances in a chunk: the unit given to threads */
  int chunks;
  /* Chunks of one color share no group and may run at the same time; colors run one after the other, so that
   * sums come out bitwise the same for any number of threads. */
  int colors;
  const int *color_first; /* [colors + 1] into color_chunk */
  const int *color_chunk; /* [chunks] */
  const int *slots;       /* [count * slot_stride] matrix blocks of each instance (sn_matrix_add) */
  int slot_stride;
};

/* Names and units of the columns of a table. */
typedef struct sn_headings {
  int count;
  const char *const *name, *const *unit;
} sn_headings;

/* ---- bodies ---- */

/* Where on a body: what a marker reference was resolved to. */
typedef struct sn_marker {
  const sn_body *body;
  double position[3]; /* at the start, global */
  double tangent[3];  /* at the start, unit; valid with has_tangent */
  bool has_frame;     /* any direction can be attached (rigid bodies, ground) */
  bool has_tangent;   /* only the tangent of the line can be */
  bool has_plane;     /* two slope vectors of a surface can be held; it has a frame too */
  double slope[2][3]; /* with has_plane: the slopes at the start */
  int along;          /* with has_plane: the slope along the edge: 0, 1, or both at a corner of the rim: 2 */
  int points;         /* > 1: stands for a row of points (edge of a plate), see `pick` */
  int row;            /* which one */
  bool has_slopes;  /* the vectors r_x, r_y, r_z of a section can be held (fully parameterized beams); it has a frame */
  int element;      /* cable, plate: element and place in it */
  double local[3];  /* rigid: in body axes; cable: s in [0, 1]; plate: s, h in [0, 1] */
  const void *data; /* more, of the kind's own */
  const struct sn_line_frame *frame; /* lines without section axes: what a reference direction makes of its tangent */
  double about[3]; /* cables in space: unit direction about which their resultants have signs; 0: magnitudes */
  const sn_marker_ref *ref;
} sn_marker;

/* The direction fixed to a marker with a frame that is `direction` (global) at the start. */
void sn_marker_direction(const sn_marker *marker, const double direction[3], sn_probe *probe);

typedef enum sn_geometry_type {
  SN_GEOMETRY_NONE,
  SN_GEOMETRY_POINT,
  SN_GEOMETRY_LINE,     /* Hermite through nodes r, r' */
  SN_GEOMETRY_CHAIN,    /* nodes x y or x y angle */
  SN_GEOMETRY_FLOATING, /* frames */
  SN_GEOMETRY_BOX,
  SN_GEOMETRY_SPHERE,
  SN_GEOMETRY_CYLINDER,
  SN_GEOMETRY_ELLIPSOID,
  SN_GEOMETRY_CONVEX,
  SN_GEOMETRY_SURFACE, /* nodes of r, r_x, r_y, row by row */
  SN_GEOMETRY_TYPES
} sn_geometry_type;
typedef enum sn_outline { SN_OUTLINE_NONE, SN_OUTLINE_RECTANGLE, SN_OUTLINE_CIRCLE, SN_OUTLINES } sn_outline;

/* The geometry of a body, for contact, loads along lines and drawing; with its coordinates over time this is all a viewer
 * needs. */
/* A vibration shape of a floating body with its ends held: its frequency [1/s2] and, in the middle of each element, the
 * displacement along the axes of the frame and the turn about x; u'M u = 1. */
typedef struct sn_left_mode {
  double w2;
  const double *at; /* [elements][4] */
} sn_left_mode;

typedef struct sn_geometry {
  double place; /* given: position of the section along a line, 0 to 1 */
  sn_geometry_type type;
  bool is_solid;  /* the body is this box, sphere or other solid; otherwise that is only a way to draw it */
  double size[3]; /* box: edges; sphere: radius; cylinder: radius, length along x; ellipsoid: semi-axes; line: section,
                     see below; surface: thickness */
  const struct sn_hull *hull; /* convex; size: half its bounds */
  sn_outline section;         /* line: rectangle (size: height, width), circle (size: outer and inner radius) */
  bool only_drawn;            /* line: the section has no outline, and is drawn as the circle of its area */
  int elements;               /* line */
  double element_length;      /* line, reference length of one element */
  double stiffness;           /* line: EA at that place [N] */
  double bending;             /* floating: the smallest EI [N m2] */
  /* line, at that place, for errors of the mesh (analysis/mesh_error.h): mass per length, EIz and EIy; 0: not known */
  double mass, EI[2];
  double GJ, polar; /* where sections turn about the line, linearly in each element: GJ and rho Ip; 0: they do not */
  double torsion;   /* beam: that GJ over the section's; 0: not known */
  double bends;     /* beam: its bending stiffness over the section's; 0: it is that */
  bool flat;        /* one curvature in each element, instead of a cubic line */
  bool linear;      /* axial displacements are linear in each element */
  bool straight;    /* stress-free where each element has one stretch, instead of at the start */
  bool chord;       /* its axial strain is that of the chord of each element */
  bool rests_elsewhere; /* stress-free in another shape */
  /* cable whose sections turn freely (bending: scalar): nodes r, r' of its curved shape without stress, NULL: another
   * body; and GJ of a wire of this section */
  const double (*turning)[2][3];
  double turning_GJ;
  double coupling; /* line: what bending adds to the axial force, N = EA (eps L + coupling k^2/L) [m2] */
  /* floating: the deformation z of all nodes is basis times the coordinates behind those of the frame (NULL: it is
   * those coordinates), and freedom[i] is the index in z of nodal degree of freedom i; -1: fixed */
  const int *freedom;
  const double *basis;
  int freedoms, deformations, reduced; /* how many of freedom, of z, of coordinates */
  /* floating, reduced: the part of the deflection by a force at each node that its modes leave out, beside that of the
   * same beam on two hinges; NULL: not reduced */
  const double *left_out;
  const sn_left_mode *left_modes; /* and the lowest of these modes */
  int left_count;
  const sn_marker *on; /* point: where it is attached; NULL: it has coordinates of its own */
  int grid[2];         /* surface: elements along the two edges */
  double edge[2];      /* surface: reference lengths of the edges of one element */
} sn_geometry;

typedef struct sn_body_ops sn_body_ops;
struct sn_body_ops {
  sn_kind kind;
  const sn_body_ops *planar; /* its table in planar models: its own when it serves both; NULL: only in space */
  /* Make groups, instances and start values. Errors through sn_field_error. */
  void (*compile)(sn_compiler *compiler, sn_body *body);
  /* Resolve `point` (NULL: none named) into a marker; false after reporting an error. */
  bool (*marker)(sn_compiler *compiler, const sn_body *body, const sn_marker_ref *ref, sn_marker *marker);
  /* With a frame: the marker's local place from its global position at the start. NULL: no frame. */
  void (*place)(const sn_body *body, sn_marker *marker);
  /* Constraints among its own coordinates (normalization); after all bodies are compiled. */
  void (*constrain)(sn_compiler *compiler, sn_body *body);
  /* With a frame: which of its coordinates turn it, the first and how many; those before it place it. */
  int turn, turns;
  int node_coordinates;  /* of each node; of the body where it has no elements (model/memory_need.c) */
  bool dense;            /* all of its nodes are coupled */
  const char *landmarks; /* points every body of the kind has, for messages: "start, end" */
  /* Does this one borrow the coordinates of another body? */
  bool (*attached)(const sn_spec *spec);
  void (*point)(const sn_marker *marker, sn_probe *probe);
  /* direction fixed in the body that is `direction` (global) at the start; with has_frame only. The directions of a
   * marker keep lengths and angles, however the body is strained there: they are those of one frame */
  void (*direction)(const sn_marker *marker, const double direction[3], sn_probe *probe);
  /* The axes of that frame at the start: of the body, the section or the surface; with has_frame only. NULL: global. */
  void (*axes)(const sn_marker *marker, double axes[3][3]);
  /* derivative of position along the line; with has_tangent only */
  void (*tangent)(const sn_marker *marker, sn_probe *probe);
  /* derivative of position along edge k = 0, 1 of a surface, or k = 0, 1, 2: r_x, r_y, r_z of a beam; with has_plane or
   * has_slopes only */
  void (*slope)(const sn_marker *marker, int k, sn_probe *probe);
  /* point k of a marker that stands for a row of points */
  void (*pick)(const sn_compiler *compiler, const sn_marker *row, int k, sn_marker *point);
  /* Planar models: probe whose y[0] is the angle of the body, of any number of turns; returns it at the start. NULL:
   * the body has no such coordinate (angles then come from directions). */
  double (*angle)(const sn_marker *marker, sn_probe *probe);
  /* Flexible kinds: what the part beyond the marker exerts on the part before it, and strains there, into
   * values[resultant_headings->count]; see docs/developers.md. NULL: not offered. load: of kinds along lines, the force
   * per length on the element of the marker, inertia included, and at a node on the element beyond it (line_load.h); NULL:
   * not known. */
  void (*resultants)(const sn_marker *marker, const sn_eval *eval, const double (*load)[3], double *values);
  const sn_headings *resultant_headings;
  /* Is the formulation invalid for the coordinates q of the model? Returns a sentence with the reason and a remedy,
   * prepared when the body was compiled; *bad if its results are meaningless there. NULL: valid. Called at output
   * times. */
  const char *(*doubt)(const sn_body *body, const double *q, bool *bad);
  void (*geometry)(const sn_body *body, sn_geometry *geometry);
  const sn_body_layout *layout; /* meaning of its coordinates; NULL: it has none */
};

struct sn_body {
  const sn_body_ops *ops;
  const sn_spec *spec;
  const char *name;
  int first;       /* first coordinate */
  int count;       /* coordinates */
  int first_group; /* of its coordinates */
  int groups;
  void *data;       /* the kind's own */
  const char *note; /* choices made for it that are reported to the user; NULL: none */
};

/* ---- joints and forces: they only compile, into primitives ---- */

typedef struct sn_joint sn_joint;
typedef struct sn_joint_ops {
  sn_kind kind;
  bool after; /* speaks of other joints: compiled after them */
  /* Coordinates of its own, made before all multipliers; NULL: it has none */
  void (*coordinates)(sn_compiler *compiler, sn_joint *joint);
  void (*compile)(sn_compiler *compiler, sn_joint *joint);
  /* Is the joint outside of its range for the coordinates q and multipliers l of the model? As for bodies. */
  const char *(*doubt)(const sn_model *model, const sn_joint *joint, const double *q, const double *l, bool *bad);
} sn_joint_ops;

struct sn_joint {
  const sn_joint_ops *ops;
  const sn_spec *spec;
  const char *name;
  int group;  /* first group of its multipliers; -1: none */
  int groups; /* one, or one for each point of an edge */
  int first;  /* first multiplier */
  int count;  /* equations */
  sn_marker marker[2];
  /* Its own coordinates, if it has them: the angle of the second body against the first about the axis and the travel
   * along it; and the axes of its frame, at the start, global. */
  bool has_rotation, has_translation;
  double axis[3];
  double frame[3][3];
  const char *note;    /* choices made for it that are reported to the user; NULL: none */
  const char *warning; /* the sentence of its `doubt`, prepared when it was compiled */
  const char *pulls;   /* another one: its contact pulls; NULL: it may, or has none */
  const void *slide;   /* a point slides along a line (joint/slide.h); NULL: not so */
  bool has_ends;       /* a point slides along an open curve (joint/guide.h) */
};

/* Instances of a batch, of one force. */
typedef struct sn_force_part {
  const sn_batch_ops *ops;
  sn_range range;
} sn_force_part;

/* Where a force acts, for drawing, and what it is made of. */
typedef struct sn_force_place {
  const sn_spec *spec;
  sn_marker marker[2];
  int markers;    /* 0: along a whole body, or on a joint */
  const char *on; /* that body or joint; NULL: at the markers */
  /* Ropes: ends and pulleys in order, with signed radii (0: an end; positive: counterclockwise). */
  const sn_marker *path;
  const double *radius;
  int stops; /* 0: no rope */
  bool closed;
  int parts; /* what its `compile` added */
  const sn_force_part *part;
} sn_force_place;

typedef struct sn_force_ops {
  sn_kind kind;
  /* Coordinates of its own, before constraints are compiled. NULL: none. */
  void (*reserve)(sn_compiler *compiler, const sn_spec *spec);
  void (*compile)(sn_compiler *compiler, const sn_spec *spec);
  /* NULL: where it acts follows from the table of its fields. */
  void (*place)(sn_compiler *compiler, const sn_spec *spec, sn_force_place *place);
} sn_force_ops;

/* ---- outputs: named columns of numbers ---- */

typedef enum sn_output_type {
#define OUTPUT(type, key, field, c_type, text, shown) SN_OUTPUT_##type,
#include "model/outputs.def"
  SN_OUTPUT_TYPES
} sn_output_type;

typedef struct sn_output {
  const char *name;
  int columns;
  const char *const *column; /* names: "x", "y", ... */
  const char *const *unit;   /* of each column */
  sn_output_type type;
  sn_probe probe[3]; /* point: its position; reaction: axes of the joint */
  sn_marker marker;  /* point, resultant */
  int joint;         /* reaction: index of the joint */
  int force;         /* force: its index */
  int body[2];       /* contact: the bodies; -1: any; force: on which, and of which if on the ground */
  bool local;        /* reaction: in the axes of the joint */
  const struct sn_spring_item *spring;
  const struct sn_coordinate_spring *torsion;
  const struct sn_rope *rope;
  const struct sn_coordinate *coordinate; /* joint: its angle, its travel */
  int lock[2];                            /* lock: of the angle, of the travel; -1: none */
  const struct sn_moving_frame
      *frame[2];                /* orientation, relative: of the marker, and in which it is seen (NULL: ground) */
  int sequence;                 /* orientation: of its Euler angles */
  const struct sn_fiber *fiber; /* stress: where it may be largest */
  int fibers;
  const struct sn_quantity *quantity; /* expression: [columns] */
} sn_output;

/* ---- variables and inputs of expressions ---- */

struct sn_formula;
typedef struct sn_variable {
  const char *name, *unit;
  const sn_spec *spec;
  const sn_expr *f;                 /* its value, or its rate */
  const struct sn_formula *formula; /* of f */
  bool differential, discrete;
  int index, group;         /* differential: velocity of this coordinate; discrete: its number */
  const char *owner, *part; /* of a controller or actuator: its name, and which of its quantities; NULL: of the file */
  bool open;                /* its formula is being made: one that needs it again is circular */
  bool wrong;               /* it cannot be made, which has been reported */
} sn_variable;

typedef struct sn_input {
  const char *name, *unit;
  const struct sn_formula *standard; /* its value where none was set */
  double low, high;                  /* allowed */
  int arguments;                     /* of a function of the host program: */
  const sn_expr *const *argument;    /* [arguments] */
  const struct sn_formula *call;     /* of all of them; NULL: not made yet, or it has none */
} sn_input;

/* ---- controllers ---- */

typedef struct sn_controller_ops {
  sn_kind kind;
  /* Variables of its own (control/controller.h), before joints are compiled. */
  void (*declare)(sn_compiler *compiler, const sn_spec *spec);
} sn_controller_ops;

/* What is evaluated at instants k period, and whose outputs are held between. Its discrete values, from `first` on:
 *   number k of the next instant, time of the pending outputs (inf: none), pending outputs y, outputs y, states x */
typedef struct sn_sampled sn_sampled;
struct sn_sampled {
  const char *name;
  double period, delay; /* outputs change `delay` after the instant */
  int inputs, outputs, states, first;
  const sn_expr *const *f;               /* [inputs] */
  const struct sn_formula *const *input; /* of f */
  /* Outputs y[outputs] from inputs u at time t, with new states x. */
  void (*sample)(const sn_sampled *sampled, double t, const double *u, double *x, double *y);
  /* When it needs another evaluation before the next instant; NULL: never. */
  double (*wake)(const sn_sampled *sampled, const double *x);
  const void *data; /* its own */
};

/* ---- events ---- */

/* A coordinate of a joint that events lock and release (joint/lock.h). */
typedef struct sn_lock {
  const char *joint, *name; /* "hinge", "lock of hinge" */
  sn_coordinate_type type;
  const sn_node *node; /* where it is named first, for messages */
  int slack, group;    /* its own coordinate and its group */
  int row;             /* its multiplier */
  int first;           /* of its discrete values: locked?, where */
  const struct sn_coordinate *phi;
} sn_lock;

/* When g(t, q, v) crosses zero. Its discrete values, from `first` on: how often it happened, the time of the last, and
 * SN_EVENT_VALUES - 2 numbers about how soon they followed each other (analysis/events.c). */
enum { SN_EVENT_VALUES = 5 };
typedef struct sn_event {
  const char *name;
  const sn_spec *spec;
  const struct sn_formula *when, *condition; /* g; acts only where this is positive, NULL: always */
  int direction;                             /* +1 rising, -1 falling, 0 both */
  bool once, stop, next_stage;
  double tolerance; /* in time [s]; 0: default */
  int first;
  int sets;
  const struct sn_event_value {
    int variable; /* its number; discrete or differential */
    const struct sn_formula *f;
  } * set;
  int locks, releases;
  const int *lock, *release; /* numbers of sn_lock */
} sn_event;

/* ---- the model ---- */

struct sn_model {
  sn_context *context;
  sn_pool *pool; /* of all its memory */
  sn_arena arena;
  sn_document *document;
  int n, m; /* coordinates, constraint equations */
  int dim;  /* components of a vector among the coordinates: 3, or 2 in a planar model */
  double gravity[3];
  int bodies, joints, outputs, batches;
  sn_body *body;
  sn_joint *joint;
  sn_output *output;
  int forces;
  sn_force_place *force;
  sn_batch *batch;
  const struct sn_surfaces *surfaces; /* what can touch (contact/contact.h); NULL: nothing */
  int groups;
  const int *group_size, *group_first; /* group_first indexes the combined vector (q, l) */
  const bool *group_is_constraint;
  const char *const *group_name; /* name of its body or joint, for messages */
  const double *q0, *v0;         /* start as written in the file */
  double length;                 /* the size of the model, at most 1 m */
  const double *unit;          /* [n] what tolerances refer to: `length` of positions and displacements, otherwise 1 */
  const bool *keep_q, *keep_v; /* [n] coordinates that are kept when constraints require changes; NULL: none */
  bool unsymmetric;            /* some tangent is far from symmetric (follower forces) */
  bool massless;               /* some coordinates have no mass: [M G'; G 0] is solved with pivoting */
  bool reactive;               /* some forces depend on multipliers (friction in joints) */
  bool rigid_stops;            /* some stops have a restitution: methods of impulses alone hold them */
  bool rubs;                   /* some joints have dry friction (force `friction`) */
  bool reactive_laws;          /* some besides the force `friction`, which methods of impulses solve for */
  int nonholonomic;            /* constraints without a position level, and their rows */
  const int *nonholonomic_row;
  bool small_coordinates; /* some are small deformations: what Newton leaves in them counts for more than its size */
  bool has_power;         /* something does work: integrate it for the audit */
  int variables, inputs;
  sn_variable *variable;
  sn_input *input;
  int sampled; /* sampled controllers, in the order in which they are evaluated */
  sn_sampled *samples;
  int events, locks;
  sn_event *event;
  sn_lock *lock;
  int discrete;            /* values that change only between steps: at events and samples; a simulation has them */
  const double *discrete0; /* [discrete] at the start */
  int formulas;            /* expressions of forces and variables that depend on time or the state */
  const struct sn_formula *const *formula;
  int turnings; /* angles in space that expressions refer to: they count turns */
  const struct sn_quantity *const *turning;
  int constraints; /* joints `constraint`, whose functions a host program may set */
  const struct sn_constraint *const *constraint;
  bool has_drivers; /* constraints that move by themselves do, with their multipliers */
};

/* Read a model file and multiply the numbers of elements of all bodies by `times` before it is compiled; *refined
 * bodies have elements. */
sn_status sn_model_load_refined(sn_context *context, const char *path, const char *const *sets, size_t count, int times,
                                int *refined, sn_model **model);

/* What a body looks like; zero: it has no shape. */
sn_geometry sn_body_geometry(const sn_body *body);
/* Nodes of a body that are given by their positions; *stride coordinates apart. */
int sn_body_nodes(const sn_body *body, const sn_geometry *geometry, int *stride);
/* Diagonal of the box around all points of a model with the coordinates q [m]; 1: it has none. */
double sn_model_extent(const sn_model *model, const double *q);

/* Compile a document. The model takes over the arena the document lives in. */
sn_status sn_compile(sn_context *context, sn_arena arena, sn_document *document, sn_model **model);

/* The compiled spring of that name; NULL: none. */
const struct sn_spring_item *sn_find_spring(const sn_model *model, const char *name);

/* The pattern of the iteration matrix, ready for values; slots are those stored in the batches. With `pairs` of groups
 * that are coupled besides (two numbers each), the slots are others: sn_find_slots. */
sn_matrix *sn_model_matrix(const sn_model *model, sn_arena *arena, bool unsymmetric, int pairs, const int *pair);
/* Blocks each instance adds to, into batch[model->batches]; block numbers do not depend on the storage (symmetric or
 * not). */
void sn_find_slots(const sn_model *model, const sn_matrix *matrix, sn_arena *arena, sn_batch *batch);

#endif
