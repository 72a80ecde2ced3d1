//! Detects tables in text: the header line, the cells, and the type of the values in each column.
//!
//! **Limits:** a row is one line; a quoted cell that spans several lines is not joined. A text
//! counts as a table if its first line looks like names and the following lines have the same
//! number of cells.

/// Delimiters between cells, most likely first.
const DELIMITERS: [char; 4] = ['\t', ',', ';', '|'];
/// Number of lines that are checked to distinguish a table from other text.
const LOOKED_AT: usize = 20;
/// Minimum number of rows in a table whose file name does not mark it as one. Fewer rows could
/// match by chance.
const ROWS: usize = 3;
/// Maximum number of bytes in a column's name; a longer cell is prose.
const LONGEST_NAME: usize = 60;

/// The header line of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableHead {
    /// Delimiter between cells.
    pub delimiter: char,
    /// Names of the columns, in order; at least two.
    pub columns: Vec<String>,
}

impl TableHead {
    /// Returns the header if the text is a table, or `None` otherwise.
    pub fn detect(name: &str, text: &str) -> Option<Self> {
        let says_so = [".csv", ".tsv"].iter().any(|end| name.to_lowercase().ends_with(end));
        let mut lines = text.lines();
        let first = lines.next()?;
        let rows: Vec<&str> = lines.filter(|line| !line.trim().is_empty()).take(LOOKED_AT).collect();
        DELIMITERS.into_iter().find_map(|delimiter| {
            let columns = cells(first, delimiter);
            let are_names = columns.len() > 1 && columns.iter().all(|column| is_name(column));
            let fits = rows.iter().all(|row| cells(row, delimiter).len() == columns.len());
            let enough = rows.len() >= if says_so { 1 } else { ROWS };
            (are_names && fits && enough).then_some(Self { delimiter, columns })
        })
    }

    /// Returns the cells of a row with the names of their columns. Leaves out empty cells and cells
    /// after the last column.
    pub fn row(&self, line: &str) -> Vec<(String, String)> {
        let cells = cells(line, self.delimiter);
        self.columns.iter().cloned().zip(cells).filter(|(_, cell)| !cell.is_empty()).collect()
    }
}

fn is_name(cell: &str) -> bool {
    cell.len() <= LONGEST_NAME && cell.starts_with(|c: char| c.is_alphabetic() || c == '_') && !cell.ends_with('.')
}

/// Splits a line into cells, without quotes and surrounding spaces.
fn cells(line: &str, delimiter: char) -> Vec<String> {
    let (mut cells, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' if is_quoted || cell.trim().is_empty() => is_quoted = !is_quoted,
            c if c == delimiter && !is_quoted => cells.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    cells.push(cell);
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

/// Type of a column, which is the narrowest type that fits all of its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColumnType {
    /// True or false, yes or no.
    Bool,
    /// Whole numbers.
    Int,
    /// Finite numbers.
    Float,
    /// Any text.
    Str,
}

impl ColumnType {
    /// Returns the narrowest type of one value.
    pub fn from_value(value: &str) -> Self {
        match value {
            _ if ["true", "false", "yes", "no"].contains(&value.to_lowercase().as_str()) => Self::Bool,
            // A code such as 007 is not a number.
            _ if value.len() > 1 && value.starts_with('0') && value.bytes().all(|b| b.is_ascii_digit()) => Self::Str,
            _ if value.parse::<i64>().is_ok() => Self::Int,
            _ if value.parse::<f64>().is_ok_and(f64::is_finite) => Self::Float,
            _ => Self::Str,
        }
    }

    /// Returns the type with the given name in schemas.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Bool, Self::Int, Self::Float, Self::Str].into_iter().find(|sort| sort.name() == name)
    }

    /// Returns the narrowest type that fits the values of both types.
    pub fn with(self, other: Self) -> Self {
        match (self, other) {
            (one, other) if one == other => one,
            (Self::Int, Self::Float) | (Self::Float, Self::Int) => Self::Float,
            _ => Self::Str,
        }
    }

    /// Returns the name of the type in schemas.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Float => "float",
            Self::Str => "str",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinguishes_tables_from_text() {
        let head = |name: &str, text: &str| TableHead::detect(name, text).map(|head| head.columns);
        assert_eq!(head("t.csv", "id,name\n1,Ann\n"), Some(vec!["id".into(), "name".into()]));
        assert_eq!(head("t", "id\tname\n1\ta\n2\tb\n3\tc\n").map(|c| c.len()), Some(2));
        assert_eq!(head("t.csv", "only a line, or two\n"), None);
        assert_eq!(head("book.txt", "Call me Ishmael, he said.\nSome years ago, never mind.\n"), None);
        let log = "2024-01-01 12:00:00,123 INFO up\n".repeat(5);
        assert_eq!(head("app.log", &log), None);
    }

    #[test]
    fn quotes_protect_separators_in_a_cell() {
        let head = TableHead { delimiter: ',', columns: vec!["name".into(), "note".into(), "age".into()] };
        let row = head.row(r#""Ann, the ""first""", ,41"#);
        assert_eq!(row, [("name".into(), r#"Ann, the "first""#.into()), ("age".into(), "41".into())]);
    }

    #[test]
    fn infers_the_narrowest_column_type() {
        let sort = |values: &[&str]| {
            values.iter().map(|value| ColumnType::from_value(value)).reduce(ColumnType::with).map(ColumnType::name)
        };
        for (values, expected) in [
            (&["1", "-2"][..], "int"),
            (&["1", "2.5"], "float"),
            (&["true", "no"], "bool"),
            (&["1", "true"], "str"),
            (&["007"], "str"),
            (&["NaN"], "str"),
            (&["a", "1"], "str"),
        ] {
            assert_eq!(sort(values), Some(expected), "{values:?}");
        }
    }
}
