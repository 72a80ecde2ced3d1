//! Many repositories: shards that travel.

mod support;

mod ask;
mod catalog;
mod lines;
mod shard;
mod slices;
mod stats;
mod steps;
mod unpack;
