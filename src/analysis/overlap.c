/* overlap.c - penalty contacts that go too deep: at the start, and when a step was too long. */
#include "analysis/overlap.h"

#include <math.h>
#include <string.h>

#include "analysis/evidence.h"
#include "analysis/trust.h"
#include "analysis/trust_remedy.h"
#include "contact/law.h"

/* Shares of the radius: a start below the first is as meant; what is above the second is not. */
static const double touching = 1e-3, overlapping = 0.1;

/* Radius of the ball of side 0; that of Hertz where there is none, or where it is the rounding of an edge or a rim. */
static double size_of(const sn_contact *x) {
  return fmax(x->arm - x->gap / 2, x->radius);
}

static sn_least worst_of_piece(void *user, int first, int last) {
  const sn_contacts *c = user;
  sn_least least = {INFINITY, -1};
  for (int i = first; i < last; i++) {
    const double depth = c->contact[i]->gap / size_of(c->contact[i]);
    if (depth < least.value) least = (sn_least){depth, i};
  }
  return least;
}

static const sn_contact *worst_of(sn_simulation *s) {
  enum { GRAIN = 512 }; /* contacts of a task */
  sn_contacts *c = s->system->contacts;
  sn_contacts_detect(c, s->system->threads, s->state.q);
  const sn_least worst = sn_threads_least(s->system->threads, c->count, GRAIN, worst_of_piece, c);
  return worst.index >= 0 ? c->contact[worst.index] : NULL;
}

const char *sn_names_of_contact(sn_simulation *s, const sn_contact *x) {
  const sn_contacts *c = s->system->contacts;
  return sn_format(&s->arena, "surfaces '%s' of '%s' and '%s' of '%s'", sn_contact_surface(c, x, 0),
                   sn_contact_body(c, x, 0), sn_contact_surface(c, x, 1), sn_contact_body(c, x, 1));
}

sn_status sn_check_start_overlap(sn_simulation *s) {
  if (!s->model->surfaces) return SN_OK;
  const sn_contact *x = worst_of(s);
  if (!x || !(-x->gap > touching * size_of(x))) return SN_OK;
  if (-x->gap > overlapping * size_of(x))
    return sn_fail(s->context, SN_BAD_MODEL,
                   "%s overlap by %.3g m at the start, at [%.4g, %.4g, %.4g]\n  possible remedy: initial positions "
                   "further apart, or an entry 'type: none' under contacts for surfaces that overlap by design",
                   sn_names_of_contact(s, x), -x->gap, x->point[0], x->point[1], x->point[2]);
  sn_add_note(s, sn_format(&s->arena, "%s overlap by %.3g m at the start", sn_names_of_contact(s, x), -x->gap));
  return SN_OK;
}

/* Step that follows a contact of this stiffness: a fifth of 1/w, w2 = F'(d)/m at d = R/10, 1/m = D M^-1 D'. */
static double step_for(sn_simulation *s, const sn_contact *x) {
  sn_system *sys = s->audit;
  int index[SN_CONTACT_COORDINATES];
  double frame[3][3], D[3][SN_CONTACT_COORDINATES], inverse = 0;
  if (!sn_system_factor_mass(sys, &s->state)) return NAN;
  memset(s->scratch, 0, (size_t)(sys->n + sys->m) * sizeof(double));
  int count = sn_contact_jacobian(sys->contacts, x, s->state.q, frame, index, D);
  for (int i = 0; i < count; i++) s->scratch[index[i]] += D[0][i];
  sn_system_solve(sys, s->scratch);
  for (int i = 0; i < count; i++) inverse += D[0][i] * s->scratch[index[i]];
  return 0.2 / sqrt(sn_press_slope(&sys->contacts->surfaces->law[x->law], x->stiffness, 0.1 * size_of(x)) * inverse);
}

sn_status sn_check_overlap(sn_simulation *s) {
  if (!s->model->surfaces || !s->model->surfaces->penalty) return SN_OK;
  const sn_contact *x = worst_of(s);
  if (!x || s->model->surfaces->law[x->law].dvi) return SN_OK;
  const sn_contacts *c = s->system->contacts;
  sn_evidence_overlap(s, -x->gap / size_of(x), (const char *[]){sn_contact_body(c, x, 0), sn_contact_body(c, x, 1)});
  if (!(-x->gap > size_of(x))) return SN_OK;
  const sn_contact deep = *x;
  double h = s->state.t - s->before.t, short_step = step_for(s, &deep);
  const char *what = "a stiffer contact ('stiffness')";
  if (short_step < h) what = sn_format(&s->arena, "a step below %.2g s", short_step);
  return sn_fail(s->context, SN_NUMERICS,
                 "contact is lost at t = %g s, step %g s: %s penetrate each other by %.3g m, more than the radius %.3g "
                 "m\n  possible remedy: %s, or method: dvi",
                 s->state.t, h, sn_names_of_contact(s, &deep), -deep.gap, size_of(&deep), what);
}

/* ---- what a step passes over ---- */

/* Pairs of items that touch at the ends of a step, as far as there is room. */
enum { MOST_PAIRS = 256 };
typedef struct touching_pairs {
  int count, item[MOST_PAIRS][2];
} touching_pairs;

static bool overlaps(const sn_contacts *c, const sn_contact *x) {
  return x->gap < 0 && !c->surfaces->law[x->law].dvi;
}

static void add_touching(sn_simulation *s, const double *q, touching_pairs *y) {
  sn_contacts *c = s->system->contacts;
  sn_contacts_detect(c, s->system->threads, q);
  for (int i = 0; i < c->count && y->count < MOST_PAIRS; i++) {
    if (!overlaps(c, c->contact[i])) continue;
    for (int k = 0; k < 2; k++) y->item[y->count][k] = c->contact[i]->side[k].item;
    y->count++;
  }
}

static bool is_among(const touching_pairs *y, const sn_contact *x) {
  for (int i = 0; i < y->count; i++)
    if ((y->item[i][0] == x->side[0].item && y->item[i][1] == x->side[1].item) ||
        (y->item[i][0] == x->side[1].item && y->item[i][1] == x->side[0].item))
      return true;
  return false;
}

/* The deepest contact within the last step that its ends do not have; *t is its time. */
static bool deepest_between(sn_simulation *s, int parts, sn_contact *deepest, double *t) {
  sn_contacts *c = s->system->contacts;
  double h = s->state.t - s->before.t;
  touching_pairs ends = {.count = 0};
  add_touching(s, s->before.q, &ends);
  add_touching(s, s->state.q, &ends);
  deepest->gap = 0;
  for (int k = 1; k < parts; k++) {
    double at = s->before.t + h * k / parts;
    sn_interpolate(s, at, &s->sample);
    sn_contacts_detect(c, s->system->threads, s->sample.q);
    for (int i = 0; i < c->count; i++) {
      const sn_contact *x = c->contact[i];
      if (overlaps(c, x) && x->gap < deepest->gap && !is_among(&ends, x)) *deepest = *x, *t = at;
    }
  }
  return deepest->gap < 0;
}

void sn_check_passing(sn_simulation *s, long searches) {
  enum { MOST_PARTS = 64, MOST_WORDS = 3 };
  sn_contacts *c = s->system->contacts;
  sn_contact x;
  double t = 0, h = s->state.t - s->before.t;
  if (!c || !c->surfaces->penalty || c->rebuilds == searches) return; /* nothing has gone far */
  double parts = h / sn_contacts_safe_time(c, s->system->threads, s->before.q, s->before.v);
  if (!(parts > 2) || !deepest_between(s, (int)fmin(ceil(parts), MOST_PARTS), &x, &t)) return;
  if (++s->passed > MOST_WORDS) return; /* the first few are sufficient */
  sn_add_doubt(
      s, -x.gap > overlapping * size_of(&x) ? SN_BAD : SN_DOUBTFUL,
      sn_format(
          &s->arena,
          "%s overlapped at t = %.6g s near [%.4g, %.4g, %.4g] by %.3g m within a step of %.3g s that did not detect "
          "it: they may have passed through each other. Possible remedy: a step below %.2g s%s",
          sn_names_of_contact(s, &x), t, x.point[0], x.point[1], x.point[2], -x.gap, h, h / parts,
          sn_remedy_adaptive(s)));
}
