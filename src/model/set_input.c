/* set_input.c - overrides of inputs: "name=expression" takes the place of the default of an input, a number or a function
 * of t, before anything is read. It is then read and checked like one of the file. */
#include <string.h>

#include "model/reader.h"
#include "model/tree.h"

/* The mapping of the input that the override names; NULL: it names none. */
static sn_node *input_of(const sn_node *root, const char *set) {
  const sn_node *inputs = sn_value_of(root, sn_category_key(SN_INPUTS), NULL);
  const size_t length = strcspn(set, "=");
  for (int i = 0; inputs && inputs->type == SN_MAPPING && set[length] && i < inputs->count; i++)
    if (strlen(inputs->key[i]->text) == length && strncmp(inputs->key[i]->text, set, length) == 0)
      return inputs->item[i]->type == SN_MAPPING ? inputs->item[i] : NULL;
  return NULL;
}

/* It stands in no line of the file. */
static sn_node *new_scalar(sn_reader *reader, const char *text) {
  sn_node *node = SN_NEW(reader->arena, sn_node, 1);
  node->text = sn_copy_text(reader->arena, text, strlen(text));
  return node;
}

/* Keys of a signal from a file, which it replaces. */
static bool is_of_file(const char *key) {
  static const char *const keys[] = {"default", "file", "time", "column", "interpolation", "extrapolation"};
  for (size_t i = 0; i < SN_COUNT(keys); i++)
    if (strcmp(keys[i], key) == 0) return true;
  return false;
}

static void place(sn_reader *reader, sn_node *input, const char *text) {
  sn_node **key = SN_NEW(reader->arena, sn_node *, input->count + 1);
  sn_node **item = SN_NEW(reader->arena, sn_node *, input->count + 1);
  int count = 0;
  for (int i = 0; i < input->count; i++)
    if (!is_of_file(input->key[i]->text)) key[count] = input->key[i], item[count++] = input->item[i];
  key[count] = new_scalar(reader, "default");
  item[count++] = new_scalar(reader, text);
  input->key = key;
  input->item = item;
  input->count = count;
}

const char *const *sn_set_inputs(sn_reader *reader, sn_node *root, const char *const *sets, size_t *count) {
  const char **others = SN_NEW(reader->arena, const char *, *count + 1);
  size_t left = 0;
  for (size_t i = 0; i < *count; i++) {
    sn_node *input = input_of(root, sets[i]);
    if (input)
      place(reader, input, strchr(sets[i], '=') + 1);
    else
      others[left++] = sets[i];
  }
  *count = left;
  return others;
}
