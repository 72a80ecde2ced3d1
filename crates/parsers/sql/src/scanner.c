#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"
#include <string.h>

// The scanner reads the quotes of dollar-quoted bodies (`$$`, `$body$`), which may be nested with
// different tags, MySQL's delimiters (`DELIMITER $$`), after which `$$` ends a statement, and the heads
// of definitions (`CREATE OR REPLACE VIEW`).

enum Token {
  DOLLAR_OPEN, DOLLAR_CLOSE, DELIMITER,
  TABLE_HEAD, VIEW_HEAD, TYPE_HEAD, FUNCTION_HEAD, TRIGGER_HEAD, INDEX_HEAD,
};

enum { DEPTH = 4, LENGTH = 30 };

typedef struct {
  // Whether `$$` ends a statement.
  uint8_t dollar_ends;
  uint8_t depth;
  // The tags of the open bodies, without dollar signs.
  char tags[DEPTH][LENGTH];
} Scanner;

void *tree_sitter_whichfn_sql_external_scanner_create(void) {
  return ts_calloc(1, sizeof(Scanner));
}

void tree_sitter_whichfn_sql_external_scanner_destroy(void *payload) {
  ts_free(payload);
}

unsigned tree_sitter_whichfn_sql_external_scanner_serialize(void *payload, char *buffer) {
  memcpy(buffer, payload, sizeof(Scanner));
  return sizeof(Scanner);
}

void tree_sitter_whichfn_sql_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  memset(payload, 0, sizeof(Scanner));
  if (length == sizeof(Scanner)) memcpy(payload, buffer, length);
}

static bool is_space(int32_t c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static bool is_tag(int32_t c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Reads `delimiter` and the delimiter after it.
static bool delimiter(Scanner *scanner, TSLexer *lexer) {
  for (const char *letter = "delimiter"; *letter; letter++) {
    if ((lexer->lookahead | 0x20) != *letter) return false;
    lexer->advance(lexer, false);
  }
  if (lexer->lookahead != ' ' && lexer->lookahead != '\t') return false;
  while (lexer->lookahead == ' ' || lexer->lookahead == '\t') lexer->advance(lexer, false);
  scanner->dollar_ends = lexer->lookahead == '$';
  while (!is_space(lexer->lookahead) && !lexer->eof(lexer)) lexer->advance(lexer, false);
  return true;
}

// A word after CREATE that determines what is created.
static const struct { const char *word; enum Token token; } CREATED[] = {
  {"table", TABLE_HEAD}, {"view", VIEW_HEAD}, {"type", TYPE_HEAD}, {"domain", TYPE_HEAD},
  {"function", FUNCTION_HEAD}, {"procedure", FUNCTION_HEAD}, {"proc", FUNCTION_HEAD}, {"aggregate", FUNCTION_HEAD},
  {"trigger", TRIGGER_HEAD}, {"index", INDEX_HEAD}, {"policy", INDEX_HEAD},
};

// Words between CREATE and such a word.
static const char *const MODIFIERS[] = {
  "or", "replace", "alter", "global", "local", "temp", "temporary", "unlogged", "external", "foreign", "virtual",
  "transient", "materialized", "recursive", "editionable", "noneditionable", "constraint", "force", "noforce", "secure",
  "public", "event", "sql", "security", "invoker", "definer", "algorithm", "undefined", "merge", "temptable",
  "unique", "clustered", "nonclustered", "fulltext", "spatial", "columnstore",
};

enum { WORD = 20 };

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void skip_spaces(TSLexer *lexer) {
  while (is_space(lexer->lookahead)) lexer->advance(lexer, false);
}

// Reads a word in lower case; a word that is too long is empty.
static void read_word(TSLexer *lexer, char word[WORD]) {
  unsigned length = 0;
  for (; is_tag(lexer->lookahead); lexer->advance(lexer, false)) {
    int32_t letter = lexer->lookahead;
    if (length < WORD) word[length++] = (char)(letter >= 'A' && letter <= 'Z' ? letter + 32 : letter);
  }
  word[length < WORD ? length : 0] = 0;
}

static bool is_modifier(const char *word) {
  for (unsigned at = 0; at < COUNT(MODIFIERS); at++) {
    if (strcmp(word, MODIFIERS[at]) == 0) return true;
  }
  return false;
}

// Reads CREATE and the words after it, up to the name.
static bool head(TSLexer *lexer, const bool *valid) {
  char word[WORD];
  read_word(lexer, word);
  if (strcmp(word, "create") != 0) return false;
  for (;;) {
    skip_spaces(lexer);
    read_word(lexer, word);
    for (unsigned at = 0; at < COUNT(CREATED); at++) {
      if (strcmp(word, CREATED[at].word) != 0) continue;
      lexer->mark_end(lexer);
      lexer->result_symbol = CREATED[at].token;
      if (!valid[CREATED[at].token]) return false;
      // CREATE INDEX CONCURRENTLY IF NOT EXISTS
      skip_spaces(lexer);
      read_word(lexer, word);
      if (strcmp(word, "concurrently") == 0 || strcmp(word, "nonconcurrently") == 0) {
        lexer->mark_end(lexer);
        skip_spaces(lexer);
        read_word(lexer, word);
      }
      if (strcmp(word, "if") != 0) return true;
      skip_spaces(lexer);
      read_word(lexer, word);
      if (strcmp(word, "not") != 0) return true;
      skip_spaces(lexer);
      read_word(lexer, word);
      if (strcmp(word, "exists") == 0) lexer->mark_end(lexer);
      return true;
    }
    if (!is_modifier(word)) return false;
    // DEFINER = `name`@`host`
    skip_spaces(lexer);
    if (lexer->lookahead != '=') continue;
    lexer->advance(lexer, false);
    skip_spaces(lexer);
    while (!is_space(lexer->lookahead) && !lexer->eof(lexer)) lexer->advance(lexer, false);
  }
}

bool tree_sitter_whichfn_sql_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  Scanner *scanner = payload;
  bool spaced = is_space(lexer->lookahead);
  while (is_space(lexer->lookahead)) lexer->advance(lexer, true);
  if (lexer->lookahead == 'd' || lexer->lookahead == 'D') {
    lexer->result_symbol = DELIMITER;
    return valid[DELIMITER] && delimiter(scanner, lexer);
  }
  if (lexer->lookahead == 'c' || lexer->lookahead == 'C') return head(lexer, valid);
  if (lexer->lookahead != '$') return false;
  lexer->advance(lexer, false);
  char tag[LENGTH] = {0};
  unsigned length = 0;
  while (is_tag(lexer->lookahead)) {
    if (length + 1 == LENGTH || (length == 0 && lexer->lookahead >= '0' && lexer->lookahead <= '9')) return false;
    tag[length++] = (char)lexer->lookahead;
    lexer->advance(lexer, false);
  }
  if (lexer->lookahead != '$') return false;
  lexer->advance(lexer, false);
  if (scanner->dollar_ends && length == 0) {
    lexer->result_symbol = DELIMITER;
    return valid[DELIMITER];
  }
  for (unsigned at = scanner->depth; at > 0; at--) {
    if (strcmp(scanner->tags[at - 1], tag) == 0) {
      if (!valid[DOLLAR_CLOSE]) return false;
      scanner->depth = (uint8_t)(at - 1);
      lexer->result_symbol = DOLLAR_CLOSE;
      return true;
    }
  }
  if (!valid[DOLLAR_OPEN] || scanner->depth == DEPTH) return false;
  // Part of a name: cost$usd$2.
  if (length > 0 && !spaced && is_tag(lexer->lookahead)) return false;
  memcpy(scanner->tags[scanner->depth++], tag, LENGTH);
  lexer->result_symbol = DOLLAR_OPEN;
  return true;
}
