//! Searches more repositories than one index contains: packs them into shards and queries many
//! shards at once.
//!
//! ```text
//! pack ──┬> survey       what a repository's index would contain: paths, hashes, lines; no parsing
//!        ├> slices       a large repository in parts, by directory
//!        └> work_folder  members are built one by one, then combined into a shard
//!                        (`crates/index/src/store/shard.rs`)
//! unpack   a member as the ordinary index of a checkout
//! stats    what a shard adds to the sums of ranking
//! catalog  which shard serves each member, and who may see it
//!
//! typed_question ──> coordinator <──message──> shard_search   the steps of a search in all shards
//!                    rank, local               worker, local  transport: lines of JSON, or one process
//! ```
//! **Never:** opens a connection, or starts a process: the caller transports every message.

mod catalog;
mod coordinator;
mod local;
mod message;
mod name;
mod pack;
mod rank;
mod shard_search;
mod slices;
mod stats;
mod survey;
mod typed_question;
mod unpack;
mod work_folder;
mod worker;

pub use catalog::{CATALOG, Catalog, CatalogRepository, CatalogShard, VisibleMember, VisibleShard};
pub use coordinator::{Coordinator, Replies, Requests};
pub use local::ask;
pub use message::{FleetCandidate, FleetQuestion, ShardReply, ShardRequest, ShardTotals, Step};
pub use name::{check_name, repository_of};
pub use pack::{LINES, PackRequest, PackedShard, RepositoryToPack, pack};
pub use rank::{answer_json, lead};
pub use slices::slices;
pub use stats::{MemberStats, ShardStats};
pub use typed_question::TypedQuestion;
pub use unpack::{Unpacked, unpack};
pub use worker::work;
