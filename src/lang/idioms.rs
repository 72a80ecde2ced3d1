//! Signs in source text by which the reader of functions (`lookup`) knows what a function does where its syntax tree
//! alone does not say: those that languages share (`grammars/idioms.toml`), and a language's own (`[idioms]` in its
//! file).

use serde::{Deserialize, Deserializer};
use std::sync::Arc;

/// Signs of a language, the shared ones first.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Idioms {
    /// Anywhere in a function that raises or returns an error: `panic!`.
    pub raises: Vec<String>,
    /// Anywhere in a function that runs beside others: `async `.
    pub awaits: Vec<String>,
    /// Anywhere in a function that takes hold of something: `lock(`.
    pub guards: Vec<String>,
    /// Anywhere in a function that is decorated or has no receiver: `static `.
    pub decorates: Vec<String>,
    /// Anywhere in a function that makes an object of the type around it: `Self {`.
    pub constructs: Vec<String>,
    /// Anywhere in a function that tells people something: `print`.
    pub logs: Vec<String>,
    /// Anywhere in a function that writes something away: `save`.
    pub writes: Vec<String>,
    /// Anywhere in a function that puts things in order: `cmp`.
    pub sorts: Vec<String>,
    /// Anywhere in a function that matches patterns: `RegExp`.
    pub matches: Vec<String>,
    /// Where the text of a decorated function begins: `@`.
    pub decorator_starts: Vec<String>,
    /// Names of functions that construct, beside `constructors` of `[scopes]`.
    pub constructor_names: Vec<String>,
    /// Anywhere in a parameter that may be left out: `=`.
    pub default_signs: Vec<String>,
    /// Anywhere in a parameter that a call may leave out: `=`.
    pub optional_signs: Vec<String>,
    /// In front of a parameter, or of an argument, that stands for any number of them; one of more than a character also
    /// further inside: `*`, `...`.
    pub rest_signs: Vec<String>,
    /// Entries of a parameter list after which parameters are passed by name alone: `*`.
    pub keyword_only_markers: Vec<String>,
    /// Entries of a parameter list that are no parameters: `*`, `...`.
    pub parameter_markers: Vec<String>,
    /// What ends the name of a parameter, before its type or default: `:`.
    pub parameter_name_ends: Vec<String>,
    /// What may stand before a receiver in a parameter list: `&`, `mut `.
    pub receiver_prefixes: Vec<String>,
    /// Return types of functions that return nothing, whole.
    pub nothing_types: Vec<String>,
    /// Words of return types, in lower case, that are truth values.
    pub boolean_types: Vec<String>,
    /// Words of return types, in lower case, that are generators and the like.
    pub iterator_types: Vec<String>,
    /// Words of return types, in lower case, that are values in order.
    pub list_types: Vec<String>,
    /// Words of return types, in lower case, that are values by key.
    pub map_types: Vec<String>,
    /// Words of return types, in lower case, that are texts.
    pub string_types: Vec<String>,
    /// Words of return types, in lower case, that are numbers.
    pub number_types: Vec<String>,
    /// Words of return types, in lower case, that are a few values together.
    pub tuple_types: Vec<String>,
    /// Signs in types that end in `>` and close no bracket: `->`.
    pub arrows: Vec<String>,
    /// What stands between the parameters and the return type: `->`, `:`; and `{`, which begins a body without one.
    pub return_type_marks: Vec<String>,
    /// What may stand between a type and the name behind it: `*`.
    pub pointer_signs: Vec<String>,
    /// Words before a name that are no type, where types stand before names: `public`.
    pub modifiers: Vec<String>,
    /// What ends a statement that has no value, where functions give the value of their last statement: `;`.
    pub statement_ends: Vec<String>,
    /// Operators that compare, or join what was compared: `==`.
    pub comparisons: Vec<String>,
    /// Operators that compute: `+=`.
    pub computations: Vec<String>,
}

impl Idioms {
    /// For [`Arc`] fields: functions that are read share the signs of their language.
    pub(super) fn shared<'de, D: Deserializer<'de>>(of: D) -> Result<Arc<Self>, D::Error> {
        Self::deserialize(of).map(Arc::new)
    }
}

/// Whether a text has any of some signs.
pub fn has_sign(text: &str, signs: &[String]) -> bool {
    signs.iter().any(|sign| text.contains(sign))
}

/// A language's own signs after the shared ones, key by key.
pub(super) fn with_shared(mut shared: toml::Table, own: Option<toml::Value>) -> toml::Table {
    let own = own.and_then(|own| match own {
        toml::Value::Table(own) => Some(own),
        _ => None,
    });
    for (key, signs) in own.unwrap_or_default() {
        match (shared.get_mut(&key), signs) {
            (Some(toml::Value::Array(all)), toml::Value::Array(signs)) => all.extend(signs),
            // A key that no idiom has is refused when the table is read.
            (_, signs) => drop(shared.insert(key, signs)),
        }
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Registry;

    #[test]
    fn a_language_adds_to_the_shared_signs() {
        let shared: toml::Table = "raises = ['rror']\nlogs = ['print']".parse().expect("shared");
        let own: toml::Table = "raises = ['die(']\nno_such_idiom = ['x']".parse().expect("own");
        let signs = with_shared(shared, Some(toml::Value::Table(own)));
        assert_eq!(signs.to_string(), "logs = [\"print\"]\nno_such_idiom = [\"x\"]\nraises = [\"rror\", \"die(\"]\n");
        let refused = signs.try_into::<Idioms>().expect_err("an unknown key").to_string();
        assert!(refused.contains("no_such_idiom"), "{refused}");
    }

    #[test]
    fn every_language_has_the_shared_signs() {
        let registry = Registry::builtin().expect("languages");
        for id in registry.ids() {
            let idioms = &registry.spec(id).expect("a language").idioms;
            for signs in [&idioms.raises, &idioms.logs, &idioms.comparisons, &idioms.number_types] {
                assert!(signs.iter().all(|sign| !sign.is_empty()) && !signs.is_empty(), "{}", registry.name(Some(id)));
            }
        }
    }
}
