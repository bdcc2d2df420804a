/* conflict.c - joints and drivers that contradict each other, by name.
 *
 * Equations that cannot be met together leave a residual phi behind. Where |phi| is least, G'phi = 0: a state of stress
 * without loads. Its members are the equations that contradict each other, and no others.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "system/system.h"

typedef struct members {
  char text[300];
  int count;
} members;

static void add_member(members *list, const char *name) {
  enum { NAMED = 6 };
  const size_t used = strlen(list->text);
  if (++list->count <= NAMED)
    snprintf(list->text + used, sizeof list->text - used, "%s'%.40s'", list->count > 1 ? ", " : "", name);
  else if (list->count == NAMED + 1)
    snprintf(list->text + used, sizeof list->text - used, " and more");
}

const char *sn_conflict_text(const sn_system *s, sn_arena *arena, const double *phi) {
  const sn_model *m = s->model;
  members drivers = {.count = 0}, joints = {.count = 0};
  double largest = 0;
  const double member = 1e-3;
  for (int i = 0; i < s->m; i++) largest = fmax(largest, fabs(phi[i]));
  for (int j = 0; j < m->joints; j++) {
    const sn_joint *joint = &m->joint[j];
    double most = 0;
    for (int i = joint->first; i < joint->first + joint->count; i++) most = fmax(most, fabs(phi[i]));
    if (most > member * largest) add_member(strcmp(joint->ops->kind.name, "motion") ? &joints : &drivers, joint->name);
  }
  if (drivers.count > 1)
    return sn_format(arena, "the drivers %s contradict each other%s%s (the mechanism has fewer degrees of freedom)",
                     drivers.text, joints.count ? " through the joints " : "", joints.text);
  if (drivers.count == 1 && joints.count)
    return sn_format(arena, "the driver %s asks for a motion that the joints %s do not allow", drivers.text,
                     joints.text);
  return joints.count > 1 ? sn_format(arena, "the joints %s contradict each other", joints.text) : "";
}
