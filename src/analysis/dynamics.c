/* dynamics.c - motion from a start. */
#include "analysis/analysis.h"
#include "model/kinds.h"

static const sn_field dynamics_fields[] = {
    {"start", SN_REAL, SN_AT(sn_dynamics_spec, start), .unit = "s", .def = "0", .help = "time at the start"},
    {"duration", SN_REAL, SN_AT(sn_dynamics_spec, duration), .unit = "s", .required = true, .limits = SN_POSITIVE,
     .help = "time simulated"},
    {"output_step", SN_REAL, SN_AT(sn_dynamics_spec, output_step), .unit = "s", .limits = SN_POSITIVE,
     .help = "time between recorded states; without it, duration/200"},
    {"integrator", SN_INTEGRATOR_SPEC, SN_AT(sn_dynamics_spec, integrator), .def = "hht-i3",
     .help = "method: a name, or {type: name, ...}"},
    {0},
};

const sn_plain_ops sn_dynamics = {
    .kind = {.name = "dynamics",
             .category = SN_ANALYSES,
             .summary = "motion from a start",
             .fields = dynamics_fields,
             .spec_size = sizeof(sn_dynamics_spec)},
};
