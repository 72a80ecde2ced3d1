//! Tests of splitting and search.

mod index;
mod search;
mod split;
