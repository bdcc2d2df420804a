/* tree_text.c - see tree_text.h. */
#include "model/tree_text.h"

#include <stdio.h>
#include <string.h>

static void add(sn_text *x, const char *text, size_t length) {
  if (x->length + length + 1 > x->capacity) {
    x->capacity = 2 * (x->length + length + 1);
    SN_RESIZE(x->at, x->capacity);
  }
  memcpy(x->at + x->length, text, length);
  x->length += length;
  x->at[x->length] = 0;
}

static void add_text(sn_text *x, const char *text) {
  add(x, text, strlen(text));
}

/* ---- scalars ---- */

/* Has it to be written with escapes? */
static bool has_controls(const char *text) {
  for (; *text; text++)
    if ((unsigned char)*text < 0x20 || (unsigned char)*text == 0x7f) return true;
  return false;
}

/* May it stand without quotes, inside of { } and [ ] too? */
static bool is_plain(const char *text) {
  const size_t length = strlen(text);
  if (length == 0 || text[0] == ' ' || text[length - 1] == ' ' || text[length - 1] == ':') return false;
  if (strchr("*&!|>%@`?\"'#-:", text[0]) && !(text[0] == '-' && length > 1 && text[1] != ' ')) return false;
  return !strpbrk(text, ",[]{}#\"'\\:") && !strstr(text, "---");
}

static void add_escaped(sn_text *x, const char *text) {
  char code[8];
  add_text(x, "\"");
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      snprintf(code, sizeof code, "\\%c", *text);
    else if ((unsigned char)*text < 0x20 || (unsigned char)*text == 0x7f)
      snprintf(code, sizeof code, "\\x%02x", (unsigned)(unsigned char)*text);
    else
      snprintf(code, sizeof code, "%c", *text);
    add_text(x, code);
  }
  add_text(x, "\"");
}

static void add_quoted(sn_text *x, const char *text) {
  add_text(x, "'");
  for (; *text; text++) add(x, *text == '\'' ? "''" : text, *text == '\'' ? 2 : 1);
  add_text(x, "'");
}

static void add_scalar(sn_text *x, const sn_node *node) {
  if (sn_is_nothing(node))
    add_text(x, "~");
  else if (has_controls(node->text))
    add_escaped(x, node->text);
  else if (!node->quoted && is_plain(node->text))
    add_text(x, node->text);
  else
    add_quoted(x, node->text);
}

/* ---- trees ---- */

void sn_write_flow(sn_text *x, const sn_node *node) {
  if (node->type == SN_SCALAR) {
    add_scalar(x, node);
    return;
  }
  const bool mapping = node->type == SN_MAPPING;
  add_text(x, mapping ? "{" : "[");
  for (int i = 0; i < node->count; i++) {
    if (i > 0) add_text(x, ", ");
    if (mapping) {
      add_scalar(x, node->key[i]);
      add_text(x, ": ");
    }
    sn_write_flow(x, node->item[i]);
  }
  add_text(x, mapping ? "}" : "]");
}

static void write_entries(sn_text *x, const sn_node *node, int depth) {
  for (int i = 0; i < node->count; i++) {
    const sn_node *item = node->item[i];
    for (int k = 0; k < depth; k++) add_text(x, "  ");
    add_scalar(x, node->key[i]);
    add_text(x, ":");
    if (depth == 0 && item->type == SN_MAPPING && item->count > 0) {
      add_text(x, "\n");
      write_entries(x, item, depth + 1);
      continue;
    }
    add_text(x, " ");
    sn_write_flow(x, item);
    add_text(x, "\n");
  }
}

void sn_write_file(sn_text *x, const sn_node *root) {
  if (root->type == SN_MAPPING) {
    write_entries(x, root, 0);
    return;
  }
  sn_write_flow(x, root);
  add_text(x, "\n");
}
