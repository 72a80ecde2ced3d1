//! Parses the source of one file into plain [`Facts`]: definitions with their words, data flow, and
//! the syntax tree.
//!
//! Parsing is pure and total: the same text always gives the same facts, and a file with syntax
//! errors gives the facts for the parts that can be parsed.
//!
//! **Never:** looks at another file.

mod assign;
mod bare_macros;
mod blocks;
mod built_names;
mod comments;
mod component;
mod container_values;
mod data_rows;
mod embedded;
mod entries;
mod expression;
mod extract;
mod facts;
mod field;
mod guard;
mod handlers;
mod import;
mod item_macros;
mod macros;
mod markup;
mod markup_attributes;
mod matcher;
mod matches;
mod named_blocks;
mod named_values;
mod names;
mod narrowing;
mod notebook;
mod opening;
mod operators;
mod parameters;
mod parser;
mod parser_memory;
mod patterns;
mod pending;
mod plain;
mod quoted;
mod records;
mod selector;
mod shown;
mod syntax;
mod text_reader;
mod tokens;
mod value;
mod words;
mod written_types;

pub use embedded::Embedded;
pub use entries::MAX_ENTRIES;
pub use facts::{
    ANY_MEMBER, ARRAY, AssignmentTarget, Binding, Call, Definition, Exports, FUNCTION, Facts, Import, NULLABLE,
    NamedValue, OperatorCall, Parameter, Return, Span, Symbol, SymbolicValue, ValueFlow, Variable, symbol,
};
pub use field::Field;
pub use matcher::{Capture, find_matches};
pub(crate) use notebook::kernel;
pub use notebook::{CellLine, cell_at, cells_text, is_notebook};
pub use parser::{Parser, parse, parsed_text};
pub use patterns::{MAX_PARTS, part_name};
pub use plain::read_plain_text;
pub use syntax::{Syntax, SyntaxNode, SyntaxWriter};
pub use words::{FieldWords, WordCount};
