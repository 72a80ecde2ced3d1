//! Many repositories: shards that travel.

mod support;

mod catalog;
mod shard;
mod slices;
mod stats;
mod unpack;
