/* suggest.c - words for messages: what was found, what was meant, what there is. */
#include <stdio.h>
#include <string.h>

#include "model/reader.h"
#include "model/tree.h"

enum { most_listed = 20 };

/* The only name that begins with the word, as hht-i3 does with hht. */
static const char *completion(const char *word, const char *const *names, int count) {
  const char *found = NULL;
  size_t length = strlen(word);
  for (int i = 0; i < count && length > 1; i++) {
    if (strncmp(word, names[i], length) != 0) continue;
    if (found) return NULL;
    found = names[i];
  }
  return found;
}

const char *sn_nearest(const char *word, const char *const *names, int count) {
  assert(word && count >= 0);
  size_t length = strlen(word);
  int limit = length < 3 ? 2 : length < 7 ? 3 : 4; /* one more than the slips allowed */
  const char *best = NULL;
  for (int i = 0; i < count; i++) {
    int distance = sn_edit_distance(word, names[i], limit);
    if (distance < limit && distance < (int)strlen(names[i])) {
      limit = distance;
      best = names[i];
    }
  }
  return best ? best : completion(word, names, count);
}

const char *sn_join(sn_arena *arena, const char *const *names, int count, const char *before, const char *after) {
  int shown = count > most_listed ? most_listed : count;
  size_t size = 16;
  for (int i = 0; i < shown; i++) size += strlen(names[i]) + strlen(before) + strlen(after) + 2;
  char *text = SN_NEW(arena, char, size);
  char *end = text;
  for (int i = 0; i < shown; i++) end += sprintf(end, "%s%s%s%s", i ? ", " : "", before, names[i], after);
  if (shown < count) sprintf(end, ", ...");
  return text;
}

const char *sn_suggest(sn_arena *arena, const char *word, const char *const *names, int count) {
  if (!count) return NULL;
  if (strchr(word, ')') && !strchr(word, '(')) return "quotes around a value that contains a comma, in { } and [ ]";
  const char *near = sn_nearest(word, names, count);
  if (near) return sn_format(arena, "did you mean '%s'?", near);
  if (count == 1) return sn_format(arena, "'%s'", names[0]);
  return sn_format(arena, "one of: %s", sn_join(arena, names, count, "", ""));
}

const char *sn_found(const sn_reader *reader, const sn_node *node) {
  if (node->type == SN_SEQUENCE) return "a list";
  if (node->type == SN_MAPPING) return "a mapping";
  if (sn_is_nothing(node)) return "nothing";
  size_t length = strcspn(node->text, "\n");
  bool cut = length > 60 || node->text[length];
  return sn_format(reader->arena, "'%.*s%s'", length > 60 ? 60 : (int)length, node->text, cut ? "..." : "");
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool sn_is_name(const char *text, bool dashes) {
  if (!is_letter(*text)) return false;
  for (; *text; text++)
    if (!is_letter(*text) && !is_digit(*text) && *text != '_' && !(dashes && *text == '-')) return false;
  return true;
}

const char *sn_label(const sn_reader *reader, const sn_kind *kind, const char *name) {
  if (name[0]) return sn_format(reader->arena, "%s '%s'", kind->name, name);
  if (kind->category == SN_CATEGORIES) return kind->name; /* the file itself */
  return sn_format(reader->arena, "%s %s", sn_category_noun(kind->category), kind->name);
}

bool sn_is_expression_word(const char *word) {
  for (const char *const *f = sn_expr_functions(); *f; f += 2)
    if (strcmp(f[0], word) == 0) return true;
  return false;
}

const char *sn_cut_hint(sn_expr_error *error) {
  char *hint = strstr(error->text, "; did you mean");
  if (!hint) return NULL;
  *hint = 0;
  return hint + 2;
}
