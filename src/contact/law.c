/* law.c - the entries of `contacts`: surfaces that can touch, and the law of their contact. */
#include "contact/law.h"

#include <string.h>

#include "contact/surfaces.h"

/* One word or help for each law, without the separator before the first. */
static const char method_words[] =
#define LAW(name, text) "|" #name
#include "contact/laws.def"
    ;
static const char method_help[] =
#define LAW(name, text) "; " #name ": " text
#include "contact/laws.def"
    ;

const sn_law_ops *const sn_laws[SN_LAWS] = {
#define LAW(name, text) &sn_law_##name,
#include "contact/laws.def"
};

static const sn_field contact_fields[] = {
    {"between", SN_SURFACE_NAMES, SN_AT(sn_contact_spec, between),
     .help = "surfaces that can touch each other; default: all"},
    {"against", SN_SURFACE_NAMES, SN_AT(sn_contact_spec, against),
     .help = "the surfaces of 'between' can touch these, but not each other"},
    {"self", SN_BOOL, SN_AT(sn_contact_spec, self), .def = "false",
     .help = "self-contact of flexible bodies, except between neighboring elements"},
    {"method", SN_CHOICE, SN_AT(sn_contact_spec, method), .def = "penalty", .choices = method_words + 1,
     .help = method_help + 2},
    {"friction", SN_REAL, SN_AT(sn_contact_spec, friction), .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "coefficient of Coulomb friction", .example = "0.3"},
    {"restitution", SN_REAL, SN_AT(sn_contact_spec, restitution), .limits = SN_BETWEEN(0, 1),
     .help = "coefficient of restitution: separation speed over approach speed; default: 1 with penalty, 0 with dvi. "
             "Penalty: "
             "above 0, as no damping of this law stops a body without rebound"},
    {"damping_law", SN_CHOICE, SN_AT(sn_contact_spec, damping_law), .def = "exact", .choices = SN_DAMPING_LAWS,
     .help = "penalty: how the damping factor c follows from 'restitution' e at the 'impact_speed' v. exact: the "
             "rebound is "
             "e v; the others as published, for e near 1 (hunt-crossley: 3 (1 - e)/(2 v), lankarani-nikravesh: 3 (1 - "
             "e^2)/(4 v)) or for all e (flores: 8 (1 - e)/(5 e v)), with a rebound of their own"},
    {"force", SN_FORMULA, SN_AT(sn_contact_spec, force), .unit = "N", .locals = "depth|rate",
     .help = "formula: force along the normal as a formula of depth (overlap, m), rate (its rate, m/s, positive as the "
             "surfaces approach) and parameters, such as 2e6*depth^1.5*(1 + 0.1*rate); below zero it is zero, as "
             "surfaces do not pull. What it is at rate 0 is "
             "stored energy, the rest damping"},
    {"points", SN_CHOICE, SN_AT(sn_contact_spec, points), .choices = "deepest|all",
     .help = "contact points of the spheres of one element with another element or solid: only the deepest, or all; "
             "default: the deepest of two elements of cables and beams, all in other pairs"},
    {"exact", SN_BOOL, SN_AT(sn_contact_spec, exact), .def = "false",
     .help = "cables and beams: closest points of the center lines, refined from the deepest spheres; plates: smooth "
             "middle surface against the spheres of the other body"},
#define NUMBER(key, of_unit, standard, range, text, shown) \
  {#key, SN_REAL, SN_AT(sn_contact_spec, key), of_unit, standard, .limits = range, .help = text, .example = shown},
#include "contact/laws.def"
    {0},
};

static void names_check(sn_reader *reader, const sn_spec *spec) {
  const sn_contact_spec *s = (const sn_contact_spec *)(const void *)spec;
  if (sn_given(spec, "against") && !sn_given(spec, "between"))
    sn_field_error(reader, spec, "against", "'between' in addition", "contact '%s' names only one side", spec->name);
  else if (sn_given(spec, "between") && !sn_given(spec, "against") && s->between.count == 1 && !s->self)
    sn_field_error(reader, spec, "between", "two or more surfaces, 'against', or self: true",
                   "surface '%s' has nothing to touch in contact '%s'", s->between.name[0], spec->name);
}

static bool uses(const sn_law_ops *law, const char *key) {
  for (const char *const *k = law->keys; *k; k++)
    if (strcmp(*k, key) == 0) return true;
  return false;
}

/* A number that only other laws use would be ignored. */
static void keys_check(sn_reader *reader, const sn_spec *spec, const sn_law_ops *law) {
  for (const sn_field *field = contact_fields; field->name; field++) {
    const char *others = NULL;
    for (int k = 0; k < SN_LAWS; k++)
      if (uses(sn_laws[k], field->name))
        others = others ? sn_format(reader->arena, "%s or %s", others, sn_laws[k]->name) : sn_laws[k]->name;
    if (others && !uses(law, field->name) && sn_given(spec, field->name))
      sn_field_error(reader, spec, field->name, sn_format(reader->arena, "method: %s, or remove this key", others),
                     "'%s' has no meaning with method %s", field->name, law->name);
  }
}

static void contact_check(sn_reader *reader, const sn_spec *spec) {
  const sn_contact_spec *s = (const sn_contact_spec *)(const void *)spec;
  const sn_law_ops *law = sn_laws[s->method];
  names_check(reader, spec);
  keys_check(reader, spec, law);
  if (law->check) law->check(reader, s);
}

const sn_plain_ops sn_contact_kind = {
    .kind = {.name = "contact",
             .category = SN_CONTACTS,
             .summary = "contact between surfaces",
             .fields = contact_fields,
             .spec_size = sizeof(sn_contact_spec),
             .check = contact_check},
};

static const sn_field none_fields[] = {
    {"between", SN_SURFACE_NAMES, SN_AT(sn_contact_spec, between), .required = true,
     .help = "surfaces without contact between them"},
    {"against", SN_SURFACE_NAMES, SN_AT(sn_contact_spec, against),
     .help = "no contact between the surfaces of 'between' and these; those of 'between' can touch each other"},
    {0},
};

static void none_check(sn_reader *reader, const sn_spec *spec) {
  const sn_contact_spec *s = (const sn_contact_spec *)(const void *)spec;
  if (s->between.count == 1 && !sn_given(spec, "against"))
    sn_field_error(reader, spec, "between", "two or more surfaces, or 'against'",
                   "contact '%s' does not name a second surface for '%s'", spec->name, s->between.name[0]);
}

const sn_plain_ops sn_contact_none = {
    .kind = {.name = "none",
             .category = SN_CONTACTS,
             .summary = "excluded contact pairs",
             .fields = none_fields,
             .spec_size = sizeof(sn_contact_spec),
             .check = none_check},
};

/* ---- laws ---- */

double sn_press_depth(const sn_law *law, double K, double U) {
  double k = law->exponent + 1, low = 0, high = 1e-9;
  if (law->ops == &sn_law_penalty) return pow(k * U / K, 1 / k);
  while (high < 1e3 && law->ops->energy(law, K, high) < U) low = high, high *= 4;
  for (int i = 0; i < 45; i++) {
    double d = (low + high) / 2;
    *(law->ops->energy(law, K, d) < U ? &low : &high) = d;
  }
  return high;
}

static sn_law law_of(const sn_surfaces *all, const sn_spec *spec) {
  const sn_contact_spec *s = (const sn_contact_spec *)(const void *)spec;
  sn_law law = {.name = spec->name, .spec = spec};
  if (spec->kind == &sn_contact_none.kind) return law;
  law.ops = sn_laws[s->method];
  law.dvi = law.ops->impulsive;
  law.exact = s->exact;
  law.points = sn_given(s, "points") ? (sn_touching_points)s->points : SN_POINTS_USUAL;
  law.self = s->self;
  law.friction = s->friction;
  law.restitution = sn_given(s, "restitution") ? s->restitution : 1;
  law.ops->compile(all, s, &law);
  return law;
}

/* ---- which law holds between which surfaces ---- */

static bool is_named(const sn_names *names, const char *name) {
  for (int i = 0; i < names->count; i++)
    if (strcmp(names->name[i], name) == 0) return true;
  return false;
}

/* Bit 0: named in `between` (or nothing is), bit 1: in `against`. */
static unsigned char role_of(const sn_law *law, const char *surface) {
  const sn_contact_spec *s = (const sn_contact_spec *)(const void *)law->spec;
  unsigned char role = 0;
  if (s->between.count == 0 || is_named(&s->between, surface)) role |= 1;
  if (is_named(&s->against, surface)) role |= 2;
  return role;
}

static bool covers(const sn_law *law, unsigned char a, unsigned char b) {
  const sn_contact_spec *s = (const sn_contact_spec *)(const void *)law->spec;
  if (s->against.count == 0) return (a & 1) && (b & 1);
  return ((a & 1) && (b & 2)) || ((a & 2) && (b & 1));
}

typedef struct class_of {
  const unsigned char *role; /* [laws] */
  int rigid[2];              /* surfaces without material, -1: none */
} class_of;

/* Keep a surface as the first example, and one on another body as the second. */
static void keep(const sn_surfaces *s, int example[2], int surface) {
  if (example[0] < 0)
    example[0] = surface;
  else if (example[1] < 0 && s->surface[example[0]].body != s->surface[surface].body)
    example[1] = surface;
}

/* Two surfaces on different bodies, one of each kind of examples; false: there are none. */
static bool two_bodies(const sn_surfaces *s, const int a[2], const int b[2], const sn_surface *pair[2]) {
  for (int x = 0; x < 2; x++)
    for (int y = 0; y < 2; y++) {
      if (a[x] < 0 || b[y] < 0 || s->surface[a[x]].body == s->surface[b[y]].body) continue;
      pair[0] = &s->surface[a[x]];
      pair[1] = &s->surface[b[y]];
      return true;
    }
  return false;
}

static int find_class(sn_arena *arena, sn_surfaces *s, const char *name, class_of *classes) {
  unsigned char *role = SN_NEW(arena, unsigned char, s->laws + 1);
  for (int k = 0; k < s->laws; k++) role[k] = role_of(&s->law[k], name);
  for (int i = 0; i < s->classes; i++)
    if (memcmp(classes[i].role, role, (size_t)s->laws) == 0) return i;
  class_of *c = &classes[s->classes];
  c->role = role;
  memset(c->rigid, -1, sizeof c->rigid);
  return s->classes++;
}

static void sort_into_classes(sn_arena *arena, sn_surfaces *s, class_of *classes) {
  for (int i = 0; i < s->surfaces; i++) {
    sn_surface *surface = &s->surface[i];
    surface->class = find_class(arena, s, surface->name, classes);
    class_of *c = &classes[surface->class];
    if (!(surface->compliance > 0)) keep(s, c->rigid, i);
  }
}

static void check_pair(sn_compiler *c, const sn_surfaces *s, const sn_law *law, const class_of *a, const class_of *b) {
  const sn_surface *pair[2];
  if (law->dvi || law->stiffness > 0 || law->compliance > 0 || !two_bodies(s, a->rigid, b->rigid, pair)) return;
  sn_field_error(&c->reader, law->spec, NULL, "a 'material' for one of the surfaces; or 'stiffness' or 'young' here",
                 "contact between '%s' and '%s' has no stiffness", pair[0]->name, pair[1]->name);
}

/* The last law that covers a pair counts. */
static void fill_table(sn_compiler *c, sn_surfaces *s, const class_of *classes) {
  int n = s->classes, *table = SN_NEW(c->arena, int, n *n), *self = SN_NEW(c->arena, int, n);
  for (int i = 0; i < n; i++) {
    self[i] = -1;
    for (int j = 0; j < n; j++) {
      int found = -1;
      for (int k = 0; k < s->laws; k++)
        if (covers(&s->law[k], classes[i].role[k], classes[j].role[k])) found = k;
      if (found >= 0 && !s->law[found].ops) found = -1;
      table[i * n + j] = found;
      if (found >= 0 && j <= i && c->reader.errors == 0) check_pair(c, s, &s->law[found], &classes[i], &classes[j]);
    }
    for (int k = 0; k < s->laws; k++)
      if ((classes[i].role[k] & 1) && s->law[k].self) self[i] = k;
  }
  s->law_of = table;
  s->self_law_of = self;
}

void sn_compile_laws(sn_compiler *c, sn_surfaces *s) {
  const sn_list *list = &c->model->document->list[SN_CONTACTS];
  if (list->count == 0 || s->surfaces == 0) {
    const sn_spec *spec = list->count ? list->item[0] : s->surface[0].spec;
    sn_node_error(&c->reader, spec->label,
                  list->count ? "entries under 'surfaces'" : "contacts: {all: {friction: 0.3}}",
                  list->count ? "there are contacts but no surfaces" : "there are surfaces but no contacts");
    return;
  }
  s->law = SN_NEW(c->arena, sn_law, list->count);
  for (int i = 0; i < list->count; i++) {
    sn_law *law = &s->law[s->laws++];
    *law = law_of(s, list->item[i]);
    if (!law->ops) continue;
    s->penalty |= !law->dvi;
    s->dvi |= law->dvi;
    s->friction |= !law->dvi && (law->friction > 0 || law->damping > 0);
  }
  class_of *classes = SN_NEW(c->arena, class_of, s->surfaces);
  sort_into_classes(c->arena, s, classes);
  fill_table(c, s, classes);
}
