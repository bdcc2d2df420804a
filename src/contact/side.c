/* side.c - from the sides of a contact to the coordinates of the bodies. */
#include <math.h>
#include <string.h>

#include "contact/set.h"
#include "math/quat.h"

/* ---- probes ---- */

void sn_side_probe(const sn_surfaces *s, const sn_side *side, bool anchor, sn_probe *p) {
  assert(side->carrier >= 0 && side->carrier < s->carriers);
  const sn_carrier *h = &s->carrier[side->carrier];
  static const double nowhere[3] = {0, 0, 0};
  if (h->type == SN_CARRIER_PROBE &&
      side->probe) { /* a patch, which has one: solids are on rigid bodies and the ground */
    *p = *side->probe;
    return;
  }
  if (h->type == SN_CARRIER_GROUND) {
    sn_constant_probe(nowhere, p); /* only its derivatives count */
    return;
  }
  *p = (sn_probe){.groups = h->groups, .count = h->count, .dim = h->dim};
  memcpy(p->group, h->group, sizeof p->group);
  memcpy(p->first, h->first, sizeof p->first);
  memcpy(p->size, h->size, sizeof p->size);
  if (h->type == SN_CARRIER_LINEAR) {
    p->ops = &sn_probe_linear;
    for (int k = 0; k < h->vectors; k++) p->weight[h->local[k] / h->dim] = side->weight[k];
    return;
  }
  p->ops = h->type == SN_CARRIER_RIGID ? &sn_probe_rigid : &sn_probe_planar;
  p->weight[0] = 1;
  memcpy(p->weight + 1, side->weight + (anchor ? 3 : 0), (h->type == SN_CARRIER_RIGID ? 3 : 2) * sizeof(double));
}

bool sn_side_direction(const sn_contacts *c, const sn_side *side, const double n[3], sn_probe *p) {
  const sn_carrier *h = &c->surfaces->carrier[side->carrier];
  if (h->type != SN_CARRIER_RIGID && h->type != SN_CARRIER_PLANAR) return false;
  const sn_pose *pose = &c->own->pose[side->carrier];
  sn_side_probe(c->surfaces, side, false, p);
  p->weight[0] = 0;
  for (int k = 0; k < (h->type == SN_CARRIER_RIGID ? 3 : 2); k++) p->weight[1 + k] = sn_dot(pose->A[k], n);
  return true;
}

/* ---- velocity and force: fast paths ---- */

static void side_velocity(const sn_contacts *c, const sn_side *side, const double *q, const double *v, double u[3]) {
  const sn_carrier *h = &c->surfaces->carrier[side->carrier];
  u[0] = u[1] = u[2] = 0;
  if (h->type == SN_CARRIER_LINEAR) {
    for (int k = 0; k < h->vectors; k++)
      for (int a = 0; a < h->dim; a++) u[a] += side->weight[k] * v[h->vector[k] + a];
  } else if (h->type != SN_CARRIER_GROUND) {
    sn_probe p;
    sn_side_probe(c->surfaces, side, false, &p);
    p.ops->rate(&p, q, v, u);
  }
}

void sn_contact_velocity(const sn_contacts *c, const sn_contact *x, const double *q, const double *v, double u[3]) {
  double other[3];
  side_velocity(c, &x->side[0], q, v, u);
  side_velocity(c, &x->side[1], q, v, other);
  sn_axpy(u, -1, other);
}

/* Is this coordinate one of the share? */
static bool has(const sn_share *share, int coordinate) {
  return !share->owner || share->owner[coordinate] == share->range;
}

static void side_apply(const sn_contacts *c, const sn_side *side, const double *q, const double f[3],
                       const sn_share *share, double *r) {
  const sn_carrier *h = &c->surfaces->carrier[side->carrier];
  if (h->type == SN_CARRIER_LINEAR) {
    for (int k = 0; k < h->vectors; k++)
      for (int a = 0; a < h->dim && has(share, h->vector[k]); a++) r[h->vector[k] + a] += side->weight[k] * f[a];
  } else if (h->type != SN_CARRIER_GROUND && has(share, h->first[0])) {
    sn_probe p;
    sn_side_probe(c->surfaces, side, false, &p);
    p.ops->apply(&p, q, f, r);
  }
}

static void apply(const sn_contacts *c, const sn_contact *x, const double *q, const double f[3], const sn_share *share,
                  double *r) {
  const double minus[3] = {-f[0], -f[1], -f[2]};
  side_apply(c, &x->side[0], q, f, share, r);
  side_apply(c, &x->side[1], q, minus, share, r);
}

void sn_contact_apply(const sn_contacts *c, const sn_contact *x, const double *q, const double f[3], double *r) {
  apply(c, x, q, f, &(sn_share){0}, r);
}

/* At the anchor; the same as at the point but for the length of quaternions, which affects only the constraint p.p = 1.
 */
static void side_apply_anchor(const sn_contacts *c, const sn_side *side, const double *q, const double f[3],
                              const sn_share *share, double *r) {
  const sn_carrier *h = &c->surfaces->carrier[side->carrier];
  sn_probe p;
  if (h->type == SN_CARRIER_LINEAR || h->type == SN_CARRIER_GROUND || h->type == SN_CARRIER_PROBE) {
    side_apply(c, side, q, f, share, r);
    return;
  }
  if (!has(share, h->first[0])) return;
  sn_side_probe(c->surfaces, side, true, &p);
  p.ops->apply(&p, q, f, r);
}

/* f = F n at the anchors: what the derivatives of the gap go with. */
static void press(const sn_contacts *c, const sn_contact *x, const double *q, double F, const sn_share *share,
                  double *r) {
  double f[3], minus[3];
  sn_scale(f, F, x->normal);
  sn_scale(minus, -F, x->normal);
  side_apply_anchor(c, &x->side[0], q, f, share, r);
  side_apply_anchor(c, &x->side[1], q, minus, share, r);
}

/* A couple t on the body of a side: forces f_k = t x e_k/2 on three directions e_k that turn with it, as
 * t.w = sum (t x e_k).(w x e_k)/2. It has no effect on bodies without rotation. */
static void side_turn(const sn_contacts *c, const sn_side *side, const double *q, const double t[3],
                      const sn_share *share, double *r) {
  if (!has(share, c->surfaces->carrier[side->carrier].first[0])) return;
  for (int k = 0; k < 3; k++) {
    sn_probe p;
    double e[3] = {k == 0, k == 1, k == 2}, f[3];
    if (!sn_side_direction(c, side, e, &p)) return;
    sn_cross(f, t, e);
    sn_scale(f, 0.5, f);
    p.ops->apply(&p, q, f, r);
  }
}

/* What the change of its stiffness does: the force `shift` and the couple. */
static void lead(const sn_contacts *c, const sn_contact *x, const double *q, const sn_share *share, double *r) {
  double minus[3];
  sn_scale(minus, -1, x->shift);
  apply(c, x, q, minus, share, r);
  side_turn(c, &x->side[1], q, x->couple, share, r);
  sn_scale(minus, -1, x->couple);
  side_turn(c, &x->side[0], q, minus, share, r);
}

void sn_contact_push(const sn_contacts *c, const sn_contact *x, const double *q, const double push[4],
                     const sn_share *share, double *r) {
  if (x->leads && x->gap < 0) lead(c, x, q, share, r);
  if (push[0] == 0) return;
  press(c, x, q, -push[0], share, r);
  if (c->surfaces->law[x->law].friction > 0) apply(c, x, q, push + 1, share, r);
}

/* ---- rows ---- */

static int side_rows(const sn_contacts *c, const sn_side *side, const double *q, double sign, double frame[3][3],
                     int at, int index[SN_CONTACT_COORDINATES], double D[3][SN_CONTACT_COORDINATES]) {
  const sn_carrier *h = &c->surfaces->carrier[side->carrier];
  if (h->type == SN_CARRIER_GROUND) return at;
  if (h->type == SN_CARRIER_LINEAR) {
    for (int k = 0; k < h->vectors; k++)
      for (int a = 0; a < h->dim; a++, at++) {
        index[at] = h->vector[k] + a;
        for (int m = 0; m < 3; m++) D[m][at] = sign * side->weight[k] * frame[m][a];
      }
    return at;
  }
  sn_probe p;
  double J[3 * SN_PROBE_COORDINATES];
  sn_side_probe(c->surfaces, side, false, &p);
  p.ops->jacobian(&p, q, J);
  const double *column = J;
  for (int g = 0; g < p.groups; g++)
    for (int k = 0; k < p.size[g]; k++, at++, column += 3) {
      index[at] = p.first[g] + k;
      for (int m = 0; m < 3; m++) D[m][at] = sign * sn_dot(frame[m], column);
    }
  return at;
}

int sn_contact_jacobian(const sn_contacts *c, const sn_contact *x, const double *q, double frame[3][3],
                        int index[SN_CONTACT_COORDINATES], double D[3][SN_CONTACT_COORDINATES]) {
  sn_copy(frame[0], x->normal);
  sn_frame(x->normal, frame[1], frame[2]);
  int count = side_rows(c, &x->side[0], q, 1, frame, 0, index, D);
  return side_rows(c, &x->side[1], q, -1, frame, count, index, D);
}

/* ---- speed ---- */

/* Of a point that is linear in the coordinates, squared. */
static double linear_speed(const sn_carrier *h, const double *weight, const double *v) {
  double u[3] = {0};
  for (int k = 0; k < h->vectors; k++)
    for (int a = 0; a < h->dim; a++) u[a] += weight[k] * v[h->vector[k] + a];
  return sn_dot(u, u);
}

/* Of the first, middle and last sphere of a patch, or of the center and points all around a solid. */
static double item_speed(const sn_contacts *c, const sn_item *item, const double *q, const double *v) {
  const sn_surfaces *s = c->surfaces;
  sn_side side = {.carrier = item->carrier};
  const sn_carrier *h = &s->carrier[item->carrier];
  double u[3], speed = 0;
  if (item->shape == SN_ITEM_SPHERES) {
    int some[3] = {0, item->count / 2, item->count - 1}, stride = sn_item_stride(s, item);
    double square = 0;
    for (int i = 0; i < (item->count > 1 ? 3 : 1); i++) {
      if (h->type == SN_CARRIER_LINEAR) {
        square = sn_greater(linear_speed(h, s->weight + item->data + stride * some[i], v), square);
        continue;
      }
      if (h->type == SN_CARRIER_PROBE)
        side.probe = &s->probe[item->data + some[i]];
      else
        memcpy(side.weight, s->weight + item->data + stride * some[i], (size_t)stride * sizeof(double));
      side_velocity(c, &side, q, v, u);
      speed = fmax(speed, sn_norm(u));
    }
    return h->type == SN_CARRIER_LINEAR ? sqrt(square) : speed;
  }
  sn_copy(side.weight, item->center);
  side_velocity(c, &side, q, v, u);
  speed = sn_norm(u);
  for (int a = 0; a < 6 && isfinite(item->reach); a++) {
    sn_copy(side.weight, item->center);
    sn_axpy(side.weight, a < 3 ? item->reach : -item->reach, item->axis[a % 3]);
    side_velocity(c, &side, q, v, u);
    speed = fmax(speed, sn_norm(u));
  }
  return speed;
}

typedef struct moving {
  const sn_contacts *c;
  const double *q, *v;
} moving;

static sn_least fastest_item(void *user, int first, int last) {
  const moving *w = user;
  const sn_surfaces *s = w->c->surfaces;
  sn_least least = {0, -1}; /* minus the speed */
  for (int i = first; i < last; i++) {
    if (s->carrier[s->item[i].carrier].type == SN_CARRIER_GROUND) continue;
    const double speed = item_speed(w->c, &s->item[i], w->q, w->v);
    if (-speed < least.value) least = (sn_least){-speed, i};
  }
  return least;
}

double sn_contacts_safe_time(const sn_contacts *c, sn_threads *threads, const double *q, const double *v) {
  moving w = {c, q, v};
  const sn_least least = sn_threads_least(threads, c->surfaces->items, SN_ITEM_CHUNK, fastest_item, &w);
  return c->surfaces->margin / (2 * fmax(0, -least.value));
}
