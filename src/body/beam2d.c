/* beam2d.c - shear-deformable ANCF beam in the plane (Omar & Shabana): node (r, r_x, r_y).
 *
 *   r(x, y) = r(x) + y r_y(x),   r cubic (Hermite), r_y linear in x
 *
 * As in every continuum element with a linear thickness field, the Poisson effect of bending cannot form: a continuum
 * in plane stress bends with E/(1 - nu^2) in place of E, in plane strain with E (1 - nu)/((1 + nu)(1 - 2 nu)). Where
 * the Poisson effect is taken on the axis only (selective), bending has E, and E/(1 - nu^2) in plane strain.
 */
#include "body/beam_body.h"
#include "model/compile.h"

static const sn_field beam2d_fields[] = {
    SN_LINE_FIELDS,
    {"section", SN_SECTION, SN_AT(sn_line_spec, section), .required = true,
     .help = "name of a rectangular section: height in the plane, width normal to it"},
    SN_TAPER_FIELDS,
    {"plane", SN_CHOICE, SN_AT(sn_beam2d_spec, plane), .def = "stress", .choices = "stress|strain",
     .help = "plane stress or plane strain"},
    {"elastic", SN_CHOICE, SN_AT(sn_beam2d_spec, elastic), .def = "selective", .choices = "selective|continuum",
     .help = "selective: Poisson effect on the axis only; continuum: everywhere, as published; bending is then too "
             "stiff, by 1/(1 - nu^2) in plane stress"},
    {"shear_factor", SN_REAL, SN_AT(sn_beam2d_spec, shear_factor), .def = "5/6", .limits = SN_POSITIVE,
     .help = "shear correction factor; selective only"},
    SN_LINE_MOTION_FIELDS("the elastic constants"),
};

static void beam2d_check(sn_reader *reader, const sn_spec *spec) {
  const sn_beam2d_spec *s = sn_beam2d_of(spec);
  sn_line_check(reader, &s->line);
  if (s->line.section->kind != &sn_section_rectangle.kind)
    sn_field_error(reader, spec, "section", "a rectangle", "beam2d '%s' cannot have a section of type %s", spec->name,
                   s->line.section->kind->name);
  if (s->elastic == SN_BEAM2D_CONTINUUM && sn_given(spec, "shear_factor"))
    sn_field_error(reader, spec, "shear_factor", "elastic: selective", "a continuum has no shear factor");
  if (s->plane == 1 && !(((const sn_material_spec *)(const void *)s->line.material)->poisson < 0.5))
    sn_field_error(reader, spec, "material", "a Poisson's ratio below 0.5, or plane: stress",
                   "material '%s' of beam2d '%s' is incompressible", s->line.material->name, spec->name);
}

static void beam2d_compile(sn_compiler *c, sn_body *body) {
  if (c->model->dim == 2)
    sn_beam_compile(c, body);
  else
    sn_node_error(&c->reader, body->spec->node, "'planar: true' at the top of the model, or type: beam",
                  "a beam2d needs a planar model");
}

const sn_body_ops sn_beam2d = {
    .kind = {.name = "beam2d",
             .planar_only = true,
             .category = SN_BODIES,
             .summary = "planar beam with shear, large deformation (ANCF of Omar and Shabana)",
             .fields = beam2d_fields,
             .spec_size = sizeof(sn_beam2d_spec),
             .check = beam2d_check},
    .planar = &sn_beam2d,
    .compile = beam2d_compile,
    .marker = sn_beam_marker,
    .landmarks = "start, end, at(s)",
    .point = sn_beam_point,
    .direction = sn_beam_direction,
    .axes = sn_beam_axes,
    .tangent = sn_beam_tangent,
    .slope = sn_beam_vector,
    .resultants = sn_beam_resultants,
    .resultant_headings = &sn_resultants_plane,
    .doubt = sn_beam_doubt,
    .geometry = sn_beam_geometry,
    .layout = &sn_layouts[SN_LAYOUT_PLATE],
    .node_coordinates = 6,
};
