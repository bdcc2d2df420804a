/* heaps.c - cables dropped in layers or poured into a box; see bench_contact.c. */
#include "heaps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void need(sn_context *context, sn_status status) {
  if (!status) return;
  fprintf(stderr, "%s\n", sn_message(context));
  exit((int)status);
}

world open_world(char *text, int threads) {
  world w = {.context = sn_context_create()};
  sn_options options = {.threads = threads};
  need(w.context, sn_model_parse(w.context, "bench", text, strlen(text), NULL, 0, &w.model));
  need(w.context, sn_simulation_create(w.model, &options, &w.simulation));
  free(text);
  return w;
}

void close_world(world *w) {
  sn_simulation_free(w->simulation);
  sn_model_free(w->model);
  sn_context_free(w->context);
}

#define CABLE "type: cable, elements: 10, material: rubber, section: round, mass_damping: damping"

/* Cable i: in which tile, layer and row it lies. */
static void put_cable(FILE *out, int i, int tiles) {
  int tile = i % tiles, k = i / tiles, layer = k / ROWS, row = k % ROWS;
  double x = 1.05 * (tile % 10), z = 1.05 * (tile / 10), at = (0.5 + row) / ROWS, y = 0.012 + 0.04 * layer;
  double tilt = 0.004 * ((i * 7) % 5);
  if (layer % 2)
    fprintf(out, "  c%d: {from: [%g, %g, %g], to: [%g, %g, %g], " CABLE "}\n", i, x + at, y, z, x + at, y + tilt,
            z + 1);
  else
    fprintf(out, "  c%d: {from: [%g, %g, %g], to: [%g, %g, %g], " CABLE "}\n", i, x, y, z + at, x + 1, y + tilt,
            z + at);
}

double noise(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 33) / 1073741824.0 - 1.0;
}

/* Cells of 100 poured cables, in rows of `across`: nearly a square. */
static int pour_cells(int cables, int *across) {
  int cells = (cables + 99) / 100;
  for (int k = 1; k * k <= cells; k++)
    if (cells % k == 0) *across = k;
  return cells;
}

#define CELL 1.15 /* m */
#define SHIFT 0.25

/* The same to be poured: cells of 1.15 m, a layer of 10 cables over all cells after the other. */
static void pour_cable(FILE *out, int i, int cells, int across, double shift, uint64_t *seed) {
  int cell = i / 10 % cells, layer = i / 10 / cells, row = i % 10;
  double middle[2] = {CELL * (cell % across) + 0.5, CELL * (cell / across) + 0.5}, turn = 0.05 * noise(seed);
  double side = (row - 4.5) / 10, y = 0.03 + 0.035 * layer + 0.003 * noise(seed), tilt = 0.004 * noise(seed);
  double x = layer % 2 ? side : 0, z = layer % 2 ? 0 : side, dx = 0.5 * cos(turn), dz = 0.5 * sin(turn);
  if (layer % 2) dz = dx, dx = 0.5 * sin(turn);
  middle[layer % 2] += layer % 4 < 2 ? shift : -shift;
  fprintf(out, "  c%d: {from: [%g, %g, %g], to: [%g, %g, %g], " CABLE "}\n", i, middle[0] + x - dx, y,
          middle[1] + z - dz, middle[0] + x + dx, y + tilt, middle[1] + z + dz);
}

char *cables_text(int cables, bool dvi, way how, double damping) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  uint64_t seed = 1;
  int tiles = cables > 100 ? cables / 100 : 1, across = tiles < 10 ? tiles : 10, deep = (tiles + 9) / 10;
  double edge = 1.05, shift = how == MESH ? SHIFT : 0;
  bool pour = how != DROP;
  if (pour) edge = CELL, tiles = pour_cells(cables, &across), deep = tiles / across;
  fprintf(out,
          "sinew: 1\ngravity: [0, -9.81, 0]\nparameters: {damping: %g}\nmaterials: {rubber: {density: 1000, young: "
          "1e6, poisson: 0.4}}\n"
          "sections: {round: {type: circle, radius: 0.01}}\nbodies:\n",
          damping);
  for (int i = 0; i < cables; i++) {
    if (pour)
      pour_cable(out, i, tiles, across, shift, &seed);
    else
      put_cable(out, i, tiles);
  }
  fprintf(out,
          "surfaces:\n  floor: {type: plane, normal: [0, 1, 0]}\n"
          "  w1: {type: plane, at: [%g, 0, 0], normal: [1, 0, 0]}\n"
          "  w2: {type: plane, at: [%g, 0, 0], normal: [-1, 0, 0]}\n"
          "  w3: {type: plane, at: [0, 0, %g], normal: [0, 0, 1]}\n"
          "  w4: {type: plane, at: [0, 0, %g], normal: [0, 0, -1]}\n",
          -0.05 - shift, edge * across + shift, -0.05 - shift, edge * deep + shift);
  for (int i = 0; i < cables; i++) fprintf(out, "  s%d: {type: spheres, on: c%d, count: 101}\n", i, i);
  fprintf(out, "contacts: {all: {friction: 0.3, points: deepest, %s}}\n",
          dvi ? "method: dvi, activation: 0.001" : "damping: 0.5, slip: 0.02");
  fprintf(out, "analysis: {type: dynamics, duration: 1000, integrator: {type: symplectic-euler, step: %g%s}}\n",
          pour && !dvi ? 2.5e-4 : 5e-4, dvi ? ", contact_tolerance: 1e-3" : "");
  fclose(out);
  return text;
}

cell_place pour_place(int cables, int i) {
  int across = 1, cells = pour_cells(cables, &across), cell = i / 10 % cells;
  return (cell_place){cell, 10 * (i / 10 / cells) + i % 10, {CELL * (cell % across), CELL * (cell / across)}};
}

int pour_index(int cables, int cell, int number) {
  int across = 1, cells = pour_cells(cables, &across);
  return 10 * (number / 10 * cells + cell) + number % 10;
}
