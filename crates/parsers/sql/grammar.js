// A tolerant grammar for SQL in all dialects. It recognizes what a statement defines and which tables, views and
// functions it names. Everything else is a sequence of words, strings and signs, so an unknown statement is not a syntax
// error.
//
// The crate tree-sitter-generate 0.27.1 generated `src/parser.c`, with ABI 15. After a change, generate it again
// (`tree-sitter generate --abi 15` uses the same crate), and delete `src/grammar.json` and `src/node-types.json`.

const word = text => new RegExp(text, "i");

// Words that are neither names nor calls.
const WORDS = [
  "after", "all", "and", "any", "asc", "before", "between", "bigint", "by", "cascade", "char", "check", "collate",
  "commit", "constraint", "cross", "decimal", "declare", "default", "deferrable", "desc", "distinct", "do",
  "drop", "each", "else", "elseif", "elsif", "except", "exception", "exists", "false", "fetch", "filter", "for",
  "foreach", "foreign", "full", "grant", "group", "having", "ilike", "in", "inner", "inout", "instead", "int",
  "integer", "intersect", "interval", "left", "like", "limit", "loop", "merge", "minus", "natural", "no",
  "not", "nowait", "null", "numeric", "nvarchar", "of", "offset", "open", "or", "order", "out", "outer", "over",
  "partition", "primary", "restrict", "return", "returning", "revoke", "right", "rollback", "similar", "some",
  "tablesample", "then", "to", "true", "union", "unique", "using", "values", "varchar", "varchar2", "when",
  "where", "while", "window", "with", "within", "without", "xor",
];

module.exports = grammar({
  name: "whichfn_sql",
  // The heads of definitions (`CREATE OR REPLACE TABLE IF NOT EXISTS`) are single tokens, so that one token of lookahead
  // distinguishes a definition in a body from the end of the body.
  externals: $ => [
    $._dollar_open, $._dollar_close, $._delimiter,
    $._table_head, $._view_head, $._type_head, $._function_head, $._trigger_head, $._index_head,
  ],
  extras: $ => [/\s/, $.comment],

  rules: {
    source_file: $ => repeat(choice($._element, $._dollar_close, $.end)),

    // --- Tokens; of two that match the same text, the first is chosen ---

    words: $ => choice(
      word(`(${WORDS.join("|")})`),
      token(word("distinct\\s+from|execute\\s+as\\s+\\w+|for\\s+(no\\s+key\\s+)?update|on\\s+(delete|update|conflict)|" +
        "or\\s+(insert|update|delete)|update\\s+of|comment\\s+on"))),
    write_word: $ => choice(alias($._update, "update"), alias($._write_, "write")),
    _select: $ => alias($._select_, $.words),
    _write: $ => alias($._write_, $.words),
    _select_: $ => word("select"),
    _write_: $ => word("(insert|delete|alter|if|set|truncate|replace)"),
    _as: $ => word("(as|is)"),
    _materialized: $ => token(word("(not\\s+)?materialized")),
    _on: $ => word("on"),
    _only: $ => choice(word("only"), word("lateral"), token(word("if\\s+(not\\s+)?exists"))),
    _from: $ => word("from"),
    _into: $ => word("into"),
    _update: $ => word("update"),
    _table: $ => word("table"),
    _join: $ => word("(join|references)"),
    _case: $ => word("case"),
    _begin: $ => choice(word("begin"), token(word("begin\\s+(try|catch|atomic)"))),
    _begin_transaction: $ => token(word(
      "begin\\s*(;|(tran|transaction|work|isolation|read|deferred|immediate|exclusive)[ \\t;\\n])")),
    end: $ => choice(word("end"), token(word("end\\s+(try|catch)"))),
    _end_case: $ => token(word("end[ \\t]+case")),
    _end_part: $ => token(word("end[ \\t]+(if|loop|while|repeat|for)")),
    _execute: $ => word("(execute|exec|call)"),
    _returns: $ => word("returns"),
    _setof: $ => word("setof"),
    go: $ => word("go"),

    // In some dialects, a backslash before a quote is an escape.
    string: $ => /[eEnNbBxXuU]?'([^'\\]|''|\\[^']|\\'[A-Za-z0-9])*\\?'?/,
    number: $ => /\d[\w.]*/,
    variable: $ => /[@:$&%?][\w@$]*/,
    // `\d` and the like are commands of psql.
    sign: $ => choice(
      /[!*+\/<=>\\^{|}~\x2d]/, ".", ".*", "::", ":=", "[", "]", '"', "`", "#", /\\[a-z!?][^\n]*/,
      token(word("operator\\s*\\([^()\\s]+\\)"))),
    identifier: $ => /[A-Za-z_#\u{aa}-\u{10ffff}][\w#@\u{aa}-\u{10ffff}]*/u,

    _element: $ => choice($._definition, $._item, $._select, $._write, $._separator),
    _separator: $ => choice(";", $.go, $._delimiter, $._begin_transaction),
    _definition: $ => choice($.create_table, $.create_view, $.create_type, $.create_function, $.create_trigger, $.create_index),

    // --- Definitions ---

    create_table: $ => prec.right(seq(
      alias($._table_head, $.head), $.name, optional($.columns), repeat($._item), optional($._query))),
    columns: $ => prec(3, $._parenthesized),
    create_view: $ => prec.right(seq(
      alias($._view_head, $.head), $.name, repeat(choice($._plain_item, $._on)), optional($.query))),
    query: $ => prec.right(seq($._as, repeat(choice($._item, $._select)))),
    create_type: $ => prec.right(seq(alias($._type_head, $.head), $.name, repeat($._item))),
    _query: $ => prec.right(seq($._select, repeat(choice($._item, $._select)))),

    create_function: $ => prec.right(seq(
      alias($._function_head, $.head), $.name, optional($.parameters), optional($._routine))),
    parameters: $ => prec(3, $._parenthesized),
    create_trigger: $ => prec.right(seq(
      alias($._trigger_head, $.head), $.name, repeat(choice($.name, $.words, ",", $.write_word)), $.on_table,
      optional($._routine))),
    // Indexes and policies name a table.
    create_index: $ => seq(alias($._index_head, $.head), optional($.name), optional($.words), $.on_table),
    on_table: $ => seq($._on, optional($._only), $.name),

    // A body of statements after AS reaches to GO, to the next function or to the end of the file.
    _routine: $ => prec.right(seq(
      repeat1(choice($._plain_item, $.as_body, $._on)), optional(choice($._statements, $.open_body)))),
    _statements: $ => prec.right(seq(choice($._select, $._write), repeat(choice($._item, $._select, $._write)))),
    as_body: $ => prec.right(seq($._as, choice($.string, $.dollar_body, $._parenthesized))),
    open_body: $ => prec.right(seq(
      $._as,
      choice($._select, $._write, $.words, $.block, $.name, $.call, $.case_expression, $.execute, $.relation, $.variable),
      repeat(choice($._item, $._select, $._write, ";", $._begin_transaction, $.create_table, $.create_index)))),

    // --- Bodies ---

    dollar_body: $ => seq($._dollar_open, repeat(choice($._element, $.end)), $._dollar_close),
    block: $ => seq(alias($._begin, $.begin), repeat($._element), $.end),
    case_expression: $ => seq(
      $._case, repeat(choice($._item, $._select, $._write, ";")), choice($.end, alias($._end_case, $.end))),

    // --- Items: what a statement consists of ---

    _item: $ => choice($._plain_item, $._aliased, $._on),
    _plain_item: $ => choice(
      $.relation, $.call, $.execute, $.name, $.words, $.block, $.case_expression, $.dollar_body,
      $._parenthesized, $.string, $.number, $.variable, $.sign, ",", $.row_type, $.returns,
      alias(choice($._only, $._setof, $._end_part), $.words)),
    _aliased: $ => prec.right(choice($.cte, seq($.name, $._as), seq($.call, $._as), $._as)),
    cte: $ => prec.right(1, seq(choice($.name, $.call), $._as, optional($._materialized), $._parenthesized)),
    _parenthesized: $ => seq("(", repeat(choice($._item, $._select, $._write, ";")), ")"),

    relation: $ => prec.right(seq(
      choice($._from, $._into, $._update, $._table, $._join),
      optional($._related))),
    _related: $ => prec.right(seq($._from_item, repeat(prec.right(1, seq(",", $._from_item))))),
    _from_item: $ => prec.right(1, seq(
      optional($._only), choice(alias($.name, $.table), $.call, $._parenthesized),
      optional(choice(seq($._as, optional($.alias)), $.alias)))),
    alias: $ => $._part,

    call: $ => prec(2, seq($.name, $.arguments)),
    arguments: $ => prec(3, $._parenthesized),
    execute: $ => prec.right(seq(
      $._execute, optional(seq($.variable, $.sign)), optional(alias(word("(function|procedure)"), $.words)),
      optional(seq($.name, optional($.arguments))))),
    returns: $ => prec.right(seq(
      $._returns, choice(seq($._table, optional($._parenthesized)), seq(optional(alias($._setof, $.setof)), optional($.name))))),
    row_type: $ => seq($.name, token(word("%\\s*rowtype"))),

    name: $ => prec.right(seq(
      optional($.prefix), $._part,
      repeat(seq(choice(".", ".."), choice($._part, alias($.words, $.identifier)))))),
    _part: $ => prec.right(choice(
      $.template,
      $.identifier,
      seq('"', optional(alias($.quoted, $.identifier)), token.immediate('"')),
      seq("`", optional(alias($.quoted_back, $.identifier)), token.immediate("`")),
      seq("[", alias($.bracketed, $.identifier), optional(token.immediate("]"))))),
    quoted: $ => token.immediate(prec(1, /[^"\n]+/)),
    quoted_back: $ => token.immediate(prec(1, /[^`\n]+/)),
    bracketed: $ => token.immediate(prec(1, /[A-Za-z_#\u{aa}-\u{10ffff}][\w $#@\u{aa}-\u{10ffff}-]*/u)),

    // A schema that psql, SQL*Plus or an extension of PostgreSQL fills in: :schema.users, &schema.users, @extschema@.users
    prefix: $ => /[:&]"?[A-Za-z_]\w*"?\.\.?|@[A-Za-z_:]+@\./,
    // A value that a program fills in: {{ name }}
    template: $ => /\{\{[^{}\n]*\}\}/,
    comment: $ => token(choice(/--[^\n]*/, /#[ \t][^\n]*/, /\/\*([^*]|\*+[^*\/])*(\*+\/)?/)),
  },
});
