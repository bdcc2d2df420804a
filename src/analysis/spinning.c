/* spinning.c - flat parts of rigid bodies that turn on each other about their normal.
 *
 * Friction against sliding is mu N however the pressure is distributed. The moment of friction about the normal is not:
 * it is mu N times the mean distance from the center, and rigid bodies leave the distribution open. Contacts are at
 * corners and rims, where this distance is largest:
 *
 *     disk of radius R          mu N R           uniform pressure: 2/3 of it
 *     square of half edge a     1.414 mu N a     0.765 mu N a
 *     line of length 2 a        mu N a           half of it
 *
 * No smaller step shows this; therefore the angle that a pair has turned while it rubs is a doubt of its own. Points that
 * all but coincide (a corner that is listed twice) are no flat part: friction has no moment there, and the rate of their
 * rotation is rounding.
 */
#include "analysis/spinning.h"

#include <math.h>

#include "math/vec3.h"

static bool is_solid(const sn_surfaces *s, const sn_side *side) {
  return side->sphere < 0 && sn_carrier_is_rigid(&s->carrier[side->carrier]);
}

/* Of rigid solids, and with friction. */
static bool counts(const sn_surfaces *s, const sn_contact *x) {
  return s->law[x->law].friction > 0 && is_solid(s, &x->side[1]) &&
         sn_carrier_is_rigid(&s->carrier[x->side[0].carrier]) && sn_dot(x->force, x->normal) > 0;
}

static bool are_of_one_flat(const sn_contact *a, const sn_contact *b) {
  return a->side[0].item == b->side[0].item && a->side[1].item == b->side[1].item &&
         sn_dot(a->normal, b->normal) > 0.99;
}

/* Rate of rotation about the normal by the velocities u of the contact points: n.sum r x u / sum r^2, r from their
 * middle. */
static double spin_of(const sn_simulation *s, const sn_row *row, int first, int last) {
  const sn_contact *const *x = row->touching.contact;
  double middle[3] = {0, 0, 0}, turn = 0, size = 0;
  for (int i = first; i < last; i++) sn_axpy(middle, 1.0 / (last - first), x[i]->point);
  for (int i = first; i < last; i++) {
    double r[3], u[3], m[3];
    sn_sub(r, x[i]->point, middle);
    sn_contact_velocity(s->audit->contacts, x[i], row->q, row->v, u);
    sn_cross(m, r, u);
    turn += sn_dot(m, x[first]->normal);
    size += sn_dot(r, r);
  }
  const sn_item *item = s->model->surfaces->item;
  const double least = 1e-3 * fmin(item[x[first]->side[0].item].reach, item[x[first]->side[1].item].reach);
  return size > (last - first) * least * least ? fabs(turn / size) : 0;
}

void sn_follow_spinning(sn_simulation *s, const sn_row *row) {
  sn_evidence *e = &s->evidence;
  const double since = e->rows > 0 ? row->t - e->spun_t : 0;
  const sn_contact *const *x = row->touching.contact;
  double fastest = 0;
  e->spun_t = row->t;
  for (int i = 0, next; i < row->touching.count && since > 0; i = next) {
    next = i + 1;
    if (!counts(s->model->surfaces, x[i])) continue;
    while (next < row->touching.count && counts(s->model->surfaces, x[next]) && are_of_one_flat(x[i], x[next])) next++;
    if (next - i < 2) continue;
    const double spin = spin_of(s, row, i, next);
    if (!(spin > fastest)) continue;
    fastest = spin;
    for (int k = 0; k < 2; k++) e->spinning[k] = s->model->surfaces->carrier[x[i]->side[k].carrier].body;
  }
  e->spun += fastest * since;
}

const char *sn_say_spinning(sn_simulation *s, double angle) {
  const int *body = s->evidence.spinning;
  const char *name[2];
  for (int k = 0; k < 2; k++) name[k] = body[k] >= 0 ? s->model->body[body[k]].name : "ground";
  return sn_format(
      &s->arena,
      "flat parts of '%s' and '%s' turn on each other by about %.2g rad: the moment of friction about their "
      "normal depends on the distribution of pressure, which rigid bodies leave open, and is that of corners "
      "and rims here, up to twice as large as with uniform pressure; possible remedy: small spheres as feet "
      "where they are supported (a disk under uniform pressure: at 2/3 of its radius)",
      name[0], name[1], angle);
}
