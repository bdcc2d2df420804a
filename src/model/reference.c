/* reference.c - docs/reference.md, every key of model and study files. */
#include <ctype.h>
#include <string.h>

#include "model/field_text.h"
#include "model/refusals.h"
#include "model/registry.h"

static const char field_head[] = "\n| Key | Value | Unit | Default | Range | Meaning |\n|---|---|---|---|---|---|\n";

static void put_field(FILE *out, const sn_field *field) {
  sn_phrase type = sn_type_phrase(field), range = sn_range_phrase(field);
  fprintf(out, "| `%s` | ", field->name);
  sn_put_cell(out, type.text);
  fprintf(out, " | %s | ", field->unit ? field->unit : "");
  if (field->required)
    fprintf(out, "**required**");
  else if (field->def && field->def[0])
    fprintf(out, "`%s`", field->def);
  fprintf(out, " | ");
  sn_put_cell(out, range.text);
  fprintf(out, " | ");
  sn_put_cell(out, field->help);
  fprintf(out, " |\n");
}

static void put_fields(FILE *out, const sn_field *fields) {
  if (fields[0].name) fputs(field_head, out);
  for (const sn_field *field = fields; field->name; field++) put_field(out, field);
}

/* ---- fields of several integrators, described once ---- */

static bool is_same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_same_field(const sn_field *a, const sn_field *b) {
  return is_same_text(a->name, b->name) && is_same_text(a->help, b->help) && is_same_text(a->def, b->def) &&
         is_same_text(a->unit, b->unit) && a->required == b->required &&
         is_same_text(sn_type_phrase(a).text, sn_type_phrase(b).text) &&
         is_same_text(sn_range_phrase(a).text, sn_range_phrase(b).text);
}

/* In how many integrators is a field the same? *first: is that of the kind the first one? */
static int count_alike(const sn_kind *of, const sn_field *field, bool *first) {
  int alike = 0;
  *first = true;
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++) {
    if ((*kind)->category != SN_INTEGRATORS) continue;
    int at = sn_field_index(*kind, field->name);
    if (at < 0 || !is_same_field(field, &(*kind)->fields[at])) continue;
    if (*kind == of) *first = alike == 0;
    alike++;
  }
  return alike;
}

/* Of fields with the same name the most frequent one is described once, if it stands more than twice. */
static bool is_shared(const sn_kind *of, const sn_field *field, bool *first) {
  bool other;
  if (of->category != SN_INTEGRATORS) return false;
  const int alike = count_alike(of, field, first);
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++) {
    int at = (*kind)->category == SN_INTEGRATORS ? sn_field_index(*kind, field->name) : -1;
    if (at >= 0 && count_alike(*kind, &(*kind)->fields[at], &other) > alike) return false;
  }
  return alike > 2;
}

static void put_shared_fields(FILE *out) {
  bool first;
  fputs(
      "\n### Fields of several integrators\n\nEach integrator lists those it has; fields of its own, and fields "
      "whose default or choices differ, are in its table.\n",
      out);
  fputs(field_head, out);
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++)
    for (const sn_field *field = (*kind)->fields; field->name; field++)
      if (is_shared(*kind, field, &first) && first) put_field(out, field);
}

/* Fields of a kind: those described elsewhere by their names, then the others in a table. */
static void put_own_fields(FILE *out, const sn_kind *kind) {
  int shared = 0, own = 0;
  bool first;
  for (const sn_field *field = kind->fields; field->name; field++) {
    if (!is_shared(kind, field, &first)) continue;
    fprintf(out, shared++ ? ", `%s`" : "\n[Shared fields](#fields-of-several-integrators): `%s`", field->name);
  }
  if (shared) fputs(".\n", out);
  for (const sn_field *field = kind->fields; field->name; field++) {
    if (is_shared(kind, field, &first)) continue;
    if (!own++) fputs(field_head, out);
    put_field(out, field);
  }
}

static const char intro[] =
    "# Reference: the model file\n"
    "\n"
    "<!-- Made from the field tables of the program (`sinew reference`). Change those, not this page. -->\n"
    "\n"
    "A model is a YAML file in UTF-8. It has the keys below at its top level, in any order. Under `materials`, "
    "`sections`,\n"
    "`bodies`, `joints`, `forces`, `outputs` and `tables` every entry has a name of the user's choice (a letter, then\n"
    "letters, digits, `_` and `-`), and `type` selects its kind. Units are SI, frames are right-handed,\n"
    "quaternions have their scalar first. Anchors and aliases (`&a`, `*a`) work; tags and merge keys do not.\n"
    "\n"
    "Every kind has an example. `sinew describe KIND --model` prints it in a complete model that can be run.\n";

static const char values[] =
    "\n## Values\n"
    "\n"
    "- **number**: a number, or an expression of parameters: `2*pi`, `[L/2, 0, 0]`. In `[ ]` and `{ }` an expression\n"
    "  that contains a comma needs quotes: `[\"atan2(1, 2)\", 0, 0]`.\n"
    "- **function of t**: an expression that may also use the time `t` and the tables: `0.1*sin(2*pi*t)`.\n"
    "- **expression**: the same, and besides quantities of the motion (see [Expressions](#expressions)):\n"
    "  `-k*tip.x - c*tip.vx`.\n"
    "- **[x, y, z]**: a list of three numbers.\n"
    "- **rotation**: a quaternion `[e0, e1, e2, e3]`, which is normalized, or `{axis: [x, y, z], angle: radians}`,\n"
    "  at most two turns.\n"
    "- **marker**: a place on a body: `body`, `body.point` or `body.point(numbers)`, as in `ground`, `beam.end`,\n"
    "  `beam.at(0.5)`. The body `ground` always exists.\n"
    "- **shape**, **integrator**: a mapping with its own `type`, or only the name of the kind.\n"
    "\n"
    "## Parameters\n"
    "\n"
    "`parameters: {L: 1.0, A: pi*r^2, r: 0.01}` gives names to numbers. They may refer to each other in any order.\n"
    "A parameter may also be a word: with `parameters: {kind: irf}` a value written `$kind` stands for `irf`, and\n"
    "`--set kind=frf` changes it. Such a parameter is not a number.\n"
    "`--set L=2` on the command line takes the place of what the file says, also of the default of an input. `--set "
    "integrator=radau5` changes the\n"
    "method of every dynamics stage, `--set integrator.alpha=-0.1` one of its settings.\n"
    "\n"
    "## Expressions\n"
    "\n"
    "Operators, the loosest first: `||`, `&&`, comparisons (`<` `<=` `>` `>=` `==` `!=`, value 1 or 0), `+` `-`,\n"
    "`*` `/`, signs and `!`, `^` (to the right: `2^3^2` is `2^9`). Names are case sensitive.\n"
    "\n";

static const char study_intro[] =
    "\n# Reference: the study file\n"
    "\n"
    "A study is a YAML file that `sinew sweep` runs: a model, varied quantities, sampling, measures and plots. It has\n"
    "these keys at its top level; [tools.md](tools.md) describes their use.\n";

static const char study_example[] =
    "\n```yaml\n"
    "sinew: 1\n"
    "title: Modulus and method\n"
    "model: pendulum.yaml\n"
    "set: {n: 8}\n"
    "vary:\n"
    "  E: {from: 2e5, to: 2e11, count: 7, scale: log}   # or 2e5:2e11:log7\n"
    "  integrator: [hht-i3, adams]\n"
    "sample: grid\n"
    "measures:\n"
    "  top: {type: maximum, of: tip.y}\n"
    "  work: iterations\n"
    "plots:\n"
    "  work: {y: work, x: E, curves: integrator}\n"
    "```\n";

static void put_keys(FILE *out, sn_file file) {
  for (int i = 0; i < SN_CATEGORIES; i++)
    if (sn_is_key_of(file, (sn_category)i))
      fprintf(out, "| `%s` | %s |\n", sn_category_key((sn_category)i), sn_category_help((sn_category)i));
}

static void put_category(FILE *out, sn_category category) {
  fprintf(out, "\n## %s\n\n`%s`: %s.\n", sn_category_title(category), sn_category_key(category),
          sn_category_help(category));
  if (sn_unnamed_kind(category)) fprintf(out, "The key `type` may be left out.\n");
  if (category == SN_INTEGRATORS) put_shared_fields(out);
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++) {
    if ((*kind)->category != category) continue;
    fprintf(out, "\n### %s\n\n%c%s.\n", (*kind)->name, toupper((unsigned char)(*kind)->summary[0]),
            (*kind)->summary + 1);
    put_own_fields(out, *kind);
    sn_put_body(out, *kind, true);
    sn_put_outputs(out, *kind, true);
    if (sn_find_refusal(*kind)) fputc('\n', out), sn_put_refusal(out, *kind);
    fprintf(out, "\n```yaml\n");
    sn_write_example(out, *kind, 0);
    fprintf(out, "```\n");
  }
}

void sn_write_reference(FILE *out) {
  fputs(intro, out);
  put_fields(out, sn_head_fields[SN_MODEL_FILE]);
  fprintf(out, "\n| Key | Holds |\n|---|---|\n| `parameters` | named numbers and words |\n");
  put_keys(out, SN_MODEL_FILE);
  fputs(values, out);
  sn_write_expressions(out);
  for (int i = 0; i < SN_VARIATIONS; i++) put_category(out, (sn_category)i);
  fputs(study_intro, out);
  put_fields(out, sn_head_fields[SN_STUDY_FILE]);
  fprintf(out, "\n| Key | Holds |\n|---|---|\n| `set` | parameters and settings of all cases, as after `--set` |\n");
  put_keys(out, SN_STUDY_FILE);
  fputs(study_example, out);
  for (int i = SN_VARIATIONS; i < SN_CATEGORIES; i++) put_category(out, (sn_category)i);
}
