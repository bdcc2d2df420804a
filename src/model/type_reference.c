/* type_reference.c - types of fields: names of entries, markers, and kinds that are nested. Markers are read by
 * read_names.c. */
#include "model/field_type.h"

/* ---- an entry, by its name ---- */

static bool read_spec_name(sn_place p, sn_category category, const sn_node *node, const sn_spec **spec) {
  const sn_entry *entry;
  if (!sn_read_reference(p.reader, category, node, &entry)) return false;
  *spec = entry->spec;
  return *spec != NULL; /* a wrong entry was reported where it stands */
}

static bool read_material(sn_place p, const sn_node *node, void *at) {
  return read_spec_name(p, SN_MATERIALS, node, at);
}

const sn_type_ops sn_type_material = {
    .size = sizeof(const sn_spec *),
    .words = "name of a material",
    .example = "my_material",
    .schema = "\"type\": \"string\"",
    .read = read_material,
};

static bool read_section(sn_place p, const sn_node *node, void *at) {
  return read_spec_name(p, SN_SECTIONS, node, at);
}

const sn_type_ops sn_type_section = {
    .size = sizeof(const sn_spec *),
    .words = "name of a section",
    .example = "my_section",
    .schema = "\"type\": \"string\"",
    .read = read_section,
};

static bool read_name(sn_place p, sn_category category, const sn_node *node, const char **name) {
  const sn_entry *entry;
  if (!sn_read_reference(p.reader, category, node, &entry)) return false;
  *name = entry->name;
  return true;
}

static bool read_joint_name(sn_place p, const sn_node *node, void *at) {
  return read_name(p, SN_JOINTS, node, at);
}

const sn_type_ops sn_type_joint_name = {
    .size = sizeof(const char *),
    .words = "name of a joint",
    .example = "my_hinge",
    .schema = "\"type\": \"string\"",
    .read = read_joint_name,
};

static bool read_force_name(sn_place p, const sn_node *node, void *at) {
  return read_name(p, SN_FORCES, node, at);
}

const sn_type_ops sn_type_force_name = {
    .size = sizeof(const char *),
    .words = "name of a force",
    .example = "my_force",
    .schema = "\"type\": \"string\"",
    .read = read_force_name,
};

static bool read_body_name(sn_place p, const sn_node *node, void *at) {
  return read_name(p, SN_BODIES, node, at);
}

const sn_type_ops sn_type_body_name = {
    .size = sizeof(const char *),
    .words = "name of a body",
    .example = "my_body",
    .schema = "\"type\": \"string\"",
    .read = read_body_name,
};

/* ---- lists of entries ---- */

static bool read_name_list(sn_place p, sn_category category, const sn_node *node, sn_names *names) {
  if (node->type != SN_SEQUENCE || node->count == 0)
    return sn_fail_type(p, node, category == SN_BODIES ? "a list of bodies" : "a list of surfaces");
  const char **name = SN_NEW(p.reader->arena, const char *, node->count);
  bool good = true;
  for (int i = 0; i < node->count && !sn_reader_full(p.reader); i++)
    good &= read_name(p, category, node->item[i], &name[i]);
  *names = (sn_names){node->count, name};
  return good;
}

static bool read_surface_names(sn_place p, const sn_node *node, void *at) {
  return read_name_list(p, SN_SURFACES, node, at);
}

const sn_type_ops sn_type_surface_names = {
    .size = sizeof(sn_names),
    .words = "list of surfaces",
    .example = "[my_surface, my_other_surface]",
    .schema = SN_SCHEMA_NAMES,
    .read = read_surface_names,
};

static bool read_body_names(sn_place p, const sn_node *node, void *at) {
  return read_name_list(p, SN_BODIES, node, at);
}

const sn_type_ops sn_type_body_names = {
    .size = sizeof(sn_names),
    .words = "list of bodies",
    .example = "[my_body, ground]",
    .schema = SN_SCHEMA_NAMES,
    .read = read_body_names,
};

/* ---- nested kinds ---- */

static bool read_nested(sn_place p, sn_category category, const sn_node *node, const sn_spec **spec) {
  *spec = sn_read_spec(p.reader, category, "", node, node);
  return *spec != NULL;
}

static bool read_shape(sn_place p, const sn_node *node, void *at) {
  return read_nested(p, SN_SHAPES, node, at);
}

const sn_type_ops sn_type_shape = {
    .size = sizeof(const sn_spec *),
    .words = "shape",
    .example = "{type: sphere, radius: 1}",
    .schema = "\"$ref\": \"#/$defs/shape\"",
    .read = read_shape,
};

static bool read_integrator_spec(sn_place p, const sn_node *node, void *at) {
  return read_nested(p, SN_INTEGRATORS, node, at);
}

const sn_type_ops sn_type_integrator_spec = {
    .size = sizeof(const sn_spec *),
    .words = "integrator",
    .example = "hht-i3",
    .schema = "\"$ref\": \"#/$defs/integrator\"",
    .read = read_integrator_spec,
};

/* ---- markers and coordinates ---- */

static bool read_marker(sn_place p, const sn_node *node, void *at) {
  return sn_read_marker(p.reader, node, at);
}

const sn_type_ops sn_type_marker = {
    .size = sizeof(sn_marker_ref),
    .words = "marker",
    .example = "my_body.end",
    .schema = "\"$ref\": \"#/$defs/marker\"",
    .read = read_marker,
};

static bool read_markers(sn_place p, const sn_node *node, void *at) {
  return sn_read_markers(p.reader, p.field, node, at);
}

const sn_type_ops sn_type_markers = {
    .size = sizeof(sn_marker_ref[2]),
    .words = "[marker, marker]",
    .example = "[ground, my_body.start]",
    .schema = "\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/marker\"}, \"minItems\": 2, \"maxItems\": 2",
    .read = read_markers,
};

static bool read_marker_list(sn_place p, const sn_node *node, void *at) {
  sn_marker_list *list = at;
  if (node->type != SN_SEQUENCE) return sn_fail_type(p, node, "a list of markers");
  sn_marker_ref *entry = SN_NEW(p.reader->arena, sn_marker_ref, node->count);
  bool good = true;
  for (int i = 0; i < node->count && !sn_reader_full(p.reader); i++)
    good &= sn_read_marker(p.reader, node->item[i], &entry[i]);
  *list = (sn_marker_list){node->count, entry};
  return good;
}

const sn_type_ops sn_type_marker_list = {
    .size = sizeof(sn_marker_list),
    .words = "list of markers",
    .example = "[my_body.start, my_body.end]",
    .schema = "\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/marker\"}",
    .read = read_marker_list,
};

static bool read_coordinates(sn_place p, const sn_node *node, void *at) {
  return sn_read_coordinates(p.reader, p.field, node, at);
}

const sn_type_ops sn_type_coordinates = {
    .size = sizeof(sn_coordinate_refs),
    .words = "list of joint, joint.rotation or joint.translation",
    .example = "[my_hinge, my_other_hinge]",
    .schema = "\"type\": [\"array\", \"string\"], \"items\": {\"type\": \"string\"}, \"minItems\": 1, \"maxItems\": 4",
    .read = read_coordinates,
};

static bool read_body_coordinates(sn_place p, const sn_node *node, void *at) {
  return sn_read_body_coordinates(p.reader, p.field, node, at);
}

const sn_type_ops sn_type_body_coordinates = {
    .size = sizeof(sn_body_coordinates),
    .words = "list of body, body.position or body.rotation",
    .example = "[my_body.rotation]",
    .schema = SN_SCHEMA_NAMES,
    .read = read_body_coordinates,
};
