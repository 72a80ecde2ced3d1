//! The traits of a function that a question may mention, and the signs of each trait in code.
//!
//! **Differs from the paper:** RepoQA describes values and steps in everyday words ("returns
//! whether", "iterates over each"). The words below are the most frequent ones in descriptions
//! written by its protocol. The words are English; the signs of each language are data
//! (`grammars/idioms.toml`).

use super::function::Function;
use whichfn_search::search::Section;
use whichfn_syntax::lang::{FlowKind, has_sign};

/// A trait of a function.
pub struct Trait {
    /// Names in the weights: one for a trait that is in the code and mentioned, one for a trait
    /// that is only in the code.
    pub names: [&'static str; 2],
    /// Section of a description that mentions the trait; `None` for all sections.
    pub part: Option<Section>,
    /// Words that mention the trait. A word with a trailing `*` matches every word that starts with
    /// it.
    words: &'static [&'static str],
    /// Checks whether a function has the trait.
    pub shows: fn(&Function) -> bool,
}

impl Trait {
    /// Checks whether a string mentions the trait.
    pub fn is_asked(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        let contains = |wanted: &str| match wanted.strip_suffix('*') {
            Some(start) => text.split(|c: char| !c.is_alphanumeric()).any(|word| word.starts_with(start)),
            None if wanted.contains(' ') => text.contains(wanted),
            None => text.split(|c: char| !c.is_alphanumeric()).any(|word| word == wanted),
        };
        self.words.iter().any(|wanted| contains(wanted))
    }
}

const fn function_trait(
    names: [&'static str; 2],
    part: Option<Section>,
    words: &'static [&'static str],
    shows: fn(&Function) -> bool,
) -> Trait {
    Trait { names, part, words, shows }
}

const OUTPUT: Option<Section> = Some(Section::Output);
const PROCEDURE: Option<Section> = Some(Section::Procedure);

/// All traits, in the order of their features.
pub const TRAITS: &[Trait] = &[
    function_trait(["boolean as asked", "boolean"], OUTPUT, &["boolean", "true", "false", "whether", "bool"], |f| {
        f.flow.gives(FlowKind::Booleans)
            || f.flow.gives(FlowKind::Comparisons)
            || f.returns_any(&f.idioms.boolean_types)
    }),
    function_trait(
        ["nothing as asked", "nothing"],
        OUTPUT,
        &[
            "none",
            "nothing",
            "no return",
            "not return",
            "no output",
            "no explicit",
            "void",
            "no value",
            "in place",
            "no direct",
        ],
        |f| f.returned.is_empty() && (f.return_type.is_empty() || f.idioms.nothing_types.contains(&f.return_type)),
    ),
    function_trait(
        ["raises as asked", "raises"],
        None,
        &["rais*", "throw*", "error*", "exception*", "panic*", "fail*"],
        |f| f.flow.has(FlowKind::Raises) || f.has_any(&f.idioms.raises),
    ),
    function_trait(["yields as asked", "yields"], None, &["yield*", "generator*", "iterator*", "lazily"], |f| {
        f.flow.has(FlowKind::Yields) || f.returns_any(&f.idioms.iterator_types)
    }),
    function_trait(
        ["list as asked", "list"],
        OUTPUT,
        &["list*", "array*", "vector*", "sequence*", "slice*", "collection*"],
        |f| f.flow.gives(FlowKind::Lists) || f.returns_any(&f.idioms.list_types),
    ),
    function_trait(["map as asked", "map"], OUTPUT, &["dictionar*", "dict", "map", "mapping*", "hash*"], |f| {
        f.flow.gives(FlowKind::Maps) || f.returns_any(&f.idioms.map_types)
    }),
    function_trait(["string as asked", "string"], OUTPUT, &["string*", "text*"], |f| {
        f.flow.gives(FlowKind::Strings) || f.returns_any(&f.idioms.string_types)
    }),
    function_trait(
        ["number as asked", "number"],
        OUTPUT,
        &["integer*", "number*", "count*", "float*", "length", "size", "index"],
        |f| f.flow.gives(FlowKind::Numbers) || f.returns_any(&f.idioms.number_types),
    ),
    function_trait(["tuple as asked", "tuple"], OUTPUT, &["tuple*", "pair*"], |f| {
        f.flow.gives(FlowKind::Tuples) || f.returns_any(&f.idioms.tuple_types)
    }),
    function_trait(
        ["loops as asked", "loops unasked"],
        PROCEDURE,
        &["iterat*", "loop*", "each", "every", "repeat*", "travers*", "walk*"],
        |f| f.flow.has(FlowKind::Loops),
    ),
    function_trait(
        ["branches as asked", "branches unasked"],
        PROCEDURE,
        &["if", "check*", "whether", "otherwise", "condition*", "when", "unless", "depending", "case"],
        |f| f.flow.has(FlowKind::Branches),
    ),
    function_trait(["recursion as asked", "recursion"], None, &["recurs*"], |f| f.recursive),
    function_trait(
        ["async as asked", "async"],
        None,
        &["async*", "await*", "coroutine*", "concurren*", "future*", "promise*"],
        |f| f.flow.has(FlowKind::Awaits) || f.has_any(&f.idioms.awaits),
    ),
    function_trait(
        ["guard as asked", "guard"],
        None,
        &["context manager", "lock*", "mutex", "open*", "acquir*"],
        |f| f.flow.has(FlowKind::Guards) || f.has_any(&f.idioms.guards),
    ),
    function_trait(
        ["catches as asked", "catches"],
        PROCEDURE,
        &["catch*", "handl*", "exception*", "fall*", "suppress*", "except"],
        |f| f.flow.has(FlowKind::Catches),
    ),
    function_trait(
        ["decorated as asked", "decorated"],
        None,
        &["property", "static*", "cached", "abstract", "decorat*", "class method"],
        |f| f.idioms.decorator_starts.iter().any(|sign| f.text.starts_with(sign)) || f.has_any(&f.idioms.decorates),
    ),
    function_trait(
        ["delegates as asked", "delegates"],
        PROCEDURE,
        &["delegat*", "call*", "invok*", "wrap*", "forward*", "pass*"],
        |f| f.lines <= 6 && f.flow.has(FlowKind::Calls),
    ),
    function_trait(
        ["constructs as asked", "constructs"],
        None,
        &["initiali*", "construct*", "instance*", "creates a new", "set up", "sets up"],
        |f| f.constructor || f.idioms.constructor_names.contains(&f.name) || f.has_any(&f.idioms.constructs),
    ),
    function_trait(
        ["compares as asked", "compares"],
        PROCEDURE,
        &["compar*", "equal*", "greater", "less", "than", "differ*"],
        |f| f.flow.has(FlowKind::Comparisons),
    ),
    function_trait(
        ["computes as asked", "computes"],
        PROCEDURE,
        &["multipl*", "divid*", "subtract*", "add*", "sum", "increment*", "comput*", "calculat*", "scal*"],
        |f| f.computes,
    ),
    function_trait(["default as asked", "default"], Some(Section::Input), &["default*", "optional*"], |f| {
        f.flow.has(FlowKind::Defaults)
            || f.parameters.iter().any(|parameter| has_sign(parameter, &f.idioms.default_signs))
    }),
    function_trait(
        ["logs as asked", "logs"],
        None,
        &["log", "logs", "logging", "print*", "warn*", "display*", "message*"],
        |f| f.has_any(&f.idioms.logs),
    ),
    function_trait(["writes as asked", "writes"], None, &["writ*", "sav*", "stor*", "flush*"], |f| {
        f.has_any(&f.idioms.writes)
    }),
    function_trait(["sorts as asked", "sorts"], None, &["sort*", "order*", "ascending", "descending"], |f| {
        f.has_any(&f.idioms.sorts)
    }),
    function_trait(["matches as asked", "matches"], None, &["regex*", "regular expression*", "pattern*"], |f| {
        f.has_any(&f.idioms.matches)
    }),
];
