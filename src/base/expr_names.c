/* expr_names.c - names in expressions: functions, tables, and the nearest one of a name that is none of them. */
#include <string.h>

#include "base/expr_program.h"

static const sn_function functions[] = {
#define X(op, name, arity, help) {name, help, SN_OP_##op, arity},
    SN_EXPR_FUNCTIONS(X)
#undef X
};

const sn_function *sn_find_function(const char *name) {
  for (size_t i = 0; i < SN_COUNT(functions); ++i) {
    if (strcmp(functions[i].name, name) == 0) return &functions[i];
  }
  return NULL;
}

int sn_call_length(const sn_function *function) {
  const size_t name = strlen(function->name);
  const bool is_call = strncmp(function->help, function->name, name) == 0 && function->help[name] == '(';
  return is_call ? (int)strcspn(function->help, ":") : 0;
}

const sn_table *sn_find_table(const sn_scope *scope, const char *name) {
  for (int i = 0; i < scope->table_count; ++i) {
    if (strcmp(scope->tables[i].name, name) == 0) return &scope->tables[i];
  }
  return NULL;
}

typedef struct nearest {
  const char *name, *best;
  int distance; /* of best; at first, one more than is still taken for a slip of the pen */
} nearest;

static void consider(nearest *n, const char *candidate) {
  const int distance = sn_edit_distance(n->name, candidate, n->distance);
  if (distance < n->distance) {
    n->distance = distance;
    n->best = candidate;
  }
}

const char *sn_expr_nearest(const sn_scope *scope, const char *name, bool call) {
  const size_t length = strlen(name);
  nearest n = {.name = name, .distance = length < 2 ? 1 : length < 5 ? 2 : length < 8 ? 3 : 4};
  if (!call) {
    for (int i = 0; scope->names && i < scope->name_count; ++i) consider(&n, scope->names[i]);
    for (int i = 0; i < scope->variable_count; ++i) consider(&n, scope->variables[i]);
    consider(&n, "pi");
  }
  for (int i = 0; i < scope->table_count; ++i) consider(&n, scope->tables[i].name);
  for (size_t i = 0; i < SN_COUNT(functions); ++i) consider(&n, functions[i].name);
  for (int i = 0; i < scope->call_count; ++i) consider(&n, scope->calls[i]);
  return n.best;
}
