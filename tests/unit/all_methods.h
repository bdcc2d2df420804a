/* all_methods.h - options of every integrator, for tests of what must hold in all of them. */
#ifndef SN_TEST_ALL_METHODS_H
#define SN_TEST_ALL_METHODS_H

#include "kinds/kinds.h"
#include "support.h"

/* Adaptive ones with a tolerance of 1e-7, others with steps of 0.2 ms; list has room for 64. */
static inline int all_methods(sn_options *list) {
  int count = 0;
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++) {
    if ((*kind)->category != SN_INTEGRATORS) continue;
    bool tolerance = false;
    for (const sn_field *field = (*kind)->fields; field->name; field++)
      tolerance |= strcmp(field->name, "tolerance") == 0;
    list[count] = (sn_options){.integrator = (*kind)->name};
    if (tolerance)
      list[count++].tolerance = 1e-7;
    else
      list[count++].step = 2e-4;
  }
  assert_true(count > 10);
  return count;
}

#endif
