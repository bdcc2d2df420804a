/* compose.c - see compose.h. */
#include "joint/compose.h"

#include <string.h>

#include "joint/quantity.h"
#include "model/tree.h"

static const char *name_of(const sn_composer *x, const char *part) {
  return part ? sn_format(x->compiler->arena, "%s.%s", x->spec->name, part) : x->spec->name;
}

static const sn_reference *add_reference(sn_compiler *c, const sn_reference *r) {
  sn_reference *copy = SN_NEW(c->arena, sn_reference, 1);
  *copy = *r;
  return copy;
}

/* "output" is the owner itself. */
static const void *refer(void *user, const char *text, size_t offset, size_t length, bool *failed) {
  const sn_composer *x = user;
  (void)offset;
  (void)failed;
  for (int i = 0; i < x->words; i++)
    if (strlen(x->word[i].word) == length && strncmp(x->word[i].word, text, length) == 0) return x->word[i].means;
  const char *word = sn_format(x->compiler->arena, "%.*s", (int)length, text);
  const char *name = name_of(x, strcmp(word, "output") == 0 ? NULL : word);
  return add_reference(
      x->compiler,
      &(sn_reference){
          .type = SN_REFERENCE_VARIABLE, .text = name, .node = x->spec->node, .name = name, .component = ""});
}

const sn_expr *sn_compose(const sn_composer *x, const char *const *locals, int count, const char *text) {
  sn_composer user = *x;
  sn_expr_error error;
  const sn_scope scope = {
      .time_allowed = true, .variables = locals, .variable_count = count, .refer = refer, .refer_user = &user};
  const sn_expr *f = sn_expr_compile(x->compiler->arena, text, strlen(text), &scope, &error);
  if (!f) /* numbers of the file that are too large together, too many terms */
    sn_node_error(&x->compiler->reader, x->spec->label, NULL, "the equations of '%s' cannot be written: %s",
                  x->spec->name, error.text);
  return f;
}

static sn_variable *add(const sn_composer *x, const char *part, const char *unit, const sn_expr *f) {
  if (!f) return NULL;
  return sn_add_variable(
      x->compiler,
      &(sn_variable){
          .name = name_of(x, part), .unit = unit, .spec = x->spec, .f = f, .owner = x->spec->name, .part = part});
}

void sn_compose_value(const sn_composer *x, const char *part, const char *unit, const char *text) {
  add(x, part, unit, sn_compose(x, NULL, 0, text));
}

void sn_compose_given(const sn_composer *x, const char *part, const char *unit, const sn_expr *f) {
  add(x, part, unit, f);
}

void sn_compose_rate(const sn_composer *x, const char *part, const char *unit, double start, const char *text) {
  sn_variable *z = add(x, part, unit, sn_compose(x, NULL, 0, text));
  if (z) sn_add_differential(x->compiler, z, start);
}

const sn_reference *sn_compose_joint(sn_compiler *c, const sn_spec *spec, const char *joint, const char *component) {
  return add_reference(c, &(sn_reference){.type = SN_REFERENCE_JOINT,
                                          .text = sn_format(c->arena, "%s.%s", joint, component),
                                          .node = sn_value_of(spec->node, "joint", NULL),
                                          .name = joint,
                                          .component = component});
}
