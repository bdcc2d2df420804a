/* line_load.c - see line_load.h.
 *
 *   p = rho A (g - a) + sum of forces/l          a in the middle of the element
 */
#include "output/line_load.h"

#include <string.h>

#include "body/bodies.h"
#include "math/vec3.h"
#include "model/compile.h"

static void add_part(const sn_model *m, const sn_body *body, int first, int count, const sn_force_part *part,
                     const sn_eval *ev, double *r, double (*load)[3]) {
  const sn_geometry g = sn_body_geometry(body);
  const sn_batch *b = sn_batch_find(m, part->ops);
  const int stride = body->count / (g.elements + 1);
  for (int i = part->range.first; b && b->ops->residual && i < part->range.last; i++) {
    int group[16];
    const int groups = b->ops->groups(b, i, group), e = group[0] - body->first_group;
    if (groups != 2 || e < first || e >= first + count) continue;
    double *own = r + body->first + e * stride;
    memset(own, 0, 2 * (size_t)stride * sizeof(double));
    b->ops->residual(b, (sn_range){i, i + 1}, ev, r);
    for (int k = 0; k < m->dim; k++) load[e - first][k] -= own[k] + own[stride + k];
  }
}

/* Elements of floating bodies have other groups. */
void sn_line_add_forces(const sn_model *m, const sn_body *body, int first, int count, const sn_eval *ev, double *work,
                        double (*load)[3]) {
  if (sn_body_geometry(body).type != SN_GEOMETRY_LINE) return;
  for (int i = 0; i < m->forces; i++) {
    const sn_force_place *f = &m->force[i];
    for (int k = 0; k < f->parts && f->markers == 0 && f->on && strcmp(f->on, body->name) == 0; k++)
      add_part(m, body, first, count, &f->part[k], ev, work, load);
  }
}

static bool is_touched(const sn_model *m, const sn_body *body, const sn_touching *touching) {
  sn_contact_sum sum;
  if (!touching || !touching->contacts || touching->count == 0) return false;
  sn_contacts_sum(touching->contacts, touching->count, touching->contact, (int)(body - m->body), -1, &sum);
  return sum.number > 0;
}

static void load_on(const sn_model *m, const sn_marker *marker, int element, const sn_eval *ev, double *work,
                    double load[3]) {
  const sn_body *body = marker->body;
  sn_geometry g = sn_body_geometry(body);
  sn_marker middle = {.body = body, .element = element, .local = {0.5}};
  sn_probe p;
  double a[3] = {0}, c[3] = {0}, force[1][3] = {{0}};
  g.place = (element + 0.5) / g.elements;
  body->ops->geometry(body, &g);
  sn_line_add_forces(m, body, element, 1, ev, work, force);
  body->ops->point(&middle, &p);
  p.ops->rate(&p, ev->q, ev->a, a);
  if (p.ops->convective) p.ops->convective(&p, ev->q, ev->v, c);
  for (int k = 0; k < 3; k++) load[k] = g.mass * (ev->gravity[k] - a[k] - c[k]) + force[0][k] / g.element_length;
  for (int k = m->dim; k < 3; k++) load[k] = 0;
}

bool sn_line_load(const sn_model *m, const sn_marker *marker, const sn_eval *ev, const sn_touching *touching,
                  const sn_output_memory *memory, double load[2][3]) {
  const sn_body *body = marker->body;
  if (!memory || !memory->work) return false;
  const sn_geometry g = sn_body_geometry(body);
  if (g.type == SN_GEOMETRY_SURFACE || g.elements < 1 || !(g.mass > 0)) return false;
  if (is_touched(m, body, touching)) return false;
  const int next = sn_line_neighbor(marker, g.elements);
  load_on(m, marker, marker->element, ev, memory->work, load[0]);
  memset(load[1], 0, 3 * sizeof(double));
  if (next >= 0) load_on(m, marker, next, ev, memory->work, load[1]);
  return true;
}
