/* reference.c - docs/reference.md, every key of model and study files. */
#include <ctype.h>
#include <string.h>

#include "model/field_text.h"
#include "model/refusals.h"
#include "model/registry.h"

/* Text inside a cell of a table, where a bar would end the cell. */
static void put_cell(FILE *out, const char *text) {
  for (; *text; text++) {
    if (*text == '|' || *text == '<') fputc('\\', out);
    fputc(*text, out);
  }
}

static const char field_head[] = "\n| Key | Value | Unit | Default | Range | Meaning |\n|---|---|---|---|---|---|\n";

static void put_field(FILE *out, const sn_field *field) {
  sn_phrase type = sn_type_phrase(field), range = sn_range_phrase(field);
  fprintf(out, "| `%s` | ", field->name);
  put_cell(out, type.text);
  fprintf(out, " | %s | ", field->unit ? field->unit : "");
  if (field->required)
    fprintf(out, "**required**");
  else if (field->def && field->def[0])
    fprintf(out, "`%s`", field->def);
  fprintf(out, " | ");
  put_cell(out, range.text);
  fprintf(out, " | ");
  put_cell(out, field->help);
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
    "- **rotation**: a quaternion `[e0, e1, e2, e3]`, which is normalized, or `{axis: [x, y, z], angle: radians}`.\n"
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
    "\n"
    "| Name | Meaning |\n|---|---|\n";

static const char quantities[] =
    "\nFields of type *expression* (forces, laws of springs, variables, outputs) may also use quantities of the "
    "motion:\n"
    "\n"
    "| Name | Meaning |\n|---|---|\n"
    "| `hinge.angle`, `hinge.rate` | angle of a joint from the start (rad) and its rate; in space from -pi to pi, "
    "where it "
    "jumps, in the plane any number of turns |\n"
    "| `slide.position`, `slide.velocity` | displacement of a joint along its axis from the start (m), and its rate |\n"
    "| `hinge.angle_rate`, `slide.travel`, `slide.travel_rate` | the same by the names of outputs; `plot`, `export` "
    "and "
    "studies know both names of a quantity too |\n"
    "| `beam.end.x`, `.y`, `.z`, `.vx`, `.vy`, `.vz` | position and velocity of a marker, global |\n"
    "| `tip.x`, `hinge.angle` | the same of an output `tip: {point: ...}`, `hinge: {joint: ...}` |\n"
    "| `distance(a.end, b.start)`, `distance(a, b).rate` | distance of two markers, and its rate |\n"
    "| `relative(a, b.end).x`, ..., `.vx`, ... | position of the second marker from the first, in axes that are global "
    "at "
    "the start and move with the body of the first, and its rate of change there |\n"
    "| `beam.at(0.5).N`, `beam.start.M`, ... | stress resultants and strains of a flexible body at a marker, the "
    "columns of "
    "an output `resultant` |\n"
    "| `hinge.reaction.fx`, ..., `.mz`, `.force`, `.moment` | force and moment that a joint exerts on its second body, "
    "global components (`x`, `y`, `z` are `fx`, `fy`, `fz`), and their magnitudes |\n"
    "| `damper.force`, `.length`, `.rate` | of a `spring`; `.moment`, `.angle`, `.rate` of a `torsion-spring` |\n"
    "| `box.energy`, `box.kinetic_energy`, `box.potential_energy` | of a body: kinetic, and strain and gravity "
    "together |\n"
    "| `model.energy`, ... | the same of the whole model with its springs, without contacts |\n"
    "| `root.M`, `w.fx`, `o.value` | columns of outputs `resultant` (with its `about`), `reaction` (with its `frame`), "
    "`spring` and `expression` |\n"
    "| names of `variables`, `inputs` and `controllers` | their values; `c.y1`, `c.y2` of several outputs, "
    "`c.integral`, ... of quantities of a controller |\n"
    "\n"
    "Names of joints, bodies and outputs with a dash cannot be used in expressions. Derivatives of these expressions "
    "are part of the matrices of implicit methods, which are unsymmetric then. They are exact; those of resultants, "
    "reactions and energies are differences of fourth order, exact for polynomials up to the fourth degree and "
    "otherwise "
    "right to about ten digits. Methods with a mass matrix alone, and steps of contact by complementarity (`method: "
    "dvi`), take the forces explicitly, except laws of a spring that depend on its own `stretch` or `angle` and `rate` "
    "alone.\n"
    "\n"
    "*Reactions* in a force are those of the same instant: the multipliers are unknowns of the step, and the matrix "
    "contains the derivatives with respect to them. Methods keep their order, except `radau` and `gam`, which then "
    "have "
    "that of their multipliers, the third. `symplectic-euler`, `hht-add`, modes and buckling refuse them. Reactions of "
    "joints that slide along a line, and contact forces, cannot be used. An *energy* of more than 24 nodes or bodies "
    "may "
    "stand in outputs and in variables that are recorded, not in forces.\n"
    "\n"
    "The work of forces by expressions is counted as applied. Where an expression has no finite value (1/0, or outside "
    "a "
    "table with `extrapolation: error`), the step fails. Adaptive steps end where an expression jumps or has a kink in "
    "the "
    "course of the motion (`min`, `max`, `abs`, `sign`, `if`, knots of tables), and are short enough that nothing "
    "narrow "
    "in it is stepped over; fixed steps stay as they are, and a run in which they miss something is doubtful. Formulas "
    "that depend on "
    "themselves (variables, laws of springs, outputs of expressions) are an error that names the circle.\n"
    "\n"
    "Functions of t (`rotation` and `translation` of `motion`, `value` of `tie`, `feed` of `reeving`, `default` of "
    "inputs) and functions of x, y, z and t (`wind`, `level`, `pressure`) may not use quantities of the motion, "
    "variables "
    "or inputs: a joint that followed them would need their derivatives. Measured motions come from tables of a file, "
    "and "
    "what follows the motion is a force: `torsion-spring` or `spring` with a law.\n";

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
  for (const char *const *f = sn_expr_functions(); *f; f += 2) {
    fprintf(out, "| `%s` | ", f[0]);
    put_cell(out, f[1]);
    fprintf(out, " |\n");
  }
  fputs(quantities, out);
  for (int i = 0; i < SN_VARIATIONS; i++) put_category(out, (sn_category)i);
  fputs(study_intro, out);
  put_fields(out, sn_head_fields[SN_STUDY_FILE]);
  fprintf(out, "\n| Key | Holds |\n|---|---|\n| `set` | parameters and settings of all cases, as after `--set` |\n");
  put_keys(out, SN_STUDY_FILE);
  fputs(study_example, out);
  for (int i = SN_VARIATIONS; i < SN_CATEGORIES; i++) put_category(out, (sn_category)i);
}
