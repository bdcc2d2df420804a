/* type_word.c - types of fields: true or false, texts, choices. */
#include <string.h>

#include "base/utf8.h"
#include "model/field_type.h"
#include "model/tree.h"

static bool read_bool(sn_place p, const sn_node *node, void *at) {
  bool *value = at;
  if (node->type == SN_SCALAR) {
    *value = strcmp(node->text, "true") == 0;
    if (*value || strcmp(node->text, "false") == 0) return true;
  }
  return sn_fail_type(p, node, "true or false");
}

static double number_of_bool(const void *at) {
  return *(const bool *)at;
}

const sn_type_ops sn_type_bool = {
    .size = sizeof(bool),
    .words = "true or false",
    .example = "true",
    .schema = "\"type\": \"boolean\"",
    .number = number_of_bool,
    .read = read_bool,
};

static bool read_text(sn_place p, const sn_node *node, void *at) {
  const char **value = at;
  if (node->type != SN_SCALAR) return sn_fail_type(p, node, "a text");
  const char *end = node->text + strlen(node->text);
  for (const char *c = node->text; c < end;) { /* it will be printed */
    uint32_t code;
    c += sn_utf8_step(c, (size_t)(end - c), &code);
    if (sn_is_control(code) && code != '\n' && code != '\t') {
      sn_node_error(p.reader, node, NULL, "'%s' contains the control character 0x%02X", p.field->name, (unsigned)code);
      return false;
    }
  }
  *value = node->text;
  return true;
}

const sn_type_ops sn_type_text = {
    .size = sizeof(const char *),
    .words = "text",
    .example = "text",
    .schema = "\"type\": [\"string\", \"number\", \"boolean\", \"null\"]",
    .read = read_text,
};

/* ---- choices ---- */

enum { most_choices = 32 };

/* The names in "a|b|c". */
static int split_choices(sn_arena *arena, const char *choices, const char *names[most_choices]) {
  int count = 0;
  while (count < most_choices) {
    size_t length = strcspn(choices, "|");
    names[count++] = sn_copy_text(arena, choices, length);
    if (!choices[length]) break;
    choices += length + 1;
  }
  return count;
}

static bool read_choice(sn_place p, const sn_node *node, void *at) {
  int *value = at;
  const char *names[most_choices];
  int count = split_choices(p.reader->arena, p.field->choices, names);
  const char *list = sn_join(p.reader->arena, names, count, "", "");
  if (node->type != SN_SCALAR || sn_is_nothing(node))
    return sn_fail_type(p, node, sn_format(p.reader->arena, "one of %s", list));
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], node->text) == 0) {
      *value = i;
      return true;
    }
  sn_node_error(p.reader, node, sn_suggest(p.reader->arena, node->text, names, count), "'%s' cannot be %s",
                p.field->name, sn_found(p.reader, node));
  return false;
}

/* "a, b or c" */
static void put_words(const sn_field *field, sn_phrase *words) {
  size_t used = 0;
  for (const char *c = field->choices; *c && used + 8 < sizeof words->text; c++) {
    if (*c != '|') {
      words->text[used++] = *c;
      continue;
    }
    const char *joint = strchr(c + 1, '|') ? ", " : " or ";
    memcpy(words->text + used, joint, strlen(joint));
    used += strlen(joint);
  }
}

static void show_choice(const sn_field *field, sn_phrase *example) {
  snprintf(example->text, sizeof example->text, "%.*s", (int)strcspn(field->choices, "|"), field->choices);
}

/* Or a word: $name. */
static void put_schema(FILE *out, const sn_field *field) {
  fprintf(out, "\"anyOf\": [{\"enum\": [");
  for (const char *c = field->choices;;) {
    size_t length = strcspn(c, "|");
    fprintf(out, "\"%.*s\"", (int)length, c);
    if (!c[length]) break;
    fprintf(out, ", ");
    c += length + 1;
  }
  fprintf(out, "]}, {\"type\": \"string\", \"pattern\": \"^[$]\"}]");
}

static double number_of_choice(const void *at) {
  return *(const int *)at;
}

const sn_type_ops sn_type_choice = {
    .size = sizeof(int),
    .put_words = put_words,
    .put_example = show_choice,
    .put_schema = put_schema,
    .number = number_of_choice,
    .read = read_choice,
};
