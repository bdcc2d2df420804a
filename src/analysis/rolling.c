/* rolling.c - see rolling.h. */
#include "analysis/rolling.h"

#include <math.h>
#include <string.h>

#include "math/vec3.h"

/* Of each body in evidence.rolling: may it roll (1, else 0); x'' of a row, x', x, and the largest |x|. */
enum { FREE, PULL, SPEED, WAY, MOST, VALUES };

/* Joints that leave a line free to turn about itself. */
static bool holds(const sn_joint *j) {
  static const char *const kinds[] = {"spherical", "distance", "rope"};
  for (size_t i = 0; i < SN_COUNT(kinds); i++)
    if (strcmp(j->ops->kind.name, kinds[i]) == 0) return false;
  return true;
}

static bool is_held(const sn_model *m, int body) {
  for (int j = 0; j < m->joints; j++)
    for (int k = 0; k < 2 && holds(&m->joint[j]); k++)
      if (m->joint[j].marker[k].body == &m->body[body]) return true;
  return false;
}

/* Do the spheres of an item lie on a line in space? */
static bool is_line(const sn_model *m, const sn_item *item) {
  const sn_carrier *carrier = &m->surfaces->carrier[item->carrier];
  if (item->shape != SN_ITEM_SPHERES || m->dim != 3 || carrier->body < 0) return false;
  if (carrier->type == SN_CARRIER_LINEAR) return item->line;
  return carrier->type == SN_CARRIER_PROBE && item->count > 1 &&
         sn_body_geometry(&m->body[carrier->body]).type == SN_GEOMETRY_FLOATING;
}

/* Unit vector along it: from end to end of an element, or from the first sphere to the last. */
static bool along(const sn_surfaces *s, const sn_item *item, const double *q, double t[3]) {
  const sn_carrier *carrier = &s->carrier[item->carrier];
  if (carrier->type == SN_CARRIER_LINEAR) {
    sn_sub(t, q + carrier->vector[2], q + carrier->vector[0]);
  } else {
    const sn_probe *first = &s->probe[item->data], *last = first + item->count - 1;
    double x[3], y[3];
    first->ops->value(first, q, x);
    last->ops->value(last, q, y);
    sn_sub(t, y, x);
  }
  return sn_normalize(t) > 0;
}

void sn_rolling_begin(sn_simulation *s) {
  const sn_surfaces *surfaces = s->model->surfaces;
  bool friction = false;
  for (int i = 0; surfaces && i < surfaces->laws; i++) friction = friction || surfaces->law[i].friction > 0;
  for (int i = 0; friction && i < surfaces->items && !s->evidence.rolling; i++) {
    if (is_line(s->model, &surfaces->item[i]))
      s->evidence.rolling = SN_NEW(&s->arena, double, VALUES * s->model->bodies);
  }
  for (int i = 0; s->evidence.rolling && i < s->model->bodies; i++)
    s->evidence.rolling[VALUES * i + FREE] = !is_held(s->model, i);
}

void sn_rolling_history(sn_simulation *s, sn_history *h) {
  sn_rolling_begin(s); /* the row may be that of a checkpoint */
  if (s->evidence.rolling) sn_history_reals(h, s->evidence.rolling, (size_t)VALUES * (size_t)s->model->bodies);
}

/* x'' by one contact; the normal points into side 0. */
static void pull(sn_simulation *s, const sn_row *row, const sn_contact *x, int k) {
  const sn_surfaces *surfaces = s->model->surfaces;
  const sn_item *item = &surfaces->item[x->side[k].item];
  if (!is_line(s->model, item)) return;
  const int body = surfaces->carrier[item->carrier].body;
  double *own = s->evidence.rolling + (size_t)VALUES * (size_t)body, t[3], moment[3];
  if (own[FREE] == 0 || !along(surfaces, item, row->q, t)) return;
  sn_cross(moment, x->normal, x->force); /* r = -+ radius n, f = +- force: the same for both sides */
  const sn_geometry g = sn_body_geometry(&s->model->body[body]);
  const double mass = g.mass * g.element_length * g.elements;
  if (mass > 0) own[PULL] -= sn_dot(t, moment) / (1.5 * mass);
}

void sn_rolling_row(sn_simulation *s, const sn_row *row, double since) {
  double *own = s->evidence.rolling;
  if (!own || !(since > 0) || s->analysis->quasi_static) return;
  for (int i = 0; i < s->model->bodies; i++) own[VALUES * i + PULL] = 0;
  for (int i = 0; i < row->touching.count; i++) {
    const sn_contact *x = row->touching.contact[i];
    if (!(s->model->surfaces->law[x->law].friction > 0)) continue;
    for (int k = 0; k < 2; k++) pull(s, row, x, k);
  }
  for (int i = 0; i < s->model->bodies; i++, own += VALUES) {
    own[WAY] += since * (own[SPEED] + since / 2 * own[PULL]);
    own[SPEED] += since * own[PULL];
    own[MOST] = fmax(own[MOST], fabs(own[WAY]));
  }
}

double sn_rolling(const sn_simulation *s, int *body) {
  double most = 0;
  *body = 0;
  for (int i = 0; s->evidence.rolling && i < s->model->bodies; i++) {
    const double way = s->evidence.rolling[VALUES * i + MOST];
    if (way > most) most = way, *body = i;
  }
  return most;
}

const char *sn_rolling_say(sn_simulation *s, double value) {
  int body;
  (void)value;
  const double way = sn_rolling(s, &body);
  return sn_format(&s->arena,
                   "friction across '%s' would make it roll, by about %.2g m: contacts of cables and beams act on "
                   "their center line and do not turn them about it; possible remedy: rigid cylinders or capsules "
                   "where rolling matters, or a joint that holds an end against rotation ('fixed')",
                   s->model->body[body].name, way);
}
