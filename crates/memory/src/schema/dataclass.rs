//! Converts a schema to Python dataclasses for a prompt: each class follows the classes that it
//! uses, and the root is last.

use super::{Schema, SchemaObject, Type, is_class_name};
use crate::quoted::write_quoted;
use std::collections::BTreeSet;

impl Schema {
    /// Returns the dataclass form. Objects without a name are named after their fields.
    pub fn dataclass(&self) -> String {
        let mut writer = DataclassWriter::default();
        writer.reserve(self.root());
        writer.class(self.root(), "Memory");
        writer.text
    }
}

#[derive(Default)]
struct DataclassWriter {
    text: String,
    /// Class names that are already in use.
    taken: BTreeSet<String>,
    written: BTreeSet<String>,
}

impl DataclassWriter {
    /// Reserves the existing class names, so that no other class gets them.
    fn reserve(&mut self, object: &SchemaObject) {
        self.taken.extend(object.name.clone());
        for field in object.fields.values() {
            let mut ty = &field.ty;
            while let Type::List(inner) | Type::Map(inner) = ty {
                ty = inner;
            }
            if let Type::Object(inner) = ty {
                self.reserve(inner);
            }
        }
    }

    /// Writes a class after the classes that it uses, and returns its name.
    fn class(&mut self, object: &SchemaObject, wanted: &str) -> String {
        let name = object.name.clone().unwrap_or_else(|| self.free(wanted));
        if !self.written.insert(name.clone()) {
            return name;
        }
        let mut body = String::new();
        if let Some(doc) = &object.doc {
            let mut quoted = String::new();
            write_quoted(&mut quoted, doc, '"');
            body += &format!("    \"\"{quoted}\"\"\n");
        }
        for (field, what) in &object.fields {
            let ty = self.type_name(&what.ty, &camel(field));
            let ty = if what.optional { format!("Optional[{ty}]") } else { ty };
            let doc = what.doc.as_ref().map(|doc| format!("  # {doc}")).unwrap_or_default();
            body += &format!("    {field}: {ty}{doc}\n");
        }
        let space = if self.text.is_empty() { "" } else { "\n" };
        self.text += &format!("{space}@dataclass\nclass {name}:\n{body}");
        name
    }

    fn type_name(&mut self, ty: &Type, wanted: &str) -> String {
        match ty {
            Type::Str => "str".into(),
            Type::Int => "int".into(),
            Type::Float => "float".into(),
            Type::Bool => "bool".into(),
            Type::List(inner) => format!("List[{}]", self.type_name(inner, wanted)),
            Type::Map(inner) => format!("Dict[str, {}]", self.type_name(inner, wanted)),
            Type::Object(object) => self.class(object, wanted),
        }
    }

    fn free(&mut self, wanted: &str) -> String {
        let numbered = (2..).map(|number| format!("{wanted}{number}"));
        let free = std::iter::once(wanted.to_string()).chain(numbered).find(|name| !self.taken.contains(name));
        let name = free.unwrap_or_default();
        self.taken.insert(name.clone());
        name
    }
}

/// Converts a field name such as `candidate_functions` to a class name, `CandidateFunctions`.
fn camel(field: &str) -> String {
    let words = field.split('_').filter(|word| !word.is_empty());
    let name: String =
        words.flat_map(|word| word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1))).collect();
    if is_class_name(&name) { name } else { format!("Of{name}") }
}
