/* expr_parse.c - compiles the text of a formula: tokens, grammar, names. The grammar stands in expr.h. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/expr_program.h"
#include "math/constants.h"

enum { longest_text = 1 << 20, longest_name = 127, longest_number = 127 };

typedef enum token_kind { token_end, token_number, token_name, token_symbol } token_kind;

typedef struct symbol {
  const char *text;
  int precedence; /* of a binary operator, 0 for all else */
  int op;
  const char *hint; /* for what other languages write: what we write */
} symbol;

/* A text that begins like a shorter one stands before it. */
static const symbol symbols[] = {
    {.text = "||", .precedence = 1, .op = SN_OP_OR},
    {.text = "&&", .precedence = 2, .op = SN_OP_AND},
    {.text = "<=", .precedence = 3, .op = SN_OP_LE},
    {.text = ">=", .precedence = 3, .op = SN_OP_GE},
    {.text = "==", .precedence = 3, .op = SN_OP_EQ},
    {.text = "!=", .precedence = 3, .op = SN_OP_NE},
    {.text = "<", .precedence = 3, .op = SN_OP_LT},
    {.text = ">", .precedence = 3, .op = SN_OP_GT},
    {.text = "**", .hint = "a power is written '^'"},
    {.text = "=", .hint = "equality is written '=='"},
    {.text = "&", .hint = "'and' is written '&&'"},
    {.text = "|", .hint = "'or' is written '||'"},
    {.text = "%", .hint = "the remainder is written mod(a, b)"},
    {.text = "?", .hint = "a choice is written if(condition, a, b)"},
    {.text = "+", .precedence = 4, .op = SN_OP_ADD},
    {.text = "-", .precedence = 4, .op = SN_OP_SUB},
    {.text = "*", .precedence = 5, .op = SN_OP_MUL},
    {.text = "/", .precedence = 5, .op = SN_OP_DIV},
    {.text = "^", .op = SN_OP_POW},
    {.text = "!", .op = SN_OP_NOT},
    {.text = "("},
    {.text = ")"},
    {.text = ","},
};
enum { compare_precedence = 3 };

typedef struct token {
  token_kind kind;
  int begin, end;
  double number;        /* token_number */
  const symbol *symbol; /* token_symbol */
} token;

typedef struct parser {
  const char *text;
  int length;
  const sn_scope *scope;
  sn_arena *arena;
  sn_expr_error *error;
  token token, previous;
  int level;
  sn_expr_builder builder;
  int variables;                            /* variable_count of the scope, then references */
  const void *reference[SN_EXPR_VARIABLES]; /* what they are */
} parser;

SN_PRINTF(4, 5) static bool fail(parser *p, int begin, int end, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  p->error->offset = begin;
  p->error->length = end - begin;
  vsnprintf(p->error->text, sizeof p->error->text, format, arguments);
  va_end(arguments);
  return false;
}

static bool fail_at(parser *p, token at, const char *message) {
  return fail(p, at.begin, at.end, "%s", message);
}

/* ---- tokens ---- */

/* The character at position i, 0 beyond the end. */
static char peek(const parser *p, int i) {
  return i < p->length ? p->text[i] : 0;
}
static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int skip_digits(const parser *p, int i) {
  while (is_digit(peek(p, i))) ++i;
  return i;
}

/* digits [. digits] [e [sign] digits], checked here because strtod accepts much more (hex, inf, nan). */
static bool read_number(parser *p) {
  const int begin = p->token.begin;
  int end = skip_digits(p, begin);
  if (peek(p, end) == '.') end = skip_digits(p, end + 1);
  if (peek(p, end) == 'e' || peek(p, end) == 'E') {
    const int digits = peek(p, end + 1) == '+' || peek(p, end + 1) == '-' ? end + 2 : end + 1;
    if (!is_digit(peek(p, digits))) return fail(p, begin, digits, "the exponent of the number has no digits");
    end = skip_digits(p, digits);
  }
  p->token.kind = token_number;
  p->token.end = end;
  if (end - begin > longest_number) return fail(p, begin, end, "number has more than %d characters", longest_number);

  /* A program around us may have chosen a locale, and strtod follows it. */
  char copy[longest_number + 1] = {0};
  memcpy(copy, p->text + begin, (size_t)(end - begin));
  char *point = strchr(copy, '.');
  if (point) *point = localeconv()->decimal_point[0];
  p->token.number = strtod(copy, NULL);
  return isfinite(p->token.number) || fail(p, begin, end, "number is too large");
}

static bool read_symbol(parser *p) {
  const int begin = p->token.begin;
  p->token.kind = token_symbol;
  for (size_t i = 0; i < SN_COUNT(symbols); ++i) {
    const int length = (int)strlen(symbols[i].text);
    if (p->length - begin < length || memcmp(p->text + begin, symbols[i].text, (size_t)length) != 0) continue;
    p->token.end = begin + length;
    p->token.symbol = &symbols[i];
    if (!symbols[i].hint) return true;
    return fail(p, begin, p->token.end, "'%s' is not an operator; %s", symbols[i].text, symbols[i].hint);
  }
  const unsigned char c = (unsigned char)p->text[begin];
  if (c > ' ' && c < 127) return fail(p, begin, begin + 1, "unexpected character '%c'", c);
  int end = begin + 1; /* a character beyond ASCII is marked with all its bytes */
  while (c >= 0xC0 && end - begin < 4 && ((unsigned char)peek(p, end) & 0xC0) == 0x80) ++end;
  return fail(p, begin, end, "unexpected character (byte 0x%02X)", c);
}

static bool advance(parser *p) {
  int i = p->token.end;
  p->previous = p->token;
  while (is_space(peek(p, i))) ++i;
  p->token = (token){.kind = token_end, .begin = i, .end = i};
  if (i >= p->length) return true;
  const char c = peek(p, i);
  if (is_digit(c) || (c == '.' && is_digit(peek(p, i + 1)))) return read_number(p);
  if (!is_letter(c)) return read_symbol(p);
  while (is_letter(peek(p, i)) || is_digit(peek(p, i))) ++i;
  p->token.kind = token_name;
  p->token.end = i;
  return true;
}

static bool at(const parser *p, const char *text) {
  return p->token.kind == token_symbol && strcmp(p->token.symbol->text, text) == 0;
}

/* Failure "expected ... after 'what stands before'" at the current token. */
/* What a number before a name or a comma may have been meant to be: 1000 mm, 30deg, 2L; 1,5. */
static const char *hint_of(const parser *p) {
  if (p->previous.kind != token_number) return "";
  if (p->token.kind == token_name) return "; units are not written (all are SI, angles in rad), a product has a '*'";
  return peek(p, p->token.begin) == ',' && is_digit(peek(p, p->token.end)) ? "; decimals follow a point" : "";
}

static bool fail_expected(parser *p, const char *expected) {
  const int length = p->previous.end - p->previous.begin;
  if (length == 0) return fail(p, p->token.begin, p->token.end, "expected %s at the start", expected);
  return fail(p, p->token.begin, p->token.end, "expected %s after '%.*s%s'%s", expected, length > 40 ? 40 : length,
              p->text + p->previous.begin, length > 40 ? "..." : "", hint_of(p));
}

/* ---- growing the program ---- */

static bool push(parser *p, sn_expr_instruction instruction, token from) {
  const char *trouble = sn_expr_push(&p->builder, instruction, from.begin, from.end);
  return !trouble || fail_at(p, from, trouble);
}

/* An operation on the newest `arity` operands, written from `begin` to the token before this one. */
static bool emit(parser *p, int op, int arity, int begin, const sn_table *table) {
  sn_expr_instruction instruction = {.op = (uint16_t)op, .arity = (uint16_t)arity};
  if (table) instruction.as.table = table;
  const char *trouble = sn_expr_emit(&p->builder, instruction, begin, p->previous.end);
  return !trouble || fail(p, begin, p->previous.end, "%s", trouble);
}

static sn_expr_operand *newest(parser *p) {
  return &p->builder.operands[p->builder.operand_count - 1];
}

/* ---- variables ---- */

static int find_variable(const sn_scope *scope, const char *name) {
  for (int k = 0; k < scope->variable_count; ++k) {
    if (strcmp(scope->variables[k], name) == 0) return k;
  }
  return -1;
}

static bool push_variable(parser *p, int k, token from) {
  return push(p, (sn_expr_instruction){.op = SN_OP_VARIABLE, .as.variable = k}, from);
}

/* 1: the text of the token is a reference, now on the stack; 0: it is none; -1: failed, error reported. */
static int refer(parser *p, token from) {
  if (!p->scope->refer) return 0;
  bool failed = false;
  const size_t begin = (size_t)from.begin;
  const void *what =
      p->scope->refer(p->scope->refer_user, p->text + begin, begin, (size_t)(from.end - from.begin), &failed);
  if (!what) {
    if (failed) fail(p, from.begin, from.end, "%s", "");
    return failed ? -1 : 0;
  }
  int k = p->scope->variable_count;
  while (k < p->variables && p->reference[k] != what) ++k;
  if (k == SN_EXPR_VARIABLES) {
    fail(p, from.begin, from.end, "a formula has at most %d variables", (int)SN_EXPR_VARIABLES);
    return -1;
  }
  if (k == p->variables) p->reference[p->variables++] = what;
  return push_variable(p, k, from) ? 1 : -1;
}

/* Byte behind the parenthesis that closes the one at i; -1: there is none. */
static int skip_parentheses(const parser *p, int i) {
  int level = 0;
  for (; i < p->length; ++i) {
    level += (p->text[i] == '(') - (p->text[i] == ')');
    if (level == 0) return i + 1;
  }
  return -1;
}

/* The token and what hangs on it: (...) and .name, as often as there are any. False: a parenthesis stays open. */
static bool extend_reference(parser *p, token *name) {
  int i = name->end;
  for (;;) {
    if (peek(p, i) == '.' && is_letter(peek(p, i + 1))) {
      for (++i; is_letter(peek(p, i)) || is_digit(peek(p, i));) ++i;
    } else if (peek(p, i) == '(') {
      const int end = skip_parentheses(p, i);
      if (end < 0) return fail(p, i, i + 1, "'(' is never closed");
      i = end;
    } else {
      break;
    }
  }
  name->end = i;
  return true;
}

/* hinge.angle, beam.at(0.5).N, relative(a, b).x; the token is the first name of it, and the parser goes on behind it. */
static bool parse_reference(parser *p, token name) {
  if (!extend_reference(p, &name)) return false;
  p->token.end = name.end;
  if (!advance(p)) return false;
  p->previous = name;
  const int found = refer(p, name);
  if (found) return found > 0;
  return fail(p, name.begin, name.end, "unknown quantity '%.*s'",
              name.end - name.begin > 60 ? 60 : name.end - name.begin, p->text + name.begin);
}

/* ---- names ---- */

static bool fail_unknown(parser *p, token at_name, const char *name, bool call) {
  const char *what = call ? "function" : "name", *best = sn_expr_nearest(p->scope, name, call);
  if (!best) return fail(p, at_name.begin, at_name.end, "unknown %s '%.60s'", what, name);
  return fail(p, at_name.begin, at_name.end, "unknown %s '%.60s'; did you mean '%.60s'?", what, name, best);
}

/* 1: the value of a parameter or constant; 0: there is none of this name; -1: failed, error reported. Parameters come
 * first, so that a model may have an e of its own. */
static int find_value(parser *p, token at_name, const char *name, double *value) {
  bool failed = false;
  if (p->scope->lookup && p->scope->lookup(p->scope->user, name, value, &failed)) {
    if (isfinite(*value)) return 1;
    fail(p, at_name.begin, at_name.end, "the value of '%.60s' is not finite", name);
    return -1;
  }
  if (failed) {
    fail(p, at_name.begin, at_name.end, "%s", "");
    return -1;
  }
  if (strcmp(name, "pi") == 0) {
    *value = SN_PI;
  } else if (strcmp(name, "e") == 0) {
    *value = SN_E;
  } else {
    return 0;
  }
  return 1;
}

/* Is it the argument of the function, t or what the scope calls it? */
static bool is_argument(const parser *p, const char *name) {
  return p->scope->variable && strcmp(name, p->scope->variable) == 0;
}

static bool parse_name(parser *p, token at_name, const char *name) {
  const int variable = find_variable(p->scope, name);
  if (variable >= 0) return push_variable(p, variable, at_name);
  if (is_argument(p, name)) return push(p, (sn_expr_instruction){.op = SN_OP_TIME}, at_name);
  if (strcmp(name, "t") == 0) {
    if (!p->scope->time_allowed) return fail_at(p, at_name, "'t' (time) is not allowed here");
    return push(p, (sn_expr_instruction){.op = SN_OP_TIME}, at_name);
  }
  double value = 0.0;
  const int found = find_value(p, at_name, name, &value);
  if (found < 0) return false;
  if (found) return push(p, (sn_expr_instruction){.op = SN_OP_CONSTANT, .as.value = value}, at_name);
  const int referred = refer(p, at_name);
  if (referred) return referred > 0;
  if (!sn_find_function(name) && !sn_find_table(p->scope, name)) return fail_unknown(p, at_name, name, false);
  return fail(p, at_name.begin, at_name.end, "'%.60s' is a function and needs arguments: %.60s(...)", name, name);
}

/* ---- grammar ---- */

static bool parse_binary(parser *p, int lowest);

/* arguments ')' behind an opening parenthesis; *count of them */
static bool parse_arguments(parser *p, int *count) {
  const token open = p->token;
  *count = 0;
  if (!advance(p)) return false;
  if (at(p, ")")) return advance(p);
  for (;;) {
    if (!parse_binary(p, 1)) return false;
    ++*count;
    if (at(p, ")")) return advance(p);
    if (p->token.kind == token_end) return fail_at(p, open, "'(' is never closed");
    if (!at(p, ",")) return fail_expected(p, "an operator, ',' or ')'");
    if (!advance(p)) return false;
  }
}

static bool parse_call(parser *p, token at_name, const char *name) {
  const sn_function *f = sn_find_function(name);
  const sn_table *table = f ? NULL : sn_find_table(p->scope, name);
  if (!f && !table) {
    double value = 0.0;
    const bool variable = strcmp(name, "t") == 0 || is_argument(p, name) || find_variable(p->scope, name) >= 0;
    const int found = variable ? 1 : find_value(p, at_name, name, &value);
    if (found < 0) return false;
    if (!found) return fail_unknown(p, at_name, name, true);
    return fail(p, at_name.begin, at_name.end, "'%.60s' is a value, not a function; is a '*' missing?", name);
  }
  int count;
  if (!parse_arguments(p, &count)) return false;
  const int arity = f ? f->arity : table->grid ? 2 : 1;
  if (arity == SN_EXPR_MANY ? count < 2 : count != arity) {
    const int wanted = arity == SN_EXPR_MANY ? 2 : arity, call = f ? sn_call_length(f) : 0;
    return fail(p, at_name.begin, at_name.end, "%s '%.60s' takes %s%d argument%s, %d given%s%.*s",
                f ? "function" : "table", name, arity == SN_EXPR_MANY ? "at least " : "", wanted,
                wanted == 1 ? "" : "s", count, call ? ": " : "", call, call ? f->help : "");
  }
  if (table) {
    sn_table *copy = SN_NEW(p->arena, sn_table, 1); /* the list of tables may move, the points may not */
    *copy = *table;
    copy->name = sn_copy_text(p->arena, name, strlen(name));
    return emit(p, SN_OP_TABLE, arity, at_name.begin, copy);
  }
  if (arity != SN_EXPR_MANY) return emit(p, f->op, arity, at_name.begin, NULL);
  while (--count > 0) {
    if (!emit(p, f->op, 2, at_name.begin, NULL)) return false;
  }
  return true;
}

static bool parse_group(parser *p) {
  const token open = p->token;
  if (!advance(p) || !parse_binary(p, 1)) return false;
  if (p->token.kind == token_end) return fail_at(p, open, "'(' is never closed");
  if (!at(p, ")")) return fail_expected(p, "an operator or ')'");
  newest(p)->begin = open.begin;
  newest(p)->end = p->token.end;
  return advance(p);
}

/* A name with a dot, or with arguments that no function or value takes: name(a.end, b). */
static bool is_reference(const parser *p, token first, const char *name) {
  if (!p->scope->refer) return false;
  if (peek(p, first.end) == '.' && is_letter(peek(p, first.end + 1))) return true;
  if (peek(p, first.end) != '(' || sn_find_function(name) || sn_find_table(p->scope, name)) return false;
  for (int i = 0; i < p->scope->call_count; ++i) {
    if (strcmp(p->scope->calls[i], name) == 0) return true;
  }
  return false;
}

/* tip.x where only numbers are possible. */
static bool fail_reference(parser *p, token name) {
  if (!extend_reference(p, &name)) return false;
  return fail(p, name.begin, name.end,
              "'%.*s' cannot stand here: this field takes numbers and parameters, no quantities of the motion",
              name.end - name.begin > 60 ? 60 : name.end - name.begin, p->text + name.begin);
}

static bool parse_primary(parser *p) {
  const token first = p->token;
  if (at(p, "(")) return parse_group(p);
  if (first.kind == token_number) {
    return advance(p) && push(p, (sn_expr_instruction){.op = SN_OP_CONSTANT, .as.value = first.number}, first);
  }
  if (first.kind != token_name) return fail_expected(p, "a number, a name or '('");

  const int length = first.end - first.begin;
  if (length > longest_name) return fail(p, first.begin, first.end, "name has more than %d letters", longest_name);
  char name[longest_name + 1] = {0};
  memcpy(name, p->text + first.begin, (size_t)length);
  if (is_reference(p, first, name)) return parse_reference(p, first);
  if (peek(p, first.end) == '.' && is_letter(peek(p, first.end + 1))) return fail_reference(p, first);
  if (!advance(p)) return false;
  return at(p, "(") ? parse_call(p, first, name) : parse_name(p, first, name);
}

/* sign unary | primary [^ unary]; every nesting of the grammar comes through here, so that levels are counted here */
static bool parse_unary(parser *p) {
  const token first = p->token;
  if (++p->level > SN_EXPR_LEVELS) return fail_at(p, first, "formula is nested too deeply");
  bool done;
  if (at(p, "-") || at(p, "+") || at(p, "!")) {
    const char sign = p->text[first.begin];
    done = advance(p) && parse_unary(p);
    if (done && sign != '+') done = emit(p, sign == '-' ? SN_OP_NEG : SN_OP_NOT, 1, first.begin, NULL);
  } else {
    done = parse_primary(p);
    if (done && at(p, "^")) {
      done = advance(p) && parse_unary(p) && emit(p, SN_OP_POW, 2, first.begin, NULL);
    }
  }
  --p->level;
  return done;
}

/* Operands joined by binary operators of at least this precedence, all of them left associative. */
static bool parse_binary(parser *p, int lowest) {
  const int begin = p->token.begin;
  if (!parse_unary(p)) return false;
  bool compared = false;
  while (p->token.kind == token_symbol && p->token.symbol->precedence >= lowest) {
    const symbol *binary = p->token.symbol;
    if (binary->precedence == compare_precedence && compared) {
      return fail_at(p, p->token, "comparisons do not chain; write a < b && b < c");
    }
    compared = binary->precedence == compare_precedence;
    if (!advance(p) || !parse_binary(p, binary->precedence + 1)) return false;
    if (!emit(p, binary->op, 2, begin, NULL)) return false;
  }
  return true;
}

static bool parse_formula(parser *p) {
  if (!advance(p)) return false;
  if (p->token.kind == token_end) return fail_at(p, p->token, "formula is empty");
  if (!parse_binary(p, 1)) return false;
  if (at(p, ")")) return fail_at(p, p->token, "')' without '('");
  if (p->token.kind != token_end) return fail_expected(p, "an operator");
  const sn_expr_operand *result = newest(p);
  return !result->fault || fail(p, result->fault_begin, result->fault_end, "%s", result->fault);
}

const sn_expr *sn_expr_compile(sn_arena *arena, const char *text, size_t length, const sn_scope *scope,
                               sn_expr_error *error) {
  static const sn_scope empty = {0};
  *error = (sn_expr_error){0};
  parser p = {.text = text, .scope = scope ? scope : &empty, .arena = arena, .error = error};
  if (length > longest_text) {
    fail(&p, 0, 0, "formula is too long");
    return NULL;
  }
  p.length = (int)length;
  assert(p.scope->variable_count >= 0 && p.scope->variable_count <= SN_EXPR_VARIABLES);
  p.variables = p.scope->variable_count;
  /* Every instruction stands for at least one character of its own. */
  p.builder.capacity = p.length < SN_EXPR_INSTRUCTIONS ? p.length : SN_EXPR_INSTRUCTIONS;
  sn_arena scratch = {0};
  p.builder.code = SN_NEW(&scratch, sn_expr_instruction, p.builder.capacity);

  sn_expr *expr = NULL;
  if (parse_formula(&p)) {
    const size_t size = (size_t)p.builder.count * sizeof p.builder.code[0];
    expr = sn_alloc(arena, 1, sizeof *expr + size);
    expr->count = p.builder.count;
    expr->text = sn_copy_text(arena, text, length);
    expr->line = p.scope->line;
    expr->column = p.scope->column;
    if (p.variables) {
      const void **reference = SN_NEW(arena, const void *, p.variables);
      memcpy(reference, p.reference, (size_t)p.variables * sizeof reference[0]);
      expr->variables = p.variables;
      expr->reference = reference;
    }
    memcpy(expr->code, p.builder.code, size);
  }
  sn_arena_free(&scratch);
  return expr;
}
