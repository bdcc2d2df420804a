/* fault.c - expressions without a value at a state, such as the root of a negative number: which one, where it stands in the
 * file, and what its quantities were. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/formula.h"

typedef struct phrase {
  char *text;
  size_t size, used;
} phrase;

SN_PRINTF(2, 3) static void put(phrase *p, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const size_t room = p->size - p->used;
  const int length = vsnprintf(p->text + p->used, room, format, arguments);
  va_end(arguments);
  if (length > 0) p->used += (size_t)length < room ? (size_t)length : room - 1;
}

/* model.yaml:7:12: 'sqrt(tip.x)' of 'push' has no value: sqrt(-0.1) */
static void put_place(phrase *p, const sn_model *m, const char *owner, const sn_expr *f, const char *why) {
  int line, column;
  const char *text = sn_expr_text(f, &line, &column);
  if (line > 0) put(p, "%.200s:%d:%d: ", m->document->path, line, column);
  put(p, "'%.80s%s' of '%.60s' has no value: %s", text, strlen(text) > 80 ? "..." : "", owner, why);
}

bool sn_explain_formula(const sn_model *m, const sn_formula *f, const sn_eval *ev, char *text, size_t size) {
  double x[SN_EXPR_VARIABLES];
  char why[160];
  sn_formula_arguments(f, ev, x);
  if (!sn_expr_fault(f->f, ev->t, x, why, sizeof why)) return false;
  for (int k = 0; k < f->variables; k++) /* one that it uses may be the cause */
    if (f->s[k] && f->s[k]->formula && !isfinite(x[k]) && sn_explain_formula(m, f->s[k]->formula, ev, text, size))
      return true;
  phrase p = {text, size, 0};
  put_place(&p, m, f->owner, f->f, why);
  for (int k = 0; k < f->variables; k++)
    if (f->s[k]) put(&p, ", %.60s = %.10g", f->s[k]->name ? f->s[k]->name : "its coordinate", x[k]);
  if (sn_expr_uses(f->f, -1)) put(&p, ", t = %.10g", ev->t);
  return true;
}

/* Functions of time alone, by the tables of the kinds. */
static bool explain_function(const sn_model *m, const sn_spec *spec, double t, char *text, size_t size) {
  char why[160];
  for (const sn_field *field = spec->kind->fields; field->name; field++) {
    const sn_expr *const *f = (const sn_expr *const *)(const void *)((const char *)spec + field->at);
    for (int k = 0; k < sn_type_functions(field->type); k++) {
      if (!f[k] || sn_expr_has_variables(f[k]) || !sn_expr_fault(f[k], t, NULL, why, sizeof why)) continue;
      phrase p = {text, size, 0};
      put_place(&p, m, spec->name, f[k], why);
      put(&p, ", t = %.10g", t);
      return true;
    }
  }
  return false;
}

bool sn_explain_state(const sn_model *m, const sn_eval *ev, char *text, size_t size) {
  static const sn_category categories[] = {SN_JOINTS, SN_FORCES};
  for (int i = 0; i < m->formulas; i++)
    if (sn_explain_formula(m, m->formula[i], ev, text, size)) return true;
  for (size_t c = 0; c < SN_COUNT(categories); c++) {
    const sn_list *list = &m->document->list[categories[c]];
    for (int i = 0; i < list->count; i++)
      if (explain_function(m, list->item[i], ev->t, text, size)) return true;
  }
  return false;
}
