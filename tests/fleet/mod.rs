//! Many repositories: shards that travel.

mod shard;
