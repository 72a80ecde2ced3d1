//! Schemas of memories: typed hierarchies of objects, maps, lists and plain values.
//!
//! - **Implements:** PRISM, the typed hierarchy of a structured memory, which the model receives as
//!   Python dataclasses.
//! - **Differs from the paper:** schemas are read from JSON Schema (`read`), and models that can
//!   follow one receive it as JSON Schema (`json_schema`).

mod dataclass;
mod json_schema;
mod notation;
mod read;

use crate::revision::shortened;
use indexmap::IndexMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// Maximum number of levels in a schema, not counting the root.
pub const MAX_DEPTH: usize = 16;
/// Maximum number of types in a schema, counting each use of a class.
pub const MAX_TYPES: usize = 1024;
/// Names of the built-in schemas.
pub const BUILTIN: [&str; 5] = ["candidate_functions", "matches", "functions", "attributes", "tables"];

/// The type of a memory: a root object whose fields are the memory's attributes.
///
/// A schema has at most [`MAX_DEPTH`] levels and [`MAX_TYPES`] types. Field names are identifiers,
/// and a class name identifies one class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    root: Arc<SchemaObject>,
}

/// Type of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// A string of at most [`super::MAX_TEXT`] bytes.
    Str,
    /// A 64-bit whole number.
    Int,
    /// A finite number; whole numbers are also accepted.
    Float,
    /// True or false.
    Bool,
    /// Values of one type, indexed by number.
    List(Box<Type>),
    /// Values of one type, indexed by arbitrary names.
    Map(Box<Type>),
    /// Values with declared names.
    Object(Arc<SchemaObject>),
}

/// Type of an object, with its fields by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SchemaObject {
    /// Class name, if the object has one.
    pub name: Option<String>,
    /// Description of the object, on one line.
    pub doc: Option<String>,
    /// Fields, in order; at least one.
    pub fields: IndexMap<String, SchemaField>,
}

/// A field of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaField {
    /// Type of the field's values.
    pub ty: Type,
    /// Description of the field, on one line.
    pub doc: Option<String>,
    /// True if a model may omit the field. A memory accepts incomplete objects in any case.
    pub optional: bool,
}

impl Schema {
    /// Parses a JSON Schema. Errors contain the line or the field.
    pub fn read(text: &str) -> Result<Self> {
        read::read(text)
    }

    /// Returns a built-in schema by its name, which is one of [`BUILTIN`].
    pub fn builtin(name: &str) -> Result<Self> {
        let text = match name {
            "candidate_functions" => include_str!("../schemas/candidate_functions.json"),
            "matches" => include_str!("../schemas/matches.json"),
            "functions" => include_str!("../schemas/functions.json"),
            "attributes" => include_str!("../schemas/attributes.json"),
            "tables" => include_str!("../schemas/tables.json"),
            _ => {
                let what = format!("unknown schema {name:?}");
                return Err(Error::new(
                    Kind::Usage,
                    what,
                    format!("use one of {}, or pass a file", BUILTIN.join(", ")),
                ));
            }
        };
        read::read(text)
    }

    /// Returns the root object, whose fields are the memory's attributes.
    pub fn root(&self) -> &SchemaObject {
        &self.root
    }

    /// Returns the root as a type.
    pub(super) fn root_type(&self) -> Type {
        Type::Object(Arc::clone(&self.root))
    }

    /// Creates a schema from its root object after checking all limits and names. All constructors
    /// call this function.
    fn new(root: SchemaObject) -> Result<Self> {
        let root = Type::Object(Arc::new(root));
        let mut checker = SchemaChecker::default();
        checker.check(&root, "the root", 0)?;
        match root {
            Type::Object(root) => Ok(Self { root }),
            _ => Err(invalid("the root", "it must be an object with `properties`")),
        }
    }
}

/// State of a schema check.
#[derive(Default)]
struct SchemaChecker<'a> {
    types: usize,
    classes: BTreeMap<&'a str, &'a SchemaObject>,
}

impl<'a> SchemaChecker<'a> {
    fn check(&mut self, ty: &'a Type, place: &str, depth: usize) -> Result<()> {
        self.types += 1;
        if depth > MAX_DEPTH || self.types > MAX_TYPES {
            return Err(invalid(place, &too_large()));
        }
        match ty {
            Type::List(inner) | Type::Map(inner) => self.check(inner, place, depth + 1),
            Type::Object(object) => self.check_object(object, place, depth),
            Type::Str | Type::Int | Type::Float | Type::Bool => Ok(()),
        }
    }

    fn check_object(&mut self, object: &'a SchemaObject, place: &str, depth: usize) -> Result<()> {
        if object.fields.is_empty() {
            return Err(invalid(place, "the object has no fields"));
        }
        if let Some(name) = &object.name
            && self.classes.insert(name, object).is_some_and(|former| former != object)
        {
            return Err(invalid(place, &format!("two different classes are named {name}")));
        }
        for (name, field) in &object.fields {
            let place = format!("field {name} of {place}");
            if !is_identifier(name) {
                return Err(invalid(
                    &place,
                    "a field name must be a single word made up of letters, digits and `_`; only map keys can be arbitrary",
                ));
            }
            self.check(&field.ty, &place, depth + 1)?;
        }
        Ok(())
    }
}

fn too_large() -> String {
    format!("it has more than {MAX_DEPTH} levels or {MAX_TYPES} types")
}

/// Returns the error for an invalid part of the schema.
fn invalid(place: &str, problem: &str) -> Error {
    let what = shortened(&format!("invalid schema at {place}: {problem}"));
    Error::new(Kind::Usage, what, Remedy::CorrectSchema)
}

/// Names of types in the dataclass form, which a class must not have.
const TYPE_NAMES: [&str; 9] = ["str", "int", "float", "bool", "list", "dict", "List", "Dict", "Optional"];

/// Checks whether a class may have the given name.
fn is_class_name(name: &str) -> bool {
    is_identifier(name) && !TYPE_NAMES.contains(&name)
}

/// Checks whether a name is a single word made up of letters, digits and `_`.
fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Joins a description into one line, because prompts show it as a comment. Returns `None` if the
/// text is blank.
fn one_line(text: &str) -> Option<String> {
    Some(whichfn_text::one_line(text)).filter(|line| !line.is_empty())
}
