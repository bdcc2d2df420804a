/* read_names.c - names of other entries, and markers: body, body.point, body.point(numbers). */
#include <string.h>

#include "model/reader.h"
#include "model/tree.h"

static const sn_entry *find_entry(const sn_reader *reader, sn_category category, const char *name) {
  return sn_map_get(&sn_reading_of(reader)->entries[category].map, name);
}

/* Report that nothing of this name exists, unless the names of the category are not known for certain. */
static void report_missing(sn_reader *reader, sn_category category, const sn_node *node, const char *name) {
  const sn_entries *entries = &sn_reading_of(reader)->entries[category];
  if (entries->broken) return;
  const char *expected = sn_suggest(reader->arena, name, entries->names, entries->count);
  if (!expected)
    expected = sn_format(reader->arena, "an entry '%s' under '%s', which is empty or missing", name,
                         sn_category_key(category));
  sn_node_error(reader, node, expected, "there is no %s '%s'", sn_category_noun(category), name);
}

bool sn_read_reference(sn_reader *reader, sn_category category, const sn_node *node, const sn_entry **entry) {
  if (node->type != SN_SCALAR || sn_is_nothing(node)) {
    sn_node_error(reader, node, NULL, "expected the name of %s %s, found %s", sn_article(sn_category_noun(category)),
                  sn_category_noun(category), sn_found(reader, node));
    return false;
  }
  *entry = find_entry(reader, category, node->text);
  if (!*entry) report_missing(reader, category, node, node->text);
  return *entry != NULL;
}

/* ---- markers ---- */

static const char marker_forms[] = "body, body.point or body.point(numbers)";

/* Numbers between parentheses: text[from..to) of the scalar, separated by commas outside inner parentheses. */
static bool read_arguments(sn_reader *reader, const sn_node *node, size_t from, size_t to, sn_marker_ref *marker) {
  int level = 0;
  for (size_t i = from, begin = from; i <= to; i++) {
    char c = i < to ? node->text[i] : ',';
    level += (c == '(') - (c == ')');
    if (i < to && (c != ',' || level)) continue;
    if (marker->count == (int)SN_COUNT(marker->number)) {
      sn_node_error(reader, node, NULL, "a marker takes at most %d numbers", (int)SN_COUNT(marker->number));
      return false;
    }
    if (!sn_evaluate(reader, node, begin, i - begin, &marker->number[marker->count++])) return false;
    begin = i + 1;
  }
  return true;
}

static bool fail_marker(sn_reader *reader, const sn_node *node, const char *expected) {
  sn_node_error(reader, node, expected, "%s is not a marker", sn_found(reader, node));
  return false;
}

bool sn_read_marker(sn_reader *reader, const sn_node *node, sn_marker_ref *marker) {
  if (node->type != SN_SCALAR || sn_is_nothing(node)) {
    sn_node_error(reader, node, marker_forms, "expected a marker, found %s", sn_found(reader, node));
    return false;
  }
  const char *text = node->text;
  size_t length = strlen(text), dot = strcspn(text, "."), open = strcspn(text, "(");
  *marker = (sn_marker_ref){.node = node};
  if (open < dot || dot == 0) return fail_marker(reader, node, marker_forms);
  if (open < length && text[length - 1] != ')') {
    bool comma = !strchr(text, ')') && !node->quoted;
    return fail_marker(reader, node,
                       comma ? "a closing ')', and quotes around a marker that contains a comma" : marker_forms);
  }
  marker->body = sn_copy_text(reader->arena, text, dot);
  if (dot < length) {
    marker->point = sn_copy_text(reader->arena, text + dot + 1, (open < length ? open : length) - dot - 1);
    if (!sn_is_name(marker->point, true)) return fail_marker(reader, node, marker_forms);
  }
  if (!find_entry(reader, SN_BODIES, marker->body)) {
    sn_node part = *node; /* only the body's name; it stands first in the scalar, behind the quote */
    if (part.length > (int)dot) part.length = (int)dot, part.column += part.quoted;
    report_missing(reader, SN_BODIES, &part, marker->body);
    return false;
  }
  return open >= length || read_arguments(reader, node, open + 1, length - 1, marker);
}

bool sn_read_markers(sn_reader *reader, const sn_field *field, const sn_node *node, sn_marker_ref marker[2]) {
  if (node->type != SN_SEQUENCE) {
    sn_node_error(reader, node, NULL, "expected a list [marker, marker] for '%s', found %s", field->name,
                  sn_found(reader, node));
    return false;
  }
  for (int i = 0; i < node->count && node->count != 2; i++) /* a comma in parentheses splits a marker in two */
    if (node->item[i]->type == SN_SCALAR && strchr(node->item[i]->text, '(') && !strchr(node->item[i]->text, ')'))
      return sn_read_marker(reader, node->item[i], &marker[0]) && false;
  if (node->count != 2) {
    sn_node_error(reader, node, NULL, "expected a list of 2 markers for '%s', found a list of %d", field->name,
                  node->count);
    return false;
  }
  bool first = sn_read_marker(reader, node->item[0], &marker[0]);
  return sn_read_marker(reader, node->item[1], &marker[1]) && first;
}

/* ---- coordinates of bodies: body, body.position, body.rotation ---- */

bool sn_read_body_coordinates(sn_reader *reader, const sn_field *field, const sn_node *node,
                              sn_body_coordinates *list) {
  if (node->type != SN_SEQUENCE || node->count < 1) {
    sn_node_error(reader, node, NULL, "expected a list [body.rotation, ...] for '%s', found %s", field->name,
                  sn_found(reader, node));
    return false;
  }
  sn_marker_ref *entry = SN_NEW(reader->arena, sn_marker_ref, node->count);
  *list = (sn_body_coordinates){.count = node->count, .entry = entry};
  for (int i = 0; i < node->count; i++) {
    if (!sn_read_marker(reader, node->item[i], &entry[i])) return false;
    const char *which = entry[i].point;
    if (!which || strcmp(which, "position") == 0 || strcmp(which, "rotation") == 0) continue;
    sn_node_error(reader, node->item[i], "body, body.position or body.rotation", "%s is not an initial value of a body",
                  sn_found(reader, node->item[i]));
    return false;
  }
  return true;
}

/* ---- coordinates of joints: joint, joint.rotation, joint.translation ---- */

bool sn_read_coordinates(sn_reader *reader, const sn_field *field, const sn_node *node, sn_coordinate_refs *list) {
  static const char *const words[] = {"", "rotation", "translation"};
  const bool alone = node->type == SN_SCALAR;
  if (!alone && (node->type != SN_SEQUENCE || node->count < 1 || node->count > SN_COORDINATE_REFS)) {
    sn_node_error(reader, node, NULL, "expected a list of 1 to %d joints for '%s', found %s", SN_COORDINATE_REFS,
                  field->name, sn_found(reader, node));
    return false;
  }
  *list = (sn_coordinate_refs){.count = alone ? 1 : node->count};
  for (int i = 0; i < list->count; i++) {
    const sn_node *item = alone ? node : node->item[i];
    const sn_entry *entry;
    sn_node part = *item;
    size_t dot = item->type == SN_SCALAR ? strcspn(item->text, ".") : 0;
    int type = SN_ANY_COORDINATE;
    if (item->type == SN_SCALAR && item->text[dot]) {
      for (type = SN_TRANSLATION_COORDINATE; type > 0 && strcmp(item->text + dot + 1, words[type]) != 0;) type--;
      if (type == 0) {
        sn_node_error(reader, item, "joint, joint.rotation or joint.translation", "%s is not a coordinate of a joint",
                      sn_found(reader, item));
        return false;
      }
      part.text = sn_copy_text(reader->arena, item->text, dot);
      if (part.length > (int)dot) part.length = (int)dot, part.column += part.quoted;
    }
    if (!sn_read_reference(reader, SN_JOINTS, &part, &entry)) return false;
    list->item[i].joint = entry->name;
    list->item[i].type = (sn_coordinate_type)type;
    list->item[i].node = item;
  }
  return true;
}
