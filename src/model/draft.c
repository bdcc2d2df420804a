/* draft.c - a model in memory that is read and changed before it is compiled: the tree of its file.
 *
 * A change copies the nodes on the way to it: nodes that aliases share change in one place only, and a change that fails
 * leaves everything as it was.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/handles.h"
#include "base/whole_file.h"
#include "model/model.h"
#include "model/reader.h"
#include "model/tree.h"
#include "model/tree_text.h"

struct sn_draft {
  sn_context *context;
  sn_pool *pool;
  sn_arena arena;
  const char *name;
  sn_node *root;
  sn_text text; /* returned last */
};

/* ---- making ---- */

typedef struct source {
  sn_context *context;
  const char *name, *text; /* text NULL: in the file of that name */
  size_t length;
  sn_draft *draft;
} source;

/* NULL after reporting. */
static sn_node *read_tree(sn_context *context, sn_arena *arena, const char *name, const char *text, size_t length) {
  sn_document *document = SN_NEW(arena, sn_document, 1);
  *document = (sn_document){
      .path = sn_copy_text(arena, name, strlen(name)), .source = sn_copy_text(arena, text, length), .length = length};
  sn_reader reader = sn_reader_for(context, arena, document);
  sn_clear_message(context);
  if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) document->source += 3, document->length -= 3;
  if (!sn_check_text(&reader, document->source, document->length)) return NULL;
  sn_node *root = sn_parse_tree(&reader, document->source, document->length);
  return reader.errors ? NULL : root;
}

static sn_status make(void *argument) {
  source *s = argument;
  sn_arena arena = {0};
  sn_draft *draft = SN_NEW(&arena, sn_draft, 1);
  *draft = (sn_draft){.context = s->context, .arena = arena};
  draft->name = sn_copy_text(&draft->arena, s->name, strlen(s->name));
  char *text = s->text ? NULL : sn_read_file(s->name, SN_LARGEST_TEXT, &s->length);
  if (!s->text && !text) {
    const int why = errno;
    arena = draft->arena;
    sn_arena_free(&arena);
    return sn_fail(s->context, SN_IO, "cannot read %s: %s", s->name, strerror(why));
  }
  draft->root = read_tree(s->context, &draft->arena, s->name, text ? text : s->text, s->length);
  sn_free(text);
  if (draft->root && draft->root->type == SN_MAPPING) {
    s->draft = draft;
    return SN_OK;
  }
  if (draft->root) sn_fail(s->context, SN_BAD_MODEL, "%s: a model is a mapping, beginning with 'sinew: 1'", s->name);
  arena = draft->arena;
  sn_arena_free(&arena);
  return SN_BAD_MODEL;
}

/* text NULL: in the file of that name */
static sn_status make_draft(sn_context *context, const char *name, const char *text, size_t length, sn_draft **draft) {
  source s = {context, name, text, length, NULL};
  sn_pool *pool;
  *draft = NULL;
  sn_clear_message(context);
  const sn_status status = sn_make_in_pool(context, make, &s, &pool);
  if (status) return status;
  s.draft->pool = pool;
  sn_handle_made(s.draft);
  *draft = s.draft;
  return SN_OK;
}

sn_status sn_draft_parse(sn_context *context, const char *name, const char *text, size_t length, sn_draft **draft) {
  return make_draft(context, name, text ? text : "", text ? length : 0, draft);
}

sn_status sn_draft_load(sn_context *context, const char *path, sn_draft **draft) {
  return make_draft(context, path, NULL, 0, draft);
}

sn_status sn_draft_create(sn_context *context, const char *name, sn_draft **draft) {
  static const char empty[] = "sinew: 1\n";
  return sn_draft_parse(context, name, empty, sizeof empty - 1, draft);
}

void sn_draft_free(sn_draft *draft) {
  if (!draft || sn_handle_check(draft)) return;
  sn_handle_freed(draft, "draft", draft->context);
  sn_pool *pool = draft->pool;
  if (!sn_pool_failed(pool)) {
    sn_arena arena = draft->arena;
    sn_free(draft->text.at);
    sn_arena_free(&arena);
  }
  sn_pool_free(pool);
}

/* ---- paths ---- */

typedef struct step { /* of a path */
  const char *text;
  size_t length;
} step;

/* False: the path is over. */
static bool next_step(const char **path, step *s) {
  if (!**path) return false;
  s->text = *path;
  s->length = strcspn(*path, ".");
  *path += s->length;
  if (**path == '.') (*path)++;
  return true;
}

/* The place of a step in a node; its count: behind the last; -1: it can have none there. */
static int place_of(const sn_node *node, const step *s) {
  if (node->type == SN_MAPPING) {
    int i = 0;
    while (i < node->count &&
           !(strlen(node->key[i]->text) == s->length && strncmp(node->key[i]->text, s->text, s->length) == 0))
      i++;
    return s->length ? i : -1;
  }
  if (node->type != SN_SEQUENCE || s->length == 0 || s->length > 8) return -1;
  int number = 0;
  for (size_t k = 0; k < s->length; k++) {
    if (s->text[k] < '0' || s->text[k] > '9') return -1;
    number = 10 * number + (s->text[k] - '0');
  }
  return number <= node->count ? number : -1;
}

static const sn_node *find(const sn_draft *draft, const char *path) {
  const sn_node *node = draft->root;
  step s;
  while (node && next_step(&path, &s)) {
    const int i = place_of(node, &s);
    node = i >= 0 && i < node->count ? node->item[i] : NULL;
  }
  return node;
}

/* ---- changes ---- */

typedef struct change {
  sn_draft *draft;
  const char *path, *value; /* value NULL: remove */
} change;

/* A copy with room for one more entry. */
static sn_node *copy_node(sn_arena *arena, const sn_node *of) {
  sn_node *node = SN_NEW(arena, sn_node, 1);
  *node = *of;
  node->item = SN_NEW(arena, sn_node *, of->count + 1);
  if (of->count) memcpy(node->item, of->item, (size_t)of->count * sizeof *node->item);
  if (of->type != SN_MAPPING) return node;
  node->key = SN_NEW(arena, sn_node *, of->count + 1);
  if (of->count) memcpy(node->key, of->key, (size_t)of->count * sizeof *node->key);
  return node;
}

static sn_node *new_node(sn_arena *arena, sn_node_type type, const char *text, size_t length) {
  sn_node *node = SN_NEW(arena, sn_node, 1);
  node->type = type;
  if (type == SN_SCALAR) node->text = sn_copy_text(arena, text, length);
  return node;
}

/* What is written: a collection or a text in quotes is parsed, anything else is one scalar. NULL after reporting. */
static sn_node *read_value(sn_draft *draft, const char *value) {
  const char *first = value + strspn(value, " \t\n");
  const size_t length = strlen(first);
  if (first[0] && strchr("{['\"", first[0])) {
    const char *text = sn_format(&draft->arena, "%s\n", first);
    return read_tree(draft->context, &draft->arena, "value", text, strlen(text));
  }
  size_t end = length;
  while (end > 0 && strchr(" \t\n", first[end - 1])) end--;
  sn_node *node = new_node(&draft->arena, SN_SCALAR, first, end);
  sn_document document = {.path = "value", .source = node->text, .length = end};
  sn_reader reader = sn_reader_for(draft->context, &draft->arena, &document);
  sn_clear_message(draft->context);
  if (end == 0 || sn_check_text(&reader, node->text, end)) return node;
  return NULL;
}

static sn_status refuse(const sn_draft *draft, const char *path, const step *s) {
  return sn_fail(draft->context, SN_USAGE, "'%.200s' leads nowhere: there is no place '%.*s'", path,
                 (int)(s->length < 100 ? s->length : 100), s->text);
}

static void take_out(sn_node *node, int at) {
  node->count--;
  for (int i = at; i < node->count; i++) {
    node->item[i] = node->item[i + 1];
    if (node->type == SN_MAPPING) node->key[i] = node->key[i + 1];
  }
}

static sn_status alter(void *argument) {
  const change *c = argument;
  sn_draft *draft = c->draft;
  sn_arena *arena = &draft->arena;
  const char *rest = c->path;
  step s;
  if (!next_step(&rest, &s)) return sn_fail(draft->context, SN_USAGE, "the path is empty");
  sn_node *value = c->value ? read_value(draft, c->value) : NULL;
  if (c->value && !value) return SN_BAD_MODEL;
  sn_node *root = copy_node(arena, draft->root), *node = root;
  for (int depth = 1;; depth++) {
    const int i = place_of(node, &s);
    const bool is_new = i == node->count;
    if (i < 0 || (is_new && !c->value) || depth >= sn_max_depth) return refuse(draft, c->path, &s);
    const step here = s;
    const bool last = !next_step(&rest, &s);
    if (last && !c->value) {
      take_out(node, i);
      break;
    }
    if (is_new && node->type == SN_MAPPING) node->key[i] = new_node(arena, SN_SCALAR, here.text, here.length);
    if (last) {
      node->item[i] = value;
    } else {
      const bool none = is_new || sn_is_nothing(node->item[i]);
      if (!none && node->item[i]->type == SN_SCALAR) return refuse(draft, c->path, &s);
      node->item[i] = none ? copy_node(arena, new_node(arena, SN_MAPPING, NULL, 0)) : copy_node(arena, node->item[i]);
    }
    node->count += is_new;
    if (last) break;
    node = node->item[i];
  }
  draft->root = root;
  return SN_OK;
}

static sn_status alive(const sn_draft *draft) {
  if (sn_handle_check(draft)) return SN_USAGE;
  return sn_pool_failed(draft->pool) ? sn_fail(draft->context, SN_MEMORY, "out of memory in a draft") : SN_OK;
}

sn_status sn_draft_set(sn_draft *draft, const char *path, const char *value) {
  change c = {draft, path, value};
  const sn_status status = alive(draft);
  return status ? status : sn_guard(draft->context, draft->pool, alter, &c);
}

sn_status sn_draft_remove(sn_draft *draft, const char *path) {
  return sn_draft_set(draft, path, NULL);
}

/* ---- reading ---- */

static sn_status write_value(void *argument) {
  const change *c = argument;
  c->draft->text.length = 0;
  if (c->path)
    sn_write_flow(&c->draft->text, find(c->draft, c->path));
  else
    sn_write_file(&c->draft->text, c->draft->root);
  return SN_OK;
}

const char *sn_draft_get(sn_draft *draft, const char *path) {
  change c = {draft, path, NULL};
  if (alive(draft) || !find(draft, path)) return NULL;
  return sn_guard(draft->context, draft->pool, write_value, &c) ? NULL : draft->text.at;
}

const char *sn_draft_text(sn_draft *draft) {
  change c = {draft, NULL, NULL};
  if (alive(draft)) return NULL;
  return sn_guard(draft->context, draft->pool, write_value, &c) ? NULL : draft->text.at;
}

size_t sn_draft_count(sn_draft *draft, const char *path) {
  const sn_node *node = alive(draft) ? NULL : find(draft, path);
  return node && node->type != SN_SCALAR ? (size_t)node->count : 0;
}

static sn_status write_number(void *argument) {
  const change *c = argument;
  c->draft->text.length = 0;
  const char *number = c->value;
  sn_write_flow(&c->draft->text, &(sn_node){.type = SN_SCALAR, .text = number});
  return SN_OK;
}

const char *sn_draft_key(sn_draft *draft, const char *path, size_t number) {
  char text[32];
  const sn_node *node = alive(draft) ? NULL : find(draft, path);
  if (!node || node->type == SN_SCALAR || number >= (size_t)node->count) return NULL;
  if (node->type == SN_MAPPING) return node->key[number]->text;
  snprintf(text, sizeof text, "%zu", number);
  change c = {draft, path, text};
  return sn_guard(draft->context, draft->pool, write_number, &c) ? NULL : draft->text.at;
}

/* ---- files and models ---- */

static sn_status write_whole(void *argument) {
  const change *c = argument;
  sn_whole_file file;
  if (!sn_whole_file_open(&file, c->path))
    return sn_fail(c->draft->context, SN_IO, "cannot write %s: %s", c->path, strerror(errno));
  const bool good = fputs(c->draft->text.at, file.out) >= 0;
  if (!sn_whole_file_close(&file, good))
    return sn_fail(c->draft->context, SN_IO, "cannot write %s: %s", c->path, strerror(errno));
  return SN_OK;
}

sn_status sn_draft_write(sn_draft *draft, const char *path) {
  change c = {draft, path, NULL};
  if (!sn_draft_text(draft)) return alive(draft);
  return sn_guard(draft->context, draft->pool, write_whole, &c);
}

sn_status sn_draft_compile(sn_draft *draft, const char *const *sets, size_t count, sn_model **model) {
  *model = NULL;
  if (!sn_draft_text(draft)) return alive(draft);
  return sn_model_parse(draft->context, draft->name, draft->text.at, draft->text.length, sets, count, model);
}
