/* beam.c - fully parameterized ANCF beam in space: node (r, r_x, r_y, r_z), with shear, torsion and a section that
 * strains.
 *
 *   r(x, y, z) = r(x) + y r_y(x) + z r_z(x),   r cubic (Hermite), r_y and r_z linear in x
 *
 * This file is what the user writes; beam_body.c places beams, beam_element.c holds the forces.
 */
#include "body/beam_body.h"

static const sn_field beam_fields[] = {
    SN_LINE_FIELDS,
    {"section", SN_SECTION, SN_AT(sn_line_spec, section), .required = true, .help = "name of a section"},
    SN_TAPER_FIELDS,
    {"up", SN_VECTOR, SN_AT(sn_beam_spec, up),
     .help =
         "y axis (height) of the section at the first end, made normal to the line; default: the z axis of the section "
         "is as close to global z as possible. Along a curved line the section axes are transported without twist"},
    {"rest_up", SN_VECTOR, SN_AT(sn_beam_spec, rest_up),
     .help = "'up' for the stress-free shape 'rest_through', with the same rules"},
    {"twist", SN_PROFILE, SN_AT(sn_beam_spec, twist), .unit = "rad", .example = "pi/2*s",
     .help =
         "pretwist: angle of the section about the line against 'up', function of s from 0 to 1; stress-free unless "
         "'rest: straight' or 'rest_through' is given"},
    {"rest_twist", SN_PROFILE, SN_AT(sn_beam_spec, rest_twist), .unit = "rad",
     .help = "twist of the stress-free shape where that is another one ('rest: straight' or 'rest_through'); default: "
             "none"},
    {"elastic", SN_CHOICE, SN_AT(sn_beam_spec, elastic), .def = "timoshenko",
     .choices = "timoshenko|elastic-line|selective|continuum",
     .help = "timoshenko: stretch, bending, shear, and torsion with the torsion constant of the section; elastic-line: "
             "the same without shear; selective and continuum: strains over the volume, torsion without warping, with "
             "the Poisson effect on the axis only (selective) or everywhere (continuum, locks in bending); both lock "
             "in strong bending of slender elements"},
    {"k2", SN_REAL, SN_AT(sn_beam_spec, k2), .limits = SN_POSITIVE,
     .help = "shear correction factor of x-z, not for continuum; default: 5/6, or Cowper's for circle and tube"},
    {"k3", SN_REAL, SN_AT(sn_beam_spec, k3), .limits = SN_POSITIVE,
     .help = "shear correction factor of x-y, same default"},
    SN_LINE_MOTION_FIELDS("the elastic constants"),
};

static void beam_check(sn_reader *reader, const sn_spec *spec) {
  const sn_beam_spec *s = sn_beam_of(spec);
  sn_section_values v = sn_section(s->line.section);
  sn_line_check(reader, &s->line);
  bool line = s->elastic == SN_BEAM_TIMOSHENKO || s->elastic == SN_BEAM_ELASTIC_LINE;
  if (!line && !(((const sn_material_spec *)(const void *)s->line.material)->poisson < 0.5))
    sn_field_error(reader, spec, "material", "a Poisson's ratio below 0.5, or elastic: timoshenko",
                   "material '%s' of beam '%s' is incompressible", s->line.material->name, spec->name);
  if (!(v.Iyy > 0 && v.Izz > 0))
    sn_field_error(reader, spec, "section", "a section with Iyy and Izz above 0, or a cable",
                   "section '%s' of beam '%s' has no height or width", s->line.section->name, spec->name);
  else if (line && !(v.J > 0))
    sn_field_error(reader, spec, "section", "a section with J above 0, or elastic: selective",
                   "section '%s' of beam '%s' has no torsion constant", s->line.section->name, spec->name);
  if (sn_given(spec, "rest_twist") && s->line.rest == SN_REST_CURVE && !sn_given(spec, "rest_through"))
    sn_field_error(reader, spec, "rest_twist", "'twist', or 'rest: straight' or 'rest_through'",
                   "the stress-free shape of beam '%s' is that at the start", spec->name);
  if (s->elastic == SN_BEAM_CONTINUUM && (sn_given(spec, "k2") || sn_given(spec, "k3")))
    sn_field_error(reader, spec, sn_given(spec, "k2") ? "k2" : "k3", "elastic: timoshenko, elastic-line or selective",
                   "a continuum has no shear factors");
}

const sn_body_ops sn_beam = {
    .kind = {.name = "beam",
             .category = SN_BODIES,
             .summary = "beam with shear and torsion, large deformation (fully parameterized ANCF)",
             .fields = beam_fields,
             .spec_size = sizeof(sn_beam_spec),
             .check = beam_check},
    .compile = sn_beam_compile,
    .marker = sn_beam_marker,
    .landmarks = "start, end, at(s)",
    .point = sn_beam_point,
    .direction = sn_beam_direction,
    .axes = sn_beam_axes,
    .tangent = sn_beam_tangent,
    .slope = sn_beam_vector,
    .resultants = sn_beam_resultants,
    .resultant_headings = &sn_resultants_space,
    .doubt = sn_beam_doubt,
    .geometry = sn_beam_geometry,
    .layout = &sn_layouts[SN_LAYOUT_BEAM],
    .node_coordinates = 12,
};
