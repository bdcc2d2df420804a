/* keep.c - what of the written start stays where it does not meet the constraints; see system/start.c.
 *
 * Places: what the model's `keep` names. Velocities: those the file writes (of these, those that `keep` names, if it
 * does): a crank that is given 6 rad/s has them, and parts that say nothing of their velocity follow.
 */
#include <string.h>

#include "model/compile.h"

/* Coordinates of a body: all of them, those that place it or those that turn it (which may be all it has). */
static void mark(bool *kept, const sn_body *body, bool position, bool rotation) {
  assert(body->count == 0 || body->first >= 0);
  assert(body->ops->turn >= 0 && body->ops->turns >= 0 && body->ops->turn + body->ops->turns <= body->count);
  const sn_body_ops *ops = body->ops;
  for (int i = 0; i < body->count; i++) {
    bool turns = i >= ops->turn && i < ops->turn + ops->turns, places = ops->turns == 0 || i < ops->turn;
    bool both = position && rotation;
    kept[body->first + i] |= both || (position && places) || (rotation && (turns || ops->turns == 0));
  }
}

static void keep_named(sn_compiler *c, const sn_body_coordinates *keep, bool *kept) {
  for (int i = 0; i < keep->count; i++) {
    const sn_marker_ref *entry = &keep->entry[i];
    const sn_body *body = sn_find_body(c, entry->body);
    if (!body) continue; /* the reader has reported it */
    bool position = !entry->point || strcmp(entry->point, "position") == 0;
    bool rotation = !entry->point || strcmp(entry->point, "rotation") == 0;
    if (body->count == 0)
      sn_node_error(&c->reader, entry->node, "a body that can move", "'%s' does not move and need not be kept",
                    entry->body);
    else if (!position && body->ops->turns == 0)
      sn_node_error(&c->reader, entry->node, sn_format(c->arena, "'%s', the whole of it", entry->body),
                    "%s '%s' has no rotation of its own", body->ops->kind.name, entry->body);
    else
      mark(kept, body, position, rotation);
  }
}

void sn_compile_keep(sn_compiler *c) {
  sn_model *m = c->model;
  const sn_body_coordinates *keep = &m->document->keep;
  bool *q = SN_NEW(c->arena, bool, m->n), *v = SN_NEW(c->arena, bool, m->n), any = false, both = false;
  keep_named(c, keep, q);
  for (int b = 0; b < m->bodies; b++)
    if (m->body[b].spec)
      mark(v, &m->body[b], sn_given(m->body[b].spec, "velocity"), sn_given(m->body[b].spec, "angular_velocity"));
  for (int i = 0; i < m->n; i++) any |= v[i], both |= v[i] && q[i];
  for (int i = 0; both && i < m->n; i++) v[i] &= q[i];
  m->keep_q = keep->count > 0 ? q : NULL;
  m->keep_v = any ? v : NULL;
}
