/* output_lock.c - what holds a coordinate of a joint that events lock.
 *
 * The equation of a lock is phi(q) - c = 0 with the multiplier l: on phi acts -l, on the second body of the joint.
 */
#include <string.h>

#include "joint/lock.h"
#include "output/outputs.h"

static const char *const names[] = {"angle_locked", "moment", "travel_locked", "force"};
static const char *const units[] = {"1", "N m", "1", "N"};

static void lock_compile(sn_compiler *c, const sn_output_spec *spec, sn_output *out) {
  const sn_model *m = c->model;
  const sn_joint *joint = sn_find_joint(m, spec->lock);
  out->lock[0] = out->lock[1] = -1;
  if (!joint) return;
  for (int i = 0; i < m->locks; i++) {
    const sn_lock *lock = &m->lock[i];
    if (strcmp(lock->joint, joint->name) != 0) continue;
    const bool turns = lock->type == SN_ROTATION_COORDINATE || (lock->type == SN_ANY_COORDINATE && joint->has_rotation);
    out->lock[turns ? 0 : 1] = i;
  }
  const bool angle = out->lock[0] >= 0, travel = out->lock[1] >= 0;
  if (!angle && !travel)
    sn_field_error(&c->reader, &spec->spec, "lock", "a joint that an event locks or releases",
                   "no event locks joint '%s'", joint->name);
  out->columns = 2 * (angle + travel);
  out->column = names + (angle ? 0 : 2);
  out->unit = units + (angle ? 0 : 2);
}

static void lock_fill(const sn_model *m, const sn_output *o, const sn_eval *ev, const sn_touching *touching,
                      sn_output_memory *memory, double *y) {
  (void)touching;
  (void)memory;
  for (int k = 0; k < 2; k++) {
    if (o->lock[k] < 0) continue;
    const sn_lock *lock = &m->lock[o->lock[k]];
    *y++ = sn_is_locked(lock, ev->discrete ? ev->discrete : m->discrete0) ? 1 : 0;
    *y = y[-1] != 0 ? -ev->l[lock->row] : 0;
    y++;
  }
}

const sn_output_ops sn_output_lock = {.about = "lock of ", .compile = lock_compile, .fill = lock_fill};
