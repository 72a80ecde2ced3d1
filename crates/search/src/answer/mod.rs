//! Answers as plain data for people and programs: ranked results, the definition that a typed name
//! refers to, the relations of a definition, its callers and its callees.
//!
//! ```text
//! hits ──> duplicates: collapsed hits ──> present: text, evidence, heads ──> SearchResult
//!                                              values: results for all kinds ──┘
//! a typed name ──> resolve ──> DefinitionId ──> relate ──> Relations
//!                                          ├──> calls ──> Tree
//!                                          ├──> implementations ──> Tree
//!                                          └──> reach ──> Tree of tests or paths, Impact
//! a typed name ──> named ──> Named ──> references ──> References
//! all definitions ──> all_calls ──> LocatedCall
//! ```
//!
//! **Never:** prints or colors output; reads a file other than through [`whichfn_index::source`].

mod all_calls;
mod call_sites;
mod calls;
mod comments;
mod corrected;
mod disambiguate;
mod docs_question;
mod duplicates;
mod entries;
mod evidence;
mod exact_name;
mod flag_uses;
mod graph_subject;
mod implementations;
mod literals;
mod location;
mod named;
mod place;
mod present;
mod reach;
mod references;
mod relate;
mod relation_question;
mod resolve;
mod result;
mod short_id;
mod similar_names;
mod tree;
mod typed_names;
mod unknown_name;
mod values;
mod variants;

pub use all_calls::{LocatedCall, located_calls};
pub use call_sites::CallLine;
pub use calls::{CallDirection, CallLimits, Calls, SeenCall, calls, direct_ends, named_around};
pub use docs_question::asks_for_docs;
pub use duplicates::{DuplicateKey, HitGroup, LOOK_AHEAD, MemberDefinition, collapse, ungrouped, words_of};
pub use entries::{EntryQuestion, NamedEntries, entries, entries_of, handlers, is_flag, untagged};
pub use evidence::{Evidence, QueryStems};
pub use exact_name::{NameMatch, exactly_named, put_named_first};
pub use flag_uses::flag_readers;
pub use graph_subject::{GraphSubject, SubjectDefinition};
pub use implementations::{Subtype, TypeDirection, TypeRelation, implementations};
pub use literals::{LiteralMatch, LiteralPart, Literals, literals, may_lead, raise_literals};
pub use location::{DefinitionLocation, HeadLine, head_line, location, qualified_value};
pub use named::{Named, ResolvedName, named_head_line, named_location, resolve_named, value_kind, values_called};
pub use place::Place;
pub use present::Presenter;
pub use reach::{
    AffectedFile, CallPath, Distance, GUESS, Impact, PathStep, ReachedTests, StepKind, call_paths, impact, parts_of,
    test_title, tests_of, users_of,
};
pub use references::{
    Certainty, FileSyntax, NameWords, Position, References, Use, UseKind, references, references_of_all,
};
pub use relate::{RelatedDefinition, Relations, relate};
pub use relation_question::{AskedRelation, RelationQuestion, is_code_name};
pub use resolve::{Resolved, resolve};
pub use result::{
    Answer, AnswerBasis, CodeLine, Duplicate, IndexSummary, PassageResult, QueriedShards, RepositoryOf, SearchResult,
    TokenSort,
};
pub use short_id::{short_id, with_short_id};
pub use similar_names::edit_distance;
pub use tree::{Branch, Tree};
pub use unknown_name::last_part;
pub use values::{add_values, put_values_first, value_results};
pub use variants::are_variants;
