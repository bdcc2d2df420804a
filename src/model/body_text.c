/* body_text.c - in words: which markers a body has, what outputs record there, and their columns.
 *
 * Nothing of this is written down: the model of the example of a kind is compiled with every output at every marker, and
 * what compiles is listed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/field_text.h"
#include "model/field_type.h"
#include "model/model.h"
#include "model/registry.h"

enum { MOST_MARKERS = 16, MOST_OUTPUTS = 16, TEXT = 600 };

#define OUTPUT(TYPE, key, field, c_type, help, example) {#key, field},
static const struct {
  const char *key;
  sn_type type;
} outputs[] = {
#include "model/outputs.def"
};
enum { OUTPUTS = SN_COUNT(outputs) };
static const char more[] = ", relative_to: \"ground.at(0, 0, 0)\""; /* some need it */
static const char *const own[] = {"resultant", "stress"};           /* their columns depend on the kind of the body */

static const char in_axes[] = "at(x, y, z)"; /* of kinds with the field `points` */

/* What is found at one marker: bit k is set if output k can be recorded there. */
typedef struct place {
  char name[64];     /* "start", "at(s)"; "": the body itself */
  unsigned found[2]; /* in space, in the plane */
  const char *frame;
} place;

typedef struct columns {
  char text[OUTPUTS][2][TEXT];
} columns;

/* Text of the model with the example of the kind (NULL: with what the output names). A body that can be given by its ends is, so that it has them. */
static char *write_model(const sn_kind *kind, bool planar, const char *output) {
  char *example = NULL, *text = NULL;
  size_t length;
  FILE *in = open_memstream(&example, &length), *out = open_memstream(&text, &length);
  if (!in || !out) sn_out_of_memory(0);
  if (kind)
    sn_write_model(in, kind);
  else
    sn_write_model_for(in, output);
  fclose(in);
  const bool ends = kind && sn_field_index(kind, "from") >= 0;
  for (char *line = example, *next; *line; line = next) {
    next = line + strcspn(line, "\n");
    next += *next == '\n';
    if (strncmp(line, "planar:", 7) == 0) continue;
    if (strncmp(line, "sinew:", 6) == 0) {
      fprintf(out, "sinew: 1\n%s", planar ? "planar: true\n" : "");
    } else if (ends && strncmp(line, "    position:", 13) == 0) {
      fputs("    from: [0, 0, 0]\n    to: [1, 0, 0]\n", out);
    } else {
      fprintf(out, "%.*s", (int)(next - line), line);
    }
  }
  fprintf(out, "outputs:\n  my_output: {%s}\n", output);
  fclose(out);
  free(example);
  return text;
}

/* The model if it can be made; to be freed. */
static sn_model *try_model(sn_context *context, const sn_kind *kind, bool planar, const char *output) {
  sn_model *model = NULL;
  char *text = write_model(kind, planar, output);
  sn_status status = sn_model_parse(context, "example", text, strlen(text), NULL, 0, &model);
  free(text);
  return status ? NULL : model;
}

static const char *frame_of(const sn_marker *marker) {
  if (marker->has_slopes) return "section, with its slope vectors";
  if (marker->has_plane) return "surface, with its slope vectors";
  if (marker->has_frame) return "full";
  return marker->has_tangent ? "tangent" : "none";
}

static void list_columns(char text[TEXT], const sn_output *output) {
  size_t used = 0;
  for (int i = 0; i < output->columns && used < TEXT; i++) {
    const char *unit = output->unit[i];
    used += (size_t)snprintf(text + used, TEXT - used, unit[0] ? "%s`%s` (%s)" : "%s`%s`", i ? ", " : "",
                             output->column[i], unit);
  }
}

/* Ask for output k at a marker; more of what it needs is given if it cannot be made without. */
static void try_output(sn_context *context, const sn_kind *kind, bool planar, place *p, const char *marker, int k,
                       columns *all) {
  char output[200];
  sn_model *model = NULL;
  for (int i = 0; i < 2 && !model; i++) {
    snprintf(output, sizeof output, "%s: \"%s\"%s", outputs[k].key, marker, i ? more : "");
    model = try_model(context, kind, planar, output);
  }
  if (!model) return;
  p->found[planar] |= 1u << k;
  if (strcmp(outputs[k].key, "point") == 0) p->frame = frame_of(&model->output[0].marker);
  list_columns(all->text[k][planar], &model->output[0]);
  sn_model_free(model);
}

/* "start", "at(s)" of "start, end, at(s)"; how long it is */
static int length_of_name(const char *text) {
  int depth = 0, n = 0;
  for (; text[n] && (depth || text[n] != ','); n++) depth += (text[n] == '(') - (text[n] == ')');
  return n;
}

/* A marker as a model names it: numbers for the arguments of at( ). */
static void name_marker(const sn_kind *kind, const char *name, char *marker, size_t size) {
  const char *body = strcmp(kind->name, "ground") == 0 ? "ground" : "my_body";
  const char *open = strchr(name, '(');
  int arguments = 1;
  for (const char *at = open; at && *at; at++) arguments += *at == ',';
  if (!name[0])
    snprintf(marker, size, "%s", body);
  else if (!open)
    snprintf(marker, size, "%s.%.60s", body, name);
  else
    snprintf(marker, size, "%s.%.*s(%s)", body, (int)(open - name), name,
             arguments == 1   ? "0.4"
             : arguments == 2 ? "0.4, 0.4"
                              : "0.1, 0, 0");
}

static void ask(sn_context *context, const sn_kind *kind, place *p, columns *all) {
  char marker[120];
  name_marker(kind, p->name, marker, sizeof marker);
  for (int planar = 0; planar < 2; planar++)
    for (int k = 0; k < OUTPUTS; k++)
      if (outputs[k].type == SN_MARKER) try_output(context, kind, planar, p, marker, k, all);
}

/* The markers of a body and what is found there. */
static int find_places(sn_context *context, const sn_kind *kind, place places[MOST_MARKERS], columns *all) {
  const char *landmarks = ((const sn_body_ops *)(const void *)kind)->landmarks;
  int count = 0;
  memset(places, 0, MOST_MARKERS * sizeof *places);
  places[count++].name[0] = 0;
  for (const char *at = landmarks ? landmarks : ""; *at && count < MOST_MARKERS; at += strspn(at, ", ")) {
    const int n = length_of_name(at);
    snprintf(places[count++].name, sizeof places->name, "%.*s", n, at);
    at += n;
  }
  if (sn_field_index(kind, "points") >= 0 && count < MOST_MARKERS)
    snprintf(places[count++].name, sizeof places->name, "%s", in_axes);
  for (int i = 0; i < count; i++) ask(context, kind, &places[i], all);
  return count;
}

static bool is_alike(const place *a, const place *b) {
  return a->found[0] == b->found[0] && a->found[1] == b->found[1] && (a->frame == b->frame);
}

/* Text between backticks on a page, without them in a terminal. */
static void put_text(FILE *out, const char *text, bool markdown) {
  for (; *text; text++)
    if (markdown || *text != '`') fputc(*text, out);
}

static void put_found(FILE *out, unsigned found) {
  bool any = false;
  for (int k = 0; k < OUTPUTS; k++) {
    if (!(found & 1u << k)) continue;
    fprintf(out, "%s%s", any ? ", " : "", outputs[k].key);
    any = true;
  }
  if (!any) fputs("none", out);
}

/* One line for all markers like that of `first`. */
static void put_places(FILE *out, const place *places, int count, int first, bool markdown) {
  const char *tick = markdown ? "`" : "";
  fputs(markdown ? "| " : "  ", out);
  for (int i = first, any = 0; i < count; i++) {
    if (!is_alike(&places[first], &places[i])) continue;
    fprintf(out, "%s%s%s%s", any++ ? ", " : "", tick, places[i].name[0] ? places[i].name : "body", tick);
    if (strcmp(places[i].name, in_axes) == 0) fprintf(out, " in body axes, names of %spoints%s", tick, tick);
  }
  const char *frame = places[first].frame ? places[first].frame : "row of points, for joints";
  const unsigned *found = places[first].found;
  fprintf(out, markdown ? " | %s | " : "\n      frame: %s\n      outputs: ", frame);
  put_found(out, found[0] ? found[0] : found[1]);
  if (found[0] && found[1] && found[0] != found[1]) {
    fputs(markdown ? "; planar: " : "\n      outputs in planar models: ", out);
    put_found(out, found[1]);
  }
  fputs(markdown ? " |\n" : "\n", out);
}

static void put_columns(FILE *out, const char *key, const char *where, const char *text, bool markdown) {
  if (!text[0]) return;
  fprintf(out, markdown ? "| `%s` | %s | " : "  %-11s  %-8s  ", key, where);
  put_text(out, text, markdown);
  fputs(markdown ? " |\n" : "\n", out);
}

static void put_key(FILE *out, int k, const columns *all, bool markdown) {
  const char *key = outputs[k].key, *space = all->text[k][0], *plane = all->text[k][1];
  if (strcmp(space, plane) == 0) {
    put_columns(out, key, "any", space, markdown);
    return;
  }
  put_columns(out, key, "in space", space, markdown);
  put_columns(out, key, "planar", plane, markdown);
}

static bool is_own(int k) {
  for (size_t i = 0; i < SN_COUNT(own); i++)
    if (strcmp(outputs[k].key, own[i]) == 0) return true;
  return false;
}

/* Columns of the outputs that depend on the kind of the body, or of all others. */
static void put_all_columns(FILE *out, const columns *all, bool of_kind, bool markdown) {
  bool any = false;
  for (int k = 0; k < OUTPUTS; k++) {
    if (is_own(k) != of_kind || (!all->text[k][0][0] && !all->text[k][1][0])) continue;
    if (!any) fputs(markdown ? "\n| Output | Model | Columns |\n|---|---|---|\n" : "\nColumns of outputs:\n", out);
    any = true;
    put_key(out, k, all, markdown);
  }
}

static void put_markers(FILE *out, const place *places, int count, bool markdown) {
  fputs(markdown ? "\n| Marker | Frame | Outputs |\n|---|---|---|\n" : "\nMarkers:\n", out);
  for (int i = 0; i < count; i++) {
    bool first = true;
    for (int j = 0; j < i; j++) first &= !is_alike(&places[j], &places[i]);
    if (first) put_places(out, places, count, i, markdown);
  }
}

void sn_put_body(FILE *out, const sn_kind *kind, bool markdown) {
  if (kind->category != SN_BODIES) return;
  place places[MOST_MARKERS];
  columns *all = sn_new(1, sizeof *all);
  sn_context *context = sn_context_create();
  if (!context) sn_out_of_memory(0);
  const int count = find_places(context, kind, places, all);
  const int bare = !places[0].found[0] && !places[0].found[1]; /* the name of the body alone is no marker */
  put_markers(out, places + bare, count - bare, markdown);
  put_all_columns(out, all, true, markdown);
  sn_context_free(context);
  sn_free(all);
}

/* Of outputs that are alike for all bodies. */
void sn_put_outputs(FILE *out, const sn_kind *kind, bool markdown) {
  if (kind->category != SN_OUTPUTS) return;
  columns *all = sn_new(1, sizeof *all);
  sn_context *context = sn_context_create();
  if (!context) sn_out_of_memory(0);
  for (int k = 0; k < OUTPUTS; k++)
    for (int planar = 0; planar < 2; planar++) {
      char output[200];
      snprintf(output, sizeof output, "%s: %s%s", outputs[k].key, sn_types[outputs[k].type]->example,
               strcmp(outputs[k].key, "relative") ? "" : more);
      sn_model *model = try_model(context, NULL, planar, output);
      if (model) list_columns(all->text[k][planar], &model->output[0]);
      sn_model_free(model);
    }
  put_all_columns(out, all, false, markdown);
  sn_context_free(context);
  sn_free(all);
}
