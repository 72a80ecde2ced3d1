//! Options with a fixed set of values: the word on the command line, its description, and the
//! corresponding value of the library.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use serde::de::{Deserialize, Deserializer, Error};
use whichfn_memory::MemoryFormat;
use whichfn_read::context::ContextRanking;
use whichfn_read::lookup::ChunkOrder;
use whichfn_read::reading::Strategy;
use whichfn_search::relation::FragmentUnit;
use whichfn_search::search::{EnvironmentForm, KindFilter, Ranker, RelationName, Unit};

/// Defines a type whose values can be typed and be set in `whichfn.toml`: one row per value, with
/// its line of the help.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident of $of:ty { $($word:literal => $value:expr, $help:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) struct $name(pub $of);

        impl $name {
            const ALL: &[Self] = &[$(Self($value)),+];
            const WORDS: &[&str] = &[$($word),+];
            const HELP: &[&str] = &[$($help),+];
        }

        impl ValueEnum for $name {
            fn value_variants<'a>() -> &'a [Self] {
                Self::ALL
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                let at = Self::ALL.iter().position(|one| one == self)?;
                Some(PossibleValue::new(Self::WORDS[at]).help(Self::HELP[at]))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let word = String::deserialize(from)?;
                let at = Self::WORDS.iter().position(|known| *known == word);
                at.map(|at| Self::ALL[at]).ok_or_else(|| D::Error::unknown_variant(&word, Self::WORDS))
            }
        }
    };
}

choice! {
    /// Kinds of definitions to rank.
    KindChoice of KindFilter {
        "function" => KindFilter::Function, "Functions, methods, macros";
        "type" => KindFilter::Type, "Classes, structs, enums, traits, interfaces, aliases";
        "any" => KindFilter::Any, "Both, and the top-level code of files";
    }
}

choice! {
    /// Unit that is ranked.
    UnitChoice of Unit {
        "definition" => Unit::Definition, "Functions and types";
        "file" => Unit::File, "Whole files";
        "window" => Unit::Window, "Windows of 20 lines";
    }
}

impl UnitChoice {
    /// Returns the fragments of this unit; `None` for files.
    pub fn fragment(self) -> Option<FragmentUnit> {
        match self.0 {
            Unit::Definition => Some(FragmentUnit::Definition),
            Unit::Window => Some(FragmentUnit::Window),
            Unit::File => None,
        }
    }
}

choice! {
    /// Relation between results.
    RelationChoice of RelationName {
        "structure" => RelationName::Structure, "Through the structure graph: syntax, directories, calls";
        "position" => RelationName::Position, "By place in the file";
        "semantic" => RelationName::Semantic, "By meaning: similarity of embeddings (needs --embed)";
        "none" => RelationName::None, "None: each result is scored on its own";
    }
}

choice! {
    /// Formula that combines related scores.
    EnvironmentChoice of EnvironmentForm {
        "sum" => EnvironmentForm::Sum, "A saturating sum of related scores; less for longer questions";
        "mean" => EnvironmentForm::Mean, "The relation-weighted mean, as in the FragRel paper";
    }
}

choice! {
    /// Ranker of the best functions.
    OrderChoice of Ranker {
        "learned" => Ranker::Learned, "A model trained on questions about other repositories";
        "words" => Ranker::Words, "The word score that found them";
    }
}

choice! {
    /// Reading order of functions.
    ChunkOrderChoice of ChunkOrder {
        "best" => ChunkOrder::Best, "In the order of the search";
        "repository" => ChunkOrder::Repository, "From the first file to the last";
    }
}

choice! {
    /// Format of a memory in prompts.
    MemoryChoice of MemoryFormat {
        "amendments" => MemoryFormat::Amendments, "Changes are appended; the latest one wins";
        "in-place" => MemoryFormat::InPlace, "The whole memory, rewritten after each change";
    }
}

choice! {
    /// Strategy by which `read` keeps a memory.
    ReadStrategyChoice of Strategy {
        "prism" => Strategy::Prism, "Revisions of a structured memory (PRISM)";
        "cok" => Strategy::Cok, "A summary of each chunk, then key by key; nothing is ever dropped (Chain-of-Key)";
    }
}

choice! {
    /// Ranking of fragments for a completion.
    ContextRankingChoice of ContextRanking {
        "best" => ContextRanking::Best, "The ranking that found most in our measurements";
        "published" => ContextRanking::Published, "BM25 + 0.5 x environment, as in the FragRel paper";
        "bm25" => ContextRanking::Bm25, "BM25 only";
    }
}

/// Strategy for answering a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum StrategyChoice {
    /// One search.
    Direct,
    /// Read chunk by chunk, with revisions of a structured memory (PRISM).
    Prism,
    /// Read chunk by chunk, key by key; nothing is ever dropped (Chain-of-Key).
    Cok,
    /// Walk a tree of summaries from the root (MemWalker).
    Walk,
}

/// Output format of ranked functions and calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ListFormat {
    /// Text for a terminal.
    #[default]
    Text,
    /// One JSON object.
    Json,
    /// One JSON object for each result.
    Jsonl,
    /// PATH:LINE:COLUMN:TEXT, for the quickfix lists of editors.
    Vimgrep,
}

/// Output format of a tree of calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum TreeFormat {
    /// Text for a terminal.
    #[default]
    Text,
    /// One JSON object.
    Json,
    /// PATH:LINE:COLUMN:TEXT for each call, for the quickfix lists of editors.
    Vimgrep,
}

/// Output format of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum GraphFormat {
    /// One JSON object with nodes and weighted edges; with every syntax node for a directory.
    Json,
    /// A picture for Graphviz.
    Dot,
    /// A picture for Gephi, yEd and similar tools.
    Graphml,
    /// A Mermaid flowchart, for Markdown.
    Mermaid,
    /// A page for a browser.
    Html,
}
