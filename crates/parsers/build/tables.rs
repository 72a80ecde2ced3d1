//! Cuts the large tables out of a generated `parser.c`, and evaluates their initializers.
//!
//! tree-sitter generates each `parser.c` in the same form. A table is an array of numbers whose
//! initializer uses names of symbols (`sym_identifier`) and a few macros (`ACTIONS(7)`). Text in any
//! other form is an error, and the caller then uses the parser of the crate.

use std::collections::HashMap;
use std::fmt::Write as _;

/// A `parser.c` without its large tables.
pub struct Cut {
    /// C code. Its tables are variables that contain only zeros.
    pub source: String,
    /// Name of the C function that returns the parser.
    pub function: String,
    /// Name of the C array with the addresses and sizes of the tables.
    pub addresses: String,
    /// Tables in the order of the array.
    pub tables: Vec<Table>,
}

/// The contents of one table.
pub struct Table {
    /// Number of bytes of one number: 2 or 4.
    pub width: usize,
    /// Numbers of the table.
    pub numbers: Vec<u32>,
}

/// Names of the tables, the type of their numbers, and its width in bytes.
const TABLES: [(&str, &str, usize); 3] = [
    ("ts_parse_table", "uint16_t", 2),
    ("ts_small_parse_table", "uint16_t", 2),
    ("ts_small_parse_table_map", "uint32_t", 4),
];

/// Cuts the tables out of the text of a `parser.c`.
///
/// # Errors
/// Returns a description of the first thing that does not have the form that tree-sitter generates.
pub fn cut(text: &str) -> Result<Cut, String> {
    let names = Names::read(text);
    let original =
        between(text, "TS_PUBLIC const TSLanguage *", "(void) {").ok_or("the parser's function is missing")?;
    let function = format!("whichfn_{original}");
    let addresses = format!("{function}_tables");
    let mut source = String::new();
    let mut rest = text;
    let mut tables = Vec::new();
    let mut rows = String::new();
    for (name, number, width) in TABLES {
        let start = format!("\nstatic const {number} {name}[");
        // A parser whose states all have a row in the first table has no other tables.
        let Some((before, after)) = rest.split_once(start.as_str()) else { continue };
        let (dimensions, after) = after.split_once(" = {\n").ok_or_else(|| format!("{name} has no initializer"))?;
        let (body, after) = after.split_once("\n};").ok_or_else(|| format!("{name} does not end"))?;
        let columns = dimensions.ends_with("[SYMBOL_COUNT]").then(|| names.value("SYMBOL_COUNT")).transpose()?;
        let initializer = Initializer { rest: body, names: &names };
        let mut numbers = initializer.numbers(columns).map_err(|what| format!("{name}: {what}"))?;
        let shape = match columns {
            Some(columns) => {
                let rows = names.value("LARGE_STATE_COUNT")?;
                numbers.resize((rows * columns) as usize, 0);
                format!("{rows}][{columns}")
            }
            None => numbers.len().to_string(),
        };
        if width == 2 && numbers.iter().any(|&number| number > u32::from(u16::MAX)) {
            return Err(format!("{name} has a number above 65,535"));
        }
        // Formatting into a `String` cannot fail.
        let _ = write!(source, "{before}\nstatic {number} {name}[{shape}];");
        let _ = write!(rows, " {{ {name}, sizeof {name} }},");
        tables.push(Table { width, numbers });
        rest = after;
    }
    if tables.is_empty() {
        return Err("there are no tables".to_string());
    }
    source += &rest.replace(&format!("*{original}(void) {{"), &format!("*{function}(void) {{"));
    let _ = writeln!(source, "\nstruct whichfn_table {{ void *start; size_t size; }};");
    let _ = writeln!(source, "const struct whichfn_table {addresses}[] = {{{rows} }};");
    Ok(Cut { source: format!("#include <stddef.h>\n{source}"), function, addresses, tables })
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    text.split_once(before)?.1.split_once(after).map(|(found, _)| found)
}

/// Constants of a `parser.c`.
struct Names<'t>(HashMap<&'t str, u32>);

impl<'t> Names<'t> {
    /// Reads `#define NAME 7` and the entries of enumerations, `name = 7,`.
    fn read(text: &'t str) -> Self {
        let header = text.split_once("\nstatic ").map_or(text, |(header, _)| header);
        let constant = |line: &'t str| {
            let (name, number) = match line.strip_prefix("#define ") {
                Some(definition) => definition.split_once(' ')?,
                None => line.trim_start().strip_suffix(',')?.split_once(" = ")?,
            };
            Some((name, number.parse().ok()?))
        };
        // Number 0 has its name in `parser.h`.
        Self(header.lines().filter_map(constant).chain([("ts_builtin_sym_end", 0)]).collect())
    }

    fn value(&self, name: &str) -> Result<u32, String> {
        self.0.get(name).copied().ok_or_else(|| format!("unknown name {name}"))
    }
}

/// Largest number of numbers in a table: eight times the largest table known.
const MOST: usize = 1 << 24;

/// The part of an initializer that has not been read yet.
struct Initializer<'t> {
    rest: &'t str,
    names: &'t Names<'t>,
}

impl Initializer<'_> {
    /// Evaluates an initializer. An array with two dimensions has `columns` numbers in each row.
    fn numbers(mut self, columns: Option<u32>) -> Result<Vec<u32>, String> {
        let mut numbers = Vec::new();
        let (mut row, mut position, mut in_row) = (0, 0, columns.is_none());
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\n', ',']);
            let Some(first) = self.rest.bytes().next() else { break };
            match (first, columns) {
                (b'[', _) => {
                    let index = self.designator()?;
                    *(if in_row { &mut position } else { &mut row }) = index as usize;
                }
                (b'{', Some(columns)) if !in_row => {
                    self.rest = &self.rest[1..];
                    numbers.resize(numbers.len().max((row + 1).min(MOST) * columns as usize), 0);
                    (in_row, position) = (true, 0);
                }
                (b'}', Some(_)) if in_row => {
                    self.rest = &self.rest[1..];
                    (in_row, row) = (false, row + 1);
                }
                _ if !in_row => return Err(format!("a number outside a row: {}", self.start())),
                _ => {
                    let number = self.expression()?;
                    let at = columns.map_or(0, |columns| row * columns as usize) + position;
                    if at >= MOST || columns.is_some_and(|columns| position >= columns as usize) {
                        return Err(format!("index {at} is too large"));
                    }
                    numbers.resize(numbers.len().max(at + 1), 0);
                    numbers[at] = number;
                    position += 1;
                }
            }
        }
        Ok(numbers)
    }

    /// Reads `[7] =`.
    fn designator(&mut self) -> Result<u32, String> {
        self.rest = &self.rest[1..];
        let index = self.expression()?;
        self.rest =
            self.rest.strip_prefix("] = ").ok_or_else(|| format!("an index without a value: {}", self.start()))?;
        Ok(index)
    }

    /// Reads a number, a name, or a macro with a number.
    fn expression(&mut self) -> Result<u32, String> {
        let end = self.rest.bytes().position(|byte| !byte.is_ascii_alphanumeric() && byte != b'_');
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        let Some(argument) = rest.strip_prefix('(') else {
            return if word.starts_with(|first: char| first.is_ascii_digit()) {
                word.parse().map_err(|_| format!("not a number: {word}"))
            } else {
                self.names.value(word)
            };
        };
        self.rest = argument;
        let number = self.expression()?;
        self.rest = self.rest.strip_prefix(')').ok_or_else(|| format!("no end of {word}: {}", self.start()))?;
        match word {
            "ACTIONS" | "STATE" => Ok(number),
            "SMALL_STATE" => number
                .checked_sub(self.names.value("LARGE_STATE_COUNT")?)
                .ok_or_else(|| format!("state {number} is not small")),
            _ => Err(format!("unknown macro {word}")),
        }
    }

    /// Returns the next characters, for messages.
    fn start(&self) -> String {
        self.rest.chars().take(20).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::cut;

    const PARSER: &str = "
#define STATE_COUNT 3
#define LARGE_STATE_COUNT 2
#define SYMBOL_COUNT 3

enum ts_symbol_identifiers {
  sym_name = 1,
  anon_sym_SEMI = 2,
};

static const char * const ts_symbol_names[] = {
};

static const uint16_t ts_parse_table[LARGE_STATE_COUNT][SYMBOL_COUNT] = {
  [STATE(0)] = {
    [ts_builtin_sym_end] = ACTIONS(7),
    [anon_sym_SEMI] = STATE(5),
  },
};

static const uint16_t ts_small_parse_table[] = {
  [0] = 1,
    ACTIONS(9), 2,
      sym_name,
      anon_sym_SEMI,
};

static const uint32_t ts_small_parse_table_map[] = {
  [SMALL_STATE(2)] = 70000,
};

TS_PUBLIC const TSLanguage *tree_sitter_small(void) {
  return 0;
}
";

    #[test]
    fn evaluates_the_tables_of_a_parser() {
        let cut = cut(PARSER).expect("a parser");
        let tables: Vec<_> = cut.tables.iter().map(|table| (table.width, table.numbers.as_slice())).collect();
        // A state without a row has only zeros.
        assert_eq!(tables, [(2, &[7, 0, 5, 0, 0, 0][..]), (2, &[1, 9, 2, 1, 2]), (4, &[70000])]);
    }

    #[test]
    fn replaces_tables_by_variables_and_renames_the_parser() {
        let cut = cut(PARSER).expect("a parser");
        assert!(cut.source.contains("\nstatic uint16_t ts_parse_table[2][3];\n"), "{}", cut.source);
        assert!(cut.source.contains("\nstatic uint16_t ts_small_parse_table[5];\n"), "{}", cut.source);
        assert!(cut.source.contains("\nstatic uint32_t ts_small_parse_table_map[1];\n"), "{}", cut.source);
        assert_eq!(cut.function, "whichfn_tree_sitter_small");
        assert!(cut.source.contains("const TSLanguage *whichfn_tree_sitter_small(void) {"), "{}", cut.source);
        assert!(cut.source.contains(&format!("{}[] = {{ {{ ts_parse_table, sizeof", cut.addresses)), "{}", cut.source);
        assert!(!cut.source.contains("ACTIONS"), "{}", cut.source);
    }

    #[test]
    fn rejects_text_in_another_form() {
        for (from, to, error) in [
            ("ACTIONS(7)", "ENTRIES(7)", "ts_parse_table: unknown macro ENTRIES"),
            ("sym_name,\n      anon", "sym_other,\n      anon", "ts_small_parse_table: unknown name sym_other"),
            ("[0] = 1", "[0] = -1", "ts_small_parse_table: unknown name "),
            ("[0] = 1", "[0] = 65536", "ts_small_parse_table has a number above 65,535"),
            ("SMALL_STATE(2)", "SMALL_STATE(1)", "ts_small_parse_table_map: state 1 is not small"),
            ("[0] = 1", "[99999999] = 1", "ts_small_parse_table: index 99999999 is too large"),
            ("TS_PUBLIC", "", "the parser's function is missing"),
        ] {
            assert!(PARSER.contains(from), "{from}");
            assert_eq!(cut(&PARSER.replace(from, to)).err().as_deref(), Some(error));
        }
    }
}
