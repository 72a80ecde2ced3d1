//! What a question may say that a function does, and how that shows in its code.
//!
//! Departs: RepoQA's descriptions speak of values and steps in everyday words ("returns whether", "iterates over each");
//!          the words below are those that its protocol's descriptions use most

use super::function::Function;
use crate::lang::FlowKind;
use crate::search::Section;

/// One thing that a function may do.
pub struct Trait {
    /// What people and the weights call it: where it shows and is asked for, and where it shows only.
    pub names: [&'static str; 2],
    /// The part of a description that speaks of it; none for any.
    pub part: Option<Section>,
    /// Beginnings of words that speak of it.
    words: &'static [&'static str],
    /// Whether code shows it.
    pub shows: fn(&Function) -> bool,
}

impl Trait {
    /// Whether a text speaks of it.
    pub fn is_asked(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        let says = |wanted: &str| match wanted.strip_suffix('*') {
            Some(start) => text.split(|c: char| !c.is_alphanumeric()).any(|word| word.starts_with(start)),
            None if wanted.contains(' ') => text.contains(wanted),
            None => text.split(|c: char| !c.is_alphanumeric()).any(|word| word == wanted),
        };
        self.words.iter().any(|wanted| says(wanted))
    }
}

/// Whether the type of what comes back has one of some words.
fn says(function: &Function, words: &[&str]) -> bool {
    function.return_type.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word.to_lowercase().as_str()))
}

const fn of(
    names: [&'static str; 2],
    part: Option<Section>,
    words: &'static [&'static str],
    shows: fn(&Function) -> bool,
) -> Trait {
    Trait { names, part, words, shows }
}

const OUTPUT: Option<Section> = Some(Section::Output);
const PROCEDURE: Option<Section> = Some(Section::Procedure);

/// All of them.
pub const TRAITS: &[Trait] = &[
    of(["boolean as asked", "boolean"], OUTPUT, &["boolean", "true", "false", "whether", "bool"], |f| {
        f.flow.gives(FlowKind::Booleans) || f.flow.gives(FlowKind::Comparisons) || says(f, &["bool", "boolean"])
    }),
    of(
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
        |f| f.returned.is_empty() && ["", "None", "void"].contains(&f.return_type.as_str()),
    ),
    of(["raises as asked", "raises"], None, &["rais*", "throw*", "error*", "exception*", "panic*", "fail*"], |f| {
        f.flow.has(FlowKind::Raises) || f.text.contains("panic!") || f.text.contains("Err(") || f.text.contains("rror")
    }),
    of(["yields as asked", "yields"], None, &["yield*", "generator*", "iterator*", "lazily"], |f| {
        f.flow.has(FlowKind::Yields) || says(f, &["iterator", "iterable", "generator", "iter"])
    }),
    of(["list as asked", "list"], OUTPUT, &["list*", "array*", "vector*", "sequence*", "slice*", "collection*"], |f| {
        f.flow.gives(FlowKind::Lists) || says(f, &["list", "vec", "array", "sequence", "slice"])
    }),
    of(["map as asked", "map"], OUTPUT, &["dictionar*", "dict", "map", "mapping*", "hash*"], |f| {
        f.flow.gives(FlowKind::Maps) || says(f, &["dict", "map", "hashmap", "btreemap", "mapping"])
    }),
    of(["string as asked", "string"], OUTPUT, &["string*", "text*"], |f| {
        f.flow.gives(FlowKind::Strings) || says(f, &["str", "string"])
    }),
    of(
        ["number as asked", "number"],
        OUTPUT,
        &["integer*", "number*", "count*", "float*", "length", "size", "index"],
        |f| {
            f.flow.gives(FlowKind::Numbers)
                || says(f, &["int", "usize", "u8", "u32", "u64", "i32", "i64", "f32", "f64", "float", "long", "number"])
        },
    ),
    of(["tuple as asked", "tuple"], OUTPUT, &["tuple*", "pair*"], |f| {
        f.flow.gives(FlowKind::Tuples) || says(f, &["tuple"])
    }),
    of(
        ["loops as asked", "loops unasked"],
        PROCEDURE,
        &["iterat*", "loop*", "each", "every", "repeat*", "travers*", "walk*"],
        |f| f.flow.has(FlowKind::Loops),
    ),
    of(
        ["branches as asked", "branches unasked"],
        PROCEDURE,
        &["if", "check*", "whether", "otherwise", "condition*", "when", "unless", "depending", "case"],
        |f| f.flow.has(FlowKind::Branches),
    ),
    of(["recursion as asked", "recursion"], None, &["recurs*"], |f| f.recursive),
    of(
        ["async as asked", "async"],
        None,
        &["async*", "await*", "coroutine*", "concurren*", "future*", "promise*"],
        |f| f.flow.has(FlowKind::Awaits) || f.text.contains("async "),
    ),
    of(["guard as asked", "guard"], None, &["context manager", "lock*", "mutex", "open*", "acquir*"], |f| {
        f.flow.has(FlowKind::Guards) || f.text.contains("lock(")
    }),
    of(
        ["catches as asked", "catches"],
        PROCEDURE,
        &["catch*", "handl*", "exception*", "fall*", "suppress*", "except"],
        |f| f.flow.has(FlowKind::Catches),
    ),
    of(
        ["decorated as asked", "decorated"],
        None,
        &["property", "static*", "cached", "abstract", "decorat*", "class method"],
        |f| f.text.starts_with('@') || f.text.starts_with('#') || f.text.contains("static "),
    ),
    of(
        ["delegates as asked", "delegates"],
        PROCEDURE,
        &["delegat*", "call*", "invok*", "wrap*", "forward*", "pass*"],
        |f| f.lines <= 6 && f.flow.has(FlowKind::Calls),
    ),
    of(
        ["constructs as asked", "constructs"],
        None,
        &["initiali*", "construct*", "instance*", "creates a new", "set up", "sets up"],
        |f| f.constructor || f.name == "new" || f.text.contains("Self {"),
    ),
    of(
        ["compares as asked", "compares"],
        PROCEDURE,
        &["compar*", "equal*", "greater", "less", "than", "differ*"],
        |f| f.flow.has(FlowKind::Comparisons),
    ),
    of(
        ["computes as asked", "computes"],
        PROCEDURE,
        &["multipl*", "divid*", "subtract*", "add*", "sum", "increment*", "comput*", "calculat*", "scal*"],
        |f| f.computes,
    ),
    of(["default as asked", "default"], Some(Section::Input), &["default*", "optional*"], |f| {
        f.flow.has(FlowKind::Defaults)
            || f.parameters.iter().any(|p| p.contains("Option") || p.contains('?') || p.contains('='))
    }),
    of(["logs as asked", "logs"], None, &["log", "logs", "logging", "print*", "warn*", "display*", "message*"], |f| {
        ["log", "print", "warn", "console"].iter().any(|word| f.text.contains(word))
    }),
    of(["writes as asked", "writes"], None, &["writ*", "sav*", "stor*", "flush*"], |f| {
        ["write", "save", "store", "dump", "flush"].iter().any(|word| f.text.contains(word))
    }),
    of(["sorts as asked", "sorts"], None, &["sort*", "order*", "ascending", "descending"], |f| {
        ["sort", "order", "cmp"].iter().any(|word| f.text.contains(word))
    }),
    of(["matches as asked", "matches"], None, &["regex*", "regular expression*", "pattern*"], |f| {
        ["re.", "egex", "RegExp", "preg_", "pattern"].iter().any(|word| f.text.contains(word))
    }),
];
