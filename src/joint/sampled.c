/* sampled.c - see sampled.h. */
#include "joint/sampled.h"

#include <math.h>
#include <string.h>

#include "joint/quantity.h"

enum { HEAD = 2 }; /* number of the next instant, time of pending outputs */

void sn_add_sampled(sn_compiler *c, const sn_spec *spec, sn_sampled x, const sn_sampled_part *part) {
  sn_model *m = c->model;
  sn_sampled *list = SN_NEW(c->arena, sn_sampled, m->sampled + 1);
  x.name = spec->name;
  x.first = sn_add_discrete(c, 0);
  sn_add_discrete(c, INFINITY);
  for (int k = 0; k < x.outputs; k++) sn_add_discrete(c, 0);
  for (int k = 0; k < x.outputs + x.states; k++) {
    const int index = sn_add_discrete(c, part[k].start);
    if (part[k].hidden) continue;
    sn_add_variable(
        c, &(sn_variable){.name = part[k].part ? sn_format(c->arena, "%s.%s", spec->name, part[k].part) : spec->name,
                          .unit = part[k].unit,
                          .spec = spec,
                          .discrete = true,
                          .index = index,
                          .owner = spec->name,
                          .part = part[k].part});
  }
  if (m->sampled) memcpy(list, m->samples, (size_t)m->sampled * sizeof *list);
  list[m->sampled++] = x;
  m->samples = list;
}

int sn_first_output(const sn_sampled *x) {
  return x->first + HEAD + x->outputs;
}
