/* hydraulic_cylinder.c - two chambers of a compressible fluid on the travel x of a joint, and a valve:
 *
 *   Va = Va0 + Aa x,   Vb = Vb0 - Ab x,   F = pa Aa - pb Ab
 *   pa' = B/Va (Qa - Aa x' - c (pa - pb)),   pb' = B/Vb (Qb + Ab x' + c (pa - pb))
 *
 * At the end of the travel a volume is zero. Beyond it there is no cylinder: 0*log(V) has no value there.
 *
 * The valve u > 0 joins a with the supply and b with the tank, u < 0 the other way round. Flow through an edge with the
 * difference p of pressures, laminar below p0:
 *
 *   Q(p) = k |u| p/(p^2 + p0^2)^(1/4)      (k |u| sqrt(p) for p >> p0)
 *   Qa = max(u, 0) Q(ps - pa) - max(-u, 0) Q(pa - pt),   Qb = max(-u, 0) Q(ps - pb) - max(u, 0) Q(pb - pt)
 */
#include "force/actuators.h"

typedef struct cylinder_spec {
  sn_actuator_spec head;
  const sn_expr *valve;
  double area, rod_area, volume_a, volume_b, modulus, supply, tank, flow, leakage, laminar, pressure_a, pressure_b;
} cylinder_spec;

#define AT(member) SN_AT(cylinder_spec, member)
static const sn_field cylinder_fields[] = {
    {"joint", SN_JOINT_NAME, SN_AT(sn_actuator_spec, joint), .required = true,
     .help = "joint along whose travel it acts; pressure in chamber a increases the travel", .example = "my_slider"},
    {"area", SN_REAL, AT(area), .required = true, .unit = "m2", .limits = SN_POSITIVE,
     .help = "of the piston in chamber a", .example = "2e-3"},
    {"rod_area", SN_REAL, AT(rod_area), .unit = "m2", .limits = SN_POSITIVE,
     .help = "of the piston in chamber b, without the rod; default: area"},
    {"volume_a", SN_REAL, AT(volume_a), .required = true, .unit = "m3", .limits = SN_POSITIVE,
     .help = "of chamber a at the start, with its line; a run in which it becomes zero ends: a stop limits the travel",
     .example = "1e-3"},
    {"volume_b", SN_REAL, AT(volume_b), .required = true, .unit = "m3", .limits = SN_POSITIVE,
     .help = "of chamber b at the start, with its line", .example = "1e-3"},
    {"bulk_modulus", SN_REAL, AT(modulus), .def = "1.4e9", .unit = "Pa", .limits = SN_POSITIVE, .help = "of the fluid"},
    {"valve", SN_FORMULA, AT(valve), .def = "0",
     .help = "opening from -1 to 1: positive joins a with the supply and b with the tank; larger ones count as 1",
     .example = "sin(10*t)"},
    {"flow_coefficient", SN_REAL, AT(flow), .def = "0", .unit = "m3/s/sqrt(Pa)", .limits = SN_NOT_NEGATIVE,
     .help = "of an edge of the open valve: flow over the root of the pressure difference", .example = "1e-6"},
    {"supply", SN_REAL, AT(supply), .def = "0", .unit = "Pa", .limits = SN_NOT_NEGATIVE, .help = "supply pressure",
     .example = "1e6"},
    {"tank", SN_REAL, AT(tank), .def = "0", .unit = "Pa", .limits = SN_NOT_NEGATIVE, .help = "pressure of the tank"},
    {"leakage", SN_REAL, AT(leakage), .def = "0", .unit = "m3/s/Pa", .limits = SN_NOT_NEGATIVE,
     .help = "past the piston: flow over the pressure difference"},
    {"laminar_pressure", SN_REAL, AT(laminar), .def = "1e3", .unit = "Pa", .limits = SN_POSITIVE,
     .help = "difference of pressures below which the flow through the valve is proportional to it"},
    {"pressure_a", SN_REAL, AT(pressure_a), .def = "0", .unit = "Pa", .limits = SN_NOT_NEGATIVE,
     .help = "at the start"},
    {"pressure_b", SN_REAL, AT(pressure_b), .def = "0", .unit = "Pa", .limits = SN_NOT_NEGATIVE,
     .help = "at the start"},
    {0},
};

/* Q(p) with p = from - to, for an opening of 1 */
static const char *edge(sn_arena *arena, const cylinder_spec *s, const char *from, const char *to) {
  return sn_format(arena, "%.17g*(%s - %s)/((%s - %s)^2 + %.17g)^0.25", s->flow, from, to, from, to,
                   s->laminar * s->laminar);
}

static void cylinder_reserve(sn_compiler *c, const sn_spec *spec) {
  const cylinder_spec *s = (const cylinder_spec *)(const void *)spec;
  const sn_composer x = sn_actuator_composer(c, spec);
  const double Aa = s->area, Ab = sn_given(spec, "rod_area") ? s->rod_area : s->area;
  const char *ps = sn_format(c->arena, "%.17g", s->supply), *pt = sn_format(c->arena, "%.17g", s->tank);
  sn_compose_value(&x, "force", "N", sn_format(c->arena, "%.17g*pressure_a - %.17g*pressure_b", Aa, Ab));
  sn_compose_rate(
      &x, "pressure_a", "Pa", s->pressure_a,
      sn_format(c->arena, "%.17g/volume_a*(flow_a - %.17g*speed - %.17g*(pressure_a - pressure_b)) + 0*log(volume_a)",
                s->modulus, Aa, s->leakage));
  sn_compose_rate(
      &x, "pressure_b", "Pa", s->pressure_b,
      sn_format(c->arena, "%.17g/volume_b*(flow_b + %.17g*speed + %.17g*(pressure_a - pressure_b)) + 0*log(volume_b)",
                s->modulus, Ab, s->leakage));
  sn_compose_value(&x, "volume_a", "m3", sn_format(c->arena, "%.17g + %.17g*position", s->volume_a, Aa));
  sn_compose_value(&x, "volume_b", "m3", sn_format(c->arena, "%.17g - %.17g*position", s->volume_b, Ab));
  sn_compose_value(&x, "flow_a", "m3/s",
                   sn_format(c->arena, "max(opening, 0)*%s - max(-opening, 0)*%s", edge(c->arena, s, ps, "pressure_a"),
                             edge(c->arena, s, "pressure_a", pt)));
  sn_compose_value(&x, "flow_b", "m3/s",
                   sn_format(c->arena, "max(-opening, 0)*%s - max(opening, 0)*%s", edge(c->arena, s, ps, "pressure_b"),
                             edge(c->arena, s, "pressure_b", pt)));
  sn_compose_value(&x, "opening", "", "min(max(valve, -1), 1)");
  sn_compose_given(&x, "valve", "", s->valve);
}

static void cylinder_compile(sn_compiler *c, const sn_spec *spec) {
  sn_add_actuator_force(c, spec, "force");
}

const sn_force_ops sn_hydraulic_cylinder = {
    .kind = {.name = "hydraulic-cylinder",
             .category = SN_FORCES,
             .summary = "two chambers with compressible fluid and a valve on the travel of a joint",
             .fields = cylinder_fields,
             .spec_size = sizeof(cylinder_spec)},
    .reserve = cylinder_reserve,
    .compile = cylinder_compile,
};
