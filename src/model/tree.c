/* tree.c - the tree of a YAML text, built from the events of libfyaml.
 *
 * Finished nodes wait on a stack until the collection around them ends, which then takes them off as its items.
 * The subset read here is YAML without tags, merge keys and several documents: in a model file they would be
 * surprises, not features.
 */
#include "model/tree.h"

#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "model/map.h"
#include "model/syntax.h"

typedef struct anchor {
  const char *name;
  sn_node *node; /* NULL: its collection is still open */
  size_t weight; /* nodes in it */
  int height;    /* collections inside one another in it */
} anchor;

typedef struct frame { /* a collection that is still open */
  sn_node *node;
  size_t base;   /* first of its items on the stack */
  size_t weight; /* count of nodes when it began */
  size_t start;  /* byte where it began */
  int height;    /* of the highest item */
  bool flow;
  anchor *anchor;
} frame;

typedef struct builder {
  sn_reader *reader;
  const char *text;
  size_t length;
  sn_cursor cursor;
  sn_node **stack;
  size_t count, capacity;
  frame frames[sn_max_depth];
  int depth;
  size_t nodes;
  size_t last_end; /* byte after the last thing seen; where a value that was left out would stand */
  sn_map anchors;
  int documents;
  bool failed; /* no use in going on */
} builder;

/* ---- positions ---- */

static size_t characters_between(const builder *b, size_t from, size_t to) {
  enum { longest = 1000 }; /* more would not be shown */
  size_t count = 0;
  uint32_t code;
  while (from < to && count < longest && b->text[from] != '\n' && b->text[from] != '\r') {
    from += sn_utf8_step(b->text + from, b->length - from, &code);
    count++;
  }
  return count;
}

/* Put the node at bytes from..to of the text. */
static void place_node(builder *b, sn_node *node, size_t from, size_t to) {
  if (from > b->length) from = b->length;
  if (to > b->length) to = b->length;
  sn_move_cursor(&b->cursor, b->text, from);
  node->line = b->cursor.line;
  node->column = b->cursor.column;
  size_t length = characters_between(b, from, to);
  node->length = length ? (int)length : 1;
}

static sn_node *new_node(builder *b, sn_node_type type, size_t from, size_t to) {
  sn_node *node = SN_NEW(b->reader->arena, sn_node, 1);
  node->type = type;
  place_node(b, node, from, to);
  return node;
}

/* The bytes of an event's token; a value left out has none and stands after what came before. */
static void event_range(builder *b, struct fy_event *event, size_t *from, size_t *to) {
  const struct fy_mark *start = fy_event_start_mark(event), *end = fy_event_end_mark(event);
  *from = start ? start->input_pos : b->last_end;
  *to = end ? end->input_pos : *from;
  if (*from > b->length) *from = b->length;
  if (*to > b->length) *to = b->length;
}

/* ---- errors ---- */

static void fail_at(builder *b, size_t from, size_t to, const char *expected, const char *text) {
  sn_node place = {0};
  place_node(b, &place, from, to);
  sn_node_error(b->reader, &place, expected, "%s", text);
  b->failed = true;
}

static bool key_is_due(const builder *b) {
  if (!b->depth) return false;
  const frame *top = &b->frames[b->depth - 1];
  return top->node->type == SN_MAPPING && (b->count - top->base) % 2 == 0;
}

/* ---- nodes onto the stack ---- */

static void grow_stack(builder *b) {
  size_t capacity = b->capacity ? 2 * b->capacity : 256;
  SN_RESIZE(b->stack, capacity);
  b->capacity = capacity;
}

static void push(builder *b, sn_node *node, size_t weight, int height) {
  b->nodes += weight;
  if (b->nodes > sn_max_nodes) {
    sn_node_error(b->reader, node, NULL, "the model has more than %d values, aliases counted in full", sn_max_nodes);
    b->failed = true;
    return;
  }
  if (b->depth) {
    frame *top = &b->frames[b->depth - 1];
    if (top->height < height) top->height = height;
    if (b->depth + height > sn_max_depth) {
      sn_node_error(b->reader, node, NULL, "lists and mappings are nested deeper than %d levels", sn_max_depth);
      b->failed = true;
      return;
    }
  }
  if (b->count == b->capacity) grow_stack(b);
  b->stack[b->count++] = node;
}

static anchor *declare_anchor(builder *b, struct fy_event *event) {
  struct fy_token *token = fy_event_get_anchor_token(event);
  if (!token) return NULL;
  size_t length = 0;
  const char *text = fy_token_get_text(token, &length);
  anchor *a = SN_NEW(b->reader->arena, anchor, 1);
  a->name = sn_copy_text(b->reader->arena, text ? text : "", text ? length : 0);
  sn_map_put(&b->anchors, b->reader->arena, a->name, a);
  return a;
}

/* ---- scalars ---- */

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/* The text between single quotes: '' is a quote, one line end folds into a blank, further ones stay. Done here
 * because libfyaml 0.7 leaks memory over texts with many quotes. */
static const char *single_quoted(builder *b, size_t from, size_t to) {
  char *text = SN_NEW(b->reader->arena, char, to - from + 1), *out = text;
  const char *in = b->text + from, *end = b->text + to;
  while (in < end) {
    if (*in != '\n' && *in != '\r') {
      in += *in == '\'' && in + 1 < end; /* the first of two */
      *out++ = *in++;
      continue;
    }
    while (out > text && is_blank(out[-1])) out--;
    int lines = 0;
    while (in < end && (is_blank(*in) || *in == '\n' || *in == '\r')) {
      lines += *in == '\n' || (*in == '\r' && in[1] != '\n');
      in++;
    }
    if (lines == 1) *out++ = ' ';
    for (int i = 1; i < lines; i++) *out++ = '\n';
  }
  return text;
}

static const char *scalar_text(builder *b, struct fy_event *event, enum fy_node_style style, size_t from, size_t to) {
  if (style == FYNS_SINGLE_QUOTED) return single_quoted(b, from, to);
  size_t length = 0;
  struct fy_token *token = fy_event_get_token(event);
  const char *text = token ? fy_token_get_text(token, &length) : NULL;
  if (text && memchr(text, 0, length)) fail_at(b, from, to, NULL, "text must not contain the character NUL");
  return sn_copy_text(b->reader->arena, text ? text : "", text ? length : 0);
}

static void on_scalar(builder *b, struct fy_event *event) {
  size_t from, to;
  event_range(b, event, &from, &to);
  enum fy_node_style style = fy_event_get_node_style(event);
  const char *text = scalar_text(b, event, style, from, to);
  bool quoted = style == FYNS_SINGLE_QUOTED || style == FYNS_DOUBLE_QUOTED;
  if (quoted) { /* the token's range leaves out the quotes */
    if (from > 0) from--;
    if (to < b->length) to++;
  } else if (style == FYNS_LITERAL || style == FYNS_FOLDED) {
    quoted = true;
    while (from < to && strchr(" \n\r", b->text[from])) from++;
  } else if (to == from && from == b->last_end && from < b->length && b->text[from] == ' ') {
    from++; /* a value left out would stand after a blank */
  }
  sn_node *node = new_node(b, SN_SCALAR, from, to);
  node->quoted = quoted;
  node->text = text;
  if (key_is_due(b) && !quoted && strcmp(node->text, "<<") == 0) {
    fail_at(b, from, to, "the keys written out", "merge keys ('<<') are not supported");
    return;
  }
  if (to > b->last_end) b->last_end = to;
  anchor *a = declare_anchor(b, event);
  if (a) *a = (anchor){a->name, node, 1, 0};
  push(b, node, 1, 0);
}

static void on_alias(builder *b, struct fy_event *event) {
  size_t from, to, length = 0;
  event_range(b, event, &from, &to);
  if (from > 0) from--; /* the star */
  if (to > b->last_end) b->last_end = to;
  const char *text = fy_token_get_text(fy_event_get_token(event), &length);
  char *name = sn_copy_text(b->reader->arena, text ? text : "", text ? length : 0);
  const anchor *a = sn_map_get(&b->anchors, name);
  char message[300];
  if (!a) {
    snprintf(message, sizeof message, "alias '*%.100s' has no anchor '&%.100s' before it", name, name);
    fail_at(b, from, to, NULL, message);
  } else if (!a->node) {
    snprintf(message, sizeof message, "alias '*%.100s' refers to itself", name);
    fail_at(b, from, to, NULL, message);
  } else if (a->node->type != SN_SCALAR && key_is_due(b)) {
    fail_at(b, from, to, "a name", "a key cannot be a list or a mapping");
  } else {
    push(b, a->node, a->weight, a->height);
  }
}

static void on_start(builder *b, struct fy_event *event, sn_node_type type) {
  size_t from, to;
  event_range(b, event, &from, &to);
  if (key_is_due(b)) {
    fail_at(b, from, from + 1, "a name", "a key cannot be a list or a mapping");
    return;
  }
  if (b->depth == sn_max_depth) {
    char message[100];
    snprintf(message, sizeof message, "lists and mappings are nested deeper than %d levels", sn_max_depth);
    fail_at(b, from, from + 1, NULL, message);
    return;
  }
  if (to > b->last_end) b->last_end = to;
  frame *f = &b->frames[b->depth++];
  *f = (frame){.base = b->count, .weight = b->nodes, .start = from, .anchor = declare_anchor(b, event)};
  f->node = new_node(b, type, from, from + 1);
  f->flow = from < b->length && b->text[from] == (type == SN_MAPPING ? '{' : '[');
}

/* ---- ends of collections ---- */

typedef struct numbered_key {
  const sn_node *key;
  int index;
} numbered_key;

static int compare_numbered(const void *a, const void *b) {
  const numbered_key *x = a, *y = b;
  int order = strcmp(x->key->text, y->key->text);
  return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Report keys that were given before and take them out; of several equal ones the first stays. */
static void remove_duplicates(builder *b, sn_node *mapping) {
  if (mapping->count < 2) return;
  sn_arena scratch = {0};
  numbered_key *sorted = SN_NEW(&scratch, numbered_key, mapping->count);
  bool *twice = SN_NEW(&scratch, bool, mapping->count);
  for (int i = 0; i < mapping->count; i++) sorted[i] = (numbered_key){mapping->key[i], i};
  qsort(sorted, (size_t)mapping->count, sizeof *sorted, compare_numbered);
  const sn_node *first = sorted[0].key;
  for (int i = 1; i < mapping->count; i++) {
    if (strcmp(sorted[i].key->text, first->text) != 0) {
      first = sorted[i].key;
      continue;
    }
    twice[sorted[i].index] = true;
    sn_node_error(b->reader, sorted[i].key, NULL, "key '%s' was given before, in line %d", first->text, first->line);
  }
  int kept = 0;
  for (int i = 0; i < mapping->count; i++) {
    if (twice[i]) continue;
    mapping->key[kept] = mapping->key[i];
    mapping->item[kept++] = mapping->item[i];
  }
  mapping->count = kept;
  sn_arena_free(&scratch);
}

static void take_items(builder *b, const frame *f) {
  assert(b->count >= f->base && (f->node->type != SN_MAPPING || (b->count - f->base) % 2 == 0));
  sn_node *node = f->node, **items = b->stack + f->base;
  size_t count = b->count - f->base;
  bool mapping = node->type == SN_MAPPING;
  node->count = (int)(mapping ? count / 2 : count);
  node->item = SN_NEW(b->reader->arena, sn_node *, node->count);
  if (mapping) node->key = SN_NEW(b->reader->arena, sn_node *, node->count);
  for (int i = 0; i < node->count; i++) {
    if (mapping) node->key[i] = items[2 * i];
    node->item[i] = items[mapping ? 2 * i + 1 : i];
  }
  b->count = f->base;
}

static void on_end(builder *b, struct fy_event *event) {
  if (!b->depth) return;
  frame f = b->frames[--b->depth];
  size_t from, to;
  event_range(b, event, &from, &to);
  take_items(b, &f);
  if (f.flow) {
    place_node(b, f.node, f.start, to);
    if (to > b->last_end) b->last_end = to;
  } else if (f.node->type == SN_MAPPING && f.node->count) {
    const sn_node *first = f.node->key[0]; /* block mappings are underlined at their first key */
    f.node->line = first->line;
    f.node->column = first->column;
    f.node->length = first->length;
  }
  if (f.node->type == SN_MAPPING) remove_duplicates(b, f.node);
  if (f.anchor) *f.anchor = (anchor){f.anchor->name, f.node, b->nodes - f.weight + 1, f.height + 1};
  push(b, f.node, 1, f.height + 1);
}

/* ---- events ---- */

static void on_document(builder *b, struct fy_event *event) {
  size_t from, to;
  event_range(b, event, &from, &to);
  if (++b->documents == 2)
    fail_at(b, from, to, "one model in a file", "a second document begins here");
  else if (to > b->last_end)
    b->last_end = to;
}

static void on_event(builder *b, struct fy_event *event) {
  struct fy_token *tag = fy_event_get_tag_token(event);
  if (tag) {
    const struct fy_mark *start = fy_token_start_mark(tag), *end = fy_token_end_mark(tag);
    fail_at(b, start ? start->input_pos : b->last_end, end ? end->input_pos : b->last_end, "the value without a tag",
            "tags are not supported");
    return;
  }
  switch (event->type) {
    case FYET_DOCUMENT_START:
      on_document(b, event);
      break;
    case FYET_SCALAR:
      on_scalar(b, event);
      break;
    case FYET_ALIAS:
      on_alias(b, event);
      break;
    case FYET_SEQUENCE_START:
      on_start(b, event, SN_SEQUENCE);
      break;
    case FYET_MAPPING_START:
      on_start(b, event, SN_MAPPING);
      break;
    case FYET_SEQUENCE_END:
    case FYET_MAPPING_END:
      on_end(b, event);
      break;
    default:
      break;
  }
}

/* The error libfyaml stopped at, in our words. */
static void report_syntax(builder *b, struct fy_diag *diag) {
  sn_syntax_error error = {.line = b->cursor.line, .column = b->cursor.column, .text = "the text is not valid YAML"};
  void *previous = NULL;
  const struct fy_diag_error *first = fy_diag_errors_iterate(diag, &previous);
  if (first) error = (sn_syntax_error){.line = first->line, .column = first->column, .text = first->msg};
  for (int i = b->depth - 1; i >= 0; i--)
    if (b->frames[i].flow) {
      error.open = b->frames[i].node;
      error.open_mapping = b->frames[i].node->type == SN_MAPPING;
      break;
    }
  sn_report_syntax(b->reader, b->text, b->length, &error);
  b->failed = true;
}

static void silence(struct fy_diag *diag, void *user, const char *text, size_t length) {
  (void)diag, (void)user, (void)text, (void)length;
}

/* Objects of libfyaml; they go too when memory is missing while they are in use. */
typedef struct yaml {
  struct fy_diag *diag;
  struct fy_parser *parser;
  struct fy_event *event;
} yaml;

static void release(void *object) {
  yaml *y = object;
  if (y->event) fy_parser_event_free(y->parser, y->event);
  if (y->parser) fy_parser_destroy(y->parser);
  if (y->diag) fy_diag_destroy(y->diag);
}

static void run_parser(builder *b) {
  yaml *y = sn_new_object(sizeof *y, release);
  struct fy_diag_cfg diag_cfg;
  fy_diag_cfg_default(&diag_cfg);
  diag_cfg.fp = NULL;
  diag_cfg.output_fn = silence;
  y->diag = fy_diag_create(&diag_cfg);
  if (!y->diag) sn_out_of_memory(0);
  fy_diag_set_collect_errors(y->diag, true);
  struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE, .diag = y->diag};
  y->parser = fy_parser_create(&cfg);
  if (!y->parser || fy_parser_set_string(y->parser, b->text, b->length)) sn_out_of_memory(0);
  bool ended = false;
  while (!b->failed && !ended) {
    y->event = fy_parser_parse(y->parser);
    if (!y->event) break;
    ended = y->event->type == FYET_STREAM_END;
    on_event(b, y->event);
    fy_parser_event_free(y->parser, y->event);
    y->event = NULL;
  }
  if (!b->failed && (!ended || fy_parser_get_stream_error(y->parser))) report_syntax(b, y->diag);
  release(y);
  sn_free(y);
}

sn_node *sn_parse_tree(sn_reader *reader, const char *text, size_t length) {
  builder *b = SN_NEW(reader->arena, builder, 1);
  *b = (builder){.reader = reader, .text = text, .length = length, .cursor = {.line = 1, .column = 1}};
  grow_stack(b);
  run_parser(b);
  sn_node *root = !b->failed && b->count ? b->stack[0] : NULL;
  if (!root && !b->failed)
    sn_node_error(reader, NULL, "a model, beginning with 'sinew: 1'",
                  "the file contains only comments or blanks, no model");
  sn_free(b->stack);
  return root;
}

bool sn_is_nothing(const sn_node *node) {
  return node->type == SN_SCALAR && !node->quoted &&
         (!node->text[0] || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0);
}

const sn_node *sn_value_of(const sn_node *mapping, const char *key, int *index) {
  assert(key);
  if (!mapping || mapping->type != SN_MAPPING) return NULL;
  for (int i = 0; i < mapping->count; i++)
    if (strcmp(mapping->key[i]->text, key) == 0) {
      if (index) *index = i;
      return mapping->item[i];
    }
  return NULL;
}

sn_node *sn_copy_tree(sn_arena *arena, const sn_node *tree) {
  sn_node *node = SN_NEW(arena, sn_node, 1);
  *node = *tree;
  if (tree->text) node->text = sn_copy_text(arena, tree->text, strlen(tree->text));
  if (tree->item) node->item = SN_NEW(arena, sn_node *, tree->count);
  if (tree->key) node->key = SN_NEW(arena, sn_node *, tree->count);
  for (int i = 0; i < tree->count; i++) {
    if (tree->item) node->item[i] = sn_copy_tree(arena, tree->item[i]);
    if (tree->key) node->key[i] = sn_copy_tree(arena, tree->key[i]);
  }
  return node;
}
