//! Tests fleets of repositories, whose shards move between machines.

mod support;

mod ask;
mod catalog;
mod lines;
mod shard;
mod slices;
mod stats;
mod steps;
mod unpack;
