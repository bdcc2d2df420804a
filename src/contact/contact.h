/* contact.h - contacts: from surfaces on bodies to a list of contacts, and from a contact to coordinates.
 *
 * The user's surfaces are compiled into items: patches (the spheres of one element, or a single sphere) and solids
 * (capsule, cylinder, box, plane), each carried by a carrier (ground, rigid body, element). A set finds the contacts of
 * a configuration:
 *
 *     candidates  pairs of items closer than a margin; found by a grid, kept until something moves half the margin
 *     contacts    of each candidate, those with gap <= activation of their law (0 with penalty)
 *
 * A contact has two sides and the normal n from side 1 into side 0, so that with the material points x0, x1 now at the
 * contact
 *
 *     gap' = n.(x0' - x1'),   x' = J(q) v;    a force f on side 0 and -f on side 1 gives Q = J0'f - J1'f
 *
 * Contacts are in the order of their items, independent of the history and the number of threads: the keys of pairs
 * ascend.
 */
#ifndef SN_CONTACT_H
#define SN_CONTACT_H

#include "base/threads.h"
#include "model/model.h"

enum { SN_SIDE_WEIGHTS = 12, SN_CONTACT_COORDINATES = 2 * SN_PROBE_COORDINATES };
enum { SN_FEATURE_BITS = 16 }; /* the last bits of a key */

/* ---- compiled, immutable ---- */

typedef enum sn_carrier_type {
  SN_CARRIER_GROUND,
  SN_CARRIER_LINEAR,
  SN_CARRIER_RIGID,
  SN_CARRIER_PLANAR,
  SN_CARRIER_PROBE
} sn_carrier_type;

/* What carries an item. Linear: x = sum w_k e_k, the vectors e_k beginning at q[vector[k]]. */
typedef struct sn_carrier {
  sn_carrier_type type;
  int body;
  int dim; /* components of a vector */
  int groups, group[SN_PROBE_GROUPS], first[SN_PROBE_GROUPS], size[SN_PROBE_GROUPS], count;
  int vectors, vector[SN_SIDE_WEIGHTS];
  int local[SN_SIDE_WEIGHTS]; /* linear: where vector k stands among the coordinates of the groups */
} sn_carrier;

/* Does it move as a rigid body, or not at all? */
static inline bool sn_carrier_is_rigid(const sn_carrier *carrier) {
  return carrier->type != SN_CARRIER_LINEAR && carrier->type != SN_CARRIER_PROBE;
}

typedef enum sn_item_shape {
  SN_ITEM_SPHERES, /* a patch of them; the others are solids */
#define SOLID(NAME, name) SN_ITEM_##NAME,
#include "contact/solids.def"
  SN_ITEM_SHAPES
} sn_item_shape;

typedef struct sn_item {
  sn_item_shape shape;
  int surface, carrier;
  int element[2];   /* patches: which element of the body; plates: column and row */
  int neighbors[2]; /* elements on either side that never touch this one */
  /* spheres first .. first+count-1; their weights (rigid: 3, the center in body axes) or probes begin at `data` */
  int first, count, data;
  double radius; /* capsule, cylinder; spheres: the largest */
  bool line;     /* the spheres lie on a cubic of four vectors r, r', r, r' and length `length`: can be refined */
  bool sheet;    /* an element of a plate: vectors r, r_x, r_y of its four nodes, edges `edge` */
  bool open[4];  /* do the ends s = 0, 1 of a line, the edges s = 0, 1, h = 0, 1 of a sheet end the body? */
  double length, edge[2];
  /* solids, in body axes: center, unit axes, half edges (capsule, cylinder: half[0] along axis 0; plane: normal axis 0)
   */
  double center[3], axis[3][3], half[3];
  const struct sn_hull *hull, *core[2]; /* of a convex hull: the solid, and its cores without the rounding of edges: for
                                         * penalty, for complementarity */
  double reach;                         /* radius of a sphere about the center that holds the solid; plane: infinite */
} sn_item;

typedef struct sn_surface {
  const char *name;
  int body;
  int class; /* surfaces of one class are treated alike by all laws */
  int first, items;
  double compliance; /* (1 - nu^2)/E; 0: rigid */
  const sn_spec *spec;
} sn_surface;

/* Of the spheres of one element: only the deepest touches, or all; by default all that press on a solid, a single sphere
 * or a plate, so that forces do not jump from sphere to sphere as a cable slides or a plate lands flat, and the deepest
 * of two elements of cables and beams. */
typedef enum sn_touching_points { SN_POINTS_DEEPEST, SN_POINTS_ALL, SN_POINTS_USUAL } sn_touching_points;

/* The contact law of two surfaces: an entry of `contacts`. */
typedef struct sn_law {
  const char *name;
  const sn_spec *spec;
  const struct sn_law_ops *ops; /* law.h; NULL: no contact */
  bool dvi;                     /* ops->impulsive: complementarity; else forces of springs */
  bool exact;                   /* closest points of center lines, refined */
  sn_touching_points points;
  bool self; /* a body with itself */
  double friction, restitution;
  double stiffness;  /* K of K d^k; 0: Hertz */
  double exponent;   /* k, 1.5 */
  double compliance; /* of both sides together, in place of theirs; 0: theirs */
  double damping;    /* c of K d^k (1 + c d') */
  double slip;       /* speed below which friction is regularized */
  double activation; /* largest gap of a contact that is reported */
} sn_law;

typedef struct sn_surfaces {
  int surfaces, laws, carriers, items, spheres, classes;
  sn_surface *surface;
  sn_law *law;
  sn_carrier *carrier;
  sn_item *item;
  double *radius;          /* [spheres] */
  double *place;           /* [spheres] s along the element, for lines */
  double *weight;          /* of patches, see sn_item.data */
  const double *monomials; /* of the shape functions of plates; NULL: there are none */
  const sn_probe *probe;   /* of patches on bodies whose points are not linear in the coordinates */
  const int *law_of;       /* [classes * classes] -1: none */
  const int *self_law_of;  /* [classes] of a body with itself */
  double margin;           /* of candidates */
  bool penalty, dvi;       /* some law is */
  bool friction;           /* some penalty law has it, or damping */
} sn_surfaces;

/* Weights of one sphere of a patch. */
static inline int sn_item_stride(const sn_surfaces *surfaces, const sn_item *item) {
  const sn_carrier *carrier = &surfaces->carrier[item->carrier];
  return carrier->type == SN_CARRIER_LINEAR ? carrier->vectors : 3;
}

/* After bodies: compile surfaces and contacts of the document into model->surfaces (NULL: there are none). */
void sn_compile_surfaces(sn_compiler *compiler);

/* ---- a contact ---- */

/* The material point of one side. */
typedef struct sn_side {
  int carrier, item;
  int sphere; /* -1: a solid */
  /* linear: the weights of the carrier's vectors. rigid, planar: [0..2] the contact point, [3..5] the anchor, in body
   * axes: the center of the sphere (side 0), the body's point there (side 1). */
  double weight[SN_SIDE_WEIGHTS];
  const sn_probe *probe; /* SN_CARRIER_PROBE */
} sn_side;

typedef struct sn_contact {
  int law;
  double gap;       /* < 0: overlap */
  uint64_t key;     /* its pair of items, then which of their contacts: the same in the next step */
  double point[3];  /* halfway between the two surfaces */
  double normal[3]; /* unit, from side 1 into side 0 */
  sn_side side[2];
  double arm;       /* from the point to the anchor of side 0, along the normal */
  double radius;    /* effective, of Hertz */
  double stiffness; /* K of F = K d^k, d = -gap, k of its law */
  /* What K does as it changes with the places of two solids: a force on side 0 at the contact point, a couple on its
   * body; the opposite on side 1 (lines.c). */
  double shift[3], couple[3];
  bool leads; /* these are not zero */
  /* How the normal turns when the anchors move apart by dw: dn = P dw (xx yy zz xy xz yz) in a frame at rest on side 1
   * ... */
  double P[6];
  bool carried; /* ... which turns with the body of side 1 (otherwise: not at all) */
  /* Where the surface of side 0 rolls, its anchor is no center of curvature: radii of curvature about it. */
  bool rolls;
  double R[6];
  bool later; /* met later in the step (sweep.c): the points of the sides, from `point` */
  double from[2][3];
  bool slides; /* side 1 is the nearest point of a sheet, at (s, h), which moves over it */
  double at[2];
  double force[3]; /* on side 0, global; known where the contact is listed as loaded or solved */
} sn_contact;

/* ---- a set of contacts ---- */

typedef struct sn_contacts sn_contacts;
struct sn_contacts_private;
struct sn_contacts {
  const sn_model *model;
  const sn_surfaces *surfaces;
  int count;
  sn_contact *const *contact; /* [count] */
  int candidates;
  long rebuilds; /* how often candidates were searched for */
  double creep;  /* of penalty, when power was last asked for: the fastest that slides below its slip speed */
  /* of dvi laws in the last step, with mean forces, which may be zero: sn_contacts_solved */
  int solved_count;
  sn_contact *const *solved; /* [solved_count] */
  struct sn_contacts_private *own;
};

sn_contacts *sn_contacts_create(const sn_model *model);
void sn_contacts_free(sn_contacts *contacts);
/* The next configuration is met as if it were the first. */
void sn_contacts_forget(sn_contacts *contacts);
/* The contacts of configuration q; no effect if they are known already. Memory grows only if the number exceeds its
 * previous maximum. */
void sn_contacts_detect(sn_contacts *contacts, sn_threads *threads, const double *q);
/* Contacts of dvi laws are reported when bodies are as near as `way`, the way they may come nearer in a step. */
void sn_contacts_reach(sn_contacts *contacts, double way);
/* What is detected next is for a step h from q with the velocities v (sweep.c); h = 0: for no step. Overlaps up to
 * `slack` are none. */
void sn_contacts_move(sn_contacts *contacts, const double *q, const double *v, double h, double slack);
/* Time in which nothing moves farther than half the smallest radius: a step that long cannot carry things through each
 * other unseen. */
double sn_contacts_safe_time(const sn_contacts *contacts, sn_threads *threads, const double *q, const double *v);
/* Contacts of penalty between rigid bodies and with the ground, open ones too up to the margin: what may meet in the
 * next step. Valid until the next call. */
int sn_contacts_ahead(sn_contacts *contacts, sn_threads *threads, const double *q, const sn_contact **list);
/* Pairs of items that may touch before the next search, two numbers each: what a matrix must provide for. `version`
 * changes when they do. */
const int *sn_contacts_candidates(const sn_contacts *contacts, long *version);
/* The contact with the smallest gap; NULL: none. */
const sn_contact *sn_contacts_deepest(const sn_contacts *contacts);
/* The contacts whose impulses have been found, with their mean forces. The list and its contacts do not change with
 * detection until this is called again; count = 0: they are not needed any more. */
void sn_contacts_solved(sn_contacts *contacts, int count, sn_contact *const *list);
/* The contacts that carry a force at a state: penalty at q and v, complementarity in the last step. The list is valid
 * until the next call. */
int sn_contacts_loaded(sn_contacts *contacts, sn_threads *threads, const double *q, const double *v,
                       const sn_contact *const **list);
/* Sum over the contacts of body `first` with body `second` (-1: any), force on the first. */
typedef struct sn_contact_sum {
  double force[3], penetration;
  int number;
} sn_contact_sum;
void sn_contacts_sum(const sn_contacts *contacts, int count, const sn_contact *const *list, int first, int second,
                     sn_contact_sum *sum);
/* Number of a side's surface, and names. */
int sn_contact_surface_number(const sn_contacts *contacts, const sn_contact *contact, int side);
const char *sn_contact_body(const sn_contacts *contacts, const sn_contact *contact, int side);
const char *sn_contact_surface(const sn_contacts *contacts, const sn_contact *contact, int side);

/* ---- from a contact to coordinates; q is that of the detection ---- */

/* u = J0 v - J1 v */
void sn_contact_velocity(const sn_contacts *contacts, const sn_contact *contact, const double *q, const double *v,
                         double u[3]);
/* r += J0'f - J1'f; r is a global vector */
void sn_contact_apply(const sn_contacts *contacts, const sn_contact *contact, const double *q, const double f[3],
                      double *r);
/* Rows D = [n u w]'(J0 - J1), with (u, w, n) right-handed: D[k][i] belongs to coordinate index[i]. Returns the number
 * of coordinates; a coordinate may come twice (self contact). `frame` receives n, u, w. */
int sn_contact_jacobian(const sn_contacts *contacts, const sn_contact *contact, const double *q, double frame[3][3],
                        int index[SN_CONTACT_COORDINATES], double D[3][SN_CONTACT_COORDINATES]);
/* Probe of a side's material point: the contact point itself (anchor: false) or the anchor. */
void sn_side_probe(const sn_surfaces *surfaces, const sn_side *side, bool anchor, sn_probe *probe);
/* How the point of side 1 moves over its sheet: derivatives of X by what is free (neither s nor h, one or both), and of
 * its weights. Returns how many. */
typedef struct sn_slide {
  double X[2][3], XX[2][2][3], weight[2][SN_SIDE_WEIGHTS];
} sn_slide;
int sn_contact_slide(const sn_contacts *contacts, const sn_contact *contact, sn_slide *slide);
/* Probe of the direction that is n now and turns with the side's body; false where nothing turns. */
bool sn_side_direction(const sn_contacts *contacts, const sn_side *side, const double n[3], sn_probe *probe);

#endif
