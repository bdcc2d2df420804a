/* registry.c - the categories of kinds, and kinds by their names; the table of all of them is kinds/kinds.c. */
#include "model/registry.h"

#include <string.h>

/* `unnamed`: the kind of an entry that does not say its type; NULL where it has to. */
static const struct {
  const char *key, *noun, *title, *unnamed, *help;
} categories[SN_CATEGORIES] = {
    [SN_MATERIALS] = {"materials", "material", "Materials", "material", "materials of bodies"},
    [SN_SECTIONS] = {"sections", "section", "Sections", NULL, "cross-sections of cables and beams"},
    [SN_SHAPES] = {"shapes", "shape", "Shapes", NULL, "shapes of rigid bodies, given inside a body"},
    [SN_BODIES] = {"bodies", "body", "Bodies", NULL, "what moves"},
    [SN_JOINTS] = {"joints", "joint", "Joints", NULL, "joints between bodies, and drivers"},
    [SN_FORCES] = {"forces", "force", "Forces", NULL, "forces other than gravity"},
    [SN_SURFACES] = {"surfaces", "surface", "Surfaces", NULL, "contact surfaces: shapes attached to bodies"},
    [SN_CONTACTS] = {"contacts", "contact", "Contacts", "contact",
                     "contact between surfaces; if several entries apply to a pair of surfaces, the last one is used"},
    [SN_OUTPUTS] = {"outputs", "output", "Outputs", "output", "quantities recorded in addition to the coordinates"},
    [SN_TABLES] = {"tables", "table", "Tables", "table", "tabulated functions, for use in expressions"},
    [SN_VARIABLES] = {"variables", "variable", "Variables", "variable",
                      "quantities of expressions: named formulas, and solutions of differential equations"},
    [SN_INPUTS] = {"inputs", "input", "Inputs", "input", "values that a program sets while a simulation runs"},
    [SN_CONTROLLERS] = {"controllers", "controller", "Controllers", NULL,
                        "continuous or sampled; their outputs are used in expressions by their names"},
    [SN_EVENTS] = {"events", "event", "Events", "event", "what happens when an expression of the motion crosses zero"},
    [SN_INTEGRATORS] = {"integrator", "integrator", "Integrators", NULL, "integrators, given inside an analysis"},
    [SN_ANALYSES] =
        {"analysis", "analysis", "Analyses", NULL,
         "one of the following analyses, or a list of them: stages, each of which starts where the previous one ended"},
    [SN_VARIATIONS] = {"vary", "variation", "Variations", "range",
                       "varied quantities: a parameter of the model, integrator, integrator.FIELD, step, tolerance or "
                       "until; with a list of values, a text as after --vary, or a range"},
    [SN_SAMPLINGS] = {"sample", "sample", "Samples", NULL, "selection of the combinations"},
    [SN_MEASURED] = {"measures", "measure", "Measures", NULL, "columns of the table, computed for each case"},
    [SN_PLOTTED] = {"plots", "plot", "Plots", "plot", "plots of the table"},
};

const sn_kind *sn_find_kind(sn_category category, const char *name) {
  assert(category < SN_CATEGORIES && name);
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++)
    if ((*kind)->category == category && strcmp((*kind)->name, name) == 0) return *kind;
  return NULL;
}

const char *sn_category_key(sn_category category) {
  assert(category < SN_CATEGORIES);
  return categories[category].key;
}
const char *sn_category_noun(sn_category category) {
  assert(category < SN_CATEGORIES);
  return categories[category].noun;
}
const char *sn_article(const char *noun) {
  return strchr("aeiou", noun[0]) ? "an" : "a";
}
const char *sn_category_title(sn_category category) {
  assert(category < SN_CATEGORIES);
  return categories[category].title;
}
const char *sn_category_help(sn_category category) {
  assert(category < SN_CATEGORIES);
  return categories[category].help;
}

const sn_kind *sn_unnamed_kind(sn_category category) {
  assert(category < SN_CATEGORIES);
  return categories[category].unnamed ? sn_find_kind(category, categories[category].unnamed) : NULL;
}

bool sn_is_listed(sn_category category) {
  return category != SN_SHAPES && category != SN_INTEGRATORS && category != SN_ANALYSES && category != SN_SAMPLINGS;
}

bool sn_is_word(sn_category category) {
  return category == SN_TABLES || category == SN_VARIABLES || category == SN_INPUTS || category == SN_CONTROLLERS;
}

bool sn_belongs_to(sn_file file, sn_category category) {
  return (category >= SN_VARIATIONS) == (file == SN_STUDY_FILE);
}

bool sn_is_key_of(sn_file file, sn_category category) {
  if (!sn_belongs_to(file, category)) return false;
  return sn_is_listed(category) || category == SN_ANALYSES || category == SN_SAMPLINGS;
}

int sn_field_index(const sn_kind *kind, const char *name) {
  assert(kind->fields && name);
  for (int i = 0; kind->fields[i].name; i++)
    if (strcmp(kind->fields[i].name, name) == 0) return i;
  return -1;
}

bool sn_is_field(const sn_kind *kind, const char *name) {
  if (kind->fields && sn_field_index(kind, name) >= 0) return true;
  for (const sn_kind *const *other = sn_kinds; *other; other++)
    if ((*other)->category == kind->category && (*other)->fields && sn_field_index(*other, name) >= 0) return true;
  return false;
}

bool sn_given(const void *spec, const char *field) {
  const sn_spec *s = spec;
  int i = sn_field_index(s->kind, field);
  assert(sn_is_field(s->kind, field));
  assert(i < 64); /* bits of `given` */
  return i >= 0 && (s->given >> i & 1);
}

const void *sn_field_value(const void *spec, const char *field) {
  const sn_spec *s = spec;
  int i = sn_field_index(s->kind, field);
  assert(sn_is_field(s->kind, field));
  return i < 0 ? NULL : (const char *)spec + s->kind->fields[i].at;
}
