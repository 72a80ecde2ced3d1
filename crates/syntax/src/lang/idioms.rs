//! Signs in source text that show what a function does where the syntax tree does not. They are
//! used when functions are read (`lookup`). Languages share some signs (`grammars/idioms.toml`) and
//! add their own (`[idioms]` in the language's file).

use serde::{Deserialize, Deserializer};
use std::sync::Arc;

/// The signs of a language: the shared ones, followed by its own.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Idioms {
    /// True if a call may leave out any argument, whatever the header of the function.
    pub missing_arguments: bool,
    /// True if the key of an object may define a method.
    pub methods_by_key: bool,
    /// Signs in a function that raises or returns an error: `panic!`.
    pub raises: Vec<String>,
    /// Signs in a function that runs concurrently: `async `.
    pub awaits: Vec<String>,
    /// Signs in a function that acquires a resource: `lock(`.
    pub guards: Vec<String>,
    /// Signs in a function that is decorated or has no receiver: `static `.
    pub decorates: Vec<String>,
    /// Signs in a function that creates an object of the enclosing type: `Self {`.
    pub constructs: Vec<String>,
    /// Signs in a function that prints or logs: `print`.
    pub logs: Vec<String>,
    /// Signs in a function that writes data to storage: `save`.
    pub writes: Vec<String>,
    /// Signs in a function that sorts: `cmp`.
    pub sorts: Vec<String>,
    /// Signs in a function that matches patterns: `RegExp`.
    pub matches: Vec<String>,
    /// Signs at the beginning of a decorated function's text: `@`.
    pub decorator_starts: Vec<String>,
    /// Names of constructor functions, in addition to `constructors` in `[scopes]`.
    pub constructor_names: Vec<String>,
    /// Signs in a parameter that has a default value: `=`.
    pub default_signs: Vec<String>,
    /// Signs in a parameter that a call may omit: `=`.
    pub optional_signs: Vec<String>,
    /// Signs at the beginning of a parameter or argument that accepts any number of values: `*`,
    /// `...`. A sign with more than one character may also occur elsewhere in it.
    pub rest_signs: Vec<String>,
    /// Those of these signs with which a parameter takes only values that are passed by name: `**`.
    pub named_rest_signs: Vec<String>,
    /// Those of these signs with which a parameter takes only the block of a call: `&`.
    pub block_signs: Vec<String>,
    /// Words at the beginning of a statement that defines the names in it: `alias`.
    pub alias_words: Vec<String>,
    /// Signs directly after the name of a parameter that is passed by name; a default value may
    /// follow: `:`.
    pub keyword_signs: Vec<String>,
    /// True if the first word of a parameter is the name by which calls pass it, or `_`.
    pub parameter_labels: bool,
    /// Brackets around the parameters that are passed by name: `{`.
    pub named_brackets: Vec<String>,
    /// Brackets around the parameters that a call may leave out: `[`.
    pub omittable_brackets: Vec<String>,
    /// Words in a parameter that a call must pass although its brackets make it optional: `required`.
    pub required_words: Vec<String>,
    /// True if a closure after the brackets of a call is passed to the last parameter.
    pub trailing_closures: bool,
    /// Signs at the beginning of the parameter that a function extends and that calls write before
    /// a dot: `this `.
    pub extended_markers: Vec<String>,
    /// True if the header of a function without parameters may lack brackets.
    pub optional_brackets: bool,
    /// True if the header of a type may list the parameters of its constructor: `record A(int b)`.
    pub header_constructors: bool,
    /// Signs in the header of a type whose constructor takes its fields: `@dataclass`.
    pub field_constructors: Vec<String>,
    /// Signs in a field that such a constructor does not take by position: `init=False`.
    pub field_exceptions: Vec<String>,
    /// Entries of a parameter list after which parameters are passed only by name: `*`.
    pub keyword_only_markers: Vec<String>,
    /// Entries of a parameter list that are not parameters: `*`, `...`.
    pub parameter_markers: Vec<String>,
    /// Words in the header of a function whose value must be awaited: `async`.
    pub async_words: Vec<String>,
    /// Names of return types whose values must be awaited: `Promise`.
    pub awaitable_types: Vec<String>,
    /// Signs after a value that treat it as a promise: `.then(`. If there are any, the language
    /// awaits values of all types, and async functions return the value of a returned promise.
    pub promise_signs: Vec<String>,
    /// True if a call of an async function needs no word, because the function around it is async.
    pub async_callers_wait: bool,
    /// Names of types whose value may be nothing: `Option`.
    pub optional_types: Vec<String>,
    /// Signs before or after a type whose value may be nothing: `?`.
    pub optional_marks: Vec<String>,
    /// Names of the value that stands for nothing, as they occur in types: `None`.
    pub nothing_values: Vec<String>,
    /// Names of types whose values are those of their arguments: `Union`.
    pub same_value_types: Vec<String>,
    /// Names of types that carry the value of their first argument: `Result`.
    pub result_types: Vec<String>,
    /// Names of types that point to the value of their argument: `Box`.
    pub pointer_types: Vec<String>,
    /// Signs after a value that test whether it is nothing: `??`.
    pub nothing_tests: Vec<String>,
    /// Signs between a header and a body that is the value itself: `=>`.
    pub value_bodies: Vec<String>,
    /// Words before a statement in its line: `else`.
    pub statement_words: Vec<String>,
    /// Words after a statement in its line: `end`.
    pub statement_closers: Vec<String>,
    /// True if the compiler checks that a value of an optional type is unwrapped.
    pub checks_types: bool,
    /// Signs that end a parameter's name, before its type or default: `:`.
    pub parameter_name_ends: Vec<String>,
    /// Prefixes of the receiver in a parameter list: `&`, `mut `.
    pub receiver_prefixes: Vec<String>,
    /// Complete return types of functions that return nothing.
    pub nothing_types: Vec<String>,
    /// Lower-case words in return types that are booleans.
    pub boolean_types: Vec<String>,
    /// Lower-case words in return types that are generators or iterators.
    pub iterator_types: Vec<String>,
    /// Lower-case words in return types that are ordered collections.
    pub list_types: Vec<String>,
    /// Lower-case words in return types that are maps.
    pub map_types: Vec<String>,
    /// Lower-case words in return types that are strings.
    pub string_types: Vec<String>,
    /// Lower-case words in return types that are numbers.
    pub number_types: Vec<String>,
    /// Lower-case words in return types that are tuples.
    pub tuple_types: Vec<String>,
    /// Signs in types that end with `>` but do not close a bracket: `->`.
    pub arrows: Vec<String>,
    /// Signs between the parameters and the return type: `->`, `:`. Also `{`, which begins a body
    /// if there is no return type.
    pub return_type_marks: Vec<String>,
    /// Signs between a type and the name that follows it: `*`.
    pub pointer_signs: Vec<String>,
    /// Words in the header of a type that are no names of bases: `extends`.
    pub header_words: Vec<String>,
    /// Words before a name that are not types, in languages in which types precede names: `public`.
    pub modifiers: Vec<String>,
    /// Signs at the end of a statement without a value, in languages in which a function returns
    /// the value of its last statement: `;`.
    pub statement_ends: Vec<String>,
    /// Operators that compare values, or combine comparisons: `==`.
    pub comparisons: Vec<String>,
    /// Operators that compute a value: `+=`.
    pub computations: Vec<String>,
}

impl Idioms {
    /// Deserializes signs into an [`Arc`], because all functions in a language share them.
    pub(super) fn deserialize_shared<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Self>, D::Error> {
        Self::deserialize(deserializer).map(Arc::new)
    }
}

/// Checks whether a string contains any of the given signs.
pub fn has_sign(text: &str, signs: &[String]) -> bool {
    signs.iter().any(|sign| text.contains(sign))
}

/// Appends a language's own signs to the shared signs, for each key.
pub(super) fn with_shared(mut deserialize_shared: toml::Table, own: Option<toml::Value>) -> toml::Table {
    let own = own.and_then(|own| match own {
        toml::Value::Table(own) => Some(own),
        _ => None,
    });
    for (key, signs) in own.unwrap_or_default() {
        match (deserialize_shared.get_mut(&key), signs) {
            (Some(toml::Value::Array(all)), toml::Value::Array(signs)) => all.extend(signs),
            // A key that is not a field of `Idioms` is rejected when the table is deserialized.
            (_, signs) => drop(deserialize_shared.insert(key, signs)),
        }
    }
    deserialize_shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Registry;

    #[test]
    fn language_signs_extend_the_shared_signs() {
        let deserialize_shared: toml::Table = "raises = ['rror']\nlogs = ['print']".parse().expect("shared");
        let own: toml::Table = "raises = ['die(']\nno_such_idiom = ['x']".parse().expect("own");
        let signs = with_shared(deserialize_shared, Some(toml::Value::Table(own)));
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
