/* kinds.c - the table of all kinds, and how the entries of a category are compiled together. */
#include "kinds/kinds.h"

#include "model/registry.h"
#include "output/outputs.h"

const sn_kind *const sn_kinds[] = {
#define KIND(category, variable) &variable.kind,
#include "kinds/kinds.def"
#undef KIND
    NULL,
};

void (*const sn_compile_category[SN_CATEGORIES])(sn_compiler *compiler) = {
    [SN_SURFACES] = sn_compile_surfaces,
    [SN_OUTPUTS] = sn_compile_outputs,
};
