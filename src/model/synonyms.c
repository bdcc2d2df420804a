/* synonyms.c - quantities of joints have one name in expressions and another one as columns of outputs; both are
 * understood in both places. The value of a variable or input is `u` in expressions, and the column `u.value`. */
#include <string.h>

#include "model/refer.h"

const char *const sn_joint_words[] = {"angle", "rate", "position", "velocity"};

/* `rate` is that of the angle; of a joint without one, that of the travel. */
static const struct {
  const char *word, *column;
} synonyms[] = {
    {"rate", "angle_rate"}, {"rate", "travel_rate"}, {"position", "travel"}, {"velocity", "travel_rate"}, {"", "value"},
};

int sn_find_word(const char *const *words, int count, const char *word) {
  for (int i = 0; i < count; i++)
    if (strcmp(words[i], word) == 0) return i;
  return -1;
}

int sn_find_joint_word(const char *component) {
  int found = sn_find_word(sn_joint_words, SN_REFERENCE_JOINT_WORDS, component);
  for (size_t i = SN_COUNT(synonyms); i-- > 0 && found < 0;)
    if (strcmp(synonyms[i].column, component) == 0)
      found = sn_find_word(sn_joint_words, SN_REFERENCE_JOINT_WORDS, synonyms[i].word);
  return found;
}

/* Is `name` the begin of `asked` up to its last dot, then this column? */
static bool is_column(const char *name, const char *asked, size_t begin, const char *column) {
  return strncmp(name, asked, begin) == 0 && name[begin] == '.' && strcmp(name + begin + 1, column) == 0;
}

const char *sn_series_meant(const char *const *names, int count, const char *asked) {
  const char *dot = strrchr(asked, '.');
  if (sn_find_word(names, count, asked) >= 0) return asked;
  for (size_t i = 0; i < SN_COUNT(synonyms); i++) {
    if (strcmp(dot ? dot + 1 : "", synonyms[i].word) != 0) continue;
    const size_t begin = dot ? (size_t)(dot - asked) : strlen(asked);
    for (int k = 0; k < count; k++)
      if (is_column(names[k], asked, begin, synonyms[i].column)) return names[k];
  }
  return asked;
}
