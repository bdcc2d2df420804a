/* rope.c - weightless rope of constant length through eyes and small pulleys without friction:
 *
 *   Phi = sum_k |r_k+1 - r_k| - L - f(t) = 0          f: length let out
 *
 * A linear relation between distances (relation.h). Its multiplier is the tension, the same in all spans. A rope cannot
 * push: where the tension is negative it would be slack, and the run is bad.
 */
#include <string.h>

#include "joint/joints.h"
#include "joint/primitive.h"
#include "joint/relation.h"
#include "math/vec3.h"

typedef struct rope_spec {
  sn_spec spec;
  sn_marker_list through;
  double length;
  const sn_expr *feed;
} rope_spec;

static const sn_field rope_fields[] = {
    {"through", SN_MARKER_LIST, SN_AT(rope_spec, through), .required = true,
     .example = "[\"ground.at(0, 1, 0)\", my_body.end, \"ground.at(1, 1, 0)\"]",
     .help = "points through which the rope runs: its two ends, and between them eyes or pulleys whose radius does not "
             "matter, without friction; with radii, friction or elasticity: the force 'reeving'"},
    {"length", SN_REAL, SN_AT(rope_spec, length), .unit = "m", .limits = SN_POSITIVE,
     .help = "length, all spans together; default: that at the start"},
    {"feed", SN_FUNCTION, SN_AT(rope_spec, feed), .unit = "m", .def = "0",
     .help = "length let out in addition, as a function of time: a winch"},
    {0},
};

static void rope_check(sn_reader *reader, const sn_spec *spec) {
  int count = ((const rope_spec *)(const void *)spec)->through.count;
  if (count < 2 || count > SN_RELATION_TERMS + 1)
    sn_field_error(reader, spec, "through", sn_format(reader->arena, "2 to %d", (int)SN_RELATION_TERMS + 1),
                   "rope '%s' has %d point%s", spec->name, count, count == 1 ? "" : "s");
}

static void rope_compile(sn_compiler *c, sn_joint *joint) {
  const rope_spec *s = (const rope_spec *)(const void *)joint->spec;
  sn_relation x = {.terms = s->through.count - 1};
  sn_marker marker[SN_RELATION_TERMS + 1];
  double sum = 0;
  for (int k = 0; k <= x.terms; k++) {
    const sn_marker_ref *ref = &s->through.entry[k];
    if (!sn_resolve(c, ref, &marker[k])) return;
    if (k == 0) continue;
    double d[3];
    sn_sub(d, marker[k].position, marker[k - 1].position);
    sum += sn_norm(d);
    if (sn_norm(d) > 0) {
      sn_make_distance(&marker[k - 1], &x.phi[k - 1]);
      x.w[k - 1] = 1;
      continue;
    }
    sn_node_error(&c->reader, ref->node, "points apart at the start", "a span of rope '%s' has no length", joint->name);
    return;
  }
  joint->marker[0] = marker[0];
  joint->marker[1] = marker[x.terms];
  x.c = sn_given(s, "length") ? s->length : sum;
  if (s->feed && !(sn_expr_is_constant(s->feed) && sn_expr_value(s->feed, 0) == 0)) x.f = s->feed;
  sn_add_relation(c, joint, &x);
  joint->warning = sn_format(c->arena,
                             "rope '%s' is slack for a while: as a constraint it pushes there; the force "
                             "'reeving' has a rope that can be slack",
                             joint->name);
}

static const char *rope_slack(const sn_model *model, const sn_joint *joint, const double *q, const double *l,
                              bool *bad) {
  (void)model, (void)q;
  *bad = true;
  return l && l[joint->first] < 0 ? joint->warning : NULL;
}

const sn_joint_ops sn_rope_joint = {
    .kind = {.name = "rope",
             .category = SN_JOINTS,
             .summary = "weightless rope of constant length through eyes and small pulleys",
             .fields = rope_fields,
             .spec_size = sizeof(rope_spec),
             .check = rope_check},
    .compile = rope_compile,
    .doubt = rope_slack,
};
