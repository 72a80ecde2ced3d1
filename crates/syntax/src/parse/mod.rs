//! Parses one file's source into plain [`Facts`]: definitions, their words, the flow of values, the
//! syntax tree.
//!
//! Parsing is pure and total: the same text gives the same facts, and a partially broken file gives
//! the facts of the parts that parse.
//!
//! **Never:** looks at another file.

mod assign;
mod comments;
mod extract;
mod facts;
mod field;
mod guard;
mod import;
mod matcher;
mod matches;
mod opening;
mod parser;
mod parser_memory;
mod plain;
mod shown;
mod syntax;
mod value;
mod words;

pub use facts::{
    AssignmentTarget, Binding, Call, Definition, Facts, Import, Parameter, Return, Span, Symbol, SymbolicValue,
    ValueFlow, Variable, symbol,
};
pub use field::Field;
pub use matcher::{Capture, find_matches};
pub use parser::{Parser, parse};
pub use plain::read_plain_text;
pub use syntax::{Syntax, SyntaxNode, SyntaxWriter};
pub use words::{FieldWords, WordCount};
