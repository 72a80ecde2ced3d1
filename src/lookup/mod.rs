//! A question about functions, answered by reading them: which are read and in what order, what is noted of each, when to
//! stop, and who is first.
//!
//! ```text
//! hits ──order──> chunks ──reading: the loop──> memory of candidates ──evidence──> judge ──> functions in order
//!                            └─ offline: the reader that is this program
//! ```
//!
//! **Never:** returns a function that the index does not hold, or that was not shown.

mod asked;
mod candidates;
mod chunks;
mod evidence;
mod flow;
mod function;
mod judge;
#[allow(clippy::module_inception)]
mod lookup;
mod offline;
mod rescore;
mod traits;

pub use asked::Asked;
pub use candidates::Candidates;
pub use chunks::{Chunks, Piece};
pub use evidence::{Bench, Evidence};
pub use flow::Flow;
pub use function::{Function, FunctionReader, FunctionWords};
pub use judge::{JUDGED, chance_of_first, shares};
pub use lookup::{ChunkOrder, Found, Lookup, LookupOptions, Ranked, Trace};
pub use offline::OfflineReader;
pub use rescore::rescored;
