//! Type names in one-line notation: `map<str, list<float>>`, `Dict[str, List[float]]`,
//! `Optional[int]`, `int?`.

use super::{MAX_DEPTH, Type, too_large};

/// The accepted words for types, each with its canonical form.
const WORDS: [(&str, &str); 17] = [
    ("str", "str"),
    ("string", "str"),
    ("int", "int"),
    ("integer", "int"),
    ("float", "float"),
    ("number", "float"),
    ("bool", "bool"),
    ("boolean", "bool"),
    ("map", "map"),
    ("dict", "map"),
    ("Dict", "map"),
    ("Mapping", "map"),
    ("list", "list"),
    ("List", "list"),
    ("Sequence", "list"),
    ("Optional", "optional"),
    ("object", "object"),
];

fn word(name: &str) -> Option<&'static str> {
    WORDS.iter().find(|(written, _)| *written == name).map(|(_, word)| *word)
}

/// Checks whether a word is reserved for a type, so that no class may have this name.
pub(super) fn is_type_word(name: &str) -> bool {
    word(name).is_some()
}

/// Checks whether a name is one word of letters, digits and `_`.
pub(super) fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// A type by its name. The inner type of `map`, `list` and `object` may be missing if another part
/// of the schema specifies it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TypeName {
    Str,
    Int,
    Float,
    Bool,
    List(Option<Box<TypeName>>),
    Map(Option<Box<TypeName>>),
    Object,
    Class(String),
}

impl TypeName {
    /// Reads the name of a type. The flag is true if the type is optional.
    pub(super) fn read(text: &str) -> Result<(Self, bool), String> {
        let text = text.trim();
        let (inner, optional) = match unwrap_optional(text) {
            Some(inner) => (inner, true),
            None => (text, false),
        };
        let mut reader = TypeParser { rest: inner.trim_start() };
        let named = reader.named(0)?;
        if reader.rest.is_empty() { Ok((named, optional)) } else { Err(format!("{:?} after the type", reader.rest)) }
    }

    /// Returns the class that the type refers to.
    pub(super) fn class(&self) -> Option<&str> {
        match self {
            Self::Class(name) => Some(name),
            Self::List(Some(inner)) | Self::Map(Some(inner)) => inner.class(),
            _ => None,
        }
    }

    /// Converts the name to a type. `classes` resolves names that are not built in.
    pub(super) fn resolve<E: From<String>>(&self, classes: &mut dyn FnMut(&str) -> Result<Type, E>) -> Result<Type, E> {
        let mut inner = |of: &Option<Box<Self>>| match of {
            Some(of) => Ok(Box::new(of.resolve(classes)?)),
            None => Err(E::from("the element type of the map or list is missing".to_string())),
        };
        Ok(match self {
            Self::Str => Type::Str,
            Self::Int => Type::Int,
            Self::Float => Type::Float,
            Self::Bool => Type::Bool,
            Self::List(of) => Type::List(inner(of)?),
            Self::Map(of) => Type::Map(inner(of)?),
            Self::Object => return Err(E::from("an object needs fields".to_string())),
            Self::Class(name) => return classes(name),
        })
    }
}

/// Strips the optional marker from `T?`, `Optional[T]` and `T | None`; `None` if there is none.
fn unwrap_optional(text: &str) -> Option<&str> {
    let bare = text.strip_prefix("typing.").unwrap_or(text);
    if let Some(inner) = text.strip_suffix('?') {
        return Some(inner);
    }
    if let Some(inner) = bare.strip_prefix("Optional").and_then(|rest| rest.trim_start().strip_prefix('[')) {
        return inner.strip_suffix(']');
    }
    text.strip_suffix("None").and_then(|rest| rest.trim_end().strip_suffix('|'))
}

struct TypeParser<'a> {
    rest: &'a str,
}

impl TypeParser<'_> {
    fn named(&mut self, depth: usize) -> Result<TypeName, String> {
        if depth > MAX_DEPTH {
            return Err(too_large());
        }
        let quote = self.rest.chars().next().filter(|c| matches!(c, '"' | '\''));
        if let Some(quote) = quote {
            self.take(quote);
        }
        let name = self.name()?;
        let named = match (word(&name), self.open()) {
            (Some("str"), None) => TypeName::Str,
            (Some("int"), None) => TypeName::Int,
            (Some("float"), None) => TypeName::Float,
            (Some("bool"), None) => TypeName::Bool,
            (Some("object"), None) => TypeName::Object,
            (Some("list"), None) => TypeName::List(None),
            (Some("map"), None) => TypeName::Map(None),
            (Some("list"), Some(close)) => TypeName::List(Some(self.inside(depth, close)?)),
            (Some("map"), Some(close)) => {
                match self.named(depth + 1)? {
                    TypeName::Str if self.take(',') => {}
                    TypeName::Str => return Err("a map is written map<str, T>".into()),
                    _ => return Err("the keys of a map are str".into()),
                }
                TypeName::Map(Some(self.inside(depth, close)?))
            }
            (Some("optional"), _) => return Err("only a whole field can be optional".into()),
            (None, None) => TypeName::Class(name),
            (_, Some(_)) => return Err(format!("{name} holds no other types")),
            (Some(_), None) => return Err(format!("unknown type {name}")),
        };
        match quote {
            Some(quote) if !self.take(quote) => Err(format!("{quote} never closes")),
            _ => Ok(named),
        }
    }

    fn inside(&mut self, depth: usize, close: char) -> Result<Box<TypeName>, String> {
        let inner = self.named(depth + 1)?;
        if self.take(close) { Ok(Box::new(inner)) } else { Err(format!("`{close}` is missing in the type")) }
    }

    fn open(&mut self) -> Option<char> {
        [('<', '>'), ('[', ']')].into_iter().find(|(open, _)| self.take(*open)).map(|(_, close)| close)
    }

    fn take(&mut self, c: char) -> bool {
        let rest = self.rest.strip_prefix(c);
        self.rest = rest.unwrap_or(self.rest).trim_start();
        rest.is_some()
    }

    fn name(&mut self) -> Result<String, String> {
        let whole = self.rest;
        let end = whole.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(whole.len());
        let name = whole[..end].rsplit('.').next().unwrap_or_default();
        if name.is_empty() {
            return Err(format!("a type's name is missing before {whole:?}"));
        }
        self.rest = whole[end..].trim_start();
        Ok(name.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(Type, bool), String> {
        let (named, optional) = TypeName::read(text)?;
        let of = named.resolve::<String>(&mut |name| Err(format!("unknown type {name}")))?;
        Ok((of, optional))
    }

    #[test]
    fn json_and_python_write_the_same_types() {
        let lists = Type::Map(Box::new(Type::List(Box::new(Type::Float))));
        for text in [
            "map<str, list<float>>",
            "Dict[str, List[float]]",
            "dict[str,list[number]]",
            "typing.Dict[str, 'List[float]']",
        ] {
            assert_eq!(read(text), Ok((lists.clone(), false)), "{text}");
        }
        for text in ["int?", "Optional[int]", "int | None", "typing.Optional[ int ]"] {
            assert_eq!(read(text), Ok((Type::Int, true)), "{text}");
        }
    }

    #[test]
    fn what_is_no_type_says_why() {
        for (text, why) in [
            ("Dict[int, str]", "keys of a map are str"),
            ("map<str>", "map<str, T>"),
            ("List[Optional[str]]", "only a whole field"),
            ("list", "element type of the map or list is missing"),
            ("List[str", "`]` is missing"),
            ("str str", "after the type"),
            ("Any", "unknown type Any"),
            ("str[int]", "holds no other"),
            ("", "missing"),
            ("object", "needs fields"),
        ] {
            assert!(read(text).unwrap_err().contains(why), "{text}: {:?}", read(text));
        }
        assert!(read(&"list<".repeat(100_000)).unwrap_err().contains("16 levels"));
    }
}
