//! Takes apart the text of an issue: a long text that describes a problem with a program.
//!
//! ```text
//! text ──> text.rs     title, prose, code, messages; banners, versions and headings are dropped
//!     ──> trace.rs     frames of stack traces, the innermost first
//!     ──> mention.rs   names, files and lines that it refers to
//!     ──> paths.rs     the files and functions of one index that paths and frames refer to
//!     ──> found.rs     the definitions of one index that these refer to ──> features
//! ```
//!
//! Nothing here decides the order. What the text refers to becomes features of the candidates
//! (`feature.rs`), which have learned weights (`issue.toml`).

mod found;
mod mention;
mod paths;
mod text;
mod trace;

pub(super) use found::MentionedDefinitions;
pub(super) use mention::has_file_ending;
pub use mention::{Mention, MentionPlace};
pub(super) use paths::Paths;
pub(super) use text::read_frames;
pub use text::{Issue, is_issue, message_lines};
pub use trace::TraceFrame;
pub(super) use trace::{is_file, place_in};
