/* material.c - isotropic elastic material. */
#include "model/materials.h"

static const sn_field material_fields[] = {
    {"density", SN_REAL, SN_AT(sn_material_spec, density), .unit = "kg/m3", .required = true, .limits = SN_POSITIVE,
     .help = "mass density"},
    {"young", SN_REAL, SN_AT(sn_material_spec, young), .unit = "Pa", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "Young's modulus; required by flexible bodies", .example = "2e11"},
    {"poisson", SN_REAL, SN_AT(sn_material_spec, poisson), .def = "0.3",
     .limits = {.has_low = true, .low_open = true, .low = -1, .has_high = true, .high = 0.5},
     .help = "Poisson's ratio"},
    {0},
};

const sn_plain_ops sn_material = {
    .kind = {.name = "material",
             .category = SN_MATERIALS,
             .summary = "isotropic linear elastic material",
             .fields = material_fields,
             .spec_size = sizeof(sn_material_spec)},
};
