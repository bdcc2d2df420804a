/* kinds.c - the table of all kinds, and how the entries of a category are compiled together. */
#include "kinds/kinds.h"

#include "control/controller.h"
#include "control/event.h"
#include "force/forces.h"
#include "model/registry.h"
#include "output/outputs.h"
#include "study/study.h"

const sn_kind *const sn_kinds[] = {
#define KIND(category, variable) &variable.kind,
#include "kinds/kinds.def"
#undef KIND
    NULL,
};

const sn_field *const sn_head_fields[] = {[SN_MODEL_FILE] = sn_document_fields, [SN_STUDY_FILE] = sn_study_fields};

void (*const sn_compile_category[SN_CATEGORIES])(sn_compiler *compiler) = {
    [SN_SURFACES] = sn_compile_surfaces,       [SN_OUTPUTS] = sn_compile_outputs, [SN_VARIABLES] = sn_compile_variables,
    [SN_CONTROLLERS] = sn_compile_controllers, [SN_EVENTS] = sn_compile_events,
};

void (*const sn_declare_category[SN_CATEGORIES])(sn_compiler *compiler) = {
    [SN_VARIABLES] = sn_declare_variables,
    [SN_CONTROLLERS] = sn_declare_controllers,
    [SN_EVENTS] = sn_declare_events,
};
