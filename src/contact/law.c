/* law.c - the entries of `contacts`: which surfaces touch, and how. */
#include <math.h>
#include <string.h>

#include "contact/surfaces.h"

typedef struct contact_spec {
  sn_spec spec;
  sn_names between, against;
  int method; /* 0 penalty, 1 dvi */
  int points; /* 0 deepest, 1 all */
  double friction, restitution, impact_speed, damping, young, poisson, stiffness, exponent, slip, activation;
  bool self, exact;
} contact_spec;

static const sn_field contact_fields[] = {
    {"between", SN_SURFACE_NAMES, SN_AT(contact_spec, between),
     .help = "surfaces that can touch each other; default: all"},
    {"against", SN_SURFACE_NAMES, SN_AT(contact_spec, against),
     .help = "the surfaces of 'between' can touch these, but not each other"},
    {"self", SN_BOOL, SN_AT(contact_spec, self), .def = "false",
     .help = "self-contact of flexible bodies, except between neighboring elements"},
    {"method", SN_CHOICE, SN_AT(contact_spec, method), .def = "penalty", .choices = "penalty|dvi",
     .help = "penalty: contact forces from overlap, any integrator; dvi: complementarity of velocities and impulses, "
             "symplectic-euler only"},
    {"friction", SN_REAL, SN_AT(contact_spec, friction), .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "coefficient of Coulomb friction", .example = "0.3"},
    {"restitution", SN_REAL, SN_AT(contact_spec, restitution), .limits = SN_BETWEEN(0, 1),
     .help = "coefficient of restitution: separation speed over approach speed; default: 1 with penalty, 0 with dvi"},
    {"impact_speed", SN_REAL, SN_AT(contact_spec, impact_speed), .unit = "m/s", .limits = SN_POSITIVE,
     .help = "penalty: approach speed at which the damping gives this restitution"},
    {"damping", SN_REAL, SN_AT(contact_spec, damping), .unit = "s/m", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "penalty: damping factor c of Hunt and Crossley, F = K d^exponent (1 + c d')"},
    {"stiffness", SN_REAL, SN_AT(contact_spec, stiffness), .unit = "N/m^exponent", .limits = SN_POSITIVE,
     .help = "penalty: K of F = K d^exponent; default: by Hertz from materials and radii", .example = "1e6"},
    {"exponent", SN_REAL, SN_AT(contact_spec, exponent), .def = "1.5", .limits = SN_BETWEEN(1, 4),
     .help = "penalty: exponent of the overlap; 1.5 is Hertz; other values need 'stiffness'"},
    {"young", SN_REAL, SN_AT(contact_spec, young), .unit = "Pa", .limits = SN_POSITIVE,
     .help = "penalty: Young's modulus of both surfaces, instead of those of their materials"},
    {"poisson", SN_REAL, SN_AT(contact_spec, poisson), .def = "0.3", .limits = SN_BETWEEN(-1, 0.5),
     .help = "Poisson's ratio for 'young'"},
    {"slip", SN_REAL, SN_AT(contact_spec, slip), .unit = "m/s", .def = "1e-3", .limits = SN_POSITIVE,
     .help = "penalty: sliding speed at which friction reaches its full value (regularization)"},
    {"points", SN_CHOICE, SN_AT(contact_spec, points), .choices = "deepest|all",
     .help = "contact points of the spheres of one element with another element or solid: only the deepest, or all; "
             "default: all against solids and single spheres by penalty, otherwise the deepest"},
    {"exact", SN_BOOL, SN_AT(contact_spec, exact), .def = "false",
     .help = "cables and beams: closest points of the center lines, refined from the deepest spheres; plates: smooth "
             "middle surface against the spheres of the other body"},
    {"activation", SN_REAL, SN_AT(contact_spec, activation), .unit = "m", .limits = SN_NOT_NEGATIVE,
     .help = "dvi: gap below which a contact is active; default: half the smallest radius"},
    {0},
};

static void names_check(sn_reader *reader, const sn_spec *spec) {
  const contact_spec *s = (const contact_spec *)(const void *)spec;
  if (sn_given(spec, "against") && !sn_given(spec, "between"))
    sn_field_error(reader, spec, "against", "a 'between' to go with it", "contact '%s' names only one side",
                   spec->name);
  else if (sn_given(spec, "between") && !sn_given(spec, "against") && s->between.count == 1 && !s->self)
    sn_field_error(reader, spec, "between", "two or more surfaces, 'against', or self: true",
                   "surface '%s' has nothing to touch in contact '%s'", s->between.name[0], spec->name);
}

static void contact_check(sn_reader *reader, const sn_spec *spec) {
  const contact_spec *s = (const contact_spec *)(const void *)spec;
  static const char *const penalty[] = {"impact_speed", "damping", "stiffness", "exponent", "young", "slip"};
  names_check(reader, spec);
  for (size_t k = 0; k < SN_COUNT(penalty); k++)
    if (s->method == 1 && sn_given(spec, penalty[k]))
      sn_field_error(reader, spec, penalty[k], "method: penalty, or no such key", "'%s' has no meaning with method dvi",
                     penalty[k]);
  if (s->method == 0 && sn_given(spec, "activation"))
    sn_field_error(reader, spec, "activation", "method: dvi, or no such key",
                   "'activation' has no meaning with method penalty");
  if (s->method == 0 && sn_given(spec, "restitution") && s->restitution < 1 && !sn_given(spec, "impact_speed"))
    sn_field_error(reader, spec, "restitution", "an 'impact_speed', or 'damping' in place of both",
                   "penalty contact '%s' loses a part of the speed that depends on the speed itself", spec->name);
  if (s->method == 0 && sn_given(spec, "restitution") && !(s->restitution > 0))
    sn_field_error(reader, spec, "restitution", "a restitution above 0, or method: dvi",
                   "springs of penalty contact '%s' part at some speed", spec->name);
  if (sn_given(spec, "damping") && sn_given(spec, "restitution"))
    sn_field_error(reader, spec, "damping", "one of: damping, restitution", "contact '%s' is damped twice", spec->name);
  if (s->method == 0 && s->exponent != 1.5 && !sn_given(spec, "stiffness"))
    sn_field_error(reader, spec, "exponent", "a 'stiffness' to go with it, or exponent 1.5",
                   "contact '%s' has no stiffness: that of Hertz belongs to d^1.5", spec->name);
  if (sn_given(spec, "young") && sn_given(spec, "stiffness"))
    sn_field_error(reader, spec, "young", "one of: stiffness, young", "contact '%s' has two stiffnesses", spec->name);
}

const sn_plain_ops sn_contact_kind = {
    .kind = {.name = "contact",
             .category = SN_CONTACTS,
             .summary = "contact between surfaces",
             .fields = contact_fields,
             .spec_size = sizeof(contact_spec),
             .check = contact_check},
};

static const sn_field none_fields[] = {
    {"between", SN_SURFACE_NAMES, SN_AT(contact_spec, between), .required = true,
     .help = "surfaces without contact between them"},
    {"against", SN_SURFACE_NAMES, SN_AT(contact_spec, against),
     .help = "no contact between the surfaces of 'between' and these; those of 'between' can touch each other"},
    {0},
};

static void none_check(sn_reader *reader, const sn_spec *spec) {
  const contact_spec *s = (const contact_spec *)(const void *)spec;
  if (s->between.count == 1 && !sn_given(spec, "against"))
    sn_field_error(reader, spec, "between", "two or more surfaces, or 'against'",
                   "contact '%s' excludes surface '%s' from nothing", spec->name, s->between.name[0]);
}

const sn_plain_ops sn_contact_none = {
    .kind = {.name = "none",
             .category = SN_CONTACTS,
             .summary = "excluded contact pairs",
             .fields = none_fields,
             .spec_size = sizeof(contact_spec),
             .check = none_check},
};

/* ---- laws ---- */

/* Hunt and Crossley's c from a restitution e at the speed v. From m d'' = -K d^k (1 + c d') follows, way in and way
 * out being equally deep, with x = c v
 *
 *   x - ln(1 + x) = -e x - ln(1 - e x)
 *
 * whatever m, K and k are. For e near 1 this is 3 (1 - e^2)/(4 v), Lankarani's and Nikravesh's. */
static double damping_of(const contact_spec *s) {
  double e = s->restitution, low = 0, high = 1 / e;
  if (!sn_given(s, "restitution") || s->method == 1) return s->damping;
  if (!(e < 1)) return 0;
  for (int k = 0; k < 100; k++) { /* below the root the right side is less */
    double x = (low + high) / 2;
    *(x * (1 + e) > log1p(x) - log1p(-e * x) ? &low : &high) = x;
  }
  return (low + high) / 2 / s->impact_speed;
}

static sn_law law_of(const sn_surfaces *all, const sn_spec *spec) {
  const contact_spec *s = (const contact_spec *)(const void *)spec;
  sn_law law = {.name = spec->name, .spec = spec, .none = spec->kind == &sn_contact_none.kind, .dvi = s->method == 1};
  if (law.none) return law;
  law.exact = s->exact;
  law.points = sn_given(s, "points") ? (sn_touching_points)s->points : law.dvi ? SN_POINTS_DEEPEST : SN_POINTS_USUAL;
  law.self = s->self;
  law.friction = s->friction;
  law.restitution = sn_given(s, "restitution") ? s->restitution : law.dvi ? 0 : 1;
  law.stiffness = s->stiffness;
  law.exponent = s->exponent;
  if (sn_given(s, "young")) law.compliance = 2 * (1 - s->poisson * s->poisson) / s->young;
  law.damping = damping_of(s);
  law.slip = s->slip;
  law.activation = !law.dvi ? 0 : sn_given(s, "activation") ? s->activation : all->margin / 2;
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
  const contact_spec *s = (const contact_spec *)(const void *)law->spec;
  unsigned char role = 0;
  if (s->between.count == 0 || is_named(&s->between, surface)) role |= 1;
  if (is_named(&s->against, surface)) role |= 2;
  return role;
}

static bool covers(const sn_law *law, unsigned char a, unsigned char b) {
  const contact_spec *s = (const contact_spec *)(const void *)law->spec;
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
      if (found >= 0 && s->law[found].none) found = -1;
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
    if (law->none) continue;
    s->penalty |= !law->dvi;
    s->dvi |= law->dvi;
    s->friction |= !law->dvi && (law->friction > 0 || law->damping > 0);
  }
  class_of *classes = SN_NEW(c->arena, class_of, s->surfaces);
  sort_into_classes(c->arena, s, classes);
  fill_table(c, s, classes);
}
