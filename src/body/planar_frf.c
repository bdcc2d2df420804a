/* planar_frf.c - planar-bar and planar-beam with formulation: frf.
 *
 * Every element has a frame (x, y, angle), tangent at its first node, and the deformation of its second node: u, or (u,
 * v, t). Neighbors are joined by r = r (bars: hinged) and, for beams, by equal angles of their sections. So an element
 * of one formulation is an element of the others; one frame over many elements is the kind `floating`.
 */
#include <math.h>

#include "body/floating_beam.h"
#include "body/planar_beam.h"
#include "joint/primitive.h"

/* Degrees of freedom u, v, t of the second node that are coordinates. */
static int deformations(const sn_planar_beam *own) {
  return own->theory == SN_BAR ? 1 : 3;
}

static void set_Z(const sn_planar_beam *own, double Z[6 * 3]) {
  int nf = deformations(own);
  for (int k = 0; k < 6 * nf; k++) Z[k] = 0;
  for (int j = 0; j < nf; j++) Z[(3 + j) * nf + j] = 1;
}

void sn_planar_frf_compile(sn_compiler *c, sn_body *body) {
  const sn_planar_beam_spec *s = (const sn_planar_beam_spec *)(const void *)body->spec;
  sn_planar_beam *own = body->data;
  int nf = deformations(own);
  double Z[6 * 3], q[3], v[3], zero[3] = {0};
  set_Z(own, Z);
  body->first = c->model->n;
  body->groups = 2 * own->elements;
  body->count = (3 + nf) * own->elements;
  own->doubt = sn_format(c->arena,
                         "elements of %s '%s' bend by more than 0.3 rad in their frames, in which deformations are "
                         "small: an arc of this angle a is longer by a^2/6; possible remedy: more elements, or "
                         "'formulation: irf'",
                         s->spec.kind->name, body->name);
  own->middle = sn_frame_beam_place(c->arena, own->frame_beam, 0, 0.5, Z, nf);
  for (int e = 0; e < own->elements; e++) {
    sn_planar_node(s, own, e, q, v);
    q[2] = own->angle, v[2] = s->angular_velocity[2];
    int first = c->model->n, group = sn_add_coordinates(c, body->name, 3, q, v);
    sn_add_coordinates(c, body->name, nf, zero, zero);
    if (e == 0) body->first_group = group;
    sn_floating_item *item = sn_floating_append(c, 2, nf);
    item->groups = 2;
    for (int g = 0; g < 2; g++) {
      item->group[g] = group + g;
      item->first[g] = first + 3 * g;
      item->size[g] = g ? nf : 3;
    }
    sn_frame_beam_add(own->frame_beam, 0, Z, item);
  }
}

/* ---- markers ---- */

static void set_groups(const sn_marker *marker, sn_probe *probe) {
  const sn_body *body = marker->body;
  int nf = deformations(body->data), e = marker->element;
  *probe = (sn_probe){.groups = 2, .count = 3 + nf};
  for (int g = 0; g < 2; g++) {
    probe->group[g] = body->first_group + 2 * e + g;
    probe->first[g] = body->first + (3 + nf) * e + 3 * g;
    probe->size[g] = g ? nf : 3;
  }
}

/* Of a marker without a place of its own: the middle of its element; all elements are alike. */
static const sn_floating_place *place_of(const sn_marker *marker) {
  return marker->data ? marker->data : ((const sn_planar_beam *)marker->body->data)->middle;
}

static void frf_point(const sn_marker *marker, sn_probe *probe) {
  set_groups(marker, probe);
  sn_floating_point_probe(2, place_of(marker), probe);
}

static void frf_direction(const sn_marker *marker, const double direction[3], sn_probe *probe) {
  const sn_planar_beam *own = marker->body->data;
  const double *t = own->tangent;
  double d[3] = {t[0] * direction[0] + t[1] * direction[1], t[0] * direction[1] - t[1] * direction[0], direction[2]};
  set_groups(marker, probe);
  sn_floating_direction_probe(2, place_of(marker), d, probe);
}

static double frf_angle(const sn_marker *marker, sn_probe *probe) {
  set_groups(marker, probe);
  sn_floating_angle_probe(place_of(marker), probe);
  return ((const sn_planar_beam *)marker->body->data)->angle;
}

static void resultants_in(const sn_marker *marker, int e, double s, const sn_eval *ev, const double *load,
                          double *values) {
  const sn_planar_beam *own = marker->body->data;
  double d[SN_BEAM_FREEDOM] = {0};
  int nf = deformations(own);
  for (int j = 0; j < nf; j++) d[3 + j] = ev->q[marker->body->first + (3 + nf) * e + 3 + j];
  sn_frame_beam_resultants(own->frame_beam, s, d, values);
  if (load) sn_line_load_columns(marker, e, s, own->l, ev->q, load, own->theory != SN_BAR, values);
}

static void frf_resultants(const sn_marker *marker, const sn_eval *ev, const double (*load)[3], double *values) {
  const sn_planar_beam *own = marker->body->data;
  sn_line_resultants(marker, own->elements, ev, load, SN_RESULTANTS_PLANE, resultants_in, values);
}

/* A marker at s of element e. */
static void place(sn_compiler *c, const sn_body *body, int e, double s, sn_marker *marker) {
  const sn_planar_beam *own = body->data;
  double Z[6 * 3];
  set_Z(own, Z);
  marker->body = body;
  marker->element = e;
  marker->local[0] = s;
  marker->has_frame = true;
  marker->data = sn_frame_beam_place(c->arena, own->frame_beam, 0, s, Z, deformations(own));
}

static bool frf_marker(sn_compiler *c, const sn_body *body, const sn_marker_ref *ref, sn_marker *marker) {
  const sn_planar_beam *own = body->data;
  int element;
  double s;
  if (!own || !sn_line_point(c, body, ref, own->elements, &element, &s)) return false;
  sn_probe probe;
  place(c, body, element, s, marker);
  frf_point(marker, &probe);
  probe.ops->value(&probe, c->q0, marker->position);
  return true;
}

static void frf_constrain(sn_compiler *c, sn_body *body) {
  const sn_planar_beam *own = body->data;
  for (int e = 0; e + 1 < own->elements; e++) {
    static const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    sn_joint joint = {.name = body->name};
    sn_marker end = {0}, start = {0};
    sn_probe a, b;
    place(c, body, e, 1, &end);
    place(c, body, e + 1, 0, &start);
    sn_joint_rows(c, &joint, own->theory == SN_BAR ? 2 : 3);
    frf_point(&end, &a);
    frf_point(&start, &b);
    sn_add_coincident(c, &joint, 0, &a, &b, true);
    if (own->theory == SN_BAR) continue;
    frf_direction(&end, x, &a);
    frf_direction(&start, y, &b);
    sn_add_dot(c, &joint, 2, &a, &b, 0);
  }
}

/* Linear elements bent to an arc have the chord of a line that is longer by a^2/6: 1.5 % at 0.3 rad. Beyond a radian
 * nothing of them is right. */
static const char *frf_doubt(const sn_body *body, const double *q, bool *bad) {
  const sn_planar_beam *own = body->data;
  double most = 0;
  for (int e = 0; e < own->elements; e++) most = fmax(most, fabs(q[body->first + 6 * e + 5]));
  if (most > 1) *bad = true;
  return most > 0.3 ? own->doubt : NULL;
}

const sn_body_ops sn_planar_frf_bar_ops = {
    .kind = {.name = "planar-bar", .category = SN_BODIES},
    .constrain = frf_constrain,
    .marker = frf_marker,
    .landmarks = "start, end, at(s)",
    .point = frf_point,
    .direction = frf_direction,
    .axes = sn_planar_axes,
    .angle = frf_angle,
    .resultants = frf_resultants,
    .resultant_headings = &sn_resultants_plane,
    .geometry = sn_planar_geometry,
    .layout = &sn_layouts[SN_LAYOUT_FRAME_BAR],
};

const sn_body_ops sn_planar_frf_beam_ops = {
    .kind = {.name = "planar-beam", .category = SN_BODIES},
    .constrain = frf_constrain,
    .marker = frf_marker,
    .landmarks = "start, end, at(s)",
    .point = frf_point,
    .direction = frf_direction,
    .axes = sn_planar_axes,
    .angle = frf_angle,
    .resultants = frf_resultants,
    .resultant_headings = &sn_resultants_plane,
    .doubt = frf_doubt,
    .geometry = sn_planar_geometry,
    .layout = &sn_layouts[SN_LAYOUT_FRAME_BEAM],
};
