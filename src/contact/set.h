/* set.h - private to the set of contacts: positions, candidates, and contacts of the narrow phase. */
#ifndef SN_CONTACT_SET_H
#define SN_CONTACT_SET_H

#include "contact/contact.h"

typedef struct sn_pose { /* of the axes of a rigid body or the ground: x = r + sum A[k] s_k */
  double r[3], A[3][3];  /* A[k]: axis k, global */
} sn_pose;

typedef struct sn_solid_place { /* of a solid, global */
  double center[3], axis[3][3];
} sn_solid_place;

typedef struct sn_motion { /* of a carrier over a step: of its origin, and rotation */
  bool moves;
  double way[3], turn[3];
  double far, angle; /* their lengths */
} sn_motion;

typedef struct sn_pair {
  int i, j; /* items, i < j */
  int law;
} sn_pair;

typedef struct sn_pair_list { /* growing */
  int count, capacity;
  int first; /* where its pairs go in the list of all */
  sn_pair *pair;
} sn_pair_list;

typedef struct sn_contact_list { /* growing */
  int count, capacity;
  int first; /* where its contacts are in the list of all */
  bool lent; /* its memory belongs to a block */
  sn_contact *contact;
} sn_contact_list;

/* The contacts of a detection, see found.c. */
typedef struct sn_found {
  int count, capacity;
  sn_contact **contact; /* [count] all of them, part by part */
  sn_contact *block;    /* [parts][room] */
  size_t block_capacity;
  int room;              /* contacts a part has room for */
  sn_contact_list *part; /* [parts] */
  int part_capacity;
} sn_found;

/* Of a contact in an iteration: its sliding velocity, and whether it is held (turned.c). */
typedef struct sn_watched {
  uint64_t key;
  double ut[3];
  bool held;
} sn_watched;

typedef struct sn_contacts_private {
  bool known;                   /* contacts are those of q */
  double *q;                    /* [n] */
  double *x, *y, *z;            /* [spheres] centers */
  int *posed, poses;            /* carriers that are rigid */
  int *solid_item, solids;      /* items that are solids */
  double *way;                  /* [chunks of items] squared, the farthest a sphere has gone since the last search */
  sn_pose *pose;                /* [carriers] rigid ones */
  sn_solid_place *solid;        /* [items] solids */
  double (*low)[3], (*high)[3]; /* [items] bounds of finite items, without margin */
  /* at the last search */
  bool searched;
  double reach; /* largest gap of any candidate */
  double *x0, *y0, *z0;
  sn_solid_place *solid0;
  sn_pair *pair; /* candidates, sorted by (i, j) */
  int pairs, pair_capacity;
  int *plain; /* [2 pairs] their items */
  int plain_capacity;
  /* grid */
  int *cell, *bucket, *order; /* [3 items] cell numbers; [buckets + 1]; [items] */
  int buckets;
  unsigned char *sort; /* [items] usual, large or plane */
  double *extent;      /* [items] */
  sn_pair_list *found; /* [searches] pairs found by each of the searching tasks ... */
  int searches;
  int found_room;  /* ... the most any has ever found */
  int *large_item; /* [items] those that are tested against all */
  int larges;
  bool gridded; /* others are in the grid */
  int *start;   /* [items + 1] for sorting */
  sn_pair *sorted;
  int sorted_capacity;
  sn_found all;
  sn_found kept;   /* what `all` was when its contacts were solved, while others are detected ... */
  bool kept_apart; /* ... which has begun */
  sn_threads *threads;
  /* Steps that look ahead: how far candidates are looked for beyond the margin, how far contacts while it is done, and
   * what was found. */
  double look, ahead;
  double closing; /* how much farther contacts of dvi laws are listed: what comes near within a step */
  sn_contact_list near;
  /* of the step for which contacts are detected (sweep.c), and the overlap that counts as none */
  bool moves;
  sn_motion *motion; /* [carriers] rigid ones */
  double slack;
  /* of penalty, at q and v: forces along the normal and of friction, [contacts], power that is lost and the fastest
   * below its slip speed, [chunks] */
  bool pushed;
  double *v, (*push)[4], *lost, *creep;
  int push_capacity;
  /* Iterations that watch contacts turn: those of the last one, [push_capacity]. */
  bool watching;
  int watched, held;
  sn_watched *watch, *watch_next;
  /* Shares of the coordinates, for the sums of forces: of each coordinate, [n], NULL: one share; and those that a
   * contact and a chunk of contacts touch, a bit each, [contacts], [chunks]. */
  unsigned char *owner;
  uint64_t *touched, *chunk_touched;
  const sn_contact **loaded; /* for outputs */
  int loaded_capacity;
  int *last; /* [spheres] the last contact of each with a sheet, while they are gathered; NULL: no sheets */
} sn_contacts_private;

enum {
  SN_ITEM_CHUNK = 128,
  SN_PUSH_CHUNK = 128,
  SN_SPHERE_LANES = 8 /* spheres looked at together; arrays of them are that much longer */
};

/* Of numbers that are numbers: unlike fmin and fmax these are one instruction. */
static inline double sn_lesser(double a, double b) {
  return a < b ? a : b;
}
static inline double sn_greater(double a, double b) {
  return a > b ? a : b;
}

/* P += k e e', P = xx yy zz xy xz yz */
static inline void sn_add_square(double P[6], double k, const double e[3]) {
  P[0] += k * e[0] * e[0], P[1] += k * e[1] * e[1], P[2] += k * e[2] * e[2];
  P[3] += k * e[0] * e[1], P[4] += k * e[0] * e[2], P[5] += k * e[1] * e[2];
}

/* The largest gap of a contact that is listed. */
static inline double sn_reach(const sn_contacts *contacts, const sn_law *law) {
  return law->activation + (law->dvi ? contacts->own->closing : contacts->own->ahead);
}

/* Room for numbers of all contacts there are. */
void sn_contacts_room(sn_contacts *contacts);

/* side.c: the forces of penalty on both sides, r -= Q: push = (F, friction), for the coordinates of one share alone;
 * owner NULL: for all. Nothing of a dvi law. */
typedef struct sn_share {
  const unsigned char *owner;
  int range;
} sn_share;
void sn_contact_push(const sn_contacts *contacts, const sn_contact *contact, const double *q, const double push[4],
                     const sn_share *share, double *r);
/* turned.c: which contacts are held at the place and velocities of this iteration. */
void sn_contacts_find_turned(sn_contacts *contacts, const sn_eval *eval);
/* shares.c */
void sn_shares_create(sn_contacts *contacts);
uint64_t sn_shares_of(const sn_contacts *contacts, const sn_contact *contact);
void sn_shares_push(const sn_contacts *contacts, sn_threads *threads, const double *q, double *r);

/* place.c */
void sn_contacts_place(sn_contacts *contacts, const double *q);
/* Has anything moved more than half the margin since the last search? */
bool sn_contacts_moved(const sn_contacts *contacts);
/* broad.c */
void sn_sort_planes(sn_contacts *contacts);
void sn_contacts_search(sn_contacts *contacts);
/* The law between two items, -1: none. */
int sn_law_between(const sn_surfaces *surfaces, int i, int j);

/* found.c: the contacts of all candidates; room in the list of all. */
void sn_contacts_find(sn_contacts *contacts);
void sn_found_room(sn_found *found, int count);
void sn_found_free(sn_found *found);
sn_contact *sn_append_contact(sn_contact_list *list);
/* narrow.c: append the contacts of a pair; or its smallest gap, as far as it is below `least`. */
void sn_narrow(const sn_contacts *contacts, const sn_pair *pair, sn_contact_list *list);
double sn_nearest_gap(const sn_contacts *contacts, const sn_pair *pair);

/* What a sphere of center c sees of a solid. */
typedef struct sn_view {
  double distance; /* of the center from the surface, < 0 inside */
  double n[3];     /* from the surface to the center */
  double P[6];     /* dn/dc in the axes of the solid, at rest */
} sn_view;

/* One contact of a sphere (center c, radius R, not a sphere of a patch: sphere < 0 and `local` in body axes) with a
 * solid. */
typedef struct sn_ball {
  int item, sphere;
  double center[3], radius;
  double weight[SN_SIDE_WEIGHTS]; /* linear: weights; rigid: center in body axes */
} sn_ball;
void sn_ball_of(const sn_contacts *contacts, int item, int k, sn_ball *ball);
/* A point that is fixed in the axes of a solid's body, as a ball. */
void sn_ball_at(const sn_contacts *contacts, int item, const double center[3], double radius, sn_ball *ball);
/* s = A'(x - r), in the axes of a carrier that is rigid. */
void sn_side_to_body(const sn_contacts *contacts, int carrier, const double x[3], double s[3]);
/* sweep_ball.c: the same as sn_touch_solid and sn_touch_ball, of single spheres that move far within the step where they
 * meet or pass. */
void sn_sweep_ball_solid(const sn_contacts *contacts, const sn_pair *pair, const sn_ball *ball, int solid,
                         const sn_view *view, int feature, sn_contact_list *list);
void sn_sweep_balls(const sn_contacts *contacts, const sn_pair *pair, const sn_ball *a, const sn_ball *b, int feature,
                    sn_contact_list *list);
/* The new contact, until the next one; NULL: too far away. */
sn_contact *sn_touch_solid(const sn_contacts *contacts, const sn_pair *pair, const sn_ball *ball, int solid,
                           const sn_view *view, int feature, sn_contact_list *list);
sn_contact *sn_touch_ball(const sn_contacts *contacts, const sn_pair *pair, const sn_ball *a, const sn_ball *b,
                          int feature, sn_contact_list *list);
/* Squared distance of a point from the bounds of an item. */
double sn_beyond_bounds(const sn_contacts_private *own, int item, double x, double y, double z);
/* sheet.c: spheres against plates whose law is exact; false: nothing of the kind. */
bool sn_narrow_sheets(const sn_contacts *contacts, const sn_pair *pair, sn_contact_list *list);
void sn_sheet_bounds(const sn_contacts *contacts, const sn_item *item, double low[3], double high[3]);
/* boxes.c */
enum { SN_CLIP_CORNERS = 128 };
void sn_box_box(const sn_contacts *contacts, const sn_pair *pair, int i, int j, sn_contact_list *list);
/* Cut a polygon (a line, a point) with the half space n.x <= limit. */
int sn_clip(int count, double (*x)[3], const double n[3], double limit);
/* The face that looks most along m, four corners in turn. */
void sn_box_face(const double center[3], const double (*axis)[3], const double half[3], const double m[3],
                 double x[4][3]);
/* manifold.c: capsule, cylinder and box against each other */
void sn_touch_convex(const sn_contacts *contacts, const sn_pair *pair, int i, int j, sn_contact_list *list);
/* exact.c: move the spheres of a contact along their lines to the closest points; false: a neighbor has it. */
bool sn_refine(const sn_contacts *contacts, sn_ball *a, sn_ball *b);
bool sn_refine_solid(const sn_contacts *contacts, sn_ball *a, int solid, sn_view *view);

#endif
