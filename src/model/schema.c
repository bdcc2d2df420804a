/* schema.c - JSON Schemas of model and study files, for editors that complete and check while one types.
 *
 * Every number may also be a string, the expression. What a schema cannot say (conditions between fields, names
 * that must exist) is left to the reader.
 */
#include <string.h>

#include "model/field_type.h"
#include "model/registry.h"

#define WORD "^[A-Za-z][A-Za-z0-9_]*$"

static void put_text(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') fputc('\\', out);
    fputc(*text, out);
  }
  fputc('"', out);
}

/* ---- fields ---- */

static void put_field(FILE *out, const sn_field *field) {
  fprintf(out, "          \"%s\": {\"description\": \"", field->name);
  for (const char *c = field->help; *c; c++) {
    if (*c == '"' || *c == '\\') fputc('\\', out);
    fputc(*c, out);
  }
  if (field->unit) fprintf(out, " [%s]", field->unit);
  if (field->def && field->def[0]) fprintf(out, "; default %s", field->def);
  fprintf(out, "\", ");
  if (sn_types[field->type]->put_schema)
    sn_types[field->type]->put_schema(out, field);
  else
    fputs(sn_types[field->type]->schema, out);
  fprintf(out, "}");
}

/* ---- kinds and categories ---- */

static bool is_ground(const sn_kind *kind) {
  return strcmp(kind->name, "ground") == 0;
}

static void put_kind(FILE *out, const sn_kind *kind) {
  bool typed = sn_unnamed_kind(kind->category) != kind && !is_ground(kind);
  fprintf(out, ",\n    \"%s.%s\": {\n      \"description\": ", sn_category_noun(kind->category), kind->name);
  put_text(out, kind->summary);
  fprintf(out, ",\n      \"type\": \"object\",\n      \"properties\": {\n          \"type\": {\"const\": \"%s\"}",
          kind->name);
  for (const sn_field *field = kind->fields; field->name; field++) {
    fprintf(out, ",\n");
    put_field(out, field);
  }
  fprintf(out, "\n      },\n      \"required\": [");
  const char *comma = "";
  if (typed) fprintf(out, "\"type\""), comma = ", ";
  for (const sn_field *field = kind->fields; field->name; field++)
    if (field->required) fprintf(out, "%s\"%s\"", comma, field->name), comma = ", ";
  fprintf(out, "],\n      \"additionalProperties\": false\n    }");
}

static void put_kind_names(FILE *out, sn_category category) {
  const char *comma = "";
  fprintf(out, "\"enum\": [");
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++)
    if ((*kind)->category == category) fprintf(out, "%s\"%s\"", comma, (*kind)->name), comma = ", ";
  fprintf(out, "]");
}

/* Something with a type: the type picks the kind, so that an editor complains about that kind only. */
static void put_choice_of_kinds(FILE *out, sn_category category) {
  const sn_kind *unnamed = sn_unnamed_kind(category);
  bool by_name = !sn_is_listed(category) || category == SN_MEASURED;
  fprintf(out, ",\n    \"%s\": {\n", sn_category_noun(category));
  if (by_name) {
    fprintf(out, "      \"if\": {\"type\": \"string\"},\n      \"then\": {");
    put_kind_names(out, category);
    fprintf(out, "},\n      \"else\": {\n");
  }
  fprintf(out, "      \"type\": \"object\",\n      \"properties\": {\"type\": {");
  put_kind_names(out, category);
  fprintf(out, "}},\n");
  if (!unnamed) fprintf(out, "      \"required\": [\"type\"],\n");
  fprintf(out, "      \"allOf\": [");
  const char *comma = "";
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++) {
    if ((*kind)->category != category) continue;
    fprintf(out, "%s\n        {\"if\": {\"properties\": {\"type\": {\"const\": \"%s\"}}%s}, ", comma, (*kind)->name,
            *kind == unnamed ? "" : ", \"required\": [\"type\"]");
    fprintf(out, "\"then\": {\"$ref\": \"#/$defs/%s.%s\"}}", sn_category_noun(category), (*kind)->name);
    comma = ",";
  }
  fprintf(out, "\n      ]%s\n    }", by_name ? "}" : "");
}

/* ---- the whole ---- */

static const char head[] =
    "{\n"
    "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
    "  \"title\": \"Sinew %s\",\n"
    "  \"$defs\": {\n"
    "    \"expression\": {\"type\": \"string\", \"minLength\": 1, \"description\": \"an expression, as 2*pi\"},\n"
    "    \"number\": {\"anyOf\": [{\"type\": \"number\"}, {\"$ref\": \"#/$defs/expression\"}]},\n"
    "    \"vector\": {\"type\": \"array\", \"items\": " SN_SCHEMA_NUMBER
    ", \"minItems\": 3, \"maxItems\": 3},\n"
    "    \"marker\": {\"type\": \"string\", \"pattern\": \"^[A-Za-z][A-Za-z0-9_-]*(\\\\.[A-Za-z][A-Za-z0-9_-]*"
    "(\\\\(.*\\\\))?)?$\",\n"
    "      \"description\": \"body, body.point or body.point(numbers)\"}";

/* A list of values, a text as on the command line, or a range. */
#define VALUE "{\"type\": [\"string\", \"number\", \"boolean\"]}"
#define VARIATION                                                                 \
  "{\"if\": {\"type\": \"array\"}, \"then\": {\"minItems\": 1, \"items\": " VALUE \
  "}, \"else\": {\"if\": {\"type\": \"object\"}, \"then\": {\"$ref\": \"#/$defs/variation\"}, \"else\": " VALUE "}}"

static void put_category(FILE *out, sn_category category) {
  fprintf(out, ",\n    \"%s\": {\n      \"description\": ", sn_category_key(category));
  put_text(out, sn_category_help(category));
  if (category == SN_VARIATIONS) {
    fprintf(out, ",\n      \"type\": \"object\", \"minProperties\": 1,\n      \"additionalProperties\": " VARIATION
                 "\n    }");
    return;
  }
  if (category == SN_SAMPLINGS) {
    fprintf(out, ",\n      \"$ref\": \"#/$defs/%s\"\n    }", sn_category_noun(category));
    return;
  }
  if (!sn_is_listed(category)) { /* the analysis: one, or a list of stages */
    const char *noun = sn_category_noun(category);
    fprintf(out, ",\n      \"if\": {\"type\": \"array\"},\n      \"then\": {\"minItems\": 1, \"items\": ");
    fprintf(out, "{\"$ref\": \"#/$defs/%s\"}},\n      \"else\": {\"$ref\": \"#/$defs/%s\"}\n    }", noun, noun);
    return;
  }
  fprintf(out, ",\n      \"type\": [\"object\", \"null\"],\n");
  fprintf(out, "      \"propertyNames\": {\"pattern\": \"%s\"},\n", sn_is_word(category) ? WORD : SN_SCHEMA_NAME);
  if (category == SN_BODIES) fprintf(out, "      \"properties\": {\"ground\": {\"$ref\": \"#/$defs/body.ground\"}},\n");
  fprintf(out, "      \"additionalProperties\": {\"$ref\": \"#/$defs/%s\"}\n    }", sn_category_noun(category));
}

static void write_schema(FILE *out, sn_file file, const char *mapping) {
  fprintf(out, head, file == SN_STUDY_FILE ? "study" : "model");
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++)
    if (sn_belongs_to(file, (*kind)->category)) put_kind(out, *kind);
  for (int i = 0; i < SN_CATEGORIES; i++)
    if (sn_belongs_to(file, (sn_category)i)) put_choice_of_kinds(out, (sn_category)i);
  fprintf(out, "\n  },\n  \"type\": \"object\",\n  \"required\": [\"sinew\"%s],\n",
          file == SN_STUDY_FILE ? ", \"model\", \"vary\"" : "");
  fprintf(out, "  \"additionalProperties\": false,\n");
  fprintf(out,
          "  \"properties\": {\n    \"sinew\": {\"description\": \"version of the file format\", \"const\": 1},\n");
  for (const sn_field *field = sn_head_fields[file] + 1; field->name; field++) {
    put_field(out, field);
    fprintf(out, ",\n");
  }
  fputs(mapping, out);
  for (int i = 0; i < SN_CATEGORIES; i++)
    if (sn_is_key_of(file, (sn_category)i)) put_category(out, (sn_category)i);
  fprintf(out, "\n  }\n}\n");
}

void sn_write_schema(FILE *out) {
  write_schema(out, SN_MODEL_FILE,
               "    \"parameters\": {\"description\": \"named numbers\", \"type\": [\"object\", \"null\"], "
               "\"propertyNames\": {\"pattern\": \"" WORD "\"}, \"additionalProperties\": " SN_SCHEMA_NUMBER "}");
}

void sn_write_study_schema(FILE *out) {
  write_schema(out, SN_STUDY_FILE,
               "    \"set\": {\"description\": \"parameters and settings of all cases, as after --set\", "
               "\"type\": [\"object\", \"null\"], \"additionalProperties\": " VALUE "}");
}
